/* SPDX-License-Identifier: Apache-2.0 */
/* sample.c -- classes are sampled by their hash as pairs are in Gibbons (2001): when the budget is full, half
 * of the classes leave. A class that alone fills a quarter of it leaves first, since it would drive out all
 * others, and rows are hardly alone in so large a class; its rows are counted, so that this can be told. */
#include "linkage/sample.h"

#include <assert.h>

enum { CHUNK_ROWS = 1 << KN_SAMPLE_CHUNK_BITS, LARGE = 4, INDEX_LEAST = 64 };

kanon_status
kn_class_sample_new(kanon_ctx *ctx, size_t ncells, size_t budget, uint64_t seed,
                    kn_class_sample **out)
{
    kn_class_sample *sample = KN_NEW(ctx, kn_class_sample);

    *out = NULL;
    if (!sample)
        return KANON_E_NOMEM;
    *sample = (kn_class_sample){ .ctx = ctx,
                                 .ncells = ncells,
                                 .width = KN_SAMPLE_CELLS + ncells,
                                 .budget = budget,
                                 .seed = kn_hash_word(seed),
                                 .nindex = INDEX_LEAST };
    sample->index = KN_NEW_ARRAY(ctx, uint32_t, sample->nindex);
    if (!sample->index) {
        kn_class_sample_free(sample);
        return KANON_E_NOMEM;
    }
    *out = sample;
    return KANON_OK;
}

void
kn_class_sample_free(kn_class_sample *sample)
{
    if (!sample)
        return;
    for (size_t i = 0; i < sample->nchunks; i++)
        kn_free(sample->ctx, sample->chunks[i]);
    kn_free(sample->ctx, (void *) sample->chunks);
    kn_free(sample->ctx, sample->classes);
    kn_free(sample->ctx, sample->index);
    kn_free(sample->ctx, sample);
}

static uint32_t *
row_at(const kn_class_sample *sample, size_t row)
{
    return sample->chunks[row / CHUNK_ROWS] + (row % CHUNK_ROWS) * sample->width;
}

/* --- classes ---------------------------------------------------------------------------------------- */

static uint32_t *
find_place(const kn_class_sample *sample, uint64_t hash)
{
    size_t at = (size_t) kn_hash_word(hash ^ kn_ctx_hash_seed(sample->ctx)) & (sample->nindex - 1);

    while (sample->index[at] && sample->classes[sample->index[at] - 1].hash != hash)
        at = (at + 1) & (sample->nindex - 1);
    return &sample->index[at];
}

static void
fill_index(kn_class_sample *sample)
{
    memset(sample->index, 0, sample->nindex * sizeof *sample->index);
    for (size_t c = 0; c < sample->nclasses; c++)
        *find_place(sample, sample->classes[c].hash) = (uint32_t) c + 1;
}

/* Room for one class more, in the list and in the index, of which half stays free. */
static kanon_status
grow_classes(kn_class_sample *sample)
{
    void     *classes = sample->classes;
    uint32_t *index;

    if (kn_grow(sample->ctx, &classes, &sample->classes_room, sample->nclasses + 1,
                sizeof *sample->classes)
        < 0)
        return KANON_E_NOMEM;
    sample->classes = classes;
    if (sample->nclasses < sample->nindex / 2)
        return KANON_OK;
    index = KN_NEW_ARRAY(sample->ctx, uint32_t, 2 * sample->nindex);
    if (!index)
        return KANON_E_NOMEM;
    kn_free(sample->ctx, sample->index);
    sample->index = index;
    sample->nindex *= 2;
    fill_index(sample);
    return KANON_OK;
}

static kanon_status
find_class(kn_class_sample *sample, uint64_t hash, size_t *out)
{
    uint32_t *place = find_place(sample, hash);

    if (!*place) {
        if (grow_classes(sample) < 0)
            return KANON_E_NOMEM;
        sample->classes[sample->nclasses++] = (kn_sampled_class){ .hash = hash };
        place = find_place(sample, hash);
        *place = (uint32_t) sample->nclasses;
    }
    *out = *place - 1;
    return KANON_OK;
}

/* --- rows ------------------------------------------------------------------------------------------- */

