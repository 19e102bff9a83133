/* SPDX-License-Identifier: Apache-2.0 */
/* report_text.c -- the summary of a job for people who are no programmers: plain text of at most 100
 * columns, no colours. Every sentence claims what was computed and nothing more. */
#include <math.h>

#include "base/fill.h"
#include "report/report.h"

enum {
    WIDTH = 100,
    LABEL = 12,   /* "Rows        " */
    OPENING = 14, /* "Not promised  " */
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

/* --- verdict ----------------------------------------------------------------------------------- */

void
kn_report_opening(kn_text *text, const kn_opening *o, size_t width)
{
    kn_opening_line lines[KN_OPENING_LINES];
    size_t          from = text->len;

    kn_opening_lines(o, lines);
    if (*o->headline) {
        KN_FILL(text, "{}.", kn_as_name(o->headline, 0));
        kn_plain_end(text, from, width, 0);
    }
    for (size_t i = 0; i < KN_OPENING_LINES; i++)
        if (*lines[i].text) {
            from = kn_plain_begin(text, OPENING, lines[i].title);
            KN_FILL(text, "{}.", kn_as_name(lines[i].text, 0));
            kn_plain_end(text, from, width, OPENING);
        }
}

void
kn_report_text(kn_text *text, const kanon_result *r)
{
    kn_report_opening(text, &r->verdict.opening, WIDTH);
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

    if (a->dropped)
        kn_text_addz(text, "dropped");
    else if (a->role == KN_ROLE_IDENTIFIER && a->coding)
        kn_text_addf(text, "released %s", a->coding);
    else if (a->role == KN_ROLE_IDENTIFIER)
        kn_text_addz(text, "hidden: every cell is *");
    else if (a->role == KN_ROLE_QUASI)
        put_quasi(text, r, a);
    else
        kn_text_addf(text, "released %s", a->coding ? a->coding : "unchanged");
    if (!text->failed
        && text->len - from > most) { /* none of these texts has a letter of two bytes */
        text->len = from + most - 3;
        kn_text_addz(text, "...");
    }
    used = text->len - from + sizeof lead - 1;
    if (a->role == KN_ROLE_QUASI && (!r->full_domain || (a->level && a->level < a->height))
        && a->example && *a->example && used + 4 < most)
        KN_FILL(text, "{}{}", kn_as_is(lead), kn_as_name(a->example, most - used));
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

static bool
is_bystander(const kn_result_attribute *a)
{
    return a->role == KN_ROLE_INSENSITIVE || a->role == KN_ROLE_NONE;
}

/* Columns from i on that have no part in anything, and one role. */
static size_t
bystanders(const kanon_result *r, size_t i)
{
    size_t end = i;

    while (end < r->nattributes && is_bystander(&r->attributes[end])
           && r->attributes[end].role == r->attributes[i].role)
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

        run = !is_bystander(a) ? 0 : run && a->role == r->attributes[i - 1].role ? run + 1 : 1;
        if (run == KN_PLAIN_RUN_LISTED + 1 && run - 1 + bystanders(r, i) > KN_PLAIN_RUN_MOST) {
            size_t more = bystanders(r, i);

            i += more - 1;
            kn_plain_folded(text, more, r->attributes[i].name,
                            a->role == KN_ROLE_INSENSITIVE ? "insensitive, released unchanged"
                            : a->dropped                   ? "without a role, dropped"
                                                           : "without a role, released unchanged");
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
    KN_FILL(text, "{} read, {} released, {} suppressed ({}; the limit is {})",
            kn_as_count(r->input_rows), kn_as_count(r->released_rows),
            kn_as_count(r->suppressed_rows), kn_as_percent((double) r->suppressed_rows / rows),
            kn_as_counted(r->suppression_rows, "row"));
    kn_plain_end(text, from, WIDTH, LABEL);
}

static void
put_classes(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;

    put_label(text, "Classes");
    KN_FILL(text, "{}{}", kn_as_count(r->classes),
            kn_as_is(r->classes == 1 ? " equivalence class" : " equivalence classes"));
    if (r->classes)
        KN_FILL(text, "; smallest {}, mean {}, largest {}", kn_as_count(r->k_reached),
                kn_as_fixed((double) r->released_rows / (double) r->classes, 1),
                kn_as_counted(r->risk_after.max_class, "row"));
    kn_plain_end(text, from, WIDTH, LABEL);
}

/* Where persons are counted, a figure says what it goes by. */
static void
put_mean_risk(kn_text *text, const kn_risk *risk, bool persons)
{
    KN_FILL(text, ", on average 1 in {}{}",
            kn_as_fixed((double) risk->rows / (double) risk->classes, 1),
            kn_as_is(persons ? " rows" : ""));
}

static void
put_risk_before(kn_text *text, const kn_risk *risk, bool persons)
{
    if (risk->uniques)
        KN_FILL(text, "certain for {}{}", kn_as_counted(risk->uniques, "row"),
                kn_as_is(risk->uniques == 1 ? " that was unique" : " that were unique"));
    else
        KN_FILL(text, "at most 1 in {}{}", kn_as_count(risk->min_class),
                kn_as_is(persons ? " rows" : ""));
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
        KN_FILL(text, "at most 1 in {}{}", kn_as_count(r->crowd),
                kn_as_is(persons ? r->crowd == 1 ? " person" : " persons" : ""));
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
    KN_FILL(text, ", {} {}", kn_as_is(name), kn_as_number(value));
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
            KN_FILL(text, "{}{} {}", kn_as_is(before), kn_as_name(r->attributes[i].name, 0),
                    kn_as_number(*weight));
            before = ", ";
        }
        weight++;
    }
    if (before[0] == ',')
        kn_text_addz(text, ", else 1");
}

/* What was asked of single columns, in the words of the command line. */
static void
put_control(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;

    if (!r->ncontrol)
        return;
    put_label(text, "Columns");
    for (size_t i = 0; i < r->ncontrol; i++)
        kn_text_addf(text, "%s%s %s", i ? "; " : "", r->control[i].key, r->control[i].value);
    kn_plain_end(text, from, WIDTH, LABEL);
}

static void
put_information(kn_text *text, const kanon_result *r)
{
    size_t from = text->len;

    put_label(text, "Loss");
    KN_FILL(text, "{} {}, minimised ({})", kn_as_is(r->metric), kn_as_number(r->loss),
            kn_as_is(kn_report_metric_text(r->metric)));
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
    if (r->outcome == KANON_OPTIMAL)
        kn_text_addf(text, "proven optimal: no release under these settings has a lower %s",
                     r->metric);
    else if (r->has_bound && r->gap > 0 && kn_bound_tells(r->loss, r->lower_bound))
        KN_FILL(text, "{}, not proven optimal; at most {} better is possible ({})", kn_as_is(found),
                kn_as_number(round_up(r->gap)), kn_as_is(r->metric));
    else
        kn_text_addf(text, "%s, not proven optimal; it is not known how much better is possible",
                     found);
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
    KN_FILL(text, "{}: {}", kn_as_is(r->algorithm), kn_as_count(r->evaluations));
    if (r->lattice_nodes > 0) {
        kn_text_addz(text, " of ");
        put_nodes(text, r->lattice_nodes);
        kn_text_addz(text, " combinations of levels");
    }
    kn_text_addz(text, r->full_domain ? " checked" : " costs of rows and classes computed");
    if (r->predicted)
        KN_FILL(text, ", {} more decided without checking", kn_as_count(r->predicted));
    if (r->stopped && *r->stopped)
        kn_text_addf(text, "; stopped: %s%s", r->stopped, stopped_by_user(r) ? " by the user" : "");
    kn_text_addf(text, "; seed %llu", (unsigned long long) r->seed);
    if (r->choice && *r->choice)
        KN_FILL(text, "; {}", kn_as_name(r->choice, 0));
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

        KN_FILL(text, "{}{} after {} s", kn_as_is(i ? ", " : ""), kn_as_number(point->loss),
                kn_as_fixed(point->seconds, 1));
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
    KN_FILL(text, "{} s:", kn_as_fixed(r->seconds.total, 2));
    for (size_t i = 0; i < KN_COUNT(stages); i++)
        KN_FILL(text, "{} {} {}", kn_as_is(i ? "," : ""), kn_as_is(stages[i].name),
                kn_as_fixed(stages[i].seconds, 2));
    if (r->peak_bytes)
        KN_FILL(text, "; memory at most {}", kn_as_bytes(r->peak_bytes));
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

        if (f->severity != group->severity || f->told || f->code == KN_FOUND_INFEASIBLE)
            continue;
        if (!count++)
            kn_text_addf(text, "\n%s\n", group->title);
        from = text->len;
        KN_FILL(text, "  - {}", kn_as_name(f->what, 0));
        if (*f->remedy)
            KN_FILL(text, "{}{}{}", kn_as_is(group->before_remedy), kn_as_name(f->remedy, 0),
                    kn_as_is(kn_finding_classes[f->code].section
                                 ? "; the HTML report (--report FILE.html) shows which."
                                 : "."));
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, 4);
    }
}

/* Not the warnings of the context, which it told as they came up. */
static void
put_findings(kn_text *text, const kanon_result *r)
{
    static const heading headings[] = {
        { KN_SERIOUS, "Warnings", ". What to do: " },
        { KN_NOTE, "Before you share it", ". What to do: " },
        { KN_ADVICE, "Possible improvements", "; " },
    };

    for (size_t i = 0; i < KN_COUNT(headings); i++)
        put_findings_of(text, r, &headings[i]);
}

void
kn_report_details(kn_text *text, const kanon_result *r)
{
    bool released = r->outcome != KANON_INFEASIBLE;

    kn_report_text(text, r);
    if (released)
        put_columns(text, r);
    else
        kn_text_addz(text, "\n");
    if (released) {
        put_rows(text, r);
        put_classes(text, r);
    }
    put_risk(text, r);
    if (released) {
        put_information(text, r);
        put_control(text, r);
        put_proof(text, r);
    }
    put_search(text, r);
    if (released)
        put_curve(text, r);
    put_time(text, r);
    kn_report_text_models(text, r);
    kn_report_text_profile(text, &r->profile);
    put_findings(text, r);
}
