/* SPDX-License-Identifier: Apache-2.0 */
/* engine_measure.h -- how bench_engine measures: sides that take turns, medians of the turns, figures and
 * ratios kept for the table and the JSON. One thread is timed by the processor's time of this process (others
 * at work on the machine do not count), several threads by the clock. A ratio is the median of the ratios
 * within a turn, so that a machine that grows slower is unfair to both sides alike. */
#ifndef BENCH_ENGINE_MEASURE_H
#define BENCH_ENGINE_MEASURE_H

#include <time.h>

#include "engine_tables.h"

enum { REPEATS_MOST = 25, FIGURES_MOST = 600, RATIOS_MOST = 120 };

typedef struct side {
    void (*turn)(void *user);
    void  *user;
    bool   by_clock; /* compared with others by the clock */
    size_t repeats;
    double clock[REPEATS_MOST];
    double processor[REPEATS_MOST]; /* of all threads */
} side;

/* One measured thing: nanoseconds per row (of the raw table) and node, unless the unit says otherwise. */
typedef struct figure {
    const char *section, *table, *layout, *kernels, *stop, *unit;
    char        way[40];
    unsigned    threads;
    size_t      nodes, repeats;
    double      x; /* of a growth curve */
    double      value, best, per_tuple;
} figure;

typedef struct ratio {
    char   name[120];
    double value, low, high; /* median, least, greatest turn */
    double aim;              /* 0: none */
    bool   at_most;          /* else at least */
} ratio;

typedef struct results {
    figure figures[FIGURES_MOST];
    size_t nfigures;
    ratio  ratios[RATIOS_MOST];
    size_t nratios;
} results;

/* --- time -------------------------------------------------------------------------------------------- */

static double
processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static int
compare_doubles(const void *a, const void *b)
{
    double one = *(const double *) a, other = *(const double *) b;

    return (one > other) - (one < other);
}

