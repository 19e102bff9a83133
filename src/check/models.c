/* SPDX-License-Identifier: Apache-2.0 */
/* models.c -- the privacy models of `kanon check`: what each class of the table reaches, in every
 * measure and in the models that were asked for. The values of the table itself are what classes are
 * compared with. */
#include <math.h>
#include <stddef.h>

#include "base/text.h"
#include "check/checked.h"
#include "problem/columns.h"
#include "problem/models.h"
#include "verify/audit.h"

/* What is reported of every sensitive column, asked for or not. */
static const struct {
    const kn_model_class *class;
    size_t to; /* in kn_check_sensitive */
} measures[] = {
    { &kn_model_alpha, offsetof(kn_check_sensitive, alpha) },
    { &kn_model_beta, offsetof(kn_check_sensitive, beta) },
    { &kn_model_disclosure, offsetof(kn_check_sensitive, delta_disclosure) },
    { &kn_model_recursive, offsetof(kn_check_sensitive, recursive_c) },
    { &kn_model_t_ordered, offsetof(kn_check_sensitive, t_ordered) },
    { &kn_model_t_hierarchical, offsetof(kn_check_sensitive, t_hierarchical) },
};

static const double SAME = 1e-9; /* shares that differ by less are equal */

typedef struct judge {
    const kn_check_table *table;
    const kanon_config   *config;
    kn_rows_source       *source;
    kanon_check          *check;
    kn_audit_rules        rules;
    kn_audit_rule_column *columns;
    kn_audit_rule        *list; /* [room] */
    size_t                room;
    double              **to; /* [rules] where a measure goes; NULL: it was asked for */
    uint64_t            **rows;
    uint32_t            **orders;
    double              **numbers;
    kanon_hierarchy     **hierarchies;
    kn_check_coverage     coverage; /* people NULL: there is no population */
    double                presence; /* the least one of a class, or 0 where somebody is unmatched */
    double               *reached, *worst;
    bool                 *fails, *raised; /* raised: reached was added up over several classes */
} judge;

static void
judge_fini(judge *j)
{
    kanon_ctx *ctx = j->table->ctx;
    size_t     count = j->table->ncolumns - j->table->nquasi;

    for (size_t i = 0; i < count; i++) {
        if (j->rows)
            kn_free(ctx, j->rows[i]);
        if (j->orders)
            kn_free(ctx, j->orders[i]);
        if (j->numbers)
            kn_free(ctx, j->numbers[i]);
        if (j->hierarchies)
            kanon_hierarchy_free(j->hierarchies[i]);
    }
    kn_free(ctx, j->rows);
    kn_free(ctx, j->orders);
    kn_free(ctx, j->numbers);
    kn_free(ctx, j->hierarchies);
    kn_free(ctx, j->columns);
    kn_free(ctx, j->list);
    kn_free(ctx, j->to);
    kn_free(ctx, j->coverage.people);
    kn_free(ctx, j->coverage.presence);
    kn_free(ctx, j->reached);
    kn_free(ctx, j->worst);
    kn_free(ctx, j->fails);
    kn_free(ctx, j->raised);
}

static kanon_status
judge_init(judge *j)
{
    kanon_ctx *ctx = j->table->ctx;
    size_t     count = j->table->ncolumns - j->table->nquasi;
    /* each model once for a column and once for none, and how many persons there are */
    size_t models = KN_MODEL_COUNT + j->config->nown_models;
    size_t rules = count * (KN_COUNT(measures) + models) + models + 1;

    j->room = rules;
    j->columns = KN_NEW_ARRAY(ctx, kn_audit_rule_column, count);
    j->list = KN_NEW_ARRAY(ctx, kn_audit_rule, rules);
    j->to = kn_alloc_array(ctx, rules, sizeof *j->to);
    j->rows = kn_alloc_array(ctx, count, sizeof *j->rows);
    j->orders = kn_alloc_array(ctx, count, sizeof *j->orders);
    j->numbers = kn_alloc_array(ctx, count, sizeof *j->numbers);
    j->hierarchies = kn_alloc_array(ctx, count, sizeof *j->hierarchies);
    j->reached = KN_NEW_ARRAY(ctx, double, rules);
    j->worst = KN_NEW_ARRAY(ctx, double, rules);
    j->fails = KN_NEW_ARRAY(ctx, bool, rules);
    j->raised = KN_NEW_ARRAY(ctx, bool, rules);
    if (!j->columns || !j->list || !j->to || !j->rows || !j->orders || !j->numbers
        || !j->hierarchies || !j->reached || !j->worst || !j->fails || !j->raised)
        return KANON_E_NOMEM;
    j->rules = (kn_audit_rules){ .columns = j->columns,
                                 .ncolumns = count,
                                 .rules = j->list,
                                 .rows = kn_tuples_rows(j->table->tuples) };
    return KANON_OK;
}

