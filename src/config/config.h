/* SPDX-License-Identifier: Apache-2.0 */
/* config.h -- the inside of a config: every setting of a job, filled from options and YAML.
 * settings.c holds the one table of names that options, config file, help and completion share. */
#ifndef KN_CONFIG_H
#define KN_CONFIG_H

#include "base/arena.h"
#include "base/text.h"
#include "encode/value.h"
#include "formats/csv.h"
#include "group/local.h"
#include "hierarchy/hierarchy.h"
#include "privacy/registry.h"

typedef enum {
    KN_ROLE_NONE, /* nobody has chosen one */
    KN_ROLE_IDENTIFIER,
    KN_ROLE_QUASI,
    KN_ROLE_SENSITIVE,
    KN_ROLE_INSENSITIVE
} kn_role;

extern const char *const kn_role_names[]; /* by role, then NULL; so are the others */
const char              *kn_role_name(kn_role role);

/** How much a column matters, in words; what each weighs is in columns.c. */
typedef enum {
    KN_IMPORTANCE_NONE, /* not said in words */
    KN_IMPORTANCE_LOW,
    KN_IMPORTANCE_NORMAL,
    KN_IMPORTANCE_HIGH
} kn_importance;

extern const char *const kn_importance_names[]; /* by importance, then NULL */

typedef enum { KN_SUPPRESSED_DROP, KN_SUPPRESSED_MASK } kn_suppressed;
typedef enum { KN_IDENTIFIERS_MASK, KN_IDENTIFIERS_DROP } kn_identifiers;
/** What a release does with columns that have no role. */
typedef enum { KN_OTHERS_REFUSE, KN_OTHERS_DROP, KN_OTHERS_KEEP } kn_others;
typedef enum { KN_FORMULAS_KEEP, KN_FORMULAS_QUOTE } kn_formulas;
typedef enum { KN_INTERVALS_TO, KN_INTERVALS_DASH } kn_intervals;
/** Who will read a report: whoever holds the table, or whoever gets the release. */
typedef enum { KN_AUDIENCE_INTERNAL, KN_AUDIENCE_EXTERNAL } kn_audience;
/** Where a setting was made: file NULL is the command line. For messages of checks that come later. */
typedef struct kn_place {
    const char *file;
    uint64_t    line;
} kn_place;

/** What is asked of the models of one setting. */
typedef struct kn_asked {
    double      value;  /* below 0: off, or a column is named instead */
    double      given;  /* as it was given; whether it asks for anything depends on the kind */
    double      other;  /* the other parameter, or the MIN of a range */
    const char *column; /* KN_ASKS_COLUMN; NULL: off */
    size_t      kind;   /* place among the words of the setting's kinds */
    bool        has_value, has_kind, has_other; /* somebody chose it; for a column: for it alone */
    bool     idle; /* somebody asked for what every class satisfies: it is off, and that is told */
    kn_place at;
} kn_asked;

/** The privacy models beyond k rows. */
typedef struct kn_model_settings {
    kn_asked    asked[KN_MODEL_COUNT]; /* by kn_model_setting_index() */
    const char *population;            /* file; NULL: none */
    bool        told;                  /* what is wrong with them was said already */
} kn_model_settings;

/** What is asked of the models of a setting, for all columns that say nothing else. */
const kn_asked *kn_config_asked(const kanon_config *config, const kn_model_setting *setting);
/** Is any of them on? */
bool kn_asked_on(const kn_asked *asked);
/** The first setting that asks for a model of such a scope; NULL: there is none. */
const kn_model_setting *kn_config_asks(const kanon_config *config, kn_scope scope);
/** How labels of the values of a domain are to be written. */
void kn_config_style(const kanon_config *config, kn_domain *domain);
/** The column that tells persons apart; NULL: rows are counted. */
const char *kn_config_entity(const kanon_config *config);

extern const char *const kn_local_names[], *const kn_snap_names[];
extern const char *const kn_suppressed_names[], *const kn_identifiers_names[];
extern const char *const kn_others_names[], *const kn_formulas_names[];
extern const char *const kn_intervals_names[];
const char              *kn_local_name(kn_local local);
const char              *kn_snap_name(kn_snap snap);

