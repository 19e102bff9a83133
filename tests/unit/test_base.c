/* SPDX-License-Identifier: Apache-2.0 */
/* test_base.c -- src/base: context, memory, failures, text, UTF-8, names, arena, random numbers. */
#include "base/arena.h"
#include "base/base.h"
#include "base/fill.h"
#include "base/rng.h"
#include "base/shortest.h"
#include "base/text.h"
#include "failing_alloc.h"
#include "test.h"

static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

/* --- context ----------------------------------------------------------------------------------- */

TEST(ctx_starts_clean)
{
    kanon_ctx *ctx = plain_ctx();
    uint64_t   line = 7;

    CHECK_STR(kanon_ctx_message(ctx), "");
    CHECK(kanon_ctx_place(ctx, &line) == NULL);
    CHECK_EQ_U64(line, 0);
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 0);
    CHECK(kanon_ctx_warning(ctx, 0) == NULL);
    CHECK_STR(kn_ctx_temp_dir(ctx), "/var/tmp");
    kanon_ctx_free(ctx);
    kanon_ctx_free(NULL);
    CHECK(kanon_ctx_new(NULL, NULL) == KANON_E_INVALID);
}

TEST(ctx_copies_its_options)
{
    char              folder[] = "/somewhere";
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    kanon_ctx        *ctx = NULL;

    options.temp_dir = folder;
    CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
    folder[1] = 'X';
    CHECK_STR(kn_ctx_temp_dir(ctx), "/somewhere");
    kanon_ctx_free(ctx);
}

TEST(failure_tells_place_and_text)
{
    kanon_ctx  *ctx = plain_ctx();
    uint64_t    line;
    const char *place;

    CHECK(kn_fail_at(ctx, KANON_E_PARSE, "a.csv", 17, "%d fields, expected %d", 4, 3)
          == KANON_E_PARSE);
    CHECK_STR(kanon_ctx_message(ctx), "a.csv:17: 4 fields, expected 3");
    place = kanon_ctx_place(ctx, &line);
    CHECK_STR(place, "a.csv");
    CHECK_EQ_U64(line, 17);

    CHECK(kn_fail_at(ctx, KANON_E_IO, "a.csv", 0, "empty") == KANON_E_IO);
    CHECK_STR(kanon_ctx_message(ctx), "a.csv: empty");

    CHECK(kn_fail(ctx, KANON_E_INVALID, "k is wrong") == KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(ctx), "k is wrong");
    CHECK(kanon_ctx_place(ctx, NULL) == NULL);

    CHECK(kn_fail_nomem(ctx) == KANON_E_NOMEM);
    CHECK_STR(kanon_ctx_message(ctx), "out of memory");
    kanon_ctx_free(ctx);
}

TEST(failure_names_the_system_error)
{
    kanon_ctx *ctx = plain_ctx();

    CHECK(kn_fail_errno(ctx, "x.csv", "cannot open", 2) == KANON_E_IO);
    CHECK_STR(kanon_ctx_message(ctx), "x.csv: cannot open: No such file or directory");
    kanon_ctx_free(ctx);
}

TEST(failure_is_one_printable_line)
{
    kanon_ctx *ctx = plain_ctx();
    char       long_text[5000];

    kn_fail(ctx, KANON_E_PARSE, "value \"%s\"", "a\nb\x1b[31m\x7f");
    CHECK_STR(kanon_ctx_message(ctx), "value \"a?b?[31m?\"");

    /* "é" is two bytes; whatever the cut, no half of it stays. */
    for (size_t shift = 0; shift < 2; shift++) {
        memset(long_text, 'x', sizeof long_text);
        for (size_t i = shift; i + 2 < sizeof long_text; i += 2)
            memcpy(long_text + i, "\xc3\xa9", 2);
        long_text[sizeof long_text - 1] = 0;
        kn_fail_at(ctx, KANON_E_PARSE, long_text, 1, "%s", long_text);
        CHECK(strlen(kanon_ctx_message(ctx)) > 2000);
        CHECK_EQ_U64(kn_utf8_check(kanon_ctx_message(ctx), strlen(kanon_ctx_message(ctx))),
                     strlen(kanon_ctx_message(ctx)));
    }
    kanon_ctx_free(ctx);
}

