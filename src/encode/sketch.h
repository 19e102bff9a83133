/* SPDX-License-Identifier: Apache-2.0 */
/* sketch.h -- estimates how many distinct values a column has, in two kilobytes. For columns that a job
 * does not learn, so that it can still warn about those that are nearly unique. */
#ifndef KN_SKETCH_H
#define KN_SKETCH_H

#include "base/base.h"

enum { KN_SKETCH_BITS = 11, KN_SKETCH_BYTES = 1 << KN_SKETCH_BITS };

/** Zeroed is empty. */
typedef struct kn_sketch {
    uint8_t most[KN_SKETCH_BYTES];
} kn_sketch;

void kn_sketch_add(kn_sketch *sketch, kn_str value);
/** The number of different values added, within a few percent. */
uint64_t kn_sketch_count(const kn_sketch *sketch);

#endif
