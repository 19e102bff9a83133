/* SPDX-License-Identifier: Apache-2.0 */
/* shortest.h -- a floating-point number with the fewest digits that read back, in any locale. */
#ifndef KN_SHORTEST_H
#define KN_SHORTEST_H

#include "base/base.h"

enum { KN_SHORTEST_ROOM = 32 };

/** How many bits a number was stored in: 0.1 as a float needs one digit, the same number as a double nine
 *  more. */
typedef enum { KN_FLOAT_16, KN_FLOAT_32, KN_FLOAT_64 } kn_float_size;

/** Writes a number; value holds one of that size exactly. Equal texts mean equal numbers: "-0" is not "0".
 *  "NaN", "inf" and "-inf" where it is no number. @return the length; there is no NUL */
size_t kn_shortest(char room[KN_SHORTEST_ROOM], double value, kn_float_size size);

#endif
