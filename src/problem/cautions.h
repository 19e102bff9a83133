/* SPDX-License-Identifier: Apache-2.0 */
/* cautions.h -- warnings about the columns of a table that could make a job's answer misleading. */
#ifndef KN_CAUTIONS_H
#define KN_CAUTIONS_H

#include "problem/problem.h"

/** Counts the values that differ in their spelling alone, in each column whose values a model counts, and
 *  warns of them: to a model they are different values. Fills in the counts of the problem's models. */
kanon_status kn_caution_spellings(kn_problem *problem);
/** Warns when the column that tells persons apart is not an identifier: its cells are released. */
kanon_status kn_caution_entity(const kn_problem *problem);
/** Warns of columns without a role that are released and called like one that has a role, but for blanks or
 *  case. */
kanon_status kn_caution_twins(const kn_problem *problem);

#endif
