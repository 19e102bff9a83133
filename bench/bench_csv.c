/* SPDX-License-Identifier: Apache-2.0 */
/* bench_csv.c -- how fast a wide numeric file is read, next to `wc -l` on the same file as the limit.
 *
 *     bench_csv [MEGABYTES [REPEATS [FOLDER]]]
 *
 * Makes a file of 50 numeric columns in a temporary folder, measures every way of reading it (the
 * medians of some repeats, in turns, so that a busy machine is unfair to all alike), prints a table and
 * then the same as one line of JSON, and removes the file. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"
#include "formats/csv_tune.h"
#include "table/dict.h"

enum { COLUMNS = 50, CODED = 6, REPEATS_MOST = 99 };

typedef struct bench {
    kanon_ctx *ctx;
    char       path[4096];
    double     megabytes; /* of the file */
    uint64_t   rows;
    uint64_t   sum; /* keeps the cells from being optimised away */
} bench;

typedef struct way {
    const char   *name;
    const char   *says;
    bool          coded;
    kn_csv_tuning tuning;
    double        seconds[REPEATS_MOST];
} way;

__attribute__((noreturn)) static void
die(const bench *b, const char *what)
{
    fprintf(stderr, "bench_csv: %s: %s\n", what, b->ctx ? kanon_ctx_message(b->ctx) : "");
    if (b->path[0])
        unlink(b->path);
    exit(1);
}

/* --- the file ---------------------------------------------------------------------------------- */

/* Numbers of different widths: ages, codes, amounts with decimals; the first columns repeat a lot. */
static void
put_row(kn_text *text, kn_rng *rng)
{
    for (int column = 0; column < COLUMNS; column++) {
        uint64_t value = kn_rng_next(rng);
        char     end = column + 1 < COLUMNS ? ',' : '\n';

        if (column < CODED)
            kn_text_addf(text, "%u%c", (unsigned) (value % 1000), end);
        else if (column % 3 == 0)
            kn_text_addf(text, "%u.%02u%c", (unsigned) (value % 10000),
                         (unsigned) (value >> 32) % 100, end);
        else
            kn_text_addf(text, "%u%c", (unsigned) (value % (column % 3 == 1 ? 100 : 1000000)), end);
    }
}

static void
make_file(bench *b, const char *folder, uint64_t bytes)
{
    enum { PIECE_ROWS = 4000 };
    kn_text  text;
    kn_rng   rng;
    uint64_t done = 0;
    FILE    *file;
    int      fd;

    snprintf(b->path, sizeof b->path, "%s/kanon-bench-XXXXXX", folder);
    fd = mkstemp(b->path);
    file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        die(b, "cannot make a temporary file");
    kn_text_init(&text, b->ctx);
    kn_rng_init(&rng, 1, 0);
    for (int column = 0; column < COLUMNS; column++)
        kn_text_addf(&text, "c%d%c", column, column + 1 < COLUMNS ? ',' : '\n');
    while (done < bytes) {
        for (int row = 0; row < PIECE_ROWS; row++)
            put_row(&text, &rng);
        if (text.failed || fwrite(text.ptr, 1, text.len, file) != text.len)
            die(b, "cannot write");
        done += text.len;
        text.len = 0;
    }
    kn_text_fini(&text);
    if (fclose(file))
        die(b, "cannot write");
    b->megabytes = (double) done / 1e6;
}

/* --- ways to read it --------------------------------------------------------------------------- */

static double
time_wc(bench *b)
{
    char   command[5000];
    double start = kn_seconds();

    snprintf(command, sizeof command, "wc -l '%s' > /dev/null", b->path);
    if (system(command))
        die(b, "wc -l failed");
    return kn_seconds() - start;
}

static void
code_cells(bench *b, kn_dict *dicts[CODED], const kn_str *cells)
{
    for (size_t i = 0; i < CODED; i++) {
        uint32_t code;

        if (kn_dict_add(dicts[i], cells[i], &code) < 0)
            die(b, "dictionary");
        b->sum += code;
    }
}

