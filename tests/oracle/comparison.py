"""comparison.py -- what `kanon compare` should say, computed a second time from docs/COMPARE.md alone.

The oracle does not read released cells: whoever made the release tells what each of its texts stands for
(class Cell). Plain lists and loops on purpose.
"""
import math
from collections import Counter

BINS, FOLDS = 20, 10
FOLD_STREAM, QUERY_STREAM = 0x636F6D70, 0x71756572
MASK = (1 << 64) - 1
MISSING = None  # a missing cell of the original


class Rng:
    """xoshiro256** seeded by splitmix64: a seed and a stream."""

    def __init__(self, seed, stream):
        x, y = [seed], [stream ^ 0xD1B54A32D192ED03]
        self.state = [self.mix(x) ^ self.rotate(self.mix(y), 17) for _ in range(4)]

    @staticmethod
    def rotate(x, by):
        return (x << by | x >> (64 - by)) & MASK

    @staticmethod
    def mix(box):
        box[0] = (box[0] + 0x9E3779B97F4A7C15) & MASK
        z = box[0]
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return z ^ z >> 31

    def next(self):
        s = self.state
        result = self.rotate(s[1] * 5 & MASK, 7) * 9 & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = self.rotate(s[3], 45)
        return result

    def below(self, bound):
        limit = MASK - MASK % bound
        while True:
            draw = self.next()
            if draw < limit:
                return draw % bound


class Cell:
    """What a released text stands for."""

    def __init__(self, text, values, plain=False, extent=None, middle=None, leaves=None, anything=False):
        self.text = text            # sorts the rows; MISSING for a missing cell
        self.values = set(values)   # of the original, MISSING among them
        self.plain = plain          # costs nothing: a value, a missing value, a number
        self.extent = extent        # numbers: (low, high) where the form itself has ends
        self.middle = middle        # numbers: where it is not the mean of the values
        self.leaves = leaves        # as a hierarchy counts them
        self.anything = anything


class Column:
    """A column of both tables. original: values; released: Cells."""

    def __init__(self, name, original, released, numeric=False, quasi=False, domain=None):
        self.name, self.original, self.released = name, original, released
        self.numeric, self.quasi = numeric, quasi
        self.rows = Counter(original)
        known = sorted(v for v in self.rows if v is not MISSING)
        if numeric:
            known.sort(key=lambda v: (float(v), v.encode()))
        else:
            known.sort(key=lambda v: v.encode())
        self.values = known + [MISSING] * (MISSING in self.rows)
        self.place = {v: i for i, v in enumerate(self.values)}
        self.known = known
        self.domain = domain or len(known)
        self.least = float(known[0]) if numeric and known else None
        self.most = float(known[-1]) if numeric and known else None
        self.make_bins()

    def make_bins(self):
        room = BINS - (MISSING in self.rows)
        if len(self.known) <= room:
            self.bin = {v: i for i, v in enumerate(self.known)}
        elif self.numeric:
            total, below, slots = sum(self.rows[v] for v in self.known), 0, []
            self.bin = {}
            for v in self.known:
                slot = int(below * room / total)
                if not slots or slots[-1] != slot:
                    slots.append(slot)
                self.bin[v] = len(slots) - 1
                below += self.rows[v]
        else:
            frequent = sorted(self.known, key=lambda v: -self.rows[v])  # stable: ties in order of texts
            self.bin = {v: min(i, room - 1) for i, v in enumerate(frequent)}
        self.nbins = max(self.bin.values(), default=-1) + 1
        if MISSING in self.rows:
            self.bin[MISSING] = self.nbins
            self.nbins += 1

    def bits(self, values):
        counts = [self.rows[v] for v in values]
        total = sum(counts)
        return -sum(c / total * math.log2(c / total) for c in counts) if len(counts) > 1 else 0.0

    def cost(self, cell):
        """(glm, gcp) of a released cell."""
        known = [v for v in cell.values if v is not MISSING]
        if cell.plain or not known:
            return 0.0, 0.0
        if self.numeric:
            low, high = cell.extent or (min(map(float, known)), max(map(float, known)))
            low, high = max(low, self.least), min(high, self.most)
            share = (high - low) / (self.most - self.least) if self.most > self.least else 0.0
            return share, share
        leaves = cell.leaves or (self.domain if cell.anything else len(known))
        if leaves <= 1:
            return 0.0, 0.0
        return (leaves - 1) / (self.domain - 1) if self.domain > 1 else 0.0, leaves / self.domain

    def number(self, cell):
        """A released cell as a number, or None."""
        if not self.numeric or cell.anything:
            return None
        if cell.middle is not None:
            return cell.middle
        known = [float(v) for v in cell.values if v is not MISSING]
        return sum(known) / len(known) if known else None

    def spread(self, cell):
        """bin -> share."""
        shares = Counter()
        for v in cell.values:
            shares[self.bin[v]] += 1 / len(cell.values)
        return shares


