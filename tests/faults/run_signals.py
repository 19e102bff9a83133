#!/usr/bin/env python3
"""run_signals.py [--full] -- a job that replaces an older release and its reports is hit by a signal at every call that
has to do with files, and at random moments. Each file is then the old one or the complete new one, byte by byte; unless it
was SIGKILL no temporary file is left, and what SIGKILL leaves is empty or as private as the file that it was to become.
While it runs, its temporary files are private and have no name."""
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import time

import harness
from harness import JOB, REPORTS, steady
from run_faults import closed, sample, stopped

RANDOM_SIGNALS = 1500 if harness.FULL else 100
INTERRUPTED = 130
AT_ONCE_S = 5
SEED = 20261115
WORDS = JOB + REPORTS
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGXCPU", "SIGKILL", "SIGPIPE")
NAMED = "nameless:1+:ENOTSUP,"


def judge(run, calm, number, again=False):
    """again: the second signal of a kind ends the process at once."""
    if run.hung:
        return "hangs"
    for name, data in run.files.items():
        if steady(data) != steady(calm.files.get(name, b"")):
            return f"{name} is neither the old file nor the new one ({len(data)} bytes)"
    if "release.csv" in run.files and set(run.files) != set(calm.files):
        return f"the release is new, but not {set(calm.files) - set(run.files)}"
    if number == signal.SIGKILL:
        return "" if run.status in (0, -number) else f"exit status {run.status}"
    if run.left:
        return f"left {', '.join(run.left)}"
    if number == signal.SIGPIPE:
        return "" if run.status == 0 and set(run.files) == set(calm.files) else f"exit status {run.status}"
    if again and run.status == -number:
        return ""
    if run.status == 0:
        return "" if set(run.files) == set(calm.files) else f"exit status 0, but only {sorted(run.files)} are new"
    if run.status != INTERRUPTED:
        return f"exit status {run.status}: {run.err[-200:]}"
    lines = run.messages()
    if lines not in (["kanon: interrupted"], ["kanon: cancelled"]) and not (len(lines) == 1 and "cancel" in lines[0]):
        return f"{len(lines)} lines of message: {lines[:3]}"
    return "" if not run.files else f"exit status 130, and yet {sorted(run.files)} are new"


def private(place, calm):
    """What is wrong with what SIGKILL left: empty, or readable by nobody but us, or complete with the permissions of its
    target; and its name tells. Removes it."""
    wrong = []
    for folder in (place.out, place.tmp, place.folder):
        for name in os.listdir(folder):
            path = f"{folder}/{name}"
            if "kanon-" not in name and folder != place.tmp:
                continue
            with open(path, "rb") as file:
                data = file.read()
            whole = steady(data) in [steady(done) for done in calm.files.values()]
            mode = stat.S_IMODE(os.stat(path).st_mode)
            named = any(name.startswith(f".{target}.kanon-") for target in calm.files)
            if not named or (data and mode & 0o077 and not whole):
                wrong.append(f"left {name} with {len(data)} bytes, mode {mode:o}")
            os.remove(path)
    return wrong


def at_every_call(yard, tally, prefix, title):
    sent = 0
    calm, counts = yard.place().count(WORDS)
    for name in SIGNALS:
        number = getattr(signal, name)

        def one(n):
            place = yard.place()
            place.reset(True)
            process, out, err = place.start(WORDS, f"{prefix}any:{n}:{name}")
            harness.ends_within(process, harness.LIMIT_S)
            wrong = private(place, calm) if number == signal.SIGKILL else []
            run = place.finish(process, out, err)
            said = wrong[0] if wrong else judge(run, calm, number)
            return f"at call {n}: {said}" if said else ""

        done = yard.map(one, sample(counts["any"], 20))
        sent += len(done)
        tally.line(f"{name} at {title}", [said for said in done if said], len(done))
    return sent


