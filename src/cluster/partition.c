/* SPDX-License-Identifier: Apache-2.0 */
/* partition.c -- numbers, boxes and costs of classes. */
#include "cluster/partition.h"

kanon_status
kn_partition_init(kanon_ctx *ctx, uint32_t rows, kn_partition *out)
{
    out->nclasses = 0;
    out->class_of = KN_NEW_ARRAY(ctx, uint32_t, rows);
    if (!out->class_of)
        return KANON_E_NOMEM;
    for (uint32_t row = 0; row < rows; row++)
        out->class_of[row] = KN_NO_CLASS;
    return KANON_OK;
}

kn_part
kn_part_of(const kn_space *space, const kn_partition *partition)
{
    return (kn_part){ NULL, space->rows, partition->class_of, partition->nclasses };
}

kanon_status
kn_part_number(kanon_ctx *ctx, kn_part *part)
{
    uint32_t *number = KN_NEW_ARRAY(ctx, uint32_t, part->nclasses), count = 0;

    assert(part->class_of || !part->nrows);
    if (!number)
        return KANON_E_NOMEM;
    for (uint32_t c = 0; c < part->nclasses; c++)
        number[c] = KN_NO_CLASS;
    for (uint32_t i = 0; i < part->nrows; i++) {
        uint32_t *class = &part->class_of[i];

        if (*class == KN_NO_CLASS)
            continue;
        assert(*class < part->nclasses);
        if (number[*class] == KN_NO_CLASS)
            number[*class] = count++;
        *class = number[*class];
    }
    part->nclasses = count;
    kn_free(ctx, number);
    return KANON_OK;
}

uint32_t
kn_part_left(const kn_part *part)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < part->nrows; i++)
        left += part->class_of[i] == KN_NO_CLASS;
    return left;
}

static void
find_boxes(kn_boxes *boxes, const kn_space *space, const kn_part *part)
{
    size_t width = boxes->width;

    for (size_t i = 0; i < boxes->count * width; i++)
        boxes->least[i] = UINT32_MAX;
    for (uint32_t i = 0; i < part->nrows; i++) {
        uint32_t class = part->class_of[i];
        const uint32_t *ranks = kn_space_point(space, kn_part_row(part, i));

        if (class == KN_NO_CLASS)
            continue;
        boxes->size[class]++;
        for (size_t q = 0; q < width; q++) {
            uint32_t *least = &boxes->least[class * width + q];
            uint32_t *greatest = &boxes->greatest[class * width + q];

            *least = ranks[q] < *least ? ranks[q] : *least;
            *greatest = ranks[q] > *greatest ? ranks[q] : *greatest;
        }
    }
    for (size_t c = 0; c < boxes->count; c++)
        if (boxes->size[c])
            boxes->cost[c] = (uint32_t) kn_space_cost(space, boxes->least + c * width,
                                                      boxes->greatest + c * width);
}

kanon_status
kn_boxes_init(kn_boxes *boxes, const kn_space *space, const kn_part *part)
{
    kanon_ctx *ctx = space->ctx;

    memset(boxes, 0, sizeof *boxes);
    boxes->count = part->nclasses;
    boxes->width = space->width;
    boxes->least = KN_NEW_ARRAY(ctx, uint32_t, boxes->count * boxes->width);
    boxes->greatest = KN_NEW_ARRAY(ctx, uint32_t, boxes->count * boxes->width);
    boxes->size = KN_NEW_ARRAY(ctx, uint32_t, boxes->count);
    boxes->cost = KN_NEW_ARRAY(ctx, uint32_t, boxes->count);
    if (!boxes->least || !boxes->greatest || !boxes->size || !boxes->cost)
        return KANON_E_NOMEM;
    find_boxes(boxes, space, part);
    return KANON_OK;
}

void
kn_boxes_fini(kn_boxes *boxes, kanon_ctx *ctx)
{
    kn_free(ctx, boxes->least);
    kn_free(ctx, boxes->greatest);
    kn_free(ctx, boxes->size);
    kn_free(ctx, boxes->cost);
    memset(boxes, 0, sizeof *boxes);
}

kanon_status
kn_part_cost(const kn_space *space, const kn_part *part, uint64_t *cost)
{
    kn_boxes     boxes;
    kanon_status rc = kn_boxes_init(&boxes, space, part);
    uint64_t     placed = 0;

    *cost = 0;
    if (rc == KANON_OK) {
        for (size_t c = 0; c < boxes.count; c++) {
            *cost += (uint64_t) boxes.size[c] * boxes.cost[c];
            placed += boxes.size[c];
        }
        *cost += (part->nrows - placed) * space->whole;
    }
    kn_boxes_fini(&boxes, space->ctx);
    return rc;
}