TEST(warnings_are_kept_once)
{
    kanon_ctx *ctx = plain_ctx();

    kn_warn(ctx, KN_FOUND_EMPTY_LINES, KN_AT_JOB, "line %d skipped", 3);
    kn_warn(ctx, KN_FOUND_EMPTY_LINES, KN_AT_JOB, "line %d skipped", 4);
    kn_warn(ctx, KN_FOUND_EMPTY_LINES, KN_AT_JOB, "line %d skipped", 3);
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 2);
    CHECK_STR(kanon_ctx_warning(ctx, 0), "line 3 skipped");
    CHECK_STR(kanon_ctx_warning(ctx, 1), "line 4 skipped");
    CHECK(kanon_ctx_warning(ctx, 2) == NULL);
    for (int i = 0; i < 1000; i++)
        kn_warn(ctx, KN_FOUND_EMPTY_LINES, KN_AT_JOB, "warning %d", i);
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 200);
    kanon_ctx_free(ctx);
}

/* A name may hold the mark that stands between what is wrong and what to do. */
TEST(a_warning_has_its_remedy)
{
    kanon_ctx        *ctx = plain_ctx();
    const kn_finding *f;

    kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_setting("x"), "%s: idle" KN_DO "remove %s",
            "a\xc2\x85" KN_DO "b", "it");
    kn_warn(ctx, KN_FOUND_EMPTY_LINES, KN_AT_JOB, "an empty line");
    CHECK_STR(kanon_ctx_warning(ctx, 0), "a?;?b: idle; remove it");
    f = kn_ctx_warning(ctx, 0);
    CHECK_STR(f->what, "a?;?b: idle");
    CHECK_STR(f->remedy, "remove it");
    CHECK_STR(f->place.name, "x");
    CHECK_STR(kn_ctx_warning(ctx, 1)->what, "an empty line");
    CHECK(!kn_ctx_warning(ctx, 1)->remedy); /* that of its code */
    kanon_ctx_free(ctx);
}

TEST(the_first_warning_without_memory_is_kept)
{
    failing_alloc state = { 0 };
    kanon_ctx    *ctx = failing_alloc_ctx(&state);

    state.fail_all = 1;
    kn_warn(ctx, KN_FOUND_EMPTY_LINES, KN_AT_JOB, "kept");
    kn_warn(ctx, KN_FOUND_EMPTY_LINES, KN_AT_JOB, "lost");
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 1);
    CHECK_STR(kanon_ctx_warning(ctx, 0), "kept");
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

TEST(every_status_has_a_text)
{
#define CHECK_TEXT(name, value, text) CHECK_STR(kanon_status_text(KANON_##name), text);
    KANON_STATUS_LIST(CHECK_TEXT)
#undef CHECK_TEXT
    CHECK_STR(kanon_status_text((kanon_status) -99), "unknown status");
}

TEST(the_version_is_the_same_in_all_its_forms)
{
    char spelled[32];

    CHECK_STR(kanon_version(), KANON_VERSION_STRING);
    CHECK(kanon_version_number() == KANON_VERSION_NUMBER);
    snprintf(spelled, sizeof spelled, "%d.%d.%d", KANON_VERSION_MAJOR, KANON_VERSION_MINOR,
             KANON_VERSION_PATCH);
    CHECK_STR(KANON_VERSION_STRING, spelled);
}

/* --- progress ---------------------------------------------------------------------------------- */

typedef struct calls {
    size_t      count;
    const char *stage;
    int         answer;
} calls;

static int
count_call(void *user, const kanon_progress *progress)
{
    calls *seen = user;

    seen->count++;
    seen->stage = progress->stage;
    return seen->answer;
}

TEST(progress_is_throttled_and_can_cancel)
{
    calls             seen = { 0 };
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    kanon_ctx        *ctx = NULL;
    kanon_progress    now = { .size = sizeof now, .stage = "read" };
    double            start = kn_seconds();

    options.progress = count_call;
    options.progress_user = &seen;
    CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
    for (int i = 0; i < 1000; i++)
        CHECK(kn_progress(ctx, &now) == KANON_OK);
    CHECK(seen.count >= 1 && (double) seen.count <= 1 + (kn_seconds() - start) / 0.1);
    now.stage = "search";
    seen.answer = 1;
    CHECK(kn_progress(ctx, &now) == KANON_E_CANCELLED);
    CHECK_STR(seen.stage, "search");
    CHECK_STR(kanon_ctx_message(ctx), "interrupted");
    kanon_ctx_free(ctx);

    ctx = plain_ctx();
    CHECK(kn_progress(ctx, &now) == KANON_OK);
    kanon_ctx_free(ctx);
}

