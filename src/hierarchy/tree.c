/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c -- a table of parents and the levels that follow from it. Cost: a hash per cell read, and a
 * step up the tree per leaf and level. */
#include "hierarchy/tree.h"

#include "encode/twins.h"
#include "hierarchy/build.h"

kanon_status
kn_tree_init(kn_tree *tree, kanon_ctx *ctx, kn_tree_match match, size_t nlevels)
{
    kanon_status rc = KANON_OK;

    assert(nlevels > 0 && nlevels <= KN_LEVELS_MOST);
    memset(tree, 0, sizeof *tree);
    tree->ctx = ctx;
    tree->match = match;
    kn_arena_init(&tree->arena, ctx);
    kn_text_init(&tree->key, ctx);
    tree->levels = KN_NEW_ARRAY(ctx, kn_tree_level, nlevels);
    if (!tree->levels)
        return KANON_E_NOMEM;
    tree->nlevels = nlevels;
    for (size_t l = 0; l < nlevels; l++)
        KN_TRY(kn_dict_new(ctx, &tree->levels[l].names));
out:
    return rc;
}

void
kn_tree_fini(kn_tree *tree)
{
    if (!tree->ctx)
        return;
    for (size_t l = 0; l < tree->nlevels; l++) {
        kn_dict_free(tree->levels[l].names);
        kn_free(tree->ctx, tree->levels[l].labels);
        kn_free(tree->ctx, tree->levels[l].parents);
        kn_free(tree->ctx, tree->levels[l].leaves);
    }
    kn_free(tree->ctx, tree->levels);
    kn_free(tree->ctx, tree->lines);
    kn_text_fini(&tree->key);
    kn_arena_fini(&tree->arena);
    memset(tree, 0, sizeof *tree);
}

/* The text by which names are compared; valid until the next call. */
static kanon_status
fold(kn_tree *tree, kn_str text, kn_str *key)
{
    *key = text;
    if (tree->match == KN_TREE_EXACT)
        return KANON_OK;
    text = kn_str_trim(text);
    tree->key.len = 0;
    kn_text_add(&tree->key, text);
    kn_fold_case(tree->key.ptr, tree->key.len);
    *key = (kn_str){ tree->key.ptr, tree->key.len };
    return kn_text_status(&tree->key);
}

kn_str
kn_tree_label(const kn_tree *tree, size_t level, uint32_t code)
{
    const kn_tree_level *l = &tree->levels[level];

    assert(level < tree->nlevels && code < kn_dict_count(tree->levels[level].names));
    return tree->match == KN_TREE_FOLDED ? l->labels[code] : kn_dict_value(l->names, code);
}

static kanon_status
find(kn_tree *tree, size_t level, kn_str text, uint32_t *code)
{
    kanon_status rc = KANON_OK;
    kn_str       key;

    *code = KN_NO_CODE;
    KN_TRY(fold(tree, text, &key));
    *code = kn_dict_find(tree->levels[level].names, key);
out:
    return rc;
}

kanon_status
kn_tree_find(kn_tree *tree, kn_str value, uint32_t *leaf)
{
    return find(tree, 0, value, leaf);
}

/* Does a line say what is known of its value already? */
static kanon_status
compare(kn_tree *tree, const kn_str *cells, uint32_t leaf, kn_tree_answer *answer)
{
    kanon_status rc = KANON_OK;
    uint32_t     known = leaf, said;

    *answer = KN_TREE_KNOWN;
    for (size_t l = 1; l < tree->nlevels && *answer == KN_TREE_KNOWN; l++) {
        known = tree->levels[l - 1].parents[known];
        KN_TRY(find(tree, l, cells[l], &said));
        if (said != known)
            *answer = KN_TREE_CONFLICT;
    }
out:
    return rc;
}

static kanon_status
grow(kanon_ctx *ctx, uint32_t **array, size_t *capacity, size_t need)
{
    void        *block = *array;
    kanon_status rc = kn_grow(ctx, &block, capacity, need, sizeof **array);

    *array = block;
    return rc;
}

