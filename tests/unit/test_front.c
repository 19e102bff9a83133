/* SPDX-License-Identifier: Apache-2.0 */
/* test_front.c -- fronts through the public interface: what the job answers, its formats, a point that is
 * picked and what is refused about it, every allocation failing in turn. */
#include "config/json_read.h"
#include "failing_alloc.h"
#include "job_fixture.h"
#include "kanon/kanon.h"

static const char TABLE[] =
    "age,sex,ill\n"
    "21,F,a\n22,F,b\n23,M,a\n31,M,c\n32,F,a\n33,M,b\n41,F,c\n42,F,a\n43,M,a\n"
    "44,M,b\n51,F,c\n52,F,b\n53,M,a\n54,M,c\n55,F,a\n56,F,b\n";

static const job FRONT = { TABLE,
                           { "qi", "age,sex", "sensitive", "ill", "hierarchy", "age=range:5,10,20",
                             "suppression", "0.1", "objectives", "k,l,glm" } };

static kanon_status
find_front(kanon_ctx *ctx, const job *j, kanon_front **out)
{
    kanon_status  rc = KANON_OK;
    kanon_config *config = NULL;
    kanon_source *source = NULL;

    *out = NULL;
    KN_TRY(kanon_source_memory(ctx, "table.csv", j->csv, strlen(j->csv), &source));
    KN_TRY(configure(ctx, j, &config));
    KN_TRY(kanon_pareto(ctx, config, source, out));
out:
    kanon_config_free(config);
    kanon_source_free(source);
    return rc;
}

static kanon_status
write_front(kanon_ctx *ctx, const kanon_front *front, kanon_format format, kanon_sink **sink)
{
    kanon_status rc = kanon_sink_memory(ctx, sink);

    return rc < 0 ? rc : kanon_front_write(ctx, front, format, NULL, *sink);
}

/* A front as JSON text; the caller frees it. */
static char *
front_text(kanon_ctx *ctx, const job *j)
{
    kanon_front *front = NULL;
    kanon_sink  *sink = NULL;
    size_t       count;
    const char  *bytes;
    char        *text;

    CHECK_OK(ctx, find_front(ctx, j, &front));
    CHECK_OK(ctx, write_front(ctx, front, KANON_FORMAT_JSON, &sink));
    bytes = kanon_sink_bytes(sink, &count);
    text = malloc(count + 1);
    CHECK(text != NULL);
    memcpy(text, bytes, count);
    text[count] = 0;
    kanon_sink_free(sink);
    kanon_front_free(front);
    return text;
}

/* --- what the job answers ----------------------------------------------------------------------------- */

TEST(a_front_tells_its_points)
{
    kanon_ctx   *ctx = plain_ctx();
    kanon_front *front = NULL;
    double       k, before = 0, glm;

    CHECK_OK(ctx, find_front(ctx, &FRONT, &front));
    CHECK(kanon_front_exact(front));
    CHECK(kanon_front_count(front) >= 3);
    for (size_t i = 0; i < kanon_front_count(front); i++) {
        CHECK_OK(ctx, kanon_front_value(front, i, "k", &k));
        CHECK_OK(ctx, kanon_front_value(front, i, "glm", &glm));
        CHECK(k >= before && glm >= 0 && glm <= 1);
        before = k;
    }
    CHECK(before == 16);
    CHECK_EQ_I64(kanon_front_level(front, kanon_front_count(front) - 1, "sex"), 1);
    CHECK_EQ_I64(kanon_front_level(front, 0, "age"), 0);
    CHECK_EQ_I64(kanon_front_level(front, 0, "nobody"), -1);
    CHECK_EQ_I64(kanon_front_value(front, 0, "dm", &k), KANON_E_INVALID);
    CHECK_EQ_I64(kanon_front_value(front, 999, "k", &k), KANON_E_INVALID);
    kanon_front_free(front);
    kanon_ctx_free(ctx);
}

static void
check_refused(const char *name, const char *value, const char *message)
{
    job          j = FRONT;
    kanon_ctx   *ctx = plain_ctx();
    kanon_front *front = NULL;

    j.settings[8] = name;
    j.settings[9] = value;
    CHECK(find_front(ctx, &j, &front) < 0);
    if (!strstr(kanon_ctx_message(ctx), message))
        FAIL("the message is \"%s\", expected \"%s\"", kanon_ctx_message(ctx), message);
    kanon_ctx_free(ctx);
}

