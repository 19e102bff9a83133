/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c -- the rules of an expert: each looks at what the job found, and says what it means and what
 * to do. Thresholds stand with their reason. What is counted is told; what is estimated is told with
 * "about". */
#include "anonymize/findings.h"

#include <math.h>
#include <stdlib.h>

#include "base/plain.h"
#include "base/sort.h"
#include "init/starter.h"

enum {
    FINDINGS_MOST = 64,
    NAMED_MOST = 6,  /* columns that one sentence names */
    QUASI_MANY = 12, /* beyond that hardly two rows are near each other (Aggarwal 2005) */
    K_SMALL = 3,     /* the least k that statistical offices use */
    ROWS_LEAST = 20  /* of fewer rows nothing is concluded */
};

static const double NEARLY_UNIQUE = 0.2; /* different values per row */
static const double SINGLED_OUT = 0.1;   /* share of rows alone with their value in their class */
static const double PERSONS_FEWER =
    0.9; /* different identifiers per row; a sketch errs by a few percent */

typedef struct finder {
    const kn_job *job;
    kanon_result *r;
    kn_text       text; /* of the finding that is being written */
    kanon_status  rc;
} finder;

/* --- writing -------------------------------------------------------------------------------------- */

/* What is in the text becomes a finding. */
static void
add(finder *f, kn_finding_code code, const char *column, double figure)
{
    kanon_status rc = kn_text_status(&f->text);

    if (f->rc == KANON_OK && rc == KANON_OK && f->r->findings.count < FINDINGS_MOST)
        rc = kn_findings_add(&f->r->findings, &f->r->arena,
                             (kn_finding){ .code = code,
                                           .place = column ? kn_at_column(column) : KN_AT_JOB,
                                           .what = f->text.ptr,
                                           .figure = figure });
    f->rc = f->rc < 0 ? f->rc : rc;
    f->text.len = 0;
}

/* "age", "age and sex", "age, sex and 3 more" */
static void
put_names(finder *f, const char *const *names, size_t count)
{
    size_t shown = count > NAMED_MOST ? NAMED_MOST - 1 : count;

    for (size_t i = 0; i < shown; i++) {
        kn_text_addz(&f->text, i == 0 ? "" : i + 1 == count ? " and " : ", ");
        kn_text_addz(&f->text, names[i]);
    }
    if (shown < count)
        kn_text_addf(&f->text, " and %zu more columns", count - shown);
}

static const char *
is_are(size_t count)
{
    return count == 1 ? "is" : "are";
}

/* --- the settings --------------------------------------------------------------------------------- */

static void
find_small_k(finder *f)
{
    if (f->r->k >= K_SMALL || !f->r->released_rows)
        return;
    kn_text_addf(&f->text,
                 f->r->k < 2
                     ? "k is %llu, which protects nobody"
                     : "k is %llu: anyone who recognises their own row can single out the other",
                 (unsigned long long) f->r->k);
    add(f, KN_FOUND_SMALL_K, NULL, (double) f->r->k);
}

static void
find_many_quasi(finder *f)
{
    size_t count = kn_result_count_role(f->r, KN_ROLE_QUASI);

    if (count <= QUASI_MANY)
        return;
    kn_text_addf(&f->text,
                 "%zu quasi-identifiers: with so many columns almost everyone is unique, so nearly "
                 "everything must be generalized",
                 count);
    add(f, KN_FOUND_MANY_QUASI, NULL, (double) count);
}

