/* SPDX-License-Identifier: Apache-2.0 */
/* test_check.c -- kanon check: random tables against counting by hand (every row with every other), the
 * wildcard reading likewise, messages, memory, and golden files (KANON_UPDATE_GOLDEN=1 writes them). */
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "failing_alloc.h"
#include "golden.h"
#include "kanon/kanon.h"
#include "report/report.h"
#include "test.h"

enum { COLUMNS_MOST = 80, ROWS_MOST = 400, MISSING = -1 };

/* A table of small numbers. Below 0 a value is missing: in a quasi-identifier -1, -2 and -3 are its
 * spellings, in a sensitive column MISSING is written in any of them. */
typedef struct table {
    size_t rows, quasi, sensitive; /* columns: quasi, then sensitive */
    int    cells[ROWS_MOST][COLUMNS_MOST];
} table;

static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

/* --- running a check ----------------------------------------------------------------------------- */

typedef struct request {
    const char *csv, *qi, *sensitive, *wildcard;
} request;

static kanon_status
check_csv(kanon_ctx *ctx, const request *asked, kanon_check **out)
{
    kanon_status  rc = KANON_OK;
    kanon_config *config = NULL;
    kanon_source *source = NULL;

    *out = NULL;
    KN_TRY(kanon_config_new(ctx, &config));
    if (asked->qi)
        KN_TRY(kanon_config_set(config, "qi", asked->qi));
    if (asked->sensitive)
        KN_TRY(kanon_config_set(config, "sensitive", asked->sensitive));
    if (asked->wildcard)
        KN_TRY(kanon_config_set(config, "wildcard", asked->wildcard));
    KN_TRY(kanon_source_memory(ctx, "table.csv", asked->csv, strlen(asked->csv), &source));
    KN_TRY(kanon_check_run(ctx, config, source, out));
out:
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

static void
put_name(kn_text *text, const table *t, size_t column)
{
    kn_text_addf(text, "%c%zu", column < t->quasi ? 'q' : 's', column);
}

static void
put_names(kn_text *text, const table *t, size_t from, size_t to)
{
    for (size_t c = from; c < to; c++) {
        kn_text_addz(text, c > from ? "," : "");
        put_name(text, t, c);
    }
}

static void
put_table(kn_text *text, const table *t, kn_rng *rng)
{
    static const char *const spellings[] = { "", "?", "NA" };

    put_names(text, t, 0, t->quasi + t->sensitive);
    kn_text_addz(text, "\n");
    for (size_t r = 0; r < t->rows; r++) {
        for (size_t c = 0; c < t->quasi + t->sensitive; c++) {
            kn_text_addz(text, c ? "," : "");
            if (t->cells[r][c] < 0)
                kn_text_addz(text, spellings[c < t->quasi ? -t->cells[r][c] - 1
                                                          : (int) kn_rng_below(rng, 3)]);
            else
                kn_text_addf(text, t->cells[r][c] ? "v%d" : "*", t->cells[r][c]);
        }
        kn_text_addz(text, "\n");
    }
}

static kanon_check *
check_table(kanon_ctx *ctx, const table *t, kn_rng *rng)
{
    kanon_check *check = NULL;
    kn_text      csv, qi, sensitive;

    kn_text_init(&csv, ctx);
    kn_text_init(&qi, ctx);
    kn_text_init(&sensitive, ctx);
    put_table(&csv, t, rng);
    put_names(&qi, t, 0, t->quasi);
    put_names(&sensitive, t, t->quasi, t->quasi + t->sensitive);
    CHECK_OK(ctx,
             check_csv(ctx,
                       &(request){ csv.ptr, qi.ptr, t->sensitive ? sensitive.ptr : NULL, "true" },
                       &check));
    kn_text_fini(&csv);
    kn_text_fini(&qi);
    kn_text_fini(&sensitive);
    return check;
}

/* --- counting by hand ------------------------------------------------------------------------------ */

static bool
rows_equal(const table *t, size_t a, size_t b)
{
    return memcmp(t->cells[a], t->cells[b], t->quasi * sizeof t->cells[a][0]) == 0;
}

static bool
rows_match(const table *t, size_t a, size_t b)
{
    for (size_t c = 0; c < t->quasi; c++) {
        int x = t->cells[a][c], y = t->cells[b][c];

        if (x != y && x >= 0 && y >= 0)
            return false;
    }
    return true;
}

static void
check_classes(const table *t, const kanon_check *check)
{
    uint64_t smallest = 0, largest = 0, uniques = 0, below[KN_CHECK_BELOWS] = { 0 };
    uint64_t bucket_rows[KN_CHECK_BUCKETS] = { 0 };
    double   classes = 0;

    for (size_t a = 0; a < t->rows; a++) {
        uint64_t size = 0;

        for (size_t b = 0; b < t->rows; b++)
            size += rows_equal(t, a, b);
        smallest = !smallest || size < smallest ? size : smallest;
        largest = size > largest ? size : largest;
        uniques += size == 1;
        classes += 1 / (double) size;
        for (size_t i = 0; i < KN_CHECK_BELOWS; i++)
            below[i] += size < check->below[i].limit;
        for (size_t i = 0; i < KN_CHECK_BUCKETS; i++)
            bucket_rows[i] += size >= check->histogram[i].from
                           && (!check->histogram[i].to || size <= check->histogram[i].to);
    }
    CHECK_EQ_U64(check->risk.rows, t->rows);
    CHECK_EQ_U64(kanon_check_k(check), smallest);
    CHECK_EQ_U64(check->risk.max_class, largest);
    CHECK_EQ_U64(check->risk.uniques, uniques);
    CHECK_EQ_U64(check->risk.classes, (uint64_t) (classes + 0.5));
    CHECK_NEAR(check->risk.prosecutor_max, t->rows ? 1 / (double) smallest : 0, 1e-12);
    CHECK_NEAR(check->risk.prosecutor_mean, t->rows ? classes / (double) t->rows : 0, 1e-9);
    for (size_t i = 0; i < KN_CHECK_BELOWS; i++)
        CHECK_EQ_U64(check->below[i].rows, below[i]);
    for (size_t i = 0; i < KN_CHECK_BUCKETS; i++)
        CHECK_EQ_U64(check->histogram[i].rows, bucket_rows[i]);
    CHECK_NEAR(check->risk.below_5, t->rows ? (double) below[2] / (double) t->rows : 0, 1e-12);
}

typedef struct varied {
    uint64_t distinct;
    double   entropy, t;
} varied;

/* One value of the class of row a at a time: the first row of each value counts for it. */
static varied
class_of_row(const table *t, size_t a, size_t column)
{
    varied found = { 0, 0, 0 };
    double rows = 0, distance = 0;

    for (size_t b = 0; b < t->rows; b++)
        rows += rows_equal(t, a, b);
    for (int value = MISSING; value < 50; value++) {
        double here = 0, whole = 0;

        for (size_t b = 0; b < t->rows; b++) {
            whole += t->cells[b][column] == value;
            here += t->cells[b][column] == value && rows_equal(t, a, b);
        }
        distance += fabs(here / rows - whole / (double) t->rows);
        if (here > 0) {
            found.distinct++;
            found.entropy -= here / rows * log(here / rows);
        }
    }
    found.t = distance / 2;
    return found;
}

static void
check_sensitive(const table *t, const kanon_check *check)
{
    for (size_t s = 0; s < t->sensitive; s++) {
        const kn_check_sensitive *got = &check->sensitive[s];
        uint64_t                  l = UINT64_MAX, homogeneous = 0;
        double                    entropy = (double) INFINITY, distance = 0;

        for (size_t a = 0; a < t->rows; a++) {
            varied v = class_of_row(t, a, t->quasi + s);

            l = v.distinct < l ? v.distinct : l;
            entropy = fmin(entropy, v.entropy);
            distance = fmax(distance, v.t);
            homogeneous += v.distinct == 1;
        }
        if (!t->rows)
            continue;
        CHECK_EQ_U64(got->l, l);
        CHECK_NEAR(got->entropy_l, exp(entropy), 1e-9);
        CHECK_NEAR(got->t, distance, 1e-9);
        CHECK_EQ_U64(got->homogeneous_rows, homogeneous);
    }
}

static void
check_wildcard(const table *t, const kanon_check *check)
{
    uint64_t smallest = 0, uniques = 0;

    for (size_t a = 0; a < t->rows; a++) {
        uint64_t matches = 0;

        for (size_t b = 0; b < t->rows; b++)
            matches += rows_match(t, a, b);
        smallest = !smallest || matches < smallest ? matches : smallest;
        uniques += matches == 1;
    }
    CHECK(check->wildcard.asked);
    CHECK_EQ_U64(check->wildcard.k, smallest);
    CHECK_EQ_U64(check->wildcard.uniques, uniques);
    CHECK(check->wildcard.k >= kanon_check_k(check));
}

static void
make_table(table *t, kn_rng *rng)
{
    uint64_t missing = kn_rng_below(rng, 4) * kn_rng_below(rng, 15);
    int      values[COLUMNS_MOST];

    t->rows = (size_t) kn_rng_below(rng, 60);
    t->quasi = 1 + (size_t) kn_rng_below(rng, kn_rng_below(rng, 20) ? 5 : 70);
    t->sensitive = (size_t) kn_rng_below(rng, 3);
    for (size_t c = 0; c < t->quasi + t->sensitive; c++)
        values[c] = 1 + (int) kn_rng_below(rng, t->quasi > 6 ? 2 : 6);
    for (size_t r = 0; r < t->rows; r++)
        for (size_t c = 0; c < t->quasi + t->sensitive; c++)
            t->cells[r][c] = kn_rng_below(rng, 100) >= missing
                               ? (int) kn_rng_below(rng, (uint64_t) values[c])
                           : c >= t->quasi ? MISSING
                           : c             ? -1 - (int) kn_rng_below(rng, 3)
                                           : -2 - (int) kn_rng_below(rng, 2);
    /* never all of a row empty: at the end that is no row */
}

TEST(random_tables_agree_with_counting_by_hand)
{
    static table t;
    kn_rng       rng;

    kn_rng_init(&rng, 7, 0);
    for (int round = 0; round < 600; round++) {
        kanon_ctx   *ctx = plain_ctx();
        kanon_check *check;

        make_table(&t, &rng);
        check = check_table(ctx, &t, &rng);
        CHECK_EQ_U64(check->nquasi, t.quasi);
        CHECK_EQ_U64(check->nsensitive, t.sensitive);
        check_classes(&t, check);
        check_sensitive(&t, check);
        check_wildcard(&t, check);
        kanon_check_free(check);
        kanon_ctx_free(ctx);
    }
}

TEST(large_classes_agree_with_counting_by_hand)
{
    static table t;
    kn_rng       rng;
    kanon_ctx   *ctx = plain_ctx();
    kanon_check *check;

    kn_rng_init(&rng, 8, 0);
    t.rows = ROWS_MOST;
    t.quasi = 2;
    t.sensitive = 1;
    for (size_t r = 0; r < t.rows; r++)
        for (size_t c = 0; c < 3; c++)
            t.cells[r][c] = (int) (kn_rng_below(&rng, 8) * kn_rng_below(&rng, 8) / 12);
    check = check_table(ctx, &t, &rng);
    check_classes(&t, check);
    check_sensitive(&t, check);
    check_wildcard(&t, check);
    CHECK(check->histogram[KN_CHECK_BUCKETS - 1].classes > 0);
    kanon_check_free(check);
    kanon_ctx_free(ctx);
}

/* --- by hand --------------------------------------------------------------------------------------- */

static const char people[] = "age,city,illness,note\n"
                             "30,Bern,flu,a\n"
                             "30,Bern,cold,b\n"
                             "?,Bern,flu,c\n"
                             "40,NA,flu,d\n"
                             "40,,flu,e\n"
                             "40,Rome,gout,f\n";

static bool
has_warning(const kanon_ctx *ctx, const char *part)
{
    const char *warning;

    for (size_t i = 0; (warning = kanon_ctx_warning(ctx, i)) != NULL; i++)
        if (strstr(warning, part))
            return true;
    return false;
}

/* A reader can tell them apart in a quasi-identifier; to match anything, spelling does not matter. */
TEST(spellings_of_a_missing_value_are_told_apart)
{
    kanon_ctx   *ctx = plain_ctx();
    kanon_check *check = NULL;

    CHECK_OK(ctx, check_csv(ctx, &(request){ people, "age,city", "illness", "true" }, &check));
    CHECK_EQ_U64(check->risk.rows, 6);
    CHECK_EQ_U64(check->risk.classes, 5);
    CHECK_EQ_U64(kanon_check_k(check), 1);
    CHECK_EQ_U64(check->risk.uniques, 4);
    CHECK_EQ_U64(check->sensitive[0].l, 1);
    CHECK_EQ_U64(check->sensitive[0].homogeneous_classes, 4);
    CHECK_EQ_U64(check->sensitive[0].homogeneous_rows, 4);
    CHECK_NEAR(check->sensitive[0].t, 5.0 / 6, 1e-12);
    CHECK_EQ_U64(check->wildcard.missing_rows, 3);
    CHECK_EQ_U64(check->wildcard.patterns, 3);
    CHECK_EQ_U64(check->wildcard.k, 3); /* 30,Bern matches itself twice and ?,Bern */
    CHECK_EQ_U64(check->wildcard.uniques, 0);
    CHECK(has_warning(ctx, "'city' has 2 spellings of a missing value"));
    CHECK(!has_warning(ctx, "'age'"));
    kanon_check_free(check);
    CHECK_OK(ctx, check_csv(ctx, &(request){ "q,s\n1,?\n1,\n1,NA\n", "q", "s", NULL }, &check));
    CHECK_EQ_U64(check->sensitive[0].l, 1); /* they say the same of a person */
    CHECK_EQ_U64(check->sensitive[0].distinct, 1);
    kanon_check_free(check);
    CHECK_OK(ctx,
             check_csv(ctx, &(request){ "a,b\n1,?\n1,?\n1,?\n1,\n1,NA\n", "a,b", NULL, "true" },
                       &check));
    CHECK_EQ_U64(kanon_check_k(check), 1);
    CHECK_EQ_U64(check->risk.uniques, 2);
    CHECK_EQ_U64(check->wildcard.k, 5);
    CHECK_EQ_U64(check->wildcard.patterns, 1);
    kanon_check_free(check);
    kanon_ctx_free(ctx);
}

TEST(a_table_without_rows)
{
    kanon_ctx   *ctx = plain_ctx();
    kanon_check *check = NULL;
    uint64_t     l;
    double       t;

    CHECK_OK(ctx, check_csv(ctx, &(request){ "age,city,illness\n", "age,city", "illness", "true" },
                            &check));
    CHECK_EQ_U64(kanon_check_k(check), 0);
    CHECK_EQ_U64(check->risk.classes, 0);
    CHECK(!kn_check_l(check, &l) && !kn_check_t(check, &t));
    CHECK_EQ_U64(check->wildcard.k, 0);
    kanon_check_free(check);
    kanon_check_free(NULL);
    kanon_ctx_free(ctx);
}

TEST(messages_name_the_fix)
{
    kanon_ctx   *ctx = plain_ctx();
    kanon_check *check = NULL;

    CHECK_STATUS(ctx, check_csv(ctx, &(request){ people, "age,cty", NULL, NULL }, &check),
                 KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(ctx), "table.csv: no column 'cty'; did you mean 'city'?");
    CHECK_STATUS(ctx, check_csv(ctx, &(request){ people, "age", "zzzzzzzz", NULL }, &check),
                 KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(ctx),
              "table.csv: no column 'zzzzzzzz'; expected one of age, city, illness, note");
    CHECK_STATUS(ctx, check_csv(ctx, &(request){ people, NULL, "illness", NULL }, &check),
                 KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(ctx), "--qi"));
    CHECK(!check);
    CHECK(kanon_check_run(ctx, NULL, NULL, &check) == KANON_E_INVALID);
    kanon_ctx_free(ctx);
}

