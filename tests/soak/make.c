/* SPDX-License-Identifier: Apache-2.0 */
/* make.c -- makes a random job from a seed and an index: columns, hierarchies, settings. */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { "ash",   "birch", "cedar",      "elm",     "fir",  "oak",
                                     "pine",  "yew",   "Zürich",     "x y",     "a;b",  "c,d",
                                     "e\"f",  "g|h",   "=1+2",       "'q'",     "@cmd", "-",
                                     "naïve", "東京",  "two\nlines", "tab\tin", "#7",   "+a",
                                     "ü",     "null",  "a'b",        "{x}" };
static const char *const places[] = { "Norhaven", "Eskvik", "Øster",    "Ulm",
                                      "Bern",     "Wil",    "Den Bosch" };
static const char *const notes[] = { "",
                                     "plain",
                                     "with, comma",
                                     "a \"quoted\" word",
                                     "two\nlines",
                                     "semi;colon",
                                     "naïve",
                                     " blanks ",
                                     "=HYPERLINK(\"x\")",
                                     "+1",
                                     "-1",
                                     "@x",
                                     "?",
                                     "NA",
                                     "*",
                                     "\x01\x02",
                                     "\x1b[0m",
                                     "\x7f",
                                     "a\rb",
                                     "\"",
                                     "\"\"",
                                     "''",
                                     "tab\t",
                                     "\\n",
                                     "ÿ" };
enum {
    WORDS = sizeof words / sizeof words[0],
    PLACES = sizeof places / sizeof places[0],
    NOTES = sizeof notes / sizeof notes[0]
};

typedef struct maker {
    job   *j;
    chance c;
    bool   with_missing, plain; /* plain: nothing in texts that needs quotes or UTF-8 */
    long   nodes;
} maker;

/* Draws some of a list, each once. */
static int
sample(maker *k, const char *const *from, int count, char **to, int want)
{
    int order[64], got = 0;

    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = 0; i < count && got < want; i++) {
        int at = draw(&k->c, i, count - 1), kept = order[at];

        order[at] = order[i];
        order[i] = kept;
        to[got++] = copy(from[kept]);
    }
    return got;
}

/* A column: uneven frequencies, now and then missing. */
static char **
fill(maker *k, char **domain, int count)
{
    job   *j = k->j;
    char **cells = take((size_t) (j->n + 1) * sizeof *cells);
    int    weight[64], total = 0;
    bool   missing = k->with_missing && maybe(&k->c, 0.7);
    double share = missing ? (double[]){ 0.05, 0.2, 0.5 }[draw(&k->c, 0, 2)] : 0;
    int tokens = draw(&k->c, 1, j->dialect.ntokens), shift = draw(&k->c, 0, j->dialect.ntokens - 1);

    for (int i = 0; i < count; i++)
        total += weight[i] = (int[]){ 1, 1, 2, 5 }[draw(&k->c, 0, 3)];
    for (int r = 0; r < j->n; r++) {
        int at = draw(&k->c, 0, total - 1), i = 0;

        while (at >= weight[i])
            at -= weight[i++];
        cells[r] = domain[i];
        if (missing && maybe(&k->c, share))
            cells[r] = copy(
                j->dialect.tokens[(shift + draw(&k->c, 0, tokens - 1)) % j->dialect.ntokens]);
    }
    return cells;
}

/* --- kinds of quasi-identifiers ----------------------------------------------------------------- */

/* Level lists of a random tree: groups join upwards, some stand still. */
static void
grow(maker *k, column *q, char **domain, int count)
{
    int   inner = draw(&k->c, 0, 3), group[LEAVES_MOST], ngroups = count;
    char *label[LEAVES_MOST], *root = copy(ONE_OF(&k->c, "*", "*", "anything"));

    if (q->kind == PLACE)
        root = copy("*");
    q->nlines = count;
    q->width = inner + 2;
    q->lines = take((size_t) (count + 1) * sizeof *q->lines);
    for (int i = 0; i < count; i++) {
        q->lines[i] = take((size_t) q->width * sizeof **q->lines);
        q->lines[i][0] = domain[i];
        q->lines[i][q->width - 1] = root;
        group[i] = i;
        label[i] = domain[i];
    }
    for (int level = 1; level <= inner; level++) {
        int to[LEAVES_MOST], made = 0;
        int held[LEAVES_MOST] = { 0 };

        for (int g = 0; g < ngroups; g++) {
            to[g] = made && maybe(&k->c, 0.5) ? draw(&k->c, 0, made - 1) : made++;
            held[to[g]]++;
        }
        for (int i = 0; i < count; i++) {
            int  now = to[group[i]];
            bool still = held[now] == 1 && (level * 7 + now * 13 + (int) (k->j->index % 5)) % 5 < 3;

            if (!still)
                label[i] = print("L%d group %d", level, now);
            q->lines[i][level] = label[i];
            group[i] = now;
        }
        ngroups = made;
    }
}

