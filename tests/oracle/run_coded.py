#!/usr/bin/env python3
"""run_coded.py -- numbers that are rounded, top- and bottom-coded, each compared with decimal arithmetic.

Random columns of numbers, with signs, decimals, exponents, blanks and missing cells, under random units and bounds:
every released cell must be what `decimal` makes of the original one (half away from zero, then within the bounds),
all equal numbers must be spelled alike, and the privacy models must hold for the released values, by a count of
this file.

    run_coded.py [--cases N] [--seed S] [--only INDEX]
"""
import argparse
import csv
import random
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal

from common import Folder, Suite, either, expect, expect_equal, kanon

MISSING = ("", "?", "NA")


def number(rng, decimals):
    size = rng.choice([9, 99, 5000, 10 ** 6, 10 ** 12])
    value = Decimal(rng.randint(-size if rng.random() < 0.5 else 0, size)).scaleb(-decimals)
    text = "%.*f" % (decimals, value)
    if rng.random() < 0.05 and value == value.to_integral_value() and value:
        text = "%de0" % value
    return text if rng.random() < 0.9 else " %s" % text


class Case:
    def __init__(self, seed, index):
        rng = self.rng = random.Random("%s-%s-coded" % (seed, index))
        self.n = rng.randint(20, 80)
        decimals = rng.choice([0, 0, 0, 1, 2, 4])
        self.role = rng.choice(["sensitive", "sensitive", "insensitive"])
        self.wage = [rng.choice(MISSING) if rng.random() < 0.1 else number(rng, decimals) for _ in range(self.n)]
        known = [Decimal(cell.strip()) for cell in self.wage if cell not in MISSING] or [Decimal(0)]
        self.round = self.top = self.bottom = None
        if rng.random() < 0.8:
            self.round = Decimal(rng.choice(["1", "2", "5", "10", "25", "1000", "0.5", "0.25", "0.1", "3", "7.5"]))
        if rng.random() < 0.5:
            self.top = rng.choice(known).quantize(Decimal(rng.choice(["1", "0.1"])))
        if rng.random() < 0.5:
            self.bottom = rng.choice(known).quantize(Decimal("1"))
        if self.top is not None and self.bottom is not None and self.bottom >= self.top:
            self.bottom = None
        if (self.round, self.top, self.bottom) == (None,) * 3:
            self.round = Decimal(10)

    def coded(self, cell):
        """What a cell becomes; texts that stay as they are written are those without a coding."""
        if cell in MISSING:
            return cell
        value = exact = Decimal(cell.strip())
        if self.round is not None:
            value = (exact / self.round).quantize(Decimal(1), rounding=ROUND_HALF_UP) * self.round
        if self.top is not None and max(exact, value) >= self.top:
            return self.top
        if self.bottom is not None and min(exact, value) <= self.bottom:
            return self.bottom
        return value if self.round is not None else cell

    def options(self):
        found = ["--qi", "group", "--%s" % self.role, "wage", "--insensitive", "rid", "-k", "2",
                 "--suppression", "0.5", "--keep-order"]
        for name in ("round", "top", "bottom"):
            if getattr(self, name) is not None:
                found += ["--" + name, "wage=%s" % getattr(self, name)]
        if self.role == "sensitive":
            found += ["--l-diversity", "wage=2"]
        return found


def one(seed, index):
    case = Case(seed, index)
    with Folder() as folder:
        rows = [["r%d" % i, str(case.rng.randint(0, 3)), cell] for i, cell in enumerate(case.wage)]
        path = folder.file("t.csv")
        with open(path, "w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows([["rid", "group", "wage"]] + rows)
        done = kanon("anonymize", path, "-o", folder.file("out.csv"), *case.options())
        if done.code == 2:
            return 0
        expect_equal(done.code, 0, "case %d: exit code (%s)" % (index, done.err.decode("utf-8")))
        with open(folder.file("out.csv"), newline="", encoding="utf-8") as back:
            found = list(csv.DictReader(back))
    spelled, classes = defaultdict(set), defaultdict(set)
    for row in found:
        before = case.wage[int(row["rid"][1:])]
        expected, shown = case.coded(before), row["wage"]
        if isinstance(expected, Decimal):
            expect_equal(Decimal(shown), expected, "case %d: %r became" % (index, before))
            spelled[expected].add(shown)
        else:
            expect_equal(shown, expected, "case %d: %r became" % (index, before))
        classes[row["group"]].add("" if shown in MISSING else shown)
    for value, ways in spelled.items():
        expect_equal(len(ways), 1, "case %d: spellings of %s: %s" % (index, value, ways))
    if case.role == "sensitive":
        expect(all(len(values) >= 2 for values in classes.values()), "case %d: a class has one value" % index)
    return len(found)


def all_cases(options):
    released = 0
    for index in range(options.cases) if options.only is None else [options.only]:
        released += one(options.seed, index) > 0
    expect(options.only is not None or released >= options.cases // 2, "%d cases were released" % released)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(60, 400))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, default=None)
    options = parser.parse_args()
    suite = Suite()
    suite.check("coded-numbers (%d cases, seed %s)" % (options.cases, options.seed), all_cases, options)
    suite.end()


if __name__ == "__main__":
    main()
