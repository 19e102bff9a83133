/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c -- each column by itself: what its cells lost, and how the shares of its values changed. */
#include "compare/compare.h"

#include <math.h>

/* --- loss ------------------------------------------------------------------------------------- */

/* A row that is not in the release cost everything. */
static void
lose_cells(const kn_compare *compare, const kn_compare_column *c, kn_compared_column *out)
{
    double glm = 0, gcp = 0, bits = 0, rows, lost = (double) compare->lost;

    for (size_t i = 0; i < c->ntexts; i++) {
        const kn_meaning *m = &c->meanings[i];
        double            n = (double) c->text_rows[i];

        glm += n * m->glm;
        gcp += n * m->gcp;
        bits += n * m->bits;
        out->cells[m->reading] += c->text_rows[i];
    }
    rows = (double) compare->sides[1].rows + lost;
    if (rows > 0) {
        out->glm = (glm + lost) / rows;
        out->gcp = (gcp + lost) / rows;
        out->entropy = c->all_bits > 0 ? (bits + lost * c->all_bits) / (rows * c->all_bits) : 0;
    }
}

/* --- marginals -------------------------------------------------------------------------------- */

/* Adds what the release says about each value, in rows: steps[] holds differences of neighbours. */
static void
spread_rows(const kn_compare_column *c, double *rows, double *steps)
{
    double running = 0;

    for (size_t i = 0; i < c->ntexts; i++) {
        const kn_meaning *m = &c->meanings[i];
        double            each = m->count ? (double) c->text_rows[i] / (double) m->count : 0;

        if (m->list) {
            for (size_t v = 0; v < m->count; v++)
                rows[m->list[v]] += each;
        } else {
            steps[m->from] += each;
            steps[m->from + m->count] -= each;
        }
    }
    for (size_t p = 0; p < c->nvalues; p++) {
        running += steps[p];
        rows[p] += running;
    }
}

static kanon_status
compare_marginals(kn_compare *compare, const kn_compare_column *c, kn_compared_column *out)
{
    double *rows = KN_NEW_ARRAY(compare->ctx, double, 2 * c->nvalues + 1);
    double  before = (double) compare->sides[0].rows, after = (double) compare->sides[1].rows;
    double  sum = 0;

    if (!rows)
        return KANON_E_NOMEM;
    out->tvd = (double) NAN;
    if (before > 0 && after > 0) {
        spread_rows(c, rows, rows + c->nvalues);
        for (size_t p = 0; p < c->nvalues; p++)
            sum += fabs((double) c->rows[p] / before - rows[p] / after);
        out->tvd = sum / 2 < 1e-12 ? 0 : sum / 2;
    }
    kn_free(compare->ctx, rows);
    return KANON_OK;
}

/* --- means of numbers ------------------------------------------------------------------------- */

typedef struct moments {
    double rows, sum, squares;
} moments;

static void
add_moment(moments *m, double number, uint64_t rows, double centre)
{
    if (isnan(number))
        return;
    m->rows += (double) rows;
    m->sum += (number - centre) * (double) rows;
    m->squares += (number - centre) * (number - centre) * (double) rows;
}

static void
take_moments(const moments *m, double centre, double *mean, double *sd)
{
    double offset = m->rows > 0 ? m->sum / m->rows : (double) NAN;
    double variance = m->squares / m->rows - offset * offset;

    *mean = centre + offset;
    *sd = variance > 0 ? sqrt(variance) : m->rows > 0 ? 0 : (double) NAN;
}

static void
compare_means(const kn_compare_column *c, kn_compared_column *out)
{
    moments before = { 0, 0, 0 }, after = { 0, 0, 0 };
    double  centre = c->min + (c->max - c->min) / 2;

    if (c->order != KN_TYPE_NUMBER || !c->domain)
        return;
    for (size_t p = 0; p < c->nvalues; p++)
        add_moment(&before, c->numbers[p], c->rows[p], centre);
    for (size_t i = 0; i < c->ntexts; i++)
        add_moment(&after, c->meanings[i].middle, c->text_rows[i], centre);
    out->has_moments = true;
    take_moments(&before, centre, &out->mean_before, &out->sd_before);
    take_moments(&after, centre, &out->mean_after, &out->sd_after);
}

/* --- bins ------------------------------------------------------------------------------------- */