static void
shuffle_lines(maker *k, column *q)
{
    for (int i = q->nlines - 1; i > 0; i--) {
        int    at = draw(&k->c, 0, i);
        char **kept = q->lines[at];

        q->lines[at] = q->lines[i];
        q->lines[i] = kept;
    }
}

static void
quasi_file(maker *k, column *q)
{
    char *domain[LEAVES_MOST];
    int   want = draw(&k->c, 1, 9), count = 0, used;

    if (maybe(&k->c, 0.3)) {
        bool seen[121] = { 0 };

        for (int i = 0; i < want; i++) {
            int value = draw(&k->c, -20, 99);

            if (!seen[value + 20])
                domain[count++] = print("%d", value);
            seen[value + 20] = true;
        }
    } else
        count = sample(k, words, k->plain ? 8 : WORDS, domain, want);
    used = draw(&k->c, 1, count);
    q->cells = fill(k, domain, used);
    grow(k, q, domain, count);
    if (k->with_missing && maybe(&k->c, 0.3)) { /* one line speaks for all spellings */
        char **line = take((size_t) q->width * sizeof *line);

        memcpy(line, q->lines[draw(&k->c, 0, count - 1)], (size_t) q->width * sizeof *line);
        line[0] = copy(k->j->dialect.tokens[draw(&k->c, 0, k->j->dialect.ntokens - 1)]);
        q->lines[q->nlines++] = line;
    }
    shuffle_lines(k, q);
    q->between = ";;,\t"[draw(&k->c, 0, 3)];
    if (maybe(&k->c, 0.15))
        q->type = copy("string");
}

static void
quasi_place(maker *k, column *q)
{
    char *domain[PLACES];
    int   count = sample(k, places, PLACES, domain, draw(&k->c, 1, 6));

    q->cells = fill(k, domain, draw(&k->c, 1, count));
    grow(k, q, domain, count);
    q->between = ';';
}

static const char *const widths_of[][4] = { { "5", "10", "50" }, { "2", "4" },   { "10" },
                                            { "3", "15", "60" }, { "5", "100" }, { "1", "7" } };
static const char *const fine_widths[][4] = {
    { "0.5", "1", "5" }, { "2", "10" }, { "0.25", "2.5" }, { "5" }
};
static const char *const tiny_widths[][4] = { { "0.000005", "0.00002" }, { "0.000001", "0.001" } };

static void
take_widths(column *q, const char *const *widths)
{
    q->spec = copy("range:");
    for (q->nwidths = 0; q->nwidths < 4 && widths[q->nwidths]; q->nwidths++) {
        q->widths[q->nwidths] = millionths(widths[q->nwidths]);
        q->spec = print("%s%s%s", q->spec, q->nwidths ? "," : "", widths[q->nwidths]);
    }
}

/* Neighbours with 18 digits, of which a double has 16: it takes many of them for the same number. What they
 * lose is no matter of doubles as long as the column has others far from them. */
static void
long_numbers(chance *c, char **domain, int count)
{
    bool negative = maybe(c, 0.3);

    for (int i = 0; i < count; i++)
        domain[i] = print("%s%s.%06d", negative && maybe(c, 0.5) ? "-" : "",
                          maybe(c, 0.7) ? "550000000000" : "100000000007", draw(c, 0, 25));
}

static void
quasi_range(maker *k, column *q)
{
    char  *domain[64];
    int    count = draw(&k->c, 1, 14), how = draw(&k->c, 0, 9);
    chance own = chance_of(k->j->seed, k->j->index, 90 + (uint64_t) k->j->ncolumns);
    bool   is_long = (how == 1 || how == 2) && maybe(&own, 0.3);

    if (how < 3) { /* decimals, one of which is certain */
        for (int i = 0; i < count; i++) {
            int value = draw(&k->c, -500, 2000);

            domain[i] = maybe(&k->c, 0.5) ? print("%.1f", value / 10 / 10.0)
                                          : print("%.2f", value / 100.0);
            if (same(domain[i], "-0.0") || same(domain[i], "-0.00"))
                domain[i] = copy("0.0");
        }
        if (is_long)
            long_numbers(&own, domain, count);
        domain[count++] = copy("2.75");
        q->cells = fill(k, domain, count);
        if (k->j->n)
            q->cells[0] = copy("2.75");
        take_widths(q, fine_widths[draw(&k->c, 0, 3)]);
        if (is_long && maybe(&own, 0.5))
            take_widths(q, tiny_widths[draw(&own, 0, 1)]);
        if (how == 0) { /* with a comma */
            for (int r = 0; r < k->j->n; r++) {
                char *point;

                if (is_missing(k->j, q->cells[r]))
                    continue;
                q->cells[r] = copy(q->cells[r]);
                if ((point = strchr(q->cells[r], '.')))
                    *point = ',';
            }
            q->type = copy("number");
        }
        return;
    }
    if (how == 3) { /* spellings of the same number */
        count = 0;
        for (int i = draw(&k->c, 1, 5); i > 0; i--) {
            int value = draw(&k->c, 0, 9);

            domain[count++] = print("%d", value);
            domain[count++] = print("%d.0", value);
            domain[count++] = print("%d.50", value);
            domain[count++] = print("%d.5", value);
        }
        q->cells = fill(k, domain, count);
        if (k->j->n)
            q->cells[0] = copy("2.75");
        take_widths(q, fine_widths[draw(&k->c, 0, 3)]);
        return;
    }
    {
        const int  spans[][2] = { { 0, 99 },   { -30, 30 }, { 18, 40 },
                                  { 0, 2000 }, { 7, 7 },    { 0, 100000 } };
        const int *span = spans[draw(&k->c, 0, 5)];

        for (int i = 0; i < count; i++)
            domain[i] = print("%d", draw(&k->c, span[0], span[1]));
        q->cells = fill(k, domain, count);
        take_widths(q, widths_of[draw(&k->c, 0, 5)]);
    }
}

