/* privacy.h -- when a class may be released, and how many rows may be lost to those that may not.
 * Models beside k-anonymity get a file each and a line in this struct. */
#ifndef KN_PRIVACY_H
#define KN_PRIVACY_H

#include "group/group.h"

typedef struct kn_privacy {
    uint64_t k;
    uint64_t allowed; /* rows that may be suppressed: floor(suppression * rows) */
} kn_privacy;

/** floor(fraction * rows), with room for the rounding of decimal fractions alone: 0.29 of 100 rows is 29. */
uint64_t kn_privacy_allowed(double fraction, uint64_t rows);

/** May a class of this size be released? */
static inline bool
kn_privacy_holds(const kn_privacy *privacy, uint64_t size)
{
    return size >= privacy->k;
}

/** No feasible node has more classes than this: each released class has at least k rows, and at
 *  most `allowed` rows stand in others. A grouping that finds more can stop at once. */
size_t kn_privacy_most_classes(const kn_privacy *privacy, uint64_t rows);

/** What a grouping means under the requirement. */
typedef struct kn_verdict {
    uint64_t outlying; /* rows in classes that may not be released */
    uint64_t classes;  /* that may be released */
    double   squares;  /* sum of their squared sizes */
} kn_verdict;

void kn_privacy_judge(const kn_privacy *privacy, const kn_grouping *grouping, kn_verdict *out);

#endif
