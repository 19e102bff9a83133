/* SPDX-License-Identifier: Apache-2.0 */
/* test_html.c -- the HTML report and what it is made of: escaping, the two editions, portraits that name
 * nobody, findings that come and go, and no value of an identifier or of a suppressed row in anything that
 * is told. */
#include "failing_alloc.h"
#include "job_fixture.h"
#include "report/html_page.h"
#include "report/report.h"
#include "result/public.h"
#include "transform/watch.h"

/* --- escaping ------------------------------------------------------------------------------------- */

static void
check_put(kanon_ctx *ctx, const char *foreign, size_t most, const char *expected)
{
    kn_text text;

    kn_text_init(&text, ctx);
    kn_html_put(&text, foreign, most);
    CHECK_OK(ctx, kn_text_status(&text));
    CHECK_STR(text.ptr ? text.ptr : "", expected);
    kn_text_fini(&text);
}

/* An option is not broken at its dashes, and what is foreign stays escaped. */
TEST(options_stay_in_one_line)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    text;

    kn_text_init(&text, ctx);
    kn_html_sentence(&text, "<b>: --l-kind entropy, a--b or (--k)");
    CHECK_STR(text.ptr, "&lt;b&gt;: <span class=\"option\">--l-kind</span> entropy, a--b or "
                        "(<span class=\"option\">--k</span>)");
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

TEST(foreign_text_is_escaped)
{
    kanon_ctx *ctx = plain_ctx();

    check_put(ctx, "plain", 0, "plain");
    check_put(ctx, "", 0, "");
    check_put(ctx, "<script>alert('x')</script>", 0,
              "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    check_put(ctx, "\" onload=\"x&y", 0, "&quot; onload=&quot;x&amp;y");
    check_put(ctx, "a\nb\tc", 0, "a b c");
    check_put(ctx, "a\x01\x7f\xc2\x85", 0, "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check_put(ctx, "a\xff", 0, "a\xef\xbf\xbd");
    check_put(ctx, "evil\xe2\x80\xaetxt", 0, "evil\xef\xbf\xbdtxt"); /* U+202E */
    check_put(ctx, "x\xe2\x81\xa6y", 0, "x\xef\xbf\xbdy");           /* U+2066 */
    check_put(ctx, "\xd7\xa9\xd7\x9d", 0, "\xd7\xa9\xd7\x9d");
    check_put(ctx, "M\xc3\xbcnchen", 3, "M\xc3\xbc\xe2\x80\xa6");
    check_put(ctx, "abc", 3, "abc");
    check_put(ctx, "<<<<", 2, "&lt;\xe2\x80\xa6");
    kanon_ctx_free(ctx);
}

/* --- jobs ----------------------------------------------------------------------------------------- */

/* Everything that a job can tell: reports in all formats and both editions, warnings, advice. */
typedef struct telling {
    kn_text html, external_html, json, external_json, text, said;
} telling;

static void
write_report(kanon_ctx *ctx, kanon_result *r, kanon_format format, kn_audience audience,
             kn_text *out)
{
    kanon_sink *sink = NULL;
    size_t      count = 0;
    const void *bytes;

    r->audience = audience;
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_result_write(ctx, r, format, sink));
    bytes = kanon_sink_bytes(sink, &count);
    kn_text_init(out, ctx);
    kn_text_add(out, (kn_str){ bytes, count });
    CHECK_OK(ctx, kn_text_status(out));
    kanon_sink_free(sink);
}

static void
tell_all(kanon_ctx *ctx, kanon_result *r, telling *t)
{
    write_report(ctx, r, KANON_FORMAT_HTML, KN_AUDIENCE_INTERNAL, &t->html);
    write_report(ctx, r, KANON_FORMAT_HTML, KN_AUDIENCE_EXTERNAL, &t->external_html);
    write_report(ctx, r, KANON_FORMAT_JSON, KN_AUDIENCE_INTERNAL, &t->json);
    write_report(ctx, r, KANON_FORMAT_JSON, KN_AUDIENCE_EXTERNAL, &t->external_json);
    write_report(ctx, r, KANON_FORMAT_TEXT, KN_AUDIENCE_INTERNAL, &t->text);
    kn_text_init(&t->said, ctx);
    kn_text_addz(&t->said, kanon_result_advice(r));
    kn_text_addz(&t->said, kanon_ctx_message(ctx));
    for (size_t i = 0; i < kanon_ctx_warning_count(ctx); i++)
        kn_text_addz(&t->said, kanon_ctx_warning(ctx, i));
}

static void
free_telling(telling *t)
{
    kn_text_fini(&t->html);
    kn_text_fini(&t->external_html);
    kn_text_fini(&t->json);
    kn_text_fini(&t->external_json);
    kn_text_fini(&t->text);
    kn_text_fini(&t->said);
}

/* Digits inside of a longer number, a fraction of a second or a hash are nobody's value. */
static bool
stands_in(const char *text, const char *what)
{
    static const char part[] = "0123456789abcdef.";
    bool              number = strspn(what, part) == strlen(what);

    for (const char *at = text; (at = strstr(at, what)); at++)
        if (!number
            || ((at == text || !strchr(part, at[-1]))
                && !strspn(at + strlen(what), "0123456789abcdef")))
            return true;
    return false;
}

