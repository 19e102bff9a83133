/* SPDX-License-Identifier: Apache-2.0 */
/* read.c -- the two tables: cells to codes, rows to distinct tuples, and then everything into an order
 * that does not depend on where in its file a row or a column stood. */
#include "compare/compare.h"

#include <math.h>

#include "encode/learn.h"
#include "hierarchy/build.h"
#include "problem/columns.h"

void *
kn_compare_array(kn_compare *compare, size_t count, size_t size)
{
    void *array;

    if (size && count > SIZE_MAX / size) {
        kn_fail_nomem(compare->ctx);
        return NULL;
    }
    array = kn_arena_alloc(&compare->arena, count ? count * size : 1);
    if (array)
        memset(array, 0, count * size);
    return array;
}

/* --- reading ---------------------------------------------------------------------------------- */

static kanon_status
see_row(void *user, const kn_str *cells, uint64_t weight)
{
    kn_compare *compare = user;

    kn_clear_count(compare->identifiers, compare->config, cells, weight);
    return KANON_OK;
}

/* A column that the release does not have reads `*` everywhere. */
static kanon_status
load(kn_compare *compare, size_t side, kn_rows *rows, kn_tuples *tuples)
{
    kanon_status    rc = KANON_OK;
    kn_load_column *columns = KN_NEW_ARRAY(compare->ctx, kn_load_column, compare->ncolumns);
    kn_loader       loader = { .stage = "read",
                               .missing = compare->missing,
                               .nmissing = compare->config->nmissing,
                               .columns = columns,
                               .ncolumns = compare->ncolumns,
                               .tuples = tuples,
                               .count = kn_count_column(compare->config, rows),
                               .see = side == 1 && compare->identifiers ? see_row : NULL,
                               .user = compare };

    if (!columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < compare->ncolumns; i++)
        columns[i] = (kn_load_column){ .position = compare->columns[i].place[side],
                                       .dict = compare->columns[i].dicts[side].dict,
                                       .missing = KN_NO_CODE };
    KN_TRY(kn_load(&loader, rows));
    for (size_t i = 0; i < compare->ncolumns; i++)
        compare->columns[i].dicts[side].missing = columns[i].missing;
out:
    kn_free(compare->ctx, columns);
    return rc;
}

static unsigned
bytes_for(size_t codes)
{
    return codes <= 256 ? 1 : codes <= 65536 ? 2 : 4;
}

/* The tuples in columns, still in the codes of arrival. */
static kanon_status
keep_tuples(kn_compare *compare, size_t side, const kn_tuples *tuples)
{
    kn_compare_side *s = &compare->sides[side];

    s->rows = kn_tuples_rows(tuples);
    s->ntuples = kn_tuples_count(tuples);
    s->codes = kn_compare_array(compare, compare->ncolumns, sizeof *s->codes);
    s->weights = kn_compare_array(compare, s->ntuples, sizeof *s->weights);
    if (!s->codes || !s->weights)
        return KANON_E_NOMEM;
    for (size_t t = 0; t < s->ntuples; t++)
        s->weights[t] = kn_tuples_weight(tuples, t);
    for (size_t i = 0; i < compare->ncolumns; i++) {
        s->codes[i].bytes = bytes_for(kn_dict_count(compare->columns[i].dicts[side].dict));
        s->codes[i].data = kn_compare_array(compare, s->ntuples, s->codes[i].bytes);
        if (!s->codes[i].data)
            return KANON_E_NOMEM;
        for (size_t t = 0; t < s->ntuples; t++)
            kn_codes_put(&s->codes[i], t, kn_tuples_code(tuples, t, i));
    }
    return KANON_OK;
}

kanon_status
kn_compare_read(kn_compare *compare, size_t side, kn_rows *rows)
{
    kanon_status rc = KANON_OK;
    kn_tuples   *tuples = NULL;

    assert(side < 2);
    for (size_t i = 0; i < compare->ncolumns; i++)
        KN_TRY(kn_dict_new(compare->ctx, &compare->columns[i].dicts[side].dict));
    KN_TRY(kn_tuples_new(compare->ctx, compare->ncolumns, &tuples));
    KN_TRY(load(compare, side, rows, tuples));
    KN_TRY(keep_tuples(compare, side, tuples));
out:
    kn_tuples_free(tuples);
    return rc;
}

/* --- the order of values ---------------------------------------------------------------------- */

