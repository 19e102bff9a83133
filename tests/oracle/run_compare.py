#!/usr/bin/env python3
"""run_compare.py -- `kanon compare` against an oracle that shares no code with it: random tables with
releases in every form that is read, releases by kanon itself, rows and columns in another order, and what no
output may show.

    run_compare.py [--cases N] [--seed S] [--only INDEX] [--random]
"""
import argparse
import csv
import io
import json
import math
import os
import random

import jsonschema_mini
from common import (ROOT, Folder, Suite, anonymize_ok, close, either, expect, expect_equal, kanon, need_shared,
                    need_tool, stands_in)
from compare_cases import Case
from comparison import Comparison

QUERIES = 40
SCHEMA = os.path.join(ROOT, "docs", "compare.schema.json")


def csv_text(rows, delimiter=","):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def compare(original, released, *options):
    done = kanon("compare", original, released, "--json", "-q", *options)
    expect(done.code == 0, "%s -- %s" % (" ".join(map(str, done.command)), done.line()))
    found = json.loads(done.out.decode("utf-8"))
    with open(SCHEMA, encoding="utf-8") as file:
        problems = jsonschema_mini.validate(found, json.load(file))
    expect(not problems, "schema: %s" % problems[:1])
    return found


def same(found, expected, what, tolerance=1e-9):
    if expected is None or found is None:
        expect(found is None and expected is None, "%s: found %r, expected %r" % (what, found, expected))
    else:
        expect(close(found, expected, tolerance), "%s: found %r, expected %r" % (what, found, expected))


# --- the oracle ---------------------------------------------------------------------------------------------


def check_columns(found, oracle):
    by_name = {c["name"]: c for c in found["columns"]}
    expect_equal(sorted(by_name), sorted(c.name for c in oracle.columns), "columns")
    for c in oracle.columns:
        for key, value in oracle.column(c).items():
            same(by_name[c.name][key], value, "%s of %s" % (key, c.name), 1e-8)
        expect_equal(by_name[c.name]["counted"], c in oracle.counted, "counted: " + c.name)
        expect_equal(by_name[c.name]["cells"]["unknown"], 0, "cells of %s not understood" % c.name)
        same(sum(b["before"] for b in by_name[c.name]["bins"]), 1, "bins of " + c.name)
    for name in ("glm", "gcp", "entropy", "tvd"):
        same(found["total"][name], oracle.total(name), "total " + name, 1e-8)