static kanon_status
grow_rows(kn_class_sample *sample)
{
    void     *chunks = (void *) sample->chunks;
    uint32_t *chunk;

    if (sample->nrows < sample->nchunks * CHUNK_ROWS)
        return KANON_OK;
    if (kn_grow(sample->ctx, &chunks, &sample->room, sample->nchunks + 1, sizeof *sample->chunks)
        < 0)
        return KANON_E_NOMEM;
    sample->chunks = (uint32_t **) chunks;
    chunk = kn_realloc_array(sample->ctx, NULL, CHUNK_ROWS, sample->width * sizeof *chunk);
    if (!chunk)
        return KANON_E_NOMEM;
    sample->chunks[sample->nchunks++] = chunk;
    return KANON_OK;
}

static size_t
bytes_used(const kn_class_sample *sample)
{
    return sample->nrows * sample->width * sizeof(uint32_t)
         + sample->nclasses * (sizeof *sample->classes + 4 * sizeof *sample->index);
}

/* Classes that are too large give up their rows. @return whether there is any */
static bool
give_up_large(kn_class_sample *sample)
{
    size_t most = sample->budget / LARGE / (sample->width * sizeof(uint32_t));
    bool   found = false;

    for (size_t c = 0; c < sample->nclasses; c++)
        if (!sample->classes[c].large && sample->classes[c].records > most)
            found = sample->classes[c].large = true;
    return found;
}

/* Drops the classes that the sample no longer has, and rows that are no longer kept. numbers[classes]:
 * scratch. */
static void
compact(kn_class_sample *sample, uint32_t *numbers)
{
    size_t classes = 0, rows = 0;

    for (size_t c = 0; c < sample->nclasses; c++) {
        kn_sampled_class *class = &sample->classes[c];
        bool stays = kn_class_sampled(sample, class->hash, sample->depth);

        numbers[c] = stays && !class->large ? (uint32_t) classes : UINT32_MAX;
        if (class->large)
            class->records = 0;
        if (stays)
            sample->classes[classes++] = *class;
    }
    for (size_t r = 0; r < sample->nrows; r++) {
        const uint32_t *from = row_at(sample, r);
        uint32_t        number = numbers[from[KN_SAMPLE_CLASS]];
        uint32_t       *to;

        if (number == UINT32_MAX)
            continue;
        to = row_at(sample, rows++);
        if (to != from)
            memcpy(to, from, sample->width * sizeof *to);
        to[KN_SAMPLE_CLASS] = number;
    }
    sample->nclasses = classes;
    sample->nrows = rows;
    fill_index(sample);
}

static kanon_status
thin_out(kn_class_sample *sample)
{
    uint32_t *numbers = KN_NEW_ARRAY(sample->ctx, uint32_t, sample->nclasses);

    if (!numbers)
        return KANON_E_NOMEM;
    while (bytes_used(sample) > sample->budget / 4 * 3) {
        sample->depth += !give_up_large(sample);
        compact(sample, numbers);
    }
    kn_free(sample->ctx, numbers);
    return KANON_OK;
}

uint32_t *
kn_class_sample_row(kn_class_sample *sample, uint64_t class, uint64_t weight, kanon_status *rc)
{
    size_t    number;
    uint32_t *row;

    *rc = KANON_OK;
    sample->rows += weight;
    if (!kn_class_sampled(sample, class, sample->depth))
        return NULL;
    if (bytes_used(sample) > sample->budget && (*rc = thin_out(sample)) < 0)
        return NULL;
    if (!kn_class_sampled(sample, class, sample->depth))
        return NULL;
    if ((*rc = find_class(sample, class, &number)) < 0)
        return NULL;
    sample->classes[number].rows += weight;
    if (sample->classes[number].large || (*rc = grow_rows(sample)) < 0)
        return NULL;
    sample->classes[number].records++;
    row = row_at(sample, sample->nrows++);
    row[KN_SAMPLE_CLASS] = (uint32_t) number;
    row[KN_SAMPLE_WEIGHT] = weight < UINT32_MAX ? (uint32_t) weight : UINT32_MAX;
    return row + KN_SAMPLE_CELLS;
}