static bool
told(const telling *t, const char *what)
{
    const kn_text *all[] = { &t->html,          &t->external_html, &t->json,
                             &t->external_json, &t->text,          &t->said };

    for (size_t i = 0; i < KN_COUNT(all); i++)
        if (all[i]->ptr && stands_in(all[i]->ptr, what))
            return true;
    return false;
}

static size_t
times(const kn_text *text, const char *what)
{
    size_t count = 0;

    for (const char *at = text->ptr; (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

/* A hundred people like each other, and one like nobody: every value of his is a secret. */
static void
add_people(kn_text *csv)
{
    kn_text_addz(csv, "name,age,town,job,salary,note\n");
    for (unsigned i = 0; i < 100; i++)
        kn_text_addf(csv, "PERSON%03u,%u,%s,%s,%u,remark\n", i, 20 + i % 5,
                     i % 2 ? "Norhaven" : "Eskvik", i % 3 ? "nurse" : "baker",
                     1000 + 100 * (i % 7));
    kn_text_addz(csv, "PERSON-ODD,97531,Secretville,spymaster,86420,classified\n");
}

static const char *const secrets[] = { "PERSON0",     "PERSON-ODD", "97531",     "97,531",
                                       "Secretville", "spymaster",  "classified" };

static const char *const plans[][12] = {
    { "suppressed", "drop", "suppression", "0.02", NULL },
    { "suppressed", "mask", "suppression", "0.1", NULL },
    { "algorithm", "mondrian", "suppression", "0.02", NULL },
    { "algorithm", "mondrian", "snap", "grid", NULL },
    { "k", "102", "suppression", "0", NULL },
    { "identifiers", "drop", "suppression", "0.02", "keep-order", "true", NULL },
};

static void
check_secrets(const char *csv, const char *const *plan)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink = NULL;
    kanon_result *r = NULL;
    telling       t;
    job           j = { csv,
                        { "qi", "age,town,job", "id", "name", "sensitive", "salary", "k", "5", "hierarchy",
                          "age=range:5,10,100000" } };
    size_t        n = 10;

    for (size_t i = 0; plan[i]; i++)
        j.settings[n++] = plan[i];
    CHECK_OK(ctx, run_job(ctx, &j, &sink, &r));
    tell_all(ctx, r, &t);
    for (size_t i = 0; i < KN_COUNT(secrets); i++)
        if (told(&t, secrets[i]))
            FAIL("'%s' is told (%s %s)", secrets[i], plan[0], plan[1]);
    free_telling(&t);
    kanon_result_free(r);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(no_secret_is_told)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    csv;

    kn_text_init(&csv, ctx);
    add_people(&csv);
    for (size_t i = 0; i < KN_COUNT(plans); i++)
        check_secrets(csv.ptr, plans[i]);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

/* Runs a job and hands its result over. */
static kanon_result *
run(kanon_ctx *ctx, const char *csv, const char *const *settings)
{
    kanon_sink   *sink = NULL;
    kanon_result *r = NULL;
    job           j = { csv, { NULL } };

    for (size_t i = 0; settings[i]; i++)
        j.settings[i] = settings[i];
    CHECK_OK(ctx, run_job(ctx, &j, &sink, &r));
    kanon_sink_free(sink);
    return r;
}

/* --- hostile names -------------------------------------------------------------------------------- */

TEST(hostile_names_and_values_stay_text)
{
    static const char *const settings[] = {
        "qi", "\"<script>alert(1)</script>\",b", "k", "2", "sensitive", "s", NULL
    };
    kanon_ctx    *ctx = plain_ctx();
    kn_text       csv;
    kanon_result *r;
    telling       t;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "<script>alert(1)</script>,b,s,\"\"\"><img src=x onerror=alert(2)>\"\n");
    for (unsigned i = 0; i < 40; i++)
        kn_text_addf(&csv, "%s,%s,<b onclick='x'>%u</b>,v\n",
                     i % 2 ? "</title><script>" : "<svg onload=x>",
                     i % 4 < 2 ? "\"\"\"q\"\"\"" : "'&amp;", i % 2);
    r = run(ctx, csv.ptr, settings);
    tell_all(ctx, r, &t);
    CHECK(!strstr(t.html.ptr, "<script"));
    CHECK(!strstr(t.html.ptr, "<img"));
    CHECK(!strstr(t.html.ptr, "<svg onload"));
    CHECK(!strstr(t.html.ptr, "<b onclick"));
    CHECK(strstr(t.html.ptr, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    CHECK(strstr(t.html.ptr, "&quot;&gt;&lt;img src=x onerror=alert(2)&gt;"));
    CHECK(!strstr(t.external_html.ptr, "<script") && !strstr(t.external_html.ptr, "<img"));
    CHECK_EQ_U64(times(&t.html, "<title>"), 1 + times(&t.html, "\"><title>"));
    free_telling(&t);
    kn_text_fini(&csv);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

/* --- editions ------------------------------------------------------------------------------------- */

TEST(the_page_loads_nothing_and_is_whole)
{
    static const char *const settings[] = { "qi",          "age,town,job", "id", "name",
                                            "sensitive",   "salary",       "k",  "5",
                                            "suppression", "0.02",         NULL };
    kanon_ctx               *ctx = plain_ctx();
    kn_text                  csv;
    kanon_result            *r;
    telling                  t;
    static const char *const sections[] = { "promise",     "findings", "columns", "classes", "risk",
                                            "suppression", "search",   "record",  "glossary" };

    kn_text_init(&csv, ctx);
    add_people(&csv);
    r = run(ctx, csv.ptr, settings);
    tell_all(ctx, r, &t);
    CHECK(strstr(t.html.ptr, "default-src 'none'"));
    for (size_t i = 0; i < KN_COUNT(sections); i++) {
        char id[64];

        snprintf(id, sizeof id, "<section id=\"%s\">", sections[i]);
        CHECK_EQ_U64(times(&t.html, id), 1);
    }
    CHECK(!strstr(t.html.ptr, " src=") && !strstr(t.html.ptr, "url(")
          && !strstr(t.html.ptr, "@import"));
    CHECK_EQ_U64(times(&t.html, "http://"), times(&t.html, "http://www.w3.org/2000/svg"));
    CHECK_EQ_U64(times(&t.html, "https://"), 0);
    CHECK_EQ_U64(times(&t.html, "<section"), times(&t.html, "</section>"));
    CHECK_EQ_U64(times(&t.html, "<div"), times(&t.html, "</div>"));
    CHECK_EQ_U64(times(&t.html, "<svg"), times(&t.html, "</svg>"));
    CHECK_EQ_U64(times(&t.html, "<tr"), times(&t.html, "</tr>"));
    CHECK_EQ_U64(times(&t.html, "<article"), 4); /* age, town, job, salary */
    CHECK(times(&t.html, "class=\"plot\"") >= 4);
    free_telling(&t);
    kn_text_fini(&csv);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

static void
check_absent(const kn_text *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text->ptr, *words))
            FAIL("'%s' is told to strangers", *words);
}

TEST(strangers_are_told_nothing_that_helps)
{
    static const char *const settings[] = {
        "qi",          "age,town,job", "id",        "name",   "sensitive", "salary",    "k",
        "5",           "suppression",  "0.02",      "seed",   "918273645", "algorithm", "optimal",
        "identifiers", "drop",         "order-key", TEST_KEY, NULL
    };
    static const char *const page[] = {
        TEST_KEY, "918273645",     "table.csv", "Before", "other (rare)", "seed", "Seed",
        ">name<", "id=\"search\"", "at most 2", "2 %",    "usual share",  NULL
    };
    static const char *const keys[] = { TEST_KEY,
                                        "\"order_key\"",
                                        "\"seed\"",
                                        "\"input\"",
                                        "\"search\"",
                                        "\"findings\"",
                                        "\"warnings\"",
                                        "optimal",
                                        "\"before\"",
                                        "\"levels\"",
                                        "\"name\": \"name\"",
                                        "\"suppression\"",
                                        "\"metric\"",
                                        "\"algorithm\": \"optimal\"",
                                        NULL };
    kanon_ctx               *ctx = plain_ctx();
    kn_text                  csv;
    kanon_result            *r;
    telling                  t;

    kn_text_init(&csv, ctx);
    add_people(&csv);
    r = run(ctx, csv.ptr, settings);
    CHECK_EQ_U64(r->suppressed_rows, 1);
    tell_all(ctx, r, &t);
    CHECK(strlen(r->input_hash) == 2 * KN_HASH_BYTES);
    CHECK(strstr(t.html.ptr, r->input_hash) && strstr(t.json.ptr, r->input_hash));
    CHECK(!strstr(t.external_html.ptr, r->input_hash));
    CHECK(!strstr(t.external_json.ptr, r->input_hash));
    CHECK(strstr(t.external_json.ptr, "\"fewer_than\": 15"));
    CHECK(strstr(t.external_html.ptr, "fewer than 15"));
    CHECK(strstr(t.external_json.ptr, "\"audience\": \"external\""));
    check_absent(&t.external_json, keys);
    /* the glossary and the footer name what is left out, so the page is looked at without them */
    *strstr(t.external_html.ptr, "<section id=\"glossary\">") = 0;
    memmove(t.external_html.ptr, strstr(t.external_html.ptr, "<body>"),
            strlen(strstr(t.external_html.ptr, "<body>")) + 1);
    check_absent(&t.external_html, page);
    free_telling(&t);
    kn_text_fini(&csv);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

/* Every number that is told stands for at least k and 10 counts in a row, also where steps change. */
TEST(suppressed_rows_are_told_in_steps)
{
    static const uint64_t ks[] = { 1, 2, 5, 10, 11, 20, 37, 100, 250, 4000 };

    for (size_t i = 0; i < KN_COUNT(ks); i++) {
        kanon_result r = { .k = ks[i] };
        uint64_t     least = ks[i] < 10 ? 10 : ks[i], said = 0, run = 0;

        CHECK(kn_public_lost_least(&r) > least);
        for (uint64_t count = 0; count < 120000; count++, run++) {
            uint64_t now = kn_public_lost(&r, count);

            CHECK((now == 0) == (count < kn_public_lost_least(&r)));
            CHECK(now == 0 || (now < 2 * count && count < 2 * now));
            if (now == said)
                continue;
            CHECK(now > said && run >= least);
            said = now;
            run = 0;
        }
    }
}

/* Two pairs of values are frequent; the other two pairs of the same values are suppressed. */
static void
add_pairs(kn_text *csv, unsigned first, unsigned second)
{
    kn_text_addz(csv, "a,b,pay,ill\n");
    for (unsigned i = 0; i < 400; i++)
        kn_text_addf(csv, "%s,%u,%s\n", i % 2 ? "x,p" : "y,q", 1000 + i % 80 * 10,
                     i % 3 ? "flu" : "cold");
    for (unsigned i = 0; i < first + second; i++)
        kn_text_addf(csv, "%s,%u,rash\n", i < first ? "x,q" : "y,p", 70000 + i);
}

/* The reports for strangers are made from what the release shows: how many rows are suppressed, which and
 * with what values changes no byte of them, within a step of the number that is told. */
TEST(strangers_cannot_subtract_the_suppressed_rows)
{
    static const unsigned    lost[][2] = { { 0, 0 }, { 1, 0 }, { 0, 7 }, { 19, 0 }, { 10, 19 } };
    static const char *const settings[] = { "qi",          "a,b",  "sensitive", "pay,ill",
                                            "k",           "20",   "metric",    "glm",
                                            "suppression", "0.1",  "algorithm", "exhaustive",
                                            "keep-order",  "true", NULL };
    kanon_ctx               *ctx = plain_ctx();
    telling                  first, t;

    for (size_t i = 0; i < KN_COUNT(lost); i++) {
        kn_text       csv;
        kanon_result *r;

        kn_text_init(&csv, ctx);
        add_pairs(&csv, lost[i][0], lost[i][1]);
        r = run(ctx, csv.ptr, settings);
        CHECK_EQ_U64(r->released_rows, 400);
        CHECK_EQ_U64(r->suppressed_rows, lost[i][0] + lost[i][1]);
        tell_all(ctx, r, i ? &t : &first);
        if (i) {
            CHECK_STR(t.external_json.ptr, first.external_json.ptr);
            CHECK_STR(t.external_html.ptr, first.external_html.ptr);
            CHECK(strcmp(t.html.ptr, first.html.ptr) != 0);
            free_telling(&t);
        }
        kanon_result_free(r);
        kn_text_fini(&csv);
    }
    CHECK(strstr(first.external_html.ptr, "fewer than 30"));
    free_telling(&first);
    kanon_ctx_free(ctx);
}

/* --- portraits ------------------------------------------------------------------------------------ */

static const kn_result_attribute *
attribute(const kanon_result *r, const char *name)
{
    for (size_t i = 0; i < r->nattributes; i++)
        if (strcmp(r->attributes[i].name, name) == 0)
            return &r->attributes[i];
    FAIL("no column %s", name);
}

static void
check_bins(const kanon_result *r, const char *name)
{
    const kn_portrait *p = attribute(r, name)->portrait;
    uint64_t           before = 0, lost = 0;
    double             after = 0;

    CHECK(p->kind == KN_SCALE_NUMBER || p->kind == KN_SCALE_MONTH);
    for (size_t i = 0; i < p->nbins; i++) {
        const kn_bin *b = &p->bins[i];

        before += b->before;
        lost += b->lost;
        after += b->after;
        CHECK(b->low < b->high && (i == 0 || b->low >= p->bins[i - 1].high - 1e-9));
        CHECK(b->rare == (b->before > 0 && b->before < r->k));
        if ((i == 0 && p->open_low) || (i + 1 == p->nbins && p->open_high))
            CHECK(b->before >= r->k);
    }
    CHECK(before <= r->input_rows);
    CHECK_NEAR(after + p->missing_after, (double) r->released_rows, 1e-6);
    CHECK(lost <= r->suppressed_rows);
}

static void
check_bars(const kanon_result *r, const kn_bars *bars, uint64_t all)
{
    uint64_t rows = bars->other_rows + bars->rare_rows;

    for (size_t i = 0; i < bars->count; i++) {
        CHECK(bars->of[i].rows >= r->k);
        rows += bars->of[i].rows;
    }
    CHECK_EQ_U64(rows, all);
}

/* Ages far out, dates, towns of which some are rare. */
static void
add_varied(kn_text *csv)
{
    kn_text_addz(csv, "age,born,town,salary\n");
    for (unsigned i = 0; i < 600; i++)
        kn_text_addf(csv, "%u,%u-%02u-%02u,T%02u,%u.5\n", i == 599 ? 990 : i * 7 % 83,
                     1930 + i % 70, 1 + i % 12, 1 + i % 28, i % 11 == 0 ? 40 + i % 31 : i % 16,
                     i == 5 ? 9999999 : 900 + i * 37 % 5000);
}

TEST(portraits_add_up_and_name_nobody)
{
    static const char *const levels[] = { "qi", "age,born,town", "sensitive", "salary", "k",
                                          "5",  "suppression",   "0.05",      NULL };
    static const char *const local[] = { "qi", "age,born,town", "sensitive", "salary",      "k",
                                         "5",  "algorithm",     "mondrian",  "suppression", "0.05",
                                         NULL };
    static const char *const mean[] = { "qi", "age,born,town", "sensitive", "salary", "k",
                                        "5",  "algorithm",     "mondrian",  "local",  "mean",
                                        NULL };
    static const char *const *const all[] = { levels, local, mean };
    kanon_ctx                      *ctx = plain_ctx();
    kn_text                         csv;

    kn_text_init(&csv, ctx);
    add_varied(&csv);
    for (size_t i = 0; i < KN_COUNT(all); i++) {
        kanon_result      *r = run(ctx, csv.ptr, all[i]);
        const kn_portrait *town = attribute(r, "town")->portrait;

        check_bins(r, "age");
        check_bins(r, "born");
        check_bins(r, "salary");
        CHECK(attribute(r, "age")->portrait->open_high); /* the one of 990 stands with others */
        check_bars(r, &town->before, r->input_rows);
        CHECK(town->before.rare > 0);
        if (r->suppressed_rows)
            check_bars(r, &town->who, r->input_rows);
        if (r->full_domain)
            check_bars(r, &town->after, r->released_rows);
        kanon_result_free(r);
    }
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

TEST(a_column_of_one_group_and_open_ends_are_told)
{
    static const char *const settings[] = { "qi", "age,born", "hierarchy",   "born=date:decade",
                                            "k",  "5",        "suppression", "0.05",
                                            NULL };
    kanon_ctx               *ctx = plain_ctx();
    kanon_result            *r;
    kn_text                  csv;
    telling                  t;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "age,born\n");
    for (unsigned i = 0; i < 600; i++)
        kn_text_addf(&csv, "%u,%u-%02u-%02u\n", i == 599 ? 990 : i % 40, 1990 + i % 10,
                     1 + i / 10 % 12, 1 + i % 28);
    r = run(ctx, csv.ptr, settings);
    tell_all(ctx, r, &t);
    CHECK_EQ_U64(attribute(r, "born")->level, 1); /* not *, but no better */
    CHECK(strstr(t.html.ptr, " rows have <bdi>1990-1999</bdi>."));
    CHECK(!strstr(t.html.ptr, "Not drawn"));
    CHECK(attribute(r, "age")->portrait->open_high);
    CHECK(strstr(t.html.ptr, "The pale bar is open, wider than the others"));
    CHECK(strstr(t.html.ptr, " opacity=\"0.4\"><title>") && strstr(t.html.ptr, ">&ge; "));
    /* the age of the suppressed row would show in it: loss is measured against the range of all rows */
    CHECK(strstr(t.external_html.ptr, "It is omitted if rows could be suppressed"));
    CHECK(strstr(t.external_html.ptr, "Information lost</dt><dd class=\"big\">&ndash;</dd>"));
    CHECK(strstr(t.external_json.ptr, "\"information_lost\": null"));
    CHECK(!strstr(t.external_json.ptr, "\"information_lost\": 0"));
    free_telling(&t);
    kanon_result_free(r);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

/* --- findings ------------------------------------------------------------------------------------- */

static const kn_finding *
finding(const kanon_result *r, const char *code)
{
    for (size_t i = 0; i < r->findings.count; i++)
        if (strcmp(kn_finding_classes[r->findings.of[i].code].code, code) == 0)
            return &r->findings.of[i];
    return NULL;
}

/* Which findings a table and settings have, as "a b c". */
static void
check_findings(const char *csv, const char *const *settings, const char *const *there,
               const char *const *not_there)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = run(ctx, csv, settings);

    for (; *there; there++)
        if (!finding(r, *there))
            FAIL("%s was not found", *there);
    for (; *not_there; not_there++)
        if (finding(r, *not_there))
            FAIL("%s was found: %s", *not_there, finding(r, *not_there)->what);
    for (size_t i = 0; i < r->findings.count; i++) { /* the most severe first */
        const kn_finding *f = &r->findings.of[i];

        CHECK(f->what[0]);
        CHECK(f->severity == KN_WARNING || f->remedy[0]);
        CHECK(i == 0 || f[-1].severity >= f->severity);
    }
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

#define SETTINGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

TEST(findings_come_and_go)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    csv;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "id,pid,age,code,hours,pay,own,ill\n");
    for (unsigned i = 0; i < 400; i++)
        kn_text_addf(&csv, "a%u,p%u,%u,c%u,%u,%u,%u,%s\n", i, i / 4, i % 2, i, i * 13 % 60,
                     i == 7 ? 50000000 : 1000 + i % 90, i % 50 ? 5 : 9, i % 2 ? "flu" : "cold");
    check_findings(csv.ptr,
                   SETTINGS("qi", "age", "id", "id", "sensitive", "ill", "k", "2", "keep-order",
                            "true"),
                   SETTINGS("small-k", "nearly-unique", "homogeneous-classes", "outliers",
                            "kept-order", "other-releases"),
                   SETTINGS("repeated-persons", "only-k", "no-sensitive-column",
                            "many-quasi-identifiers", "downcoding", "minimality",
                            "exact-intervals"));
    check_findings(csv.ptr,
                   SETTINGS("qi", "age", "id", "pid", "sensitive", "hours", "k", "5", "identifiers",
                            "drop"),
                   SETTINGS("repeated-persons", "only-k", "outliers"),
                   SETTINGS("small-k", "kept-order", "homogeneous-classes"));
    /* one that tells all rows apart does not hide it; a column with few values is no number of persons */
    check_findings(csv.ptr, SETTINGS("qi", "age", "id", "pid,id", "k", "5"),
                   SETTINGS("repeated-persons"), SETTINGS("small-k"));
    check_findings(csv.ptr, SETTINGS("qi", "age", "id", "id,own", "k", "5"),
                   SETTINGS("no-sensitive-column"), SETTINGS("repeated-persons"));
    check_findings(csv.ptr, SETTINGS("qi", "age", "id", "pid,id", "entity", "pid", "k", "5"),
                   SETTINGS("no-sensitive-column"), SETTINGS("repeated-persons", "only-k"));
    /* to count persons, or to let rows ask for more, says nothing about secrets */
    check_findings(csv.ptr,
                   SETTINGS("qi", "age", "id", "pid,id", "entity", "pid", "sensitive", "hours", "k",
                            "5"),
                   SETTINGS("only-k"), SETTINGS("minimality", "shown-k"));
    check_findings(csv.ptr,
                   SETTINGS("qi", "age", "id", "id", "k-column", "own", "sensitive", "hours", "k",
                            "5"),
                   SETTINGS("only-k", "shown-k"), SETTINGS("minimality"));
    check_findings(csv.ptr,
                   SETTINGS("qi", "age", "id", "id,own", "k-column", "own", "sensitive", "hours",
                            "k", "5"),
                   SETTINGS("only-k"), SETTINGS("shown-k"));
    check_findings(csv.ptr, SETTINGS("qi", "age", "sensitive", "ill", "l-diversity", "2", "k", "5"),
                   SETTINGS("minimality"), SETTINGS("only-k", "homogeneous-classes"));
    check_findings(csv.ptr,
                   SETTINGS("qi", "age,hours", "id", "id", "sensitive", "ill", "algorithm",
                            "mondrian", "snap", "off", "k", "15"),
                   SETTINGS("downcoding", "exact-intervals"), SETTINGS("minimality"));
    check_findings(csv.ptr,
                   SETTINGS("qi", "age,hours", "id", "id", "sensitive", "ill", "algorithm",
                            "mondrian", "k", "15"),
                   SETTINGS("downcoding"), SETTINGS("exact-intervals"));
    check_findings(csv.ptr,
                   SETTINGS("qi", "hours", "hierarchy", "hours=order:3", "snap", "off", "k", "30"),
                   SETTINGS("exact-intervals"), SETTINGS("downcoding"));
    check_findings(csv.ptr, SETTINGS("qi", "hours", "hierarchy", "hours=order:3", "k", "30"),
                   SETTINGS("no-sensitive-column"), SETTINGS("exact-intervals"));
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

/* What is promised names the models and where they were verified; what a model promises is not denied. */
TEST(the_promise_follows_the_models)
{
    kanon_ctx    *ctx = plain_ctx();
    kn_text       csv;
    kanon_result *r;
    telling       t;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "pid,age,ill\n");
    for (unsigned i = 0; i < 60; i++)
        kn_text_addf(&csv, "p%u,%u,%s\n", i, i % 2, i % 3 ? "flu" : "cold");
    r = run(ctx, csv.ptr,
            SETTINGS("qi", "age", "id", "pid", "entity", "pid", "sensitive", "ill", "k", "5"));
    tell_all(ctx, r, &t);
    CHECK(strstr(t.html.ptr, "verified in the second pass"));
    CHECK(!strstr(t.html.ptr, "verified in the release"));
    CHECK(strstr(t.html.ptr, "counts the persons of a class. The mean"));
    CHECK(strstr(t.html.ptr, "That a class has more than one value in <bdi>ill</bdi>"));
    CHECK(strstr(t.html.ptr, "That nobody learns who is in the table"));
    free_telling(&t);
    r->models[0].class = &kn_model_presence;
    CHECK_OK(ctx, kn_result_judge(r));
    tell_all(ctx, r, &t);
    CHECK(!strstr(t.html.ptr, "who is in the table"));
    free_telling(&t);
    kanon_result_free(r);
    r = run(ctx, csv.ptr, SETTINGS("qi", "age", "sensitive", "ill", "l-diversity", "2", "k", "5"));
    tell_all(ctx, r, &t);
    CHECK(strstr(t.external_html.ptr, "verified in the release"));
    CHECK(!strstr(t.html.ptr, "counts the persons"));
    CHECK(!strstr(t.html.ptr, "That a class has more than one value in"));
    CHECK(strstr(t.html.ptr, "evenly distributed in <bdi>ill</bdi>"));
    free_telling(&t);
    kanon_result_free(r);
    r = run(ctx, csv.ptr,
            SETTINGS("qi", "age", "sensitive", "ill", "t-closeness", "0.5", "k", "5"));
    tell_all(ctx, r, &t);
    CHECK(!strstr(t.html.ptr, "evenly distributed in"));
    CHECK(!strstr(t.html.ptr, "That a class has more than one value in"));
    free_telling(&t);
    kanon_result_free(r);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

/* Strangers do not even learn the name of a column that the release does not have. */
TEST(a_column_that_is_left_out_is_not_named)
{
    kanon_ctx    *ctx = plain_ctx();
    kn_text       csv;
    kanon_result *r;
    telling       t;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "SECRETPID,SECRETK,age\n");
    for (unsigned i = 0; i < 60; i++)
        kn_text_addf(&csv, "p%u,5,%u\n", i, i % 2);
    r = run(ctx, csv.ptr,
            SETTINGS("qi", "age", "id", "SECRETPID,SECRETK", "entity", "SECRETPID", "k-column",
                     "SECRETK", "identifiers", "drop", "k", "5"));
    tell_all(ctx, r, &t);
    CHECK(strstr(t.html.ptr, "SECRETPID") && strstr(t.html.ptr, "SECRETK"));
    CHECK(!strstr(t.external_html.ptr, "SECRET"));
    CHECK(!strstr(t.external_json.ptr, "SECRET"));
    CHECK(strstr(t.external_html.ptr, "rows of at least k distinct persons"));
    /* nobody can count persons in the release: outside they are as many as was promised */
    CHECK(strstr(t.json.ptr, "\"prosecutor_max\": 0.0333") && strstr(t.html.ptr, "1 in 30"));
    CHECK(strstr(t.external_json.ptr, "\"prosecutor_max\": 0.2,"));
    CHECK(strstr(t.external_html.ptr, "1 in 5<"));
    free_telling(&t);
    kanon_result_free(r);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

/* Everything suppressed is allowed with a limit of 1, and nobody means it. */
TEST(a_release_without_rows_is_a_loud_finding)
{
    static const char *const settings[] = { "qi", "a,b", "k", "3", "suppression", "1", NULL };
    kanon_ctx               *ctx = plain_ctx();
    kanon_result            *r = run(ctx, "a,b\n1,x\n2,y\n", settings);
    telling                  t;

    CHECK_EQ_U64(r->released_rows, 0);
    CHECK(r->findings.of[0].code == KN_FOUND_EMPTY_RELEASE);
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 0); /* once is enough */
    for (size_t i = 1; i < r->findings.count; i++)
        CHECK(r->findings.of[i].code != KN_FOUND_EMPTY_RELEASE);
    tell_all(ctx, r, &t);
    CHECK(strstr(t.html.ptr, "Nothing is left: every row was suppressed"));
    CHECK(!strstr(t.html.ptr, "1 in 0") && !strstr(t.external_html.ptr, "1 in 0"));
    CHECK(!strstr(t.html.ptr, "higher --suppression"));
    CHECK(!strstr(t.json.ptr, "\"severity\": \"advice\""));
    free_telling(&t);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

/* Whether a table was empty, or nothing of it was left, is not for whoever gets the release. */
TEST(outside_an_empty_release_tells_nothing_of_the_table)
{
    static const char *const tables[] = { "a,b,s,n\n", "a,b,s,n\n1,x,4,q\n2,y,5,r\n" };
    kanon_ctx               *ctx = plain_ctx();
    telling                  t[2];

    for (size_t i = 0; i < 2; i++) {
        kanon_result *r = run(ctx, tables[i],
                              SETTINGS("qi", "a,b", "sensitive", "s", "k", "3", "suppression",
                                       "1"));

        CHECK_EQ_U64(r->released_rows, 0);
        CHECK_EQ_U64(r->suppressed_rows, 2 * i);
        tell_all(ctx, r, &t[i]);
        kanon_result_free(r);
    }
    CHECK_STR(t[0].external_html.ptr, t[1].external_html.ptr);
    CHECK_STR(t[0].external_json.ptr, t[1].external_json.ptr);
    CHECK(strcmp(t[0].html.ptr, t[1].html.ptr) != 0);
    CHECK(strstr(t[0].external_json.ptr, "\"information_lost\": null"));
    CHECK(strstr(t[0].external_html.ptr, "Information lost</dt><dd class=\"big\">&ndash;</dd>"));
    CHECK(strstr(t[0].external_html.ptr, "no rows"));
    for (size_t i = 0; i < 2; i++)
        free_telling(&t[i]);
    kanon_ctx_free(ctx);
}

/* Most rows of b read `*`, which says nothing: the example is the other value. */
TEST(an_example_says_more_than_a_star)
{
    kanon_ctx    *ctx = plain_ctx();
    kn_text       csv;
    kanon_result *r;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "a,b\n");
    for (unsigned i = 0; i < 60; i++)
        kn_text_addf(&csv, "%u,%u\n", i < 48 ? 1 : 900, i < 48 ? i * 20 : 30 + i % 3);
    r = run(ctx, csv.ptr,
            SETTINGS("qi", "a,b", "k", "12", "algorithm", "mondrian", "snap", "hierarchy",
                     "hierarchy", "b=range:10,100"));
    CHECK(attribute(r, "b")->example && strcmp(attribute(r, "b")->example, "*") != 0);
    kanon_result_free(r);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

/* Sixty hours among two hundred rows of an age: three or four each. A thousand: one each. */
TEST(a_column_that_singles_people_out_is_named)
{
    kanon_ctx        *ctx = plain_ctx();
    kn_text           csv;
    kanon_result     *r;
    const kn_finding *f;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "age,few,many\n");
    for (unsigned i = 0; i < 2000; i++)
        kn_text_addf(&csv, "%u,%u,%u\n", i % 40, i % 3, i * 7919 % 97);
    r = run(ctx, csv.ptr, SETTINGS("qi", "age", "k", "5"));
    f = finding(r, "singles-out");
    CHECK(f && f->severity == KN_SERIOUS);
    CHECK_STR(f->place.name, "many");
    kanon_result_free(r);
    r = run(ctx, csv.ptr, SETTINGS("qi", "age,many", "k", "5"));
    CHECK(!finding(r, "singles-out"));
    kanon_result_free(r);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

TEST(a_group_that_is_deleted_more_often_is_flagged)
{
    kanon_ctx         *ctx = plain_ctx();
    kn_text            csv;
    kanon_result      *r;
    const kn_portrait *p;
    size_t             flagged = 0;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "town,job\n");
    for (unsigned i = 0; i < 1000; i++)
        kn_text_addf(&csv, "%s,j%u\n", i % 20 ? "big" : "small", i % 20 ? i % 4 : 4 + i / 20 % 30);
    r = run(ctx, csv.ptr,
            SETTINGS("qi", "town,job", "k", "5", "suppression", "0.05", "hierarchy",
                     "job=mask:right", "metric", "log", "algorithm", "exhaustive"));
    p = attribute(r, "town")->portrait;
    if (r->suppressed_rows) {
        for (size_t i = 0; i < p->who.count; i++)
            if (p->who.of[i].flagged) {
                CHECK_STR(p->who.of[i].label, "small");
                flagged++;
            }
        CHECK_EQ_U64(flagged, 1);
        CHECK(finding(r, "uneven-suppression"));
    } else {
        FAIL("nothing was suppressed, so there is nothing to see");
    }
    kanon_result_free(r);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

/* What many columns have in common is said of the first 60; the other rules still have their turn. */
TEST(a_table_of_many_columns_has_no_endless_list_of_findings)
{
    enum { COLUMNS = 70, MOST = 60 };
    kanon_ctx    *ctx = plain_ctx();
    kn_text       csv, named;
    kanon_result *r;
    size_t        flagged = 0, serious = 0;

    kn_text_init(&csv, ctx);
    kn_text_init(&named, ctx);
    for (unsigned c = 0; c < COLUMNS; c++)
        kn_text_addf(&named, "%ss%u", c ? "," : "", c);
    kn_text_addf(&csv, "town,job,%s\n", named.ptr);
    for (unsigned i = 0; i < 1000; i++) {
        kn_text_addf(&csv, "%s,j%u", i % 20 ? "big" : "small", i % 20 ? i % 4 : 4 + i / 20 % 30);
        for (unsigned c = 0; c < COLUMNS; c++)
            kn_text_addz(&csv, ",same");
        kn_text_addz(&csv, "\n");
    }
    r = run(ctx, csv.ptr,
            SETTINGS("qi", "town,job", "sensitive", named.ptr, "k", "5", "suppression", "0.05",
                     "hierarchy", "job=mask:right", "metric", "log", "algorithm", "exhaustive"));
    for (size_t i = 0; i < attribute(r, "town")->portrait->who.count; i++)
        flagged += attribute(r, "town")->portrait->who.of[i].flagged;
    CHECK_EQ_U64(flagged, 1);
    for (size_t i = 0; i < r->findings.count; i++)
        serious += r->findings.of[i].severity == KN_SERIOUS;
    CHECK(serious >= MOST && serious < COLUMNS);
    CHECK(finding(r, "uneven-suppression"));
    kanon_result_free(r);
    kn_text_fini(&csv);
    kn_text_fini(&named);
    kanon_ctx_free(ctx);
}

TEST(many_quasi_identifiers_are_warned_of)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r;

    r = run(ctx,
            "a,b,c,d,e,f,g,h,i,j,k,l,m\n1,1,1,1,1,1,1,1,1,1,1,1,1\n1,1,1,1,1,1,1,1,1,1,1,1,1\n",
            SETTINGS("qi", "a,b,c,d,e,f,g,h,i,j,k,l,m", "k", "2"));
    CHECK(finding(r, "many-quasi-identifiers"));
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

/* --- watching ------------------------------------------------------------------------------------- */

TEST(watching_sees_numbers_far_out)
{
    kanon_ctx        *ctx = plain_ctx();
    size_t            positions[2] = { 0, 1 };
    kn_release_watch *watch = NULL;
    kn_watched        seen;

    CHECK_OK(ctx, kn_release_watch_new(ctx, positions, 2, &watch));
    for (unsigned i = 0; i < 3000; i++) {
        char   number[16];
        kn_str cells[2];

        cells[0] = (kn_str){ number, (size_t) snprintf(number, sizeof number, "%u",
                                                       i % 1000 == 999 ? 100000 + i : i % 100) };
        cells[1] = i % 2 ? KN_STR("word") : KN_STR("1");
        kn_release_watch_row(watch, cells);
    }
    seen = kn_release_watch_at(watch, 0);
    CHECK(seen.numbers);
    CHECK_EQ_U64(seen.far_high, 3);
    CHECK_EQ_U64(seen.far_low, 0);
    CHECK(!kn_release_watch_at(watch, 1).numbers);
    kn_release_watch_free(watch);
    kanon_ctx_free(ctx);
}

/* --- memory --------------------------------------------------------------------------------------- */

static kanon_status
job_and_page(kanon_ctx *ctx, void *user)
{
    kanon_status  rc = KANON_OK;
    kanon_sink   *sink = NULL, *page = NULL;
    kanon_result *r = NULL;
    job           j = { user,
                        { "qi", "age,town,job", "id", "name", "sensitive", "salary", "k", "5", "suppression",
                          "0.02", "threads", "1" } };

    KN_TRY(run_job(ctx, &j, &sink, &r));
    KN_TRY(kanon_sink_memory(ctx, &page));
    KN_TRY(kanon_result_write(ctx, r, KANON_FORMAT_HTML, page));
out:
    kanon_result_free(r);
    kanon_sink_free(page);
    kanon_sink_free(sink);
    return rc;
}

TEST(every_allocation_may_fail)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    csv;

    kn_text_init(&csv, ctx);
    add_people(&csv);
    CHECK(failing_alloc_sweep(job_and_page, csv.ptr) > 50);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}
