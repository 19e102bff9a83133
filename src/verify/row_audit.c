/* SPDX-License-Identifier: Apache-2.0 */
/* row_audit.c -- classes by their released text, values by the text of the input: nothing is taken from
 * the search. Memory: the released classes and their different values. */
#include "verify/row_audit.h"

#include "base/text.h"
#include "table/dict.h"

struct kn_row_audit {
    kanon_ctx            *ctx;
    const kn_audit_rules *rules;
    kn_audit             *audit;
    kn_dict              *classes; /* released texts, each with its length in front */
    kn_text               text;
    uint64_t             *rows; /* [room] per class */
    size_t                seen; /* classes so far */
    size_t                room;
    uint32_t             *values;
};

kanon_status
kn_row_audit_new(kanon_ctx *ctx, const kn_audit_rules *rules, kn_row_audit **out)
{
    kanon_status  rc = KANON_OK;
    kn_row_audit *w = KN_NEW(ctx, kn_row_audit);

    *out = NULL;
    if (!w)
        return KANON_E_NOMEM;
    *w = (kn_row_audit){ .ctx = ctx, .rules = rules };
    kn_text_init(&w->text, ctx);
    KN_TRY(kn_dict_new(ctx, &w->classes));
    KN_TRY(kn_audit_new(ctx, rules, &w->audit));
    w->values = KN_NEW_ARRAY(ctx, uint32_t, rules->ncolumns);
    KN_TRY(KN_HAVE(w->values));
    *out = w;
    w = NULL; /* moved: the caller owns it now */
out:
    kn_row_audit_free(w);
    return rc;
}

void
kn_row_audit_free(kn_row_audit *w)
{
    if (!w)
        return;
    kn_audit_free(w->audit);
    kn_dict_free(w->classes);
    kn_text_fini(&w->text);
    kn_free(w->ctx, w->rows);
    kn_free(w->ctx, w->values);
    kn_free(w->ctx, w);
}

kanon_status
kn_row_audit_add(kn_row_audit *w, const kn_str *texts, size_t nquasi, const kn_str *cells,
                 uint64_t weight)
{
    kanon_status rc = KANON_OK;
    void        *rows = w->rows;
    uint32_t     class;

    w->text.len = 0;
    for (size_t i = 0; i < nquasi; i++)
        kn_text_add_framed(&w->text, texts[i]);
    KN_TRY(kn_text_status(&w->text));
    KN_TRY(kn_dict_add(w->classes, (kn_str){ w->text.ptr, w->text.len }, &class));
    KN_TRY(kn_grow(w->ctx, &rows, &w->room, (size_t) class + 1, sizeof *w->rows));
    w->rows = rows;
    for (size_t c = 0; c < w->rules->ncolumns; c++) {
        w->values[c] = kn_audit_value(w->audit, c, cells[w->rules->columns[c].place]);
        if (w->values[c] == KN_NO_CODE)
            return kn_fail(w->ctx, KANON_E_VERIFY,
                           "the release failed its verification and was discarded: a value is not "
                           "in the table");
    }
    if (class == w->seen)
        w->rows[w->seen++] = 0;
    w->rows[class] += weight;
    KN_TRY(kn_audit_add(w->audit, class, w->values, weight));
out:
    return rc;
}

kanon_status
kn_row_audit_end(kn_row_audit *w)
{
    kanon_status rc = KANON_OK;
    double      *reached = KN_NEW_ARRAY(w->ctx, double, w->rules->nrules);
    bool        *fails = KN_NEW_ARRAY(w->ctx, bool, w->rules->nrules);

    KN_TRY(KN_HAVE(reached && fails));
    KN_TRY(kn_audit_seal(w->audit, kn_dict_count(w->classes)));
    for (uint32_t class = 0; class < kn_dict_count(w->classes); class ++) {
        kn_audit_judge(w->audit, class, w->rows[class], 0, reached, fails);
        for (size_t r = 0; r < w->rules->nrules; r++)
            if (fails[r]) {
                rc = kn_fail(w->ctx, KANON_E_VERIFY,
                             "the release failed its verification and was discarded: %s of '%s' is "
                             "%.9g in a class, expected %.9g",
                             w->rules->rules[r].class->name, w->rules->rules[r].name, reached[r],
                             w->rules->rules[r].limit);
                goto out;
            }
    }
out:
    kn_free(w->ctx, reached);
    kn_free(w->ctx, fails);
    return rc;
}
