/* SPDX-License-Identifier: Apache-2.0 */
/* file.c -- a hierarchy written by somebody: a line per value, a column per level, no header.
 * ARX's files are read unchanged. Values that only the file knows stay in the domain, behind those of
 * the table, because losses are measured against all leaves. */
#include "formats/csv.h"
#include "hierarchy/build.h"
#include "hierarchy/tree.h"

typedef struct reading {
    kanon_hierarchy    *h;
    const kn_hier_spec *spec;
    const kanon_source *source;
    const kn_domain    *domain; /* NULL: the file's own values */
    kn_tree             tree;
    bool                understood; /* the last failure is about what the file says, not its form */
} reading;

/* --- the file --------------------------------------------------------------------------------- */

/* A first line that begins with the column's name, which is no value of the table. */
static bool
is_header(const reading *r, kn_str cell)
{
    if (!r->domain || !r->domain->column || !kn_str_equal(cell, kn_str_of(r->domain->column)))
        return false;
    for (size_t i = 0; i < r->domain->count; i++)
        if (kn_str_equal(cell, r->domain->values[i]))
            return false;
    return true;
}

static kanon_status
add_line(reading *r, const kn_str *cells, uint64_t line)
{
    kanon_status   rc = KANON_OK;
    kn_tree_answer answer;
    uint32_t       leaf;

    KN_TRY(kn_tree_add(&r->tree, cells, line, &leaf, &answer));
    if (answer == KN_TREE_CONFLICT)
        rc = kn_fail_at(r->h->ctx, KANON_E_PARSE, r->source->name, line,
                        "'%.*s' has other levels in line %llu; give each value one line",
                        KN_ARG(cells[0]), (unsigned long long) r->tree.lines[leaf]);
out:
    return rc;
}

static kanon_status
read_lines(reading *r, kn_rows *csv)
{
    kanon_status  rc = KANON_OK;
    const kn_str *cells;
    bool          first = true;

    for (;; first = false) {
        KN_TRY(kn_rows_next(csv, &cells));
        if (!cells)
            break;
        if (first && is_header(r, cells[0])) {
            kn_warn(r->h->ctx, KN_FOUND_SKIPPED_HEADER,
                    kn_at_line(r->source->name, kn_rows_line(csv)),
                    "%s:%llu: skipped, because it looks like a header ('%.*s')", r->source->name,
                    (unsigned long long) kn_rows_line(csv), KN_ARG(cells[0]));
            continue;
        }
        r->understood = true;
        KN_TRY(add_line(r, cells, kn_rows_line(csv)));
        r->understood = false;
    }
out:
    return rc;
}

/* What a separator made of the file. */
typedef struct attempt {
    char         separator;
    size_t       columns; /* 0: could not even be opened */
    kanon_status status;
} attempt;

static kanon_status
read_with(reading *r, attempt *a)
{
    kn_csv_options options = {
        .delimiter = a->separator, .header = KN_HEADER_NO, .has_skip = true, .has_footer = true
    };
    kn_rows     *csv = NULL;
    kanon_status rc;

    a->columns = 0;
    r->understood = false;
    kn_tree_fini(&r->tree);
    KN_TRY(kn_csv_open(r->h->ctx, r->source, &options, &csv));
    a->columns = kn_rows_columns(csv);
    if (a->columns > KN_LEVELS_MOST) {
        rc = kn_fail_at(r->h->ctx, KANON_E_PARSE, r->source->name, kn_rows_line(csv),
                        "%zu levels; the maximum is %d", a->columns, KN_LEVELS_MOST);
        goto out;
    }
    KN_TRY(kn_tree_init(&r->tree, r->h->ctx, KN_TREE_EXACT, a->columns));
    r->tree.file = r->source->name;
    KN_TRY(read_lines(r, csv));
out:
    kn_rows_close(csv);
    a->status = rc;
    return rc;
}

/* The first of ; , and tab that cuts the file into two or more columns without a complaint; else the
 * complaint about the first that cuts it at all; else the file has one column. */
static kanon_status
read_file(reading *r)
{
    attempt attempts[] = { { .separator = ';' }, { .separator = ',' }, { .separator = '\t' } };
    size_t  i, again = 0;
    bool    cuts = false;

    for (i = 0; i < KN_COUNT(attempts); i++) {
        attempt *a = &attempts[i];

        if (read_with(r, a) < 0 && a->status != KANON_E_PARSE)
            return a->status;
        if (a->columns > 1 && (a->status == KANON_OK || r->understood))
            return a->status;
        if (a->columns > 1 && !cuts) {
            cuts = true;
            again = i;
        }
    }
    return read_with(r, &attempts[again]);
}

