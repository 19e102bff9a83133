/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_out.h -- a release as an Arrow stream: one implementation of rows_out.h. A record holds the
 * number of its row and the codes of its labels; columns that stay unchanged are copied from the arrays
 * of the original table once the order is known. What is handed out needs neither table nor context. */
#ifndef KN_ARROW_OUT_H
#define KN_ARROW_OUT_H

#include "formats/arrow.h"
#include "table/dict.h"
#include "table/rows_out.h"

/* --- what is handed out (arrow_export.c) ----------------------------------------------------------- */

/** A column of the schema. */
typedef struct kn_arrow_field {
    char       *name;
    const char *format;     /* of the indices where there is a dictionary */
    const char *dictionary; /* format of its values, or NULL */
    int64_t     flags;
} kn_arrow_field;

typedef enum { KN_ARROW_PLAIN, KN_ARROW_WITH_DICTIONARY } kn_arrow_shape;

/** An array without buffers yet; those that are put into it, from kn_alloc, are released with it. `out` is
 *  untouched on failure. */
kanon_status kn_arrow_array_new(kanon_ctx *ctx, size_t nbuffers, kn_arrow_shape shape,
                                struct ArrowArray *out);
/** A struct of columns, all of them released yet. */
kanon_status kn_arrow_struct_new(kanon_ctx *ctx, size_t ncolumns, size_t rows,
                                 struct ArrowArray *out);
/** Puts a buffer into an array; NULL: there was no memory for it. */
static inline kanon_status
kn_arrow_put_buffer(struct ArrowArray *array, size_t at, void *buffer)
{
    assert((int64_t) at < array->n_buffers && !array->buffers[at]);
    array->buffers[at] = buffer;
    return buffer ? KANON_OK : KANON_E_NOMEM;
}

typedef struct kn_arrow_export kn_arrow_export;

/** Batches behind a schema, on their way out. Fields are copied. */
kanon_status kn_arrow_export_new(kanon_ctx *ctx, const kn_arrow_field *fields, size_t count,
                                 kn_arrow_export **out);
/** Takes the batch; on failure it is released. */
kanon_status kn_arrow_export_add(kanon_ctx *ctx, kn_arrow_export *export, struct ArrowArray *batch);
/** A table over what will be handed out. */
kanon_status kn_arrow_export_read(kanon_ctx *ctx, kn_arrow_export *export, const char *name,
                                  kn_arrow_table **out);
/** Hands all out: the stream owns the export from here on. */
void kn_arrow_export_start(kn_arrow_export *export, struct ArrowArrayStream *stream);
void kn_arrow_export_free(kn_arrow_export *export);

/* --- columns (arrow_column.c) ---------------------------------------------------------------------- */

/** Texts of a column of the release, by row. ptr == NULL: null. */
typedef struct kn_arrow_texts {
    kn_str (*at)(const void *user, size_t row);
    const void *user;
} kn_arrow_texts;

/** Rows first .. first + count - 1 of a release. */
typedef struct kn_arrow_span {
    size_t first, count;
} kn_arrow_span;

/** Texts as utf8 (offsets of `width` bytes, 4 or 8) or, with width 16, as utf8_view. */
kanon_status kn_arrow_put_texts(kanon_ctx *ctx, kn_arrow_texts texts, kn_arrow_span span,
                                unsigned width, struct ArrowArray *out);

/** A column of a table in another order: row i of the release is row rows[i] of the table. */
typedef struct kn_arrow_copy {
    const kn_arrow_table *table;
    size_t                column;
    const uint64_t       *rows;
} kn_arrow_copy;

/** The texts of a column of texts. */
kn_arrow_texts kn_arrow_copy_texts(const kn_arrow_copy *copy);
/** Values of a column without a dictionary, bit by bit; under a null is nothing. */
kanon_status kn_arrow_put_copy(kanon_ctx *ctx, const kn_arrow_copy *copy, kn_arrow_span span,
                               struct ArrowArray *out);

/** One dictionary for the whole release, with the values that occur in it and no other. */
typedef struct kn_arrow_merged kn_arrow_merged;

/** @param rows  of the release */
kanon_status kn_arrow_merged_new(kanon_ctx *ctx, const kn_arrow_copy *copy, size_t rows,
                                 kn_arrow_merged **out);
void         kn_arrow_merged_free(kn_arrow_merged *merged);
/** The format of the indices: that of the original unless the dictionaries of its batches, which may differ,
 *  have more values together than fit. */
const char  *kn_arrow_merged_format(const kn_arrow_merged *merged);
kanon_status kn_arrow_put_merged(kanon_ctx *ctx, const kn_arrow_merged *merged, kn_arrow_span span,
                                 struct ArrowArray *out);

/** Indices of 4 bytes by row, KN_NO_CODE for null, into a dictionary of utf8. */
typedef struct kn_arrow_labels {
    const uint32_t *codes;
    kn_arrow_texts  texts; /* by code */
    size_t          ntexts;
} kn_arrow_labels;

kanon_status kn_arrow_put_labels(kanon_ctx *ctx, const kn_arrow_labels *labels, kn_arrow_span span,
                                 struct ArrowArray *out);

/* --- the writer (arrow_out.c) ---------------------------------------------------------------------- */

typedef struct kn_arrow_out_column kn_arrow_out_column;

typedef struct kn_arrow_out {
    kn_rows_out               base;
    const kn_arrow_table     *from; /* NULL: a table of texts, which records carry with them */
    struct ArrowArrayStream  *release;
    const kn_rows_out_column *columns;
    size_t                    ncolumns;
    kn_arrow_out_column      *state; /* per column */
    uint64_t                 *rows;  /* of the original, in the order of the release */
    size_t                    nrows, capacity;
    size_t                    text_most; /* bytes of text that offsets of 4 bytes reach */
    kn_arrow_export *export;
    kn_arrow_table *back;
} kn_arrow_out;

/** @param original  whose rows are released; unchanged columns of an Arrow table keep their types
 *  @param release   filled in by commit, and only then; its release is NULL until then */
void kn_arrow_out_init(kn_arrow_out *out, kanon_ctx *ctx, const kn_rows_source *original,
                       struct ArrowArrayStream *release);
void kn_arrow_out_fini(kn_arrow_out *out);

#endif
