/* SPDX-License-Identifier: Apache-2.0 */
/* meaning.c -- what a released text stands for. The rules, the first that fits: `*` is any value; a missing
 * value is the missing value, or any where the original has none; a label of the hierarchy is its group; a
 * value of the original is itself; then numbers, intervals, sets and hidden characters as forms.h reads
 * them. A text that fits no rule, or that no value of the original fits, is taken as `*` and counted.
 * Cost: O(texts * log values), and one pass over the values for each text with hidden characters. */
#include "compare/compare.h"
#include "compare/forms.h"

#include <math.h>

#include "base/text.h"
#include "encode/learn.h"

enum { JOINED_MOST = 8 }; /* members of a set may hold the separator so many times less one */

/* One level of a hierarchy, made to be looked up. */
typedef struct level_index {
    kn_dict  *labels;
    uint32_t *group;  /* [labels] */
    size_t   *first;  /* [groups + 1] of members */
    uint32_t *member; /* positions by group, ascending */
} level_index;

typedef struct reader {
    kn_compare        *compare;
    kn_compare_column *c;
    level_index       *levels;
    size_t             nlevels;
    size_t             level; /* one that explains the whole column; SIZE_MAX: none does */
    uint8_t           *marks; /* [values] scratch: members of a set */
} reader;

/* --- what a meaning costs --------------------------------------------------------------------- */

static double
bits_of(const kn_compare_column *c, const kn_meaning *m)
{
    double rows = 0, sum = 0, bits;

    if (m->count < 2)
        return 0;
    if (m->list) {
        for (size_t i = 0; i < m->count; i++) {
            double n = (double) c->rows[m->list[i]];

            rows += n;
            sum += n > 0 ? n * log2(n) : 0;
        }
    } else {
        rows = (double) (c->rows_before[m->from + m->count] - c->rows_before[m->from]);
        sum = c->bits_before[m->from + m->count] - c->bits_before[m->from];
    }
    bits = rows > 0 ? log2(rows) - sum / rows : 0;
    return bits > 0 ? bits : 0;
}

static bool
holds_missing(const kn_compare_column *c, const kn_meaning *m)
{
    return c->missing != KN_NO_CODE
        && (m->list ? m->list[m->count - 1] == c->missing : m->from + m->count == c->nvalues);
}

/* The losses of docs/METRICS.md. leaves: of the group, as the hierarchy counts them. */
static void
price(const kn_compare_column *c, kn_meaning *m, size_t leaves)
{
    size_t domain = c->hierarchy ? c->hierarchy->domain : c->domain;

    m->bits = bits_of(c, m);
    m->glm = m->gcp = 0;
    if (m->reading == KN_READ_VALUE || m->reading == KN_READ_MISSING || m->reading == KN_READ_NUMBER
        || !leaves)
        return;
    if (c->type == KN_TYPE_NUMBER) {
        m->glm = m->gcp = c->max > c->min ? (m->high - m->low) / (c->max - c->min) : 0;
    } else if (leaves > 1) {
        m->glm = domain > 1 ? (double) (leaves - 1) / (double) (domain - 1) : 0;
        m->gcp = (double) leaves / (double) domain;
    }
}

/* Extent and middle of the values themselves. */
static void
span_values(const kn_compare_column *c, kn_meaning *m)
{
    size_t known = m->count - holds_missing(c, m);
    double sum = 0;

    m->low = m->high = m->middle = (double) NAN;
    if (!c->numbers || !known)
        return;
    m->low = c->numbers[m->list ? m->list[0] : m->from];
    m->high = c->numbers[m->list ? m->list[known - 1] : m->from + known - 1];
    for (size_t i = 0; i < known; i++)
        sum += c->numbers[m->list ? m->list[i] : m->from + i];
    m->middle = sum / (double) known;
}

static void
price_values(const kn_compare_column *c, kn_meaning *m)
{
    span_values(c, m);
    price(c, m, m->count - holds_missing(c, m));
}

static void
mean_all(const kn_compare_column *c, kn_reading reading, kn_meaning *m)
{
    *m = (kn_meaning){ .reading = reading, .from = 0, .count = c->nvalues, .list = NULL };
    m->low = c->min;
    m->high = c->max;
    m->middle = (double) NAN;
    price(c, m, c->hierarchy ? c->hierarchy->domain : c->domain);
}

static void
mean_one(const kn_compare_column *c, kn_reading reading, uint32_t position, kn_meaning *m)
{
    *m = (kn_meaning){ .reading = reading, .from = position, .count = 1, .list = NULL };
    price_values(c, m);
}

