/* SPDX-License-Identifier: Apache-2.0 */
/* models.c -- the models that a config asks for, made ready for its table: one for each model and
 * sensitive column, and those that need no such column. */
#include "problem/models.h"

#include "base/plain.h"
#include "problem/problem.h"

bool
kn_models_learn(const kanon_config *config, kn_str column)
{
    const kn_model_settings *s = &config->models;

    return (s->k_column && kn_str_equal(column, kn_str_of(s->k_column)))
        || (s->entity && kn_str_equal(column, kn_str_of(s->entity)));
}

bool
kn_models_sensitive(const kanon_config *config)
{
    const kn_model_settings *s = &config->models;

    return s->l >= 0 || s->t >= 0 || s->p >= 0 || s->alpha >= 0 || s->beta >= 0
        || s->disclosure >= 0;
}

/* --- settings that can be refused before any work ---------------------------------------------------- */

static kanon_status
check_column(kanon_ctx *ctx, const kanon_config *config, const char *column, const char *setting,
             kn_place at)
{
    if (!column || kn_config_role(config, kn_str_of(column)) != KN_ROLE_QUASI)
        return KANON_OK;
    return kn_fail_at(ctx, KANON_E_INVALID, at.file, at.line,
                      "%s: '%s' is a quasi-identifier, expected a column with another role",
                      setting, column);
}

/* A setting of a model that is off: most likely the model was forgotten. */
static void
warn_orphans(kanon_ctx *ctx, const kn_model_settings *s, bool measures)
{
    const struct {
        unsigned    given;
        bool        used;
        const char *setting, *model;
    } settings[] = {
        { KN_GIVEN_L_KIND, s->l >= 0, "l-kind", "--l-diversity" },
        { KN_GIVEN_L_C, s->l >= 0 && s->l_kind == KN_L_RECURSIVE, "l-c",
          "--l-diversity with --l-kind recursive" },
        { KN_GIVEN_BETA_KIND, s->beta >= 0, "beta-kind", "--beta-likeness" },
        { KN_GIVEN_T_DISTANCE, s->t >= 0 || measures, "t-distance", "--t-closeness" },
    };

    for (size_t i = 0; i < KN_COUNT(settings); i++)
        if ((s->given & settings[i].given) && !settings[i].used)
            kn_warn(ctx, "%s: no model asks about it, so it changes nothing; %s does",
                    settings[i].setting, settings[i].model);
}

/* A model whose limit every class satisfies: whoever asked for it believes in a promise that nobody made. */
static void
warn_idle(kanon_ctx *ctx, const kn_model_settings *s)
{
    static const struct {
        kn_idle     model;
        const char *said;
    } models[] = {
        { KN_IDLE_L, "l-diversity 1: every class has one value at least; expected 2 or more" },
        { KN_IDLE_T, "t-closeness 1: no class is further away than that; expected less than 1" },
        { KN_IDLE_P, "p-sensitive 1: every class has one value at least; expected 2 or more" },
        { KN_IDLE_ALPHA, "alpha 1: no share is greater than that; expected less than 1" },
        { KN_IDLE_K_MAP,
          "k-map 1: every class stands for one person at least; expected 2 or more" },
        { KN_IDLE_PRESENCE,
          "delta-presence 1: no chance is greater than that; expected less than 1" },
    };

    for (size_t i = 0; i < KN_COUNT(models); i++)
        if (s->idle & models[i].model)
            kn_warn(ctx, "%s, or off: as it is it asks for nothing, and nothing is promised",
                    models[i].said);
}

