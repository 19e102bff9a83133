/* SPDX-License-Identifier: Apache-2.0 */
/* engine_tables.h -- the tables that bench_engine counts on, all made in memory from fixed seeds: a
 * population register of any size, grids of columns for the growth curves, and Adult (or, where its files are
 * missing, a made-up table of the same shape). One tuple a row, weight 1, in the order of a file. */
#ifndef BENCH_ENGINE_TABLES_H
#define BENCH_ENGINE_TABLES_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "kanon/kanon.h"
#include "problem/columns.h"
#include "problem/problem.h"

typedef struct table {
    kanon_ctx  *ctx;
    const char *name;
    kn_axis    *axes;
    kn_codes   *codes;
    uint32_t   *weights;
    kn_view     view;
    kn_lattice  lattice; /* floor all zero */
} table;

__attribute__((noreturn)) static void
die(kanon_ctx *ctx, const char *what)
{
    fprintf(stderr, "bench_engine: %s: %s\n", what, ctx ? kanon_ctx_message(ctx) : "");
    exit(1);
}

static void *
need(kanon_ctx *ctx, size_t count, size_t size)
{
    void *block = kn_alloc_array(ctx, count ? count : 1, size);

    if (!block)
        die(ctx, "out of memory");
    return block;
}

/* --- parts of a table ----------------------------------------------------------------------------- */

static table *
table_new(kanon_ctx *ctx, const char *name, size_t nquasi, size_t rows)
{
    table *t = need(ctx, 1, sizeof *t);

    t->ctx = ctx;
    t->name = name;
    t->axes = need(ctx, nquasi, sizeof *t->axes);
    t->codes = need(ctx, nquasi, sizeof *t->codes);
    t->weights = need(ctx, rows, sizeof *t->weights);
    for (size_t r = 0; r < rows; r++)
        t->weights[r] = 1;
    t->view = (kn_view){ nquasi, rows, rows, t->axes, t->codes, t->weights };
    t->lattice.n = nquasi;
    return t;
}

static void
table_free(table *t)
{
    for (size_t i = 0; i < t->view.nquasi; i++) {
        for (size_t level = 0; level < t->axes[i].nlevels; level++)
            kn_free(t->ctx, (void *) (uintptr_t) t->axes[i].maps[level]);
        kn_free(t->ctx, (void *) t->axes[i].maps);
        kn_free(t->ctx, (void *) (uintptr_t) t->axes[i].ngroups);
        kn_free(t->ctx, t->codes[i].data);
    }
    kn_free(t->ctx, t->axes);
    kn_free(t->ctx, t->codes);
    kn_free(t->ctx, t->weights);
    kn_free(t->ctx, t);
}

/* Which group a code is in; any number below 2^20. */
typedef uint32_t (*grouper)(const void *how, uint32_t code, size_t level);

/* Puts an axis and room for the codes of one column. Groups are numbered as they come. */
static void
set_axis(table *t, size_t quasi, size_t ncodes, size_t nlevels, grouper group, const void *how)
{
    enum { GROUPS = 1 << 20 };
    kn_axis   *axis = &t->axes[quasi];
    uint32_t  *numbers = need(t->ctx, GROUPS, sizeof *numbers);
    uint32_t  *ngroups = need(t->ctx, nlevels, sizeof *ngroups);
    uint32_t **maps = need(t->ctx, nlevels, sizeof *maps);

    for (size_t level = 0; level < nlevels; level++) {
        maps[level] = need(t->ctx, ncodes, sizeof **maps);
        memset(numbers, 0, GROUPS * sizeof *numbers);
        for (uint32_t code = 0; code < ncodes; code++) {
            uint32_t *number = &numbers[level + 1 < nlevels ? group(how, code, level) : 0];

            if (!*number)
                *number = ++ngroups[level];
            maps[level][code] = *number - 1;
        }
    }
    kn_free(t->ctx, numbers);
    *axis = (kn_axis){ nlevels, ncodes, (const uint32_t **) maps, ngroups };
    t->lattice.top[quasi] = (uint8_t) (nlevels - 1);
    t->codes[quasi].bytes = ncodes <= 256 ? 1 : ncodes <= 65536 ? 2 : 4;
    t->codes[quasi].data = need(t->ctx, t->view.ntuples, t->codes[quasi].bytes);
}

