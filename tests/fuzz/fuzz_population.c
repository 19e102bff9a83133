/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_population.c -- a table and, behind a line "---", the population it was drawn from; the first bytes
 * choose k-map or delta-presence. In what is released every class must stand for enough people: the
 * population is generalized here, cell by cell, with the labels of the hierarchies, and counted. */
#include "fuzz_help.h"

#include <sys/mman.h>
#include <unistd.h>

#include "formats/csv.h"

enum { CHOICES = 4, MOST = 2048 };

typedef struct rules {
    uint64_t k, k_map;
    double   presence; /* below 0: not asked for */
    bool     order;    /* column a goes by "order": its labels are read here, not built again */
} rules;

static void
configure(kanon_ctx *ctx, kanon_config *config, const uint8_t *b, rules *r)
{
    char text[64];

    r->k = 1 + b[0] % 3;
    r->k_map = 0;
    r->presence = -1;
    snprintf(text, sizeof text, "%d", (int) r->k);
    fuzz_set(ctx, config, "k", text);
    fuzz_set(ctx, config, "header", "yes");
    fuzz_set(ctx, config, "delimiter", ",");
    fuzz_set(ctx, config, "encoding", "utf-8");
    fuzz_set(ctx, config, "qi", "a,b");
    fuzz_set(ctx, config, "threads", "1");
    fuzz_set(ctx, config, "time-limit", "0.5");
    fuzz_set(ctx, config, "missing", "");
    fuzz_set(ctx, config, "algorithm", PICK(b[1], "exhaustive", "kgen", "datafly", "ola"));
    fuzz_set(ctx, config, "suppression", PICK(b[1] >> 2, "0", "0.2", "0.5", "1"));
    fuzz_set(ctx, config, "suppressed", b[1] & 16 ? "mask" : "drop");
    fuzz_set(ctx, config, "hierarchy",
             r->order    ? b[1] & 32 ? "a=order:2" : "a=order:3"
             : b[1] & 32 ? "a=mask:right"
                         : "a=range:5,10");
    fuzz_set(ctx, config, "hierarchy", b[1] & 64 ? "b=mask:left" : "b=mask:right");
    if (b[2] & 1) {
        r->k_map = 2 + b[2] / 2 % 6; /* one asks for nothing */
        snprintf(text, sizeof text, "%d", (int) r->k_map);
        fuzz_set(ctx, config, "k-map", text);
    }
    if (b[3] & 1) {
        r->presence = b[3] & 2 ? 0.5 : 0.8;
        snprintf(text, sizeof text, "%s%s", b[3] & 4 ? "0.1," : "", b[3] & 2 ? "0.5" : "0.8");
        fuzz_set(ctx, config, "delta-presence", text);
    }
}

/* The label of a value at a level, found by its text; NULL if the hierarchy does not know it. */
static const char *
label_of(const kanon_hierarchy *h, kn_str value, size_t level, size_t *length)
{
    for (size_t v = 0; v < kanon_hierarchy_values(h); v++) {
        const char *text = kanon_hierarchy_label(h, v, 0, length);

        if (*length == value.len && memcmp(text, value.ptr, value.len) == 0)
            return kanon_hierarchy_label(h, v, level, length);
    }
    return NULL;
}

/* Does a label of whole numbers put in order cover the number? 7, 3 to 5, 3 to under 6, under 7,
 * 7 or more, *; with dashes 3-5, [3, 6), <=7, <7, >=7, >7. */
