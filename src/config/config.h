/* config.h -- the inside of a config: every setting of a job, filled from options and YAML.
 * settings.c holds the one table of names that options, config file, help and completion share. */
#ifndef KN_CONFIG_H
#define KN_CONFIG_H

#include "base/arena.h"
#include "encode/value.h"
#include "hierarchy/hierarchy.h"
#include "io/csv.h"
#include "kanon/config.h"

typedef enum { KN_ROLE_INSENSITIVE, KN_ROLE_IDENTIFIER, KN_ROLE_QUASI, KN_ROLE_SENSITIVE } kn_role;

const char *kn_role_name(kn_role role); /* "identifier", "quasi", "sensitive", "insensitive" */

typedef enum { KN_SUPPRESSED_DROP, KN_SUPPRESSED_MASK } kn_suppressed;
typedef enum { KN_IDENTIFIERS_MASK, KN_IDENTIFIERS_DROP } kn_identifiers;
typedef enum { KN_L_DISTINCT, KN_L_ENTROPY, KN_L_RECURSIVE } kn_l_kind;

typedef struct kn_attribute {
    const char  *name;
    kn_role      role;
    kn_type      type;
    kn_hier_spec hierarchy; /* kind AUTO unless given */
    double       weight;    /* in means over the quasi-identifiers; 1 unless given */
    const char  *file;      /* config file that names it, or NULL: the command line; for messages */
    uint64_t     line;
    bool         has_role; /* somebody chose it; otherwise it is insensitive for want of a choice */
    bool         has_hierarchy; /* somebody chose it; otherwise it is auto for want of a choice */
    bool         has_weight;
} kn_attribute;

/** Where a setting was made: file NULL is the command line. For messages of checks that come later. */
typedef struct kn_place {
    const char *file;
    uint64_t    line;
} kn_place;

typedef struct kn_setting {
    const char *key;
    const char *value;
} kn_setting;

struct kanon_config {
    kanon_ctx *ctx;
    kn_arena   arena; /* all texts */

    uint64_t       k;           /* 5 */
    double         suppression; /* 0.01 */
    kn_suppressed  suppressed;
    kn_identifiers identifiers;
    uint64_t       l_diversity; /* 0: off */
    kn_l_kind      l_kind;
    double         t_closeness; /* negative: off */
    const char    *algorithm;   /* "auto" */
    const char    *metric;      /* NULL: not chosen; see kn_config_metric() */
    const char    *label;       /* class column for cm; NULL: the first sensitive one */
    bool           keep_order;
    bool           wildcard;       /* check only */
    uint64_t       seed;           /* 1 */
    unsigned       threads;        /* 0: all cores */
    double         time_limit_s;   /* 0: none */
    bool           has_time_limit; /* somebody chose it, or that there is none */

    char         delimiter, quote;
    kn_header    header;
    kn_encoding  encoding;
    const char **missing; /* default "", "?", "NA" */
    size_t       nmissing;

    kn_place algorithm_at, metric_at, label_at;
    kn_place params_at, weight_at; /* the last one given */

    kn_attribute *attributes; /* in order of first mention */
    size_t        nattributes, attributes_capacity;
    kn_str       *names; /* of the attributes, in the same order */
    size_t        names_capacity;
    kn_setting   *params;
    size_t        nparams, params_capacity;
    const char  **reports;
    size_t        nreports, reports_capacity;
};

/** What is minimised: the metric that was chosen, else the algorithm's own (NULL: it has none), else the
 *  usual one. */
const char *kn_config_metric(const kanon_config *config, const char *own);
/** The attribute of that name, or NULL. */
const kn_attribute *kn_config_attribute(const kanon_config *config, kn_str name);
/** The role of a column; insensitive if the config does not name it. */
kn_role kn_config_role(const kanon_config *config, kn_str name);
/** Is this cell text a missing value? */
bool kn_config_missing(const kanon_config *config, kn_str cell);
/** The CSV options of a config; expected names are those of its attributes. Borrowed from the config
 *  until it changes. @return KANON_E_INVALID when delimiter and quote are the same */
kanon_status kn_config_csv(const kanon_config *config, kn_csv_options *out);

#endif
