/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c -- walks a described result. Everything goes through kn_tree_next(), which gives the members of an
 * object or the items of a list as an edition shows them; so what JSON writes, what a path finds and what a
 * binding iterates over cannot differ. A step is linear in the members: results have tens of them, and lists
 * of columns a few thousand at most. */
#include "result/tree.h"

#include <math.h>

/* --- nodes --------------------------------------------------------------------------------------------- */

kn_node
kn_node_count(uint64_t value)
{
    return value == KN_NOT_COUNTED
             ? (kn_node){ .kind = KANON_KIND_NULL }
             : (kn_node){ .kind = KANON_KIND_COUNT, .integer = value, .number = (double) value };
}

kn_node
kn_node_number(double value)
{
    return isfinite(value) ? (kn_node){ .kind = KANON_KIND_NUMBER, .number = value }
                           : (kn_node){ .kind = KANON_KIND_NULL };
}

kn_node
kn_node_text(const char *value)
{
    return (kn_node){ .kind = value ? KANON_KIND_TEXT : KANON_KIND_NULL, .text = value };
}

kn_node
kn_node_truth(uint64_t value)
{
    return (kn_node){ .kind = KANON_KIND_TRUTH, .integer = value != 0, .number = value != 0 };
}

kn_node
kn_node_object(const kn_described *shape, const void *at)
{
    assert(shape);
    return (kn_node){ .kind = KANON_KIND_OBJECT, .shape = shape, .at = at };
}

/* --- members ------------------------------------------------------------------------------------------- */

const kn_condition *
kn_field_given(const kn_field *field, kn_edition edition)
{
    return field->flags & (edition == KN_INSIDE ? KN_GIVEN_INSIDE : KN_GIVEN_OUTSIDE)
             ? NULL
             : field->given;
}

const kn_condition *
kn_field_known(const kn_field *field, kn_edition edition)
{
    return edition == KN_OUTSIDE && field->flags & KN_KNOWN_OUTSIDE ? NULL : field->known;
}

static uint64_t
whole_at(kn_stored stored, const void *member)
{
    switch (stored) {
    case KN_AT_UCHAR:
        return *(const unsigned char *) member;
    case KN_AT_UINT:
        return *(const unsigned *) member;
    case KN_AT_ULONG:
        return *(const unsigned long *) member;
    case KN_AT_ULLONG:
        return *(const unsigned long long *) member;
    case KN_AT_BOOL:
        return *(const bool *) member;
    default:
        assert(false);
        return 0;
    }
}

bool
kn_condition_holds(const kn_condition *condition, const kn_where *where)
{
    const char *member = condition->of_root ? where->root : where->at;

    if (condition->holds)
        return condition->holds(where);
    member += condition->offset;
    switch (condition->stored) {
    case KN_AT_DOUBLE:
        return *(const double *) (const void *) member > 0;
    case KN_AT_TEXT:
    case KN_AT_ROWS:
        return *(const void *const *) (const void *) member != NULL;
    default:
        return whole_at(condition->stored, member) != 0;
    }
}

static kn_node
scalar_at(const kn_field *field, const void *member)
{
    switch (field->stored) {
    case KN_AT_DOUBLE:
        return kn_node_number(*(const double *) member);
    case KN_AT_TEXT:
        return kn_node_text(*(const char *const *) member);
    case KN_AT_CHARS:
        return kn_node_text(member);
    default:
        break;
    }
    if (field->type == KN_AS_TRUTH)
        return kn_node_truth(whole_at(field->stored, member));
    if (field->type == KN_AS_CHOICE)
        return kn_node_text(field->words[whole_at(field->stored, member)]);
    if (field->flags & (KN_OR_NULL | KN_ZERO_IS_NULL))
        return kn_node_count(whole_at(field->stored, member));
    return (kn_node){ .kind = KANON_KIND_COUNT,
                      .integer = whole_at(field->stored, member),
                      .number = (double) whole_at(field->stored, member) };
}

static kn_node
value_of(const kn_field *field, const kn_where *where, kn_edition edition)
{
    const kn_condition *known = kn_field_known(field, edition);
    const char         *member = (const char *) where->at + field->offset;
    kn_node             node = { .kind = KANON_KIND_NULL };

    if (known && !kn_condition_holds(known, where))
        return node;
    if (field->get)
        return field->get(where);
    switch (field->type) {
    case KN_AS_FIXED:
        return kn_node_count(field->fixed);
    case KN_AS_OBJECT:
        return kn_node_object(field->shape, member);
    case KN_AS_LIST:
        return (kn_node){ .kind = KANON_KIND_LIST, .at = where->at };
    case KN_AS_MAP:
        return (kn_node){ .kind = KANON_KIND_OBJECT, .at = where->at };
    default:
        node = scalar_at(field, member);
    }
    if (field->flags & KN_ZERO_IS_NULL && node.kind == KANON_KIND_COUNT && !node.integer)
        node.kind = KANON_KIND_NULL;
    return node;
}

