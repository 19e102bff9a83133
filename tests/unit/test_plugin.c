/* SPDX-License-Identifier: Apache-2.0 */
/* test_plugin.c -- own searches and models: what is refused, what they see, that they cannot release. */
#include "kanon/plugin.h"

#include "failing_alloc.h"
#include "job_fixture.h"

/* Two quasi-identifiers, 24 rows; levels 0..2 and 0..1. */
static const char TABLE[] = "zip,sex,ill\n"
                            "1011,m,a\n1012,m,b\n1013,m,c\n1021,f,a\n1022,f,b\n1023,f,c\n"
                            "1111,m,a\n1112,m,b\n1113,m,c\n1121,f,a\n1122,f,b\n1123,f,c\n"
                            "1011,f,a\n1012,f,b\n1013,f,c\n1021,m,a\n1022,m,b\n1023,m,c\n"
                            "1111,f,a\n1112,f,a\n1113,f,a\n1121,m,b\n1122,m,b\n1123,m,b\n";

typedef struct bench {
    kanon_ctx    *ctx;
    kanon_config *config;
    kanon_sink   *sink;
    kanon_result *result;
} bench;

static void
set(bench *b, const char *name, const char *value)
{
    CHECK_OK(b->ctx, kanon_config_set(b->config, name, value));
}

static bench
open_bench(void)
{
    bench b = { plain_ctx(), NULL, NULL, NULL };

    CHECK_OK(b.ctx, kanon_config_new(b.ctx, &b.config));
    set(&b, "qi", "zip,sex");
    set(&b, "sensitive", "ill");
    set(&b, "hierarchy", "zip=mask:right");
    set(&b, "k", "3");
    set(&b, "suppression", "0");
    return b;
}

static void
close_bench(bench *b)
{
    kanon_config_free(b->config);
    kanon_result_free(b->result);
    kanon_sink_free(b->sink);
    kanon_ctx_free(b->ctx);
}

static kanon_status
run_bench(bench *b)
{
    kanon_source *source = NULL;
    kanon_status  rc;

    CHECK_OK(b->ctx, kanon_source_memory(b->ctx, "table.csv", TABLE, strlen(TABLE), &source));
    kanon_sink_free(b->sink);
    kanon_result_free(b->result);
    b->sink = NULL;
    b->result = NULL;
    CHECK_OK(b->ctx, kanon_sink_memory(b->ctx, &b->sink));
    rc = kanon_anonymize(b->ctx, b->config, source, b->sink, &b->result);
    kanon_source_free(source);
    return rc;
}

/* The job fails with these words, and there is no release. */
#define CHECK_REFUSED(b, status, words)                                                            \
    do {                                                                                           \
        CHECK_STATUS((b).ctx, run_bench(&(b)), (status));                                          \
        CHECK_STR(kanon_ctx_message((b).ctx), (words));                                            \
        CHECK(!(b).result && committed((b).sink) == 0);                                            \
    } while (0)

/* --- searches ------------------------------------------------------------------------------------------ */

static kanon_status
done(void *state, kanon_search_env *env, kanon_step *next)
{
    (void) state;
    (void) env;
    *next = KANON_STEP_DONE;
    return KANON_OK;
}

static kanon_search_class
search(const char *name, kanon_status (*step)(void *, kanon_search_env *, kanon_step *))
{
    kanon_search_class c = KANON_SEARCH_CLASS_INIT;

    c.name = name;
    c.step = step;
    return c;
}

static void
add(bench *b, kanon_search_class c)
{
    CHECK_OK(b->ctx, kanon_config_add_algorithm(b->config, &c));
    set(b, "algorithm", c.name);
}

static void
refuse(bench *b, kanon_search_class c, kanon_status status, const char *words)
{
    CHECK_STATUS(b->ctx, kanon_config_add_algorithm(b->config, &c), status);
    if (!strstr(kanon_ctx_message(b->ctx), words))
        FAIL("\"%s\" does not say \"%s\"", kanon_ctx_message(b->ctx), words);
}

