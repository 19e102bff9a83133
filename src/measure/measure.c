/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c -- the ruler: all metrics of a release, cell by cell, from the partition.
 * Deliberately plain, and apart from the meters that guide a search: the two must agree, and the job
 * refuses to release when they do not. Cost: O(tuples * columns). */
#include "measure/parts.h"

#include <math.h>

/* Sums over cells of one column. */
typedef struct column_sums {
    double glm, gcp, total_il, bits, star_bits;
} column_sums;

static bool
is_released(const kn_privacy *privacy, const kn_grouping *grouping, size_t tuple)
{
    return kn_class_holds(privacy, grouping, grouping->class_of[tuple]);
}

/* Rows are counted per leaf, as integers, and multiplied once: no rounding piles up over the tuples. */
static kanon_status
sum_column(kanon_ctx *ctx, const kn_scale *scale, size_t column, size_t level,
           const uint8_t *released, column_sums *sums)
{
    kanon_status           rc = KANON_OK;
    const kanon_hierarchy *h = scale->hierarchies[column];
    const kn_table        *table = scale->table;
    const uint64_t        *all = scale->value_rows[column];
    uint64_t              *kept = KN_NEW_ARRAY(ctx, uint64_t, h->ndata);
    double *bits = KN_NEW_ARRAY(ctx, double, h->ndata), *star = KN_NEW_ARRAY(ctx, double, h->ndata);

    memset(sums, 0, sizeof *sums);
    KN_TRY(KN_HAVE(kept && bits && star));
    KN_TRY(kn_entropy_bits(h, level, all, bits));
    KN_TRY(kn_entropy_bits(h, h->nlevels - 1, all, star));
    for (size_t t = 0; t < table->ntuples; t++)
        if (released[t])
            kept[kn_codes_at(&table->quasi[column], t)] += table->weights[t];
    for (uint32_t leaf = 0; leaf < h->ndata; leaf++) {
        double rows = (double) kept[leaf], lost = (double) (all[leaf] - kept[leaf]);

        sums->glm += rows * kn_cell_glm(h, level, leaf) + lost;
        sums->gcp += rows * kn_cell_gcp(h, level, leaf) + lost;
        sums->total_il += rows * kn_cell_total_il(h, level, leaf) + lost;
        sums->bits += rows * bits[leaf] + lost * star[leaf];
        sums->star_bits += (double) all[leaf] * star[leaf];
    }
out:
    kn_free(ctx, kept);
    kn_free(ctx, bits);
    kn_free(ctx, star);
    return rc;
}

/* The KAB paper's eq. 14 as printed: the class size multiplies the numeric part only. */
static double
literal_total(const kn_scale *scale, const uint8_t *levels, const kn_grouping *grouping,
              const uint8_t *released, uint8_t *seen)
{
    const kn_table *table = scale->table;
    double          sum = 0;

    for (size_t t = 0; t < table->ntuples; t++) {
        uint32_t id = grouping->class_of[t];

        if (!released[t] || seen[id])
            continue;
        seen[id] = 1;
        for (size_t i = 0; i < table->nquasi; i++) {
            const kanon_hierarchy *h = scale->hierarchies[i];
            double loss = kn_cell_total_il(h, levels[i], kn_codes_at(&table->quasi[i], t));

            sum += h->type == KN_TYPE_NUMBER ? loss * (double) grouping->sizes[id] : loss;
        }
    }
    return sum;
}

static void
add_class(kn_risk *risk, uint64_t size)
{
    if (!size)
        return;
    risk->classes++;
    risk->rows += size;
    if (!risk->min_class || size < risk->min_class)
        risk->min_class = size;
    if (size > risk->max_class)
        risk->max_class = size;
    risk->uniques += size == 1;
    risk->below_2 += size < 2 ? (double) size : 0;
    risk->below_5 += size < 5 ? (double) size : 0;
    risk->below_10 += size < 10 ? (double) size : 0;
}

static void
finish_risk(kn_risk *risk)
{
    double rows = (double) risk->rows;

    if (!risk->rows)
        return;
    risk->prosecutor_max = 1 / (double) risk->min_class;
    risk->prosecutor_mean = (double) risk->classes / rows;
    risk->below_2 /= rows;
    risk->below_5 /= rows;
    risk->below_10 /= rows;
}

/* The rows of a tuple, which stands in several entries when they do not fit into one (see kn_table); *t
 * moves on to the next. */
static uint64_t
whole_tuple(const kn_table *table, size_t *t)
{
    uint64_t rows = table->weights[*t];
    bool     more = table->weights[*t] == UINT32_MAX;

    for (++*t; more && *t < table->ntuples; ++*t) {
        for (size_t i = 0; more && i < table->nquasi; i++)
            more = kn_codes_at(&table->quasi[i], *t) == kn_codes_at(&table->quasi[i], *t - 1);
        if (!more)
            break;
        rows += table->weights[*t];
    }
    return rows;
}

