/* SPDX-License-Identifier: Apache-2.0 */
/* test_table.c -- the public table: several jobs on one answer as each would alone. */
#include "base/base.h"
#include "failing_alloc.h"
#include "kanon/kanon.h"
#include "test.h"

#include <string.h>

static const char people[] =
    "name,age,zip,ill\n"
    "Ann,31,80331,flu\nBea,32,80331,flu\nCem,35,80335,cold\nDan,36,80335,flu\n"
    "Eva,41,80331,cold\nFay,42,80331,flu\nGus,45,80335,cold\nHal,?,80335,flu\n";

/* A source of memory that counts how often it is read from the beginning. */
typedef struct counted {
    kanon_source  source;
    kanon_source *inner;
    size_t        passes;
} counted;

static kanon_status
open_counted(void *user, kanon_ctx *ctx, void **stream)
{
    counted *c = user;

    c->passes++;
    return c->inner->open(c->inner->user, ctx, stream);
}

typedef struct fixture {
    kanon_ctx    *ctx;
    kanon_config *config;
    counted       table;
} fixture;

static void
begin(fixture *f)
{
    memset(f, 0, sizeof *f);
    CHECK(kanon_ctx_new(NULL, &f->ctx) == KANON_OK);
    CHECK_OK(f->ctx, kanon_config_new(f->ctx, &f->config));
    CHECK_OK(f->ctx, kanon_config_set(f->config, "others", "keep"));
    CHECK_OK(f->ctx, kanon_config_set(f->config, "id", "name"));
    CHECK_OK(f->ctx, kanon_config_set(f->config, "qi", "age,zip"));
    CHECK_OK(f->ctx, kanon_config_set(f->config, "sensitive", "ill"));
    CHECK_OK(f->ctx, kanon_config_set(f->config, "k", "2"));
    CHECK_OK(f->ctx, kanon_config_set(f->config, "seed", "7"));
    CHECK_OK(f->ctx, kanon_config_set(f->config, "order-key", TEST_KEY));
    CHECK_OK(f->ctx,
             kanon_source_memory(f->ctx, "people.csv", people, strlen(people), &f->table.inner));
    f->table.source = *f->table.inner;
    f->table.source.user = &f->table;
    f->table.source.open = open_counted;
    f->table.source.release = NULL;
    f->table.source.length = NULL;
}

static void
end(fixture *f)
{
    kanon_source_free(f->table.inner);
    kanon_config_free(f->config);
    kanon_ctx_free(f->ctx);
}

static void
same_bytes(const kanon_sink *a, const kanon_sink *b)
{
    size_t      n, m;
    const void *x = kanon_sink_bytes(a, &n), *y = kanon_sink_bytes(b, &m);

    CHECK(n > 0);
    CHECK_EQ_U64(n, m);
    CHECK(memcmp(x, y, n) == 0);
}

TEST(a_release_is_that_of_the_source)
{
    fixture       f;
    kanon_table  *table = NULL;
    kanon_sink   *alone = NULL, *of_table = NULL;
    kanon_result *a = NULL, *b = NULL;

    begin(&f);
    CHECK_OK(f.ctx, kanon_sink_memory(f.ctx, &alone));
    CHECK_OK(f.ctx, kanon_sink_memory(f.ctx, &of_table));
    CHECK_OK(f.ctx, kanon_anonymize(f.ctx, f.config, &f.table.source, alone, &a));
    CHECK_OK(f.ctx, kanon_table_csv(f.ctx, &f.table.source, f.config, &table));
    CHECK_OK(f.ctx, kanon_table_write(f.ctx, f.config, table, of_table, &b));
    CHECK_EQ_U64(kanon_result_outcome(a), kanon_result_outcome(b));
    CHECK_EQ_U64(kanon_result_rows(b), 8);
    same_bytes(alone, of_table);
    kanon_result_free(a);
    kanon_result_free(b);
    kanon_sink_free(alone);
    kanon_sink_free(of_table);
    kanon_table_free(table);
    end(&f);
}

/* Every job that a table serves, one after the other, on the same table. */
TEST(several_jobs_on_one_table)
{
    fixture            f;
    kanon_table       *table = NULL;
    kanon_check       *check = NULL;
    kanon_explanation *explanation = NULL;
    kanon_front       *front = NULL;
    kanon_comparison  *comparison = NULL;
    kanon_sink        *sink = NULL;
    kanon_result      *result = NULL;

    begin(&f);
    CHECK_OK(f.ctx, kanon_table_csv(f.ctx, &f.table.source, f.config, &table));
    CHECK_OK(f.ctx, kanon_table_check(f.ctx, f.config, table, &check));
    CHECK_EQ_U64(kanon_check_k(check), 1);
    CHECK_OK(f.ctx, kanon_table_explain(f.ctx, f.config, table, &explanation));
    CHECK_EQ_U64(kanon_explanation_outcome(explanation), KANON_OPTIMAL);
    CHECK_OK(f.ctx, kanon_table_pareto(f.ctx, f.config, table, &front));
    CHECK(kanon_front_count(front) > 1);
    CHECK_OK(f.ctx, kanon_table_compare(f.ctx, f.config, table, table, NULL, &comparison));
    CHECK_OK(f.ctx, kanon_sink_memory(f.ctx, &sink));
    CHECK_OK(f.ctx, kanon_table_write(f.ctx, f.config, table, sink, &result));
    CHECK_EQ_U64(kanon_result_outcome(result), KANON_OPTIMAL);
    kanon_check_free(check);
    kanon_explanation_free(explanation);
    kanon_front_free(front);
    kanon_comparison_free(comparison);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_table_free(table);
    end(&f);
}

