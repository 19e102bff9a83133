/* SPDX-License-Identifier: Apache-2.0 */
/* test_hierarchy_property.c -- what holds for every hierarchy over random domains: nesting, one root,
 * labels that tell groups apart, leaves that add up, and a file that reads back the same; and what
 * happens when memory runs out at any point. */
#include "base/rng.h"
#include "failing_alloc.h"
#include "hierarchy_fixture.h"

enum { ROUNDS = 300, VALUES = 120 };

typedef struct column {
    char      texts[VALUES][64];
    kn_str    values[VALUES];
    uint64_t  rows[VALUES];
    kn_domain domain;
} column;

typedef void (*write_value)(kn_rng *rng, char *out, size_t size);

static void
write_integer(kn_rng *rng, char *out, size_t size)
{
    snprintf(out, size, "%" PRIu64, kn_rng_below(rng, 100000));
}

static void
write_decimal(kn_rng *rng, char *out, size_t size)
{
    snprintf(out, size, "%s%" PRIu64 ".%0*" PRIu64, kn_rng_below(rng, 2) ? "-" : "",
             kn_rng_below(rng, 300), 2, kn_rng_below(rng, 100));
}

static void
write_date(kn_rng *rng, char *out, size_t size)
{
    snprintf(out, size, "%02u/%02u/%04u", (unsigned) (1 + kn_rng_below(rng, 28)),
             (unsigned) (1 + kn_rng_below(rng, 12)), (unsigned) (1800 + kn_rng_below(rng, 300)));
}

/* A few characters, some of several bytes, some that mean something in CSV or in labels. */
static void
write_text(kn_rng *rng, char *out, size_t size)
{
    static const char *const pieces[] = { "a",       "b",  "B",  "1",        "2",
                                          ",",       ";",  "\"", "\n",       "*",
                                          " ",       "..", "{",  "\xc3\xa9", "\xe2\x82\xac",
                                          "\xc3\xa8" };
    size_t                   length = kn_rng_below(rng, 7);

    out[0] = 0;
    for (size_t i = 0; i < length; i++)
        strncat(out, pieces[kn_rng_below(rng, KN_COUNT(pieces))], size - strlen(out) - 1);
}

static void
make_column(column *c, kn_rng *rng, write_value write)
{
    size_t wanted = 1 + kn_rng_below(rng, VALUES);

    memset(c, 0, sizeof *c);
    c->domain = (kn_domain){ .column = "col",
                             .source = "t.csv",
                             .values = c->values,
                             .rows = c->rows,
                             .missing = KN_NO_CODE,
                             .rare = kn_rng_below(rng, 3) * 500 };
    for (size_t tries = 0; tries < wanted; tries++) {
        size_t n = c->domain.count;
        bool   known = false;

        if (tries == 0 && kn_rng_below(rng, 2))
            snprintf(c->texts[n], sizeof c->texts[n], "?");
        else
            write(rng, c->texts[n], sizeof c->texts[n]);
        for (size_t i = 0; i < n && !known; i++)
            known = strcmp(c->texts[i], c->texts[n]) == 0;
        if (known)
            continue;
        if (strcmp(c->texts[n], "?") == 0)
            c->domain.missing = (uint32_t) n;
        c->values[n] = kn_str_of(c->texts[n]);
        c->rows[n] = 1 + kn_rng_below(rng, 100) * kn_rng_below(rng, 100);
        c->domain.count++;
    }
}

/* --- properties ---------------------------------------------------------------------------------- */

static void
check_leaves(const kanon_hierarchy *h)
{
    CHECK_EQ_U64(h->domain, h->nleaves - (h->missing != KN_NO_CODE));
    for (size_t l = 0; l < h->nlevels; l++) {
        const kn_level *level = &h->levels[l];
        uint64_t        sum = 0;

        for (uint32_t g = 0; g < level->ngroups; g++) {
            sum += level->leaves[g];
            if (level->lo)
                CHECK(level->lo[g] <= level->hi[g]);
            if (level->lo && level->leaves[g])
                CHECK(level->lo[g] >= h->min && level->hi[g] <= h->max);
        }
        CHECK_EQ_U64(sum, h->domain);
        CHECK((level->lo != NULL) == (h->type == KN_TYPE_NUMBER));
    }
}

