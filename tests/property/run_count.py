#!/usr/bin/env python3
"""run_count.py -- rows that stand for many: a table of distinct rows with counts says what the table with every row
says. Random tables and, where they are on this machine, Adult and c2k, collapsed here by counting.

    run_count.py [--rounds N] [--seed S]
"""
import argparse
import collections
import csv
import io
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

from common import Folder, Suite, close, expect, expect_equal, kanon, need_shared, need_tool

# What tells the files apart, or the time.
OWN = {"file", "input", "columns", "bytes", "blake2b", "seconds", "original", "released", "count"}


def text_of(rows, delimiter=","):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", delimiter=delimiter).writerows(rows)
    return out.getvalue()


def collapsed(rows, place, rng=None):
    """The distinct rows with their counts in a column `n` at a place; shuffled where there is an rng."""
    counts = list(collections.Counter(tuple(row) for row in rows[1:]).items())
    if rng:
        rng.shuffle(counts)
    return [rows[0][:place] + ["n"] + rows[0][place:]] + [
        list(row[:place]) + [str(count)] + list(row[place:]) for row, count in counts]


def same(a, b, where=""):
    """Two reports, but for what tells the files apart; numbers up to rounding."""
    if isinstance(a, dict) and isinstance(b, dict):
        expect_equal(sorted(set(b) - OWN), sorted(set(a) - OWN), "members of %s" % (where or "the report"))
        for key in a:
            if key not in OWN:
                same(a[key], b[key], "%s.%s" % (where, key))
    elif isinstance(a, list) and isinstance(b, list):
        expect_equal(len(b), len(a), "length of %s" % where)
        for index, (x, y) in enumerate(zip(a, b)):
            same(x, y, "%s[%d]" % (where, index))
    elif isinstance(a, float) or isinstance(b, float):
        expect(close(a, b), "%s: found %r, expected %r" % (where, b, a))
    else:
        expect_equal(b, a, where)


def report(verb, files, options, codes=(0,)):
    done = kanon(verb, *files, "--json", "-q", *options)
    expect(done.code in codes, "%s: %s" % (verb, done.line()))
    text = done.out.decode("utf-8")
    for file in files:  # a finding may name its table
        text = text.replace(str(file), "TABLE")
    return json.loads(text)


def compare_verbs(full, counted, options, verbs, codes=(0,)):
    for verb in verbs:
        files = 2 if verb == "compare" else 1
        same(report(verb, [full] * files, options, codes),
             report(verb, [counted] * files, options + ["--count", "n"], codes))


def people(rng):
    values = [["age", "zip", "sex", "ill"]]
    for _ in range(rng.randint(20, 400)):
        values.append([rng.choice(["20", "25", "30", "35", "41", "", "?"]),
                       rng.choice(["80331", "80333", "10115", "10117"]), rng.choice("mf"),
                       rng.choice(["flu", "cold", "hiv", "NA"])])
    return values


def random_tables(seed, rounds):
    """Every verb that reads counts, with the rows in the order of the table and in another one."""
    for number in range(rounds):
        rng = random.Random("%s/%d" % (seed, number))
        rows = people(rng)
        options = ["--qi", "age,zip,sex", "--sensitive", "ill"]
        k = str(rng.randint(2, 8))
        with Folder() as folder:
            full = folder.write("full.csv", text_of(rows))
            counted = folder.write("counted.csv", text_of(collapsed(rows, rng.randint(0, 4))))
            mixed = folder.write("mixed.csv", text_of(collapsed(rows, rng.randint(0, 4), rng)))
            models = rng.choice([[], ["--l-diversity", "2"], ["--t-closeness", "0.5"], ["--alpha", "0.8"]])
            compare_verbs(full, counted, options + models + ["-k", k], ["check"], (0, 1))
            compare_verbs(full, counted, options + models + ["-k", k, "--time-limit", "none"], ["explain"],
                          (0, 2))
            compare_verbs(full, counted, options, ["pareto", "compare"])
            compare_verbs(full, mixed, options + models, ["check"], (0, 1))
            compare_verbs(full, mixed, options, ["compare"])


def config(k):
    return json.dumps({"k": k, "count": "n", "attributes": {
        "age": {"role": "quasi"}, "zip": {"role": "quasi"}, "sex": {"role": "quasi"},
        "ill": {"role": "sensitive"}, "n": {"role": "insensitive"}}})