void
kn_measure_classes(const kn_privacy *privacy, const kn_grouping *grouping, kn_measured *out)
{
    static const uint64_t from[KN_SIZE_BUCKETS] = { 1, 2, 3, 5, 10, 20, 50, 100, 1000 };

    for (size_t b = 0; b < KN_SIZE_BUCKETS; b++) {
        out->sizes[b].from = from[b];
        out->sizes[b].to = b + 1 < KN_SIZE_BUCKETS ? from[b + 1] - 1 : 0;
    }
    for (size_t id = 0; id < grouping->nids; id++) {
        uint64_t size = grouping->sizes[id];
        size_t   b = KN_SIZE_BUCKETS - 1;

        if (!size)
            continue;
        if (!kn_class_holds(privacy, grouping, id)) {
            out->suppressed += size;
            continue;
        }
        add_class(&out->after, size);
        out->metrics.dm += (double) size * (double) size;
        while (size < from[b])
            b--;
        out->sizes[b].classes++;
        out->sizes[b].rows += size;
    }
    finish_risk(&out->after);
}

void
kn_measure_before(const kn_table *table, kn_measured *out)
{
    for (size_t t = 0; t < table->ntuples;)
        add_class(&out->before, whole_tuple(table, &t));
    finish_risk(&out->before);
}

kanon_status
kn_measure_labels(kanon_ctx *ctx, const kn_scale *scale, const kn_privacy *privacy,
                  const kn_grouping *grouping, uint64_t *off)
{
    kanon_status rc = KANON_OK;
    kn_by_class  by = { 0 };
    kn_histogram h = { 0 };

    *off = 0;
    if (scale->label == SIZE_MAX)
        return KANON_OK;
    KN_TRY(kn_by_class_init(&by, ctx, scale->table->ntuples, grouping->nids));
    KN_TRY(kn_histogram_init(&h, ctx, scale->label_domain));
    kn_by_class_sort(&by, grouping, scale->table->ntuples);
    for (size_t id = 0; id < grouping->nids; id++) {
        uint64_t most = 0;

        if (!kn_class_holds(privacy, grouping, id))
            continue;
        kn_histogram_fill(&h, scale->table, scale->label, &by, id);
        for (size_t i = 0; i < h.nseen; i++)
            most = h.counts[h.seen[i]] > most ? h.counts[h.seen[i]] : most;
        kn_histogram_clear(&h);
        *off += grouping->sizes[id] - most;
    }
out:
    kn_by_class_fini(&by);
    kn_histogram_fini(&h);
    return rc;
}

double
kn_share(double value)
{
    return value > 1 && value < 1 + 1e-9 ? 1 : value;
}

static kanon_status
measure_columns(kanon_ctx *ctx, const kn_scale *scale, const uint8_t *levels,
                const uint8_t *released, kn_measured *out, kn_column_loss *columns)
{
    kanon_status rc = KANON_OK;
    double       n = (double) scale->table->rows, all = kn_scale_weights(scale), glm = 0;
    kn_metrics  *metrics = &out->metrics;

    for (size_t i = 0; i < scale->table->nquasi; i++) {
        double      height = (double) (scale->hierarchies[i]->nlevels - 1);
        double      level = height > 0 ? (double) levels[i] / height : 0;
        double      weight = kn_scale_weight(scale, i);
        column_sums sums;

        KN_TRY(sum_column(ctx, scale, i, levels[i], released, &sums));
        columns[i].log = level;
        columns[i].glm = n > 0 ? kn_share(sums.glm / n) : 0;
        columns[i].gcp = n > 0 ? kn_share(sums.gcp / n) : 0;
        columns[i].total_il = n > 0 ? kn_share(sums.total_il / n) : 0;
        columns[i].entropy = sums.star_bits > 0 ? kn_share(sums.bits / sums.star_bits) : 0;
        metrics->log += level * weight / all;
        metrics->height += levels[i];
        metrics->glm_sum += sums.glm;
        glm += sums.glm * weight;
        metrics->gcp += columns[i].gcp * weight / all;
        metrics->total_il += columns[i].total_il * weight / all;
        metrics->entropy += columns[i].entropy * weight / all;
    }
    metrics->glm = n > 0 ? glm / (n * all) : 0;
out:
    return rc;
}

static void
clamp_shares(kn_metrics *m)
{
    m->log = kn_share(m->log);
    m->precision = kn_share(m->precision);
    m->glm = kn_share(m->glm);
    m->gcp = kn_share(m->gcp);
    m->total_il = kn_share(m->total_il);
    m->total_il_literal = kn_share(m->total_il_literal);
    m->entropy = kn_share(m->entropy);
}