/* --- columns -------------------------------------------------------------------------------------------- */

static kn_domain
domain_of(const judge *j, size_t column)
{
    const kn_check_column *c = &j->table->columns[j->table->nquasi + column];

    return (kn_domain){ .column = c->name,
                        .source = j->source->name,
                        .count = kn_dict_count(c->dict),
                        .values = kn_dict_values(c->dict),
                        .missing = c->missing };
}

static kanon_status
describe_column(judge *j, size_t column)
{
    const kn_check_table *table = j->table;
    kn_domain             domain = domain_of(j, column);

    j->rows[column] = KN_NEW_ARRAY(table->ctx, uint64_t, domain.count);
    if (!j->rows[column])
        return KANON_E_NOMEM;
    for (size_t i = 0; i < kn_tuples_count(table->tuples); i++)
        j->rows[column][kn_tuples_code(table->tuples, i, table->nquasi + column)] +=
            kn_tuples_weight(table->tuples, i);
    j->columns[column].nvalues = domain.count;
    j->columns[column].values = domain.values;
    j->columns[column].rows = j->rows[column];
    j->columns[column].missing = domain.missing;
    return KANON_OK;
}

static const kn_attribute *
attribute_of(const judge *j, size_t column)
{
    return kn_config_attribute(j->config,
                               kn_str_of(j->table->columns[j->table->nquasi + column].name));
}

static kanon_status
order_column(judge *j, size_t column)
{
    kn_domain domain = domain_of(j, column);

    if (j->orders[column])
        return KANON_OK;
    j->orders[column] = KN_NEW_ARRAY(j->table->ctx, uint32_t, domain.count);
    if (!j->orders[column])
        return KANON_E_NOMEM;
    j->columns[column].order = j->orders[column];
    return kn_values_order(j->table->ctx, &domain, j->orders[column]);
}

static kanon_status
build_tree(judge *j, size_t column)
{
    const kn_attribute *attribute = attribute_of(j, column);
    kn_domain           domain = domain_of(j, column);
    kanon_status        rc;

    if (j->hierarchies[column])
        return KANON_OK;
    if (!attribute || !attribute->has_hierarchy)
        return kn_models_no_tree(j->table->ctx, domain.column);
    rc = kn_hierarchy_make(j->table->ctx, &attribute->hierarchy, attribute->type, &domain,
                           &j->hierarchies[column]);
    j->columns[column].hierarchy = j->hierarchies[column];
    return rc;
}

static kanon_status
read_numbers(judge *j, size_t column, kn_place at)
{
    kn_domain domain = domain_of(j, column);

    if (j->numbers[column])
        return KANON_OK;
    j->numbers[column] = KN_NEW_ARRAY(j->table->ctx, double, domain.count);
    if (!j->numbers[column])
        return KANON_E_NOMEM;
    j->columns[column].numbers = j->numbers[column];
    return kn_values_k(j->table->ctx, &domain, at, j->numbers[column]);
}

/* Makes what a model must know of the values of its column. */
static kanon_status
learn_column(judge *j, const kn_model_class *class, size_t column)
{
    switch (class->needs) {
    case KN_NEEDS_NOTHING:
        break;
    case KN_NEEDS_ORDER:
        return order_column(j, column);
    case KN_NEEDS_HIERARCHY:
        return build_tree(j, column);
    case KN_NEEDS_NUMBERS:
        return read_numbers(j, column, kn_config_asked(j->config, class->setting)->at);
    }
    return KANON_OK;
}

/* --- rules ---------------------------------------------------------------------------------------------- */

static void
add(judge *j, const kn_model_class *class, size_t column, kn_model_limits limits, double *to)
{
    assert(j->rules.nrules < j->room);
    j->list[j->rules.nrules] = (kn_audit_rule){
        .class = class, .column = column, .limit = limits.limit, .second = limits.second
    };
    j->to[j->rules.nrules++] = to;
}

