#!/usr/bin/env python3
"""run_bad.py [--update] [--list] [NAME-PART...] -- gives the tool broken input and looks at how it refuses it.

The cases are in the text files beside this script, one file per area:

    === NAME
    --- table people.csv          a file with rows about people, its text in the lines that follow
    --- file job.csv              any other file; \\xHH, \\t, \\r, \\\\ and a \\ at the end of the text (no line
    --- bytes odd.csv             end there) are understood in `bytes`, which is otherwise like `file`
    --- make                      bash lines that make further files; they must succeed
    --- run                       one command (bash); `kanon` is the tool
    --- shows VALUE               a value of a table that the message may repeat
    --- exit 1
    --- says                      what stderr must hold, to the letter

A block `=== *` at the top of a file holds files that every case of that file has. Lines before it are a
comment. For each case it is also checked that

  - standard output stays empty, and stderr is one line `kanon: ...` (plus lines that begin with `kanon: warning: `);
  - nothing was written, changed or left behind: the folder and the folder for temporary files are as before;
  - no value of a table is in the message unless the case says so (`shows`);
  - it ends in time, with little memory, and without a word from the sanitizers.

--update rewrites `exit` and `says` from what happens now: read the diff."""
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.dirname(os.path.dirname(HERE))
LIMIT_S = 20
MEMORY_MB = 400  # of a build with sanitizers, which take a multiple
KINDS = ("table", "file", "bytes", "make", "run", "shows", "exit", "says")
ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[tr\\]|$)")
SHORT = 3  # cells below that are in every message


class Case:
    """Parts are [kind, argument, lines] in the order of the file."""

    def __init__(self, area, name):
        self.area, self.name, self.parts = area, name, []

    def of(self, kind):
        return [part for part in self.parts if part[0] == kind]

    def text(self, kind):
        return "".join(line + "\n" for part in self.of(kind) for line in part[2])

    def argument(self, kind, default):
        found = self.of(kind)
        return found[0][1] if found else default


def parse(path):
    """(the comment before the first case, the cases); the case called * comes first where there is one."""
    area = os.path.splitext(os.path.basename(path))[0]
    head, cases = [], []
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        if line.startswith("=== "):
            cases.append(Case(area, line[4:].strip()))
        elif not cases:
            head.append(line)
        elif line.startswith("--- "):
            kind, _, argument = line[4:].partition(" ")
            if kind not in KINDS:
                raise SystemExit(f"{path}:{number}: '{kind}' is none of {', '.join(KINDS)}")
            cases[-1].parts.append([kind, argument, []])
        elif cases[-1].parts:
            cases[-1].parts[-1][2].append(line)
    names = [case.name for case in cases]
    for name in names:
        if names.count(name) > 1:
            raise SystemExit(f"{path}: two cases are called '{name}'")
    return head, cases


def render(head, cases):
    lines = list(head)
    for case in cases:
        lines.append(f"=== {case.name}")
        for kind, argument, text in case.parts:
            lines.append(f"--- {kind} {argument}".rstrip())
            lines += text
    return "\n".join(lines) + "\n"


# --- running ----------------------------------------------------------------------------------------


def unescape(text):
    def plain(match):
        what = match.group(1)
        return {"t": "\t", "r": "\r", "\\": "\\", "": ""}.get(what) if what[:1] != "x" else chr(int(what[1:], 16))

    if text.endswith("\\\n"):
        text = text[:-1]
    return ESCAPE.sub(plain, text).encode("latin-1")


def place_files(case, folder):
    for kind, name, lines in case.parts:
        if kind not in ("table", "file", "bytes"):
            continue
        text = "".join(line + "\n" for line in lines)
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(unescape(text) if kind == "bytes" else text.encode())


def snapshot(*folders):
    """What is there: {path: kind, time and content}."""
    found = {}
    for top in folders:
        for where, dirs, files in os.walk(top):
            for name in dirs + files:
                path = os.path.join(where, name)
                state = os.lstat(path)
                content = ""
                if os.path.isfile(path) and not os.path.islink(path):
                    with open(path, "rb") as file:
                        content = hashlib.sha256(file.read()).hexdigest()
                found[path] = (state.st_mode, state.st_mtime_ns if content else 0, content)
    return found


def run(command, folder, env):
    """(exit status or None when it was too late, stdout, stderr, peak MB)"""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True)
        late = []

        def stop(*_):
            late.append(True)
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(LIMIT_S, stop)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = 0
        out.seek(0)
        err.seek(0)
        code = None if late else os.waitstatus_to_exitcode(status)
        return code, out.read(), err.read(), usage.ru_maxrss / 1024


def table_values(cases):
    """The cells of the tables, without their first lines."""
    values = set()
    for case in cases:
        for _, _, lines in case.of("table"):
            for line in lines[1:]:
                values.update(cell.strip() for cell in re.split(r'[,;\t"|]', line))
    return {value for value in values if len(value) > SHORT}


class Outcome:
    def __init__(self):
        self.code = self.said = None
        self.faults = []


