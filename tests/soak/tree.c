/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c -- how values become coarser, built once more from the definitions alone: docs/FORMATS.md
 * says what each kind of hierarchy does, docs/METRICS.md what a cell loses. A label that the
 * definitions leave open is NULL. */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers ------------------------------------------------------------------------------------ */

int64_t
millionths(const char *t)
{
    int64_t whole = 0, unit = 1000000;
    bool    negative = false, behind = false;

    while (*t == ' ')
        t++;
    if (*t == '-' || *t == '+')
        negative = *t++ == '-';
    for (; *t; t++) {
        if (*t == '.' || *t == ',')
            behind = true;
        else if (*t >= '0' && *t <= '9') {
            if (behind) {
                unit /= 10;
                whole += unit * (*t - '0');
            } else
                whole = whole * 10 + (int64_t) (*t - '0') * 1000000;
        }
    }
    return negative ? -whole : whole;
}

/* A number as auto takes it: not 007. */
bool
is_number_text(const char *t)
{
    const char *digits;
    int         count = 0;

    if (*t == '-' || *t == '+')
        t++;
    digits = t;
    for (; *t >= '0' && *t <= '9'; t++)
        count++;
    if (count > 1 && digits[0] == '0')
        return false;
    if (*t == '.')
        for (t++; *t >= '0' && *t <= '9'; t++)
            count++;
    return count > 0 && !*t;
}

int
decimals_of(const char *t)
{
    const char *mark = strpbrk(t, ".,");

    return mark ? (int) strlen(mark + 1) : 0;
}

static int64_t
floor_to(int64_t value, int64_t width)
{
    int64_t q = value / width;

    return (value % width < 0 ? q - 1 : q) * width;
}

/* --- leaves ------------------------------------------------------------------------------------- */

bool
is_missing(const job *j, const char *cell)
{
    for (int i = 0; i < j->dialect.ntokens; i++)
        if (same(cell, j->dialect.tokens[i]))
            return true;
    return false;
}

/* The token that most cells have; of equals the first in the list. */
static char *
usual_token(const job *j, int at, int qi)
{
    int best = -1, most = 0;

    for (int i = 0; i < j->dialect.ntokens; i++) {
        int count = 0;

        for (int r = 0; r < j->n; r++)
            count += same(j->columns[at].cells[r], j->dialect.tokens[i]);
        if (count > most) {
            most = count;
            best = i;
        }
    }
    if (best >= 0)
        return copy(j->dialect.tokens[best]);
    if (qi >= 0 && (j->asked.k_map || j->asked.presence))
        for (int r = 0; r < j->npeople; r++)
            if (is_missing(j, j->people[r][qi]))
                return j->people[r][qi];
    return NULL;
}

static int
leaf_of(tree *t, const job *j, const char *cell, bool make)
{
    bool missing = is_missing(j, cell);

    if (missing && t->missing >= 0)
        return t->missing;
    if (!missing)
        for (int i = 0; i < t->nleaves; i++)
            if (i != t->missing && same(t->leaf[i], cell))
                return i;
    EXPECT(make && t->nleaves < LEAVES_MOST, "oracle: no leaf for a cell");
    t->leaf[t->nleaves] = copy(cell);
    if (missing)
        t->missing = t->nleaves;
    return t->nleaves++;
}

static void
take_leaves(tree *t, const job *j, int at, int qi)
{
    char *token = usual_token(j, at, qi);

    t->missing = -1;
    for (int r = 0; r < j->n; r++) {
        t->row[r] = leaf_of(t, j, j->columns[at].cells[r], true);
        t->count[t->row[r]]++;
    }
    if (qi >= 0 && (j->asked.k_map || j->asked.presence)) {
        t->person = take((size_t) (j->npeople + 1) * sizeof *t->person);
        for (int r = 0; r < j->npeople; r++)
            t->person[r] = leaf_of(t, j, j->people[r][qi], true);
    }
    t->held = t->nleaves;
    if (t->missing >= 0)
        t->leaf[t->missing] = token;
}

/* --- levels ------------------------------------------------------------------------------------- */

/* Puts a leaf into the group of a level that has this key. */
static int
into(tree *t, int level, int leaf, char **keys, const char *key)
{
    int g = 0;

    while (g < t->ngroups[level] && !(keys[g] && same(keys[g], key)))
        g++;
    if (g == t->ngroups[level]) {
        keys[g] = copy(key);
        t->ngroups[level]++;
    }
    t->group[level][leaf] = g;
    return g;
}

