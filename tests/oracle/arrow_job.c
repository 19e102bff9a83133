/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_job.c -- the job of `kanon anonymize` on the same table as Arrow arrays.
 *
 *     arrow_job [-c CONFIG] [--SETTING VALUE]... TABLE.csv
 *
 * Cells become typed where their text allows it: whole numbers, decimals and dates, each in several types
 * that change from column to column; empty cells become nulls. The table comes in three batches, as slices,
 * with dictionaries of their own. The release is printed as CSV, in the canonical text, after a line
 * of the types: "# name:format/dictionary ...". run_arrow.py compares it with what the tool writes. */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "formats/arrow.h"
#include "formats/csv.h"
#include "kanon/kanon.h"
#include "table/dict.h"

enum { BATCHES = 3, SKIPPED = 3 }; /* rows before a slice */

static kanon_ctx *ctx;

#define MUST(call)                                                                                 \
    do {                                                                                           \
        if ((call) != KANON_OK) {                                                                  \
            fprintf(stderr, "arrow_job: %s\n", kanon_ctx_message(ctx));                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* --- the table in memory --------------------------------------------------------------------------- */

typedef struct column {
    char  *name;
    char **cells; /* NULL: empty */
    char   format[16];
    char   values[16]; /* of a dictionary, or "" */
} column;

typedef struct csv_table {
    column *columns;
    size_t  ncolumns, nrows;
} csv_table;

static csv_table table;

static void
load(const kanon_source *source)
{
    kn_csv_options options = { .header = KN_HEADER_YES };
    kn_rows       *rows = NULL;
    const kn_str  *cells;
    size_t         capacity = 0;

    MUST(kn_csv_open(ctx, source, &options, &rows));
    table.ncolumns = kn_rows_columns(rows);
    table.columns = calloc(table.ncolumns, sizeof *table.columns);
    for (size_t c = 0; c < table.ncolumns; c++)
        table.columns[c].name = kn_strndup(ctx, kn_rows_names(rows)[c]);
    for (;; table.nrows++) {
        MUST(kn_rows_next(rows, &cells));
        if (!cells)
            break;
        if (table.nrows == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            for (size_t c = 0; c < table.ncolumns; c++)
                table.columns[c].cells = realloc(table.columns[c].cells,
                                                 capacity * sizeof *table.columns[c].cells);
        }
        for (size_t c = 0; c < table.ncolumns; c++)
            table.columns[c].cells[table.nrows] = cells[c].len ? strndup(cells[c].ptr, cells[c].len)
                                                               : NULL;
    }
    kn_rows_close(rows);
}

/* --- types ----------------------------------------------------------------------------------------- */

static bool
is_whole(const char *text)
{
    char again[32];

    snprintf(again, sizeof again, "%lld", atoll(text));
    return strcmp(again, text) == 0;
}

/* With one or two decimals, the last of them no zero, so that a double reads the same. */
static bool
is_decimal(const char *text)
{
    char again[400];

    snprintf(again, sizeof again, "%.1f", atof(text));
    if (strcmp(again, text) == 0 && again[strlen(again) - 1] != '0')
        return true;
    snprintf(again, sizeof again, "%.2f", atof(text));
    return is_whole(text) || (strcmp(again, text) == 0 && again[strlen(again) - 1] != '0');
}

static bool
is_date(const char *text)
{
    int  year, month, day;
    char again[64];

    if (sscanf(text, "%4d-%2d-%2d", &year, &month, &day) != 3 || year < 1 || month < 1 || month > 12
        || day < 1 || day > 31)
        return false;
    snprintf(again, sizeof again, "%04d-%02d-%02d", year, month, day);
    return strcmp(again, text) == 0;
}

static bool
all_are(const column *c, bool (*is)(const char *))
{
    for (size_t r = 0; r < table.nrows; r++)
        if (c->cells[r] && !is(c->cells[r]))
            return false;
    return true;
}

/* Types take turns, so that a wide table has them all. */
static void
choose_type(column *c, size_t turn)
{
    static const char *const whole[][2] = {
        { "l", "" }, { "i", "" }, { "I", "l" }, { "d:18,0", "" }
    };
    static const char *const decimal[][2] = { { "g", "" }, { "i", "g" } };
    static const char *const text[][2] = { { "u", "" },  { "i", "u" }, { "vu", "" },
                                           { "S", "U" }, { "U", "" },  { "l", "vu" } };
    static const char *const day[][2] = { { "tdD", "" }, { "tdm", "" }, { "I", "tdD" } };
    const char *const       *chosen = text[turn % 6];

    if (all_are(c, is_whole))
        chosen = whole[turn % 4];
    else if (all_are(c, is_decimal))
        chosen = decimal[turn % 2];
    else if (all_are(c, is_date))
        chosen = day[turn % 3];
    snprintf(c->format, sizeof c->format, "%s", chosen[0]);
    snprintf(c->values, sizeof c->values, "%s", chosen[1]);
}

static int64_t
days_of(const char *text)
{
    static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    int              year, month, day;
    int64_t          days;

    sscanf(text, "%d-%d-%d", &year, &month, &day);
    days = 365 * (int64_t) (year - 1) + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400
         - 719162;
    return days + before[month - 1] + day - 1
         + (month > 2 && year % 4 == 0 && (year % 100 || year % 400 == 0));
}

/* --- arrays ---------------------------------------------------------------------------------------- */

static void
release_array(struct ArrowArray *array)
{
    array->release = NULL; /* all of it lives as long as the program */
}

static size_t
width_of(const char *format)
{
    return strchr("lLg", format[0]) || !strcmp(format, "tdm")             ? 8
         : format[0] == 'i' || format[0] == 'I' || !strcmp(format, "tdD") ? 4
         : strchr("sS", format[0])                                        ? 2
         : format[0] == 'd'                                               ? 16
                                                                          : 1;
}

static void
put_value(char *to, const char *format, const char *text)
{
    int64_t number = format[0] == 't' ? days_of(text) * (format[2] == 'm' ? 86400000 : 1)
                                      : atoll(text);
    int64_t wide[2] = { number, number < 0 ? -1 : 0 };
    double  real = atof(text);

    if (format[0] == 'g')
        memcpy(to, &real, sizeof real);
    else
        memcpy(to, wide, width_of(format)); /* the low bytes first */
}

static void
put_text(struct ArrowArray *array, const char *format, char *const *cells, size_t count)
{
    size_t   bytes = 0, at = 0, view = format[0] == 'v';
    char    *text;
    int64_t *wide = calloc(count + 1, sizeof *wide);
    int32_t *narrow = calloc(count + 1, 4 * sizeof *narrow); /* offsets, or views */

    for (size_t i = 0; i < count; i++)
        bytes += cells[i] ? strlen(cells[i]) : 0;
    text = malloc(bytes + 1);
    for (size_t i = 0; i < count; i++) {
        size_t length = cells[i] ? strlen(cells[i]) : 0;

        if (length)
            memcpy(text + at, cells[i], length);
        if (view) {
            int32_t v[4] = { (int32_t) length, 0, 0, (int32_t) at };

            if (length)
                memcpy(&v[1], cells[i], length <= 12 ? length : 4);
            memcpy(narrow + 4 * i, v, sizeof v);
        }
        at += length;
        wide[i + 1] = (int64_t) at;
        if (!view)
            narrow[i + 1] = (int32_t) at;
    }
    array->n_buffers = view ? 4 : 3;
    array->buffers[1] = format[0] == 'U' ? (void *) wide : (void *) narrow;
    array->buffers[2] = text;
    if (view) {
        wide[0] = (int64_t) bytes;
        array->buffers[3] = wide;
    }
}

static void
fill(struct ArrowArray *array, const char *format, char *const *cells, size_t count)
{
    uint8_t *valid = calloc(count / 8 + 1, 1);
    size_t   width = width_of(format);
    char    *values;

    *array = (struct ArrowArray){ .length = (int64_t) count,
                                  .null_count = -1,
                                  .n_buffers = 2,
                                  .buffers = calloc(4, sizeof(void *)),
                                  .release = release_array };
    for (size_t i = 0; i < count; i++)
        valid[i / 8] |= (uint8_t) (cells[i] ? 1 << i % 8 : 0);
    array->buffers[0] = valid;
    if (strchr("uUv", format[0])) {
        put_text(array, format, cells, count);
        return;
    }
    values = calloc(count + 1, width);
    for (size_t i = 0; i < count; i++)
        if (cells[i])
            put_value(values + i * width, format, cells[i]);
    array->buffers[1] = values;
}

/* Indices in place of cells; *values becomes the dictionary. */
static void
encode(char *const *cells, size_t count, char **indices, char ***values, size_t *nvalues)
{
    kn_dict *dict = NULL;

    MUST(kn_dict_new(ctx, &dict));
    for (size_t i = 0; i < count; i++) {
        char     number[16];
        uint32_t code;

        indices[i] = NULL;
        if (!cells[i])
            continue;
        MUST(kn_dict_add(dict, kn_str_of(cells[i]), &code));
        snprintf(number, sizeof number, "%u", (unsigned) code);
        indices[i] = strdup(number);
    }
    *nvalues = kn_dict_count(dict);
    *values = calloc(*nvalues + 1, sizeof **values);
    for (size_t i = 0; i < *nvalues; i++)
        (*values)[i] = strndup(kn_dict_value(dict, (uint32_t) i).ptr,
                               kn_dict_value(dict, (uint32_t) i).len);
    kn_dict_free(dict);
}

/* Rows first .. first + count - 1 of a column; the SKIPPED ones before them are there, but not in the
 * slice. */
static void
fill_column(struct ArrowArray *array, const column *c, size_t first, size_t count)
{
    size_t skipped = first < SKIPPED ? first : SKIPPED;
    char **cells = c->cells + first - skipped;

    if (c->values[0]) {
        char **indices = calloc(count + skipped + 1, sizeof *indices), **values;
        size_t nvalues;

        encode(cells, count + skipped, indices, &values, &nvalues);
        fill(array, c->format, indices, count + skipped);
        array->dictionary = calloc(1, sizeof *array->dictionary);
        fill(array->dictionary, c->values, values, nvalues);
    } else {
        fill(array, c->format, cells, count + skipped);
    }
    array->offset = (int64_t) skipped;
    array->length = (int64_t) count;
}

/* --- the stream ------------------------------------------------------------------------------------ */

static void
release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static struct ArrowSchema *
field(const char *name, const char *format)
{
    struct ArrowSchema *out = calloc(1, sizeof *out);

    *out = (struct ArrowSchema){
        .name = name, .format = format, .flags = ARROW_FLAG_NULLABLE, .release = release_schema
    };
    return out;
}

static int
get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    (void) stream;
    *out = *field("", "+s");
    out->n_children = (int64_t) table.ncolumns;
    out->children = calloc(table.ncolumns, sizeof *out->children);
    for (size_t c = 0; c < table.ncolumns; c++) {
        out->children[c] = field(table.columns[c].name, table.columns[c].format);
        if (table.columns[c].values[0])
            out->children[c]->dictionary = field("", table.columns[c].values);
    }
    return 0;
}

static int
get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    size_t *batch = stream->private_data, first = table.nrows * *batch / BATCHES;
    size_t  count = table.nrows * (*batch + 1) / BATCHES - first;

    memset(out, 0, sizeof *out);
    if (*batch == BATCHES)
        return 0;
    ++*batch;
    *out = (struct ArrowArray){ .length = (int64_t) count,
                                .n_buffers = 1,
                                .buffers = calloc(1, sizeof(void *)),
                                .n_children = (int64_t) table.ncolumns,
                                .children = calloc(table.ncolumns, sizeof *out->children),
                                .release = release_array };
    for (size_t c = 0; c < table.ncolumns; c++) {
        out->children[c] = calloc(1, sizeof **out->children);
        fill_column(out->children[c], &table.columns[c], first, count);
    }
    return 0;
}