/* Checked here in another way than the library does it: pairs of values, texts of labels. */
static void
check_pairs(const kanon_hierarchy *h)
{
    for (uint32_t a = 0; a < h->nleaves; a++)
        for (uint32_t b = 0; b < a; b++) {
            bool together = false;

            for (size_t l = 0; l < h->nlevels; l++) {
                const kn_level *level = &h->levels[l];
                bool            same = level->group_of[a] == level->group_of[b];

                CHECK(same || !together);
                CHECK(same
                      == kn_str_equal(level->labels[level->group_of[a]],
                                      level->labels[level->group_of[b]]));
                CHECK(!(same && l + 1 < h->nlevels && (a == h->missing || b == h->missing)));
                together = same;
            }
            CHECK(together);
        }
}

static void
check_levels(const kanon_hierarchy *h, const kn_domain *domain)
{
    CHECK(h->kind != KN_HIER_AUTO && h->type != KN_TYPE_AUTO);
    CHECK(h->nlevels >= 2 && h->nlevels <= 256);
    CHECK_EQ_U64(h->levels[h->nlevels - 1].ngroups, 1);
    CHECK_EQ_U64(h->nleaves, domain->count);
    for (size_t i = 0; i < domain->count; i++) {
        CHECK_EQ_U64(h->levels[0].group_of[i], i);
        CHECK(kn_str_equal(h->levels[0].labels[i], domain->values[i]));
    }
    check_leaves(h);
    check_pairs(h);
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Does a label hold this number or date? Numbers may be written in another way. */
static bool
names(kn_str label, kn_str value)
{
    kn_decimal number, own;
    size_t     end;

    for (size_t at = 0; at < label.len; at = end + 1) {
        for (end = at;
             end < label.len && (is_digit(label.ptr[end]) || strchr("-./", label.ptr[end]));)
            end++;
        if (kn_str_equal((kn_str){ label.ptr + at, end - at }, value)
            || (kn_decimal_parse((kn_str){ label.ptr + at, end - at }, &number)
                && kn_decimal_parse(value, &own)
                && kn_decimal_double(number) == kn_decimal_double(own)))
            return true;
    }
    return false;
}

/* No label above level 0 tells a number or a date that too few rows hold; spellings of one count together.
 * One that no row holds may be told by chance: avoiding it would give it away. */
static void
check_rare(const kanon_hierarchy *h, const kn_domain *domain)
{
    for (uint32_t i = 0; i < domain->count; i++) {
        uint64_t rows = 0;

        if (i == domain->missing)
            continue;
        for (uint32_t j = 0; j < domain->count; j++)
            rows += j != domain->missing && names(domain->values[j], domain->values[i])
                      ? domain->rows[j]
                      : 0;
        for (size_t l = 1; rows && rows < domain->rare && l < h->nlevels; l++)
            for (uint32_t g = 0; g < h->levels[l].ngroups; g++) {
                kn_str label = h->levels[l].labels[g];

                if (label.len > 3 && label.ptr[label.len - 1] == ')' && strstr(label.ptr, " ("))
                    label.len = (size_t) (strstr(label.ptr, " (") - label.ptr);
                CHECK(!names(label, domain->values[i]));
            }
    }
}

/* The same for a release: some values lose rows, some all of them. */
static void
check_release(kanon_ctx *ctx, kanon_hierarchy *h, const kn_domain *domain, kn_rng *rng)
{
    uint64_t  released[VALUES];
    kn_domain shown = *domain;

    for (size_t i = 0; i < domain->count; i++)
        released[i] = kn_rng_below(rng, 3) ? domain->rows[i] : kn_rng_below(rng, 3);
    shown.rows = released;
    CHECK_OK(ctx, kn_hierarchy_relabel(h, &shown));
    check_levels(h, &shown);
    if (h->kind == KN_HIER_ORDER && h->type != KN_TYPE_STRING)
        check_rare(h, &shown);
}

static void
check_round_trip(kanon_ctx *ctx, const kanon_hierarchy *h)
{
    kanon_sink      *sink = NULL;
    kanon_source    *source = NULL;
    kanon_hierarchy *back = NULL;
    size_t           count;
    const void      *bytes;

    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_hierarchy_write(ctx, h, sink));
    bytes = kanon_sink_bytes(sink, &count);
    CHECK_OK(ctx, kanon_source_memory(ctx, "back", bytes, count, &source));
    CHECK_OK(ctx, kanon_hierarchy_read(ctx, source, &back));
    CHECK_EQ_U64(back->nlevels, h->nlevels);
    CHECK_EQ_U64(back->nleaves, h->nleaves);
    for (size_t l = 0; l < h->nlevels; l++) {
        CHECK_EQ_U64(back->levels[l].ngroups, h->levels[l].ngroups);
        for (uint32_t i = 0; i < h->nleaves; i++)
            CHECK(kn_str_equal(back->levels[l].labels[back->levels[l].group_of[i]],
                               h->levels[l].labels[h->levels[l].group_of[i]]));
    }
    kanon_hierarchy_free(back);
    kanon_source_free(source);
    kanon_sink_free(sink);
}