static inline void
put_code(table *t, size_t quasi, size_t row, uint32_t code)
{
    kn_codes *codes = &t->codes[quasi];

    if (codes->bytes == 1)
        ((uint8_t *) codes->data)[row] = (uint8_t) code;
    else if (codes->bytes == 2)
        ((uint16_t *) codes->data)[row] = (uint16_t) code;
    else
        ((uint32_t *) codes->data)[row] = code;
}

/* Codes that no row has are taken out, as they would never have been learned. */
static void
compact(table *t)
{
    for (size_t q = 0; q < t->view.nquasi; q++) {
        kn_axis  *axis = &t->axes[q];
        uint32_t *number = need(t->ctx, axis->ncodes, sizeof *number), count = 0;

        for (size_t r = 0; r < t->view.ntuples; r++)
            number[kn_codes_at(&t->codes[q], r)] = 1;
        for (size_t code = 0; code < axis->ncodes; code++) {
            for (size_t level = 0; number[code] && level < axis->nlevels; level++)
                ((uint32_t **) (uintptr_t) axis->maps)[level][count] = axis->maps[level][code];
            number[code] = number[code] ? count++ : 0;
        }
        for (size_t r = 0; count < axis->ncodes && r < t->view.ntuples; r++)
            put_code(t, q, r, number[kn_codes_at(&t->codes[q], r)]);
        axis->ncodes = count;
        kn_free(t->ctx, number);
    }
}

/* A copy of the axes and the first rows of a table. */
static table *
table_prefix(const table *t, const char *name, size_t rows)
{
    table *part = table_new(t->ctx, name, t->view.nquasi, rows);

    for (size_t q = 0; q < t->view.nquasi; q++) {
        const kn_axis *axis = &t->axes[q];
        uint32_t     **maps = need(t->ctx, axis->nlevels, sizeof *maps);
        uint32_t      *ngroups = need(t->ctx, axis->nlevels, sizeof *ngroups);
        unsigned       bytes = t->codes[q].bytes;

        for (size_t level = 0; level < axis->nlevels; level++) {
            maps[level] = need(t->ctx, axis->ncodes, sizeof **maps);
            memcpy(maps[level], axis->maps[level], axis->ncodes * sizeof **maps);
            ngroups[level] = axis->ngroups[level];
        }
        part->axes[q] = (kn_axis){ axis->nlevels, axis->ncodes, (const uint32_t **) maps, ngroups };
        part->codes[q] = (kn_codes){ bytes, need(t->ctx, rows, bytes) };
        memcpy(part->codes[q].data, t->codes[q].data, rows * bytes);
    }
    part->lattice = t->lattice;
    compact(part);
    return part;
}

/* A distribution as a table of equally likely draws. */
enum { PICK_BITS = 14, PICKS = 1 << PICK_BITS };
typedef struct picker {
    uint16_t of[PICKS];
} picker;

/* Each choice gets its share of the draws; a possible one at least one. */
static void
picker_fill(picker *pick, const unsigned *weights, size_t count)
{
    uint64_t sum = 0, seen = 0;
    size_t   at = 0;

    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    for (size_t i = 0; i < count; i++) {
        size_t end;

        seen += weights[i];
        end = (size_t) (seen * PICKS / sum);
        if (weights[i] && end <= at)
            end = at + 1;
        while (at < end && at < PICKS)
            pick->of[at++] = (uint16_t) i;
    }
}

/* --- the register --------------------------------------------------------------------------------- */

