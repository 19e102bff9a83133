/* SPDX-License-Identifier: Apache-2.0 */
/* value.h -- what a cell's text means: numbers and dates, exactly, without the locale. */
#ifndef KN_VALUE_H
#define KN_VALUE_H

#include "base/base.h"

typedef enum { KN_TYPE_AUTO, KN_TYPE_NUMBER, KN_TYPE_DATE, KN_TYPE_STRING, KN_TYPE_PLACE } kn_type;

extern const char *const kn_type_names[]; /* by type, then NULL */
const char              *kn_type_name(kn_type type);

/** A decimal number, exact: value = mantissa / 10^decimals, 0 <= decimals <= 15. */
typedef struct kn_decimal {
    int64_t  mantissa;
    unsigned decimals;
} kn_decimal;

/** A cell: "-12.50", "-12,50", "+3", ".5", "1e3", or as people write numbers (kn_number_parse_form); blanks
 *  around are allowed. Decimals that do not fit are rounded off, half away from zero. False if it is no
 *  number, or a whole part does not fit. */
bool kn_decimal_parse(kn_str text, kn_decimal *out);
/** The same without what people write around numbers. */
bool kn_decimal_parse_plain(kn_str text, kn_decimal *out);
/** A setting: the same, but a comma is refused, since there it separates. */
bool   kn_decimal_parse_strict(kn_str text, kn_decimal *out);
double kn_decimal_double(kn_decimal value);
/** A number as people write it: "$117,577.00", "1.234,50 EUR", "12 %", "(5.00)", "1 234". */
typedef struct kn_number_form {
    char     bare[64]; /* "-117577.00", length bytes of it */
    size_t   length;
    unsigned unit;    /* currency or percent; 0: none */
    char     decimal; /* the mark before decimals; 0: there are none */
    char     group;   /* the mark between thousands; 0: there is none */
} kn_number_form;

/** What a cell means that kn_decimal_parse_plain does not read; false if it is no number, or nobody can
 *  tell. */
bool kn_number_parse_form(kn_str text, kn_number_form *out);

/** "1,234" may be 1234, or a number with three decimals. */
bool kn_maybe_thousands(kn_str number);

typedef enum {
    KN_DATE_YMD_DASH,  /* 1970-01-31, also with a time behind it (T or blank) */
    KN_DATE_YMD_SLASH, /* 1970/01/31 */
    KN_DATE_DMY_SLASH, /* 31/01/1970 */
    KN_DATE_MDY_SLASH, /* 01/31/1970 */
    KN_DATE_DMY_DOT,   /* 31.01.1970 */
    KN_DATE_DMY_DASH,  /* 31-01-1970 */
    KN_DATE_YMD_PLAIN, /* 19700131 */
    KN_DATE_FORMATS
} kn_date_format;

typedef struct kn_date {
    int16_t year;
    uint8_t month, day;
} kn_date;

/** A day and, where one is written, the time of day. */
typedef struct kn_moment {
    kn_date date;
    int32_t second; /* of the day, as the clock of its zone shows it; -1: there is none */
} kn_moment;

bool kn_date_parse(kn_str text, kn_date_format format, kn_date *out);
bool kn_moment_parse(kn_str text, kn_date_format format, kn_moment *out);
/** "14:35", "14:35:20.5", "2:35 PM", "14:35+02:00"; blanks around are allowed. */
bool kn_clock_parse(kn_str text, int32_t *second);
/** How a date is written in a format: "31.01.1970". */
const char *kn_date_example(kn_date_format format);
/** Days since 1970-01-01 (proleptic Gregorian). */
int64_t kn_date_days(kn_date date);

/** The distinct values of a column as everything above the table sees them. */
typedef struct kn_domain {
    const char *column; /* for messages */
    const char *source; /* the table's name, for messages */
    const char
          *joined; /* a second table, the population: values without rows are its own; or NULL */
    size_t count;
    const kn_str   *values;
    const uint64_t *rows;    /* rows that hold each value */
    uint32_t        missing; /* the code of the missing value, or KN_NO_CODE */
    const kn_str   *tokens;  /* all spellings that mean missing */
    size_t          ntokens;
    uint64_t        rare;  /* values held by fewer rows are not spelled out in labels */
    bool            exact; /* labels may end at such values all the same (snap off) */
    bool dash;   /* intervals read 20-24, not 20 to 24, which no spreadsheet takes for a date */
    bool hidden; /* an identifier: no message shows a value of it */
} kn_domain;

/** The format that reads every non-missing value; false if none does. *ambiguous is set when day and
 *  month could be swapped (day first is taken). */
bool kn_date_infer(const kn_domain *domain, kn_date_format *format, bool *ambiguous);
/** NUMBER if every non-missing value is one (and not a code with leading zeros), DATE likewise, else
 *  STRING. YMD_PLAIN dates count as numbers unless all are plausible dates 1850..2100. Numbers with
 *  commas are STRING when others have points, and when every comma could mark thousands; numbers with a
 *  currency or percent sign are STRING unless all have the same. */
kn_type kn_type_infer(const kn_domain *domain);
/** As kn_type_infer, but a few odd cells are overlooked: the type that at least 95 % of the values have,
 *  and at least 10 of them. *odd: how many distinct values do not fit; 0 when all do, or for STRING. */
kn_type kn_type_guess(const kn_domain *domain, uint64_t *odd);

/** Warns when a column looks like dates whose years have two digits, which are texts here. */
void kn_warn_short_years(kanon_ctx *ctx, const kn_domain *domain);

/** How the numbers of a column mark their decimals. */
typedef enum {
    KN_MARK_POINT,     /* also when there are no decimals */
    KN_MARK_COMMA,     /* 71,5 */
    KN_MARK_THOUSANDS, /* every comma could be one of 1,234: decimals or not, nobody can tell */
    KN_MARK_MIXED,     /* 71,5 and 71.5: one of them means something else */
    KN_MARK_UNITS      /* $5 and 5 EUR, or $5 and 5 */
} kn_mark;

/** POINT also for a column that is not all numbers. */
kn_mark kn_mark_find(const kn_domain *domain);

#endif
