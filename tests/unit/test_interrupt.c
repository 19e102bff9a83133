/* SPDX-License-Identifier: Apache-2.0 */
/* test_interrupt.c -- a search that is told "enough", at any time: it ends at once, and what it hands over is
 * a sound answer, the best that it has seen. For every search there is. */
#include "job_fixture.h"
#include "search_fixture.h"

/* The callback says "enough" from its n-th call in the search on, and watches what it is told. */
typedef struct listener {
    int    enough_at, calls;
    double said, best;
} listener;

static int
listen(void *user, const kanon_progress *progress)
{
    listener *l = user;

    if (strcmp(progress->stage, "search") != 0)
        return KANON_PROGRESS_GO_ON;
    l->best = progress->best;
    if (++l->calls < l->enough_at)
        return KANON_PROGRESS_GO_ON;
    if (l->calls == l->enough_at)
        l->said = kn_seconds();
    return KANON_PROGRESS_ENOUGH;
}

/* Twelve columns of many values: no search that is let run looks at all of it within a second. */
static void
open_listened(problem_fixture *f, listener *l, size_t rows)
{
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    kn_rng            rng;

    options.progress = listen;
    options.progress_user = l;
    problem_begin(f, &options);
    for (size_t c = 0; c < 12; c++) {
        char name[16];

        snprintf(name, sizeof name, "q%zu", c);
        problem_set(f, "qi", name);
        kn_text_addf(&f->csv, "%s%s", name, c < 11 ? "," : "\n");
    }
    kn_rng_init(&rng, 81, 0);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < 12; c++)
            kn_text_addf(&f->csv, "%llu%s", (unsigned long long) kn_rng_below(&rng, 900),
                         c < 11 ? "," : "\n");
    problem_open(f);
}

/* Whatever would end a search by itself is put off. */
static void
let_run(request *r)
{
    static const kn_setting never[] = { { "max-evaluations", "1e15" },
                                        { "max-nodes", "1e15" },
                                        { "stall", "1e9" },
                                        { "cycles", "1e9" },
                                        { "prune", "off" } };

    r->nparams = 0;
    for (size_t i = 0; i < KN_COUNT(never); i++)
        for (const kanon_param *p = r->search->info.params; p->name; p++)
            if (strcmp(p->name, never[i].key) == 0)
                r->params[r->nparams++] = never[i];
}

/* Feasible, within the floors, and as good as it says. */
static void
check_sound(const problem_fixture *f, const request *r, const kn_outcome *out)
{
    const kn_problem *p = &f->p;
    kn_workspace     *ws = NULL;
    kn_grouping       grouping;
    kn_measured       m;
    kn_column_loss    columns[16];

    CHECK(out->feasible);
    CHECK(kn_node_below(p->lattice.n, p->lattice.floor, out->levels));
    CHECK(kn_node_below(p->lattice.n, out->levels, p->lattice.top));
    CHECK_OK(f->ctx, kn_workspace_new(f->ctx, &p->view, SIZE_MAX, &ws));
    kn_group(ws, out->levels, &grouping);
    CHECK_OK(f->ctx, kn_measure(f->ctx, &(kn_judged){ &p->scale, &p->privacy, &grouping },
                                out->levels, &m, columns));
    CHECK(m.suppressed <= p->privacy.allowed);
    CHECK_EQ_U64(m.suppressed, out->score.outlying);
    CHECK_NEAR(*kn_metrics_find(&m.metrics, r->metric->info.name), out->score.loss, 1e-9);
    CHECK(out->lower_bound <= out->score.loss);
    kn_workspace_free(ws);
}

/* Some end before they are told to: datafly looks at a few nodes, and those that prove something may have
 * done so. All others end then, with the best they have told of or a better one. */
static bool
check_ended(const problem_fixture *f, const request *r, const listener *l)
{
    kn_outcome out;
    double     took;

    CHECK_OK(f->ctx, run(f, r, &out));
    took = kn_seconds() - l->said;
    check_sound(f, r, &out);
    if (l->calls < l->enough_at) {
        CHECK(strcmp(out.stopped, "interrupted") != 0);
        return false;
    }
    if (strcmp(out.stopped, "interrupted") != 0) /* it was at its last step */
        return false;
    CHECK(l->calls < l->enough_at + 2); /* nobody goes on as if nothing had been said */
    CHECK(took < 5);
    if (l->enough_at > 1)
        CHECK(!kn_loss_less(l->best, out.score.loss));
    CHECK(out.optimal == !kn_loss_less(out.lower_bound, out.score.loss));
    return true;
}

