"""plot.py -- line charts, scatter charts and bar charts as SVG, with nothing but the standard library.

    line_chart(path, title, x_name, y_name, series, ...)      curves with marks, bands or error bars
    scatter_chart(path, title, x_name, y_name, series, ...)   marks alone, or joined as a staircase (fronts)
    bar_chart(path, title, x_name, bars, ...)                 bars from the top down, each with its value

A series is a pair (name, points) or a Series, which says more. A point is (x, y) or (x, y, low, high); where y is
None the curve has a gap. Series differ in colour and in the shape of their marks, and the key stands to the right
of the chart in the order in which the curves end, so that nothing is written over a curve. A chart is 760 wide
and white; the same call gives the same bytes."""
import dataclasses
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 460
LEFT, TOP, BOTTOM = 78, 46, 58
COLOURS = ("#0b62a4", "#b3541e", "#3d7a37", "#7a3d8c", "#222222", "#b8860b", "#c23b5a", "#5f6b6d")
INK, GRID, FAINT = "#222222", "#dddddd", "#777777"
LETTER = 6.6  # width of a letter of the key, on average; the margin is made for the longest name
APART = 17  # between lines of the key


@dataclasses.dataclass
class Series:
    """A curve or a cloud of points.

    spread   "band" or "bars": how (x, y, low, high) is drawn
    dashed   figures that were not measured here: a paper's, a bound
    open_at  x of the points with hollow marks, for instance where a limit of time ended the run
    line     False: marks alone
    step     a staircase instead of straight lines: for a front
    colour   number of a colour, where two charts are to agree; otherwise the place in the list
    mark     number of a shape, likewise"""
    name: str
    points: list
    spread: str = "band"
    dashed: bool = False
    open_at: tuple = ()
    line: bool = True
    step: bool = False
    colour: int = None
    mark: int = None


@dataclasses.dataclass
class Reference:
    """A dashed line across the chart with words at its end: axis "x" (upright) or "y" (level)."""
    axis: str
    value: float
    words: str


# --- pieces -------------------------------------------------------------------------------------------


def text(x, y, words, anchor="middle", size=13, turn=None, colour=INK):
    turned = ' transform="rotate(%d %g %g)"' % (turn, x, y) if turn else ""
    return '<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s"%s>%s</text>' % (
        x, y, size, anchor, colour, turned, escape(words))


def line(x1, y1, x2, y2, colour=GRID, dashed=False, width=1):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"%s%s/>' % (
        x1, y1, x2, y2, colour, ' stroke-width="%g"' % width if width != 1 else "",
        ' stroke-dasharray="5 4"' if dashed else "")


SHAPES = ("M %s m -4 0 a 4 4 0 1 0 8 0 a 4 4 0 1 0 -8 0 z", "M %s m -4 -4 h 8 v 8 h -8 z",
          "M %s m 0 -5 l 5 9 h -10 z", "M %s m 0 -5 l 5 5 l -5 5 l -5 -5 z", "M %s m 0 5 l 5 -9 h -10 z",
          "M %s m -2 -5 h 4 v 3 h 3 v 4 h -3 v 3 h -4 v -3 h -3 v -4 h 3 z")


def mark(x, y, shape, colour, hollow=False):
    return '<path d="%s" fill="%s" stroke="%s" stroke-width="1.3"/>' % (
        SHAPES[shape % len(SHAPES)] % ("%.1f %.1f" % (x, y)), "white" if hollow else colour, colour)


def brief(value):
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= size:
            return "%.6g%s" % (value / size, unit)
    return "%.6g" % value


def log_ticks(low, high):
    """1, 2, 5 of every decade that are needed, or the decades alone when there are many."""
    steps = (1, 2, 5) if high / low < 2000 else (1,)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    found = [s * 10.0 ** d for d in range(first, last + 1) for s in steps]
    return [t for t in found if low * 0.999 <= t <= high * 1.001]


def linear_ticks(low, high, count=7):
    """Round numbers, about `count` of them."""
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(step * i, 12) for i in range(first, last + 1)]