/* --- people --------------------------------------------------------------------------------------- */

static kanon_check *
check_with(kanon_ctx *ctx, const char *csv, const char *const *settings)
{
    kanon_config *config = NULL;
    kanon_source *source = NULL;
    kanon_check  *check = NULL;

    CHECK_OK(ctx, kanon_config_new(ctx, &config));
    for (size_t i = 0; settings[i]; i += 2)
        CHECK_OK(ctx, kanon_config_set(config, settings[i], settings[i + 1]));
    CHECK_OK(ctx, kanon_source_memory(ctx, "table.csv", csv, strlen(csv), &source));
    CHECK_OK(ctx, kanon_check_run(ctx, config, source, &check));
    kanon_source_free(source);
    kanon_config_free(config);
    return check;
}

#define SETTINGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

TEST(persons_behind_stars_are_not_counted)
{
    kanon_ctx   *ctx = plain_ctx();
    kanon_check *check = check_with(ctx, "who,q\na,1\na,1\nb,1\n",
                                    SETTINGS("qi", "q", "entity", "who"));

    CHECK_NEAR(check->persons, 2, 0);
    CHECK(!check->no_persons);
    kanon_check_free(check);
    check = check_with(ctx, "who,q\n*,1\n*,1\n*,1\n", SETTINGS("qi", "q", "entity", "who"));
    CHECK(check->no_persons && strstr(check->no_persons, "'who' are *"));
    CHECK(!(check->persons > 0));
    CHECK_STR(kanon_check_failure(check), "");
    kanon_check_free(check);
    check = check_with(ctx, "who,q\n12*,1\n12*,1\n",
                       SETTINGS("qi", "q", "entity", "who", "k", "2"));
    CHECK(strstr(kanon_check_failure(check), "persons cannot be counted"));
    CHECK(strstr(check->no_persons, "'who' begin or end with *"));
    kanon_check_free(check);
    check = check_with(ctx, "who,q\n***,1\n***,1\n", SETTINGS("qi", "q", "entity", "who"));
    CHECK(check->no_persons);
    kanon_check_free(check);
    check = check_with(ctx, "who,q\nA*1,1\nA*2,1\nA*2,1\n",
                       SETTINGS("qi", "q", "entity", "who", "k", "2"));
    CHECK(!check->no_persons); /* a character of a name like others */
    CHECK_NEAR(check->persons, 2, 0);
    CHECK_STR(kanon_check_failure(check), "");
    kanon_check_free(check);
    check = check_with(ctx, "q\n1\n1\n", SETTINGS("qi", "q", "id", "who", "entity", "who"));
    CHECK(check->no_persons && strstr(check->no_persons, "no column 'who'"));
    kanon_check_free(check);
    kanon_ctx_free(ctx);
}

