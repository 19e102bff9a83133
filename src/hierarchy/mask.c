/* SPDX-License-Identifier: Apache-2.0 */
/* mask.c -- codes lose their characters one by one: 80015 -> 8001* -> 800** -> ... -> *.
 * Values shorter than the longest are thought of as padded at the end that is masked, so the kept
 * part of a value is simply its first (or last) characters. In sorted order a group is a run, and
 * where runs end follows from how much neighbours have in common; no text is hashed. */
#include "hierarchy/build.h"

typedef struct masks {
    const kn_domain *domain;
    kn_item         *items;
    uint32_t *common; /* characters that the value at place i shares with the one before it */
    size_t    count;
    size_t    longest; /* characters */
    size_t    width;   /* to which labels are padded */
    size_t    excess;  /* hidden by the first step in one go, so that 255 steps are enough */
    bool      from_left;
} masks;

static size_t
hidden(const masks *m, size_t level)
{
    return level + m->excess;
}

/* The value with its bytes reversed, as far as comparing goes. */
static int
tie_reversed(const void *domain, uint32_t a, uint32_t b)
{
    const kn_domain *d = domain;
    kn_str           x = d->values[a], y = d->values[b];

    while (x.len && y.len) {
        unsigned char p = (unsigned char) x.ptr[--x.len], q = (unsigned char) y.ptr[--y.len];

        if (p != q)
            return p < q ? -1 : 1;
    }
    return x.len < y.len ? -1 : x.len > y.len;
}

static uint64_t
key_reversed(kn_str text)
{
    uint64_t key = 0;

    for (size_t i = 0; i < 8; i++)
        key = key << 8 | (i < text.len ? (unsigned char) text.ptr[text.len - 1 - i] : 0);
    return key;
}

static bool
is_continuation(char c)
{
    return ((unsigned char) c & 0xc0) == 0x80;
}

static size_t
common_prefix(kn_str a, kn_str b)
{
    size_t n = 0, count = 0;

    while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n]) {
        count += !is_continuation(a.ptr[n]);
        n++;
    }
    /* A character of which only the first bytes agree does not count. */
    if (count
        && ((n < a.len && is_continuation(a.ptr[n])) || (n < b.len && is_continuation(b.ptr[n]))))
        count--;
    return count;
}

static size_t
common_suffix(kn_str a, kn_str b)
{
    size_t count = 0;

    while (a.len && b.len && a.ptr[a.len - 1] == b.ptr[b.len - 1]) {
        count += !is_continuation(a.ptr[a.len - 1]);
        a.len--;
        b.len--;
    }
    return count;
}

static kanon_status
sort_values(kanon_ctx *ctx, masks *m)
{
    const kn_str *values = m->domain->values;

    for (size_t i = 0; i < m->count; i++) {
        kn_str text = values[m->items[i].code];
        size_t length = kn_utf8_count(text);

        m->items[i].key = m->from_left ? key_reversed(text) : kn_key_text(text);
        if (length > m->longest)
            m->longest = length;
    }
    kn_items_sort(m->items, m->count, m->from_left ? tie_reversed : kn_tie_text, m->domain);
    m->common = KN_NEW_ARRAY(ctx, uint32_t, m->count);
    if (!m->common)
        return KANON_E_NOMEM;
    for (size_t i = 1; i < m->count; i++) {
        kn_str a = values[m->items[i - 1].code], b = values[m->items[i].code];
        size_t common = m->from_left ? common_suffix(a, b) : common_prefix(a, b);

        m->common[i] = common < UINT32_MAX ? (uint32_t) common : UINT32_MAX;
    }
    return KANON_OK;
}

/* Labels are as wide as enough rows are long: one long value, perhaps of a suppressed row, would show in the
 * labels of all others. */
