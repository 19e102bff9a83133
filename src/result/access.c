/* SPDX-License-Identifier: Apache-2.0 */
/* access.c -- what all kinds of results share: release, accessors by path, and the schemas by name. */
#include "result/check.h"
#include "result/comparison.h"
#include "result/explanation.h"
#include "result/front.h"

#define ACCESS_TREE(kind)                                                                          \
    const kanon_tree *kanon_##kind##_tree(const kanon_##kind *what)                                \
    {                                                                                              \
        return what ? &what->tree : NULL;                                                          \
    }
#define ACCESS_NUMBER(kind)                                                                        \
    kanon_status kanon_##kind##_number(const kanon_##kind *what, const char *path, double *out)    \
    {                                                                                              \
        return kanon_tree_number(what ? &what->tree : NULL, path, out);                            \
    }
#define ACCESS_TEXT(kind)                                                                          \
    kanon_status kanon_##kind##_text(const kanon_##kind *what, const char *path, const char **out) \
    {                                                                                              \
        return kanon_tree_text(what ? &what->tree : NULL, path, out);                              \
    }
#define ACCESS_COUNT(kind)                                                                         \
    size_t kanon_##kind##_count(const kanon_##kind *what, const char *path)                        \
    {                                                                                              \
        return kanon_tree_count(what ? &what->tree : NULL, path);                                  \
    }

#define ACCESS_FREE(kind)                                                                          \
    void kanon_##kind##_free(kanon_##kind *what)                                                   \
    {                                                                                              \
        if (!what)                                                                                 \
            return;                                                                                \
        kn_arena_fini(&what->arena);                                                               \
        kn_free(what->ctx, what);                                                                  \
    }

ACCESS_FREE(check)
ACCESS_FREE(comparison)
ACCESS_FREE(explanation)
ACCESS_FREE(front)
ACCESS_NUMBER(result)
ACCESS_TEXT(result)
ACCESS_COUNT(result)
ACCESS_TREE(check)
ACCESS_NUMBER(check)
ACCESS_TEXT(check)
ACCESS_COUNT(check)
ACCESS_TREE(comparison)
ACCESS_TEXT(comparison)
ACCESS_COUNT(comparison)
ACCESS_TREE(explanation)
ACCESS_NUMBER(explanation)
ACCESS_TEXT(explanation)
ACCESS_COUNT(explanation)
ACCESS_TREE(front)
ACCESS_NUMBER(front)
ACCESS_TEXT(front)

const char *
kanon_schema_at(size_t index)
{
    return index < kn_ndocuments ? kn_documents[index].name : NULL;
}
