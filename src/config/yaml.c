/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.c -- the config file, YAML or JSON, read event by event with libyaml.
 *
 * A walk over events and no tree: nothing nests deeper than the keys below know, so nothing recurses on
 * the input's wish, and the first mistake stops the walk. Aliases and anchors are refused (no config needs
 * them, and a few lines of them can stand for billions of values); so are tags, a second document, a key
 * that is given twice, and a key that nobody knows. libyaml allocates on its own, outside the context; the
 * size of a config is bounded for that reason too. */
#include "config/yaml.h"

#include <stdio.h>

#include "base/text.h"
#include "config/slurp.h"

static const kn_slurp_limits config_limits = {
    16 << 20,
    "larger than 16 MiB, the maximum for a config; is it a config?",
    "a byte that is not UTF-8; save the file as UTF-8",
};

/* --- events ------------------------------------------------------------------------------------ */

uint64_t
kn_yaml_line(const kn_yaml *yaml)
{
    return (uint64_t) yaml->event.start_mark.line + 1;
}

kanon_status
kn_yaml_fail(kn_yaml *yaml, const char *format, ...)
{
    char    message[1500];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return kn_fail_at(yaml->ctx, KANON_E_PARSE, yaml->setter.file, kn_yaml_line(yaml), "%s",
                      message);
}

/* What people do wrong most, by libyaml's words for it. */
static const struct {
    const char *problem, *hint;
} hints[] = {
    { "could not find expected ':'", "is a blank missing after a ':'?" },
    { "did not find expected key", "do lines that belong together have the same indentation?" },
    { "did not find expected '-' indicator", "do the items of a list have the same indentation?" },
    { "mapping values are not allowed in this context",
      "put a text with ': ' in quotes, and give lines that belong together the same indentation" },
    { "did not find expected ',' or ']'", "is a ']' missing, or a ','?" },
    { "did not find expected ',' or '}'", "is a '}' missing, or a ','?" },
    { "did not find expected node content", "is there an extra ',' or another extra character?" },
    { "found unexpected end of stream", "is a quote not closed?" },
    { "found unknown escape character", "write \\ as \\\\ in double quotes, or use single quotes" },
    { "did not find expected alphabetic or numeric character",
      "put a text that begins with * or & in quotes" },
    { "found unexpected non-alphabetical character", "put a line that begins with % in quotes" },
    { "control characters are not allowed", "expected text" },
    { "block sequence entries are not allowed in this context",
      "a list begins on a line of its own" },
};

/* The byte at which reading stopped, or NULL. Marks count lines and columns, so lines are walked. */
static const char *
stopped_at(const kn_yaml *yaml)
{
    const yaml_parser_t *parser = &yaml->parser;
    const unsigned char *at = parser->input.string.start, *end = parser->input.string.end;
    size_t               line = parser->problem_mark.line;

    for (; at < end && line; at++)
        line -= *at == '\n';
    for (size_t column = parser->problem_mark.column; at < end && column; at++)
        column -= at + 1 == end || (at[1] & 0xc0) != 0x80;
    return at < end ? (const char *) at : NULL;
}

/* "found character that cannot start any token" says neither which one nor what to do. */
static kanon_status
fail_character(kn_yaml *yaml, uint64_t line)
{
    const char *at = stopped_at(yaml);

    if (at && *at == '\t')
        return kn_fail_at(
            yaml->ctx, KANON_E_PARSE, yaml->setter.file, line,
            "a tab before a value or key; use blanks, because YAML forbids tabs there");
    if (at && (*at == '@' || *at == '`' || *at == '%'))
        return kn_fail_at(yaml->ctx, KANON_E_PARSE, yaml->setter.file, line,
                          "a text that begins with %c; put it in quotes, as in \"%c...\"", *at,
                          *at);
    return kn_fail_at(
        yaml->ctx, KANON_E_PARSE, yaml->setter.file, line,
        "not valid YAML: found character that cannot start any token; put the text in quotes");
}

/* Bytes are looked at long before they are parsed, so that only their number tells the line. */
static uint64_t
line_of_byte(const kn_yaml *yaml)
{
    const yaml_parser_t *parser = &yaml->parser;
    const unsigned char *start = parser->input.string.start, *end = parser->input.string.end;
    uint64_t             line = 1;

    for (size_t i = 0; i < parser->problem_offset && start + i < end; i++)
        line += start[i] == '\n';
    return line;
}

