/* SPDX-License-Identifier: Apache-2.0 */
/* names.h -- the names of a table's columns: from a header line or made up. */
#ifndef KN_TABLE_NAMES_H
#define KN_TABLE_NAMES_H

#include "base/arena.h"
#include "base/base.h"

typedef struct kn_names {
    kn_arena       arena;
    kn_str        *names;
    const kn_str **sorted; /* by name, then by column */
    size_t         count;
} kn_names;

void kn_names_init(kanon_ctx *ctx, kn_names *names);
void kn_names_fini(kn_names *names);
/** Copies cells as names, without outer blanks; one that is empty becomes "columnN". */
kanon_status kn_names_copy(kanon_ctx *ctx, kn_names *names, const kn_str *cells, size_t count);
/** column1, column2 ... in place of what was there. */
kanon_status kn_names_number(kanon_ctx *ctx, kn_names *names);
size_t       kn_names_find(const kn_names *names, kn_str name);
/** Makes names unique: of equal ones the second gets "_2" behind it and so on. */
kanon_status kn_names_rename(kn_names *names);
/** Two columns (0-based) with the same name; false when there are none. */
bool kn_names_double(const kn_names *names, size_t *one, size_t *other);

#endif
