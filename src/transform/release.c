/* SPDX-License-Identifier: Apache-2.0 */
/* release.c -- from input rows to released rows, one at a time.
 * The recoder says what becomes of a row's quasi-identifiers. Outlying rows are left out or masked. In
 * memory: the shuffle's buffers. */
#include "transform/release.h"

#include <sodium/utils.h>

#include "base/text.h"

enum { PROGRESS_ROWS = 4096 };

typedef struct writer {
    kanon_ctx             *ctx;
    const kn_release_plan *plan;
    kanon_sink            *sink;
    kn_shuffle            *shuffle;  /* NULL: in input order */
    kn_str                *texts;    /* of the row, per quasi-identifier */
    size_t                *quasi_at; /* table column -> quasi-identifier */
    kn_text                line;
    kn_text                star;
} writer;

/* --- one row --------------------------------------------------------------------------------------- */

static kanon_status
changed_input(kanon_ctx *ctx, const char *name)
{
    return kn_fail_at(
        ctx, KANON_E_IO, name, 0,
        "the file changed while it was read; run the job again on a file that stays as it is");
}

typedef enum { ROW_RELEASED, ROW_MASKED } row_kind;

static void
format_row(writer *w, const kn_str *cells, row_kind kind)
{
    const kn_dialect *dialect = &w->plan->learned->dialect;
    kn_str            star = { w->star.ptr, w->star.len };

    w->line.len = 0;
    for (size_t c = 0; c < w->plan->learned->ncolumns; c++)
        switch (w->plan->fates[c]) {
        case KN_CELL_COPY:
            kn_csv_put_field(&w->line, dialect, cells[c]);
            break;
        case KN_CELL_STAR:
            kn_text_add(&w->line, star);
            break;
        case KN_CELL_GENERALIZE:
            kn_text_add(&w->line, kind == ROW_MASKED ? star : w->texts[w->quasi_at[c]]);
            break;
        case KN_CELL_LEAVE_OUT:
            break;
        }
    kn_csv_put_end(&w->line, dialect);
}

static kanon_status
to_sink(void *user, const void *bytes, size_t count)
{
    writer *w = user;

    return w->sink->write(w->sink->user, w->ctx, bytes, count);
}

static kanon_status
encode_line(writer *w)
{
    kanon_status rc = kn_text_status(&w->line);

    if (rc == KANON_OK && !kn_csv_encode(&w->line, &w->plan->learned->dialect))
        rc = kn_fail(w->ctx, KANON_E_INVALID,
                     "a generalized value has a character that Latin-1 lacks; give the table in "
                     "UTF-8, or change "
                     "the hierarchy");
    return rc;
}

static kanon_status
write_row(writer *w, uint64_t row, const kn_str *cells, row_kind kind)
{
    kanon_status rc = KANON_OK;
    kn_str       line;

    format_row(w, cells, kind);
    KN_TRY(encode_line(w));
    line = (kn_str){ w->line.ptr, w->line.len };
    if (w->shuffle)
        KN_TRY(kn_shuffle_add(w->shuffle, row, line));
    else
        KN_TRY(to_sink(w, line.ptr, line.len));
out:
    return rc;
}

/* --- the pass -------------------------------------------------------------------------------------- */

static kanon_status
write_header(writer *w)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = w->plan->learned;

    w->line.len = 0;
    kn_csv_put_start(&w->line, &learned->dialect);
    if (w->line.len)
        KN_TRY(to_sink(w, w->line.ptr, w->line.len));
    if (!learned->dialect.header)
        goto out;
    w->line.len = 0;
    for (size_t c = 0; c < learned->ncolumns; c++)
        if (w->plan->fates[c] != KN_CELL_LEAVE_OUT)
            kn_csv_put_field(&w->line, &learned->dialect, kn_str_of(learned->names[c]));
    kn_csv_put_end(&w->line, &learned->dialect);
    KN_TRY(encode_line(w));
    KN_TRY(to_sink(w, w->line.ptr, w->line.len));
out:
    return rc;
}

