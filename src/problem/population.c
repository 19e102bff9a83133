/* SPDX-License-Identifier: Apache-2.0 */
/* population.c -- reads the population that k-map and delta-presence ask about. Its values join the table's
 * dictionaries, so that one set of hierarchies generalizes both; a value that only the population has
 * counts as a value of the column's domain, with no rows of the table.
 * Memory: the distinct quasi-identifier tuples of both. */
#include "base/fill.h"
#include "base/text.h"
#include "linkage/repeats.h"
#include "problem/columns.h"
#include "problem/problem.h"

/* The table's dictionaries and missing values, which those of the population join. */
static kanon_status
load(const kn_problem *p, kn_rows *rows, kn_tuples *tuples)
{
    kanon_status    rc = KANON_OK;
    size_t          n = p->learned->nquasi;
    kn_load_column *columns = KN_NEW_ARRAY(p->ctx, kn_load_column, n);
    kn_loader       loader = { .stage = "population",
                               .missing = p->missing,
                               .nmissing = p->config->nmissing,
                               .columns = columns,
                               .ncolumns = n,
                               .tuples = tuples,
                               .count = kn_count_column(p->config, rows) };

    if (!columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        columns[i] = (kn_load_column){ .dict = p->learned->columns[i].dict,
                                       .missing = p->learned->columns[i].missing };
        KN_TRY(kn_column_position(rows, p->attributes[i], &columns[i].position));
    }
    KN_TRY(kn_load(&loader, rows));
    for (size_t i = 0; i < n; i++)
        p->learned->columns[i].missing = columns[i].missing;
out:
    kn_free(p->ctx, columns);
    return rc;
}

/* The new values have no rows in the table. */
static kanon_status
widen_counts(const kn_problem *p, uint32_t *domains)
{
    for (size_t i = 0; i < p->learned->nquasi; i++) {
        kn_learned_column *column = &p->learned->columns[i];
        uint64_t          *rows;

        domains[i] = kn_dict_count(column->dict);
        rows = KN_NEW_ARRAY(p->ctx, uint64_t, domains[i]);
        if (!rows)
            return KANON_E_NOMEM;
        kn_table_count(p->learned->table, i, rows, domains[i]);
        kn_free(p->ctx, column->rows);
        column->rows = rows;
    }
    return KANON_OK;
}

/* A person who is listed twice hides nobody twice. */
static kanon_status
warn_repeated(const kn_problem *p)
{
    kn_repeats   found;
    kn_text      text;
    kanon_status rc = kn_link_repeats(p->ctx, p->models.population.table, &found);

    if (rc < 0 || !found.improbable || p->config->count)
        return rc;
    kn_text_init(&text, p->ctx);
    KN_FILL(&text, "{} of the {}", kn_as_count(found.rows),
            kn_as_count(p->models.population.table->rows));
    rc = kn_text_status(&text);
    if (rc == KANON_OK)
        kn_warn(p->ctx, KN_FOUND_REPEATED_POPULATION, kn_at_setting("population"),
                "population: %s rows of %s have the same quasi-identifiers as another row, far "
                "more than different people would" KN_DO "list every person once, or k-map and "
                "delta-presence promise too much",
                text.ptr, p->config->models.population);
    kn_text_fini(&text);
    return rc;
}

/* The tuples of the table and of the population, one after the other. */
static kanon_status
join_tuples(kn_problem *p)
{
    kn_population_table *pop = &p->models.population;
    const kn_table      *table = p->learned->table;
    size_t               n = table->nquasi, total = table->ntuples + pop->table->ntuples;

    pop->codes = KN_NEW_ARRAY(p->ctx, kn_codes, n);
    pop->weights = kn_realloc_array(p->ctx, NULL, total, sizeof *pop->weights);
    if (!pop->codes || !pop->weights)
        return KANON_E_NOMEM;
    memcpy(pop->weights, table->weights, table->ntuples * sizeof *pop->weights);
    memcpy(pop->weights + table->ntuples, pop->table->weights,
           pop->table->ntuples * sizeof *pop->weights);
    for (size_t i = 0; i < n; i++) {
        uint32_t *codes = kn_realloc_array(p->ctx, NULL, total, sizeof *codes);

        pop->codes[i] = (kn_codes){ sizeof *codes, codes };
        if (!codes)
            return KANON_E_NOMEM;
        for (size_t t = 0; t < total; t++)
            codes[t] = t < table->ntuples ? kn_codes_at(&table->quasi[i], t)
                                          : kn_codes_at(&pop->table->quasi[i], t - table->ntuples);
    }
    return KANON_OK;
}

kanon_status
kn_models_read_population(kn_problem *p)
{
    kanon_status  rc = KANON_OK;
    const char   *path = p->config->models.population;
    size_t        n = p->learned->nquasi;
    uint32_t     *domains = NULL;
    kanon_source *source = NULL;
    kn_rows      *rows = NULL;
    kn_tuples    *tuples = NULL;
    kn_csv_table  table;

    if (!path || !kn_config_asks(p->config, KN_OF_POPULATION))
        return KANON_OK;
    domains = KN_NEW_ARRAY(p->ctx, uint32_t, n);
    if (!domains)
        return KANON_E_NOMEM;
    KN_TRY(kanon_source_file(p->ctx, path, &source));
    KN_TRY(kn_source_table(p->ctx, p->config, source, &table));
    KN_TRY(kn_rows_open(&table.base, p->ctx, &rows));
    KN_TRY(kn_tuples_new(p->ctx, n, &tuples));
    KN_TRY(load(p, rows, tuples));
    if (!kn_tuples_count(tuples)) {
        rc = kn_fail_at(
            p->ctx, KANON_E_INVALID, path, 0,
            "the population has no rows; it needs one for everyone whom %s could be about",
            p->source->name);
        goto out;
    }
    p->learned->joined = path;
    KN_TRY(widen_counts(p, domains));
    KN_TRY(kn_table_new(p->ctx, tuples, n, 0, domains, &p->models.population.table));
    KN_TRY(warn_repeated(p));
    KN_TRY(join_tuples(p));
out:
    kn_tuples_free(tuples);
    kn_rows_close(rows);
    kanon_source_free(source);
    kn_free(p->ctx, domains);
    return rc;
}

