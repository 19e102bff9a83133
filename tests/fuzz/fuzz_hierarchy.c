/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_hierarchy.c -- any bytes as a hierarchy file, and as a spec (first line) over a column (other
 * lines). What is read must be written and read back the same; the kinds that take any value must
 * take these. */
#include "fuzz_help.h"

#include "base/arena.h"
#include "base/text.h"
#include "formats/csv_kind.h"
#include "hierarchy/hierarchy.h"
#include "table/dict.h"

static void
require_same(const kanon_hierarchy *a, const kanon_hierarchy *b)
{
    REQUIRE(a->nlevels == b->nlevels && a->nleaves == b->nleaves);
    for (size_t l = 0; l < a->nlevels; l++) {
        REQUIRE(a->levels[l].ngroups == b->levels[l].ngroups);
        for (size_t i = 0; i < a->nleaves; i++)
            REQUIRE(kn_str_equal(a->levels[l].labels[a->levels[l].group_of[i]],
                                 b->levels[l].labels[b->levels[l].group_of[i]]));
    }
}

static void
write_and_read(kanon_ctx *ctx, const kanon_hierarchy *h)
{
    kanon_sink      *sink = NULL;
    kanon_source    *source = NULL;
    kanon_hierarchy *back = NULL;
    size_t           count;
    const void      *bytes;

    REQUIRE(kanon_sink_memory(ctx, &sink) == KANON_OK);
    REQUIRE(kanon_hierarchy_write(ctx, h, sink) == KANON_OK);
    bytes = kanon_sink_bytes(sink, &count);
    REQUIRE(kanon_source_memory(ctx, "back", bytes, count, &source) == KANON_OK);
    /* a label like the first bytes of a spreadsheet makes a file that is not read */
    if (kanon_hierarchy_read(ctx, source, &back) == KANON_OK)
        require_same(h, back);
    else
        REQUIRE(kn_csv_other_kind((kn_str){ bytes, count }));
    kanon_hierarchy_free(back);
    kanon_source_free(source);
    kanon_sink_free(sink);
}

static void
read_as_file(kanon_ctx *ctx, kn_str bytes)
{
    kanon_source    *source = NULL;
    kanon_hierarchy *h = NULL;

    REQUIRE(kanon_source_memory(ctx, "fuzz", bytes.ptr, bytes.len, &source) == KANON_OK);
    if (kanon_hierarchy_read(ctx, source, &h) == KANON_OK)
        write_and_read(ctx, h);
    else
        REQUIRE(kanon_ctx_message(ctx)[0] != 0);
    kanon_hierarchy_free(h);
    kanon_source_free(source);
}

static void
make_from_column(kanon_ctx *ctx, const kn_hier_spec *spec, kn_str lines)
{
    kn_dict         *dict = NULL;
    kanon_hierarchy *h = NULL;
    kn_str           line;
    uint32_t         code;
    kn_domain        domain = { .column = "col", .source = "fuzz", .missing = KN_NO_CODE };
    kanon_status     rc;

    REQUIRE(kn_dict_new(ctx, &dict) == KANON_OK);
    while (kn_str_split(&lines, '\n', &line))
        REQUIRE(kn_dict_add(dict, line, &code) == KANON_OK);
    domain.count = kn_dict_count(dict);
    domain.values = kn_dict_values(dict);
    rc = kn_hierarchy_make(ctx, spec, KN_TYPE_AUTO, &domain, &h);
    if (spec->kind == KN_HIER_MASK || spec->kind == KN_HIER_ORDER)
        REQUIRE(rc == KANON_OK);
    if (rc == KANON_OK && domain.count)
        write_and_read(ctx, h);
    kanon_hierarchy_free(h);
    kn_dict_free(dict);
}

static void
read_as_spec(kanon_ctx *ctx, kn_str text)
{
    kn_arena     arena;
    kn_hier_spec spec;
    kn_str       first;

    kn_arena_init(&arena, ctx);
    if (kn_str_split(&text, '\n', &first)
        && kn_hier_spec_parse(ctx, &arena, "col", first, "folder", &spec) == KANON_OK
        && spec.kind != KN_HIER_FILE && spec.kind != KN_HIER_PLACE && text.ptr)
        make_from_column(ctx, &spec, text);
    kn_arena_fini(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kn_str     text = { size ? (const char *) data : "", size };
    kanon_ctx *ctx = NULL;

    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    read_as_file(ctx, text);
    /* Cells that the table's reader lets through. */
    if (kn_utf8_check(text.ptr, text.len) == text.len && !memchr(text.ptr, 0, text.len))
        read_as_spec(ctx, text);
    kanon_ctx_free(ctx);
    return 0;
}
