/* SPDX-License-Identifier: Apache-2.0 */
/* report_settings.c -- the settings that a release was made with, from the internal JSON report of the job:
 * roles, types, hierarchies and whatever else its labels follow from. */
#include "config/config.h"
#include "config/json_read.h"
#include "config/slurp.h"

static const kn_slurp_limits report_limits = {
    64 << 20,
    "larger than 64 MiB, the maximum for a report; expected the output of `kanon anonymize "
    "--report FILE.json`",
    "a byte that is not UTF-8; expected the output of `kanon anonymize --report FILE.json`",
};

const char *const kn_reported_settings[] = { "qi",        "id",        "sensitive", "insensitive",
                                             "type",      "hierarchy", "weight",    "label",
                                             "count",     "missing",   "k",         "snap",
                                             "intervals", NULL };

typedef struct reader {
    kanon_config *config;
    kn_json_in    in;
    kn_text       key, setting, value, output;
    bool          found; /* the report has settings */
    bool          apply; /* second walk */
} reader;

static bool
is_reported(const char *name)
{
    for (size_t i = 0; kn_reported_settings[i]; i++)
        if (strcmp(name, kn_reported_settings[i]) == 0)
            return true;
    return false;
}

/* {"setting": NAME, "value": TEXT} */
static kanon_status
read_setting(reader *r)
{
    kanon_status rc = KANON_OK;
    bool         more = true;

    r->setting.len = r->value.len = 0;
    KN_TRY(kn_json_in_object(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_key(&r->in, &r->key, &more));
        if (!more)
            break;
        if (strcmp(r->key.ptr, "setting") == 0)
            KN_TRY(kn_json_in_string(&r->in, &r->setting));
        else if (strcmp(r->key.ptr, "value") == 0)
            KN_TRY(kn_json_in_string(&r->in, &r->value));
        else
            KN_TRY(kn_json_in_skip(&r->in, NULL));
    }
    if (!r->setting.len || !is_reported(r->setting.ptr))
        return kn_json_in_fail(&r->in, "a setting that reports do not have");
    if (r->apply)
        KN_TRY(kanon_config_set(r->config, r->setting.ptr, r->value.len ? r->value.ptr : ""));
out:
    return rc;
}

static kanon_status
read_settings(reader *r)
{
    kanon_status rc = KANON_OK;
    bool         more = true;

    r->found = true;
    KN_TRY(kn_json_in_array(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_item(&r->in, &more));
        if (!more)
            break;
        KN_TRY(read_setting(r));
    }
out:
    return rc;
}

static kanon_status
read_output(reader *r)
{
    kanon_status rc = KANON_OK;
    bool         more = true;

    KN_TRY(kn_json_in_object(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_key(&r->in, &r->key, &more));
        if (!more)
            break;
        KN_TRY(strcmp(r->key.ptr, "file") == 0 ? kn_json_in_string(&r->in, &r->output)
                                               : kn_json_in_skip(&r->in, NULL));
    }
out:
    return rc;
}

static kanon_status
walk(reader *r, kn_str text, const char *name)
{
    kanon_status rc = KANON_OK;
    bool         more = true;

    kn_json_in_init(&r->in, r->config->ctx, name, text);
    r->in.made = "kanon anonymize --report FILE.json";
    KN_TRY(kn_json_in_object(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_key(&r->in, &r->key, &more));
        if (!more)
            break;
        KN_TRY(strcmp(r->key.ptr, "settings") == 0 ? read_settings(r)
               : strcmp(r->key.ptr, "output") == 0 ? read_output(r)
                                                   : kn_json_in_skip(&r->in, NULL));
    }
    KN_TRY(kn_json_in_end(&r->in));
out:
    return rc;
}

static const char *
last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* What a file does not know stayed together in the release, or the job would have been refused. */
static void
allow_unknown(kanon_config *config)
{
    for (size_t i = 0; i < config->nattributes; i++)
        if (config->attributes[i].has_hierarchy)
            config->attributes[i].hierarchy.unknown_other = true;
}

kanon_status
kanon_config_take_report(kanon_config *config, const kanon_source *report, const char *release)
{
    kanon_status rc = KANON_OK;
    reader       r = { .config = config };
    const char  *name = report && report->name ? report->name : "report";
    kn_text      text;

    if (!config || !report)
        return kn_fail(config ? config->ctx : NULL, KANON_E_INVALID,
                       "config and report are required");
    kn_text_init(&text, config->ctx);
    kn_text_init(&r.key, config->ctx);
    kn_text_init(&r.setting, config->ctx);
    kn_text_init(&r.value, config->ctx);
    kn_text_init(&r.output, config->ctx);
    KN_TRY(kn_slurp(config->ctx, report, &report_limits, &text));
    KN_TRY(walk(&r, (kn_str){ text.ptr, text.len }, name));
    if (!r.found || !r.output.len)
        rc = kn_fail_at(config->ctx, KANON_E_INVALID, name, 0,
                        "not an internal report of a release; expected the output of `kanon "
                        "anonymize --report FILE.json`");
    else if (release && strcmp(last_part(r.output.ptr), last_part(release)) != 0)
        rc = kn_fail_at(config->ctx, KANON_E_INVALID, name, 0,
                        "the report of %s, not of %s; give the one of this release", r.output.ptr,
                        release);
    if (rc < 0)
        goto out;
    r.apply = true;
    KN_TRY(walk(&r, (kn_str){ text.ptr, text.len }, name));
    allow_unknown(config);
    config->taken_from = kn_arena_text(&config->arena, kn_str_of(name));
    KN_TRY(KN_HAVE(config->taken_from));
out:
    kn_text_fini(&text);
    kn_text_fini(&r.key);
    kn_text_fini(&r.setting);
    kn_text_fini(&r.value);
    kn_text_fini(&r.output);
    return rc;
}