static bool
covers(fuzz_cell label, kn_str cell)
{
    char   text[64];
    double value, low, high;
    int    end = 0;

    REQUIRE(label.len && label.len < sizeof text && cell.len && cell.len < sizeof text);
    memcpy(text, cell.ptr, cell.len);
    text[cell.len] = 0;
    value = atof(text);
    memcpy(text, label.ptr, label.len);
    text[label.len] = 0;
    if (strcmp(text, "*") == 0)
        return true;
    if (sscanf(text, "<=%lf%n", &high, &end) == 1 && !text[end])
        return value <= high;
    if (sscanf(text, ">=%lf%n", &low, &end) == 1 && !text[end])
        return value >= low;
    if (sscanf(text, "<%lf%n", &high, &end) == 1 && !text[end])
        return value < high;
    if (sscanf(text, ">%lf%n", &low, &end) == 1 && !text[end])
        return value > low;
    if (sscanf(text, "under %lf%n", &high, &end) == 1 && end && !text[end])
        return value < high;
    if (sscanf(text, "%lf or more%n", &low, &end) == 1 && end && !text[end])
        return value >= low;
    if (sscanf(text, "%lf to under %lf%n", &low, &high, &end) == 2 && !text[end])
        return value >= low && value < high;
    if (sscanf(text, "%lf to %lf%n", &low, &high, &end) == 2 && !text[end])
        return value >= low && value <= high;
    if (sscanf(text, "%lf-%lf%n", &low, &high, &end) == 2 && !text[end])
        return value >= low && value <= high;
    if (sscanf(text, "[%lf, %lf)%n", &low, &high, &end) == 2 && end && !text[end])
        return value >= low && value < high;
    REQUIRE(sscanf(text, "%lf%n", &low, &end) == 1 && !text[end]);
    return value >= low && value <= low;
}

/* A mask is as wide as k released rows are, so its width says nothing of one cell: any run of stars is one
 * star here. */
static bool
same_but_width(fuzz_cell a, fuzz_cell b)
{
    size_t i = 0, j = 0;

    while (i < a.len && j < b.len && a.ptr[i] == b.ptr[j]) {
        bool star = a.ptr[i] == '*';

        for (i++; star && i < a.len && a.ptr[i] == '*';)
            i++;
        for (j++; star && j < b.len && b.ptr[j] == '*';)
            j++;
    }
    return i == a.len && j == b.len;
}

/* Whole numbers without sign and leading zeros in the first column, and nothing else. */
static bool
only_numbers(const char *bytes, size_t size)
{
    while (size) {
        const char *end = memchr(bytes, '\n', size);
        size_t      line = end ? (size_t) (end - bytes) : size, digits = 0;

        while (digits < line && bytes[digits] >= '0' && bytes[digits] <= '9')
            digits++;
        if (!digits || digits > 6 || digits == line || bytes[digits] != ','
            || (digits > 1 && bytes[0] == '0'))
            return false;
        bytes += end ? line + 1 : line;
        size -= end ? line + 1 : line;
    }
    return true;
}

/* People whose cells, generalized, read like a released row. */
static uint64_t
people_of(kanon_ctx *ctx, const kanon_source *population, kanon_hierarchy *const *h,
          const int *levels, const fuzz_cell *row)
{
    const kn_csv_options options = { .delimiter = ',', .header = KN_HEADER_YES };
    kn_rows             *csv = NULL;
    const kn_str        *cells = NULL;
    uint64_t             people = 0;

    REQUIRE(kn_csv_open(ctx, population, &options, &csv) == KANON_OK);
    for (;;) {
        bool same = true;

        REQUIRE(kn_rows_next(csv, &cells) == KANON_OK);
        if (!cells)
            break;
        for (size_t q = 0; q < 2; q++) {
            size_t      length = 0;
            const char *label;

            if (!h[q]) {
                same &= covers(row[q], cells[q]);
                continue;
            }
            label = label_of(h[q], cells[q], (size_t) levels[q], &length);
            REQUIRE(label);
            same &= same_but_width(row[q], (fuzz_cell){ label, length });
        }
        people += same;
    }
    kn_rows_close(csv);
    return people;
}

/* The hierarchies that the job used: those of both tables together. Where a label depends on how many rows
 * of the table hold a value, as in an order, that cannot be built here: there the labels are read. */