static const char *
get_last_error(struct ArrowArrayStream *stream)
{
    (void) stream;
    return NULL;
}

static void
release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

/* --- the job --------------------------------------------------------------------------------------- */

static void
print_release(struct ArrowArrayStream *release)
{
    kn_dialect         usual = KN_DIALECT_USUAL;
    kn_arrow_table    *read = NULL;
    struct ArrowSchema schema;
    kn_rows           *rows = NULL;
    const kn_str      *cells;
    kn_text            text;

    kn_text_init(&text, ctx);
    if (release->get_schema(release, &schema) != 0)
        exit(1);
    kn_text_addz(&text, "#");
    for (int64_t c = 0; c < schema.n_children; c++)
        kn_text_addf(&text, " %s:%s/%s", schema.children[c]->name, schema.children[c]->format,
                     schema.children[c]->dictionary ? schema.children[c]->dictionary->format : "");
    kn_text_addz(&text, "\n");
    schema.release(&schema);
    MUST(kn_arrow_table_read(ctx, "release", release, &read));
    MUST(kn_rows_open(&read->base, ctx, &rows));
    cells = kn_rows_names(rows);
    do {
        for (size_t c = 0; c < kn_rows_columns(rows); c++)
            kn_csv_put_field(&text, &usual, cells[c]);
        kn_csv_put_end(&text, &usual);
        MUST(kn_text_status(&text));
        fwrite(text.ptr, 1, text.len, stdout);
        text.len = 0;
        MUST(kn_rows_next(rows, &cells));
    } while (cells);
    kn_rows_close(rows);
    kn_arrow_table_free(read);
    kn_text_fini(&text);
}

