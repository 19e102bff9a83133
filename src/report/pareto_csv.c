/* SPDX-License-Identifier: Apache-2.0 */
/* pareto_csv.c -- a front as a table: a line for each point, its values first, then its levels. */
#include "report/front.h"

/* A name that holds a comma, a quote or a line end goes into quotes. */
static void
put_cell(kn_text *text, const char *prefix, const char *name)
{
    bool quoted = strpbrk(name, ",\"\r\n") != NULL;

    kn_text_addf(text, ",%s%s", quoted ? "\"" : "", prefix);
    for (const char *c = name; *c; c++)
        kn_text_addf(text, *c == '"' ? "\"%c" : "%c", *c);
    kn_text_addz(text, quoted ? "\"" : "");
}

void
kn_front_csv(kn_text *text, const kanon_front *f)
{
    kn_text_addz(text, "pick");
    for (size_t i = 0; i < f->nobjectives; i++)
        put_cell(text, "", f->objectives[i].name);
    kn_text_addz(text, ",knee,released_k,classes,suppressed_rows");
    for (size_t i = 0; i < f->ncolumns; i++)
        put_cell(text, "level:", f->columns[i].name);
    kn_text_addz(text, "\n");
    for (size_t p = 0; p < f->npoints; p++) {
        const kn_front_point *point = &f->points[p];

        kn_text_addf(text, "%zu", p + 1);
        for (size_t i = 0; i < f->nobjectives; i++) {
            kn_text_addz(text, ",");
            kn_json_put_double(text, point->values[i]);
        }
        kn_text_addf(text, ",%d,%llu,%llu,%llu", p == f->knee, (unsigned long long) point->k,
                     (unsigned long long) point->classes, (unsigned long long) point->suppressed);
        for (size_t i = 0; i < f->ncolumns; i++)
            kn_text_addf(text, ",%u", point->levels[i]);
        kn_text_addz(text, "\n");
    }
}
