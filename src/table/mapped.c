/* SPDX-License-Identifier: Apache-2.0 */
/* mapped.c -- rows with some of their cells replaced. Cost: a copy of the row's cells, and the functions. */
#include "table/mapped.h"

typedef struct mapped_source {
    kn_rows_source  base;
    kn_rows_source *of;
    kn_cell_map    *maps;
    size_t          count;
} mapped_source;

/* A column of a pass whose cells are replaced. */
typedef struct mapped_column {
    const kn_cell_map *map;
    size_t             position;
    kn_text            room;
} mapped_column;

typedef struct mapped_rows {
    kn_rows        base;
    kn_rows       *of;
    kn_str        *cells;
    mapped_column *columns;
    size_t         ncolumns;
} mapped_rows;

static kanon_status
next(kn_rows *base, const kn_str **cells)
{
    kanon_status  rc = KANON_OK;
    mapped_rows  *rows = (mapped_rows *) base;
    const kn_str *raw;

    *cells = NULL;
    KN_TRY(kn_rows_next(rows->of, &raw));
    if (!raw)
        return KANON_OK;
    memcpy(rows->cells, raw, kn_rows_columns(base) * sizeof *raw);
    for (size_t i = 0; i < rows->ncolumns; i++) {
        mapped_column *c = &rows->columns[i];

        c->room.len = 0;
        KN_TRY(c->map->map(c->map, rows->of, &rows->cells[c->position], &c->room));
    }
    *cells = rows->cells;
out:
    return rc;
}

static uint64_t
line(const kn_rows *rows)
{
    return kn_rows_line(((const mapped_rows *) rows)->of);
}

static uint64_t
bytes(const kn_rows *rows)
{
    return kn_rows_bytes(((const mapped_rows *) rows)->of);
}

static double
fraction(const kn_rows *rows)
{
    const kn_rows *of = ((const mapped_rows *) rows)->of;

    return of->class->fraction(of);
}

static const kn_hash *
hash(const kn_rows *rows)
{
    const kn_rows *of = ((const mapped_rows *) rows)->of;

    return of->class->hash(of);
}

static void
close_rows(kn_rows *base)
{
    mapped_rows *rows = (mapped_rows *) base;
    kanon_ctx   *ctx = base->ctx;

    for (size_t i = 0; i < rows->ncolumns; i++)
        kn_text_fini(&rows->columns[i].room);
    kn_rows_close(rows->of);
    kn_free(ctx, rows->columns);
    kn_free(ctx, rows->cells);
    kn_free(ctx, rows);
}

/* A column that the table does not have is refused by whoever looks at all names. */
static void
find_columns(mapped_rows *rows, const mapped_source *source)
{
    for (size_t i = 0; i < source->count; i++) {
        size_t position = kn_rows_find(&rows->base, kn_str_of(source->maps[i].column));

        if (position == SIZE_MAX)
            continue;
        rows->columns[rows->ncolumns] = (mapped_column){ &source->maps[i], position, { 0 } };
        kn_text_init(&rows->columns[rows->ncolumns++].room, rows->base.ctx);
    }
}

static kanon_status
open(kn_rows_source *base, kanon_ctx *ctx, kn_rows **out)
{
    kanon_status   rc = KANON_OK;
    mapped_source *source = (mapped_source *) base;
    mapped_rows   *rows = KN_NEW(ctx, mapped_rows);
    kn_rows       *of = NULL;

    *out = NULL;
    KN_TRY(KN_HAVE(rows));
    KN_TRY(kn_rows_open(source->of, ctx, &of));
    rows->base = *of;
    rows->base.class = base->class;
    rows->of = of;
    of = NULL; /* moved */
    rows->cells = KN_NEW_ARRAY(ctx, kn_str, kn_rows_columns(&rows->base));
    rows->columns = KN_NEW_ARRAY(ctx, mapped_column, source->count);
    KN_TRY(KN_HAVE(rows->cells && rows->columns));
    find_columns(rows, source);
    *out = &rows->base;
    rows = NULL; /* moved: the caller owns it now */
out:
    if (rows && rows->of)
        close_rows(&rows->base);
    else
        kn_free(ctx, rows);
    return rc;
}

static const kn_rows_class mapped_class = { .open = open,
                                            .next = next,
                                            .line = line,
                                            .bytes = bytes,
                                            .fraction = fraction,
                                            .hash = hash,
                                            .close = close_rows };

kanon_status
kn_mapped_new(kanon_ctx *ctx, kn_rows_source *of, const kn_cell_map *maps, size_t count,
              kn_rows_source **out)
{
    mapped_source *source;

    *out = of;
    if (!count)
        return KANON_OK;
    source = KN_NEW(ctx, mapped_source);
    if (!source)
        return KANON_E_NOMEM;
    *source = (mapped_source){ .base = { .class = &mapped_class, .name = of->name },
                               .of = of,
                               .maps = KN_NEW_ARRAY(ctx, kn_cell_map, count),
                               .count = count };
    if (!source->maps) {
        kn_free(ctx, source);
        return KANON_E_NOMEM;
    }
    memcpy(source->maps, maps, count * sizeof *maps);
    *out = &source->base;
    return KANON_OK;
}

void
kn_mapped_free(kanon_ctx *ctx, kn_rows_source *source, const kn_rows_source *of)
{
    if (!source || source == of)
        return;
    kn_free(ctx, ((mapped_source *) source)->maps);
    kn_free(ctx, source);
}