TEST(every_search_can_be_ended_with_its_best_so_far)
{
    listener        l = { 0 };
    problem_fixture f;
    size_t          ended[64] = { 0 }, late = 0;

    open_listened(&f, &l, 800);
    for (size_t i = 0; search_at(i); i++)
        for (unsigned threads = 1; threads <= 2; threads++)
            for (l.enough_at = 1; l.enough_at <= 3; l.enough_at++) {
                request r = { search_at(i), &kn_metric_glm, { { NULL, NULL } }, 0, 1, threads, 0 };

                let_run(&r);
                kn_progress(f.ctx,
                            &(kanon_progress){ .stage = "between" }); /* the next is told at once */
                l.calls = 0;
                if (check_ended(&f, &r, &l)) {
                    ended[i]++;
                    late += l.enough_at > 1;
                }
            }
    for (size_t i = 0; search_at(i); i++)
        CHECK(ended[i]
              >= 2); /* when it comes first of all, every one is ended: the top is the answer */
    CHECK(late >= 24);
    problem_close(&f);
}

/* The top is checked all the same, so there is an answer. */
TEST(enough_before_anything_is_known_gives_the_top)
{
    listener        l = { .enough_at = 1 };
    problem_fixture f;
    request         r = { &kn_search_kgen, &kn_metric_log, { { NULL, NULL } }, 0, 1, 2, 0 };
    kn_outcome      out;

    open_listened(&f, &l, 100);
    CHECK_OK(f.ctx, run(&f, &r, &out));
    CHECK(memcmp(out.levels, f.p.lattice.top, f.p.lattice.n) == 0);
    CHECK_EQ_U64(out.evaluations, 1);
    CHECK(!out.optimal && out.lower_bound < out.score.loss);
    CHECK_STR(out.stopped, "interrupted");
    problem_close(&f);
}

TEST(enough_does_not_make_a_table_feasible)
{
    listener        l = { .enough_at = 1 };
    problem_fixture f;
    request         r = { &kn_search_kgen, &kn_metric_log, { { NULL, NULL } }, 0, 1, 1, 0 };
    kn_outcome      out;

    open_listened(&f, &l, 3);
    CHECK_OK(f.ctx, run(&f, &r, &out));
    CHECK(!out.feasible);
    CHECK_STR(out.stopped, "infeasible");
    problem_close(&f);
}

/* --- whole jobs ---------------------------------------------------------------------------------------- */

typedef struct ears {
    const char *stage; /* where "enough" is said, at every call */
    size_t      said;
} ears;

static int
say_enough(void *user, const kanon_progress *progress)
{
    ears *e = user;

    if (strcmp(progress->stage, e->stage) != 0)
        return KANON_PROGRESS_GO_ON;
    e->said++;
    return KANON_PROGRESS_ENOUGH;
}

static void
run_with_ears(ears *e, const char *csv, kn_text *report)
{
    static const char *const settings[] = { "qi", "a", "k", "2", "algorithm", "kgen" };
    kanon_ctx_options        options = KANON_CTX_OPTIONS_INIT;
    job                      j = { csv, { NULL } };
    kanon_ctx               *ctx = NULL;
    kanon_sink              *sink, *json = NULL;
    kanon_result            *result;
    size_t                   length;
    const void              *bytes;

    memcpy(j.settings, settings, sizeof settings);
    options.progress = say_enough;
    options.progress_user = e;
    CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
    CHECK_OK(ctx, run_job(ctx, &j, &sink, &result));
    CHECK(e->said > 0);
    CHECK(committed(sink) > 0);
    CHECK_OK(ctx, kanon_sink_memory(ctx, &json));
    CHECK_OK(ctx, kanon_result_write(ctx, result, KANON_FORMAT_JSON, json));
    bytes = kanon_sink_bytes(json, &length);
    kn_text_add(report, (kn_str){ bytes, length });
    kanon_sink_free(json);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(a_job_goes_on_with_what_the_search_had)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    csv, report;
    ears       e = { "search", 0 };

    kn_text_init(&csv, ctx);
    kn_text_init(&report, ctx);
    add_plain_rows(&csv, 9000);
    run_with_ears(&e, csv.ptr, &report);
    CHECK(strstr(report.ptr, "\"stopped\": \"interrupted\""));
    CHECK(strstr(report.ptr, "you stopped the search: this release is the best found so far"));
    kn_text_fini(&csv);
    kn_text_fini(&report);
    kanon_ctx_free(ctx);
}

TEST(outside_the_search_it_is_never_enough)
{
    static const char *const stages[] = { "read", "write", "verify" };
    kanon_ctx               *ctx = plain_ctx();
    kn_text                  csv;

    kn_text_init(&csv, ctx);
    add_plain_rows(&csv, 9000);
    for (size_t i = 0; i < KN_COUNT(stages); i++) {
        ears    e = { stages[i], 0 };
        kn_text report;

        kn_text_init(&report, ctx);
        run_with_ears(&e, csv.ptr, &report);
        CHECK(!strstr(report.ptr, "interrupted") && !strstr(report.ptr, "stopped by the user"));
        kn_text_fini(&report);
    }
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}
