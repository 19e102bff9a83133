/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c -- classes are told apart by their released texts and numbered twice: in the order of the input
 * while rows come in, and in the order of the release when they leave. Only the second numbering is handed
 * out: readers of the release can count it themselves, while the first would tell them which class the first
 * row of the input is in.
 * Memory: 8 bytes per row and array, the texts of the classes once, and 4 bytes per row in the shuffle. */
#include "transform/trace.h"

#include "table/dict.h"

struct kn_trace {
    kanon_ctx     *ctx;
    kn_row_classes rows[KN_ROWS_KINDS];
    size_t         room;    /* of either array */
    kn_dict       *classes; /* by their released texts, in the order of the input */
    kn_text        text;
    uint32_t      *left; /* [left_room] by class: its number in the release, or KN_NO_CODE */
    size_t         left_room, nleft;
};

static kanon_status
keep(kn_trace *t, size_t which)
{
    kn_row_classes *rows = &t->rows[which];

    rows->kept = true;
    rows->numbers = KN_NEW_ARRAY(t->ctx, int64_t, t->room);
    return rows->numbers ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kn_trace_new(kanon_ctx *ctx, unsigned wanted, uint64_t rows, kn_trace **out)
{
    kanon_status rc = KANON_OK;
    kn_trace    *t = KN_NEW(ctx, kn_trace);

    *out = NULL;
    if (!t)
        return KANON_E_NOMEM;
    *t = (kn_trace){ .ctx = ctx, .room = (size_t) rows };
    kn_text_init(&t->text, ctx);
    KN_TRY(kn_dict_new(ctx, &t->classes));
    if (wanted & KANON_ROWS_RELEASED)
        KN_TRY(keep(t, KN_ROWS_RELEASED));
    if (wanted & KANON_ROWS_ORIGINAL) {
        KN_TRY(keep(t, KN_ROWS_ORIGINAL));
        t->rows[KN_ROWS_ORIGINAL].count = t->room;
        memset(t->rows[KN_ROWS_ORIGINAL].numbers, 0xff, t->room * sizeof(int64_t)); /* -1 */
    }
    *out = t;
    t = NULL;
out:
    kn_trace_free(t);
    return rc;
}

void
kn_trace_free(kn_trace *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < KN_ROWS_KINDS; i++)
        kn_free(t->ctx, t->rows[i].numbers);
    kn_dict_free(t->classes);
    kn_text_fini(&t->text);
    kn_free(t->ctx, t->left);
    kn_free(t->ctx, t);
}

kanon_status
kn_trace_row(kn_trace *t, uint64_t row, const kn_str *labels, size_t count, kn_text *record)
{
    kanon_status rc = KANON_OK;
    void        *left = t->left;
    uint32_t     known = kn_dict_count(t->classes), class;

    t->text.len = 0;
    for (size_t i = 0; i < count; i++)
        kn_text_add_framed(&t->text, labels[i]);
    KN_TRY(kn_text_status(&t->text));
    KN_TRY(kn_dict_add(t->classes, (kn_str){ t->text.ptr, t->text.len }, &class));
    KN_TRY(kn_grow(t->ctx, &left, &t->left_room, (size_t) class + 1, sizeof *t->left));
    t->left = left;
    if (class == known)
        t->left[class] = KN_NO_CODE;
    if (t->rows[KN_ROWS_ORIGINAL].kept && row < t->room) /* more rows: the input has changed */
        t->rows[KN_ROWS_ORIGINAL].numbers[row] = class;
    kn_text_add(record, (kn_str){ (const char *) &class, sizeof class });
    KN_TRY(kn_text_status(record));
out:
    return rc;
}

size_t
kn_trace_leave(kn_trace *t, const char *record, size_t bytes)
{
    kn_row_classes *released = &t->rows[KN_ROWS_RELEASED];
    uint32_t class;

    assert(bytes >= sizeof class);
    bytes -= sizeof class;
    memcpy(&class, record + bytes, sizeof class);
    assert(class < kn_dict_count(t->classes));
    if (t->left[class] == KN_NO_CODE)
        t->left[class] = (uint32_t) t->nleft++;
    if (released->kept && released->count < t->room)
        released->numbers[released->count++] = t->left[class];
    return bytes;
}

size_t
kn_trace_classes(const kn_trace *t)
{
    return t->nleft;
}

void
kn_trace_take(kn_trace *t, kn_row_classes out[KN_ROWS_KINDS])
{
    kn_row_classes *original = &t->rows[KN_ROWS_ORIGINAL];

    assert(t->nleft == kn_dict_count(t->classes)); /* every record has left */
    for (size_t i = 0; i < original->count; i++)
        if (original->numbers[i] >= 0)
            original->numbers[i] = t->left[original->numbers[i]];
    for (size_t i = 0; i < KN_ROWS_KINDS; i++) {
        out[i] = t->rows[i];
        t->rows[i] = (kn_row_classes){ 0 }; /* moved: the caller owns it now */
    }
}
