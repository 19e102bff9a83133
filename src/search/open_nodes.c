/* SPDX-License-Identifier: Apache-2.0 */
/* open_nodes.c -- a bit for each node of a lattice. The inner axes are those whose sizes multiply to most
 * within 64; the others count words. Cost of a question about a box: its words, not its nodes. */
#include "search/open_nodes.h"

/* A gain need not be exact, and closing what is too lossy is only a help: both stop at so much work. */
enum { GAIN_WORDS = 512, LOSSY_WORDS = 1 << 15 };

static unsigned
size_of(const kn_lattice *l, size_t quasi)
{
    return (unsigned) l->top[quasi] - l->floor[quasi] + 1u;
}

/* The axes whose sizes multiply to the most within a word. came[p]: the last axis of a set with product p,
 * and before[p] the product without it. @return the product */
static size_t
choose_inner(const kn_lattice *l, bool *inner)
{
    size_t came[KN_OPEN_BITS + 1] = { 0 }, before[KN_OPEN_BITS + 1] = { 0 };
    size_t most = KN_OPEN_BITS;

    before[1] = 1; /* 0: no set has this product */
    for (size_t i = 0; i < l->n; i++) {
        size_t size = size_of(l, i);

        for (size_t p = KN_OPEN_BITS; size > 1 && p >= size; p--)
            if (p % size == 0 && before[p] == 0 && before[p / size] != 0) {
                came[p] = i;
                before[p] = p / size;
            }
    }
    while (before[most] == 0)
        most--;
    for (size_t i = 0; inner && i < l->n; i++)
        inner[i] = false;
    for (size_t p = most; inner && p > 1; p = before[p])
        inner[came[p]] = true;
    return most;
}

size_t
kn_open_words(const kn_lattice *l)
{
    double words = kn_lattice_nodes(l->n, l->floor, l->top) / (double) choose_inner(l, NULL);

    return words < 1e15 ? (size_t) (words + 0.5) : SIZE_MAX;
}

/* --- places --------------------------------------------------------------------------------------------- */

static unsigned
above_floor(const kn_open_nodes *o, const kn_open_axis *axis, const uint8_t *node)
{
    return (unsigned) node[axis->quasi] - o->lattice->floor[axis->quasi];
}

static size_t
place_of(const kn_open_nodes *o, const uint8_t *node, unsigned *bit)
{
    size_t word = 0, inner = 0;

    for (size_t a = 0; a < o->naxes; a++)
        *(a < o->ninner ? &inner : &word) += above_floor(o, &o->axes[a], node) * o->axes[a].step;
    *bit = (unsigned) inner;
    return word;
}

/* The words that hold what is below a node, one after the other. */
typedef struct below {
    size_t   word;
    uint64_t mask; /* the bits in each of them */
    size_t   at[KN_QUASI_MOST], most[KN_QUASI_MOST];
} below;

static void
begin_below(const kn_open_nodes *o, const uint8_t *node, below *b)
{
    b->word = 0;
    b->mask = ~UINT64_C(0);
    for (size_t a = 0; a < o->ninner; a++)
        b->mask &= o->axes[a].most[above_floor(o, &o->axes[a], node)];
    for (size_t a = o->ninner; a < o->naxes; a++) {
        b->at[a] = 0;
        b->most[a] = above_floor(o, &o->axes[a], node);
    }
}

static bool
next_below(const kn_open_nodes *o, below *b)
{
    for (size_t a = o->ninner; a < o->naxes; a++) {
        if (b->at[a] < b->most[a]) {
            b->at[a]++;
            b->word += o->axes[a].step;
            return true;
        }
        b->word -= b->at[a] * o->axes[a].step;
        b->at[a] = 0;
    }
    return false;
}

/* --- making it ------------------------------------------------------------------------------------------ */

