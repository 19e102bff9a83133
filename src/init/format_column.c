/* SPDX-License-Identifier: Apache-2.0 */
/* format_column.c -- one column of the starter config: what it holds, its role with the reason and the
 * confidence, and a hierarchy that fits what it holds. */
#include <math.h>

#include "base/plain.h"
#include "hierarchy/moment.h"
#include "init/starter.h"

/* Nearer to a pole a degree of longitude is nearly nothing. */
enum { LATITUDE_MOST = 85 };
/* Different values per row from which a sensitive number tells rows apart. */
static const double MOSTLY_UNIQUE = 0.5;

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

/* 1, 5, 10, 50, 100 ...: each a multiple of the one before. At first nine in ten rows are in about twenty
 * groups. */
static bool
add_widths(kn_text *out, const kn_seen *seen)
{
    double   span = seen->high - seen->low, all = seen->max - seen->min;
    int      power = 0;
    unsigned digit = 1, count = 0;

    if (!(span > 0) || all > 1e12 || span < 1e-6)
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
    for (; digit * pow(10, power) <= all; count++) {
        kn_text_addz(out, count ? ", " : "");
        add_width(out, digit, power);
        power += digit == 5;
        digit = digit == 1 ? 5 : 1;
    }
    kn_text_addz(out, "]}");
    return true;
}

/* The units that fit the span of the dates. */
static void
add_units(kn_text *out, const kn_seen *seen, kn_form form)
{
    kn_unit  units[KN_UNITS];
    kn_times times = form == KN_FORM_TIMESTAMP ? KN_DAYS_AND_TIMES : KN_DAYS_ONLY;
    size_t   count = kn_units_fit((int64_t) (seen->high - seen->low), times, units);

    if (!count) {
        kn_text_addz(out, "auto");
        return;
    }
    kn_text_addz(out, "{date: [");
    for (size_t i = 0; i < count; i++)
        kn_text_addf(out, "%s%s", i ? ", " : "", kn_unit_name(units[i]));
    kn_text_addz(out, "]}");
}

static void
add_pack(kn_text *out, const kn_seen *seen)
{
    kn_text_addf(out, seen->pack_partly ? "{pack: %s, unknown: other}" : "{pack: %s}", seen->pack);
}

/* Cells of a kilometre and more. How long a degree of longitude is depends on the latitude. */
static void
add_grid(kn_text *out, const kn_starter *starter, kn_proposal_kind kind)
{
    int latitude = (int) fabs(starter->latitude);

    if (kind == KN_PROPOSE_LAT)
        kn_text_addz(out, "{grid: [lat, 1000, 10000]}");
    else
        kn_text_addf(out, "{grid: [lon@%d, 1000, 10000]}",
                     latitude > LATITUDE_MOST ? LATITUDE_MOST : latitude);
}

static bool
is_degrees(const kn_seen *seen, kn_proposal_kind kind)
{
    double most = kind == KN_PROPOSE_LAT ? 90 : 180;

    return (kind == KN_PROPOSE_LAT || kind == KN_PROPOSE_LON) && seen->is.type == KN_TYPE_NUMBER
        && seen->is.looks.min >= -most && seen->is.looks.max <= most && !seen->odd;
}

/* Numbers that only tell cases apart are texts to a job. */
static kn_type
type_for(const kn_seen *seen, const kn_proposal *proposal)
{
    if (seen->pack || proposal->hierarchy == KN_PROPOSE_MASK || proposal->form == KN_FORM_CODE
        || (proposal->form == KN_FORM_CATEGORY && seen->is.type == KN_TYPE_NUMBER))
        return KN_TYPE_STRING;
    return seen->is.type;
}

static void
add_hierarchy(kn_text *out, const kn_starter *starter, const kn_seen *seen,
              const kn_proposal *proposal)
{
    kn_type type = type_for(seen, proposal);

    kn_text_addf(out, ", type: %s, hierarchy: ", kn_type_name(type));
    if (seen->pack)
        add_pack(out, seen);
    else if (is_degrees(seen, proposal->hierarchy))
        add_grid(out, starter, proposal->hierarchy);
    else if (proposal->hierarchy == KN_PROPOSE_MASK)
        kn_text_addz(out, "{mask: right}");
    else if (type == KN_TYPE_DATE)
        add_units(out, seen, proposal->form);
    else if (proposal->form == KN_FORM_ORDERED && type == KN_TYPE_NUMBER)
        kn_text_addz(out, "order");
    else if (type != KN_TYPE_NUMBER || !add_widths(out, seen))
        kn_text_addz(out, "auto");
}

static void
add_facts(kn_text *out, const kn_seen *seen, const kn_proposal *proposal, uint64_t rows)
{
    kn_text_addf(out, "\n  # %s", kn_form_name(proposal->form));
    if (seen->pack)
        kn_text_addf(out, " (%s)", seen->pack);
    kn_text_addz(out, seen->full ? ", about " : ", ");
    kn_starter_count(out, seen->is.distinct);
    kn_text_addf(out, " distinct value%s", seen->is.distinct == 1 ? "" : "s");
    if (seen->is.filled < rows) {
        kn_text_addz(out, ", ");
        kn_starter_count(out, rows - seen->is.filled);
        kn_text_addz(out, " missing");
    }
    kn_text_addz(out, ". ");
}

