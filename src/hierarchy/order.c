/* SPDX-License-Identifier: Apache-2.0 */
/* order.c -- buckets of neighbours in the order of the values, of similar frequency.
 * The number of steps is the least that the fan-out F allows, h = ceil(log_F n), and the fan-out f that
 * is really used is the least that needs no more steps: 7 values at fan-out 4 become 3 groups, then
 * one. A bucket of step r holds at most f^r values, which keeps the tree balanced however uneven the
 * frequencies are; within that, cuts go where the rows are shared out most evenly,
 * and those between numbers at the roundest number nearby: 30 rather than 29. */
#include "hierarchy/order.h"

#include "encode/ranks.h"

enum { FANOUT_DEFAULT = 4, FANOUT_LEAST = 2, FANOUT_MOST = 64 };
/* A cut between numbers may move by one in so many of the rows of a bucket, to a rounder number. */
enum { SLACK = 5 };

kanon_status
kn_fanout_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, size_t *fanout)
{
    kn_decimal value;

    *fanout = FANOUT_DEFAULT;
    if (!spec->nitems)
        return KANON_OK;
    if (spec->nitems > 1 || !kn_decimal_parse_strict(kn_str_of(spec->items[0]), &value)
        || value.decimals != 0 || value.mantissa < FANOUT_LEAST || value.mantissa > FANOUT_MOST)
        return kn_fail(ctx, KANON_E_INVALID,
                       "column '%s': order:%.100s%s is not a valid fan-out; expected one whole "
                       "number from %d to %d",
                       column, spec->items[0], spec->nitems > 1 ? ",..." : "", FANOUT_LEAST,
                       FANOUT_MOST);
    *fanout = (size_t) value.mantissa;
    return KANON_OK;
}

/* --- order ------------------------------------------------------------------------------------ */

/* Does a row hold the value at a place? All are as good as held where labels follow the values exactly, and
 * where nobody counted. */
static bool
is_held(const kn_buckets *b, size_t place)
{
    return b->domain->exact || !b->domain->rows || b->domain->rows[b->items[place].code];
}

/* Spellings of one number have one key, long numbers that differ have two. */
static kanon_status
set_number_keys(kn_buckets *b)
{
    kanon_status rc;
    uint32_t    *ranks;

    for (size_t i = 0; i < b->count; i++) {
        kn_str     text = b->domain->values[b->items[i].code];
        kn_decimal value;

        if (!kn_decimal_parse(text, &value))
            return kn_fail_number(b->h->ctx, b->domain, text);
        if (!is_held(b, i))
            continue;
        b->negative |= value.mantissa < 0;
        if (value.decimals > b->decimals)
            b->decimals = value.decimals;
    }
    b->comma = b->decimals && kn_mark_find(b->domain) != KN_MARK_POINT;
    ranks = KN_NEW_ARRAY(b->h->ctx, uint32_t, b->domain->count);
    if (!ranks)
        return KANON_E_NOMEM;
    rc = kn_number_ranks(b->h->ctx, b->domain->values, b->domain->count, b->domain->missing, ranks);
    for (size_t i = 0; rc == KANON_OK && i < b->count; i++)
        b->items[i].key = ranks[b->items[i].code];
    kn_free(b->h->ctx, ranks);
    return rc;
}

static kanon_status
set_keys(kn_buckets *b)
{
    if (b->h->type == KN_TYPE_NUMBER)
        return set_number_keys(b);
    for (size_t i = 0; i < b->count; i++) {
        kn_str  text = b->domain->values[b->items[i].code];
        kn_date date = { 0, 0, 0 };

        b->items[i].key = kn_key_text(text);
        if (b->h->type == KN_TYPE_DATE && kn_date_parse(text, b->format, &date))
            b->items[i].key = kn_key_signed(kn_date_days(date));
    }
    return KANON_OK;
}