/* --- identifiers and k ----------------------------------------------------------------------------- */

static const char named[] = "name,mail,q,s\n*,x@y,1,a\n,*,1,b\nAnn,x@z,1,a\nA**,NA,1,b\n";

TEST(identifiers_in_clear_fail_where_something_is_asked_for)
{
    kanon_ctx   *ctx = plain_ctx();
    kanon_check *check = check_with(ctx, named, SETTINGS("qi", "q", "id", "name,gone"));

    CHECK_STR(kanon_check_failure(check), "");
    CHECK(has_warning(ctx, "the identifier 'name' is in clear in 2 rows"));
    CHECK(!has_warning(ctx, "Ann") && !has_warning(ctx, "'mail' is in clear"));
    CHECK_EQ_U64(check->identifiers.count, 1);
    CHECK_STR(check->identifiers.columns[0].name, "name");
    CHECK_EQ_U64(check->identifiers.columns[0].rows, 2);
    kanon_check_free(check);
    check = check_with(ctx, named, SETTINGS("qi", "q", "id", "mail,name", "k", "4"));
    CHECK_STR(kanon_check_failure(check),
              "table.csv: the identifier 'name' is in clear in 2 rows; expected * or no value; the "
              "identifier 'mail' is in clear in 2 rows; expected * or no value");
    kanon_check_free(check);
    check = check_with(ctx, named,
                       SETTINGS("qi", "q", "sensitive", "s", "id", "name", "l-diversity", "2"));
    CHECK(strstr(kanon_check_failure(check), "the identifier 'name' is in clear in 2 rows"));
    kanon_check_free(check);
    check = check_with(ctx, named,
                       SETTINGS("qi", "q", "id", "name", "k", "4", "missing", "Ann,A**"));
    CHECK_STR(kanon_check_failure(check), ""); /* an empty cell says nothing, whatever the list */
    CHECK_EQ_U64(check->identifiers.columns[0].rows, 0);
    kanon_check_free(check);
    kanon_ctx_free(ctx);
}