static void
find_kept_order(finder *f)
{
    if (!f->r->keep_order || !f->r->released_rows)
        return;
    kn_text_addz(&f->text, "The released rows are in the order of the table: anyone who knows that "
                           "order (by name, by date of entry) can tell whose rows they are");
    add(f, KN_FOUND_KEPT_ORDER, NULL, (double) NAN);
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
find_repeated_persons(finder *f)
{
    const kanon_result        *r = f->r;
    const kn_result_attribute *column = find_person_column(r);

    if (kn_config_entity(f->job->problem.config) || r->input_rows < ROWS_LEAST || !column)
        return;
    kn_text_addf(&f->text, "The identifier %s has about ", column->name);
    kn_plain_fixed(&f->text, (double) r->input_rows / (double) column->values_before, 1);
    kn_text_addz(&f->text, " rows for each of its values: if it identifies persons, k counts rows, "
                           "and a class of k rows may be a single person");
    add(f, KN_FOUND_REPEATED_PERSONS, column->name,
        (double) r->input_rows / (double) column->values_before);
}

/* --- columns that are released as they are -------------------------------------------------------- */

/* Did nobody choose its role? */
static bool
is_unprotected(const kn_result_attribute *a)
{
    return a->role == KN_ROLE_INSENSITIVE;
}

static bool
is_nearly_unique(const kanon_result *r, const kn_result_attribute *a)
{
    return is_unprotected(a) && r->input_rows >= ROWS_LEAST && a->values_before != KN_NOT_COUNTED
        && (double) a->values_before >= NEARLY_UNIQUE * (double) r->input_rows;
}

static void
find_nearly_unique(finder *f, const char **names)
{
    size_t count = 0;

    for (size_t i = 0; i < f->r->nattributes; i++)
        if (is_nearly_unique(f->r, &f->r->attributes[i]))
            names[count++] = f->r->attributes[i].name;
    if (!count)
        return;
    put_names(f, names, count);
    kn_text_addf(&f->text,
                 " %s released unchanged, with a distinct value for every five rows or fewer: many "
                 "rows have a value of their own, and anyone who knows the value finds the person",
                 is_are(count));
    add(f, KN_FOUND_NEARLY_UNIQUE, count == 1 ? names[0] : NULL, (double) count);
}

/* Alone in a class of k with a value that others may know is alone in the release. */
static void
find_singled_out(finder *f, const char **names)
{
    size_t count = 0;
    double most = 0;
    bool   exact = true;

    for (size_t i = 0; i < kn_release_watch_count(f->job->watch); i++) {
        kn_watched                 seen = kn_release_watch_at(f->job->watch, i);
        const kn_result_attribute *a = &f->r->attributes[seen.position];
        double                     share = seen.rows ? seen.alone / (double) seen.rows : 0;

        if (seen.rows < ROWS_LEAST || share < SINGLED_OUT || is_nearly_unique(f->r, a))
            continue;
        names[count++] = a->name;
        exact = share > most ? seen.exact : exact;
        most = share > most ? share : most;
    }
    if (!count)
        return;
    put_names(f, names, count);
    kn_text_addf(&f->text, " %s released unchanged: %s", is_are(count), exact ? "" : "about ");
    kn_text_addf(&f->text,
                 "%.0f %% of the rows have a value%s that is unique in their class, so anyone who "
                 "knows it and the quasi-identifiers finds the row",
                 100 * most, count == 1 ? "" : " there (in the worst of them)");
    add(f, KN_FOUND_SINGLES_OUT, count == 1 ? names[0] : NULL, most);
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
find_outliers(finder *f, const char **names)
{
    const kn_learned *learned = f->job->problem.learned;
    size_t            count = 0;

    for (size_t i = 0; i < kn_release_watch_count(f->job->watch); i++) {
        kn_watched seen = kn_release_watch_at(f->job->watch, i);
        uint32_t   far = seen.far_high + seen.far_low;

        if (far && far < KN_WATCH_FAR)
            names[count++] = f->r->attributes[seen.position].name;
    }
    for (size_t s = 0; s < f->job->problem.nlabels && f->rc == KANON_OK; s++) {
        bool found;

        f->rc = far_sensitive(f->job, s, &found);
        if (found)
            names[count++] = f->r->attributes[learned->columns[learned->nquasi + s].position].name;
    }
    if (!count || f->rc < 0)
        return;
    put_names(f, names, count);
    kn_text_addf(&f->text,
                 " %s released unchanged and contain%s a few numbers far from all others: anyone "
                 "who has heard of a very high or low one recognises it",
                 is_are(count), count == 1 ? "s" : "");
    add(f, KN_FOUND_OUTLIERS, count == 1 ? names[0] : NULL, (double) count);
}

/* --- sensitive columns ---------------------------------------------------------------------------- */

static void
find_homogeneous(finder *f)
{
    const kanon_result *r = f->r;

    for (size_t i = 0; i < r->nsensitive; i++) {
        const kn_sensitive_result *s = &r->sensitive[i];

        if (!s->homogeneous_rows)
            continue;
        kn_text_addf(&f->text, "%s: ", s->name);
        kn_plain_counted(&f->text, s->homogeneous_rows, "row");
        kn_text_addf(&f->text,
                     " %s in a class where all have the same value: anyone who knows a person is "
                     "in that class learns the value",
                     s->homogeneous_rows == 1 ? "is" : "are");
        add(f, KN_FOUND_HOMOGENEOUS, s->name, (double) s->homogeneous_rows);
    }
}

/* Then the warning has been given, with the same thing to do. */
static bool
any_homogeneous(const kanon_result *r)
{
    for (size_t i = 0; i < r->nsensitive; i++)
        if (r->sensitive[i].homogeneous_rows)
            return true;
    return false;
}

static void
find_only_k(finder *f)
{
    const kanon_result *r = f->r;

    if (!r->nsensitive) {
        kn_text_addz(&f->text, "No column has the role \"sensitive\", so nothing is known about "
                               "classes in which everyone shares one sensitive value");
        add(f, KN_FOUND_NO_SENSITIVE, NULL, (double) NAN);
        return;
    }
    if (kn_result_guards_values(r) || any_homogeneous(r))
        return;
    kn_text_addz(&f->text,
                 "Only k-anonymity was required, although there are sensitive columns: it hides "
                 "which row is whose, not what the rows of a class have in common");
    add(f, KN_FOUND_ONLY_K, NULL, (double) NAN);
}

/* Who may choose a k for his row chooses a large one where he has something to fear. */
static void
find_shown_k(finder *f)
{
    const char *column = NULL;

    for (size_t i = 0; i < f->r->nmodels; i++)
        if (f->r->models[i].class->guards == KN_GUARDS_ROWS)
            column = f->r->models[i].column;
    for (size_t i = 0; column && i < f->r->nattributes; i++) {
        const kn_result_attribute *a = &f->r->attributes[i];

        if (strcmp(a->name, column) != 0 || a->role == KN_ROLE_IDENTIFIER)
            continue;
        kn_text_addf(&f->text,
                     "%s, the k of each row, is released: it reveals who asked for more protection "
                     "than others",
                     a->name);
        add(f, KN_FOUND_SHOWN_K, a->name, (double) NAN);
    }
}

/* Whoever knows a person's number finds all rows of that person, whatever the quasi-identifiers say. */
static void
find_shown_persons(finder *f)
{
    const char *column = kn_config_entity(f->job->problem.config);

    for (size_t i = 0; column && i < f->r->nattributes; i++) {
        const kn_result_attribute *a = &f->r->attributes[i];

        if (strcmp(a->name, column) != 0 || a->role == KN_ROLE_IDENTIFIER)
            continue;
        kn_text_addf(&f->text,
                     "%s, which identifies persons, is released: it links the rows of a person, "
                     "and anyone who knows it finds them",
                     a->name);
        add(f, KN_FOUND_SHOWN_PERSONS, a->name, (double) NAN);
    }
}

static void
find_spellings(finder *f)
{
    const kn_problem *p = &f->job->problem;
    const char       *entity = kn_config_entity(p->config);

    for (size_t s = 0; s < p->learned->nsensitive; s++) {
        size_t       position = p->learned->columns[p->learned->nquasi + s].position;
        const char  *column = f->r->attributes[position].name;
        kn_spellings found = p->models.spellings[s];

        if (!found.values)
            continue;
        kn_text_addf(&f->text, "%s: %s", column, found.sample ? "at least " : "");
        kn_plain_count(&f->text, found.values);
        kn_text_addf(
            &f->text,
            " values differ from another one only in blanks, in case or in the format of a number "
            "or date, and each counts as distinct: %s",
            entity && strcmp(column, entity) == 0
                ? "a class of k may be fewer persons"
                : "a class with one value in several spellings passes as one with several values");
        add(f, KN_FOUND_SPELLINGS, column, (double) found.values);
    }
}

/* --- suppression ---------------------------------------------------------------------------------- */

static void
find_uneven(finder *f, const char **names)
{
    size_t count = 0, groups = 0;

    for (size_t i = 0; i < f->r->nattributes; i++) {
        const kn_portrait *p = f->r->attributes[i].portrait;
        size_t             flagged = 0;

        for (size_t b = 0; p && b < p->who.count; b++)
            flagged += p->who.of[b].flagged;
        groups += flagged;
        if (flagged)
            names[count++] = f->r->attributes[i].name;
    }
    if (!groups)
        return;
    kn_text_addf(&f->text, "%zu group%s of ", groups, groups == 1 ? "" : "s");
    put_names(f, names, count);
    kn_text_addz(&f->text, " lost more than twice the usual share of their rows: users of the "
                           "release see them less often than they occur");
    add(f, KN_FOUND_UNEVEN_SUPPRESSION, count == 1 ? names[0] : NULL, (double) groups);
}

/* Allowed, and surely not meant. */
static void
find_empty(finder *f)
{
    const kanon_result *r = f->r;

    if (r->outcome == KANON_INFEASIBLE || r->released_rows || !r->input_rows)
        return;
    kn_text_addz(&f->text, "The release contains no row of the table: all ");
    kn_plain_count(&f->text, r->input_rows);
    kn_text_addz(&f->text, r->masked_rows ? " rows are masked, with * in every quasi-identifier"
                                          : " rows were suppressed");
    kn_text_addz(&f->text, ", and the suppression limit of ");
    kn_plain_percent(&f->text, r->suppression);
    kn_text_addz(&f->text, " allows that");
    kn_warn(r->ctx, KN_FOUND_EMPTY_RELEASE, KN_AT_JOB,
            "every row was suppressed, so the release contains none");
    add(f, KN_FOUND_EMPTY_RELEASE, NULL, (double) NAN);
}

/* --- what holds for every release of its kind ----------------------------------------------------- */

static void
find_local(finder *f)
{
    const kanon_result *r = f->r;

    if (r->full_domain)
        return;
    if (r->snap == KN_SNAP_OFF && r->local == KN_LOCAL_INTERVAL) {
        kn_text_addz(&f->text, "The intervals of a class end at original values of that class");
        add(f, KN_FOUND_EXACT_INTERVALS, NULL, (double) NAN);
    }
    kn_text_addz(&f->text, "Local recoding makes every class as narrow as possible, which itself "
                           "discloses something: from the shape of the classes, some values can be "
                           "inferred more precisely than they are shown (downcoding, Cohen 2022)");
    add(f, KN_FOUND_DOWNCODING, NULL, (double) NAN);
}

static void
find_minimal(finder *f)
{
    if (!f->r->full_domain || !kn_result_guards_values(f->r))
        return;
    kn_text_addz(&f->text,
                 "The release is no coarser than its models require: anyone who knows the table's "
                 "quasi-identifiers, the models and the algorithm can infer from a coarse level "
                 "that a finer one failed, and for whom (minimality attack, Wong 2007)");
    add(f, KN_FOUND_MINIMALITY, NULL, (double) NAN);
}

static void
find_other_releases(finder *f)
{
    kn_text_addz(
        &f->text,
        "This release is protected only by itself: combined with an earlier or later release about "
        "the same people, classes can be intersected until a person is alone");
    add(f, KN_FOUND_OTHER_RELEASES, NULL, (double) NAN);
}

/* --- all of them ---------------------------------------------------------------------------------- */

static void
find_in_release(finder *f, const char **names)
{
    find_small_k(f);
    find_nearly_unique(f, names);
    find_singled_out(f, names);
    find_homogeneous(f);
    find_only_k(f);
    find_shown_k(f);
    find_shown_persons(f);
    find_spellings(f);
    find_outliers(f, names);
    find_kept_order(f);
    find_uneven(f, names);
    find_local(f);
    find_minimal(f);
    find_other_releases(f);
}

kanon_status
kn_job_find(const kn_job *job, kanon_result *r)
{
    finder       f = { .job = job, .r = r, .rc = KANON_OK };
    const char **names = kn_alloc_array(r->ctx, r->nattributes + 1, sizeof *names);

    if (!names)
        return KANON_E_NOMEM;
    kn_text_init(&f.text, r->ctx);
    find_empty(&f);
    find_many_quasi(&f);
    find_repeated_persons(&f);
    if (r->released_rows)
        find_in_release(&f, names);
    kn_text_fini(&f.text);
    kn_free(r->ctx, (void *) names);
    return f.rc;
}
