#!/usr/bin/env python3
"""run_papers.py -- the worked examples of the KGEN paper, through the tool.

Age, postcode and gender of four people (its Tables 1 to 4), the lattice of its Fig. 1, its two precision
values, its accuracy, and the three rows of its Section 7.
"""
import csv
import itertools

import compare
from common import (Folder, Skip, Suite, anonymize_ok, close, expect, expect_equal, kanon, need_tool,
                    node_dump, run)
from hierarchies import read_levels
from oracle import Problem, accuracy, mean_accuracy, read_table
from verify_release import build, verify

TABLE_1 = """Name,Age,Gender,Postcode,Crime
Alice,24,F,80015,Assault
Max,28,M,80019,Kidnapping
Laurel,42,F,85073,Homicide
Frank,49,M,85071,Rape
"""
TABLE_2 = [["*", "20-29", "P", "8001*", "Assault"], ["*", "20-29", "P", "8001*", "Kidnapping"],
           ["*", "40-49", "P", "8507*", "Homicide"], ["*", "40-49", "P", "8507*", "Rape"]]
TABLE_8 = """Age,Postcode,Gender
24,80015,F
28,80019,M
42,85073,F
"""
GENDER = "F;P\nM;P\n"
POSTCODE_4 = "".join("%s;%s*;%s**;%s***;*\n" % (c, c[:4], c[:3], c[:2])
                     for c in ("80015", "80019", "85071", "85073"))
QUASI = ("Age", "Postcode", "Gender")


class Example:
    """A folder with a table, and the options for it."""

    def __init__(self, folder, text, heights_of_figure=False):
        self.folder = folder
        self.table = folder.write("table.csv", text)
        self.specs = {"Age": "range:5,10,50", "Postcode": "mask:right",
                      "Gender": folder.write("gender.csv", GENDER)}
        if heights_of_figure:  # 3, 4, 1
            self.specs["Age"] = "range:5,10"
            self.specs["Postcode"] = folder.write("postcode.csv", POSTCODE_4)

    def options(self, k=2, suppression=0, extra=()):
        found = ["--qi", ",".join(QUASI), "-k", k, "--suppression", suppression]
        for name, spec in self.specs.items():
            found += ["--hierarchy", "%s=%s" % (name, spec)]
        return found + list(extra)

    def release(self, *extra, **settings):
        return anonymize_ok(self.folder, self.table, self.options(extra=extra, **settings))

    def problem(self, quasi, k, eta):
        table = read_table(self.table)
        made = [build(self.specs[name], table.values(name), table.missing(name), table.tokens)
                for name in quasi]
        return Problem([table.leaves(name) for name in quasi], made, k, eta)

    def nodes(self, k, eta):
        """levels by column -> the line of node_dump."""
        helper = node_dump()
        if not helper:
            raise Skip("node_dump was not built")
        lines = ["k: %d" % k, "suppression: %s" % eta, "attributes:"]
        lines += ["  %s: {role: quasi, hierarchy: '%s'}" % item for item in self.specs.items()]
        config = self.folder.write("config.yaml", "\n".join(lines) + "\n")
        done = run([helper, config, self.table])
        expect(done.code == 0, "node_dump: " + done.line())
        text = done.out.decode("utf-8").splitlines()
        order = [name for name in read_table(self.table).header if name in QUASI]
        found = {}
        compare.node_lines(done.out.decode("utf-8"), self.problem(order, k, eta))
        for line in text[1:]:
            entry = dict(zip(text[0].split("\t"), line.split("\t")))
            levels = dict(zip(order, map(int, entry["levels"].split(","))))
            found[tuple(levels[name] for name in QUASI)] = entry
        return found


def tables_1_and_2():
    """The lowest 2-anonymous node of Table 1 gives Table 2; its ends of ranges are ours (20-29)."""
    with Folder() as folder:
        example = Example(folder, TABLE_1)
        extra = ("--id", "Name", "--sensitive", "Crime", "--algorithm", "exhaustive", "--keep-order")
        report = example.release(*extra, "--metric", "height", "--intervals", "dash")
        expect_equal([report["solution"]["levels"][name] for name in QUASI], [2, 1, 1], "levels")
        with open(folder.file("out.csv"), newline="", encoding="utf-8") as file:
            expect_equal(list(csv.reader(file))[1:], TABLE_2, "Table 2")
        report = example.release(*extra, "--metric", "log")
        verify(example.table, folder.file("out.csv"), report, example.specs)
        expect(report["solution"]["k"] >= 2, "2-anonymous")
        expect_equal([report["solution"]["levels"][name] for name in QUASI], [3, 4, 0], "least LOG")


def table_2_node():
    with Folder() as folder:
        node = Example(folder, TABLE_1).nodes(2, 0)[2, 1, 1]
        expect_equal((node["feasible"], node["outlying"], node["classes"]), ("1", "0", "2"),
                     "node 2,1,1: feasible, outlying, classes")


def table_3():
    with Folder() as folder:
        report = Example(folder, TABLE_1).release("--algorithm", "exhaustive")
        expect_equal([report["search"]["bounds"][name] for name in QUASI], [2, 1, 0], "bounds")


