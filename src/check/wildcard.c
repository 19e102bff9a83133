/* SPDX-License-Identifier: Apache-2.0 */
/* wildcard.c -- k in the reading in which a missing value matches anything (sdcMicro's).
 * A row matches another iff in every quasi-identifier both have the same value or one has none, however
 * that is spelled. The classes are sorted by their pattern, the set of quasi-identifiers they miss; two
 * patterns are compared on the columns that both have, by hashing each class once. Exact: hashes find, codes
 * decide. Cost: O(patterns * classes * columns), never quadratic in the rows. */
#include "check/checked.h"

#include "base/hash.h"

enum { PATTERNS_MOST = 4096, WORD_BITS = 64 };

typedef struct entry {
    size_t   tuple;        /* one that has this projection */
    uint64_t small, large; /* rows of either pattern that have it */
    bool     used;
} entry;

typedef struct matcher {
    const kn_check_table *table;
    kn_dict              *patterns; /* the bit sets, as bytes */
    size_t                words;    /* of a bit set */
    uint64_t             *bits;     /* [words] scratch */
    uint32_t             *pattern;  /* [classes] */
    size_t               *order;    /* [classes] sorted by pattern */
    size_t               *start;    /* [patterns + 1] into order */
    uint64_t             *matches;  /* [classes] rows that match each class, itself included */
    entry                *entries;  /* projections of the two patterns at hand */
    uint32_t             *slot;     /* [classes] where its projection lies */
    size_t               *shared;   /* [columns] that both patterns have */
    size_t                nshared;
    uint32_t             *codes; /* [columns] scratch */
} matcher;

static void
matcher_fini(matcher *m)
{
    kanon_ctx *ctx = m->table->ctx;

    kn_dict_free(m->patterns);
    kn_free(ctx, m->bits);
    kn_free(ctx, m->pattern);
    kn_free(ctx, m->order);
    kn_free(ctx, m->start);
    kn_free(ctx, m->matches);
    kn_free(ctx, m->entries);
    kn_free(ctx, m->slot);
    kn_free(ctx, m->shared);
    kn_free(ctx, m->codes);
}

static kanon_status
matcher_init(matcher *m)
{
    const kn_check_table *table = m->table;
    size_t                slots = 16;

    while (slots < 2 * table->nclasses)
        slots *= 2; /* all classes may have one pattern */
    if (table->nclasses > UINT32_MAX / 4)
        return kn_fail(table->ctx, KANON_E_UNSUPPORTED,
                       "wildcard: %zu distinct rows; the maximum is %u", table->nclasses,
                       UINT32_MAX / 4);
    m->words = (table->nquasi + WORD_BITS - 1) / WORD_BITS;
    m->bits = KN_NEW_ARRAY(table->ctx, uint64_t, m->words);
    m->pattern = KN_NEW_ARRAY(table->ctx, uint32_t, table->nclasses);
    m->order = KN_NEW_ARRAY(table->ctx, size_t, table->nclasses);
    m->matches = KN_NEW_ARRAY(table->ctx, uint64_t, table->nclasses);
    m->entries = KN_NEW_ARRAY(table->ctx, entry, slots);
    m->slot = KN_NEW_ARRAY(table->ctx, uint32_t, table->nclasses);
    m->shared = KN_NEW_ARRAY(table->ctx, size_t, table->nquasi);
    m->codes = KN_NEW_ARRAY(table->ctx, uint32_t, table->nquasi);
    if (!m->bits || !m->pattern || !m->order || !m->matches || !m->entries || !m->slot || !m->shared
        || !m->codes)
        return KANON_E_NOMEM;
    return kn_dict_new(table->ctx, &m->patterns);
}

/* --- patterns ---------------------------------------------------------------------------------- */

static kanon_status
find_pattern(matcher *m, size_t class, kn_check_wildcard *found)
{
    const kn_check_table *table = m->table;
    kn_str                key = { (const char *) m->bits, m->words * sizeof *m->bits };
    kanon_status          rc;
    bool                  missing = false;

    memset(m->bits, 0, key.len);
    for (size_t i = 0; i < table->nquasi; i++)
        if (table->columns[i]
                .absent[kn_tuples_code(table->tuples, table->classes[class].tuple, i)]) {
            m->bits[i / WORD_BITS] |= UINT64_C(1) << i % WORD_BITS;
            missing = true;
        }
    if (missing)
        found->missing_rows += table->classes[class].rows;
    rc = kn_dict_add(m->patterns, key, &m->pattern[class]);
    if (rc < 0)
        return rc;
    if (kn_dict_count(m->patterns) > PATTERNS_MOST)
        return kn_fail(table->ctx, KANON_E_UNSUPPORTED,
                       "wildcard: more than %d distinct sets of missing quasi-identifiers; remove "
                       "--wildcard or name fewer quasi-identifiers",
                       PATTERNS_MOST);
    return KANON_OK;
}

static kanon_status
sort_by_pattern(matcher *m, kn_check_wildcard *found)
{
    size_t npatterns;

    for (size_t c = 0; c < m->table->nclasses; c++) {
        kanon_status rc = find_pattern(m, c, found);

        if (rc < 0)
            return rc;
    }
    npatterns = found->patterns = kn_dict_count(m->patterns);
    m->start = KN_NEW_ARRAY(m->table->ctx, size_t, npatterns + 2);
    if (!m->start)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < m->table->nclasses; c++)
        m->start[m->pattern[c] + 2]++;
    for (size_t p = 2; p < npatterns + 2; p++)
        m->start[p] += m->start[p - 1];
    for (size_t c = 0; c < m->table->nclasses; c++)
        m->order[m->start[m->pattern[c] + 1]++] = c;
    return KANON_OK;
}

