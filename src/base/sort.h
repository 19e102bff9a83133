/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h -- the project's only sort: in place, without allocating, with a context for the comparison.
 * qsort() has no context and may call malloc(), which goes past the caller's allocator and may fail.
 * KN_DEFINE_SORT makes a typed function, so that the compiler can inline the comparison: sorting values of
 * a column (up to 10^7) and tuples is part of every job. Quicksort with the median of three, insertion for
 * short runs, and heapsort as soon as the pivots were bad for too long, so that chosen input cannot make
 * it quadratic. Not stable: where the order of equals can be seen, the comparison must break the tie. */
#ifndef KN_SORT_H
#define KN_SORT_H

#include "base/base.h"

enum { KN_SORT_SHORT = 16 }; /* runs up to this length are cheapest to sort by insertion */

/** Twice the binary logarithm: how deep a quicksort may go before its pivots count as bad. */
static inline unsigned
kn_sort_depth(size_t count)
{
    unsigned depth = 0;

    for (; count; count >>= 1)
        depth += 2;
    return depth;
}

/** Defines `static void name(type *items, size_t count, const void *context)`.
 *  before: `bool before(const type *a, const type *b, const void *context)`, true if a must come first. It
 *  must be a strict weak order. */
#define KN_DEFINE_SORT(name, type, before)                                                         \
    static void name##_sink(type *items, size_t at, size_t count, const void *context)             \
    {                                                                                              \
        type moved = items[at];                                                                    \
                                                                                                   \
        for (size_t child; (child = 2 * at + 1) < count; at = child) {                             \
            child += child + 1 < count && before(&items[child], &items[child + 1], context);       \
            if (!before(&moved, &items[child], context))                                           \
                break;                                                                             \
            items[at] = items[child];                                                              \
        }                                                                                          \
        items[at] = moved;                                                                         \
    }                                                                                              \
                                                                                                   \
    static void name##_heap(type *items, size_t count, const void *context)                        \
    {                                                                                              \
        for (size_t i = count / 2; i-- > 0;)                                                       \
            name##_sink(items, i, count, context);                                                 \
        for (size_t end = count; end > 1; end--) {                                                 \
            type last = items[end - 1];                                                            \
                                                                                                   \
            items[end - 1] = items[0];                                                             \
            items[0] = last;                                                                       \
            name##_sink(items, 0, end - 1, context);                                               \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void name##_insert(type *items, size_t count, const void *context)                      \
    {                                                                                              \
        for (size_t i = 1; i < count; i++) {                                                       \
            type   moved = items[i];                                                               \
            size_t at = i;                                                                         \
                                                                                                   \
            for (; at > 0 && before(&moved, &items[at - 1], context); at--)                        \
                items[at] = items[at - 1];                                                         \
            items[at] = moved;                                                                     \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static size_t name##_part(type *items, size_t count, const void *context)                      \
    {                                                                                              \
        type   first = items[0], pivot = items[count / 2], last = items[count - 1];                \
        size_t low = 0, high = count - 1;                                                          \
                                                                                                   \
        if (before(&pivot, &first, context))                                                       \
            pivot = before(&pivot, &last, context) ? before(&first, &last, context) ? first : last \
                                                   : pivot;                                        \
        else                                                                                       \
            pivot = before(&last, &pivot, context) ? before(&last, &first, context) ? first : last \
                                                   : pivot;                                        \
        for (;; low++, high--) {                                                                   \
            while (before(&items[low], &pivot, context))                                           \
                low++;                                                                             \
            while (before(&pivot, &items[high], context))                                          \
                high--;                                                                            \
            if (low >= high)                                                                       \
                break;                                                                             \
            first = items[low];                                                                    \
            items[low] = items[high];                                                              \
            items[high] = first;                                                                   \
        }                                                                                          \
        return high + 1;                                                                           \
    }                                                                                              \
                                                                                                   \
    static void name(type *items, size_t count, const void *context)                               \
    {                                                                                              \
        struct {                                                                                   \
            type    *items;                                                                        \
            size_t   count;                                                                        \
            unsigned depth;                                                                        \
        } waiting[8 * sizeof(size_t)];                                                             \
        size_t   nwaiting = 0;                                                                     \
        unsigned depth = kn_sort_depth(count);                                                     \
                                                                                                   \
        for (;;) {                                                                                 \
            while (count > KN_SORT_SHORT && depth > 0) {                                           \
                size_t left = name##_part(items, count, context), right = count - left;            \
                                                                                                   \
                assert(left > 0 && left < count && nwaiting < KN_COUNT(waiting));                  \
                depth--;                                                                           \
                /* The longer part waits, so that few are waiting at a time. */                    \
                waiting[nwaiting].items = left < right ? items + left : items;                     \
                waiting[nwaiting].count = left < right ? right : left;                             \
                waiting[nwaiting++].depth = depth;                                                 \
                items = left < right ? items : items + left;                                       \
                count = left < right ? left : right;                                               \
            }                                                                                      \
            if (count > KN_SORT_SHORT)                                                             \
                name##_heap(items, count, context);                                                \
            else                                                                                   \
                name##_insert(items, count, context);                                              \
            if (!nwaiting)                                                                         \
                return;                                                                            \
            items = waiting[--nwaiting].items;                                                     \
            count = waiting[nwaiting].count;                                                       \
            depth = waiting[nwaiting].depth;                                                       \
        }                                                                                          \
    }

/** Numbers, the smallest first. */
void kn_sort_u64(uint64_t *numbers, size_t count);
/** Numbers, the smallest first; none of them NaN. */
void kn_sort_double(double *numbers, size_t count);

#endif
