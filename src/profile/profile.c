/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c -- see profile.h. */
#include "profile/profile.h"

#include <stdio.h>

#include "base/plain.h"

/* Columns that a line names. */
enum { NAMED_MOST = 8 };

bool
kn_profile_list(const kn_profile_case *j, const char *lead, kn_column_test test)
{
    size_t count = 0, named = 0;

    for (size_t i = 0; i < j->facts->ncolumns; i++)
        count += test(j, &j->facts->columns[i]);
    if (!count)
        return false;
    kn_text_addf(j->found, "%s%s", j->found->len ? "; " : "", lead);
    for (size_t i = 0; i < j->facts->ncolumns; i++)
        if (test(j, &j->facts->columns[i]) && kn_plain_item(j->found, named++, count, NAMED_MOST))
            kn_plain_name(j->found, j->facts->columns[i].name, 0);
    return true;
}

/* --- kinds of requirements -------------------------------------------------------------------------- */

static kn_met
judge_person(const kn_profile_case *j)
{
    KN_UNUSED(j);
    return KN_FOR_A_PERSON;
}

static bool
is_identifier(const kn_profile_case *j, const kn_profile_column *c)
{
    kn_proposal proposal;

    KN_UNUSED(j);
    if (!c->hidden && c->role == KN_ROLE_IDENTIFIER) /* a pseudonym, or in clear */
        return true;
    return !c->hidden && !c->decided && kn_contradicts(&c->evidence, c->role, &proposal)
        && proposal.role == KN_ROLE_IDENTIFIER;
}

static bool
is_hidden(const kn_profile_case *j, const kn_profile_column *c)
{
    KN_UNUSED(j);
    return c->hidden;
}

static kn_met
judge_identifiers(const kn_profile_case *j)
{
    if (kn_profile_list(j, "in the release: ", is_identifier))
        return KN_NOT_MET;
    if (!kn_profile_list(j, "removed: ", is_hidden))
        kn_text_addz(j->found, "recognition found none");
    return KN_MET;
}

static bool
is_quasi(const kn_profile_case *j, const kn_profile_column *c)
{
    KN_UNUSED(j);
    return c->role == KN_ROLE_QUASI;
}

static kn_met
judge_quasi(const kn_profile_case *j)
{
    if (kn_profile_list(j, "", is_quasi))
        return KN_MET;
    kn_text_addz(j->found, "no column is a quasi-identifier");
    return KN_NOT_MET;
}

static kn_met
judge_k(const kn_profile_case *j)
{
    if (!j->facts->rows)
        kn_text_addz(j->found, "there are no rows");
    else
        kn_text_addf(j->found, "the smallest class has %llu", (unsigned long long) j->facts->crowd);
    return !j->facts->rows || (double) j->facts->crowd >= j->requirement->limit ? KN_MET
                                                                                : KN_NOT_MET;
}

static kn_met
judge_risk(const kn_profile_case *j)
{
    double risk = j->facts->crowd ? 1 / (double) j->facts->crowd : 1;

    if (!j->facts->rows) {
        kn_text_addz(j->found, "there are no rows");
        return KN_MET;
    }
    kn_text_addf(j->found, "1 in %llu, %.4f", (unsigned long long) j->facts->crowd, risk);
    return risk <= j->requirement->limit ? KN_MET : KN_NOT_MET;
}

static kn_met
judge_order(const kn_profile_case *j)
{
    static const struct {
        const char *found;
        kn_met      status;
    } by_order[] = {
        [KN_ORDER_SHUFFLED] = { "the rows are shuffled by a secret key", KN_MET },
        [KN_ORDER_KEPT] = { "the rows are in the order of the table", KN_NOT_MET },
        [KN_ORDER_UNKNOWN] = { "a file does not tell how its rows were ordered", KN_FOR_A_PERSON },
    };

    kn_text_addz(j->found, by_order[j->facts->order].found);
    return by_order[j->facts->order].status;
}

static bool
is_sensitive(const kn_profile_case *j, const kn_profile_column *c)
{
    KN_UNUSED(j);
    return c->role == KN_ROLE_SENSITIVE;
}

static bool
is_shared(const kn_profile_case *j, const kn_profile_column *c)
{
    return is_sensitive(j, c) && c->least < 2;
}

static kn_met
judge_guards(const kn_profile_case *j)
{
    if (j->facts->rows && kn_profile_list(j, "a class has a single value of ", is_shared)) {
        kn_text_addz(j->found, "; bound the share of a value in every class: --alpha 0.8");
        return KN_NOT_MET;
    }
    if (kn_profile_list(j, "every class has at least two values of ", is_sensitive))
        return KN_MET;
    kn_text_addz(j->found, "no column is sensitive; a person must check that none is");
    return KN_FOR_A_PERSON;
}

