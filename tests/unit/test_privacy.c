/* SPDX-License-Identifier: Apache-2.0 */
/* test_privacy.c -- the privacy models beyond k: worked examples of the papers that define them, what
 * merging classes does to each, and the two implementations (checker and audit) against each other. */
#include "job_fixture.h"
#include "privacy/registry.h"
#include "search_fixture.h"
#include "verify/audit.h"
#include "verify/verify.h"
#include "verify/row_audit.h"

#include <unistd.h>

/* --- helpers ------------------------------------------------------------------------------------------- */

/* A table whose first column g names the class of each row, with the settings NAME, VALUE, ..., NULL. */
static void
open_classes(problem_fixture *f, const char *csv, const char *const *settings)
{
    problem_begin(f, NULL);
    kn_text_addz(&f->csv, csv);
    problem_set(f, "qi", "g");
    problem_set(f, "type", "g=string");
    problem_set(f, "k", "1");
    problem_set(f, "suppression", "0");
    for (; *settings; settings += 2)
        problem_set(f, settings[0], settings[1]);
    problem_open(f);
}

/* What one class, by its value of g, reaches in the first model. */
static double
reached_by(problem_fixture *f, const char *g)
{
    kn_workspace *ws = NULL;
    kn_checker   *checker = NULL;
    kn_grouping   grouping;
    uint8_t       levels[KN_QUASI_MOST] = { 0 }, *holds;
    double        reached[16];
    uint32_t      code = kn_dict_find(f->p.learned->columns[0].dict, kn_str_of(g));

    CHECK(code != KN_NO_CODE);
    CHECK_OK(f->ctx, kn_workspace_new(f->ctx, &f->p.view, SIZE_MAX, &ws));
    kn_group(ws, levels, &grouping);
    holds = KN_NEW_ARRAY(f->ctx, uint8_t, grouping.nids);
    for (size_t t = 0; t < f->p.view.ntuples; t++)
        if (kn_codes_at(&f->p.view.codes[0], t) == code)
            holds[grouping.class_of[t]] = 1;
    grouping.holds = holds;
    CHECK_OK(f->ctx, kn_checker_new(f->ctx, &f->p.privacy, f->p.learned->table, &checker));
    CHECK_OK(f->ctx, kn_checker_reached(checker, levels, &grouping, SIZE_MAX, reached));
    kn_checker_free(checker);
    kn_free(f->ctx, holds);
    kn_workspace_free(ws);
    return reached[0];
}

typedef struct expected {
    const char *g;
    double      reached;
} expected;

static void
check_classes(const char *csv, const char *const *settings, const expected *classes)
{
    problem_fixture f;

    open_classes(&f, csv, settings);
    for (; classes->g; classes++)
        if (isinf(classes->reached))
            CHECK(isinf(reached_by(&f, classes->g)));
        else
            CHECK_NEAR(reached_by(&f, classes->g), classes->reached, 5e-4);
    problem_close(&f);
}

#define SETTINGS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define CLASSES(...) ((const expected[]){ __VA_ARGS__, { NULL, 0 } })

/* --- the list ------------------------------------------------------------------------------------------- */

/* The text of a file of the sources; the caller frees it. */
static char *
slurp(const char *name)
{
    char   path[512], *text;
    FILE  *file;
    size_t size = 0, room = 1 << 20;

    snprintf(path, sizeof path, "%s/%s", KANON_SOURCE_DIR, name);
    file = fopen(path, "rb");
    CHECK(file);
    text = malloc(room);
    CHECK(text);
    size = fread(text, 1, room - 1, file);
    CHECK(size > 0 && size < room - 1);
    text[size] = 0;
    fclose(file);
    return text;
}

static bool
is_setting(const char *name)
{
    const kanon_setting *setting;

    for (size_t i = 0; (setting = kanon_setting_at(i)); i++)
        if (strcmp(setting->name, name) == 0)
            return true;
    return false;
}

/* The kinds of a setting and its models are the same, but for one that leaves the choice to the column. */
static void
check_kinds(const kn_model_setting *s)
{
    kn_str rest = kn_str_of(s->kind.name ? s->kind.argument : ""), word;
    size_t models = 0, found = 0, words = 0;

    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        models += kn_model_at(i)->setting == s;
    for (; kn_str_split(&rest, '|', &word); words++) {
        const kn_model_class *class = kn_model_of_kind(s, words);

        found += class != NULL;
        if (!class)
            CHECK(kn_str_equal(word, kn_str_of(s->kind.fallback))
                  && kn_model_of_need(s, KN_NEEDS_NOTHING));
    }
    if (found != models)
        FAIL("%s: %zu models, and %zu kinds mean one", s->value.name, models, found);
}

TEST(every_setting_of_a_model_is_complete)
{
    const kn_model_setting *s;

    for (size_t i = 0; (s = kn_model_setting_at(i)); i++) {
        const kanon_setting *parts[] = { &s->value, &s->kind, &s->other };
        bool                 limited = s->asks != KN_ASKS_NUMBER && s->asks != KN_ASKS_POSITIVE
                    && s->asks != KN_ASKS_COLUMN;

        CHECK(s->value.name);
        for (size_t p = 0; p < 3; p++)
            if (parts[p]->name)
                CHECK(is_setting(parts[p]->name) && parts[p]->argument && parts[p]->help);
        CHECK((s->idle != NULL) == limited);
        CHECK((s->asks == KN_ASKS_COLUMN) == (s->scope == KN_OF_NAMED));
        CHECK(kn_model_setting_index(s) == i); /* its models stand side by side */
        check_kinds(s);
    }
}