TEST(bad_search_classes_are_refused_in_one_line)
{
    static const kanon_param bad_type[] = { { "a", "text", 0, 1, "0", "" },
                                            { NULL, NULL, 0, 0, NULL, NULL } };
    static const kanon_param bad_default[] = { { "a", "integer", 0, 1, "2", "" },
                                               { NULL, NULL, 0, 0, NULL, NULL } };
    bench                    b = open_bench();
    kanon_search_class       c = search("mine", done);

    CHECK_STATUS(b.ctx, kanon_config_add_algorithm(b.config, NULL), KANON_E_INVALID);
    CHECK_STATUS(b.ctx, kanon_config_add_algorithm(NULL, &c), KANON_E_INVALID);
    c.size--;
    refuse(&b, c, KANON_E_UNSUPPORTED, "build it with the headers of this library");
    c = search("mine", done);
    c.version++;
    refuse(&b, c, KANON_E_UNSUPPORTED, "version 2, expected");
    refuse(&b, search(NULL, done), KANON_E_INVALID, "algorithm: its class has no name");
    refuse(&b, search("", done), KANON_E_INVALID, "algorithm: its class has no name");
    refuse(&b, search("My Search", done), KANON_E_INVALID, "'My Search': expected a name");
    refuse(&b, search("kgen", done), KANON_E_INVALID, "algorithm 'kgen': the name is taken");
    refuse(&b, search("mine", NULL), KANON_E_INVALID, "algorithm 'mine': its class has no step");
    c = search("mine", done);
    c.state_size = SIZE_MAX;
    refuse(&b, c, KANON_E_INVALID, "algorithm 'mine': state_size is");
    c = search("mine", done);
    c.traits = KANON_TRAIT_EXACT;
    refuse(&b, c, KANON_E_INVALID, "algorithm 'mine': traits are 1");
    c = search("mine", done);
    c.params = bad_type;
    refuse(&b, c, KANON_E_INVALID, "algorithm 'mine': param a: expected the type");
    c.params = bad_default;
    refuse(&b, c, KANON_E_INVALID, "param a: 2 is out of bounds");
    add(&b, search("mine", done));
    refuse(&b, search("mine", done), KANON_E_INVALID, "algorithm 'mine': the name is taken");
    close_bench(&b);
}

static kanon_status
see(void *state, kanon_search_env *env, const double *values)
{
    uint8_t  levels[KANON_COLUMNS_MOST] = { 9, 9 };
    uint64_t random = kanon_search_random(env, 10);
    uint8_t *block = kanon_search_alloc(env, 100);

    CHECK((uintptr_t) state % _Alignof(max_align_t) == 0);
    CHECK_EQ_U64(kanon_search_columns(env), 2);
    CHECK_EQ_U64(kanon_search_top(env)[0], 4);
    CHECK_EQ_U64(kanon_search_top(env)[1], 1);
    CHECK_EQ_U64(kanon_search_floor(env)[0], 1);
    CHECK_NEAR(values[0], 7, 0);
    CHECK_NEAR(values[1], 1, 0);
    CHECK(random < 10 && kanon_search_random(env, 0) == 0);
    CHECK(block && block[0] == 0 && block[99] == 0);
    CHECK_EQ_U64(kanon_search_evaluations(env), 1); /* the top */
    CHECK_NEAR(kanon_search_best(env, levels), 1, 0);
    CHECK(memcmp(levels, kanon_search_top(env), 2) == 0);
    CHECK(kanon_search_bound(env, kanon_search_floor(env)) < 1);
    ++*(int *) kanon_search_user(env);
    return KANON_OK;
}

/* The best node is known by hand: sex as it is, three digits of zip less one. */
static kanon_status
look(void *state, kanon_search_env *env, kanon_step *next)
{
    static const uint8_t nodes[] = { 0, 0, 1, 0, 2, 1 };
    kanon_score          scores[3], one = KANON_SCORE_INIT;

    ++*(int *) state;
    CHECK(kanon_search_check_many(env, nodes, 3, scores) == KANON_OK);
    CHECK(!scores[0].feasible && isinf(scores[0].loss));
    CHECK(scores[1].feasible && scores[1].suppressed == 0 && scores[1].size == sizeof *scores);
    CHECK(scores[2].feasible && scores[2].loss > scores[1].loss);
    CHECK(kanon_search_check(env, nodes + 2, &one) == KANON_OK);
    CHECK_NEAR(one.loss, scores[1].loss, 0);
    CHECK_NEAR(kanon_search_best(env, NULL), one.loss, 0);
    *next = *(int *) state == 3 ? KANON_STEP_DONE : KANON_STEP_MORE;
    return KANON_OK;
}

