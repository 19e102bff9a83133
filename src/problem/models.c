/* SPDX-License-Identifier: Apache-2.0 */
/* models.c -- the models that a config asks for, made ready for its table: one for each model and
 * sensitive column, and those that need no such column. */
#include "problem/models.h"

#include "base/plain.h"
#include "problem/problem.h"

bool
kn_models_learn(const kanon_config *config, kn_str column)
{
    for (size_t i = 0; i < KN_MODEL_COUNT; i++) {
        const char *named = config->models.asked[i].column;

        if (named && kn_str_equal(column, kn_str_of(named)))
            return true;
    }
    return false;
}

const kn_model_class *
kn_models_choose(const kanon_config *config, const kn_model_setting *setting,
                 const kn_attribute *attribute)
{
    kn_asked asked = kn_config_asked_of(config, setting, attribute);
    const kn_model_class *class = kn_model_of_kind(setting, asked.kind);

    if (!class && attribute && attribute->has_hierarchy)
        class = kn_model_of_need(setting, KN_NEEDS_HIERARCHY);
    if (!class && attribute
        && (attribute->type == KN_TYPE_NUMBER || attribute->type == KN_TYPE_DATE))
        class = kn_model_of_need(setting, KN_NEEDS_ORDER);
    if (!class)
        class = kn_model_of_need(setting, KN_NEEDS_NOTHING);
    assert(class);
    return class;
}

/* --- settings that can be refused before any work ---------------------------------------------------- */

/* Does anything use the models of a setting, or (class) one of them? */
static bool
is_used(const kanon_config *config, const kn_model_setting *setting, const kn_model_class *class)
{
    for (size_t i = 0; i <= config->nattributes; i++) { /* the last one: for all columns */
        const kn_attribute *a = i < config->nattributes ? &config->attributes[i] : NULL;
        kn_asked            asked = kn_config_asked_of(config, setting, a);

        if (kn_asked_on(&asked) && (!class || kn_model_of_kind(setting, asked.kind) == class))
            return true;
    }
    return false;
}

static bool
has_kind(const kanon_config *config, const kn_model_setting *setting)
{
    bool found = kn_config_asked(config, setting)->has_kind;

    for (size_t i = 0; !found && i < config->nattributes; i++) {
        const kn_asked *own = kn_attribute_asked(&config->attributes[i], setting);

        found = own && own->has_kind;
    }
    return found;
}

static bool
has_other(const kanon_config *config, const kn_model_setting *setting)
{
    bool found = kn_config_asked(config, setting)->has_other;

    for (size_t i = 0; !found && i < config->nattributes; i++) {
        const kn_asked *own = kn_attribute_asked(&config->attributes[i], setting);

        found = own && own->has_other;
    }
    return found;
}

/* A setting that only says how a model is meant, but the model is off: most likely it was forgotten.
 * KN_MODELS_MEASURED: distances are told without being asked for */
static void
warn_orphans(kanon_ctx *ctx, const kanon_config *config, const kn_model_setting *setting,
             kn_models_use use)
{
    bool distances = use == KN_MODELS_MEASURED && kn_model_of_need(setting, KN_NEEDS_ORDER);

    if (has_kind(config, setting) && !is_used(config, setting, NULL) && !distances)
        kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_setting(setting->kind.name),
                "%s: has no effect, because no model uses it" KN_DO "use it with --%s",
                setting->kind.name, setting->value.name);
    if (!has_other(config, setting))
        return;
    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        if (kn_model_at(i)->setting == setting && kn_model_at(i)->limit == KN_LIMIT_OTHER
            && !is_used(config, setting, kn_model_at(i)))
            kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_setting(setting->other.name),
                    "%s: has no effect, because no model uses it" KN_DO
                    "use it with --%s and --%s %s",
                    setting->other.name, setting->value.name, setting->kind.name,
                    kn_model_at(i)->kind);
}

/* A model whose limit every class satisfies: the user believes in a promise that the release does not
 * make. column: for which alone it was given; NULL: for all */
static void
warn_idle(kanon_ctx *ctx, const kn_model_setting *setting, const kn_asked *asked,
          const char *column)
{
    if (asked->idle)
        kn_warn(ctx, KN_FOUND_IDLE_MODEL, kn_at_setting(setting->value.name),
                "%s %s%s%.15g: %s, or off: this limit requires nothing, so nothing is promised",
                setting->value.name, column ? column : "", column ? "=" : "", asked->given,
                setting->idle);
}