static void
set_axis(kn_open_nodes *o, kn_open_axis *axis, const kn_meter *meter, double *terms)
{
    for (unsigned x = 0; meter && x < axis->size; x++) {
        unsigned level = o->lattice->floor[axis->quasi] + x;

        terms[x] = kn_meter_term(meter, axis->quasi, level);
        terms[axis->size + x] = kn_meter_lost(meter, axis->quasi, level);
    }
    axis->term = terms;
    axis->lost = terms + axis->size;
}

/* The inner axes, then the others; what cannot move is left out. */
static void
set_axes(kn_open_nodes *o, const kn_meter *meter)
{
    bool    inner[KN_QUASI_MOST];
    double *terms = o->terms;

    choose_inner(o->lattice, inner);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0, step = 1; i < o->lattice->n; i++) {
            kn_open_axis *axis = &o->axes[o->naxes];

            if (size_of(o->lattice, i) == 1) {
                if (pass == 0 && meter) {
                    o->rest_term += kn_meter_term(meter, i, o->lattice->floor[i]);
                    o->rest_lost += kn_meter_lost(meter, i, o->lattice->floor[i]);
                }
                continue;
            }
            if (inner[i] != (pass == 0))
                continue;
            *axis = (kn_open_axis){ .quasi = i, .size = size_of(o->lattice, i), .step = step };
            set_axis(o, axis, meter, terms);
            terms += 2 * (size_t) axis->size;
            step *= axis->size;
            o->naxes++;
            o->ninner += pass == 0;
        }
}

static size_t
level_in(const kn_open_axis *axis, size_t place)
{
    return place / axis->step % axis->size;
}

/* What each bit stands for. @return all of them */
static uint64_t
set_bits(kn_open_nodes *o)
{
    uint64_t *masks = o->masks, all = 0;
    size_t    bits = 1;

    for (size_t a = 0; a < o->ninner; a++) {
        o->axes[a].most = masks;
        masks += o->axes[a].size;
        bits *= o->axes[a].size;
    }
    for (size_t bit = 0; bit < bits; bit++) {
        size_t height = 0;

        all |= UINT64_C(1) << bit;
        for (size_t a = 0; a < o->ninner; a++) {
            size_t level = level_in(&o->axes[a], bit);

            height += level;
            o->inner_term[bit] += o->axes[a].term[level];
            o->inner_lost[bit] += o->axes[a].lost[level];
            for (size_t x = level; x < o->axes[a].size; x++)
                o->axes[a].most[x] |= UINT64_C(1) << bit;
        }
        o->of_height[height] |= UINT64_C(1) << bit;
        if (bit == 0 || o->inner_term[bit] < o->inner_least)
            o->inner_least = o->inner_term[bit];
        if (bit == 0 || o->inner_term[bit] > o->inner_most)
            o->inner_most = o->inner_term[bit];
    }
    return all;
}

/* All words are below the top; what is not in use of them is never open. */
static void
open_all(kn_open_nodes *o, uint64_t bits)
{
    below b;

    begin_below(o, o->lattice->top, &b);
    do {
        o->open[b.word] = bits;
        for (size_t a = o->ninner; a < o->naxes; a++)
            o->height[b.word] = (uint16_t) (o->height[b.word] + b.at[a]);
    } while (next_below(o, &b));
}

kanon_status
kn_open_init(kn_open_nodes *o, kanon_ctx *ctx, const kn_lattice *l, const kn_meter *meter)
{
    size_t   levels = 0;
    uint64_t all;

    o->ctx = ctx;
    o->lattice = l;
    o->words = kn_open_words(l);
    o->nheights = kn_node_height(l->n, l->top) - kn_node_height(l->n, l->floor) + 1;
    for (size_t i = 0; i < l->n; i++)
        levels += size_of(l, i);
    o->axes = KN_NEW_ARRAY(ctx, kn_open_axis, l->n + 1);
    o->terms = KN_NEW_ARRAY(ctx, double, 2 * levels);
    o->masks = KN_NEW_ARRAY(ctx, uint64_t, levels);
    o->of_height = KN_NEW_ARRAY(ctx, uint64_t, o->nheights);
    o->open = KN_NEW_ARRAY(ctx, uint64_t, o->words);
    o->height = KN_NEW_ARRAY(ctx, uint16_t, o->words);
    if (!o->axes || !o->terms || !o->masks || !o->of_height || !o->open || !o->height)
        return kn_fail_nomem(ctx);
    set_axes(o, meter);
    all = set_bits(o);
    open_all(o, all);
    return KANON_OK;
}

