/* fuzz_job.c -- whole jobs: the first bytes choose settings, the rest is the table. A job refuses in one
 * line, finds nothing feasible, or commits a release; the release is then read by a few lines of its own
 * here, and every tuple of quasi-identifier cells in it must stand there at least k times. */
#include <stdbool.h>
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

enum { CHOICES = 8, TABLE_MOST = 4096, COLUMNS = 4 };

/* What the first bytes chose; roles: q1 and q2 are quasi-identifiers, the rest as chosen. */
typedef struct choices {
    uint64_t k;
    bool     header, drop_identifiers, mask;
    char     delimiter;
} choices;

/* --- a reader of its own ---------------------------------------------------------------------- */

typedef struct cell {
    const char *ptr;
    size_t      len;
} cell;

typedef struct table {
    cell  *cells;
    char  *text;          /* of the cells, without their quotes */
    size_t columns, rows; /* rows: header not counted */
} table;

/* One cell from *at on; *at stops at the delimiter, the line end or the end. */
static cell
take_cell(const char **at, const char *end, char delimiter, char **room)
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
    return (cell){ start, (size_t) (*room - start) };
}

static void
read_table(table *t, const char *bytes, size_t count, const choices *c)
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
            t->cells[ncells++] = take_cell(&at, end, c->delimiter, &room);
            if (at < end && *at == c->delimiter)
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
        if (lines++ == 0 && c->header)
            ncells = 0;
    }
    t->rows = lines - (lines && c->header);
}

static bool
same_cell(cell a, cell b)
{
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* The quasi-identifiers are the first two columns of the release, the identifier the fourth; without a
 * header the table may have more. */
static void
require_k(const table *t, const choices *c)
{
    for (size_t a = 0; a < t->rows; a++) {
        const cell *x = &t->cells[a * t->columns];
        uint64_t    alike = 0;

        for (size_t b = 0; b < t->rows; b++) {
            const cell *y = &t->cells[b * t->columns];

            alike += same_cell(x[0], y[0]) && same_cell(x[1], y[1]);
        }
        REQUIRE(alike >= c->k);
        if (!c->drop_identifiers)
            REQUIRE(same_cell(x[COLUMNS - 1], (cell){ "*", 1 }));
    }
}

/* --- the job ---------------------------------------------------------------------------------- */

static void
set(kanon_ctx *ctx, kanon_config *config, const char *name, const char *value)
{
    if (kanon_config_set(config, name, value) < 0) {
        fprintf(stderr, "%s=%s: %s\n", name, value, kanon_ctx_message(ctx));
        abort();
    }
}

#define PICK(byte, ...)                                                                            \
    ((const char *const[]){                                                                        \
        __VA_ARGS__ })[(byte) % (sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))]

static void
configure(kanon_ctx *ctx, kanon_config *config, const uint8_t *b, choices *c)
{
    static const char *const kinds[] = { "auto",       "auto",           "order",      "order:2",
                                         "mask:right", "mask:left",      "range:5,10", "range:x10",
                                         "range:0.5",  "date:month,year" };
    char                     text[64];

    c->k = 1 + b[0] % 4;
    c->header = b[1] & 1;
    c->drop_identifiers = b[1] & 2;
    c->mask = b[1] & 4;
    c->delimiter = ",;\t|"[b[1] >> 3 & 3];
    snprintf(text, sizeof text, "%d", (int) c->k);
    set(ctx, config, "k", text);
    set(ctx, config, "header", c->header ? "yes" : "no");
    set(ctx, config, "identifiers", c->drop_identifiers ? "drop" : "mask");
    set(ctx, config, "suppressed", c->mask ? "mask" : "drop");
    set(ctx, config, "delimiter", PICK(b[1] >> 3 & 3, ",", ";", "tab", "|"));
    set(ctx, config, "encoding", b[1] & 64 ? "latin-1" : "utf-8");
    set(ctx, config, "keep-order", b[1] & 128 ? "true" : "false");
    set(ctx, config, "suppression", PICK(b[2], "0", "0.1", "0.34", "0.5", "1"));
    set(ctx, config, "algorithm", PICK(b[3], "exhaustive", "kgen", "random", "auto"));
    set(ctx, config, "metric", kanon_metric_at(b[3] / 4 % 9)->name);
    set(ctx, config, "threads", "1");
    set(ctx, config, "time-limit", "1");
    if (b[3] % 4 == 1 || b[3] % 4 == 2)
        set(ctx, config, "param", "max-evaluations=50");
    for (int i = 1; i <= 2; i++) {
        snprintf(text, sizeof text, "column%d=%s", i,
                 kinds[b[3 + i] % (sizeof kinds / sizeof *kinds)]);
        set(ctx, config, "hierarchy", text);
    }
    set(ctx, config, "qi", "column1,column2");
    set(ctx, config, b[6] & 1 ? "sensitive" : "label", "column3");
    set(ctx, config, "id", "column4");
    set(ctx, config, "seed", PICK(b[7], "0", "1", "18446744073709551615"));
}

/* With a header the names are given here, so that the settings fit whatever the bytes are. */
static void
run_job(kanon_ctx *ctx, const kanon_config *config, const choices *c, const char *bytes,
        size_t count)
{
    table         back;
    kanon_source *source = NULL;
    kanon_sink   *sink = NULL;
    kanon_result *result = NULL;
    kanon_status  rc;
    size_t        length;
    const char   *release;

    REQUIRE(kanon_source_memory(ctx, "fuzz", bytes, count, &source) == KANON_OK);
    REQUIRE(kanon_sink_memory(ctx, &sink) == KANON_OK);
    rc = kanon_anonymize(ctx, config, source, sink, &result);
    release = kanon_sink_bytes(sink, &length);
    if (rc < 0) {
        if (rc == KANON_E_VERIFY || rc == KANON_E_INTERNAL)
            fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
        REQUIRE(rc != KANON_E_VERIFY && rc != KANON_E_INTERNAL && rc != KANON_E_CANCELLED);
        REQUIRE(length == 0 && !result);
        REQUIRE(kanon_ctx_message(ctx)[0] && !strchr(kanon_ctx_message(ctx), '\n'));
    } else if (kanon_result_outcome(result) == KANON_INFEASIBLE) {
        REQUIRE(length == 0 && kanon_result_advice(result)[0]);
    } else {
        uint64_t rows = kanon_result_rows(result), lost = kanon_result_suppressed(result);

        read_table(&back, release, length, c);
        REQUIRE(back.rows == rows - lost || (c->mask && back.rows == rows));
        if (back.rows) {
            REQUIRE(back.columns >= (c->drop_identifiers ? COLUMNS - 1 : COLUMNS));
            require_k(&back, c);
        }
        free(back.cells);
        free(back.text);
    }
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_source_free(source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char   bytes[TABLE_MOST + 64];
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    choices       c;
    size_t        count = 0;

    if (size < CHOICES || size > TABLE_MOST)
        return 0;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    configure(ctx, config, data, &c);
    if (c.header)
        count = (size_t) snprintf(bytes, sizeof bytes, "column1%ccolumn2%ccolumn3%ccolumn4\n",
                                  c.delimiter, c.delimiter, c.delimiter);
    memcpy(bytes + count, data + CHOICES, size - CHOICES);
    run_job(ctx, config, &c, bytes, count + size - CHOICES);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}