static kanon_status
find_width(kanon_ctx *ctx, masks *m)
{
    const kn_domain *domain = m->domain;
    uint64_t        *rows = KN_NEW_ARRAY(ctx, uint64_t, m->longest + 1), sum = 0;

    if (!rows)
        return KANON_E_NOMEM;
    m->width = m->longest;
    for (size_t i = 0; i < m->count; i++) {
        uint32_t code = m->items[i].code;

        rows[kn_utf8_count(domain->values[code])] += domain->rows ? domain->rows[code] : 1;
    }
    while (!domain->exact && m->width && (sum += rows[m->width]) < domain->rare)
        m->width--;
    kn_free(ctx, rows);
    return KANON_OK;
}

/* How many stars a label has: one at least, lest it be taken for a whole value. */
static size_t
stars(const masks *m, size_t level)
{
    size_t keep = m->longest - hidden(m, level);

    return m->width > keep ? m->width - keep : 1;
}

/* Different values whose kept characters go beyond what they share are apart. */
static bool
cut(const void *user, size_t level, size_t i)
{
    const masks *m = user;

    return m->longest - hidden(m, level) > m->common[i];
}

static void
label(const void *user, kn_text *out, size_t level, size_t first, size_t last)
{
    const masks *m = user;
    kn_str       text = m->domain->values[m->items[first].code];
    size_t       keep = m->longest - hidden(m, level), length = kn_utf8_count(text), from = 0;

    KN_UNUSED(last);
    if (m->from_left) {
        for (size_t skip = length > keep ? length - keep : 0; skip; skip--)
            from += kn_utf8_step(text, from);
        for (size_t i = 0; i < stars(m, level); i++)
            kn_text_add(out, KN_STR("*"));
        kn_text_add(out, (kn_str){ text.ptr + from, text.len - from });
        return;
    }
    for (size_t i = 0; i < keep && from < text.len; i++)
        from += kn_utf8_step(text, from);
    kn_text_add(out, (kn_str){ text.ptr, from });
    for (size_t i = 0; i < stars(m, level); i++)
        kn_text_add(out, KN_STR("*"));
}

static kanon_status
open_masks(masks *m, kanon_hierarchy *h, kn_runs *runs)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_build_items(h, m->domain, &m->items, &m->count));
    KN_TRY(sort_values(h->ctx, m));
    KN_TRY(find_width(h->ctx, m));
    if (m->longest > KN_LEVELS_MOST - 1)
        m->excess = m->longest - (KN_LEVELS_MOST - 1);
    *runs = (kn_runs){
        .items = m->items, .count = m->count, .cut = cut, .label = label, .user = m
    };
out:
    return rc;
}

static void
close_masks(masks *m, kanon_ctx *ctx)
{
    kn_free(ctx, m->items);
    kn_free(ctx, m->common);
}

static kanon_status
fill_mask(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    masks        m = { .domain = domain, .from_left = spec->from_left };
    kn_runs      runs;
    size_t       top;

    h->from_left = spec->from_left;
    KN_TRY(open_masks(&m, h, &runs));
    top = m.longest ? m.longest - m.excess : 1;
    KN_TRY(kn_build_begin(h, domain, top + 1));
    for (size_t level = 1; level < top; level++)
        KN_TRY(kn_build_runs(h, &runs, level));
    KN_TRY(kn_build_root(h, top, KN_STR("*")));
out:
    close_masks(&m, h->ctx);
    return rc;
}

static kanon_status
relabel_mask(kanon_hierarchy *h, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    masks        m = { .domain = domain, .from_left = h->from_left };
    kn_runs      runs;

    KN_TRY(open_masks(&m, h, &runs));
    for (size_t level = 1; level + 1 < h->nlevels; level++)
        KN_TRY(kn_build_labels(h, &runs, level));
out:
    close_masks(&m, h->ctx);
    return rc;
}

const kn_hier_class kn_hier_mask = {
    .kind = KN_HIER_MASK,
    .name = "mask",
    .summary = "hides characters of codes: mask:right or mask:left",
    .fill = fill_mask,
    .relabel = relabel_mask,
};
