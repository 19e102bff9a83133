/* SPDX-License-Identifier: Apache-2.0 */
/* pack.h -- a code system that comes with kanon: which codes there are, how they are written, and what
 * they belong to. The files of data/hierarchies become bytes of the library when it is built, so that
 * nothing has to be found at run time. A file has a head of "# key: value" lines:
 *
 *   levels   from fine to coarse; first those that are beginnings of the code, then the columns of the table
 *   forms    how a code may be written: a letter, # digit, ? either, anything else itself; ~ before one: it
 *            is read and dropped. | . - and blank end a piece; the last three may stand in a code there,
 *            and do in labels
 *   key      how many pieces of a code are looked up in the table [1]
 *   zeros    how many zeros a code may lack at its beginning, since a spreadsheet took it for a number [0]
 *   endings  characters that may follow a code and mean nothing here []
 *   fill     labels of shortened codes are filled with * to this length [0]
 *
 * and lines "KEYS;LABEL;LABEL...", where KEYS are codes and ranges of codes ("A00-A09 B99"), in the order of
 * their bytes, and the label = is the key of each code. */
#ifndef KN_HIER_PACK_H
#define KN_HIER_PACK_H

#include "base/arena.h"
#include "base/text.h"
#include "kanon/hierarchy.h"

enum { KN_PACK_FORMS = 20, KN_PACK_LEVELS = 8, KN_PACK_CODE = 32 };

typedef struct kn_pack_file {
    kanon_pack           about;
    const unsigned char *bytes;
    size_t               count;
} kn_pack_file;

/** In the order of their names; written by the build. */
extern const kn_pack_file kn_pack_files[];
extern const size_t       kn_pack_file_count;

/** Keys of one length from first to last, and the labels of their line. */
typedef struct kn_pack_key {
    kn_str        first, last;
    const kn_str *labels; /* [nlevels - npieces] */
} kn_pack_key;

typedef struct kn_pack {
    const kanon_pack *about;
    kn_str            levels[KN_PACK_LEVELS];
    size_t            nlevels;
    kn_str            forms[KN_PACK_FORMS];
    size_t            nforms;
    size_t            npieces; /* most that a form has: so many levels are beginnings of the code */
    size_t            key_pieces, zeros, fill;
    kn_str            endings;
    kn_arena          arena; /* labels */
    kn_pack_key      *keys;  /* sorted by length, then by first */
    size_t            nkeys, keys_capacity;
} kn_pack;

/** A value that a pack knows. */
typedef struct kn_pack_code {
    char               text[KN_PACK_CODE]; /* without separators, letters large */
    size_t             npieces;
    size_t             ends[KN_PACK_LEVELS];   /* of each piece in text */
    char               before[KN_PACK_LEVELS]; /* the separator before each piece, or 0 */
    const kn_pack_key *key;
} kn_pack_code;

/** The pack of a name, or NULL. */
const kn_pack_file *kn_pack_named(const char *name);
/** To be finished in any case. */
kanon_status kn_pack_open(kanon_ctx *ctx, const kn_pack_file *file, kn_pack *pack);
void         kn_pack_fini(kn_pack *pack);
/** The place of a level's name, or SIZE_MAX. */
size_t kn_pack_level(const kn_pack *pack, const char *name);
/** Is a cell a code of the system? */
bool kn_pack_find(const kn_pack *pack, kn_str cell, kn_pack_code *code);
/** What a code reads at a level; room is used where the label is not one of the table. */
kn_str kn_pack_label(const kn_pack *pack, const kn_pack_code *code, size_t level,
                     char room[2 * KN_PACK_CODE]);

#endif
