/* SPDX-License-Identifier: Apache-2.0 */
/* checked.h -- shared by the parts of `kanon check`: the classes of a table, found in one pass. */
#ifndef KN_CHECK_CHECKED_H
#define KN_CHECK_CHECKED_H

#include "encode/sample.h"
#include "encode/sketch.h"
#include "result/check.h"
#include "table/dict.h"
#include "table/tuples.h"

/** A column that takes part: the quasi-identifiers first, then the sensitive ones. */
typedef struct kn_check_column {
    const char *name;
    size_t      index; /* in the table */
    kn_dict    *dict;
    uint32_t    missing; /* code of the missing value, or KN_NO_CODE; not of a quasi-identifier */
    bool       *absent;  /* [codes] of a quasi-identifier: is it a spelling of the missing value? */
} kn_check_column;

/** Equal quasi-identifiers: a run of the sealed tuples. */
typedef struct kn_check_class {
    size_t   tuple; /* the first of the run; it ends where the next class begins */
    uint64_t rows;
} kn_check_class;

typedef struct kn_check_table {
    kanon_ctx       *ctx;
    kn_check_column *columns;
    size_t           ncolumns, nquasi;
    size_t           nsensitive; /* then come those that only models look at */
    size_t
         named[KN_MODEL_COUNT]; /* by kn_model_setting_index(): the column that it names, behind the
                                   * quasi-identifiers; SIZE_MAX: none */
    bool no_entity;             /* the table does not have the column that tells persons apart */
    kn_class_sample *sample;    /* of its rows; NULL: there are no further columns */
    size_t          *further;   /* [nfurther] columns of the sample, in the table */
    size_t           nfurther;
    kn_sample        cells;    /* of the further columns */
    kn_sketch       *sketches; /* [nfurther] */
    kn_str          *key;      /* [nquasi] scratch: those of a row */
    kn_tuples       *tuples;
    kn_check_class  *classes;
    size_t           nclasses, classes_capacity;
} kn_check_table;

/** Opens the sample of a table that is about to be read, takes its rows, and fills check->linkage. */
kanon_status kn_check_open_sample(kn_check_table *table, const kanon_config *config,
                                  const kn_rows *rows);
kanon_status kn_check_sample_row(kn_check_table *table, const kn_str *cells, uint64_t weight);
kanon_status kn_check_link(const kn_check_table *table, const kanon_config *config,
                           const kn_rows *rows, kanon_check *check);

/** Warns of further columns that do not look like their roles, or like columns without one. */
kanon_status kn_check_doubt_roles(const kn_check_table *table, const kanon_config *config,
                                  const kn_rows *rows, kanon_check *check);

/** Fills check->wildcard. */
kanon_status kn_check_match_wildcards(const kn_check_table *table, kanon_check *check);
/** Fills check->sensitive: l, t and what every class has in common. */
kanon_status kn_check_measure_sensitive(const kn_check_table *table, kanon_check *check);

/** Fills what is said of the table: measures of check->sensitive, check->models, and check->failure, from
 *  everything that was asked for: k, models, and with either that no identifier stands in clear. */
kanon_status kn_check_judge_models(const kn_check_table *table, const kanon_config *config,
                                   kn_rows_source *source, kanon_check *check);

/** What a profile needs to know of a table that is read; NULL: there is no profile. */
typedef struct kn_profile_watch kn_profile_watch;
kanon_status kn_profile_watch_new(kanon_ctx *ctx, const kanon_config *config, const kn_rows *rows,
                                  kn_profile_watch **out);
void         kn_profile_watch_row(kn_profile_watch *watch, const kn_str *cells, uint64_t weight);
void         kn_profile_watch_free(kn_profile_watch *watch);
/** Fills check->profile, and adds to check->failure what is not met. */
kanon_status kn_check_profile(const kn_profile_watch *watch, const kanon_config *config,
                              const kn_rows *rows, kanon_check *check);

/** The population of a table. */
typedef struct kn_check_coverage {
    uint64_t *people; /* [classes] that each class may stand for */
    double *
        presence; /* [classes] or NULL, not to be found: the shares rows/people of all classes that a
                          * person may be in, added up, of the one of a class's people who has most */
    uint64_t unmatched; /* people who fit no class */
} kn_check_coverage;

/** Fills the arrays of coverage, which are zeroed, and counts who is unmatched. */
kanon_status kn_check_people(const kn_check_table *table, const kanon_config *config,
                             kn_rows_source *source, kn_check_coverage *coverage);

#endif
