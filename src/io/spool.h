/* SPDX-License-Identifier: Apache-2.0 */
/* spool.h -- private temporary files: nameless (or unlinked at once), readable by nobody else. */
#ifndef KN_SPOOL_H
#define KN_SPOOL_H

#include "base/base.h"

typedef struct kn_spool kn_spool;

/** In folder (NULL: the context's temp_dir). */
kanon_status kn_spool_new(kanon_ctx *ctx, const char *folder, kn_spool **out);
void         kn_spool_free(kn_spool *spool);
/** Appends; retries short writes and EINTR. *offset (may be NULL) tells where the bytes went. */
kanon_status kn_spool_append(kn_spool *spool, const void *bytes, size_t count, uint64_t *offset);
/** Reads exactly count bytes. */
kanon_status kn_spool_read(const kn_spool *spool, uint64_t offset, void *bytes, size_t count);
uint64_t     kn_spool_size(const kn_spool *spool);

#endif
