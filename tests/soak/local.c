/* SPDX-License-Identifier: Apache-2.0 */
/* local.c -- judges local recoding: every class of the file is held against what its own rows have in common
 * (docs/FORMATS.md, docs/METRICS.md), and the report against the file. */
#include "soak.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t one = 1000000; /* numbers are in millionths */

typedef struct view {
    const tree *t;
    bool        intervals, brackets, signs, dash; /* brackets with dashes; with words for signs */
    int64_t     grid;                             /* 0: none */
    bool        open; /* the upper end of an interval on the grid is outside of it */
    bool        chosen,
        between; /* the grid is the tool's; its ends stand half a unit beside the numbers */
    int64_t held[LEAVES_MOST], rows[LEAVES_MOST]; /* of a chosen grid; in units */
    int     nheld, k;
    int     decimals;
    char    mark;
} view;

typedef struct box {
    bool    interval;
    int64_t low, high;
    int     level, leaf;
} box;

typedef struct release {
    const job *j;
    outcome   *o;
    problem   *p;
    view       view[QI_MOST];
    bool       widened, centres;
    int columns[COLS_MOST], ncolumns, at[QI_MOST]; /* at: of a quasi-identifier in the file */
    int row[ROWS_MOST], count;                     /* of the file */
    int nclasses, *rows[ROWS_MOST], all[ROWS_MOST], size[ROWS_MOST]; /* size: without masked rows */
    char      **text[ROWS_MOST];                                     /* a line of each class */
    int         masked, suppressed;
    int         stars[ROWS_MOST], nstars; /* rows that read * everywhere, if some are masked */
    bool        mixed, exact;
    int         mixed_class;
    long double loss[QI_MOST][4], literal;
} release;

/* --- one column --------------------------------------------------------------------------------- */

static int64_t
floor_to(int64_t value, int64_t width)
{
    int64_t q = value / width;

    return (value % width < 0 ? q - 1 : q) * width;
}

/* The i-th of 1, 2, 5, 10, 20 ... */
static int64_t
round_number(int i)
{
    int64_t number = (int[]){ 1, 2, 5 }[i % 3];

    for (i /= 3; i > 0; i--)
        number *= 10;
    return number;
}

/* What nearly all released numbers of a column are multiples of. */
static int64_t
resolution_of(const view *v, int64_t span)
{
    int64_t unit = 1;

    for (int i = 1; round_number(i) <= span / 2; i++) {
        int many = 0, others = 0;

        for (int h = 0; h < v->nheld; h++)
            if (v->rows[h] && v->held[h]) {
                others++;
                many += v->held[h] % round_number(i) == 0;
            }
        if (many && many * 10 >= others * 9)
            unit = round_number(i);
        else if (i % 3 == 0)
            break;
    }
    return unit;
}

static int64_t
width_of(const view *v, int64_t span)
{
    int64_t unit = resolution_of(v, span), width = 1;

    for (int i = 0; round_number(i) <= span / 50; i++)
        width = round_number(i);
    for (int i = 0; width < 2 * unit; i++)
        width = round_number(i);
    for (int i = 0; width < 5 * unit && round_number(i) <= span / 20; i++)
        width = round_number(i) > width ? round_number(i) : width;
    return width;
}

/* Do too few released rows hold a number for it to be an end? */
static bool
is_few(const view *v, int64_t number)
{
    int64_t rows = 0;

    for (int h = 0; h < v->nheld; h++)
        if (v->held[h] == number)
            rows += v->rows[h];
    return rows > 0 && rows < v->k;
}

/* An end, moved outwards by up to four steps while it may not be there; false: it still may not. */
static bool
move_end(const view *v, int64_t *end, int direction)
{
    for (int step = 0; is_few(v, *end) && step < 4; step++)
        *end += direction * v->grid;
    return !is_few(v, *end);
}

static int64_t
unit_of(int decimals)
{
    int64_t unit = one;

    while (decimals-- > 0)
        unit /= 10;
    return unit;
}

