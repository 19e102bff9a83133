/* SPDX-License-Identifier: Apache-2.0 */
/* json_read.h -- reads JSON that kanon itself has written, piece by piece. It builds no tree: the caller
 * asks for what it expects next, or skips it. Every error names the line. */
#ifndef KN_JSON_READ_H
#define KN_JSON_READ_H

#include "base/text.h"

enum { KN_JSON_NEST_MOST = 32 };

typedef struct kn_json_in {
    kanon_ctx  *ctx;
    const char *name; /* of the file, for messages */
    const char *made; /* the command that writes such a file, for messages */
    kn_str      text;
    size_t      at;
    unsigned    depth;
    bool        filled[KN_JSON_NEST_MOST]; /* something stood in what is open already */
} kn_json_in;

void kn_json_in_init(kn_json_in *in, kanon_ctx *ctx, const char *name, kn_str text);
/** As kn_fail_at with KANON_E_PARSE, at the current line. */
kanon_status kn_json_in_fail(const kn_json_in *in, const char *format, ...) KN_PRINTF(2, 3);
/** The line of a place in the text. */
uint64_t kn_json_in_line(const kn_json_in *in, size_t at);

kanon_status kn_json_in_object(kn_json_in *in);
kanon_status kn_json_in_array(kn_json_in *in);
/** The next key of an object; *more is false at its end. */
kanon_status kn_json_in_key(kn_json_in *in, kn_text *key, bool *more);
/** Is there another item in an array? */
kanon_status kn_json_in_item(kn_json_in *in, bool *more);

kanon_status kn_json_in_string(kn_json_in *in, kn_text *out);
/** A whole number from 0. */
kanon_status kn_json_in_count(kn_json_in *in, uint64_t *out);
/** Nothing but blanks may be left. */
kanon_status kn_json_in_end(kn_json_in *in);
/** Any value, as it stands in the text. span may be NULL. */
kanon_status kn_json_in_skip(kn_json_in *in, kn_str *span);

#endif