/* Whoever can be content with less hears of it; others go on. Unknown answers cancel. */
TEST(progress_can_be_told_that_it_is_enough)
{
    static const char *const stages[] = { "one", "two" };
    calls                    seen = { 0 };
    kanon_ctx_options        options = KANON_CTX_OPTIONS_INIT;
    kanon_ctx               *ctx = NULL;
    kanon_progress           now = { .size = sizeof now, .stage = stages[0] };
    bool                     enough = false;

    options.progress = count_call;
    options.progress_user = &seen;
    CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
    CHECK(kn_progress_enough(ctx, &now, &enough) == KANON_OK && !enough);
    now.stage = stages[1];
    seen.answer = KANON_PROGRESS_ENOUGH;
    CHECK(kn_progress_enough(ctx, &now, &enough) == KANON_OK && enough);
    CHECK(kn_progress_enough(ctx, &now, &enough) == KANON_OK
          && enough); /* not asked again so soon */
    CHECK(seen.count == 2);
    now.stage = stages[0];
    CHECK(kn_progress(ctx, &now) == KANON_OK && seen.count == 3);
    for (int answer = -1; answer <= 4; answer++) {
        if (answer == KANON_PROGRESS_GO_ON || answer == KANON_PROGRESS_ENOUGH)
            continue;
        now.stage = stages[answer & 1];
        seen.stage = NULL;
        seen.answer = answer;
        enough = false;
        kn_progress(ctx, &(kanon_progress){ .size = sizeof now, .stage = "another" });
        CHECK(kn_progress_enough(ctx, &now, &enough) == KANON_E_CANCELLED && !enough);
    }
    kanon_ctx_free(ctx);
}

/* --- memory ------------------------------------------------------------------------------------ */

TEST(arrays_are_zeroed_and_overflow_checked)
{
    kanon_ctx *ctx = plain_ctx();
    uint64_t  *numbers = KN_NEW_ARRAY(ctx, uint64_t, 1000);
    void      *same;

    CHECK(numbers != NULL);
    for (size_t i = 0; i < 1000; i++)
        CHECK_EQ_U64(numbers[i], 0);
    CHECK(kn_alloc_array(ctx, SIZE_MAX / 2, 3) == NULL);
    CHECK_STR(kanon_ctx_message(ctx), "out of memory");
    CHECK(kn_realloc_array(ctx, numbers, SIZE_MAX / 2, 3) == NULL);
    numbers[999] = 5;
    same = kn_realloc_array(ctx, numbers, 2000, sizeof *numbers);
    CHECK(same != NULL);
    CHECK_EQ_U64(((uint64_t *) same)[999], 5);
    kn_free(ctx, same);
    kn_free(ctx, NULL);
    same = kn_alloc(ctx, 0);
    CHECK(same != NULL);
    kn_free(ctx, same);
    kanon_ctx_free(ctx);
}

