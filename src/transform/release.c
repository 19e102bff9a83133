/* release.c -- from input rows to released rows, one at a time.
 * A quasi-identifier's cell becomes its code, the code its group at the chosen level, the group a label
 * that was put into CSV form once. Rows of outlying classes are left out or masked. In memory: the
 * labels, and the shuffle's buffers. Cost: one dictionary look-up per generalized cell. */
#include "transform/release.h"

#include "base/text.h"

enum { PROGRESS_ROWS = 4096 };

typedef struct column_labels {
    kn_text text;   /* all labels in CSV form */
    size_t *starts; /* [ngroups + 1] into text */
} column_labels;

typedef struct writer {
    kanon_ctx             *ctx;
    const kn_release_plan *plan;
    kanon_sink            *sink;
    kn_shuffle            *shuffle; /* NULL: in input order */
    column_labels         *labels;  /* per quasi-identifier */
    uint32_t              *groups;
    size_t                *quasi_at; /* table column -> quasi-identifier */
    kn_text                line;
    kn_text                star;
} writer;

/* --- labels ---------------------------------------------------------------------------------------- */

static kanon_status
prepare_labels(writer *w, size_t quasi)
{
    const kanon_hierarchy *h = w->plan->hierarchies[quasi];
    const kn_level        *level = &h->levels[w->plan->levels[quasi]];
    column_labels         *l = &w->labels[quasi];

    kn_text_init(&l->text, w->ctx);
    l->starts = KN_NEW_ARRAY(w->ctx, size_t, (size_t) level->ngroups + 1);
    if (!l->starts)
        return KANON_E_NOMEM;
    for (uint32_t g = 0; g < level->ngroups; g++) {
        kn_csv_put_field(&l->text, &w->plan->learned->dialect, level->labels[g]);
        l->starts[g + 1] = l->text.len;
    }
    return kn_text_status(&l->text);
}

static kn_str
label(const writer *w, size_t quasi, uint32_t group)
{
    const column_labels *l = &w->labels[quasi];

    return (kn_str){ l->text.ptr + l->starts[group], l->starts[group + 1] - l->starts[group] };
}

/* --- one row --------------------------------------------------------------------------------------- */

static kanon_status
changed_input(kanon_ctx *ctx, const char *name)
{
    return kn_fail_at(
        ctx, KANON_E_IO, name, 0,
        "the file changed while it was read; run the job again on a file that stays as it is");
}

/* The row's groups; false if a cell was not there in the first pass. */
static bool
find_groups(writer *w, const kn_str *cells)
{
    const kn_learned *learned = w->plan->learned;

    for (size_t i = 0; i < learned->nquasi; i++) {
        const kn_learned_column *column = &learned->columns[i];
        kn_str                   cell = cells[column->position];
        uint32_t                 code = kn_is_missing(w->plan->missing, w->plan->nmissing, cell)
                                          ? column->missing
                                          : kn_dict_find(column->dict, cell);

        if (code == KN_NO_CODE)
            return false;
        w->groups[i] = w->plan->hierarchies[i]->levels[w->plan->levels[i]].group_of[code];
    }
    return true;
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
            kn_text_add(&w->line, kind == ROW_MASKED
                                      ? star
                                      : label(w, w->quasi_at[c], w->groups[w->quasi_at[c]]));
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
        if (!find_groups(w, cells)) {
            rc = changed_input(w->ctx, name);
            goto out;
        }
        if (!kn_outliers_has(w->plan->outliers, w->groups)) {
            counts->released++;
            KN_TRY(write_row(w, row, cells, ROW_RELEASED));
        } else if (w->plan->mask_outlying) {
            counts->masked++;
            KN_TRY(write_row(w, row, cells, ROW_MASKED));
        } else {
            counts->left_out++;
        }
    }
    kn_csv_hash(csv, hash);
    if (memcmp(hash, learned->hash, sizeof hash) != 0)
        rc = changed_input(w->ctx, name);
out:
    return rc;
}

static kanon_status
open_writer(writer *w)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = w->plan->learned;

    kn_text_init(&w->line, w->ctx);
    kn_text_init(&w->star, w->ctx);
    kn_csv_put_field(&w->star, &learned->dialect, KN_STR("*"));
    KN_TRY(kn_text_status(&w->star));
    w->labels = KN_NEW_ARRAY(w->ctx, column_labels, learned->nquasi);
    w->groups = KN_NEW_ARRAY(w->ctx, uint32_t, learned->nquasi);
    w->quasi_at = KN_NEW_ARRAY(w->ctx, size_t, learned->ncolumns);
    if (!w->labels || !w->groups || !w->quasi_at)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < learned->nquasi; i++) {
        w->quasi_at[learned->columns[i].position] = i;
        KN_TRY(prepare_labels(w, i));
    }
    if (!w->plan->keep_order)
        KN_TRY(kn_shuffle_new(w->ctx, w->plan->order_key, learned->bytes + 16 * learned->rows,
                              &w->shuffle));
out:
    return rc;
}

static void
close_writer(writer *w)
{
    for (size_t i = 0; w->labels && i < w->plan->learned->nquasi; i++) {
        kn_text_fini(&w->labels[i].text);
        kn_free(w->ctx, w->labels[i].starts);
    }
    kn_free(w->ctx, w->labels);
    kn_free(w->ctx, w->groups);
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
