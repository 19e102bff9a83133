/* SPDX-License-Identifier: Apache-2.0 */
/* csv_kind.h -- recognises files that are not CSV. */
#ifndef KN_CSV_KIND_H
#define KN_CSV_KIND_H

#include "base/base.h"

/** What the file is and what to do about it, "is a spreadsheet ...; ...", by the bytes it begins with;
 *  NULL: it may well be CSV. */
const char *kn_csv_other_kind(kn_str start);
/** It has so many NULs that it is no text, unless it is in UTF-16. */
bool kn_csv_is_binary(kn_str start);

#endif