/* A text of a model, which for an own one is the config's. */
static const char *
text_of(judge *j, const kn_model_class *class, const char *text)
{
    return class->own ? kn_arena_text(&j->check->arena, kn_str_of(text)) : text;
}

/* A model that was asked for, with its entry in the check; column KN_NO_COLUMN: of none. */
static kanon_status
ask(judge *j, const kn_model_class *class, size_t column)
{
    kn_check_model     *m = &j->check->models[j->check->nmodels++];
    const kn_attribute *attribute = column == KN_NO_COLUMN ? NULL : attribute_of(j, column);
    kn_model_limits     limits = kn_models_limits(j->config, class, attribute);
    kanon_status        rc = KANON_OK;

    *m = (kn_check_model){ .key = text_of(j, class, class->key),
                           .name = text_of(j, class, class->name),
                           .parameter = text_of(j, class, class->parameter),
                           .other = class->second,
                           .asked = limits.limit,
                           .asked_other = limits.second,
                           .rule = j->rules.nrules };
    if (!m->key || !m->name || !m->parameter)
        return KANON_E_NOMEM;
    if (column != KN_NO_COLUMN) {
        m->column = j->check->columns_of_models[column];
        rc = learn_column(j, class, column);
    }
    add(j, class, column == KN_NO_COLUMN ? 0 : column, limits, NULL);
    return rc;
}

/* Can a model be measured? An order is only taken where somebody said that there is one. */
static bool
is_measurable(const judge *j, const kn_model_class *class, size_t column)
{
    const kn_attribute *a = attribute_of(j, column);

    switch (class->needs) {
    case KN_NEEDS_NOTHING:
        return true;
    case KN_NEEDS_ORDER:
        return (a && (a->type == KN_TYPE_NUMBER || a->type == KN_TYPE_DATE))
            || kn_models_choose(j->config, class->setting, a) == class;
    case KN_NEEDS_HIERARCHY:
        return a && a->has_hierarchy;
    case KN_NEEDS_NUMBERS:
        break;
    }
    return false;
}

/* What is measured in any case; a second parameter is l, as it was asked for or as the column reaches it. */
static kanon_status
measure_column(judge *j, size_t column)
{
    kanon_status        rc = KANON_OK;
    kn_check_sensitive *s = &j->check->sensitive[column];

    for (size_t i = 0; i < KN_COUNT(measures); i++) {
        const kn_model_class *class = measures[i].class;
        kn_asked asked = kn_config_asked_of(j->config, class->setting, attribute_of(j, column));
        double  *to = (double *) (void *) ((char *) s + measures[i].to);
        kn_model_limits limits = { 0, 0 };

        *to = (double) NAN;
        if (class->limit == KN_LIMIT_OTHER) {
            bool set = asked.value >= 1 && kn_model_of_kind(class->setting, asked.kind) == class;

            s->recursive_l = set ? (uint64_t) asked.value : s->l;
            limits.second = (double) s->recursive_l;
        }
        if (!is_measurable(j, class, column))
            continue;
        KN_TRY(learn_column(j, class, column));
        add(j, class, column, limits, to);
    }
out:
    return rc;
}

static kanon_status
ask_column(judge *j, size_t column)
{
    kanon_status            rc = KANON_OK;
    const kn_model_setting *setting;

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        const kn_attribute *attribute = attribute_of(j, column);
        kn_asked            asked = kn_config_asked_of(j->config, setting, attribute);

        if (setting->scope == KN_OF_SENSITIVE && kn_asked_on(&asked))
            KN_TRY(ask(j, kn_models_choose(j->config, setting, attribute), column));
    }
    for (size_t i = 0; i < j->config->nown_models; i++)
        KN_TRY(ask(j, j->config->own_models[i], column));
out:
    return rc;
}

/* Is a cell masked? It begins or ends with `*`, as what hides all of a value or the characters at one end of
 * it; a `*` elsewhere is a character like others. */
static bool
is_starred(kn_str text)
{
    return text.len && (text.ptr[0] == '*' || text.ptr[text.len - 1] == '*');
}

/* Can persons be told apart? Not where the column is gone, or its cells are masked: equal cells may be
 * different persons there. */
