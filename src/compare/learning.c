/* SPDX-License-Identifier: Apache-2.0 */
/* learning.c -- is a model that was learned from the release as good as one from the original? Two answers:
 * the classification metric, and a naive Bayes classifier that is learned from each of the tables and tested
 * on the original's rows.
 * Tenfold: rows get one of ten numbers, and those with a number are judged by models learned without the rows
 * that have it. Rows of the release cannot be matched with the original's, so a release's model may have seen
 * the generalized row of somebody whom it judges; with so few parameters that does not show. */
#include "compare/compare.h"

#include <math.h>

#include "base/rng.h"

enum { FOLD_STREAM = 0x636f6d70 }; /* of the job's seed; the same for both tables */

/* Weights per fold, label and bin: what naive Bayes learns. */
typedef struct model {
    double *labels; /* [folds][classes] */
    double *bins;   /* [folds][classes][all bins of all features] */
} model;

typedef struct learner {
    kn_compare *compare;
    size_t     *features; /* columns */
    size_t     *first;    /* [nfeatures + 1] of their bins */
    size_t      nfeatures, classes, nbins;
    model       models[2];
    double     *score;                   /* [folds][classes] of log probabilities of the labels */
    double     *weight;                  /* [folds][classes][nbins] of the bins */
    uint64_t    folds[KN_COMPARE_FOLDS]; /* rows of a tuple by fold */
} learner;

/* --- the classification metric ---------------------------------------------------------------- */

/* Rows that do not have the most frequent label of those that look alike in the features. */
static kanon_status
off_label(const learner *l, size_t side, uint64_t *off)
{
    kanon_status           rc = KANON_OK;
    const kn_compare_side *s = &l->compare->sides[side];
    kn_tuples             *tuples = NULL;
    uint32_t              *codes = KN_NEW_ARRAY(l->compare->ctx, uint32_t, l->nfeatures + 1);
    uint64_t               size = 0, most = 0;

    *off = 0;
    if (!codes)
        return KANON_E_NOMEM;
    KN_TRY(kn_tuples_new(l->compare->ctx, l->nfeatures + 1, &tuples));
    for (size_t t = 0; t < s->ntuples; t++) {
        for (size_t f = 0; f < l->nfeatures; f++)
            codes[f] = kn_codes_at(&s->codes[l->features[f]], t);
        codes[l->nfeatures] = kn_codes_at(&s->codes[l->compare->label], t);
        for (uint64_t i = 0; i < s->weights[t]; i++)
            KN_TRY(kn_tuples_add(tuples, codes, 1));
    }
    KN_TRY(kn_tuples_seal(tuples));
    for (size_t t = 0; t < kn_tuples_count(tuples); t++) {
        uint64_t rows = kn_tuples_weight(tuples, t);

        if (t && !kn_tuples_same(tuples, t - 1, t, l->nfeatures)) {
            *off += size - most;
            size = most = 0;
        }
        size += rows;
        most = rows > most ? rows : most;
    }
    *off += size - most;
out:
    kn_tuples_free(tuples);
    kn_free(l->compare->ctx, codes);
    return rc;
}

static kanon_status
measure_cm(const learner *l, kn_compared_learning *out)
{
    kanon_status rc = KANON_OK;
    uint64_t     off[2];
    double       before = (double) l->compare->sides[0].rows, lost = (double) l->compare->lost;

    KN_TRY(off_label(l, 0, &off[0]));
    KN_TRY(off_label(l, 1, &off[1]));
    out->cm_before = (double) off[0] / before;
    out->cm_after = ((double) off[1] + lost) / ((double) l->compare->sides[1].rows + lost);
out:
    return rc;
}

/* --- naive Bayes ------------------------------------------------------------------------------ */

static void
deal_rows(learner *l, kn_rng *rng, uint64_t rows)
{
    memset(l->folds, 0, sizeof l->folds);
    for (uint64_t i = 0; i < rows; i++)
        l->folds[kn_rng_below(rng, KN_COMPARE_FOLDS)]++;
}

