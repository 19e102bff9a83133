/* SPDX-License-Identifier: Apache-2.0 */
/* spoil.c -- changes what the tool made in ways that a judge must notice. */
#include "soak.h"

#include <math.h>
#include <string.h>

static int
some_row(const job *j, const outcome *o, chance *c)
{
    int first = !j->dialect.no_header;

    return o->file.count > first ? draw(c, first, o->file.count - 1) : -1;
}

static int
column_of_role(const job *j, bool quasi, chance *c)
{
    int columns[COLS_MOST], count = released_columns(j, columns), from = draw(c, 0, count - 1);

    for (int i = 0; i < count; i++)
        if ((j->columns[columns[(from + i) % count]].role == QUASI) == quasi)
            return (from + i) % count;
    return -1;
}

static const char *
spoil_cell(const job *j, outcome *o, bool quasi, chance *c)
{
    int row = some_row(j, o, c), at = column_of_role(j, quasi, c);

    if (row < 0 || at < 0)
        return NULL;
    o->file.rows[row] = memcpy(take(COLS_MOST * sizeof(char *)), o->file.rows[row],
                               (size_t) o->file.widths[row] * sizeof(char *));
    o->file.rows[row][at] = print("%sz", o->file.rows[row][at]);
    return quasi ? "a quasi-identifier of one row" : "another cell of one row";
}

static const char *
spoil_rows(const job *j, outcome *o, bool more, chance *c)
{
    int row = some_row(j, o, c);

    if (row < 0)
        return NULL;
    if (more) {
        o->file.rows[o->file.count] = o->file.rows[row];
        o->file.widths[o->file.count++] = o->file.widths[row];
        return "a row twice";
    }
    o->file.count--;
    memmove(o->file.rows + row, o->file.rows + row + 1,
            (size_t) (o->file.count - row) * sizeof *o->file.rows);
    return "a row less";
}

/* Exchanges the quasi-identifiers of two rows that differ in them. */
static const char *
spoil_exchange(const job *j, outcome *o, chance *c)
{
    int a = some_row(j, o, c), b = some_row(j, o, c), columns[COLS_MOST],
        count = released_columns(j, columns);
    char **one, **two;
    bool   differ = false, others = false;

    if (a < 0 || a == b || j->rid < 0
        || j->local) /* local: rows that are alike can be in either class */
        return NULL;
    one = memcpy(take(COLS_MOST * sizeof(char *)), o->file.rows[a],
                 (size_t) count * sizeof(char *));
    two = memcpy(take(COLS_MOST * sizeof(char *)), o->file.rows[b],
                 (size_t) count * sizeof(char *));
    for (int i = 0; i < count; i++)
        if (j->columns[columns[i]].role == QUASI) {
            char *kept = one[i];

            differ |= !same(one[i], two[i]);
            one[i] = two[i];
            two[i] = kept;
        } else
            others |= !same(one[i], two[i]);
    if (!differ || !others)
        return NULL;
    o->file.rows[a] = one;
    o->file.rows[b] = two;
    return "two rows exchanged";
}

static const char *
spoil_number(json *of, const char *key, const char *what)
{
    json *number = of ? find(of, key) : NULL;

    if (!number || number->type != J_NUMBER)
        return NULL;
    number->number += 1e-7L * fmaxl(1, fabsl(number->number));
    return what;
}

static const char *
spoil_report(const job *j, outcome *o, int how, chance *c)
{
    static const char *const local_metrics[] = { "los", "dm", "c_avg" };
    json                    *search = find(o->report, "search"),
         *models = find(find(o->report, "parameters"), "models");
    bool masked = find(find(o->report, "solution"), "masked_rows")->number > 0;

    if (j->n == 0 || (j->local && j->rid < 0))
        return NULL;
    switch (how) {
    case 6:
        return spoil_number(find(o->report, "metrics"),
                            j->local ? local_metrics[draw(c, 0, 2)]
                                     : metric_names[draw(c, 0, METRICS - 1)],
                            "a metric");
    case 7:
        return spoil_number(find(o->report, "solution"), "suppressed_rows", "the suppressed rows");
    case 8:
        return spoil_number(find(o->report, "solution"), "classes", "the number of classes");
    case 9:
        return j->local ? NULL
                        : spoil_number(find(o->report, "attributes")->first, "glm",
                                       "the loss of a column");
    case 10:
        return masked ? NULL : spoil_number(find(o->report, "risk"), "prosecutor_mean", "the risk");
    case 11:
        return spoil_number(models ? models->first : NULL, "reached", "what a model reaches");
    default:
        break;
    }
    search = find(search, "lower_bound");
    if (!search || search->type != J_NUMBER)
        return NULL;
    search->number += 1e9L;
    return "the lower bound";
}

const char *
spoil(const job *j, outcome *o, int how, chance *c)
{
    if (o->code != 0)
        return NULL;
    switch (how) {
    case 0:
        return spoil_cell(j, o, true, c);
    case 1:
        return spoil_cell(j, o, false, c);
    case 2:
        return spoil_rows(j, o, false, c);
    case 3:
        return spoil_rows(j, o, true, c);
    case 4:
        return spoil_exchange(j, o, c);
    case 5:
        if (j->dialect.no_header)
            return NULL;
        o->file.rows[0][0] = print("%sx", o->file.rows[0][0]);
        return "the name of a column";
    case 13:
        o->bom = !o->bom;
        return "the byte-order mark";
    case 14:
        if (o->file.count == 0)
            return NULL;
        o->bare_lf = o->crlf = true;
        return "the line ends";
    case 16:
        return spoil_number(find(o->shown, "solution"), "released_rows", "what was printed");
    case 17:
        return spoil_number(find(o->outside, "solution"), c->state & 1 ? "k" : "information_lost",
                            "the external report");
    case 18:
        if (!o->outside || !find(o->outside, "columns") || !j->n
            || same(j->columns[0].cells[0], "none")) /* a role, too */
            return NULL;
        find(find(o->outside, "columns")->first, "role")->text = j->columns[0].cells[0];
        return "a value of the table in the external report";
    case 19:
        if (!o->outside)
            return NULL;
        o->outside_same = false;
        return "the release of a job for outsiders";
    case 15:
        o->code = 2;
        o->there = false;
        o->report = NULL;
        o->said = copy("kanon: nothing is feasible\n");
        return "the exit status";
    default:
        return spoil_report(j, o, how, c);
    }
}