/* Numbers or dates from position first on. */
static bool
describe_run(const kn_compare *compare, const kn_compare_column *c, kanon_comparison *out,
             size_t first, size_t values, kn_compared_bin *b)
{
    double  all = (double) c->rows_before[c->domain];
    kn_text text;
    bool    good = true;

    b->kind = KN_BIN_RANKS;
    b->from = (double) c->rows_before[first] / all;
    b->to = (double) c->rows_before[first + values] / all;
    kn_text_init(&text, compare->ctx);
    if (kn_compare_bounds(c, first, first + values, &text)) {
        b->label = text.failed ? NULL : kn_arena_text(&out->arena, kn_str_of(text.ptr));
        good = b->label != NULL;
    }
    kn_text_fini(&text);
    return good;
}

/* The bin of the report that a bin of the column goes into. Values that few rows have are put together, so
 * that none of them is named and no small count stands alone. */
static size_t
report_bin(const kn_compare *compare, const kn_compare_column *c, kanon_comparison *out, size_t bin,
           kn_compared_column *col)
{
    uint32_t         first = 0;
    uint64_t         rows = 0;
    size_t           values = 0, rare = 0;
    kn_compared_bin *b = &col->bins[col->nbins];

    for (uint32_t p = 0; p < c->nvalues; p++)
        if (c->bin_of[p] == bin) {
            first = values++ ? first : p;
            rows += c->rows[p];
        }
    *b = (kn_compared_bin){ .kind = KN_BIN_VALUE };
    if (first == c->missing) {
        b->kind = KN_BIN_MISSING;
    } else if (rows < compare->least) {
        while (rare < col->nbins && col->bins[rare].kind != KN_BIN_RARE)
            rare++;
        if (rare < col->nbins)
            return rare;
        b->kind = KN_BIN_RARE;
    } else if (values == 1) {
        b->label = kn_arena_text(&out->arena, c->values[first]);
        if (!b->label)
            return SIZE_MAX;
    } else if (c->numbers) {
        if (!describe_run(compare, c, out, first, values, b))
            return SIZE_MAX;
    } else {
        b->kind = KN_BIN_OTHER;
    }
    return col->nbins++;
}

/* Of the bins that people know something by: a value, a range, the missing ones. Cells that stand for many
 * values are spread over them, so a bin of all others grows wherever a column is generalized. */
static void
find_biggest(kn_compared_column *col)
{
    double most = 1e-12;

    col->biggest = col->nbins;
    for (size_t b = 0; b < col->nbins; b++) {
        double change = fabs(col->bins[b].after - col->bins[b].before);

        if (col->bins[b].kind != KN_BIN_RARE && col->bins[b].kind != KN_BIN_OTHER
            && change > most + 1e-12) {
            most = change;
            col->biggest = b;
        }
    }
}

