/* SPDX-License-Identifier: Apache-2.0 */
/* pbg_ea.c -- PBG-EA (Dewri et al. 2010, Algorithm 2): a population of nodes, an archive with
 * box-dominance, SPEA2's strength fitness, binary tournaments over both, single-point crossover, step
 * mutation. With guide=off it is the paper's, operator by operator; nodes that come again cost no
 * evaluation there as here. With guide=on, which is the default, offspring are candidates like the
 * neighbours of the archive, and the most promising of all that are neither known nor ruled out are
 * measured (guide.h). Cost of a generation: its new nodes, and O(archive * population) comparisons. */
#include "pareto/guide.h"

enum {
    PARAM_POPULATION,
    PARAM_ITERATIONS,
    PARAM_CROSSOVER,
    PARAM_MUTATION,
    PARAM_GUIDE,
    PARAM_PATIENCE
};
enum { GUIDE_ON, GUIDE_OFF };
enum { TRIES = 20 }; /* random nodes for each place of a generation */
enum { FINER = 8 };  /* times: large boxes hold few points, from which little can be reached */

typedef struct state {
    kn_front_measurer *lab;
    kn_archive        *archive;
    kn_archive         fine; /* the same with smaller boxes: what leads the guide on */
    kn_objectives      finer;
    kn_guide          *guide; /* NULL: the paper's operators alone */
    kn_rng             rng;
    size_t             population, iterations, n;
    size_t             patience;
    size_t             size; /* nodes of this generation */
    bool               news; /* the archive has taken one of them */
    double             crossover, mutation;
    uint8_t           *nodes, *next; /* [population * n] */
    size_t            *numbers;      /* [population] points of the nodes */
    uint8_t          **pool;         /* nodes of population and archive, each once */
    uint64_t          *fitness;      /* of those */
    size_t             npool, pool_room, fitness_room;
} state;

static kanon_status
measure(state *s)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_front_measurer_measure(s->lab, s->nodes, s->size, s->numbers));
    s->news = false;
    for (size_t i = 0; i < s->size; i++) {
        bool taken = false;

        if (s->numbers[i] == SIZE_MAX)
            continue;
        KN_TRY(kn_archive_offer(s->archive, s->lab->points[s->numbers[i]], &taken));
        if (s->guide) {
            kn_point point = *s->lab->points[s->numbers[i]];

            kn_point_place(&s->finer, &point);
            KN_TRY(kn_archive_offer(&s->fine, &point, &taken));
        }
        s->news |= taken;
    }
out:
    return rc;
}

/* The bottom and the top, which are always of the front, and random nodes. */
static void
populate(state *s)
{
    const uint8_t *bottom = s->lab->problem->lattice->low;
    const uint8_t *top = s->lab->problem->lattice->top;

    for (size_t i = 0; i < s->population; i++)
        kn_node_random(s->n, bottom, top, &s->rng, s->nodes + i * s->n);
    memcpy(s->nodes, bottom, s->n);
    memcpy(s->nodes + s->n, top, s->n);
    s->size = s->population;
}

/* Whether a point of the population is there already: as an earlier one of it, or in the archive. */
static bool
repeated(const state *s, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (s->numbers[j] == s->numbers[i])
            return true;
    for (size_t a = 0; a < s->archive->count; a++)
        if (memcmp(s->archive->points[a]->levels, s->nodes + i * s->n, s->n) == 0)
            return true;
    return false;
}

/* Fitness is the sum of how many others each dominator dominates. Nothing of the archive is dominated:
 * whoever could has been offered to it. */
static void
assign_fitness(state *s, kn_point **members)
{
    const kn_objectives *o = s->archive->objectives;
    size_t               first = s->archive->count;

    for (size_t i = 0; i < s->npool; i++)
        s->fitness[i] = 0;
    for (size_t i = 0; i < s->npool; i++) {
        uint64_t dominated = 0;

        for (size_t j = first; j < s->npool; j++)
            dominated += kn_point_dominates(o, members[i], members[j]);
        for (size_t j = first; dominated && j < s->npool; j++)
            if (kn_point_dominates(o, members[i], members[j]))
                s->fitness[j] += dominated;
    }
}

