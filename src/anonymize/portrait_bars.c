/* SPDX-License-Identifier: Apache-2.0 */
/* portrait_bars.c -- the values and groups of a column as a few bars: the most frequent ones by name, the
 * others together, and those that fewer than k rows hold never by name. */
#include "anonymize/portrait_bars.h"

#include <math.h>

/* Few rows or a small difference say nothing: a group is flagged when it lost twice the usual share at least,
 * and more than chance explains (three standard deviations). */
static bool
stands_out(uint64_t rows, uint64_t lost, double usual)
{
    double expected = (double) rows * usual;

    return lost >= 5 && (double) lost >= 2 * expected
        && (double) lost > expected + 3 * sqrt(expected * (1 - usual));
}

static bool
before_other(const kn_bars_source *source, const kn_bar_source *a, const kn_bar_source *b)
{
    if (source->by_share && a->flagged != b->flagged)
        return a->flagged;
    return a->rows > b->rows || (a->rows == b->rows && a->index < b->index);
}

/* Puts a bar into the list of the best so far, which stays sorted; the last one may fall out. */
static void
insert(const kn_bars_source *source, kn_bar_source *best, size_t *count, kn_bar_source bar)
{
    size_t at = *count;

    while (at > 0 && before_other(source, &bar, &best[at - 1]))
        at--;
    if (at == source->most)
        return;
    if (*count < source->most)
        ++*count;
    memmove(&best[at + 1], &best[at], (*count - at - 1) * sizeof *best);
    best[at] = bar;
}

static double
share_lost(const kn_bar_source *bar)
{
    return bar->rows ? (double) bar->lost / (double) bar->rows : 0;
}

/* In the order in which they are shown: along the axis, or the most affected first, or as they are. */
static void
arrange(const kn_bars_source *source, kn_bar_source *best, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            const kn_bar_source *a = &best[j - 1], *b = &best[j];
            bool swap = source->by_axis ? b->axis < a->axis || (isnan(a->axis) && !isnan(b->axis))
                                        : source->by_share && share_lost(b) > share_lost(a);
            kn_bar_source kept = *a;

            if (!swap)
                break;
            best[j - 1] = best[j];
            best[j] = kept;
        }
}

static kanon_status
keep(kn_portrayed *s, const kn_bars_source *source, const kn_bar_source *best, kn_bars *out)
{
    out->of = kn_arena_alloc(&s->r->arena, (out->count + 1) * sizeof *out->of);
    if (!out->of)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < out->count; i++) {
        const char *label = kn_arena_text(&s->r->arena, source->label(source->user, best[i].index));

        if (!label)
            return KANON_E_NOMEM;
        out->of[i] = (kn_bar){ label, best[i].rows, best[i].lost, best[i].flagged };
    }
    return KANON_OK;
}

kanon_status
kn_bars_pick(kn_portrayed *s, kn_bars_source *source, kn_bars *out)
{
    kn_bar_source best[KN_PORTRAIT_AXIS + 1] = { 0 };
    uint64_t      named = 0, rows = 0, lost = 0, all = 0, all_lost = 0, there = 0;
    double        usual;

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < source->count; i++) {
        all += source->rows[i];
        all_lost += source->lost ? source->lost[i] : 0;
        there += source->rows[i] > 0;
    }
    source->most = source->by_axis && there <= KN_PORTRAIT_AXIS ? KN_PORTRAIT_AXIS
                                                                : KN_PORTRAIT_BARS;
    usual = all ? (double) all_lost / (double) all : 0;
    for (size_t i = 0; i < source->count; i++) {
        kn_bar_source bar = { i, source->rows[i], source->lost ? source->lost[i] : 0,
                              source->axis ? source->axis[i] : (double) NAN, false };

        if (!bar.rows)
            continue;
        if (bar.rows < s->k) {
            out->rare++;
            out->rare_rows += bar.rows;
            continue;
        }
        bar.flagged = stands_out(bar.rows, bar.lost, usual);
        named++;
        rows += bar.rows;
        lost += bar.lost;
        insert(source, best, &out->count, bar);
    }
    for (size_t i = 0; i < out->count; i++) {
        rows -= best[i].rows;
        lost -= best[i].lost;
    }
    out->others = named - out->count;
    out->other_rows = rows;
    out->other_lost = lost;
    arrange(source, best, out->count);
    return keep(s, source, best, out);
}
