/* population.c -- reads the population that k-map and delta-presence ask about. Its values join the table's
 * dictionaries, so that one set of hierarchies generalizes both; a value that only the population has
 * counts as a value of the column's domain, with no rows of the table.
 * Memory: the distinct quasi-identifier tuples of both. */
#include "job/columns.h"
#include "job/problem.h"

enum { PROGRESS_ROWS = 4096 };

static kanon_status
find_columns(const kn_problem *p, const kn_csv *csv, const kanon_source *source, size_t *positions)
{
    for (size_t i = 0; i < p->learned->nquasi; i++) {
        kanon_status rc = kn_column_position(p->ctx, csv, source, p->attributes[i], &positions[i]);

        if (rc < 0)
            return rc;
    }
    return KANON_OK;
}

static kanon_status
code_of(const kn_problem *p, size_t quasi, kn_str cell, uint32_t *code)
{
    kn_learned_column *column = &p->learned->columns[quasi];

    if (!kn_is_missing(p->missing, p->config->nmissing, cell))
        return kn_dict_add(column->dict, cell, code);
    if (column->missing == KN_NO_CODE) {
        kanon_status rc = kn_dict_add(column->dict, cell, &column->missing);

        if (rc < 0)
            return rc;
    }
    *code = column->missing;
    return KANON_OK;
}

static kanon_status
read_rows(const kn_problem *p, kn_csv *csv, const size_t *positions, kn_tuples *tuples)
{
    kanon_status   rc = KANON_OK;
    size_t         n = p->learned->nquasi;
    uint32_t      *codes = KN_NEW_ARRAY(p->ctx, uint32_t, n);
    kanon_progress now = { sizeof now, "population", -1, 0, 0, -1, -1 };
    const kn_str  *cells;

    if (!codes)
        return KANON_E_NOMEM;
    for (;;) {
        KN_TRY(kn_csv_next(csv, &cells));
        if (!cells)
            break;
        for (size_t i = 0; i < n; i++)
            KN_TRY(code_of(p, i, cells[positions[i]], &codes[i]));
        KN_TRY(kn_tuples_add(tuples, codes));
        if (++now.rows % PROGRESS_ROWS == 0)
            KN_TRY(kn_progress(p->ctx, &now));
    }
    KN_TRY(kn_tuples_seal(tuples));
out:
    kn_free(p->ctx, codes);
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
    kanon_status   rc = KANON_OK;
    const char    *path = p->config->models.population;
    size_t         n = p->learned->nquasi;
    size_t        *positions = NULL;
    uint32_t      *domains = NULL;
    kanon_source  *source = NULL;
    kn_csv        *csv = NULL;
    kn_tuples     *tuples = NULL;
    kn_csv_options options;

    if (!path || (p->config->models.k_map < 0 && p->config->models.presence_max < 0))
        return KANON_OK;
    positions = KN_NEW_ARRAY(p->ctx, size_t, n);
    domains = KN_NEW_ARRAY(p->ctx, uint32_t, n);
    if (!positions || !domains) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    KN_TRY(kanon_source_file(p->ctx, path, &source));
    KN_TRY(kn_config_csv(p->config, &options));
    KN_TRY(kn_csv_open(p->ctx, source, &options, &csv));
    KN_TRY(find_columns(p, csv, source, positions));
    KN_TRY(kn_tuples_new(p->ctx, n, &tuples));
    KN_TRY(read_rows(p, csv, positions, tuples));
    KN_TRY(widen_counts(p, domains));
    KN_TRY(kn_table_new(p->ctx, tuples, n, 0, domains, &p->models.population.table));
    KN_TRY(join_tuples(p));
out:
    kn_tuples_free(tuples);
    kn_csv_close(csv);
    kanon_source_free(source);
    kn_free(p->ctx, positions);
    kn_free(p->ctx, domains);
    return rc;
}
