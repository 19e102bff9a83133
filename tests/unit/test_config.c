/* SPDX-License-Identifier: Apache-2.0 */
/* test_config.c -- src/config: settings as text, the config file, and what later stages ask. */
#include "base/text.h"
#include "config/config.h"
#include "failing_alloc.h"
#include "test.h"

typedef struct fixture {
    kanon_ctx    *ctx;
    kanon_config *config;
} fixture;

static fixture
open_fixture(void)
{
    fixture f = { NULL, NULL };

    CHECK(kanon_ctx_new(NULL, &f.ctx) == KANON_OK);
    CHECK_OK(f.ctx, kanon_config_new(f.ctx, &f.config));
    return f;
}

static void
close_fixture(fixture *f)
{
    kanon_config_free(f->config);
    kanon_ctx_free(f->ctx);
}

static kanon_status
read_bytes(kanon_config *config, const char *bytes, size_t count, const char *folder)
{
    kanon_source *source = NULL;
    kanon_status  rc = kanon_source_memory(config->ctx, "c.yaml", bytes, count, &source);

    if (rc == KANON_OK)
        rc = kanon_config_read(config, source, folder);
    kanon_source_free(source);
    return rc;
}

static kanon_status
read_text(fixture *f, const char *text)
{
    return read_bytes(f->config, text, strlen(text), "dir");
}

static const kn_attribute *
attribute(const fixture *f, const char *name)
{
    const kn_attribute *found = kn_config_attribute(f->config, kn_str_of(name));

    CHECK(found != NULL);
    return found;
}

/* --- settings ---------------------------------------------------------------------------------- */

TEST(defaults_are_those_of_the_table)
{
    fixture                 f = open_fixture();
    const kanon_setting    *setting;
    const kn_model_setting *model;
    size_t                  models = 0, expected = 1; /* the population */

    CHECK_EQ_U64(f.config->k, 5);
    CHECK_NEAR(f.config->suppression, 0.01, 0);
    CHECK_STR(f.config->algorithm, "auto");
    CHECK(!f.config->metric);
    CHECK_STR(kn_config_metric(f.config, NULL), "glm");
    CHECK_STR(kn_config_metric(f.config, "dm"), "dm");
    CHECK_EQ_U64(f.config->seed, 1);
    CHECK(!f.config->order_key);
    CHECK(!f.config->keep_order);
    CHECK(kn_config_missing(f.config, KN_STR("")));
    CHECK(kn_config_missing(f.config, KN_STR("?")));
    CHECK(kn_config_missing(f.config, KN_STR("NA")));
    CHECK(!kn_config_missing(f.config, KN_STR("na")));
    /* what the table calls the default is accepted and changes nothing */
    for (size_t i = 0; (setting = kanon_setting_at(i)); i++) {
        CHECK(setting->name && setting->help);
        models += (size_t) kanon_setting_is_model(setting);
        if (strcmp(setting->name, "k") == 0 || strcmp(setting->name, "algorithm") == 0)
            CHECK(!kanon_setting_is_model(setting));
        if (setting->fallback && !strchr(setting->argument ? setting->argument : "", '='))
            CHECK_OK(f.ctx, kanon_config_set(f.config, setting->name, setting->fallback));
    }
    CHECK_EQ_U64(f.config->k, 5);
    CHECK_NEAR(f.config->suppression, 0.01, 0);
    CHECK_STR(kn_config_metric(f.config, NULL), "glm");
    CHECK_STR(kn_config_metric(f.config, "dm"), "glm"); /* said aloud, it wins */
    CHECK_EQ_U64(f.config->nmissing, 3);
    CHECK(f.config->header == KN_HEADER_AUTO);
    for (size_t i = 0; (model = kn_model_setting_at(i)); i++)
        expected += 1u + (model->kind.name ? 1u : 0u) + (model->other.name ? 1u : 0u);
    CHECK_EQ_U64(models, expected);
    close_fixture(&f);
}

/* Sets every setting of one config as another tells it. */
static void
copy_settings(fixture *from, fixture *to)
{
    const kanon_setting *setting;

    for (size_t i = 0; (setting = kanon_setting_at(i)); i++) {
        const char *value;
        kn_text     list;

        if (strcmp(setting->name, "no-header") == 0) /* header says the same and more */
            continue;
        kn_text_init(&list, from->ctx);
        for (size_t n = 0;; n++) {
            CHECK_OK(from->ctx, kanon_config_get(from->config, setting->name, n, &value));
            if (!value)
                break;
            if (setting->shape == KANON_SHAPE_LIST)
                kn_text_addf(&list, "%s%s", n ? "," : "", value);
            else
                CHECK_OK(to->ctx, kanon_config_set(to->config, setting->name, value));
        }
        CHECK_OK(from->ctx, kn_text_status(&list));
        if (list.len)
            CHECK_OK(to->ctx, kanon_config_set(to->config, setting->name, list.ptr));
        kn_text_fini(&list);
    }
}

static void
check_same_settings(fixture *a, fixture *b)
{
    const kanon_setting *setting;

    for (size_t i = 0; (setting = kanon_setting_at(i)); i++)
        for (size_t n = 0;; n++) {
            const char *one, *other;

            CHECK_OK(a->ctx, kanon_config_get(a->config, setting->name, n, &one));
            CHECK_OK(b->ctx, kanon_config_get(b->config, setting->name, n, &other));
            if (!one || !other)
                CHECK(!one && !other);
            else
                CHECK_STR(other, one);
            if (!one)
                break;
        }
}