def table_4():
    """Which rows share each generalized value."""
    shared = {
        "Age": [[[1], [2], [3], [4]], [[1], [2], [3], [4]], [[1, 2], [3, 4]], [[1, 2, 3, 4]],
                [[1, 2, 3, 4]]],
        "Postcode": [[[1], [2], [3], [4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]],
                     [[1, 2, 3, 4]], [[1, 2, 3, 4]]],
    }
    with Folder() as folder:
        example = Example(folder, TABLE_1)
        table = read_table(example.table)
        for name, expected in shared.items():
            path = folder.file(name + ".csv")
            done = kanon("hierarchy", "build", example.table, "--column", name, "--hierarchy",
                         example.specs[name], "-o", path)
            expect(done.code == 0, "hierarchy build: " + done.line())
            rows = {row[0]: row for row in read_levels(path)}
            expect_equal(len(rows["24" if name == "Age" else "80015"]), len(expected), "levels of " + name)
            for level, groups in enumerate(expected):
                found = {}
                for number, value in enumerate(table.column(name), 1):
                    found.setdefault(rows[value][level], []).append(number)
                expect_equal(sorted(found.values()), groups, "%s, LOG %d" % (name, level))


def figure_1():
    with Folder() as folder:
        report = Example(folder, TABLE_1, heights_of_figure=True).release("--algorithm", "exhaustive")
        expect_equal([report["solution"]["heights"][name] for name in QUASI], [3, 4, 1], "heights")
        expect_equal(sum(report["solution"]["heights"].values()), 8, "height of the lattice")
        expect_equal(report["search"]["lattice_nodes"], 40, "nodes")


def precision():
    """Two people who need one step of age, two who need gender: LOG of nodes 1,0,0 and 0,0,1."""
    pairs = {(1, 0, 0): ("21,80015,F\n23,80015,F\n", 1 / 9, 0.11),
             (0, 0, 1): ("24,80015,F\n24,80015,M\n", 1 / 3, 0.33)}
    for levels, (rows, exact, printed) in pairs.items():
        with Folder() as folder:
            example = Example(folder, "Age,Postcode,Gender\n" + rows, heights_of_figure=True)
            report = example.release("--algorithm", "exhaustive", "--metric", "log")
            expect_equal(tuple(report["solution"]["levels"][name] for name in QUASI), levels, "levels")
            expect(close(report["metrics"]["log"], exact), "LOG %r" % report["metrics"]["log"])
            expect_equal(round(report["metrics"]["log"], 2), printed, "as printed")


def precision_of_nodes():
    with Folder() as folder:
        nodes = Example(folder, TABLE_1, heights_of_figure=True).nodes(2, 0)
        expect_equal(len(nodes), 40, "nodes")
        expect(close(float(nodes[1, 0, 0]["log"]), 1 / 9), "LOG of 1,0,0")
        expect(close(float(nodes[0, 0, 1]["log"]), 1 / 3), "LOG of 0,0,1")


def accuracy_equations():
    """Equations 4 and 5: the optimum has 1, the top of the lattice 0; kgen lies between."""
    expect_equal([accuracy(h, 4, 8) for h in (4, 5, 6, 8)], [1, 0.75, 0.5, 0], "equation 4")
    expect_equal(mean_accuracy([1, 0], [3, 1]), 0.75, "equation 5")
    with Folder() as folder:
        example = Example(folder, TABLE_1, heights_of_figure=True)
        best = example.release("--algorithm", "exhaustive", "--metric", "height")
        worst = sum(best["solution"]["heights"].values())
        for seed in range(1, 4):
            found = example.release("--algorithm", "kgen", "--metric", "height", "--seed", seed)
            value = accuracy(found["metrics"]["height"], best["metrics"]["height"], worst)
            expect_equal(value, 1, "accuracy of kgen on 40 nodes, seed %d" % seed)
            if found["metrics"].get("accuracy") is not None:
                expect(close(found["metrics"]["accuracy"], value), "reported accuracy")


def table_8():
    """Three rows, k = 2, 35 %: the reduction holds with suppression; <0,0,0> breaks the limit."""
    with Folder() as folder:
        example = Example(folder, TABLE_8)
        report = example.release("--algorithm", "exhaustive", suppression=0.35)
        bounds = [report["search"]["bounds"][name] for name in QUASI]
        expect_equal(bounds, [2, 1, 0], "bounds")
        expect_equal(report["parameters"]["suppression_rows"], 1, "rows that may go")
        problem = example.problem(QUASI, 2, 0.35)
        expect_equal(problem.bounds(), bounds, "bounds by brute force")
        below = [node for node in map(problem.node, problem.lattice())
                 if any(x < b for x, b in zip(node.levels, bounds))]
        expect(below and not any(node.feasible for node in below), "nothing below a bound is feasible")
        expect_equal(problem.node((0, 0, 0)).outlying, 3, "outlying rows of <0,0,0>")
        verify(example.table, folder.file("out.csv"), report, example.specs)


def table_8_nodes():
    with Folder() as folder:
        nodes = Example(folder, TABLE_8).nodes(2, 0.35)
        for levels in itertools.product(range(5), range(6), range(2)):
            if levels[0] < 2 or levels[1] < 1:
                expect_equal(nodes[levels]["feasible"], "0", "node %s" % (levels,))


def main():
    suite = Suite()
    for check in (tables_1_and_2, table_2_node, table_3, table_4, figure_1, precision,
                  precision_of_nodes, accuracy_equations, table_8, table_8_nodes):
        def guarded(check=check):
            need_tool()
            check()
        suite.check("paper-" + check.__name__.replace("_", "-"), guarded)
    suite.end()


if __name__ == "__main__":
    main()
