/* SPDX-License-Identifier: Apache-2.0 */
/* refine_moves.h -- the moves of the refinement, compiled once for rows of one block of lanes (BLOCKS is
 * 1) and once for any number. Included by refine_narrow.c and refine_wide.c, which define
 * BLOCKS(refiner), BLOCKS_ROOM and WORK.
 *
 * Every move is judged by what it does to the total cost: taken if that falls, or rises by no more
 * than a random amount drawn beforehand (Metropolis). Since the amount is known first, a move is given up as
 * soon as its cost has passed it. A class that changes is also shown to the privacy models, last, as
 * they are the dearest to ask. */
#include "cluster/refine_box.h"

/* How often which move is tried: shares of 2^16 draws. What is left are shifts, some with each row drawn,
 * while its neighbours are at hand. */
enum { DISSOLVE_SHARE = 1966, CREATE_SHARE = 1966, REBUILD_SHARE = 19660, SHIFTS = 4 };

/* Share of the rebuildings that make one class less than they could: 2^8 is all. */
enum { FEWER_SHARE = 77 };

/* Steps along neighbours until another class is met; different classes that a row without one looks at. */
enum { HOPS = 3, LOOKS = 12 };

/* Moves between two looks at whether the time is over. */
enum { PATIENCE = 256 };

typedef struct mover {
    kn_annealer       *s;
    kn_region         *region;
    kn_refine_scratch *desk;
    kn_rng             rng;
    uint16_t           number; /* of the region */
    unsigned           worker;
} mover;

static inline uint32_t
price(mover *m, const extent *e)
{
    m->region->spent++;
    return price_of(m->s, e);
}

/* --- classes ----------------------------------------------------------------------------------------- */

static inline uint32_t *
members_of(const kn_annealer *s, uint32_t class)
{
    return s->members + (size_t) class * s->most;
}

static void
class_rebox(const kn_annealer *s, uint32_t class)
{
    kn_lanes       *box = box_of(s, class);
    const uint32_t *rows = members_of(s, class);

    box_clear(s, box);
    for (uint32_t i = 0; i < s->size[class]; i++)
        box_add(s, box, lanes_of(s, rows[i]));
}

/* Members only; boxes and costs are the caller's. */
static inline void
class_link(kn_annealer *s, uint32_t class, uint32_t row)
{
    s->place[row] = s->size[class];
    s->class_of[row] = class;
    members_of(s, class)[s->size[class]++] = row;
}

static inline void
class_unlink(kn_annealer *s, uint32_t row)
{
    uint32_t class = s->class_of[row], *rows = members_of(s, class);
    uint32_t last = rows[--s->size[class]];

    rows[s->place[row]] = last;
    s->place[last] = s->place[row];
}

static inline int64_t
class_cost(const kn_annealer *s, uint32_t class)
{
    return (int64_t) s->size[class] * s->cost[class];
}

/* Would a class still be allowed with a row less (KN_NO_CLASS: none) and a row more? */
static bool
allowed(mover *m, uint32_t class, uint32_t less, uint32_t more)
{
    const kn_annealer *s = m->s;
    const uint32_t    *rows = members_of(s, class);
    size_t             count = 0;

    if (s->plain)
        return true;
    for (uint32_t i = 0; i < s->size[class]; i++)
        if (rows[i] != less)
            m->desk->asked[count++] = rows[i];
    if (more != KN_NO_CLASS)
        m->desk->asked[count++] = more;
    return kn_cluster_holds(s->env, m->worker, m->desk->asked, count);
}

/* --- chance ------------------------------------------------------------------------------------------ */

static inline uint32_t
below(uint64_t draw, uint32_t bound)
{
    return (uint32_t) (((draw & UINT32_MAX) * bound) >> 32);
}

/* How much worse a move may be. */
static inline int64_t
patience(mover *m)
{
    return (int64_t) (m->s->heat * (double) m->s->logs[kn_rng_next(&m->rng) >> 52]);
}

