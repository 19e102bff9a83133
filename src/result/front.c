/* SPDX-License-Identifier: Apache-2.0 */
/* front.c -- a front as a program reads it: life and accessors. */
#include "result/front.h"

size_t
kanon_front_count(const kanon_front *front)
{
    return front->npoints;
}

int
kanon_front_exact(const kanon_front *front)
{
    return front->exact;
}

kanon_status
kanon_front_value(const kanon_front *front, size_t point, const char *objective, double *out)
{
    if (!objective || !out)
        return kn_fail(front->ctx, KANON_E_INVALID, "objective and out are required");
    if (point >= front->npoints)
        return kn_fail(front->ctx, KANON_E_INVALID, "there is no point %zu; expected 0 to %zu",
                       point, front->npoints ? front->npoints - 1 : 0);
    for (size_t i = 0; i < front->nobjectives; i++)
        if (strcmp(front->objectives[i].name, objective) == 0) {
            *out = front->points[point].values[i];
            return KANON_OK;
        }
    return kn_fail(front->ctx, KANON_E_INVALID, "'%s' is not an objective of this front",
                   objective);
}

int
kanon_front_level(const kanon_front *front, size_t point, const char *column)
{
    for (size_t i = 0; column && point < front->npoints && i < front->ncolumns; i++)
        if (strcmp(front->columns[i].name, column) == 0)
            return front->points[point].levels[i];
    return -1;
}
