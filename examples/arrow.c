/* SPDX-License-Identifier: Apache-2.0 */
/* arrow.c -- anonymizes Arrow arrays in memory: no file, no CSV, no Arrow library.
 *
 *     cc arrow.c $(pkg-config --cflags --libs kanon) -o arrow
 *     ./arrow
 *
 * The arrays here are plain C arrays. In a program of yours they come from Arrow C++, Polars, DuckDB, R or
 * Python, all of which hand out an ArrowArrayStream and take one back. */
#include <kanon/kanon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 12, COLUMNS = 4 };

/* --- a table --------------------------------------------------------------------------------------- */

static const char    names[] = "AdaBenCleDanEvaFayGusHalIdaJanKimLea";
static const int32_t name_ends[PEOPLE + 1] = { 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36 };
static const int32_t ages[PEOPLE] = { 31, 34, 36, 38, 42, 45, 47, 49, 53, 55, 57, 59 };
static const int8_t  town_of[PEOPLE] = { 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1 };
static const char    towns[] = "AshfordBarton";
static const int32_t town_ends[] = { 0, 7, 13 };
static const double  incomes[PEOPLE] = { 31000, 28500.5, 0,     41000, 39000, 27250,
                                         52000, 33000,   47000, 36000, 29000, 61000 };
static const uint8_t income_known[] = { 0xfb, 0x0f }; /* a bit per person: of one it is not known */

static const void *name_buffers[] = { NULL, name_ends, names };
static const void *age_buffers[] = { NULL, ages };
static const void *town_buffers[] = { NULL, town_of };
static const void *town_names[] = { NULL, town_ends, towns };
static const void *income_buffers[] = { income_known, incomes };
static const void *no_buffers[] = { NULL };

/* Nothing to free: the arrays are static. */
static void
release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void
release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

/* What the stream hands out points into this. */
typedef struct people {
    struct ArrowSchema fields[COLUMNS], town, *field_pointers[COLUMNS];
    struct ArrowArray  columns[COLUMNS], town_values, *column_pointers[COLUMNS];
    int                done;
} people;

static int
get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static const char *const formats[COLUMNS][2] = {
        { "name", "u" }, { "age", "i" }, { "town", "c" }, { "income", "g" }
    };
    people *p = stream->private_data;

    memset(out, 0, sizeof *out);
    for (int i = 0; i < COLUMNS; i++) {
        memset(&p->fields[i], 0, sizeof p->fields[i]);
        p->fields[i].name = formats[i][0];
        p->fields[i].format = formats[i][1];
        p->fields[i].flags = ARROW_FLAG_NULLABLE;
        p->fields[i].release = release_schema;
        p->field_pointers[i] = &p->fields[i];
    }
    memset(&p->town, 0, sizeof p->town);
    p->town.format = "u";
    p->town.release = release_schema;
    p->fields[2].dictionary = &p->town;
    out->format = "+s";
    out->n_children = COLUMNS;
    out->children = p->field_pointers;
    out->release = release_schema;
    return 0;
}

static void
fill(struct ArrowArray *array, int64_t length, const void **buffers, int64_t count)
{
    memset(array, 0, sizeof *array);
    array->length = length;
    array->n_buffers = count;
    array->buffers = buffers;
    array->release = release_array;
}

static int
get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    people *p = stream->private_data;

    memset(out, 0, sizeof *out);
    if (p->done++)
        return 0; /* a released array: the end */
    fill(&p->columns[0], PEOPLE, name_buffers, 3);
    fill(&p->columns[1], PEOPLE, age_buffers, 2);
    fill(&p->columns[2], PEOPLE, town_buffers, 2);
    fill(&p->columns[3], PEOPLE, income_buffers, 2);
    fill(&p->town_values, 2, town_names, 3);
    p->columns[2].dictionary = &p->town_values;
    p->columns[3].null_count = 1;
    for (int i = 0; i < COLUMNS; i++)
        p->column_pointers[i] = &p->columns[i];
    fill(out, PEOPLE, no_buffers, 1);
    out->n_children = COLUMNS;
    out->children = p->column_pointers;
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