static void
add_up(kn_buckets *b)
{
    const uint64_t *rows = b->domain->rows;

    for (size_t i = 0; i < b->count; i++)
        b->sums[i + 1] = b->sums[i] + (rows ? rows[b->items[i].code] : 1);
}

static kanon_status
sort_values(kn_buckets *b)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_build_items(b->h, b->domain, &b->items, &b->count));
    KN_TRY(set_keys(b));
    kn_items_sort(b->items, b->count, kn_tie_text, b->domain);
    b->sums = KN_NEW_ARRAY(b->h->ctx, uint64_t, b->count + 1);
    b->level_of = KN_NEW_ARRAY(b->h->ctx, uint8_t, b->count);
    if (!b->sums || !b->level_of)
        return KANON_E_NOMEM;
    add_up(b);
out:
    return rc;
}

/* --- buckets ---------------------------------------------------------------------------------- */

static size_t
power(size_t base, size_t exponent)
{
    size_t result = 1;

    while (exponent--)
        result *= base;
    return result;
}

static void
choose_shape(kn_buckets *b)
{
    size_t most = b->fanout;

    b->steps = 1;
    while (power(most, b->steps) < b->count)
        b->steps++;
    b->fanout = FANOUT_LEAST;
    while (power(b->fanout, b->steps) < b->count)
        b->fanout++;
}

/* Where a cut may go: at places least..most, best with so many rows before it. */
typedef struct cut_range {
    uint64_t rows;
    size_t   least, most;
} cut_range;

/* The place in least..most before which the rows come nearest to `rows`; the first of equals. */
static size_t
nearest_place(const kn_buckets *b, uint64_t rows, size_t least, size_t most)
{
    size_t low = least, high = most;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (b->sums[middle] < rows)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > least && b->sums[low] >= rows && rows - b->sums[low - 1] <= b->sums[low] - rows)
        low--;
    return low;
}

/* The same, for numbers at the roundest one for which hardly more or fewer rows come before. */
static size_t
cut_place(const kn_buckets *b, size_t first, const cut_range *c)
{
    size_t   nearest = nearest_place(b, c->rows, c->least, c->most);
    uint64_t slack = (c->rows - b->sums[first]) / SLACK;

    if (b->h->type != KN_TYPE_NUMBER || b->domain->exact)
        return nearest;
    return kn_order_round_place(b, nearest, nearest_place(b, c->rows - slack, c->least, nearest),
                                nearest_place(b, c->rows + slack, nearest, c->most));
}

/* Cuts the bucket first..end-1 into at most fanout parts of at most `room` values each. */
static void
split(kn_buckets *b, size_t first, size_t end, size_t room, size_t level)
{
    size_t parts = end - first < b->fanout ? end - first : b->fanout;

    for (; parts > 1; parts--) {
        size_t   later = (parts - 1) * room;
        size_t   least = end - first > later ? end - later : first + 1;
        size_t   most = end - (parts - 1) < first + room ? end - (parts - 1) : first + room;
        uint64_t rows = b->sums[first] + (b->sums[end] - b->sums[first]) / parts;

        if (least <= first)
            least = first + 1;
        first = cut_place(b, first, &(cut_range){ rows, least, most });
        b->level_of[first] = (uint8_t) level;
    }
}

static void
make_buckets(kn_buckets *b)
{
    for (size_t step = b->steps; step > 1; step--) {
        size_t room = power(b->fanout, step - 1);

        for (size_t first = 0, end; first < b->count; first = end) {
            for (end = first + 1; end < b->count && b->level_of[end] < step;)
                end++;
            split(b, first, end, room, step - 1);
        }
    }
}

static void
close_buckets(kn_buckets *b)
{
    kn_free(b->h->ctx, b->items);
    kn_free(b->h->ctx, b->sums);
    kn_free(b->h->ctx, b->level_of);
}

/* --- levels ----------------------------------------------------------------------------------- */

