/* SPDX-License-Identifier: Apache-2.0 */
/* tally.h -- between engine.c and tally.c: a thread's scratch, and counting on one slab. */
#ifndef KN_GROUP_TALLY_H
#define KN_GROUP_TALLY_H

#include "group/engine.h"

enum {
    KN_CHUNK = 1024,            /* tuples whose keys are built at a time */
    KN_COUNTERS_MOST = 1 << 20, /* key space of a block that is addressed directly */
    KN_DENSE_PER_TUPLE = 4,     /* key space per tuple up to which all counters are looked at */
    KN_SPARSE_PER_TUPLE = 64,   /* beyond: only those in use; up to this direct addressing pays */
    KN_WAYS = 4,                /* copies of the counters, so that equal neighbours do not wait */
    KN_WAYS_MOST = 1 << 12,     /* key space up to which there are copies */
    KN_BLOCK_LEAST = 1 << 12,   /* runs are taken together until they have so many tuples */
    KN_SAMPLE_LEAST = 1 << 17, /* tuples of a block from which on a sample of classes comes first */
    KN_SAMPLE_SHARE = 16,      /* one class in so many */
    KN_ROLLUPS_MOST = 24,      /* collapsed copies of the table */
    KN_EXPECTED_MOST = 512,    /* nodes that they are made for at a time */
    KN_LABELS_DIRECT = 32,     /* different labels up to which they are counted by address, */
    KN_LABELS_ROOM = 1 << 24   /* if so many counters are enough */
};

/** A slot for the labels of classes. */
typedef struct kn_slot {
    uint64_t key;
    uint64_t rows; /* 0: free */
} kn_slot;

/** What the tallies of an engine must have room for. */
typedef struct kn_tally_size {
    size_t nquasi, ntuples;
    size_t nwords; /* 32-bit words of the widest key */
    size_t nslots; /* a power of two */
    size_t ncounters;
    bool   big;      /* 2^32 - 1 rows or more */
    size_t nlabels;  /* label domain, 0: no labels */
    size_t nentries; /* of labels */
    bool   lost;     /* KN_WANT_LOST will be asked for */
    size_t ngroups;  /* of all quasi-identifiers at the floor */
} kn_tally_size;

/** The smallest slab that serves a node. */
const kn_slab *kn_engine_slab_for(const kn_engine *engine, const uint8_t *levels);

size_t kn_tally_bytes(const kn_tally_size *size);
bool   kn_few_labels(const kn_tally_size *size);
/** want: KN_WANT_LOST or 0, with room to remember all classes of a node or without. */
kanon_status kn_tally_make(const kn_engine *engine, unsigned want, kn_tally **out);
/** Slots for so many entries. */
size_t kn_slots_for(size_t entries);
/** Words of a slab's widest key. */
size_t kn_words_of(const kn_coarse *coarse, size_t nquasi, const uint8_t *floor,
                   unsigned word_bits);

/** low <= high in every component. */
static inline bool
kn_levels_below(size_t n, const uint8_t *low, const uint8_t *high)
{
    for (size_t i = 0; i < n; i++)
        if (low[i] > high[i])
            return false;
    return true;
}

/** Label entries of the classes of a node, for a collapsed copy. */
typedef struct kn_entries {
    uint32_t *labels, *weights, *owners;
    size_t    count;
} kn_entries;

struct kn_engine {
    kanon_ctx     *ctx;
    const kn_view *view;
    kn_coarse     *coarse;
    kn_slab       *base;
    uint64_t    ***totals;              /* [quasi][level - floor][group]: rows; for KN_WANT_LOST */
    kn_slab  *rollups[KN_ROLLUPS_MOST]; /* collapsed below expected nodes, the smallest first */
    size_t    nrollups;
    size_t    rollup_bytes; /* 0: none are made */
    kn_tally *collapser;    /* that makes them */
    size_t   *columns;      /* [nquasi], those with the most groups first */
    const uint8_t    *expected[2][KN_EXPECTED_MOST]; /* nodes, and scratch for sorting them */
    kn_entries        entries;
    unsigned          rollup_rest; /* expectations to pass over, since the last one did not pay */
    size_t            most_classes;
    const kn_kernels *kernels;
    uint64_t          seed;   /* of hashes: the keys of a table cannot be chosen to share a slot */
    kn_engine_tuning  tuning; /* filled in */
    kn_tally_size     size;
};

/** Beside KN_WANT_...: the classes themselves. */
enum { KN_WANT_CLASSES = 1u << 8 };

typedef enum { KN_DENSE, KN_SPARSE, KN_HASHED } kn_way;

/** One multiply-add of a key: a column, or the sub-key. */
typedef struct kn_key_step {
    kn_mad          mad;    /* NULL: through a table */
    const kn_codes *codes;  /* NULL: from the sub-key buffer */
    const uint8_t  *table;  /* not NULL: the codes go through it first */
    const uint32_t *scaled; /* group * stride of each code, where there is no mad */
    void           *to;
    uint32_t        stride;
    kn_mad_kind     kind;
} kn_key_step;