def at_random(yard, tally):
    """A larger table, so that there are moments between the calls; two signals of a kind now and then."""
    place = yard.place()
    with open(f"{place.folder}/large.csv", "w") as file:
        file.write("name,age,zip,ill,wish\n" + "\n".join(harness.rows(20000)) + "\n")
    words = ["anonymize", "large.csv", "-o", "out/release.csv", *harness.KEPT, *harness.ORDER, "-k", "2", "--suppression", "0.2",
             "--algorithm", "exhaustive", *REPORTS]
    started = time.monotonic()
    calm = place.run(words)
    took = time.monotonic() - started
    chance, wrong, ends = random.Random(SEED), [], {}
    for i in range(RANDOM_SIGNALS):
        number = getattr(signal, chance.choice(SIGNALS))
        twice = chance.random() < 0.2
        moment = chance.random() * took * 1.05
        place.reset(True)
        process, out, err = place.start(words)
        time.sleep(moment)
        early = not caught(process, number)
        process.send_signal(number)
        if twice:
            time.sleep(chance.random() * 0.003)
            process.send_signal(number)
        harness.ends_within(process, harness.LIMIT_S)
        at_once = number == signal.SIGKILL or twice and process.poll() == -number  # the second one is not caught
        said = private(place, calm) if at_once else []
        run = place.finish(process, out, err)
        ends[run.status] = ends.get(run.status, 0) + 1
        said = said[0] if said else judge_random(place, run, calm, number, early, twice)
        if said:
            wrong.append(f"{signal.Signals(number).name} after {1000 * moment:.1f} ms{' twice' if twice else ''}: {said}")
    tally.line(f"signals at random moments (seed {SEED})", wrong, RANDOM_SIGNALS)
    told = ", ".join(f"{count} {'done' if not end else f'exit {end}' if end > 0 else signal.Signals(-end).name}"
                     for end, count in sorted(ends.items()))
    print(f"    {told}")
    return RANDOM_SIGNALS


def caught(process, number):
    """Whether the process has a handler for the signal by now."""
    with open(f"/proc/{process.pid}/status") as file:
        masks = dict(line.split(":", 1) for line in file)
    return bool(int(masks.get("SigCgt", "0"), 16) >> (number - 1) & 1)


def judge_random(place, run, calm, number, early, twice):
    """early: the program had not begun to catch the signal when it was sent."""
    if early and run.status == -number and not run.files and not run.left:
        return ""
    if number == signal.SIGINT and b"search stopped" in run.err and run.status == 0:
        done = subprocess.run([harness.KANON, "check", "out/release.csv", *harness.QI, "-k", "2", "-q"], cwd=place.folder,
                              timeout=harness.LIMIT_S)
        return "" if done.returncode == 0 and len(run.files) == 3 and not run.left else "a release that is not good"
    return judge(run, calm, number, again=twice)


# --- temporary files while it runs --------------------------------------------------------------------------


def look_inside(process, place):
    """What the files of a stopped process are like that it writes: [(where, mode, links, content)]."""
    found = []
    for fd in os.listdir(f"/proc/{process.pid}/fd"):
        path = f"/proc/{process.pid}/fd/{fd}"
        where, facts = os.readlink(path), os.stat(path)
        if stat.S_ISREG(facts.st_mode) and int(fd) > 2 and (place.out in where or place.tmp in where):
            with open(path, "rb") as file:
                found.append((where, stat.S_IMODE(facts.st_mode), facts.st_nlink, file.read()))
    return found


def while_running(yard, tally):
    place = yard.place()
    stdin_to_stdout = ["anonymize", "-", "-o", "-", *harness.KEPT, *harness.ORDER, "-k", "2", "--suppression", "0.2", "--threads",
                       "1", "-q", "<table.csv"]
    runs, wrong, seen = 0, [], 0
    for words, prefix in ((WORDS, ""), (WORDS, NAMED), (stdin_to_stdout, ""), (stdin_to_stdout, NAMED)):
        calm, counts = place.count(words)
        whole = [steady(data) for data in calm.files.values()]
        for n in sample(counts["any"], 20):
            place.reset(True)
            runs += 1
            process, out, err = place.start(words, f"{prefix}any:{n}:SIGSTOP", before=lambda: os.umask(0))
            if not stopped(process):
                place.finish(process, out, err)
                continue
            try:
                files = look_inside(process, place)
            except PermissionError:
                process.kill()
                place.finish(process, out, err)
                print("skip open files while a job runs: needs root, since the tool's memory is private")
                return
            seen += len(files)
            for where, mode, links, data in files:
                done = steady(data) in whole  # and about to get its name, with the permissions that it will have
                if mode & 0o077 and not done:
                    wrong.append(f"call {n}: {where} has mode {mode:o}")
                if links and data and not done and not prefix:
                    wrong.append(f"call {n}: {where} can be seen")
            process.send_signal(signal.SIGCONT)
            run = place.finish(process, out, err)
            if run.status or run.left:
                wrong.append(f"call {n}: exit status {run.status}, left {run.left}")
    tally.line(f"temporary files are private, with umask 0 ({seen} seen in {runs} stopped processes)",
               wrong or ([] if seen else ["none was seen"]), runs)


