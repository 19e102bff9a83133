/* SPDX-License-Identifier: Apache-2.0 */
/* run.c -- the clock of a run. The flags are relaxed: each only ever says "stop", and whoever hears it an
 * item later has done no harm. */
#include "base/run.h"

static bool
is_set(const atomic_bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

static void
set(atomic_bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

void
kn_run_begin(kn_run *run, kanon_ctx *ctx, double limit_s)
{
    memset(run, 0, sizeof *run);
    run->ctx = ctx;
    run->started = kn_seconds();
    run->deadline = limit_s > 0 ? run->started + limit_s : 0;
    run->fraction = run->best = run->bound = -1;
    atomic_init(&run->expired, false);
    atomic_init(&run->cancelled, false);
    atomic_init(&run->enough, false);
    atomic_init(&run->cut, false);
}

void
kn_run_until(kn_run *run, double deadline)
{
    run->deadline = deadline;
    atomic_store(&run->expired, deadline > 0 && kn_seconds() >= deadline);
}

double
kn_run_left(const kn_run *run)
{
    double left = run->deadline - kn_seconds();

    return run->deadline > 0 ? (left > 0 ? left : 0) : -1;
}

void
kn_run_tell(kn_run *run, uint64_t evaluations)
{
    double         bound = kn_bound_tells(run->best, run->bound) ? run->bound : -1;
    kanon_progress now = { sizeof now, "search", run->fraction, 0, evaluations, run->best, bound };
    bool           enough = false;

    if (kn_progress_enough(run->ctx, &now, &enough) < 0)
        set(&run->cancelled);
    if (enough)
        set(&run->enough);
}

bool
kn_run_ended(const kn_run *run)
{
    return is_set(&run->expired) || is_set(&run->cancelled) || (is_set(&run->enough) && !run->deaf);
}

bool
kn_run_over(kn_run *run)
{
    if (run->deadline > 0 && kn_seconds() >= run->deadline)
        set(&run->expired);
    return kn_run_ended(run);
}

bool
kn_run_cut(kn_run *run)
{
    if (!kn_run_over(run))
        return false;
    set(&run->cut);
    return true;
}

bool
kn_loss_less(double a, double b)
{
    double scale = b < 0 ? -b : b;

    return a < b - 1e-12 * (scale > 1 ? scale : 1);
}

bool
kn_bound_tells(double loss, double bound)
{
    static const double LEAST = 0.1; /* share of the loss */

    return bound > 0 && bound >= LEAST * loss;
}

/* A full curve loses every second point: what stays is spread over all of the time. */
void
kn_run_note(kn_run *run, uint64_t evaluations, double loss)
{
    kn_curve *c = &run->curve;

    assert(loss == loss);
    if (c->count && !kn_loss_less(loss, c->points[c->count - 1].loss))
        return;
    if (c->count == KN_CURVE_MOST) {
        for (size_t i = 1; 2 * i < KN_CURVE_MOST; i++)
            c->points[i] = c->points[2 * i];
        c->count = KN_CURVE_MOST / 2;
    }
    c->points[c->count++] = (kn_curve_point){ kn_seconds() - run->started, evaluations, loss };
}

const char *
kn_run_reason(const kn_run *run)
{
    if (is_set(&run->enough))
        return "interrupted";
    return is_set(&run->expired) || is_set(&run->cut) ? "time-limit" : NULL;
}

kanon_status
kn_run_status(const kn_run *run)
{
    return is_set(&run->cancelled) ? KANON_E_CANCELLED : KANON_OK;
}
