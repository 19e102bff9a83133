#!/usr/bin/env python3
"""run_pareto.py -- fronts of random small tables, compared with a naive second implementation of the properties
and of dominance: every node is measured row by row in exact fractions.

Per case: the exact front must hold exactly the non-dominated boxes, each with a minimal node whose values are the
oracle's; PBG-EA's points must have the values that they claim, none dominating another; threads change nothing;
the knee must be the nearest point of those that may be one;
and a point that is released must become what the front says. A failing case is left in a folder.

    run_pareto.py [--cases N] [--seed S] [--jobs J] [--only INDEX]
"""
import argparse
import json
import math
import multiprocessing
import os
import random
import shutil
import tempfile
from collections import Counter
from fractions import Fraction

import jsonschema_mini
from cases import Case
from common import KANON, ROOT, Failed, Folder, Suite, close, either, expect, expect_equal, need_tool, run
from oracle import Node
from run_random import chosen_by_tool

NODES_MOST = 1500
RISING = ("k", "l", "s_k", "s_l")
SIDES = {"k": ("1", "2", "5", "0"), "l": ("1", "2", "0"), "glm": ("0.001", "0.05", "0"),
         "glm_sum": ("1", "10", "0"), "cm": ("0.001", "0.1", "0"), "dm": ("1", "100", "0"),
         "log": ("0.001", "0.1", "0"), "los": ("0.001", "0.02", "0"), "s_k": ("1", "50", "0"),
         "s_l": ("1", "20", "0"), "risk": ("0.001", "0.1", "0")}
USUAL = {"k": "1", "l": "1", "glm": "0.001", "glm_sum": "1", "cm": "0.001", "dm": "1", "log": "0.001",
         "los": "0.001", "s_k": "1", "s_l": "1", "risk": "0.001"}


class Measured:
    """A node as a release with the largest k that the suppression limit allows."""

    def __init__(self, problem, levels, sensitive):
        sizes = Counter(zip(*[problem.groups[i][x] for i, x in enumerate(levels)]))
        self.k = max((f for f in set(sizes.values())
                      if sum(g for g in sizes.values() if g < f) <= problem.limit), default=0)
        problem.k = self.k
        self.node = Node(problem, levels)
        self.levels, self.sensitive, self.n = tuple(levels), sensitive, problem.n

    def value(self, name):
        node = self.node
        if name == "k":
            return Fraction(self.k)
        if name == "s_k":
            return Fraction(sum(f * f for f in node.classes.values()))
        if name == "risk":
            released = self.n - node.outlying
            return Fraction(len(node.classes), released) if released else Fraction(0)
        if name in ("l", "s_l"):
            held = {}
            for key, value, released in zip(node.keys, self.sensitive, node.released):
                if released:
                    held.setdefault(key, Counter())[value] += 1
            if name == "l":
                return Fraction(min((len(c) for c in held.values()), default=0))
            return Fraction(sum(f * f for c in held.values() for f in c.values()))
        return node.exact(name)


class Front:
    """All nodes of a problem under some objectives."""

    def __init__(self, problem, sensitive, names, sides):
        self.names, self.sides = names, [Fraction(sides[name]) for name in names]
        self.nodes = {}
        for levels in problem.lattice():
            node = Measured(problem, levels, sensitive)
            self.nodes[node.levels] = (tuple(node.value(name) for name in names), node)
        self.boxes = self.minimal({self.box(values) for values, _ in self.nodes.values()})
        self.best = self.minimal({self.cost(values) for values, _ in self.nodes.values()})

    def cost(self, values):
        return tuple(-v if name in RISING else v for name, v in zip(self.names, values))

    def box(self, values):
        found = tuple(math.floor(v / side) if side else v for v, side in zip(values, self.sides))
        return self.cost(found)

    @staticmethod
    def dominates(a, b):
        return a != b and all(x <= y for x, y in zip(a, b))

    def minimal(self, costs):
        return {c for c in costs if not any(self.dominates(d, c) for d in costs)}

    def check_point(self, point, order):
        """The exact values of a point, after they were held against what it claims."""
        levels = tuple(point["levels"][name] for name in order)
        values, node = self.nodes[levels]
        for name, exact in zip(self.names, values):
            expect(close(point["values"][name], float(exact)),
                   "%s at %s is %r, expected %r" % (name, levels, point["values"][name], float(exact)))
        expect_equal(point["k"], node.k, "k at %s" % (levels,))
        expect_equal(point["suppressed_rows"], node.node.outlying, "suppressed rows at %s" % (levels,))
        expect_equal(point["classes"], len(node.node.classes), "classes at %s" % (levels,))
        return values


