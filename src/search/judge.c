/* SPDX-License-Identifier: Apache-2.0 */
/* judge.c -- groups the tuples at a node plainly, lets the jury judge the classes, and sums up.
 * Cost: O(tuples * columns) for the classes, O(entries) per column that a model looks at. */
#include "search/judge.h"

struct kn_judge {
    kanon_ctx       *ctx;
    kn_judge_problem p;
    kn_workspace    *ws;
    kn_jury         *jury;
    uint8_t         *holds;
    kn_histogram     labels;
    uint64_t       **lost; /* [quasi][group] */
};

static size_t
most_ids(const kn_judge_problem *p)
{
    return kn_workspace_ids(p->view, kn_privacy_most_classes(p->privacy, p->view->rows));
}

size_t
kn_judge_bytes(const kn_judge_problem *p)
{
    size_t bytes = kn_workspace_bytes(p->view, kn_privacy_most_classes(p->privacy, p->view->rows));

    bytes += most_ids(p) * (sizeof(size_t) + 1) + p->view->ntuples * sizeof(uint32_t);
    if (p->privacy->people)
        bytes += kn_workspace_bytes(&p->privacy->people->view, SIZE_MAX);
    return bytes;
}

static kanon_status
reserve_lost(kn_judge *judge)
{
    size_t n = judge->p.view->nquasi;

    judge->lost = kn_alloc_array(judge->ctx, n, sizeof *judge->lost);
    if (!judge->lost)
        return KANON_E_NOMEM;
    for (size_t i = 0; (judge->p.want & KN_WANT_LOST) && i < n; i++) {
        judge->lost[i] = KN_NEW_ARRAY(judge->ctx, uint64_t, judge->p.view->axes[i].ncodes + 1);
        if (!judge->lost[i])
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

kanon_status
kn_judge_new(kanon_ctx *ctx, const kn_judge_problem *problem, kn_judge **out)
{
    kanon_status    rc = KANON_OK;
    kn_judge       *judge = KN_NEW(ctx, kn_judge);
    const kn_table *table = problem->scale->table;
    size_t          classes = kn_privacy_most_classes(problem->privacy, problem->view->rows);

    *out = NULL;
    if (!judge)
        return KANON_E_NOMEM;
    *judge = (kn_judge){ .ctx = ctx, .p = *problem };
    KN_TRY(kn_workspace_new(ctx, problem->view, classes, &judge->ws));
    KN_TRY(kn_jury_new(ctx, problem->privacy, table, &judge->jury));
    KN_TRY(kn_jury_reserve(judge->jury, most_ids(problem)));
    judge->holds = KN_NEW_ARRAY(ctx, uint8_t, most_ids(problem));
    KN_TRY(KN_HAVE(judge->holds));
    if (problem->want & KN_WANT_LABELS)
        KN_TRY(kn_histogram_init(&judge->labels, ctx, problem->scale->label_domain));
    KN_TRY(reserve_lost(judge));
    *out = judge;
    judge = NULL; /* moved: the caller owns it now */
out:
    kn_judge_free(judge);
    return rc;
}

void
kn_judge_free(kn_judge *judge)
{
    if (!judge)
        return;
    for (size_t i = 0; judge->lost && i < judge->p.view->nquasi; i++)
        kn_free(judge->ctx, judge->lost[i]);
    kn_free(judge->ctx, judge->lost);
    kn_free(judge->ctx, judge->holds);
    kn_histogram_fini(&judge->labels);
    kn_jury_free(judge->jury);
    kn_workspace_free(judge->ws);
    kn_free(judge->ctx, judge);
}

/* Where the outlying rows are, column by column. */
static void
count_lost(kn_judge *judge, const uint8_t *node, const kn_grouping *g)
{
    const kn_view *view = judge->p.view;

    for (size_t i = 0; i < view->nquasi; i++) {
        const kn_coarse *coarse = &judge->p.coarse[i];
        uint64_t        *lost = judge->lost[i];

        memset(lost, 0, coarse->ngroups[node[i]] * sizeof *lost);
        for (size_t t = 0; t < view->ntuples; t++)
            if (!g->holds[g->class_of[t]])
                lost[kn_coarse_at(coarse, node[i], kn_codes_at(&view->codes[i], t))] +=
                    view->weights[t];
    }
}

/* Released rows off their class's most frequent label. */
static uint64_t
count_off_label(kn_judge *judge, const kn_grouping *g)
{
    uint64_t off = 0;

    for (size_t id = 0; id < g->nids; id++) {
        uint64_t most = 0;

        if (!g->sizes[id] || !g->holds[id])
            continue;
        kn_histogram_fill(&judge->labels, judge->p.scale->table, judge->p.scale->label,
                          kn_jury_classes(judge->jury), id);
        for (size_t i = 0; i < judge->labels.nseen; i++)
            most = judge->labels.counts[judge->labels.seen[i]] > most
                     ? judge->labels.counts[judge->labels.seen[i]]
                     : most;
        kn_histogram_clear(&judge->labels);
        off += g->sizes[id] - most;
    }
    return off;
}

void
kn_judge_node(kn_judge *judge, const uint8_t *node, kn_counted *out)
{
    kn_grouping g;
    kn_verdict  verdict;

    memset(out, 0, sizeof *out);
    out->outlying = UINT64_MAX;
    kn_group(judge->ws, node, &g);
    if (!g.complete || !kn_jury_judge_within(judge->jury, node, &g, judge->holds))
        return;
    kn_privacy_judge(judge->p.privacy, &g, &verdict);
    out->complete = true;
    out->outlying = verdict.outlying;
    out->classes = verdict.classes;
    out->squares = verdict.squares;
    if ((judge->p.want & KN_WANT_LOST) && verdict.outlying)
        count_lost(judge, node, &g);
    out->lost = (const uint64_t *const *) judge->lost;
    if (judge->p.want & KN_WANT_LABELS)
        out->off_label = count_off_label(judge, &g);
}