/* A row near another, which may be that row itself. */
static inline uint32_t
near_row(mover *m, uint32_t row)
{
    const kn_annealer *s = m->s;
    uint64_t           draw = kn_rng_next(&m->rng);
    uint32_t point = s->space->point_of[row], at = below(draw, (uint32_t) s->near.each + 1);

    if (at > 0) {
        uint32_t other = s->near.of[(size_t) point * s->near.each + at - 1];

        point = other == KN_NO_CODE ? point : other;
    }
    at = s->space->first_row[point];
    return at + below(draw >> 32, s->space->first_row[point + 1] - at);
}

/* A class near a row, not its own and of this region; KN_NO_CLASS: none was met. */
static inline uint32_t
near_class(mover *m, uint32_t row)
{
    const kn_annealer *s = m->s;
    uint32_t           own = s->class_of[row], other = row;

    for (int hop = 0; hop < HOPS; hop++) {
        other = near_row(m, other);
        if (s->region_of[other] != m->number)
            return KN_NO_CLASS;
        if (s->class_of[other] != own && s->class_of[other] != KN_NO_CLASS)
            return s->class_of[other];
    }
    return KN_NO_CLASS;
}

/* --- shift ------------------------------------------------------------------------------------------- */

/* To the class of a neighbour. */
static void
try_shift(mover *m, uint32_t row)
{
    kn_annealer    *s = m->s;
    uint32_t        from = s->class_of[row], to;
    const kn_lanes *lanes = lanes_of(s, row);
    extent          less, more;
    uint32_t        cost_less, cost_more;
    int64_t         change, limit;

    if (s->cost[from] == 0 || s->size[from] <= s->k)
        return;
    to = near_class(m, row);
    if (to == KN_NO_CLASS || s->size[to] >= s->most)
        return;
    limit = patience(m);
    more = box_with(s, box_of(s, to), lanes);
    cost_more = price(m, &more);
    change = (int64_t) (s->size[to] + 1) * cost_more - class_cost(s, to) - class_cost(s, from);
    if (change > limit)
        return;
    less = box_without(s, box_of(s, from), lanes);
    cost_less = price(m, &less);
    change += (int64_t) (s->size[from] - 1) * cost_less;
    if (change > limit || !allowed(m, from, row, KN_NO_CLASS) || !allowed(m, to, KN_NO_CLASS, row))
        return;
    class_unlink(s, row);
    class_rebox(s, from);
    class_link(s, to, row);
    box_add(s, box_of(s, to), lanes);
    s->cost[from] = cost_less;
    s->cost[to] = cost_more;
    m->region->change += change;
}

/* --- dissolve ---------------------------------------------------------------------------------------- */

typedef struct offer {
    uint32_t class, cost; /* and what a row of it would cost */
    int64_t change;
} offer;

static void
weigh(mover *m, uint32_t row, uint32_t class, offer *best)
{
    const kn_annealer *s = m->s;
    extent             e = box_with(s, box_of(s, class), lanes_of(s, row));
    uint32_t           cost = price(m, &e);
    int64_t            change = (int64_t) (s->size[class] + 1) * cost - class_cost(s, class);

    if (change < best->change)
        *best = (offer){ class, cost, change };
}

/* The class near a row that it costs least to put it into, but for one; of a heavy point two rows
 * are asked. */