static void
see(view *v, const job *j, const tree *t, const char *grid)
{
    v->t = t;
    v->intervals = t->numeric && (!same(j->snap, "hierarchy") || grid);
    v->mark = '.';
    if (!t->numeric)
        return;
    for (int i = 0; i < t->held; i++)
        if (i != t->missing) {
            int decimals = decimals_of(t->leaf[i]);

            v->decimals = decimals > v->decimals ? decimals : v->decimals;
            if (strchr(t->leaf[i], ','))
                v->mark = ',';
        }
    v->dash = j->dash;
    v->signs = t->least < 0;
    v->brackets = v->decimals > 0 || v->signs;
    if (grid && decimals_of(grid) > v->decimals) {
        v->decimals = decimals_of(grid);
        v->brackets = true;
    }
    if (grid)
        v->grid = millionths(grid);
    v->open = v->decimals > 0;
    v->chosen = !grid && v->intervals && same(j->snap, "grid") && same(j->show, "interval");
}

/* The ends of an interval of numbers in units; on a grid that stands between them in tenths of units. */
static bool
chosen_ends(const view *v, int64_t low, int64_t high, int64_t *from, int64_t *to)
{
    int64_t shift = v->between ? 5 : 0;

    *from = floor_to(low + shift, v->grid) - shift;
    *to = floor_to(high + shift, v->grid) + v->grid - shift - !v->open;
    return v->between || (move_end(v, from, -1) && move_end(v, to, 1));
}

/* The grid of a column for which none was given, from the released rows. */
static void
choose_grid(view *v, const bool *released, int n, int k)
{
    const tree *t = v->t;
    int64_t     least = INT64_MAX, most = INT64_MIN, from = 0, to, unit;
    bool        fits = true;

    v->decimals = 0;
    v->brackets = v->signs = false;
    v->k = k;
    for (int i = 0; i < t->held; i++) {
        int64_t rows = 0;

        for (int r = 0; r < n; r++)
            rows += released[r] && t->row[r] == i;
        if (i == t->missing)
            continue;
        v->rows[v->nheld++] = rows;
        if (rows && decimals_of(t->leaf[i]) > v->decimals)
            v->decimals = decimals_of(t->leaf[i]);
        v->signs |= rows && t->number[i] < 0;
        v->brackets |= rows && decimals_of(t->leaf[i]);
    }
    unit = unit_of(v->decimals);
    v->nheld = 0;
    for (int i = 0; i < t->held; i++)
        if (i != t->missing) {
            int64_t value = floor_to(t->number[i], unit) / unit;

            if (v->rows[v->nheld]) {
                least = value < least ? value : least;
                most = value > most ? value : most;
            }
            v->held[v->nheld++] = value;
        }
    for (int a = 0; a < v->nheld; a++) /* spellings of one number are one */
        for (int b = v->nheld - 1; b > a; b--)
            if (v->held[a] == v->held[b]) {
                v->rows[a] += v->rows[b];
                v->held[b] = v->held[--v->nheld];
                v->rows[b] = v->rows[v->nheld];
            }
    v->open = v->decimals > 0;
    v->grid = 2;
    if (least <= most) {
        v->grid = width_of(v, most - least);
        for (int64_t at = least; at < most + v->grid; at += v->grid)
            fits &= chosen_ends(v, at, at, &from, &to);
        v->between = !fits;
        v->decimals += v->between;
        v->grid *= v->between ? 10 : 1;
        v->open |= v->between;
        chosen_ends(v, v->between ? least * 10 : least, least, &from, &to);
    }
    v->signs |= from < 0;
    v->brackets |= v->open || v->signs;
}

static box
box_of(const view *v, const int *rows, int count)
{
    const tree *t = v->t;
    box         b = { false, INT64_MAX, INT64_MIN, 0, t->row[rows[0]] };
    bool        missing = false, there = false;

    for (int i = 0; i < count; i++) {
        int leaf = t->row[rows[i]];

        if (leaf == t->missing)
            missing = true;
        else {
            there = true;
            b.leaf = leaf;
            b.low = t->number[leaf] < b.low ? t->number[leaf] : b.low;
            b.high = t->number[leaf] > b.high ? t->number[leaf] : b.high;
        }
    }
    if (v->intervals && there && missing) {
        b.level = t->height;
        return b;
    }
    if (v->intervals && there) {
        b.interval = true;
        if (v->chosen && v->grid && b.low != b.high) {
            int64_t unit = unit_of(v->decimals);

            chosen_ends(v, floor_to(b.low, unit) / unit, floor_to(b.high, unit) / unit, &b.low,
                        &b.high);
            b.low *= unit;
            b.high *= unit;
        } else if (v->grid && !v->chosen) {
            b.low = floor_to(b.low, v->grid);
            b.high = floor_to(b.high, v->grid) + v->grid - (v->open ? 0 : one);
        }
        return b;
    }
    for (b.leaf = t->row[rows[0]];; b.level++) {
        bool alike = true;

        for (int i = 1; i < count && alike; i++)
            alike = t->group[b.level][t->row[rows[i]]] == t->group[b.level][b.leaf];
        if (alike)
            return b;
    }
}