static void
check_random(const char *spec_text, write_value write)
{
    kn_rng rng;

    kn_rng_init(&rng, 7, 0);
    for (size_t round = 0; round < ROUNDS; round++) {
        column           c;
        kanon_ctx       *ctx = NULL;
        kn_arena         arena;
        kn_hier_spec     spec;
        kanon_hierarchy *h = NULL;

        make_column(&c, &rng, write);
        CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        kn_arena_init(&arena, ctx);
        CHECK_OK(ctx, kn_hier_spec_parse(ctx, &arena, "col", kn_str_of(spec_text), NULL, &spec));
        CHECK_OK(ctx, kn_hierarchy_make(ctx, &spec, KN_TYPE_AUTO, &c.domain, &h));
        check_levels(h, &c.domain);
        if (h->kind == KN_HIER_ORDER && h->type != KN_TYPE_STRING)
            check_rare(h, &c.domain);
        check_round_trip(ctx, h);
        check_release(ctx, h, &c.domain, &rng);
        kanon_hierarchy_free(h);
        kn_arena_fini(&arena);
        kanon_ctx_free(ctx);
    }
}

TEST(random_ranges)
{
    check_random("range:5,10,50", write_integer);
    check_random("range:0.5,10,50", write_decimal);
    check_random("range:x10", write_integer);
    check_random("range:x3", write_decimal);
    check_random("range", write_integer);
    check_random("range", write_decimal);
}

TEST(random_masks)
{
    check_random("mask:right", write_text);
    check_random("mask:left", write_text);
    check_random("mask", write_integer);
}

TEST(random_dates)
{
    check_random("date", write_date);
    check_random("date:week", write_date);
    check_random("date:day,month,quarter,year,decade,century", write_date);
}

TEST(random_orders)
{
    check_random("order", write_text);
    check_random("order:2", write_text);
    check_random("order:64", write_text);
    check_random("order:3", write_decimal);
    check_random("order:3", write_integer);
    check_random("order:2", write_integer);
    check_random("order:2", write_date);
}

TEST(random_auto)
{
    check_random("auto", write_text);
    check_random("auto", write_integer);
    check_random("auto", write_decimal);
    check_random("auto", write_date);
}

/* Few short texts, so that many are the beginning of others; nothing that labels are made of. */
static void
write_word(kn_rng *rng, char *out, size_t size)
{
    static const char *const pieces[] = { "a", "b", "n", " ", "\xc3\xa9" };
    size_t                   length = 1 + kn_rng_below(rng, 5);

    snprintf(out, size, "w");
    if (kn_rng_below(rng, 4) == 0)
        out[0] = 0;
    for (size_t i = 0; i < length; i++)
        strncat(out, pieces[kn_rng_below(rng, KN_COUNT(pieces))], size - strlen(out) - 1);
}

