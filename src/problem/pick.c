/* SPDX-License-Identifier: Apache-2.0 */
/* pick.c -- is a point of a front still what the front says? Only the same bytes under the same hierarchies
 * make the release that was promised. */
#include "problem/pick.h"

#include "base/text.h"
#include "io/hash.h"

kanon_status
kn_pick_print(kanon_ctx *ctx, const kanon_hierarchy *h, char out[KN_PRINT_TEXT])
{
    kn_hash      hash;
    uint8_t      digest[KN_HASH_BYTES];
    kanon_status rc = kn_hash_init(ctx, &hash);

    if (rc < 0)
        return rc;
    for (size_t level = 0; level < h->nlevels; level++)
        for (size_t leaf = 0; leaf < h->ndata; leaf++) {
            uint32_t group = h->levels[level].group_of[leaf];
            uint8_t  bytes[4] = { (uint8_t) group, (uint8_t) (group >> 8), (uint8_t) (group >> 16),
                                  (uint8_t) (group >> 24) };

            kn_hash_add(&hash, bytes, sizeof bytes);
        }
    kn_hash_end(&hash, digest);
    kn_hash_hex(digest, (KN_PRINT_TEXT - 1) / 2, out);
    return KANON_OK;
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
    kanon_status rc = kn_pick_print(p->ctx, p->hierarchies[quasi], print);

    if (rc < 0)
        return rc;
    if (column->height != p->lattice.top[quasi])
        return kn_fail_at(p->ctx, KANON_E_INVALID, p->config->pick->file, 0,
                          "the hierarchy of '%s' has %u levels here and %u in the front; make the "
                          "front again with `kanon pareto`",
                          column->name, p->lattice.top[quasi], column->height);
    if (strcmp(column->print, print) != 0)
        return refuse(p, "another hierarchy than in the front for column", column->name);
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
                "point %zu of %s reaches k = %llu; with k = %llu fewer rows are suppressed than in "
                "the front",
                pick->number, pick->file, (unsigned long long) pick->k,
                (unsigned long long) p->config->k);
    return KANON_OK;
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
                "%s: has no effect, because the levels are those of point %zu of %s; it applies "
                "without --from and --pick",
                names.ptr, pick->number, pick->file);
    kn_text_fini(&names);
}
