/* SPDX-License-Identifier: Apache-2.0 */
/* slurp.h -- reads a small source completely, as text. */
#ifndef KN_SLURP_H
#define KN_SLURP_H

#include "base/text.h"
#include "kanon/io.h"

/** The most bytes that a kind of file may have, and what is said of one that has more, or is no text. */
typedef struct kn_slurp_limits {
    size_t      bytes;
    const char *too_long;
    const char *no_text;
} kn_slurp_limits;

/** Adds all of the source to text, and checks that it is UTF-8. */
kanon_status kn_slurp(kanon_ctx *ctx, const kanon_source *source, const kn_slurp_limits *limits,
                      kn_text *text);

#endif
