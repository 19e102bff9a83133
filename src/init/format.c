/* SPDX-License-Identifier: Apache-2.0 */
/* format.c -- writes the starter config: YAML that kanon_config_read() takes as it is, with the
 * reason of every proposal as a comment. Column names and counts, never a cell. */
#include "init/starter.h"

#include "base/plain.h"
#include "formats/encoding.h"

enum { SIMPLE_KEY_MOST = 1000 / 6 };

/* --- YAML -------------------------------------------------------------------------------------- */

static bool
is_plain(kn_str name)
{
    static const char *const words[] = {
        "true", "false", "yes", "no", "on", "off", "null", "y", "n"
    };
    char lower[8];

    if (name.len == 0 || name.len > SIMPLE_KEY_MOST)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

        if (!letter && (i == 0 || !(kn_is_digit(c) || c == '-' || c == '.')))
            return false;
        if (i < sizeof lower)
            lower[i] = c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
    }
    for (size_t i = 0; i < KN_COUNT(words); i++)
        if (strlen(words[i]) == name.len && memcmp(words[i], lower, name.len) == 0)
            return false;
    return true;
}

static uint32_t
decode(kn_str text, size_t at, size_t step)
{
    static const uint8_t first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    uint32_t             point = (uint8_t) text.ptr[at] & first[step];

    for (size_t i = 1; i < step; i++)
        point = point << 6 | ((uint8_t) text.ptr[at + i] & 0x3f);
    return point;
}

/* What YAML does not take as it is, and what would break a line. */
static bool
must_escape(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point <= 0xa0) || point == 0x2028 || point == 0x2029
        || point == 0xfeff || (point & 0xfffe) == 0xfffe;
}

void
kn_starter_quoted(kn_text *out, kn_str name)
{
    kn_text_addz(out, "\"");
    for (size_t at = 0; at < name.len;) {
        size_t   step = kn_utf8_step(name, at);
        uint32_t point = decode(name, at, step);

        if (point == '"' || point == '\\')
            kn_text_addf(out, "\\%c", (int) point);
        else if (must_escape(point))
            kn_text_addf(out, point > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned) point);
        else
            kn_text_add(out, (kn_str){ name.ptr + at, step });
        at += step;
    }
    kn_text_addz(out, "\"");
}

void
kn_starter_name(kn_text *out, kn_str name)
{
    if (is_plain(name))
        kn_text_add(out, name);
    else
        kn_starter_quoted(out, name);
}

/* A key of more than 1024 characters is no simple key: YAML wants a question mark before it. An escaped
 * character takes six. */
void
kn_starter_key(kn_text *out, kn_str name)
{
    kn_text_addz(out, "  ");
    if (name.len <= SIMPLE_KEY_MOST) {
        kn_starter_name(out, name);
    } else {
        kn_text_addz(out, "? ");
        kn_starter_quoted(out, name);
        kn_text_addz(out, "\n  ");
    }
    kn_text_addz(out, ": ");
}

void
kn_starter_count(kn_text *out, uint64_t count)
{
    if (count >= 1000) {
        kn_starter_count(out, count / 1000);
        kn_text_addf(out, ",%03u", (unsigned) (count % 1000));
    } else {
        kn_text_addf(out, "%u", (unsigned) count);
    }
}

/* --- the head ---------------------------------------------------------------------------------- */

static bool
ends_with(const char *text, const char *ending)
{
    size_t len = strlen(text), tail = strlen(ending);

    return len > tail && strcmp(text + len - tail, ending) == 0;
}

/* Files may have names that are no UTF-8; a config may not, not even in a comment. */
static void
replace_foreign(kn_text *out)
{
    size_t at = 0;

    while (!out->failed && (at += kn_utf8_check(out->ptr + at, out->len - at)) < out->len)
        out->ptr[at++] = '?';
}

static void
add_head(const kn_starter *starter, kn_text *out)
{
    bool named = ends_with(starter->output, ".yaml") || ends_with(starter->output, ".yml");

    kn_text_addz(out, "# A starter config for kanon, made from ");
    kn_plain_word(out, starter->input);
    kn_text_addz(out, " (");
    kn_starter_count(out, starter->rows);
    kn_text_addf(out, " row%s, %zu column%s).\n", starter->rows == 1 ? "" : "s", starter->ncolumns,
                 starter->ncolumns == 1 ? "" : "s");
    kn_text_addz(out, starter->header
                          ? "# The column names are those of its first line.\n"
                          : "# Its first line was read as data, so the columns have numbers; if it "
                            "contains the names,\n# run kanon init again with --header yes.\n");
    kn_text_addz(out,
                 "#\n# This is a proposal, made from column names, from what the cells look "
                 "like and from counts. Before\n# you release anything, check the role of every "
                 "column below, first of all those marked\n# " KN_STARTER_MARK ", which have low "
                 "confidence:\n#   identifier  "
                 " names a person: every cell becomes *\n#   quasi        others may know it "
                 "about a person: it is generalized\n#   sensitive    nobody should learn it "
                 "about a person: released unchanged, with l and t reported\n#   insensitive  "
                 "nobody outside knows it, and it says nothing about a person: released "
                 "unchanged\n#\n# Then run:\n#   kanon anonymize ");
    kn_plain_word(out, starter->input);
    kn_text_addz(out, " -c ");
    kn_plain_word(out, named ? starter->output : "kanon.yaml");
    kn_text_addz(out, " -o release.csv --report release.json\n\n");
    replace_foreign(out);
    if (starter->doubtful)
        kn_text_addz(out, "header: yes   # the first line was read as column names; if it contains "
                          "data about a person, write no\n");
    kn_text_addz(out, "k: 5               # minimum size of an equivalence class\nsuppression: "
                      "0.01  # maximum share of rows to suppress\nalgorithm: auto    # `kanon "
                      "algorithms` lists the others\n# metric: glm      # information loss to "
                      "minimise, unless the algorithm has its own default\n# A column may also "
                      "have a weight (weight: 2), which makes its loss count more.\n");
}

