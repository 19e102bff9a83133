/* SPDX-License-Identifier: Apache-2.0 */
/* cautions.c -- values that are one value in two spellings, a person's number in plain sight, columns that
 * are there twice. Nothing is computed differently for it; no value is told. */
#include "problem/cautions.h"

#include "base/fill.h"
#include "encode/twins.h"

/* --- spellings ----------------------------------------------------------------------------------- */

static bool
is_entity(const kn_problem *p, size_t column)
{
    const kn_learned *learned = p->learned;
    const char       *entity = kn_config_entity(p->config);

    return entity
        && strcmp(learned->names[learned->columns[learned->nquasi + column].position], entity) == 0;
}

/* Does a model count its values? */
static bool
is_counted(const kn_problem *p, size_t column)
{
    const kn_attribute *attribute = p->attributes[p->learned->nquasi + column];

    return is_entity(p, column)
        || (attribute && attribute->role == KN_ROLE_SENSITIVE
            && kn_config_asks(p->config, KN_OF_SENSITIVE));
}

static kanon_status
warn_spellings(const kn_problem *p, const kn_domain *domain, kn_spellings found, bool persons)
{
    kanon_status rc;
    kn_text      text;

    kn_text_init(&text, p->ctx);
    KN_FILL(&text, "{}{} of its {}", kn_as_is(found.sample ? "at least " : ""),
            kn_as_count(found.values), kn_as_count(domain->count));
    rc = kn_text_status(&text);
    if (rc == KANON_OK)
        kn_warn(p->ctx, KN_FOUND_SPELLINGS, kn_at_column(domain->column),
                "column '%s': %s values differ from another one only in blanks, in case or in the "
                "format of a number or date; %s" KN_DO "use one spelling for each value",
                domain->column, text.ptr,
                persons ? "every spelling counts as a person"
                        : "to a privacy model they are distinct");
    kn_text_fini(&text);
    return rc;
}

kanon_status
kn_caution_spellings(kn_problem *p)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = p->learned;

    p->models.spellings = KN_NEW_ARRAY(p->ctx, kn_spellings, learned->nsensitive);
    if (!p->models.spellings)
        return KANON_E_NOMEM;
    for (size_t s = 0; s < learned->nsensitive; s++) {
        kn_domain     domain = kn_learned_domain(learned, learned->nquasi + s, p->source->name,
                                                 p->config->k);
        kn_spellings *found = &p->models.spellings[s];

        if (!is_counted(p, s))
            continue;
        KN_TRY(kn_twins_count(p->ctx, &domain, &found->values, &found->sample));
        if (found->values)
            KN_TRY(warn_spellings(p, &domain, *found, is_entity(p, s)));
    }
out:
    return rc;
}

/* --- persons ------------------------------------------------------------------------------------- */

kanon_status
kn_caution_entity(const kn_problem *p)
{
    const char  *entity = kn_config_entity(p->config);
    kanon_status rc;
    kn_text      option;

    if (!entity || kn_config_hides(p->config, kn_str_of(entity)))
        return KANON_OK;
    kn_text_init(&option, p->ctx);
    kn_plain_column(&option, entity, "");
    rc = kn_text_status(&option);
    if (rc == KANON_OK)
        kn_warn(p->ctx, KN_FOUND_SHOWN_PERSONS, kn_at_column(entity),
                "entity: column '%s' identifies persons and is released unchanged" KN_DO
                "make it an identifier, which counts as before: --id %s",
                entity, option.ptr);
    kn_text_fini(&option);
    return rc;
}

/* --- columns that are there twice ---------------------------------------------------------------- */

static kn_role
role_of(const kn_problem *p, size_t position)
{
    return kn_config_role(p->config, kn_str_of(p->learned->names[position]));
}

/* twin: where the names that read alike begin, for each column. guard: the first protected column of those */
static void
warn_twins(const kn_problem *p, const uint32_t *twin, uint32_t *guard)
{
    char **names = p->learned->names;

    for (uint32_t c = 0; c < p->learned->ncolumns; c++)
        guard[c] = KN_NO_CODE;
    for (uint32_t c = 0; c < p->learned->ncolumns; c++)
        if (guard[twin[c]] == KN_NO_CODE && role_of(p, c) != KN_ROLE_INSENSITIVE
            && role_of(p, c) != KN_ROLE_NONE)
            guard[twin[c]] = c;
    for (uint32_t c = 0; c < p->learned->ncolumns; c++) {
        uint32_t other = guard[twin[c]];

        if (other == KN_NO_CODE || role_of(p, c) != KN_ROLE_NONE)
            continue;
        kn_warn(p->ctx, KN_FOUND_TWIN_COLUMN, kn_at_column(names[c]),
                "column '%s' is released unchanged, but its name differs only in blanks or case "
                "from '%s', which has the role %s" KN_DO
                "give it that role too, unless it says something else",
                names[c], names[other], kn_role_name(role_of(p, other)));
    }
}

kanon_status
kn_caution_twins(const kn_problem *p)
{
    kanon_status rc = KANON_OK;
    size_t       count = p->learned->ncolumns;
    kn_str      *names = KN_NEW_ARRAY(p->ctx, kn_str, count);
    uint32_t    *twin = KN_NEW_ARRAY(p->ctx, uint32_t, 2 * count);
    kn_domain    domain = { .count = count, .values = names, .missing = KN_NO_CODE };
    bool         sample;

    if (p->config->others != KN_OTHERS_KEEP)
        goto out;
    KN_TRY(KN_HAVE(names && twin));
    for (size_t i = 0; i < count; i++)
        names[i] = kn_str_of(p->learned->names[i]);
    KN_TRY(kn_twins_find(p->ctx, &domain, KN_FOLD_NAME, twin, &sample));
    warn_twins(p, twin, twin + count);
out:
    kn_free(p->ctx, names);
    kn_free(p->ctx, twin);
    return rc;
}
