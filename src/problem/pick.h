/* SPDX-License-Identifier: Apache-2.0 */
/* pick.h -- a point of a front, compared with the table to be released. */
#ifndef KN_PROBLEM_PICK_H
#define KN_PROBLEM_PICK_H

#include "problem/problem.h"

enum { KN_PRINT_TEXT = 33 };

/** What a hierarchy does to the table's values at each level, as 32 hexadecimal digits. Tells nothing of
 *  the values themselves. */
kanon_status kn_pick_print(const kn_problem *problem, size_t quasi, char out[KN_PRINT_TEXT]);
/** The levels that the config's pick asks for. @return KANON_E_INVALID when the table, the
 *  quasi-identifiers or their hierarchies are not those of the front, or more is asked for than the point
 *  has */
kanon_status kn_pick_levels(const kn_problem *problem, uint8_t *levels);
/** Warns of each setting that the promise of the point depends on and that is not what it was for the
 *  front. */
void kn_pick_warn_changed(const kn_problem *problem);
/** Warns when more or fewer rows are suppressed than in the front. */
void kn_pick_warn_rows(const kn_problem *problem, uint64_t suppressed);
/** Warns of settings that would choose levels, which a point of a front has already. */
void kn_pick_warn_unused(const kn_problem *problem);

#endif
