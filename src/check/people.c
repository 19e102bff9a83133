/* SPDX-License-Identifier: Apache-2.0 */
/* people.c -- how many people of a population a class of a checked table may stand for. A table that is
 * written as the population is looked up. In a release the cells are read as `kanon compare` reads them, as
 * sets of the population's values: by the labels of a hierarchy, as intervals, sets or hidden characters, so
 * a release of any tool can be measured. Rows of the population are never matched with rows of the table.
 * Cost: where every value of the population belongs to one released value, O(people * log classes); where
 * they overlap, as with local recoding, O(people * classes), which is refused beyond WORK_MOST.
 *
 * Presence: how likely a person is in the table, if every way to fill the rows with people is as likely as
 * any other. A class that shares its people with no other one has the share rows/people. Where a person may
 * be in several classes, the shares are added up. For one person that is no bound, since a class may be left
 * with fewer people than it covers; for whoever has most of all it has been one in every case that was
 * listed in full, and that one is judged. */
#include "base/text.h"
#include "check/checked.h"
#include "compare/compare.h"
#include "problem/columns.h"

enum { CANCEL_EVERY = 1024 };

static const double WORK_MOST = 2e10; /* cells looked at: a minute or so */

typedef struct covering {
    const kn_check_table *table;
    const kanon_config   *config;
    kn_compare            compare; /* side 0: the population, side 1: the table */
    uint32_t             *text_of; /* [class * columns] released text, as an index of meanings */
    uint32_t            **owner;   /* [columns][values] the text that covers a value */
    kn_check_coverage    *coverage;
} covering;

/* --- reading ---------------------------------------------------------------------------------------- */

/* The quasi-identifiers, where they stand in both files. */
static kanon_status
take_columns(covering *c, kn_rows *const rows[2])
{
    kanon_status          rc = KANON_OK;
    const kn_check_table *table = c->table;
    kn_compare           *compare = &c->compare;

    compare->columns = kn_compare_array(compare, table->nquasi, sizeof *compare->columns);
    if (!compare->columns)
        return KANON_E_NOMEM;
    for (; compare->ncolumns < table->nquasi; compare->ncolumns++) {
        kn_compare_column *column = &compare->columns[compare->ncolumns];

        column->name = table->columns[compare->ncolumns].name;
        column->attribute = kn_config_attribute(c->config, kn_str_of(column->name));
        column->role = KN_ROLE_QUASI;
        for (size_t side = 0; side < 2; side++)
            KN_TRY(kn_column_position(rows[side], column->attribute, &column->place[side]));
    }
out:
    return rc;
}

static kanon_status
read_both(covering *c, const kanon_source *population, kn_rows_source *source)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = c->table->ctx;
    kn_csv_table people;
    kn_rows     *rows[2] = { NULL, NULL };

    KN_TRY(kn_source_table(ctx, c->config, population, &people));
    KN_TRY(kn_rows_open(&people.base, ctx, &rows[0]));
    KN_TRY(kn_rows_open(source, ctx, &rows[1]));
    KN_TRY(take_columns(c, rows));
    for (size_t side = 0; side < 2; side++)
        KN_TRY(kn_compare_read(&c->compare, side, rows[side]));
    KN_TRY(kn_compare_order(&c->compare));
    KN_TRY(kn_compare_understand(&c->compare));
out:
    kn_rows_close(rows[0]);
    kn_rows_close(rows[1]);
    return rc;
}

/* --- what the classes cover ------------------------------------------------------------------------- */

/* Released texts of every class, as indexes of the meanings. */
static kanon_status
find_texts(covering *c)
{
    const kn_check_table *table = c->table;
    size_t                n = table->nquasi;

    c->text_of = kn_realloc_array(table->ctx, NULL, table->nclasses * n + 1, sizeof *c->text_of);
    if (!c->text_of)
        return KANON_E_NOMEM;
    for (size_t class = 0; class < table->nclasses; class ++)
        for (size_t q = 0; q < n; q++) {
            const kn_compare_dict *dict = &c->compare.columns[q].dicts[1];
            uint32_t code = kn_tuples_code(table->tuples, table->classes[class].tuple, q);
            uint32_t text = table->columns[q].absent[code]
                              ? dict->missing
                              : kn_dict_find(dict->dict,
                                             kn_dict_value(table->columns[q].dict, code));

            if (text == KN_NO_CODE)
                return kn_fail(table->ctx, KANON_E_INTERNAL,
                               "a value of the table was not found when it was read again");
            c->text_of[class * n + q] = dict->position[text];
        }
    return KANON_OK;
}

