/* SPDX-License-Identifier: Apache-2.0 */
/* disclosure.c -- what released columns give away beyond the promise of the quasi-identifiers. Every rule has
 * a threshold and its reason; docs/PRIVACY.md has both for users. A sensitive column is one that an attacker
 * is assumed not to know: of those only copies of quasi-identifiers, values of one's own and values that can
 * be guessed count, and many of them together. */
#include "anonymize/findings.h"

#include <math.h>

#include "anonymize/finder.h"
#include "base/fill.h"
#include "encode/value.h"
#include "linkage/repeats.h"

enum {
    TOGETHER_LEAST = 3, /* sensitive columns of which an attacker may know some */
    FOUND_MOST = 16     /* findings of one code */
};

/* Shares of rows that are alone in their class: by columns that others may know, and by more of them than
 * most attackers know. A set of columns is told where it singles out so many times as many as one of them. */
static const double SINGLED_OUT = 0.1, SINGLED_OUT_BY_ALL = 0.5, MORE_BY_SET = 1.5;
/* Rare diagnoses are normal, rare amounts of money are not: somebody pays them. Shares of rows. */
static const double UNIQUE_NUMBERS = 0.1, UNIQUE_TEXTS = 0.5;
static const double GUESSED_LEAST = 0.01; /* share of rows */
static const double ALPHA_USUAL = 0.8;    /* well below KN_GUESSED, and feasible for most columns */

/* --- writing ---------------------------------------------------------------------------------------- */

/* "1,482 of 2,000 rows" */
static void
put_rows_of(kn_finder *f, uint64_t rows, uint64_t of)
{
    KN_FILL(&f->text, "{} of {}", kn_as_count(rows), kn_as_counted(of, "row"));
}

/* "about" where not all rows were counted, and at the end of the sentence of how many. */
static const char *
about(const kn_finder *f)
{
    return f->r->linkage.exact ? "" : "about ";
}

static void
put_sample(kn_finder *f)
{
    if (f->r->linkage.exact)
        return;
    KN_FILL(&f->text, " (estimated from a sample of {})",
            kn_as_counted(f->r->linkage.sampled, "row"));
}

static double
share(const kn_finder *f, uint64_t rows)
{
    return (double) rows / (double) f->r->linkage.rows;
}

/* --- columns beside the quasi-identifiers ----------------------------------------------------------- */

static const kn_result_dependency *
dependency_of(const kn_finder *f, const char *column)
{
    for (size_t i = 0; i < f->r->linkage.ndependencies; i++)
        if (f->r->linkage.dependencies[i].column == column)
            return &f->r->linkage.dependencies[i];
    return NULL;
}

/* A class counts for nothing where a column says which of its rows have the age that one knows. */
static void
find_dependent(kn_finder *f)
{
    static const char *const words[] = {
        [KN_COPIES] = "%s gives away %s: each tells the other",
        [KN_REFINES] = "%s gives away %s: it tells its value",
        [KN_FOLLOWS] = "%s can be looked up for anyone whose %s is known"
    };
    const kn_result_linkage *l = &f->r->linkage;

    for (size_t i = 0; i < l->ndependencies && i < FOUND_MOST; i++) {
        const kn_result_dependency *d = &l->dependencies[i];

        kn_text_addf(&f->text, words[d->kind], d->column, d->quasi);
        KN_FILL(&f->text, "{}. With it {}",
                kn_as_is(d->strength < 1 ? ", with few exceptions" : ""), kn_as_is(about(f)));
        put_rows_of(f, d->left.alone, l->rows);
        KN_FILL(&f->text,
                " are unique, {}{} are in groups of fewer than k, and the smallest group has {} "
                "instead of {}",
                kn_as_is(about(f)), kn_as_count(d->left.below),
                kn_as_counted(d->left.smallest, "row"), kn_as_digits(f->r->k_reached));
        put_sample(f);
        kn_finder_add(f, KN_FOUND_DEPENDENT, d->column, (double) d->left.alone);
    }
}

/* Alone in a class of k with a value that others may know is alone in the release. */
static void
find_singled_out(kn_finder *f)
{
    const kn_result_linkage *l = &f->r->linkage;
    size_t                   count = 0;
    double                   most = 0;

    for (size_t i = 0; i < l->ncolumns; i++) {
        const kn_result_linked *c = &l->columns[i];
        const kn_result_attribute
            *a = &f->r->attributes[f->job->sample.positions[f->job->problem.learned->nquasi + i]];

        if (c->sensitive || share(f, c->count.alone) < SINGLED_OUT || dependency_of(f, c->name)
            || kn_is_nearly_unique(f->r, a))
            continue;
        f->names[count++] = c->name;
        most = fmax(most, share(f, c->count.alone));
    }
    if (!count)
        return;
    kn_finder_put_names(f, f->names, count, KN_FOUND_NAMED_MOST);
    kn_text_addf(&f->text,
                 " %s released unchanged: %s%.0f %% of the rows have a value%s that is unique in "
                 "their class, so anyone who knows it and the quasi-identifiers finds the row",
                 count == 1 ? "is" : "are", about(f), 100 * most,
                 count == 1 ? "" : " there (in the worst of them)");
    put_sample(f);
    kn_finder_add(f, KN_FOUND_SINGLES_OUT, count == 1 ? f->names[0] : NULL, most);
}