static void
quasi_x10(maker *k, column *q)
{
    char *domain[8];
    int   high = (int[]){ 9, 10, 99, 100, 12345 }[draw(&k->c, 0, 4)];

    for (int i = 0; i < 8; i++)
        domain[i] = print("%d", draw(&k->c, 0, high));
    q->cells = fill(k, domain, 8);
    q->spec = copy("range:x10");
}

static void
quasi_mask(maker *k, column *q)
{
    static const char *const alphabets[][5] = {
        { "1", "2" }, { "0", "1", "2", "8", "9" }, { "a", "b", "é" }, { "A", "-", "7" }
    };
    const char *const *alphabet = alphabets[k->plain ? draw(&k->c, 0, 1) : draw(&k->c, 0, 3)];
    char              *domain[10];
    int                longest = draw(&k->c, 1, 4), count = draw(&k->c, 1, 10), kinds = 0;
    bool               even = maybe(&k->c, 0.5);

    while (kinds < 5 && alphabet[kinds])
        kinds++;
    for (int i = 0; i < count; i++) {
        domain[i] = copy("");
        for (int length = even ? longest : draw(&k->c, 1, longest); length > 0; length--)
            domain[i] = print("%s%s", domain[i], alphabet[draw(&k->c, 0, kinds - 1)]);
        if (is_missing(k->j, domain[i]))
            domain[i] = copy(alphabet[0]);
    }
    q->cells = fill(k, domain, count);
    q->left = maybe(&k->c, 0.3);
    q->spec = copy(q->left ? "mask:left" : "mask:right");
}

/* A day since 1970 as year, month, day. */
static void
civil(int days, int *y, int *mon, int *d)
{
    int z = days + 719468, era = z / 146097, doe = z - era * 146097;
    int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365,
        doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int mp = (5 * doy + 2) / 153;

    *d = doy - (153 * mp + 2) / 5 + 1;
    *mon = mp < 10 ? mp + 3 : mp - 9;
    *y = yoe + era * 400 + (*mon <= 2);
}

static void
quasi_date(maker *k, column *q)
{
    static const char *const units_of[] = { "month,year",   "month,quarter,year,decade",
                                            "year",         "quarter,decade",
                                            "week",         "month,year,decade",
                                            "month,century" };
    static const char *const names[] = { "day",  "week",   "month",  "quarter",
                                         "year", "decade", "century" };
    char                    *domain[10], *units, *word;
    int                      first = (int[]){ -440, 10884, 18200 }[draw(&k->c, 0, 2)];
    int                      span = (int[]){ 40, 400, 8000 }[draw(&k->c, 0, 2)];
    bool                     times;

    q->form = draw(&k->c, 0, 5);
    times = q->form == 0 && maybe(&k->c, 0.3);
    for (int i = 0; i < 10; i++) {
        int y, mon, d;

        civil(first + draw(&k->c, 0, span), &y, &mon, &d);
        if (q->form == 3 && i == 0) /* tells month from day */
            y = 1999, mon = 12, d = 31;
        switch (q->form) {
        case 0:
            domain[i] = print("%04d-%02d-%02d", y, mon, d);
            break;
        case 1:
            domain[i] = print("%04d/%02d/%02d", y, mon, d);
            break;
        case 2:
            domain[i] = print("%02d/%02d/%04d", d, mon, y);
            break;
        case 3:
            domain[i] = print("%02d/%02d/%04d", mon, d, y);
            break;
        case 4:
            domain[i] = print("%02d.%02d.%04d", d, mon, y);
            break;
        default:
            domain[i] = print("%02d-%02d-%04d", d, mon, y);
            break;
        }
        if (times)
            domain[i] = print("%s%s", domain[i], ONE_OF(&k->c, "T08:15", " 17:30:00"));
    }
    q->cells = fill(k, domain, 10);
    if (q->form == 3 && k->j->n)
        q->cells[0] = domain[0];
    units = copy(units_of[draw(&k->c, 0, 6)]);
    if (times)
        units = print("day,%s", same(units, "week") ? "year" : units);
    q->spec = print("date:%s", units);
    for (word = strtok(units, ","); word; word = strtok(NULL, ","))
        for (int i = 0; i < 7; i++)
            if (same(names[i], word))
                q->units[q->nunits++] = i;
}

