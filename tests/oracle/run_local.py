#!/usr/bin/env python3
"""run_local.py -- local recoding: random small jobs through every clusterer, and the Adult table where it is. Each
release is verified from the released file alone (verify_local.py), with 1 and 2 threads, and on tiny tables the best
partition of all says whether a lower bound or a claimed optimum is one. A failing case is left in a folder with its
command.

    run_local.py [--cases N] [--seed S] [--jobs J] [--only INDEX] [--algorithms LIST] [--random]
"""
import argparse
import json
import multiprocessing
import os
import shutil
import tempfile
from fractions import Fraction

import jsonschema_mini
from common import KANON, ROOT, Failed, Folder, Suite, either, expect, expect_equal, kanon, need_shared, need_tool, run
from hierarchies import MISSING, read_levels
from local_cases import LocalCase
from local_boxes import Column
from oracle import read_table, suppression_rows
from verify_local import CELL_LOSSES, ROUNDING, Release, read_records, verify
from verify_release import build

FAILURES_MOST = 10
TINY = 9  # rows for which every partition is looked at
ADULT_SPECS = {"age": "range:5,10,50", "education-num": "range:2,4,8"}
ADULT_FILES = ("workclass", "marital-status", "occupation", "race", "sex", "native-country")


def clusterers():
    """name -> {parameter: its type} of the tool's methods of local recoding."""
    done = kanon("algorithms", "--json")
    expect(done.code == 0, "algorithms --json: " + done.line())
    return {one["name"]: {p["name"]: p["type"] for p in one["params"]}
            for one in json.loads(done.out.decode())["algorithms"] if "local" in one["traits"]}


# --- one case -----------------------------------------------------------------------------------------


def command_of(case, path, threads, out):
    case.threads = threads
    return [KANON, "anonymize", os.path.join(path, "table.csv"), "-o", os.path.join(path, out),
            "--report", os.path.join(path, "report.json"), "-q", "--order-key", "0123456789abcdef" * 2] + case.options(path)


def hierarchies_of(case, folder, table):
    """Groups by the definitions; the names of groups that those leave open are the tool's."""
    found = {}
    for quasi in case.quasi:
        values, missing = table.values(quasi.name), table.missing(quasi.name)
        made = quasi.make(values, missing, case.tokens) if quasi.make else None
        if made is None or any(label is None for level in made.labels for label in level.values()):
            rows = built(case, folder, quasi.name)
            if made is None:
                made = case.taken(quasi, values, missing, rows)
            elif rows:
                take_labels(made, rows, case.tokens, quasi.name)
            made.from_tool = True
        made.check()
        found[quasi.name] = made
    return found


def built(case, folder, name):
    path = folder.file(name + "-built.csv")
    done = run([KANON, "hierarchy", "build", folder.file("table.csv"), "--column", name,
                "-c", folder.file("config.yaml"), "-o", path])
    expect(done.code == 0, "hierarchy build %s: %s" % (name, done.line()))
    return read_levels(path)


def take_labels(made, rows, tokens, name):
    """The groups of both must be the same."""
    expect_equal(len(rows[0]) - 1, made.height, "height of %s" % name)
    for level in range(made.height + 1):
        names = {}
        for row in rows:
            leaf = MISSING if row[0] in tokens else row[0]
            if leaf in made.levels[level]:
                group = made.levels[level][leaf]
                expect(names.setdefault(group, row[level]) == row[level],
                       "hierarchy of %s, level %d: two names for one group" % (name, level))
        expect_equal(len(set(names.values())), len(names), "names at level %d of %s" % (level, name))
        made.labels[level].update((group, text) for group, text in names.items() if level)


def one_case(arguments):
    """(index, whether the optimum was known, None or why it failed)."""
    seed, index, algorithms = arguments
    case = LocalCase(seed, index, algorithms)
    with Folder() as folder:
        case.write(folder.path)
        try:
            return index, check_case(case, folder), None
        except Exception as why:
            text = str(why) if isinstance(why, Failed) else "%s: %s" % (type(why).__name__, why)
            return index, False, saved(case, folder, text)


