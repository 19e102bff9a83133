/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c -- the rules of an expert: each looks at what the job found, and says what it means and what
 * to do. Thresholds stand with their reason. What is counted is told; what is estimated is told with
 * "about". */
#include "anonymize/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "anonymize/finder.h"
#include "base/fill.h"
#include "base/sort.h"
#include "init/starter.h"

enum {
    QUASI_FEW = 3,   /* up to that many, it is not the columns that are too many */
    KEPT_MOST = 60,  /* columns that a sentence names where each must be looked at */
    QUASI_MANY = 12, /* beyond that hardly two rows are near each other (Aggarwal 2005) */
    K_SMALL = 3      /* the least k that statistical offices use */
};

static const double NEARLY_UNIQUE = 0.2; /* different values per row */
static const double PERSONS_FEWER =
    0.9; /* different identifiers per row; a sketch errs by a few percent */

static const char *
is_are(size_t count)
{
    return count == 1 ? "is" : "are";
}

/* --- the settings --------------------------------------------------------------------------------- */

static void
find_small_k(kn_finder *f)
{
    if (f->r->k >= K_SMALL || !f->r->released_rows)
        return;
    kn_text_addf(&f->text,
                 f->r->k < 2
                     ? "k is %llu, which protects nobody"
                     : "k is %llu: anyone who recognises their own row can single out the other",
                 (unsigned long long) f->r->k);
    kn_finder_add(f, KN_FOUND_SMALL_K, NULL, (double) f->r->k);
}

static void
find_many_quasi(kn_finder *f)
{
    size_t count = kn_result_count_role(f->r, KN_ROLE_QUASI);

    if (count <= QUASI_MANY)
        return;
    kn_text_addf(&f->text,
                 "%zu quasi-identifiers: with so many columns almost everyone is unique, so nearly "
                 "everything must be generalized",
                 count);
    kn_finder_add(f, KN_FOUND_MANY_QUASI, NULL, (double) count);
}

static void
find_kept_order(kn_finder *f)
{
    if (!f->r->keep_order || !f->r->released_rows)
        return;
    kn_text_addz(&f->text, "The released rows are in the order of the table: anyone who knows that "
                           "order (by name, by date of entry) can tell whose rows they are");
    kn_finder_add(f, KN_FOUND_KEPT_ORDER, NULL, (double) NAN);
}

static bool
is_hidden(const kn_result_attribute *a)
{
    return a->role == KN_ROLE_IDENTIFIER || a->dropped;
}

/* --- persons -------------------------------------------------------------------------------------- */

static bool
is_counted_identifier(const kn_result_attribute *a)
{
    return a->role == KN_ROLE_IDENTIFIER && a->values_before != KN_NOT_COUNTED && a->values_before;
}

/* The identifier with the most values tells persons apart best; if even that repeats, people do. An amount or
 * a time may be an identifier too, and hides the number of a person that repeats: then the identifier with
 * the most values of those that repeat as such numbers do. */
static const kn_result_attribute *
find_person_column(const kanon_result *r)
{
    const kn_result_attribute *most = NULL, *best = NULL;

    for (size_t i = 0; i < r->nattributes; i++) {
        const kn_result_attribute *a = &r->attributes[i];

        if (!is_counted_identifier(a))
            continue;
        if (!most || a->values_before > most->values_before)
            most = a;
        if ((!best || a->values_before > best->values_before)
            && kn_repeats_like_persons(a->values_before, r->input_rows)
            && kn_may_tell_persons(kn_str_of(a->name)))
            best = a;
    }
    return most && (double) most->values_before <= PERSONS_FEWER * (double) r->input_rows ? most
                                                                                          : best;
}

static void
find_repeated_persons(kn_finder *f)
{
    const kanon_result        *r = f->r;
    const kn_result_attribute *column = find_person_column(r);

    if (kn_config_entity(f->job->problem.config) || r->input_rows < KN_FOUND_ROWS_LEAST || !column)
        return;
    KN_FILL(&f->text,
            "The identifier {} has about {} rows for each of its values: if it identifies persons, "
            "k counts rows, and a class of k rows may be a single person",
            kn_as_is(column->name),
            kn_as_fixed((double) r->input_rows / (double) column->values_before, 1));
    kn_finder_add(f, KN_FOUND_REPEATED_PERSONS, column->name,
                  (double) r->input_rows / (double) column->values_before);
}

/* --- columns that are released as they are -------------------------------------------------------- */

