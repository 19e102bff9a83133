/* SPDX-License-Identifier: Apache-2.0 */
/* opening.h -- the lines that every report opens with: a verdict in plain words, before any figure. Made once
 * for each result, when everything else in it is known; the text, the page and the JSON show the same
 * lines. They name columns and counts, never a value of the table. */
#ifndef KN_RESULT_OPENING_H
#define KN_RESULT_OPENING_H

#include "base/text.h"
#include "result/finding.h"

/** A line each, without its full stop. "": there is nothing to say */
typedef struct kn_opening {
    const char *headline; /* what outweighs everything else */
    const char *left;     /* of the data */
    const char *promised, *not_promised;
    const char *look_at; /* the most serious findings, by column */
    const char *better;  /* what to do about them */
} kn_opening;
#define KN_OPENING_NONE ((kn_opening){ "", "", "", "", "", "" })

/** All but the headline, in their order, with their titles. */
enum { KN_OPENING_LINES = 5 };
typedef struct kn_opening_line {
    const char *title, *text;
} kn_opening_line;
void kn_opening_lines(const kn_opening *opening, kn_opening_line lines[KN_OPENING_LINES]);

/** Writes the lines of an opening: parts are added to the text, and each line is taken from it. */
typedef struct kn_opening_writer {
    kn_text      text;
    kn_arena    *arena; /* of the result */
    kanon_status rc;
} kn_opening_writer;

void kn_opening_begin(kn_opening_writer *writer, kn_arena *arena, kanon_ctx *ctx);
/** Before each part of a line but the first: "; ". */
void kn_opening_part(kn_opening_writer *writer);
/** The line so far, kept in the arena; the next one begins. */
const char *kn_opening_take(kn_opening_writer *writer);
/** The two lines that follow from findings, but for `better` where the caller wrote it.
 *  @return the first failure of all that was written */
kanon_status kn_opening_end(kn_opening_writer *writer, const kn_findings *findings,
                            kn_opening *opening);

#endif
