"""harness.py -- what the scripts of this folder share: a folder with tables, every command of the tool with files to
read and to write, and a run of it under libfault.so (fault.c). A run is judged by what is promised: the exit
status, one line of message, files that are old or complete, and no temporary file."""
import gzip
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SRC, "tests"))
from testlib import LONG, make_folder  # noqa: E402  (the folder is known only now)

BUILD = os.environ.get("KANON_BUILD", os.path.join(SRC, "build", "release"))
KANON = os.environ.get("KANON", os.path.join(BUILD, "kanon"))
LIBRARY = os.path.join(BUILD, "tests", "libfault.so")
LIMIT_S = 30
WORKERS = 2
FULL = LONG or "--full" in sys.argv[1:]  # every n of every command, instead of a sample
OLD = b"what was there before\n"

QI = ["--qi", "age,zip"]
ROLES = QI + ["--id", "name", "--sensitive", "ill", "--hierarchy", "age=range:5,10,50", "--hierarchy", "zip=mask:right"]
KEPT = ROLES + ["--others", "keep"]  # of a job that releases
ORDER = ["--order-key", "0123456789abcdef" * 4]  # releases are compared byte by byte
JOB = ["anonymize", "table.csv", "-o", "out/release.csv", *KEPT, *ORDER, "-k", "2", "--suppression", "0.2", "--threads", "1"]
REPORTS = ["--report", "out/report.json", "--report", "out/report.html"]
FEW = ["--param", "max-evaluations=40"]

# name, words after "kanon"; "<FILE" at the end: standard input. q: -q would hide what is to be looked at.
COMMANDS = [
    ("version", ["--version"]),
    ("help", ["--help"]),
    ("no command", []),
    ("anonymize --help", ["anonymize", "--help"]),
    ("algorithms", ["algorithms"]),
    ("algorithms --json", ["algorithms", "--json"]),
    ("init", ["init", "table.csv", "-o", "out/config.yaml", "--force"]),
    ("init to standard output", ["init", "table.csv"]),
    ("hierarchy build", ["hierarchy", "build", "table.csv", "--column", "zip", "--hierarchy", "mask:right", "-o",
                         "out/zip.csv", "--force"]),
    ("hierarchy show", ["hierarchy", "show", "zip.csv"]),
    ("hierarchy show --json", ["hierarchy", "show", "table.csv", "--column", "age", "--json"]),
    ("hierarchy validate", ["hierarchy", "validate", "zip.csv", "table.csv", "--column", "zip"]),
    ("check", ["check", "table.csv", *QI, "--sensitive", "ill"]),
    ("check --json --wildcard", ["check", "table.csv", *QI, "--sensitive", "ill", "--json", "--wildcard"]),
    ("check with every model", ["check", "table.csv", *ROLES[:2], "--sensitive", "ill", "-k", "2", "--l-diversity", "2",
                                "--l-kind", "entropy", "--t-closeness", "0.4", "--p-sensitive", "2", "--alpha", "0.9",
                                "--beta-likeness", "2", "--delta-disclosure", "2", "--k-map", "3", "--delta-presence",
                                "0.1,0.9", "--population", "people.csv", "--entity", "name"]),
    ("check per record", ["check", "table.csv", *QI, "--k-column", "wish"]),
    ("compare", ["compare", "table.csv", "released.csv", *ROLES, "--queries", "20"]),
    ("compare --json --html", ["compare", "table.csv", "released.csv", *ROLES, "--queries", "20", "--json", "--html",
                               "out/compare.html"]),
    ("explain", ["explain", "table.csv", *ROLES, "-k", "2", "--suppression", "0.1", "--threads", "1"]),
    ("explain --json", ["explain", "table.csv", *ROLES, "-k", "3", "--suppression", "0", "--threads", "1", "--json"]),
    ("explain --html", ["explain", "table.csv", *ROLES, "-k", "2", "--suppression", "0.1", "--threads", "1", "--html",
                        "out/explain.html"]),
    ("anonymize", JOB + ["--algorithm", "exhaustive"] + REPORTS),
    ("anonymize --json, external", JOB + ["--json", "--report-audience", "external", *REPORTS, "--suppressed", "mask"]),
    ("anonymize with a config", ["anonymize", "table.csv", "-o", "out/release.csv", "-c", "job.yaml", "--threads", "1",
                                 *ORDER, *REPORTS]),
    ("anonymize gzip to standard output", ["anonymize", "table.csv.gz", "-o", "-", *KEPT, *ORDER, "-k", "2", "--suppression",
                                           "0.2", "--threads", "1", "-q"]),
    ("anonymize standard input", ["anonymize", "-", "-o", "out/release.csv", *KEPT, *ORDER, "-k", "2", "--suppression",
                                  "0.2", "--threads", "1", "<table.csv"]),
    ("anonymize --from", ["anonymize", "table.csv", "-o", "out/release.csv", "--from", "front.json", "--pick", "1",
                          "--threads", "1", *ORDER]),
    ("anonymize with models", JOB + ["-k", "3", "--suppression", "0.5", "--l-diversity", "2", "--t-closeness", "0.6",
                                     "--alpha", "0.9", "--k-map", "3", "--population", "people.csv", "--suppressed",
                                     "mask", *REPORTS]),
    ("anonymize persons", JOB + ["--entity", "name", "--k-column", "wish", "--suppression", "0.5"]),
    ("an infeasible job", JOB + ["-k", "30", "--suppression", "0", "--json"]),
    ("a broken table", ["anonymize", "broken.csv", "-o", "out/release.csv", *KEPT]),
    ("an unknown option", JOB + ["--supression", "0.1"]),
    ("two threads", JOB[:-1] + ["2", "--algorithm", "exhaustive"]),
] + [(f"anonymize, {name}", JOB + ["--algorithm", name, *extra]) for name, extra in (
    ("auto", []), ("kgen", FEW), ("optimal", []), ("ola", []), ("incognito", []), ("samarati", []), ("datafly", []),
    ("random", FEW), ("ga", FEW), ("tabu", FEW), ("ga-tabu", FEW), ("mondrian", []), ("k-members", ["--snap", "grid"]),
    ("oka", ["--local", "median"]), ("ika", ["--snap", "hierarchy"]), ("bha", []), ("kab", ["--local", "mean"]))
] + [
    ("pareto", ["pareto", "table.csv", *KEPT, "--threads", "1", "-o", "out/front.json", "-o", "out/front.html", "-o",
                "out/front.csv"]),
    ("pareto pbg-ea --json", ["pareto", "table.csv", *KEPT, "--threads", "1", "--algorithm", "pbg-ea", "--param",
                              "iterations=3", "--param", "population=4", "--json"]),
]
TARGETS = ("release.csv", "report.json", "report.html", "config.yaml", "zip.csv", "compare.html", "front.json", "front.html",
           "front.csv", "explain.html")


