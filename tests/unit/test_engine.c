/* SPDX-License-Identifier: Apache-2.0 */
/* test_engine.c -- every way of checking a node against a naive count: all kernels, all ways of addressing,
 * collapsed copies, refinement; on random tables and on those that are meant to be difficult. */
#include "base/pool.h"
#include "failing_alloc.h"
#include "group/refine.h"
#include "view_fixture.h"

/* --- one table, every way ---------------------------------------------------------------------------- */

typedef struct question {
    uint8_t  levels[VIEW_QUASI_MOST];
    uint64_t k, allowed;
} question;

static void
check_lost(const view_fixture *f, const kn_engine *engine, const question *q,
           const naive_counted *naive, const kn_counted *found)
{
    const kn_coarse *coarse = kn_engine_coarse(engine);

    for (size_t i = 0; i < f->view.nquasi; i++) {
        uint64_t *left = view_take(coarse[i].ngroups[q->levels[i]], sizeof *left);

        memcpy(left, found->lost[i], coarse[i].ngroups[q->levels[i]] * sizeof *left);
        for (size_t t = 0; t < f->view.ntuples; t++)
            if (naive->is_out[t])
                left[kn_coarse_at(&coarse[i], q->levels[i], f->cells[i][t])] -= f->weights[t];
        for (size_t g = 0; g < coarse[i].ngroups[q->levels[i]]; g++)
            CHECK_EQ_U64(left[g], 0);
        free(left);
    }
}

static void
check_node(const view_fixture *f, const kn_engine *engine, kn_tally *tally, const question *q,
           const naive_counted *naive)
{
    kn_counted found;

    kn_count(tally, q->levels, q->k, q->allowed, 0, &found);
    CHECK(found.complete == (naive->outlying <= q->allowed));
    if (found.complete) {
        CHECK_EQ_U64(found.outlying, naive->outlying);
        CHECK_EQ_U64(found.classes, naive->classes);
        CHECK_NEAR(found.squares, naive->squares, naive->squares * 1e-15);
    }
    kn_count(tally, q->levels, q->k, UINT64_MAX, KN_WANT_LOST, &found);
    CHECK(found.complete);
    CHECK_EQ_U64(found.outlying, naive->outlying);
    check_lost(f, engine, q, naive, &found);
    kn_count(tally, q->levels, q->k, UINT64_MAX, KN_WANT_LOST | KN_WANT_LABELS, &found);
    CHECK(found.complete);
    CHECK_EQ_U64(found.outlying, naive->outlying);
    CHECK_EQ_U64(found.classes, naive->classes);
    CHECK_EQ_U64(found.off_label, naive->off_label);
    check_lost(f, engine, q, naive, &found);
}

static void
check_refined(const view_fixture *f, const kn_engine *engine, const question *q,
              const naive_counted *naive, kn_rng *rng)
{
    kanon_ctx   *ctx = kn_engine_slab(engine)->ctx;
    kn_refiner  *refiner = NULL;
    kn_stripped *from = NULL, *to = NULL;
    uint8_t      start[VIEW_QUASI_MOST];
    size_t       quasi = kn_rng_below(rng, f->view.nquasi);
    uint64_t     outlying = 0;

    CHECK_OK(ctx, kn_refiner_new(engine, q->k, q->allowed, &refiner));
    CHECK_OK(ctx, kn_stripped_new(engine, &from));
    CHECK_OK(ctx, kn_stripped_new(engine, &to));
    CHECK(kn_stripped_at(refiner, q->levels, to) == (naive->outlying <= q->allowed));
    memcpy(start, q->levels, f->view.nquasi);
    start[quasi] = (uint8_t) (start[quasi] + kn_rng_below(rng, f->top[quasi] - start[quasi] + 1u));
    if (kn_stripped_at(refiner, start, from)) {
        bool fits = kn_refine(refiner, from, quasi, q->levels[quasi], to);

        CHECK(fits == (naive->outlying <= q->allowed));
        CHECK(fits == kn_refine_asks(refiner, from, quasi, q->levels[quasi], &outlying));
        if (fits) {
            CHECK_EQ_U64(to->outlying, naive->outlying);
            CHECK_EQ_U64(outlying, naive->outlying);
            CHECK(to->nclasses <= naive->classes); /* without the single tuples */
        }
    } else {
        CHECK(naive->outlying > q->allowed); /* what is infeasible above is so below */
    }
    kn_stripped_free(from);
    kn_stripped_free(to);
    kn_refiner_free(refiner);
}

