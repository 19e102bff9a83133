/* SPDX-License-Identifier: Apache-2.0 */
/* front.h -- everything reports say about a front, as plain data: the job fills it, the formats in
 * pareto_*.c put it into words. Holds no cell of the table. */
#ifndef KN_RESULT_FRONT_H
#define KN_RESULT_FRONT_H

#include "base/arena.h"
#include "config/config.h"
#include "kanon/pareto.h"
#include "result/finding.h"
#include "result/tree.h"

typedef struct kn_front_objective {
    const char    *name; /* "k", "l:disease" */
    kanon_property property;
    double         box;
} kn_front_objective;

typedef struct kn_front_column {
    const char *name;
    unsigned    height;
    const char *kind; /* of the hierarchy */
    const char
        *print; /* hexadecimal; changes when a level groups the table's values in another way */
} kn_front_column;

typedef struct kn_front_point {
    const uint8_t *levels; /* of the columns */
    const double  *values; /* in the objectives */
    uint64_t       k, suppressed, classes;
} kn_front_point;

struct kanon_front {
    kanon_ctx *ctx;
    kanon_tree tree;
    kn_arena   arena; /* all texts and arrays */

    const char *input_name;
    uint64_t    rows, distinct_tuples;
    char        input_hash[KN_HASH_TEXT]; /* hexadecimal */

    kn_front_objective *objectives;
    size_t              nobjectives;
    kn_front_column    *columns; /* the quasi-identifiers, in the order of the table */
    size_t              ncolumns;
    kn_front_point     *points; /* by the value of the first objective, then the second ... */
    size_t              npoints;
    size_t              knee; /* a point, or SIZE_MAX: fewer than three, or none of a usual k */
    uint64_t            knee_k[2]; /* the k that it may have */

    const char       *algorithm, *algorithm_asked;
    const char       *choice, *method, *stopped;
    const kn_setting *params; /* all of the algorithm's, with their values as used */
    size_t            nparams;
    bool              exact;
    uint64_t          evaluations, predicted;
    double   nodes, bound; /* of the lattice; on the points (Theorem 2), infinite without boxes */
    double   suppression;
    uint64_t suppression_rows;
    uint64_t seed;
    unsigned threads;

    kn_attribute     *attributes; /* as the config had them, with texts of their own */
    size_t            nattributes;
    kn_suppressed     suppressed_as;
    kn_identifiers    identifiers_as;
    kn_others         others_as;
    kn_formulas       formulas_as;
    kn_snap           snap;
    kn_intervals      intervals;
    const char       *label;  /* NULL: not named */
    const char       *count;  /* the same */
    kn_model_settings models; /* that hold for a release of a point; texts of its own */
    const char
              *ranges[KN_MODEL_COUNT]; /* "MIN,MAX" of the settings that ask for a range; or NULL */
    kn_dialect dialect;
    const char  *delimiter, *quote; /* of the dialect, as settings; NULL: none is known */
    const char **missing;
    size_t       nmissing;

    double      read_s, search_s, total_s;
    kn_findings findings;
};

#endif
