/* SPDX-License-Identifier: Apache-2.0 */
/* profile.h -- what a profile requires of a release, and what was found of each requirement. */
#ifndef KN_RESULT_PROFILE_H
#define KN_RESULT_PROFILE_H

#include "result/tree.h"

typedef enum {
    KN_MET,
    KN_NOT_MET,
    KN_NOT_FOUND,   /* recognition found nothing that the requirement is about */
    KN_FOR_A_PERSON /* it cannot be counted, or not in this table */
} kn_met;

typedef struct kn_required {
    const char *section, *what, *source;
    kn_met      status;
    const char *found; /* in words; names columns, never a value */
} kn_required;

/** name NULL: none was asked for. */
typedef struct kn_result_profile {
    const char  *name, *title, *source;
    kn_required *of;
    size_t       count;
    size_t       counts[KN_FOR_A_PERSON + 1]; /* by status */
} kn_result_profile;

extern const char *const  kn_met_names[]; /* by status; ends with NULL */
extern const kn_described kn_shape_profile;

#endif
