/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.h -- the inside of a hierarchy: one small integer map per level, leaf -> group.
 * Everything downstream works on these maps and never on strings. */
#ifndef KN_HIERARCHY_H
#define KN_HIERARCHY_H

#include "base/arena.h"
#include "base/text.h"
#include "encode/value.h"
#include "kanon/hierarchy.h"

typedef enum {
    KN_HIER_AUTO,
    KN_HIER_RANGE,
    KN_HIER_MASK,
    KN_HIER_DATE,
    KN_HIER_PLACE,
    KN_HIER_FILE,
    KN_HIER_ORDER,
    KN_HIER_PACK,
    KN_HIER_TIME,
    KN_HIER_IP,
    KN_HIER_EMAIL,
    KN_HIER_GRID
} kn_hier_kind;

const char *kn_hier_kind_name(kn_hier_kind kind);

/** What the user wrote: "range:5,10,50", "range:x10", "mask:right", "mask:left", "date:month,year",
 *  "place:FILE[:COLUMN,COLUMN...]", "file:FILE" or just a file name, "order[:FANOUT]",
 *  "pack:NAME[,LEVEL...]", "time:hour,part-of-day",
 *  "ip:24,16", "email", "grid:lat,100,1000", "auto".
 *  Texts are owned by whoever owns the spec (an arena). */
typedef struct kn_hier_spec {
    kn_hier_kind kind;
    const char  *file;  /* place, file: as it shall be opened */
    const char **items; /* widths, units, table columns, fan-out, pack and levels; as written */
    size_t       nitems;
    bool         from_left;     /* mask:left hides the left end first */
    bool         unknown_other; /* place, file, pack: an unknown value becomes "(other)" */
} kn_hier_spec;

/** Parses the command-line form. Relative files are taken from folder (NULL or "": as they are).
 *  column is for messages. */
kanon_status kn_hier_spec_parse(kanon_ctx *ctx, kn_arena *arena, const char *column, kn_str text,
                                const char *folder, kn_hier_spec *out);
/** Appends the command-line form of a spec. It has no word for unknown_other, which only a config file
 *  sets. */
void kn_hier_spec_tell(const kn_hier_spec *spec, kn_text *text);
/** Are the items of a spec what its kind takes? For whoever fills one in without the parser. */
kanon_status kn_hier_spec_check(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec);

typedef struct kn_level {
    uint32_t  ngroups;
    uint32_t *group_of; /* [nleaves] */
    kn_str   *labels;   /* [ngroups] */
    uint32_t
           *leaves;  /* [ngroups] leaves of the domain under each group, the missing one not counted
                           (a group of the missing value alone has 0) */
    double *lo, *hi; /* [ngroups] numeric columns only: extent of the group's values, clipped to
                           the table's minimum and maximum; NULL otherwise. Missing-only groups: 0, 0 */
} kn_level;

struct kanon_hierarchy {
    kanon_ctx   *ctx;
    kn_arena     arena;   /* labels and maps */
    kn_hier_kind kind;    /* what it became; never AUTO */
    kn_type      type;    /* never AUTO */
    size_t       ndata;   /* leaves 0..ndata-1 are the codes of the column's dictionary */
    size_t       nleaves; /* >= ndata: a file may know values that the table does not hold */
    uint32_t     missing; /* leaf of the missing value, or KN_NO_CODE */
    size_t       domain; /* leaves without the missing one: "leaves in the domain" of the metrics */
    double       min, max;  /* numeric: of the table's non-missing values */
    bool         from_left; /* mask: the left end is hidden first */
    const void  *own;       /* what a kind keeps for making its labels again; in the arena */
    size_t       nlevels;   /* h + 1, at most 256 */
    kn_level    *levels;
};

/** Makes the hierarchy of one column. type AUTO: inferred. Checked: nesting, coverage, single root.
 *  Even a column with a single value has levels 0 and `*`, except when a file says otherwise: a file
 *  with one column and one line has one level and h = 0. */
kanon_status kn_hierarchy_make(kanon_ctx *ctx, const kn_hier_spec *spec, kn_type type,
                               const kn_domain *domain, kanon_hierarchy **out);

/** The rule that a node's check relies on: equal at one level stays equal at every higher one, and the
 *  last level has one group. The message names two offending values. */
kanon_status kn_hierarchy_check(kanon_ctx *ctx, const kanon_hierarchy *hierarchy,
                                const char *column);

/** Makes the labels again for a release: domain->rows are the released rows of each value, so that no label
 *  shows what fewer than domain->rare of them share. Groups stay as they are; labels of a level still differ.
 *  Hierarchies that somebody wrote are left as written. */
kanon_status kn_hierarchy_relabel(kanon_hierarchy *hierarchy, const kn_domain *domain);
/** Marks the values that labels of a level give away: see kn_hier_class. marks are zero before. */
kanon_status kn_hierarchy_shown(kanon_hierarchy *hierarchy, const kn_domain *domain, size_t level,
                                uint8_t *marks);

/** One file per kind (range.c mask.c date.c place.c file.c order.c pack.c
 *  time.c auto.c); a kind fills levels. */
typedef struct kn_hier_class {
    kn_hier_kind kind;
    const char  *name;
    const char  *summary; /* for help texts */
    kanon_status (*fill)(kanon_hierarchy *hierarchy, const kn_hier_spec *spec,
                         const kn_domain *domain);
    /** Makes the labels above level 0 again; NULL: they do not follow from who holds which value. */
    kanon_status (*relabel)(kanon_hierarchy *hierarchy, const kn_domain *domain);
    /** Marks the values (marks[domain->count]) that a label of a level shows, or so much of them that fewer
     *  than domain->rare rows share it; NULL: none. */
    kanon_status (*shown)(kanon_hierarchy *hierarchy, const kn_domain *domain, size_t level,
                          uint8_t *marks);
} kn_hier_class;

const kn_hier_class *kn_hier_class_of(kn_hier_kind kind);

#endif
