/* SPDX-License-Identifier: Apache-2.0 */
/* names.c -- the names of a table's columns. */
#include "table/names.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/sort.h"
#include "base/text.h"

void
kn_names_init(kanon_ctx *ctx, kn_names *names)
{
    memset(names, 0, sizeof *names);
    kn_arena_init(&names->arena, ctx);
}

void
kn_names_fini(kn_names *names)
{
    kanon_ctx *ctx = names->arena.ctx;

    if (!ctx)
        return;
    kn_free(ctx, names->names);
    kn_free(ctx, (void *) names->sorted);
    kn_arena_fini(&names->arena);
    memset(names, 0, sizeof *names);
}

/* By name, and of equal names by position. */
static bool
before(const kn_str *const *a, const kn_str *const *b, const void *context)
{
    int order = kn_str_compare(**a, **b);

    (void) context;
    return order ? order < 0 : *a < *b;
}

typedef const kn_str *name_pointer;
KN_DEFINE_SORT(sort_names, name_pointer, before)

static void
sort(kn_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        names->sorted[i] = &names->names[i];
    sort_names(names->sorted, names->count, NULL);
}

/* Name i becomes a copy of text or, where that is empty, columnN. */
static kanon_status
set(kn_names *names, size_t i, kn_str text)
{
    char made_up[40];

    if (!text.len)
        text = (kn_str){ made_up, (size_t) snprintf(made_up, sizeof made_up, "column%zu", i + 1) };
    names->names[i] = (kn_str){ kn_arena_text(&names->arena, text), text.len };
    return names->names[i].ptr ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kn_names_copy(kanon_ctx *ctx, kn_names *names, const kn_str *cells, size_t count)
{
    names->names = KN_NEW_ARRAY(ctx, kn_str, count);
    names->sorted = KN_NEW_ARRAY(ctx, const kn_str *, count);
    if (!names->names || !names->sorted)
        return KANON_E_NOMEM;
    names->count = count;
    for (size_t i = 0; i < count; i++)
        if (set(names, i, kn_str_trim(cells[i])) < 0)
            return KANON_E_NOMEM;
    sort(names);
    return KANON_OK;
}

kanon_status
kn_names_number(kanon_ctx *ctx, kn_names *names)
{
    kn_arena_fini(&names->arena);
    kn_arena_init(&names->arena, ctx);
    for (size_t i = 0; i < names->count; i++)
        if (set(names, i, KN_STR("")) < 0)
            return KANON_E_NOMEM;
    sort(names);
    return KANON_OK;
}

size_t
kn_names_find(const kn_names *names, kn_str name)
{
    size_t low = 0, high = names->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (kn_str_compare(*names->sorted[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == names->count || !kn_str_equal(*names->sorted[low], name))
        return SIZE_MAX;
    return (size_t) (names->sorted[low] - names->names);
}

/* name_2 or, where a column is called so, the next number. New names cannot be equal to each other: what
 * stands before their last number differs. */
static kanon_status
number_name(kn_names *names, size_t i, uint64_t *number)
{
    kanon_status rc = KANON_OK;
    kn_text      text;

    kn_text_init(&text, names->arena.ctx);
    do {
        text.len = 0;
        kn_text_add(&text, names->names[i]);
        kn_text_addf(&text, "_%llu", (unsigned long long) ++*number);
        KN_TRY(kn_text_status(&text));
    } while (kn_names_find(names, (kn_str){ text.ptr, text.len }) != SIZE_MAX);
    rc = set(names, i, (kn_str){ text.ptr, text.len });
out:
    kn_text_fini(&text);
    return rc;
}

/* A renamed name leaves the sorted ones until the end, and the one that it was equal to takes its place. */
kanon_status
kn_names_rename(kn_names *names)
{
    kanon_status  rc = KANON_OK;
    uint64_t      number = 1;
    const kn_str *renamed;

    for (size_t i = 1; i < names->count; i++) {
        renamed = names->sorted[i];
        if (!kn_str_equal(*names->sorted[i - 1], *renamed)) {
            number = 1;
            continue;
        }
        names->sorted[i] = names->sorted[i - 1];
        KN_TRY(number_name(names, (size_t) (renamed - names->names), &number));
    }
    sort(names);
out:
    return rc;
}

bool
kn_names_double(const kn_names *names, size_t *one, size_t *other)
{
    for (size_t i = 1; i < names->count; i++)
        if (kn_str_equal(*names->sorted[i - 1], *names->sorted[i])) {
            *one = (size_t) (names->sorted[i - 1] - names->names);
            *other = (size_t) (names->sorted[i] - names->names);
            return true;
        }
    return false;
}