/* Does nothing protect it, whether somebody chose so or nobody chose a role? */
static bool
is_unprotected(const kn_result_attribute *a)
{
    return a->role == KN_ROLE_INSENSITIVE || (a->role == KN_ROLE_NONE && !a->dropped);
}

bool
kn_is_nearly_unique(const kanon_result *r, const kn_result_attribute *a)
{
    return is_unprotected(a) && r->input_rows >= KN_FOUND_ROWS_LEAST
        && a->values_before != KN_NOT_COUNTED
        && (double) a->values_before >= NEARLY_UNIQUE * (double) r->input_rows;
}

/* Somebody said that they may go, not that anybody looked at them. */
static void
find_without_role(kn_finder *f)
{
    size_t count = 0;

    for (size_t i = 0; i < f->r->nattributes; i++)
        if (f->r->attributes[i].role == KN_ROLE_NONE && !f->r->attributes[i].dropped)
            f->names[count++] = f->r->attributes[i].name;
    if (!count)
        return;
    kn_finder_put_names(f, f->names, count, KEPT_MOST);
    kn_text_addf(&f->text, " ha%s no role and %s released unchanged, as --others keep says",
                 count == 1 ? "s" : "ve", is_are(count));
    kn_finder_add(f, KN_FOUND_NO_ROLE, count == 1 ? f->names[0] : NULL, (double) count);
}

/* Each class has k rows, but who knows several rows of a person looks for one in all their classes. */
static void
find_linked_rows(kn_finder *f)
{
    const kn_job  *job = f->job;
    kn_link_counts counts;

    if (!job->links || f->rc < 0)
        return;
    f->rc = kn_links_count(job->links, job->problem.privacy.k, &counts);
    if (f->rc < 0 || !counts.rare)
        return;
    kn_text_addz(&f->text, job->pseudonyms.columns[0].name);
    f->named = f->text.len;
    kn_text_addz(&f->text, " links the rows of a person: ");
    kn_plain_count(&f->text, counts.rare);
    kn_text_addz(&f->text, " of ");
    kn_plain_counted(&f->text, counts.persons, "person");
    kn_text_addf(&f->text,
                 " have several rows, in classes that the rows of fewer than k = %llu persons are "
                 "in together: anyone who knows the quasi-identifiers of several rows of such a "
                 "person has fewer than k candidates, and learns all their rows",
                 (unsigned long long) job->problem.privacy.k);
    kn_finder_add(f, KN_FOUND_LINKED_ROWS, job->pseudonyms.columns[0].name, (double) counts.rare);
}

static void
find_nearly_unique(kn_finder *f)
{
    size_t count = 0;

    for (size_t i = 0; i < f->r->nattributes; i++)
        if (kn_is_nearly_unique(f->r, &f->r->attributes[i]))
            f->names[count++] = f->r->attributes[i].name;
    if (!count)
        return;
    kn_finder_put_names(f, f->names, count, KN_FOUND_NAMED_MOST);
    kn_text_addf(&f->text,
                 " %s released unchanged, with a distinct value for every five rows or fewer: many "
                 "rows have a value of their own, and anyone who knows the value finds the person",
                 is_are(count));
    kn_finder_add(f, KN_FOUND_NEARLY_UNIQUE, count == 1 ? f->names[0] : NULL, (double) count);
}

/* --- numbers far from all others ------------------------------------------------------------------ */

/* Values of a sensitive column, one for each value and not for each row: as many as its dictionary has. */
static kanon_status
far_sensitive(const kn_job *job, size_t column, bool *found)
{
    const kn_learned_column *c = &job->problem.learned
                                      ->columns[job->problem.learned->nquasi + column];
    size_t     count = 0, n = kn_dict_count(c->dict);
    double    *x = KN_NEW_ARRAY(job->ctx, double, n), low, high;
    kn_decimal value;

    *found = false;
    if (!x)
        return KANON_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (i != c->missing && kn_decimal_parse(kn_dict_value(c->dict, i), &value))
            x[count++] = kn_decimal_double(value);
    kn_sort_double(x, count);
    if (count >= n - n / 20 && kn_release_watch_fences(x, count, &low, &high))
        *found = x[0] < low || x[count - 1] > high;
    kn_free(job->ctx, x);
    return KANON_OK;
}

