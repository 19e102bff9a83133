/* SPDX-License-Identifier: Apache-2.0 */
/* inspect.c -- what a column of `kanon init` holds: which of its values stand for none, the type of the
 * others, what they look like, where most of them lie, and the code system that they follow. */
#include <assert.h>

#include "base/sort.h"
#include "hierarchy/pack.h"
#include "init/starter.h"

/* A text that stands for "missing" is short and frequent: a rare one may be a slip, or about somebody. */
enum { WORD_MOST = 16, WORD_ROWS_LEAST = 10, WORDS_MOST = 4 };
/* Values whose looks are tested: at most so many, spread over all. */
enum { LOOKED_MOST = 1000 };
/* A twentieth of the rows at either end decides nothing. */
enum { TAIL = 20 };
/* Values that a pack must know, in percent, and how many there must be to leave some out. */
enum { PACK_PERCENT = 95, PACK_VALUES_LEAST = 20 };

/* --- values that stand for none ----------------------------------------------------------------- */

/* Takes a value away. A list that is full takes no more: they stay regular values. */
static kanon_status
drop(kn_arena *arena, kn_seen *seen, kn_tallied *values, size_t i)
{
    kn_absent *absent = &seen->absent[seen->nabsent];

    absent->text = kn_arena_text(arena, values->texts[i]);
    if (!absent->text)
        return KANON_E_NOMEM;
    absent->rows = values->rows[i];
    seen->nabsent++;
    seen->is.filled -= values->rows[i];
    seen->is.distinct -= seen->is.distinct > 0;
    values->count--;
    values->texts[i] = values->texts[values->count];
    values->rows[i] = values->rows[values->count];
    return KANON_OK;
}

static kanon_status
drop_words(kn_arena *arena, kn_seen *seen, kn_tallied *values)
{
    kanon_status rc = KANON_OK;

    for (size_t i = values->count; i-- > 0;)
        if (seen->nabsent < KN_COLUMN_ABSENT && values->count > 1
            && kn_says_missing(values->texts[i], values->rows[i]))
            KN_TRY(drop(arena, seen, values, i));
out:
    return rc;
}

static bool
is_short_word(kn_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (kn_is_digit(text.ptr[i]))
            return false;
    return text.len <= WORD_MOST;
}

/* All values but a few frequent words are numbers or dates: these words stand for none. */
static kanon_status
drop_odd(kn_arena *arena, kn_seen *seen, kn_tallied *values)
{
    kanon_status rc = KANON_OK;
    size_t       frequent = 0;

    if (seen->is.type == KN_TYPE_STRING || seen->full || !seen->odd || seen->odd > WORDS_MOST
        || seen->nabsent + seen->odd > KN_COLUMN_ABSENT)
        return KANON_OK;
    for (size_t i = 0; i < values->count; i++)
        frequent += is_short_word(values->texts[i]) && values->rows[i] >= WORD_ROWS_LEAST;
    if (frequent != seen->odd)
        return KANON_OK;
    for (size_t i = values->count; i-- > 0;)
        if (is_short_word(values->texts[i]))
            KN_TRY(drop(arena, seen, values, i));
    seen->odd = 0;
out:
    return rc;
}

static kanon_status
drop_sentinels(kn_arena *arena, kn_seen *seen, kn_tallied *values)
{
    kanon_status   rc = KANON_OK;
    kn_number_span span = kn_span_of_numbers(values);

    for (size_t i = values->count; i-- > 0;)
        if (seen->nabsent < KN_COLUMN_ABSENT && kn_is_sentinel(values, &span, i))
            KN_TRY(drop(arena, seen, values, i));
out:
    return rc;
}

/* --- the others ---------------------------------------------------------------------------------- */

static void
guess_type(kanon_ctx *ctx, const char *source, const kn_tallied *values, kn_seen *seen)
{
    kn_domain domain = { .column = seen->is.name.ptr,
                         .source = source,
                         .count = values->count,
                         .values = values->texts,
                         .rows = values->rows,
                         .missing = KN_NO_CODE };

    seen->odd = 0;
    seen->is.type = values->count ? kn_type_guess(&domain, &seen->odd) : KN_TYPE_STRING;
    if (seen->is.type == KN_TYPE_STRING)
        kn_warn_short_years(ctx, &domain);
}

static double
mean_length(const kn_tallied *values)
{
    size_t sum = 0;

    for (size_t i = 0; i < values->count; i++)
        sum += kn_utf8_count(values->texts[i]);
    return values->count ? (double) sum / (double) values->count : 0;
}

/* Days since 1970 of a date, or a number. */
static bool
measure_value(kn_str text, kn_type type, double *out)
{
    kn_decimal value;
    kn_moment  moment;

    if (type == KN_TYPE_NUMBER) {
        if (!kn_decimal_parse(text, &value))
            return false;
        *out = kn_decimal_double(value);
        return true;
    }
    if (!kn_cell_moment(text, &moment))
        return false;
    *out = (double) kn_date_days(moment.date);
    return true;
}

typedef struct weighed {
    double   number;
    uint64_t rows;
} weighed;

