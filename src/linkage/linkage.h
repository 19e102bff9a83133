/* SPDX-License-Identifier: Apache-2.0 */
/* linkage.h -- what released columns beside the quasi-identifiers say about the rows of a class: who differs
 * from all others of his class in one of them, in two, in three, in all; and which of them are nothing but a
 * quasi-identifier in another form, so that the classes are smaller than they look. Counted within the
 * classes of a sample (sample.h), which is the whole table unless that is large. */
#ifndef KN_LINKAGE_H
#define KN_LINKAGE_H

#include "linkage/sample.h"

enum {
    KN_LINKED_MOST = 3,    /* columns that are combined */
    KN_LINKED_COLUMNS = 12 /* that are combined by twos and threes: those that split classes most */
};

/** Rows of groups that agree in quasi-identifiers and in some further columns; estimated from the sample. */
typedef struct kn_link_count {
    uint64_t alone;    /* rows that nobody shares their group with */
    uint64_t below;    /* rows in groups of fewer than k */
    uint64_t smallest; /* rows of the smallest group that was seen; 0: none was */
} kn_link_count;

typedef struct kn_link_set {
    size_t   columns[KN_LINKED_MOST]; /* further columns, ascending */
    size_t   count;                   /* 0: there are not so many */
    uint64_t alone;
} kn_link_set;

/** Further columns, taken together and by ones, twos and threes. */
typedef struct kn_link_family {
    size_t        count;
    size_t        tried; /* that were combined: KN_LINKED_COLUMNS at most */
    bool          exact; /* all rows were counted for `worst` */
    kn_link_count together;
    kn_link_set worst[KN_LINKED_MOST]; /* of each number of columns, the one with most rows alone */
} kn_link_family;

typedef enum kn_dependence {
    KN_COPIES,  /* each value of the one stands for one of the other */
    KN_REFINES, /* the column tells the value of the quasi-identifier, and more */
    KN_FOLLOWS  /* the quasi-identifier tells the value of the column */
} kn_dependence;

/** A further column that depends on an original quasi-identifier, so that who knows that one can use it. */
typedef struct kn_dependency {
    size_t        column, quasi;
    kn_dependence kind;
    double strength;    /* 1: without exception; 0: as if they had nothing to do with each other */
    kn_link_count left; /* of classes once it is used */
} kn_dependency;

typedef struct kn_linkage {
    uint64_t       rows;         /* that were looked at or stood for */
    uint64_t       sampled;      /* rows of the sample */
    uint64_t       large_rows;   /* rows of classes that were too large to look at */
    bool           exact;        /* the sample is the whole table */
    kn_link_count *columns;      /* [nfurther] each alone */
    kn_link_family open, all;    /* without and with sensitive columns */
    kn_dependency *dependencies; /* at most one per further column: the one that leaves least */
    size_t         ndependencies;
} kn_linkage;

/** What the cells of the sample are: quasi-identifiers in their original form, then further columns. */
typedef struct kn_link_plan {
    size_t         nquasi, nfurther;
    const uint8_t *sensitive; /* [nfurther] */
    uint64_t       k;
} kn_link_plan;

/** Counts. kn_linkage_fini() is due, also after a failure. */
kanon_status kn_linkage_measure(const kn_class_sample *sample, const kn_link_plan *plan,
                                kn_linkage *out);
void         kn_linkage_fini(kanon_ctx *ctx, kn_linkage *linkage);

#endif