enum { WAYS = 8, NODES = 6 };

static const kn_engine_tuning tunings[WAYS] = {
    { 0, false, 0, 0 }, { 0, false, 1, 0 }, { 0, true, 0, 0 },  { 0, true, 2, 1 },
    { 17, true, 1, 1 }, { 9, false, 0, 0 }, { 3, false, 5, 1 }, { 1, true, 0, 9 },
};

/* A few nodes of a table, with each kernel set and each tuning. */
static void
try_view(const view_fixture *f, uint64_t k, double share, kn_rng *rng)
{
    kanon_ctx    *ctx;
    question      questions[NODES];
    naive_counted naive[NODES];
    uint8_t       floor[VIEW_QUASI_MOST] = { 0 };

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (size_t i = 0; i < f->view.nquasi; i++)
        floor[i] = (uint8_t) (kn_rng_below(rng, 3) ? 0 : kn_rng_below(rng, f->top[i] + 1u));
    for (size_t j = 0; j < NODES; j++) {
        for (size_t i = 0; i < f->view.nquasi; i++)
            questions[j].levels[i] = (uint8_t) (floor[i]
                                                + kn_rng_below(rng, f->top[i] - floor[i] + 1u));
        questions[j].k = k;
        questions[j].allowed = (uint64_t) (share * (double) f->view.rows);
        naive[j].is_out = view_take(f->view.ntuples, sizeof(bool));
        naive_count(f, questions[j].levels, k, &naive[j]);
    }
    for (size_t way = 0; way < WAYS; way++)
        for (size_t set = 0; kn_kernels_at(set); set++) {
            kn_engine_options options = { .floor = floor,
                                          .most_classes = SIZE_MAX,
                                          .want = KN_WANT_LOST | KN_WANT_LABELS,
                                          .labels = f->packed,
                                          .repeats = way % 3 > 0,
                                          .column_bytes = way % 2 ? 1 + f->view.ntuples : 0,
                                          .kernels = kn_kernels_at(set),
                                          .tuning = tunings[way] };
            kn_engine        *engine = NULL;
            kn_tally         *tally = NULL;

            CHECK_OK(ctx, kn_engine_new(ctx, &f->view, &options, &engine));
            CHECK_OK(ctx, kn_tally_new(engine, &tally));
            for (size_t j = 0; j < NODES; j++) {
                check_node(f, engine, tally, &questions[j], &naive[j]);
                if (set == 0)
                    check_refined(f, engine, &questions[j], &naive[j], rng);
            }
            kn_tally_free(tally);
            kn_engine_free(engine);
        }
    for (size_t j = 0; j < NODES; j++)
        free(naive[j].is_out);
    kanon_ctx_free(ctx);
}

static void
try_shape(const view_shape *shape, uint64_t k, double share, kn_rng *rng)
{
    view_fixture f;

    view_random(&f, shape, rng);
    try_view(&f, k, share, rng);
    view_close(&f);
}

TEST(every_way_counts_as_the_naive_one)
{
    kn_rng rng;

    kn_rng_init(&rng, 71, 0);
    for (size_t round = 0; round < 60; round++) {
        view_shape shape = { 1 + kn_rng_below(&rng, 300),
                             1 + kn_rng_below(&rng, 7),
                             1 + (uint32_t) kn_rng_below(&rng, round % 3 ? 8 : 300),
                             1 + kn_rng_below(&rng, 5),
                             round % 4 ? 1 + (uint32_t) kn_rng_below(&rng, 400) : 1,
                             (uint32_t) kn_rng_below(&rng, 4),
                             round % 5 == 0 };

        try_shape(&shape, 1 + kn_rng_below(&rng, 12), (double) kn_rng_below(&rng, 8) / 10, &rng);
    }
}

TEST(difficult_tables_count_alike)
{
    static const view_shape shapes[] = {
        { 0, 3, 5, 3, 1, 2, false },       /* nothing */
        { 1, 1, 1, 1, 1, 0, false },       /* one row, one value, one level */
        { 500, 4, 1, 4, 1, 3, false },     /* all rows equal */
        { 600, 2, 600, 3, 1, 2, false },   /* all distinct */
        { 900, 3, 40, 3, 70000, 2, true }, /* one huge class, large weights */
        { 300, 200, 6, 3, 2, 2, false },   /* two hundred quasi-identifiers */
        { 60, 255, 60, 2, 1, 0, false },   /* as many as there may be */
        { 200, 3, 200, 255, 3, 0, false }, /* as many levels as there may be */
        { 700, 3, 10, 3, 3, 50, false },   /* many labels */
    };
    kn_rng rng;

    kn_rng_init(&rng, 72, 0);
    for (size_t i = 0; i < KN_COUNT(shapes); i++)
        for (uint64_t k = 1; k < 60; k = k * 4 + 1)
            try_shape(&shapes[i], k, i % 2 ? 0.3 : 0, &rng);
}

