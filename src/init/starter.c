/* SPDX-License-Identifier: Apache-2.0 */
/* starter.c -- `kanon init`: reads a table once and writes a first config for it.
 * Memory is bounded: a column keeps at most VALUES_MOST different values, fewer in a wide table; further
 * ones are only counted, by a sketch, and its type is that of those that were kept. */
#include "init/starter.h"

#include "base/plain.h"
#include "io/stream.h"
#include "kanon/starter.h"
#include "problem/columns.h"
#include "table/load.h"

enum { VALUES_MOST = 200000, VALUES_MOST_ALL = 2000000, VALUES_LEAST = 1000 };
/* Columns that one line names. */
enum { NAMED_MOST = 20 };

/* --- reading ----------------------------------------------------------------------------------- */

static kanon_status
begin_columns(kanon_ctx *ctx, const kn_rows *rows, kn_arena *arena, kn_starter *starter)
{
    starter->header = kn_rows_dialect(rows)->header;
    starter->dialect = *kn_rows_dialect(rows);
    starter->doubtful = starter->dialect.header_doubtful;
    starter->ncolumns = kn_rows_columns(rows);
    starter->columns = KN_NEW_ARRAY(ctx, kn_seen, starter->ncolumns);
    if (!starter->columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < starter->ncolumns; i++) {
        kn_str name = kn_rows_names(rows)[i];

        starter->columns[i].is.name = (kn_str){ kn_arena_text(arena, name), name.len };
        if (!starter->columns[i].is.name.ptr || kn_dict_new(ctx, &starter->columns[i].dict) < 0)
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

/* From here on values are counted by a sketch. */
static kanon_status
see_more(kanon_ctx *ctx, kn_seen *seen)
{
    seen->full = true;
    seen->more = KN_NEW(ctx, kn_sketch);
    if (!seen->more)
        return KANON_E_NOMEM;
    for (uint32_t i = 0; i < kn_dict_count(seen->dict); i++)
        kn_sketch_add(seen->more, kn_dict_value(seen->dict, i));
    return KANON_OK;
}

static kanon_status
see_cell(kanon_ctx *ctx, kn_seen *seen, kn_str cell, size_t most)
{
    kanon_status rc = KANON_OK;
    uint32_t     code;
    void        *rows = seen->rows;

    seen->is.filled++;
    if (!seen->full && kn_dict_count(seen->dict) == most
        && kn_dict_find(seen->dict, cell) == KN_NO_CODE)
        KN_TRY(see_more(ctx, seen));
    if (seen->full) {
        kn_sketch_add(seen->more, cell);
        return KANON_OK;
    }
    KN_TRY(kn_dict_add(seen->dict, cell, &code));
    KN_TRY(kn_grow(ctx, &rows, &seen->room, (size_t) code + 1, sizeof *seen->rows));
    seen->rows = rows;
    if (code == seen->counted) /* codes come in order */
        seen->rows[seen->counted++] = 0;
    seen->rows[code]++;
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
            KN_TRY(see_cell(starter->ctx, &starter->columns[i], cells[i], most));
    starter->rows++;
out:
    return rc;
}

/* --- all columns together ------------------------------------------------------------------------ */

/* Is a value a regular one of some column? */
static bool
is_regular(const kn_starter *starter, kn_str value)
{
    for (size_t i = 0; i < starter->ncolumns; i++) {
        const kn_seen *seen = &starter->columns[i];
        bool           absent = false;

        for (size_t a = 0; a < seen->nabsent; a++)
            absent |= kn_str_equal(kn_str_of(seen->absent[a].text), value);
        if (!absent && kn_dict_find(seen->dict, value) != KN_NO_CODE)
            return true;
    }
    return false;
}

static bool
is_listed(const kn_starter *starter, const char *text)
{
    for (size_t i = 0; i < starter->nabsent; i++)
        if (strcmp(starter->absent[i], text) == 0)
            return true;
    return false;
}

/* `missing` is for the whole table, so a number that means something elsewhere is only told. */
static void
gather_absent(kn_starter *starter)
{
    for (size_t i = 0; i < starter->ncolumns; i++)
        for (size_t a = 0; a < starter->columns[i].nabsent; a++) {
            kn_absent *absent = &starter->columns[i].absent[a];
            kn_str     text = kn_str_of(absent->text);

            absent->taken = kn_is_digit(text.ptr[text.len - 1]) && is_regular(starter, text);
            if (!absent->taken && !is_listed(starter, absent->text)
                && starter->nabsent < KN_ABSENT_MOST)
                starter->absent[starter->nabsent++] = absent->text;
        }
}

/* Persons in several rows, or else members of a household: k has to count the ones or the others. */
static const kn_seen *
find_entity(const kn_starter *starter)
{
    static const unsigned traits[] = { KN_KIND_PERSONS, KN_KIND_HOUSEHOLDS };

    for (size_t t = 0; t < KN_COUNT(traits); t++)
        for (size_t i = 0; i < starter->ncolumns; i++) {
            const kn_evidence *is = &starter->columns[i].is;
            kn_proposal        proposal = kn_propose(is);

            if (proposal.role == KN_ROLE_IDENTIFIER && (proposal.traits & traits[t])
                && kn_repeats_like_persons(is->distinct, is->filled))
                return &starter->columns[i];
        }
    return NULL;
}

static void
find_latitude(kn_starter *starter)
{
    for (size_t i = 0; i < starter->ncolumns; i++)
        if (kn_propose(&starter->columns[i].is).hierarchy == KN_PROPOSE_LAT)
            starter->latitude = starter->columns[i].mean;
}

/* --- writing ----------------------------------------------------------------------------------- */

bool
kn_stops_at_odd(const kn_seen *seen)
{
    kn_proposal proposal = kn_propose(&seen->is);

    return seen->odd && proposal.role == KN_ROLE_QUASI && proposal.hierarchy != KN_PROPOSE_MASK;
}

/* Which columns nobody should leave as they are proposed. */
static kanon_status
warn_undecided(kanon_ctx *ctx, const kn_starter *starter)
{
    size_t       count = 0, named = 0;
    kanon_status rc;
    kn_text      names;

    kn_text_init(&names, ctx);
    for (size_t i = 0; i < starter->ncolumns; i++)
        count += kn_propose(&starter->columns[i].is).confidence == KN_LOW;
    for (size_t i = 0; i < starter->ncolumns; i++)
        if (kn_propose(&starter->columns[i].is).confidence == KN_LOW
            && kn_plain_item(&names, named++, count, NAMED_MOST))
            kn_text_add(&names, starter->columns[i].is.name);
    rc = kn_text_status(&names);
    if (rc == KANON_OK && count)
        kn_warn(ctx, KN_FOUND_UNDECIDED, kn_at_line(starter->input, 0),
                "%s: %zu of %zu columns need%s your decision, marked " KN_STARTER_MARK
                " in the config: %s",
                starter->input, count, starter->ncolumns, count == 1 ? "s" : "", names.ptr);
    kn_text_fini(&names);
    return rc;
}

static void
warn_without_quasi(kanon_ctx *ctx, const kn_starter *starter)
{
    for (size_t i = 0; i < starter->ncolumns; i++)
        if (kn_propose(&starter->columns[i].is).role == KN_ROLE_QUASI)
            return;
    kn_warn(ctx, KN_FOUND_NO_QUASI, kn_at_line(starter->input, 0),
            "%s: no column looks like a quasi-identifier" KN_DO
            "give at least one column the role quasi",
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
                    starter->input, KN_ARG(seen->is.name), (unsigned long long) seen->odd,
                    seen->is.type == KN_TYPE_DATE ? "dates" : "numbers", those, those, those);
    }
}

static void
free_column(kanon_ctx *ctx, kn_seen *seen)
{
    kn_dict_free(seen->dict);
    kn_free(ctx, seen->rows);
    kn_free(ctx, seen->more);
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
    table.options.propose = true;
    KN_TRY(kn_rows_open(&table.base, ctx, &rows));
    KN_TRY(begin_columns(ctx, rows, &arena, starter));
    KN_TRY(kn_load(&loader, rows));
    for (size_t i = 0; i < starter->ncolumns; i++)
        KN_TRY(kn_inspect(ctx, source->name, &arena, &starter->columns[i]));
    gather_absent(starter);
    starter->entity = find_entity(starter);
    find_latitude(starter);
    warn_without_quasi(ctx, starter);
    warn_of_odd(ctx, starter);
    KN_TRY(warn_undecided(ctx, starter));
    kn_starter_format(starter, &text);
    KN_TRY(kn_sink_write(ctx, sink, &text));
out:
    for (size_t i = 0; starter->columns && i < starter->ncolumns; i++)
        free_column(ctx, &starter->columns[i]);
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
    kn_starter    starter = { .ctx = ctx, .config = config, .input = "", .output = "" };

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
