/* SPDX-License-Identifier: Apache-2.0 */
/* problem.c -- from a config and a table to a lattice with bounds.
 * Quasi-identifiers and sensitive columns stand in the order of the table, in reports as in nodes. */
#include "problem/problem.h"

#include "problem/cautions.h"
#include "problem/coded.h"
#include "problem/columns.h"
#include "table/mapped.h"

/* --- which columns --------------------------------------------------------------------------------- */

/* A column that a setting names. */
static kanon_status
check_name(const kn_rows *rows, const char *name, kn_place at)
{
    kn_attribute named = { .name = name, .file = at.file, .line = at.line };
    size_t       position;

    return name ? kn_column_position(rows, &named, &position) : KANON_OK;
}

/* Every configured name must be a column of the table, whatever its role. */
static kanon_status
check_names(const kn_problem *p, const kn_rows *rows)
{
    kanon_status rc = KANON_OK;
    size_t       position;

    for (size_t i = 0; rc == KANON_OK && i < p->config->nattributes; i++)
        rc = kn_column_position(rows, &p->config->attributes[i], &position);
    for (size_t i = 0; rc == KANON_OK && i < KN_MODEL_COUNT; i++)
        rc = check_name(rows, p->config->models.asked[i].column, p->config->models.asked[i].at);
    if (rc == KANON_OK)
        rc = check_name(rows, p->config->label, p->config->label_at);
    if (rc == KANON_OK)
        rc = kn_count_check(p->config, rows);
    return rc;
}

/* The class label is learned like a sensitive column, also where it is released as insensitive. */
static bool
learned_as(const kn_problem *p, kn_str name, kn_role role)
{
    kn_role own = kn_config_role(p->config, name);

    if (role == KN_ROLE_SENSITIVE && (own == KN_ROLE_INSENSITIVE || own == KN_ROLE_NONE)
        && p->config->label)
        return kn_str_equal(name, kn_str_of(p->config->label));
    return own == role;
}

static size_t
collect(kn_problem *p, const kn_rows *rows, kn_role role, size_t *positions, size_t count)
{
    for (size_t c = 0; c < kn_rows_columns(rows); c++)
        if (learned_as(p, kn_rows_names(rows)[c], role)) {
            p->attributes[count] = kn_config_attribute(p->config, kn_rows_names(rows)[c]);
            positions[count++] = c;
        }
    return count;
}

/* Columns that only models look at, behind those that are sensitive. */
static size_t
collect_others(kn_problem *p, const kn_rows *rows, size_t *positions, size_t count)
{
    for (size_t c = 0; c < kn_rows_columns(rows); c++)
        if (kn_models_learn(p->config, kn_rows_names(rows)[c])
            && !learned_as(p, kn_rows_names(rows)[c], KN_ROLE_QUASI)
            && !learned_as(p, kn_rows_names(rows)[c], KN_ROLE_SENSITIVE)) {
            p->attributes[count] = kn_config_attribute(p->config, kn_rows_names(rows)[c]);
            positions[count++] = c;
        }
    return count;
}

static kanon_status
choose(void *user, const kn_rows *rows, size_t *positions, size_t *nquasi, size_t *nsensitive)
{
    kn_problem  *p = user;
    kanon_status rc = check_names(p, rows);

    if (rc < 0)
        return rc;
    *nquasi = collect(p, rows, KN_ROLE_QUASI, positions, 0);
    *nsensitive = collect(p, rows, KN_ROLE_SENSITIVE, positions, *nquasi) - *nquasi;
    p->nlabels = *nsensitive;
    *nsensitive = collect_others(p, rows, positions, *nquasi + *nsensitive) - *nquasi;
    if (*nquasi == 0)
        return kn_fail(p->ctx, KANON_E_INVALID,
                       "no quasi-identifier is named; use --qi COLUMN,COLUMN or a config (`kanon "
                       "init %s` writes one)",
                       p->source->name);
    if (*nquasi > KN_QUASI_MOST)
        return kn_fail(p->ctx, KANON_E_UNSUPPORTED, "%zu quasi-identifiers; the maximum is %d",
                       *nquasi, KN_QUASI_MOST);
    return KANON_OK;
}

/* Values of a population join the dictionaries, so what is learned for such a job is its own. */
static bool
shares_learned(const kn_problem *p)
{
    return !p->config->models.population || !kn_config_asks(p->config, KN_OF_POPULATION);
}

