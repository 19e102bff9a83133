#!/usr/bin/env python3
"""verify_local.py -- does a release by local recoding keep its word? An outside check of the two files and the
report that shares no code with the tool.

    verify_local.py ORIGINAL RELEASED REPORT.json --row COLUMN --hierarchy COL=SPEC ... [--grid COL=WIDTH ...]
                    [--id LIST] [--label COL] [--delimiter C] [--encoding NAME] [--missing LIST]

The column --row is insensitive and different in every row: it tells which released row is which. SPEC as in
verify_release.py; --grid as it was given to the tool. Checked: every class of the released file has at least k rows
that read alike; the row counts add up and suppression stays within its limit; every original row lies in its
released box; a class shows exactly the interval, the group or the centre of its rows, widened where that was asked
for; everything else is as it was, identifiers masked; every metric of the report. Exit code 1 if not.
"""
import argparse
import csv
import json
import math
import sys
from collections import Counter
from fractions import Fraction

from common import Failed, close, expect, expect_equal
from local_boxes import Column
from oracle import DEFAULT_MISSING, read_table, suppression_rows
from verify_release import build

CELL_LOSSES = ("glm", "gcp", "total_il")
ABSENT = ("log", "height", "precision")  # local recoding has no levels
ROUNDING = 1e-6                          # of a clusterer's own costs


