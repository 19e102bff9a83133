/* SPDX-License-Identifier: Apache-2.0 */
/* models.c -- the privacy models of `kanon check`: what each class of the table reaches, in every
 * measure and in the models that were asked for. The values of the table itself are what classes are
 * compared with. */
#include <math.h>

#include "base/text.h"
#include "check/checked.h"
#include "problem/columns.h"
#include "problem/models.h"
#include "transform/audit.h"

/* Rules of a sensitive column: those that are always measured, and those that were asked for. */
enum { MEASURED = 6, ASKED = 6, OTHERS = 4 };

static const double SAME = 1e-9; /* shares that differ by less are equal */

typedef struct judge {
    const kn_check_table *table;
    const kanon_config   *config;
    kn_rows_source       *source;
    kanon_check          *check;
    kn_audit_rules        rules;
    kn_audit_rule_column *columns;
    kn_audit_rule        *list;
    double              **to; /* [rules] where a measure goes; NULL: it was asked for */
    uint64_t            **rows;
    uint32_t            **orders;
    double              **asks;
    kanon_hierarchy     **hierarchies;
    kn_check_folk         folk;     /* people NULL: there is no population */
    double                presence; /* the least one of a class, or 0 with strangers */
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
        if (j->asks)
            kn_free(ctx, j->asks[i]);
        if (j->hierarchies)
            kanon_hierarchy_free(j->hierarchies[i]);
    }
    kn_free(ctx, j->rows);
    kn_free(ctx, j->orders);
    kn_free(ctx, j->asks);
    kn_free(ctx, j->hierarchies);
    kn_free(ctx, j->columns);
    kn_free(ctx, j->list);
    kn_free(ctx, j->to);
    kn_free(ctx, j->folk.people);
    kn_free(ctx, j->folk.presence);
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
    size_t     rules = count * (MEASURED + ASKED) + OTHERS;

    j->columns = KN_NEW_ARRAY(ctx, kn_audit_rule_column, count);
    j->list = KN_NEW_ARRAY(ctx, kn_audit_rule, rules);
    j->to = kn_alloc_array(ctx, rules, sizeof *j->to);
    j->rows = kn_alloc_array(ctx, count, sizeof *j->rows);
    j->orders = kn_alloc_array(ctx, count, sizeof *j->orders);
    j->asks = kn_alloc_array(ctx, count, sizeof *j->asks);
    j->hierarchies = kn_alloc_array(ctx, count, sizeof *j->hierarchies);
    j->reached = KN_NEW_ARRAY(ctx, double, rules);
    j->worst = KN_NEW_ARRAY(ctx, double, rules);
    j->fails = KN_NEW_ARRAY(ctx, bool, rules);
    j->raised = KN_NEW_ARRAY(ctx, bool, rules);
    if (!j->columns || !j->list || !j->to || !j->rows || !j->orders || !j->asks || !j->hierarchies
        || !j->reached || !j->worst || !j->fails || !j->raised)
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
build_tree(judge *j, size_t column, const kn_attribute *attribute)
{
    kn_domain    domain = domain_of(j, column);
    kanon_status rc;

    if (j->hierarchies[column])
        return KANON_OK;
    if (!attribute || !attribute->has_hierarchy)
        return kn_models_no_tree(j->table->ctx, domain.column);
    rc = kn_hierarchy_make(j->table->ctx, &attribute->hierarchy, attribute->type, &domain,
                           &j->hierarchies[column]);
    j->columns[column].hierarchy = j->hierarchies[column];
    return rc;
}

/* --- rules ---------------------------------------------------------------------------------------------- */

static void
add(judge *j, kn_audit_rule_kind kind, size_t column, double limit, double other, double *to)
{
    j->list[j->rules.nrules] = (kn_audit_rule){
        .kind = kind, .column = column, .limit = limit, .other = other
    };
    j->to[j->rules.nrules++] = to;
}

/* A model that was asked for, with its entry in the check. */
static void
ask(judge *j, const kn_model_class *class, kn_audit_rule_kind kind, size_t column, double limit,
    double other)
{
    kn_check_model *m = &j->check->models[j->check->nmodels++];

    *m = (kn_check_model){ .key = class->key,
                           .name = class->name,
                           .parameter = class->parameter,
                           .other = class->second,
                           .asked = limit,
                           .asked_other = other,
                           .rule = j->rules.nrules };
    if (column != KN_NO_COLUMN)
        m->column = j->check->columns_of_models[column];
    add(j, kind, column == KN_NO_COLUMN ? 0 : column, limit, other, NULL);
}

static const kn_attribute *
attribute_of(const judge *j, size_t column)
{
    return kn_config_attribute(j->config,
                               kn_str_of(j->table->columns[j->table->nquasi + column].name));
}

