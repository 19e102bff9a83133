/* SPDX-License-Identifier: Apache-2.0 */
/* describe.c -- what the descriptions of the results share, and the list of all of them. */
#include "result/describe.h"

#include "result/finding.h"

kn_node
kn_get_version(const kn_where *where)
{
    (void) where;
    return kn_node_text(kanon_version());
}

bool
kn_entry_asked(const char *const names[2], const double values[2], size_t index, const char **name,
               kn_node *value)
{
    if (index > 1)
        return false;
    *name = names[index];
    *value = kn_node_number(values[index]);
    return true;
}

bool
kn_entry_setting(const kn_setting *settings, size_t count, size_t index, const char **name,
                 kn_node *value)
{
    if (index >= count)
        return false;
    *name = settings[index].key;
    *value = kn_node_text(settings[index].value);
    return true;
}

static const kn_field bucket_fields[] = {
    { "from", KN_AS_SIZE, KN_BOTH, "smallest class size of the bucket",
      KN_OF(kn_class_bucket, from) },
    { "to", KN_AS_COUNT, KN_BOTH, "largest one; null: no upper end", KN_OF(kn_class_bucket, to),
      .flags = KN_ZERO_IS_NULL },
    { "classes", KN_AS_COUNT, KN_INSIDE, "classes of these sizes",
      KN_OF(kn_class_bucket, classes) },
    { "rows", KN_AS_COUNT, KN_INSIDE, "their rows", KN_OF(kn_class_bucket, rows) },
    KN_FIELDS_END,
};
const kn_described kn_shape_bucket = { "bucket", bucket_fields };

static const kn_field identifier_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_clear_column, name) },
    { "rows", KN_AS_COUNT, KN_INSIDE, "rows with anything but * or a missing value",
      KN_OF(kn_clear_column, rows) },
    KN_FIELDS_END,
};
const kn_described kn_shape_identifier = { "identifier", identifier_fields };

/* --- findings --------------------------------------------------------------------------------------- */

static kn_node
get_code(const kn_where *where)
{
    return kn_node_text(kn_finding_classes[((const kn_finding *) where->at)->code].code);
}

static bool
has_place(const kn_where *where)
{
    return ((const kn_finding *) where->at)->place.kind != KN_PLACE_JOB;
}
static const kn_condition placed = { .holds = has_place,
                                     .otherwise = "where it concerns the whole job" };

static const kn_field place_fields[] = {
    { "kind", KN_AS_CHOICE, KN_INSIDE, "what it is", KN_OF(kn_finding_place, kind),
      .words = kn_place_names },
    { "name", KN_AS_TEXT, KN_INSIDE, "of the column, the setting or the file",
      KN_OF(kn_finding_place, name) },
    { "line", KN_AS_COUNT, KN_INSIDE, "of the file; null: none", KN_OF(kn_finding_place, line),
      .flags = KN_ZERO_IS_NULL },
    KN_FIELDS_END,
};
static const kn_described place_shape = { "place", place_fields };

static const kn_field finding_fields[] = {
    { "code", KN_AS_WORD, KN_INSIDE, "what kind of finding; the same in every version",
      .get = get_code },
    { "severity", KN_AS_CHOICE, KN_INSIDE,
      "serious: endangers what the release promises, or there is none; warning: a setting or an "
      "input was not used as one might think; advice: may make the release better, was not tried; "
      "note: holds for every release of its kind",
      KN_OF(kn_finding, severity), .words = kn_severity_names },
    { "place", KN_AS_OBJECT, KN_INSIDE, "what it concerns",
      KN_WITHIN(kn_finding, place, place_shape), .known = &placed },
    { "what", KN_AS_TEXT, KN_INSIDE, "what was found, a sentence without its full stop",
      KN_OF(kn_finding, what) },
    { "remedy", KN_AS_TEXT, KN_INSIDE, "what to do about it", KN_OF(kn_finding, remedy) },
    { "figure", KN_AS_NUMBER, KN_INSIDE, "the count or share that it goes by; null: none",
      KN_OF(kn_finding, figure), .flags = KN_OR_NULL },
    KN_FIELDS_END,
};
const kn_described kn_shape_finding = { "finding", finding_fields };

static const kn_field opening_fields[] = { KN_FIELDS_OPENING(kn_opening, ), KN_FIELDS_END };
const kn_described    kn_shape_opening = { "verdict", opening_fields };

/* --- all of them ------------------------------------------------------------------------------------ */

const kn_document kn_documents[] = {
    { "report", "kanon report",
      "What `kanon anonymize --report FILE.json` writes. Every formula is in METRICS.md.",
      KN_INSIDE, &kn_shape_result },
    { "report-external", "kanon report, external edition",
      "What `kanon anonymize --report FILE.json --report-audience external` writes: nothing that "
      "helps "
      "an attacker.",
      KN_OUTSIDE, &kn_shape_result },
    { "check", "kanon check", "What `kanon check --json` writes. Every formula is in METRICS.md.",
      KN_INSIDE, &kn_shape_check },
    { "compare", "kanon compare",
      "What `kanon compare --json` writes. COMPARE.md has the definitions.", KN_INSIDE,
      &kn_shape_comparison },
    { "explain", "kanon explain",
      "What `kanon explain --json` writes. EXPLAIN.md has the definitions.", KN_INSIDE,
      &kn_shape_explanation },
    { "front", "kanon pareto",
      "What `kanon pareto -o FILE.json` writes. PARETO.md has the definitions.", KN_INSIDE,
      &kn_shape_front },
};
const size_t kn_ndocuments = KN_COUNT(kn_documents);
