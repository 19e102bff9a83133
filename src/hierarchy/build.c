/* SPDX-License-Identifier: Apache-2.0 */
/* build.c -- sorting values and turning runs of them into levels.
 * Shaped for columns with up to 10^7 distinct values: one sort, then a pass per level; sort items
 * carry a key of eight bytes, so that most comparisons never touch the text. */
#include "hierarchy/build.h"

#include "base/sort.h"

/* --- sorting ---------------------------------------------------------------------------------- */

typedef struct ties {
    kn_tie_fn   tie;
    const void *user;
} ties;

/* Of equals the smaller code comes first. */
static inline bool
before(const kn_item *a, const kn_item *b, const void *context)
{
    const ties *how = context;
    int         order = 0;

    if (a->key != b->key)
        return a->key < b->key;
    if (how->tie)
        order = how->tie(how->user, a->code, b->code);
    return order ? order < 0 : a->code < b->code;
}

KN_DEFINE_SORT(sort_items, kn_item, before)

void
kn_items_sort(kn_item *items, size_t count, kn_tie_fn tie, const void *user)
{
    ties how = { tie, user };

    sort_items(items, count, &how);
}

int
kn_tie_text(const void *domain, uint32_t a, uint32_t b)
{
    const kn_domain *d = domain;

    return kn_str_compare(d->values[a], d->values[b]);
}

uint64_t
kn_key_text(kn_str text)
{
    uint64_t key = 0;

    for (size_t i = 0; i < 8; i++)
        key = key << 8 | (i < text.len ? (unsigned char) text.ptr[i] : 0);
    return key;
}

uint64_t
kn_key_signed(int64_t value)
{
    return (uint64_t) value ^ UINT64_C(1) << 63;
}

/* --- levels ----------------------------------------------------------------------------------- */

static void *
take_array(kanon_hierarchy *h, size_t count, size_t size)
{
    void *array;

    if (size && count > SIZE_MAX / size) {
        kn_fail_nomem(h->ctx);
        return NULL;
    }
    array = kn_arena_alloc(&h->arena, count * size);
    if (array)
        memset(array, 0, count * size);
    return array;
}

kanon_status
kn_build_level(kanon_hierarchy *h, size_t level, size_t ngroups)
{
    kn_level *l = &h->levels[level];

    assert(level < h->nlevels);
    l->ngroups = (uint32_t) ngroups;
    l->group_of = take_array(h, h->nleaves, sizeof *l->group_of);
    l->labels = take_array(h, ngroups, sizeof *l->labels);
    l->leaves = take_array(h, ngroups, sizeof *l->leaves);
    if (!l->group_of || !l->labels || !l->leaves)
        return KANON_E_NOMEM;
    if (h->type == KN_TYPE_NUMBER) {
        l->lo = take_array(h, ngroups, sizeof *l->lo);
        l->hi = take_array(h, ngroups, sizeof *l->hi);
        if (!l->lo || !l->hi)
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

kanon_status
kn_build_label(kanon_hierarchy *h, size_t level, uint32_t group, kn_str label)
{
    char *copy = kn_arena_text(&h->arena, label);

    assert(level < h->nlevels && group < h->levels[level].ngroups);
    if (!copy)
        return KANON_E_NOMEM;
    h->levels[level].labels[group] = (kn_str){ copy, label.len };
    return KANON_OK;
}

kanon_status
kn_build_begin(kanon_hierarchy *h, const kn_domain *domain, size_t nlevels)
{
    kanon_status rc = KANON_OK;

    assert(nlevels >= 1 && nlevels <= KN_LEVELS_MOST && h->nleaves >= domain->count);
    h->levels = take_array(h, nlevels, sizeof *h->levels);
    if (!h->levels)
        return KANON_E_NOMEM;
    h->nlevels = nlevels;
    KN_TRY(kn_build_level(h, 0, h->nleaves));
    for (uint32_t i = 0; i < h->nleaves; i++)
        h->levels[0].group_of[i] = i;
    for (uint32_t i = 0; i < domain->count; i++)
        KN_TRY(kn_build_label(h, 0, i, domain->values[i]));
out:
    return rc;
}

kanon_status
kn_build_root(kanon_hierarchy *h, size_t level, kn_str label)
{
    kanon_status rc = KANON_OK;

    assert(level > 0 && level < h->nlevels);
    KN_TRY(kn_build_level(h, level, 1));
    KN_TRY(kn_build_label(h, level, 0, label));
out:
    return rc;
}

static bool
reads_alike(const kn_level *a, const kn_level *b, size_t nleaves)
{
    size_t i = 0;

    while (i < nleaves && kn_str_equal(a->labels[a->group_of[i]], b->labels[b->group_of[i]]))
        i++;
    return i == nleaves;
}

void
kn_build_drop_idle(kanon_hierarchy *h)
{
    size_t kept = 1;

    for (size_t l = 1; l < h->nlevels; l++)
        if (l + 1 == h->nlevels || !reads_alike(&h->levels[kept - 1], &h->levels[l], h->nleaves))
            h->levels[kept++] = h->levels[l];
    h->nlevels = kept;
}

kanon_status
kn_build_items(kanon_hierarchy *h, const kn_domain *domain, kn_item **items, size_t *count)
{
    *count = 0;
    *items = kn_realloc_array(h->ctx, NULL, domain->count, sizeof **items);
    if (!*items)
        return KANON_E_NOMEM;
    for (uint32_t i = 0; i < domain->count; i++)
        if (i != domain->missing)
            (*items)[(*count)++] = (kn_item){ 0, i };
    return KANON_OK;
}

static size_t
count_runs(const kn_runs *runs, size_t level)
{
    size_t n = runs->count != 0;

    for (size_t i = 1; i < runs->count; i++)
        n += runs->cut(runs->user, level, i);
    return n;
}

kanon_status
kn_build_labels(kanon_hierarchy *h, const kn_runs *runs, size_t level)
{
    kanon_status    rc = KANON_OK;
    const uint32_t *group_of = h->levels[level].group_of;
    kn_text         text;

    assert(level > 0 && level < h->nlevels);
    kn_text_init(&text, h->ctx);
    for (size_t first = 0, last; first < runs->count; first = last + 1) {
        uint32_t group = group_of[runs->items[first].code];

        assert(group < h->levels[level].ngroups);
        for (last = first; last + 1 < runs->count && group_of[runs->items[last + 1].code] == group;)
            last++;
        text.len = 0;
        runs->label(runs->user, &text, level, first, last);
        KN_TRY(kn_text_status(&text));
        KN_TRY(kn_build_label(h, level, group, (kn_str){ text.ptr, text.len }));
    }
    if (h->missing != KN_NO_CODE)
        KN_TRY(kn_build_label(h, level, group_of[h->missing], h->levels[0].labels[h->missing]));
out:
    kn_text_fini(&text);
    return rc;
}

kanon_status
kn_build_groups(kanon_hierarchy *h, const kn_runs *runs, size_t level)
{
    kanon_status rc = KANON_OK;
    size_t       ngroups = count_runs(runs, level);
    uint32_t     group = 0;

    KN_TRY(kn_build_level(h, level, ngroups + (h->missing != KN_NO_CODE)));
    for (size_t i = 0; i < runs->count; i++) {
        group += i && runs->cut(runs->user, level, i);
        h->levels[level].group_of[runs->items[i].code] = group;
    }
    if (h->missing != KN_NO_CODE)
        h->levels[level].group_of[h->missing] = (uint32_t) ngroups;
out:
    return rc;
}

kanon_status
kn_build_runs(kanon_hierarchy *h, const kn_runs *runs, size_t level)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_build_groups(h, runs, level));
    KN_TRY(kn_build_labels(h, runs, level));
out:
    return rc;
}

