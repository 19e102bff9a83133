/* SPDX-License-Identifier: Apache-2.0 */
/* pick.c -- is a point of a front still what the front says? Only the same bytes under the same hierarchies
 * make the release that was promised. */
#include "problem/pick.h"

#include "base/text.h"
#include "io/hash.h"

/* Of each group of a level that the table has values in, its place among those. A population that joined may
 * have groups of its own. */
static void
number_groups(const kn_level *level, const uint64_t *rows, size_t nvalues, uint32_t *numbers)
{
    uint32_t count = 0;

    memset(numbers, 0, level->ngroups * sizeof *numbers);
    for (size_t leaf = 0; leaf < nvalues; leaf++)
        if (rows[leaf])
            numbers[level->group_of[leaf]] = 1;
    for (size_t g = 0; g < level->ngroups; g++)
        if (numbers[g])
            numbers[g] = ++count;
}

kanon_status
kn_pick_print(const kn_problem *p, size_t quasi, char out[KN_PRINT_TEXT])
{
    kanon_status           rc = KANON_OK;
    const kanon_hierarchy *h = p->hierarchies[quasi];
    kn_domain              domain = kn_problem_domain(p, quasi);
    uint32_t              *numbers = KN_NEW_ARRAY(p->ctx, uint32_t, h->nleaves + 1);
    kn_hash                hash;
    uint8_t                digest[KN_HASH_BYTES];

    if (!numbers)
        return KANON_E_NOMEM;
    KN_TRY(kn_hash_init(p->ctx, &hash));
    for (size_t level = 0; level < h->nlevels; level++) {
        number_groups(&h->levels[level], domain.rows, h->ndata, numbers);
        for (size_t leaf = 0; leaf < h->ndata; leaf++) {
            uint32_t group = numbers[h->levels[level].group_of[leaf]];
            uint8_t  bytes[4] = { (uint8_t) group, (uint8_t) (group >> 8), (uint8_t) (group >> 16),
                                  (uint8_t) (group >> 24) };

            if (domain.rows[leaf])
                kn_hash_add(&hash, bytes, sizeof bytes);
        }
    }
    kn_hash_end(&hash, digest);
    kn_hash_hex(digest, (KN_PRINT_TEXT - 1) / 2, out);
out:
    kn_free(p->ctx, numbers);
    return rc;
}

static kanon_status
refuse(const kn_problem *p, const char *what, const char *name)
{
    return kn_fail_at(
        p->ctx, KANON_E_INVALID, p->config->pick->file, 0,
        "%s%s%s: the point belongs to another problem; make the front again with `kanon pareto`",
        what, name ? " " : "", name ? name : "");
}

static kanon_status
check_column(const kn_problem *p, size_t quasi, const kn_pick_column *column)
{
    char         print[KN_PRINT_TEXT];
    unsigned     height = (unsigned) (p->hierarchies[quasi]->nlevels - 1);
    kanon_status rc = kn_pick_print(p, quasi, print);

    if (rc < 0)
        return rc;
    if (column->height != height)
        return kn_fail_at(p->ctx, KANON_E_INVALID, p->config->pick->file, 0,
                          "the hierarchy of '%s' has %u levels here and %u in the front; make the "
                          "front again with `kanon pareto`",
                          column->name, height, column->height);
    if (strcmp(column->print, print) != 0)
        return refuse(p, "another hierarchy than in the front for column", column->name);
    if (column->level < p->lattice.low[quasi] || column->level > p->lattice.top[quasi])
        return kn_fail_at(p->ctx, KANON_E_INVALID, p->config->pick->file, 0,
                          "point %zu has '%s' at level %u, which level, min-level or max-level do "
                          "not allow; pick another point, or change them",
                          p->config->pick->number, column->name, (unsigned) column->level);
    return KANON_OK;
}

/* The k of a config that a front was made with is the most usual case: it stays a demand, so that nobody gets
 * less than his config says without having said so. */
static kanon_status
refuse_k(const kn_problem *p)
{
    const kn_pick     *pick = p->config->pick;
    unsigned long long has = pick->k, asked = p->config->k;

    return kn_fail_at(p->ctx, KANON_E_INVALID, p->config->k_at.file, p->config->k_at.line,
                      "k is %llu here, but point %zu of %s reaches only k = %llu; pick a point "
                      "that reaches %llu, or accept it with -k %llu",
                      asked, pick->number, pick->file, has, asked, has);
}