static void
find_outliers(kn_finder *f)
{
    const kn_learned *learned = f->job->problem.learned;
    size_t            count = 0;

    for (size_t i = 0; i < kn_release_watch_count(f->job->watch); i++) {
        kn_watched seen = kn_release_watch_at(f->job->watch, i);
        uint32_t   far = seen.far_high + seen.far_low;

        if (far && far < KN_WATCH_FAR)
            f->names[count++] = f->r->attributes[seen.position].name;
    }
    for (size_t s = 0; s < f->job->problem.nlabels && f->rc == KANON_OK; s++) {
        bool found;

        f->rc = far_sensitive(f->job, s, &found);
        if (found)
            f->names[count++] = f->r->attributes[learned->columns[learned->nquasi + s].position]
                                    .name;
    }
    if (!count || f->rc < 0)
        return;
    kn_finder_put_names(f, f->names, count, KN_FOUND_NAMED_MOST);
    kn_text_addf(&f->text,
                 " %s released unchanged and contain%s a few numbers far from all others: anyone "
                 "who has heard of a very high or low one recognises it",
                 is_are(count), count == 1 ? "s" : "");
    kn_finder_add(f, KN_FOUND_OUTLIERS, count == 1 ? f->names[0] : NULL, (double) count);
}

/* --- sensitive columns ---------------------------------------------------------------------------- */

/* Then --alpha is advised for that. */
static bool
any_homogeneous(const kanon_result *r)
{
    for (size_t i = 0; i < r->nsensitive; i++)
        if (r->sensitive[i].homogeneous_rows)
            return true;
    return false;
}

static void
find_homogeneous(kn_finder *f)
{
    const kanon_result *r = f->r;

    for (size_t i = 0; i < r->nsensitive; i++) {
        const kn_sensitive_result *s = &r->sensitive[i];

        if (!s->homogeneous_rows)
            continue;
        KN_FILL(&f->text,
                "{}: {} {} in a class where all have the same value: anyone who knows a person is "
                "in that class learns the value",
                kn_as_is(s->name), kn_as_counted(s->homogeneous_rows, "row"),
                kn_as_is(s->homogeneous_rows == 1 ? "is" : "are"));
        kn_advise_alpha(r, &f->remedy);
        kn_finder_add(f, KN_FOUND_HOMOGENEOUS, s->name, (double) s->homogeneous_rows);
    }
}

static void
find_only_k(kn_finder *f)
{
    const kanon_result *r = f->r;

    if (!r->nsensitive) {
        kn_text_addz(&f->text, "No column has the role \"sensitive\", so nothing is known about "
                               "classes in which everyone shares one sensitive value");
        kn_finder_add(f, KN_FOUND_NO_SENSITIVE, NULL, (double) NAN);
        return;
    }
    if (kn_result_guards_values(r) || any_homogeneous(r))
        return;
    kn_advise_alpha(r, &f->remedy);
    kn_text_addz(&f->remedy, "; or accept that values may be inferred");
    kn_text_addz(&f->text,
                 "Only k-anonymity was required, although there are sensitive columns: it hides "
                 "which row is whose, not what the rows of a class have in common");
    kn_finder_add(f, KN_FOUND_ONLY_K, NULL, (double) NAN);
}

/* People who may choose a k for their row choose a large one where they have something to fear. */
static void
find_shown_k(kn_finder *f)
{
    const char *column = NULL;

    for (size_t i = 0; i < f->r->nmodels; i++)
        if (f->r->models[i].class->guards == KN_GUARDS_ROWS)
            column = f->r->models[i].column;
    for (size_t i = 0; column && i < f->r->nattributes; i++) {
        const kn_result_attribute *a = &f->r->attributes[i];

        if (strcmp(a->name, column) != 0 || is_hidden(a))
            continue;
        kn_text_addf(&f->text,
                     "%s, the k of each row, is released: it reveals who asked for more protection "
                     "than others",
                     a->name);
        kn_finder_add(f, KN_FOUND_SHOWN_K, a->name, (double) NAN);
    }
}

/* Whoever knows a person's number finds all rows of that person, whatever the quasi-identifiers say. */
static void
find_shown_persons(kn_finder *f)
{
    const char *column = kn_config_entity(f->job->problem.config);

    for (size_t i = 0; column && i < f->r->nattributes; i++) {
        const kn_result_attribute *a = &f->r->attributes[i];

        if (strcmp(a->name, column) != 0 || is_hidden(a))
            continue;
        kn_text_addf(&f->text,
                     "%s, which identifies persons, is released: it links the rows of a person, "
                     "and anyone who knows it finds them",
                     a->name);
        kn_finder_add(f, KN_FOUND_SHOWN_PERSONS, a->name, (double) NAN);
    }
}