TEST(what_cannot_be_a_front_is_refused_in_words)
{
    check_refused("objectives", "k", "at least two");
    check_refused("objectives", "k,gml", "did you mean 'glm'");
    check_refused("objectives", "k,nothing-like-it", "expected some of k, l, glm");
    check_refused("objectives", "k,k", "each objective once");
    check_refused("objectives", "k,glm:age", "uses no column");
    check_refused("objectives", "k,l:age", "does not name a sensitive column");
    check_refused("objectives", "k,l:agee", "did you mean 'age'?");
    check_refused("objectives", "k,l,glm,cm,dm,log,los,s_k,s_l", "at most 8");
    check_refused("boxes", "dm=3", "not one of the objectives");
    check_refused("boxes", "k=x", "a number of at least 0");
    check_refused("boxes", "k=1,glm", "pairs such as");
    check_refused("algorithm", "kgen", "expected auto, exact or pbg-ea");
}

TEST(a_property_without_its_column_is_refused)
{
    job          j = { TABLE, { "qi", "age,sex", "objectives", "k,l" } };
    kanon_ctx   *ctx = plain_ctx();
    kanon_front *front = NULL;

    CHECK_EQ_I64(find_front(ctx, &j, &front), KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(ctx), "--sensitive") != NULL);
    kanon_ctx_free(ctx);
}

TEST(a_table_without_rows_has_a_front_of_one_point)
{
    job          j = { "age,sex\n",
                       { "qi", "age,sex", "header", "yes", "objectives", "k,log", "delimiter", "," } };
    kanon_ctx   *ctx = plain_ctx();
    kanon_front *front = NULL;

    CHECK_OK(ctx, find_front(ctx, &j, &front));
    CHECK_EQ_U64(kanon_front_count(front), 1);
    kanon_front_free(front);
    kanon_ctx_free(ctx);
}

/* --- formats -------------------------------------------------------------------------------------- */

TEST(every_format_is_written_and_tells_every_point)
{
    static const char *const marks[KANON_FORMATS] = {
        [KANON_FORMAT_JSON] = "\"front\": [",
        [KANON_FORMAT_CSV] = "pick,k,l,glm,knee",
        [KANON_FORMAT_HTML] = "<!doctype html>",
        [KANON_FORMAT_TEXT] = "Pareto front of k",
        [KANON_FORMAT_DETAILS] = "Pareto front of k"
    };
    kanon_ctx   *ctx = plain_ctx();
    kanon_front *front = NULL;

    CHECK_OK(ctx, find_front(ctx, &FRONT, &front));
    for (int format = KANON_FORMAT_JSON; format < KANON_FORMATS; format++) {
        kanon_sink *sink = NULL;
        const char *bytes;
        size_t      count;

        CHECK_OK(ctx, write_front(ctx, front, (kanon_format) format, &sink));
        bytes = kanon_sink_bytes(sink, &count);
        CHECK(count > 0 && memmem(bytes, count, marks[format], strlen(marks[format])) != NULL);
        CHECK(memmem(bytes, count, "@DATA@", 6) == NULL);
        kanon_sink_free(sink);
    }
    kanon_front_free(front);
    kanon_ctx_free(ctx);
}

/* --- a point that is picked ----------------------------------------------------------------------- */

static kanon_status
release_pick(kanon_ctx *ctx, const char *front, size_t pick, const job *j, kanon_result **result)
{
    kanon_status  rc = KANON_OK;
    kanon_config *config = NULL;
    kanon_source *table = NULL, *source = NULL;
    kanon_sink   *sink = NULL;

    *result = NULL;
    KN_TRY(kanon_source_memory(ctx, "front.json", front, strlen(front), &source));
    KN_TRY(kanon_source_memory(ctx, "table.csv", j->csv, strlen(j->csv), &table));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_config_new(ctx, &config));
    KN_TRY(kanon_config_pick(config, source, pick));
    KN_TRY(kanon_config_set(config, "others", "keep"));
    for (size_t i = 0; j->settings[i]; i += 2)
        KN_TRY(kanon_config_set(config, j->settings[i], j->settings[i + 1]));
    KN_TRY(kanon_anonymize(ctx, config, table, sink, result));
