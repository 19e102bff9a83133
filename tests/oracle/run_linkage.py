#!/usr/bin/env python3
"""run_linkage.py -- the figures of `linkage` and of sensitive columns in the report of a release, against a naive count
over the released rows, on random tables with copies, refinements and dependent columns.

    run_linkage.py [--cases N] [--seed S]
"""
import argparse
import csv
import io
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import linkage
from common import Folder, Suite, close, expect, expect_equal, kanon, need_tool
from testlib import either


def make_table(rng):
    """@return names, roles, rows: quasi-identifiers, and further columns of every kind"""
    n = rng.choice([30, 200, 700, 1500])
    age = [rng.randint(0, rng.choice([9, 60])) for _ in range(n)]
    town = ["t%d" % rng.randrange(rng.choice([3, 40])) for _ in range(n)]
    columns = {"age": ("quasi", age), "town": ("quasi", town)}
    if rng.random() < 0.5:
        columns["sex"] = ("quasi", [rng.choice("mf") for _ in range(n)])
    noise = rng.choice([0, 0, 0.01, 0.2])
    county = {name: rng.randrange(6) for name in set(town)}
    kinds = {
        "copy": lambda i: "x%d" % age[i],
        "finer": lambda i: "%d.%d" % (age[i], rng.randrange(3)),
        "county": lambda i: county[town[i]] if rng.random() >= noise else 9,
        "flag": lambda i: rng.choice("yn"),
        "rare": lambda i: "y" if rng.random() < 0.02 else "n",
        "few": lambda i: rng.randrange(5),
        "many": lambda i: rng.randrange(300),
        "unique": lambda i: "u%d" % i,
        "same": lambda i: "s",
    }
    for number, kind in enumerate(rng.choices(sorted(kinds), k=rng.randint(1, 7))):
        role = rng.choice(["sensitive", "insensitive"])
        columns["%s%d" % (kind, number)] = (role, [kinds[kind](i) for i in range(n)])
    names = list(columns)
    rng.shuffle(names)
    return names, {name: columns[name][0] for name in names}, [
        [str(columns[name][1][i]) for name in names] for i in range(n)]


def same_counts(found, expected, what):
    for key, value in expected.items():
        expect_equal(found[key], value, "%s: %s" % (what, key))


def compare(report, originals, released, roles, k):
    """originals, released: columns by name, row by row the same people."""
    quasi = [name for name in roles if roles[name] == "quasi"]
    further = [name for name in roles if roles[name] != "quasi"]
    classes = list(zip(*(released[name] for name in quasi)))
    told = report["linkage"]
    expect(told["exact"] and told["rows"] == len(classes) == told["sampled_rows"], "a small table is counted whole")
    expect_equal([entry["name"] for entry in told["columns"]], further, "columns")
    for entry in told["columns"]:
        same_counts(entry, linkage.count(classes, released[entry["name"]], k), entry["name"])
    families = {"all": further, "insensitive": [name for name in further if roles[name] == "insensitive"]}
    for family, members in families.items():
        expect_equal(told[family]["count"], len(members), family)
        if not members:
            continue
        cells = [released[name] for name in members]
        same_counts(told[family], linkage.count(classes, list(zip(*cells)), k), family)
        expect_equal(len(told[family]["worst"]), min(3, len(members)), "sets of " + family)
        for number, entry in enumerate(told[family]["worst"], 1):
            expect_equal(len(entry["columns"]), number, "columns of a set")
            alone = linkage.count(classes, list(zip(*(released[name] for name in entry["columns"]))), 1)["alone"]
            expect_equal(entry["alone"], alone, "the set %s" % entry["columns"])
            expect_equal(alone, linkage.worst(classes, cells, number), "the worst %d of %s" % (number, family))
    found = {entry["column"]: entry for entry in told["dependencies"]}
    for name in further:
        expected = linkage.dependency(classes, released[name], {q: originals[q] for q in quasi}, k)
        expect_equal(name in found, expected is not None, "a dependency of %s" % name)
        if expected:
            expect_equal((found[name]["quasi"], found[name]["kind"]), expected[:2], "the dependency of %s" % name)
            expect(close(found[name]["strength"], expected[2]), "strength %r, expected %r"
                   % (found[name]["strength"], expected[2]))
            same_counts(found[name], expected[3], "what %s leaves" % name)
    for entry in report["sensitive"]:
        cells = released[entry["name"]]
        rows, ratio = linkage.guessed(classes, cells)
        expect_equal(entry["guessed_rows"], rows, "guessed rows of " + entry["name"])
        expect(close(entry["max_ratio"], ratio), "ratio of " + entry["name"])
        expect_equal(entry["unique_rows"], sum(1 for value in cells if cells.count(value) == 1),
                     "unique values of " + entry["name"])


def one_case(seed):
    rng = random.Random(seed)
    names, roles, rows = make_table(rng)
    k = rng.choice([2, 3, 5, 10])
    options = ["-k", str(k), "--keep-order", "--suppression", "0", "--threads", rng.choice(["1", "3"])]
    options += rng.choice([[], ["--algorithm", "mondrian"], ["--metric", "glm"]])
    with Folder() as folder:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([names] + rows)
        table = folder.write("table.csv", text.getvalue())
        config = folder.write("c.json", json.dumps({"attributes": {name: {"role": roles[name]} for name in names}}))
        done = kanon("anonymize", table, "-c", config, "-o", folder.file("out.csv"), "--json", "-q", *options)
        expect_equal(done.code, 0, "exit code: " + done.line())
        with open(folder.file("out.csv"), newline="", encoding="utf-8") as file:
            released = list(csv.reader(file))[1:]
        columns = lambda lines: {name: [line[i] for line in lines] for i, name in enumerate(names)}
        report = json.loads(done.out.decode("utf-8"))
        compare(report, columns(rows), columns(released), roles, k)
        done = kanon("check", folder.file("out.csv"), "-c", config, "--json", "-q", "-k", str(k))
        expect(done.code in (0, 1), "check: " + done.line())
        checked = json.loads(done.out.decode("utf-8"))
        for key in ("rows", "exact", "columns", "insensitive", "all"):
            expect_equal(checked["linkage"][key], report["linkage"][key], "check of the release: " + key)
        for mine, theirs in zip(checked["sensitive"], report["sensitive"]):
            for key in ("guessed_rows", "unique_rows"):
                expect_equal(mine[key], theirs[key], "check of the release: %s of %s" % (key, mine["name"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(25, 200))
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    need_tool()
    suite = Suite()
    for number in range(arguments.cases):
        suite.check("linkage %s/%d" % (arguments.seed, number), one_case, "%s/%d" % (arguments.seed, number))
    suite.end()


if __name__ == "__main__":
    main()
