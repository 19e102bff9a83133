/* SPDX-License-Identifier: Apache-2.0 */
/* finding.c -- the list of findings of a result. */
#include "result/finding.h"

enum { ROOM_FIRST = 16 };

const char *const kn_severity_names[] = { [KN_NOTE] = "note",
                                          [KN_ADVICE] = "advice",
                                          [KN_WARNING] = "warning",
                                          [KN_SERIOUS] = "serious",
                                          NULL };
const char *const kn_place_names[] = { [KN_PLACE_JOB] = "job",
                                       [KN_PLACE_COLUMN] = "column",
                                       [KN_PLACE_SETTING] = "setting",
                                       [KN_PLACE_FILE] = "file",
                                       NULL };

/* The arena keeps what was outgrown: less than what is there. */
static kanon_status
make_room(kn_findings *list, kn_arena *arena)
{
    size_t      room = list->room ? 2 * list->room : ROOM_FIRST;
    kn_finding *of;

    if (list->count < list->room)
        return KANON_OK;
    of = kn_arena_alloc(arena, room * sizeof *of);
    if (!of)
        return KANON_E_NOMEM;
    if (list->count)
        memcpy(of, list->of, list->count * sizeof *of);
    list->of = of;
    list->room = room;
    return KANON_OK;
}

kanon_status
kn_findings_add(kn_findings *list, kn_arena *arena, kn_finding finding)
{
    kanon_status rc = KANON_OK;
    bool         named = finding.place.name;

    assert(finding.code < KN_FOUND_COUNT);
    assert(named == (finding.place.kind != KN_PLACE_JOB));
    KN_TRY(make_room(list, arena));
    finding.severity = kn_finding_classes[finding.code].severity;
    finding.what = kn_arena_text(arena, kn_str_of(finding.what));
    finding.place.name = named ? kn_arena_text(arena, kn_str_of(finding.place.name)) : NULL;
    finding.remedy = finding.remedy ? kn_arena_text(arena, kn_str_of(finding.remedy))
                                    : kn_finding_classes[finding.code].remedy;
    if (!finding.what || !finding.remedy || (named && !finding.place.name))
        return KANON_E_NOMEM;
    list->of[list->count++] = finding;
out:
    return rc;
}

static kn_finding *
find_same(const kn_findings *list, size_t count, const kn_finding *finding)
{
    for (size_t i = 0; i < count; i++) {
        kn_finding *f = &list->of[i];

        if (f->code == finding->code && f->place.kind == finding->place.kind
            && f->place.line == finding->place.line
            && (!f->place.name || strcmp(f->place.name, finding->place.name) == 0))
            return f;
    }
    return NULL;
}

kanon_status
kn_findings_add_warnings(kn_findings *list, kn_arena *arena, const kanon_ctx *ctx)
{
    kanon_status      rc = KANON_OK;
    size_t            before = list->count;
    const kn_finding *warning;

    for (size_t i = 0; (warning = kn_ctx_warning(ctx, i)) != NULL; i++) {
        kn_finding *same = find_same(list, before, warning);

        if (same)
            same->told = true;
        else
            KN_TRY(kn_findings_add(list, arena, *warning));
    }
out:
    return rc;
}

/* A few dozen at most. */
void
kn_findings_sort(kn_findings *list)
{
    for (size_t i = 1; i < list->count; i++) {
        kn_finding moved = list->of[i];
        size_t     at = i;

        for (; at > 0 && list->of[at - 1].severity < moved.severity; at--)
            list->of[at] = list->of[at - 1];
        list->of[at] = moved;
    }
}

const kn_finding *
kn_findings_find(const kn_findings *list, kn_finding_code code)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].code == code)
            return &list->of[i];
    return NULL;
}