/* The code of a name; a new one belongs to the line of this leaf. */
static kanon_status
add_name(kn_tree *tree, size_t level, kn_str text, uint32_t leaf, uint32_t *code)
{
    kanon_status   rc = KANON_OK;
    kn_tree_level *l = &tree->levels[level];
    uint32_t       count = kn_dict_count(l->names);
    void          *labels = l->labels;
    kn_str         key;
    char          *copy;

    KN_TRY(grow(tree->ctx, &l->parents, &l->parents_capacity, (size_t) count + 1));
    KN_TRY(grow(tree->ctx, &l->leaves, &l->leaves_capacity, (size_t) count + 1));
    if (tree->match == KN_TREE_FOLDED) {
        rc = kn_grow(tree->ctx, &labels, &l->labels_capacity, (size_t) count + 1,
                     sizeof *l->labels);
        l->labels = labels;
        KN_TRY(rc);
    }
    KN_TRY(fold(tree, text, &key));
    KN_TRY(kn_dict_add(l->names, key, code));
    if (*code < count)
        return KANON_OK;
    l->parents[*code] = KN_NO_CODE;
    l->leaves[*code] = leaf;
    if (tree->match == KN_TREE_FOLDED) {
        text = kn_str_trim(text);
        copy = kn_arena_text(&tree->arena, text);
        if (!copy)
            return KANON_E_NOMEM;
        l->labels[*code] = (kn_str){ copy, text.len };
    }
out:
    return rc;
}

/* The value of the line that is being added is the newest leaf. */
static kanon_status
fail_nesting(kn_tree *tree, size_t level, uint32_t code, uint32_t parent)
{
    uint32_t leaf = tree->levels[level].leaves[code];
    uint32_t newest = kn_dict_count(tree->levels[0].names) - 1;
    bool     places = tree->match == KN_TREE_FOLDED;

    return kn_fail_at(
        tree->ctx, KANON_E_PARSE, tree->file, tree->lines[newest],
        "'%.*s' and '%.*s' (line %llu) are both '%.*s' at level %zu, but '%.*s' and "
        "'%.*s' at level %zu; values that are equal at one level must stay equal above "
        "it: give the two groups different names%s",
        KN_ARG(kn_tree_label(tree, 0, newest)), KN_ARG(kn_tree_label(tree, 0, leaf)),
        (unsigned long long) tree->lines[leaf], KN_ARG(kn_tree_label(tree, level, code)), level,
        KN_ARG(kn_tree_label(tree, level + 1, parent)),
        KN_ARG(kn_tree_label(tree, level + 1, tree->levels[level].parents[code])), level + 1,
        places ? ", or name the columns, finest first: place:FILE:CITY,PROVINCE" : "");
}

kanon_status
kn_tree_add(kn_tree *tree, const kn_str *cells, uint64_t line, uint32_t *leaf,
            kn_tree_answer *answer)
{
    kanon_status rc = KANON_OK;
    void        *lines = tree->lines;
    uint32_t     below, code;

    KN_TRY(find(tree, 0, cells[0], leaf));
    if (*leaf != KN_NO_CODE)
        return compare(tree, cells, *leaf, answer);
    rc = kn_grow(tree->ctx, &lines, &tree->lines_capacity,
                 (size_t) kn_dict_count(tree->levels[0].names) + 1, sizeof *tree->lines);
    tree->lines = lines;
    KN_TRY(rc);
    tree->lines[kn_dict_count(tree->levels[0].names)] = line;
    KN_TRY(add_name(tree, 0, cells[0], kn_dict_count(tree->levels[0].names), leaf));
    below = *leaf;
    for (size_t l = 1; l < tree->nlevels; l++) {
        uint32_t *parent;

        KN_TRY(add_name(tree, l, cells[l], *leaf, &code));
        parent = &tree->levels[l - 1].parents[below];
        if (*parent != KN_NO_CODE && *parent != code)
            return fail_nesting(tree, l - 1, below, code);
        *parent = code;
        below = code;
    }
    *answer = KN_TREE_NEW;
out:
    return rc;
}

