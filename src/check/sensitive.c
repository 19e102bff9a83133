/* SPDX-License-Identifier: Apache-2.0 */
/* sensitive.c -- l and t of a table: how varied the sensitive values of each class are, and how
 * far they stand from those of the whole table. One pass over the tuples per column; only the values
 * that a class holds are touched. */
#include <math.h>

#include "check/checked.h"
#include "measure/measure.h"

typedef struct counter {
    uint64_t *whole;   /* [values] rows of the table that hold each value */
    uint64_t *here;    /* [values] the same within the class at hand */
    uint32_t *touched; /* [values] what the class holds */
    size_t    ntouched;
} counter;

static kanon_status
counter_init(counter *counts, const kn_check_table *table, size_t column)
{
    size_t values = kn_dict_count(table->columns[column].dict);

    counts->whole = KN_NEW_ARRAY(table->ctx, uint64_t, values);
    counts->here = KN_NEW_ARRAY(table->ctx, uint64_t, values);
    counts->touched = KN_NEW_ARRAY(table->ctx, uint32_t, values);
    if (!counts->whole || !counts->here || !counts->touched)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < kn_tuples_count(table->tuples); i++)
        counts->whole[kn_tuples_code(table->tuples, i, column)] += kn_tuples_weight(table->tuples,
                                                                                    i);
    return KANON_OK;
}

static void
counter_fini(counter *counts, kanon_ctx *ctx)
{
    kn_free(ctx, counts->whole);
    kn_free(ctx, counts->here);
    kn_free(ctx, counts->touched);
}

/* Half the L1 distance between two distributions is the sum of where the first exceeds the second, and
 * a class can exceed the table only in values that it holds. */
static void
measure_class(const counter *counts, uint64_t class_rows, uint64_t table_rows,
              kn_check_sensitive *s)
{
    double entropy = 0, t = 0, l;

    for (size_t i = 0; i < counts->ntouched; i++) {
        uint32_t value = counts->touched[i];
        double   here = (double) counts->here[value] / (double) class_rows;
        double   whole = (double) counts->whole[value] / (double) table_rows;

        entropy -= here * log(here);
        if (here > whole)
            t += here - whole;
        if (here >= KN_GUESSED && whole < KN_GUESSED)
            s->guessed_rows += class_rows;
        if (here > s->max_ratio * whole)
            s->max_ratio = here / whole;
    }
    l = exp(entropy);
    if (counts->ntouched == 1) {
        s->homogeneous_classes++;
        s->homogeneous_rows += class_rows;
    }
    if (!s->l || counts->ntouched < s->l)
        s->l = counts->ntouched;
    if (s->entropy_l <= 0 || l < s->entropy_l)
        s->entropy_l = l;
    if (t > s->t)
        s->t = t < 1 ? t : 1; /* the sum may be off by a rounding */
}

static kanon_status
measure_column(const kn_check_table *table, size_t column, kn_check_sensitive *s)
{
    kanon_status rc = KANON_OK;
    counter      counts = { 0 };
    size_t       end = kn_tuples_count(table->tuples);

    KN_TRY(counter_init(&counts, table, column));
    s->distinct = kn_dict_count(table->columns[column].dict);
    for (size_t v = 0; v < s->distinct; v++)
        s->unique_rows += counts.whole[v] == 1;
    for (size_t c = 0; c < table->nclasses; c++) {
        size_t last = c + 1 < table->nclasses ? table->classes[c + 1].tuple : end;

        counts.ntouched = 0;
        for (size_t i = table->classes[c].tuple; i < last; i++) {
            uint32_t value = kn_tuples_code(table->tuples, i, column);

            if (!counts.here[value])
                counts.touched[counts.ntouched++] = value;
            counts.here[value] += kn_tuples_weight(table->tuples, i);
        }
        measure_class(&counts, table->classes[c].rows, kn_tuples_rows(table->tuples), s);
        for (size_t i = 0; i < counts.ntouched; i++)
            counts.here[counts.touched[i]] = 0;
    }
out:
    counter_fini(&counts, table->ctx);
    return rc;
}

kanon_status
kn_check_measure_sensitive(const kn_check_table *table, kanon_check *check)
{
    kanon_status rc;
    size_t       count = table->nsensitive;

    check->sensitive = kn_arena_alloc(&check->arena, count * sizeof *check->sensitive);
    if (!check->sensitive)
        return KANON_E_NOMEM;
    memset(check->sensitive, 0, count * sizeof *check->sensitive);
    check->nsensitive = count;
    for (size_t i = 0; i < count; i++) {
        size_t column = table->nquasi + i;

        check->sensitive[i].name = kn_arena_text(&check->arena,
                                                 kn_str_of(table->columns[column].name));
        if (!check->sensitive[i].name)
            return KANON_E_NOMEM;
        rc = measure_column(table, column, &check->sensitive[i]);
        if (rc < 0)
            return rc;
    }
    return KANON_OK;
}
