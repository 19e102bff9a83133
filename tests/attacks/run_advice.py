#!/usr/bin/env python3
"""run_advice.py -- every piece of advice that the tool gives is followed, and what it is meant to stop is measured
before and after. The codes are those of the table of findings (src/base/finding.h): a code with neither an entry here,
nor a script of its own, nor a reason why nothing can be measured, fails the test.

    run_advice.py [CODE...]"""
import collections
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import attack

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "base", "finding.h")
ENTRIES = {}
COVERED = {"other-releases": "run_weekly.py", "homogeneous-classes": "run_ldiv.py", "guessable-values": "run_skew.py",
           "unique-values": "run_salary.py", "dependent-column": "run_copy.py", "combined-columns": "run_yesno.py",
           "repeated-tuples": "run_repeats.py", "formula-cells": "run_formulas.py"}
REASONS = {
    "stopped": "only Ctrl-C brings it about; the advice is about time, not about protection",
    "search-interrupted": "only Ctrl-C brings it about; the advice is about time, not about protection",
    "slow-algorithm": "the job that it warns of takes many minutes; the advice is about time",
    "permissions": "depends on the file system; the advice is about the file that was written",
    "not-synced": "depends on the file system; the advice is about the file that was written",
    "more-warnings": "200 other warnings come before it; the advice is to act on them",
    "persons-uncounted": "the advice is where to look the number up; nothing protects or endangers anybody",
    "header-guessed": "`init` says it, where no column is named yet; it writes no report, and the advice is about the format",
    "titles": "`init` says it and writes `skip`; a job refuses such a table instead, and the advice is to look at the lines",
    "footer": "told whenever lines are left out, also rightly; the advice is to look at them",
    "profile": "it names what a person must judge; run_safe_harbor.py attacks what a profile counts",
    "undecided": "`init` says it of its own proposal; it writes no report, and the advice is to decide",
    "no-quasi-identifier": "`init` says it of a table without a single column that others may know; it writes no report",
}


def entry(code):
    def keep(function):
        ENTRIES[code] = function
        return function
    return keep


# --- running the tool ----------------------------------------------------------------------------------------


