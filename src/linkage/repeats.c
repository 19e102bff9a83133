/* SPDX-License-Identifier: Apache-2.0 */
/* repeats.c -- how many pairs of rows would agree in all quasi-identifiers by chance. The chance that two
 * people agree is taken column by column, from the one that tells people apart best: for each further one the
 * greatest chance given any one of those before it, so that an age behind a birth date, or a county behind a
 * postcode, takes nothing off. The chances are counted among distinct tuples, which persons with many rows
 * hardly distort. That is too few where many people share a tuple, as in tables of a few coarse columns;
 * there so many pairs are expected that nothing is concluded. Nor is it where one column tells all tuples
 * apart and hardly another one says more, such as an age alone or a postcode with its county: distinct tuples
 * then never agree in it, however many people do. */
#include "linkage/repeats.h"

#include "base/sort.h"
#include "linkage/tally.h"

enum {
    TUPLES_MOST = 1 << 14, /* that chances are counted in */
    PAIRS_LEAST = 30,      /* that agree in a column before another one depends on it */
    ROWS_LEAST = 100
};

static const double REPEATED = 0.1; /* share of rows: below, they may be twins or double entries */
static const double BY_CHANCE = 0.02; /* pairs per row: with more, people do share their tuples */
static const double IMPROBABLE = 20;  /* times as many pairs as expected */
static const double FOLLOWS = 0.9; /* chance from which a column says nothing that others do not */
enum { FURTHER_LEAST = 2 };        /* columns that do, beside one that tells all tuples apart */

typedef struct chances {
    const kn_table *table;
    size_t          most;    /* tuples that are looked at, */
    size_t          count;   /* and those that are there */
    uint32_t       *codes;   /* [nquasi * most] */
    kn_link_codes  *columns; /* [nquasi] numbers of their values */
    double         *agree;   /* [nquasi] the chance that two tuples do */
    uint32_t       *pairs;   /* [most] scratch */
    uint64_t       *sizes;   /* [most] scratch */
    kn_link_tally   tally;
} chances;

/* Pairs of tuples with the same number. */
static double
count_pairs(chances *c, const uint32_t *ids)
{
    double pairs = 0;

    memset(c->sizes, 0, c->count * sizeof *c->sizes);
    for (size_t i = 0; i < c->count; i++)
        pairs += (double) c->sizes[ids[i]]++;
    return pairs;
}

static kanon_status
init_chances(chances *c, kanon_ctx *ctx)
{
    size_t nquasi = c->table->nquasi;

    c->codes = kn_alloc_array(ctx, nquasi, c->most * sizeof *c->codes);
    c->columns = KN_NEW_ARRAY(ctx, kn_link_codes, nquasi);
    c->agree = KN_NEW_ARRAY(ctx, double, nquasi);
    c->pairs = KN_NEW_ARRAY(ctx, uint32_t, c->most);
    c->sizes = KN_NEW_ARRAY(ctx, uint64_t, c->most);
    if (!c->codes || !c->columns || !c->agree || !c->pairs || !c->sizes)
        return KANON_E_NOMEM;
    return kn_link_tally_init(&c->tally, ctx, c->most);
}

static void
fini_chances(chances *c, kanon_ctx *ctx)
{
    kn_free(ctx, c->codes);
    kn_free(ctx, c->columns);
    kn_free(ctx, c->agree);
    kn_free(ctx, c->pairs);
    kn_free(ctx, c->sizes);
    kn_link_tally_fini(&c->tally);
}

/* Tuples by chance, since they are sorted and neighbours resemble each other. */
static void
take_tuples(chances *c)
{
    const kn_table *table = c->table;

    for (size_t t = 0; t < table->ntuples && c->count < c->most; t++) {
        if (c->most < table->ntuples && kn_hash_word(t) % table->ntuples >= c->most)
            continue;
        for (size_t q = 0; q < table->nquasi; q++)
            c->codes[q * c->most + c->count] = kn_codes_at(&table->quasi[q], t);
        c->count++;
    }
    for (size_t q = 0; q < table->nquasi; q++) {
        uint32_t *codes = c->codes + q * c->most;

        c->columns[q].of = codes;
        c->columns[q].domain = kn_link_number(&c->tally, (kn_link_codes){ c->pairs, 1 },
                                              (kn_link_codes){ codes, 0 }, c->count, codes);
        c->agree[q] = count_pairs(c, codes) / ((double) c->count * ((double) c->count - 1) / 2);
    }
}

static bool
tells_more(const size_t *a, const size_t *b, const void *context)
{
    const double *agree = context;

    return agree[*a] != agree[*b] ? agree[*a] < agree[*b] : *a < *b;
}
KN_DEFINE_SORT(sort_by_agreement, size_t, tells_more)

/* The chance that two people agree in all columns; 1 where the tuples do not tell. order[nquasi]: scratch. */
static double
chance(chances *c, size_t *order)
{
    size_t nquasi = c->table->nquasi, further = 0;
    double all = (double) c->count * ((double) c->count - 1) / 2, product = 1;

    for (size_t q = 0; q < nquasi; q++)
        order[q] = q;
    sort_by_agreement(order, nquasi, c->agree);
    for (size_t i = 0; i < nquasi; i++) {
        double most = c->agree[order[i]];

        for (size_t d = 0; d < i; d++) {
            double given = c->agree[order[d]] * all;
            double both;

            if (given < PAIRS_LEAST)
                continue;
            kn_link_number(&c->tally, c->columns[order[d]], c->columns[order[i]], c->count,
                           c->pairs);
            both = count_pairs(c, c->pairs);
            most = both / given > most ? both / given : most;
        }
        product *= most;
        further += i && most < FOLLOWS;
    }
    return product > 0 || further >= FURTHER_LEAST ? product : 1;
}

kanon_status
kn_link_repeats(kanon_ctx *ctx, const kn_table *table, kn_repeats *out)
{
    kanon_status rc = KANON_OK;
    chances      c = { .table = table, .tally.ctx = ctx };
    double       rows = (double) table->rows;
    size_t      *order = NULL;

    memset(out, 0, sizeof *out);
    for (size_t t = 0; t < table->ntuples; t++)
        if (table->weights[t] > 1) {
            out->rows += table->weights[t];
            out->pairs += (double) table->weights[t] * ((double) table->weights[t] - 1) / 2;
        }
    if (table->rows < ROWS_LEAST || table->ntuples < 2 || (double) out->rows < REPEATED * rows)
        return KANON_OK;
    c.most = table->ntuples < TUPLES_MOST ? table->ntuples : TUPLES_MOST;
    order = KN_NEW_ARRAY(ctx, size_t, table->nquasi);
    KN_TRY(KN_HAVE(order));
    KN_TRY(init_chances(&c, ctx));
    take_tuples(&c);
    out->expected = chance(&c, order) * rows * (rows - 1) / 2;
    out->improbable = out->expected <= BY_CHANCE * rows
                   && out->pairs >= IMPROBABLE * (out->expected + 1);
out:
    fini_chances(&c, ctx);
    kn_free(ctx, order);
    return rc;
}