def front_of(folder, options):
    done = run([KANON, "pareto", folder.file("table.csv"), "-c", folder.file("config.yaml"), "--json", "-q"]
               + options)
    expect(done.code == 0, "%s -- %s" % (" ".join(map(str, done.command)), done.line()))
    found = json.loads(done.out.decode("utf-8"))
    with open(os.path.join(ROOT, "docs", "front.schema.json"), encoding="utf-8") as file:
        expect_equal(jsonschema_mini.validate(found, json.load(file)), [], "what the schema says")
    found.pop("seconds")
    found["parameters"].pop("threads")
    return found


def check_exact(found, front, order):
    expect(found["exact"] is True, "the front is not called exact")
    boxes = [front.box(front.check_point(point, order)) for point in found["front"]]
    expect_equal(len(boxes), len(set(boxes)), "points, one to a box")
    expect_equal(set(boxes), front.boxes, "non-dominated boxes")
    for point in found["front"]:
        levels = tuple(point["levels"][name] for name in order)
        expect(front.cost(front.nodes[levels][0]) in front.best, "the node %s is not minimal" % (levels,))
    expect_equal([p["pick"] for p in found["front"]], list(range(1, len(boxes) + 1)), "picks")
    if found["search"]["archive_bound"] is not None:
        expect(len(boxes) <= found["search"]["archive_bound"], "more points than Theorem 2 allows")


def check_knee(found, low, high):
    """docs/PARETO.md: the point nearest to the best of all, of those with such a k that show anything."""
    heights = {h["name"]: h["height"] for h in found["hierarchies"]}
    able = [p for p in found["front"] if low <= p["k"] <= high and p["suppressed_rows"] < found["input"]["rows"]
            and any(p["levels"][name] < heights[name] for name in heights)]
    if len(found["front"]) < 3 or not able:
        expect_equal(found["knee"], None, "the knee where there is none")
        return
    far = {p["pick"]: 0.0 for p in able}
    for known in found["properties"]:
        values = {p["pick"]: p["values"][known["name"]] for p in able}
        if known["scale"] == "log" and min(values.values()) > 0:
            values = {pick: math.log(value) for pick, value in values.items()}
        least, most = min(values.values()), max(values.values())
        for pick, value in values.items():
            part = (value - least) / (most - least) if most > least else 0
            far[pick] += (1 - part if known["direction"] == "max" and most > least else part) ** 2
    expect(found["knee"] in far and far[found["knee"]] <= min(far.values()) + 1e-9,
           "the knee is %s; distances %s" % (found["knee"], far))


def check_evolved(found, front, order):
    boxes = [front.box(front.check_point(point, order)) for point in found["front"]]
    expect_equal(len(boxes), len(set(boxes)), "points, one to a box")
    expect_equal(front.minimal(set(boxes)), set(boxes), "boxes that none dominates")
    expect(found["evaluations"] <= len(front.nodes), "more nodes measured than there are")


