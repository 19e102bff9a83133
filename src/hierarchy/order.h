/* SPDX-License-Identifier: Apache-2.0 */
/* order.h -- what the kind `order` is made of: order.c cuts the buckets, order_label.c names them,
 * order_round.c those of numbers and dates. */
#ifndef KN_HIER_ORDER_H
#define KN_HIER_ORDER_H

#include "hierarchy/build.h"

typedef struct kn_buckets {
    kanon_hierarchy *h;
    const kn_domain *domain;
    kn_item         *items;    /* in order */
    uint64_t        *sums;     /* [count + 1] rows before each place */
    uint8_t         *level_of; /* the highest level at which a place begins a bucket */
    size_t           count;
    size_t           fanout, steps;
    bool             negative; /* numbers below zero: "1-2" would be hard to read */
    bool             comma;    /* decimal commas: "1,5, 2,5" would be as well */
    unsigned         decimals; /* of numbers that rows hold, the most */
    int64_t          unit;     /* what those are multiples of, in units of the last decimal */
    kn_date_format   format;   /* of dates */
    uint8_t         *shown; /* [codes] values that labels show (kn_hier_class); NULL: not asked */
} kn_buckets;

/** A label between round numbers or dates; false, and a part of one in out, if there is no room for them. */
bool kn_order_round(const kn_buckets *b, kn_text *out, size_t first, size_t last);
/** The place from least to most at which a cut of numbers falls on the roundest number; of several the one
 *  nearest to a place. */
size_t kn_order_round_place(const kn_buckets *b, size_t nearest, size_t least, size_t most);
/** The label of the bucket of places first..last; user is a kn_buckets. */
void kn_order_label(const void *user, kn_text *out, size_t level, size_t first, size_t last);
/** Makes the labels of a filled level differ. Groups without a row of the domain give way to all others. */
kanon_status kn_order_names(kanon_hierarchy *h, const kn_domain *domain, size_t level);
/** Gives every group the label of one that no released row is in; it never leaves. */
void kn_order_unlabel(kanon_hierarchy *h, size_t level);
/** How finely the numbers of a release are written. */
kanon_status kn_order_resolve(kn_buckets *b);

#endif
