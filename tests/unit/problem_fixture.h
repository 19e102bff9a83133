/* SPDX-License-Identifier: Apache-2.0 */
/* problem_fixture.h -- search problems for tests: a table as text, given or random, made ready as a job
 * would make it. */
#ifndef KN_PROBLEM_FIXTURE_H
#define KN_PROBLEM_FIXTURE_H

#include "base/text.h"
#include "kanon/kanon.h"
#include "problem/columns.h"
#include "problem/problem.h"
#include "test.h"

typedef struct problem_fixture {
    kanon_ctx    *ctx;
    kanon_config *config;
    kanon_source *source;
    kn_csv_table  table;
    kn_text       csv;
    kn_problem    p;
} problem_fixture;

__attribute__((unused)) static void
problem_set(problem_fixture *f, const char *name, const char *value)
{
    CHECK_OK(f->ctx, kanon_config_set(f->config, name, value));
}

/** A context and an empty config; options may be NULL. Set what is wanted, then problem_open(). */
__attribute__((unused)) static void
problem_begin(problem_fixture *f, const kanon_ctx_options *options)
{
    memset(f, 0, sizeof *f);
    CHECK(kanon_ctx_new(options, &f->ctx) == KANON_OK);
    CHECK_OK(f->ctx, kanon_config_new(f->ctx, &f->config));
    kn_text_init(&f->csv, f->ctx);
    problem_set(f, "header", "yes");
    problem_set(f, "delimiter", ",");
}

/** Reads f->csv. */
__attribute__((unused)) static void
problem_open(problem_fixture *f)
{
    CHECK_OK(f->ctx, kanon_source_memory(f->ctx, "table", f->csv.ptr, f->csv.len, &f->source));
    CHECK_OK(f->ctx, kn_source_table(f->ctx, f->config, f->source, &f->table));
    CHECK_OK(f->ctx, kn_problem_init(&f->p, f->ctx, f->config, &f->table.base));
}

__attribute__((unused)) static void
problem_close(problem_fixture *f)
{
    kn_problem_fini(&f->p);
    kanon_source_free(f->source);
    kanon_config_free(f->config);
    kn_text_fini(&f->csv);
    kanon_ctx_free(f->ctx);
}

typedef struct problem_shape {
    size_t      rows, columns; /* columns: quasi-identifiers; a sensitive one comes after them */
    uint64_t    values;        /* different ones per column, about */
    const char *k, *suppression;
} problem_shape;

/* One cell: columns are numbers, words and codes in turn; a few cells are missing. */
__attribute__((unused)) static void
problem_random_cell(problem_fixture *f, const problem_shape *shape, kn_rng *rng, size_t column)
{
    unsigned long long draw = kn_rng_below(rng, shape->values);

    if (kn_rng_below(rng, 20) == 0)
        kn_text_addz(&f->csv, "?");
    else if (column % 3 == 0)
        kn_text_addf(&f->csv, "%llu", draw * 3);
    else if (column % 3 == 1)
        kn_text_addf(&f->csv, "w%llu", draw);
    else
        kn_text_addf(&f->csv, "%03llu", draw * 7 % 1000);
}

/** A random table with a hierarchy of another kind in each column, ready to be searched. */
__attribute__((unused)) static void
problem_random(problem_fixture *f, const problem_shape *shape, kn_rng *rng)
{
    static const char *const specs[] = { "range:6,18", "order:3", "mask:right" };
    char                     text[64];

    problem_begin(f, NULL);
    for (size_t c = 0; c < shape->columns; c++) {
        kn_text_addf(&f->csv, "q%zu,", c);
        snprintf(text, sizeof text, "q%zu", c);
        problem_set(f, "qi", text);
        snprintf(text, sizeof text, "q%zu=%s", c, specs[c % 3]);
        problem_set(f, "hierarchy", text);
        if (c % 3 == 2) {
            snprintf(text, sizeof text, "q%zu=string", c);
            problem_set(f, "type", text);
        }
    }
    kn_text_addz(&f->csv, "s\n");
    for (size_t r = 0; r < shape->rows; r++) {
        for (size_t c = 0; c < shape->columns; c++) {
            problem_random_cell(f, shape, rng, c);
            kn_text_addz(&f->csv, ",");
        }
        kn_text_addf(&f->csv, "s%llu\n", (unsigned long long) kn_rng_below(rng, 4));
    }
    CHECK_OK(f->ctx, kn_text_status(&f->csv));
    problem_set(f, "sensitive", "s");
    problem_set(f, "k", shape->k);
    problem_set(f, "suppression", shape->suppression);
    problem_open(f);
}

/** The next node of the whole lattice, counting up; false after the last. Starts from all zero. */
__attribute__((unused)) static bool
problem_next_node(const problem_fixture *f, uint8_t *node)
{
    for (size_t i = 0; i < f->p.lattice.n; i++) {
        if (node[i] < f->p.lattice.top[i]) {
            node[i]++;
            return true;
        }
        node[i] = 0;
    }
    return false;
}

#endif
