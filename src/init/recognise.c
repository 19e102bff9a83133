/* SPDX-License-Identifier: Apache-2.0 */
/* recognise.c -- evidence to a proposal. Cells that name persons count more than the column's name, the name
 * more than what other cells look like, and last come type and number of values. What nobody recognises is a
 * quasi-identifier: that costs information, and the other mistakes cost privacy. */
#include "init/recognise.h"

#include <assert.h>
#include <stdlib.h>

#include "base/plain.h"

/* Different values per row from which a column tells rows apart; a sketch errs by a few percent. */
static const double NEARLY_UNIQUE = 0.9;
/* The same for texts that are long, or where a name alone contradicts somebody's choice. */
static const double MOSTLY_UNIQUE = 0.5;
/* The same for weights of a sample, which members of a household share. */
static const double EXACT_WEIGHTS = 0.1;
/* Mean number of characters from which a text is taken for free text. */
static const double LONG_TEXT = 40;
/* Fewer rows are unique by chance. */
enum { ROWS_LEAST = 10, DISTINCT_SOME = 20 };
/* Whole numbers of a property of people, such as age or height, have fewer values. */
enum { UNIQUE_NUMBERS_LEAST = 200 };
/* Letters from which a word hardly means anything else. */
enum { TELLING_LETTERS = 4 };
/* Values of a column that only says whether: "street known: yes, no". */
enum { DISTINCT_FLAG = 2 };
/* Rows for each number of a person: more than one, and not so many as a ward or a year has. A count may be
 * an estimate that errs by a few percent. */
enum { REPEATED_ROWS_LEAST = 20 };
static const double REPEATED_FEWER = 0.9, REPEATED_MOST = 50;

/* --- cells ------------------------------------------------------------------------------------------ */

double
kn_looks_share(const kn_looks *looks, bool (*cell)(kn_str))
{
    uint32_t passed = cell == kn_cell_is_year  ? looks->years
                    : cell == kn_cell_is_month ? looks->months
                    : cell == kn_cell_is_ssn   ? looks->ssns
                                               : 0;

    for (size_t i = 0; i < kn_kind_count; i++)
        if (kn_kinds[i].cell == cell)
            passed = looks->passed[i];
    return looks->cells ? (double) passed / (double) looks->cells : 0;
}

void
kn_looks_add(kn_looks *looks, kn_str cell)
{
    int year = kn_cell_year(cell);

    assert(kn_kind_count <= KN_KINDS_MOST);
    looks->cells++;
    looks->years += kn_cell_is_year(cell);
    looks->months += kn_cell_is_month(cell);
    looks->ssns += kn_cell_is_ssn(cell);
    for (size_t i = 0; i < kn_kind_count; i++)
        looks->passed[i] += kn_kinds[i].cell && kn_kinds[i].cell(cell);
    if (year && (!looks->first_year || year < looks->first_year))
        looks->first_year = year;
    if (year > looks->last_year)
        looks->last_year = year;
    kn_forms_add(looks, cell);
}

double
kn_uniqueness(const kn_evidence *evidence)
{
    return evidence->filled ? (double) evidence->distinct / (double) evidence->filled : 0;
}

static bool
looks_like(const kn_evidence *evidence, size_t kind)
{
    const kn_looks *looks = &evidence->looks;
    const kn_kind  *k = &kn_kinds[kind];

    return k->cell && looks->cells >= KN_CELLS_LEAST
        && (double) looks->passed[kind] >= k->share * (double) looks->cells
        && kn_uniqueness(evidence) >= k->cells_unique
        && looks->last_year - looks->first_year >= k->years;
}

/* --- proposals -------------------------------------------------------------------------------------- */

bool
kn_nearly_unique(const kn_evidence *evidence)
{
    return evidence->filled >= ROWS_LEAST && kn_uniqueness(evidence) >= NEARLY_UNIQUE;
}

static kn_proposal
by_kind(const kn_evidence *evidence, const kn_kind *kind, kn_reason why, kn_confidence confidence)
{
    return (kn_proposal){ .role = kind->role,
                          .hierarchy = kind->hierarchy,
                          .form = kn_form_of(evidence, kind),
                          .why = why,
                          .confidence = kind->traits & KN_KIND_ASK ? KN_LOW : confidence,
                          .reason = why == KN_REASON_CELLS ? kind->looks : kind->reason,
                          .packs = kind->packs,
                          .wrong = kind->wrong,
                          .traits = kind->traits };
}

