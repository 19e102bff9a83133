/* SPDX-License-Identifier: Apache-2.0 */
/* starter.c -- `kanon init`: reads a table once and writes a first config for it.
 * Memory is bounded: a column keeps at most VALUES_MOST different values, fewer in a wide table; with
 * more it counts as nearly unique, and its type is that of those that were kept. */
#include "init/starter.h"

#include <math.h>

#include "kanon/starter.h"
#include "problem/columns.h"
#include "table/load.h"

enum { VALUES_MOST = 200000, VALUES_MOST_ALL = 2000000, VALUES_LEAST = 1000 };
/* A text that stands for "missing" is short and frequent: a rare one may be a slip, or about somebody. */
enum { WORD_MOST = 16, WORD_ROWS_LEAST = 10 };

/* --- reading ----------------------------------------------------------------------------------- */

static kanon_status
begin_columns(kanon_ctx *ctx, const kn_rows *rows, kn_arena *arena, kn_starter *starter)
{
    starter->header = kn_rows_dialect(rows)->header;
    starter->doubtful = kn_rows_dialect(rows)->header_doubtful;
    starter->ncolumns = kn_rows_columns(rows);
    starter->columns = KN_NEW_ARRAY(ctx, kn_seen, starter->ncolumns);
    if (!starter->columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < starter->ncolumns; i++) {
        kn_str name = kn_rows_names(rows)[i];

        starter->columns[i].name = (kn_str){ kn_arena_text(arena, name), name.len };
        if (!starter->columns[i].name.ptr || kn_dict_new(ctx, &starter->columns[i].dict) < 0)
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

/* Counts cells such as "k.A." or "unknown"; a column of texts has soon more of them than are kept. */
static void
see_word(kn_seen *seen, kn_str cell, uint32_t code)
{
    size_t at = 0;

    if (cell.len > WORD_MOST)
        return;
    for (size_t i = 0; i < cell.len; i++)
        if (kn_is_digit(cell.ptr[i]))
            return;
    while (at < seen->nwords && seen->words[at].code != code)
        at++;
    if (at == KN_WORDS_MOST)
        return;
    if (at == seen->nwords)
        seen->words[seen->nwords++] = (kn_word){ code, 0 };
    seen->words[at].rows++;
}

static kanon_status
see_cell(kn_seen *seen, kn_str cell, size_t most)
{
    kanon_status rc = KANON_OK;
    uint32_t     code;

    seen->filled++;
    if (seen->full)
        return KANON_OK;
    if (kn_dict_count(seen->dict) == most && kn_dict_find(seen->dict, cell) == KN_NO_CODE) {
        seen->full = true;
        return KANON_OK;
    }
    seen->until++;
    KN_TRY(kn_dict_add(seen->dict, cell, &code));
    see_word(seen, cell, code);
out:
    return rc;
}

static size_t
values_most(size_t columns)
{
    size_t share = columns ? VALUES_MOST_ALL / columns : VALUES_MOST;

    if (share > VALUES_MOST)
        return VALUES_MOST;
    return share < VALUES_LEAST ? VALUES_LEAST : share;
}

static kanon_status
see_row(void *user, const kn_str *cells, uint64_t weight)
{
    kanon_status rc = KANON_OK;
    kn_starter  *starter = user;
    size_t       most = values_most(starter->ncolumns);

    KN_UNUSED(weight);
    for (size_t i = 0; i < starter->ncolumns; i++)
        if (cells[i].ptr && !kn_config_missing(starter->config, cells[i]))
            KN_TRY(see_cell(&starter->columns[i], cells[i], most));
    starter->rows++;
out:
    return rc;
}

/* --- types ------------------------------------------------------------------------------------- */

static void
find_extent(kn_seen *seen)
{
    seen->whole = true;
    seen->min = INFINITY;
    seen->max = -INFINITY;
    for (uint32_t i = 0; i < kn_dict_count(seen->dict); i++) {
        kn_decimal value;
        double     number;

        if (!kn_decimal_parse(kn_dict_value(seen->dict, i), &value))
            continue;
        number = kn_decimal_double(value);
        seen->whole = seen->whole && value.decimals == 0;
        seen->min = number < seen->min ? number : seen->min;
        seen->max = number > seen->max ? number : seen->max;
    }
}

static double
mean_length(const kn_dict *dict)
{
    size_t count = kn_dict_count(dict), sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += kn_utf8_count(kn_dict_value(dict, i));
    return count ? (double) sum / (double) count : 0;
}

static bool
is_absent(const kn_starter *starter, kn_str word)
{
    for (size_t i = 0; i < starter->nabsent; i++)
        if (kn_str_equal(kn_str_of(starter->absent[i]), word))
            return true;
    return false;
}

/* All values but a few frequent words are numbers or dates: these words are proposed as missing. */
static kanon_status
find_absent(kn_arena *arena, kn_starter *starter, kn_seen *seen)
{
    if (seen->type == KN_TYPE_STRING || seen->full || !seen->odd || seen->odd != seen->nwords
        || starter->nabsent + seen->nwords > KN_ABSENT_MOST)
        return KANON_OK;
    for (size_t i = 0; i < seen->nwords; i++)
        if (seen->words[i].rows < WORD_ROWS_LEAST)
            return KANON_OK;
    for (size_t i = 0; i < seen->nwords; i++) {
        kn_str      word = kn_dict_value(seen->dict, seen->words[i].code);
        const char *text;

        seen->filled -= seen->words[i].rows;
        seen->until -= seen->words[i].rows;
        seen->distinct--;
        if (is_absent(starter, word))
            continue;
        text = kn_arena_text(arena, word);
        if (!text)
            return KANON_E_NOMEM;
        starter->absent[starter->nabsent++] = text;
    }
    seen->odd = 0;
    return KANON_OK;
}

static kanon_status
find_type(kanon_ctx *ctx, const kanon_source *source, kn_arena *arena, kn_starter *starter,
          kn_seen *seen)
{
    kn_domain    domain = { .column = "",
                            .source = source->name,
                            .count = kn_dict_count(seen->dict),
                            .values = kn_dict_values(seen->dict),
                            .missing = KN_NO_CODE };
    uint64_t    *rows = KN_NEW_ARRAY(ctx, uint64_t, domain.count);
    kanon_status rc;

    if (!rows)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < domain.count; i++)
        rows[i] = 1; /* a type does not depend on how often a value occurs */
    domain.rows = rows;
    domain.column = seen->name.ptr;
    seen->distinct = domain.count;
    seen->type = domain.count ? kn_type_guess(&domain, &seen->odd) : KN_TYPE_STRING;
    if (seen->type == KN_TYPE_STRING)
        kn_warn_short_years(ctx, &domain);
    seen->length = mean_length(seen->dict);
    if (seen->type == KN_TYPE_NUMBER)
        find_extent(seen);
    rc = find_absent(arena, starter, seen);
    kn_free(ctx, rows);
    kn_dict_free(seen->dict);
    seen->dict = NULL;
    return rc;
}

/* --- writing ----------------------------------------------------------------------------------- */

static kanon_status
write_text(kanon_ctx *ctx, kanon_sink *sink, const kn_text *text)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_text_status(text));
    KN_TRY(sink->begin(sink->user, ctx));
    KN_TRY(sink->write(sink->user, ctx, text->ptr, text->len));
    KN_TRY(sink->commit(sink->user, ctx));
