/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.c -- the verdict on a release. Its sentences name columns and counts, never a value. What it
 * promises and does not promise may be told outside: no column is named that the release does not have. */
#include <math.h>

#include "base/fill.h"
#include "result/public.h"
#include "result/result.h"

enum {
    NAMES_MOST = 4,     /* columns that a line names */
    SET_NAMES_MOST = 8, /* ... that it names of a set to choose */
    SETS_MOST = 3       /* sets to choose from */
};

typedef struct writer {
    kn_opening_writer base;
    kanon_result     *r;
} writer;

/* --- columns -------------------------------------------------------------------------------------- */

typedef bool (*column_test)(const kanon_result *r, const kn_result_attribute *a);

static size_t
count_columns(const kanon_result *r, column_test test)
{
    size_t count = 0;

    for (size_t i = 0; i < r->nattributes; i++)
        count += test(r, &r->attributes[i]);
    return count;
}

/* The name of column `at` of so many: "age", "age and sex", "age, sex, zip and 3 more" */
static void
put_column(writer *w, const char *name, size_t at, size_t count)
{
    if (kn_plain_item(&w->base.text, at, count, NAMES_MOST))
        kn_plain_name(&w->base.text, name, 0);
}

static void
put_columns(writer *w, column_test test)
{
    const kanon_result *r = w->r;
    size_t              count = count_columns(r, test), named = 0;

    for (size_t i = 0; i < r->nattributes; i++)
        if (test(r, &r->attributes[i]))
            put_column(w, r->attributes[i].name, named++, count);
}

static bool
is_quasi(const kanon_result *r, const kn_result_attribute *a)
{
    (void) r;
    return a->role == KN_ROLE_QUASI;
}

static bool
is_unchanged(const kanon_result *r, const kn_result_attribute *a)
{
    (void) r;
    return a->role == KN_ROLE_INSENSITIVE && !a->coding;
}

static bool
is_pseudonym(const kanon_result *r, const kn_result_attribute *a)
{
    (void) r;
    return a->role == KN_ROLE_IDENTIFIER && a->coding;
}

static bool
is_rounded(const kanon_result *r, const kn_result_attribute *a)
{
    (void) r;
    return a->role == KN_ROLE_INSENSITIVE && a->coding;
}

static bool
is_without_role(const kanon_result *r, const kn_result_attribute *a)
{
    (void) r;
    return a->role == KN_ROLE_NONE && !a->dropped;
}

/* --- what is left --------------------------------------------------------------------------------- */

bool
kn_result_gone(const kanon_result *r, const kn_result_attribute *a)
{
    return a->role == KN_ROLE_QUASI && r->outcome != KANON_INFEASIBLE
        && (kn_result_at_top(r, a) || a->loss.glm > 1 - 1e-9
            || (r->released_rows && a->hidden_rows == r->released_rows));
}

/* Gone, and shown as * in every row. */
static bool
became_star(const kanon_result *r, const kn_result_attribute *a)
{
    return kn_result_gone(r, a) && a->hidden_rows == r->released_rows;
}

/* Gone, but not written as *: a year that all rows share, a range as wide as the column. */
static bool
became_single(const kanon_result *r, const kn_result_attribute *a)
{
    return kn_result_gone(r, a) && !became_star(r, a);
}

double
kn_result_hidden(const kanon_result *r)
{
    size_t quasi = kn_result_count_role(r, KN_ROLE_QUASI);
    double cells = (double) quasi * (double) r->input_rows, hidden = 0;

    if (r->outcome == KANON_INFEASIBLE || cells <= 0)
        return (double) NAN;
    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].role == KN_ROLE_QUASI)
            hidden += (double) r->suppressed_rows
                    + (double) (kn_result_gone(r, &r->attributes[i])
                                    ? r->released_rows
                                    : r->attributes[i].hidden_rows);
    return hidden / cells;
}

