/* SPDX-License-Identifier: Apache-2.0 */
/* opening.c -- the lines that every report opens with. */
#include "result/opening.h"

#include "base/plain.h"

enum {
    FOUND_MOST = 3, /* codes that a line names */
    NAMES_MOST = 4  /* columns that it names for each */
};

void
kn_opening_lines(const kn_opening *o, kn_opening_line lines[KN_OPENING_LINES])
{
    const kn_opening_line all[KN_OPENING_LINES] = { { "Left", o->left },
                                                    { "Promised", o->promised },
                                                    { "Not promised", o->not_promised },
                                                    { "Look at", o->look_at },
                                                    { "Better", o->better } };

    memcpy(lines, all, sizeof all);
}

void
kn_opening_begin(kn_opening_writer *w, kn_arena *arena, kanon_ctx *ctx)
{
    *w = (kn_opening_writer){ .arena = arena, .rc = KANON_OK };
    kn_text_init(&w->text, ctx);
}

void
kn_opening_part(kn_opening_writer *w)
{
    kn_text_addz(&w->text, w->text.len ? "; " : "");
}

const char *
kn_opening_take(kn_opening_writer *w)
{
    const char *line = "";

    if (w->rc == KANON_OK)
        w->rc = kn_text_status(&w->text);
    if (w->rc == KANON_OK && w->text.len) {
        line = kn_arena_text(w->arena, kn_str_of(w->text.ptr));
        w->rc = line ? KANON_OK : KANON_E_NOMEM;
    }
    w->text.len = 0;
    return line ? line : "";
}

/* What finds a person at once comes first, then what says something about a person whose class is known;
 * all other codes follow in the order of their list. */
static const kn_finding_code most_urgent[] = {
    KN_FOUND_NOT_MET,       KN_FOUND_CLEAR_IDENTIFIER, KN_FOUND_DOUBTFUL_ROLE,
    KN_FOUND_NEARLY_UNIQUE, KN_FOUND_UNIQUE_VALUES,    KN_FOUND_SHOWN_PERSONS,
    KN_FOUND_DEPENDENT,     KN_FOUND_REPEATED_PERSONS, KN_FOUND_REPEATED_TUPLES,
    KN_FOUND_SINGLES_OUT,   KN_FOUND_COMBINED,         KN_FOUND_HOMOGENEOUS,
    KN_FOUND_GUESSABLE,     KN_FOUND_NO_ROLE,          KN_FOUND_TWIN_COLUMN,
};

/* What stands in a headline is not said again. */
static bool
is_headline(const kn_finding *f)
{
    return f->code == KN_FOUND_INFEASIBLE || f->code == KN_FOUND_EMPTY_RELEASE
        || f->code == KN_FOUND_MOSTLY_HIDDEN;
}

/* A role that a column does not look like is a warning, and may put names in clear. */
static bool
is_to_look_at(const kn_finding *f)
{
    return !is_headline(f)
        && (f->severity == KN_SERIOUS || f->code == KN_FOUND_DOUBTFUL_ROLE
            || f->code == KN_FOUND_TWIN_COLUMN);
}

/* The place of a finding among those to look at, the most urgent first: with k = 1 nothing is protected. */
static size_t
urgency(const kn_finding *f)
{
    if (f->code == KN_FOUND_SMALL_K && f->figure < 2)
        return 0;
    for (size_t i = 0; i < KN_COUNT(most_urgent); i++)
        if (most_urgent[i] == f->code)
            return 1 + i;
    return 1 + KN_COUNT(most_urgent) + (size_t) f->code;
}

/* The first finding of the code that follows one in urgency; NULL: the first of all. NULL: there is none. */
static const kn_finding *
next_to_look_at(const kn_findings *list, const kn_finding *after)
{
    const kn_finding *best = NULL;

    for (size_t i = 0; i < list->count; i++) {
        const kn_finding *f = &list->of[i];

        if (is_to_look_at(f) && (!after || urgency(f) > urgency(after))
            && (!best || urgency(f) < urgency(best)))
            best = f;
    }
    return best;
}

