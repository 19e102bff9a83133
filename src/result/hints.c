/* SPDX-License-Identifier: Apache-2.0 */
/* hints.c -- "What would make it better": what a reader can do next, concluded from the result's own
 * numbers. A hint says what may help; it promises nothing that was not computed. */
#include "base/plain.h"
#include "result/result.h"

enum { NAMES_MOST = 6, HINTS_MOST = 8 };

/* A hint ends with a newline; names of columns, which stand in them, lose theirs on the way. */
static void
end_hint(kn_text *text)
{
    kn_text_addz(text, "\n");
}

/* All of it lost: at the top, or at a level below it that has one group for all. */
static bool
is_hidden(const kn_result_attribute *a)
{
    return a->role == KN_ROLE_QUASI && a->height
        && (a->level >= a->height || a->loss.glm > 1 - 1e-9);
}

/* One hint for all of them: with many columns it would be the same many times. */
static void
hint_hidden(kn_text *text, const kanon_result *r)
{
    size_t count = 0, named = 0;

    for (size_t i = 0; r->full_domain && i < r->nattributes; i++)
        count += is_hidden(&r->attributes[i]);
    if (!count)
        return;
    for (size_t i = 0; i < r->nattributes && named < NAMES_MOST; i++) {
        if (!is_hidden(&r->attributes[i]))
            continue;
        kn_text_addz(text, named == 0 ? "" : named + 1 == count ? " and " : ", ");
        kn_plain_name(text, r->attributes[i].name, 0);
        named++;
    }
    if (named < count)
        kn_text_addf(text, " and %zu more", count - named);
    kn_text_addz(
        text,
        count == 1
            ? " is lost completely. A hierarchy with more levels below the top may keep part of "
              "it. If nobody needs it, make it \"identifier\", which makes the search smaller."
            : " are lost completely. Hierarchies with more levels below the top may keep part of "
              "them. Make columns that nobody needs \"identifier\", so that the others can stay "
              "finer.");
    end_hint(text);
}

/* Nearly all of the allowance used. */
static void
hint_suppression(kn_text *text, const kanon_result *r)
{
    uint64_t unused;

    if (!r->suppression_rows || r->suppressed_rows > r->suppression_rows)
        return;
    unused = r->suppression_rows - r->suppressed_rows;
    if (unused > r->suppression_rows / 10)
        return;
    kn_text_addz(text, "Suppressed rows: ");
    kn_plain_count(text, r->suppressed_rows);
    kn_text_addz(text, " of at most ");
    kn_plain_count(text, r->suppression_rows);
    if (2 * r->suppressed_rows > r->input_rows) /* more of that would be no help */
        kn_text_addz(text, ", more than half of the table. A lower --suppression keeps more rows "
                           "but makes the columns coarser.");
    else
        kn_text_addz(
            text, ". A higher --suppression may keep the columns more exact but loses more rows.");
    end_hint(text);
}

static void
hint_search(kn_text *text, const kanon_result *r)
{
    static const struct {
        const char *stopped, *hint;
    } hints[] = {
        { "max-evaluations", "The search ended at its limit of checks. A higher one (--param "
                             "max-evaluations=N) may find a release that loses less." },
        { "cycles", "The search ended after its cycles. More of them (--param cycles=N) may find a "
                    "release that loses less." },
        { "time-limit", "The search ended at its time limit. A longer --time-limit may find a "
                        "release that loses less. The result depends on the machine; for a "
                        "reproducible release use --param max-evaluations=N or --algorithm kgen." },
        { "interrupted", "You stopped the search. A longer one may find a release that loses less; "
                         "--time-limit bounds it in advance." },
    };

    if (r->outcome != KANON_FEASIBLE || !r->stopped)
        return;
    for (size_t i = 0; i < KN_COUNT(hints); i++)
        if (strcmp(r->stopped, hints[i].stopped) == 0) {
            kn_text_addz(text, hints[i].hint);
            end_hint(text);
        }
}

static kanon_status
keep(kanon_result *r, kn_str text)
{
    kn_str hint;

    r->hints = kn_arena_alloc(&r->arena, HINTS_MOST * sizeof *r->hints);
    if (!r->hints)
        return KANON_E_NOMEM;
    while (text.len && r->nhints < HINTS_MOST) {
        kn_str_split(&text, '\n', &hint);
        if (hint.len && !(r->hints[r->nhints++] = kn_arena_text(&r->arena, hint)))
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

/* A release without rows has other troubles, which a finding tells. */
kanon_status
kn_result_hint(kanon_result *r)
{
    kanon_status rc;
    kn_text      hints;

    r->nhints = 0;
    if (r->outcome == KANON_INFEASIBLE || !r->released_rows)
        return KANON_OK;
    kn_text_init(&hints, r->ctx);
    hint_hidden(&hints, r);
    hint_suppression(&hints, r);
    hint_search(&hints, r);
    rc = kn_text_status(&hints);
    if (rc == KANON_OK)
        rc = keep(r, (kn_str){ hints.ptr, hints.len });
    kn_text_fini(&hints);
    return rc;
}
