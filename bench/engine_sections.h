/* SPDX-License-Identifier: Apache-2.0 */
/* engine_sections.h -- the sections of bench_engine that ask about one table: every way of counting, threads,
 * early stop, refinement, roll-up; and all metrics of Adult. */
#ifndef BENCH_ENGINE_SECTIONS_H
#define BENCH_ENGINE_SECTIONS_H

#include "engine_sides.h"

enum { HASHED_ROWS = 10000000 };
enum { SETS_MOST = 8, SMALL_SPACE = 1 << 16, LARGE_SPACE = 1 << 18, BATCH = 64 };
static const size_t ROLLUP_BYTES = (size_t) 64 << 20;
static const double LOSS_SHARE = 0.01;

/* How much is asked of a table. */
typedef struct effort {
    size_t direct, automatic, hashed, threaded, partitions, batches; /* nodes, and so on */
    size_t repeats;                                                  /* at least */
    double seconds;                                                  /* of a group of sides */
    bool   all_sets;       /* of kernels, or the best one */
    bool   hash_collapsed; /* as well as raw */
} effort;

/* One table in one layout. */
typedef struct subject {
    results      *all;
    const table  *table;
    const char   *layout;
    const effort *effort;
    kn_pool      *pools[THREADS_MOST];
    bool          collapsed;
} subject;

static kn_engine_options
options_of(const subject *s)
{
    kn_engine_options options = usual_options();

    options.repeats = s->collapsed;
    return options;
}

static size_t
list_sets(const subject *s, const kn_kernels **sets)
{
    size_t count = 0;

    while (count < SETS_MOST && kn_kernels_at(count) && (count == 0 || s->effort->all_sets)) {
        sets[count] = kn_kernels_at(count);
        count++;
    }
    return count;
}

static figure
figure_of(const subject *s, const char *section, const char *way, const char *kernels, size_t count)
{
    figure f = { .section = section,
                 .table = s->table->name,
                 .layout = s->layout,
                 .kernels = kernels,
                 .stop = "all",
                 .threads = 1,
                 .nodes = count };

    snprintf(f.way, sizeof f.way, "%.39s", way);
    return f;
}

/* Keeps and prints what one side needed for the nodes. */
static void
tell(const subject *s, figure f, const side *one, const counter *c)
{
    double  rows = (double) s->table->view.rows * (double) f.nodes;
    figure *kept = keep_figure(s->all, f, one, rows);

    if (c)
        kept->per_tuple = kept->value * (double) s->table->view.rows / counter_tuples(c);
    print_figure(kept);
}

static void
tell_times(const subject *s, const char *what, const side *a, const side *b, double aim)
{
    char name[120];

    snprintf(name, sizeof name, "%s %s: %s", s->table->name, s->layout, what);
    print_ratio(keep_times(s->all, name, a, b, aim));
}

/* --- ways of counting -------------------------------------------------------------------------------- */

typedef struct ways {
    const kn_kernels *sets[SETS_MOST];
    size_t            nsets;
    counter          *counters[SETS_MOST];
} ways;

static void
open_ways(const subject *s, const kn_engine_tuning *tuning, size_t most_classes, ways *w)
{
    kn_engine_options options = options_of(s);

    options.most_classes = most_classes;
    w->nsets = list_sets(s, w->sets);
    options.tuning = *tuning;
    for (size_t i = 0; i < w->nsets; i++) {
        options.kernels = w->sets[i];
        w->counters[i] = counter_new(s->table, &options, 1);
    }
}

static void
close_ways(ways *w)
{
    for (size_t i = 0; i < w->nsets; i++)
        counter_free(w->counters[i]);
}

static void
tell_made(const subject *s, const counter *c)
{
    figure f = figure_of(s, "make", "kn_engine_new", kn_kernels_at(0)->name, 1);
    side   one = { .repeats = 1, .processor = { c->made } };

    printf("   %s: %.0f tuples of %llu rows, engine made in %.3f s\n", s->layout, counter_tuples(c),
           (unsigned long long) s->table->view.rows, c->made);
    tell(s, f, &one, c);
}

