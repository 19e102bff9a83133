/* SPDX-License-Identifier: Apache-2.0 */
/* judge.h -- a node under privacy models: what kn_count() tells of rows alone, told for classes that
 * every model accepts. Only asked about nodes that have enough rows; slower than counting, since it
 * looks at the sensitive values of every class. */
#ifndef KN_SEARCH_JUDGE_H
#define KN_SEARCH_JUDGE_H

#include "measure/metric.h"

/** Scratch memory of one thread. */
typedef struct kn_judge kn_judge;

typedef struct kn_judge_problem {
    const kn_view    *view;
    const kn_scale   *scale;
    const kn_privacy *privacy;
    const kn_coarse  *coarse; /* the group numbers that lost rows are reported in */
    unsigned          want;   /* KN_WANT_... */
} kn_judge_problem;

/** The problem is copied; what it points to must outlive the judge. */
kanon_status kn_judge_new(kanon_ctx *ctx, const kn_judge_problem *problem, kn_judge **out);
void         kn_judge_free(kn_judge *judge);
/** Bytes that a judge takes, about. */
size_t kn_judge_bytes(const kn_judge_problem *problem);
/** As kn_count(), every model counted: complete is false when more rows than allowed are outlying. Allocates
 *  nothing, cannot fail. The lost rows are valid until the next call. */
void kn_judge_node(kn_judge *judge, const uint8_t *node, kn_counted *out);

#endif
