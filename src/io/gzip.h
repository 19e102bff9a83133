/* SPDX-License-Identifier: Apache-2.0 */
/* gzip.h -- decompresses gzip as a stream. */
#ifndef KN_GZIP_H
#define KN_GZIP_H

#include "base/base.h"

typedef struct kn_gzip kn_gzip;

/** name is for messages and outlives the object. KANON_E_UNSUPPORTED in a build without zlib. */
kanon_status kn_gzip_new(kanon_ctx *ctx, const char *name, kn_gzip **out);
void         kn_gzip_free(kn_gzip *gzip);
/** Whether bytes start like a gzip file. */
bool kn_gzip_recognise(const void *bytes, size_t count);
/** Hands over compressed bytes, which stay where they are until all are used up. */
void kn_gzip_feed(kn_gzip *gzip, const void *bytes, size_t count);
/** Writes up to capacity plain bytes; *got < capacity means: all that was fed is used up. */
kanon_status kn_gzip_take(kn_gzip *gzip, void *buffer, size_t capacity, size_t *got);
/** To be called when there is nothing more to feed. @return KANON_E_PARSE if that is too early */
kanon_status kn_gzip_end(kn_gzip *gzip);

#endif
