/* SPDX-License-Identifier: Apache-2.0 */
/* witness.h -- verifies models about columns that the release does not show (persons, or the k of each
 * record, if those are identifiers). A reader of the release cannot check them, so the witness sees every
 * row on its way out: the released quasi-identifiers and the original cells. */
#ifndef KN_TRANSFORM_WITNESS_H
#define KN_TRANSFORM_WITNESS_H

#include "verify/audit.h"

typedef struct kn_witness kn_witness;

/** rules: their places are columns of the input; they must outlive it. */
kanon_status kn_witness_new(kanon_ctx *ctx, const kn_audit_rules *rules, kn_witness **out);
void         kn_witness_free(kn_witness *witness);
/** A row that is released or masked: its quasi-identifiers as they are written, its cells in the input, how
 *  many rows it stands for. */
kanon_status kn_witness_row(kn_witness *witness, const kn_str *texts, size_t nquasi,
                            const kn_str *cells, uint64_t weight);
/** After the last row. @return KANON_E_VERIFY when a class does not satisfy a rule */
kanon_status kn_witness_judge(kn_witness *witness);

#endif