/* What a text stands for; NULL: for nobody. Stricter than a comparison, which must make something of every
 * cell: a number that nobody has is nobody's, and so is a missing value where the population has none. */
static const kn_meaning *
meaning_of(const kn_compare_column *column, uint32_t text)
{
    const kn_meaning *m = &column->meanings[text];
    bool              stray = m->reading == KN_READ_ALL && text == column->text_missing;

    return m->reading == KN_READ_UNKNOWN || m->reading == KN_READ_NUMBER || stray ? NULL : m;
}

static const kn_meaning *
meaning_at(const covering *c, size_t class, size_t quasi)
{
    return meaning_of(&c->compare.columns[quasi], c->text_of[class * c->table->nquasi + quasi]);
}

/* Could the cell be anything? */
static bool
is_any(const covering *c, const kn_meaning *m, size_t quasi)
{
    return m && m->count >= c->compare.columns[quasi].nvalues;
}

/* Is a class masked: any value in every column? */
static bool
is_masked(const covering *c, size_t class)
{
    for (size_t q = 0; q < c->table->nquasi; q++)
        if (!is_any(c, meaning_at(c, class, q), q))
            return false;
    return true;
}

static bool
holds(const kn_meaning *m, uint32_t position)
{
    return m && kn_meaning_within(m, position, position + 1) > 0;
}

/* Which text covers each value. @return false: some values are covered by several */
static bool
find_owners(covering *c, size_t quasi)
{
    const kn_compare_column *column = &c->compare.columns[quasi];
    uint32_t                *owner = c->owner[quasi];
    bool                     whole = column->ntexts == 1;

    for (size_t v = 0; v < column->nvalues; v++)
        owner[v] = KN_NO_CODE;
    for (uint32_t t = 0; t < column->ntexts; t++) {
        const kn_meaning *m = meaning_of(column, t);

        if (!m || (is_any(c, m, quasi) && !whole))
            continue; /* what may be anything is found by is_masked() alone */
        for (size_t i = 0; i < m->count; i++) {
            uint32_t v = m->list ? m->list[i] : m->from + (uint32_t) i;

            if (owner[v] != KN_NO_CODE)
                return false;
            owner[v] = t;
        }
    }
    return true;
}

/* Does every value of the population belong to one released value, but for rows that are masked? */
static kanon_status
divides(covering *c, bool *out)
{
    const kn_check_table *table = c->table;

    *out = true;
    c->owner = kn_alloc_array(table->ctx, table->nquasi, sizeof *c->owner);
    if (!c->owner)
        return KANON_E_NOMEM;
    for (size_t q = 0; q < table->nquasi; q++) {
        c->owner[q] = KN_NEW_ARRAY(table->ctx, uint32_t, c->compare.columns[q].nvalues);
        if (!c->owner[q])
            return KANON_E_NOMEM;
        *out = *out && find_owners(c, q);
    }
    for (size_t class = 0; class < table->nclasses && *out; class ++)
        for (size_t q = 0; q < table->nquasi && *out && !is_masked(c, class); q++)
            *out = c->compare.columns[q].ntexts == 1 || !is_any(c, meaning_at(c, class, q), q);
    return KANON_OK;
}

/* --- counting --------------------------------------------------------------------------------------- */

static int
compare_class(const covering *c, size_t class, const uint32_t *texts)
{
    for (size_t q = 0; q < c->table->nquasi; q++) {
        uint32_t text = c->text_of[class * c->table->nquasi + q];

        if (text != texts[q])
            return text < texts[q] ? -1 : 1;
    }
    return 0;
}

/* Classes in the order of their texts, by heap sort. order[nclasses] */
static void
sort_classes(const covering *c, size_t *order)
{
    size_t n = c->table->nclasses, quasi = c->table->nquasi;

    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t end = n, start = n / 2; end > 1;) {
        size_t root, child, held;

        if (start) {
            start--;
        } else {
            held = order[--end];
            order[end] = order[0];
            order[0] = held;
        }
        for (root = start; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end
                && compare_class(c, order[child], &c->text_of[order[child + 1] * quasi]) < 0)
                child++;
            if (compare_class(c, order[root], &c->text_of[order[child] * quasi]) >= 0)
                break;
            held = order[root];
            order[root] = order[child];
            order[child] = held;
        }
    }
}

/* The first of the classes with these texts, as an index of order. Several differ in how they spell that a
 * value is missing. */
