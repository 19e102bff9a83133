"""compare.py -- what the tool says about a case against what the oracle says; raises Failed."""
import csv

from common import close, expect, expect_equal
from oracle import METRICS, PER_ATTRIBUTE

TIE = 1e-12


def node_lines(text, problem):
    """The output of node_dump: every node of the lattice, each number."""
    lines = text.splitlines()
    header = lines[0].split("\t")
    seen = set()
    for line in lines[1:]:
        found = dict(zip(header, line.split("\t")))
        levels = tuple(int(x) for x in found["levels"].split(","))
        expect(levels not in seen, "node %s is listed twice" % (levels,))
        seen.add(levels)
        node = problem.node(levels)
        what = "node %s: " % found["levels"]
        expect_equal(int(found["outlying"]), node.outlying, what + "outlying rows")
        expect_equal(int(found["classes"]), len(node.classes), what + "classes")
        expect_equal(int(found["feasible"]), int(node.feasible), what + "feasible")
        same_numbers({name: float(found[name]) for name in METRICS if name in found},
                     node.metrics(), what)
    expect_equal(seen, set(problem.lattice()), "nodes of the lattice")
    return len(seen)


def same_numbers(found, expected, what):
    for name, value in expected.items():
        expect(name in found, what + name + " is not given")
        expect(found[name] is not None and close(float(found[name]), value),
               "%s%s: found %r, expected %r" % (what, name, found[name], value))


def report(case, problem, found):
    """The JSON report of a run; returns the node that was released."""
    names = [quasi.name for quasi in case.quasi]
    expect_equal(found["input"]["rows"], problem.n, "input.rows")
    expect_equal(found["input"]["quasi"], names, "input.quasi")
    expect_equal(found["input"]["distinct_tuples"], problem.distinct_tuples(), "distinct_tuples")
    expect_equal(found["parameters"]["k"], case.k, "parameters.k")
    weights = case.exact_weights()
    expect_equal(found["parameters"].get("weights"), weights and dict(zip(names, map(float, weights))),
                 "parameters.weights")
    expect_equal(found["parameters"].get("control"), control(case), "parameters.control")
    solution = found["solution"]
    expect_equal([solution["heights"][name] for name in names], problem.heights(), "heights")
    node = problem.node(solution["levels"][name] for name in names)
    expect(node.feasible, "released node %s is not feasible: %d rows outlying, limit %d"
           % (node.levels, node.outlying, problem.limit))
    chosen(case, problem, found, node)
    expect_equal(solution["classes"], len(node.classes), "solution.classes")
    expect_equal(solution["suppressed_rows"], node.outlying, "suppressed_rows")
    expect_equal(solution["released_rows"], problem.n - node.outlying, "released_rows")
    expect_equal(solution["masked_rows"], masked_rows(case, node), "masked_rows")
    same_numbers(found["metrics"], node.metrics(), "metrics.")
    for i, name in enumerate(names):
        entry = next(a for a in found["attributes"] if a["name"] == name)
        what = "attribute %s: " % name
        expect_equal((entry["level"], entry["height"]), (node.levels[i], problem.heights()[i]),
                     what + "level, height")
        same_numbers({key: entry[key] for key in PER_ATTRIBUTE if key in entry},
                     {key: value for key, value in node.attribute(i).items() if key in entry}, what)
    if not masked_rows(case, node):
        risk(found["risk"], node, persons(found))
        expect_equal(solution["k"], node.smallest(), "solution.k")
    return node


def control(case):
    """The settings of single columns as the report repeats them, in the order in which the config names columns."""
    found = {}
    for name in case.attributes():
        for key, level in case.limits.get(name, ({}, True))[0].items():
            found.setdefault(key.replace("_", "-"), []).append("%s=%d" % (name, level))
    return {key: ", ".join(items) for key, items in found.items()} or None


def persons(found):
    """Fewest persons of a class where persons are counted, else None. The figure itself is checked with the models."""
    return next((model["reached"] for model in found["parameters"].get("models", ()) if model["model"] == "persons"),
                None)


def risk(found, node, crowd=None):
    smallest, released = node.smallest(), sum(node.classes.values())
    crowd = smallest if crowd is None else min(crowd, smallest)
    same_numbers(found, {"prosecutor_max": 1 / crowd if crowd else 0,
                         "prosecutor_mean": len(node.classes) / released if released else 0,
                         "uniques": list(node.classes.values()).count(1)}, "risk.")


def chosen(case, problem, found, node):
    """Is it the node that an exact search must give; does a search claim more than it may?"""
    search = found["search"]
    best = problem.optimum(case.metric)
    loss, least = float(node.exact(case.metric)), float(best.exact(case.metric))
    expect(close(float(search["loss"]), loss), "search.loss %r, expected %r" % (search["loss"], loss))
    expect(loss >= least - TIE, "better than the optimum: %r < %r" % (loss, least))
    exact = case.algorithm == "exhaustive"
    if exact:
        expect(search["optimal"], "exhaustive does not claim the optimum")
    if exact or search["optimal"]:
        expect(loss <= least + TIE * max(1, least), "%s %r at %s is not the optimum %r at %s"
               % (case.metric, loss, node.levels, least, best.levels))
    if exact:
        expect_equal(node.levels, best.levels, "tie-break (metric %s %r, suppressed %d against %d)"
                     % (case.metric, loss, node.outlying, best.outlying))
    if case.algorithm in CLASSICS:
        CLASSICS[case.algorithm](case, problem, search, node)
    if search.get("lower_bound") is not None:
        expect(search["lower_bound"] <= least + 1e-9 * max(1, least),
               "lower bound %r above the optimum %r" % (search["lower_bound"], least))
    if search.get("bounds") is not None:
        expect_equal([search["bounds"][quasi.name] for quasi in case.quasi], problem.bounds(), "bounds")
    nodes = 1
    for low, high in problem.allowed:
        nodes *= high - low + 1
    expect_equal(search["lattice_nodes"], nodes, "lattice_nodes")