static kanon_status
compare_bins(kn_compare *compare, const kn_compare_column *c, kanon_comparison *out,
             kn_compared_column *col)
{
    double shares[2][KN_COMPARE_BINS + 1] = { { 0 } };
    double before = (double) compare->sides[0].rows, after = (double) compare->sides[1].rows;

    col->bins = kn_arena_alloc(&out->arena, (c->nbins + 1) * sizeof *col->bins);
    if (!col->bins)
        return KANON_E_NOMEM;
    for (size_t p = 0; p < c->nvalues; p++)
        shares[0][c->bin_of[p]] += (double) c->rows[p];
    for (size_t i = 0; i < c->ntexts; i++)
        for (size_t s = c->spread_first[i]; s < c->spread_first[i + 1]; s++)
            shares[1][c->spread[s].bin] += (double) c->text_rows[i] * c->spread[s].share;
    for (size_t bin = 0; bin < c->nbins; bin++) {
        size_t to = report_bin(compare, c, out, bin, col);

        if (to == SIZE_MAX)
            return KANON_E_NOMEM;
        col->bins[to].before += before > 0 ? shares[0][bin] / before : 0;
        col->bins[to].after += after > 0 ? shares[1][bin] / after : 0;
    }
    if (before > 0 && after > 0)
        find_biggest(col);
    else
        col->biggest = col->nbins;
    return KANON_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool
is_recoded(const kn_compared_column *col)
{
    for (size_t r = 0; r < KN_READINGS; r++)
        if (col->cells[r] && r != KN_READ_VALUE && r != KN_READ_MISSING)
            return true;
    return false;
}

/* A released text that nobody could read, if enough rows have it. */
static kanon_status
show_unknown(const kn_compare *compare, const kn_compare_column *c, kanon_comparison *out,
             kn_compared_column *col)
{
    uint64_t most = compare->least;

    for (size_t i = 0; i < c->ntexts; i++)
        if (c->meanings[i].reading == KN_READ_UNKNOWN && c->text_rows[i] >= most) {
            most = c->text_rows[i] + 1;
            col->unknown = kn_arena_text(&out->arena, c->texts[i]);
            if (!col->unknown)
                return KANON_E_NOMEM;
        }
    if (col->cells[KN_READ_UNKNOWN])
        kn_warn(compare->ctx, KN_FOUND_NOT_UNDERSTOOD, kn_at_column(c->name),
                "column '%s': %llu released cells were not understood and count as *" KN_DO
                "name its hierarchy (--hierarchy %s=FILE), or see docs/COMPARE.md for the "
                "supported forms",
                c->name, (unsigned long long) col->cells[KN_READ_UNKNOWN], c->name);
    return KANON_OK;
}

/* Some tools write a suppressed cell as a missing one, which cannot be told apart. */
static void
warn_missing(const kn_compare *compare, const kn_compare_column *c)
{
    uint64_t before, after;

    if (c->text_missing == KN_NO_CODE || c->missing == KN_NO_CODE)
        return;
    before = c->rows[c->missing];
    after = c->text_rows[c->text_missing];
    if (after > before)
        kn_warn(
            compare->ctx, KN_FOUND_MORE_MISSING, kn_at_column(c->name),
            "column '%s': the release has %llu more missing cells than the original" KN_DO
            "if these are suppressed cells, write them as *, otherwise their loss is not counted",
            c->name, (unsigned long long) (after - before));
}

static kanon_status
compare_column(kn_compare *compare, const kn_compare_column *c, kanon_comparison *out,
               kn_compared_column *col)
{
    kanon_status rc = KANON_OK;

    *col = (kn_compared_column){ .role = c->role, .type = c->type };
    col->name = kn_arena_text(&out->arena, kn_str_of(c->name));
    if (!col->name)
        return KANON_E_NOMEM;
    col->hierarchy = c->hierarchy ? kn_hier_kind_name(c->hierarchy->kind) : NULL;
    col->dropped = c->place[1] == SIZE_MAX;
    col->values_before = c->nvalues;
    col->values_after = c->ntexts;
    lose_cells(compare, c, col);
    compare_means(c, col);
    KN_TRY(compare_marginals(compare, c, col));
    KN_TRY(compare_bins(compare, c, out, col));
    KN_TRY(show_unknown(compare, c, out, col));
    warn_missing(compare, c);
out:
    return rc;
}

static double
weight_of(const kn_compare_column *c)
{
    return c->attribute ? c->attribute->weight : 1;
}

/* The quasi-identifiers make the total; where nobody named any, the columns that were recoded; where none
 * was, all of them. */
static void
add_up(const kn_compare *compare, kanon_comparison *out)
{
    bool   named = false, recoded = false;
    double weights = 0;

    for (size_t i = 0; i < out->ncolumns; i++) {
        named |= out->columns[i].role == KN_ROLE_QUASI;
        recoded |= is_recoded(&out->columns[i]);
    }
    for (size_t i = 0; i < out->ncolumns; i++) {
        kn_compared_column *col = &out->columns[i];
        double              w = weight_of(&compare->columns[i]);

        col->counted = named ? col->role == KN_ROLE_QUASI : !recoded || is_recoded(col);
        if (!col->counted)
            continue;
        out->ncounted++;
        weights += w;
        out->glm += w * col->glm;
        out->gcp += w * col->gcp;
        out->entropy += w * col->entropy;
        out->tvd += w * col->tvd;
    }
    if (weights > 0) {
        out->glm /= weights;
        out->gcp /= weights;
        out->entropy /= weights;
        out->tvd /= weights;
    }
}

kanon_status
kn_compare_columns(kn_compare *compare, kanon_comparison *out)
{
    kanon_status rc = KANON_OK;

    out->rows_before = compare->sides[0].rows;
    out->rows_after = compare->sides[1].rows;
    out->lost = compare->lost;
    out->ncolumns = compare->ncolumns;
    out->columns = kn_arena_alloc(&out->arena, compare->ncolumns * sizeof *out->columns);
    if (!out->columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < compare->ncolumns; i++)
        KN_TRY(compare_column(compare, &compare->columns[i], out, &out->columns[i]));
    add_up(compare, out);
out:
    return rc;
}
