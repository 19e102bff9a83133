/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_columns.c -- the `attributes:` part of a config file: role, type, weight, grid, hierarchy of a column.
 * Hierarchies without a file are turned into their command-line form, so that one parser checks both. */
#include "base/text.h"
#include "config/yaml.h"

enum { ITEMS_MOST = 256 };

/* --- hierarchies ------------------------------------------------------------------------------- */

static const char *const hierarchy_keys[] = { "range", "mask", "date",    "place",   "file",
                                              "order", "auto", "pack",    "ip",      "email",
                                              "time",  "grid", "columns", "unknown", NULL };
enum {
    KEY_PLACE = 3,
    KEY_FILE = 4,
    KEY_AUTO = 6,
    KEY_PACK = 7, /* to EMAIL: kinds that may not understand a value */
    KEY_EMAIL = 9,
    KEY_KINDS = 12,
    KEY_COLUMNS = 12,
    KEY_UNKNOWN = 13
};

typedef struct items {
    const char **texts;
    size_t       count;
    uint64_t     line;
} items;

typedef struct hierarchy {
    size_t kind; /* an index of hierarchy_keys; KEY_KINDS: none yet */
    items  values, columns;
    items  unknown;
} hierarchy;

static kanon_status
add_item(kn_yaml *yaml, items *list)
{
    kn_arena *arena = &yaml->setter.config->arena;

    if (yaml->event.type != YAML_SCALAR_EVENT || kn_yaml_empty(yaml))
        return kn_yaml_fail(yaml,
                            "%s: a list, a mapping or nothing; use plain items such as [5, 10]",
                            yaml->setter.name);
    if (list->count == ITEMS_MOST)
        return kn_yaml_fail(yaml, "%s: too many items; the maximum is %d", yaml->setter.name,
                            ITEMS_MOST);
    if (!list->texts)
        list->texts = kn_arena_alloc(arena, ITEMS_MOST * sizeof *list->texts);
    if (!list->texts)
        return KANON_E_NOMEM;
    list->texts[list->count] = kn_arena_text(arena, kn_yaml_scalar(yaml));
    return list->texts[list->count++] ? KANON_OK : KANON_E_NOMEM;
}

/* One item or a list of them. */
static kanon_status
read_items(kn_yaml *yaml, items *list)
{
    kanon_status rc = KANON_OK;

    if (list->line)
        return kn_yaml_fail(yaml, "'%s' is given twice, first at line %llu; remove one of them",
                            yaml->setter.name, (unsigned long long) list->line);
    list->line = kn_yaml_line(yaml);
    KN_TRY(kn_yaml_next(yaml));
    if (yaml->event.type != YAML_SEQUENCE_START_EVENT)
        return add_item(yaml, list);
    for (;;) {
        KN_TRY(kn_yaml_next(yaml));
        if (yaml->event.type == YAML_SEQUENCE_END_EVENT)
            break;
        KN_TRY(add_item(yaml, list));
    }
    if (list->count == 0)
        return kn_yaml_fail(yaml, "%s: the list is empty; give at least one item",
                            yaml->setter.name);
out:
    return rc;
}

/* The next key of a mapping, by its place among those that it may have; *key is NULL at its end. */
static kanon_status
next_key(kn_yaml *yaml, const char *const *keys, const char *where, const char **key, size_t *at)
{
    kanon_status rc = kn_yaml_key(yaml, key);

    *at = 0;
    if (rc < 0 || !*key)
        return rc;
    while (keys[*at] && strcmp(keys[*at], *key) != 0)
        ++*at;
    return keys[*at] ? KANON_OK : kn_yaml_unknown(yaml, *key, where, keys);
}

static kanon_status
read_mapping(kn_yaml *yaml, hierarchy *found)
{
    kanon_status rc = KANON_OK;

    for (;;) {
        const char *key;
        size_t      at;

        KN_TRY(next_key(yaml, hierarchy_keys, "in a hierarchy", &key, &at));
        if (!key)
            break;
        if (at < KEY_KINDS && found->kind < KEY_KINDS && found->kind != at)
            return kn_yaml_fail(yaml, "two kinds of hierarchy, %s and %s; use one",
                                hierarchy_keys[found->kind], key);
        yaml->setter.name = hierarchy_keys[at];
        if (at < KEY_KINDS)
            found->kind = at;
        KN_TRY(read_items(yaml, at < KEY_KINDS      ? &found->values
                                : at == KEY_COLUMNS ? &found->columns
                                                    : &found->unknown));
    }
    if (found->kind == KEY_KINDS)
        return kn_yaml_fail(
            yaml,
            "the hierarchy has no kind; use range, mask, date, place, file, order, pack, time, ip, "
            "email, grid or auto");
out:
    return rc;
}