TEST(grow_doubles_and_keeps_the_array_on_failure)
{
    failing_alloc state = { 0 };
    kanon_ctx    *ctx = failing_alloc_ctx(&state);
    void         *array = NULL, *before;
    size_t        capacity = 0;

    CHECK_OK(ctx, kn_grow(ctx, &array, &capacity, 1, 4));
    CHECK_EQ_U64(capacity, 16);
    CHECK_OK(ctx, kn_grow(ctx, &array, &capacity, 17, 4));
    CHECK_EQ_U64(capacity, 32);
    CHECK_OK(ctx, kn_grow(ctx, &array, &capacity, 3, 4));
    CHECK_EQ_U64(capacity, 32);
    before = array;
    CHECK(kn_grow(ctx, &array, &capacity, SIZE_MAX, 4) == KANON_E_NOMEM);
    state.fail_all = 1;
    CHECK(kn_grow(ctx, &array, &capacity, 33, 4) == KANON_E_NOMEM);
    CHECK(array == before);
    CHECK_EQ_U64(capacity, 32);
    kn_free(ctx, array);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

TEST(copies_of_text)
{
    kanon_ctx *ctx = plain_ctx();
    char      *copy = kn_strdup(ctx, "word"), *part = kn_strndup(ctx, (kn_str){ "abcdef", 3 });
    char      *none = kn_strndup(ctx, (kn_str){ NULL, 0 });

    CHECK_STR(copy, "word");
    CHECK_STR(part, "abc");
    CHECK_STR(none, "");
    kn_free(ctx, copy);
    kn_free(ctx, part);
    kn_free(ctx, none);
    kanon_ctx_free(ctx);
}

TEST(pieces_compare_bytewise)
{
    CHECK(kn_str_compare(KN_STR("a"), KN_STR("b")) < 0);
    CHECK(kn_str_compare(KN_STR("b"), KN_STR("a")) > 0);
    CHECK(kn_str_compare(KN_STR("a"), KN_STR("ab")) < 0);
    CHECK(kn_str_compare(KN_STR("ab"), KN_STR("a")) > 0);
    CHECK(kn_str_compare(KN_STR("\xff"), KN_STR("a")) > 0);
    CHECK(kn_str_compare(KN_STR("a"), KN_STR("a")) == 0);
    CHECK(kn_str_compare((kn_str){ NULL, 0 }, KN_STR("")) == 0);
    CHECK(kn_str_equal((kn_str){ NULL, 0 }, KN_STR("")));
    CHECK(kn_str_equal(KN_STR("ab"), kn_str_of("ab")));
    CHECK(!kn_str_equal(KN_STR("ab"), KN_STR("ac")));
    CHECK(!kn_str_equal(KN_STR("ab"), KN_STR("a")));
    CHECK_EQ_U64(kn_str_of(NULL).len, 0);
}

/* --- text -------------------------------------------------------------------------------------- */

TEST(text_grows)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    text;
    char      *taken;

    kn_text_init(&text, ctx);
    taken = kn_text_take(&text);
    CHECK_STR(taken, "");
    kn_free(ctx, taken);

    kn_text_addz(&text, "a");
    kn_text_add(&text, KN_STR(";b"));
    kn_text_add(&text, (kn_str){ NULL, 0 });
    kn_text_addf(&text, "%05d%s", 42, "!");
    CHECK_OK(ctx, kn_text_status(&text));
    CHECK_STR(text.ptr, "a;b00042!");
    CHECK_EQ_U64(text.len, 9);
    for (int i = 0; i < 10000; i++)
        kn_text_addf(&text, "%d,", i % 10);
    CHECK_EQ_U64(text.len, 9 + 20000);
    CHECK_EQ_U64(strlen(text.ptr), text.len);
    taken = kn_text_take(&text);
    CHECK_EQ_U64(text.len, 0);
    CHECK(text.ptr == NULL);
    kn_free(ctx, taken);
    kn_text_fini(&text);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

static kanon_status
build_text(kanon_ctx *ctx, void *user)
{
    kn_text      text;
    kanon_status rc;
    char        *taken;

    KN_UNUSED(user);
    kn_text_init(&text, ctx);
    for (int i = 0; i < 500; i++) {
        kn_text_addz(&text, "some words ");
        kn_text_addf(&text, "%d ", i);
    }
    rc = kn_text_status(&text);
    taken = kn_text_take(&text);
    CHECK((taken == NULL) == (rc != KANON_OK));
    kn_free(ctx, taken);
    kn_text_fini(&text);
    return rc;
}

TEST(text_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(build_text, NULL) > 5);
}