static kn_proposal
by_cells(const kn_evidence *evidence, const kn_kind *kind)
{
    return by_kind(evidence, kind, KN_REASON_CELLS,
                   kind->role == KN_ROLE_IDENTIFIER ? KN_HIGH : KN_MEDIUM);
}

static kn_proposal
ask(const kn_evidence *evidence, kn_role role, const char *reason)
{
    return (kn_proposal){ .role = role,
                          .hierarchy = role == KN_ROLE_QUASI ? KN_PROPOSE_AUTO : KN_PROPOSE_NONE,
                          .form = kn_form_of(evidence, NULL),
                          .why = reason ? KN_REASON_TEXT : KN_REASON_UNIQUE,
                          .confidence = KN_LOW,
                          .reason = reason };
}

/* A text that differs from row to row has no groups; an amount to the cent or a position may be of use, so
 * only texts contradict somebody's choice. */
static kn_proposal
unique_column(const kn_evidence *evidence)
{
    kn_proposal proposal = ask(evidence, KN_ROLE_IDENTIFIER, NULL);

    if (evidence->type == KN_TYPE_STRING)
        proposal.wrong = KN_ROLE_BIT(KN_ROLE_NONE) | KN_ROLE_BIT(KN_ROLE_QUASI)
                       | KN_ROLE_BIT(KN_ROLE_SENSITIVE) | KN_ROLE_BIT(KN_ROLE_INSENSITIVE);
    if (proposal.form == KN_FORM_NUMBER && !evidence->looks.decimals && !evidence->looks.amounts)
        proposal.form = KN_FORM_KEY;
    return proposal;
}

static kn_proposal
propose_unknown(const kn_evidence *evidence)
{
    kn_proposal proposal;

    if (kn_fits_moment(evidence)) {
        proposal = ask(evidence, KN_ROLE_QUASI, "a date or time can be known about a person");
        proposal.confidence = KN_MEDIUM;
        return proposal;
    }
    if (kn_nearly_unique(evidence)) /* a position, an amount to the cent, a number of a record */
        return unique_column(evidence);
    if (evidence->type == KN_TYPE_STRING && evidence->length > LONG_TEXT
        && evidence->filled >= ROWS_LEAST && kn_uniqueness(evidence) >= MOSTLY_UNIQUE)
        return ask(evidence, KN_ROLE_IDENTIFIER,
                   "long free text may name people; give it another role if you need it");
    if (evidence->distinct == 1) { /* costs nothing, and the next table may differ */
        proposal = ask(evidence, KN_ROLE_QUASI,
                       "all rows have the same value, but others may follow");
        proposal.confidence = KN_MEDIUM;
        return proposal;
    }
    return ask(evidence, KN_ROLE_QUASI, "not recognised, so others may know it; please decide");
}

/* Texts, and whole numbers without end, that differ from row to row are nobody's property but his. What is
 * measured or dated may differ as well: a birth date, a position. */
static bool
is_unique_in_kind(const kn_evidence *evidence, const kn_kind *kind)
{
    if (kind->role != KN_ROLE_QUASI || kind->form == KN_FORM_POSTCODE || !kn_nearly_unique(evidence)
        || kn_fits_moment(evidence))
        return false;
    if (evidence->type == KN_TYPE_STRING)
        return true;
    return evidence->type == KN_TYPE_NUMBER && evidence->looks.numbers && !evidence->looks.decimals
        && evidence->distinct >= UNIQUE_NUMBERS_LEAST;
}

/* Does a name count for this column? */
static bool
fits_kind(const kn_evidence *evidence, const kn_kind *kind)
{
    if (kn_uniqueness(evidence) < kind->names_unique || (kind->fits && !kind->fits(evidence)))
        return false;
    return !((kind->traits & KN_KIND_UNDATED) || kind->role == KN_ROLE_IDENTIFIER)
        || !(kn_fits_moment(evidence) || kn_is_years(evidence));
}

/* An abbreviation may mean something else. */
static kn_confidence
confidence_of(size_t letters)
{
    return letters >= TELLING_LETTERS ? KN_HIGH : KN_MEDIUM;
}