/* Rows per code of arrival. */
static uint64_t *
count_codes(const kn_compare *compare, size_t side, size_t column)
{
    const kn_compare_side *s = &compare->sides[side];
    size_t                 count = kn_dict_count(compare->columns[column].dicts[side].dict);
    uint64_t              *rows = KN_NEW_ARRAY(compare->ctx, uint64_t, count);

    for (size_t t = 0; rows && t < s->ntuples; t++)
        rows[kn_codes_at(&s->codes[column], t)] += s->weights[t];
    return rows;
}

static kn_domain
domain_of(const kn_compare *compare, const kn_compare_column *c, const uint64_t *rows)
{
    return (kn_domain){ .column = c->name,
                        .source = compare->source,
                        .count = kn_dict_count(c->dicts[0].dict),
                        .values = kn_dict_values(c->dicts[0].dict),
                        .rows = rows,
                        .missing = c->dicts[0].missing,
                        .tokens = compare->missing,
                        .ntokens = compare->config->nmissing,
                        .rare = compare->config->k };
}

/* As a job would take the column, unless that fails: then it is text. */
static void
find_type(kn_compare_column *c, const kn_domain *domain)
{
    bool doubtful;

    c->type = c->attribute ? c->attribute->type : KN_TYPE_AUTO;
    if (c->type == KN_TYPE_AUTO)
        c->type = kn_type_infer(domain);
    c->mark = kn_mark_find(domain);
    if (c->type == KN_TYPE_DATE && !kn_date_infer(domain, &c->date, &doubtful))
        c->type = KN_TYPE_STRING;
    if (c->type == KN_TYPE_PLACE)
        c->type = KN_TYPE_STRING;
}

bool
kn_compare_number(const kn_compare_column *c, kn_str text, double *out)
{
    kn_decimal decimal;
    kn_date    date;

    if (c->order == KN_TYPE_DATE) {
        if (!kn_date_parse(text, c->date, &date))
            return false;
        *out = (double) kn_date_days(date);
        return true;
    }
    if (c->mark == KN_MARK_POINT
            ? !kn_decimal_parse_strict(text, &decimal)
                  && (kn_decimal_parse_plain(text, &decimal) || !kn_decimal_parse(text, &decimal))
            : !kn_decimal_parse(text, &decimal))
        return false;
    *out = kn_decimal_double(decimal);
    return true;
}

/* Numbers of the values by code of arrival; a value that is none makes the column one of texts. */
static kanon_status
read_numbers(kn_compare *compare, kn_compare_column *c, double **out)
{
    const kn_dict *dict = c->dicts[0].dict;
    double        *numbers;

    *out = NULL;
    c->order = c->type;
    if (c->type == KN_TYPE_STRING)
        return KANON_OK;
    numbers = KN_NEW_ARRAY(compare->ctx, double, kn_dict_count(dict));
    if (!numbers)
        return KANON_E_NOMEM;
    for (uint32_t v = 0; v < kn_dict_count(dict); v++)
        if (v != c->dicts[0].missing
            && !kn_compare_number(c, kn_dict_value(dict, v), &numbers[v])) {
            c->type = c->order = KN_TYPE_STRING;
            kn_free(compare->ctx, numbers);
            return KANON_OK;
        }
    *out = numbers;
    return KANON_OK;
}

