/* SPDX-License-Identifier: Apache-2.0 */
/* scan_body.h -- the loops of scans, compiled once for each set of instructions: KN_SCAN_TARGET is the
 * attribute, KN_SCAN_SET the name. Plain loops over plain arrays, which compilers turn into vectors. */

KN_SCAN_TARGET static void
KN_SCAN_NAME(add_points)(const kn_term *term, const uint32_t *restrict lo, size_t count,
                         uint32_t *restrict out)
{
    const uint32_t low = term->lo, high = term->hi, delta = term->delta, span = high - low;
    const uint32_t sign = term->sign;

    switch (term->kind) {
    case KN_TERM_OUTSIDE:
        for (size_t i = 0; i < count; i++)
            out[i] += lo[i] - low > span ? delta : 0;
        break;
    case KN_TERM_NUMBER:
        for (size_t i = 0; i < count; i++) {
            uint32_t most = lo[i] > high ? lo[i] : high, least = lo[i] < low ? lo[i] : low;

            out[i] += ((most - least) ^ sign) - sign;
        }
        break;
    case KN_TERM_PRESENT:
        for (size_t i = 0; i < count; i++) {
            uint32_t most = lo[i] > high ? lo[i] : high, least = lo[i] < low ? lo[i] : low;

            out[i] += ((lo[i] == UINT32_MAX ? delta : most - least) ^ sign) - sign;
        }
        break;
    case KN_TERM_MISSING:
        for (size_t i = 0; i < count; i++)
            out[i] += lo[i] == UINT32_MAX ? 0 : delta;
        break;
    }
}

KN_SCAN_TARGET static void
KN_SCAN_NAME(add_boxes)(const kn_term *term, const uint32_t *restrict lo,
                        const uint32_t *restrict hi, size_t count, uint32_t *restrict out)
{
    const uint32_t low = term->lo, high = term->hi, delta = term->delta, sign = term->sign;

    switch (term->kind) {
    case KN_TERM_OUTSIDE:
        for (size_t i = 0; i < count; i++)
            out[i] += ((lo[i] < low) | (hi[i] > high)) ? delta : 0;
        break;
    case KN_TERM_NUMBER:
        for (size_t i = 0; i < count; i++) {
            uint32_t most = hi[i] > high ? hi[i] : high, least = lo[i] < low ? lo[i] : low;

            out[i] += ((most - least) ^ sign) - sign;
        }
        break;
    case KN_TERM_PRESENT:
        for (size_t i = 0; i < count; i++) {
            uint32_t most = hi[i] > high ? hi[i] : high, least = lo[i] < low ? lo[i] : low;

            out[i] += ((hi[i] == UINT32_MAX ? delta : most - least) ^ sign) - sign;
        }
        break;
    case KN_TERM_MISSING:
        for (size_t i = 0; i < count; i++)
            out[i] += lo[i] == UINT32_MAX ? 0 : delta;
        break;
    }
}

static void
KN_SCAN_NAME(add)(const kn_term *term, const uint32_t *lo, const uint32_t *hi, size_t count,
                  uint32_t *out)
{
    if (lo == hi)
        KN_SCAN_NAME(add_points)(term, lo, count, out);
    else
        KN_SCAN_NAME(add_boxes)(term, lo, hi, count, out);
}

KN_SCAN_TARGET static void
KN_SCAN_NAME(span)(const uint32_t *restrict values, const uint32_t *restrict weights, size_t count,
                   uint32_t *least, uint32_t *most)
{
    uint32_t low = UINT32_MAX, high = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t up = weights[i] ? values[i] : UINT32_MAX, down = weights[i] ? values[i] : 0;

        low = up < low ? up : low;
        high = down > high ? down : high;
    }
    *least = low;
    *most = high;
}

static const kn_scan_loops KN_SCAN_SET = { KN_SCAN_TITLE, KN_SCAN_NAME(add), KN_SCAN_NAME(span) };

#undef KN_SCAN_TARGET
#undef KN_SCAN_NAME
#undef KN_SCAN_SET
#undef KN_SCAN_TITLE