/* "; use it with --k-map or --delta-presence" */
static kanon_status
warn_population(kanon_ctx *ctx)
{
    const kn_model_setting *setting;
    kanon_status            rc;
    kn_text                 text;

    kn_text_init(&text, ctx);
    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++)
        if (setting->scope == KN_OF_POPULATION)
            kn_text_addf(&text, "%s--%s", text.len ? " or " : "", setting->value.name);
    rc = kn_text_status(&text);
    if (rc == KANON_OK)
        kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_setting("population"),
                "population: has no effect, because no model uses it" KN_DO "use it with %s",
                text.ptr);
    kn_text_fini(&text);
    return rc;
}

/* A decimal number where only another kind of the model knows such. */
static kanon_status
check_whole(kanon_ctx *ctx, const kn_model_setting *setting, const kn_asked *asked)
{
    const kn_model_class *meant = kn_model_of_kind(setting, asked->kind);

    if (asked->value < 0 || !meant || !meant->whole
        || asked->value == (double) (uint64_t) asked->value)
        return KANON_OK;
    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        if (kn_model_at(i)->setting == setting && !kn_model_at(i)->whole)
            return kn_fail_at(ctx, KANON_E_INVALID, asked->at.file, asked->at.line,
                              "%s: %.15g is not a whole number; only --%s %s accepts others",
                              setting->value.name, asked->value, setting->kind.name,
                              kn_model_at(i)->kind);
    return kn_fail_at(ctx, KANON_E_INVALID, asked->at.file, asked->at.line,
                      "%s: %.15g is not a whole number", setting->value.name, asked->value);
}

/* What a model that is on needs and the config does not name. */
static kanon_status
check_scope(kanon_ctx *ctx, const kanon_config *config, const kn_model_setting *setting,
            const kn_asked *asked)
{
    size_t sensitive = 0;

    for (size_t i = 0; i < config->nattributes; i++)
        sensitive += config->attributes[i].role == KN_ROLE_SENSITIVE;
    switch (setting->scope) {
    case KN_OF_SENSITIVE:
        if (!sensitive)
            return kn_fail_at(ctx, KANON_E_INVALID, asked->at.file, asked->at.line,
                              "%s needs a sensitive column; name one with --sensitive COLUMN",
                              setting->value.name);
        break;
    case KN_OF_POPULATION:
        if (!config->models.population)
            return kn_fail_at(ctx, KANON_E_INVALID, asked->at.file, asked->at.line,
                              "%s needs a population; use --population FILE", setting->value.name);
        break;
    case KN_OF_NAMED:
        if (kn_config_role(config, kn_str_of(asked->column)) == KN_ROLE_QUASI)
            return kn_fail_at(ctx, KANON_E_INVALID, asked->at.file, asked->at.line,
                              "%s: '%s' is a quasi-identifier; name a column with another role",
                              setting->value.name, asked->column);
        break;
    }
    return KANON_OK;
}

/* Limits for one column: it must be sensitive. */
static kanon_status
check_columns(kanon_ctx *ctx, const kanon_config *config, const kn_model_setting *setting)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; i < config->nattributes; i++) {
        const kn_attribute *a = &config->attributes[i];
        const kn_asked     *own = kn_attribute_asked(a, setting);
        kn_asked            asked;

        if (!own)
            continue;
        if (a->role != KN_ROLE_SENSITIVE)
            return kn_fail_at(ctx, KANON_E_INVALID, own->at.file, own->at.line,
                              "%s: column '%s' is not sensitive; give it that role, or leave its "
                              "limit out",
                              setting->value.name, a->name);
        asked = kn_config_asked_of(config, setting, a);
        KN_TRY(check_whole(ctx, setting, &asked));
    }
out:
    return rc;
}

/* What every class satisfies, and what nothing uses. */
static kanon_status
warn_all(kanon_ctx *ctx, const kanon_config *config, kn_models_use use)
{
    kanon_status            rc = KANON_OK;
    const kn_model_setting *setting;
    bool                    asks_people = false;

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        const kn_asked *asked = &config->models.asked[i];

        warn_idle(ctx, setting, asked, NULL);
        for (size_t a = 0; a < config->nattributes; a++)
            if (kn_attribute_asked(&config->attributes[a], setting)) {
                kn_asked own = kn_config_asked_of(config, setting, &config->attributes[a]);

                warn_idle(ctx, setting, &own, config->attributes[a].name);
            }
        if (setting->scope == KN_OF_POPULATION)
            asks_people = asks_people || kn_asked_on(asked) || asked->idle;
    }
    if (config->models.population && !asks_people)
        KN_TRY(warn_population(ctx));
    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++)
        warn_orphans(ctx, config, setting, use);
