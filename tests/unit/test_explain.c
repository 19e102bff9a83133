/* SPDX-License-Identifier: Apache-2.0 */
/* test_explain.c -- kanon explain: one small table worked out by hand, outcomes, time that runs out, and
 * memory. That its numbers are those of real runs is shown by tests/property/run_explain.py. */
#include <stdlib.h>
#include <unistd.h>

#include "failing_alloc.h"
#include "kanon/kanon.h"
#include "report/explain.h"
#include "test.h"

typedef struct request {
    const char *csv;
    const char *settings[16]; /* name, value ...; NULL ends */
} request;

/* Ages in three groups of ten, one of them alone in its town. */
static const char people[] =
    "age,town,ill\n21,Bonn,flu\n22,Bonn,flu\n23,Bonn,cold\n31,Bonn,flu\n32,Bonn,cold\n"
    "41,Bonn,flu\n42,Bonn,cold\n43,Jena,cold\n";

static kanon_status
explain(kanon_ctx *ctx, const request *asked, kanon_explanation **out)
{
    kanon_status  rc = KANON_OK;
    kanon_config *config = NULL;
    kanon_source *source = NULL;

    *out = NULL;
    KN_TRY(kanon_config_new(ctx, &config));
    KN_TRY(kanon_config_set(config, "threads", "1"));
    for (size_t i = 0; asked->settings[i]; i += 2)
        KN_TRY(kanon_config_set(config, asked->settings[i], asked->settings[i + 1]));
    KN_TRY(kanon_source_memory(ctx, "people.csv", asked->csv, strlen(asked->csv), &source));
    KN_TRY(kanon_explain(ctx, config, source, out));
out:
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

static const kn_change *
find(const kanon_explanation *x, const char *setting)
{
    for (size_t i = 0; i < x->nchanges; i++)
        if (x->changes[i].setting && strcmp(x->changes[i].setting, setting) == 0)
            return &x->changes[i];
    FAIL("there is a change '%s'", setting);
    return NULL;
}

static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

TEST(a_table_worked_out_by_hand)
{
    /* k = 2, one of 8 rows may go: <1, 0> suppresses the row of Jena; <0, 0> all rows */
    static const request asked = { people,
                                   { "qi", "age,town", "k", "2", "suppression", "0.125",
                                     "hierarchy", "age=range:10", "metric", "log" } };
    kanon_ctx           *ctx = plain_ctx();
    kanon_explanation   *x;

    CHECK_OK(ctx, explain(ctx, &asked, &x));
    CHECK(kanon_explanation_outcome(x) == KANON_OPTIMAL);
    CHECK_EQ_U64(x->columns[0].level, 1);
    CHECK_EQ_U64(x->columns[1].level, 0);
    CHECK_EQ_U64(x->suppressed, 1);
    CHECK_NEAR(x->loss, 0.25, 1e-12); /* age 1 of 2, town 0 of 1 */
    CHECK_EQ_U64(x->columns[1].saved_up, 1);
    CHECK_EQ_U64(x->columns[0].saved_up, 0); /* alone in Jena at any age */
    CHECK_EQ_U64(x->columns[0].below.outlying, 8);
    CHECK_EQ_U64(x->columns[1].at.rare_outlying, 1); /* Jena has too few rows to be named */
    CHECK_EQ_U64(x->columns[1].at.ngroups, 0);
    CHECK_NEAR(find(x, "--suppression 0")->loss, 0.75, 1e-12);
    CHECK_EQ_U64(find(x, "--suppression 0")->suppressed, 0);
    CHECK(find(x, "-k 3")->feasible && find(x, "-k 3")->loss > 0.25);
    CHECK_NEAR(find(x, "--id town")->loss, 0.5, 1e-12);
    CHECK_NEAR(find(x, "--id town")->loss_all, 0.75, 1e-12);
    CHECK_EQ_U64(find(x, "--id town")->levels[0], 1);
    CHECK_EQ_U64(find(x, "--id town")->levels[1], KN_NO_LEVEL);
    CHECK_EQ_U64(x->uncomputed, 0);
    kanon_explanation_free(x);
    kanon_ctx_free(ctx);
}

/* Four rows of two persons each in a and b: persons count to k, and to a changed k as well. */
TEST(another_k_asks_for_as_many_persons)
{
    static const request asked = { "q,who\na,1\na,1\na,2\na,2\nb,3\nb,3\nb,4\nb,4\n",
                                   { "qi", "q", "type", "q=string", "k", "2", "suppression", "0",
                                     "entity", "who" } };
    kanon_ctx           *ctx = plain_ctx();
    kanon_explanation   *x;

    CHECK_OK(ctx, explain(ctx, &asked, &x));
    CHECK_EQ_U64(x->columns[0].level, 0);
    CHECK(
        find(x, "-k 3")->feasible); /* four rows in each class, but two persons: one class of all */
    CHECK_EQ_U64(find(x, "-k 3")->levels[0], 1);
    CHECK(!find(x, "-k 5")->feasible);                         /* eight rows, but four persons */
    CHECK_EQ_U64(find(x, "--suppression 0.05")->levels[0], 0); /* asks for 2 again */
    kanon_explanation_free(x);
    kanon_ctx_free(ctx);
}

TEST(nothing_is_feasible)
{
    static const request asked = { people,
                                   { "qi", "age,town", "sensitive", "ill", "k", "2", "suppression",
                                     "0", "l-diversity", "3" } };
    static const request large = { people, { "qi", "age,town", "k", "9", "suppression", "0" } };
    kanon_ctx           *ctx = plain_ctx();
    kanon_explanation   *x;

    CHECK_OK(ctx, explain(ctx, &asked, &x));
    CHECK(kanon_explanation_outcome(x) == KANON_INFEASIBLE);
    CHECK_EQ_U64(x->suppressed, 8);
    CHECK(find(x, "--l-diversity 2")->feasible);
    CHECK(find(x, "without --l-diversity")->feasible);
    CHECK(!find(x, "--id age")->feasible);
    kanon_explanation_free(x);
    CHECK_OK(ctx, explain(ctx, &large, &x));
    CHECK(find(x, "-k 8")->feasible);
    kanon_explanation_free(x);
    kanon_ctx_free(ctx);
}

TEST(no_time)
{
    static const request asked = { people,
                                   { "qi", "age,town", "k", "2", "time-limit", "0.000001" } };
    kanon_ctx           *ctx = plain_ctx();
    kanon_explanation   *x;
    size_t               waiting = 0;

    CHECK_OK(ctx, explain(ctx, &asked, &x));
    for (size_t i = 0; i < x->nchanges; i++) {
        waiting += !x->changes[i].computed;
        CHECK(x->changes[i].computed == (x->changes[i].kind == KN_CHANGE_LEVEL));
    }
    CHECK(waiting > 0);
    CHECK_EQ_U64(x->uncomputed, waiting);
    kanon_explanation_free(x);
    kanon_ctx_free(ctx);
}

/* What is said of the best change goes as far as the changes that were computed. */
TEST(the_best_of_what_was_computed)
{
    kanon_ctx         *ctx = plain_ctx();
    kanon_explanation *x = NULL;
    request            asked = {
                   people, { "qi", "age,town", "k", "3", "suppression", "0.125", "hierarchy", "age=range:10" }
    };
    const kn_change *best;
    kn_text          text;

    kn_text_init(&text, ctx);
    CHECK_OK(ctx, explain(ctx, &asked, &x));
    best = x->best_weaker;
    CHECK(best && !x->best);
    kn_explain_html(&text, x);
    CHECK(strstr(text.ptr, "Of all changes of one setting, none keeps more without"));
    CHECK(strstr(text.ptr, "Every line was computed by running it"));
    text.len = 0;
    for (size_t i = 0; i < x->nchanges && !x->uncomputed; i++)
        if (x->changes[i].kind != KN_CHANGE_LEVEL && &x->changes[i] != best) {
            x->changes[i].computed = false;
            x->uncomputed++;
        }
    CHECK(x->uncomputed == 1);
    kn_explanation_find_best(x);
    kn_explain_html(&text, x);
    CHECK(x->best_weaker == best);
    CHECK(!strstr(text.ptr, "all changes")
          && strstr(text.ptr, "of one setting that were computed"));
    CHECK(!strstr(text.ptr, "Every line was") && strstr(text.ptr, "What helps most, so far"));
    text.len = 0;
    kn_explain_text(&text, x);
    CHECK(strstr(text.ptr, "\nBetter        "));
    CHECK(strstr(x->opening.better, "with less privacy") && strstr(x->opening.better, "-k 2"));
    for (size_t i = 0; i < x->nchanges; i++)
        if (x->changes[i].computed && x->changes[i].kind != KN_CHANGE_LEVEL
            && &x->changes[i] != best) {
            x->changes[i].computed = false;
            x->uncomputed++;
        }
    kn_explanation_find_best(x);
    CHECK(!x->best_weaker);
    text.len = 0;
    kn_explain_points(&text, 0.00001);
    CHECK(strcmp(text.ptr, "0") == 0);
    text.len = 0;
    kn_explain_points(&text, -0.0123);
    CHECK(strcmp(text.ptr, "-1.2") == 0);
    kn_text_fini(&text);
    kanon_explanation_free(x);
    kanon_ctx_free(ctx);
}

TEST(no_rows)
{
    static const request none = { "age,town\n", { "qi", "age,town" } };
    kanon_ctx           *ctx = plain_ctx();
    kanon_explanation   *x;

    CHECK_OK(ctx, explain(ctx, &none, &x));
    kanon_explanation_free(x);
    kanon_ctx_free(ctx);
}

/* Two pairs far apart, one of them twice as wide: 1 and 2, 9 and 11; the whole range is 10. */
TEST(local_recoding_worked_out_by_hand)
{
    static const request asked = { "age,town\n1,Bonn\n2,Bonn\n9,Bonn\n11,Bonn\n",
                                   { "qi", "age,town", "k", "2", "suppression", "0", "algorithm",
                                     "mondrian", "metric", "glm", "snap", "off" } };
    kanon_ctx           *ctx = plain_ctx();
    kanon_explanation   *x;

    CHECK_OK(ctx, explain(ctx, &asked, &x));
    CHECK(x->has_local && x->feasible);
    CHECK_NEAR(x->loss, (2 * 0.1 + 2 * 0.2) / 8, 1e-9);
    CHECK_EQ_U64(x->local.classes, 2);
    CHECK_EQ_U64(x->local.nworst, 2);
    CHECK_EQ_U64(x->local.worst[0].rows, 2);
    CHECK_NEAR(x->local.worst[0].loss, 0.1, 1e-9); /* 0.2 in age, 0 in town */
    CHECK_NEAR(x->local.worst[0].share, 2.0 / 3, 1e-9);
    CHECK_EQ_U64(x->local.worst[0].widest, 0);
    CHECK_NEAR(x->local.worst[0].widest_loss, 0.2, 1e-9);
    CHECK_NEAR(x->local.tenth, 2.0 / 3, 1e-9); /* one class of two */
    CHECK_NEAR(x->local.suppressed, 0, 0);
    CHECK_EQ_U64(x->local.large_rows, 0);
    CHECK_NEAR(x->columns[0].share, 1, 1e-9);
    CHECK_EQ_U64(x->columns[0].exact, 0);
    CHECK_EQ_U64(x->columns[1].exact, 4);
    CHECK_EQ_U64(x->columns[1].hidden, 0);
    CHECK_NEAR(find(x, "-k 3")->loss, 0.5, 1e-9); /* one class of all, which is large for k = 2 */
    CHECK(!find(x, "-k 3")->levels);
    CHECK_NEAR(find(x, "--id town")->loss, (2 * 0.1 + 2 * 0.2) / 4, 1e-9);
    CHECK_NEAR(find(x, "--id age")->loss_all, 0.5, 1e-9);
    kanon_explanation_free(x);
    kanon_ctx_free(ctx);
}

/* Two rows, four people alike: half of them are in the table, which is less than the least that is asked. */
TEST(a_least_presence_is_loosened)
{
    kanon_ctx         *ctx = plain_ctx();
    kanon_explanation *x;
    char               path[] = "/tmp/kanon-people-XXXXXX";
    int                fd = mkstemp(path);
    request            asked = { "town\nBonn\nBonn\n",
                                 { "qi", "town", "k", "2", "suppression", "0", "delta-presence", "0.6,0.9",
                                   "population", path } };

    CHECK(fd >= 0 && write(fd, "town\nBonn\nBonn\nBonn\nBonn\n", 25) == 25);
    CHECK_OK(ctx, explain(ctx, &asked, &x));
    CHECK(kanon_explanation_outcome(x) == KANON_INFEASIBLE);
    CHECK(find(x, "--delta-presence 0.5,0.9")->feasible);
    kanon_explanation_free(x);
    close(fd);
    unlink(path);
    kanon_ctx_free(ctx);
}

/* A name that a shell would act on, and one that the option itself would take apart. */
TEST(settings_can_be_pasted)
{
    static const request asked = { "my $age,\"a,b\"\n1,x\n1,x\n2,y\n2,y\n",
                                   { "qi", "my $age,\"a,b\"", "k", "2" } };
    kanon_ctx           *ctx = plain_ctx();
    kanon_explanation   *x;

    CHECK_OK(ctx, explain(ctx, &asked, &x));
    CHECK(find(x, "--id 'my $age'")->computed);
    CHECK(find(x, "--id '\"a,b\"'")->computed);
    kanon_explanation_free(x);
    kanon_ctx_free(ctx);
}

static kanon_status
explain_and_write(kanon_ctx *ctx, void *user)
{
    kanon_status       rc = KANON_OK;
    kanon_explanation *x = NULL;
    kanon_sink        *sink = NULL;

    KN_TRY(explain(ctx, user, &x));
    for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_HTML; format++) {
        KN_TRY(kanon_sink_memory(ctx, &sink));
        KN_TRY(kanon_explanation_write(ctx, x, (kanon_format) format, sink));
        kanon_sink_free(sink);
        sink = NULL;
    }
out:
    kanon_sink_free(sink);
    kanon_explanation_free(x);
    return rc;
}

TEST(every_allocation_may_fail)
{
    request asked = { people, { "qi", "age,town", "k", "2", "suppression", "0.2" } };
    request models = { people, { "qi", "town", "sensitive", "ill", "k", "2", "l-diversity", "4" } };
    request local = { people, { "qi", "age,town", "k", "2", "algorithm", "mondrian" } };

    CHECK(failing_alloc_sweep(explain_and_write, &local) > 50);
    CHECK(failing_alloc_sweep(explain_and_write, &asked) > 50);
    CHECK(failing_alloc_sweep(explain_and_write, &models) > 50);
}