static void
end(void *state, kanon_search_env *env)
{
    *(int *) kanon_search_user(env) += 10 * *(int *) state;
}

TEST(an_own_search_sees_the_lattice_and_its_parameters)
{
    char               name[] = "mine", size[] = "size";
    int                seen = 0;
    double             loss = 0;
    kanon_param        params[] = { { size, "integer", 0, 9, "5", "" },
                                    { "way", "up|down", 0, 0, "down", "" },
                                    { NULL, NULL, 0, 0, NULL, NULL } };
    bench              b = open_bench();
    kanon_search_class c = search(name, look);

    c.params = params;
    c.state_size = sizeof(int);
    c.user = &seen;
    c.init = see;
    c.fini = end;
    CHECK_OK(b.ctx, kanon_config_add_algorithm(b.config, &c));
    memset(name, 'x', sizeof name - 1); /* texts were copied */
    memset(size, 'x', sizeof size - 1);
    set(&b, "algorithm", "mine");
    set(&b, "param", "size=7");
    CHECK_OK(b.ctx, run_bench(&b));
    CHECK_EQ_I64(seen, 31);
    kanon_config_free(b.config); /* the result needs nothing of it */
    b.config = NULL;
    CHECK_EQ_I64(kanon_result_level(b.result, "zip"), 1);
    CHECK_EQ_I64(kanon_result_level(b.result, "sex"), 0);
    CHECK_OK(b.ctx, kanon_result_metric(b.result, "log", &loss));
    CHECK(loss > 0 && loss < 1 && committed(b.sink) > 0);
    CHECK_OK(b.ctx, kanon_result_write(b.ctx, b.result, KANON_FORMAT_TEXT, b.sink));
    close_bench(&b);
}

TEST(an_own_search_is_known_to_its_config_alone)
{
    bench a = open_bench(), b = open_bench();

    add(&a, search("mine", done));
    set(&b, "algorithm", "mine");
    CHECK_OK(a.ctx, run_bench(&a));
    CHECK_STATUS(b.ctx, run_bench(&b), KANON_E_INVALID);
    set(&a, "algorithm", "mime");
    CHECK_REFUSED(a, KANON_E_INVALID, "algorithm: there is no 'mime'; did you mean 'mine'?");
    close_bench(&a);
    close_bench(&b);
}

/* --- searches that are wrong --------------------------------------------------------------------------- */

static kanon_status
outside(void *state, kanon_search_env *env, kanon_step *next)
{
    uint8_t     node[] = { 1, 7 };
    kanon_score score;

    (void) state;
    kanon_search_check(env, node, &score); /* what it answers is ignored, */
    CHECK(!score.feasible);
    node[1] = 0;
    CHECK(kanon_search_check(env, node, &score) == KANON_E_INVALID); /* yet it stays */
    *next = KANON_STEP_DONE;
    return KANON_OK;
}

static kanon_status
strange_next(void *state, kanon_search_env *env, kanon_step *next)
{
    int strange = 7;

    (void) state;
    (void) env;
    memcpy(next, &strange, sizeof *next);
    return KANON_OK;
}

static kanon_status
strange_status(void *state, kanon_search_env *env, kanon_step *next)
{
    int          strange = 42;
    kanon_status status;

    (void) state;
    (void) env;
    (void) next;
    memcpy(&status, &strange, sizeof status);
    return status;
}

static kanon_status
fails(void *state, kanon_search_env *env, kanon_step *next)
{
    (void) state;
    (void) env;
    (void) next;
    return KANON_E_IO;
}

static kanon_status
says_why(void *state, kanon_search_env *env, kanon_step *next)
{
    (void) state;
    (void) next;
    return kanon_search_fail(env, KANON_E_UNSUPPORTED, "it is Sunday");
}

static kanon_status
takes_all(void *state, kanon_search_env *env, kanon_step *next)
{
    (void) state;
    CHECK(!kanon_search_alloc(env, SIZE_MAX));
    *next = KANON_STEP_DONE;
    return KANON_OK;
}

