#!/usr/bin/env python3
"""run_cross.py -- the oracle of the soak test against the one in Python: the same jobs, two implementations that share nothing.

The soak test has held a report against its own oracle; here the report, the number of feasible nodes and the least
loss are held against tests/oracle.

    run_cross.py [--cases N] [--seed S]
"""
import argparse
import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import compare
import hierarchies as hi
import models
import verify_local
import verify_release
from common import KANON, Failed, Folder, Skip, Suite, close, either, expect, expect_equal, run
from oracle import MISSING, Problem, Table

SOAK = os.path.join(os.environ.get("KANON_BUILD", os.path.dirname(KANON)), "tests", "soak", "soak")
OK = re.compile(r"^ok soak-job-\d+; files in (.*); (\d+) of (\d+) nodes are feasible, the least loss is (.*)$")
FORMULA = re.compile(r"[\t\r].|[=+@-][^0-9A-Za-z\x80-\U0010ffff]*[0-9A-Za-z\x80-\U0010ffff]", re.DOTALL)
NUMBER = re.compile(r"[+-][., %]*\d(?:[\d., %]|[eE](?:[+-]|(?=.)))*", re.DOTALL)
LOCAL = ("mondrian", "k-members", "oka", "ika", "bha", "kab")


class Job:
    """The files of one job."""

    def __init__(self, path):
        self.path = path
        self.config = json.loads(self.read("config.json"))
        self.tokens = tuple(self.config.get("missing", ("", "?", "NA")))
        self.attributes = self.config["attributes"]
        self.table = self.read_table()

    def read(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def has(self, name):
        return os.path.exists(os.path.join(self.path, name))

    def read_table(self):
        data = self.read("table.csv")
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        text = data.decode("latin-1" if self.config.get("encoding") else "utf-8-sig")
        if text.startswith("sep="):
            text = text.split("\n", 1)[1]
        given = self.config.get("delimiter")
        self.delimiter = {"tab": "\t", None: max(",;\t|", key=text.split("\n")[0].count)}.get(given, given)
        records = list(csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter,
                                  quotechar=self.config.get("quote", '"')))
        while records and not any(records[-1]) and len(records) > 1:
            records.pop()
        if not records:  # an empty file, of a table without a header
            return Table([], [], self.tokens)
        if self.config.get("header") == "no":
            header = [""] * len(records[0])
        else:
            header = [name.strip() for name in records.pop(0)]
        header = [name or "column%d" % (i + 1) for i, name in enumerate(header)]
        return Table(header, [row for row in records if row], self.tokens)

    def names(self, role):
        return [name for name in self.table.header if self.attributes.get(name, {}).get("role") == role]

    def levels_of(self, name):
        """A hierarchy file, whatever stands between its cells."""
        text = self.read(name).decode("utf-8")
        quoted = re.match(r'"(?:[^"]|"")*"([,\t])"', text)  # where that is no semicolon, all cells are in quotes
        delimiter = quoted[1] if quoted else ";"
        return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]

    def hierarchy(self, name):
        table, entry = self.table, self.attributes[name]
        values, missing = table.values(name), table.missing(name)
        kind, _, rest = entry["hierarchy"].partition(":")
        if kind == "file":
            numeric = False if entry.get("type") == "string" else None
            return hi.from_rows(self.levels_of(rest), values, missing, self.tokens, numeric=numeric)
        if kind == "place":
            rows = [row + ["*"] for row in self.levels_of(rest)[1:]]
            known = {row[0]: row for row in rows}
            return hi.from_rows([known[value] for value in values] or [[""] * (len(rows[0]) - 1) + ["*"]], values,
                                missing, self.tokens, "place", False)
        if kind in ("order", "auto") or (kind == "range" and not rest):
            return self.chosen(name, kind, values, missing)
        return verify_release.build(entry["hierarchy"], values, missing, self.tokens)

    def chosen(self, name, kind, values, missing):
        path = os.path.join(self.path, "built.csv")
        done = run([KANON, "hierarchy", "build", "table.csv", "--column", name, "-c", "config.json", "-o", path,
                    "--force", "-q"], cwd=self.path)
        expect(done.code == 0, "hierarchy build %s: %s" % (name, done.line()))
        made = hi.from_rows(hi.read_levels(path), values, missing, self.tokens, kind)
        made.numeric = made.numeric or kind == "range"
        if made.numeric and kind != "order":
            hi.read_intervals(made)
        return made

    def asked_of(self, name):
        """What is asked of all sensitive columns, and of this one instead."""
        own = {key.replace("_", "-"): value for key, value in self.attributes[name].items()
               if key.replace("_", "-") in ("p-sensitive", "t-closeness")}
        return {key: value for key, value in {**self.config, **own}.items() if value != "off"}

    def models_of(self, name):
        asked, values = self.asked_of(name), self.table.leaves(name)
        if "l-diversity" in asked:
            kind, l = asked["l-kind"], asked["l-diversity"]
            yield {"distinct": lambda: models.Distinct(name, values, int(l)),
                   "entropy": lambda: models.Entropy(name, values, Fraction(l)),
                   "recursive": lambda: models.Recursive(name, values, Fraction(asked["l-c"]), int(l))}[kind]()
        if "p-sensitive" in asked:
            yield models.PSensitive(name, values, int(asked["p-sensitive"]))
        if "alpha" in asked:
            yield models.Alpha(name, values, Fraction(asked["alpha"]))
        if "beta-likeness" in asked:
            kind = models.EnhancedBeta if asked.get("beta-kind") == "enhanced" else models.Beta
            yield kind(name, values, Fraction(asked["beta-likeness"]))
        if "delta-disclosure" in asked:
            yield models.Disclosure(name, values, Fraction(asked["delta-disclosure"]))
        if "t-closeness" in asked:
            yield self.t_model(name, values, Fraction(asked["t-closeness"]))

    def t_model(self, name, values, limit):
        entry = self.attributes[name]
        if self.config.get("t-distance") == "equal" or not ("type" in entry or "hierarchy" in entry):
            return models.Equal(name, values, limit)
        if "hierarchy" in entry:
            return models.Hierarchical(name, values, limit, self.hierarchy(name))
        distinct = [v for v in dict.fromkeys(values) if v is not MISSING]
        return models.Ordered(name, values, limit, sorted(distinct, key=hi.number) + [MISSING] * (MISSING in values))

    def allowed_levels(self, name, height):
        given = self.attributes[name]
        return (given.get("level", given.get("min_level", 0)), given.get("level", given.get("max_level", height)))

    def problem(self):
        quasi, config = self.names("quasi"), self.config
        share = config["suppression"]
        eta = Fraction(share.rstrip("%")) / (100 if "%" in share else 1)
        made = [self.hierarchy(name) for name in quasi]
        label = self.table.leaves(config["label"]) if "label" in config else None
        weights = [Fraction(str(self.attributes[name].get("weight", 1))) for name in quasi]
        found = Problem([self.table.leaves(name) for name in quasi], made, config["k"], eta, label, weights)
        found.allowed = [self.allowed_levels(name, h.height) for name, h in zip(quasi, made)]
        self.models = [m for name in self.names("sensitive") for m in self.models_of(name)]
        if "entity" in config:
            self.models.append(models.Persons(config["entity"], self.table.leaves(config["entity"]), config["k"]))
        if "k-column" in config:
            wants = [1 if cell is MISSING else int(cell) for cell in self.table.leaves(config["k-column"])]
            self.models.append(models.OwnK(config["k-column"], wants, 1))
        found.requirement = lambda node, rows: all(model.holds(rows) for model in self.models)
        return found


