/* SPDX-License-Identifier: Apache-2.0 */
/* compare_words.c -- what the text and the page of a comparison share: names of bins, the worst pairs. */
#include "base/plain.h"
#include "report/compare.h"

void
kn_compare_bin_name(kn_text *text, const kn_compared_bin *bin)
{
    switch (bin->kind) {
    case KN_BIN_VALUE:
        kn_plain_name(text, bin->label, 24);
        break;
    case KN_BIN_RANKS:
        if (bin->label) {
            kn_text_addz(text, bin->label);
            break;
        }
        kn_text_addz(text, "ranks ");
        kn_plain_fixed(text, bin->from * 100, 0);
        kn_text_addz(text, "-");
        kn_plain_fixed(text, bin->to * 100, 0);
        kn_text_addz(text, " %");
        break;
    case KN_BIN_OTHER:
        kn_text_addz(text, "all others");
        break;
    case KN_BIN_RARE:
        kn_text_addz(text, "rare values");
        break;
    case KN_BIN_MISSING:
        kn_text_addz(text, "missing");
        break;
    }
}

static void
sift(const kn_compared_pair **heap, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        const kn_compared_pair *swap = heap[at];

        if (child + 1 < count
            && (heap[child + 1]->tvd < heap[child]->tvd
                || (heap[child + 1]->tvd == heap[child]->tvd && heap[child + 1] > heap[child])))
            child++;
        if (swap->tvd < heap[child]->tvd || (swap->tvd == heap[child]->tvd && swap > heap[child]))
            return;
        heap[at] = heap[child];
        heap[child] = swap;
    }
}

/* A heap sort with the least tvd on top; of equals the later pair. */
const kn_compared_pair **
kn_compare_worst_pairs(const kanon_comparison *c)
{
    kanon_comparison        *owner = (kanon_comparison *) c; /* only its arena grows */
    const kn_compared_pair **heap = kn_arena_alloc(&owner->arena, (c->npairs + 1) * sizeof *heap);

    for (size_t i = 0; heap && i < c->npairs; i++)
        heap[i] = &c->pairs[i];
    for (size_t i = c->npairs / 2; heap && i-- > 0;)
        sift(heap, i, c->npairs);
    for (size_t end = c->npairs; heap && end > 1;) {
        const kn_compared_pair *swap = heap[0];

        heap[0] = heap[--end];
        heap[end] = swap;
        sift(heap, 0, end);
    }
    return heap;
}
