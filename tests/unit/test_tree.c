/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree.c -- src/result: the descriptions are whole, the published schemas are theirs, and a path finds
 * what the JSON tells, all of it and nothing else. */
#include "config/json_read.h"
#include "job_fixture.h"
#include "result/check.h"
#include "result/result.h"
#include "result/tree.h"

/* --- descriptions -------------------------------------------------------------------------------------- */

static bool
same_name(const kn_field *a, const kn_field *b)
{
    return a->name && b->name && strcmp(a->name, b->name) == 0;
}

static void
check_field(const char *document, const kn_described *shape, const kn_field *f)
{
    bool container = f->type == KN_AS_OBJECT || f->type == KN_AS_LIST || f->type == KN_AS_MAP
                  || f->type == KN_AS_SPREAD;

    if (!f->meaning[0])
        FAIL("%s: %s.%s: what does it mean?", document, shape->name, f->name);
    if (f->seen != KN_INSIDE && f->seen != KN_OUTSIDE && f->seen != KN_BOTH)
        FAIL("%s: %s.%s: who may see it?", document, shape->name, f->name);
    if (!f->name != (f->type == KN_AS_SPREAD))
        FAIL("%s: %s: a field without a name", document, shape->name);
    if ((f->type == KN_AS_OBJECT && !f->shape) || (f->type == KN_AS_CHOICE && !f->words)
        || ((f->type == KN_AS_MAP || f->type == KN_AS_SPREAD) != (f->entry != NULL))
        || (f->type == KN_AS_LIST && !f->stride))
        FAIL("%s: %s.%s: the row is not complete", document, shape->name, f->name);
    if (!container && f->type != KN_AS_FIXED && !f->get && f->stored == KN_AT_NOTHING)
        FAIL("%s: %s.%s: where does its value come from?", document, shape->name, f->name);
    for (const kn_field *g = shape->fields; g < f; g++)
        if (same_name(f, g) && f->seen & g->seen)
            FAIL("%s: %s.%s: described twice for one edition", document, shape->name, f->name);
}

static void
check_shape(const char *document, const kn_described *shape, unsigned depth)
{
    CHECK(depth < KN_JSON_DEPTH_MOST && shape->name && shape->name[0]);
    for (const kn_field *f = shape->fields; f->meaning; f++) {
        check_field(document, shape, f);
        if (f->shape)
            check_shape(document, f->shape, depth + 1);
    }
}

TEST(every_field_says_what_it_is_and_who_may_see_it)
{
    for (size_t i = 0; i < kn_ndocuments; i++)
        check_shape(kn_documents[i].name, kn_documents[i].shape, 0);
}

/* What outsiders may see, written down once more: whoever lets them see more says so here as well. */
static const char *const outside[] = {
    "kanon",
    "schema",
    "audience",
    "released",
    "verdict",
    "verdict.promised",
    "verdict.not_promised",
    "output",
    "output.file",
    "output.hash",
    "output.hash.algorithm",
    "output.hash.hex",
    "parameters",
    "parameters.k",
    "parameters.suppressed",
    "parameters.models",
    "parameters.models.model",
    "parameters.models.column",
    "parameters.models.*",
    "solution",
    "solution.k",
    "solution.classes",
    "solution.released_rows",
    "solution.suppressed_rows",
    "solution.suppressed_rows.about",
    "solution.suppressed_rows.fewer_than",
    "solution.information_lost",
    "columns",
    "columns.name",
    "columns.role",
    "columns.values",
    "columns.information_lost",
    "risk",
    "risk.prosecutor_max",
    "risk.prosecutor_mean",
    "risk.uniques",
    "risk.rows",
    "risk.classes",
    "risk.smallest_class",
    "risk.largest_class",
    "risk.below_2",
    "risk.below_5",
    "risk.below_10",
    "class_sizes",
    "class_sizes.from",
    "class_sizes.to",
    "class_sizes.rows",
    "class_sizes.rows.fewer_than",
    "class_sizes.rows.about",
    "profile",
    "profile.name",
    "profile.title",
    "profile.source",
    "profile.requirements",
    "profile.requirements.section",
    "profile.requirements.requirement",
    "profile.requirements.source",
    "profile.requirements.status",
};