/* --- who is not in it ------------------------------------------------------------------------------ */

/* Which of the learned columns tells persons apart; SIZE_MAX: rows are counted. */
static size_t
entity_column(const kn_problem *p)
{
    const kn_learned *learned = p->learned;
    const char       *name = kn_config_entity(p->config);

    for (size_t s = 0; name && s < learned->nsensitive; s++)
        if (strcmp(learned->names[learned->columns[learned->nquasi + s].position], name) == 0)
            return s;
    return SIZE_MAX;
}

/* How a person of the table fares; rows are as many persons. */
typedef struct roll {
    const kn_table *table;
    size_t          column;
    size_t         *seen;  /* [code] the tuple (from 1) that counted a person last */
    bool           *alone; /* [code] a person of whom nobody in the population has a tuple */
    uint64_t        all, unmatched;
} roll;

static size_t
first_entry(const kn_table *table, size_t tuple)
{
    return table->first ? table->first[tuple] : tuple;
}

/* Persons of a tuple: different values of the column that tells them apart. */
static uint64_t
count_persons(roll *r, size_t tuple, uint64_t *known)
{
    uint64_t persons = 0;

    for (size_t e = first_entry(r->table, tuple); e < first_entry(r->table, tuple + 1); e++) {
        uint32_t code = kn_codes_at(&r->table->sensitive[r->column], e);

        if (r->seen[code] == tuple + 1)
            continue;
        r->all += !r->seen[code];
        r->seen[code] = tuple + 1;
        *known += r->alone[code];
        persons++;
    }
    return persons;
}

/* So many more persons of a tuple are unmatched: who is one already is not counted again. */
static void
mark_unmatched(roll *r, size_t tuple, uint64_t more)
{
    for (size_t e = first_entry(r->table, tuple); e < first_entry(r->table, tuple + 1) && more;
         e++) {
        uint32_t code = kn_codes_at(&r->table->sensitive[r->column], e);

        if (r->alone[code])
            continue;
        r->alone[code] = true;
        r->unmatched++;
        more--;
    }
}

static void
take_tuple(roll *r, size_t tuple, uint64_t there)
{
    uint64_t known = 0, here;

    if (!r->seen) {
        here = r->table->weights[tuple];
        r->all += here;
        r->unmatched += here > there ? here - there : 0;
        return;
    }
    here = count_persons(r, tuple, &known);
    if (here > there + known)
        mark_unmatched(r, tuple, here - there - known);
}

static int
compare_tuples(const kn_table *a, size_t i, const kn_table *b, size_t j)
{
    for (size_t q = 0; q < a->nquasi; q++) {
        uint32_t x = kn_codes_at(&a->quasi[q], i), y = kn_codes_at(&b->quasi[q], j);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static void
warn_of(const kn_problem *p, uint64_t unmatched, uint64_t all, bool persons)
{
    kn_text text;

    kn_text_init(&text, p->ctx);
    KN_FILL(&text, "{} of the {}", kn_as_count(unmatched), kn_as_count(all));
    if (kn_text_status(&text) == KANON_OK)
        kn_warn(p->ctx, KN_FOUND_NOT_IN_POPULATION, kn_at_setting("population"),
                "population: for %s %s of %s nobody is left in %s with the same quasi-identifiers, "
                "but everyone in the table should be in the population" KN_DO "%s",
                text.ptr, persons ? "persons" : "rows", p->source->name,
                p->config->models.population,
                persons ? "use a population that has them"
                        : "if a person has several rows, name the column that identifies the "
                          "person: --entity COLUMN; otherwise use a population that has them");
    kn_text_fini(&text);
}

/* The people of the table must be people of the population. Nobody can tell from the tuples alone who is
 * who, but a tuple with more of them than the population has shows that some are not. Both tables are sorted
 * by their tuples. */
kanon_status
kn_models_warn_unmatched(const kn_problem *p)
{
    kanon_status    rc = KANON_OK;
    const kn_table *table = p->learned->table, *people = p->models.population.table;
    roll            r = { .table = table, .column = entity_column(p) };

    if (r.column != SIZE_MAX) {
        size_t count = kn_dict_count(p->learned->columns[p->learned->nquasi + r.column].dict);

        r.seen = KN_NEW_ARRAY(p->ctx, size_t, count);
        r.alone = KN_NEW_ARRAY(p->ctx, bool, count);
        KN_TRY(KN_HAVE(r.seen && r.alone));
    }
    for (size_t a = 0, b = 0; a < table->ntuples; a++) {
        uint64_t there = 0;

        while (b < people->ntuples && compare_tuples(people, b, table, a) < 0)
            b++;
        if (b < people->ntuples && compare_tuples(people, b, table, a) == 0)
            there = people->weights[b];
        take_tuple(&r, a, there);
    }
    if (r.unmatched)
        warn_of(p, r.unmatched, r.all, r.seen != NULL);
out:
    kn_free(p->ctx, r.seen);
    kn_free(p->ctx, r.alone);
    return rc;
}
