#!/usr/bin/env python3
"""run_secrets.py -- plants values that nobody may hear of again: all identifiers, and everything about one person
who is like nobody else and so is suppressed. Then every command runs over the table, in every manner of telling,
and what it says and writes is searched for them."""
import os
import subprocess
import sys
import tempfile

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KANON = os.environ.get("KANON", os.path.join(SRC, "build", "release", "kanon"))
SECRETS = ("PERSON", "97531", "97,531", "Secretville", "spymaster", "86420", "86,420", "classified")
LIMIT_S = 60
ROLES = ["--qi", "age,town,job", "--id", "name", "--sensitive", "salary", "--missing", ",?"]


def write_table(path):
    with open(path, "w") as file:
        file.write("name,age,town,job,salary,note\n")
        for i in range(200):
            file.write(f"PERSON{i},{20 + i % 5},{('Norhaven', 'Eskvik')[i % 2]},{('nurse', 'baker', 'clerk')[i % 3]},"
                       f"{1000 + 100 * (i % 7)},remark\n")
        file.write("PERSON-ODD,97531,Secretville,spymaster,86420,classified\n")


def commands(table):
    job = ["anonymize", table, "-o", "release.csv", *ROLES, "-k", "5", "--suppression", "0.02"]
    reports = ["--report", "r.html", "--report", "r.json"]
    yield "a job", job + reports
    yield "a job, all stages told", job + reports + ["-v", "--progress", "always"]
    yield "a job for strangers", job + reports + ["--report-audience", "external"]
    yield "a job with --json", job + ["--json"]
    yield "masked rows", job + reports + ["--suppressed", "mask", "--suppression", "0.1"]
    yield "an optimal search", job + reports + ["--algorithm", "optimal"]
    yield "an infeasible job", job + reports + ["-k", "500", "--suppression", "0"]
    yield "an infeasible job with --json", job + ["-k", "500", "--suppression", "0", "--json"]
    yield "a check", ["check", table, "--qi", "age,town,job", "--sensitive", "salary"]
    yield "a check with --json", ["check", table, "--qi", "age,town,job", "--sensitive", "salary", "--json"]
    yield "a front", ["pareto", table, *ROLES, "-o", "front.json", "-o", "front.html", "-o", "front.csv"]
    yield "an explanation", ["explain", table, *ROLES, "-k", "5"]
    yield "an explanation with --json", ["explain", table, *ROLES, "-k", "5", "--json"]
    yield "a comparison", ["compare", table, "release.csv", *ROLES, "--html", "c.html"]
    yield "a comparison with --json", ["compare", table, "release.csv", *ROLES, "--json"]


def main():
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kanon-secrets-") as folder:
        table = os.path.join(folder, "table.csv")
        write_table(table)
        for name, arguments in commands(table):
            done = subprocess.run([KANON, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=LIMIT_S)
            told = {"output": done.stdout + done.stderr}
            for file in sorted(os.listdir(folder)):
                if file != "table.csv":
                    with open(os.path.join(folder, file), "rb") as opened:
                        told[file] = opened.read()
            found = [f"{secret} in {place}" for place, text in told.items() for secret in SECRETS
                     if secret.encode() in text]
            if done.returncode not in (0, 2):
                found.append(f"exit status {done.returncode}: {done.stderr.decode()[-200:]}")
            failed += bool(found)
            print(f"FAIL {name}: {'; '.join(found[:4])}" if found else f"ok {name}")
            for file in told:
                if file not in ("output", "release.csv"):
                    os.remove(os.path.join(folder, file))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
