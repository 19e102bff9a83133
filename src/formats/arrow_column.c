/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_column.c -- the columns of a release as Arrow arrays. Everything is written anew: only what is
 * released is in the buffers, not what lies behind a null, in an unused value of a dictionary, or beyond
 * a slice. */
#include <math.h>

#include "formats/arrow_out.h"

/* --- nulls ----------------------------------------------------------------------------------------- */

/* Which of an array's values are there. There is no bitmap until the first null. */
typedef struct bitmap {
    kanon_ctx         *ctx;
    struct ArrowArray *array;
    size_t             count;
    uint8_t           *bits;
} bitmap;

static kanon_status
add_null(bitmap *b, size_t at)
{
    if (!b->bits) {
        b->bits = kn_alloc(b->ctx, b->count / 8 + 1);
        if (kn_arrow_put_buffer(b->array, 0, b->bits) < 0)
            return KANON_E_NOMEM;
        memset(b->bits, 0xff, b->count / 8);
        b->bits[b->count / 8] = (uint8_t) ((1u << b->count % 8) - 1);
    }
    b->bits[at / 8] &= (uint8_t) ~(1u << at % 8);
    b->array->null_count++;
    return KANON_OK;
}

/* --- texts ----------------------------------------------------------------------------------------- */

/* Batches end before that (arrow_out.c); a dictionary has no batches. */
static kanon_status
too_much_text(kanon_ctx *ctx)
{
    return kn_fail(
        ctx, KANON_E_UNSUPPORTED,
        "a dictionary of the release has more than 2 GiB of text; use large_utf8 for its column");
}

static kanon_status
put_utf8(kanon_ctx *ctx, kn_arrow_texts texts, kn_arrow_span span, unsigned width,
         struct ArrowArray *out)
{
    kanon_status rc = KANON_OK;
    bitmap       valid = { ctx, out, span.count, NULL };
    uint8_t     *offsets = kn_alloc_array(ctx, span.count + 1, width);
    char        *text;
    int64_t      end = 0;

    KN_TRY(kn_arrow_put_buffer(out, 1, offsets));
    for (size_t i = 0; i < span.count; i++) {
        kn_str  cell = texts.at(texts.user, span.first + i);
        int32_t narrow;

        if (!cell.ptr)
            KN_TRY(add_null(&valid, i));
        end += (int64_t) cell.len;
        narrow = (int32_t) end;
        if (width == 4 && end > INT32_MAX) {
            rc = too_much_text(ctx);
            goto out;
        }
        memcpy(offsets + (i + 1) * width, width == 8 ? (void *) &end : (void *) &narrow, width);
    }
    text = kn_alloc(ctx, (size_t) end);
    KN_TRY(kn_arrow_put_buffer(out, 2, text));
    for (size_t i = 0; i < span.count; i++) {
        kn_str cell = texts.at(texts.user, span.first + i);

        if (cell.len)
            memcpy(text, cell.ptr, cell.len);
        text += cell.len;
    }
out:
    return rc;
}