static void
check_outside(const kn_described *shape, const char *prefix, size_t *at)
{
    for (const kn_field *f = shape->fields; f->meaning; f++) {
        char path[200];

        if (!(f->seen & KN_OUTSIDE))
            continue;
        snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] ? "." : "",
                 f->name ? f->name : "*");
        CHECK(*at < KN_COUNT(outside));
        CHECK_STR(path, outside[*at]);
        ++*at;
        if (f->shape)
            check_outside(f->shape, path, at);
    }
}

TEST(outsiders_see_what_is_listed_and_nothing_else)
{
    size_t at = 0, documents = 0;

    for (size_t i = 0; i < kn_ndocuments; i++)
        if (kn_documents[i].edition == KN_OUTSIDE) {
            CHECK_STR(kn_documents[i].name, "report-external");
            check_outside(kn_documents[i].shape, "", &at);
            documents++;
        }
    CHECK_EQ_U64(documents, 1);
    CHECK_EQ_U64(at, KN_COUNT(outside));
}

/* --- schemas ------------------------------------------------------------------------------------------- */

TEST(published_schemas_are_those_of_the_descriptions)
{
    for (size_t i = 0; kanon_schema_at(i); i++) {
        kanon_ctx  *ctx = plain_ctx();
        kanon_sink *sink = NULL;
        const void *made;
        char        path[512], known[200000];
        size_t      length, known_length;
        FILE       *file;

        snprintf(path, sizeof path, "%s/docs/%s.schema.json", KANON_SOURCE_DIR, kanon_schema_at(i));
        CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
        CHECK_OK(ctx, kanon_schema_write(ctx, kanon_schema_at(i), sink));
        made = kanon_sink_bytes(sink, &length);
        file = fopen(path, "rb");
        known_length = file ? fread(known, 1, sizeof known, file) : 0;
        if (file)
            fclose(file);
        if (known_length != length || memcmp(made, known, length) != 0)
            FAIL("docs/%s.schema.json is stale: make schemas", kanon_schema_at(i));
        kanon_sink_free(sink);
        kanon_ctx_free(ctx);
    }
}