TEST(text_remembers_a_failed_add)
{
    failing_alloc state = { 0 };
    kanon_ctx    *ctx = failing_alloc_ctx(&state);
    kn_text       text;

    kn_text_init(&text, ctx);
    state.fail_at = state.requests + 1;
    kn_text_addz(&text, "lost");
    kn_text_addz(&text, "not added either: half a text is worse than none");
    CHECK(kn_text_status(&text) == KANON_E_NOMEM);
    CHECK(kn_text_take(&text) == NULL);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

/* --- UTF-8 ------------------------------------------------------------------------------------- */

TEST(utf8_accepts_what_is_valid)
{
    static const char *const good[] = {
        "",
        "plain ascii, longer than eight bytes",
        "\xc2\x80",
        "\xdf\xbf",
        "\xe0\xa0\x80",
        "\xed\x9f\xbf",
        "\xee\x80\x80",
        "\xef\xbf\xbf",
        "\xf0\x90\x80\x80",
        "\xf4\x8f\xbf\xbf",
        "Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\x98\x80 end",
    };

    for (size_t i = 0; i < KN_COUNT(good); i++)
        CHECK_EQ_U64(kn_utf8_check(good[i], strlen(good[i])), strlen(good[i]));
    CHECK_EQ_U64(kn_utf8_check("a\0b", 3), 3);
}

TEST(utf8_finds_the_first_bad_byte)
{
    static const char *const bad[] = {
        "\x80",             /* continuation alone */
        "\xc0\x80",         /* overlong */
        "\xc1\xbf",         /* overlong */
        "\xe0\x9f\xbf",     /* overlong */
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xed\xa0\x80",     /* surrogate */
        "\xed\xbf\xbf",     /* surrogate */
        "\xf4\x90\x80\x80", /* past U+10FFFF */
        "\xf5\x80\x80\x80",
        "\xff",
        "\xc3",         /* cut */
        "\xe2\x82",     /* cut */
        "\xf0\x9f\x98", /* cut */
        "\xc3(",
        "\xe2\x82(",
    };
    char text[64];

    for (size_t i = 0; i < KN_COUNT(bad); i++)
        for (size_t before = 0; before < 20; before++) {
            size_t length = strlen(bad[i]);

            memset(text, 'x', sizeof text);
            memcpy(text + before, bad[i], length);
            CHECK_EQ_U64(kn_utf8_check(text, before + length), before);
        }
}

/* Every code point, encoded by hand here, must be accepted, and its neighbours in length counted. */
TEST(utf8_covers_all_code_points)
{
    for (uint32_t c = 0; c < 0x110000; c++) {
        char   s[4];
        size_t n;

        if (c < 0x80) {
            n = 1;
            s[0] = (char) c;
        } else if (c < 0x800) {
            n = 2;
            s[0] = (char) (0xc0 | c >> 6);
        } else if (c < 0x10000) {
            n = 3;
            s[0] = (char) (0xe0 | c >> 12);
        } else {
            n = 4;
            s[0] = (char) (0xf0 | c >> 18);
        }
        for (size_t i = 1; i < n; i++)
            s[i] = (char) (0x80 | (c >> 6 * (n - 1 - i) & 0x3f));
        CHECK_EQ_U64(kn_utf8_check(s, n), c >= 0xd800 && c <= 0xdfff ? 0 : n);
        CHECK_EQ_U64(kn_utf8_step((kn_str){ s, n }, 0), n);
    }
}

TEST(utf8_counts_and_steps)
{
    kn_str text = KN_STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");

    CHECK_EQ_U64(kn_utf8_count(text), 4);
    CHECK_EQ_U64(kn_utf8_step(text, 0), 1);
    CHECK_EQ_U64(kn_utf8_step(text, 1), 2);
    CHECK_EQ_U64(kn_utf8_step(text, 3), 3);
    CHECK_EQ_U64(kn_utf8_step(text, 6), 4);
    CHECK_EQ_U64(kn_utf8_step(text, 2), 1);               /* inside a character */
    CHECK_EQ_U64(kn_utf8_step(KN_STR("\xe2\x82"), 0), 1); /* cut */
    CHECK_EQ_U64(kn_utf8_count(KN_STR("")), 0);
}

TEST(utf8_tail_is_trimmed)
{
    static const struct {
        const char *text, *trimmed;
    } cases[] = {
        { "", "" },
        { "ab", "ab" },
        { "a\xc3\xa9", "a\xc3\xa9" },
        { "a\xc3", "a" },
        { "a\xe2\x82", "a" },
        { "a\xe2", "a" },
        { "a\xe2\x82\xac", "a\xe2\x82\xac" },
        { "a\xf0\x9f\x98", "a" },
        { "a\xf0\x9f\x98\x80", "a\xf0\x9f\x98\x80" },
        { "\xc3", "" },
    };
    char text[16];

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        memcpy(text, cases[i].text, strlen(cases[i].text) + 1);
        kn_utf8_trim_tail(text, strlen(text));
        CHECK_STR(text, cases[i].trimmed);
    }
}