class Release:
    """original: a Table; records: the released file as lists of cells, header first; hierarchies: per quasi-identifier;
    settings: row, grids (column -> width as text), lowest (column -> level), identifiers, label."""

    def __init__(self, original, records, report, hierarchies, **settings):
        self.original, self.report = original, report
        self.header, self.rows = records[0], records[1:]
        self.quasi, self.n = report["input"]["quasi"], len(original.rows)
        self.k, self.row_name = report["parameters"]["k"], settings["row"]
        self.parameters, self.solution = report["parameters"], report["solution"]
        self.identifiers = set(settings.get("identifiers") or ())
        self.label = settings.get("label")
        grids = settings.get("grids") or {}
        self.columns = [Column(original.leaves(name), hierarchies[name], original.missing(name),
                               self.parameters["local"], self.parameters["snap"], grids.get(name),
                               self.k)
                        for name in self.quasi]
        for name, column in zip(self.quasi, self.columns):
            column.low = (settings.get("lowest") or {}).get(name, 0)
        self.widened = self.parameters["snap"] != "off" or bool(grids) or any(column.low for column in self.columns)
        self.losses = [[[], [], [], []] for _ in self.quasi]  # per column: three losses, bits
        self.literal = 0

    def verify(self):
        self.find_rows()
        self.learn_released()
        self.arithmetic()
        self.unchanged_cells()
        if self.mixed and any(column.chosen for column in self.columns):
            return  # which rows are released, and so where intervals end, cannot be told
        self.boxes()
        self.attributes()
        self.metrics()
        self.risk()
        self.sensitive()
        self.search()

    # --- rows -----------------------------------------------------------------------------------------

    def find_rows(self):
        """Which original row each released row is, and the classes of the file."""
        where = {cell: row for row, cell in enumerate(self.original.column(self.row_name))}
        expect_equal(len(where), self.n, "different values of the row column")
        index = [self.header.index(name) for name in self.quasi]
        at = self.header.index(self.row_name)
        self.cells, self.classes = {}, {}
        for record in self.rows:
            expect_equal(len(record), len(self.header), "fields of a released row")
            expect(record[at] in where, "row %r is not in the original" % record[at])
            row = where[record[at]]
            expect(row not in self.cells, "row %r was released twice" % record[at])
            self.cells[row] = record
            self.classes.setdefault(tuple(record[i] for i in index), []).append(row)
        smallest = min(map(len, self.classes.values()), default=0)
        expect(not self.classes or smallest >= self.k,
               "a released class has %d rows, k is %d" % (smallest, self.k))
        self.set_masked_apart()

    def set_masked_apart(self):
        """Masked rows read like a class that is all `*`, where there is one."""
        star = ("*",) * len(self.quasi)
        stars = len(self.classes.get(star, ()))
        masked = self.solution["masked_rows"]
        expect(masked <= stars, "%d rows are masked, %d read so" % (masked, stars))
        self.mixed = 0 < masked < stars
        if masked and masked == stars:
            del self.classes[star]
        self.sizes = [len(rows) for rows in self.classes.values()]
        if self.mixed:
            self.sizes[list(self.classes).index(star)] -= masked
        self.suppressed = self.n - sum(self.sizes)
        self.exact_classes = not any(size >= 2 * self.k and self.two_in_one(texts)
                                     for texts, size in zip(self.classes, self.sizes))

    def learn_released(self):
        """What follows from the released rows: grids, and the labels of ordered buckets and masks."""
        released = [row for rows in self.classes.values() for row in rows]
        for column in self.columns:
            column.learn_grid(released)
            if self.follows_release(column):
                column.names = {}

    def follows_release(self, column):
        """Do the labels of a column depend on which rows were suppressed?"""
        return self.suppressed and self.parameters["snap"] != "off" and column.hierarchy.from_tool

    def two_in_one(self, texts):
        """Could two classes with different boxes read so? Centres can be equal, and so can the names of groups."""
        return self.parameters["local"] != "interval" or any(map(self.follows_release, self.columns)) or \
            any(text in column.ambiguous() for text, column in zip(texts, self.columns))

    def arithmetic(self):
        solution, n = self.solution, self.n
        expect_equal(self.report["input"]["rows"], n, "reported input rows")
        expect_equal(solution["suppressed_rows"], self.suppressed, "suppressed rows")
        expect_equal(solution["released_rows"], n - self.suppressed, "released rows")
        expect(solution["masked_rows"] in (0, self.suppressed), "some suppressed rows are masked, some are not")
        expect_equal(len(self.rows), solution["released_rows"] + solution["masked_rows"], "rows of the file")
        limit = suppression_rows(self.parameters["suppression"], n)
        expect(self.suppressed <= limit, "%d rows suppressed, at most %d may be" % (self.suppressed, limit))
        expect_equal(solution["classes"], len(self.classes), "classes")
        expect("levels" not in solution, "local recoding has no levels")
        if not solution["masked_rows"]:
            expect_equal(solution["k"], min(self.sizes, default=0), "reported k")
        for name, column in zip(self.quasi, self.columns):
            expect_equal(solution["heights"][name], column.hierarchy.height, "height of %s" % name)

    def unchanged_cells(self):
        """Columns that are no quasi-identifiers, cell by cell."""
        expect_equal(self.header, [name for name in self.original.header
                                   if name in self.header or name not in self.identifiers], "released columns")
        index = {name: i for i, name in enumerate(self.original.header)}
        for row, record in self.cells.items():
            for name, cell in zip(self.header, record):
                if name not in self.quasi:
                    expected = "*" if name in self.identifiers else self.original.rows[row][index[name]]
                    expect_equal(cell, expected, "row %d, column %s" % (row, name))

    # --- boxes ----------------------------------------------------------------------------------------

    def boxes(self):
        """Every class against what its rows must show, and what that lost."""
        for (texts, rows), size in zip(self.classes.items(), self.sizes):
            for i, column in enumerate(self.columns):
                box = column.box(rows)
                if size == len(rows):  # not with masked rows among them
                    allowed = column.texts(box, rows, texts[i])
                    expect(texts[i] in allowed, "column %s, a class of %d rows reads %r, expected %s" % (
                        self.quasi[i], size, texts[i], " or ".join(map(repr, sorted(allowed)))))
                else:
                    box = ("group", column.hierarchy.height, column.leaves[rows[0]])
                if column.local == "interval":
                    for row in rows:
                        expect(column.holds(texts[i], column.leaves[row]), "column %s: %r does not hold %r" % (
                            self.quasi[i], texts[i], column.leaves[row]))
                self.add(i, column, box, rows, size)

    def add(self, i, column, box, rows, size):
        loss = column.loss(box)
        for which in range(3):
            self.losses[i][which].append(float(loss[which]) * size)
        self.literal += float(loss[2]) * (size if column.numeric else 1)
        wide = math.log2(column.stands_for(box))
        if size == len(rows):
            own = Counter(column.leaves[row] for row in rows)
            self.losses[i][3] += [count * (wide - math.log2(column.count[leaf])) for leaf, count in own.items()]

    def suppressed_rows(self):
        """Rows outside the classes; where masked rows read like a class, all of that class instead."""
        inside = set()
        for rows, size in zip(self.classes.values(), self.sizes):
            inside.update(rows if size == len(rows) else ())
        return [row for row in range(self.n) if row not in inside]

    def column_losses(self, i):
        column, lost = self.columns[i], self.suppressed
        mean = [(math.fsum(parts) + lost) / self.n if self.n else 0.0 for parts in self.losses[i][:3]]
        bits = [math.log2(self.n / column.count[column.leaves[row]]) for row in self.suppressed_rows()]
        star = math.fsum(rows * math.log2(self.n / rows) for rows in column.count.values())
        entropy = math.fsum(self.losses[i][3] + bits) / star if star else 0.0
        return dict(zip(CELL_LOSSES, mean), entropy=entropy)

    # --- figures --------------------------------------------------------------------------------------

    def same(self, found, expected, what):
        """Two classes that read alike are one class of the file, perhaps with a larger box than each had."""
        expect(found is not None and (close(found, expected)
                                      or not self.exact_classes and found <= expected + ROUNDING),
               "%s: found %r, expected %r" % (what, found, expected))

    def attributes(self):
        self.per_column = [self.column_losses(i) for i in range(len(self.quasi))]
        told = {entry["name"]: entry for entry in self.report["attributes"]}
        for name, column, losses in zip(self.quasi, self.columns, self.per_column):
            for key, value in losses.items():
                self.same(told[name][key], value, "attribute %s: %s" % (name, key))
            shown = {texts[self.quasi.index(name)] for texts in self.classes}
            entry = next(c for c in self.report["columns"] if c["name"] == name)
            expect_equal(entry["values_after"], len(shown), "values_after of %s" % name)
            example = told[name]["example"]
            expect(example is None or example in shown, "example of %s is not in the release" % name)
            expect(example is None or self.widened, "an exact interval of %s is an example" % name)

    def weighted(self, key):
        weights = self.parameters.get("weights") or dict.fromkeys(self.quasi, 1)
        return sum(weights[name] * losses[key] for name, losses in zip(self.quasi, self.per_column)) \
            / sum(weights[name] for name in self.quasi)

    def metrics(self):
        found, n, m, lost = self.report["metrics"], self.n, len(self.quasi), self.suppressed
        for name in ABSENT:
            expect(name not in found, "local recoding has no %s" % name)
        for key in CELL_LOSSES + ("entropy",):
            self.same(found[key], self.weighted(key), key)
        self.same(found["glm_sum"], sum(losses["glm"] * n for losses in self.per_column), "glm_sum")
        if self.exact_classes:
            self.same(found["total_il_literal"], (self.literal + lost * m) / (n * m) if n else 0,
                      "total_il_literal")
        for key, value in (("los", Fraction(lost, max(n, 1))),
                           ("dm", sum(size * size for size in self.sizes) + lost * n),
                           ("c_avg", Fraction(n, len(self.classes) * self.k) if self.classes else 0)):
            expect(close(found[key], float(value)), "%s: found %r, expected %r" % (key, found[key], float(value)))
        if not self.mixed:
            cm = (lost + self.off_majority()) / n if n else 0
            expect(close(found["cm"], cm), "cm: found %r, expected %r" % (found["cm"], cm))

    def off_majority(self):
        if self.label is None:
            return 0
        labels = self.original.leaves(self.label)
        return sum(len(rows) - max(Counter(labels[row] for row in rows).values())
                   for rows in self.classes.values())

    def risk(self):
        found, released = self.report["risk"], sum(self.sizes)
        share = lambda most: sum(size for size in self.sizes if size < most) / released if released else 0
        expected = {"prosecutor_mean": len(self.sizes) / released if released else 0,
                    "uniques": self.sizes.count(1), "below_2": share(2), "below_5": share(5),
                    "below_10": share(10), "rows": released, "classes": len(self.sizes),
                    "smallest_class": min(self.sizes, default=0), "largest_class": max(self.sizes, default=0)}
        if not self.solution["masked_rows"] and self.sizes:
            expected["prosecutor_max"] = 1 / min(self.sizes)
        for key, value in expected.items():
            expect(close(found[key], value), "risk.%s: found %r, expected %r" % (key, found[key], value))
        expect_equal(sum(bucket["classes"] for bucket in self.report["class_sizes"]), len(self.sizes),
                     "classes by size")
        before = Counter(zip(*[column.leaves for column in self.columns]))
        expect_equal(found["before"]["classes"], len(before), "classes before")
        expect_equal(self.report["input"]["distinct_tuples"], len(before), "distinct tuples")

    def sensitive(self):
        """Least number of different values in a class, and rows in classes with one."""
        for told in self.report["sensitive"] if not self.mixed else ():
            cells = self.original.leaves(told["name"])
            kinds = [(len({cells[row] for row in rows}), len(rows)) for rows in self.classes.values()]
            expect_equal(told["l"], min((kind for kind, _ in kinds), default=0), "l of %s" % told["name"])
            expect_equal(told["homogeneous_rows"], sum(rows for kind, rows in kinds if kind == 1),
                         "homogeneous rows of %s" % told["name"])

    def search(self):
        """What the clusterer says of itself: loss, bound, and the curve of losses."""
        search = self.report["search"]
        loss = self.report["metrics"][self.parameters["metric"]]
        expect(close(search["loss"], loss), "search.loss %r, %s is %r" % (
            search["loss"], self.parameters["metric"], loss))
        if search["lower_bound"] is not None:
            expect(search["lower_bound"] <= loss + ROUNDING, "lower bound %r above the loss %r" % (
                search["lower_bound"], loss))
            expect(abs(search["gap"] - (loss - search["lower_bound"])) <= 1e-9, "gap %r" % search["gap"])
        curve = search["curve"]
        for one, two in zip(curve, curve[1:]):
            expect(two["loss"] < one["loss"] and two["seconds"] >= one["seconds"]
                   and two["evaluations"] >= one["evaluations"], "the curve goes from %r to %r" % (one, two))
        if curve and not self.widened:
            expect(abs(curve[-1]["loss"] - loss) <= ROUNDING, "the curve ends at %r, the loss is %r" % (
                curve[-1]["loss"], loss))


