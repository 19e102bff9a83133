/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.h -- what the searches share that go through whole heights of a lattice: nodes gathered to be checked
 * side by side, a scan over the undecided ones, and the refusal of lattices that are too large for it. */
#ifndef KN_SWEEP_H
#define KN_SWEEP_H

#include "search/search.h"

typedef struct kn_sweep {
    size_t    n;
    size_t    count;   /* gathered and not checked yet */
    size_t    checked; /* last time: so many scores are valid */
    uint8_t  *nodes;
    kn_score *scores;
} kn_sweep;

/** A failure with one line if the lattice has more nodes than `most` within its bounds. */
kanon_status kn_sweep_allow(kn_search_env *env, const char *name, double most);

kanon_status kn_sweep_init(kn_sweep *sweep, kn_search_env *env, size_t room);
void         kn_sweep_fini(kn_sweep *sweep, kn_search_env *env);
/** The `fini` of a search whose state begins with its sweep and holds nothing else to free. */
void kn_sweep_close(void *state, kn_search_env *env);

/** Gathers a node; there must be room. */
void kn_sweep_add(kn_sweep *sweep, const uint8_t *node);

/** Checks what was gathered and forgets it. Where budget or time end first, some nodes stay undecided and
 *  their scores mean nothing; the driver then ends the search before its next step. So a search concludes
 *  in a step that has nothing to check. */
kanon_status kn_sweep_check(kn_sweep *sweep, kn_search_env *env);

/** Goes through the nodes of one height between two level vectors, in lexicographic order, and stops at those
 *  that monotonicity does not decide. low and high are borrowed. */
typedef struct kn_scan {
    const uint8_t *low, *high;
    unsigned       height;
    bool           inside;
    uint8_t        node[KN_QUASI_MOST]; /* where it stands */
} kn_scan;

typedef enum { KN_SCAN_FOUND, KN_SCAN_PAUSED, KN_SCAN_END } kn_scan_state;

void kn_scan_begin(kn_scan *scan, const uint8_t *low, const uint8_t *high, unsigned height);
/** Goes on to the next undecided node. *visits is counted down; at 0 the scan pauses, and goes on with the
 *  next call. */
kn_scan_state kn_scan_next(kn_scan *scan, kn_search_env *env, size_t *visits);

#endif