/* What is measured in any case. An order is only taken where somebody said that there is one. */
static kanon_status
measure_column(judge *j, size_t column)
{
    kanon_status             rc = KANON_OK;
    kn_check_sensitive      *s = &j->check->sensitive[column];
    const kn_model_settings *m = &j->config->models;
    const kn_attribute      *attribute = attribute_of(j, column);

    s->recursive_l = m->l >= 1 && m->l_kind == KN_L_RECURSIVE ? (uint64_t) m->l : s->l;
    s->t_ordered = s->t_hierarchical = (double) NAN;
    add(j, KN_RULE_ALPHA, column, 1, 0, &s->alpha);
    add(j, KN_RULE_BETA, column, 0, 0, &s->beta);
    add(j, KN_RULE_DISCLOSURE, column, 0, 0, &s->delta_disclosure);
    add(j, KN_RULE_RECURSIVE, column, 0, (double) s->recursive_l, &s->recursive_c);
    if (m->t_distance == KN_T_ORDERED
        || (attribute && (attribute->type == KN_TYPE_NUMBER || attribute->type == KN_TYPE_DATE))) {
        KN_TRY(order_column(j, column));
        add(j, KN_RULE_ORDERED, column, 1, 0, &s->t_ordered);
    }
    if (attribute && attribute->has_hierarchy) {
        KN_TRY(build_tree(j, column, attribute));
        add(j, KN_RULE_HIERARCHICAL, column, 1, 0, &s->t_hierarchical);
    }
out:
    return rc;
}

static kanon_status
ask_t(judge *j, size_t column)
{
    kanon_status        rc = KANON_OK;
    double              t = j->config->models.t;
    const kn_attribute *attribute = attribute_of(j, column);

    switch (kn_models_distance(j->config, attribute)) {
    case KN_T_ORDERED:
        KN_TRY(order_column(j, column));
        ask(j, &kn_model_t_ordered, KN_RULE_ORDERED, column, t, 0);
        break;
    case KN_T_HIERARCHICAL:
        KN_TRY(build_tree(j, column, attribute));
        ask(j, &kn_model_t_hierarchical, KN_RULE_HIERARCHICAL, column, t, 0);
        break;
    case KN_T_AUTO:
    case KN_T_EQUAL:
        ask(j, &kn_model_t_equal, KN_RULE_EQUAL, column, t, 0);
        break;
    }
out:
    return rc;
}

static kanon_status
ask_column(judge *j, size_t column)
{
    const kn_model_settings *m = &j->config->models;

    if (m->l >= 0 && m->l_kind == KN_L_DISTINCT)
        ask(j, &kn_model_distinct, KN_RULE_DISTINCT, column, m->l, 0);
    if (m->l >= 0 && m->l_kind == KN_L_ENTROPY)
        ask(j, &kn_model_entropy, KN_RULE_ENTROPY, column, m->l, 0);
    if (m->l >= 0 && m->l_kind == KN_L_RECURSIVE)
        ask(j, &kn_model_recursive, KN_RULE_RECURSIVE, column, m->c, m->l);
    if (m->p >= 0)
        ask(j, &kn_model_p_sensitive, KN_RULE_DISTINCT, column, m->p, 0);
    if (m->alpha >= 0)
        ask(j, &kn_model_alpha, KN_RULE_ALPHA, column, m->alpha, 0);
    if (m->beta >= 0 && m->beta_kind == KN_BETA_BASIC)
        ask(j, &kn_model_beta, KN_RULE_BETA, column, m->beta, 0);
    if (m->beta >= 0 && m->beta_kind == KN_BETA_ENHANCED)
        ask(j, &kn_model_beta_enhanced, KN_RULE_BETA_ENHANCED, column, m->beta, 0);
    if (m->disclosure >= 0)
        ask(j, &kn_model_disclosure, KN_RULE_DISCLOSURE, column, m->disclosure, 0);
    return m->t >= 0 ? ask_t(j, column) : KANON_OK;
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
    const char           *name = j->config->models.entity;
    bool                  hidden = false, partly = false;
    kn_text               text;
    kanon_status          rc;

    if (table->entity != SIZE_MAX) {
        kn_domain domain = domain_of(j, table->entity);

        for (size_t i = 0; i < domain.count && !hidden; i++) {
            hidden = is_starred(domain.values[i]);
            partly = hidden && !kn_str_equal(domain.values[i], KN_STR("*"));
        }
    }
    if (!hidden && !table->no_entity)
        return KANON_OK;
    kn_text_init(&text, table->ctx);
    kn_text_addf(&text,
                 partly
                     ? "cells of '%s' begin or end with *, which hides characters, so nobody can "
                       "tell which rows are of one person"
                 : hidden ? "cells of '%s' read *, so nobody can tell which rows are of one person"
                          : "the table has no column '%s', which would tell them apart",
                 name);
    rc = kn_text_status(&text);
    if (rc == KANON_OK
        && !(
            j->check->no_persons = kn_arena_text(&j->check->arena, (kn_str){ text.ptr, text.len })))
        rc = KANON_E_NOMEM;
    if (rc == KANON_OK)
        kn_warn(table->ctx,
                "entity: persons cannot be counted: %s; the report of the job that made the "
                "release tells how many there are",
                text.ptr);
    kn_text_fini(&text);
    return rc;
}

