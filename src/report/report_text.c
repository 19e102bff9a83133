/* SPDX-License-Identifier: Apache-2.0 */
/* report_text.c -- the summary of a job for people who are no programmers: plain text of at most 100
 * columns, no colours. Every sentence claims what was computed and nothing more. */
#include <math.h>

#include "base/plain.h"
#include "report/report.h"

enum {
    WIDTH = 100,
    LABEL = 12, /* "Rows        " */
    NAME_MOST = 24,
    NARROW = 90,
    NAME_NARROW = 16,
    LOSS_NARROW = 8, /* "100.0 %" and one blank */
    ROLE = 13,       /* "insensitive" and two blanks */
    LOSS = 20,       /* "100.0 %  ##########" and one blank */
    BAR = 10
};

typedef struct heading {
    kn_severity severity;
    const char *title, *before_remedy;
} heading;

static void
put_label(kn_text *text, const char *label)
{
    kn_text_addz(text, label);
    kn_plain_pad(text, LABEL);
}

/* --- headline ---------------------------------------------------------------------------------- */

/* The file has more rows than were released when suppressed ones stay in it. */
static void
put_masked(kn_text *text, const kanon_result *r)
{
    if (!r->masked_rows)
        return;
    kn_text_addz(text, "The file has ");
    kn_plain_counted(text, r->released_rows + r->masked_rows, "row");
    kn_text_addz(text, "; ");
    kn_plain_count(text, r->masked_rows);
    kn_text_addf(text, " of them %s masked: suppressed, with * in every quasi-identifier.\n",
                 r->masked_rows == 1 ? "is" : "are");
}

static void
put_headline(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;

    if (!r->input_rows) {
        kn_text_addz(text, "The table has no rows, so the release has none.\n");
        return;
    }
    if (!r->released_rows) {
        kn_text_addz(text, "NOTHING IS LEFT: all ");
        kn_plain_counted(text, r->input_rows, "row");
        kn_text_addz(text, r->input_rows == 1 ? " was" : " were");
        kn_text_addz(text, " suppressed, and the release contains none of them.\n");
        put_masked(text, r);
        kn_plain_wrap(text, from, WIDTH, 0);
        return;
    }
    kn_plain_count(text, r->released_rows);
    kn_text_addz(text, " of ");
    kn_plain_counted(text, r->input_rows, "row");
    kn_text_addz(text, " released");
    if (r->k_reached > 1) {
        kn_text_addz(text, "; each shares its quasi-identifiers with at least ");
        kn_plain_counted(text, r->k_reached - 1, "other");
        kn_text_addf(text, " (k = %llu", (unsigned long long) r->k_reached);
        if (r->k_reached > r->k)
            kn_text_addf(text, "; required: %llu", (unsigned long long) r->k);
        kn_text_addz(text, ").");
    } else if (r->k_reached == 1) {
        kn_text_addz(text, "; some of them are unique (k = 1).");
    } else {
        kn_text_addz(text, ".");
    }
    kn_text_addz(text, "\n");
    kn_plain_wrap(text, from, WIDTH, 0);
    from = text->len;
    if (r->released_rows)
        kn_text_addz(text, "An equivalence class is the set of rows with the same "
                           "quasi-identifiers (role \"quasi\").\n");
    put_masked(text, r);
    kn_plain_wrap(text, from, WIDTH, 0);
}

static void
put_infeasible(kn_text *text, const kanon_result *r)
{
    const kn_finding *why = kn_findings_find(&r->findings, KN_FOUND_INFEASIBLE);
    size_t            from = text->len;

    kn_text_addz(text, "Nothing was released: ");
    kn_plain_name(text, why ? why->what : "no feasible release under these settings", 0);
    if (why && *why->remedy) {
        kn_text_addz(text, "; ");
        kn_plain_name(text, why->remedy, 0);
    }
    kn_text_addz(text, "\n");
    kn_plain_wrap(text, from, WIDTH, 0);
}

/* --- table of columns -------------------------------------------------------------------------- */

