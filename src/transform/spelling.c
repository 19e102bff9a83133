/* SPDX-License-Identifier: Apache-2.0 */
/* spelling.c -- released values of local recoding as text. Cost: O(classes * columns). */
#include "transform/spelling.h"

#include "base/keyset.h"

static kanon_status
spell_class(kn_spelling *s, const kn_recipes *recipes, const kn_centre *centres, size_t class,
            kn_text *text)
{
    kanon_status rc = KANON_OK;

    for (size_t q = 0; q < s->nquasi; q++) {
        size_t cell = class * s->nquasi + q;

        text->len = 0;
        if (centres)
            kn_centre_spell(recipes, q, &centres[cell], text);
        else
            kn_recipe_spell(recipes, q, &recipes->of[cell], text);
        KN_TRY(kn_text_status(text));
        KN_TRY(kn_dict_add(s->texts[q], (kn_str){ text->ptr, text->len }, &s->ids[cell]));
    }
out:
    return rc;
}

static bool
is_star(const kn_spelling *s, size_t class)
{
    for (size_t q = 0; q < s->nquasi; q++)
        if (!kn_str_equal(kn_dict_value(s->texts[q], s->ids[class * s->nquasi + q]), KN_STR("*")))
            return false;
    return true;
}

kanon_status
kn_spelling_new(const kn_recipes *recipes, const kn_centre *centres, kn_spelling **out)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = recipes->ctx;
    kn_spelling *s = KN_NEW(ctx, kn_spelling);
    kn_keyset   *seen = NULL;
    kn_text      text;

    *out = NULL;
    kn_text_init(&text, ctx);
    if (!s)
        return KANON_E_NOMEM;
    *s = (kn_spelling){
        .ctx = ctx, .nclasses = recipes->nclasses, .nquasi = recipes->nquasi, .star = KN_NO_CLASS
    };
    s->texts = kn_alloc_array(ctx, s->nquasi, sizeof *s->texts);
    s->ids = kn_alloc_array(ctx, s->nclasses, s->nquasi * sizeof *s->ids);
    s->joint = KN_NEW_ARRAY(ctx, uint32_t, s->nclasses);
    KN_TRY(KN_HAVE(s->texts && s->ids && s->joint));
    for (size_t q = 0; q < s->nquasi; q++)
        KN_TRY(kn_dict_new(ctx, &s->texts[q]));
    KN_TRY(kn_keyset_new(ctx, s->nquasi * sizeof *s->ids, &seen));
    for (size_t class = 0; class < s->nclasses; class ++) {
        size_t number;

        KN_TRY(spell_class(s, recipes, centres, class, &text));
        KN_TRY(kn_keyset_add(seen, &s->ids[class * s->nquasi], &number));
        assert(number <= class);
        s->joint[class] = (uint32_t) number;
        if (is_star(s, class))
            s->star = (uint32_t) number;
    }
    s->njoint = kn_keyset_count(seen);
    *out = s;
    s = NULL;
out:
    kn_text_fini(&text);
    kn_keyset_free(seen);
    kn_spelling_free(s);
    return rc;
}

void
kn_spelling_free(kn_spelling *s)
{
    if (!s)
        return;
    for (size_t q = 0; s->texts && q < s->nquasi; q++)
        kn_dict_free(s->texts[q]);
    kn_free(s->ctx, s->texts);
    kn_free(s->ctx, s->ids);
    kn_free(s->ctx, s->joint);
    kn_free(s->ctx, s);
}
