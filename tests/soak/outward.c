/* SPDX-License-Identifier: Apache-2.0 */
/* outward.c -- what others get to see of a job: the report on standard output (--json), and a second run
 * of the same job with reports for outsiders (--report-audience external), held against the first. */
#include "soak.h"

#include <math.h>
#include <string.h>

/* The two releases are compared byte by byte. */
void
show_outside(job *j)
{
    j->outward = true;
    if (!j->order_key)
        j->order_key = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
}

/* From numbers of their own: the rest of the job is the same with them and without. */
void
choose_telling(job *j)
{
    chance c = chance_of(j->seed, j->index, 3);

    j->prints = maybe(&c, 0.15);
    if (maybe(&c, 0.1))
        show_outside(j);
    j->says_header = maybe(&c, 0.2);
    j->has_limit = maybe(&c, 0.2);
}

/* --- --json ------------------------------------------------------------------------------------- */

static bool
alike(const json *a, const json *b)
{
    const json *x = a->first, *y = b->first;

    if (a->type != b->type || (a->key ? !b->key || !same(a->key, b->key) : b->key != NULL))
        return false;
    if (a->type == J_NUMBER)
        return a->number == b->number;
    if (a->type == J_TEXT)
        return same(a->text, b->text);
    for (; x && y; x = x->next, y = y->next)
        if (!alike(x, y))
            return false;
    return !x && !y;
}

void
judge_printed(const job *j, const outcome *o)
{
    if (!j->prints || o->code == 1) {
        EXPECT(!*o->printed, "standard output has '%.100s'", o->printed);
        return;
    }
    EXPECT(o->shown, "--json printed nothing");
    if (o->code == 0)
        EXPECT(alike(o->shown, o->report), "--json is not the report that was written");
    else
        EXPECT(same(get(o->shown, "outcome")->text, "infeasible"), "exit status 2, outcome '%s'",
               get(o->shown, "outcome")->text);
}

/* --- --report-audience external ------------------------------------------------------------------- */

static bool
is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (same(word, words[i]))
            return true;
    return false;
}
#define IS_ONE_OF(word, words) is_one_of(word, words, sizeof(words) / sizeof(words)[0])

static bool
is_column(const job *j, const char *name)
{
    int columns[COLS_MOST], count = released_columns(j, columns);

    for (int i = 0; i < count; i++)
        if (same(j->columns[columns[i]].name, name))
            return true;
    return false;
}

/* Keys of what was asked of a model. */
static bool
is_asked(const problem *p, const char *key)
{
    for (int i = 0; i < p->nmodels; i++)
        for (int a = 0; a < 2 && p->models[i].parameter[a]; a++)
            if (same(key, p->models[i].parameter[a]))
                return true;
    return false;
}

static bool
is_model(const problem *p, const char *name)
{
    for (int i = 0; i < p->nmodels; i++)
        if (same(name, p->models[i].key))
            return true;
    return false;
}

/* May this text be told? Names of the release, words of the form, nothing else: no value of the table. */
static bool
may_tell(const job *j, const outcome *o, const char *key, const char *text)
{
    static const char *const roles[] = { "none", "identifier", "quasi", "sensitive",
                                         "insensitive" };

    if (same(key, "name") || same(key, "column"))
        return is_column(j, text);
    if (same(key, "role"))
        return IS_ONE_OF(text, roles);
    if (same(key, "model"))
        return is_model(o->problem, text);
    if (same(key, "suppressed"))
        return same(text, j->mask ? "mask" : "drop");
    if (same(key, "file"))
        return same(text, "outside.csv");
    if (same(key, "algorithm"))
        return same(text, "blake2b-256");
    if (same(key, "promised")) /* sentences: k, models and names of columns */
        return !*text || !strncmp(text, "k = ", 4);
    if (same(key, "not_promised"))
        return !*text || !strncmp(text, "that ", 5) || !strncmp(text, "protection ", 11);
    if (same(key, "hex"))
        return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
    return same(key, "kanon") || (same(key, "audience") && same(text, "external"));
}

static void
judge_words(const job *j, const outcome *o, const json *of)
{
    static const char *const keys[] = { "kanon",
                                        "schema",
                                        "audience",
                                        "released",
                                        "verdict",
                                        "promised",
                                        "not_promised",
                                        "output",
                                        "file",
                                        "hash",
                                        "algorithm",
                                        "hex",
                                        "parameters",
                                        "k",
                                        "suppressed",
                                        "models",
                                        "model",
                                        "column",
                                        "solution",
                                        "classes",
                                        "released_rows",
                                        "suppressed_rows",
                                        "information_lost",
                                        "about",
                                        "fewer_than",
                                        "columns",
                                        "name",
                                        "role",
                                        "values",
                                        "risk",
                                        "prosecutor_max",
                                        "prosecutor_mean",
                                        "uniques",
                                        "rows",
                                        "smallest_class",
                                        "largest_class",
                                        "below_2",
                                        "below_5",
                                        "below_10",
                                        "class_sizes",
                                        "from",
                                        "to" };

    for (const json *e = of->first; e; e = e->next) {
        EXPECT(!e->key || IS_ONE_OF(e->key, keys) || is_asked(o->problem, e->key),
               "the external report has a key %s", e->key);
        if (e->type == J_TEXT)
            EXPECT(e->key && may_tell(j, o, e->key, e->text),
                   "the external report tells '%.60s' (%s)", e->text,
                   e->key ? e->key : "in a list");
        judge_words(j, o, e);
    }
}