static long double
box_loss(const view *v, const box *b, int which)
{
    const tree *t = v->t;
    int64_t     low = b->low > t->least ? b->low : t->least,
            high = b->high < t->most ? b->high : t->most;

    if (!b->interval)
        return t->loss[b->level][b->leaf][which];
    return t->least == t->most ? 0
                               : (long double) (high - low) / (long double) (t->most - t->least);
}

/* Rows of the whole table that a cell could be about. */
static int
stands_for(const view *v, const box *b)
{
    const tree *t = v->t;
    int         rows = 0;

    for (int i = 0; i < t->held; i++) {
        if (!b->interval)
            rows += t->group[b->level][i] == t->group[b->level][b->leaf] ? t->count[i] : 0;
        else if (i != t->missing && t->number[i] >= b->low)
            rows += (v->grid && v->open && !(v->chosen && b->low == b->high)
                         ? t->number[i] < b->high
                         : t->number[i] <= b->high)
                      ? t->count[i]
                      : 0;
    }
    return rows;
}

/* A number as the column writes them. */
static char *
spell(const view *v, int64_t scaled, int decimals)
{
    char *digits = print("%0*lld", decimals + 1, (long long) llabs(scaled));
    int   whole = (int) strlen(digits) - decimals;

    return decimals
             ? print("%s%.*s%c%s", scaled < 0 ? "-" : "", whole, digits, v->mark, digits + whole)
             : print("%s%s", scaled < 0 ? "-" : "", digits);
}

static char *
interval_text(const view *v, const char *low, const char *high, char end)
{
    if (v->dash ? !v->brackets : !v->signs)
        return print("%s%s%s", low, v->dash ? "-" : end == ')' ? " to under " : " to ", high);
    return print("[%s%s%s%c", low, v->mark == ',' ? "; " : ", ", high, end);
}

/* Is a text what these rows may show as an interval? Numbers have several spellings. */
static bool
shows_interval(const view *v, const box *b, const int *rows, int count, const char *text)
{
    const tree *t = v->t;

    if (v->grid && !(v->chosen && b->low == b->high)) {
        char *low = spell(v, b->low / unit_of(v->decimals), v->decimals);
        char *high = spell(v, b->high / unit_of(v->decimals), v->decimals);

        return same(text,
                    b->low == b->high ? low : interval_text(v, low, high, v->open ? ')' : ']'));
    }
    for (int i = 0; i < count; i++) {
        int low = t->row[rows[i]];

        if (t->number[low] != b->low)
            continue;
        if (b->low == b->high && same(text, t->leaf[low]))
            return true;
        for (int k = 0; k < count && b->low != b->high; k++) {
            int high = t->row[rows[k]];

            if (t->number[high] == b->high
                && same(text, interval_text(v, t->leaf[low], t->leaf[high], ']')))
                return true;
        }
    }
    return false;
}

__extension__ typedef __int128 wide;

static bool
is_mean(const view *v, const int *rows, int count, const char *text)
{
    wide    sum = 0, scale = 1;
    int     many = 0, decimals = v->decimals + 1;
    int64_t mean;
    char   *spelled;
    size_t  length;

    for (int i = 0; i < count; i++)
        if (v->t->row[rows[i]] != v->t->missing) {
            sum += v->t->number[v->t->row[rows[i]]];
            many++;
        }
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    sum *= scale; /* halves away from zero */
    mean = (int64_t) ((2 * (sum < 0 ? -sum : sum) + many * one) / (2 * many * one));
    spelled = spell(v, sum < 0 ? -mean : mean, decimals);
    length = strlen(spelled);
    while (spelled[length - 1] == '0')
        spelled[--length] = 0;
    if (spelled[length - 1] == v->mark)
        spelled[--length] = 0;
    return same(text, spelled);
}

