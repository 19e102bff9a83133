/* SPDX-License-Identifier: Apache-2.0 */
/* email.c -- e-mail addresses lose the person, then the host: ann@cs.example.ac.uk -> @cs.example.ac.uk ->
 * @example.ac.uk -> .uk -> *. The organization is the last two labels of the domain, and three where a short
 * label stands before a country (co.uk, com.br): no list of all registries is needed for that, and it
 * needs no update. */
#include "hierarchy/paths.h"

enum { SECOND_MOST = 3, COUNTRY = 2 }; /* letters of co, com, ac; and of uk, br */

/* The domain in small letters into text; false if this is no address. */
static bool
take_domain(kn_str value, kn_text *text)
{
    const char *at;
    size_t      label = 0, dots = 0;

    value = kn_str_trim(value);
    at = value.len ? memchr(value.ptr, '@', value.len) : NULL;
    if (!at || at == value.ptr)
        return false;
    value.len -= (size_t) (at - value.ptr) + 1;
    value.ptr = at + 1;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        bool beyond = (unsigned char) c >= 0x80, letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';

        if (c == '.' ? label == 0 : !letter && !kn_is_digit(c) && c != '-' && !beyond)
            return false;
        dots += c == '.';
        label = c == '.' ? 0 : label + 1;
        if (c >= 'A' && c <= 'Z')
            c = (char) (c | 0x20);
        kn_text_add(text, (kn_str){ &c, 1 });
    }
    return label && dots;
}

/* Where the last n labels begin. */
static size_t
tail(kn_str domain, size_t labels)
{
    size_t at = domain.len;

    while (at > 0 && (domain.ptr[at - 1] != '.' || --labels))
        at--;
    return at;
}

static bool
read_email(const void *user, kn_str value, kn_text *text, size_t *ends)
{
    size_t from, last, second;
    kn_str domain;

    KN_UNUSED(user);
    kn_text_addz(text, "@");
    if (!take_domain(value, text) || kn_text_status(text) < 0)
        return false;
    ends[0] = text->len;
    domain = (kn_str){ text->ptr + 1, text->len - 1 };
    last = tail(domain, 1);
    second = tail(domain, 2);
    from = second;
    if (domain.len - last == COUNTRY && last - 1 - second <= SECOND_MOST)
        from = tail(domain, 3);
    /* adding to the text may move it, so its own bytes are copied by place */
    kn_text_addz(text, "@");
    for (size_t i = from; i < ends[0] - 1; i++)
        kn_text_add(text, (kn_str){ (char[]){ text->ptr[1 + i] }, 1 });
    ends[1] = text->len;
    for (size_t i = last - 1; i < ends[0] - 1 && !text->failed; i++)
        kn_text_add(text, (kn_str){ (char[]){ text->ptr[1 + i] }, 1 });
    ends[2] = text->len;
    return true;
}

static kanon_status
fill_email(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    static const kn_paths paths = {
        .one = "an e-mail address", .many = "e-mail addresses", .nlevels = 3, .read = read_email
    };

    return kn_paths_fill(h, spec, domain, &paths);
}

const kn_hier_class kn_hier_email = {
    .kind = KN_HIER_EMAIL,
    .name = "email",
    .summary = "e-mail addresses in domains and organizations",
    .fill = fill_email,
};