def saved(case, folder, why):
    kept = tempfile.mkdtemp(prefix="kanon-local-%d-" % case.index)
    shutil.copytree(folder.path, kept, dirs_exist_ok=True)
    return "%s; files in %s; again: %s" % (why, kept, " ".join(command_of(case, kept, 1, "out.csv")))


def feasible(case):
    """One class of all rows is the coarsest that there is; without rows there is nothing to protect."""
    if case.n <= suppression_rows(case.eta, case.n):
        return True
    return case.n >= case.k and (case.l < 2 or different(case, "illness") >= case.l)


def different(case, name):
    return len({MISSING if cell in case.tokens else cell for cell in case.cells[name]})


def check_case(case, folder):
    done = run(command_of(case, folder.path, 1, "out.csv"))
    if not feasible(case):
        expect(done.code == 2, "nothing is feasible, but " + done.line())
        expect(not os.path.exists(folder.file("out.csv")), "a release was left although nothing is feasible")
        expect_equal(len(done.err.decode().strip().splitlines()), 1, "lines of the message")
        return False
    expect(done.code == 0, "a release exists, but " + done.line())
    report = folder.json("report.json")
    problems = jsonschema_mini.validate(report, SCHEMA)
    expect(not problems, "the report does not fit its schema: %s" % "; ".join(problems[:3]))
    if case.n == 0:
        expect_equal(len(folder.read("out.csv").splitlines()), 1, "lines of the release of nothing")
        return False
    table = case.table()
    made = hierarchies_of(case, folder, table)
    identifiers = [name for name, role in case.roles.items() if role == "identifier"]
    release = verify(table, folder.file("out.csv"), report, made, row="rid", grids=case.grids, label=case.label,
                     lowest={name: given.get("min_level", 0) for name, (given, _) in case.limits.items()},
                     identifiers=identifiers, delimiter=case.delimiter)
    if case.l > 1:
        told = next(entry["l"] for entry in report["sensitive"] if entry["name"] == "illness")
        expect(told >= case.l or not release.classes, "l is %r, asked for are %d" % (told, case.l))
    if case.with_threads:
        expect(run(command_of(case, folder.path, 2, "two.csv")).code == 0, "it fails with 2 threads")
        expect(folder.read("out.csv") == folder.read("two.csv"), "1 and 2 threads give different releases")
    if case.n <= TINY:
        bound_holds(case, table, made, report)
    return case.n <= TINY


# --- the best partition of a tiny table -----------------------------------------------------------------


def bound_holds(case, table, made, report):
    best, search = float(optimum(case, table, made)), report["search"]
    what = "the best partition has %s %r" % (case.metric, best)
    if search["lower_bound"] is not None:
        expect(search["lower_bound"] <= best + ROUNDING, "%s, the lower bound is %r" % (what, search["lower_bound"]))
    if case.snap == "off" and not case.grids and not case.limits:
        expect(search["loss"] >= best - ROUNDING, "%s, found is %r" % (what, search["loss"]))
        if search["optimal"]:
            expect(search["loss"] <= best + ROUNDING, "%s, a proven optimum is %r" % (what, search["loss"]))


