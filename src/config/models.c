/* SPDX-License-Identifier: Apache-2.0 */
/* models.c -- the settings of the privacy models beyond k: text in, checked value in the config out. */
#include "base/text.h"
#include "config/setter.h"

static const double OFF = -1;
/* More than any table has rows, and exact as a double. */
static const double WHOLE_MOST = 4294967295.0, NUMBER_MOST = 1e9;

/* A number of at least 0, or "off". */
static bool
parse_limit(kn_str text, double *out)
{
    kn_decimal number;

    *out = OFF;
    if (kn_str_equal(text, KN_STR("off")))
        return true;
    if (!kn_decimal_parse_strict(text, &number) || number.mantissa < 0)
        return false;
    *out = kn_decimal_double(number);
    return true;
}

static bool
is_whole(double value)
{
    return value <= WHOLE_MOST && value == (double) (uint64_t) value;
}

/* The words of a choice, separated by |: the index of the one given, or -1. */
static int
word_index(const char *words, kn_str given)
{
    kn_str rest = kn_str_of(words), word;

    for (int i = 0; rest.ptr; i++) {
        kn_str_split(&rest, '|', &word);
        if (kn_str_equal(word, given))
            return i;
    }
    return -1;
}

static void
note_place(const kn_setter *setter)
{
    setter->config->models_at = (kn_place){ setter->file, setter->line };
}

/* Remembers whether a model was asked for with a limit that asks for nothing; a later setting decides. */
static void
note_idle(const kn_setter *setter, kn_idle model, bool idle)
{
    unsigned *all = &setter->config->models.idle;

    *all = idle ? *all | (unsigned) model : *all & ~(unsigned) model;
}

/* A whole number from 1 on; what every class satisfies anyway is off. */
static kanon_status
set_count(const kn_setter *setter, kn_str value, kn_idle model, double *out)
{
    double number;

    if (!parse_limit(value, &number) || number > WHOLE_MOST || (number >= 0 && !is_whole(number)))
        return kn_setter_refuse(setter, value, "a whole number, or off");
    note_place(setter);
    note_idle(setter, model, number >= 0 && number <= 1);
    *out = number > 1 ? number : OFF;
    return KANON_OK;
}

/* A number between two bounds, or off. */
static kanon_status
set_number(const kn_setter *setter, kn_str value, double most, const char *expected, double *out)
{
    double number;

    if (!parse_limit(value, &number) || number > most)
        return kn_setter_refuse(setter, value, expected);
    note_place(setter);
    *out = number;
    return KANON_OK;
}

/* Every class has one value at least, so 1 asks for nothing, but for the recursive kind: there it limits the
 * share of the most frequent value. Settings come in any order, so both of them end here. */
static void
settle_l(kn_model_settings *m)
{
    bool asks = m->l_asked > 1 || (m->l_asked == 1 && m->l_kind == KN_L_RECURSIVE);

    m->l = asks ? m->l_asked : OFF;
    m->idle = m->l_asked >= 0 && !asks ? m->idle | KN_IDLE_L : m->idle & ~(unsigned) KN_IDLE_L;
}

kanon_status
kn_set_l_diversity(const kn_setter *setter, kn_str value)
{
    double l;

    if (!parse_limit(value, &l) || l > WHOLE_MOST)
        return kn_setter_refuse(setter, value, "a whole number, or off");
    note_place(setter);
    setter->config->models.l_asked = l;
    settle_l(&setter->config->models);
    return KANON_OK;
}

kanon_status
kn_set_l_kind(const kn_setter *setter, kn_str value)
{
    int chosen = word_index("distinct|entropy|recursive", value);

    if (chosen < 0)
        return kn_setter_refuse(setter, value, "distinct, entropy or recursive");
    setter->config->models.l_kind = (kn_l_kind) chosen;
    setter->config->models.given |= KN_GIVEN_L_KIND;
    settle_l(&setter->config->models);
    return KANON_OK;
}

kanon_status
kn_set_l_c(const kn_setter *setter, kn_str value)
{
    double c;

    if (!parse_limit(value, &c) || c <= 0 || c > NUMBER_MOST)
        return kn_setter_refuse(setter, value, "a number above 0");
    setter->config->models.c = c;
    setter->config->models.given |= KN_GIVEN_L_C;
    return KANON_OK;
}

kanon_status
kn_set_t_closeness(const kn_setter *setter, kn_str value)
{
    kanon_status rc = set_number(setter, value, 1, "a fraction from 0 to 1, or off",
                                 &setter->config->models.t);

    note_idle(setter, KN_IDLE_T, rc == KANON_OK && setter->config->models.t >= 1);
    if (rc == KANON_OK && setter->config->models.t >= 1)
        setter->config->models.t = OFF; /* no class can be further away than 1 */
    return rc;
}

