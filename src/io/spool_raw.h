/* SPDX-License-Identifier: Apache-2.0 */
/* spool_raw.h -- spools without a context, for the thread that reads ahead. */
#ifndef KN_SPOOL_RAW_H
#define KN_SPOOL_RAW_H

#include "io/fdio.h"
#include "io/spool.h"

/** As kn_spool_append and kn_spool_read; answer 0 or an errno, which is in *fault too. */
int kn_spool_append_raw(kn_spool *spool, const void *bytes, size_t count, kn_fault *fault);
/** Reads up to capacity bytes; *got == 0 at the end. */
int         kn_spool_read_raw(const kn_spool *spool, uint64_t offset, void *bytes, size_t capacity,
                              size_t *got);
const char *kn_spool_folder(const kn_spool *spool);

#endif
