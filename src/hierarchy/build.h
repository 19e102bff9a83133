/* SPDX-License-Identifier: Apache-2.0 */
/* build.h -- what the kinds of hierarchies share. Most sort the values so that every group of every level
 * is a run of neighbours; a kind then says where a run ends and what its label is. The kinds that read a
 * table of parents use tree.h instead. */
#ifndef KN_HIER_BUILD_H
#define KN_HIER_BUILD_H

#include "base/text.h"
#include "hierarchy/hierarchy.h"
#include "kanon/io.h"

enum { KN_LEVELS_MOST = 256 };

/** A value on its way into order: the key decides, equal keys are compared by the tie function. */
typedef struct kn_item {
    uint64_t key;
    uint32_t code;
} kn_item;

/** The order of two values by their codes; 0: the smaller code comes first. */
typedef int (*kn_tie_fn)(const void *user, uint32_t a, uint32_t b);

/** Sorts by key, then by tie (may be NULL), then by code. */
void kn_items_sort(kn_item *items, size_t count, kn_tie_fn tie, const void *user);
/** Sorted by bytes; user is the domain. */
int kn_tie_text(const void *domain, uint32_t a, uint32_t b);
/** The first eight bytes as a number that sorts like them. */
uint64_t kn_key_text(kn_str text);
/** A number that sorts like a signed one. */
uint64_t kn_key_signed(int64_t value);

/** The runs of one level over the sorted non-missing values. */
typedef struct kn_runs {
    const kn_item *items;
    size_t         count;
    const void    *user;
    /** Does the value at place i (>= 1) leave the group of the one before it? NULL: the levels know. */
    bool (*cut)(const void *user, size_t level, size_t i);
    /** The label of the values at places first..last. */
    void (*label)(const void *user, kn_text *out, size_t level, size_t first, size_t last);
} kn_runs;

/** Makes room for nlevels levels and fills level 0 with the values themselves. nleaves is set before. */
kanon_status kn_build_begin(kanon_hierarchy *h, const kn_domain *domain, size_t nlevels);
/** Makes room for the groups of a level above 0; labels are empty, maps are zero. */
kanon_status kn_build_level(kanon_hierarchy *h, size_t level, size_t ngroups);
/** The labels of a level whose groups are known; the missing value keeps its text, and a group of which the
 *  runs hold no value keeps its label. */
kanon_status kn_build_labels(kanon_hierarchy *h, const kn_runs *runs, size_t level);
/** A level of runs without labels; the missing value, if there is one, becomes the last group. */
kanon_status kn_build_groups(kanon_hierarchy *h, const kn_runs *runs, size_t level);
/** The same with labels. */
kanon_status kn_build_runs(kanon_hierarchy *h, const kn_runs *runs, size_t level);
/** The level that holds everything. */
kanon_status kn_build_root(kanon_hierarchy *h, size_t level, kn_str label);
/** Takes out every level below the last at which each value reads as it does one level below. */
void         kn_build_drop_idle(kanon_hierarchy *h);
kanon_status kn_build_label(kanon_hierarchy *h, size_t level, uint32_t group, kn_str label);
/** The non-missing codes as unsorted items with key 0; freed by the caller. */
kanon_status kn_build_items(kanon_hierarchy *h, const kn_domain *domain, kn_item **items,
                            size_t *count);

/** So many rows of a column are few, one in twenty: they may have to be suppressed, so nothing that kanon
 *  chooses for the column hangs on them. The same for every k, since points of a front with different k
 *  share hierarchies. */
uint64_t kn_build_few(const kn_domain *domain, const kn_item *items, size_t count);
/** Of sorted values those at places *first to *end - 1, with few rows beyond either end. All of them where
 *  labels may follow the values exactly. */
void kn_build_usual(const kn_domain *domain, const kn_item *items, size_t count, size_t *first,
                    size_t *end);

/** Refuses a cell that is no number, with what to do about it. */
kanon_status kn_fail_number(kanon_ctx *ctx, const kn_domain *domain, kn_str value);
/** The file that a value of the domain stands in: the table, or the population that joined it. */
const char *kn_domain_source(const kn_domain *domain, kn_str value);

/* --- what a spec's items mean; read again by the kind that uses them -------------------------- */

/** What `range` was asked for. */
typedef struct kn_widths {
    kn_decimal *widths; /* NULL: chosen from the data, or powers of factor */
    size_t      count;
    uint64_t    factor;      /* of "x10"; 0 otherwise */
    kn_decimal  top, bottom; /* from here on, and below: one group */
    bool        has_top, has_bottom;
} kn_widths;

/** widths are freed by the caller. */
kanon_status kn_widths_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec,
                             kn_widths *out);

/** The format of a column of dates: warns when day and month could be swapped, refuses a value that is no
 *  date. */
kanon_status kn_dates_infer(kanon_ctx *ctx, const kn_domain *domain, kn_date_format *format);
/** Is there such a pack, with such levels? */
kanon_status kn_pack_check(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec);
/** The time of day of a cell, with or without a date. */
bool kn_clock_find(kn_str text, int32_t *second);
/** The prefix lengths of IPv4; bits has room for KN_LEVELS_MOST. */
kanon_status kn_prefixes_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec,
                               size_t *bits, size_t *count);
/** An axis, and sides of cells that nest? */
kanon_status kn_grid_check(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec);
kanon_status kn_fanout_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec,
                             size_t *fanout);

/* --- the kinds -------------------------------------------------------------------------------- */

extern const kn_hier_class kn_hier_auto, kn_hier_range, kn_hier_mask, kn_hier_date, kn_hier_place,
    kn_hier_file, kn_hier_order, kn_hier_pack, kn_hier_time, kn_hier_ip, kn_hier_email,
    kn_hier_grid;

/** Fills from an open hierarchy file; domain NULL: the file's own values are the domain. */
kanon_status kn_hier_file_fill(kanon_hierarchy *h, const kn_hier_spec *spec,
                               const kanon_source *source, const kn_domain *domain);
/** The value itself, then `*`. */
kanon_status kn_hier_flat_fill(kanon_hierarchy *h, const kn_domain *domain);

#endif