out:
    return rc;
}

kanon_status
kn_models_check(kanon_ctx *ctx, const kanon_config *config, kn_models_use use)
{
    kanon_status            rc = KANON_OK;
    const kn_model_setting *setting;

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        const kn_asked *asked = &config->models.asked[i];

        if (kn_asked_on(asked))
            KN_TRY(check_scope(ctx, config, setting, asked));
        KN_TRY(check_whole(ctx, setting, asked));
        KN_TRY(check_columns(ctx, config, setting));
    }
    for (size_t i = 0; i < config->nown_models; i++)
        KN_TRY(check_scope(ctx, config, config->own_models[i]->setting, &(kn_asked){ .value = 0 }));
    if (!config->models.told)
        KN_TRY(warn_all(ctx, config, use));
out:
    return rc;
}

/* --- making them --------------------------------------------------------------------------------------- */

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
                     "t-distance: column '%s' has no hierarchy; name one with --hierarchy %s",
                     column, option.ptr);
    kn_text_fini(&option);
    return rc;
}

kn_model_limits
kn_models_limits(const kanon_config *config, const kn_model_class *class,
                 const kn_attribute *attribute)
{
    kn_asked asked;

    if (class->limit == KN_LIMIT_FIXED)
        return (kn_model_limits){ class->fixed, 0 };
    asked = kn_config_asked_of(config, class->setting, attribute);
    switch (class->limit) {
    case KN_LIMIT_OTHER:
        return (kn_model_limits){ asked.other, asked.value };
    case KN_LIMIT_K:
        return (kn_model_limits){ (double) config->k, 0 };
    case KN_LIMIT_ONE:
        return (kn_model_limits){ 1, 0 };
    case KN_LIMIT_FIXED:
    case KN_LIMIT_SETTING:
        break;
    }
    return (kn_model_limits){ asked.value, class->second ? asked.other : 0 };
}

/* What a model must know of the values of its column, found or made; freed by the caller. */
typedef struct known {
    uint32_t *order;
    double   *numbers;
} known;

static kanon_status
learn_values(kn_problem *p, kn_model_spec *spec, known *of)
{
    kn_domain           domain = kn_learned_domain(p->learned, p->learned->nquasi + spec->column,
                                                   p->source->name, p->config->k);
    const kn_attribute *attribute = p->attributes[p->learned->nquasi + spec->column];
    kanon_status        rc = KANON_OK;

    switch (spec->class->needs) {
    case KN_NEEDS_NOTHING:
        break;
    case KN_NEEDS_ORDER:
        spec->order = of->order = KN_NEW_ARRAY(p->ctx, uint32_t, spec->domain);
        if (!of->order)
            return KANON_E_NOMEM;
        rc = kn_values_order(p->ctx, &domain, of->order);
        break;
    case KN_NEEDS_HIERARCHY:
        if (!attribute || !attribute->has_hierarchy)
            return kn_models_no_tree(p->ctx, spec->name);
        if (!p->models.hierarchies[spec->column])
            rc = kn_hierarchy_make(p->ctx, &attribute->hierarchy, attribute->type, &domain,
                                   &p->models.hierarchies[spec->column]);
        spec->hierarchy = p->models.hierarchies[spec->column];
        break;
    case KN_NEEDS_NUMBERS:
        domain.hidden = kn_config_role(p->config, kn_str_of(domain.column)) == KN_ROLE_IDENTIFIER;
        spec->numbers = of->numbers = KN_NEW_ARRAY(p->ctx, double, spec->domain);
        if (!of->numbers)
            return KANON_E_NOMEM;
        rc = kn_values_k(p->ctx, &domain, kn_config_asked(p->config, spec->class->setting)->at,
                         of->numbers);
        break;
    }
    return rc;
}

