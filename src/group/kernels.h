/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.h -- the inner loops over chunks of tuples, for each instruction set that this build has.
 * All sets give the same numbers; which one runs is chosen once, by what the machine can do. */
#ifndef KN_GROUP_KERNELS_H
#define KN_GROUP_KERNELS_H

#include "base/base.h"

typedef enum kn_mad_kind { KN_MAD_ADD, KN_MAD_SET } kn_mad_kind;

/** keys[i] += codes[i] * stride, or = it; n may be anything. Arithmetic is modulo the key's width, and the
 *  caller has made sure that nothing is cut off. */
typedef void (*kn_mad)(void *keys, const void *codes, uint32_t stride, size_t n, kn_mad_kind kind);

typedef struct kn_scanned {
    uint64_t outlying; /* rows in classes smaller than k */
    uint64_t classes;  /* others that are not empty */
    uint64_t squares;  /* sum of their squared sizes */
} kn_scanned;

/** Which two widths in bits: codes, then keys. */
enum { KN_MAD_8_16, KN_MAD_16_16, KN_MAD_8_32, KN_MAD_16_32, KN_MAD_32_32, KN_MADS };

#define KN_HASH_A UINT32_C(0x9e3779b1)
#define KN_HASH_B UINT32_C(0x85ebca6b)
#define KN_HASH_C UINT32_C(0xc2b2ae35)

typedef struct kn_kernels {
    const char *name;
    kn_mad      mad[KN_MADS];
    /** Class sizes in counts[n]; their sum is below 2^32 - 1. Adds to *out. */
    void (*scan)(const uint32_t *counts, size_t n, uint32_t k, kn_scanned *out);
    /** A hash of nwords words each, words[w * apart + i]: all bits of it are good. */
    void (*hash)(const uint32_t *words, size_t nwords, size_t apart, uint32_t seed,
                 uint32_t *hashes, size_t n);
    /** to[i] = table[from[i]]; the table has 256 bytes */
    void (*translate)(uint8_t *to, const uint8_t *from, const uint8_t *table, size_t n);
    /** to[i] += from[i] */
    void (*add)(uint32_t *to, const uint32_t *from, size_t n);
} kn_kernels;

extern const kn_kernels kn_kernels_plain;

/** The index-th set that this machine can run, the best first; NULL past the end. */
const kn_kernels *kn_kernels_at(size_t index);

#endif