def optimum(case, table, made):
    """Least loss of any partition with classes as asked for, rows outside them suppressed, intervals exact."""
    n, which = case.n, CELL_LOSSES.index(case.metric)
    weights = case.exact_weights() or [Fraction(1)] * len(case.quasi)
    columns = [Column(table.leaves(quasi.name), made[quasi.name], None) for quasi in case.quasi]
    illness = table.leaves("illness") if case.l > 1 else None

    def cost(mask):
        rows = [row for row in range(n) if mask >> row & 1]
        if len(rows) < case.k or illness and len({illness[row] for row in rows}) < case.l:
            return None
        loss = sum(w * column.loss(column.box(rows))[which] for w, column in zip(weights, columns))
        return loss * len(rows)

    costs = [cost(mask) for mask in range(1 << n)]
    allowed = suppression_rows(case.eta, n)
    best = [[None] * (allowed + 1) for _ in range(1 << n)]  # rows of the mask, at most so many of them suppressed
    best[0] = [Fraction(0)] * (allowed + 1)
    for mask in range(1, 1 << n):
        low = mask & -mask
        for spare in range(allowed + 1):
            found = [best[mask ^ low][spare - 1] + sum(weights)] \
                if spare and best[mask ^ low][spare - 1] is not None else []
            part = mask
            while part:
                if part & low and costs[part] is not None and best[mask ^ part][spare] is not None:
                    found.append(costs[part] + best[mask ^ part][spare])
                part = part - 1 & mask
            best[mask][spare] = min(found, default=None)
    return best[-1][allowed] / (n * sum(weights))


# --- all cases ------------------------------------------------------------------------------------------


def load_schema():
    with open(os.path.join(ROOT, "docs", "report.schema.json"), encoding="utf-8") as file:
        return json.load(file)


SCHEMA = load_schema()


def all_cases(suite, options):
    need_tool()
    known = clusterers()
    expect(known, "the tool has no clusterer")
    chosen = {name: known[name] for name in options.algorithms.split(",")} if options.algorithms else known
    wanted = [options.only] if options.only is not None else range(options.cases)
    failures = done = tiny = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for index, proven, why in pool.imap_unordered(one_case, [(options.seed, i, chosen) for i in wanted],
                                                      chunksize=4):
            done, tiny = done + 1, tiny + proven
            if why:
                failures += 1
                suite.fail("local-case-%d" % index, why)
            if failures >= FAILURES_MOST:
                pool.terminate()
                break
    expect(not failures, "%d of %d cases failed (seed %s)" % (failures, done, options.seed))
    suite.say("# local recoding with %s; %d cases against the best of all partitions" % (
        ", ".join(sorted(chosen)), tiny))


# --- does the check notice? -------------------------------------------------------------------------------


def one_release(folder):
    """A small release with every kind of cell: (table, hierarchies, report)."""
    lines = ["nr,age,job,ill"]
    for i in range(40):
        lines.append("r%d,%s,%s,%s" % (i, "?" if i % 11 == 5 else 20 + i * i % 37, "ABCD"[i * 7 % 4], "xyz"[i % 3]))
    path = folder.write("table.csv", "\n".join(lines) + "\n")
    jobs = folder.write("jobs.csv", "A;vowel;*\nB;other;*\nC;other;*\nD;other;*\n")
    specs = {"age": "range:5,10,50", "job": jobs}
    done = kanon("anonymize", path, "-o", folder.file("out.csv"), "--report", folder.file("report.json"), "-q",
                 "--qi", "age,job", "--sensitive", "ill", "--others", "keep", "-k", 3, "--suppression", 0, "--algorithm", "mondrian",
                 "--hierarchy", "age=" + specs["age"], "--hierarchy", "job=" + jobs)
    expect(done.code == 0, done.line())
    table = read_table(path)
    made = {name: build(spec, table.values(name), table.missing(name), table.tokens)
            for name, spec in specs.items()}
    return table, made, folder.json("report.json")


def noticed(table, made, report, records):
    try:
        Release(table, records, report, made, row="nr", label="ill").verify()
    except Failed:
        return True
    return False


