"""local_boxes.py -- one quasi-identifier of a local recoding, built from the definitions alone: what a class of
rows must show in it, whether a released text holds an original value, and what a cell lost.

A class shows the interval of its numbers, the lowest common ancestor of its categories, or a centre (mean,
median, mode). A box is what a cell stands for: ("interval", low, high) with exact ends within the column's own,
or ("group", level, leaf). Shares no code with the tool; hierarchies come from hierarchies.py.
"""
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction

from hierarchies import MISSING, number

BRACKETS = re.compile(r"^\[(.+?)(, |; )(.+)([\])])$")
DASH = re.compile(r"^(\d+)-(\d+)$")
WORDS = re.compile(r"^(\S+) to (under )?(\S+)$")
PLAIN = re.compile(r"^[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?$")
DEGENERATE = Fraction(0)


def decimals_of(text):
    """Digits behind the mark, as the cell has them."""
    found = re.match(r"^\s*[+-]?\d*[.,](\d+)\s*$", text)
    return len(found[1]) if found else 0


ROUND = [step * 10 ** power for power in range(19) for step in (1, 2, 5)]


class Grid:
    """Where the ends of a column's intervals may stand (docs/FORMATS.md). held: number -> released rows, in units of the
    last decimal, those of suppressed rows alone with 0. open: the upper end is outside. between: an end finds no room on
    the grid, so that all must stand half a unit beside the numbers."""

    def __init__(self, held, k, is_open):
        self.open, self.shift = is_open, Fraction(0)
        released = [value for value, rows in held.items() if rows]
        self.rare = {value for value, rows in held.items() if 0 < rows < k}
        self.width, self.between = 2, False
        if released:
            least, most = min(released), max(released)
            self.width = self.choose(released, most - least)
            cells = range(least // self.width, most // self.width + 2)
            self.between = any(self.moved(cell * self.width, -1) is None
                               or self.moved((cell + 1) * self.width - (not is_open), 1) is None for cell in cells)
        if self.between:
            self.open, self.shift, self.rare = True, Fraction(1, 2), set()

    @staticmethod
    def choose(released, span):
        others = [value for value in released if value]
        unit = 1
        for step in ROUND[1:]:
            multiples = sum(value % step == 0 for value in others)
            if step <= span // 2 and multiples and 10 * multiples >= 9 * len(others):
                unit = step
        width = max([step for step in ROUND if step <= span // 50], default=1)
        width = max(width, min((step for step in ROUND if step >= 2 * unit)))
        for step in ROUND:
            if width < 5 * unit and width < step <= span // 20:
                width = step
        return width

    def moved(self, end, direction):
        """The end itself, or the nearest of the next four outwards, that few released rows do not hold."""
        return next((at for at in (end + direction * step * self.width for step in range(5)) if at not in self.rare), None)

    def ends(self, low, high):
        """Of an interval that holds low and high."""
        low = (low + self.shift) // self.width * self.width - self.shift
        high = ((high + self.shift) // self.width + 1) * self.width - self.shift - (not self.open)
        return self.moved(low, -1), self.moved(high, 1)


def half_away(value):
    """The nearest whole number, halves away from zero."""
    return int(value + Fraction(1, 2)) if value >= 0 else -int(-value + Fraction(1, 2))


class Column:
    """leaves: per row, MISSING where there is none. local: interval, mean, median or mode; snap: off, hierarchy or
    grid; grid: the width that was asked for, or None."""

    def __init__(self, leaves, hierarchy, missing, local="interval", snap="off", grid=None, k=1):
        self.k, self.low = k, 0  # low: lowest level that a group may have
        self.leaves, self.hierarchy, self.missing = leaves, hierarchy, missing
        self.local, self.snap = local, snap
        self.count = Counter(leaves)
        self.order = {leaf: i for i, leaf in enumerate(dict.fromkeys(leaves))}
        self.numeric = hierarchy.numeric
        self.intervals = self.numeric and (snap != "hierarchy" or grid is not None)
        self.level_losses, self.twice = {}, None
        self.number = {}
        self.grid = self.chosen = None
        self.names = None  # (level, group) -> label, where labels are known from the release alone
        if self.numeric:
            self.learn_numbers(grid)

    def learn_numbers(self, grid):
        self.number = {leaf: number(leaf) for leaf in self.count if leaf is not MISSING}
        held = sorted(self.number.values())
        self.least, self.most = (held[0], held[-1]) if held else (DEGENERATE, DEGENERATE)
        self.sorted_rows = sorted(self.number[leaf] for leaf in self.leaves if leaf is not MISSING)
        self.decimals = max([decimals_of(leaf) for leaf in self.number], default=0)
        self.signs = self.least < 0  # an end begins with a minus sign
        self.mark = "," if any("," in leaf for leaf in self.number) else "."
        if grid is not None and decimals_of(grid) > self.decimals:
            self.decimals = decimals_of(grid)
        self.unit = Fraction(1, 10 ** self.decimals)
        if grid is not None:
            self.grid = Fraction(grid)

    def learn_grid(self, released):
        """The grid of a column for which none was given, from the released rows."""
        if not self.numeric or self.snap != "grid" or self.grid is not None or self.local != "interval":
            return
        rows = Counter(self.leaves[row] for row in released)
        self.decimals = max([decimals_of(leaf) for leaf in self.number if rows[leaf]], default=0)
        unit, held = Fraction(1, 10 ** self.decimals), Counter()
        for leaf, value in self.number.items():
            held[int(value // unit)] += rows[leaf]
        self.chosen = Grid(held, self.k, self.decimals > 0)
        self.decimals += self.chosen.between
        self.unit = unit
        first = min((value for value, count in held.items() if count), default=0)
        self.signs = self.chosen.ends(first, first)[0] < 0 \
            or any(rows[leaf] and value < 0 for leaf, value in self.number.items())

    # --- boxes ------------------------------------------------------------------------------------

    def box(self, rows):
        """What the rows of a class have in common."""
        held = {self.leaves[row] for row in rows}
        if not self.intervals or held == {MISSING}:
            return self.common_group(held)
        if MISSING in held:
            return ("group", self.hierarchy.height, next(iter(held - {MISSING})))
        numbers = [self.number[leaf] for leaf in held]
        return ("interval",) + self.snapped(min(numbers), max(numbers))

    def common_group(self, held):
        """The lowest level at which all are in one group."""
        for level, groups in enumerate(self.hierarchy.levels):
            if level >= self.low and len({groups[leaf] for leaf in held}) == 1:
                return ("group", level, next(iter(held)))
        raise ValueError("no single root")

    def snapped(self, low, high):
        """Ends on the grid; the upper one belongs to the interval where the column has whole numbers. A number that a
        whole class has stays as it is on a grid that nobody gave."""
        if self.chosen and low != high:
            ends = self.chosen.ends(int(low // self.unit), int(high // self.unit))
            return tuple(end * self.unit for end in ends)
        if self.grid is None:
            return low, high
        low = low // self.grid * self.grid
        high = (high // self.grid + 1) * self.grid
        return low, high - 1 if not self.decimals else high

    # --- what a class may show ----------------------------------------------------------------------

    def is_open(self):
        return self.chosen.open if self.chosen else self.decimals > 0

    def group_name(self, level, leaf, shown):
        """A label that follows from who was released is any, if it is the same for the whole group."""
        if self.names is None or level in (0, self.hierarchy.height):
            return self.hierarchy.label(level, leaf)
        return self.names.setdefault((level, self.hierarchy.levels[level][leaf]), shown)

    def texts(self, box, rows, shown):
        """Every text that is right for a class: numbers may have several spellings. shown: the one it has."""
        if self.local != "interval":
            return self.centres(rows)
        if box[0] == "group":
            return {self.group_name(box[1], box[2], shown)}
        low, high = box[1:]
        if self.grid is not None or (self.chosen and low != high):
            return {self.interval([self.spell(low)], [self.spell(high)], ")" if self.is_open() else "]").pop()
                    if low != high else self.spell(low)}
        held = {self.leaves[row] for row in rows}
        lows = {leaf for leaf in held if self.number[leaf] == low}
        highs = {leaf for leaf in held if self.number[leaf] == high}
        return lows if low == high else self.interval(lows, highs, "]")

    def interval(self, lows, highs, end):
        if not self.signs:
            between = " to under " if end == ")" else " to "
            return {low + between + high for low in lows for high in highs}
        comma = "; " if self.mark == "," else ", "
        return {"[%s%s%s%s" % (low, comma, high, end) for low in lows for high in highs}

    def spell(self, value, decimals=None):
        """A number as the column writes them."""
        decimals = self.decimals if decimals is None else decimals
        scaled = value * 10 ** decimals
        digits = "%0*d" % (decimals + 1, abs(scaled))
        whole, rest = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
        return ("-" if scaled < 0 else "") + whole + (self.mark + rest if rest else "")

    def centres(self, rows):
        held = [self.leaves[row] for row in rows]
        if not self.numeric or self.local == "mode":
            counts = Counter(held)
            most = max(counts.values())
            first = min((leaf for leaf in counts if counts[leaf] == most), key=self.order.get)
            return {self.hierarchy.label(0, first)}
        there = [leaf for leaf in held if leaf is not MISSING]
        if not there:
            return {self.missing}
        # Beside missing ones a centre needs k numbers. Clusters with fewer read alike, and may make up one
        # class of the file that has more.
        unsaid = {self.hierarchy.label(len(self.hierarchy.levels) - 1, there[0])}
        if len(there) == len(held):
            return self.centre_of(there)
        return unsaid | self.centre_of(there) if len(there) >= self.k else unsaid

    def centre_of(self, there):
        numbers = sorted(self.number[leaf] for leaf in there)
        if self.local == "median":
            middle = numbers[(len(numbers) - 1) // 2]
            return {leaf for leaf in there if self.number[leaf] == middle}
        decimals = self.decimals + 1
        mean = Fraction(half_away(sum(numbers) / len(numbers) * 10 ** decimals), 10 ** decimals)
        return {self.spell(mean, decimals).rstrip("0").rstrip(self.mark)}

    # --- reading a released cell ----------------------------------------------------------------------

    def holds(self, text, leaf):
        """Can an original value stand behind a released text, by what the text itself says?"""
        if text == "*":
            return True
        if leaf is MISSING:
            return text == self.missing or self.in_group(text, leaf)
        if self.intervals:
            ends = self.read_interval(text)
            if ends:
                low, high, closed = ends
                return low <= self.number[leaf] and (self.number[leaf] <= high if closed
                                                     else self.number[leaf] < high)
        return self.in_group(text, leaf)

    def read_interval(self, text):
        """(low, high, whether high belongs to it), or None."""
        found = BRACKETS.match(text)
        if found and PLAIN.match(found[1]) and PLAIN.match(found[3]):
            return number(found[1]), number(found[3]), found[4] == "]"
        found = WORDS.match(text)
        if found and PLAIN.match(found[1]) and PLAIN.match(found[3]):
            return number(found[1]), number(found[3]), not found[2]
        found = DASH.match(text)
        if found:
            return number(found[1]), number(found[2]), True
        if PLAIN.match(text):
            return number(text), number(text), True
        return None

    def ambiguous(self):
        """Labels that name one set of leaves at one level and another at the next."""
        if self.twice is None:
            sets = {}
            for level, labels in enumerate(self.hierarchy.labels):
                for group, members in self.hierarchy.members(level).items():
                    sets.setdefault(labels[group], set()).add(frozenset(members))
            self.twice = {label for label, found in sets.items() if len(found) > 1}
        return self.twice

    def in_group(self, text, leaf):
        if self.names is not None and any(text == name and self.hierarchy.levels[level][leaf] == group
                                          for (level, group), name in self.names.items()):
            return True
        return any(labels[groups[leaf]] == text
                   for groups, labels in zip(self.hierarchy.levels, self.hierarchy.labels))

    # --- losses ---------------------------------------------------------------------------------------

    def loss(self, box):
        """(glm, gcp, total_il) of a cell."""
        if box[0] == "interval":
            if self.least == self.most:
                return (DEGENERATE,) * 3
            low, high = self.clipped(box)
            return ((high - low) / (self.most - self.least),) * 3
        _, level, leaf = box
        if level not in self.level_losses:
            self.level_losses[level] = self.hierarchy.losses(level)
        return self.level_losses[level][leaf]

    def clipped(self, box):
        return max(box[1], self.least), min(box[2], self.most)

    def stands_for(self, box):
        """Rows of the whole table that a cell could be about."""
        if box[0] == "interval":
            low, high = box[1:]
            snapped = self.grid is not None or (self.chosen and low != high)
            end = bisect_left if snapped and self.is_open() else bisect_right
            return end(self.sorted_rows, high) - bisect_left(self.sorted_rows, low)
        _, level, leaf = box
        groups = self.hierarchy.levels[level]
        return sum(rows for other, rows in self.count.items() if groups[other] == groups[leaf])
