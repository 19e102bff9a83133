/* SPDX-License-Identifier: Apache-2.0 */
/* lattice.h -- nodes of the generalization lattice: one level per quasi-identifier. No data in it.
 * A node is its level vector (lattices exceed 2^64 nodes, so there is no node index). */
#ifndef KN_LATTICE_H
#define KN_LATTICE_H

#include "base/base.h"
#include "base/rng.h"

enum { KN_QUASI_MOST = 255, KN_LEVEL_MOST = 255 };

/** The box that a search works in. */
typedef struct kn_lattice {
    size_t  n;                  /* quasi-identifiers */
    uint8_t top[KN_QUASI_MOST]; /* highest level that the settings allow; h_i unless they say so */
    uint8_t low[KN_QUASI_MOST]; /* lowest level that the settings allow; 0 unless they say so */
    uint8_t floor[KN_QUASI_MOST]; /* sound lower bounds: nothing below them is feasible; >= low */
} kn_lattice;

/** Number of nodes between two level vectors, inclusive (may be inexact beyond 2^53). */
double kn_lattice_nodes(size_t n, const uint8_t *low, const uint8_t *high);
/** Sum of the levels. */
unsigned kn_node_height(size_t n, const uint8_t *node);
/** The nodes of one height between two level vectors, in lexicographic order.
 *  @return false: there is none (any more) */
bool kn_node_first(size_t n, const uint8_t *low, const uint8_t *high, unsigned height,
                   uint8_t *node);
bool kn_node_next(size_t n, const uint8_t *low, const uint8_t *high, uint8_t *node);
/** a <= b in every component. */
bool kn_node_below(size_t n, const uint8_t *a, const uint8_t *b);
void kn_node_min(size_t n, const uint8_t *a, const uint8_t *b, uint8_t *out);
void kn_node_max(size_t n, const uint8_t *a, const uint8_t *b, uint8_t *out);
/** Uniform and inclusive per component; low <= high. out may be low or high. */
void kn_node_random(size_t n, const uint8_t *low, const uint8_t *high, kn_rng *rng, uint8_t *out);

#endif