def notices():
    """A release that is wrong in one place is refused, whichever place it is."""
    need_tool()
    with Folder() as folder:
        table, made, report = one_release(folder)
        records = read_records(folder.file("out.csv"), ",")
    expect(not noticed(table, made, report, records), "the release itself is refused")
    column = {name: i for i, name in enumerate(records[0])}
    for row in range(1, len(records)):
        for name in ("age", "job", "ill", "nr"):
            wrong = [list(record) for record in records]
            other = "20-57" if name == "age" else "*" if name == "job" else "r0x" if name == "nr" else "w"
            wrong[row][column[name]] = other if wrong[row][column[name]] != other else "B"
            expect(noticed(table, made, report, wrong), "%s of released row %d is wrong" % (name, row))
        expect(noticed(table, made, report, records[:row] + records[row + 1:]), "row %d is not there" % row)
    for part in ("metrics", "risk", "solution"):
        for key, value in report[part].items():
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                wrong = json.loads(json.dumps(report))
                wrong[part][key] = value + 1 if isinstance(value, int) else value * 1.001 + 1e-6
                expect(noticed(table, made, wrong, records), "%s.%s is wrong" % (part, key))
    for i, attribute in enumerate(report["attributes"]):
        for key in ("glm", "gcp", "total_il", "entropy"):
            wrong = json.loads(json.dumps(report))
            wrong["attributes"][i][key] = attribute[key] * 1.001 + 1e-6
            expect(noticed(table, made, wrong, records), "%s of %s is wrong" % (key, attribute["name"]))


# --- Adult ------------------------------------------------------------------------------------------------


def adult_table(folder):
    """Adult with the number of each row: (path, hierarchy specs)."""
    data = need_shared("data", "adult_kab")
    with open(os.path.join(data, "adult.csv"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    text = "".join("%s,%s\n" % ("nr" if i == 0 else "r%d" % i, line) for i, line in enumerate(lines))
    specs = dict(ADULT_SPECS)
    specs.update((name, os.path.join(data, "hier_q", name + ".csv")) for name in ADULT_FILES)
    return folder.write("adult.csv", text), specs


def adult(algorithm, k, *more):
    need_tool()
    if algorithm not in clusterers():
        raise Failed("the tool has no %s" % algorithm)
    with Folder() as folder:
        path, specs = adult_table(folder)
        table = read_table(path)
        quasi = [name for name in table.header if name not in ("nr", "salary-class")]
        options = ["--qi", ",".join(quasi), "--sensitive", "salary-class", "--others", "keep", "-k", k, "--suppression", "0",
                   "--algorithm", algorithm, "-q", *more]
        for name in quasi:
            options += ["--hierarchy", "%s=%s" % (name, specs[name])]
        done = kanon("anonymize", path, "-o", folder.file("out.csv"), "--report", folder.file("report.json"),
                     *options)
        expect(done.code == 0, done.line())
        made = {name: build(specs[name], table.values(name), table.missing(name), table.tokens)
                for name in quasi}
        report = folder.json("report.json")
        verify(table, folder.file("out.csv"), report, made, row="nr", label="salary-class")
        return report


def adult_in_time():
    """A quadratic method that is cut short still gives a release that holds, and says why it ended."""
    report = adult("k-members", 20, "--time-limit", "0.05")
    expect_equal(report["search"]["stopped"], "time-limit", "search.stopped")
    expect(report["seconds"]["search"] < 2, "%.1f s for a search of 0.05 s" % report["seconds"]["search"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(60, 400))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--only", type=int, default=None)
    parser.add_argument("--algorithms", help="only these clusterers, separated by commas")
    parser.add_argument("--random", action="store_true", help="random tables alone")
    options = parser.parse_args()
    suite = Suite()
    suite.check("local-recoding (%d cases, seed %s)" % (options.cases, options.seed), all_cases, suite, options)
    if options.only is None and not options.algorithms and not options.random:
        suite.check("local-check-notices", notices)
        suite.check("local-adult-mondrian-k10", adult, "mondrian", 10)
        suite.check("local-adult-mondrian-snapped", adult, "mondrian", 5, "--snap", "hierarchy")
        suite.check("local-adult-time-limit", adult_in_time)
        suite.check("local-adult-kab-k5", adult, "kab", 5, "--param", "refine-iterations=20")
    suite.end()


if __name__ == "__main__":
    main()