static bool
next_item(const kn_field *field, const kn_where *where, size_t *at, kn_node *out)
{
    const char *first = (const char *) where->at + field->offset;
    size_t      count = field->most
                          ? field->most
                          : *(const size_t *) (const void *) ((const char *) where->at + field->count);

    if (field->stored == KN_AT_ROWS)
        first = *(const char *const *) (const void *) first;
    while (*at < count) {
        const char *item = first + field->stride * (*at)++;

        if (field->keeps && !field->keeps(&(kn_where){ where->root, item }))
            continue;
        *out = field->shape ? kn_node_object(field->shape, item)
                            : kn_node_text(*(const char *const *) (const void *) item);
        return true;
    }
    return false;
}

static bool
next_entry(const kn_field *field, const kn_where *where, size_t *at, const char **name,
           kn_node *out)
{
    while (field->entry(where, (*at)++, name, out))
        if (*name)
            return true;
    return false;
}

static bool
next_member(const kanon_tree *tree, const kn_node *of, kn_cursor *cursor, const char **name,
            kn_node *out)
{
    kn_where where = { tree->root, of->at };

    for (; of->shape->fields[cursor->field].meaning; cursor->field++, cursor->item = 0) {
        const kn_field     *field = &of->shape->fields[cursor->field];
        const kn_condition *given = kn_field_given(field, tree->edition);

        if (!(field->seen & tree->edition) || (given && !kn_condition_holds(given, &where)))
            continue;
        if (field->type == KN_AS_SPREAD) {
            if (!next_entry(field, &where, &cursor->item, name, out))
                continue;
        } else {
            *name = field->name;
            *out = value_of(field, &where, tree->edition);
            cursor->field++;
        }
        out->field = field;
        out->seen = of->seen & field->seen;
        return true;
    }
    return false;
}

kn_node
kn_tree_root(const kanon_tree *tree)
{
    kn_node root = kn_node_object(tree->shape, tree->root);

    root.seen = KN_BOTH;
    return root;
}

bool
kn_tree_next(const kanon_tree *tree, const kn_node *of, kn_cursor *cursor, const char **name,
             kn_node *out)
{
    kn_where where = { tree->root, of->at };
    bool     found;

    *name = NULL;
    if (of->kind == KANON_KIND_OBJECT && of->shape)
        return next_member(tree, of, cursor, name, out);
    if (of->kind == KANON_KIND_OBJECT)
        found = next_entry(of->field, &where, &cursor->item, name, out);
    else
        found = of->kind == KANON_KIND_LIST && next_item(of->field, &where, &cursor->item, out);
    if (found) {
        out->field = out->field ? out->field : of->field;
        out->seen = of->seen;
    }
    return found;
}

/* --- JSON ---------------------------------------------------------------------------------------------- */

void
kn_tree_put(kn_json *json, const char *key, const kanon_tree *tree, const kn_node *node)
{
    kn_cursor   cursor = { 0, 0 };
    const char *name;
    kn_node     inner;

    switch (node->kind) {
    case KANON_KIND_NULL:
        kn_json_null(json, key);
        return;
    case KANON_KIND_TRUTH:
        kn_json_truth(json, key, node->integer != 0);
        return;
    case KANON_KIND_COUNT:
        kn_json_count(json, key, node->integer);
        return;
    case KANON_KIND_NUMBER:
        kn_json_number(json, key, node->number);
        return;
    case KANON_KIND_TEXT:
        kn_json_string(json, key, node->text);
        return;
    case KANON_KIND_OBJECT:
        kn_json_object(json, key);
        break;
    case KANON_KIND_LIST:
        kn_json_array(json, key);
        break;
    }
    while (kn_tree_next(tree, node, &cursor, &name, &inner))
        kn_tree_put(json, name, tree, &inner);
    kn_json_end(json);
}

void
kn_tree_json(kn_text *text, const kanon_tree *tree)
{
    kn_node root = kn_tree_root(tree);
    kn_json json;

    kn_json_init(&json, text);
    kn_tree_put(&json, NULL, tree, &root);
}

/* --- paths --------------------------------------------------------------------------------------------- */

/* A step of a path: a name, or the number of an item. */
typedef struct step {
    kn_str name; /* as it is written */
    size_t number;
    bool   numbered;
    bool   quoted; /* quotes in the name are doubled */
} step;

