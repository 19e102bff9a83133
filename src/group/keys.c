/* SPDX-License-Identifier: Apache-2.0 */
/* keys.c -- the keys of tuples at a node, a chunk at a time.
 * A key is mixed-radix: each column below its top is a digit, the lead the most significant one. Byte
 * columns are first combined into 16-bit sub-keys, which takes half the work of 32-bit words; sub-keys and
 * wider columns become digits of 32-bit words, as many words as it takes. Exact for any number of columns. */
#include "group/tally.h"

/* --- the plan of a node --------------------------------------------------------------------------------- */

static int
mad_of(unsigned code_bytes, bool to_sub)
{
    if (to_sub)
        return code_bytes == 1 ? KN_MAD_8_16 : KN_MAD_16_16;
    return code_bytes == 1 ? KN_MAD_8_32 : code_bytes == 2 ? KN_MAD_16_32 : KN_MAD_32_32;
}

/* The columns that wait to be put into the 16-bit sub-key, or into a word if they stay alone. */
typedef struct waiting {
    const kn_strip *strips[16]; /* each has at least two groups */
    size_t          count;
    uint32_t        space;
} waiting;

static void
add_mad(kn_tally *t, const kn_strip *strip, int mad, void *to, uint32_t stride)
{
    t->steps[t->nsteps++] = (kn_key_step){ .mad = t->engine->kernels->mad[mad],
                                           .codes = strip ? &strip->codes : NULL,
                                           .table = strip ? strip->table : NULL,
                                           .to = to,
                                           .stride = stride,
                                           .kind = stride == 1 ? KN_MAD_SET : KN_MAD_ADD };
}

/* Builds the sub-key of the waiting columns. */
static void
fill_sub(kn_tally *t, const waiting *w)
{
    uint32_t stride = 1;

    for (size_t i = 0; i < w->count; i++) {
        add_mad(t, w->strips[i], mad_of(w->strips[i]->codes.bytes, true), t->sub, stride);
        stride *= w->strips[i]->groups;
    }
}

static void
add_alone(kn_tally *t, const kn_strip *strip, uint64_t *space)
{
    add_mad(t, strip, mad_of(strip->codes.bytes, false), t->words + (t->nwords - 1) * KN_CHUNK,
            (uint32_t) *space);
    *space *= strip->groups;
}

/* Moves the waiting columns into the current word; *space is what the word holds already. */
static void
flush(kn_tally *t, waiting *w, uint64_t *space)
{
    if (w->count == 1) {
        add_alone(t, w->strips[0], space);
    } else if (w->count > 1) {
        fill_sub(t, w);
        add_mad(t, NULL, KN_MAD_16_32, t->words + (t->nwords - 1) * KN_CHUNK, (uint32_t) *space);
        *space *= w->space;
    }
    w->count = 0;
    w->space = 1;
}

/* A column whose level has no strip of its own: its codes go through a table of scaled numbers. */
static void
add_mapped(kn_tally *t, size_t quasi, const kn_strip *strip, uint64_t *space)
{
    uint32_t *scaled = t->scaled + t->scaled_at[quasi];

    for (size_t c = 0; c < strip->ncodes; c++)
        scaled[c] = strip->map[c] * (uint32_t) *space;
    t->steps[t->nsteps++] = (kn_key_step){ .codes = &strip->codes,
                                           .scaled = scaled,
                                           .to = t->words + (t->nwords - 1) * KN_CHUNK,
                                           .kind = *space == 1 ? KN_MAD_SET : KN_MAD_ADD };
    *space *= strip->groups;
}

/* Wide codes of a lower level, which no kernel translates. */
static bool
looked_up(const kn_strip *strip)
{
    return strip->map && !strip->table;
}

/* The least significant column first, the lead last. */
void
kn_plan_keys(kn_tally *t, const uint8_t *levels)
{
    const kn_slab *slab = t->slab;
    waiting        w = { { NULL }, 0, 1 };
    uint64_t       space = 1, before_lead = 1;
    bool           narrow = true;

    t->nsteps = 0;
    t->nwords = 1;
    for (size_t o = slab->nquasi; o-- > 0;) {
        const kn_strip *strip = kn_slab_strip(slab, slab->order[o], levels[slab->order[o]]);

        if (o == 0)
            before_lead = space * w.space;
        if (strip->groups <= 1)
            continue;
        if (space * w.space > 1
            && space * w.space > (UINT64_C(1) << t->engine->tuning.word_bits) / strip->groups) {
            flush(t, &w, &space);
            t->nwords++;
            space = 1;
            narrow = false;
        }
        if (looked_up(strip) || strip->groups > 65536 || w.space > 65536 / strip->groups) {
            flush(t, &w, &space);
            narrow = false;
        }
        if (looked_up(strip)) {
            add_mapped(t, slab->order[o], strip, &space);
        } else if (strip->groups > 65536) {
            add_alone(t, strip, &space);
        } else {
            w.strips[w.count++] = strip;
            w.space *= strip->groups;
        }
    }
    t->narrow = narrow && w.count > 1;
    if (t->narrow)
        fill_sub(t, &w);
    else
        flush(t, &w, &space);
    t->space = t->nwords > 1 ? 0 : t->narrow ? w.space : space;
    t->within = before_lead;
}

/* --- keys ----------------------------------------------------------------------------------------- */

static void
look_up_column(const kn_key_step *s, size_t from, size_t count)
{
    uint32_t *keys = s->to;

    if (s->kind == KN_MAD_SET)
        memset(keys, 0, count * sizeof *keys);
    if (s->codes->bytes == 1)
        for (size_t i = 0; i < count; i++)
            keys[i] += s->scaled[((const uint8_t *) s->codes->data)[from + i]];
    else if (s->codes->bytes == 2)
        for (size_t i = 0; i < count; i++)
            keys[i] += s->scaled[((const uint16_t *) s->codes->data)[from + i]];
    else
        for (size_t i = 0; i < count; i++)
            keys[i] += s->scaled[((const uint32_t *) s->codes->data)[from + i]];
}

void
kn_build_keys(kn_tally *t, size_t from, size_t count)
{
    if (t->nsteps == 0)
        memset(t->words, 0, count * sizeof *t->words);
    for (const kn_key_step *s = t->steps; s < t->steps + t->nsteps; s++) {
        const uint8_t *codes = s->codes ? (const uint8_t *) s->codes->data + from * s->codes->bytes
                                        : (const uint8_t *) t->sub;

        if (!s->mad) {
            look_up_column(s, from, count);
            continue;
        }
        if (s->table) {
            t->engine->kernels->translate(t->bytes, codes, s->table, count);
            codes = t->bytes;
        }
        s->mad(s->to, codes, s->stride, count, s->kind);
    }
}