static void
learn_original(learner *l, size_t tuple, size_t fold, model *m)
{
    const kn_compare_side   *s = &l->compare->sides[0];
    const kn_compare_column *label = &l->compare->columns[l->compare->label];
    double                   rows = (double) l->folds[fold];
    size_t at = fold * l->classes + label->bin_of[kn_codes_at(&s->codes[l->compare->label], tuple)];

    m->labels[at] += rows;
    for (size_t f = 0; f < l->nfeatures; f++) {
        size_t column = l->features[f];
        size_t bin = l->compare->columns[column].bin_of[kn_codes_at(&s->codes[column], tuple)];

        m->bins[at * l->nbins + l->first[f] + bin] += rows;
    }
}

/* A generalized cell, also one of the label, counts for all bins that it may be in. */
static void
learn_released(learner *l, size_t tuple, size_t fold, model *m)
{
    const kn_compare_side   *s = &l->compare->sides[1];
    const kn_compare_column *label = &l->compare->columns[l->compare->label];
    size_t                   text = kn_codes_at(&s->codes[l->compare->label], tuple);

    for (size_t i = label->spread_first[text]; i < label->spread_first[text + 1]; i++) {
        double rows = (double) l->folds[fold] * label->spread[i].share;
        size_t at = fold * l->classes + label->spread[i].bin;

        m->labels[at] += rows;
        for (size_t f = 0; f < l->nfeatures; f++) {
            const kn_compare_column *c = &l->compare->columns[l->features[f]];
            size_t                   cell = kn_codes_at(&s->codes[l->features[f]], tuple);

            for (size_t j = c->spread_first[cell]; j < c->spread_first[cell + 1]; j++)
                m->bins[at * l->nbins + l->first[f] + c->spread[j].bin] += rows
                                                                         * c->spread[j].share;
        }
    }
}

static void
learn(learner *l, size_t side, model *m)
{
    const kn_compare_side *s = &l->compare->sides[side];
    kn_rng                 rng;

    kn_rng_init(&rng, l->compare->config->seed, FOLD_STREAM);
    for (size_t t = 0; t < s->ntuples; t++) {
        deal_rows(l, &rng, s->weights[t]);
        for (size_t fold = 0; fold < KN_COMPARE_FOLDS; fold++)
            if (l->folds[fold])
                (side ? learn_released : learn_original)(l, t, fold, m);
    }
}

/* Log probabilities without one fold, one imaginary row added to each count (Laplace). */
static void
make_scores(learner *l, const model *m, size_t without)
{
    double *score = &l->score[without * l->classes];
    double  all = 0;

    for (size_t c = 0; c < l->classes; c++) {
        double *weight = &l->weight[(without * l->classes + c) * l->nbins];
        double  rows = 0;

        memset(weight, 0, l->nbins * sizeof *weight);
        for (size_t fold = 0; fold < KN_COMPARE_FOLDS; fold++) {
            const double *bins = &m->bins[(fold * l->classes + c) * l->nbins];

            if (fold == without)
                continue;
            rows += m->labels[fold * l->classes + c];
            for (size_t b = 0; b < l->nbins; b++)
                weight[b] += bins[b];
        }
        for (size_t f = 0; f < l->nfeatures; f++)
            for (size_t b = l->first[f]; b < l->first[f + 1]; b++)
                weight[b] = log((weight[b] + 1)
                                / (rows + (double) (l->first[f + 1] - l->first[f])));
        score[c] = rows + 1;
        all += rows + 1;
    }
    for (size_t c = 0; c < l->classes; c++)
        score[c] = log(score[c] / all);
}

/* The first of the labels that are most likely, beyond rounding. */
static size_t
judge(const learner *l, size_t tuple, size_t fold)
{
    const kn_compare_side *s = &l->compare->sides[0];
    double                 best = -HUGE_VAL;
    size_t                 chosen = 0;

    for (size_t c = 0; c < l->classes; c++) {
        const double *weight = &l->weight[(fold * l->classes + c) * l->nbins];
        double        score = l->score[fold * l->classes + c];

        for (size_t f = 0; f < l->nfeatures; f++) {
            size_t column = l->features[f];

            score +=
                weight[l->first[f]
                       + l->compare->columns[column].bin_of[kn_codes_at(&s->codes[column], tuple)]];
        }
        if (score > best + 1e-9) {
            best = score;
            chosen = c;
        }
    }
    return chosen;
}