static kn_met
judge_singles(const kn_profile_case *j)
{
    const kn_result_linkage *l = j->facts->linkage;

    if (!l->rows) {
        kn_text_addz(j->found, "there are no further columns");
        return KN_MET;
    }
    kn_text_addf(j->found,
                 "%llu of %llu rows that were looked at are alone in their class by further "
                 "columns",
                 (unsigned long long) l->open.together.alone, (unsigned long long) l->sampled);
    return l->open.together.alone ? KN_FOR_A_PERSON : KN_MET;
}

/* --- all of them ------------------------------------------------------------------------------------- */

static kn_met (*const judges[])(const kn_profile_case *judged) = {
    [KN_REQUIRES_A_PERSON] = judge_person,
    [KN_REQUIRES_HIPAA] = kn_judge_hipaa,
    [KN_REQUIRES_FREE_TEXT] = kn_judge_free_text,
    [KN_REQUIRES_IDENTIFIERS] = judge_identifiers,
    [KN_REQUIRES_QUASI] = judge_quasi,
    [KN_REQUIRES_K] = judge_k,
    [KN_REQUIRES_RISK] = judge_risk,
    [KN_REQUIRES_ORDER] = judge_order,
    [KN_REQUIRES_GUARDS] = judge_guards,
    [KN_REQUIRES_SINGLES] = judge_singles,
};

bool
kn_profile_rules_cells(const kn_profile_table *profile)
{
    for (const kn_requirement *r = profile->requirements; r->about.section; r++)
        if (r->kind == KN_REQUIRES_HIPAA)
            return true;
    return false;
}

static kanon_status
judge_one(const kn_profile_case *judged, kn_arena *arena, kn_result_profile *out)
{
    const kanon_requirement *about = &judged->requirement->about;
    kn_required             *to = &out->of[out->count];

    judged->found->len = 0;
    kn_text_addz(judged->found, "");
    *to = (kn_required){ .section = about->section, .what = about->what, .source = about->source };
    to->status = judges[judged->requirement->kind](judged);
    if (kn_text_status(judged->found) < 0)
        return KANON_E_NOMEM;
    to->found = kn_arena_text(arena, (kn_str){ judged->found->ptr, judged->found->len });
    out->counts[to->status]++;
    out->count++;
    return to->found ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kn_profile_judge(const kn_profile_table *profile, const kn_profile_facts *facts, kn_arena *arena,
                 kn_result_profile *out)
{
    kanon_status rc = KANON_OK;
    size_t       count = 0;
    kn_text      found;

    _Static_assert(KN_COUNT(judges) == KN_REQUIRES_KINDS, "a function for each kind");
    while (profile->requirements[count].about.section)
        count++;
    kn_text_init(&found, arena->ctx);
    *out = (kn_result_profile){ .name = profile->about.name,
                                .title = profile->about.title,
                                .source = profile->about.source,
                                .of = kn_arena_alloc(arena, (count + 1) * sizeof *out->of) };
    KN_TRY(KN_HAVE(out->of));
    for (size_t i = 0; i < count; i++)
        KN_TRY(
            judge_one(&(kn_profile_case){ &profile->requirements[i], facts, &found }, arena, out));
out:
    kn_text_fini(&found);
    return rc;
}

kanon_status
kn_profile_find(const kn_result_profile *p, kn_arena *arena, kn_findings *findings)
{
    size_t persons = p->counts[KN_FOR_A_PERSON], absent = p->counts[KN_NOT_FOUND];
    char   what[200];

    if (!persons && !absent)
        return KANON_OK;
    snprintf(what, sizeof what,
             "profile %s: %zu requirements are for a person to judge, and of %zu identifiers no "
             "column was recognised",
             p->name, persons, absent);
    if (!absent)
        snprintf(what, sizeof what, "profile %s: %zu requirements are for a person to judge",
                 p->name, persons);
    return kn_findings_add(findings, arena,
                           (kn_finding){ .code = KN_FOUND_PROFILE,
                                         .place = KN_AT_JOB,
                                         .what = what,
                                         .figure = (double) (persons + absent) });
}

void
kn_profile_unmet(const kn_result_profile *profile, size_t index, kn_text *text)
{
    const kn_required *r = &profile->of[index];

    kn_text_addf(text, "%s: %s", r->what, r->found);
}