static kanon_status
release(fixture *f, kanon_table *table)
{
    kanon_status  rc;
    kanon_sink   *sink = NULL;
    kanon_result *result = NULL;

    CHECK_OK(f->ctx, kanon_sink_memory(f->ctx, &sink));
    rc = kanon_table_write(f->ctx, f->config, table, sink, &result);
    kanon_result_free(result);
    kanon_sink_free(sink);
    return rc;
}

/* A second job with other limits reads only what it writes; one with other roles or missing values reads
 * everything again. */
TEST(what_was_learned_is_kept)
{
    fixture      f;
    kanon_table *table = NULL;
    kanon_front *front = NULL;

    begin(&f);
    CHECK_OK(f.ctx, kanon_table_csv(f.ctx, &f.table.source, f.config, &table));
    CHECK_EQ_U64(f.table.passes, 1); /* the beginning */
    CHECK_OK(f.ctx, release(&f, table));
    CHECK_EQ_U64(f.table.passes, 3);
    CHECK_OK(f.ctx, kanon_config_set(f.config, "k", "3"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-diversity", "2"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "suppression", "0.5"));
    CHECK_OK(f.ctx, release(&f, table));
    CHECK_EQ_U64(f.table.passes, 4); /* the second pass alone */
    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-diversity", "off"));
    CHECK_OK(f.ctx, kanon_table_pareto(f.ctx, f.config, table, &front));
    CHECK_EQ_U64(f.table.passes, 4);
    kanon_front_free(front);
    CHECK_OK(f.ctx, kanon_config_set(f.config, "missing", "?"));
    CHECK_OK(f.ctx, kanon_table_pareto(f.ctx, f.config, table, &front));
    CHECK_EQ_U64(f.table.passes, 5);
    kanon_front_free(front);
    CHECK_OK(f.ctx, kanon_config_set(f.config, "entity", "name")); /* one column more to learn */
    CHECK_OK(f.ctx, release(&f, table));
    CHECK_EQ_U64(f.table.passes, 7);
    CHECK_OK(f.ctx, kanon_config_set(f.config, "label", "nothing"));
    CHECK_STATUS(f.ctx, release(&f, table), KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(f.ctx),
              "people.csv: no column 'nothing'; expected one of name, age, zip, ill");
    kanon_table_free(table);
    end(&f);
}

/* Jobs one after the other on a table answer as each alone on the source does. */
TEST(what_is_kept_changes_no_release)
{
    static const char *const ks[] = { "2", "4", "3", "2" };
    fixture                  f;
    kanon_table             *table = NULL;

    begin(&f);
    CHECK_OK(f.ctx, kanon_table_csv(f.ctx, &f.table.source, f.config, &table));
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        kanon_sink   *alone = NULL, *of_table = NULL;
        kanon_result *a = NULL, *b = NULL;

        CHECK_OK(f.ctx, kanon_config_set(f.config, "k", ks[i]));
        CHECK_OK(f.ctx, kanon_config_set(f.config, "seed", ks[i]));
        CHECK_OK(f.ctx, kanon_sink_memory(f.ctx, &alone));
        CHECK_OK(f.ctx, kanon_sink_memory(f.ctx, &of_table));
        CHECK_OK(f.ctx, kanon_anonymize(f.ctx, f.config, &f.table.source, alone, &a));
        CHECK_OK(f.ctx, kanon_table_write(f.ctx, f.config, table, of_table, &b));
        same_bytes(alone, of_table);
        kanon_result_free(a);
        kanon_result_free(b);
        kanon_sink_free(alone);
        kanon_sink_free(of_table);
    }
    kanon_table_free(table);
    end(&f);
}

/* A file that cannot be read is refused when the table is made, not by its first job. */
TEST(a_table_is_looked_at_when_it_is_made)
{
    fixture       f;
    kanon_source *empty = NULL;
    kanon_table  *table = NULL;

    begin(&f);
    CHECK_OK(f.ctx, kanon_source_memory(f.ctx, "empty.csv", "", 0, &empty));
    CHECK_STATUS(f.ctx, kanon_table_csv(f.ctx, empty, f.config, &table), KANON_E_PARSE);
    CHECK(!table);
    CHECK_STATUS(f.ctx, kanon_table_csv(f.ctx, NULL, f.config, &table), KANON_E_INVALID);
    CHECK_STATUS(f.ctx, kanon_table_check(f.ctx, f.config, NULL, NULL), KANON_E_INVALID);
    kanon_table_free(NULL);
    kanon_source_free(empty);
    end(&f);
}

/* --- failing memory ------------------------------------------------------------------------------------- */

static kanon_status
two_jobs(kanon_ctx *ctx, void *user)
{
    kanon_status  rc = KANON_OK;
    kanon_config *config = NULL;
    kanon_source *source = NULL;
    kanon_table  *table = NULL;
    kanon_front  *front = NULL;
    kanon_sink   *sink = NULL;
    kanon_result *result = NULL;

    KN_UNUSED(user);
    KN_TRY(kanon_config_new(ctx, &config));
    KN_TRY(kanon_config_set(config, "others", "keep"));
    KN_TRY(kanon_config_set(config, "qi", "age,zip"));
    KN_TRY(kanon_config_set(config, "k", "2"));
    KN_TRY(kanon_config_set(config, "threads", "1"));
    KN_TRY(kanon_source_memory(ctx, "people.csv", people, strlen(people), &source));
    KN_TRY(kanon_table_csv(ctx, source, config, &table));
    KN_TRY(kanon_table_pareto(ctx, config, table, &front));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_table_write(ctx, config, table, sink, &result));
out:
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_front_free(front);
    kanon_table_free(table);
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

TEST(every_allocation_may_fail)
{
    CHECK(failing_alloc_sweep(two_jobs, NULL) > 100);
}
