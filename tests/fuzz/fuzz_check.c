/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_check.c -- `check` on any bytes as a released table: the first byte chooses settings. k is counted
 * again by hand, and every form can be written. Any bytes can be gzip, quoted at odd places, in another
 * encoding: what is counted here is read by the library's own reader (which fuzz_csv is about). Where the
 * bytes are so plain that there can be no two opinions, a few lines of their own read them as well. */
#include "fuzz_help.h"

#include "base/text.h"
#include "config/config.h"
#include "formats/csv.h"

enum { CELLS_MOST = 4096 };

typedef struct rows {
    kn_str cells[CELLS_MOST];
    size_t columns, count;
    bool   whole;
} rows;

/* The table as the reader sees it. */
static void
read_rows(rows *r, kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,
          kn_text *store)
{
    kn_csv_options options;
    kn_rows       *csv = NULL;
    const kn_str  *cells = NULL;
    size_t         at[CELLS_MOST], n = 0;

    REQUIRE(kn_config_csv(config, &options) == KANON_OK);
    REQUIRE(kn_csv_open(ctx, source, &options, &csv) == KANON_OK);
    r->columns = kn_rows_columns(csv);
    r->count = 0;
    r->whole = true;
    for (;;) {
        REQUIRE(kn_rows_next(csv, &cells) == KANON_OK);
        if (!cells)
            break;
        r->whole = n + r->columns <= CELLS_MOST;
        for (size_t i = 0; i < r->columns && r->whole; i++, n++) {
            at[n] = store->len;
            r->cells[n].len = cells[i].len;
            kn_text_add(store, cells[i]);
        }
        if (!r->whole)
            break;
        r->count++;
    }
    for (size_t i = 0; i < n; i++)
        r->cells[i].ptr = store->ptr ? store->ptr + at[i] : "";
    kn_rows_close(csv);
}

/* Printable letters and line ends, no quote, no line without a cell in it. */
static bool
is_plain(const char *bytes, size_t count)
{
    bool cell = true;

    for (size_t i = 0; i < count; i++) {
        bool ends = bytes[i] == '\n';

        if (bytes[i] == '"' || (!ends && (bytes[i] < ' ' || bytes[i] > '~')))
            return false;
        if (i == 0 || bytes[i - 1] == '\n') {
            if (!cell)
                return false;
            cell = false;
        }
        cell |= !ends && bytes[i] != ';';
    }
    return cell && (count < 4 || memcmp(bytes, "sep=", 4) != 0);
}

static void
require_read_alike(const rows *r, const char *bytes, size_t count)
{
    fuzz_table t;

    fuzz_read_table(&t, bytes, count, false, ';');
    REQUIRE(t.rows == r->count && (t.columns == r->columns || !t.rows));
    for (size_t i = 0; i < t.rows * t.columns; i++)
        REQUIRE(fuzz_same(t.cells[i], (fuzz_cell){ r->cells[i].ptr, r->cells[i].len }));
    fuzz_free_table(&t);
}

static void
require_counts(const rows *r, const kanon_check *check, size_t nquasi)
{
    uint64_t least = UINT64_MAX;

    for (size_t a = 0; a < r->count; a++) {
        uint64_t alike = 0;

        for (size_t b = 0; b < r->count; b++) {
            bool same = true;

            for (size_t q = 0; q < nquasi && same; q++)
                same = kn_str_equal(r->cells[a * r->columns + q], r->cells[b * r->columns + q]);
            alike += same;
        }
        if (alike < least)
            least = alike;
    }
    REQUIRE(kanon_check_k(check) == (r->count ? least : 0));
}

static void
configure(kanon_ctx *ctx, kanon_config *config, uint8_t byte, size_t *nquasi)
{
    fuzz_set(ctx, config, "header", "no");
    *nquasi = 1 + (byte & 1);
    fuzz_set(ctx, config, "qi", byte & 1 ? "column1,column2" : "column1");
    if (byte & 2)
        fuzz_set(ctx, config, "sensitive", "column3");
    if (byte & 2 && byte & 4) {
        fuzz_set(ctx, config, "l-diversity", "2");
        fuzz_set(ctx, config, "l-kind", PICK(byte >> 5, "distinct", "entropy", "recursive"));
        fuzz_set(ctx, config, "t-closeness", "0.3");
        fuzz_set(ctx, config, "beta-likeness", "1");
        fuzz_set(ctx, config, "delta-disclosure", "2");
    }
    if (byte & 8)
        fuzz_set(ctx, config, "wildcard", "true");
    if (byte & 16)
        fuzz_set(ctx, config, "entity", "column4");
    if (byte & 64)
        fuzz_set(ctx, config, "encoding", "latin-1");
    if (byte & 128)
        fuzz_set(ctx, config, "delimiter", ";");
}

static void
write_all(kanon_ctx *ctx, const kanon_check *check)
{
    for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_TEXT; format++) {
        kanon_sink *sink = fuzz_sink(ctx);

        REQUIRE(kanon_check_write(ctx, check, (kanon_format) format, sink) == KANON_OK);
        kanon_sink_free(sink);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rows   r;
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *source;
    kanon_check  *check = NULL;
    kn_text       store;
    size_t        nquasi;
    kanon_status  rc;

    if (size < 1 || size > 4096)
        return 0;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    configure(ctx, config, data[0], &nquasi);
    source = fuzz_source(ctx, "released", data + 1, size - 1);
    rc = kanon_check_run(ctx, config, source, &check);
    if (rc < 0) {
        REQUIRE(!check);
        fuzz_require_refusal(ctx, rc);
    } else {
        kn_text_init(&store, ctx);
        read_rows(&r, ctx, config, source, &store);
        if (r.whole)
            require_counts(&r, check, nquasi);
        if (r.whole && data[0] & 128 && is_plain((const char *) data + 1, size - 1))
            require_read_alike(&r, (const char *) data + 1, size - 1);
        write_all(ctx, check);
        kn_text_fini(&store);
    }
    kanon_check_free(check);
    kanon_source_free(source);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}
