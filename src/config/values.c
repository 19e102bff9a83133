/* SPDX-License-Identifier: Apache-2.0 */
/* values.c -- text in, checked value in the config out: one function per form in which configs keep values,
 * and one for each setting that is more than that. Every refusal says what was expected. */
#include <stdio.h>

#include "base/text.h"
#include "config/setter.h"

/* --- kinds of text ----------------------------------------------------------------------------- */

typedef struct choice {
    const char *name;
    int         value;
} choice;

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

static bool
same_word(kn_str text, const char *word)
{
    for (size_t i = 0; i < text.len; i++)
        if (lower(text.ptr[i]) != word[i]) /* a shorter word ends in 0, which no text holds */
            return false;
    return word[text.len] == 0;
}

static bool
choose(kn_str text, const choice *choices, int *out)
{
    for (; choices->name; choices++)
        if (same_word(text, choices->name)) {
            *out = choices->value;
            return true;
        }
    return false;
}

static const choice switches[] = { { "true", 1 }, { "false", 0 }, { "yes", 1 }, { "no", 0 },
                                   { "on", 1 },   { "off", 0 },   { NULL, 0 } };

static bool
parse_whole(kn_str text, uint64_t *out)
{
    uint64_t value = 0;

    if (text.len == 0)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        uint64_t digit = (uint64_t) (unsigned char) text.ptr[i] - '0';

        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

/* A number of at least 0. */
static bool
parse_number(kn_str text, double *out)
{
    kn_decimal value;

    if (!kn_decimal_parse_strict(text, &value) || value.mantissa < 0)
        return false;
    *out = kn_decimal_double(value);
    return true;
}

static bool
same_letters(kn_str a, kn_str b)
{
    for (size_t i = 0; a.len == b.len && i < a.len; i++)
        if (lower(a.ptr[i]) != b.ptr[i])
            return false;
    return a.len == b.len;
}

kanon_status
kn_set_word(const kn_setter *setter, kn_str value, unsigned *out)
{
    kanon_status rc;
    kn_text      words;
    kn_str       rest = kn_str_of(setter->setting->argument), word;

    *out = 0;
    for (unsigned i = 0; kn_str_split(&rest, '|', &word); i++)
        if (same_letters(value, word)) {
            *out = i;
            return KANON_OK;
        }
    kn_text_init(&words, setter->config->ctx);
    rest = kn_str_of(setter->setting->argument);
    while (kn_str_split(&rest, '|', &word)) {
        kn_text_addz(&words, !words.len ? "" : rest.ptr ? ", " : " or ");
        kn_text_add(&words, word);
    }
    rc = kn_text_status(&words);
    if (rc == KANON_OK)
        rc = kn_setter_refuse(setter, value, words.ptr);
    kn_text_fini(&words);
    return rc;
}

static kanon_status
set_switch(const kn_setter *setter, kn_str value, bool *out)
{
    int chosen;

    if (!choose(value, switches, &chosen))
        return kn_setter_refuse(setter, value, "true or false");
    *out = chosen != 0;
    return KANON_OK;
}

/* What a text is, where it is empty. */
static const char *
expected_text(kanon_value type)
{
    return type == KANON_VALUE_COLUMN ? "the name of a column"
         : type == KANON_VALUE_FILE   ? "the name of a file"
                                      : "a name that `kanon algorithms` lists";
}

static kanon_status
set_text(const kn_setter *setter, kn_str value, const char **out)
{
    kanon_value type = setter->setting->type;
    const char *copy;

    if (value.len == 0)
        return kn_setter_refuse(setter, value, expected_text(type));
    copy = type == KANON_VALUE_FILE ? kn_setter_path(setter, value)
                                    : kn_arena_text(&setter->config->arena, value);
    if (!copy)
        return KANON_E_NOMEM;
    *out = copy;
    return KANON_OK;
}

/* A whole number within the bounds of the table. */
static kanon_status
take_whole(const kn_setter *setter, kn_str value, uint64_t *out)
{
    const kanon_setting *s = setter->setting;
    char                 expected[80];
    uint64_t             most = s->max < 18446744073709551615.0 ? (uint64_t) s->max : UINT64_MAX;
    uint64_t             number;

    if (parse_whole(value, &number) && number >= (uint64_t) s->min && number <= most) {
        *out = number;
        return KANON_OK;
    }
    snprintf(expected, sizeof expected, "a whole number from %.0f to %llu", s->min,
             (unsigned long long) most);
    return kn_setter_refuse(setter, value, expected);
}

kanon_status
kn_set_kept(const kn_setting_entry *entry, const kn_setter *setter, kn_str value)
{
    char        *config = (char *) setter->config;
    void        *field = config + entry->field;
    kanon_status rc = KANON_E_INTERNAL;

    switch (entry->keeps) {
    case KN_KEEPS_WORD:
        rc = kn_set_word(setter, value, field);
        break;
    case KN_KEEPS_SWITCH:
        rc = set_switch(setter, value, field);
        break;
    case KN_KEEPS_WHOLE:
        rc = take_whole(setter, value, field);
        break;
    case KN_KEEPS_TEXT:
        rc = set_text(setter, value, field);
        break;
    case KN_KEEPS_ROLE:
        return kn_column_role(setter, value, entry->role);
    case KN_KEEPS_NUMBER:
    case KN_KEEPS_NOTHING:
        assert(0 && "an entry without a form takes its values itself");
    }
    if (rc == KANON_OK && entry->has)
        *(bool *) (config + entry->has) = true;
    if (rc == KANON_OK && entry->at)
        *(kn_place *) (config + entry->at) = (kn_place){ setter->file, setter->line };
    return rc;
}

/* --- privacy ----------------------------------------------------------------------------------- */

kanon_status
kn_set_suppression(const kn_setter *setter, kn_str value)
{
    kn_str     text = value;
    bool       percent = text.len > 0 && text.ptr[text.len - 1] == '%';
    kn_decimal number;
    double     fraction;

    if (percent)
        text.len--;
    if (!kn_decimal_parse_strict(text, &number) || number.mantissa < 0)
        return kn_setter_refuse(setter, value,
                                "a fraction from 0 to 1, or a percentage such as 1%");
    if (percent && number.decimals <= 13) {
        number.decimals += 2; /* exact: 1% is the same double as 0.01 */
        fraction = kn_decimal_double(number);
    } else {
        fraction = kn_decimal_double(number) / (percent ? 100 : 1);
    }
    if (fraction > 1)
        return kn_setter_refuse(setter, value,
                                "a fraction from 0 to 1, or a percentage such as 1%");
    setter->config->suppression = fraction;
    return KANON_OK;
}

/* --- search ------------------------------------------------------------------------------------ */

kanon_status
kn_set_param(const kn_setter *setter, kn_str key, kn_str value)
{
    kanon_config *config = setter->config;
    void         *block = config->params;
    const char   *copy;
    char         *name;
    size_t        at = 0;

    if (key.len == 0)
        return kn_setter_refuse(setter, key, "the name of a parameter before the =");
    if (value.len == 0)
        return kn_setter_refuse(setter, value, "a value after the =");
    copy = kn_arena_text(&config->arena, value);
    name = kn_arena_text(&config->arena, key);
    if (!copy || !name)
        return KANON_E_NOMEM;
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = '-';
    config->params_at = (kn_place){ setter->file, setter->line };
    while (at < config->nparams && strcmp(config->params[at].key, name) != 0)
        at++;
    if (at == KN_CONFIG_PARAMS_MOST)
        return kn_setter_refuse(setter, key, "at most 256 parameters");
    if (kn_grow(config->ctx, &block, &config->params_capacity, at + 1, sizeof *config->params) < 0)
        return KANON_E_NOMEM;
    config->params = block;
    config->params[at] = (kn_setting){ name, copy };
    if (at == config->nparams)
        config->nparams++;
    return KANON_OK;
}

/* The message does not repeat a key: it may be right but for one digit. */
kanon_status
kn_set_order_key(const kn_setter *setter, kn_str value)
{
    char key[KN_ORDER_KEY_MOST + 1] = "";
    bool fits = value.len >= KN_ORDER_KEY_LEAST && value.len <= KN_ORDER_KEY_MOST;

    for (size_t i = 0; fits && i < value.len; i++) {
        key[i] = (char) (value.ptr[i] >= 'A' && value.ptr[i] <= 'F' ? value.ptr[i] - 'A' + 'a'
                                                                    : value.ptr[i]);
        fits = (key[i] >= '0' && key[i] <= '9') || (key[i] >= 'a' && key[i] <= 'f');
    }
    if (!fits)
        return kn_fail_at(
            setter->config->ctx, KANON_E_INVALID, setter->file, setter->line,
            "%s: expected 32 to 64 hexadecimal digits (0-9, a-f), as `openssl rand -hex 32` "
            "makes them; leave it out for a fresh key",
            setter->name);
    setter->config->order_key = kn_arena_text(&setter->config->arena, kn_str_of(key));
    return setter->config->order_key ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kn_set_threads(const kn_setter *setter, kn_str value)
{
    uint64_t threads = 0;

    if (!same_word(value, "all")
        && (!parse_whole(value, &threads) || (double) threads > setter->setting->max))
        return kn_setter_refuse(setter, value, "a whole number from 0 (all cores) to 1024");
    setter->config->threads = threads;
    return KANON_OK;
}

kanon_status
kn_set_time_limit(const kn_setter *setter, kn_str value)
{
    double seconds = 0;

    if (!same_word(value, "none")
        && (!parse_number(value, &seconds) || seconds > setter->setting->max))
        return kn_setter_refuse(setter, value, "a number of seconds, 0 or none for no limit");
    setter->config->time_limit_s = seconds;
    setter->config->has_time_limit = true;
    return KANON_OK;
}

static bool
ends_with(kn_str text, const char *ending)
{
    size_t len = strlen(ending);

    return text.len > len && memcmp(text.ptr + text.len - len, ending, len) == 0;
}

kanon_status
kn_set_report(const kn_setter *setter, kn_str value)
{
    kanon_config *config = setter->config;
    void         *block = config->reports;
    const char   *path;

    if (!ends_with(value, ".json") && !ends_with(value, ".html"))
        return kn_setter_refuse(setter, value, "a file that ends in .html or .json");
    if (config->nreports == KN_REPORTS_MOST)
        return kn_setter_refuse(setter, value, "at most 64 reports");
    path = kn_setter_path(setter, value);
    if (!path
        || kn_grow(config->ctx, &block, &config->reports_capacity, config->nreports + 1,
                   sizeof *config->reports)
               < 0)
        return KANON_E_NOMEM;
    config->reports = block;
    config->reports[config->nreports++] = path;
    return KANON_OK;
}

/* --- how the table is written ------------------------------------------------------------------ */

/* Letters, digits and blanks would make nonsense of every number and name. */
static bool
parse_mark(kn_str text, char *out)
{
    static const choice names[] = { { "tab", '\t' },      { "\\t", '\t' }, { "comma", ',' },
                                    { "semicolon", ';' }, { "pipe", '|' }, { "colon", ':' },
                                    { "space", ' ' },     { NULL, 0 } };
    int                 named;

    if (choose(text, names, &named)) {
        *out = (char) named;
        return true;
    }
    if (text.len != 1)
        return false;
    *out = text.ptr[0];
    return *out == '\t'
        || (*out >= ' ' && *out < 0x7f && !(lower(*out) >= 'a' && lower(*out) <= 'z')
            && !kn_is_digit(*out));
}

kanon_status
kn_set_delimiter(const kn_setter *setter, kn_str value)
{
    char mark = 0;

    if (!same_word(value, "auto") && (!parse_mark(value, &mark) || mark == '"'))
        return kn_setter_refuse(
            setter, value, "one character that is not a letter, digit or quote, or tab, or auto");
    setter->config->delimiter = mark;
    return KANON_OK;
}

kanon_status
kn_set_quote(const kn_setter *setter, kn_str value)
{
    char mark = 0;

    if (!parse_mark(value, &mark) || mark == ' ' || mark == '\t')
        return kn_setter_refuse(setter, value,
                                "one character that is not a letter, digit or blank");
    setter->config->quote = mark;
    return KANON_OK;
}

kanon_status
kn_set_header(const kn_setter *setter, kn_str value)
{
    int chosen;

    if (same_word(value, "auto"))
        setter->config->header = KN_HEADER_AUTO;
    else if (choose(value, switches, &chosen))
        setter->config->header = chosen ? KN_HEADER_YES : KN_HEADER_NO;
    else
        return kn_setter_refuse(setter, value, "auto, yes or no");
    return KANON_OK;
}

kanon_status
kn_set_no_header(const kn_setter *setter, kn_str value)
{
    bool         none = false;
    kanon_status rc = set_switch(setter, value, &none);

    if (rc == KANON_OK)
        setter->config->header = none ? KN_HEADER_NO : KN_HEADER_AUTO;
    return rc;
}

kanon_status
kn_set_encoding(const kn_setter *setter, kn_str value)
{
    static const choice choices[] = {
        { "auto", KN_ENCODING_AUTO },
        { "utf-8", KN_ENCODING_UTF8 },
        { "utf8", KN_ENCODING_UTF8 },
        { "utf-16", KN_ENCODING_UTF16 },
        { "utf16", KN_ENCODING_UTF16 },
        { "windows-1252", KN_ENCODING_WINDOWS1252 },
        { "cp1252", KN_ENCODING_WINDOWS1252 },
        { "latin-1", KN_ENCODING_LATIN1 },
        { "latin1", KN_ENCODING_LATIN1 },
        { "iso-8859-1", KN_ENCODING_LATIN1 },
        { NULL, 0 },
    };
    int chosen;

    if (!choose(value, choices, &chosen))
        return kn_setter_refuse(setter, value, "auto, utf-8, utf-16, windows-1252 or latin-1");
    setter->config->encoding = (kn_encoding) chosen;
    return KANON_OK;
}

kanon_status
kn_set_missing(const kn_setter *setter, kn_str value)
{
    kanon_config *config = setter->config;
    size_t        capacity = config->nmissing;
    void         *block = config->missing;
    const char   *copy = kn_arena_text(&config->arena, value);

    if (!copy)
        return KANON_E_NOMEM;
    if (config->nmissing == KN_MISSING_MOST)
        return kn_setter_refuse(setter, value, "at most 1024 items");
    if (kn_grow(config->ctx, &block, &capacity, config->nmissing + 1, sizeof *config->missing) < 0)
        return KANON_E_NOMEM;
    config->missing = block;
    config->missing[config->nmissing++] = copy;
    return KANON_OK;
}

void
kn_clear_missing(kanon_config *config)
{
    config->nmissing = 0;
}
