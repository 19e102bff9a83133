/* SPDX-License-Identifier: Apache-2.0 */
/* model_job.h -- whole jobs with privacy models beyond k, for the searches of a lattice and for local
 * recoding: the first bytes choose settings, the rest is a table a,b,s,e. What is released is read here by a
 * few lines of their own, and k and every model are judged again, by their definitions, on the bare text. */
#ifndef KN_FUZZ_MODEL_JOB_H
#define KN_FUZZ_MODEL_JOB_H

#include "fuzz_help.h"

#include <math.h>

#include "formats/csv.h"

enum { JOB_CHOICES = 12, JOB_TABLE_MOST = 2048, JOB_QUASI = 2, JOB_SECRET = 2, JOB_EXTRA = 3 };

/* A limit below 0 is off. */
typedef struct job_rules {
    uint64_t k;
    double   l, entropy, recursive, p, alpha, t, beta, disclosure;
    bool     entity, own_k, keep_order, local;
} job_rules;

/* The original, read by the library: what is compared with it is the release. */
typedef struct job_original {
    char      *text;
    fuzz_cell *secret, *extra;
    size_t     rows;
} job_original;

/* --- settings ----------------------------------------------------------------------------------- */

static inline void
job_model(kanon_ctx *ctx, kanon_config *config, job_rules *r, uint8_t which, uint8_t how)
{
    switch (which % 12) {
    case 0:
        r->l = 1 + how % 4;
        fuzz_set(ctx, config, "l-diversity", PICK(how, "1", "2", "3", "4"));
        break;
    case 1:
        r->entropy = how % 3 ? 2 : 1.5;
        fuzz_set(ctx, config, "l-kind", "entropy");
        fuzz_set(ctx, config, "l-diversity", how % 3 ? "2" : "1.5");
        break;
    case 2:
        r->recursive = 2;
        fuzz_set(ctx, config, "l-kind", "recursive");
        fuzz_set(ctx, config, "l-c", "2");
        fuzz_set(ctx, config, "l-diversity", "2");
        break;
    case 3:
        r->p = 1 + how % 3;
        fuzz_set(ctx, config, "p-sensitive", PICK(how, "1", "2", "3"));
        break;
    case 4:
        r->alpha = how % 2 ? 0.5 : 0.75;
        fuzz_set(ctx, config, "alpha", how % 2 ? "0.5" : "0.75");
        break;
    case 5:
        r->t = how % 2 ? 0.2 : 0.5;
        fuzz_set(ctx, config, "t-distance", "equal");
        fuzz_set(ctx, config, "t-closeness", how % 2 ? "0.2" : "0.5");
        break;
    case 6:
        r->beta = how % 2 ? 0.5 : 2;
        fuzz_set(ctx, config, "beta-likeness", how % 2 ? "0.5" : "2");
        break;
    case 7:
        r->disclosure = how % 2 ? 1 : 3;
        fuzz_set(ctx, config, "delta-disclosure", how % 2 ? "1" : "3");
        break;
    case 8:
        r->entity = true;
        fuzz_set(ctx, config, "entity", "e");
        break;
    case 9:
        r->own_k = true;
        fuzz_set(ctx, config, "k-column", "e");
        break;
    default:
        break;
    }
}

/* The diversities exclude each other: the last one that was set decides. */
static inline void
job_settle_l(kanon_ctx *ctx, kanon_config *config, job_rules *r)
{
    if ((r->l >= 0) + (r->entropy >= 0) + (r->recursive >= 0) < 2)
        return;
    r->l = 2;
    r->entropy = r->recursive = -1;
    fuzz_set(ctx, config, "l-kind", "distinct");
    fuzz_set(ctx, config, "l-diversity", "2");
}

