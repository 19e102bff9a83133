/* SPDX-License-Identifier: Apache-2.0 */
/* csv_end.c -- see csv_end.h. Keeps of the last lines what each looks like. */
#include "formats/csv_end.h"

#include "formats/csv_layout.h"
#include "formats/csv_records.h"

typedef struct seen {
    uint64_t line;
    kn_looks looks;
} seen;

/* The last lines that are not empty: of `count` so far the last `room`. */
typedef struct ring {
    seen    *lines;
    uint64_t room, count;
} ring;

static const seen *
from_end(const ring *r, uint64_t back)
{
    return &r->lines[(r->count - 1 - back) % r->room];
}

static void
keep(ring *r, const kn_records *records, const kn_end_job *job)
{
    kn_str   text = { records->text + records->last, records->last_length };
    kn_looks looks = KN_LOOKS_UNCLEAR;

    if (text.len)
        looks = kn_layout_looks(text, records->delimiter, records->quote, job->fields);
    r->lines[r->count++ % r->room] = (seen){ records->line, looks };
}

static kanon_status
read_lines(kn_records *records, const kn_end_job *job, ring *r)
{
    kanon_status rc = KANON_OK;
    bool         found = true;

    for (;;) {
        KN_TRY(kn_records_next(records, &found));
        if (!found)
            break;
        if (records->line > job->header_line && !kn_records_all_empty(records))
            keep(r, records, job);
    }
out:
    return rc;
}

static void
judge(const ring *r, const kn_end_job *job, kn_csv_end *out)
{
    uint64_t most = r->count < r->room ? r->count : r->room;

    *out = (kn_csv_end){ 0 };
    for (uint64_t i = 0; i < most; i++) {
        const seen *line = from_end(r, i);

        if (!job->footer && line->looks != KN_LOOKS_LIKE_FOOTER)
            break;
        if (line->looks == KN_LOOKS_LIKE_ROW)
            out->row_line = line->line;
        out->footers = i + 1;
        out->footer_line = line->line;
    }
}

kanon_status
kn_csv_end_find(kanon_ctx *ctx, const kn_end_job *job, kn_csv_end *out)
{
    static const kn_csv_tuning usual = { 0 };
    kanon_status               rc = KANON_OK;
    kn_input                  *input = NULL;
    kn_records                 records = { 0 };
    kn_encoding_found          found;
    ring                       r = { NULL, job->footer ? job->footer : KN_FOOTER_MOST, 0 };

    *out = (kn_csv_end){ 0 };
    r.lines = KN_NEW_ARRAY(ctx, seen, r.room);
    KN_TRY(KN_HAVE(r.lines));
    KN_TRY(kn_input_open(ctx, job->source, KN_AHEAD_AUTO, &input));
    KN_TRY(kn_records_init(ctx, &records, input, &usual));
    records.name = job->source->name;
    records.delimiter = job->dialect->delimiter;
    records.quote = job->dialect->quote;
    KN_TRY(kn_records_fill(&records));
    found = kn_encoding_find((kn_str){ records.text, records.len }, job->dialect->encoding);
    KN_TRY(kn_records_decode(&records, &found));
    KN_TRY(kn_records_skip_to(&records, job->dialect->skip + 1));
    KN_TRY(read_lines(&records, job, &r));
    judge(&r, job, out);
out:
    kn_records_fini(&records);
    kn_free(ctx, r.lines);
    return rc;
}