static kanon_status
put_views(kanon_ctx *ctx, kn_arrow_texts texts, kn_arrow_span span, struct ArrowArray *out)
{
    kanon_status   rc = KANON_OK;
    bitmap         valid = { ctx, out, span.count, NULL };
    kn_arrow_view *views = KN_NEW_ARRAY(ctx, kn_arrow_view, span.count);
    int64_t       *size;
    char          *text;

    KN_TRY(kn_arrow_put_buffer(out, 1, views));
    size = KN_NEW(ctx, int64_t);
    KN_TRY(kn_arrow_put_buffer(out, 3, size));
    for (size_t i = 0; i < span.count; i++) {
        size_t length = texts.at(texts.user, span.first + i).len;

        *size += length > KN_ARROW_VIEW_INLINE ? (int64_t) length : 0;
    }
    if (*size > INT32_MAX) {
        rc = too_much_text(ctx);
        goto out;
    }
    text = kn_alloc(ctx, (size_t) *size);
    KN_TRY(kn_arrow_put_buffer(out, 2, text));
    for (size_t i = 0, at = 0; i < span.count; i++) {
        kn_str cell = texts.at(texts.user, span.first + i);

        if (!cell.ptr) {
            KN_TRY(add_null(&valid, i));
            continue;
        }
        views[i].length = (int32_t) cell.len;
        if (cell.len <= KN_ARROW_VIEW_INLINE) {
            if (cell.len)
                memcpy((char *) &views[i] + sizeof views[i].length, cell.ptr, cell.len);
            continue;
        }
        memcpy(views[i].prefix, cell.ptr, sizeof views[i].prefix);
        views[i].offset = (int32_t) at;
        memcpy(text + at, cell.ptr, cell.len);
        at += cell.len;
    }
out:
    return rc;
}

kanon_status
kn_arrow_put_texts(kanon_ctx *ctx, kn_arrow_texts texts, kn_arrow_span span, unsigned width,
                   struct ArrowArray *out)
{
    kanon_status      rc = KANON_OK;
    bool              view = width == KN_ARROW_VIEW_BYTES;
    struct ArrowArray array = { .release = NULL };

    KN_TRY(kn_arrow_array_new(ctx, view ? 4 : 3, KN_ARROW_PLAIN, &array));
    array.length = (int64_t) span.count;
    KN_TRY(view ? put_views(ctx, texts, span, &array) : put_utf8(ctx, texts, span, width, &array));
    *out = array;
    array.release = NULL;
out:
    if (array.release)
        array.release(&array);
    return rc;
}

/* --- values ---------------------------------------------------------------------------------------- */

typedef struct place {
    size_t batch, index; /* of a dictionary's value */
} place;

/* Values to copy: of rows, or of dictionaries. */
typedef struct picks {
    const kn_arrow_table *table;
    size_t                column;
    const uint64_t       *rows;
    const place          *places; /* instead of rows */
} picks;

static const kn_arrow_values *
pick(const picks *p, size_t i, size_t *index)
{
    if (p->places) {
        *index = p->places[i].index;
        return &p->table->batches[p->places[i].batch].parts[p->column].values;
    }
    assert(p->rows);
    return &kn_arrow_table_locate(p->table, p->rows[i], index)->parts[p->column].values;
}

static kn_str
picked_text(const void *user, size_t i)
{
    size_t                 index;
    const kn_arrow_values *values = pick(user, i, &index);
    char                   none[KN_ARROW_ROOM];

    assert(kn_arrow_type_is_text(values->type));
    return kn_arrow_cell(values, index, none);
}

/* Texts do not show the bits of a NaN, so all of them are released with the same ones. */
static void
copy_value(uint8_t *to, const uint8_t *from, const kn_arrow_type *type)
{
    static const uint16_t half_nan = 0x7e00;
    static const float    single_nan = NAN;
    static const double   double_nan = NAN;
    uint16_t              half;
    float                 single;
    double                whole;

    if (type->kind == KN_ARROW_FLOAT && type->width == 2) {
        memcpy(&half, from, sizeof half);
        if ((half & 0x7fff) > 0x7c00)
            from = (const uint8_t *) &half_nan;
    } else if (type->kind == KN_ARROW_FLOAT && type->width == 4) {
        memcpy(&single, from, sizeof single);
        if (isnan(single))
            from = (const uint8_t *) &single_nan;
    } else if (type->kind == KN_ARROW_FLOAT) {
        memcpy(&whole, from, sizeof whole);
        if (isnan(whole))
            from = (const uint8_t *) &double_nan;
    }
    memcpy(to, from, type->width);
}