TEST(a_config_can_be_read_back_and_set_again)
{
    static const char *const given[][3] = {
        { "qi", "age,\"a,b\"", "age" },
        { "id", "name", "name" },
        { "pseudonym", "person,\"e,f\"", "person" },
        { "pseudonym-key", "key", "key" },
        { "sensitive", "illness", "illness" },
        { "insensitive", "ward,\"c,d\"", "ward" },
        { "others", "drop", "drop" },
        { "hierarchy", "age=range:5,10", "age=range:5,10" },
        { "type", "age=number", "age=number" },
        { "weight", "age=2.5", "age=2.5" },
        { "importance", "\"a,b\"=high", "\"a,b\"=high" },
        { "round", "wage=0.5", "wage=0.5" },
        { "top", "wage=200000", "wage=200000" },
        { "bottom", "wage=-1.25", "wage=-1.25" },
        { "level", "age=0", "age=0" },
        { "min-level", "age=1", "age=1" },
        { "max-level", "age=255", "age=255" },
        { "label", "illness", "illness" },
        { "count", "n", "n" },
        { "k", "7", "7" },
        { "profile", "puf", "puf" },
        { "suppression", "5%", "0.05" },
        { "suppressed", "mask", "mask" },
        { "identifiers", "drop", "drop" },
        { "formulas", "quote", "quote" },
        { "l-diversity", "2.5", "2.5" },
        { "l-kind", "entropy", "entropy" },
        { "l-c", "4", "4" },
        { "t-closeness", "0.3", "0.3" },
        { "t-distance", "ordered", "ordered" },
        { "p-sensitive", "3", "3" },
        { "alpha", "0.5", "0.5" },
        { "beta-likeness", "1.5", "1.5" },
        { "beta-kind", "enhanced", "enhanced" },
        { "delta-disclosure", "2", "2" },
        { "k-map", "4", "4" },
        { "delta-presence", "0.1,0.6", "0.1,0.6" },
        { "population", "people.csv", "people.csv" },
        { "k-column", "own", "own" },
        { "entity", "person", "person" },
        { "algorithm", "kgen", "kgen" },
        { "metric", "glm", "glm" },
        { "param", "population=50", "population=50" },
        { "seed", "18446744073709551615", "18446744073709551615" },
        { "order-key", "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcdef" },
        { "threads", "3", "3" },
        { "time-limit", "2.5", "2.5" },
        { "local", "mean", "mean" },
        { "snap", "grid", "grid" },
        { "intervals", "dash", "dash" },
        { "knee-k", "3-20", "3-20" },
        { "grid", "age=0.05", "age=0.05" },
        { "keep-order", "true", "true" },
        { "report", "x.json", "x.json" },
        { "report-audience", "external", "external" },
        { "objectives", "k,glm,cm", "k" },
        { "boxes", "k=1,glm=0.01", "k=1" },
        { "wildcard", "true", "true" },
        { "delimiter", "tab", "tab" },
        { "quote", "'", "'" },
        { "header", "no", "no" },
        { "encoding", "latin-1", "latin-1" },
        { "skip", "2", "2" },
        { "skip-footer", "0", "0" },
        { "duplicate-names", "rename", "rename" },
        { "missing", ",-,\"n,a\"", "" },
    };
    static const char *const alone[][2] = { { "l-diversity", "illness=3" },
                                            { "l-kind", "illness=distinct" },
                                            { "l-c", "illness=2.5" },
                                            { "t-closeness", "illness=off" },
                                            { "alpha", "\"x=y\"=0.5" } };
    static const char *const idle[][2] = { { "p-sensitive", "1" },
                                           { "alpha", "1" },
                                           { "t-closeness", "1" },
                                           { "k-map", "0" },
                                           { "delta-presence", "0,1" } };
    fixture                  f = open_fixture(), copy = open_fixture(), plain = open_fixture();
    const kanon_setting     *setting;
    const char              *value;

    copy_settings(&plain, &copy); /* defaults are values, too */
    check_same_settings(&plain, &copy);
    for (size_t i = 0; i < KN_COUNT(given); i++) {
        CHECK_OK(f.ctx, kanon_config_set(f.config, given[i][0], given[i][1]));
        CHECK_OK(f.ctx, kanon_config_get(f.config, given[i][0], 0, &value));
        CHECK_STR(value, given[i][2]);
    }
    for (size_t i = 0; (setting = kanon_setting_at(i)); i++) { /* none is forgotten here */
        bool found = strcmp(setting->name, "no-header") == 0;

        for (size_t n = 0; n < KN_COUNT(given); n++)
            found = found || strcmp(given[n][0], setting->name) == 0;
        if (!found)
            FAIL("%s is not read back by this test", setting->name);
    }
    CHECK_OK(f.ctx, kanon_config_get(f.config, "qi", 1, &value));
    CHECK_STR(value, "\"a,b\"");
    for (size_t i = 0; i < KN_COUNT(alone); i++) { /* behind what holds for all columns */
        CHECK_OK(f.ctx, kanon_config_set(f.config, alone[i][0], alone[i][1]));
        CHECK_OK(f.ctx, kanon_config_get(f.config, alone[i][0], 1, &value));
        CHECK_STR(value, alone[i][1]);
    }
    copy_settings(&f, &copy);
    check_same_settings(&f, &copy);
    CHECK_STATUS(f.ctx, kanon_config_get(f.config, "nonsense", 0, &value), KANON_E_INVALID);
    CHECK(kanon_config_get(NULL, "k", 0, &value) == KANON_E_INVALID);
    CHECK(kanon_config_set(NULL, "k", "2") == KANON_E_INVALID);
    for (size_t i = 0; i < KN_COUNT(idle);
         i++) { /* a limit that asks for nothing is told as it was given */
        CHECK_OK(plain.ctx, kanon_config_set(plain.config, idle[i][0], idle[i][1]));
        CHECK_OK(plain.ctx, kanon_config_get(plain.config, idle[i][0], 0, &value));
        CHECK_STR(value, idle[i][1]);
    }
    close_fixture(&f);
    close_fixture(&copy);
    close_fixture(&plain);
}

TEST(models_of_single_columns_override_those_of_all)
{
    fixture                 f = open_fixture();
    const kn_model_setting *l = kn_model_distinct.setting, *t = kn_model_t_equal.setting;
    const kn_attribute     *illness, *wage;
    kn_asked                asked;

    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-diversity", "2"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-kind", "entropy"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "sensitive", "illness,wage"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-diversity", "illness=4"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-diversity", "wage=off"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "t-closeness", "wage=0.2"));
    illness = kn_config_attribute(f.config, KN_STR("illness"));
    wage = kn_config_attribute(f.config, KN_STR("wage"));
    asked = kn_config_asked_of(f.config, l, illness);
    CHECK(kn_asked_on(&asked) && asked.value == 4);
    CHECK(kn_model_of_kind(l, asked.kind) == &kn_model_entropy); /* as for all columns */
    asked = kn_config_asked_of(f.config, l, wage);
    CHECK(!kn_asked_on(&asked));
    asked = kn_config_asked_of(f.config, l, NULL);
    CHECK(asked.value == 2);
    asked = kn_config_asked_of(f.config, t, illness);
    CHECK(!kn_asked_on(&asked));
    asked = kn_config_asked_of(f.config, t, wage);
    CHECK(asked.value == 0.2);
    CHECK(kn_config_asks(f.config, KN_OF_SENSITIVE) == l);
    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-diversity", "off"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-diversity", "illness=1"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "l-kind", "illness=distinct"));
    asked = kn_config_asked_of(f.config, l, illness);
    CHECK(asked.idle && !kn_asked_on(&asked));
    CHECK(kn_config_asks(f.config, KN_OF_SENSITIVE) == t);
    close_fixture(&f);
}