def at_most(case, node, others, what):
    loss, least = float(node.exact(case.metric)), min(float(x.exact(case.metric)) for x in others)
    expect(loss <= least + TIE * max(1, least), "%s: %s %r at %s, %s has %r"
           % (case.algorithm, case.metric, loss, node.levels, what, least))


def grows(case, problem):
    """Does no loss fall when a level rises? Then the best node is a minimal one."""
    return case.metric in ("log", "height") or problem.limit == 0


def feasible_nodes(problem):
    return [x for x in map(problem.node, problem.lattice()) if x.feasible]


def lower(problem, levels):
    return [levels[:i] + (level - 1,) + levels[i + 1:] for i, level in enumerate(levels)
            if level > problem.allowed[i][0]]


def minimal_nodes(case, problem, search, node):
    """ola, incognito: the best minimal node or better, and a proof where there is one."""
    minimal = [x for x in feasible_nodes(problem)
               if not any(problem.node(y).feasible for y in lower(problem, x.levels))]
    at_most(case, node, minimal, "a minimal node")
    if grows(case, problem):
        expect(search["optimal"], "%s does not claim the optimum of %s" % (case.algorithm, case.metric))


def least_height(case, problem, search, node):
    """samarati: the best node of the least height or better."""
    feasible = feasible_nodes(problem)
    height = min(sum(x.levels) for x in feasible)
    at_most(case, node, [x for x in feasible if sum(x.levels) == height], "the least height")
    if case.metric == "height":
        expect(search["optimal"], "samarati does not claim the least height")


def most_values(case, problem, search, node):
    """datafly: the greedy walk from the bounds, or the top where that loses less."""
    levels, heights = problem.bounds(), [high for _, high in problem.allowed]
    while not problem.node(levels).feasible:
        counts = [len(set(problem.groups[i][level])) if level < heights[i] else 0
                  for i, level in enumerate(levels)]
        levels[counts.index(max(counts))] += 1
    walked = problem.node(levels)
    at_most(case, node, [walked], "the walk")
    expect(node.levels in (walked.levels, tuple(heights)), "datafly is at %s, the walk ends at %s"
           % (node.levels, walked.levels))
    if grows(case, problem):
        expect_equal(node.levels, walked.levels, "end of datafly's walk")


CLASSICS = {"ola": minimal_nodes, "incognito": minimal_nodes, "samarati": least_height,
            "datafly": most_values}


def masked_rows(case, node):
    """Suppressed rows that stay in the release: none when, with those that read `*` anyway, they would be a
    class that may not be released, and none where presence is hidden: each tells that there is one person more."""
    if case.suppressed != "mask" or "delta-presence" in getattr(case, "asked", ()):
        return 0
    rows = [row for row, labels in enumerate(node.problem.released_labels(node))
            if labels is None or all(label == "*" for label in labels)]
    return node.outlying if node.outlying and node.problem.mask_holds(rows) else 0


def release(case, problem, node, path):
    """The released file, row by row."""
    with open(path, newline="", encoding="utf-8") as file:
        records = list(csv.reader(file, delimiter=case.delimiter))
    dropped = {"name"} if case.identifiers == "drop" else set()
    kept = [name for name in case.header if name not in dropped]
    expect_equal(records[0], kept, "released header")
    row_of = {rid: row for row, rid in enumerate(case.cells["rid"])}
    labels, masked = problem.released_labels(node), masked_rows(case, node)
    names = [quasi.name for quasi in case.quasi]
    seen, groups = [], [({}, {}) for _ in names]
    for record in records[1:]:
        cells = dict(zip(kept, record))
        expect(len(record) == len(kept), "a released row has %d fields" % len(record))
        row = row_of[cells["rid"]]
        seen.append(row)
        for name in kept:
            if name not in names:
                expected = "*" if case.roles.get(name) == "identifier" else case.cells[name][row]
                expect_equal(cells[name], expected, "row %s, column %s" % (cells["rid"], name))
        for i, name in enumerate(names):
            what = "row %s, column %s (%r)" % (cells["rid"], name, case.cells[name][row])
            if labels[row] is None:
                expect(masked, "suppressed row %s was released" % cells["rid"])
                expect_equal(cells[name], "*", what)
                continue
            # `hierarchy build` names the groups of a hierarchy that the tool chose by all rows, a release by its own
            if labels[row][i] is not None and not (case.quasi[i].make is None and node.outlying):
                expect_equal(cells[name], labels[row][i], what)
            one_to_one(groups[i], problem.groups[i][node.levels[i]][row], cells[name], what)
    expected = [row for row in range(problem.n) if labels[row] is not None or masked]
    expect_equal(sorted(seen), expected, "released rows")
    if case.keep_order:
        expect_equal(seen, expected, "order of the released rows")


def one_to_one(maps, group, label, what):
    there, back = maps
    expect(there.setdefault(group, label) == label and back.setdefault(label, group) == group,
           "%s: label %r does not go with one group" % (what, label))