TEST(every_model_of_the_list_is_complete)
{
    char *doc = slurp("docs/PRIVACY.md"), *oracle = slurp("tests/oracle/models.py");

    for (size_t i = 0; i < KN_MODEL_COUNT; i++) {
        const kn_model_class *m = kn_model_at(i);
        char                  quoted[80];

        CHECK(m && m->name && m->key && m->promise && m->parameter && m->setting);
        CHECK(m->reached && m->audit);
        CHECK(!m->both || m->second);
        CHECK((m->kind != NULL) == (m->setting->kind.name != NULL));
        CHECK(m->limit != KN_LIMIT_OTHER || (m->setting->other.name && m->second));
        CHECK(m->limit != KN_LIMIT_ONE || m->advise); /* there is no limit to name */
        CHECK((m->guards == KN_GUARDS_PRESENCE || m->guards == KN_GUARDS_PEOPLE)
              == (m->setting->scope == KN_OF_POPULATION));
        CHECK((m->guards == KN_GUARDS_COUNT || m->guards == KN_GUARDS_SHARES)
              == (m->setting->scope == KN_OF_SENSITIVE));
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(m->key, kn_model_at(j)->key) != 0
                  && strcmp(m->name, kn_model_at(j)->name) != 0);
        snprintf(quoted, sizeof quoted, "`--%s ", m->setting->value.name);
        if (!strstr(doc, quoted))
            FAIL("docs/PRIVACY.md has no row for %s", m->setting->value.name);
        if (m->kind && strcmp(m->kind, m->setting->kind.fallback) != 0 && !strstr(doc, m->kind))
            FAIL("docs/PRIVACY.md does not know %s %s", m->setting->kind.name, m->kind);
        snprintf(quoted, sizeof quoted, "\"%s\"", m->key);
        if (!strstr(oracle, quoted))
            FAIL("tests/oracle/models.py does not know %s", m->key);
    }
    CHECK(!kn_model_at(KN_MODEL_COUNT));
    free(doc);
    free(oracle);
}

/* --- the papers' examples ------------------------------------------------------------------------------- */

/* Machanavajjhala et al., the inpatient microdata: a is its 3-diverse table's class of 1305*, under 40. */
static const char inpatients[] = "g,s\na,Heart\na,Viral\na,Cancer\na,Cancer\n"
                                 "b,Cancer\nb,Heart\nb,Viral\nb,Viral\n"
                                 "c,Cancer\nc,Cancer\nc,Cancer\nc,Cancer\n";

TEST(l_diversity_of_the_inpatients)
{
    check_classes(inpatients, SETTINGS("sensitive", "s", "l-diversity", "2"),
                  CLASSES({ "a", 3 }, { "b", 3 }, { "c", 1 }));
    /* entropy ln 4 - (2 ln 2) / 4 = 1.5 ln 2 */
    check_classes(inpatients, SETTINGS("sensitive", "s", "l-diversity", "2", "l-kind", "entropy"),
                  CLASSES({ "a", 2.8284 }, { "b", 2.8284 }, { "c", 1 }));
    /* r = 2, 1, 1: r1 < c (r2 + r3) for c above 1, r1 < c r3 for c above 2 */
    check_classes(inpatients, SETTINGS("sensitive", "s", "l-diversity", "2", "l-kind", "recursive"),
                  CLASSES({ "a", 1 }, { "c", INFINITY }));
    check_classes(inpatients, SETTINGS("sensitive", "s", "l-diversity", "3", "l-kind", "recursive"),
                  CLASSES({ "a", 2 }, { "b", 2 }));
}

/* Li et al., Table 3: salaries and diseases of nine people; classes 1-3 as in their 3-diverse table, and the
 * classes t, u, v of their Table 5. */
static const char salaries[] =
    "g,t,pay,ill\n1,t,3,gastric ulcer\n1,v,4,gastritis\n1,t,5,stomach cancer\n"
    "2,u,6,gastritis\n2,u,11,flu\n2,u,8,bronchitis\n"
    "3,v,7,bronchitis\n3,t,9,pneumonia\n3,v,10,stomach cancer\n";
static const char by_table5[] = "g,pay,ill\nt,3,gastric ulcer\nv,4,gastritis\nt,5,stomach cancer\n"
                                "u,6,gastritis\nu,11,flu\nu,8,bronchitis\n"
                                "v,7,bronchitis\nt,9,pneumonia\nv,10,stomach cancer\n";

static const char diseases[] = "flu;respiratory infection;respiratory;*\n"
                               "pneumonia;respiratory infection;respiratory;*\n"
                               "bronchitis;respiratory infection;respiratory;*\n"
                               "pulmonary edema;vascular lung;respiratory;*\n"
                               "pulmonary embolism;vascular lung;respiratory;*\n"
                               "gastric ulcer;stomach;digestive;*\n"
                               "stomach cancer;stomach;digestive;*\n"
                               "gastritis;stomach;digestive;*\n"
                               "colitis;colon;digestive;*\n"
                               "colon cancer;colon;digestive;*\n";

/* A file with this text; name has room for 64. */
static void
write_file(const char *text, char *name)
{
    int fd;

    snprintf(name, 64, "/tmp/kanon-test-XXXXXX");
    fd = mkstemp(name);
    CHECK(fd >= 0);
    CHECK(write(fd, text, strlen(text)) == (ssize_t) strlen(text));
    close(fd);
}