TEST(a_column_is_weighed_by_a_number_or_in_words)
{
    fixture     f = open_fixture();
    const char *value;

    CHECK_OK(f.ctx, kanon_config_set(f.config, "importance", "age=high"));
    CHECK(kn_config_attribute(f.config, KN_STR("age"))->weight == 3);
    CHECK_OK(f.ctx, kanon_config_get(f.config, "weight", 0, &value));
    CHECK(!value);
    CHECK_STATUS(f.ctx, kanon_config_set(f.config, "weight", "age=2"), KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(f.ctx),
              "column 'age' has a weight and an importance; give it one of them");
    CHECK_OK(f.ctx, kanon_config_set(f.config, "importance", "age=low"));
    CHECK(kn_config_attribute(f.config, KN_STR("age"))->weight == 1.0 / 3);
    CHECK_OK(f.ctx, kanon_config_set(f.config, "weight", "sex=2"));
    CHECK_STATUS(f.ctx, kanon_config_set(f.config, "importance", "sex=low"), KANON_E_INVALID);
    close_fixture(&f);
}

TEST(settings_have_types_and_bounds)
{
    fixture              f = open_fixture();
    const kanon_setting *s;
    char                 least[64];

    for (size_t i = 0; (s = kanon_setting_at(i)); i++) {
        bool numeric = s->type == KANON_VALUE_INTEGER || s->type == KANON_VALUE_NUMBER;

        if (numeric != (s->max > s->min))
            FAIL("%s: bounds and type do not fit", s->name);
        CHECK((s->type == KANON_VALUE_CHOICE) == (s->argument && strchr(s->argument, '|')));
        CHECK((s->shape == KANON_SHAPE_SWITCH) == !s->argument);
        CHECK((s->shape == KANON_SHAPE_PAIR) == (s->argument && strchr(s->argument, '=')));
        snprintf(least, sizeof least, "%s%.0f", s->shape == KANON_SHAPE_PAIR ? "age=" : "", s->min);
        if (numeric && (kanon_config_set(f.config, s->name, least) == KANON_OK) == s->above_min)
            FAIL("%s: %s does not fit its bounds", s->name, least);
    }
    close_fixture(&f);
}

TEST(good_values_are_taken)
{
    fixture         f = open_fixture();
    kanon_config   *c = f.config;
    const kn_asked *l, *t, *presence;

    CHECK_OK(f.ctx, kanon_config_set(c, "k", "4294967295"));
    CHECK_EQ_U64(c->k, 4294967295u);
    CHECK_OK(f.ctx, kanon_config_set(c, "suppression", "1%"));
    CHECK(c->suppression == 0.01);
    CHECK_OK(f.ctx, kanon_config_set(c, "suppression", "0.5%"));
    CHECK(c->suppression == 0.005);
    CHECK_OK(f.ctx, kanon_config_set(c, "suppression", "100%"));
    CHECK(c->suppression == 1);
    CHECK_OK(f.ctx, kanon_config_set(c, "suppressed", "mask"));
    CHECK(c->suppressed == KN_SUPPRESSED_MASK);
    CHECK_OK(f.ctx, kanon_config_set(c, "identifiers", "drop"));
    CHECK(c->identifiers == KN_IDENTIFIERS_DROP);
    CHECK_OK(f.ctx, kanon_config_set(c, "time_limit", "1.5"));
    CHECK(c->time_limit_s == 1.5);
    CHECK_OK(f.ctx, kanon_config_set(c, "seed", "18446744073709551615"));
    CHECK(c->seed == UINT64_MAX);
    CHECK_OK(f.ctx, kanon_config_set(c, "delimiter", "tab"));
    CHECK(c->delimiter == '\t');
    CHECK_OK(f.ctx, kanon_config_set(c, "delimiter", "auto"));
    CHECK(c->delimiter == 0);
    CHECK_OK(f.ctx, kanon_config_set(c, "no-header", "true"));
    CHECK(c->header == KN_HEADER_NO);
    CHECK_OK(f.ctx, kanon_config_set(c, "encoding", "ISO-8859-1"));
    CHECK(c->encoding == KN_ENCODING_LATIN1);
    CHECK_OK(f.ctx, kanon_config_set(c, "missing", "-9,"));
    CHECK_EQ_U64(c->nmissing, 2);
    CHECK(kn_config_missing(c, KN_STR("-9")) && kn_config_missing(c, KN_STR("")));
    CHECK(!kn_config_missing(c, KN_STR("NA")));
    CHECK_OK(f.ctx, kanon_config_set(c, "l-diversity", "3"));
    CHECK_OK(f.ctx, kanon_config_set(c, "l-kind", "recursive"));
    l = kn_config_asked(c, kn_model_recursive.setting);
    CHECK(l->value == 3 && l->other == 3);
    CHECK(kn_model_of_kind(kn_model_recursive.setting, l->kind) == &kn_model_recursive);
    CHECK_OK(f.ctx, kanon_config_set(c, "l-diversity", "1"));
    CHECK(l->value == 1 && !l->idle); /* it limits the share of the most frequent value */
    CHECK_OK(f.ctx, kanon_config_set(c, "l-kind", "distinct"));
    CHECK(l->value < 0 && l->idle);
    CHECK_OK(f.ctx, kanon_config_set(c, "l-diversity", "off"));
    CHECK(l->value < 0 && !l->idle);
    t = kn_config_asked(c, kn_model_t_equal.setting);
    CHECK_OK(f.ctx, kanon_config_set(c, "t-closeness", "0.2"));
    CHECK(t->value == 0.2);
    CHECK(!kn_model_of_kind(kn_model_t_equal.setting, t->kind)); /* the column decides */
    CHECK_OK(f.ctx, kanon_config_set(c, "t-closeness", "1"));
    CHECK(t->value < 0 && t->idle); /* every class satisfies it */
    presence = kn_config_asked(c, kn_model_presence.setting);
    CHECK_OK(f.ctx, kanon_config_set(c, "delta-presence", "0.1, 0.5"));
    CHECK(presence->other == 0.1 && presence->value == 0.5);
    CHECK_OK(f.ctx, kanon_config_set(c, "delta-presence", "0.4"));
    CHECK(presence->other == 0 && presence->value == 0.4);
    CHECK_OK(f.ctx, kanon_config_set(c, "population", "people.csv"));
    CHECK_STR(kanon_config_file(c, 0), "people.csv");
    CHECK_OK(f.ctx, kanon_config_set(c, "report", "a.json"));
    CHECK_OK(f.ctx, kanon_config_set(c, "report", "b.json"));
    CHECK_STR(kanon_config_report(c, 1), "b.json");
    CHECK(kanon_config_report(c, 2) == NULL);
    close_fixture(&f);
}