/* One set of nodes, by each set of kernels; where asked for, beside the plain loop and plain reading. */
static void
measure_way(const subject *s, const ways *w, const char *way, const nodes *set, const table *loop)
{
    side        sides[SETS_MOST + 2] = { { .turn = NULL } };
    counting   *asked[SETS_MOST];
    plain_loop *plain = loop ? plain_new(s->table->ctx, &loop->view, set) : NULL;
    reading    *limit = reading_new(w->counters[0], set);
    size_t      n = w->nsets, count = 0;
    char        name[120];

    for (; count < n; count++) {
        asked[count] = counting_new(w->counters[count], set);
        sides[count] = (side){ .turn = count_turn, .user = asked[count] };
    }
    sides[count++] = (side){ .turn = read_turn, .user = limit };
    if (plain)
        sides[count++] = (side){ .turn = plain_turn, .user = plain };
    take_turns(sides, count, s->effort->seconds, s->effort->repeats);
    for (size_t i = 0; i < n; i++) {
        tell(s, figure_of(s, "ways", way, w->sets[i]->name, set->count), &sides[i], w->counters[i]);
        must_agree(way, asked[i]->answers, plain ? plain->answers : asked[0]->answers, set->count);
        for (size_t j = 0; j < set->count; j++)
            if (!asked[i]->answers[j].complete)
                die(s->table->ctx, "a node was given up");
        kn_free(s->table->ctx, i ? asked[i] : NULL);
    }
    snprintf(name, sizeof name, "read: %s", way);
    tell(s, figure_of(s, "ways", name, "-", set->count), &sides[n], w->counters[0]);
    if (plain) {
        tell(s, figure_of(s, "ways", "straightforward loop", "-", set->count), &sides[n + 1],
             w->counters[0]);
        tell_times(s, "straightforward loop / engine, random nodes", &sides[n + 1], &sides[0], 4);
    }
    if (strcmp(way, "direct, small keys") == 0) {
        double value = s->all->figures[s->all->nfigures - n - 1].value;

        snprintf(name, sizeof name, "%s %s: ns per row and node, small key space", s->table->name,
                 s->layout);
        print_ratio(keep_ratio(s->all, name, value, 1.5, true));
    }
    snprintf(name, sizeof name, "engine / plain memory read, %s", way);
    tell_times(s, name, &sides[0], &sides[n], 0);
    kn_free(s->table->ctx, asked[0]);
    if (plain)
        plain_free(plain);
    reading_free(limit);
}

/* Levels for which the memory did not suffice are looked up through a map: what does that cost? */
static void
measure_columns(const subject *s, const counter *usual, const nodes *set)
{
    const kn_slab    *slab = kn_engine_slab(usual->engine);
    kn_engine_options options = options_of(s);
    bool              mapped = false;
    counter          *c;
    counting         *asked[2];
    side              sides[2] = { { .turn = NULL } };

    for (size_t q = 0; q < slab->nquasi; q++)
        for (size_t i = 0; i < slab->nstrips[q]; i++)
            mapped = mapped || (slab->strips[q][i].map && slab->strips[q][i].groups > 1);
    if (!mapped)
        return;
    options.column_bytes = SIZE_MAX / 2;
    options.most_classes = SMALL_SPACE;
    c = counter_new(s->table, &options, 1);
    asked[0] = counting_new(usual, set);
    asked[1] = counting_new(c, set);
    for (size_t i = 0; i < 2; i++)
        sides[i] = (side){ .turn = count_turn, .user = asked[i] };
    take_turns(sides, 2, s->effort->seconds, s->effort->repeats);
    tell(s, figure_of(s, "ways", "small keys, all columns", kn_kernels_at(0)->name, set->count),
         &sides[1], c);
    tell_times(s, "some levels through maps / every level a column", &sides[0], &sides[1], 0);
    must_agree("columns", asked[0]->answers, asked[1]->answers, set->count);
    kn_free(s->table->ctx, asked[0]);
    kn_free(s->table->ctx, asked[1]);
    counter_free(c);
}