static void
quasi_chosen(maker *k, column *q)
{
    char *domain[16];
    int   count = draw(&k->c, 1, 9), how = draw(&k->c, 0, 3);

    if (q->kind == RANGE_AUTO) {
        const int  spans[][2] = { { 0, 5 }, { 0, 40 }, { 3, 700 }, { -20, 20 }, { -9, -2 } };
        const int *span = spans[draw(&k->c, 0, 4)];
        bool       fine = maybe(&k->c, 0.3);

        for (int i = 0; i < count; i++) {
            int value = draw(&k->c, span[0] * 10, span[1] * 10);

            domain[i] = fine ? print("%s%.1f", "", value / 10.0) : print("%d", value / 10);
        }
        q->spec = copy("range");
    } else if (q->kind == ORDER) {
        if (how < 2)
            for (int i = 0; i < count; i++)
                domain[i] = print("%d", draw(&k->c, 0, 50));
        else
            count = sample(k, words, k->plain ? 8 : WORDS, domain, count);
        q->spec = copy(ONE_OF(&k->c, "order", "order:2", "order:3"));
    } else {
        if (how == 1)
            count = sample(k, words, k->plain ? 8 : WORDS, domain, count);
        else
            for (int i = 0; i < count; i++)
                domain[i] = how == 0 ? print("%d", draw(&k->c, 0, 99))
                          : how == 2 ? print("%04d", draw(&k->c, 0, 9999))
                                     : print("19%02d-0%d-1%d", draw(&k->c, 60, 99),
                                             draw(&k->c, 1, 9), draw(&k->c, 0, 9));
        q->spec = copy("auto");
    }
    q->cells = fill(k, domain, count);
}

static int
levels_most(const column *q)
{
    switch (q->kind) {
    case FILE_KIND:
    case PLACE:
        return q->width;
    case RANGE:
        return q->nwidths + 2;
    case X10:
        return 6;
    case MASK:
        return 5;
    case DATE:
        return q->nunits + 2;
    default:
        return 6;
    }
}

/* --- columns ------------------------------------------------------------------------------------ */

static column *
add_column(job *j, const char *name, role_t role)
{
    column *c = &j->columns[j->ncolumns++];

    memset(c, 0, sizeof *c);
    c->name = copy(name);
    c->role = role;
    c->high = -1;
    return c;
}

static kind_t
some_kind(maker *k)
{
    static const kind_t kinds[] = { FILE_KIND, FILE_KIND, FILE_KIND, RANGE,      RANGE,
                                    X10,       MASK,      MASK,      DATE,       DATE,
                                    ORDER,     AUTO,      PLACE,     RANGE_AUTO, RANGE };
    kind_t              kind = kinds[draw(&k->c, 0, 14)];

    if (kind >= ORDER
        && k->j->asked.population) /* what the tool chooses, it chooses from both tables */
        kind = kind == ORDER ? MASK : kind == AUTO ? RANGE : X10;
    if (k->j->rid < 0 && !k->j->local) /* its labels must be known */
        kind = kind == MASK || kind == DATE || kind == RANGE ? FILE_KIND : kind;
    return kind;
}

static void
add_quasi(maker *k)
{
    job *j = k->j;
    int  want = draw(&k->c, 1, 5);

    k->nodes = 1;
    for (int i = 0; i < want; i++) {
        column *q = add_column(j, print("q%d", i), QUASI);

        q->kind = some_kind(k);
        switch (q->kind) {
        case FILE_KIND:
            quasi_file(k, q);
            break;
        case PLACE:
            quasi_place(k, q);
            break;
        case RANGE:
            quasi_range(k, q);
            break;
        case X10:
            quasi_x10(k, q);
            break;
        case MASK:
            quasi_mask(k, q);
            break;
        case DATE:
            quasi_date(k, q);
            break;
        default:
            quasi_chosen(k, q);
            break;
        }
        if (i && !j->local && k->nodes * levels_most(q) > NODES_MOST) {
            j->ncolumns--;
            break;
        }
        k->nodes *= levels_most(q);
    }
    if (j->n > 1 && maybe(&k->c, 0.03)) /* all rows alike */
        for (int i = 0; i < j->ncolumns; i++)
            if (j->columns[i].role == QUASI && j->columns[i].form != 3)
                for (int r = 1; r < j->n; r++)
                    j->columns[i].cells[r] = j->columns[i].cells[0];
}

