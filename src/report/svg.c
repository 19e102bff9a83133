/* SPDX-License-Identifier: Apache-2.0 */
/* svg.c -- small plots. Coordinates are written with one decimal and a point, whatever the locale. */
#include "report/svg.h"

#include <math.h>

/* Pictures are drawn at about the size at which they are shown, so that their letters have the size of the
 * page's. */
enum {
    WIDTH = 380,
    HEIGHT = 172,
    LEFT = 8,
    RIGHT = 8,
    TOP = 22,
    BOTTOM = 24,
    TICKS = 6,
    LETTER = 7,
    LABEL_ROOM = 14, /* below it two labels would touch */
    BAR_MOST = 56    /* a single bar is no wall */
};

/* One decimal, no thousands separator. */
static void
put_number(kn_text *text, double value)
{
    double  tenths = floor(fabs(value) * 10 + 0.5);
    int64_t whole = (int64_t) (tenths / 10);

    kn_text_addf(text, "%s%lld", value < 0 && tenths > 0 ? "-" : "", (long long) whole);
    if (tenths > 10 * (double) whole)
        kn_text_addf(text, ".%d", (int) (tenths - 10 * (double) whole));
}

static void
put_attribute(kn_text *text, const char *name, double value)
{
    kn_text_addf(text, " %s=\"", name);
    put_number(text, value);
    kn_text_addz(text, "\"");
}

static void
put_rect(kn_text *text, const char *style, const double box[4])
{
    kn_text_addf(text, "<rect class=\"%s\"", style);
    put_attribute(text, "x", box[0]);
    put_attribute(text, "y", box[1]);
    put_attribute(text, "width", box[2]);
    put_attribute(text, "height", box[3]);
}

static void
put_line(kn_text *text, const char *style, const double ends[4])
{
    kn_text_addf(text, "<line class=\"%s\"", style);
    put_attribute(text, "x1", ends[0]);
    put_attribute(text, "y1", ends[1]);
    put_attribute(text, "x2", ends[2]);
    put_attribute(text, "y2", ends[3]);
    kn_text_addz(text, "/>");
}

static void
open_text(kn_text *text, double x, double y, const char *anchor)
{
    kn_text_addz(text, "<text");
    put_attribute(text, "x", x);
    put_attribute(text, "y", y);
    kn_text_addf(text, " text-anchor=\"%s\">", anchor);
}

static void
open_picture(kn_text *text, const char *style, const char *title, int height)
{
    kn_text_addf(text,
                 "<svg class=\"%s\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" "
                 "xmlns=\"http://www.w3.org/2000/svg\">\n",
                 style, WIDTH, height, title);
}

/* --- columns -------------------------------------------------------------------------------------- */

/* How many characters a label takes on the picture. */
static size_t
label_width(kn_text *scratch, const kn_svg_columns *c, size_t index)
{
    size_t width;

    scratch->len = 0;
    c->label(scratch, c->user, index);
    width = scratch->failed ? 0 : kn_utf8_count((kn_str){ scratch->ptr, scratch->len });
    return width;
}

/* Every how many bars a label fits. */
static size_t
label_every(kn_text *text, const kn_svg_columns *c, double step)
{
    kn_text scratch;
    size_t  widest = 1, every;

    kn_text_init(&scratch, text->ctx);
    for (size_t i = 0; i < c->count; i++) {
        size_t width = label_width(&scratch, c, i);

        widest = width > widest ? width : widest;
    }
    text->failed |= scratch.failed;
    kn_text_fini(&scratch);
    every = (size_t) ceil((double) ((widest + 1) * LETTER) / step);
    return every ? every : 1;
}