#define BAD_KEY                                                                                    \
    "order-key: expected 32 to 64 hexadecimal digits (0-9, a-f), as `openssl rand -hex 32` makes " \
    "them; leave it out for a fresh key"

TEST(bad_values_are_refused_with_what_was_expected)
{
    static const struct {
        const char *name, *value, *message;
    } cases[] = {
        { "k", "0", "k: '0' is not valid; expected a whole number from 1 to 4294967295" },
        { "k", "-1", "k: '-1' is not valid; expected a whole number from 1 to 4294967295" },
        { "k", "5.0", "k: '5.0' is not valid; expected a whole number from 1 to 4294967295" },
        { "k", "", "k: '' is not valid; expected a whole number from 1 to 4294967295" },
        { "k", "99999999999999999999999", NULL },
        { "suppression", "2",
          "suppression: '2' is not valid; expected a fraction from 0 to 1, or a percentage such as "
          "1%" },
        { "suppression", "-0.1", NULL },
        { "suppression", "101%", NULL },
        { "suppression", "%", NULL },
        { "suppression", "nan", NULL },
        { "suppressed", "hide", "suppressed: 'hide' is not valid; expected drop or mask" },
        { "identifiers", "keep", "identifiers: 'keep' is not valid; expected mask or drop" },
        { "l-diversity", "two",
          "l-diversity: 'two' is not valid; expected a whole number, or off" },
        { "l-kind", "x", "l-kind: 'x' is not valid; expected distinct, entropy or recursive" },
        { "t-closeness", "2",
          "t-closeness: '2' is not valid; expected a fraction from 0 to 1, or off" },
        { "t-distance", "far",
          "t-distance: 'far' is not valid; expected auto, equal, ordered or hierarchical" },
        { "l-c", "0", "l-c: '0' is not valid; expected a number above 0" },
        { "p-sensitive", "2.5",
          "p-sensitive: '2.5' is not valid; expected a whole number, or off" },
        { "alpha", "-1", "alpha: '-1' is not valid; expected a fraction from 0 to 1, or off" },
        { "beta-likeness", "x",
          "beta-likeness: 'x' is not valid; expected a number of at least 0, or off" },
        { "beta-kind", "x", "beta-kind: 'x' is not valid; expected basic or enhanced" },
        { "delta-disclosure", "0",
          "delta-disclosure: '0' is not valid; expected a number above 0, or off" },
        { "delta-presence", "0.5,0.2",
          "delta-presence: '0.5,0.2' is not valid; expected a fraction from 0 to 1, or two of "
          "them: MIN,MAX; or off" },
        { "k-map", "x", "k-map: 'x' is not valid; expected a whole number, or off" },
        { "population", "", "population: '' is not valid; expected the name of a file" },
        { "entity", "", "entity: '' is not valid; expected the name of a column" },
        { "algorithm", "",
          "algorithm: '' is not valid; expected a name that `kanon algorithms` lists" },
        { "param", "population", "param: 'population' is not valid; expected KEY=VALUE" },
        { "param", "=3", "param: '' is not valid; expected the name of a parameter before the =" },
        { "param", "population=", "param: '' is not valid; expected a value after the =" },
        { "keep-order", "maybe", "keep-order: 'maybe' is not valid; expected true or false" },
        { "seed", "-1", NULL },
        { "seed", "18446744073709551616", NULL },
        { "order-key", "0123456789abcdef0123456789abcde", BAD_KEY },
        { "order-key", TEST_KEY "0", BAD_KEY },
        { "order-key", "0123456789abcdef0123456789abcdeg", BAD_KEY },
        { "order-key", "0x123456789abcdef0123456789abcdef", BAD_KEY },
        { "order-key", "", BAD_KEY },
        { "threads", "2000",
          "threads: '2000' is not valid; expected a whole number from 0 (all cores) to 1024" },
        { "time-limit", "soon",
          "time-limit: 'soon' is not valid; expected a number of seconds, 0 or none for no limit" },
        { "report", "r.txt",
          "report: 'r.txt' is not valid; expected a file that ends in .html or .json" },
        { "report", ".json", NULL },
        { "delimiter", "ab", NULL },
        { "delimiter", "x", NULL },
        { "delimiter", "\"", NULL },
        { "quote", "tab", NULL },
        { "header", "perhaps", "header: 'perhaps' is not valid; expected auto, yes or no" },
        { "encoding", "utf-7",
          "encoding: 'utf-7' is not valid; expected auto, utf-8, utf-16, windows-1252 or latin-1" },
        { "qi", "a,,b", "qi: a column name is empty; name a column" },
        { "qi", "", "qi: a column name is empty; name a column" },
        { "hierarchy", "age", "hierarchy: 'age' is not valid; expected COL=SPEC" },
        { "hierarchy", "age=range:5,7", NULL },
        { "type", "age=colour",
          "type: 'colour' is not valid; expected number, date, string or place" },
        { "weight", "age", "weight: 'age' is not valid; expected COL=W" },
        { "weight", "age=", "weight: '' is not valid; expected a number from 0 to 1e9" },
        { "weight", "age=-1", "weight: '-1' is not valid; expected a number from 0 to 1e9" },
        { "weight", "age=inf", "weight: 'inf' is not valid; expected a number from 0 to 1e9" },
        { "weight", "age=nan", "weight: 'nan' is not valid; expected a number from 0 to 1e9" },
        { "weight", "age=1e10", "weight: '1e10' is not valid; expected a number from 0 to 1e9" },
        { "weight", "age=1,5", "weight: '1,5' is not valid; expected a number from 0 to 1e9" },
        { "importance", "age=huge",
          "importance: 'huge' is not valid; expected low, normal or high" },
        { "round", "wage=0",
          "round: '0' is not valid; expected a number above 0, the unit to round to" },
        { "round", "wage=-5",
          "round: '-5' is not valid; expected a number above 0, the unit to round to" },
        { "top", "wage=1,5", "top: '1,5' is not valid; expected a number" },
        { "bottom", "wage=", "bottom: '' is not valid; expected a number" },
        { "l-diversity", "age=few",
          "l-diversity: 'few' is not valid; expected a whole number, or off" },
        { "l-diversity", "=2", "l-diversity: a column name is empty; name a column" },
        { "k-map", "age=2", "k-map: 'age=2' is not valid; expected a whole number, or off" },
        { "level", "age", "level: 'age' is not valid; expected COL=N" },
        { "level",
          "age=", "level: '' is not valid; expected a level of the hierarchy, from 0 to 255" },
        { "min-level", "age=-1",
          "min-level: '-1' is not valid; expected a level of the hierarchy, from 0 to 255" },
        { "max-level", "age=256",
          "max-level: '256' is not valid; expected a level of the hierarchy, from 0 to 255" },
        { "weight", "=2", "weight: a column name is empty; name a column" },
        { "label", "", "label: '' is not valid; expected the name of a column" },
        { "count", "", "count: '' is not valid; expected the name of a column" },
        { "colours", "1", "unknown setting 'colours'" },
        { "algoritm", "kgen", "unknown setting 'algoritm'; did you mean 'algorithm'?" },
    };

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        fixture f = open_fixture();

        if (kanon_config_set(f.config, cases[i].name, cases[i].value) != KANON_E_INVALID)
            FAIL("%s '%s' was accepted", cases[i].name, cases[i].value);
        if (cases[i].message)
            CHECK_STR(kanon_ctx_message(f.ctx), cases[i].message);
        CHECK(kanon_ctx_message(f.ctx)[0]);
        close_fixture(&f);
    }
}

