/* SPDX-License-Identifier: Apache-2.0 */
/* audit.c -- the values of classes, gathered as (class, value) pairs, and the models of each class judged by
 * their second implementation. Memory: the pairs that occur. Cost: O(1) a row and column, and what the
 * models take. */
#include "verify/audit.h"

#include "base/hash.h"

enum { SLOTS_LEAST = 256 };

/* Equal up to this is equal. */
static const double SAME = 1e-9;

/* The pairs of one column, and where each is. */
typedef struct pairs {
    kn_audit_pair *list;
    size_t         count, room;
    uint32_t      *slots; /* 1 + place in the list; 0: free */
    size_t         mask;
    uint64_t       seed;
    uint32_t      *names; /* 1 + value, by the hash of its text; 0: free */
    size_t         names_mask;
    size_t        *start;  /* [classes + 1] after sealing: where a class begins in the list */
    uint64_t      *counts; /* [nvalues] scratch of the class at hand */
    kn_audit_index index;
} pairs;

struct kn_audit {
    kanon_ctx            *ctx;
    const kn_audit_rules *rules;
    pairs                *columns; /* [ncolumns] */
    double   *scratch; /* of hierarchies: four numbers for each group of the widest level */
    size_t    width;   /* groups of that level */
    uint64_t *numbers; /* as many as the column with the most values has */
};

/* --- the values of a column --------------------------------------------------------------------------- */

static uint64_t
hash_text(const kn_audit *audit, kn_str text)
{
    return text.len ? kn_hash_seeded(text.ptr, text.len, kn_ctx_hash_seed(audit->ctx)) : 0;
}

static kanon_status
index_values(kn_audit *audit, size_t column)
{
    const kn_audit_rule_column *known = &audit->rules->columns[column];
    pairs                      *p = &audit->columns[column];
    size_t                      slots = 16;

    while (slots < known->nvalues * 2)
        slots *= 2;
    p->names = KN_NEW_ARRAY(audit->ctx, uint32_t, slots);
    p->slots = KN_NEW_ARRAY(audit->ctx, uint32_t, SLOTS_LEAST);
    p->counts = KN_NEW_ARRAY(audit->ctx, uint64_t, known->nvalues);
    if (!p->names || !p->slots || !p->counts)
        return KANON_E_NOMEM;
    p->mask = SLOTS_LEAST - 1;
    p->names_mask = slots - 1;
    for (uint32_t v = 0; v < known->nvalues; v++) {
        size_t at = (size_t) hash_text(audit, known->values[v]) & p->names_mask;

        if (v == known->missing)
            continue; /* known by its tokens */
        while (p->names[at])
            at = (at + 1) & p->names_mask;
        p->names[at] = v + 1;
    }
    return KANON_OK;
}

uint32_t
kn_audit_value(const kn_audit *audit, size_t column, kn_str cell)
{
    const kn_audit_rule_column *known = &audit->rules->columns[column];
    const pairs                *p = &audit->columns[column];
    size_t                      at = (size_t) hash_text(audit, cell) & p->names_mask;

    assert(column < audit->rules->ncolumns);
    for (size_t i = 0; i < audit->rules->nmissing; i++)
        if (!cell.ptr || kn_str_equal(audit->rules->missing[i], cell))
            return known->missing;
    for (; p->names[at]; at = (at + 1) & p->names_mask)
        if (kn_str_equal(known->values[p->names[at] - 1], cell))
            return p->names[at] - 1;
    return KN_NO_CODE;
}

/* --- making ------------------------------------------------------------------------------------------- */

/* Where values stand in the order, and what of the table stands before each place. */
static kanon_status
index_order(kn_audit *audit, size_t column)
{
    const kn_audit_rule_column *known = &audit->rules->columns[column];
    pairs                      *p = &audit->columns[column];

    if (!known->order)
        return KANON_OK;
    p->index.place = KN_NEW_ARRAY(audit->ctx, uint32_t, known->nvalues);
    p->index.before = KN_NEW_ARRAY(audit->ctx, uint64_t, known->nvalues + 1);
    p->index.moment = KN_NEW_ARRAY(audit->ctx, double, known->nvalues + 1);
    if (!p->index.place || !p->index.before || !p->index.moment)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < known->nvalues; i++) {
        uint64_t rows = known->rows[known->order[i]];

        p->index.place[known->order[i]] = (uint32_t) i;
        p->index.before[i + 1] = p->index.before[i] + rows;
        p->index.moment[i + 1] = p->index.moment[i] + (double) i * (double) rows;
    }
    return KANON_OK;
}

