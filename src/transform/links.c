/* SPDX-License-Identifier: Apache-2.0 */
/* links.c -- see links.h. A person is known by the hash of the cell, a set of classes by the sum of their
 * hashes and their number. Cost: O(1) a row; 40 bytes a person. */
#include "transform/links.h"

#include "base/hash.h"
#include "base/keyset.h"

/* All rows of a person. */
typedef struct trail {
    uint64_t sum, rows;
} trail;

struct kn_links {
    kanon_ctx *ctx;
    size_t     position;
    kn_keyset *persons;
    trail     *trails; /* [persons] */
    size_t     capacity;
};

kanon_status
kn_links_new(kanon_ctx *ctx, size_t position, kn_links **out)
{
    kn_links *links = KN_NEW(ctx, kn_links);

    *out = links;
    if (!links)
        return KANON_E_NOMEM;
    *links = (kn_links){ .ctx = ctx, .position = position };
    return kn_keyset_new(ctx, sizeof(uint64_t), &links->persons);
}

void
kn_links_free(kn_links *links)
{
    if (!links)
        return;
    kn_keyset_free(links->persons);
    kn_free(links->ctx, links->trails);
    kn_free(links->ctx, links);
}

kanon_status
kn_links_row(kn_links *links, const kn_str *cells, uint64_t class)
{
    kn_str       cell = cells[links->position];
    uint64_t     person = kn_hash_bytes(cell.ptr, cell.len);
    void        *block = links->trails;
    size_t       number, count = kn_keyset_count(links->persons);
    kanon_status rc;

    if (!cell.len) /* nobody knows whose row it is */
        return KANON_OK;
    rc = kn_keyset_add(links->persons, &person, &number);
    if (rc == KANON_OK && number == count)
        rc = kn_grow(links->ctx, &block, &links->capacity, count + 1, sizeof *links->trails);
    if (rc < 0)
        return rc;
    links->trails = block;
    if (number == count)
        links->trails[number] = (trail){ 0, 0 };
    links->trails[number].sum += kn_hash_word(class);
    links->trails[number].rows++;
    return KANON_OK;
}

kanon_status
kn_links_count(const kn_links *links, uint64_t k, kn_link_counts *out)
{
    kanon_status rc = KANON_OK;
    kn_keyset   *sets = NULL;
    size_t       n = kn_keyset_count(links->persons), number;
    uint64_t    *held = KN_NEW_ARRAY(links->ctx, uint64_t, n);

    *out = (kn_link_counts){ n, 0, 0 };
    KN_TRY(KN_HAVE(held));
    KN_TRY(kn_keyset_new(links->ctx, sizeof(trail), &sets));
    for (size_t i = 0; i < n; i++) {
        KN_TRY(kn_keyset_add(sets, &links->trails[i], &number));
        held[number]++;
        out->several += links->trails[i].rows > 1;
    }
    for (size_t i = 0; i < n; i++)
        out->rare += links->trails[i].rows > 1 && held[kn_keyset_find(sets, &links->trails[i])] < k;
out:
    kn_keyset_free(sets);
    kn_free(links->ctx, held);
    return rc;
}
