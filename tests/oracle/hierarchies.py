"""hierarchies.py -- how values become coarser, built a second time from the definitions alone.

A hierarchy is a list of levels; a level says for every leaf which group it is in. A leaf is a value as
text, or MISSING. Labels are kept where the definitions fix them; None means: any label, as long as
groups and labels correspond one to one. Slow and plain on purpose.
"""
import csv
import datetime
import re
from fractions import Fraction

MISSING = None  # the leaf of all missing values of a column
TOP = "*"

NUMBER = re.compile(r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$")
CODE = re.compile(r"^\s*[+-]?0\d")  # 007 is a code, not a number


class Hierarchy:
    """levels[l][leaf] -> group (any hashable); labels[l][group] -> text or None."""

    def __init__(self, kind, levels, labels, numeric):
        self.kind = kind
        self.levels = levels
        self.labels = labels
        self.numeric = numeric
        self.height = len(levels) - 1
        self.intervals = {}     # (level, group) -> (lo, hi) where the kind itself has intervals
        self.data_leaves = None  # leaves that the table holds; None: all
        self.from_tool = False   # labels are the tool's: those of a release follow from its rows

    def leaves(self):
        return [leaf for leaf in self.levels[0] if leaf is not MISSING]

    def members(self, level):
        found = {}
        for leaf, group in self.levels[level].items():
            found.setdefault(group, set()).add(leaf)
        return found

    def extreme(self):
        """Least and greatest number that the table holds, or None."""
        held = self.leaves() if self.data_leaves is None else self.data_leaves
        numbers = [number(leaf) for leaf in held if leaf is not MISSING]
        return (min(numbers), max(numbers)) if numbers else None

    def label(self, level, leaf):
        return self.labels[level][self.levels[level][leaf]]

    def losses(self, level):
        """leaf -> (glm, gcp, total_il) of a released cell at a level, exact."""
        if level == 0:
            return {leaf: (Fraction(0),) * 3 for leaf in self.levels[0]}
        found = {}
        for group, members in self.members(level).items():
            real = members - {MISSING}
            if not real:
                loss = (Fraction(0),) * 3
            elif self.numeric:
                loss = (self.interval_loss(level, group, real),) * 3
            else:
                loss = self.category_loss(level, members, real)
            for leaf in members:
                found[leaf] = loss
        return found

    def interval_loss(self, level, group, real):
        extreme = self.extreme()
        if extreme is None or extreme[0] == extreme[1]:
            return Fraction(0)
        least, most = extreme
        if level == self.height:
            return Fraction(1)
        if (level, group) in self.intervals:
            lo, hi = self.intervals[level, group]
        else:
            numbers = [number(leaf) for leaf in real]
            lo, hi = min(numbers), max(numbers)
        lo, hi = (min(max(end, least), most) for end in (lo, hi))
        return (hi - lo) / (most - least)

    def category_loss(self, level, members, real):
        domain, count = len(self.leaves()), len(real)
        glm = Fraction(count - 1, domain - 1) if count > 1 and domain > 1 else Fraction(0)
        gcp = Fraction(count, domain) if count > 1 else Fraction(0)
        lowest = level
        while lowest > 0 and members in self.members(lowest - 1).values():
            lowest -= 1
        return glm, gcp, Fraction(lowest, self.height)

    def check(self):
        """Raises ValueError unless each level coarsens the one below it and the last has one group."""
        for level in range(1, self.height + 1):
            up = {}
            for leaf, group in self.levels[level - 1].items():
                above = self.levels[level][leaf]
                if up.setdefault(group, above) != above:
                    raise ValueError("level %d does not nest at %r" % (level, leaf))
        if len(set(self.levels[-1].values())) > 1:
            raise ValueError("no single root")


def number(text):
    """Exact; a decimal comma is a mark, too."""
    return Fraction(text.strip().replace(",", "."))


def is_number_column(values):
    """Would a column with these (non-missing) values be taken for numbers?"""
    return bool(values) and all(NUMBER.match(v) and not CODE.match(v) for v in values)


def finish(kind, values, missing, steps, numeric):
    """steps: for each level between 0 and the top a function leaf -> (group, label or None)."""
    levels = [{v: v for v in values}]
    labels = [{v: v for v in values}]
    for step in steps:
        level, label = {}, {}
        for v in values:
            level[v], text = step(v)
            label[level[v]] = text
        levels.append(level)
        labels.append(label)
    if missing is not None:
        for level, label in zip(levels, labels):
            level[MISSING] = ("missing",)
            label[("missing",)] = missing
    everyone = list(values) + ([MISSING] if missing is not None else [])
    levels.append({leaf: TOP for leaf in everyone})
    labels.append({TOP: TOP})
    return Hierarchy(kind, levels, labels, numeric)


def from_widths(values, missing, widths, bottom=None, top=None):
    """range: level l holds [a, a + w) with a a multiple of w; the last level is `*`. What is below the bottom, and from
    the top on, is one group of every level, and intervals end there."""
    whole = all(n.denominator == 1 for n in [number(v) for v in values] + [e for e in (bottom, top) if e is not None])
    plain = whole and all(number(v) >= 0 for v in values)  # "20 to 29" is fixed, that of -9 to -5 is not

    def interval(v, width):
        if top is not None and number(v) >= top:
            return top, None
        if bottom is not None and number(v) < bottom:
            return None, bottom
        start = number(v) // width * width
        first = start if bottom is None else max(start, bottom)
        return first, start + width if top is None else min(start + width, top)

    steps = []
    for width in widths:
        def step(v, width=width):
            first, behind = interval(v, width)
            if not plain or (None not in (first, behind) and behind - first < 2):
                return (first, behind), None
            if behind is None:
                return (first, behind), "%d or more" % first
            if first is None:
                return (first, behind), "under %d" % behind
            return (first, behind), "%d to %d" % (first, behind - 1)
        steps.append(step)
    made = finish("range", values, missing, steps, True)
    for level, width in enumerate(widths, 1):
        for v in values:
            first, behind = group = interval(v, width)
            made.intervals[level, group] = (
                min(number(v) for v in values) if first is None else first,
                max(number(v) for v in values) if behind is None else behind - 1 if whole else behind)
    return made


def from_range(values, missing, widths, bottom=None, top=None):
    return from_widths(values, missing, [Fraction(w) for w in widths], bottom, top)


def from_x10(values, missing):
    """range:x10, for numbers from 0: level l has width 10^l, as many levels as the largest has digits."""
    width, widths = Fraction(10), []
    largest = max([number(v) for v in values], default=0)
    while width <= largest:
        widths.append(width)
        width *= 10
    return from_widths(values, missing, widths)


def from_mask(values, missing, side):
    """mask: values padded to the longest one; level l hides l characters from one end."""
    longest = max([len(v) for v in values], default=0)
    same = all(len(v) == longest for v in values)
    steps = []
    for hidden in range(1, longest):
        def step(v, hidden=hidden):
            if side == "left":
                kept = v.rjust(longest, "\0")[hidden:]
                return kept, "*" * hidden + kept if same else None
            kept = v.ljust(longest, "\0")[:longest - hidden]
            return kept, kept + "*" * hidden if same else None
        steps.append(step)
    return finish("mask", values, missing, steps, False)


DATE_FORMATS = {
    "ymd-": "%Y-%m-%d", "ymd/": "%Y/%m/%d", "dmy/": "%d/%m/%Y", "mdy/": "%m/%d/%Y",
    "dmy.": "%d.%m.%Y", "dmy-": "%d-%m-%Y",
}


def date_of(text, form):
    return datetime.datetime.strptime(text[:10], DATE_FORMATS[form]).date()


def date_unit(day, unit):
    """(group, label where it is fixed)."""
    if unit == "day":
        return day, None
    if unit == "week":
        return day - datetime.timedelta(days=day.weekday()), None
    if unit == "month":
        return (day.year, day.month), None
    if unit == "quarter":
        return (day.year, (day.month - 1) // 3), None
    if unit == "year":
        return day.year, "%d" % day.year
    years = 10 if unit == "decade" else 100
    start = day.year // years * years
    return start, "%d-%d" % (start, start + years - 1)


def from_date(values, missing, units, form):
    steps = [lambda v, unit=unit: date_unit(date_of(v, form), unit) for unit in units]
    return finish("date", values, missing, steps, False)


def read_levels(path, delimiter=";"):
    """A hierarchy file in ARX's form: one row per leaf, column j = level j."""
    with open(path, newline="", encoding="utf-8") as file:
        return [row for row in csv.reader(file, delimiter=delimiter) if row]


def from_rows(rows, values, missing, tokens, kind="file", numeric=None):
    """rows: explicit level lists. A line for a missing token decides for that value; without one it
    stays apart until the top."""
    leaf = {row[0]: MISSING if row[0] in tokens else row[0] for row in rows}
    levels = [{leaf[row[0]]: row[l] for row in rows} for l in range(len(rows[0]))]
    has_missing = missing is not None and MISSING not in levels[0]
    if has_missing:
        for level in levels[:-1]:
            level[MISSING] = ("missing",)
        levels[-1][MISSING] = rows[0][-1]
    labels = [{group: group for group in level.values()} for level in levels]
    if missing is not None:
        labels[0][levels[0][MISSING]] = missing
    for label in labels:
        if ("missing",) in label:
            label[("missing",)] = missing
    if numeric is None:
        numeric = is_number_column(values)
    made = Hierarchy(kind, levels, labels, numeric)
    made.data_leaves = list(values)
    return made


RANGE_LABEL = re.compile(r"^(?:(\d+(?:\.\d+)?)(?: to under | to |-)(\d+(?:\.\d+)?)|\[(-?\d+(?:\.\d+)?), (-?\d+(?:\.\d+)?)[\])])$")


def read_intervals(made):
    """Takes the intervals of a range hierarchy that the tool chose from its labels: "20 to 29", "20-29",
    "[-10, -1]", "0.5 to under 1.0". False if a label is not of that form."""
    for level in range(1, made.height):
        for leaf, group in made.levels[level].items():
            if leaf is MISSING:
                continue
            match = RANGE_LABEL.match(group)
            if not match:
                return False
            made.intervals[level, group] = (Fraction(match[1] or match[3]), Fraction(match[2] or match[4]))
    return True