static kanon_status
gather(state *s)
{
    kanon_status rc = KANON_OK;
    size_t       most = s->archive->count + s->population;
    void        *pool = s->pool, *fitness = s->fitness;
    kn_point   **members = NULL;

    KN_TRY(kn_grow(s->lab->ctx, &pool, &s->pool_room, most, sizeof *s->pool));
    s->pool = pool;
    KN_TRY(kn_grow(s->lab->ctx, &fitness, &s->fitness_room, most, sizeof *s->fitness));
    s->fitness = fitness;
    members = kn_alloc_array(s->lab->ctx, most, sizeof *members);
    if (!members)
        return KANON_E_NOMEM;
    s->npool = 0;
    for (size_t a = 0; a < s->archive->count; a++)
        members[s->npool++] = s->archive->points[a];
    for (size_t i = 0; i < s->size; i++)
        if (s->numbers[i] != SIZE_MAX && !repeated(s, i))
            members[s->npool++] = s->lab->points[s->numbers[i]];
    assign_fitness(s, members);
    for (size_t i = 0; i < s->npool; i++)
        s->pool[i] = members[i]->levels;
out:
    kn_free(s->lab->ctx, members);
    return rc;
}

/* A binary tournament. */
static const uint8_t *
select_one(state *s)
{
    size_t a = (size_t) kn_rng_below(&s->rng, s->npool),
           b = (size_t) kn_rng_below(&s->rng, s->npool);

    return s->pool[s->fitness[b] < s->fitness[a] ? b : a];
}

static void
mutate(state *s, uint8_t *node)
{
    const uint8_t *bottom = s->lab->problem->lattice->low;
    const uint8_t *top = s->lab->problem->lattice->top;

    for (size_t i = 0; i < s->n; i++) {
        if (kn_rng_unit(&s->rng) >= s->mutation)
            continue;
        if (kn_rng_below(&s->rng, 2))
            node[i] = node[i] < top[i] ? (uint8_t) (node[i] + 1) : top[i];
        else
            node[i] = node[i] > bottom[i] ? (uint8_t) (node[i] - 1) : bottom[i];
    }
}

/* Pairs swap their ends at a random cut; with an odd population one goes on alone. */
static void
recombine(state *s)
{
    uint8_t *swap;

    for (size_t i = 0; i < s->population; i++)
        memcpy(s->next + i * s->n, select_one(s), s->n);
    for (size_t i = 0; i + 1 < s->population; i += 2) {
        uint8_t *a = s->next + i * s->n, *b = a + s->n;

        if (s->n < 2 || kn_rng_unit(&s->rng) >= s->crossover)
            continue;
        for (size_t c = 1 + (size_t) kn_rng_below(&s->rng, s->n - 1); c < s->n; c++) {
            uint8_t level = a[c];

            a[c] = b[c];
            b[c] = level;
        }
    }
    for (size_t i = 0; i < s->population; i++)
        mutate(s, s->next + i * s->n);
    s->size = s->population;
    swap = s->nodes;
    s->nodes = s->next;
    s->next = swap;
}

/* Where candidates run short, any node that is not ruled out may lead on. */
static kanon_status
explore(state *s)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *lattice = s->lab->problem->lattice;
    uint8_t           node[KN_QUASI_MOST];

    for (size_t i = 0; i < TRIES * s->population && s->guide->nopen < s->population; i++) {
        kn_node_random(s->n, lattice->low, lattice->top, &s->rng, node);
        KN_TRY(kn_guide_suggest(s->guide, node));
    }
out:
    return rc;
}

/* The next generation becomes the most promising nodes among its offspring and the neighbours of the
 * archive that are neither known nor ruled out. */
static kanon_status
direct(state *s)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_guide_update(s->guide));
    for (size_t i = 0; i < s->population; i++)
        KN_TRY(kn_guide_suggest(s->guide, s->nodes + i * s->n));
    KN_TRY(explore(s));
    s->size = kn_guide_take(s->guide, s->nodes, s->population);
out:
    return rc;
}

