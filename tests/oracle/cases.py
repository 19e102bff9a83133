"""cases.py -- random small jobs: a table, a hierarchy for each quasi-identifier, settings.

A case is made from a seed and an index alone, so it can be made again. Every table has a column `rid`
with a different value in each row: it tells which released row is which.
"""
import csv
import datetime
import io
import json
import os
import random
from fractions import Fraction

import hierarchies as hi
from oracle import DEFAULT_MISSING, Problem, Table

METRIC_CHOICES = ("log", "precision", "dm", "glm", "gcp", "cm", "entropy", "height", "total_il")
OWN_METRIC = {"auto": "glm", "exhaustive": "glm", "optimal": "glm"}  # the others minimise log unless told
KINDS = ("file", "file", "file", "range", "range", "x10", "mask", "date", "order", "auto", "range-auto",
         "place")
NODES_MOST = 360

WORDS = ["ash", "birch", "cedar", "elm", "fir", "oak", "pine", "yew", "Zürich", "x y", "a;b", "c,d"]
NOTES = ["", "plain", "with, comma", 'a "quoted" word', "two\nlines", "semi;colon", "naïve", " blanks "]


class Quasi:
    """One quasi-identifier of a case."""

    def __init__(self, name, kind, cells):
        self.name, self.kind, self.cells = name, kind, cells
        self.spec = None     # as on the command line
        self.setting = None  # as in a config file
        self.type = None     # declared type
        self.file = None     # (name, text) of a hierarchy file
        self.make = None     # (values, missing, tokens) -> Hierarchy; None: taken from the tool


