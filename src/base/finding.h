/* SPDX-License-Identifier: Apache-2.0 */
/* finding.h -- all that a job has to say beside its figures: one kind of finding, with a code that never
 * changes, a severity, a place, what was found and what to do about it. A finding names columns and counts,
 * never a value of the table. The list of codes stands below everything that finds something, so that a
 * code exists once: reports, the documentation and the tests walk this list. */
#ifndef KN_BASE_FINDING_H
#define KN_BASE_FINDING_H

#include <stdint.h>

/** Findings are listed from the last of these to the first. */
typedef enum kn_severity {
    KN_NOTE,    /* holds for every release of its kind: to know before it is given away */
    KN_ADVICE,  /* what may make the release better */
    KN_WARNING, /* a setting or an input was not used as one might think */
    KN_SERIOUS  /* endangers what the release promises, or there is none: to act on */
} kn_severity;
#define KN_SEVERITIES (KN_SERIOUS + 1)

/** code, severity, what it means, what to do (a finding may know better; "": nothing, or the finding says
 *  it), section of the HTML report that shows more (NULL: none). */
#define KN_FINDING_LIST(X)                                                                         \
    /* about the release */                                                                        \
    X(INFEASIBLE, "infeasible", SERIOUS, "nothing can be released under these settings", "", NULL) \
    X(EMPTY_RELEASE, "empty-release", SERIOUS, "every row was suppressed",                         \
      "lower --suppression (0.01 to 0.05 is usual); if nothing is feasible then, `kanon explain` " \
      "shows why",                                                                                 \
      NULL)                                                                                        \
    X(MANY_QUASI, "many-quasi-identifiers", SERIOUS,                                               \
      "so many quasi-identifiers that almost everyone is unique",                                  \
      "keep only quasi-identifiers that others can really know, drop columns that nobody needs, "  \
      "or make several releases with few columns each for different users",                        \
      NULL)                                                                                        \
    X(REPEATED_PERSONS, "repeated-persons", SERIOUS,                                               \
      "an identifier repeats, so a class of k rows may be one person",                             \
      "count persons with --entity and the column that identifies them, or first merge the rows "  \
      "of each person",                                                                            \
      NULL)                                                                                        \
    X(SMALL_K, "small-k", SERIOUS, "k is below what statistical offices use",                      \
      "use -k 5 among trusted users, -k 11 or more for a public file", NULL)                       \
    X(NEARLY_UNIQUE, "nearly-unique", SERIOUS,                                                     \
      "a column without a role has almost as many values as rows",                                 \
      "give such a column the role \"identifier\" or \"quasi\" (--id, --qi) unless nobody can "    \
      "know its values",                                                                           \
      NULL)                                                                                        \
    X(SINGLES_OUT, "singles-out", SERIOUS,                                                         \
      "a column without a role singles out rows within their class",                               \
      "ask for each such column who could know it; if anyone could, make it a quasi-identifier "   \
      "(--qi)",                                                                                    \
      NULL)                                                                                        \
    X(HOMOGENEOUS, "homogeneous-classes", SERIOUS,                                                 \
      "classes in which all rows have the same sensitive value",                                   \
      "require distinct values in every class: --l-diversity 2 (or more)", NULL)                   \
    X(ONLY_K, "only-k", SERIOUS, "sensitive columns, but no model that protects their values",     \
      "add --l-diversity 2 or --t-closeness 0.3, or accept that values may be inferred", NULL)     \
    X(SHOWN_K, "shown-k", SERIOUS, "the column with the k of each row is released",                \
      "make it an identifier (--id): it counts as before, and nobody sees it", NULL)               \
    X(SHOWN_PERSONS, "shown-persons", SERIOUS, "the column that identifies persons is released",   \
      "make it an identifier (--id): persons are counted as before, and nobody sees it", NULL)     \
    X(SPELLINGS, "spellings", SERIOUS, "values that differ only in spelling count as distinct",    \
      "use one spelling for each value, and make the release again", NULL)                         \
    X(OUTLIERS, "outliers", SERIOUS, "numbers far from all others are released unchanged",         \
      "top-code such numbers first (\"100,000 or more\"), or make the column \"quasi\" with "      \
      "ranges",                                                                                    \
      NULL)                                                                                        \
    X(KEPT_ORDER, "kept-order", SERIOUS, "the released rows are in the order of the table",        \
      "remove --keep-order unless the order is random", NULL)                                      \
    X(UNEVEN_SUPPRESSION, "uneven-suppression", SERIOUS,                                           \
      "groups that lost more than twice the usual share of their rows",                            \
      "use a smaller --suppression, or coarser levels for such a column, to keep them",            \
      "suppression")                                                                               \
    X(EXACT_INTERVALS, "exact-intervals", SERIOUS, "intervals end at original values",             \
      "widen them to round numbers: --snap hierarchy or --snap grid", NULL)                        \
    /* about every release of its kind */                                                          \
    X(NO_SENSITIVE, "no-sensitive-column", NOTE, "no column has the role \"sensitive\"",           \
      "name sensitive columns with --sensitive to measure them", NULL)                             \
    X(DOWNCODING, "downcoding", NOTE,                                                              \
      "local recoding discloses something by the shape of its classes",                            \
      "for a public file prefer full-domain generalization (--algorithm auto), and do not "        \
      "disclose the algorithm",                                                                    \
      NULL)                                                                                        \
    X(MINIMALITY, "minimality", NOTE, "the release is no coarser than its models require",         \
      "k and the models are the promise, so they are public: require a little more than you need " \
      "(k + 2, l + 1), and do not publish the suppression limit, the metric, the algorithm and "   \
      "the search (the external report omits them)",                                               \
      NULL)                                                                                        \
    X(OTHER_RELEASES, "other-releases", NOTE,                                                      \
      "the release is not protected against other releases about the same people",                 \
      "release a table once; for a new version keep the levels of the first, release only rows "   \
      "of new people, or withdraw the first",                                                      \
      NULL)                                                                                        \
    /* what may make the release better: concluded from the figures, not tried */                  \
    X(LOST_COLUMNS, "lost-columns", ADVICE, "columns of which nothing is left",                    \
      "Hierarchies with more levels below the top may keep part of them. Make columns "            \
      "that nobody needs \"identifier\", so that the others can stay finer",                       \
      NULL)                                                                                        \
    X(SUPPRESSION_USED, "suppression-used", ADVICE,                                                \
      "nearly as many rows were suppressed as may be",                                             \
      "A higher --suppression may keep the columns more exact but loses more rows", NULL)          \
    X(SEARCH_LIMITED, "search-limited", ADVICE, "the search ended at its limit of checks",         \
      "A higher one (--param max-evaluations=N) may find a release that loses less", NULL)         \
    X(SEARCH_CYCLES, "search-cycles", ADVICE, "the search ended after its cycles",                 \
      "More of them (--param cycles=N) may find a release that loses less", NULL)                  \
    X(SEARCH_TIME, "search-time", ADVICE, "the search ended at its time limit",                    \
      "A longer --time-limit may find a release that loses less. The result depends on "           \
      "the machine; for a reproducible release use --param max-evaluations=N or "                  \
      "--algorithm kgen",                                                                          \
      NULL)                                                                                        \
    X(SEARCH_INTERRUPTED, "search-interrupted", ADVICE, "you stopped the search",                  \
      "A longer one may find a release that loses less; --time-limit bounds it in "                \
      "advance",                                                                                   \
      NULL)                                                                                        \
    X(IDLE_SETTING, "idle-setting", WARNING, "a setting that has no effect", "", NULL)             \
    X(IDLE_MODEL, "idle-model", WARNING, "a privacy model that every release satisfies", "", NULL) \
    X(NO_SUPPRESSION, "no-suppression", WARNING, "a model that allows no suppressed row", "",      \
      NULL)                                                                                        \
    X(NO_LABEL, "no-label", WARNING, "a metric counts labels, and there are none", "", NULL)       \
    X(NOT_MASKED, "not-masked", WARNING, "suppressed rows were dropped, not masked", "", NULL)     \
    X(PICKED_K, "picked-k", WARNING, "a point of a front is released with another k", "", NULL)    \
    X(FRONT_ONLY_K, "front-only-k", WARNING, "a front considers k alone", "", NULL)                \
    X(NOT_IN_POPULATION, "not-in-population", WARNING, "rows that match nobody in the population", \
      "", NULL)                                                                                    \
    X(TWIN_COLUMN, "twin-column", WARNING,                                                         \
      "a column without a role is called nearly like one that has a role", "", NULL)               \
    X(NO_QUASI, "no-quasi-identifier", WARNING, "no column looks like a quasi-identifier", "",     \
      NULL)                                                                                        \
    X(STOPPED, "stopped", WARNING, "the user stopped the search", "", NULL)                        \
    X(SLOW, "slow-algorithm", WARNING, "an algorithm that takes long on this table", "", NULL)     \
    X(CLEAR_IDENTIFIER, "clear-identifier", SERIOUS, "an identifier is in clear in a release", "", \
      NULL)                                                                                        \
    X(PERSONS_UNCOUNTED, "persons-uncounted", WARNING, "persons cannot be counted", "", NULL)      \
    X(MISSING_SPELLINGS, "missing-spellings", WARNING, "a missing value has several spellings",    \
      "", NULL)                                                                                    \
    X(NOT_UNDERSTOOD, "not-understood", WARNING, "released cells were not understood", "", NULL)   \
    X(MORE_MISSING, "more-missing", WARNING, "a release has more missing cells than the original", \
      "", NULL)                                                                                    \
    X(ODD_VALUES, "odd-values", WARNING, "a few values are not of the type of the others", "",     \
      NULL)                                                                                        \
    X(SHORT_YEARS, "short-years", WARNING, "dates with two-digit years are read as text", "",      \
      NULL)                                                                                        \
    X(DAY_FIRST, "day-first", WARNING, "dates could be day first or month first", "", NULL)        \
    X(DECIMAL_COMMA, "decimal-comma", WARNING, "numbers like 1,234 could be read in two ways", "", \
      NULL)                                                                                        \
    X(IDLE_UNIT, "idle-unit", WARNING, "a unit of a date hierarchy changes nothing", "", NULL)     \
    X(SKIPPED_HEADER, "skipped-header", WARNING,                                                   \
      "the first line of a hierarchy looks like a header", "", NULL)                               \
    X(MISSING_LEVELS, "missing-levels", WARNING,                                                   \
      "spellings of the missing value have different levels", "", NULL)                            \
    X(PLACES_DISAGREE, "places-disagree", WARNING, "lines of a place table disagree", "", NULL)    \
    X(HEADER_GUESSED, "header-guessed", WARNING, "the first line was read as column names", "",    \
      NULL)                                                                                        \
    X(EMPTY_LINES, "empty-lines", WARNING, "empty last lines were skipped", "", NULL)              \
    X(PERMISSIONS, "permissions", WARNING, "permissions of a written file could not be kept", "",  \
      NULL)                                                                                        \
    X(NOT_SYNCED, "not-synced", WARNING, "the folder of a written file could not be synced", "",   \
      NULL)                                                                                        \
    X(MORE_WARNINGS, "more-warnings", WARNING, "there were more warnings than are kept", "", NULL)