static void
put_lost_rows(writer *w)
{
    const kanon_result *r = w->r;
    kn_text            *t = &w->base.text;

    kn_opening_part(&w->base);
    if (!r->suppressed_rows) {
        kn_text_addz(t, "no row lost");
        return;
    }
    KN_FILL(t, "{} of {} lost ({})", kn_as_count(r->suppressed_rows),
            kn_as_counted(r->input_rows, "row"),
            kn_as_percent(kn_share(r->suppressed_rows, r->input_rows)));
    if (r->masked_rows)
        kn_text_addz(t, ", in the file with * in every quasi-identifier");
}

/* "visit became one single value"; many: "7 columns became *: age, ..." */
static void
put_gone(writer *w, column_test test, const char *what)
{
    size_t count = count_columns(w->r, test);

    if (!count)
        return;
    kn_opening_part(&w->base);
    if (count > NAMES_MOST)
        kn_text_addf(&w->base.text, "%zu columns became %s: ", count, what);
    put_columns(w, test);
    if (count <= NAMES_MOST)
        kn_text_addf(&w->base.text, " became %s", what);
}

static void
put_left(writer *w)
{
    const kanon_result *r = w->r;
    kn_text            *t = &w->base.text;
    size_t              quasi = kn_result_count_role(r, KN_ROLE_QUASI);

    KN_FILL(t, "{} of the information in ", kn_as_percent(r->verdict.kept));
    if (quasi == 1)
        put_columns(w, is_quasi);
    else
        kn_text_addf(t, "the %zu quasi-identifiers", quasi);
    put_gone(w, became_star, "*");
    put_gone(w, became_single, "one single value");
    if (!r->verdict.ngone) {
        kn_opening_part(&w->base);
        kn_text_addz(t, "no column became * or one single value");
    }
    put_lost_rows(w);
}

/* The facts. */
static kanon_status
measure(kanon_result *r)
{
    kn_result_verdict *v = &r->verdict;

    *v = (kn_result_verdict){ .opening = KN_OPENING_NONE,
                              .sets = v->sets,
                              .kept = (double) NAN,
                              .hidden = kn_result_hidden(r) };
    if (isnan(v->hidden))
        return KANON_OK;
    v->kept = r->released_rows ? 1 - r->metrics.glm : 0;
    v->worthless = v->hidden > KN_WORTHLESS;
    v->gone = kn_arena_alloc(&r->arena, (r->nattributes + 1) * sizeof *v->gone);
    if (!v->gone)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < r->nattributes; i++)
        if (kn_result_gone(r, &r->attributes[i]))
            v->gone[v->ngone++] = r->attributes[i].name;
    return KANON_OK;
}

/* "; you could keep age and sex (71.0 % of their information), or ..." */
static void
put_sets(writer *w)
{
    const kn_kept_sets *sets = &w->r->verdict.sets;

    for (size_t i = 0; i < sets->count && i < SETS_MOST; i++) {
        kn_text_addz(&w->base.text, i ? ", or " : KN_COULD_KEEP);
        kn_kept_put(&w->base.text, &sets->of[i], SET_NAMES_MOST);
    }
}

/* What there is instead of a useful release, if there is no useful release. */
static void
put_headline(writer *w)
{
    const kanon_result *r = w->r;
    bool                released = r->outcome != KANON_INFEASIBLE;
    const kn_finding   *why = kn_findings_find(&r->findings, released ? KN_FOUND_MOSTLY_HIDDEN
                                                                      : KN_FOUND_INFEASIBLE);

    if (released && !r->input_rows)
        kn_text_addz(&w->base.text, "The table has no rows, so the release has none");
    else if (released && !r->released_rows)
        kn_text_addz(&w->base.text, "Nothing is left: every row was suppressed");
    else if (why || !released)
        KN_FILL(&w->base.text, "{}{}",
                kn_as_is(released ? "Little is left: " : "Nothing was released: "),
                kn_as_is(why ? why->what : "no release is feasible"));
    else if (r->k < 2 && !r->nmodels && r->risk_after.uniques) /* the table would promise as much */
        KN_FILL(&w->base.text, "Nobody is protected: {} of {} {} like no other",
                kn_as_count(r->risk_after.uniques), kn_as_counted(r->released_rows, "released row"),
                kn_as_is(r->risk_after.uniques == 1 ? "is" : "are"));
    if (released && why)
        put_sets(w);
}

