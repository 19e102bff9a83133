/* SPDX-License-Identifier: Apache-2.0 */
/* repeats.h -- several rows of one person, where no column says so: more rows agree in all quasi-identifiers
 * than people would by chance. */
#ifndef KN_LINKAGE_REPEATS_H
#define KN_LINKAGE_REPEATS_H

#include "table/table.h"

typedef struct kn_repeats {
    uint64_t rows;       /* that agree in all quasi-identifiers with another row */
    double   pairs;      /* of such rows */
    double   expected;   /* pairs by chance, as far as the columns depend on each other by twos */
    bool     improbable; /* far more than expected: hardly different people */
} kn_repeats;

kanon_status kn_link_repeats(kanon_ctx *ctx, const kn_table *table, kn_repeats *out);

#endif