static kanon_status
put_fixed(kanon_ctx *ctx, const picks *p, kn_arrow_span span, struct ArrowArray *out)
{
    kanon_status         rc = KANON_OK;
    const kn_arrow_type *type = &p->table->columns[p->column].type;
    bool                 bits = type->kind == KN_ARROW_BOOL;
    bitmap               valid = { ctx, out, span.count, NULL };
    uint8_t             *data = bits ? kn_alloc_array(ctx, span.count / 8 + 1, 1)
                                     : kn_alloc_array(ctx, span.count, type->width);

    KN_TRY(kn_arrow_put_buffer(out, 1, data));
    for (size_t i = 0; i < span.count; i++) {
        size_t                 index;
        const kn_arrow_values *values = pick(p, span.first + i, &index);
        size_t                 at = values->first + index;

        if (kn_arrow_is_null(values, index))
            KN_TRY(add_null(&valid, i));
        else if (bits)
            data[i / 8] |= (uint8_t) (kn_arrow_bit(values->data, at) << i % 8);
        else
            copy_value(data + i * type->width, values->data + at * type->width, type);
    }
out:
    return rc;
}

static kanon_status
put_picks(kanon_ctx *ctx, const picks *p, kn_arrow_span span, struct ArrowArray *out)
{
    kanon_status         rc = KANON_OK;
    const kn_arrow_type *type = &p->table->columns[p->column].type;
    struct ArrowArray    array = { .release = NULL };

    if (kn_arrow_type_is_text(type))
        return kn_arrow_put_texts(ctx, (kn_arrow_texts){ picked_text, p }, span, type->width, out);
    KN_TRY(kn_arrow_array_new(ctx, 2, KN_ARROW_PLAIN, &array));
    array.length = (int64_t) span.count;
    KN_TRY(put_fixed(ctx, p, span, &array));
    *out = array;
    array.release = NULL;
out:
    if (array.release)
        array.release(&array);
    return rc;
}

static kn_str
copied_text(const void *user, size_t i)
{
    const kn_arrow_copy *copy = user;
    picks                p = { copy->table, copy->column, copy->rows, NULL };

    return picked_text(&p, i);
}

kn_arrow_texts
kn_arrow_copy_texts(const kn_arrow_copy *copy)
{
    return (kn_arrow_texts){ copied_text, copy };
}

kanon_status
kn_arrow_put_copy(kanon_ctx *ctx, const kn_arrow_copy *copy, kn_arrow_span span,
                  struct ArrowArray *out)
{
    picks p = { copy->table, copy->column, copy->rows, NULL };

    return put_picks(ctx, &p, span, out);
}

/* --- dictionaries ---------------------------------------------------------------------------------- */

struct kn_arrow_merged {
    kanon_ctx    *ctx;
    kn_arrow_copy copy;
    kn_dict      *texts; /* of all batches' dictionaries together */
    uint32_t   *
        *maps; /* [batch][index] -> code in texts; neighbours with the same dictionary share it */
    place *places;    /* [code] where its value lies; later [number] */
    uint32_t *number; /* [code] among the values that are released, or KN_NO_CODE */
    size_t    count;  /* of those */
};

void
kn_arrow_merged_free(kn_arrow_merged *m)
{
    if (!m)
        return;
    for (size_t b = m->maps ? m->copy.table->nbatches : 0; b-- > 0;)
        if (b == 0 || m->maps[b] != m->maps[b - 1])
            kn_free(m->ctx, m->maps[b]);
    kn_free(m->ctx, m->maps);
    kn_free(m->ctx, m->places);
    kn_free(m->ctx, m->number);
    kn_dict_free(m->texts);
    kn_free(m->ctx, m);
}

