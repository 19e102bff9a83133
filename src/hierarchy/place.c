/* SPDX-License-Identifier: Apache-2.0 */
/* place.c -- places become regions: Den Bosch -> Noord Brabant -> Netherlands -> *.
 * The table of places is a CSV with a header, finest column first; it may be a postcode table in which
 * a place stands many times. Places are matched without regard to case and outer blanks, because
 * people write them by hand. */
#include "formats/csv.h"
#include "hierarchy/build.h"
#include "hierarchy/tree.h"

/* At most this many conflicts are reported one by one: a postcode table may have thousands. */
enum { CONFLICTS_TOLD = 10, COLUMNS_TOLD = 20 };

typedef struct places {
    kanon_hierarchy    *h;
    const kn_hier_spec *spec;
    const kn_domain    *domain;
    const kanon_source *source;
    size_t              columns[KN_LEVELS_MOST]; /* of the table, finest first */
    size_t              ncolumns;
    size_t              nconflicts;
    kn_tree             tree;
} places;

static kanon_status
fail_column(const places *p, const kn_rows *csv, const char *name)
{
    kanon_status  rc = KANON_OK;
    const kn_str *names = kn_rows_names(csv);
    const char   *known[COLUMNS_TOLD + 1] = { NULL }, *nearest;
    kn_arena      arena;
    kn_text       list;

    kn_arena_init(&arena, p->h->ctx);
    kn_text_init(&list, p->h->ctx);
    for (size_t i = 0; i < kn_rows_columns(csv) && i < COLUMNS_TOLD; i++) {
        known[i] = kn_arena_text(&arena, names[i]);
        KN_TRY(KN_HAVE(known[i]));
        kn_text_addf(&list, "%s%s", i ? ", " : "", known[i]);
    }
    KN_TRY(kn_text_status(&list));
    nearest = kn_nearest(name, known);
    rc = kn_fail_at(p->h->ctx, KANON_E_INVALID, p->source->name, 1,
                    nearest ? "no column '%s'; did you mean '%s'?"
                            : "no column '%s'; expected one of %s",
                    name, nearest ? nearest : list.ptr);
out:
    kn_arena_fini(&arena);
    kn_text_fini(&list);
    return rc;
}

static kanon_status
choose_columns(places *p, const kn_rows *csv)
{
    p->ncolumns = p->spec->nitems ? p->spec->nitems : kn_rows_columns(csv);
    if (p->ncolumns > KN_LEVELS_MOST - 1)
        return kn_fail_at(p->h->ctx, KANON_E_INVALID, p->source->name, 1,
                          "%zu columns of places; the maximum is %d", p->ncolumns,
                          KN_LEVELS_MOST - 1);
    for (size_t i = 0; i < p->ncolumns; i++) {
        p->columns[i] = p->spec->nitems ? kn_rows_find(csv, kn_str_of(p->spec->items[i])) : i;
        if (p->columns[i] == SIZE_MAX)
            return fail_column(p, csv, p->spec->items[i]);
    }
    return KANON_OK;
}

static kanon_status
add_line(places *p, const kn_str *cells, uint64_t line)
{
    kanon_status   rc = KANON_OK;
    kn_str         chosen[KN_LEVELS_MOST];
    kn_tree_answer answer;
    uint32_t       leaf;

    chosen[0] = cells[p->columns[0]];
    for (size_t i = 1; i < p->ncolumns; i++)
        chosen[i] = cells[p->columns[i]];
    KN_TRY(kn_tree_add(&p->tree, chosen, line, &leaf, &answer));
    if (answer == KN_TREE_CONFLICT && p->nconflicts++ < CONFLICTS_TOLD)
        kn_warn(p->h->ctx, KN_FOUND_PLACES_DISAGREE, kn_at_line(p->source->name, line),
                "%s:%llu: place '%.*s' disagrees with line %llu; line %llu is used",
                p->source->name, (unsigned long long) line, KN_ARG(chosen[0]),
                (unsigned long long) p->tree.lines[leaf], (unsigned long long) p->tree.lines[leaf]);
out:
    return rc;
}

