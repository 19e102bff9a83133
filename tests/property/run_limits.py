#!/usr/bin/env python3
"""run_limits.py -- nobody waits without an answer: every algorithm obeys a time limit on a wide table (15
quasi-identifiers, nearly every row the only one of its kind), and one that is interrupted as soon as the progress line
shows a loss releases what it has. Processor time is measured, not the clock, so that a busy machine does not matter: what a
job without a search takes is known from datafly, and the rest must not be more than a few times the limit. Clusterers
that had to end early are no worse than mondrian, with whose classes they begin."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SRC = os.path.dirname(TESTS)
sys.dont_write_bytecode = True
sys.path.insert(0, TESTS)
import testlib  # noqa: E402
import wide_table  # noqa: E402

KANON = os.environ.get("KANON", os.path.join(SRC, "build", "release", "kanon"))
ROWS = testlib.either(6000, 40000)
LIMIT_S = testlib.either(0.5, 5)
SPARE_S = 3  # processor time beyond the limit and a job without a search
TICK = os.sysconf("SC_CLK_TCK")


def tell(name, why):
    print("ok " + name if not why else "FAIL %s: %s" % (name, why), flush=True)
    return not why


def algorithms():
    told = json.loads(subprocess.run([KANON, "algorithms", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    return {one["name"]: "local" in one["traits"] for one in told["algorithms"]}


def cpu_of(pid):
    with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / TICK


def run(folder, algorithm, limit, stop=False):
    """What became of a job; with STOP it is interrupted at the first loss that is shown."""
    report, release = os.path.join(folder, "report.json"), os.path.join(folder, "release.csv")
    for path in (report, release):
        if os.path.exists(path):
            os.remove(path)
    command = [KANON, "anonymize", os.path.join(folder, "wide.csv"), "-o", release, "--report", report, "--threads", "1", "-k", "5",
               "--algorithm", algorithm, "--progress", "always", *wide_table.quasi_options(), *wide_table.OTHERS]
    before, shown = os.times(), None
    with subprocess.Popen(command + (["--time-limit", str(limit)] if limit else []), stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if shown is None and re.search(r"kanon: search.*best loss [0-9]", line):
                shown = cpu_of(process.pid)
                if stop:
                    process.send_signal(signal.SIGINT)
    after = os.times()
    told = {"cpu": after.children_user + after.children_system - before.children_user - before.children_system,
            "shown": shown, "status": process.returncode}
    if process.returncode == 0 and os.path.exists(release):
        with open(report, encoding="utf-8") as file:
            told.update(json.load(file)["search"])
    return told


def problem_of(told, most):
    if "loss" not in told:
        return "no release, exit status %d" % told["status"]
    if told["cpu"] > most:
        return "%.1f s of processor time, expected at most %.1f" % (told["cpu"], most)
    return None


def main():
    good = True
    with tempfile.TemporaryDirectory(prefix="kanon-limits-") as folder:
        wide_table.write(os.path.join(folder, "wide.csv"), ROWS)
        most = run(folder, "datafly", None)["cpu"] + 2 * LIMIT_S + SPARE_S
        halves = run(folder, "mondrian", None)["loss"]
        for name, local in algorithms().items():
            good &= tell("%s obeys a time limit" % name, problem_of(run(folder, name, LIMIT_S), most))
            if not local and name != "optimal":
                continue
            told = run(folder, name, None, stop=True)
            wrong = problem_of(told, most + SPARE_S)
            if not wrong and told["stopped"] == "interrupted" and local and told["loss"] > halves + 1e-9:
                wrong = "the loss is %.4f, and that of mondrian %.4f" % (told["loss"], halves)
            if not wrong and told["shown"] is None and told["stopped"] != "complete":
                wrong = "no progress line with a loss"
            good &= tell("%s can be interrupted at its first loss" % name, wrong)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
