/* SPDX-License-Identifier: Apache-2.0 */
/* cover.h -- the proven best of a lattice of up to a hundred million nodes, by looks at few of them.
 * Shared by the searches that prove; cover.c has the method. */
#ifndef KN_COVER_H
#define KN_COVER_H

#include "search/open_nodes.h"

/** Chains that are looked at side by side. The engine collapses the table anew for more nodes than that. */
enum { KN_COVER_CHAINS = 7 };

typedef struct kn_cover {
    kn_open_nodes open;
    bool          collapsed; /* the copies of the table are made */
    bool          steady;    /* nodes below one suppress no fewer rows */
    uint8_t      *node;      /* scratch */
    uint8_t      *nodes;     /* gathered, to be looked at */
    kn_score     *scores;
    size_t
        *raised; /* of each: by which quasi-identifier's last level an infeasible node became it */
    size_t   count;
    double   closed_at; /* best loss when the dear ones were closed */
    unsigned height;    /* above the floor: where the highest open nodes are */
    size_t   word;      /* from here on, in this height */
    uint8_t *chains;    /* [KN_COVER_CHAINS]: infeasible nodes to be raised */
    size_t   nchains;
    bool     walking;
    uint8_t *walk; /* feasible: where the walk is */
    kn_score walk_score;
    uint64_t told_at; /* looks when the bound was told */
} kn_cover;

/** Is the lattice small enough? */
bool         kn_cover_fits(const kn_lattice *lattice);
kanon_status kn_cover_init(kn_cover *s, kn_search_env *env);
void         kn_cover_fini(kn_cover *s);
/** A few looks. Tells the driver what it finds, the bound, and the proof in the end. */
kanon_status kn_cover_step(kn_cover *s, kn_search_env *env, kn_step *next);

#endif
