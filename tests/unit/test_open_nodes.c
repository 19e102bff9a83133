/* SPDX-License-Identifier: Apache-2.0 */
/* test_open_nodes.c -- src/search/open_nodes.h against a plain list of the nodes, on lattices of all
 * shapes: axes that cannot move, axes longer than a word, many short ones. */
#include "search/open_nodes.h"
#include "test.h"

enum { NODES_MOST = 20000 };

typedef struct list {
    kn_lattice lattice;
    size_t     count;
    uint8_t   *nodes; /* [count][n] */
    bool      *open;
} list;

static void
random_lattice(kn_lattice *l, kn_rng *rng, unsigned longest)
{
    double nodes = 1;

    memset(l, 0, sizeof *l);
    l->n = 1 + (size_t) kn_rng_below(rng, 9);
    for (size_t i = 0; i < l->n; i++) {
        uint64_t size = 1 + kn_rng_below(rng, longest);

        if (nodes * (double) size > NODES_MOST)
            size = 1;
        nodes *= (double) size;
        l->floor[i] = (uint8_t) kn_rng_below(rng, 3);
        l->top[i] = (uint8_t) (l->floor[i] + size - 1);
    }
}

static void
list_all(list *a)
{
    const kn_lattice *l = &a->lattice;
    uint8_t           node[KN_QUASI_MOST];
    size_t            i;

    a->nodes = calloc(NODES_MOST, l->n);
    a->open = calloc(NODES_MOST, sizeof *a->open);
    CHECK(a->nodes && a->open);
    memcpy(node, l->floor, l->n);
    for (a->count = 0;;) {
        memcpy(a->nodes + a->count * l->n, node, l->n);
        a->open[a->count++] = true;
        for (i = 0; i < l->n && node[i] == l->top[i]; i++)
            node[i] = l->floor[i];
        if (i == l->n)
            return;
        node[i]++;
    }
}

/* Every node is open or not, as it should be, and found once, from the highest height on. */
static void
compare(const list *a, const kn_open_nodes *o)
{
    const kn_lattice *l = &a->lattice;
    unsigned          low = kn_node_height(l->n, l->floor);
    size_t            found = 0, open = 0;
    uint8_t           node[KN_QUASI_MOST];

    for (size_t i = 0; i < a->count; i++) {
        CHECK(kn_open_at(o, a->nodes + i * l->n) == a->open[i]);
        open += a->open[i];
    }
    for (unsigned height = 0; height < o->nheights; height++) {
        size_t   word = 0, last = 0;
        unsigned bit = 0;

        for (; kn_open_next(o, height, &word, &bit, node); bit++, found++) {
            CHECK_EQ_U64(kn_node_height(l->n, node), low + height);
            CHECK(kn_open_at(o, node));
            CHECK(word * KN_OPEN_BITS + bit + 1 > last); /* further on: never the same one twice */
            last = word * KN_OPEN_BITS + bit + 1;
        }
    }
    CHECK_EQ_U64(found, open);
}

/* All below the node is closed; now all below the one above it. */
static void
close_raised(list *a, kn_open_nodes *o, const uint8_t *node, kn_rng *rng)
{
    const kn_lattice *l = &a->lattice;
    size_t            quasi = (size_t) kn_rng_below(rng, l->n);
    uint8_t           above[KN_QUASI_MOST];
    uint64_t          gain = 0;

    memcpy(above, node, l->n);
    if (above[quasi] == l->top[quasi])
        return;
    above[quasi]++;
    for (size_t i = 0; i < a->count; i++)
        if (kn_node_below(l->n, a->nodes + i * l->n, above)) {
            gain += a->open[i];
            a->open[i] = false;
        }
    CHECK(kn_open_gain(o, above, quasi) <= gain); /* a part of very many */
    CHECK(gain == 0 || o->words > 512 || kn_open_gain(o, above, quasi) == gain);
    kn_open_close_below(o, above, quasi);
    compare(a, o);
}

static void
check_lattice(kanon_ctx *ctx, kn_rng *rng, unsigned longest, bool holes)
{
    list          a;
    kn_open_nodes o;

    memset(&a, 0, sizeof a);
    memset(&o, 0, sizeof o);
    random_lattice(&a.lattice, rng, longest);
    list_all(&a);
    CHECK_OK(ctx, kn_open_init(&o, ctx, &a.lattice, NULL));
    CHECK(o.words <= a.count);
    compare(&a, &o);
    for (int round = 0; round < 8; round++) {
        size_t         n = a.lattice.n;
        const uint8_t *node = a.nodes + (size_t) kn_rng_below(rng, a.count) * n;
        uint64_t       below = 0;
        bool           alone = holes && round % 2;

        for (size_t i = 0; i < a.count; i++)
            below += a.open[i] && kn_node_below(n, a.nodes + i * n, node);
        CHECK_EQ_U64(kn_open_below(&o, node), below);
        for (size_t i = 0; i < a.count; i++)
            if (alone ? memcmp(a.nodes + i * n, node, n) == 0
                      : kn_node_below(n, a.nodes + i * n, node))
                a.open[i] = false;
        if (alone)
            kn_open_close(&o, node, KN_ABOVE_UNKNOWN);
        else
            kn_open_close_below(&o, node, SIZE_MAX);
        compare(&a, &o);
        if (!alone)
            close_raised(&a, &o, node, rng);
    }
    kn_open_close_dear(&o, 0); /* nothing costs more than nothing */
    compare(&a, &o);
    kn_open_close_dear(&o, -1);
    CHECK_EQ_U64(kn_open_below(&o, a.lattice.top), 0);
    kn_open_fini(&o);
    free(a.nodes);
    free(a.open);
}

TEST(the_same_as_a_list)
{
    kanon_ctx *ctx = NULL;
    kn_rng     rng;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_rng_init(&rng, 91, 0);
    for (int round = 0; round < 60; round++)
        check_lattice(ctx, &rng, round % 3 == 0 ? 4 : round % 3 == 1 ? 12 : 200, round % 2);
    kanon_ctx_free(ctx);
}

TEST(bits_are_packed)
{
    kn_lattice l = { .n = 8, .top = { 1, 4, 1, 2, 3, 2, 2, 2 } };

    CHECK_EQ_U64(kn_open_words(&l), 6480 / 60);
    memset(l.top, 255, sizeof l.top);
    l.n = 200;
    CHECK(kn_open_words(&l) == SIZE_MAX);
}