typedef enum kn_finding_code {
#define KN_FINDING_ENUM(name, code, severity, meaning, remedy, section) KN_FOUND_##name,
    KN_FINDING_LIST(KN_FINDING_ENUM)
#undef KN_FINDING_ENUM
        KN_FOUND_COUNT
} kn_finding_code;

typedef enum kn_place_kind {
    KN_PLACE_JOB, /* the whole of it: no name */
    KN_PLACE_COLUMN,
    KN_PLACE_SETTING,
    KN_PLACE_FILE
} kn_place_kind;

typedef struct kn_finding_place {
    kn_place_kind kind;
    const char   *name;
    uint64_t      line; /* of a file; 0: none */
} kn_finding_place;

typedef struct kn_finding {
    kn_finding_code  code;
    kn_severity      severity;
    kn_finding_place place;
    const char      *what;   /* a sentence without its full stop */
    const char      *remedy; /* a sentence or a setting; "": none */
    double           figure; /* the count or share that it goes by; NaN: none */
} kn_finding;

/** A row of the list. */
typedef struct kn_finding_class {
    const char *code; /* "spellings" */
    kn_severity severity;
    const char *meaning, *remedy, *section;
} kn_finding_class;

extern const kn_finding_class kn_finding_classes[KN_FOUND_COUNT];

static inline kn_finding_place
kn_at_column(const char *name)
{
    return (kn_finding_place){ KN_PLACE_COLUMN, name, 0 };
}

static inline kn_finding_place
kn_at_setting(const char *name)
{
    return (kn_finding_place){ KN_PLACE_SETTING, name, 0 };
}

static inline kn_finding_place
kn_at_line(const char *file, uint64_t line)
{
    return (kn_finding_place){ KN_PLACE_FILE, file, line };
}

#define KN_AT_JOB ((kn_finding_place){ KN_PLACE_JOB, NULL, 0 })

#endif