TEST(t_closeness_of_the_salaries)
{
    char file[64], spec[96];

    /* "D[P1, Q] = 0.375 and D[P2, Q] = 0.167" */
    check_classes(salaries,
                  SETTINGS("sensitive", "pay", "t-closeness", "0.9", "type", "pay=number"),
                  CLASSES({ "1", 0.375 }, { "2", 0.1667 }));
    /* Their Table 5 has 0.167-closeness in salary. For disease they print 0.278, which no class of three
     * can reach: by their definition it is a multiple of 1/27, and for this table 8/27. */
    check_classes(by_table5,
                  SETTINGS("sensitive", "pay", "t-closeness", "0.9", "t-distance", "ordered"),
                  CLASSES({ "t", 0.1667 }, { "u", 0.1667 }, { "v", 0.0833 }));
    write_file(diseases, file);
    snprintf(spec, sizeof spec, "ill=%s", file);
    check_classes(by_table5, SETTINGS("sensitive", "ill", "t-closeness", "0.9", "hierarchy", spec),
                  CLASSES({ "t", 0.2593 }, { "u", 0.2963 }, { "v", 0.1852 }));
    /* flat: half the L1 distance */
    check_classes(by_table5,
                  SETTINGS("sensitive", "ill", "t-closeness", "0.9", "hierarchy", spec,
                           "t-distance", "equal"),
                  CLASSES({ "t", 0.5556 }));
    unlink(file);
}

/* Wong et al.: a class of which half has HIV is (0.5, 2)-anonymous, and not with alpha below. */
TEST(alpha_is_the_largest_share)
{
    static const char csv[] =
        "g,s\na,HIV\na,flu\nb,HIV\nb,fever\nb,fever\nb,flu\nc,fever\nc,fever\n";

    check_classes(csv, SETTINGS("sensitive", "s", "alpha", "0.5"),
                  CLASSES({ "a", 0.5 }, { "b", 0.5 }, { "c", 1 }));
    check_classes(csv, SETTINGS("sensitive", "s", "p-sensitive", "2"),
                  CLASSES({ "a", 2 }, { "b", 3 }, { "c", 1 }));
}

/* Shares in the table: x 1/2, y 3/8, z 1/8. */
static const char shares[] = "g,s\na,x\na,x\na,y\na,y\nb,x\nb,x\nb,y\nb,z\n";

TEST(likeness_compares_with_the_table)
{
    check_classes(shares, SETTINGS("sensitive", "s", "beta-likeness", "1"),
                  CLASSES({ "a", 1.0 / 3 }, { "b", 1 }));
    check_classes(shares, SETTINGS("sensitive", "s", "beta-likeness", "1", "beta-kind", "enhanced"),
                  CLASSES({ "a", 1.0 / 3 }, { "b", 1 })); /* -ln 1/8 is above 1 */
    check_classes("g,s\na,x\na,x\nb,x\nb,y\n",
                  SETTINGS("sensitive", "s", "beta-likeness", "1", "beta-kind", "enhanced"),
                  CLASSES({ "a", INFINITY },
                          { "b", 1 })); /* 1/3 is above -ln 3/4, and 1 not above -ln 1/4 */
    check_classes(shares, SETTINGS("sensitive", "s", "delta-disclosure", "1"),
                  CLASSES({ "a", INFINITY }, { "b", 0.6931 })); /* a lacks z; ln (1/4 / 1/8) */
}

TEST(persons_and_own_k_are_counted_in_rows_of_the_class)
{
    static const char csv[] = "g,who,want\na,u1,2\na,u1,3\na,u2,1\nb,u3,2\nb,u3,\n";

    check_classes(csv, SETTINGS("entity", "who", "k", "2"), CLASSES({ "a", 2 }, { "b", 1 }));
    check_classes(csv, SETTINGS("k-column", "want"), CLASSES({ "a", 1 }, { "b", 1 }));
    check_classes("g,want\na,4\na,1\n", SETTINGS("k-column", "want"), CLASSES({ "a", 0.5 }));
}

/* Nergiz et al.: nine people, five of whom are in the table; by region their chances are 2/3, 1/3 and 2/3. */
TEST(presence_and_k_map_ask_the_population)
{
    static const char table[] = "g,s\nNorth,b\nNorth,c\nSouth,f\nEurope,h\nEurope,i\n";
    char              file[64];

    write_file("name,g\na,North\nb,North\nc,North\nd,South\ne,South\nf,South\ng,Europe\nh,Europe\n"
               "i,Europe\n",
               file);
    check_classes(table, SETTINGS("delta-presence", "0.3,0.7", "population", file),
                  CLASSES({ "North", 2.0 / 3 }, { "South", 1.0 / 3 }, { "Europe", 2.0 / 3 }));
    check_classes(table, SETTINGS("k-map", "3", "population", file),
                  CLASSES({ "North", 3 }, { "South", 3 }));
    unlink(file);
}

/* --- merging -------------------------------------------------------------------------------------------- */

static const char *const every_model[] = {
    "l-diversity=2 l-kind=distinct",
    "l-diversity=2 l-kind=entropy",
    "l-diversity=2 l-kind=recursive",
    "t-closeness=0.3",
    "t-closeness=0.3 t-distance=ordered",
    "p-sensitive=2",
    "alpha=0.6",
    "beta-likeness=0.8",
    "beta-likeness=0.8 beta-kind=enhanced",
    "delta-disclosure=0.9",
    "entity=who k=2",
    "k-column=want",
};

