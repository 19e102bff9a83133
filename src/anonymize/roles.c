/* SPDX-License-Identifier: Apache-2.0 */
/* roles.c -- no column leaves without a decision: a table with columns that nobody gave a role is refused,
 * and the message says what each of them looks like; a role that a column does not look like is doubted. */
#include "anonymize/job.h"

#include "init/starter.h"

/* Columns that the message lists: more than anybody decides on one by one. */
enum { LISTED_MOST = 60, WIDTH_MOST = 44 };

static bool
lacks_role(const kn_job *job, size_t column)
{
    const kn_learned *learned = job->problem.learned;

    return kn_config_role(job->problem.config, kn_str_of(learned->names[column])) == KN_ROLE_NONE;
}

/* How wide the part before the reasons is. */
static size_t
line_width(const kn_job *job)
{
    const kn_learned *learned = job->problem.learned;
    size_t            widest = 0;

    for (size_t c = 0, listed = 0; c < learned->ncolumns && listed < LISTED_MOST; c++)
        if (lacks_role(job, c)) {
            size_t width = kn_utf8_count(kn_str_of(learned->names[c]))
                         + sizeof ": {role: insensitive}" - 1;

            widest = width > widest ? width : widest;
            listed++;
        }
    return widest > WIDTH_MOST ? WIDTH_MOST : widest;
}

/* One line for each column, as a config takes it. */
static kanon_status
list_columns(const kn_job *job, size_t count, kn_text *text)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = job->problem.learned;
    size_t            width = line_width(job), listed = 0;

    for (size_t c = 0; c < learned->ncolumns && listed < LISTED_MOST; c++) {
        kn_evidence evidence;

        if (!lacks_role(job, c))
            continue;
        KN_TRY(kn_evidence_learned(learned, c, &evidence));
        text->len = 0;
        kn_starter_line(&evidence, width, text);
        KN_TRY(kn_text_status(text));
        KN_TRY(kn_fail_detail(job->ctx, text->ptr));
        listed++;
    }
    if (listed == count)
        return KANON_OK;
    text->len = 0;
    kn_text_addf(text, "and %zu more columns: `kanon init` proposes a role for every column",
                 count - listed);
    KN_TRY(kn_text_status(text));
    KN_TRY(kn_fail_detail(job->ctx, text->ptr));
out:
    return rc;
}

kanon_status
kn_job_check_roles(const kn_job *job)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = job->problem.learned;
    size_t            count = 0;
    kn_text           text;

    if (job->problem.config->others != KN_OTHERS_REFUSE)
        return KANON_OK;
    for (size_t c = 0; c < learned->ncolumns; c++)
        count += lacks_role(job, c);
    if (!count)
        return KANON_OK;
    kn_text_init(&text, job->ctx);
    kn_fail_at(job->ctx, KANON_E_INVALID, job->problem.source->name, 0,
               "%zu of %zu columns ha%s no role, so nothing is released; add %s under "
               "`attributes:` of the config and check %s, or leave %s out with --others drop",
               count, learned->ncolumns, count == 1 ? "s" : "ve",
               count == 1 ? "this line" : "these lines", count == 1 ? "the role" : "each role",
               count == 1 ? "the column" : "the columns");
    rc = list_columns(job, count, &text);
    kn_text_fini(&text);
    return rc < 0 ? rc : KANON_E_INVALID;
}

/* --- roles that look wrong -------------------------------------------------------------------------- */

/* A quasi-identifier whose levels somebody chose, such as the networks of Internet addresses: a decision.
 * auto is none: `kanon init` writes it, and a later table may fill the column with names. */
static bool
is_decided(const kanon_config *config, kn_str name)
{
    const kn_attribute *attribute = kn_config_attribute(config, name);

    return attribute && attribute->role == KN_ROLE_QUASI && attribute->has_hierarchy
        && attribute->hierarchy.kind != KN_HIER_AUTO;
}

kanon_status
kn_job_doubt_roles(const kn_job *job)
{
    kanon_status        rc = KANON_OK;
    const kn_learned   *learned = job->problem.learned;
    const kanon_config *config = job->problem.config;
    kn_doubts           doubts = { .ctx = job->ctx };

    for (size_t c = 0; c < learned->ncolumns; c++) {
        kn_str      name = kn_str_of(learned->names[c]);
        kn_evidence evidence;

        if (kn_config_hides(config, name) || c == learned->count || is_decided(config, name))
            continue;
        KN_TRY(kn_evidence_learned(learned, c, &evidence));
        KN_TRY(kn_doubt_role(&doubts, &evidence, kn_config_role(config, name)));
    }
    kn_doubts_end(&doubts);
out:
    return rc;
}
