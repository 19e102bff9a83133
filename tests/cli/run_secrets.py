#!/usr/bin/env python3
"""run_secrets.py -- plants values that nobody may hear of again: all identifiers, and everything about one person
who is like nobody else and so is suppressed. Then every command runs over the table, in every manner of telling,
and what it says and writes is searched for them. Error messages may name the one value that must be repaired, and
nothing else of its row."""
import os
import subprocess
import sys
import tempfile

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests"))
from testlib import stands_in  # noqa: E402  (the folder is known only now)

KANON = os.environ.get("KANON", os.path.join(SRC, "build", "release", "kanon"))
SECRETS = ("PERSON", "97531", "97,531", "Secretville", "spymaster", "86420", "86,420", "classified")
UNCHANGED = ("86420", "86,420", "classified")
LIMIT_S = 60
ROLES = ["--qi", "age,town,job", "--id", "name", "--sensitive", "salary", "--missing", ",?"]


def write_table(path):
    with open(path, "w") as file:
        file.write("name,age,town,job,salary,note\n")
        for i in range(200):
            file.write(f"PERSON{i},{20 + i % 5},{('Norhaven', 'Eskvik')[i % 2]},{('nurse', 'baker', 'clerk')[i % 3]},"
                       f"{1000 + 100 * (i % 7)},remark\n")
        file.write("PERSON-ODD,97531,Secretville,spymaster,86420,classified\n")


def forbidden(name):
    """What must not come out of the command of that name. Local recoding suppresses nobody: the odd one is released in a
    class, with what is not generalized as it is."""
    return [secret for secret in SECRETS if not (name.startswith("local") and secret in UNCHANGED)]


def secrets_in(told, secrets):
    """'SECRET in PLACE' for each of them; told: place -> text."""
    return [f"{secret} in {place}" for place, text in told.items() for secret in secrets if stands_in(secret.encode(), text)]


def run_control(table):
    """Every planted value is seen where it stands, and none where its digits are there by chance."""
    with open(table, "rb") as file:
        text = file.read() + b"mean 97,531.0, up to 86,420."
    wrong = [f"{secret} is not seen" for secret in SECRETS if not stands_in(secret.encode(), text)]
    wrong += secrets_in({"a time": b"0.097531 s, 12.86420 s, 97531.25 ms, 86,420.5 ms", "a count": b"197531, 197,531",
                         "a hash": b"3f97531a"}, SECRETS)
    print(f"FAIL planted values are seen: {'; '.join(wrong)}" if wrong else "ok planted values are seen")
    return bool(wrong)


def commands(table):
    job = ["anonymize", table, "-o", "release.csv", *ROLES, "--others", "keep", "-k", "5", "--suppression", "0.02"]
    reports = ["--report", "r.html", "--report", "r.json"]
    yield "a job", job + reports
    yield "a job, all stages told", job + reports + ["-v", "--progress", "always"]
    yield "a job for strangers", job + reports + ["--report-audience", "external"]
    yield "a job with --json", job + ["--json"]
    yield "masked rows", job + reports + ["--suppressed", "mask", "--suppression", "0.1"]
    yield "an optimal search", job + reports + ["--algorithm", "optimal"]
    for method in ("mondrian", "k-members", "oka", "ika", "bha", "kab"):
        yield f"local recoding, {method}", job + reports + ["--algorithm", method, "--snap", "hierarchy", "--hierarchy",
                                                            "age=range:10,100,1000000", "--param", "refine=off"]
    yield "persons, models", job + reports + ["--entity", "name", "--l-diversity", "2", "--t-closeness", "0.5"]
    yield "a starter config", ["init", table, "-o", "config.yaml"]
    yield "an infeasible job", job + reports + ["-k", "500", "--suppression", "0"]
    yield "an infeasible job with --json", job + ["-k", "500", "--suppression", "0", "--json"]
    yield "a check", ["check", table, "--qi", "age,town,job", "--sensitive", "salary"]
    yield "a check with --json", ["check", table, "--qi", "age,town,job", "--sensitive", "salary", "--json"]
    yield "a front", ["pareto", table, *ROLES, "-o", "front.json", "-o", "front.html", "-o", "front.csv"]
    yield "an explanation", ["explain", table, *ROLES, "-k", "5"]
    yield "an explanation with --json", ["explain", table, *ROLES, "-k", "5", "--json"]
    yield "a comparison", ["compare", table, "release.csv", *ROLES, "--html", "c.html"]
    yield "a comparison with --json", ["compare", table, "release.csv", *ROLES, "--json"]


