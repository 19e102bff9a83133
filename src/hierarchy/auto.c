/* SPDX-License-Identifier: Apache-2.0 */
/* auto.c -- a sensible hierarchy for any column, so that nobody must write one to start: numbers in
 * ranges, dates and times by units that fit, codes masked from the right, everything else in buckets.
 * The choice depends on the values alone, never on the order of the rows. */
#include "hierarchy/build.h"

#include <stdio.h>

enum { FEW_VALUES = 3, CODE_SHORTEST = 2, CODE_LONGEST = 10, FANOUT_LEAST = 4, FANOUT_MOST = 64 };

static bool
is_code_char(char c)
{
    return kn_is_digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == ' ';
}

/* Postcodes and the like: 2 to 10 characters, lengths that hardly differ, digits and capital letters;
 * at least half of them with a digit, since the first letters of words group nothing. */
static bool
looks_like_codes(const kn_domain *domain)
{
    size_t lengths[CODE_LONGEST + 1] = { 0 };
    size_t count = 0, codes = 0, digits = 0, usual = 0;

    for (size_t i = 0; i < domain->count; i++) {
        kn_str text = domain->values[i];
        bool   code = true, digit = false;

        if (i == domain->missing)
            continue;
        if (text.len < CODE_SHORTEST || text.len > CODE_LONGEST)
            return false;
        for (size_t c = 0; c < text.len; c++) {
            code &= is_code_char(text.ptr[c]);
            digit |= kn_is_digit(text.ptr[c]);
        }
        count++;
        codes += code;
        digits += digit;
        lengths[text.len]++;
    }
    for (size_t length = 0; length < CODE_LONGEST; length++)
        if (lengths[length] + lengths[length + 1] > usual)
            usual = lengths[length] + lengths[length + 1];
    return 10 * codes >= 9 * count && 2 * digits >= count && 10 * usual >= 9 * count;
}

static bool
looks_like_times(const kn_domain *domain)
{
    int32_t second;

    for (size_t i = 0; i < domain->count; i++)
        if (i != domain->missing && !kn_clock_parse(domain->values[i], &second))
            return false;
    return true;
}

/* About four steps from the values to `*`. */
static unsigned
fanout_for(size_t count)
{
    unsigned fanout = FANOUT_LEAST;

    while (fanout < FANOUT_MOST && (uint64_t) fanout * fanout * fanout * fanout < count)
        fanout++;
    return fanout;
}

static kanon_status
fill_auto(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kn_hier_spec chosen = { .kind = KN_HIER_ORDER };
    size_t       count = domain->count - (domain->missing != KN_NO_CODE);
    char         fanout[16];
    const char  *items[1] = { fanout };

    KN_UNUSED(spec);
    h->kind = KN_HIER_ORDER;
    if (count <= FEW_VALUES && h->type != KN_TYPE_DATE)
        return kn_hier_flat_fill(h, domain);
    if (h->type == KN_TYPE_NUMBER)
        chosen.kind = KN_HIER_RANGE;
    else if (h->type == KN_TYPE_DATE)
        chosen.kind = KN_HIER_DATE;
    else if (h->type == KN_TYPE_STRING && looks_like_times(domain))
        chosen.kind = KN_HIER_TIME;
    else if (h->type == KN_TYPE_STRING && looks_like_codes(domain))
        chosen.kind = KN_HIER_MASK;
    if (chosen.kind == KN_HIER_ORDER) {
        snprintf(fanout, sizeof fanout, "%u", fanout_for(count));
        chosen.items = items;
        chosen.nitems = 1;
    }
    h->kind = chosen.kind;
    return kn_hier_class_of(chosen.kind)->fill(h, &chosen, domain);
}

const kn_hier_class kn_hier_auto = {
    .kind = KN_HIER_AUTO,
    .name = "auto",
    .summary = "chosen from the column's values",
    .fill = fill_auto,
};