static void
judge(kanon_ctx *ctx, const kanon_config *config, const kanon_result *result, const rules *r,
      const char *both, size_t both_size, const kanon_source *population, const fuzz_table *t)
{
    kanon_source    *joint = fuzz_source(ctx, "both", both, both_size);
    kanon_hierarchy *h[2] = { NULL, NULL };
    int              levels[2];

    for (int q = 0; q < 2; q++) {
        levels[q] = kanon_result_level(result, q ? "b" : "a");
        REQUIRE(levels[q] >= 0);
        if (q == 0 && r->order)
            continue;
        /* Empty last lines of the table, which its reader skips, stand in the middle here. */
        if (kanon_hierarchy_build(ctx, config, joint, q ? "b" : "a", &h[q]) < 0)
            goto out;
        REQUIRE((size_t) levels[q] < kanon_hierarchy_levels(h[q]));
    }
    for (size_t i = 0; i < t->rows; i++) {
        uint64_t rows = fuzz_class_rows(t, i, 2), people;

        REQUIRE(rows >= r->k);
        /* Masked rows may stand for anybody. */
        if (fuzz_is(fuzz_row(t, i)[0], "*") && fuzz_is(fuzz_row(t, i)[1], "*"))
            continue;
        people = people_of(ctx, population, h, levels, fuzz_row(t, i));
        REQUIRE(people >= r->k_map);
        if (r->presence >= 0)
            REQUIRE((double) rows <= r->presence * (double) people + 1e-6);
    }
out:
    kanon_hierarchy_free(h[0]);
    kanon_hierarchy_free(h[1]);
    kanon_source_free(joint);
}

static void
run_job(kanon_ctx *ctx, const kanon_config *config, const rules *r, const char *bytes,
        const size_t sizes[2], const kanon_source *population)
{
    kanon_source *source = fuzz_source(ctx, "fuzz", bytes, sizes[0]);
    kanon_sink   *sink = fuzz_sink(ctx);
    kanon_result *result = NULL;
    kanon_status  rc = kanon_anonymize(ctx, config, source, sink, &result);
    size_t        length;
    char         *release = fuzz_take_bytes(sink, &length);
    fuzz_table    back;

    if (rc < 0) {
        REQUIRE(length == 0 && !result);
        fuzz_require_refusal(ctx, rc);
    } else if (kanon_result_outcome(result) == KANON_INFEASIBLE) {
        REQUIRE(length == 0 && kanon_result_advice(result)[0]);
    } else {
        fuzz_read_table(&back, release, length, true, ',');
        judge(ctx, config, result, r, bytes, sizes[1], population, &back);
        fuzz_free_table(&back);
    }
    free(release);
    kanon_result_free(result);
    kanon_source_free(source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char    bytes[MOST + 64], people[MOST + 64];
    kanon_ctx     *ctx = NULL;
    kanon_config  *config = NULL;
    kanon_source  *population;
    const uint8_t *rest;
    size_t         rest_size, first, sizes[2], count;
    char           path[64];
    rules          r;
    int            fd;

    if (size < CHOICES || size > MOST)
        return 0;
    first = fuzz_cut(data + CHOICES, size - CHOICES, &rest, &rest_size);
    /* Both tables one after the other, for the hierarchies; the table alone is the beginning. Quotes could
     * run from one to the other. */
    if (memchr(data, '"', size) || memchr(data, '\r', size))
        return 0;
    sizes[0] = (size_t) snprintf(bytes, sizeof bytes, "a,b\n") + first;
    memcpy(bytes + 4, data + CHOICES, first);
    memcpy(bytes + sizes[0], rest, rest_size);
    sizes[1] = sizes[0] + rest_size;
    count = (size_t) snprintf(people, sizeof people, "a,b\n");
    memcpy(people + count, rest, rest_size);
    fd = memfd_create("population", 0);
    REQUIRE(fd >= 0 && write(fd, people, count + rest_size) == (ssize_t) (count + rest_size));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    population = fuzz_source(ctx, "population", people, count + rest_size);
    r.order = data[1] & 128 && only_numbers(bytes + 4, first)
           && only_numbers(people + count, rest_size);
    fuzz_set(ctx, config, "others", "keep");
    configure(ctx, config, data, &r);
    fuzz_set(ctx, config, "population", path);
    run_job(ctx, config, &r, bytes, sizes, population);
    kanon_source_free(population);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    close(fd);
    return 0;
}
