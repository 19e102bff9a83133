"""record.py -- what every experiment of papers/ needs: running kanon, keeping one row a run, putting tables
into pages.

    def run(job):                                   # papers/NAME.py has this function
        table = job.table("adult", "adult.csv")     # a data set, or None (job has said that it is skipped)
        book = job.book("adult.csv", ("loss", "wall_s"))        # docs/results/data/adult.csv
        tasks = [Task("adult", "kgen", {"k": 2, "n": n}, seed, functools.partial(measure, table, n, seed))
                 for n in job.pick(range(3, 10), range(3, 6), [3]) for seed in (1, 2, 3)]
        rows = book.fill(tasks)                     # runs what is not there yet; rows in the order of tasks
        job.put("ADULT.md", "losses", markdown(("n", "loss"), [(r.set["n"], r.loss) for r in rows]))
        line_chart(job.plot("adult.svg"), ...)

A row is known by data, algorithm, settings, seed and version of kanon: where the file has it already it is not
run again, so that an experiment that was cut short goes on where it stopped (--fresh begins anew). Rows are
written as they end; at last the file is put into the order of the tasks, so that running again shows a diff."""
import collections
import concurrent.futures
import csv
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KANON = os.path.abspath(os.environ.get("KANON", os.path.join(ROOT, "build", "release", "kanon")))
PAGES = os.path.join(ROOT, "docs", "results")
HEAD = ("data", "algorithm", "settings", "seed", "version", "commit")

Task = collections.namedtuple("Task", "data algorithm settings seed work")
Task.__doc__ = """One run. settings: a dictionary that tells it apart; work: a function without arguments whose
dictionary has the measurements."""


# --- running kanon ------------------------------------------------------------------------------------


class Failed(Exception):
    """kanon ended with an error, or did not end."""


