"""oracle.py -- a naive second implementation of the model: classes, suppression, bounds, metrics, optimum.

Written from the definitions, shares nothing with src/. Sums are exact fractions where it matters which
of two nodes is better, so that ties are ties. Cost: every node looks at every row.
"""
import csv
import itertools
import math
from collections import Counter
from fractions import Fraction

from hierarchies import MISSING

METRICS = ("log", "precision", "los", "height", "dm", "glm", "glm_sum", "gcp", "total_il",
           "total_il_literal", "cm", "c_avg", "entropy")
PER_ATTRIBUTE = ("log", "glm", "gcp", "total_il", "entropy")
DEFAULT_MISSING = ("", "?", "NA")


class Table:
    """A CSV file in memory."""

    def __init__(self, header, rows, tokens=DEFAULT_MISSING):
        self.header, self.rows, self.tokens = header, rows, tuple(tokens)

    def column(self, name):
        index = self.header.index(name)
        return [row[index] for row in self.rows]

    def leaves(self, name):
        """The column with every missing token as MISSING."""
        return [MISSING if cell in self.tokens else cell for cell in self.column(name)]

    def values(self, name):
        """Distinct non-missing values, in order of appearance."""
        return list(dict.fromkeys(leaf for leaf in self.leaves(name) if leaf is not MISSING))

    def missing(self, name):
        """The missing token that most rows of a column have (of equals, the first in the list), or None."""
        cells = self.column(name)
        counts = [(cells.count(token), -i, token) for i, token in enumerate(self.tokens)]
        most = max(counts, default=(0, 0, None))
        return most[2] if most[0] else None


def read_table(path, delimiter=",", encoding="utf-8", tokens=DEFAULT_MISSING):
    """The first record is the header; last lines that hold nothing but delimiters are no rows."""
    with open(path, newline="", encoding=encoding) as file:
        records = list(csv.reader(file, delimiter=delimiter))
    while len(records) > 1 and not any(records[-1]):
        records.pop()
    header, rows = records[0], [row for row in records[1:] if row]
    for row in rows:
        if len(row) != len(header):
            raise ValueError("%s: a row has %d fields, the header %d" % (path, len(row), len(header)))
    return Table(header, rows, tokens)


def suppression_rows(eta, n):
    """floor(eta * n) with eta as it is written: 0.01 * 100 is 1."""
    return math.floor(Fraction(str(eta)) * n)


class Node:
    """What a node does to a table."""

    def __init__(self, problem, levels):
        self.problem, self.levels = problem, tuple(levels)
        codes = [problem.groups[i][x] for i, x in enumerate(levels)]
        self.keys = list(zip(*codes)) if codes else []
        self.sizes = Counter(self.keys)
        self.classes = problem.released_classes(self)
        self.released = [key in self.classes for key in self.keys]
        self.outlying = self.released.count(False)
        self.feasible = self.outlying <= problem.limit
        self.sums = {}

    def smallest(self):
        return min(self.classes.values(), default=0)

    def exact(self, metric):
        """A metric as a fraction (entropy: as a float)."""
        p, s, n, m = self.problem, self.outlying, self.problem.n, self.problem.m
        if metric == "height":
            return Fraction(sum(self.levels))
        if metric == "log":
            return p.mean(self.attribute_log(i) for i in range(m))
        if n == 0:
            return Fraction(0)
        if metric == "precision":
            return p.mean(((n - s) * self.attribute_log(i) + s) / n for i in range(m))
        if metric == "los":
            return Fraction(s, n)
        if metric == "dm":
            return Fraction(sum(f * f for f in self.classes.values()) + s * n)
        if metric == "c_avg":
            return Fraction(n, len(self.classes) * p.k) if self.classes else Fraction(0)
        if metric == "cm":
            return Fraction(s + self.off_majority(), n)
        if metric == "glm_sum":
            return sum(self.attribute_sum(i, 0) for i in range(m))
        if metric == "total_il_literal":
            return Fraction(self.literal() + s * m, n * m)
        if metric == "entropy":
            return float(p.mean(Fraction(self.attribute_entropy(i)) for i in range(m)))
        which = ("glm", "gcp", "total_il").index(metric)
        return p.mean(self.attribute_sum(i, which) / n for i in range(m))

    def metrics(self):
        return {name: float(self.exact(name)) for name in METRICS}

    def attribute(self, i):
        """What one column lost."""
        n = self.problem.n
        mean = [float(self.attribute_sum(i, which) / n) if n else 0.0 for which in range(3)]
        return {"log": float(self.attribute_log(i)), "glm": mean[0], "gcp": mean[1],
                "total_il": mean[2], "entropy": self.attribute_entropy(i)}

    def attribute_log(self, i):
        height = self.problem.hierarchies[i].height
        return Fraction(self.levels[i], height) if height else Fraction(0)

    def attribute_sum(self, i, which):
        """Sum of a cell loss over all rows, a suppressed one counting 1."""
        if (i, which) not in self.sums:
            self.sums[i, which] = self.attribute_sum_now(i, which)
        return self.sums[i, which]

    def attribute_sum_now(self, i, which):
        losses, unit = self.problem.cell_losses(i)
        loss = losses[self.levels[i]]
        total = sum(loss[leaf][which] for leaf, released
                    in zip(self.problem.columns[i], self.released) if released)
        return Fraction(total, unit) + self.outlying

    def attribute_entropy(self, i):
        p, level = self.problem, self.levels[i]
        leaves, groups = p.columns[i], p.groups[i][level]
        alone, joined, worst = p.counts(i, level)
        if worst == 0:
            return 0.0
        lost = math.fsum(math.log2((joined[group] if released else p.n) / alone[leaf])
                         for leaf, group, released in zip(leaves, groups, self.released))
        return lost / worst

    def off_majority(self):
        """Released rows whose label is not their class's most frequent one."""
        if self.problem.label is None:
            return 0
        held = {}
        for key, label, released in zip(self.keys, self.problem.label, self.released):
            if released:
                held.setdefault(key, Counter())[label] += 1
        return sum(sum(c.values()) - max(c.values()) for c in held.values())

    def literal(self):
        """total_il_literal before division: the class size weighs the numeric columns only."""
        total, seen = Fraction(0), set()
        for row, (key, released) in enumerate(zip(self.keys, self.released)):
            if not released or key in seen:
                continue
            seen.add(key)
            for i, hierarchy in enumerate(self.problem.hierarchies):
                losses, unit = self.problem.cell_losses(i)
                loss = Fraction(losses[self.levels[i]][self.problem.columns[i][row]][2], unit)
                total += loss * self.sizes[key] if hierarchy.numeric else loss
        return total