enum { AGES = 100, BANDS = 7, JOBS = 60, CITIES = 400, NATIONS = 80, SCHOOLS = 16, HOMES = 8 };
enum { MARITALS = 6, SEXES = 2, REGISTER_QUASI = 8 };
enum { YEAR, SEX, POSTCODE, JOB, MARITAL, NATION, SCHOOL, HOME };
enum { INFANT = 56, PUPIL, STUDENT, RETIRED }; /* jobs that are none */

typedef struct register_maker {
    picker   age, city, nation[2];
    picker   job[SEXES][BANDS], marital[BANDS], school[JOBS], home[MARITALS];
    uint32_t first_code[CITIES], districts[CITIES], ncodes;
    uint32_t postcode[1 << 16]; /* of a code: five digits */
    uint8_t  band[AGES];
} register_maker;

static unsigned
job_weight(unsigned job, unsigned sex, unsigned band)
{
    static const unsigned share[BANDS] = { 0, 0, 10, 20, 20, 15, 1 };
    static const unsigned none[4][BANDS] = { { 9000, 0, 0, 0, 0, 0, 0 },
                                             { 500, 9000, 4000, 0, 0, 0, 0 },
                                             { 0, 0, 30000, 6000, 500, 0, 0 },
                                             { 0, 0, 0, 0, 1000, 20000, 60000 } };
    unsigned              field = job / 4;

    if (job >= INFANT)
        return none[job - INFANT][band];
    return share[band] * (1000 / (4 + job * 37 % INFANT)) * (field % 3 == sex ? 3 : 1);
}

static void
make_places(register_maker *m)
{
    unsigned weights[CITIES];

    for (unsigned rank = 0; rank < CITIES; rank++) {
        weights[rank] = 100000 / (rank + 4);
        m->districts[rank] = 1 + 396 / (rank + 4);
    }
    picker_fill(&m->city, weights, CITIES);
    for (unsigned at = 0; at < CITIES; at++) { /* cities of all sizes stand side by side */
        unsigned rank = at * 157 % CITIES;

        m->first_code[rank] = m->ncodes;
        for (uint32_t d = 0; d < m->districts[rank]; d++)
            m->postcode[m->ncodes++] = (at * 5 / 2) * 100 + d;
    }
}

static void
make_people(register_maker *m)
{
    static const unsigned marital[BANDS][MARITALS] = {
        { 1, 0, 0, 0, 0, 0 },    { 1, 0, 0, 0, 0, 0 },     { 90, 5, 1, 0, 4, 1 },
        { 50, 35, 4, 1, 12, 2 }, { 25, 52, 12, 1, 10, 4 }, { 12, 60, 18, 4, 5, 4 },
        { 6, 50, 10, 32, 1, 1 },
    };
    static const unsigned home[MARITALS][HOMES] = {
        { 30, 15, 22, 25, 9, 4, 2, 1 }, { 1, 40, 22, 24, 9, 3, 1, 1 },
        { 50, 26, 14, 7, 2, 1, 1, 1 },  { 75, 16, 5, 2, 1, 1, 1, 1 },
        { 1, 55, 22, 15, 4, 1, 1, 1 },  { 45, 30, 15, 7, 2, 1, 1, 1 },
    };
    unsigned weights[AGES];

    for (unsigned age = 0; age < AGES; age++) {
        weights[age] = age < 60 ? 80 + age / 3 : 100 - (age - 60) * 5 / 2;
        m->band[age] = (uint8_t) ((age > 5) + (age > 15) + (age > 24) + (age > 34) + (age > 49)
                                  + (age > 66));
    }
    picker_fill(&m->age, weights, AGES);
    for (unsigned b = 0; b < BANDS; b++)
        picker_fill(&m->marital[b], marital[b], MARITALS);
    for (unsigned i = 0; i < MARITALS; i++)
        picker_fill(&m->home[i], home[i], HOMES);
    for (unsigned big = 0; big < 2; big++) { /* fewer natives in big cities */
        for (unsigned i = 0; i < NATIONS; i++)
            weights[i] = i == 0 ? (big ? 70000 : 90000) : 10000 / (i + 1);
        picker_fill(&m->nation[big], weights, NATIONS);
    }
}

