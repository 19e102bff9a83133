/* SPDX-License-Identifier: Apache-2.0 */
/* describe_profile.c -- a profile and its requirements: names, types, meaning. Outsiders see what is required
 * and whether it is met; what was found names columns that the release may not have. */
#include "result/describe.h"
#include "result/profile.h"

const char *const kn_met_names[] = { [KN_MET] = "met",
                                     [KN_NOT_MET] = "not met",
                                     [KN_NOT_FOUND] = "not found",
                                     [KN_FOR_A_PERSON] = "for a person",
                                     NULL };

static const kn_field required_fields[] = {
    { "section", KN_AS_TEXT, KN_BOTH, "heading of the outline", KN_OF(kn_required, section) },
    { "requirement", KN_AS_TEXT, KN_BOTH, "what is required", KN_OF(kn_required, what) },
    { "source", KN_AS_TEXT, KN_BOTH, "where it is from", KN_OF(kn_required, source) },
    { "status", KN_AS_CHOICE, KN_BOTH,
      "not found: recognition found no such column, which a person should confirm; for a person: "
      "it "
      "cannot be counted",
      KN_OF(kn_required, status), .words = kn_met_names },
    { "found", KN_AS_TEXT, KN_INSIDE, "what was found of it", KN_OF(kn_required, found) },
    KN_FIELDS_END,
};
static const kn_described required_shape = { "requirement", required_fields };

static const kn_field profile_fields[] = {
    { "name", KN_AS_TEXT, KN_BOTH, "its name", KN_OF(kn_result_profile, name) },
    { "title", KN_AS_TEXT, KN_BOTH, "what it is", KN_OF(kn_result_profile, title) },
    { "source", KN_AS_TEXT, KN_BOTH, "where it is published", KN_OF(kn_result_profile, source) },
    { "requirements", KN_AS_LIST, KN_BOTH, "in the order of the outline",
      KN_ROWS(kn_result_profile, of, count), .shape = &required_shape },
    KN_FIELDS_END,
};
const kn_described kn_shape_profile = { "profile", profile_fields };
