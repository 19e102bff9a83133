/* SPDX-License-Identifier: Apache-2.0 */
/* test_classic.c -- ola, incognito, samarati and datafly against looking at every node of random lattices:
 * what they claim, what they find, budget, time, cancel, threads, failing memory. */
#include <unistd.h>

#include "search_fixture.h"

enum { METRICS_MOST = 16, COLUMNS_MOST = 8 };

static const kn_search_class *const classics[] = { &kn_search_ola, &kn_search_incognito,
                                                   &kn_search_samarati, &kn_search_datafly };

static const request PLAIN = { .seed = 1, .threads = 1 };

/* --- every node, by hand ---------------------------------------------------------------------------- */

typedef struct look {
    uint8_t  levels[COLUMNS_MOST];
    bool     feasible, minimal; /* minimal: feasible, and nothing below it is */
    uint64_t outlying;
    double   loss[METRICS_MOST]; /* in the order of the metrics */
} look;

typedef struct survey {
    size_t   n, count, feasible;
    unsigned lowest; /* least height with a feasible node */
    look    *nodes;
} survey;

static look *
node_at(const problem_fixture *f, const survey *s, const uint8_t *levels)
{
    size_t index = 0, unit = 1;

    for (size_t i = 0; i < s->n; i++) {
        index += levels[i] * unit;
        unit *= (size_t) f->p.lattice.top[i] + 1;
    }
    CHECK(index < s->count && memcmp(s->nodes[index].levels, levels, s->n) == 0);
    return &s->nodes[index];
}

static void
look_at(const problem_fixture *f, kn_workspace *ws, const uint8_t *levels, look *out)
{
    const kn_problem *p = &f->p;
    kn_grouping       grouping;
    kn_measured       m;
    kn_column_loss    columns[COLUMNS_MOST];

    memset(out, 0, sizeof *out);
    memcpy(out->levels, levels, p->lattice.n);
    kn_group(ws, levels, &grouping);
    CHECK_OK(f->ctx, kn_measure(f->ctx, &(kn_judged){ &p->scale, &p->privacy, &grouping }, levels,
                                &m, columns));
    out->outlying = m.suppressed;
    out->feasible = m.suppressed <= p->privacy.allowed;
    for (size_t i = 0; kn_metric_at(i); i++)
        out->loss[i] = *kn_metrics_find(&m.metrics, kn_metric_at(i)->info.name);
}

static bool
is_minimal(const problem_fixture *f, const survey *s, const look *node)
{
    uint8_t below[COLUMNS_MOST];

    for (size_t i = 0; i < s->n; i++) {
        memcpy(below, node->levels, s->n);
        if (below[i] == 0)
            continue;
        below[i]--;
        if (node_at(f, s, below)->feasible)
            return false;
    }
    return node->feasible;
}

/* All nodes of the whole lattice, those below the floors too. */
static survey
look_at_all(const problem_fixture *f)
{
    survey        s = { .n = f->p.lattice.n, .lowest = UINT32_MAX };
    uint8_t       node[COLUMNS_MOST] = { 0 }, zeros[COLUMNS_MOST] = { 0 };
    kn_workspace *ws = NULL;

    CHECK(s.n <= COLUMNS_MOST);
    s.nodes = calloc((size_t) kn_lattice_nodes(s.n, zeros, f->p.lattice.top), sizeof *s.nodes);
    CHECK(s.nodes);
    CHECK_OK(f->ctx, kn_workspace_new(f->ctx, &f->p.view, SIZE_MAX, &ws));
    do
        look_at(f, ws, node, &s.nodes[s.count++]);
    while (problem_next_node(f, node));
    kn_workspace_free(ws);
    for (size_t i = 0; i < s.count; i++) {
        unsigned height = kn_node_height(s.n, s.nodes[i].levels);

        s.nodes[i].minimal = is_minimal(f, &s, &s.nodes[i]);
        s.feasible += s.nodes[i].feasible;
        if (s.nodes[i].feasible && height < s.lowest)
            s.lowest = height;
    }
    return s;
}

