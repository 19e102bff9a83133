/* SPDX-License-Identifier: Apache-2.0 */
/* plain.h -- numbers and names for people: thousands separators, percentages, columns that line up.
 * The same bytes in every locale, and no byte that could steer a terminal. */
#ifndef KN_PLAIN_H
#define KN_PLAIN_H

#include "base/text.h"

/** A part of all of something; 0 where there is nothing. */
static inline double
kn_share(uint64_t part, uint64_t all)
{
    return all ? (double) part / (double) all : 0;
}

/** 1,234,567 */
void kn_plain_count(kn_text *text, uint64_t value);
/** "1 row", "2,000 rows", "3 classes": the word gets its plural unless the count is 1. */
void kn_plain_counted(kn_text *text, uint64_t count, const char *word);
/** Rounded to so many decimals (0..6): 12.50; "-" when it is not finite. */
void kn_plain_fixed(kn_text *text, double value, unsigned decimals);
/** Four decimals at most, without trailing zeros; very large or very small values as 1.20e+30. */
void kn_plain_number(kn_text *text, double value);
/** A share as "12.5 %". Never rounds to 0 or 100 what is neither: "<0.1 %", ">99.9 %". */
void kn_plain_percent(kn_text *text, double share);
/** "4.2 MB" */
void kn_plain_bytes(kn_text *text, uint64_t bytes);
/** A name or other foreign text: control characters become '?', bytes that are no UTF-8 too; cut
 *  with "..." when it has more than `most` characters (0: never). */
void kn_plain_name(kn_text *text, const char *name, size_t most);
/** Items of a sentence, of which at most so many are named: "a", "a and b", "a, b and 3 more". Writes what
 *  stands before item `at` of `count`, or the number of the rest in place of the first that is not named.
 *  @return whether the item itself is to be written */
bool kn_plain_item(kn_text *text, size_t at, size_t count, size_t most);
/** A word of a shell command, in quotes where a shell would act on it; control characters become '?'. */
void kn_plain_word(kn_text *text, const char *word);
/** The same for the name of a column as options take it: in double quotes where it holds , = or ". rest: what
 *  follows it within the word, such as "=FILE"; may be "" */
void kn_plain_column(kn_text *text, const char *name, const char *rest);
/** Fills the line up with blanks to a column (0-based) counted from its last newline; at least one
 *  blank unless the line already ends there. */
void kn_plain_pad(kn_text *text, size_t column);
/** The columns that a report may have where it would like `most`: what the context allows, 60 at least. */
size_t kn_plain_width(const kn_text *text, size_t most);
/** A paragraph with a label before it: where it began. */
size_t kn_plain_begin(kn_text *text, size_t indent, const char *label);
/** Its end: what was added since is broken into lines, which stand beside the label. */
void kn_plain_end(kn_text *text, size_t from, size_t width, size_t indent);
/** Of a run of columns that are all alike, the first ones are listed when it is longer than most. */
enum { KN_PLAIN_RUN_MOST = 20, KN_PLAIN_RUN_LISTED = 10 };
/** The line for the rest of them: "... 280 more columns, up to z: WHAT". */
void kn_plain_folded(kn_text *text, size_t columns, const char *last, const char *what);
/** Breaks lines longer than width (or than the context allows) between words, from byte `from` on;
 *  continuation lines are indented. */
void kn_plain_wrap(kn_text *text, size_t from, size_t width, size_t indent);

#endif