static offer
best_class(mover *m, uint32_t row, uint32_t but)
{
    const kn_annealer *s = m->s;
    const kn_space    *space = s->space;
    uint32_t           seen[LOOKS], nseen = 0, point = space->point_of[row], at = point;
    offer              best = { KN_NO_CLASS, 0, INT64_MAX };

    for (size_t i = 0; nseen < LOOKS; i++) {
        uint32_t rows = space->first_row[at + 1] - space->first_row[at];
        uint32_t skip = rows > 2 ? below(kn_rng_next(&m->rng), rows - 1) : 0;

        for (uint32_t j = 0; j < (rows > 2 ? 2 : rows) && nseen < LOOKS; j++) {
            uint32_t other = space->first_row[at] + skip + j, class = KN_NO_CLASS, z = 0;

            if (s->region_of[other] == m->number)
                class = s->class_of[other];
            if (class == KN_NO_CLASS || class == but || s->size[class] >= s->most)
                continue;
            while (z < nseen && seen[z] != class)
                z++;
            if (z < nseen)
                continue;
            seen[nseen++] = class;
            weigh(m, row, class, &best);
        }
        if (i == s->near.each)
            break;
        at = s->near.of[(size_t) point * s->near.each + i];
        if (at == KN_NO_CODE)
            break;
    }
    return best;
}

static void
join(mover *m, uint32_t row, const offer *to)
{
    kn_annealer *s = m->s;

    class_link(s, to->class, row);
    box_add(s, box_of(s, to->class), lanes_of(s, row));
    s->cost[to->class] = to->cost;
}

/* Rows of a class that is being dissolved, back from where they went, the last first. */
static void
undissolve(mover *m, uint32_t class, uint32_t count)
{
    kn_annealer       *s = m->s;
    kn_refine_scratch *d = m->desk;

    for (uint32_t i = count; i-- > 0;) {
        if (d->to[i] == KN_NO_CLASS) {
            m->region->room++;
            m->region->suppressed--;
            continue;
        }
        s->size[d->to[i]]--;
        class_rebox(s, d->to[i]);
        s->cost[d->to[i]] = d->old[i];
    }
    for (uint32_t i = 0; i < s->size[class]; i++) {
        uint32_t row = members_of(s, class)[i];

        s->class_of[row] = class;
        s->place[row] = i;
    }
}

/* Where rows went the models must still hold; a class that several went to is asked several times. */
static bool
all_allowed(mover *m, uint32_t count)
{
    for (uint32_t i = 0; !m->s->plain && i < count; i++)
        if (m->desk->to[i] != KN_NO_CLASS && !allowed(m, m->desk->to[i], KN_NO_CLASS, KN_NO_CLASS))
            return false;
    return true;
}

/* Every row goes where it costs least, or is suppressed where that is allowed and costs less. */
static void
try_dissolve(mover *m, uint32_t class)
{
    kn_annealer       *s = m->s;
    kn_refine_scratch *d = m->desk;
    uint32_t           count = s->size[class], i = 0;
    int64_t            limit = patience(m), change = -class_cost(s, class);

    if (s->cost[class] == 0)
        return;
    for (; i < count; i++) {
        uint32_t row = members_of(s, class)[i];
        offer    to = best_class(m, row, class);

        if (m->region->room > 0 && (int64_t) s->space->whole < to.change)
            to = (offer){ KN_NO_CLASS, 0, (int64_t) s->space->whole };
        if (to.change == INT64_MAX || change + to.change > limit)
            break;
        change += to.change;
        d->to[i] = to.class;
        if (to.class == KN_NO_CLASS) {
            m->region->room--;
            m->region->suppressed++;
            s->class_of[row] = KN_NO_CLASS;
            continue;
        }
        d->old[i] = s->cost[to.class];
        join(m, row, &to);
    }
    if (i < count || !all_allowed(m, count)) {
        undissolve(m, class, i);
        return;
    }
    s->size[class] = s->cost[class] = 0;
    m->region->spare[m->region->nspare++] = class;
    m->region->change += change;
}

/* --- create ------------------------------------------------------------------------------------------ */

