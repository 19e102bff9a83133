#!/usr/bin/env python3
"""run_symbols.py -- what libkanon.so gives (only kanon_*, versioned) and what it takes: nothing that
prints, ends the process, starts another, handles signals, draws unseeded numbers, or reads the environment or
the locale; nothing that reaches a network or loads code. The objects of libkanon.a take no more, give only
names that begin with kn_ or kanon_, and have no byte that can be written. The tool may print, end and handle
signals, but it has no network either and loads nothing; only the handler of its signals writes to globals."""
import glob
import os
import re
import subprocess
import sys

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("KANON_BUILD", os.path.join(SRC, "build", "release"))
LIBRARY, ARCHIVE = os.path.join(BUILD, "libkanon.so"), os.path.join(BUILD, "libkanon.a")
TOOL = os.path.join(BUILD, "kanon")
BANNED = re.compile(
    r"^_*(exit|_exit|_Exit|quick_exit|at_quick_exit|atexit|abort|assert_fail|raise|kill|"
    r"printf|vprintf|fprintf|vfprintf|dprintf|vdprintf|puts|putchar|putc|fputc|fputs|fwrite|perror|psignal|"
    r"syslog|vsyslog|stdout|stderr|stdin|"
    r"rand|srand|rand_r|random|srandom|initstate|[dlm]rand48|srand48|"
    r"getenv|secure_getenv|setenv|unsetenv|putenv|clearenv|environ|"
    r"setlocale|uselocale|newlocale|localeconv|nl_langinfo|ctype_b_loc|ctype_tolower_loc|ctype_toupper_loc|"
    r"strtod|strtof|strtold|atof|scanf|sscanf|isoc99_sscanf|strcoll|strxfrm|"
    r"system|popen|fork|vfork|posix_spawnp?|execv|execve|execvp|signal|sigaction|alarm|setitimer|"
    r"strtok|gmtime|localtime|ctime|asctime|tzset|umask|chdir)(_chk)?$")
# What looks up a name (of a host, but of a user, too) loads libraries for it and may ask a server.
OUTSIDE = re.compile(
    r"^_*(socket|socketpair|connect|bind|listen|accept4?|shutdown|send|sendto|sendmsg|sendmmsg|recv|recvfrom|"
    r"recvmsg|recvmmsg|getsockopt|setsockopt|getaddrinfo|getnameinfo|gethostby\w+|getserv\w+|getproto\w+|"
    r"getnetby\w+|if_nametoindex|getifaddrs|res_\w+|rcmd|getpw\w+|getgr(ent|gid|nam)\w*|"
    r"dlopen|dlmopen|dlsym|dlvsym|iconv_open|syscall)(_chk)?$")


def symbols(option, path=LIBRARY):
    """(type, name without version, version) of dynamic symbols."""
    lines = subprocess.run(["nm", "-D", option, path], check=True, capture_output=True,
                           text=True).stdout.split("\n")
    for line in lines:
        fields = line.split()
        if len(fields) >= 2:
            name, _, version = fields[-1].partition("@")
            yield fields[-2], name, version.lstrip("@")


def object_symbols(option):
    """(type, name) of the symbols of the archive's objects."""
    for line in subprocess.run(["nm", option, ARCHIVE], check=True, capture_output=True,
                               text=True).stdout.split("\n"):
        fields = line.split()
        if len(fields) >= 2 and not line.endswith(":"):
            yield fields[-2], fields[-1]


def writable_objects(paths):
    """Objects of archives, or objects, with something in .data or .bss. (.data.rel.ro is read-only once it is
    loaded.)"""
    name = None
    for line in subprocess.run(["size", "-A", *paths], check=True, capture_output=True,
                               text=True).stdout.split("\n"):
        fields = line.split()
        if line.endswith(":"):
            name = os.path.basename(fields[0])
        elif fields and re.match(r"\.(t?data|t?bss)(\.(?!rel\.ro)|$)", fields[0]) and int(fields[1]):
            yield f"{name} {fields[0]} {fields[1]}"


def look_at_objects():
    defined = [s for s in object_symbols("--defined-only") if s[0].isupper()]
    names = {name for _, name in defined}
    taken = {name for _, name in object_symbols("--undefined-only")}
    banned = [name for name in taken if BANNED.match(name)]
    foreign = [name for name in names if not name.startswith(("kn_", "kanon_"))]
    return sum([
        report("symbols: objects give only kn_* and kanon_*", foreign),
        report("symbols: objects take nothing banned", banned),
        report("symbols: objects reach no network and load no code", filter_outside(taken)),
        report("symbols: objects have nothing that can be written", list(writable_objects([ARCHIVE]))),
        report("symbols: the archive has the functions of the headers", declared() - names),
    ])


def filter_outside(names):
    return [name for name in names if OUTSIDE.match(name)]


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
    for path in (LIBRARY, ARCHIVE, TOOL):
        if not os.path.exists(path):
            print(f"FAIL symbols: {path} is not there")
            return 1
    defined = [s for s in symbols("--defined-only") if s[0] != "A"]
    names = {name for _, name, _ in defined}
    writable = [name for kind, name, _ in defined if kind in "BDbd"]
    foreign = [name for name in names if not name.startswith("kanon_")]
    unversioned = [name for _, name, version in defined if not version.startswith("KANON_")]
    taken = {name for _, name, _ in symbols("--undefined-only")}
    banned = [name for name in taken if BANNED.match(name)]
    tool = {name for _, name, _ in symbols("--undefined-only", TOOL)}
    kept = [o for o in writable_objects(glob.glob(os.path.join(BUILD, "CMakeFiles/kanon.dir/cli/*.o")))
            if not o.startswith("progress.c.o ")]
    return int(sum([
        report("symbols: only kanon_* are exported", foreign),
        report("symbols: exports are versioned", unversioned),
        report("symbols: no writable data is exported", writable),
        report("symbols: every declared function is there", declared() - names),
        report("symbols: every export is declared", names - declared()),
        report("symbols: nothing banned is imported", banned),
        report("symbols: the library reaches no network and loads no code", filter_outside(taken)),
        report("symbols: the tool reaches no network and loads no code", filter_outside(tool)),
        report("symbols: the tool keeps nothing that can be written", kept),
        look_at_objects(),
    ]) > 0)


if __name__ == "__main__":
    sys.exit(main())