/* What a job before has learned of the table, where this one would learn the same. */
static kanon_status
recall(kn_problem *p, kn_learn_options *how)
{
    kanon_status rc = KANON_OK;
    kn_learned  *kept = p->source->kept;
    kn_rows      known = { .ctx = p->ctx, .name = p->source->name }; /* its names, without a pass */
    kn_str      *names = KN_NEW_ARRAY(p->ctx, kn_str, kept->ncolumns);
    size_t      *positions = KN_NEW_ARRAY(p->ctx, size_t, kept->ncolumns), nquasi, nsensitive;

    kn_names_init(p->ctx, &known.names);
    KN_TRY(KN_HAVE(names && positions));
    for (size_t c = 0; c < kept->ncolumns; c++)
        names[c] = kn_str_of(kept->names[c]);
    KN_TRY(kn_names_copy(p->ctx, &known.names, names, kept->ncolumns));
    KN_TRY(choose(p, &known, positions, &nquasi, &nsensitive));
    how->count = kn_count_column(p->config, &known);
    if (kn_learned_fits(kept, how, positions, nquasi, nsensitive))
        p->learned = kn_learned_share(kept);
out:
    kn_names_fini(&known.names);
    kn_free(p->ctx, names);
    kn_free(p->ctx, positions);
    return rc;
}

static kanon_status
learn(kn_problem *p)
{
    kanon_status     rc = KANON_OK;
    kn_rows         *rows = NULL;
    kn_learn_options how = {
        .missing = p->missing, .nmissing = p->config->nmissing, .choose = choose, .user = p
    };

    /* the label and the columns that models look at may be some that the config gives no role */
    p->attributes = kn_alloc_array(p->ctx, p->config->nattributes + 1 + KN_MODEL_COUNT,
                                   sizeof *p->attributes);
    if (!p->attributes)
        return KANON_E_NOMEM;
    if (p->source->kept && shares_learned(p))
        KN_TRY(recall(p, &how));
    if (p->learned)
        goto out;
    KN_TRY(kn_rows_open(p->source, p->ctx, &rows));
    how.count = kn_count_column(p->config, rows);
    KN_TRY(kn_learn(p->ctx, rows, &how, &p->learned));
    if (p->source->keeps && shares_learned(p)) {
        kn_learned_free(p->source->kept);
        p->source->kept = kn_learned_share(p->learned);
    }
out:
    kn_rows_close(rows);
    return rc;
}

/* --- weights ---------------------------------------------------------------------------------------- */

/* Something has to count; asked before any work. */
static kanon_status
check_weights(const kn_problem *p)
{
    const kanon_config *config = p->config;
    size_t              quasi = 0, counting = 0;

    for (size_t i = 0; i < config->nattributes; i++)
        if (config->attributes[i].role == KN_ROLE_QUASI) {
            quasi++;
            counting += config->attributes[i].weight > 0;
        }
    if (!quasi || counting)
        return KANON_OK;
    return kn_fail_at(p->ctx, KANON_E_INVALID, config->weight_at.file, config->weight_at.line,
                      "weight: every quasi-identifier has weight 0; at least one must be above 0");
}

/* None are kept where none was given: all count alike then. */
static kanon_status
gather_weights(kn_problem *p)
{
    size_t n = p->learned->nquasi;
    bool   given = false;

    for (size_t i = 0; i < n; i++)
        given |= p->attributes[i]->has_weight;
    if (!given)
        return KANON_OK;
    p->weights = KN_NEW_ARRAY(p->ctx, double, n);
    if (!p->weights)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        p->weights[i] = p->attributes[i]->weight;
    p->scale.weights = p->weights;
    return KANON_OK;
}

/* --- hierarchies and lattice ----------------------------------------------------------------------- */

kn_domain
kn_problem_domain(const kn_problem *p, size_t quasi)
{
    kn_domain domain = kn_learned_domain(p->learned, quasi, p->source->name, p->config->k);

    kn_config_style(p->config, &domain);
    return domain;
}

kanon_status
kn_level_range(kanon_ctx *ctx, const kn_attribute *a, const kanon_hierarchy *h, kn_levels *out)
{
    const kn_level_limits   *l = &a->levels;
    const unsigned           given[] = { l->fixed, l->min, l->max };
    static const char *const names[] = { "level", "min-level", "max-level" };
    bool                     fixed = l->fixed < KN_ANY_LEVEL;

    out->high = (unsigned) (h->nlevels - 1);
    for (size_t i = 0; i < KN_COUNT(given); i++)
        if (given[i] < KN_ANY_LEVEL && given[i] > out->high)
            return kn_fail_at(ctx, KANON_E_INVALID, l->at.file, l->at.line,
                              "%s: the hierarchy of '%s' has no level %u; expected 0 to %u",
                              names[i], a->name, given[i], out->high);
    out->low = l->min < KN_ANY_LEVEL ? l->min : 0;
    out->high = l->max < KN_ANY_LEVEL ? l->max : out->high;
    if (out->low > out->high || (fixed && (l->fixed < out->low || l->fixed > out->high)))
        return kn_fail_at(ctx, KANON_E_INVALID, l->at.file, l->at.line,
                          "column '%s': no level is left from %u to %u%s; change one of level, "
                          "min-level and max-level",
                          a->name, out->low, out->high, fixed ? " that is the fixed one" : "");
    if (fixed)
        out->low = out->high = l->fixed;
    return KANON_OK;
}