/* A random table of few values, under one model. */
static void
open_random(problem_fixture *f, const char *model, kn_rng *rng)
{
    char   words[192], *rest = words, *word;
    size_t rows = 20 + (size_t) kn_rng_below(rng, 20);

    problem_begin(f, NULL);
    kn_text_addz(&f->csv, "g,s,who,want\n");
    for (size_t r = 0; r < rows; r++)
        kn_text_addf(&f->csv, "%d,%d,p%d,%d\n", (int) kn_rng_below(rng, 6),
                     (int) kn_rng_below(rng, 2 + kn_rng_below(rng, 2)), (int) kn_rng_below(rng, 12),
                     (int) kn_rng_below(rng, 4) + 1);
    problem_set(f, "qi", "g");
    problem_set(f, "sensitive", "s");
    problem_set(f, "k", "1");
    snprintf(words, sizeof words, "%s", model);
    while ((word = strsep(&rest, " "))) {
        char *value = strchr(word, '=');

        *value++ = 0;
        problem_set(f, word, value);
    }
    problem_open(f);
}

static size_t
draw_rows(const kn_table *table, kn_rng *rng, uint32_t *entries)
{
    size_t count = 1 + (size_t) kn_rng_below(rng, 6);

    for (size_t i = 0; i < count; i++)
        entries[i] = (uint32_t) kn_rng_below(rng, table->nentries);
    return count;
}

/* What each class of models says about merging is true, and it does not say too little. */
TEST(merging_classes_does_what_each_model_says)
{
    enum { TABLES = 12, DRAWS = 4000 };
    kn_rng rng;

    kn_rng_init(&rng, 7, 1);
    for (size_t m = 0; m < sizeof every_model / sizeof *every_model; m++) {
        size_t spoiled = 0, joined = 0;
        bool   any = false;

        for (size_t t = 0; t < TABLES; t++) {
            problem_fixture f;
            kn_checker     *checker = NULL;

            open_random(&f, every_model[m], &rng);
            any = f.p.privacy.models[0]->class->merge == KN_MERGE_ANY;
            CHECK_OK(f.ctx, kn_checker_new(f.ctx, &f.p.privacy, f.p.learned->table, &checker));
            for (size_t d = 0; d < DRAWS; d++) {
                uint32_t entries[16];
                size_t   a = draw_rows(f.p.learned->table, &rng, entries);
                size_t   b = draw_rows(f.p.learned->table, &rng, entries + a);
                bool     good_a = kn_checker_holds(checker, entries, a);
                bool     good_b = kn_checker_holds(checker, entries + a, b);
                bool     both = kn_checker_holds(checker, entries, a + b);

                joined += good_a && good_b;
                if (good_a && good_b && !both)
                    FAIL("%s: two good classes make a bad one", every_model[m]);
                if (good_a && any && !both)
                    FAIL("%s: a good class is spoiled", every_model[m]);
                spoiled += good_a && !good_b && !both;
            }
            kn_checker_free(checker);
            problem_close(&f);
        }
        if (!joined)
            FAIL("%s: never two good classes", every_model[m]);
        if (!any && !spoiled)
            FAIL("%s: never spoiled, so it is monotone after all", every_model[m]);
    }
}

/* --- two implementations -------------------------------------------------------------------------------- */

/* All models of a sensitive column, as rules of the audit, in the order in which the job makes the models. */
TEST(checker_and_audit_agree_on_random_classes)
{
    kn_rng rng;

    kn_rng_init(&rng, 11, 1);
    for (size_t round = 0; round < 40; round++) {
        problem_fixture      f;
        kn_audit_rule        rules[6];
        kn_audit_rule_column column = { 0 };
        kn_audit_rules       all = { .columns = &column, .ncolumns = 1, .rules = rules, .nrules = 6 };
        kn_audit            *audit = NULL;
        kn_checker          *checker = NULL;
        kn_workspace        *ws = NULL;
        kn_grouping          grouping;
        uint8_t              levels[KN_QUASI_MOST] = { 0 };
        uint64_t             rows[8] = { 0 };
        double               worst[6] = { 0 }, reached[6], by_checker[6];
        bool                 fails[6];

        open_random(&f,
                    "l-diversity=2 l-kind=entropy p-sensitive=2 alpha=0.5 beta-likeness=1 "
                    "delta-disclosure=1 t-closeness=0.2 t-distance=ordered",
                    &rng);
        CHECK_EQ_U64(f.p.privacy.nmodels, 6);
        column.nvalues = f.p.privacy.models[0]->domain;
        column.values = kn_dict_values(f.p.learned->columns[1].dict);
        column.rows = rows;
        column.missing = KN_NO_CODE;
        column.order = f.p.privacy.models[5]->order;
        all.rows = f.p.learned->rows;
        for (size_t e = 0; e < f.p.learned->table->nentries; e++)
            rows[kn_codes_at(&f.p.learned->table->sensitive[0], e)] +=
                kn_table_entry_weight(f.p.learned->table, e);
        for (size_t r = 0; r < 6; r++)
            rules[r] = (kn_audit_rule){ .class = f.p.privacy.models[r]->class,
                                        .limit = f.p.privacy.models[r]->limit };
        CHECK_OK(f.ctx, kn_workspace_new(f.ctx, &f.p.view, SIZE_MAX, &ws));
        kn_group(ws, levels, &grouping);
        CHECK_OK(f.ctx, kn_audit_new(f.ctx, &all, &audit));
        for (size_t t = 0; t < f.p.view.ntuples; t++)
            for (size_t e = kn_table_first(f.p.learned->table, t);
                 e < kn_table_first(f.p.learned->table, t + 1); e++) {
                uint32_t value = kn_codes_at(&f.p.learned->table->sensitive[0], e);

                CHECK_OK(f.ctx, kn_audit_add(audit, grouping.class_of[t], &value,
                                             kn_table_entry_weight(f.p.learned->table, e)));
            }
        CHECK_OK(f.ctx, kn_audit_seal(audit, grouping.nids));
        for (size_t id = 0, first = 1; id < grouping.nids; id++) {
            if (!grouping.sizes[id])
                continue;
            kn_audit_judge(audit, (uint32_t) id, grouping.sizes[id], 0, reached, fails);
            for (size_t r = 0; r < 6; r++)
                if (first || kn_audit_rule_worse(&rules[r], reached[r], worst[r]))
                    worst[r] = reached[r];
            first = 0;
        }
        CHECK_OK(f.ctx, kn_checker_new(f.ctx, &f.p.privacy, f.p.learned->table, &checker));
        CHECK_OK(f.ctx, kn_checker_reached(checker, levels, &grouping, SIZE_MAX, by_checker));
        for (size_t r = 0; r < 6; r++)
            if (!(isinf(by_checker[r]) && isinf(worst[r])))
                CHECK_NEAR(by_checker[r], worst[r], 1e-9);
        kn_checker_free(checker);
        kn_audit_free(audit);
        kn_workspace_free(ws);
        problem_close(&f);
    }
}