/* Is a label a value, or does it begin or end with one? */
static bool
tells(kn_str label, kn_str value)
{
    char   text[256], begin[80], end[80];
    char  *number;
    size_t length;

    snprintf(text, sizeof text, "%.*s", KN_ARG(label));
    number = strstr(text, " (");
    if (number)
        *number = 0;
    snprintf(begin, sizeof begin, "%.*s..", KN_ARG(value));
    length = (size_t) snprintf(end, sizeof end, "..%.*s", KN_ARG(value));
    return strlen(text) == value.len
             ? memcmp(text, value.ptr, value.len) == 0
             : strncmp(text, begin, length) == 0
                   || (strlen(text) >= length && strcmp(text + strlen(text) - length, end) == 0);
}

TEST(order_labels_tell_no_rare_value)
{
    static const kn_hier_spec spec = { .kind = KN_HIER_ORDER };
    kn_rng                    rng;
    size_t                    rare = 0;

    kn_rng_init(&rng, 17, 0);
    for (size_t round = 0; round < ROUNDS; round++) {
        column           c;
        kanon_ctx       *ctx = NULL;
        kanon_hierarchy *h = NULL;

        make_column(&c, &rng, write_word);
        CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        CHECK_OK(ctx, kn_hierarchy_make(ctx, &spec, KN_TYPE_STRING, &c.domain, &h));
        for (size_t i = 0; i < c.domain.count; i++) {
            if (i == c.domain.missing || c.rows[i] >= c.domain.rare)
                continue;
            rare++;
            for (size_t l = 1; l < h->nlevels; l++)
                for (uint32_t g = 0; g < h->levels[l].ngroups; g++)
                    CHECK(!tells(h->levels[l].labels[g], c.values[i]));
        }
        kanon_hierarchy_free(h);
        kanon_ctx_free(ctx);
    }
    CHECK(rare > ROUNDS);
}

/* The groups do not depend on the order in which the values were met. */
TEST(shuffled_domains_give_the_same_groups)
{
    kn_rng rng;

    kn_rng_init(&rng, 11, 0);
    for (size_t round = 0; round < ROUNDS; round++) {
        static const kn_hier_spec spec = { .kind = KN_HIER_AUTO };
        column                    c;
        kanon_ctx                *ctx = NULL;
        kanon_hierarchy          *a = NULL, *b = NULL;
        kn_str                    values[VALUES];
        uint64_t                  rows[VALUES];
        kn_domain                 turned;
        size_t                    n;

        make_column(&c, &rng, round % 2 ? write_text : write_integer);
        turned = c.domain;
        turned.values = values;
        turned.rows = rows;
        n = c.domain.count;
        for (size_t i = 0; i < n; i++) {
            values[i] = c.values[n - 1 - i];
            rows[i] = c.rows[n - 1 - i];
        }
        if (c.domain.missing != KN_NO_CODE)
            turned.missing = (uint32_t) (n - 1 - c.domain.missing);
        CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        CHECK_OK(ctx, kn_hierarchy_make(ctx, &spec, KN_TYPE_AUTO, &c.domain, &a));
        CHECK_OK(ctx, kn_hierarchy_make(ctx, &spec, KN_TYPE_AUTO, &turned, &b));
        CHECK_EQ_U64(a->nlevels, b->nlevels);
        for (size_t l = 0; l < a->nlevels; l++)
            for (size_t i = 0; i < n; i++)
                CHECK(kn_str_equal(a->levels[l].labels[a->levels[l].group_of[i]],
                                   b->levels[l].labels[b->levels[l].group_of[n - 1 - i]]));
        kanon_hierarchy_free(a);
        kanon_hierarchy_free(b);
        kanon_ctx_free(ctx);
    }
}

/* --- the check itself ---------------------------------------------------------------------------- */

