"""compare_cases.py -- random tables and releases of them in every form that `kanon compare` reads, together
with what each released text stands for."""
import random

from comparison import MISSING, Cell, Column

CITIES = ("Aachen", "Bonn", "Bremen", "Dresden", "Essen", "Halle, Saale", "Jena", "Kiel", "München", "Trier")


def number_text(value, decimals):
    return "%.*f" % (decimals, value)


class Numbers:
    """A column of numbers and the ways to write intervals of them."""

    def __init__(self, rng, decimals):
        self.rng, self.decimals = rng, decimals
        self.low = rng.choice([0, -20, 15])
        self.width = rng.choice([6, 30, 80])

    def value(self):
        return number_text(self.low + self.rng.randint(0, self.width * 10 ** self.decimals)
                           / 10 ** self.decimals, self.decimals)

    def cells(self, column):
        """A function from a value to a Cell that holds it."""
        def all_between(low, high, low_open=False, high_open=False):
            return [v for v in column.known
                    if (float(v) > low if low_open else float(v) >= low)
                    and (float(v) < high if high_open else float(v) <= high)]

        def cell(text, low, high, low_open=False, high_open=False):
            ends = (max(low, column.least), min(high, column.most))
            return Cell(text, all_between(low, high, low_open, high_open), extent=(low, high),
                        middle=ends[0] + (ends[1] - ends[0]) / 2)

        def generalize(value):
            x, form = float(value), self.rng.randint(0, 9)
            step = self.rng.choice([2, 5, 10])
            low = x // step * step
            high = low + step
            a, b = number_text(low, 0), number_text(high, 0)
            if form == 0:
                return Cell(value, [value], plain=True)
            if form == 1:
                return cell("[%s, %s)" % (a, b), low, high, high_open=True)
            if form == 2:
                return cell("[%s,%s[" % (a, b), low, high, high_open=True)
            if form == 3 and x > low:
                return cell("]%s; %s]" % (a, b), low, high, low_open=True)
            if form == 4:
                return cell("%s - %s" % (a, b), low, high)
            if form == 5:
                return cell("%s..%s" % (a, b), low, high)
            if form == 6:
                return cell(self.rng.choice([">=%s", "≥ %s", "%s+", "%s or more"]) % a, low, float("inf"))
            if form == 7:
                return cell("< %s" % b, float("-inf"), high, high_open=True)
            if form == 8:
                others = self.rng.sample(column.known, min(2, len(column.known)))
                members = sorted(set([value] + others))
                self.rng.shuffle(members)
                if len(members) > 1:
                    return Cell("{%s}" % ", ".join(members), members)
            return cell("%s-%s" % (a, b), low, high)
        return generalize


class Texts:
    """A column of names."""

    def __init__(self, rng):
        self.rng = rng
        self.names = rng.sample(CITIES, rng.randint(2, len(CITIES)))

    def value(self):
        return self.names[min(int(self.rng.expovariate(0.5)), len(self.names) - 1)]

    def cells(self, column):
        def generalize(value):
            if self.rng.random() < 0.4:
                return Cell(value, [value], plain=True)
            members = set(self.rng.sample(column.known, min(self.rng.randint(1, 3), len(column.known))))
            members = sorted(members | {value})
            self.rng.shuffle(members)
            if len(members) == 1:
                return Cell(members[0], members, plain=True)
            form = self.rng.choice(["{%s}", "[%s]", "bare"])
            if form == "bare":
                return Cell("|".join(members), members)
            return Cell(form % self.rng.choice([", ", ","]).join(members), members)
        return generalize


class Codes:
    """A column of codes of one length, hidden from the right."""

    def __init__(self, rng):
        self.rng = rng

    def value(self):
        return "D%02d%s" % (self.rng.randint(0, 6), self.rng.choice("AB"))

    def cells(self, column):
        def generalize(value):
            shown = self.rng.randint(1, 4)
            if shown == 4:
                return Cell(value, [value], plain=True)
            text = value[:shown] + "*" * (4 - shown)
            return Cell(text, [v for v in column.known if v.startswith(value[:shown])])
        return generalize


class Case:
    """An original, a release, and the oracle's columns."""

    def __init__(self, seed, index):
        rng = random.Random("compare-%s-%d" % (seed, index))
        self.rng = rng
        count = rng.randint(2, 60)
        kinds = [Numbers(rng, 0), Numbers(rng, rng.choice([0, 1, 2])), Texts(rng), Codes(rng)]
        names = ["age", "weight", "town", "code"]
        picked = sorted(rng.sample(range(4), rng.randint(1, 4)))
        self.missing = "?"
        originals = [[self.original_cell(kinds[i]) for _ in range(count)] for i in picked]
        label = [rng.choice(["yes", "no", "no", "maybe"]) for _ in range(count)]
        kept = [r for r in range(count) if rng.random() < rng.choice([1, 0.8])] or [0]
        self.named = rng.random() < 0.5
        self.columns = []
        for i, cells in zip(picked, originals):
            numeric = isinstance(kinds[i], Numbers) and any(v is not MISSING for v in cells)
            column = Column(names[i], cells, [], numeric=numeric, quasi=False)
            self.release(column, kinds[i], kept)
            self.columns.append(column)
        target = Column("sick", label, [Cell(label[r], [label[r]], plain=True) for r in kept])
        self.columns.append(target)
        self.order = kept

    def original_cell(self, kind):
        return MISSING if self.rng.random() < 0.05 else kind.value()

    def release(self, column, kind, kept):
        """Half of the columns are released as they are."""
        same = self.rng.random() < 0.25
        generalize = kind.cells(column) if column.known else None
        for row in kept:
            value = column.original[row]
            if self.rng.random() < 0.1:
                cell = Cell("*", column.values, anything=True,
                            extent=(column.least, column.most) if column.numeric else None)
            elif value is MISSING:
                cell = Cell(MISSING, [MISSING], plain=True)
            elif same:
                cell = Cell(value, [value], plain=True)
            else:
                cell = generalize(value)
            column.released.append(cell)

    def texts(self, released, order=None):
        """The table as CSV rows, the columns in an order of their own."""
        columns = order or self.columns
        rows = [[c.name for c in columns]]
        count = len(columns[0].released if released else columns[0].original)
        for r in range(count):
            cells = [(c.released[r].text if released else c.original[r]) for c in columns]
            rows.append([self.missing if cell is MISSING else cell for cell in cells])
        return rows