TEST(reports_are_html_or_json_for_one_audience)
{
    fixture f = open_fixture();

    CHECK_OK(f.ctx, kanon_config_set(f.config, "report", "r.html"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "report", "r.json"));
    CHECK_STR(kanon_config_report(f.config, 0), "r.html");
    CHECK(f.config->audience == KN_AUDIENCE_INTERNAL);
    CHECK_OK(f.ctx, kanon_config_set(f.config, "report-audience", "external"));
    CHECK(f.config->audience == KN_AUDIENCE_EXTERNAL);
    CHECK_STATUS(f.ctx, kanon_config_set(f.config, "report-audience", "all"), KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(f.ctx),
              "report-audience: 'all' is not valid; expected internal or external");
    close_fixture(&f);
}

TEST(params_are_kept_and_the_last_one_wins)
{
    fixture f = open_fixture();

    CHECK_OK(f.ctx, kanon_config_set(f.config, "param", "max_evaluations=10"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "param", "population = 7"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "param", "max-evaluations=20"));
    CHECK_EQ_U64(f.config->nparams, 2);
    CHECK_STR(f.config->params[0].key, "max-evaluations");
    CHECK_STR(f.config->params[0].value, "20");
    CHECK_STR(f.config->params[1].value, "7");
    close_fixture(&f);
}

/* --- columns ----------------------------------------------------------------------------------- */

TEST(roles_come_from_lists)
{
    fixture f = open_fixture();

    CHECK_OK(f.ctx, kanon_config_set(f.config, "qi", "age, \"last, first\" ,\"a\"\"b\",c\"d"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "qi", "sex"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "id", "name"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "sensitive", "crime"));
    CHECK_EQ_U64(f.config->nattributes, 7);
    CHECK(attribute(&f, "age")->role == KN_ROLE_QUASI);
    CHECK(attribute(&f, "last, first")->role == KN_ROLE_QUASI);
    CHECK(attribute(&f, "a\"b")->role == KN_ROLE_QUASI);
    CHECK(attribute(&f, "c\"d")->role == KN_ROLE_QUASI);
    CHECK(attribute(&f, "name")->role == KN_ROLE_IDENTIFIER);
    CHECK(attribute(&f, "crime")->role == KN_ROLE_SENSITIVE);
    CHECK(kn_config_attribute(f.config, KN_STR("other")) == NULL);
    CHECK_STATUS(f.ctx, kanon_config_set(f.config, "id", "age"), KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(f.ctx),
              "column 'age' has two roles, quasi and identifier; give it one");
    CHECK_OK(f.ctx, kanon_config_set(f.config, "qi", "age"));
    close_fixture(&f);
}

TEST(hierarchies_and_types_come_from_pairs)
{
    fixture f = open_fixture();

    CHECK_OK(f.ctx, kanon_config_set(f.config, "hierarchy", "age=range:5,10"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "hierarchy", "\"a=b\"=x=y.csv"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "type", "age=integer"));
    CHECK(attribute(&f, "age")->hierarchy.kind == KN_HIER_RANGE);
    CHECK_EQ_U64(attribute(&f, "age")->hierarchy.nitems, 2);
    CHECK(attribute(&f, "age")->type == KN_TYPE_NUMBER);
    CHECK(attribute(&f, "age")->role == KN_ROLE_NONE);
    CHECK_STR(attribute(&f, "a=b")->hierarchy.file, "x=y.csv");
    close_fixture(&f);
}

TEST(weights_come_from_pairs_and_attributes)
{
    fixture f = open_fixture();

    CHECK_OK(f.ctx, read_text(&f, "weight: {a: 3, b: 0.25}\n"
                                  "attributes:\n  c: {role: quasi, weight: 0}\n  d: {role: quasi}\n"
                                  "  e: {weight: 1e9}\n"));
    CHECK(attribute(&f, "a")->weight == 3 && attribute(&f, "a")->has_weight);
    CHECK(attribute(&f, "b")->weight == 0.25);
    CHECK(attribute(&f, "c")->weight == 0 && attribute(&f, "c")->has_weight);
    CHECK(attribute(&f, "d")->weight == 1 && !attribute(&f, "d")->has_weight);
    CHECK(attribute(&f, "e")->weight == 1e9);
    CHECK(attribute(&f, "a")->role == KN_ROLE_NONE);
    CHECK_EQ_U64(f.config->weight_at.line, 5);
    CHECK_OK(f.ctx, kanon_config_set(f.config, "weight", "a=1.5"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "weight", "\"x=y\"= 2"));
    CHECK(attribute(&f, "a")->weight == 1.5);
    CHECK(attribute(&f, "x=y")->weight == 2);
    close_fixture(&f);
}

TEST(csv_options_expect_the_attributes)
{
    fixture        f = open_fixture();
    kn_csv_options options;

    CHECK_OK(f.ctx, kanon_config_set(f.config, "qi", "a,b"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "delimiter", ";"));
    CHECK_OK(f.ctx, kn_config_csv(f.config, &options));
    CHECK_EQ_U64(options.nexpected, 2);
    CHECK_PIECE(options.expected[1], "b");
    CHECK(options.delimiter == ';');
    CHECK_OK(f.ctx, kanon_config_set(f.config, "quote", ";"));
    CHECK_STATUS(f.ctx, kn_config_csv(f.config, &options), KANON_E_INVALID);
    close_fixture(&f);
}

/* --- the config file --------------------------------------------------------------------------- */

