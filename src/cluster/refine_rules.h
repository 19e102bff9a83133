/* SPDX-License-Identifier: Apache-2.0 */
/* refine_rules.h -- the columns of a space as narrow lanes, and what boxes of them cost. */
#ifndef KN_REFINE_RULES_H
#define KN_REFINE_RULES_H

#include "cluster/space.h"
#include "lattice/lattice.h"

enum {
    KN_LANES = 8,         /* to a block */
    KN_LANE_MOST = 32767, /* columns with more values are searched in bins */
    KN_BLOCKS_MOST = (KN_QUASI_MOST + KN_LANES - 1) / KN_LANES
};

typedef int16_t kn_lane;
typedef kn_lane kn_lanes __attribute__((vector_size(KN_LANES * sizeof(kn_lane)), may_alias));

/** How a lane is priced. */
typedef struct kn_refine_rule {
    const uint32_t *costs; /* numbers: value of each; tables: [least * n + greatest] */
    uint32_t        n;     /* values or bins */
    uint32_t        whole; /* flat: cost of two different values */
    size_t          quasi;
    uint32_t       *bin_of;  /* [rank]; NULL: ranks are used as they are */
    uint32_t       *rank_of; /* [bin] its first rank; NULL likewise */
    uint32_t       *inside;  /* [bin] what different values of one bin cost; NULL likewise */
    uint32_t       *own;     /* memory behind costs, if it is not the space's */
} kn_refine_rule;

/** Lanes are sorted by the way in which they are priced. */
typedef struct kn_refine_rules {
    const kn_space *space;
    size_t          numbers, flats, tables, all; /* where each kind ends; the last one is odd */
    bool            binned; /* costs are nearly, but not quite those of the space */
    kn_refine_rule  lane[KN_QUASI_MOST];
} kn_refine_rules;

/** The space must outlive the rules. Nothing is left to free after a failure. */
kanon_status kn_refine_rules_init(kn_refine_rules *rules, const kn_space *space);
void         kn_refine_rules_fini(kn_refine_rules *rules);
/** A point as lanes. */
void kn_refine_rules_lanes(const kn_refine_rules *rules, const uint32_t *ranks, kn_lane *lanes);
/** What one row costs in a class with these least and greatest lanes. */
uint32_t kn_refine_rules_cost(const kn_refine_rules *rules, const kn_lane *least,
                              const kn_lane *greatest);
/** The cost of a lane that is neither a plain number, nor flat, nor tabulated. */
uint32_t kn_refine_rules_odd(const kn_refine_rules *rules, size_t lane, uint32_t least,
                             uint32_t greatest);

#endif
