/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_starter.c -- a table that says nothing about itself: its dialect is guessed, and `init` writes a
 * config for it. Whatever the table, that config is read back without complaint, and a job under it refuses
 * in one line, finds nothing, or releases. */
#include "fuzz_help.h"

#include "base/text.h"
#include "formats/csv_header.h"

enum { CELLS_MOST = 64 };

static void
guess_dialect(kanon_ctx *ctx, kn_str sample, char quote)
{
    kn_str   cells[CELLS_MOST];
    size_t   count = 0, at = 0;
    char     delimiter = kn_sniff_delimiter(sample, quote, KN_SAMPLE_WHOLE);
    char     partly = kn_sniff_delimiter(sample, quote, KN_SAMPLE_PART);
    kn_first first;

    REQUIRE(delimiter && strchr(",;\t|", delimiter) && partly && strchr(",;\t|", partly));
    while (count < CELLS_MOST) {
        size_t end = kn_sniff_field_end(sample, at, delimiter, quote);

        REQUIRE(end >= at && end <= sample.len);
        cells[count++] = (kn_str){ sample.ptr + at, end - at };
        at = end;
        if (at == sample.len || sample.ptr[at] != delimiter)
            break;
        at++;
    }
    for (int whole = 0; whole < 2; whole++) {
        kn_rest rest = { { sample.ptr + at, sample.len - at },
                         whole ? KN_SAMPLE_WHOLE : KN_SAMPLE_PART,
                         delimiter,
                         quote };

        REQUIRE(kn_header_guess(ctx, cells, count, &rest, &first) == KANON_OK);
        REQUIRE(first <= KN_FIRST_UNSURE);
    }
}

static void
run_under(kanon_ctx *ctx, const char *yaml, size_t length, const kanon_source *table)
{
    kanon_config *config = NULL;
    kanon_source *source = fuzz_source(ctx, "starter", yaml, length);
    kanon_sink   *sink = fuzz_sink(ctx);
    kanon_result *result = NULL;
    kanon_status  rc;
    size_t        count;

    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    if (kanon_config_read(config, source, NULL) < 0) {
        fprintf(stderr, "%s\n%s\n", kanon_ctx_message(ctx), yaml);
        abort();
    }
    fuzz_set(ctx, config, "threads", "1");
    fuzz_set(ctx, config, "time-limit", "0.2");
    fuzz_set(ctx, config, "k", "2");
    rc = kanon_anonymize(ctx, config, table, sink, &result);
    (void) kanon_sink_bytes(sink, &count);
    if (rc < 0)
        fuzz_require_refusal(ctx, rc);
    else if (kanon_result_outcome(result) == KANON_INFEASIBLE)
        REQUIRE(count == 0);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_source_free(source);
    kanon_config_free(config);
}

/* Columns have their reasons, and how sure these are. */
static void
check_reasons(const char *yaml)
{
    size_t reasons = 0;

    for (const char *at = yaml; (at = strstr(at, ", confidence ")); at++)
        reasons += strncmp(at + 13, "high: ", 6) == 0 || strncmp(at + 13, "medium: ", 8) == 0
                || strncmp(at + 13, "low: ", 5) == 0;
    REQUIRE(reasons > 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kanon_ctx    *ctx = NULL;
    kanon_source *table;
    kanon_sink   *sink;
    kanon_status  rc;
    size_t        length;
    char         *yaml;

    if (size < 1 || size > 4096)
        return 0;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    guess_dialect(ctx, (kn_str){ (const char *) data + 1, size - 1 }, data[0] & 1 ? '\'' : '"');
    table = fuzz_source(ctx, "table.csv", data + 1, size - 1);
    sink = fuzz_sink(ctx);
    rc = kanon_starter_write(ctx, NULL, table, sink);
    yaml = fuzz_take_bytes(sink, &length);
    if (rc < 0) {
        fuzz_require_refusal(ctx, rc);
    } else {
        check_reasons(yaml);
        run_under(ctx, yaml, length, table);
    }
    free(yaml);
    kanon_source_free(table);
    kanon_ctx_free(ctx);
    return 0;
}
