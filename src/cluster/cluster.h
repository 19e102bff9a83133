/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.h -- the plug-in interface of clusterers: methods of local recoding, which put the rows of a table
 * into classes directly. A clusterer yields a partition; what a class releases, what that cost and how safe
 * it is, is found by the code that every method shares. A new one: one file that ends with its
 * kn_cluster_class, one line in algorithm/registry.c, one page in docs/algorithms/, one test. */
#ifndef KN_CLUSTER_H
#define KN_CLUSTER_H

#include "cluster/scan.h"
#include "search/search.h"

typedef struct kn_cluster_env kn_cluster_env;

typedef struct kn_cluster_class {
    kanon_algorithm info;
    /** About how many distances or box costs it computes; for the warning before a long run. */
    double (*work)(const kn_space *space, uint64_t k, const kn_values *values);
    /** Fills out->class_of, which is all KN_NO_CLASS. When kn_cluster_late() says so it returns at once with
     *  what it has: the driver places the rest. Rows left over are placed by the driver, too. */
    kanon_status (*run)(kn_cluster_env *env, const kn_values *values, kn_partition *out);
} kn_cluster_class;

extern const kn_cluster_class kn_cluster_mondrian, kn_cluster_k_members, kn_cluster_oka,
    kn_cluster_ika, kn_cluster_bha, kn_cluster_kab;

/** Parameters that every clusterer has, to end its table with: refine is "on" or "off". */
#define KN_CLUSTER_PARAMS(refine)                                                                  \
    { "refine", "on|off", 0, 0, refine, "local search on the classes afterwards" },                \
        { "refine-iterations",                                                                     \
          "integer",                                                                               \
          0,                                                                                       \
          1e9,                                                                                     \
          "0",                                                                                     \
          "its budget, in box costs per row; 0: the default" },                                    \
    {                                                                                              \
        NULL, NULL, 0, 0, NULL, NULL                                                               \
    }

/* --- what a clusterer may ask ------------------------------------------------------------------------ */

kanon_ctx        *kn_cluster_ctx(const kn_cluster_env *env);
const kn_space   *kn_cluster_space(const kn_cluster_env *env);
const kn_privacy *kn_cluster_privacy(const kn_cluster_env *env);
uint64_t          kn_cluster_seed(const kn_cluster_env *env);
/** The space made ready for scans. */
const kn_scanner *kn_cluster_scanner(const kn_cluster_env *env);
/** May these rows be a class, by the whole of the requirement? Workers ask for themselves. */
bool kn_cluster_holds(const kn_cluster_env *env, unsigned worker, const uint32_t *rows,
                      size_t count);
/** Is a class allowed as soon as it has k rows, since there are no other models? */
bool kn_cluster_plain(const kn_cluster_env *env);
/** The threads; items must write to places of their own, so that results do not depend on who does what. */
kn_pool *kn_cluster_pool(const kn_cluster_env *env);
/** Is the time over, or has the user asked for an end? Tells the progress; call it from worker 0 or outside
 *  the pool. fraction: done of the whole, or negative; loss: of the best partition so far, or negative. */
bool kn_cluster_late(kn_cluster_env *env, double fraction, double loss);
/** The same question for other workers, which neither tell nor read the clock. */
bool kn_cluster_over(const kn_cluster_env *env);
/** Seconds that are left of the time limit, at least 0; negative: there is no limit. */
double kn_cluster_left(const kn_cluster_env *env);
/** Counts work done, for the report. */
void kn_cluster_spent(kn_cluster_env *env, uint64_t evaluations);
/** Notes the loss reached so far: the anytime curve of the report. */
void kn_cluster_note(kn_cluster_env *env, double loss);

/* --- what the job calls ------------------------------------------------------------------------------- */

/** Runs a clusterer, places what it left over, repairs classes that a model refuses, refines where that is
 *  asked for, and bounds the loss from below. Every class of the outcome satisfies the whole of the privacy
 *  requirement, and no more rows are suppressed than it allows. Of the problem, it needs neither view nor
 *  lattice; the metric must be one of kn_space_metrics. */
kanon_status kn_cluster_run(const kn_cluster_class *clusterer, const kn_search_problem *problem,
                            kn_outcome *out);

#endif
