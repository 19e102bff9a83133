/* SPDX-License-Identifier: Apache-2.0 */
/* refine.h -- stripped partitions: the classes of a node as lists of tuples, for searches that move step by
 * step. Going down one quasi-identifier splits each class by one column and reads nothing else; classes
 * that become too small are dropped (they stay too small further down), and so are single tuples that are
 * large enough (nothing can split them). As soon as too many rows are dropped, the node is infeasible. */
#ifndef KN_GROUP_REFINE_H
#define KN_GROUP_REFINE_H

#include "group/engine.h"

/** The classes of a feasible node. */
typedef struct kn_stripped {
    kanon_ctx *ctx;
    size_t     nmembers, nclasses;
    uint32_t  *members;  /* tuples of the engine's slab, class after class */
    uint32_t  *starts;   /* [nclasses + 1] into members */
    uint64_t   outlying; /* rows in classes that were too small */
} kn_stripped;

/** Scratch memory of one thread. */
typedef struct kn_refiner kn_refiner;

/** Room for any partition of the engine's table: 8 bytes a tuple. */
kanon_status kn_stripped_new(const kn_engine *engine, kn_stripped **out);
void         kn_stripped_free(kn_stripped *partition);
void         kn_stripped_copy(kn_stripped *to, const kn_stripped *from);

/** The engine must outlive the refiner. k and allowed as in kn_count(). */
kanon_status kn_refiner_new(const kn_engine *engine, uint64_t k, uint64_t allowed,
                            kn_refiner **out);
void         kn_refiner_free(kn_refiner *refiner);

/** The partition of a node at or above the floor. @return false: infeasible, *to is not valid */
bool kn_stripped_at(kn_refiner *refiner, const uint8_t *levels, kn_stripped *to);
/** Splits by one quasi-identifier at a lower level than the partition's; to may not be from.
 *  @return false: infeasible, *to is not valid */
bool kn_refine(kn_refiner *refiner, const kn_stripped *from, size_t quasi, unsigned level,
               kn_stripped *to);
/** The same question without the answer's classes. outlying: rows, if it is feasible. */
bool kn_refine_asks(kn_refiner *refiner, const kn_stripped *from, size_t quasi, unsigned level,
                    uint64_t *outlying);

#endif
