/* SPDX-License-Identifier: Apache-2.0 */
/* test_job_fault.c -- jobs that are disturbed: sources that change, sinks that fail or lose bytes,
 * cancelling at every stage, every allocation failing in turn. None of it may leave a release or a block
 * behind. */
#include "failing_alloc.h"
#include "job_fixture.h"

/* --- sources that change ---------------------------------------------------------------------- */

typedef struct moody {
    const char *texts[2]; /* of the first pass, of later ones */
    size_t      passes, at;
    const char *now;
} moody;

static kanon_status
moody_open(void *user, kanon_ctx *ctx, void **stream)
{
    moody *m = user;

    KN_UNUSED(ctx);
    m->now = m->texts[m->passes++ > 0];
    m->at = 0;
    *stream = m;
    return m->now ? KANON_OK : KANON_E_IO;
}

static kanon_status
moody_read(void *stream, kanon_ctx *ctx, void *buffer, size_t capacity, size_t *got)
{
    moody *m = stream;
    size_t left = strlen(m->now) - m->at;

    KN_UNUSED(ctx);
    *got = left < capacity ? left : capacity;
    memcpy(buffer, m->now + m->at, *got);
    m->at += *got;
    return KANON_OK;
}

static void
moody_close(void *stream)
{
    KN_UNUSED(stream);
}