kanon_status
kn_set_t_distance(const kn_setter *setter, kn_str value)
{
    int chosen = word_index("auto|equal|ordered|hierarchical", value);

    if (chosen < 0)
        return kn_setter_refuse(setter, value, "auto, equal, ordered or hierarchical");
    setter->config->models.t_distance = (kn_t_distance) chosen;
    setter->config->models.given |= KN_GIVEN_T_DISTANCE;
    return KANON_OK;
}

kanon_status
kn_set_p_sensitive(const kn_setter *setter, kn_str value)
{
    return set_count(setter, value, KN_IDLE_P, &setter->config->models.p);
}

kanon_status
kn_set_alpha(const kn_setter *setter, kn_str value)
{
    kanon_status rc = set_number(setter, value, 1, "a fraction from 0 to 1, or off",
                                 &setter->config->models.alpha);

    note_idle(setter, KN_IDLE_ALPHA, rc == KANON_OK && setter->config->models.alpha >= 1);
    if (rc == KANON_OK && setter->config->models.alpha >= 1)
        setter->config->models.alpha = OFF; /* no share is greater than 1 */
    return rc;
}

kanon_status
kn_set_beta(const kn_setter *setter, kn_str value)
{
    return set_number(setter, value, NUMBER_MOST, "a number from 0 on, or off",
                      &setter->config->models.beta);
}

kanon_status
kn_set_beta_kind(const kn_setter *setter, kn_str value)
{
    int chosen = word_index("basic|enhanced", value);

    if (chosen < 0)
        return kn_setter_refuse(setter, value, "basic or enhanced");
    setter->config->models.beta_kind = (kn_beta_kind) chosen;
    setter->config->models.given |= KN_GIVEN_BETA_KIND;
    return KANON_OK;
}

kanon_status
kn_set_disclosure(const kn_setter *setter, kn_str value)
{
    double delta;

    if (!parse_limit(value, &delta) || delta == 0 || delta > NUMBER_MOST)
        return kn_setter_refuse(setter, value, "a number above 0, or off");
    note_place(setter);
    setter->config->models.disclosure = delta;
    return KANON_OK;
}

/* MAX, or MIN,MAX. */
kanon_status
kn_set_presence(const kn_setter *setter, kn_str value)
{
    kn_str rest = value, first;
    double low = 0, high;
    bool   good, idle;

    kn_str_split(&rest, ',', &first);
    good = parse_limit(kn_str_trim(first), &high);
    if (good && rest.ptr) {
        low = high;
        good = low >= 0 && parse_limit(kn_str_trim(rest), &high) && high >= low;
    }
    if (!good || high > 1)
        return kn_setter_refuse(setter, value,
                                "a fraction from 0 to 1, or two of them: MIN,MAX; or off");
    note_place(setter);
    idle = low <= 0 && high >= 1; /* every chance is between 0 and 1 */
    note_idle(setter, KN_IDLE_PRESENCE, idle);
    setter->config->models.presence_min = low;
    setter->config->models.presence_max = idle ? OFF : high;
    return KANON_OK;
}

kanon_status
kn_set_k_map(const kn_setter *setter, kn_str value)
{
    return set_count(setter, value, KN_IDLE_K_MAP, &setter->config->models.k_map);
}

kanon_status
kn_set_population(const kn_setter *setter, kn_str value)
{
    if (value.len == 0)
        return kn_setter_refuse(setter, value, "the name of a file");
    setter->config->population_at = (kn_place){ setter->file, setter->line };
    setter->config->models.population = kn_setter_path(setter, value);
    return setter->config->models.population ? KANON_OK : KANON_E_NOMEM;
}

static kanon_status
set_column(const kn_setter *setter, kn_str column, const char **out)
{
    if (column.len == 0)
        return kn_setter_refuse(setter, column, "the name of a column");
    *out = kn_arena_text(&setter->config->arena, column);
    return *out ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kn_set_k_column(const kn_setter *setter, kn_str column)
{
    setter->config->k_column_at = (kn_place){ setter->file, setter->line };
    return set_column(setter, column, &setter->config->models.k_column);
}

kanon_status
kn_set_entity(const kn_setter *setter, kn_str column)
{
    setter->config->entity_at = (kn_place){ setter->file, setter->line };
    return set_column(setter, column, &setter->config->models.entity);
}