TEST(an_unknown_schema_is_refused)
{
    kanon_ctx  *ctx = plain_ctx();
    kanon_sink *sink = NULL;

    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK(kanon_schema_write(ctx, "reports", sink) == KANON_E_INVALID);
    CHECK(kanon_schema_write(ctx, NULL, sink) == KANON_E_INVALID);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

/* --- paths --------------------------------------------------------------------------------------------- */

typedef struct reader {
    kanon_ctx        *ctx;
    const kanon_tree *tree;
    kn_json_in        in;
    char              path[1000];
    size_t            leaves, external;
} reader;

static char
peek(reader *r)
{
    while (strchr(" \n\r\t,:", r->in.text.ptr[r->in.at]))
        r->in.at++;
    return r->in.text.ptr[r->in.at];
}

static size_t
add_step(reader *r, const char *format, const char *name)
{
    size_t length = strlen(r->path);

    CHECK(length + strlen(name) + 8 < sizeof r->path);
    snprintf(r->path + length, sizeof r->path - length, format, name);
    return length;
}

static void
check_leaf(reader *r, char first)
{
    kn_text     text;
    kn_str      span;
    double      number;
    const char *found;
    kanon_item  item;

    kn_text_init(&text, r->ctx);
    CHECK_OK(r->ctx, kanon_tree_find(r->tree, r->path, &item));
    if (first == '"') {
        CHECK_OK(r->ctx, kn_json_in_string(&r->in, &text));
        CHECK_OK(r->ctx, kanon_tree_text(r->tree, r->path, &found));
        CHECK_STR(found, text.len ? text.ptr : "");
        CHECK(item.kind == KANON_KIND_TEXT && kanon_tree_number(r->tree, r->path, &number) < 0);
    } else {
        CHECK_OK(r->ctx, kn_json_in_skip(&r->in, &span));
        CHECK_OK(r->ctx, kanon_tree_number(r->tree, r->path, &number));
        if (first == 'n')
            CHECK(isnan(number) && item.kind == KANON_KIND_NULL);
        else if (first == 't' || first == 'f')
            CHECK(number == (first == 't') && item.kind == KANON_KIND_TRUTH);
        else
            CHECK(number == strtod(span.ptr, NULL));
        if (item.kind == KANON_KIND_COUNT)
            CHECK_EQ_U64(item.integer, strtoull(span.ptr, NULL, 10));
        CHECK(first == 'n' || kanon_tree_text(r->tree, r->path, &found) == KANON_E_INVALID);
    }
    r->leaves++;
    r->external += item.audience == KANON_AUDIENCE_EXTERNAL;
    kn_text_fini(&text);
}

/* Every value of the JSON that is read is found by its path. */
static void
check_value(reader *r)
{
    char   first = peek(r);
    size_t items = 0, length;
    bool   more;

    if (first != '{' && first != '[') {
        check_leaf(r, first);
        return;
    }
    CHECK_OK(r->ctx, first == '{' ? kn_json_in_object(&r->in) : kn_json_in_array(&r->in));
    for (;; items++) {
        kanon_item item;
        kn_text    key;
        char       number[24];

        kn_text_init(&key, r->ctx);
        CHECK_OK(r->ctx, first == '{' ? kn_json_in_key(&r->in, &key, &more)
                                      : kn_json_in_item(&r->in, &more));
        if (!more) {
            kn_text_fini(&key);
            break;
        }
        CHECK_OK(r->ctx, kanon_tree_item(r->tree, r->path, items, &item));
        if (first == '{')
            CHECK_STR(item.name, key.len ? key.ptr : "");
        else
            CHECK(!item.name);
        snprintf(number, sizeof number, "%zu", items);
        length = first == '[' ? add_step(r, "[%s]", number)
               : !key.len || strpbrk(key.ptr, ".[\"")
                   ? add_step(r, "[\"%s\"]", key.ptr)
                   : add_step(r, r->path[0] ? ".%s" : "%s", key.ptr);
        check_value(r);
        r->path[length] = 0;
        kn_text_fini(&key);
    }
    CHECK_EQ_U64(kanon_tree_count(r->tree, r->path), items);
    CHECK(kanon_tree_item(r->tree, r->path, items, &(kanon_item){ .name = NULL })
          == KANON_E_INVALID);
}

/* Leaves of the JSON of a tree, all of them found. */
static reader
check_reachable(kanon_ctx *ctx, const kanon_tree *tree, kn_str json)
{
    reader r = { .ctx = ctx, .tree = tree };

    kn_json_in_init(&r.in, ctx, "report.json", json);
    check_value(&r);
    CHECK_OK(ctx, kn_json_in_end(&r.in));
    CHECK(r.leaves > 5);
    return r;
}

/* The sink holds the JSON. */
static void
check_sink(kanon_ctx *ctx, const kanon_tree *tree, kanon_sink *sink)
{
    kn_str json;

    json.ptr = kanon_sink_bytes(sink, &json.len);
    check_reachable(ctx, tree, json);
    kanon_sink_free(sink);
}

#define PEOPLE                                                                                     \
    "age,sex,home.town,who,ill\n34,M,Ulm,a,flu\n35,M,Ulm,b,flu\n36,F,Bonn,c,asthma\n"              \
    "36,F,Bonn,d,flu\n34,M,Ulm,e,cold\n35,F,Bonn,f,asthma\n"

static const job check_jobs[] = {
    { PEOPLE, { "qi", "age,sex", NULL } },
    { PEOPLE,
      { "qi", "sex,home.town", "sensitive", "ill", "id", "who", "k", "2", "l-diversity", "2",
        "wildcard", "yes", NULL } },
    { "age,ill\n", { "qi", "age", "sensitive", "ill", NULL } },
};

static kanon_check *
run_check(kanon_ctx *ctx, const job *j)
{
    kanon_config *config = NULL;
    kanon_source *source = NULL;
    kanon_check  *check = NULL;

    CHECK_OK(ctx, configure(ctx, j, &config));
    CHECK_OK(ctx, kanon_source_memory(ctx, "table.csv", j->csv, strlen(j->csv), &source));
    CHECK_OK(ctx, kanon_check_run(ctx, config, source, &check));
    kanon_source_free(source);
    kanon_config_free(config);
    return check;
}

TEST(a_check_is_read_by_path)
{
    for (size_t i = 0; i < KN_COUNT(check_jobs); i++) {
        kanon_ctx   *ctx = plain_ctx();
        kanon_check *check = run_check(ctx, &check_jobs[i]);
        kanon_sink  *sink = NULL;

        CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
        CHECK_OK(ctx, kanon_check_write(ctx, check, KANON_FORMAT_JSON, sink));
        check_sink(ctx, kanon_check_tree(check), sink);
        kanon_check_free(check);
        kanon_ctx_free(ctx);
    }
}

static const job compare_jobs[] = {
    { PEOPLE, { "qi", "age,sex,home.town", "id", "who", "label", "ill", "seed", "1", NULL } },
    { PEOPLE, { "qi", "age,sex", NULL } },
    { "age,ill\n", { "qi", "age", NULL } },
};

TEST(a_comparison_is_read_by_path)
{
    for (size_t i = 0; i < KN_COUNT(compare_jobs); i++) {
        const job        *j = &compare_jobs[i];
        kanon_ctx        *ctx = plain_ctx();
        kanon_config     *config = NULL;
        kanon_source     *source = NULL;
        kanon_comparison *comparison = NULL;
        kanon_sink       *sink = NULL;
        double            number = 0, same = 0;

        CHECK_OK(ctx, configure(ctx, j, &config));
        CHECK_OK(ctx, kanon_source_memory(ctx, "table.csv", j->csv, strlen(j->csv), &source));
        CHECK_OK(ctx, kanon_compare(ctx, config, source, source, NULL, &comparison));
        CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
        CHECK_OK(ctx, kanon_comparison_write(ctx, comparison, KANON_FORMAT_JSON, sink));
        check_sink(ctx, kanon_comparison_tree(comparison), sink);
        CHECK_OK(ctx, kanon_comparison_number(comparison, "rows_before", &number));
        CHECK_OK(ctx, kanon_comparison_number(comparison, "rows.before", &same));
        CHECK(number == same && number == (i == 2 ? 0 : 6));
        CHECK_OK(ctx, kanon_comparison_number(comparison, "accuracy_after", &number));
        CHECK(isnan(number) == (i > 0));
        kanon_comparison_free(comparison);
        kanon_source_free(source);
        kanon_config_free(config);
        kanon_ctx_free(ctx);
    }
}

static const job explain_jobs[] = {
    { PEOPLE,
      { "qi", "age,sex,home.town", "k", "2", "l-diversity", "2", "sensitive", "ill", NULL } },
    { PEOPLE, { "qi", "age,sex", "k", "7", NULL } },
    { PEOPLE, { "qi", "age,home.town", "k", "2", "algorithm", "mondrian", NULL } },
};

TEST(an_explanation_is_read_by_path)
{
    for (size_t i = 0; i < KN_COUNT(explain_jobs); i++) {
        const job         *j = &explain_jobs[i];
        kanon_ctx         *ctx = plain_ctx();
        kanon_config      *config = NULL;
        kanon_source      *source = NULL;
        kanon_explanation *explanation = NULL;
        kanon_sink        *sink = NULL;
        double             feasible;

        CHECK_OK(ctx, configure(ctx, j, &config));
        CHECK_OK(ctx, kanon_source_memory(ctx, "table.csv", j->csv, strlen(j->csv), &source));
        CHECK_OK(ctx, kanon_explain(ctx, config, source, &explanation));
        CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
        CHECK_OK(ctx, kanon_explanation_write(ctx, explanation, KANON_FORMAT_JSON, sink));
        check_sink(ctx, kanon_explanation_tree(explanation), sink);
        CHECK_OK(ctx, kanon_explanation_number(explanation, "feasible", &feasible));
        CHECK(feasible == (i != 1));
        kanon_explanation_free(explanation);
        kanon_source_free(source);
        kanon_config_free(config);
        kanon_ctx_free(ctx);
    }
}

static const job front_jobs[] = {
    { PEOPLE, { "qi", "age,sex,home.town", "objectives", "k,glm", NULL } },
    { PEOPLE, { "qi",          "age,sex",        "sensitive", "ill",           "objectives",
                "k,l:ill,log", "l-diversity",    "2",         "t-closeness",   "0.9",
                "hierarchy",   "age=range:5,10", "hierarchy", "sex=mask:left", "type",
                "age=number",  "weight",         "sex=2",     "label",         "ill",
                NULL } },
};

TEST(a_front_is_read_by_path)
{
    for (size_t i = 0; i < KN_COUNT(front_jobs); i++) {
        const job    *j = &front_jobs[i];
        kanon_ctx    *ctx = plain_ctx();
        kanon_config *config = NULL;
        kanon_source *source = NULL;
        kanon_front  *front = NULL;
        kanon_sink   *sink = NULL;
        double        level;

        CHECK_OK(ctx, configure(ctx, j, &config));
        CHECK_OK(ctx, kanon_source_memory(ctx, "table.csv", j->csv, strlen(j->csv), &source));
        CHECK_OK(ctx, kanon_pareto(ctx, config, source, &front));
        CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
        CHECK_OK(ctx, kanon_front_write(ctx, front, KANON_FORMAT_JSON, NULL, sink));
        check_sink(ctx, kanon_front_tree(front), sink);
        CHECK_OK(ctx, kanon_front_number(front, "front[0].levels.age", &level));
        CHECK(level == kanon_front_level(front, 0, "age"));
        kanon_front_free(front);
        kanon_source_free(source);
        kanon_config_free(config);
        kanon_ctx_free(ctx);
    }
}

static const job result_jobs[] = {
    { PEOPLE,
      { "qi", "age,sex,home.town", "sensitive", "ill", "id", "who", "k", "2", "l-diversity", "1.5",
        "l-kind", "entropy", "suppression", "0.4", "weight", "age=2", NULL } },
    { PEOPLE, { "qi", "age,home.town", "k", "2", "algorithm", "mondrian", "snap", "grid", NULL } },
    { PEOPLE, { "qi", "age,sex", "k", "7", "suppression", "0", NULL } },
    { "age,ill\n", { "qi", "age", "sensitive", "ill", "k", "2", NULL } },
};

static void
check_edition(kanon_ctx *ctx, kanon_result *r, kanon_audience edition)
{
    const kanon_tree *tree = kanon_result_tree(r, edition);
    kanon_sink       *sink = NULL;
    reader            read;
    kn_str            json;

    r->audience = edition == KANON_AUDIENCE_EXTERNAL ? KN_AUDIENCE_EXTERNAL : KN_AUDIENCE_INTERNAL;
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_result_write(ctx, r, KANON_FORMAT_JSON, sink));
    json.ptr = kanon_sink_bytes(sink, &json.len);
    read = check_reachable(ctx, tree, json);
    if (edition == KANON_AUDIENCE_EXTERNAL)
        CHECK_EQ_U64(read.external, read.leaves);
    else
        CHECK(read.external > 0 && read.external < read.leaves / 2);
    kanon_sink_free(sink);
}

