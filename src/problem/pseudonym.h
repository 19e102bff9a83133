/* SPDX-License-Identifier: Apache-2.0 */
/* pseudonym.h -- identifiers that become pseudonyms on their way in: equal cells of a column the same one, so
 * that the rows of a person stay linked. A pseudonym is a keyed hash (BLAKE2b) of the column's name and the
 * cell, written in 26 letters and digits: without the key nobody can compute it from a guess, and neither
 * order nor length of the cells shows in it. */
#ifndef KN_PROBLEM_PSEUDONYM_H
#define KN_PROBLEM_PSEUDONYM_H

#include "base/keyset.h"
#include "config/config.h"
#include "table/rows.h"

enum { KN_PSEUDONYM_LETTERS = 26, KN_PSEUDONYM_KEY = 32, KN_PSEUDONYM_PRINT = 16 };

typedef struct kn_pseudonyms kn_pseudonyms;

/** A column of pseudonyms, and the prints (keyed hashes of its own) of what was read and what was made. */
typedef struct kn_pseudonym_column {
    const kn_pseudonyms *all;
    const char          *name;
    kn_keyset           *read, *made;
} kn_pseudonym_column;

struct kn_pseudonyms {
    kanon_ctx           *ctx;
    uint8_t              key[KN_PSEUDONYM_KEY];
    uint8_t              print_key[KN_PSEUDONYM_PRINT];
    kn_pseudonym_column *columns;
    size_t               count;
    kn_rows_source      *of, *source; /* the table, and how it is seen now */
};

/** Is a column of a config one of pseudonyms? */
bool kn_config_pseudonym(const kanon_config *config, kn_str name);
/** Has a text the shape of a pseudonym? */
bool kn_pseudonym_shaped(kn_str text);
/** The key is that of the config's file, else it is made of `secret`, else ("") it is fresh. config and
 *  table are borrowed. kn_pseudonyms_close() is due even after a failure. */
kanon_status kn_pseudonyms_open(kn_pseudonyms *p, kanon_ctx *ctx, const kanon_config *config,
                                const char *secret, kn_rows_source *of);
/** Fails where two cells of a column have one pseudonym, or one cell has two. */
kanon_status kn_pseudonyms_check(const kn_pseudonyms *p);
void         kn_pseudonyms_close(kn_pseudonyms *p);

#endif