/* --- names ------------------------------------------------------------------------------------- */

TEST(nearest_name)
{
    static const char *const names[] = { "suppression", "seed", "sensitive", "threads", "k", NULL };
    static const char *const none[] = { NULL };
    char                     long_word[100];

    CHECK_STR(kn_nearest("supression", names), "suppression");
    CHECK_STR(kn_nearest("suppresison", names), "suppression");
    CHECK_STR(kn_nearest("sede", names), "seed");
    CHECK_STR(kn_nearest("seed", names), "seed");
    CHECK_STR(kn_nearest("theards", names), "threads");
    CHECK_STR(kn_nearest("kk", names), "k");
    CHECK_STR(kn_nearest("see", names), "seed");
    CHECK(kn_nearest("sees", none) == NULL);
    CHECK(kn_nearest("soda", names) == NULL);
    CHECK(kn_nearest("colour", names) == NULL);
    CHECK(kn_nearest("x", names) == NULL);
    CHECK(kn_nearest("", names) == NULL);
    CHECK(kn_nearest("seed", none) == NULL);
    memset(long_word, 's', sizeof long_word);
    long_word[99] = 0;
    CHECK(kn_nearest(long_word, names) == NULL);
}

TEST(nearest_of_short_words_has_most_of_their_letters)
{
    static const char *const metrics[] = { "log", "dm", "cm", "glm", "kgen", NULL };

    CHECK(kn_nearest("foo", metrics) == NULL);
    CHECK(kn_nearest("x", metrics) == NULL);
    CHECK_STR(kn_nearest("lgo", metrics), "log");
    CHECK_STR(kn_nearest("kgne", metrics), "kgen");
}

TEST(nearest_ignores_names_too_long_to_be_meant)
{
    char        long_name[100];
    const char *names[] = { long_name, "word", NULL };

    memset(long_name, 'w', sizeof long_name);
    long_name[99] = 0;
    CHECK_STR(kn_nearest("wrod", names), "word");
    long_name[63] = 0;
    CHECK_STR(kn_nearest(long_name, names), long_name);
}

TEST(lists_are_split_and_trimmed)
{
    kn_str rest = KN_STR(" a ,,b\t, "), piece;

    CHECK(kn_str_split(&rest, ',', &piece));
    CHECK_PIECE(piece, "a");
    CHECK(kn_str_split(&rest, ',', &piece));
    CHECK_PIECE(piece, "");
    CHECK(kn_str_split(&rest, ',', &piece));
    CHECK_PIECE(piece, "b");
    CHECK(kn_str_split(&rest, ',', &piece));
    CHECK_PIECE(piece, "");
    CHECK(!kn_str_split(&rest, ',', &piece));

    rest = KN_STR("a,");
    CHECK(kn_str_split(&rest, ',', &piece));
    CHECK_PIECE(piece, "a");
    CHECK(kn_str_split(&rest, ',', &piece));
    CHECK_PIECE(piece, "");
    CHECK(!kn_str_split(&rest, ',', &piece));

    rest = (kn_str){ NULL, 0 };
    CHECK(!kn_str_split(&rest, ',', &piece));
    CHECK_PIECE(kn_str_trim(KN_STR(" \t ")), "");
}

/* --- sentences --------------------------------------------------------------------------------- */

TEST(a_sentence_takes_its_pieces_in_order)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    text;

    kn_text_init(&text, ctx);
    KN_FILL(&text, "{} of {}: {}, {} {} {}", kn_as_count(1234), kn_as_counted(5000, "row"),
            kn_as_percent(0.25), kn_as_number(1.5), kn_as_fixed(2, 2), kn_as_bytes(4200000));
    CHECK_STR(text.ptr, "1,234 of 5,000 rows: 25.0 %, 1.5 2.00 4.2 MB");
    text.len = 0;
    KN_FILL(&text, "{}{}", kn_as_is("{}"),
            kn_as_name("a\x1b[1m{}b", 6)); /* no place of a sentence */
    CHECK_STR(text.ptr, "{}a?[...");
    text.len = 0;
    KN_FILL(&text, "{}, {}, {} { }", kn_as_counted(1, "class"), kn_as_counted(0, "class"),
            kn_as_digits(1234));
    CHECK_STR(text.ptr, "1 class, 0 classes, 1234 { }");
    CHECK(kn_share(1, 4) == 0.25 && kn_share(3, 0) == 0);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

