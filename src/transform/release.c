/* SPDX-License-Identifier: Apache-2.0 */
/* release.c -- from input rows to released rows, one at a time.
 * The recoder says what becomes of a row's quasi-identifiers. Outlying rows are left out or masked. In
 * memory: the shuffle's buffers. */
#include "transform/release.h"

#include <sodium/utils.h>

#include "formats/formula.h"

enum { PROGRESS_ROWS = 4096 };

typedef struct writer {
    kanon_ctx             *ctx;
    const kn_release_plan *plan;
    kn_rows_out           *out;
    kn_shuffle            *shuffle; /* NULL: in input order */
    kn_str                *labels;  /* of the row, per quasi-identifier */
    kn_text                record;
    kn_text                star;
    uint64_t               records;
} writer;

static kanon_status
changed_input(const kn_rows *rows)
{
    return kn_fail_at(
        rows->ctx, KANON_E_IO, rows->name, 0,
        "the file changed while it was read; run the job again on a file that stays as it is");
}

static kanon_status
to_out(void *user, const void *bytes, size_t count)
{
    writer *w = user;

    if (w->plan->trace)
        count = kn_trace_leave(w->plan->trace, bytes, count);
    return w->out->class->write(w->out, bytes, count);
}

static void
count_formulas(const writer *w, const kn_str *cells)
{
    for (size_t c = 0; c < w->plan->learned->ncolumns; c++)
        if (kn_formula_starts(cells[c]) && kn_cell_shown(w->plan->fates[c]))
            w->plan->formulas[c] += kn_is_formula(cells[c]);
}

/* Its class is what the release shows, its cells are the original ones. */
static kanon_status
sample_row(const writer *w, const kn_str *cells, uint64_t weight)
{
    const kn_release_sample *sample = &w->plan->sample;
    kanon_status             rc;
    uint32_t                *prints;

    if (!sample->of)
        return KANON_OK;
    prints = kn_class_sample_row(sample->of, kn_class_hash(w->labels, w->plan->learned->nquasi),
                                 weight, &rc);
    for (size_t i = 0; prints && i < sample->of->ncells; i++)
        prints[i] = kn_cell_print(cells[sample->positions[i]]);
    return rc;
}

static kanon_status
write_row(writer *w, uint64_t number, const kn_str *cells)
{
    kanon_status    rc = KANON_OK;
    kn_rows_out_row row = { number, cells, w->labels };

    count_formulas(w, cells);
    if (w->plan->links)
        KN_TRY(kn_links_row(w->plan->links, cells,
                            kn_class_hash(w->labels, w->plan->learned->nquasi)));
    KN_TRY(w->out->class->row(w->out, &row, &w->record));
    if (w->plan->trace)
        KN_TRY(
            kn_trace_row(w->plan->trace, number, w->labels, w->plan->learned->nquasi, &w->record));
    w->records++;
    if (w->shuffle)
        KN_TRY(kn_shuffle_add(w->shuffle, number, (kn_str){ w->record.ptr, w->record.len }));
    else
        KN_TRY(to_out(w, w->record.ptr, w->record.len));
out:
    return rc;
}

static kanon_status
pass(writer *w, kn_rows *rows, kn_release_counts *counts)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = w->plan->learned;
    kanon_progress    progress = { sizeof progress, "write", -1, 0, 0, -1, -1 };
    const kn_str     *cells;
    uint64_t          weight = 1;
    uint8_t           hash[KN_HASH_BYTES];

    if (kn_rows_columns(rows) != learned->ncolumns)
        return changed_input(rows);
    for (uint64_t row = 0;; row++) {
        KN_TRY(kn_rows_next(rows, &cells));
        if (!cells)
            break;
        if (learned->count != SIZE_MAX)
            KN_TRY(kn_row_weight(rows, cells, learned->count, &weight));
        if (!weight)
            continue;
        if (row % PROGRESS_ROWS == 0) {
            progress.rows = row;
            progress.fraction = learned->records ? (double) row / (double) learned->records : -1;
            KN_TRY(kn_progress(w->ctx, &progress));
        }
        switch (w->plan->recoder->recode(w->plan->recoder, cells, w->labels)) {
        case KN_ROW_RELEASED:
            counts->released += weight;
            if (w->plan->watch)
                kn_release_watch_row(w->plan->watch, cells);
            if (w->plan->row_audit)
                KN_TRY(kn_row_audit_add(w->plan->row_audit, w->labels, learned->nquasi, cells,
                                        weight));
            KN_TRY(sample_row(w, cells, weight));
            KN_TRY(write_row(w, row, cells));
            break;
        case KN_ROW_OUTLYING:
            *(w->plan->mask_outlying ? &counts->masked : &counts->left_out) += weight;
            for (size_t i = 0; i < learned->nquasi; i++) /* as it is written, like the others */
                w->labels[i] = (kn_str){ w->star.ptr, w->star.len };
            if (w->plan->mask_outlying && w->plan->row_audit)
                KN_TRY(kn_row_audit_add(w->plan->row_audit, w->labels, learned->nquasi, cells,
                                        weight));
            if (w->plan->mask_outlying) {
                KN_TRY(sample_row(w, cells, weight));
                KN_TRY(write_row(w, row, cells));
            }
            break;
        default:
            rc = changed_input(rows);
            goto out;
        }
    }
    kn_rows_digest(rows, hash);
    if (memcmp(hash, learned->hash, sizeof hash) != 0)
        rc = changed_input(rows);