kanon_status
kn_models_check(kanon_ctx *ctx, const kanon_config *config, bool measures)
{
    kanon_status             rc = KANON_OK;
    const kn_model_settings *s = &config->models;
    bool                     people = s->k_map >= 0 || s->presence_max >= 0;
    size_t                   sensitive = 0;

    for (size_t i = 0; i < config->nattributes; i++)
        sensitive += config->attributes[i].role == KN_ROLE_SENSITIVE;
    if (kn_models_sensitive(config) && !sensitive)
        return kn_fail_at(ctx, KANON_E_INVALID, config->models_at.file, config->models_at.line,
                          "%s needs a sensitive column, expected one: --sensitive COLUMN",
                          s->l >= 0       ? "l-diversity"
                          : s->t >= 0     ? "t-closeness"
                          : s->p >= 0     ? "p-sensitive"
                          : s->alpha >= 0 ? "alpha"
                          : s->beta >= 0  ? "beta-likeness"
                                          : "delta-disclosure");
    if (s->l >= 0 && s->l_kind != KN_L_ENTROPY && s->l != (double) (uint64_t) s->l)
        return kn_fail_at(
            ctx, KANON_E_INVALID, config->models_at.file, config->models_at.line,
            "l-diversity: %.15g given, expected a whole number; only --l-kind entropy "
            "knows others",
            s->l);
    if (people && !s->population)
        return kn_fail_at(ctx, KANON_E_INVALID, config->models_at.file, config->models_at.line,
                          "%s needs a population, expected --population FILE",
                          s->k_map >= 0 ? "k-map" : "delta-presence");
    warn_idle(ctx, s);
    if (s->population && !people && !(s->idle & (KN_IDLE_K_MAP | KN_IDLE_PRESENCE)))
        kn_warn(ctx, "population: no model asks about it; --k-map and --delta-presence do");
    warn_orphans(ctx, s, measures);
    KN_TRY(check_column(ctx, config, s->k_column, "k-column", config->k_column_at));
    KN_TRY(check_column(ctx, config, s->entity, "entity", config->entity_at));
out:
    return rc;
}

/* --- making them --------------------------------------------------------------------------------------- */

static kanon_status
add(kn_problem *p, const kn_model_spec *spec)
{
    kn_models   *m = &p->models;
    kanon_status rc = kn_model_new(p->ctx, spec, p->learned->table, &m->list[m->count]);

    m->count += rc == KANON_OK;
    return rc;
}

static kn_model_spec
spec_of(const kn_problem *p, const kn_model_class *class, size_t column, double limit)
{
    const kn_learned_column *learned = &p->learned->columns[p->learned->nquasi + column];

    return (kn_model_spec){ .class = class,
                            .name = p->learned->names[learned->position],
                            .column = column,
                            .domain = kn_dict_count(learned->dict),
                            .limit = limit };
}

kn_t_distance
kn_models_distance(const kanon_config *config, const kn_attribute *attribute)
{
    if (config->models.t_distance != KN_T_AUTO)
        return config->models.t_distance;
    if (attribute && attribute->has_hierarchy)
        return KN_T_HIERARCHICAL;
    if (attribute && (attribute->type == KN_TYPE_NUMBER || attribute->type == KN_TYPE_DATE))
        return KN_T_ORDERED;
    return KN_T_EQUAL;
}

static kanon_status
add_ordered(kn_problem *p, kn_model_spec *spec)
{
    kanon_status rc = KANON_OK;
    kn_domain    domain = kn_learned_domain(p->learned, p->learned->nquasi + spec->column,
                                            p->source->name);
    uint32_t    *order = KN_NEW_ARRAY(p->ctx, uint32_t, spec->domain);

    if (!order)
        return KANON_E_NOMEM;
    KN_TRY(kn_values_order(p->ctx, &domain, order));
    spec->class = &kn_model_t_ordered;
    spec->order = order;
    KN_TRY(add(p, spec));
out:
    kn_free(p->ctx, order);
    return rc;
}

kanon_status
kn_models_no_tree(kanon_ctx *ctx, const char *column)
{
    kn_text      option;
    kanon_status rc;

    kn_text_init(&option, ctx);
    kn_plain_column(&option, column, "=FILE");
    rc = kn_text_status(&option);
    if (rc == KANON_OK)
        rc = kn_fail(ctx, KANON_E_INVALID,
                     "t-distance: column '%s' has no hierarchy, expected one: --hierarchy %s",
                     column, option.ptr);
    kn_text_fini(&option);
    return rc;
}

static kanon_status
add_hierarchical(kn_problem *p, const kn_attribute *attribute, kn_model_spec *spec)
{
    kanon_status      rc;
    kn_domain         domain = kn_learned_domain(p->learned, p->learned->nquasi + spec->column,
                                                 p->source->name);
    kanon_hierarchy **made = &p->models.hierarchies[spec->column];

    if (!attribute || !attribute->has_hierarchy)
        return kn_models_no_tree(p->ctx, spec->name);
    rc = kn_hierarchy_make(p->ctx, &attribute->hierarchy, attribute->type, &domain, made);
    if (rc < 0)
        return rc;
    spec->class = &kn_model_t_hierarchical;
    spec->hierarchy = *made;
    return add(p, spec);
}