out:
    if (rc < 0)
        sink->abandon(sink->user);
    return rc;
}

static void
warn_without_quasi(kanon_ctx *ctx, const kn_starter *starter)
{
    for (size_t i = 0; i < starter->ncolumns; i++)
        if (kn_propose(&starter->columns[i]).role == KN_ROLE_QUASI)
            return;
    kn_warn(ctx, KN_FOUND_NO_QUASI, kn_at_line(starter->input, 0),
            "%s: no column looks like a quasi-identifier; give at least one column the role quasi",
            starter->input);
}

/* The proposed command would fail, which is better known now. */
static void
warn_of_odd(kanon_ctx *ctx, const kn_starter *starter)
{
    for (size_t i = 0; i < starter->ncolumns; i++) {
        const kn_seen *seen = &starter->columns[i];
        const char    *those = seen->odd == 1 ? "it" : "them";

        if (kn_stops_at_odd(seen))
            kn_warn(ctx, KN_FOUND_ODD_VALUES, kn_at_line(starter->input, 0),
                    "%s: column '%.*s': all distinct values but %llu are %s; a job stops at %s "
                    "until you correct %s, add %s to `missing` or declare another type",
                    starter->input, KN_ARG(seen->name), (unsigned long long) seen->odd,
                    seen->type == KN_TYPE_DATE ? "dates" : "numbers", those, those, those);
    }
}

static kanon_status
read_and_write(kanon_ctx *ctx, const kanon_source *source, kanon_sink *sink, kn_starter *starter)
{
    kanon_status rc = KANON_OK;
    kn_csv_table table;
    kn_rows     *rows = NULL;
    kn_loader    loader = { .stage = "read", .count = SIZE_MAX, .see = see_row, .user = starter };
    kn_arena     arena;
    kn_text      text;

    kn_arena_init(&arena, ctx);
    kn_text_init(&text, ctx);
    KN_TRY(kn_source_table(ctx, starter->config, source, &table));
    KN_TRY(kn_rows_open(&table.base, ctx, &rows));
    KN_TRY(begin_columns(ctx, rows, &arena, starter));
    KN_TRY(kn_load(&loader, rows));
    for (size_t i = 0; i < starter->ncolumns; i++)
        KN_TRY(find_type(ctx, source, &arena, starter, &starter->columns[i]));
    warn_without_quasi(ctx, starter);
    warn_of_odd(ctx, starter);
    kn_starter_format(starter, &text);
    KN_TRY(write_text(ctx, sink, &text));
out:
    for (size_t i = 0; starter->columns && i < starter->ncolumns; i++)
        kn_dict_free(starter->columns[i].dict);
    kn_free(ctx, starter->columns);
    kn_rows_close(rows);
    kn_text_fini(&text);
    kn_arena_fini(&arena);
    return rc;
}

kanon_status
kanon_starter_write(kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,
                    kanon_sink *sink)
{
    kanon_config *own = NULL;
    kanon_status  rc = KANON_OK;
    kn_starter    starter = { .config = config, .input = "", .output = "" };

    if (!source || !sink)
        return kn_fail(ctx, KANON_E_INVALID, "kanon_starter_write: source and sink are required");
    if (!config) {
        KN_TRY(kanon_config_new(ctx, &own));
        starter.config = own;
    }
    starter.input = source->name ? source->name : "data.csv";
    starter.output = sink->name ? sink->name : "";
    rc = read_and_write(ctx, source, sink, &starter);
out:
    kanon_config_free(own);
    return rc;
}