/* Codes for the values of a batch's dictionary: equal texts are equal values. */
static kanon_status
map_batch(kn_arrow_merged *m, size_t b, size_t *capacity)
{
    kanon_status           rc = KANON_OK;
    const kn_arrow_batch  *batch = &m->copy.table->batches[b];
    const kn_arrow_part   *part = &batch->parts[m->copy.column];
    const kn_arrow_values *values = &part->values;
    char                   room[KN_ARROW_ROOM];

    if (b > 0 && kn_arrow_same_dictionary(part, &batch[-1].parts[m->copy.column])) {
        m->maps[b] = m->maps[b - 1];
        return KANON_OK;
    }
    m->maps[b] = KN_NEW_ARRAY(m->ctx, uint32_t, values->length);
    if (!m->maps[b])
        return KANON_E_NOMEM;
    for (size_t i = 0; i < values->length; i++) {
        kn_str   text = part->texts ? part->texts[i] : kn_arrow_cell(values, i, room);
        uint32_t known = kn_dict_count(m->texts);
        void    *places = m->places;

        m->maps[b][i] = KN_NO_CODE;
        if (!text.ptr)
            continue;
        KN_TRY(kn_dict_add(m->texts, text, &m->maps[b][i]));
        if (m->maps[b][i] < known)
            continue;
        rc = kn_grow(m->ctx, &places, capacity, (size_t) known + 1, sizeof *m->places);
        m->places = places;
        KN_TRY(rc);
        m->places[known] = (place){ b, i };
    }
out:
    return rc;
}

/* The code of a row's value; KN_NO_CODE: null. */
static uint32_t
merged_code(const kn_arrow_merged *m, size_t row)
{
    size_t                 at;
    const kn_arrow_batch  *batch = kn_arrow_table_locate(m->copy.table, m->copy.rows[row], &at);
    const kn_arrow_values *indices = &batch->parts[m->copy.column].indices;

    if (kn_arrow_is_null(indices, at))
        return KN_NO_CODE;
    return m->maps[batch - m->copy.table->batches][kn_arrow_integer(indices, at)];
}

/* Numbers the values that occur: in their old order where that means something, else as they occur,
 * since the old order may tell which rows came first. */
static kanon_status
number_values(kn_arrow_merged *m, size_t rows)
{
    size_t all = kn_dict_count(m->texts);
    bool   ordered = m->copy.table->columns[m->copy.column].flags & ARROW_FLAG_DICTIONARY_ORDERED;
    place *places = KN_NEW_ARRAY(m->ctx, place, all);

    m->number = KN_NEW_ARRAY(m->ctx, uint32_t, all);
    if (!places || !m->number) {
        kn_free(m->ctx, places);
        return KANON_E_NOMEM;
    }
    memset(m->number, 0xff, all * sizeof *m->number);
    for (size_t i = 0; i < rows; i++) {
        uint32_t code = merged_code(m, i);

        if (code == KN_NO_CODE || m->number[code] != KN_NO_CODE)
            continue;
        places[m->count] = m->places[code];
        m->number[code] = (uint32_t) m->count++;
    }
    for (size_t code = 0, next = 0; ordered && code < all; code++)
        if (m->number[code] != KN_NO_CODE) {
            places[next] = m->places[code];
            m->number[code] = (uint32_t) next++;
        }
    kn_free(m->ctx, m->places);
    m->places = places;
    return KANON_OK;
}

kanon_status
kn_arrow_merged_new(kanon_ctx *ctx, const kn_arrow_copy *copy, size_t rows, kn_arrow_merged **out)
{
    kanon_status     rc = KANON_OK;
    kn_arrow_merged *m = KN_NEW(ctx, kn_arrow_merged);
    size_t           capacity = 0;

    *out = NULL;
    if (!m)
        return KANON_E_NOMEM;
    *m = (kn_arrow_merged){ .ctx = ctx, .copy = *copy };
    KN_TRY(kn_dict_new(ctx, &m->texts));
    m->maps = KN_NEW_ARRAY(ctx, uint32_t *, copy->table->nbatches);
    KN_TRY(KN_HAVE(m->maps));
    for (size_t b = 0; b < copy->table->nbatches; b++)
        KN_TRY(map_batch(m, b, &capacity));
    KN_TRY(number_values(m, rows));
    *out = m;
    m = NULL;
out:
    kn_arrow_merged_free(m);
    return rc;
}