/* Key spaces just below, at and above each switch-over: the sub-key's 2^16, the counters' copies (2^12),
 * 4 and 64 counters a tuple, a code's byte and short. */
TEST(every_switch_over_is_crossed)
{
    static const uint32_t codes[] = { 63,   64,   65,   255,  256,  257,   1023,
                                      1024, 1025, 4095, 4096, 4097, 65535, 65537 };
    kn_rng                rng;

    kn_rng_init(&rng, 73, 0);
    for (size_t i = 0; i < KN_COUNT(codes); i++)
        for (size_t quasi = 1; quasi <= 2; quasi++) {
            size_t     tuples = codes[i] < 5000 ? 2 * codes[i] : codes[i] + 10;
            view_shape shape = {
                tuples > 66000 && quasi > 1 ? 5000 : tuples, quasi, codes[i], 3, 2, 0, false
            };

            if (shape.tuples <= 9000 || quasi == 1)
                try_shape(&shape, 2, 0.5, &rng);
        }
}

/* Weights are kept in as few bytes as the largest needs, and all ways read them alike. */
TEST(weights_of_every_width_count_alike)
{
    static const struct {
        uint32_t largest;
        unsigned bytes; /* 0: none are kept */
    } cases[] = { { 1, 0 },     { 2, 1 },     { 255, 1 },    { 256, 2 },
                  { 65535, 2 }, { 65536, 4 }, { 1 << 20, 4 } };
    kn_rng rng;

    kn_rng_init(&rng, 84, 0);
    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        kn_engine_options options = { .most_classes = SIZE_MAX };
        kanon_ctx        *ctx;
        view_fixture      f;
        kn_engine        *engine = NULL;
        const kn_slab    *slab;

        view_random(&f, &(view_shape){ 3000, 3, 40, 3, cases[i].largest, 3, false }, &rng);
        f.view.rows += cases[i].largest - f.weights[1234];
        f.label_weights[f.first[1234]] += cases[i].largest - f.weights[1234];
        f.weights[1234] = cases[i].largest;
        CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        CHECK_OK(ctx, kn_engine_new(ctx, &f.view, &options, &engine));
        slab = kn_engine_slab(engine);
        CHECK((slab->weights.data != NULL) == (cases[i].bytes > 0));
        if (cases[i].bytes)
            CHECK_EQ_U64(slab->weights.bytes, cases[i].bytes);
        kn_engine_free(engine);
        kanon_ctx_free(ctx);
        try_view(&f, cases[i].largest / 2 + 2, 0.4, &rng);
        view_close(&f);
    }
}

/* A dictionary may hold codes that no tuple has. */
TEST(codes_that_do_not_occur_change_nothing)
{
    kn_rng rng;

    kn_rng_init(&rng, 82, 0);
    for (size_t round = 0; round < 20; round++) {
        view_fixture f;

        view_random(&f, &(view_shape){ 400, 3, 60, 4, 2, 2, false }, &rng);
        for (size_t i = 0; i < f.view.nquasi; i++)
            for (size_t t = 0; t < f.view.ntuples; t++)
                if (f.cells[i][t] % 3 == round % 3) {
                    f.cells[i][t] = (f.cells[i][t] + 1) % (uint32_t) f.axes[i].ncodes;
                    view_put(&f.codes[i], t, f.cells[i][t]);
                }
        try_view(&f, 3, 0.4, &rng);
        view_close(&f);
    }
}

/* One long run of the lead column, whose classes are all large enough, and many short ones, whose are not:
 * blocks that are counted in different ways at one node. */