static void
read_config(kanon_config *config, const char *path)
{
    kanon_source *source = NULL;
    char         *folder = strdup(path), *slash = strrchr(folder, '/');

    if (slash)
        *slash = 0;
    MUST(kanon_source_file(ctx, path, &source));
    MUST(kanon_config_read(config, source, slash ? folder : NULL));
    kanon_source_free(source);
    free(folder);
}

int
main(int argc, char **argv)
{
    kanon_config           *config = NULL;
    kanon_source           *source = NULL;
    kanon_table            *arrow = NULL;
    kanon_result           *result = NULL;
    size_t                  batch = 0;
    struct ArrowArrayStream release,
        in = { get_schema, get_next, get_last_error, release_stream, &batch };

    if (argc < 2 || kanon_ctx_new(NULL, &ctx) != KANON_OK)
        return 3;
    MUST(kanon_config_new(ctx, &config));
    MUST(kanon_config_set(config, "others", "keep"));
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "-c") == 0)
            read_config(config, argv[i + 1]);
        else
            MUST(kanon_config_set(config, argv[i] + 2, argv[i + 1]));
    MUST(kanon_source_file(ctx, argv[argc - 1], &source));
    load(source);
    for (size_t c = 0; c < table.ncolumns; c++)
        choose_type(&table.columns[c], c);
    MUST(kanon_table_arrow(ctx, "table", &in, &arrow));
    MUST(kanon_table_anonymize(ctx, config, arrow, &release, &result));
    if (!release.release) {
        fprintf(stderr, "arrow_job: %s\n", kanon_result_advice(result));
        return 2;
    }
    kanon_table_free(arrow);
    print_release(&release);
    kanon_result_free(result);
    kanon_source_free(source);
    kanon_config_free(config);
    fflush(stdout);
    _Exit(0); /* the table is not freed: it lives as long as the program */
}
