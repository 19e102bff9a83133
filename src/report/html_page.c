/* SPDX-License-Identifier: Apache-2.0 */
/* html_page.c -- escaping, the frame of a page, and the glossary. */
#include "report/html_page.h"

#include "report/svg.h"

/* --- escaping ------------------------------------------------------------------------------------- */

static const char *
entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Embeddings, overrides and isolates: U+202A..U+202E, U+2066..U+2069; and what breaks lines behind our back:
 * U+2028, U+2029. */
static bool
steers_text(const unsigned char *c, size_t step)
{
    return step == 3 && c[0] == 0xe2
        && ((c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae)
            || (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

static void
put_character(kn_text *text, kn_str foreign, size_t at, size_t step)
{
    const unsigned char *c = (const unsigned char *) foreign.ptr + at;
    const char          *escaped = entity(foreign.ptr[at]);
    bool control = c[0] < 0x20 || c[0] == 0x7f || (c[0] == 0xc2 && step == 2 && c[1] < 0xa0);

    if (escaped)
        kn_text_addz(text, escaped);
    else if (c[0] == '\n' || c[0] == '\t' || c[0] == '\r')
        kn_text_addz(text, " ");
    else if (control || steers_text(c, step) || kn_utf8_check(foreign.ptr + at, step) != step)
        kn_text_addz(text, "\xef\xbf\xbd");
    else
        kn_text_add(text, (kn_str){ foreign.ptr + at, step });
}

void
kn_html_put(kn_text *text, const char *foreign, size_t most)
{
    kn_str whole = kn_str_of(foreign);
    size_t length = 0, kept;

    for (size_t at = 0; at < whole.len; at += kn_utf8_step(whole, at))
        length++;
    kept = most && length > most ? most - 1 : length;
    for (size_t at = 0, n = 0; at < whole.len && n < kept; at += kn_utf8_step(whole, at), n++)
        put_character(text, whole, at, kn_utf8_step(whole, at));
    if (kept < length)
        kn_text_addz(text, "\xe2\x80\xa6");
}

/* Does the name of an option begin here? */
static bool
begins_option(kn_str s, size_t at)
{
    return at + 2 < s.len && s.ptr[at] == '-' && s.ptr[at + 1] == '-' && s.ptr[at + 2] >= 'a'
        && s.ptr[at + 2] <= 'z' && (at == 0 || strchr(" `(", s.ptr[at - 1]));
}

void
kn_html_sentence(kn_text *text, const char *foreign)
{
    kn_html_words(text, kn_str_of(foreign));
}

void
kn_html_words(kn_text *text, kn_str whole)
{
    bool option = false;

    for (size_t at = 0; at < whole.len; at += kn_utf8_step(whole, at)) {
        if (begins_option(whole, at)) {
            kn_text_addz(text, "<span class=\"option\">");
            option = true;
        } else if (option && whole.ptr[at] != '-' && (whole.ptr[at] < 'a' || whole.ptr[at] > 'z')) {
            kn_text_addz(text, "</span>");
            option = false;
        }
        put_character(text, whole, at, kn_utf8_step(whole, at));
    }
    kn_text_addz(text, option ? "</span>" : "");
}

void
kn_html_name(kn_text *text, const char *foreign, size_t most)
{
    KN_FILL(text, "<bdi>{}</bdi>", kn_html_as_text(foreign, most));
}

void
kn_html_percent(kn_text *text, double share)
{
    size_t from = text->len;

    kn_plain_percent(text, share);
    if (text->failed)
        return;
    if (text->ptr[from] == '<' || text->ptr[from] == '>') {
        text->len = from;
        kn_text_addz(text, share < 0.5 ? "&lt;0.1 %" : "&gt;99.9 %");
    }
    text->len -= 2; /* no line begins with a percent sign */
    kn_text_addz(text, "\xc2\xa0%");
}

void
kn_html_put_text(kn_text *text, const kn_piece *piece)
{
    kn_html_put(text, piece->words, piece->most);
}

void
kn_html_put_name(kn_text *text, const kn_piece *piece)
{
    kn_html_name(text, piece->words, piece->most);
}

void
kn_html_put_sentence(kn_text *text, const kn_piece *piece)
{
    kn_html_sentence(text, piece->words);
}

void
kn_html_put_percent(kn_text *text, const kn_piece *piece)
{
    kn_html_percent(text, piece->number);
}

void
kn_html_put_term(kn_text *text, const kn_piece *piece)
{
    kn_html_term(text, piece->words, piece->user);
}

/* --- frame ---------------------------------------------------------------------------------------- */

void
kn_html_begin(kn_text *text, const char *title)
{
    KN_FILL(text,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
            "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<meta name=\"referrer\" "
            "content=\"no-referrer\">\n<meta name=\"robots\" content=\"noindex\">\n<meta "
            "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
            "name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n",
            kn_html_as_text(title, 120));
    for (size_t i = 0; kn_html_style[i]; i++)
        kn_text_addz(text, kn_html_style[i]);
    kn_text_addz(text, "</style>\n</head>\n<body>\n");
}

void
kn_html_end(kn_text *text)
{
    kn_text_addz(text, "</body>\n</html>\n");
}

void
kn_html_bar_begin(kn_text *text, const kn_html_bar *bar)
{
    KN_FILL(text, "<tr{}><th scope=\"row\"{}>{}</th><td>{}</td><td class=\"n\">",
            kn_as_is(bar->name ? "" : " class=\"pool\""),
            kn_as_is(bar->flagged ? " class=\"flag\"" : ""),
            bar->name ? kn_html_as_name(bar->name, KN_HTML_VALUE_MOST) : kn_as_is(bar->pooled),
            kn_svg_as_bar(bar->name ? bar->style : "pooled", bar->share, bar->mark));
}

void
kn_html_opening(kn_text *text, const kn_opening *o)
{
    kn_opening_line lines[KN_OPENING_LINES];

    kn_opening_lines(o, lines);
    kn_text_addz(text, "<dl class=\"verdict\">\n");
    for (size_t i = 0; i < KN_OPENING_LINES; i++) {
        if (!*lines[i].text)
            continue;
        KN_FILL(text, "<dt>{}</dt><dd>{}.</dd>\n", kn_as_is(lines[i].title),
                kn_html_as_sentence(lines[i].text));
    }
    kn_text_addz(text, "</dl>\n");
}

/* --- findings ------------------------------------------------------------------------------------- */

static void
put_box(kn_text *t, const kn_finding *f)
{
    const char *section = kn_finding_classes[f->code].section;

    KN_FILL(t, "<div class=\"box{}\"><p>{}.</p>\n",
            kn_as_is(f->severity == KN_SERIOUS ? " warn" : ""), kn_html_as_sentence(f->what));
    if (*f->remedy) {
        KN_FILL(t, "<p class=\"todo\">{}", kn_html_as_sentence(f->remedy));
        if (section)
            kn_text_addf(t, "; <a href=\"#%s\">see which ones</a>", section);
        kn_text_addz(t, ".</p>");
    }
    kn_text_addz(t, "</div>\n");
}

static void
put_line(kn_text *t, const kn_finding *f)
{
    KN_FILL(t, "<li>{}", kn_html_as_sentence(f->what));
    if (*f->remedy)
        KN_FILL(t, "; {}.", kn_html_as_sentence(f->remedy));
    kn_text_addz(t, "</li>\n");
}

typedef struct heading {
    kn_severity severity;
    const char *open, *close;
    void (*put)(kn_text *text, const kn_finding *finding);
} heading;

/* @return how many there are */
static size_t
put_findings_of(kn_text *t, const kn_findings *list, const heading *group)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++) {
        const kn_finding *f = &list->of[i];

        if (f->severity != group->severity || f->code == KN_FOUND_INFEASIBLE)
            continue; /* why nothing was released stands at the top */
        kn_text_addz(t, count++ ? "" : group->open);
        group->put(t, f);
    }
    kn_text_addz(t, count ? group->close : "");
    return count;
}

void
kn_html_findings(kn_text *t, const kn_findings *list)
{
    static const heading about[] = {
        { KN_SERIOUS, "<h3>Warnings</h3>\n", "", put_box },
        { KN_NOTE, "<h3>Before you share it</h3>\n", "", put_box },
    };
    static const heading after[] = {
        { KN_ADVICE, "<h3 id=\"better\">Possible improvements</h3>\n<ul class=\"plain\">\n",
          "</ul>\n", put_line },
        { KN_WARNING, "<h3>Messages</h3>\n<ul class=\"plain\">\n", "</ul>\n", put_line },
    };
    size_t count = 0;

    kn_text_addz(t, "<section id=\"findings\">\n<h2>Findings</h2>\n");
    for (size_t i = 0; i < KN_COUNT(about); i++)
        count += put_findings_of(t, list, &about[i]);
    if (!count)
        kn_text_addz(t, "<p>No warnings.</p>\n");
    for (size_t i = 0; i < KN_COUNT(after); i++)
        put_findings_of(t, list, &after[i]);
    kn_text_addz(t, "</section>\n");
}

/* --- glossary ------------------------------------------------------------------------------------- */

typedef struct term {
    const char *word, *meaning;
} term;

/* In the words of docs/GLOSSARY.md. */
static const term terms[] = {
    { "class", "The released rows that have the same quasi-identifiers. Nobody can tell them apart "
               "by those columns." },
    { "feasible", "A release whose outlying rows are within the suppression limit." },
    { "generalize", "Replacing a value by a coarser one: 24 by 20-29, a town by its region." },
    { "hierarchy", "How the values of one column become coarser, level by level." },
    { "identifier", "A column that names a person: name, number, e-mail. Hidden or dropped." },
    { "insensitive",
      "A column that nobody outside knows and that says nothing about a person. Released "
      "unchanged." },
    { "journalist risk",
      "The re-identification risk for a person who may or may not be in the table." },
    { "k-anonymous", "Every class has at least k rows." },
    { "l-diversity", "Every class has at least l well-represented sensitive values." },
    { "level", "How coarse a column is: level 0 is the original value, the last level is *." },
    { "local recoding", "Each equivalence class is generalized separately, as little as its rows "
                        "allow, instead of one level for the whole column." },
    { "loss", "A number for what a release lost: 0 is nothing, 1 (100 %) is everything." },
    { "lower bound", "No release under the same settings has a smaller loss than this." },
    { "marketer risk", "The share of rows that are re-identified correctly when an attacker tries "
                       "all of them: the mean risk." },
    { "optimal", "It is proven that no feasible release has a smaller loss." },
    { "prosecutor risk", "The re-identification risk for a person known to be in the release: 1 "
                         "divided by the size of the class." },
    { "quasi-identifier", "A column that others may also know and that narrows down who a person "
                          "is: birth date, sex, postcode, job. Generalized." },
    { "release", "The table that you share." },
    { "seed", "The number from which all random choices of the search derive." },
    { "sensitive", "A column that nobody should be able to link to a person: diagnosis, income. "
                   "Released unchanged." },
    { "suppress", "Dropping a row, or replacing all its quasi-identifiers by *, because its class "
                  "would be too small." },
    { "t-closeness", "In every class the distribution of the sensitive values is within distance t "
                     "of that in the whole table." },
    { "unique", "A row that is alone in its class." },
};

/* A word with blanks is no id. */
static void
put_id(kn_text *text, const char *word)
{
    kn_text_addz(text, "g-");
    for (; *word; word++)
        kn_text_add(text, (kn_str){ *word == ' ' ? "-" : word, 1 });
}

void
kn_html_term(kn_text *text, const char *word, const char *shown)
{
    for (size_t i = 0; i < KN_COUNT(terms); i++) {
        if (strcmp(terms[i].word, word) != 0)
            continue;
        kn_text_addz(text, "<a class=\"term\" href=\"#");
        put_id(text, word);
        KN_FILL(text, "\" title=\"{}\">{}</a>", kn_html_as_text(terms[i].meaning, 0),
                kn_as_is(shown ? shown : word));
        return;
    }
    assert(0); /* every word that is shown stands in the table */
}

void
kn_html_glossary(kn_text *text)
{
    kn_text_addz(text, "<section id=\"glossary\">\n<h2>Glossary</h2>\n<dl class=\"glossary\">\n");
    for (size_t i = 0; i < KN_COUNT(terms); i++) {
        kn_text_addz(text, "<div id=\"");
        put_id(text, terms[i].word);
        KN_FILL(text, "\"><dt>{}</dt><dd>{}</dd></div>\n", kn_html_as_text(terms[i].word, 0),
                kn_html_as_text(terms[i].meaning, 0));
    }
    kn_text_addz(text, "</dl>\n</section>\n");
}