TEST(blocks_of_all_kinds_add_up)
{
    enum { CODES = 100, TUPLES = 2100 };
    kanon_ctx        *ctx;
    view_fixture      f;
    kn_engine_options options = { .most_classes = SIZE_MAX,
                                  .want = KN_WANT_LOST | KN_WANT_LABELS,
                                  .tuning = { 0, false, 1, 0 } };
    question          q = { { 0 }, 5, UINT64_MAX };
    kn_engine        *engine = NULL;
    kn_tally         *tally = NULL;
    naive_counted     naive;
    size_t            lead;
    kn_rng            rng;

    kn_rng_init(&rng, 80, 0);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    view_random(&f, &(view_shape){ TUPLES, 2, CODES, 3, 1, 0, false }, &rng);
    CHECK_OK(ctx, kn_engine_new(ctx, &f.view, &options, &engine));
    lead = kn_engine_slab(engine)->order[0];
    kn_engine_free(engine);
    for (size_t t = CODES; t < TUPLES; t++) {
        f.cells[lead][t] = 7;
        f.cells[1 - lead][t] = (uint32_t) (t % CODES);
        view_put(&f.codes[lead], t, f.cells[lead][t]);
        view_put(&f.codes[1 - lead], t, f.cells[1 - lead][t]);
    }
    naive.is_out = view_take(TUPLES, sizeof(bool));
    CHECK_OK(ctx, kn_engine_new(ctx, &f.view, &options, &engine));
    CHECK_OK(ctx, kn_tally_new(engine, &tally));
    naive_count(&f, q.levels, q.k, &naive);
    CHECK_EQ_U64(naive.outlying, CODES - 1);
    check_node(&f, engine, tally, &q, &naive);
    free(naive.is_out);
    kn_tally_free(tally);
    kn_engine_free(engine);
    kanon_ctx_free(ctx);
    view_close(&f);
}

/* With no room for more classes than a feasible node has: what is given up is infeasible, and nothing else
 * is. */
TEST(nodes_with_too_many_classes_are_given_up)
{
    kanon_ctx *ctx;
    kn_rng     rng;

    kn_rng_init(&rng, 83, 0);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (size_t round = 0; round < 40; round++) {
        view_fixture      f;
        question          q = { { 0 }, 2 + round % 5, 0 };
        kn_engine_options options = { .tuning = tunings[round % WAYS],
                                      .rollup_bytes = round % 2 ? 1 << 20 : 0 };
        kn_engine        *engine = NULL;
        kn_tally         *tally = NULL;
        naive_counted     naive;

        view_random(&f, &(view_shape){ 5000, 3, 40, 4, 1, 0, round % 3 == 0 }, &rng);
        naive.is_out = view_take(f.view.ntuples, sizeof(bool));
        q.allowed = f.view.rows / 50;
        options.most_classes = q.allowed + (f.view.rows - q.allowed) / q.k;
        CHECK_OK(ctx, kn_engine_new(ctx, &f.view, &options, &engine));
        CHECK_OK(ctx, kn_tally_new(engine, &tally));
        for (int node = 0; node < 12; node++) {
            kn_counted found;

            for (size_t i = 0; i < f.view.nquasi; i++)
                q.levels[i] = (uint8_t) kn_rng_below(&rng, f.top[i] + 1u);
            naive_count(&f, q.levels, q.k, &naive);
            kn_count(tally, q.levels, q.k, q.allowed, 0, &found);
            CHECK(found.complete == (naive.outlying <= q.allowed));
            if (found.complete)
                CHECK_EQ_U64(found.outlying, naive.outlying);
        }
        free(naive.is_out);
        kn_tally_free(tally);
        kn_engine_free(engine);
        view_close(&f);
    }
    kanon_ctx_free(ctx);
}

/* Larger than a chunk, a block, and a table that is sampled. */
TEST(large_tables_cross_chunks_and_blocks)
{
    kn_rng rng;

    kn_rng_init(&rng, 74, 0);
    try_shape(&(view_shape){ 20000, 4, 30, 4, 1, 2, false }, 3, 0.2, &rng);
    try_shape(&(view_shape){ 20000, 3, 3000, 4, 1, 0, true }, 2, 0.9, &rng);
    try_shape(&(view_shape){ 140000, 2, 20000, 3, 1, 0, true }, 2, 0.9, &rng);
}

/* More rows than 2^32 in all, and in one class. */
TEST(rows_may_pass_32_bits)
{
    kn_rng rng;

    kn_rng_init(&rng, 75, 0);
    for (int round = 0; round < 10; round++)
        try_shape(&(view_shape){ 400, 3, 4, 3, UINT32_MAX, 2, false },
                  round % 2 ? UINT64_C(5000000000) : UINT64_C(300000000000), 0.4, &rng);
}

/* --- collapsed copies ---------------------------------------------------------------------------------- */