TEST(a_k_that_somebody_set_is_asked_for)
{
    static const char csv[] = "q,s\n1,a\n1,a\n2,b\n2,b\n2,b\n";
    kanon_ctx        *ctx = plain_ctx();
    kanon_check      *check = check_with(ctx, csv, SETTINGS("qi", "q"));

    CHECK_STR(kanon_check_failure(check), ""); /* the default of a job is nobody's wish */
    kanon_check_free(check);
    check = check_with(ctx, csv, SETTINGS("qi", "q", "k", "2"));
    CHECK_STR(kanon_check_failure(check), "");
    kanon_check_free(check);
    check = check_with(ctx, csv, SETTINGS("qi", "q", "k", "3"));
    CHECK_STR(kanon_check_failure(check), "table.csv: k is 2; expected at least 3");
    kanon_check_free(check);
    check = check_with(ctx, csv,
                       SETTINGS("qi", "q", "sensitive", "s", "k", "3", "l-diversity", "2"));
    CHECK(strstr(kanon_check_failure(check), "table.csv: k is 2; expected at least 3; distinct"));
    kanon_check_free(check);
    check = check_with(ctx, "q\n", SETTINGS("qi", "q", "k", "3", "header", "yes"));
    CHECK_STR(kanon_check_failure(check), "");
    kanon_check_free(check);
    kanon_ctx_free(ctx);
}