static void
make_work(register_maker *m)
{
    unsigned weights[JOBS];

    for (unsigned sex = 0; sex < SEXES; sex++)
        for (unsigned band = 0; band < BANDS; band++) {
            for (unsigned job = 0; job < JOBS; job++)
                weights[job] = job_weight(job, sex, band);
            picker_fill(&m->job[sex][band], weights, JOBS);
        }
    for (unsigned job = 0; job < JOBS; job++) { /* what was learned goes with the field */
        unsigned usual = job >= INFANT && job <= PUPIL ? 1 : 3 + job / 4 * 5 % 11;

        for (unsigned i = 0; i < SCHOOLS; i++) {
            unsigned apart = i > usual ? i - usual : usual - i;

            weights[i] = 1000 / (1 + apart * apart * 2);
        }
        picker_fill(&m->school[job], weights, SCHOOLS);
    }
}

static uint32_t
years_group(const void *how, uint32_t code, size_t level)
{
    static const uint32_t width[] = { 1, 5, 10, 20 };

    KN_UNUSED(how);
    return code / width[level];
}

static uint32_t
mask_group(const void *how, uint32_t code, size_t level)
{
    const register_maker *m = how;
    uint32_t              value = m->postcode[code];

    while (level--)
        value /= 10;
    return value;
}

static uint32_t
job_group(const void *how, uint32_t code, size_t level)
{
    KN_UNUSED(how);
    return level == 0 ? code : level == 1 ? code / 4 : level == 2 ? code / 12 : code / 48;
}

static uint32_t
nation_group(const void *how, uint32_t code, size_t level)
{
    KN_UNUSED(how);
    return level == 0 ? code : code == 0 ? 0 : level == 1 ? 1 + (code - 1) / 14 : 1;
}

/* Divided by a power of four a level. */
static uint32_t
fours_group(const void *how, uint32_t code, size_t level)
{
    KN_UNUSED(how);
    return code >> (2 * level);
}

/* Birth year, sex, postcode, job, marital status, nationality, education, size of the household. */
static table *
make_register(kanon_ctx *ctx, const char *name, size_t rows)
{
    register_maker *m = need(ctx, 1, sizeof *m);
    table          *t = table_new(ctx, name, REGISTER_QUASI, rows);
    kn_rng          rng;

    make_places(m);
    make_people(m);
    make_work(m);
    set_axis(t, YEAR, AGES, 5, years_group, NULL);
    set_axis(t, SEX, SEXES, 2, fours_group, NULL);
    set_axis(t, POSTCODE, m->ncodes, 6, mask_group, m);
    set_axis(t, JOB, JOBS, 5, job_group, NULL);
    set_axis(t, MARITAL, MARITALS, 3, fours_group, NULL);
    set_axis(t, NATION, NATIONS, 4, nation_group, NULL);
    set_axis(t, SCHOOL, SCHOOLS, 4, fours_group, NULL);
    set_axis(t, HOME, HOMES, 3, fours_group, NULL);
    kn_rng_init(&rng, 7, 0);
    for (size_t r = 0; r < rows; r++) {
        uint64_t a = kn_rng_next(&rng), b = kn_rng_next(&rng), c = kn_rng_next(&rng);
        unsigned age = m->age.of[a % PICKS], band = m->band[age];
        unsigned sex = (unsigned) (a >> 16 & 255) < (band == BANDS - 1 ? 112u : 130u);
        unsigned city = m->city.of[(a >> 32) % PICKS];
        unsigned x = (unsigned) (a >> 48), y = (unsigned) (b & 0xffff); /* the centre is denser */
        unsigned district = (x < y ? x : y) * m->districts[city] >> 16;
        unsigned job = m->job[sex][band].of[(b >> 16) % PICKS];
        unsigned marital = m->marital[band].of[(b >> 32) % PICKS];

        put_code(t, YEAR, r, age);
        put_code(t, SEX, r, sex);
        put_code(t, POSTCODE, r, m->first_code[city] + district);
        put_code(t, JOB, r, job);
        put_code(t, MARITAL, r, marital);
        put_code(t, NATION, r, m->nation[city < 20].of[(b >> 48) % PICKS]);
        put_code(t, SCHOOL, r, m->school[job].of[c % PICKS]);
        put_code(t, HOME, r, m->home[marital].of[(c >> 16) % PICKS]);
    }
    kn_free(ctx, m);
    compact(t);
    return t;
}

