/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_type.h -- the types of Arrow columns that a table may have, and what each cell reads as. */
#ifndef KN_ARROW_TYPE_H
#define KN_ARROW_TYPE_H

#include "base/base.h"
#include "kanon/arrow.h"

typedef enum {
    KN_ARROW_BOOL,
    KN_ARROW_INT,
    KN_ARROW_UINT,
    KN_ARROW_FLOAT, /* half, single and double precision */
    KN_ARROW_DECIMAL,
    KN_ARROW_UTF8, /* offsets of 4 bytes, or of 8 (large_utf8) */
    KN_ARROW_VIEW, /* utf8_view */
    KN_ARROW_DATE, /* days, or the milliseconds of whole days */
    KN_ARROW_TIME,
    KN_ARROW_TIMESTAMP
} kn_arrow_kind;

typedef struct kn_arrow_type {
    kn_arrow_kind kind;
    /** Bytes of a value; of an offset for UTF8; 0 for BOOL, which are bits. */
    unsigned width;
    /** DECIMAL: digits behind the point, from -38 to 38. TIME and TIMESTAMP: units per second as a power of
     *  ten. DATE: units per day are 1, or 86,400,000 where it is 3. */
    int scale;
    /** TIMESTAMP: "" without a zone, else what stands behind the time, "Z" or "+02:00". */
    char zone[7];
    int  zone_minutes; /* east of UTC */
} kn_arrow_type;

/** Reads a format string. @return false: not one of the types above */
bool kn_arrow_type_parse(const char *format, kn_arrow_type *type);
/** A format string in words, for messages: "list", "timestamp"; never NULL. */
const char *kn_arrow_type_words(const char *format);
/** Is it an integer type, that is, may it be the index of a dictionary? */
static inline bool
kn_arrow_type_is_index(const kn_arrow_type *type)
{
    return type->kind == KN_ARROW_INT || type->kind == KN_ARROW_UINT;
}
static inline bool
kn_arrow_type_is_text(const kn_arrow_type *type)
{
    return type->kind == KN_ARROW_UTF8 || type->kind == KN_ARROW_VIEW;
}

/* --- values ---------------------------------------------------------------------------------------- */

/** An array, as its type says. Value i is number first + i of the buffers. */
typedef struct kn_arrow_values {
    const kn_arrow_type *type;
    const uint8_t       *valid;  /* a bit per value; NULL: none is null */
    const uint8_t       *data;   /* values, offsets of texts, or views */
    const char          *text;   /* UTF8: what the offsets point into */
    const void *const   *pieces; /* VIEW: what longer texts lie in */
    size_t               first, length;
} kn_arrow_values;

/** Text of a value that is not text itself: room for the longest. */
enum { KN_ARROW_ROOM = 96 };

/** The cell of a value: canonical text, so that equal texts mean equal values and a CSV of the same
 *  table reads  the same. ptr == NULL: null. Text lies where the array has it, anything else in room. */
kn_str kn_arrow_cell(const kn_arrow_values *values, size_t index, char room[KN_ARROW_ROOM]);

static inline bool
kn_arrow_bit(const uint8_t *bits, size_t at)
{
    return bits[at / 8] >> at % 8 & 1;
}

static inline bool
kn_arrow_is_null(const kn_arrow_values *values, size_t index)
{
    return values->valid && !kn_arrow_bit(values->valid, values->first + index);
}

/** A value of an integer type; unsigned ones of 64 bits keep their bits. */
int64_t kn_arrow_integer(const kn_arrow_values *values, size_t index);

/** A text of up to 12 bytes lies in its view; of a longer one the view holds four bytes and where it lies. */
enum { KN_ARROW_VIEW_BYTES = 16, KN_ARROW_VIEW_INLINE = 12 };
typedef struct kn_arrow_view {
    int32_t length;
    char    prefix[4];
    int32_t piece, offset; /* the rest of the text, where that fits */
} kn_arrow_view;

#endif