/* A column of many values and classes of few, and one class of many: the distances of both implementations
 * against what their definitions say, summed up place by place and group by group. */
enum { MANY = 500, SMALL_CLASSES = 40 };

static double
distance_by_definition(const uint64_t *rows, const uint64_t *own, const kn_model *model)
{
    const kanon_hierarchy *h = model->hierarchy;
    double                 all = 0, size = 0, ahead = 0, sum = 0;

    for (size_t v = 0; v < model->domain; v++) {
        all += (double) rows[v];
        size += (double) own[v];
    }
    for (size_t i = 0; !h && i + 1 < model->domain; i++) {
        ahead += (double) own[model->order[i]] / size - (double) rows[model->order[i]] / all;
        sum += fabs(ahead) / (double) (model->domain - 1);
    }
    for (size_t level = 0; h && level + 1 < h->nlevels; level++)
        for (size_t g = 0; g < h->levels[level].ngroups; g++) {
            double apart = 0;

            for (size_t v = 0; v < model->domain; v++)
                if (h->levels[level].group_of[v] == g)
                    apart += (double) own[v] / size - (double) rows[v] / all;
            sum += fabs(apart) / 2 / (double) (h->nlevels - 1);
        }
    return sum;
}

/* The least c that the values of a class do not satisfy, by the third most frequent one. */
static double
recursive_by_definition(const uint64_t *own, size_t domain)
{
    uint64_t most[2] = { 0 }, all = 0;

    for (size_t v = 0; v < domain; v++) {
        all += own[v];
        if (own[v] > most[0]) {
            most[1] = most[0];
            most[0] = own[v];
        } else if (own[v] > most[1]) {
            most[1] = own[v];
        }
    }
    all -= most[0] + most[1];
    return all ? (double) most[0] / (double) all : (double) INFINITY;
}

static void
check_many_values(const char *distance, kn_rng *rng)
{
    problem_fixture      f;
    kn_audit            *audit = NULL;
    kn_audit_rule        rules[2];
    kn_audit_rule_column column = { .missing = KN_NO_CODE };
    kn_audit_rules       all = { .columns = &column, .ncolumns = 1, .rules = rules, .nrules = 2 };
    uint64_t             rows[MANY] = { 0 }, (*own)[MANY];
    const kn_model      *t;
    double               reached[2];
    bool                 fails[2];

    problem_begin(&f, NULL);
    kn_text_addz(&f.csv, "g,s\n");
    for (size_t i = 0; i < 2500; i++)
        kn_text_addf(&f.csv, "%zu,%llu\n", i < 1500 ? SMALL_CLASSES : i % SMALL_CLASSES,
                     (unsigned long long) kn_rng_below(rng, i % 2 ? MANY : 5));
    problem_set(&f, "qi", "g");
    problem_set(&f, "type", "g=string");
    problem_set(&f, "type", "s=number");
    problem_set(&f, "sensitive", "s");
    problem_set(&f, "hierarchy", "s=range:5,25,100");
    problem_set(&f, "t-closeness", "0.2");
    problem_set(&f, "t-distance", distance);
    problem_set(&f, "l-diversity", "3");
    problem_set(&f, "l-kind", "recursive");
    problem_open(&f);
    t = f.p.privacy.models[1];
    own = kn_alloc_array(f.ctx, SMALL_CLASSES + 1, sizeof *own);
    for (size_t tuple = 0; tuple < f.p.view.ntuples; tuple++)
        for (size_t e = kn_table_first(f.p.learned->table, tuple);
             e < kn_table_first(f.p.learned->table, tuple + 1); e++) {
            uint32_t value = kn_codes_at(&f.p.learned->table->sensitive[0], e);

            rows[value] += kn_table_entry_weight(f.p.learned->table, e);
            own[kn_codes_at(&f.p.view.codes[0], tuple)][value] +=
                kn_table_entry_weight(f.p.learned->table, e);
        }
    column.nvalues = t->domain;
    column.values = kn_dict_values(f.p.learned->columns[1].dict);
    column.rows = rows;
    column.order = t->order;
    column.hierarchy = t->hierarchy;
    all.rows = f.p.learned->rows;
    rules[0] = (kn_audit_rule){ .class = &kn_model_recursive, .limit = 3, .second = 3 };
    rules[1] = (kn_audit_rule){ .class = t->class, .limit = 1 };
    CHECK_OK(f.ctx, kn_audit_new(f.ctx, &all, &audit));
    for (uint32_t c = 0; c <= SMALL_CLASSES; c++)
        for (uint32_t v = 0; v < t->domain; v++)
            if (own[c][v])
                CHECK_OK(f.ctx, kn_audit_add(audit, c, &v, own[c][v]));
    CHECK_OK(f.ctx, kn_audit_seal(audit, SMALL_CLASSES + 1));
    for (uint32_t c = 0; c <= SMALL_CLASSES; c++) {
        uint64_t        numbers[MANY], size = 0;
        uint32_t        seen[MANY];
        kn_class_values values = { .counts = own[c], .seen = seen, .numbers = numbers };

        for (uint32_t v = 0; v < t->domain; v++) {
            size += own[c][v];
            if (own[c][v])
                seen[values.nseen++] = v;
        }
        values.rows = size;
        kn_audit_judge(audit, c, size, 0, reached, fails);
        CHECK_NEAR(reached[0], recursive_by_definition(own[c], t->domain), 1e-12);
        CHECK_NEAR(reached[1], distance_by_definition(rows, own[c], t), 1e-11);
        CHECK_NEAR(t->class->reached(t, &values), distance_by_definition(rows, own[c], t), 1e-11);
    }
    kn_audit_free(audit);
    kn_free(f.ctx, own);
    problem_close(&f);
}

