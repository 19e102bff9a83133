/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.h -- the inside of the config file reader: a walk over libyaml's events. */
#ifndef KN_YAML_H
#define KN_YAML_H

#include <yaml.h>

#include "config/setter.h"

typedef struct kn_yaml {
    kanon_ctx    *ctx;
    kn_setter     setter; /* file, folder; line of the key that is being read */
    yaml_parser_t parser;
    yaml_event_t  event;          /* the current one */
    uint64_t     *seen;           /* per setting: the line of its key, 0: not yet */
    uint64_t     *seen_of_column; /* the same for the column that is being read, then its role */
    uint64_t     *entries;        /* per attribute: the line of its entry, 0: none */
    size_t        entries_capacity;
} kn_yaml;

/** Goes to the next event. Aliases, anchors, tags and NUL bytes end the walk here. */
kanon_status kn_yaml_next(kn_yaml *yaml);
/** As kn_fail_at, at the line of the current event. */
kanon_status kn_yaml_fail(kn_yaml *yaml, const char *format, ...) KN_PRINTF(2, 3);
/** The line of the current event. */
uint64_t kn_yaml_line(const kn_yaml *yaml);
/** The text of the current event, which is a scalar; valid until the next one. */
kn_str kn_yaml_scalar(const kn_yaml *yaml);
/** Is the current event a value at all? False for `key:` with nothing behind it. */
bool kn_yaml_empty(const kn_yaml *yaml);
/** Goes to the next key of a mapping and copies it into the config's arena; *key is NULL at the end of
 *  the mapping. The setter's line becomes that of the key. */
kanon_status kn_yaml_key(kn_yaml *yaml, const char **key);
/** Refuses a key that nobody knows. known ends with NULL. */
kanon_status kn_yaml_unknown(kn_yaml *yaml, const char *key, const char *where,
                             const char *const *known);
/** Goes to the next event, which must be a scalar that is there. */
kanon_status kn_yaml_value(kn_yaml *yaml, const char *expected);

/** The value of `attributes:`; the next event is its beginning. */
kanon_status kn_yaml_attributes(kn_yaml *yaml);
/** The value of a `hierarchy:`; the current event is its beginning. */
kanon_status kn_yaml_hierarchy(kn_yaml *yaml, const char *column);

#endif