static double
time_reader(bench *b, const way *w)
{
    kn_dict      *dicts[CODED] = { NULL };
    kanon_source *source;
    kn_rows      *csv;
    const kn_str *cells;
    uint8_t       hash[KN_HASH_BYTES];
    double        start = kn_seconds();

    for (size_t i = 0; i < CODED; i++)
        if (kn_dict_new(b->ctx, &dicts[i]) < 0)
            die(b, "dictionary");
    if (kanon_source_file(b->ctx, b->path, &source) < 0
        || kn_csv_open_tuned(b->ctx, source, NULL, &w->tuning, &csv) < 0)
        die(b, "open");
    b->rows = 0;
    for (;;) {
        if (kn_rows_next(csv, &cells) < 0)
            die(b, "read");
        if (!cells)
            break;
        b->rows++;
        b->sum += cells[COLUMNS - 1].len;
        if (w->coded)
            code_cells(b, dicts, cells);
    }
    kn_rows_digest(csv, hash);
    b->sum += hash[0];
    kn_rows_close(csv);
    kanon_source_free(source);
    for (size_t i = 0; i < CODED; i++)
        kn_dict_free(dicts[i]);
    return kn_seconds() - start;
}

/* --- figures ----------------------------------------------------------------------------------- */

static int
compare(const void *a, const void *b)
{
    double one = *(const double *) a, other = *(const double *) b;

    return (one > other) - (one < other);
}

static double
median(const double *seconds, size_t count)
{
    double sorted[REPEATS_MOST];

    memcpy(sorted, seconds, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* What the machine can do when nobody else is at work. */
static double
best(const double *seconds, size_t count)
{
    double least = seconds[0];

    for (size_t i = 1; i < count; i++)
        least = seconds[i] < least ? seconds[i] : least;
    return least;
}

static void
print_figures(const bench *b, const way *ways, size_t count, size_t repeats)
{
    double limit = median(ways[0].seconds, repeats);

    printf("%.0f MB, %d columns, %llu rows, medians of %zu\n", b->megabytes, COLUMNS,
           (unsigned long long) b->rows, repeats);
    for (size_t i = 0; i < count; i++) {
        double s = median(ways[i].seconds, repeats);

        printf("%-16s %8.3f s %8.0f MB/s %6.2f x wc   best %6.0f MB/s   %s\n", ways[i].name, s,
               b->megabytes / s, s / limit, b->megabytes / best(ways[i].seconds, repeats),
               ways[i].says);
    }
    printf("{\"megabytes\": %.1f, \"columns\": %d, \"rows\": %llu, \"repeats\": %zu", b->megabytes,
           COLUMNS, (unsigned long long) b->rows, repeats);
    for (size_t i = 0; i < count; i++) {
        double s = median(ways[i].seconds, repeats);

        printf(", \"%s\": {\"seconds\": %.4f, \"mb_per_s\": %.0f, \"times_wc\": %.2f, "
               "\"best_mb_per_s\": %.0f}",
               ways[i].name, s, b->megabytes / s, s / limit,
               b->megabytes / best(ways[i].seconds, repeats));
    }
    printf("}\n");
}

int
main(int argc, char **argv)
{
    way    ways[] = { { .name = "wc", .says = "wc -l, the limit" },
                      { .name = "reader", .says = "cells and hash, reading ahead" },
                      { .name = "one_thread",
                        .says = "the same without the thread that reads ahead",
                        .tuning = { .ahead = KN_AHEAD_NEVER } },
                      { .name = "portable",
                        .says = "reading ahead, scanner without AVX2",
                        .tuning = { .scan = KN_SCAN_PORTABLE } },
                      { .name = "reader_coded",
                        .says = "reader, and dictionary codes of 6 columns",
                        .coded = true } };
    bench  b = { .ctx = NULL };
    double megabytes = argc > 1 ? atof(argv[1]) : 500;
    size_t repeats = argc > 2 ? (size_t) atoi(argv[2]) : 5;

    if (megabytes <= 0 || repeats < 1 || repeats > REPEATS_MOST) {
        fprintf(stderr, "usage: bench_csv [MEGABYTES [REPEATS [FOLDER]]]\n");
        return 2;
    }
    if (kanon_ctx_new(NULL, &b.ctx) < 0)
        die(&b, "out of memory");
    make_file(&b, argc > 3 ? argv[3] : "/var/tmp", (uint64_t) (megabytes * 1e6));
    time_wc(&b); /* the file is in the page cache now, for all of them */
    for (size_t repeat = 0; repeat < repeats; repeat++)
        for (size_t i = 0; i < KN_COUNT(ways); i++)
            ways[i].seconds[repeat] = i == 0 ? time_wc(&b) : time_reader(&b, &ways[i]);
    print_figures(&b, ways, KN_COUNT(ways), repeats);
    unlink(b.path);
    kanon_ctx_free(b.ctx);
    return b.sum == 0;
}
