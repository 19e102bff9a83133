/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_pareto.c -- a front of any table: the first bytes choose objectives and settings. No point is worse
 * than another in everything; every form can be written; and each point, picked from the JSON and released,
 * has the k that the front promises. */
#include "fuzz_help.h"

enum { CHOICES = 6, TABLE_MOST = 1024, OBJECTIVES = 2, POINTS = 3 };

typedef struct wish {
    const char *names[OBJECTIVES];
    bool        more[OBJECTIVES]; /* is more better? */
} wish;

static void
configure(kanon_ctx *ctx, kanon_config *config, const uint8_t *b, wish *w)
{
    static const char *const kinds[] = { "auto",      "order:2",    "mask:right",
                                         "mask:left", "range:5,10", "range:x10" };
    char                     text[64];
    size_t                   known = 0;

    while (kanon_property_at(known))
        known++;
    w->names[0] = "k";
    w->more[0] = true;
    for (size_t i = b[0] % known;; i = (i + 1) % known)
        if (strcmp(kanon_property_at(i)->name, "k") != 0) {
            w->names[1] = kanon_property_at(i)->name;
            w->more[1] = strcmp(kanon_property_at(i)->direction, "max") == 0;
            break;
        }
    snprintf(text, sizeof text, "k,%s", w->names[1]);
    fuzz_set(ctx, config, "objectives", text);
    if (b[1] & 1) {
        snprintf(text, sizeof text, "k=%s,%s=%s", b[1] & 2 ? "0" : "1", w->names[1],
                 b[1] & 4 ? "0" : "0.5");
        if (kanon_config_set(config, "boxes", text) < 0)
            fuzz_require_message(ctx);
    }
    fuzz_set(ctx, config, "algorithm", PICK(b[2], "auto", "exact", "pbg-ea"));
    if (b[2] % 3 == 2)
        fuzz_set(ctx, config, "param", "max-evaluations=60");
    fuzz_set(ctx, config, "suppression", PICK(b[2] / 3, "0", "0.1", "0.34", "1"));
    fuzz_set(ctx, config, "header", "yes");
    fuzz_set(ctx, config, "delimiter", ",");
    fuzz_set(ctx, config, "encoding", "utf-8");
    fuzz_set(ctx, config, "qi", "a,b");
    fuzz_set(ctx, config, "sensitive", "s");
    fuzz_set(ctx, config, "threads", "1");
    fuzz_set(ctx, config, "time-limit", "0.5");
    fuzz_set(ctx, config, "seed", PICK(b[5], "1", "2", "0"));
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%c=%s", 'a' + i,
                 kinds[b[3 + i] % (sizeof kinds / sizeof *kinds)]);
        fuzz_set(ctx, config, "hierarchy", text);
    }
}

/* Neither point is at least as good in everything and better in something. */
static void
require_front(const kanon_front *front, const wish *w)
{
    size_t count = kanon_front_count(front);

    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            bool no_worse = true, better = false;

            for (size_t o = 0; o < OBJECTIVES; o++) {
                double x = 0, y = 0;

                REQUIRE(kanon_front_value(front, a, w->names[o], &x) == KANON_OK);
                REQUIRE(kanon_front_value(front, b, w->names[o], &y) == KANON_OK);
                if (!w->more[o]) {
                    double swap = x;

                    x = y;
                    y = swap;
                }
                no_worse &= x >= y;
                better |= x > y;
            }
            REQUIRE(!(no_worse && better));
        }
}

static void
release_point(const kanon_source *table, const char *json, size_t length, size_t point,
              double promised)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *front;
    kanon_sink   *sink;
    kanon_result *result = NULL;
    kanon_status  rc;
    char         *release;
    size_t        count;
    fuzz_table    back;

    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    front = fuzz_source(ctx, "front", json, length);
    sink = fuzz_sink(ctx);
    rc = kanon_config_pick(config, front, point + 1);
    if (rc == KANON_OK)
        rc = kanon_anonymize(ctx, config, table, sink, &result);
    if (rc < 0)
        fprintf(stderr, "point %zu: %s\n", point + 1, kanon_ctx_message(ctx));
    REQUIRE(rc == KANON_OK && kanon_result_outcome(result) != KANON_INFEASIBLE);
    release = fuzz_take_bytes(sink, &count);
    fuzz_read_table(&back, release, count, true, ',');
    for (size_t i = 0; i < back.rows; i++)
        REQUIRE((double) fuzz_class_rows(&back, i, 2) >= promised);
    fuzz_free_table(&back);
    free(release);
    kanon_result_free(result);
    kanon_source_free(front);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
}

static void
use_front(kanon_ctx *ctx, const kanon_front *front, const wish *w, const kanon_source *table)
{
    char  *json = NULL;
    size_t length = 0;

    require_front(front, w);
    for (int format = KANON_FORMAT_JSON; format < KANON_FORMATS; format++) {
        kanon_sink *sink = fuzz_sink(ctx);

        REQUIRE(kanon_front_write(ctx, front, (kanon_format) format, NULL, sink) == KANON_OK);
        if (format == KANON_FORMAT_JSON)
            json = fuzz_take_bytes(sink, &length);
        else
            kanon_sink_free(sink);
    }
    for (size_t p = 0; p < kanon_front_count(front) && p < POINTS; p++) {
        double k = 0;

        REQUIRE(kanon_front_value(front, p, "k", &k) == KANON_OK);
        if (k >= 1) /* a table without rows has a front, but nothing to release */
            release_point(table, json, length, p, k);
    }
    free(json);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char   bytes[TABLE_MOST + 64];
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *table;
    kanon_front  *front = NULL;
    wish          w;
    size_t        count;
    kanon_status  rc;

    if (size < CHOICES || size > TABLE_MOST)
        return 0;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    configure(ctx, config, data, &w);
    count = (size_t) snprintf(bytes, sizeof bytes, "a,b,s\n");
    memcpy(bytes + count, data + CHOICES, size - CHOICES);
    table = fuzz_source(ctx, "table.csv", bytes, count + size - CHOICES);
    rc = kanon_pareto(ctx, config, table, &front);
    if (rc < 0)
        fuzz_require_refusal(ctx, rc);
    else
        use_front(ctx, front, &w, table);
    kanon_front_free(front);
    kanon_source_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}