/* --- levels ----------------------------------------------------------------------------------- */

/* A group of a level by number: the names of the table, then "(other)" unless the table has that
 * name, then the missing value. */
static uint32_t
slot_of(const kn_tree *tree, size_t level, uint32_t leaf)
{
    const kn_tree_level *l = &tree->levels[level];
    uint32_t             code;

    if (leaf == KN_TREE_MISSING)
        return kn_dict_count(l->names) + 1;
    if (leaf == KN_TREE_OTHER) {
        code = kn_dict_find(l->names, KN_STR(KN_OTHER_LABEL));
        return code != KN_NO_CODE ? code : kn_dict_count(l->names);
    }
    for (size_t i = 0; i < level; i++)
        leaf = tree->levels[i].parents[leaf];
    return leaf;
}

static kn_str
slot_label(const kn_tree *tree, size_t level, uint32_t slot, kn_str missing)
{
    uint32_t count = kn_dict_count(tree->levels[level].names);

    if (slot < count)
        return kn_tree_label(tree, level, slot);
    return slot == count ? KN_STR(KN_OTHER_LABEL) : missing;
}

/* Groups are numbered as the leaves meet them, so that names without leaves get no number. */
static kanon_status
fill_level(const kn_tree *tree, kanon_hierarchy *h, const uint32_t *leaf_of, size_t level)
{
    kanon_status rc = KANON_OK;
    size_t       nslots = (size_t) kn_dict_count(tree->levels[level].names) + 2;
    uint32_t    *numbers = kn_realloc_array(tree->ctx, NULL, nslots, sizeof *numbers);
    uint32_t     ngroups = 0;
    kn_str       missing = { NULL, 0 };

    if (!numbers)
        return KANON_E_NOMEM;
    if (h->missing != KN_NO_CODE)
        missing = h->levels[0].labels[h->missing];
    memset(numbers, 0xff, nslots * sizeof *numbers);
    for (size_t i = 0; i < h->nleaves; i++) {
        uint32_t slot = slot_of(tree, level, leaf_of[i]);

        if (numbers[slot] == KN_NO_CODE)
            numbers[slot] = ngroups++;
    }
    KN_TRY(kn_build_level(h, level, ngroups));
    for (size_t i = 0; i < h->nleaves; i++)
        h->levels[level].group_of[i] = numbers[slot_of(tree, level, leaf_of[i])];
    for (uint32_t slot = 0; slot < nslots; slot++)
        if (numbers[slot] != KN_NO_CODE)
            KN_TRY(kn_build_label(h, level, numbers[slot], slot_label(tree, level, slot, missing)));
out:
    kn_free(tree->ctx, numbers);
    return rc;
}

kanon_status
kn_tree_fill(const kn_tree *tree, kanon_hierarchy *h, const kn_domain *domain,
             const uint32_t *leaf_of, size_t nlevels)
{
    kanon_status rc = KANON_OK;

    assert(nlevels == tree->nlevels || nlevels == tree->nlevels + 1);
    KN_TRY(kn_build_begin(h, domain, nlevels));
    for (size_t i = domain->count; i < h->nleaves; i++)
        KN_TRY(kn_build_label(h, 0, (uint32_t) i, kn_tree_label(tree, 0, leaf_of[i])));
    for (size_t l = 1; l + 1 < nlevels; l++)
        KN_TRY(fill_level(tree, h, leaf_of, l));
    if (nlevels > tree->nlevels)
        KN_TRY(kn_build_root(h, nlevels - 1, KN_STR("*")));
    else if (nlevels > 1)
        KN_TRY(kn_build_root(h, nlevels - 1, kn_tree_label(tree, nlevels - 1, 0)));
out:
    return rc;
}
