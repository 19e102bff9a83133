/* SPDX-License-Identifier: Apache-2.0 */
/* registry.h -- the one list of privacy models beyond k. Everything that names models walks it: settings,
 * jobs, the verifier, `kanon check`, `kanon explain`, reports. */
#ifndef KN_PRIVACY_REGISTRY_H
#define KN_PRIVACY_REGISTRY_H

#include "privacy/model.h"

/** In the order of help and reports, kinds of one setting side by side; kn_model_NAME is the row of each. */
#define KN_MODEL_LIST(X)                                                                           \
    X(distinct)                                                                                    \
    X(entropy)                                                                                     \
    X(recursive)                                                                                   \
    X(p_sensitive)                                                                                 \
    X(alpha)                                                                                       \
    X(beta)                                                                                        \
    X(beta_enhanced)                                                                               \
    X(disclosure)                                                                                  \
    X(t_equal)                                                                                     \
    X(t_ordered)                                                                                   \
    X(t_hierarchical)                                                                              \
    X(k_map)                                                                                       \
    X(presence)                                                                                    \
    X(persons)                                                                                     \
    X(own_k)

#define KN_MODEL_DECLARE(name) extern const kn_model_class kn_model_##name;
KN_MODEL_LIST(KN_MODEL_DECLARE)
#undef KN_MODEL_DECLARE

#define KN_MODEL_ONE(name) +1
/** Models in the list; no fewer than there are settings of models, or models of one column. */
enum { KN_MODEL_COUNT = 0 KN_MODEL_LIST(KN_MODEL_ONE) };
#undef KN_MODEL_ONE

/** Settings that somebody beside their models asks about. */
extern const kn_model_setting kn_entity_setting;

/** The index-th model; NULL past the end. */
const kn_model_class *kn_model_at(size_t index);
/** The index-th setting, each once, in the order of the models; NULL past the end. */
const kn_model_setting *kn_model_setting_at(size_t index);
/** Where a setting stands among them; it must be one of them. */
size_t kn_model_setting_index(const kn_model_setting *setting);
/** The model that a kind of a setting means, by the kind's place among the words; NULL: a kind that leaves
 *  the choice to the column. A setting without kinds has kind 0. */
const kn_model_class *kn_model_of_kind(const kn_model_setting *setting, size_t kind);
/** The model of a setting whose values have this need; NULL: there is none. */
const kn_model_class *kn_model_of_need(const kn_model_setting *setting, kn_needs needs);

#endif
