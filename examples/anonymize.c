/* SPDX-License-Identifier: Apache-2.0 */
/* anonymize.c -- the whole job from C: a table goes in, a verified release comes out.
 *
 *     cc anonymize.c $(pkg-config --cflags --libs kanon) -o anonymize
 *     ./anonymize register.csv release.csv */
#include <kanon/kanon.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *table = NULL;
    kanon_sink   *release = NULL;
    kanon_result *result = NULL;
    double        log = 0;

    int ok = argc == 3 && kanon_ctx_new(NULL, &ctx) == KANON_OK && /* one per thread */
             kanon_config_new(ctx, &config) == KANON_OK
          && kanon_config_set(config, "k", "5") == KANON_OK
          && kanon_config_set(config, "suppression", "0.05") == KANON_OK
          && kanon_config_set(config, "id", "name,age,city,job") == KANON_OK
          && kanon_config_set(config, "qi", "birth_date,sex,postcode") == KANON_OK
          && kanon_config_set(config, "sensitive", "income,diagnosis") == KANON_OK
          && kanon_config_set(config, "hierarchy", "postcode=mask:right") == KANON_OK
          && kanon_source_file(ctx, argv[1], &table) == KANON_OK
          && kanon_sink_file(ctx, argv[2], &release) == KANON_OK
          && kanon_anonymize(ctx, config, table, release, &result) == KANON_OK
          && kanon_result_outcome(result) != KANON_INFEASIBLE
          && kanon_result_metric(result, "log", &log) == KANON_OK;

    if (ok)
        printf("%.0f of %.0f rows suppressed, level of generalization %.3f\n",
               (double) kanon_result_suppressed(result), (double) kanon_result_rows(result), log);
    else
        fprintf(stderr, "anonymize: %s\n",
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
