#!/usr/bin/env python3
"""run_quality.py -- quality/results.csv is what the tool gives: some lines of the table that the project makes
itself, at least one of every algorithm, must come out again as they stand there; and a line that was changed must be
noticed."""
import csv
import os
import subprocess
import sys
import tempfile

ROOT = os.environ.get("SRC", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
RUN, RESULTS = os.path.join(ROOT, "quality", "run"), os.path.join(ROOT, "quality", "results.csv")
FIRST = "2"  # lines of each algorithm


def quality(*options):
    done = subprocess.run([RUN, "--check", "--data", "register", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def tell(name, why):
    print("ok " + name if why is None else "FAIL %s: %s" % (name, why), flush=True)
    return why is None


def changed_copy(path, column, change):
    """The file with one cell of the first line of datafly changed."""
    with open(RESULTS, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    line = next(one for one in lines if (one["data"], one["algorithm"]) == ("register", "datafly"))
    line[column] = change(line[column])
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(line), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def algorithms():
    """The names that the tool lists; every one must have a line."""
    told = subprocess.run([os.environ.get("KANON", os.path.join(ROOT, "build", "release", "kanon")), "algorithms"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    part = told[:told.index("\nMetrics ")]
    return [line.split()[0] for line in part.split("\n") if line.startswith("  ") and not line.startswith("   ")]


def missing():
    with open(RESULTS, newline="", encoding="utf-8") as file:
        have = {line["algorithm"] for line in csv.DictReader(file) if line["data"] == "register"}
    return sorted(set(algorithms()) - have)


def main():
    good = True
    lacking = missing()
    good &= tell("quality has a line of every algorithm", "none of %s" % ", ".join(lacking) if lacking else None)
    status, said = quality("--first", FIRST)
    if status:
        print(said)
    good &= tell("quality of the generated table is as tracked", "quality/run --check ended with %d; make quality shows "
                 "and records what changed" % status if status else None)
    with tempfile.TemporaryDirectory(prefix="kanon-test-") as folder:
        path = os.path.join(folder, "results.csv")
        for column, change in (("loss", lambda loss: "%.9g" % (float(loss) + 1e-6)),
                               ("evaluations", lambda count: str(int(count) + 1))):
            changed_copy(path, column, change)
            status, said = quality("--algorithm", "datafly", "--file", path)
            good &= tell("quality notices another %s" % column, None if status == 1 and "    was " in said else
                         "status %d" % status)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