static void
put_quasi(kn_text *text, const kanon_result *r, const kn_result_attribute *a)
{
    if (!r->full_domain)
        kn_text_addz(text, "generalized class by class");
    else if (!a->height)
        kn_text_addz(text, "unchanged: its hierarchy has no levels");
    else if (!a->level)
        kn_text_addf(text, "unchanged: level 0 of %u", a->height);
    else if (a->level == a->height)
        kn_text_addf(text, "hidden: level %u of %u, all *", a->level, a->height);
    else
        kn_text_addf(text, "generalized: level %u of %u", a->level, a->height);
}

/* At most so many columns; only a released value that is no original one serves as an example. */
static void
put_what(kn_text *text, const kanon_result *r, const kn_result_attribute *a, size_t most)
{
    static const char lead[] = ", e.g. ";
    size_t            from = text->len, used;

    if (a->role == KN_ROLE_IDENTIFIER)
        kn_text_addz(text, r->identifiers_as == KN_IDENTIFIERS_DROP ? "dropped"
                                                                    : "hidden: every cell is *");
    else if (a->role == KN_ROLE_QUASI)
        put_quasi(text, r, a);
    else
        kn_text_addz(text, "released unchanged");
    if (!text->failed
        && text->len - from > most) { /* none of these texts has a letter of two bytes */
        text->len = from + most - 3;
        kn_text_addz(text, "...");
    }
    used = text->len - from + sizeof lead - 1;
    if (a->role == KN_ROLE_QUASI && (!r->full_domain || (a->level && a->level < a->height))
        && a->example && *a->example && used + 4 < most) {
        kn_text_addz(text, lead);
        kn_plain_name(text, a->example, most - used);
    }
}

/* "12.5 %  #.........", with so many places for the bar. */
static void
put_loss(kn_text *text, double loss, size_t places)
{
    size_t from = text->len, filled, width;
    double share = isfinite(loss) ? loss : 0;

    if (text->failed)
        return;
    kn_plain_percent(text, loss);
    if (text->failed)
        return;
    width = text->len - from;
    if (width < 7) { /* right-aligned under "100.0 %" */
        kn_text_addf(text, "%*s", (int) (7 - width), "");
        if (text->failed)
            return;
        memmove(text->ptr + from + 7 - width, text->ptr + from, width);
        memset(text->ptr + from, ' ', 7 - width);
    }
    kn_text_addz(text, places ? "  " : "");
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    filled = (size_t) (share * (double) places + 0.5);
    for (size_t i = 0; i < places; i++)
        kn_text_addz(text, i < filled ? "#" : ".");
}

static size_t
name_width(const kanon_result *r, size_t most)
{
    size_t widest = 6; /* "Column" */

    for (size_t i = 0; i < r->nattributes; i++) {
        size_t width = kn_utf8_count(kn_str_of(r->attributes[i].name));

        if (width > widest)
            widest = width;
    }
    return widest > most ? most : widest;
}

/* Columns from i on that are released as they are and have no part in anything. */
static size_t
bystanders(const kanon_result *r, size_t i)
{
    size_t end = i;

    while (end < r->nattributes && r->attributes[end].role == KN_ROLE_INSENSITIVE)
        end++;
    return end - i;
}

/* On a narrow terminal there is no room for bars, and names are cut earlier. */
static void
put_columns(kn_text *text, const kanon_result *r)
{
    size_t width = kn_plain_width(text, WIDTH), most = width < NARROW ? NAME_NARROW : NAME_MOST;
    size_t role = name_width(r, most) + 2, what = role + ROLE;
    size_t loss = width + 1 - (width < NARROW ? LOSS_NARROW : LOSS), from, run = 0;

    kn_text_addz(text, "\nColumn");
    kn_plain_pad(text, role);
    kn_text_addz(text, "Role");
    kn_plain_pad(text, what);
    kn_text_addz(text, "What happened");
    kn_plain_pad(text, loss);
    kn_text_addz(text, width < NARROW ? "   Lost\n" : "Information lost\n");
    for (size_t i = 0; i < r->nattributes; i++) {
        const kn_result_attribute *a = &r->attributes[i];

        run = a->role == KN_ROLE_INSENSITIVE ? run + 1 : 0;
        if (run == KN_PLAIN_RUN_LISTED + 1 && run - 1 + bystanders(r, i) > KN_PLAIN_RUN_MOST) {
            size_t more = bystanders(r, i);

            i += more - 1;
            kn_plain_folded(text, more, r->attributes[i].name, "insensitive, released unchanged");
            continue;
        }
        kn_plain_name(text, a->name, most);
        kn_plain_pad(text, role);
        kn_text_addz(text, kn_role_name(a->role));
        kn_plain_pad(text, what);
        put_what(text, r, a, loss - what - 2);
        if (a->role == KN_ROLE_QUASI) {
            kn_plain_pad(text, loss);
            put_loss(text, a->loss.glm, width < NARROW ? 0 : BAR);
        }
        kn_text_addz(text, "\n");
    }
    from = text->len;
    kn_text_addz(text, "0 %: every cell is exact; 100 %: every cell is * (\"glm\").");
    if (r->suppressed_rows)
        kn_text_addz(text, " Suppressed rows count as lost.");
    kn_text_addz(text, "\n\n");
    kn_plain_wrap(text, from, WIDTH, 0);
}