def releases(seed, rounds):
    """A release with counts is the release of the whole table, collapsed, also where rows are masked."""
    for number in range(rounds):
        rng = random.Random("%s/release/%d" % (seed, number))
        rows = people(rng)
        options = ["--suppressed", rng.choice(["mask", "drop"]), "--suppression", rng.choice(["0", "0.1"]),
                   "-q", "--qi", "age,zip,sex", "--sensitive", "ill", "--others", "keep", "-k", "4"]
        with Folder() as folder:
            full = folder.write("full.csv", text_of(rows))
            counted = folder.write("counted.csv", text_of(collapsed(rows, 1, rng) + [["9", "0", "8", "x", "y"]]))
            setting = folder.write("c.json", config(4))
            one = kanon("anonymize", full, "-o", folder.file("a.csv"), *options)
            two = kanon("anonymize", counted, "-o", folder.file("b.csv"), "-c", setting, *options)
            expect_equal(two.code, one.code, "exit code: " + two.line())
            if one.code:
                continue
            whole, weighted = collections.Counter(), collections.Counter()
            with open(folder.file("a.csv"), encoding="utf-8") as file:
                whole.update((r["age"], r["zip"], r["sex"], r["ill"]) for r in csv.DictReader(file))
            with open(folder.file("b.csv"), encoding="utf-8") as file:
                for r in csv.DictReader(file):
                    weighted[(r["age"], r["zip"], r["sex"], r["ill"])] += int(r["n"])
            expect_equal(weighted, whole, "released rows")


def large_counts(_seed):
    """Counts beyond 32 bits: k, risk and a release."""
    rows = [["age", "sex", "n"], ["30", "f", "5000000000"], ["31", "f", "3"], ["30", "m", "7000000000000"],
            ["31", "m", "4294967296"], ["31", "m", "1"]]
    with Folder() as folder:
        table = folder.write("t.csv", text_of(rows))
        found = report("check", [table], ["--qi", "age,sex", "--count", "n"])
        expect_equal(found["rows"], 5000000000 + 3 + 7000000000000 + 4294967297, "rows")
        setting = folder.write("c.json", json.dumps({"count": "n", "attributes": {
            "age": {"role": "quasi"}, "sex": {"role": "quasi"}, "n": {"role": "insensitive"}}}))
        done = kanon("anonymize", table, "-c", setting, "-k", "4", "-o", folder.file("o.csv"), "-q",
                     "--suppression", "0")
        expect_equal(done.code, 0, done.line())
        with open(folder.file("o.csv"), encoding="utf-8") as file:
            expect_equal(sum(int(r["n"]) for r in csv.DictReader(file)),
                         5000000000 + 3 + 7000000000000 + 4294967297, "released rows")
        report("pareto", [table], ["--qi", "age,sex", "--count", "n"])


def refusals(_seed):
    with Folder() as folder:
        table = folder.write("t.csv", "age,sex,n\n30,f,2\n31,m,x\n")
        for words, why in (
                (["check", table, "--qi", "age", "--count", "n"],
                 "t.csv:3: the count in column 'n' reads 'x', expected a whole number"),
                (["check", table, "--qi", "age", "--count", "m"], "no column 'm'"),
                (["check", table, "--qi", "age,n", "--count", "n"], "'n' has the role quasi"),
                (["explain", table, "--qi", "age", "--label", "n", "--count", "n"], "the column of label as well"),
                (["anonymize", table, "--qi", "age", "--count", "n", "-o", folder.file("o.csv")],
                 "would have to keep 'n'")):
            done = kanon(*words)
            expect_equal(done.code, 1, "exit code")
            expect(why in done.err.decode(), "%s -- expected %r" % (done.line(), why))
            expect(not os.path.exists(folder.file("o.csv")), "a release was written")


def real(name, delimiter, columns, verbs):
    table = need_shared(*name)
    with open(table, encoding="utf-8", newline="") as file:
        rows = [[row[i] for i in columns] for row in csv.reader(file, delimiter=delimiter)]
    rows = [row for row in rows if any(row)]  # empty last lines are no rows
    with Folder() as folder:
        full = folder.write("full.csv", text_of(rows))
        counted = folder.write("counted.csv", text_of(collapsed(rows, 1)))
        quasi = ",".join(rows[0][:-1])
        options = ["--qi", quasi, "--sensitive", rows[0][-1], "--header", "yes"]
        for verb in verbs:
            compare_verbs(full, counted, options + (["--time-limit", "none"] if verb == "explain" else []), [verb],
                          (0, 2))


def adult(_seed):
    real(("data", "adult", "adult.csv"), ";", (0, 1, 2, 3, 8), ["check", "explain", "pareto", "compare"])


def c2k(_seed):
    real(("data", "c2k", "c2k_data_comma.csv"), ",", (2, 4, 22, 23, 24), ["check", "pareto", "compare"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    suite = Suite()
    suite.check("count-tool", need_tool)
    suite.check("count-random-tables", random_tables, arguments.seed, arguments.rounds)
    suite.check("count-releases", releases, arguments.seed, arguments.rounds)
    for name, check in (("large", large_counts), ("refusals", refusals), ("adult", adult), ("c2k", c2k)):
        suite.check("count-" + name, check, arguments.seed)
    suite.end()


if __name__ == "__main__":
    main()