/* Do columns tell more together than the worst of them does? By a few that an attacker may well know, or by
 * all of them. */
static bool
combine(const kn_finder *f, const kn_result_family *family)
{
    double one = family->nworst ? share(f, family->worst[0].alone) : 1;
    double few = family->nworst ? share(f, family->worst[family->nworst - 1].alone) : 0;
    double all = share(f, family->together.alone);

    return family->count > 1
        && ((few >= SINGLED_OUT && few >= MORE_BY_SET * one)
            || (all >= SINGLED_OUT_BY_ALL && all >= MORE_BY_SET * one));
}

/* "Together with the quasi-identifiers, smoker, asthma and 12 more columns single out 4,992 of 5,000 rows;
 * two of them ..." */
static void
put_family(kn_finder *f, const kn_result_family *family, size_t count)
{
    kn_text_addz(&f->text, "Together with the quasi-identifiers, ");
    kn_finder_put_names(f, f->names, count, KN_FOUND_NAMED_MOST);
    kn_text_addf(&f->text, " single out %s", about(f));
    put_rows_of(f, family->together.alone, f->r->linkage.rows);
    for (size_t i = 1; i < family->nworst && family->count > i + 1; i++) {
        const kn_result_set *set = &family->worst[i];

        if (!set->alone)
            continue;
        KN_FILL(&f->text, "; {} single out {}{} (",
                kn_as_is(set->count == 2 ? "two of them" : "three"),
                kn_as_is(family->exact ? "" : "about "), kn_as_count(set->alone));
        kn_finder_put_names(f, set->columns, set->count, KN_FOUND_NAMED_MOST);
        kn_text_addz(&f->text, ")");
    }
    put_sample(f);
}

static void
find_combined(kn_finder *f)
{
    const kn_result_linkage *l = &f->r->linkage;
    size_t                   open = 0, sensitive = 0;

    for (size_t i = 0; i < l->ncolumns; i++)
        if (!l->columns[i].sensitive)
            f->names[open++] = l->columns[i].name;
    if (combine(f, &l->open)) {
        put_family(f, &l->open, open);
        kn_text_addz(&f->text, ": anyone who knows these values of a person finds the row");
        kn_finder_add(f, KN_FOUND_COMBINED, NULL, (double) l->open.together.alone);
        return;
    }
    for (size_t i = 0; i < l->ncolumns; i++)
        if (l->columns[i].sensitive)
            f->names[open + sensitive++] = l->columns[i].name;
    if (sensitive < TOGETHER_LEAST || !combine(f, &l->all))
        return;
    put_family(f, &l->all, open + sensitive);
    kn_text_addz(&f->text, ": anyone who knows some of these values learns the others");
    kn_finder_add(f, KN_FOUND_COMBINED_SENSITIVE, NULL, (double) l->all.together.alone);
}

/* --- sensitive values ------------------------------------------------------------------------------- */

/* Are nearly all values of a sensitive column numbers? */
static bool
is_numeric(const kn_learned_column *c)
{
    uint32_t   count = kn_dict_count(c->dict), numbers = 0;
    kn_decimal value;

    for (uint32_t i = 0; i < count; i++)
        numbers += kn_decimal_parse(kn_dict_value(c->dict, i), &value);
    return numbers >= count - count / 20;
}

static void
find_unique_values(kn_finder *f, const kn_sensitive_result *s, const kn_learned_column *column)
{
    double unique = (double) s->unique_rows / (double) f->r->released_rows;

    if (unique < UNIQUE_NUMBERS || (unique < UNIQUE_TEXTS && !is_numeric(column)))
        return;
    kn_text_addf(&f->text, "%s: ", s->name);
    put_rows_of(f, s->unique_rows, f->r->released_rows);
    kn_text_addz(&f->text, " have a value that no other row has: anyone who knows the value, such "
                           "as who pays it or was told it, finds the row, however large its class "
                           "is");
    kn_finder_add(f, KN_FOUND_UNIQUE_VALUES, s->name, (double) s->unique_rows);
}

/* Half-way between what the whole table has, which can be reached, and what nobody should be sure of; in as
 * few digits as tell it from the former. */
static double
advised_alpha(double top_share)
{
    double between = (top_share + (top_share < KN_GUESSED ? KN_GUESSED : 1)) / 2, scale = 100;

    if (between <= ALPHA_USUAL)
        return ALPHA_USUAL;
    while (floor(between * scale) / scale <= top_share && scale < 1e9)
        scale *= 10;
    return floor(between * scale) / scale;
}

