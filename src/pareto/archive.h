/* SPDX-License-Identifier: Apache-2.0 */
/* archive.h -- the non-dominated points found so far, at most one per box (Dewri et al. 2010, Section 5,
 * Algorithm 1). Values are laid into boxes whose sides are the discretization vector; a point in a better
 * box drives out those in worse ones, and within a box the better point stays. */
#ifndef KN_ARCHIVE_H
#define KN_ARCHIVE_H

#include "pareto/property.h"

/** A point of a front. */
typedef struct kn_point {
    double   values[KN_OBJECTIVES_MOST];
    double   cost[KN_OBJECTIVES_MOST]; /* the same, so that less is better */
    double   box[KN_OBJECTIVES_MOST];  /* where it lies, less is better; whole numbers */
    uint64_t k, suppressed, classes;
    uint8_t  levels[KN_QUASI_MOST];
} kn_point;

typedef enum {
    KN_KEEP_FIRST, /* of two in a box that do not dominate each other: as the paper is written */
    KN_KEEP_LEAST /* the one that comes first in an order: what is kept depends on no order of arrival */
} kn_keep;

typedef struct kn_archive {
    kanon_ctx           *ctx;
    const kn_objectives *objectives;
    size_t               n; /* quasi-identifiers */
    kn_keep              keep;
    kn_point           **points;
    size_t               count, room;
    kn_point           **spare; /* points that were driven out */
    size_t               nspare, spare_room;
} kn_archive;

void kn_archive_init(kn_archive *archive, kanon_ctx *ctx, const kn_objectives *objectives, size_t n,
                     kn_keep keep);
void kn_archive_fini(kn_archive *archive);

/** Fills cost and box from the values. */
void kn_point_place(const kn_objectives *objectives, kn_point *point);
/** Is a nowhere worse than b, and somewhere better? By values. */
bool kn_point_dominates(const kn_objectives *objectives, const kn_point *a, const kn_point *b);
/** The same by boxes, and by values within one: the paper's box-dominance. */
bool kn_point_boxes(const kn_objectives *objectives, const kn_point *a, const kn_point *b);

/** Is b's box nowhere better than a's? */
bool kn_point_covers(const kn_objectives *objectives, const kn_point *a, const kn_point *b);

/** Takes a copy of a placed point, if it belongs there. *taken may be NULL. */
kanon_status kn_archive_offer(kn_archive *archive, const kn_point *point, bool *taken);
/** Would a placed point be turned away? */
bool kn_archive_refuses(const kn_archive *archive, const kn_point *point);
/** By the value of the first objective, then the second ...; smaller values first. */
void kn_archive_sort(kn_archive *archive);

#endif
