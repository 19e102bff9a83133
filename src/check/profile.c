/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c -- a checked table under a profile. The table is taken as it stands: what a column is, is
 * recognised from its own cells and its name; which rule its cells must follow is known only at the end, so
 * every rule is counted for every column. */
#include "profile/profile.h"
#include "check/checked.h"
#include "init/recognise.h"
#include "problem/columns.h"
#include "table/load.h"

enum { RULES = KN_CELL_STATE + 1 };
/* Requirements that the line of a failure names; the report has all. */
enum { SAID_MOST = 3 };

typedef struct watched {
    kn_sketch sketch;
    uint64_t  filled;       /* rows with a value other than `*` */
    uint64_t  wrong[RULES]; /* rows that show more than a rule allows */
} watched;

struct kn_profile_watch {
    kanon_ctx *ctx;
    kn_str    *missing;
    size_t     nmissing, ncolumns;
    int        year;
    bool       cells; /* the profile has rules for cells */
    watched   *columns;
    size_t    *places;
    kn_sample  sample;
};

kanon_status
kn_profile_watch_new(kanon_ctx *ctx, const kanon_config *config, const kn_rows *rows,
                     kn_profile_watch **out)
{
    kanon_status            rc = KANON_OK;
    const kn_profile_table *profile = kn_config_profile(config);
    kn_profile_watch       *w;

    *out = NULL;
    if (!profile)
        return KANON_OK;
    w = *out = KN_NEW(ctx, kn_profile_watch);
    if (!w)
        return KANON_E_NOMEM;
    w->ctx = ctx;
    w->ncolumns = kn_rows_columns(rows);
    w->nmissing = config->nmissing;
    w->year = kn_hipaa_year(0, NULL);
    w->cells = kn_profile_rules_cells(profile);
    KN_TRY(kn_missing_tokens(ctx, config, &w->missing));
    w->columns = KN_NEW_ARRAY(ctx, watched, w->ncolumns);
    w->places = KN_NEW_ARRAY(ctx, size_t, w->ncolumns);
    KN_TRY(KN_HAVE(w->columns && w->places));
    for (size_t c = 0; c < w->ncolumns; c++)
        w->places[c] = c;
    KN_TRY(kn_sample_init(ctx, w->ncolumns, &w->sample));
out:
    return rc;
}

void
kn_profile_watch_free(kn_profile_watch *w)
{
    if (!w)
        return;
    kn_sample_fini(w->ctx, &w->sample);
    kn_free(w->ctx, w->missing);
    kn_free(w->ctx, w->columns);
    kn_free(w->ctx, w->places);
    kn_free(w->ctx, w);
}

void
kn_profile_watch_row(kn_profile_watch *w, const kn_str *cells, uint64_t weight)
{
    if (!w)
        return;
    kn_sample_see(&w->sample, cells, w->places);
    for (size_t c = 0; c < w->ncolumns; c++) {
        watched *to = &w->columns[c];

        kn_sketch_add(&to->sketch, cells[c]);
        if (!cells[c].len || kn_is_missing(w->missing, w->nmissing, cells[c])
            || kn_str_equal(cells[c], KN_STR("*")))
            continue;
        to->filled += weight;
        for (int rule = 0; w->cells && rule < RULES; rule++)
            if (!kn_cell_allowed((kn_cell_rule) rule, cells[c], w->year))
                to->wrong[rule] += weight;
    }
}

static kanon_status
look_at_column(const kn_profile_watch *w, const kanon_config *config, size_t c,
               kn_profile_column *to)
{
    kn_str     name = kn_str_of(to->name);
    kn_sampled from = { w->ctx, &w->sample, w->missing, w->nmissing };

    to->evidence = (kn_evidence){ .name = name, .type = KN_TYPE_STRING };
    to->role = kn_config_role(config, name);
    to->hidden = !w->columns[c].filled;
    to->decided = to->role == KN_ROLE_QUASI; /* what stands there may be labels */
    if (kn_evidence_sampled(&from, c, kn_sketch_count(&w->columns[c].sketch), &to->evidence) < 0)
        return KANON_E_NOMEM;
    if (w->cells)
        to->is = kn_hipaa_find(&to->evidence);
    to->wrong = w->columns[c].wrong[to->is.rule];
    return KANON_OK;
}

static void
note_values(const kanon_check *check, kn_profile_column *to)
{
    for (size_t s = 0; s < check->nsensitive; s++)
        if (strcmp(check->sensitive[s].name, to->name) == 0)
            to->least = check->sensitive[s].l;
}

static kanon_status
say_failure(const kn_rows *rows, kanon_check *check)
{
    kanon_status             rc = KANON_OK;
    const kn_result_profile *p = &check->profile;
    kn_text                  text;

    if (!p->counts[KN_NOT_MET])
        return KANON_OK;
    kn_text_init(&text, check->ctx);
    if (*check->failure)
        kn_text_addf(&text, "%s; ", check->failure);
    else
        kn_text_addf(&text, "%s: ", rows->name);
    kn_text_addf(&text,
                 "%zu of %zu requirements of profile %s are not met: ", p->counts[KN_NOT_MET],
                 p->count, p->name);
    for (size_t i = 0, said = 0; i < p->count && said < SAID_MOST; i++)
        if (p->of[i].status == KN_NOT_MET) {
            kn_text_addz(&text, said++ ? "; " : "");
            kn_profile_unmet(p, i, &text);
        }
    kn_text_addz(&text, p->counts[KN_NOT_MET] > SAID_MOST ? "; ..." : "");
    KN_TRY(kn_text_status(&text));
    check->failure = kn_arena_text(&check->arena, (kn_str){ text.ptr, text.len });
    KN_TRY(KN_HAVE(check->failure));
out:
    if (!check->failure)
        check->failure = "";
    kn_text_fini(&text);
    return rc;
}

kanon_status
kn_check_profile(const kn_profile_watch *w, const kanon_config *config, const kn_rows *rows,
                 kanon_check *check)
{
    kanon_status       rc = KANON_OK;
    kn_profile_column *columns;
    kn_profile_facts   facts = { .order = KN_ORDER_UNKNOWN,
                                 .rows = check->risk.rows,
                                 .crowd = check->persons > 0 ? (uint64_t) check->persons
                                                             : check->risk.min_class,
                                 .linkage = &check->linkage };

    if (!w)
        return KANON_OK;
    columns = kn_arena_alloc(&check->arena, (w->ncolumns + 1) * sizeof *columns);
    KN_TRY(KN_HAVE(columns));
    for (size_t c = 0; c < w->ncolumns; c++) {
        columns[c] = (kn_profile_column){ .name = kn_arena_text(&check->arena,
                                                                kn_rows_names(rows)[c]) };
        KN_TRY(KN_HAVE(columns[c].name));
        KN_TRY(look_at_column(w, config, c, &columns[c]));
        note_values(check, &columns[c]);
    }
    facts.columns = columns;
    facts.ncolumns = w->ncolumns;
    KN_TRY(kn_profile_judge(kn_config_profile(config), &facts, &check->arena, &check->profile));
    KN_TRY(kn_profile_find(&check->profile, &check->arena, &check->findings));
    KN_TRY(say_failure(rows, check));
out:
    return rc;
}
