/* SPDX-License-Identifier: Apache-2.0 */
/* order_label.c -- what the buckets of the kind `order` are called. A label goes into the rows of
 * everybody in its bucket. It must not reveal the value of one of them: the column's extremes and the
 * texts that few rows hold are left out of it. */
#include "encode/scaled.h"
#include "hierarchy/order.h"
#include "table/dict.h"

/* So many members, so short, are listed if none of them is rare. */
enum { LISTED_MOST = 3, LISTED_BYTES = 24 };
/* An end of a bucket that must not be shown: an ellipsis. */
#define NOTHING_TOLD "\xe2\x80\xa6"

static kn_str
member(const kn_buckets *b, size_t place)
{
    return b->domain->values[b->items[place].code];
}

static bool
is_rare(const kn_buckets *b, size_t place)
{
    const uint64_t *rows = b->domain->rows;

    return (rows ? rows[b->items[place].code] : 1) < b->domain->rare;
}

static bool
is_listed(const kn_buckets *b, size_t first, size_t last)
{
    size_t bytes = 0;

    if (last - first >= LISTED_MOST)
        return false;
    for (size_t i = first; i <= last; i++) {
        if (is_rare(b, i))
            return false;
        bytes += member(b, i).len;
    }
    return first == last || bytes <= LISTED_BYTES;
}

static void
add_members(const kn_buckets *b, kn_text *out, size_t first, size_t last)
{
    kn_text_addz(out, first < last ? "{" : "");
    for (size_t i = first; i <= last; i++) {
        kn_text_addz(out, i > first ? ", " : "");
        kn_text_add(out, member(b, i));
    }
    kn_text_addz(out, first < last ? "}" : "");
}

/* --- labels of texts: no more of a value than tells the buckets apart -------------------------- */

static bool
begins_with(kn_str text, kn_str prefix)
{
    return text.len >= prefix.len && kn_bytes_equal(text.ptr, prefix.ptr, prefix.len);
}

/* The blanks that a value begins with, and one character. */
static kn_str
first_character(kn_str text)
{
    size_t at = 0;

    while (at < text.len && text.ptr[at] == ' ')
        at++;
    if (at < text.len)
        at += kn_utf8_step(text, at);
    return (kn_str){ text.ptr, at };
}

/* The shortest prefix in whole characters that `other` does not begin with; all of a text that `other`
 * begins with. */
static kn_str
parting(kn_str text, kn_str other)
{
    kn_str prefix = first_character(text);

    while (prefix.len < text.len && begins_with(other, prefix))
        prefix.len += kn_utf8_step(text, prefix.len);
    return prefix;
}

static kn_str
without_last_character(kn_str text)
{
    kn_str shorter = { text.ptr, 0 };

    for (size_t next = 0; next < text.len;) {
        shorter.len = next;
        next += kn_utf8_step(text, next);
    }
    return shorter;
}

/* Blanks at the end cannot be seen. */
static kn_str
without_last_blanks(kn_str text)
{
    while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t'))
        text.len--;
    return text;
}

