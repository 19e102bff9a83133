#!/usr/bin/env python3
"""run_models.py -- random small jobs under privacy models beyond k, each compared with the oracle.

Every model alone and with others, on one sensitive column or several, with and without suppression: the node that
is released, its rows, its metrics and what it reaches in each model must be the oracle's. What is said about
monotone models is put to the test on the same tables: where a model is called monotone, no node above a feasible
one may be infeasible.

    run_models.py [--cases N] [--seed S] [--jobs J] [--only INDEX]
"""
import argparse
import csv
import json
import multiprocessing
import os
import random
from fractions import Fraction

import compare
import hierarchies as hi
import jsonschema_mini
import models
import run_random
from cases import Case, put, text_of
from common import ROOT, Failed, Folder, Suite, anonymize, close, either, expect, expect_equal, kanon, need_tool, run
from oracle import MISSING

FAILURES_MOST = 10
NEED_MONOTONE = ("ola", "incognito", "samarati")
HEURISTICS = ("kgen", "random", "datafly")
CLUSTERERS = ("mondrian", "k-members", "oka", "ika", "bha", "kab")
PLAIN = tuple(models.with_settings())  # models that a setting of their own asks for
LOCAL_EVERY = 3  # of so many cases one is recoded locally, too


class ModelCase(Case):
    """A case with sensitive columns, columns for persons and for a k of one's own, a population, and models."""

    def __init__(self, seed, index):
        self.with_population = random.Random("%s-%s-people" % (seed, index)).random() < 0.25
        super().__init__("models-%s" % seed, index)
        self.more = random.Random("%s-%s-models" % (seed, index))
        if self.n == 0:
            self.n = 1
            self.again()
        self.more_columns()
        self.settings_of_models()

    def again(self):
        """Every case has rows."""
        for quasi in self.quasi:
            quasi.cells = quasi.cells or [self.tokens[0]]
        self.quasi = [self.quasi_mask("q0")]
        self.columns()
        self.weights, self.limits = {}, {}

    def quasi_order(self, name):
        return self.quasi_mask(name) if self.with_population else super().quasi_order(name)

    def quasi_auto(self, name):
        return self.quasi_range(name) if self.with_population else super().quasi_auto(name)

    def quasi_range_auto(self, name):
        return self.quasi_x10(name) if self.with_population else super().quasi_range_auto(name)

    def settings(self):
        super().settings()
        self.algorithm = self.rng.choice(["exhaustive"] * 8 + ["ola", "incognito", "samarati", "datafly",
                                                               "auto", "kgen", "random"])
        if self.algorithm != "exhaustive":
            self.params = {}

    def more_columns(self):
        rng, n = self.more, self.n
        if rng.random() < 0.4 or not self.label:
            domain = [str(rng.randint(0, 30)) for _ in range(rng.randint(2, 6))]
            if self.with_missing and rng.random() < 0.3:
                domain.append(self.tokens[0])
            self.cells["wage"] = [rng.choice(domain) for _ in range(n)]
            self.roles["wage"] = "sensitive"
            self.label = self.label or "wage"
        if rng.random() < 0.5:
            self.cells["who"] = ["w%d" % rng.randint(0, max(2, n // 2)) for _ in range(n)]
            self.roles["who"] = rng.choice(["identifier", "insensitive"])
        if rng.random() < 0.5:
            self.cells["want"] = [rng.choice(["1", "2", "2", "3", "4", self.tokens[0]]) for _ in range(n)]
            self.roles["want"] = rng.choice(["identifier", "insensitive"])
        if self.identifiers == "drop":
            for name in ("who", "want"):
                if self.roles.get(name) == "identifier":
                    self.roles[name] = "insensitive"  # compare.release knows one column that goes
        fresh = [name for name in self.cells if name not in self.header]
        for name in fresh:
            self.header.insert(rng.randint(0, len(self.header)), name)
        sensitive = [name for name in self.header if self.roles.get(name) == "sensitive"]
        if self.label != "class":
            self.label = sensitive[0]

    def settings_of_models(self):
        rng = self.more
        self.asked = {}
        choices = ["l", "l", "t", "t", "beta"] + [kind.setting for kind in PLAIN]
        choices += ["entity"] * ("who" in self.cells) + ["want"] * ("want" in self.cells)
        choices += ["k-map", "presence"] * 2 * self.with_population
        for name in rng.sample(choices, rng.choice([1, 1, 2, 3])):
            self.ask(name)
        self.own = self.some_own(random.Random("%s-%s-own" % (self.seed, self.index)))
        self.people = self.some_people()
        self.asks_people = "k-map" in self.asked or "delta-presence" in self.asked

    def ask(self, name):
        rng, asked = self.more, self.asked
        if name == "l":
            kind = rng.choice(["distinct", "entropy", "recursive"])
            asked["l-kind"] = kind
            asked["l-diversity"] = rng.choice(["2", "2", "3", "1.5"] if kind == "entropy" else ["2", "2", "3"])
            if kind == "recursive":
                asked["l-c"] = rng.choice(["0.5", "1", "2", "3", "4"])
        elif name == "t":
            asked["t-closeness"] = rng.choice(["0.05", "0.1", "0.2", "0.25", "0.3", "0.5", "0.7"])
            if rng.random() < 0.3:
                asked["t-distance"] = "equal"
        elif name == "beta":
            asked["beta-likeness"] = rng.choice(["0.2", "0.5", "1", "2", "4"])
            asked["beta-kind"] = rng.choice(["basic", "enhanced"])
        elif name == "entity":
            asked["entity"] = "who"
        elif name == "want":
            asked["k-column"] = "want"
        elif name == "k-map":
            asked["k-map"] = rng.choice(["2", "3", "5", "8", "20"])
        elif name == "presence":
            asked["delta-presence"] = rng.choice(["0.3", "0.5", "0.6", "0.8", "0.1,0.6", "0.2,0.9", "0,0.5"])
        else:
            asked[name] = rng.choice(next(kind.limits for kind in PLAIN if kind.setting == name))

    def some_own(self, rng):
        """Per sensitive column: what is asked for it alone, where it is anything."""
        found = {}
        for name in self.header:
            if self.roles.get(name) != "sensitive" or rng.random() < 0.6:
                continue
            own = found[name] = {}
            for setting, limits in [("l-diversity", ("2", "3", "off")), ("t-closeness", ("0.1", "0.3", "0.6", "off")),
                                    ("beta-likeness", ("0.5", "2", "off"))] + [
                                        (kind.setting, kind.limits + ("off",)) for kind in PLAIN]:
                if rng.random() < 0.25:
                    own[setting] = rng.choice(limits)
            if rng.random() < 0.3:
                own["l-kind"] = rng.choice(["distinct", "entropy", "recursive"])
            if rng.random() < 0.2:
                own["l-c"] = rng.choice(["1", "2", "4"])
            if rng.random() < 0.2:
                own["beta-kind"] = rng.choice(["basic", "enhanced"])
            if rng.random() < 0.2:
                own["t-distance"] = rng.choice(["equal", "auto"])
            if self.asked_of(name, own).get("l-kind") != "entropy" and "l-diversity" not in own:
                own.pop("l-kind", None)  # a decimal l is for entropy alone
        return {name: own for name, own in found.items() if own}

    def asked_of(self, name, own=None):
        """What is asked for one column: its own settings, then those of all, then what is usual."""
        usual = {"l-kind": "distinct", "l-c": "3", "beta-kind": "basic"}
        found = {**usual, **self.asked, **(self.own.get(name, {}) if own is None else own)}
        return {setting: value for setting, value in found.items() if value != "off"}

    def some_people(self):
        """The table's own people, and others who share their values or have new ones."""
        rng = self.more
        rows = [[quasi.cells[row] for quasi in self.quasi] for row in range(self.n)]
        for _ in range(rng.choice([0, 3, self.n, 3 * self.n])):
            person = [rng.choice(quasi.cells) for quasi in self.quasi]
            for i, quasi in enumerate(self.quasi):
                if quasi.kind == "x10" and rng.random() < 0.3:
                    person[i] = str(rng.randint(0, 9))
            rows.append(person)
        if rng.random() < 0.1:
            rows = rows[rng.randint(0, len(rows) - 1):] or rows
        rng.shuffle(rows)
        return rows

    def config(self):
        found = super().config()
        found.update(self.asked)
        for name in ("wage", "illness"):
            if name in self.roles and self.sensitive_setting(name):
                found["attributes"][name].update(self.sensitive_setting(name))
        for place, (name, own) in enumerate(self.own.items()):
            for setting, value in own.items():
                key = setting.replace("-", "_") if place % 2 else setting
                found["attributes"][name][key] = value
        if self.with_population:
            found["population"] = "people.csv"
        if self.label not in (None, "class"):
            found["label"] = self.label
        return found

    def sensitive_setting(self, name):
        """Type or hierarchy, which decide the ground distance."""
        if name == "wage":
            return {"type": "number"}
        return {"hierarchy": {"file": "illness.csv"}} if self.index % 2 else None

    def illness_tree(self):
        rows = [["flu", "short", "*"], ["cold", "short", "*"], ["asthma", "long", "*"],
                ["none at all", "none at all", "*"]]
        return rows + [[token, "?", "*"] for token in self.tokens[1:2]]

    def write(self, folder):
        super().write(folder)
        put(folder, "illness.csv", text_of(self.illness_tree(), ";", "\n"))
        if self.with_population:
            header = [quasi.name for quasi in self.quasi]
            put(folder, "people.csv", text_of([header] + self.people, self.delimiter, "\n"))

    # --- the answer ----------------------------------------------------------------------------

    def table(self):
        table = super().table()
        if self.asks_people:  # its values belong to the domains of the hierarchies
            known = table.values

            def values(name):
                places = [quasi.name for quasi in self.quasi]
                found = known(name)
                if name in places:
                    column = [person[places.index(name)] for person in self.people]
                    found = list(dict.fromkeys(found + [c for c in column if c not in self.tokens]))
                return found
            table.values = values
            missing = table.missing

            def token(name):
                places = [quasi.name for quasi in self.quasi]
                column = [person[places.index(name)] for person in self.people] if name in places else []
                found = missing(name)
                return next((c for c in column if c in self.tokens), None) if found is None else found
            table.missing = token
        return table

    def problem(self, dumped):
        problem = super().problem(dumped)
        table = self.table()
        self.models = []
        for name in self.header:
            if self.roles.get(name) == "sensitive":
                self.models += list(self.models_of(name, table.leaves(name)))
        if "entity" in self.asked:
            self.models.append(models.Persons("who", table.leaves("who"), self.k))
        if "k-column" in self.asked:
            wants = [1 if cell is MISSING else int(cell) for cell in table.leaves("want")]
            self.models.append(models.OwnK("want", wants, 1))
        problem.requirement = self.requirement
        self.people_models(problem)
        return problem

    def models_of(self, name, values):
        asked = self.asked_of(name)
        if "l-diversity" in asked:
            l = asked["l-diversity"]
            if asked["l-kind"] == "distinct":
                yield models.Distinct(name, values, int(l))
            elif asked["l-kind"] == "entropy":
                yield models.Entropy(name, values, Fraction(l))
            else:
                yield models.Recursive(name, values, Fraction(asked["l-c"]), int(l))
        for kind in PLAIN:
            if kind.setting in asked:
                yield kind(name, values, Fraction(asked[kind.setting]))
        if "beta-likeness" in asked:
            kind = models.Beta if asked["beta-kind"] == "basic" else models.EnhancedBeta
            yield kind(name, values, Fraction(asked["beta-likeness"]))
        if "t-closeness" in asked:
            yield self.t_model(name, values, Fraction(asked["t-closeness"]))

    def t_model(self, name, values, limit):
        if self.asked_of(name).get("t-distance") == "equal" or (name != "wage" and not
                                                        (name == "illness" and self.sensitive_setting(name))):
            return models.Equal(name, values, limit)
        distinct = [v for v in dict.fromkeys(values) if v is not MISSING]
        if name == "wage":
            order = sorted(distinct, key=hi.number) + [MISSING] * (MISSING in values)
            return models.Ordered(name, values, limit, order)
        table = super().table()
        made = hi.from_rows(self.illness_tree(), distinct, table.missing(name), self.tokens)
        return models.Hierarchical(name, values, limit, made)

    def people_models(self, problem):
        """Counts people by the groups of a row's node."""
        if not self.asks_people:
            return
        leaves = [[MISSING if c in self.tokens else c for c in person] for person in self.people]
        self.keys = {}

        def count(node, row):
            levels = node.levels
            if levels not in self.keys:
                found = {}
                for person in leaves:
                    key = tuple(h.levels[x][leaf] for h, x, leaf in zip(problem.hierarchies, levels, person))
                    found[key] = found.get(key, 0) + 1
                self.keys[levels] = found
            return self.keys[levels].get(node.keys[row], 0)
        self.count = count
        self.node_now = None
        people = (lambda rows: len(self.people) if self.node_now is None
                  else count(self.node_now, rows[0]))
        if "k-map" in self.asked:
            self.models.append(models.KMap(int(self.asked["k-map"]), people))
        if "delta-presence" in self.asked:
            low, high = ("0," + self.asked["delta-presence"]).split(",")[-2:]
            self.models.append(models.Presence(Fraction(low), Fraction(high), people))
            if Fraction(low) > 0:
                problem.limit = 0

    def requirement(self, node, rows):
        """May these rows be a class? node None: as the class that reads `*` everywhere."""
        self.node_now = node
        return all(model.holds(rows) for model in self.models) and not self.absent(node)

    def absent(self, node):
        """With a least presence above 0 nobody of the population may be known not to be in the table."""
        low = max([m.low for m in self.models if isinstance(m, models.Presence)], default=0)
        if not low or node is None:
            return False
        self.count(node, 0)
        held = set(node.keys)
        return any(key not in held for key in self.keys[node.levels])

    def steady(self, problem):
        return problem.limit == 0 or all(model.monotone for model in self.models)


# --- comparing ---------------------------------------------------------------------------------------


def classes_shown(case, node):
    """The classes that a reader sees, as lists of rows: those with labels of their own, and the one of masked
    rows together with rows that read `*` anyway (empty: none is masked)."""
    classes, masked = {}, []
    labels = node.problem.released_labels(node)
    masks = compare.masked_rows(case, node)
    for row, (key, released) in enumerate(zip(node.keys, node.released)):
        if masks and (not released or all(label == "*" for label in labels[row])):
            masked.append(row)
        elif released:
            classes.setdefault(key, []).append(row)
    return list(classes.values()), masked


def models_of_report(case, node, found):
    """parameters.models against the oracle: each once, what was asked for, what is reached."""
    listed = {(m["model"], m["column"]): m for m in found["parameters"].get("models", [])}
    expect_equal(set(listed), {(m.key, m.column) for m in case.models}, "parameters.models")
    classes, masked = classes_shown(case, node)
    for model in case.models:
        entry = listed[model.key, model.column]
        what = "%s of %s: " % (model.key, model.column)
        expect_equal(entry["asked"], model.asked(), what + "asked")
        case.node_now = node
        reached = model.worst(classes)
        if masked:
            case.node_now = None  # they may be anybody
            reached = model.better(x for x in (reached, model.worst([masked])) if x is not None)
        if reached is None or reached == models.INFINITE:
            expect_equal(entry["reached"], None, what + "reached")
        else:
            expect(entry["reached"] is not None and close(entry["reached"], float(reached)),
                   "%sreached %r, expected %r" % (what, entry["reached"], float(reached)))


def monotone(case, problem):
    """What a model says about rising levels: compared node by node."""
    if not case.steady(problem):
        return
    for levels in problem.lattice():
        if not problem.node(levels).feasible:
            continue
        for i, height in enumerate(problem.heights()):
            if levels[i] < height:
                above = levels[:i] + (levels[i] + 1,) + levels[i + 1:]
                expect(problem.node(above).feasible, "called monotone, but %s is feasible and %s is not"
                       % (levels, above))


def one_release(case, folder, problem):
    done = run(run_random.command_of(case, folder.path))
    out = folder.file("out.csv")
    if case.algorithm in NEED_MONOTONE and not case.steady(problem):
        expect(done.code == 1 and b"needs a monotone privacy model" in done.err,
               "%s should be refused, but %s" % (case.algorithm, done.line()))
        return "refused"
    best = problem.optimum(case.metric)
    if best is None or (done.code == 2 and may_miss(case, problem)):
        expect(done.code == 2, "nothing is feasible, but " + done.line())
        expect(b"nearest setting that works" in done.err or (case.limits and b"raise --level or --max-level" in done.err),
               "no advice: " + done.line())
        expect(not os.path.exists(out), "a release was left although nothing is feasible")
        return "infeasible"
    expect(done.code == 0, "node %s is feasible, but %s" % (best.levels, done.line()))
    found = folder.json("report.json")
    node = compare.report(case, problem, found)
    compare.release(case, problem, node, out)
    models_of_report(case, node, found)
    return "released"


def local_release(case, folder, problem):
    """The same job by a clusterer: every class that can be read in the release must satisfy every model."""
    if case.limits:  # most are refused; those that are not are cases of run_local.py
        return
    name = CLUSTERERS[case.index // LOCAL_EVERY % len(CLUSTERERS)]
    command = run_random.command_of(case, folder.path)
    for option, value in (("--algorithm", name), ("--metric", "gcp")):
        command[command.index(option) + 1] = value
    while "--param" in command:
        at = command.index("--param")
        del command[at:at + 2]
    done = run(command)
    if case.asks_people:
        expect(done.code == 1 and b"local recoding" in done.err, "%s with people: %s" % (name, done.line()))
        return
    everyone = list(range(problem.n))
    if not problem.mask_holds(everyone):
        expect(done.code == 2, "%s: the rows together do not satisfy the models, but %s" % (name, done.line()))
        return
    expect(done.code == 0, "%s: %s" % (name, done.line()))
    with open(folder.file("out.csv"), newline="", encoding="utf-8") as file:
        records = list(csv.DictReader(file, delimiter=case.delimiter))
    classes, row_of = {}, {rid: row for row, rid in enumerate(case.cells["rid"])}
    for record in records:
        key = tuple(record[quasi.name] for quasi in case.quasi)
        classes.setdefault(key, []).append(row_of[record["rid"]])
    expect(len(records) >= problem.n - problem.limit or case.suppressed == "mask", "%s lost too many rows" % name)
    for key, rows in classes.items():
        expect(problem.mask_holds(rows), "%s: class %r may not be released" % (name, key))


def may_miss(case, problem):
    """A heuristic need not find what is there, unless the top is feasible, which every search looks at."""
    return case.algorithm in HEURISTICS and not problem.node(problem.heights()).feasible


def one_case(arguments):
    """(index, what came of it, None or why it failed)."""
    seed, index = arguments
    case = ModelCase(seed, index)
    with Folder() as folder:
        case.write(folder.path)
        try:
            problem = case.problem(run_random.chosen_by_tool(case, folder))
            monotone(case, problem)
            how = one_release(case, folder, problem)
            if index % LOCAL_EVERY == 0:
                local_release(case, folder, problem)
            return index, how, None
        except Exception as why:
            text = str(why) if isinstance(why, Failed) else "%s: %s" % (type(why).__name__, why)
            return index, "failed", run_random.saved(case, folder, text)


def all_cases(suite, options):
    need_tool()
    wanted = [options.only] if options.only is not None else range(options.cases)
    ended, failures = {}, 0
    with multiprocessing.Pool(options.jobs) as pool:
        for index, how, why in pool.imap_unordered(one_case, [(options.seed, i) for i in wanted], chunksize=4):
            ended[how] = ended.get(how, 0) + 1
            if why:
                failures += 1
                suite.fail("model-case-%d" % index, why)
            if failures >= FAILURES_MOST:
                pool.terminate()
                break
    expect(not failures, "%d cases failed (seed %s)" % (failures, options.seed))
    suite.say("ok model-outcomes (%s)" % ", ".join("%d %s" % (n, how) for how, n in sorted(ended.items())))


MASKED = (["--algorithm", "exhaustive"], ["--algorithm", "mondrian", "--metric", "gcp"])


def masked_reports(seed):
    """With masked rows a report says of the sensitive column what a check of the file says: they are a class that
    anybody can read. On tables where that class often is the worst."""
    seen = {}
    for turn in range(60):
        rng = random.Random("masked-%s-%d" % (seed, turn))
        rows = [["q", "s"]] + [[str(rng.randint(0, 12)), rng.choice("xxxyz")] for _ in range(60)]
        method = turn % len(MASKED)
        with Folder() as folder:
            table = folder.write("t.csv", text_of(rows, ",", "\n"))
            done, report = anonymize(folder, table, MASKED[method] + [
                "--qi", "q", "--sensitive", "s", "-k", "3", "--suppression", "0.5", "--suppressed", "mask",
                "--t-closeness", "0.35", "--hierarchy", "q=range:2,4"])
            if not report or not report["solution"]["masked_rows"]:
                continue
            seen[method] = seen.get(method, 0) + 1
            done = kanon("check", folder.file("out.csv"), "--qi", "q", "--sensitive", "s", "--json")
            found, said = json.loads(done.out.decode("utf-8"))["sensitive"][0], report["sensitive"][0]
            for key in ("l", "entropy_l", "t"):
                expect(close(said[key], found[key]), "%s of the report %r, of the file %r (turn %d)" % (
                    key, said[key], found[key], turn))
            reached = report["parameters"]["models"][0]["reached"]
            expect(close(reached, found["t"]), "reached %r, by the file %r (turn %d)" % (reached, found["t"], turn))
    expect(seen.get(0, 0) >= 5, "rows were masked in %s runs" % seen)


def some_classes(rng, people):
    """Released texts with their rows, and the classes as models.py has them: values, intervals and `*`."""
    ages = sorted({age for age, _ in people})
    texts = {}
    for _ in range(rng.randint(1, 4)):
        low, high = sorted(rng.choice(ages) for _ in range(2))
        sex = rng.choice(["M", "F", "*"])
        age = rng.choice([str(low), "*", "%d-%d" % (low, high)]) if low < high else str(low)
        ends = (low, low) if age == str(low) else (ages[0], ages[-1]) if age == "*" else (low, high)
        covered = {i for i, (a, s) in enumerate(people) if ends[0] <= a <= ends[1] and sex in (s, "*")}
        texts[age, sex] = (covered, rng.randint(1, 3))
    return texts


def overlapping_presence(seed):
    """`kanon check --delta-presence` on tables whose classes overlap: the shares of a person are added up, and what
    is reached is no less than what listing every possibility finds."""
    bounded = raised = 0
    with open(os.path.join(ROOT, "docs", "check.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    for turn in range(150):
        rng = random.Random("presence-%s-%d" % (seed, turn))
        people = [(rng.randint(20, 25), rng.choice("MF")) for _ in range(rng.randint(2, 8))]
        people += [(people[0][0], "M"), (people[0][0], "F")]  # so that both are values
        texts = some_classes(rng, people)
        low, high = rng.choice([("0", "0.5"), ("0", "0.8"), ("0.1", "0.9")])
        rows = [list(text) for text, (_, count) in texts.items() for _ in range(count)]
        rng.shuffle(rows)
        with Folder() as folder:
            folk = folder.write("folk.csv", text_of([["age", "sex"]] + [[str(a), s] for a, s in people], ",", "\n"))
            table = folder.write("t.csv", text_of([["age", "sex"]] + rows, ",", "\n"))
            done = kanon("check", table, "--qi", "age,sex", "--type", "age=number", "--delta-presence",
                         low + "," + high, "--population", folk, "--json")
        found = json.loads(done.out.decode("utf-8"))
        expect_equal(jsonschema_mini.validate(found, schema), [], "schema")
        found = found["models"][0]
        classes = list(texts.values())
        judged = models.added_presence(classes, len(people))
        reached = max(max(pair) for pair in judged)
        failing = [rows for (own, added), (_, rows) in zip(judged, classes)
                   if own < Fraction(low) or max(own, added) > Fraction(high)]
        strangers = set(range(len(people))) - set().union(*(covered for covered, _ in classes))
        what = "turn %d: " % turn
        expect(found["reached"] is None if reached == models.INFINITE else
               close(found["reached"], float(reached)), "%sreached %r, expected %r" % (what, found["reached"], reached))
        expect_equal(found["failing_rows"], sum(failing), what + "rows that fail")
        expect_equal(found["holds"], not failing and not (Fraction(low) and strangers), what + "holds")
        expect_equal(done.code, 0 if found["holds"] else 1, what + "exit code")
        likely = models.likeliest(classes, len(people))
        expect(likely is None or likely <= reached, "%sreached %r, but it is %r" % (what, reached, likely))
        bounded += likely is not None
        raised += "at_most" in found
    expect(bounded >= 30 and raised >= 10, "%d turns were possible, %d had classes that overlap" % (bounded, raised))


def counted_by_text():
    """k is counted by what stands in the cells, however a missing value is spelled; `--wildcard` by what it means."""
    for turn in range(60):
        rng = random.Random("spelled-%d" % turn)
        rows = [[rng.choice(["1", "2", "?", "NA"]), rng.choice(["a", "", "?", "NA"])]
                for _ in range(rng.randint(1, 40))]
        with Folder() as folder:
            table = folder.write("t.csv", text_of([["p", "q"]] + rows, ",", "\n"))
            done = kanon("check", table, "--qi", "p,q", "--wildcard", "--json", "--header", "yes")
        found = json.loads(done.out.decode("utf-8"))

        def matches(one, other):
            return all(a == b or a in ("", "?", "NA") or b in ("", "?", "NA") for a, b in zip(one, other))
        expect_equal(found["k"], min(rows.count(row) for row in rows), "k (turn %d)" % turn)
        expect_equal(found["wildcard"]["k"], min(sum(matches(row, other) for other in rows) for row in rows),
                     "k by meaning (turn %d)" % turn)
        for place, name in enumerate("pq"):
            spelled = len({row[place] for row in rows} & {"", "?", "NA"})
            expect_equal(b"'%s' has %d spellings" % (name.encode(), spelled) in done.err, spelled > 1,
                         "warning of %s (turn %d)" % (name, turn))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=either(60, 300))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--only", type=int, default=None)
    options = parser.parse_args()
    suite = Suite()
    suite.check("model-tables (%d cases, seed %s)" % (options.cases, options.seed), all_cases, suite, options)
    suite.check("model-masked-reports", masked_reports, options.seed)
    suite.check("model-overlapping-presence", overlapping_presence, options.seed)
    suite.check("model-counted-by-text", counted_by_text)
    suite.end()


if __name__ == "__main__":
    main()
