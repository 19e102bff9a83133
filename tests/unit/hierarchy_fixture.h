/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_fixture.h -- hierarchies for tests from a line of text: made, shown, refused. */
#ifndef KN_HIERARCHY_FIXTURE_H
#define KN_HIERARCHY_FIXTURE_H

#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "hierarchy/hierarchy.h"
#include "test.h"

enum { FIXTURE_VALUES = 256, FIXTURE_TEXT = 4096 };

/** One column: values written "a|b|c", "?" is the missing one. Rows per value: 1, or as in rows. */
typedef struct fixture {
    kanon_ctx       *ctx;
    kn_arena         arena;
    char             text[FIXTURE_TEXT];
    kn_str           values[FIXTURE_VALUES];
    uint64_t         rows[FIXTURE_VALUES];
    kn_domain        domain;
    kn_type          type;
    int              unknown_other;
    kanon_hierarchy *h;
} fixture;

__attribute__((unused)) static void
fixture_open(fixture *f, const char *values)
{
    char *at = f->text;

    memset(f, 0, sizeof *f);
    CHECK(kanon_ctx_new(NULL, &f->ctx) == KANON_OK);
    kn_arena_init(&f->arena, f->ctx);
    snprintf(f->text, sizeof f->text, "%s", values);
    f->domain = (kn_domain){ .column = "col",
                             .source = "table.csv",
                             .values = f->values,
                             .rows = f->rows,
                             .missing = KN_NO_CODE };
    while (at && *values) {
        char *end = strchr(at, '|');

        if (end)
            *end = 0;
        if (strcmp(at, "?") == 0)
            f->domain.missing = (uint32_t) f->domain.count;
        f->rows[f->domain.count] = 1;
        f->values[f->domain.count++] = kn_str_of(at);
        at = end ? end + 1 : NULL;
    }
}

__attribute__((unused)) static void
fixture_close(fixture *f)
{
    kanon_hierarchy_free(f->h);
    kn_arena_fini(&f->arena);
    kanon_ctx_free(f->ctx);
}

__attribute__((unused)) static kanon_status
fixture_make(fixture *f, const char *spec_text)
{
    kn_hier_spec spec;
    kanon_status rc;

    kanon_hierarchy_free(f->h);
    f->h = NULL;
    rc = kn_hier_spec_parse(f->ctx, &f->arena, "col", kn_str_of(spec_text), NULL, &spec);
    spec.unknown_other = f->unknown_other != 0;
    return rc < 0 ? rc : kn_hierarchy_make(f->ctx, &spec, f->type, &f->domain, &f->h);
}

/** The levels of a value as "24|20-24|*". */
__attribute__((unused)) static const char *
fixture_path(const kanon_hierarchy *h, size_t value, char out[FIXTURE_TEXT])
{
    size_t used = 0;

    out[0] = 0;
    for (size_t l = 0; l < kanon_hierarchy_levels(h); l++) {
        size_t      length;
        const char *label = kanon_hierarchy_label(h, value, l, &length);

        used += (size_t) snprintf(out + used, FIXTURE_TEXT - used, "%s%.*s", l ? "|" : "",
                                  (int) length, label);
    }
    return out;
}

/** Makes a hierarchy and compares the levels of its first value. */
__attribute__((unused)) static void
check_first(const char *values, const char *spec, const char *path)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, values);
    CHECK_OK(f.ctx, fixture_make(&f, spec));
    CHECK_STR(fixture_path(f.h, 0, shown), path);
    fixture_close(&f);
}

/** Levels above the values. */
__attribute__((unused)) static size_t
height_of(const char *values, const char *spec)
{
    fixture f;
    size_t  height;

    fixture_open(&f, values);
    CHECK_OK(f.ctx, fixture_make(&f, spec));
    height = kanon_hierarchy_levels(f.h) - 1;
    fixture_close(&f);
    return height;
}

/** The groups of a level as "0,0,1,1": numbered in the order of the values. */
__attribute__((unused)) static void
check_groups(const kanon_hierarchy *h, size_t level, const char *expected)
{
    char     shown[FIXTURE_TEXT] = "";
    uint32_t seen[FIXTURE_VALUES];
    size_t   nseen = 0, used = 0;

    for (size_t i = 0; i < h->nleaves; i++) {
        size_t g = 0;

        while (g < nseen && seen[g] != h->levels[level].group_of[i])
            g++;
        if (g == nseen)
            seen[nseen++] = h->levels[level].group_of[i];
        used += (size_t) snprintf(shown + used, sizeof shown - used, "%s%zu", i ? "," : "", g);
    }
    CHECK_STR(shown, expected);
    CHECK_EQ_U64(nseen, h->levels[level].ngroups);
}

/** Expects a refusal whose message holds a text. */
__attribute__((unused)) static void
check_refused(const char *values, const char *spec, const char *message)
{
    fixture f;

    fixture_open(&f, values);
    if (fixture_make(&f, spec) >= 0)
        FAIL("%s was made of %s", spec, values);
    if (!strstr(kanon_ctx_message(f.ctx), message))
        FAIL("the message is \"%s\", expected \"%s\"", kanon_ctx_message(f.ctx), message);
    fixture_close(&f);
}

/** Expects a warning that holds a text. */
__attribute__((unused)) static void
check_warned(const fixture *f, const char *text)
{
    for (size_t i = 0; i < kanon_ctx_warning_count(f->ctx); i++)
        if (strstr(kanon_ctx_warning(f->ctx, i), text))
            return;
    FAIL("no warning says \"%s\"", text);
}

/** A temporary file; its name stays valid until the next call with the same slot (0 or 1). */
__attribute__((unused)) static const char *
temp_file(size_t slot, const char *bytes)
{
    static char names[2][64];
    char       *name = names[slot];
    FILE       *file;
    int         fd;

    snprintf(name, sizeof names[0], "/tmp/kanon-hierarchy-XXXXXX");
    fd = mkstemp(name);
    CHECK(fd >= 0);
    file = fdopen(fd, "wb");
    CHECK(file && fputs(bytes, file) >= 0 && fclose(file) == 0);
    return name;
}

#endif
