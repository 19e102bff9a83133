/* SPDX-License-Identifier: Apache-2.0 */
/* engine_sides.h -- what takes turns in bench_engine: counting nodes through the engine, the straightforward
 * hash loop that it is compared with, and reading as many bytes from memory as the nodes' columns have, which
 * nothing that looks at every tuple can beat. */
#ifndef BENCH_ENGINE_SIDES_H
#define BENCH_ENGINE_SIDES_H

#include "base/pool.h"
#include "engine_measure.h"
#include "group/refine.h"

enum { NODES_MOST = 512, THREADS_MOST = 2 };

typedef struct nodes {
    uint8_t levels[NODES_MOST][KN_QUASI_MOST];
    size_t  count;
} nodes;

typedef struct answer {
    bool     complete;
    uint64_t outlying, classes;
    double   squares;
} answer;

/* --- nodes ------------------------------------------------------------------------------------------- */

static double
key_space(const kn_coarse *coarse, size_t n, const uint8_t *levels)
{
    double space = 1;

    for (size_t i = 0; i < n; i++)
        space *= coarse[i].ngroups[levels[i]] ? coarse[i].ngroups[levels[i]] : 1;
    return space;
}

/* Uniform over the lattice's nodes whose key space is in the bounds. */
static void
choose_nodes(const table *t, const kn_coarse *coarse, double space_least, double space_most,
             size_t count, nodes *out)
{
    kn_rng rng;

    kn_rng_init(&rng, 23, (uint64_t) space_least);
    out->count = 0;
    for (size_t tries = 0; out->count < count; tries++) {
        uint8_t *levels = out->levels[out->count];
        double   space;

        kn_node_random(t->lattice.n, t->lattice.floor, t->lattice.top, &rng, levels);
        space = key_space(coarse, t->lattice.n, levels);
        out->count += space >= space_least && space <= space_most;
        if (tries == 10000000)
            die(t->ctx, "no node has such a key space");
    }
}

/* --- the engine -------------------------------------------------------------------------------------- */

typedef struct counter {
    const table *table;
    kn_engine   *engine;
    kn_tally    *tallies[THREADS_MOST];
    unsigned     threads;
    double       made; /* seconds that making the engine took */
} counter;

static kn_engine_options
usual_options(void)
{
    return (kn_engine_options){ .most_classes = SIZE_MAX };
}

/* A tally of a large table takes a gigabyte: the second one is made when it is needed. */
static void
counter_threads(counter *c, unsigned threads)
{
    for (; c->threads < threads; c->threads++)
        if (kn_tally_new(c->engine, &c->tallies[c->threads]) < 0)
            die(c->table->ctx, "kn_tally_new");
}

static counter *
counter_new(const table *t, const kn_engine_options *options, unsigned threads)
{
    counter *c = need(t->ctx, 1, sizeof *c);
    double   start = processor_seconds();

    c->table = t;
    if (kn_engine_new(t->ctx, &t->view, options, &c->engine) < 0)
        die(t->ctx, "kn_engine_new");
    c->made = processor_seconds() - start;
    counter_threads(c, threads);
    return c;
}

static void
counter_free(counter *c)
{
    if (!c)
        return;
    for (unsigned i = 0; i < c->threads; i++)
        kn_tally_free(c->tallies[i]);
    kn_engine_free(c->engine);
    kn_free(c->table->ctx, c);
}

static double
counter_tuples(const counter *c)
{
    return (double) kn_engine_slab(c->engine)->ntuples;
}

/* A question about many nodes, and what was answered last. */
typedef struct counting {
    const counter *counter;
    const nodes   *nodes;
    kn_pool       *pool; /* NULL: this thread alone */
    uint64_t       k, allowed;
    answer         answers[NODES_MOST];
} counting;

static void
count_item(void *user, size_t item, unsigned worker)
{
    counting  *q = user;
    kn_counted counted;

    kn_count(q->counter->tallies[worker], q->nodes->levels[item], q->k, q->allowed, 0, &counted);
    q->answers[item] = (answer){ counted.complete, counted.outlying, counted.classes,
                                 counted.squares };
}

static void
count_turn(void *user)
{
    counting *q = user;

    if (q->pool)
        kn_pool_run(q->pool, q->nodes->count, count_item, q);
    else
        for (size_t i = 0; i < q->nodes->count; i++)
            count_item(q, i, 0);
}

/* Counts everything (allowed: all rows) with k 5. */
static counting *
counting_new(const counter *c, const nodes *set)
{
    counting *q = need(c->table->ctx, 1, sizeof *q);

    *q = (counting){ .counter = c, .nodes = set, .k = 5, .allowed = c->table->view.rows };
    return q;
}

/* --- the straightforward loop ------------------------------------------------------------------------ */

typedef struct plain_slot {
    uint64_t key, rows; /* rows 0: free */
} plain_slot;