/* The proposal of the first kind that the name matches; false: none. */
static bool
propose_by_name(const kn_evidence *evidence, kn_proposal *out)
{
    kn_folded name = kn_fold(evidence->name);
    bool      numbers = false;

    for (size_t i = 0; i < kn_kind_count; i++) {
        const kn_kind *kind = &kn_kinds[i];
        size_t         letters = kn_name_matches(&name, kind->names);

        if (!letters || !fits_kind(evidence, kind))
            continue;
        if ((kind->traits & KN_KIND_WORDS) && evidence->type == KN_TYPE_NUMBER) {
            numbers = true; /* no street: another word of the name may fit better */
            continue;
        }
        *out = is_unique_in_kind(evidence, kind)
                 ? unique_column(evidence)
                 : by_kind(evidence, kind, KN_REASON_TEXT,
                           looks_like(evidence, i) ? KN_HIGH : confidence_of(letters));
        return true;
    }
    if (numbers) /* careful all the same: it may be the number of one */
        *out = ask(evidence, KN_ROLE_IDENTIFIER,
                   "the name suggests an address, but the values are numbers; give it another role "
                   "if it is not one");
    return numbers;
}

kn_proposal
kn_propose(const kn_evidence *evidence)
{
    kn_proposal proposal;

    if (evidence->distinct == 0) /* the next table may fill it with anything */
        return ask(evidence, KN_ROLE_IDENTIFIER,
                   "it has no value yet, so nothing is known of it; please decide");
    for (size_t i = 0; i < kn_kind_count; i++)
        if (kn_kinds[i].role == KN_ROLE_IDENTIFIER && looks_like(evidence, i))
            return by_cells(evidence, &kn_kinds[i]);
    if (propose_by_name(evidence, &proposal))
        return proposal;
    for (size_t i = 0; i < kn_kind_count; i++)
        if (looks_like(evidence, i))
            return by_cells(evidence, &kn_kinds[i]);
    return propose_unknown(evidence);
}

void
kn_proposal_reason(const kn_evidence *evidence, const kn_proposal *proposal, kn_text *out)
{
    if (proposal->why != KN_REASON_UNIQUE) {
        kn_text_addf(out, "%s%s%s", proposal->why == KN_REASON_CELLS ? "the values look like " : "",
                     proposal->reason, proposal->role == KN_ROLE_SENSITIVE ? " (check)" : "");
        return;
    }
    kn_text_addz(out, "nearly every row has its own value: ");
    kn_plain_count(out, evidence->distinct);
    kn_text_addz(out, " in ");
    kn_plain_count(out, evidence->filled);
    kn_text_addz(out, " rows");
}

/* A name alone is weak evidence: `name` may be that of one of three products. A street is a street. */
static bool
is_plausible(const kn_evidence *evidence, kn_role role, const kn_proposal *proposal)
{
    if (proposal->traits & KN_KIND_SAMPLING) /* rounded, it tells little */
        return kn_uniqueness(evidence) >= EXACT_WEIGHTS;
    if (proposal->why != KN_REASON_TEXT || proposal->role != KN_ROLE_IDENTIFIER
        || evidence->distinct >= DISTINCT_SOME || kn_uniqueness(evidence) >= MOSTLY_UNIQUE)
        return true;
    return (proposal->traits & KN_KIND_TELLING) && role != KN_ROLE_QUASI
        && evidence->distinct > DISTINCT_FLAG;
}

bool
kn_contradicts(const kn_evidence *evidence, kn_role role, kn_proposal *proposal)
{
    *proposal = kn_propose(evidence);
    if (proposal->wrong & KN_ROLE_BIT(role))
        return is_plausible(evidence, role, proposal);
    for (size_t i = 0; i < kn_kind_count; i++)
        if ((kn_kinds[i].traits & KN_KIND_ALWAYS) && (kn_kinds[i].wrong & KN_ROLE_BIT(role))
            && looks_like(evidence, i)) {
            *proposal = by_cells(evidence, &kn_kinds[i]);
            return true;
        }
    return false;
}

/* --- persons ---------------------------------------------------------------------------------------- */

bool
kn_repeats_like_persons(uint64_t values, uint64_t rows)
{
    return rows >= REPEATED_ROWS_LEAST && (double) values <= REPEATED_FEWER * (double) rows
        && (double) rows <= REPEATED_MOST * (double) values;
}

bool
kn_may_tell_persons(kn_str column)
{
    kn_folded name = kn_fold(column);

    for (size_t i = 0; i < kn_kind_count; i++)
        if (kn_name_matches(&name, kn_kinds[i].names))
            return kn_kinds[i].traits & KN_KIND_PERSONS;
    return true;
}