/* --- what was done ----------------------------------------------------------------------------- */

static void
put_rows(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;
    double rows = r->input_rows ? (double) r->input_rows : 1;

    put_label(text, "Rows");
    kn_plain_count(text, r->input_rows);
    kn_text_addz(text, " read, ");
    kn_plain_count(text, r->released_rows);
    kn_text_addz(text, " released, ");
    kn_plain_count(text, r->suppressed_rows);
    kn_text_addz(text, " suppressed (");
    kn_plain_percent(text, (double) r->suppressed_rows / rows);
    kn_text_addz(text, "; the limit is ");
    kn_plain_counted(text, r->suppression_rows, "row");
    kn_text_addz(text, ")");
    kn_plain_end(text, from, WIDTH, LABEL);
}

static void
put_classes(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;

    put_label(text, "Classes");
    kn_plain_count(text, r->classes);
    kn_text_addz(text, r->classes == 1 ? " equivalence class" : " equivalence classes");
    if (r->classes) {
        kn_text_addz(text, "; smallest ");
        kn_plain_count(text, r->k_reached);
        kn_text_addz(text, ", mean ");
        kn_plain_fixed(text, (double) r->released_rows / (double) r->classes, 1);
        kn_text_addz(text, ", largest ");
        kn_plain_counted(text, r->risk_after.max_class, "row");
    }
    kn_plain_end(text, from, WIDTH, LABEL);
}

/* Where persons are counted, a figure says what it goes by. */
static void
put_mean_risk(kn_text *text, const kn_risk *risk, bool persons)
{
    kn_text_addz(text, ", on average 1 in ");
    kn_plain_fixed(text, (double) risk->rows / (double) risk->classes, 1);
    kn_text_addz(text, persons ? " rows" : "");
}

static void
put_risk_before(kn_text *text, const kn_risk *risk, bool persons)
{
    if (risk->uniques) {
        kn_text_addz(text, "certain for ");
        kn_plain_counted(text, risk->uniques, "row");
        kn_text_addz(text, risk->uniques == 1 ? " that was unique" : " that were unique");
    } else {
        kn_text_addz(text, "at most 1 in ");
        kn_plain_count(text, risk->min_class);
        kn_text_addz(text, persons ? " rows" : "");
    }
    put_mean_risk(text, risk, persons);
}

static void
put_risk(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;
    bool   after = r->outcome != KANON_INFEASIBLE && r->risk_after.classes;
    bool   persons = kn_result_counts_persons(r);

    put_label(text, "Risk");
    kn_text_addz(
        text,
        "the chance of picking the right row for a person whose quasi-identifiers are known: ");
    if (after) {
        kn_text_addz(text, "at most 1 in ");
        kn_plain_count(text, r->crowd);
        kn_text_addz(text, persons ? r->crowd == 1 ? " person" : " persons" : "");
        put_mean_risk(text, &r->risk_after, persons);
    }
    if (after && r->risk_before.classes)
        kn_text_addz(text, "; before: ");
    if (r->risk_before.classes)
        put_risk_before(text, &r->risk_before, persons);
    if (!after && !r->risk_before.classes)
        kn_text_addz(text, "none, there are no rows");
    kn_plain_end(text, from, WIDTH, LABEL);
}

/* --- how good it is ---------------------------------------------------------------------------- */