def errors():
    """Tables and settings that are refused: name, what is added to the table, words, values that the message may name."""
    job = ["anonymize", "wrong.csv", "-o", "release.csv", *ROLES]
    yield "a ragged line", b"PERSON-X,97531,Secretville\n", job, ()
    yield "a line too long", b"PERSON-X,97531,Secretville,spymaster,86420,classified,more\n", job, ()
    yield "an unclosed quote", b'"PERSON-X,97531,Secretville,spymaster,86420,classified\n', job, ()
    yield "text after a quote", b'"PERSON"X,97531,Secretville,spymaster,86420,classified\n', job, ()
    yield "no UTF-8", b"PERSON\xff,97531,Secretville,spymaster,86420,classified\n", job, ()
    yield "a zero byte", b"PERSON\0,97531,Secretville,spymaster,86420,classified\n", job, ()
    yield "no date", b"", job + ["--type", "age=date", "--hierarchy", "age=date:year"], ("97531",)
    yield "no number", b"PERSON-X,97531x,Secretville,spymaster,86420,classified\n", \
        job + ["--type", "age=number", "--hierarchy", "age=range:10"], ("97531",)
    yield "not in the hierarchy", b"", job + ["--hierarchy", "town=towns.csv"], ("Secretville",)
    yield "not among the places", b"", job + ["--hierarchy", "town=place:places.csv"], ("Secretville",)
    yield "no number to ask for", b"", job + ["--k-column", "job"], ("spymaster",)
    yield "not in the hierarchy, checked", b"", ["hierarchy", "validate", "towns.csv", "wrong.csv", "--column", "town"], \
        ("Secretville",)
    yield "not in the hierarchy, explained", b"", ["explain", "wrong.csv", *ROLES, "--hierarchy", "town=towns.csv"], \
        ("Secretville",)
    yield "a ragged release, compared", b"PERSON-X,97531,Secretville\n", ["compare", "table.csv", "wrong.csv", *ROLES], ()


def run_errors(folder):
    failed = 0
    with open(os.path.join(folder, "towns.csv"), "w") as file:
        file.write("Norhaven;North;*\nEskvik;South;*\n")
    with open(os.path.join(folder, "places.csv"), "w") as file:
        file.write("place,region\nNorhaven,North\nEskvik,South\n")
    with open(os.path.join(folder, "table.csv"), "rb") as file:
        table = file.read()
    for name, added, words, allowed in errors():
        with open(os.path.join(folder, "wrong.csv"), "wb") as file:
            file.write(table + added)
        done = subprocess.run([KANON, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S)
        said = done.stdout + done.stderr
        found = [secret for secret in SECRETS if secret not in allowed and stands_in(secret.encode(), said)]
        if done.returncode != 1 or os.path.exists(os.path.join(folder, "release.csv")):
            found.append(f"exit status {done.returncode}: {said.decode(errors='replace')[-200:]}")
        failed += bool(found)
        print(f"FAIL error, {name}: {'; '.join(found)}" if found else f"ok error, {name}")
    return failed


def main():
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kanon-secrets-") as folder:
        table = os.path.join(folder, "table.csv")
        write_table(table)
        failed += run_control(table)
        for name, arguments in commands(table):
            done = subprocess.run([KANON, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=LIMIT_S)
            told = {"output": done.stdout + done.stderr}
            for file in sorted(os.listdir(folder)):
                if file != "table.csv":
                    with open(os.path.join(folder, file), "rb") as opened:
                        told[file] = opened.read()
            found = secrets_in(told, forbidden(name))
            if done.returncode not in (0, 2):
                found.append(f"exit status {done.returncode}: {done.stderr.decode()[-200:]}")
            failed += bool(found)
            print(f"FAIL {name}: {'; '.join(found[:4])}" if found else f"ok {name}")
            for file in told:
                if file not in ("output", "release.csv"):
                    os.remove(os.path.join(folder, file))
        os.remove(os.path.join(folder, "release.csv"))
        failed += run_errors(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