static void
all_apart(maker *k)
{
    job    *j = k->j;
    column *q = &j->columns[0];

    memset(q, 0, sizeof *q);
    q->high = -1;
    q->name = copy("q0");
    q->role = QUASI;
    q->kind = RANGE;
    q->cells = take((size_t) (j->n + 1) * sizeof *q->cells);
    for (int r = 0; r < j->n; r++)
        q->cells[r] = print("%d", r * draw(&k->c, 1, 1));
    take_widths(q, widths_of[draw(&k->c, 0, 3)]);
}

static void
add_sensitive(maker *k)
{
    job *j = k->j;

    if (maybe(&k->c, 0.7)) {
        static const char *const ills[] = { "flu", "cold", "asthma", "none at all" };
        char                    *domain[8];
        int                      count = sample(k, ills, 4, domain, draw(&k->c, 1, 4));
        column                  *c = add_column(j, "illness", SENSITIVE);

        if (k->with_missing && maybe(&k->c, 0.3))
            domain[count++] = copy(j->dialect.tokens[draw(&k->c, 0, j->dialect.ntokens - 1)]);
        c->cells = take((size_t) (j->n + 1) * sizeof *c->cells);
        for (int r = 0; r < j->n; r++)
            c->cells[r] = domain[draw(&k->c, 0, count - 1)];
        c->text_given = maybe(&k->c, 0.4);
        if (c->text_given) {
            static const char *const listed[][3] = { { "flu", "short", "*" },
                                                     { "cold", "short", "*" },
                                                     { "asthma", "long", "*" },
                                                     { "none at all", "none at all", "*" } };

            c->kind = FILE_KIND;
            c->between = ';';
            c->nlines = 4;
            c->width = 3;
            c->lines = take(5 * sizeof *c->lines);
            for (int i = 0; i < 4; i++) {
                c->lines[i] = take(3 * sizeof **c->lines);
                for (int l = 0; l < 3; l++)
                    c->lines[i][l] = copy(listed[i][l]);
            }
        }
    }
    if (maybe(&k->c, 0.3)) {
        column *c = add_column(j, "wage", SENSITIVE);
        int     kinds = draw(&k->c, 2, 6), value[6];

        for (int i = 0; i < kinds; i++)
            value[i] = draw(&k->c, 0, 30);
        c->cells = take((size_t) (j->n + 1) * sizeof *c->cells);
        for (int r = 0; r < j->n; r++)
            c->cells[r] = k->with_missing && maybe(&k->c, 0.05)
                            ? copy(j->dialect.tokens[0])
                            : print("%d", value[draw(&k->c, 0, kinds - 1)]);
        c->type = copy("number");
    }
}

static void
add_others(maker *k)
{
    job    *j = k->j;
    column *c;

    if (maybe(&k->c, 0.3)) {
        c = add_column(j, "name", IDENTIFIER);
        c->cells = take((size_t) (j->n + 1) * sizeof *c->cells);
        for (int r = 0; r < j->n; r++)
            c->cells[r] = print("Person %d", draw(&k->c, 1, 99));
    }
    if (maybe(&k->c, 0.5)) {
        bool long_cells = maybe(&k->c, 0.03);

        c = add_column(j, "note", INSENSITIVE);
        c->cells = take((size_t) (j->n + 1) * sizeof *c->cells);
        for (int r = 0; r < j->n; r++) {
            c->cells[r] = copy(notes[k->plain ? draw(&k->c, 0, 1) : draw(&k->c, 0, NOTES - 1)]);
            if (long_cells && maybe(&k->c, 0.2)) {
                int length = draw(&k->c, 1000, 70000);

                c->cells[r] = take((size_t) length + 1);
                memset(c->cells[r], "x,;\" "[draw(&k->c, 0, k->plain ? 0 : 4)], (size_t) length);
            }
        }
    }
    if (maybe(&k->c, 0.25)) {
        c = add_column(j, "who", maybe(&k->c, 0.5) ? IDENTIFIER : INSENSITIVE);
        c->cells = take((size_t) (j->n + 1) * sizeof *c->cells);
        for (int r = 0; r < j->n; r++)
            c->cells[r] = print("w%d", draw(&k->c, 0, j->n > 4 ? j->n / 2 : 2));
    }
    if (maybe(&k->c, 0.25)) {
        c = add_column(j, "want", maybe(&k->c, 0.5) ? IDENTIFIER : INSENSITIVE);
        c->cells = take((size_t) (j->n + 1) * sizeof *c->cells);
        for (int r = 0; r < j->n; r++)
            c->cells[r] = copy(maybe(&k->c, 0.15) ? j->dialect.tokens[0]
                                                  : ONE_OF(&k->c, "1", "2", "2", "3", "4"));
    }
    if (j->rid >= 0) {
        c = add_column(j, "rid", INSENSITIVE);
        c->cells = take((size_t) (j->n + 1) * sizeof *c->cells);
        for (int r = 0; r < j->n; r++)
            c->cells[r] = print("r%d", r);
    }
}

