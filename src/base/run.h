/* SPDX-License-Identifier: Apache-2.0 */
/* run.h -- the clock of one run of an algorithm (a search, a clusterer or a front): its deadline,
 * cancelling, progress, how its answer improved, and why it ended. Only worker 0 reports progress; every
 * thread may ask whether to stop. */
#ifndef KN_RUN_H
#define KN_RUN_H

#include <stdatomic.h>

#include "base/base.h"

/** The loss of the best answer after some time. */
typedef struct kn_curve_point {
    double   seconds;
    uint64_t evaluations;
    double   loss;
} kn_curve_point;

enum { KN_CURVE_MOST = 64 };

/** How the loss fell: each point is better than the one before. */
typedef struct kn_curve {
    kn_curve_point points[KN_CURVE_MOST];
    size_t         count;
} kn_curve;

typedef struct kn_run {
    kanon_ctx  *ctx;
    double      started, deadline;     /* deadline 0: none */
    double      fraction, best, bound; /* what to report next; negative: unknown */
    bool        deaf;               /* there is nothing yet that "enough" could be content with */
    atomic_bool expired, cancelled; /* no time left; asked to give up */
    atomic_bool enough;             /* asked to be content with the best so far */
    atomic_bool cut;                /* a worker was stopped, so some work was not done */
    kn_curve    curve;
} kn_run;

/** Starts the clock. limit_s 0: no limit */
void kn_run_begin(kn_run *run, kanon_ctx *ctx, double limit_s);
/** Another deadline, 0: none. It may have passed already. */
void kn_run_until(kn_run *run, double deadline);
/** Seconds left, at least 0; negative: there is no limit. */
double kn_run_left(const kn_run *run);

/** Reports progress and asks whether to go on. From one thread only; costs a clock reading. */
void kn_run_tell(kn_run *run, uint64_t evaluations);
/** Must the run end? Reads the clock. */
bool kn_run_over(kn_run *run);
/** The same without the clock: what the last one who read it found. */
bool kn_run_ended(const kn_run *run);
/** As kn_run_over(), and if so something stays undone. */
bool kn_run_cut(kn_run *run);

/** Notes the loss of a better answer; others are passed over. */
void kn_run_note(kn_run *run, uint64_t evaluations, double loss);
/** Why the run was cut short, as static text: "interrupted" or "time-limit"; NULL: it was not. */
const char *kn_run_reason(const kn_run *run);
/** KANON_E_CANCELLED when asked to give up, the message being set. */
kanon_status kn_run_status(const kn_run *run);

/** Is loss a smaller than b, beyond rounding? */
bool kn_loss_less(double a, double b);
/** Is a lower bound worth telling a person? One that leaves nearly all of the loss open is not. */
bool kn_bound_tells(double loss, double bound);

#endif
