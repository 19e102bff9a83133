/* SPDX-License-Identifier: Apache-2.0 */
/* html_page.h -- the frame of an HTML report and the escaping of everything foreign in it. A page is one
 * file: style and pictures stand in it, there is no script, and its Content-Security-Policy forbids every
 * request. Names and values come from somebody's table: they reach a page through kn_html_put() and
 * kn_html_name() only. */
#ifndef KN_HTML_PAGE_H
#define KN_HTML_PAGE_H

#include "base/fill.h"
#include "result/opening.h"

/** How much of a foreign name or value a page shows. */
enum { KN_HTML_NAME_MOST = 80, KN_HTML_VALUE_MOST = 48 };

/** Foreign text, safe as content and within a quoted attribute: & < > " ' are escaped, control characters
 *  and those that change the direction of what follows become U+FFFD, as do bytes that are no UTF-8. Cut
 *  with an ellipsis when it has more than `most` characters (0: never). */
void kn_html_put(kn_text *text, const char *foreign, size_t most);
/** The same as an element of its own, so that right-to-left text does not reorder its surroundings. */
void kn_html_name(kn_text *text, const char *foreign, size_t most);
/** A sentence of ours with foreign text in it, safe as content. Names of options stay in one line. */
void kn_html_sentence(kn_text *text, const char *foreign);
/** The same of a part of a sentence. */
void kn_html_words(kn_text *text, kn_str whole);
/** kn_plain_percent() with its "<" escaped, and a blank that does not break. */
void kn_html_percent(kn_text *text, double share);

/** The same as pieces of KN_FILL(). */
void kn_html_put_text(kn_text *text, const kn_piece *piece);
void kn_html_put_name(kn_text *text, const kn_piece *piece);
void kn_html_put_sentence(kn_text *text, const kn_piece *piece);
void kn_html_put_percent(kn_text *text, const kn_piece *piece);
void kn_html_put_term(kn_text *text, const kn_piece *piece);

static inline kn_piece
kn_html_as_text(const char *foreign, size_t most)
{
    return (kn_piece){ .put = kn_html_put_text, .words = foreign, .most = most };
}

static inline kn_piece
kn_html_as_name(const char *foreign, size_t most)
{
    return (kn_piece){ .put = kn_html_put_name, .words = foreign, .most = most };
}

static inline kn_piece
kn_html_as_sentence(const char *foreign)
{
    return (kn_piece){ .put = kn_html_put_sentence, .words = foreign };
}

static inline kn_piece
kn_html_as_percent(double share)
{
    return (kn_piece){ .put = kn_html_put_percent, .number = share };
}

/** See kn_html_term(). */
static inline kn_piece
kn_html_as_term(const char *word, const char *shown)
{
    return (kn_piece){ .put = kn_html_put_term, .words = word, .user = shown };
}

/** Head and opening of the body. title: plain text */
void kn_html_begin(kn_text *text, const char *title);
void kn_html_end(kn_text *text);

/** A tile of a list of figures: its title, its large figure and a note below it, three sentences in a row for
 *  the pieces that follow. */
#define KN_HTML_TILE(text, title, figure, note, ...)                                               \
    KN_FILL(text,                                                                                  \
            "<div class=\"tile\"><dt>" title "</dt><dd class=\"big\">" figure "</dd><dd>" note     \
            "</dd></div>\n",                                                                       \
            __VA_ARGS__)
/** What stands where there is no figure. */
#define KN_HTML_NONE kn_as_is("&ndash;")

/** One row of a list of bars, in a table of the class "bars". A NULL name: what is pooled, in words. */
typedef struct kn_html_bar {
    const char *name, *pooled;
    const char *style;       /* class of the bar */
    double      share, mark; /* see kn_svg_bar() */
    bool        flagged;
} kn_html_bar;

/** The row; the sentence and its pieces are the figure at its end. */
#define KN_HTML_BAR(text, bar, sentence, ...)                                                      \
    do {                                                                                           \
        kn_html_bar_begin(text, bar);                                                              \
        KN_FILL(text, sentence "</td></tr>\n", __VA_ARGS__);                                       \
    } while (0)
void kn_html_bar_begin(kn_text *text, const kn_html_bar *bar);

/** The verdict that every page opens with, but for its headline. */
void kn_html_opening(kn_text *text, const kn_opening *opening);

/** All findings as a section. */
void kn_html_findings(kn_text *text, const kn_findings *findings);

/** A word of the glossary, linked to it, with its meaning as a tooltip. shown NULL: the word itself */
void kn_html_term(kn_text *text, const char *word, const char *shown);
/** All words with their meanings, as a section. */
void kn_html_glossary(kn_text *text);

/** The style sheet of all pages, in pieces; ends with NULL. */
extern const char *const kn_html_style[];

#endif
