/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c -- the JSON Schema (draft 2020-12) of a described result, in one edition. A shape becomes a
 * definition of its name; conditions become if/then/else, so a schema also refuses a report that has a part
 * which cannot be there, or lacks one that must. */
#include <math.h>

#include "result/tree.h"

enum { SET_MOST = 64 };

typedef struct set {
    size_t      count;
    const void *of[SET_MOST];
} set;

typedef enum nullness { NEVER_NULL, OR_NULL, ALWAYS_NULL } nullness;

typedef struct writer {
    kn_json    json;
    kn_edition edition;
} writer;

static const struct {
    const char *json;
    double      least, most;
    const char *pattern;
} scalars[] = {
#define SCALAR(name, json, least, most, pattern)                                                   \
    { json, (double) (least), (double) (most), pattern },
    KN_SCALAR_LIST(SCALAR)
#undef SCALAR
};

static bool
add(set *to, const void *what)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->of[i] == what)
            return false;
    assert(to->count < SET_MOST);
    to->of[to->count++] = what;
    return true;
}

/* The next field of a shape that the edition shows; after NULL: the first. */
static const kn_field *
next_field(const writer *s, const kn_described *shape, const kn_field *after)
{
    const kn_field *at = after ? after + 1 : shape->fields;

    while (at->meaning && !(at->seen & s->edition))
        at++;
    return at->meaning ? at : NULL;
}

static void
find_shapes(const writer *s, const kn_described *shape, set *out)
{
    for (const kn_field *f = NULL; (f = next_field(s, shape, f));)
        if (f->shape && add(out, f->shape))
            find_shapes(s, f->shape, out);
}

static nullness
nullness_of(const writer *s, const kn_field *f)
{
    return kn_field_known(f, s->edition) || f->flags & (KN_OR_NULL | KN_ZERO_IS_NULL) ? OR_NULL
                                                                                      : NEVER_NULL;
}

/* --- values -------------------------------------------------------------------------------------------- */

static void
put_description(writer *s, const kn_field *f)
{
    const kn_condition *given = kn_field_given(f, s->edition);
    const kn_condition *known = kn_field_known(f, s->edition);
    kn_text             text;

    kn_text_init(&text, s->json.text->ctx);
    kn_text_addz(&text, f->meaning);
    if (given)
        kn_text_addf(&text, "; absent %s", given->otherwise);
    if (known)
        kn_text_addf(&text, "; null %s", known->otherwise);
    if (kn_text_status(&text) == KANON_OK)
        kn_json_string(&s->json, "description", text.ptr);
    s->json.text->failed |= text.failed;
    kn_text_fini(&text);
}

static const char *
json_type(const kn_field *f)
{
    switch (f->type) {
    case KN_AS_CHOICE:
        return "string";
    case KN_AS_FIXED:
        return "integer";
    case KN_AS_LIST:
        return "array";
    case KN_AS_OBJECT:
    case KN_AS_MAP:
    case KN_AS_SPREAD:
        return "object";
    default:
        return scalars[f->type].json;
    }
}

/* One type, or several separated by blanks. */
static void
put_type(writer *s, const char *types, nullness null)
{
    char   type[16];
    size_t length;

    if (null != OR_NULL && !strchr(types, ' ')) {
        kn_json_string(&s->json, "type", null == NEVER_NULL ? types : "null");
        return;
    }
    kn_json_array(&s->json, "type");
    for (; *types; types += length + strspn(types + length, " ")) {
        length = strcspn(types, " ");
        assert(length < sizeof type);
        memcpy(type, types, length);
        type[length] = 0;
        kn_json_string(&s->json, NULL, type);
    }
    if (null == OR_NULL)
        kn_json_string(&s->json, NULL, "null");
    kn_json_end(&s->json);
}

static void
put_scalar(writer *s, kn_field_type type, nullness null)
{
    assert((size_t) type < KN_COUNT(scalars));
    assert((size_t) type < KN_COUNT(scalars));
    put_type(s, scalars[type].json, null);
    if (isfinite(scalars[type].least))
        kn_json_number(&s->json, "minimum", scalars[type].least);
    if (isfinite(scalars[type].most))
        kn_json_number(&s->json, "maximum", scalars[type].most);
    if (scalars[type].pattern)
        kn_json_string(&s->json, "pattern", scalars[type].pattern);
}

static void
put_choice(writer *s, const kn_field *f)
{
    kn_json_array(&s->json, "enum");
    for (const char *const *word = f->words; *word; word++)
        kn_json_string(&s->json, NULL, *word);
    if (nullness_of(s, f))
        kn_json_null(&s->json, NULL);
    kn_json_end(&s->json);
}

