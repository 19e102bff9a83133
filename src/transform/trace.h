/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h -- the class of every row, for a caller who asked for it before the job. A class is what a reader
 * of the release sees: the rows that show the same in every quasi-identifier, masked rows among them. */
#ifndef KN_TRANSFORM_TRACE_H
#define KN_TRANSFORM_TRACE_H

#include "base/text.h"
#include "kanon/job.h"
#include "result/classes.h"

typedef struct kn_trace kn_trace;

/** @param wanted  KANON_ROWS_RELEASED, KANON_ROWS_ORIGINAL or both
 *  @param rows    of the original table, at most */
kanon_status kn_trace_new(kanon_ctx *ctx, unsigned wanted, uint64_t rows, kn_trace **out);
void         kn_trace_free(kn_trace *trace);
/** A row with these released cells is about to be written; its class is appended to its record. */
kanon_status kn_trace_row(kn_trace *trace, uint64_t row, const kn_str *labels, size_t count,
                          kn_text *record);
/** A record leaves, in the order of the release. Takes the class off its end.
 *  @return the bytes that are the format's */
size_t kn_trace_leave(kn_trace *trace, const char *record, size_t bytes);
/** Classes that have left. */
size_t kn_trace_classes(const kn_trace *trace);
/** After the last record: moves the arrays to the caller. */
void kn_trace_take(kn_trace *trace, kn_row_classes out[KN_ROWS_KINDS]);

#endif
