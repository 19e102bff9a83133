/* SPDX-License-Identifier: Apache-2.0 */
/* spelling.h -- local recoding: the text of every class in every column. Classes with the same texts are
 * one class to a reader of the release, so they become one here. */
#ifndef KN_SPELLING_H
#define KN_SPELLING_H

#include "group/centre.h"
#include "table/dict.h"

typedef struct kn_spelling {
    kanon_ctx *ctx;
    size_t     nclasses, nquasi;
    kn_dict  **texts; /* [nquasi] the released values of a column, each once */
    uint32_t  *ids;   /* [class * nquasi + column] into texts */
    uint32_t  *joint; /* [class] number among the classes as a reader of the release sees them */
    size_t     njoint;
    uint32_t   star; /* the joint class that reads `*` everywhere, or KN_NO_CLASS */
} kn_spelling;

/** centres NULL: intervals and groups. */
kanon_status kn_spelling_new(const kn_recipes *recipes, const kn_centre *centres,
                             kn_spelling **out);
void         kn_spelling_free(kn_spelling *spelling);

#endif
