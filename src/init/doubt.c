/* SPDX-License-Identifier: Apache-2.0 */
/* doubt.c -- roles that a column does not look like, as warnings: of a job before it releases anything, of a
 * check when it may be too late. */
#include <assert.h>

#include "base/plain.h"
#include "init/recognise.h"

/* Columns that are doubted one by one. */
enum { DOUBTED_MOST = 30 };

static const char *
option_of(kn_role role)
{
    static const char *const options[] = { [KN_ROLE_IDENTIFIER] = "--id",
                                           [KN_ROLE_QUASI] = "--qi",
                                           [KN_ROLE_SENSITIVE] = "--sensitive",
                                           [KN_ROLE_INSENSITIVE] = "--insensitive" };

    assert(role != KN_ROLE_NONE && (size_t) role < KN_COUNT(options));
    return options[role];
}

static kanon_status
doubt_column(kanon_ctx *ctx, const kn_evidence *evidence, kn_role role, const kn_proposal *proposal)
{
    kanon_status rc;
    kn_text      text;

    kn_text_init(&text, ctx);
    kn_text_addf(&text, "column '%.*s' has %s%s, but ", KN_ARG(evidence->name),
                 role == KN_ROLE_NONE ? "no role" : "the role ",
                 role == KN_ROLE_NONE ? "" : kn_role_name(role));
    kn_proposal_reason(evidence, proposal, &text);
    kn_text_addf(&text, "; should the role be %s? %s ", kn_role_name(proposal->role),
                 option_of(proposal->role));
    kn_plain_column(&text, evidence->name.ptr, "");
    rc = kn_text_status(&text);
    if (rc == KANON_OK)
        kn_warn(ctx, KN_FOUND_DOUBTFUL_ROLE, kn_at_column(evidence->name.ptr), "%s", text.ptr);
    kn_text_fini(&text);
    return rc;
}

kanon_status
kn_doubt_role(kn_doubts *doubts, const kn_evidence *evidence, kn_role role)
{
    kn_proposal proposal;

    if (!kn_contradicts(evidence, role, &proposal) || doubts->count++ >= DOUBTED_MOST)
        return KANON_OK;
    return doubt_column(doubts->ctx, evidence, role, &proposal);
}

void
kn_doubts_end(const kn_doubts *doubts)
{
    if (doubts->count > DOUBTED_MOST)
        kn_warn(doubts->ctx, KN_FOUND_DOUBTFUL_ROLE, KN_AT_JOB,
                "%zu more columns do not look like their roles; compare the config with what "
                "`kanon init` proposes",
                doubts->count - DOUBTED_MOST);
}
