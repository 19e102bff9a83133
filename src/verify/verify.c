/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c -- the independent check of a release.
 * Counting classes shares nothing with dictionaries, tuples, hierarchies, grouping or search: it sees the
 * text of the cells.
 * A class is known by the 128-bit keyed hash (SipHash-2-4) of its quasi-identifier cells, each with its
 * length in front. Two classes that fell together would hide a small one; with a key that is not known to
 * whoever wrote the table that has a chance of 2^-64 even for 2^32 classes. Models are judged by audit.c
 * from the text of the released cells; what the original table's values were, how frequent, and
 * in which order or hierarchy, comes with the claim, since no release tells that: an error in learning them
 * would deceive search and check alike.
 * Cost: one pass; memory for the released classes, which are at most rows / k, and for the different
 * values of each where there are models. */
#include "verify/verify.h"

#include <sodium.h>

#include "base/keyset.h"
#include "base/text.h"

enum { SLOTS_LEAST = 1024, PROGRESS_ROWS = 4096 };

typedef struct entry {
    uint64_t name[2]; /* the hash */
    uint64_t rows;    /* 0: free */
    uint64_t people;  /* of the population that it may stand for */
    uint32_t number;  /* in the order of appearance */
} entry;

typedef struct counter {
    kanon_ctx *ctx;
    entry     *entries;
    size_t     count, mask;
    uint8_t    key[crypto_shorthash_siphashx24_KEYBYTES];
    kn_text    cells;
    kn_audit  *audit;  /* NULL: there are no models */
    uint32_t  *values; /* [columns of the rules] of a row */
    kn_keyset *shown;  /* hashes of what limited columns may show; NULL: none is limited */
} counter;

static kanon_status
failed(kanon_ctx *ctx, const char *what, uint64_t found, uint64_t expected)
{
    return kn_fail(ctx, KANON_E_VERIFY,
                   "the release failed its verification and was discarded: %s %llu, expected %llu",
                   what, (unsigned long long) found, (unsigned long long) expected);
}

/* Not by libsodium, which ends the process if there are no random bytes. */
static kanon_status
choose_key(counter *c)
{
    int error = kn_random_bytes(c->key, sizeof c->key);

    return error ? kn_fail_errno(c->ctx, NULL, "random bytes for the check of the release", error)
                 : KANON_OK;
}

static size_t
place(const counter *c, const uint64_t name[2])
{
    size_t at = (size_t) name[0] & c->mask;

    while (c->entries[at].rows
           && (c->entries[at].name[0] != name[0] || c->entries[at].name[1] != name[1]))
        at = (at + 1) & c->mask;
    return at;
}

static kanon_status
grow(counter *c)
{
    size_t old = c->mask + 1;
    entry *before = c->entries;

    c->entries = KN_NEW_ARRAY(c->ctx, entry, old * 2);
    if (!c->entries) {
        c->entries = before;
        return KANON_E_NOMEM;
    }
    c->mask = old * 2 - 1;
    for (size_t i = 0; i < old; i++)
        if (before[i].rows)
            c->entries[place(c, before[i].name)] = before[i];
    kn_free(c->ctx, before);
    return KANON_OK;
}

/* The class of quasi-identifier cells, under the hash of their text: the place of its entry. places NULL: the
 * cells stand one after the other. */
static kanon_status
find_class(counter *c, const kn_str *cells, const size_t *places, size_t count, size_t *at)
{
    uint64_t name[2];

    c->cells.len = 0;
    for (size_t i = 0; i < count; i++)
        kn_text_add_framed(&c->cells, cells[places ? places[i] : i]);
    if (kn_text_status(&c->cells) < 0)
        return KANON_E_NOMEM;
    crypto_shorthash_siphashx24((unsigned char *) name, (const unsigned char *) c->cells.ptr,
                                c->cells.len, c->key);
    *at = place(c, name);
    if (!c->entries[*at].rows)
        c->entries[*at] = (entry){ .name = { name[0], name[1] } };
    return KANON_OK;
}

