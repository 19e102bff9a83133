/* SPDX-License-Identifier: Apache-2.0 */
/* forms.h -- recognises how tools write generalized values: intervals, sets, hidden characters. Texts
 * only; meaning.c finds what they mean for a column. */
#ifndef KN_COMPARE_FORMS_H
#define KN_COMPARE_FORMS_H

#include "base/base.h"

/** Reads one end of an interval. */
typedef bool (*kn_end_reader)(const void *user, kn_str text, double *out);

typedef struct kn_interval {
    double low, high; /* -INFINITY, INFINITY: no end */
    bool   low_open, high_open;
} kn_interval;

/** 20-29, 20 - 29, 20..29, 20 to 29, 20~29, [20, 30), [20;30[, ]20,30], >=20, < 20, 20+, 20 or more ... */
bool kn_form_interval(kn_str text, kn_end_reader read, const void *user, kn_interval *out);

/** {a, b}, [a, b], (a, b), or a|b, a~b, a;b: *inside is what is between the brackets, *separator what parts
 *  the members. */
bool kn_form_set(kn_str text, kn_str *inside, char *separator);

/** Has a text a `*` in the place of characters, and others beside it? */
bool kn_form_hidden(kn_str text);
/** Does a value fit, each `*` standing for one character? */
bool kn_hidden_fits(kn_str pattern, kn_str value);
/** The same, each `*` standing for any number of characters. */
bool kn_hidden_fits_any(kn_str pattern, kn_str value);

#endif