def tool(folder, *arguments, statuses=(0,)):
    done = subprocess.run([attack.KANON, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in statuses:
        sys.exit("%s ended with %d: %s" % (" ".join(arguments), done.returncode, done.stderr.decode("utf-8", "replace")))
    return done.stdout.decode("utf-8")


def table(names, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()


class Job:
    """A job on files given as texts. rows: of the release; codes: of the findings; report: all of the JSON."""

    def __init__(self, files, *arguments, command="anonymize", first="t.csv", statuses=(0,),
                 encoding="utf-8"):
        with tempfile.TemporaryDirectory(prefix="kanon-advice-") as folder:
            for name, text in files.items():
                with open(os.path.join(folder, name), "w", encoding=encoding, newline="") as file:
                    file.write(text)
            if command == "anonymize":
                arguments = ["-o", "r.csv", *arguments]
            said = tool(folder, command, *first.split(), "--json", *arguments, statuses=statuses)
            self.report, self.rows = json.loads(said), []
            if command == "anonymize" and os.path.exists(os.path.join(folder, "r.csv")):
                with open(os.path.join(folder, "r.csv"), encoding=encoding, newline="") as file:
                    self.rows = list(csv.DictReader(file))
        self.findings = self.report.get("findings", [])
        self.codes = {finding.get("code", finding.get("id")) for finding in self.findings}

    def advice(self, code):
        return next(attack.remedy(f) for f in self.findings if f.get("code", f.get("id")) == code)


def goes(code, before, after, figures="", holds=True):
    """The finding is there before the advice is followed, not after, and what was measured is as it should be."""
    attack.require("%s: %s%s%s" % (code, "told" if code in before.codes else "NOT TOLD BEFORE",
                                   ", gone once the advice is followed" if code not in after.codes else ", STILL THERE",
                                   "; " + figures if figures else ""),
                   code in before.codes and code not in after.codes and holds)


def people(rows=400, seed=6):
    rng = random.Random(seed)
    return [[rng.randrange(20, 80), rng.choice("mf"), "r%d" % rng.randrange(4), rng.choice(("flu", "cold", "hiv", "none"))]
            for _ in range(rows)]


PEOPLE = ["age", "sex", "region", "ill"]
QUASI = ["--qi", "age,sex,region", "--sensitive", "ill", "-k", "5", "--metric", "glm"]
RANGE = ["--hierarchy", "age=range:10,20,40"]


def classes(rows, columns=("age", "sex", "region")):
    found = collections.defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in columns)].append(row)
    return list(found.values())


# --- there is no useful release -------------------------------------------------------------------------------


@entry("infeasible")
def infeasible():
    files = {"t.csv": table(PEOPLE, people(30))}
    before = Job(files, *QUASI, "-k", "50", "--suppression", "0", statuses=(0, 1, 2, 3, 4, 5))
    k = re.search(r"-k (\d+)", before.advice("infeasible"))
    after = Job(files, *QUASI, "-k", k.group(1) if k else "50", "--suppression", "0", statuses=(0, 1, 2, 3, 4, 5))
    goes("infeasible", before, after, "%d rows released with %s" % (len(after.rows), k and k.group(0)), len(after.rows) == 30)


@entry("empty-release")
def empty_release():
    files = {"t.csv": table(PEOPLE, people(300))}
    before = Job(files, *QUASI, "-k", "301", "--suppression", "1")
    after = Job(files, *QUASI, "-k", "5", "--suppression", "0.05")
    goes("empty-release", before, after, "%d of 300 rows released" % len(after.rows), len(after.rows) >= 285)


def wide(columns, rows=150):
    rng = random.Random(6)
    return {"t.csv": table(["c%d" % i for i in range(columns)],
                           [[rng.randrange(30) for _ in range(columns)] for _ in range(rows)])}


@entry("mostly-hidden")
def mostly_hidden():
    names = ["c%d" % i for i in range(12)]
    before = Job(wide(12), "--qi", ",".join(names), "-k", "5", "--metric", "glm", "--suppression", "0")
    sets = before.report["verdict"]["could_keep"]
    for number, one in enumerate(sets):  # each of them is advice
        kept = [column["name"] for column in one["columns"]]
        after = Job(wide(12), "--qi", ",".join(kept), "--id", ",".join(sorted(set(names) - set(kept))), "-k", "5", "--metric",
                    "glm", "--suppression", "0")
        shares = [job.report["verdict"]["kept"] for job in (before, after)]
        goes("mostly-hidden", before, after, "set %d of %d, information kept: %.0f %%, then %.0f %% (promised: %.0f %%)" % (
            number + 1, len(sets), *(100 * s for s in shares), 100 * one["kept"]),
            len(sets) > 1 and shares[1] >= one["kept"] - 1e-7 and shares[1] > 2 * shares[0])


@entry("many-quasi-identifiers")
def many_quasi():
    names = ["c%d" % i for i in range(14)]
    options = ["-k", "5", "--metric", "glm", "--suppression", "0"]
    before = Job(wide(14), "--qi", ",".join(names), *options)
    after = Job(wide(14), "--qi", ",".join(names[:4]), "--id", ",".join(names[4:]), *options)
    lost = [job.report["metrics"]["glm"] for job in (before, after)]
    goes("many-quasi-identifiers", before, after, "loss %.2f, then %.2f" % tuple(lost), lost[1] < lost[0])


# --- who a row is of ------------------------------------------------------------------------------------------


@entry("repeated-persons")
def repeated_persons():
    rng = random.Random(6)
    rows = []
    for person in range(80):  # five visits each, always the same age and sex
        age, sex = rng.randrange(20, 60), rng.choice("mf")
        rows += [["p%02d" % person, age, sex, rng.choice(("a", "b", "c"))] for _ in range(5)]
    files = {"t.csv": table(["pid", "age", "sex", "visit"], rows)}
    options = ["--qi", "age,sex", "--id", "pid", "--sensitive", "visit", "-k", "5", "--keep-order", "--suppression", "0", "--metric",
               "glm", "--hierarchy", "age=range:5,10,20"]

    def fewest(job):  # the order is kept for this alone: who is whose
        found = collections.defaultdict(set)
        for row, original in zip(job.rows, rows):
            found[row["age"], row["sex"]].add(original[0])
        return min(len(persons) for persons in found.values())
    before, after = Job(files, *options), Job(files, *options, "--entity", "pid")
    goes("repeated-persons", before, after, "persons in a class: %d, then %d" % (fewest(before), fewest(after)),
         fewest(before) < 5 <= fewest(after))


@entry("small-k")
def small_k():
    rows = people(300) + [[85, "m", "r0", "flu"], [85, "m", "r0", "cold"]]
    files = {"t.csv": table(PEOPLE, rows)}
    before, after = Job(files, *QUASI, *RANGE, "-k", "2"), Job(files, *QUASI, *RANGE, "-k", "5")
    pairs = [sum(len(c) == 2 for c in classes(job.rows)) for job in (before, after)]
    goes("small-k", before, after, "classes in which one person can single out the other: %d, then %d" % tuple(pairs), pairs[0] > 0 == pairs[1])


@entry("nearly-unique")
def nearly_unique():
    rows = [[*person, "note %d" % i] for i, person in enumerate(people())]
    files = {"t.csv": table([*PEOPLE, "note"], rows)}
    before, after = Job(files, *QUASI, *RANGE, "--insensitive", "note"), Job(files, *QUASI, *RANGE, "--id", "note")
    alone = [attack.alone(job.rows, ["note"]) if "note" in job.rows[0] else 0 for job in (before, after)]
    goes("nearly-unique", before, after, "rows found by it alone: %d, then %d" % tuple(alone), not alone[1])


@entry("linked-rows")
def linked_rows():
    rng = random.Random(7)
    rows = [["n%d" % rng.randrange(150), *person] for person in people()]
    files = {"t.csv": table(["name", *PEOPLE], rows)}
    before, after = (Job(files, *QUASI, *RANGE, how, "name") for how in ("--pseudonym", "--id"))
    found = []
    for job in (before, after):  # of rows that the release says belong together, those whose classes nobody else has
        trails = {}
        for row in job.rows:
            trails.setdefault(row["name"], []).append(tuple(row[name] for name in PEOPLE[:3]))
        held = [tuple(sorted(trail)) for trail in trails.values()]
        found.append(sum(held.count(trail) == 1 and 1 < len(trail) < len(job.rows) for trail in held))
    goes("linked-rows", before, after, "persons alone with the classes of their rows: %d, then %d" % tuple(found),
         found[0] and not found[1])


@entry("no-role")
def no_role():
    rows = [[*person, "note %d" % i] for i, person in enumerate(people())]
    files = {"t.csv": table([*PEOPLE, "note"], rows)}
    before, after = (Job(files, *QUASI, *RANGE, "--others", how) for how in ("keep", "drop"))
    alone = [attack.alone(job.rows, ["note"]) if "note" in job.rows[0] else 0 for job in (before, after)]
    goes("no-role", before, after, "rows found by what nobody decided on: %d, then %d" % tuple(alone), not alone[1])


@entry("doubtful-role")
def doubtful_role():
    rows = [[*person, "p%d@example.org" % i] for i, person in enumerate(people())]
    files = {"t.csv": table([*PEOPLE, "contact"], rows)}
    before, after = Job(files, *QUASI, *RANGE, "--insensitive", "contact"), Job(files, *QUASI, *RANGE, "--id", "contact")
    shown = [sum("@" in row.get("contact", "*") for row in job.rows) for job in (before, after)]
    goes("doubtful-role", before, after, "rows that show it: %d, then %d" % tuple(shown), not shown[1])


@entry("picked-setting")
def picked_setting():
    options = ["--qi", "age,sex,region", "--sensitive", "ill", *RANGE, "--objectives", "k,glm"]
    before, after = (Told(front(*options, more=more)[1]) for more in (["--suppression", "0.05"], []))
    goes("picked-setting", before, after)


@entry("picked-rows")
def picked_rows():
    options = ["--qi", "age,sex,region", "--sensitive", "ill", *RANGE, "--objectives", "k,glm"]
    before, after = (Told(front(*options, more=more)[1]) for more in (["--alpha", "0.4", "--suppression", "1"], []))
    goes("picked-rows", before, after)


@entry("singles-out")
def singles_out():
    rng = random.Random(6)
    rows = [[*person, "s%d" % rng.randrange(12)] for person in people()]
    files = {"t.csv": table([*PEOPLE, "street"], rows)}
    before = Job(files, *QUASI, *RANGE, "--insensitive", "street")
    after = Job(files, "--qi", "age,sex,region,street", "--sensitive", "ill", "-k", "5", *RANGE)
    known = ["age", "sex", "region", "street"]
    alone = [attack.alone(job.rows, known) for job in (before, after)]
    goes("singles-out", before, after, "rows found with it: %d, then %d" % tuple(alone), alone[0] > 0 == alone[1])


@entry("combined-sensitive")
def combined_sensitive():
    rng = random.Random(6)
    names = ["s%d" % i for i in range(8)]
    rows = [[*person[:3], *(rng.randrange(4) for _ in names)] for person in people(1000)]
    files = {"t.csv": table([*PEOPLE[:3], *names], rows)}
    plain = ["--qi", "age,sex,region", "-k", "5", *RANGE]
    before = Job(files, *plain, "--sensitive", ",".join(names))
    after = Job(files, *plain, "--sensitive", "s0", "--id", ",".join(names[1:]), "--identifiers", "drop")
    alone = [attack.alone(job.rows, [n for n in (*PEOPLE[:3], *names) if n in job.rows[0]]) for job in (before, after)]
    goes("combined-sensitive", before, after, "rows alone on all released columns: %d, then %d" % tuple(alone), alone[1] < alone[0] / 10)


@entry("shown-k")
def shown_k():
    rows = [[*person, 3 + (i % 40 == 0) * 5] for i, person in enumerate(people())]
    files = {"t.csv": table([*PEOPLE, "own"], rows)}
    before = Job(files, *QUASI, *RANGE, "--k-column", "own", "--insensitive", "own")
    after = Job(files, *QUASI, *RANGE, "--k-column", "own", "--id", "own")
    shown = [sum(row.get("own", "*") != "*" for row in job.rows) for job in (before, after)]
    goes("shown-k", before, after, "rows that show it: %d, then %d" % tuple(shown), not shown[1])


@entry("shown-persons")
def shown_persons():
    rows = [[*person, "p%d" % (i // 2)] for i, person in enumerate(people())]
    files = {"t.csv": table([*PEOPLE, "pid"], rows)}
    before = Job(files, *QUASI, *RANGE, "--entity", "pid", "--insensitive", "pid")
    after = Job(files, *QUASI, *RANGE, "--entity", "pid", "--id", "pid")
    shown = [sum(row.get("pid", "*") != "*" for row in job.rows) for job in (before, after)]
    goes("shown-persons", before, after, "rows that show it: %d, then %d" % tuple(shown), not shown[1])


@entry("kept-order")
def kept_order():
    rows = sorted(people())  # by age, as files often are
    files = {"t.csv": table(PEOPLE, rows)}
    before, after = Job(files, *QUASI, "--suppression", "0", "--keep-order"), Job(files, *QUASI, "--suppression", "0")
    right = [sum(row["ill"] == original[3] for row, original in zip(job.rows, rows)) for job in (before, after)]
    goes("kept-order", before, after, "rows whose place tells whose they are: %d, then %d of 400" % tuple(right),
         right[0] == 400 and right[1] < 200)


# --- what a class tells ---------------------------------------------------------------------------------------


@entry("only-k")
def only_k():
    rng = random.Random(6)
    rows = [[20 + 10 * (i % 4), "mf"[i % 2], "r0", rng.choice(("flu", "flu", "cold", "hiv"))] for i in range(400)]
    files = {"t.csv": table(PEOPLE, rows)}
    before = Job(files, *QUASI)
    alpha = re.search(r"--alpha ([0-9.]*[0-9])", before.advice("only-k")).group(1)
    after = Job(files, *QUASI, "--alpha", alpha)
    most = max(max(collections.Counter(row["ill"] for row in c).values()) / len(c) for c in classes(after.rows))
    goes("only-k", before, after, "greatest share of a value in a class: %.2f, at most %s" % (most, alpha), most <= float(alpha))


@entry("spellings")
def spellings():
    rng = random.Random(6)
    rows = [[person[0], person[1], person[2], rng.choice(("flu", "Flu", "flu "))] for person in people()]
    tidy = [[*row[:3], rng.choice(("flu", "cold", "hiv"))] for row in rows]
    before = Job({"t.csv": table(PEOPLE, rows)}, *QUASI, *RANGE, "--l-diversity", "2")
    after = Job({"t.csv": table(PEOPLE, tidy)}, *QUASI, *RANGE, "--l-diversity", "2")
    least = [min(len({row["ill"].strip().lower() for row in c}) for c in classes(job.rows)) for job in (before, after)]
    goes("spellings", before, after, "values in a class: %d, then %d" % tuple(least), least == [1, 2] or least[1] > 1)


@entry("outliers")
def outliers():
    rng = random.Random(6)
    rows = [[*person[:3], round(rng.gauss(3000, 400), -2)] for person in people()]
    rows[7][3], rows[8][3] = 90000, 250000
    capped = [[*row[:3], min(row[3], 5000)] for row in rows]
    before, after = (Job({"t.csv": table(PEOPLE, data)}, *QUASI, *RANGE) for data in (rows, capped))
    known = [sum(float(row["ill"]) > 50000 for row in job.rows) for job in (before, after)]
    goes("outliers", before, after, "amounts that everybody has heard of: %d, then %d" % tuple(known), known == [2, 0])


@entry("uneven-suppression")
def uneven():
    rows = people(1000) + [[rng_age, "m", "island", "flu"] for rng_age in range(20, 60, 4)]
    files = {"t.csv": table(PEOPLE, rows)}
    before = Job(files, *QUASI, *RANGE, "--suppression", "0.05", "--metric", "log")
    after = Job(files, *QUASI, *RANGE, "--suppression", "0")
    goes("uneven-suppression", before, after, "rows lost: %d, then %d"
         % (len(rows) - len(before.rows), len(rows) - len(after.rows)), len(after.rows) == len(rows))


# --- intervals and levels -------------------------------------------------------------------------------------


def ends_shown(job, originals):
    """Hidden values that stand in the release as the end of an interval."""
    shown = set()
    for row in job.rows:
        shown.update(re.findall(r"\d+", row["age"]) if re.search("-|,| to ", row["age"]) else ())
    return sum(str(value) in shown for value in originals)


@entry("exact-intervals")
def exact_intervals():
    rng = random.Random(6)
    rows = [[rng.randrange(1000, 9999), *person[1:]] for person in people()]
    files, ages = {"t.csv": table(PEOPLE, rows)}, [row[0] for row in rows]
    before = Job(files, *QUASI, "--algorithm", "mondrian", "--snap", "off")
    for snap in ("grid", "hierarchy"):
        after = Job(files, *QUASI, "--hierarchy", "age=range:100,500,2000", "--algorithm", "mondrian", "--snap", snap)
        shown = ends_shown(before, ages), ends_shown(after, ages)
        goes("exact-intervals", before, after, "--snap %s: values shown as ends: %d, then %d" % (snap, *shown),
             shown[1] < shown[0] / 5)


@entry("exact-values")
def exact_values():
    rng = random.Random(6)
    rows = [[rng.randrange(1000, 9999), *person[1:]] for person in people()]
    files, ages = {"t.csv": table(PEOPLE, rows)}, collections.Counter(str(row[0]) for row in rows)
    for local in ("median", "mode"):
        before = Job(files, *QUASI, "--algorithm", "mondrian", "--local", local)
        for further in (("--local", "mean"), ("--local", "interval")):
            after = Job(files, *QUASI, "--algorithm", "mondrian", *further)
            shown = [sum(0 < ages[row["age"]] < 5 for row in job.rows) for job in (before, after)]
            goes("exact-values", before, after, "--local %s: ages that fewer than 5 have: %d, then %d" % (local, *shown),
                 shown[1] < shown[0] / 5)


@entry("downcoding")
def downcoding():
    rng = random.Random(6)
    rows = [[rng.randrange(1000, 9999), *person[1:]] for person in people()]
    files, ages = {"t.csv": table(PEOPLE, rows)}, [row[0] for row in rows]
    before = Job(files, *QUASI, "--algorithm", "mondrian", "--snap", "off")
    after = Job(files, *QUASI, "--hierarchy", "age=range:100,500,2000", "--algorithm", "auto")
    shown = ends_shown(before, ages), ends_shown(after, ages)
    goes("downcoding", before, after, "values that a class ends at: %d, then %d of %d" % (*shown, len(rows)),
         shown[1] < shown[0] / 5)


@entry("minimality")
def minimality():
    files = {"t.csv": table(PEOPLE, people())}
    before = Job(files, *QUASI, *RANGE, "--alpha", "0.6")
    outside = Job(files, *QUASI, *RANGE, "--alpha", "0.6", "--report-audience", "external").report
    kept = {"suppression", "metric", "algorithm", "params", "seed"} & set(outside["parameters"])
    attack.require("minimality: told; the external report names neither limit, metric, algorithm nor search (%d of them)"
                   % len(kept), "minimality" in before.codes and not kept and "search" not in outside)


@entry("no-sensitive-column")
def no_sensitive():
    files = {"t.csv": table(PEOPLE, people())}
    plain = ["--qi", "age,sex,region", "-k", "5", *RANGE]
    goes("no-sensitive-column", Job(files, *plain, "--insensitive", "ill"), Job(files, *plain, "--sensitive", "ill"))


# --- what may make the release better -------------------------------------------------------------------------


@entry("lost-columns")
def lost_columns():
    rows = [[age, sex, "c%02d" % (i % 40), ill] for i, (age, sex, _, ill) in enumerate(people())]
    files = {"t.csv": table(PEOPLE, rows)}
    files["flat.csv"] = "".join("c%02d;*\n" % i for i in range(40))
    files["deep.csv"] = "".join("c%02d;g%d;h%d;*\n" % (i, i // 10, i // 20) for i in range(40))
    options = [*QUASI, "--hierarchy", "age=range:10,30", "--suppression", "0", "--metric", "glm"]
    before = Job(files, *options, "--hierarchy", "region=flat.csv")
    for words, after in (("more levels", Job(files, *options, "--hierarchy", "region=deep.csv")),
                         ("another column away", Job(files, "--qi", "region", "--id", "age,sex", "--sensitive", "ill", "-k", "5",
                                                     "--hierarchy", "region=flat.csv", "--suppression", "0.01"))):
        values = [len({row["region"] for row in job.rows}) for job in (before, after)]
        goes("lost-columns", before, after, "%s: %d value, then %d" % (words, *values), values[0] == 1 < values[1])


@entry("suppression-used")
def suppression_used():
    rows = people(1000) + [[20 + 3 * i, "x", "island%d" % i, "flu"] for i in range(16)]
    files = {"t.csv": table(PEOPLE, rows)}
    before = Job(files, *QUASI, *RANGE, "--suppression", "0.016")
    after = Job(files, *QUASI, *RANGE, "--suppression", "0.1")

    def coarse(job):  # of the released rows
        return sum(row[name] == "*" for row in job.rows for name in ("age", "sex", "region")) / len(job.rows)
    goes("suppression-used", before, after, "cells that are * in a released row: %.2f, then %.2f" % (coarse(before), coarse(after)),
         coarse(after) <= coarse(before))


def search(code, before, after):
    files = wide(8, 400)
    options = ["--qi", ",".join("c%d" % i for i in range(8)), "-k", "5", "--metric", "glm", "--suppression", "0.05"]
    first, then = Job(files, *options, *before), Job(files, *options, *after)
    losses = [job.report["search"]["loss"] for job in (first, then)]
    goes(code, first, then, "loss %.4f, then %.4f" % tuple(losses), losses[1] <= losses[0])


@entry("search-limited")
def search_limited():
    few = ["--algorithm", "random", "--param"]
    search("search-limited", [*few, "max-evaluations=5"], ["--algorithm", "exhaustive"])


@entry("search-cycles")
def search_cycles():
    search("search-cycles", ["--algorithm", "tabu", "--param", "cycles=1"], ["--algorithm", "exhaustive"])


@entry("search-time")
def search_time():
    random_search = ["--algorithm", "random", "--param"]
    search("search-time", [*random_search, "max-evaluations=1000000000000", "--time-limit", "0.3"],
           ["--algorithm", "kgen", "--param", "max-evaluations=100000"])


# --- settings -------------------------------------------------------------------------------------------------


@entry("idle-setting")
def idle_setting():
    files = {"t.csv": table(PEOPLE, people())}
    goes("idle-setting", Job(files, *QUASI, *RANGE, "--l-c", "2"),
         Job(files, *QUASI, *RANGE, "--l-c", "2", "--l-diversity", "2", "--l-kind", "recursive"))


@entry("idle-model")
def idle_model():
    files = {"t.csv": table(PEOPLE, people())}
    goes("idle-model", Job(files, *QUASI, *RANGE, "--l-diversity", "1"), Job(files, *QUASI, *RANGE, "--l-diversity", "2"))


@entry("no-label")
def no_label():
    files = {"t.csv": table(PEOPLE, people())}
    options = ["--qi", "age,sex,region", "--insensitive", "ill", "-k", "5", *RANGE, "--metric", "cm"]
    goes("no-label", Job(files, *options), Job(files, *options, "--label", "ill"))


@entry("not-masked")
def not_masked():
    rows = people(300) + [[99, "x", "far", "flu"]]
    files = {"t.csv": table(PEOPLE, rows)}
    options = [*QUASI, *RANGE, "--suppression", "0.01", "--metric", "log"]
    goes("not-masked", Job(files, *options, "--suppressed", "mask"), Job(files, *options, "--suppressed", "drop"))


@entry("no-suppression")
def no_suppression():
    rows = people(300)
    files = {"t.csv": table(PEOPLE, rows), "all.csv": table(PEOPLE, rows + people(300, 7))}
    options = [*QUASI, *RANGE, "--population", "all.csv", "--suppression", "0.02"]
    goes("no-suppression", Job(files, *options, "--delta-presence", "0.01,1"), Job(files, *options, "--delta-presence", "0,0.9"))


@entry("not-in-population")
def not_in_population():
    rows = people(300)
    files = {"t.csv": table(PEOPLE, rows), "few.csv": table(PEOPLE, rows[:100]), "all.csv": table(PEOPLE, rows + people(300, 7))}
    options = [*QUASI, *RANGE, "--k-map", "5"]
    goes("not-in-population", Job(files, *options, "--population", "few.csv"), Job(files, *options, "--population", "all.csv"))


@entry("twin-column")
def twin_column():
    rows = [[*person, person[0]] for person in people()]
    files = {"t.csv": table([*PEOPLE, "Age"], rows)}
    known = ["age", "sex", "region", "Age"]
    before = Job(files, *QUASI, *RANGE, *(["--others", "keep"] if has_option("--others") else []))
    after = Job(files, "--qi", "age,sex,region,Age", "--sensitive", "ill", "-k", "5", *RANGE)
    alone = [attack.alone(job.rows, known) for job in (before, after)]
    goes("twin-column", before, after, "rows found with both: %d, then %d" % tuple(alone), alone[0] > 0 == alone[1])


def has_option(name):
    return name in subprocess.run([attack.KANON, "anonymize", "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()


def front(*options, more=()):
    """A front of a table, and then the release of a point of it."""
    with tempfile.TemporaryDirectory(prefix="kanon-advice-") as folder:
        with open(os.path.join(folder, "t.csv"), "w", encoding="utf-8") as file:
            file.write(table(PEOPLE, people()))
        with open(os.path.join(folder, "c.yaml"), "w", encoding="utf-8") as file:
            file.write("l-diversity: 2\n")
        tool(folder, "pareto", "t.csv", "-o", "f.json", *options)
        with open(os.path.join(folder, "f.json"), encoding="utf-8") as file:
            found = json.load(file)
        tool(folder, "anonymize", "t.csv", "-o", "r.csv", "--from", "f.json", "--pick", "2", "--report", "r.json", *more)
        with open(os.path.join(folder, "r.json"), encoding="utf-8") as file:
            return found, json.load(file)


class Told:
    def __init__(self, report):
        self.codes = {finding["code"] for finding in report["findings"]}


@entry("picked-k")
def picked_k():
    options = ["--qi", "age,sex,region", "--sensitive", "ill", *RANGE, "--objectives", "k,glm"]
    goes("picked-k", Told(front(*options, more=["-k", "2"])[1]), Told(front(*options)[1]))


@entry("front-only-k")
def front_only_k():
    options = ["--qi", "age,sex,region", "--sensitive", "ill", *RANGE]
    before, _ = front(*options, "--objectives", "k,glm", "-c", "c.yaml")
    after, _ = front(*options, "--objectives", "k,l,glm")
    goes("front-only-k", Told(before), Told(after))


# --- other commands -------------------------------------------------------------------------------------------


@entry("clear-identifier")
def clear_identifier():
    rows = [[*person, "name %d" % i] for i, person in enumerate(people(60))]
    files = {"t.csv": table([*PEOPLE, "name"], rows), "r.csv": table([*PEOPLE, "name"], rows),
             "masked.csv": table([*PEOPLE, "name"], [[*row[:4], "*"] for row in rows])}
    files["c.yaml"] = "attributes:\n  age: {role: quasi}\n  sex: {role: quasi}\n  region: {role: quasi}\n  name: {role: identifier}\n"
    options = ["-c", "c.yaml"]
    for command, first in (("check", "%s"), ("compare", "t.csv %s")):
        before, after = (Job(files, *options, command=command, first=first % name, statuses=(0, 1)) for name in ("r.csv", "masked.csv"))
        goes("clear-identifier", before, after, command)


@entry("not-met")
def not_met():
    files = {"t.csv": table(PEOPLE, people(300))}
    before = Job(files, "--qi", "age,sex,region", "-k", "5", command="check", statuses=(0, 1))
    released = Job(files, *QUASI, *RANGE, "--suppression", "0")
    text = table(PEOPLE, [[row[name] for name in PEOPLE] for row in released.rows])
    after = Job({"t.csv": text}, "--qi", "age,sex,region", "-k", "5", command="check", statuses=(0, 1))
    goes("not-met", before, after, "k = %d, then %d" % (before.report["k"], after.report["k"]), after.report["k"] >= 5)


@entry("repeated-population")
def repeated_population():
    rows = [[i % 60 + 20, "mf"[i % 2], "r%d" % (i % 3), "flu"] for i in range(300)]
    options = ["--qi", "age,sex,region", "--sensitive", "ill", "-k", "5", *RANGE, "--k-map", "5", "--population", "all.csv"]
    rng = random.Random(6)
    once = [["%d-%02d-%02d" % (1930 + rng.randrange(70), 1 + rng.randrange(12), 1 + rng.randrange(28)), rng.choice("mf"),
             "r%d" % rng.randrange(40), "-"] for _ in range(3000)]
    some = [[*row[:3], "flu"] for row in once[:400]]
    options[options.index("--hierarchy") + 1] = "age=date:month,year,decade"
    before, after = (Job({"t.csv": table(PEOPLE, some), "all.csv": table(PEOPLE, data)}, *options)
                     for data in (once + once[:1500], once))
    goes("repeated-population", before, after)


@entry("missing-spellings")
def missing_spellings():
    rows = [[*person[:2], ("", "NA")[i % 2], person[3]] if i % 9 == 0 else person for i, person in enumerate(people(90))]
    tidy = [[*row[:2], row[2].replace("NA", ""), row[3]] for row in rows]
    before, after = (Job({"t.csv": table(PEOPLE, data)}, "--qi", "age,sex,region", command="check") for data in (rows, tidy))
    goes("missing-spellings", before, after)


@entry("not-understood")
def not_understood():
    rows = people(60)
    files = {"t.csv": table(PEOPLE, rows), "r.csv": table(PEOPLE, [[row[0], row[1], "west" if row[2] < "r2" else "east", row[3]] for row in rows]),
             "h.csv": "r0;west;*\nr1;west;*\nr2;east;*\nr3;east;*\n"}
    options = ["--qi", "age,sex,region"]
    before = Job(files, *options, command="compare", first="t.csv r.csv")
    after = Job(files, *options, "--hierarchy", "region=h.csv", command="compare", first="t.csv r.csv")
    goes("not-understood", before, after)


@entry("more-missing")
def more_missing():
    rows = [["", *person[1:]] if i == 0 else person for i, person in enumerate(people(60))]
    files = {"t.csv": table(PEOPLE, rows)}
    jobs = []
    for gone in ("", "*"):
        released = [[gone, *row[1:]] if i % 5 == 1 else row for i, row in enumerate(rows)]
        jobs.append(Job(files | {"r.csv": table(PEOPLE, released)}, "--qi", "age,sex,region", command="compare", first="t.csv r.csv"))
    losses = [job.report["total"]["glm"] for job in jobs]
    goes("more-missing", *jobs, "loss %.3f, then %.3f" % tuple(losses), losses[0] < losses[1])


# --- tables and hierarchies -----------------------------------------------------------------------------------


def formats(code, before, after, *options, more=()):
    """Both texts are the table."""
    first = options or ("--qi", "a", "-k", "2")
    goes(code, Job({"t.csv": before}, *first), Job({"t.csv": after}, *first, *more))


@entry("odd-values")
def odd_values():
    numbers = "".join("%d,x\n" % (i // 4) for i in range(120))
    goes("odd-values", Job({"t.csv": "a,b\n" + numbers + "old,x\nold,x\n"}, "--qi", "a", "--insensitive", "b", "-k", "2"),
         Job({"t.csv": "a,b\n" + numbers + "old,x\nold,x\n"}, "--qi", "a", "--insensitive", "b", "-k", "2", "--missing", "old"))


@entry("short-years")
def short_years():
    days = ["%02d/%02d/%s%02d" % (1 + i % 28, 1 + i % 12, "%s", 60 + i % 30) for i in range(60)] * 2
    formats("short-years", "a\n" + "".join(day % "" + "\n" for day in days), "a\n" + "".join(day % "19" + "\n" for day in days))


@entry("day-first")
def day_first():
    days = [(1 + i % 12, 1 + i % 11, 1960 + i % 3) for i in range(60)] * 2
    formats("day-first", "a\n" + "".join("%02d/%02d/%d\n" % day for day in days),
            "a\n" + "".join("%d-%02d-%02d\n" % (y, m, d) for d, m, y in days))


@entry("decimal-comma")
def decimal_comma():
    text = "a\n" + "".join("\"%d,%03d\"\n" % (1 + i % 5, 100 * (i % 4)) for i in range(80))
    goes("decimal-comma", Job({"t.csv": text}, "--qi", "a", "-k", "2"), Job({"t.csv": text.replace(",", "")}, "--qi", "a", "-k", "2"))


@entry("renamed-columns")
def renamed_columns():
    rows = "".join("x%d,y\n" % (i % 4) for i in range(80))
    words = ["--qi", "a", "--others", "drop", "-k", "2"]
    goes("renamed-columns", Job({"t.csv": "a,a\n" + rows}, *words, "--duplicate-names", "rename"),
         Job({"t.csv": "a,b\n" + rows}, *words, "--duplicate-names", "rename"))


@entry("encoding-guessed")
def encoding_guessed():
    text = "a\n" + "".join("%s\n" % ("Jürgen", "Zürich", "Köln", "Gent")[i % 4] for i in range(80))
    jobs = [Job({"t.csv": text}, "--qi", "a", "-k", "2", *more, encoding="windows-1252")
            for more in ([], ["--encoding", "windows-1252"])]
    goes("encoding-guessed", *jobs)


@entry("idle-unit")
def idle_unit():
    text = "a\n" + "".join("%d-%02d-%02d\n" % (1960 + i % 3, 1 + i % 12, 1 + i % 28) for i in range(84))
    goes("idle-unit", Job({"t.csv": text}, "--qi", "a", "-k", "2", "--hierarchy", "a=date:day,month,year"),
         Job({"t.csv": text}, "--qi", "a", "-k", "2", "--hierarchy", "a=date:month,year"))


HIERARCHY = "x0;west;*\nx1;west;*\nx2;east;*\nx3;east;*\n"


def with_hierarchy(code, before, after, values=("x0", "x1", "x2", "x3"), spec="h.csv"):
    text = "a\n" + "".join("%s\n" % values[i % len(values)] for i in range(80))
    jobs = [Job({"t.csv": text, "h.csv": hierarchy}, "--qi", "a", "-k", "2", "--hierarchy", "a=" + spec) for hierarchy in (before, after)]
    goes(code, *jobs)


@entry("skipped-header")
def skipped_header():
    with_hierarchy("skipped-header", "a;level 1;level 2\n" + HIERARCHY, HIERARCHY)


@entry("missing-levels")
def missing_levels():
    with_hierarchy("missing-levels", HIERARCHY + "NA;west;*\n?;east;*\n", HIERARCHY + "NA;west;*\n?;west;*\n",
                   ("x0", "x1", "x2", "x3", "NA"))


@entry("places-disagree")
def places_disagree():
    places = "city,province,region\nx0,p0,west\nx1,p1,west\nx2,p2,east\nx3,p3,east\n"
    with_hierarchy("places-disagree", places + "x0,p3,east\n", places, spec="place:h.csv")


@entry("unknown-codes")
def unknown_codes():
    text = "a\n" + "".join("%s\n" % ("A09", "B20", "C50", "C61", "gallstones")[i % 5] for i in range(80))
    config = "attributes:\n  a: {role: quasi, hierarchy: {pack: icd-10, unknown: other}}\n"
    before, after = (Job({"t.csv": data, "c.yaml": config}, "-c", "c.yaml", "-k", "2")
                     for data in (text, text.replace("gallstones", "K80")))
    goes("unknown-codes", before, after)


@entry("empty-lines")
def empty_lines():
    text = "a\n" + "1\n2\n" * 40
    formats("empty-lines", text + "\n", text)


# --- all of them ----------------------------------------------------------------------------------------------


def codes():
    """All codes of the table, in its order."""
    with open(SOURCE, encoding="utf-8") as file:
        return re.findall(r'\bX\(\w+,[\s\\]*"([a-z-]+)",[\s\\]*(?:SERIOUS|WARNING|ADVICE|NOTE),', file.read())


def main():
    known = codes()
    wanted = sys.argv[1:] or known
    attack.require("%d codes in the table of findings" % len(known), len(known) > 40)
    for code in wanted:
        if code in COVERED:
            path = os.path.join(os.path.dirname(os.path.abspath(__file__)), COVERED[code])
            attack.require("%s: followed by %s" % (code, COVERED[code]), os.path.exists(path))
        elif code in REASONS:
            print("-     %s: %s" % (code, REASONS[code]))
        elif code in ENTRIES:
            ENTRIES[code]()
        else:
            attack.require("%s: nobody follows its advice here" % code, False)
    for code in (*ENTRIES, *COVERED, *REASONS):
        attack.require("%s is a code of the table" % code, code in known) if code not in known else None
    attack.finish()


if __name__ == "__main__":
    main()