def judge_lattice(job, problem, nodes, feasible, least):
    fit = [node for node in map(problem.node, problem.lattice()) if node.feasible]
    expect_equal((nodes, feasible), (len(list(problem.lattice())), len(fit)), "nodes, feasible nodes")
    if not job.has("report.json"):
        return
    report = json.loads(job.read("report.json"))
    metric = report["parameters"]["metric"]
    best = min(float(node.exact(metric)) for node in fit)
    expect(close(best, least), "least %s: %r, the other oracle says %r" % (metric, best, least))
    node = problem.node(report["solution"]["levels"][name] for name in job.names("quasi"))
    compare.same_numbers(report["metrics"], node.metrics(), "metrics.")
    if report["solution"]["masked_rows"]:
        return
    classes = {}
    for row, (key, released) in enumerate(zip(node.keys, node.released)):
        if released:
            classes.setdefault(key, []).append(row)
    listed = {(m["model"], m["column"]): m["reached"] for m in report["parameters"].get("models", [])}
    for model in job.models:
        reached = model.worst(classes.values())
        found = listed[model.key, model.column]
        expect(found is None if reached in (None, models.INFINITE) else close(found, float(reached)),
               "%s reaches %r, expected %r" % (model.key, found, reached))


def without_apostrophe(cell):
    """What --formulas quote made of a cell, undone; by the words of docs/FORMATS.md."""
    bare = cell.lstrip("'")
    runs = FORMULA.match(bare) and not NUMBER.fullmatch(bare)
    return cell[1:] if runs and bare != cell else cell


