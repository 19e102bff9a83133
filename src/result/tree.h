/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h -- descriptions of results. Jobs fill plain structs; a static table per struct gives the name,
 * type, meaning and audience of each field. The JSON, its schema, the accessors by path and the external
 * edition are all derived from these tables, so a field is described once.
 *
 * A field that the external edition shows in another form has two rows of the same name, one per edition. */
#ifndef KN_RESULT_TREE_H
#define KN_RESULT_TREE_H

#include "base/json.h"
#include "kanon/result.h"

/** Which editions show a field. There is no zero: a row that does not say it is seen by nobody, and a test
 *  finds it. */
typedef enum kn_edition { KN_INSIDE = 1, KN_OUTSIDE = 2, KN_BOTH = 3 } kn_edition;

/** What a value is outside: its JSON types, its bounds, and the pattern of a text (NULL: any). */
#define KN_SCALAR_LIST(X)                                                                          \
    X(COUNT, "integer", 0, INFINITY, NULL)                                                         \
    X(SIZE, "integer", 1, INFINITY, NULL)                                                          \
    X(LEVEL, "integer", 0, 255, NULL)                                                              \
    X(SHARE, "number", 0, 1, NULL)                                                                 \
    X(SUMMED_SHARE, "number", 0, 1 + 1e-9, NULL) /* a mean or a sum, with its rounding */          \
    X(AMOUNT, "number", 0, INFINITY, NULL)                                                         \
    X(CORRELATION, "number", -1, 1, NULL)                                                          \
    X(NUMBER, "number", -INFINITY, INFINITY, NULL)                                                 \
    X(TRUTH, "boolean", -INFINITY, INFINITY, NULL)                                                 \
    X(TEXT, "string", -INFINITY, INFINITY, NULL)                                                   \
    X(SETTING, "string number", -INFINITY, INFINITY, NULL)                                         \
    X(SPEC, "string boolean array", -INFINITY, INFINITY, NULL)                                     \
    X(VERSION, "string", -INFINITY, INFINITY, "^[0-9]+\\.[0-9]+\\.[0-9]+")                         \
    X(WORD, "string", -INFINITY, INFINITY, "^[a-z-]+$")                                            \
    X(HASH, "string", -INFINITY, INFINITY, "^[0-9a-f]{64}$")                                       \
    X(PRINT, "string", -INFINITY, INFINITY, "^[0-9a-f]{32}$")

typedef enum kn_field_type {
#define KN_SCALAR_ENUM(name, json, least, most, pattern) KN_AS_##name,
    KN_SCALAR_LIST(KN_SCALAR_ENUM)
#undef KN_SCALAR_ENUM
        KN_AS_CHOICE, /* one of .words, by number */
    KN_AS_FIXED,      /* the count .fixed */
    KN_AS_OBJECT,     /* .shape, at the member */
    KN_AS_LIST,       /* of .shape, or of items that begin with a text */
    KN_AS_MAP,        /* names that are known when it runs, each with a value: .entry */
    KN_AS_SPREAD /* as KN_AS_MAP, its entries standing among the members of the object itself */
} kn_field_type;

/** How a member lies in its struct. */
typedef enum kn_stored {
    KN_AT_NOTHING, /* it is made by .get, or it is the struct itself */
    KN_AT_UCHAR,
    KN_AT_UINT,
    KN_AT_ULONG,
    KN_AT_ULLONG,
    KN_AT_BOOL,
    KN_AT_DOUBLE,
    KN_AT_TEXT,
    KN_AT_CHARS,
    KN_AT_ROWS, /* a pointer to .stride bytes each */
    KN_AT_ARRAY /* the same within the struct */
} kn_stored;

enum {
    KN_OR_NULL = 1, /* the value may be missing: NULL, NaN or infinite, KN_NOT_COUNTED */
    KN_ZERO_IS_NULL = 2,
    KN_NOT_EMPTY = 4, /* of a list */
    KN_DISTINCT = 8,  /* of a list */
    /* an edition to which .given or .known does not apply */
    KN_GIVEN_INSIDE = 16,
    KN_GIVEN_OUTSIDE = 32,
    KN_KNOWN_OUTSIDE = 64
};

/** A count that is not known. */
#define KN_NOT_COUNTED UINT64_MAX

typedef struct kn_described kn_described;
typedef struct kn_field     kn_field;

/** Where a condition or a getter looks. */
typedef struct kn_where {
    const void *root; /* the result */
    const void *at;   /* the struct that the field belongs to */
} kn_where;

/** A value, or where to find its members. */
typedef struct kn_node {
    kanon_kind          kind;
    unsigned            seen;  /* kn_edition of all on the way to it */
    const kn_field     *field; /* NULL: the root */
    const kn_described *shape; /* OBJECT; NULL: a map */
    const void *at; /* OBJECT: its struct; a map or a LIST: the struct that the field belongs to */
    uint64_t    integer; /* TRUTH, COUNT */
    double      number;
    const char *text;
} kn_node;

/** When a field has a value, and for the schema: how to tell it from another member. It asks a function, or
 *  whether a member is true, above 0 or not NULL. */
typedef struct kn_condition {
    bool (*holds)(const kn_where *where);
    const char *otherwise; /* "for local recoding" */
    const char *member;    /* of an object around the field, that shows it; NULL: none does */
    const char *value;     /* of that member when the condition fails; NULL: false */
    bool        of_root;   /* the member that is asked is one of the result, not of the struct */
    size_t      offset;
    kn_stored   stored;
} kn_condition;