TEST(both_editions_of_a_result_are_read_by_path)
{
    for (size_t i = 0; i < KN_COUNT(result_jobs); i++) {
        kanon_ctx    *ctx = plain_ctx();
        kanon_sink   *release = NULL;
        kanon_result *r = NULL;

        CHECK_OK(ctx, run_job(ctx, &result_jobs[i], &release, &r));
        check_edition(ctx, r, KANON_AUDIENCE_INTERNAL);
        check_edition(ctx, r, KANON_AUDIENCE_EXTERNAL);
        kanon_result_free(r);
        kanon_sink_free(release);
        kanon_ctx_free(ctx);
    }
}

TEST(a_result_tells_who_may_see_what)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *release = NULL;
    kanon_result *r = NULL;
    kanon_item    item;
    double        number, metric;
    const char   *text;

    CHECK_OK(ctx, run_job(ctx, &result_jobs[0], &release, &r));
    CHECK_OK(ctx,
             kanon_tree_find(kanon_result_tree(r, KANON_AUDIENCE_INTERNAL), "risk.rows", &item));
    CHECK(item.audience == KANON_AUDIENCE_EXTERNAL && item.kind == KANON_KIND_COUNT);
    CHECK_STR(item.meaning, "rows in all classes");
    /* the same name within the table's own risk */
    CHECK_OK(ctx, kanon_tree_find(kanon_result_tree(r, KANON_AUDIENCE_INTERNAL), "risk.before.rows",
                                  &item));
    CHECK(item.audience == KANON_AUDIENCE_INTERNAL && item.integer == 6);
    CHECK(kanon_tree_find(kanon_result_tree(r, KANON_AUDIENCE_EXTERNAL), "input.hash.hex", &item)
          == KANON_E_INVALID);
    CHECK_OK(ctx, kanon_result_number(r, "metrics.glm", &number));
    CHECK_OK(ctx, kanon_result_metric(r, "glm", &metric));
    CHECK(number == metric);
    CHECK_OK(ctx, kanon_result_number(r, "solution.levels[\"home.town\"]", &number));
    CHECK(number == kanon_result_level(r, "home.town"));
    CHECK_EQ_U64(kanon_result_count(r, "attributes"), 3);
    CHECK_OK(ctx, kanon_result_text(r, "attributes[2].name", &text));
    CHECK_STR(text, "home.town");
    kanon_result_free(r);
    kanon_sink_free(release);
    kanon_ctx_free(ctx);
}

