/* SPDX-License-Identifier: Apache-2.0 */
/* cut.c -- leaves parts of a job out: rows, columns, settings, so that a failing job becomes smaller; and
 * what follows from other choices. */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns that nobody gives a role. Those are not dropped that the judge or a model needs. */
void
choose_roleless(job *j, chance *c)
{
    j->others = maybe(c, 0.5) ? OTHERS_DROP : OTHERS_KEEP;
    for (int i = 0; i < j->ncolumns; i++) {
        bool needed = i == j->rid || i == j->asked.entity - 1 || i == j->asked.k_column - 1;

        j->columns[i].roleless = j->columns[i].role == INSENSITIVE && maybe(c, 0.5)
                              && !(j->others == OTHERS_DROP && needed);
    }
}

/* Latin-1 has no room for some letters. */
void
fit_latin1(job *j)
{
    for (int i = 0; i < j->ncolumns; i++) {
        const column *c = &j->columns[i];

        for (const char *at = c->header; *at; at++)
            if ((unsigned char) *at > 0xc3)
                j->dialect.latin1 = false;
        for (int r = 0; r < j->n; r++)
            for (const char *at = c->cells[r]; *at; at++)
                if ((unsigned char) *at > 0xc3)
                    j->dialect.latin1 = false;
        if (c->kind >= ORDER)
            j->dialect.latin1 = false; /* labels may hold an ellipsis */
        for (int l = 0; l < c->nlines; l++)
            for (int w = 0; w < c->width; w++)
                for (const char *at = c->lines[l][w]; *at; at++)
                    if ((unsigned char) *at > 0xc3)
                        j->dialect.latin1 = false;
    }
}

/* What follows from other choices; again after each cut. */
void
settle_job(job *j)
{
    bool marks = j->ncolumns < 2;

    while (j->n > 0) { /* a last line without any cell is no row */
        bool any = false;

        for (int i = 0; i < j->ncolumns; i++)
            any |= j->columns[i].cells[j->n - 1][0] != 0;
        if (any)
            break;
        j->n--;
    }
    while (j->npeople > 0) {
        bool any = false;

        for (int i = 0; i < j->m; i++)
            any |= j->people[j->npeople - 1][i][0] != 0;
        if (any)
            break;
        j->npeople--;
    }
    for (int i = 0; i < j->ncolumns; i++)
        for (int r = 0; r < j->n; r++)
            marks |= strpbrk(j->columns[i].cells[r], ",;\t|") != NULL;
    if (marks)
        j->dialect.sniffed = false;
    if (j->n == 0 && j->dialect.no_header)
        j->dialect.empty_end = false; /* lines without a cell could be a table of one column */
    if ((j->fault == RAGGED || j->fault == OPEN_QUOTE) && j->n < 2)
        j->fault = SOUND;
    if (j->fault == NO_ROLE) {
        bool any = false;

        for (int i = 0; i < j->ncolumns; i++)
            any |= j->columns[i].roleless;
        j->fault = any ? NO_ROLE : SOUND;
    }
    if (j->fault == TWO_NAMES
        && (j->ncolumns < 2 || j->dialect.no_header || !*j->columns[0].header))
        j->fault = SOUND;
}

static void
drop_rows(job *j, int from, int to)
{
    for (int i = 0; i < j->ncolumns; i++)
        memmove(j->columns[i].cells + from, j->columns[i].cells + to + 1,
                (size_t) (j->n - to - 1) * sizeof(char *));
    j->n -= to - from + 1;
}

static bool
drop_column(job *j, int at)
{
    if (j->columns[at].role == QUASI && (j->m == 1 || j->npeople))
        return false;
    memmove(j->columns + at, j->columns + at + 1,
            (size_t) (j->ncolumns - at - 1) * sizeof *j->columns);
    j->ncolumns--;
    j->m = 0;
    j->rid = j->rid == at ? -1 : j->rid - (j->rid > at);
    j->label = j->label == at ? -1 : j->label - (j->label > at);
    j->asked.entity = j->asked.entity == at + 1 ? 0 : j->asked.entity - (j->asked.entity > at + 1);
    j->asked.k_column = j->asked.k_column == at + 1
                          ? 0
                          : j->asked.k_column - (j->asked.k_column > at + 1);
    for (int i = 0; i < j->ncolumns; i++) {
        if (j->columns[i].role == QUASI)
            j->quasi[j->m++] = i;
        if (j->label < 0 && j->columns[i].role == SENSITIVE)
            j->label = i;
        if (same(j->columns[i].header, "") || j->dialect.no_header)
            j->columns[i].name = print("column%d", i + 1);
    }
    if (j->label < 0) { /* nothing to be protected */
        asked *a = &j->asked;

        a->l = a->t = a->p = a->alpha = a->beta = a->delta = NULL;
    }
    return true;
}

