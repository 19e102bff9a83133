/* SPDX-License-Identifier: Apache-2.0 */
/* pareto_text.c -- a front as a table on a terminal, as wide as that is. A long front is thinned out; its
 * ends and its knee are always shown. */
#include "base/fill.h"
#include "report/front.h"

#include <math.h>

enum { POINTS_MOST = 40, NAME_MOST = 24, VALUE_DIGITS = 6 };

/* --- what stands above -------------------------------------------------------------------------------- */

static void
put_title(kn_text *text, const kanon_front *f, unsigned width)
{
    size_t from = text->len;

    kn_text_addz(text, "Pareto front of ");
    for (size_t i = 0; i < f->nobjectives; i++)
        KN_FILL(text, "{}{}{}",
                kn_as_is(i == 0                   ? ""
                         : i + 1 < f->nobjectives ? ", "
                                                  : " and "),
                kn_as_name(f->objectives[i].name, NAME_MOST),
                kn_as_is(f->objectives[i].property.direction[1] == 'a' ? " (more is better)"
                                                                       : " (less is better)"));
    KN_FILL(text, ": {}{}", kn_as_counted(f->npoints, "point"),
            kn_as_is(f->exact ? ", exact.\n" : ", not proven complete.\n"));
    kn_plain_wrap(text, from, width, 0);
}

static void
put_effort(kn_text *text, const kanon_front *f, unsigned width)
{
    size_t from = text->len;

    KN_FILL(text, "{} in a lattice of ", kn_as_counted(f->evaluations, "check"));
    if (f->nodes < 9e15)
        kn_plain_count(text, (uint64_t) f->nodes);
    else
        kn_plain_number(text, f->nodes);
    KN_FILL(text, " nodes by {}, {} s", kn_as_is(f->algorithm), kn_as_fixed(f->search_s, 2));
    if (strcmp(f->stopped, "complete") != 0)
        kn_text_addf(text, " (%s)", f->stopped);
    kn_text_addz(text, ".\n");
    kn_plain_wrap(text, from, width, 0);
}

/* --- the table ------------------------------------------------------------------------------------ */

typedef struct column {
    size_t width;
    bool   integer;
    int    decimals;
} column;

/* Enough digits to tell neighbours of the front apart, no more. */
static void
put_value(kn_text *text, const column *c, double value)
{
    size_t from = text->len, length;

    if (c->integer && value < 1e15)
        kn_plain_count(text, (uint64_t) value);
    else if (c->integer)
        kn_plain_number(text, value);
    else
        kn_plain_fixed(text, value, (unsigned) c->decimals);
    length = text->len - from;
    if (length >= c->width || text->failed)
        return;
    for (size_t i = 0; i < c->width - length; i++) /* room, then moved to the right */
        kn_text_addz(text, " ");
    if (text->failed)
        return;
    memmove(text->ptr + from + c->width - length, text->ptr + from, length);
    memset(text->ptr + from, ' ', c->width - length);
}

static void
measure_columns(kn_text *scrap, const kanon_front *f, column *columns)
{
    for (size_t i = 0; i < f->nobjectives; i++) {
        column *c = &columns[i];
        double  most = 0;

        c->integer = f->objectives[i].property.type[0] == 'i';
        c->width = strlen(f->objectives[i].name);
        for (size_t p = 0; p < f->npoints; p++)
            most = f->points[p].values[i] > most ? f->points[p].values[i] : most;
        c->decimals = most >= 100 ? 1 : most >= 10 ? 2 : 4;
        for (size_t p = 0; p < f->npoints; p++) {
            scrap->len = 0;
            put_value(scrap, &(column){ 0, c->integer, c->decimals }, f->points[p].values[i]);
            c->width = scrap->len > c->width ? scrap->len : c->width;
        }
    }
}

/* Levels one after the other, with blanks where there is room; always where one can have two digits. */
static void
put_levels(kn_text *text, const kanon_front *f, const kn_front_point *p, size_t room)
{
    size_t from = text->len;
    bool   tall = false;

    for (size_t i = 0; i < f->ncolumns; i++)
        tall |= f->columns[i].height > 9;
    for (size_t i = 0; i < f->ncolumns; i++) {
        kn_text_addf(text, i && (tall || room >= 2 * f->ncolumns) ? " %u" : "%u", p->levels[i]);
        if (text->len - from > room && room > 3 && !text->failed) {
            text->len = from + room - 3;
            kn_text_addz(text, "...");
            return;
        }
    }
}

/* What there is room for. */
typedef struct layout {
    column columns[8];
    bool   suppressed;
    size_t levels; /* room for them; 0: none */
} layout;

