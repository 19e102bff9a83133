/* SPDX-License-Identifier: Apache-2.0 */
/* recoding.h -- what a partition releases: the classes as a reader sees them, the text of their cells, the
 * information loss, and what the second pass does with a row. There are two ways to recode: one level per
 * column for the whole table (recoding_levels.c) and class by class (recoding_classes.c). Code after the
 * search does not need to know which one it is. */
#ifndef KN_RECODING_H
#define KN_RECODING_H

#include "measure/measure.h"
#include "problem/problem.h"
#include "transform/recode.h"

typedef struct kn_recoding kn_recoding;

/** The different values that a column of the release shows. */
typedef struct kn_released_values {
    size_t        count;
    const kn_str *texts;   /* [count] */
    uint64_t     *rows;    /* [count] released rows that show it */
    uint8_t      *several; /* [count] it stands for more than one original value */
    const uint32_t
          *value_of; /* [codes of the column] what a code becomes; NULL: that differs by class */
    size_t missing;  /* the value that stands for missing cells alone, or SIZE_MAX */
    bool   listed;   /* a report may list them: no text is made of values that somebody has */
    bool   examples; /* a report may give one of them as an example */
} kn_released_values;

/** Released rows that show the same in a column. */
typedef struct kn_released_part {
    uint64_t rows;
    size_t   level; /* of the hierarchy, and a group of it; KN_RECIPE_INTERVAL: numbers */
    uint32_t group;
    double   low, high; /* of numbers; NAN: cannot be read as one */
    bool     point;     /* one number that stands for all of them */
} kn_released_part;

/** Rows. */
typedef struct kn_end_share {
    uint64_t hidden, shown;
} kn_end_share;

typedef void (*kn_part_fn)(void *user, const kn_released_part *part);

typedef struct kn_recoding_class {
    bool has_levels; /* one level per column; else class by class, as local, snap and grid say */
    bool
        spares_rows; /* rows are suppressed only if they fit no class: an unused limit changes nothing */
    bool widens; /* what is released may lose more than the algorithm reckoned with */
    /** Refuses settings that cannot be had with it, before the long work. */
    kanon_status (*check)(const kn_problem *problem);
    /** Finds the classes. problem and found are borrowed. */
    kanon_status (*open)(const kn_problem *problem, const kn_outcome *found, kn_recoding **out);
    /** What the release loses, from its judged classes; columns[nquasi] is filled as well. Holds it against
     *  what the algorithm claims, and puts into *found what is certain now: loss, bound, optimal. */
    kanon_status (*measure)(kn_recoding *recoding, const kn_grouping *judged, kn_outcome *found,
                            kn_measured *out, kn_column_loss *columns);
    /** The general loss of a tuple's released cell. */
    double (*cell_loss)(const kn_recoding *recoding, size_t tuple, size_t quasi);
    /** Does the release show `*` in every quasi-identifier of this tuple? */
    bool (*reads_star)(const kn_recoding *recoding, size_t tuple);
    /** Fills in out; kn_released_values_fini() is due. */
    kanon_status (*values)(const kn_recoding *recoding, const kn_grouping *judged, size_t quasi,
                           kn_released_values *out);
    /** Calls for every part of a column's released rows. */
    kanon_status (*parts)(const kn_recoding *recoding, const kn_grouping *judged, size_t quasi,
                          kn_part_fn fn, void *user);
    /** What becomes of a row, in the form of a writer that has begun; valid while both are. */
    kanon_status (*recoder)(kn_recoding *recoding, const kn_grouping *judged,
                            const kn_rows_out *writer, kn_recoder **out);
    /** Makes the labels of what is released, from the released rows alone; NULL: open() has done so. */
    kanon_status (*label)(kn_recoding *recoding, const kn_grouping *judged);
    /** Released cells of a column that hide which value they are, and those of them whose value the release
     *  shows as the end of an interval or a label. For exact ends only (snap off). Of a value that stands for
     *  a class, where fewer than k rows have it. */
    kanon_status (*exposure)(const kn_recoding *recoding, const kn_grouping *judged, size_t quasi,
                             kn_end_share *out);
    void (*free)(kn_recoding *recoding);
} kn_recoding_class;

struct kn_recoding {
    const kn_recoding_class *class;
    kanon_ctx        *ctx;
    const kn_problem *problem;
    const kn_outcome *found;
    const uint8_t    *levels;    /* per quasi-identifier; NULL: class by class */
    const kn_table   *table;     /* the table, divided where one tuple is in several classes */
    kn_grouping       grouping;  /* of its tuples: the classes as a reader sees them */
    const uint32_t   *recipe_of; /* [tuples] classes as they were made; some may read alike */
    size_t            nrecipes;
    uint32_t          lost; /* the class of suppressed rows; KN_NO_CLASS: those not judged safe */
};

extern const kn_recoding_class kn_recoding_levels, kn_recoding_classes;

void kn_recoding_free(kn_recoding *recoding);
void kn_released_values_fini(kanon_ctx *ctx, kn_released_values *values);

#endif