TEST(the_example_of_the_manual_is_read)
{
    fixture f = open_fixture();

    CHECK_OK(
        f.ctx,
        read_text(
            &f,
            "k: 5\nsuppression: 0.02\nalgorithm: kgen\nmetric: glm\nattributes:\n"
            "  name:     {role: identifier}\n"
            "  age:      {role: quasi, type: number, hierarchy: {range: [5, 10, 50, 100]}}\n"
            "  postcode: {role: quasi, type: string, hierarchy: {mask: left}}\n"
            "  birth:    {role: quasi, type: date,   hierarchy: {date: [month, year, decade]}}\n"
            "  city:     {role: quasi, type: place,  hierarchy: {place: places.csv}}\n"
            "  job:      {role: quasi, hierarchy: {file: /abs/job.csv, unknown: other}}\n"
            "  zone:     {role: qi, hierarchy: {place: p.csv, columns: [A, B]}}\n"
            "  rank:     {role: quasi_identifier, hierarchy: {order: 4}}\n"
            "  rest:     {role: quasi, hierarchy: \"range:x10\"}\n"
            "  free:     {role: quasi, hierarchy: {auto: true}}\n"
            "  wide:     {role: quasi, hierarchy: {range: auto}}\n"
            "  disease:  {role: quasi, hierarchy: {pack: icd-10, unknown: other}}\n"
            "  town:     {role: quasi, hierarchy: {pack: [postcode-de, plz-3, plz-1]}}\n"
            "  crime:    {role: sensitive}\n"));
    CHECK_EQ_U64(f.config->k, 5);
    CHECK_NEAR(f.config->suppression, 0.02, 0);
    CHECK_STR(f.config->algorithm, "kgen");
    CHECK_STR(f.config->algorithm_at.file, "c.yaml");
    CHECK_EQ_U64(f.config->algorithm_at.line, 3);
    CHECK_EQ_U64(f.config->nattributes, 14);
    CHECK(attribute(&f, "name")->role == KN_ROLE_IDENTIFIER);
    CHECK_EQ_U64(attribute(&f, "age")->hierarchy.nitems, 4);
    CHECK_EQ_U64(attribute(&f, "age")->line, 7);
    CHECK(attribute(&f, "postcode")->hierarchy.from_left);
    CHECK_EQ_U64(attribute(&f, "birth")->hierarchy.nitems, 3);
    CHECK_STR(attribute(&f, "city")->hierarchy.file, "dir/places.csv");
    CHECK(attribute(&f, "city")->type == KN_TYPE_PLACE);
    CHECK_STR(attribute(&f, "job")->hierarchy.file, "/abs/job.csv");
    CHECK(attribute(&f, "job")->hierarchy.unknown_other);
    CHECK(attribute(&f, "zone")->hierarchy.kind == KN_HIER_PLACE);
    CHECK_STR(attribute(&f, "zone")->hierarchy.items[1], "B");
    CHECK(attribute(&f, "rank")->hierarchy.kind == KN_HIER_ORDER);
    CHECK(attribute(&f, "rest")->hierarchy.kind == KN_HIER_RANGE);
    CHECK(attribute(&f, "free")->hierarchy.kind == KN_HIER_AUTO);
    CHECK_EQ_U64(attribute(&f, "wide")->hierarchy.nitems, 0);
    CHECK(attribute(&f, "disease")->hierarchy.kind == KN_HIER_PACK);
    CHECK(attribute(&f, "disease")->hierarchy.unknown_other);
    CHECK(!attribute(&f, "town")->hierarchy.unknown_other);
    CHECK_STR(attribute(&f, "town")->hierarchy.items[2], "plz-1");
    CHECK(attribute(&f, "crime")->role == KN_ROLE_SENSITIVE);
    close_fixture(&f);
}

TEST(json_is_read_too)
{
    fixture f = open_fixture();

    CHECK_OK(
        f.ctx,
        read_text(
            &f, "{\n\t\"k\": 3, \"keep_order\": true,\n\"qi\": [\"a,b\", \"c\"], \"header\": false,"
                "\"params\": {\"population\": 10},\n"
                "\"missing\": [\"\", \"x\"], \"report\": [\"r.json\"],"
                "\"attributes\": {\"s\\u00e9\": {\"role\": \"sensitive\"}}}\n"));
    CHECK_EQ_U64(f.config->k, 3);
    CHECK(f.config->keep_order);
    CHECK(attribute(&f, "a,b")->role == KN_ROLE_QUASI);
    CHECK(attribute(&f, "s\xc3\xa9")->role == KN_ROLE_SENSITIVE);
    CHECK(f.config->header == KN_HEADER_NO);
    CHECK_STR(f.config->params[0].key, "population");
    CHECK_EQ_U64(f.config->nmissing, 2);
    CHECK_STR(kanon_config_report(f.config, 0), "dir/r.json");
    close_fixture(&f);
}

TEST(files_that_the_settings_name_are_told)
{
    fixture f = open_fixture();

    CHECK(kanon_config_file(f.config, 0) == NULL);
    CHECK_OK(f.ctx, read_text(&f, "attributes:\n"
                                  "  job: {role: quasi, hierarchy: {file: job.csv}}\n"
                                  "  age: {role: quasi, hierarchy: {range: [5, 10]}}\n"
                                  "  city: {role: quasi, hierarchy: {place: places.csv}}\n"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "hierarchy", "sex=sex.csv"));
    CHECK_STR(kanon_config_file(f.config, 0), "dir/job.csv");
    CHECK_STR(kanon_config_file(f.config, 1), "dir/places.csv");
    CHECK_STR(kanon_config_file(f.config, 2), "sex.csv");
    CHECK(kanon_config_file(f.config, 3) == NULL);
    close_fixture(&f);
}

TEST(other_forms_of_lists_and_pairs)
{
    fixture f = open_fixture();

    CHECK_OK(f.ctx, read_text(&f, "qi: a, b\nid: [c]\nhierarchy: {a: {mask: right}, b: job.csv}\n"
                                  "type: [a=string]\nparam: [population=3, elite=1]\nmissing: []\n"
                                  "label: c\ntime_limit: none\n"));
    CHECK(attribute(&f, "b")->role == KN_ROLE_QUASI);
    CHECK_STR(attribute(&f, "b")->hierarchy.file, "dir/job.csv");
    CHECK(attribute(&f, "a")->hierarchy.kind == KN_HIER_MASK);
    CHECK(attribute(&f, "a")->type == KN_TYPE_STRING);
    CHECK_EQ_U64(f.config->nparams, 2);
    CHECK_EQ_U64(f.config->nmissing, 0);
    CHECK_STR(f.config->label, "c");
    close_fixture(&f);
}