/* --- what is promised, and what is not -------------------------------------------------------------- */

static void
put_model(writer *w, const kn_result_model *m)
{
    kn_text *t = &w->base.text;

    kn_opening_part(&w->base);
    kn_text_addz(t, m->name);
    if (m->class->limit != KN_LIMIT_ONE) {
        KN_FILL(t, " ({} = {}", kn_as_is(m->parameter), kn_as_number(m->asked));
        if (m->other)
            KN_FILL(t, ", {} = {}", kn_as_is(m->other), kn_as_number(m->asked_other));
        kn_text_addz(t, ")");
    }
    if (m->column && !kn_public_hides(w->r, m->column))
        KN_FILL(t, " of {}", kn_as_name(m->column, 0));
}

static void
put_promised(writer *w)
{
    const kanon_result *r = w->r;
    kn_text            *t = &w->base.text;
    uint64_t            k = r->k_reached ? r->k_reached : r->k;

    kn_text_addf(t, "k = %llu", (unsigned long long) k);
    if (k > r->k)
        kn_text_addf(t, " (required: %llu)", (unsigned long long) r->k);
    kn_text_addz(t, ": ");
    if (k > 1) {
        kn_text_addz(t, "every row has the same ");
        put_columns(w, is_quasi);
        KN_FILL(t, " as at least {}", kn_as_counted(k - 1, "other"));
    } else {
        kn_text_addz(t, "some rows are like no other");
    }
    for (size_t i = 0; i < r->nmodels; i++)
        put_model(w, &r->models[i]);
    if (r->profile.name) {
        kn_opening_part(&w->base);
        kn_text_addf(t, "profile %s: %zu requirements met, %zu for a person to judge",
                     r->profile.name, r->profile.counts[KN_MET],
                     r->profile.counts[KN_FOR_A_PERSON] + r->profile.counts[KN_NOT_FOUND]);
    }
    kn_text_addz(t, "; verified");
}

/* How far the models go for a sensitive column. */
typedef enum {
    GUARD_NONE,  /* all rows of a class may share one value */
    GUARD_COUNT, /* different values, but how often each occurs is left open */
    GUARD_SHARES /* how often a value occurs in a class is bounded */
} guard;

static guard
guard_of(const kanon_result *r, const char *column)
{
    guard most = GUARD_NONE;

    for (size_t i = 0; i < r->nmodels; i++) {
        const kn_result_model *m = &r->models[i];
        guard                  found = m->class->guards == KN_GUARDS_SHARES ? GUARD_SHARES
                                     : m->class->guards == KN_GUARDS_COUNT  ? GUARD_COUNT
                                                                            : GUARD_NONE;

        if (m->column && strcmp(m->column, column) == 0 && found > most)
            most = found;
    }
    return most;
}

bool
kn_result_open(const kanon_result *r, const kn_result_attribute *a)
{
    return a->role == KN_ROLE_SENSITIVE && guard_of(r, a->name) == GUARD_NONE;
}

bool
kn_result_lopsided(const kanon_result *r, const kn_result_attribute *a)
{
    return a->role == KN_ROLE_SENSITIVE && guard_of(r, a->name) == GUARD_COUNT;
}

/* The same model with the same limit, of another column or of this one. */
static bool
leaves_the_same(const kanon_result *r, const kn_result_model *a, const kn_result_model *b)
{
    return a->class == b->class && a->asked == b->asked && a->column
        && !kn_public_hides(r, a->column);
}

