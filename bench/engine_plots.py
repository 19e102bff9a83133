"""engine_plots.py -- line charts on logarithmic axes and bar charts, as SVG, with nothing but the standard
library. Series differ in colour and in the shape of their marks, and each has its name at its end."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 78, 208, 46, 58
COLOURS = ("#0b62a4", "#b3541e", "#3d7a37", "#7a3d8c")
INK, GRID = "#222222", "#dddddd"


def text(x, y, words, anchor="middle", size=13, turn=None, colour=INK):
    turned = ' transform="rotate(%d %g %g)"' % (turn, x, y) if turn else ""
    return '<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s"%s>%s</text>' % (
        x, y, size, anchor, colour, turned, escape(words))


def line(x1, y1, x2, y2, colour=GRID):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>' % (x1, y1, x2, y2, colour)


def mark(x, y, shape, colour):
    if shape == 0:
        return '<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>' % (x, y, colour)
    if shape == 1:
        return '<rect x="%.1f" y="%.1f" width="8" height="8" fill="%s"/>' % (x - 4, y - 4, colour)
    return '<path d="M %.1f %.1f l 5 9 l -10 0 z" fill="%s"/>' % (x, y - 5, colour)


def brief(value):
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return "%g%s" % (value / size, unit)
    return "%g" % value


def ticks(low, high):
    """1, 2, 5 of every decade that are needed, or the decades alone when there are many."""
    steps = (1, 2, 5) if high / low < 2000 else (1,)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    found = [s * 10.0 ** d for d in range(first, last + 1) for s in steps]
    return [t for t in found if low * 0.999 <= t <= high * 1.001]


def write(path, title, body, height=HEIGHT):
    with open(path, "w", encoding="utf-8") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
                   'font-family="sans-serif">\n<title>%s</title>\n'
                   '<rect width="100%%" height="100%%" fill="white"/>\n' % (
                       WIDTH, height, WIDTH, height, escape(title)))
        file.write("\n".join([text(LEFT, 26, title, "start", 16)] + body) + "\n</svg>\n")


def spread(places, apart):
    """The same heights, moved so that neighbours are apart, in the order of the heights."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    found = list(places)
    for before, i in zip(order, order[1:]):
        found[i] = max(found[i], found[before] + apart)
    return found


def line_chart(path, title, x_name, y_name, series):
    """series: [(name, [(x, y), ...]), ...]; both axes logarithmic."""
    xs = [x for _, curve in series for x, _ in curve]
    ys = [y for _, curve in series for _, y in curve]
    x_low, x_high = min(xs), max(xs)
    y_low, y_high = min(ys) / 1.5, max(ys) * 1.5
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def across(x):
        return LEFT + (right - LEFT) * math.log(x / x_low) / math.log(x_high / x_low)

    def up(y):
        return bottom - (bottom - TOP) * math.log(y / y_low) / math.log(y_high / y_low)

    body = []
    for y in ticks(y_low, y_high):
        body += [line(LEFT, up(y), right, up(y)), text(LEFT - 8, up(y) + 4, brief(y), "end")]
    for x in sorted(set(xs)):
        body += [line(across(x), TOP, across(x), bottom), text(across(x), bottom + 20, brief(x))]
    body += [line(LEFT, bottom, right, bottom, INK), line(LEFT, TOP, LEFT, bottom, INK),
             text((LEFT + right) / 2, HEIGHT - 14, x_name + " (logarithmic)"),
             text(22, (TOP + bottom) / 2, y_name + " (logarithmic)", turn=-90)]
    labels = spread([up(curve[-1][1]) for _, curve in series], 17)
    for i, (name, curve) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        body.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' % (
            colour, " ".join("%.1f,%.1f" % (across(x), up(y)) for x, y in curve)))
        body += [mark(across(x), up(y), i % 3, colour) for x, y in curve]
        body.append(text(right + 12, labels[i] + 4, name, "start", 12, colour=colour))
    write(path, title, body)


def bar_chart(path, title, x_name, bars):
    """bars: [(name, value), ...], from the top down, each with its value."""
    left, step = 200, 30
    height = TOP + step * len(bars) + BOTTOM
    most = max(value for _, value in bars)
    body = []
    for i, (name, value) in enumerate(bars):
        y = TOP + step * i
        length = (WIDTH - left - 90) * value / most
        body += ['<rect x="%d" y="%.1f" width="%.1f" height="20" fill="%s"/>' % (left, y, length, COLOURS[0]),
                 text(left - 8, y + 15, name, "end"),
                 text(left + length + 8, y + 15, "%.2f" % value, "start")]
    body.append(text((left + WIDTH) / 2, height - 18, x_name))
    write(path, title, body, height)