/* Labels stand at round places: with open ends the first bar has none. */
static void
put_axis(kn_text *text, const kn_svg_columns *c, double step)
{
    size_t every = label_every(text, c, step), first = c->labels == KN_SVG_EDGES ? every / 2 : 0;
    double base = HEIGHT - BOTTOM, ends[4] = { LEFT, base, WIDTH - RIGHT, base };
    bool   open = c->pale && c->count > 1 && c->pale(c->user, c->count - 1);
    size_t last = open ? c->count - 1 : c->count; /* an open end is always told */

    put_line(text, "axis", ends);
    if (open) {
        double at = LEFT + step * (double) last, tick[4] = { at, base, at, base + 4 };

        put_line(text, "axis", tick);
        open_text(text, WIDTH - RIGHT, base + 16, "end");
        c->label(text, c->user, last);
        kn_text_addz(text, "</text>");
    }
    for (size_t i = first; open ? i + every + every / 2 < last : i < last; i += every) {
        double at = LEFT + step * ((double) i + (c->labels == KN_SVG_UNDER ? 0.5 : 0));
        double tick[4] = { at, base, at, base + 4 };

        if (c->labels == KN_SVG_EDGES)
            put_line(text, "axis", tick);
        open_text(text, at, base + 16, "middle");
        c->label(text, c->user, i);
        kn_text_addz(text, "</text>");
    }
}

void
kn_svg_columns_put(kn_text *text, const kn_svg_columns *c)
{
    double step = (double) (WIDTH - LEFT - RIGHT) / (double) (c->count ? c->count : 1);
    double room = HEIGHT - TOP - BOTTOM, gap = step > 24 ? 6 : step > 8 ? 1.5 : 0.5;
    double grid[4] = { LEFT, TOP, WIDTH - RIGHT, TOP };

    open_picture(text, "plot", c->title, HEIGHT);
    if (c->scale) {
        put_line(text, "grid", grid);
        open_text(text, LEFT, TOP - 7, "start");
        c->scale(text, c->user, 0);
        kn_text_addz(text, "</text>");
    }
    for (size_t i = 0; i < c->count; i++) {
        double share = c->most > 0 && c->values[i] > 0 ? c->values[i] / c->most : 0;
        double tall = share > 0 && share * room < 1 ? 1 : share * room;
        double wide = c->labels == KN_SVG_UNDER && step - gap > BAR_MOST ? BAR_MOST : step - gap;
        double box[4] = { LEFT + step * ((double) i + 0.5) - wide / 2, HEIGHT - BOTTOM - tall, wide,
                          tall };

        put_rect(text, c->style, box);
        if (c->pale && c->pale(c->user, i))
            kn_text_addz(text, " opacity=\"0.4\"");
        kn_text_addz(text, "><title>");
        c->tip(text, c->user, i);
        kn_text_addz(text, "</title></rect>\n");
    }
    put_axis(text, c, step);
    kn_text_addz(text, "</svg>\n");
}

/* --- one bar -------------------------------------------------------------------------------------- */

void
kn_svg_bar(kn_text *text, const char *style, double share, double mark)
{
    double all[4] = { 0, 0, 100 * (share > 1 ? 1 : share), 10 };
    double line[4] = { 100 * mark, 0, 100 * mark, 10 };

    all[2] = share > 0 && all[2] < 0.6 ? 0.6 : all[2];
    kn_text_addz(text, "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
                       "aria-hidden=\"true\"><rect class=\"rail\" width=\"100\" height=\"10\"/>");
    put_rect(text, style, all);
    kn_text_addz(text, "/>");
    if (mark > 0 && mark < 1)
        put_line(text, "mark", line);
    kn_text_addz(text, "</svg>");
}

void
kn_svg_put_bar(kn_text *text, const kn_piece *piece)
{
    kn_svg_bar(text, piece->words, piece->number, piece->second);
}

/* --- curve ---------------------------------------------------------------------------------------- */

typedef struct frame {
    double x0, x1, y0, y1; /* values at the edges */
} frame;

static double
place_x(const frame *f, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (f->x1 > f->x0 ? (x - f->x0) / (f->x1 - f->x0) : 0);
}

