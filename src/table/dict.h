/* SPDX-License-Identifier: Apache-2.0 */
/* dict.h -- the distinct values of one column: text <-> dense code, each text kept once. */
#ifndef KN_DICT_H
#define KN_DICT_H

#include "base/base.h"

typedef struct kn_dict kn_dict;

kanon_status kn_dict_new(kanon_ctx *ctx, kn_dict **out);
void         kn_dict_free(kn_dict *dict);
/** The code of a value, a new one if it was not there; codes are 0, 1, 2 ... in order of arrival.
 *  @return KANON_E_NOMEM; KANON_E_UNSUPPORTED past 2^32 - 2 values */
kanon_status kn_dict_add(kn_dict *dict, kn_str value, uint32_t *code);
/** Gives a code another text. Only for a value that nobody looks up by its text. */
kanon_status kn_dict_rename(kn_dict *dict, uint32_t code, kn_str value);
/** KN_NO_CODE when it is not there. */
uint32_t kn_dict_find(const kn_dict *dict, kn_str value);
uint32_t kn_dict_count(const kn_dict *dict);
kn_str   kn_dict_value(const kn_dict *dict, uint32_t code);
/** All values, indexed by code; borrowed until the next add. */
const kn_str *kn_dict_values(const kn_dict *dict);
/** The longest way from where a value belongs to where it lies: by this the tests see that no input can make
 *  look-ups long. Looks at everything. */
size_t kn_dict_reach(const kn_dict *dict);

#endif