enum { KN_ANY_LEVEL = 256 };

/** Levels of a hierarchy that a release may use, as they were given; KN_ANY_LEVEL: not given. */
typedef struct kn_level_limits {
    unsigned min, max, fixed;
    kn_place at; /* of the last one given */
} kn_level_limits;

/** What numbers become before anything else sees them, in the release too. */
typedef struct kn_number_coding {
    kn_decimal round, top, bottom;
    bool       has_round, has_top, has_bottom;
    kn_place   at; /* of the last one given */
} kn_number_coding;

typedef struct kn_attribute {
    const char      *name;
    kn_asked        *asked; /* of models for it alone, by kn_model_setting_index(); NULL: nothing */
    kn_role          role;
    kn_type          type;
    kn_hier_spec     hierarchy;   /* kind AUTO unless given */
    double           weight;      /* in means over the quasi-identifiers; 1 unless given */
    kn_importance    importance;  /* that the weight stands for */
    const char      *weight_file; /* config file that gives either, or NULL: the command line */
    kn_decimal       grid;        /* that intervals of local recoding end on; 0: none was given */
    kn_level_limits  levels;
    kn_number_coding coding;
    const char      *file; /* config file that names it, or NULL: the command line; for messages */
    uint64_t         line;
    bool has_hierarchy; /* somebody chose it; otherwise it is auto for want of a choice */
    bool has_weight;    /* as a number or in words */
    bool pseudonym;     /* an identifier: equal cells become equal pseudonyms */
} kn_attribute;

typedef struct kn_setting {
    const char *key;
    const char *value;
} kn_setting;

typedef struct kn_box_setting {
    const char *name; /* of the objective */
    double      side;
} kn_box_setting;

/** A point of a front that shall be released. */
typedef struct kn_pick_column {
    const char *name, *print; /* print: of the hierarchy's levels */
    uint32_t    height, level;
} kn_pick_column;

typedef struct kn_pick {
    const char     *file;
    size_t          number;     /* 1 is the first point */
    uint64_t        k;          /* that the front promises there */
    uint64_t        suppressed; /* rows that it suppresses there */
    const char     *input;      /* hash of the table */
    kn_pick_column *columns;
    size_t          ncolumns;
    kn_setting     *settings; /* as the front has them, where its promise depends on them */
    size_t          nsettings;
} kn_pick;

enum { KN_ORDER_KEY_LEAST = 32, KN_ORDER_KEY_MOST = 64 }; /* digits of a key that is given */

struct kanon_config {
    kanon_ctx *ctx;
    kn_arena   arena; /* all texts */
    kn_text    told;  /* what kanon_config_get() handed out last */

    uint64_t       k;     /* 5 */
    bool           has_k; /* somebody chose it */
    kn_place       k_at;
    unsigned       profile; /* 0: none; see profiles.h */
    kn_place       profile_at;
    double         suppression; /* 0.01 */
    kn_suppressed  suppressed;
    kn_identifiers identifiers;
    kn_others      others;
    kn_formulas    formulas;  /* cells that a spreadsheet would run */
    kn_intervals   intervals; /* how they are written: 20 to 29, 20-29 */
    kn_audience    audience;  /* of the reports */
    kn_local       local;
    kn_snap        snap;
    const char    *algorithm; /* "auto" */
    const char    *metric;    /* NULL: not chosen; see kn_config_metric() */
    const char    *label;     /* class column for cm; NULL: the first sensitive one */
    const char    *count;     /* column that says for how many rows each stands; NULL: for itself */
    bool           keep_order;
    bool           wildcard;       /* check only */
    uint64_t       seed;           /* 1 */
    const char    *pseudonym_key;  /* file with the secret key; NULL: fresh for each job */
    const char    *order_key;      /* lower-case hexadecimal digits; NULL: fresh for each job */
    uint64_t       threads;        /* 0: all cores */
    double         time_limit_s;   /* 0: none */
    bool           has_time_limit; /* somebody chose it, or that there is none */