/* unknown: other, or refuse. */
static kanon_status
set_unknown(kn_setter *setter, const hierarchy *found, kn_hier_spec *spec)
{
    const char *unknown;

    if (!found->unknown.count)
        return KANON_OK;
    unknown = found->unknown.texts[0];
    setter->name = "unknown";
    setter->line = found->unknown.line;
    spec->unknown_other = strcmp(unknown, "other") == 0;
    if (found->unknown.count > 1 || (!spec->unknown_other && strcmp(unknown, "refuse") != 0))
        return kn_setter_refuse(setter, kn_str_of(unknown), "other or refuse");
    return KANON_OK;
}

/* place and file: the file's name may hold anything, so it does not go through the text form. */
static kanon_status
from_file(kn_yaml *yaml, const char *column, const hierarchy *found)
{
    kn_setter    *setter = &yaml->setter;
    kn_attribute *attribute;
    kanon_status  rc = kn_column_get(setter, kn_str_of(column), &attribute);
    kn_hier_spec *spec;

    if (rc < 0)
        return rc;
    if (found->values.count != 1 || !found->values.texts[0][0])
        return kn_yaml_fail(yaml, "%s: expected the name of one file", hierarchy_keys[found->kind]);
    if (found->kind == KEY_FILE && found->columns.line)
        return kn_yaml_fail(yaml, "columns: only place has it; use only file and unknown here");
    spec = &attribute->hierarchy;
    memset(spec, 0, sizeof *spec);
    spec->kind = found->kind == KEY_PLACE ? KN_HIER_PLACE : KN_HIER_FILE;
    spec->file = kn_setter_path(setter, kn_str_of(found->values.texts[0]));
    spec->items = found->columns.texts;
    spec->nitems = found->columns.count;
    attribute->has_hierarchy = true;
    return spec->file ? set_unknown(setter, found, spec) : KANON_E_NOMEM;
}

/* {range: [5, 10]} is "range:5,10"; {auto: true}, {order: true} and {range: auto} are the bare word. */
static kanon_status
from_text(kn_yaml *yaml, const char *column, const hierarchy *found)
{
    kanon_status  rc;
    kn_text       text;
    kn_attribute *attribute;
    const items  *values = &found->values;
    bool          bare = values->count == 1
             && (strcmp(values->texts[0], "true") == 0 || strcmp(values->texts[0], "auto") == 0);

    if (found->columns.line)
        return kn_yaml_fail(yaml, "columns: only place has it, not %s",
                            hierarchy_keys[found->kind]);
    if (found->unknown.line && (found->kind < KEY_PACK || found->kind > KEY_EMAIL))
        return kn_yaml_fail(yaml, "unknown: only place, file, pack, ip and email have it, not %s",
                            hierarchy_keys[found->kind]);
    if (found->kind == KEY_AUTO && !bare)
        return kn_setter_refuse(&yaml->setter, kn_str_of(values->texts[0]), "auto: true");
    kn_text_init(&text, yaml->ctx);
    kn_text_addz(&text, hierarchy_keys[found->kind]);
    for (size_t i = 0; i < values->count && !bare; i++)
        kn_text_addf(&text, "%c%s", i ? ',' : ':', values->texts[i]);
    rc = kn_text_status(&text);
    if (rc == KANON_OK)
        rc = kn_set_hierarchy(&yaml->setter, kn_str_of(column), (kn_str){ text.ptr, text.len });
    if (rc == KANON_OK)
        rc = kn_column_get(&yaml->setter, kn_str_of(column), &attribute);
    if (rc == KANON_OK)
        rc = set_unknown(&yaml->setter, found, &attribute->hierarchy);
    kn_text_fini(&text);
    return rc;
}

kanon_status
kn_yaml_hierarchy(kn_yaml *yaml, const char *column)
{
    hierarchy    found = { KEY_KINDS, { NULL, 0, 0 }, { NULL, 0, 0 }, { NULL, 0, 0 } };
    uint64_t     line = yaml->setter.line;
    kanon_status rc;

    yaml->setter.name = "hierarchy";
    if (yaml->event.type == YAML_SEQUENCE_START_EVENT || kn_yaml_empty(yaml))
        return kn_yaml_fail(
            yaml, "hierarchy: expected a mapping such as {range: [5, 10]}, or a text such as "
                  "auto");
    if (yaml->event.type == YAML_SCALAR_EVENT)
        return kn_set_hierarchy(&yaml->setter, kn_str_of(column), kn_yaml_scalar(yaml));
    rc = read_mapping(yaml, &found);
    if (rc < 0)
        return rc;
    yaml->setter.line = line;
    if (found.kind == KEY_PLACE || found.kind == KEY_FILE)
        return from_file(yaml, column, &found);
    return from_text(yaml, column, &found);
}

/* --- attributes -------------------------------------------------------------------------------- */