static void
find_spellings(kn_finder *f)
{
    const kn_problem *p = &f->job->problem;
    const char       *entity = kn_config_entity(p->config);

    for (size_t s = 0; s < p->learned->nsensitive; s++) {
        size_t       position = p->learned->columns[p->learned->nquasi + s].position;
        const char  *column = f->r->attributes[position].name;
        kn_spellings found = p->models.spellings[s];

        if (!found.values)
            continue;
        KN_FILL(&f->text,
                "{}: {}{} values differ from another one only in blanks, in case or in the format "
                "of a number or date, and each counts as distinct: {}",
                kn_as_is(column), kn_as_is(found.sample ? "at least " : ""),
                kn_as_count(found.values),
                kn_as_is(entity && strcmp(column, entity) == 0
                             ? "a class of k may be fewer persons"
                             : "a class with one value in several spellings passes as one with "
                               "several values"));
        kn_finder_add(f, KN_FOUND_SPELLINGS, column, (double) found.values);
    }
}

/* --- suppression ---------------------------------------------------------------------------------- */

static void
find_uneven(kn_finder *f)
{
    size_t count = 0, groups = 0;

    for (size_t i = 0; i < f->r->nattributes; i++) {
        const kn_portrait *p = f->r->attributes[i].portrait;
        size_t             flagged = 0;

        for (size_t b = 0; p && b < p->who.count; b++)
            flagged += p->who.of[b].flagged;
        groups += flagged;
        if (flagged)
            f->names[count++] = f->r->attributes[i].name;
    }
    if (!groups)
        return;
    kn_text_addf(&f->text, "%zu group%s of ", groups, groups == 1 ? "" : "s");
    kn_finder_put_names(f, f->names, count, KN_FOUND_NAMED_MOST);
    kn_text_addz(&f->text, " lost more than twice the usual share of their rows: users of the "
                           "release see them less often than they occur");
    kn_finder_add(f, KN_FOUND_UNEVEN_SUPPRESSION, count == 1 ? f->names[0] : NULL, (double) groups);
}

/* Allowed, and surely not meant. */
static void
find_empty(kn_finder *f)
{
    const kanon_result *r = f->r;

    if (r->outcome == KANON_INFEASIBLE || r->released_rows || !r->input_rows)
        return;
    KN_FILL(&f->text,
            "The release contains no row of the table: all {}{}, and the suppression limit of {} "
            "allows that",
            kn_as_count(r->input_rows),
            kn_as_is(r->masked_rows ? " rows are masked, with * in every quasi-identifier"
                                    : " rows were suppressed"),
            kn_as_percent(r->suppression));
    kn_finder_add(f, KN_FOUND_EMPTY_RELEASE, NULL, (double) NAN);
}

/* The search has chosen them already: a release of these alone has the same levels, and no column of *. */
static size_t
list_left(const kanon_result *r, const char **names)
{
    size_t count = 0;

    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].role == KN_ROLE_QUASI && !kn_result_gone(r, &r->attributes[i]))
            names[count++] = r->attributes[i].name;
    return count;
}

/* With many columns few rows are alike; or a model, or k, asks for too much. */
static void
find_mostly_hidden(kn_finder *f)
{
    const kanon_result *r = f->r;
    double              hidden = kn_result_hidden(r);
    size_t              quasi = kn_result_count_role(r, KN_ROLE_QUASI), left;

    if (!r->released_rows || !(hidden > KN_WORTHLESS))
        return;
    left = r->verdict.sets.count ? 0 : list_left(r, f->names);
    if (r->verdict.sets.count)
        kn_text_addz(&f->remedy,
                     "keep one of the sets of columns that the headline names and make the other "
                     "quasi-identifiers \"identifier\"; `kanon explain` tells what each "
                     "column keeps");
    if (left && left < quasi) {
        kn_text_addz(&f->text, "keep only ");
        kn_finder_put_names(f, f->names, left, KN_FOUND_NAMED_MOST);
        kn_text_addz(&f->text, ", of which something is left, and make the other quasi-identifiers "
                               "\"identifier\"; `kanon explain` tells what each one costs");
        kn_text_add(&f->remedy, (kn_str){ f->text.ptr, f->text.len });
        f->text.len = f->named = 0;
    }
    if (r->nmodels)
        kn_text_addf(&f->text, "k = %llu and the privacy models are too much for ",
                     (unsigned long long) r->k);
    else if (quasi > QUASI_FEW)
        kn_text_addf(&f->text, "%zu quasi-identifiers are too many for ", quasi);
    else
        kn_text_addf(&f->text, "k = %llu is too much for ", (unsigned long long) r->k);
    KN_FILL(&f->text, "{}{}{} of their cells are * or lost", kn_as_counted(r->input_rows, "row"),
            kn_as_is(!r->nmodels && quasi > QUASI_FEW ? ": " : " and these hierarchies: "),
            kn_as_percent(hidden));
    kn_finder_add(f, KN_FOUND_MOSTLY_HIDDEN, NULL, hidden);
}

