/* SPDX-License-Identifier: Apache-2.0 */
/* check_text.c -- a check for people: what the table gives away, in plain words. */
#include <math.h>

#include "base/plain.h"
#include "report/report.h"

enum { WIDTH = 100, LABEL = 12, BAR = 30, BAR_AT = 53, NAMES_MOST = 40 };

static void
put_headline(kn_text *text, const kanon_check *c)
{
    size_t from = text->len;

    if (!c->risk.rows) {
        kn_text_addz(text, "The table has no rows, so there is nothing to measure.\n");
        return;
    }
    kn_text_addf(text, "k = %llu: ", (unsigned long long) c->risk.min_class);
    if (c->risk.min_class > 1) {
        kn_text_addz(text, "every row matches at least ");
        kn_plain_counted(text, c->risk.min_class - 1, "other");
    } else {
        kn_plain_count(text, c->risk.uniques);
        kn_text_addz(text, " of ");
        kn_plain_counted(text, c->risk.rows, "row");
        kn_text_addz(text, c->risk.uniques == 1 ? " is unique" : " are unique");
    }
    kn_text_addz(text, " in the quasi-identifiers (");
    for (size_t i = 0; i < c->nquasi && i < NAMES_MOST; i++) {
        kn_text_addz(text, i ? ", " : "");
        kn_plain_name(text, c->quasi[i], 0);
    }
    kn_text_addz(text, c->nquasi > NAMES_MOST ? ", ...).\n" : ").\n");
    kn_plain_wrap(text, from, WIDTH, 0);
}

/* Before everything else: whoever reads a name needs no quasi-identifier. */
static void
put_clear(kn_text *text, const kanon_check *c)
{
    for (size_t i = 0; i < c->identifiers.count; i++) {
        const kn_clear_column *e = &c->identifiers.columns[i];
        size_t                 from;

        if (!e->rows)
            continue;
        from = kn_plain_begin(text, LABEL, "IN CLEAR");
        kn_plain_name(text, e->name, 0);
        kn_text_addz(text, ", an identifier, in ");
        kn_plain_counted(text, e->rows, "row");
        kn_text_addz(text, ": anyone can read it");
        kn_plain_end(text, from, WIDTH, LABEL);
    }
}

static void
put_rows(kn_text *text, const kanon_check *c)
{
    size_t from = kn_plain_begin(text, LABEL, "Rows");

    kn_plain_count(text, c->risk.rows);
    kn_text_addz(text, " in ");
    kn_plain_count(text, c->risk.classes);
    kn_text_addz(text, c->risk.classes == 1 ? " equivalence class; smallest "
                                            : " equivalence classes; smallest ");
    kn_plain_count(text, c->risk.min_class);
    kn_text_addz(text, ", largest ");
    kn_plain_count(text, c->risk.max_class);
    kn_text_addz(text, ", mean ");
    kn_plain_fixed(text, (double) c->risk.rows / (double) c->risk.classes, 1);
    kn_plain_end(text, from, WIDTH, LABEL);
    from = kn_plain_begin(text, LABEL, "Risk");
    kn_text_addz(
        text,
        "the chance of picking the right row for a person whose quasi-identifiers are known: ");
    if (c->risk.uniques) {
        kn_text_addz(text, "certain for ");
        kn_plain_counted(text, c->risk.uniques, "row");
    } else if (c->persons > 0 && c->persons < (double) c->risk.min_class) {
        kn_text_addz(text, "at most 1 in ");
        kn_plain_counted(text, (uint64_t) c->persons, "person");
    } else {
        kn_text_addz(text, "at most 1 in ");
        kn_plain_count(text, c->risk.min_class);
        kn_text_addz(text, c->persons > 0 ? " rows" : "");
    }
    kn_text_addz(text, ", on average 1 in ");
    kn_plain_fixed(text, (double) c->risk.rows / (double) c->risk.classes, 1);
    kn_text_addz(text, c->persons > 0 ? " rows" : "");
    kn_plain_end(text, from, WIDTH, LABEL);
}

static void
put_histogram(kn_text *text, const kanon_check *c)
{
    size_t room = kn_plain_width(text, WIDTH) - BAR_AT, bar = room < BAR ? room : BAR, from;

    kn_text_addz(text, "\nClass size  Classes         Rows            Share of rows\n");
    for (size_t i = 0; i < KN_CHECK_BUCKETS; i++) {
        const kn_class_bucket *b = &c->histogram[i];
        double                 share = (double) b->rows / (double) c->risk.rows;

        kn_text_addf(text, "%llu", (unsigned long long) b->from);
        if (!b->to)
            kn_text_addz(text, " or more");
        else if (b->to != b->from)
            kn_text_addf(text, "-%llu", (unsigned long long) b->to);
        kn_plain_pad(text, 12);
        kn_plain_count(text, b->classes);
        kn_plain_pad(text, 28);
        kn_plain_count(text, b->rows);
        kn_plain_pad(text, 44);
        kn_plain_percent(text, share);
        if (b->rows) {
            kn_plain_pad(text, BAR_AT);
            for (size_t n = 0; n < (size_t) (share * (double) bar + 0.5); n++)
                kn_text_addz(text, "#");
        }
        kn_text_addz(text, "\n");
    }
    kn_text_addz(text, "\n");
    from = text->len;
    kn_text_addz(text, "Rows in classes smaller than:");
    for (size_t i = 0; i < KN_CHECK_BELOWS; i++) {
        kn_text_addf(text, "%s %llu: ", i ? ";" : "", (unsigned long long) c->below[i].limit);
        kn_plain_count(text, c->below[i].rows);
    }
    kn_text_addz(text, "\n");
    kn_plain_wrap(text, from, WIDTH, LABEL);
}