/* Rows around one, of classes that can spare one. */
static uint32_t
collect_spare(mover *m, uint32_t row)
{
    const kn_annealer *s = m->s;
    const kn_space    *space = s->space;
    uint32_t           count = 0, most = KN_CHOICE * s->k, point = space->point_of[row], at = point;

    for (size_t i = 0;; i++) {
        for (uint32_t y = space->first_row[at]; y < space->first_row[at + 1] && count < most; y++)
            if (y != row && s->region_of[y] == m->number && s->class_of[y] != KN_NO_CLASS
                && s->size[s->class_of[y]] > s->k)
                m->desk->rows[count++] = y;
        if (i == s->near.each || count == most)
            break;
        at = s->near.of[(size_t) point * s->near.each + i];
        if (at == KN_NO_CODE)
            break;
    }
    return count;
}

/* The candidate that the new class grows least with, its old class's gain counted in. What a candidate made
 * the class cost before is a lower bound, as a class only grows. */
static uint32_t
next_spare(mover *m, const kn_lanes *box, uint32_t count)
{
    const kn_annealer *s = m->s;
    kn_refine_scratch *d = m->desk;
    int64_t            best = INT64_MAX;
    uint32_t           found = KN_NO_CODE;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t class = s->class_of[d->rows[i]];
        int64_t gain = -(int64_t) (s->size[class] - 1) * s->cost[class], score;
        extent  e;

        if (s->size[class] <= s->k || (int64_t) d->least[i] * s->k + gain >= best)
            continue;
        e = box_with(s, box, lanes_of(s, d->rows[i]));
        d->least[i] = price(m, &e);
        score = (int64_t) d->least[i] * s->k;
        if (score + gain >= best)
            continue;
        e = box_without(s, box_of(s, class), lanes_of(s, d->rows[i]));
        score += gain + (int64_t) (s->size[class] - 1) * price(m, &e);
        if (score < best) {
            best = score;
            found = i;
        }
    }
    return found;
}

/* Takes a row out of its class; notes where it came from. @return what that changed */
static int64_t
take_out(mover *m, uint32_t row, uint32_t nth)
{
    kn_annealer *s = m->s;
    uint32_t class = s->class_of[row];
    extent  e = box_without(s, box_of(s, class), lanes_of(s, row));
    int64_t before = class_cost(s, class);

    m->desk->to[nth] = class;
    m->desk->old[nth] = s->cost[class];
    class_unlink(s, row);
    class_rebox(s, class);
    s->cost[class] = price(m, &e);
    return class_cost(s, class) - before;
}

/* A new class around a row, from rows that can be spared where they are. The first `taken` places of the
 * desk's `sizes` hold its rows. */
static void
try_create(mover *m, uint32_t row)
{
    kn_annealer       *s = m->s;
    kn_refine_scratch *d = m->desk;
    kn_lanes          *box = d->boxes;
    uint32_t           count, taken = 0, cost = 0;
    int64_t            limit = patience(m), change = 0;
    extent             e;

    if (m->region->nspare == 0 || s->size[s->class_of[row]] <= s->k)
        return;
    count = collect_spare(m, row);
    if (count + 1 < s->k)
        return;
    memset(d->least, 0, count * sizeof *d->least);
    box_clear(s, box);
    for (;;) {
        uint32_t next;

        change += take_out(m, row, taken);
        d->sizes[taken++] = row;
        box_add(s, box, lanes_of(s, row));
        if (taken == s->k || (next = next_spare(m, box, count)) == KN_NO_CODE)
            break;
        row = d->rows[next];
        d->rows[next] = d->rows[--count];
        d->least[next] = d->least[count];
    }
    e = box_extent(s, box);
    cost = price(m, &e);
    change += (int64_t) taken * cost;
    if (taken == s->k && change <= limit && all_allowed(m, taken)
        && kn_cluster_holds(s->env, m->worker, d->sizes, taken)) {
        uint32_t class = m->region->spare[--m->region->nspare];

        for (uint32_t i = 0; i < taken; i++)
            class_link(s, class, d->sizes[i]);
        memcpy(box_of(s, class), box, 4 * BLOCKS(s) * sizeof *box);
        s->cost[class] = cost;
        m->region->change += change;
        return;
    }
    while (taken-- > 0) {
        offer back = { d->to[taken], d->old[taken], 0 };

        join(m, d->sizes[taken], &back);
    }
}

