/* SPDX-License-Identifier: Apache-2.0 */
/* report_models.c -- the privacy models of a job: what was asked for, and what the release reaches. */
#include <math.h>

#include "base/plain.h"
#include "report/report.h"

enum { WIDTH = 100, INDENT = 4 };

const char *
kn_report_model_text(const char *key)
{
    static const struct {
        const char *key, *text;
    } texts[] = {
        { "distinct-l-diversity", "every class has at least l different values" },
        { "entropy-l-diversity",
          "the values of every class are as varied as l equally frequent ones" },
        { "recursive-cl-diversity",
          "the most frequent value of a class is less than c times as frequent as the l-th and all "
          "after it together" },
        { "p-sensitive", "every class has at least p different values" },
        { "alpha-k", "no value has more than the share alpha of the rows of a class" },
        { "persons", "every class has rows of at least k different persons" },
        { "k-column", "every class has as many rows as each of its rows asks for" },
        { "beta-likeness",
          "no value is more frequent in a class than in the table by more than the share beta" },
        { "enhanced-beta-likeness",
          "no value is more frequent in a class than in the table by more than the share beta, and "
          "less for frequent values" },
        { "delta-disclosure", "every value is as frequent in a class as in the table, up to a "
                              "factor below exp(delta)" },
        { "t-closeness-equal",
          "the values of every class are spread as in the whole table, up to a distance of t" },
        { "t-closeness-ordered",
          "the values of every class are spread as in the whole table, up to a distance of t" },
        { "t-closeness-hierarchical",
          "the values of every class are spread as in the whole table, up to a distance of t" },
        { "k-map", "every class stands for at least k people of the population" },
        { "delta-presence",
          "the chance that a person of the population is in the table is between min and max" },
    };

    for (size_t i = 0; i < KN_COUNT(texts); i++)
        if (strcmp(texts[i].key, key) == 0)
            return texts[i].text;
    return "";
}

void
kn_report_json_models(kn_json *json, const kanon_result *r)
{
    if (!r->nmodels)
        return;
    kn_json_array(json, "models");
    for (size_t i = 0; i < r->nmodels; i++) {
        const kn_result_model *m = &r->models[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "model", m->key);
        kn_json_string(json, "column", m->column);
        kn_json_object(json, "asked");
        kn_json_number(json, m->parameter, m->asked);
        if (m->other)
            kn_json_number(json, m->other, m->asked_other);
        kn_json_end(json);
        kn_json_number(json, "reached", m->reached);
        kn_json_truth(json, "monotone", m->monotone);
        kn_json_string(json, "verified",
                       !m->verified ? "no"
                       : m->hidden  ? "in the second pass"
                                    : "in the release");
        kn_json_end(json);
    }
    kn_json_end(json);
}

/* The k of each row has no limit of its own that could be told as a number. */
static bool
is_own_k(const kn_result_model *m)
{
    return strcmp(m->name, "k per record") == 0;
}

void
kn_report_text_models(kn_text *text, const kanon_result *r)
{
    if (r->nmodels)
        kn_text_addz(text, "\nPrivacy models beyond k\n");
    for (size_t i = 0; i < r->nmodels; i++) {
        const kn_result_model *m = &r->models[i];
        size_t                 from = text->len;

        kn_text_addz(text, "  - ");
        kn_text_addz(text, m->name);
        if (m->column) {
            kn_text_addz(text, " of ");
            kn_plain_name(text, m->column, 0);
        }
        if (is_own_k(m))
            kn_text_addz(text, ": asked for a group of as many rows as each row's own k");
        else
            kn_text_addf(text, ": asked for %s %.6g", m->parameter, m->asked);
        if (m->other)
            kn_text_addf(text, ", %s %.6g", m->other, m->asked_other);
        if (!isnan(m->reached))
            kn_text_addf(text, "; the worst group reaches %.6g%s", m->reached,
                         is_own_k(m) ? " times that" : "");
        if (m->hidden)
            kn_text_addz(text,
                         " (the release does not show this column, so readers cannot check it)");
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, INDENT);
    }
}
