/* SPDX-License-Identifier: Apache-2.0 */
/* test_sort.c -- base/sort.h: every item once and in order, for all shapes of input, and never quadratic. */
#include "base/rng.h"
#include "base/sort.h"
#include "test.h"

enum { MOST = 20000 };

typedef struct entry {
    uint32_t key, place;
} entry;

/* Counts, so that the test can bound the work. */
static bool
by_key(const entry *a, const entry *b, const void *context)
{
    ++*(uint64_t *) (uintptr_t) context;
    return a->key != b->key ? a->key < b->key : a->place < b->place;
}

KN_DEFINE_SORT(sort_entries, entry, by_key)

static uint32_t
shape_at(unsigned shape, size_t i, size_t count, kn_rng *rng)
{
    switch (shape) {
    case 0:
        return (uint32_t) kn_rng_next(rng); /* random */
    case 1:
        return (uint32_t) i; /* in order */
    case 2:
        return (uint32_t) (count - i); /* backwards */
    case 3:
        return 7; /* all equal: only the tie decides */
    case 4:
        return (uint32_t) (i % 3); /* few values */
    case 5:
        return (uint32_t) (i < count / 2 ? i : count - i); /* organ pipe */
    default:
        return (uint32_t) (i ^ 1); /* nearly in order */
    }
}

static uint64_t
logarithm(size_t count)
{
    uint64_t bits = 1;

    for (; count > 1; count >>= 1)
        bits++;
    return bits;
}

static entry entries[MOST];
static bool  met[MOST];

static void
check_sorted(size_t count)
{
    memset(met, 0, sizeof met);
    for (size_t i = 0; i < count; i++) {
        CHECK(entries[i].place < count && !met[entries[i].place]);
        met[entries[i].place] = true;
        if (i)
            CHECK(entries[i - 1].key < entries[i].key
                  || (entries[i - 1].key == entries[i].key
                      && entries[i - 1].place < entries[i].place));
    }
}

TEST(every_shape_comes_into_order)
{
    static const size_t counts[] = { 0, 1, 2, 3, 15, 16, 17, 18, 33, 100, 1000, MOST };
    kn_rng              rng;

    kn_rng_init(&rng, 5, 0);
    for (unsigned shape = 0; shape < 7; shape++)
        for (size_t c = 0; c < KN_COUNT(counts); c++) {
            uint64_t compared = 0;

            for (size_t i = 0; i < counts[c]; i++)
                entries[i] = (entry){ shape_at(shape, i, counts[c], &rng), (uint32_t) i };
            sort_entries(entries, counts[c], &compared);
            check_sorted(counts[c]);
            CHECK(compared <= 5 * counts[c] * logarithm(counts[c]) + 100);
        }
}

/* McIlroy's adversary: values are decided while they are compared, so that every pivot is a bad one. */
typedef struct adversary {
    uint32_t *value;
    uint32_t  solid, gas, candidate;
    uint64_t  compared;
} adversary;

static bool
frozen_before(const uint32_t *x, const uint32_t *y, const void *context)
{
    adversary *a = (adversary *) (uintptr_t) context;

    a->compared++;
    if (a->value[*x] == a->gas && a->value[*y] == a->gas)
        a->value[*x == a->candidate ? *x : *y] = a->solid++;
    if (a->value[*x] == a->gas)
        a->candidate = *x;
    else if (a->value[*y] == a->gas)
        a->candidate = *y;
    return a->value[*x] < a->value[*y];
}

KN_DEFINE_SORT(sort_frozen, uint32_t, frozen_before)

TEST(an_adversary_cannot_make_it_quadratic)
{
    static uint32_t numbers[MOST], value[MOST];
    adversary       a = { value, 0, MOST, 0, 0 };

    for (uint32_t i = 0; i < MOST; i++) {
        numbers[i] = i;
        value[i] = MOST;
    }
    sort_frozen(numbers, MOST, &a);
    for (size_t i = 1; i < MOST; i++)
        CHECK(value[numbers[i - 1]] <= value[numbers[i]]);
    CHECK(a.compared < 8 * MOST * logarithm(MOST));
}

TEST(numbers_come_into_order)
{
    static uint64_t whole[MOST];
    static double   real[MOST];
    kn_rng          rng;

    kn_rng_init(&rng, 6, 0);
    for (size_t i = 0; i < MOST; i++) {
        whole[i] = kn_rng_next(&rng);
        real[i] = kn_rng_unit(&rng) - 0.5;
    }
    kn_sort_u64(whole, MOST);
    kn_sort_double(real, MOST);
    for (size_t i = 1; i < MOST; i++)
        CHECK(whole[i - 1] <= whole[i] && real[i - 1] <= real[i]);
}
