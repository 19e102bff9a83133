/* SPDX-License-Identifier: Apache-2.0 */
/* linkage.c -- the sample put into the order of its classes, and each further column counted on its own. A
 * row that stands for several is never alone. */
#include "linkage/linkage.h"

#include <assert.h>

#include "base/sort.h"
#include "linkage/tally.h"

/* --- numbering pairs -------------------------------------------------------------------------------- */

/* Half of the places stay free. */
static size_t
slots_for(size_t rows)
{
    size_t slots = 16;

    while (slots < 2 * rows)
        slots *= 2;
    return slots;
}

kanon_status
kn_link_tally_init(kn_link_tally *tally, kanon_ctx *ctx, size_t most)
{
    *tally = (kn_link_tally){ .ctx = ctx, .seed = kn_ctx_hash_seed(ctx), .most = most };
    tally->slots = KN_NEW_ARRAY(ctx, uint32_t, slots_for(most));
    tally->sums = KN_NEW_ARRAY(ctx, uint64_t, most);
    return tally->slots && tally->sums ? KANON_OK : KANON_E_NOMEM;
}

void
kn_link_tally_fini(kn_link_tally *tally)
{
    kn_free(tally->ctx, tally->slots);
    kn_free(tally->ctx, tally->sums);
}

/* Few possible pairs have a place each. */
static uint32_t
number_by_place(kn_link_tally *tally, kn_link_codes x, kn_link_codes y, size_t count, uint32_t *ids)
{
    uint32_t found = 0;

    memset(tally->slots, 0, (size_t) x.domain * y.domain * sizeof *tally->slots);
    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = &tally->slots[(size_t) x.of[i] * y.domain + y.of[i]];

        assert(x.of[i] < x.domain && y.of[i] < y.domain);
        if (!*slot)
            *slot = ++found;
        ids[i] = *slot - 1;
    }
    return found;
}

uint32_t
kn_link_number(kn_link_tally *tally, kn_link_codes x, kn_link_codes y, size_t count, uint32_t *ids)
{
    size_t    mask = slots_for(count) - 1;
    uint32_t  found = 0;
    uint64_t *keys = tally->sums; /* of the numbers given so far */

    assert(count <= tally->most);
    if (x.domain && y.domain && (uint64_t) x.domain * y.domain <= mask + 1)
        return number_by_place(tally, x, y, count, ids);
    memset(tally->slots, 0, (mask + 1) * sizeof *tally->slots);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = (uint64_t) x.of[i] << 32 | y.of[i];
        size_t   at = (size_t) kn_hash_word(key ^ tally->seed) & mask;

        while (tally->slots[at] && keys[tally->slots[at] - 1] != key)
            at = (at + 1) & mask;
        if (!tally->slots[at]) {
            keys[found] = key;
            tally->slots[at] = ++found;
        }
        ids[i] = tally->slots[at] - 1;
    }
    return found;
}

/* --- the view --------------------------------------------------------------------------------------- */

static size_t
largest_class(const kn_class_sample *sample)
{
    size_t most = 0;

    for (size_t c = 0; c < sample->nclasses; c++)
        most = sample->classes[c].records > most ? sample->classes[c].records : most;
    return most;
}

static void
fini_view(kn_link_view *view)
{
    kn_free(view->ctx, view->order);
    kn_free(view->ctx, view->starts);
    kn_free(view->ctx, view->zero);
    kn_free(view->ctx, view->x);
    kn_free(view->ctx, view->y);
    kn_free(view->ctx, view->ids);
    kn_free(view->ctx, view->weights);
    kn_link_tally_fini(&view->tally);
}

static kanon_status
init_view(kn_link_view *view)
{
    kanon_status           rc = KANON_OK;
    const kn_class_sample *sample = view->sample;
    size_t                 most = largest_class(sample);

    KN_TRY(kn_link_tally_init(&view->tally, view->ctx, most));
    view->order = KN_NEW_ARRAY(view->ctx, uint32_t, sample->nrows);
    view->starts = KN_NEW_ARRAY(view->ctx, uint32_t, sample->nclasses + 2);
    view->zero = KN_NEW_ARRAY(view->ctx, uint32_t, most);
    view->x = KN_NEW_ARRAY(view->ctx, uint32_t, most);
    view->y = KN_NEW_ARRAY(view->ctx, uint32_t, most);
    view->ids = KN_NEW_ARRAY(view->ctx, uint32_t, most);
    view->weights = KN_NEW_ARRAY(view->ctx, uint64_t, most);
    if (!view->order || !view->starts || !view->zero || !view->x || !view->y || !view->ids
        || !view->weights)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < sample->nclasses; c++)
        view->starts[c + 2] = view->starts[c + 1] + sample->classes[c].records;
    for (size_t r = 0; r < sample->nrows; r++)
        view->order[view->starts[kn_sampled_row(sample, r)[KN_SAMPLE_CLASS] + 1]++] = (uint32_t) r;
out:
    return rc;
}

void
kn_link_gather(const kn_link_view *view, size_t class, size_t cell, uint32_t *to)
{
    for (size_t i = view->starts[class]; i < view->starts[class + 1]; i++)
        *to++ = kn_sampled_row(view->sample, view->order[i])[KN_SAMPLE_CELLS + cell];
}

uint32_t
kn_link_number_column(kn_link_view *view, size_t class, size_t cell, uint32_t *ids)
{
    kn_link_gather(view, class, cell, view->y);
    return kn_link_number(&view->tally, (kn_link_codes){ view->zero, 1 },
                          (kn_link_codes){ view->y, 0 }, view->sample->classes[class].records, ids);
}

