#!/usr/bin/env python3
"""run_explain.py -- what `kanon explain` says about a changed setting is what anonymize does with it: random
tables, every line of the table run for real.

    run_explain.py [--rounds N] [--seed S]
"""
import argparse
import csv
import io
import json
import os
import random
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

import jsonschema_mini
from common import (ROOT, Folder, Suite, anonymize, anonymize_ok, close, either, expect, expect_equal, kanon, need_shared,
                    need_tool, node_dump, run)

QUASI = ("age", "zip", "sex", "born")
METRICS = ("log", "precision", "dm", "glm", "gcp", "cm", "entropy", "height", "total_il")
SCHEMA = os.path.join(ROOT, "docs", "explain.schema.json")


def people(rng, count):
    rows = [["id", "age", "zip", "sex", "born", "ill", "who"]]
    for number in range(count):
        rows.append(["p%03d" % number, str(rng.randint(18, 70)), "80%03d" % rng.randint(10, 40),
                     rng.choice(["F", "M", "M", "?"]), str(rng.randint(1950, 1965)),
                     rng.choice(["flu", "cold", "asthma", "flu"]), "w%d" % rng.randint(0, count // 2)])
    return rows


def csv_text(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def explain(table, options, code=0):
    done = kanon("explain", table, "--json", "-q", "--time-limit", "none", *options)
    expect(done.code == code, "exit code %d expected -- %s" % (code, done.line()))
    found = json.loads(done.out.decode("utf-8"))
    with open(SCHEMA, encoding="utf-8") as file:
        problems = jsonschema_mini.validate(found, json.load(file))
    expect(not problems, "schema: %s" % problems[:1])
    return found


def without(options, name):
    """Options with one of them, and its value, taken out."""
    at = options.index(name)
    return options[:at] + options[at + 2:]


def changed(options, change):
    """The options with a change, as a user would type it."""
    words = shlex.split(change["setting"])
    if words[0] == "without":
        return without(options, words[1])
    if change["change"] == "drop":
        at = options.index("--qi") + 1
        kept = [name for name in options[at].split(",") if name != change["column"]]
        return options[:at] + [",".join(kept)] + options[at + 1:] + words
    return options + words


def remaining(options, change):
    """The share of the quasi-identifiers' weights that a change leaves."""
    names = options[options.index("--qi") + 1].split(",")
    weights = dict.fromkeys(names, 1)
    if "--weight" in options:
        name, weight = options[options.index("--weight") + 1].split("=")
        weights[name] = float(weight)
    gone = weights[change["column"]] if change["change"] == "drop" else 0
    return 1 - gone / sum(weights.values())


def sets_hold(folder, table, options, found):
    """A release of each set keeps at least what is said, and with local recoding exactly that."""
    for one in found["sets"]:
        names = [column["name"] for column in one["columns"]]
        weights = [i for i, word in enumerate(options) if word == "--weight" and options[i + 1].split("=")[0] not in names]
        kept = [word for i, word in enumerate(options) if i not in weights and i - 1 not in weights and not (
            (word == "--hierarchy" and options[i + 1].split("=")[0] not in names)
            or (i and options[i - 1] == "--hierarchy" and word.split("=")[0] not in names))]
        at = kept.index("--qi") + 1
        kept[at] = ",".join(names)
        local = "classes" in found
        report = anonymize_ok(folder, table, kept if local else [*kept, "--metric", "glm", "--algorithm", "exhaustive"])
        share = report["verdict"]["kept"]
        expect(close(share, one["kept"], 1e-7) if local else share >= one["kept"] - 1e-7, "%s keep %r, said: %r (%s)" % (
            names, share, one["kept"], options))


def weaker_last(found):
    """No change with as much privacy comes after one with less, and the advice does not begin with one."""
    weak = [change["weakens_privacy"] for change in found["changes"]]
    expect_equal(weak, sorted(weak), "changes that weaken the privacy come last")
    better = found["verdict"]["better"]
    stronger = [c for c in found["changes"] if not c["weakens_privacy"] and c["setting"] and c.get("feasible")]
    if found["feasible"]:
        stronger = [c for c in stronger if c["kept"] > found["solution"]["kept"] + 1e-9]
    if stronger and better:
        expect("less privacy" not in better.split(";")[0], "the first advice: %s" % better)


def same_as_run(folder, table, options, change, metric):
    """One line of the table against a run."""
    done, report = anonymize(folder, table, changed(options, change))
    what = "%s (%s)" % (change["setting"], " ".join(map(str, options)))
    if not change["feasible"]:
        expect_equal(done.code, 2, "exit code with " + what)
        return
    expect(done.code == 0, "with %s: %s" % (what, done.line()))
    expect_equal(change["suppressed_rows"], report["solution"]["suppressed_rows"], "suppressed with " + what)
    expect(close(change["loss"], report["metrics"][metric]), "%s with %s: %r, run: %r" % (
        metric, what, change["loss"], report["metrics"][metric]))
    expect(close(change["kept"], report["verdict"]["kept"] * remaining(options, change), 1e-7), "kept with %s: %r, run: %r" % (
        what, change["kept"], report["verdict"]["kept"]))
    expect_equal(change["weakens_privacy"], change["change"] == "model" or (change["change"] == "k" and change["to"] < change["from"]),
                 "whether %s weakens the privacy" % what)
    expect_equal(change.get("levels"), report["solution"].get("levels"), "levels with " + what)
    expect_equal(change["proven"], report["search"]["optimal"], "proof with " + what)


def settings_of(rng):
    metric = rng.choice(METRICS)
    quasi = rng.sample(QUASI, rng.randint(1, 4))
    options = ["--qi", ",".join(quasi), "--sensitive", "ill", "-k", str(rng.randint(2, 12)),
               "--suppression", rng.choice(["0", "0.01", "0.05", "0.13"]), "--metric", metric]
    if rng.random() < 0.5 and "age" in quasi:
        options += ["--hierarchy", "age=range:5,10,50"]
    if rng.random() < 0.2:
        options += ["--weight", quasi[0] + "=3"]
    if rng.random() < 0.25:
        options += ["--algorithm", rng.choice(["kgen", "ola", "datafly", "exhaustive"])]
    elif rng.random() < 0.35:
        options += rng.choice([["--l-diversity", "2"], ["--t-closeness", "0.3"],
                               ["--l-diversity", "2", "--t-closeness", "0.4"]])
    elif rng.random() < 0.5:
        options += ["--entity", "who"]
    return options, metric


def population_of(rng, rows, folder):
    """Options for a population: the table's own people, each with others who have their values."""
    more = [rng.choice(rows[1:]) for _ in range(rng.choice([0, 1, 3]) * len(rows))]
    path = folder.write("p.csv", csv_text(rows + more))
    return rng.choice([["--delta-presence", "0.05,0.9"], ["--delta-presence", "0.2,1"], ["--delta-presence", "0.6"],
                       ["--k-map", "8"]]) + ["--population", path]


def equal_runs(seed, rounds):
    kinds = set()
    for turn in range(rounds):
        rng = random.Random("explain-%s-%d" % (seed, turn))
        options, metric = settings_of(rng)
        with Folder() as folder:
            rows = people(rng, rng.randint(20, 90))
            table = folder.write("t.csv", csv_text(rows))
            if "--algorithm" not in options and rng.random() < 0.3:
                options += population_of(rng, rows, folder)
            done, report = anonymize(folder, table, options)
            found = explain(table, options, done.code)
            expect_equal(found["feasible"], done.code == 0, "feasible")
            if report:
                expect_equal(found["solution"]["levels"], report["solution"]["levels"], "levels")
                expect_equal(found["solution"]["suppressed_rows"], report["solution"]["suppressed_rows"],
                             "suppressed")
                expect(close(found["solution"]["loss"], report["metrics"][metric]), metric)
            weaker_last(found)
            sets_hold(folder, table, options, found)
            for change in found["changes"]:
                expect(change["computed"], "everything is computed without a time limit")
                if change["setting"]:
                    same_as_run(folder, table, options, change, metric)
                kinds.add((change["change"], change["feasible"]))
    expect({("k", True), ("suppression", True), ("drop", True), ("model", True), ("level", True),
            ("level", False)} <= kinds, "kinds of changes seen: %s" % sorted(kinds))


def equal_local_runs(seed, rounds):
    """The same with local recoding; and its parts add up."""
    for turn in range(rounds):
        rng = random.Random("local-%s-%d" % (seed, turn))
        metric = rng.choice(("gcp", "glm", "total_il"))
        quasi = rng.sample(QUASI, rng.randint(1, 4))
        options = ["--qi", ",".join(quasi), "--sensitive", "ill", "-k", str(rng.randint(2, 9)), "--metric", metric,
                   "--algorithm", rng.choice(("mondrian", "k-members", "oka")), "--suppression", "0.05"]
        if rng.random() < 0.4:
            options += ["--l-diversity", "2"]
        if rng.random() < 0.3:
            options += ["--snap", "hierarchy"]
        with Folder() as folder:
            table = folder.write("t.csv", csv_text(people(rng, rng.randint(20, 70))))
            done, report = anonymize(folder, table, options)
            found = explain(table, options, done.code)
            if report:
                expect(close(found["solution"]["loss"], report["metrics"][metric]), metric)
                expect_equal(found["classes"]["count"], report["solution"]["classes"], "classes")
                for column, attribute in zip(found["columns"], report["attributes"]):
                    expect_equal(column["name"], attribute["name"], "column")
                    expect(close(column["glm"], attribute["glm"]), "glm of " + column["name"])
                shares = sum(column["share_of_loss"] for column in found["columns"])
                expect(shares == 0 or abs(shares - 1) < 1e-9, "shares of the columns: %r" % shares)
            weaker_last(found)
            sets_hold(folder, table, options, found)
            for change in found["changes"]:
                same_as_run(folder, table, options, change, metric)


def node_table(helper, config, table):
    """levels -> {number: value} of every node."""
    done = run([helper, config, table])
    expect(done.code == 0, "node_dump: " + done.line())
    lines = [line.split("\t") for line in done.out.decode("utf-8").splitlines()]
    return {line[0]: dict(zip(lines[0], line)) for line in lines[1:]}


def equal_nodes(seed, rounds):
    """One level up or down: against a dump of the whole lattice."""
    helper = node_dump()
    if not helper:
        from common import Skip
        raise Skip("node_dump was not built")
    for turn in range(rounds):
        rng = random.Random("levels-%s-%d" % (seed, turn))
        metric = rng.choice(METRICS)
        with Folder() as folder:
            table = folder.write("t.csv", csv_text(people(rng, rng.randint(20, 90))))
            roles = "".join("  %s: {role: quasi}\n" % name for name in QUASI)
            config = folder.write("c.yaml", "k: %d\nsuppression: %s\nmetric: %s\nattributes:\n%s"
                                  "  ill: {role: sensitive}\n" % (rng.randint(2, 6), rng.choice([0, 0.1]),
                                                                  metric, roles))
            found = explain(table, ["-c", config])
            nodes = node_table(helper, config, table)
            order = [c["name"] for c in found["columns"]]
            lines = [c for c in found["changes"] if c["change"] == "level"]
            expect(lines, "levels are changed")
            for change in lines:
                key = ",".join(str(change["levels"][name]) for name in order)
                node = nodes.get(key) or nodes[key.replace(",", " ")]
                expect_equal(change["suppressed_rows"], int(node["outlying"]), "rows at " + key)
                expect(close(change["loss"], float(node[metric])), "%s at %s" % (metric, key))
                expect_equal(change["feasible"], node["feasible"] in ("1", "true", "yes"), "feasible at " + key)
            for column in found["columns"]:
                groups_add_up(column["here"])


def groups_add_up(where):
    named = sum(g["outlying_rows"] for g in where["groups"])
    expect(named + where["rare"]["outlying_rows"] <= where["outlying_rows"], "groups have too many rows")
    for group in where["groups"]:
        expect(0 < group["outlying_rows"] <= group["rows"], "rows of a group")


def no_release(_seed):
    """Settings that cannot work: what is offered instead does, and nothing nearer does."""
    rng = random.Random(5)
    with Folder() as folder:
        table = folder.write("t.csv", csv_text(people(rng, 30)))
        options = ["--qi", "age,zip", "--sensitive", "ill", "--suppression", "0"]
        found = explain(table, options + ["-k", "44"], 2)
        ks = [c for c in found["changes"] if c["change"] == "k"]
        expect_equal([c["to"] for c in ks], [30], "greatest k with a release")
        same_as_run(folder, table, options + ["-k", "44"], ks[0], "glm")
        found = explain(table, options + ["-k", "3", "--l-diversity", "7"], 2)
        weaker = [c for c in found["changes"] if c["change"] == "model" and c["to"] is not None]
        expect_equal([c["to"] for c in weaker], [3], "greatest l with a release")
        expect([c for c in found["changes"] if c["change"] == "model" and c["to"] is None and c["feasible"]],
               "without the model there is a release")
        for change in found["changes"]:
            same_as_run(folder, table, options + ["-k", "3", "--l-diversity", "7"], change, "glm")


def secrets(_seed):
    """Neither identifiers nor rare values are told."""
    rng = random.Random(7)
    rows = people(rng, 120)
    for i in range(1, len(rows)):
        rows[i][0] = "SECRETID%d" % i
    rows.append(["SECRETIDX", "99777", "SECRETZIP", "SECRETSEX", "1811", "SECRETILL", "SECRETWHO"])
    with Folder() as folder:
        table = folder.write("t.csv", csv_text(rows))
        for k in ("2", "5", "200"):
            for form in ([], ["--json"]):
                done = kanon("explain", table, "--qi", ",".join(QUASI), "--id", "id", "--sensitive", "ill",
                             "-k", k, "--suppression", "0.05", *form)
                said = (done.out + done.err).decode("utf-8")
                expect(done.code in (0, 2) and said, done.line())
                for secret in ("SECRET", "99777", "1811"):
                    expect(secret not in said, "%r is in the output with k %s" % (secret, k))


def adult(_seed):
    """Nine quasi-identifiers in a few seconds, and a sample of the table run for real."""
    table = need_shared("data", "adult", "adult.csv")
    quasi = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
             "salary-class")
    options = ["--qi", ",".join(quasi), "-k", "5", "--suppression", "0.01"]
    for name in quasi:
        options += ["--hierarchy", "%s=%s" % (name, os.path.join(os.path.dirname(table),
                                                                 "adult_hierarchy_%s.csv" % name))]
    found = explain(table, options)
    print("# adult, 9 QIs: %d changes in %.1f s" % (len(found["changes"]), found["seconds"]))
    expect(found["seconds"] < 30, "took %.1f s" % found["seconds"])
    lines = [c for c in found["changes"] if c["setting"]]
    with Folder() as folder:
        for change in lines[::5]:
            same_as_run(folder, table, options, change, "glm")


def refuses(_seed):
    with Folder() as folder:
        table = folder.write("t.csv", csv_text(people(random.Random(1), 30)))
        done = kanon("explain", table, "--qi", "age", "--algorithm", "mondrian", "--metric", "log")
        expect_equal(done.code, 1, "exit code")
        expect("cannot minimise" in done.err.decode(), done.line())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=either(8, 40))
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    suite = Suite()
    suite.check("explain-tool", need_tool)
    suite.check("explain-equals-runs", equal_runs, arguments.seed, arguments.rounds)
    suite.check("explain-equals-local-runs", equal_local_runs, arguments.seed, max(1, arguments.rounds // 4))
    suite.check("explain-equals-nodes", equal_nodes, arguments.seed, arguments.rounds)
    for name, check in (("no-release", no_release), ("secrets", secrets), ("adult", adult),
                        ("refuses", refuses)):
        suite.check("explain-" + name, check, arguments.seed)
    suite.end()


if __name__ == "__main__":
    main()