/* A column that also stands in `qi:` has an attribute already; its entry is still its first one. */
static kanon_status
note_entry(kn_yaml *yaml, const char *column)
{
    kanon_config *config = yaml->setter.config;
    kn_attribute *attribute;
    void         *block = yaml->entries;
    size_t        before = yaml->entries_capacity, at;
    kanon_status  rc = kn_column_get(&yaml->setter, kn_str_of(column), &attribute);

    if (rc < 0)
        return rc;
    rc = kn_grow(yaml->ctx, &block, &yaml->entries_capacity, config->nattributes, sizeof(uint64_t));
    if (rc < 0)
        return rc;
    yaml->entries = block;
    memset(yaml->entries + before, 0, (yaml->entries_capacity - before) * sizeof(uint64_t));
    at = (size_t) (attribute - config->attributes);
    if (yaml->entries[at])
        return kn_yaml_fail(
            yaml, "column '%.100s' is given twice, first at line %llu; remove one of them", column,
            (unsigned long long) yaml->entries[at]);
    yaml->entries[at] = kn_yaml_line(yaml);
    if (attribute->role == KN_ROLE_NONE) { /* else the place of its role is the one to tell */
        attribute->file = yaml->setter.file;
        attribute->line = yaml->setter.line;
    }
    return KANON_OK;
}

/* What stands behind a key, where it is no single value. */
static const char *
expected_of(const kn_setting_entry *entry)
{
    if (entry->apply_pair == kn_set_role)
        return "identifier, quasi, sensitive or insensitive";
    switch (entry->setting.type) {
    case KANON_VALUE_INTEGER:
        return "a whole number";
    case KANON_VALUE_NUMBER:
        return "a number";
    default:
        return "one value";
    }
}

static kanon_status
unknown_of_column(kn_yaml *yaml, const char *key)
{
    kanon_status     rc;
    size_t           count = 0;
    kn_setting_entry entry;
    const char     **names = KN_NEW_ARRAY(yaml->ctx, const char *, kn_setting_count() + 2);

    if (!names)
        return KANON_E_NOMEM;
    names[count++] = "role";
    for (size_t i = 0; kanon_setting_at(i); i++) {
        size_t place;

        if (kn_setting_find(kn_str_of(kanon_setting_at(i)->name), &entry, &place)
            && kn_setting_of_column(&entry))
            names[count++] = kanon_setting_at(i)->name;
    }
    names[count] = NULL;
    rc = kn_yaml_unknown(yaml, key, "of a column", names);
    kn_free(yaml->ctx, (void *) names);
    return rc;
}

/* Everything that the table of settings says about single columns, and the role. */
static kanon_status
read_attribute(kn_yaml *yaml, const char *column)
{
    static const kn_setting_entry role = { .setting = { .name = "role" },
                                           .apply_pair = kn_set_role };
    kanon_status                  rc = KANON_OK;
    size_t                        count = kn_setting_count();

    memset(yaml->seen_of_column, 0, (count + 1) * sizeof *yaml->seen_of_column);
    for (;;) {
        const char      *key;
        kn_setting_entry entry = role;
        size_t           at = count;

        KN_TRY(kn_yaml_key(yaml, &key));
        if (!key)
            break;
        if (strcmp(key, "role") != 0
            && (!kn_setting_find(kn_str_of(key), &entry, &at) || !kn_setting_of_column(&entry)))
            return unknown_of_column(yaml, key);
        if (yaml->seen_of_column[at])
            return kn_yaml_fail(yaml, "'%s' is given twice, first at line %llu; remove one of them",
                                key, (unsigned long long) yaml->seen_of_column[at]);
        yaml->seen_of_column[at] = kn_yaml_line(yaml);
        kn_setter_for(&yaml->setter, &entry);
        if (entry.apply_pair == kn_set_hierarchy) {
            KN_TRY(kn_yaml_next(yaml));
            KN_TRY(kn_yaml_hierarchy(yaml, column));
            continue;
        }
        KN_TRY(kn_yaml_value(yaml, expected_of(&entry)));
        KN_TRY(entry.apply_pair(&yaml->setter, kn_str_of(column), kn_yaml_scalar(yaml)));
    }
out:
    return rc;
}

kanon_status
kn_yaml_attributes(kn_yaml *yaml)
{
    kanon_status rc = KANON_OK;
    const char  *column;

    yaml->setter.name = "attributes";
    KN_TRY(kn_yaml_next(yaml));
    if (yaml->event.type != YAML_MAPPING_START_EVENT)
        return kn_yaml_fail(
            yaml, "attributes: expected a mapping of columns, such as 'age: {role: quasi}'");
    for (;;) {
        KN_TRY(kn_yaml_key(yaml, &column));
        if (!column)
            break;
        yaml->setter.name = "attributes";
        KN_TRY(note_entry(yaml, column));
        KN_TRY(kn_yaml_next(yaml));
        if (yaml->event.type != YAML_MAPPING_START_EVENT)
            return kn_yaml_fail(yaml, "column '%.100s': expected a mapping such as {role: quasi}",
                                column);
        KN_TRY(read_attribute(yaml, column));
    }
out:
    return rc;
}
