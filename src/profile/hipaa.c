/* SPDX-License-Identifier: Apache-2.0 */
/* hipaa.c -- the 18 identifiers of safe harbor: found and removed, found and handled, in the release, or for
 * a person. */
#include "profile/profile.h"

static bool
is_meant(const kn_profile_case *j, const kn_profile_column *c)
{
    return c->is.letter == j->requirement->letter;
}

static bool
is_removed(const kn_profile_case *j, const kn_profile_column *c)
{
    return is_meant(j, c) && c->hidden;
}

static bool
is_doubtful(const kn_profile_case *j, const kn_profile_column *c)
{
    return is_meant(j, c) && !c->hidden && c->is.doubt && c->role != KN_ROLE_QUASI;
}

static bool
is_released(const kn_profile_case *j, const kn_profile_column *c)
{
    return is_meant(j, c) && !c->hidden && c->wrong;
}

static bool
is_handled(const kn_profile_case *j, const kn_profile_column *c)
{
    return is_meant(j, c) && !c->hidden && !c->wrong && !is_doubtful(j, c);
}

kn_met
kn_judge_hipaa(const kn_profile_case *j)
{
    bool removed, handled, doubtful;

    if (kn_profile_list(j, "in the release: ", is_released))
        return KN_NOT_MET;
    removed = kn_profile_list(j, "found and removed: ", is_removed);
    handled = kn_profile_list(j, "found and handled: ", is_handled);
    doubtful = kn_profile_list(j, "a person must check: ", is_doubtful);
    if (removed || handled || doubtful)
        return doubtful ? KN_FOR_A_PERSON : KN_MET;
    kn_text_addz(j->found, "not found by recognition");
    return KN_NOT_FOUND;
}

static bool
is_free_text(const kn_profile_case *j, const kn_profile_column *c)
{
    KN_UNUSED(j);
    return !c->hidden && c->role != KN_ROLE_QUASI && kn_hipaa_free_text(&c->evidence);
}

kn_met
kn_judge_free_text(const kn_profile_case *j)
{
    if (kn_profile_list(j, "in the release: ", is_free_text))
        return KN_NOT_MET;
    kn_text_addz(j->found, "no released column looks like free text");
    return KN_MET;
}
