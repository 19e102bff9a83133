#!/usr/bin/env python3
"""run_terminal.py -- what the tool does on a terminal and away from one: colour only there and not with NO_COLOR,
lines that fit the window, and --json for every command that tells something."""
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SRC, "tests", "oracle"))
import jsonschema_mini  # noqa: E402

KANON = os.environ.get("KANON", os.path.join(SRC, "build", "release", "kanon"))
TABLE, CONFIG = (os.path.join(SRC, "examples", name) for name in ("register.csv", "register.yaml"))
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LIMIT_S = 60
failed = 0


def result(name, wrong):
    global failed
    failed += bool(wrong)
    print(f"FAIL {name}: {wrong}" if wrong else f"ok {name}")


def on_terminal(arguments, columns, **env):
    """What a terminal of so many columns gets to see."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen([KANON, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                               env={**os.environ, "TERM": "xterm", "LC_ALL": "C", **env})
    os.close(theirs)
    seen = b""
    while select.select([ours], [], [], LIMIT_S)[0]:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    process.wait(LIMIT_S)
    return seen.decode("utf-8").replace("\r\n", "\n")


def piped(arguments, expect=0):
    done = subprocess.run([KANON, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S)
    return done.stdout.decode(), done.stderr.decode(), \
        None if done.returncode == expect else f"exit status {done.returncode}, expected {expect}"


def longest(text):
    return max((len(ESCAPE.sub("", line)) for line in text.split("\n")), default=0)


def check_terminal(folder):
    job = ["anonymize", TABLE, "-c", CONFIG, "-o", os.path.join(folder, "r.csv"), "--progress", "never"]
    shown = on_terminal(job, 120)
    result("labels of the verdict are bold on a terminal", "\x1b[1mLeft\x1b[0m  " not in shown and "not found")
    result("what to look at has a colour of its own", "\x1b[1;33mLook at\x1b[0m  " not in shown and "not found")
    detailed = on_terminal([*job, "-v"], 120)
    result("headings are bold on a terminal", not re.search(r"\x1b\[1mColumn ", detailed) and "no bold heading")
    result("warnings have a colour of their own",
           "\x1b[1;33mWarnings\x1b[0m" not in detailed and "not found")
    result("NO_COLOR is honoured", "\x1b" in on_terminal(job, 120, NO_COLOR="1") and "an escape sequence")
    result("a dumb terminal gets none", "\x1b" in on_terminal(job, 120, TERM="dumb") and "an escape sequence")
    for columns in (64, 80, 100, 160):
        width = longest(on_terminal(job, columns))
        result(f"a job's summary fits {columns} columns", width > min(columns, 100) and f"{width} wide")
    for columns in (64, 80):
        lines = on_terminal(["check", TABLE, "-c", CONFIG, "--progress", "never"], columns).split("\n")
        width = longest("\n".join(line for line in lines if "kanon:" not in line))  # a failure is one line
        result(f"a check fits {columns} columns", width > columns and f"{width} wide")
    busy = on_terminal(job[:-1] + ["always"], 64)
    result("the progress line fits, too", longest(busy.replace("\r", "\n")) > 64 and "it does not")
    os.remove(os.path.join(folder, "r.csv"))  # as the first time: nothing is replaced
    plain, errors, wrong = piped(job)
    result("no escape sequence in a pipe", wrong or ("\x1b" in plain + errors and "found one"))
    result("the same words on a terminal and in a pipe",
           [l for l in ESCAPE.sub("", shown).split("\n") if not l.startswith("Time ") and "memory" not in l] !=
           [l for l in plain.split("\n") if not l.startswith("Time ") and "memory" not in l] and "they differ")
    broken = on_terminal(["anonymize", "no-such-file.csv", "--qi", "a", "-o", os.path.join(folder, "n.csv")], 80)
    result("an error is one line", len(broken.strip().split("\n")) != 1 and repr(broken))
    result("an error is red", not broken.startswith("\x1b[1;31mkanon:\x1b[0m ") and repr(broken))


def check_json(folder):
    release = os.path.join(folder, "release.csv")
    hierarchy = os.path.join(SRC, "examples", "job.csv")
    quasi = "birth_date,age,sex,postcode,city,job"
    commands = {
        "anonymize": ["anonymize", TABLE, "-c", CONFIG, "-o", release],
        "check": ["check", TABLE, "--qi", quasi],
        "hierarchy show": ["hierarchy", "show", hierarchy],
        "hierarchy validate": ["hierarchy", "validate", hierarchy],
        "algorithms": ["algorithms"],
    }
    for name, arguments in commands.items():
        said, _, wrong = piped([*arguments, "--json"])
        try:
            json.loads(said)
        except ValueError as error:
            wrong = wrong or str(error)
        result(f"{name} --json", wrong)
    empty = ["-k", "6000", "--suppression", "1"]
    for audience, schema, more in (("internal", "report", []), ("external", "report-external", []),
                                   ("internal", "report", empty), ("external", "report-external", empty)):
        said, _, wrong = piped([*commands["anonymize"], *more, "--json", "--report-audience", audience])
        with open(os.path.join(SRC, "docs", schema + ".schema.json"), encoding="utf-8") as file:
            wrong = wrong or jsonschema_mini.validate(json.loads(said), json.load(file))
        result(f"the {audience} report{' of an empty release' * bool(more)} is as its schema says", wrong and str(wrong)[:200])
    said, errors, wrong = piped([*commands["anonymize"], "-k", "6000", "--suppression", "0", "--json"], 2)
    result("an infeasible job --json", wrong or (json.loads(said)["outcome"] != "infeasible" and said[:80])
           or (errors.count("\n") != 1 and repr(errors)))
    said, errors, wrong = piped(["anonymize", TABLE, "-c", CONFIG, "-o", "-", "--json"], 1)
    result("--json beside a release on standard output is refused", wrong or (said and "something was written"))


def main():
    with tempfile.TemporaryDirectory(prefix="kanon-terminal-") as folder:
        check_terminal(folder)
        check_json(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