TEST(an_own_search_that_is_wrong_ends_the_job_with_one_line)
{
    static const struct {
        kanon_status (*step)(void *, kanon_search_env *, kanon_step *);
        kanon_status status;
        const char  *words;
    } wrong[] = {
        { outside, KANON_E_INVALID,
          "algorithm 'wrong': level 7 of quasi-identifier 2, expected at most 1" },
        { strange_status, KANON_E_INVALID,
          "algorithm 'wrong': step returned 42, expected a kanon_status" },
        { strange_next, KANON_E_INVALID,
          "algorithm 'wrong': step set next to 7, expected KANON_STEP_MORE or KANON_STEP_DONE" },
        { fails, KANON_E_IO, "algorithm 'wrong': step failed: reading or writing failed" },
        { says_why, KANON_E_UNSUPPORTED, "algorithm 'wrong': it is Sunday" },
        { takes_all, KANON_E_NOMEM, "out of memory" },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bench b = open_bench();

        add(&b, search("wrong", wrong[i].step));
        CHECK_REFUSED(b, wrong[i].status, wrong[i].words);
        close_bench(&b);
    }
}

/* It looks at an infeasible node alone and says that it is a good one. */
static kanon_status
lies(void *state, kanon_search_env *env, kanon_step *next)
{
    kanon_score score = KANON_SCORE_INIT;
    uint8_t     node[] = { 0, 0 };

    (void) state;
    CHECK(kanon_search_check(env, node, &score) == KANON_OK && !score.feasible);
    score.feasible = 1;
    score.loss = 0;
    *next = KANON_STEP_DONE;
    return KANON_OK;
}

TEST(an_own_search_that_lies_releases_nothing_infeasible)
{
    bench b = open_bench();

    add(&b, search("liar", lies));
    CHECK_OK(b.ctx, run_bench(&b));
    CHECK(kanon_result_outcome(b.result) == KANON_FEASIBLE); /* the top; nothing is proven */
    CHECK_EQ_I64(kanon_result_level(b.result, "zip"), 4);
    CHECK_EQ_I64(kanon_result_level(b.result, "sex"), 1);
    close_bench(&b);
}

static kanon_status
forever(void *state, kanon_search_env *env, kanon_step *next)
{
    (void) state;
    (void) env;
    (void) next;
    return KANON_OK;
}

/* A node that was not looked at before, as long as there is one. */
static kanon_status
spend(void *state, kanon_search_env *env, kanon_step *next)
{
    uint8_t     *node = state;
    kanon_score  score;
    kanon_status rc = kanon_search_check(env, node, &score);

    node[0]++;
    if (node[0] > kanon_search_top(env)[0])
        *next = KANON_STEP_DONE;
    *(uint64_t *) kanon_search_user(env) = kanon_search_evaluations(env);
    return rc;
}

TEST(time_and_budget_stay_with_the_driver)
{
    static const kanon_param budget[] = { { "max-evaluations", "integer", 1, 100, "3", "" },
                                          { NULL, NULL, 0, 0, NULL, NULL } };
    uint64_t                 spent = 0;
    bench                    b = open_bench();
    kanon_search_class       c = search("spends", spend);

    add(&b, search("forever", forever));
    set(&b, "time-limit", "0.05");
    CHECK_OK(b.ctx, run_bench(&b));
    CHECK(kanon_result_outcome(b.result) == KANON_FEASIBLE);
    c.params = budget;
    c.state_size = 2;
    c.user = &spent;
    add(&b, c);
    set(&b, "time-limit", "none");
    set(&b, "metric", "dm"); /* which needs a look at every node */
    CHECK_OK(b.ctx, run_bench(&b));
    CHECK_EQ_U64(spent, 3); /* the top and two more; without a budget three more */
    close_bench(&b);
}

/* --- privacy models ------------------------------------------------------------------------------------ */

/* Different values. */
static double
distinct(void *user, const kanon_class_view *view)
{
    if (user)
        ++*(int *) user;
    return (double) view->nseen;
}

static double
distinct_again(void *user, const kanon_class_view *view)
{
    size_t count = 0;

    (void) user;
    for (size_t v = 0; v < view->nvalues; v++)
        count += view->counts[v] > 0;
    return (double) count;
}

