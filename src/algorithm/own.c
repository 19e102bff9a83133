/* SPDX-License-Identifier: Apache-2.0 */
/* own.c -- searches that a program brings along (kanon/plugin.h): a thin coat around a kn_search_class, so
 * that the one driver runs them. What comes from outside is checked here: the class when it is added, nodes
 * and answers while it runs. The first failure stays, so that a search which ignores it ends all the same. */
#include <math.h>

#include "algorithm/algorithm.h"
#include "base/arena.h"
#include "kanon/plugin.h"

static_assert(KANON_COLUMNS_MOST == KN_QUASI_MOST, "one bound, two names");

enum { NAME_MOST = 64 };

/* More is a length that was never set, or belongs into kanon_search_alloc(). */
static const size_t STATE_MOST = (size_t) 1 << 30;

static const uint32_t TRAITS = KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM | KANON_TRAIT_MONOTONE;

typedef struct own_search {
    kn_search_class class; /* first: what the driver runs */
    kn_algorithm       algorithm;
    kanon_search_class theirs;
} own_search;

struct kanon_search_env {
    kn_search_env    *driver;
    const own_search *own;
    kn_arena          arena;
    kn_score         *scores; /* of a batch */
    size_t            room;
    kanon_status      failed; /* the first failure; KANON_OK: none */
};

typedef struct own_state {
    kanon_search_env env;
    max_align_t      theirs[];
} own_state;

/* --- answers that come from outside ------------------------------------------------------------------ */

static kanon_ctx *
ctx_of(const kanon_search_env *env)
{
    return kn_env_ctx(env->driver);
}

static bool
is_status(kanon_status status)
{
#define IS_STATUS(name, value, text) || (int) status == (value)
    return false KANON_STATUS_LIST(IS_STATUS);
#undef IS_STATUS
}

static kanon_status
keep_failure(kanon_search_env *env, kanon_status status)
{
    if (env->failed == KANON_OK)
        env->failed = status;
    return status;
}

/* What a function of theirs answered; call is its name. */
static kanon_status
settle(kanon_search_env *env, const char *call, kanon_status status)
{
    const char *name = env->own->class.info.name;

    if (env->failed != KANON_OK || status == KANON_OK)
        return env->failed;
    if (!is_status(status))
        return kn_fail(ctx_of(env), KANON_E_INVALID,
                       "algorithm '%s': %s returned %d, expected a kanon_status", name, call,
                       (int) status);
    return kn_fail(ctx_of(env), status, "algorithm '%s': %s failed: %s", name, call,
                   kanon_status_text(status));
}

static kanon_status
init(void *state, kn_search_env *driver, const kn_values *values)
{
    own_state        *s = state;
    kanon_search_env *env = &s->env;

    env->driver = driver;
    env->own = (const own_search *) (const void *) kn_env_class(driver);
    kn_arena_init(&env->arena, ctx_of(env));
    if (!env->own->theirs.init)
        return KANON_OK;
    return settle(env, "init", env->own->theirs.init(s->theirs, env, values->number));
}

static kanon_status
step(void *state, kn_search_env *driver, kn_step *next)
{
    own_state   *s = state;
    kanon_step   answer = KANON_STEP_MORE;
    kanon_status rc = settle(&s->env, "step", s->env.own->theirs.step(s->theirs, &s->env, &answer));

    KN_UNUSED(driver);
    if (rc == KANON_OK && answer != KANON_STEP_MORE && answer != KANON_STEP_DONE)
        return kn_fail(ctx_of(&s->env), KANON_E_INVALID,
                       "algorithm '%s': step set next to %d, expected KANON_STEP_MORE or "
                       "KANON_STEP_DONE",
                       s->env.own->class.info.name, (int) answer);
    *next = answer == KANON_STEP_DONE ? KN_STEP_DONE : KN_STEP_MORE;
    return rc;
}

static void
fini(void *state, kn_search_env *driver)
{
    own_state *s = state;

    if (s->env.own->theirs.fini)
        s->env.own->theirs.fini(s->theirs, &s->env);
    kn_free(kn_env_ctx(driver), s->env.scores);
    kn_arena_fini(&s->env.arena);
}

/* --- what they may ask ------------------------------------------------------------------------------- */

size_t
kanon_search_columns(const kanon_search_env *env)
{
    return kn_env_lattice(env->driver)->n;
}

const uint8_t *
kanon_search_top(const kanon_search_env *env)
{
    return kn_env_lattice(env->driver)->top;
}

const uint8_t *
kanon_search_floor(const kanon_search_env *env)
{
    return kn_env_lattice(env->driver)->floor;
}