/* Neighbours need no list. */
static void
mean_list(const kn_compare_column *c, kn_reading reading, const uint32_t *list, size_t count,
          kn_meaning *m)
{
    bool neighbours = list[count - 1] - list[0] + 1 == count;

    *m = (kn_meaning){
        .reading = reading, .from = list[0], .count = count, .list = neighbours ? NULL : list
    };
    price_values(c, m);
}

size_t
kn_meaning_within(const kn_meaning *m, uint32_t from, uint32_t to)
{
    size_t low[2];

    assert(from <= to);
    if (!m->list) {
        size_t begin = m->from > from ? m->from : from, end = m->from + m->count;

        end = end < to ? end : to;
        return end > begin ? end - begin : 0;
    }
    for (size_t i = 0; i < 2; i++) { /* members before each end */
        uint32_t bound = i ? to : from;
        size_t   a = 0, b = m->count;

        while (a < b) {
            size_t middle = a + (b - a) / 2;

            if (m->list[middle] < bound)
                a = middle + 1;
            else
                b = middle;
        }
        low[i] = a;
    }
    return low[1] - low[0];
}

/* --- labels of the hierarchy ------------------------------------------------------------------ */

static kanon_status
index_members(reader *r, const kn_level *level, level_index *x)
{
    size_t n = r->c->nvalues;

    x->first = kn_compare_array(r->compare, level->ngroups + 2u, sizeof *x->first);
    x->member = kn_compare_array(r->compare, n, sizeof *x->member);
    if (!x->first || !x->member)
        return KANON_E_NOMEM;
    for (size_t p = 0; p < n; p++)
        x->first[level->group_of[p] + 2]++;
    for (size_t g = 1; g <= level->ngroups; g++)
        x->first[g + 1] += x->first[g];
    for (size_t p = 0; p < n; p++)
        x->member[x->first[level->group_of[p] + 1]++] = (uint32_t) p;
    return KANON_OK;
}

static kanon_status
index_level(reader *r, const kn_level *level, level_index *x)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_dict_new(r->compare->ctx, &x->labels));
    x->group = kn_compare_array(r->compare, level->ngroups, sizeof *x->group);
    if (!x->group)
        return KANON_E_NOMEM;
    for (uint32_t g = 0; g < level->ngroups; g++) {
        uint32_t code, known = kn_dict_count(x->labels);

        KN_TRY(kn_dict_add(x->labels, level->labels[g], &code));
        if (code == known)
            x->group[code] = g;
    }
    KN_TRY(index_members(r, level, x));
out:
    return rc;
}

static bool
is_free(const kn_compare_column *c, size_t text)
{
    return text == c->text_missing || kn_str_equal(c->texts[text], KN_STR("*"));
}

/* Full-domain recoding puts a column on one level: then a label that stands on several is of that one. */
static size_t
find_level(const reader *r)
{
    for (size_t l = 0; l < r->nlevels; l++) {
        size_t text = 0;

        while (text < r->c->ntexts
               && (is_free(r->c, text)
                   || kn_dict_find(r->levels[l].labels, r->c->texts[text]) != KN_NO_CODE))
            text++;
        if (text == r->c->ntexts)
            return l;
    }
    return SIZE_MAX;
}

static bool
mean_group(const reader *r, size_t l, kn_str text, kn_meaning *m)
{
    const kn_compare_column *c = r->c;
    const level_index       *x = &r->levels[l];
    const kn_level          *level = &c->hierarchy->levels[l];
    uint32_t                 code = kn_dict_find(x->labels, text), g;
    size_t                   count;

    if (code == KN_NO_CODE)
        return false;
    g = x->group[code];
    count = x->first[g + 1] - x->first[g];
    if (!count) /* the file knows it, the original does not hold it */
        return false;
    mean_list(c, l ? KN_READ_GROUP : KN_READ_VALUE, x->member + x->first[g], count, m);
    if (l && c->type == KN_TYPE_NUMBER && level->lo) {
        m->low = level->lo[g];
        m->high = level->hi[g];
        m->middle = m->low + (m->high - m->low) / 2;
    }
    price(c, m, level->leaves[g]);
    return true;
}

static bool
read_label(const reader *r, kn_str text, kn_meaning *m)
{
    if (r->level != SIZE_MAX && mean_group(r, r->level, text, m))
        return true;
    for (size_t l = 0; l < r->nlevels; l++)
        if (mean_group(r, l, text, m))
            return true;
    return false;
}