TEST(distances_in_columns_of_many_values)
{
    kn_rng rng;

    kn_rng_init(&rng, 31, 1);
    for (size_t round = 0; round < 4; round++) {
        check_many_values("ordered", &rng);
        check_many_values("hierarchical", &rng);
    }
}

/* --- searches ------------------------------------------------------------------------------------------- */

/* A search under models gives the same answer for any number of threads, and its claims are what is
 * measured. */
TEST(threads_do_not_change_what_is_found_under_models)
{
    static const kn_search_class *const searches[] = { &kn_search_exhaustive, &kn_search_kgen,
                                                       &kn_search_tabu };
    static const char *const            models[][2] = { { "l-diversity", "2" },
                                                        { "alpha", "0.6" },
                                                        { "t-closeness", "0.35" } };
    kn_rng                              rng;

    kn_rng_init(&rng, 23, 1);
    for (size_t round = 0; round < 9; round++) {
        problem_shape   shape = { 300, 3, 9, "3", round % 2 ? "0.1" : "0" };
        problem_fixture f;
        kn_outcome      one, many;
        request         r = { .search = searches[round % 3],
                              .metric = round % 2 ? &kn_metric_glm : &kn_metric_cm,
                              .seed = round };

        problem_random(&f, &shape, &rng);
        problem_set(&f, models[round / 3][0], models[round / 3][1]);
        kn_models_fini(f.ctx, &f.p.models);
        memset(&f.p.models, 0, sizeof f.p.models);
        CHECK_OK(f.ctx, kn_models_make(&f.p));
        r.threads = 1;
        CHECK_OK(f.ctx, run(&f, &r, &one));
        r.threads = 4;
        CHECK_OK(f.ctx, run(&f, &r, &many));
        check_same(&one, &many, f.p.lattice.n);
        problem_close(&f);
    }
}

/* --- the verifier --------------------------------------------------------------------------------------- */

static kanon_status
verify_claim(kanon_ctx *ctx, const char *text, const kn_audit_rules *rules, uint64_t rows,
             uint64_t classes, bool masked)
{
    kanon_source *source = NULL;
    size_t        quasi[] = { 0 };
    kn_csv_table  table;
    kn_claim      claim = { .ncolumns = 2,
                            .quasi = quasi,
                            .nquasi = 1,
                            .k = 2,
                            .rows = rows,
                            .records = rows,
                            .count = SIZE_MAX,
                            .classes = classes,
                            .masked = masked,
                            .rules = rules };
    uint8_t       hash[KN_HASH_BYTES];
    kanon_status  rc;

    CHECK_OK(ctx, kanon_source_memory(ctx, "release", text, strlen(text), &source));
    kn_csv_table_init(&table, source,
                      &(kn_csv_options){ .delimiter = ',', .header = KN_HEADER_YES });
    rc = kn_verify(ctx, &table.base, &claim, hash);
    kanon_source_free(source);
    return rc;
}

static kanon_status
verify_text(kanon_ctx *ctx, const char *text, const kn_audit_rules *rules, uint64_t rows,
            uint64_t classes)
{
    return verify_claim(ctx, text, rules, rows, classes, false);
}

static kanon_status
verify_masked(kanon_ctx *ctx, const char *text, const kn_audit_rules *rules, uint64_t rows,
              uint64_t classes)
{
    return verify_claim(ctx, text, rules, rows, classes, true);
}

TEST(a_release_that_breaks_a_model_is_discarded)
{
    kanon_ctx           *ctx = plain_ctx();
    kn_str               values[] = { KN_STR("x"), KN_STR("y") };
    uint64_t             rows[] = { 2, 2 };
    kn_audit_rule_column column = {
        .place = 1, .nvalues = 2, .values = values, .rows = rows, .missing = KN_NO_CODE
    };
    kn_audit_rule  rule = { .class = &kn_model_distinct, .limit = 2, .name = "s" };
    kn_audit_rules rules = {
        .columns = &column, .ncolumns = 1, .rules = &rule, .nrules = 1, .rows = 4
    };

    CHECK_OK(ctx, verify_text(ctx, "g,s\na,x\na,y\nb,x\nb,y\n", &rules, 4, 2));
    CHECK_STATUS(ctx, verify_text(ctx, "g,s\na,x\na,y\nb,x\nb,x\n", &rules, 4, 2), KANON_E_VERIFY);
    CHECK(
        strstr(kanon_ctx_message(ctx), "distinct l-diversity of 's' is 1 in a class, expected 2"));
    CHECK_STATUS(ctx, verify_text(ctx, "g,s\na,x\na,y\nb,x\nb,z\n", &rules, 4, 2), KANON_E_VERIFY);
    CHECK(strstr(kanon_ctx_message(ctx), "a sensitive value is not in the table"));
    kanon_ctx_free(ctx);
}