out:
    kanon_config_free(config);
    kanon_source_free(table);
    kanon_source_free(source);
    kanon_sink_free(sink);
    return rc;
}

TEST(a_picked_point_is_released_as_the_front_says)
{
    static const job nothing = { TABLE, { NULL } };
    kanon_ctx       *ctx = plain_ctx();
    kanon_front     *front = NULL;
    char            *text = front_text(ctx, &FRONT);

    CHECK_OK(ctx, find_front(ctx, &FRONT, &front));
    for (size_t i = 0; i < kanon_front_count(front); i++) {
        kanon_result *result = NULL;
        double        glm, measured;

        CHECK_OK(ctx, release_pick(ctx, text, i + 1, &nothing, &result));
        CHECK_EQ_I64(kanon_result_level(result, "age"), kanon_front_level(front, i, "age"));
        CHECK_EQ_I64(kanon_result_level(result, "sex"), kanon_front_level(front, i, "sex"));
        CHECK_OK(ctx, kanon_front_value(front, i, "glm", &glm));
        CHECK_OK(ctx, kanon_result_metric(result, "glm", &measured));
        CHECK_NEAR(glm, measured, 1e-9);
        CHECK(kanon_result_outcome(result) == KANON_FEASIBLE);
        kanon_result_free(result);
    }
    kanon_front_free(front);
    free(text);
    kanon_ctx_free(ctx);
}

static void
check_pick(const char *front, size_t pick, const job *j, const char *message)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *result = NULL;

    CHECK(release_pick(ctx, front, pick, j, &result) < 0);
    if (!strstr(kanon_ctx_message(ctx), message))
        FAIL("the message is \"%s\", expected \"%s\"", kanon_ctx_message(ctx), message);
    kanon_result_free(result);
    kanon_ctx_free(ctx);
}

TEST(a_point_of_another_problem_is_refused)
{
    static const job same = { TABLE, { NULL } };
    static const job other_table = { "age,sex,ill\n21,F,a\n22,M,b\n", { NULL } };
    static const job more_columns = { TABLE, { "qi", "ill", NULL } };
    static const job higher = { TABLE, { "hierarchy", "age=range:5,10,20,40", NULL } };
    static const job other_groups = { TABLE, { "hierarchy", "age=range:6,12,24", NULL } };
    static const job more_k = { TABLE, { "k", "15", NULL } };
    kanon_ctx       *ctx = plain_ctx();
    char            *text = front_text(ctx, &FRONT);

    check_pick(text, 999, &same, "the points 1 to");
    check_pick(text, 1, &other_table, "another table");
    check_pick(text, 1, &more_columns, "other quasi-identifiers");
    check_pick(text, 1, &higher, "levels here and");
    check_pick(text, 1, &other_groups, "another hierarchy");
    check_pick(text, 2, &more_k, "pick a point that reaches 15, or accept it with -k 3");
    check_pick("{}", 1, &same, "not a front, or one of another version");
    check_pick("[1]", 1, &same, "no '{' here");
    check_pick("{\"schema\": 2}", 1, &same, "not a front, or one of another version");
    free(text);
    kanon_ctx_free(ctx);
}

/* Whatever is cut off or changed in it: refused or released, never worse. */
TEST(a_front_that_is_damaged_does_no_harm)
{
    static const job same = { TABLE, { NULL } };
    kanon_ctx       *ctx = plain_ctx();
    char            *text = front_text(ctx, &FRONT), *copy = strdup(text);
    size_t           length = strlen(text);

    while (text[length - 1] == '\n') /* without its last line end it is still whole */
        text[--length] = 0;
    for (size_t at = 0; at < length; at += 7) {
        kanon_ctx    *mine = plain_ctx();
        kanon_result *result = NULL;

        memcpy(copy, text, length + 1);
        copy[at] = at % 2 ? '}' : '9';
        (void) release_pick(mine, copy, 2, &same, &result);
        kanon_result_free(result);
        result = NULL;
        copy[at] = 0;
        CHECK(release_pick(mine, copy, 2, &same, &result) < 0);
        kanon_result_free(result);
        kanon_ctx_free(mine);
    }
    free(copy);
    free(text);
    kanon_ctx_free(ctx);
}

/* --- reading JSON --------------------------------------------------------------------------------- */