def check_release(folder, found, rng):
    """A point, released, is what the front says."""
    folder.write("front.json", json.dumps(found))
    point = rng.choice(found["front"])
    done = run([KANON, "anonymize", folder.file("table.csv"), "--from", folder.file("front.json"), "--pick",
                point["pick"], "-o", folder.file("out.csv"), "--report", folder.file("report.json"), "-q", "--others", "keep"],
               cwd=folder.path)
    expect(done.code == 0, "release of point %d: %s" % (point["pick"], done.line()))
    report = folder.json("report.json")
    expect_equal(report["solution"]["levels"], point["levels"], "levels of the release")
    expect_equal(report["solution"]["suppressed_rows"], point["suppressed_rows"], "its suppressed rows")
    expect_equal(report["parameters"]["k"], point["k"], "its k")


def objectives_of(case, rng):
    sensitive = [name for name in case.header if case.roles.get(name) == "sensitive"]
    known = [name for name in SIDES if name not in (() if sensitive else ("l", "s_l"))]
    known = [name for name in known if name != "cm" or case.label]
    names = rng.sample(known, rng.choice((2, 2, 2, 3, 4)))
    if rng.random() < 0.2:
        names = rng.choice((["k", "log"], ["log", "k"]))
    asked = {name: rng.choice(SIDES[name]) for name in names if rng.random() < 0.6}
    return names, asked, sensitive[0] if sensitive else None


def one_case(arguments):
    """(index, whether there was something to compare, None or why it failed)."""
    seed, index = arguments
    case, rng = Case(seed, index), random.Random("%s-pareto-%d" % (seed, index))
    with Folder() as folder:
        case.write(folder.path)
        try:
            problem = case.problem(chosen_by_tool(case, folder))
            nodes = math.prod(height + 1 for height in problem.heights())
            if case.n == 0 or nodes > NODES_MOST or nodes * case.n > 60000:
                return index, False, None
            names, asked, column = objectives_of(case, rng)
            front = Front(problem, case.table().column(column) if column else None, names, {**USUAL, **asked})
            order = [quasi.name for quasi in case.quasi]
            order.sort(key=case.header.index)
            expect_equal(order, [quasi.name for quasi in case.quasi], "columns in the order of the table")
            options = ["--objectives", ",".join(names), "--threads", rng.choice(("1", "2", "3"))]
            if asked:
                options += ["--boxes", ",".join("%s=%s" % pair for pair in asked.items())]
            low = rng.randint(1, 4)
            high = rng.choice((low, low + 3, 50, 1000))
            options += rng.choice(([], ["--knee-k", "%d-%d" % (low, high)]))
            found = front_of(folder, options + ["--algorithm", "exact"])
            check_exact(found, front, order)
            check_knee(found, *((low, high) if "--knee-k" in options else (2, 50)))
            evolved = options + ["--algorithm", "pbg-ea", "--seed", str(index), "--param",
                                 "guide=" + rng.choice(("on", "off")), "--param", "iterations=8"]
            some = front_of(folder, evolved)
            check_evolved(some, front, order)
            expect_equal(front_of(folder, evolved + ["--threads", "4"]), some, "the same with other threads")
            check_release(folder, found, rng)
        except Exception as why:
            text = str(why) if isinstance(why, Failed) else "%s: %s" % (type(why).__name__, why)
            kept = tempfile.mkdtemp(prefix="kanon-front-%d-" % index)
            shutil.copytree(folder.path, kept, dirs_exist_ok=True)
            return index, True, "%s; files in %s" % (text, kept)
    return index, True, None


def all_cases(suite, options):
    need_tool()
    wanted = [options.only] if options.only is not None else range(options.cases)
    failures = compared = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for index, used, why in pool.imap_unordered(one_case, [(options.seed, i) for i in wanted], chunksize=4):
            compared += used
            if why:
                failures += 1
                suite.fail("front-case-%d" % index, why)
    expect(not failures, "%d of %d cases failed (seed %s)" % (failures, compared, options.seed))
    expect(compared >= options.cases // 3 or options.only is not None, "only %d cases were small enough" % compared)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(40, 200))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--only", type=int, default=None)
    options = parser.parse_args()
    suite = Suite()
    suite.check("fronts (%d cases, seed %s)" % (options.cases, options.seed), all_cases, suite, options)
    suite.end()


if __name__ == "__main__":
    main()