static inline void
job_local(kanon_ctx *ctx, kanon_config *config, uint8_t byte)
{
    fuzz_set(ctx, config, "metric", PICK(byte, "gcp", "glm", "total_il"));
    if (byte & 4)
        fuzz_set(ctx, config, "local", PICK(byte >> 3, "interval", "mean", "median", "mode"));
    else if (byte & 8)
        fuzz_set(ctx, config, "snap", PICK(byte >> 4, "off", "hierarchy", "grid"));
    else if (byte & 16)
        fuzz_set(ctx, config, "grid", PICK(byte >> 5, "a=5", "a=0.5", "b=100", "a=1000000"));
}

static inline void
job_configure(kanon_ctx *ctx, kanon_config *config, const uint8_t *b, job_rules *r,
              const char *algorithm)
{
    static const char *const kinds[] = { "auto",       "order:2",   "mask:right",     "mask:left",
                                         "range:5,10", "range:x10", "date:month,year" };
    char                     text[64];

    *r = (job_rules){ 1 + b[0] % 5, -1, -1,    -1,    -1,        -1,        -1,
                      -1,           -1, false, false, b[0] & 16, b[0] & 128 };
    snprintf(text, sizeof text, "%d", (int) r->k);
    fuzz_set(ctx, config, "k", text);
    fuzz_set(ctx, config, "algorithm", algorithm);
    fuzz_set(ctx, config, "header", "yes");
    fuzz_set(ctx, config, "delimiter", ",");
    fuzz_set(ctx, config, "encoding", "utf-8"); /* a guess would decode it */
    fuzz_set(ctx, config, "qi", "a,b");
    fuzz_set(ctx, config, "sensitive", "s");
    fuzz_set(ctx, config, "suppressed", b[0] & 32 ? "mask" : "drop");
    fuzz_set(ctx, config, "keep-order", b[0] & 16 ? "true" : "false");
    fuzz_set(ctx, config, "suppression", PICK(b[2], "0", "0.1", "0.34", "1"));
    fuzz_set(ctx, config, "seed", PICK(b[11], "1", "2", "18446744073709551615"));
    fuzz_set(ctx, config, "threads", "1");
    fuzz_set(ctx, config, "time-limit", "0.5");
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%c=%s", 'a' + i,
                 kinds[b[7 + i] % (sizeof kinds / sizeof *kinds)]);
        fuzz_set(ctx, config, "hierarchy", text);
    }
    if (b[10] & 8)
        fuzz_set(ctx, config, "weight", PICK(b[10] >> 4, "a=0", "a=2", "b=0.001", "b=1000"));
    job_model(ctx, config, r, b[3], b[5]);
    job_model(ctx, config, r, b[4], b[6]);
    job_settle_l(ctx, config, r);
}

/* --- judging ------------------------------------------------------------------------------------ */

/* The missing tokens are one value, whatever their spelling. */
static inline fuzz_cell
job_value(fuzz_cell cell)
{
    return fuzz_is(cell, "?") || fuzz_is(cell, "NA") ? (fuzz_cell){ "", 0 } : cell;
}

static inline void
job_read_original(job_original *o, kanon_ctx *ctx, const kanon_source *source)
{
    const kn_csv_options options = { .delimiter = ',', .header = KN_HEADER_YES };
    kn_rows             *csv = NULL;
    const kn_str        *cells = NULL;
    char                *room;

    o->text = room = malloc(2 * JOB_TABLE_MOST + 64);
    o->secret = malloc((JOB_TABLE_MOST + 64) * sizeof *o->secret);
    o->extra = malloc((JOB_TABLE_MOST + 64) * sizeof *o->extra);
    o->rows = 0;
    REQUIRE(o->text && o->secret && o->extra);
    REQUIRE(kn_csv_open(ctx, source, &options, &csv) == KANON_OK);
    for (;;) {
        REQUIRE(kn_rows_next(csv, &cells) == KANON_OK);
        if (!cells)
            break;
        for (size_t c = JOB_SECRET; c <= JOB_EXTRA; c++) {
            fuzz_cell *to = c == JOB_SECRET ? &o->secret[o->rows] : &o->extra[o->rows];

            *to = (fuzz_cell){ room, cells[c].len };
            memcpy(room, cells[c].ptr, cells[c].len);
            room += cells[c].len;
        }
        o->rows++;
    }
    kn_rows_close(csv);
}

