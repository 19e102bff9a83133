/* SPDX-License-Identifier: Apache-2.0 */
/* recode.h -- recodes the quasi-identifiers of a row: by levels, the same for the whole table, or by
 * class. The second pass asks for one row after another, in the order of the input. */
#ifndef KN_RECODE_H
#define KN_RECODE_H

#include "encode/learn.h"
#include "table/rows_out.h"
#include "transform/outliers.h"
#include "transform/spelling.h"

typedef enum {
    KN_ROW_RELEASED,
    KN_ROW_OUTLYING,
    KN_ROW_UNKNOWN /* not a row of the first pass: the input has changed */
} kn_row_fate;

typedef struct kn_recoder kn_recoder;

struct kn_recoder {
    /** Decides on a row; labels[nquasi] become its released cells, as the writer formats them. */
    kn_row_fate (*recode)(kn_recoder *recoder, const kn_str *cells, kn_str *labels);
    /** Adds what it makes of the rows to a hash: recoders that release other texts differ in it. Texts as
     *  they are, so that it does not depend on the format that they are written in. */
    void (*digest)(const kn_recoder *recoder, kn_hash *hash);
    void (*free)(kn_recoder *recoder);
};

/** One level per column; outlying classes are looked up. All borrowed. The writer has begun: labels are
 *  in its form. */
kanon_status kn_recoder_levels(const kn_rows_out *writer, const kn_learned *learned,
                               kanon_hierarchy *const *hierarchies, const uint8_t *levels,
                               const kn_outliers *outliers, kn_recoder **out);
/** Class by class: rows that are equal in quasi-identifiers and sensitive columns are dealt out to the
 *  classes of their entry in the order of the input. class_of[rows], in the order of the table's entries. */
kanon_status kn_recoder_classes(const kn_rows_out *writer, const kn_learned *learned,
                                const uint32_t *class_of, const kn_spelling *spelling,
                                kn_recoder **out);

/** The code of a row's cell in a learned column; KN_NO_CODE if it was not there in the first pass. */
uint32_t kn_recode_cell(const kn_learned *learned, size_t column, const kn_str *cells);

/** Released values as the writer formats them, made once. */
typedef struct kn_out_labels {
    kn_text text;
    size_t *starts; /* [count + 1] into text */
} kn_out_labels;

kanon_status kn_out_labels_make(kn_out_labels *labels, const kn_rows_out *out, const kn_str *values,
                                size_t count);
void         kn_out_labels_fini(kn_out_labels *labels);

static inline kn_str
kn_out_label(const kn_out_labels *labels, size_t index)
{
    return (kn_str){ labels->text.ptr + labels->starts[index],
                     labels->starts[index + 1] - labels->starts[index] };
}

static inline void
kn_digest_number(kn_hash *hash, uint64_t number)
{
    kn_hash_add(hash, &number, sizeof number);
}

static inline void
kn_digest_text(kn_hash *hash, kn_str text)
{
    kn_digest_number(hash, text.len);
    kn_hash_add(hash, text.ptr, text.len);
}

#endif