/* A model of a learned column, or (KN_NO_COLUMN) of none. */
static kanon_status
add(kn_problem *p, const kn_model_class *class, size_t column)
{
    kanon_status        rc = KANON_OK;
    kn_models          *m = &p->models;
    const kn_attribute *attribute = column == KN_NO_COLUMN
                                      ? NULL
                                      : p->attributes[p->learned->nquasi + column];
    kn_model_limits     limits = kn_models_limits(p->config, class, attribute);
    kn_model_spec       spec = { .class = class,
                                 .column = column,
                                 .limit = limits.limit,
                                 .second = limits.second,
                                 .alone = !class->own && kn_attribute_asked(attribute, class->setting) };
    known               of = { NULL, NULL };

    if (column != KN_NO_COLUMN) {
        const kn_learned_column *learned = &p->learned->columns[p->learned->nquasi + column];

        spec.name = p->learned->names[learned->position];
        spec.domain = kn_dict_count(learned->dict);
        KN_TRY(learn_values(p, &spec, &of));
    }
    assert(m->count < m->room);
    KN_TRY(kn_model_new(p->ctx, &spec, p->learned->table, &m->list[m->count]));
    m->count++;
out:
    kn_free(p->ctx, of.order);
    kn_free(p->ctx, of.numbers);
    return rc;
}

/* All models of what one scope looks at. */
static kanon_status
add_scope(kn_problem *p, kn_scope scope, size_t column)
{
    kanon_status            rc = KANON_OK;
    const kn_model_setting *setting;
    const kn_attribute     *attribute = column == KN_NO_COLUMN
                                          ? NULL
                                          : p->attributes[p->learned->nquasi + column];

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        kn_asked asked = kn_config_asked_of(p->config, setting, attribute);

        if (setting->scope == scope && kn_asked_on(&asked))
            KN_TRY(add(p, kn_models_choose(p->config, setting, attribute), column));
    }
out:
    return rc;
}

/* Models of columns that their settings name; those are learned like sensitive ones. */
static kanon_status
add_named(kn_problem *p)
{
    kanon_status            rc = KANON_OK;
    const kn_learned       *learned = p->learned;
    const kn_model_setting *setting;

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        const kn_asked *asked = &p->config->models.asked[i];
        size_t          column = 0;

        if (!asked->column)
            continue;
        while (column < learned->nsensitive
               && strcmp(learned->names[learned->columns[learned->nquasi + column].position],
                         asked->column)
                      != 0)
            column++;
        if (column == learned->nsensitive)
            return kn_fail_at(p->ctx, KANON_E_INVALID, asked->at.file, asked->at.line,
                              "%s: '%s' is not a column of the table", setting->value.name,
                              asked->column);
        KN_TRY(add(p, kn_models_choose(p->config, setting, NULL), column));
    }
out:
    return rc;
}

static kanon_status
add_people(kn_problem *p)
{
    kanon_status rc = KANON_OK;
    kn_models   *m = &p->models;

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
    KN_TRY(kn_models_warn_unmatched(p));
    KN_TRY(add_scope(p, KN_OF_POPULATION, KN_NO_COLUMN));
    for (size_t i = 0; i < m->count; i++)
        if (kn_model_forbids_absence(m->list[i])
            && kn_privacy_allowed(p->config->suppression, p->learned->rows))
            kn_warn(p->ctx, KN_FOUND_NO_SUPPRESSION, kn_at_setting("suppression"),
                    "%s with MIN above 0 allows no suppressed row: anyone not in the release would "
                    "be known to be absent",
                    m->list[i]->class->name);
out:
    return rc;
}

kanon_status
kn_models_make(kn_problem *p)
{
    kanon_status rc = KANON_OK;
    kn_models   *m = &p->models;
    size_t       n = p->learned->nquasi;

    m->nhierarchies = p->learned->nsensitive;
    m->room = (m->nhierarchies + 1) * (KN_MODEL_COUNT + p->config->nown_models);
    m->list = kn_alloc_array(p->ctx, m->room, sizeof *m->list);
    m->hierarchies = kn_alloc_array(p->ctx, m->nhierarchies + 1, sizeof *m->hierarchies);
    if (!m->list || !m->hierarchies)
        return KANON_E_NOMEM;
    KN_TRY(add_named(p));
    for (size_t s = 0; s < p->learned->nsensitive; s++)
        if (p->attributes[n + s] && p->attributes[n + s]->role == KN_ROLE_SENSITIVE) {
            KN_TRY(add_scope(p, KN_OF_SENSITIVE, s));
            for (size_t i = 0; i < p->config->nown_models; i++)
                KN_TRY(add(p, p->config->own_models[i], s));
        }
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

        if (model->class->limit == KN_LIMIT_K)
            model->limit = (double) p->config->k;
        if (kn_model_forbids_absence(model))
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
