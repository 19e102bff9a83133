/* SPDX-License-Identifier: Apache-2.0 */
/* ip.c -- Internet addresses become networks: 192.0.2.17 -> 192.0.2.0/24 -> 192.0.0.0/16 -> 192.0.0.0/8 ->
 * *. An IPv6 network is written as RFC 5952 asks for; its prefix is 2n + 16 bits where that of IPv4 is n,
 * so that /24 stands beside /64 (one network at home), /16 beside /48 (a site) and /8 beside /32 (a
 * provider). An IPv4 address in IPv6 (::ffff:192.0.2.17) is the IPv4 address. */
#include "hierarchy/paths.h"

enum { BITS_4 = 32, BYTES_6 = 16, GROUPS_6 = 8 };

typedef struct address {
    uint8_t bytes[BYTES_6]; /* IPv4: the first four */
    bool    is_4;
} address;

typedef struct prefixes {
    size_t bits[KN_PATH_LEVELS]; /* of IPv4 */
    size_t count;
} prefixes;

/* --- the spec ------------------------------------------------------------------------------------ */

kanon_status
kn_prefixes_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, size_t *bits,
                  size_t *count)
{
    static const size_t usual[] = { 24, 16, 8 };

    *count = 0;
    for (size_t i = 0; i < KN_COUNT(usual) && !spec->nitems; i++)
        bits[(*count)++] = usual[i];
    for (size_t i = 0; i < spec->nitems; i++) {
        kn_decimal value;

        if (!kn_decimal_parse_strict(kn_str_of(spec->items[i]), &value) || value.decimals
            || value.mantissa < 1 || value.mantissa >= BITS_4
            || (i && (size_t) value.mantissa >= bits[i - 1]))
            return kn_fail(
                ctx, KANON_E_INVALID,
                "column '%s': '%.100s' is not a prefix length here; expected whole numbers "
                "from 31 to 1, each smaller than the one before, as in ip:24,16,8",
                column, spec->items[i]);
        bits[(*count)++] = (size_t) value.mantissa;
    }
    return KANON_OK;
}

/* --- reading ------------------------------------------------------------------------------------- */

static bool
take_number(kn_str *text, unsigned base, size_t most, unsigned *value)
{
    size_t n = 0;

    *value = 0;
    for (; n < most && n < text->len; n++) {
        char     c = text->ptr[n];
        unsigned digit = kn_is_digit(c)       ? (unsigned) (c - '0')
                       : c >= 'a' && c <= 'f' ? (unsigned) (c - 'a') + 10
                       : c >= 'A' && c <= 'F' ? (unsigned) (c - 'A') + 10
                                              : base;

        if (digit >= base)
            break;
        *value = *value * base + digit;
    }
    text->ptr += n;
    text->len -= n;
    return n > 0;
}

static bool
read_4(kn_str text, uint8_t *bytes)
{
    for (size_t i = 0; i < 4; i++) {
        unsigned value;

        if (i && (!text.len || *text.ptr != '.'))
            return false;
        text.ptr += i != 0;
        text.len -= i != 0;
        if (text.len > 1 && *text.ptr == '0' && kn_is_digit(text.ptr[1]))
            return false; /* 010 is ten to some programs and eight to others */
        if (!take_number(&text, 10, 3, &value) || value > 255)
            return false;
        bytes[i] = (uint8_t) value;
    }
    return !text.len;
}

static bool
has_char(kn_str text, char c)
{
    return text.len && memchr(text.ptr, c, text.len);
}