typedef struct plain_loop {
    kanon_ctx     *ctx;
    const kn_view *view;
    const nodes   *nodes;
    plain_slot    *slots[2]; /* the table and the one before it grew */
    size_t         room[2], nslots, used;
    answer         answers[NODES_MOST];
} plain_loop;

static inline uint64_t
plain_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 32;
}

static void
plain_room(plain_loop *p, size_t nslots)
{
    if (p->room[0] < nslots) {
        kn_free(p->ctx, p->slots[0]);
        p->slots[0] = need(p->ctx, nslots, sizeof *p->slots[0]);
        p->room[0] = nslots;
    } else {
        memset(p->slots[0], 0, nslots * sizeof *p->slots[0]);
    }
    p->nslots = nslots;
}

static void
plain_grow(plain_loop *p)
{
    plain_slot *old = p->slots[0];
    size_t      room = p->room[0], nold = p->nslots;

    p->slots[0] = p->slots[1];
    p->room[0] = p->room[1];
    p->slots[1] = old;
    p->room[1] = room;
    plain_room(p, 2 * nold);
    for (size_t i = 0; i < nold; i++) {
        size_t s = plain_mix(old[i].key) & (p->nslots - 1);

        if (!old[i].rows)
            continue;
        while (p->slots[0][s].rows)
            s = (s + 1) & (p->nslots - 1);
        p->slots[0][s] = old[i];
    }
}

static inline void
plain_add(plain_loop *p, uint64_t key, uint32_t weight)
{
    plain_slot *slots = p->slots[0];
    size_t      mask = p->nslots - 1, s = plain_mix(key) & mask;

    while (slots[s].rows && slots[s].key != key)
        s = (s + 1) & mask;
    if (!slots[s].rows) {
        slots[s].key = key;
        p->used++;
    }
    slots[s].rows += weight;
    if (p->used * 2 > p->nslots)
        plain_grow(p);
}

/* Per row: a key of mixed radix through the level's maps, then its slot. */
static void
plain_count(plain_loop *p, const uint8_t *levels, uint64_t k, answer *out)
{
    const kn_view  *view = p->view;
    const uint32_t *maps[KN_QUASI_MOST];
    const kn_codes *codes[KN_QUASI_MOST];
    uint64_t        radix[KN_QUASI_MOST];
    size_t          n = 0;

    for (size_t i = 0; i < view->nquasi; i++)
        if (view->axes[i].ngroups[levels[i]] > 1) {
            maps[n] = view->axes[i].maps[levels[i]];
            codes[n] = &view->codes[i];
            radix[n++] = view->axes[i].ngroups[levels[i]];
        }
    plain_room(p, 4096);
    p->used = 0;
    for (size_t t = 0; t < view->ntuples; t++) {
        uint64_t key = 0;

        for (size_t i = 0; i < n; i++)
            key = key * radix[i] + maps[i][kn_codes_at(codes[i], t)];
        plain_add(p, key, view->weights[t]);
    }
    *out = (answer){ .complete = true };
    for (size_t s = 0; s < p->nslots; s++) {
        uint64_t rows = p->slots[0][s].rows;

        if (rows >= k) {
            out->classes++;
            out->squares += (double) rows * (double) rows;
        } else {
            out->outlying += rows;
        }
    }
}

static void
plain_turn(void *user)
{
    plain_loop *p = user;

    for (size_t i = 0; i < p->nodes->count; i++)
        plain_count(p, p->nodes->levels[i], 5, &p->answers[i]);
}

static plain_loop *
plain_new(kanon_ctx *ctx, const kn_view *view, const nodes *set)
{
    plain_loop *p = need(ctx, 1, sizeof *p);

    p->ctx = ctx;
    p->view = view;
    p->nodes = set;
    return p;
}

static void
plain_free(plain_loop *p)
{
    kn_free(p->ctx, p->slots[0]);
    kn_free(p->ctx, p->slots[1]);
    kn_free(p->ctx, p);
}

