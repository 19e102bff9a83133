/* SPDX-License-Identifier: Apache-2.0 */
/* own_models.c -- privacy models that a program brings along (kanon/plugin.h): a thin coat around a
 * kn_model_class, so that jobs, the verifier, `check` and reports treat them like any other model. */
#include <math.h>

#include "config/config.h"

enum { KEY_MOST = 64 };

/* A row of the list of models, for one config. */
typedef struct own_model {
    kn_model_class class;
    kn_model_setting  setting; /* that advice and messages name */
    kanon_model_class theirs;
} own_model;

static double
reached(const kn_model *model, const kn_class_values *c)
{
    const kanon_model_class *theirs = model->class->own;
    kanon_class_view         view = { .size = sizeof view,
                                      .rows = c->rows,
                                      .nvalues = model->domain,
                                      .counts = c->counts,
                                      .seen = c->seen,
                                      .nseen = c->nseen,
                                      .table_rows = model->table_rows,
                                      .table_counts = model->table_counts };

    return theirs->reached(theirs->user, &view);
}

/* No option asks for it, so the key is named in its place. */
static kanon_status
advise(const kn_model *model, double at, kn_text *text)
{
    kn_text_addf(text, "%s %.15g", model->class->key, kn_model_nearest(model->class, at));
    return KANON_OK;
}

/* --- what is refused ----------------------------------------------------------------------------------- */

static bool
is_taken(const kanon_config *config, const char *key)
{
    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        if (strcmp(kn_model_at(i)->key, key) == 0
            || strcmp(kn_model_at(i)->setting->value.name, key) == 0)
            return true;
    for (size_t i = 0; i < config->nown_models; i++)
        if (strcmp(config->own_models[i]->key, key) == 0)
            return true;
    return false;
}

static kanon_status
check_key(const kanon_config *config, const char *key)
{
    size_t length = key ? strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-_") : 0;

    if (!key || !key[0])
        return kn_fail(config->ctx, KANON_E_INVALID, "model: its class has no key");
    if (length > KEY_MOST || key[length])
        return kn_fail(config->ctx, KANON_E_INVALID,
                       "model '%.*s': expected a key of at most %d letters a to z, digits, - and _",
                       KEY_MOST, key, KEY_MOST);
    if (is_taken(config, key))
        return kn_fail(config->ctx, KANON_E_INVALID, "model '%s': the key is taken", key);
    return KANON_OK;
}

static bool
is_one_of(const kanon_model_class *c)
{
    return (int) c->sense >= KANON_AT_LEAST && (int) c->sense <= KANON_BELOW
        && (int) c->merge >= KANON_MERGE_OPEN && (int) c->merge <= KANON_MERGE_ANY
        && (int) c->guards >= KANON_GUARDS_NOTHING && (int) c->guards <= KANON_GUARDS_SHARES;
}

static kanon_status
check_class(const kanon_config *config, const kanon_model_class *c, double limit)
{
    kanon_ctx   *ctx = config->ctx;
    kanon_status rc;

    if (c->size != sizeof *c || c->version != KANON_PLUGIN_VERSION)
        return kn_fail(ctx, KANON_E_UNSUPPORTED,
                       "model: its class has size %u and version %u, expected %zu and %u; build it "
                       "with the headers of this library",
                       c->size, c->version, sizeof *c, KANON_PLUGIN_VERSION);
    rc = check_key(config, c->key);
    if (rc < 0)
        return rc;
    if (!c->promise || !c->promise[0])
        return kn_fail(ctx, KANON_E_INVALID, "model '%s': its class has no promise", c->key);
    if (!c->reached)
        return kn_fail(ctx, KANON_E_INVALID, "model '%s': its class has no reached", c->key);
    if (!c->audit)
        return kn_fail(ctx, KANON_E_INVALID,
                       "model '%s': its class has no audit, so no release could be verified",
                       c->key);
    if (c->audit == c->reached)
        return kn_fail(ctx, KANON_E_INVALID,
                       "model '%s': audit and reached are one function, expected a second one that "
                       "computes the same by other means",
                       c->key);
    if (!is_one_of(c))
        return kn_fail(ctx, KANON_E_INVALID,
                       "model '%s': sense, merge or guards has a value that this library does not "
                       "know",
                       c->key);
    if (!isfinite(limit))
        return kn_fail(ctx, KANON_E_INVALID, "model '%s': the limit is not a finite number",
                       c->key);
    return KANON_OK;
}

/* --- adding one ---------------------------------------------------------------------------------------- */

static const kn_sense SENSES[] = {
    [KANON_AT_LEAST] = KN_AT_LEAST, [KANON_AT_MOST] = KN_AT_MOST, [KANON_BELOW] = KN_BELOW
};
static const kn_merge  MERGES[] = { [KANON_MERGE_OPEN] = KN_MERGE_OPEN,
                                    [KANON_MERGE_GOOD] = KN_MERGE_GOOD,
                                    [KANON_MERGE_ANY] = KN_MERGE_ANY };
static const kn_guards GUARDS[] = { [KANON_GUARDS_NOTHING] = KN_GUARDS_OPEN,
                                    [KANON_GUARDS_COUNT] = KN_GUARDS_COUNT,
                                    [KANON_GUARDS_SHARES] = KN_GUARDS_SHARES };

static const char *
copy_text(kanon_config *config, const char *text)
{
    return kn_arena_text(&config->arena, kn_str_of(text));
}

static kanon_status
copy_class(kanon_config *config, const kanon_model_class *c, double limit, own_model *own)
{
    const char *key = copy_text(config, c->key);

    own->theirs = *c;
    own->setting = (kn_model_setting){ .value = { .name = key },
                                       .asks = KN_ASKS_NUMBER,
                                       .scope = KN_OF_SENSITIVE };
    own->class = (kn_model_class){ .name = copy_text(config, c->name ? c->name : c->key),
                                   .key = key,
                                   .promise = copy_text(config, c->promise),
                                   .parameter = copy_text(config,
                                                          c->parameter ? c->parameter : "limit"),
                                   .setting = &own->setting,
                                   .guards = GUARDS[c->guards],
                                   .merge = MERGES[c->merge],
                                   .sense = SENSES[c->sense],
                                   .limit = KN_LIMIT_FIXED,
                                   .fixed = limit,
                                   .own = &own->theirs,
                                   .reached = reached,
                                   .audit = kn_audit_own,
                                   .advise = advise };
    return key && own->class.name && own->class.promise && own->class.parameter ? KANON_OK
                                                                                : KANON_E_NOMEM;
}

kanon_status
kanon_config_add_model(kanon_config *config, const kanon_model_class *model, double limit)
{
    kanon_status rc = KANON_OK;
    own_model   *own;
    void        *list;

    if (!config)
        return KANON_E_INVALID;
    if (!model)
        return kn_fail(config->ctx, KANON_E_INVALID, "kanon_config_add_model: a class is required");
    list = config->own_models;
    KN_TRY(check_class(config, model, limit));
    own = kn_arena_alloc(&config->arena, sizeof *own);
    if (!own)
        return KANON_E_NOMEM;
    KN_TRY(copy_class(config, model, limit, own));
    KN_TRY(kn_grow(config->ctx, &list, &config->own_models_capacity, config->nown_models + 1,
                   sizeof *config->own_models));
    config->own_models = list;
    config->own_models[config->nown_models++] = &own->class;
out:
    return rc;
}