/* --- grids ------------------------------------------------------------------------------------------ */

typedef struct grid_shape {
    size_t rows, nquasi, ncodes, nlevels; /* ncodes: a power of two */
} grid_shape;

/* As many neighbours merged as the level asks for, in rounds like a tournament, so that the groups of a
 * level differ by a factor of two at most. */
static uint32_t
merge_group(const void *how, uint32_t code, size_t level)
{
    const grid_shape *shape = how;
    size_t            n = shape->ncodes, merges = (n - 1) * level / (shape->nlevels - 1);

    for (; merges >= n / 2 && n > 1; n /= 2) {
        merges -= n / 2;
        code /= 2;
    }
    return code < 2 * merges ? code / 2 : code - (uint32_t) merges;
}

/* Skewed columns, a quarter of whose cells follow a hidden kind of row. */
static table *
make_grid(kanon_ctx *ctx, const char *name, const grid_shape *shape)
{
    enum { CODES_MOST = 64, KINDS = 7 };
    table   *t = table_new(ctx, name, shape->nquasi, shape->rows);
    picker  *pick = need(ctx, 1, sizeof *pick);
    unsigned weights[CODES_MOST];
    kn_rng   rng;

    for (unsigned i = 0; i < shape->ncodes; i++)
        weights[i] = 10000 / (i + 3);
    picker_fill(pick, weights, shape->ncodes);
    for (size_t q = 0; q < shape->nquasi; q++)
        set_axis(t, q, shape->ncodes, shape->nlevels, merge_group, shape);
    kn_rng_init(&rng, 11, shape->nquasi);
    for (size_t r = 0; r < shape->rows; r++) {
        uint64_t kind = kn_rng_below(&rng, KINDS);

        for (size_t q = 0; q < shape->nquasi; q++) {
            uint64_t x = kn_rng_next(&rng);
            uint64_t code = x >> 62 == 0 ? kind * (q + 3) : pick->of[x % PICKS] * (q % 5 * 2 + 1);

            put_code(t, q, r, (uint32_t) (code % shape->ncodes));
        }
    }
    kn_free(ctx, pick);
    compact(t);
    return t;
}

/* --- Adult ------------------------------------------------------------------------------------------ */

enum { ADULT_ROWS = 30162, ADULT_COLUMNS = 9, ADULT_QUASI = 8 };

typedef struct adult_column {
    const char *name;
    unsigned    values, height;
    unsigned    width[3]; /* values of a group at levels 1, 2, ...; each divides the next */
} adult_column;

static const adult_column ADULT[ADULT_COLUMNS] = {
    { "sex", 2, 1, { 0, 0, 0 } },          { "age", 74, 4, { 5, 10, 20 } },
    { "race", 5, 1, { 0, 0, 0 } },         { "marital-status", 7, 2, { 4, 0, 0 } },
    { "education", 16, 3, { 3, 6, 0 } },   { "native-country", 41, 2, { 10, 0, 0 } },
    { "workclass", 7, 2, { 3, 0, 0 } },    { "occupation", 14, 2, { 5, 0, 0 } },
    { "salary-class", 2, 1, { 0, 0, 0 } },
};