static kanon_model_class
model(double (*reached)(void *, const kanon_class_view *),
      double (*audit)(void *, const kanon_class_view *))
{
    kanon_model_class c = KANON_MODEL_CLASS_INIT;

    c.key = "own-diversity";
    c.promise = "every class has some values";
    c.reached = reached;
    c.audit = audit;
    return c;
}

static void
refuse_model(bench *b, kanon_model_class c, kanon_status status, const char *words)
{
    CHECK_STATUS(b->ctx, kanon_config_add_model(b->config, &c, 2), status);
    if (!strstr(kanon_ctx_message(b->ctx), words))
        FAIL("\"%s\" does not say \"%s\"", kanon_ctx_message(b->ctx), words);
}

TEST(bad_models_are_refused_in_one_line)
{
    bench             b = open_bench();
    kanon_model_class good = model(distinct, distinct_again), c = good;
    int               strange = 9;

    CHECK_STATUS(b.ctx, kanon_config_add_model(b.config, NULL, 2), KANON_E_INVALID);
    CHECK_STATUS(b.ctx, kanon_config_add_model(NULL, &c, 2), KANON_E_INVALID);
    c.size++;
    refuse_model(&b, c, KANON_E_UNSUPPORTED, "build it with the headers of this library");
    c = good;
    c.version = 0;
    refuse_model(&b, c, KANON_E_UNSUPPORTED, "version 0, expected");
    c = good;
    c.key = NULL;
    refuse_model(&b, c, KANON_E_INVALID, "model: its class has no key");
    c.key = "Own";
    refuse_model(&b, c, KANON_E_INVALID, "model 'Own': expected a key");
    c.key = "l-diversity";
    refuse_model(&b, c, KANON_E_INVALID, "model 'l-diversity': the key is taken");
    c.key = "distinct-l-diversity";
    refuse_model(&b, c, KANON_E_INVALID, "the key is taken");
    c = good;
    c.promise = NULL;
    refuse_model(&b, c, KANON_E_INVALID, "model 'own-diversity': its class has no promise");
    refuse_model(&b, model(NULL, distinct), KANON_E_INVALID, "its class has no reached");
    refuse_model(&b, model(distinct, NULL), KANON_E_INVALID,
                 "its class has no audit, so no release could be verified");
    refuse_model(&b, model(distinct, distinct), KANON_E_INVALID,
                 "audit and reached are one function");
    c = good;
    memcpy(&c.sense, &strange, sizeof c.sense);
    refuse_model(&b, c, KANON_E_INVALID, "sense, merge or guards");
    CHECK_STATUS(b.ctx, kanon_config_add_model(b.config, &good, (double) NAN), KANON_E_INVALID);
    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &good, 2));
    refuse_model(&b, good, KANON_E_INVALID, "model 'own-diversity': the key is taken");
    close_bench(&b);
}

/* What a class is told agrees with itself and with the table: three values, 9, 9 and 6 rows. */
static double
look_closely(void *user, const kanon_class_view *view)
{
    uint64_t rows = 0, table = 0;

    (void) user;
    for (size_t i = 0; i < view->nseen; i++)
        rows += view->counts[view->seen[i]];
    for (size_t v = 0; v < view->nvalues; v++)
        table += view->table_counts[v];
    return view->size == sizeof *view && rows == view->rows && table == view->table_rows
                && table == 24 && view->nvalues == 3 && view->table_counts[0] == 9
             ? distinct_again(NULL, view)
             : 0;
}

/* The same releases and figures as the model that comes with kanon. */
TEST(an_own_model_is_a_model_like_others)
{
    char              key[] = "own-diversity";
    bench             own = open_bench(), kanon = open_bench();
    kanon_model_class c = model(distinct, look_closely);
    const char       *a, *b;
    size_t            na, nb;

    c.key = key;
    c.merge = KANON_MERGE_ANY;
    CHECK_OK(own.ctx, kanon_config_add_model(own.config, &c, 3));
    memset(key, 'x', sizeof key - 1); /* texts were copied */
    set(&kanon, "l-diversity", "3");
    set(&own, "order-key", TEST_KEY);
    set(&kanon, "order-key", TEST_KEY);
    CHECK_OK(own.ctx, run_bench(&own));
    CHECK_OK(kanon.ctx, run_bench(&kanon));
    a = kanon_sink_bytes(own.sink, &na);
    b = kanon_sink_bytes(kanon.sink, &nb);
    CHECK(na == nb && na > 0 && memcmp(a, b, na) == 0);
    CHECK_EQ_I64(kanon_result_level(own.result, "sex"), kanon_result_level(kanon.result, "sex"));
    CHECK(kanon_result_level(own.result, "zip") > 1 || kanon_result_level(own.result, "sex") > 0);
    kanon_config_free(own.config); /* the result needs nothing of it */
    own.config = NULL;
    CHECK_OK(own.ctx, kanon_result_write(own.ctx, own.result, KANON_FORMAT_JSON, own.sink));
    a = kanon_sink_bytes(own.sink, &na);
    CHECK(memmem(a, na, "own-diversity", 13));
    CHECK_OK(own.ctx, kanon_result_write(own.ctx, own.result, KANON_FORMAT_HTML, own.sink));
    close_bench(&own);
    close_bench(&kanon);
}

