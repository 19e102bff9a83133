/* SPDX-License-Identifier: Apache-2.0 */
/* pareto_html.c -- a front as one page that needs nothing else: its JSON, put into the page that
 * front_page.html holds. What could end the script that holds it is escaped. */
#include "report/front.h"

/* --- in between ------------------------------------------------------------------------------------ */

/* "<" only stands in texts, where JSON has another spelling for it. */
static void
put_inside_script(kn_text *text, kn_str json)
{
    size_t from = 0;

    for (size_t i = 0; i < json.len; i++)
        if (json.ptr[i] == '<') {
            kn_text_add(text, (kn_str){ json.ptr + from, i - from });
            kn_text_addz(text, "\\u003c");
            from = i + 1;
        }
    kn_text_add(text, (kn_str){ json.ptr + from, json.len - from });
}

static void
put_data(kn_text *text, const kanon_front *f, const kanon_front_options *options)
{
    kn_text whole;
    kn_json json;

    kn_text_init(&whole, f->ctx);
    kn_json_init(&json, &whole);
    kn_json_object(&json, NULL);
    kn_json_string(&json, "file", options->file ? options->file : "front.json");
    kn_json_string(&json, "input", options->input ? options->input : f->input_name);
    kn_json_end(&json);
    kn_text_addz(text, "{\"page\":");
    put_inside_script(text, (kn_str){ whole.ptr, whole.len });
    kn_text_addz(text, ",\"front\":");
    whole.len = 0;
    kn_tree_json(&whole, &f->tree);
    put_inside_script(text, (kn_str){ whole.ptr, whole.len });
    kn_text_addz(text, "}");
    text->failed |= whole.failed;
    kn_text_fini(&whole);
}

void
kn_front_html(kn_text *text, const kanon_front *f, const kanon_front_options *options)
{
    static const char mark[] = "@DATA@";
    const char       *page = (const char *) kn_front_page;
    size_t            length = sizeof mark - 1, at = 0;

    while (at + length < kn_front_page_bytes && memcmp(page + at, mark, length) != 0)
        at++;
    kn_text_add(text, (kn_str){ page, at });
    put_data(text, f, options);
    kn_text_add(text, (kn_str){ page + at + length, kn_front_page_bytes - at - length });
}