TEST(a_config_may_say_nothing)
{
    static const char *const texts[] = { "",     "# nothing\n",        "---\n",
                                         "{}\n", "\xef\xbb\xbfk: 7\n", "---\nk: 7\n...\n" };

    for (size_t i = 0; i < KN_COUNT(texts); i++) {
        fixture f = open_fixture();

        CHECK_OK(f.ctx, read_text(&f, texts[i]));
        close_fixture(&f);
    }
}

TEST(the_command_line_wins)
{
    fixture f = open_fixture();

    CHECK_OK(f.ctx, read_text(&f, "k: 9\nsuppression: 0.5\nattributes:\n  age: {role: identifier, "
                                  "hierarchy: {mask: right}}\n"
                                  "  sex: {role: quasi}\n"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "k", "2"));
    CHECK_OK(f.ctx, kanon_config_set(f.config, "qi", "age"));
    CHECK_EQ_U64(f.config->k, 2);
    CHECK_NEAR(f.config->suppression, 0.5, 0);
    CHECK(attribute(&f, "age")->role == KN_ROLE_QUASI);
    CHECK(attribute(&f, "age")->hierarchy.kind == KN_HIER_MASK);
    CHECK(attribute(&f, "sex")->role == KN_ROLE_QUASI);
    CHECK_STATUS(f.ctx, kanon_config_set(f.config, "id", "age"), KANON_E_INVALID);
    close_fixture(&f);
}

TEST(broken_configs_are_refused_at_their_line)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "k: 5\nkk: 3\nalgoritm: x\n",
          "c.yaml:2: unknown key 'kk' at the top; did you mean 'k'?" },
        { "colour: 3\n",
          "c.yaml:1: unknown key 'colour' at the top; expected one of attributes, qi, id, "
          "pseudonym, pseudonym-key, sensitive, insensitive, others, hierarchy, type, level, "
          "min-level, max-level, weight, "
          "importance, round, top, bottom, label, count, k, profile, suppression, "
          "suppressed, identifiers, formulas, "
          "l-diversity, l-kind, l-c, p-sensitive, alpha, beta-likeness, beta-kind, "
          "delta-disclosure, t-closeness, t-distance, k-map, delta-presence, entity, k-column, "
          "population, algorithm, metric, param, seed, order-key, threads, time-limit, local, "
          "snap, intervals, grid, "
          "keep-order, report, report-audience, objectives, boxes, knee-k, wildcard, delimiter, "
          "quote, header, no-header, encoding, skip, skip-footer, duplicate-names, missing" },
        { "k: 5\nalgoritm: x\n",
          "c.yaml:2: unknown key 'algoritm' at the top; did you mean 'algorithm'?" },
        { "attribute: {}\n",
          "c.yaml:1: unknown key 'attribute' at the top; did you mean 'attributes'?" },
        { "k: 5\n\nk: 6\n", "c.yaml:3: 'k' is given twice, first at line 1; remove one of them" },
        { "time-limit: 1\ntime_limit: 2\n",
          "c.yaml:2: 'time_limit' is given twice, first at line 1; remove one of them" },
        { "param: {a: 1}\nparams: {b: 1}\n",
          "c.yaml:2: 'params' is given twice, first at line 1; remove one of them" },
        { "\nk: zero\n",
          "c.yaml:2: k: 'zero' is not valid; expected a whole number from 1 to 4294967295" },
        { "k:\n", "c.yaml:1: k: the value is missing; expected one value" },
        { "k: [1]\n", "c.yaml:1: k: a list is not valid; expected one value" },
        { "k: {a: 1}\n", "c.yaml:1: k: a mapping is not valid; expected one value" },
        { "keep-order: 3\n", "c.yaml:1: keep-order: '3' is not valid; expected true or false" },
        { "qi: {a: b}\n", "c.yaml:1: qi: a mapping is not valid; expected a list" },
        { "qi: [a, [b]]\n", "c.yaml:1: qi: a list or mapping inside the list; use plain items (put "
                            "a single ? and texts with ': ' in quotes)" },
        { "qi:\n  - a\n  -\n", "c.yaml:3: qi: an empty item; write \"\" for the empty text" },
        { "report: {a: b}\n",
          "c.yaml:1: report: a mapping is not valid; expected one or more files" },
        { "qi: [a]\nid: [a]\n",
          "c.yaml:2: column 'a' has two roles, quasi and identifier; give it one" },
        { "- k\n- 5\n",
          "c.yaml:1: not a mapping; write lines such as 'k: 5', with a blank after the colon" },
        { "just words\n",
          "c.yaml:1: not a mapping; write lines such as 'k: 5', with a blank after the colon" },
        { "k: 5\n---\nk: 6\n", "c.yaml:2: a second document; remove the line ---" },
        { "k: &x 5\nseed: *x\n", "c.yaml:1: 'x' is an anchor or alias; write the value itself, and "
                                 "put a text that begins with & or * in quotes" },
        { "seed: *x\n", "c.yaml:1: 'x' is an anchor or alias; write the value itself, and put a "
                        "text that begins with & or * in quotes" },
        { "k: !!int 5\n", "c.yaml:1: 'tag:yaml.org,2002:int' is a tag; write a plain value" },
        { "label: \"a\\0b\"\n", "c.yaml:1: a NUL character; remove it" },
        { "? [a]\n: 3\n", "c.yaml:1: a name is missing before the ':'; write it as in 'k: 5'" },
        { "attributes: 3\n",
          "c.yaml:1: attributes: expected a mapping of columns, such as 'age: {role: quasi}'" },
        { "attributes:\n  age: quasi\n",
          "c.yaml:2: column 'age': expected a mapping such as {role: quasi}" },
        { "attributes:\n  age: {rol: quasi}\n",
          "c.yaml:2: unknown key 'rol' of a column; did you mean 'role'?" },
        { "attributes:\n  age: {role: quasy}\n", "c.yaml:2: role: 'quasy' is not valid; expected "
                                                 "identifier, quasi, sensitive or insensitive" },
        { "attributes:\n  age: {role: [quasi]}\n", "c.yaml:2: role: a list is not valid; expected "
                                                   "identifier, quasi, sensitive or insensitive" },
        { "attributes:\n  age: {role: quasi, role: quasi}\n",
          "c.yaml:2: 'role' is given twice, first at line 2; remove one of them" },
        { "attributes:\n  age: {role: quasi}\n  age: {role: quasi}\n",
          "c.yaml:3: column 'age' is given twice, first at line 2; remove one of them" },
        { "qi: [age]\nattributes:\n  age: {role: identifier}\n",
          "c.yaml:3: column 'age' has two roles, quasi and identifier; give it one" },
        { "attributes:\n  age: {type: float}\n",
          "c.yaml:2: type: 'float' is not valid; expected number, date, string or place" },
        { "attributes:\n  age: {weight: heavy}\n",
          "c.yaml:2: weight: 'heavy' is not valid; expected a number from 0 to 1e9" },
        { "attributes:\n  age: {weight: [1]}\n",
          "c.yaml:2: weight: a list is not valid; expected a number" },
        { "attributes:\n  age: {weight: 1, weight: 2}\n",
          "c.yaml:2: 'weight' is given twice, first at line 2; remove one of them" },
        { "k: 5\nweight: {age: -2}\n",
          "c.yaml:2: weight: '-2' is not valid; expected a number from 0 to 1e9" },
        { "attributes:\n  \"\": {role: quasi}\n",
          "c.yaml:2: attributes: a column name is empty; name a column" },
        { "attributes:\n  age: {hierarchy: {rang: 5}}\n",
          "c.yaml:2: unknown key 'rang' in a hierarchy; did you mean 'range'?" },
        { "attributes:\n  age: {hierarchy: {range: 5, mask: right}}\n",
          "c.yaml:2: two kinds of hierarchy, range and mask; use one" },
        { "attributes:\n  age: {hierarchy: {unknown: other}}\n",
          "c.yaml:2: the hierarchy has no kind; use range, mask, date, place, file, order, pack, "
          "time, ip, email, grid or auto" },
        { "attributes:\n  age: {hierarchy: {range: []}}\n",
          "c.yaml:2: range: the list is empty; give at least one item" },
        { "attributes:\n  age: {hierarchy: {range: {a: b}}}\n",
          "c.yaml:2: range: a list, a mapping or nothing; use plain items such as [5, 10]" },
        { "attributes:\n  age: {hierarchy: {range: [5, [6]]}}\n",
          "c.yaml:2: range: a list, a mapping or nothing; use plain items such as [5, 10]" },
        { "attributes:\n  age: {hierarchy: [range]}\n",
          "c.yaml:2: hierarchy: expected a mapping such as {range: [5, 10]}, or a text such as "
          "auto" },
        { "attributes:\n  age: {hierarchy: {range: [5, 12]}}\n", NULL },
        { "attributes:\n  age: {hierarchy: {mask: up}}\n", NULL },
        { "attributes:\n  age: {hierarchy: {date: [fortnight]}}\n", NULL },
        { "attributes:\n  age: {hierarchy: {order: none}}\n", NULL },
        { "attributes:\n  age: {hierarchy: rainge:5}\n", NULL },
        { "attributes:\n  age: {hierarchy: {auto: false}}\n",
          "c.yaml:2: auto: 'false' is not valid; expected auto: true" },
        { "attributes:\n  age: {hierarchy: {file: [a, b]}}\n",
          "c.yaml:2: file: expected the name of one file" },
        { "attributes:\n  age: {hierarchy: {file: a.csv, columns: [A]}}\n",
          "c.yaml:2: columns: only place has it; use only file and unknown here" },
        { "attributes:\n  age: {hierarchy: {file: a.csv, unknown: keep}}\n",
          "c.yaml:2: unknown: 'keep' is not valid; expected other or refuse" },
        { "attributes:\n  age: {hierarchy: {range: 5, unknown: other}}\n",
          "c.yaml:2: unknown: only place, file, pack, ip and email have it, not range" },
        { "attributes:\n  age: {hierarchy: {range: 5, columns: [A]}}\n",
          "c.yaml:2: columns: only place has it, not range" },
        { "attributes:\n  age: {hierarchy: {pack: icd-10, unknown: keep}}\n",
          "c.yaml:2: unknown: 'keep' is not valid; expected other or refuse" },
        { "attributes:\n  age: {hierarchy: {pack: icd-9}}\n", NULL },
        { "l-diversity: many\n", NULL },
        { "report: out.pdf\n", NULL },
        { "k: 'open\n", NULL },
        { "k: [1, 2\n", NULL },
        { "\tk: 5\n", NULL },
        { "a: b: c\n", NULL },
        { "k: 5\nsuppression: \xff\n",
          "c.yaml:2: a byte that is not UTF-8; save the file as UTF-8" },
        { "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", NULL },
        { "attributes: {a: {hierarchy: {range: {a: {b: {c: {d: 1}}}}}}}\n",
          "c.yaml:1: range: a list, a mapping or nothing; use plain items such as [5, 10]" },
    };

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        fixture      f = open_fixture();
        kanon_status rc = read_text(&f, cases[i].text);

        if (rc != KANON_E_PARSE && rc != KANON_E_INVALID && rc != KANON_E_UNSUPPORTED)
            FAIL("accepted (%d): %s", (int) rc, cases[i].text);
        if (cases[i].message)
            CHECK_STR(kanon_ctx_message(f.ctx), cases[i].message);
        if (strncmp(kanon_ctx_message(f.ctx), "c.yaml:", 7) != 0)
            FAIL("no place: %s", kanon_ctx_message(f.ctx));
        close_fixture(&f);
    }
}

