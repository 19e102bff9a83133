#!/usr/bin/env python3
"""run_sets.py -- the sets of columns that could be kept, against a second implementation that tries every set and
every node: random small tables, of which a release with all columns is worthless.

    run_sets.py [--cases N] [--seed S] [--only INDEX]
"""
import argparse
import csv
import io
import itertools
import random

import hierarchies as hi
from common import Folder, Suite, anonymize_ok, close, either, expect, expect_equal, need_tool
from oracle import Problem

LEAST, COLUMN_LEAST = 0.25, 0.1  # a set, and a column of it, that keep less are not worth naming


class Table:
    """Five to seven columns and rows enough for two of them: numbers in ranges, and codes that are masked."""

    def __init__(self, rng):
        rows, self.k = rng.randint(25, 60), rng.randint(4, 8)
        self.names = ["c%d" % i for i in range(rng.randint(5, 7))]
        self.columns, self.hierarchies, self.options, self.weights = [], [], [], None
        for name in self.names:
            if rng.random() < 0.5:
                most = rng.choice((9, 30, 80))
                column = [str(rng.randint(0, most)) for _ in range(rows)]
                self.hierarchies.append(hi.from_range(sorted(set(column)), None, [10, 50]))
                self.options += ["--hierarchy", name + "=range:10,50"]
            else:
                letters = rng.choice(("ab", "abc", "abcdef"))
                column = ["".join(rng.choice(letters) for _ in range(rng.choice((1, 2, 2)))).ljust(2, "x") for _ in range(rows)]
                self.hierarchies.append(hi.from_mask(sorted(set(column)), None, "right"))
                self.options += ["--hierarchy", name + "=mask:right"]
            self.columns.append(column)
        if rng.random() < 0.3:
            self.weights = [rng.choice((1, 1, 2, 5)) for _ in self.names]
            for pair in zip(self.names, self.weights):
                self.options += ["--weight", "%s=%d" % pair]
        self.eta = rng.choice((0, 0.05))
        self.options += ["-k", str(self.k), "--suppression", str(self.eta)]

    def text(self):
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([self.names, *zip(*self.columns)])
        return out.getvalue()

    def problem(self):
        return Problem(self.columns, self.hierarchies, self.k, self.eta, weights=self.weights)

    def share(self, kept):
        """Of the weights, that of the columns at these places."""
        weights = self.weights or [1] * len(self.names)
        return sum(weights[i] for i in kept) / sum(weights)


def detail(problem, i, level):
    """What a column keeps at a level when no row is suppressed."""
    alone = Problem([problem.columns[i]], [problem.hierarchies[i]], 1, 0)
    return 1 - alone.node((level,)).metrics()["glm"]


def node_of(table, problem, found):
    levels = list(problem.heights())
    for column in found["columns"]:
        levels[table.names.index(column["name"])] = column["level"]
    return problem.node(tuple(levels))


def check_set(table, problem, found):
    """The release that a set promises is there, and keeps what is said."""
    node = node_of(table, problem, found)
    kept = [table.names.index(column["name"]) for column in found["columns"]]
    expect(node.feasible, "the set %s has no release at its levels" % found["columns"])
    expect_equal(found["suppressed_rows"], node.outlying, "suppressed rows")
    glm = node.metrics()["glm"]
    expect(close(found["kept_of_all"], 1 - glm, 1e-7), "kept of all: %r, expected %r" % (found["kept_of_all"], 1 - glm))
    expect(close(found["kept"], (1 - glm) / table.share(kept), 1e-7), "kept: %r" % found["kept"])
    expect(found["kept"] >= LEAST, "a set that keeps %r" % found["kept"])
    for i, column in zip(kept, found["columns"]):
        expect(close(column["kept"], detail(problem, i, column["level"]), 1e-7), "kept of %s: %r" % (column["name"], column["kept"]))
        expect(column["kept"] >= COLUMN_LEAST, "%s keeps %r" % (column["name"], column["kept"]))