/* --- arena ------------------------------------------------------------------------------------- */

TEST(arena_pieces_are_aligned_and_apart)
{
    kanon_ctx *ctx = plain_ctx();
    kn_arena   arena;
    char      *pieces[300];

    kn_arena_init(&arena, ctx);
    CHECK_EQ_U64(kn_arena_bytes(&arena), 0);
    for (size_t i = 0; i < KN_COUNT(pieces); i++) {
        pieces[i] = kn_arena_alloc(&arena, i * 7);
        CHECK(pieces[i] != NULL);
        CHECK_EQ_U64((uintptr_t) pieces[i] % 16, 0);
        memset(pieces[i], (int) (i % 100), i * 7);
    }
    for (size_t i = 0; i < KN_COUNT(pieces); i++)
        for (size_t j = 0; j < i * 7; j++)
            CHECK(pieces[i][j] == (char) (i % 100));
    CHECK(kn_arena_bytes(&arena) >= 300 * 299 / 2 * 7);
    CHECK(kn_arena_bytes(&arena) < 2 * 300 * 299 / 2 * 7 + 100000);
    kn_arena_fini(&arena);
    CHECK_EQ_U64(kn_arena_bytes(&arena), 0);
    kn_arena_fini(&arena);
    kanon_ctx_free(ctx);
}

TEST(arena_takes_a_piece_larger_than_a_block)
{
    kanon_ctx *ctx = plain_ctx();
    kn_arena   arena;
    char      *large, *small;

    kn_arena_init(&arena, ctx);
    large = kn_arena_alloc(&arena, 5 << 20);
    small = kn_arena_text(&arena, KN_STR("small"));
    CHECK(large && small);
    memset(large, 1, 5 << 20);
    CHECK_STR(small, "small");
    CHECK(kn_arena_alloc(&arena, SIZE_MAX) == NULL);
    CHECK(kn_arena_alloc(&arena, SIZE_MAX - 8) == NULL);
    CHECK(kn_arena_text(&arena, (kn_str){ "", SIZE_MAX }) == NULL);
    CHECK_STR(kanon_ctx_message(ctx), "out of memory");
    kn_arena_fini(&arena);
    kanon_ctx_free(ctx);
}

static kanon_status
fill_arena(kanon_ctx *ctx, void *user)
{
    kanon_status rc = KANON_OK;
    kn_arena     arena;
    char         word[] = "word";

    KN_UNUSED(user);
    kn_arena_init(&arena, ctx);
    for (int i = 0; i < 20000 && rc == KANON_OK; i++)
        if (!kn_arena_text(&arena, kn_str_of(word)) || !kn_arena_alloc(&arena, 40))
            rc = KANON_E_NOMEM;
    kn_arena_fini(&arena);
    return rc;
}

TEST(arena_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(fill_arena, NULL) > 5);
}

/* --- random numbers ------------------------------------------------------------------------------ */

/* The sequence is part of what "same seed, same bytes" promises: computed once, fixed here. */
TEST(rng_sequence_is_fixed)
{
    static const uint64_t first[] = { UINT64_C(0x47aadc5a31a71870), UINT64_C(0x4a8c5ffb6e3c74a6),
                                      UINT64_C(0xa474f7d64b8a6cf8), UINT64_C(0x6d73719034625595) };
    kn_rng                rng;

    kn_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < KN_COUNT(first); i++)
        CHECK_EQ_U64(kn_rng_next(&rng), first[i]);
}

TEST(rng_streams_differ)
{
    kn_rng a, b, c;

    kn_rng_init(&a, 1, 0);
    kn_rng_init(&b, 1, 1);
    kn_rng_init(&c, 2, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t x = kn_rng_next(&a), y = kn_rng_next(&b), z = kn_rng_next(&c);

        CHECK(x != y && y != z && x != z);
    }
}

