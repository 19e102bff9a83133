/* SPDX-License-Identifier: Apache-2.0 */
/* digest.c -- see digest.h. The first text names the layout: another one gets another name. */
#include "table/digest.h"

static void
add_number(kn_hash *hash, uint64_t number)
{
    uint8_t bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t) (number >> 8 * i);
    kn_hash_add(hash, bytes, sizeof bytes);
}

/* 0 for a null, else the length and one more. */
static void
add_text(kn_hash *hash, kn_str text)
{
    add_number(hash, text.ptr ? (uint64_t) text.len + 1 : 0);
    if (text.len)
        kn_hash_add(hash, text.ptr, text.len);
}

kanon_status
kn_table_digest_init(kanon_ctx *ctx, kn_table_digest *digest, const kn_str *names,
                     const kn_str *types, size_t ncolumns)
{
    kanon_status rc = kn_hash_init(ctx, &digest->hash);

    if (rc < 0)
        return rc;
    digest->ncolumns = ncolumns;
    digest->rows = 0;
    add_text(&digest->hash, KN_STR("kanon table 1"));
    add_number(&digest->hash, ncolumns);
    for (size_t i = 0; i < ncolumns; i++) {
        add_text(&digest->hash, names[i]);
        add_text(&digest->hash, types[i]);
    }
    return KANON_OK;
}

void
kn_table_digest_row(kn_table_digest *digest, const kn_str *cells)
{
    for (size_t i = 0; i < digest->ncolumns; i++)
        add_text(&digest->hash, cells[i]);
    digest->rows++;
}

void
kn_table_digest_end(kn_table_digest *digest)
{
    add_number(&digest->hash, digest->rows);
}
