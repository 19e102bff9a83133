/* SPDX-License-Identifier: Apache-2.0 */
/* forms.c -- what a column holds: what its kind says, or what most of its cells look like. Finer than the
 * type that a job works with, so that a person sees what was understood and gets a hierarchy that fits. */
#include "init/recognise.h"

/* Shares of the cells: for forms that nothing else has, and for those that words may have by chance. */
static const double MOST = 0.9, MANY = 0.6;
enum { CODE_LEAST = 2, CODE_MOST = 12, SCALE_BYTES = 40, ZEROS_LEAST = 3, SIGNS_MOST = 8 };
/* Grades of a scale; cases from which on numbers are codes with places. */
enum { RANKS_MOST = 40, CASES_MANY = 100 };

static const char *const names[KN_FORMS] = {
    [KN_FORM_NONE] = "unknown",
    [KN_FORM_NUMBER] = "number",
    [KN_FORM_DATE] = "date",
    [KN_FORM_TIME] = "time of day",
    [KN_FORM_TIMESTAMP] = "timestamp",
    [KN_FORM_CATEGORY] = "category",
    [KN_FORM_ORDERED] = "ordered category",
    [KN_FORM_CODE] = "code",
    [KN_FORM_IDENTIFIER] = "identifier",
    [KN_FORM_KEY] = "pseudonymous key",
    [KN_FORM_TEXT] = "free text",
    [KN_FORM_COORDINATE] = "coordinate",
    [KN_FORM_EMAIL] = "e-mail address",
    [KN_FORM_PHONE] = "telephone number",
    [KN_FORM_URL] = "URL",
    [KN_FORM_IP] = "IP address",
    [KN_FORM_POSTCODE] = "postal code",
};

const char *
kn_form_name(kn_form form)
{
    return names[form];
}

/* --- cells ------------------------------------------------------------------------------------------ */

static bool
is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Digits and capital letters, maybe with dots, that are no plain number. */
static bool
is_code(kn_str cell)
{
    size_t digits = 0, letters = 0, marks = 0;

    if (cell.len < CODE_LEAST || cell.len > CODE_MOST)
        return false;
    for (size_t i = 0; i < cell.len; i++) {
        digits += kn_is_digit(cell.ptr[i]);
        letters += is_capital(cell.ptr[i]);
        marks += memchr(".-/", cell.ptr[i], 3) != NULL;
    }
    if (!digits || digits + letters + marks < cell.len)
        return false;
    return letters > 0 || marks > 1 || (cell.ptr[0] == '0' && digits >= ZEROS_LEAST && !marks);
}

/* "20-29", "under 5", "65+", ">= 80" */
static bool
is_band(kn_str cell)
{
    size_t digits = 0, dashes = 0, at = 0;

    while (at < cell.len && memchr("<>= ", cell.ptr[at], 4))
        at++;
    for (size_t i = at; i < cell.len; i++) {
        if (kn_is_digit(cell.ptr[i]))
            digits++;
        else if (digits && (cell.ptr[i] == '-' || cell.ptr[i] == '+'))
            dashes++;
        else if (cell.ptr[i] != ' ')
            return false;
    }
    return digits && digits <= 6 && (at || dashes == 1);
}

/* Words of scales: of agreement, frequency and size. */
static bool
is_rank(kn_str cell)
{
    static const char scale[] =
        "=disagree =agree =neutral =neither ^trifft =teilsteils =neutre =daccord =accord "
        "^desacuerdo =acuerdo =neutro =disaccordo =daccordo =oneens =eens =neutraal =low =medium "
        "=high =niedrig =mittel =hoch =faible =moyen =eleve =bajo =medio =alto =basso =laag "
        "=gemiddeld =hoog "
        "=never =rarely =sometimes =often =always =nie =selten =manchmal =oft =immer =jamais "
        "=rarement =parfois =souvent =toujours =nunca =siempre =mai =sempre =nooit =soms =vaak "
        "=altijd =mild =moderate =severe =primary =secondary =bachelor =master =doctorate";
    kn_folded of;

    if (cell.len > SCALE_BYTES)
        return false;
    of = kn_fold(cell);
    return kn_name_matches(&of, scale) > 0;
}

static bool
is_clock(kn_str cell)
{
    int32_t second;

    return kn_clock_parse(cell, &second);
}

typedef bool            cell_test(kn_str cell);
static cell_test *const tests[KN_FORMS] = {
    [KN_FORM_DATE] = kn_cell_is_date,
    [KN_FORM_TIME] = is_clock,
    [KN_FORM_TIMESTAMP] = kn_cell_is_moment,
    [KN_FORM_CODE] = is_code,
    [KN_FORM_TEXT] = kn_cell_is_prose,
    [KN_FORM_EMAIL] = kn_cell_is_email,
    [KN_FORM_PHONE] = kn_cell_is_phone,
    [KN_FORM_URL] = kn_cell_is_url,
    [KN_FORM_IP] = kn_cell_is_ip,
};

/* A currency or percent sign, or a blank; signs outside of ASCII are €, £ and narrow blanks. */
static bool
is_sign(char c)
{
    return c == '$' || c == '%' || c == ' ' || (unsigned char) c >= 0x80;
}

static bool
is_mark(char c)
{
    return c == '.' || c == ',' || c == '\'' || c == ' ';
}

/* The digits of a number in groups of three, and maybe decimals behind another mark: how many marks. One
 * alone may as well be a decimal mark. */