/* --- a population ---------------------------------------------------------------------------------- */

static void
write_people(char path[], const char *csv)
{
    int fd = mkstemp(path);

    CHECK(fd >= 0 && write(fd, csv, strlen(csv)) == (ssize_t) strlen(csv));
    close(fd);
}

/* Cells of a release stand for all values of the population that they cover. */
TEST(released_values_cover_people)
{
    static const struct {
        const char *csv;
        double      reached;
        uint64_t    failing;
    } cases[] = {
        { "age,town\n21,Bonn\n21,Bonn\n", 1, 2 },             /* written alike: one of Bonn is 21 */
        { "age,town\n20-29,Bonn\n20-29,Bonn\n", 3, 0 },       /* an interval */
        { "age,town\n2*,Rhine\n2*,Rhine\n", 4, 0 },           /* hidden characters, a group */
        { "age,town\n20-29,*\n30-39,*\n", 2, 1 },             /* a column given up */
        { "age,town\n20-29,Rhine\n*,*\n", 4, 0 },             /* a masked row: everybody */
        { "age,town\n20-39,*\n*,*\n", 6, 0 },                 /* everybody, twice */
        { "age,town\n20-25,Rhine\n24-29,Rhine\n", 3, 0 },     /* classes that overlap */
        { "age,town\n20-29,Nowhere\n20-29,Nowhere\n", 0, 2 }, /* nobody */
    };
    char       folk[] = "/tmp/kanon-people-XXXXXX", tree[] = "/tmp/kanon-tree-XXXXXX";
    char       hierarchy[64];
    kanon_ctx *ctx = plain_ctx();

    write_people(folk, "age,town\n21,Bonn\n24,Bonn\n25,Bonn\n29,Koeln\n33,Jena\n34,Jena\n");
    write_people(tree, "Bonn;Rhine;*\nKoeln;Rhine;*\nJena;Saale;*\n");
    snprintf(hierarchy, sizeof hierarchy, "town=%s", tree);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kanon_check *check = check_with(ctx, cases[i].csv,
                                        SETTINGS("qi", "age,town", "hierarchy", hierarchy, "k-map",
                                                 "3", "population", folk));

        CHECK_EQ_U64(check->nmodels, 1);
        CHECK_NEAR(check->models[0].reached, cases[i].reached, 0);
        CHECK_EQ_U64(check->models[0].failing_rows, cases[i].failing);
        kanon_check_free(check);
    }
    unlink(folk);
    unlink(tree);
    kanon_ctx_free(ctx);
}

