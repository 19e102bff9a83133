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
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t) (low[i] + kn_rng_below(rng, (uint64_t) (high[i] - low[i]) + 1));
}