/* The order in which columns stand in the file, and how they are called there. */
static void
name_columns(maker *k)
{
    static const char *const odd[] = { "%s 1", "%s,1", "%s;1",   "%s\"1", "%sé",   "=%s",
                                       "%s|x", "%s'",  "#%s",    "%s: x", "%s\n2", "- %s",
                                       "%s=",  "{%s}", "\"%s\"", "%s.x",  "東%s" };
    job                     *j = k->j;
    bool                     odd_names = !k->plain && maybe(&k->c, 0.3);

    for (int i = j->ncolumns - 1; i > 0; i--) {
        int    at = draw(&k->c, 0, i);
        column kept = j->columns[at];

        j->columns[at] = j->columns[i];
        j->columns[i] = kept;
    }
    for (int i = 0; i < j->ncolumns; i++) {
        column     *c = &j->columns[i];
        const char *base = c->name;

        if (same(base, "rid"))
            j->rid = i;
        if (same(base, "who") && j->asked.entity)
            j->asked.entity = i + 1;
        if (same(base, "want") && j->asked.k_column)
            j->asked.k_column = i + 1;
        if (odd_names && maybe(&k->c, 0.5)) {
            const char *form = odd[draw(&k->c, 0, (int) (sizeof odd / sizeof odd[0]) - 1)];
            const char *mark = strstr(form, "%s");

            c->name = print("%.*s%s%s", (int) (mark - form), form, base, mark + 2);
        }
        c->header = c->name;
        if (odd_names && maybe(&k->c, 0.1))
            c->header = print(" %s  ", c->name);
        if (odd_names && c->role == INSENSITIVE && maybe(&k->c, 0.1)) {
            c->name = print("column%d", i + 1);
            c->header = copy("");
        }
        if (j->dialect.no_header)
            c->name = print("column%d", i + 1);
        if (c->role == QUASI)
            j->quasi[j->m++] = i;
    }
}

/* --- settings ----------------------------------------------------------------------------------- */

static void
some_dialect(maker *k)
{
    dialect *d = &k->j->dialect;

    d->quote = maybe(&k->c, 0.07) ? '\'' : '"';
    d->delimiter = ",,,;\t|"[draw(&k->c, 0, 5)];
    d->crlf = maybe(&k->c, 0.2);
    d->bom = maybe(&k->c, 0.07);
    d->gzip = maybe(&k->c, 0.05) && !refuses_gzip();
    d->latin1 = !k->plain && !d->bom && maybe(&k->c, 0.05);
    d->quote_all = maybe(&k->c, 0.1);
    d->no_header = maybe(&k->c, 0.07);
    d->sep_line = !d->bom && !d->no_header && maybe(&k->c, 0.03);
    d->sniffed = k->plain && maybe(&k->c, 0.5);
    d->empty_end = maybe(&k->c, 0.04);
    d->own_tokens = maybe(&k->c, 0.15);
    d->ntokens = 3;
    d->tokens[0] = "";
    d->tokens[1] = d->own_tokens ? "n/a" : "?";
    d->tokens[2] = d->own_tokens ? "none" : "NA";
}

static void
ask(maker *k, int what)
{
    job   *j = k->j;
    asked *a = &j->asked;

    switch (what) {
    case 0:
    case 1:
        a->l_kind = draw(&k->c, 0, 2);
        a->l = copy(a->l_kind == ENTROPY_L ? ONE_OF(&k->c, "2", "2", "3", "1.5")
                                           : ONE_OF(&k->c, "2", "2", "3"));
        if (a->l_kind == RECURSIVE_L)
            a->l_c = copy(ONE_OF(&k->c, "0.5", "1", "2", "3", "4"));
        break;
    case 2:
    case 3:
        a->t = copy(ONE_OF(&k->c, "0.05", "0.1", "0.2", "0.25", "0.3", "0.5", "0.7"));
        a->t_distance = maybe(&k->c, 0.3) ? T_EQUAL : T_AUTO;
        break;
    case 4:
        a->p = copy(ONE_OF(&k->c, "2", "2", "3"));
        break;
    case 5:
        a->alpha = copy(ONE_OF(&k->c, "0.4", "0.5", "0.6", "0.75", "0.9"));
        break;
    case 6:
        a->beta = copy(ONE_OF(&k->c, "0.2", "0.5", "1", "2", "4"));
        a->enhanced = maybe(&k->c, 0.5);
        break;
    case 7:
        a->delta = copy(ONE_OF(&k->c, "0.3", "0.7", "1", "2"));
        break;
    case 8:
        a->entity = 1;
        break; /* the column is found later */
    case 9:
        a->k_column = 1;
        break;
    case 10:
        a->k_map = copy(ONE_OF(&k->c, "2", "3", "5", "8", "20"));
        break;
    default:
        a->presence = copy(
            ONE_OF(&k->c, "0.3", "0.5", "0.6", "0.8", "0.1,0.6", "0.2,0.9", "0,0.5"));
    }
}