static kanon_status
add_t(kn_problem *p, size_t column)
{
    const kn_attribute *attribute = p->attributes[p->learned->nquasi + column];
    kn_model_spec       spec = spec_of(p, &kn_model_t_equal, column, p->config->models.t);

    switch (kn_models_distance(p->config, attribute)) {
    case KN_T_ORDERED:
        return add_ordered(p, &spec);
    case KN_T_HIERARCHICAL:
        return add_hierarchical(p, attribute, &spec);
    case KN_T_AUTO:
    case KN_T_EQUAL:
        break;
    }
    return add(p, &spec);
}

static kanon_status
add_l(kn_problem *p, size_t column)
{
    const kn_model_settings *s = &p->config->models;
    kn_model_spec            spec = spec_of(p, &kn_model_distinct, column, s->l);

    if (s->l_kind == KN_L_ENTROPY)
        spec.class = &kn_model_entropy;
    if (s->l_kind == KN_L_RECURSIVE) {
        spec.class = &kn_model_recursive;
        spec.limit = s->c;
        spec.second = s->l;
    }
    return add(p, &spec);
}

/* All models of one sensitive column. */
static kanon_status
add_column(kn_problem *p, size_t column)
{
    kanon_status             rc = KANON_OK;
    const kn_model_settings *s = &p->config->models;
    struct {
        const kn_model_class *class;
        double limit;
    } plain[] = {
        { &kn_model_p_sensitive, s->p },
        { &kn_model_alpha, s->alpha },
        { s->beta_kind == KN_BETA_BASIC ? &kn_model_beta : &kn_model_beta_enhanced, s->beta },
        { &kn_model_disclosure, s->disclosure },
    };

    if (s->l >= 0)
        KN_TRY(add_l(p, column));
    for (size_t i = 0; i < KN_COUNT(plain); i++) {
        kn_model_spec spec = spec_of(p, plain[i].class, column, plain[i].limit);

        if (plain[i].limit >= 0)
            KN_TRY(add(p, &spec));
    }
    if (s->t >= 0)
        KN_TRY(add_t(p, column));
out:
    return rc;
}

/* The learned column of that name, which is no quasi-identifier. */
static kanon_status
find_column(const kn_problem *p, const char *name, const char *setting, kn_place at, size_t *out)
{
    const kn_learned *learned = p->learned;

    for (*out = 0; *out < learned->nsensitive; ++*out)
        if (strcmp(learned->names[learned->columns[learned->nquasi + *out].position], name) == 0)
            return KANON_OK;
    return kn_fail_at(p->ctx, KANON_E_INVALID, at.file, at.line,
                      "%s: '%s' is no column of the table", setting, name);
}

static kanon_status
add_own_k(kn_problem *p)
{
    kanon_status  rc = KANON_OK;
    size_t        column;
    kn_domain     domain;
    kn_model_spec spec;
    double       *numbers = NULL;

    KN_TRY(find_column(p, p->config->models.k_column, "k-column", p->config->k_column_at, &column));
    domain = kn_learned_domain(p->learned, p->learned->nquasi + column, p->source->name);
    domain.hidden = kn_config_role(p->config, kn_str_of(domain.column)) == KN_ROLE_IDENTIFIER;
    numbers = KN_NEW_ARRAY(p->ctx, double, domain.count);
    if (!numbers) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    KN_TRY(kn_values_k(p->ctx, &domain, p->config->k_column_at, numbers));
    spec = spec_of(p, &kn_model_own_k, column, 1);
    spec.numbers = numbers;
    KN_TRY(add(p, &spec));
out:
    kn_free(p->ctx, numbers);
    return rc;
}

