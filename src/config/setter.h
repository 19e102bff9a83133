/* SPDX-License-Identifier: Apache-2.0 */
/* setter.h -- how text becomes a setting, for the command line (settings.c) and for config files (yaml.c).
 * One entry per setting; no other code knows their names. */
#ifndef KN_SETTER_H
#define KN_SETTER_H

#include "base/text.h"
#include "config/config.h"

/* Limits that no honest config comes near; they keep a hostile one from costing time or memory. */
enum {
    KN_ATTRIBUTES_MOST = 16384,
    KN_CONFIG_PARAMS_MOST = 256,
    KN_REPORTS_MOST = 64,
    KN_MISSING_MOST = 1024
};

/** Who sets, and from where: for messages and for relative file names. */
typedef struct kn_setter {
    kanon_config        *config;
    const char          *name; /* the setting, for messages */
    const char          *file; /* NULL: the command line */
    uint64_t             line;
    const char          *folder;  /* of relative file names; NULL: the current one */
    const kanon_setting *setting; /* what is set: its bounds and words */
} kn_setter;

/** In which form a config keeps a setting. */
typedef enum {
    KN_KEEPS_NOTHING, /* functions of its own take and tell it */
    KN_KEEPS_WORD,    /* an enum: the place among the words in the argument of the setting */
    KN_KEEPS_SWITCH,  /* a bool */
    KN_KEEPS_WHOLE,   /* a uint64_t within the bounds of the setting */
    KN_KEEPS_NUMBER,  /* a double; told, but taken by a function of its own */
    KN_KEEPS_TEXT,    /* a text that is not empty: a name, a column, a file */
    KN_KEEPS_ROLE     /* columns, by their role */
} kn_keeps;

typedef struct kn_setting_entry {
    kanon_setting setting;
    kn_keeps      keeps;
    size_t        field; /* place of the value in a kanon_config */
    size_t        at;    /* place of the kn_place where it was set; 0: nobody asks */
    size_t        has;   /* place of a bool: somebody chose it; 0: nobody asks */
    kn_role       role;  /* KN_KEEPS_ROLE */
    /** Takes one value or one item; NULL: as the form says. */
    kanon_status (*apply)(const kn_setter *setter, kn_str value);
    /** KANON_SHAPE_PAIR takes this one instead; any other shape takes COLUMN=VALUE, too, if there is one. */
    kanon_status (*apply_pair)(const kn_setter *setter, kn_str key, kn_str value);
    /** Before the items of a list that replaces what was there; NULL: items are added. */
    void (*clear)(kanon_config *config);
    /** Appends the index-th value as it would be set. @return false: there is none */
    bool (*tell)(const kanon_config *config, size_t index, kn_text *text);
    /** The same for a setting of columns: what stands behind COLUMN=. */
    bool (*tell_column)(const kn_attribute *attribute, kn_text *text);
} kn_setting_entry;

/** The entry of a name ("time-limit", "time_limit") and its place; false: there is none. */
bool kn_setting_find(kn_str name, kn_setting_entry *out, size_t *index);
/** May it be given under a column of a config file? */
bool kn_setting_of_column(const kn_setting_entry *entry);
/** Number of entries. */
size_t kn_setting_count(void);
/** One value or one item of a setting that takes no pairs. */
kanon_status kn_setting_take(const kn_setting_entry *entry, const kn_setter *setter, kn_str value);
/** One text in the command-line form. */
kanon_status kn_setting_apply(const kn_setting_entry *entry, kn_setter *setter, kn_str text);
/** The nearest of the settings' names and, if not NULL, one more; NULL if none is near. */
const char *kn_setting_nearest(kn_str name, const char *also);

/** "FILE:LINE: NAME: 'VALUE' given, expected EXPECTED". */
kanon_status kn_setter_refuse(const kn_setter *setter, kn_str value, const char *expected);
/** Gives the failure that was just recorded the setter's place, unless it has one. */
kanon_status kn_setter_place(const kn_setter *setter, kanon_status status);
/** A relative file name taken from the setter's folder; in the config's arena. NULL: out of memory. */
const char *kn_setter_path(const kn_setter *setter, kn_str file);
/** Names what is about to be set. */
void kn_setter_for(kn_setter *setter, const kn_setting_entry *entry);

/* --- tell.c: the index-th value of a setting as it would be set ------------------------------------ */