out:
    return rc;
}

static void
digest_codes(kn_hash *hash, const kn_codes *codes, size_t count)
{
    kn_hash_add(hash, codes->data, count * codes->bytes);
}

/* The order also depends on what becomes of the rows, and on the rows. Otherwise two releases under one key
 * that show other columns, or show them otherwise, or show a table to which a row was added, could be laid
 * side by side, line by line. It does not depend on how the table is stored. */
static kanon_status
derive_order(kanon_ctx *ctx, const kn_release_plan *plan, uint8_t key[KN_ORDER_KEY_BYTES])
{
    static const char purpose[] = "kanon row order 3";
    const kn_table   *table = plan->learned->table;
    const kn_codes    entries = kn_table_entry_weights(table);
    kn_hash           hash;
    kanon_status      rc = kn_hash_init(ctx, &hash);

    if (rc < 0)
        return rc;
    kn_digest_text(&hash, kn_str_of(plan->order_key));
    kn_hash_add(&hash, purpose, sizeof purpose);
    kn_digest_number(&hash, plan->mask_outlying);
    for (size_t c = 0; c < plan->learned->ncolumns; c++)
        kn_digest_number(&hash, plan->fates[c]);
    plan->recoder->digest(plan->recoder, &hash);
    kn_digest_number(&hash, plan->learned->records);
    kn_hash_add(&hash, table->weights, table->ntuples * sizeof *table->weights);
    for (size_t i = 0; i < table->nquasi; i++)
        digest_codes(&hash, &table->quasi[i], table->ntuples);
    for (size_t i = 0; i < table->nsensitive; i++)
        digest_codes(&hash, &table->sensitive[i], table->nentries);
    digest_codes(&hash, &entries, table->nentries);
    kn_hash_end(&hash, key);
    sodium_memzero(&hash, sizeof hash);
    return KANON_OK;
}

static kanon_status
open_writer(writer *w)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = w->plan->learned;
    uint8_t           key[KN_ORDER_KEY_BYTES];

    kn_text_init(&w->record, w->ctx);
    kn_text_init(&w->star, w->ctx);
    w->out->class->label(w->out, KN_STR("*"), &w->star);
    KN_TRY(kn_text_status(&w->star));
    w->labels = KN_NEW_ARRAY(w->ctx, kn_str, learned->nquasi);
    if (!w->labels)
        return KANON_E_NOMEM;
    if (!w->plan->keep_order) {
        KN_TRY(derive_order(w->ctx, w->plan, key));
        KN_TRY(kn_shuffle_new(w->ctx, key, learned->bytes + 16 * learned->records, &w->shuffle));
    }
out:
    sodium_memzero(key, sizeof key);
    return rc;
}

static void
close_writer(writer *w)
{
    kn_free(w->ctx, w->labels);
    kn_text_fini(&w->record);
    kn_text_fini(&w->star);
    kn_shuffle_free(w->shuffle);
}

kanon_status
kn_release_write(kn_rows *rows, const kn_release_plan *plan, kn_rows_out *out,
                 kn_release_counts *counts)
{
    kanon_status rc = KANON_OK;
    writer       w = { .ctx = rows->ctx, .plan = plan, .out = out };
    double       start = kn_seconds(), middle;

    memset(counts, 0, sizeof *counts);
    KN_TRY(open_writer(&w));
    KN_TRY(pass(&w, rows, counts));
    counts->records = w.records;
    middle = kn_seconds();
    counts->transform_s = middle - start;
    if (w.shuffle)
        KN_TRY(kn_shuffle_finish(w.shuffle, to_out, &w));
    counts->write_s = kn_seconds() - middle;
out:
    close_writer(&w);
    return rc;
}