/* The same nodes by one thread and by two. */
static void
measure_threads(const subject *s, counter *c, const char *way, const nodes *set, uint64_t allowed)
{
    side      sides[THREADS_MOST] = { { .turn = NULL } };
    counting *asked[THREADS_MOST];
    double    processor[REPEATS_MOST];
    char      name[120];
    bool      early = allowed < s->table->view.rows;

    counter_threads(c, THREADS_MOST);
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        asked[i] = counting_new(c, set);
        asked[i]->pool = s->pools[i];
        asked[i]->allowed = allowed;
        sides[i] = (side){ .turn = count_turn, .user = asked[i], .by_clock = true };
    }
    take_turns(sides, THREADS_MOST, s->effort->seconds, s->effort->repeats);
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        figure f = figure_of(s, early ? "early" : "threads", way, kn_kernels_at(0)->name,
                             set->count);

        f.threads = i + 1;
        f.stop = early ? "early" : "all";
        tell(s, f, &sides[i], c);
        must_agree(way, asked[i]->answers, asked[0]->answers, set->count);
    }
    snprintf(name, sizeof name, "2 threads / 1 thread, %s%s", way, early ? ", early stop" : "");
    tell_times(s, name, &sides[0], &sides[1], 1.8);
    for (size_t r = 0; r < sides[0].repeats; r++)
        processor[r] = 2 * sides[0].processor[r] / sides[1].processor[r];
    snprintf(name, sizeof name, "%s %s: the same by processor time, %s%s", s->table->name,
             s->layout, way, early ? ", early stop" : "");
    print_ratio(keep_ratio(s->all, name, median(processor, sides[0].repeats), 0, false));
    kn_free(s->table->ctx, asked[0]);
    kn_free(s->table->ctx, asked[1]);
}

/* --- a table in one layout --------------------------------------------------------------------------- */

static void
section_automatic(const subject *s)
{
    static const kn_engine_tuning usual = { .word_bits = 0 };
    ways                          w;
    nodes                        *set = need(s->table->ctx, 1, sizeof *set);
    table                        *loop = NULL;

    open_ways(s, &usual, SIZE_MAX, &w);
    tell_made(s, w.counters[0]);
    const kn_coarse *coarse = kn_engine_coarse(w.counters[0]->engine);

    choose_nodes(s->table, coarse, 0, SMALL_SPACE, s->effort->direct, set);
    measure_way(s, &w, "direct, small keys", set, NULL);
    measure_columns(s, w.counters[0], set);
    choose_nodes(s->table, coarse, SMALL_SPACE + 1, LARGE_SPACE, s->effort->direct, set);
    measure_way(s, &w, "direct, larger keys", set, NULL);
    choose_nodes(s->table, coarse, 0, 1e300, s->effort->automatic, set);
    if (s->collapsed)
        loop = collapsed_table(w.counters[0]);
    measure_way(s, &w, "automatic", set, loop ? loop : s->table);
    if (loop)
        table_free(loop);
    choose_nodes(s->table, coarse, 0, 1e300, s->effort->threaded, set);
    measure_threads(s, w.counters[0], "automatic", set, s->table->view.rows);
    close_ways(&w);
    kn_free(s->table->ctx, set);
}

static void
section_hashed(const subject *s)
{
    static const struct {
        const char      *name;
        kn_engine_tuning tuning;
    } tunings[] = { { "hash, 64-bit keys", { .never_direct = true } },
                    { "hash, wide keys", { .word_bits = 8, .never_direct = true } } };
    nodes *set = need(s->table->ctx, 1, sizeof *set);
    size_t rows = (size_t) s->table->view.rows;
    ways   w;

    for (size_t i = 0; i < KN_COUNT(tunings); i++) {
        /* a large table's slots for as many classes as rows would take gigabytes, with wide keys */
        open_ways(s, &tunings[i].tuning, rows < HASHED_ROWS ? rows : rows / 2, &w);
        choose_nodes(s->table, kn_engine_coarse(w.counters[0]->engine), 0, 1e300, s->effort->hashed,
                     set);
        measure_way(s, &w, tunings[i].name, set, NULL);
        close_ways(&w);
    }
    kn_free(s->table->ctx, set);
}

static kn_privacy
privacy_of(const table *t)
{
    return (kn_privacy){ .k = 5, .allowed = kn_privacy_allowed(LOSS_SHARE, t->view.rows) };
}

/* As a search asks: k 5, one row in a hundred may be lost, and no more classes than that leaves. */
static counter *
search_counter(const subject *s)
{
    kn_privacy        privacy = privacy_of(s->table);
    kn_engine_options options = options_of(s);

    options.most_classes = kn_privacy_most_classes(&privacy, s->table->view.rows);
    return counter_new(s->table, &options, 1);
}

static void
section_early(const subject *s, counter *c)
{
    nodes *set = need(s->table->ctx, 1, sizeof *set);

    choose_nodes(s->table, kn_engine_coarse(c->engine), 0, 1e300, s->effort->threaded, set);
    measure_threads(s, c, "automatic", set, privacy_of(s->table).allowed);
    kn_free(s->table->ctx, set);
}