/* --- rebuild ----------------------------------------------------------------------------------------- */

/* Classes that are made anew together. */
typedef struct pool {
    uint32_t classes[KN_PARTS_MOST + 1], nclasses;
    uint32_t rows;          /* on the desk */
    uint32_t parts, placed; /* of what comes instead */
    int64_t  before, now, limit;
} pool;

static bool
collect_pool(mover *m, uint32_t row, pool *p)
{
    kn_annealer       *s = m->s;
    kn_refine_scratch *d = m->desk;
    uint32_t           want = 2 + below(kn_rng_next(&m->rng), s->parts - 1);

    p->classes[0] = s->class_of[row];
    p->nclasses = 1;
    for (uint32_t i = 0; i < 2 * want && p->nclasses < want; i++) {
        uint32_t class = near_class(m, row), z = 0;

        while (z < p->nclasses && p->classes[z] != class)
            z++;
        if (class != KN_NO_CLASS && z == p->nclasses)
            p->classes[p->nclasses++] = class;
    }
    p->rows = 0;
    p->before = 0;
    for (uint32_t i = 0; i < p->nclasses; i++) {
        const uint32_t *rows = members_of(s, p->classes[i]);

        p->before += class_cost(s, p->classes[i]);
        for (uint32_t j = 0; j < s->size[p->classes[i]]; j++, p->rows++) {
            d->rows[p->rows] = rows[j];
            memcpy(d->lanes + p->rows * BLOCKS(s), lanes_of(s, rows[j]),
                   BLOCKS(s) * sizeof *d->lanes);
        }
    }
    return p->nclasses > 1 && p->before > 0;
}

static inline void
exchange(const kn_annealer *s, kn_refine_scratch *d, uint32_t a, uint32_t b)
{
    uint32_t row = d->rows[a];

    d->rows[a] = d->rows[b];
    d->rows[b] = row;
    d->least[b] = d->least[a];
    for (size_t i = 0; i < BLOCKS(s); i++) {
        kn_lanes lanes = d->lanes[a * BLOCKS(s) + i];

        d->lanes[a * BLOCKS(s) + i] = d->lanes[b * BLOCKS(s) + i];
        d->lanes[b * BLOCKS(s) + i] = lanes;
    }
}

/* The row not placed yet that a part grows least with. */
static uint32_t
next_of_pool(mover *m, const pool *p, const kn_lanes *box, uint32_t cost, uint32_t *least)
{
    kn_annealer       *s = m->s;
    kn_refine_scratch *d = m->desk;
    uint32_t           found = p->placed, best = UINT32_MAX;

    for (uint32_t i = p->placed; i < p->rows && best > cost; i++)
        if (d->least[i] < best) {
            extent e = box_with(s, box, d->lanes + i * BLOCKS(s));

            d->least[i] = price(m, &e);
            if (d->least[i] < best) {
                best = d->least[i];
                found = i;
            }
        }
    *least = best;
    return found;
}

/* One part: a seed, and k - 1 times the row that costs least. */
static void
grow_part(mover *m, pool *p, uint32_t seed)
{
    kn_annealer       *s = m->s;
    kn_refine_scratch *d = m->desk;
    kn_lanes          *box = d->boxes + p->parts * 4 * BLOCKS(s);
    uint32_t           cost = 0;

    box_clear(s, box);
    memset(d->least + p->placed, 0, (p->rows - p->placed) * sizeof *d->least);
    for (uint32_t i = 0;; i++) {
        exchange(s, d, p->placed, seed);
        box_add(s, box, d->lanes + p->placed * BLOCKS(s));
        d->to[p->placed++] = p->parts;
        if (i + 1 == s->k)
            break;
        seed = next_of_pool(m, p, box, cost, &cost);
    }
    if (s->k == 1) {
        extent e = box_extent(s, box);

        cost = price(m, &e);
    }
    d->costs[p->parts] = cost;
    d->sizes[p->parts++] = s->k;
    p->now += (int64_t) s->k * cost;
}

