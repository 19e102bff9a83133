/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.h -- what is left of a table after its release. */
#ifndef KN_RESULT_VERDICT_H
#define KN_RESULT_VERDICT_H

#include "result/kept.h"
#include "result/opening.h"

/** A release is worthless when more than this share of the cells of its quasi-identifiers tells nothing: `*`,
 *  or in a row that was lost. With three of four cells gone, a few columns alone would tell more. */
#define KN_WORTHLESS 0.75
/** What comes between the headline of a worthless release and the sets that could be kept. */
#define KN_COULD_KEEP ". You could keep "

typedef struct kn_result_verdict {
    kn_opening   opening;
    double       kept;   /* share of the information in the quasi-identifiers; NaN: no release */
    double       hidden; /* share of their cells that tell nothing; NaN likewise */
    bool         worthless;
    const char **gone; /* quasi-identifiers of which every cell tells nothing */
    size_t       ngone;
    kn_kept_sets sets; /* of columns that could be kept instead, where it is worthless */
} kn_result_verdict;

#endif