static kanon_status
make_hierarchies(kn_problem *p)
{
    kanon_status rc = KANON_OK;
    size_t       n = p->learned->nquasi;

    p->hierarchies = kn_alloc_array(p->ctx, n, sizeof *p->hierarchies);
    p->value_rows = kn_alloc_array(p->ctx, n, sizeof *p->value_rows);
    if (!p->hierarchies || !p->value_rows)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        kn_domain domain = kn_problem_domain(p, i);
        kn_levels allowed;

        KN_TRY(kn_hierarchy_make(p->ctx, &p->attributes[i]->hierarchy, p->attributes[i]->type,
                                 &domain, &p->hierarchies[i]));
        p->value_rows[i] = p->learned->columns[i].rows;
        KN_TRY(kn_level_range(p->ctx, p->attributes[i], p->hierarchies[i], &allowed));
        p->lattice.low[i] = (uint8_t) allowed.low;
        p->lattice.top[i] = (uint8_t) allowed.high;
    }
    p->lattice.n = n;
    KN_TRY(kn_axes_new(p->ctx, p->hierarchies, n, &p->axes));
out:
    return rc;
}

static kanon_status
refuse_label(const kn_problem *p, const char *label)
{
    return kn_fail_at(p->ctx, KANON_E_INVALID, p->config->label_at.file, p->config->label_at.line,
                      "label: '%s' has the role %s; name a sensitive or insensitive column", label,
                      kn_role_name(kn_config_role(p->config, kn_str_of(label))));
}

/* The class label of cm: the one named, else the first sensitive column. */
static kanon_status
find_label(kn_problem *p)
{
    const kn_learned *learned = p->learned;
    const char       *label = p->config->label;
    size_t            n = learned->nquasi;

    p->scale.label = p->nlabels ? 0 : SIZE_MAX;
    if (label) {
        p->scale.label = SIZE_MAX;
        for (size_t s = 0; s < p->nlabels; s++)
            if (strcmp(learned->names[learned->columns[n + s].position], label) == 0)
                p->scale.label = s;
        if (p->scale.label == SIZE_MAX)
            return refuse_label(p, label);
    }
    if (p->scale.label != SIZE_MAX)
        p->scale.label_domain = kn_dict_count(learned->columns[n + p->scale.label].dict);
    return KANON_OK;
}

kanon_status
kn_problem_init(kn_problem *p, kanon_ctx *ctx, const kanon_config *config, kn_rows_source *source)
{
    kanon_status rc = KANON_OK;

    memset(p, 0, sizeof *p);
    p->ctx = ctx;
    p->config = config;
    p->source = p->stored = source;
    KN_TRY(check_weights(p));
    KN_TRY(kn_coded_check(ctx, config));
    KN_TRY(kn_models_check(ctx, config, KN_MODELS_REQUIRED));
    KN_TRY(kn_missing_tokens(ctx, config, &p->missing));
    KN_TRY(kn_coded_new(ctx, config, source, &p->source));
    KN_TRY(learn(p));
    KN_TRY(kn_models_read_population(p));
    KN_TRY(make_hierarchies(p));
    p->view = (kn_view){ p->learned->nquasi,       p->learned->table->ntuples,
                         p->learned->rows,         p->axes,
                         p->learned->table->quasi, p->learned->table->weights };
    p->scale = (kn_scale){ p->learned->table, p->hierarchies, p->value_rows, SIZE_MAX, 0, NULL };
    KN_TRY(gather_weights(p));
    KN_TRY(find_label(p));
    KN_TRY(kn_models_make(p));
    KN_TRY(kn_caution_spellings(p));
    KN_TRY(kn_search_floor(ctx, &p->scale, &p->privacy, &p->lattice));
out:
    return rc;
}

void
kn_problem_fini(kn_problem *p)
{
    if (!p->ctx)
        return;
    kn_models_fini(p->ctx, &p->models);
    kn_axes_free(p->ctx, p->axes, p->lattice.n);
    for (size_t i = 0; p->hierarchies && i < p->learned->nquasi; i++)
        kanon_hierarchy_free(p->hierarchies[i]);
    kn_free(p->ctx, p->hierarchies);
    kn_free(p->ctx, p->value_rows);
    kn_free(p->ctx, p->weights);
    kn_free(p->ctx, (void *) p->attributes);
    kn_free(p->ctx, p->missing);
    kn_learned_free(p->learned);
    kn_mapped_free(p->ctx, p->source, p->stored);
}
