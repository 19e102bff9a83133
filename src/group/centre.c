/* SPDX-License-Identifier: Apache-2.0 */
/* centre.c -- mean, median and mode of the classes, column by column.
 * The rows are sorted by class once (counting sort), the codes of a class then by value.
 * Cost: O(columns * rows log(class size)); memory 8 bytes a row. */
#include "group/centre.h"

#include "base/sort.h"

#include <stdlib.h>

typedef struct centres {
    const kn_recipes *recipes;
    const kn_table   *table;
    size_t           *start;  /* [nclasses + 1] into order */
    uint32_t         *order;  /* tuples of the rows, class by class */
    uint64_t         *sorted; /* one class's values: key << 32 | code */
    uint64_t          k;
} centres;

static kanon_status
sort_rows(centres *c, const uint32_t *class_of)
{
    kanon_ctx *ctx = c->recipes->ctx;
    size_t     n = c->recipes->nclasses, row = 0, most = 0;
    size_t    *next;

    c->start = KN_NEW_ARRAY(ctx, size_t, n + 2);
    c->order = KN_NEW_ARRAY(ctx, uint32_t, (size_t) c->table->rows);
    if (!c->start || !c->order)
        return KANON_E_NOMEM;
    for (size_t r = 0; r < c->table->rows; r++)
        if (class_of[r] != KN_NO_CLASS)
            c->start[class_of[r] + 2]++;
    for (size_t i = 0; i < n; i++) {
        most = c->start[i + 2] > most ? c->start[i + 2] : most;
        c->start[i + 2] += c->start[i + 1];
    }
    next = c->start + 1; /* becomes start when every class has been filled */
    for (size_t t = 0; t < c->table->ntuples; t++)
        for (uint32_t i = 0; i < c->table->weights[t]; i++, row++)
            if (class_of[row] != KN_NO_CLASS)
                c->order[next[class_of[row]]++] = (uint32_t) t;
    c->sorted = KN_NEW_ARRAY(ctx, uint64_t, most);
    return c->sorted ? KANON_OK : KANON_E_NOMEM;
}

/* Of equals the first: the codes are sorted. */
static uint32_t
most_frequent(const uint64_t *sorted, size_t count)
{
    size_t best = 0, best_run = 0, run = 0;

    for (size_t i = 0; i < count; i++) {
        run = i && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        if (run > best_run) {
            best_run = run;
            best = i;
        }
    }
    return (uint32_t) sorted[best];
}

/* The codes of a class in order of their ranks (NULL: of themselves), without one of them. */
static size_t
collect(const centres *c, size_t class, size_t quasi, const uint32_t *ranks, uint32_t without)
{
    size_t count = 0;

    for (size_t i = c->start[class]; i < c->start[class + 1]; i++) {
        uint32_t code = kn_codes_at(&c->table->quasi[quasi], c->order[i]);

        if (code != without)
            c->sorted[count++] = (uint64_t) (ranks ? ranks[code] : 0) << 32 | code;
    }
    kn_sort_u64(c->sorted, count);
    return count;
}

/* 2^31 rows of at most KN_SCALED_MOST, ten times over. */
__extension__ typedef __int128 wide;

/* Half away from zero, as people round. A mean is at most KN_SCALED_MOST: ten times that is a uint64_t. */
static kn_centre
mean_of(const uint64_t *sorted, size_t count, const int64_t *scaled)
{
    wide     sum = 0, rows = count ? (wide) count : 1;
    uint64_t mean;

    for (size_t i = 0; i < count; i++)
        sum += scaled[(uint32_t) sorted[i]];
    mean = (uint64_t) (((sum < 0 ? -sum : sum) * 20 + rows) / (rows * 2));
    return (kn_centre){ .is_mean = true, .negative = sum < 0 && mean, .mean = mean };
}

static kn_centre
original(uint32_t code)
{
    return (kn_centre){ .code = code };
}

static kn_centre
centre_of(const centres *c, size_t class, size_t quasi, kn_local local)
{
    const kanon_hierarchy  *h = c->recipes->hierarchies[quasi];
    const kn_recipe_column *column = &c->recipes->columns[quasi];
    bool                    number = column->ranks && local != KN_LOCAL_MODE;
    size_t                  size = c->start[class + 1] - c->start[class];
    size_t                  count = collect(c, class, quasi, number ? column->ranks : NULL,
                           number ? h->missing : KN_NO_CODE);

    if (number && count < size && count < c->k)
        return original(count ? KN_NO_CODE : h->missing);
    if (number && local == KN_LOCAL_MEAN)
        return mean_of(c->sorted, count, column->scaled);
    if (number)
        return original((uint32_t) c->sorted[(count - 1) / 2]);
    return original(most_frequent(c->sorted, count));
}

kanon_status
kn_centres_new(const kn_recipes *recipes, const kn_table *table, const uint32_t *class_of,
               kn_local local, uint64_t k, kn_centre **out)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = recipes->ctx;
    centres      c = { recipes, table, NULL, NULL, NULL, k };

    assert(local != KN_LOCAL_INTERVAL);
    *out = kn_alloc_array(ctx, recipes->nclasses, recipes->nquasi * sizeof **out);
    if (!*out)
        return KANON_E_NOMEM;
    KN_TRY(sort_rows(&c, class_of));
    for (size_t q = 0; q < recipes->nquasi; q++)
        for (size_t class = 0; class < recipes->nclasses; class ++)
            (*out)[class * recipes->nquasi + q] = centre_of(&c, class, q, local);
out:
    kn_free(ctx, c.start);
    kn_free(ctx, c.order);
    kn_free(ctx, c.sorted);
    if (rc < 0) {
        kn_free(ctx, *out);
        *out = NULL;
    }
    return rc;
}

/* "37.40" says no more than "37.4". */
static void
trim_zeros(kn_text *text)
{
    while (text->len && text->ptr[text->len - 1] == '0')
        text->ptr[--text->len] = '\0';
    if (text->len && (text->ptr[text->len - 1] == '.' || text->ptr[text->len - 1] == ','))
        text->ptr[--text->len] = '\0';
}

void
kn_centre_spell(const kn_recipes *recipes, size_t quasi, const kn_centre *centre, kn_text *out)
{
    const kanon_hierarchy *h = recipes->hierarchies[quasi];
    const kn_level        *level = &h->levels[0];
    const kn_number_style *style = &recipes->columns[quasi].style;
    const char             digit[] = { (char) ('0' + centre->mean % 10), '\0' };

    assert(quasi < recipes->nquasi);
    if (!centre->is_mean && centre->code == KN_NO_CODE) {
        kn_text_add(out, h->levels[h->nlevels - 1].labels[0]);
        return;
    }
    if (!centre->is_mean) {
        kn_text_add(out, level->labels[level->group_of[centre->code]]);
        return;
    }
    kn_text_addz(out, centre->negative ? "-" : "");
    kn_text_add_scaled(out, style, (int64_t) (centre->mean / 10));
    kn_text_addz(out, style->decimals ? "" : style->comma ? "," : ".");
    kn_text_addz(out, digit); /* a long number leaves it no room in an int64_t */
    if (kn_text_status(out) == KANON_OK)
        trim_zeros(out);
}