/* The values of a row that models look at. Each must be one of the original table's. */
static kanon_status
count_values(counter *c, const kn_claim *claim, const kn_str *cells, const entry *class,
             uint64_t weight)
{
    for (size_t i = 0; i < claim->rules->ncolumns; i++) {
        c->values[i] = kn_audit_value(c->audit, i, cells[claim->rules->columns[i].place]);
        if (c->values[i] == KN_NO_CODE)
            return kn_fail(c->ctx, KANON_E_VERIFY,
                           "the release failed its verification and was discarded: a sensitive "
                           "value is not in the table");
    }
    return kn_audit_add(c->audit, class->number, c->values, weight);
}

static kanon_status
count_row(counter *c, const kn_claim *claim, const kn_str *cells, uint64_t weight)
{
    kanon_status rc = KANON_OK;
    size_t       at;

    KN_TRY(find_class(c, cells, claim->quasi, claim->nquasi, &at));
    if (!c->entries[at].rows)
        c->entries[at].number = (uint32_t) c->count++;
    c->entries[at].rows += weight;
    if (c->audit)
        KN_TRY(count_values(c, claim, cells, &c->entries[at], weight));
    if ((c->count + 1) * 3 > (c->mask + 1) * 2)
        KN_TRY(grow(c));
out:
    return rc;
}

/* --- models ------------------------------------------------------------------------------------------- */

/* Whom each class may stand for. Somebody of the population whom no class may stand for is known to be
 * absent, which a least presence above 0 forbids. */
static kanon_status
count_people(counter *c, const kn_claim *claim)
{
    kanon_status          rc = KANON_OK;
    const kn_audit_rules *rules = claim->rules;
    kn_str               *cells = KN_NEW_ARRAY(c->ctx, kn_str, claim->nquasi);
    uint64_t              people, all = 0;
    size_t                at;

    if (!cells)
        return KANON_E_NOMEM;
    for (size_t i = 0; rules->person && rules->person(rules->user, i, cells, &people); i++) {
        KN_TRY(find_class(c, cells, NULL, claim->nquasi, &at));
        c->entries[at].people += c->entries[at].rows ? people : 0;
        all += people;
        for (size_t r = 0; !c->entries[at].rows && r < rules->nrules; r++)
            if (kn_audit_forbids_absence(&rules->rules[r])) {
                rc = failed(c->ctx, "people who are known to be absent:", people, 0);
                goto out;
            }
    }
    for (size_t i = 0; i < claim->nquasi; i++)
        cells[i] = KN_STR("*");
    KN_TRY(find_class(c, cells, NULL, claim->nquasi, &at));
    if (claim->masked && c->entries[at].rows) /* masked rows may be anybody's */
        c->entries[at].people = all;
out:
    kn_free(c->ctx, cells);
    return rc;
}

static kanon_status
judge_class(counter *c, const kn_audit_rules *rules, const entry *e, double *reached, bool *fails)
{
    kn_audit_judge(c->audit, e->number, e->rows, e->people, reached, fails);
    for (size_t r = 0; r < rules->nrules; r++)
        if (fails[r])
            return kn_fail(c->ctx, KANON_E_VERIFY,
                           "the release failed its verification and was discarded: %s%s%s%s is "
                           "%.9g in a class, expected %.9g",
                           rules->rules[r].class->name, rules->rules[r].name ? " of '" : "",
                           rules->rules[r].name ? rules->rules[r].name : "",
                           rules->rules[r].name ? "'" : "", reached[r],
                           kn_audit_rule_bound(&rules->rules[r], reached[r]));
    return KANON_OK;
}

static kanon_status
judge_models(counter *c, const kn_claim *claim)
{
    kanon_status rc = KANON_OK;
    double      *reached = KN_NEW_ARRAY(c->ctx, double, claim->rules->nrules);
    bool        *fails = KN_NEW_ARRAY(c->ctx, bool, claim->rules->nrules);

    KN_TRY(KN_HAVE(reached && fails));
    KN_TRY(kn_audit_seal(c->audit, c->count));
    KN_TRY(count_people(c, claim));
    for (size_t i = 0; i <= c->mask; i++)
        if (c->entries[i].rows)
            KN_TRY(judge_class(c, claim->rules, &c->entries[i], reached, fails));
out:
    kn_free(c->ctx, reached);
    kn_free(c->ctx, fails);
    return rc;
}

static kanon_status
open_models(counter *c, const kn_claim *claim)
{
    if (!claim->rules || !claim->rules->nrules)
        return KANON_OK;
    c->values = KN_NEW_ARRAY(c->ctx, uint32_t, claim->rules->ncolumns);
    if (!c->values)
        return KANON_E_NOMEM;
    return kn_audit_new(c->ctx, claim->rules, &c->audit);
}