static bool
has_column(const job *j, const char *name)
{
    for (int i = 0; i < j->ncolumns; i++)
        if (same(j->columns[i].name, name))
            return true;
    return false;
}

static void
some_models(maker *k)
{
    job *j = k->j;
    int  choices[20], count = 0, want = (int[]){ 1, 1, 2, 3 }[draw(&k->c, 0, 3)];

    if (has_column(j, "illness") || has_column(j, "wage"))
        for (int i = 0; i < 8; i++)
            choices[count++] = i;
    if (has_column(j, "who"))
        choices[count++] = 8;
    if (has_column(j, "want"))
        choices[count++] = 9;
    if (j->asked.population)
        for (int i = 0; i < 4; i++)
            choices[count++] = 10 + i % 2;
    for (int i = 0; i < want && count; i++) {
        int at = draw(&k->c, 0, count - 1);

        ask(k, choices[at]);
        choices[at] = choices[--count];
    }
}

static void
some_people(maker *k)
{
    job *j = k->j;
    int  more = (int[]){ 0, 3, j->n, 3 * j->n }[draw(&k->c, 0, 3)], from = 0;

    j->people = take((size_t) (j->n + more + 1) * sizeof *j->people);
    for (int r = 0; r < j->n + more; r++) {
        char **person = take((size_t) j->m * sizeof *person);

        for (int i = 0; i < j->m; i++) {
            column *q = &j->columns[j->quasi[i]];

            person[i] = r < j->n ? q->cells[r]
                      : j->n     ? q->cells[draw(&k->c, 0, j->n - 1)]
                                 : copy("");
            if (r >= j->n && q->kind == X10 && maybe(&k->c, 0.3))
                person[i] = print("%d", draw(&k->c, 0, 9));
            if (r >= j->n && q->kind == FILE_KIND && maybe(&k->c, 0.1))
                person[i] = q->lines[draw(&k->c, 0, q->nlines - 1)][0];
        }
        j->people[j->npeople++] = person;
    }
    if (maybe(&k->c, 0.1) && j->npeople)
        from = draw(&k->c, 0, j->npeople - 1);
    j->people += from;
    j->npeople -= from;
}

static void
add_param(job *j, const char *key, const char *value)
{
    if (j->nparams < 8)
        j->params[j->nparams++] = print("%s=%s", key, value);
}

static void
some_local(maker *k)
{
    job *j = k->j;

    j->algorithm = ONE_OF(&k->c, "mondrian", "mondrian", "mondrian", "k-members", "k-members",
                          "oka", "ika", "bha", "kab", "kab");
    j->metric = ONE_OF(&k->c, "gcp", "gcp", "glm", "total_il");
    j->show = ONE_OF(&k->c, "interval", "interval", "interval", "interval", "mean", "median",
                     "mode");
    j->snap = same(j->show, "interval") ? ONE_OF(&k->c, "off", "hierarchy", "grid", "grid", "grid")
                                        : "off";
    j->k = draw(&k->c, 1, 7);
    j->eta = ONE_OF(&k->c, "0", "0", "0", "0.05", "0.1", "0.15", "0.2", "0.5");
    if (same(j->show, "interval") && maybe(&k->c, 0.25))
        for (int i = 0; i < j->ncolumns; i++)
            if (j->columns[i].role == QUASI
                && (j->columns[i].kind == RANGE || j->columns[i].kind == X10) && maybe(&k->c, 0.6))
                j->columns[i].grid = copy(
                    ONE_OF(&k->c, "1", "2", "5", "10", "0.5", "2.5", "0.25", "100"));
    if (same(j->algorithm, "mondrian")) {
        if (maybe(&k->c, 0.4))
            add_param(j, "mode", ONE_OF(&k->c, "strict", "relaxed"));
        if (maybe(&k->c, 0.3))
            add_param(j, "cut", ONE_OF(&k->c, "cheapest", "widest"));
    } else if (same(j->algorithm, "kab") || same(j->algorithm, "bha")) {
        if (maybe(&k->c, 0.4))
            add_param(j, "move", ONE_OF(&k->c, "grouping", "any", "literal"));
    }
    if ((same(j->algorithm, "k-members") || same(j->algorithm, "ika")) && maybe(&k->c, 0.3))
        add_param(j, "natural", "off");
    if (same(j->algorithm, "kab") || maybe(&k->c, 0.3)) {
        if (!same(j->algorithm, "kab"))
            add_param(j, "refine", "on");
        add_param(j, "refine-iterations", print("%d", draw(&k->c, 1, 30)));
    }
}

