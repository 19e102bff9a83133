/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_settings.c -- lines NAME=VALUE, as options are: each is taken or refused in one line. The settings
 * that were taken then meet a small table, so that whatever can be said is also run: the job refuses,
 * finds nothing feasible, or releases a table in which every tuple stands at least k times. */
#include "fuzz_help.h"

#include "base/text.h"
#include "config/config.h"

static const char table[] = "a,b,c,d,e\n"
                            "21,80331,flu,1970-01-31,p1\n22,80332,flu,1970-02-01,p2\n"
                            "23,80333,cold,1971-03-31,p3\n24,80334,gout,1971-04-30,p4\n"
                            "31,80431,flu,1980-01-31,p5\n32,80432,cold,1980-02-01,p6\n"
                            "33,80433,cold,1981-03-31,p7\n,80434,gout,1981-04-30,p8\n"
                            "21,80331,flu,1970-01-31,p9\n21,80331,gout,1970-01-31,p1\n"
                            "41.5,NA,ache,1990-12-24,p2\n41.5,81234,ache,1991-12-24,p3\n";

static bool
set_line(kanon_ctx *ctx, kanon_config *config, kn_str line)
{
    char        text[300];
    char       *equals;
    const char *file;

    if (line.len >= sizeof text || !line.len)
        return false;
    memcpy(text, line.ptr, line.len);
    text[line.len] = 0;
    equals = strchr(text, '=');
    if (equals)
        *equals = 0;
    if (kanon_config_set(config, text, equals ? equals + 1 : "true") < 0) {
        fuzz_require_refusal(ctx, KANON_E_INVALID);
        return false;
    }
    REQUIRE(kanon_config_set(config, text, equals ? equals + 1 : "true") == KANON_OK);
    for (size_t i = 0; (file = kanon_config_file(config, i)); i++)
        REQUIRE(file[0]);
    return true;
}

/* The column of the release, or SIZE_MAX; the first row holds the names. */
static size_t
find_column(const fuzz_table *t, const char *name)
{
    for (size_t c = 0; c < t->columns; c++)
        if (fuzz_is(t->cells[c], name))
            return c;
    return SIZE_MAX;
}

static void
require_k(const fuzz_table *t, const kanon_config *config)
{
    for (size_t a = 1; a < t->rows; a++) {
        uint64_t alike = 0;

        for (size_t b = 1; b < t->rows; b++) {
            bool same = true;

            for (size_t i = 0; i < config->nattributes && same; i++) {
                size_t c = config->attributes[i].role == KN_ROLE_QUASI
                             ? find_column(t, config->attributes[i].name)
                             : SIZE_MAX;

                same = c == SIZE_MAX || fuzz_same(fuzz_row(t, a)[c], fuzz_row(t, b)[c]);
            }
            alike += same;
        }
        REQUIRE(alike >= config->k);
    }
}

static void
run_job(kanon_ctx *ctx, const kanon_config *config)
{
    kanon_source *source = fuzz_source(ctx, "table", table, sizeof table - 1);
    kanon_sink   *sink = fuzz_sink(ctx);
    kanon_result *result = NULL;
    kanon_status  rc = kanon_anonymize(ctx, config, source, sink, &result);
    size_t        length;
    char         *release = fuzz_take_bytes(sink, &length);
    fuzz_table    back;

    if (rc < 0) {
        REQUIRE(length == 0 && !result);
        fuzz_require_refusal(ctx, rc);
    } else if (kanon_result_outcome(result) == KANON_INFEASIBLE) {
        REQUIRE(length == 0 && kanon_result_advice(result)[0]);
    } else if ((!config->delimiter || config->delimiter == ',')
               && (!config->quote || config->quote == '"') && config->header != KN_HEADER_NO) {
        fuzz_read_table(&back, release, length, false, ',');
        require_k(&back, config);
        fuzz_write_result(ctx, result);
        fuzz_free_table(&back);
    }
    free(release);
    kanon_result_free(result);
    kanon_source_free(source);
}

static void
run_check(kanon_ctx *ctx, const kanon_config *config)
{
    kanon_source *source = fuzz_source(ctx, "table", table, sizeof table - 1);
    kanon_check  *check = NULL;
    kanon_status  rc = kanon_check_run(ctx, config, source, &check);

    if (rc < 0)
        fuzz_require_refusal(ctx, rc);
    kanon_check_free(check);
    kanon_source_free(source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kn_str         rest = { size ? (const char *) data : "", size }, line;
    kanon_ctx     *ctx = NULL;
    kanon_config  *config = NULL;
    kn_csv_options options;
    size_t         taken = 0;

    if (size > 2048 || memchr(rest.ptr, 0, size))
        return 0;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    fuzz_set(ctx, config, "others", "keep"); /* unless the bytes say otherwise */
    while (kn_str_split(&rest, '\n', &line))
        taken += set_line(ctx, config, line);
    if (kn_config_csv(config, &options) < 0)
        fuzz_require_message(ctx);
    /* Files that the bytes name stay closed. */
    if (taken && !kanon_config_file(config, 0) && !config->models.population) {
        fuzz_set(ctx, config, "threads", "1");
        fuzz_set(ctx, config, "time-limit", "0.02");
        run_check(ctx, config);
        run_job(ctx, config);
    }
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}
