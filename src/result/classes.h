/* SPDX-License-Identifier: Apache-2.0 */
/* classes.h -- the class of each row of a table, as kanon_result_classes() hands it out. */
#ifndef KN_RESULT_CLASSES_H
#define KN_RESULT_CLASSES_H

#include "base/base.h"

/** Of the released rows and of the original ones, in this order. */
enum { KN_ROWS_RELEASED, KN_ROWS_ORIGINAL, KN_ROWS_KINDS };

typedef struct kn_row_classes {
    int64_t *numbers; /* [count]; -1: the row was left out */
    size_t   count;
    bool     kept; /* the caller asked for it */
} kn_row_classes;

#endif