static inline bool
is_less(const weighed *a, const weighed *b, const void *context)
{
    KN_UNUSED(context);
    return a->number < b->number;
}

KN_DEFINE_SORT(sort_weighed, weighed, is_less)

/* Where most rows lie, the mean of the different numbers, and whether they have decimals. */
static kanon_status
find_extent(kanon_ctx *ctx, const kn_tallied *values, kn_seen *seen)
{
    weighed *sorted = KN_NEW_ARRAY(ctx, weighed, values->count);
    size_t   count = 0, i = 0, last;
    uint64_t rows = 0, below = 0, above = 0;
    double   sum = 0;

    if (!sorted)
        return KANON_E_NOMEM;
    for (size_t v = 0; v < values->count; v++) {
        if (!measure_value(values->texts[v], seen->is.type, &sorted[count].number))
            continue;
        sorted[count].rows = values->rows[v];
        rows += values->rows[v];
        sum += sorted[count++].number;
    }
    sort_weighed(sorted, count, NULL);
    if (count) {
        while (i + 1 < count && (below += sorted[i].rows) * TAIL < rows)
            i++;
        for (last = count - 1; last > i && (above += sorted[last].rows) * TAIL < rows;)
            last--;
        seen->low = sorted[i].number;
        seen->high = sorted[last].number;
        seen->min = sorted[0].number;
        seen->max = sorted[count - 1].number;
        seen->mean = sum / (double) count;
    }
    kn_free(ctx, sorted);
    return KANON_OK;
}

static void
look_at(const kn_tallied *values, kn_seen *seen)
{
    size_t step = values->count / LOOKED_MOST + 1;

    for (size_t i = 0; i < values->count; i += step)
        kn_looks_add(&seen->is.looks, values->texts[i]);
    seen->whole = seen->is.looks.decimals == 0;
}

/* --- code systems -------------------------------------------------------------------------------- */

static kanon_status
count_codes(kanon_ctx *ctx, const kn_tallied *values, const kn_pack_file *file, size_t *known)
{
    kn_pack      pack;
    kanon_status rc = kn_pack_open(ctx, file, &pack);

    *known = 0;
    for (size_t i = 0; rc == KANON_OK && i < values->count; i++) {
        kn_pack_code code;

        *known += kn_pack_find(&pack, values->texts[i], &code);
    }
    kn_pack_fini(&pack);
    return rc;
}

kanon_status
kn_find_pack(kanon_ctx *ctx, const kn_tallied *values, const char *candidates, kn_seen *seen)
{
    kanon_status rc = KANON_OK;
    kn_str       rest = kn_str_of(candidates), name;
    size_t       best = 0, least;

    least = values->count < PACK_VALUES_LEAST ? values->count
                                              : (values->count * PACK_PERCENT + 99) / 100;
    while (kn_str_split(&rest, ' ', &name)) {
        char                word[KN_PACK_CODE];
        const kn_pack_file *file;
        size_t              known;

        assert(name.len < sizeof word);
        memcpy(word, name.ptr, name.len);
        word[name.len] = 0;
        file = kn_pack_named(word);
        assert(file);
        KN_TRY(count_codes(ctx, values, file, &known));
        if (known <= best || known < least)
            continue;
        best = known;
        seen->pack = file->about.name;
        seen->pack_partly = known < values->count;
    }
out:
    return rc;
}

/* --- all of it ----------------------------------------------------------------------------------- */

static kanon_status
copy_values(kanon_ctx *ctx, const kn_seen *seen, kn_tallied *out)
{
    out->count = kn_dict_count(seen->dict);
    out->texts = KN_NEW_ARRAY(ctx, kn_str, out->count);
    out->rows = KN_NEW_ARRAY(ctx, uint64_t, out->count);
    if (!out->texts || !out->rows)
        return KANON_E_NOMEM;
    if (out->count) {
        memcpy(out->texts, kn_dict_values(seen->dict), out->count * sizeof *out->texts);
        memcpy(out->rows, seen->rows, out->count * sizeof *out->rows);
    }
    return KANON_OK;
}

kanon_status
kn_inspect(kanon_ctx *ctx, const char *source, kn_arena *arena, kn_seen *seen)
{
    kanon_status rc = KANON_OK;
    kn_tallied   values = { NULL, NULL, 0 };
    const char  *packs;

    KN_TRY(copy_values(ctx, seen, &values));
    seen->is.distinct = seen->full ? kn_sketch_count(seen->more) : values.count;
    KN_TRY(drop_words(arena, seen, &values));
    guess_type(ctx, source, &values, seen);
    KN_TRY(drop_odd(arena, seen, &values));
    if (seen->is.type == KN_TYPE_NUMBER)
        KN_TRY(drop_sentinels(arena, seen, &values));
    seen->is.length = mean_length(&values);
    look_at(&values, seen);
    if (seen->is.type != KN_TYPE_STRING)
        KN_TRY(find_extent(ctx, &values, seen));
    packs = kn_propose(&seen->is).packs;
    if (packs && values.count)
        KN_TRY(kn_find_pack(ctx, &values, packs, seen));
out:
    kn_free(ctx, values.texts);
    kn_free(ctx, values.rows);
    return rc;
}