static double
median(const double *values, size_t count)
{
    double sorted[REPEATS_MOST];

    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static double
least(const double *values, size_t count)
{
    double found = values[0];

    for (size_t i = 1; i < count; i++)
        found = values[i] < found ? values[i] : found;
    return found;
}

static void
time_turn(side *s)
{
    double clock = kn_seconds(), processor = processor_seconds();

    s->turn(s->user);
    if (s->repeats < REPEATS_MOST) {
        s->processor[s->repeats] = processor_seconds() - processor;
        s->clock[s->repeats++] = kn_seconds() - clock;
    }
}

/* One turn each to warm up, then as many as fit into the time, at least so many. The one that begins
 * changes. */
static void
take_turns(side *sides, size_t count, double seconds, size_t repeats_least)
{
    double start, round;

    for (size_t i = 0; i < count; i++)
        sides[i].turn(sides[i].user);
    start = kn_seconds();
    for (size_t repeat = 0; repeat < REPEATS_MOST; repeat++) {
        for (size_t i = 0; i < count; i++)
            time_turn(&sides[(i + repeat) % count]);
        round = (kn_seconds() - start) / (double) (repeat + 1);
        if (repeat + 1 >= repeats_least && kn_seconds() - start + round > seconds)
            break;
    }
}

/* --- keeping ----------------------------------------------------------------------------------------- */

/* The rest of the figure is filled in already; `units` rows (of all nodes together) were done a turn. */
static figure *
keep_figure(results *all, figure f, const side *s, double units)
{
    const double *seconds = f.threads > 1 ? s->clock : s->processor;

    if (all->nfigures == FIGURES_MOST)
        die(NULL, "too many figures");
    f.repeats = s->repeats;
    f.value = median(seconds, s->repeats) / units * 1e9;
    f.best = least(seconds, s->repeats) / units * 1e9;
    f.unit = f.unit ? f.unit : "ns/row/node";
    all->figures[all->nfigures] = f;
    return &all->figures[all->nfigures++];
}

static ratio *
keep_ratio(results *all, const char *name, double value, double aim, bool at_most)
{
    ratio *r = &all->ratios[all->nratios];

    if (all->nratios == RATIOS_MOST)
        die(NULL, "too many ratios");
    *r = (ratio){ .value = value, .low = value, .high = value, .aim = aim, .at_most = at_most };
    snprintf(r->name, sizeof r->name, "%s", name);
    all->nratios++;
    return r;
}

/* How many times faster b is than a. */
static ratio *
keep_times(results *all, const char *name, const side *a, const side *b, double aim)
{
    double turns[REPEATS_MOST];
    ratio *r;

    for (size_t i = 0; i < a->repeats; i++)
        turns[i] = a->by_clock ? a->clock[i] / b->clock[i] : a->processor[i] / b->processor[i];
    r = keep_ratio(all, name, median(turns, a->repeats), aim, false);
    r->low = least(turns, a->repeats);
    for (size_t i = 0; i < a->repeats; i++)
        r->high = turns[i] > r->high ? turns[i] : r->high;
    return r;
}

static const char *
judge(const ratio *r)
{
    if (r->aim <= 0)
        return "";
    return (r->at_most ? r->value <= r->aim : r->value >= r->aim) ? "met" : "missed";
}

/* --- printing ---------------------------------------------------------------------------------------- */

static void
print_head(const char *title, const char *says)
{
    printf("\n== %s\n", title);
    if (says)
        printf("   %s\n", says);
}

static void
print_figure_head(void)
{
    printf("   %-10s %-9s %-27s %-7s %2s %-5s %5s %3s %10s %10s %10s\n", "table", "layout", "way",
           "kernels", "th", "stop", "nodes", "n", "ns/row", "best", "ns/tuple");
}

static void
print_figure(const figure *f)
{
    printf("   %-10s %-9s %-27s %-7s %2u %-5s %5zu %3zu %10.3f %10.3f", f->table, f->layout, f->way,
           f->kernels, f->threads, f->stop, f->nodes, f->repeats, f->value, f->best);
    if (f->per_tuple > 0)
        printf(" %10.3f", f->per_tuple);
    if (f->x > 0)
        printf("  at %.0f", f->x);
    printf("\n");
    fflush(stdout);
}

static void
print_ratio(const ratio *r)
{
    printf("   %-64s %8.2f", r->name, r->value);
    if (r->low < r->high)
        printf("  (%.2f .. %.2f)", r->low, r->high);
    if (r->aim > 0)
        printf("  aim %s %g: %s", r->at_most ? "<=" : ">=", r->aim, judge(r));
    printf("\n");
    fflush(stdout);
}

static void
write_json(const results *all, FILE *file, const char *about)
{
    fprintf(file, "{%s,\n \"figures\": [\n", about);
    for (size_t i = 0; i < all->nfigures; i++) {
        const figure *f = &all->figures[i];

        fprintf(
            file,
            "  {\"section\": \"%s\", \"table\": \"%s\", \"layout\": \"%s\", \"way\": \"%s\", "
            "\"kernels\": \"%s\", \"threads\": %u, \"stop\": \"%s\", \"nodes\": %zu, "
            "\"repeats\": %zu, \"x\": %.10g, \"unit\": \"%s\", \"value\": %.6g, \"best\": %.6g, "
            "\"ns_per_tuple\": %.6g}%s\n",
            f->section, f->table, f->layout, f->way, f->kernels, f->threads, f->stop, f->nodes,
            f->repeats, f->x, f->unit, f->value, f->best, f->per_tuple,
            i + 1 < all->nfigures ? "," : "");
    }
    fprintf(file, " ],\n \"ratios\": [\n");
    for (size_t i = 0; i < all->nratios; i++) {
        const ratio *r = &all->ratios[i];

        fprintf(file, "  {\"name\": \"%s\", \"value\": %.6g, \"least\": %.6g, \"most\": %.6g",
                r->name, r->value, r->low, r->high);
        if (r->aim > 0)
            fprintf(file, ", \"aim\": \"%s %g\", \"result\": \"%s\"",
                    r->at_most ? "<=" : ">=", r->aim, judge(r));
        fprintf(file, "}%s\n", i + 1 < all->nratios ? "," : "");
    }
    fprintf(file, " ]}\n");
}

#endif