#define WITHOUT(field, none)                                                                       \
    if ((field) == (none))                                                                         \
        return false;                                                                              \
    (field) = (none);                                                                              \
    return true

static bool
drop_option(job *j, int which)
{
    asked *a = &j->asked;

    switch (which) {
    case 0:
        WITHOUT(a->l, NULL);
    case 1:
        WITHOUT(a->t, NULL);
    case 2:
        WITHOUT(a->p, NULL);
    case 3:
        WITHOUT(a->alpha, NULL);
    case 4:
        WITHOUT(a->beta, NULL);
    case 5:
        WITHOUT(a->delta, NULL);
    case 6:
        WITHOUT(a->entity, 0);
    case 7:
        WITHOUT(a->k_column, 0);
    case 8:
        WITHOUT(a->k_map, NULL);
    case 9:
        WITHOUT(a->presence, NULL);
    case 10:
        if (a->k_map || a->presence)
            return false;
        j->npeople = 0;
        WITHOUT(a->population, false);
    case 11:
        WITHOUT(j->mask, false);
    case 12:
        WITHOUT(j->drop_identifiers, false);
    case 13:
        WITHOUT(j->nparams, 0);
    case 14:
        WITHOUT(j->dialect.crlf, false);
    case 15:
        WITHOUT(j->dialect.bom, false);
    case 16:
        WITHOUT(j->dialect.gzip, false);
    case 17:
        WITHOUT(j->dialect.quote_all, false);
    case 18:
        WITHOUT(j->dialect.latin1, false);
    case 19:
        WITHOUT(j->dialect.sep_line, false);
    case 20:
        WITHOUT(j->dialect.empty_end, false);
    case 21:
        WITHOUT(j->threads, 1);
    case 22: {
        bool any = false;

        for (int i = 0; i < j->ncolumns; i++) {
            any |= j->columns[i].weight != NULL;
            j->columns[i].weight = NULL;
        }
        return any;
    }
    case 23: {
        bool any = false;

        for (int i = 0; i < j->ncolumns; i++) {
            any |= j->columns[i].low || j->columns[i].high >= 0;
            j->columns[i].low = 0;
            j->columns[i].high = -1;
        }
        return any;
    }
    case 24: {
        bool any = false;

        for (int i = 0; i < j->ncolumns; i++) {
            any |= j->columns[i].grid != NULL;
            j->columns[i].grid = NULL;
        }
        return any;
    }
    case 25:
        WITHOUT(j->prints, false);
    case 26:
        WITHOUT(j->outward, false);
    case 27:
        WITHOUT(j->says_header, false);
    case 28:
        WITHOUT(j->has_limit, false);
    case 29:
        if (j->fault == NO_ROLE || !others_of(j))
            return false;
        for (int i = 0; i < j->ncolumns; i++)
            j->columns[i].roleless = false;
        return true;
    case 30:
        WITHOUT(j->quote_formulas, false);
    case 31: {
        bool any = false;

        for (int i = 0; i < j->ncolumns; i++) {
            any |= j->columns[i].own_p || j->columns[i].own_t;
            j->columns[i].own_p = j->columns[i].own_t = NULL;
        }
        return any;
    }
    case 32:
        WITHOUT(j->dash, false);
    default:
        return false;
    }
}

static bool
cut_one(job *j, const char *cut)
{
    int from, to;

    if (sscanf(cut, "r%d-%d", &from, &to) != 2)
        to = from = atoi(cut + 1);
    if (from < 0 || to < from)
        return false;
    if (cut[0] == 'r' && to < j->n) {
        drop_rows(j, from, to);
        return true;
    }
    if (cut[0] == 'c' && from < j->ncolumns)
        return drop_column(j, from);
    if (cut[0] == 'p' && to < j->npeople) {
        memmove(j->people + from, j->people + to + 1,
                (size_t) (j->npeople - to - 1) * sizeof *j->people);
        j->npeople -= to - from + 1;
        return true;
    }
    return cut[0] == 'o' && drop_option(j, from);
}

bool
cut_job(job *j, const char *cut)
{
    bool done = cut_one(j, cut);

    settle_job(j);
    return done;
}
