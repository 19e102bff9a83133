#!/usr/bin/env python3
"""run_random.py -- thousands of random small jobs through the tool, each compared with the oracle.

Per case: every node of the lattice through node_dump (where it was built), then a release, whose node,
rows, metrics and report must be the oracle's. A failing case is left in a folder with its command.

    run_random.py [--cases N] [--seed S] [--jobs J] [--only INDEX]
"""
import argparse
import multiprocessing
import os
import shutil
import tempfile

import compare
from cases import Case
from common import KANON, Failed, Folder, Suite, either, expect, need_tool, node_dump, run
from hierarchies import read_levels

FAILURES_MOST = 10


def chosen_by_tool(case, folder):
    """Level lists of the hierarchies that the tool makes from the data."""
    found = {}
    for quasi in case.quasi:
        if quasi.make is None:
            path = folder.file(quasi.name + "-built.csv")
            done = run([KANON, "hierarchy", "build", folder.file("table.csv"), "--column", quasi.name,
                        "-c", folder.file("config.yaml"), "-o", path])
            expect(done.code == 0, "hierarchy build %s: %s" % (quasi.name, done.line()))
            found[quasi.name] = read_levels(path)
    return found


def every_node(case, folder, problem):
    helper = node_dump()
    if not helper:
        return 0
    done = run([helper, folder.file("config.yaml"), folder.file("table.csv")], cwd=folder.path)
    expect(done.code == 0, "node_dump: " + done.line())
    return compare.node_lines(done.out.decode("utf-8"), problem)


def one_release(case, folder, problem):
    out, report = folder.file("out.csv"), folder.file("report.json")
    done = run(command_of(case, folder.path))
    best = problem.optimum(case.metric)
    if best is None:
        expect(done.code == 2, "nothing is feasible, but " + done.line())
        expect(not os.path.exists(out), "a release was left although nothing is feasible")
        return
    expect(done.code == 0, "node %s is feasible, but %s" % (best.levels, done.line()))
    if case.n == 0:
        empty(folder)
        return
    node = compare.report(case, problem, folder.json("report.json"))
    compare.release(case, problem, node, out)
    os.remove(report)


def empty(folder):
    found = folder.json("report.json")
    expect(found["input"]["rows"] == 0 and found["solution"]["released_rows"] == 0, "rows of nothing")
    expect(len(folder.read("out.csv").splitlines()) == 1, "the release of nothing is a header")
    for name, value in found["metrics"].items():
        expect(value == 0, "metric %s of nothing is %r" % (name, value))


def command_of(case, path):
    return [KANON, "anonymize", os.path.join(path, "table.csv"), "-o", os.path.join(path, "out.csv"),
            "--report", os.path.join(path, "report.json"), "-q"] + case.options(path)


def one_case(arguments):
    """(index, nodes compared, None or why it failed)."""
    seed, index = arguments
    case = Case(seed, index)
    nodes = 0
    with Folder() as folder:
        case.write(folder.path)
        try:
            problem = case.problem(chosen_by_tool(case, folder))
            if case.n:
                nodes = every_node(case, folder, problem)
            one_release(case, folder, problem)
        except Exception as why:
            text = str(why) if isinstance(why, Failed) else "%s: %s" % (type(why).__name__, why)
            return index, nodes, saved(case, folder, text)
    return index, nodes, None


def saved(case, folder, why):
    """Keeps the files of a failing case and says how to run it again."""
    kept = tempfile.mkdtemp(prefix="kanon-case-%d-" % case.index)
    shutil.copytree(folder.path, kept, dirs_exist_ok=True)
    return "%s; files in %s; again: %s" % (why, kept, " ".join(command_of(case, kept)))


def all_cases(suite, options):
    need_tool()
    wanted = [options.only] if options.only is not None else range(options.cases)
    work = [(options.seed, index) for index in wanted]
    nodes = failures = done = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for index, count, why in pool.imap_unordered(one_case, work, chunksize=8):
            nodes, done = nodes + count, done + 1
            if why:
                failures += 1
                suite.fail("random-case-%d" % index, why)
            if failures >= FAILURES_MOST:
                pool.terminate()
                break
    expect(not failures, "%d of %d cases failed (seed %s)" % (failures, done, options.seed))
    if not node_dump():
        suite.say("skip random-nodes: node_dump was not built")
    else:
        suite.say("ok random-nodes (%d nodes, all metrics)" % nodes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(300, 2000))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--only", type=int, default=None)
    options = parser.parse_args()
    suite = Suite()
    suite.check("random-tables (%d cases, seed %s)" % (options.cases, options.seed), all_cases, suite,
                options)
    suite.end()


if __name__ == "__main__":
    main()
