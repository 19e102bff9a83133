/* SPDX-License-Identifier: Apache-2.0 */
/* liars.c -- plug-ins that would release what is not safe, if the library let them.
 *     liars WHICH INPUT OUTPUT */
#include <kanon/kanon.h>
#include <kanon/plugin.h>
#include <stdio.h>
#include <string.h>

/* Looks at the original alone, and says that all is well. */
static kanon_status
original(void *state, kanon_search_env *env, kanon_step *next)
{
    uint8_t     levels[KANON_COLUMNS_MOST] = { 0 };
    kanon_score score = KANON_SCORE_INIT;

    (void) state;
    *next = KANON_STEP_DONE;
    kanon_search_check(env, levels, &score);
    score.feasible = 1;
    return KANON_OK;
}

/* Looks beyond the top, where no level is, and says nothing of it. */
static kanon_status
beyond(void *state, kanon_search_env *env, kanon_step *next)
{
    uint8_t     levels[KANON_COLUMNS_MOST];
    kanon_score score = KANON_SCORE_INIT;

    (void) state;
    *next = KANON_STEP_DONE;
    memset(levels, 200, sizeof levels);
    kanon_search_check(env, levels, &score);
    return KANON_OK;
}

/* Says of every class that it is as good as can be. */
static double
boast(void *user, const kanon_class_view *view)
{
    (void) user;
    (void) view;
    return 1e6;
}

static double
count_values(void *user, const kanon_class_view *view)
{
    (void) user;
    return (double) view->nseen;
}

static kanon_status
add_boaster(kanon_config *config)
{
    kanon_model_class model = KANON_MODEL_CLASS_INIT;

    model.key = "boaster";
    model.promise = "every class has at least ten values";
    model.reached = boast;
    model.audit = count_values;
    return kanon_config_add_model(config, &model, 10);
}

static kanon_status
add_liar(kanon_config *config, const char *which)
{
    kanon_search_class search = KANON_SEARCH_CLASS_INIT;
    kanon_status       rc;

    if (strcmp(which, "boast") == 0)
        return add_boaster(config);
    search.name = "liar";
    search.step = strcmp(which, "original") == 0 ? original : beyond;
    rc = kanon_config_add_algorithm(config, &search);
    return rc == KANON_OK ? kanon_config_set(config, "algorithm", "liar") : rc;
}

int
main(int argc, char **argv)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *table = NULL;
    kanon_sink   *release = NULL;
    kanon_result *result = NULL;

    int ok = argc == 4 && kanon_ctx_new(NULL, &ctx) == KANON_OK
          && kanon_config_new(ctx, &config) == KANON_OK && add_liar(config, argv[1]) == KANON_OK
          && kanon_config_set(config, "k", "5") == KANON_OK
          && kanon_config_set(config, "id", "name,age,city,job,income") == KANON_OK
          && kanon_config_set(config, "qi", "birth_date,sex,postcode") == KANON_OK
          && kanon_config_set(config, "sensitive", "diagnosis") == KANON_OK
          && kanon_source_file(ctx, argv[2], &table) == KANON_OK
          && kanon_sink_file(ctx, argv[3], &release) == KANON_OK
          && kanon_anonymize(ctx, config, table, release, &result) == KANON_OK
          && kanon_result_outcome(result) != KANON_INFEASIBLE;

    if (!ok)
        printf("%s\n", ctx ? kanon_ctx_message(ctx) : "WHICH INPUT OUTPUT");
    kanon_result_free(result);
    kanon_sink_free(release);
    kanon_source_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return !ok;
}
