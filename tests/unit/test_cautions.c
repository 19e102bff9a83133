/* SPDX-License-Identifier: Apache-2.0 */
/* test_cautions.c -- src/job/cautions.c: values that differ in spelling alone, persons that are released,
 * columns that are there twice. */
#include "failing_alloc.h"
#include "job_fixture.h"
#include "result/result.h"

#define SETTINGS(...)                                                                              \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static const char spelled[] = "who,age,ill,Age\n"
                              "1,30,flu,1\n1.0,30,Flu,1\n2,30,flu,1\n02,30,Flu,1\n"
                              "3,40,flu,1\n3.0,40,Flu,1\n4,40,flu,1\n04,40,Flu,1\n";

typedef struct answer {
    kanon_ctx    *ctx;
    kanon_sink   *sink;
    kanon_result *r;
} answer;

static void
ask(answer *a, const job *j)
{
    a->ctx = plain_ctx();
    CHECK_OK(a->ctx, run_job(a->ctx, j, &a->sink, &a->r));
}

static void
close_answer(answer *a)
{
    kanon_sink_free(a->sink);
    kanon_result_free(a->r);
    kanon_ctx_free(a->ctx);
}

static const kn_finding *
finding(const answer *a, kn_finding_code code)
{
    return kn_findings_find(&a->r->findings, code);
}

/* How often a warning was given that holds these words. */
static size_t
warned(const answer *a, const char *words)
{
    size_t count = 0;

    for (size_t i = 0; i < kanon_ctx_warning_count(a->ctx); i++)
        count += strstr(kanon_ctx_warning(a->ctx, i), words) != NULL;
    return count;
}

TEST(spellings_of_a_sensitive_value)
{
    answer a;

    ask(&a, &(job){ spelled,
                    SETTINGS("qi", "age,Age", "sensitive", "ill", "l-diversity", "2", "k", "2") });
    CHECK_EQ_U64(warned(&a, "column 'ill': 2 of its 2 values differ"), 1);
    CHECK_EQ_U64(warned(&a, "flu"), 0);
    CHECK_STR(finding(&a, KN_FOUND_SPELLINGS)->place.name, "ill");
    CHECK(strstr(finding(&a, KN_FOUND_SPELLINGS)->what, "ill: 2 values differ"));
    close_answer(&a);
    /* nobody counts them */
    ask(&a, &(job){ spelled, SETTINGS("qi", "age,Age", "sensitive", "ill", "k", "2") });
    CHECK_EQ_U64(warned(&a, "differ"), 0);
    CHECK(!finding(&a, KN_FOUND_SPELLINGS));
    close_answer(&a);
}

TEST(spellings_of_a_person)
{
    answer a;

    ask(&a, &(job){ spelled, SETTINGS("qi", "age,Age", "id", "who", "entity", "who", "sensitive",
                                      "ill", "k", "2") });
    CHECK_EQ_U64(warned(&a, "column 'who': 8 of its 8 values differ"), 1);
    CHECK_EQ_U64(warned(&a, "counts as a person"), 1);
    CHECK_EQ_U64(warned(&a, "column 'ill'"), 0);
    CHECK(strstr(finding(&a, KN_FOUND_SPELLINGS)->what, "fewer persons"));
    CHECK(!finding(&a, KN_FOUND_SHOWN_PERSONS));
    CHECK_EQ_U64(warned(&a, "--id"), 0);
    close_answer(&a);
}

TEST(persons_that_are_released)
{
    answer a;

    ask(&a, &(job){ spelled, SETTINGS("qi", "age,Age", "entity", "who", "k", "2") });
    CHECK_EQ_U64(warned(&a, "entity: column 'who' identifies persons and is released"), 1);
    CHECK_STR(finding(&a, KN_FOUND_SHOWN_PERSONS)->place.name, "who");
    close_answer(&a);
    ask(&a, &(job){ spelled,
                    SETTINGS("qi", "age,Age", "entity", "who", "sensitive", "who", "k", "2") });
    CHECK_EQ_U64(warned(&a, "--id who"), 1);
    close_answer(&a);
    /* nothing is released, so nobody is */
    ask(&a, &(job){ spelled, SETTINGS("qi", "age,Age", "entity", "who", "k", "50") });
    CHECK_EQ_U64(warned(&a, "--id who"), 0);
    close_answer(&a);
}

TEST(columns_that_are_there_twice)
{
    answer a;

    ask(&a, &(job){ spelled, SETTINGS("qi", "age", "k", "2") });
    CHECK_EQ_U64(warned(&a, "column 'Age' is released unchanged"), 1);
    close_answer(&a);
    ask(&a, &(job){ spelled, SETTINGS("qi", "age", "id", "Age", "k", "2") });
    CHECK_EQ_U64(warned(&a, "'Age'"), 0);
    close_answer(&a);
    ask(&a, &(job){ spelled, SETTINGS("qi", "ill", "k", "2") }); /* neither has a role */
    CHECK_EQ_U64(warned(&a, "its name differs only in"), 0);
    close_answer(&a);
}

static kanon_status
run_with(kanon_ctx *ctx, void *user)
{
    kanon_sink   *sink = NULL;
    kanon_result *r = NULL;
    kanon_status  rc = run_job(ctx, user, &sink, &r);

    kanon_sink_free(sink);
    kanon_result_free(r);
    return rc;
}

TEST(refused_memory)
{
    job j = { spelled, SETTINGS("qi", "age", "entity", "who", "sensitive", "ill", "l-diversity",
                                "2", "k", "2", "threads", "1", "algorithm", "exhaustive") };

    CHECK(failing_alloc_sweep(run_with, &j) > 50);
}
