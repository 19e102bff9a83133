/* SPDX-License-Identifier: Apache-2.0 */
/* check_text.c -- a check for people: what the table gives away, in plain words. */
#include <math.h>

#include "base/fill.h"
#include "report/report.h"

enum { WIDTH = 100, LABEL = 12, BAR = 30, BAR_AT = 53 };

static void
put_rows(kn_text *text, const kanon_check *c)
{
    size_t from = kn_plain_begin(text, LABEL, "Rows");

    KN_FILL(text, "{} in {}{}{}, largest {}, mean {}", kn_as_count(c->risk.rows),
            kn_as_count(c->risk.classes),
            kn_as_is(c->risk.classes == 1 ? " equivalence class; smallest "
                                          : " equivalence classes; smallest "),
            kn_as_count(c->risk.min_class), kn_as_count(c->risk.max_class),
            kn_as_fixed((double) c->risk.rows / (double) c->risk.classes, 1));
    kn_plain_end(text, from, WIDTH, LABEL);
    from = kn_plain_begin(text, LABEL, "Risk");
    kn_text_addz(
        text,
        "the chance of picking the right row for a person whose quasi-identifiers are known: ");
    if (c->risk.uniques)
        KN_FILL(text, "certain for {}", kn_as_counted(c->risk.uniques, "row"));
    else if (c->persons > 0 && c->persons < (double) c->risk.min_class)
        KN_FILL(text, "at most 1 in {}", kn_as_counted((uint64_t) c->persons, "person"));
    else
        KN_FILL(text, "at most 1 in {}{}", kn_as_count(c->risk.min_class),
                kn_as_is(c->persons > 0 ? " rows" : ""));
    KN_FILL(text, ", on average 1 in {}{}",
            kn_as_fixed((double) c->risk.rows / (double) c->risk.classes, 1),
            kn_as_is(c->persons > 0 ? " rows" : ""));
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
    for (size_t i = 0; i < KN_CHECK_BELOWS; i++)
        KN_FILL(text, "{} {}: {}", kn_as_is(i ? ";" : ""), kn_as_digits(c->below[i].limit),
                kn_as_count(c->below[i].rows));
    kn_text_addz(text, "\n");
    kn_plain_wrap(text, from, WIDTH, LABEL);
}

/* The same t by another distance between two values. */
static void
put_distance(kn_text *text, const char *name, double t)
{
    if (isnan(t))
        return;
    KN_FILL(text, "; {} distance: {}", kn_as_is(name), kn_as_fixed(t, 3));
}

static void
put_sensitive(kn_text *text, const kanon_check *c)
{
    if (c->nsensitive)
        kn_text_addz(text, "\nSensitive columns\n");
    for (size_t i = 0; i < c->nsensitive; i++) {
        const kn_check_sensitive *s = &c->sensitive[i];
        size_t                    from = text->len;

        KN_FILL(text, "  - {}", kn_as_name(s->name, 0));
        if (s->homogeneous_rows)
            KN_FILL(
                text,
                ": {} {} in a class with a single value, so anyone who finds the class learns it",
                kn_as_counted(s->homogeneous_rows, "row"),
                kn_as_is(s->homogeneous_rows == 1 ? "is" : "are"));
        else
            KN_FILL(text, ": every class has at least {} distinct values", kn_as_count(s->l));
        KN_FILL(text,
                " (l = {}, by entropy {}); the values of a class differ from those of the whole "
                "table by at most t = {} (equal distance",
                kn_as_digits(s->l), kn_as_fixed(s->entropy_l, 2), kn_as_fixed(s->t, 3));
        put_distance(text, "ordered", s->t_ordered);
        put_distance(text, "hierarchical", s->t_hierarchical);
        kn_text_addz(text, ")\n");
        kn_plain_wrap(text, from, WIDTH, 4);
    }
}

static void
put_models(kn_text *text, const kanon_check *c)
{
    if (c->persons > 0)
        KN_FILL(text, "\nPersons     every class has at least {}\n",
                kn_as_counted((uint64_t) c->persons, "distinct person"));
    if (c->no_persons) {
        size_t from;

        kn_text_addz(text, "\n");
        from = kn_plain_begin(text, LABEL, "Persons");
        KN_FILL(text, "cannot be counted here: {}", kn_as_name(c->no_persons, 0));
        kn_plain_end(text, from, WIDTH, LABEL);
    }
    if (c->nmodels)
        kn_text_addz(text, "\nPrivacy models\n");
    for (size_t i = 0; i < c->nmodels; i++) {
        const kn_check_model *m = &c->models[i];
        size_t                from = text->len;

        kn_text_addf(text, "  - %s", m->name);
        if (m->column)
            KN_FILL(text, " of {}", kn_as_name(m->column, 0));
        kn_text_addf(text, ", %s %.6g", m->parameter, m->asked);
        if (m->other)
            kn_text_addf(text, ", %s %.6g", m->other, m->asked_other);
        kn_text_addf(text, ": %s; the worst class reaches %s%.6g",
                     m->holds ? "holds" : "DOES NOT HOLD", m->at_most ? "at most " : "",
                     m->reached);
        if (m->at_most)
            kn_text_addz(text, ", summed over all classes that a person may be in");
        if (m->failing_rows)
            KN_FILL(text, ", and {}{}", kn_as_counted(m->failing_rows, "row"),
                    kn_as_is(m->failing_rows == 1 ? " is in classes that fail"
                                                  : " are in classes that fail"));
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
    KN_FILL(text,
            "if a missing value matched anything, k would be {}, with {}{}{} {} a missing "
            "quasi-identifier. The figures above count it as a distinct value.",
            kn_as_digits(w->k), kn_as_counted(w->uniques, "row"),
            kn_as_is(w->uniques == 1 ? " that matches no other; " : " that match no other; "),
            kn_as_counted(w->missing_rows, "row"), kn_as_is(w->missing_rows == 1 ? "has" : "have"));
    kn_plain_end(text, from, WIDTH, LABEL);
}

void
kn_check_text(kn_text *text, const kanon_check *c)
{
    kn_report_opening(text, &c->opening, WIDTH);
    if (!c->risk.rows)
        return;
    kn_text_addz(text, "\n");
    put_rows(text, c);
    put_histogram(text, c);
    put_sensitive(text, c);
    put_models(text, c);
    put_wildcard(text, c);
    kn_report_text_profile(text, &c->profile);
}