TEST(any_name_has_a_path)
{
    static const job j = { "\"a\"\"]b\",\"c\"\"d\"\n1,1\n1,1\n2,2\n2,2\n",
                           { "qi", "\"a\"\"]b\",\"c\"\"d\"", "k", "2" } };
    kanon_ctx       *ctx = plain_ctx();
    kanon_sink      *release = NULL;
    kanon_result    *r = NULL;
    double           number;

    CHECK_OK(ctx, run_job(ctx, &j, &release, &r));
    CHECK_OK(ctx, kanon_result_number(r, "solution.levels[\"a\"\"]b\"]", &number));
    CHECK(number == kanon_result_level(r, "a\"]b"));
    CHECK_OK(ctx, kanon_result_number(r, "solution.levels[\"c\"\"d\"]", &number));
    CHECK(kanon_result_number(r, "solution.levels[\"c\"\"]", &number) == KANON_E_INVALID);
    CHECK(kanon_result_number(r, "solution.levels[\"a\"]b", &number) == KANON_E_INVALID);
    kanon_result_free(r);
    kanon_sink_free(release);
    kanon_ctx_free(ctx);
}

TEST(a_wrong_path_is_told_what_is_right)
{
    static const struct {
        const char *path, *message;
    } wrong[] = {
        { "risk.prosecutor_mx", "did you mean 'risk.prosecutor_max'?" },
        { "risc", "the result has no 'risc'; did you mean 'risk'?" },
        { "xyzzy.a", "the result has no 'xyzzy'" },
        { "sensitive[1]", "'sensitive[1]' is past the end of the list" },
        { "risk[0]", "'risk[0]' is an item of something that is not a list" },
        { "rows.a", "'rows.a' is a member of something that is not an object" },
        { "wildcard.k", "'wildcard.k' lies within a null" },
        { "models", "'models' is absent without any" },
        { "risk", "'risk' is not a number" },
        { "input.file", "'input.file' is not a number" },
        { "risk.", "'risk.' is not a path" },
        { ".risk", "'.risk' is not a path" },
        { "sensitive[", "'sensitive[' is not a path" },
        { "sensitive[x]", "'sensitive[x]' is not a path" },
        { "sensitive[0]name", "'sensitive[0]name' is not a path" },
        { "[\"risk", "is not a path" },
    };
    kanon_ctx   *ctx = plain_ctx();
    job          j = { PEOPLE, { "qi", "age,sex", "sensitive", "ill", NULL } };
    kanon_check *check = run_check(ctx, &j);
    double       number;
    const char  *text;

    for (size_t i = 0; i < KN_COUNT(wrong); i++) {
        CHECK(kanon_check_number(check, wrong[i].path, &number) == KANON_E_INVALID);
        if (!strstr(kanon_ctx_message(ctx), wrong[i].message))
            FAIL("%s: %s", wrong[i].path, kanon_ctx_message(ctx));
    }
    CHECK(kanon_check_number(check, NULL, &number) == KANON_E_INVALID);
    CHECK(kanon_check_text(check, "rows", &text) == KANON_E_INVALID);
    CHECK_OK(ctx, kanon_check_text(check, "input[\"quasi\"][1]", &text));
    CHECK_STR(text, "sex");
    CHECK_EQ_U64(kanon_check_count(check, "input.quasi"), 2);
    CHECK_EQ_U64(kanon_check_count(check, "nothing"), 0);
    kanon_check_free(check);
    kanon_ctx_free(ctx);
}
