"""linkage.py -- what docs/PRIVACY.md says of released columns beside the quasi-identifiers, counted naively: every class,
every set of columns, every pair of rows."""
import collections
import itertools

EVIDENCE, STRONG = 20, 0.95


def grouped(classes, cells):
    """Sizes of the groups that agree in class and cells."""
    return collections.Counter(zip(classes, cells))


def count(classes, cells, k):
    sizes = grouped(classes, cells).values()
    return {"alone": sum(1 for size in sizes if size == 1), "below_k": sum(size for size in sizes if size < k),
            "smallest": min(sizes)}


def worst(classes, columns, number):
    """The greatest number of rows that are alone by so many of the columns."""
    return max(count(classes, list(zip(*chosen)), 1)["alone"] for chosen in itertools.combinations(columns, number))


def disagreement(cells):
    """The share of pairs of rows that differ."""
    n = len(cells)
    same = sum(size * (size - 1) for size in collections.Counter(cells).values())
    return 1 - same / (n * (n - 1)) if n > 1 else 0.0


def strength(x, y):
    """How strongly y follows from x; None: too little evidence."""
    expected = disagreement(y)
    groups = collections.defaultdict(list)
    for a, b in zip(x, y):
        groups[a].append(b)
    weight = sum(len(group) - 1 for group in groups.values())
    if weight * expected < EVIDENCE:
        return None
    differ = sum((len(group) - 1) * disagreement(group) for group in groups.values())
    return 1 - differ / weight / expected


def dependency(classes, column, quasi, k):
    """The worst dependency of a column on one of the original quasi-identifiers; None: there is none.
    @return (name of the quasi-identifier, kind, strength, counts), the first of equals"""
    found = None
    for name, cells in quasi.items():
        tells, told = strength(column, cells), strength(cells, column)
        tells = -1 if tells is None else tells
        told = -1 if told is None else told
        if tells < STRONG and told < STRONG:
            continue
        left = count(classes, column if told >= STRONG else cells, k)
        kind = "refines" if told < STRONG else "follows" if tells < STRONG else "copies"
        if left["below_k"] and (not found or left["below_k"] > found[3]["below_k"]):
            found = (name, kind, tells if told < STRONG else told, left)
    return found


def guessed(classes, cells):
    """Rows of classes in which a value is nearly certain, and the greatest ratio of shares."""
    whole, sizes = collections.Counter(cells), collections.Counter(classes)
    rows, ratio = 0, 0.0
    for (where, value), size in grouped(classes, cells).items():
        share, before = size / sizes[where], whole[value] / len(cells)
        rows += sizes[where] if share >= 0.9 and before < 0.9 else 0
        ratio = max(ratio, share / before)
    return rows, ratio
