/* SPDX-License-Identifier: Apache-2.0 */
/* problem.h -- a learned table made ready for a search: hierarchies, axes, lattice, requirement. */
#ifndef KN_PROBLEM_H
#define KN_PROBLEM_H

#include "config/config.h"
#include "encode/learn.h"
#include "problem/models.h"
#include "search/search.h"

struct kn_problem {
    kanon_ctx           *ctx;
    const kanon_config  *config;
    kn_rows_source      *source; /* with its cells coded */
    kn_rows_source      *stored; /* as it is stored: the same where nothing is coded */
    kn_str              *missing;
    kn_learned          *learned;
    size_t               nlabels;    /* sensitive columns and the label; others come after them */
    const kn_attribute **attributes; /* per learned column; NULL: the config does not name it */
    kanon_hierarchy    **hierarchies;
    const uint64_t     **value_rows;
    double              *weights; /* per quasi-identifier; NULL: none was given */
    kn_axis             *axes;
    kn_view              view;
    kn_scale             scale;
    kn_privacy           privacy;
    kn_lattice           lattice;
    kn_models            models;
};

/** Reads the table (first pass), makes the hierarchies, finds the lower bounds. */
kanon_status kn_problem_init(kn_problem *problem, kanon_ctx *ctx, const kanon_config *config,
                             kn_rows_source *source);
void         kn_problem_fini(kn_problem *problem);
/** Levels from low to high. */
typedef struct kn_levels {
    unsigned low, high;
} kn_levels;

/** The levels that the config allows a quasi-identifier. Refuses those that its hierarchy does not have, and
 *  limits that leave none. */
kanon_status kn_level_range(kanon_ctx *ctx, const kn_attribute *attribute,
                            const kanon_hierarchy *hierarchy, kn_levels *out);
/** The values of a quasi-identifier, with what the config says about their labels. */
kn_domain kn_problem_domain(const kn_problem *problem, size_t quasi);

#endif
