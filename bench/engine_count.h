/* SPDX-License-Identifier: Apache-2.0 */
/* engine_count.h -- bench_engine --count: one small fixed workload at a time, for counting instructions.
 * Everything is made from fixed seeds; only what happens inside bench_counted_workload() is of interest. */
#ifndef BENCH_ENGINE_COUNT_H
#define BENCH_ENGINE_COUNT_H

#include "engine_sections.h"

enum { COUNT_ROWS = 100000 };

typedef struct workload {
    const char      *name;
    size_t           nodes;
    double           space_least, space_most;
    uint64_t         allowed_share; /* one row in so many may be lost; 1: all */
    kn_engine_tuning tuning;
} workload;

static const workload COUNT_NODES[] = {
    { "direct-small", 32, 0, SMALL_SPACE, 1, { .word_bits = 0 } },
    { "direct-large", 16, SMALL_SPACE + 1, LARGE_SPACE, 1, { .word_bits = 0 } },
    { "hash", 16, 0, 1e300, 1, { .never_direct = true } },
    { "wide", 16, 0, 1e300, 1, { .word_bits = 8, .never_direct = true } },
    { "auto-random", 32, 0, 1e300, 1, { .word_bits = 0 } },
    { "early-stop", 64, 0, 1e300, 100, { .word_bits = 0 } },
};
static const char *const COUNT_OTHERS[] = { "refine", "refine-asks", "rollup", "slab-build",
                                            "all-metrics" };

/* The name is what the instruction counter is told to look for. */
static void
bench_counted_workload(void (*turn)(void *), void *user)
{
    turn(user);
    __asm__ volatile("" ::: "memory"); /* the call above stays inside */
}

/* Through a pointer that the compiler may not see through, so that the function keeps its name. */
static void
run_counted(void (*turn)(void *), void *user)
{
    void (*volatile counted)(void (*)(void *), void *) = bench_counted_workload;

    counted(turn, user);
}

static void
tell_workload(const char *name, uint64_t rows, size_t count)
{
    printf("%s,%llu,%zu\n", name, (unsigned long long) rows, count);
}

static void
count_nodes(const workload *w, const table *t, const kn_kernels *kernels)
{
    kn_engine_options options = usual_options();
    nodes            *set = need(t->ctx, 1, sizeof *set);
    counter          *c;
    counting         *asked;

    options.kernels = kernels;
    options.tuning = w->tuning;
    c = counter_new(t, &options, 1);
    choose_nodes(t, kn_engine_coarse(c->engine), w->space_least, w->space_most, w->nodes, set);
    asked = counting_new(c, set);
    asked->allowed = t->view.rows / w->allowed_share;
    run_counted(count_turn, asked);
    tell_workload(w->name, t->view.rows, set->count);
    kn_free(t->ctx, asked);
    kn_free(t->ctx, set);
    counter_free(c);
}

static void
count_refine(const char *name, const subject *s, const kn_kernels *kernels)
{
    kn_engine_options options = options_of(s);
    refining         *r = need(s->table->ctx, 1, sizeof *r);

    options.kernels = kernels;
    r->counter = counter_new(s->table, &options, 1);
    r->privacy = privacy_of(s->table);
    if (kn_refiner_new(r->counter->engine, r->privacy.k, r->privacy.allowed, &r->refiner) < 0
        || kn_stripped_new(r->counter->engine, &r->to) < 0)
        die(s->table->ctx, "kn_refiner_new");
    choose_steps(s, r);
    run_counted(strcmp(name, "refine") == 0 ? refine_turn : asks_turn, r);
    tell_workload(name, s->table->view.rows, r->nsteps);
    for (size_t i = 0; i < PARTITIONS_MOST; i++)
        kn_stripped_free(r->from[i]);
    kn_stripped_free(r->to);
    kn_refiner_free(r->refiner);
    counter_free((counter *) (uintptr_t) r->counter);
    kn_free(s->table->ctx, r);
}

static void
count_rollup(const char *name, const subject *s, const kn_kernels *kernels)
{
    kn_engine_options options = options_of(s);
    counter          *c;
    batches          *b;

    options.kernels = kernels;
    options.rollup_bytes = ROLLUP_BYTES;
    c = counter_new(s->table, &options, 1);
    b = batches_new(s, c, true);
    b->allowed = s->table->view.rows;
    run_counted(batches_turn, b);
    tell_workload(name, s->table->view.rows, b->count * BATCH);
    kn_free(s->table->ctx, b);
    counter_free(c);
}

static void
build_turn(void *user)
{
    const subject    *s = user;
    kn_engine_options options = options_of(s);

    counter_free(counter_new(s->table, &options, 0));
}

static void
count_metrics(const char *name, kanon_ctx *ctx, const kn_kernels *kernels)
{
    adult  *a = open_adult(ctx, NULL);
    table   t = learned_table(ctx, a);
    scoring s;

    scoring_new(&s, a, &t, EXHAUSTIVE_BATCH, kernels);
    s.every = 5;
    run_counted(score_turn, &s);
    tell_workload(name, t.view.rows, s.nnodes);
    scoring_free(&s);
    close_adult(ctx, a);
}

/* @return 2: no such workload */
static int
count_workload(kanon_ctx *ctx, const char *name, const char *set)
{
    static const effort little = { .partitions = 8, .batches = 3 };
    const kn_kernels   *kernels = NULL;
    table              *t;
    subject             s = { NULL, NULL, "collapsed", &little, { NULL, NULL }, true };
    int                 known = 0;

    for (size_t i = 0; kn_kernels_at(i); i++)
        if (strcmp(kn_kernels_at(i)->name, set) == 0)
            kernels = kn_kernels_at(i);
    if (!kernels) {
        fprintf(stderr, "bench_engine: this machine has no kernels '%s'\n", set);
        return 2;
    }
    t = make_register(ctx, "register", COUNT_ROWS);
    s.table = t;
    for (size_t i = 0; i < KN_COUNT(COUNT_NODES); i++)
        if (strcmp(name, COUNT_NODES[i].name) == 0) {
            count_nodes(&COUNT_NODES[i], t, kernels);
            known = 1;
        }
    if (strcmp(name, "refine") == 0 || strcmp(name, "refine-asks") == 0) {
        count_refine(name, &s, kernels);
        known = 1;
    } else if (strcmp(name, "rollup") == 0) {
        count_rollup(name, &s, kernels);
        known = 1;
    } else if (strcmp(name, "slab-build") == 0) {
        run_counted(build_turn, &s);
        tell_workload(name, t->view.rows, 1);
        known = 1;
    } else if (strcmp(name, "all-metrics") == 0) {
        count_metrics(name, ctx, kernels);
        known = 1;
    }
    table_free(t);
    if (!known)
        fprintf(stderr, "bench_engine: no workload '%s'; --list has their names\n", name);
    return known ? 0 : 2;
}

static void
list_workloads(void)
{
    for (size_t i = 0; i < KN_COUNT(COUNT_NODES); i++)
        printf("%s\n", COUNT_NODES[i].name);
    for (size_t i = 0; i < KN_COUNT(COUNT_OTHERS); i++)
        printf("%s\n", COUNT_OTHERS[i]);
}

#endif