void
kn_open_fini(kn_open_nodes *o)
{
    if (!o->ctx)
        return;
    kn_free(o->ctx, o->axes);
    kn_free(o->ctx, o->terms);
    kn_free(o->ctx, o->masks);
    kn_free(o->ctx, o->of_height);
    kn_free(o->ctx, o->open);
    kn_free(o->ctx, o->height);
}

/* --- questions ------------------------------------------------------------------------------------------ */

bool
kn_open_at(const kn_open_nodes *o, const uint8_t *node)
{
    unsigned bit;
    size_t   word = place_of(o, node, &bit);

    assert(kn_node_below(o->lattice->n, o->lattice->floor, node));
    return o->open[word] >> bit & 1;
}

void
kn_open_close(kn_open_nodes *o, const uint8_t *node, kn_open_above above)
{
    unsigned bit;
    size_t   word = place_of(o, node, &bit);

    assert(kn_node_below(o->lattice->n, o->lattice->floor, node));
    o->holes = o->holes || above != KN_ABOVE_FEASIBLE;
    o->open[word] &= ~(UINT64_C(1) << bit);
}

/* Leaves out what is below the node and below its level of this axis. */
static void
keep_level(const kn_open_nodes *o, size_t a, unsigned level, below *b)
{
    if (a < o->ninner) {
        b->mask &= level ? ~o->axes[a].most[level - 1] : ~UINT64_C(0);
        return;
    }
    b->word += level * o->axes[a].step;
    b->most[a] = 0; /* never moves */
}

/* Where the node one step down is closed, an infeasible one has closed it and all below it; the node itself
 * must be open, since what is too dear is closed alone. */
void
kn_open_close_below(kn_open_nodes *o, const uint8_t *node, size_t raised)
{
    unsigned bit;
    size_t   word = place_of(o, node, &bit);
    bool     plain = (o->open[word] >> bit & 1) && !o->holes;
    below    b;

    begin_below(o, node, &b);
    for (size_t a = 0; a < o->naxes; a++) {
        unsigned level = above_floor(o, &o->axes[a], node);
        size_t   step = o->axes[a].step;
        bool     closed = plain && level
                   && !(a < o->ninner ? o->open[word] >> (bit - step) & 1
                                      : o->open[word - step] >> bit & 1);

        if (closed || o->axes[a].quasi == raised)
            keep_level(o, a, level, &b);
    }
    do
        o->open[b.word] &= ~b.mask;
    while (next_below(o, &b));
}

uint64_t
kn_open_below(const kn_open_nodes *o, const uint8_t *node)
{
    uint64_t count = 0;
    below    b;

    begin_below(o, node, &b);
    do
        count += (uint64_t) __builtin_popcountll(o->open[b.word] & b.mask);
    while (next_below(o, &b));
    return count;
}

/* What is near the node first: far below, most is closed by others. */
uint64_t
kn_open_gain(const kn_open_nodes *o, const uint8_t *node, size_t quasi)
{
    uint64_t count = 0;
    size_t   left = GAIN_WORDS, a;
    below    b;

    assert(quasi < o->lattice->n);
    begin_below(o, node, &b);
    for (a = 0; a < o->naxes; a++) {
        const kn_open_axis *axis = &o->axes[a];
        unsigned            level = above_floor(o, axis, node);

        if (a < o->ninner && axis->quasi == quasi && level > 0)
            b.mask &= ~axis->most[level - 1];
        if (a < o->ninner)
            continue;
        b.at[a] = b.most[a];
        b.word += b.most[a] * axis->step;
    }
    do {
        count += (uint64_t) __builtin_popcountll(o->open[b.word] & b.mask);
        for (a = o->ninner; a < o->naxes; a++) { /* the next one, downwards */
            const kn_open_axis *axis = &o->axes[a];

            if (axis->quasi == quasi)
                continue;
            if (b.at[a] > 0) {
                b.at[a]--;
                b.word -= axis->step;
                break;
            }
            b.word += b.most[a] * axis->step;
            b.at[a] = b.most[a];
        }
    } while (a < o->naxes && --left);
    return count;
}

