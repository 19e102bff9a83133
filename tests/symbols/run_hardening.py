#!/usr/bin/env python3
"""run_hardening.py -- how the tool and the shared library were built, as readelf, objdump and nm see it: position
independent, relocations read-only after the start, a stack that is not executable, stack protector, fortified
calls, and, on x86-64 where the compiler has them, control-flow protection and a stack that is probed page by page.

With sanitizers in the build there is nothing to look for: then the test says so and skips."""
import json
import os
import platform
import re
import subprocess
import sys

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("KANON_BUILD", os.path.join(SRC, "build", "release"))
failed = False


def ask(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def check(name, good, why):
    global failed
    failed |= not good
    print(f"ok hardening: {name}" if good else f"FAIL hardening: {name}: {why}")


class Binary:
    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        self.header = ask("readelf", "-hW", path)
        self.segments = ask("readelf", "-lW", path)
        self.dynamic = ask("readelf", "-dW", path)
        self.notes = ask("readelf", "-nW", path)
        self.imports = {line.split()[-1].partition("@")[0]
                        for line in ask("nm", "-D", "--undefined-only", path).split("\n") if line}

    def flags(self, segment):
        """R, W and E of a program header; None: there is none."""
        found = re.search(rf"^\s*{segment}\s+(?:0x[0-9a-f]+\s+){{5}}([RWE ]{{3}})", self.segments, re.M)
        return found.group(1).replace(" ", "") if found else None

    def sections_both_ways(self):
        """Loaded segments that may be written and executed."""
        return [line for line in self.segments.split("\n") if re.match(r"\s*LOAD\b", line) and "RWE" in line]


def compiled_with(flag):
    """Did this build's compiler take a flag? The compile commands know."""
    path = os.path.join(BUILD, "compile_commands.json")
    if not os.path.exists(path):
        return False
    with open(path) as file:
        return flag in file.read()


def compiler_takes(flag):
    """Where the compiler has a protection, the build must have used it."""
    with open(os.path.join(BUILD, "compile_commands.json")) as file:
        words = json.load(file)[0]["command"].split()
    compiler = next(word for word in words if os.path.basename(word) not in ("ccache", "sccache", "distcc"))
    return subprocess.run([compiler, "-Werror", flag, "-x", "c", "-c", "-o", os.devnull, os.devnull],
                          capture_output=True).returncode == 0


def functions_without_landing(code):
    """Public functions that do not begin with endbr64."""
    found = re.findall(r"^[0-9a-f]+ <(kanon_\w+)>:\n\s*[0-9a-f]+:\s+(\w+)", code, re.M)
    return [name for name, first in found if first != "endbr64"] if found else ["any function: no symbols?"]


def objects_without_mark(archive):
    """Objects that are not marked as ready for indirect branch tracking. (In the tool and the shared library the
    linker keeps the mark only where the C library's own start files have it, too.)"""
    files = re.split(r"^File: ", ask("readelf", "-nW", archive), flags=re.M)[1:]
    return [part.split("\n", 1)[0] for part in files if not re.search(r"x86 feature:.*\bIBT\b", part)] \
        if files else ["any object"]


def stack_steps(code):
    """(whether any page of a stack frame is touched when it is made, the frames made in one step of more than a
    page): with the protection, no step passes over the page that guards the stack's end."""
    touched = re.search(r"sub\s+\$0x1000,%rsp\n\s*[0-9a-f]+:\s+(or|mov)q\s+\$0x0,(0x[0-9a-f]+)?\(%rsp\)", code)
    steps = [int(size, 16) for size in re.findall(r"sub\s+\$0x([0-9a-f]+),%rsp", code)]
    return bool(touched), [size for size in steps if 0x1000 < size < 1 << 31]


def look_at_code(binary):
    """What x86-64 alone has."""
    code = ask("objdump", "-d", "--no-show-raw-insn", binary.path)
    if protection("-fcf-protection=full", f"{binary.name}: control-flow protection"):
        bare = functions_without_landing(code)
        check(f"{binary.name} has control-flow protection", not bare, f"no endbr64 in {', '.join(bare[:3])}")
    if protection("-fstack-clash-protection", f"{binary.name}: stack probes"):
        touched, large = stack_steps(code)
        check(f"{binary.name} probes its stack", touched and not large,
              f"a frame of {max(large)} bytes in one step" if large else "no probe was found")


def protection(flag, name):
    """Is there something to look at?"""
    if compiled_with(flag):
        return True
    if compiler_takes(flag):
        check(name, False, f"the compiler has {flag}, but the build did not use it")
    else:
        print(f"skip hardening: {name}: the compiler has no {flag}")
    return False


def look_at(binary):
    name = binary.name
    check(f"{name} is position independent", re.search(r"Type:\s+DYN", binary.header), "type is not DYN")
    check(f"{name} has full RELRO", binary.flags("GNU_RELRO") is not None
          and re.search(r"\(BIND_NOW\)|\bFlags:.*\bNOW\b|\bBIND_NOW\b", binary.dynamic),
          "no GNU_RELRO segment, or symbols are bound late")
    check(f"{name} has a stack that is not executable", binary.flags("GNU_STACK") == "RW",
          f"GNU_STACK is {binary.flags('GNU_STACK')}")
    check(f"{name} has no segment that is writable and executable", not binary.sections_both_ways(), "it has one")
    check(f"{name} has no relocations in its code", "(TEXTREL)" not in binary.dynamic, "TEXTREL")
    check(f"{name} looks for libraries nowhere else", not re.search(r"\((RPATH|RUNPATH)\)", binary.dynamic),
          "there is an RPATH")
    check(f"{name} has a stack protector", "__stack_chk_fail" in binary.imports, "no __stack_chk_fail")
    fortified = sorted(n for n in binary.imports if n.endswith("_chk") and n != "__stack_chk_fail")
    check(f"{name} calls fortified functions", fortified, "no *_chk function is imported")
    if platform.machine() == "x86_64":
        look_at_code(binary)
    else:
        print(f"skip hardening: {name}: control-flow protection and stack probes: known for x86-64 only")


def main():
    tool, library, archive = [os.path.join(BUILD, name) for name in ("kanon", "libkanon.so", "libkanon.a")]
    missing = [path for path in (tool, library, archive) if not os.path.exists(path)]
    if missing:
        print(f"FAIL hardening: {missing[0]} is not there")
        return 1
    if compiled_with("-fsanitize="):
        print("skip hardening: the build has sanitizers, which bring their own")
        return 0
    for path in (tool, library):
        look_at(Binary(os.path.realpath(path)))
    if platform.machine() == "x86_64" and compiled_with("-fcf-protection=full"):
        bare = objects_without_mark(archive)
        check("libkanon.a is marked for indirect branch tracking", not bare, f"not marked: {', '.join(bare[:3])}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
