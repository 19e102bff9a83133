/* SPDX-License-Identifier: Apache-2.0 */
/* judge.c -- what every answer of the tool is held against: the exit status, the dialect of the
 * release, its columns, the models, the risk. What is special to a kind of recoding is in global.c and
 * local.c. */
#include "soak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
is_local(const char *algorithm)
{
    static const char *const names[] = { "mondrian", "k-members", "oka", "ika", "bha", "kab" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (same(names[i], algorithm))
            return true;
    return false;
}

/* --- columns and rows --------------------------------------------------------------------------- */

int
released_columns(const job *j, int *columns)
{
    int count = 0;

    for (int i = 0; i < j->ncolumns; i++)
        if (!(j->drop_identifiers && j->columns[i].role == IDENTIFIER)
            && !(j->others == OTHERS_DROP && j->columns[i].roleless))
            columns[count++] = i;
    return count;
}

static void
judge_form(const job *j, const outcome *o)
{
    int columns[COLS_MOST], count = released_columns(j, columns);

    EXPECT(o->bom == j->dialect.bom, "byte-order mark: %d, the table's: %d", o->bom,
           j->dialect.bom);
    EXPECT(!(j->dialect.crlf ? o->bare_lf : o->crlf), "line ends are not those of the table");
    EXPECT(j->dialect.no_header || o->file.count > 0, "the release has no header");
    for (int r = 0; r < o->file.count; r++)
        EXPECT(o->file.widths[r] == count, "line %d of the release has %d cells, not %d", r + 1,
               o->file.widths[r], count);
    for (int i = 0; i < count && !j->dialect.no_header; i++)
        EXPECT(same(o->file.rows[0][i], j->columns[columns[i]].name),
               "released column '%s', expected '%s'", o->file.rows[0][i],
               j->columns[columns[i]].name);
}

void
match_rows(const job *j, const outcome *o, const int *columns, int ncolumns, int *row)
{
    int  first = !j->dialect.no_header, at = -1;
    bool seen[ROWS_MOST] = { 0 };

    for (int i = 0; i < ncolumns; i++)
        if (columns[i] == j->rid)
            at = i;
    EXPECT(o->file.count - first <= j->n, "%d rows were released, the table has %d",
           o->file.count - first, j->n);
    for (int r = first; r < o->file.count; r++) {
        const char *cell = o->file.rows[r][at];
        int         number = cell[0] == 'r' ? atoi(cell + 1) : -1, found = -1;

        for (int i = 0; i < j->n && found < 0; i++)
            if (same(j->columns[j->rid].cells[i], cell))
                found = i;
        EXPECT(number >= 0 && found >= 0, "a released row is not in the table: '%s'", cell);
        EXPECT(!seen[found], "row '%s' was released twice", cell);
        seen[found] = true;
        row[r - first] = found;
    }
}

/* --- the report --------------------------------------------------------------------------------- */

static void
expect_near(const json *of, const char *key, long double value, const char *what)
{
    const json *found = get(of, key);

    EXPECT(found->type == J_NUMBER && near(found->number, value),
           "%s.%s is %.15Lg, expected %.15Lg", what, key, found->number, value);
}

void
judge_risk(const json *found, int classes, const int *sizes, int crowd)
{
    int rows = 0, smallest = 0, largest = 0, below[3] = { 0 }, uniques = 0;

    for (int c = 0; c < classes; c++) {
        rows += sizes[c];
        smallest = !smallest || sizes[c] < smallest ? sizes[c] : smallest;
        largest = sizes[c] > largest ? sizes[c] : largest;
        uniques += sizes[c] == 1;
        for (int i = 0; i < 3; i++)
            below[i] += sizes[c] < (int[]){ 2, 5, 10 }[i] ? sizes[c] : 0;
    }
    if (crowd >= 0) {
        crowd = crowd && crowd < smallest ? crowd : smallest;
        expect_near(found, "prosecutor_max", crowd ? 1.0L / crowd : 0, "risk");
    }
    expect_near(found, "prosecutor_mean", rows ? (long double) classes / rows : 0, "risk");
    expect_near(found, "uniques", uniques, "risk");
    expect_near(found, "rows", rows, "risk");
    expect_near(found, "classes", classes, "risk");
    expect_near(found, "smallest_class", smallest, "risk");
    expect_near(found, "largest_class", largest, "risk");
    expect_near(found, "below_2", rows ? (long double) below[0] / rows : 0, "risk");
    expect_near(found, "below_5", rows ? (long double) below[1] / rows : 0, "risk");
    expect_near(found, "below_10", rows ? (long double) below[2] / rows : 0, "risk");
}

static long double
worse(const model *m, long double a, long double b)
{
    return m->smaller_is_worse ? fminl(a, b) : fmaxl(a, b);
}

static const json *
entry_of(const json *list, const model *m, const job *j)
{
    for (const json *e = list ? list->first : NULL; e; e = e->next) {
        const json *of = get(e, "column");

        if (!same(get(e, "model")->text, m->key))
            continue;
        if (m->column < 0 ? of->type == J_NULL
                          : of->type == J_TEXT && same(of->text, j->columns[m->column].name))
            return e;
    }
    object("parameters.models has no %s", m->key);
}

/* Each model once, what was asked for, what is reached. */
void
judge_models_of_report(const job *j, const outcome *o, int classes, int *const *rows,
                       const int *sizes, const int *people, const int *masked, int nmasked)
{
    const problem *p = o->problem;
    const json    *list = find(get(o->report, "parameters"), "models");
    int            listed = 0;

    for (const json *e = list ? list->first : NULL; e; e = e->next)
        listed++;
    EXPECT(listed == p->nmodels, "parameters.models lists %d models, %d were asked for", listed,
           p->nmodels);
    for (int i = 0; i < p->nmodels; i++) {
        const model *m = &p->models[i];
        const json  *e = entry_of(list, m, j), *found = get(e, "reached");
        bool         any = false;
        long double  least = m->smaller_is_worse ? INFINITY : -INFINITY;

        for (int a = 0; a < 2 && m->parameter[a]; a++)
            expect_near(get(e, "asked"), m->parameter[a], m->asked[a], m->key);
        EXPECT((get(e, "monotone")->type == J_TRUE) == (m->monotone || p->limit == 0),
               "%s: monotone", m->key);
        for (int c = 0; c < classes; c++, any = true)
            least = worse(m, least, reached(m, rows[c], sizes[c], people ? people[c] : 0));
        if (nmasked) {
            least = worse(m, least, reached(m, masked, nmasked, j->npeople));
            any = true;
        }
        if (!any || isinf(least))
            EXPECT(found->type == J_NULL, "%s: reached %Lg, expected nothing", m->key,
                   found->number);
        else
            EXPECT(found->type == J_NUMBER && near(found->number, least),
                   "%s: reached %.12Lg, expected %.12Lg", m->key, found->number, least);
    }
}

static void
sensitive_class(const int *value, int nvalues, const int *whole, int n, const int *rows, int size,
                int *l, long double *bits, long double *t)
{
    int         counts[LEAVES_MOST] = { 0 };
    long double sum = 0;

    *l = 0;
    *bits = 0;
    for (int i = 0; i < size; i++)
        counts[value[rows[i]]]++;
    for (int v = 0; v < nvalues; v++) {
        long double p = (long double) counts[v] / size;

        *l += counts[v] > 0;
        if (counts[v])
            *bits -= p * logl(p);
        sum += fabsl(p - (long double) whole[v] / n);
    }
    *t = sum / 2;
}

/* l, entropy l, t and rows in classes with one value, of each sensitive column. */
void
judge_sensitive(const job *j, const outcome *o, int classes, int *const *rows, const int *sizes,
                const int *masked, int nmasked)
{
    const json *e = get(o->report, "sensitive")->first;

    for (int i = 0; i < j->ncolumns; i++) {
        int         value[ROWS_MOST], whole[LEAVES_MOST] = { 0 }, nvalues, least = 0, alike = 0;
        char       *order[LEAVES_MOST];
        long double least_bits = INFINITY, t = 0;

        if (j->columns[i].role != SENSITIVE)
            continue;
        EXPECT(e && same(get(e, "name")->text, j->columns[i].name),
               "the report says nothing of sensitive column %s", j->columns[i].name);
        nvalues = values_of(j, i, value, order);
        for (int r = 0; r < j->n; r++)
            whole[value[r]]++;
        for (int c = 0; c < classes + (nmasked > 0); c++) {
            int         l;
            long double bits, far;

            sensitive_class(value, nvalues, whole, j->n, c < classes ? rows[c] : masked,
                            c < classes ? sizes[c] : nmasked, &l, &bits, &far);
            least = !least || l < least ? l : least;
            least_bits = fminl(least_bits, bits);
            t = fmaxl(t, far);
            alike += l == 1 ? (c < classes ? sizes[c] : nmasked) : 0;
        }
        if (classes + nmasked) {
            expect_near(e, "l", least, "sensitive");
            expect_near(e, "entropy_l", expl(least_bits), "sensitive");
            expect_near(e, "t", t, "sensitive");
            if (!nmasked)
                expect_near(e, "homogeneous_rows", alike, "sensitive");
        }
        e = e->next;
    }
    EXPECT(!e, "the report lists more sensitive columns than there are");
}

/* --- answers ------------------------------------------------------------------------------------ */

static void
nothing_left(const outcome *o)
{
    EXPECT(!o->there, "exit status %d, but a release is there", o->code);
    EXPECT(!o->report, "exit status %d, but a report is there", o->code);
    EXPECT(o->left_over == 0, "exit status %d, and files are left behind", o->code);
}

static void
one_line(const outcome *o)
{
    const char *end = strchr(o->said, '\n');

    EXPECT(strncmp(o->said, "kanon: ", 7) == 0 && end,
           "exit status %d, but the message is '%.200s'", o->code, o->said);
}

/* Settings that are refused by rule. */
static bool
refused(const job *j, const outcome *o)
{
    if (j->fault != SOUND
        || (j->n == 0 && j->dialect.no_header)) /* a file without a line is no table */
        return true;
    if ((j->asked.k_map || j->asked.presence) && j->npeople == 0)
        return true;
    if (j->local)
        return j->asked.k_map || j->asked.presence;
    if (same(j->algorithm, "optimal"))
        return o->problem->nmodels > 0;
    return (same(j->algorithm, "ola") || same(j->algorithm, "incognito")
            || same(j->algorithm, "samarati"))
        && !o->problem->steady;
}

answer_t
judge(const job *j, outcome *o)
{
    EXPECT(o->code == 0 || o->code == 1 || o->code == 2, "exit status %d: %.300s", o->code,
           o->said);
    judge_printed(j, o);
    if (refused(j, o)) {
        EXPECT(o->code == 1, "this should be refused, but the exit status is %d: %.200s", o->code,
               o->said);
        EXPECT(!j->outward || o->outside_code == 1, "outsiders get more than a refusal");
        one_line(o);
        nothing_left(o);
        return REFUSED;
    }
    EXPECT(o->code != 1, "refused: %.400s", o->said);
    if (o->code == 2) {
        one_line(o);
        nothing_left(o);
    } else {
        EXPECT(o->there && o->report, "exit status 0 without a %s",
               o->there ? "report" : "release");
        EXPECT(o->left_over == 0, "files are left behind");
        judge_form(j, o);
        judge_defaults(j, o);
    }
    judge_outside(j, o);
    if (j->local)
        judge_local(j, o);
    else
        judge_global(j, o);
    if (o->code == 2)
        return o->problem->missed ? MISSED : INFEASIBLE;
    return j->n ? RELEASED : EMPTY;
}