/* [7] or ["name"], which *path points at. */
static bool
read_bracket(const char **path, step *out)
{
    const char *at = *path + 1, *end;

    if (*at == '"') {
        for (end = ++at; *end && (end[0] != '"' || end[1] != ']'); end++)
            end += end[0] == '"' && end[1] == '"';
        if (!*end)
            return false;
        out->name = (kn_str){ at, (size_t) (end - at) };
        out->quoted = true;
        *path = end + 2;
        return true;
    }
    out->numbered = true;
    for (end = at; *end >= '0' && *end <= '9' && end - at < 18; end++)
        out->number = out->number * 10 + (size_t) (*end - '0');
    *path = end + 1;
    return end > at && *end == ']';
}

/* The next step of a path that has not ended. */
static bool
read_step(const char **path, bool first, step *out)
{
    size_t length;

    *out = (step){ { NULL, 0 }, 0, false, false };
    if (**path == '[')
        return read_bracket(path, out);
    if (!first && *(*path)++ != '.')
        return false;
    length = strcspn(*path, ".[");
    out->name = (kn_str){ *path, length };
    *path += length;
    return length > 0;
}

static bool
is_named(const step *s, const char *name)
{
    size_t at = 0;

    for (; at < s->name.len && *name; at++, name++) {
        if (s->name.ptr[at] != *name)
            return false;
        at += s->quoted && *name == '"' && at + 1 < s->name.len && s->name.ptr[at + 1] == '"';
    }
    return at == s->name.len && !*name;
}

/* Why there is no member of that name: it is absent here, or it is spelled otherwise. */
static kanon_status
refuse_name(const kanon_tree *tree, const kn_node *in, kn_str name, kn_str path)
{
    enum { NAMES_MOST = 63, NAME_MOST = 80 };
    const char *names[NAMES_MOST + 1] = { NULL }, *nearest;
    char        word[NAME_MOST + 1] = { 0 };
    kn_cursor   cursor = { 0, 0 };
    kn_node     inner;
    size_t      count = 0;
    kn_str      before = { NULL, 0 };

    for (const kn_field *f = in->shape ? in->shape->fields : NULL; f && f->meaning; f++)
        if (f->seen & tree->edition && f->given && f->name && strlen(f->name) == name.len
            && memcmp(f->name, name.ptr, name.len) == 0)
            return kn_fail(tree->ctx, KANON_E_INVALID, "'%.*s' is absent %s", (int) path.len,
                           path.ptr, f->given->otherwise);
    while (count < NAMES_MOST && kn_tree_next(tree, in, &cursor, &names[count], &inner))
        count += names[count] != NULL;
    names[count] = NULL;
    memcpy(word, name.ptr, name.len < NAME_MOST ? name.len : NAME_MOST);
    nearest = kn_nearest(word, names);
    if (!nearest)
        return kn_fail(tree->ctx, KANON_E_INVALID, "the result has no '%.*s'", (int) path.len,
                       path.ptr);
    if (name.ptr + name.len
        == path.ptr + path.len) /* not in brackets: the whole path can be told */
        before = (kn_str){ path.ptr, path.len - name.len };
    return kn_fail(tree->ctx, KANON_E_INVALID, "the result has no '%.*s'; did you mean '%.*s%s'?",
                   (int) path.len, path.ptr, (int) before.len, before.len ? before.ptr : "",
                   nearest);
}

static kanon_status
take_step(const kanon_tree *tree, const step *wanted, kn_str path, kn_node *node, const char **name)
{
    kn_cursor cursor = { 0, 0 };
    kn_node   inner;

    if (node->kind == KANON_KIND_NULL)
        return kn_fail(tree->ctx, KANON_E_INVALID, "'%.*s' lies within a null: %s", (int) path.len,
                       path.ptr, node->field->meaning);
    if (node->kind != (wanted->numbered ? KANON_KIND_LIST : KANON_KIND_OBJECT))
        return kn_fail(tree->ctx, KANON_E_INVALID, "'%.*s' is %s", (int) path.len, path.ptr,
                       wanted->numbered ? "an item of something that is not a list"
                                        : "a member of something that is not an object");
    for (size_t i = 0; kn_tree_next(tree, node, &cursor, name, &inner); i++)
        if (wanted->numbered ? i == wanted->number : is_named(wanted, *name)) {
            *node = inner;
            return KANON_OK;
        }
    if (wanted->numbered)
        return kn_fail(tree->ctx, KANON_E_INVALID, "'%.*s' is past the end of the list",
                       (int) path.len, path.ptr);
    return refuse_name(tree, node, wanted->name, path);
}

