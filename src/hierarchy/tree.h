/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h -- a table of parents: each line names a value and what it becomes, level by level. Behind
 * the kinds `file` and `place`. Every name of a level has one parent, so a line that says otherwise
 * is noticed when it is added, while both lines are known. */
#ifndef KN_HIER_TREE_H
#define KN_HIER_TREE_H

#include "base/text.h"
#include "hierarchy/hierarchy.h"
#include "table/dict.h"

typedef enum {
    KN_TREE_EXACT, /* texts as they are */
    KN_TREE_FOLDED /* without outer blanks, ASCII letters of either case alike; first spelling kept */
} kn_tree_match;

typedef struct kn_tree_level {
    kn_dict  *names;
    kn_str   *labels; /* FOLDED only: first spellings */
    size_t    labels_capacity;
    uint32_t *parents; /* in the next level */
    size_t    parents_capacity;
    uint32_t *leaves; /* a leaf whose line introduced the name */
    size_t    leaves_capacity;
} kn_tree_level;

typedef struct kn_tree {
    kanon_ctx     *ctx;
    kn_arena       arena;
    kn_text        key;  /* scratch */
    const char    *file; /* for messages */
    kn_tree_match  match;
    size_t         nlevels;
    kn_tree_level *levels;
    uint64_t      *lines; /* of each leaf */
    size_t         lines_capacity;
} kn_tree;

/** What became of a line. */
typedef enum { KN_TREE_NEW, KN_TREE_KNOWN, KN_TREE_CONFLICT } kn_tree_answer;

kanon_status kn_tree_init(kn_tree *tree, kanon_ctx *ctx, kn_tree_match match, size_t nlevels);
void         kn_tree_fini(kn_tree *tree);
/** Adds a line. CONFLICT: the value is known with other parents, *leaf says which it is, and nothing
 *  was added. A name of a higher level with two parents is refused. */
kanon_status kn_tree_add(kn_tree *tree, const kn_str *cells, uint64_t line, uint32_t *leaf,
                         kn_tree_answer *answer);
/** The leaf of a value, or KN_NO_CODE. */
kanon_status kn_tree_find(kn_tree *tree, kn_str value, uint32_t *leaf);
kn_str       kn_tree_label(const kn_tree *tree, size_t level, uint32_t code);

/** Instead of a leaf: a value that the table does not know, and the missing one. */
#define KN_TREE_OTHER (UINT32_MAX - 1)
#define KN_TREE_MISSING (UINT32_MAX - 2)
#define KN_OTHER_LABEL "(other)"
/** Fills a hierarchy of which leaf_of[i] is the leaf of its value i, or one of the two above. nlevels is
 *  the tree's, or one more for a `*` above them. */
kanon_status kn_tree_fill(const kn_tree *tree, kanon_hierarchy *h, const kn_domain *domain,
                          const uint32_t *leaf_of, size_t nlevels);

#endif