static bool
is_of_column(const kn_finding *f, kn_finding_code code)
{
    return f->code == code && f->place.kind == KN_PLACE_COLUMN;
}

/* Has another finding before this one the same code and column? */
static bool
is_repeated(const kn_findings *list, const kn_finding *f)
{
    for (const kn_finding *g = list->of; g < f; g++)
        if (is_of_column(g, f->code) && strcmp(g->place.name, f->place.name) == 0)
            return true;
    return false;
}

/* "HIV, diabetes and 3 more: ": the columns that a code was found in; nothing if it is about none. */
static void
put_where(kn_opening_writer *w, const kn_findings *list, const kn_finding *first)
{
    size_t count = 0, at = 0;

    for (size_t i = 0; i < list->count; i++)
        count += is_of_column(&list->of[i], first->code) && !is_repeated(list, &list->of[i]);
    for (size_t i = 0; i < list->count; i++)
        if (is_of_column(&list->of[i], first->code) && !is_repeated(list, &list->of[i])
            && kn_plain_item(&w->text, at++, count, NAMES_MOST))
            kn_plain_name(&w->text, list->of[i].place.name, 0);
    if (!count && first->named) {
        const char *names = kn_arena_text(w->arena, (kn_str){ first->what, first->named });

        if (names)
            kn_plain_name(&w->text, names, 0);
        else
            w->rc = KANON_E_NOMEM;
    }
    kn_text_addz(&w->text, count || first->named ? ": " : "");
}

static void
put_look_at(kn_opening_writer *w, const kn_findings *list)
{
    size_t            count = 0, told = 0;
    const kn_finding *f = NULL;

    while ((f = next_to_look_at(list, f)) != NULL) {
        if (count++ >= FOUND_MOST)
            continue;
        kn_opening_part(w);
        put_where(w, list, f);
        kn_text_addz(&w->text, kn_finding_classes[f->code].meaning);
    }
    if (count > FOUND_MOST)
        kn_text_addf(&w->text, "; and %zu more", count - FOUND_MOST);
    for (size_t i = 0; i < list->count; i++)
        told += list->of[i].told && !is_to_look_at(&list->of[i]);
    if (told) {
        kn_opening_part(w);
        kn_text_addz(&w->text, count ? "the other " : "the ");
        if (told > 1)
            kn_text_addf(&w->text, "%zu ", told);
        kn_text_addz(&w->text, told == 1 ? "warning of this job" : "warnings of this job");
    }
}

/* What to do about what stands in the headline or else first under "Look at", and the first improvement. */
static void
put_better(kn_opening_writer *w, const kn_findings *list)
{
    const kn_finding *first = NULL;

    for (size_t i = 0; i < list->count && !first; i++)
        if (is_headline(&list->of[i]) && *list->of[i].remedy)
            first = &list->of[i];
    if (!first)
        first = next_to_look_at(list, NULL);
    if (first && *first->remedy) {
        put_where(w, list, first);
        kn_text_addz(&w->text, first->remedy);
    }
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].severity == KN_ADVICE && *list->of[i].remedy && !list->of[i].told) {
            kn_opening_part(w);
            kn_text_addz(&w->text, list->of[i].remedy);
            break;
        }
    for (size_t i = 0; !w->text.len && i < list->count; i++)
        if (list->of[i].told)
            kn_text_addz(&w->text, "what the warnings of this job say");
}

kanon_status
kn_opening_end(kn_opening_writer *w, const kn_findings *findings, kn_opening *opening)
{
    put_look_at(w, findings);
    opening->look_at = kn_opening_take(w);
    if (!*opening->better)
        put_better(w, findings);
    if (!*opening->better)
        opening->better = kn_opening_take(w);
    kn_text_fini(&w->text);
    return w->rc;
}
