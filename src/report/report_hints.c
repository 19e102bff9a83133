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

/* k-anonymity hides which row is whose, not what a whole class has in common. */
static void
hint_sensitive(hints *h, const kanon_result *r)
{
    for (size_t i = 0; i < r->nsensitive; i++) {
        const kn_sensitive_result *s = &r->sensitive[i];

        if (!s->homogeneous_rows)
            continue;
        begin_hint(h);
        kn_plain_name(h->text, s->name, 0);
        kn_text_addz(h->text, ": ");
        kn_plain_counted(h->text, s->homogeneous_rows, "row");
        kn_text_addf(h->text,
                     " %s in a group where all have the same value: whoever knows that a person "
                     "is in such a group knows the value (l-diversity is 1). A larger k or "
                     "coarser columns make such groups rarer.",
                     s->homogeneous_rows == 1 ? "is" : "are");
        end_hint(h);
    }
    if (!r->nsensitive && r->released_rows) {
        begin_hint(h);
        kn_text_addz(h->text,
                     "No column has the role \"sensitive\", so nothing is known about groups in "
                     "which everybody shares one secret value. Name such columns to have them "
                     "measured.");
        end_hint(h);
    }
}

/* A column with so many values that many rows may have one of their own can tell people apart, whatever its
 * role says. The number of values is an estimate, so it is not told. */
static bool
may_identify(const kanon_result *r, const kn_result_attribute *a)
{
    enum { ROWS_LEAST = 20 };

    return a->role == KN_ROLE_INSENSITIVE && r->input_rows >= ROWS_LEAST
        && a->values_before != KN_NOT_COUNTED
        && (double) a->values_before >= 0.2 * (double) r->input_rows;
}

static void
hint_identifying(hints *h, const kanon_result *r)
{
    size_t count = 0, named = 0;

    for (size_t i = 0; i < r->nattributes; i++)
        count += may_identify(r, &r->attributes[i]);
    if (!count)
        return;
    begin_hint(h);
    kn_text_addz(h->text, "CAUTION: ");
    for (size_t i = 0; i < r->nattributes; i++) {
        if (!may_identify(r, &r->attributes[i]))
            continue;
        kn_text_addz(h->text, named == 0 ? "" : named + 1 == count ? " and " : ", ");
        kn_plain_name(h->text, r->attributes[i].name, 0);
        named++;
    }
    kn_text_addf(
        h->text,
        " %s released unchanged, with a different value for every five rows or fewer: many "
        "rows may have one of their own, and whoever knows it picks the person out. Make %s "
        "\"identifier\" or \"quasi\" unless nobody can know such a value.",
        count == 1 ? "is" : "are", count == 1 ? "it" : "them");
    end_hint(h);
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

    hint_identifying(&h, r);
    hint_sensitive(&h, r);
    hint_hidden(&h, r);
    hint_suppression(&h, r);
    hint_search(&h, r);
}