/* --- what holds for every release of its kind ----------------------------------------------------- */

/* With snap off, or one value for a class, column by column: how much of what the release hides stands in it
 * as an end or as that value. */
static void
find_exact_ends(kn_finder *f)
{
    const kn_job      *job = f->job;
    const kn_learned  *learned = job->problem.learned;
    const kn_recoding *recoding = job->recoding;
    bool values = !f->r->full_domain && job->problem.config->local != KN_LOCAL_INTERVAL;

    if (!recoding || (!values && f->r->snap != KN_SNAP_OFF))
        return;
    for (size_t i = 0; i < learned->nquasi; i++) {
        const char  *name = f->r->attributes[learned->columns[i].position].name;
        kn_end_share e;
        kanon_status rc = recoding->class->exposure(recoding, &job->grouping, i, &e);

        f->rc = f->rc < 0 ? f->rc : rc;
        if (rc < 0 || !e.shown)
            continue;
        if (values)
            KN_FILL(
                &f->text,
                "Classes show original values of \"{}\": of those that they hide, {} are printed "
                "and held by fewer than k = {} rows",
                kn_as_is(name), kn_as_percent(kn_share(e.shown, e.hidden)), kn_as_count(f->r->k));
        else
            KN_FILL(&f->text,
                    "{} of \"{}\" end at original values: of the values that they hide, {} are "
                    "printed as an end",
                    kn_as_is(f->r->full_domain ? "Labels" : "Intervals"), kn_as_is(name),
                    kn_as_percent(kn_share(e.shown, e.hidden)));
        kn_finder_add(f, values ? KN_FOUND_EXACT_VALUES : KN_FOUND_EXACT_INTERVALS, name,
                      (double) e.shown / (double) e.hidden);
    }
}

static void
find_local(kn_finder *f)
{
    const kanon_result *r = f->r;

    if (r->full_domain)
        return;
    kn_text_addz(&f->text, "Local recoding makes every class as narrow as possible, which itself "
                           "discloses something: from the shape of the classes, some values can be "
                           "inferred more precisely than they are shown (downcoding, Cohen 2022)");
    kn_finder_add(f, KN_FOUND_DOWNCODING, NULL, (double) NAN);
}

static void
find_minimal(kn_finder *f)
{
    if (!f->r->full_domain || !kn_result_guards_values(f->r))
        return;
    kn_text_addz(&f->text,
                 "The release is no coarser than its models require: anyone who knows the table's "
                 "quasi-identifiers, the models and the algorithm can infer from a coarse level "
                 "that a finer one failed, and for whom (minimality attack, Wong 2007)");
    kn_finder_add(f, KN_FOUND_MINIMALITY, NULL, (double) NAN);
}

static void
find_other_releases(kn_finder *f)
{
    kn_text_addz(
        &f->text,
        "This release is protected only by itself: combined with an earlier or later release about "
        "the same people, classes can be intersected until a person is alone");
    kn_finder_add(f, KN_FOUND_OTHER_RELEASES, NULL, (double) NAN);
}

/* --- all of them ---------------------------------------------------------------------------------- */

static void
find_in_release(kn_finder *f)
{
    find_small_k(f);
    find_without_role(f);
    find_linked_rows(f);
    find_nearly_unique(f);
    find_homogeneous(f);
    find_only_k(f);
    find_shown_k(f);
    find_shown_persons(f);
    find_spellings(f);
    find_outliers(f);
    find_kept_order(f);
    find_uneven(f);
    find_exact_ends(f);
    find_local(f);
    find_minimal(f);
    find_other_releases(f);
}

kanon_status
kn_job_find(const kn_job *job, kanon_result *r)
{
    kanon_status rc, closed;
    kn_finder    f;

    rc = kn_finder_open(&f, job, r);
    if (rc == KANON_OK) {
        find_empty(&f);
        find_mostly_hidden(&f);
        find_many_quasi(&f);
        find_repeated_persons(&f);
        if (r->released_rows)
            find_in_release(&f);
    }
    closed = kn_finder_close(&f);
    return rc < 0 ? rc : closed;
}