static void
draw_batch(const view_fixture *f, kn_rng *rng, question *questions, const uint8_t **nodes, size_t n)
{
    uint8_t low[VIEW_QUASI_MOST];

    for (size_t i = 0; i < f->view.nquasi; i++)
        low[i] = (uint8_t) kn_rng_below(rng, f->top[i] + 1u);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < f->view.nquasi; i++)
            questions[j].levels[i] = (uint8_t) (low[i]
                                                + kn_rng_below(rng, f->top[i] - low[i] + 1u));
        questions[j].k = 3;
        questions[j].allowed = f->view.rows / 3;
        nodes[j] = questions[j].levels;
    }
}

TEST(collapsed_copies_count_alike)
{
    enum { BATCH = 600, ROUNDS = 8 };
    static question   questions[BATCH];
    const uint8_t    *nodes[BATCH];
    kanon_ctx        *ctx;
    view_fixture      f;
    kn_engine        *engine = NULL;
    kn_tally         *tally = NULL;
    kn_engine_options options = { .most_classes = SIZE_MAX,
                                  .want = KN_WANT_LOST | KN_WANT_LABELS,
                                  .rollup_bytes = 1 << 20 };
    naive_counted     naive;
    kn_rng            rng;

    kn_rng_init(&rng, 76, 0);
    view_random(&f, &(view_shape){ 6000, 4, 12, 5, 3, 3, false }, &rng);
    naive.is_out = view_take(f.view.ntuples, sizeof(bool));
    options.labels = f.packed;
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_engine_new(ctx, &f.view, &options, &engine));
    CHECK_OK(ctx, kn_tally_new(engine, &tally));
    for (size_t round = 0; round < ROUNDS; round++) {
        draw_batch(&f, &rng, questions, nodes, BATCH);
        kn_engine_expect(engine, nodes, BATCH);
        for (size_t j = 0; j < BATCH; j += 67) {
            naive_count(&f, questions[j].levels, questions[j].k, &naive);
            check_node(&f, engine, tally, &questions[j], &naive);
        }
    }
    free(naive.is_out);
    kn_tally_free(tally);
    kn_engine_free(engine);
    kanon_ctx_free(ctx);
    view_close(&f);
}

/* --- threads -------------------------------------------------------------------------------------- */

enum { SHARED_NODES = 64, THREADS_MOST = 4 };

typedef struct shared_work {
    kn_tally        *tallies[THREADS_MOST];
    const uint8_t   *nodes[SHARED_NODES];
    kn_counted       found[SHARED_NODES];
    uint64_t         lost[SHARED_NODES]; /* a sum over all groups, each with its own factor */
    size_t           nquasi;
    const kn_coarse *coarse;
} shared_work;

static void
count_shared(void *user, size_t item, unsigned worker)
{
    shared_work *w = user;

    kn_count(w->tallies[worker], w->nodes[item], 3, UINT64_MAX, KN_WANT_LOST | KN_WANT_LABELS,
             &w->found[item]);
    w->lost[item] = 0;
    for (size_t i = 0; i < w->nquasi; i++)
        for (size_t g = 0; g < w->coarse[i].ngroups[w->nodes[item][i]]; g++)
            w->lost[item] = w->lost[item] * 31 + w->found[item].lost[i][g];
}

/* The same nodes with one to four threads, with and without collapsed copies. Run by the thread sanitizer,
 * too. */
