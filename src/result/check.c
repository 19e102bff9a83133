/* SPDX-License-Identifier: Apache-2.0 */
/* check.c -- a check as a program reads it: life and accessors. */
#include "result/check.h"

#include <math.h>

#include "base/fill.h"

static const uint64_t bucket_starts[KN_CHECK_BUCKETS] = { 1, 2, 3, 5, 10, 20, 50, 100 };
static const uint64_t below_limits[KN_CHECK_BELOWS] = { 2, 3, 5, 10, 11, 20 };

kanon_status
kn_check_new(kanon_ctx *ctx, kanon_check **out)
{
    kanon_check *check = KN_NEW(ctx, kanon_check);

    *out = NULL;
    if (!check)
        return KANON_E_NOMEM;
    check->ctx = ctx;
    check->tree = (kanon_tree){ ctx, &kn_shape_check, check, KN_INSIDE };
    kn_arena_init(&check->arena, ctx);
    check->name = "";
    check->opening = KN_OPENING_NONE;
    check->failure = "";
    for (size_t i = 0; i < KN_CHECK_BUCKETS; i++) {
        check->histogram[i].from = bucket_starts[i];
        check->histogram[i].to = i + 1 < KN_CHECK_BUCKETS ? bucket_starts[i + 1] - 1 : 0;
    }
    for (size_t i = 0; i < KN_CHECK_BELOWS; i++)
        check->below[i].limit = below_limits[i];
    *out = check;
    return KANON_OK;
}

uint64_t
kanon_check_k(const kanon_check *check)
{
    return check->risk.min_class;
}

const char *
kanon_check_failure(const kanon_check *check)
{
    return check->failure;
}

bool
kn_check_l(const kanon_check *check, uint64_t *l)
{
    *l = UINT64_MAX;
    for (size_t i = 0; i < check->nsensitive; i++)
        if (check->sensitive[i].l < *l)
            *l = check->sensitive[i].l;
    return check->nsensitive && check->risk.classes;
}

bool
kn_check_t(const kanon_check *check, double *t)
{
    *t = 0;
    for (size_t i = 0; i < check->nsensitive; i++)
        if (check->sensitive[i].t > *t)
            *t = check->sensitive[i].t;
    return check->nsensitive && check->risk.classes;
}

/* --- verdict ------------------------------------------------------------------------------------- */

enum { NAMES_MOST = 40, K_SMALL = 3 };

static void
put_headline(kn_text *text, const kanon_check *c)
{
    if (!c->risk.rows) {
        kn_text_addz(text, "The table has no rows, so there is nothing to measure");
        return;
    }
    kn_text_addf(text, "k = %llu: ", (unsigned long long) c->risk.min_class);
    if (c->risk.min_class > 1)
        KN_FILL(text, "every row matches at least {}",
                kn_as_counted(c->risk.min_class - 1, "other"));
    else
        KN_FILL(text, "{} of {}{}", kn_as_count(c->risk.uniques),
                kn_as_counted(c->risk.rows, "row"),
                kn_as_is(c->risk.uniques == 1 ? " is unique" : " are unique"));
    kn_text_addz(text, " in the quasi-identifiers (");
    for (size_t i = 0; i < c->nquasi && i < NAMES_MOST; i++)
        KN_FILL(text, "{}{}", kn_as_is(i ? ", " : ""), kn_as_name(c->quasi[i], 0));
    kn_text_addz(text, c->nquasi > NAMES_MOST ? ", ...)" : ")");
}

static kanon_status
add(kanon_check *c, kn_text *what, kn_finding_code code, const char *column, double figure)
{
    kanon_status rc = kn_text_status(what);

    if (rc == KANON_OK)
        rc = kn_findings_add(&c->findings, &c->arena,
                             (kn_finding){ .code = code,
                                           .place = column ? kn_at_column(column) : KN_AT_JOB,
                                           .what = what->ptr,
                                           .figure = figure });
    what->len = 0;
    return rc;
}

/* Of a table that nothing was asked of the context has warned of identifiers; otherwise a failure says it. */
static kanon_status
find(kanon_check *c, kn_text *what)
{
    kanon_status rc = KANON_OK;

    if (*c->failure) {
        kn_text_addz(what, c->failure);
        KN_TRY(add(c, what, KN_FOUND_NOT_MET, NULL, (double) NAN));
    }
    for (size_t i = 0; i < c->identifiers.count; i++) {
        const kn_clear_column *e = &c->identifiers.columns[i];

        if (!e->rows)
            continue;
        KN_FILL(what, "{}, an identifier, is in clear in {}", kn_as_is(e->name),
                kn_as_counted(e->rows, "row"));
        KN_TRY(add(c, what, KN_FOUND_CLEAR_IDENTIFIER, e->name, (double) e->rows));
    }
    if (c->risk.rows && c->risk.min_class < K_SMALL) {
        kn_text_addf(what, "k is %llu", (unsigned long long) c->risk.min_class);
        KN_TRY(add(c, what, KN_FOUND_SMALL_K, NULL, (double) c->risk.min_class));
    }
    for (size_t i = 0; i < c->nsensitive; i++) {
        const kn_check_sensitive *s = &c->sensitive[i];

        if (s->homogeneous_rows) {
            KN_FILL(what, "{}: {} {} in a class where all have the same value", kn_as_is(s->name),
                    kn_as_counted(s->homogeneous_rows, "row"),
                    kn_as_is(s->homogeneous_rows == 1 ? "is" : "are"));
            KN_TRY(add(c, what, KN_FOUND_HOMOGENEOUS, s->name, (double) s->homogeneous_rows));
        }
    }
    KN_TRY(kn_findings_add_warnings(&c->findings, &c->arena, c->ctx));
    kn_findings_sort(&c->findings);
out:
    return rc;
}

kanon_status
kn_check_judge(kanon_check *check)
{
    kanon_status      rc;
    kn_opening_writer w;

    kn_opening_begin(&w, &check->arena, check->ctx);
    rc = find(check, &w.text);
    put_headline(&w.text, check);
    check->opening.headline = kn_opening_take(&w);
    return kn_opening_end(&w, &check->findings, &check->opening) < 0 && rc == KANON_OK ? w.rc : rc;
}