static kanon_status
read_string(kanon_ctx *ctx, const char *json, kn_text *out)
{
    kn_json_in in;

    kn_json_in_init(&in, ctx, "j", kn_str_of(json));
    return kn_json_in_string(&in, out);
}

TEST(texts_of_json_are_read_with_their_escapes)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    text;

    kn_text_init(&text, ctx);
    CHECK_OK(ctx, read_string(ctx, " \"a\\u00e9\\ud83d\\ude00\\n\\\"\\/\"", &text));
    CHECK_STR(text.ptr, "a\xc3\xa9\xf0\x9f\x98\x80\n\"/");
    CHECK_OK(ctx, read_string(ctx, "\"\"", &text));
    CHECK_STR(text.ptr, "");
    CHECK(read_string(ctx, "\"\\ud83d\"", &text) < 0);
    CHECK(read_string(ctx, "\"\\u12\"", &text) < 0);
    CHECK(read_string(ctx, "\"\\x\"", &text) < 0);
    CHECK(read_string(ctx, "\"open", &text) < 0);
    CHECK(read_string(ctx, "\"two\nlines\"", &text) < 0);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

TEST(values_of_json_are_skipped_whole)
{
    static const char json[] = "{\"a\": [1, {\"b\": [true, null, -1.5e3]}, \"x]}\"], \"c\": 7}";
    kanon_ctx        *ctx = plain_ctx();
    kn_json_in        in;
    kn_text           key;
    kn_str            span;
    uint64_t          seven;
    bool              more;

    kn_text_init(&key, ctx);
    kn_json_in_init(&in, ctx, "j", kn_str_of(json));
    CHECK_OK(ctx, kn_json_in_object(&in));
    CHECK_OK(ctx, kn_json_in_key(&in, &key, &more));
    CHECK_STR(key.ptr, "a");
    CHECK_OK(ctx, kn_json_in_skip(&in, &span));
    CHECK_PIECE(span, "[1, {\"b\": [true, null, -1.5e3]}, \"x]}\"]");
    CHECK_OK(ctx, kn_json_in_key(&in, &key, &more));
    CHECK_OK(ctx, kn_json_in_count(&in, &seven));
    CHECK_EQ_U64(seven, 7);
    CHECK_OK(ctx, kn_json_in_key(&in, &key, &more));
    CHECK(!more);
    kn_text_fini(&key);
    kanon_ctx_free(ctx);
}

/* --- every allocation fails in turn --------------------------------------------------------------- */

static kanon_status
front_and_pick(kanon_ctx *ctx, void *user)
{
    static const job nothing = { TABLE, { "threads", "1", NULL } };
    const job       *j = user;
    kanon_status     rc = KANON_OK;
    kanon_front     *front = NULL;
    kanon_sink      *json = NULL, *other = NULL;
    kanon_result    *result = NULL;
    char            *text = NULL;
    size_t           count;
    const void      *bytes;

    KN_TRY(find_front(ctx, j, &front));
    KN_TRY(write_front(ctx, front, KANON_FORMAT_JSON, &json));
    bytes = kanon_sink_bytes(json, &count);
    text = calloc(count + 1, 1);
    memcpy(text, bytes, count);
    KN_TRY(write_front(ctx, front, KANON_FORMAT_TEXT, &other));
    kanon_sink_free(other);
    other = NULL;
    KN_TRY(write_front(ctx, front, KANON_FORMAT_HTML, &other));
    KN_TRY(release_pick(ctx, text, 2, &nothing, &result));
out:
    free(text);
    kanon_result_free(result);
    kanon_sink_free(json);
    kanon_sink_free(other);
    kanon_front_free(front);
    return rc;
}

TEST(memory_that_runs_out_leaves_nothing_behind)
{
    job exact = FRONT, evolved = FRONT, climbed = FRONT;

    exact.settings[10] = evolved.settings[10] = climbed.settings[10] = "threads";
    exact.settings[11] = evolved.settings[11] = climbed.settings[11] = "1";
    CHECK(failing_alloc_sweep(front_and_pick, &exact) > 100);
    evolved.settings[12] = "algorithm";
    evolved.settings[13] = "pbg-ea";
    CHECK(failing_alloc_sweep(front_and_pick, &evolved) > 100);
    climbed.settings[9] = "k,log";
    CHECK(failing_alloc_sweep(front_and_pick, &climbed) > 100);
}
