#!/usr/bin/env python3
"""run_adult.py -- real tables: Adult with ARX's hierarchies, and Cargo 2000 (c2k).

The data is no part of the project; without it every check is skipped. The costs of ARX's exact search
are constants here: cell = (QIs, k, suppression, cost, levels, suppressed rows).

    run_adult.py [--all]      --all, or the long form: every cell of ARX's table, not one in four
"""
import argparse
import os
import time

from common import (LONG, Folder, Suite, anonymize_ok, children_peak_kb, close, expect, expect_equal,
                    need_shared, need_tool)
from oracle import read_table
from verify_release import verify

ADULT_QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass",
               "occupation", "salary-class")
MEMORY_MOST_KB = 100 * 1000

ARX = (
    (8, 2, 0, .6250, "04013221", 0), (8, 2, 0.01, .4018, "04002102", 299),
    (8, 2, 0.05, .3027, "04002100", 1320), (8, 5, 0, .6875, "04023221", 0),
    (8, 5, 0.01, .5034, "04013201", 207), (8, 5, 0.05, .3805, "04001102", 1231),
    (8, 10, 0, .6875, "04013222", 0), (8, 10, 0.01, .5456, "04011212", 256),
    (8, 10, 0.05, .4259, "04002102", 1502), (8, 50, 0, .7500, "04113221", 0),
    (8, 50, 0.01, .6278, "04013212", 225), (8, 50, 0.05, .5216, "04013102", 1306),
    (9, 2, 0, .6111, "041132020", 0), (9, 2, 0.01, .3937, "040031020", 235),
    (9, 2, 0.05, .2896, "040011010", 1236), (9, 5, 0, .6667, "041232020", 0),
    (9, 5, 0.01, .4851, "040112120", 208), (9, 5, 0.05, .3656, "040031010", 1461),
    (9, 10, 0, .6667, "041132210", 0), (9, 10, 0.01, .5043, "040131120", 262),
    (9, 10, 0.05, .4140, "040031020", 1237), (9, 50, 0, .6667, "041132210", 0),
    (9, 50, 0.01, .6145, "041132110", 265), (9, 50, 0.05, .5169, "040131120", 1022),
)
C2K_OPTIMA = {3: .7333, 4: .7250, 5: .7800}


def adult():
    """(table, column -> hierarchy file)."""
    need_tool()
    folder = need_shared("data", "adult")
    return (os.path.join(folder, "adult.csv"),
            {name: os.path.join(folder, "adult_hierarchy_%s.csv" % name) for name in ADULT_QUASI})


def options_of(specs, quasi, k, suppression, *extra):
    found = ["--qi", ",".join(quasi), "-k", k, "--suppression", suppression]
    for name in quasi:
        found += ["--hierarchy", "%s=%s" % (name, specs[name])]
    return found + list(extra)


def adult_release(folder, algorithm, *extra, **names):
    table, specs = adult()
    return anonymize_ok(folder, table, options_of(specs, ADULT_QUASI, 5, 0.01, "--algorithm", algorithm,
                                                  *extra), **names)


def releases(suite):
    """kgen and exhaustive: verified from outside, in little memory, exhaustive at least as good."""
    table, specs = adult()
    found = {}
    with Folder() as folder:
        for algorithm in ("kgen", "exhaustive"):
            start = time.monotonic()
            found[algorithm] = adult_release(folder, algorithm, "--metric", "log")
            suite.say("# adult %s: %.2f s, LOG %.4f, %d rows suppressed" % (
                algorithm, time.monotonic() - start, found[algorithm]["metrics"]["log"],
                found[algorithm]["solution"]["suppressed_rows"]))
            verify(table, folder.file("out.csv"), found[algorithm], specs, delimiter=";")
    expect(found["exhaustive"]["metrics"]["log"] <= found["kgen"]["metrics"]["log"] + 1e-12,
           "exhaustive has LOG %r, kgen %r" % tuple(found[a]["metrics"]["log"]
                                                   for a in ("exhaustive", "kgen")))
    expect(found["exhaustive"]["search"]["optimal"], "exhaustive claims the optimum")


def memory():
    """Largest process of this script so far, which ran all of Adult."""
    with Folder() as folder:
        adult_release(folder, "kgen")
    peak = children_peak_kb()
    expect(peak < MEMORY_MOST_KB, "%d kB at the peak, at most %d" % (peak, MEMORY_MOST_KB))


def same_bytes(algorithm):
    with Folder() as folder:
        seen = set()
        for name, threads in (("a", 1), ("b", 2), ("c", 1), ("d", 2)):
            adult_release(folder, algorithm, "--threads", threads, "--order-key", "5a" * 16, out=name)
            seen.add(folder.read(name))
        expect_equal(len(seen), 1, "different releases for 1 and 2 threads, twice")


def arx_cell(cell):
    count, k, suppression, printed, levels, suppressed = cell
    table, specs = adult()
    quasi = ADULT_QUASI[:count]
    with Folder() as folder:
        report = anonymize_ok(folder, table, options_of(specs, quasi, k, suppression, "--algorithm",
                                                        "exhaustive", "--metric", "precision"))
    n, heights = report["input"]["rows"], report["solution"]["heights"]
    cost = sum(((n - suppressed) * int(level) / heights[name] + suppressed) / n
               for name, level in zip(quasi, levels)) / count
    expect_equal(round(cost, 4), round(printed, 4), "cost of ARX's levels with our heights")
    expect(close(report["metrics"]["precision"], cost),
           "precision %r, ARX has %r" % (report["metrics"]["precision"], cost))


def c2k(count):
    """(table, quasi-identifiers)."""
    need_tool()
    table = os.path.join(need_shared("data", "c2k"), "c2k_data_comma.csv")
    with open(table, encoding="utf-8") as file:
        header = file.readline().strip().split(",")
    return table, header[1:count + 1]


def c2k_release(folder, count, algorithm):
    table, quasi = c2k(count)
    specs = {name: "range:x10" for name in quasi}
    start = time.monotonic()
    report = anonymize_ok(folder, table, options_of(specs, quasi, 2, 0.005, "--algorithm", algorithm,
                                                    "--metric", "log"))
    spent = time.monotonic() - start
    verify(table, folder.file("out.csv"), report, specs)
    return report, spent


def c2k_optimum(count):
    with Folder() as folder:
        report, _ = c2k_release(folder, count, "exhaustive")
        expect_equal(round(report["metrics"]["log"], 4), C2K_OPTIMA[count], "LOG")


def c2k_many(suite):
    with Folder() as folder:
        table, quasi = c2k(25)
        expect_equal(len(read_table(table).rows), 3942, "rows")
        report, spent = c2k_release(folder, 25, "kgen")
        suite.say("# c2k, %d QIs: kgen %.1f s, LOG %.4f" % (
            len(quasi), spent, report["metrics"]["log"]))
        expect(spent < 60, "kgen took %.0f s" % spent)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", default=LONG)
    everything = parser.parse_args().all
    suite = Suite()
    suite.check("adult-releases", releases, suite)
    suite.check("adult-memory", memory)
    for algorithm in ("kgen", "exhaustive"):
        suite.check("adult-same-bytes-" + algorithm, same_bytes, algorithm)
    for cell in ARX if everything else ARX[1::4]:
        suite.check("adult-arx-%d-qis-k%d-s%s" % cell[:3], arx_cell, cell)
    for count in C2K_OPTIMA:
        suite.check("c2k-optimum-%d-qis" % count, c2k_optimum, count)
    suite.check("c2k-kgen-25-qis", c2k_many, suite)
    suite.end()


if __name__ == "__main__":
    main()