/* Whoever may be in several classes is as likely in the table as all of them say together. */
TEST(presence_is_added_up_where_classes_overlap)
{
    static const struct {
        const char *csv;
        double      reached;
        bool        at_most;
        uint64_t    failing;
    } cases[] = {
        { "age,sex\n20,M\n20,M\n", 0.5, false, 0 },
        { "age,sex\n20,M\n20,M\n20-24,M\n20-24,M\n", 1, true, 4 },     /* all four are there */
        { "age,sex\n20,M\n20-24,M\n", 0.5, true, 0 },                  /* a quarter each */
        { "age,sex\n20,M\n20-24,M\n20-24,M\n", 0.75, true, 3 },        /* and a half */
        { "age,sex\n20-24,M\n20-24,M\n*,*\n*,*\n", 0.75, true, 4 },    /* two of eight anywhere */
        { "age,sex\n20-24,M\n*,*\n60,F\n", 0.625, true, 2 },           /* one of eight anywhere */
        { "age,sex\n?,F\nNA,F\n", 1, true, 2 },                        /* of the same two people */
        { "age,sex\n60,F\n60,F\n60,F\n60,F\n20-24,M\n", 2, false, 4 }, /* too few people */
    };
    char       folk[] = "/tmp/kanon-people-XXXXXX";
    kanon_ctx *ctx = plain_ctx();

    write_people(folk, "age,sex\n20,M\n20,M\n20,M\n20,M\n60,F\n60,F\n,F\n,F\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kanon_check *check = check_with(ctx, cases[i].csv,
                                        SETTINGS("qi", "age,sex", "hierarchy", "age=range:5,10",
                                                 "delta-presence", "0,0.6", "population", folk));
        bool         fails = cases[i].failing > 0;

        CHECK_EQ_U64(check->nmodels, 1);
        CHECK_NEAR(check->models[0].reached, cases[i].reached, 1e-12);
        CHECK(check->models[0].at_most == cases[i].at_most);
        CHECK(check->models[0].holds == !fails);
        CHECK_EQ_U64(check->models[0].failing_rows, cases[i].failing);
        CHECK((kanon_check_failure(check)[0] != 0) == fails);
        CHECK((strstr(kanon_check_failure(check), "max is at most ") != NULL)
              == (fails && cases[i].at_most));
        kanon_check_free(check);
    }
    unlink(folk);
    kanon_ctx_free(ctx);
}