/* Share of the original's rows that are judged rightly; balanced: the mean over the labels. */
static void
test(learner *l, const model *m, double *accuracy, double *balanced)
{
    const kn_compare_side   *s = &l->compare->sides[0];
    const kn_compare_column *label = &l->compare->columns[l->compare->label];
    double right[KN_COMPARE_BINS + 1] = { 0 }, all[KN_COMPARE_BINS + 1] = { 0 }, sum = 0,
                                   recall = 0;
    size_t used = 0;
    kn_rng rng;

    for (size_t fold = 0; fold < KN_COMPARE_FOLDS; fold++)
        make_scores(l, m, fold);
    kn_rng_init(&rng, l->compare->config->seed, FOLD_STREAM);
    for (size_t t = 0; t < s->ntuples; t++) {
        size_t truth = label->bin_of[kn_codes_at(&s->codes[l->compare->label], t)];

        deal_rows(l, &rng, s->weights[t]);
        for (size_t fold = 0; fold < KN_COMPARE_FOLDS; fold++)
            if (l->folds[fold] && judge(l, t, fold) == truth)
                right[truth] += (double) l->folds[fold];
        all[truth] += (double) s->weights[t];
    }
    for (size_t c = 0; c < l->classes; c++) {
        sum += right[c];
        used += all[c] > 0;
        recall += all[c] > 0 ? right[c] / all[c] : 0;
    }
    *accuracy = sum / (double) s->rows;
    *balanced = recall / (double) used;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The quasi-identifiers if there are any, otherwise every column but the label. */
static kanon_status
choose_features(learner *l, const kanon_comparison *out)
{
    kn_compare *compare = l->compare;
    bool        named = false;

    for (size_t i = 0; i < compare->ncolumns; i++)
        named |= out->columns[i].role == KN_ROLE_QUASI && i != compare->label;
    l->features = kn_compare_array(compare, compare->ncolumns, sizeof *l->features);
    l->first = kn_compare_array(compare, compare->ncolumns + 1, sizeof *l->first);
    if (!l->features || !l->first)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < compare->ncolumns; i++)
        if (i != compare->label && (!named || out->columns[i].role == KN_ROLE_QUASI)) {
            l->features[l->nfeatures] = i;
            l->nbins += compare->columns[i].nbins;
            l->first[++l->nfeatures] = l->nbins;
        }
    l->classes = compare->columns[compare->label].nbins;
    return KANON_OK;
}

static kanon_status
make_room(learner *l)
{
    size_t labels = KN_COMPARE_FOLDS * l->classes;

    for (size_t side = 0; side < 2; side++) {
        l->models[side].labels = kn_compare_array(l->compare, labels, sizeof(double));
        l->models[side].bins = kn_compare_array(l->compare, labels, l->nbins * sizeof(double));
        if (!l->models[side].labels || !l->models[side].bins)
            return KANON_E_NOMEM;
    }
    l->score = kn_compare_array(l->compare, labels, sizeof *l->score);
    l->weight = kn_compare_array(l->compare, labels, l->nbins * sizeof *l->weight);
    return l->score && l->weight ? KANON_OK : KANON_E_NOMEM;
}

static double
baseline(const kn_compare *compare)
{
    const kn_compare_column *label = &compare->columns[compare->label];
    double                   rows[KN_COMPARE_BINS + 1] = { 0 }, most = 0;

    for (size_t p = 0; p < label->nvalues; p++)
        rows[label->bin_of[p]] += (double) label->rows[p];
    for (size_t b = 0; b < label->nbins; b++)
        most = rows[b] > most ? rows[b] : most;
    return most / (double) compare->sides[0].rows;
}

kanon_status
kn_compare_learning(kn_compare *compare, kanon_comparison *out)
{
    kanon_status          rc = KANON_OK;
    kn_compared_learning *r = &out->learning;
    learner               l = { .compare = compare };

    if (compare->label == SIZE_MAX || !compare->sides[0].rows || !compare->sides[1].rows)
        return KANON_OK;
    KN_TRY(choose_features(&l, out));
    if (!l.nfeatures)
        return KANON_OK;
    KN_TRY(make_room(&l));
    r->label = out->columns[compare->label].name;
    r->classes = l.classes;
    r->features = l.nfeatures;
    r->baseline = baseline(compare);
    KN_TRY(measure_cm(&l, r));
    learn(&l, 0, &l.models[0]);
    learn(&l, 1, &l.models[1]);
    test(&l, &l.models[0], &r->accuracy_before, &r->balanced_before);
    test(&l, &l.models[1], &r->accuracy_after, &r->balanced_after);
out:
    return rc;
}
