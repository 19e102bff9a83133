/* SPDX-License-Identifier: Apache-2.0 */
/* engine_growth.h -- the growth curves of bench_engine: rows, quasi-identifiers, levels of a hierarchy. */
#ifndef BENCH_ENGINE_GROWTH_H
#define BENCH_ENGINE_GROWTH_H

#include "engine_sections.h"

enum { GROWTH_NODES = 8, GRID_ROWS = 20000, GRID_NODES = 32 };

typedef struct curve {
    results    *all;
    const char *section;
    double      seconds; /* of a point */
    size_t      nodes;
} curve;

static void
keep_point(const curve *c, const table *t, double x, const char *layout, const char *way,
           const side *s)
{
    figure f = { .section = c->section,
                 .table = t->name,
                 .layout = layout,
                 .kernels = kn_kernels_at(0)->name,
                 .stop = "all",
                 .threads = 1,
                 .nodes = c->nodes,
                 .x = x };

    snprintf(f.way, sizeof f.way, "%s", way);
    print_figure(keep_figure(c->all, f, s, (double) t->view.rows * (double) c->nodes));
}

/* What making the engine took, for as many rows once. */
static void
keep_making(const curve *c, const table *t, double x, const char *layout, double seconds)
{
    side  one = { .repeats = 1, .processor = { seconds } };
    curve once = *c;

    once.nodes = 1;
    keep_point(&once, t, x, layout, "make the engine", &one);
}

/* One point: the engine on rows and on collapsed tuples, and the plain loop where its keys fit. */
static void
measure_point(const curve *c, const table *t, double x)
{
    kn_engine_options options = usual_options();
    counter          *raw = counter_new(t, &options, 1), *collapsed;
    nodes            *set = need(t->ctx, 1, sizeof *set);
    uint8_t           bottom[KN_QUASI_MOST] = { 0 };
    counting         *asked[2];
    plain_loop       *plain;
    side              sides[3] = { { .turn = NULL } };
    bool fits = key_space(kn_engine_coarse(raw->engine), t->lattice.n, bottom) < 0x1p63;

    options.repeats = true;
    collapsed = counter_new(t, &options, 1);
    choose_nodes(t, kn_engine_coarse(raw->engine), 0, 1e300, c->nodes, set);
    asked[0] = counting_new(raw, set);
    asked[1] = counting_new(collapsed, set);
    plain = plain_new(t->ctx, &t->view, set);
    sides[0] = (side){ .turn = count_turn, .user = asked[0] };
    sides[1] = (side){ .turn = count_turn, .user = asked[1] };
    sides[2] = (side){ .turn = plain_turn, .user = plain };
    take_turns(sides, fits ? 3 : 2, c->seconds, 3);
    must_agree("growth", asked[0]->answers, asked[1]->answers, set->count);
    if (fits)
        must_agree("growth", asked[0]->answers, plain->answers, set->count);
    keep_point(c, t, x, "raw", "automatic", &sides[0]);
    keep_point(c, t, x, "collapsed", "automatic", &sides[1]);
    if (fits)
        keep_point(c, t, x, "raw", "straightforward loop", &sides[2]);
    keep_making(c, t, x, "raw", raw->made);
    keep_making(c, t, x, "collapsed", collapsed->made);
    plain_free(plain);
    kn_free(t->ctx, asked[0]);
    kn_free(t->ctx, asked[1]);
    kn_free(t->ctx, set);
    counter_free(raw);
    counter_free(collapsed);
}

/* Sizes up to those of the register that have not been measured as tables of their own. */
static void
growth_of_rows(results *all, const table *people, size_t most, double seconds)
{
    static const size_t sizes[] = { 10000, 30000, 100000, 300000, 1000000, 3000000, 10000000 };
    curve               c = { all, "growth-rows", seconds, GROWTH_NODES };

    print_head("growth with rows", "register, random nodes, the same for all sizes");
    print_figure_head();
    for (size_t i = 0; i < KN_COUNT(sizes) && sizes[i] <= most; i++) {
        table *part = table_prefix(people, "register", sizes[i]);

        measure_point(&c, part, (double) sizes[i]);
        table_free(part);
    }
}

/* The largest table was counted at the same nodes: its figures are the last points of the curve. */
static void
copy_points(results *all, const table *t)
{
    size_t count = all->nfigures;

    for (size_t i = 0; i < count; i++) {
        figure f = all->figures[i];
        bool   made = strcmp(f.section, "make") == 0;

        if (strcmp(f.table, t->name) != 0 || !(made || strcmp(f.section, "ways") == 0)
            || (!made && strcmp(f.way, "automatic") != 0
                && (strcmp(f.way, "straightforward loop") != 0 || strcmp(f.layout, "raw") != 0)))
            continue;
        if (all->nfigures == FIGURES_MOST)
            die(t->ctx, "too many figures");
        f.section = "growth-rows";
        f.x = (double) t->view.rows;
        if (made)
            snprintf(f.way, sizeof f.way, "make the engine");
        all->figures[all->nfigures++] = f;
    }
}

static void
growth_of_columns(results *all, kanon_ctx *ctx, double seconds)
{
    static const size_t counts[] = { 2, 4, 8, 15, 30, 60 };
    curve               c = { all, "growth-quasi", seconds, GRID_NODES };

    print_head("growth with quasi-identifiers", "20,000 rows, 8 values and 3 levels a column");
    print_figure_head();
    for (size_t i = 0; i < KN_COUNT(counts); i++) {
        grid_shape shape = { GRID_ROWS, counts[i], 8, 3 };
        table     *t = make_grid(ctx, "grid", &shape);

        measure_point(&c, t, (double) counts[i]);
        table_free(t);
    }
}

static void
growth_of_levels(results *all, kanon_ctx *ctx, double seconds)
{
    static const size_t counts[] = { 2, 4, 8, 16, 32, 64 };
    curve               c = { all, "growth-levels", seconds, GRID_NODES };

    print_head("growth with levels", "20,000 rows, 8 quasi-identifiers of 64 values");
    print_figure_head();
    for (size_t i = 0; i < KN_COUNT(counts); i++) {
        grid_shape shape = { GRID_ROWS, 8, 64, counts[i] };
        table     *t = make_grid(ctx, "grid", &shape);

        measure_point(&c, t, (double) counts[i]);
        table_free(t);
    }
}

#endif