static inline double
job_share(const job_original *o, fuzz_cell value)
{
    double count = 0;

    for (size_t i = 0; i < o->rows; i++)
        count += fuzz_same(job_value(o->secret[i]), value);
    return count / (double) o->rows;
}

/* Counts of the values of a class in a column, the greatest first; how many values. */
static inline size_t
job_counts(const fuzz_table *t, size_t row, size_t column, fuzz_cell *values, double *counts)
{
    size_t n = 0;

    for (size_t i = 0; i < t->rows; i++) {
        fuzz_cell value = job_value(fuzz_row(t, i)[column]);
        size_t    at = 0;

        if (!fuzz_alike(t, row, i, JOB_QUASI))
            continue;
        while (at < n && !fuzz_same(values[at], value))
            at++;
        if (at == n) {
            values[n] = value;
            counts[n++] = 0;
        }
        for (counts[at]++; at && counts[at] > counts[at - 1]; at--) {
            fuzz_cell v = values[at];
            double    c = counts[at];

            values[at] = values[at - 1];
            counts[at] = counts[at - 1];
            values[at - 1] = v;
            counts[at - 1] = c;
        }
    }
    return n;
}

/* Distances from the whole table; v runs over its values. */
static inline void
job_judge_shares(const job_original *o, const job_rules *r, const fuzz_cell *values,
                 const double *counts, size_t n, double rows)
{
    double distance = 0;

    for (size_t i = 0; i < o->rows; i++) {
        fuzz_cell v = job_value(o->secret[i]);
        double    q, p = 0;
        bool      seen = false;

        for (size_t j = 0; j < i && !seen; j++)
            seen = fuzz_same(job_value(o->secret[j]), v);
        if (seen)
            continue;
        q = job_share(o, v);
        for (size_t j = 0; j < n; j++)
            if (fuzz_same(values[j], v))
                p = counts[j] / rows;
        distance += fabs(p - q) / 2;
        if (r->beta >= 0)
            REQUIRE((p - q) / q <= r->beta + 1e-6);
        if (r->disclosure >= 0)
            REQUIRE(p > 0 && fabs(log(p / q)) < r->disclosure + 1e-6);
    }
    if (r->t >= 0)
        REQUIRE(distance <= r->t + 1e-6);
}

static inline void
job_judge_class(const fuzz_table *t, size_t row, const job_original *o, const job_rules *r)
{
    fuzz_cell *values = malloc((t->rows + 1) * sizeof *values);
    double    *counts = malloc((t->rows + 1) * sizeof *counts);
    double     rows = (double) fuzz_class_rows(t, row, JOB_QUASI), entropy = 0, tail = 0;
    size_t     n;

    REQUIRE(values && counts && rows >= (double) r->k);
    n = job_counts(t, row, JOB_SECRET, values, counts);
    for (size_t i = 0; i < n; i++) {
        entropy -= counts[i] / rows * log(counts[i] / rows);
        tail += i ? counts[i] : 0;
    }
    REQUIRE((double) n >= r->l && (double) n >= r->p);
    REQUIRE(exp(entropy) >= r->entropy - 1e-6);
    if (r->recursive >= 0)
        REQUIRE(n >= 2 && counts[0] < 2 * tail + 1e-6);
    if (r->alpha >= 0)
        REQUIRE(counts[0] / rows <= r->alpha + 1e-6);
    if (r->t >= 0 || r->beta >= 0 || r->disclosure >= 0)
        job_judge_shares(o, r, values, counts, n, rows);
    if (r->entity)
        REQUIRE(job_counts(t, row, JOB_EXTRA, values, counts) >= r->k);
    if (r->own_k)
        for (size_t i = 0; i < t->rows; i++) {
            char text[32] = "";

            if (!fuzz_alike(t, row, i, JOB_QUASI) || fuzz_row(t, i)[JOB_EXTRA].len >= sizeof text)
                continue;
            memcpy(text, fuzz_row(t, i)[JOB_EXTRA].ptr, fuzz_row(t, i)[JOB_EXTRA].len);
            REQUIRE(rows >= strtod(text, NULL) - 1e-6);
        }
    free(values);
    free(counts);
}

