/* SPDX-License-Identifier: Apache-2.0 */
/* test_run.c -- the clock of a run: who is told to stop, when, and which reason is given for it. */
#include "base/run.h"
#include "test.h"

static int
answer(void *user, const kanon_progress *progress)
{
    CHECK_STR(progress->stage, "search");
    return *(int *) user;
}

static kanon_ctx *
open_ctx(int *says)
{
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    kanon_ctx        *ctx = NULL;

    options.progress = answer;
    options.progress_user = says;
    CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
    return ctx;
}

TEST(a_run_without_a_limit_goes_on)
{
    int        says = KANON_PROGRESS_GO_ON;
    kanon_ctx *ctx = open_ctx(&says);
    kn_run     run;

    kn_run_begin(&run, ctx, 0);
    kn_run_tell(&run, 1);
    CHECK(!kn_run_over(&run) && !kn_run_ended(&run) && !kn_run_cut(&run));
    CHECK(kn_run_left(&run) < 0 && !kn_run_reason(&run) && kn_run_status(&run) == KANON_OK);
    kanon_ctx_free(ctx);
}

TEST(a_deadline_is_seen_by_who_reads_the_clock_and_can_be_moved)
{
    int        says = KANON_PROGRESS_GO_ON;
    kanon_ctx *ctx = open_ctx(&says);
    kn_run     run;

    kn_run_begin(&run, ctx, 1e-9);
    while (kn_seconds() < run.deadline)
        ;
    CHECK(!kn_run_ended(&run)); /* nobody has read the clock yet */
    CHECK(kn_run_over(&run) && kn_run_ended(&run));
    CHECK(kn_run_left(&run) >= 0 && kn_run_left(&run) <= 0);
    CHECK_STR(kn_run_reason(&run), "time-limit");
    CHECK(!atomic_load(&run.cut));
    kn_run_until(&run, kn_seconds() + 1000);
    CHECK(!kn_run_cut(&run) && !kn_run_reason(&run) && kn_run_left(&run) > 900);
    kn_run_until(&run, run.started);
    CHECK(kn_run_ended(&run) && kn_run_cut(&run));
    kn_run_until(&run, 0);
    CHECK(!kn_run_over(&run));
    CHECK_STR(kn_run_reason(&run), "time-limit"); /* what was cut stays cut */
    kanon_ctx_free(ctx);
}

TEST(enough_waits_for_an_answer_and_outweighs_the_time)
{
    int        says = KANON_PROGRESS_ENOUGH;
    kanon_ctx *ctx = open_ctx(&says);
    kn_run     run;

    kn_run_begin(&run, ctx, 0);
    run.deaf = true;
    kn_run_tell(&run, 0);
    CHECK(!kn_run_over(&run) && !kn_run_cut(&run));
    run.deaf = false;
    CHECK(kn_run_ended(&run) && kn_run_cut(&run));
    kn_run_until(&run, run.started);
    CHECK_STR(kn_run_reason(&run), "interrupted");
    CHECK(kn_run_status(&run) == KANON_OK);
    kanon_ctx_free(ctx);
}

TEST(a_run_that_is_cancelled_is_over_even_when_deaf)
{
    int        says = KANON_PROGRESS_CANCEL;
    kanon_ctx *ctx = open_ctx(&says);
    kn_run     run;

    kn_run_begin(&run, ctx, 0);
    run.deaf = true;
    kn_run_tell(&run, 0);
    CHECK(kn_run_over(&run) && kn_run_status(&run) == KANON_E_CANCELLED);
    CHECK_STR(kanon_ctx_message(ctx), "interrupted");
    kanon_ctx_free(ctx);
}

/* However many points come, the curve holds the first one, the last one, and falls all the way. */
TEST(a_curve_is_thinned_evenly)
{
    kanon_ctx *ctx = NULL;
    kn_run     run;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_run_begin(&run, ctx, 0);
    for (uint64_t i = 0; i < 1000; i++) {
        kn_run_note(&run, i, 1000 - (double) i);
        kn_run_note(&run, i, 1000 - (double) i);         /* no better */
        kn_run_note(&run, i, 1000 - (double) i - 1e-13); /* no better beyond rounding */
        CHECK(run.curve.count <= KN_CURVE_MOST);
        CHECK(run.curve.points[run.curve.count - 1].evaluations == i);
    }
    CHECK(run.curve.count >= KN_CURVE_MOST / 2 && run.curve.points[0].evaluations == 0);
    for (size_t i = 2; i + 1 < run.curve.count; i++) /* those before the newest are thinned twice */
        CHECK(run.curve.points[i].loss < run.curve.points[i - 1].loss
              && run.curve.points[i].evaluations - run.curve.points[i - 1].evaluations <= 32);
    kanon_ctx_free(ctx);
}
