/* SPDX-License-Identifier: Apache-2.0 */
/* test.h -- a tiny harness: one program per file of tests, no registration by hand.
 *
 *     #include "test.h"
 *     TEST(words_are_trimmed) { CHECK_STR(trim(" a "), "a"); }
 *
 * The program runs all tests, or those named as arguments, and prints "ok NAME" or
 * "FAIL NAME: FILE:LINE: why" for each. A failed check leaves its test at once. */
#ifndef KN_TEST_H
#define KN_TEST_H

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_case test_case;
struct test_case {
    const char *name;
    void (*run)(void);
    test_case *next;
};

static struct {
    test_case  *first, *last;
    const char *now;
    jmp_buf     leave;
} test_all;

/* Constructors run in the order of the file, so tests do too. */
#define TEST(title)                                                                                \
    static void                              test_##title(void);                                   \
    __attribute__((constructor)) static void test_add_##title(void)                                \
    {                                                                                              \
        static test_case one = { #title, test_##title, NULL };                                     \
        if (test_all.last)                                                                         \
            test_all.last->next = &one;                                                            \
        else                                                                                       \
            test_all.first = &one;                                                                 \
        test_all.last = &one;                                                                      \
    }                                                                                              \
    static void test_##title(void)

/* An order key, for jobs that are compared row by row. */
#define TEST_KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* How many cases a test draws: few in `make test`, many in its long form (docs/TESTING.md). */
__attribute__((unused)) static size_t
test_either(size_t few, size_t many)
{
    const char *form = getenv("KANON_LONG");

    return form && *form && strcmp(form, "0") != 0 ? many : few;
}

__attribute__((noreturn, unused, format(printf, 3, 4))) static void
test_fail(const char *file, int line, const char *format, ...)
{
    const char *base = strrchr(file, '/');
    va_list     args;

    printf("FAIL %s: %s:%d: ", test_all.now, base ? base + 1 : file, line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    longjmp(test_all.leave, 1);
}

__attribute__((unused)) static bool
test_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

#define FAIL(...) test_fail(__FILE__, __LINE__, __VA_ARGS__)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            FAIL("%s", #condition);                                                                \
    } while (0)

#define CHECK_EQ_U64(value, expected)                                                              \
    do {                                                                                           \
        uint64_t value_ = (uint64_t) (value), expected_ = (uint64_t) (expected);                   \
        if (value_ != expected_)                                                                   \
            FAIL("%s is %" PRIu64 ", expected %" PRIu64, #value, value_, expected_);               \
    } while (0)

#define CHECK_EQ_I64(value, expected)                                                              \
    do {                                                                                           \
        int64_t value_ = (int64_t) (value), expected_ = (int64_t) (expected);                      \
        if (value_ != expected_)                                                                   \
            FAIL("%s is %" PRId64 ", expected %" PRId64, #value, value_, expected_);               \
    } while (0)

#define CHECK_NEAR(value, expected, tolerance)                                                     \
    do {                                                                                           \
        double value_ = (value), expected_ = (expected);                                           \
        if (!(fabs(value_ - expected_) <= (tolerance)))                                            \
            FAIL("%s is %.17g, expected %.17g", #value, value_, expected_);                        \
    } while (0)

#define CHECK_STR(value, expected)                                                                 \
    do {                                                                                           \
        const char *value_ = (value), *expected_ = (expected);                                     \
        if (!test_same_text(value_, expected_))                                                    \
            FAIL("%s is \"%s\", expected \"%s\"", #value, value_ ? value_ : "(null)",              \
                 expected_ ? expected_ : "(null)");                                                \
    } while (0)

/** For a kn_str or anything else with ptr and len. */
#define CHECK_PIECE(value, expected)                                                               \
    do {                                                                                           \
        const char *expected_ = (expected);                                                        \
        size_t      length_ = strlen(expected_);                                                   \
        if ((value).len != length_ || (length_ && memcmp((value).ptr, expected_, length_) != 0))   \
            FAIL("%s is \"%.*s\", expected \"%s\"", #value, (int) (value).len,                     \
                 (value).ptr ? (value).ptr : "", expected_);                                       \
    } while (0)

/** A status, with the context's message when it is another one. */
#define CHECK_STATUS(ctx, call, expected)                                                          \
    do {                                                                                           \
        int value_ = (int) (call), expected_ = (int) (expected);                                   \
        if (value_ != expected_)                                                                   \
            FAIL("%s is %d (%s), expected %d", #call, value_, kanon_ctx_message(ctx), expected_);  \
    } while (0)
#define CHECK_OK(ctx, call) CHECK_STATUS(ctx, call, 0)

static bool
test_wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc < 2;
}

/* Apart from main: nothing that changes lives in the frame that longjmp returns to. */
static bool
test_passes(const test_case *one)
{
    test_all.now = one->name;
    if (setjmp(test_all.leave))
        return false;
    one->run();
    printf("ok %s\n", one->name);
    return true;
}

int
main(int argc, char **argv)
{
    size_t ran = 0, failed = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (const test_case *one = test_all.first; one; one = one->next)
        if (test_wanted(one->name, argc, argv)) {
            ran++;
            failed += !test_passes(one);
        }
    if (!ran)
        fprintf(stderr, "no test of that name\n");
    return failed || !ran;
}

#endif
