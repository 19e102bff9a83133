#!/usr/bin/env python3
"""run_symbols.py -- what libkanon.so gives (only kanon_*, versioned) and what it takes: nothing that
prints, ends the process, draws unseeded numbers, or reads the environment or the locale."""
import os
import re
import subprocess
import sys

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY = os.path.join(os.environ.get("KANON_BUILD", os.path.join(SRC, "build", "release")), "libkanon.so")
BANNED = re.compile(
    r"^_*(exit|_exit|quick_exit|abort|printf|vprintf|fprintf|vfprintf|puts|putchar|fputs|perror|"
    r"rand|srand|rand_r|random|srandom|drand48|getenv|secure_getenv|setenv|putenv|setlocale|"
    r"stdout|stderr|stdin)(_chk)?$")


def symbols(option):
    """(type, name without version, version) of dynamic symbols."""
    lines = subprocess.run(["nm", "-D", option, LIBRARY], check=True, capture_output=True,
                           text=True).stdout.split("\n")
    for line in lines:
        fields = line.split()
        if len(fields) >= 2:
            name, _, version = fields[-1].partition("@")
            yield fields[-2], name, version.lstrip("@")


def report(name, problems):
    print(f"FAIL {name}: {', '.join(sorted(problems))}" if problems else f"ok {name}")
    return bool(problems)


def declared():
    """The functions that the public headers promise."""
    names = set()
    folder = os.path.join(SRC, "include", "kanon")
    for header in os.listdir(folder):
        with open(os.path.join(folder, header)) as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        names |= set(re.findall(r"KANON_API[^;(]*?\b(kanon_\w+)\s*\(", text))
    return names


def main():
    if not os.path.exists(LIBRARY):
        print(f"FAIL symbols: {LIBRARY} is not there")
        return 1
    defined = [s for s in symbols("--defined-only") if s[0] != "A"]
    names = {name for _, name, _ in defined}
    writable = [name for kind, name, _ in defined if kind in "BDbd"]
    foreign = [name for name in names if not name.startswith("kanon_")]
    unversioned = [name for _, name, version in defined if not version.startswith("KANON_")]
    banned = [name for _, name, _ in symbols("--undefined-only") if BANNED.match(name)]
    return int(sum([
        report("symbols: only kanon_* are exported", foreign),
        report("symbols: exports are versioned", unversioned),
        report("symbols: no writable data is exported", writable),
        report("symbols: every declared function is there", declared() - names),
        report("symbols: every export is declared", names - declared()),
        report("symbols: nothing banned is imported", banned),
    ]) > 0)


if __name__ == "__main__":
    sys.exit(main())
