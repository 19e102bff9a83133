/* SPDX-License-Identifier: Apache-2.0 */
/* profiles.c -- the profiles. A profile is rows: what it sets, what it requires, where each is from, and
 * under which heading of the report it stands. No number is here without its source; where a source gives
 * none, the row says whose practice it is. docs/PROFILES.md says the same for people. */
#include "config/profiles.h"

#include "config/setter.h"
#include "kanon/config.h"

#define NO_SETTING                                                                                 \
    {                                                                                              \
        NULL, NULL, 0                                                                              \
    }
#define NO_REQUIREMENT                                                                             \
    {                                                                                              \
        .about = { NULL, NULL, NULL }                                                              \
    }
/* What no profile lets be weakened. */
#define CAREFUL                                                                                    \
    { "keep-order", "true", 0 }, { "others", "keep", 0 }, { "snap", "off", 0 }, NO_SETTING
/* What kanon counts in support of a requirement that has no figures. */
#define OWN(source) "kanon's own check, in support of " source
#define PERSON(section, what, source)                                                              \
    {                                                                                              \
        { section, what, source }, KN_REQUIRES_A_PERSON, 0, 0                                      \
    }
#define COUNTED(section, what, source, of)                                                         \
    {                                                                                              \
        { section, what, source }, KN_REQUIRES_##of, 0, 0                                          \
    }
#define LIMITED(section, what, source, of, limit)                                                  \
    {                                                                                              \
        { section, what, source }, KN_REQUIRES_##of, limit, 0                                      \
    }

/* --- HIPAA, safe harbor --------------------------------------------------------------------------- */

#define RULE "45 CFR 164.514(b)(2)(i)"
#define LISTED(letter, character, what)                                                            \
    {                                                                                              \
        { "Identifiers", "(" letter ") " what, RULE "(" letter ")" }, KN_REQUIRES_HIPAA, 0,        \
            character                                                                              \
    }

static const kanon_profile_setting careful_settings[] = { CAREFUL };

static const kn_requirement safe_harbor[] = {
    LISTED("A", 'A', "names"),
    LISTED("B", 'B',
           "places smaller than a state; of a ZIP code three digits, 000 for small areas"),
    LISTED("C", 'C', "dates: the year at most; ages over 89 in one group"),
    LISTED("D", 'D', "telephone numbers"),
    LISTED("E", 'E', "fax numbers"),
    LISTED("F", 'F', "e-mail addresses"),
    LISTED("G", 'G', "social security numbers"),
    LISTED("H", 'H', "medical record numbers"),
    LISTED("I", 'I', "health plan beneficiary numbers"),
    LISTED("J", 'J', "account numbers"),
    LISTED("K", 'K', "certificate and license numbers"),
    LISTED("L", 'L', "vehicle identifiers and license plates"),
    LISTED("M", 'M', "device identifiers and serial numbers"),
    LISTED("N", 'N', "web addresses"),
    LISTED("O", 'O', "Internet addresses"),
    LISTED("P", 'P', "biometric identifiers"),
    LISTED("Q", 'Q', "photographs of faces"),
    LISTED("R", 'R', "any other unique number, characteristic or code"),
    COUNTED("Identifiers", "no free text, which may hold any of them", RULE, FREE_TEXT),
    PERSON("Identifiers",
           "columns that recognition misses, and identifiers of relatives, employers and household "
           "members",
           RULE),
    PERSON("Identifiers",
           "three-digit ZIP areas by the current census; kanon knows those of 2000 and 2010",
           RULE "(B)"),
    PERSON("Actual knowledge",
           "nobody who releases the table knows that what is left could identify a person",
           "45 CFR 164.514(b)(2)(ii)"),
    NO_REQUIREMENT,
};

/* --- HIPAA, expert determination ------------------------------------------------------------------ */

#define EXPERT "45 CFR 164.514(b)(1)"
#define CMS                                                                                        \
    "the rule gives no number; 11 is the minimum cell size of the Centers for Medicare & "         \
    "Medicaid "                                                                                    \
    "Services"

static const kanon_profile_setting eleven_settings[] = { { "k", "11", 1 }, CAREFUL };

static const kn_requirement expert[] = {
    COUNTED("Data", "no direct identifier is released", EXPERT, IDENTIFIERS),
    COUNTED("Data", "quasi-identifiers are named", OWN(EXPERT), QUASI),
    LIMITED("Risk", "every class has at least 11 rows or persons", CMS, K, 11),
    COUNTED("Risk", "the order of the rows tells nothing", OWN(EXPERT), ORDER),
    COUNTED("Risk", "further columns single out nobody within a class", OWN(EXPERT), SINGLES),
    COUNTED("Risk", "no class shares one sensitive value", OWN(EXPERT), GUARDS),
    PERSON(
        "Determination",
        "a person with appropriate knowledge of statistical methods finds the risk very small for "
        "the anticipated recipient, alone or with other reasonably available information",
        EXPERT "(i)"),
    PERSON("Determination", "the methods and results that justify it are documented",
           EXPERT "(ii)"),
    NO_REQUIREMENT,
};