static kanon_status
find_persons(judge *j)
{
    const kn_check_table *table = j->table;
    const char           *name = kn_config_entity(j->config);
    size_t                column = table->named[kn_model_setting_index(&kn_entity_setting)];
    bool                  hidden = false, partly = false;
    kn_text               text;
    kanon_status          rc;

    if (column != SIZE_MAX) {
        kn_domain domain = domain_of(j, column);

        for (size_t i = 0; i < domain.count && !hidden; i++) {
            hidden = is_starred(domain.values[i]);
            partly = hidden && !kn_str_equal(domain.values[i], KN_STR("*"));
        }
    }
    if (!hidden && !table->no_entity)
        return KANON_OK;
    kn_text_init(&text, table->ctx);
    kn_text_addf(&text,
                 partly ? "cells of '%s' begin or end with *, which hides characters, so nobody "
                          "can tell which rows belong to one person"
                 : hidden
                     ? "cells of '%s' are *, so nobody can tell which rows belong to one person"
                     : "the table has no column '%s', which would identify them",
                 name);
    rc = kn_text_status(&text);
    if (rc == KANON_OK
        && !(
            j->check->no_persons = kn_arena_text(&j->check->arena, (kn_str){ text.ptr, text.len })))
        rc = KANON_E_NOMEM;
    if (rc == KANON_OK)
        kn_warn(table->ctx, KN_FOUND_PERSONS_UNCOUNTED, kn_at_setting("entity"),
                "entity: persons cannot be counted: %s" KN_DO
                "see the report of the job that made the release, which gives their number",
                text.ptr);
    kn_text_fini(&text);
    return rc;
}

/* Persons are counted, and judged if k was set. */
static kanon_status
ask_named(judge *j, const kn_model_class *class, size_t column)
{
    if (class->guards == KN_GUARDS_PERSONS) {
        if (j->check->no_persons)
            return KANON_OK;
        add(j, class, column, (kn_model_limits){ 1, 0 }, &j->check->persons);
    }
    return class->limit != KN_LIMIT_K || j->config->has_k ? ask(j, class, column) : KANON_OK;
}

/* Models of columns that settings name, and of a population. */
static kanon_status
ask_others(judge *j)
{
    kanon_status            rc = KANON_OK;
    const kn_model_setting *setting;

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++)
        if (setting->scope == KN_OF_NAMED && j->table->named[i] != SIZE_MAX)
            KN_TRY(ask_named(j, kn_models_choose(j->config, setting, NULL), j->table->named[i]));
    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++)
        if (setting->scope == KN_OF_POPULATION && kn_asked_on(&j->config->models.asked[i])
            && j->coverage.people)
            KN_TRY(ask(j, kn_models_choose(j->config, setting, NULL), KN_NO_COLUMN));
out:
    return rc;
}

static kanon_status
make_rules(judge *j)
{
    kanon_status rc = KANON_OK;
    size_t       count = j->table->ncolumns - j->table->nquasi;

    for (size_t c = 0; c < count; c++)
        KN_TRY(describe_column(j, c));
    for (size_t c = 0; c < j->table->nsensitive; c++) {
        KN_TRY(measure_column(j, c));
        KN_TRY(ask_column(j, c));
    }
    KN_TRY(find_persons(j));
    KN_TRY(ask_others(j));
out:
    return rc;
}

/* --- a population --------------------------------------------------------------------------------------- */

static bool
asks_presence(const kanon_config *config)
{
    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        if (kn_model_at(i)->guards == KN_GUARDS_PRESENCE
            && kn_asked_on(kn_config_asked(config, kn_model_at(i)->setting)))
            return true;
    return false;
}

static kanon_status
find_people(judge *j)
{
    if (!j->config->models.population || !kn_config_asks(j->config, KN_OF_POPULATION))
        return KANON_OK;
    j->coverage.people = KN_NEW_ARRAY(j->table->ctx, uint64_t, j->table->nclasses);
    if (!j->coverage.people)
        return KANON_E_NOMEM;
    if (asks_presence(j->config)) {
        j->coverage.presence = KN_NEW_ARRAY(j->table->ctx, double, j->table->nclasses);
        if (!j->coverage.presence)
            return KANON_E_NOMEM;
    }
    return kn_check_people(j->table, j->config, j->source, &j->coverage);
}

/* --- judging -------------------------------------------------------------------------------------------- */

