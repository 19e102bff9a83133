"""models.py -- the privacy models beyond k, written down once more from their definitions.

A model looks at the rows of one class. reached() says how far the class goes, holds() whether that is enough.
Shares are exact fractions, so that equal is equal; only logarithms are floats. Shares nothing with src/.
"""
import itertools
import math
from collections import Counter
from fractions import Fraction

SAME = 1e-9
INFINITE = float("inf")


def at_least(a, b):
    return a >= b - SAME * max(1, b)


class Model:
    """One model on one column (values: the column, row by row).

    A model that its own setting asks for, on every sensitive column, names it (setting) and limits to draw from
    (limits): run_models.py takes such from here."""

    key = monotone = setting = None
    limits = ()
    better = max  # of two classes the worse one reaches the ... value

    def __init__(self, column, values, limit):
        self.column, self.values, self.limit = column, values, limit
        self.whole = Counter(values or [])
        self.n = len(values or [])

    def shares(self, rows):
        counts = Counter(self.values[row] for row in rows)
        return {value: Fraction(f, len(rows)) for value, f in counts.items()}

    def share(self, value):
        return Fraction(self.whole[value], self.n)

    def asked(self):
        return {self.parameter: float(self.limit)}

    def holds(self, rows):
        return self.enough(self.reached(rows))

    def worst(self, classes):
        return self.better((self.reached(rows) for rows in classes), default=None)


class AtLeast(Model):
    better = min

    def enough(self, reached):
        return at_least(reached, self.limit)


class AtMost(Model):
    def enough(self, reached):
        return reached <= self.limit + Fraction(SAME)


class Below(Model):
    def enough(self, reached):
        return reached < self.limit - SAME * max(1, self.limit)


class Distinct(AtLeast):
    key, parameter, monotone = "distinct-l-diversity", "l", True

    def reached(self, rows):
        return len({self.values[row] for row in rows})


class PSensitive(Distinct):
    key, parameter = "p-sensitive", "p"
    setting, limits = "p-sensitive", ("2", "2", "3")


class Persons(Distinct):
    key, parameter = "persons", "k"


class Entropy(AtLeast):
    key, parameter, monotone = "entropy-l-diversity", "l", False

    def reached(self, rows):
        return math.exp(-math.fsum(float(p) * math.log(p) for p in self.shares(rows).values()))


class Recursive(Below):
    key, parameter, monotone = "recursive-cl-diversity", "c", False

    def __init__(self, column, values, c, l):
        super().__init__(column, values, c)
        self.l = l

    def asked(self):
        return {"c": float(self.limit), "l": float(self.l)}

    def reached(self, rows):
        counts = sorted(Counter(self.values[row] for row in rows).values(), reverse=True)
        tail = sum(counts[self.l - 1:])
        return Fraction(counts[0], tail) if tail else INFINITE


class Alpha(AtMost):
    key, parameter, monotone = "alpha-k", "alpha", False
    setting, limits = "alpha", ("0.4", "0.5", "0.6", "0.75", "0.9")

    def reached(self, rows):
        return max(self.shares(rows).values())


class Equal(AtMost):
    key, parameter, monotone = "t-closeness-equal", "t", False

    def reached(self, rows):
        own = self.shares(rows)
        return sum(abs(own.get(v, 0) - self.share(v)) for v in self.whole) / 2


def transport(supply, demand, distance):
    """The earth mover's distance as a linear program, solved by augmenting along cheapest paths."""
    supply = {key: mass for key, mass in supply.items() if mass}
    demand = {key: mass for key, mass in demand.items() if mass}
    flow, total = {}, Fraction(0)
    while any(supply.values()):
        cost = {("s", a): Fraction(0) for a, mass in supply.items() if mass}
        came = {}
        for _ in range(len(supply) + len(demand)):
            for a in supply:
                for b in demand:
                    if ("s", a) in cost:
                        better = cost["s", a] + distance(a, b)
                        if better < cost.get(("d", b), INFINITE):
                            cost["d", b], came["d", b] = better, ("s", a)
                    if flow.get((a, b)) and ("d", b) in cost:
                        better = cost["d", b] - distance(a, b)
                        if better < cost.get(("s", a), INFINITE):
                            cost["s", a], came["s", a] = better, ("d", b)
        end = min((b for b, mass in demand.items() if mass), key=lambda b: cost["d", b])
        path, at = [], ("d", end)
        while at in came:
            path.append((came[at], at))
            at = came[at]
        load = min([supply[at[1]], demand[end]]
                   + [flow[b[1], a[1]] for a, b in path if a[0] == "d"])
        for a, b in path:
            pair = (a[1], b[1]) if a[0] == "s" else (b[1], a[1])
            flow[pair] = flow.get(pair, 0) + (load if a[0] == "s" else -load)
        total += load * cost["d", end]
        supply[at[1]] -= load
        demand[end] -= load
    return total