class Case:
    """Everything that a run needs; write() puts it into a folder."""

    def __init__(self, seed, index):
        rng = self.rng = random.Random("%s-%s" % (seed, index))
        self.seed, self.index = seed, index
        self.tokens = DEFAULT_MISSING if rng.random() < 0.85 else ("", "-", "none")
        self.n = rng.choice([0, 1, 2, 3, 5, 8]) if rng.random() < 0.2 else rng.randint(4, 60)
        self.with_missing = rng.random() < 0.5
        self.crlf = rng.random() < 0.2
        self.delimiter = rng.choice([",", ",", ";", "\t", "|"])
        self.quasi = self.some_quasi(rng.randint(1, 5))
        self.settings()
        self.columns()
        self.weights = self.some_weights(random.Random("%s-%s-weights" % (seed, index)))
        self.limits = self.some_limits(random.Random("%s-%s-limits" % (seed, index)))

    def settings(self):
        rng = self.rng
        self.k = rng.choice([1, 2, 2, 2, 3, 3, 4, 5, 6])
        self.eta = rng.choice([0, 0, 0.01, 0.05, 0.1, 0.15, 0.2, 0.29, 0.3, 0.35, 0.5])
        self.suppressed = rng.choice(["drop", "drop", "mask"])
        self.identifiers = rng.choice(["mask", "mask", "drop"])
        self.metric = rng.choice(METRIC_CHOICES)
        self.algorithm = rng.choice(["exhaustive"] * 7 + ["ola", "incognito"] * 2
                                    + ["samarati", "datafly", "auto", "kgen", "random"])
        self.keep_order = rng.random() < 0.3
        self.threads = rng.choice([1, 1, 2])
        self.params = {}
        if self.algorithm == "exhaustive" and rng.random() < 0.2:
            self.params["prune"] = "off"

    def some_weights(self, rng):
        """Per quasi-identifier, as text, and whether it stands with the column or apart; {}: none is given."""
        if rng.random() < 0.65:
            return {}
        found = {}
        for quasi in rng.sample(self.quasi, rng.randint(1, len(self.quasi))):
            found[quasi.name] = (rng.choice(["0", "0.5", "1", "2", "3.25", "10", "0.01"]), rng.random() < 0.5)
        if len(found) == len(self.quasi) and all(text == "0" for text, _ in found.values()):
            found[self.quasi[0].name] = ("1", True)
        return found

    def some_limits(self, rng):
        """Per quasi-identifier: {"level" | "min_level" | "max_level": N}, and whether it stands with the column or
        apart; {}: any level will do. A hierarchy that the tool chooses has at least the levels 0 and 1."""
        if not self.n or rng.random() < 0.6:
            return {}
        found = {}
        for quasi in rng.sample(self.quasi, rng.randint(1, len(self.quasi))):
            height = self.levels_of(quasi) - 1 if quasi.make else 1
            low, high = sorted((rng.randint(0, height), rng.choice([height, height, rng.randint(0, height)])))
            given = {"level": low} if rng.random() < 0.25 else {"min_level": low, "max_level": high}
            if "level" not in given and rng.random() < 0.5:
                given.pop(rng.choice(list(given)))
            found[quasi.name] = (given, rng.random() < 0.5)
        return found

    def allowed_levels(self, name, height):
        given = self.limits.get(name, ({}, True))[0]
        if "level" in given:
            return given["level"], given["level"]
        return given.get("min_level", 0), given.get("max_level", height)

    def columns(self):
        """The other columns, and the order in which all of them stand in the file."""
        rng, n = self.rng, self.n
        self.cells = {"rid": ["r%d" % i for i in range(n)]}
        self.roles = {}
        if rng.random() < 0.7:
            some = rng.sample(["flu", "cold", "asthma", "none at all"], rng.randint(1, 4))
            if self.with_missing and rng.random() < 0.3:
                some.append(self.tokens[1])
            self.cells["illness"] = [rng.choice(some) for _ in range(n)]
            self.roles["illness"] = "sensitive"
        self.label = "illness" if "illness" in self.cells else None
        if rng.random() < 0.2:
            self.cells["class"] = [rng.choice(["yes", "no", "no"]) for _ in range(n)]
            self.roles["class"] = "sensitive"
            self.label = "class"
        if rng.random() < 0.5:
            self.cells["name"] = ["Person %d" % rng.randint(1, 99) for _ in range(n)]
            self.roles["name"] = "identifier"
        if rng.random() < 0.5:
            self.cells["note"] = [rng.choice(NOTES) for _ in range(n)]
        for quasi in self.quasi:
            self.cells[quasi.name] = quasi.cells
            self.roles[quasi.name] = "quasi"
        self.header = list(self.cells)
        rng.shuffle(self.header)
        self.quasi.sort(key=lambda quasi: self.header.index(quasi.name))

    # --- quasi-identifiers ---------------------------------------------------------------------

    def some_quasi(self, count):
        """At least one; more while the lattice stays small enough to be looked at node by node."""
        found, nodes = [], 1
        for index in range(count):
            quasi = getattr(self, "quasi_" + self.rng.choice(KINDS).replace("-", "_"))("q%d" % index)
            size = self.levels_of(quasi)
            if found and nodes * size > NODES_MOST:
                break
            nodes *= size
            found.append(quasi)
        return found

    def levels_of(self, quasi):
        if quasi.make is None:
            return 6
        values = list(dict.fromkeys(c for c in quasi.cells if c not in self.tokens))
        return quasi.make(values, None, self.tokens).height + 1

    def draw(self, domain):
        """A column: uneven frequencies, now and then missing."""
        rng = self.rng
        weights = [rng.choice([1, 1, 2, 5]) for _ in domain]
        cells = rng.choices(domain, weights, k=self.n)
        if self.with_missing and rng.random() < 0.7:
            tokens = rng.sample(self.tokens, rng.randint(1, len(self.tokens)))
            share = rng.choice([0.05, 0.2, 0.5])
            cells = [rng.choice(tokens) if rng.random() < share else cell for cell in cells]
        return cells

    def quasi_file(self, name):
        rng = self.rng
        if rng.random() < 0.3:
            domain = sorted({str(rng.randint(-20, 99)) for _ in range(rng.randint(1, 9))}, key=int)
        else:
            domain = rng.sample(WORDS, rng.randint(1, 9))
        quasi = Quasi(name, "file", self.draw(domain[:rng.randint(1, len(domain))]))
        rows = self.tree(domain)
        if self.with_missing and rng.random() < 0.3:  # one line speaks for all spellings
            rows.append([rng.choice(self.tokens)] + rng.choice(rows)[1:])
        rng.shuffle(rows)
        delimiter = rng.choice([";", ";", ",", "\t"])
        quoting = csv.QUOTE_MINIMAL if delimiter == ";" else csv.QUOTE_ALL
        quasi.file = ("%s-levels.csv" % name, text_of(rows, delimiter, "\n", quoting))
        quasi.setting = {"file": quasi.file[0]}
        if rng.random() < 0.15:
            quasi.type = "string"
        numeric = False if quasi.type else None
        quasi.make = lambda values, missing, tokens: hi.from_rows(rows, values, missing, tokens,
                                                                  numeric=numeric)
        return quasi

    def tree(self, domain):
        """Level lists of a random tree: groups join upwards, some stand still (padded)."""
        rng = self.rng
        groups = [[value] for value in domain]
        label = {value: value for value in domain}
        rows = {value: [value] for value in domain}
        for level in range(1, rng.randint(1, 4)):
            joined = []
            for group in groups:
                if joined and rng.random() < 0.5:
                    joined[rng.randrange(len(joined))].extend(group)
                else:
                    joined.append(list(group))
            for number, group in enumerate(joined):
                still = group in groups and rng.random() < 0.6
                for value in group:
                    label[value] = label[value] if still else "L%d group %d" % (level, number)
                    rows[value].append(label[value])
            groups = joined
        root = rng.choice(["*", "*", "anything"])
        return [rows[value] + [root] for value in domain]

    def quasi_range(self, name):
        rng = self.rng
        if rng.random() < 0.3:
            domain = ["%.*f" % (rng.randint(1, 2), rng.uniform(-5, 20)) for _ in range(8)] + ["2.75"]
            widths = rng.choice([["0.5", "1", "5"], ["2", "10"], ["0.25", "2.5"], ["5"]])
            quasi = Quasi(name, "range", self.draw(domain))
            if self.n and not any(c == "2.75" for c in quasi.cells):
                quasi.cells[0] = "2.75"  # so that the column certainly has decimals
        else:
            low, high = rng.choice([(0, 99), (-30, 30), (18, 40), (0, 2000), (7, 7)])
            domain = [str(rng.randint(low, high)) for _ in range(rng.randint(1, 12))]
            widths = rng.choice([["5", "10", "50"], ["2", "4"], ["10"], ["3", "15", "60"], ["5", "100"]])
            quasi = Quasi(name, "range", self.draw(domain))
        numbers = sorted(Fraction(text) for text in domain)
        codes = {"top": rng.choice([None, None, numbers[-1], numbers[-1] + 3]),
                 "bottom": rng.choice([None, None, numbers[0], numbers[0] + 1])}
        if None not in codes.values() and codes["bottom"] >= codes["top"]:
            codes["bottom"] = None
        words = ["%s=%s" % (name, ("%.2f" % end).rstrip("0").rstrip(".")) for name, end in codes.items() if end is not None]
        quasi.spec = "range:" + ",".join(widths + words)
        quasi.setting = {"range": [float(w) if "." in w else int(w) for w in widths] + words}
        quasi.make = lambda values, missing, tokens: hi.from_range(values, missing, widths, codes["bottom"], codes["top"])
        return quasi

    def quasi_x10(self, name):
        rng = self.rng
        high = rng.choice([9, 10, 99, 100, 12345])
        quasi = Quasi(name, "x10", self.draw([str(rng.randint(0, high)) for _ in range(8)]))
        quasi.spec, quasi.setting = "range:x10", {"range": "x10"}
        quasi.make = lambda values, missing, tokens: hi.from_x10(values, missing)
        return quasi

    def quasi_mask(self, name):
        rng = self.rng
        longest, alphabet = rng.randint(1, 4), rng.choice(["12", "01289", "abé"])
        same = rng.random() < 0.5
        domain = ["".join(rng.choice(alphabet) for _ in range(longest if same else
                                                              rng.randint(1, longest)))
                  for _ in range(rng.randint(1, 10))]
        quasi = Quasi(name, "mask", self.draw(domain))
        side = rng.choice(["right", "right", "left"])
        quasi.spec, quasi.setting = "mask:" + side, {"mask": side}
        quasi.make = lambda values, missing, tokens: hi.from_mask(values, missing, side)
        return quasi

    def quasi_date(self, name):
        rng = self.rng
        form = rng.choice(list(hi.DATE_FORMATS))
        first = datetime.date(rng.choice([1968, 1999, 2019]), 10, 20)
        span = rng.choice([40, 400, 8000])
        days = [first + datetime.timedelta(days=rng.randint(0, span)) for _ in range(10)]
        domain = [day.strftime(hi.DATE_FORMATS[form]) for day in days]
        quasi = Quasi(name, "date", self.draw(domain))
        if form == "mdy/" and self.n:
            quasi.cells[0] = "12/31/1999"  # tells month from day
        units = rng.choice([["month", "year"], ["month", "quarter", "year", "decade"], ["year"],
                            ["quarter", "decade"], ["week"], ["month", "year", "decade"],
                            ["month", "century"]])
        if form == "ymd-" and rng.random() < 0.4:
            quasi.cells = [cell if cell in self.tokens else cell + rng.choice(["T08:15", " 17:30:00"])
                           for cell in quasi.cells]
            units = ["day"] + (units if units != ["week"] else ["year"])
        quasi.spec, quasi.setting = "date:" + ",".join(units), {"date": units}
        quasi.make = lambda values, missing, tokens: hi.from_date(values, missing, units, form)
        return quasi

    def quasi_order(self, name):
        rng = self.rng
        if rng.random() < 0.5:
            domain = [str(rng.randint(0, 50)) for _ in range(rng.randint(1, 9))]
        else:
            domain = rng.sample(WORDS, rng.randint(1, 9))
        quasi = Quasi(name, "order", self.draw(domain))
        quasi.spec = rng.choice(["order", "order:2", "order:3"])
        return quasi

    def quasi_auto(self, name):
        rng = self.rng
        domain = rng.choice([
            [str(rng.randint(0, 99)) for _ in range(9)],
            rng.sample(WORDS, 7),
            ["%04d" % rng.randint(0, 9999) for _ in range(6)],
            ["19%02d-0%d-1%d" % (rng.randint(60, 99), rng.randint(1, 9), rng.randint(0, 9))
             for _ in range(7)],
        ])
        quasi = Quasi(name, "auto", self.draw(domain))
        quasi.spec = "auto"
        return quasi

    def quasi_range_auto(self, name):
        rng = self.rng
        low, high = rng.choice([(0, 5), (0, 40), (3, 700), (-20, 20), (-9, -2)])
        domain = [str(rng.randint(low, high)) for _ in range(9)]
        if rng.random() < 0.3:
            domain = ["%.1f" % rng.uniform(low, high) for _ in range(9)]
        quasi = Quasi(name, "range", self.draw(domain))
        quasi.spec = "range"
        return quasi

    def quasi_place(self, name):
        """A place table: a header, further columns, places that the table does not hold."""
        rng = self.rng
        domain = rng.sample(["Norhaven", "Eskvik", "Øster", "Ulm", "Bern", "Wil"], rng.randint(1, 6))
        rows = self.tree(domain)
        quasi = Quasi(name, "place", self.draw(domain[:rng.randint(1, len(domain))]))
        names = ["place"] + ["area%d" % level for level in range(1, len(rows[0]) - 1)]
        quasi.file = ("%s-places.csv" % name, text_of([names] + [row[:-1] for row in rows], ";", "\n"))
        quasi.setting = {"place": quasi.file[0]}
        known = {row[0]: row[:-1] + ["*"] for row in rows}
        quasi.make = lambda values, missing, tokens: hi.from_rows(
            [known[value] for value in values] or [[""] * (len(rows[0]) - 1) + ["*"]], values, missing,
            tokens, "place", False)
        return quasi

    # --- files ---------------------------------------------------------------------------------

    def table_text(self):
        rows = [self.header] + [list(row) for row in zip(*[self.cells[c] for c in self.header])]
        return text_of(rows, self.delimiter, "\r\n" if self.crlf else "\n")

    def attributes(self):
        found = {}
        for name in self.header:
            role = self.roles.get(name, "insensitive")
            if role != "insensitive" or self.index % 2:  # else they have none, and `others` keeps them
                found[name] = {"role": role}
        for quasi in self.quasi:
            entry = found[quasi.name]
            if quasi.setting is not None:
                entry["hierarchy"] = quasi.setting
            elif quasi.spec != "auto":
                entry["hierarchy"] = quasi.spec
            if quasi.type:
                entry["type"] = quasi.type
        for name, (text, inside) in self.weights.items():
            if inside:
                found[name]["weight"] = text
        for name, (given, inside) in self.limits.items():
            if inside:
                found[name].update(given)
        return found

    def config(self):
        """Without what the command line says (algorithm, metric): every test adds its own."""
        found = {"k": self.k, "suppression": self.eta, "suppressed": self.suppressed,
                 "identifiers": self.identifiers, "attributes": self.attributes()}
        if self.index % 2 == 0:
            found["others"] = "keep"
        if self.tokens != DEFAULT_MISSING:
            found["missing"] = list(self.tokens)
        if self.label == "class":
            found["label"] = "class"
        apart = {name: text for name, (text, inside) in self.weights.items() if not inside}
        if apart:
            found["weight"] = apart
        for name, (given, inside) in self.limits.items():
            for key, level in given.items():
                if not inside:
                    found.setdefault(key, {})[name] = level
        found["delimiter"] = "tab" if self.delimiter == "\t" else self.delimiter
        return found

    def write(self, folder):
        put(folder, "table.csv", self.table_text())
        put(folder, "config.yaml", json.dumps(self.config(), indent=1))
        for quasi in self.quasi:
            if quasi.file:
                put(folder, *quasi.file)

    def options(self, folder):
        found = ["-c", os.path.join(folder, "config.yaml"), "--algorithm", self.algorithm,
                 "--threads", str(self.threads), "--seed", str(self.index)]
        if self.metric != OWN_METRIC.get(self.algorithm, "log") or self.index % 3 == 0:  # else by default
            found += ["--metric", self.metric]
        if self.index % 4 == 0:
            found += ["--order-key", "%032x" % self.index]
        for key, value in self.params.items():
            found += ["--param", "%s=%s" % (key, value)]
        return found + (["--keep-order"] if self.keep_order else [])

    # --- the answer ----------------------------------------------------------------------------

    def table(self):
        rows = [list(row) for row in zip(*[self.cells[c] for c in self.header])]
        return Table(self.header, rows, self.tokens)

    def problem(self, dumped):
        """dumped: level lists, by column, of the hierarchies that the tool itself chose."""
        table, made = self.table(), []
        for quasi in self.quasi:
            values, missing = table.values(quasi.name), table.missing(quasi.name)
            if quasi.make:
                made.append(quasi.make(values, missing, self.tokens))
            else:
                made.append(self.taken(quasi, values, missing, dumped[quasi.name]))
            made[-1].check()
        label = table.column(self.label) if self.label else None
        columns = [table.leaves(quasi.name) for quasi in self.quasi]
        problem = Problem(columns, made, self.k, self.eta, label, self.exact_weights())
        problem.allowed = [self.allowed_levels(quasi.name, h.height) for quasi, h in zip(self.quasi, made)]
        return problem

    def exact_weights(self):
        """Per quasi-identifier; None where none is given."""
        if not self.weights:
            return None
        return [Fraction(self.weights.get(quasi.name, ("1",))[0]) for quasi in self.quasi]

    def taken(self, quasi, values, missing, rows):
        """A hierarchy that the tool chose: its groups are taken as they are, its numbers are not."""
        if not rows:
            return hi.finish(quasi.kind, [], None, [], False)
        made = hi.from_rows(rows, values, missing, self.tokens, quasi.kind)
        if quasi.kind == "range":
            made.numeric = True
        if made.numeric and not quasi.spec.startswith("order"):
            hi.read_intervals(made)
        return made


def text_of(rows, delimiter, end, quoting=csv.QUOTE_MINIMAL):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return out.getvalue()


def put(folder, name, text):
    with open(os.path.join(folder, name), "wb") as out:
        out.write(text.encode("utf-8"))