static kanon_status
read_places(places *p)
{
    kanon_status   rc = KANON_OK;
    kn_csv_options options = { .header = KN_HEADER_YES, .has_skip = true, .has_footer = true };
    kn_rows       *csv = NULL;
    const kn_str  *cells;

    KN_TRY(kn_csv_open(p->h->ctx, p->source, &options, &csv));
    KN_TRY(choose_columns(p, csv));
    KN_TRY(kn_tree_init(&p->tree, p->h->ctx, KN_TREE_FOLDED, p->ncolumns));
    p->tree.file = p->source->name;
    for (;;) {
        KN_TRY(kn_rows_next(csv, &cells));
        if (!cells)
            break;
        KN_TRY(add_line(p, cells, kn_rows_line(csv)));
    }
    if (p->nconflicts > CONFLICTS_TOLD)
        kn_warn(p->h->ctx, KN_FOUND_PLACES_DISAGREE, kn_at_line(p->source->name, 0),
                "%s: %zu more lines disagree with an earlier line about a place", p->source->name,
                p->nconflicts - CONFLICTS_TOLD);
    if (!kn_dict_count(p->tree.levels[0].names))
        rc = kn_fail_at(p->h->ctx, KANON_E_PARSE, p->source->name, 0,
                        "the place table has no line below its header; write one line per place");
out:
    kn_rows_close(csv);
    return rc;
}

static kanon_status
match_values(places *p, uint32_t *leaf_of)
{
    kanon_status rc = KANON_OK;
    size_t       nunknown = 0;
    uint32_t     unknown = 0;

    for (uint32_t i = 0; i < p->domain->count; i++) {
        leaf_of[i] = KN_TREE_MISSING;
        if (i == p->domain->missing)
            continue;
        KN_TRY(kn_tree_find(&p->tree, p->domain->values[i], &leaf_of[i]));
        if (leaf_of[i] != KN_NO_CODE)
            continue;
        leaf_of[i] = KN_TREE_OTHER;
        if (!p->spec->unknown_other && nunknown++ == 0)
            unknown = i;
    }
    if (nunknown)
        rc = kn_fail_at(p->h->ctx, KANON_E_INVALID, p->source->name, 0,
                        "column '%s': %zu %s missing from the place table, the first is '%.*s%s' "
                        "of %s; add lines, or set 'unknown: other' in the config",
                        p->domain->column, nunknown, nunknown == 1 ? "value is" : "values are",
                        KN_BRIEF(p->domain->values[unknown]),
                        kn_domain_source(p->domain, p->domain->values[unknown]));
out:
    return rc;
}

/* A table that ends with a column of `*` has its top already; `Netherlands` for all is a level below it,
 * as in Den Bosch -> Noord Brabant -> Netherlands -> *. */
static bool
ends_with_star(const kn_tree *tree)
{
    size_t last = tree->nlevels - 1;

    return last > 0 && kn_dict_count(tree->levels[last].names) == 1
        && kn_str_equal(kn_tree_label(tree, last, 0), KN_STR("*"));
}

static kanon_status
fill_place(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status  rc = KANON_OK;
    places        p = { .h = h, .spec = spec, .domain = domain };
    kanon_source *source = NULL;
    uint32_t     *leaf_of = NULL;
    size_t        nlevels;

    KN_TRY(kanon_source_file(h->ctx, spec->file, &source));
    p.source = source;
    KN_TRY(read_places(&p));
    leaf_of = KN_NEW_ARRAY(h->ctx, uint32_t, domain->count);
    KN_TRY(KN_HAVE(leaf_of));
    KN_TRY(match_values(&p, leaf_of));
    nlevels = p.ncolumns;
    if (!ends_with_star(&p.tree))
        nlevels++;
    KN_TRY(kn_tree_fill(&p.tree, h, domain, leaf_of, nlevels));
out:
    kn_tree_fini(&p.tree);
    kn_free(h->ctx, leaf_of);
    kanon_source_free(source);
    return rc;
}

const kn_hier_class kn_hier_place = {
    .kind = KN_HIER_PLACE,
    .name = "place",
    .summary = "places in regions: place:FILE or place:FILE:CITY,PROVINCE",
    .fill = fill_place,
};