static void
some_search(maker *k)
{
    job   *j = k->j;
    chance more = chance_of(j->seed, j->index, 3);

    j->algorithm = ONE_OF(&k->c, "exhaustive", "exhaustive", "exhaustive", "exhaustive",
                          "exhaustive", "optimal", "optimal", "optimal", "ola", "ola", "incognito",
                          "incognito", "samarati", "datafly", "auto", "auto", "kgen", "random",
                          "ga", "tabu", "ga-tabu");
    j->metric = ONE_OF(&k->c, "log", "precision", "dm", "glm", "gcp", "cm", "entropy", "height",
                       "total_il");
    j->k = (int[]){ 1, 2, 2, 2, 3, 3, 4, 5, 6 }[draw(&k->c, 0, 8)];
    j->eta = ONE_OF(&k->c, "0", "0", "0.01", "0.05", "0.1", "0.15", "0.2", "0.29", "0.3", "0.35",
                    "0.5", "5%", "1");
    if (same(j->algorithm, "exhaustive") && maybe(&k->c, 0.2))
        add_param(j, "prune", "off");
    if (same(j->algorithm, "optimal") && maybe(&k->c, 0.6))
        add_param(j, "cover", "off");
    if (same(j->algorithm, "optimal")
        && maybe(&more, 0.5)) /* a good first answer would hide an unsound bound */
        add_param(j, "effort", "0");
    if (same(j->algorithm, "kgen")) {
        add_param(j, "population", ONE_OF(&k->c, "2", "10", "20"));
        add_param(j, "max-evaluations", print("%d", draw(&k->c, 1, 200)));
        if (maybe(&k->c, 0.3))
            add_param(j, "local", "on");
    }
    if (same(j->algorithm, "random"))
        add_param(j, "max-evaluations", print("%d", draw(&k->c, 1, 200)));
    if (same(j->algorithm, "ga") || same(j->algorithm, "tabu"))
        add_param(j, "cycles", print("%d", draw(&k->c, 1, 20)));
    if (same(j->algorithm, "ga-tabu"))
        add_param(j, "cycles", print("%d", draw(&k->c, 1, 3)));
}

static bool
simple_name(const char *name)
{
    for (; *name; name++)
        if (!((*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9')))
            return false;
    return true;
}

void
make_job(job *j, uint64_t seed, uint64_t index)
{
    maker k = { j, chance_of(seed, index, 1), false, false, 1 };

    memset(j, 0, sizeof *j);
    j->seed = seed;
    j->index = index;
    j->label = -1;
    k.with_missing = maybe(&k.c, 0.4);
    k.plain = maybe(&k.c, 0.3);
    some_dialect(&k);
    j->n = maybe(&k.c, 0.2) ? (int[]){ 0, 1, 1, 2, 3, 5, 8 }[draw(&k.c, 0, 6)]
                            : draw(&k.c, 4, draw(&k.c, 0, 1) ? 60 : 25);
    j->local = maybe(&k.c, 0.33);
    j->rid = maybe(&k.c, 0.8) ? 0 : -1;
    j->asked.population = !j->local && !j->dialect.no_header && maybe(&k.c, 0.08);
    add_quasi(&k);
    if (j->n > 1 && !j->asked.population && maybe(&k.c, 0.03))
        all_apart(&k);
    add_sensitive(&k);
    add_others(&k);
    j->snap = j->rid >= 0 ? ONE_OF(&k.c, "off", "grid", "grid") : "off"; /* labels are known then */
    j->show = "interval";
    if (j->local)
        some_local(&k);
    else
        some_search(&k);
    some_defaults(j);
    some_weights(j, &k.c);
    some_limits(j, &k.c);
    if (maybe(&k.c, 0.5)) {
        some_models(&k);
        some_own(j, &k.c);
    }
    name_columns(&k);
    if (j->asked.population)
        some_people(&k);
    if (j->dialect.latin1)
        fit_latin1(j);
    j->mask = maybe(&k.c, 0.35);
    j->drop_identifiers = maybe(&k.c, 0.3);
    j->quote_formulas = maybe(&k.c, 0.3);
    j->dash = maybe(&k.c, 0.3);
    j->keep_order = maybe(&k.c, 0.2);
    j->threads = maybe(&k.c, 0.02) ? 2 : 1;
    for (int i = 0; i < j->ncolumns; i++)
        if (j->columns[i].role == SENSITIVE && (j->label < 0 || maybe(&k.c, 0.5)))
            j->label = i;
    j->in_config = maybe(&k.c, 0.6);
    for (int i = 0; i < j->ncolumns; i++)
        j->in_config |= !simple_name(j->columns[i].name);
    if (maybe(&k.c, 0.02))
        j->fault = (fault_t) draw(&k.c, RAGGED, NO_ROLE);
    choose_roleless(j, &k.c);
    choose_telling(j);
    settle_job(j);
}