static kanon_status
resolve(const kanon_tree *tree, const char *path, kn_node *node, const char **name)
{
    const char *at = path;
    step        wanted;

    *name = NULL;
    if (!tree)
        return KANON_E_INVALID;
    if (!path)
        return kn_fail(tree->ctx, KANON_E_INVALID, "a path is required");
    *node = kn_tree_root(tree);
    while (*at) {
        kanon_status rc;

        if (!read_step(&at, at == path, &wanted))
            return kn_fail(tree->ctx, KANON_E_INVALID,
                           "'%s' is not a path; write it like risk.rows or attributes[0].name",
                           path);
        rc = take_step(tree, &wanted, (kn_str){ path, (size_t) (at - path) }, node, name);
        if (rc < 0)
            return rc;
    }
    return KANON_OK;
}

static size_t
count_of(const kanon_tree *tree, const kn_node *node)
{
    kn_cursor   cursor = { 0, 0 };
    const char *name;
    kn_node     inner;
    size_t      count = 0;

    while (kn_tree_next(tree, node, &cursor, &name, &inner))
        count++;
    return count;
}

static kanon_item
item_of(const kanon_tree *tree, const kn_node *node, const char *name)
{
    return (kanon_item){
        .name = name,
        .kind = node->kind,
        .integer = node->integer,
        .number = node->kind == KANON_KIND_TRUTH || node->kind == KANON_KIND_COUNT
                       || node->kind == KANON_KIND_NUMBER
                    ? node->number
                    : (double) NAN,
        .text = node->text,
        .count = count_of(tree, node),
        .meaning = name && node->field ? node->field->meaning : "",
        .audience = node->seen & KN_OUTSIDE ? KANON_AUDIENCE_EXTERNAL : KANON_AUDIENCE_INTERNAL,
    };
}

kanon_status
kanon_tree_find(const kanon_tree *tree, const char *path, kanon_item *out)
{
    const char  *name;
    kn_node      node;
    kanon_status rc = resolve(tree, path, &node, &name);

    if (rc < 0)
        return rc;
    if (!out)
        return kn_fail(tree->ctx, KANON_E_INVALID, "out is required");
    *out = item_of(tree, &node, name);
    return KANON_OK;
}

kanon_status
kanon_tree_item(const kanon_tree *tree, const char *path, size_t index, kanon_item *out)
{
    kn_cursor    cursor = { 0, 0 };
    const char  *name;
    kn_node      node, inner;
    kanon_status rc = resolve(tree, path, &node, &name);

    if (rc < 0)
        return rc;
    if (!out)
        return kn_fail(tree->ctx, KANON_E_INVALID, "out is required");
    for (size_t i = 0; kn_tree_next(tree, &node, &cursor, &name, &inner); i++)
        if (i == index) {
            *out = item_of(tree, &inner, name);
            return KANON_OK;
        }
    return kn_fail(tree->ctx, KANON_E_INVALID, "'%s' has no item %zu", path, index);
}

/* What stands at a path, for a caller who gives room for it. */
static kanon_status
find_for(const void *out, const kanon_tree *tree, const char *path, kanon_item *item)
{
    kanon_status rc = kanon_tree_find(tree, path, item);

    return rc < 0 || out ? rc : kn_fail(tree->ctx, KANON_E_INVALID, "out is required");
}

kanon_status
kanon_tree_number(const kanon_tree *tree, const char *path, double *out)
{
    kanon_item   item;
    kanon_status rc = find_for(out, tree, path, &item);

    if (rc < 0)
        return rc;
    if (isnan(item.number) && item.kind != KANON_KIND_NULL)
        return kn_fail(tree->ctx, KANON_E_INVALID, "'%s' is not a number", path);
    *out = item.number;
    return KANON_OK;
}

kanon_status
kanon_tree_text(const kanon_tree *tree, const char *path, const char **out)
{
    kanon_item   item;
    kanon_status rc = find_for(out, tree, path, &item);

    if (rc < 0)
        return rc;
    if (item.kind != KANON_KIND_TEXT && item.kind != KANON_KIND_NULL)
        return kn_fail(tree->ctx, KANON_E_INVALID, "'%s' is not a text", path);
    *out = item.text;
    return KANON_OK;
}

size_t
kanon_tree_count(const kanon_tree *tree, const char *path)
{
    kanon_item item;

    if (kanon_tree_find(tree, path, &item) < 0)
        return 0;
    if (item.kind != KANON_KIND_LIST && item.kind != KANON_KIND_OBJECT)
        kn_fail(tree->ctx, KANON_E_INVALID, "'%s' has no items", path);
    return item.count;
}
