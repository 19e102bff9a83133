"""local_cases.py -- random small jobs with local recoding: cases.py's tables, other settings, and columns of
numbers as people write them.

A case is made from a seed and an index alone, so it can be made again.
"""
from cases import KINDS, NOTES, Case, Quasi
import hierarchies as hi

METRICS = ("gcp", "gcp", "glm", "total_il")
NUMBERS = ("numbers", "numbers", "comma", "spellings")
ITERATIONS_MOST = 30
TEXTS, NUMBERED = ("mask", "place", "date"), ("number", "range", "x10")  # kinds of quasi-identifiers


class LocalCase(Case):
    """algorithms: the clusterers that the tool has, each with its parameters."""

    def __init__(self, seed, index, algorithms):
        self.algorithms = algorithms
        super().__init__("local-%s" % seed, index)

    def settings(self):
        super().settings()
        rng = self.rng
        self.with_threads = rng.random() < 0.3
        self.n_or_more()
        self.k = rng.randint(1, 7)
        self.eta = rng.choice([0, 0, 0, 0.05, 0.1, 0.15, 0.2])
        self.metric = rng.choice(METRICS)
        self.algorithm = rng.choice(list(self.algorithms))
        self.local = rng.choice(["interval"] * 4 + ["mean", "median", "mode"])
        self.snap = rng.choice(["off", "hierarchy"] + ["grid"] * 3) if self.local == "interval" else "off"
        self.grids = self.some_grids() if self.local == "interval" and rng.random() < 0.25 else {}
        self.params = self.some_params()
        self.l = 0  # decided when there is a sensitive column

    def n_or_more(self):
        """Quasi-identifiers are drawn already; now and then some rows stand there many times."""
        if self.n < 4 or self.rng.random() < 0.7:
            return
        copies = self.rng.randint(1, 3)
        for quasi in self.quasi:
            quasi.cells = quasi.cells * copies
        self.n *= copies

    def columns(self):
        super().columns()
        rng = self.rng
        if "note" in self.cells:
            self.cells["note"] = [rng.choice(NOTES) for _ in range(self.n)]
        if "illness" in self.cells and self.label == "illness" and rng.random() < 0.3:
            self.l = min(rng.choice([2, 2, 3]), len(set(self.cells["illness"])) or 1)

    def some_params(self):
        """One or two of the algorithm's own, from its words; refinement is always short."""
        rng, found = self.rng, {}
        known = self.algorithms[self.algorithm]
        for name, kind in known.items():
            if "|" in kind and rng.random() < 0.4:
                found[name] = rng.choice(kind.split("|"))
        if "refine-iterations" in known:
            found["refine-iterations"] = str(rng.randint(1, ITERATIONS_MOST))
        return found

    def some_grids(self):
        rng, found = self.rng, {}
        for quasi in self.quasi:
            if quasi.kind in NUMBERED and rng.random() < 0.6:
                found[quasi.name] = rng.choice(["1", "2", "5", "10", "0.5", "2.5", "0.25", "100"])
        return found

    def some_limits(self, rng):
        """Lowest levels alone, of columns that do not become intervals or centres."""
        if self.local != "interval" or not self.n or rng.random() < 0.6:
            return {}
        found = {}
        for quasi in self.quasi:
            levels = quasi.kind in TEXTS or (quasi.kind in NUMBERED and quasi.make and self.snap == "hierarchy"
                                             and quasi.name not in self.grids)
            if levels and rng.random() < 0.5:
                found[quasi.name] = ({"min_level": rng.randint(0, self.levels_of(quasi) - 1)}, rng.random() < 0.5)
        return found

    # --- quasi-identifiers ----------------------------------------------------------------------------

    def some_quasi(self, count):
        rng = self.rng
        if rng.random() < 0.15:
            self.n = rng.randint(1, 9)
        kinds = [rng.choice(NUMBERS if rng.random() < 0.4 else KINDS) for _ in range(rng.randint(1, 6))]
        return [getattr(self, "quasi_" + kind.replace("-", "_"))("q%d" % i) for i, kind in enumerate(kinds)]

    def numbers(self, name, domain, type_=None, certain=None):
        """certain: a value that the column has whatever is drawn."""
        quasi = Quasi(name, "number", self.draw(domain))
        if certain and self.n:
            quasi.cells[0] = certain
        widths = self.rng.choice([["5", "10", "50"], ["2", "20"], ["10"]])
        quasi.spec, quasi.type = "range:" + ",".join(widths), type_
        quasi.setting = {"range": [int(w) for w in widths]}
        quasi.make = lambda values, missing, tokens: hi.from_range(values, missing, widths)
        return quasi

    def quasi_numbers(self, name):
        """Whole, negative, with decimals, far apart."""
        rng = self.rng
        low, high, decimals = rng.choice([(0, 99, 0), (17, 90, 0), (-40, 40, 0), (0, 100000, 0), (-3, 3, 1),
                                          (0, 20, 2), (5, 5, 0)])
        domain = ["%.*f" % (decimals, rng.uniform(low, high)) for _ in range(rng.randint(1, 25))]
        return self.numbers(name, [d if float(d) else d.lstrip("-") for d in domain])

    def quasi_comma(self, name):
        domain = [("%.*f" % (self.rng.randint(1, 2), self.rng.uniform(-2, 30))).replace(".", ",")
                  for _ in range(self.rng.randint(2, 12))]
        return self.numbers(name, [d for d in domain if float(d.replace(",", "."))] + ["1,5"], "number", "2,75")

    def quasi_spellings(self, name):
        """The same number in several spellings."""
        domain = []
        for _ in range(self.rng.randint(1, 6)):
            value = self.rng.randint(0, 9)
            domain += self.rng.sample(["%d" % value, "%d.0" % value, "%d.50" % value, "%d.5" % value], 2)
        return self.numbers(name, domain, certain="2.75")

    # --- the job ----------------------------------------------------------------------------------------

    def config(self):
        found = super().config()
        found["local"], found["snap"] = self.local, self.snap
        for i, (name, width) in enumerate(self.grids.items()):
            if (self.index + i) % 2:
                found["attributes"][name]["grid"] = float(width) if "." in width else int(width)
            else:
                found.setdefault("grid", {})[name] = width
        if self.l > 1:
            found["l-diversity"] = self.l
        return found