typedef enum { AMONG_ALL, AMONG_MINIMAL, AMONG_LOWEST } among;

/* The least loss among feasible nodes. */
static double
least_loss(const survey *s, size_t metric, among which)
{
    double least = HUGE_VAL;

    for (size_t i = 0; i < s->count; i++) {
        const look *node = &s->nodes[i];

        if (!node->feasible || (which == AMONG_MINIMAL && !node->minimal)
            || (which == AMONG_LOWEST && kn_node_height(s->n, node->levels) != s->lowest))
            continue;
        if (node->loss[metric] < least)
            least = node->loss[metric];
    }
    return least;
}

/* Does loss grow with the levels? Said without asking the library. */
static bool
grows(const problem_fixture *f, size_t metric)
{
    const char *name = kn_metric_at(metric)->info.name;

    return strcmp(name, "log") == 0 || strcmp(name, "height") == 0 || f->p.privacy.allowed == 0;
}

static const char *const suppressions[] = { "0", "0.1", "0.3" };
static const char *const ks[] = { "2", "3", "5", "7" };

static void
open_round(problem_fixture *f, size_t round, kn_rng *rng)
{
    problem_shape shape = { 12 + round % 7 * 10, round % 40 == 39 ? 5 : 1 + round / 3 % 4,
                            3 + round % 11, ks[round / 2 % 4], suppressions[round % 3] };

    problem_random(f, &shape, rng);
}

/* --- claims ----------------------------------------------------------------------------------------- */

/* What must hold for every search, however it ended. A claim that is wrong fails here. */
static void
check_claims(const problem_fixture *f, const survey *s, size_t metric, const request *r,
             const kn_outcome *out)
{
    const char *name = r->search->info.name;
    double      best = least_loss(s, metric, AMONG_ALL);
    const look *found;

    CHECK(out->feasible == (s->feasible > 0));
    if (!out->feasible)
        return;
    found = node_at(f, s, out->levels);
    CHECK(found->feasible);
    CHECK_EQ_U64(out->score.outlying, found->outlying);
    CHECK_NEAR(out->score.loss, found->loss[metric], 1e-9 * fmax(1, found->loss[metric]));
    CHECK(!kn_loss_less(best, out->lower_bound));
    if (out->optimal && kn_loss_less(best, out->score.loss))
        FAIL("%s, %s: claims %.17g, but %.17g exists", name, r->metric->info.name, out->score.loss,
             best);
    if (out->optimal)
        CHECK_NEAR(out->lower_bound, out->score.loss, 0);
}

/* A search that ran to its end: how much worse than it may be is it? */
static void
check_minimal(const problem_fixture *f, const survey *s, size_t metric, const kn_outcome *out)
{
    CHECK(!kn_loss_less(least_loss(s, metric, AMONG_MINIMAL), out->score.loss));
    if (grows(f, metric))
        CHECK(out->optimal);
}

static void
check_samarati(const survey *s, size_t metric, const kn_outcome *out)
{
    double   lowest = least_loss(s, metric, AMONG_LOWEST);
    unsigned height = kn_node_height(s->n, out->levels);

    CHECK(!kn_loss_less(lowest, out->score.loss));
    if (strcmp(kn_metric_at(metric)->info.name, "height") == 0) {
        CHECK_EQ_U64(height, s->lowest);
        CHECK(out->optimal);
    }
}

/* Different values in a column at a level: by comparing each with each. */
static size_t
values_at(const problem_fixture *f, size_t column, unsigned level)
{
    const kn_axis *axis = &f->p.view.axes[column];
    size_t         count = 0;

    for (size_t i = 0; i < axis->ncodes; i++) {
        bool seen = false;

        for (size_t j = 0; !seen && j < i; j++)
            seen = axis->maps[level][i] == axis->maps[level][j];
        count += !seen;
    }
    return count;
}

