/* SPDX-License-Identifier: Apache-2.0 */
/* metric.h -- the metrics that searches minimise, computed fast: each says what it needs to know of a
 * node. (The loss of the final release is measured by other code, in measure.h.) */
#ifndef KN_METRIC_H
#define KN_METRIC_H

#include "group/by_class.h"
#include "group/engine.h"
#include "kanon/algorithm.h"
#include "measure/loss.h"
#include "privacy/privacy.h"

enum {
    KN_METRIC_LEVELS = 1u, /* known from the levels alone, whatever is suppressed */
    KN_METRIC_CELLS = 2u,  /* a sum over cells: needs the loss tables */
    KN_METRIC_LABELS = 4u  /* needs the class labels */
};

/** A problem that a metric is asked about; all borrowed. */
typedef struct kn_scale {
    const kn_table         *table;
    kanon_hierarchy *const *hierarchies;
    const uint64_t *const  *value_rows; /* rows per code of each quasi-identifier */
    size_t                  label;      /* sensitive column for cm, or SIZE_MAX */
    size_t                  label_domain;
    const double *weights; /* of the quasi-identifiers in means over them; NULL: all equal */
} kn_scale;

static inline double
kn_scale_weight(const kn_scale *scale, size_t quasi)
{
    return scale->weights ? scale->weights[quasi] : 1;
}

/** All weights together: what a sum of weighted values is divided by. */
static inline double
kn_scale_weights(const kn_scale *scale)
{
    double sum = 0;

    for (size_t i = 0; i < scale->table->nquasi; i++)
        sum += kn_scale_weight(scale, i);
    return sum;
}

/** A checked node. */
typedef struct kn_facts {
    const uint8_t *levels;
    kn_verdict     verdict;
    double         cells;     /* KN_METRIC_CELLS: loss summed over all cells, weighted */
    uint64_t       off_label; /* KN_METRIC_LABELS: released rows off their class's majority label */
} kn_facts;

typedef struct kn_metric_class {
    kanon_metric info;
    uint32_t     needs;
    /** KN_METRIC_CELLS: loss of each leaf of a column at a level (SIZE_MAX: of a suppressed cell), in
     *  units that make the metric the mean over all cells. What suppressing a cell adds to the loss that it
     *  has at a level must be the same for all leaves of a group. */
    kanon_status (*cells)(const kn_scale *scale, size_t column, size_t level, double *loss);
    double (*score)(const kn_scale *scale, const kn_facts *facts);
} kn_metric_class;

/** NULL if there is none of that name. */
const kn_metric_class *kn_metric_find(const char *name);
const kn_metric_class *kn_metric_at(size_t index);

extern const kn_metric_class kn_metric_log, kn_metric_precision, kn_metric_height, kn_metric_dm,
    kn_metric_glm, kn_metric_gcp, kn_metric_total_il, kn_metric_entropy, kn_metric_cm;

/** Is it a sum over the quasi-identifiers, but for what suppressed rows cost? Then bounds on single levels
 *  say something about the whole. */
bool kn_metric_additive(const kn_metric_class *metric);
/** What kn_count() has to find out for a metric: KN_WANT_... */
unsigned kn_metric_wants(const kn_metric_class *metric, const kn_scale *scale,
                         const kn_privacy *privacy);

/** A metric made ready for one problem: loss tables built, scratch reserved per thread. */
typedef struct kn_meter kn_meter;

/** coarse: numbering of the groups that kn_count() speaks in; borrowed while this is called. */
kanon_status kn_meter_new(kanon_ctx *ctx, const kn_metric_class *metric, const kn_scale *scale,
                          const kn_privacy *privacy, const kn_coarse *coarse, kn_meter **out);
void         kn_meter_free(kn_meter *meter);
/** The metric of a counted node. */
double kn_meter_score(const kn_meter *meter, const uint8_t *levels, const kn_counted *counted);
/** The metric from the levels alone; only for KN_METRIC_LEVELS. */
double kn_meter_levels(const kn_meter *meter, const uint8_t *levels);
/** Never better than this at any node above a floor: sound for every metric. */
double kn_meter_bound(const kn_meter *meter, const uint8_t *floor);
/** The metric as a sum over quasi-identifiers: at a node with `outlying` rows it is at least the sum of
 *  kn_meter_term() + outlying * kn_meter_lost() at its levels, and exactly that for log, height and
 *  precision, and without suppression for the losses of cells. A term never falls with the level. */
double kn_meter_term(const kn_meter *meter, size_t quasi, unsigned level);
/** What a suppressed row adds at least, never below 0. */
double kn_meter_lost(const kn_meter *meter, size_t quasi, unsigned level);
/** Is the metric non-decreasing on the feasible nodes of this problem? */
bool kn_meter_monotone(const kn_meter *meter);
/** Known from the levels alone? */
bool kn_meter_by_levels(const kn_meter *meter);

#endif