static kanon_status
pass(writer *w, kn_csv *csv, const char *name, kn_release_counts *counts)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = w->plan->learned;
    kanon_progress    progress = { sizeof progress, "write", -1, 0, 0, -1, -1 };
    const kn_str     *cells;
    uint8_t           hash[KN_HASH_BYTES];

    if (kn_csv_columns(csv) != learned->ncolumns)
        return changed_input(w->ctx, name);
    for (uint64_t row = 0;; row++) {
        KN_TRY(kn_csv_next(csv, &cells));
        if (!cells)
            break;
        if (row % PROGRESS_ROWS == 0) {
            progress.rows = row;
            progress.fraction = learned->rows ? (double) row / (double) learned->rows : -1;
            KN_TRY(kn_progress(w->ctx, &progress));
        }
        switch (w->plan->recoder->recode(w->plan->recoder, cells, w->texts)) {
        case KN_ROW_RELEASED:
            counts->released++;
            if (w->plan->watch)
                kn_release_watch_row(w->plan->watch, w->texts, learned->nquasi, cells);
            if (w->plan->witness)
                KN_TRY(kn_witness_row(w->plan->witness, w->texts, learned->nquasi, cells));
            KN_TRY(write_row(w, row, cells, ROW_RELEASED));
            break;
        case KN_ROW_OUTLYING:
            counts->masked += w->plan->mask_outlying;
            counts->left_out += !w->plan->mask_outlying;
            for (size_t i = 0; i < learned->nquasi; i++) /* as it is written, like the others */
                w->texts[i] = (kn_str){ w->star.ptr, w->star.len };
            if (w->plan->mask_outlying && w->plan->witness)
                KN_TRY(kn_witness_row(w->plan->witness, w->texts, learned->nquasi, cells));
            if (w->plan->mask_outlying)
                KN_TRY(write_row(w, row, cells, ROW_MASKED));
            break;
        default:
            rc = changed_input(w->ctx, name);
            goto out;
        }
    }
    kn_csv_hash(csv, hash);
    if (memcmp(hash, learned->hash, sizeof hash) != 0)
        rc = changed_input(w->ctx, name);
out:
    return rc;
}

/* The order also depends on what becomes of the rows. Otherwise two releases of a table that show other
 * columns, or show them otherwise, could be laid side by side, line by line. */
static kanon_status
derive_order(kanon_ctx *ctx, const kn_release_plan *plan, uint8_t key[KN_ORDER_KEY_BYTES])
{
    static const char purpose[] = "kanon row order 2";
    kn_hash           hash;
    kanon_status      rc = kn_hash_init(ctx, &hash);

    if (rc < 0)
        return rc;
    kn_hash_add(&hash, plan->order_key, sizeof plan->order_key);
    kn_hash_add(&hash, purpose, sizeof purpose);
    kn_digest_number(&hash, plan->mask_outlying);
    for (size_t c = 0; c < plan->learned->ncolumns; c++)
        kn_digest_number(&hash, plan->fates[c]);
    plan->recoder->digest(plan->recoder, &hash);
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

    kn_text_init(&w->line, w->ctx);
    kn_text_init(&w->star, w->ctx);
    kn_csv_put_field(&w->star, &learned->dialect, KN_STR("*"));
    KN_TRY(kn_text_status(&w->star));
    w->texts = KN_NEW_ARRAY(w->ctx, kn_str, learned->nquasi);
    w->quasi_at = KN_NEW_ARRAY(w->ctx, size_t, learned->ncolumns);
    if (!w->texts || !w->quasi_at)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < learned->nquasi; i++)
        w->quasi_at[learned->columns[i].position] = i;
    if (!w->plan->keep_order) {
        KN_TRY(derive_order(w->ctx, w->plan, key));
        KN_TRY(kn_shuffle_new(w->ctx, key, learned->bytes + 16 * learned->rows, &w->shuffle));
    }
out:
    sodium_memzero(key, sizeof key);
    return rc;
}

static void
close_writer(writer *w)
{
    kn_free(w->ctx, w->texts);
    kn_free(w->ctx, w->quasi_at);
    kn_text_fini(&w->line);
    kn_text_fini(&w->star);
    kn_shuffle_free(w->shuffle);
}

kanon_status
kn_release_write(kanon_ctx *ctx, kn_csv *csv, const char *source_name, const kn_release_plan *plan,
                 kanon_sink *sink, kn_release_counts *counts)
{
    kanon_status rc = KANON_OK;
    writer       w;
    double       start = kn_seconds(), middle;

    memset(&w, 0, sizeof w);
    memset(counts, 0, sizeof *counts);
    w.ctx = ctx;
    w.plan = plan;
    w.sink = sink;
    KN_TRY(open_writer(&w));
    KN_TRY(write_header(&w));
    KN_TRY(pass(&w, csv, source_name, counts));
    middle = kn_seconds();
    counts->transform_s = middle - start;
    if (w.shuffle)
        KN_TRY(kn_shuffle_finish(w.shuffle, to_sink, &w));
    counts->write_s = kn_seconds() - middle;
out:
    close_writer(&w);
    return rc;
}