TEST(too_many_patterns_are_refused)
{
    enum { BITS = 13, ROWS = 4097 };
    kanon_ctx   *ctx = plain_ctx();
    kanon_check *check = NULL;
    kn_text      csv, qi;

    kn_text_init(&csv, ctx);
    kn_text_init(&qi, ctx);
    for (int c = 0; c < BITS; c++)
        kn_text_addf(&qi, "%sq%d", c ? "," : "", c);
    kn_text_addf(&csv, "%s\n", qi.ptr);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < BITS; c++)
            kn_text_addf(&csv, "%s%s", r >> c & 1 ? "?" : "v", c + 1 < BITS ? "," : "\n");
    CHECK_STATUS(ctx, check_csv(ctx, &(request){ csv.ptr, qi.ptr, NULL, "true" }, &check),
                 KANON_E_UNSUPPORTED);
    CHECK(strstr(kanon_ctx_message(ctx), "4096"));
    CHECK_OK(ctx, check_csv(ctx, &(request){ csv.ptr, qi.ptr, NULL, NULL }, &check));
    CHECK_EQ_U64(check->risk.classes, ROWS);
    CHECK(!check->wildcard.asked);
    kanon_check_free(check);
    kn_text_fini(&csv);
    kn_text_fini(&qi);
    kanon_ctx_free(ctx);
}

/* --- roles ----------------------------------------------------------------------------------------- */

/* k counts the quasi-identifiers alone: what stands beside them may name everybody. */
TEST(columns_that_do_not_look_like_their_roles_are_told)
{
    static const char *const family[] = { "Schmidt", "Weber", "Jansen", "Nowak", "Rossi" };
    kanon_ctx               *ctx = plain_ctx();
    kanon_check             *check;
    size_t                   doubted = 0;
    kn_text                  csv;

    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "q,x1,x2,x3,s,surname,lab\n");
    for (unsigned i = 0; i < 60; i++)
        kn_text_addf(&csv, "%u,%s,+49 30 55%05u,p%u@post.example,%s,*,%u\n", i % 2,
                     i % 6 ? "unknown" : family[i / 6 % 5], i * 977, i, i % 3 ? "flu" : "none",
                     i % 7);
    check = check_with(ctx, csv.ptr,
                       SETTINGS("qi", "q", "sensitive", "s", "insensitive", "x1,x2", "k", "5"));
    CHECK_STR(kanon_check_failure(check), "");
    CHECK(has_warning(ctx,
                      "column 'x1' has the role insensitive, but the values look like names of "
                      "persons"));
    CHECK(has_warning(ctx, "column 'x2' has the role insensitive, but the values look like "
                           "telephone numbers"));
    CHECK(has_warning(ctx, "column 'x3' has no role, but the values look like e-mail addresses"));
    for (size_t i = 0; i < check->findings.count; i++)
        doubted += check->findings.of[i].code == KN_FOUND_DOUBTFUL_ROLE;
    CHECK_EQ_U64(doubted, 3); /* neither what is hidden nor what tells nothing */
    CHECK(has_warning(ctx, "3 columns of the table have no role: x3, surname and lab"));
    kanon_check_free(check);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