/* Bytes of an index, as the original's unless there are too many values for it. */
static unsigned
index_width(const kn_arrow_merged *m)
{
    const kn_arrow_type *index = &m->copy.table->columns[m->copy.column].index;
    unsigned             bits = index->width * 8 - (index->kind == KN_ARROW_INT);

    if (bits >= 63 || m->count <= (uint64_t) 1 << bits)
        return index->width;
    return m->count <= INT32_MAX ? 4 : 8;
}

const char *
kn_arrow_merged_format(const kn_arrow_merged *m)
{
    const kn_arrow_column *column = &m->copy.table->columns[m->copy.column];
    unsigned               width = index_width(m);

    return width == column->index.width ? column->format : width == 4 ? "i" : "l";
}

static void
put_index(uint8_t *to, uint32_t value, unsigned width)
{
    uint8_t  one = (uint8_t) value;
    uint16_t two = (uint16_t) value;
    uint64_t eight = value;
    void    *from = width == 1 ? (void *) &one
                  : width == 2 ? (void *) &two
                  : width == 4 ? (void *) &value
                               : (void *) &eight;

    memcpy(to, from, width);
}

/* The array of indices, `width` bytes each, into a dictionary that is still to come. */
static kanon_status
put_indices(kanon_ctx *ctx, const uint32_t *codes, size_t count, unsigned width,
            struct ArrowArray *out)
{
    kanon_status rc = KANON_OK;
    bitmap       valid = { ctx, out, count, NULL };
    uint8_t     *data = kn_alloc_array(ctx, count, width);

    out->length = (int64_t) count;
    KN_TRY(kn_arrow_put_buffer(out, 1, data));
    for (size_t i = 0; i < count; i++)
        if (codes[i] == KN_NO_CODE)
            KN_TRY(add_null(&valid, i));
        else
            put_index(data + i * width, codes[i], width);
out:
    return rc;
}

kanon_status
kn_arrow_put_merged(kanon_ctx *ctx, const kn_arrow_merged *m, kn_arrow_span span,
                    struct ArrowArray *out)
{
    kanon_status      rc = KANON_OK;
    picks             p = { m->copy.table, m->copy.column, NULL, m->places };
    struct ArrowArray array = { .release = NULL };
    uint32_t         *codes = KN_NEW_ARRAY(ctx, uint32_t, span.count);

    if (!codes)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < span.count; i++) {
        uint32_t code = merged_code(m, span.first + i);

        codes[i] = code == KN_NO_CODE ? code : m->number[code];
    }
    KN_TRY(kn_arrow_array_new(ctx, 2, KN_ARROW_WITH_DICTIONARY, &array));
    KN_TRY(put_indices(ctx, codes, span.count, index_width(m), &array));
    KN_TRY(put_picks(ctx, &p, (kn_arrow_span){ 0, m->count }, array.dictionary));
    *out = array;
    array.release = NULL;
out:
    if (array.release)
        array.release(&array);
    kn_free(ctx, codes);
    return rc;
}

kanon_status
kn_arrow_put_labels(kanon_ctx *ctx, const kn_arrow_labels *labels, kn_arrow_span span,
                    struct ArrowArray *out)
{
    kanon_status      rc = KANON_OK;
    struct ArrowArray array = { .release = NULL };

    KN_TRY(kn_arrow_array_new(ctx, 2, KN_ARROW_WITH_DICTIONARY, &array));
    KN_TRY(put_indices(ctx, labels->codes + span.first, span.count, 4, &array));
    KN_TRY(kn_arrow_put_texts(ctx, labels->texts, (kn_arrow_span){ 0, labels->ntexts }, 4,
                              array.dictionary));
    *out = array;
    array.release = NULL;
out:
    if (array.release)
        array.release(&array);
    return rc;
}