def spread(places, apart, last=math.inf):
    """The same heights, moved so that neighbours are apart and none is beyond the last, in the order of the
    heights; what need not move stays."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    found = list(places)
    for before, i in zip(order, order[1:]):
        found[i] = max(found[i], found[before] + apart)
    for i in reversed(order):
        found[i] = min(found[i], last)
        last = found[i] - apart
    return found


def write(path, title, body, height=HEIGHT):
    with open(path, "w", encoding="utf-8") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
                   'font-family="sans-serif">\n<title>%s</title>\n'
                   '<rect width="100%%" height="100%%" fill="white"/>\n' % (
                       WIDTH, height, WIDTH, height, escape(title)))
        file.write("\n".join([text(20, 26, title, "start", 16)] + body) + "\n</svg>\n")


# --- axes ---------------------------------------------------------------------------------------------


class Axis:
    """Values to places between two ends, on a linear or logarithmic scale."""

    def __init__(self, values, log, begin, end, room=0.06, limits=None, marks=None):
        low, high = limits or (min(values), max(values))
        self.log, self.begin, self.end = log, begin, end
        if log:
            factor = (high / low) ** room if high > low else 1.5
            low, high = (low, high) if limits or not room else (low / factor, high * factor)
            self.low, self.high = low, high if high > low else low * 2
        else:
            more = (high - low) * room if high > low else abs(high) * 0.1 or 1
            bottom = 0 if 0 <= low < 0.4 * high and room else low - more
            low, high = (low, high) if limits or not room else (bottom, high + more)
            self.low, self.high = low, high if high > low else low + 1
        self.ticks = marks or (log_ticks if log else linear_ticks)(self.low, self.high)

    def place(self, value):
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.begin + (self.end - self.begin) * share


def own_ticks(values, log, length):
    """The x that were measured, where there is room to write each; otherwise None: round numbers."""
    values = sorted(set(values))
    axis = Axis(values, log, 0, length, 0)
    places = [axis.place(value) for value in values]
    widths = [LETTER * len(brief(value)) + 8 for value in values]
    fits = all(b - a >= (v + w) / 2 for a, b, v, w in zip(places, places[1:], widths, widths[1:]))
    return values if fits and len(values) > 1 else None


def frame(across, up, x_name, y_name, height):
    """Grid, numbers and names of the axes."""
    left, right, bottom, top = across.begin, across.end, up.begin, up.end
    body = []
    for y in up.ticks:
        body += [line(left, up.place(y), right, up.place(y)),
                 text(left - 8, up.place(y) + 4, brief(y), "end")]
    for x in across.ticks:
        body += [line(across.place(x), top, across.place(x), bottom),
                 text(across.place(x), bottom + 20, brief(x))]
    return body + [line(left, bottom, right, bottom, INK), line(left, top, left, bottom, INK),
                   text((left + right) / 2, height - 14, x_name + (" (logarithmic)" if across.log else "")),
                   text(22, (top + bottom) / 2, y_name + (" (logarithmic)" if up.log else ""), turn=-90)]


def draw_references(references, across, up):
    """Dashed lines; the words of the first upright one stand above the chart, of others at their feet."""
    body, upright = [], 0
    for reference in references:
        if reference.axis == "y":
            y = up.place(reference.value)
            body += [line(across.begin, y, across.end, y, FAINT, True),
                     text(across.end - 4, y - 5, reference.words, "end", 11, colour=FAINT)]
            continue
        x = across.place(reference.value)
        right = x < (across.begin + across.end) / 2
        y = up.begin + 6 - 14 * upright if upright else up.end - 5
        body += [line(x, up.begin, x, up.end, FAINT, True),
                 text(x + (5 if right else -5) * (upright > 0), y, reference.words,
                      "start" if right else "end", 11, colour=FAINT)]
        upright += 1
    return body


def path_of(one, across, up):
    """The line through the points of a series, in pieces where there are gaps."""
    pieces, before = [], None
    for point in one.points:
        if point[1] is None:
            before = None
            continue
        x, y = across.place(point[0]), up.place(point[1])
        if before is None:
            pieces.append("M %.1f %.1f" % (x, y))
        elif one.step:
            pieces.append("H %.1f V %.1f" % (x, y))
        else:
            pieces.append("L %.1f %.1f" % (x, y))
        before = point
    return " ".join(pieces)


def draw_spread(one, colour, across, up):
    """What (x, y, low, high) say: a pale band, or bars."""
    whole = [p for p in one.points if len(p) == 4 and p[1] is not None]
    floor = up.low if up.log else -math.inf
    if one.spread == "bars":
        body = []
        for x, _, low, high in whole:
            x, low, high = across.place(x), up.place(max(low, floor)), up.place(high)
            body += [line(x, low, x, high, colour), line(x - 3, low, x + 3, low, colour),
                     line(x - 3, high, x + 3, high, colour)]
        return body
    if len(whole) < 2:
        return []
    edge = [(x, high) for x, _, _, high in whole] + [(x, low) for x, _, low, _ in reversed(whole)]
    return ['<polygon fill="%s" fill-opacity="0.15" points="%s"/>' % (colour, " ".join(
        "%.1f,%.1f" % (across.place(x), up.place(max(y, floor))) for x, y in edge))]


def draw_series(one, number, across, up):
    """@return (behind, before): what belongs under all lines, and the line with its marks"""
    colour = COLOURS[(number if one.colour is None else one.colour) % len(COLOURS)]
    shape = number if one.mark is None else one.mark
    behind, front = draw_spread(one, colour, across, up), []
    if one.line or one.step:
        front.append('<path fill="none" stroke="%s" stroke-width="2"%s d="%s"/>' % (
            colour, ' stroke-dasharray="6 4"' if one.dashed else "", path_of(one, across, up)))
    for point in one.points:
        if point[1] is not None:
            front.append(mark(across.place(point[0]), up.place(point[1]), shape, colour,
                              one.dashed or point[0] in one.open_at))
    return behind, front


def draw_key(series, up, right):
    """Names to the right, each near the height where its curve ends."""
    ends = [next((up.place(p[1]) for p in reversed(one.points) if p[1] is not None), up.begin)
            for one in series]
    places = spread(ends, APART, up.begin)
    body = []
    for number, (one, y) in enumerate(zip(series, places)):
        colour = COLOURS[(number if one.colour is None else one.colour) % len(COLOURS)]
        if one.line or one.step:
            body.append(line(right + 14, y, right + 38, y, colour, one.dashed, 2))
        body += [mark(right + 26, y, number if one.mark is None else one.mark, colour, one.dashed),
                 text(right + 44, y + 4, one.name, "start", 12, colour=colour)]
    return body


# --- charts -------------------------------------------------------------------------------------------


def line_chart(path, title, x_name, y_name, series, x_log=True, y_log=True, references=(), limits=None,
               height=HEIGHT):
    """Curves. series: pairs (name, points) or Series. limits: (low, high) of the y axis, where the data
    do not say; references: Reference lines, which widen the axes where needed."""
    series = [one if isinstance(one, Series) else Series(*one) for one in series]
    series = [one for one in series if any(p[1] is not None for p in one.points)]
    xs = [p[0] for one in series for p in one.points]
    ys = [y for one in series for p in one.points if p[1] is not None for y in p[1:]]
    ys = [y for y in ys if not y_log or y > 0]
    right = WIDTH - min(310, 56 + LETTER * max(len(one.name) for one in series))
    wider = [r.value for r in references if r.axis == "x"]
    up = Axis(ys + [r.value for r in references if r.axis == "y"], y_log, height - BOTTOM, TOP, limits=limits)
    left = max(LEFT, 40 + 7.5 * max(len(brief(tick)) for tick in up.ticks))
    marks = own_ticks(xs + wider, x_log, right - left)
    across = Axis(xs + wider, x_log, left, right, 0, marks=marks)
    body = frame(across, up, x_name, y_name, height) + draw_references(references, across, up)
    drawn = [draw_series(one, number, across, up) for number, one in enumerate(series)]
    for layer in (0, 1):
        for pair in drawn:
            body += pair[layer]
    write(path, title, body + draw_key(series, up, right), height)


def scatter_chart(path, title, x_name, y_name, series, x_log=False, y_log=False, **more):
    """Points, for instance fronts: Series with step=True are joined as a staircase, all others not at all."""
    series = [one if isinstance(one, Series) else Series(*one) for one in series]
    series = [dataclasses.replace(one, line=False) for one in series]
    line_chart(path, title, x_name, y_name, series, x_log, y_log, **more)


def bar_chart(path, title, x_name, bars, form="%.2f"):
    """bars: (name, value), (name, value, colour) or (name, value, colour, low, high), from the top down."""
    left, step = max(200, 20 + LETTER * 1.1 * max(len(bar[0]) for bar in bars)), 30
    height = TOP + step * len(bars) + BOTTOM
    most = max(max(bar[1:2] + bar[4:5]) for bar in bars)
    scale = (WIDTH - left - 90) / most if most else 0
    foot = TOP + step * len(bars)
    body = []
    for tick in linear_ticks(0, most, 6) if most > 0 else (0,):
        x = left + scale * tick
        body += [line(x, TOP - 6, x, foot, INK if not tick else GRID), text(x, foot + 18, brief(tick), size=12)]
    for i, bar in enumerate(bars):
        name, value, colour = bar[0], bar[1], bar[2] if len(bar) > 2 else 0
        y, length = TOP + step * i, scale * value
        body += ['<rect x="%.1f" y="%.1f" width="%.1f" height="20" fill="%s"/>' % (
                     left, y, length, COLOURS[colour % len(COLOURS)]),
                 text(left - 8, y + 15, name, "end")]
        if len(bar) > 4:
            low, high = left + scale * bar[3], left + scale * bar[4]
            body += [line(low, y + 10, high, y + 10, INK), line(low, y + 6, low, y + 14, INK),
                     line(high, y + 6, high, y + 14, INK)]
            length = max(length, scale * bar[4])
        body.append(text(left + length + 8, y + 15, form % value, "start"))
    body.append(text((left + WIDTH) / 2, height - 10, x_name))
    write(path, title, body, height)