void
kn_measure_totals(const kn_scale *scale, const kn_privacy *privacy, uint64_t off_label,
                  double literal, kn_measured *out)
{
    double n = (double) scale->table->rows, m = (double) scale->table->nquasi;
    double lost = (double) out->suppressed;

    if (n > 0) {
        out->metrics.precision = ((n - lost) * out->metrics.log + lost) / n;
        out->metrics.los = lost / n;
        out->metrics.cm = (lost + (double) off_label) / n;
        out->metrics.total_il_literal = (literal + lost * m) / (n * m);
    }
    clamp_shares(&out->metrics);
    out->metrics.dm += lost * n;
    if (out->after.classes)
        out->metrics.c_avg = n / ((double) out->after.classes * (double) privacy->k);
}

kanon_status
kn_measure(kanon_ctx *ctx, const kn_judged *judged, const uint8_t *levels, kn_measured *out,
           kn_column_loss *columns)
{
    kanon_status       rc = KANON_OK;
    const kn_scale    *scale = judged->scale;
    const kn_privacy  *privacy = judged->privacy;
    const kn_grouping *grouping = judged->grouping;
    const kn_table    *table = scale->table;
    uint8_t           *released = KN_NEW_ARRAY(ctx, uint8_t, table->ntuples);
    uint8_t           *seen = KN_NEW_ARRAY(ctx, uint8_t, grouping->nids);
    uint64_t           off;

    memset(out, 0, sizeof *out);
    KN_TRY(KN_HAVE(released && seen));
    for (size_t t = 0; t < table->ntuples; t++)
        released[t] = is_released(privacy, grouping, t);
    kn_measure_classes(privacy, grouping, out);
    kn_measure_before(table, out);
    KN_TRY(measure_columns(ctx, scale, levels, released, out, columns));
    KN_TRY(kn_measure_labels(ctx, scale, privacy, grouping, &off));
    kn_measure_totals(scale, privacy, off, literal_total(scale, levels, grouping, released, seen),
                      out);
out:
    kn_free(ctx, released);
    kn_free(ctx, seen);
    return rc;
}

/* --- sensitive values ------------------------------------------------------------------------------ */

/* Folds one class into the worst seen so far; whole: the table's distribution. */
static void
fold_class(kn_diversity *out, const kn_histogram *h, uint64_t size, const double *whole)
{
    double entropy = 0, shared = 0, l;

    for (size_t i = 0; i < h->nseen; i++) {
        double p = (double) h->counts[h->seen[i]] / (double) size, q = whole[h->seen[i]];

        if (p >= KN_GUESSED && q < KN_GUESSED)
            out->guessed_rows += size;
        if (p > out->max_ratio * q)
            out->max_ratio = p / q;

        entropy -= p * log(p);
        shared += p < q ? p : q;
    }
    l = exp(entropy);
    if (!out->min_distinct || h->nseen < out->min_distinct)
        out->min_distinct = h->nseen;
    if (out->min_entropy_l == 0 || l < out->min_entropy_l)
        out->min_entropy_l = l;
    if (1 - shared > out->max_t && 1 - shared > 1e-12) /* less is rounding */
        out->max_t = 1 - shared;
    if (h->nseen == 1)
        out->homogeneous_rows += size;
}

kanon_status
kn_measure_diversity(kanon_ctx *ctx, const kn_judged *judged, size_t column, size_t domain,
                     kn_diversity *out)
{
    kanon_status       rc = KANON_OK;
    const kn_table    *table = judged->scale->table;
    const kn_grouping *grouping = judged->grouping;
    kn_by_class        by = { 0 };
    kn_histogram       h = { 0 };
    double            *whole = KN_NEW_ARRAY(ctx, double, domain);
    uint64_t          *released = KN_NEW_ARRAY(ctx, uint64_t, domain); /* rows with each value */

    assert(column < judged->scale->table->nsensitive);
    memset(out, 0, sizeof *out);
    out->distinct = domain;
    KN_TRY(KN_HAVE(whole && released));
    KN_TRY(kn_by_class_init(&by, ctx, table->ntuples, grouping->nids));
    KN_TRY(kn_histogram_init(&h, ctx, domain));
    kn_by_class_sort(&by, grouping, table->ntuples);
    for (size_t e = 0; e < table->nentries; e++)
        whole[kn_codes_at(&table->sensitive[column], e)] += (double) kn_table_entry_weight(table,
                                                                                           e);
    for (size_t v = 0; v < domain; v++)
        whole[v] /= (double) table->rows;
    for (size_t id = 0; id < grouping->nids; id++) {
        if (!grouping->sizes[id] || !kn_class_holds(judged->privacy, grouping, id))
            continue;
        kn_histogram_fill(&h, table, column, &by, id);
        fold_class(out, &h, grouping->sizes[id], whole);
        for (size_t i = 0; i < h.nseen; i++)
            released[h.seen[i]] += h.counts[h.seen[i]];
        kn_histogram_clear(&h);
    }
    for (size_t v = 0; v < domain; v++) {
        out->unique_rows += released[v] == 1;
        out->top_share = whole[v] > out->top_share ? whole[v] : out->top_share;
    }
out:
    kn_free(ctx, whole);
    kn_free(ctx, released);
    kn_by_class_fini(&by);
    kn_histogram_fini(&h);
    return rc;
}
