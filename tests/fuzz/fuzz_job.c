/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_job.c -- whole jobs: the first bytes choose settings, the rest is the table. A job refuses in one
 * line, finds nothing feasible, or commits a release; the release is then read by a few lines of its own
 * here, and every tuple of quasi-identifier cells in it must stand there at least k times. */
#include "fuzz_help.h"

enum { CHOICES = 8, TABLE_MOST = 4096, COLUMNS = 4 };

/* What the first bytes chose; roles: q1 and q2 are quasi-identifiers, the rest as chosen. */
typedef struct choices {
    uint64_t k;
    bool     header, drop_identifiers, mask;
    char     delimiter;
} choices;

/* The quasi-identifiers are the first two columns of the release, the identifier the fourth; without a
 * header the table may have more. */
static void
require_k(const fuzz_table *t, const choices *c)
{
    for (size_t a = 0; a < t->rows; a++) {
        REQUIRE(fuzz_class_rows(t, a, 2) >= c->k);
        if (!c->drop_identifiers)
            REQUIRE(fuzz_is(fuzz_row(t, a)[COLUMNS - 1], "*"));
    }
}

/* --- the job ---------------------------------------------------------------------------------- */

static void
configure(kanon_ctx *ctx, kanon_config *config, const uint8_t *b, choices *c)
{
    static const char *const kinds[] = { "auto",       "auto",           "order",      "order:2",
                                         "mask:right", "mask:left",      "range:5,10", "range:x10",
                                         "range:0.5",  "date:month,year" };
    char                     text[64];

    c->k = 1 + b[0] % 4;
    c->header = b[1] & 1;
    c->drop_identifiers = b[1] & 2;
    c->mask = b[1] & 4;
    c->delimiter = ",;\t|"[b[1] >> 3 & 3];
    snprintf(text, sizeof text, "%d", (int) c->k);
    fuzz_set(ctx, config, "k", text);
    fuzz_set(ctx, config, "header", c->header ? "yes" : "no");
    fuzz_set(ctx, config, "encoding", "utf-8"); /* a guess would decode it */
    fuzz_set(ctx, config, "identifiers", c->drop_identifiers ? "drop" : "mask");
    fuzz_set(ctx, config, "suppressed", c->mask ? "mask" : "drop");
    fuzz_set(ctx, config, "delimiter", PICK(b[1] >> 3 & 3, ",", ";", "tab", "|"));
    fuzz_set(ctx, config, "encoding", b[1] & 64 ? "latin-1" : "utf-8");
    fuzz_set(ctx, config, "keep-order", b[1] & 128 ? "true" : "false");
    fuzz_set(ctx, config, "suppression", PICK(b[2], "0", "0.1", "0.34", "0.5", "1"));
    fuzz_set(ctx, config, "algorithm", PICK(b[3], "exhaustive", "kgen", "random", "auto"));
    fuzz_set(ctx, config, "metric", kanon_metric_at(b[3] / 4 % 9)->name);
    fuzz_set(ctx, config, "threads", "1");
    fuzz_set(ctx, config, "time-limit", "1");
    if (b[3] % 4 == 1 || b[3] % 4 == 2)
        fuzz_set(ctx, config, "param", "max-evaluations=50");
    for (int i = 1; i <= 2; i++) {
        snprintf(text, sizeof text, "column%d=%s", i,
                 kinds[b[3 + i] % (sizeof kinds / sizeof *kinds)]);
        fuzz_set(ctx, config, "hierarchy", text);
    }
    fuzz_set(ctx, config, "qi", "column1,column2");
    fuzz_set(ctx, config, b[6] & 1 ? "sensitive" : "label", "column3");
    fuzz_set(ctx, config, "id", "column4");
    fuzz_set(ctx, config, "seed", PICK(b[7], "0", "1", "18446744073709551615"));
    if (b[7] & 128)
        fuzz_set(ctx, config, "order-key", "0123456789abcdef0123456789ABCDEF");
}

/* With a header the names are given here, so that the settings fit whatever the bytes are. */
static void
run_job(kanon_ctx *ctx, const kanon_config *config, const choices *c, const char *bytes,
        size_t count)
{
    fuzz_table    back;
    kanon_source *source;
    kanon_sink   *sink;
    kanon_result *result = NULL;
    kanon_status  rc;
    size_t        length;
    const char   *release;

    source = fuzz_source(ctx, "fuzz", bytes, count);
    sink = fuzz_sink(ctx);
    rc = kanon_anonymize(ctx, config, source, sink, &result);
    release = kanon_sink_bytes(sink, &length);
    if (rc < 0) {
        fuzz_require_refusal(ctx, rc);
        REQUIRE(length == 0 && !result);
    } else if (kanon_result_outcome(result) == KANON_INFEASIBLE) {
        REQUIRE(length == 0 && kanon_result_advice(result)[0]);
    } else {
        uint64_t rows = kanon_result_rows(result), lost = kanon_result_suppressed(result);

        fuzz_read_table(&back, release, length, c->header, c->delimiter);
        REQUIRE(back.rows == rows - lost || (c->mask && back.rows == rows));
        if (back.rows) {
            REQUIRE(back.columns >= (c->drop_identifiers ? COLUMNS - 1 : COLUMNS));
            require_k(&back, c);
        }
        fuzz_free_table(&back);
    }
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_source_free(source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char   bytes[TABLE_MOST + 64];
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    choices       c;
    size_t        count = 0;

    if (size < CHOICES || size > TABLE_MOST)
        return 0;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    fuzz_set(ctx, config, "others", "keep");
    configure(ctx, config, data, &c);
    if (c.header)
        count = (size_t) snprintf(bytes, sizeof bytes, "column1%ccolumn2%ccolumn3%ccolumn4\n",
                                  c.delimiter, c.delimiter, c.delimiter);
    memcpy(bytes + count, data + CHOICES, size - CHOICES);
    run_job(ctx, config, &c, bytes, count + size - CHOICES);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}