NOBODY = 65534


def become_nobody():
    """In a child of root's."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def rows(count, repeat=1):
    ills = ("flu", "cold", "gout", "none")
    for i in range(count):
        yield f"P{i // repeat:05d},{20 + (i * 7) % 40},{80100 + (i * 37) % 300},{ills[(i * 5 + i // 4) % 4]},{1 + i % 2}"


def make_tables(folder):
    """The files that commands read."""
    header = "name,age,zip,ill,wish\n"
    table = header + "\n".join(rows(24)) + "\n"
    write(f"{folder}/table.csv", table)
    with gzip.open(f"{folder}/table.csv.gz", "wt") as file:
        file.write(table)
    write(f"{folder}/people.csv", header + "\n".join(rows(72)) + "\n")
    write(f"{folder}/broken.csv", table + "one,2\n")
    write(f"{folder}/job.yaml", "k: 2\nsuppression: 0.2\nalgorithm: kgen\nparams: {max-evaluations: 30, population: 6}\n"
          "attributes:\n  name: {role: identifier}\n  age: {role: quasi, type: number, hierarchy: {range: [5, 10, 50]}}\n"
          "  zip: {role: quasi, type: string, hierarchy: {file: zip.csv}}\n  ill: {role: sensitive}\n")


def make_others(folder):
    """Those that the tool makes from them."""
    for words in (["hierarchy", "build", "table.csv", "--column", "zip", "--hierarchy", "mask:right", "-o", "zip.csv"],
                  JOB[:3] + ["released.csv"] + JOB[4:] + ["-q"],
                  ["pareto", "table.csv", *KEPT, "-o", "front.json", "-q"]):
        subprocess.run([KANON, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=LIMIT_S)


def open_to_all(yard, place):
    """Another user may work in the folder, but writes only temporary files."""
    os.chmod(yard.root, 0o755)
    os.chmod(place.folder, 0o755)
    os.chmod(place.tmp, 0o777)


class Run:
    """What came of a run."""

    def __init__(self, status, out, err, files, left, hung):
        self.status, self.out, self.err, self.files, self.left, self.hung = status, out, err, files, left, hung

    def messages(self):
        """The lines of stderr that are no warning."""
        return [line for line in self.err.decode("utf-8", "replace").splitlines() if "warning:" not in line]


class Place:
    """A folder of its own, where commands run one after another; files to be written are there before, in an
    older edition."""

    def __init__(self, yard):
        self.tool, self.library = yard.tool, yard.library
        self.folder = tempfile.mkdtemp(prefix="place-", dir=yard.root)
        for name in os.listdir(yard.pattern):
            if os.path.isfile(f"{yard.pattern}/{name}"):
                shutil.copy(f"{yard.pattern}/{name}", self.folder)
        self.out, self.tmp = f"{self.folder}/out", f"{self.folder}/tmp"
        os.mkdir(self.out)
        os.mkdir(self.tmp)
        self.counts = f"{self.folder}/counts"
        self.opened = {}
        self.old = None

    def reset(self, old):
        """Every target in its old edition (old), or none there at all."""
        if self.old == old:
            return
        for name in os.listdir(self.out):
            os.remove(f"{self.out}/{name}")
        for name in TARGETS if old else ():
            with open(f"{self.out}/{name}", "wb") as file:
                file.write(OLD)
        self.old = old

    def environment(self, fault):
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "TMPDIR": self.tmp, "LD_PRELOAD": self.library}
        if fault:
            env["KANON_FAULT"] = fault
        else:
            env["KANON_FAULT_COUNTS"] = self.counts
        return env

    def start(self, words, fault=None, **more):
        """A process, and the files that its output goes to."""
        stdin = more.get("stdin", subprocess.DEVNULL)
        if words and words[-1][0] == "<":
            stdin = open(f"{self.folder}/{words[-1][1:]}", "rb")
            words = words[:-1]
        out, err = open(f"{self.folder}/stdout", "w+b"), open(f"{self.folder}/stderr", "w+b")
        process = subprocess.Popen([self.tool, *words], cwd=self.folder, stdin=stdin,
                                   env={**self.environment(fault), **more.get("env", {})},
                                   stdout=more.get("stdout", out), stderr=err, close_fds=True,
                                   preexec_fn=more.get("before"))
        if hasattr(stdin, "close"):
            stdin.close()
        return process, out, err

    def finish(self, process, out, err):
        hung = not ends_within(process, LIMIT_S)
        if hung:
            process.kill()
        process.wait()
        out.seek(0), err.seek(0)
        run = Run(process.returncode, out.read(), err.read(), self.written(), self.left(), hung)
        out.close(), err.close()
        return run

    def run(self, words, fault=None, old=True, **more):
        self.reset(old)
        return self.finish(*self.start(words, fault, **more))

    def written(self):
        """The targets that are no longer what they were."""
        found = {}
        for name in os.listdir(self.out):
            data = b""
            if os.path.isfile(f"{self.out}/{name}"):
                with open(f"{self.out}/{name}", "rb") as file:
                    data = file.read()
            if name in TARGETS and not (self.old and data == OLD):
                found[name] = data
        if found or len(os.listdir(self.out)) != (len(TARGETS) if self.old else 0):
            self.old = None  # to be made again
        return found

    def left(self):
        """Temporary files, which are removed here."""
        found = [f"{folder}/{name}" for folder in (self.out, self.tmp, self.folder) for name in os.listdir(folder)
                 if folder == self.tmp or "kanon-" in name]
        for path in found:
            os.remove(path)
        return [os.path.relpath(path, self.folder) for path in found]

    def count(self, words, old=True):
        """How often an undisturbed run makes each call. self.opened: at which of "any" it opened each file."""
        run = self.run(words, old=old)
        counts = {}
        self.opened = {}
        with open(self.counts) as file:
            for line in file:
                word, number, *path = line.split()
                if word == "opened":
                    self.opened.setdefault(path[0], []).append(int(number))
                elif word == "reads":  # the first read after a file was opened
                    for opened in self.opened:
                        counts.setdefault(opened, int(number))
                else:
                    counts[word] = int(number)
        return run, counts


def ends_within(process, seconds):
    """Waits without the naps of Popen.wait(timeout)."""
    try:
        fd = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        try:
            process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False
    try:
        return bool(select.select([fd], [], [], seconds)[0])
    finally:
        os.close(fd)


VOLATILE = (  # times, and what memory a run took
    re.compile(rb'"seconds": ?(\{[^}]*\}|[0-9.e-]+)'), re.compile(rb'"(memory|peak|started|finished|time)[a-z_]*": ?[^,}\n]*'),
    re.compile(rb"<div><h4>Best loss over time</h4>.*?</svg>\s*</div>", re.S),  # only of slow searches
    re.compile(rb"\n  It replaced an existing file\."), re.compile(rb"Time  .*?(?=\n\S|\n\n|$)", re.S),
    re.compile(rb"[0-9.,]+ ?(ms|s|seconds|MB|MiB|kB|GB)\b"))


def steady(data):
    """A report without what differs between two runs of the same job."""
    for pattern in VOLATILE:
        data = pattern.sub(b"", data)
    return data


def same(one, other):
    return set(one) == set(other) and all(
        one[name] == other[name] or steady(one[name]) == steady(other[name]) for name in one)


def judge(run, calm, statuses):
    """What is wrong with a disturbed run, given the undisturbed one; '' when nothing is.
    statuses: how it may have ended instead of as it should."""
    if run.hung:
        return "hangs"
    if run.status < 0:
        return f"killed by {signal.Signals(-run.status).name}"
    if run.left:
        return f"left {', '.join(run.left)}"
    if run.status == calm.status and same(run.files, calm.files):
        return "" if steady(run.out) == steady(calm.out) else "says something else, and exits as ever"
    if run.status not in statuses:
        return f"exit status {run.status}: {run.err.decode('utf-8', 'replace').strip()[:200]}"
    lines = run.messages()
    if len(lines) != 1 or not lines[0].startswith("kanon: "):
        return f"{len(lines)} lines of message: {' | '.join(lines)[:200]}"
    if run.files:
        return f"exit status {run.status}, and yet it wrote {', '.join(sorted(run.files))}"
    return ""


class Tally:
    """ok and FAIL lines; each stands for many runs."""

    def __init__(self):
        self.failed = self.runs = 0
        self.lock = threading.Lock()

    def line(self, name, wrong, runs=0):
        self.runs += runs
        self.failed += bool(wrong)
        said = f"{wrong[0]}{f' (and {len(wrong) - 1} more)' if len(wrong) > 1 else ''}" if wrong else ""
        print(f"FAIL {name}: {said}" if wrong else f"ok {name}{f' ({runs} runs)' if runs else ''}", flush=True)


class Yard:
    """The folder of everything, on a file system in memory where there is one: syncing a disk thousands of times
    takes long. The tool and libfault.so are copied to a folder that every user may enter, since some runs are another
    user's and the repository may lie below a private folder."""

    def __enter__(self):
        self.programs = make_folder("kanon-programs-", programs=True)
        os.chmod(self.programs, 0o755)
        self.tool, self.library = shutil.copy(KANON, self.programs), shutil.copy(LIBRARY, self.programs)
        self.root = make_folder("kanon-faults-", "/dev/shm")
        self.pattern = f"{self.root}/pattern"
        os.mkdir(self.pattern)
        make_tables(self.pattern)
        make_others(self.pattern)
        self.own = threading.local()
        self.pool = ThreadPoolExecutor(WORKERS)
        return self

    def __exit__(self, *_):
        self.pool.shutdown()
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.rmtree(self.programs, ignore_errors=True)

    def place(self):
        """Each thread has its own."""
        if not hasattr(self.own, "place"):
            self.own.place = Place(self)
        return self.own.place

    def map(self, work, items):
        return list(self.pool.map(work, items))


def cannot_run():
    """Why the scripts of this folder cannot work here, or ''."""
    if not os.path.exists(LIBRARY):
        return "libfault.so was not built (it needs Linux with glibc)"
    done = subprocess.run([KANON, "--version"], env={"LD_PRELOAD": LIBRARY, "KANON_FAULT": "alloc:1+:ENOMEM"},
                          capture_output=True, timeout=LIMIT_S)
    return "" if done.returncode in (0, 4) else f"libfault.so cannot be preloaded: {done.stderr.decode()[:200]}"
