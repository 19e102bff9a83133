#!/usr/bin/env python3
"""run_leaks.py [--full] -- nothing about single people gets out by a side door. Values are planted that nobody may
hear of again (tests/cli/run_secrets.py), commands are made to fail in the middle, and whatever they said and left is
searched. The order of released rows tells nothing of the order of the input, and the seed stands in internal reports
alone."""
import csv
import json
import os
import random
import subprocess
import sys

import harness

sys.path.insert(0, os.path.join(harness.SRC, "tests", "cli"))
import run_secrets  # noqa: E402  (the folder is known only now)
from run_faults import sample  # noqa: E402

ROWS = 2000
SEEDS = 12 if harness.FULL else 3
LIMIT_S = 60


def tool(folder, *words):
    return subprocess.run([harness.KANON, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S)


# --- failures in the middle ----------------------------------------------------------------------------------


def secrets_in(place, run, forbidden):
    """Secrets in what a run said, and in every file but the table."""
    told = {"output": run.out + run.err}
    for folder, _, names in os.walk(place.folder):
        for name in names:
            if name != "table.csv":
                with open(f"{folder}/{name}", "rb") as file:
                    told[name] = file.read()
    return run_secrets.secrets_in(told, forbidden)


def failing(yard, tally):
    """Every command that reads the table, with memory and calls failing here and there."""
    runs = 0
    for name, words in run_secrets.commands("table.csv"):
        place = yard.place()
        words = [f"out/{word}" if word in WRITTEN else word for word in words]
        if words[0] == "compare":
            words[2] = "released.csv"
        if words[0] == "anonymize":
            words += ["--threads", "1"]
        forbidden = run_secrets.forbidden(name)
        _, counts = place.count(words)
        faults = [f"alloc:{n}:ENOMEM" for n in sample(counts["alloc"], 12)]
        for call in ("pread", "write", "pwrite", "fsync", "rename", "link", "open", "nameless"):
            faults += [f"{call}:{n}:EIO" for n in sample(counts[call], 3)]
        faults += [f"any:{n}:{name}" for n in sample(counts["any"], 4) for name in ("SIGTERM", "SIGKILL")]

        def one(fault):
            own = yard.place()
            own.reset(False)
            process, out, err = own.start(words, fault)
            harness.ends_within(process, LIMIT_S)
            out.seek(0), err.seek(0)
            found = secrets_in(own, harness.Run(0, out.read(), err.read(), {}, [], False), forbidden)
            own.finish(process, out, err)
            return f"{fault}: {'; '.join(found[:3])}" if found else ""

        wrong = [said for said in yard.map(one, faults) if said]
        runs += len(faults)
        tally.line(f"failing in the middle: {name}", wrong, len(faults))
    return runs


WRITTEN = ("release.csv", "r.html", "r.json", "front.json", "front.html", "front.csv", "c.html", "config.yaml")


class Yard(harness.Yard):
    """With the table of secrets instead."""

    def __enter__(self):
        super().__enter__()
        run_secrets.write_table(f"{self.pattern}/table.csv")
        os.remove(f"{self.pattern}/table.csv.gz")
        done = tool(self.pattern, "anonymize", "table.csv", "-o", "released.csv", *run_secrets.ROLES, "--others", "keep", "-k", "5",
                    "--suppression", "0.02", "-q")
        assert done.returncode == 0, done.stderr
        return self


# --- order ----------------------------------------------------------------------------------------------------


def write_table(path, order):
    """A table whose rows know their place: column `mark` is released as it is. Everything else is random."""
    made = random.Random(7)
    rows = [(made.randrange(18, 90), made.randrange(100, 200), made.choice("abcd")) for _ in order]
    with open(path, "w") as file:
        file.write("age,zip,ill,mark\n")
        for at in order:
            file.write("{},{},{},{}\n".format(*rows[at], at))


def read_marks(path):
    with open(path, newline="") as file:
        return [(int(row["mark"]), row) for row in csv.DictReader(file)]


def correlation(xs):
    """Spearman's rank correlation of marks with their places; all are different."""
    count = len(xs)
    ranks = {mark: rank for rank, mark in enumerate(sorted(xs))}
    total = sum((ranks[mark] - place) ** 2 for place, mark in enumerate(xs))
    return 1 - 6 * total / (count * (count * count - 1))


METHODS = (
    ("global", ["--algorithm", "optimal"]),
    ("global, suppressed rows dropped", ["--algorithm", "exhaustive", "-k", "8", "--suppression", "0.3"]),
    ("global, suppressed rows masked", ["--algorithm", "exhaustive", "-k", "8", "--suppression", "0.3", "--suppressed", "mask"]),
    ("mondrian", ["--algorithm", "mondrian"]),
    ("k-members", ["--algorithm", "k-members"]),
    ("oka", ["--algorithm", "oka"]),
    ("ika", ["--algorithm", "ika"]),
    ("bha", ["--algorithm", "bha"]),
    ("kab", ["--algorithm", "kab", "--time-limit", "1"]),
    ("mondrian with models, masked", ["--algorithm", "mondrian", "--sensitive", "ill", "--l-diversity", "2", "--suppressed",
                                      "mask"]),
)


def order(folder, tally):
    """Places before and after have nothing to do with each other: of rows, of masked rows, and of neighbours."""
    plain = ["anonymize", "marks.csv", "-o", "marks-out.csv", "--qi", "age,zip", "--others", "keep", "-k", "5", "-q"]
    write_table(f"{folder}/marks.csv", range(ROWS))
    for name, more in METHODS:
        wrong, values = [], []
        for seed in range(1, SEEDS + 1):
            done = tool(folder, *plain, *more, "--seed", str(seed))
            if done.returncode:
                wrong.append(f"exit status {done.returncode}: {done.stderr[-200:]}")
                continue
            marks = read_marks(f"{folder}/marks-out.csv")
            values.append(correlation([mark for mark, _ in marks]))
            bound = 5.5 / (len(marks) - 1) ** 0.5  # of a deviation of 1: one run in 26 million is beyond
            if abs(values[-1]) > bound:
                wrong.append(f"seed {seed}: rank correlation {values[-1]:.3f}, beyond {bound:.3f}")
            neighbours = sum(abs(a - b) == 1 for (a, _), (b, _) in zip(marks, marks[1:]))
            if neighbours > 14:  # Poisson with mean 2: one run in 250 million
                wrong.append(f"seed {seed}: {neighbours} neighbours are neighbours still, about 2 are expected")
            stars = [place for place, (_, row) in enumerate(marks) if row["age"] == row["zip"] == "*"]
            if "masked" in name and 10 < len(stars) < len(marks) / 2:
                middle, spread = sum(stars) / len(stars), len(marks) / (12 * len(stars)) ** 0.5
                if abs(middle - len(marks) / 2) > 5.5 * spread:
                    wrong.append(f"seed {seed}: masked rows stand around row {middle:.0f} of {len(marks)}")
        told = f", at most {max(map(abs, values)):.3f}" if values else ""
        tally.line(f"order: no rank correlation, {name}{told}", wrong, SEEDS)


def permuted(folder, tally):
    """The same people in another order: the same rows come out, in another order again."""
    shuffled = list(range(ROWS))
    random.Random(3).shuffle(shuffled)
    write_table(f"{folder}/marks.csv", range(ROWS))
    write_table(f"{folder}/mixed.csv", shuffled)
    for name, more in METHODS[:4]:
        got = []
        for table in ("marks.csv", "mixed.csv"):
            done = tool(folder, "anonymize", table, "-o", "marks-out.csv", "--qi", "age,zip", "--others", "keep", "-k", "5", "-q", *more)
            got.append((done.returncode, read_marks(f"{folder}/marks-out.csv")))
        same = sorted(str(row) for _, row in got[0][1]) == sorted(str(row) for _, row in got[1][1])
        wrong = [] if got[0][0] == got[1][0] == 0 and same else [f"exit status {got[0][0]} and {got[1][0]}, same rows: {same}"]
        if [mark for mark, _ in got[0][1]] == [mark for mark, _ in got[1][1]]:
            wrong.append("even the same order")
        tally.line(f"order: a permuted table gives the same rows, {name}", wrong, 2)


OTHERS = (  # releases of one table under the same key that show it otherwise
    ("ages and towns", ["--qi", "age,zip"]),
    ("other levels", ["--qi", "age,zip", "-k", "40"]),
    ("ages alone", ["--qi", "age", "--id", "zip"]),
    ("towns alone", ["--qi", "zip", "--id", "age"]),
    ("identifiers left out", ["--qi", "age", "--id", "zip", "--identifiers", "drop"]),
    ("other labels", ["--qi", "age,zip", "--hierarchy", "age=range:7,35", "--hierarchy", "zip=range:30"]),
    ("masked", ["--qi", "age,zip", "-k", "8", "--suppression", "0.3", "--suppressed", "mask"]),
    ("mondrian", ["--qi", "age,zip", "--algorithm", "mondrian"]),
    ("mondrian, larger classes", ["--qi", "age,zip", "--algorithm", "mondrian", "-k", "20"]),
)


def side_by_side(folder, tally):
    """Two releases cannot be laid side by side: where rows stand in one says nothing about the other. The same
    settings give the same order."""
    write_table(f"{folder}/marks.csv", range(ROWS))
    places, wrong = [], []
    for name, more in OTHERS + OTHERS[:1]:
        done = tool(folder, "anonymize", "marks.csv", "-o", "marks-out.csv", "--others", "keep", "-k", "5", "-q", *harness.ORDER, *more)
        if done.returncode:
            wrong.append(f"{name}: exit status {done.returncode}: {done.stderr[-200:]}")
        places.append({mark: place for place, (mark, _) in enumerate(read_marks(f"{folder}/marks-out.csv"))})
    if places[0] != places[-1]:
        wrong.append("the same settings gave another order")
    for b in range(len(OTHERS)):
        for a in range(b):
            both = sorted(set(places[a]) & set(places[b]), key=places[a].get)
            value = correlation([places[b][mark] for mark in both])
            if abs(value) > 5.5 / (len(both) - 1) ** 0.5:
                wrong.append(f"{OTHERS[a][0]} and {OTHERS[b][0]}: rank correlation {value:.3f}")
    tally.line("order: two releases of a table cannot be laid side by side", wrong, len(places))


# --- seed and key -----------------------------------------------------------------------------------------------------


def seeds(folder, tally):
    """With the key of the order and a guess of the table one could repeat the release: like the seed, it is for the holder
    alone. A fresh key stands in the internal reports, and nowhere else: not even in the summary."""
    seed = "7395146820"
    given = harness.ORDER[1]
    wrong = []
    write_table(f"{folder}/marks.csv", range(300))
    for audience in ("internal", "external"):
        for method, key in (("kgen", given), ("mondrian", "")):
            done = tool(folder, "anonymize", "marks.csv", "-o", "s.csv", "--qi", "age,zip", "--others", "keep", "-k", "3", "--suppression", "0.1",
                        "--seed", seed, "--algorithm", method, "--report", "s.json", "--report", "s.html", "--report-audience",
                        audience, *(harness.ORDER if key else []))
            if done.returncode:
                wrong.append(f"exit status {done.returncode}: {done.stderr[-200:]}")
                continue
            with open(f"{folder}/s.json") as file:
                told = json.load(file).get("parameters", {})
            for what in ("seed", "order_key"):
                if (what in told) != (audience == "internal"):
                    wrong.append(f"{method}, {audience}: parameters.{what}")
            key = key or told.get("order_key", "")
            if len(key) != 64 and audience == "internal":
                wrong.append(f"{method}: the key is {key}")
            for name in ("s.csv", "s.json", "s.html"):
                with open(f"{folder}/{name}", "rb") as file:
                    text = file.read()
                for what, has in (("seed", seed.encode() in text.replace(b",", b"")),
                                  ("key", bool(key) and key.encode() in text)):
                    if has != (audience == "internal" and name != "s.csv"):
                        wrong.append(f"{method}, {audience}: the {what} is {'in' if has else 'not in'} {name}")
            if key and key.encode() in done.stdout + done.stderr:
                wrong.append(f"{method}, {audience}: the summary tells the key")
    tally.line("seed and key stand in internal reports alone", wrong, 4)


def main():
    why = harness.cannot_run()
    if why:
        print(f"skip leaks: {why}")
        return 0
    tally = harness.Tally()
    with Yard() as yard:
        failing(yard, tally)
        order(yard.pattern, tally)
        permuted(yard.pattern, tally)
        side_by_side(yard.pattern, tally)
        seeds(yard.pattern, tally)
    print(f"{tally.runs} runs in all")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
