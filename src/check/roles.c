/* SPDX-License-Identifier: Apache-2.0 */
/* roles.c -- k says nothing of columns that are no quasi-identifiers: those among them that look like names,
 * addresses or dates of birth are told. The quasi-identifiers are left alone, since what a release has of
 * them may be labels. */
#include "base/plain.h"
#include "check/checked.h"
#include "init/recognise.h"
#include "problem/columns.h"

/* Columns that are named. */
enum { NAMED_MOST = 10 };

/* Has somebody decided about columns that k does not count? Who names quasi-identifiers alone asks for k. */
static bool
decides_others(const kanon_config *config)
{
    for (size_t i = 0; i < config->nattributes; i++)
        if (config->attributes[i].role == KN_ROLE_IDENTIFIER
            || config->attributes[i].role == KN_ROLE_INSENSITIVE)
            return true;
    return false;
}

static bool
is_forgotten(const kn_check_table *table, const kanon_config *config, const kn_rows *rows,
             size_t further)
{
    kn_str name = kn_rows_names(rows)[table->further[further]];

    return kn_config_role(config, name) == KN_ROLE_NONE;
}

/* Then a column without a role was forgotten, whatever it looks like. */
static kanon_status
tell_forgotten(const kn_check_table *table, const kanon_config *config, const kn_rows *rows)
{
    size_t       count = 0, named = 0;
    kanon_status rc;
    kn_text      names;

    if (!decides_others(config))
        return KANON_OK;
    kn_text_init(&names, table->ctx);
    for (size_t i = 0; i < table->nfurther; i++)
        count += is_forgotten(table, config, rows, i);
    for (size_t i = 0; i < table->nfurther; i++)
        if (is_forgotten(table, config, rows, i)
            && kn_plain_item(&names, named++, count, NAMED_MOST))
            kn_text_add(&names, kn_rows_names(rows)[table->further[i]]);
    rc = kn_text_status(&names);
    if (rc == KANON_OK && count)
        kn_warn(table->ctx, KN_FOUND_NO_ROLE, KN_AT_JOB,
                "%zu column%s of the table ha%s no role: %s", count, count == 1 ? "" : "s",
                count == 1 ? "s" : "ve", names.ptr);
    kn_text_fini(&names);
    return rc;
}

kanon_status
kn_check_doubt_roles(const kn_check_table *table, const kanon_config *config, const kn_rows *rows,
                     kanon_check *check)
{
    kanon_status rc = KANON_OK;
    kn_str      *missing = NULL;
    kn_sampled   from = { .ctx = table->ctx, .sample = &table->cells };
    kn_doubts    doubts = { .ctx = table->ctx };

    KN_TRY(tell_forgotten(table, config, rows));
    KN_TRY(kn_missing_tokens(table->ctx, config, &missing));
    from.missing = missing;
    from.nmissing = config->nmissing;
    for (size_t i = 0; i < table->nfurther; i++) {
        const char *name = kn_arena_text(&check->arena, kn_rows_names(rows)[table->further[i]]);
        kn_evidence evidence = { .type = KN_TYPE_STRING };

        KN_TRY(KN_HAVE(name));
        evidence.name = kn_str_of(name);
        KN_TRY(kn_evidence_sampled(&from, i, kn_sketch_count(&table->sketches[i]), &evidence));
        KN_TRY(kn_doubt_role(&doubts, &evidence, kn_config_role(config, evidence.name)));
    }
    kn_doubts_end(&doubts);
out:
    kn_free(table->ctx, missing);
    return rc;
}
