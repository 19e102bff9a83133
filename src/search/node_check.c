/* SPDX-License-Identifier: Apache-2.0 */
/* node_check.c -- groups the tuples at a node plainly, lets the checker of privacy/ judge the
 * classes, and sums up. Cost: O(tuples * columns) for the classes, O(entries) per column that a model
 * looks at. */
#include "search/node_check.h"

struct kn_node_check {
    kanon_ctx      *ctx;
    kn_node_problem p;
    kn_workspace   *ws;
    kn_checker     *checker;
    uint8_t        *holds;
    kn_histogram    labels;
    uint64_t      **lost; /* [quasi][group] */
};

static size_t
most_ids(const kn_node_problem *p)
{
    return kn_workspace_ids(p->view, kn_privacy_most_classes(p->privacy, p->view->rows));
}

size_t
kn_node_check_bytes(const kn_node_problem *p)
{
    size_t bytes = kn_workspace_bytes(p->view, kn_privacy_most_classes(p->privacy, p->view->rows));

    bytes += most_ids(p) * (sizeof(size_t) + 1) + p->view->ntuples * sizeof(uint32_t);
    if (p->privacy->people)
        bytes += kn_workspace_bytes(&p->privacy->people->view, SIZE_MAX);
    return bytes;
}

static kanon_status
reserve_lost(kn_node_check *check)
{
    size_t n = check->p.view->nquasi;

    check->lost = kn_alloc_array(check->ctx, n, sizeof *check->lost);
    if (!check->lost)
        return KANON_E_NOMEM;
    for (size_t i = 0; (check->p.want & KN_WANT_LOST) && i < n; i++) {
        check->lost[i] = KN_NEW_ARRAY(check->ctx, uint64_t, check->p.view->axes[i].ncodes + 1);
        if (!check->lost[i])
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

kanon_status
kn_node_check_new(kanon_ctx *ctx, const kn_node_problem *problem, kn_node_check **out)
{
    kanon_status    rc = KANON_OK;
    kn_node_check  *check = KN_NEW(ctx, kn_node_check);
    const kn_table *table = problem->scale->table;
    size_t          classes = kn_privacy_most_classes(problem->privacy, problem->view->rows);

    *out = NULL;
    if (!check)
        return KANON_E_NOMEM;
    *check = (kn_node_check){ .ctx = ctx, .p = *problem };
    KN_TRY(kn_workspace_new(ctx, problem->view, classes, &check->ws));
    KN_TRY(kn_checker_new(ctx, problem->privacy, table, &check->checker));
    KN_TRY(kn_checker_reserve(check->checker, most_ids(problem)));
    check->holds = KN_NEW_ARRAY(ctx, uint8_t, most_ids(problem));
    KN_TRY(KN_HAVE(check->holds));
    if (problem->want & KN_WANT_LABELS)
        KN_TRY(kn_histogram_init(&check->labels, ctx, problem->scale->label_domain));
    KN_TRY(reserve_lost(check));
    *out = check;
    check = NULL; /* moved: the caller owns it now */
out:
    kn_node_check_free(check);
    return rc;
}

void
kn_node_check_free(kn_node_check *check)
{
    if (!check)
        return;
    for (size_t i = 0; check->lost && i < check->p.view->nquasi; i++)
        kn_free(check->ctx, check->lost[i]);
    kn_free(check->ctx, check->lost);
    kn_free(check->ctx, check->holds);
    kn_histogram_fini(&check->labels);
    kn_checker_free(check->checker);
    kn_workspace_free(check->ws);
    kn_free(check->ctx, check);
}

/* Where the outlying rows are, column by column. */
static void
count_lost(kn_node_check *check, const uint8_t *node, const kn_grouping *g)
{
    const kn_view *view = check->p.view;

    for (size_t i = 0; i < view->nquasi; i++) {
        const kn_coarse *coarse = &check->p.coarse[i];
        uint64_t        *lost = check->lost[i];

        memset(lost, 0, coarse->ngroups[node[i]] * sizeof *lost);
        for (size_t t = 0; t < view->ntuples; t++)
            if (!g->holds[g->class_of[t]])
                lost[kn_coarse_at(coarse, node[i], kn_codes_at(&view->codes[i], t))] +=
                    view->weights[t];
    }
}

/* Released rows off their class's most frequent label. */
static uint64_t
count_off_label(kn_node_check *check, const kn_grouping *g)
{
    uint64_t off = 0;

    for (size_t id = 0; id < g->nids; id++) {
        uint64_t most = 0;

        if (!g->sizes[id] || !g->holds[id])
            continue;
        kn_histogram_fill(&check->labels, check->p.scale->table, check->p.scale->label,
                          kn_checker_classes(check->checker), id);
        for (size_t i = 0; i < check->labels.nseen; i++)
            most = check->labels.counts[check->labels.seen[i]] > most
                     ? check->labels.counts[check->labels.seen[i]]
                     : most;
        kn_histogram_clear(&check->labels);
        off += g->sizes[id] - most;
    }
    return off;
}

void
kn_node_check_run(kn_node_check *check, const uint8_t *node, kn_counted *out)
{
    kn_grouping g;
    kn_verdict  verdict;

    memset(out, 0, sizeof *out);
    out->outlying = UINT64_MAX;
    kn_group(check->ws, node, &g);
    if (!g.complete || !kn_checker_judge_within(check->checker, node, &g, check->holds))
        return;
    kn_privacy_judge(check->p.privacy, &g, &verdict);
    out->complete = true;
    out->outlying = verdict.outlying;
    out->classes = verdict.classes;
    out->squares = verdict.squares;
    if ((check->p.want & KN_WANT_LOST) && verdict.outlying)
        count_lost(check, node, &g);
    out->lost = (const uint64_t *const *) check->lost;
    if (check->p.want & KN_WANT_LABELS)
        out->off_label = count_off_label(check, &g);
}
