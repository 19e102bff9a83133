/* SPDX-License-Identifier: Apache-2.0 */
/* paths.c -- levels from the labels of each value. Cost: a hash per value and level. */
#include "hierarchy/paths.h"

#include "hierarchy/tree.h"

#include <inttypes.h>

typedef struct unread {
    uint32_t first; /* value that could not be read */
    size_t   count;
    uint64_t rows; /* that hold one of them */
} unread;

/* A few wrong values must neither end the work of a day nor slip through: the job stops once, says how
 * many there are, and goes on when told what shall become of them. */
static kanon_status
tell_unread(kanon_ctx *ctx, const kn_hier_spec *spec, const kn_domain *domain,
            const kn_paths *paths, const unread *u)
{
    kanon_status rc = KANON_OK;
    kn_str       value = domain->values[u->first];
    kn_text      what;

    kn_text_init(&what, ctx);
    kn_text_addf(&what, "column '%s': %zu of %zu values (%" PRIu64 " %s) %s %s", domain->column,
                 u->count, domain->count, u->rows, u->rows == 1 ? "row" : "rows",
                 u->count == 1 ? "is not" : "are not", u->count == 1 ? paths->one : paths->many);
    KN_TRY(kn_text_status(&what));
    if (spec->unknown_other)
        kn_warn(ctx, KN_FOUND_UNKNOWN_CODES, kn_at_column(domain->column),
                "%s: above level 0 these become " KN_OTHER_LABEL, what.ptr);
    else
        rc = kn_fail_at(ctx, KANON_E_INVALID, kn_domain_source(domain, value), 0,
                        "%s, the first is '%.*s%s'; correct them, add them to --missing, or set "
                        "'unknown: other' in the config",
                        what.ptr, KN_BRIEF(value));
out:
    kn_text_fini(&what);
    return rc;
}

static kanon_status
add_value(kn_tree *tree, const kn_paths *paths, kn_str value, kn_text *text, uint32_t *leaf)
{
    kn_str         cells[1 + KN_PATH_LEVELS] = { value };
    size_t         ends[KN_PATH_LEVELS] = { 0 }, from = 0;
    kn_tree_answer answer;

    text->len = 0;
    *leaf = KN_TREE_OTHER;
    if (!paths->read(paths->user, value, text, ends))
        return kn_text_status(text);
    if (kn_text_status(text) < 0)
        return KANON_E_NOMEM;
    for (size_t l = 0; l < paths->nlevels; from = ends[l++])
        cells[1 + l] = (kn_str){ text->ptr + from, ends[l] - from };
    return kn_tree_add(tree, cells, 0, leaf, &answer);
}

kanon_status
kn_paths_fill(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain,
              const kn_paths *paths)
{
    kanon_status rc = KANON_OK;
    uint32_t    *leaf_of = KN_NEW_ARRAY(h->ctx, uint32_t, domain->count);
    unread       u = { 0, 0, 0 };
    kn_tree      tree = { .ctx = NULL };
    kn_text      text;

    assert(paths->nlevels <= KN_PATH_LEVELS);
    kn_text_init(&text, h->ctx);
    KN_TRY(KN_HAVE(leaf_of));
    KN_TRY(kn_tree_init(&tree, h->ctx, KN_TREE_EXACT, 1 + paths->nlevels));
    tree.file = domain->source;
    for (uint32_t i = 0; i < domain->count; i++) {
        leaf_of[i] = KN_TREE_MISSING;
        if (i == domain->missing)
            continue;
        KN_TRY(add_value(&tree, paths, domain->values[i], &text, &leaf_of[i]));
        if (leaf_of[i] != KN_TREE_OTHER)
            continue;
        if (u.count++ == 0)
            u.first = i;
        u.rows += domain->rows ? domain->rows[i] : 1;
    }
    if (u.count)
        KN_TRY(tell_unread(h->ctx, spec, domain, paths, &u));
    KN_TRY(kn_tree_fill(&tree, h, domain, leaf_of, paths->nlevels + 2));
    kn_build_drop_idle(h);
out:
    kn_tree_fini(&tree);
    kn_text_fini(&text);
    kn_free(h->ctx, leaf_of);
    return rc;
}
