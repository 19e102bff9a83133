/* SPDX-License-Identifier: Apache-2.0 */
/* format.c -- writes the starter config: YAML that kanon_config_read() takes as it is, with the
 * reason of every proposal as a comment. Column names and counts, never a cell. */
#include "init/starter.h"

#include <math.h>

#include "base/plain.h"

enum { FEW_VALUES = 10, SIMPLE_KEY_MOST = 1000 / 6 };

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

static void
add_quoted(kn_text *out, kn_str name)
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

/* A key of more than 1024 characters is no simple key: YAML wants a question mark before it. An escaped
 * character takes six. */
static void
add_key(kn_text *out, kn_str name)
{
    if (is_plain(name)) {
        kn_text_addz(out, "  ");
        kn_text_add(out, name);
    } else if (name.len <= SIMPLE_KEY_MOST) {
        kn_text_addz(out, "  ");
        add_quoted(out, name);
    } else {
        kn_text_addz(out, "  ? ");
        add_quoted(out, name);
        kn_text_addz(out, "\n  ");
    }
    kn_text_addz(out, ": ");
}

static void
add_count(kn_text *out, uint64_t count)
{
    if (count >= 1000) {
        add_count(out, count / 1000);
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
    add_count(out, starter->rows);
    kn_text_addf(out, " row%s, %zu column%s).\n", starter->rows == 1 ? "" : "s", starter->ncolumns,
                 starter->ncolumns == 1 ? "" : "s");
    kn_text_addz(out, starter->header
                          ? "# The column names are those of its first line.\n"
                          : "# Its first line was read as data, so the columns have numbers; if it "
                            "contains the names,\n# run kanon init again with --header yes.\n");
    kn_text_addz(out, "#\n# This is a proposal, made from column names and counts. Before you "
                      "release anything, check the\n# role of every column below:\n#   identifier  "
                      " names a person: every cell becomes *\n#   quasi        others may know it "
                      "about a person: it is generalized\n#   sensitive    nobody should learn it "
                      "about a person: released unchanged, with l and t reported\n#   insensitive  "
                      "anything else: released unchanged\n#\n# Then run:\n#   kanon anonymize ");
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
                      "algorithms` lists the others\n# metric: log      # information loss to "
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
            add_quoted(out, (kn_str){ &config->delimiter, 1 });
        kn_text_addz(out, "\n");
    }
    if (config->quote) {
        kn_text_addz(out, "quote: ");
        add_quoted(out, (kn_str){ &config->quote, 1 });
        kn_text_addz(out, "\n");
    }
    if (config->header != KN_HEADER_AUTO)
        kn_text_addf(out, "header: %s\n", config->header == KN_HEADER_YES ? "yes" : "no");
    if (config->encoding == KN_ENCODING_LATIN1)
        kn_text_addz(out, "encoding: latin-1\n");
    for (size_t i = 0; i < config->nmissing && same; i++)
        same = strcmp(config->missing[i], defaults[i]) == 0;
    if (!same) {
        kn_text_addz(out, "missing: [");
        for (size_t i = 0; i < config->nmissing; i++) {
            kn_text_addz(out, i ? ", " : "");
            add_quoted(out, kn_str_of(config->missing[i]));
        }
        for (size_t i = 0; i < starter->nabsent; i++) {
            kn_text_addz(out, i || config->nmissing ? ", " : "");
            add_quoted(out, kn_str_of(starter->absent[i]));
        }
        kn_text_addz(out, starter->nabsent == 1
                              ? "]  # the last one occurs among numbers or dates; check it\n"
                          : starter->nabsent > 1
                              ? "]  # the last ones occur among numbers or dates; check them\n"
                              : "]\n");
    }
}

/* --- columns ----------------------------------------------------------------------------------- */

/* digit * 10^power, without printf of a double: its decimal point depends on the locale. */
static void
add_width(kn_text *out, unsigned digit, int power)
{
    if (power < 0)
        kn_text_addz(out, "0.");
    for (int i = -1; i > power; i--)
        kn_text_addz(out, "0");
    kn_text_addf(out, "%u", digit);
    for (int i = 0; i < power; i++)
        kn_text_addz(out, "0");
}

/* 1, 5, 10, 50, 100 ...: each a multiple of the one before. About twenty groups at first. */
static bool
add_widths(kn_text *out, const kn_seen *seen)
{
    double   span = seen->max - seen->min;
    int      power = 0;
    unsigned digit = 1, count = 0;

    if (!(span > 0) || span > 1e12 || span < 1e-6)
        return false;
    if (!seen->whole)
        power = (int) floor(log10(span / 20));
    if (power < -9)
        return false;
    while (digit * pow(10, power) < span / 20 || (seen->whole && digit * pow(10, power) < 2)) {
        power += digit == 5;
        digit = digit == 1 ? 5 : 1;
    }
    if (digit * pow(10, power) > span)
        return false;
    kn_text_addz(out, "{range: [");
    for (; digit * pow(10, power) <= span; count++) {
        kn_text_addz(out, count ? ", " : "");
        add_width(out, digit, power);
        power += digit == 5;
        digit = digit == 1 ? 5 : 1;
    }
    kn_text_addz(out, "]}");
    return true;
}