/* --- refinement -------------------------------------------------------------------------------------- */

enum { STEPS_MOST = 512, PARTITIONS_MOST = 64 };

typedef struct refining {
    const counter *counter;
    kn_refiner    *refiner;
    kn_stripped   *from[PARTITIONS_MOST], *to;
    uint8_t        at[PARTITIONS_MOST][KN_QUASI_MOST];
    size_t         npartitions;
    struct {
        size_t  from, quasi;
        uint8_t levels[KN_QUASI_MOST]; /* after the step */
    } steps[STEPS_MOST];
    size_t     nsteps;
    double     members, feasible; /* of all steps */
    kn_privacy privacy;
    answer     answers[3][STEPS_MOST];
} refining;

static void
partition_turn(void *user)
{
    refining *r = user;

    for (size_t i = 0; i < r->npartitions; i++)
        kn_stripped_at(r->refiner, r->at[i], r->to);
}

static void
refine_turn(void *user)
{
    refining *r = user;

    for (size_t i = 0; i < r->nsteps; i++) {
        size_t q = r->steps[i].quasi;

        r->answers[0][i].complete = kn_refine(r->refiner, r->from[r->steps[i].from], q,
                                              r->steps[i].levels[q], r->to);
        r->answers[0][i].outlying = r->to->outlying;
    }
}

static void
asks_turn(void *user)
{
    refining *r = user;

    for (size_t i = 0; i < r->nsteps; i++) {
        size_t q = r->steps[i].quasi;

        r->answers[1][i].complete = kn_refine_asks(r->refiner, r->from[r->steps[i].from], q,
                                                   r->steps[i].levels[q],
                                                   &r->answers[1][i].outlying);
    }
}

static void
count_steps_turn(void *user)
{
    refining  *r = user;
    kn_counted counted;

    for (size_t i = 0; i < r->nsteps; i++) {
        kn_count(r->counter->tallies[0], r->steps[i].levels, r->privacy.k, r->privacy.allowed, 0,
                 &counted);
        r->answers[2][i] = (answer){ counted.complete, counted.outlying, 0, 0 };
    }
}

/* Random feasible nodes, and every step down from each. */
static void
choose_steps(const subject *s, refining *r)
{
    const kn_lattice *l = &s->table->lattice;
    kn_rng            rng;

    kn_rng_init(&rng, 31, 0);
    while (r->npartitions < s->effort->partitions) {
        uint8_t *at = r->at[r->npartitions];
        size_t   p = r->npartitions;

        kn_node_random(l->n, l->floor, l->top, &rng, at);
        if (!r->from[p] && kn_stripped_new(r->counter->engine, &r->from[p]) < 0)
            die(s->table->ctx, "kn_stripped_new");
        if (kn_node_height(l->n, at) == 0 || !kn_stripped_at(r->refiner, at, r->from[p]))
            continue;
        for (size_t q = 0; q < l->n && r->nsteps < STEPS_MOST; q++) {
            if (at[q] == 0)
                continue;
            r->steps[r->nsteps].from = p;
            r->steps[r->nsteps].quasi = q;
            memcpy(r->steps[r->nsteps].levels, at, l->n);
            r->steps[r->nsteps++].levels[q]--;
            r->members += (double) r->from[p]->nmembers;
        }
        r->npartitions++;
    }
}

/* A figure per tuple of the partitions that were split. */
static void
tell_steps(const subject *s, const refining *r, const char *way, const side *one)
{
    figure f = figure_of(s, "refine", way, "-", r->nsteps);

    f.unit = "ns/member/step";
    f.stop = "early";
    print_figure(keep_figure(s->all, f, one, r->members));
}