def scaled_losses(hierarchy):
    """Losses per level and leaf as integers, and the unit that divides them: exact and quick to add."""
    exact = [hierarchy.losses(level) for level in range(hierarchy.height + 1)]
    unit = math.lcm(1, *[part.denominator for level in exact for loss in level.values() for part in loss])
    return [{leaf: tuple(int(part * unit) for part in loss) for leaf, loss in level.items()}
            for level in exact], unit


class Problem:
    """A table's quasi-identifiers with their hierarchies, k, the suppression limit and weights (exact numbers,
    None: all equal)."""

    def __init__(self, columns, hierarchies, k, eta, label=None, weights=None):
        self.columns, self.hierarchies, self.k, self.label = columns, hierarchies, k, label
        self.weights = weights or [Fraction(1)] * len(columns)
        self.allowed = [(0, hierarchy.height) for hierarchy in hierarchies]  # lowest and highest level
        self.m, self.n = len(columns), len(columns[0])
        self.limit = suppression_rows(eta, self.n)
        self.groups = [[[level[leaf] for leaf in column] for level in hierarchy.levels]
                       for column, hierarchy in zip(columns, hierarchies)]
        self.scaled, self.counted = {}, {}
        self.cache = {}
        self.requirement = None  # beyond k: (node, rows of a class) -> whether it may be released

    def released_classes(self, node):
        """Sizes of the classes that have k rows and satisfy every model."""
        found = {key: f for key, f in node.sizes.items() if f >= self.k}
        if self.requirement is None:
            return found
        rows = {}
        for row, key in enumerate(node.keys):
            rows.setdefault(key, []).append(row)
        return {key: f for key, f in found.items() if self.requirement(node, rows[key])}

    def mask_holds(self, rows):
        """May these rows be the class that reads `*` everywhere?"""
        return len(rows) >= self.k and (self.requirement is None or self.requirement(None, rows))

    def mean(self, values):
        """The weighted mean over the quasi-identifiers."""
        return sum(w * value for w, value in zip(self.weights, values)) / sum(self.weights)

    def cell_losses(self, i):
        """(losses per level and leaf, unit) of a column; made when first asked for."""
        if i not in self.scaled:
            self.scaled[i] = scaled_losses(self.hierarchies[i])
        return self.scaled[i]

    def counts(self, i, level):
        """Rows per value, rows per group, and the bits that `*` would lose."""
        if (i, level) not in self.counted:
            alone = Counter(self.columns[i])
            self.counted[i, level] = (alone, Counter(self.groups[i][level]),
                                      math.fsum(math.log2(self.n / alone[leaf]) for leaf in self.columns[i]))
        return self.counted[i, level]

    def heights(self):
        return [hierarchy.height for hierarchy in self.hierarchies]

    def lattice(self):
        return itertools.product(*[range(low, high + 1) for low, high in self.allowed])

    def node(self, levels):
        levels = tuple(levels)
        if levels not in self.cache:
            self.cache[levels] = Node(self, levels)
        return self.cache[levels]

    def distinct_tuples(self):
        return len(set(zip(*self.columns)))

    def single_outlying(self, i, level):
        sizes = Counter(self.groups[i][level])
        return sum(f for f in sizes.values() if f < self.k)

    def bounds(self):
        """Per QI the lowest allowed level whose own outlying rows stay within the limit (the highest if none)."""
        found = []
        for i, (low, high) in enumerate(self.allowed):
            fit = [l for l in range(low, high + 1) if self.single_outlying(i, l) <= self.limit]
            found.append(fit[0] if fit else high)
        return found

    def optimum(self, metric):
        """The best feasible node: metric, then suppressed rows, then levels; None if there is none."""
        feasible = [node for node in map(self.node, self.lattice()) if node.feasible]
        if not feasible:
            return None
        if metric == "entropy":
            best = min(node.exact(metric) for node in feasible)
            equal = [node for node in feasible if node.exact(metric) <= best + 1e-12]
        else:
            best = min(node.exact(metric) for node in feasible)
            equal = [node for node in feasible if node.exact(metric) == best]
        return min(equal, key=lambda node: (node.outlying, node.levels))

    def released_labels(self, node):
        """Per row: the label of each QI (None where it is not fixed), or None for a suppressed row."""
        rows = []
        for row in range(self.n):
            rows.append([h.label(x, column[row]) for h, x, column
                         in zip(self.hierarchies, node.levels, self.columns)]
                        if node.released[row] else None)
        return rows


def accuracy(height, best, worst):
    """How close a solution is to the best one, by height: 1 = as low, 0 = the top of the lattice."""
    if worst == best:
        return 1.0
    return 1 - abs(height - best) / (worst - best)


def mean_accuracy(values, weights):
    return sum(v * w for v, w in zip(values, weights)) / sum(weights)
