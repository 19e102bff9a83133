/* SPDX-License-Identifier: Apache-2.0 */
/* coarse.h -- one quasi-identifier's groups, renumbered so that coarsening keeps the order: where two
 * values are neighbours at a level, the values between them are in the same groups at every higher one.
 * Tuples sorted by such numbers have the groups of every level as runs. */
#ifndef KN_GROUP_COARSE_H
#define KN_GROUP_COARSE_H

#include "group/group.h"

typedef struct kn_coarse {
    const kn_axis *axis;    /* borrowed */
    uint32_t      *ngroups; /* [nlevels], those that occur */
    uint32_t     **number;  /* [nlevels] each [axis->ngroups[level]] */
} kn_coarse;

kanon_status kn_coarse_new(kanon_ctx *ctx, const kn_axis *axes, size_t count, kn_coarse **out);
void         kn_coarse_free(kanon_ctx *ctx, kn_coarse *coarse, size_t count);

/** The number of a code's group. */
static inline uint32_t
kn_coarse_at(const kn_coarse *c, size_t level, size_t code)
{
    return c->number[level][c->axis->maps[level][code]];
}

/** map[ngroups[from]]: a group's number at a level, as its number at the same or a higher one. */
void kn_coarse_map(const kn_coarse *c, size_t from, size_t to, uint32_t *map);

#endif