void
kn_link_gather_weights(kn_link_view *view, size_t class)
{
    uint64_t *to = view->weights;

    for (size_t i = view->starts[class]; i < view->starts[class + 1]; i++)
        *to++ = kn_sampled_row(view->sample, view->order[i])[KN_SAMPLE_WEIGHT];
}

unsigned
kn_link_depth(const kn_link_view *view, size_t most, size_t *rows)
{
    const kn_class_sample *sample = view->sample;

    for (unsigned depth = sample->depth;; depth++) {
        *rows = 0;
        for (size_t c = 0; c < sample->nclasses; c++)
            if (sample->classes[c].records <= most
                && kn_class_sampled(sample, sample->classes[c].hash, depth))
                *rows += sample->classes[c].records;
        if (*rows <= most)
            return depth;
    }
}

uint64_t
kn_link_scaled(const kn_link_view *view, uint64_t count, unsigned depth)
{
    uint64_t rows = view->sample->rows;

    return depth >= 63 || count > rows >> depth ? (count ? rows : 0) : count << depth;
}

void
kn_link_count_groups(kn_link_view *view, const uint32_t *ids, size_t rows, uint32_t groups,
                     kn_link_count *count)
{
    uint64_t *sums = view->tally.sums;

    memset(sums, 0, groups * sizeof *sums);
    for (size_t i = 0; i < rows; i++)
        sums[ids[i]] += view->weights[i];
    for (uint32_t g = 0; g < groups; g++) {
        count->alone += sums[g] == 1;
        count->below += sums[g] < view->plan->k ? sums[g] : 0;
        if (!count->smallest || sums[g] < count->smallest)
            count->smallest = sums[g];
    }
}

/* --- each column ------------------------------------------------------------------------------------ */

/* splits[nfurther]: groups that the classes fall into. */
static void
count_columns(kn_link_view *view, kn_linkage *out, uint64_t *splits)
{
    const kn_class_sample *sample = view->sample;

    for (size_t c = 0; c < sample->nclasses; c++) {
        size_t rows = sample->classes[c].records;

        kn_link_gather_weights(view, c);
        for (size_t f = 0; f < view->plan->nfurther; f++) {
            uint32_t groups = kn_link_number_column(view, c, view->plan->nquasi + f, view->ids);

            kn_link_count_groups(view, view->ids, rows, groups, &out->columns[f]);
            splits[f] += groups;
        }
    }
    for (size_t f = 0; f < view->plan->nfurther; f++) {
        out->columns[f].alone = kn_link_scaled(view, out->columns[f].alone, sample->depth);
        out->columns[f].below = kn_link_scaled(view, out->columns[f].below, sample->depth);
    }
}

static bool
splits_more(const size_t *a, const size_t *b, const void *context)
{
    const uint64_t *splits = context;

    return splits[*a] != splits[*b] ? splits[*a] > splits[*b] : *a < *b;
}
KN_DEFINE_SORT(sort_by_splits, size_t, splits_more)

static kanon_status
combine_columns(kn_link_view *view, kn_linkage *out, const uint64_t *splits)
{
    kanon_status        rc = KANON_OK;
    const kn_link_plan *plan = view->plan;
    size_t             *columns = KN_NEW_ARRAY(view->ctx, size_t, plan->nfurther), count = 0;

    if (!columns)
        return KANON_E_NOMEM;
    for (size_t f = 0; f < plan->nfurther; f++)
        if (!plan->sensitive[f])
            columns[count++] = f;
    sort_by_splits(columns, count, splits);
    KN_TRY(kn_link_combine(view, columns, count, &out->open));
    if (count == plan->nfurther) {
        out->all = out->open;
        goto out;
    }
    for (size_t f = 0; f < plan->nfurther; f++)
        columns[f] = f;
    sort_by_splits(columns, plan->nfurther, splits);
    KN_TRY(kn_link_combine(view, columns, plan->nfurther, &out->all));
out:
    kn_free(view->ctx, columns);
    return rc;
}

kanon_status
kn_linkage_measure(const kn_class_sample *sample, const kn_link_plan *plan, kn_linkage *out)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = sample->ctx;
    kn_link_view view = { .ctx = ctx, .sample = sample, .plan = plan, .tally.ctx = ctx };
    uint64_t    *splits = KN_NEW_ARRAY(ctx, uint64_t, plan->nfurther);

    assert(sample->ncells == plan->nquasi + plan->nfurther);
    *out = (kn_linkage){ .rows = sample->rows, .exact = !sample->depth };
    out->columns = KN_NEW_ARRAY(ctx, kn_link_count, plan->nfurther);
    out->dependencies = KN_NEW_ARRAY(ctx, kn_dependency, plan->nfurther);
    if (!splits || !out->columns || !out->dependencies) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    for (size_t c = 0; c < sample->nclasses; c++) {
        const kn_sampled_class *class = &sample->classes[c];

        *(class->large ? &out->large_rows : &out->sampled) += class->rows;
    }
    out->exact = out->exact && !out->large_rows;
    KN_TRY(init_view(&view));
    count_columns(&view, out, splits);
    KN_TRY(combine_columns(&view, out, splits));
    out->open.exact = out->open.exact && out->exact;
    out->all.exact = out->all.exact && out->exact;
    KN_TRY(kn_link_depend(&view, out));
out:
    fini_view(&view);
    kn_free(ctx, splits);
    return rc;
}

void
kn_linkage_fini(kanon_ctx *ctx, kn_linkage *linkage)
{
    kn_free(ctx, linkage->columns);
    kn_free(ctx, linkage->dependencies);
    linkage->columns = NULL;
    linkage->dependencies = NULL;
}