static void
put_ref(writer *s, const kn_described *shape)
{
    kn_text text;

    kn_text_init(&text, s->json.text->ctx);
    kn_text_addf(&text, "#/$defs/%s", shape->name);
    if (kn_text_status(&text) == KANON_OK)
        kn_json_string(&s->json, "$ref", text.ptr);
    s->json.text->failed |= text.failed;
    kn_text_fini(&text);
}

static void
put_object_value(writer *s, const kn_field *f)
{
    if (!nullness_of(s, f)) {
        put_ref(s, f->shape);
        return;
    }
    kn_json_array(&s->json, "anyOf");
    kn_json_object(&s->json, NULL);
    put_ref(s, f->shape);
    kn_json_end(&s->json);
    kn_json_object(&s->json, NULL);
    put_type(s, "null", NEVER_NULL);
    kn_json_end(&s->json);
    kn_json_end(&s->json);
}

/* What the items of a list or the values of a map are. */
static void
put_items(writer *s, const char *key, const kn_field *f)
{
    kn_json_object(&s->json, key);
    if (f->shape)
        put_ref(s, f->shape);
    else
        put_scalar(s, f->item, NEVER_NULL);
    kn_json_end(&s->json);
}

static void
put_value(writer *s, const kn_field *f)
{
    kn_json_object(&s->json, f->name);
    switch (f->type) {
    case KN_AS_CHOICE:
        put_choice(s, f);
        break;
    case KN_AS_FIXED:
        kn_json_count(&s->json, "const", f->fixed);
        break;
    case KN_AS_OBJECT:
        put_object_value(s, f);
        break;
    case KN_AS_LIST:
        put_type(s, "array", nullness_of(s, f));
        put_items(s, "items", f);
        if (f->flags & KN_NOT_EMPTY)
            kn_json_count(&s->json, "minItems", 1);
        if (f->flags & KN_DISTINCT)
            kn_json_truth(&s->json, "uniqueItems", true);
        break;
    case KN_AS_MAP:
    case KN_AS_SPREAD:
        put_type(s, "object", nullness_of(s, f));
        put_items(s, "additionalProperties", f);
        break;
    default:
        put_scalar(s, f->type, nullness_of(s, f));
    }
    put_description(s, f);
    kn_json_end(&s->json);
}

/* --- conditions ---------------------------------------------------------------------------------------- */

static const kn_field *
field_of(const writer *s, const kn_described *shape, const kn_condition *condition)
{
    for (const kn_field *f = NULL; (f = next_field(s, shape, f));)
        if (condition->member && f->name && strcmp(f->name, condition->member) == 0)
            return f;
    return NULL;
}

/* "if": that member shows that the condition fails. */
static void
put_if_fails(writer *s, const kn_condition *condition)
{
    kn_json_object(&s->json, "if");
    kn_json_object(&s->json, "properties");
    kn_json_object(&s->json, condition->member);
    if (condition->value)
        kn_json_string(&s->json, "const", condition->value);
    else
        kn_json_truth(&s->json, "const", false);
    kn_json_end(&s->json);
    kn_json_end(&s->json);
    kn_json_end(&s->json);
}

/* The fields of a set, from one on, as required or as forbidden. */
static void
put_required(writer *s, const char *key, const set *fields, size_t from)
{
    if (key)
        kn_json_object(&s->json, key);
    kn_json_array(&s->json, "required");
    for (size_t i = from; i < fields->count; i++)
        kn_json_string(&s->json, NULL, ((const kn_field *) fields->of[i])->name);
    kn_json_end(&s->json);
    if (key)
        kn_json_end(&s->json);
}

static void
put_forbidden(writer *s, const char *key, const set *fields, size_t from)
{
    kn_json_object(&s->json, key);
    kn_json_object(&s->json, "properties");
    for (size_t i = from; i < fields->count; i++)
        kn_json_truth(&s->json, ((const kn_field *) fields->of[i])->name, false);
    kn_json_end(&s->json);
    kn_json_end(&s->json);
}

/* A list that is there only when it has an item. */
static void
open_condition(writer *s, bool *open)
{
    if (!*open)
        kn_json_array(&s->json, "allOf");
    *open = true;
    kn_json_object(&s->json, NULL);
}