bool kn_tell_hierarchy(const kn_attribute *attribute, kn_text *text);
bool kn_tell_type(const kn_attribute *attribute, kn_text *text);
bool kn_tell_weight(const kn_attribute *attribute, kn_text *text);
bool kn_tell_importance(const kn_attribute *attribute, kn_text *text);
bool kn_tell_pseudonym(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_round(const kn_attribute *attribute, kn_text *text);
bool kn_tell_top(const kn_attribute *attribute, kn_text *text);
bool kn_tell_bottom(const kn_attribute *attribute, kn_text *text);
bool kn_tell_grid(const kn_attribute *attribute, kn_text *text);
bool kn_tell_min_level(const kn_attribute *attribute, kn_text *text);
bool kn_tell_max_level(const kn_attribute *attribute, kn_text *text);
bool kn_tell_level(const kn_attribute *attribute, kn_text *text);
bool kn_tell_param(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_time_limit(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_report(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_objectives(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_boxes(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_knee_k(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_delimiter(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_quote(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_no_header(const kanon_config *config, size_t index, kn_text *text);
bool kn_tell_missing(const kanon_config *config, size_t index, kn_text *text);

/* --- values.c ---------------------------------------------------------------------------------- */

/** Takes a value in the form in which the config keeps it. */
kanon_status kn_set_kept(const kn_setting_entry *entry, const kn_setter *setter, kn_str value);
/** One of the words in the setting's argument, case aside, by its place among them; refused with all. */
kanon_status kn_set_word(const kn_setter *setter, kn_str value, unsigned *out);

kanon_status kn_set_suppression(const kn_setter *setter, kn_str value);
kanon_status kn_set_param(const kn_setter *setter, kn_str key, kn_str value);
kanon_status kn_set_order_key(const kn_setter *setter, kn_str value);
kanon_status kn_set_threads(const kn_setter *setter, kn_str value);
kanon_status kn_set_time_limit(const kn_setter *setter, kn_str value);
kanon_status kn_set_report(const kn_setter *setter, kn_str value);
kanon_status kn_set_delimiter(const kn_setter *setter, kn_str value);
kanon_status kn_set_quote(const kn_setter *setter, kn_str value);
kanon_status kn_set_header(const kn_setter *setter, kn_str value);
kanon_status kn_set_no_header(const kn_setter *setter, kn_str value);
kanon_status kn_set_encoding(const kn_setter *setter, kn_str value);
kanon_status kn_set_missing(const kn_setter *setter, kn_str value);
void         kn_clear_missing(kanon_config *config);

/* --- profiles.c -------------------------------------------------------------------------------- */

kanon_status kn_set_profile(const kn_setter *setter, kn_str value);

/* --- models.c ---------------------------------------------------------------------------------- */

/** Sets what a setting of a model says; which one it is follows from the setter's name. */
kanon_status kn_set_model_value(const kn_setter *setter, kn_str value);
kanon_status kn_set_model_kind(const kn_setter *setter, kn_str value);
kanon_status kn_set_model_other(const kn_setter *setter, kn_str value);
/** The same for one column. */
kanon_status kn_set_column_value(const kn_setter *setter, kn_str column, kn_str value);
kanon_status kn_set_column_kind(const kn_setter *setter, kn_str column, kn_str value);
kanon_status kn_set_column_other(const kn_setter *setter, kn_str column, kn_str value);
/** Turns every model off. */
void kn_config_no_models(kanon_config *config);

/* --- front_values.c ---------------------------------------------------------------------------- */

kanon_status kn_set_objective(const kn_setter *setter, kn_str value);
kanon_status kn_set_knee_k(const kn_setter *setter, kn_str value);
void         kn_clear_objectives(kanon_config *config);
kanon_status kn_set_box(const kn_setter *setter, kn_str key, kn_str value);

/* --- columns.c --------------------------------------------------------------------------------- */

/** Gives a column its role: from a list of such columns, and by the word of a config file. */
kanon_status kn_column_role(const kn_setter *setter, kn_str column, kn_role role);
kanon_status kn_set_role(const kn_setter *setter, kn_str column, kn_str role);
kanon_status kn_set_type(const kn_setter *setter, kn_str column, kn_str type);
kanon_status kn_set_hierarchy(const kn_setter *setter, kn_str column, kn_str spec);
kanon_status kn_set_weight(const kn_setter *setter, kn_str column, kn_str weight);
kanon_status kn_set_importance(const kn_setter *setter, kn_str column, kn_str importance);
kanon_status kn_set_pseudonym(const kn_setter *setter, kn_str column);
kanon_status kn_set_pseudonym_of(const kn_setter *setter, kn_str column, kn_str value);
kanon_status kn_set_round(const kn_setter *setter, kn_str column, kn_str unit);
kanon_status kn_set_top(const kn_setter *setter, kn_str column, kn_str bound);
kanon_status kn_set_bottom(const kn_setter *setter, kn_str column, kn_str bound);
kanon_status kn_set_grid(const kn_setter *setter, kn_str column, kn_str width);
kanon_status kn_set_min_level(const kn_setter *setter, kn_str column, kn_str level);
kanon_status kn_set_max_level(const kn_setter *setter, kn_str column, kn_str level);
kanon_status kn_set_level(const kn_setter *setter, kn_str column, kn_str level);
/** Makes names[number] findable; the names before it are already. */
kanon_status kn_config_note_name(kanon_config *config, size_t number);
/** The attribute of a column, a new one if it was not there. Valid until the next new one. */
kanon_status kn_column_get(const kn_setter *setter, kn_str column, kn_attribute **out);
/** Takes one column name off a list or a pair: up to the separator, or in double quotes ("" is a quote in
 *  them) where the name itself holds one. *found tells whether a separator followed. */
kanon_status kn_column_take(const kn_setter *setter, kn_str *rest, char separator, kn_str *name,
                            bool *found);

#endif