static bool
is_median(const view *v, const int *rows, int count, const char *text)
{
    int64_t sorted[ROWS_MOST];
    int     many = 0;

    for (int i = 0; i < count; i++)
        if (v->t->row[rows[i]] != v->t->missing) {
            int64_t value = v->t->number[v->t->row[rows[i]]];
            int     at = many++;

            for (; at > 0 && sorted[at - 1] > value; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = value;
        }
    for (int i = 0; i < count; i++) {
        int leaf = v->t->row[rows[i]];

        if (leaf != v->t->missing && v->t->number[leaf] == sorted[(many - 1) / 2]
            && same(text, v->t->leaf[leaf]))
            return true;
    }
    return false;
}

static bool
shows_centre(const release *x, const view *v, const int *rows, int count, const char *text)
{
    const tree *t = v->t;
    int         counts[LEAVES_MOST] = { 0 }, most = -1, there = 0;
    const char *top = t->label[t->height][0];

    for (int i = 0; i < count; i++) {
        counts[t->row[rows[i]]]++;
        there += t->row[rows[i]] != t->missing;
    }
    if (!t->numeric || same(x->j->show, "mode")) {
        for (int i = 0; i < t->nleaves; i++) /* leaves are in the order of the table */
            if (counts[i] && (most < 0 || counts[i] > counts[most]))
                most = i;
        return same(text, t->leaf[most]);
    }
    if (!there)
        return same(text, t->leaf[t->missing]);
    if (there < count && top && same(text, top))
        return true;
    if (there < count && there < x->p->k)
        return false;
    return same(x->j->show, "mean") ? is_mean(v, rows, count, text)
                                    : is_median(v, rows, count, text);
}

static bool
plain_number(const char *text)
{
    size_t length = strspn(text, "+-0123456789.,");

    return length && !text[length] && strpbrk(text, "0123456789");
}

/* (low, high, whether high belongs to it) of a released text. */
static bool
read_interval(const char *text, int64_t *low, int64_t *high, bool *closed)
{
    char a[64], b[64], end, more;

    *closed = true;
    if (plain_number(text) && !(strchr(text + 1, '-'))) {
        *low = *high = millionths(text);
        return true;
    }
    if (sscanf(text, "[%63[-+0-9.]%*1[,]%*1[ ]%63[-+0-9.]%c%c", a, b, &end, &more) == 3
        || sscanf(text, "[%63[-+0-9,]%*1[;]%*1[ ]%63[-+0-9,]%c%c", a, b, &end, &more) == 3)
        *closed = end == ']';
    else if (sscanf(text, "%63[+0-9.,] to under %63[+0-9.,]%c", a, b, &more) == 2)
        *closed = false;
    else if (sscanf(text, "%63[+0-9.,] to %63[+0-9.,]%c", a, b, &more) != 2
             && sscanf(text, "%63[0-9]-%63[0-9]%c", a, b, &more) != 2)
        return false;
    *low = millionths(a);
    *high = millionths(b);
    return true;
}

/* Can a row stand behind a text, by what the text itself says? */
static bool
holds(const view *v, const char *text, int leaf)
{
    const tree *t = v->t;
    int64_t     low, high;
    bool        closed;

    if (same(text, "*") || (leaf == t->missing && same(text, t->leaf[leaf])))
        return true;
    if (leaf != t->missing && v->intervals && read_interval(text, &low, &high, &closed))
        return t->number[leaf] >= low
            && (closed ? t->number[leaf] <= high : t->number[leaf] < high);
    for (int l = 0; l <= t->height; l++) {
        const char *label = t->label[l][t->group[l][leaf]];

        if (!label || same(label, text))
            return true;
    }
    return false;
}

/* Does a text name one set of leaves at one level and another at another? */
static bool
ambiguous(const view *v, const char *text)
{
    const tree *t = v->t;
    int         seen = 0;

    for (int l = 0; l <= t->height; l++)
        if (!t->label[l][0])
            return true; /* labels are not known */
    for (int l = 0; l <= t->height; l++)
        for (int g = 0; g < t->ngroups[l]; g++)
            if (t->label[l][g] && same(t->label[l][g], text)) {
                int size = 0;

                for (int i = 0; i < t->nleaves; i++)
                    size += t->group[l][i] == g;
                if (seen && size != seen)
                    return true;
                seen = size;
            }
    return false;
}

/* --- rows and classes --------------------------------------------------------------------------- */

static char **
line_of(const release *x, int r)
{
    return x->o->file.rows[r + !x->j->dialect.no_header];
}

static bool
all_stars(const release *x, char **line)
{
    for (int i = 0; i < x->p->m; i++)
        if (!same(line[x->at[i]], "*"))
            return false;
    return true;
}

static void
make_classes(release *x)
{
    bool done[ROWS_MOST] = { 0 };

    for (int r = 0; r < x->count; r++) {
        int c = x->nclasses;

        if (done[r])
            continue;
        x->text[c] = line_of(x, r);
        x->rows[c] = take((size_t) x->count * sizeof(int));
        for (int s = r; s < x->count; s++) {
            bool alike = !done[s];

            for (int i = 0; i < x->p->m && alike; i++)
                alike = same(x->text[c][x->at[i]], line_of(x, s)[x->at[i]]);
            if (alike) {
                x->rows[c][x->all[c]++] = x->row[s];
                done[s] = true;
            }
        }
        x->size[c] = x->all[c];
        x->nclasses++;
        EXPECT(x->all[c] >= x->p->k, "a class of the file has %d rows, k is %d", x->all[c],
               x->p->k);
    }
}

/* Masked rows read like a class that is all `*`, where there is one. */
static void
set_masked_apart(release *x)
{
    bool released[ROWS_MOST] = { 0 };
    int  star = -1;

    for (int c = 0; c < x->nclasses; c++)
        if (all_stars(x, x->text[c]))
            star = c;
    EXPECT(x->masked <= (star < 0 ? 0 : x->all[star]), "%d rows are masked, %d read so", x->masked,
           star < 0 ? 0 : x->all[star]);
    x->mixed_class = -1;
    if (x->masked) {
        memcpy(x->stars, x->rows[star], (size_t) x->all[star] * sizeof(int));
        x->nstars = x->all[star];
        x->mixed = x->masked < x->all[star];
        x->size[star] -= x->masked;
        if (x->mixed)
            x->mixed_class = star;
        else {
            x->nclasses--;
            for (int c = star; c < x->nclasses; c++) {
                x->rows[c] = x->rows[c + 1];
                x->all[c] = x->all[c + 1];
                x->size[c] = x->size[c + 1];
                x->text[c] = x->text[c + 1];
            }
        }
    }
    for (int c = 0; c < x->nclasses; c++)
        for (int k = 0; k < x->all[c]; k++)
            released[x->rows[c][k]] = true;
    for (int i = 0; i < x->p->m; i++)
        if (x->view[i].chosen)
            choose_grid(&x->view[i], released, x->p->n, x->p->k);
    x->suppressed = x->p->n;
    x->exact = true;
    for (int c = 0; c < x->nclasses; c++) {
        x->suppressed -= x->size[c];
        for (int i = 0; i < x->p->m && x->size[c] >= 2 * x->p->k; i++)
            x->exact &= !x->centres && !ambiguous(&x->view[i], x->text[c][x->at[i]]);
    }
}

/* --- without a column that tells rows apart ----------------------------------------------------- */

static bool
may_be(const release *x, int r, int row)
{
    char **line = line_of(x, r);

    for (int c = 0; c < x->ncolumns; c++) {
        const column *col = &x->j->columns[x->columns[c]];

        if (col->role != QUASI && !same(line[c], col->role == IDENTIFIER ? "*" : col->cells[row]))
            return false;
    }
    for (int i = 0; i < x->p->m && !x->centres; i++)
        if (!holds(&x->view[i], line[x->at[i]], x->view[i].t->row[row]))
            return false;
    return true;
}

static bool
augment(const release *x, int r, int *taken, bool *seen, const bool *fits)
{
    for (int row = 0; row < x->p->n; row++) {
        if (seen[row] || !fits[r * ROWS_MOST + row])
            continue;
        seen[row] = true;
        if (taken[row] < 0 || augment(x, taken[row], taken, seen, fits)) {
            taken[row] = r;
            return true;
        }
    }
    return false;
}

/* Every released row stands for a row of its own. */
static void
assign_rows(release *x)
{
    int   taken[ROWS_MOST];
    bool *fits = take((size_t) (x->count + 1) * ROWS_MOST);

    EXPECT(x->count <= x->p->n, "%d rows were released, the table has %d", x->count, x->p->n);
    memset(taken, -1, sizeof taken);
    for (int r = 0; r < x->count; r++)
        for (int row = 0; row < x->p->n; row++)
            fits[r * ROWS_MOST + row] = may_be(x, r, row);
    for (int r = 0; r < x->count; r++) {
        bool seen[ROWS_MOST] = { 0 };

        EXPECT(augment(x, r, taken, seen, fits), "released row %d stands for no row of its own", r);
    }
    for (int row = 0; row < x->p->n; row++)
        if (taken[row] >= 0)
            x->row[taken[row]] = row;
}

/* --- judging ------------------------------------------------------------------------------------ */

static void
arithmetic(const release *x)
{
    const json *solution = get(x->o->report, "solution");
    int         least = 0, limit = suppression_rows(x->j->eta, x->p->n);

    expect_number(get(x->o->report, "input"), "rows", x->p->n, "input");
    expect_number(solution, "suppressed_rows", x->suppressed, "solution");
    expect_number(solution, "released_rows", x->p->n - x->suppressed, "solution");
    expect_number(solution, "classes", x->nclasses, "solution");
    EXPECT(x->masked == 0 || x->masked == x->suppressed,
           "some suppressed rows are masked, some are not");
    EXPECT(x->count == x->p->n - x->suppressed + x->masked, "rows of the file");
    EXPECT(x->suppressed <= limit, "%d rows suppressed, at most %d may be", x->suppressed, limit);
    EXPECT(!find(solution, "levels"), "local recoding has no levels");
    for (int c = 0; c < x->nclasses; c++)
        least = !least || x->size[c] < least ? x->size[c] : least;
    if (!x->masked)
        expect_number(solution, "k", least, "solution");
    for (int i = 0; i < x->p->m; i++)
        expect_number(get(solution, "heights"), x->j->columns[x->j->quasi[i]].name,
                      x->p->tree[i]->height, "heights");
}

static void
unchanged_cells(const release *x)
{
    for (int r = 0; r < x->count; r++)
        for (int c = 0; c < x->ncolumns; c++) {
            const column *col = &x->j->columns[x->columns[c]];
            const char   *want = col->role == IDENTIFIER ? "*" : col->cells[x->row[r]];

            EXPECT(col->role == QUASI || same(line_of(x, r)[c], want),
                   "row %d, column %s reads '%.60s', not '%.60s'", x->row[r], col->name,
                   line_of(x, r)[c], want);
        }
    for (int r = 1; r < x->count && x->j->keep_order && x->j->rid >= 0; r++)
        EXPECT(x->row[r - 1] < x->row[r], "rows are not in the order of the table");
}

/* Every class against what its rows must show, and what that lost. */
static void
judge_box(release *x, int c, int i)
{
    const view *v = &x->view[i];
    const char *text = x->text[c][x->at[i]];
    box         b = box_of(v, x->rows[c], x->all[c]);
    bool        whole = c != x->mixed_class;

    if (whole && x->centres)
        EXPECT(shows_centre(x, v, x->rows[c], x->all[c], text),
               "column %s, a class of %d rows reads '%.60s'", x->j->columns[x->j->quasi[i]].name,
               x->all[c], text);
    else if (whole && b.interval)
        EXPECT(shows_interval(v, &b, x->rows[c], x->all[c], text),
               "column %s, a class of %d rows reads '%.60s'", x->j->columns[x->j->quasi[i]].name,
               x->all[c], text);
    else if (whole) {
        const char *label = v->t->label[b.level][v->t->group[b.level][b.leaf]];

        EXPECT(!label || same(label, text),
               "column %s, a class of %d rows reads '%.60s', expected '%.60s'",
               x->j->columns[x->j->quasi[i]].name, x->all[c], text, label);
    } else
        b = (box){ false, 0, 0, v->t->height, v->t->row[x->rows[c][0]] };
    for (int k = 0; k < x->all[c] && !x->centres; k++)
        EXPECT(holds(v, text, v->t->row[x->rows[c][k]]),
               "column %s: '%.60s' does not hold the value of row %d",
               x->j->columns[x->j->quasi[i]].name, text, x->rows[c][k]);
    for (int w = 0; w < 3; w++)
        x->loss[i][w] += box_loss(v, &b, w) * x->size[c];
    x->literal += box_loss(v, &b, 2) * (v->t->numeric ? x->size[c] : 1);
    for (int k = 0; k < x->all[c] && whole; k++)
        x->loss[i][3] += log2l((long double) stands_for(v, &b)
                               / v->t->count[v->t->row[x->rows[c][k]]]);
}

static void
judge_boxes(release *x)
{
    bool inside[ROWS_MOST] = { 0 };

    for (int c = 0; c < x->nclasses; c++) {
        for (int i = 0; i < x->p->m; i++)
            judge_box(x, c, i);
        for (int k = 0; k < x->all[c] && c != x->mixed_class; k++)
            inside[x->rows[c][k]] = true;
    }
    for (int i = 0; i < x->p->m; i++) {
        const tree *t = x->view[i].t;
        long double star = 0;

        for (int r = 0; r < x->p->n; r++) {
            long double bits = log2l((long double) x->p->n / t->count[t->row[r]]);

            star += bits;
            if (!inside[r])
                x->loss[i][3] += bits;
        }
        for (int w = 0; w < 3; w++)
            x->loss[i][w] = (x->loss[i][w] + x->suppressed) / x->p->n;
        x->loss[i][3] = star > 0 ? x->loss[i][3] / star : 0;
    }
}

/* Two classes that read alike are one class of the file, perhaps with a larger box than each had. */
static void
expect_loss(const release *x, const json *of, const char *key, long double value, const char *what)
{
    const json *found = get(of, key);

    EXPECT(found->type == J_NUMBER
               && (near(found->number, value) || (!x->exact && found->number <= value + 1e-6L)),
           "%s.%s is %.15Lg, expected %.15Lg", what, key, found->number, value);
}

static void
judge_metrics(const release *x)
{
    static const char *const keys[] = { "glm", "gcp", "total_il", "entropy" };
    const problem           *p = x->p;
    const json *found = get(x->o->report, "metrics"), *e = get(x->o->report, "attributes")->first;
    long double sum = 0, dm = (long double) x->suppressed * p->n;
    int         off = x->suppressed;

    EXPECT(!find(found, "log") && !find(found, "height") && !find(found, "precision"),
           "local recoding has no levels");
    for (int i = 0; i < p->m; i++, e = e->next)
        for (int w = 0; w < 4; w++)
            expect_loss(x, e, keys[w], x->loss[i][w], x->j->columns[x->j->quasi[i]].name);
    for (int w = 0; w < 4; w++) {
        sum = 0;
        for (int i = 0; i < p->m; i++)
            sum += p->weight[i] * x->loss[i][w] / p->weights;
        expect_loss(x, found, keys[w], sum, "metrics");
    }
    sum = 0;
    for (int i = 0; i < p->m; i++)
        sum += x->loss[i][0] * p->n;
    expect_loss(x, found, "glm_sum", sum, "metrics");
    if (x->exact)
        expect_number(found, "total_il_literal",
                      (x->literal + (long double) x->suppressed * p->m)
                          / ((long double) p->n * p->m),
                      "metrics");
    for (int c = 0; c < x->nclasses; c++) {
        int counts[LEAVES_MOST] = { 0 }, most = 0;

        dm += (long double) x->size[c] * x->size[c];
        for (int k = 0; k < x->all[c] && p->label; k++) {
            int now = ++counts[p->label[x->rows[c][k]]];

            most = now > most ? now : most;
        }
        off += p->label ? x->all[c] - most : 0;
    }
    expect_number(found, "los", (long double) x->suppressed / p->n, "metrics");
    expect_number(found, "dm", dm, "metrics");
    expect_number(found, "c_avg",
                  x->nclasses ? (long double) p->n / ((long double) x->nclasses * p->k) : 0,
                  "metrics");
    if (!x->mixed)
        expect_number(found, "cm", (long double) off / p->n, "metrics");
}

static void
judge_search(const release *x)
{
    const json *search = get(x->o->report, "search"), *bound = get(search, "lower_bound"),
               *before = NULL;
    long double loss = get(get(x->o->report, "metrics"), x->j->metric)->number;

    expect_number(search, "loss", loss, "search");
    if (bound->type == J_NUMBER) {
        EXPECT(bound->number <= loss + 1e-6L, "lower bound %.12Lg above the loss %.12Lg",
               bound->number, loss);
        EXPECT(fabsl(get(search, "gap")->number - (loss - bound->number)) <= 1e-9L, "search.gap");
    }
    for (const json *e = get(search, "curve")->first; e; before = e, e = e->next)
        EXPECT(!before || get(e, "loss")->number < get(before, "loss")->number,
               "the curve of losses rises");
    if (before && !x->widened)
        EXPECT(fabsl(get(before, "loss")->number - loss) <= 1e-6L,
               "the curve ends at %.9Lg, the loss is %.9Lg", get(before, "loss")->number, loss);
}

/* k and the models, on the classes of the file as anybody can read it. */
static void
judge_models(const release *x, bool sure)
{
    const problem *p = x->p;

    for (int c = 0; c < x->nclasses + (x->nstars && !x->mixed); c++) {
        const int *rows = c < x->nclasses ? x->rows[c] : x->stars;
        int        count = c < x->nclasses ? x->all[c] : x->nstars;

        for (int i = 0; i < p->nmodels; i++) {
            const model *m = &p->models[i];

            if (!sure && x->j->columns[m->column].role == IDENTIFIER)
                continue;
            EXPECT(enough(m, reached(m, rows, count, 0)),
                   "a class of %d rows of the file breaks %s", count, m->key);
        }
    }
}

static int
persons_of(const release *x)
{
    int least = 0;

    for (int i = 0; i < x->p->nmodels; i++)
        for (int c = 0; c < x->nclasses && same(x->p->models[i].key, "persons"); c++) {
            int now = (int) reached(&x->p->models[i], x->rows[c], x->all[c], 0);

            least = !least || now < least ? now : least;
        }
    return least;
}

/* What the report says of the classes; the class of masked rows counts like any other where the models
 * are told. */
static void
judge_rest(release *x)
{
    int *rows[ROWS_MOST], sizes[ROWS_MOST], count = 0;

    for (int c = 0; c < x->nclasses; c++)
        if (c != x->mixed_class) {
            rows[count] = x->rows[c];
            sizes[count++] = x->all[c];
        }
    judge_models_of_report(x->j, x->o, count, rows, sizes, NULL, x->stars, x->nstars);
    judge_sensitive(x->j, x->o, count, rows, sizes, x->stars, x->nstars);
    if (!x->masked)
        judge_risk(get(x->o->report, "risk"), count, sizes, persons_of(x));
}

void
judge_local(const job *j, outcome *o)
{
    problem *p = o->problem;
    release *x = take(sizeof *x);
    int      everyone[ROWS_MOST];

    for (int r = 0; r < p->n; r++)
        everyone[r] = r;
    if (p->n && !may_be_class(p, everyone, p->n, 0)) {
        EXPECT(o->code == 2, "all rows together break k or a model, but the exit status is %d",
               o->code);
        return;
    }
    EXPECT(o->code == 0, "exit status %d: %.300s", o->code, o->said);
    x->j = j;
    x->o = o;
    x->p = p;
    x->centres = !same(j->show, "interval");
    x->widened = !same(j->snap, "off");
    x->count = o->file.count - !j->dialect.no_header;
    x->ncolumns = released_columns(j, x->columns);
    for (int i = 0; i < p->m; i++) {
        see(&x->view[i], j, p->tree[i], j->columns[j->quasi[i]].grid);
        x->widened |= j->columns[j->quasi[i]].grid != NULL;
        while (x->columns[x->at[i]] != j->quasi[i])
            x->at[i]++;
    }
    if (p->n == 0) {
        EXPECT(x->count == 0, "the release of nothing has rows");
        return;
    }
    x->masked = (int) get(get(o->report, "solution"), "masked_rows")->number;
    if (j->rid >= 0)
        match_rows(j, o, x->columns, x->ncolumns, x->row);
    else
        assign_rows(x);
    unchanged_cells(x);
    make_classes(x);
    set_masked_apart(x);
    arithmetic(x);
    judge_models(x, j->rid >= 0);
    for (int i = 0; i < p->m; i++)
        if (x->mixed && x->view[i].chosen)
            return; /* nobody can tell which rows are released */
    if (j->rid < 0)
        return;
    judge_boxes(x);
    judge_metrics(x);
    judge_search(x);
    judge_rest(x);
}
