/* SPDX-License-Identifier: Apache-2.0 */
/* row_audit.h -- verifies models about columns that the release does not show (persons, or the k of each
 * record, if those are identifiers). A reader of the release cannot check them, so this sees every
 * row on its way out: the released quasi-identifiers and the original cells. */
#ifndef KN_VERIFY_ROW_AUDIT_H
#define KN_VERIFY_ROW_AUDIT_H

#include "verify/audit.h"

typedef struct kn_row_audit kn_row_audit;

/** rules: their places are columns of the input; they must outlive it. */
kanon_status kn_row_audit_new(kanon_ctx *ctx, const kn_audit_rules *rules, kn_row_audit **out);
void         kn_row_audit_free(kn_row_audit *audit);
/** A row that is released or masked: its quasi-identifiers as they are written, its cells in the input, how
 *  many rows it stands for. */
kanon_status kn_row_audit_add(kn_row_audit *audit, const kn_str *texts, size_t nquasi,
                              const kn_str *cells, uint64_t weight);
/** After the last row. @return KANON_E_VERIFY when a class does not satisfy a rule */
kanon_status kn_row_audit_end(kn_row_audit *audit);

#endif