TEST(an_own_model_needs_a_sensitive_column)
{
    bench             b = { plain_ctx(), NULL, NULL, NULL };
    kanon_model_class c = model(distinct, distinct_again);

    CHECK_OK(b.ctx, kanon_config_new(b.ctx, &b.config));
    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &c, 2));
    set(&b, "qi", "zip,sex");
    CHECK_STATUS(b.ctx, run_bench(&b), KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(b.ctx), "own-diversity needs a sensitive column"));
    close_bench(&b);
}

static double
boast(void *user, const kanon_class_view *view)
{
    (void) user;
    (void) view;
    return 1000;
}

static double
no_number(void *user, const kanon_class_view *view)
{
    (void) user;
    (void) view;
    return (double) NAN;
}

TEST(an_own_model_that_lies_releases_nothing)
{
    bench             b = open_bench();
    kanon_model_class c = model(boast, distinct_again);

    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &c, 3));
    CHECK_STATUS(b.ctx, run_bench(&b), KANON_E_VERIFY);
    CHECK(strstr(kanon_ctx_message(b.ctx), "own-diversity"));
    CHECK(!b.result && committed(b.sink) == 0);
    close_bench(&b);
    b = open_bench();
    c = model(distinct, no_number); /* an audit without an answer passes nothing */
    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &c, 1));
    CHECK_STATUS(b.ctx, run_bench(&b), KANON_E_VERIFY);
    CHECK(!b.result && committed(b.sink) == 0);
    close_bench(&b);
    b = open_bench();
    c = model(no_number, distinct);
    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &c, 1));
    CHECK_OK(b.ctx, run_bench(&b));
    CHECK(kanon_result_outcome(b.result) == KANON_INFEASIBLE && committed(b.sink) == 0);
    close_bench(&b);
}

/* A model that is not monotone and fails at the top: below it there is a release all the same. */
static double
few(void *user, const kanon_class_view *view)
{
    (void) user;
    return (double) view->rows;
}

static double
few_again(void *user, const kanon_class_view *view)
{
    uint64_t rows = 0;

    (void) user;
    for (size_t v = 0; v < view->nvalues; v++)
        rows += view->counts[v];
    return (double) rows;
}

TEST(a_model_that_is_not_monotone_is_searched_below_an_infeasible_top)
{
    bench             b = open_bench();
    kanon_model_class c = model(few, few_again);

    c.sense = KANON_AT_MOST;
    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &c, 6));
    set(&b, "algorithm", "exhaustive");
    CHECK_OK(b.ctx, run_bench(&b));
    CHECK(kanon_result_outcome(b.result) == KANON_OPTIMAL);
    CHECK_EQ_I64(kanon_result_level(b.result, "zip"), 1);
    CHECK_EQ_I64(kanon_result_level(b.result, "sex"), 0);
    set(&b, "algorithm", "ola");
    CHECK_REFUSED(b, KANON_E_INVALID,
                  "ola needs a monotone privacy model, and own-diversity is not monotone; use "
                  "--algorithm exhaustive, kgen, ga, tabu, ga-tabu or auto");
    close_bench(&b);
}

