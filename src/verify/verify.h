/* SPDX-License-Identifier: Apache-2.0 */
/* verify.h -- reads a release back and proves it from its rows alone, before it gets its name. */
#ifndef KN_VERIFY_H
#define KN_VERIFY_H

#include "table/rows.h"
#include "verify/audit.h"

/** What must be true of a release. */
typedef struct kn_claim {
    size_t        ncolumns;
    const size_t *quasi; /* positions in the release */
    size_t        nquasi;
    const size_t *starred; /* columns whose cells are all `*` */
    size_t        nstarred;
    uint64_t      k;
    uint64_t      rows;    /* that it stands for */
    uint64_t      records; /* that it has */
    size_t        count; /* column that says for how many rows each stands; SIZE_MAX: for itself */
    uint64_t      classes;       /* different quasi-identifier tuples */
    bool          masked;        /* some rows are masked: they read `*` in every quasi-identifier */
    const kn_audit_rules *rules; /* models that every class satisfies; NULL: none beyond k */
} kn_claim;

/** @param[out] hash  digest of the release
 *  @return KANON_E_VERIFY if anything is not as claimed; the message says what */
kanon_status kn_verify(kanon_ctx *ctx, kn_rows_source *back, const kn_claim *claim,
                       uint8_t hash[KN_HASH_BYTES]);

#endif
