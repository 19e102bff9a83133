/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_type.c -- format strings of the Arrow C data interface. */
#include "formats/arrow_type.h"

enum { SCALE_MOST = 38, ZONE_MINUTES_MOST = 24 * 60 };

/* Longer formats before those that begin them. Kinds that a table cannot have stand here for their words. */
static const struct {
    const char   *format; /* exactly, or a beginning where it ends with ':' */
    const char   *words;
    bool          known;
    kn_arrow_type type;
} formats[] = {
    { "b", "bool", true, { .kind = KN_ARROW_BOOL } },
    { "c", "int8", true, { .kind = KN_ARROW_INT, .width = 1 } },
    { "s", "int16", true, { .kind = KN_ARROW_INT, .width = 2 } },
    { "i", "int32", true, { .kind = KN_ARROW_INT, .width = 4 } },
    { "l", "int64", true, { .kind = KN_ARROW_INT, .width = 8 } },
    { "C", "uint8", true, { .kind = KN_ARROW_UINT, .width = 1 } },
    { "S", "uint16", true, { .kind = KN_ARROW_UINT, .width = 2 } },
    { "I", "uint32", true, { .kind = KN_ARROW_UINT, .width = 4 } },
    { "L", "uint64", true, { .kind = KN_ARROW_UINT, .width = 8 } },
    { "e", "half float", true, { .kind = KN_ARROW_FLOAT, .width = 2 } },
    { "f", "float", true, { .kind = KN_ARROW_FLOAT, .width = 4 } },
    { "g", "double", true, { .kind = KN_ARROW_FLOAT, .width = 8 } },
    { "u", "utf8", true, { .kind = KN_ARROW_UTF8, .width = 4 } },
    { "U", "large_utf8", true, { .kind = KN_ARROW_UTF8, .width = 8 } },
    { "vu", "utf8_view", true, { .kind = KN_ARROW_VIEW, .width = KN_ARROW_VIEW_BYTES } },
    { "tdD", "date32", true, { .kind = KN_ARROW_DATE, .width = 4 } },
    { "tdm", "date64", true, { .kind = KN_ARROW_DATE, .width = 8, .scale = 3 } },
    { "tts", "time32", true, { .kind = KN_ARROW_TIME, .width = 4, .scale = 0 } },
    { "ttm", "time32", true, { .kind = KN_ARROW_TIME, .width = 4, .scale = 3 } },
    { "ttu", "time64", true, { .kind = KN_ARROW_TIME, .width = 8, .scale = 6 } },
    { "ttn", "time64", true, { .kind = KN_ARROW_TIME, .width = 8, .scale = 9 } },
    { "tss:", "timestamp", true, { .kind = KN_ARROW_TIMESTAMP, .width = 8, .scale = 0 } },
    { "tsm:", "timestamp", true, { .kind = KN_ARROW_TIMESTAMP, .width = 8, .scale = 3 } },
    { "tsu:", "timestamp", true, { .kind = KN_ARROW_TIMESTAMP, .width = 8, .scale = 6 } },
    { "tsn:", "timestamp", true, { .kind = KN_ARROW_TIMESTAMP, .width = 8, .scale = 9 } },
    { "d:", "decimal", true, { .kind = KN_ARROW_DECIMAL, .width = 16 } },
    { .format = "n", .words = "null" },
    { .format = "z", .words = "binary" },
    { .format = "Z", .words = "large_binary" },
    { .format = "vz", .words = "binary_view" },
    { .format = "w:", .words = "fixed-size binary" },
    { .format = "tDs", .words = "duration" },
    { .format = "tDm", .words = "duration" },
    { .format = "tDu", .words = "duration" },
    { .format = "tDn", .words = "duration" },
    { .format = "tiM", .words = "interval" },
    { .format = "tiD", .words = "interval" },
    { .format = "tin", .words = "interval" },
    { .format = "+l", .words = "list" },
    { .format = "+L", .words = "large_list" },
    { .format = "+vl", .words = "list_view" },
    { .format = "+vL", .words = "large_list_view" },
    { .format = "+w:", .words = "fixed-size list" },
    { .format = "+s", .words = "struct" },
    { .format = "+m", .words = "map" },
    { .format = "+ud:", .words = "union" },
    { .format = "+us:", .words = "union" },
    { .format = "+r", .words = "run-end encoded" },
};

static size_t
find(const char *format)
{
    size_t i = 0;

    for (; i < KN_COUNT(formats); i++) {
        size_t length = strlen(formats[i].format);

        if (formats[i].format[length - 1] == ':' ? strncmp(format, formats[i].format, length) == 0
                                                 : strcmp(format, formats[i].format) == 0)
            break;
    }
    return i;
}

const char *
kn_arrow_type_words(const char *format)
{
    kn_arrow_type type;
    size_t        at = find(format);

    if (at == KN_COUNT(formats))
        return "unknown";
    if (formats[at].type.kind == KN_ARROW_DECIMAL && formats[at].known
        && !kn_arrow_type_parse(format, &type))
        return "decimal of other than 128 bits or with more than 38 digits";
    return formats[at].words;
}

static bool
take_integer(const char **text, int *value)
{
    bool negative = **text == '-';
    int  digits = 0;

    *text += negative;
    for (*value = 0; kn_is_digit(**text) && digits < 6; ++*text, digits++)
        *value = *value * 10 + (**text - '0');
    *value = negative ? -*value : *value;
    return digits > 0;
}

/* PRECISION,SCALE or PRECISION,SCALE,128 */
static bool
parse_decimal(const char *text, kn_arrow_type *type)
{
    int precision, bits = 128;

    if (!take_integer(&text, &precision) || *text++ != ',' || !take_integer(&text, &type->scale))
        return false;
    if (*text == ',' && (text++, !take_integer(&text, &bits)))
        return false;
    return !*text && bits == 128 && precision >= 1 && precision <= SCALE_MOST
        && type->scale >= -SCALE_MOST && type->scale <= SCALE_MOST;
}

/* "+02:00" is written with its offset. What "Europe/Berlin" means only a table of time zones knows: such
 * times, which Arrow stores as UTC, are written as UTC. */
static void
parse_zone(const char *zone, kn_arrow_type *type)
{
    const char *at = zone + 1;
    char        d[4];
    int         minutes;

    if (!*zone)
        return;
    memcpy(type->zone, "Z", 2);
    if (*zone != '+' && *zone != '-')
        return;
    for (size_t i = 0; i < KN_COUNT(d); i++, at++) {
        at += i == 2 && *at == ':';
        if (!kn_is_digit(*at))
            return;
        d[i] = *at;
    }
    minutes = ((d[0] - '0') * 10 + d[1] - '0') * 60 + (d[2] - '0') * 10 + d[3] - '0';
    if (*at || minutes == 0 || minutes >= ZONE_MINUTES_MOST || d[2] > '5')
        return;
    memcpy(type->zone, (const char[]){ *zone, d[0], d[1], ':', d[2], d[3], 0 }, sizeof type->zone);
    type->zone_minutes = *zone == '-' ? -minutes : minutes;
}

bool
kn_arrow_type_parse(const char *format, kn_arrow_type *type)
{
    size_t at = find(format);

    if (at == KN_COUNT(formats) || !formats[at].known)
        return false;
    *type = formats[at].type;
    if (type->kind == KN_ARROW_DECIMAL)
        return parse_decimal(format + 2, type);
    if (type->kind == KN_ARROW_TIMESTAMP)
        parse_zone(format + 4, type);
    return true;
}