/* Sweeney's rule, step by step. */
static void
walk_up(const problem_fixture *f, const survey *s, uint8_t *node)
{
    while (!node_at(f, s, node)->feasible) {
        size_t most = s->n;

        for (size_t i = 0; i < s->n; i++)
            if (node[i] < f->p.lattice.top[i]
                && (most == s->n || values_at(f, i, node[i]) > values_at(f, most, node[most])))
                most = i;
        CHECK(most < s->n);
        node[most]++;
    }
}

/* The greedy walk's node, or the top where that loses less; and never above the walk from all zeros. */
static void
check_datafly(const problem_fixture *f, const survey *s, size_t metric, const kn_outcome *out)
{
    uint8_t greedy[COLUMNS_MOST], paper[COLUMNS_MOST] = { 0 };
    bool    same;
    double  loss;

    memcpy(greedy, f->p.lattice.floor, s->n);
    walk_up(f, s, greedy);
    walk_up(f, s, paper);
    CHECK(kn_node_below(s->n, greedy, paper));
    loss = node_at(f, s, greedy)->loss[metric];
    same = memcmp(out->levels, greedy, s->n) == 0;
    CHECK(same || memcmp(out->levels, f->p.lattice.top, s->n) == 0);
    CHECK(!kn_loss_less(loss, out->score.loss));
    if (grows(f, metric))
        CHECK(same);
}

/* All four searches under one metric; counts answers of the exact ones that are not the best. */
static void
check_round(const problem_fixture *f, const survey *s, size_t metric, size_t *worse)
{
    for (size_t c = 0; c < KN_COUNT(classics); c++) {
        request    r = PLAIN;
        kn_outcome out;

        r.search = classics[c];
        r.metric = kn_metric_at(metric);
        CHECK_OK(f->ctx, run(f, &r, &out));
        check_claims(f, s, metric, &r, &out);
        if (!out.feasible)
            continue;
        CHECK_STR(out.stopped, "complete");
        if (r.search == &kn_search_samarati)
            check_samarati(s, metric, &out);
        else if (r.search == &kn_search_datafly)
            check_datafly(f, s, metric, &out);
        else
            check_minimal(f, s, metric, &out);
        *worse += r.search == &kn_search_ola
               && kn_loss_less(least_loss(s, metric, AMONG_ALL), out.score.loss);
    }
}

TEST(answers_and_claims_are_right)
{
    kn_rng rng;
    size_t worse = 0;

    kn_rng_init(&rng, 71, 0);
    for (size_t round = 0; round < 240; round++) {
        problem_fixture f;
        survey          s;

        open_round(&f, round, &rng);
        s = look_at_all(&f);
        for (size_t metric = 0; kn_metric_at(metric); metric++)
            check_round(&f, &s, metric, &worse);
        free(s.nodes);
        problem_close(&f);
    }
    CHECK(worse
          > 0); /* minimal nodes are not always best, so a claim too many would have been seen */
}

/* --- all minimal nodes ------------------------------------------------------------------------------ */

/* A metric that looks over the search's shoulder: only feasible nodes are scored. */
static struct {
    uint8_t nodes[1 << 14][COLUMNS_MOST];
    size_t  count, n;
} spied;

static double
spy_score(const kn_scale *scale, const kn_facts *facts)
{
    (void) scale;
    CHECK(spied.count < KN_COUNT(spied.nodes));
    memcpy(spied.nodes[spied.count++], facts->levels, spied.n);
    return kn_node_height(spied.n, facts->levels);
}

static const kn_metric_class spy = {
    { "spy", "writes down every feasible node" }, KN_METRIC_LEVELS, NULL, spy_score
};

static bool
was_spied(const uint8_t *levels)
{
    for (size_t i = 0; i < spied.count; i++)
        if (memcmp(spied.nodes[i], levels, spied.n) == 0)
            return true;
    return false;
}

