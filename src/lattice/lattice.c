/* SPDX-License-Identifier: Apache-2.0 */
/* lattice.c -- arithmetic on level vectors. */
#include "lattice/lattice.h"

double
kn_lattice_nodes(size_t n, const uint8_t *low, const uint8_t *high)
{
    double nodes = 1;

    for (size_t i = 0; i < n; i++)
        nodes *= (double) (high[i] - low[i] + 1);
    return nodes;
}

unsigned
kn_node_height(size_t n, const uint8_t *node)
{
    unsigned height = 0;

    for (size_t i = 0; i < n; i++)
        height += node[i];
    return height;
}

/* The smallest in lexicographic order has as much as possible at its end. */
bool
kn_node_first(size_t n, const uint8_t *low, const uint8_t *high, unsigned height, uint8_t *node)
{
    unsigned least = kn_node_height(n, low), left = height - least;

    if (height < least)
        return false;
    memcpy(node, low, n);
    for (size_t i = n; i-- > 0 && left;) {
        unsigned room = (unsigned) (high[i] - low[i]), take = left < room ? left : room;

        node[i] = (uint8_t) (node[i] + take);
        left -= take;
    }
    return left == 0;
}

/* Raises one component, and puts what is left as far back as it goes. */
bool
kn_node_next(size_t n, const uint8_t *low, const uint8_t *high, uint8_t *node)
{
    unsigned behind = 0;

    assert(kn_node_below(n, low, node) && kn_node_below(n, node, high));
    for (size_t i = n; i-- > 0;) {
        if (behind > 0 && node[i] < high[i]) {
            node[i]++;
            behind--;
            for (size_t j = n; j-- > i + 1;) {
                unsigned room = (unsigned) (high[j] - low[j]), take = behind < room ? behind : room;

                node[j] = (uint8_t) (low[j] + take);
                behind -= take;
            }
            return true;
        }
        behind += (unsigned) (node[i] - low[i]);
    }
    return false;
}

bool
kn_node_below(size_t n, const uint8_t *a, const uint8_t *b)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] > b[i])
            return false;
    return true;
}

void
kn_node_min(size_t n, const uint8_t *a, const uint8_t *b, uint8_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = a[i] < b[i] ? a[i] : b[i];
}

void
kn_node_max(size_t n, const uint8_t *a, const uint8_t *b, uint8_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = a[i] > b[i] ? a[i] : b[i];
}

void
kn_node_random(size_t n, const uint8_t *low, const uint8_t *high, kn_rng *rng, uint8_t *out)
{
    assert(kn_node_below(n, low, high));
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t) (low[i] + kn_rng_below(rng, (uint64_t) (high[i] - low[i]) + 1));
}