/* In whole percent, and only where no row may be suppressed: it would tell of those. */
static void
judge_loss(const outcome *o, const json *of, const json *inside, const char *what)
{
    const json *found = get(of, "information_lost");

    if (o->problem->limit > 0 || get(get(o->report, "solution"), "released_rows")->number == 0) {
        EXPECT(found->type == J_NULL, "%s: outsiders are told a loss of %Lg", what, found->number);
        return;
    }
    EXPECT(found->type == J_NUMBER && fabsl(found->number - inside->number) <= 0.005L + 1e-9L
               && near(found->number * 100, roundl(found->number * 100)),
           "%s: an external loss of %.15Lg, expected %.15Lg in whole percent", what, found->number,
           inside->number);
}

static void
judge_suppressed(const job *j, const outcome *o, const json *found)
{
    long double lost = get(get(o->report, "solution"), "suppressed_rows")->number,
                least = j->k > 10 ? j->k : 10;
    const json *about = find(found, "about"), *below = find(found, "fewer_than");

    EXPECT((about != NULL) != (below != NULL), "suppressed rows: about or fewer than?");
    if (below)
        EXPECT(below->number > lost && below->number >= least,
               "fewer than %Lg rows are suppressed, it says, but %Lg are", below->number, lost);
    else
        EXPECT(about->number >= least && fabsl(about->number - lost) <= about->number / 2
                   && fmodl(about->number, 10) == 0,
               "about %Lg rows are suppressed, it says, but %Lg are", about->number, lost);
}

/* Different texts of a column of the release. */
static int
different(const job *j, const outcome *o, int at)
{
    int count = 0;

    for (int r = !j->dialect.no_header; r < o->file.count; r++) {
        bool first = true;

        for (int before = !j->dialect.no_header; before < r && first; before++)
            first = !same(o->file.rows[r][at], o->file.rows[before][at]);
        count += first;
    }
    return count;
}

static void
judge_columns(const job *j, const outcome *o)
{
    int         columns[COLS_MOST], count = released_columns(j, columns);
    const json *e = get(o->outside, "columns")->first, *loss = get(o->report, "attributes")->first;

    for (int i = 0; i < count; i++, e = e->next) {
        const column *c = &j->columns[columns[i]];

        EXPECT(e && same(get(e, "name")->text, c->name), "the external report has no column %s",
               c->name);
        if (c->role != QUASI)
            continue;
        EXPECT(loss && same(get(loss, "name")->text, c->name),
               "the reports differ in their columns");
        judge_loss(o, e, get(loss, "glm"), c->name);
        if (get(get(o->report, "solution"), "masked_rows")->number == 0 && find(e, "values"))
            expect_number(e, "values", different(j, o, i), c->name);
        loss = loss->next;
    }
    EXPECT(!e, "the external report has more columns than the release");
}

/* As in the other report; but nobody can count persons in the release, so outsiders learn no more of them
 * than the promise. */
static void
judge_risk_outside(const job *j, const outcome *o)
{
    const json *risk = find(o->outside, "risk");

    for (const json *e = risk ? risk->first : NULL; e; e = e->next) {
        long double inside = get(get(o->report, "risk"), e->key)->number;

        if (same(e->key, "prosecutor_max") && j->asked.entity && inside > 0)
            inside = fmaxl(inside, 1.0L / j->k);
        expect_number(risk, e->key, inside, "external risk");
    }
}

void
judge_outside(const job *j, const outcome *o)
{
    static const char *const counted[] = { "k", "classes", "released_rows" };
    const json              *solution, *inside;

    if (!j->outward)
        return;
    EXPECT(o->outside_code == o->code, "for outsiders the exit status is %d, otherwise %d",
           o->outside_code, o->code);
    if (o->code == 1)
        return;
    EXPECT(o->outside, "nothing was printed for outsiders");
    judge_words(j, o, o->outside);
    EXPECT(same(get(o->outside, "audience")->text, "external"), "no report for outsiders");
    EXPECT((get(o->outside, "released")->type == J_TRUE) == (o->code == 0), "released or not?");
    expect_number(get(o->outside, "parameters"), "k", j->k, "parameters");
    if (o->code != 0) {
        EXPECT(!find(o->outside, "solution") && !find(o->outside, "columns"),
               "the external report tells of what was not released");
        return;
    }
    EXPECT(o->outside_same, "the release depends on who reads the report");
    EXPECT(o->outside_written, "the external report is not what --json printed");
    solution = get(o->outside, "solution");
    inside = get(o->report, "solution");
    for (int i = 0; i < 3; i++)
        expect_number(solution, counted[i], get(inside, counted[i])->number, "external solution");
    judge_suppressed(j, o, get(solution, "suppressed_rows"));
    judge_loss(o, solution, get(get(o->report, "metrics"), "glm"), "external solution");
    judge_columns(j, o);
    judge_risk_outside(j, o);
}