static kanon_status
check_root(reading *r)
{
    size_t         top = r->tree.nlevels - 1;
    kn_tree_level *level = &r->tree.levels[top];
    uint32_t       leaf;

    if (kn_dict_count(level->names) == 0)
        return kn_fail_at(r->h->ctx, KANON_E_PARSE, r->source->name, 0,
                          "the file is empty; write one line per value, such as 'value;group;*'");
    if (kn_dict_count(level->names) == 1)
        return KANON_OK;
    leaf = level->leaves[1];
    return kn_fail_at(r->h->ctx, KANON_E_PARSE, r->source->name, r->tree.lines[leaf],
                      "the last column has '%.*s' here and '%.*s' in line %llu, but must have one "
                      "value; add a last column '*' to every line",
                      KN_ARG(kn_tree_label(&r->tree, top, 1)),
                      KN_ARG(kn_tree_label(&r->tree, top, 0)),
                      (unsigned long long) r->tree.lines[level->leaves[0]]);
}

/* --- the table's values in it ----------------------------------------------------------------- */

/* Values are matched to the letter; people's files are not always written so. */
static bool
is_there_in_other_case(const kn_tree *tree, kn_str value)
{
    const kn_str *leaves = kn_dict_values(tree->levels[0].names);
    kn_str        wanted = kn_str_trim(value);

    for (uint32_t leaf = 0; leaf < kn_dict_count(tree->levels[0].names); leaf++) {
        kn_str text = kn_str_trim(leaves[leaf]);
        size_t i = 0;

        while (text.len == wanted.len && i < text.len
               && (text.ptr[i] == wanted.ptr[i]
                   || ((text.ptr[i] ^ wanted.ptr[i]) == 0x20 && (text.ptr[i] | 0x20) >= 'a'
                       && (text.ptr[i] | 0x20) <= 'z')))
            i++;
        if (text.len == wanted.len && i == text.len)
            return true;
    }
    return false;
}

static kanon_status
fail_unknown(const reading *r, uint32_t code, size_t count)
{
    kanon_status rc = KANON_OK;
    kn_text      line;
    kn_str       value = r->domain->values[code];
    size_t       top = r->tree.nlevels - 1;
    bool         similar = is_there_in_other_case(&r->tree, value);

    kn_text_init(&line, r->h->ctx);
    kn_text_addf(&line, "%.*s", KN_ARG(value));
    for (size_t l = 1; l < top; l++)
        kn_text_addf(&line, ";GROUP%zu", l);
    if (top)
        kn_text_addf(&line, ";%.*s", KN_ARG(kn_tree_label(&r->tree, top, 0)));
    KN_TRY(kn_text_status(&line));
    rc = kn_fail_at(r->h->ctx, KANON_E_INVALID, r->source->name, 0,
                    "column '%s': value '%.*s' has no line (%zu such %s); %s'%s', or set "
                    "'unknown: other' in the config%s%s",
                    r->domain->column, KN_ARG(value), count, count == 1 ? "value" : "values",
                    similar ? "a line that differs in case or blanks does not count; add " : "add ",
                    line.ptr, r->domain->joined ? "; it is a value of " : "",
                    r->domain->joined ? kn_domain_source(r->domain, value) : "");
out:
    kn_text_fini(&line);
    return rc;
}

/* Do two lines say the same above the value? What is equal at level 1 is so above it. */
static bool
is_same_path(const kn_tree *tree, uint32_t a, uint32_t b)
{
    const uint32_t *parents = tree->levels[0].parents;

    return tree->nlevels < 2 || parents[a] == parents[b];
}

static void
warn_missing(const reading *r, uint32_t taken, uint32_t other)
{
    const kn_tree *tree = &r->tree;

    kn_warn(r->h->ctx, KN_FOUND_MISSING_LEVELS, kn_at_line(r->source->name, tree->lines[other]),
            "%s:%llu: the missing values '%.*s' and '%.*s' (line %llu) have different levels; line "
            "%llu is used for both",
            r->source->name, (unsigned long long) tree->lines[other],
            KN_ARG(kn_tree_label(tree, 0, other)), KN_ARG(kn_tree_label(tree, 0, taken)),
            (unsigned long long) tree->lines[taken], (unsigned long long) tree->lines[taken]);
}

/* All spellings of the missing value are one value, so any of their lines speaks for it: the first in
 * the order of the tokens, which does not depend on the order of the rows. Their other lines are no
 * leaves of the domain. */