/* What is not a quasi-identifier is released as it was. */
static inline void
job_judge_copies(const fuzz_table *t, const job_original *o, const job_rules *r)
{
    if (t->rows != o->rows)
        return;
    for (size_t i = 0; i < t->rows; i++) {
        size_t found = SIZE_MAX;

        for (size_t j = r->keep_order ? i : 0; j < (r->keep_order ? i + 1 : o->rows); j++)
            if (fuzz_same(fuzz_row(t, i)[JOB_SECRET], o->secret[j])
                && fuzz_same(fuzz_row(t, i)[JOB_EXTRA], o->extra[j]))
                found = j;
        REQUIRE(found != SIZE_MAX);
    }
}

/* --- the job ------------------------------------------------------------------------------------ */

static inline void
job_judge(kanon_ctx *ctx, const kanon_source *source, const kanon_result *result,
          const job_rules *r, const char *release, size_t length)
{
    fuzz_table   back;
    job_original original;
    uint64_t     rows = kanon_result_rows(result), lost = kanon_result_suppressed(result);

    fuzz_read_table(&back, release, length, true, ',');
    job_read_original(&original, ctx, source);
    REQUIRE(original.rows == rows && (back.rows == rows - lost || back.rows == rows));
    for (size_t i = 0; i < back.rows; i++) {
        bool first = true;

        for (size_t j = 0; j < i && first; j++)
            first = !fuzz_alike(&back, i, j, JOB_QUASI);
        if (first)
            job_judge_class(&back, i, &original, r);
    }
    job_judge_copies(&back, &original, r);
    fuzz_free_table(&back);
    free(original.text);
    free(original.secret);
    free(original.extra);
}

static inline void
job_run(kanon_ctx *ctx, const kanon_config *config, const job_rules *r, const char *bytes,
        size_t count)
{
    kanon_source *source = fuzz_source(ctx, "fuzz", bytes, count);
    kanon_sink   *sink = fuzz_sink(ctx);
    kanon_result *result = NULL;
    kanon_status  rc = kanon_anonymize(ctx, config, source, sink, &result);
    size_t        length;
    char         *release = fuzz_take_bytes(sink, &length);

    if (rc < 0) {
        REQUIRE(length == 0 && !result);
        fuzz_require_refusal(ctx, rc);
    } else if (kanon_result_outcome(result) == KANON_INFEASIBLE) {
        REQUIRE(length == 0 && kanon_result_advice(result)[0]);
        fuzz_write_result(ctx, result);
    } else {
        job_judge(ctx, source, result, r, release, length);
        fuzz_write_result(ctx, result);
    }
    free(release);
    kanon_result_free(result);
    kanon_source_free(source);
}

/* algorithms ends with NULL. */
static inline int
job_one_input(const uint8_t *data, size_t size, const char *const *algorithms)
{
    static char   bytes[JOB_TABLE_MOST + 64];
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    job_rules     rules;
    size_t        count, n = 0;

    if (size < JOB_CHOICES || size > JOB_TABLE_MOST)
        return 0;
    while (algorithms[n])
        n++;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    REQUIRE(kanon_config_new(ctx, &config) == KANON_OK);
    fuzz_set(ctx, config, "others", "keep");
    job_configure(ctx, config, data, &rules, algorithms[data[1] % n]);
    if (strcmp(algorithms[0], "mondrian") == 0)
        job_local(ctx, config, data[9]);
    else
        fuzz_set(ctx, config, "metric", kanon_metric_at(data[9] % 9)->name);
    count = (size_t) snprintf(bytes, sizeof bytes, "a,b,s,e\n");
    memcpy(bytes + count, data + JOB_CHOICES, size - JOB_CHOICES);
    job_run(ctx, config, &rules, bytes, count + size - JOB_CHOICES);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}

#endif
