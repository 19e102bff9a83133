/* SPDX-License-Identifier: Apache-2.0 */
/* sample.h -- all rows of some classes. What further columns tell within a class can only be counted when all
 * rows of the class are at hand, so classes are sampled, not rows: a class is in the sample or not by its
 * hash, whenever its rows come. While the table fits the budget every class is in it. Fed row by row. */
#ifndef KN_LINKAGE_SAMPLE_H
#define KN_LINKAGE_SAMPLE_H

#include "base/hash.h"

typedef struct kn_sampled_class {
    uint64_t hash;
    uint64_t rows;    /* that it stands for */
    uint32_t records; /* that are kept of it */
    bool     large;   /* it would have filled a quarter of the sample: nothing is kept of it */
} kn_sampled_class;

/** A kept row is `width` words: the number of its class, how many rows it stands for, its cells. */
typedef struct kn_class_sample {
    kanon_ctx *ctx;
    size_t     ncells, width, budget;
    uint64_t   seed;  /* of the sampling: the same seed and rows give the same sample */
    unsigned   depth; /* one class in 2^depth is in the sample */
    uint64_t   rows;  /* that were seen */

    uint32_t **chunks; /* of CHUNK_ROWS rows each */
    size_t     nchunks, room;
    size_t     nrows;

    kn_sampled_class *classes;
    size_t            nclasses, classes_room;
    uint32_t         *index; /* [nindex], a power of two: number of a class + 1, by its hash */
    size_t            nindex;
} kn_class_sample;

enum {
    KN_SAMPLE_CLASS = 0, /* words of a kept row */
    KN_SAMPLE_WEIGHT,
    KN_SAMPLE_CELLS,
    KN_SAMPLE_CHUNK_BITS = 10,       /* rows of a chunk */
    KN_CLASS_SAMPLE_BYTES = 16 << 20 /* the usual budget */
};

/** @param ncells  of every row */
kanon_status kn_class_sample_new(kanon_ctx *ctx, size_t ncells, size_t budget, uint64_t seed,
                                 kn_class_sample **out);
void         kn_class_sample_free(kn_class_sample *sample);

/** Equal cells have equal fingerprints; two others have so once in 2^32 pairs. */
static inline uint32_t
kn_cell_print(kn_str cell)
{
    return cell.ptr ? (uint32_t) kn_hash_bytes(cell.ptr, cell.len) : 0;
}

/** The class of a row, by the cells that its class shares. */
static inline uint64_t
kn_class_hash(const kn_str *cells, size_t count)
{
    uint64_t hash = count;

    for (size_t i = 0; i < count; i++)
        hash = kn_hash_word(hash ^ (cells[i].ptr ? kn_hash_bytes(cells[i].ptr, cells[i].len) : 1));
    return hash;
}

/** Would a sample of this depth have the class? Deeper samples are part of it. */
static inline bool
kn_class_sampled(const kn_class_sample *sample, uint64_t class, unsigned depth)
{
    return !(kn_hash_word(class ^ sample->seed) & ((UINT64_C(1) << depth) - 1));
}

/** Takes note of a row. @return its cells, to be filled in; NULL: they are not wanted, or *rc is a failure */
uint32_t *kn_class_sample_row(kn_class_sample *sample, uint64_t class, uint64_t weight,
                              kanon_status *rc);

static inline const uint32_t *
kn_sampled_row(const kn_class_sample *sample, size_t row)
{
    return sample->chunks[row >> KN_SAMPLE_CHUNK_BITS]
         + (row & ((1U << KN_SAMPLE_CHUNK_BITS) - 1)) * sample->width;
}

#endif
