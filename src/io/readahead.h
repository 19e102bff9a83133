/* SPDX-License-Identifier: Apache-2.0 */
/* readahead.h -- a thread that reads blocks of an own stream ahead and hashes them, so that neither
 * waits for the parser. The thread touches no context. */
#ifndef KN_READAHEAD_H
#define KN_READAHEAD_H

#include "io/hash.h"
#include "io/stream.h"

typedef struct kn_readahead kn_readahead;

/** *out stays NULL, without a failure, when the system gives no thread. stream and hash outlive it and
 *  belong to the thread until the end was seen or kn_readahead_stop was called. */
kanon_status kn_readahead_start(kanon_ctx *ctx, kn_stream *stream, kn_hash *hash,
                                kn_readahead **out);
/** The next block, valid until the next call; *count == 0 at the end. */
kanon_status kn_readahead_next(kn_readahead *ahead, const void **bytes, size_t *count);
void         kn_readahead_stop(kn_readahead *ahead);

#endif