struct kn_tally {
    const kn_engine *engine;
    const kn_slab   *slab; /* that the current node is counted on */
    /* the node's plan */
    kn_key_step *steps;
    size_t       nsteps, nwords;
    uint64_t     space;  /* of the whole key; 0: it takes more than one word */
    uint64_t     within; /* of one group of the lead column */
    bool         narrow; /* the key is the 16-bit sub-key */
    /* buffers of a chunk */
    uint16_t *sub;
    uint8_t  *bytes; /* codes that went through a table */
    uint32_t *words; /* [nwords][KN_CHUNK] */
    uint32_t *hashes;
    uint32_t *ids;     /* counters or slots */
    uint32_t *weights; /* of a chunk, where the slab's are narrower; ones where it has none */
    uint32_t *sifted;  /* weights of a sample */
    /* what is counted: all zero between blocks */
    uint32_t *counters; /* [key * stride] */
    uint32_t *rows;     /* [nslots], 0: the slot is free */
    uint64_t *rows_big; /* instead, where 32 bits may not be enough */
    uint32_t *keys;     /* [nslots][words of the key] */
    uint32_t
          *touched; /* counters or slots in use: classes, in the order in which they came to be */
    size_t ntouched;
    uint32_t *
        first; /* a tuple of each; those of earlier blocks before them, where lost rows are wanted */
    uint64_t  *sizes;   /* then their rows, too */
    size_t     nbefore; /* classes of earlier blocks */
    bool       folded;  /* not all classes are remembered: those of dense blocks are not */
    uint32_t  *scaled;
    size_t    *scaled_at; /* [quasi] */
    uint64_t **lost;
    uint64_t  *lost_data;
    size_t     stride; /* of counters; where few labels are counted, each class's stand behind it */
    uint32_t  *label_counts; /* [nslots][labels], where there are few labels; zero between blocks */
    kn_slot   *label_slots;  /* otherwise */
    uint64_t  *label_most;   /* [classes]: rows of each one's most frequent label */
    /* the node's question */
    const uint8_t *levels;
    uint64_t       k, allowed;
    unsigned       want;
};

/** Wide enough for the squares of 2^64 - 1 rows. */
__extension__ typedef unsigned __int128 kn_uint128;

/** What the blocks add up to. */
typedef struct kn_sums {
    uint64_t   outlying, classes, off_label;
    kn_uint128 squares; /* of 2^32 rows and more, too */
} kn_sums;

/** Tuples from..to, their keys from base on. No class crosses a block. */
typedef struct kn_tally_block {
    size_t   from, to;
    uint32_t base;
    size_t   ids; /* class ids are below this: key space or slots */
    kn_way   how;
} kn_tally_block;

static inline uint64_t
kn_slot_rows(const kn_tally *t, size_t slot)
{
    return t->rows ? t->rows[slot] : t->rows_big[slot];
}

static inline bool
kn_same_key(const kn_tally *t, size_t slot, size_t i)
{
    const uint32_t *kept = t->keys + slot * t->nwords;

    for (size_t w = 0; w < t->nwords; w++)
        if (kept[w] != t->words[w * KN_CHUNK + i])
            return false;
    return true;
}

/* The slot of the i-th tuple of the chunk: its own, or the free one where it belongs. */
static inline size_t
kn_probe(const kn_tally *t, size_t i, size_t mask)
{
    size_t s = t->hashes[i] & mask;

    while (kn_slot_rows(t, s) && !kn_same_key(t, s, i))
        s = (s + 1) & mask;
    return s;
}

static inline uint64_t
kn_class_rows(const kn_tally *t, const kn_tally_block *b, size_t class)
{
    return b->how == KN_HASHED ? kn_slot_rows(t, t->touched[class])
                               : t->counters[t->touched[class]];
}

/* Adds a class to the sums. */
static inline void
kn_add_class(const kn_tally *t, uint64_t rows, kn_sums *out)
{
    if (rows >= t->k) {
        out->classes++;
        out->squares += (kn_uint128) rows * rows;
    } else {
        out->outlying += rows;
    }
}

/* --- one step after the other (a file each) ------------------------------------------------------- */

/** How the keys of a node are made. */
void kn_plan_keys(kn_tally *t, const uint8_t *levels);
/** Keys of the tuples from..from+count-1, at most a chunk. */
void kn_build_keys(kn_tally *t, size_t from, size_t count);
/** The weights of the tuples at..at+n-1, n up to KN_CHUNK; until the next call. */
const uint32_t *kn_chunk_weights(const kn_tally *t, size_t at, size_t n);

void kn_count_dense(kn_tally *t, const kn_tally_block *b, kn_sums *out);
void kn_count_sparse(kn_tally *t, const kn_tally_block *b, kn_sums *out);

void kn_hash_chunk(kn_tally *t, size_t n);
typedef enum kn_hash_share { KN_HASH_ALL, KN_HASH_SAMPLE } kn_hash_share; /* of the classes */

/** @return false when there are more than `most` classes */
bool kn_count_hashed(kn_tally *t, const kn_tally_block *b, kn_hash_share share, size_t most);
void kn_add_slots(const kn_tally *t, kn_sums *out);
void kn_clear_slots(kn_tally *t);
/** Does a part of the classes show that more than `left` rows are outlying? */
bool kn_sample_decides(kn_tally *t, const kn_tally_block *b, uint64_t left);

/** Adds the outlying rows of a dense block to `lost`; what the counters held is gone then. */
void kn_fold_lost(kn_tally *t, const kn_tally_block *b);
/** Remembers the classes of another block for kn_find_lost(). */
void kn_keep_classes(kn_tally *t, const kn_tally_block *b);
/** After the last block. */
void kn_find_lost(kn_tally *t);
/** Adds the label entries of a block's classes, which are numbered from `owner` on. */
void kn_gather_labels(kn_tally *t, const kn_tally_block *b, size_t owner, kn_entries *out);
/** Finds a tuple of each class of a node, and its rows (t->first, t->sizes, t->nbefore), and, where
 *  entries is not NULL, its labels. @return false: there are too many of them */
bool kn_tally_collapse(kn_tally *t, const kn_slab *slab, const uint8_t *levels,
                       kn_entries *entries);
/** After kn_keep_classes(): what the counters held is gone then. */
void kn_add_off_label(kn_tally *t, const kn_tally_block *b, kn_sums *out);

#endif
