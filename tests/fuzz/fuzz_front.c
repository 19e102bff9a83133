/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_front.c -- the JSON of a front, as `--from` reads it: either any bytes, or a real front with a few
 * places overwritten. It is refused in one line, or a point is picked; the job that follows releases a
 * table that is as anonymous as its settings say, or nothing. The same bytes as the report that
 * `kanon compare` takes settings from are refused in one line, or taken. */
#include "fuzz_help.h"

#include "config/config.h"

static const char table[] =
    "a,b,s\n21,x,p\n22,x,q\n23,y,p\n24,y,q\n31,x,p\n32,y,q\n33,x,p\n34,y,r\n";

/* A front of the table above, found once. */
static const char *
real_front(size_t *length)
{
    static char  *front;
    static size_t count;

    if (!front) {
        kanon_ctx    *ctx = NULL;
        kanon_config *config = NULL;
        kanon_source *source;
        kanon_sink   *sink;
        kanon_front  *found = NULL;

        REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
        fuzz_set(ctx, config, "qi", "a,b");
        fuzz_set(ctx, config, "sensitive", "s");
        fuzz_set(ctx, config, "others", "keep");
        fuzz_set(ctx, config, "threads", "1");
        source = fuzz_source(ctx, "table.csv", table, sizeof table - 1);
        sink = fuzz_sink(ctx);
        REQUIRE(kanon_pareto(ctx, config, source, &found) == KANON_OK);
        REQUIRE(kanon_front_write(ctx, found, KANON_FORMAT_JSON, NULL, sink) == KANON_OK);
        front = fuzz_take_bytes(sink, &count);
        kanon_front_free(found);
        kanon_source_free(source);
        kanon_config_free(config);
        kanon_ctx_free(ctx);
    }
    *length = count;
    return front;
}

/* Edits: where (2 bytes), how many bytes go, how many come, and those. */
static char *
edit(const uint8_t *data, size_t size, size_t *length)
{
    const char *front = real_front(length);
    char       *text = malloc(*length + size + 1);

    REQUIRE(text);
    memcpy(text, front, *length);
    while (size >= 4) {
        size_t at = ((size_t) data[0] << 8 | data[1]) % (*length + 1);
        size_t gone = data[2] < *length - at ? data[2] : *length - at;
        size_t come = data[3] < size - 4 ? data[3] : size - 4;

        memmove(text + at + come, text + at + gone, *length - at - gone);
        memcpy(text + at, data + 4, come);
        *length += come - gone;
        data += 4 + come;
        size -= 4 + come;
    }
    return text;
}

static void
require_k(const char *release, size_t length, const kanon_config *config)
{
    fuzz_table t;

    fuzz_read_table(&t, release, length, false, ',');
    for (size_t i = 1; i < t.rows; i++) {
        uint64_t alike = 0;

        for (size_t j = 1; j < t.rows; j++) {
            bool same = true;

            for (size_t c = 0; c < t.columns; c++) {
                kn_str name = { fuzz_row(&t, 0)[c].ptr, fuzz_row(&t, 0)[c].len };

                if (kn_config_role(config, name) == KN_ROLE_QUASI)
                    same &= fuzz_same(fuzz_row(&t, i)[c], fuzz_row(&t, j)[c]);
            }
            alike += same;
        }
        REQUIRE(alike >= config->k);
    }
    fuzz_free_table(&t);
}

static void
release_point(kanon_ctx *ctx, kanon_config *config)
{
    kanon_source *source;
    kanon_sink   *sink;
    kanon_result *result = NULL;
    kanon_status  rc;
    size_t        length;
    char         *release;

    /* Files that the bytes name stay closed. */
    if (kanon_config_file(config, 0) || config->models.population)
        return;
    fuzz_set(ctx, config, "threads", "1");
    fuzz_set(ctx, config, "time-limit", "0.2");
    source = fuzz_source(ctx, "table.csv", table, sizeof table - 1);
    sink = fuzz_sink(ctx);
    rc = kanon_anonymize(ctx, config, source, sink, &result);
    release = fuzz_take_bytes(sink, &length);
    if (rc < 0) {
        REQUIRE(length == 0 && !result);
        fuzz_require_refusal(ctx, rc);
    } else if (kanon_result_outcome(result) == KANON_INFEASIBLE) {
        REQUIRE(length == 0);
    } else if ((!config->delimiter || config->delimiter == ',')
               && (!config->quote || config->quote == '"') && config->header != KN_HEADER_NO) {
        require_k(release, length, config);
    }
    free(release);
    kanon_result_free(result);
    kanon_source_free(source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *source;
    char         *edited = NULL;
    size_t        length = size - 2;
    kanon_status  rc;

    if (size < 2 || size > 8192)
        return 0;
    if (data[0] & 1)
        edited = edit(data + 2, size - 2, &length);
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    source = fuzz_source(ctx, "front", edited ? edited : (const char *) data + 2, length);
    rc = kanon_config_pick(config, source, data[1] % 8);
    if (rc < 0)
        fuzz_require_refusal(ctx, rc);
    else
        release_point(ctx, config);
    rc = kanon_config_take_report(config, source, NULL);
    if (rc < 0)
        fuzz_require_refusal(ctx, rc);
    kanon_source_free(source);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    free(edited);
    return 0;
}
