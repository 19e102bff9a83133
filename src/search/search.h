/* SPDX-License-Identifier: Apache-2.0 */
/* search.h -- the plug-in interface of lattice searches.
 * A search sees the lattice and one question, "check this node"; the driver owns budget, time, cancel,
 * progress, the best answer and the statistics. A new search: one file that ends with its
 * kn_search_class, one line in algorithm/registry.c, one page in docs/algorithms/, one test. */
#ifndef KN_SEARCH_H
#define KN_SEARCH_H

#include "base/pool.h"
#include "base/run.h"
#include "config/config.h"
#include "kanon/algorithm.h"
#include "lattice/tags.h"
#include "measure/metric.h"

typedef enum { KN_STEP_MORE, KN_STEP_DONE } kn_step;

/** What is known of a node. */
typedef struct kn_score {
    bool feasible;
    uint64_t
        outlying; /* rows to suppress; UINT64_MAX: not counted (decided otherwise, or far too many) */
    double loss; /* of a feasible node */
} kn_score;

typedef struct kn_search_env kn_search_env;

/** Values of an algorithm's parameters, in the order of its table: numbers as numbers, choices as the
 *  index of the chosen word. */
typedef struct kn_values {
    const double *number;
} kn_values;

typedef struct kn_search_class {
    kanon_algorithm info;
    size_t          state_size; /* the driver allocates and zeroes it */
    kanon_status (*init)(void *state, kn_search_env *env, const kn_values *values);
    kanon_status (*step)(void *state, kn_search_env *env, kn_step *next);
    void (*fini)(void *state, kn_search_env *env); /* accepts a half-done init */
} kn_search_class;

extern const kn_search_class kn_search_exhaustive, kn_search_random, kn_search_kgen,
    kn_search_optimal;
extern const kn_search_class kn_search_ola, kn_search_incognito, kn_search_samarati,
    kn_search_datafly;
extern const kn_search_class kn_search_ga, kn_search_tabu, kn_search_ga_tabu;

/* --- what a search may ask ------------------------------------------------------------------------ */

kanon_ctx *kn_env_ctx(const kn_search_env *env);
/** The search that is run. */
const kn_search_class *kn_env_class(const kn_search_env *env);
const kn_lattice      *kn_env_lattice(const kn_search_env *env);
kn_rng                *kn_env_rng(kn_search_env *env);
/** Checks one node: counted, remembered under its exact levels, recorded if it is the best. */
kanon_status kn_env_check(kn_search_env *env, const uint8_t *node, kn_score *score);
/** Checks many (rows of n levels each), using the threads; the same answers as one after the other.
 *  When the budget ends midway the rest are answered as infeasible and not counted. */
kanon_status kn_env_check_many(kn_search_env *env, const uint8_t *nodes, size_t count,
                               kn_score *scores);
/** Many nodes to come are at or above this one; see kn_engine_collapse(). */
void kn_env_collapse(kn_search_env *env, const uint8_t *node);
/** Monotonicity's answer, without a check. With models that are not monotone it never says feasible, and
 *  infeasible only if there are too few rows. */
kn_tag kn_env_tag(kn_search_env *env, const uint8_t *node);
/** Different values of a quasi-identifier at a level, as far as the table holds them. */
uint32_t kn_env_groups(const kn_search_env *env, size_t quasi, unsigned level);
/** No node at or above this one can have a smaller loss. */
double kn_env_bound(const kn_search_env *env, const uint8_t *node);
/** Is a node above a feasible one never better? */
bool kn_env_monotone(const kn_search_env *env);
/** Loss of the best feasible node so far. There is always one, since the driver has checked the top, but for
 *  models that are not monotone: the loss is DBL_MAX then. */
double kn_env_best(const kn_search_env *env);
/** That node; NULL: there is none yet. */
const uint8_t *kn_env_best_node(const kn_search_env *env);
/** Nodes checked so far. */
uint64_t kn_env_evaluations(const kn_search_env *env);
/** Will something end the search: a time limit or a budget? */
bool kn_env_limited(const kn_search_env *env);
/** From now on every node is checked against the data, also those that monotonicity decides. */
void kn_env_plain(kn_search_env *env);
/** The search says why it ended by itself, e.g. "stalled"; the default is "complete". */
void kn_env_stopped(kn_search_env *env, const char *reason);
/** The search has shown that nothing is better than the best node found. */
void kn_env_proven(kn_search_env *env);

/* --- what a search may ask that looks at the data itself, with the driver's threads ----------------- */

const kn_engine  *kn_env_engine(const kn_search_env *env);
const kn_privacy *kn_env_privacy(const kn_search_env *env);
const kn_meter   *kn_env_meter(const kn_search_env *env);
/** Workers that kn_env_run() has, at least 1. */
unsigned kn_env_workers(const kn_search_env *env);
/** Does items 0..count-1 on the threads. @return KANON_E_CANCELLED when asked to stop meanwhile */
kanon_status kn_env_run(kn_search_env *env, size_t count, kn_work item, void *user);
/** For the inside of such work: must it stop because time is up or the user asked for it? Reads the clock;
 *  worker 0 tells the progress. What was given up must stay open: the search is cut short then. */