/* The rows left over, each to the part that it costs least. */
static bool
place_rest(mover *m, pool *p)
{
    kn_annealer       *s = m->s;
    kn_refine_scratch *d = m->desk;

    for (; p->placed < p->rows && p->now <= p->limit; p->placed++) {
        const kn_lanes *lanes = d->lanes + p->placed * BLOCKS(s);
        offer           best = { KN_NO_CLASS, 0, INT64_MAX };

        for (uint32_t i = 0; i < p->parts; i++)
            if (d->sizes[i] < s->most) {
                extent   e = box_with(s, d->boxes + i * 4 * BLOCKS(s), lanes);
                uint32_t cost = price(m, &e);
                int64_t  change = (int64_t) (d->sizes[i] + 1) * cost
                               - (int64_t) d->sizes[i] * d->costs[i];

                if (change < best.change)
                    best = (offer){ i, cost, change };
            }
        if (best.class == KN_NO_CLASS)
            return false;
        box_add(s, d->boxes + best.class * 4 * BLOCKS(s), lanes);
        d->to[p->placed] = best.class;
        d->sizes[best.class]++;
        d->costs[best.class] = best.cost;
        p->now += best.change;
    }
    return p->now <= p->limit;
}

static bool
pool_allowed(mover *m, const pool *p)
{
    kn_refine_scratch *d = m->desk;

    for (uint32_t i = 0; !m->s->plain && i < p->parts; i++) {
        size_t count = 0;

        for (uint32_t j = 0; j < p->rows; j++)
            if (d->to[j] == i)
                d->asked[count++] = d->rows[j];
        if (!kn_cluster_holds(m->s->env, m->worker, d->asked, count))
            return false;
    }
    return true;
}

static void
replace_pool(mover *m, pool *p)
{
    kn_annealer       *s = m->s;
    kn_refine_scratch *d = m->desk;
    kn_region         *region = m->region;

    for (uint32_t i = 0; i < p->nclasses; i++)
        s->size[p->classes[i]] = s->cost[p->classes[i]] = 0;
    while (p->nclasses < p->parts)
        p->classes[p->nclasses++] = region->spare[--region->nspare];
    while (p->nclasses > p->parts)
        region->spare[region->nspare++] = p->classes[--p->nclasses];
    for (uint32_t i = 0; i < p->rows; i++)
        class_link(s, p->classes[d->to[i]], d->rows[i]);
    for (uint32_t i = 0; i < p->parts; i++) {
        memcpy(box_of(s, p->classes[i]), d->boxes + i * 4 * BLOCKS(s),
               4 * BLOCKS(s) * sizeof *d->boxes);
        s->cost[p->classes[i]] = d->costs[i];
    }
    region->change += p->now - p->before;
}

/* A few classes that are near each other are thrown together and made anew, greedily, from a row on and then
 * from seeds drawn by lot; as many as there can be, or one less. */