/* Persons, and a k for each record. */
static kanon_status
add_columns_of_their_own(kn_problem *p)
{
    kanon_status  rc = KANON_OK;
    size_t        column;
    kn_model_spec spec;

    if (p->config->models.entity) {
        KN_TRY(find_column(p, p->config->models.entity, "entity", p->config->entity_at, &column));
        spec = spec_of(p, &kn_model_persons, column, (double) p->config->k);
        KN_TRY(add(p, &spec));
    }
    if (p->config->models.k_column)
        KN_TRY(add_own_k(p));
out:
    return rc;
}

static kanon_status
add_people(kn_problem *p)
{
    kanon_status             rc = KANON_OK;
    const kn_model_settings *s = &p->config->models;
    kn_models               *m = &p->models;
    kn_model_spec map = { .class = &kn_model_k_map, .column = KN_NO_COLUMN, .limit = s->k_map };
    kn_model_spec presence = { .class = &kn_model_presence,
                               .column = KN_NO_COLUMN,
                               .limit = s->presence_max,
                               .second = s->presence_min };

    if (!m->population.table)
        return KANON_OK;
    m->people.ntable = p->view.ntuples;
    m->people.people = m->population.table->rows;
    m->people.view = (kn_view){ p->view.nquasi,
                                p->view.ntuples + m->population.table->ntuples,
                                p->view.rows + m->population.table->rows,
                                p->axes,
                                m->population.codes,
                                m->population.weights };
    p->privacy.people = &m->people;
    KN_TRY(kn_models_warn_strangers(p));
    if (s->k_map >= 0)
        KN_TRY(add(p, &map));
    if (s->presence_max >= 0)
        KN_TRY(add(p, &presence));
    if (s->presence_max >= 0 && s->presence_min > 0
        && kn_privacy_allowed(p->config->suppression, p->learned->rows))
        kn_warn(p->ctx,
                "delta-presence with a least chance above 0 allows no suppressed row: whoever "
                "is not in the release would be known to be absent");
out:
    return rc;
}

/* At most so many models of a sensitive column, and of none. */
enum { PER_COLUMN = 6, OTHERS = 4 };

kanon_status
kn_models_make(kn_problem *p)
{
    kanon_status rc = KANON_OK;
    kn_models   *m = &p->models;
    size_t       n = p->learned->nquasi;

    m->nhierarchies = p->learned->nsensitive;
    m->list = kn_alloc_array(p->ctx, m->nhierarchies * PER_COLUMN + OTHERS, sizeof *m->list);
    m->hierarchies = kn_alloc_array(p->ctx, m->nhierarchies + 1, sizeof *m->hierarchies);
    if (!m->list || !m->hierarchies)
        return KANON_E_NOMEM;
    KN_TRY(add_columns_of_their_own(p));
    for (size_t s = 0; s < p->learned->nsensitive; s++)
        if (p->attributes[n + s] && p->attributes[n + s]->role == KN_ROLE_SENSITIVE)
            KN_TRY(add_column(p, s));
    KN_TRY(add_people(p));
    p->privacy.models = (const kn_model *const *) m->list;
    p->privacy.nmodels = m->count;
    kn_models_limit(p);
out:
    return rc;
}

void
kn_models_limit(kn_problem *p)
{
    p->privacy.k = p->config->k;
    p->privacy.allowed = kn_privacy_allowed(p->config->suppression, p->learned->rows);
    for (size_t i = 0; i < p->models.count; i++) {
        kn_model *model = p->models.list[i];

        if (model->class == &kn_model_persons)
            model->limit = (double) p->config->k;
        if (model->class == &kn_model_presence && model->second > 0)
            p->privacy.allowed = 0;
    }
}

void
kn_models_fini(kanon_ctx *ctx, kn_models *m)
{
    for (size_t i = 0; i < m->count; i++)
        kn_model_free(m->list[i]);
    for (size_t i = 0; m->hierarchies && i < m->nhierarchies; i++)
        kanon_hierarchy_free(m->hierarchies[i]);
    if (m->population.table && m->population.codes)
        for (size_t i = 0; i < m->population.table->nquasi; i++)
            kn_free(ctx, m->population.codes[i].data);
    kn_free(ctx, m->population.codes);
    kn_free(ctx, m->population.weights);
    kn_table_free(m->population.table);
    kn_free(ctx, m->list);
    kn_free(ctx, m->hierarchies);
    kn_free(ctx, m->spellings);
}
