/* SPDX-License-Identifier: Apache-2.0 */
/* group.h -- the tuples of a table, and their classes at a node, plainly: every tuple gets the number of its
 * class. For what comes after a search; searches count through engine.h, which shares nothing with this but
 * the view, so that each is a second opinion on the other. */
#ifndef KN_GROUP_H
#define KN_GROUP_H

#include "hierarchy/hierarchy.h"
#include "table/table.h"

/** How the codes of one column become coarser. */
typedef struct kn_axis {
    size_t           nlevels;
    size_t           ncodes;
    const uint32_t **maps;    /* [nlevels] each [ncodes]: code -> group */
    const uint32_t  *ngroups; /* [nlevels] */
} kn_axis;

/** The tuples that are grouped; all pointers are borrowed. */
typedef struct kn_view {
    size_t          nquasi, ntuples;
    uint64_t        rows;
    const kn_axis  *axes;
    const kn_codes *codes;
    const uint32_t *weights;
} kn_view;

/** Does each column have that level? */
static inline bool
kn_view_has(const kn_view *view, const uint8_t *levels)
{
    for (size_t i = 0; i < view->nquasi; i++)
        if (levels[i] >= view->axes[i].nlevels)
            return false;
    return true;
}

/** The classes of a node. Ids may have gaps (size 0). */
typedef struct kn_grouping {
    const uint32_t *class_of; /* [ntuples] */
    const uint64_t *sizes;    /* [nids], in rows */
    size_t          nids;
    const uint8_t *holds; /* [nids] may the class be released? NULL: it has not been judged, and its
                              size decides */
    bool           complete; /* false: more classes than asked for; nothing else is valid */
} kn_grouping;

/** Scratch memory for one thread. */
typedef struct kn_workspace kn_workspace;

/** @param most_classes  grouping may stop when there are more (SIZE_MAX: never) */
kanon_status kn_workspace_new(kanon_ctx *ctx, const kn_view *view, size_t most_classes,
                              kn_workspace **out);
void         kn_workspace_free(kn_workspace *ws);
/** Bytes that a workspace for a view will take, for planning. */
size_t kn_workspace_bytes(const kn_view *view, size_t most_classes);

/** Ids that a grouping of a view can have at most. */
size_t kn_workspace_ids(const kn_view *view, size_t most_classes);

/** Groups the tuples at a node. Allocates nothing, cannot fail. The result is valid until the next call
 *  with the same workspace. */
void kn_group(kn_workspace *ws, const uint8_t *levels, kn_grouping *out);

/** Axes of hierarchies, borrowed from them. */
kanon_status kn_axes_new(kanon_ctx *ctx, kanon_hierarchy *const *hierarchies, size_t count,
                         kn_axis **out);
void         kn_axes_free(kanon_ctx *ctx, kn_axis *axes, size_t count);

#endif
