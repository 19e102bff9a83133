/* SPDX-License-Identifier: Apache-2.0 */
/* order.h -- what the kind `order` is made of: order.c cuts the buckets, order_label.c names them. */
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
} kn_buckets;

/** The label of the bucket of places first..last; user is a kn_buckets. */
void kn_order_label(const void *user, kn_text *out, size_t level, size_t first, size_t last);
/** Makes the labels of a filled level differ. */
kanon_status kn_order_names(kanon_hierarchy *h, size_t level);

#endif