TEST(threads_count_alike)
{
    static question    questions[SHARED_NODES];
    static shared_work one, other;
    kanon_ctx         *ctx;
    view_fixture       f;
    kn_rng             rng;

    kn_rng_init(&rng, 81, 0);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    view_random(&f, &(view_shape){ 6000, 4, 12, 5, 3, 3, false }, &rng);
    draw_batch(&f, &rng, questions, one.nodes, SHARED_NODES);
    for (unsigned threads = 1; threads <= THREADS_MOST; threads++) {
        kn_engine_options options = { .most_classes = SIZE_MAX,
                                      .want = KN_WANT_LOST | KN_WANT_LABELS,
                                      .labels = f.packed,
                                      .rollup_bytes = threads % 2 ? 0 : 1 << 20 };
        shared_work      *w = threads == 1 ? &one : &other;
        kn_engine        *engine = NULL;
        kn_pool          *pool = NULL;

        CHECK_OK(ctx, kn_engine_new(ctx, &f.view, &options, &engine));
        CHECK_OK(ctx, kn_pool_new(ctx, threads, &pool));
        for (unsigned i = 0; i < threads; i++)
            CHECK_OK(ctx, kn_tally_new(engine, &w->tallies[i]));
        memcpy(w->nodes, one.nodes, sizeof w->nodes);
        w->nquasi = f.view.nquasi;
        w->coarse = kn_engine_coarse(engine);
        for (int round = 0; round < 3; round++) {
            kn_engine_expect(engine, w->nodes, SHARED_NODES);
            kn_pool_run(pool, SHARED_NODES, count_shared, w);
        }
        for (size_t j = 0; j < SHARED_NODES; j++) {
            CHECK(w->found[j].complete && w->lost[j] == one.lost[j]);
            CHECK_EQ_U64(w->found[j].outlying, one.found[j].outlying);
            CHECK_EQ_U64(w->found[j].classes, one.found[j].classes);
            CHECK_EQ_U64(w->found[j].off_label, one.found[j].off_label);
            CHECK_NEAR(w->found[j].squares, one.found[j].squares, 0);
        }
        for (unsigned i = 0; i < threads; i++)
            kn_tally_free(w->tallies[i]);
        kn_pool_free(pool);
        kn_engine_free(engine);
    }
    view_close(&f);
    kanon_ctx_free(ctx);
}

/* --- kernels by themselves ------------------------------------------------------------------------------ */

static void
fill_random(void *bytes, size_t count, kn_rng *rng)
{
    for (size_t i = 0; i < count; i++)
        ((uint8_t *) bytes)[i] = (uint8_t) kn_rng_below(rng, 256);
}

TEST(all_kernels_are_the_plain_ones)
{
    enum { MOST = 300 };
    static const size_t code_bytes[KN_MADS] = { 1, 2, 1, 2, 4 };
    uint32_t            codes[MOST], keys[MOST], expected[MOST], hashes[MOST];
    uint8_t             table[256];
    kn_rng              rng;

    kn_rng_init(&rng, 77, 0);
    for (size_t set = 0; kn_kernels_at(set); set++)
        for (size_t n = 0; n < MOST; n++) {
            const kn_kernels *k = kn_kernels_at(set);
            uint32_t          stride = (uint32_t) kn_rng_next(&rng);

            for (size_t m = 0; m < KN_MADS; m++) {
                size_t      shift = kn_rng_below(&rng, 4) * code_bytes[m]; /* not always aligned */
                kn_mad_kind kind = kn_rng_below(&rng, 2) ? KN_MAD_SET : KN_MAD_ADD;

                fill_random(codes, sizeof codes, &rng);
                fill_random(keys, sizeof keys, &rng);
                memcpy(expected, keys, sizeof keys);
                if (n * 4 + shift > sizeof codes)
                    continue;
                k->mad[m](keys, (uint8_t *) codes + shift, stride, n, kind);
                kn_kernels_plain.mad[m](expected, (uint8_t *) codes + shift, stride, n, kind);
                CHECK(memcmp(keys, expected, sizeof keys) == 0);
            }
            for (size_t i = 0; i < n; i++)
                codes[i] = (uint32_t) kn_rng_below(&rng, i % 2 ? 8 : 14000000);
            fill_random(table, sizeof table, &rng);
            k->translate((uint8_t *) keys, (const uint8_t *) codes, table, n);
            kn_kernels_plain.translate((uint8_t *) expected, (const uint8_t *) codes, table, n);
            CHECK(memcmp(keys, expected, n) == 0);
            k->hash(codes, n % 3 + 1, n / 3, (uint32_t) n * 77, hashes, n / 3);
            kn_kernels_plain.hash(codes, n % 3 + 1, n / 3, (uint32_t) n * 77, keys, n / 3);
            CHECK(memcmp(keys, hashes, n / 3 * sizeof *keys) == 0);
            memcpy(expected, keys, sizeof keys);
            k->add(keys, codes, n);
            kn_kernels_plain.add(expected, codes, n);
            CHECK(memcmp(keys, expected, n * sizeof *keys) == 0);
            for (uint32_t least = 0; least < 10; least++) {
                kn_scanned one = { 1, 2, 3 }, other = one;

                k->scan(codes, n, least == 9 ? UINT32_MAX : least, &one);
                kn_kernels_plain.scan(codes, n, least == 9 ? UINT32_MAX : least, &other);
                CHECK_EQ_U64(one.outlying, other.outlying);
                CHECK_EQ_U64(one.classes, other.classes);
                CHECK_EQ_U64(one.squares, other.squares);
            }
        }
}

