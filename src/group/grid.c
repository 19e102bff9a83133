/* SPDX-License-Identifier: Apache-2.0 */
/* grid.c -- round ends for intervals. A grid does not follow the values, so an end tells nothing of any of
 * them. Where a round number happens to be the value of a few people, the end moves on by whole steps: no
 * released text repeats it, and no end stands beside the grid, which would name what it avoids. Suppressed
 * rows have no say in it: a release that followed them would give them away.
 * Cost: O(numbers * log(span)) to choose, O(log(numbers)) an end. */
#include "group/grid.h"

#include "encode/scaled.h"

/* A grid has at least 20 steps, and 50 where a step still is 5 units: an end on such a step is the value that
 * it hides in one case of five, by chance. */
enum { STEPS_LEAST = 20, STEPS_WANTED = 50, UNITS_WANTED = 5, MOVES_MOST = 4 };

static int64_t
choose_width(const kn_held *numbers, size_t count, int64_t span)
{
    int64_t unit = kn_round_resolution(numbers, count, span), width = 1;

    while (width < 2 * unit || kn_round_next(width) <= span / STEPS_WANTED
           || (width < UNITS_WANTED * unit && kn_round_next(width) <= span / STEPS_LEAST))
        width = kn_round_next(width);
    return width;
}

static bool
is_rare(const kn_grid *grid, int64_t value)
{
    size_t low = 0, high = grid->nrare;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (grid->rare[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < grid->nrare && grid->rare[low] == value;
}

/* Moves an end outwards, step by step, while it is rare. @return whether it may be shown now */
static bool
move(const kn_grid *grid, int64_t *end, int64_t direction)
{
    for (int moved = 0; is_rare(grid, *end) && moved < MOVES_MOST; moved++)
        *end += direction * grid->width;
    return !is_rare(grid, *end);
}

static bool
snap(const kn_grid *grid, int64_t low, int64_t high, int64_t *from, int64_t *to)
{
    int64_t w = grid->width, s = grid->shift;

    *from = kn_floor_div(low + s, w) * w - s;
    *to = (kn_floor_div(high + s, w) + 1) * w - s - !grid->open;
    return !grid->nrare || (move(grid, from, -1) && move(grid, to, 1));
}

void
kn_grid_snap(const kn_grid *grid, int64_t low, int64_t high, int64_t *from, int64_t *to)
{
    snap(grid, low, high, from, to);
}

/* Does every end find a place on the grid? */
static bool
has_room(const kn_grid *grid, int64_t least, int64_t most)
{
    int64_t from, to;

    for (int64_t value = least; value < most + grid->width; value += grid->width)
        if (!snap(grid, value, value, &from, &to))
            return false;
    return true;
}

kanon_status
kn_grid_choose(kanon_ctx *ctx, const kn_held *numbers, size_t count, uint64_t k, kn_grid *grid,
               bool *fits)
{
    int64_t least = INT64_MAX, most = INT64_MIN;

    *fits = true;
    grid->width = 2;
    grid->rare = KN_NEW_ARRAY(ctx, int64_t, count);
    if (!grid->rare)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        if (numbers[i].rows) {
            if (numbers[i].rows < k)
                grid->rare[grid->nrare++] = numbers[i].value;
            least = numbers[i].value < least ? numbers[i].value : least;
            most = numbers[i].value > most ? numbers[i].value : most;
        }
    }
    if (least > most)
        return KANON_OK; /* nothing but missing values is released */
    grid->width = choose_width(numbers, count, most - least);
    *fits = has_room(grid, least, most);
    return KANON_OK;
}

void
kn_grid_between(kn_grid *grid)
{
    grid->width *= 10;
    grid->shift = 5;
    grid->open = true;
    grid->nrare = 0;
}

void
kn_grid_fini(kanon_ctx *ctx, kn_grid *grid)
{
    kn_free(ctx, grid->rare);
    *grid = (kn_grid){ 0 };
}