def read_records(path, delimiter, encoding="utf-8"):
    with open(path, newline="", encoding=encoding) as file:
        return list(csv.reader(file, delimiter=delimiter))


def verify(original, released, report, hierarchies, **settings):
    """Raises Failed. original: a Table; released: a path; hierarchies: column -> Hierarchy."""
    records = read_records(released, settings.get("delimiter") or ",", settings.get("encoding") or "utf-8")
    understand = settings.get("understand")
    if understand:
        records = [[understand(cell) for cell in record] for record in records]
    release = Release(original, records, report, hierarchies, **settings)
    release.verify()
    return release


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("original", "released", "report"):
        parser.add_argument(name)
    parser.add_argument("--row", required=True)
    for name in ("--hierarchy", "--grid"):
        parser.add_argument(name, action="append", default=[], metavar="COL=VALUE")
    for name in ("--id", "--label"):
        parser.add_argument(name, default="")
    parser.add_argument("--delimiter", default=",")
    parser.add_argument("--encoding", default="utf-8")
    parser.add_argument("--missing", default=",".join(DEFAULT_MISSING))
    options = parser.parse_args()
    delimiter = {"tab": "\t"}.get(options.delimiter, options.delimiter)
    with open(options.report, encoding="utf-8") as file:
        report = json.load(file)
    try:
        table = read_table(options.original, delimiter, options.encoding, tuple(options.missing.split(",")))
        made = {name: build(spec, table.values(name), table.missing(name), table.tokens)
                for name, spec in (text.split("=", 1) for text in options.hierarchy)}
        label = options.label or next((entry["name"] for entry in report["sensitive"]), None)
        verify(table, options.released, report, made, row=options.row, label=label, delimiter=delimiter,
               encoding=options.encoding, grids=dict(text.split("=", 1) for text in options.grid),
               identifiers=[name for name in options.id.split(",") if name])
    except Failed as why:
        print("FAIL %s: %s" % (options.released, why))
        sys.exit(1)
    print("ok %s" % options.released)


if __name__ == "__main__":
    main()
