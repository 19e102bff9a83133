/* SPDX-License-Identifier: Apache-2.0 */
/* own_model.c -- a privacy model of your own: Simpson diversity.
 *
 *     make own_model
 *     ./own_model ../register.csv release.csv
 *
 * The values of a class are as varied as D equally frequent ones: D = 1 / sum of p^2, where p is the share of
 * the class that holds a value. The chance that two rows of the class, drawn one after the other and put
 * back, hold the same value is 1 / D. The mean of squares is convex, so two classes that reach D make one
 * that does. */
#include <kanon/kanon.h>
#include <kanon/plugin.h>
#include <stdio.h>

/* By the definition. */
static double
by_shares(void *user, const kanon_class_view *view)
{
    double sum = 0;

    (void) user;
    for (size_t i = 0; i < view->nseen; i++) {
        double share = (double) view->counts[view->seen[i]] / (double) view->rows;

        sum += share * share;
    }
    return 1 / sum;
}

/* By other means, for the verifier: counts the pairs of rows whose values differ. */
static double
by_pairs(void *user, const kanon_class_view *view)
{
    double rows = 0, different = 0;

    (void) user;
    for (size_t value = 0; value < view->nvalues; value++) {
        different += 2 * rows * (double) view->counts[value];
        rows += (double) view->counts[value];
    }
    return rows * rows / (rows * rows - different);
}

static kanon_status
add_model(kanon_config *config)
{
    kanon_model_class simpson = KANON_MODEL_CLASS_INIT;

    simpson.key = "simpson-diversity";
    simpson.name = "Simpson diversity";
    simpson.promise = "the values of every class are as varied as D equally frequent ones";
    simpson.parameter = "D";
    simpson.sense = KANON_AT_LEAST;
    simpson.merge = KANON_MERGE_GOOD;
    simpson.guards = KANON_GUARDS_SHARES;
    simpson.reached = by_shares;
    simpson.audit = by_pairs;
    return kanon_config_add_model(config, &simpson, 4);
}

int
main(int argc, char **argv)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *table = NULL;
    kanon_sink   *release = NULL;
    kanon_result *result = NULL;

    int ok = argc == 3 && kanon_ctx_new(NULL, &ctx) == KANON_OK
          && kanon_config_new(ctx, &config) == KANON_OK && add_model(config) == KANON_OK
          && kanon_config_set(config, "k", "5") == KANON_OK
          && kanon_config_set(config, "id", "name,age,city,job,income") == KANON_OK
          && kanon_config_set(config, "qi", "birth_date,sex,postcode") == KANON_OK
          && kanon_config_set(config, "sensitive", "diagnosis") == KANON_OK
          && kanon_config_set(config, "hierarchy", "postcode=mask:right") == KANON_OK
          && kanon_source_file(ctx, argv[1], &table) == KANON_OK
          && kanon_sink_file(ctx, argv[2], &release) == KANON_OK
          && kanon_anonymize(ctx, config, table, release, &result) == KANON_OK
          && kanon_result_outcome(result) != KANON_INFEASIBLE;

    if (ok)
        printf("%.0f of %.0f rows suppressed\n", (double) kanon_result_suppressed(result),
               (double) kanon_result_rows(result));
    else
        fprintf(stderr, "own_model: %s\n",
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
