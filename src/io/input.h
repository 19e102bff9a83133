/* SPDX-License-Identifier: Apache-2.0 */
/* input.h -- the plain bytes of a source: read (ahead if possible), hashed as stored, and decompressed. */
#ifndef KN_INPUT_H
#define KN_INPUT_H

#include "io/hash.h"
#include "kanon/io.h"

typedef enum {
    KN_AHEAD_AUTO,  /* a thread reads ahead in own sources that are not small */
    KN_AHEAD_NEVER, /* for measurements and tests */
    KN_AHEAD_ALWAYS /* in own sources of any size */
} kn_ahead;

typedef struct kn_input kn_input;

kanon_status kn_input_open(kanon_ctx *ctx, const kanon_source *source, kn_ahead ahead,
                           kn_input **out);
void         kn_input_close(kn_input *input);
/** Fills the buffer; *got < capacity only at the end. */
kanon_status kn_input_read(kn_input *input, char *buffer, size_t capacity, size_t *got);
/** Bytes of the source (compressed ones, where it is) used so far. */
uint64_t kn_input_bytes(const kn_input *input);
/** Of all bytes of the source as they are stored; NULL before its end. */
const kn_hash *kn_input_hash(const kn_input *input);

#endif