void
kn_advise_alpha(const kanon_result *r, kn_text *text)
{
    double alpha = 0;
    size_t named = 0;

    for (size_t i = 0; i < r->nsensitive; i++)
        alpha = fmax(alpha, advised_alpha(r->sensitive[i].top_share));
    kn_text_addf(text, "bound the share of a value in every class: --alpha %.9g", alpha);
    for (size_t i = 0; i < r->nsensitive; i++) {
        if (r->sensitive[i].top_share < KN_GUESSED)
            continue;
        if (named++ < KN_FOUND_NAMED_MOST)
            kn_text_addf(text, "%s%s", named == 1 ? "; it hardly helps " : ", ",
                         r->sensitive[i].name);
    }
    if (named > KN_FOUND_NAMED_MOST)
        kn_text_addf(text, " and %zu more columns", named - KN_FOUND_NAMED_MOST);
    if (named)
        kn_text_addz(text, ", where one value has at least 90 % of the table");
}

static void
find_guessable(kn_finder *f, const kn_sensitive_result *s)
{
    if ((double) s->guessed_rows < GUESSED_LEAST * (double) f->r->released_rows)
        return;
    kn_text_addf(&f->text, "%s: the value of ", s->name);
    put_rows_of(f, s->guessed_rows, f->r->released_rows);
    KN_FILL(&f->text,
            " can be guessed with at least 90 % certainty from their class; a value is up to {} "
            "times as frequent in a class as in the table",
            kn_as_fixed(s->max_ratio, s->max_ratio < 10 ? 1 : 0));
    kn_advise_alpha(f->r, &f->remedy);
    kn_text_addz(&f->remedy, " (distinct l-diversity does not, where values are skewed)");
    kn_finder_add(f, KN_FOUND_GUESSABLE, s->name, (double) s->guessed_rows);
}

static void
find_in_sensitive(kn_finder *f)
{
    const kn_learned *learned = f->job->problem.learned;
    size_t            found = 0;

    for (size_t i = 0; i < learned->nsensitive && found < f->r->nsensitive; i++) {
        const kn_learned_column   *column = &learned->columns[learned->nquasi + i];
        const kn_sensitive_result *s = &f->r->sensitive[found];

        if (f->r->attributes[column->position].name != s->name)
            continue; /* a class label that is not sensitive */
        find_guessable(f, s);
        find_unique_values(f, s, column);
        found++;
    }
}

/* --- persons ---------------------------------------------------------------------------------------- */

/* Where no column says whose the rows are; an identifier that repeats has its own finding. */
static void
find_repeated_tuples(kn_finder *f)
{
    const kanon_config *config = f->job->problem.config;
    kn_repeats          found;

    if (kn_config_entity(config) || config->count
        || kn_findings_find(&f->r->findings, KN_FOUND_REPEATED_PERSONS))
        return;
    f->rc = f->rc < 0 ? f->rc : kn_link_repeats(f->r->ctx, f->job->problem.learned->table, &found);
    if (f->rc < 0 || !found.improbable)
        return;
    put_rows_of(f, found.rows, f->r->input_rows);
    KN_FILL(&f->text,
            " of the table have the same quasi-identifiers as another row, in {}, where about {} "
            "would be expected of different people: if a person has several rows, a class of k "
            "rows may be a single person",
            kn_as_counted((uint64_t) found.pairs, "pair"),
            kn_as_count((uint64_t) ceil(found.expected)));
    kn_finder_add(f, KN_FOUND_REPEATED_TUPLES, NULL, (double) found.rows);
}

/* --- what a spreadsheet makes of the release -------------------------------------------------------- */

static void
find_formulas(kn_finder *f)
{
    size_t found = 0;

    if (f->job->problem.config->formulas == KN_FORMULAS_QUOTE)
        return;
    for (size_t i = 0; i < f->r->nattributes && found < FOUND_MOST; i++) {
        const kn_result_attribute *a = &f->r->attributes[i];

        if (!a->formulas)
            continue;
        KN_FILL(&f->text,
                "{}: {} begin{} like a formula, which a spreadsheet runs when somebody opens the "
                "release in it",
                kn_as_is(a->name), kn_as_counted(a->formulas, "cell"),
                kn_as_is(a->formulas == 1 ? "s" : ""));
        kn_finder_add(f, KN_FOUND_FORMULAS, a->name, (double) a->formulas);
        found++;
    }
}

kanon_status
kn_job_find_disclosures(const kn_job *job, kanon_result *r)
{
    kanon_status rc, closed;
    kn_finder    f;

    if (r->outcome == KANON_INFEASIBLE)
        return KANON_OK;
    rc = kn_finder_open(&f, job, r);
    if (rc == KANON_OK && r->linkage.rows >= KN_FOUND_ROWS_LEAST) {
        find_dependent(&f);
        find_singled_out(&f);
        find_combined(&f);
    }
    if (rc == KANON_OK && r->released_rows >= KN_FOUND_ROWS_LEAST)
        find_in_sensitive(&f);
    if (rc == KANON_OK) {
        find_repeated_tuples(&f);
        find_formulas(&f);
    }
    closed = kn_finder_close(&f);
    return rc < 0 ? rc : closed;
}