TEST(all_minimal_nodes_are_looked_at)
{
    kn_rng rng;
    size_t several = 0, checks = 0, nodes = 0;

    kn_rng_init(&rng, 72, 0);
    for (size_t round = 0; round < 200; round++) {
        problem_fixture f;
        survey          s;

        open_round(&f, round, &rng);
        s = look_at_all(&f);
        for (size_t c = 0; c < 2; c++) {
            request    r = PLAIN;
            kn_outcome out;
            size_t     minimal = 0;

            r.search = classics[c];
            r.metric = &spy;
            spied.count = 0;
            spied.n = s.n;
            CHECK_OK(f.ctx, run(&f, &r, &out));
            for (size_t i = 0; i < s.count; i++)
                if (s.nodes[i].minimal) {
                    minimal++;
                    if (!was_spied(s.nodes[i].levels))
                        FAIL("%s missed a minimal node", r.search->info.name);
                }
            several += minimal > 3;
            checks += out.evaluations;
            nodes += (size_t) kn_lattice_nodes(s.n, f.p.lattice.floor, f.p.lattice.top);
        }
        free(s.nodes);
        problem_close(&f);
    }
    CHECK(several > 50);
    CHECK(checks * 3 < nodes * 2); /* tags save checks, even on lattices as small as these */
}

/* --- which nodes Incognito checks ------------------------------------------------------------------- */

typedef struct place {
    size_t   node;
    unsigned subset,
        height; /* quasi-identifiers below their tops; levels above the bottom of these */
} place;

static int
compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;

    if (x->subset != y->subset)
        return x->subset < y->subset ? -1 : 1;
    return (x->height > y->height) - (x->height < y->height);
}

/* Is a node decided by one that was checked before? */
static bool
is_implied(const survey *s, const place *places, const bool *checked, size_t count,
           const look *node)
{
    for (size_t i = 0; i < count; i++) {
        const look *other = &s->nodes[places[i].node];

        if (checked[i]
            && (other->feasible ? kn_node_below(s->n, other->levels, node->levels)
                                : kn_node_below(s->n, node->levels, other->levels)))
            return true;
    }
    return false;
}

/* Subsets by size, in each of them from the bottom up; a node is checked where nothing implies it. */
static uint64_t
incognito_checks(const problem_fixture *f, const survey *s)
{
    const kn_lattice *l = &f->p.lattice;
    place            *places = calloc(s->count, sizeof *places);
    bool             *checked = calloc(s->count, sizeof *checked);
    size_t            count = 0;
    uint64_t          checks = 0;

    CHECK(places && checked);
    for (size_t i = 0; i < s->count; i++) {
        const uint8_t *levels = s->nodes[i].levels;
        place          p = { i, 0, 0 };

        if (!kn_node_below(s->n, l->floor, levels))
            continue;
        for (size_t q = 0; q < s->n; q++)
            if (levels[q] < l->top[q]) {
                p.subset++;
                p.height += (unsigned) (levels[q] - l->floor[q]);
            }
        places[count++] = p;
    }
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; i++) {
        checked[i] = !is_implied(s, places, checked, i, &s->nodes[places[i].node]);
        checks += checked[i];
    }
    free(places);
    free(checked);
    return checks;
}

TEST(incognito_goes_by_growing_subsets)
{
    kn_rng rng;

    kn_rng_init(&rng, 73, 0);
    for (size_t round = 0; round < 100; round++) {
        request         r = PLAIN;
        kn_outcome      out;
        problem_fixture f;
        survey          s;

        open_round(&f, round, &rng);
        s = look_at_all(&f);
        r.search = &kn_search_incognito;
        r.metric = &kn_metric_log;
        CHECK_OK(f.ctx, run(&f, &r, &out));
        if (out.feasible)
            CHECK_EQ_U64(out.evaluations, incognito_checks(&f, &s));
        free(s.nodes);
        problem_close(&f);
    }
}

/* --- which values Datafly counts -------------------------------------------------------------------- */