TEST(columns_are_forgotten_only_where_others_are_decided)
{
    static const char csv[] = "q,a,b\n1,x,y\n1,x,y\n";
    kanon_ctx        *ctx = plain_ctx();

    kanon_check_free(check_with(ctx, csv, SETTINGS("qi", "q", "sensitive", "a")));
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 0);
    kanon_check_free(check_with(ctx, csv, SETTINGS("qi", "q", "insensitive", "a")));
    CHECK(has_warning(ctx, "1 column of the table has no role: b"));
    kanon_ctx_free(ctx);
}

/* --- reports and memory ------------------------------------------------------------------------------ */

static void
check_written(const request *asked, kanon_format format, const char *name)
{
    kanon_ctx   *ctx = plain_ctx();
    kanon_check *check = NULL;
    kanon_sink  *sink = NULL;
    const void  *bytes;
    size_t       count = 0;

    CHECK_OK(ctx, check_csv(ctx, asked, &check));
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_check_write(ctx, check, format, sink));
    bytes = kanon_sink_bytes(sink, &count);
    check_golden(name, bytes, count);
    kanon_sink_free(sink);
    kanon_check_free(check);
    kanon_ctx_free(ctx);
}

TEST(check_reports)
{
    const request full = { people, "age,city", "illness,note", "true" };
    const request plain = { people, "age,city", NULL, NULL };
    const request empty = { "age,city,illness\n", "age,city", "illness", "true" };

    check_written(&full, KANON_FORMAT_JSON, "check_full.json");
    check_written(&full, KANON_FORMAT_TEXT, "check_full.txt");
    check_written(&plain, KANON_FORMAT_JSON, "check_plain.json");
    check_written(&plain, KANON_FORMAT_TEXT, "check_plain.txt");
    check_written(&empty, KANON_FORMAT_JSON, "check_empty.json");
    check_written(&empty, KANON_FORMAT_TEXT, "check_empty.txt");
}

static kanon_status
check_and_write(kanon_ctx *ctx, void *user)
{
    kanon_status rc = KANON_OK;
    kanon_check *check = NULL;
    kanon_sink  *sink = NULL;

    KN_TRY(check_csv(ctx, user, &check));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_check_write(ctx, check, KANON_FORMAT_TEXT, sink));
out:
    kanon_sink_free(sink);
    kanon_check_free(check);
    return rc;
}

/* Refused for its column name, whatever memory does. */
static kanon_status
refuse(kanon_ctx *ctx, void *user)
{
    kanon_check *check = NULL;
    kanon_status rc = check_csv(ctx, user, &check);

    CHECK(!check && rc < 0);
    return rc == KANON_E_INVALID ? KANON_OK : rc;
}

TEST(every_allocation_of_a_check_may_fail)
{
    request full = { people, "age,city", "illness,note", "true" };
    request wrong = { people, "age,cty", "illness", NULL };

    CHECK(failing_alloc_sweep(check_and_write, &full) > 20);
    CHECK(failing_alloc_sweep(refuse, &wrong) > 10);
}

static int
stop(void *user, const kanon_progress *progress)
{
    KN_UNUSED(progress);
    return *(int *) user;
}

TEST(a_check_can_be_cancelled)
{
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    int               answer = 1;
    kanon_ctx        *ctx = NULL;
    kanon_check      *check = NULL;

    options.progress = stop;
    options.progress_user = &answer;
    CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
    CHECK_STATUS(ctx, check_csv(ctx, &(request){ people, "age,city", NULL, "true" }, &check),
                 KANON_E_CANCELLED);
    CHECK(!check);
    kanon_ctx_free(ctx);
}