def judge_local(job, report):
    table = job.table
    row = next((name for name in table.header if table.column(name) == ["r%d" % i for i in range(len(table.rows))]), None)
    if row is None or job.config.get("header") == "no" or job.config.get("quote") or "entity" in job.config:
        return False  # verify_local.py needs a column of rows and a header, and counts no persons
    if job.config["intervals"] == "dash":
        return False  # verify_local.py knows intervals in words
    if job.config.get("others") == "drop":
        kept = [i for i, name in enumerate(table.header) if "role" in job.attributes.get(name, {})]
        table = Table([table.header[i] for i in kept], [[row[i] for i in kept] for row in table.rows], job.tokens)
    names = job.names("quasi")
    made = {name: job.hierarchy(name) for name in names}
    if any(None in labels.values() for h in made.values() for labels in h.labels):
        return False  # labels that are not fixed by the definitions
    bom = job.read("out.csv")[:3] == b"\xef\xbb\xbf"
    verify_local.verify(table, os.path.join(job.path, "out.csv"), report, made, row=row, label=job.config.get("label"),
                        delimiter=job.delimiter, identifiers=job.names("identifier"),
                        understand=without_apostrophe if job.config.get("formulas") == "quote" else None,
                        encoding=job.config.get("encoding") or ("utf-8-sig" if bom else "utf-8"),
                        grids={name: str(job.attributes[name]["grid"]) for name in names
                               if "grid" in job.attributes[name]})
    return True


def one(index, seed, folder):
    """Whether there was something to compare."""
    done = subprocess.run([SOAK, "--seed", str(seed), "--only", str(index), "--keep", folder], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    found = OK.match(done.stdout.decode("utf-8", "replace").strip())
    expect(found, done.stdout.decode("utf-8", "replace").strip() or "the soak test says nothing")
    job = Job(found[1])
    if "population" in job.config or not job.table.rows:
        return False
    report = json.loads(job.read("report.json")) if job.has("report.json") else None
    if report and report["parameters"]["algorithm"] in LOCAL:
        return judge_local(job, report)
    if int(found[3]) == 0:
        return False  # refused, or by a clusterer
    judge_lattice(job, job.problem(), int(found[3]), int(found[2]), float(found[4]))
    return True


def all_cases(suite, options):
    if not os.access(SOAK, os.X_OK):
        raise Skip("%s was not built" % SOAK)
    compared = failures = index = 0
    with Folder() as folder:
        while compared < options.cases and failures < 5:
            try:
                compared += one(index, options.seed, folder.path)
            except (Failed, ValueError, KeyError, IndexError) as why:
                failures += 1
                suite.fail("cross-case-%d" % index, "%s: %s" % (type(why).__name__, why))
            index += 1
    expect(not failures, "%d of %d jobs differ (seed %s)" % (failures, compared, options.seed))
    suite.say("ok cross-oracles (%d jobs)" % compared)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(60, 1000))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    suite = Suite()
    suite.check("cross-check of two oracles (seed %s)" % options.seed, all_cases, suite, options)
    suite.end()


if __name__ == "__main__":
    main()