/* The table's share of every group. */
static kanon_status
index_groups(kn_audit *audit, size_t column)
{
    const kn_audit_rule_column *known = &audit->rules->columns[column];
    const kanon_hierarchy      *h = known->hierarchy;
    size_t                      room = 0;
    double                     *shares;

    for (size_t level = 0; h && level < h->nlevels; level++)
        room += h->levels[level].ngroups;
    if (!h)
        return KANON_OK;
    shares = audit->columns[column].index.shares = KN_NEW_ARRAY(audit->ctx, double, room);
    if (!shares)
        return KANON_E_NOMEM;
    for (size_t level = 0; level < h->nlevels; level++) {
        for (size_t v = 0; v < known->nvalues; v++)
            shares[h->levels[level].group_of[v]] += (double) known->rows[v]
                                                  / (double) audit->rules->rows;
        shares += h->levels[level].ngroups;
    }
    return KANON_OK;
}

static size_t
most_values(const kn_audit_rules *rules)
{
    size_t most = 1;

    for (size_t c = 0; c < rules->ncolumns; c++)
        most = rules->columns[c].nvalues > most ? rules->columns[c].nvalues : most;
    return most;
}

static size_t
widest(const kn_audit_rules *rules)
{
    size_t most = 1;

    for (size_t c = 0; c < rules->ncolumns; c++) {
        const kanon_hierarchy *h = rules->columns[c].hierarchy;

        for (size_t level = 0; h && level < h->nlevels; level++)
            most = h->levels[level].ngroups > most ? h->levels[level].ngroups : most;
    }
    return most;
}

kanon_status
kn_audit_new(kanon_ctx *ctx, const kn_audit_rules *rules, kn_audit **out)
{
    kanon_status rc = KANON_OK;
    kn_audit    *audit = KN_NEW(ctx, kn_audit);

    *out = NULL;
    if (!audit)
        return KANON_E_NOMEM;
    *audit = (kn_audit){ .ctx = ctx, .rules = rules };
    audit->columns = KN_NEW_ARRAY(ctx, pairs, rules->ncolumns);
    audit->width = widest(rules);
    audit->scratch = KN_NEW_ARRAY(ctx, double, 4 * audit->width);
    audit->numbers = KN_NEW_ARRAY(ctx, uint64_t, most_values(rules));
    KN_TRY(KN_HAVE(audit->columns && audit->scratch && audit->numbers));
    for (size_t c = 0; c < rules->ncolumns; c++) {
        audit->columns[c].seed = kn_ctx_hash_seed(ctx);
        KN_TRY(index_values(audit, c));
        KN_TRY(index_order(audit, c));
        KN_TRY(index_groups(audit, c));
    }
    *out = audit;
    audit = NULL; /* moved: the caller owns it now */
out:
    kn_audit_free(audit);
    return rc;
}

void
kn_audit_free(kn_audit *audit)
{
    if (!audit)
        return;
    for (size_t c = 0; audit->columns && c < audit->rules->ncolumns; c++) {
        pairs *p = &audit->columns[c];

        kn_free(audit->ctx, p->list);
        kn_free(audit->ctx, p->slots);
        kn_free(audit->ctx, p->names);
        kn_free(audit->ctx, p->start);
        kn_free(audit->ctx, p->counts);
        kn_free(audit->ctx, p->index.place);
        kn_free(audit->ctx, p->index.before);
        kn_free(audit->ctx, p->index.moment);
        kn_free(audit->ctx, p->index.shares);
    }
    kn_free(audit->ctx, audit->columns);
    kn_free(audit->ctx, audit->scratch);
    kn_free(audit->ctx, audit->numbers);
    kn_free(audit->ctx, audit);
}

/* --- gathering ---------------------------------------------------------------------------------------- */

static size_t
slot_of(const pairs *p, uint32_t class, uint32_t value)
{
    size_t at = (size_t) kn_hash_word(((uint64_t) class << 32 | value) ^ p->seed) & p->mask;

    while (
        p->slots[at]
        && (p->list[p->slots[at] - 1].class != class || p->list[p->slots[at] - 1].value != value))
        at = (at + 1) & p->mask;
    return at;
}

static kanon_status
widen(kn_audit *audit, pairs *p)
{
    size_t    slots = (p->mask + 1) * 2;
    uint32_t *fresh = KN_NEW_ARRAY(audit->ctx, uint32_t, slots);

    if (!fresh)
        return KANON_E_NOMEM;
    kn_free(audit->ctx, p->slots);
    p->slots = fresh;
    p->mask = slots - 1;
    for (size_t i = 0; i < p->count; i++)
        p->slots[slot_of(p, p->list[i].class, p->list[i].value)] = (uint32_t) i + 1;
    return KANON_OK;
}