/* The collapsed tuples of an engine as a table, in a random order, for the loop to count as well. */
static table *
collapsed_table(const counter *c)
{
    const kn_slab   *slab = kn_engine_slab(c->engine);
    const kn_coarse *coarse = kn_engine_coarse(c->engine);
    kanon_ctx       *ctx = c->table->ctx;
    table           *t = table_new(ctx, c->table->name, slab->nquasi, slab->ntuples);
    uint32_t        *order = need(ctx, slab->ntuples, sizeof *order);
    kn_rng           rng;

    kn_rng_init(&rng, 29, 0);
    for (size_t i = 0; i < slab->ntuples; i++) {
        size_t j = (size_t) kn_rng_below(&rng, i + 1);

        order[i] = order[j];
        order[j] = (uint32_t) i;
    }
    for (size_t q = 0; q < slab->nquasi; q++) {
        const kn_axis *axis = coarse[q].axis;
        uint32_t     **maps = need(ctx, axis->nlevels, sizeof *maps);
        uint32_t      *ngroups = need(ctx, axis->nlevels, sizeof *ngroups);

        for (size_t level = 0; level < axis->nlevels; level++) {
            maps[level] = need(ctx, coarse[q].ngroups[0], sizeof **maps);
            kn_coarse_map(&coarse[q], 0, level, maps[level]);
            ngroups[level] = coarse[q].ngroups[level];
        }
        t->axes[q] = (kn_axis){ axis->nlevels, coarse[q].ngroups[0], (const uint32_t **) maps,
                                ngroups };
        t->codes[q].bytes = slab->strips[q][0].codes.bytes;
        t->codes[q].data = need(ctx, slab->ntuples, t->codes[q].bytes);
        for (size_t i = 0; i < slab->ntuples; i++)
            put_code(t, q, i, kn_strip_at(&slab->strips[q][0], order[i]));
    }
    for (size_t i = 0; i < slab->ntuples; i++)
        t->weights[i] = kn_slab_weight(slab, order[i]);
    t->view.rows = slab->rows;
    t->lattice = c->table->lattice;
    kn_free(ctx, order);
    return t;
}

/* --- the speed of memory ----------------------------------------------------------------------------- */

typedef uint64_t read_vector __attribute__((vector_size(32)));

#define READ_BODY                                                                                  \
    read_vector sums[4] = { { 0 }, { 0 }, { 0 }, { 0 } };                                          \
    for (size_t i = 0; i + 4 <= count; i += 4)                                                     \
        for (size_t j = 0; j < 4; j++)                                                             \
            sums[j] += from[i + j];                                                                \
    sums[0] += sums[1] + sums[2] + sums[3];                                                        \
    return sums[0][0] + sums[0][1] + sums[0][2] + sums[0][3];

#if defined(__x86_64__)
__attribute__((target("avx2"), noinline)) static uint64_t
read_wide(const read_vector *from, size_t count)
{
    READ_BODY
}
#endif

__attribute__((noinline)) static uint64_t
read_plain(const read_vector *from, size_t count)
{
    READ_BODY
}

static uint64_t
read_memory(const read_vector *from, size_t bytes)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return read_wide(from, bytes / sizeof *from);
#endif
    return read_plain(from, bytes / sizeof *from);
}

/* Bytes that a node's columns and weights have, as the engine's slab holds them. */
static size_t
node_bytes(const counter *c, const uint8_t *levels)
{
    const kn_slab *slab = kn_engine_slab(c->engine);
    size_t         bytes = slab->weights.data ? slab->weights.bytes : 0;

    for (size_t q = 0; q < slab->nquasi; q++) {
        const kn_strip *strip = kn_slab_strip(slab, q, levels[q]);

        bytes += strip->groups > 1 ? strip->codes.bytes : 0;
    }
    return bytes * slab->ntuples;
}

typedef struct reading {
    const counter *counter;
    const nodes   *nodes;
    read_vector   *from; /* as many bytes as the largest node has */
    uint64_t       sum;
} reading;

static reading *
reading_new(const counter *c, const nodes *set)
{
    kanon_ctx *ctx = c->table->ctx;
    reading   *r = need(ctx, 1, sizeof *r);
    size_t     most = 0;

    *r = (reading){ .counter = c, .nodes = set };
    for (size_t i = 0; i < set->count; i++)
        most = node_bytes(c, set->levels[i]) > most ? node_bytes(c, set->levels[i]) : most;
    if (posix_memalign((void **) &r->from, sizeof(read_vector), most + sizeof(read_vector)))
        die(ctx, "out of memory");
    memset(r->from, 1, most);
    return r;
}

static void
reading_free(reading *r)
{
    free(r->from);
    kn_free(r->counter->table->ctx, r);
}

static void
read_turn(void *user)
{
    reading *r = user;

    for (size_t i = 0; i < r->nodes->count; i++)
        r->sum += read_memory(r->from, node_bytes(r->counter, r->nodes->levels[i]));
}

/* --- agreement --------------------------------------------------------------------------------------- */

/* Speed is worth nothing where the answers differ. */
static void
must_agree(const char *what, const answer *a, const answer *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].complete != b[i].complete
            || (a[i].complete
                && (a[i].outlying != b[i].outlying || a[i].classes != b[i].classes
                    || a[i].squares != b[i].squares))) {
            fprintf(stderr,
                    "bench_engine: %s, node %zu: %d %llu %llu %.17g against %d %llu %llu %.17g\n",
                    what, i, a[i].complete, (unsigned long long) a[i].outlying,
                    (unsigned long long) a[i].classes, a[i].squares, b[i].complete,
                    (unsigned long long) b[i].outlying, (unsigned long long) b[i].classes,
                    b[i].squares);
            exit(1);
        }
}

#endif
