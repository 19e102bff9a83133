/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_help.h -- what the fuzz targets share: a check that ends the process, choices made by the first
 * bytes of an input, a reader of releases that shares nothing with the library's, and counting by hand. */
#ifndef KN_FUZZ_HELP_H
#define KN_FUZZ_HELP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kanon/kanon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* One of the texts, chosen by a byte. */
#define PICK(byte, ...)                                                                            \
    ((const char *const[]){                                                                        \
        __VA_ARGS__ })[(byte) % (sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))]

/* --- settings ----------------------------------------------------------------------------------- */

/* A setting that must be taken. */
static inline void
fuzz_set(kanon_ctx *ctx, kanon_config *config, const char *name, const char *value)
{
    if (kanon_config_set(config, name, value) < 0) {
        fprintf(stderr, "%s=%s: %s\n", name, value, kanon_ctx_message(ctx));
        abort();
    }
}

/* A refusal says why, in one line. */
static inline void
fuzz_require_message(const kanon_ctx *ctx)
{
    REQUIRE(kanon_ctx_message(ctx)[0] && !strchr(kanon_ctx_message(ctx), '\n'));
}

/* A call on hostile input may refuse it; it may not contradict itself. */
static inline void
fuzz_require_refusal(const kanon_ctx *ctx, kanon_status rc)
{
    if (rc == KANON_E_VERIFY || rc == KANON_E_INTERNAL)
        fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
    REQUIRE(rc < 0 && rc != KANON_E_VERIFY && rc != KANON_E_INTERNAL && rc != KANON_E_CANCELLED);
    fuzz_require_message(ctx);
}

/* The part of an input before a line "---"; *rest is what follows it, empty where there is none. */
static inline size_t
fuzz_cut(const uint8_t *data, size_t size, const uint8_t **rest, size_t *rest_size)
{
    const uint8_t *cut = size ? memmem(data, size, "\n---\n", 5) : NULL;
    size_t         first = cut ? (size_t) (cut - data) + 1 : size;

    *rest = cut ? cut + 5 : data + size;
    *rest_size = cut ? size - first - 4 : 0;
    return first;
}

/* --- releases, read by a few lines of their own ------------------------------------------------- */

typedef struct fuzz_cell {
    const char *ptr;
    size_t      len;
} fuzz_cell;

typedef struct fuzz_table {
    fuzz_cell *cells;
    char      *text;          /* of the cells, without their quotes */
    size_t     columns, rows; /* rows: header not counted */
} fuzz_table;

/* One cell from *at on; *at stops at the delimiter, the line end or the end. */
static inline fuzz_cell
fuzz_take_cell(const char **at, const char *end, char delimiter, char **room)
{
    char *start = *room;
    bool  quoted = *at < end && **at == '"';

    for (*at += quoted; *at < end; ++*at) {
        if (quoted && **at == '"') {
            if (*at + 1 == end || (*at)[1] != '"') {
                ++*at;
                break;
            }
            ++*at;
        } else if (!quoted && (**at == delimiter || **at == '\n' || **at == '\r')) {
            break;
        }
        *(*room)++ = **at;
    }
    return (fuzz_cell){ start, (size_t) (*room - start) };
}