static bool
cut(const void *user, size_t level, size_t i)
{
    const kn_buckets *b = user;

    return b->level_of[i] >= level;
}

/* Values that no released row holds have no say in labels: whatever avoided them would show that they are
 * there. Their buckets are cut by now. */
static void
keep_held(kn_buckets *b)
{
    size_t kept = 0;

    for (size_t i = 0; i < b->count; i++)
        if (is_held(b, i))
            b->items[kept++] = b->items[i];
    b->count = kept;
    add_up(b);
}

static kanon_status
label_levels(kn_buckets *b)
{
    kanon_status rc = KANON_OK;
    kn_runs      runs = { .items = b->items, .label = kn_order_label, .user = b };

    keep_held(b);
    runs.count = b->count;
    KN_TRY(kn_order_resolve(b));
    for (size_t level = 1; level + 1 < b->h->nlevels; level++) {
        kn_order_unlabel(b->h, level);
        KN_TRY(kn_build_labels(b->h, &runs, level));
        KN_TRY(kn_order_names(b->h, b->domain, level));
    }
out:
    return rc;
}

static kanon_status
fill_order(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    kn_buckets   b = { .h = h, .domain = domain };
    kn_runs      runs = { .cut = cut, .user = &b };

    KN_TRY(kn_fanout_parse(h->ctx, domain->column, spec, &b.fanout));
    if (h->type == KN_TYPE_DATE)
        KN_TRY(kn_dates_infer(h->ctx, domain, &b.format));
    KN_TRY(sort_values(&b));
    choose_shape(&b);
    make_buckets(&b);
    runs.items = b.items;
    runs.count = b.count;
    KN_TRY(kn_build_begin(h, domain, b.steps + 1));
    for (size_t level = 1; level < b.steps; level++)
        KN_TRY(kn_build_groups(h, &runs, level));
    KN_TRY(kn_build_root(h, b.steps, KN_STR("*")));
    KN_TRY(label_levels(&b));
out:
    close_buckets(&b);
    return rc;
}

/* --- labels for a release ------------------------------------------------------------------------------ */

/* The values in order again, for a hierarchy that is filled. */
static kanon_status
open_buckets(kn_buckets *b)
{
    bool ignored;

    if (b->h->type == KN_TYPE_DATE)
        kn_date_infer(b->domain, &b->format, &ignored);
    return sort_values(b);
}

static kanon_status
relabel_order(kanon_hierarchy *h, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    kn_buckets   b = { .h = h, .domain = domain };

    KN_TRY(open_buckets(&b));
    KN_TRY(label_levels(&b));
out:
    close_buckets(&b);
    return rc;
}

static kanon_status
shown_order(kanon_hierarchy *h, const kn_domain *domain, size_t level, uint8_t *marks)
{
    kanon_status    rc = KANON_OK;
    const uint32_t *group_of = h->levels[level].group_of;
    kn_buckets      b = { .h = h, .domain = domain, .shown = marks };
    kn_text         ignored;

    kn_text_init(&ignored, h->ctx);
    if (!level || level + 1 == h->nlevels)
        return KANON_OK;
    KN_TRY(open_buckets(&b));
    keep_held(&b);
    KN_TRY(kn_order_resolve(&b));
    for (size_t first = 0, last; first < b.count; first = last + 1) {
        for (last = first; last + 1 < b.count
                           && group_of[b.items[last + 1].code] == group_of[b.items[first].code];)
            last++;
        ignored.len = 0;
        kn_order_label(&b, &ignored, level, first, last);
    }
    rc = kn_text_status(&ignored);
out:
    kn_text_fini(&ignored);
    close_buckets(&b);
    return rc;
}

const kn_hier_class kn_hier_order = {
    .kind = KN_HIER_ORDER,
    .name = "order",
    .summary = "neighbours in buckets of similar frequency: order or order:4",
    .fill = fill_order,
    .relabel = relabel_order,
    .shown = shown_order,
};
