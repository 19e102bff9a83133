/* SPDX-License-Identifier: Apache-2.0 */
/* verify.h -- reads a release back and verifies it from its rows alone, before it is published. */
#ifndef KN_VERIFY_H
#define KN_VERIFY_H

#include "base/keyset.h"
#include "table/rows.h"
#include "verify/audit.h"
#include "verify/cells.h"

/** All that a column of the release may show. */
typedef struct kn_shown {
    size_t  place; /* in the release */
    kn_str *texts; /* [count] */
    size_t  count;
} kn_shown;

/** What the numbers of a column of the release are; missing cells stay as they are. */
typedef struct kn_shown_numbers {
    size_t place;       /* in the release */
    double round;       /* each is a multiple of it, or a bound; 0: any number */
    double top, bottom; /* none is beyond them */
} kn_shown_numbers;

/** A column of pseudonyms, by keyed hashes of the cells that were read and of the pseudonyms made of them. */
typedef struct kn_shown_pseudonyms {
    size_t           place; /* in the release */
    const kn_keyset *read, *made;
    const uint8_t   *key; /* of these hashes */
} kn_shown_pseudonyms;

/** What must be true of a release. */
typedef struct kn_claim {
    size_t        ncolumns;
    const size_t *quasi; /* positions in the release */
    size_t        nquasi;
    const size_t *starred; /* columns whose cells are all `*` */
    size_t        nstarred;
    const kn_shown
          *shown; /* columns whose levels were limited, with their labels at those levels */
    size_t nshown;
    const kn_shown_numbers    *numbers; /* columns that are rounded or have bounds */
    size_t                     nnumbers;
    const kn_shown_pseudonyms *pseudonyms;
    size_t                     npseudonyms;
    const kn_ruled            *ruled; /* columns whose cells a profile has rules for */
    size_t                     nruled;
    const kn_str              *missing; /* cells that mean "no value" */
    size_t                     nmissing;
    uint64_t                   k;
    uint64_t                   rows;    /* that it stands for */
    uint64_t                   records; /* that it has */
    size_t   count;   /* column that says for how many rows each stands; SIZE_MAX: for itself */
    uint64_t classes; /* different quasi-identifier tuples */
    bool     masked;  /* some rows are masked: they read `*` in every quasi-identifier */
    const kn_audit_rules *rules; /* models that every class satisfies; NULL: none beyond k */
} kn_claim;

/** Is a cell one that such a column may show? */
bool kn_verify_number(const kn_claim *claim, const kn_shown_numbers *numbers, kn_str cell);

/** Is a cell a pseudonym, or missing? Never one that was read. */
bool kn_verify_pseudonym(const kn_claim *claim, const kn_shown_pseudonyms *shown, kn_str cell);

/** @param[out] hash  digest of the release
 *  @return KANON_E_VERIFY if anything is not as claimed; the message says what */
kanon_status kn_verify(kanon_ctx *ctx, kn_rows_source *back, const kn_claim *claim,
                       uint8_t hash[KN_HASH_BYTES]);

#endif
