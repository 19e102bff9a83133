/* SPDX-License-Identifier: Apache-2.0 */
/* arrow.h -- tables in memory as Arrow arrays: one implementation of rows.h. The arrays stay where and
 * as they are; cells become text when a pass comes to them. */
#ifndef KN_ARROW_H
#define KN_ARROW_H

#include "base/arena.h"
#include "formats/arrow_type.h"
#include "table/digest.h"
#include "table/rows.h"

/** What the schema says of a column. */
typedef struct kn_arrow_column {
    const char   *name;       /* as given, "" where there is none */
    const char   *format;     /* of the column; of the indices where it has a dictionary */
    const char   *dictionary; /* format of the dictionary's values, or NULL */
    kn_arrow_type type;       /* of the values, wherever they are */
    kn_arrow_type index;      /* of the indices */
    int64_t       flags;      /* ARROW_FLAG_... */
} kn_arrow_column;

/** A column in a batch. */
typedef struct kn_arrow_part {
    kn_arrow_values values;  /* of the rows, or of the dictionary */
    kn_arrow_values indices; /* into the dictionary; type NULL: there is none */
    const kn_str   *texts;   /* [values.length] of a dictionary whose values are not text */
} kn_arrow_part;

typedef struct kn_arrow_batch {
    struct ArrowArray array;
    kn_arrow_part    *parts; /* per column */
    uint64_t          start; /* rows before it */
    size_t            rows;
} kn_arrow_batch;

typedef enum { KN_ARROW_OWNED, KN_ARROW_BORROWED } kn_arrow_owner;

/** Columns and batches, checked: nothing in them points where it must not. */
typedef struct kn_arrow_table {
    kn_rows_source   base;
    kanon_ctx       *ctx;
    kn_arena         arena; /* texts of the schema and of dictionaries */
    kn_names         names;
    size_t           ncolumns;
    kn_arrow_column *columns;
    kn_arrow_batch  *batches;
    size_t           nbatches, capacity;
    kn_arrow_owner   owner; /* BORROWED: the batches are somebody else's to release */
    uint64_t         rows;
    kn_table_digest  digest;
    const kn_rows   *digesting; /* the pass that computes the digest */
    bool             digested;
} kn_arrow_table;

/** Drains a stream into a table. The stream is released, whatever happens.
 *  @param name  for messages; copied
 *  @return KANON_E_UNSUPPORTED for a type that a table cannot have, KANON_E_PARSE for arrays that are not
 *          what their schema says, KANON_E_IO when the stream fails */
kanon_status kn_arrow_table_read(kanon_ctx *ctx, const char *name, struct ArrowArrayStream *stream,
                                 kn_arrow_table **out);
/** A table over a schema and batches that stay the caller's. */
kanon_status kn_arrow_table_over(kanon_ctx *ctx, const char *name, const struct ArrowSchema *schema,
                                 const struct ArrowArray *batches, size_t count,
                                 kn_arrow_table **out);
void         kn_arrow_table_free(kn_arrow_table *table);
/** The Arrow table behind a source, or NULL when it is of another format. */
const kn_arrow_table *kn_arrow_table_of(const kn_rows_source *source);
/** Where row `number` of the table lies. */
const kn_arrow_batch *kn_arrow_table_locate(const kn_arrow_table *table, uint64_t number,
                                            size_t *index);
/** A cell of a batch; see kn_arrow_cell. */
kn_str kn_arrow_part_cell(const kn_arrow_part *part, size_t index, char room[KN_ARROW_ROOM]);
/** Do two parts have the same dictionary, in the same memory? */
bool kn_arrow_same_dictionary(const kn_arrow_part *a, const kn_arrow_part *b);

/* --- checks (arrow_check.c): whatever comes from outside goes through them first ------------------- */

/** Takes the columns from a schema; texts are copied. */
kanon_status kn_arrow_check_schema(kn_arrow_table *table, const struct ArrowSchema *schema);
/** Fills in a batch's parts and rows from its array. */
kanon_status kn_arrow_check_batch(kn_arrow_table *table, kn_arrow_batch *batch);

#endif