static kanon_status
find_missing(reading *r, bool *taken, uint32_t *leaf)
{
    kanon_status rc = KANON_OK;
    uint32_t     found;

    *leaf = KN_NO_CODE;
    for (size_t i = 0; i < r->domain->ntokens; i++) {
        KN_TRY(kn_tree_find(&r->tree, r->domain->tokens[i], &found));
        if (found == KN_NO_CODE)
            continue;
        taken[found] = true;
        if (*leaf == KN_NO_CODE)
            *leaf = found;
        else if (!is_same_path(&r->tree, *leaf, found))
            warn_missing(r, *leaf, found);
    }
    if (*leaf == KN_NO_CODE && r->domain->missing != KN_NO_CODE)
        KN_TRY(kn_tree_find(&r->tree, r->domain->values[r->domain->missing], leaf));
out:
    return rc;
}

/* The leaf of each value of the table; leaves that are taken are marked. *missing: the leaf that speaks for
 * the missing value, whether the table holds one or not. */
static kanon_status
match_values(reading *r, uint32_t *leaf_of, bool *taken, uint32_t *missing)
{
    kanon_status rc = KANON_OK;
    uint32_t     unknown = KN_NO_CODE;
    size_t       nunknown = 0, levels = r->tree.nlevels;

    KN_TRY(find_missing(r, taken, missing));
    for (uint32_t i = 0; i < r->domain->count; i++) {
        if (i == r->domain->missing)
            leaf_of[i] = *missing;
        else
            KN_TRY(kn_tree_find(&r->tree, r->domain->values[i], &leaf_of[i]));
        if (leaf_of[i] != KN_NO_CODE)
            taken[leaf_of[i]] = true;
        else if (i == r->domain->missing && levels > 1)
            leaf_of[i] = KN_TREE_MISSING;
        else if (r->spec->unknown_other && levels > 1)
            leaf_of[i] = KN_TREE_OTHER;
        else if (nunknown++ == 0)
            unknown = i;
    }
    if (nunknown)
        rc = fail_unknown(r, unknown, nunknown);
out:
    return rc;
}

static kanon_status
fill_matched(reading *r)
{
    kanon_status     rc = KANON_OK;
    kanon_hierarchy *h = r->h;
    uint32_t         nfile = kn_dict_count(r->tree.levels[0].names);
    uint32_t        *leaf_of = KN_NEW_ARRAY(h->ctx, uint32_t, r->domain->count + nfile);
    bool            *taken = KN_NEW_ARRAY(h->ctx, bool, nfile);
    uint32_t         missing;

    KN_TRY(KN_HAVE(leaf_of && taken));
    KN_TRY(match_values(r, leaf_of, taken, &missing));
    h->nleaves = r->domain->count;
    if (missing != KN_NO_CODE
        && h->missing == KN_NO_CODE) { /* the file knows it, the table does not hold it */
        h->missing = (uint32_t) h->nleaves;
        leaf_of[h->nleaves++] = missing;
    }
    for (uint32_t leaf = 0; leaf < nfile; leaf++)
        if (!taken[leaf])
            leaf_of[h->nleaves++] = leaf;
    KN_TRY(kn_tree_fill(&r->tree, h, r->domain, leaf_of, r->tree.nlevels));
out:
    kn_free(h->ctx, leaf_of);
    kn_free(h->ctx, taken);
    return rc;
}

kanon_status
kn_hier_file_fill(kanon_hierarchy *h, const kn_hier_spec *spec, const kanon_source *source,
                  const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    reading      r = { .h = h, .spec = spec, .source = source, .domain = domain };
    kn_domain    own = { .column = source->name, .source = source->name, .missing = KN_NO_CODE };

    KN_TRY(read_file(&r));
    KN_TRY(check_root(&r));
    if (!domain) {
        own.values = kn_dict_values(r.tree.levels[0].names);
        own.count = kn_dict_count(r.tree.levels[0].names);
        r.domain = &own;
        h->type = kn_type_infer(&own);
        h->ndata = own.count;
    }
    KN_TRY(fill_matched(&r));
out:
    kn_tree_fini(&r.tree);
    return rc;
}

static kanon_status
fill_file(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status  rc = KANON_OK;
    kanon_source *source = NULL;

    KN_TRY(kanon_source_file(h->ctx, spec->file, &source));
    KN_TRY(kn_hier_file_fill(h, spec, source, domain));
out:
    kanon_source_free(source);
    return rc;
}

const kn_hier_class kn_hier_file = {
    .kind = KN_HIER_FILE,
    .name = "file",
    .summary = "from a file, one line per value: file:FILE",
    .fill = fill_file,
};