static bool
pattern_misses(const matcher *m, uint32_t pattern, size_t column)
{
    uint64_t word;

    memcpy(&word, kn_dict_value(m->patterns, pattern).ptr + column / WORD_BITS * sizeof word,
           sizeof word);
    return word >> column % WORD_BITS & 1;
}

static void
share_columns(matcher *m, uint32_t a, uint32_t b)
{
    m->nshared = 0;
    for (size_t i = 0; i < m->table->nquasi; i++)
        if (!pattern_misses(m, a, i) && !pattern_misses(m, b, i))
            m->shared[m->nshared++] = i;
}

/* --- one pair of patterns ------------------------------------------------------------------------ */

static bool
same_projection(const matcher *m, size_t tuple)
{
    for (size_t i = 0; i < m->nshared; i++)
        if (kn_tuples_code(m->table->tuples, tuple, m->shared[i]) != m->codes[i])
            return false;
    return true;
}

/* The entry of a class's projection, or the free one where it belongs. */
static size_t
find_entry(matcher *m, size_t class, size_t mask)
{
    size_t tuple = m->table->classes[class].tuple, at;

    for (size_t i = 0; i < m->nshared; i++)
        m->codes[i] = kn_tuples_code(m->table->tuples, tuple, m->shared[i]);
    at = (size_t) kn_hash_seeded(m->codes, m->nshared * sizeof *m->codes,
                                 kn_ctx_hash_seed(m->table->ctx))
       & mask;
    while (m->entries[at].used && !same_projection(m, m->entries[at].tuple))
        at = (at + 1) & mask;
    return at;
}

/* Adds up the rows of a pattern by their projections. @return the slots of the table */
static size_t
hash_pattern(matcher *m, uint32_t pattern)
{
    size_t count = m->start[pattern + 1] - m->start[pattern], slots = 16;

    while (slots < count * 2)
        slots *= 2;
    memset(m->entries, 0, slots * sizeof *m->entries);
    for (size_t i = m->start[pattern]; i < m->start[pattern + 1]; i++) {
        size_t class = m->order[i], at = find_entry(m, class, slots - 1);

        m->entries[at].used = true;
        m->entries[at].tuple = m->table->classes[class].tuple;
        m->entries[at].small += m->table->classes[class].rows;
        m->slot[class] = (uint32_t) at;
    }
    return slots;
}

/* Classes of one pattern match when they differ in nothing but how a missing value is spelled. */
static void
match_within(matcher *m, uint32_t pattern)
{
    share_columns(m, pattern, pattern);
    hash_pattern(m, pattern);
    for (size_t i = m->start[pattern]; i < m->start[pattern + 1]; i++)
        m->matches[m->order[i]] = m->entries[m->slot[m->order[i]]].small;
}

/* The projections of the smaller pattern are hashed, those of the larger looked up: the table stays as
 * small as it can be, and with it the cache misses. */
static void
match_pair(matcher *m, uint32_t small, uint32_t large)
{
    size_t slots;

    share_columns(m, small, large);
    slots = hash_pattern(m, small);
    for (size_t i = m->start[large]; i < m->start[large + 1]; i++) {
        size_t class = m->order[i], at = find_entry(m, class, slots - 1);

        if (m->entries[at].used) {
            m->entries[at].large += m->table->classes[class].rows;
            m->matches[class] += m->entries[at].small;
        }
    }
    for (size_t i = m->start[small]; i < m->start[small + 1]; i++)
        m->matches[m->order[i]] += m->entries[m->slot[m->order[i]]].large;
}

/* --- all ------------------------------------------------------------------------------------------ */

static kanon_status
match_all(matcher *m)
{
    uint32_t       npatterns = kn_dict_count(m->patterns);
    kanon_progress now = { sizeof now, "match", 0, 0, 0, -1, -1 };

    for (uint32_t p = 0; p < npatterns; p++)
        match_within(m, p);
    for (uint32_t a = 0; a < npatterns; a++)
        for (uint32_t b = a + 1; b < npatterns; b++) {
            kanon_status rc = kn_progress(m->table->ctx, &now);

            if (rc < 0)
                return rc;
            if (m->start[a + 1] - m->start[a] < m->start[b + 1] - m->start[b])
                match_pair(m, a, b);
            else
                match_pair(m, b, a);
            now.fraction = (a + (double) (b - a) / (npatterns - a)) / npatterns;
        }
    return KANON_OK;
}

kanon_status
kn_check_match_wildcards(const kn_check_table *table, kanon_check *check)
{
    kanon_status rc = KANON_OK;
    matcher      m = { .table = table };

    check->wildcard.asked = true;
    KN_TRY(matcher_init(&m));
    KN_TRY(sort_by_pattern(&m, &check->wildcard));
    KN_TRY(match_all(&m));
    for (size_t c = 0; c < table->nclasses; c++) {
        if (!c || m.matches[c] < check->wildcard.k)
            check->wildcard.k = m.matches[c];
        if (m.matches[c] == 1)
            check->wildcard.uniques++;
    }
out:
    matcher_fini(&m);
    return rc;
}