static kanon_status
gather(judge *j, kn_audit *audit)
{
    kanon_status          rc = KANON_OK;
    const kn_check_table *table = j->table;
    uint32_t             *values = KN_NEW_ARRAY(table->ctx, uint32_t, j->rules.ncolumns);
    size_t class = 0;

    if (!values)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < kn_tuples_count(table->tuples); i++) {
        if (class + 1 < table->nclasses && table->classes[class + 1].tuple == i)
            class ++;
        for (size_t c = 0; c < j->rules.ncolumns; c++)
            values[c] = kn_tuples_code(table->tuples, i, table->nquasi + c);
        KN_TRY(kn_audit_add(audit, (uint32_t) class, values, kn_tuples_weight(table->tuples, i)));
    }
    KN_TRY(kn_audit_seal(audit, table->nclasses));
out:
    kn_free(table->ctx, values);
    return rc;
}

/* Who may be in several classes is as likely in the table as their shares together say; to be absent, the
 * least share of a class decides, which is stricter. */
static void
add_up_presence(judge *j, size_t class, size_t rule)
{
    double sum = j->coverage.presence[class] < 1 ? j->coverage.presence[class] : 1;

    if (j->reached[rule] < j->presence)
        j->presence = j->reached[rule];
    j->raised[rule] = sum > j->reached[rule] + SAME;
    if (!j->raised[rule])
        return;
    j->reached[rule] = sum;
    j->fails[rule] = j->fails[rule] || sum > j->list[rule].limit + SAME;
}

static void
fold_class(judge *j, kn_audit *audit, size_t class)
{
    const kn_check_table *table = j->table;
    uint64_t              rows = table->classes[class].rows;

    kn_audit_judge(audit, (uint32_t) class, rows,
                   j->coverage.people ? j->coverage.people[class] : 0, j->reached, j->fails);
    for (size_t r = 0; r < j->rules.nrules; r++)
        if (j->list[r].class->guards == KN_GUARDS_PRESENCE)
            add_up_presence(j, class, r);
    for (size_t i = 0; i < j->check->nmodels; i++) {
        kn_check_model *m = &j->check->models[i];

        if (class == 0
            || kn_audit_rule_worse(&j->list[m->rule], j->reached[m->rule], j->worst[m->rule]))
            m->at_most = j->raised[m->rule];
        m->failing_classes += j->fails[m->rule];
        m->failing_rows += j->fails[m->rule] ? rows : 0;
    }
    for (size_t r = 0; r < j->rules.nrules; r++)
        if (class == 0 || kn_audit_rule_worse(&j->list[r], j->reached[r], j->worst[r]))
            j->worst[r] = j->reached[r];
}

static kanon_status
judge_classes(judge *j)
{
    kanon_status rc = KANON_OK;
    kn_audit    *audit = NULL;

    j->presence = j->coverage.unmatched ? 0 : (double) INFINITY;
    KN_TRY(kn_audit_new(j->table->ctx, &j->rules, &audit));
    KN_TRY(gather(j, audit));
    for (size_t c = 0; c < j->table->nclasses; c++)
        fold_class(j, audit, c);
    for (size_t r = 0; r < j->rules.nrules; r++)
        if (j->to[r])
            *j->to[r] = j->table->nclasses ? j->worst[r] : (double) NAN;
    for (size_t i = 0; i < j->check->nmodels; i++) {
        kn_check_model *m = &j->check->models[i];

        m->reached = j->table->nclasses ? j->worst[m->rule] : (double) NAN;
        m->holds = !m->failing_classes;
        if (kn_audit_forbids_absence(&j->list[m->rule]) && j->coverage.unmatched)
            m->holds = false; /* they are known to be absent */
    }
out:
    kn_audit_free(audit);
    return rc;
}