const char *
kn_report_metric_text(const char *name)
{
#define METRIC_TEXT(metric, type, needs, text)                                                     \
    if (strcmp(name, #metric) == 0)                                                                \
        return text;
    KN_METRIC_LIST(METRIC_TEXT)
#undef METRIC_TEXT
    return "";
}

static void
put_metric(kn_text *text, const kanon_result *r, const char *name, double value)
{
    if (strcmp(name, r->metric) == 0 || (!r->full_domain && kn_metric_needs_levels(name)))
        return;
    kn_text_addf(text, ", %s ", name);
    kn_plain_number(text, value);
}

/* Which columns count how much in the losses that are means over columns; those that count once are many. */
static void
put_weights(kn_text *text, const kanon_result *r)
{
    const char   *before = "; weights: ";
    const double *weight = r->weights;

    for (size_t i = 0; weight && i < r->nattributes; i++) {
        if (r->attributes[i].role != KN_ROLE_QUASI)
            continue;
        if (*weight < 1 || *weight > 1) {
            kn_text_addz(text, before);
            kn_plain_name(text, r->attributes[i].name, 0);
            kn_text_addz(text, " ");
            kn_plain_number(text, *weight);
            before = ", ";
        }
        weight++;
    }
    if (before[0] == ',')
        kn_text_addz(text, ", else 1");
}

static void
put_information(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;

    put_label(text, "Loss");
    kn_text_addf(text, "%s ", r->metric);
    kn_plain_number(text, r->loss);
    kn_text_addf(text, ", minimised (%s)", kn_report_metric_text(r->metric));
    put_metric(text, r, "glm", r->metrics.glm);
    put_metric(text, r, "gcp", r->metrics.gcp);
    put_metric(text, r, "entropy", r->metrics.entropy);
    put_metric(text, r, "dm", r->metrics.dm);
    put_weights(text, r);
    kn_plain_end(text, from, WIDTH, LABEL);
}

/* Rounded up: "at most" must stay true. */
static double
round_up(double gap)
{
    return gap < 1000 ? ceil(gap * 1e4 - 1e-6) / 1e4 : ceil(gap);
}

static bool
stopped_by_user(const kanon_result *r)
{
    return r->stopped && strcmp(r->stopped, "interrupted") == 0;
}

static void
put_proof(kn_text *text, const kanon_result *r)
{
    size_t      from = text->len;
    const char *found = stopped_by_user(r) ? "best found before you stopped the search"
                                           : "best found";

    put_label(text, "Proof");
    if (r->outcome == KANON_OPTIMAL) {
        kn_text_addf(text, "proven optimal: no release under these settings has a lower %s",
                     r->metric);
    } else if (r->has_bound && r->gap > 0) {
        kn_text_addf(text, "%s, not proven optimal; at most ", found);
        kn_plain_number(text, round_up(r->gap));
        kn_text_addf(text, " better is possible (%s)", r->metric);
    } else {
        kn_text_addf(text, "%s, not proven optimal; it is not known how much better is possible",
                     found);
    }
    kn_plain_end(text, from, WIDTH, LABEL);
}

/* Lattices can have more nodes than an integer holds. */
static void
put_nodes(kn_text *text, double nodes)
{
    if (!isfinite(nodes))
        kn_text_addz(text, "more than 1e308");
    else
        kn_plain_number(text, nodes);
}

static void
put_search(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;

    put_label(text, "Search");
    kn_text_addf(text, "%s: ", r->algorithm);
    kn_plain_count(text, r->evaluations);
    if (r->lattice_nodes > 0) {
        kn_text_addz(text, " of ");
        put_nodes(text, r->lattice_nodes);
        kn_text_addz(text, " combinations of levels");
    }
    kn_text_addz(text, r->full_domain ? " checked" : " costs of rows and classes computed");
    if (r->predicted) {
        kn_text_addz(text, ", ");
        kn_plain_count(text, r->predicted);
        kn_text_addz(text, " more decided without checking");
    }
    if (r->stopped && *r->stopped)
        kn_text_addf(text, "; stopped: %s%s", r->stopped, stopped_by_user(r) ? " by the user" : "");
    kn_text_addf(text, "; seed %llu", (unsigned long long) r->seed);
    if (r->choice && *r->choice) {
        kn_text_addz(text, "; ");
        kn_plain_name(text, r->choice, 0);
    }
    kn_plain_end(text, from, WIDTH, LABEL);
}

/* How the loss fell over time, at a few moments. */
static void
put_curve(kn_text *text, const kanon_result *r)
{
    enum { SHOWN = 6 };
    size_t from = text->len, count = r->ncurve < SHOWN ? r->ncurve : SHOWN;

    if (r->ncurve < 2 || r->full_domain) /* most searches for levels are done in a moment */
        return;
    put_label(text, "Progress");
    kn_text_addf(text, "%s ", r->metric);
    for (size_t i = 0; i < count; i++) {
        const kn_curve_point *point = &r->curve[i * (r->ncurve - 1) / (count - 1)];

        kn_text_addz(text, i ? ", " : "");
        kn_plain_number(text, point->loss);
        kn_text_addz(text, " after ");
        kn_plain_fixed(text, point->seconds, 1);
        kn_text_addz(text, " s");
    }
    kn_plain_end(text, from, WIDTH, LABEL);
}

static void
put_time(kn_text *text, const kanon_result *r)
{
    const struct {
        const char *name;
        double      seconds;
    } stages[] = { { "read", r->seconds.read },     { "encode", r->seconds.encode },
                   { "search", r->seconds.search }, { "transform", r->seconds.transform },
                   { "write", r->seconds.write },   { "verify", r->seconds.verify } };
    size_t from = text->len;

    put_label(text, "Time");
    kn_plain_fixed(text, r->seconds.total, 2);
    kn_text_addz(text, " s:");
    for (size_t i = 0; i < KN_COUNT(stages); i++) {
        kn_text_addf(text, "%s %s ", i ? "," : "", stages[i].name);
        kn_plain_fixed(text, stages[i].seconds, 2);
    }
    if (r->peak_bytes) {
        kn_text_addz(text, "; memory at most ");
        kn_plain_bytes(text, r->peak_bytes);
    }
    kn_plain_end(text, from, WIDTH, LABEL);
}

/* Why nothing was released stands at the top. */
static void
put_findings_of(kn_text *text, const kanon_result *r, const heading *group)
{
    size_t count = 0;

    for (size_t i = 0; i < r->findings.count; i++) {
        const kn_finding *f = &r->findings.of[i];
        size_t            from;

        if (f->severity != group->severity || f->code == KN_FOUND_INFEASIBLE)
            continue;
        if (!count++)
            kn_text_addf(text, "\n%s\n", group->title);
        from = text->len;
        kn_text_addz(text, "  - ");
        kn_plain_name(text, f->what, 0);
        if (*f->remedy) {
            kn_text_addz(text, group->before_remedy);
            kn_plain_name(text, f->remedy, 0);
            kn_text_addz(text, kn_finding_classes[f->code].section
                                   ? "; the HTML report (--report FILE.html) shows which."
                                   : ".");
        }
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, 4);
    }
}

static void
put_findings(kn_text *text, const kanon_result *r)
{
    static const heading headings[] = {
        { KN_WARNING, "Messages", ". What to do: " },
        { KN_SERIOUS, "Warnings", ". What to do: " },
        { KN_NOTE, "Before you share it", ". What to do: " },
        { KN_ADVICE, "Possible improvements", ". " },
    };

    for (size_t i = 0; i < KN_COUNT(headings); i++)
        put_findings_of(text, r, &headings[i]);
}

void
kn_report_text(kn_text *text, const kanon_result *r)
{
    if (r->outcome == KANON_INFEASIBLE) {
        put_infeasible(text, r);
        kn_text_addz(text, "\n");
        put_risk(text, r);
        put_search(text, r);
        put_time(text, r);
        kn_report_text_models(text, r);
        put_findings(text, r);
        return;
    }
    put_headline(text, r);
    put_columns(text, r);
    put_rows(text, r);
    put_classes(text, r);
    put_risk(text, r);
    put_information(text, r);
    put_proof(text, r);
    put_search(text, r);
    put_curve(text, r);
    put_time(text, r);
    kn_report_text_models(text, r);
    put_findings(text, r);
}
