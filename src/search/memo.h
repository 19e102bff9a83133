/* SPDX-License-Identifier: Apache-2.0 */
/* memo.h -- scores of nodes already answered, under their exact level vectors. Bounded: when full it stops
 * learning, which costs time, never correctness. */
#ifndef KN_MEMO_H
#define KN_MEMO_H

#include "search/search.h"

typedef struct kn_memo kn_memo;

typedef enum { KN_MEMO_NONE, KN_MEMO_PENDING, KN_MEMO_KNOWN } kn_memo_state;

kanon_status kn_memo_new(kanon_ctx *ctx, size_t n, kn_memo **out);
void         kn_memo_free(kn_memo *memo);
/** *score is filled when KNOWN. */
kn_memo_state kn_memo_get(const kn_memo *memo, const uint8_t *node, kn_score *score);
/** Marks a node whose answer is on its way. */
kanon_status kn_memo_expect(kn_memo *memo, const uint8_t *node);
kanon_status kn_memo_put(kn_memo *memo, const uint8_t *node, const kn_score *score);

#endif
