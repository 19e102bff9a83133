/* SPDX-License-Identifier: Apache-2.0 */
/* node_check.h -- a node under privacy models: what kn_count() tells of rows alone, told for classes that
 * every model accepts. Only asked about nodes that have enough rows; slower than counting, since it
 * looks at the sensitive values of every class. */
#ifndef KN_SEARCH_NODE_CHECK_H
#define KN_SEARCH_NODE_CHECK_H

#include "measure/metric.h"

/** Scratch memory of one thread. */
typedef struct kn_node_check kn_node_check;

typedef struct kn_node_problem {
    const kn_view    *view;
    const kn_scale   *scale;
    const kn_privacy *privacy;
    const kn_coarse  *coarse; /* the group numbers that lost rows are reported in */
    unsigned          want;   /* KN_WANT_... */
} kn_node_problem;

/** The problem is copied; what it points to must outlive the check. */
kanon_status kn_node_check_new(kanon_ctx *ctx, const kn_node_problem *problem, kn_node_check **out);
void         kn_node_check_free(kn_node_check *check);
/** Bytes that a check takes, about. */
size_t kn_node_check_bytes(const kn_node_problem *problem);
/** As kn_count(), every model counted: complete is false when more rows than allowed are outlying. Allocates
 *  nothing, cannot fail. The lost rows are valid until the next call. */
void kn_node_check_run(kn_node_check *check, const uint8_t *node, kn_counted *out);

#endif
