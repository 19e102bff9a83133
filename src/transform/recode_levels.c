/* SPDX-License-Identifier: Apache-2.0 */
/* recode_levels.c -- full-domain recoding: a cell becomes its code, the code its group at the chosen level,
 * the group a label that the writer has formatted once. Cost: one dictionary look-up per cell. */
#include "transform/recode.h"

typedef struct by_levels {
    kn_recoder              base; /* first: a recoder is cast to this */
    kanon_ctx              *ctx;
    const kn_learned       *learned;
    kanon_hierarchy *const *hierarchies;
    const uint8_t          *levels;
    const kn_outliers      *outliers;
    kn_out_labels          *labels; /* per quasi-identifier */
    uint32_t               *groups;
} by_levels;

uint32_t
kn_recode_cell(const kn_learned *learned, size_t column, const kn_str *cells)
{
    const kn_learned_column *c = &learned->columns[column];
    kn_str                   cell = cells[c->position];

    assert(column < learned->nquasi + learned->nsensitive);
    return kn_is_missing(learned->missing, learned->nmissing, cell) ? c->missing
                                                                    : kn_dict_find(c->dict, cell);
}

kanon_status
kn_out_labels_make(kn_out_labels *labels, const kn_rows_out *out, const kn_str *values,
                   size_t count)
{
    assert(values || !count);
    kn_text_init(&labels->text, out->ctx);
    labels->starts = KN_NEW_ARRAY(out->ctx, size_t, count + 1);
    if (!labels->starts)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        out->class->label(out, values[i], &labels->text);
        labels->starts[i + 1] = labels->text.len;
    }
    return kn_text_status(&labels->text);
}

void
kn_out_labels_fini(kn_out_labels *labels)
{
    if (!labels->text.ctx)
        return;
    kn_free(labels->text.ctx, labels->starts);
    kn_text_fini(&labels->text);
}

static kn_row_fate
recode(kn_recoder *recoder, const kn_str *cells, kn_str *labels)
{
    by_levels *r = (by_levels *) recoder;

    for (size_t i = 0; i < r->learned->nquasi; i++) {
        uint32_t code = kn_recode_cell(r->learned, i, cells);

        if (code == KN_NO_CODE)
            return KN_ROW_UNKNOWN;
        assert(code < r->hierarchies[i]->nleaves && r->levels[i] < r->hierarchies[i]->nlevels);
        r->groups[i] = r->hierarchies[i]->levels[r->levels[i]].group_of[code];
        labels[i] = kn_out_label(&r->labels[i], r->groups[i]);
    }
    return kn_outliers_has(r->outliers, r->groups) ? KN_ROW_OUTLYING : KN_ROW_RELEASED;
}

static void
digest(const kn_recoder *recoder, kn_hash *hash)
{
    const by_levels *r = (const by_levels *) recoder;

    for (size_t i = 0; i < r->learned->nquasi; i++) {
        const kn_level *level = &r->hierarchies[i]->levels[r->levels[i]];
        size_t          values = kn_dict_count(r->learned->columns[i].dict);

        kn_digest_number(hash, values);
        kn_hash_add(hash, level->group_of, values * sizeof *level->group_of);
        for (size_t g = 0; g < level->ngroups; g++)
            kn_digest_text(hash, level->labels[g]);
    }
}

static void
free_levels(kn_recoder *recoder)
{
    by_levels *r = (by_levels *) recoder;

    for (size_t i = 0; r->labels && i < r->learned->nquasi; i++)
        kn_out_labels_fini(&r->labels[i]);
    kn_free(r->ctx, r->labels);
    kn_free(r->ctx, r->groups);
    kn_free(r->ctx, r);
}

kanon_status
kn_recoder_levels(const kn_rows_out *writer, const kn_learned *learned,
                  kanon_hierarchy *const *hierarchies, const uint8_t *levels,
                  const kn_outliers *outliers, kn_recoder **out)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = writer->ctx;
    by_levels   *r = KN_NEW(ctx, by_levels);

    *out = NULL;
    if (!r)
        return KANON_E_NOMEM;
    *r = (by_levels){
        { recode, digest, free_levels }, ctx, learned, hierarchies, levels, outliers, NULL, NULL
    };
    r->labels = KN_NEW_ARRAY(ctx, kn_out_labels, learned->nquasi);
    r->groups = KN_NEW_ARRAY(ctx, uint32_t, learned->nquasi);
    KN_TRY(KN_HAVE(r->labels && r->groups));
    for (size_t i = 0; i < learned->nquasi; i++) {
        const kn_level *level = &hierarchies[i]->levels[levels[i]];

        KN_TRY(kn_out_labels_make(&r->labels[i], writer, level->labels, level->ngroups));
    }
    *out = &r->base;
    r = NULL;
out:
    if (r)
        free_levels(&r->base);
    return rc;
}