TEST(a_check_asks_for_own_models)
{
    bench             b = open_bench();
    kanon_model_class c = model(distinct, distinct_again);
    kanon_source     *source = NULL;
    kanon_check      *check = NULL;

    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &c, 2));
    CHECK_OK(b.ctx, kanon_source_memory(b.ctx, "table.csv", TABLE, strlen(TABLE), &source));
    CHECK_OK(b.ctx, kanon_check_run(b.ctx, b.config, source, &check));
    kanon_config_free(b.config);
    b.config = NULL;
    CHECK(strstr(kanon_check_failure(check), "own-diversity of 'ill': limit is 1, expected 2"));
    kanon_check_free(check);
    kanon_source_free(source);
    close_bench(&b);
}

TEST(an_explanation_knows_own_searches_and_models)
{
    bench              b = open_bench();
    kanon_model_class  c = model(distinct, distinct_again);
    kanon_source      *source = NULL;
    kanon_explanation *explanation = NULL;
    const char        *text;
    size_t             count;

    c.merge = KANON_MERGE_ANY;
    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &c, 2));
    add(&b, search("mine", done));
    CHECK_OK(b.ctx, kanon_source_memory(b.ctx, "table.csv", TABLE, strlen(TABLE), &source));
    CHECK_OK(b.ctx, kanon_sink_memory(b.ctx, &b.sink));
    CHECK_OK(b.ctx, kanon_explain(b.ctx, b.config, source, &explanation));
    kanon_config_free(b.config);
    b.config = NULL;
    CHECK_OK(b.ctx, kanon_explanation_write(b.ctx, explanation, KANON_FORMAT_JSON, b.sink));
    text = kanon_sink_bytes(b.sink, &count);
    CHECK(memmem(text, count, "own-diversity", 13) && memmem(text, count, "mine", 4));
    kanon_explanation_free(explanation);
    kanon_source_free(source);
    close_bench(&b);
}

TEST(a_front_refuses_own_models)
{
    bench             b = open_bench();
    kanon_model_class c = model(distinct, distinct_again);
    kanon_source     *source = NULL;
    kanon_front      *front = NULL;

    CHECK_OK(b.ctx, kanon_config_add_model(b.config, &c, 2));
    CHECK_OK(b.ctx, kanon_source_memory(b.ctx, "table.csv", TABLE, strlen(TABLE), &source));
    CHECK_STATUS(b.ctx, kanon_pareto(b.ctx, b.config, source, &front), KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(b.ctx), "own-diversity"));
    kanon_source_free(source);
    close_bench(&b);
}

/* Takes memory in init and uses it. */
static kanon_status
take(void *state, kanon_search_env *env, const double *values)
{
    uint8_t **node = state;

    (void) values;
    *node = kanon_search_alloc(env, 2);
    return *node ? KANON_OK : KANON_E_NOMEM;
}

static kanon_status
use(void *state, kanon_search_env *env, kanon_step *next)
{
    uint8_t    **node = state;
    kanon_score  score;
    kanon_status rc = kanon_search_check(env, *node, &score);

    *next = KANON_STEP_DONE;
    return rc;
}

static kanon_status
sweep(kanon_ctx *ctx, void *user)
{
    static const kanon_param params[] = { { "a", "integer", 0, 9, "5", "" },
                                          { NULL, NULL, 0, 0, NULL, NULL } };
    kanon_status             rc = KANON_OK;
    kanon_search_class       s = search("mine", use);
    kanon_model_class        m = model(distinct, distinct_again);
    kanon_config            *config = NULL;
    kanon_source            *source = NULL;
    kanon_sink              *sink = NULL;
    kanon_result            *result = NULL;

    (void) user;
    s.params = params;
    s.state_size = sizeof(uint8_t *);
    s.init = take;
    KN_TRY(kanon_config_new(ctx, &config));
    KN_TRY(kanon_config_add_algorithm(config, &s));
    KN_TRY(kanon_config_add_model(config, &m, 2));
    KN_TRY(kanon_config_set(config, "algorithm", "mine"));
    KN_TRY(kanon_config_set(config, "qi", "zip,sex"));
    KN_TRY(kanon_config_set(config, "sensitive", "ill"));
    KN_TRY(kanon_config_set(config, "threads", "1"));
    KN_TRY(kanon_source_memory(ctx, "table.csv", TABLE, strlen(TABLE), &source));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_anonymize(ctx, config, source, sink, &result));
out:
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

TEST(every_allocation_of_a_job_with_plug_ins_may_fail)
{
    CHECK(failing_alloc_sweep(sweep, NULL) > 100);
}