/* Room for the models that were asked for, and the names of their columns. */
static kanon_status
reserve_models(judge *j)
{
    kanon_check *check = j->check;
    size_t       count = j->table->ncolumns - j->table->nquasi;

    check->models = kn_arena_alloc(&check->arena, (count + 1)
                                                      * (KN_MODEL_COUNT + j->config->nown_models)
                                                      * sizeof *check->models);
    check->columns_of_models = kn_arena_alloc(&check->arena,
                                              (count + 1) * sizeof *check->columns_of_models);
    if (!check->models || !check->columns_of_models)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < count; c++) {
        const char *name = j->table->columns[j->table->nquasi + c].name;

        check->columns_of_models[c] = kn_arena_text(&check->arena, kn_str_of(name));
        if (!check->columns_of_models[c])
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

/* What a model reaches and which limit that breaks: of two limits the upper one first. */
static void
say_reached(kn_text *text, const judge *j, const kn_check_model *m)
{
    bool presence = j->list[m->rule].class->guards == KN_GUARDS_PRESENCE;
    bool least = presence && m->reached <= m->asked + 1e-9;

    kn_text_addf(text, ": %s is %s%.6g, expected %.6g", least ? m->other : m->parameter,
                 m->at_most && !least ? "at most " : "", least ? j->presence : m->reached,
                 least ? m->asked_other : m->asked);
    if (presence && !least && m->reached > 1 + 1e-9)
        kn_text_addz(text, ", and more than 1 means that the population has fewer people of a "
                           "class than the table");
    if (m->failing_rows || !least)
        kn_text_addf(text, "; %llu %s in classes that fail", (unsigned long long) m->failing_rows,
                     m->failing_rows == 1 ? "row is" : "rows are");
    if (m->at_most && !least)
        kn_text_addz(text, "; people may be in several classes, whose shares are added up");
    if (least && j->coverage.unmatched)
        kn_text_addf(text,
                     "; %llu of the population match no class, so they are known to be absent",
                     (unsigned long long) j->coverage.unmatched);
}

/* Another thing that does not hold. */
static void
begin_failure(kn_text *text, const char *source)
{
    kn_text_addf(text, "%s%s", text->len ? "; " : source, text->len ? "" : ": ");
}

/* A table that nothing is asked of may be the original, where they belong. */
static void
say_clear(const judge *j, kn_text *text, const char *source)
{
    bool asked = j->config->has_k || j->check->nmodels;

    for (size_t i = 0; i < j->check->identifiers.count; i++) {
        const kn_clear_column *e = &j->check->identifiers.columns[i];

        if (!e->rows)
            continue;
        if (!asked) {
            kn_warn(j->check->ctx, KN_FOUND_CLEAR_IDENTIFIER, kn_at_column(e->name),
                    "the identifier '%s' is in clear in %llu %s" KN_DO "do not share this table",
                    e->name, (unsigned long long) e->rows, e->rows == 1 ? "row" : "rows");
            continue;
        }
        begin_failure(text, source);
        kn_text_addf(text, "the identifier '%s' is in clear in %llu %s; expected * or no value",
                     e->name, (unsigned long long) e->rows, e->rows == 1 ? "row" : "rows");
    }
}

/* What was asked for and does not hold, in one line. A table without rows (k is 0) discloses nobody, so it
 * passes. Persons that somebody asks for on the command line and that cannot be counted are no success; an
 * entity of a config may well have been for the job alone. */
static kanon_status
say_failure(const judge *j, kanon_check *check, const char *source)
{
    kanon_status rc = KANON_OK;
    kn_text      text;

    kn_text_init(&text, check->ctx);
    if (j->config->has_k && check->risk.rows && check->risk.min_class < j->config->k) {
        begin_failure(&text, source);
        kn_text_addf(&text, "k is %llu; expected at least %llu",
                     (unsigned long long) check->risk.min_class, (unsigned long long) j->config->k);
    }
    for (size_t i = 0; i < check->nmodels; i++) {
        const kn_check_model *m = &check->models[i];

        if (m->holds)
            continue;
        begin_failure(&text, source);
        kn_text_addz(&text, m->name);
        if (m->column)
            kn_text_addf(&text, " of '%s'", m->column);
        say_reached(&text, j, m);
    }
    say_clear(j, &text, source);
    if (!text.len && check->no_persons && j->config->has_k
        && !kn_config_asked(j->config, &kn_entity_setting)->at.file)
        kn_text_addf(&text, "%s: persons cannot be counted: %s", source, check->no_persons);
    KN_TRY(kn_text_status(&text));
    if (text.len
        && !(check->failure = kn_arena_text(&check->arena, (kn_str){ text.ptr, text.len })))
        rc = KANON_E_NOMEM;
out:
    kn_text_fini(&text);
    return rc;
}

kanon_status
kn_check_judge_models(const kn_check_table *table, const kanon_config *config,
                      kn_rows_source *source, kanon_check *check)
{
    kanon_status rc = KANON_OK;
    judge        j = { .table = table, .config = config, .source = source, .check = check };

    KN_TRY(judge_init(&j));
    KN_TRY(reserve_models(&j));
    KN_TRY(find_people(&j));
    KN_TRY(make_rules(&j));
    KN_TRY(judge_classes(&j));
    KN_TRY(say_failure(&j, check, source->name));
out:
    judge_fini(&j);
    return rc;
}
