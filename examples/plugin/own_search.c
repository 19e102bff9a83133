/* SPDX-License-Identifier: Apache-2.0 */
/* own_search.c -- a search algorithm of your own: hill climbing with restarts.
 *
 *     make own_search
 *     ./own_search ../register.csv release.csv
 *
 * It begins at the top of the lattice, where everything is generalized, and moves to a node one level below
 * or above as long as that loses less. The first climb takes the best neighbour, later ones a random better
 * one. The library evaluates the nodes and keeps the best; there is nothing to hand over. */
#include <kanon/kanon.h>
#include <kanon/plugin.h>
#include <stdio.h>
#include <string.h>

typedef struct climb {
    size_t       n;         /* quasi-identifiers */
    uint8_t     *here;      /* [n] */
    uint8_t     *around;    /* [2n][n] neighbours */
    kanon_score *scores;    /* [2n] */
    double       loss;      /* of here */
    double       climbs;    /* left */
    int          is_first;  /* climb */
    int          is_placed; /* here and loss are set */
} climb;

static const kanon_param params[] = {
    { "climbs", "integer", 1, 1000, "20", "how often to begin at the top" },
    { "max-evaluations", "integer", 1, 1e9, "100000", "nodes to evaluate" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

static kanon_status
init(void *state, kanon_search_env *env, const double *values)
{
    climb *c = (climb *) state;

    c->n = kanon_search_columns(env);
    c->climbs = values[0];
    c->is_first = 1;
    c->here = (uint8_t *) kanon_search_alloc(env, c->n);
    c->around = (uint8_t *) kanon_search_alloc(env, 2 * c->n * c->n);
    c->scores = (kanon_score *) kanon_search_alloc(env, 2 * c->n * sizeof *c->scores);
    return c->here && c->around && c->scores ? KANON_OK : KANON_E_NOMEM;
}

/* The nodes one level below or above in one column. @return how many there are */
static size_t
list_neighbours(climb *c, kanon_search_env *env)
{
    size_t count = 0;

    for (size_t i = 0; i < c->n; i++)
        for (int up = 0; up < 2; up++) {
            uint8_t *node = c->around + count * c->n;

            if (c->here[i] == (up ? kanon_search_top(env) : kanon_search_floor(env))[i])
                continue;
            memcpy(node, c->here, c->n);
            node[i] = (uint8_t) (up ? node[i] + 1 : node[i] - 1);
            count++;
        }
    return count;
}

/* @return the neighbour to move to, or count: none is better */
static size_t
choose(const climb *c, kanon_search_env *env, size_t count)
{
    size_t   chosen = count;
    uint64_t better = 0;

    for (size_t i = 0; i < count; i++) {
        if (!c->scores[i].feasible || c->scores[i].loss >= c->loss)
            continue;
        better++;
        if (chosen == count
            || (c->is_first ? c->scores[i].loss < c->scores[chosen].loss
                            : kanon_search_random(env, better) == 0))
            chosen = i;
    }
    return chosen;
}

static kanon_status
step(void *state, kanon_search_env *env, kanon_step *next)
{
    climb       *c = (climb *) state;
    kanon_score  score = KANON_SCORE_INIT;
    kanon_status rc;
    size_t       count, chosen;

    if (!c->is_placed) {
        memcpy(c->here, kanon_search_top(env), c->n);
        rc = kanon_search_check(env, c->here, &score);
        c->loss = score.loss;
        c->is_placed = 1;
        return rc;
    }
    count = list_neighbours(c, env);
    rc = kanon_search_check_many(env, c->around, count, c->scores);
    if (rc != KANON_OK)
        return rc;
    chosen = choose(c, env, count);
    if (chosen < count) {
        memcpy(c->here, c->around + chosen * c->n, c->n);
        c->loss = c->scores[chosen].loss;
        return KANON_OK;
    }
    c->is_first = c->is_placed = 0;
    if (--c->climbs < 1)
        *next = KANON_STEP_DONE;
    return KANON_OK;
}

static kanon_status
add_search(kanon_config *config)
{
    kanon_search_class hill = KANON_SEARCH_CLASS_INIT;

    hill.name = "hill-climb";
    hill.summary = "hill climbing from the top, with restarts";
    hill.traits = KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM;
    hill.params = params;
    hill.state_size = sizeof(climb);
    hill.init = init;
    hill.step = step;
    return kanon_config_add_algorithm(config, &hill);
}

int
main(int argc, char **argv)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *table = NULL;
    kanon_sink   *release = NULL;
    kanon_result *result = NULL;
    double        loss = 0;

    int ok = argc == 3 && kanon_ctx_new(NULL, &ctx) == KANON_OK
          && kanon_config_new(ctx, &config) == KANON_OK && add_search(config) == KANON_OK
          && kanon_config_set(config, "algorithm", "hill-climb") == KANON_OK
          && kanon_config_set(config, "param", "climbs=50") == KANON_OK
          && kanon_config_set(config, "k", "5") == KANON_OK
          && kanon_config_set(config, "id", "name,age,city,job") == KANON_OK
          && kanon_config_set(config, "qi", "birth_date,sex,postcode") == KANON_OK
          && kanon_config_set(config, "sensitive", "income,diagnosis") == KANON_OK
          && kanon_config_set(config, "hierarchy", "postcode=mask:right") == KANON_OK
          && kanon_source_file(ctx, argv[1], &table) == KANON_OK
          && kanon_sink_file(ctx, argv[2], &release) == KANON_OK
          && kanon_anonymize(ctx, config, table, release, &result) == KANON_OK
          && kanon_result_outcome(result) != KANON_INFEASIBLE
          && kanon_result_metric(result, "log", &loss) == KANON_OK;

    if (ok)
        printf("%.0f of %.0f rows suppressed, loss %.4f\n",
               (double) kanon_result_suppressed(result), (double) kanon_result_rows(result), loss);
    else
        fprintf(stderr, "own_search: %s\n",
                result ? kanon_result_advice(result)
                : ctx  ? kanon_ctx_message(ctx)
                       : "INPUT OUTPUT");
    kanon_result_free(result);
    kanon_sink_free(release);
    kanon_source_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return !ok;
}
