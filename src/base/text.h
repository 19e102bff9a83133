/* SPDX-License-Identifier: Apache-2.0 */
/* text.h -- growing text buffers, UTF-8, and the nearest of several names ("did you mean"). */
#ifndef KN_TEXT_H
#define KN_TEXT_H

#include "base/base.h"

/** A growing text; always terminated once something was added. A failed growth is remembered, so
 *  that many adds can be followed by one look at `failed`. */
typedef struct kn_text {
    kanon_ctx *ctx;
    char      *ptr;
    size_t     len;
    size_t     capacity;
    bool       failed;
} kn_text;

void kn_text_init(kn_text *text, kanon_ctx *ctx);
void kn_text_fini(kn_text *text);
void kn_text_add(kn_text *text, kn_str piece);
void kn_text_addz(kn_text *text, const char *piece);
/** A piece with its length in front, so that pieces in a row are never mistaken for others. A piece without
 *  bytes to point to (ptr NULL) differs from an empty one. */
void kn_text_add_framed(kn_text *text, kn_str piece);
void kn_text_addf(kn_text *text, const char *format, ...) KN_PRINTF(2, 3);
/** @return KANON_E_NOMEM if any add failed */
kanon_status kn_text_status(const kn_text *text);
/** Moves the terminated text out; NULL if an add failed. The buffer is empty afterwards. */
char *kn_text_take(kn_text *text);

/** The first byte that is not valid UTF-8, or len when all is well. Overlong forms, surrogates and
 *  code points past U+10FFFF are invalid; NUL is valid here. */
size_t kn_utf8_check(const char *bytes, size_t len);
/** Cuts an incomplete multi-byte character off the end (of a truncated message). */
void kn_utf8_trim_tail(char *text, size_t len);
/** Code points in valid UTF-8. */
size_t kn_utf8_count(kn_str text);
/** Byte length of the character that starts at text[at]. */
size_t kn_utf8_step(kn_str text, size_t at);

/** The candidate that differs least from a word (edit distance up to a third of its length), or
 *  NULL. candidates ends with NULL. */
const char *kn_nearest(const char *word, const char *const *candidates);

/** Takes the next piece up to a separator: false at the end. `rest` is advanced. Pieces are trimmed
 *  of blanks. "a,,b" yields an empty piece in the middle. */
bool   kn_str_split(kn_str *rest, char separator, kn_str *piece);
kn_str kn_str_trim(kn_str text);
/** How many bytes of somebody's value a message shows: enough to find it. */
size_t kn_str_brief(kn_str text);
/** For "%.*s%s": the beginning of a value. */
#define KN_BRIEF(s)                                                                                \
    ((int) kn_str_brief(s)), ((s).ptr ? (s).ptr : ""), (kn_str_brief(s) < (s).len ? "..." : "")

#endif