/* --- levels ------------------------------------------------------------------------------------------- */

/* A text that a limited column may show, by the keyed hash of the column's number and the text. */
static kanon_status
name_shown(counter *c, size_t column, kn_str text, uint64_t name[2])
{
    c->cells.len = 0;
    kn_text_add(&c->cells, (kn_str){ (const char *) &column, sizeof column });
    kn_text_add(&c->cells, text);
    if (kn_text_status(&c->cells) < 0)
        return KANON_E_NOMEM;
    crypto_shorthash_siphashx24((unsigned char *) name, (const unsigned char *) c->cells.ptr,
                                c->cells.len, c->key);
    return KANON_OK;
}

static kanon_status
open_shown(counter *c, const kn_claim *claim)
{
    kanon_status rc = KANON_OK;
    uint64_t     name[2];
    size_t       number;

    if (!claim->nshown)
        return KANON_OK;
    KN_TRY(kn_keyset_new(c->ctx, sizeof name, &c->shown));
    for (size_t i = 0; i < claim->nshown; i++)
        for (size_t t = 0; t < claim->shown[i].count; t++) {
            KN_TRY(name_shown(c, i, claim->shown[i].texts[t], name));
            KN_TRY(kn_keyset_add(c->shown, name, &number));
        }
out:
    return rc;
}

static bool
is_masked(const kn_claim *claim, const kn_str *cells)
{
    for (size_t i = 0; i < claim->nquasi; i++)
        if (!kn_str_equal(cells[claim->quasi[i]], KN_STR("*")))
            return false;
    return claim->masked;
}

/* Masked rows have no level. */
static kanon_status
check_shown(counter *c, const kn_claim *claim, const kn_str *cells)
{
    kanon_status rc = KANON_OK;
    uint64_t     name[2];

    for (size_t i = 0; i < claim->nshown; i++) {
        KN_TRY(name_shown(c, i, cells[claim->shown[i].place], name));
        if (kn_keyset_find(c->shown, name) == SIZE_MAX && !is_masked(claim, cells)) {
            rc = kn_fail(c->ctx, KANON_E_VERIFY,
                         "the release failed its verification and was discarded: column %zu shows "
                         "a value that is at no allowed level",
                         claim->shown[i].place + 1);
            goto out;
        }
    }
out:
    return rc;
}

static kanon_status
check_coded(counter *c, const kn_claim *claim, const kn_str *cells)
{
    for (size_t i = 0; i < claim->nnumbers; i++)
        if (!kn_verify_number(claim, &claim->numbers[i], cells[claim->numbers[i].place]))
            return kn_fail(c->ctx, KANON_E_VERIFY,
                           "the release failed its verification and was discarded: column %zu "
                           "shows a number that is not rounded, or beyond its bounds",
                           claim->numbers[i].place + 1);
    for (size_t i = 0; i < claim->npseudonyms; i++)
        if (!kn_verify_pseudonym(claim, &claim->pseudonyms[i], cells[claim->pseudonyms[i].place]))
            return kn_fail(c->ctx, KANON_E_VERIFY,
                           "the release failed its verification and was discarded: column %zu "
                           "shows an identifier that is not a pseudonym",
                           claim->pseudonyms[i].place + 1);
    return KANON_OK;
}

static bool
follows_rules(const kn_claim *claim, const kn_str *cells)
{
    for (size_t i = 0; i < claim->nruled; i++) {
        kn_str cell = cells[claim->ruled[i].place];
        bool   missing = false;

        for (size_t m = 0; m < claim->nmissing; m++)
            missing = missing || kn_str_equal(cell, claim->missing[m]);
        if (!missing && !kn_cell_allowed(claim->ruled[i].rule, cell, claim->ruled[i].year))
            return false;
    }
    return true;
}

static bool
starred(const kn_claim *claim, const kn_str *cells)
{
    for (size_t i = 0; i < claim->nstarred; i++)
        if (!kn_str_equal(cells[claim->starred[i]], KN_STR("*")))
            return false;
    return true;
}