def half_distance(before, after):
    return sum(abs(before.get(k, 0) - after.get(k, 0)) for k in set(before) | set(after)) / 2


def moments(numbers):
    mean = sum(numbers) / len(numbers)
    return mean, math.sqrt(max(0, sum((x - mean) ** 2 for x in numbers) / len(numbers)))


def correlation(pairs):
    pairs = [(x, y) for x, y in pairs if x is not None and y is not None]
    if not pairs:
        return None
    (mx, sx), (my, sy) = moments([x for x, _ in pairs]), moments([y for _, y in pairs])
    if sx < 1e-9 * (1 + abs(mx)) or sy < 1e-9 * (1 + abs(my)):
        return None
    return sum((x - mx) * (y - my) for x, y in pairs) / len(pairs) / sx / sy


def ranks(numbers, same):
    """Middle ranks; numbers are equal when they differ by no more than `same`."""
    known = sorted(x for x in numbers if x is not None)
    rank, i = {}, 0
    while i < len(known):
        end = i
        while end < len(known) and known[end] - known[i] <= same:
            end += 1
        for x in known[i:end]:
            rank[x] = (i + end) / 2
        i = end
    return [None if x is None else rank[x] for x in numbers]


def cramer(table):
    total = sum(table.values())
    rows, columns = Counter(), Counter()
    for (i, j), n in table.items():
        rows[i] += n
        columns[j] += n
    least = min(sum(n > 1e-12 for n in rows.values()), sum(n > 1e-12 for n in columns.values()))
    if least < 2:
        return None
    chi = sum((table.get((i, j), 0) - rows[i] * columns[j] / total) ** 2 / (rows[i] * columns[j] / total)
              for i in rows for j in columns if rows[i] > 1e-12 and columns[j] > 1e-12)
    return math.sqrt(max(0, chi / total / (least - 1)))