def differ(sets):
    """Each brings a column, or more detail."""
    seen, most = set(), 0
    for found in sets:
        names = {column["name"] for column in found["columns"]}
        expect(names - seen or found["kept"] > most, "a set that brings nothing: %s" % sorted(names))
        seen |= names
        most = max(most, found["kept"])


def best(table, problem):
    """The most that a release without one column or more keeps of all, and that one of a single column keeps of it, when
    columns are kept well or not at all."""
    heights = problem.heights()
    details = {(i, level): detail(problem, i, level) for i, height in enumerate(heights) for level in range(height)}
    levels = [[level for level in range(height + 1) if level == height or details[i, level] >= COLUMN_LEAST]
              for i, height in enumerate(heights)]
    most, alone = 0, 0
    for node in itertools.product(*levels):
        found = problem.node(node)
        if not found.feasible:
            continue
        kept = [i for i, height in enumerate(heights) if node[i] < height]
        if len(kept) == len(heights):
            continue
        share = 1 - found.metrics()["glm"]
        most = max(most, share)
        if len(kept) == 1:
            alone = max(alone, share / table.share(kept))
    return most, alone


def run_case(seed, index, gaps):
    table = Table(random.Random("sets-%s-%d" % (seed, index)))
    problem = table.problem()
    with Folder() as folder:
        path = folder.write("t.csv", table.text())
        options = ["--qi", ",".join(table.names), "--metric", "height", "--algorithm", "datafly", *table.options]
        sets = [anonymize_ok(folder, path, [*options, "--threads", str(threads)])["verdict"] for threads in (1, 3)]
        expect_equal(sets[0]["could_keep"], sets[1]["could_keep"], "sets with one thread and with three")
        verdict = sets[0]
        if not verdict["worthless"]:
            expect_equal(verdict["could_keep"], [], "sets of a release that is not worthless")
            return
        most, alone = best(table, problem)
        for found in verdict["could_keep"]:
            check_set(table, problem, found)
            expect(found["kept_of_all"] <= most + 1e-9, "a set keeps %r, but at most %r is possible" % (found["kept_of_all"], most))
        differ(verdict["could_keep"])
        if not verdict["could_keep"]:
            expect(alone < LEAST, "no set, but %r of a column could be kept" % alone)
            return
        gaps.append(most - verdict["could_keep"][0]["kept_of_all"])
        applied = verdict["could_keep"][-1]
        names = [column["name"] for column in applied["columns"]]
        kept = ["--qi", ",".join(names), "--others", "drop", "--metric", "glm", "--algorithm", "exhaustive"]
        for i, name in enumerate(table.names):  # the options of the columns that stay
            if name in names:
                kept += ["--hierarchy", table.options[2 * i + 1]]
                kept += ["--weight", "%s=%d" % (name, table.weights[i])] if table.weights else []
        report = anonymize_ok(folder, path, [*kept, *table.options[-4:]], out="again.csv", report="again.json")
        expect(report["verdict"]["kept"] >= applied["kept"] - 1e-7, "keeping %s leaves %r, promised were %r" % (
            names, report["verdict"]["kept"], applied["kept"]))


def judge(gaps):
    """It is no exact search, but it is near."""
    expect(len(gaps) >= 5, "only %d tables had sets" % len(gaps))
    exact = sum(gap < 1e-9 for gap in gaps)
    print("# %d tables, the best set found in %d, greatest gap %.3f" % (len(gaps), exact, max(gaps)))
    expect(exact >= 0.8 * len(gaps), "the best set was found in %d of %d tables" % (exact, len(gaps)))
    expect(max(gaps) < 0.05, "a set that keeps %.3f less than the best" % max(gaps))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(15, 150))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    suite, gaps = Suite(), []
    suite.check("the tool is there", need_tool)
    for index in range(options.cases) if options.only is None else [options.only]:
        suite.check("case %d" % index, run_case, options.seed, index, gaps)
    if options.only is None:
        suite.check("sets are near the best", judge, gaps)
    suite.end()


if __name__ == "__main__":
    main()
