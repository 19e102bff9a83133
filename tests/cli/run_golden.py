#!/usr/bin/env python3
"""run_golden.py [--update] [NAME-PART...] -- runs the command line and compares what it says.

A case is a file NAME.cmd (bash) with NAME.stdout, NAME.stderr, NAME.exit beside it, or a folder NAME
with cmd, stdout, stderr, exit in it. What has no file is not checked; without an exit file the status
must be 0. A command runs in a fresh folder, into which the other files of its case folder are copied,
with $KANON (the tool) and $SRC (the repository). Paths of both folders in the output are written as
$TMP and $SRC. --update rewrites the expectations from what happens now.
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.dirname(os.path.dirname(HERE))
PARTS = ("stdout", "stderr", "exit")
LIMIT_S = 120


class Case:
    def __init__(self, command):
        self.command = command
        self.folder = os.path.basename(command) == "cmd"
        self.stem = os.path.dirname(command) if self.folder else command[: -len(".cmd")]
        self.name = os.path.relpath(self.stem, HERE)

    def path(self, part):
        return os.path.join(self.stem, part) if self.folder else f"{self.stem}.{part}"

    def expected(self, part):
        try:
            with open(self.path(part), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b"0\n" if part == "exit" else None

    def place_files(self, work):
        if not self.folder:
            return
        for entry in sorted(os.listdir(self.stem)):
            if entry == "cmd" or entry in PARTS:
                continue
            source, target = os.path.join(self.stem, entry), os.path.join(work, entry)
            if os.path.isdir(source):
                shutil.copytree(source, target)
            else:
                shutil.copy(source, target)

    def run(self):
        """What happens now: {part: bytes}."""
        work = os.path.realpath(tempfile.mkdtemp(prefix="kanon-cli-"))
        env = dict(os.environ, SRC=SRC, KANON=tool(), LC_ALL="C", TZ="UTC", HOME=work)
        try:
            self.place_files(work)
            done = subprocess.run(["bash", self.command], cwd=work, env=env, timeout=LIMIT_S,
                                  stdin=subprocess.DEVNULL, capture_output=True)
            said = {"stdout": done.stdout, "stderr": done.stderr}
            code = done.returncode
        except subprocess.TimeoutExpired as late:
            said = {"stdout": late.stdout or b"", "stderr": (late.stderr or b"") + b"\n(no end)\n"}
            code = 124
        finally:
            shutil.rmtree(work, ignore_errors=True)
        for part, text in said.items():
            said[part] = text.replace(work.encode(), b"$TMP").replace(SRC.encode(), b"$SRC")
        return {**said, "exit": b"%d\n" % code}


def tool():
    default = os.path.join(SRC, "build", "release", "kanon")
    return os.path.abspath(os.environ.get("KANON", default))


def find_cases(wanted):
    commands = []
    for folder, _, files in os.walk(HERE):
        commands += [os.path.join(folder, f) for f in files if f == "cmd" or f.endswith(".cmd")]
    cases = [Case(command) for command in sorted(commands)]
    return [c for c in cases if not wanted or any(w in c.name for w in wanted)]


def first_difference(expected, got):
    """One line that shows where two texts part."""
    want, have = expected.decode("utf-8", "replace").split("\n"), got.decode("utf-8", "replace").split("\n")
    for i in range(max(len(want), len(have))):
        a = want[i] if i < len(want) else "(end)"
        b = have[i] if i < len(have) else "(end)"
        if a != b:
            return f"line {i + 1} is {b!r}, expected {a!r}"
    return "they differ"


def check(case):
    got = case.run()
    for part in ("exit", "stderr", "stdout"):
        expected = case.expected(part)
        if expected is None or expected == got[part]:
            continue
        if part == "exit" and expected.strip() == got[part].strip():
            continue
        why = first_difference(expected, got[part])
        if part == "exit":
            errors = got["stderr"].decode("utf-8", "replace").strip().split("\n")[-1]
            why = f"{got[part].decode().strip()}, expected {expected.decode().strip()} ({errors})"
        print(f"FAIL cli/{case.name}: {part}: {why}")
        return False
    print(f"ok cli/{case.name}")
    return True


def update(case):
    """Rewrites what is checked; a case without any expectation gets all of them."""
    got = case.run()
    fresh = not any(os.path.exists(case.path(part)) for part in PARTS)
    for part in PARTS:
        path = case.path(part)
        if part == "exit" and got[part] == b"0\n":
            if os.path.exists(path):
                os.remove(path)
        elif part == "exit" or fresh or os.path.exists(path):
            with open(path, "wb") as file:
                file.write(got[part])
    print(f"updated cli/{case.name}")


def main():
    arguments = sys.argv[1:]
    updating = "--update" in arguments
    cases = find_cases([a for a in arguments if a != "--update"])
    if not os.access(tool(), os.X_OK):
        print(f"FAIL cli: {tool()} is not there")
        return 1
    if not cases:
        print("skip cli: no case")
        return 0
    if updating:
        for case in cases:
            update(case)
        return 0
    return 0 if all([check(case) for case in cases]) else 1


if __name__ == "__main__":
    sys.exit(main())
