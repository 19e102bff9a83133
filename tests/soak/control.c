/* SPDX-License-Identifier: Apache-2.0 */
/* control.c -- draws what a job says about single columns. */
#include "soak.h"

void
some_weights(job *j, chance *c)
{
    bool above = false;

    if (maybe(c, 0.7))
        return;
    for (int i = 0; i < j->ncolumns; i++)
        if (j->columns[i].role == QUASI && maybe(c, 0.6))
            j->columns[i].weight = copy(ONE_OF(c, "0", "0.5", "1", "2", "3.25", "10", "0.01"));
    for (int i = 0; i < j->ncolumns; i++)
        if (j->columns[i].role == QUASI)
            above |= !j->columns[i].weight || !same(j->columns[i].weight, "0");
    for (int i = 0; i < j->ncolumns && !above; i++)
        if (j->columns[i].role == QUASI)
            j->columns[i].weight = NULL;
}

/* Limits of privacy models for one sensitive column, beside those of all. */
void
some_own(job *j, chance *c)
{
    for (int i = 0; i < j->ncolumns; i++) {
        column *s = &j->columns[i];

        if (s->role != SENSITIVE || maybe(c, 0.8))
            continue;
        if (maybe(c, 0.6))
            s->own_p = copy(ONE_OF(c, "2", "2", "3", "off"));
        if (maybe(c, 0.6))
            s->own_t = copy(ONE_OF(c, "0.1", "0.3", "0.6", "off"));
    }
}

/* Every hierarchy has the levels 0 and 1, but a file of one column. Classes of local recoding have no
 * level. */
void
some_limits(job *j, chance *c)
{
    if (j->local || !j->n || maybe(c, 0.8))
        return;
    for (int i = 0; i < j->ncolumns; i++) {
        column *q = &j->columns[i];

        if (q->role != QUASI || (q->file && q->width < 2) || maybe(c, 0.6))
            continue;
        q->low = draw(c, 0, 1);
        q->high = maybe(c, 0.5) ? 1 : -1;
        if (q->high == 1 && maybe(c, 0.3))
            q->low = q->high = draw(c, 0, 1);
    }
}