static void
check_moody(const char *first, const char *second, const char *message)
{
    job           j = { NULL, { "qi", "a", "k", "2", "hierarchy", "a=range:10" } };
    moody         m = { { first, second }, 0, 0, NULL };
    kanon_source  source = { sizeof source, "moody",     &m,   moody_open,
                             moody_read,    moody_close, NULL, NULL };
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink = NULL;
    kanon_result *result;
    kanon_status  rc;

    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    rc = run_between(ctx, &j, &source, sink, &result);
    if (!message) {
        CHECK_STATUS(ctx, rc, KANON_OK);
    } else {
        CHECK(rc < 0 && result == NULL);
        CHECK_EQ_U64(committed(sink), 0);
        if (!strstr(kanon_ctx_message(ctx), message))
            FAIL("the message is \"%s\", expected \"%s\"", kanon_ctx_message(ctx), message);
    }
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(a_source_that_changes_between_the_passes_is_refused)
{
    static const char table[] = "a,b\n12,x\n13,y\n";

    check_moody(table, table, NULL);
    check_moody(table, "a,b\n12,x\n13,z\n", "changed");       /* another note */
    check_moody(table, "a,b\n12,x\n99,y\n", "changed");       /* a new value */
    check_moody(table, "a,b\n12,x\n", "changed");             /* a row less */
    check_moody(table, "a,b\n12,x\n13,y\n12,q\n", "changed"); /* a row more */
    check_moody(table, "a,c\n12,x\n13,y\n", "changed");       /* another name */
    check_moody(table, "a,b\n13,y\n12,x\n", "changed");       /* another order */
    check_moody(table, "a\n12\n13\n", "");
    check_moody(table, "", "");
    check_moody(table, NULL, "open function failed");
}

/* --- sinks that fail -------------------------------------------------------------------------- */

typedef enum { AT_BEGIN, AT_WRITE, AT_READ_BACK, AT_COMMIT, AT_LOSING_BYTES } trouble;

/* A memory sink that fails at one point, or loses what the n-th write brings. */
typedef struct sick {
    kanon_sink *inner;
    trouble     at;
    size_t      writes, fail_write;
    bool        begun, committed, abandoned;
} sick;

static kanon_status
sick_begin(void *user, kanon_ctx *ctx)
{
    sick *s = user;

    if (s->at == AT_BEGIN)
        return kn_fail_at(ctx, KANON_E_IO, "sick", 0, "no");
    s->begun = true;
    return s->inner->begin(s->inner->user, ctx);
}

static kanon_status
sick_write(void *user, kanon_ctx *ctx, const void *bytes, size_t count)
{
    sick *s = user;

    if (++s->writes == s->fail_write) {
        if (s->at == AT_LOSING_BYTES)
            return KANON_OK;
        return kn_fail_at(ctx, KANON_E_IO, "sick", 0, "no room");
    }
    return s->inner->write(s->inner->user, ctx, bytes, count);
}

static kanon_status
sick_read_back(void *user, kanon_ctx *ctx, kanon_source *back)
{
    sick *s = user;

    if (s->at == AT_READ_BACK)
        return kn_fail_at(ctx, KANON_E_IO, "sick", 0, "unreadable");
    return s->inner->read_back(s->inner->user, ctx, back);
}

static kanon_status
sick_commit(void *user, kanon_ctx *ctx)
{
    sick *s = user;

    if (s->at == AT_COMMIT)
        return kn_fail_at(ctx, KANON_E_IO, "sick", 0, "no rename");
    s->committed = true;
    return s->inner->commit(s->inner->user, ctx);
}

static void
sick_abandon(void *user)
{
    sick *s = user;

    s->abandoned = true;
    s->inner->abandon(s->inner->user);
}

/* @return the writes that the job made */
static size_t
try_sick(trouble at, size_t fail_write, kanon_status expected)
{
    job           j = { NULL, { "qi", "a", "k", "2", "hierarchy", "a=range:10" } };
    kanon_ctx    *ctx = plain_ctx();
    sick          s = { NULL, at, 0, fail_write, false, false, false };
    kanon_sink    sink = { sizeof sink,    "sick",      &s,           sick_begin, sick_write,
                           sick_read_back, sick_commit, sick_abandon, NULL };
    kanon_source *source = NULL;
    kanon_result *result;
    kn_text       text;

    kn_text_init(&text, ctx);
    add_plain_rows(&text, 20);
    CHECK_OK(ctx, kanon_source_memory(ctx, "table.csv", text.ptr, text.len, &source));
    CHECK_OK(ctx, kanon_sink_memory(ctx, &s.inner));
    CHECK_STATUS(ctx, run_between(ctx, &j, source, &sink, &result), expected);
    if (expected != KANON_OK) {
        CHECK(result == NULL && s.abandoned && !s.committed);
        CHECK_EQ_U64(committed(s.inner), 0);
    } else {
        CHECK(result != NULL && s.committed && committed(s.inner) > 0);
    }
    kanon_result_free(result);
    kanon_sink_free(s.inner);
    kanon_source_free(source);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
    return s.writes;
}

TEST(a_sink_that_fails_leaves_nothing)
{
    size_t writes = try_sick(AT_WRITE, 0, KANON_OK);

    CHECK(writes > 1);
    for (size_t n = 1; n <= writes; n++)
        try_sick(AT_WRITE, n, KANON_E_IO);
    try_sick(AT_BEGIN, 0, KANON_E_IO);
    try_sick(AT_READ_BACK, 0, KANON_E_IO);
    try_sick(AT_COMMIT, 0, KANON_E_IO);
}

TEST(a_sink_that_loses_bytes_is_found_out)
{
    size_t writes = try_sick(AT_WRITE, 0, KANON_OK);

    for (size_t n = 1; n <= writes; n++) /* the first is the header: a row is taken for it */
        try_sick(AT_LOSING_BYTES, n, KANON_E_VERIFY);
}

/* --- cancelling ------------------------------------------------------------------------------- */

typedef struct countdown {
    size_t calls, stop_at;
} countdown;

static int
count_down(void *user, const kanon_progress *progress)
{
    countdown *c = user;

    CHECK_EQ_U64(progress->size, sizeof *progress);
    CHECK(progress->stage && progress->fraction <= 1);
    return ++c->calls == c->stop_at;
}

TEST(a_job_can_be_cancelled_at_every_stage)
{
    size_t     stages = 0;
    kn_text    text;
    kanon_ctx *plain = plain_ctx();

    kn_text_init(&text, plain);
    add_plain_rows(&text, 9000);
    for (size_t stop = 1;; stop++) {
        countdown         c = { 0, stop };
        kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
        job               j = { text.ptr, { "qi", "a", "k", "2", "algorithm", "kgen" } };
        kanon_ctx        *ctx = NULL;
        kanon_sink       *sink;
        kanon_result     *result;
        kanon_status      rc;

        options.progress = count_down;
        options.progress_user = &c;
        CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
        rc = run_job(ctx, &j, &sink, &result);
        if (c.calls >= stop) {
            CHECK_STATUS(ctx, rc, KANON_E_CANCELLED);
            CHECK(result == NULL);
            CHECK_EQ_U64(committed(sink), 0);
            stages++;
        } else {
            CHECK_STATUS(ctx, rc, KANON_OK);
            CHECK_EQ_U64(committed(sink), text.len);
        }
        kanon_result_free(result);
        kanon_sink_free(sink);
        kanon_ctx_free(ctx);
        if (rc == KANON_OK)
            break;
    }
    CHECK(stages >= 4); /* read, search, write, verify */
    kn_text_fini(&text);
    kanon_ctx_free(plain);
}

/* --- failing memory --------------------------------------------------------------------------- */

static const char sweep_table[] =
    "name,age,zip,ill\nA,21,801,x\nB,22,802,y\nC,23,801,x\nD,41,901,?\nE,42,902,y\n"
    "F,43,901,z\nG,99,999,z\n";

static kanon_status
write_reports(kanon_ctx *ctx, const kanon_result *result)
{
    kanon_status rc = KANON_OK;
    kanon_sink  *sink = NULL;

    for (kanon_format format = KANON_FORMAT_JSON; format <= KANON_FORMAT_TEXT; format++) {
        KN_TRY(kanon_sink_memory(ctx, &sink));
        KN_TRY(kanon_result_write(ctx, result, format, sink));
        kanon_sink_free(sink);
        sink = NULL;
    }
out:
    CHECK(rc == KANON_OK || committed(sink) == 0);
    kanon_sink_free(sink);
    return rc;
}

static kanon_status
anonymize_once(kanon_ctx *ctx, void *user)
{
    job           j = { sweep_table, { "qi",          "age,zip",
                                       "id",          "name",
                                       "sensitive",   "ill",
                                       "k",           "2",
                                       "suppression", "0.3",
                                       "suppressed",  "mask",
                                       "algorithm",   user,
                                       "hierarchy",   "age=range:5,10",
                                       "hierarchy",   "zip=mask:right",
                                       "metric",      strcmp(user, "kgen") == 0 ? "cm" : "glm",
                                       "threads",     "2" } };
    kanon_sink   *sink;
    kanon_result *result;
    kanon_status  rc = run_job(ctx, &j, &sink, &result);

    CHECK((rc == KANON_OK) == (result != NULL));
    CHECK((rc == KANON_OK) == (committed(sink) > 0));
    if (rc == KANON_OK)
        rc = write_reports(ctx, result);
    kanon_result_free(result);
    kanon_sink_free(sink);
    return rc;
}

TEST(anonymizing_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(anonymize_once, "exhaustive") > 50);
    CHECK(failing_alloc_sweep(anonymize_once, "kgen") > 50);
}

