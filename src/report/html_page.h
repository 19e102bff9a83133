/* SPDX-License-Identifier: Apache-2.0 */
/* html_page.h -- the frame of an HTML report and the escaping of everything foreign in it. A page is one
 * file: style and pictures stand in it, there is no script, and its Content-Security-Policy forbids every
 * request. Names and values come from somebody's table: they reach a page through kn_html_put() and
 * kn_html_name() only. */
#ifndef KN_HTML_PAGE_H
#define KN_HTML_PAGE_H

#include "base/text.h"

/** Foreign text, safe as content and within a quoted attribute: & < > " ' are escaped, control characters
 *  and those that change the direction of what follows become U+FFFD, as do bytes that are no UTF-8. Cut
 *  with an ellipsis when it has more than `most` characters (0: never). */
void kn_html_put(kn_text *text, const char *foreign, size_t most);
/** The same as an element of its own, so that right-to-left text does not reorder its surroundings. */
void kn_html_name(kn_text *text, const char *foreign, size_t most);
/** kn_plain_percent() with its "<" escaped, and a blank that does not break. */
void kn_html_percent(kn_text *text, double share);

/** Head and opening of the body. title: plain text */
void kn_html_begin(kn_text *text, const char *title);
void kn_html_end(kn_text *text);

/** A tile of a list of figures, up to its large figure; title is no foreign text. */
void kn_html_open_tile(kn_text *text, const char *title);
/** Its end, with a note below the figure: no foreign text either. */
void kn_html_close_tile(kn_text *text, const char *note);

/** A word of the glossary, linked to it, with its meaning as a tooltip. shown NULL: the word itself */
void kn_html_term(kn_text *text, const char *word, const char *shown);
/** All words with their meanings, as a section. */
void kn_html_glossary(kn_text *text);

/** The style sheet of all pages, in pieces; ends with NULL. */
extern const char *const kn_html_style[];

#endif