/* Fields that are absent under one condition: another member shows it, or they come and go together. */
static void
put_given(writer *s, const kn_described *shape, const kn_condition *condition, bool *open)
{
    set  fields = { 0, { NULL } };
    bool shows = field_of(s, shape, condition) != NULL;

    for (const kn_field *f = NULL; (f = next_field(s, shape, f));)
        if (kn_field_given(f, s->edition) == condition && f->type != KN_AS_SPREAD)
            add(&fields, f);
    if (!shows && fields.count < 2)
        return;
    open_condition(s, open);
    if (shows) {
        put_if_fails(s, condition);
        put_forbidden(s, "then", &fields, 0);
        put_required(s, "else", &fields, 0);
    } else {
        set first = { 1, { fields.of[0] } };

        put_required(s, "if", &first, 0);
        put_required(s, "then", &fields, 1);
        put_forbidden(s, "else", &fields, 1);
    }
    kn_json_end(&s->json);
}

static bool
depends(const writer *s, const kn_described *shape, const kn_condition *condition)
{
    for (const kn_field *f = NULL; (f = next_field(s, shape, f));)
        if (kn_field_known(f, s->edition) == condition
            || (f->shape && depends(s, f->shape, condition)))
            return true;
    return false;
}

/* Fields that are null under a condition, here and further down, as null or as what they are otherwise. */
static void
put_known(writer *s, const char *key, const kn_described *shape, const kn_condition *condition,
          nullness null)
{
    if (key)
        kn_json_object(&s->json, key);
    kn_json_object(&s->json, "properties");
    for (const kn_field *f = NULL; (f = next_field(s, shape, f));) {
        if (kn_field_known(f, s->edition) == condition) {
            kn_json_object(&s->json, f->name);
            put_type(s, json_type(f), null == NEVER_NULL && f->flags & KN_OR_NULL ? OR_NULL : null);
            kn_json_end(&s->json);
        } else if (f->shape && depends(s, f->shape, condition)) {
            kn_json_object(&s->json, f->name);
            put_known(s, f->type == KN_AS_LIST ? "items" : NULL, f->shape, condition, null);
            kn_json_end(&s->json);
        }
    }
    kn_json_end(&s->json);
    if (key)
        kn_json_end(&s->json);
}

static void
find_known(const writer *s, const kn_described *shape, set *out)
{
    for (const kn_field *f = NULL; (f = next_field(s, shape, f));) {
        if (kn_field_known(f, s->edition))
            add(out, f->known);
        if (f->shape)
            find_known(s, f->shape, out);
    }
}

static void
put_conditions(writer *s, const kn_described *shape)
{
    set  given = { 0, { NULL } }, known = { 0, { NULL } };
    bool open = false;

    for (const kn_field *f = NULL; (f = next_field(s, shape, f));)
        if (kn_field_given(f, s->edition))
            add(&given, f->given);
    find_known(s, shape, &known);
    for (size_t i = 0; i < given.count; i++)
        put_given(s, shape, given.of[i], &open);
    for (size_t i = 0; i < known.count; i++)
        if (field_of(s, shape, known.of[i])) {
            open_condition(s, &open);
            put_if_fails(s, known.of[i]);
            put_known(s, "then", shape, known.of[i], ALWAYS_NULL);
            put_known(s, "else", shape, known.of[i], NEVER_NULL);
            kn_json_end(&s->json);
        }
    if (open)
        kn_json_end(&s->json);
}

/* --- objects ------------------------------------------------------------------------------------------- */

static void
put_object(writer *s, const kn_described *shape)
{
    set             required = { 0, { NULL } };
    const kn_field *spread = NULL;

    kn_json_string(&s->json, "type", "object");
    kn_json_object(&s->json, "properties");
    for (const kn_field *f = NULL; (f = next_field(s, shape, f));) {
        if (f->type == KN_AS_SPREAD) {
            spread = f;
            continue;
        }
        put_value(s, f);
        if (!kn_field_given(f, s->edition))
            add(&required, f);
    }
    kn_json_end(&s->json);
    put_required(s, NULL, &required, 0);
    if (spread)
        put_items(s, "additionalProperties", spread);
    else
        kn_json_truth(&s->json, "additionalProperties", false);
    put_conditions(s, shape);
}

void
kn_schema_put(kn_text *text, const kn_document *document)
{
    writer s = { .edition = document->edition };
    set    shapes = { 0, { NULL } };

    kn_json_init(&s.json, text);
    find_shapes(&s, document->shape, &shapes);
    kn_json_object(&s.json, NULL);
    kn_json_string(&s.json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    kn_json_string(&s.json, "title", document->title);
    kn_json_string(&s.json, "description", document->description);
    put_object(&s, document->shape);
    kn_json_object(&s.json, "$defs");
    for (size_t i = 0; i < shapes.count; i++) {
        kn_json_object(&s.json, ((const kn_described *) shapes.of[i])->name);
        put_object(&s, shapes.of[i]);
        kn_json_end(&s.json);
    }
    kn_json_end(&s.json);
    kn_json_end(&s.json);
}