/* The first place whose value does not sort before a text. */
static size_t
place_of(const kn_buckets *b, kn_str text)
{
    size_t low = 0, high = b->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (kn_str_compare(member(b, middle), text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Is a prefix all of a rare value, as one reads it? */
static bool
is_rare_value(const kn_buckets *b, kn_str prefix)
{
    for (size_t i = place_of(b, prefix);
         i < b->count && kn_str_equal(without_last_blanks(member(b, i)), prefix); i++)
        if (is_rare(b, i))
            return true;
    return false;
}

/* Rows whose value begins with a prefix. */
static uint64_t
rows_that_share(const kn_buckets *b, kn_str prefix)
{
    size_t first = place_of(b, prefix), end = b->count, low = first;

    while (low < end) {
        size_t middle = low + (end - low) / 2;

        if (begins_with(member(b, middle), prefix))
            low = middle + 1;
        else
            end = middle;
    }
    return b->sums[low] - b->sums[first];
}

/* As much of a prefix as enough rows share, and as spells out no rare value. Labels of neighbours may overlap
 * then, which tells less than the value would. */
static kn_str
discreet(const kn_buckets *b, kn_str prefix)
{
    while (prefix.len
           && (is_rare_value(b, without_last_blanks(prefix))
               || (!b->domain->exact && rows_that_share(b, prefix) < b->domain->rare)))
        prefix = without_last_character(without_last_blanks(prefix));
    return without_last_blanks(prefix).len ? prefix : (kn_str){ prefix.ptr, 0 };
}

/* Notes whose values begin with a prefix that few rows share. */
static void
note_prefix(const kn_buckets *b, kn_str prefix)
{
    if (!b->shown || !prefix.len || rows_that_share(b, prefix) >= b->domain->rare)
        return;
    for (size_t i = place_of(b, prefix); i < b->count && begins_with(member(b, i), prefix); i++)
        b->shown[b->items[i].code] = 1;
}

static kn_str
lower_end(const kn_buckets *b, size_t first)
{
    return discreet(b, first ? parting(member(b, first), member(b, first - 1))
                             : first_character(member(b, first)));
}

static kn_str
upper_end(const kn_buckets *b, size_t last)
{
    return discreet(b, last + 1 < b->count ? parting(member(b, last), member(b, last + 1))
                                           : first_character(member(b, last)));
}

static void
add_prefixes(const kn_buckets *b, kn_text *out, size_t first, size_t last)
{
    kn_str from = lower_end(b, first), to = upper_end(b, last);

    note_prefix(b, from);
    note_prefix(b, to);
    kn_text_add(out, from.len ? from : KN_STR(NOTHING_TOLD));
    if (!from.len && !to.len)
        return;
    kn_text_addz(out, "..");
    if (!to.len)
        kn_text_addz(out, NOTHING_TOLD);
    else if (!begins_with(from, to)) /* "nurse..n" would only confuse */
        kn_text_add(out, to);
}

/* --- labels of numbers and dates: the ends of the column stay open ------------------------------ */

static uint64_t
key(const kn_buckets *b, size_t place)
{
    return b->items[place].key;
}

static void
add_bound(const kn_buckets *b, kn_text *out, const char *relation, size_t place)
{
    kn_text_addz(out, relation);
    kn_text_add(out, kn_str_trim(member(b, place)));
    for (size_t i = place; b->shown && i < b->count && key(b, i) == key(b, place); i++)
        b->shown[b->items[i].code] = 1;
    for (size_t i = place; b->shown && i-- > 0 && key(b, i) == key(b, place);)
        b->shown[b->items[i].code] = 1;
}

/* A bucket of the least value alone is named by what it lies below. */
static void
add_lowest(const kn_buckets *b, kn_text *out, size_t last)
{
    uint64_t least = key(b, 0), most = key(b, b->count - 1);
    size_t   next = last;

    while (key(b, next) == least)
        next++;
    if (next == last)
        add_bound(b, out, "<=", last);
    else if (key(b, next) != most)
        add_bound(b, out, "<", next);
    else
        kn_text_addz(out, "lowest"); /* two different numbers in all, in several spellings */
}

static void
add_highest(const kn_buckets *b, kn_text *out, size_t first)
{
    uint64_t least = key(b, 0), most = key(b, b->count - 1);
    size_t   before = first;

    while (key(b, before) == most)
        before--;
    if (before == first)
        add_bound(b, out, ">=", first);
    else if (key(b, before) != least)
        add_bound(b, out, ">", before);
    else
        kn_text_addz(out, "highest");
}

static void
add_between(const kn_buckets *b, kn_text *out, size_t first, size_t last)
{
    bool            number = b->h->type == KN_TYPE_NUMBER, brackets = number && b->negative;
    kn_number_style style = { .comma = b->comma, .brackets = brackets, .dash = b->domain->dash };

    if (first == last) {
        kn_text_add(out, member(b, first));
        return;
    }
    add_bound(b, out, brackets ? "[" : "", first);
    kn_text_addz(out, number ? kn_interval_mark(&style, KN_UPPER_INSIDE) : " - ");
    add_bound(b, out, "", last);
    kn_text_addz(out, brackets ? "]" : "");
}

static void
add_interval(const kn_buckets *b, kn_text *out, size_t first, size_t last)
{
    bool lowest = key(b, first) == key(b, 0), highest = key(b, last) == key(b, b->count - 1);

    if (lowest && highest)
        kn_text_addz(out, "any"); /* one number in several spellings */
    else if (lowest)
        add_lowest(b, out, last);
    else if (highest)
        add_highest(b, out, first);
    else
        add_between(b, out, first, last);
}

static void
add_round(const kn_buckets *b, kn_text *out, size_t first, size_t last)
{
    size_t begin = out->len;

    if (kn_order_round(b, out, first, last))
        return;
    out->len = begin;
    kn_text_addz(out, NOTHING_TOLD);
}

void
kn_order_label(const void *user, kn_text *out, size_t level, size_t first, size_t last)
{
    const kn_buckets *b = user;

    assert(first <= last);
    KN_UNUSED(level);
    if (b->h->type == KN_TYPE_NUMBER || b->h->type == KN_TYPE_DATE)
        (b->domain->exact ? add_interval : add_round)(b, out, first, last);
    else if (is_listed(b, first, last))
        add_members(b, out, first, last);
    else
        add_prefixes(b, out, first, last);
}

/* --- names ------------------------------------------------------------------------------------ */

void
kn_order_unlabel(kanon_hierarchy *h, size_t level)
{
    for (uint32_t g = 0; g < h->levels[level].ngroups; g++)
        h->levels[level].labels[g] = KN_STR(NOTHING_TOLD);
}

/* Gives a group a label that the level does not have yet; numbers in brackets begin with n. */
static kanon_status
name_group(kanon_hierarchy *h, size_t level, uint32_t group, unsigned n, kn_dict *names)
{
    kanon_status rc = KANON_OK;
    kn_str       wanted = h->levels[level].labels[group], name = wanted;
    uint32_t     ignored;
    kn_text      text;

    kn_text_init(&text, h->ctx);
    for (; kn_dict_find(names, name) != KN_NO_CODE; n++) {
        text.len = 0;
        kn_text_add(&text, wanted);
        kn_text_addf(&text, " (%u)", n);
        KN_TRY(kn_text_status(&text));
        name = (kn_str){ text.ptr, text.len };
    }
    KN_TRY(kn_dict_add(names, name, &ignored));
    if (name.ptr != wanted.ptr)
        KN_TRY(kn_build_label(h, level, group, name));
out:
    kn_text_fini(&text);
    return rc;
}

/* Is the group of a value called by the text of that value? */
static bool
is_itself(const kanon_hierarchy *h, size_t level, uint32_t leaf)
{
    const kn_level *l = &h->levels[level];

    return kn_str_equal(l->labels[l->group_of[leaf]], h->levels[0].labels[leaf]);
}

/* Who is named when: single values keep their text, and groups that nobody is released in must not show. */
typedef enum { UNHELD, HELD, ITSELF, STAGES } stage;

static void
find_stages(const kanon_hierarchy *h, const kn_domain *domain, size_t level, uint8_t *stages)
{
    const uint32_t *group_of = h->levels[level].group_of;

    for (uint32_t i = 0; i < h->nleaves; i++) {
        bool held = domain->exact || !domain->rows || domain->rows[i];

        if (held && stages[group_of[i]] < HELD)
            stages[group_of[i]] = HELD;
        if (held && is_itself(h, level, i))
            stages[group_of[i]] = ITSELF;
    }
}

/* Values are free text, so a bucket's label may be the text of a value or of another bucket. */
kanon_status
kn_order_names(kanon_hierarchy *h, const kn_domain *domain, size_t level)
{
    kanon_status rc = KANON_OK;
    kn_level    *l = &h->levels[level];
    kn_dict     *names = NULL;
    uint8_t     *stages = KN_NEW_ARRAY(h->ctx, uint8_t, l->ngroups);

    assert(level < h->nlevels && domain->count == h->nleaves);
    if (!stages)
        return KANON_E_NOMEM;
    KN_TRY(kn_dict_new(h->ctx, &names));
    find_stages(h, domain, level, stages);
    for (unsigned s = STAGES; s-- > 0;)
        for (uint32_t g = 0; g < l->ngroups; g++)
            if (stages[g] == s)
                KN_TRY(name_group(h, level, g, s == UNHELD ? g + 2 : 2, names));
out:
    kn_dict_free(names);
    kn_free(h->ctx, stages);
    return rc;
}
