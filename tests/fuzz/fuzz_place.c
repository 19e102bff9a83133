/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_place.c -- a table of places (or a hierarchy file), a line "---", and a column of places. The first
 * byte chooses the kind, the columns and what happens to unknown places. What is made is a hierarchy: equal
 * at one level stays equal above, one value at the top; it is written, read and the same again. */
#include "fuzz_help.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "formats/csv_kind.h"
#include "hierarchy/hierarchy.h"
#include "table/dict.h"

static void
require_nested(const kanon_hierarchy *h)
{
    size_t top = kanon_hierarchy_levels(h) - 1;

    REQUIRE(kanon_hierarchy_groups(h, top) == 1);
    for (size_t level = 0; level < top; level++)
        for (size_t a = 0; a < h->nleaves; a++)
            for (size_t b = a + 1; b < h->nleaves && b < a + 20; b++)
                if (h->levels[level].group_of[a] == h->levels[level].group_of[b])
                    REQUIRE(h->levels[level + 1].group_of[a] == h->levels[level + 1].group_of[b]);
}

static void
write_and_read(kanon_ctx *ctx, const kanon_hierarchy *h)
{
    kanon_sink      *sink = fuzz_sink(ctx);
    kanon_source    *source;
    kanon_hierarchy *back = NULL;
    size_t           count, length, back_length;
    char            *bytes;

    REQUIRE(kanon_hierarchy_write(ctx, h, sink) == KANON_OK);
    bytes = fuzz_take_bytes(sink, &count);
    source = fuzz_source(ctx, "back", bytes, count);
    if (kn_csv_other_kind(
            (kn_str){ bytes, count })) { /* a label like the first bytes of a spreadsheet */
        REQUIRE(kanon_hierarchy_read(ctx, source, &back) < 0);
        goto out;
    }
    if (kanon_hierarchy_read(ctx, source, &back) < 0) {
        fprintf(stderr, "%s\n%s", kanon_ctx_message(ctx), bytes);
        abort();
    }
    REQUIRE(kanon_hierarchy_levels(back) == kanon_hierarchy_levels(h));
    REQUIRE(kanon_hierarchy_values(back) == kanon_hierarchy_values(h));
    for (size_t level = 0; level < kanon_hierarchy_levels(h); level++)
        for (size_t v = 0; v < kanon_hierarchy_values(h); v++) {
            const char *one = kanon_hierarchy_label(h, v, level, &length);
            const char *other = kanon_hierarchy_label(back, v, level, &back_length);

            REQUIRE(length == back_length && memcmp(one, other, length) == 0);
        }
out:
    kanon_hierarchy_free(back);
    kanon_source_free(source);
    free(bytes);
}

static void
make(kanon_ctx *ctx, const kn_hier_spec *spec, kn_str lines)
{
    kn_dict         *dict = NULL;
    kanon_hierarchy *h = NULL;
    kn_str           line;
    uint32_t         code;
    kn_domain        domain = { .column = "col", .source = "fuzz", .missing = KN_NO_CODE };
    kn_type          type = spec->kind == KN_HIER_PLACE ? KN_TYPE_PLACE : KN_TYPE_AUTO;
    kanon_status     rc;

    REQUIRE(kn_dict_new(ctx, &dict) == KANON_OK);
    while (kn_str_split(&lines, '\n', &line)) {
        REQUIRE(kn_dict_add(dict, line, &code) == KANON_OK);
        if (!line.len)
            domain.missing = code;
    }
    domain.count = kn_dict_count(dict);
    domain.values = kn_dict_values(dict);
    rc = kn_hierarchy_make(ctx, spec, type, &domain, &h);
    if (rc < 0) {
        fuzz_require_refusal(ctx, rc);
    } else {
        require_nested(h);
        REQUIRE(kn_hierarchy_check(ctx, h, "col") == KANON_OK);
        if (domain.count)
            write_and_read(ctx, h);
    }
    kanon_hierarchy_free(h);
    kn_dict_free(dict);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *items[] = { "city", "region", "land" };
    kanon_ctx         *ctx = NULL;
    const uint8_t     *column;
    size_t             column_size, first;
    kn_hier_spec       spec = { 0 };
    char               path[64];
    int                fd;

    if (size < 2 || size > 4096)
        return 0;
    first = fuzz_cut(data + 1, size - 1, &column, &column_size);
    /* Cells that the table's reader lets through. */
    if (kn_utf8_check((const char *) column, column_size) < column_size
        || memchr(column, 0, column_size))
        return 0;
    spec.kind = data[0] & 1 ? KN_HIER_FILE : KN_HIER_PLACE;
    spec.unknown_other = data[0] & 2;
    spec.items = items;
    spec.nitems = spec.kind == KN_HIER_PLACE ? data[0] >> 2 & 3 : 0;
    fd = memfd_create("places", 0);
    REQUIRE(fd >= 0 && write(fd, data + 1, first) == (ssize_t) first);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    spec.file = path;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    make(ctx, &spec, (kn_str){ (const char *) column, column_size });
    kanon_ctx_free(ctx);
    close(fd);
    return 0;
}