static void
add_name(kn_text *names, bool given, const char *name)
{
    if (given)
        kn_text_addf(names, "%s%s", names->len ? ", " : "", name);
}

kanon_status
kn_pick_levels(const kn_problem *p, uint8_t *levels)
{
    const kn_pick *pick = p->config->pick;
    char           hex[2 * KN_HASH_BYTES + 1];

    kn_hash_hex(p->learned->hash, KN_HASH_BYTES, hex);
    if (strcmp(hex, pick->input) != 0)
        return refuse(p, "made from another table than", p->source->name);
    if (pick->ncolumns != p->learned->nquasi)
        return refuse(p, "other quasi-identifiers than in the front", NULL);
    for (size_t i = 0; i < pick->ncolumns; i++) {
        const char  *name = p->learned->names[p->learned->columns[i].position];
        kanon_status rc;

        if (strcmp(pick->columns[i].name, name) != 0)
            return refuse(p, "other quasi-identifiers than in the front, such as", name);
        rc = check_column(p, i, &pick->columns[i]);
        if (rc < 0)
            return rc;
        levels[i] = (uint8_t) pick->columns[i].level;
    }
    if (p->config->k > pick->k)
        return refuse_k(p);
    if (p->config->k < pick->k)
        kn_warn(p->ctx, KN_FOUND_PICKED_K, kn_at_setting("k"),
                "point %zu of %s reaches k = %llu; with k = %llu no more than that is required, so "
                "smaller classes may stay in the release",
                pick->number, pick->file, (unsigned long long) pick->k,
                (unsigned long long) p->config->k);
    return KANON_OK;
}

void
kn_pick_warn_changed(const kn_problem *p)
{
    const kn_pick *pick = p->config->pick;
    kn_text        now;

    kn_text_init(&now, p->ctx);
    for (size_t i = 0; i < pick->nsettings; i++) {
        const char *name = pick->settings[i].key, *before = pick->settings[i].value, *told;

        now.len = 0;
        kn_setting_tell(p->config, name, &now);
        told = now.len ? now.ptr : "";
        if (kn_text_status(&now) == KANON_OK && strcmp(told, before) != 0)
            kn_warn(
                p->ctx, KN_FOUND_PICKED_SETTING, kn_at_setting(name),
                "%s is %s here, and %s where point %zu of %s was found, so the release may not be "
                "what the front promises",
                name, *told ? told : "not given", *before ? before : "not given", pick->number,
                pick->file);
    }
    kn_text_fini(&now);
}

void
kn_pick_warn_rows(const kn_problem *p, uint64_t suppressed)
{
    const kn_pick *pick = p->config->pick;

    if (pick->suppressed != UINT64_MAX && pick->suppressed != suppressed)
        kn_warn(p->ctx, KN_FOUND_PICKED_ROWS, kn_at_setting("from"),
                "%llu rows are suppressed, and %llu at point %zu of %s",
                (unsigned long long) suppressed, (unsigned long long) pick->suppressed,
                pick->number, pick->file);
}

void
kn_pick_warn_unused(const kn_problem *p)
{
    const kanon_config *config = p->config;
    const kn_pick      *pick = config->pick;
    bool                weighted = false;
    kn_text             names;

    for (size_t i = 0; i < config->nattributes; i++) /* those of the front itself are no surprise */
        weighted |= config->attributes[i].has_weight
                 && !(config->weight_at.file && strcmp(config->weight_at.file, pick->file) == 0);
    kn_text_init(&names, p->ctx);
    add_name(&names, strcmp(config->algorithm, "auto") != 0, "algorithm");
    add_name(&names, config->metric != NULL, "metric");
    add_name(&names, config->nparams > 0, "param");
    add_name(&names, config->has_time_limit, "time-limit");
    add_name(&names, weighted, "weight");
    if (names.len)
        kn_warn(p->ctx, KN_FOUND_IDLE_SETTING, kn_at_setting(names.ptr),
                "%s: has no effect, because the levels are those of point %zu of %s" KN_DO
                "leave out --from and --pick to use it",
                names.ptr, pick->number, pick->file);
    kn_text_fini(&names);
}
