/* SPDX-License-Identifier: Apache-2.0 */
/* csv_checks.h -- what a text reads as, with every scanner and every size of pieces, for the tests of the
 * CSV reader. */
#ifndef CSV_CHECKS_H
#define CSV_CHECKS_H

#include "csv_help.h"
#include "test.h"
/* What a text reads as; the answer is to be freed. */
static inline char *
reads(kn_str bytes, const kn_csv_options *options, const kn_csv_tuning *tuning)
{
    kanon_ctx    *ctx = NULL;
    kanon_source *source = NULL;
    kn_text       text;
    char         *copy;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kanon_source_memory(ctx, "t.csv", bytes.ptr, bytes.len, &source));
    kn_text_init(&text, ctx);
    help_read(&text, source, options, tuning);
    CHECK(!text.failed);
    copy = malloc(text.len + 1);
    CHECK(copy);
    memcpy(copy, text.ptr ? text.ptr : "", text.len);
    copy[text.len] = 0;
    kn_text_fini(&text);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
    return copy;
}

static inline void
check_reads_with(const char *bytes, const kn_csv_options *options, const char *expected)
{
    static const kn_csv_tuning tunings[] = { { 0 },
                                             { .scan = KN_SCAN_PORTABLE },
                                             { .ahead = KN_AHEAD_ALWAYS },
                                             { .ahead = KN_AHEAD_NEVER, .step = 1 },
                                             { .scan = KN_SCAN_PORTABLE, .step = 3 } };

    for (size_t i = 0; i < KN_COUNT(tunings); i++) {
        char *got = reads(kn_str_of(bytes), options, &tunings[i]);

        if (strcmp(got, expected) != 0)
            FAIL("\"%s\" (tuning %zu) reads as\n%sexpected\n%s", bytes, i, got, expected);
        free(got);
    }
}

static inline void
check_reads(const char *bytes, const char *expected)
{
    check_reads_with(bytes, NULL, expected);
}

/* Where the first line is known to be a header. */
static inline void
check_rows(const char *bytes, const char *expected)
{
    check_reads_with(bytes, &(kn_csv_options){ .header = KN_HEADER_YES }, expected);
}

#endif