static double
place_y(const frame *f, double y)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (f->y1 > f->y0 ? (f->y1 - y) / (f->y1 - f->y0) : 0.5);
}

/* What was best stays so until something better is found: a staircase. */
static void
put_steps(kn_text *text, const kn_svg_curve *c, const frame *f)
{
    kn_text_addz(text, "<path class=\"line\" d=\"");
    for (size_t i = 0; i < c->count; i++) {
        kn_text_addz(text, i ? "H" : "M");
        put_number(text, place_x(f, c->x[i]));
        kn_text_addz(text, i ? "V" : " ");
        put_number(text, place_y(f, c->y[i]));
    }
    kn_text_addz(text, "\"/>\n");
}

static void
put_level_label(kn_text *text, const kn_svg_curve *c, double x, double y, size_t which)
{
    open_text(text, x, y, which == KN_SVG_LAST ? "end" : "start");
    c->y_label(text, c->user, which);
    kn_text_addz(text, "</text>");
}

void
kn_svg_curve_put(kn_text *text, const kn_svg_curve *c)
{
    double base = HEIGHT - BOTTOM, axis[4] = { LEFT, base, WIDTH - RIGHT, base };
    double last = c->y[c->count - 1];
    bool   below;
    frame  f = { 0, c->x[c->count - 1], last, c->y[0] };

    if (isfinite(c->floor) && c->floor < f.y0)
        f.y0 = c->floor;
    f.y0 -= (f.y1 - f.y0) / 5; /* nothing lies on the axis */
    below = place_y(&f, isfinite(c->floor) ? c->floor : f.y0) - place_y(&f, last) > LABEL_ROOM + 4;
    open_picture(text, "plot", c->title, HEIGHT);
    if (isfinite(c->floor)) {
        double line[4] = { LEFT, place_y(&f, c->floor), WIDTH - RIGHT, place_y(&f, c->floor) };

        put_line(text, "bound", line);
        if (line[1] - place_y(&f, last) > LABEL_ROOM)
            put_level_label(text, c, LEFT, line[1] - 6, KN_SVG_FLOOR);
    }
    put_steps(text, c, &f);
    put_line(text, "axis", axis);
    for (size_t i = 0; i < 2; i++) {
        open_text(text, i ? WIDTH - RIGHT : LEFT, base + 16, i ? "end" : "start");
        c->x_label(text, c->user, i);
        kn_text_addz(text, "</text>");
    }
    put_level_label(text, c, LEFT, TOP - 7, KN_SVG_FIRST);
    put_level_label(text, c, WIDTH - RIGHT, place_y(&f, last) + (below ? LABEL_ROOM : -6),
                    KN_SVG_LAST); /* the line comes from above, so below it is free */
    kn_text_addz(text, "</svg>\n");
}

/* --- ladder --------------------------------------------------------------------------------------- */

void
kn_svg_ladder_put(kn_text *text, const kn_svg_ladder *l)
{
    enum { STEP = 16, RADIUS = 5 };
    double width = STEP * ((double) l->height + 1),
           rail[4] = { STEP / 2.0, STEP / 2.0, width - STEP / 2.0, STEP / 2.0 };

    kn_text_addz(text, "<svg class=\"ladder\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\"");
    put_attribute(text, "width", width);
    kn_text_addf(text, " height=\"%d\" aria-label=\"level %u of %u\">", STEP, l->level, l->height);
    put_line(text, "axis", rail);
    for (unsigned i = 0; i <= l->height; i++) {
        kn_text_addf(text, "<circle class=\"%s\"",
                     i == l->level  ? "here"
                     : i < l->floor ? "out"
                                    : "open");
        put_attribute(text, "cx", STEP * (i + 0.5));
        kn_text_addf(text, " cy=\"%d\" r=\"%d\"/>", STEP / 2,
                     i == l->level ? RADIUS + 1 : RADIUS - 1);
    }
    kn_text_addz(text, "</svg>");
}
