/* SPDX-License-Identifier: Apache-2.0 */
/* test_public.c -- numbers as outsiders may know them. */
#include <math.h>

#include "test.h"

#include "result/public.h"

/* An unchanged column loses just its suppressed rows, and loss is measured against the range of all rows. */
TEST(the_public_loss_tells_nothing_of_suppressed_rows)
{
    kanon_result r = { .input_rows = 1000, .released_rows = 1000 };

    CHECK_NEAR(kn_public_loss(&r, 0.03), 0.03, 1e-12);
    CHECK_NEAR(kn_public_loss(&r, 0.4267), 0.43, 1e-12);
    CHECK_NEAR(kn_public_loss(&r, 0), 0, 0);
    r.suppression_rows = 10; /* none was, but that is not to be told either */
    CHECK(isnan(kn_public_loss(&r, 0.03)));
    r = (kanon_result){ 0 };
    CHECK(isnan(kn_public_loss(&r, 0)));
    CHECK_EQ_U64(kn_public_rounded(0), 0);
    CHECK_EQ_U64(kn_public_rounded(143), 140);
    CHECK_EQ_U64(kn_public_rounded(98), 100);
    CHECK_EQ_U64(kn_public_rounded(12345), 12300);
    CHECK_STR(kn_public_file("/home/me/x.csv"), "x.csv");
    CHECK_STR(kn_public_file("x.csv"), "x.csv");
}