/* The dialect that was asked for on the command line belongs to the table, so it stays with it. */
static void
add_dialect(const kn_starter *starter, kn_text *out)
{
    static const char *const defaults[] = { "", "?", "NA" };
    const kanon_config      *config = starter->config;
    bool                     same = config->nmissing == KN_COUNT(defaults) && !starter->nabsent;

    if (config->delimiter) {
        kn_text_addz(out, "delimiter: ");
        if (config->delimiter == '\t')
            kn_text_addz(out, "tab");
        else
            kn_starter_quoted(out, (kn_str){ &config->delimiter, 1 });
        kn_text_addz(out, "\n");
    }
    if (config->quote) {
        kn_text_addz(out, "quote: ");
        kn_starter_quoted(out, (kn_str){ &config->quote, 1 });
        kn_text_addz(out, "\n");
    }
    if (config->header != KN_HEADER_AUTO)
        kn_text_addf(out, "header: %s\n", config->header == KN_HEADER_YES ? "yes" : "no");
    if (config->encoding != KN_ENCODING_AUTO)
        kn_text_addf(out, "encoding: %s\n", kn_encoding_names[config->encoding]);
    else if (starter->dialect.encoding_guessed)
        kn_text_addf(out,
                     "encoding: %s   # by what the bytes look like; check letters beyond ASCII\n",
                     kn_encoding_names[starter->dialect.encoding]);
    if (starter->dialect.skip || config->has_skip)
        kn_text_addf(out, "skip: %llu%s\n", (unsigned long long) starter->dialect.skip,
                     config->has_skip ? "" : "   # lines above the header, which look like titles");
    if (starter->dialect.footer || config->has_skip_footer)
        kn_text_addf(out, "skip_footer: %llu%s\n", (unsigned long long) starter->dialect.footer,
                     config->has_skip_footer
                         ? ""
                         : "   # lines below the last row, which look like totals or notes");
    if (starter->dialect.renamed)
        kn_text_addz(out, "duplicate_names: rename\n");
    for (size_t i = 0; i < config->nmissing && same; i++)
        same = strcmp(config->missing[i], defaults[i]) == 0;
    if (!same) {
        kn_text_addz(out, "missing: [");
        for (size_t i = 0; i < config->nmissing; i++) {
            kn_text_addz(out, i ? ", " : "");
            kn_starter_quoted(out, kn_str_of(config->missing[i]));
        }
        for (size_t i = 0; i < starter->nabsent; i++) {
            kn_text_addz(out, i || config->nmissing ? ", " : "");
            kn_starter_quoted(out, kn_str_of(starter->absent[i]));
        }
        kn_text_addz(out, starter->nabsent == 1
                              ? "]  # the last one seems to mean \"no value\"; check it\n"
                          : starter->nabsent > 1
                              ? "]  # the last ones seem to mean \"no value\"; check them\n"
                              : "]\n");
    }
}

/* A class of k rows may be one person or one family, so k has to count these. */
static void
add_entity(const kn_starter *starter, kn_text *out)
{
    const kn_seen *entity = starter->entity;
    bool           households;

    if (!entity)
        return;
    households = (kn_propose(&entity->is).traits & KN_KIND_HOUSEHOLDS) != 0;
    kn_text_addz(out, "entity: ");
    kn_starter_name(out, entity->is.name);
    kn_text_addz(out, "  # k counts ");
    kn_text_addz(out, households ? "households, since a class of k rows may be one family: "
                                 : "persons, since one has ");
    kn_plain_fixed(out, (double) entity->is.filled / (double) entity->is.distinct, 1);
    kn_text_addz(out, " rows on average\n");
}

void
kn_starter_format(const kn_starter *starter, kn_text *out)
{
    add_head(starter, out);
    add_dialect(starter, out);
    add_entity(starter, out);
    kn_text_addz(out, "\nattributes:\n");
    for (size_t i = 0; i < starter->ncolumns; i++)
        kn_starter_column(starter, &starter->columns[i], out);
}