/* --- values, numbers, intervals --------------------------------------------------------------- */

static bool
read_end(const void *column, kn_str text, double *out)
{
    return kn_compare_number(column, text, out);
}

/* The first position whose number is not below (or, past: is above) a bound. */
static uint32_t
place_of(const kn_compare_column *c, double bound, bool past)
{
    size_t a = 0, b = c->domain;

    while (a < b) {
        size_t middle = a + (b - a) / 2;

        if (past ? c->numbers[middle] <= bound : c->numbers[middle] < bound)
            a = middle + 1;
        else
            b = middle;
    }
    return (uint32_t) a;
}

static bool
read_value(const reader *r, kn_str text, kn_meaning *m)
{
    const kn_compare_dict *d = &r->c->dicts[0];
    uint32_t               code = kn_dict_find(d->dict, text);

    if (code == KN_NO_CODE || code == d->missing)
        return false;
    mean_one(r->c, KN_READ_VALUE, d->position[code], m);
    return true;
}

/* A number that nobody had stands for the nearest that somebody had: the lower one of two. */
static bool
read_number(const reader *r, kn_str text, kn_meaning *m)
{
    const kn_compare_column *c = r->c;
    double                   number;
    uint32_t                 at;

    if (!c->numbers || !c->domain || !kn_compare_number(c, text, &number))
        return false;
    at = place_of(c, number, false);
    if (at < c->domain && c->numbers[at] == number) {
        mean_one(c, KN_READ_VALUE, at, m);
        return true;
    }
    if (at == c->domain || (at > 0 && number - c->numbers[at - 1] <= c->numbers[at] - number))
        at--;
    at = place_of(c, c->numbers[at], false); /* the first of equal numbers */
    mean_one(c, KN_READ_NUMBER, at, m);
    m->middle = number;
    return true;
}

static bool
read_interval(const reader *r, kn_str text, kn_meaning *m)
{
    const kn_compare_column *c = r->c;
    kn_interval              i;
    uint32_t                 from, to;

    if (!c->numbers || !c->domain || !kn_form_interval(text, read_end, c, &i))
        return false;
    from = place_of(c, i.low, i.low_open);
    to = place_of(c, i.high, !i.high_open);
    if (from >= to)
        return false; /* no value of the original lies in it */
    *m = (kn_meaning){ .reading = KN_READ_INTERVAL, .from = from, .count = to - from };
    m->low = i.low > c->min ? i.low : c->min;
    m->high = i.high < c->max ? i.high : c->max;
    m->middle = m->low + (m->high - m->low) / 2;
    price(c, m, m->count);
    return true;
}

/* --- sets and patterns ------------------------------------------------------------------------ */

/* The marked positions as a list. */
static kanon_status
mean_marks(const reader *r, kn_reading reading, kn_meaning *m)
{
    uint32_t *list;
    size_t    count = 0;

    for (size_t p = 0; p < r->c->nvalues; p++)
        count += r->marks[p];
    list = kn_compare_array(r->compare, count, sizeof *list);
    if (!list)
        return KANON_E_NOMEM;
    count = 0;
    for (size_t p = 0; p < r->c->nvalues; p++)
        if (r->marks[p])
            list[count++] = (uint32_t) p;
    mean_list(r->c, reading, list, count, m);
    return KANON_OK;
}

/* A member of a set: a value, a label, an interval. Of several pieces joined only the first two: 54, 86 is
 * no interval within a set. */
static bool
read_member(const reader *r, kn_str text, size_t joined)
{
    kn_meaning m;

    if (kn_is_missing(r->compare->missing, r->compare->config->nmissing, text)
        && r->c->missing != KN_NO_CODE)
        mean_one(r->c, KN_READ_MISSING, r->c->missing, &m);
    else if (!read_label(r, text, &m) && !read_value(r, text, &m)
             && (joined || (!read_number(r, text, &m) && !read_interval(r, text, &m))))
        return false;
    for (size_t i = 0; i < m.count; i++)
        r->marks[m.list ? m.list[i] : m.from + i] = 1;
    return m.reading != KN_READ_NUMBER;
}

/* Where the piece of text that begins at `from` and holds `joined` separators ends. */
static size_t
piece_end(kn_str text, size_t from, char separator, size_t joined)
{
    size_t at = from;

    for (; at < text.len; at++)
        if (text.ptr[at] == separator && joined-- == 0)
            break;
    return at;
}