TEST(rng_is_uniform_below_a_bound)
{
    enum { BOUND = 7, DRAWS = 70000 };
    size_t seen[BOUND] = { 0 };
    kn_rng rng;
    double sum = 0;

    kn_rng_init(&rng, 42, 3);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t draw = kn_rng_below(&rng, BOUND);

        CHECK(draw < BOUND);
        seen[draw]++;
    }
    for (size_t i = 0; i < BOUND; i++)
        CHECK(seen[i] > 9500 && seen[i] < 10500);
    for (int i = 0; i < 100; i++)
        CHECK_EQ_U64(kn_rng_below(&rng, 1), 0);
    for (int i = 0; i < 1000; i++)
        CHECK(kn_rng_below(&rng, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
    for (int i = 0; i < DRAWS; i++) {
        double unit = kn_rng_unit(&rng);

        CHECK(unit >= 0 && unit < 1);
        sum += unit;
    }
    CHECK_NEAR(sum / DRAWS, 0.5, 0.01);
}

TEST(a_message_shows_the_beginning_of_a_value)
{
    kn_str short_one = KN_STR("k.A.");
    kn_str long_one = KN_STR("0123456789012345678901234567890123456789 and more");
    kn_str within = KN_STR("012345678901234567890123456789012345678\xC3\xA4 and more");
    char   said[100];

    CHECK_EQ_U64(kn_str_brief(short_one), 4);
    CHECK_EQ_U64(kn_str_brief(long_one), 40);
    CHECK_EQ_U64(kn_str_brief(within), 39); /* no half character */
    snprintf(said, sizeof said, "%.*s%s", KN_BRIEF(within));
    CHECK_STR(said, "012345678901234567890123456789012345678...");
}

/* --- numbers ------------------------------------------------------------------------------------ */

static const char *
shortest(double value, kn_float_size size)
{
    static char text[KN_SHORTEST_ROOM + 1];

    text[kn_shortest(text, value, size)] = 0;
    return text;
}

TEST(shortest_numbers_by_size)
{
    CHECK_STR(shortest((double) 0.1f, KN_FLOAT_32), "0.1");
    CHECK_STR(shortest((double) 0.1f, KN_FLOAT_64), "0.10000000149011612");
    CHECK_STR(shortest(0.0999755859375, KN_FLOAT_16), "0.1");
    CHECK_STR(shortest(16777216, KN_FLOAT_32),
              "16777216"); /* a power of two: the lower neighbour is nearer */
    CHECK_STR(shortest(8388608.5, KN_FLOAT_64), "8388608.5");
    CHECK_STR(shortest(-0.0, KN_FLOAT_64), "-0");
    CHECK_STR(shortest(0.0001, KN_FLOAT_64), "0.0001");
    CHECK_STR(shortest(99999999999.9999, KN_FLOAT_64), "99999999999.9999");
    CHECK_STR(shortest((double) NAN, KN_FLOAT_64), "NaN");
    CHECK_STR(shortest(-(double) INFINITY, KN_FLOAT_32), "-inf");
}

/* strtod is what readers have; no text is longer than needed by more than a digit that cannot be proven. */
TEST(shortest_numbers_read_back)
{
    uint64_t state = 1;

    for (int i = 0; i < 20000; i++) {
        uint32_t bits;
        uint64_t wide;
        float    single;
        double   whole;

        state = state * 6364136223846793005u + 1442695040888963407u;
        bits = (uint32_t) (state >> 32);
        wide = i % 2 ? state : 0;
        memcpy(&single, &bits, sizeof single);
        memcpy(&whole, &wide, sizeof whole);
        if (i % 2 == 0)
            whole = (double) (int64_t) (state >> 30)
                  / (i % 4 ? 1000 : 1e8); /* decimals, as tables have */
        if (isfinite(single))
            CHECK(strtof(shortest((double) single, KN_FLOAT_32), NULL) == single);
        if (isfinite(whole))
            CHECK(strtod(shortest(whole, KN_FLOAT_64), NULL) == whole);
        if (i % 2 == 0 && i % 4 == 0)
            CHECK(strlen(shortest(whole, KN_FLOAT_64)) <= 13);
    }
}
