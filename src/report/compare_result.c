/* compare_result.c -- the public face of a comparison: life, numbers by name, writing. */
#include "report/compare.h"

#include <math.h>

#include "report/plain.h"
#include "report/report.h"

kanon_status
kn_comparison_new(kanon_ctx *ctx, kanon_comparison **out)
{
    kanon_comparison *comparison = KN_NEW(ctx, kanon_comparison);

    *out = NULL;
    if (!comparison)
        return KANON_E_NOMEM;
    comparison->ctx = ctx;
    kn_arena_init(&comparison->arena, ctx);
    comparison->pair_tvd = comparison->pearson_shift = comparison->v_shift = (double) NAN;
    *out = comparison;
    return KANON_OK;
}

void
kanon_comparison_free(kanon_comparison *comparison)
{
    if (!comparison)
        return;
    kn_arena_fini(&comparison->arena);
    kn_free(comparison->ctx, comparison);
}

kanon_status
kanon_comparison_number(const kanon_comparison *c, const char *name, double *out)
{
    const kn_compared_learning *l = &c->learning;
    bool                        learned = l->label != NULL;
    const struct {
        const char *name;
        double      value;
    } numbers[] = {
        { "rows_before", (double) c->rows_before },
        { "rows_after", (double) c->rows_after },
        { "rows_lost", (double) c->lost },
        { "glm", c->glm },
        { "gcp", c->gcp },
        { "entropy", c->entropy },
        { "tvd", c->tvd },
        { "pair_tvd", c->pair_tvd },
        { "cm_before", learned ? l->cm_before : (double) NAN },
        { "cm_after", learned ? l->cm_after : (double) NAN },
        { "accuracy_before", learned ? l->accuracy_before : (double) NAN },
        { "accuracy_after", learned ? l->accuracy_after : (double) NAN },
        { "query_error", c->queries.queries ? c->queries.median : (double) NAN },
    };

    for (size_t i = 0; name && i < KN_COUNT(numbers); i++)
        if (strcmp(name, numbers[i].name) == 0) {
            *out = numbers[i].value;
            return KANON_OK;
        }
    return kn_fail(c->ctx, KANON_E_INVALID, "there is no number '%s' in a comparison",
                   name ? name : "");
}

void
kn_compare_bin_name(kn_text *text, const kn_compared_bin *bin)
{
    switch (bin->kind) {
    case KN_BIN_VALUE:
        kn_plain_name(text, bin->label, 24);
        break;
    case KN_BIN_RANKS:
        if (bin->label) {
            kn_text_addz(text, bin->label);
            break;
        }
        kn_text_addz(text, "ranks ");
        kn_plain_fixed(text, bin->from * 100, 0);
        kn_text_addz(text, "-");
        kn_plain_fixed(text, bin->to * 100, 0);
        kn_text_addz(text, " %");
        break;
    case KN_BIN_OTHER:
        kn_text_addz(text, "all others");
        break;
    case KN_BIN_RARE:
        kn_text_addz(text, "rare values");
        break;
    case KN_BIN_MISSING:
        kn_text_addz(text, "missing");
        break;
    }
}

static void
sift(const kn_compared_pair **heap, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        const kn_compared_pair *swap = heap[at];

        if (child + 1 < count
            && (heap[child + 1]->tvd < heap[child]->tvd
                || (heap[child + 1]->tvd == heap[child]->tvd && heap[child + 1] > heap[child])))
            child++;
        if (swap->tvd < heap[child]->tvd || (swap->tvd == heap[child]->tvd && swap > heap[child]))
            return;
        heap[at] = heap[child];
        heap[child] = swap;
    }
}

/* A heap sort with the least tvd on top; of equals the later pair. */
const kn_compared_pair **
kn_compare_worst_pairs(const kanon_comparison *c)
{
    kanon_comparison        *owner = (kanon_comparison *) c; /* only its arena grows */
    const kn_compared_pair **heap = kn_arena_alloc(&owner->arena, (c->npairs + 1) * sizeof *heap);

    for (size_t i = 0; heap && i < c->npairs; i++)
        heap[i] = &c->pairs[i];
    for (size_t i = c->npairs / 2; heap && i-- > 0;)
        sift(heap, i, c->npairs);
    for (size_t end = c->npairs; heap && end > 1;) {
        const kn_compared_pair *swap = heap[0];

        heap[0] = heap[--end];
        heap[end] = swap;
        sift(heap, 0, end);
    }
    return heap;
}

static void
as_json(kn_text *text, const void *comparison)
{
    kn_compare_json(text, comparison);
}

static void
as_text(kn_text *text, const void *comparison)
{
    kn_compare_text(text, comparison);
}

static void
as_html(kn_text *text, const void *comparison)
{
    kn_compare_html(text, comparison);
}

kanon_status
kanon_comparison_write(kanon_ctx *ctx, const kanon_comparison *comparison, kanon_format format,
                       kanon_sink *sink)
{
    static const kn_report_form forms[] = {
        [KANON_FORMAT_JSON] = as_json, [KANON_FORMAT_TEXT] = as_text, [KANON_FORMAT_HTML] = as_html
    };

    return kn_report_write(ctx, format, forms, comparison, sink);
}