TEST(a_config_is_bounded)
{
    fixture f = open_fixture();
    size_t  count = (16u << 20) + 1;
    char   *bytes = malloc(count);

    CHECK(bytes != NULL);
    memset(bytes, '#', count);
    CHECK_STATUS(f.ctx, read_bytes(f.config, bytes, count, NULL), KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(f.ctx),
              "c.yaml: larger than 16 MiB, the maximum for a config; is it a config?");
    free(bytes);
    close_fixture(&f);
}

/* --- memory ------------------------------------------------------------------------------------ */

static kanon_status
read_a_config(kanon_ctx *ctx, void *user)
{
    static const char text[] =
        "k: 3\nqi: [a, b]\nmissing: [x, y]\nparam: {p: 1}\nreport: r.json\nattributes:\n"
        "  c: {role: quasi, hierarchy: {place: p.csv, columns: [A]}}\n"
        "  d: {role: quasi, hierarchy: {range: [5, 10]}}\n";
    kanon_config *config = NULL;
    kanon_status  rc = kanon_config_new(ctx, &config);

    (void) user;
    if (rc == KANON_OK)
        rc = read_bytes(config, text, sizeof text - 1, "folder");
    if (rc == KANON_OK)
        rc = kanon_config_set(config, "sensitive", "e,\"f\"");
    if (rc == KANON_OK)
        rc = kanon_config_set(config, "hierarchy", "a=range:5");
    kanon_config_free(config);
    return rc;
}

TEST(every_allocation_may_fail)
{
    CHECK(failing_alloc_sweep(read_a_config, NULL) > 10);
}
