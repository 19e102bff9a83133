/* report_hints.c -- "What would make it better": what a reader can do next, concluded from the
 * result's own numbers. A hint says what may help; it promises nothing that was not computed. */
#include "report/plain.h"
#include "report/report.h"

enum { WIDTH = 100, INDENT = 4 };

typedef struct hints {
    kn_text *text;
    size_t   from; /* where the hint being written begins */
    size_t   count;
} hints;

static void
begin_hint(hints *h)
{
    if (!h->count++)
        kn_text_addz(h->text, "\nWhat would make it better\n");
    h->from = h->text->len;
    kn_text_addz(h->text, "  - ");
}

static void
end_hint(hints *h)
{
    kn_text_addz(h->text, "\n");
    kn_plain_wrap(h->text, h->from, WIDTH, INDENT);
}

static void
hint_hidden(hints *h, const kanon_result *r)
{
    for (size_t i = 0; r->full_domain && i < r->nattributes; i++) {
        const kn_result_attribute *a = &r->attributes[i];

        if (a->role != KN_ROLE_QUASI || !a->height || a->level < a->height)
            continue;
        begin_hint(h);
        kn_plain_name(h->text, a->name, 0);
        kn_text_addz(h->text,
                     " is hidden completely. A hierarchy with more levels below the top may keep a "
                     "part of it; if nobody needs it, make it \"identifier\" and the search "
                     "becomes smaller.");
        end_hint(h);
    }
}

/* Nearly all of the allowance used, or hardly any. */
static void
hint_suppression(hints *h, const kanon_result *r)
{
    uint64_t unused;

    if (!r->suppression_rows || r->suppressed_rows > r->suppression_rows)
        return;
    unused = r->suppression_rows - r->suppressed_rows;
    if (unused > r->suppression_rows / 10 && unused < r->suppression_rows / 2)
        return;
    begin_hint(h);
    kn_text_addz(h->text, "Suppressed rows: ");
    kn_plain_count(h->text, r->suppressed_rows);
    kn_text_addz(h->text, " of at most ");
    kn_plain_count(h->text, r->suppression_rows);
    if (unused <= r->suppression_rows / 10)
        kn_text_addz(h->text,
                     ". A higher --suppression may keep the columns more exact, at the price of "
                     "more rows.");
    else
        kn_text_addz(h->text, ". A lower --suppression would still allow this release.");
    end_hint(h);
}

static void
hint_search(hints *h, const kanon_result *r)
{
    if (r->outcome != KANON_FEASIBLE || !r->stopped)
        return;
    if (strcmp(r->stopped, "max-evaluations") == 0) {
        begin_hint(h);
        kn_text_addz(h->text,
                     "The search ended at its limit of combinations to try. More of them (--param "
                     "max-evaluations=N) may find a release that loses less.");
        end_hint(h);
    } else if (strcmp(r->stopped, "cycles") == 0) {
        begin_hint(h);
        kn_text_addz(h->text,
                     "The search ended after the cycles that it was given. More of them (--param "
                     "cycles=N) may find a release that loses less.");
        end_hint(h);
    } else if (strcmp(r->stopped, "time-limit") == 0) {
        begin_hint(h);
        kn_text_addz(
            h->text,
            "The search ended at its time limit. A longer --time-limit may find a release that "
            "loses less. What is found in a given time depends on the machine; for a release "
            "that can be made again, use --param max-evaluations=N or --algorithm kgen.");
        end_hint(h);
    } else if (strcmp(r->stopped, "interrupted") == 0) {
        begin_hint(h);
        kn_text_addz(
            h->text,
            "The search was stopped by the user. Left alone it may find a release that loses "
            "less; --time-limit says beforehand how long it may take.");
        end_hint(h);
    }
}

void
kn_report_hints(kn_text *text, const kanon_result *r)
{
    hints h = { text, 0, 0 };

    hint_hidden(&h, r);
    hint_suppression(&h, r);
    hint_search(&h, r);
}
