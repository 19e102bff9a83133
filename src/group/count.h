/* count.h -- how many rows are outlying at a node, without telling which: the fast way to check.
 * Stops as soon as more rows are outlying than may be; most nodes that a search looks at are far from
 * feasible and are decided by a small part of the table. */
#ifndef KN_GROUP_COUNT_H
#define KN_GROUP_COUNT_H

#include "group/group.h"

/** The tuples in an order that keeps the classes of a node near each other. Read-only, shared by threads. */
typedef struct kn_counter kn_counter;
/** Scratch memory of one thread. */
typedef struct kn_tally kn_tally;

/** Can the nodes at or above a floor be counted this way? (Their keys must fit 63 bits.) */
bool         kn_counter_fits(const kn_view *view, const uint8_t *floor);
kanon_status kn_counter_new(kanon_ctx *ctx, const kn_view *view, kn_counter **out);
void         kn_counter_free(kn_counter *counter);
/** most_classes: a node with more is given up. The counter and its view must outlive the tally. */
kanon_status kn_tally_new(const kn_counter *counter, size_t most_classes, kn_tally **out);
void         kn_tally_free(kn_tally *tally);
/** Bytes that a tally takes, for planning. */
size_t kn_tally_bytes(const kn_view *view, size_t most_classes);

typedef struct kn_counted {
    bool     complete; /* false: given up, more than `allowed` rows are outlying */
    uint64_t outlying; /* rows in classes smaller than k */
    uint64_t classes;  /* of at least k rows */
    double   squares;  /* sum of their squared sizes */
} kn_counted;

/** Allocates nothing, cannot fail. */
void kn_count(kn_tally *tally, const uint8_t *levels, uint64_t k, uint64_t allowed,
              kn_counted *out);

#endif