static void
try_rebuild(mover *m, uint32_t row)
{
    kn_annealer *s = m->s;
    pool         p;
    uint32_t     want, seed = 0;

    /* What is left must do for it: parts take k looks at the rows not placed yet, about half of them. */
    if (!collect_pool(m, row, &p)
        || m->region->spent + (uint64_t) p.rows * s->k / 2 > m->region->budget)
        return;
    p.limit = p.before + patience(m);
    p.now = 0;
    p.parts = p.placed = 0;
    want = p.rows / s->k;
    if (want > 1 && (kn_rng_next(&m->rng) >> 56) < FEWER_SHARE)
        want--;
    if (want > p.nclasses + 1)
        want = p.nclasses + 1;
    if (want > p.nclasses && want - p.nclasses > m->region->nspare)
        want = p.nclasses;
    while (m->desk->rows[seed] != row)
        seed++;
    while (p.parts < want && p.now <= p.limit) {
        grow_part(m, &p, seed);
        if (p.placed < p.rows)
            seed = p.placed + below(kn_rng_next(&m->rng), p.rows - p.placed);
    }
    if (p.now <= p.limit && place_rest(m, &p) && pool_allowed(m, &p))
        replace_pool(m, &p);
}

/* --- suppression ------------------------------------------------------------------------------------- */

/* Back into the class that it costs least. */
static void
try_restore(mover *m, uint32_t row)
{
    kn_annealer *s = m->s;
    int64_t      limit = patience(m);
    offer        to = best_class(m, row, KN_NO_CLASS);

    if (to.class == KN_NO_CLASS || to.change - (int64_t) s->space->whole > limit
        || !allowed(m, to.class, KN_NO_CLASS, row))
        return;
    join(m, row, &to);
    m->region->room++;
    m->region->suppressed--;
    m->region->change += to.change - (int64_t) s->space->whole;
}

static bool
try_suppress(mover *m, uint32_t row, int64_t limit)
{
    kn_annealer *s = m->s;
    uint32_t class = s->class_of[row];
    extent   e;
    uint32_t cost;
    int64_t  change;

    if (s->size[class] <= s->k || m->region->room == 0)
        return false;
    e = box_without(s, box_of(s, class), lanes_of(s, row));
    cost = price(m, &e);
    change = (int64_t) s->space->whole + (int64_t) (s->size[class] - 1) * cost
           - class_cost(s, class);
    if (change > limit || !allowed(m, class, row, KN_NO_CLASS))
        return false;
    class_unlink(s, row);
    class_rebox(s, class);
    s->cost[class] = cost;
    s->class_of[row] = KN_NO_CLASS;
    m->region->room--;
    m->region->suppressed++;
    m->region->change += change;
    return true;
}

/* --- the loop ---------------------------------------------------------------------------------------- */

static void
step(mover *m, const uint32_t *rows, uint32_t count)
{
    uint64_t draw = kn_rng_next(&m->rng);
    uint32_t row = rows[below(draw >> 32, count)], kind = (uint32_t) draw & 0xffff;

    m->region->spent++; /* so that a region in which nothing can be done comes to its end */
    if (m->s->class_of[row] == KN_NO_CLASS)
        try_restore(m, row);
    else if (kind < DISSOLVE_SHARE)
        try_dissolve(m, m->s->class_of[row]);
    else if (kind < DISSOLVE_SHARE + CREATE_SHARE)
        try_create(m, row);
    else if (kind < DISSOLVE_SHARE + CREATE_SHARE + REBUILD_SHARE)
        try_rebuild(m, row);
    else if (m->region->room == 0 || (draw >> 16 & 1) || !try_suppress(m, row, patience(m)))
        for (int i = 0; i < SHIFTS; i++)
            try_shift(m, row);
}

void
WORK(void *refiner, size_t region, unsigned worker)
{
    kn_annealer *s = refiner;
    mover        m = { .s = s,
                       .region = &s->regions[region],
                       .desk = &s->desks[worker],
                       .number = (uint16_t) region,
                       .worker = worker };

    if (!m.region->rows)
        return;
    kn_rng_init(&m.rng, s->seed, s->epoch * s->nregions + region + 1);
    for (uint32_t i = 1; m.region->spent < m.region->budget; i++) {
        step(&m, s->region_rows + m.region->first, m.region->rows);
        if (i % PATIENCE == 0
            && (kn_cluster_over(s->env) || (worker == 0 && kn_cluster_late(s->env, -1, -1))))
            return;
    }
}