bool kn_env_late(kn_search_env *env, unsigned worker);
/** The score of a node, from inside such work; neither counted nor recorded. */
void kn_env_measure(const kn_search_env *env, unsigned worker, const uint8_t *node,
                    kn_score *score);
/** Is a node feasible, and with how many outlying rows? From inside such work; neither counted nor
 *  recorded. */
bool kn_env_feasible(const kn_search_env *env, unsigned worker, const uint8_t *node,
                     uint64_t *outlying);
/** Counts looks at the data that were made without the driver; no more than kn_env_left(). */
void     kn_env_spent(kn_search_env *env, uint64_t evaluations);
uint64_t kn_env_left(const kn_search_env *env);
/** A feasible node with its score, recorded if it is the best. */
void kn_env_offer(kn_search_env *env, const uint8_t *node, const kn_score *score);
/** The search has shown that no node has a smaller loss than this. Never falls. */
void kn_env_raise(kn_search_env *env, double bound);

/* --- what the job calls ----------------------------------------------------------------------------- */

typedef struct kn_search_problem {
    kanon_ctx             *ctx;
    const kn_view         *view;
    const kn_scale        *scale;
    const kn_privacy      *privacy;
    const kn_metric_class *metric;
    const kn_lattice      *lattice; /* floors set */
    const kn_setting      *params;  /* as the user gave them */
    size_t                 nparams;
    uint64_t               seed;
    unsigned               threads;
    double                 time_limit_s;     /* 0: none */
    uint64_t               most_evaluations; /* beside the search's own budget; 0: none */
} kn_search_problem;

/** Who is with whom. */
typedef struct kn_partition {
    uint32_t *class_of; /* [rows] in the order of the table's entries; KN_NO_CLASS: suppressed */
    uint32_t  nclasses; /* numbered 0..nclasses-1, none of them empty */
} kn_partition;

/** What every algorithm hands over: the partition of the rows, and what is known of it. Where all rows of a
 *  column share one level, the levels stand for the partition, which follows from them; nobody writes it out
 *  row by row. */
typedef struct kn_outcome {
    bool                   feasible;
    bool                   optimal;               /* proven: nothing is better */
    bool                   none;                  /* proven: nothing is feasible */
    uint8_t                levels[KN_QUASI_MOST]; /* of full-domain recoding */
    kn_partition           partition; /* kn_partition_fini() is due; class_of NULL: see levels */
    const kn_metric_class *metric;    /* that was minimised */
    kn_score               score;     /* outlying: suppressed rows */
    uint64_t               evaluations, predicted;
    bool                   bounded;        /* lower_bound is known */
    double                 lower_bound;    /* no release loses less; 0 where nothing is known */
    const char            *stopped;        /* static text */
    uint64_t               least_outlying; /* infeasible: rows outlying when all are one class */
    kn_curve               curve;
} kn_outcome;

void kn_partition_fini(kanon_ctx *ctx, kn_partition *partition);

/** Can a search work with these privacy models? Refuses it otherwise, with the reason and what can. */
kanon_status kn_search_allow(const kn_search_class *search, const kn_search_problem *problem);
kanon_status kn_search_run(const kn_search_class *search, const kn_search_problem *problem,
                           kn_outcome *out);

/** Single-column lower bounds: no node with level < floor[i] in column i is feasible. Sound for
 *  every suppression limit: grouping by one column alone can only make classes larger. */
kanon_status kn_search_floor(kanon_ctx *ctx, const kn_scale *scale, const kn_privacy *privacy,
                             kn_lattice *lattice);

/** What `auto` takes; the texts are static. */
typedef struct kn_search_choice {
    const kn_search_class *search;
    uint64_t               most_evaluations; /* for a job that has no limit of its own; 0: none */
    const kn_search_class *then;     /* runs if that was not enough; NULL: the answer stands */
    const char            *why;      /* one line: what, and the reason */
    const char            *why_late; /* in its place when that was not enough */
} kn_search_choice;

/** A proof where that is quick, a good answer otherwise. */
kn_search_choice kn_search_auto(const kn_search_problem *problem);

enum { KN_PARAMS_MOST = 32 };

/** Checks parameters against an algorithm's table and fills the values; the message names the parameter,
 *  its bounds, and the nearest name. values has room for KN_PARAMS_MOST. */
bool         kn_params_know(const kanon_param *table, const char *name);
kanon_status kn_params_parse(kanon_ctx *ctx, const kanon_algorithm *algorithm,
                             const kn_setting *params, size_t nparams, double *values);

#endif
