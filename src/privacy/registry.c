/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c -- the rows of the list of privacy models, and what is looked up in them. */
#include "privacy/registry.h"

#define ROW(name) &kn_model_##name,
static const kn_model_class *const models[KN_MODEL_COUNT] = { KN_MODEL_LIST(ROW) };
#undef ROW

const kn_model_class *
kn_model_at(size_t index)
{
    return index < KN_MODEL_COUNT ? models[index] : NULL;
}

/* Is it the first of the models that its setting asks for? Those stand side by side. */
static bool
is_first(size_t index)
{
    return index == 0 || models[index - 1]->setting != models[index]->setting;
}

const kn_model_setting *
kn_model_setting_at(size_t index)
{
    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        if (is_first(i) && index-- == 0)
            return models[i]->setting;
    return NULL;
}

size_t
kn_model_setting_index(const kn_model_setting *setting)
{
    size_t index = 0;

    while (kn_model_setting_at(index) && kn_model_setting_at(index) != setting)
        index++;
    assert(kn_model_setting_at(index));
    return index;
}

const kn_model_class *
kn_model_of_kind(const kn_model_setting *setting, size_t kind)
{
    kn_str rest = kn_str_of(setting->kind.name ? setting->kind.argument : ""), word = { NULL, 0 };

    for (size_t i = 0; i <= kind; i++)
        kn_str_split(&rest, '|', &word);
    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        if (models[i]->setting == setting
            && (!models[i]->kind || kn_str_equal(kn_str_of(models[i]->kind), word)))
            return models[i];
    return NULL;
}

const kn_model_class *
kn_model_of_need(const kn_model_setting *setting, kn_needs needs)
{
    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        if (models[i]->setting == setting && models[i]->needs == needs)
            return models[i];
    return NULL;
}