/* --- bounds --------------------------------------------------------------------------------------------- */

/* What a word's outer levels add to the bound. */
static double
outer_sum(const kn_open_nodes *o, const below *b, double outlying)
{
    double term = o->rest_term, lost = o->rest_lost;

    for (size_t a = o->ninner; a < o->naxes; a++) {
        term += o->axes[a].term[b->at[a]];
        lost += o->axes[a].lost[b->at[a]];
    }
    return term + outlying * lost;
}

/* Is a loss worse than best, beyond rounding? */
static bool
is_worse(double loss, double best)
{
    return loss > best && kn_loss_less(best, loss);
}

/* Closes of a word's bits those that are worse than best. */
static void
close_worse(kn_open_nodes *o, const below *b, double outlying, double best)
{
    uint64_t bits = o->open[b->word] & b->mask;
    double   outer = bits ? outer_sum(o, b, outlying) : 0;

    if (!bits || (outlying <= 0 && !is_worse(outer + o->inner_most, best)))
        return;
    if (is_worse(outer + o->inner_least, best)) {
        o->open[b->word] &= ~bits;
        return;
    }
    for (; bits; bits &= bits - 1) {
        unsigned bit = (unsigned) __builtin_ctzll(bits);

        if (is_worse(outer + o->inner_term[bit] + outlying * o->inner_lost[bit], best))
            o->open[b->word] &= ~(UINT64_C(1) << bit);
    }
}

void
kn_open_close_lossy(kn_open_nodes *o, const uint8_t *node, uint64_t outlying, double best)
{
    size_t left = LOSSY_WORDS;
    below  b;

    if (outlying == 0 || outlying == UINT64_MAX)
        return;
    o->holes = true;
    begin_below(o, node, &b);
    do
        close_worse(o, &b, (double) outlying, best);
    while (--left && next_below(o, &b));
}

void
kn_open_close_dear(kn_open_nodes *o, double best)
{
    below b;

    begin_below(o, o->lattice->top, &b);
    do
        close_worse(o, &b, 0, best);
    while (next_below(o, &b));
}

double
kn_open_least(const kn_open_nodes *o)
{
    double least = 1e300;
    below  b;

    begin_below(o, o->lattice->top, &b);
    do {
        double outer = o->open[b.word] ? outer_sum(o, &b, 0) : 0;

        for (uint64_t bits = o->open[b.word]; bits; bits &= bits - 1) {
            double sum = outer + o->inner_term[__builtin_ctzll(bits)];

            least = sum < least ? sum : least;
        }
    } while (next_below(o, &b));
    return least;
}

/* --- what is left --------------------------------------------------------------------------------------- */

bool
kn_open_next(const kn_open_nodes *o, unsigned height, size_t *word, unsigned *bit, uint8_t *node)
{
    uint64_t from = *bit < KN_OPEN_BITS ? ~UINT64_C(0) << *bit : 0;

    for (size_t w = *word; w < o->words; w++, from = ~UINT64_C(0)) {
        uint64_t bits;

        if (o->height[w] > height)
            continue;
        bits = o->open[w] & o->of_height[height - o->height[w]] & from;
        if (!bits)
            continue;
        *word = w;
        *bit = (unsigned) __builtin_ctzll(bits);
        memcpy(node, o->lattice->floor, o->lattice->n);
        for (size_t a = 0; a < o->naxes; a++) {
            const kn_open_axis *axis = &o->axes[a];

            node[axis->quasi] = (uint8_t) (node[axis->quasi]
                                           + level_in(axis, a < o->ninner ? *bit : w));
        }
        return true;
    }
    return false;
}