static inline void
fuzz_read_table(fuzz_table *t, const char *bytes, size_t count, bool header, char delimiter)
{
    const char *at = bytes, *end = bytes + count;
    size_t      ncells = 0, lines = 0;
    char       *room;

    t->cells = malloc((count + 1) * sizeof *t->cells);
    t->text = room = malloc(count + 1);
    REQUIRE(t->cells && t->text);

    if (count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    t->columns = 0;
    while (at < end) {
        size_t first = ncells;

        for (;;) {
            t->cells[ncells++] = fuzz_take_cell(&at, end, delimiter, &room);
            if (at < end && *at == delimiter)
                at++;
            else
                break;
        }
        at += at < end && *at == '\r';
        REQUIRE(at == end || *at == '\n');
        at++;
        if (!t->columns)
            t->columns = ncells;
        REQUIRE(ncells - first == t->columns);
        if (lines++ == 0 && header)
            ncells = 0;
    }
    t->rows = lines - (lines && header);
}

static inline void
fuzz_free_table(fuzz_table *t)
{
    free(t->cells);
    free(t->text);
}

static inline const fuzz_cell *
fuzz_row(const fuzz_table *t, size_t row)
{
    return &t->cells[row * t->columns];
}

static inline bool
fuzz_same(fuzz_cell a, fuzz_cell b)
{
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static inline bool
fuzz_is(fuzz_cell a, const char *text)
{
    return fuzz_same(a, (fuzz_cell){ text, strlen(text) });
}

/* Do two rows read alike in their first columns? */
static inline bool
fuzz_alike(const fuzz_table *t, size_t a, size_t b, size_t nquasi)
{
    for (size_t q = 0; q < nquasi; q++)
        if (!fuzz_same(fuzz_row(t, a)[q], fuzz_row(t, b)[q]))
            return false;
    return true;
}

/* Rows that read like this one in their first columns, itself included. */
static inline uint64_t
fuzz_class_rows(const fuzz_table *t, size_t row, size_t nquasi)
{
    uint64_t alike = 0;

    for (size_t b = 0; b < t->rows; b++)
        alike += fuzz_alike(t, row, b, nquasi);
    return alike;
}

/* Different values that the class of a row has in a column. */
static inline uint64_t
fuzz_class_values(const fuzz_table *t, size_t row, size_t nquasi, size_t column)
{
    uint64_t count = 0;

    for (size_t a = 0; a < t->rows; a++) {
        bool first = fuzz_alike(t, row, a, nquasi);

        for (size_t b = 0; first && b < a; b++)
            first = !fuzz_alike(t, row, b, nquasi)
                 || !fuzz_same(fuzz_row(t, a)[column], fuzz_row(t, b)[column]);
        count += first;
    }
    return count;
}

/* Rows of the class of a row that have its value in a column. */
static inline uint64_t
fuzz_class_share(const fuzz_table *t, size_t row, size_t nquasi, size_t column)
{
    uint64_t count = 0;

    for (size_t b = 0; b < t->rows; b++)
        count += fuzz_alike(t, row, b, nquasi)
              && fuzz_same(fuzz_row(t, row)[column], fuzz_row(t, b)[column]);
    return count;
}

/* --- writing ------------------------------------------------------------------------------------ */

/* What was written to a memory sink; the sink is freed. The caller frees the bytes. */
static inline char *
fuzz_take_bytes(kanon_sink *sink, size_t *count)
{
    const void *bytes = kanon_sink_bytes(sink, count);
    char       *copy = malloc(*count + 1);

    REQUIRE(copy);
    if (*count)
        memcpy(copy, bytes, *count);
    copy[*count] = 0;
    kanon_sink_free(sink);
    return copy;
}

static inline kanon_sink *
fuzz_sink(kanon_ctx *ctx)
{
    kanon_sink *sink = NULL;

    REQUIRE(kanon_sink_memory(ctx, &sink) == KANON_OK);
    return sink;
}

static inline kanon_source *
fuzz_source(kanon_ctx *ctx, const char *name, const void *bytes, size_t count)
{
    kanon_source *source = NULL;

    REQUIRE(kanon_source_memory(ctx, name, bytes, count, &source) == KANON_OK);
    return source;
}

/* Both reports of a result, for every audience that the config may ask for. */
static inline void
fuzz_write_result(kanon_ctx *ctx, const kanon_result *result)
{
    for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_HTML; format++) {
        kanon_sink *sink = fuzz_sink(ctx);

        REQUIRE(kanon_result_write(ctx, result, (kanon_format) format, sink) == KANON_OK);
        kanon_sink_free(sink);
    }
}

#endif
