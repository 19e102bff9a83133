/* SPDX-License-Identifier: Apache-2.0 */
/* finding.h -- all that a job has to say beside its figures: one kind of finding, with a code that never
 * changes, a severity, a place, what was found and what to do about it. A finding names columns and counts,
 * never a value of the table. The list of codes stands below everything that finds something, so that a
 * code exists once: reports, the documentation and the tests walk this list. */
#ifndef KN_BASE_FINDING_H
#define KN_BASE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Findings are listed from the last of these to the first. */
typedef enum kn_severity {
    KN_NOTE,    /* holds for every release of its kind: to know before it is given away */
    KN_ADVICE,  /* what may make the release better */
    KN_WARNING, /* a setting or an input was not used as one might think */
    KN_SERIOUS  /* endangers what the release promises, or there is none: to act on */
} kn_severity;
#define KN_SEVERITIES (KN_SERIOUS + 1)

/** code, severity, what it means, what to do (a finding may know better), section of the HTML report
 *  that shows more (NULL: none). */
#define KN_FINDING_LIST(X)                                                                         \
    /* about the release */                                                                        \
    X(INFEASIBLE, "infeasible", SERIOUS, "nothing can be released under these settings",           \
      "`kanon explain` shows what stands in the way, and what each setting costs", NULL)           \
    X(NOT_MET, "not-met", SERIOUS, "what was required does not hold",                              \
      "make the release again with these requirements, and check it again", NULL)                  \
    X(EMPTY_RELEASE, "empty-release", SERIOUS, "every row was suppressed",                         \
      "lower --suppression (0.01 to 0.05 is usual); if nothing is feasible then, `kanon explain` " \
      "shows why",                                                                                 \
      NULL)                                                                                        \
    X(MOSTLY_HIDDEN, "mostly-hidden", SERIOUS, "most cells of the quasi-identifiers are *",        \
      "keep fewer columns (`kanon explain` tells what each one costs), lower k, or allow more "    \
      "suppression",                                                                               \
      NULL)                                                                                        \
    X(LINKED_ROWS, "linked-rows", SERIOUS,                                                         \
      "pseudonyms link rows, and the rows of a person together are rare",                          \
      "release without pseudonyms (*), or one row a person", NULL)                                 \
    X(MANY_QUASI, "many-quasi-identifiers", SERIOUS,                                               \
      "so many quasi-identifiers that almost everyone is unique",                                  \
      "keep only quasi-identifiers that others can really know, and drop columns that nobody "     \
      "needs",                                                                                     \
      NULL)                                                                                        \
    X(REPEATED_PERSONS, "repeated-persons", SERIOUS,                                               \
      "an identifier repeats, so a class of k rows may be one person",                             \
      "count persons with --entity and the column that identifies them, or first merge the rows "  \
      "of each person",                                                                            \
      NULL)                                                                                        \
    X(REPEATED_TUPLES, "repeated-tuples", SERIOUS,                                                 \
      "more rows have the same quasi-identifiers than different people would",                     \
      "count persons with --entity and the column that identifies them (it may be released as *, " \
      "with --id), or first merge the rows of each person",                                        \
      NULL)                                                                                        \
    X(SMALL_K, "small-k", SERIOUS, "k is below what statistical offices use",                      \
      "use -k 5 among trusted users, -k 11 or more for a public file", NULL)                       \
    X(NEARLY_UNIQUE, "nearly-unique", SERIOUS,                                                     \
      "an unprotected column has almost as many values as rows",                                   \
      "give such a column the role \"identifier\" or \"quasi\" (--id, --qi) unless nobody can "    \
      "know its values",                                                                           \
      NULL)                                                                                        \
    X(NO_ROLE, "no-role", SERIOUS, "columns without a role are released unchanged",                \
      "give each of them a role (`kanon init` proposes one), or leave them out: --others drop",    \
      NULL)                                                                                        \
    X(SINGLES_OUT, "singles-out", SERIOUS,                                                         \
      "an unprotected column singles out rows within their class",                                 \
      "ask for each such column who could know it; if anyone could, make it a quasi-identifier "   \
      "(--qi)",                                                                                    \
      NULL)                                                                                        \
    X(DEPENDENT, "dependent-column", SERIOUS,                                                      \
      "a released column is a quasi-identifier in another form",                                   \
      "make it a quasi-identifier (--qi), so that it counts when classes are formed, or leave it " \
      "out (--id with --identifiers drop)",                                                        \
      NULL)                                                                                        \
    X(COMBINED, "combined-columns", SERIOUS,                                                       \
      "released columns that together single out rows within their class",                         \
      "ask for each of these columns who could know it; make those quasi-identifiers (--qi), or "  \
      "leave them out (--id with --identifiers drop)",                                             \
      NULL)                                                                                        \
    X(HOMOGENEOUS, "homogeneous-classes", SERIOUS,                                                 \
      "classes in which all rows have the same sensitive value",                                   \
      "bound the share of a value in every class: --alpha 0.8", NULL)                              \
    X(GUESSABLE, "guessable-values", SERIOUS,                                                      \
      "classes in which a sensitive value can be guessed with at least 90 % certainty",            \
      "bound the share of a value in every class: --alpha 0.8", NULL)                              \
    X(UNIQUE_VALUES, "unique-values", SERIOUS,                                                     \
      "a sensitive column in which many rows have a value of their own",                           \
      "round the values before you release them (an income to thousands), or make the column a "   \
      "quasi-identifier with ranges (--qi, --hierarchy COL=range:...)",                            \
      NULL)                                                                                        \
    X(ONLY_K, "only-k", SERIOUS, "sensitive columns, but no model that protects their values",     \
      "bound the share of a value in every class: --alpha 0.8; or accept that values may be "      \
      "inferred",                                                                                  \
      NULL)                                                                                        \
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
    X(EXACT_INTERVALS, "exact-intervals", SERIOUS,                                                 \
      "intervals or labels of a column end at original values",                                    \
      "leave --snap at grid, which ends them at round numbers", NULL)                              \
    X(EXACT_VALUES, "exact-values", SERIOUS, "a value of fewer than k rows stands for a class",    \
      "leave --local at interval; of numbers, --local mean shows nobody's value", NULL)            \
    /* about every release of its kind */                                                          \
    X(NO_SENSITIVE, "no-sensitive-column", NOTE, "no column has the role \"sensitive\"",           \
      "name sensitive columns with --sensitive to measure them", NULL)                             \
    X(COMBINED_SENSITIVE, "combined-sensitive", NOTE,                                              \
      "sensitive columns that together single out rows within their class",                        \
      "release no more sensitive columns together than one user needs", NULL)                      \
    X(DOWNCODING, "downcoding", NOTE,                                                              \
      "local recoding discloses something by the shape of its classes",                            \
      "for a public file prefer full-domain generalization (--algorithm auto), and do not "        \
      "disclose the algorithm",                                                                    \
      NULL)                                                                                        \
    X(MINIMALITY, "minimality", NOTE, "the release is no coarser than its models require",         \
      "do not publish the suppression limit, the metric, the algorithm and the search: share the " \
      "external report, which omits them",                                                         \
      NULL)                                                                                        \
    X(OTHER_RELEASES, "other-releases", NOTE,                                                      \
      "the release is not protected against other releases about the same people",                 \
      "release a table once; later release only rows of people who are in no earlier release, at " \
      "least k of them together (the same levels do not help: what a class gained is a "           \
      "newcomer's value)",                                                                         \
      NULL)                                                                                        \
    X(PROFILE, "profile", NOTE, "requirements of a profile that a person must judge",              \
      "read them: -v and the reports list them with their sources", NULL)                          \
    /* what may make the release better: concluded from the figures, not tried */                  \
    X(LOST_COLUMNS, "lost-columns", ADVICE, "columns of which nothing is left",                    \
      "a hierarchy with more levels below the top may keep part of a lost column; so may making "  \
      "another column, which nobody needs, \"identifier\"",                                        \
      NULL)                                                                                        \
    X(SUPPRESSION_USED, "suppression-used", ADVICE,                                                \
      "nearly as many rows were suppressed as may be",                                             \
      "a higher --suppression may keep the columns more exact but loses more rows", NULL)          \
    X(SEARCH_LIMITED, "search-limited", ADVICE, "the search ended at its limit of checks",         \
      "a higher limit (--param max-evaluations=N) may find a release that loses less", NULL)       \
    X(SEARCH_CYCLES, "search-cycles", ADVICE, "the search ended after its cycles",                 \
      "more cycles (--param cycles=N) may find a release that loses less", NULL)                   \
    X(SEARCH_TIME, "search-time", ADVICE, "the search ended at its time limit",                    \
      "a longer --time-limit may find a release that loses less; the result depends on the "       \
      "machine, so for a reproducible one use --param max-evaluations=N or --algorithm kgen",      \
      NULL)                                                                                        \
    X(SEARCH_INTERRUPTED, "search-interrupted", ADVICE, "you stopped the search",                  \
      "a longer search may find a release that loses less; --time-limit bounds it in advance",     \
      NULL)                                                                                        \
    X(IDLE_SETTING, "idle-setting", WARNING, "a setting that has no effect",                       \
      "remove the setting, or use it where it has an effect", NULL)                                \
    X(IDLE_MODEL, "idle-model", WARNING, "a privacy model that every release satisfies",           \
      "ask for a stricter limit, or remove the model", NULL)                                       \
    X(NO_SUPPRESSION, "no-suppression", WARNING, "a model that allows no suppressed row",          \
      "set MIN to 0 if rows may be suppressed", NULL)                                              \
    X(NO_LABEL, "no-label", WARNING, "a metric counts labels, and there are none",                 \
      "name a label (--label), or minimise another metric", NULL)                                  \
    X(FORMULAS, "formula-cells", WARNING, "released cells that a spreadsheet runs as a formula",   \
      "make them text with --formulas quote, which puts an apostrophe before them", NULL)          \
    X(NOT_MASKED, "not-masked", WARNING, "suppressed rows were dropped, not masked",               \
      "use --suppressed drop, which says the same, or allow fewer suppressed rows", NULL)          \
    X(PICKED_K, "picked-k", WARNING, "a point of a front is released with another k",              \
      "leave out -k to release the point as it is in the front", NULL)                             \
    X(PICKED_SETTING, "picked-setting", WARNING,                                                   \
      "a point of a front is released with another setting than it was found with",                \
      "leave the setting out, or make the front again with it", NULL)                              \
    X(PICKED_ROWS, "picked-rows", WARNING,                                                         \
      "a point of a front is released with more or fewer suppressed rows",                         \
      "leave out the settings that differ, or make the front again with them", NULL)               \
    X(FRONT_ONLY_K, "front-only-k", WARNING, "a front considers k alone",                          \
      "use the models as objectives (--objectives), or try several points", NULL)                  \
    X(NOT_IN_POPULATION, "not-in-population", WARNING, "rows that match nobody in the population", \
      "use a population that has everyone in the table", NULL)                                     \
    X(REPEATED_POPULATION, "repeated-population", WARNING,                                         \
      "the population seems to list people several times",                                         \
      "use a population with one row for each person", NULL)                                       \
    X(TWIN_COLUMN, "twin-column", WARNING,                                                         \
      "a column without a role is called nearly like one that has a role",                         \
      "give it the same role, unless it says something else", NULL)                                \
    X(DOUBTFUL_ROLE, "doubtful-role", WARNING, "a column does not look like its role",             \
      "give such a column the role that it looks like (a name or an e-mail address: --id), "       \
      "unless "                                                                                    \
      "nobody can know its values",                                                                \
      NULL)                                                                                        \
    X(UNDECIDED, "undecided", WARNING, "columns whose proposed role a person must confirm",        \
      "decide on the role of each of them in the config", NULL)                                    \
    X(NO_QUASI, "no-quasi-identifier", WARNING, "no column looks like a quasi-identifier",         \
      "give at least one column the role quasi", NULL)                                             \
    X(STOPPED, "stopped", WARNING, "the user stopped the search",                                  \
      "let the search run longer; --time-limit bounds it in advance", NULL)                        \
    X(SLOW, "slow-algorithm", WARNING, "an algorithm that takes long on this table",               \
      "use a faster algorithm, or a smaller block (--param block=N)", NULL)                        \
    X(CLEAR_IDENTIFIER, "clear-identifier", SERIOUS, "an identifier is in clear in a release",     \
      "do not share the file; replace every cell of the column by *, or drop the column", NULL)    \
    X(PERSONS_UNCOUNTED, "persons-uncounted", WARNING, "persons cannot be counted",                \
      "see the report of the job that made the release, which gives their number", NULL)           \
    X(MISSING_SPELLINGS, "missing-spellings", WARNING, "a missing value has several spellings",    \
      "use one spelling", NULL)                                                                    \
    X(NOT_UNDERSTOOD, "not-understood", WARNING, "released cells were not understood",             \
      "name the hierarchy of the column (--hierarchy), or see docs/COMPARE.md", NULL)              \
    X(MORE_MISSING, "more-missing", WARNING, "a release has more missing cells than the original", \
      "write suppressed cells as *", NULL)                                                         \
    X(ODD_VALUES, "odd-values", WARNING, "a few values are not of the type of the others",         \
      "correct them, list them in --missing, or declare a type", NULL)                             \
    X(UNKNOWN_CODES, "unknown-codes", WARNING,                                                     \
      "values that a hierarchy cannot read became (other)",                                        \
      "correct the codes, or list them in --missing", NULL)                                        \
    X(SHORT_YEARS, "short-years", WARNING, "dates with two-digit years are read as text",          \
      "write years with four digits", NULL)                                                        \
    X(DAY_FIRST, "day-first", WARNING, "dates could be day first or month first",                  \
      "write dates year first (1970-01-31) if they are not day first", NULL)                       \
    X(DECIMAL_COMMA, "decimal-comma", WARNING, "numbers like 1,234 could be read in two ways",     \
      "declare the type of the column, or remove the thousands separators", NULL)                  \
    X(IDLE_UNIT, "idle-unit", WARNING, "a unit of a date hierarchy changes nothing",               \
      "remove the unit", NULL)                                                                     \
    X(SKIPPED_HEADER, "skipped-header", WARNING,                                                   \
      "the first line of a hierarchy looks like a header",                                         \
      "remove the line if it is a header; change it if it is not", NULL)                           \
    X(MISSING_LEVELS, "missing-levels", WARNING,                                                   \
      "spellings of the missing value have different levels",                                      \
      "give all spellings of the missing value the same levels", NULL)                             \
    X(PLACES_DISAGREE, "places-disagree", WARNING, "lines of a place table disagree",              \
      "correct the lines, so that each place has one entry", NULL)                                 \
    X(HEADER_GUESSED, "header-guessed", WARNING, "the first line was read as column names",        \
      "use --header yes or --no-header", NULL)                                                     \
    X(ENCODING_GUESSED, "encoding-guessed", WARNING, "the encoding of a file was guessed",         \
      "check letters beyond ASCII; --encoding names the encoding", NULL)                           \
    X(TITLES, "titles", WARNING, "lines above the header were skipped",                            \
      "check that they are titles: --skip says how many", NULL)                                    \
    X(FOOTER, "footer", WARNING, "lines below the last row were left out",                         \
      "check that they are totals or notes: --skip-footer says how many", NULL)                    \
    X(RENAMED, "renamed-columns", WARNING, "columns with the same name were renamed",              \
      "give them different names in the table", NULL)                                              \
    X(EMPTY_LINES, "empty-lines", WARNING, "empty last lines were skipped",                        \
      "remove them if the table is complete; otherwise find what is missing", NULL)                \
    X(PERMISSIONS, "permissions", WARNING, "permissions of a written file could not be kept",      \
      "set the permissions of the file yourself", NULL)                                            \
    X(NOT_SYNCED, "not-synced", WARNING, "the folder of a written file could not be synced",       \
      "make sure that the file is there before you delete the input", NULL)                        \
    X(MORE_WARNINGS, "more-warnings", WARNING, "there were more warnings than are kept",           \
      "act on those that are kept, and run the job again", NULL)

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
    size_t           named;  /* bytes at the start of `what` that name its columns; 0: place does */
    bool             told;   /* the context has warned of it while the job ran */
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