static void
section_refine(const subject *s, const counter *c)
{
    refining *r = need(s->table->ctx, 1, sizeof *r);
    side      sides[] = { { .turn = refine_turn, .user = r },
                          { .turn = asks_turn, .user = r },
                          { .turn = count_steps_turn, .user = r },
                          { .turn = partition_turn, .user = r } };
    figure    f = figure_of(s, "refine", "kn_stripped_at", "-", s->effort->partitions);

    r->counter = c;
    r->privacy = privacy_of(s->table);
    if (kn_refiner_new(c->engine, r->privacy.k, r->privacy.allowed, &r->refiner) < 0
        || kn_stripped_new(c->engine, &r->to) < 0)
        die(s->table->ctx, "kn_refiner_new");
    choose_steps(s, r);
    take_turns(sides, KN_COUNT(sides), s->effort->seconds, s->effort->repeats);
    must_agree("kn_refine and kn_refine_asks", r->answers[0], r->answers[1], r->nsteps);
    must_agree("kn_refine and kn_count", r->answers[0], r->answers[2], r->nsteps);
    for (size_t i = 0; i < r->nsteps; i++)
        r->feasible += r->answers[0][i].complete;
    printf("   %zu steps down from %zu feasible nodes with %.0f tuples each in the mean; %.0f %% "
           "of the "
           "steps are feasible. ns per tuple of the partition:\n",
           r->nsteps, r->npartitions, r->members / (double) r->nsteps,
           100 * r->feasible / (double) r->nsteps);
    tell_steps(s, r, "kn_refine", &sides[0]);
    tell_steps(s, r, "kn_refine_asks", &sides[1]);
    tell_steps(s, r, "kn_count of the same", &sides[2]);
    tell(s, f, &sides[3], c);
    tell_times(s, "kn_count / kn_refine_asks, steps down", &sides[2], &sides[1], 0);
    for (size_t i = 0; i < PARTITIONS_MOST; i++)
        kn_stripped_free(r->from[i]);
    kn_stripped_free(r->to);
    kn_refiner_free(r->refiner);
    kn_free(s->table->ctx, r);
}

/* --- roll-up ----------------------------------------------------------------------------------------- */

enum { BATCHES_MOST = 32 };

typedef struct batches {
    counter       *counter;
    bool           expects;
    uint64_t       allowed;
    uint8_t        levels[BATCHES_MOST][BATCH][KN_QUASI_MOST];
    const uint8_t *rows[BATCHES_MOST][BATCH];
    const uint8_t *bottom[BATCH];
    size_t         count;
    answer         answers[BATCHES_MOST * BATCH];
} batches;

/* The batches are far from each other, but the last copy of a turn could serve the first batch of the next
 * one; expecting the bottom drops it. */
static void
batches_turn(void *user)
{
    batches   *b = user;
    kn_counted counted;

    for (size_t i = 0; i < b->count; i++) {
        if (b->expects) {
            kn_engine_expect(b->counter->engine, b->bottom, BATCH);
            kn_engine_expect(b->counter->engine, b->rows[i], BATCH);
        }
        for (size_t j = 0; j < BATCH; j++) {
            kn_count(b->counter->tallies[0], b->rows[i][j], 5, b->allowed, 0, &counted);
            b->answers[i * BATCH + j] = (answer){ counted.complete, counted.outlying,
                                                  counted.classes, counted.squares };
        }
    }
}

static batches *
batches_new(const subject *s, counter *c, bool expects)
{
    static const uint8_t bottom[KN_QUASI_MOST] = { 0 };
    const kn_lattice    *l = &s->table->lattice;
    batches             *b = need(s->table->ctx, 1, sizeof *b);
    kn_rng               rng;

    kn_rng_init(&rng, 37, 0);
    b->counter = c;
    b->expects = expects;
    b->count = s->effort->batches;
    for (size_t i = 0; i < b->count; i++) {
        uint8_t low[KN_QUASI_MOST], high[KN_QUASI_MOST];

        kn_node_random(l->n, l->floor, l->top, &rng, low);
        kn_node_random(l->n, low, l->top, &rng, high);
        for (size_t j = 0; j < BATCH; j++) {
            kn_node_random(l->n, low, high, &rng, b->levels[i][j]);
            b->rows[i][j] = b->levels[i][j];
            b->bottom[j] = bottom;
        }
    }
    return b;
}

