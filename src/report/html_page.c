/* SPDX-License-Identifier: Apache-2.0 */
/* html_page.c -- escaping, the frame of a page, and the glossary. */
#include "report/html_page.h"

#include "base/plain.h"

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

void
kn_html_name(kn_text *text, const char *foreign, size_t most)
{
    kn_text_addz(text, "<bdi>");
    kn_html_put(text, foreign, most);
    kn_text_addz(text, "</bdi>");
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

/* --- frame ---------------------------------------------------------------------------------------- */

void
kn_html_begin(kn_text *text, const char *title)
{
    kn_text_addz(text, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
                       "<meta name=\"referrer\" content=\"no-referrer\">\n"
                       "<meta name=\"robots\" content=\"noindex\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    kn_html_put(text, title, 120);
    kn_text_addz(text, "</title>\n<style>\n");
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
kn_html_open_tile(kn_text *text, const char *title)
{
    kn_text_addf(text, "<div class=\"tile\"><dt>%s</dt><dd class=\"big\">", title);
}

void
kn_html_close_tile(kn_text *text, const char *note)
{
    kn_text_addf(text, "</dd><dd>%s</dd></div>\n", note);
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
    { "insensitive", "Any other column. Released unchanged." },
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
    { "seed", "The number from which all randomness of the job derives." },
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
        kn_text_addz(text, "\" title=\"");
        kn_html_put(text, terms[i].meaning, 0);
        kn_text_addf(text, "\">%s</a>", shown ? shown : word);
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
        kn_text_addz(text, "\"><dt>");
        kn_html_put(text, terms[i].word, 0);
        kn_text_addz(text, "</dt><dd>");
        kn_html_put(text, terms[i].meaning, 0);
        kn_text_addz(text, "</dd></div>\n");
    }
    kn_text_addz(text, "</dl>\n</section>\n");
}
