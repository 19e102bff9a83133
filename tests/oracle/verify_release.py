#!/usr/bin/env python3
"""verify_release.py -- does a release keep its word? An outside check that shares no code with the tool.

    verify_release.py ORIGINAL RELEASED REPORT.json --hierarchy COL=SPEC ... [--id LIST]
                      [--delimiter C] [--encoding NAME] [--missing LIST]

SPEC is a hierarchy file (one row per value, column j = level j, separated by ';'), range:5,10,50,
range:x10, mask:right, mask:left or date:month,year. Checked: every class of the released file has at
least k rows; the row counts add up and suppression stays within its limit; applying the reported levels
to the original gives the same rows, as a multiset; identifiers are masked. Exit code 1 if not.
"""
import argparse
import csv
import json
import sys
from collections import Counter

import hierarchies as hi
from common import Failed, expect, expect_equal
from oracle import DEFAULT_MISSING, Problem, read_table, suppression_rows


def build(spec, values, missing, tokens):
    """A hierarchy from its spec, by the definitions."""
    kind, _, rest = spec.partition(":")
    if spec == "range:x10":
        return hi.from_x10(values, missing)
    if kind == "range" and rest:
        return hi.from_range(values, missing, rest.split(","))
    if kind == "mask":
        return hi.from_mask(values, missing, rest or "right")
    if kind == "date" and rest:
        return hi.from_date(values, missing, rest.split(","), date_format(values))
    return hi.from_rows(hi.read_levels(rest if kind == "file" else spec), values, missing, tokens)


def date_format(values):
    for form in hi.DATE_FORMATS:
        try:
            for value in values:
                hi.date_of(value, form)
        except ValueError:
            continue
        return form
    raise Failed("dates of no known form")


class Release:
    """The three files of a run and what is known about the columns."""

    def __init__(self, original, released, report, specs, **settings):
        self.delimiter = settings.get("delimiter") or ","
        self.encoding = settings.get("encoding") or "utf-8"
        tokens = settings.get("tokens") or DEFAULT_MISSING
        self.original = read_table(original, self.delimiter, self.encoding, tokens)
        with open(released, newline="", encoding=self.encoding) as file:
            records = list(csv.reader(file, delimiter=self.delimiter))
        self.header, self.rows = records[0], records[1:]
        self.report, self.specs = report, specs
        self.quasi = report["input"]["quasi"]
        self.k = report["parameters"]["k"]
        told = [c["name"] for c in report.get("columns", []) if c.get("role") == "identifier"]
        self.identifiers = set(settings.get("identifiers") or told)

    def verify(self):
        self.classes()
        self.arithmetic()
        self.masked_identifiers()
        self.same_rows()

    def classes(self):
        index = [self.header.index(name) for name in self.quasi]
        sizes = Counter(tuple(row[i] for i in index) for row in self.rows)
        if sizes:
            smallest = min(sizes.values())
            expect(smallest >= self.k, "a released class has %d rows, k is %d" % (smallest, self.k))
            expect_equal(self.report["solution"]["k"], smallest, "reported k")

    def arithmetic(self):
        solution, n = self.report["solution"], len(self.original.rows)
        expect_equal(self.report["input"]["rows"], n, "reported input rows")
        expect_equal(solution["released_rows"] + solution["suppressed_rows"], n,
                     "released and suppressed rows")
        expect_equal(len(self.rows), solution["released_rows"] + solution.get("masked_rows", 0),
                     "rows of the released file")
        limit = suppression_rows(self.report["parameters"]["suppression"], n)
        expect(solution["suppressed_rows"] <= limit, "%d rows suppressed, at most %d may be"
               % (solution["suppressed_rows"], limit))

    def masked_identifiers(self):
        for name in self.identifiers & set(self.header):
            index = self.header.index(name)
            expect(all(row[index] == "*" for row in self.rows), "identifier %s is not masked" % name)
        expected = [c for c in self.original.header
                    if c in self.header or c not in self.identifiers]
        expect_equal(self.header, expected, "released columns")

    def problem(self):
        table = self.original
        made = [build(self.specs[name], table.values(name), table.missing(name), table.tokens)
                for name in self.quasi]
        return Problem([table.leaves(name) for name in self.quasi], made, self.k, 0)

    def same_rows(self):
        """Applies the reported levels to the original."""
        problem = self.problem()
        solution = self.report["solution"]
        for name, hierarchy in zip(self.quasi, problem.hierarchies):
            expect_equal(solution["heights"][name], hierarchy.height, "height of %s" % name)
        node = problem.node(solution["levels"][name] for name in self.quasi)
        expect_equal(node.outlying, solution["suppressed_rows"], "outlying rows of the reported levels")
        expect_equal(len(node.classes), solution["classes"], "classes of the reported levels")
        masked = solution.get("masked_rows", 0) > 0
        expected = Counter()
        for row, labels in zip(self.original.rows, problem.released_labels(node)):
            if labels is not None or masked:
                expected[self.expected_row(row, labels or ["*"] * len(self.quasi))] += 1
        found = Counter(tuple(row) for row in self.rows)
        lost, new = expected - found, found - expected
        expect(not lost and not new, "%d rows are missing in the release, %d are too many; such as %r, %r"
               % (sum(lost.values()), sum(new.values()), next(iter(lost), None), next(iter(new), None)))

    def expected_row(self, row, labels):
        if None in labels:
            raise Failed("%s: the label of a group is not fixed by the definitions; give a hierarchy file"
                         % self.quasi[labels.index(None)])
        cells = dict(zip(self.original.header, row))
        cells.update(zip(self.quasi, labels))
        cells.update((name, "*") for name in self.identifiers)
        return tuple(cells[name] for name in self.header)


def verify(original, released, report, specs, **settings):
    """Raises Failed. specs: column -> SPEC; report: the JSON as read."""
    Release(original, released, report, specs, **settings).verify()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("original", "released", "report"):
        parser.add_argument(name)
    parser.add_argument("--hierarchy", action="append", default=[], metavar="COL=SPEC")
    parser.add_argument("--id", default="")
    parser.add_argument("--delimiter", default=",")
    parser.add_argument("--encoding", default="utf-8")
    parser.add_argument("--missing", default=",".join(DEFAULT_MISSING))
    options = parser.parse_args()
    with open(options.report, encoding="utf-8") as file:
        report = json.load(file)
    specs = dict(text.split("=", 1) for text in options.hierarchy)
    try:
        verify(options.original, options.released, report, specs, encoding=options.encoding,
               delimiter={"tab": "\t"}.get(options.delimiter, options.delimiter),
               tokens=tuple(options.missing.split(",")),
               identifiers=[name for name in options.id.split(",") if name])
    except Failed as why:
        print("FAIL %s: %s" % (options.released, why))
        sys.exit(1)
    print("ok %s" % options.released)


if __name__ == "__main__":
    main()
