/* SPDX-License-Identifier: Apache-2.0 */
/* compare_words.c -- what the text and the page of a comparison share: names of bins. */
#include "base/fill.h"
#include "report/compare.h"

void
kn_compare_bin_name(kn_text *text, const kn_compared_bin *bin)
{
    switch (bin->kind) {
    case KN_BIN_VALUE:
        kn_plain_name(text, bin->label, 24);
        break;
    case KN_BIN_RANKS:
        if (bin->label) {
            kn_text_addz(text, bin->label);
            break;
        }
        KN_FILL(text, "ranks {}-{} %", kn_as_fixed(bin->from * 100, 0),
                kn_as_fixed(bin->to * 100, 0));
        break;
    case KN_BIN_OTHER:
        kn_text_addz(text, "(all others)");
        break;
    case KN_BIN_RARE:
        kn_text_addz(text, "(rare values)");
        break;
    case KN_BIN_MISSING:
        kn_text_addz(text, "missing");
        break;
    }
}
