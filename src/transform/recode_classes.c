/* SPDX-License-Identifier: Apache-2.0 */
/* recode_classes.c -- local recoding: a row is found by its codes, and goes to the next of the classes that
 * rows like it were put into. Cost: a look-up per cell and one per row; memory for the different rows. */
#include "base/keyset.h"
#include "transform/recode.h"

typedef struct by_class {
    kn_recoder         base; /* first: a recoder is cast to this */
    kanon_ctx         *ctx;
    const kn_learned  *learned;
    const uint32_t    *class_of;
    const kn_spelling *spelling;
    kn_keyset     *entries; /* numbered like the table's entries, where those of a key are one */
    size_t        *next;    /* [keys] the row of class_of that comes next */
    size_t        *end;     /* [keys] */
    uint32_t      *codes;
    kn_out_labels *labels; /* per quasi-identifier */
} by_class;

static kn_row_fate
recode(kn_recoder *recoder, const kn_str *cells, kn_str *labels)
{
    by_class *r = (by_class *) recoder;
    size_t    nquasi = r->learned->nquasi, key;
    uint32_t class;

    for (size_t i = 0; i < nquasi + r->learned->nsensitive; i++)
        if ((r->codes[i] = kn_recode_cell(r->learned, i, cells)) == KN_NO_CODE)
            return KN_ROW_UNKNOWN;
    key = kn_keyset_find(r->entries, r->codes);
    if (key == SIZE_MAX || r->next[key] == r->end[key])
        return KN_ROW_UNKNOWN;
    class = r->class_of[r->next[key]++];
    if (class == KN_NO_CLASS)
        return KN_ROW_OUTLYING;
    assert(class < r->spelling->nclasses);
    for (size_t i = 0; i < nquasi; i++)
        labels[i] = kn_out_label(&r->labels[i], r->spelling->ids[class * nquasi + i]);
    return KN_ROW_RELEASED;
}

/* Equal entries adjoin: one that has too many rows for its weight stands there several times. */
static kanon_status
index_entries(by_class *r)
{
    kanon_status    rc = KANON_OK;
    const kn_table *table = r->learned->table;
    size_t          row = 0, number;

    for (size_t t = 0; t < table->ntuples; t++) {
        size_t end = kn_table_first(table, t + 1);

        for (size_t i = 0; i < table->nquasi; i++)
            r->codes[i] = kn_codes_at(&table->quasi[i], t);
        for (size_t e = kn_table_first(table, t); e < end; e++) {
            size_t known = kn_keyset_count(r->entries);

            for (size_t s = 0; s < table->nsensitive; s++)
                r->codes[table->nquasi + s] = kn_codes_at(&table->sensitive[s], e);
            KN_TRY(kn_keyset_add(r->entries, r->codes, &number));
            if (number == known)
                r->next[number] = row;
            row += kn_table_entry_weight(table, e);
            r->end[number] = row;
        }
    }
    assert(row == r->learned->rows);
out:
    return rc;
}

static void
digest(const kn_recoder *recoder, kn_hash *hash)
{
    const by_class    *r = (const by_class *) recoder;
    const kn_spelling *s = r->spelling;

    kn_digest_number(hash, s->nclasses);
    kn_hash_add(hash, s->ids, s->nclasses * s->nquasi * sizeof *s->ids);
    for (size_t i = 0; i < s->nquasi; i++)
        for (uint32_t t = 0; t < kn_dict_count(s->texts[i]); t++)
            kn_digest_text(hash, kn_dict_value(s->texts[i], t));
    kn_hash_add(hash, r->class_of, r->learned->rows * sizeof *r->class_of);
}

static void
free_classes(kn_recoder *recoder)
{
    by_class *r = (by_class *) recoder;

    for (size_t i = 0; r->labels && i < r->learned->nquasi; i++)
        kn_out_labels_fini(&r->labels[i]);
    kn_keyset_free(r->entries);
    kn_free(r->ctx, r->labels);
    kn_free(r->ctx, r->next);
    kn_free(r->ctx, r->end);
    kn_free(r->ctx, r->codes);
    kn_free(r->ctx, r);
}

kanon_status
kn_recoder_classes(const kn_rows_out *writer, const kn_learned *learned, const uint32_t *class_of,
                   const kn_spelling *spelling, kn_recoder **out)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = writer->ctx;
    by_class    *r = KN_NEW(ctx, by_class);
    size_t       width = learned->nquasi + learned->nsensitive;

    *out = NULL;
    if (!r)
        return KANON_E_NOMEM;
    *r = (by_class){ .base = (kn_recoder){ recode, digest, free_classes },
                     .ctx = ctx,
                     .learned = learned,
                     .class_of = class_of,
                     .spelling = spelling };
    r->codes = KN_NEW_ARRAY(ctx, uint32_t, width);
    r->next = KN_NEW_ARRAY(ctx, size_t, learned->table->nentries);
    r->end = KN_NEW_ARRAY(ctx, size_t, learned->table->nentries);
    r->labels = KN_NEW_ARRAY(ctx, kn_out_labels, learned->nquasi);
    KN_TRY(KN_HAVE(r->codes && r->next && r->end && r->labels));
    KN_TRY(kn_keyset_new(ctx, width * sizeof *r->codes, &r->entries));
    KN_TRY(index_entries(r));
    for (size_t i = 0; i < learned->nquasi; i++)
        KN_TRY(kn_out_labels_make(&r->labels[i], writer, kn_dict_values(spelling->texts[i]),
                                  kn_dict_count(spelling->texts[i])));
    *out = &r->base;
    r = NULL;
out:
    if (r)
        free_classes(&r->base);
    return rc;
}
