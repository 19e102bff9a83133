/* SPDX-License-Identifier: Apache-2.0 */
/* json.h -- writes JSON onto a text: two-space indent, UTF-8, the same bytes in every locale.
 * A key is given inside an object and is NULL inside an array (and for the outermost value). */
#ifndef KN_JSON_H
#define KN_JSON_H

#include "base/text.h"

enum { KN_JSON_DEPTH_MOST = 32 };

typedef struct kn_json {
    kn_text *text;
    unsigned depth;
    bool     array[KN_JSON_DEPTH_MOST];  /* what is open: an array, or an object */
    bool     filled[KN_JSON_DEPTH_MOST]; /* something stands in it already */
} kn_json;

/** Failures to grow are remembered by the text: look at kn_text_status() once at the end. */
void kn_json_init(kn_json *json, kn_text *text);
void kn_json_object(kn_json *json, const char *key);
void kn_json_array(kn_json *json, const char *key);
/** Closes what was opened last; after the outermost one a newline follows. */
void kn_json_end(kn_json *json);

/** Bytes that are not UTF-8 (a file name may hold them) become U+FFFD. NULL becomes null. */
void kn_json_string(kn_json *json, const char *key, const char *value);
void kn_json_count(kn_json *json, const char *key, uint64_t value);
/** The fewest digits that read back as the same double; null for NaN and infinities, which JSON
 *  does not have. */
void kn_json_number(kn_json *json, const char *key, double value);
void kn_json_truth(kn_json *json, const char *key, bool value);
void kn_json_null(kn_json *json, const char *key);

/** As kn_json_number, without the JSON around it. */
void kn_json_put_double(kn_text *text, double value);

#endif