static void
measure_rollup(const subject *s, counter *with, counter *without, uint64_t allowed)
{
    bool     early = allowed < s->table->view.rows;
    batches *b[2] = { batches_new(s, with, true), batches_new(s, without, false) };
    side     sides[2] = { { .turn = batches_turn, .user = b[0] },
                          { .turn = batches_turn, .user = b[1] } };

    b[0]->allowed = b[1]->allowed = allowed;
    take_turns(sides, 2, s->effort->seconds, s->effort->repeats);
    must_agree("roll-up", b[0]->answers, b[1]->answers, b[0]->count * BATCH);
    for (size_t i = 0; i < 2; i++) {
        figure f = figure_of(s, "rollup", i ? "the same without" : "kn_engine_expect",
                             kn_kernels_at(0)->name, b[i]->count * BATCH);

        f.stop = early ? "early" : "all";
        tell(s, f, &sides[i], with);
    }
    tell_times(s, early ? "without / with roll-up, early stop" : "without / with roll-up, all",
               &sides[1], &sides[0], 0);
    kn_free(s->table->ctx, b[0]);
    kn_free(s->table->ctx, b[1]);
}

static void
section_rollup(const subject *s)
{
    kn_engine_options options = options_of(s);
    counter          *with, *without;

    options.rollup_bytes = ROLLUP_BYTES;
    with = counter_new(s->table, &options, 1);
    options.rollup_bytes = 0;
    without = counter_new(s->table, &options, 1);
    measure_rollup(s, with, without, s->table->view.rows);
    measure_rollup(s, with, without, privacy_of(s->table).allowed);
    counter_free(with);
    counter_free(without);
}

/* --- one table --------------------------------------------------------------------------------------- */

static void
section_table(results *all, const table *t, const effort *e, kn_pool *pools[THREADS_MOST])
{
    char says[160];

    for (unsigned i = 0; i < 2; i++) {
        subject  s = { all, t, i ? "collapsed" : "raw", e, { pools[0], pools[1] }, i == 1 };
        counter *c;

        snprintf(says, sizeof says, "%llu rows, %zu quasi-identifiers, %s",
                 (unsigned long long) t->view.rows, t->view.nquasi,
                 i ? "equal rows collapsed first" : "one tuple a row");
        print_head(t->name, says);
        print_figure_head();
        section_automatic(&s);
        if (i == 0 || e->hash_collapsed)
            section_hashed(&s);
        c = search_counter(&s);
        section_early(&s, c);
        if (i == 1 && e->partitions)
            section_refine(&s, c);
        counter_free(c);
        if (i == 1 && e->batches)
            section_rollup(&s);
    }
}

/* --- all metrics ------------------------------------------------------------------------------------- */

enum { METRICS_MOST = 16, EXHAUSTIVE_BATCH = 256 };

typedef struct scoring {
    const kn_problem *problem;
    counter          *counter;
    kn_meter         *meters[METRICS_MOST];
    size_t            nmeters, batch; /* 0: nothing is expected */
    size_t            every;          /* one batch of so many is asked about */
    size_t            nnodes;
    size_t            columns[KN_QUASI_MOST]; /* the one that changes first */
    double            sum;
    bool              count_only;
} scoring;

/* Counts up like an odometer, in the order of the exhaustive search: columns with few values change first.
 * False after the top. */
static bool
next_node(const scoring *s, uint8_t *levels)
{
    const kn_lattice *l = &s->problem->lattice;

    for (size_t c = 0; c < l->n; c++) {
        size_t i = s->columns[c];

        if (levels[i] < l->top[i]) {
            levels[i]++;
            return true;
        }
        levels[i] = 0;
    }
    return false;
}

static void
order_columns(scoring *s)
{
    const kn_axis *axes = s->problem->view.axes;

    for (size_t i = 0; i < s->problem->lattice.n; i++) {
        size_t at = i;

        for (; at > 0 && axes[s->columns[at - 1]].ncodes > axes[i].ncodes; at--)
            s->columns[at] = s->columns[at - 1];
        s->columns[at] = i;
    }
}

static void
score_node(scoring *s, const uint8_t *levels)
{
    const kn_problem *p = s->problem;
    kn_counted        counted;

    kn_count(s->counter->tallies[0], levels, p->privacy.k, p->view.rows,
             s->count_only ? 0 : KN_WANT_LOST | KN_WANT_LABELS, &counted);
    s->sum += (double) counted.outlying;
    for (size_t i = 0; i < s->nmeters && !s->count_only; i++)
        s->sum += kn_meter_score(s->meters[i], levels, &counted);
}

