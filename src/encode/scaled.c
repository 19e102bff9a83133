/* SPDX-License-Identifier: Apache-2.0 */
/* scaled.c -- decimals as whole numbers, and back. */
#include "encode/scaled.h"

#include <inttypes.h>
#include <stdio.h>

int64_t
kn_floor_div(int64_t value, int64_t width)
{
    assert(width > 0);
    return value / width - (value % width < 0);
}

bool
kn_scale_decimal(kn_decimal value, unsigned decimals, int64_t *out)
{
    int64_t scaled = value.mantissa;

    for (unsigned i = decimals; i < value.decimals; i++)
        scaled = kn_floor_div(scaled, 10);
    for (unsigned i = value.decimals; i < decimals; i++) {
        if (scaled > KN_SCALED_MOST / 10 || scaled < -KN_SCALED_MOST / 10)
            return false;
        scaled *= 10;
    }
    *out = scaled;
    return scaled <= KN_SCALED_MOST && scaled >= -KN_SCALED_MOST;
}

void
kn_text_add_scaled(kn_text *out, const kn_number_style *style, int64_t value)
{
    char   digits[32];
    size_t length;

    if (value < 0)
        kn_text_add(out, KN_STR("-"));
    length = (size_t) snprintf(digits, sizeof digits, "%0*" PRIu64, (int) style->decimals + 1,
                               value < 0 ? (uint64_t) -value : (uint64_t) value);
    kn_text_add(out, (kn_str){ digits, length - style->decimals });
    if (style->decimals) {
        kn_text_addz(out, style->comma ? "," : ".");
        kn_text_add(out, (kn_str){ digits + length - style->decimals, style->decimals });
    }
}

const char *
kn_interval_mark(const kn_number_style *style, kn_upper_end end)
{
    if (style->brackets)
        return style->comma ? "; " : ", ";
    return style->dash ? "-" : end == KN_UPPER_OUTSIDE ? " to under " : " to ";
}

void
kn_text_add_interval(kn_text *out, const kn_number_style *style, int64_t low, int64_t high,
                     kn_upper_end end)
{
    assert(low <= high);
    if (style->brackets)
        kn_text_add(out, KN_STR("["));
    kn_text_add_scaled(out, style, low);
    kn_text_addz(out, kn_interval_mark(style, end));
    kn_text_add_scaled(out, style, high);
    if (style->brackets)
        kn_text_addz(out, end == KN_UPPER_OUTSIDE ? ")" : "]");
}