/* Groups are put at the beginning; those behind "::" are moved to the end afterwards. */
static bool
read_6(kn_str text, uint8_t *bytes)
{
    size_t count = 0, gap = SIZE_MAX;

    if (text.len >= 2 && text.ptr[0] == ':' && text.ptr[1] == ':') {
        gap = 0;
        text = (kn_str){ text.ptr + 2, text.len - 2 };
    }
    while (text.len) {
        kn_str   rest = text;
        unsigned value;

        if (!has_char(text, ':') && has_char(text, '.')) { /* the last four bytes as IPv4 */
            if (count > GROUPS_6 - 2 || !read_4(text, bytes + 2 * count))
                return false;
            count += 2;
            break;
        }
        if (count == GROUPS_6 || !take_number(&rest, 16, 4, &value))
            return false;
        bytes[2 * count] = (uint8_t) (value >> 8);
        bytes[2 * count + 1] = (uint8_t) (value & 255);
        count++;
        text = rest;
        if (!text.len)
            break;
        if (*text.ptr != ':' || text.len < 2)
            return false;
        text = (kn_str){ text.ptr + 1, text.len - 1 };
        if (*text.ptr == ':') {
            if (gap != SIZE_MAX)
                return false;
            gap = count;
            text = (kn_str){ text.ptr + 1, text.len - 1 };
        }
    }
    if (gap == SIZE_MAX ? count != GROUPS_6 : count == GROUPS_6)
        return false;
    if (gap != SIZE_MAX) {
        memmove(bytes + BYTES_6 - 2 * (count - gap), bytes + 2 * gap, 2 * (count - gap));
        memset(bytes + 2 * gap, 0, 2 * (GROUPS_6 - count));
    }
    return true;
}

static bool
read_address(kn_str text, address *out)
{
    static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

    memset(out, 0, sizeof *out);
    text = kn_str_trim(text);
    out->is_4 = read_4(text, out->bytes);
    if (out->is_4)
        return true;
    if (!read_6(text, out->bytes))
        return false;
    if (memcmp(out->bytes, mapped, sizeof mapped) == 0) {
        memmove(out->bytes, out->bytes + sizeof mapped, 4);
        out->is_4 = true;
    }
    return true;
}

/* --- labels -------------------------------------------------------------------------------------- */

/* RFC 5952: the longest run of two or more groups of zero becomes "::", the first of equals. */
static void
add_6(kn_text *out, const uint8_t *bytes)
{
    unsigned groups[GROUPS_6];
    size_t   best = 0, length = 1;

    for (size_t i = 0; i < GROUPS_6; i++)
        groups[i] = (unsigned) bytes[2 * i] << 8 | bytes[2 * i + 1];
    for (size_t i = 0, run = 0; i < GROUPS_6; i++) {
        run = groups[i] ? 0 : run + 1;
        if (run > length) {
            length = run;
            best = i + 1 - run;
        }
    }
    for (size_t i = 0; i < GROUPS_6; i++) {
        if (length > 1 && i == best) {
            kn_text_addz(out, "::");
            i += length - 1;
        } else
            kn_text_addf(out, "%s%x", i && !(length > 1 && i == best + length) ? ":" : "",
                         groups[i]);
    }
}

static void
add_network(kn_text *out, address a, size_t bits)
{
    for (size_t i = 0; i < BYTES_6; i++)
        if (8 * i + 8 > bits)
            a.bytes[i] &= (uint8_t) (8 * i >= bits ? 0 : 0xff << (8 * i + 8 - bits));
    if (a.is_4)
        kn_text_addf(out, "%u.%u.%u.%u", a.bytes[0], a.bytes[1], a.bytes[2], a.bytes[3]);
    else
        add_6(out, a.bytes);
    kn_text_addf(out, "/%zu", bits);
}

static bool
read_networks(const void *user, kn_str value, kn_text *text, size_t *ends)
{
    const prefixes *p = user;
    address         a;

    if (!read_address(value, &a))
        return false;
    for (size_t l = 0; l < p->count; l++) {
        add_network(text, a, a.is_4 ? p->bits[l] : 2 * p->bits[l] + 16);
        ends[l] = text->len;
    }
    return true;
}

static kanon_status
fill_ip(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    prefixes     p;
    kn_paths     paths = {
            .one = "an IP address", .many = "IP addresses", .user = &p, .read = read_networks
    };

    KN_TRY(kn_prefixes_parse(h->ctx, domain->column, spec, p.bits, &p.count));
    paths.nlevels = p.count;
    KN_TRY(kn_paths_fill(h, spec, domain, &paths));
out:
    return rc;
}

const kn_hier_class kn_hier_ip = {
    .kind = KN_HIER_IP,
    .name = "ip",
    .summary = "Internet addresses in networks: ip or ip:24,16,8",
    .fill = fill_ip,
};