static void
missing_apart(tree *t, int level)
{
    if (t->missing < 0)
        return;
    t->group[level][t->missing] = t->ngroups[level];
    t->label[level][t->ngroups[level]++] = t->leaf[t->missing];
}

static void
bottom(tree *t)
{
    t->ngroups[0] = t->nleaves;
    for (int i = 0; i < t->nleaves; i++) {
        t->group[0][i] = i;
        t->label[0][i] = t->leaf[i];
    }
}

static void
top(tree *t, int level)
{
    t->height = level;
    t->ngroups[level] = 1;
    t->label[level][0] = copy("*");
    for (int i = 0; i < t->nleaves; i++)
        t->group[level][i] = 0;
}

static void
range_levels(tree *t, const int64_t *widths, int count)
{
    bool whole = true, plain = true;

    t->numeric = true;
    for (int i = 0; i < t->nleaves; i++)
        if (i != t->missing) {
            whole &= t->number[i] % 1000000 == 0;
            plain &= t->number[i] >= 0;
        }
    bottom(t);
    for (int l = 1; l <= count; l++) {
        int64_t width = widths[l - 1];
        char   *keys[LEAVES_MOST] = { 0 };

        for (int i = 0; i < t->nleaves; i++) {
            int64_t start;
            int     g;

            if (i == t->missing)
                continue;
            start = floor_to(t->number[i], width);
            g = into(t, l, i, keys, print("%lld", (long long) start));
            t->has_interval[l][g] = true;
            t->low[l][g] = start;
            t->high[l][g] = whole ? start + width - 1000000 : start + width;
            if (whole && plain && width > 1000000)
                t->label[l][g] = print("%lld%s%lld", (long long) (start / 1000000),
                                       t->dash ? "-" : " to ",
                                       (long long) (t->high[l][g] / 1000000));
        }
        missing_apart(t, l);
    }
    top(t, count + 1);
}

static void
x10_levels(tree *t)
{
    int64_t widths[LEVELS_MOST], width = 10000000, largest = 0;
    int     count = 0;

    for (int i = 0; i < t->nleaves; i++)
        if (i != t->missing && t->number[i] > largest)
            largest = t->number[i];
    for (; width <= largest; width *= 10)
        widths[count++] = width;
    range_levels(t, widths, count);
}

static void
mask_levels(tree *t, bool left)
{
    int  longest = 0;
    bool even = true;

    for (int i = 0; i < t->nleaves; i++)
        if (i != t->missing && letters(t->leaf[i]) > longest)
            longest = letters(t->leaf[i]);
    for (int i = 0; i < t->nleaves; i++)
        even &= i == t->missing || letters(t->leaf[i]) == longest;
    bottom(t);
    for (int l = 1; l < longest; l++) {
        char *keys[LEAVES_MOST] = { 0 };

        for (int i = 0; i < t->nleaves; i++) {
            int    length = letters(t->leaf[i]), g, from, to, seen = -1;
            char  *kept, *stars = take((size_t) l + 1);
            size_t used = 0;

            if (i == t->missing)
                continue;
            /* padded to the longest: of the kept letters, which are there? */
            from = left ? l - (longest - length) : 0;
            to = left ? length : longest - l;
            kept = take(strlen(t->leaf[i]) + 8);
            for (const char *at = t->leaf[i]; *at; at++) {
                seen += ((unsigned char) *at & 0xc0) != 0x80;
                if (seen >= from && seen < to)
                    kept[used++] = *at;
            }
            memset(stars, '*', (size_t) l);
            g = into(t, l, i, keys, kept);
            if (even)
                t->label[l][g] = left ? print("%s%s", stars, kept) : print("%s%s", kept, stars);
        }
        missing_apart(t, l);
    }
    top(t, longest > 1 ? longest : 1);
}