/* Levels index arrays further down. */
static kanon_status
check_bounds(const kanon_search_env *env, const uint8_t *levels)
{
    const kn_lattice *l = kn_env_lattice(env->driver);

    for (size_t i = 0; i < l->n; i++)
        if (levels[i] > l->top[i])
            return kn_fail(ctx_of(env), KANON_E_INVALID,
                           "algorithm '%s': level %u of quasi-identifier %zu, expected at most %u",
                           env->own->class.info.name, levels[i], i + 1, l->top[i]);
    return KANON_OK;
}

kanon_status
kanon_search_check_many(kanon_search_env *env, const uint8_t *levels, size_t count,
                        kanon_score *scores)
{
    kanon_status rc = env->failed;
    size_t       n = kanon_search_columns(env);
    void        *room = env->scores;

    for (size_t i = 0; i < count; i++)
        scores[i] = (kanon_score){ sizeof *scores, 0, UINT64_MAX, (double) INFINITY };
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < count; i++)
        KN_TRY(check_bounds(env, levels + i * n));
    KN_TRY(kn_grow(ctx_of(env), &room, &env->room, count, sizeof *env->scores));
    env->scores = room;
    KN_TRY(kn_env_check_many(env->driver, levels, count, env->scores));
    for (size_t i = 0; i < count; i++)
        if (env->scores[i].feasible) {
            scores[i].feasible = 1;
            scores[i].suppressed = env->scores[i].outlying;
            scores[i].loss = env->scores[i].loss;
        }
out:
    return rc < 0 ? keep_failure(env, rc) : rc;
}

kanon_status
kanon_search_check(kanon_search_env *env, const uint8_t *levels, kanon_score *score)
{
    return kanon_search_check_many(env, levels, 1, score);
}

double
kanon_search_bound(const kanon_search_env *env, const uint8_t *levels)
{
    const kn_lattice *l = kn_env_lattice(env->driver);

    return kn_node_below(l->n, levels, l->top) ? kn_env_bound(env->driver, levels) : 0;
}

double
kanon_search_best(const kanon_search_env *env, uint8_t *levels)
{
    const uint8_t *node = kn_env_best_node(env->driver);

    if (!node)
        return (double) INFINITY;
    if (levels)
        memcpy(levels, node, kanon_search_columns(env));
    return kn_env_best(env->driver);
}

uint64_t
kanon_search_evaluations(const kanon_search_env *env)
{
    return kn_env_evaluations(env->driver);
}

uint64_t
kanon_search_random(kanon_search_env *env, uint64_t below)
{
    return below ? kn_rng_below(kn_env_rng(env->driver), below) : 0;
}

void *
kanon_search_alloc(kanon_search_env *env, size_t bytes)
{
    void *block = kn_arena_alloc(&env->arena, bytes ? bytes : 1);

    if (block)
        memset(block, 0, bytes);
    else
        keep_failure(env, KANON_E_NOMEM);
    return block;
}

void *
kanon_search_user(const kanon_search_env *env)
{
    return env->own->theirs.user;
}

kanon_status
kanon_search_fail(kanon_search_env *env, kanon_status status, const char *text)
{
    if (env->failed != KANON_OK)
        return env->failed;
    if (!is_status(status) || status == KANON_OK)
        status = KANON_E_INVALID;
    return keep_failure(env, kn_fail(ctx_of(env), status, "algorithm '%s': %s",
                                     env->own->class.info.name, text ? text : "failed"));
}

/* --- adding one -------------------------------------------------------------------------------------- */

const kn_algorithm *
kn_algorithm_known(const kanon_config *config, size_t index)
{
    size_t count = 0;

    while (kn_algorithm_at(count))
        count++;
    if (index < count)
        return kn_algorithm_at(index);
    return index - count < config->nalgorithms ? config->algorithms[index - count] : NULL;
}

const kn_algorithm *
kn_algorithm_named(const kanon_config *config, const char *name)
{
    const kn_algorithm *a;

    for (size_t i = 0; (a = kn_algorithm_known(config, i)); i++)
        if (strcmp(a->info->name, name) == 0)
            return a;
    return NULL;
}

static bool
is_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

    return length > 0 && length <= NAME_MOST && !name[length];
}