static void
score_turn(void *user)
{
    scoring       *s = user;
    uint8_t        levels[EXHAUSTIVE_BATCH][KN_QUASI_MOST] = { { 0 } };
    const uint8_t *rows[EXHAUSTIVE_BATCH];
    size_t         n = s->problem->lattice.n, size = s->batch ? s->batch : 1, count = 1;
    size_t         turn = 0, asked;
    bool           more = true;

    s->sum = 0;
    s->nnodes = 0;
    while (count) {
        for (; more && count < size; count++) {
            if (count)
                memcpy(levels[count], levels[count - 1], n);
            more = next_node(s, levels[count]);
            if (!more)
                break;
        }
        for (size_t i = 0; i < count; i++)
            rows[i] = levels[i];
        asked = turn++ % s->every ? 0 : count;
        if (s->batch)
            kn_engine_expect(s->counter->engine, rows, asked);
        for (size_t i = 0; i < asked; i++)
            score_node(s, levels[i]);
        s->nnodes += asked;
        memmove(levels[0], levels[count - 1], n);
        more = more && next_node(s, levels[0]);
        count = more ? 1 : 0;
    }
}

static void
scoring_new(scoring *s, const adult *a, const table *t, size_t batch, const kn_kernels *kernels)
{
    const kn_problem *p = &a->problem;
    const kn_table   *learned = p->scale.table;
    kn_engine_options options = usual_options();

    options.want = KN_WANT_LOST | KN_WANT_LABELS;
    options.labels = (kn_labels){ .first = learned->first,
                                  .codes = learned->sensitive[p->scale.label],
                                  .weights = kn_table_entry_weights(learned),
                                  .domain = (uint32_t) p->scale.label_domain };
    options.rollup_bytes = batch ? ROLLUP_BYTES : 0;
    options.kernels = kernels;
    *s = (scoring){ .problem = p, .batch = batch, .every = 1 };
    order_columns(s);
    s->counter = counter_new(t, &options, 1);
    for (; kn_metric_at(s->nmeters); s->nmeters++)
        if (kn_meter_new(t->ctx, kn_metric_at(s->nmeters), &p->scale, &p->privacy,
                         kn_engine_coarse(s->counter->engine), &s->meters[s->nmeters])
            < 0)
            die(t->ctx, "kn_meter_new");
}

static void
scoring_free(scoring *s)
{
    for (size_t i = 0; i < s->nmeters; i++)
        kn_meter_free(s->meters[i]);
    counter_free(s->counter);
}

/* The learned table as it is: its tuples are distinct already. */
static table
learned_table(kanon_ctx *ctx, const adult *a)
{
    return (table){
        .ctx = ctx, .name = a->name, .view = a->problem.view, .lattice = a->problem.lattice
    };
}

static void
section_metrics(results *all, kanon_ctx *ctx, const adult *a, const effort *e)
{
    static const size_t      sizes[] = { 0, EXHAUSTIVE_BATCH, 0 };
    static const char *const names[] = { "one by one", "batches of 256", "counts only" };
    table                    t = learned_table(ctx, a);
    subject                  s = { all, &t, "learned", e, { NULL, NULL }, true };
    scoring                  scorings[KN_COUNT(sizes)];
    side                     sides[KN_COUNT(sizes)] = { { .turn = NULL } };

    print_head("all metrics", "every node of the lattice with every metric, one thread, k 5");
    for (size_t i = 0; i < KN_COUNT(sizes); i++) {
        scoring_new(&scorings[i], a, &t, sizes[i], NULL);
        scorings[i].count_only = i + 1 == KN_COUNT(sizes);
        sides[i] = (side){ .turn = score_turn, .user = &scorings[i] };
    }
    take_turns(sides, KN_COUNT(sizes), e->seconds * 2, e->repeats);
    for (size_t i = 0; i < KN_COUNT(sizes); i++) {
        figure f = figure_of(&s, "metrics", names[i], kn_kernels_at(0)->name, scorings[i].nnodes);
        double value = median(sides[i].processor, sides[i].repeats);
        char   name[120];

        if (i && !scorings[i].count_only && scorings[i].sum != scorings[0].sum)
            die(ctx, "metrics differ with and without roll-up");
        tell(&s, f, &sides[i], scorings[i].counter);
        snprintf(name, sizeof name, "%s: seconds for %zu nodes, %s", a->name, scorings[i].nnodes,
                 scorings[i].count_only ? "counts only" : names[i]);
        if (scorings[i].count_only)
            print_ratio(keep_ratio(all, name, value, 0, true));
        else
            print_ratio(keep_ratio(all, name, value, 0.4, true));
        scoring_free(&scorings[i]);
    }
}

#endif
