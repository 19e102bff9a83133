/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_explain.c -- why a release of any table costs what it costs: the first bytes choose settings. It
 * refuses in one line or explains in every form, and says of the settings as they are what a job says. */
#include "fuzz_help.h"

enum { CHOICES = 5, TABLE_MOST = 1024 };

static void
configure(kanon_ctx *ctx, kanon_config *config, const uint8_t *b)
{
    static const char *const kinds[] = { "auto",      "order:2",    "mask:right",
                                         "mask:left", "range:5,10", "range:x10" };
    char                     text[64];

    fuzz_set(ctx, config, "k", PICK(b[0], "1", "2", "3", "5"));
    fuzz_set(ctx, config, "algorithm", PICK(b[0] / 4, "auto", "exhaustive", "optimal", "datafly"));
    fuzz_set(ctx, config, "metric", kanon_metric_at(b[1] % 9)->name);
    fuzz_set(ctx, config, "suppression", PICK(b[2], "0", "0.1", "0.34", "1"));
    fuzz_set(ctx, config, "suppressed", b[2] & 4 ? "mask" : "drop");
    if (b[2] & 8)
        fuzz_set(ctx, config, "l-diversity", "2");
    if (b[2] & 16)
        fuzz_set(ctx, config, "t-closeness", "0.4");
    fuzz_set(ctx, config, "header", "yes");
    fuzz_set(ctx, config, "delimiter", ",");
    fuzz_set(ctx, config, "qi", "a,b");
    fuzz_set(ctx, config, "sensitive", "s");
    fuzz_set(ctx, config, "threads", "1");
    fuzz_set(ctx, config, "time-limit", "2");
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%c=%s", 'a' + i,
                 kinds[b[3 + i] % (sizeof kinds / sizeof *kinds)]);
        fuzz_set(ctx, config, "hierarchy", text);
    }
}

static void
write_all(kanon_ctx *ctx, const kanon_explanation *explanation)
{
    for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_TEXT; format++) {
        kanon_sink *sink = fuzz_sink(ctx);

        REQUIRE(kanon_explanation_write(ctx, explanation, (kanon_format) format, sink) == KANON_OK);
        kanon_sink_free(sink);
    }
}

/* Does a job under the same settings find a release, too? */
static bool
job_releases(kanon_ctx *ctx, const kanon_config *config, const kanon_source *table)
{
    kanon_sink   *sink = fuzz_sink(ctx);
    kanon_result *result = NULL;
    kanon_status  rc = kanon_anonymize(ctx, config, table, sink, &result);
    bool          released;

    if (rc < 0)
        fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
    REQUIRE(rc == KANON_OK);
    released = kanon_result_outcome(result) != KANON_INFEASIBLE;
    kanon_result_free(result);
    kanon_sink_free(sink);
    return released;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char        bytes[TABLE_MOST + 64];
    kanon_ctx         *ctx = NULL;
    kanon_config      *config = NULL;
    kanon_source      *table;
    kanon_explanation *explanation = NULL;
    size_t             count;
    kanon_status       rc;

    if (size < CHOICES || size > TABLE_MOST)
        return 0;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    configure(ctx, config, data);
    count = (size_t) snprintf(bytes, sizeof bytes, "a,b,s\n");
    memcpy(bytes + count, data + CHOICES, size - CHOICES);
    table = fuzz_source(ctx, "table.csv", bytes, count + size - CHOICES);
    rc = kanon_explain(ctx, config, table, &explanation);
    if (rc < 0) {
        fuzz_require_refusal(ctx, rc);
    } else {
        write_all(ctx, explanation);
        REQUIRE(job_releases(ctx, config, table)
                == (kanon_explanation_outcome(explanation) != KANON_INFEASIBLE));
    }
    kanon_explanation_free(explanation);
    kanon_source_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}