static kanon_status
infeasible_once(kanon_ctx *ctx, void *user)
{
    job           j = { "a,b\n1,x\n", { "qi", "a", "k", "2" } };
    kanon_sink   *sink;
    kanon_result *result;
    kanon_status  rc = run_job(ctx, &j, &sink, &result);

    KN_UNUSED(user);
    CHECK_EQ_U64(committed(sink), 0);
    kanon_result_free(result);
    kanon_sink_free(sink);
    return rc;
}

TEST(an_infeasible_job_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(infeasible_once, NULL) > 20);
}

static kanon_status
check_once(kanon_ctx *ctx, void *user)
{
    job           j = { sweep_table, { "qi", "age,zip", "sensitive", "ill", "wildcard", "true" } };
    kanon_status  rc = KANON_OK;
    kanon_config *config = NULL;
    kanon_source *source = NULL;
    kanon_check  *check = NULL;
    kanon_sink   *sink = NULL;

    KN_UNUSED(user);
    KN_TRY(configure(ctx, &j, &config));
    KN_TRY(kanon_source_memory(ctx, "table.csv", j.csv, strlen(j.csv), &source));
    KN_TRY(kanon_check_run(ctx, config, source, &check));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_check_write(ctx, check, KANON_FORMAT_TEXT, sink));
out:
    CHECK(rc == KANON_OK || committed(sink) == 0);
    kanon_check_free(check);
    kanon_sink_free(sink);
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

TEST(checking_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(check_once, NULL) > 20);
}

static kanon_status
build_once(kanon_ctx *ctx, void *user)
{
    job              j = { sweep_table, { "hierarchy", user } };
    kanon_status     rc = KANON_OK;
    kanon_config    *config = NULL;
    kanon_source    *source = NULL;
    kanon_sink      *sink = NULL;
    kanon_hierarchy *h = NULL;
    char             column[8] = { 0 };

    memcpy(column, user, 3);
    KN_TRY(configure(ctx, &j, &config));
    KN_TRY(kanon_source_memory(ctx, "table.csv", j.csv, strlen(j.csv), &source));
    KN_TRY(kanon_hierarchy_build(ctx, config, source, column, &h));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_hierarchy_write(ctx, h, sink));
out:
    CHECK(rc == KANON_OK || committed(sink) == 0);
    kanon_hierarchy_free(h);
    kanon_sink_free(sink);
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

TEST(building_a_hierarchy_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(build_once, "age=range:5,10") > 10);
    CHECK(failing_alloc_sweep(build_once, "zip=mask:right") > 10);
    CHECK(failing_alloc_sweep(build_once, "ill=order:2") > 10);
}

static kanon_status
start_once(kanon_ctx *ctx, void *user)
{
    kanon_status  rc = KANON_OK;
    kanon_source *source = NULL;
    kanon_sink   *sink = NULL;

    KN_UNUSED(user);
    KN_TRY(kanon_source_memory(ctx, "table.csv", sweep_table, strlen(sweep_table), &source));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_starter_write(ctx, NULL, source, sink));
out:
    CHECK(rc == KANON_OK || committed(sink) == 0);
    kanon_sink_free(sink);
    kanon_source_free(source);
    return rc;
}

TEST(a_starter_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(start_once, NULL) > 10);
}

static kanon_status
read_once(kanon_ctx *ctx, void *user)
{
    static const char yaml[] =
        "k: 3\nsuppression: 2%\nparams: {population: 5}\nmissing: ['', x]\nattributes:\n"
        "  age: {role: quasi, type: number, hierarchy: {range: [5, 10]}}\n"
        "  zip: {role: quasi, hierarchy: {mask: right}}\n  ill: {role: sensitive}\n";
    kanon_status  rc = KANON_OK;
    kanon_config *config = NULL;
    kanon_source *source = NULL;

    KN_UNUSED(user);
    KN_TRY(kanon_config_new(ctx, &config));
    KN_TRY(kanon_source_memory(ctx, "job.yaml", yaml, strlen(yaml), &source));
    KN_TRY(kanon_config_read(config, source, "folder"));
out:
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

TEST(reading_a_config_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(read_once, NULL) > 5);
}