/* What a model leaves open that bounds how often a value occurs in a class, told once for all its columns. */
static void
put_bounded(writer *w, const kn_result_model *m)
{
    const kanon_result *r = w->r;
    kn_text            *t = &w->base.text;
    size_t              count = 0, named = 0;

    if (m->class->guards != KN_GUARDS_SHARES || !leaves_the_same(r, m, m))
        return;
    for (const kn_result_model *other = r->models; other < m; other++)
        if (leaves_the_same(r, other, m))
            return;
    for (size_t i = 0; i < r->nmodels; i++)
        count += leaves_the_same(r, &r->models[i], m);
    kn_opening_part(&w->base);
    kn_text_addz(t, "that nobody infers ");
    for (size_t i = 0; i < r->nmodels; i++)
        if (leaves_the_same(r, &r->models[i], m))
            put_column(w, r->models[i].column, named++, count);
    kn_text_addf(t, " %s",
                 m->class->leaves ? m->class->leaves
                                  : "where one value is more frequent in a class than others");
    if (!m->class->leaves)
        return;
    kn_text_addz(t, " ");
    if (m->class->setting->asks == KN_ASKS_SHARE)
        kn_text_addf(t, "%.3g %%", 100 * m->asked); /* as asked for: no rounding to "<0.1 %" */
    else
        kn_plain_number(t, m->asked);
}

static void
put_not_promised(writer *w)
{
    const kanon_result *r = w->r;
    kn_text            *t = &w->base.text;

    if (count_columns(r, kn_result_open)) {
        kn_text_addz(t, "that nobody learns a person's ");
        put_columns(w, kn_result_open);
    }
    if (count_columns(r, kn_result_lopsided)) {
        kn_opening_part(&w->base);
        kn_text_addz(t, "that nobody guesses ");
        put_columns(w, kn_result_lopsided);
        kn_text_addz(t, " where one value is frequent in a class");
    }
    for (size_t i = 0; i < r->nmodels; i++)
        put_bounded(w, &r->models[i]);
    if (count_columns(r, is_unchanged)) {
        kn_opening_part(&w->base);
        kn_text_addz(t, "protection from someone who knows ");
        put_columns(w, is_unchanged);
        kn_text_addz(t, " (released unchanged)");
    }
    if (count_columns(r, is_pseudonym)) {
        kn_opening_part(&w->base);
        kn_text_addz(t, "that rows of one person stay apart (pseudonyms of ");
        put_columns(w, is_pseudonym);
        kn_text_addz(t, " link them)");
    }
    if (count_columns(r, is_rounded)) {
        kn_opening_part(&w->base);
        kn_text_addz(t, "protection from someone who knows about ");
        put_columns(w, is_rounded);
        kn_text_addz(t, " (released rounded or within bounds)");
    }
    if (count_columns(r, is_without_role)) {
        kn_opening_part(&w->base);
        kn_text_addz(t, "protection from someone who knows ");
        put_columns(w, is_without_role);
        kn_text_addz(t, " (released unchanged, without a role)");
    }
    kn_opening_part(&w->base);
    kn_text_addz(t, "protection when combined with other releases about the same people");
    if (!kn_result_bounds_presence(r)) {
        kn_opening_part(&w->base);
        kn_text_addz(t, "that nobody learns who is in the table");
    }
}

/* --- all of it ---------------------------------------------------------------------------------------- */

kanon_status
kn_result_judge(kanon_result *r)
{
    kanon_status rc = measure(r);
    writer       w = { .r = r };
    kn_opening  *o = &r->verdict.opening;
    bool         rows = r->outcome != KANON_INFEASIBLE && r->released_rows;

    if (rc < 0)
        return rc;
    kn_opening_begin(&w.base, &r->arena, r->ctx);
    put_headline(&w);
    o->headline = kn_opening_take(&w.base);
    if (!isnan(r->verdict.hidden))
        put_left(&w);
    o->left = kn_opening_take(&w.base);
    if (rows)
        put_promised(&w);
    o->promised = kn_opening_take(&w.base);
    if (rows)
        put_not_promised(&w);
    o->not_promised = kn_opening_take(&w.base);
    rc = kn_opening_end(&w.base, &r->findings, o);
    if (rc == KANON_OK && rows && !*o->look_at)
        o->look_at = "nothing that kanon knows of";
    if (rc == KANON_OK && rows && !*o->better)
        o->better = "nothing that follows from its figures; `kanon explain` tries other settings";
    return rc;
}