class Ground(Equal):
    """t-closeness over any ground distance: transported, not computed in closed form."""

    def reached(self, rows):
        own = self.shares(rows)
        more = {v: max(own.get(v, 0) - self.share(v), Fraction(0)) for v in self.whole}
        less = {v: max(self.share(v) - own.get(v, 0), Fraction(0)) for v in self.whole}
        return transport(more, less, self.distance)


class Ordered(Ground):
    """order: the values from the least to the greatest, the missing one last."""

    key = "t-closeness-ordered"

    def __init__(self, column, values, limit, order):
        super().__init__(column, values, limit)
        self.place = {value: i for i, value in enumerate(order)}

    def distance(self, a, b):
        return Fraction(abs(self.place[a] - self.place[b]), max(len(self.place) - 1, 1))


class Hierarchical(Ground):
    key = "t-closeness-hierarchical"

    def __init__(self, column, values, limit, hierarchy):
        super().__init__(column, values, limit)
        self.hierarchy = hierarchy

    def distance(self, a, b):
        level = 0
        while self.hierarchy.levels[level][a] != self.hierarchy.levels[level][b]:
            level += 1
        return Fraction(level, max(self.hierarchy.height, 1))


class Beta(AtMost):
    key, parameter, monotone = "beta-likeness", "beta", False

    def gains(self, rows):
        own = self.shares(rows)
        return {v: (own[v] - self.share(v)) / self.share(v) for v in own if own[v] > self.share(v)}

    def reached(self, rows):
        return max(self.gains(rows).values(), default=Fraction(0))


class EnhancedBeta(Beta):
    key = "enhanced-beta-likeness"

    def reached(self, rows):
        gains = self.gains(rows)
        if any(gain > -math.log(self.share(v)) + SAME for v, gain in gains.items()):
            return INFINITE
        return max(gains.values(), default=Fraction(0))


class Disclosure(Below):
    key, parameter, monotone = "delta-disclosure", "delta", False
    setting, limits = "delta-disclosure", ("0.3", "0.7", "1", "2")

    def reached(self, rows):
        own = self.shares(rows)
        if len(own) < len(self.whole):
            return INFINITE
        return max(abs(math.log(own[v] / self.share(v))) for v in own)


def with_settings(kind=Model):
    """Models that name their setting."""
    for each in kind.__subclasses__():
        if "setting" in vars(each):
            yield each
        yield from with_settings(each)


class OwnK(AtLeast):
    """values: the k that each row asks for."""

    key, parameter, monotone = "k-column", "rows per k asked for", False

    def reached(self, rows):
        return Fraction(len(rows), max(self.values[row] for row in rows))


class People(Model):
    """count: rows of a class -> people of the population that it may stand for."""

    def __init__(self, limit, count):
        super().__init__(None, None, limit)
        self.count = count


class KMap(People, AtLeast):
    key, parameter, monotone = "k-map", "k", True

    def reached(self, rows):
        return self.count(rows)


class Presence(People, AtMost):
    key, parameter, monotone = "delta-presence", "max", False

    def __init__(self, low, high, count):
        super().__init__(high, count)
        self.low = low

    def asked(self):
        return {"max": float(self.limit), "min": float(self.low)}

    def enough(self, reached):
        return super().enough(reached) and at_least(reached, self.low)

    def reached(self, rows):
        people = self.count(rows)
        return Fraction(len(rows), people) if people else INFINITE


# --- presence where a person may be in several classes; a class is (the people that it covers, its rows) -----------


def added_presence(classes, everybody):
    """Per class (its own share, that of its people whose shares in all classes add up to most, at most 1)."""
    def share(class_):
        return Fraction(class_[1], len(class_[0])) if class_[0] else INFINITE

    added = [sum(share(c) for c in classes if person in c[0]) for person in range(everybody)]
    return [(share(c), min(1, max((added[person] for person in c[0]), default=0))) for c in classes]


def likeliest(classes, everybody):
    """How likely the person is in the table who is most likely there, all ways to fill the rows with people being
    equally likely; None: there is none. By listing them."""
    found = Counter()

    def fill(left, free, used):
        if not left:
            found[used] += 1
            return
        covered, rows = left[0]
        for chosen in itertools.combinations(sorted(covered & free), rows):
            fill(left[1:], free - set(chosen), used | frozenset(chosen))

    fill(classes, frozenset(range(everybody)), frozenset())
    ways = sum(found.values())
    shares = [Fraction(sum(n for used, n in found.items() if person in used), ways or 1) for person in range(everybody)]
    return max(shares, default=None) if ways else None