    char          delimiter, quote;
    kn_header     header;
    kn_encoding   encoding;
    uint64_t      skip, skip_footer; /* lines */
    bool          has_skip, has_skip_footer;
    kn_duplicates duplicates;
    const char  **missing; /* default "", "?", "NA" */
    size_t        nmissing;

    kn_model_settings models;

    kn_place algorithm_at, metric_at, label_at, count_at;
    kn_place params_at, weight_at; /* the last one given */

    const char *taken_from; /* the report that the settings were taken from; NULL: none */

    /* of a front */
    const char    *objectives[8]; /* none: k and glm */
    size_t         nobjectives;
    kn_box_setting boxes[8];
    size_t         nboxes;
    uint64_t       knee_k[2]; /* 2 to 50: the k that a knee may have */
    kn_place       objectives_at, boxes_at;
    const kn_pick *pick; /* NULL: levels are searched for */

    bool     unlinked;     /* benchmarks only: released columns are not looked at together */
    unsigned keep_classes; /* kanon_rows flags: a result keeps the class of each row */

    kn_attribute          *attributes; /* in order of first mention */
    size_t                 nattributes, attributes_capacity;
    kn_str                *names; /* of the attributes, in the same order */
    size_t                 names_capacity;
    uint32_t              *places;  /* where a name stands in names, from 1, by its hash; 0: free */
    size_t                 nplaces; /* a power of two, or 0 */
    const kn_model_class **own_models; /* that were added (own_models.c) */
    size_t                 nown_models, own_models_capacity;
    const struct kn_algorithm **algorithms; /* that were added (algorithm/own.c) */
    size_t                      nalgorithms, algorithms_capacity;
    kn_setting                 *params;
    size_t                      nparams, params_capacity;
    const char                **reports;
    size_t                      nreports, reports_capacity;
};

/** What is asked of the models of a setting for a column: what was given for it alone, the rest as for all
 *  columns. attribute: may be NULL */
kn_asked kn_config_asked_of(const kanon_config *config, const kn_model_setting *setting,
                            const kn_attribute *attribute);
/** Was anything of a setting given for a column alone? NULL: no. */
const kn_asked *kn_attribute_asked(const kn_attribute *attribute, const kn_model_setting *setting);

/** What is minimised: the metric that was chosen, else the algorithm's own (NULL: it has none), else the
 *  usual one. */
const char *kn_config_metric(const kanon_config *config, const char *own);
/** Settings that the internal report of a job repeats: its labels follow from them. Ends with NULL. */
extern const char *const kn_reported_settings[];
/** The index-th value of a setting as it would be set; false past the last one. A list is one value. */
bool kn_setting_tell_at(const kanon_config *config, const char *name, size_t index, kn_text *text);
/** All values of a setting as they would be set, with ", " between them; nothing where none was given. */
void kn_setting_tell(const kanon_config *config, const char *name, kn_text *text);
/** How many threads a job may use. */
unsigned kn_config_threads(const kanon_config *config);
/** The attribute of that name, or NULL. */
const kn_attribute *kn_config_attribute(const kanon_config *config, kn_str name);
/** The role of a column; KN_ROLE_NONE if nobody gave it one. */
kn_role kn_config_role(const kanon_config *config, kn_str name);
/** Does the release show no cell of a column: an identifier, or a column without a role that is dropped? */
bool kn_config_hides(const kanon_config *config, kn_str name);
/** Are the numbers of a column coded? */
bool kn_attribute_coded(const kn_attribute *attribute);
/** Has somebody limited the levels of a column? */
bool kn_levels_limited(const kn_level_limits *limits);
/** Is this cell text a missing value? */
bool kn_config_missing(const kanon_config *config, kn_str cell);
/** The CSV options of a config; expected names are those of its attributes. Borrowed from the config
 *  until it changes. @return KANON_E_INVALID when delimiter and quote are the same */
kanon_status kn_config_csv(const kanon_config *config, kn_csv_options *out);

#endif