static kanon_status
check_class(const kanon_config *config, const kanon_search_class *c)
{
    kanon_ctx *ctx = config->ctx;

    if (c->size != sizeof *c || c->version != KANON_PLUGIN_VERSION)
        return kn_fail(ctx, KANON_E_UNSUPPORTED,
                       "algorithm: its class has size %u and version %u, expected %zu and %u; "
                       "build it with the headers of this library",
                       c->size, c->version, sizeof *c, KANON_PLUGIN_VERSION);
    if (!c->name || !c->name[0])
        return kn_fail(ctx, KANON_E_INVALID, "algorithm: its class has no name");
    if (!is_name(c->name))
        return kn_fail(ctx, KANON_E_INVALID,
                       "algorithm '%.*s': expected a name of at most %d letters a to z, digits, - "
                       "and _",
                       NAME_MOST, c->name, NAME_MOST);
    if (kn_algorithm_named(config, c->name))
        return kn_fail(ctx, KANON_E_INVALID, "algorithm '%s': the name is taken", c->name);
    if (!c->step)
        return kn_fail(ctx, KANON_E_INVALID, "algorithm '%s': its class has no step", c->name);
    if (c->state_size > STATE_MOST)
        return kn_fail(ctx, KANON_E_INVALID,
                       "algorithm '%s': state_size is %zu bytes, expected at most %zu", c->name,
                       c->state_size, STATE_MOST);
    if (c->traits & ~TRAITS)
        return kn_fail(ctx, KANON_E_INVALID,
                       "algorithm '%s': traits are %u, expected some of KANON_TRAIT_ANYTIME, "
                       "_RANDOM and _MONOTONE",
                       c->name, c->traits);
    return KANON_OK;
}

/* A copy of a text; NULL becomes the empty one. */
static const char *
copy_text(kanon_config *config, const char *text)
{
    return kn_arena_text(&config->arena, kn_str_of(text ? text : ""));
}

static bool
is_param(const kanon_param *p)
{
    return p->type && p->fallback
        && (strcmp(p->type, "integer") == 0 || strcmp(p->type, "number") == 0
            || strchr(p->type, '|'))
        && p->min <= p->max;
}

static kanon_status
copy_params(kanon_config *config, const kanon_search_class *c, const kanon_param **out)
{
    kanon_param *copy;
    size_t       count = 0;

    while (c->params && count < KN_PARAMS_MOST && c->params[count].name)
        count++;
    if (count == KN_PARAMS_MOST)
        return kn_fail(config->ctx, KANON_E_INVALID,
                       "algorithm '%s': %d parameters or more, expected fewer and a NULL name at "
                       "the end",
                       c->name, KN_PARAMS_MOST);
    copy = kn_arena_alloc(&config->arena, (count + 1) * sizeof *copy);
    if (!copy)
        return KANON_E_NOMEM;
    memset(copy, 0, (count + 1) * sizeof *copy);
    for (size_t i = 0; i < count; i++) {
        const kanon_param *p = &c->params[i];

        if (!is_param(p))
            return kn_fail(config->ctx, KANON_E_INVALID,
                           "algorithm '%s': param %s: expected the type integer, number or words "
                           "with | between them, min <= max, and a default",
                           c->name, p->name);
        copy[i] = (kanon_param){
            copy_text(config, p->name),     copy_text(config, p->type), p->min, p->max,
            copy_text(config, p->fallback), copy_text(config, p->help)
        };
        if (!copy[i].name || !copy[i].type || !copy[i].fallback || !copy[i].help)
            return KANON_E_NOMEM;
    }
    *out = copy;
    return KANON_OK;
}

static kanon_status
copy_class(kanon_config *config, const kanon_search_class *c, own_search *own)
{
    kanon_status     rc = KANON_OK;
    kanon_algorithm *info = &own->class.info;
    double           values[KN_PARAMS_MOST];

    own->theirs = *c;
    info->name = copy_text(config, c->name);
    info->summary = copy_text(config, c->summary);
    info->reference = "";
    info->traits = c->traits;
    if (!info->name || !info->summary)
        return KANON_E_NOMEM;
    KN_TRY(copy_params(config, c, &info->params));
    KN_TRY(kn_params_parse(config->ctx, info, NULL, 0, values)); /* are the defaults sound? */
    own->class.state_size = sizeof(own_state) + c->state_size;
    own->class.init = init;
    own->class.step = step;
    own->class.fini = fini;
    own->algorithm = kn_algorithm_of_search(&own->class);
out:
    return rc;
}

kanon_status
kanon_config_add_algorithm(kanon_config *config, const kanon_search_class *algorithm)
{
    kanon_status rc = KANON_OK;
    own_search  *own;
    void        *list;

    if (!config)
        return KANON_E_INVALID;
    if (!algorithm)
        return kn_fail(config->ctx, KANON_E_INVALID,
                       "kanon_config_add_algorithm: a class is required");
    list = config->algorithms;
    KN_TRY(check_class(config, algorithm));
    own = kn_arena_alloc(&config->arena, sizeof *own);
    if (!own)
        return KANON_E_NOMEM;
    memset(own, 0, sizeof *own);
    KN_TRY(copy_class(config, algorithm, own));
    KN_TRY(kn_grow(config->ctx, &list, &config->algorithms_capacity, config->nalgorithms + 1,
                   sizeof *config->algorithms));
    config->algorithms = list;
    config->algorithms[config->nalgorithms++] = &own->algorithm;
out:
    return rc;
}
