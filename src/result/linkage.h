/* SPDX-License-Identifier: Apache-2.0 */
/* linkage.h -- what columns beside the quasi-identifiers say about the rows of a class, and the
 * columns by name: see linkage/linkage.h for what is counted. */
#ifndef KN_RESULT_LINKAGE_H
#define KN_RESULT_LINKAGE_H

#include "base/arena.h"
#include "linkage/linkage.h"

typedef struct kn_result_linked {
    const char   *name;
    bool          sensitive;
    kn_link_count count;
} kn_result_linked;

typedef struct kn_result_set {
    const char *columns[KN_LINKED_MOST];
    size_t      count;
    uint64_t    alone;
} kn_result_set;

typedef struct kn_result_family {
    size_t        count, tried;
    bool          exact;
    kn_link_count together;
    kn_result_set worst[KN_LINKED_MOST];
    size_t        nworst;
} kn_result_family;

typedef struct kn_result_dependency {
    const char   *column, *quasi;
    bool          sensitive;
    kn_dependence kind;
    double        strength;
    kn_link_count left;
} kn_result_dependency;

typedef struct kn_result_linkage {
    uint64_t              rows; /* 0: nothing was looked at */
    uint64_t              sampled, large_rows;
    bool                  exact;
    kn_result_linked     *columns;
    size_t                ncolumns;
    kn_result_family      open, all;
    kn_result_dependency *dependencies;
    size_t                ndependencies;
} kn_result_linkage;

/** Copies what was counted. names: of the quasi-identifiers, then of further columns; they live as long as
 *  the arena. */
kanon_status kn_result_link(kn_result_linkage *to, kn_arena *arena, const kn_linkage *from,
                            const kn_link_plan *plan, const char *const *names);

#endif