static size_t
count_groups(kn_str digits)
{
    size_t run = 0, groups = 0;
    char   mark = 0;

    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.ptr[i];

        if (kn_is_digit(c)) {
            run++;
            continue;
        }
        if (!run || run > 3 || (groups && run != 3) || !is_mark(c))
            return 0;
        if (mark && c != mark) { /* the decimal mark: nothing but digits may follow */
            for (i++; i < digits.len; i++)
                if (!kn_is_digit(digits.ptr[i]))
                    return 0;
            return groups + 1;
        }
        mark = c;
        groups++;
        run = 0;
    }
    return run == 3 ? groups : 0;
}

/* "$117,577.00", "1.204,50 €", "7.5 %": a number with a sign beside it, or with its thousands apart. */
static bool
is_amount(kn_str cell)
{
    kn_str     body = kn_str_trim(cell);
    size_t     signs = 0;
    kn_decimal value;

    for (; body.len && (is_sign(body.ptr[0]) || memchr("+-", body.ptr[0], 2)); body.len--)
        signs += is_sign(*body.ptr++);
    for (; body.len && is_sign(body.ptr[body.len - 1]); body.len--)
        signs++;
    if (!body.len || signs > SIGNS_MOST || kn_cell_year(cell))
        return false;
    return count_groups(body) > (signs ? 0 : 1) || (signs && kn_decimal_parse(body, &value));
}

static void
add_number(kn_looks *looks, kn_str cell)
{
    kn_decimal value;
    double     number;
    bool       amount = is_amount(cell);

    looks->amounts += amount;
    if (!kn_decimal_parse(cell, &value)) {
        looks->numbers += amount;
        return;
    }
    number = kn_decimal_double(value);
    looks->min = !looks->measured || number < looks->min ? number : looks->min;
    looks->max = !looks->measured || number > looks->max ? number : looks->max;
    looks->numbers++;
    looks->measured++;
    looks->sum += number;
    looks->decimals = value.decimals > looks->decimals ? value.decimals : looks->decimals;
}

void
kn_forms_add(kn_looks *looks, kn_str cell)
{
    for (size_t f = 0; f < KN_FORMS; f++)
        looks->forms[f] += tests[f] && tests[f](cell);
    looks->forms[KN_FORM_ORDERED] += is_band(cell) || is_rank(cell);
    add_number(looks, cell);
}

/* --- columns ---------------------------------------------------------------------------------------- */

static bool
are(const kn_looks *looks, kn_form form, double share)
{
    return looks->cells && (double) looks->forms[form] >= share * (double) looks->cells;
}

/* Of forms that a kind may not know: an "e-mail or phone" column holds what its cells are. */
static kn_form
special_form(const kn_looks *looks)
{
    static const kn_form special[] = { KN_FORM_EMAIL, KN_FORM_URL, KN_FORM_IP, KN_FORM_TIMESTAMP };

    for (size_t i = 0; i < KN_COUNT(special); i++)
        if (are(looks, special[i], MANY))
            return special[i];
    return KN_FORM_NONE;
}

/* Numbers of places, jobs or grades of schools, of which there are more than of other codes. */
static bool
are_cases(const kn_evidence *evidence, unsigned traits)
{
    uint64_t most = traits & KN_KIND_CASES ? UINT64_MAX : traits & KN_KIND_RANKED ? RANKS_MOST : 0;

    return evidence->distinct <= most && !(traits & KN_KIND_QUANTITY) && !evidence->looks.decimals
        && !evidence->looks.amounts && !kn_is_years(evidence);
}

static kn_form
form_of_numbers(const kn_evidence *evidence, unsigned traits)
{
    if (are_cases(evidence, traits) && evidence->looks.max >= CASES_MANY)
        return KN_FORM_CODE;
    if (are_cases(evidence, traits))
        return traits & KN_KIND_RANKED ? KN_FORM_ORDERED : KN_FORM_CATEGORY;
    if (!kn_is_coded(evidence) || kn_is_years(evidence) || (traits & KN_KIND_QUANTITY))
        return evidence->distinct == 1 && !(traits & KN_KIND_QUANTITY) ? KN_FORM_CATEGORY
                                                                       : KN_FORM_NUMBER;
    return traits & KN_KIND_RANKED ? KN_FORM_ORDERED : KN_FORM_CATEGORY;
}

static kn_form
form_of_texts(const kn_evidence *evidence, unsigned traits)
{
    const kn_looks *looks = &evidence->looks;

    if (are(looks, KN_FORM_TIME, MOST))
        return KN_FORM_TIME;
    if (are(looks, KN_FORM_ORDERED, MANY))
        return KN_FORM_ORDERED;
    if (are(looks, KN_FORM_CODE, MOST))
        return kn_nearly_unique(evidence) ? KN_FORM_KEY : KN_FORM_CODE;
    if (kn_fits_number(evidence))
        return KN_FORM_NUMBER;
    if (are(looks, KN_FORM_TEXT, MANY) && kn_uniqueness(evidence) >= MANY)
        return KN_FORM_TEXT;
    if (kn_nearly_unique(evidence))
        return KN_FORM_KEY;
    return traits & KN_KIND_RANKED ? KN_FORM_ORDERED : KN_FORM_CATEGORY;
}

kn_form
kn_form_of(const kn_evidence *evidence, const kn_kind *kind)
{
    kn_form  special = special_form(&evidence->looks), form = kind ? kind->form : KN_FORM_NONE;
    unsigned traits = kind ? kind->traits : 0;

    if (special != KN_FORM_NONE)
        return special;
    if (form != KN_FORM_NONE)
        return form;
    if (evidence->type == KN_TYPE_DATE)
        return KN_FORM_DATE;
    return evidence->type == KN_TYPE_NUMBER ? form_of_numbers(evidence, traits)
                                            : form_of_texts(evidence, traits);
}
