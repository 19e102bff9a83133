/* test_explain.c -- kanon explain: one small table worked out by hand, outcomes, time that runs out, and
 * memory. That its numbers are those of real runs is shown by tests/property/run_explain.py. */
#include "failing_alloc.h"
#include "kanon/kanon.h"
#include "report/explanation.h"
#include "test.h"

typedef struct request {
    const char *csv;
    const char *settings[12]; /* name, value ...; NULL ends */
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
    static const request asked = {
        people, { "qi", "age,town", "k", "2", "suppression", "0.125", "hierarchy", "age=range:10" }
    };
    kanon_ctx         *ctx = plain_ctx();
    kanon_explanation *x;

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

TEST(no_rows_and_local_recoding)
{
    static const request none = { "age,town\n", { "qi", "age,town" } };
    static const request local = { people, { "qi", "age", "algorithm", "mondrian" } };
    kanon_ctx           *ctx = plain_ctx();
    kanon_explanation   *x;

    CHECK_OK(ctx, explain(ctx, &none, &x));
    kanon_explanation_free(x);
    CHECK(explain(ctx, &local, &x) == KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(ctx), "mondrian has none"));
    kanon_ctx_free(ctx);
}

static kanon_status
explain_and_write(kanon_ctx *ctx, void *user)
{
    kanon_status       rc = KANON_OK;
    kanon_explanation *x = NULL;
    kanon_sink        *sink = NULL;

    KN_TRY(explain(ctx, user, &x));
    for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_TEXT; format++) {
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

    CHECK(failing_alloc_sweep(explain_and_write, &asked) > 50);
    CHECK(failing_alloc_sweep(explain_and_write, &models) > 50);
}