/* What libyaml could not read. Its own words are kept: they are what people search for. */
static kanon_status
fail_syntax(kn_yaml *yaml)
{
    const yaml_parser_t *parser = &yaml->parser;
    const char          *problem = parser->problem ? parser->problem : "not readable", *hint = NULL;
    uint64_t             line = (uint64_t) parser->problem_mark.line + 1;

    if (parser->error == YAML_MEMORY_ERROR)
        return kn_fail_nomem(yaml->ctx);
    if (parser->error == YAML_READER_ERROR)
        line = line_of_byte(yaml);
    if (strcmp(problem, "found character that cannot start any token") == 0)
        return fail_character(yaml, line);
    for (size_t i = 0; i < KN_COUNT(hints) && !hint; i++)
        if (strcmp(problem, hints[i].problem) == 0)
            hint = hints[i].hint;
    if (parser->context)
        return kn_fail_at(yaml->ctx, KANON_E_PARSE, yaml->setter.file, line,
                          "not valid YAML: %s (%s that began at line %llu)%s%s", problem,
                          parser->context, (unsigned long long) parser->context_mark.line + 1,
                          hint ? "; " : "", hint ? hint : "");
    return kn_fail_at(yaml->ctx, KANON_E_PARSE, yaml->setter.file, line, "not valid YAML: %s%s%s",
                      problem, hint ? "; " : "", hint ? hint : "");
}

static kanon_status
refuse_extras(kn_yaml *yaml)
{
    const yaml_event_t *event = &yaml->event;
    const yaml_char_t  *anchor = NULL, *tag = NULL;

    if (event->type == YAML_ALIAS_EVENT) {
        anchor = event->data.alias.anchor;
    } else if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        if (memchr(event->data.scalar.value, 0, event->data.scalar.length))
            return kn_yaml_fail(yaml, "a NUL character; remove it");
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor)
        return kn_yaml_fail(yaml,
                            "'%.100s' is an anchor or alias; write the value itself, and put a "
                            "text that begins with & or * in quotes",
                            (const char *) anchor);
    if (tag)
        return kn_yaml_fail(yaml, "'%.100s' is a tag; write a plain value", (const char *) tag);
    return KANON_OK;
}

kanon_status
kn_yaml_next(kn_yaml *yaml)
{
    yaml_event_delete(&yaml->event); /* leaves a zeroed event, which may be deleted again */
    if (!yaml_parser_parse(&yaml->parser, &yaml->event))
        return fail_syntax(yaml);
    return refuse_extras(yaml);
}

kn_str
kn_yaml_scalar(const kn_yaml *yaml)
{
    return (kn_str){ (const char *) yaml->event.data.scalar.value, yaml->event.data.scalar.length };
}

