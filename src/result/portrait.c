/* SPDX-License-Identifier: Apache-2.0 */
/* portrait.c -- the ends of ranges in words. */
#include "result/portrait.h"

#include <math.h>

#include "base/plain.h"

static double
bin_width(const kn_portrait *p)
{
    for (size_t i = 0; i < p->nbins; i++)
        if (!(i == 0 && p->open_low) && !(i + 1 == p->nbins && p->open_high))
            return p->bins[i].high - p->bins[i].low;
    return p->nbins ? p->bins[0].high - p->bins[0].low : 1;
}

void
kn_portrait_edge(kn_text *text, const kn_portrait *portrait, double edge)
{
    double year = floor(edge / 12);

    if (portrait->kind != KN_SCALE_MONTH) {
        kn_plain_number(text, edge);
        return;
    }
    kn_text_addf(text, "%.0f", year);
    if (bin_width(portrait) < 12)
        kn_text_addf(text, "-%02.0f", edge - 12 * year + 1);
}

void
kn_portrait_bin(kn_text *text, const kn_portrait *portrait, size_t bin)
{
    bool low = bin == 0 && portrait->open_low;
    bool high = bin + 1 == portrait->nbins && portrait->open_high;
    bool date = portrait->kind == KN_SCALE_MONTH;

    assert(bin < portrait->nbins);
    if (low && high) {
        kn_text_addz(text, "all values");
    } else if (low) {
        kn_text_addz(text, date ? "before " : "under ");
        kn_portrait_edge(text, portrait, portrait->bins[bin].high);
    } else if (high) {
        kn_portrait_edge(text, portrait, portrait->bins[bin].low);
        kn_text_addz(text, date ? " and later" : " and more");
    } else {
        kn_portrait_edge(text, portrait, portrait->bins[bin].low);
        kn_text_addz(text, date ? " to before " : " to under ");
        kn_portrait_edge(text, portrait, portrait->bins[bin].high);
    }
}