static int
days_of(int y, int mon, int d)
{
    int era, yoe, doy;

    y -= mon <= 2;
    era = y / 400;
    yoe = y - era * 400;
    doy = (153 * (mon + (mon > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static char *
date_key(const char *text, int form, int unit, char **label)
{
    int a = 0, b = 0, c = 0, y, mon, d, years;

    sscanf(text, form < 2 ? "%4d%*1[-/.]%2d%*1[-/.]%2d" : "%2d%*1[-/.]%2d%*1[-/.]%4d", &a, &b, &c);
    y = form < 2 ? a : c;
    mon = form == 3 ? a : b;
    d = form < 2 ? c : form == 3 ? b : a;
    *label = NULL;
    switch (unit) {
    case 0:
        return print("%d", days_of(y, mon, d));
    case 1:
        return print("%d", (days_of(y, mon, d) + 3 + 7000000) / 7); /* weeks begin on Monday */
    case 2:
        return print("%d %d", y, mon);
    case 3:
        return print("%d %d", y, (mon - 1) / 3);
    case 4:
        return *label = print("%d", y);
    default:
        years = unit == 5 ? 10 : 100;
    }
    y = y / years * years;
    return *label = print("%d-%d", y, y + years - 1);
}

static void
date_levels(tree *t, const column *c)
{
    bottom(t);
    for (int l = 1; l <= c->nunits; l++) {
        char *keys[LEAVES_MOST] = { 0 };

        for (int i = 0; i < t->nleaves; i++)
            if (i != t->missing) {
                char *label, *key = date_key(t->leaf[i], c->form, c->units[l - 1], &label);
                int   g = into(t, l, i, keys, key);

                t->label[l][g] = label;
            }
        missing_apart(t, l);
    }
    top(t, c->nunits + 1);
}

/* Levels that are listed: a file, a place table, or what the tool has chosen. A line for a missing
 * value decides for that value; without one it stays apart until the top. */
static void
listed_levels(tree *t, const job *j, char ***lines, int nlines, int width, bool all)
{
    int *line = take(LEAVES_MOST * sizeof *line);

    for (int i = 0; i < LEAVES_MOST; i++)
        line[i] = -1;
    for (int i = 0; i < nlines; i++) {
        bool known = is_missing(j, lines[i][0]) && t->missing >= 0;

        for (int v = 0; v < t->nleaves && !known; v++)
            known = v != t->missing && same(t->leaf[v], lines[i][0]);
        if (known || all)
            line[leaf_of(t, j, lines[i][0], true)] = i;
    }
    for (int l = 0; l < width; l++) {
        char *keys[LEAVES_MOST] = { 0 };

        for (int v = 0; v < t->nleaves; v++)
            if (line[v] >= 0) {
                const char *key = l || v != t->missing ? lines[line[v]][l] : "\x01missing";
                int         g = into(t, l, v, keys, key);

                t->label[l][g] = l || v != t->missing ? lines[line[v]][l] : t->leaf[v];
            } else
                EXPECT(v == t->missing, "oracle: value '%.40s' has no line", t->leaf[v]);
        if (t->missing >= 0 && line[t->missing] < 0) {
            if (l < width - 1)
                missing_apart(t, l);
            else if (nlines)
                into(t, l, t->missing, keys, lines[0][l]);
        }
        if (t->ngroups[l] == 0 || (l == width - 1 && !t->label[l][0]))
            t->label[l][0] = copy("*");
    }
    t->height = width - 1;
}

/* Two values of one group stay together above; the last level is one group. */
static void
check_nested(const tree *t)
{
    for (int l = 1; l <= t->height; l++) {
        int up[LEAVES_MOST];

        memset(up, -1, sizeof up);
        for (int i = 0; i < t->nleaves; i++) {
            int g = t->group[l - 1][i];

            EXPECT(up[g] < 0 || up[g] == t->group[l][i], "a hierarchy does not nest at level %d",
                   l);
            up[g] = t->group[l][i];
        }
    }
    EXPECT(t->nleaves == 0 || t->ngroups[t->height] == 1, "a hierarchy has no single root");
}

/* "20-29", "[-10, -1]", "[0.5, 1.0)", "20 to 29", "0.5 to under 1.0": of ranges that the tool chose. */
static void
read_intervals(tree *t)
{
    for (int l = 1; l < t->height; l++)
        for (int g = 0; g < t->ngroups[l]; g++) {
            char        low[40], high[40], end;
            const char *label = t->label[l][g];

            if (!label || (t->missing >= 0 && t->group[l][t->missing] == g))
                continue;
            if (sscanf(label, "[%39[-0-9.], %39[-0-9.]%c", low, high, &end) != 3
                && sscanf(label, "%39[0-9]-%39[0-9]%c", low, high, &end) != 2
                && sscanf(label, "%39[0-9.] to under %39[0-9.]%c", low, high, &end) != 2
                && sscanf(label, "%39[0-9.] to %39[0-9.]%c", low, high, &end) != 2)
                continue;
            t->has_interval[l][g] = true;
            t->low[l][g] = millionths(low);
            t->high[l][g] = millionths(high);
        }
}

/* --- losses ------------------------------------------------------------------------------------- */

static int64_t
clip(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static long double
interval_loss(const tree *t, int level, int g)
{
    int64_t low = INT64_MAX, high = INT64_MIN;

    if (!t->extremes || t->least == t->most)
        return 0;
    if (level == t->height)
        return 1;
    if (t->has_interval[level][g]) {
        low = t->low[level][g];
        high = t->high[level][g];
    } else
        for (int i = 0; i < t->nleaves; i++)
            if (i != t->missing && t->group[level][i] == g) {
                low = t->number[i] < low ? t->number[i] : low;
                high = t->number[i] > high ? t->number[i] : high;
            }
    return (long double) (clip(high, t->least, t->most) - clip(low, t->least, t->most))
         / (long double) (t->most - t->least);
}

static int
members(const tree *t, int level, int g, bool with_missing)
{
    int count = 0;

    for (int i = 0; i < t->nleaves; i++)
        count += t->group[level][i] == g && (with_missing || i != t->missing);
    return count;
}

static void
take_losses(tree *t)
{
    int domain = t->nleaves - (t->missing >= 0);

    for (int l = 1; l <= t->height; l++)
        for (int i = 0; i < t->nleaves; i++) {
            int          g = t->group[l][i], real = members(t, l, g, false), lowest = l;
            long double *loss = t->loss[l][i];

            if (real == 0)
                continue;
            if (t->numeric) {
                loss[0] = loss[1] = loss[2] = interval_loss(t, l, g);
                continue;
            }
            loss[0] = real > 1 && domain > 1 ? (long double) (real - 1) / (domain - 1) : 0;
            loss[1] = real > 1 ? (long double) real / domain : 0;
            while (lowest > 0
                   && members(t, lowest - 1, t->group[lowest - 1][i], true)
                          == members(t, l, g, true))
                lowest--;
            loss[2] = (long double) lowest / t->height;
        }
}

/* --- all of it ---------------------------------------------------------------------------------- */

static void
take_numbers(tree *t)
{
    for (int i = 0; i < t->nleaves; i++) {
        if (i == t->missing)
            continue;
        t->number[i] = millionths(t->leaf[i]);
        if (i >= t->held)
            continue;
        t->least = t->extremes && t->least < t->number[i] ? t->least : t->number[i];
        t->most = t->extremes && t->most > t->number[i] ? t->most : t->number[i];
        t->extremes = true;
    }
}

static bool
all_numbers(const tree *t)
{
    int count = 0;

    for (int i = 0; i < t->held; i++)
        if (i != t->missing) {
            if (!is_number_text(t->leaf[i]))
                return false;
            count++;
        }
    return count > 0;
}

tree *
tree_of(const job *j, int at, const records *built)
{
    const column *c = &j->columns[at];
    tree         *t = take(sizeof *t);
    int           qi = -1;

    for (int i = 0; i < j->m; i++)
        if (j->quasi[i] == at)
            qi = i;
    take_leaves(t, j, at, qi);
    t->dash = j->dash;
    t->numeric = !(c->type && same(c->type, "string")) && c->kind != PLACE && c->kind != MASK
              && c->kind != DATE && all_numbers(t);
    if (c->kind == RANGE || c->kind == X10 || c->kind == RANGE_AUTO
        || (c->type && same(c->type, "number")))
        t->numeric = true;
    if (t->numeric)
        take_numbers(t);
    switch (c->kind) {
    case RANGE:
        range_levels(t, c->widths, c->nwidths);
        break;
    case X10:
        x10_levels(t);
        break;
    case MASK:
        mask_levels(t, c->left);
        break;
    case DATE:
        date_levels(t, c);
        break;
    case FILE_KIND:
        listed_levels(t, j, c->lines, c->nlines, c->width, true);
        break;
    case PLACE:
        listed_levels(t, j, c->lines, c->nlines, c->width, false);
        break;
    default:
        if (built->count == 0)
            bottom(t), top(t, 1);
        else
            listed_levels(t, j, built->rows, built->count, built->widths[0], true);
    }
    if (t->numeric)
        take_numbers(t); /* also those that only a file has */
    if (c->kind >= ORDER && c->kind != ORDER && t->numeric)
        read_intervals(t);
    check_nested(t);
    take_losses(t);
    return t;
}

int
values_of(const job *j, int at, int *value, char **order)
{
    int count = 0;

    for (int r = 0; r < j->n; r++) {
        const char *cell = j->columns[at].cells[r];
        bool        missing = is_missing(j, cell);
        int         v = 0;

        while (v < count && !(missing ? !order[v] : order[v] && same(order[v], cell)))
            v++;
        if (v == count)
            order[count++] = missing ? NULL : copy(cell);
        value[r] = v;
    }
    return count;
}