def check_words(case, common, said, command):
    """What every refusal must be like."""
    lines = said.split("\n")[:-1]
    plain = [line for line in lines if not line.startswith("kanon: warning: ")]
    if len(plain) != 1 or not plain[0].startswith("kanon: "):
        yield f"stderr has {len(plain)} lines that are no warnings, expected one that begins with 'kanon: '"
    if said and not said.endswith("\n"):
        yield "stderr does not end with a line end"
    if any(ord(c) < 32 and c != "\n" for c in said):
        yield "stderr holds control characters"
    shown = {part[1] for part in case.of("shows")}
    for value in sorted(table_values([case] + common)):
        if value in said and value not in shown and value not in command:
            yield f"the message repeats the value '{value}' of a table, which the case does not allow (shows)"


def perform(case, common):
    outcome = Outcome()
    top = os.path.realpath(tempfile.mkdtemp(prefix="kanon-bad-"))
    folder, scratch, tools = (os.path.join(top, name) for name in ("w", "tmp", "bin"))
    env = dict(os.environ, LC_ALL="C", TZ="UTC", HOME=top, TMPDIR=scratch, PATH=f"{tools}:{os.environ['PATH']}",
               ASAN_OPTIONS="abort_on_error=0:detect_stack_use_after_return=1:strict_string_checks=1",
               UBSAN_OPTIONS="print_stacktrace=1")
    try:
        for path in (folder, scratch, tools):
            os.mkdir(path)
        os.symlink(tool(), os.path.join(tools, "kanon"))
        for each in common + [case]:
            place_files(each, folder)
        for each in common + [case]:
            if each.of("make"):
                code, _, err, _ = run("set -e\n" + each.text("make"), folder, env)
                if code != 0:
                    outcome.faults.append(f"make ended with {code}: {err.decode('utf-8', 'replace').strip()}")
                    return outcome
        before = snapshot(folder, scratch)
        command = case.text("run")
        outcome.code, out, err, peak = run(command, folder, env)
        after = snapshot(folder, scratch)
        outcome.said = err.decode("utf-8", "backslashreplace").replace(folder, "$DIR")
        if outcome.code is None:
            outcome.faults.append(f"no end after {LIMIT_S} s")
        if out:
            outcome.faults.append(f"standard output is not empty: {out[:80]!r}")
        if peak > MEMORY_MB:
            outcome.faults.append(f"took {peak:.0f} MB, expected at most {MEMORY_MB}")
        for path in sorted(set(before) | set(after)):
            if before.get(path) != after.get(path):
                what = "left behind" if path not in before else "removed" if path not in after else "changed"
                outcome.faults.append(f"{os.path.relpath(path, top)} was {what}")
        if "runtime error:" in outcome.said or "Sanitizer" in outcome.said:
            outcome.faults.append("a sanitizer spoke up")
        outcome.faults += check_words(case, common, outcome.said, command)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return outcome


# --- judging ------------------------------------------------------------------------------------------


def tool():
    default = os.path.join(SRC, "build", "debug", "kanon")
    return os.path.abspath(os.environ.get("KANON_DEBUG", default))


def first_difference(expected, got):
    want, have = expected.split("\n"), got.split("\n")
    for i in range(max(len(want), len(have))):
        a = want[i] if i < len(want) else "(end)"
        b = have[i] if i < len(have) else "(end)"
        if a != b:
            return f"said {b!r}, expected {a!r}"
    return "they differ"


def judge(case, outcome):
    why = list(outcome.faults)
    if outcome.code is not None:
        expected = case.argument("exit", "")
        if str(outcome.code) != expected:
            why.append(f"ended with {outcome.code}, expected {expected or 'a line --- exit'}")
        if outcome.said != case.text("says"):
            why.append(first_difference(case.text("says"), outcome.said))
        if outcome.code == 0:
            why.append("it was taken, expected a refusal")
    if why:
        print(f"FAIL bad/{case.area}/{case.name}: {'; '.join(why)}")
    else:
        print(f"ok bad/{case.area}/{case.name}")
    return not why


def rewrite(case, outcome):
    case.parts = [part for part in case.parts if part[0] not in ("exit", "says")]
    case.parts.append(["exit", str(outcome.code), []])
    case.parts.append(["says", "", outcome.said.split("\n")[:-1]])


def main():
    arguments = sys.argv[1:]
    wanted = [a for a in arguments if not a.startswith("--")]
    if "--help" in arguments:
        print(__doc__)
        return 0
    if not os.access(tool(), os.X_OK):
        print(f"FAIL bad: {tool()} is not there")
        return 1
    good = True
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in sorted(glob.glob(os.path.join(HERE, "*.txt"))):
            head, cases = parse(path)
            common = [case for case in cases if case.name == "*"]
            chosen = [case for case in cases if case.name != "*"
                      and (not wanted or any(w in f"{case.area}/{case.name}" for w in wanted))]
            if "--list" in arguments:
                print("\n".join(f"{case.area}/{case.name}" for case in chosen))
                continue
            for case, outcome in zip(chosen, pool.map(lambda case: perform(case, common), chosen)):
                if "--update" in arguments:
                    rewrite(case, outcome)
                good = judge(case, outcome) and good
            if "--update" in arguments and chosen:
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write(render(head, cases))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
