"""common.py -- what the test scripts share: where the tool is, how it is started, how a result is told.

Every check prints one line: "ok NAME", "FAIL NAME: why" or "skip NAME: why". A script ends with exit
code 1 when a check failed. The tool is $KANON, or build/release/kanon of this tree.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from testlib import LONG, either, stands_in  # noqa: E402,F401  (the folder is known only now; for the scripts)

KANON = os.path.abspath(os.environ.get("KANON", os.path.join(ROOT, "build", "release", "kanon")))
SHARED = os.path.join(os.path.dirname(ROOT), "shared")


class Skip(Exception):
    """A check that cannot run here; its text says why."""


class Failed(Exception):
    """A check that did not hold; its text says why."""


def expect(condition, why):
    if not condition:
        raise Failed(why)


def expect_equal(found, expected, what):
    if found != expected:
        raise Failed("%s: found %r, expected %r" % (what, found, expected))


def close(a, b, tolerance=1e-9):
    """Equal up to a relative error (absolute below 1)."""
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


class Run:
    """A finished process."""

    def __init__(self, command, code, out, err):
        self.command, self.code, self.out, self.err = command, code, out, err

    def line(self):
        """The message of a failure in one line."""
        text = self.err.decode("utf-8", "replace").strip()
        return "exit code %d: %s" % (self.code, text or "(nothing on standard error)")


def run(command, stdin=b"", cwd=None, timeout=600):
    done = subprocess.run([str(part) for part in command], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=cwd, timeout=timeout, check=False)
    return Run(command, done.returncode, done.stdout, done.stderr)


def kanon(*arguments, **keywords):
    return run((KANON,) + arguments, **keywords)


def helper(name):
    """A helper program of the tests by its name, or None where it was not built."""
    places = [os.environ.get(name.upper(), "")]
    for folder in (os.path.dirname(KANON), os.path.join(ROOT, "build", "release")):
        places += [os.path.join(folder, name), os.path.join(folder, "tests", name)]
    for place in places:
        if place and os.access(place, os.X_OK) and os.path.isfile(place):
            return place
    return None


def node_dump():
    """The helper that prints every node of a lattice, or None where it was not built."""
    return helper("node_dump")


def need_tool():
    if not os.access(KANON, os.X_OK):
        raise Skip("no tool at %s (set KANON or run make build)" % KANON)


def need_shared(*parts):
    path = os.path.join(SHARED, *parts)
    if not os.path.exists(path):
        raise Skip("%s is not on this machine" % os.path.join("..", "shared", *parts))
    return path


def children_peak_kb():
    """Largest memory of any process started so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def scratch_root():
    """Memory-backed where possible: thousands of small synced files are slow on a disk."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Folder:
    """A temporary folder that goes away at the end of a with block."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="kanon-test-", dir=scratch_root())
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        """text: str (as UTF-8) or bytes."""
        with open(self.file(name), "wb") as out:
            out.write(text.encode("utf-8") if isinstance(text, str) else text)
        return self.file(name)

    def read(self, name):
        with open(self.file(name), "rb") as file:
            return file.read()

    def json(self, name):
        return json.loads(self.read(name).decode("utf-8"))


class Suite:
    """Runs checks one by one and tells what came of them."""

    def __init__(self):
        self.failed = 0

    def say(self, text):
        print(text, flush=True)

    def check(self, name, function, *arguments):
        try:
            function(*arguments)
        except Skip as why:
            self.say("skip %s: %s" % (name, why))
            return
        except Failed as why:
            self.fail(name, why)
            return
        except Exception as why:  # a crash of a check is a failure of that check, not of the rest
            self.fail(name, "%s: %s" % (type(why).__name__, why))
            traceback.print_exc()
            return
        self.say("ok %s" % name)

    def fail(self, name, why):
        self.failed += 1
        self.say("FAIL %s: %s" % (name, " ".join(str(why).split())))

    def end(self):
        sys.exit(1 if self.failed else 0)


def anonymize(folder, table, options, out="out.csv", report="report.json"):
    """One run of the main job in a folder; (Run, report or None)."""
    command = ["anonymize", table, "-o", folder.file(out), "--report", folder.file(report), "-q"]
    if "--others" not in options and "-c" not in options:
        command += ["--others", "keep"]  # most tests are about other columns
    done = kanon(*command, *options)
    if done.code != 0:
        return done, None
    return done, folder.json(report)


def anonymize_ok(folder, table, options, **keywords):
    done, report = anonymize(folder, table, options, **keywords)
    expect(done.code == 0, "%s -- %s" % (" ".join(map(str, done.command)), done.line()))
    return report