/* Three people of the population, of whom one reads `*`. */
static bool
three_people(void *user, size_t index, kn_str *cells, uint64_t *people)
{
    KN_UNUSED(user);
    cells[0] = index ? KN_STR("a") : KN_STR("*");
    *people = index ? 2 : 1;
    return index < 2;
}

/* Rows that read `*` may be anybody's only if some of them were masked. */
TEST(stars_stand_for_anybody_where_rows_were_masked)
{
    kanon_ctx     *ctx = plain_ctx();
    kn_audit_rule  rule = { .class = &kn_model_k_map, .limit = 2 };
    kn_audit_rules rules = { .rules = &rule, .nrules = 1, .rows = 4, .person = three_people };
    kn_audit_rule  chance = { .class = &kn_model_presence, .limit = 1, .second = 0.9 };

    CHECK_STATUS(ctx, verify_text(ctx, "g,s\na,x\na,y\n*,x\n*,y\n", &rules, 4, 2), KANON_E_VERIFY);
    CHECK(strstr(kanon_ctx_message(ctx), "k-map is 1 in a class, expected 2"));
    CHECK_OK(ctx, verify_masked(ctx, "g,s\na,x\na,y\n*,x\n*,y\n", &rules, 4, 2));
    rules.rules = &chance; /* 2 of 3 */
    CHECK_STATUS(ctx, verify_masked(ctx, "g,s\na,x\na,y\n*,x\n*,y\n", &rules, 4, 2),
                 KANON_E_VERIFY);
    CHECK(strstr(kanon_ctx_message(ctx), "expected 0.9")); /* the bound that it breaks */
    kanon_ctx_free(ctx);
}

/* Rows a, a of one person and b, b of two, as they are released. */
TEST(rows_are_audited_for_what_the_release_hides)
{
    kanon_ctx           *ctx = plain_ctx();
    kn_str               values[] = { KN_STR("ann"), KN_STR("bob") };
    uint64_t             rows[] = { 3, 1 };
    kn_audit_rule_column column = {
        .place = 0, .nvalues = 2, .values = values, .rows = rows, .missing = KN_NO_CODE
    };
    kn_audit_rule  rule = { .class = &kn_model_persons, .limit = 2, .name = "who" };
    kn_audit_rules rules = {
        .columns = &column, .ncolumns = 1, .rules = &rule, .nrules = 1, .rows = 4
    };
    const struct {
        kn_str       released[4], persons[4];
        kanon_status expected;
    } cases[] = {
        { { KN_STR("x"), KN_STR("x"), KN_STR("y"), KN_STR("y") },
          { KN_STR("ann"), KN_STR("bob"), KN_STR("ann"), KN_STR("bob") },
          KANON_OK },
        { { KN_STR("x"), KN_STR("x"), KN_STR("y"), KN_STR("y") },
          { KN_STR("ann"), KN_STR("ann"), KN_STR("ann"), KN_STR("bob") },
          KANON_E_VERIFY },
    };

    for (size_t i = 0; i < 2; i++) {
        kn_row_audit *w = NULL;

        CHECK_OK(ctx, kn_row_audit_new(ctx, &rules, &w));
        for (size_t r = 0; r < 4; r++)
            CHECK_OK(ctx, kn_row_audit_add(w, &cases[i].released[r], 1, &cases[i].persons[r], 1));
        CHECK_STATUS(ctx, kn_row_audit_end(w), cases[i].expected);
        kn_row_audit_free(w);
    }
    CHECK(strstr(kanon_ctx_message(ctx), "k persons of 'who' is 1 in a class, expected 2"));
    kanon_ctx_free(ctx);
}

/* --- whole jobs ----------------------------------------------------------------------------------------- */

static const char patients[] =
    "zip,age,s,who\n13053,28,Heart,1\n13068,29,Heart,2\n13068,21,Viral,3\n"
    "13053,23,Viral,4\n14853,50,Cancer,5\n14853,55,Heart,6\n"
    "14850,47,Viral,7\n14850,49,Viral,8\n13053,31,Cancer,9\n"
    "13053,37,Cancer,10\n13068,36,Cancer,11\n13068,35,Cancer,12\n";

#define PATIENTS                                                                                   \
    "qi", "zip,age", "sensitive", "s", "k", "4", "suppression", "0", "hierarchy",                  \
        "zip=mask:right", "type", "zip=string", "hierarchy", "age=range:10,20"

static void
check_advice(const job *j, const char *expected_text)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink = NULL;
    kanon_result *result = NULL;

    CHECK_OK(ctx, run_job(ctx, j, &sink, &result));
    CHECK_EQ_I64(kanon_result_outcome(result), KANON_INFEASIBLE);
    if (!strstr(kanon_result_advice(result), expected_text))
        FAIL("advice is \"%s\", expected \"%s\" in it", kanon_result_advice(result), expected_text);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(advice_names_the_model_and_the_nearest_limit)
{
    check_advice(
        &(job){ patients, { PATIENTS, "l-diversity", "4" } },
        "distinct l-diversity (l = 4) of 's'; nearest setting that works: --l-diversity 3");
    check_advice(
        &(job){ patients, { PATIENTS, "l-diversity", "3", "l-kind", "entropy" } },
        "entropy l-diversity (l = 3) of 's'; nearest setting that works: --l-diversity 2.93");
    check_advice(&(job){ patients, { PATIENTS, "alpha", "0.3" } }, "--alpha 0.4167");
    check_advice(&(job){ patients, { PATIENTS, "l-diversity", "5", "l-kind", "recursive" } },
                 "--l-diversity 3");
    check_advice(&(job){ patients,
                         { PATIENTS, "l-diversity", "3", "l-kind", "recursive", "l-c", "1" } },
                 "--l-c 1.667");
    check_advice(&(job){ "q,who\n1,a\n2,a\n3,a\n", { "qi", "q", "entity", "who", "k", "3" } },
                 "nearest setting that works: -k 1");
}