/* --- memory --------------------------------------------------------------------------------------- */

enum { EXPECTED = 40 };

typedef struct plan_case {
    view_fixture     *f;
    kn_engine_options options;
    const uint8_t    *nodes[EXPECTED];
} plan_case;

static kanon_status
make_all(kanon_ctx *ctx, void *user)
{
    const plan_case *c = user;
    kanon_status     rc = KANON_OK;
    kn_engine       *engine = NULL;
    kn_tally        *tally = NULL;
    kn_refiner      *refiner = NULL;
    kn_engine_plan   plan;

    KN_TRY(kn_engine_measure(ctx, &c->f->view, &c->options, &plan));
    KN_TRY(kn_engine_new(ctx, &c->f->view, &c->options, &engine));
    KN_TRY(kn_tally_new(engine, &tally));
    KN_TRY(kn_refiner_new(engine, 2, 5, &refiner));
    if (c->nodes[0])
        kn_engine_expect(engine, c->nodes, EXPECTED); /* does without where there is no memory */
out:
    kn_refiner_free(refiner);
    kn_tally_free(tally);
    kn_engine_free(engine);
    return rc;
}

TEST(every_allocation_may_fail)
{
    static question questions[EXPECTED];
    view_fixture    f;
    plan_case       c = { .f = &f };
    kn_rng          rng;

    kn_rng_init(&rng, 78, 0);
    view_random(&f, &(view_shape){ 300, 5, 20, 4, 3, 3, false }, &rng);
    c.options = (kn_engine_options){ .most_classes = SIZE_MAX,
                                     .want = KN_WANT_LOST | KN_WANT_LABELS,
                                     .labels = f.packed,
                                     .repeats = true };
    CHECK(failing_alloc_sweep(make_all, &c) > 40);
    c.options.column_bytes = 1; /* maps instead of columns */
    c.options.tuning.word_bits = 2;
    CHECK(failing_alloc_sweep(make_all, &c) > 40);
    view_close(&f);
    view_random(&f, &(view_shape){ 3000, 3, 6, 4, 2, 2, false }, &rng);
    c.options = (kn_engine_options){ .most_classes = SIZE_MAX,
                                     .want = KN_WANT_LOST | KN_WANT_LABELS,
                                     .labels = f.packed,
                                     .rollup_bytes = 1 << 20 };
    draw_batch(&f, &rng, questions, c.nodes, EXPECTED);
    CHECK(failing_alloc_sweep(make_all, &c) > 40);
    view_close(&f);
}

/* An allocator that knows how many bytes live, and how many did at most. */
typedef struct metered {
    size_t live, most, requests;
} metered;

enum { HEADER = 16 };

static void *
metered_reallocate(void *user, void *block, size_t bytes)
{
    metered *m = user;
    char    *start = block ? (char *) block - HEADER : NULL;
    size_t   before = 0;

    if (start)
        memcpy(&before, start, sizeof before);
    start = realloc(start, bytes + HEADER);
    if (!start)
        return NULL;
    memcpy(start, &bytes, sizeof bytes);
    m->requests++;
    m->live += bytes - before;
    m->most = m->live > m->most ? m->live : m->most;
    return start + HEADER;
}

static void *
metered_allocate(void *user, size_t bytes)
{
    return metered_reallocate(user, NULL, bytes);
}

static void
metered_release(void *user, void *block)
{
    metered *m = user;
    size_t   bytes;

    if (!block)
        return;
    memcpy(&bytes, (char *) block - HEADER, sizeof bytes);
    m->live -= bytes;
    free((char *) block - HEADER);
}

/* Small change that the plan leaves out: handles, lists of pointers, the chunk's buffers. */
enum { CHANGE = 64 << 10 };