static kanon_status
add_pair(kn_audit *audit, pairs *p, uint32_t class, uint32_t value, uint64_t rows)
{
    size_t at = slot_of(p, class, value);
    void  *list = p->list;

    if (p->slots[at]) {
        p->list[p->slots[at] - 1].rows += rows;
        return KANON_OK;
    }
    if (p->count >= UINT32_MAX - 1)
        return kn_fail(audit->ctx, KANON_E_UNSUPPORTED,
                       "more than 2^32 - 2 different values of classes");
    if (kn_grow(audit->ctx, &list, &p->room, p->count + 1, sizeof *p->list) < 0)
        return KANON_E_NOMEM;
    p->list = list;
    p->list[p->count++] = (kn_audit_pair){ rows, class, value };
    p->slots[at] = (uint32_t) p->count;
    return (p->count + 1) * 3 > (p->mask + 1) * 2 ? widen(audit, p) : KANON_OK;
}

kanon_status
kn_audit_add(kn_audit *audit, uint32_t class, const uint32_t *values, uint64_t rows)
{
    kanon_status rc = KANON_OK;

    assert(rows > 0);
    for (size_t c = 0; c < audit->rules->ncolumns; c++)
        KN_TRY(add_pair(audit, &audit->columns[c], class, values[c], rows));
out:
    return rc;
}

/* Counting sort of the pairs by class. */
static kanon_status
sort_pairs(kn_audit *audit, pairs *p, size_t nclasses)
{
    kn_audit_pair *sorted = KN_NEW_ARRAY(audit->ctx, kn_audit_pair, p->count);

    p->start = KN_NEW_ARRAY(audit->ctx, size_t, nclasses + 2);
    if (!sorted || !p->start) {
        kn_free(audit->ctx, sorted);
        return KANON_E_NOMEM;
    }
    for (size_t i = 0; i < p->count; i++)
        p->start[p->list[i].class + 2]++;
    for (size_t c = 2; c < nclasses + 2; c++)
        p->start[c] += p->start[c - 1];
    for (size_t i = 0; i < p->count; i++)
        sorted[p->start[p->list[i].class + 1]++] = p->list[i];
    kn_free(audit->ctx, p->list);
    p->list = sorted;
    return KANON_OK;
}

kanon_status
kn_audit_seal(kn_audit *audit, size_t nclasses)
{
    kanon_status rc = KANON_OK;

    for (size_t c = 0; c < audit->rules->ncolumns; c++)
        KN_TRY(sort_pairs(audit, &audit->columns[c], nclasses));
out:
    return rc;
}

/* --- judging ------------------------------------------------------------------------------------------- */

bool
kn_audit_rule_worse(const kn_audit_rule *rule, double a, double b)
{
    return rule->class->sense == KN_AT_LEAST ? a < b : a > b;
}

double
kn_audit_rule_bound(const kn_audit_rule *rule, double reached)
{
    return rule->class->both && reached < rule->second ? rule->second : rule->limit;
}

bool
kn_audit_forbids_absence(const kn_audit_rule *rule)
{
    return rule->class->guards == KN_GUARDS_PRESENCE && rule->class->both && rule->second > 0;
}

/* Written again, not taken from model.c: the audit shares no judgement with the search. */
static bool
is_enough(const kn_audit_rule *rule, double reached)
{
    double slack = SAME * (rule->limit > 1 ? rule->limit : 1);

    if (rule->class->both && reached < rule->second - SAME)
        return false;
    switch (rule->class->sense) {
    case KN_AT_LEAST:
        return reached >= rule->limit - slack;
    case KN_AT_MOST:
        return reached <= rule->limit + slack;
    case KN_BELOW:
        return reached < rule->limit - slack;
    }
    assert(0 && "a sense that nobody knows");
    return false;
}

void
kn_audit_judge(kn_audit *audit, uint32_t class, uint64_t rows, uint64_t people, double *reached,
               bool *fails)
{
    assert(rows > 0);
    for (size_t r = 0; r < audit->rules->nrules; r++) {
        const kn_audit_rule *rule = &audit->rules->rules[r];
        kn_audit_class       c = { .rows = (double) rows,
                                   .table = (double) audit->rules->rows,
                                   .people = people,
                                   .second = rule->second,
                                   .scratch = audit->scratch,
                                   .width = audit->width,
                                   .numbers = audit->numbers,
                                   .own = rule->class->own };
        pairs               *p = NULL;

        if (rule->class->setting->scope != KN_OF_POPULATION) {
            assert(rule->column < audit->rules->ncolumns);
            p = &audit->columns[rule->column];
            c.known = &audit->rules->columns[rule->column];
            c.index = &p->index;
            c.list = p->list + p->start[class];
            c.count = p->start[class + 1] - p->start[class];
            c.counts = p->counts;
            for (size_t i = 0; i < c.count; i++)
                p->counts[c.list[i].value] = c.list[i].rows;
        }
        reached[r] = rule->class->audit(&c);
        fails[r] = !is_enough(rule, reached[r]);
        for (size_t i = 0; p && i < c.count; i++)
            p->counts[c.list[i].value] = 0;
    }
}
