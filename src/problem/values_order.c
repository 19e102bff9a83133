/* SPDX-License-Identifier: Apache-2.0 */
/* values_order.c -- what the values of a column mean to a privacy model: their order, and the k that
 * they ask for. */
#include "hierarchy/build.h"
#include "problem/models.h"

typedef struct ranked {
    const kn_domain *domain;
    const double    *numbers;
} ranked;

static int
compare_numbers(const void *user, uint32_t a, uint32_t b)
{
    const ranked *r = user;

    if (r->numbers[a] != r->numbers[b])
        return r->numbers[a] < r->numbers[b] ? -1 : 1;
    return kn_tie_text(r->domain, a, b);
}

/* Numbers, or days of dates. */
static bool
read_numbers(const kn_domain *domain, double *numbers)
{
    kn_date_format format = KN_DATE_YMD_DASH;
    bool           ambiguous,
        dates = kn_type_infer(domain) == KN_TYPE_DATE && kn_date_infer(domain, &format, &ambiguous);

    for (uint32_t v = 0; v < domain->count; v++) {
        kn_decimal number;
        kn_date    date;

        if (v == domain->missing)
            numbers[v] = 0;
        else if (dates && kn_date_parse(domain->values[v], format, &date))
            numbers[v] = (double) kn_date_days(date);
        else if (!dates && kn_decimal_parse(domain->values[v], &number))
            numbers[v] = kn_decimal_double(number);
        else
            return false;
    }
    return true;
}

kanon_status
kn_values_order(kanon_ctx *ctx, const kn_domain *domain, uint32_t *order)
{
    kanon_status rc = KANON_OK;
    double      *numbers = KN_NEW_ARRAY(ctx, double, domain->count);
    kn_item     *items = KN_NEW_ARRAY(ctx, kn_item, domain->count);
    ranked       r = { domain, numbers };
    size_t       count = 0;

    KN_TRY(KN_HAVE(numbers && items));
    if (!read_numbers(domain, numbers)) {
        rc = kn_fail(
            ctx, KANON_E_INVALID,
            "t-distance: the values of column '%s' are neither all numbers nor all dates, so they "
            "have no order; use --t-distance equal, or hierarchical with a hierarchy",
            domain->column);
        goto out;
    }
    for (uint32_t v = 0; v < domain->count; v++)
        if (v != domain->missing)
            items[count++] = (kn_item){ 0, v };
    kn_items_sort(items, count, compare_numbers, &r);
    for (size_t i = 0; i < count; i++)
        order[i] = items[i].code;
    if (count < domain->count)
        order[count] = domain->missing;
out:
    kn_free(ctx, numbers);
    kn_free(ctx, items);
    return rc;
}

static bool
read_k(kn_str value, double *number)
{
    kn_decimal decimal;

    if (!kn_decimal_parse(value, &decimal) || decimal.decimals > 0 || decimal.mantissa < 1
        || decimal.mantissa > (int64_t) UINT32_MAX)
        return false;
    *number = (double) decimal.mantissa;
    return true;
}

/* The first value that is no k stands for all; of an identifier it is told how many there are. */
static kanon_status
refuse_k(kanon_ctx *ctx, const kn_domain *domain, kn_place at, kn_str value)
{
    size_t others = 0;
    double ignored;

    if (!domain->hidden)
        return kn_fail_at(ctx, KANON_E_INVALID, at.file, at.line,
                          "k-column: column '%s' contains '%.*s%s'; expected whole numbers from 1 "
                          "to 4294967295, or missing values",
                          domain->column, KN_BRIEF(value));
    for (uint32_t v = 0; v < domain->count; v++)
        others += v != domain->missing && !read_k(domain->values[v], &ignored);
    return kn_fail_at(
        ctx, KANON_E_INVALID, at.file, at.line,
        "k-column: %zu of the %zu values of column '%s' cannot be a k; expected whole numbers from "
        "1 to 4294967295, or missing values (not shown, because it is an identifier)",
        others, domain->count, domain->column);
}

kanon_status
kn_values_k(kanon_ctx *ctx, const kn_domain *domain, kn_place at, double *numbers)
{
    for (uint32_t v = 0; v < domain->count; v++) {
        numbers[v] = 1; /* a row that asks for nothing is content with the k of all */
        if (v != domain->missing && !read_k(domain->values[v], &numbers[v]))
            return refuse_k(ctx, domain, at, domain->values[v]);
    }
    return KANON_OK;
}