/* Values that would be declared as missing if no other column had them. */
static void
add_taken(kn_text *out, const kn_seen *seen)
{
    for (size_t i = 0; i < seen->nabsent; i++) {
        const kn_absent *absent = &seen->absent[i];

        if (!absent->taken)
            continue;
        kn_text_addf(out, "  # %s, in ", absent->text);
        kn_starter_count(out, absent->rows);
        kn_text_addz(out, " rows, seems to mean \"no value\", but other columns have it as a "
                          "value: recode it.\n");
    }
}

/* The type stands there, but a job would stop at these values. Only their number is told. */
static void
add_odd(kn_text *out, const kn_seen *seen)
{
    const char *those = seen->odd == 1 ? "it" : "them";

    kn_text_addz(out, "  # All distinct values but ");
    kn_starter_count(out, seen->odd);
    kn_text_addf(out, " are %s; correct %s or add %s to `missing`.\n",
                 seen->is.type == KN_TYPE_DATE ? "dates" : "numbers", those, those);
}

/* A number of a person that stands in several rows: then k has to count persons. */
static void
add_repeated(kn_text *out, const kn_starter *starter, const kn_seen *seen)
{
    if (starter->entity || !kn_repeats_like_persons(seen->is.distinct, seen->is.filled)
        || !kn_may_tell_persons(seen->is.name))
        return;
    kn_text_addz(out, "  # About ");
    kn_plain_fixed(out, (double) seen->is.filled / (double) seen->is.distinct, 1);
    kn_text_addz(out, " rows for each value: if it identifies persons, let k count them: entity: ");
    kn_starter_name(out, seen->is.name);
    kn_text_addz(out, "\n");
}

/* Exact numbers tell rows apart; rounded to a power of ten below their mean they hardly do. */
static void
add_rounding(kn_text *out, const kn_seen *seen, const kn_proposal *proposal)
{
    double mean = fabs(seen->mean);
    bool   sampling = (proposal->traits & KN_KIND_SAMPLING) != 0;

    if (seen->is.type != KN_TYPE_NUMBER || !(mean > 1e-6) || mean > 1e12)
        return;
    if (!sampling
        && (proposal->role != KN_ROLE_SENSITIVE || kn_uniqueness(&seen->is) < MOSTLY_UNIQUE))
        return;
    kn_text_addz(out, sampling ? "  # If your readers need it: {role: insensitive, round: "
                               : "  # Exact numbers tell rows apart; consider round: ");
    add_width(out, 1, (int) floor(log10(mean)) - 1);
    kn_text_addz(out, sampling ? "}\n" : "\n");
}

void
kn_starter_column(const kn_starter *starter, const kn_seen *seen, kn_text *out)
{
    static const char *const confidence[] = {
        [KN_HIGH] = "high", [KN_MEDIUM] = "medium", [KN_LOW] = "low"
    };
    kn_proposal proposal = kn_propose(&seen->is);

    if (seen->pack && proposal.form == KN_FORM_CATEGORY)
        proposal.form = KN_FORM_CODE;
    add_facts(out, seen, &proposal, starter->rows);
    kn_text_addf(out,
                 "%s%s, confidence %s: ", proposal.confidence == KN_LOW ? KN_STARTER_MARK ". " : "",
                 kn_role_name(proposal.role), confidence[proposal.confidence]);
    kn_proposal_reason(&seen->is, &proposal, out);
    kn_text_addz(out, "\n");
    add_taken(out, seen);
    add_rounding(out, seen, &proposal);
    if (kn_stops_at_odd(seen))
        add_odd(out, seen);
    if (proposal.role == KN_ROLE_IDENTIFIER)
        add_repeated(out, starter, seen);
    if (proposal.role == KN_ROLE_QUASI && proposal.hierarchy == KN_PROPOSE_PLACE && !seen->pack)
        kn_text_addz(
            out,
            "  # A place table keeps more meaning than auto: hierarchy: {place: places.csv}\n");
    kn_starter_key(out, seen->is.name);
    kn_text_addf(out, "{role: %s", kn_role_name(proposal.role));
    if (proposal.role == KN_ROLE_QUASI) {
        add_hierarchy(out, starter, seen, &proposal);
    } else if (seen->pack && proposal.role == KN_ROLE_SENSITIVE) {
        kn_text_addz(out, ", hierarchy: ");
        add_pack(out, seen);
    }
    kn_text_addz(out, "}\n");
}

void
kn_starter_line(const kn_evidence *evidence, size_t width, kn_text *out)
{
    kn_proposal proposal = kn_propose(evidence);
    size_t      from = out->len;

    kn_starter_name(out, evidence->name);
    kn_text_addf(out, ": {role: %s}", kn_role_name(proposal.role));
    while (!out->failed && kn_utf8_count((kn_str){ out->ptr + from, out->len - from }) < width)
        kn_text_addz(out, " ");
    kn_text_addz(out, "  # ");
    kn_proposal_reason(evidence, &proposal, out);
}
