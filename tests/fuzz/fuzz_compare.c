/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_compare.c -- any bytes as an original, a line "---", and a release of it. Whatever the cells say,
 * shares are shares, every released cell is understood in one way, and the three forms can be written. */
#include "fuzz_help.h"

#include <math.h>

#include "result/comparison.h"

static bool
is_share(double value)
{
    return value >= -1e-9 && value <= 1 + 1e-9;
}

static void
require_sane(const kanon_comparison *c)
{
    for (size_t i = 0; i < c->ncolumns; i++) {
        const kn_compared_column *col = &c->columns[i];
        uint64_t                  cells = 0;

        for (size_t r = 0; r < KN_READINGS; r++)
            cells += col->cells[r];
        REQUIRE(cells == c->rows_after);
        REQUIRE(is_share(col->glm) && is_share(col->gcp) && is_share(col->entropy));
        REQUIRE(isnan(col->tvd) || is_share(col->tvd));
    }
    for (size_t i = 0; i < c->npairs; i++) {
        REQUIRE(is_share(c->pairs[i].tvd));
        REQUIRE(isnan(c->pairs[i].v_after) || is_share(c->pairs[i].v_after));
    }
    REQUIRE(c->queries.median >= 0 && c->queries.max >= c->queries.median);
}

static void
write_all(kanon_ctx *ctx, const kanon_comparison *c)
{
    for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_HTML; format++) {
        kanon_sink *sink = NULL;

        REQUIRE(kanon_sink_memory(ctx, &sink) == KANON_OK);
        REQUIRE(kanon_comparison_write(ctx, c, (kanon_format) format, sink) == KANON_OK);
        kanon_sink_free(sink);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t        *cut = size ? memmem(data, size, "\n---\n", 5) : NULL;
    size_t                first = cut ? (size_t) (cut - data) + 1 : size;
    const uint8_t        *rest = cut ? cut + 5 : data;
    kanon_compare_options options = KANON_COMPARE_OPTIONS_INIT;
    kanon_ctx            *ctx = NULL;
    kanon_config         *config = NULL;
    kanon_source         *original = NULL, *released = NULL;
    kanon_comparison     *c = NULL;

    options.queries = 10;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    REQUIRE(kanon_source_memory(ctx, "original", data, first, &original) == KANON_OK);
    REQUIRE(kanon_source_memory(ctx, "released", rest, (size_t) (data + size - rest), &released)
            == KANON_OK);
    if (kanon_compare(ctx, config, original, released, &options, &c) == KANON_OK) {
        require_sane(c);
        write_all(ctx, c);
    } else {
        REQUIRE(!c && kanon_ctx_message(ctx)[0]);
    }
    kanon_comparison_free(c);
    kanon_source_free(original);
    kanon_source_free(released);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}