/* A file that knows 40 words, of which the table holds three: the other column has more values. */
TEST(datafly_counts_the_values_of_the_table)
{
    static const uint8_t expected[] = { 0, 1 };
    char                 name[] = "/tmp/kanon-test-XXXXXX", spec[64];
    int                  fd = mkstemp(name);
    request              r = PLAIN;
    kn_outcome           out;
    problem_fixture      f;

    CHECK(fd >= 0);
    for (int i = 0; i < 40; i++)
        CHECK(dprintf(fd, "word%d;some;*\n", i) > 0);
    CHECK(close(fd) == 0);
    snprintf(spec, sizeof spec, "a=%s", name);
    problem_begin(&f, NULL);
    problem_set(&f, "qi", "a,b");
    problem_set(&f, "hierarchy", spec);
    problem_set(&f, "hierarchy", "b=range:2,4");
    problem_set(&f, "k", "2");
    problem_set(&f, "suppression", "0");
    kn_text_addz(&f.csv, "a,b\n");
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 4; b++)
            kn_text_addf(&f.csv, "word%d,%d\n", a, b);
    problem_open(&f);
    CHECK(f.p.view.axes[0].ngroups[0] == 40 && f.p.lattice.floor[0] == 0
          && f.p.lattice.floor[1] == 0);
    r.search = &kn_search_datafly;
    r.metric = &kn_metric_log;
    CHECK_OK(f.ctx, run(&f, &r, &out));
    CHECK(memcmp(out.levels, expected, 2) == 0);
    CHECK_EQ_U64(out.evaluations, 3); /* the top, the bottom, one step */
    problem_close(&f);
    unlink(name);
}

/* --- budget, time, threads -------------------------------------------------------------------------- */

/* Every budget up to the one that is enough: what is claimed on the way must hold. */
static void
check_budgets(const problem_fixture *f, const survey *s, size_t metric,
              const kn_search_class *search)
{
    request    r = PLAIN;
    char       text[32];
    kn_outcome whole, out;

    r.search = search;
    r.metric = kn_metric_at(metric);
    CHECK_OK(f->ctx, run(f, &r, &whole));
    r.params[0] = (kn_setting){ "max-evaluations", text };
    r.nparams = 1;
    for (uint64_t budget = 1; whole.feasible && budget <= whole.evaluations; budget++) {
        snprintf(text, sizeof text, "%" PRIu64, budget);
        r.threads = 1 + (unsigned) (budget % 2);
        CHECK_OK(f->ctx, run(f, &r, &out));
        CHECK_EQ_U64(out.evaluations, budget);
        check_claims(f, s, metric, &r, &out);
        if (budget < whole.evaluations)
            CHECK_STR(out.stopped, "max-evaluations");
    }
    snprintf(text, sizeof text, "%" PRIu64, whole.evaluations + 1);
    CHECK_OK(f->ctx, run(f, &r, &out));
    CHECK(out.optimal == whole.optimal);
    CHECK_STR(out.stopped, whole.stopped);
}

TEST(a_budget_never_makes_a_wrong_claim)
{
    kn_rng rng;

    kn_rng_init(&rng, 74, 0);
    for (size_t round = 0; round < 18; round++) {
        problem_fixture f;
        survey          s;

        open_round(&f, round, &rng);
        s = look_at_all(&f);
        for (size_t c = 0; c < KN_COUNT(classics); c++)
            for (size_t metric = 0; kn_metric_at(metric); metric += 4)
                check_budgets(&f, &s, metric, classics[c]);
        free(s.nodes);
        problem_close(&f);
    }
}

static void
open_large(problem_fixture *f)
{
    problem_shape shape = { 300, 18, 30, "2", "0.4" };
    kn_rng        rng;

    kn_rng_init(&rng, 75, 0);
    problem_random(f, &shape, &rng);
}