static size_t
find_class(const covering *c, const size_t *order, const uint32_t *texts)
{
    size_t low = 0, high = c->table->nclasses;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_class(c, order[middle], texts) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->table->nclasses && compare_class(c, order[low], texts) == 0 ? low : SIZE_MAX;
}

/* Where the classes with the same texts as order[first] end. */
static size_t
end_of_run(const covering *c, const size_t *order, size_t first)
{
    const uint32_t *texts = &c->text_of[order[first] * c->table->nquasi];
    size_t          end = first + 1;

    while (end < c->table->nclasses && compare_class(c, order[end], texts) == 0)
        end++;
    return end;
}

static double
share_of(const covering *c, size_t class)
{
    uint64_t people = c->coverage->people[class];

    return people ? (double) c->table->classes[class].rows / (double) people : 0;
}

/* Presence where each person belongs to the classes of one run, and to all that are masked. */
static void
add_up_divided(covering *c, const size_t *order)
{
    double *presence = c->coverage->presence, masked = 0, most;

    for (size_t class = 0; class < c->table->nclasses; class ++)
        masked += is_masked(c, class) ? share_of(c, class) : 0;
    most = masked;
    for (size_t i = 0, end; i < c->table->nclasses; i = end) {
        double sum = masked;

        end = end_of_run(c, order, i);
        if (is_masked(c, order[i]) || !c->coverage->people[order[i]])
            continue;
        for (size_t n = i; n < end; n++)
            sum += share_of(c, order[n]);
        for (size_t n = i; n < end; n++)
            presence[order[n]] = sum;
        most = sum > most ? sum : most;
    }
    for (size_t class = 0; class < c->table->nclasses; class ++)
        if (is_masked(c, class))
            presence[class] = most;
}

/* A person of the population: counted in the classes of a run, or as unmatched. */
static void
place_person(covering *c, const size_t *order, size_t tuple, uint32_t *texts, bool masked)
{
    const kn_compare_side *side = &c->compare.sides[0];
    size_t                 run, end;
    bool                   known = true;

    for (size_t q = 0; q < c->table->nquasi; q++) {
        texts[q] = c->owner[q][kn_codes_at(&side->codes[q], tuple)];
        known = known && texts[q] != KN_NO_CODE;
    }
    run = known ? find_class(c, order, texts) : SIZE_MAX;
    if (run == SIZE_MAX) {
        c->coverage->unmatched += masked ? 0 : side->weights[tuple];
        return;
    }
    end = end_of_run(c, order, run);
    for (size_t i = run; i < end; i++)
        c->coverage->people[order[i]] += side->weights[tuple];
}

/* Every person belongs to the classes of one run at most, and to all that are masked: 40-49 is as good as *
 * where nobody is of another age. */
static kanon_status
count_divided(covering *c)
{
    const kn_check_table  *table = c->table;
    const kn_compare_side *side = &c->compare.sides[0];
    size_t                *order = KN_NEW_ARRAY(table->ctx, size_t, table->nclasses);
    uint32_t              *texts = KN_NEW_ARRAY(table->ctx, uint32_t, table->nquasi);
    uint64_t               everybody = 0;
    bool                   masked = false;

    if (!order || !texts) {
        kn_free(table->ctx, order);
        kn_free(table->ctx, texts);
        return KANON_E_NOMEM;
    }
    sort_classes(c, order);
    for (size_t class = 0; class < table->nclasses && !masked; class ++)
        masked = is_masked(c, class);
    for (size_t t = 0; t < side->ntuples; t++) {
        place_person(c, order, t, texts, masked);
        everybody += side->weights[t];
    }
    for (size_t class = 0; class < table->nclasses && masked; class ++)
        if (is_masked(c, class))
            c->coverage->people[class] = everybody;
    if (c->coverage->presence)
        add_up_divided(c, order);
    kn_free(table->ctx, order);
    kn_free(table->ctx, texts);
    return KANON_OK;
}

static bool
fits(const covering *c, size_t class, size_t tuple)
{
    const kn_compare_side *side = &c->compare.sides[0];

    for (size_t q = 0; q < c->table->nquasi; q++)
        if (!holds(meaning_at(c, class, q), kn_codes_at(&side->codes[q], tuple)))
            return false;
    return true;
}

/* The classes that a person may be in. @return how many */
static size_t
find_fitting(const covering *c, size_t tuple, size_t *fitting)
{
    size_t count = 0;

    for (size_t class = 0; class < c->table->nclasses; class ++)
        if (fits(c, class, tuple))
            fitting[count++] = class;
    return count;
}