uint64_t
kn_build_few(const kn_domain *domain, const kn_item *items, size_t count)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < count; i++)
        rows += domain->rows[items[i].code];
    return rows / 20;
}

void
kn_build_usual(const kn_domain *domain, const kn_item *items, size_t count, size_t *first,
               size_t *end)
{
    uint64_t below = 0, above = 0, few;

    *first = 0;
    *end = count;
    if (domain->exact || !domain->rows)
        return;
    few = kn_build_few(domain, items, count);
    while (*first < *end && (below += domain->rows[items[*first].code]) <= few)
        ++*first;
    while (*end > *first && (above += domain->rows[items[*end - 1].code]) <= few)
        --*end;
}

kanon_status
kn_hier_flat_fill(kanon_hierarchy *h, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_build_begin(h, domain, 2));
    KN_TRY(kn_build_root(h, 1, KN_STR("*")));
out:
    return rc;
}

const char *
kn_domain_source(const kn_domain *domain, kn_str value)
{
    for (size_t i = 0; domain->joined && i < domain->count; i++)
        if (domain->values[i].ptr == value.ptr && domain->rows[i] == 0)
            return domain->joined;
    return domain->source;
}

/* Digits, with at most a sign and a decimal mark. */
static bool
is_long_number(kn_str value)
{
    kn_str text = kn_str_trim(value);
    size_t marks = 0;

    if (text.len && (*text.ptr == '-' || *text.ptr == '+')) {
        text.ptr++;
        text.len--;
    }
    for (size_t i = 0; i < text.len; i++) {
        marks += text.ptr[i] == '.' || text.ptr[i] == ',';
        if ((text.ptr[i] < '0' || text.ptr[i] > '9') && text.ptr[i] != '.' && text.ptr[i] != ',')
            return false;
    }
    return text.len > marks && marks <= 1;
}

kanon_status
kn_fail_number(kanon_ctx *ctx, const kn_domain *domain, kn_str value)
{
    kn_decimal  ignored;
    const char *source = kn_domain_source(domain, value);

    if (kn_decimal_parse(value, &ignored) || is_long_number(value))
        return kn_fail_at(ctx, KANON_E_INVALID, source, 0,
                          "column '%s': '%.*s%s' has too many digits for a range; declare type "
                          "string and use another hierarchy",
                          domain->column, KN_BRIEF(value));
    return kn_fail_at(
        ctx, KANON_E_INVALID, source, 0,
        "column '%s': '%.*s%s' is not a number; declare type string, or add the value to --missing",
        domain->column, KN_BRIEF(value));
}