bool
kn_yaml_empty(const kn_yaml *yaml)
{
    return yaml->event.type == YAML_SCALAR_EVENT && yaml->event.data.scalar.length == 0
        && yaml->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

kanon_status
kn_yaml_key(kn_yaml *yaml, const char **key)
{
    kanon_status rc = kn_yaml_next(yaml);

    *key = NULL;
    if (rc < 0 || yaml->event.type == YAML_MAPPING_END_EVENT)
        return rc;
    if (yaml->event.type != YAML_SCALAR_EVENT || kn_yaml_empty(yaml))
        return kn_yaml_fail(yaml, "a name is missing before the ':'; write it as in 'k: 5'");
    yaml->setter.line = kn_yaml_line(yaml);
    *key = kn_arena_text(&yaml->setter.config->arena, kn_yaml_scalar(yaml));
    return *key ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kn_yaml_value(kn_yaml *yaml, const char *expected)
{
    kanon_status rc = kn_yaml_next(yaml);

    if (rc < 0)
        return rc;
    if (yaml->event.type == YAML_SEQUENCE_START_EVENT)
        return kn_yaml_fail(yaml, "%s: a list is not valid; expected %s", yaml->setter.name,
                            expected);
    if (yaml->event.type == YAML_MAPPING_START_EVENT)
        return kn_yaml_fail(yaml, "%s: a mapping is not valid; expected %s", yaml->setter.name,
                            expected);
    if (kn_yaml_empty(yaml))
        return kn_yaml_fail(yaml, "%s: the value is missing; expected %s", yaml->setter.name,
                            expected);
    return KANON_OK;
}

kanon_status
kn_yaml_unknown(kn_yaml *yaml, const char *key, const char *where, const char *const *known)
{
    const char  *nearest = kn_nearest(key, known);
    kanon_status rc;
    kn_text      list;

    if (nearest)
        return kn_yaml_fail(yaml, "unknown key '%.100s' %s; did you mean '%s'?", key, where,
                            nearest);
    kn_text_init(&list, yaml->setter.config->ctx);
    for (size_t i = 0; known[i]; i++)
        kn_text_addf(&list, "%s%s", i ? ", " : "", known[i]);
    rc = kn_text_status(&list);
    if (rc == KANON_OK)
        rc = kn_yaml_fail(yaml, "unknown key '%.100s' %s; expected one of %s", key, where,
                          list.ptr);
    kn_text_fini(&list);
    return rc;
}

/* --- settings ---------------------------------------------------------------------------------- */

static kanon_status
read_sequence(kn_yaml *yaml, const kn_setting_entry *entry)
{
    kanon_status rc = KANON_OK;

    if (entry->clear)
        entry->clear(yaml->setter.config);
    for (;;) {
        KN_TRY(kn_yaml_next(yaml));
        if (yaml->event.type == YAML_SEQUENCE_END_EVENT)
            break;
        if (yaml->event.type != YAML_SCALAR_EVENT)
            return kn_yaml_fail(yaml,
                                "%s: a list or mapping inside the list; use plain items (put a "
                                "single ? and texts with ': ' in quotes)",
                                yaml->setter.name);
        if (kn_yaml_empty(yaml))
            return kn_yaml_fail(yaml, "%s: an empty item; write \"\" for the empty text",
                                yaml->setter.name);
        yaml->setter.line = kn_yaml_line(yaml);
        if (entry->setting.shape == KANON_SHAPE_PAIR)
            KN_TRY(kn_setting_apply(entry, &yaml->setter, kn_yaml_scalar(yaml)));
        else
            KN_TRY(kn_setting_take(entry, &yaml->setter, kn_yaml_scalar(yaml)));
    }
out:
    return rc;
}

/* param: {population: 100}, type: {age: number}, hierarchy: {age: {range: [5, 10]}} */
static kanon_status
read_pairs(kn_yaml *yaml, const kn_setting_entry *entry)
{
    kanon_status rc = KANON_OK;
    const char  *key;

    for (;;) {
        KN_TRY(kn_yaml_key(yaml, &key));
        if (!key)
            break;
        if (entry->apply_pair == kn_set_hierarchy) {
            KN_TRY(kn_yaml_next(yaml));
            KN_TRY(kn_yaml_hierarchy(yaml, key));
            kn_setter_for(&yaml->setter, entry);
        } else {
            KN_TRY(kn_yaml_value(yaml, "one value"));
            KN_TRY(entry->apply_pair(&yaml->setter, kn_str_of(key), kn_yaml_scalar(yaml)));
        }
    }
out:
    return rc;
}

static kanon_status
read_setting(kn_yaml *yaml, const kn_setting_entry *entry)
{
    static const char *const expected[] = { "one value", "true or false", "a list",
                                            "one or more files", "a mapping" };
    kanon_status             rc = KANON_OK;
    bool                     several = entry->setting.shape != KANON_SHAPE_VALUE
                && entry->setting.shape != KANON_SHAPE_SWITCH;

    kn_setter_for(&yaml->setter, entry);
    if (!several) {
        KN_TRY(kn_yaml_value(yaml, expected[entry->setting.shape]));
        return kn_setting_apply(entry, &yaml->setter, kn_yaml_scalar(yaml));
    }
    KN_TRY(kn_yaml_next(yaml));
    if (yaml->event.type == YAML_SEQUENCE_START_EVENT)
        return read_sequence(yaml, entry);
    if (yaml->event.type == YAML_MAPPING_START_EVENT && entry->setting.shape == KANON_SHAPE_PAIR)
        return read_pairs(yaml, entry);
    if (yaml->event.type == YAML_MAPPING_START_EVENT)
        return kn_yaml_fail(yaml, "%s: a mapping is not valid; expected %s", yaml->setter.name,
                            expected[entry->setting.shape]);
    if (kn_yaml_empty(yaml))
        return kn_yaml_fail(yaml, "%s: the value is missing; expected %s", yaml->setter.name,
                            expected[entry->setting.shape]);
    return kn_setting_apply(entry, &yaml->setter, kn_yaml_scalar(yaml));
out:
    return rc;
}

/* The slot after the settings' stands for `attributes`. */
static kanon_status
note_key(kn_yaml *yaml, const char *key, size_t slot)
{
    if (yaml->seen[slot])
        return kn_yaml_fail(yaml, "'%s' is given twice, first at line %llu; remove one of them",
                            key, (unsigned long long) yaml->seen[slot]);
    yaml->seen[slot] = kn_yaml_line(yaml);
    return KANON_OK;
}

/* Nothing is near it, so all there is. */
static kanon_status
unknown_at_top(kn_yaml *yaml, const char *key)
{
    const char *names[128] = { "attributes" };

    for (size_t i = 0; kanon_setting_at(i) && i + 2 < KN_COUNT(names); i++)
        names[i + 1] = kanon_setting_at(i)->name;
    return kn_yaml_unknown(yaml, key, "at the top", names);
}

static kanon_status
read_top(kn_yaml *yaml)
{
    kanon_status rc = KANON_OK;

    for (;;) {
        const char      *key;
        kn_setting_entry entry;
        size_t           index;

        KN_TRY(kn_yaml_key(yaml, &key));
        if (!key)
            break;
        if (strcmp(key, "attributes") == 0) {
            KN_TRY(note_key(yaml, key, kn_setting_count()));
            KN_TRY(kn_yaml_attributes(yaml));
            continue;
        }
        if (!kn_setting_find(kn_str_of(key), &entry, &index)) {
            const char *const nearest[] = { kn_setting_nearest(kn_str_of(key), "attributes"),
                                            NULL };

            return nearest[0] ? kn_yaml_unknown(yaml, key, "at the top", nearest)
                              : unknown_at_top(yaml, key);
        }
        KN_TRY(note_key(yaml, key, index));
        KN_TRY(read_setting(yaml, &entry));
    }
out:
    return rc;
}

static kanon_status
read_document(kn_yaml *yaml)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_yaml_next(yaml)); /* the stream */
    KN_TRY(kn_yaml_next(yaml));
    if (yaml->event.type == YAML_STREAM_END_EVENT)
        return KANON_OK; /* nothing but comments: every setting keeps its default */
    KN_TRY(kn_yaml_next(yaml));
    if (yaml->event.type == YAML_MAPPING_START_EVENT)
        KN_TRY(read_top(yaml));
    else if (!kn_yaml_empty(yaml))
        return kn_yaml_fail(
            yaml, "not a mapping; write lines such as 'k: 5', with a blank after the colon");
    KN_TRY(kn_yaml_next(yaml)); /* the end of the document */
    KN_TRY(kn_yaml_next(yaml));
    if (yaml->event.type != YAML_STREAM_END_EVENT)
        return kn_yaml_fail(yaml, "a second document; remove the line ---");
out:
    return rc;
}