/* For how many rows a released row says to stand: a whole number, and not none. */
static kanon_status
read_weight(counter *c, const kn_claim *claim, const kn_str *cells, uint64_t *weight)
{
    kn_str   text = kn_str_trim(cells[claim->count]);
    uint64_t number = 0;

    for (size_t i = 0; i < text.len; i++) {
        unsigned digit = (unsigned char) text.ptr[i] - (unsigned) '0';

        if (digit > 9 || number > (UINT64_MAX - digit) / 10)
            return kn_fail(c->ctx, KANON_E_VERIFY,
                           "the release failed its check and was discarded: a count is no whole "
                           "number");
        number = number * 10 + digit;
    }
    *weight = number;
    return number ? KANON_OK : failed(c->ctx, "a row stands for rows", 0, 1);
}

static kanon_status
read_release(counter *c, kn_rows *rows, const kn_claim *claim, uint64_t *stands_for)
{
    kanon_status   rc = KANON_OK;
    kanon_progress progress = { sizeof progress, "verify", -1, 0, 0, -1, -1 };
    const kn_str  *cells;
    uint64_t       weight = 1;

    for (uint64_t count = 0;; count++) {
        KN_TRY(kn_rows_next(rows, &cells));
        if (!cells && count != claim->records)
            rc = failed(c->ctx, "rows", count, claim->records);
        if (!cells)
            break;
        if (!starred(claim, cells)) {
            rc = kn_fail(c->ctx, KANON_E_VERIFY,
                         "the release failed its verification and was discarded: an identifier is "
                         "not masked");
            goto out;
        }
        if (!follows_rules(claim, cells)) {
            rc = kn_fail(c->ctx, KANON_E_VERIFY,
                         "the release failed its verification and was discarded: a cell shows more "
                         "than the profile allows");
            goto out;
        }
        KN_TRY(check_shown(c, claim, cells));
        KN_TRY(check_coded(c, claim, cells));
        if (claim->count != SIZE_MAX)
            KN_TRY(read_weight(c, claim, cells, &weight));
        if (weight > UINT64_MAX - *stands_for) {
            rc = failed(c->ctx, "rows above", UINT64_MAX, claim->rows);
            goto out;
        }
        *stands_for += weight;
        KN_TRY(count_row(c, claim, cells, weight));
        if (count % PROGRESS_ROWS == 0) {
            progress.rows = count;
            progress.fraction = claim->records ? (double) count / (double) claim->records : -1;
            KN_TRY(kn_progress(c->ctx, &progress));
        }
    }
out:
    return rc;
}

kanon_status
kn_verify(kanon_ctx *ctx, kn_rows_source *back, const kn_claim *claim, uint8_t hash[KN_HASH_BYTES])
{
    kanon_status rc = KANON_OK;
    kn_rows     *rows = NULL;
    counter      c;
    uint64_t     stands_for = 0;

    memset(&c, 0, sizeof c);
    c.ctx = ctx;
    c.mask = SLOTS_LEAST - 1;
    kn_text_init(&c.cells, ctx);
    KN_TRY(choose_key(&c));
    c.entries = KN_NEW_ARRAY(ctx, entry, SLOTS_LEAST);
    KN_TRY(KN_HAVE(c.entries));
    KN_TRY(open_models(&c, claim));
    KN_TRY(open_shown(&c, claim));
    KN_TRY(kn_rows_open(back, ctx, &rows));
    if (kn_rows_columns(rows) != claim->ncolumns) {
        rc = failed(ctx, "columns", kn_rows_columns(rows), claim->ncolumns);
        goto out;
    }
    KN_TRY(read_release(&c, rows, claim, &stands_for));
    if (stands_for != claim->rows)
        rc = failed(ctx, "rows", stands_for, claim->rows);
    else if (claim->nquasi && c.count != claim->classes)
        rc = failed(ctx, "classes", c.count, claim->classes);
    for (size_t i = 0; rc == KANON_OK && i <= c.mask; i++)
        if (c.entries[i].rows && c.entries[i].rows < claim->k)
            rc = failed(ctx, "a class has rows", c.entries[i].rows, claim->k);
    KN_TRY(rc);
    if (c.audit)
        KN_TRY(judge_models(&c, claim));
    kn_rows_digest(rows, hash);
out:
    kn_rows_close(rows);
    kn_audit_free(c.audit);
    kn_keyset_free(c.shown);
    kn_free(ctx, c.values);
    kn_text_fini(&c.cells);
    kn_free(ctx, c.entries);
    return rc;
}
