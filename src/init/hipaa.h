/* SPDX-License-Identifier: Apache-2.0 */
/* hipaa.h -- which of the 18 identifiers of 45 CFR 164.514(b)(2)(i) a column is, and what a release may show
 * of it. Recognised by name and by cells like everything else: what is not recognised is for a person. */
#ifndef KN_INIT_HIPAA_H
#define KN_INIT_HIPAA_H

#include "init/recognise.h"
#include "verify/cells.h"

/** What a column is taken for. */
typedef struct kn_hipaa {
    char         letter; /* of the rule, A to R; 0: none of them */
    kn_cell_rule rule;   /* of its released cells */
    bool doubt; /* a person decides: many different numbers, or a name that may mean little */
} kn_hipaa;

kn_hipaa kn_hipaa_find(const kn_evidence *evidence);
/** Is it free text, which may hold any of them? */
bool kn_hipaa_free_text(const kn_evidence *evidence);
/** The year by which births are judged: the last one of the dates of a table, but not before this version of
 *  the rules was written. Call with 0, then with the evidence of every column. */
int kn_hipaa_year(int year, const kn_evidence *evidence);

#endif
