/* SPDX-License-Identifier: Apache-2.0 */
/* front.h -- finding a front: all nodes where there are few, climbing k where the objectives allow it, the
 * evolutionary PBG-EA otherwise. */
#ifndef KN_FRONT_H
#define KN_FRONT_H

#include "base/pool.h"
#include "base/run.h"
#include "config/config.h"
#include "pareto/archive.h"
#include "pareto/gauge.h"

typedef struct kn_front_outcome {
    kn_archive archive; /* sorted; kn_archive_fini() is the caller's */
    bool       exact;   /* it is the whole front, and known to be */
    uint64_t   evaluations,
        predicted;       /* nodes measured; nodes passed over by what is known of others */
    const char *stopped; /* static text */
    const char *method;  /* static text: how it was found */
} kn_front_outcome;

typedef struct kn_front_class {
    kanon_algorithm info;
    kanon_status (*run)(const kn_front_problem *problem, kn_front_outcome *out);
} kn_front_class;

extern const kn_front_class kn_front_exact, kn_front_pbg_ea;

/** NULL if there is none of that name. */
const kn_front_class *kn_front_find(const char *name);
const kn_front_class *kn_front_at(size_t index);
/** What `auto` takes, by the size of the problem alone; *why: one line, static text. */
const kn_front_class *kn_front_auto(const kn_front_problem *problem, const char **why);

/** Can the exact front be had by climbing k? Objectives k and log alone. */
bool         kn_climb_fits(const kn_front_problem *problem);
kanon_status kn_climb_run(const kn_front_problem *problem, kn_front_outcome *out);

/** Fills a point from a measured node. */
void kn_point_fill(const kn_front_problem *problem, const uint8_t *levels,
                   const kn_profile *profile, kn_point *point);

#endif