static void
try_plan(const view_shape *shape, bool top, size_t column_bytes, size_t rollup_bytes, kn_rng *rng)
{
    uint8_t           floor[VIEW_QUASI_MOST] = { 0 };
    const uint8_t    *nodes[64];
    static question   questions[64];
    metered           m = { 0, 0, 0 };
    kanon_allocator   allocator = { &m, metered_allocate, metered_reallocate, metered_release };
    kanon_ctx_options how = KANON_CTX_OPTIONS_INIT;
    kn_engine_options options = { .most_classes = SIZE_MAX,
                                  .want = KN_WANT_LOST | KN_WANT_LABELS,
                                  .repeats = true };
    kanon_ctx        *ctx;
    view_fixture      f;
    kn_engine        *engine = NULL;
    kn_tally         *tally = NULL;
    kn_engine_plan    plan;
    kn_counted        found;
    size_t            before, requests;

    view_random(&f, shape, rng);
    options.labels = f.packed;
    options.column_bytes = column_bytes;
    options.rollup_bytes = rollup_bytes;
    if (top)
        memcpy(floor, f.top, f.view.nquasi);
    options.floor = floor;
    how.allocator = &allocator;
    CHECK(kanon_ctx_new(&how, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_engine_measure(ctx, &f.view, &options, &plan));
    before = m.live;
    m.most = m.live;
    CHECK_OK(ctx, kn_engine_new(ctx, &f.view, &options, &engine));
    CHECK(m.live - before <= plan.shared + CHANGE);
    CHECK(m.most - before <= plan.shared + plan.scratch + CHANGE);
    before = m.live;
    CHECK_OK(ctx, kn_tally_new(engine, &tally));
    CHECK(m.live - before <= plan.thread + CHANGE);
    CHECK(kn_engine_thread_bytes(engine) == plan.thread);
    requests = m.requests;
    for (int round = 0; round < 20; round++) {
        uint8_t levels[VIEW_QUASI_MOST];

        for (size_t i = 0; i < f.view.nquasi; i++)
            levels[i] = (uint8_t) (floor[i] + kn_rng_below(rng, f.top[i] - floor[i] + 1u));
        kn_count(tally, levels, 3, f.view.rows, KN_WANT_LOST | KN_WANT_LABELS, &found);
    }
    CHECK_EQ_U64(m.requests, requests); /* nothing is allocated while nodes are counted */
    before = m.live;
    for (int round = 0; rollup_bytes && round < 5; round++) {
        draw_batch(&f, rng, questions, nodes, 64);
        kn_engine_expect(engine, nodes, 64);
        CHECK(m.live <= before + rollup_bytes + CHANGE);
    }
    kn_tally_free(tally);
    kn_engine_free(engine);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(m.live, 0);
    view_close(&f);
}

/* With millions of tuples making the engine is a job's largest moment: the scratch for sorting is gone before
 * the coarser columns come. */
TEST(scratch_does_not_add_to_the_finished_engine)
{
    metered           m = { 0, 0, 0 };
    kanon_allocator   allocator = { &m, metered_allocate, metered_reallocate, metered_release };
    kanon_ctx_options how = KANON_CTX_OPTIONS_INIT;
    kn_engine_options options = { .most_classes = SIZE_MAX };
    kanon_ctx        *ctx;
    view_fixture      f;
    kn_engine        *engine = NULL;
    kn_rng            rng;

    kn_rng_init(&rng, 85, 0);
    view_random(&f, &(view_shape){ 60000, 6, 200, 6, 2, 0, false }, &rng);
    how.allocator = &allocator;
    CHECK(kanon_ctx_new(&how, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_engine_new(ctx, &f.view, &options, &engine));
    CHECK(m.most <= m.live + CHANGE);
    kn_engine_free(engine);
    kanon_ctx_free(ctx);
    view_close(&f);
}

TEST(memory_stays_within_the_plan)
{
    kn_rng rng;

    kn_rng_init(&rng, 79, 0);
    try_plan(&(view_shape){ 30000, 6, 40, 5, 2, 3, false }, false, 0, 0, &rng);
    try_plan(&(view_shape){ 30000, 6, 40, 5, 2, 3, false }, true, 0, 0, &rng);
    try_plan(&(view_shape){ 50000, 3, 30000, 4, 2, 0, true }, false, 0, 0, &rng);
    try_plan(&(view_shape){ 50000, 3, 30000, 4, 2, 0, true }, false, 1, 0, &rng);
    try_plan(&(view_shape){ 50000, 2, 30000, 60, 1, 0, true }, true, 1, 0, &rng);
    try_plan(&(view_shape){ 8000, 60, 50, 3, 1, 2, false }, false, 0, 0, &rng);
    try_plan(&(view_shape){ 100000, 2, 100000, 9, 1, 0, false }, false, 0, 0, &rng);
    try_plan(&(view_shape){ 30000, 15, 2, 2, 1, 2, false }, false, 0, 1 << 20, &rng);
    try_plan(&(view_shape){ 30000, 5, 9, 4, 1, 2, false }, false, 0, 2 << 20, &rng);
}