struct kn_field {
    const char         *name;
    kn_field_type       type;
    kn_edition          seen;
    const char         *meaning;
    size_t              offset;
    kn_stored           stored;
    unsigned            flags;
    const kn_condition *given;    /* otherwise the field is absent */
    const kn_condition *known;    /* otherwise it is null */
    const kn_described *shape;    /* OBJECT; LIST and MAP of objects */
    kn_field_type       item;     /* LIST and MAP of scalars */
    const char *const  *words;    /* CHOICE; ends with NULL */
    size_t   stride, most, count; /* LIST: bytes of an item; how many, or 0: a size_t at .count */
    uint64_t fixed;
    /* LIST: is the item part of it? NULL: all are. where->at is the item. */
    bool (*keeps)(const kn_where *where);
    kn_node (*get)(const kn_where *where);
    /* MAP: the index-th name and value; a NULL name is left out. False past the end. A list says by its
     * .field what it is made of. */
    bool (*entry)(const kn_where *where, size_t index, const char **name, kn_node *value);
};

struct kn_described {
    const char     *name;   /* in schemas */
    const kn_field *fields; /* a field without a name and meaning ends it */
};

/** What is written as one JSON file. */
typedef struct kn_document {
    const char         *name, *title, *description;
    kn_edition          edition; /* KN_INSIDE or KN_OUTSIDE */
    const kn_described *shape;
} kn_document;

struct kanon_tree {
    kanon_ctx          *ctx;
    const kn_described *shape;
    const void         *root;
    kn_edition          edition;
};

/* --- rows of a table: a member's place and how it is stored, which cannot differ from its C type ------- */

#define KN_STORED_CASES                                                                            \
    unsigned char : KN_AT_UCHAR,                                                                   \
                    unsigned : KN_AT_UINT,                                                         \
                               unsigned long : KN_AT_ULONG,                                        \
                                               unsigned long long : KN_AT_ULLONG,                  \
                                                                    bool : KN_AT_BOOL,             \
                                                                           double                  \
        : KN_AT_DOUBLE,                                                                            \
          const char * : KN_AT_TEXT,                                                               \
                         char * : KN_AT_CHARS
#define KN_STORED(member) _Generic((member), KN_STORED_CASES)
#define KN_STORED_OR_POINTER(member) _Generic((member), KN_STORED_CASES, default : KN_AT_ROWS)
#define KN_OF(type, member)                                                                        \
    .offset = offsetof(type, member), .stored = KN_STORED(((type *) 0)->member)
/** Conditions that ask a member of the struct, or of the result. */
#define KN_IF(type, asked)                                                                         \
    .offset = offsetof(type, asked), .stored = KN_STORED_OR_POINTER(((type *) 0)->asked)
#define KN_IF_ROOT(type, asked) .of_root = true, KN_IF(type, asked)
/** An object that is a struct within the struct. */
#define KN_WITHIN(type, member, described) .offset = offsetof(type, member), .shape = &(described)
/** Lists: a pointer and its count; an array within the struct, whole, or as many of it as a count says. */
#define KN_ROWS(type, member, n)                                                                   \
    .offset = offsetof(type, member), .stored = KN_AT_ROWS, .count = offsetof(type, n),            \
    .stride = sizeof *((type *) 0)->member
#define KN_ARRAY(type, member)                                                                     \
    .offset = offsetof(type, member), .stored = KN_AT_ARRAY,                                       \
    .stride = sizeof *((type *) 0)->member, .most = KN_COUNT(((type *) 0)->member)
#define KN_SOME(type, member, n)                                                                   \
    .offset = offsetof(type, member), .stored = KN_AT_ARRAY, .count = offsetof(type, n),           \
    .stride = sizeof *((type *) 0)->member

bool kn_condition_holds(const kn_condition *condition, const kn_where *where);
/** The conditions of a field in an edition; NULL: none. */
const kn_condition *kn_field_given(const kn_field *field, kn_edition edition);
const kn_condition *kn_field_known(const kn_field *field, kn_edition edition);

/** For getters and entries. */
kn_node kn_node_count(uint64_t value);
kn_node kn_node_number(double value);
kn_node kn_node_text(const char *value);
kn_node kn_node_truth(uint64_t value);
kn_node kn_node_object(const kn_described *shape, const void *at);

/* --- reading ------------------------------------------------------------------------------------------- */

kn_node kn_tree_root(const kanon_tree *tree);

typedef struct kn_cursor {
    size_t field, item;
} kn_cursor;

/** The next member or item of a node; false past the end. A zeroed cursor begins. name: NULL in a list. */
bool kn_tree_next(const kanon_tree *tree, const kn_node *of, kn_cursor *cursor, const char **name,
                  kn_node *out);
/** The whole tree. Failures to grow stay in the text. */
void kn_tree_json(kn_text *text, const kanon_tree *tree);
/** A node as a value under a key. */
void kn_tree_put(kn_json *json, const char *key, const kanon_tree *tree, const kn_node *node);

/** The JSON Schema of a document. */
void kn_schema_put(kn_text *text, const kn_document *document);
/** The documents of the library. */
extern const kn_document kn_documents[];
extern const size_t      kn_ndocuments;

extern const kn_described kn_shape_check, kn_shape_comparison, kn_shape_explanation, kn_shape_front,
    kn_shape_result;

#endif