static void
count_person(covering *c, size_t tuple, const size_t *fitting, size_t count)
{
    uint64_t weight = c->compare.sides[0].weights[tuple];

    for (size_t i = 0; i < count; i++)
        c->coverage->people[fitting[i]] += weight;
    c->coverage->unmatched += count ? 0 : weight;
}

/* Once everybody is counted. */
static void
add_up_person(covering *c, size_t tuple, const size_t *fitting, size_t count)
{
    double sum = 0;

    KN_UNUSED(tuple);
    for (size_t i = 0; i < count; i++)
        sum += share_of(c, fitting[i]);
    for (size_t i = 0; i < count; i++)
        if (sum > c->coverage->presence[fitting[i]])
            c->coverage->presence[fitting[i]] = sum;
}

/* A person may fit several classes: each of them may be his. */
static kanon_status
count_overlapping(covering *c)
{
    kanon_status           rc = KANON_OK;
    const kn_check_table  *table = c->table;
    const kn_compare_side *side = &c->compare.sides[0];
    kanon_progress         now = { sizeof now, "population", 0, 0, 0, -1, -1 };
    size_t                 turns = c->coverage->presence ? 2 : 1, *fitting;

    if ((double) side->ntuples * (double) table->nclasses * (double) (table->nquasi * turns)
        > WORK_MOST)
        return kn_fail(
            table->ctx, KANON_E_UNSUPPORTED,
            "population: released values overlap, as with local recoding, and %zu classes with %zu "
            "distinct people of the population are too many to compare; use a sample of the "
            "population, or a release with full-domain generalization",
            table->nclasses, side->ntuples);
    fitting = KN_NEW_ARRAY(table->ctx, size_t, table->nclasses);
    if (!fitting)
        return KANON_E_NOMEM;
    for (size_t i = 0; side->ntuples && i < turns * side->ntuples; i++) {
        size_t t = i % side->ntuples, count = find_fitting(c, t, fitting);

        (i < side->ntuples ? count_person : add_up_person)(c, t, fitting, count);
        now.fraction = (double) i / (double) (turns * side->ntuples);
        if (i % CANCEL_EVERY == 0)
            KN_TRY(kn_progress(table->ctx, &now));
    }
out:
    kn_free(table->ctx, fitting);
    return rc;
}

/* --- what could not be understood ------------------------------------------------------------------- */

/* Cells that no rule explains stand for nobody. Often a hierarchy is all that is missing. */
static void
warn_unknown(const covering *c)
{
    for (size_t q = 0; q < c->table->nquasi; q++) {
        const kn_compare_column *column = &c->compare.columns[q];
        uint64_t                 rows = 0;

        for (uint32_t t = 0; t < column->ntexts; t++)
            rows += meaning_of(column, t) ? 0 : column->text_rows[t];
        if (rows)
            kn_warn(c->table->ctx, KN_FOUND_NOT_IN_POPULATION, kn_at_column(column->name),
                    "population: %llu rows have a value of '%s' that nobody in the population has, "
                    "so they match nobody" KN_DO
                    "if it is a generalized value, name its hierarchy: --hierarchy COLUMN=SPEC, or "
                    "the config of the release with -c",
                    (unsigned long long) rows, column->name);
    }
}

static void
fini(covering *c)
{
    for (size_t q = 0; c->owner && q < c->table->nquasi; q++)
        kn_free(c->table->ctx, c->owner[q]);
    kn_free(c->table->ctx, c->owner);
    kn_free(c->table->ctx, c->text_of);
    kn_compare_fini(&c->compare);
}

kanon_status
kn_check_people(const kn_check_table *table, const kanon_config *config, kn_rows_source *source,
                kn_check_coverage *coverage)
{
    kanon_status  rc = KANON_OK;
    covering      c = { .table = table,
                        .config = config,
                        .compare = { .ctx = table->ctx, .config = config },
                        .coverage = coverage };
    kanon_source *population = NULL;
    kn_str       *missing = NULL;
    bool          divided;

    kn_arena_init(&c.compare.arena, table->ctx);
    c.compare.source = config->models.population;
    KN_TRY(kanon_source_file(table->ctx, config->models.population, &population));
    KN_TRY(kn_missing_tokens(table->ctx, config, &missing));
    c.compare.missing = missing;
    KN_TRY(read_both(&c, population, source));
    KN_TRY(find_texts(&c));
    KN_TRY(divides(&c, &divided));
    KN_TRY(divided ? count_divided(&c) : count_overlapping(&c));
    warn_unknown(&c);
out:
    fini(&c);
    kn_free(table->ctx, missing);
    kanon_source_free(population);
    return rc;
}
