/* SPDX-License-Identifier: Apache-2.0 */
/* profile.h -- counts what a profile requires, from facts about a release that a job or a check gathered. One
 * function for each kind of requirement (profile.c, hipaa.c); the requirements are rows of
 * config/profiles.c. */
#ifndef KN_PROFILE_H
#define KN_PROFILE_H

#include "base/arena.h"
#include "config/profiles.h"
#include "init/hipaa.h"
#include "result/finding.h"
#include "result/linkage.h"
#include "result/profile.h"

/** A column of the table. */
typedef struct kn_profile_column {
    const char *name;
    kn_role     role;
    kn_evidence evidence;
    kn_hipaa    is;      /* with a rule for its cells only where the profile asks for one */
    bool        hidden;  /* no cell of it is released */
    bool        decided; /* somebody chose the levels of a quasi-identifier */
    uint64_t    wrong;   /* released rows that show more than its rule allows */
    uint64_t    least;   /* of a sensitive column: fewest different values in a class */
} kn_profile_column;

typedef enum { KN_ORDER_SHUFFLED, KN_ORDER_KEPT, KN_ORDER_UNKNOWN } kn_profile_order;

typedef struct kn_profile_facts {
    const kn_profile_column *columns;
    size_t                   ncolumns;
    uint64_t                 rows;
    uint64_t                 crowd; /* rows, or persons, of the smallest class */
    kn_profile_order         order;
    const kn_result_linkage *linkage;
} kn_profile_facts;

/** Does the profile have rules for the cells of columns? */
bool kn_profile_rules_cells(const kn_profile_table *profile);
/** Fills a result in its arena: all of the profile's requirements. */
kanon_status kn_profile_judge(const kn_profile_table *profile, const kn_profile_facts *facts,
                              kn_arena *arena, kn_result_profile *out);
/** Adds what a person must judge to the findings. */
kanon_status kn_profile_find(const kn_result_profile *profile, kn_arena *arena,
                             kn_findings *findings);
/** One line for each requirement that is not met: "what: found". Adds them to a failure or a text. */
void kn_profile_unmet(const kn_result_profile *profile, size_t index, kn_text *text);

/* --- for the functions of single kinds --------------------------------------------------------------- */

/** What is known of a requirement while it is judged. */
typedef struct kn_profile_case {
    const kn_requirement   *requirement;
    const kn_profile_facts *facts;
    kn_text                *found;
} kn_profile_case;

/** Names columns that pass a test, after a lead; false, and nothing written, where none does. */
typedef bool (*kn_column_test)(const kn_profile_case *judged, const kn_profile_column *column);
bool kn_profile_list(const kn_profile_case *judged, const char *lead, kn_column_test test);

kn_met kn_judge_hipaa(const kn_profile_case *judged);
kn_met kn_judge_free_text(const kn_profile_case *judged);

#endif