/* With the setting that the advice names there is a release. */
static void
check_released(const job *j)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink = NULL;
    kanon_result *result = NULL;

    CHECK_OK(ctx, run_job(ctx, j, &sink, &result));
    CHECK(kanon_result_outcome(result) != KANON_INFEASIBLE);
    CHECK(committed(sink) > 0);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(the_nearest_limit_works)
{
    check_released(&(job){ patients, { PATIENTS, "l-diversity", "2.93", "l-kind", "entropy" } });
    check_released(&(job){ patients, { PATIENTS, "alpha", "0.4167" } });
    check_released(&(job){
        patients, { PATIENTS, "l-diversity", "3", "l-kind", "recursive", "l-c", "1.667" } });
    check_released(&(job){ patients, { PATIENTS, "l-diversity", "3", "l-kind", "recursive" } });
}

static void
check_refused(const job *j, const char *expected_text)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink = NULL;
    kanon_result *result = NULL;

    CHECK(run_job(ctx, j, &sink, &result) < 0);
    if (!strstr(kanon_ctx_message(ctx), expected_text))
        FAIL("message is \"%s\", expected \"%s\" in it", kanon_ctx_message(ctx), expected_text);
    CHECK_EQ_U64(committed(sink), 0);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(settings_that_cannot_work_are_refused)
{
    check_refused(&(job){ patients, { "qi", "age", "l-diversity", "2" } },
                  "l-diversity needs a sensitive column");
    check_refused(&(job){ patients, { PATIENTS, "l-diversity", "2.5" } },
                  "not a whole number; only --l-kind entropy");
    check_refused(&(job){ patients, { PATIENTS, "k-map", "2" } }, "k-map needs a population");
    check_refused(&(job){ patients, { PATIENTS, "entity", "age" } }, "is a quasi-identifier");
    check_refused(&(job){ patients, { PATIENTS, "entity", "nobody" } }, "no column 'nobody'");
    check_refused(&(job){ patients, { PATIENTS, "k-column", "agee" } }, "did you mean 'age'?");
    check_refused(&(job){ patients, { PATIENTS, "k-column", "s" } }, "expected whole numbers");
    check_refused(&(job){ patients, { PATIENTS, "t-closeness", "0.2", "t-distance", "ordered" } },
                  "neither all numbers nor all dates");
    check_refused(&(job){ patients,
                          { PATIENTS, "t-closeness", "0.2", "t-distance", "hierarchical" } },
                  "has no hierarchy");
    check_refused(&(job){ patients, { PATIENTS, "l-diversity", "2", "algorithm", "optimal" } },
                  "optimal only counts rows");
    check_refused(&(job){ patients,
                          { PATIENTS, "suppression", "0.2", "alpha", "0.5", "algorithm", "ola" } },
                  "ola needs a monotone privacy model, and with suppression (alpha,k)-anonymity is "
                  "not monotone");
}

/* --- memory --------------------------------------------------------------------------------------------- */

static kanon_status
job_with_models(kanon_ctx *ctx, void *user)
{
    kanon_sink   *sink = NULL;
    kanon_result *result = NULL;
    kanon_status  rc = run_job(ctx, user, &sink, &result);

    kanon_result_free(result);
    kanon_sink_free(sink);
    return rc;
}

TEST(every_allocation_of_a_job_with_models_may_fail)
{
    char   file[64], spec[96];
    job    j = { patients,
                 { PATIENTS, "suppression", "0.1", "suppressed", "mask", "l-diversity", "2",
                   "t-closeness", "0.8", "entity", "who", "id", "who", "hierarchy", spec, "k-map",
                   "4" } };
    size_t n = 0;

    write_file("Heart;organ;*\nViral;germ;*\nCancer;cell;*\n", file);
    snprintf(spec, sizeof spec, "s=%s", file);
    while (j.settings[n])
        n++;
    j.settings[n] = "population";
    {
        char people[64];

        write_file(patients, people);
        j.settings[n + 1] = people;
        CHECK(failing_alloc_sweep(job_with_models, &j) > 100);
        unlink(people);
    }
    unlink(file);
}

static kanon_status
check_with_models(kanon_ctx *ctx, void *user)
{
    const job    *j = user;
    kanon_config *config = NULL;
    kanon_source *source = NULL;
    kanon_check  *check = NULL;
    kanon_status  rc = configure(ctx, j, &config);

    if (rc == KANON_OK)
        rc = kanon_source_memory(ctx, "table.csv", j->csv, strlen(j->csv), &source);
    if (rc == KANON_OK)
        rc = kanon_check_run(ctx, config, source, &check);
    kanon_check_free(check);
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

TEST(every_allocation_of_a_check_with_models_may_fail)
{
    job j = { patients,
              { "qi", "zip", "sensitive", "s", "l-diversity", "2", "t-closeness", "0.5", "alpha",
                "0.5", "beta-likeness", "1", "delta-disclosure", "1", "entity", "who", "k", "2" } };

    CHECK(failing_alloc_sweep(check_with_models, &j) > 20);
}