static void
add_hierarchy(kn_text *out, const kn_seen *seen, kn_proposal_kind kind)
{
    kn_type type = kind == KN_PROPOSE_MASK ? KN_TYPE_STRING : seen->type;

    /* Codes (1 male, 2 female) and full dictionaries are left to be looked at again. */
    if (type == KN_TYPE_DATE || type == KN_TYPE_STRING || seen->distinct > FEW_VALUES)
        kn_text_addf(out, ", type: %s", kn_type_name(type));
    kn_text_addz(out, ", hierarchy: ");
    if (kind == KN_PROPOSE_MASK)
        kn_text_addz(out, "{mask: right}");
    else if (type == KN_TYPE_DATE)
        kn_text_addz(out, "{date: [month, year, decade]}");
    else if (type != KN_TYPE_NUMBER || seen->distinct <= FEW_VALUES || seen->full
             || !add_widths(out, seen))
        kn_text_addz(out, "auto");
}

static void
add_facts(kn_text *out, const kn_seen *seen, uint64_t rows)
{
    kn_text_addf(out, "\n  # %s, %s",
                 seen->type == KN_TYPE_NUMBER ? "number"
                 : seen->type == KN_TYPE_DATE ? "date"
                                              : "text",
                 seen->full ? "more than " : "");
    add_count(out, seen->distinct);
    kn_text_addf(out, " distinct value%s", seen->distinct == 1 && !seen->full ? "" : "s");
    if (seen->filled < rows) {
        kn_text_addz(out, ", ");
        add_count(out, rows - seen->filled);
        kn_text_addz(out, " missing");
    }
    kn_text_addz(out, ". ");
}

static void
add_reason(kn_text *out, const kn_seen *seen, const kn_proposal *proposal)
{
    kn_text_addf(out, "%s: ", kn_role_name(proposal->role));
    if (proposal->why == KN_REASON_TEXT) {
        kn_text_addf(out, "%s%s\n", proposal->reason,
                     proposal->role == KN_ROLE_SENSITIVE ? " (check)" : "");
        return;
    }
    kn_text_addz(out, seen->full ? "many values" : "nearly unique");
    kn_text_addz(out, seen->full ? ": more than " : ": ");
    add_count(out, seen->distinct);
    kn_text_addz(out, " distinct values in ");
    add_count(out, seen->filled);
    kn_text_addz(out, " rows; give it another role if you need it\n");
}

/* The type stands there, but a job would stop at these values. Only their number is told. */
static void
add_odd(kn_text *out, const kn_seen *seen)
{
    const char *those = seen->odd == 1 ? "it" : "them";

    kn_text_addz(out, "  # All distinct values but ");
    add_count(out, seen->odd);
    kn_text_addf(out, " are %s; correct %s or add %s to `missing`.\n",
                 seen->type == KN_TYPE_DATE ? "dates" : "numbers", those, those);
}

/* A number of a person that stands in several rows: then k has to count persons. */
static void
add_repeated(kn_text *out, const kn_seen *seen)
{
    if (seen->full || !kn_repeats_like_persons(seen->distinct, seen->filled)
        || !kn_may_tell_persons(seen->name))
        return;
    kn_text_addz(out, "  # About ");
    kn_plain_fixed(out, (double) seen->filled / (double) seen->distinct, 1);
    kn_text_addz(out, " rows for each value: if it identifies persons, let k count them: entity: ");
    if (is_plain(seen->name))
        kn_text_add(out, seen->name);
    else
        add_quoted(out, seen->name);
    kn_text_addz(out, "\n");
}

static void
add_column(kn_text *out, const kn_seen *seen, uint64_t rows)
{
    kn_proposal proposal = kn_propose(seen);

    add_facts(out, seen, rows);
    add_reason(out, seen, &proposal);
    if (kn_stops_at_odd(seen))
        add_odd(out, seen);
    if (proposal.role == KN_ROLE_IDENTIFIER)
        add_repeated(out, seen);
    if (proposal.role == KN_ROLE_QUASI && proposal.hierarchy == KN_PROPOSE_PLACE)
        kn_text_addz(
            out,
            "  # A place table keeps more meaning than auto: hierarchy: {place: places.csv}\n");
    if (proposal.role == KN_ROLE_QUASI && kn_nearly_unique(seen) && seen->type == KN_TYPE_STRING)
        kn_text_addz(out, "  # Nearly every row has a distinct text: it may be an identifier.\n");
    add_key(out, seen->name);
    kn_text_addf(out, "{role: %s", kn_role_name(proposal.role));
    if (proposal.role == KN_ROLE_QUASI)
        add_hierarchy(out, seen, proposal.hierarchy);
    kn_text_addz(out, "}\n");
}

void
kn_starter_format(const kn_starter *starter, kn_text *out)
{
    add_head(starter, out);
    add_dialect(starter, out);
    kn_text_addz(out, "\nattributes:\n");
    for (size_t i = 0; i < starter->ncolumns; i++)
        add_column(out, &starter->columns[i], starter->rows);
}
