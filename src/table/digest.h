/* SPDX-License-Identifier: Apache-2.0 */
/* digest.h -- the digest of a table that is not stored as bytes: over names, types and cells, each text with
 * its length in front, so that no two tables are hashed as the same bytes. docs/FORMATS.md has the layout. */
#ifndef KN_TABLE_DIGEST_H
#define KN_TABLE_DIGEST_H

#include "io/hash.h"

typedef struct kn_table_digest {
    kn_hash  hash;
    size_t   ncolumns;
    uint64_t rows;
} kn_table_digest;

/** types[ncolumns]: what the format calls the type of each column. */
kanon_status kn_table_digest_init(kanon_ctx *ctx, kn_table_digest *digest, const kn_str *names,
                                  const kn_str *types, size_t ncolumns);
/** The next row. A cell whose ptr is NULL is a null, which differs from every text. */
void kn_table_digest_row(kn_table_digest *digest, const kn_str *cells);
/** After the last row; kn_rows_class.hash then gives digest->hash. */
void kn_table_digest_end(kn_table_digest *digest);

#endif