/* Persons, a k for each record, a population. */
static kanon_status
ask_others(judge *j)
{
    const kn_model_settings *m = &j->config->models;
    const kn_check_table    *table = j->table;

    if (table->entity != SIZE_MAX && !j->check->no_persons) {
        add(j, KN_RULE_DISTINCT, table->entity, 1, 0, &j->check->persons);
        if (j->config->has_k)
            ask(j, &kn_model_persons, KN_RULE_DISTINCT, table->entity, (double) j->config->k, 0);
    }
    if (table->own_k != SIZE_MAX) {
        kn_domain    domain = domain_of(j, table->own_k);
        kanon_status rc;

        j->asks[table->own_k] = KN_NEW_ARRAY(table->ctx, double, domain.count);
        if (!j->asks[table->own_k])
            return KANON_E_NOMEM;
        rc = kn_values_k(table->ctx, &domain, j->config->k_column_at, j->asks[table->own_k]);
        if (rc < 0)
            return rc;
        j->columns[table->own_k].asks = j->asks[table->own_k];
        ask(j, &kn_model_own_k, KN_RULE_OWN_K, table->own_k, 1, 0);
    }
    if (j->folk.people && m->k_map >= 0)
        ask(j, &kn_model_k_map, KN_RULE_K_MAP, KN_NO_COLUMN, m->k_map, 0);
    if (j->folk.people && m->presence_max >= 0)
        ask(j, &kn_model_presence, KN_RULE_PRESENCE, KN_NO_COLUMN, m->presence_max,
            m->presence_min);
    return KANON_OK;
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

static kanon_status
find_people(judge *j)
{
    const kn_model_settings *m = &j->config->models;

    if (!m->population || (m->k_map < 0 && m->presence_max < 0))
        return KANON_OK;
    j->folk.people = KN_NEW_ARRAY(j->table->ctx, uint64_t, j->table->nclasses);
    if (!j->folk.people)
        return KANON_E_NOMEM;
    if (m->presence_max >= 0) {
        j->folk.presence = KN_NEW_ARRAY(j->table->ctx, double, j->table->nclasses);
        if (!j->folk.presence)
            return KANON_E_NOMEM;
    }
    return kn_check_people(j->table, j->config, j->source, &j->folk);
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
    double sum = j->folk.presence[class] < 1 ? j->folk.presence[class] : 1;

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

    kn_audit_judge(audit, (uint32_t) class, rows, j->folk.people ? j->folk.people[class] : 0,
                   j->reached, j->fails);
    for (size_t r = 0; r < j->rules.nrules; r++)
        if (j->list[r].kind == KN_RULE_PRESENCE)
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

    j->presence = j->folk.strangers ? 0 : (double) INFINITY;
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
        if (j->list[m->rule].kind == KN_RULE_PRESENCE && m->asked_other > 0 && j->folk.strangers)
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

    check->models = kn_arena_alloc(&check->arena, (count * ASKED + OTHERS) * sizeof *check->models);
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
    bool least = j->list[m->rule].kind == KN_RULE_PRESENCE && m->reached <= m->asked + 1e-9;

    kn_text_addf(text, ": %s is %s%.6g, expected %.6g", least ? m->other : m->parameter,
                 m->at_most && !least ? "at most " : "", least ? j->presence : m->reached,
                 least ? m->asked_other : m->asked);
    if (j->list[m->rule].kind == KN_RULE_PRESENCE && !least && m->reached > 1 + 1e-9)
        kn_text_addz(text, ", and more than 1 says that the population holds fewer people of a "
                           "class than the table");
    if (m->failing_rows || !least)
        kn_text_addf(text, "; %llu %s in classes that fail", (unsigned long long) m->failing_rows,
                     m->failing_rows == 1 ? "row is" : "rows are");
    if (m->at_most && !least)
        kn_text_addz(text, "; people may be in several classes, whose shares are added up");
    if (least && j->folk.strangers)
        kn_text_addf(text, "; %llu of the population fit no class, so they are known to be absent",
                     (unsigned long long) j->folk.strangers);
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
            kn_warn(j->check->ctx,
                    "the identifier '%s' is in clear in %llu %s, so this is no table to give away",
                    e->name, (unsigned long long) e->rows, e->rows == 1 ? "row" : "rows");
            continue;
        }
        begin_failure(text, source);
        kn_text_addf(text, "the identifier '%s' is in clear in %llu %s, expected * or no value",
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
        kn_text_addf(&text, "k is %llu, expected at least %llu",
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
    if (!text.len && check->no_persons && j->config->has_k && !j->config->entity_at.file)
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
