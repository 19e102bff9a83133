/* SPDX-License-Identifier: Apache-2.0 */
/* formula.h -- cells that a spreadsheet runs instead of showing them, when it opens a CSV file: whoever can
 * write a cell of a table can so make a program out of it for whoever reads the release. */
#ifndef KN_FORMATS_FORMULA_H
#define KN_FORMATS_FORMULA_H

#include "base/base.h"

/** Could the cell be one, by its first character? */
static inline bool
kn_formula_starts(kn_str cell)
{
    if (cell.len < 2)
        return false;
    switch (cell.ptr[0]) {
    case '=':
    case '+':
    case '-':
    case '@':
    case '\t':
    case '\r':
        return true;
    default:
        return false;
    }
}

/** Would a spreadsheet run the cell? Numbers (-5, +1,234.5e3, -12 %) and marks such as "--" are none. */
bool kn_is_formula(kn_str cell);

/** An apostrophe before a formula makes it text. A cell that looks as if it had one gets one more, so that
 *  different cells stay different, and kn_formula_unguarded() undoes it. */
bool   kn_formula_guards(kn_str cell);
kn_str kn_formula_unguarded(kn_str cell);

#endif
