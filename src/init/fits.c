/* SPDX-License-Identifier: Apache-2.0 */
/* fits.c -- what the values of a column must be for its name to count. */
#include "init/recognise.h"

/* Kilograms that a person can have. */
static const double BODY_MEAN_LEAST = 2, BODY_MEAN_MOST = 200, BODY_MOST = 400;
enum { BODY_DECIMALS_MOST = 2 };
/* Values of a key, and of a code that tells cases apart. */
enum { MANY_LEAST = 20, CODED_MOST = 12, CODED_FIRST = 2, CODED_LAST = 99, CODED_ROWS = 5 };
static const double YEAR_FIRST = 1850, YEAR_LAST = 2100;
/* Share of the cells that decides. */
static const double NEARLY_ALL = 0.9;

static bool
are_numbers(const kn_looks *looks)
{
    return looks->cells && (double) looks->numbers >= NEARLY_ALL * (double) looks->cells;
}

bool
kn_fits_text(const kn_evidence *evidence)
{
    return evidence->type == KN_TYPE_STRING && !kn_fits_number(evidence);
}

bool
kn_fits_number(const kn_evidence *evidence)
{
    return evidence->type == KN_TYPE_NUMBER || are_numbers(&evidence->looks);
}

bool
kn_fits_moment(const kn_evidence *evidence)
{
    const kn_looks *looks = &evidence->looks;

    return evidence->type == KN_TYPE_DATE
        || (looks->cells
            && (double) (looks->forms[KN_FORM_TIME] + looks->forms[KN_FORM_TIMESTAMP])
                   >= NEARLY_ALL * (double) looks->cells);
}

bool
kn_fits_many(const kn_evidence *evidence)
{
    return evidence->distinct >= MANY_LEAST
        && (evidence->type != KN_TYPE_NUMBER || evidence->looks.decimals == 0);
}

/* Above what persons weigh, about 1, or with many decimals. */
bool
kn_fits_sampling(const kn_evidence *evidence)
{
    const kn_looks *looks = &evidence->looks;
    double          mean = looks->measured ? looks->sum / looks->measured : 0;

    return evidence->type == KN_TYPE_NUMBER && looks->measured >= KN_CELLS_LEAST
        && (mean < BODY_MEAN_LEAST || mean > BODY_MEAN_MOST || looks->max > BODY_MOST
            || looks->decimals > BODY_DECIMALS_MOST);
}

bool
kn_is_coded(const kn_evidence *evidence)
{
    const kn_looks *looks = &evidence->looks;

    if (evidence->type != KN_TYPE_NUMBER || looks->amounts || looks->decimals)
        return false;
    if (evidence->distinct == 1)
        return true;
    return evidence->distinct <= CODED_MOST && evidence->filled >= CODED_ROWS * evidence->distinct
        && looks->min >= 0 && looks->min <= CODED_FIRST && looks->max <= CODED_LAST;
}

bool
kn_is_years(const kn_evidence *evidence)
{
    const kn_looks *looks = &evidence->looks;

    return evidence->type == KN_TYPE_NUMBER && looks->measured && !looks->decimals
        && !looks->amounts && looks->min >= YEAR_FIRST && looks->max <= YEAR_LAST;
}