def no_core(yard, tally):
    """A crash while data are loaded: no core, whatever the limit was. (SIGSEGV is what a bug would cause.)"""
    place = yard.place()
    root = os.getuid() == 0
    _, counts = place.count(WORDS, old=False)
    place.reset(False)
    if root:
        harness.open_to_all(yard, place)
        os.chmod(place.out, 0o777)
    most = resource.RLIM_INFINITY if root else resource.getrlimit(resource.RLIMIT_CORE)[1]

    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))
        if root:  # or its memory belonged to root in any case
            harness.become_nobody()

    process, out, err = place.start(WORDS, f"any:{counts['any'] // 2}:SIGSTOP", before=prepare)
    waiting = stopped(process)
    limits = open(f"/proc/{process.pid}/limits").read().split("Max core file size")[1].split()[:2]
    owner = os.stat(f"/proc/{process.pid}/mem").st_uid  # root's when the process is not dumpable
    process.send_signal(signal.SIGSEGV)
    process.send_signal(signal.SIGCONT)
    harness.ends_within(process, harness.LIMIT_S)
    status = process.wait()
    place.finish(process, out, err)
    cores = [name for name in os.listdir(place.folder) if name.startswith("core")]
    wrong = []
    if not waiting or status != -signal.SIGSEGV:
        wrong.append(f"ended with {status}")
    if limits != ["0", "0"] or cores or owner != 0:
        wrong.append(f"limits {limits}, files {cores}, memory belongs to {owner}")
    tally.line("a crash leaves no core file", wrong, 1)


def without_stderr(yard, tally):
    """Input that never comes, and nowhere to say so: a signal ends the process all the same."""
    place = yard.place()
    words = ["anonymize", "-", *WORDS[2:]]
    wrong, runs = [], 0
    for title, before in (("closed", closed(2)), ("full", lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 2))):
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            place.reset(True)
            reader, writer = os.pipe()
            process, out, err = place.start(words, None, stdin=reader, before=before)
            os.close(reader)
            asleep(process)
            process.send_signal(getattr(signal, name))
            ended = harness.ends_within(process, AT_ONCE_S)
            os.close(writer)
            run = place.finish(process, out, err)
            runs += 1
            if not ended or run.status != INTERRUPTED or run.files or run.left:
                wrong.append(f"{name}, stderr {title}: {'ended' if ended else 'waits on'}, exit status {run.status}, "
                             f"wrote {sorted(run.files)}")
    tally.line("a signal while input is awaited, and stderr cannot be written", wrong, runs)


def asleep(process):
    """Waits until it waits for its input, which a thread of its own reads."""
    for _ in range(300):
        with open(f"/proc/{process.pid}/stat") as file:
            state = file.read().rsplit(")", 1)[1].split()[0]
        if state == "S" and len(os.listdir(f"/proc/{process.pid}/task")) > 1:
            return
        time.sleep(0.01)


def in_threads(yard, tally):
    """Signals are for the program's own thread: those of the library block them."""
    place = yard.place()
    words = [*JOB[:-1], "3", "--algorithm", "exhaustive"]
    _, counts = place.count(words)
    wrong, seen = [], 0
    for n in range(1, counts["thread"] + 1):
        place.reset(True)
        process, out, err = place.start(words, f"thread:{n}:SIGSTOP")
        if stopped(process):
            for task in os.listdir(f"/proc/{process.pid}/task"):
                with open(f"/proc/{process.pid}/task/{task}/status") as file:
                    blocked = int(dict(line.split(":", 1) for line in file)["SigBlk"], 16)
                open_to = [name for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGUSR1", "SIGCHLD")
                           if not blocked >> (getattr(signal, name) - 1) & 1]
                if int(task) != process.pid:
                    seen += 1
                    wrong += [f"a thread at thread {n} takes {', '.join(open_to)}"] if open_to else []
            process.send_signal(signal.SIGCONT)
        place.finish(process, out, err)
    tally.line("threads block signals", wrong or ([] if seen else ["no thread was seen"]), counts["thread"])


def main():
    why = harness.cannot_run()
    if why:
        print(f"skip signals: {why}")
        return 0
    for name in SIGNALS:  # a script's background jobs are started with some ignored, and the tool keeps to that
        if signal.getsignal(getattr(signal, name)) is signal.SIG_IGN and name != "SIGPIPE":
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    tally = harness.Tally()
    with harness.Yard() as yard:
        sent = at_every_call(yard, tally, "", "every call")
        sent += at_every_call(yard, tally, NAMED, "every call where every file has a name")
        sent += at_random(yard, tally)
        while_running(yard, tally)
        no_core(yard, tally)
        without_stderr(yard, tally)
        in_threads(yard, tally)
    print(f"{sent} signals sent, {tally.runs} runs in all")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