static FILE *
open_in(kanon_ctx *ctx, const char *folder, const char *prefix, const char *name)
{
    char  path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s%s.csv", folder, prefix, name);
    file = fopen(path, "w");
    if (!file)
        die(ctx, "cannot write the made-up table");
    return file;
}

static void
write_hierarchy(kanon_ctx *ctx, const char *folder, const adult_column *column)
{
    FILE *file = open_in(ctx, folder, "adult_hierarchy_", column->name);

    for (unsigned v = 0; v < column->values; v++) {
        fprintf(file, "%s-%u", column->name, v);
        for (unsigned level = 1; level < column->height; level++)
            fprintf(file, ";%u-%u", v / column->width[level - 1] * column->width[level - 1],
                    (v / column->width[level - 1] + 1) * column->width[level - 1] - 1);
        fprintf(file, ";*\n");
    }
    if (fclose(file))
        die(ctx, "cannot write the made-up table");
}

/* A table of Adult's shape: as many rows, values and levels, skewed alike; with its hierarchies. */
static void
write_adult_like(kanon_ctx *ctx, const char *folder)
{
    picker  *picks = need(ctx, ADULT_COLUMNS, sizeof *picks);
    unsigned weights[128];
    FILE    *file;
    kn_rng   rng;

    if (mkdir(folder, 0755) && errno != EEXIST)
        die(ctx, "cannot make a folder for the made-up table");
    for (size_t i = 0; i < ADULT_COLUMNS; i++) {
        for (unsigned v = 0; v < ADULT[i].values; v++)
            weights[v] = ADULT[i].values > 50 ? (v < 50 ? 60 : 100 - v) /* ages */
                                              : 100000 / ((v + 1) * (v + (i == 5 ? 1 : 2)));
        picker_fill(&picks[i], weights, ADULT[i].values);
        write_hierarchy(ctx, folder, &ADULT[i]);
    }
    file = open_in(ctx, folder, "", "adult");
    for (size_t i = 0; i < ADULT_COLUMNS; i++)
        fprintf(file, "%s%c", ADULT[i].name, i + 1 < ADULT_COLUMNS ? ';' : '\n');
    kn_rng_init(&rng, 13, 0);
    for (size_t r = 0; r < ADULT_ROWS; r++)
        for (size_t i = 0; i < ADULT_COLUMNS; i++)
            fprintf(file, "%s-%u%c", ADULT[i].name, picks[i].of[kn_rng_below(&rng, PICKS)],
                    i + 1 < ADULT_COLUMNS ? ';' : '\n');
    if (fclose(file))
        die(ctx, "cannot write the made-up table");
    kn_free(ctx, picks);
}

