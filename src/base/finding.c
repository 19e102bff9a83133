/* SPDX-License-Identifier: Apache-2.0 */
/* finding.c -- the list of codes as a table. */
#include "base/finding.h"

#include <stddef.h>

const kn_finding_class kn_finding_classes[KN_FOUND_COUNT] = {
#define ROW(name, code, severity, meaning, remedy, section)                                        \
    [KN_FOUND_##name] = { code, KN_##severity, meaning, remedy, section },
    KN_FINDING_LIST(ROW)
#undef ROW
};
