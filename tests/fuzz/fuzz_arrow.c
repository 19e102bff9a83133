/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_arrow.c -- Arrow arrays made from any bytes: types, lengths, offsets, nulls, missing buffers,
 * indices and views that lie. The one thing that is never wrong is the size of a buffer, which nobody
 * could check. Whatever comes of it, everything is released once, and a release holds what it promises.
 * */
#include "../unit/arrow_fixture.h"
#include "fuzz_help.h"

enum { COLUMNS_MOST = 4, BATCHES_MOST = 3, ROWS_MOST = 40, TEXT_BYTES = 64, BLOCKS_MOST = 256 };

static const char *const formats[] = {
    "i",          "u",       "c",     "vu",          "g", "U",   "b",   "l",        "C",   "S",
    "L",          "f",       "e",     "I",           "s", "tdD", "tdm", "tts",      "ttn", "tss:",
    "tsn:+01:30", "tsu:CET", "d:9,2", "d:38,-5,128", "z", "+l",  "n",   "d:9,2,32", "",    "tsq:"
};

/* What is left of the input, and what was made from it. */
typedef struct maker {
    const uint8_t *data;
    size_t         size;
    void          *blocks[BLOCKS_MOST];
    size_t         nblocks;
} maker;

static uint8_t
take(maker *m)
{
    if (!m->size)
        return 0;
    m->size--;
    return *m->data++;
}

/* A block of exactly this size, so that the sanitizer sees a step beyond it. */
static void *
block(maker *m, size_t bytes)
{
    void *made = calloc(bytes ? bytes : 1, 1);

    REQUIRE(made && m->nblocks < BLOCKS_MOST);
    m->blocks[m->nblocks++] = made;
    return made;
}

static uint8_t *
random_block(maker *m, size_t bytes)
{
    uint8_t *made = block(m, bytes);

    for (size_t i = 0; i < bytes; i++)
        made[i] = take(m);
    return made;
}

static size_t
width_of(const char *format)
{
    switch (format[0]) {
    case 'c':
    case 'C':
        return 1;
    case 's':
    case 'S':
    case 'e':
        return 2;
    case 'i':
    case 'I':
    case 'f':
        return 4;
    case 'd':
        return 16;
    case 't':
        return strcmp(format, "tdD") == 0 || strcmp(format, "tts") == 0 ? 4 : 8;
    default:
        return 8;
    }
}

/* Offsets may go back and forth, but not beyond the text. */
static void
make_text(maker *m, fixture_column *column, size_t values)
{
    int32_t *narrow = block(m, (values + 1) * sizeof *narrow);
    int64_t *wide = block(m, (values + 1) * sizeof *wide);
    int32_t  at = 0;

    column->nbuffers = 3;
    for (size_t i = 0; i <= values; i++) {
        uint8_t byte = take(m);

        at = byte >= 250 ? (int32_t) byte - 253 : at + byte % 4;
        at = at > TEXT_BYTES ? TEXT_BYTES : at;
        narrow[i] = at;
        wide[i] = at;
    }
    column->buffers[1] = column->format[0] == 'U' ? (void *) wide : (void *) narrow;
    column->buffers[2] = random_block(m, TEXT_BYTES);
}

static void
make_views(maker *m, fixture_column *column, size_t values)
{
    int32_t *views = block(m, values * 4 * sizeof *views);
    int64_t *sizes = block(m, 2 * sizeof *sizes);

    column->nbuffers = 5;
    for (size_t i = 0; i < values; i++) {
        uint8_t byte = take(m);

        views[4 * i] = byte == 255 ? -1 : byte % 20;
        for (size_t k = 1; k < 4; k++)
            views[4 * i + k] = take(m);
        if (views[4 * i] > 12) {
            views[4 * i + 2] = (int32_t) (take(m) % 5) - 1;
            views[4 * i + 3] = (int32_t) (take(m) % (TEXT_BYTES + 3)) - 1;
        }
    }
    sizes[0] = TEXT_BYTES;
    sizes[1] = TEXT_BYTES / 2;
    column->buffers[1] = views;
    column->buffers[2] = random_block(m, TEXT_BYTES);
    column->buffers[3] = random_block(m, TEXT_BYTES / 2);
    column->buffers[4] = sizes;
}

static void
make_values(maker *m, fixture_column *column, size_t values)
{
    if (column->format[0] == 'u' || column->format[0] == 'U')
        make_text(m, column, values);
    else if (column->format[0] == 'v')
        make_views(m, column, values);
    else
        column->buffers[1] = random_block(m, column->format[0] == 'b'
                                                 ? values / 8 + 1
                                                 : values * width_of(column->format));
    if (take(m) % 2)
        column->buffers[0] = random_block(m, values / 8 + 1);
}

/* Something may be wrong: mostly nothing. */
static void
spoil(maker *m, fixture_column *column)
{
    switch (take(m)) {
    case 255:
        column->length = -1;
        break;
    case 254:
        column->offset = -2;
        break;
    case 253:
        column->nulls = (int64_t) take(m) - 2;
        break;
    case 252:
        column->nbuffers += (int64_t) (take(m) % 3) - 1;
        break;
    case 251:
        column->buffers[take(m) % FIXTURE_BUFFERS] = NULL;
        break;
    case 250:
        column->nchildren = 1;
        break;
    case 249:
        column->length = INT64_MAX - take(m);
        break;
    default:
        break;
    }
}

