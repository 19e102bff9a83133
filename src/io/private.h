/* SPDX-License-Identifier: Apache-2.0 */
/* private.h -- small files that hold a secret. */
#ifndef KN_IO_PRIVATE_H
#define KN_IO_PRIVATE_H

#include "base/base.h"

/** Reads a file that nobody but its owner may read. Refuses others, and files of more than `most` bytes. */
kanon_status kn_private_read(kanon_ctx *ctx, const char *path, char *out, size_t most,
                             size_t *length);

#endif