TEST(the_time_limit_is_kept)
{
    problem_fixture f;

    open_large(&f);
    for (size_t c = 0; c < 3; c++)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            request r = { classics[c], &kn_metric_glm, { { "max-nodes", "1e15" } }, 1, 1, threads,
                          1e-9 };
            double  start = kn_seconds();
            kn_outcome out;

            CHECK_OK(f.ctx, run(&f, &r, &out));
            CHECK(out.feasible && out.score.outlying <= f.p.privacy.allowed);
            CHECK_STR(out.stopped, "time-limit");
            CHECK(!out.optimal);
            r.time_limit_s = 0.05;
            r.metric = &kn_metric_log;
            CHECK_OK(f.ctx, run(&f, &r, &out));
            CHECK(out.feasible && out.score.outlying <= f.p.privacy.allowed);
            CHECK_STR(out.stopped, "time-limit");
            CHECK(!out.optimal);
            CHECK(kn_seconds() - start < 5);
        }
    problem_close(&f);
}

TEST(threads_do_not_show)
{
    static const struct {
        size_t      rows, columns;
        const char *suppression;
    } shapes[] = { { 150, 4, "0.1" }, { 90, 5, "0.3" }, { 200, 3, "0" } };
    const kn_metric_class *metrics[] = { &kn_metric_log, &kn_metric_entropy, &kn_metric_cm };
    kn_rng                 rng;

    kn_rng_init(&rng, 76, 0);
    for (size_t i = 0; i < KN_COUNT(shapes); i++) {
        problem_shape shape = { shapes[i].rows, shapes[i].columns, 15, "3", shapes[i].suppression };
        problem_fixture f;

        problem_random(&f, &shape, &rng);
        for (size_t c = 0; c < KN_COUNT(classics); c++)
            for (size_t m = 0; m < KN_COUNT(metrics); m++) {
                request    r = { .search = classics[c], .metric = metrics[m], .threads = 1 };
                kn_outcome one, more;

                CHECK_OK(f.ctx, run(&f, &r, &one));
                for (r.threads = 2; r.threads <= 5; r.threads += 3) {
                    r.seed++; /* there is no chance in them */
                    CHECK_OK(f.ctx, run(&f, &r, &more));
                    check_same(&one, &more, f.p.lattice.n);
                }
            }
        problem_close(&f);
    }
}

TEST(a_search_can_be_cancelled)
{
    for (size_t c = 0; c < KN_COUNT(classics); c++)
        check_cancelled(classics[c]);
}

TEST(too_many_nodes_are_refused)
{
    problem_fixture f;

    open_large(&f);
    for (size_t c = 0; c < 3; c++) {
        request    r = { classics[c], &kn_metric_log, { { "max-nodes", "10" } }, 1, 1, 1, 0 };
        kn_outcome out;
        size_t     length = strlen(classics[c]->info.name);

        CHECK(run(&f, &r, &out) == KANON_E_INVALID);
        CHECK(strncmp(kanon_ctx_message(f.ctx), classics[c]->info.name, length) == 0);
        CHECK(strstr(kanon_ctx_message(f.ctx), "more than max-nodes (10)"));
    }
    problem_close(&f);
}

/* --- memory ----------------------------------------------------------------------------------------- */

static kanon_status
search_once(kanon_ctx *ctx, void *user)
{
    const problem_fixture *f = user;
    const kn_metric_class *metrics[] = { &kn_metric_glm, &kn_metric_log };
    kanon_status           rc = KANON_OK;

    for (size_t c = 0; rc == KANON_OK && c < KN_COUNT(classics); c++) {
        kn_search_problem p = { ctx,
                                &f->p.view,
                                &f->p.scale,
                                &f->p.privacy,
                                metrics[c % 2],
                                &f->p.lattice,
                                NULL,
                                0,
                                1,
                                2,
                                0,
                                0 };
        kn_outcome        out;

        rc = kn_search_run(classics[c], &p, &out);
        CHECK(rc != KANON_OK || out.feasible);
    }
    return rc;
}

TEST(every_allocation_may_fail)
{
    check_allocations((problem_shape){ 25, 3, 6, "2", "0.1" }, 77, search_once, 60);
}