def check_pairs(found, oracle):
    by_names = {(p["a"], p["b"]): p for p in found["pairs"]}
    count = len(oracle.columns)
    expect_equal(len(by_names), count * (count - 1) // 2, "pairs")
    for i, a in enumerate(oracle.columns):
        for b in oracle.columns[i + 1:]:
            for key, value in oracle.pair(a, b).items():
                same(by_names[a.name, b.name][key], value, "%s of %s, %s" % (key, a.name, b.name), 1e-6)


def check_learning(found, oracle):
    learning = found["learning"]
    for key, value in zip(("cm_before", "cm_after"), oracle.cm()):
        same(learning[key], value, key)
    for when, (accuracy, balanced) in oracle.accuracy().items():
        same(learning["accuracy_" + when], accuracy, "accuracy_" + when)
        same(learning["balanced_" + when], balanced, "balanced_" + when)


def check_queries(found, oracle):
    errors = sorted(e for _, e in oracle.errors())
    expect_equal(found["queries"]["count"], QUERIES, "queries")
    same(found["queries"]["mean"], sum(errors) / len(errors), "mean error", 1e-8)
    for key, percent in (("median", 50), ("p75", 75), ("p90", 90), ("p95", 95), ("max", 100)):
        same(found["queries"][key], errors[math.ceil(len(errors) * percent / 100) - 1], key, 1e-8)
    for entry in found["queries"]["by_columns"]:
        part = [e for n, e in oracle.errors() if n == entry["columns"]]
        same(entry["mean"], sum(part) / len(part), "mean error of %d columns" % entry["columns"], 1e-8)


def one_case(seed, index):
    case = Case(seed, index)
    with Folder() as folder:
        original = folder.write("original.csv", csv_text(case.texts(False)))
        shuffled = list(case.columns)
        case.rng.shuffle(shuffled)
        rows = case.texts(True, shuffled)
        released = folder.write("released.csv", csv_text(rows[:1] + case.rng.sample(rows[1:], len(rows) - 1),
                                                         case.rng.choice(",;\t")))
        number = case.rng.randint(1, 99)
        found = compare(original, released, "--label", "sick", "--seed", number, "--queries", QUERIES,
                        "--header", "yes")
    oracle = Comparison(case.columns, label="sick", seed=number, queries=QUERIES)
    expect_equal(found["rows"], {"before": oracle.before, "after": oracle.after, "lost": oracle.lost}, "rows")
    check_columns(found, oracle)
    check_pairs(found, oracle)
    check_learning(found, oracle)
    check_queries(found, oracle)


def random_tables(seed, cases, only):
    for index in range(cases) if only is None else [only]:
        try:
            one_case(seed, index)
        except Exception:
            print("# case %d of seed %s" % (index, seed))
            raise


# --- releases by kanon ----------------------------------------------------------------------------------------


def people(rng, count):
    rows = [["id", "age", "zip", "town", "born", "sick"]]
    for i in range(count):
        rows.append(["p%04d" % i, str(rng.randint(18, 80)), "80%03d" % rng.randint(0, 60),
                     rng.choice(["Bonn", "Jena", "Kiel", "Kiel", "?"]),
                     "19%02d-%02d-%02d" % (rng.randint(50, 70), rng.randint(1, 12), rng.randint(1, 28)),
                     rng.choice(["flu", "cold", "none", "none"])])
    return rows


SETTINGS = ("--qi", "age,zip,town,born", "--id", "id", "--sensitive", "sick")


def own_releases(turns):
    """What compare finds is what the report of the release says, by levels and class by class."""
    for turn in range(turns):
        rng = random.Random("own-%d" % turn)
        options = list(SETTINGS)
        if rng.random() < 0.5:
            options += ["--hierarchy", "age=range:5,10,50", "--hierarchy", "zip=mask:right"]
        how = ["-k", rng.randint(2, 6), "--suppression", rng.choice([0, 0.05, 0.2]),
               "--suppressed", rng.choice(["drop", "mask"]),
               "--algorithm", rng.choice(["exhaustive", "mondrian"])]
        with Folder() as folder:
            table = folder.write("t.csv", csv_text(people(rng, rng.randint(30, 120))))
            report = anonymize_ok(folder, table, options + how)
            found = compare(table, folder.file("out.csv"), *options, *how[:2])
        for name in ("glm", "gcp"):
            same(found["total"][name], report["metrics"][name], name)
        if not report["solution"]["masked_rows"]:  # which look like a class of their own
            same(found["learning"]["cm_after"], report["metrics"]["cm"], "cm")
        attributes = {a["name"]: a for a in report["attributes"]}
        for column in found["columns"]:
            expect_equal(column["cells"]["unknown"], 0, "cells of %s not understood" % column["name"])
            if column["role"] == "quasi":
                same(column["glm"], attributes[column["name"]]["glm"], "glm of " + column["name"])
        expect_equal(found["left_out"], ["id"], "identifiers are left out")
        expect_equal(found["identifiers"], [{"name": "id", "rows": 0}], "identifiers of the release")


def adult(algorithm):
    table = need_shared("data", "adult", "adult.csv")
    quasi = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
    options = ["--qi", ",".join(quasi), "--sensitive", "salary-class"]
    for name in quasi:
        options += ["--hierarchy", "%s=%s" % (name, os.path.join(os.path.dirname(table),
                                                                 "adult_hierarchy_%s.csv" % name))]
    with Folder() as folder:
        report = anonymize_ok(folder, table, options + ["-k", 5, "--algorithm", algorithm,
                                                        "--time-limit", 10, "--metric", "glm"])
        found = compare(table, folder.file("out.csv"), *options)
        reordered(folder, table, options, found)
    for name in ("glm", "gcp"):
        same(found["total"][name], report["metrics"][name], name)
    same(found["learning"]["cm_after"], report["metrics"]["cm"], "cm")
    expect(sum(c["cells"]["unknown"] for c in found["columns"]) == 0, "every cell is understood")
    expect(found["learning"]["accuracy_before"] > found["learning"]["baseline"] + 0.04, "learns something")


def reordered(folder, table, options, found):
    """Other order of rows and columns: the same numbers. Then rows and a column less."""
    rows = list(csv.reader(io.StringIO(folder.read("out.csv").decode("utf-8")), delimiter=";"))
    rng = random.Random(1)
    order = list(range(len(rows[0])))
    rng.shuffle(order)
    body = rng.sample(rows[1:], len(rows) - 1)
    folder.write("other.csv", csv_text([[row[i] for i in order] for row in rows[:1] + body]))
    again = compare(table, folder.file("other.csv"), *options)
    for key in ("rows", "total", "columns", "pairs", "learning", "queries"):
        expect_equal(again[key], found[key], "%s of the same release in another order" % key)
    gone = rows[0].index("age")
    fewer = [[cell for i, cell in enumerate(row) if i != gone] for row in rows[:1] + body[1000:]]
    folder.write("fewer.csv", csv_text(fewer))
    less = compare(table, folder.file("fewer.csv"), *options)
    expect_equal(less["rows"]["lost"], found["rows"]["lost"] + 1000, "rows lost")
    age = next(c for c in less["columns"] if c["name"] == "age")
    expect(age["dropped"] and close(age["glm"], 1), "a column that is gone lost everything")
    expect(less["total"]["glm"] > found["total"]["glm"], "less is lost more")


# --- what is not shown, and what is said ------------------------------------------------------------------------


def identical():
    """A table compared with itself lost nothing, and answers everything."""
    with Folder() as folder:
        table = folder.write("t.csv", csv_text(people(random.Random(3), 200)))
        found = compare(table, table, *SETTINGS)
    for name in ("glm", "gcp", "entropy", "tvd", "pair_tvd", "v_change"):
        expect_equal(found["total"][name], 0, name)
    learning = found["learning"]
    for name in ("cm", "accuracy", "balanced"):
        expect_equal(learning[name + "_after"], learning[name + "_before"], name)
    expect_equal(found["queries"]["max"], 0, "greatest error")


def secrets():
    """Identifiers, values of suppressed rows and values that few rows have appear in no output."""
    rng = random.Random(11)
    rows = people(rng, 150)
    for i in range(1, len(rows)):
        rows[i][0] = "SECRETID%03d" % i
    rows.append(["SECRETIDX", "99777", "SECRETZIP", "SECRETTOWN", "1811-03-09", "SECRETILL"])
    planted = [b"SECRET", b"99777", b"1811"]
    with Folder() as folder:
        table = folder.write("t.csv", csv_text(rows))
        for secret in planted:
            expect(stands_in(secret, folder.read("t.csv")), "%r is not seen in the table itself" % secret)
        options = list(SETTINGS) + ["--hierarchy", "zip=mask:right"]
        for algorithm in ("exhaustive", "mondrian"):
            anonymize_ok(folder, table, options + ["-k", 3, "--suppression", "0.05",
                                                   "--algorithm", algorithm])
            for roles in (options, []):  # without roles everything is compared, identifiers too
                for form in ([], ["--json"], ["--html", folder.file("page.html")]):
                    done = kanon("compare", table, folder.file("out.csv"), *roles, *form)
                    expect(done.code == 0, done.line())
                    said = done.out + done.err
                    if "--html" in form:
                        said += folder.read("page.html")
                    for secret in planted:
                        expect(not stands_in(secret, said), "%r is in the output of compare %s" % (secret, form))


def identifiers_in_clear():
    """Both commands count the rows that still hold an identifier, name its column, and show none of them."""
    rng = random.Random(5)
    rows = people(rng, 80)
    for turn in range(12):
        released = [list(row) for row in rows]
        hidden = rng.sample(range(1, len(rows)), turn * 7)
        for i in range(1, len(rows)):
            released[i][0] = rng.choice(["*", "", "?", "NA"]) if i in hidden else "LEAK%d" % i
        clear = len(rows) - 1 - len(hidden)
        expected = [{"name": "id", "rows": clear}]
        said = b"the identifier 'id' is in clear in %d row" % clear
        with Folder() as folder:
            table, release = folder.write("t.csv", csv_text(rows)), folder.write("r.csv", csv_text(released))
            done = kanon("compare", table, release, *SETTINGS, "--queries", 0, "--json")
            expect_equal(json.loads(done.out.decode("utf-8"))["identifiers"], expected, "compare (turn %d)" % turn)
            expect(done.code == 0 and (said in done.err) == (clear > 0), done.line())
            config = folder.write("c.yaml", "attributes: {id: {role: identifier}, town: {role: quasi}}\n")
            for gate in ([], ["-k", 1]):
                done = kanon("check", release, "-c", config, "--json", *gate)
                expect_equal(json.loads(done.out.decode("utf-8"))["identifiers"], expected, "check (turn %d)" % turn)
                expect_equal(done.code, 1 if gate and clear else 0, "exit code of check %s (turn %d)" % (gate, turn))
                expect((said in done.err) == (clear > 0) and b"LEAK" not in done.out + done.err, done.line())


def unknown_cells():
    """What cannot be understood counts as `*`, is counted, and is told."""
    with Folder() as folder:
        original = folder.write("o.csv", "age,town\n" + "".join("%d,Bonn\n" % i for i in range(20)))
        released = folder.write("r.csv", "age,town\n" + "youngish,Bonn\n" * 12 + "3,Atlantis\n" * 8)
        done = kanon("compare", original, released, "--json", "--queries", 0)
        expect(done.code == 0, done.line())
        found = json.loads(done.out.decode("utf-8"))
    age, town = found["columns"]
    expect_equal(age["cells"]["unknown"], 12, "cells of age")
    expect_equal(town["cells"]["unknown"], 8, "cells of town")
    same(age["glm"], 12 / 20, "glm of age")
    warnings = done.err.decode("utf-8").splitlines()
    expect_equal(len([w for w in warnings if "were not understood" in w]), 2, "warnings")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(60, 300))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int)
    parser.add_argument("--random", action="store_true", help="random and small tables alone")
    arguments = parser.parse_args()
    suite = Suite()
    suite.check("compare-tool", need_tool)
    suite.check("compare-random-tables", random_tables, arguments.seed, arguments.cases, arguments.only)
    suite.check("compare-own-releases", own_releases, either(10, 40))
    suite.check("compare-identical", identical)
    suite.check("compare-secrets", secrets)
    suite.check("compare-unknown-cells", unknown_cells)
    suite.check("compare-identifiers-in-clear", identifiers_in_clear)
    for algorithm in () if arguments.random else ("kgen", "mondrian", "kab"):
        suite.check("compare-adult-" + algorithm, adult, algorithm)
    suite.end()


if __name__ == "__main__":
    main()