/* values: the type of the dictionary's; NULL: there is none. */
static void
make_column(maker *m, fixture_column *column, size_t rows, const char *values_format)
{
    size_t offset = take(m) % 4;

    column->offset = (int64_t) offset;
    column->length = (int64_t) rows;
    column->nulls = -1;
    make_values(m, column, rows + offset);
    if (values_format) {
        fixture_column *values = block(m, sizeof *values);
        size_t          count = 1 + take(m) % 8, width = width_of(column->format);
        uint8_t        *indices = (uint8_t *) (uintptr_t) column->buffers[1];

        for (size_t i = 0; i < (rows + offset) * width; i++)
            if (indices[i] < 250)
                indices[i] = (uint8_t) (i % width ? 0 : indices[i] % count);
        values->format = values_format;
        make_column(m, values, count, NULL);
        column->dictionary = values;
    }
    spoil(m, column);
}

/* All batches have the types of the first one. */
static void
make_fixture(maker *m, fixture *f, fixture_column batches[][COLUMNS_MOST],
             const fixture_column **pointers)
{
    static const char *const names[COLUMNS_MOST] = { "a", "b", "c", "d" };

    f->ncolumns = 1 + take(m) % COLUMNS_MOST;
    f->nbatches = 1 + take(m) % BATCHES_MOST;
    f->batches = pointers;
    for (size_t b = 0; b < f->nbatches; b++) {
        size_t rows = take(m) % ROWS_MOST;

        pointers[b] = batches[b];
        for (size_t c = 0; c < f->ncolumns; c++) {
            fixture_column *column = &batches[b][c];
            uint8_t         type = take(m);
            const char     *values = NULL;

            column->name = type % 97 == 96 ? NULL : names[c];
            column->format = formats[type % (sizeof formats / sizeof *formats)];
            if (type >= 128) {
                values = column->format;
                column->format = PICK(type, "c", "C", "s", "S", "i", "I", "l", "L");
            }
            if (b) {
                column->format = batches[0][c].format;
                values = batches[0][c].dictionary ? batches[0][c].dictionary->format : NULL;
            }
            make_column(m, column, rows, values);
        }
    }
    if (take(m) == 255)
        f->batch_offset = take(m) % 3;
    if (take(m) == 255)
        f->fail_at = 1 + take(m) % 3;
}

static void
configure(maker *m, kanon_ctx *ctx, kanon_config *config)
{
    uint8_t byte = take(m);

    fuzz_set(ctx, config, "qi", PICK(byte, "a", "a,b", "b", "a,b,c"));
    fuzz_set(ctx, config, "k", PICK(byte >> 2, "2", "3"));
    fuzz_set(ctx, config, "suppression", PICK(byte >> 3, "1", "0.5"));
    fuzz_set(ctx, config, "suppressed", PICK(byte >> 4, "drop", "mask"));
    fuzz_set(ctx, config, "algorithm", PICK(byte >> 5, "optimal", "mondrian"));
    fuzz_set(ctx, config, "threads", "1");
    if (byte >> 6 & 1)
        fuzz_set(ctx, config, "missing", "NA");
}

/* The release is a table again, of as many rows as were told, in classes of k. */
static void
check_release(kanon_ctx *ctx, kanon_config *config, struct ArrowArrayStream *release,
              const kanon_result *result)
{
    kanon_table *table = NULL;
    kanon_check *check = NULL;
    double       rows = 0, k = 0;
    uint64_t     all = kanon_result_rows(result), lost = kanon_result_suppressed(result);

    REQUIRE(kanon_table_arrow(ctx, "release", release, &table) == KANON_OK);
    REQUIRE(!release->release);
    if (kanon_table_check(ctx, config, table, &check) == KANON_OK) {
        REQUIRE(kanon_check_number(check, "rows", &rows) == KANON_OK);
        REQUIRE(rows == (double) (all - lost) || rows == (double) all);
        REQUIRE(rows == 0 || kanon_check_number(check, "k", &k) == KANON_OK);
        REQUIRE(rows == 0 || k >= 2);
        kanon_check_free(check);
    }
    kanon_table_free(table);
}

static void
run_job(kanon_ctx *ctx, kanon_config *config, kanon_table *table)
{
    kanon_result           *result = NULL;
    struct ArrowArrayStream release;
    kanon_status            rc = kanon_table_anonymize(ctx, config, table, &release, &result);

    if (rc < 0) {
        fuzz_require_refusal(ctx, rc);
        REQUIRE(!release.release && !result);
    } else if (kanon_result_outcome(result) == KANON_INFEASIBLE) {
        REQUIRE(!release.release);
    } else {
        check_release(ctx, config, &release, result);
    }
    kanon_result_free(result);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fixture_column          batches[BATCHES_MOST][COLUMNS_MOST] = { { { .name = NULL } } };
    const fixture_column   *pointers[BATCHES_MOST];
    maker                   m = { .data = data, .size = size };
    fixture                 f = { .batches = NULL };
    struct ArrowArrayStream stream;
    kanon_ctx              *ctx = NULL;
    kanon_config           *config = NULL;
    kanon_table            *table = NULL;
    kanon_status            rc;

    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK && kanon_config_new(ctx, &config) == KANON_OK);
    fuzz_set(ctx, config, "others", "keep");
    configure(&m, ctx, config);
    make_fixture(&m, &f, batches, pointers);
    fixture_open(&f, &stream);
    rc = kanon_table_arrow(ctx, "fuzz", &stream, &table);
    REQUIRE(!stream.release && f.streams == 0 && f.schemas == 0);
    if (rc < 0)
        fuzz_require_refusal(ctx, rc);
    else
        run_job(ctx, config, table);
    REQUIRE(rc == KANON_OK || (!table && f.arrays == 0));
    kanon_table_free(table);
    REQUIRE(f.arrays == 0);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    for (size_t i = 0; i < m.nblocks; i++)
        free(m.blocks[i]);
    return 0;
}
