/* SPDX-License-Identifier: Apache-2.0 */
/* csv_out.c -- a release in CSV: a record is a line, and the sink takes lines as they are. */
#include "formats/csv.h"

static kanon_status
encode(kn_csv_out *out, kn_text *line)
{
    kanon_status rc = kn_text_status(line);

    if (rc == KANON_OK && !kn_csv_encode(line, &out->dialect))
        rc = kn_fail(out->base.ctx, KANON_E_INVALID,
                     "a generalized value has a character that %s lacks; convert the table to "
                     "UTF-8, or change the hierarchy",
                     out->dialect.encoding == KN_ENCODING_LATIN1 ? "Latin-1" : "Windows-1252");
    return rc;
}

static kanon_status
write_record(kn_rows_out *base, const void *record, size_t bytes)
{
    kanon_sink *sink = ((kn_csv_out *) base)->sink;

    return sink->write(sink->user, base->ctx, record, bytes);
}

static kanon_status
write_header(kn_csv_out *out)
{
    kanon_status rc = KANON_OK;
    kn_text      line;

    kn_text_init(&line, out->base.ctx);
    kn_csv_put_start(&line, &out->dialect);
    if (line.len)
        KN_TRY(write_record(&out->base, line.ptr, line.len));
    if (!out->dialect.header)
        goto out;
    line.len = 0;
    for (size_t c = 0; c < out->ncolumns; c++)
        kn_csv_put_field(&line, &out->dialect, out->columns[c].name);
    kn_csv_put_end(&line, &out->dialect);
    KN_TRY(encode(out, &line));
    KN_TRY(write_record(&out->base, line.ptr, line.len));
out:
    kn_text_fini(&line);
    return rc;
}

static kanon_status
begin(kn_rows_out *base, const kn_dialect *like, const kn_rows_out_column *columns, size_t count)
{
    kanon_status rc = KANON_OK;
    kn_csv_out  *out = (kn_csv_out *) base;

    out->dialect = *like;
    out->dialect.guard = out->guard;
    if (like->encoding == KN_ENCODING_UTF16) { /* what programs that write it can read as well */
        out->dialect.encoding = KN_ENCODING_UTF8;
        out->dialect.bom = true;
    }
    out->columns = columns;
    out->ncolumns = count;
    kn_csv_put_field(&out->star, &out->dialect, KN_STR("*"));
    KN_TRY(kn_text_status(&out->star));
    KN_TRY(out->sink->begin(out->sink->user, base->ctx));
    KN_TRY(write_header(out));
out:
    return rc;
}

static void
label(const kn_rows_out *base, kn_str value, kn_text *to)
{
    kn_csv_put_field(to, &((const kn_csv_out *) base)->dialect, value);
}

static kanon_status
row(kn_rows_out *base, const kn_rows_out_row *row, kn_text *record)
{
    kn_csv_out *out = (kn_csv_out *) base;

    record->len = 0;
    for (size_t c = 0; c < out->ncolumns; c++) {
        const kn_rows_out_column *column = &out->columns[c];

        switch (column->fate) {
        case KN_CELL_COPY:
        case KN_CELL_CODE:
            kn_csv_put_field(record, &out->dialect, row->cells[column->position]);
            break;
        case KN_CELL_STAR:
            kn_text_add(record, (kn_str){ out->star.ptr, out->star.len });
            break;
        case KN_CELL_GENERALIZE:
            kn_text_add(record, row->labels[column->label]);
            break;
        case KN_CELL_LEAVE_OUT:
            assert(0 && "a dropped column is not in the release");
        }
    }
    kn_csv_put_end(record, &out->dialect);
    return encode(out, record);
}

static kanon_status
read_back(kn_rows_out *base, kn_rows_source **back)
{
    kn_csv_out    *out = (kn_csv_out *) base;
    kn_csv_options options = { .delimiter = out->dialect.delimiter,
                               .quote = out->dialect.quote,
                               .header = out->dialect.header ? KN_HEADER_YES : KN_HEADER_NO,
                               .encoding = out->dialect.encoding,
                               .has_skip = true,
                               .has_footer = true,
                               .empty_columns = out->dialect.header ? 0 : out->ncolumns,
                               .guarded = out->guard };
    kanon_status   rc = out->sink->read_back(out->sink->user, base->ctx, &out->back);

    kn_csv_table_init(&out->back_table, &out->back, &options);
    *back = &out->back_table.base;
    return rc;
}

static void
release_back(kn_csv_out *out)
{
    if (out->back.release)
        out->back.release(out->back.user);
    out->back.release = NULL;
}

static kanon_status
commit(kn_rows_out *base)
{
    kn_csv_out *out = (kn_csv_out *) base;

    release_back(out);
    return out->sink->commit(out->sink->user, base->ctx);
}

static void
abandon(kn_rows_out *base)
{
    kn_csv_out *out = (kn_csv_out *) base;

    release_back(out);
    out->sink->abandon(out->sink->user);
}

static const kn_rows_out_class csv_out_class = {
    .begin = begin,
    .label = label,
    .row = row,
    .write = write_record,
    .read_back = read_back,
    .commit = commit,
    .abandon = abandon,
};

void
kn_csv_out_init(kn_csv_out *out, kanon_ctx *ctx, kanon_sink *sink)
{
    *out = (kn_csv_out){ .base = { &csv_out_class, ctx, sink->name },
                         .sink = sink,
                         .back = { .size = sizeof out->back } };
    kn_text_init(&out->star, ctx);
}

void
kn_csv_out_fini(kn_csv_out *out)
{
    release_back(out);
    kn_text_fini(&out->star);
}