enum { PICK_WIDTH = 7, SUPPRESSED_WIDTH = 12, LEVELS_LEAST = 8 };

static void
fit(layout *l, const kanon_front *f, unsigned width)
{
    size_t used = PICK_WIDTH;

    for (size_t i = 0; i < f->nobjectives; i++)
        used += 2 + l->columns[i].width;
    l->suppressed = used + SUPPRESSED_WIDTH <= width;
    used += l->suppressed ? SUPPRESSED_WIDTH : 0;
    l->levels = used + LEVELS_LEAST <= width ? width - used - 2 : 0;
}

static void
put_point(kn_text *text, const kanon_front *f, const layout *l, size_t at)
{
    const kn_front_point *p = &f->points[at];

    kn_text_addf(text, "%c %5zu", at == f->knee ? '>' : ' ', at + 1);
    for (size_t i = 0; i < f->nobjectives; i++) {
        kn_text_addz(text, "  ");
        put_value(text, &l->columns[i], p->values[i]);
    }
    if (l->suppressed)
        kn_text_addf(text, "  %10llu", (unsigned long long) p->suppressed);
    if (l->levels) {
        kn_text_addz(text, "  ");
        put_levels(text, f, p, l->levels);
    }
    kn_text_addz(text, "\n");
}

static void
put_head(kn_text *text, const kanon_front *f, const layout *l)
{
    kn_text_addz(text, "   pick");
    for (size_t i = 0; i < f->nobjectives; i++) {
        size_t length = strlen(f->objectives[i].name);

        kn_text_addf(text, "  %*s", (int) (l->columns[i].width - length), "");
        kn_plain_name(text, f->objectives[i].name, 0);
    }
    KN_FILL(text, "{}{}", kn_as_is(l->suppressed ? "  suppressed" : ""),
            kn_as_is(l->levels ? "  levels\n" : "\n"));
}

/* Is a point shown, when only some are? Evenly, with both ends and the knee. */
static bool
is_shown(const kanon_front *f, size_t at)
{
    size_t last = f->npoints - 1, place;

    if (f->npoints <= POINTS_MOST || at == f->knee)
        return true;
    place = (at * (POINTS_MOST - 1) + last / 2) / last; /* the nearest of so many marks */
    return (place * last + (POINTS_MOST - 1) / 2) / (POINTS_MOST - 1) == at;
}

static void
put_table(kn_text *text, const kanon_front *f, unsigned width)
{
    layout  l = { .levels = 0 };
    kn_text scrap;
    size_t  shown = 0;

    kn_text_init(&scrap, f->ctx);
    measure_columns(&scrap, f, l.columns);
    text->failed |= scrap.failed;
    kn_text_fini(&scrap);
    fit(&l, f, width);
    put_head(text, f, &l);
    for (size_t i = 0; i < f->npoints; i++)
        if (is_shown(f, i)) {
            put_point(text, f, &l, i);
            shown++;
        }
    if (shown < f->npoints)
        kn_text_addf(text, "  (%zu of %zu points; -o FRONT.json or .csv has all)\n", shown,
                     f->npoints);
}

/* --- what stands below ---------------------------------------------------------------------------- */

void
kn_front_text(kn_text *text, const kanon_front *f, unsigned width)
{
    size_t from;

    width = width < 40 ? 40 : width;
    put_title(text, f, width);
    put_effort(text, f, width);
    kn_text_addz(text, "\n");
    if (f->npoints)
        put_table(text, f, width);
    kn_text_addz(text, "\n");
    from = text->len;
    kn_text_addz(text, "Levels, of at most: ");
    for (size_t i = 0; i < f->ncolumns; i++)
        KN_FILL(text, "{}{} {}", kn_as_is(i ? ", " : ""), kn_as_name(f->columns[i].name, NAME_MOST),
                kn_as_digits(f->columns[i].height));
    kn_text_addz(text, ".\n");
    kn_plain_wrap(text, from, width, 2);
    if (f->knee >= f->npoints)
        return;
    from = text->len;
    kn_text_addf(text,
                 "> marks the knee: of the points with k from %llu to %llu (--knee-k), with every "
                 "objective scaled from its best value (0) to its worst (1), the one nearest to "
                 "the best of all",
                 (unsigned long long) f->knee_k[0], (unsigned long long) f->knee_k[1]);
    for (size_t i = 0, named = 0; i < f->nobjectives; i++)
        if (f->objectives[i].property.scale[1] == 'o') {
            kn_text_addz(text, named++ ? ", " : "; on a log scale: ");
            kn_plain_name(text, f->objectives[i].name, NAME_MOST);
        }
    kn_text_addz(text, ".\n");
    kn_plain_wrap(text, from, width, 2);
}