def version():
    """What `kanon --version` says after the name, such as 0.2.0."""
    said = subprocess.run([KANON, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return said.split()[1]


def commit():
    """The commit of this tree, with + where its sources differ from it; - where there is no git. $KANON_COMMIT
    says it where $KANON was built from another tree."""
    if os.environ.get("KANON_COMMIT"):
        return os.environ["KANON_COMMIT"]
    try:
        found = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, check=True).stdout.strip()
        same = subprocess.run(["git", "-C", ROOT, "diff", "--quiet", "HEAD", "--", "src", "cli", "include"],
                              stderr=subprocess.DEVNULL, check=False).returncode == 0
    except (OSError, subprocess.CalledProcessError):
        return "-"
    return found if same else found + "+"


def processor_seconds(pid):
    """What a process has used so far; None where the system does not tell, or the process has ended."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Child:
    """A process that one thread waits for, for what it used, while others may send it signals: not by Popen, which
    would wait for it there as well and take its end away."""

    def __init__(self, command, said):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        self.pid = self.process.pid
        self.lock, self.ended = threading.Lock(), threading.Event()

    def send(self, number):
        with self.lock:
            if not self.ended.is_set():
                os.kill(self.pid, number)

    def wait(self):
        """(exit status, what it used); until it is taken away here, its number is no other process's."""
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self.lock:
            self.ended.set()
            _, status, used = os.wait4(self.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode, used


def interrupt_after(child, limit_s):
    """Ctrl-C for a process that has used its seconds of processor time (of the clock, where the system does
    not tell): kanon then releases the best answer it has. A shared machine does not change what comes out."""
    start = time.monotonic()
    while not child.ended.wait(0.1):
        used = processor_seconds(child.pid)
        if (time.monotonic() - start if used is None else used) >= limit_s:
            child.send(signal.SIGINT)
            return


def spend(command, folder, patience_s, limit_s=None):
    """Runs a command. @return (wall seconds, processor seconds, peak memory in MB)"""
    with open(os.path.join(folder, "said"), "w+", encoding="utf-8") as said:
        start = time.monotonic()
        child = Child(command, said)
        watch = threading.Timer(patience_s, child.send, (signal.SIGKILL,))
        watch.start()
        if limit_s:
            threading.Thread(target=interrupt_after, args=(child, limit_s), daemon=True).start()
        try:
            status, used = child.wait()
        finally:
            watch.cancel()
        wall = time.monotonic() - start
        if status:
            said.seek(0)
            raise Failed("%s ended with %d: %s" % (" ".join(command), status, said.read().strip()))
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def kanon(table, options, verb="anonymize", keep=None, limit_s=None, patience_s=3600):
    """One run of kanon with one thread. options: what follows the table, as a list. limit_s: seconds of
    processor time after which the search is interrupted and its best answer taken.

    keep(folder) may look at the files (out.csv, report.json) before they go; what it returns is "kept".
    @return {"report": the JSON, "wall_s", "cpu_s", "peak_mb", "kept"}"""
    with tempfile.TemporaryDirectory(prefix="kanon-papers-") as folder:
        out, report = os.path.join(folder, "out.csv"), os.path.join(folder, "report.json")
        command = [KANON, verb, table, "-o", out, "--report", report, "--quiet"]
        command += [] if "--threads" in options else ["--threads", "1"]
        command += ["--others", "keep", "--snap", "off"] if verb == "anonymize" else []
        wall, cpu, peak = spend(command + list(options), folder, patience_s, limit_s)
        with open(report, encoding="utf-8") as file:
            told = json.load(file)
        return {"report": told, "wall_s": round(wall, 4), "cpu_s": round(cpu, 4), "peak_mb": round(peak, 1),
                "kept": keep(folder) if keep else None}


def hierarchies(specs):
    """{column: spec} -> the options --qi and --hierarchy."""
    options = ["--qi", ",".join(specs)]
    for column, spec in specs.items():
        options += ["--hierarchy", "%s=%s" % (column, spec)]
    return options


# --- rows ---------------------------------------------------------------------------------------------


class Row(dict):
    """A row of a book; row.loss is row["loss"] as a number where it is one, row.set the settings."""

    def __getattr__(self, name):
        if name == "set":
            return {key: number(value) for key, value in
                    (part.split("=", 1) for part in self["settings"].split())}
        try:
            return number(self[name])
        except KeyError:
            raise AttributeError(name) from None


def number(word):
    """A number where the word is one; None where it is empty."""
    if word == "":
        return None
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def written(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "%.12g" % value if isinstance(value, float) else str(value)


class Book:
    """A CSV file of runs, one row each."""

    def __init__(self, job, path, measures):
        self.job, self.path, self.measures = job, path, tuple(measures)
        self.asked, self.found, self.lock = [], {}, threading.Lock()
        self.others = {}  # rows of another version: each stays in the file until its task has been run again
        self.version, self.commit = version(), commit()
        old = []
        if os.path.exists(path):
            with open(path, newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                old = list(reader.fieldnames or ())
                for row in reader if not job.fresh else ():
                    if set(HEAD + self.measures) <= set(row):
                        same = job.as_is or row["version"] == self.version
                        (self.found if same else self.others)[self.key(row)] = Row(row)
        if old != list(HEAD + self.measures) or job.fresh:
            self.save(self.found)

    def key(self, row):
        return tuple(row[name] for name in ("data", "algorithm", "settings", "seed"))

    def key_of(self, task):
        settings = " ".join("%s=%s" % (key, written(value).replace(" ", "_"))
                            for key, value in task.settings.items())
        return (task.data, task.algorithm, settings, str(task.seed))

    def save(self, keys):
        with open(self.path + ".new", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, HEAD + self.measures, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.found[key] for key in keys)
            writer.writerows(row for key, row in self.others.items() if key not in self.found)
        os.replace(self.path + ".new", self.path)

    def one(self, task):
        key = self.key_of(task)
        row = dict(zip(("data", "algorithm", "settings", "seed"), key))
        row.update(version=self.version, commit=self.commit)
        row.update({name: written(value) for name, value in task.work().items()})
        with self.lock:
            self.found[key] = Row(row)
            with open(self.path, "a", newline="", encoding="utf-8") as file:
                csv.DictWriter(file, HEAD + self.measures, extrasaction="ignore",
                               lineterminator="\n").writerow(row)

    def get(self, task):
        """The row of one task, which is run if it has none (with --as-is: None). For chains where the next task depends on the last;
        several may go side by side. Put all tasks through fill() at last, so that the file has their order."""
        with self.lock:
            row = self.found.get(self.key_of(task))
        if row is None and not self.job.as_is:
            self.one(task)
            row = self.found[self.key_of(task)]
        return row

    def affordable(self, seeds, tasks_of):
        """With --seeds N: the first N seeds, and those whose rows are all there. tasks_of(seed): its tasks."""
        most = self.job.most_seeds
        return [seed for seed in seeds if most is None or seed <= most
                or all(self.key_of(task) in self.found for task in tasks_of(seed))]

    def fill(self, tasks):
        """Runs the tasks that have no row, side by side. @return the rows of all, in the order of tasks. With
        --as-is nothing is run, and tasks without a row are left out."""
        tasks = [task for task in tasks if not self.job.as_is or self.key_of(task) in self.found]
        keys = [self.key_of(task) for task in tasks]
        if len(set(keys)) < len(keys):
            raise ValueError("two tasks of %s have the same name" % self.path)
        missing = [task for task, key in zip(tasks, keys) if key not in self.found]
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(self.job.jobs) as pool:
            for done in [pool.submit(self.one, task) for task in missing]:
                try:
                    done.result()
                except BaseException:
                    pool.shutdown(cancel_futures=True)
                    raise
        spent = time.monotonic() - start
        if len(missing) >= 20 or spent >= 10:
            self.job.say("%s: %d runs, %d were there, %.0f s" % (
                os.path.basename(self.path), len(missing), len(tasks) - len(missing), spent))
        with self.lock:
            asked = set(self.asked)
            self.asked += [key for key in keys if key not in asked]
            asked = set(self.asked)
            self.save(self.asked + [key for key in self.found if key not in asked])
        return [self.found[key] for key in keys]


# --- the job ------------------------------------------------------------------------------------------


class Job:
    """What papers/run hands to each experiment. size: "full", "quick" (minutes) or "smoke" (seconds: the
    test). Quick and smoke write into a folder of their own and leave docs/results alone."""

    def __init__(self, data, out, size="full", jobs=1, fresh=False, most_seeds=None, as_is=False):
        self.data, self.out, self.size, self.jobs, self.fresh = data, out, size, jobs, fresh
        self.most_seeds, self.as_is = most_seeds, as_is
        self.skipped = []
        for part in ("data", "plots"):
            os.makedirs(os.path.join(out, part), exist_ok=True)

    def say(self, words):
        print("  " + words, flush=True)

    def pick(self, full, quick, smoke):
        """The value for the size of this job."""
        return {"full": full, "quick": quick, "smoke": smoke}[self.size]

    def seeds(self, full, quick, smoke):
        """Seeds from 1, as many as the size of this job asks for."""
        return list(range(1, self.pick(full, quick, smoke) + 1))

    def table(self, *parts):
        """The path of a file of the data folder, or None, which is said once."""
        path = os.path.join(self.data, *parts)
        if os.path.exists(path):
            return path
        if path not in self.skipped:
            self.skipped.append(path)
            self.say("skip: %s is not there (--data names the folder; docs/results/README.md says where the "
                     "data can be had)" % os.path.join(*parts))
        return None

    def book(self, name, measures):
        """A CSV file of runs in the folder data of the results."""
        return Book(self, os.path.join(self.out, "data", name), measures)

    def plot(self, name):
        return os.path.join(self.out, "plots", name)

    def put(self, page, name, words):
        """Puts text between `<!-- table:NAME -->` and `<!-- end -->` of a page. A quick job does so in a
        copy of the page."""
        path = os.path.join(self.out, page)
        if not os.path.exists(path):
            shutil.copyfile(os.path.join(PAGES, page), path)
        with open(path, encoding="utf-8") as file:
            old = file.read()
        place = re.compile(r"(<!-- table:%s -->\n).*?(<!-- end -->)" % re.escape(name), re.DOTALL)
        if len(place.findall(old)) != 1:
            raise ValueError("%s has no single place <!-- table:%s --> ... <!-- end -->" % (path, name))
        new = place.sub(lambda found: found.group(1) + words.rstrip("\n") + "\n" + found.group(2), old)
        if new != old:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)


# --- figures ------------------------------------------------------------------------------------------


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def deviation(values):
    """The standard deviation of a sample; 0 where there is one value."""
    values = list(values)
    return statistics.stdev(values) if len(values) > 1 else 0.0


def group(rows, *names):
    """{(value of each name): rows}, in the order of the first of each; a name is a column or a setting."""
    found = {}
    for row in rows:
        settings = row.set
        key = tuple(settings[name] if name in settings else getattr(row, name) for name in names)
        found.setdefault(key[0] if len(names) == 1 else key, []).append(row)
    return found


def grouped(value, digits=0):
    """1234567.8 -> 1,234,568."""
    return format(value, ",.%df" % digits)


def markdown(head, rows, align=None):
    """A table. align: one of l r c a column; by default the first column left, the others right."""
    marks = {"l": "---", "r": "--:", "c": ":-:"}
    align = align or "l" + "r" * (len(head) - 1)
    lines = [head, [marks[letter] for letter in align], *rows]
    return "\n".join("| " + " | ".join(cell if isinstance(cell, str) else written(cell) for cell in row) + " |"
                     for row in lines) + "\n"