/* --- EMA policy 0070 ------------------------------------------------------------------------------- */

#define EMA "EMA/90915/2016, chapter 3"

/* 1 in 11 is 0.0909, which is above 0.09. */
static const kanon_profile_setting ema_settings[] = { { "k", "12", 1 }, CAREFUL };

static const kn_requirement ema[] = {
    COUNTED("Direct and quasi-identifiers", "no direct identifier is released", EMA, IDENTIFIERS),
    COUNTED("Direct and quasi-identifiers", "quasi-identifiers are named", EMA, QUASI),
    PERSON("Adversaries and attacks",
           "possible adversaries and plausible attacks are identified; the release is public", EMA),
    PERSON("Data utility", "what is left serves its scientific purpose", EMA),
    PERSON("Risk threshold", "0.09 fits the data, or a stricter threshold is chosen", EMA),
    LIMITED("Risk of re-identification", "the maximum risk is at most 0.09", EMA, RISK, 0.09),
    COUNTED("Risk of re-identification", "further columns single out nobody within a class",
            OWN(EMA), SINGLES),
    COUNTED("Methodology", "the order of the rows tells nothing", OWN(EMA), ORDER),
    COUNTED("Methodology", "no class shares one sensitive value", OWN(EMA), GUARDS),
    PERSON("Documentation", "an anonymisation report describes method, rationale and risk", EMA),
    NO_REQUIREMENT,
};

/* --- Article 29 working party ---------------------------------------------------------------------- */

#define WP216 "WP 216, opinion 05/2014"

static const kn_requirement wp216[] = {
    LIMITED("Singling out", "no row is alone in its class", WP216, K, 2),
    COUNTED("Singling out", "further columns single out nobody within a class", OWN(WP216),
            SINGLES),
    COUNTED("Linkability", "no direct identifier or pseudonym is released", WP216, IDENTIFIERS),
    COUNTED("Linkability", "the order of the rows tells nothing", OWN(WP216), ORDER),
    PERSON("Linkability",
           "no other table about the same people can be linked by what is released; k-anonymity "
           "alone does not prevent it",
           WP216),
    COUNTED("Inference", "no class shares one sensitive value", OWN(WP216), GUARDS),
    PERSON("Inference", "no attribute can be deduced with significant probability from the others",
           WP216),
    PERSON("Residual risk",
           "the risk is assessed again at intervals, with all means reasonably likely to be used",
           WP216),
    NO_REQUIREMENT,
};

/* --- files of statistical offices ------------------------------------------------------------------ */

#define PUF "Regulation (EC) No 223/2009, Article 19"
#define SUF "Commission Regulation (EU) No 557/2013"

static const kn_requirement puf[] = {
    COUNTED("Identifiers", "no direct identifier is released", PUF, IDENTIFIERS),
    COUNTED("Identifiers", "quasi-identifiers are named", OWN(PUF), QUASI),
    LIMITED(
        "Disclosure risk", "every class has at least 11 rows or persons",
        "the regulation gives no number; 11 is the minimum cell size of the Centers for Medicare "
        "& Medicaid Services for public files",
        K, 11),
    COUNTED("Disclosure risk", "further columns single out nobody within a class", OWN(PUF),
            SINGLES),
    COUNTED("Disclosure risk", "the order of the rows tells nothing", OWN(PUF), ORDER),
    COUNTED("Sensitive variables", "no class shares one sensitive value", OWN(PUF), GUARDS),
    PERSON("Approval",
           "the statistical unit cannot be identified by all means that a third party might "
           "reasonably use, and the authority that provided the data approves",
           PUF),
    NO_REQUIREMENT,
};

static const kanon_profile_setting suf_settings[] = { { "k", "5", 1 }, CAREFUL };

static const kn_requirement suf[] = {
    COUNTED("Identifiers", "no direct identifier is released", SUF, IDENTIFIERS),
    COUNTED("Identifiers", "quasi-identifiers are named", OWN(SUF), QUASI),
    LIMITED("Disclosure risk", "every class has at least 5 rows or persons",
            "the regulation gives no number; 5 is kanon's choice for trusted users", K, 5),
    COUNTED("Disclosure risk", "the order of the rows tells nothing", OWN(SUF), ORDER),
    PERSON("Sensitive variables", "values that a class shares may be told to this recipient", SUF),
    PERSON("Access",
           "the recipient is a recognised research entity, and a contract governs the use", SUF),
    NO_REQUIREMENT,
};

/* --- all of them ----------------------------------------------------------------------------------- */

