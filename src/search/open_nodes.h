/* SPDX-License-Identifier: Apache-2.0 */
/* open_nodes.h -- which nodes of a lattice may still be the best: one bit each. For searches that look at
 * whole lattices of up to some hundred million nodes. A part of the axes is packed into the bits of a
 * word, so that everything below a node is a few words under one mask. */
#ifndef KN_OPEN_NODES_H
#define KN_OPEN_NODES_H

#include "search/search.h"

enum { KN_OPEN_BITS = 64 };

/** One quasi-identifier that can move. */
typedef struct kn_open_axis {
    size_t        quasi;
    unsigned      size;        /* levels from the floor up */
    size_t        step;        /* in bits (inner axes) or words (outer ones) */
    uint64_t     *most;        /* [size], inner axes: the bits at or below a level */
    const double *term, *lost; /* [size]: the metric's lower bound, see kn_meter_term() */
} kn_open_axis;

typedef struct kn_open_nodes {
    kanon_ctx        *ctx;
    const kn_lattice *lattice;
    kn_open_axis     *axes; /* the inner ones first */
    size_t            naxes, ninner;
    double           *terms;                /* what the axes' term and lost point into */
    uint64_t         *masks;                /* what their most points into */
    double            rest_term, rest_lost; /* of what cannot move */
    double            inner_term[KN_OPEN_BITS], inner_lost[KN_OPEN_BITS];
    double            inner_least, inner_most; /* of the terms */
    uint64_t         *of_height; /* [nheights]: bits whose inner levels add up to it */
    size_t            nheights;
    size_t            words;
    uint64_t         *open;   /* [words] */
    uint16_t         *height; /* [words]: sum of the outer levels */
    bool              holes;  /* below a closed node that is not too dear there may be open ones */
} kn_open_nodes;

/** Words that a lattice takes; SIZE_MAX: far too many. */
size_t kn_open_words(const kn_lattice *lattice);

/** All nodes are open. The lattice must outlive it. meter NULL: no node costs anything */
kanon_status kn_open_init(kn_open_nodes *o, kanon_ctx *ctx, const kn_lattice *lattice,
                          const kn_meter *meter);
void         kn_open_fini(kn_open_nodes *o);

bool kn_open_at(const kn_open_nodes *o, const uint8_t *node);
/** What is known of the nodes above a closed one. */
typedef enum kn_open_above { KN_ABOVE_UNKNOWN, KN_ABOVE_FEASIBLE } kn_open_above;

/** Closes one node. */
void kn_open_close(kn_open_nodes *o, const uint8_t *node, kn_open_above above);
/** Closes the node and all below it: it is infeasible.
 *  raised: the quasi-identifier without whose last level all below it is closed already; SIZE_MAX: none */
void kn_open_close_below(kn_open_nodes *o, const uint8_t *node, size_t raised);
/** Closes those below a feasible node that suppress at least as many rows and so are worse than best. */
void kn_open_close_lossy(kn_open_nodes *o, const uint8_t *node, uint64_t outlying, double best);
/** Closes all that are worse than best by their levels alone. */
void kn_open_close_dear(kn_open_nodes *o, double best);
/** The smallest loss that an open node may have by its levels; 1e300: none is open. */
double kn_open_least(const kn_open_nodes *o);
/** How many at or below the node are open? */
uint64_t kn_open_below(const kn_open_nodes *o, const uint8_t *node);
/** How many of those have the node's own level of this quasi-identifier? Where they are very many, a part of
 *  them is looked at, those near the node first. */
uint64_t kn_open_gain(const kn_open_nodes *o, const uint8_t *node, size_t quasi);

/** The next open node of this height (sum of the levels above the floors) from *word and *bit on; both are
 *  set to its place. @return false: there is none */
bool kn_open_next(const kn_open_nodes *o, unsigned height, size_t *word, unsigned *bit,
                  uint8_t *node);

#endif
