/* SPDX-License-Identifier: Apache-2.0 */
/* encoding.h -- which encoding the bytes of a table are in, and how they become UTF-8 and back. */
#ifndef KN_FORMATS_ENCODING_H
#define KN_FORMATS_ENCODING_H

#include "base/text.h"
#include "table/rows.h"

/** By encoding, then NULL: the words of the setting. */
extern const char *const kn_encoding_names[];

typedef struct kn_encoding_found {
    kn_encoding encoding; /* never AUTO */
    kn_encoding mark;     /* what a byte-order mark says; AUTO: there is none */
    size_t      mark_bytes;
    bool        big;     /* UTF-16: the high byte comes first */
    bool        guessed; /* nobody named it and no mark says so */
} kn_encoding_found;

/** The encoding of a text by its first bytes. Without a mark it is UTF-8 unless most of every second byte is
 *  NUL (UTF-16), or letters stand in it as they do in Windows-1252 and nothing is UTF-8. A mark of UTF-8
 *  counts more than UTF-16 that was asked for: releases of such tables have one. */
kn_encoding_found kn_encoding_find(kn_str bytes, kn_encoding asked);

/** Turns bytes of an encoding into UTF-8, piece by piece. What the encoding has no character for becomes
 *  bytes that are no UTF-8, so that whoever checks the text finds them in their line. */
typedef struct kn_decoder {
    kn_encoding encoding;
    bool        big;
    uint16_t high; /* the first half of a character whose second half has not come yet; 0: none */
} kn_decoder;

/** One byte becomes at most so many; and as many more come from an earlier piece. */
enum { KN_DECODED_MOST = 3 };

typedef enum { KN_PIECE, KN_LAST_PIECE } kn_piece;
/** @param count even, unless it is the end
 *  @return bytes written; `to` may end where `from` does if it has room for KN_DECODED_MOST times
 *          (count + 1) */
size_t kn_decode(kn_decoder *decoder, const char *from, size_t count, kn_piece piece, char *to);

/** UTF-8 to an encoding of one byte a character, in place; other encodings stay as they are. @return false if
 *  a character has no place there */
bool kn_encode(kn_text *text, kn_encoding encoding);

#endif