/* --- the file ---------------------------------------------------------------------------------- */

static kanon_status
parse(kn_yaml *yaml, const kn_text *text)
{
    kanon_status rc;
    const char  *bytes = text->ptr ? text->ptr : "";

    if (!yaml_parser_initialize(&yaml->parser))
        return kn_fail_nomem(yaml->ctx);
    yaml_parser_set_encoding(&yaml->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&yaml->parser, (const unsigned char *) bytes, text->len);
    rc = read_document(yaml);
    yaml_event_delete(&yaml->event);
    yaml_parser_delete(&yaml->parser);
    return rc;
}

kanon_status
kanon_config_read(kanon_config *config, const kanon_source *source, const char *folder)
{
    kanon_status rc = KANON_OK;
    kn_text      text;
    kn_yaml      yaml;

    if (!source)
        return kn_fail(config->ctx, KANON_E_INVALID, "kanon_config_read: source is required");
    memset(&yaml, 0, sizeof yaml);
    yaml.ctx = config->ctx;
    yaml.setter = (kn_setter){ config, "", NULL, 0, folder, NULL };
    kn_text_init(&text, config->ctx);
    yaml.seen = KN_NEW_ARRAY(config->ctx, uint64_t, kn_setting_count() + 1);
    yaml.seen_of_column = KN_NEW_ARRAY(config->ctx, uint64_t, kn_setting_count() + 1);
    yaml.setter.file = kn_arena_text(&config->arena,
                                     kn_str_of(source->name ? source->name : "config"));
    KN_TRY(KN_HAVE(yaml.seen && yaml.seen_of_column && yaml.setter.file));
    KN_TRY(kn_slurp(config->ctx, source, &config_limits, &text));
    KN_TRY(parse(&yaml, &text));
out:
    kn_free(config->ctx, yaml.seen);
    kn_free(config->ctx, yaml.seen_of_column);
    kn_free(config->ctx, yaml.entries);
    kn_text_fini(&text);
    return rc;
}