static void
remove_adult_like(const char *folder)
{
    char path[4096];

    for (size_t i = 0; i < ADULT_COLUMNS; i++) {
        snprintf(path, sizeof path, "%s/adult_hierarchy_%s.csv", folder, ADULT[i].name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/adult.csv", folder);
    unlink(path);
    rmdir(folder);
}

typedef struct adult {
    kn_problem    problem;
    kanon_config *config;
    kanon_source *source;
    kn_csv_table  table;
    const char   *name;
    char          made[64]; /* folder of a made-up table; "": the real one */
} adult;

static void
configure_adult(kanon_ctx *ctx, const char *folder, kanon_config *config)
{
    char   text[4096], quasi[256] = "";
    bool   fine = true;
    size_t used = 0;

    for (size_t i = 0; i < ADULT_QUASI; i++) {
        used += (size_t) snprintf(quasi + used, sizeof quasi - used, "%s%s", i ? "," : "",
                                  ADULT[i].name);
        snprintf(text, sizeof text, "%s=%s/adult_hierarchy_%s.csv", ADULT[i].name, folder,
                 ADULT[i].name);
        fine = fine && kanon_config_set(config, "hierarchy", text) == KANON_OK;
    }
    if (!fine || kanon_config_set(config, "qi", quasi) < 0
        || kanon_config_set(config, "sensitive", ADULT[ADULT_QUASI].name) < 0
        || kanon_config_set(config, "k", "5") < 0
        || kanon_config_set(config, "suppression", "0.01") < 0)
        die(ctx, "config of Adult");
}

/* folder NULL or without the table: a made-up one is written, read and removed. */
static adult *
open_adult(kanon_ctx *ctx, const char *folder)
{
    adult *a = need(ctx, 1, sizeof *a);
    char   path[4096];

    a->name = "adult";
    snprintf(path, sizeof path, "%s/adult.csv", folder ? folder : "");
    if (!folder || access(path, R_OK)) {
        a->name = "adult-like";
        snprintf(a->made, sizeof a->made, "/var/tmp/kanon-bench-XXXXXX");
        if (!mkdtemp(a->made))
            die(ctx, "cannot make a temporary folder");
        write_adult_like(ctx, a->made);
        folder = a->made;
        snprintf(path, sizeof path, "%s/adult.csv", folder);
    }
    if (kanon_config_new(ctx, &a->config) < 0)
        die(ctx, "config of Adult");
    configure_adult(ctx, folder, a->config);
    if (kanon_source_file(ctx, path, &a->source) < 0
        || kn_source_table(ctx, a->config, a->source, &a->table) < 0
        || kn_problem_init(&a->problem, ctx, a->config, &a->table.base) < 0)
        die(ctx, "cannot read Adult");
    if (a->made[0])
        remove_adult_like(a->made);
    return a;
}

static void
close_adult(kanon_ctx *ctx, adult *a)
{
    kn_problem_fini(&a->problem);
    kanon_source_free(a->source);
    kanon_config_free(a->config);
    kn_free(ctx, a);
}

/* The learned tuples as rows again, in a random order, as a file has them. */
static table *
table_of_adult(kanon_ctx *ctx, const adult *a)
{
    const kn_view *view = &a->problem.view;
    table         *t = table_new(ctx, a->name, view->nquasi, (size_t) view->rows);
    uint32_t      *rows = need(ctx, (size_t) view->rows, sizeof *rows);
    size_t         count = 0;
    kn_rng         rng;

    for (uint32_t tuple = 0; tuple < view->ntuples; tuple++)
        for (uint32_t w = 0; w < view->weights[tuple]; w++)
            rows[count++] = tuple;
    kn_rng_init(&rng, 17, 0);
    for (size_t i = count; i > 1; i--) {
        size_t   j = (size_t) kn_rng_below(&rng, i);
        uint32_t keep = rows[i - 1];

        rows[i - 1] = rows[j];
        rows[j] = keep;
    }
    for (size_t q = 0; q < view->nquasi; q++) {
        const kn_axis *axis = &view->axes[q];
        uint32_t     **maps = need(ctx, axis->nlevels, sizeof *maps);
        uint32_t      *ngroups = need(ctx, axis->nlevels, sizeof *ngroups);

        for (size_t level = 0; level < axis->nlevels; level++) {
            maps[level] = need(ctx, axis->ncodes, sizeof **maps);
            memcpy(maps[level], axis->maps[level], axis->ncodes * sizeof **maps);
            ngroups[level] = axis->ngroups[level];
        }
        t->axes[q] = (kn_axis){ axis->nlevels, axis->ncodes, (const uint32_t **) maps, ngroups };
        t->lattice.top[q] = (uint8_t) (axis->nlevels - 1);
        t->codes[q].bytes = view->codes[q].bytes;
        t->codes[q].data = need(ctx, count, view->codes[q].bytes);
        for (size_t r = 0; r < count; r++)
            put_code(t, q, r, kn_codes_at(&view->codes[q], rows[r]));
    }
    kn_free(ctx, rows);
    return t;
}

#endif