class Comparison:
    def __init__(self, columns, label=None, seed=1, queries=0):
        self.columns, self.seed, self.queries = columns, seed, queries
        self.before, self.after = len(columns[0].original), len(columns[0].released)
        self.lost = max(0, self.before - self.after)
        self.label = next((c for c in columns if c.name == label), None)
        self.original = list(zip(*(c.original for c in columns)))
        self.original.sort(key=lambda row: [c.place[v] for c, v in zip(columns, row)])
        self.released = list(zip(*(c.released for c in columns))) if self.after else []
        self.released.sort(key=lambda row: [(cell.text is MISSING, (cell.text or "").encode())
                                            for cell in row])
        named = any(c.quasi for c in columns)
        recoded = [c for c in columns
                   if any(not cell.plain or cell.middle is not None for cell in c.released)]
        self.counted = [c for c in columns if c.quasi] if named else recoded or columns
        self.named = named

    # --- columns

    def column(self, c):
        rows = self.after + self.lost
        costs = [c.cost(cell) for cell in c.released]
        whole = c.bits(c.values)
        bits = sum(c.bits(cell.values) for cell in c.released)
        after = Counter()
        for cell in c.released:
            for v in cell.values:
                after[v] += 1 / len(cell.values) / self.after
        found = {
            "glm": (sum(x for x, _ in costs) + self.lost) / rows,
            "gcp": (sum(y for _, y in costs) + self.lost) / rows,
            "entropy": (bits + self.lost * whole) / (rows * whole) if whole > 0 else 0.0,
            "tvd": half_distance({v: n / self.before for v, n in c.rows.items()}, after),
        }
        if c.numeric:
            found["mean_before"], found["sd_before"] = moments(
                [float(v) for v in c.original if v is not MISSING])
            numbers = [c.number(cell) for cell in c.released]
            numbers = [x for x in numbers if x is not None]
            found["mean_after"], found["sd_after"] = moments(numbers) if numbers else (None, None)
        return found

    def total(self, name):
        return sum(self.column(c)[name] for c in self.counted) / len(self.counted)

    # --- pairs

    def pair(self, a, b):
        before, after = Counter(), Counter()
        for x, y in zip(a.original, b.original):
            before[a.bin[x], b.bin[y]] += 1
        for x, y in zip(a.released, b.released):
            for i, p in a.spread(x).items():
                for j, q in b.spread(y).items():
                    after[i, j] += p * q
        found = {
            "tvd": half_distance({k: n / self.before for k, n in before.items()},
                                 {k: n / self.after for k, n in after.items()}),
            "v_before": cramer(before), "v_after": cramer(after),
        }
        if a.numeric and b.numeric:
            for when, x, y in (("before", [None if v is MISSING else float(v) for v in a.original],
                                [None if v is MISSING else float(v) for v in b.original]),
                               ("after", [a.number(c) for c in a.released],
                                [b.number(c) for c in b.released])):
                found["pearson_" + when] = correlation(zip(x, y))
                found["spearman_" + when] = correlation(
                    zip(ranks(x, 1e-9 * (a.most - a.least)), ranks(y, 1e-9 * (b.most - b.least))))
        return found

    # --- learning

    def features(self):
        return [c for c in self.columns if c is not self.label and (c.quasi or not self.named)]

    def cm(self):
        features = [self.columns.index(c) for c in self.features()]
        target = self.columns.index(self.label)
        off = []
        for rows in (self.original, [[cell.text for cell in row] for row in self.released]):
            classes = {}
            for row in rows:
                classes.setdefault(tuple(row[i] for i in features), Counter())[row[target]] += 1
            off.append(sum(sum(c.values()) - max(c.values()) for c in classes.values()))
        return off[0] / self.before, (off[1] + self.lost) / (self.after + self.lost)

    def accuracy(self):
        """{before/after: (accuracy, balanced)}"""
        features = self.features()
        folds = self.deal(self.original)
        tests = [(fold, [c.bin[row[self.columns.index(c)]] for c in features],
                  self.label.bin[row[self.columns.index(self.label)]])
                 for fold, row in zip(folds, self.original)]
        known = [(fold, [{b: 1.0} for b in bins], {truth: 1.0}) for fold, bins, truth in tests]
        seen = [(fold, [c.spread(row[self.columns.index(c)]) for c in features],
                 self.label.spread(row[self.columns.index(self.label)]))
                for fold, row in zip(self.deal(self.released), self.released)]
        return {"before": self.bayes(known, tests, features), "after": self.bayes(seen, tests, features)}

    def deal(self, rows):
        rng = Rng(self.seed, FOLD_STREAM)
        return [rng.below(FOLDS) for _ in rows]

    def bayes(self, examples, tests, features):
        classes = range(self.label.nbins)
        right, every = Counter(), Counter()
        for without in range(FOLDS):
            labels, bins = Counter(), Counter()
            for fold, cells, truth in examples:
                if fold == without:
                    continue
                for c, p in truth.items():
                    labels[c] += p
                    for f, shares in enumerate(cells):
                        for b, q in shares.items():
                            bins[c, f, b] += p * q
            total = sum(labels.values()) + self.label.nbins
            for fold, cells, truth in tests:
                if fold != without:
                    continue
                scores = [math.log((labels[c] + 1) / total) + sum(
                    math.log((bins[c, f, b] + 1) / (labels[c] + features[f].nbins))
                    for f, b in enumerate(cells)) for c in classes]
                best = max(scores)
                chosen = next(c for c in classes if scores[c] > best - 1e-9)
                every[truth] += 1
                right[truth] += chosen == truth
        return sum(right.values()) / self.before, sum(right[c] / every[c] for c in every) / len(every)

    # --- queries

    def errors(self):
        """[(columns, relative error)] of the random range counts."""
        rng, order, found = Rng(self.seed, QUERY_STREAM), list(self.counted), []
        floor = max(1, self.before / 1000)
        for _ in range(self.queries):
            asked = 1 + rng.below(min(3, len(order)))
            ranges = []
            for i in range(asked):
                j = i + rng.below(len(order) - i)
                order[i], order[j] = order[j], order[i]
                count = len(order[i].values)
                width = 1 + rng.below((count + 1) // 2)
                start = rng.below(count - width + 1)
                ranges.append((self.columns.index(order[i]), set(order[i].values[start:start + width])))
            truth = sum(all(row[c] in held for c, held in ranges) for row in self.original)
            guess = sum(math.prod(len(row[c].values & held) / len(row[c].values) for c, held in ranges)
                        for row in self.released)
            found.append((asked, abs(guess - truth) / max(truth, floor)))
        return found