/* A made hierarchy, then bent: the check that everything relies on must notice. */
static kanon_hierarchy *
bent(fixture *f)
{
    fixture_open(f, "11|12|21|22");
    CHECK_OK(f->ctx, fixture_make(f, "range:5,10"));
    CHECK_OK(f->ctx, kn_hierarchy_check(f->ctx, f->h, "col"));
    return f->h;
}

TEST(check_notices_broken_nesting)
{
    fixture          f;
    kanon_hierarchy *h = bent(&f);

    h->levels[2].group_of[1] = h->levels[2].group_of[2];
    CHECK(kn_hierarchy_check(f.ctx, h, "col") == KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(f.ctx),
              "column 'col': '11' and '12' are both '10 to 14' at level 1, but '10 to 19' and '20 "
              "to 29' at level "
              "2; values that are equal at one level must stay equal above it");
    fixture_close(&f);
}

TEST(check_notices_two_roots_and_equal_labels)
{
    fixture          f;
    kanon_hierarchy *h = bent(&f);

    h->nlevels--;
    CHECK(kn_hierarchy_check(f.ctx, h, "col") == KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(f.ctx),
              "column 'col': the last level has '10 to 19' and '20 to 29', but "
              "must have one value; add a last level '*'");
    h->nlevels++;
    h->levels[1].labels[1] = h->levels[1].labels[0];
    CHECK(kn_hierarchy_check(f.ctx, h, "col") == KANON_E_INVALID);
    CHECK(
        strstr(kanon_ctx_message(f.ctx),
               "'12' and '22' are in different groups of level 1 that are both named '10 to 14'"));
    fixture_close(&f);
}

/* --- memory -------------------------------------------------------------------------------------- */

typedef struct sweep {
    const char *spec;
    const char *values;
} sweep;

static kanon_status
make_in(kanon_ctx *ctx, void *user)
{
    const sweep     *s = user;
    kanon_status     rc;
    kn_arena         arena;
    kn_hier_spec     spec;
    kanon_hierarchy *h = NULL;
    kanon_sink      *sink = NULL;
    fixture          f;

    fixture_open(&f, s->values);
    kn_arena_init(&arena, ctx);
    KN_TRY(kn_hier_spec_parse(ctx, &arena, "col", kn_str_of(s->spec), NULL, &spec));
    KN_TRY(kn_hierarchy_make(ctx, &spec, KN_TYPE_AUTO, &f.domain, &h));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_hierarchy_write(ctx, h, sink));
out:
    kanon_sink_free(sink);
    kanon_hierarchy_free(h);
    kn_arena_fini(&arena);
    fixture_close(&f);
    return rc;
}

static void
check_memory(const char *spec, const char *values)
{
    sweep s = { spec, values };

    CHECK(failing_alloc_sweep(make_in, &s) > 5);
}

TEST(memory_runs_out)
{
    check_memory("range:5,10,50", "1|17|?|99");
    check_memory("range:x10", "1|17|?|99");
    check_memory("range", "1|17|?|99");
    check_memory("mask:left", "1017|17|?|99");
    check_memory("date", "01/01/1970|02/03/1980|?");
    check_memory("date:hour,weekday", "2024-03-05 10:00|2024-03-06 11:00|?");
    check_memory("time", "10:00|11:00|?");
    check_memory("ip", "10.0.0.1|2001:db8::1|?");
    check_memory("email", "ann@cs.example.ac.uk|?");
    check_memory("grid:lon@52,100,1000", "13.3777|13.4|?");
    check_memory("order:2", "a|b|c|d|e|{a, b}|?");
    check_memory("auto", "a|b|c|d|e|?");
}

TEST(memory_runs_out_while_reading)
{
    const char *file = temp_file(0, "a;x;*\nb;x;*\nc;y;*\nd;y;*\n");
    const char *places = temp_file(1, "city,province,country\na,x,p\nb,x,p\nA,x,p\nc,y,q\n");
    char        spec[128];

    snprintf(spec, sizeof spec, "file:%s", file);
    check_memory(spec, "a|c|?");
    snprintf(spec, sizeof spec, "place:%s:city,province", places);
    check_memory(spec, "a|c|?");
    unlink(file);
    unlink(places);
}