/* In the order of the words of the setting, which has `none` before them. */
static const kn_profile_table profiles[] = {
    { { "hipaa-safe-harbor", "HIPAA Privacy Rule, safe harbor: 18 identifiers are removed",
        "45 CFR 164.514(b)(2)", "" },
      careful_settings,
      safe_harbor },
    { { "hipaa-expert", "HIPAA Privacy Rule, expert determination", "45 CFR 164.514(b)(1)", CMS },
      eleven_settings,
      expert },
    { { "ema-0070", "European Medicines Agency, policy 0070 on the publication of clinical data",
        "External guidance on the implementation of policy 0070, EMA/90915/2016",
        "maximum risk 0.09, so 12 rows: 1 in 11 is 0.0909" },
      ema_settings,
      ema },
    { { "wp216", "Article 29 Data Protection Working Party: singling out, linkability, inference",
        "Opinion 05/2014 on anonymisation techniques, 0829/14/EN, WP 216", "" },
      careful_settings,
      wp216 },
    { { "puf", "public use file of a statistical office", PUF,
        "the regulation gives no number; k is practice" },
      eleven_settings,
      puf },
    { { "suf", "scientific use file of a statistical office", SUF,
        "the regulation gives no number; k is kanon's choice" },
      suf_settings,
      suf },
};

const kanon_profile *
kanon_profile_at(size_t index)
{
    return index < KN_COUNT(profiles) ? &profiles[index].about : NULL;
}

const kanon_profile_setting *
kanon_profile_setting_at(size_t index, size_t setting)
{
    const kanon_profile_setting *s = index < KN_COUNT(profiles) ? profiles[index].settings : NULL;

    for (size_t i = 0; s && s->name && i < setting; i++)
        s++;
    return s && s->name ? s : NULL;
}

const kanon_requirement *
kanon_requirement_at(size_t index, size_t requirement)
{
    const kn_requirement *r = index < KN_COUNT(profiles) ? profiles[index].requirements : NULL;

    for (size_t i = 0; r && r->about.section && i < requirement; i++)
        r++;
    return r && r->about.section ? &r->about : NULL;
}

const kn_profile_table *
kn_config_profile(const kanon_config *config)
{
    assert(config->profile <= KN_COUNT(profiles));
    return config->profile ? &profiles[config->profile - 1] : NULL;
}

/* --- settings ------------------------------------------------------------------------------------- */

/* Gives a setting that nobody chose a value, the profile's or its default. */
static kanon_status
set_unchosen(kanon_config *config, const kanon_profile_setting *s, bool its_default)
{
    kn_setting_entry entry;
    size_t           index;
    bool            *chosen;
    kanon_status     rc;
    kn_setter        setter = { config, s->name, NULL, 0, NULL, &entry.setting };

    if (!s->least || !kn_setting_find(kn_str_of(s->name), &entry, &index) || !entry.has)
        return KANON_OK;
    chosen = (bool *) ((char *) config + entry.has);
    if (*chosen)
        return KANON_OK;
    rc = kn_setting_take(&entry, &setter,
                         kn_str_of(its_default ? entry.setting.fallback : s->value));
    *chosen = false;
    return rc;
}

kanon_status
kn_set_profile(const kn_setter *setter, kn_str value)
{
    kanon_status            rc = KANON_OK;
    kanon_config           *config = setter->config;
    const kn_profile_table *profile = kn_config_profile(config);
    unsigned                chosen;

    KN_TRY(kn_set_word(setter, value, &chosen));
    for (size_t i = 0; profile && profile->settings[i].name; i++)
        KN_TRY(set_unchosen(config, &profile->settings[i], true));
    config->profile = chosen;
    config->profile_at = (kn_place){ setter->file, setter->line };
    profile = kn_config_profile(config);
    for (size_t i = 0; profile && profile->settings[i].name; i++)
        KN_TRY(set_unchosen(config, &profile->settings[i], false));
out:
    return rc;
}

static bool
is_weaker(const kanon_profile_setting *s, kn_str value)
{
    kn_decimal given, asked;

    if (!s->least)
        return kn_str_equal(value, kn_str_of(s->value));
    return kn_decimal_parse_strict(value, &given)
        && kn_decimal_parse_strict(kn_str_of(s->value), &asked)
        && kn_decimal_double(given) < kn_decimal_double(asked);
}

kanon_status
kn_config_check_profile(kanon_ctx *ctx, const kanon_config *config)
{
    kanon_status            rc = KANON_OK;
    const kn_profile_table *profile = kn_config_profile(config);
    kn_text                 value;

    kn_text_init(&value, ctx);
    for (const kanon_profile_setting *s = profile ? profile->settings : NULL; s && s->name; s++) {
        bool least = s->least;

        value.len = 0;
        kn_setting_tell(config, s->name, &value);
        KN_TRY(kn_text_status(&value));
        if (!value.ptr || !is_weaker(s, (kn_str){ value.ptr, value.len }))
            continue;
        rc = kn_fail_at(ctx, KANON_E_INVALID, least ? config->k_at.file : NULL,
                        least ? config->k_at.line : 0,
                        "%s: %s is weaker than profile %s allows%s%s; remove it, or the profile",
                        s->name, value.ptr, profile->about.name, least ? ", at least " : "",
                        least ? s->value : "");
        goto out;
    }
out:
    kn_text_fini(&value);
    return rc;
}
