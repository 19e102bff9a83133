#!/usr/bin/env python3
"""run_runner.py -- tests/run itself, on a tree with a single script: what counts as a failure, what a skip may be, what
the long form is told."""
import os
import shutil
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ALLOWED = "# a comment\nmay be: * is missing -- there is none here\n"
FAILS, PASSES = 1, 0

# name, script, environment, options, exit status, last line, what else must be said
CASES = (
    ("passes", "echo ok one; echo ok two", {}, (), PASSES, "2 passed, 0 failed", "ok two"),
    ("fails", "echo ok one; echo FAIL two: why; exit 1", {}, (), FAILS, "1 passed, 1 failed", "Failed:\n  two: why"),
    ("says nothing", "true", {}, (), FAILS, "0 passed, 1 failed", "no test line"),
    ("ends badly", "echo ok one; exit 3", {}, (), FAILS, "1 passed, 1 failed", "exit status 3 without a failed test"),
    ("crashes", "echo ok one; kill -SEGV $$", {}, (), FAILS, "1 passed, 1 failed", "ended by signal 11"),
    ("does not end", "echo ok one; sleep 60", {"KANON_TEST_LIMIT": "1"}, (), FAILS, "1 passed, 1 failed", "no end after 1 s"),
    ("skips", "echo ok one; echo skip two: no tool", {}, (), PASSES, "1 passed, 0 failed, 1 skipped", "skip two: no tool"),
    ("skips in CI", "echo ok one; echo skip two: no tool", {"CI": "true"}, (), FAILS, "1 passed, 1 failed",
     "two: no tool (skipped in CI"),
    ("skips in CI what may be", "echo ok one; echo skip may be: a thing is missing", {"CI": "true"}, (), PASSES,
     "1 passed, 0 failed, 1 skipped", "skip may be"),
    ("skips in CI for another reason", "echo ok one; echo skip may be: no wish", {"CI": "true"}, (), FAILS,
     "1 passed, 1 failed", "may be: no wish (skipped in CI"),
    ("is short", "echo ok ${KANON_LONG:-short}", {}, (), PASSES, "1 passed, 0 failed", "ok short"),
    ("is long", "echo ok ${KANON_LONG:-short}", {}, ("--long",), PASSES, "1 passed, 0 failed", "ok 1"),
    ("is named by no filter", "echo ok one", {}, ("nothing",), FAILS, "0 passed, 1 failed", "no test is named nothing"),
)


def make_tree(folder):
    os.makedirs(f"{folder}/tests/source")
    for name in ("run", "testlib.py"):
        shutil.copy(f"{TESTS}/{name}", f"{folder}/tests")
    with open(f"{folder}/tests/skips.allowed", "w") as file:
        file.write(ALLOWED)


def wrong_with(folder, script, more, options, status, last, said):
    path = f"{folder}/tests/source/run_one.sh"
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\n{script}\n")
    os.chmod(path, 0o755)
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "KANON_LONG", "KANON_TEST_LIMIT")}
    filters = [] if "nothing" in options else ["source"]
    done = subprocess.run([f"{folder}/tests/run", "--no-build", *options, *filters], env={**env, **more}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    lines = done.stdout.strip().split("\n")
    if (done.returncode, lines[-1]) != (status, last) or said not in done.stdout:
        return f"exit status {done.returncode}, expected {status}: {' | '.join(lines)[-300:]}"
    return ""


def main():
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kanon-test-") as folder:
        make_tree(folder)
        for name, *case in CASES:
            wrong = wrong_with(folder, *case)
            failed += bool(wrong)
            print(f"FAIL runner: a program that {name}: {wrong}" if wrong else f"ok runner: a program that {name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
