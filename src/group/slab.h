/* SPDX-License-Identifier: Apache-2.0 */
/* slab.h -- tuples collapsed at a node, laid out for counting: for each quasi-identifier and each level from
 * there up a narrow column of group numbers, in an order in which a lead column's groups are runs.
 * The slab of a search's floor is made from the table, further ones from slabs below them. Read-only
 * once made, shared by threads. */
#ifndef KN_GROUP_SLAB_H
#define KN_GROUP_SLAB_H

#include "group/coarse.h"

enum { KN_STRIPS_MOST = 255 }; /* quasi-identifiers */

/** One quasi-identifier at one level. */
typedef struct kn_strip {
    kn_codes        codes;  /* 1, 2 or 4 bytes a tuple */
    const uint32_t *map;    /* NULL: codes are the numbers; else codes are of a lower level */
    const uint8_t  *table;  /* the map again, 256 bytes, where codes are bytes */
    uint32_t        groups; /* numbers are below this */
    uint32_t        ncodes; /* codes are below this */
    bool            owner;  /* of the codes; others only look at them */
    bool            mapper; /* of map and table */
} kn_strip;

/** Class labels behind the tuples, for metrics that look at them. */
typedef struct kn_labels {
    const uint32_t *first;   /* [ntuples + 1]; NULL: entry t belongs to tuple t */
    kn_codes        codes;   /* data NULL: there are none */
    kn_codes        weights; /* [entries]; a slab's have 4 bytes */
    const uint32_t *owner;   /* [entries]: the tuple of each; a slab has them */
    uint32_t        domain;
} kn_labels;

typedef struct kn_slab {
    kanon_ctx *ctx;
    size_t     nquasi, ntuples;
    uint64_t   rows;
    uint8_t    floor[KN_STRIPS_MOST]; /* collapsed at these levels */
    size_t    *order;                 /* [nquasi], most significant first; order[0] is the lead */
    kn_strip **strips;                /* [quasi][level - floor] */
    uint32_t  *nstrips;               /* [quasi] */
    kn_codes   weights; /* [ntuples] in as few bytes as they need; data NULL: every weight is 1 */
    uint32_t **starts;  /* [level - floor of the lead] each [groups + 1]: where its runs begin */
    kn_labels  labels;
    size_t     bytes; /* all that it holds */
} kn_slab;

/** What a slab is made of. */
typedef struct kn_slab_source {
    const kn_coarse *coarse;
    size_t           nquasi, ntuples;
    uint64_t         rows;
    const uint8_t   *floor;
    const kn_strip  *columns; /* [nquasi] at the floor */
    const uint32_t  *weights;
    kn_labels        labels;
    bool             distinct; /* no two tuples are equal at the floor */
    size_t           budget; /* bytes for columns beyond the one that each quasi-identifier needs */
} kn_slab_source;

/** The classes of a slab at a node above its floor: a tuple of each, in the order of the slab. */
typedef struct kn_slab_classes {
    const kn_coarse *coarse;
    const kn_slab   *slab;
    const uint8_t   *levels;
    const uint32_t  *first; /* [count] */
    const uint64_t  *rows;  /* [count], below 2^32 */
    size_t           count;
    const uint32_t  *labels, *label_weights, *owners; /* [nentries]; NULL: none */
    size_t           nentries;
    size_t           budget;
} kn_slab_classes;

kanon_status kn_slab_new(kanon_ctx *ctx, const kn_slab_source *source, kn_slab **out);
void         kn_slab_free(kn_slab *slab);
/** A slab whose tuples are the classes of another. */
kanon_status kn_slab_collapsed(kanon_ctx *ctx, const kn_slab_classes *classes, kn_slab **out);

static inline const kn_strip *
kn_slab_strip(const kn_slab *slab, size_t quasi, unsigned level)
{
    return &slab->strips[quasi][level - slab->floor[quasi]];
}

static inline uint32_t
kn_strip_at(const kn_strip *strip, size_t tuple)
{
    uint32_t code = kn_codes_at(&strip->codes, tuple);

    return strip->map ? strip->map[code] : code;
}

static inline uint32_t
kn_slab_weight(const kn_slab *slab, size_t tuple)
{
    return slab->weights.data ? kn_codes_at(&slab->weights, tuple) : 1;
}

/** The weights of a slab's label entries. */
static inline const uint32_t *
kn_slab_label_weights(const kn_slab *slab)
{
    return slab->labels.weights.data;
}

/** Bytes that numbers below `groups` take. */
static inline unsigned
kn_bytes_for(uint64_t groups)
{
    return groups <= 256 ? 1 : groups <= 65536 ? 2 : 4;
}

/** Bytes that a slab takes at most, without the columns that the budget pays. */
size_t kn_slab_plan(const kn_coarse *coarse, size_t nquasi, size_t ntuples, const uint8_t *floor);

#endif
