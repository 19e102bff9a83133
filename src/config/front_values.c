/* SPDX-License-Identifier: Apache-2.0 */
/* front_values.c -- the settings of a front: its objectives and the sides of their boxes. Whether there
 * are such objectives is for the job to say; here they are only taken down. */
#include "base/text.h"
#include "config/setter.h"

kanon_status
kn_set_objective(const kn_setter *setter, kn_str value)
{
    kanon_config *config = setter->config;
    const char   *copy;

    if (value.len == 0)
        return kn_setter_refuse(setter, value, "properties such as k,glm");
    if (config->nobjectives == KN_COUNT(config->objectives))
        return kn_setter_refuse(setter, value, "at most 8 objectives");
    for (size_t i = 0; i < config->nobjectives; i++)
        if (kn_str_equal(value, kn_str_of(config->objectives[i])))
            return kn_setter_refuse(setter, value, "each objective once");
    copy = kn_arena_text(&config->arena, value);
    if (!copy)
        return KANON_E_NOMEM;
    config->objectives[config->nobjectives++] = copy;
    config->objectives_at = (kn_place){ setter->file, setter->line };
    return KANON_OK;
}

void
kn_clear_objectives(kanon_config *config)
{
    config->nobjectives = 0;
}

static kanon_status
put_box(const kn_setter *setter, kn_str name, kn_str value)
{
    kanon_config *config = setter->config;
    kn_decimal    side;
    size_t        at = 0;
    const char   *copy;

    if (!kn_decimal_parse_strict(value, &side) || side.mantissa < 0)
        return kn_setter_refuse(setter, value, "a number of at least 0, as in k=1,glm=0.001");
    while (at < config->nboxes && !kn_str_equal(name, kn_str_of(config->boxes[at].name)))
        at++;
    if (at == KN_COUNT(config->boxes))
        return kn_setter_refuse(setter, name, "at most 8 objectives");
    copy = kn_arena_text(&config->arena, name);
    if (!copy)
        return KANON_E_NOMEM;
    config->boxes[at] = (kn_box_setting){ copy, kn_decimal_double(side) };
    config->nboxes += at == config->nboxes;
    config->boxes_at = (kn_place){ setter->file, setter->line };
    return KANON_OK;
}

/* --boxes k=1,glm=0.001 gives the key k and all the rest. */
kanon_status
kn_set_box(const kn_setter *setter, kn_str key, kn_str value)
{
    kanon_status rc = KANON_OK;

    while (rc == KANON_OK) {
        const char *comma = value.len ? memchr(value.ptr, ',', value.len) : NULL;
        kn_str      side = { value.ptr, comma ? (size_t) (comma - value.ptr) : value.len };
        kn_str rest = comma ? (kn_str){ comma + 1, value.len - side.len - 1 } : (kn_str){ NULL, 0 };
        const char *equals;

        rc = put_box(setter, kn_str_trim(key), kn_str_trim(side));
        if (rc < 0 || !comma)
            return rc;
        equals = rest.len ? memchr(rest.ptr, '=', rest.len) : NULL;
        if (!equals)
            return kn_setter_refuse(setter, rest, "pairs such as k=1,glm=0.001");
        key = (kn_str){ rest.ptr, (size_t) (equals - rest.ptr) };
        value = (kn_str){ equals + 1, rest.len - key.len - 1 };
    }
    return rc;
}

static bool
read_count(kn_str text, uint64_t *out)
{
    kn_decimal value;

    text = kn_str_trim(text);
    if (!text.len || text.ptr[0] == '-' || !kn_decimal_parse_strict(text, &value) || value.decimals
        || value.mantissa < 1)
        return false;
    *out = (uint64_t) value.mantissa;
    return true;
}

/* "2-50"; "5" alone is no range. */
kanon_status
kn_set_knee_k(const kn_setter *setter, kn_str value)
{
    const char *dash = value.len ? memchr(value.ptr, '-', value.len) : NULL;
    size_t      before = dash ? (size_t) (dash - value.ptr) : 0;
    uint64_t    range[2];

    if (!dash || !read_count((kn_str){ value.ptr, before }, &range[0])
        || !read_count((kn_str){ dash + 1, value.len - before - 1 }, &range[1])
        || range[0] > range[1])
        return kn_setter_refuse(setter, value, "two numbers from 1, the smaller one first: 2-50");
    memcpy(setter->config->knee_k, range, sizeof range);
    return KANON_OK;
}