/* --- what comes back ------------------------------------------------------------------------------- */

static int
is_null(const struct ArrowArray *array, int64_t row)
{
    const uint8_t *valid = array->buffers[0];

    row += array->offset;
    return valid && !(valid[row / 8] >> row % 8 & 1);
}

static void
print_text(const struct ArrowArray *array, int64_t row)
{
    const int32_t *ends = (const int32_t *) array->buffers[1] + array->offset;

    printf("%.*s", (int) (ends[row + 1] - ends[row]), (const char *) array->buffers[2] + ends[row]);
}

static void
print_cell(const struct ArrowSchema *field, const struct ArrowArray *array, int64_t row)
{
    int64_t at = array->offset + row;

    if (is_null(array, row))
        printf("null");
    else if (field->dictionary && strcmp(field->format, "i") == 0)
        print_text(array->dictionary, ((const int32_t *) array->buffers[1])[at]);
    else if (field->dictionary && strcmp(field->format, "c") == 0)
        print_text(array->dictionary, ((const int8_t *) array->buffers[1])[at]);
    else if (strcmp(field->format, "u") == 0)
        print_text(array, row);
    else if (strcmp(field->format, "g") == 0)
        printf("%g", ((const double *) array->buffers[1])[at]);
    else
        printf("?");
}

static int
print_stream(struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema;
    struct ArrowArray  batch;
    int                error = stream->get_schema(stream, &schema);

    if (error)
        return error;
    for (int64_t c = 0; c < schema.n_children; c++)
        printf("%s%s (%s%s%s)", c ? ", " : "", schema.children[c]->name, schema.children[c]->format,
               schema.children[c]->dictionary ? " -> " : "",
               schema.children[c]->dictionary ? schema.children[c]->dictionary->format : "");
    printf("\n");
    while ((error = stream->get_next(stream, &batch)) == 0 && batch.release) {
        for (int64_t row = 0; row < batch.length; row++)
            for (int64_t c = 0; c < schema.n_children; c++) {
                print_cell(schema.children[c], batch.children[c], row);
                printf(c + 1 < schema.n_children ? ", " : "\n");
            }
        batch.release(&batch);
    }
    schema.release(&schema);
    return error;
}

int
main(void)
{
    people                  all = { .done = 0 };
    struct ArrowArrayStream in = { get_schema, get_next, get_last_error, release_stream, NULL };
    struct ArrowArrayStream release = { NULL, NULL, NULL, NULL, NULL };
    kanon_ctx              *ctx = NULL;
    kanon_config           *config = NULL;
    kanon_table            *table = NULL;
    kanon_result           *result = NULL;

    in.private_data = &all;
    int ok = kanon_ctx_new(NULL, &ctx) == KANON_OK && kanon_config_new(ctx, &config) == KANON_OK
          && kanon_config_set(config, "k", "2") == KANON_OK
          && kanon_config_set(config, "seed", "1") == KANON_OK
          && kanon_config_set(config, "id", "name") == KANON_OK
          && kanon_config_set(config, "qi", "age,town") == KANON_OK
          && kanon_config_set(config, "sensitive", "income") == KANON_OK
          && kanon_config_set(config, "hierarchy", "age=range:10,20") == KANON_OK
          && kanon_table_arrow(ctx, "people", &in, &table) == KANON_OK /* takes the stream */
          && kanon_table_anonymize(ctx, config, table, &release, &result) == KANON_OK
          && kanon_result_outcome(result) != KANON_INFEASIBLE && print_stream(&release) == 0;

    if (!ok)
        fprintf(stderr, "arrow: %s\n",
                result ? kanon_result_advice(result)
                : ctx  ? kanon_ctx_message(ctx)
                       : "no memory");
    if (release.release)
        release.release(&release);
    if (in.release)
        in.release(&in);
    kanon_result_free(result);
    kanon_table_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return !ok;
}