/* The same t by another distance between two values. */
static void
put_distance(kn_text *text, const char *name, double t)
{
    if (isnan(t))
        return;
    kn_text_addf(text, "; %s distance: ", name);
    kn_plain_fixed(text, t, 3);
}

static void
put_sensitive(kn_text *text, const kanon_check *c)
{
    if (c->nsensitive)
        kn_text_addz(text, "\nSensitive columns\n");
    for (size_t i = 0; i < c->nsensitive; i++) {
        const kn_check_sensitive *s = &c->sensitive[i];
        size_t                    from = text->len;

        kn_text_addz(text, "  - ");
        kn_plain_name(text, s->name, 0);
        if (s->homogeneous_rows) {
            kn_text_addz(text, ": ");
            kn_plain_counted(text, s->homogeneous_rows, "row");
            kn_text_addf(
                text, " %s in a class with a single value, so anyone who finds the class learns it",
                s->homogeneous_rows == 1 ? "is" : "are");
        } else {
            kn_text_addz(text, ": every class has at least ");
            kn_plain_count(text, s->l);
            kn_text_addz(text, " distinct values");
        }
        kn_text_addf(text, " (l = %llu, by entropy ", (unsigned long long) s->l);
        kn_plain_fixed(text, s->entropy_l, 2);
        kn_text_addz(
            text, "); the values of a class differ from those of the whole table by at most t = ");
        kn_plain_fixed(text, s->t, 3);
        kn_text_addz(text, " (equal distance");
        put_distance(text, "ordered", s->t_ordered);
        put_distance(text, "hierarchical", s->t_hierarchical);
        kn_text_addz(text, ")");
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, 4);
    }
}

static void
put_models(kn_text *text, const kanon_check *c)
{
    if (c->persons > 0) {
        kn_text_addz(text, "\nPersons     every class has at least ");
        kn_plain_counted(text, (uint64_t) c->persons, "distinct person");
        kn_text_addz(text, "\n");
    }
    if (c->no_persons) {
        size_t from;

        kn_text_addz(text, "\n");
        from = kn_plain_begin(text, LABEL, "Persons");
        kn_text_addz(text, "cannot be counted here: ");
        kn_plain_name(text, c->no_persons, 0);
        kn_plain_end(text, from, WIDTH, LABEL);
    }
    if (c->nmodels)
        kn_text_addz(text, "\nPrivacy models\n");
    for (size_t i = 0; i < c->nmodels; i++) {
        const kn_check_model *m = &c->models[i];
        size_t                from = text->len;

        kn_text_addf(text, "  - %s", m->name);
        if (m->column) {
            kn_text_addz(text, " of ");
            kn_plain_name(text, m->column, 0);
        }
        kn_text_addf(text, ", %s %.6g", m->parameter, m->asked);
        if (m->other)
            kn_text_addf(text, ", %s %.6g", m->other, m->asked_other);
        kn_text_addf(text, ": %s; the worst class reaches %s%.6g",
                     m->holds ? "holds" : "DOES NOT HOLD", m->at_most ? "at most " : "",
                     m->reached);
        if (m->at_most)
            kn_text_addz(text, ", summed over all classes that a person may be in");
        if (m->failing_rows) {
            kn_text_addz(text, ", and ");
            kn_plain_counted(text, m->failing_rows, "row");
            kn_text_addz(text, m->failing_rows == 1 ? " is in classes that fail"
                                                    : " are in classes that fail");
        }
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, 4);
    }
}

static void
put_wildcard(kn_text *text, const kanon_check *c)
{
    const kn_check_wildcard *w = &c->wildcard;
    size_t                   from;

    if (!w->asked)
        return;
    kn_text_addz(text, "\n");
    from = kn_plain_begin(text, LABEL, "Wildcard");
    kn_text_addf(text, "if a missing value matched anything, k would be %llu, with ",
                 (unsigned long long) w->k);
    kn_plain_counted(text, w->uniques, "row");
    kn_text_addz(text, w->uniques == 1 ? " that matches no other; " : " that match no other; ");
    kn_plain_counted(text, w->missing_rows, "row");
    kn_text_addf(text,
                 " %s a missing quasi-identifier. The figures above count it as a distinct value.",
                 w->missing_rows == 1 ? "has" : "have");
    kn_plain_end(text, from, WIDTH, LABEL);
}

void
kn_check_text(kn_text *text, const kanon_check *c)
{
    put_headline(text, c);
    if (!c->risk.rows)
        return;
    kn_text_addz(text, "\n");
    put_clear(text, c);
    put_rows(text, c);
    put_histogram(text, c);
    put_sensitive(text, c);
    put_models(text, c);
    put_wildcard(text, c);
}