/* A number that sorts like a double. */
static uint64_t
key_double(double value)
{
    uint64_t bits;

    value += 0.0; /* no negative zero */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Codes in the order of the column, the missing one last. */
static kanon_status
sort_codes(kn_compare *compare, const kn_dict *dict, uint32_t missing, const double *numbers,
           kn_item **out)
{
    kn_domain domain = { .values = kn_dict_values(dict) };
    size_t    count = kn_dict_count(dict), sorted = 0;
    kn_item  *items = KN_NEW_ARRAY(compare->ctx, kn_item, count);

    *out = items;
    if (!items)
        return KANON_E_NOMEM;
    for (uint32_t v = 0; v < count; v++)
        if (v != missing)
            items[sorted++] = (kn_item){ numbers ? key_double(numbers[v])
                                                 : kn_key_text(domain.values[v]),
                                         v };
    if (sorted < count)
        items[sorted] = (kn_item){ 0, missing };
    kn_items_sort(items, sorted, kn_tie_text, &domain);
    return KANON_OK;
}

static kanon_status
place_values(kn_compare *compare, kn_compare_column *c, const kn_item *items, const double *numbers,
             const uint64_t *rows)
{
    size_t n = kn_dict_count(c->dicts[0].dict);

    c->nvalues = n;
    c->missing = c->dicts[0].missing == KN_NO_CODE ? KN_NO_CODE : (uint32_t) n - 1;
    c->domain = n - (c->missing != KN_NO_CODE);
    c->values = kn_compare_array(compare, n, sizeof *c->values);
    c->rows = kn_compare_array(compare, n, sizeof *c->rows);
    c->numbers = numbers ? kn_compare_array(compare, n, sizeof *c->numbers) : NULL;
    c->dicts[0].position = kn_compare_array(compare, n, sizeof *c->dicts[0].position);
    if (!c->values || !c->rows || (numbers && !c->numbers) || !c->dicts[0].position)
        return KANON_E_NOMEM;
    for (size_t p = 0; p < n; p++) {
        uint32_t code = items[p].code;

        c->values[p] = kn_dict_value(c->dicts[0].dict, code);
        c->rows[p] = rows[code];
        c->dicts[0].position[code] = (uint32_t) p;
        if (numbers)
            c->numbers[p] = p == c->missing ? (double) NAN : numbers[code];
    }
    if (numbers && c->domain) {
        c->min = c->numbers[0];
        c->max = c->numbers[c->domain - 1];
    }
    return KANON_OK;
}

/* What sums over neighbours need. */
static kanon_status
sum_values(kn_compare *compare, kn_compare_column *c)
{
    double total;

    c->rows_before = kn_compare_array(compare, c->nvalues + 1, sizeof *c->rows_before);
    c->bits_before = kn_compare_array(compare, c->nvalues + 1, sizeof *c->bits_before);
    if (!c->rows_before || !c->bits_before)
        return KANON_E_NOMEM;
    for (size_t p = 0; p < c->nvalues; p++) {
        double rows = (double) c->rows[p];

        c->rows_before[p + 1] = c->rows_before[p] + c->rows[p];
        c->bits_before[p + 1] = c->bits_before[p] + (rows > 0 ? rows * log2(rows) : 0);
    }
    total = (double) c->rows_before[c->nvalues];
    c->all_bits = total > 0 ? log2(total) - c->bits_before[c->nvalues] / total : 0;
    if (c->nvalues < 2 || c->all_bits < 0)
        c->all_bits = 0;
    return KANON_OK;
}

static kanon_status
order_values(kn_compare *compare, size_t column)
{
    kanon_status       rc = KANON_OK;
    kn_compare_column *c = &compare->columns[column];
    uint64_t          *rows = count_codes(compare, 0, column);
    kn_domain          domain;
    kn_item           *items = NULL;
    double            *numbers = NULL;

    if (!rows)
        return KANON_E_NOMEM;
    domain = domain_of(compare, c, rows);
    find_type(c, &domain);
    KN_TRY(read_numbers(compare, c, &numbers));
    KN_TRY(sort_codes(compare, c->dicts[0].dict, c->dicts[0].missing, numbers, &items));
    KN_TRY(place_values(compare, c, items, numbers, rows));
    KN_TRY(sum_values(compare, c));
out:
    kn_free(compare->ctx, items);
    kn_free(compare->ctx, numbers);
    kn_free(compare->ctx, rows);
    return rc;
}

/* Texts of the release in the order of their bytes. All spellings of a missing value are one text. */
static kanon_status
order_texts(kn_compare *compare, size_t column)
{
    kanon_status       rc = KANON_OK;
    kn_compare_column *c = &compare->columns[column];
    kn_compare_dict   *d = &c->dicts[1];
    uint64_t          *rows = count_codes(compare, 1, column);
    kn_item           *items = NULL;

    c->ntexts = kn_dict_count(d->dict);
    c->text_missing = d->missing == KN_NO_CODE ? KN_NO_CODE : (uint32_t) c->ntexts - 1;
    c->texts = kn_compare_array(compare, c->ntexts, sizeof *c->texts);
    c->text_rows = kn_compare_array(compare, c->ntexts, sizeof *c->text_rows);
    d->position = kn_compare_array(compare, c->ntexts, sizeof *d->position);
    KN_TRY(KN_HAVE(rows && c->texts && c->text_rows && d->position));
    KN_TRY(sort_codes(compare, d->dict, d->missing, NULL, &items));
    for (size_t p = 0; p < c->ntexts; p++) {
        c->texts[p] = kn_dict_value(d->dict, items[p].code);
        c->text_rows[p] = rows[items[p].code];
        d->position[items[p].code] = (uint32_t) p;
    }
out:
    kn_free(compare->ctx, items);
    kn_free(compare->ctx, rows);
    return rc;
}

/* --- hierarchies ------------------------------------------------------------------------------ */

/* A quasi-identifier has the hierarchy that a job would give it; another column the one that was named.
 * Dates have their months, years and decades even if nobody says so. */
static kanon_status
make_hierarchy(kn_compare *compare, kn_compare_column *c)
{
    const char         *units[] = { "month", "quarter", "year", "decade", "century" };
    kn_hier_spec        dates = { .kind = KN_HIER_DATE, .items = units, .nitems = KN_COUNT(units) };
    const kn_attribute *a = c->attribute;
    bool                asked = a && (a->has_hierarchy || a->role == KN_ROLE_QUASI);
    kn_domain           domain = domain_of(compare, c, c->rows);
    kanon_status        rc;

    if (!c->domain || (!asked && c->type != KN_TYPE_DATE))
        return KANON_OK;
    domain.values = c->values;
    domain.missing = c->missing;
    kn_config_style(compare->config, &domain);
    rc = kn_hierarchy_make(compare->ctx, asked ? &a->hierarchy : &dates,
                           asked ? a->type : KN_TYPE_DATE, &domain, &c->hierarchy);
    if (rc == KANON_OK && asked && c->type != c->hierarchy->type)
        c->type = c->hierarchy->type == KN_TYPE_NUMBER && c->numbers ? KN_TYPE_NUMBER
                                                                     : KN_TYPE_STRING;
    return rc;
}

/* --- the order of tuples ---------------------------------------------------------------------- */

typedef struct tuple_order {
    const kn_codes *codes;
    size_t          ncolumns;
} tuple_order;

static int
compare_tuples(const void *user, uint32_t a, uint32_t b)
{
    const tuple_order *o = user;

    for (size_t i = 0; i < o->ncolumns; i++) {
        uint32_t x = kn_codes_at(&o->codes[i], a), y = kn_codes_at(&o->codes[i], b);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static void
permute(const kn_item *items, size_t count, const kn_codes *codes, uint32_t *scratch)
{
    for (size_t t = 0; t < count; t++)
        scratch[t] = kn_codes_at(codes, items[t].code);
    for (size_t t = 0; t < count; t++)
        kn_codes_put(codes, t, scratch[t]);
}

static kanon_status
order_tuples(kn_compare *compare, size_t side)
{
    kanon_status     rc = KANON_OK;
    kn_compare_side *s = &compare->sides[side];
    tuple_order      order = { s->codes, compare->ncolumns };
    kn_item         *items = KN_NEW_ARRAY(compare->ctx, kn_item, s->ntuples);
    uint32_t        *scratch = KN_NEW_ARRAY(compare->ctx, uint32_t, s->ntuples);
    uint64_t        *weights = KN_NEW_ARRAY(compare->ctx, uint64_t, s->ntuples);

    KN_TRY(KN_HAVE(items && scratch && weights));
    for (size_t i = 0; i < compare->ncolumns; i++)
        for (size_t t = 0; t < s->ntuples; t++)
            kn_codes_put(&s->codes[i], t,
                         compare->columns[i].dicts[side].position[kn_codes_at(&s->codes[i], t)]);
    for (size_t t = 0; t < s->ntuples; t++)
        items[t] = (kn_item){ kn_codes_at(&s->codes[0], t), (uint32_t) t };
    kn_items_sort(items, s->ntuples, compare_tuples, &order);
    for (size_t i = 0; i < compare->ncolumns; i++)
        permute(items, s->ntuples, &s->codes[i], scratch);
    for (size_t t = 0; t < s->ntuples; t++)
        weights[t] = s->weights[items[t].code];
    memcpy(s->weights, weights, s->ntuples * sizeof *weights);
out:
    kn_free(compare->ctx, items);
    kn_free(compare->ctx, scratch);
    kn_free(compare->ctx, weights);
    return rc;
}

kanon_status
kn_compare_order(kn_compare *compare)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; i < compare->ncolumns; i++) {
        KN_TRY(order_values(compare, i));
        KN_TRY(order_texts(compare, i));
        KN_TRY(make_hierarchy(compare, &compare->columns[i]));
    }
    KN_TRY(order_tuples(compare, 0));
    KN_TRY(order_tuples(compare, 1));
    compare->lost = compare->sides[0].rows > compare->sides[1].rows
                      ? compare->sides[0].rows - compare->sides[1].rows
                      : 0;
out:
    return rc;
}

void
kn_compare_fini(kn_compare *compare)
{
    if (!compare->ctx)
        return;
    for (size_t i = 0; compare->columns && i < compare->ncolumns; i++) {
        kn_dict_free(compare->columns[i].dicts[0].dict);
        kn_dict_free(compare->columns[i].dicts[1].dict);
        kanon_hierarchy_free(compare->columns[i].hierarchy);
        kn_free(compare->ctx, compare->columns[i].spread);
    }
    kn_arena_fini(&compare->arena);
}
