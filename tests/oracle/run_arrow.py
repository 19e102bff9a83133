#!/usr/bin/env python3
"""run_arrow.py -- the same table as CSV and as Arrow arrays in memory: the releases have the same rows in the same order.

The tool reads the CSV; tests/oracle/arrow_job.c turns the same file into typed arrays, hands them to the
library and prints the release that it gets back. Tables outside the project are skipped where they are not.
"""
import csv
import io
import os

from common import ROOT, Folder, Skip, Suite, anonymize_ok, expect, expect_equal, helper, need_shared, need_tool, run
from run_adult import ADULT_QUASI

REGISTER = os.path.join(ROOT, "examples", "register.csv")
REGISTER_CONFIG = ["-c", os.path.join(ROOT, "examples", "register.yaml")]
LOCAL = ["--id", "name", "--qi", "age,sex,city,income", "--sensitive", "diagnosis", "--k", "4", "--seed", "3"]
UNCHANGED = {"income", "diagnosis"}


def rows_of(text, delimiter=","):
    """(header, rows)."""
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    return rows[0], rows[1:]


def arrow_release(table, options):
    """(column -> type, header, rows) of the release of the same job on Arrow arrays."""
    program = helper("arrow_job")
    if not program:
        raise Skip("build/release/tests/arrow_job was not built")
    done = run([program] + options + [table])
    expect(done.code == 0, done.line())
    types, _, text = done.out.decode("utf-8").partition("\n")
    return (dict(item.split(":", 1) for item in types[2:].split(" ")),) + rows_of(text)


def same_rows(suite, table, options, delimiter=","):
    need_tool()
    options = options + ["--order-key", "0123456789abcdef" * 2]
    with Folder() as folder:
        report = anonymize_ok(folder, table, options)
        header, expected = rows_of(folder.read("out.csv").decode("utf-8"), delimiter)
    types, names, found = arrow_release(table, options)
    expect_equal(names, header, "names")
    expect_equal(len(found), len(expected), "rows")
    expect(sorted(found) == sorted(expected), "other rows")
    expect(found == expected, "the same rows in another order")
    suite.say("# %d rows of %d alike" % (len(found), report["input"]["rows"]))
    return types


def register(suite, options):
    types = same_rows(suite, REGISTER, options)
    for name in UNCHANGED & types.keys():
        expect(types[name] != "i/u" or "--qi" in options, "%s became labels" % name)
    expect_equal(types["name"], "u/", "type of masked names")


def adult(suite, algorithm):
    folder = need_shared("data", "adult")
    options = ["--qi", ",".join(ADULT_QUASI), "--k", "5", "--suppression", "0.01", "--algorithm", algorithm,
               "--seed", "7", "--delimiter", ";"]
    for name in ADULT_QUASI:
        options += ["--hierarchy", "%s=%s" % (name, os.path.join(folder, "adult_hierarchy_%s.csv" % name))]
    same_rows(suite, os.path.join(folder, "adult.csv"), options, ";")


def main():
    suite = Suite()
    suite.check("register", register, suite, REGISTER_CONFIG)
    suite.check("register-masked", register, suite, REGISTER_CONFIG + ["--suppressed", "mask"])
    for algorithm in ("mondrian", "k-members"):
        suite.check("register-" + algorithm, register, suite, LOCAL + ["--algorithm", algorithm])
    for algorithm in ("kgen", "mondrian"):
        suite.check("adult-" + algorithm, adult, suite, algorithm)
    suite.end()


if __name__ == "__main__":
    main()