/* Members may hold the separator: the longest piece that is a value wins. */
static bool
read_members(const reader *r, kn_str text, char separator)
{
    for (size_t at = 0; at < text.len;) {
        bool   found = false;
        size_t end = at;

        for (size_t joined = JOINED_MOST; !found && joined-- > 0;) {
            end = piece_end(text, at, separator, joined);
            found = read_member(r, kn_str_trim((kn_str){ text.ptr + at, end - at }), joined);
        }
        if (!found)
            return false;
        at = end + 1;
    }
    return true;
}

static bool
read_set(const reader *r, kn_str text, kanon_status *rc, kn_meaning *m)
{
    kn_str inside;
    char   separator;

    if (!kn_form_set(text, &inside, &separator))
        return false;
    memset(r->marks, 0, r->c->nvalues);
    if (!read_members(r, inside, separator))
        return false;
    *rc = mean_marks(r, KN_READ_SET, m);
    return true;
}

static bool
read_hidden(const reader *r, kn_str text, kanon_status *rc, kn_meaning *m)
{
    size_t found = 0;

    if (!kn_form_hidden(text))
        return false;
    for (int any = 0; any < 2 && !found; any++)
        for (size_t p = 0; p < r->c->nvalues; p++) {
            r->marks[p] = p != r->c->missing
                       && (any ? kn_hidden_fits_any(text, r->c->values[p])
                               : kn_hidden_fits(text, r->c->values[p]));
            found += r->marks[p];
        }
    if (!found)
        return false;
    *rc = mean_marks(r, KN_READ_PATTERN, m);
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static kanon_status
read_text(const reader *r, size_t index, kn_meaning *m)
{
    const kn_compare_column *c = r->c;
    kn_str                   whole = c->texts[index], text = kn_str_trim(whole);
    kanon_status             rc = KANON_OK;
    bool                     missing = index == c->text_missing;

    if (kn_str_equal(text, KN_STR("*")) || (missing && c->missing == KN_NO_CODE))
        mean_all(c, KN_READ_ALL, m);
    else if (missing)
        mean_one(c, KN_READ_MISSING, c->missing, m);
    else if (!read_label(r, whole, m) && !read_value(r, whole, m) && !read_label(r, text, m)
             && !read_value(r, text, m) && !read_number(r, text, m) && !read_interval(r, text, m)
             && !read_set(r, text, &rc, m) && !read_hidden(r, text, &rc, m))
        mean_all(c, KN_READ_UNKNOWN, m);
    return rc;
}

static kanon_status
begin(reader *r, kn_compare *compare, kn_compare_column *c)
{
    kanon_status rc = KANON_OK;

    memset(r, 0, sizeof *r);
    r->compare = compare;
    r->c = c;
    r->level = SIZE_MAX;
    r->marks = KN_NEW_ARRAY(compare->ctx, uint8_t, c->nvalues + 1);
    if (!r->marks)
        return KANON_E_NOMEM;
    if (!c->hierarchy)
        return KANON_OK;
    r->levels = KN_NEW_ARRAY(compare->ctx, level_index, c->hierarchy->nlevels);
    if (!r->levels)
        return KANON_E_NOMEM;
    for (; r->nlevels < c->hierarchy->nlevels; r->nlevels++)
        KN_TRY(index_level(r, &c->hierarchy->levels[r->nlevels], &r->levels[r->nlevels]));
    r->level = find_level(r);
out:
    return rc;
}

static void
end(reader *r)
{
    for (size_t l = 0; r->levels && l < r->c->hierarchy->nlevels; l++)
        kn_dict_free(r->levels[l].labels);
    kn_free(r->compare->ctx, r->levels);
    kn_free(r->compare->ctx, r->marks);
}

static kanon_status
understand_column(kn_compare *compare, kn_compare_column *c)
{
    kanon_status rc = KANON_OK;
    reader       r;

    KN_TRY(begin(&r, compare, c));
    c->meanings = kn_compare_array(compare, c->ntexts, sizeof *c->meanings);
    KN_TRY(KN_HAVE(c->meanings));
    for (size_t i = 0; i < c->ntexts; i++)
        KN_TRY(read_text(&r, i, &c->meanings[i]));
out:
    end(&r);
    return rc;
}

kanon_status
kn_compare_understand(kn_compare *compare)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; i < compare->ncolumns && rc == KANON_OK; i++)
        rc = understand_column(compare, &compare->columns[i]);
    return rc;
}