static kanon_status
evolve(state *s, const char **stopped)
{
    kanon_status rc = KANON_OK;
    size_t       idle = 0;

    *stopped = "iterations";
    populate(s);
    KN_TRY(measure(s));
    for (size_t t = 1; t <= s->iterations && !kn_run_over(&s->lab->run); t++) {
        s->lab->run.fraction = (double) t / (double) s->iterations;
        KN_TRY(gather(s));
        recombine(s);
        if (s->guide)
            KN_TRY(direct(s));
        KN_TRY(measure(s));
        idle = s->news ? 0 : idle + 1;
        if (s->guide && s->patience && idle >= s->patience && 4 * t >= s->iterations) {
            *stopped = "stalled";
            break;
        }
    }
    if (kn_run_reason(&s->lab->run))
        *stopped = kn_run_reason(&s->lab->run);
out:
    return rc;
}

static kanon_status
run(const kn_front_problem *problem, kn_front_outcome *out)
{
    kanon_status      rc = KANON_OK;
    const double     *v = problem->params;
    kn_front_measurer lab;
    kn_guide          guide = { 0 };
    state             s = { .lab = &lab, .archive = &out->archive, .n = problem->lattice->n };

    kn_archive_init(&out->archive, problem->ctx, problem->objectives, s.n, KN_KEEP_FIRST);
    s.population = (size_t) v[PARAM_POPULATION];
    s.iterations = (size_t) v[PARAM_ITERATIONS];
    s.crossover = v[PARAM_CROSSOVER];
    s.mutation = v[PARAM_MUTATION] > 0 ? v[PARAM_MUTATION] : 1 / (double) s.n;
    s.finer = *problem->objectives;
    for (size_t i = 0; i < s.finer.count; i++)
        s.finer.items[i].box /= FINER;
    kn_archive_init(&s.fine, problem->ctx, &s.finer, s.n, KN_KEEP_FIRST);
    kn_rng_init(&s.rng, problem->seed, 7);
    KN_TRY(kn_front_measurer_init(&lab, problem));
    s.nodes = kn_alloc_array(problem->ctx, s.population, s.n);
    s.next = kn_alloc_array(problem->ctx, s.population, s.n);
    s.numbers = KN_NEW_ARRAY(problem->ctx, size_t, s.population);
    KN_TRY(KN_HAVE(s.nodes && s.next && s.numbers));
    if ((int) v[PARAM_GUIDE] == GUIDE_ON) {
        KN_TRY(kn_guide_init(&guide, &lab, &s.fine));
        s.guide = &guide;
    }
    s.patience = (size_t) v[PARAM_PATIENCE];
    KN_TRY(evolve(&s, &out->stopped));
    kn_archive_sort(&out->archive);
    out->evaluations = lab.count;
    out->predicted = guide.ruled_out;
    out->method = "PBG-EA";
out:
    kn_free(problem->ctx, s.nodes);
    kn_free(problem->ctx, s.next);
    kn_free(problem->ctx, s.numbers);
    kn_free(problem->ctx, s.pool);
    kn_free(problem->ctx, s.fitness);
    kn_guide_fini(&guide);
    kn_archive_fini(&s.fine);
    kn_front_measurer_fini(&lab);
    return rc;
}

static const kanon_param params[] = {
    { "population", "integer", 2, 100000, "25", "nodes of a generation" },
    { "iterations", "integer", 0, 1e9, "100", "generations" },
    { "crossover", "number", 0, 1, "0.8", "probability that a pair swaps its ends" },
    { "mutation", "number", 0, 1, "0", "probability that a level moves by one; 0: 1 / columns" },
    { "guide", "on|off", 0, 0, "on",
      "on: measure the most promising offspring and neighbours of the archive; off: as in the "
      "paper" },
    { "patience", "integer", 0, 1e9, "7",
      "with guide=on: end after this many generations without a change, but not before a quarter "
      "of all; 0: never" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_front_class kn_front_pbg_ea = {
    { "pbg-ea", "an evolutionary search with a box archive (Dewri et al. 2010)",
      "docs/algorithms/pbg-ea.md", KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM, params, NULL },
    run,
};
