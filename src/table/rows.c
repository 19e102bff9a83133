/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c -- what all formats have in common. */
#include "table/rows.h"

#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_MOST = 512 };

void
kn_rows_close(kn_rows *rows)
{
    if (rows)
        rows->class->close(rows);
}

void
kn_rows_digest(const kn_rows *rows, uint8_t digest[KN_HASH_BYTES])
{
    const kn_hash *hash = rows->class->hash(rows);

    assert(hash);
    if (hash)
        kn_hash_end(hash, digest);
    else
        memset(digest, 0, KN_HASH_BYTES);
}

kanon_status
kn_rows_fail(const kn_rows *rows, kanon_status status, const char *format, ...)
{
    uint64_t line = kn_rows_line(rows);
    char     what[MESSAGE_MOST];
    va_list  args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (line)
        return kn_fail_at(rows->ctx, status, rows->name, line, "%s", what);
    return kn_fail_at(rows->ctx, status, rows->name, 0, "row %llu: %s",
                      (unsigned long long) rows->number, what);
}
