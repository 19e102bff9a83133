#!/usr/bin/env python3
"""run_extremes.py [--full] [--list] [NAME-PART...] -- input that is far too much, and how much the tool takes for it.

Every case makes its input when it runs, gives the tool little memory and time, and says what must come of it: a
refusal with its words, or success. Measured are the peak of resident memory and the seconds. Without --full
only those run that are quick (`make test`); `make extremes` runs all of them.

Values that are chosen to collide in a table are held against as many that are not, in the same run: they may not
take much longer. That they would, if the seed of the tables were known, is shown with a seed that is."""
import gzip
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.dirname(os.path.dirname(HERE))
TOOL = os.path.abspath(os.environ.get("KANON", os.path.join(SRC, "build", "release", "kanon")))
MIB = 1 << 20
ADDRESS_MB = 2048  # beyond the memory that may be resident: stacks of threads, buffers that are not touched
CASES = []


class Case:
    def __init__(self, make, options):
        self.make, self.name = make, make.__name__.replace("_", "-")
        self.full = options.get("full", False)
        self.memory_mb, self.seconds = options.get("mb", 100), options.get("s", 10)
        self.code, self.says = options.get("code", 1), options.get("says", "")
        self.stdin, self.file_mb = options.get("stdin"), options.get("file_mb")
        self.signal_after = options.get("signal_after")
        self.beside = options.get("beside")  # makes a job that is to take as long


def case(**options):
    def note(make):
        CASES.append(Case(make, options))
        return make

    return note


def write(name, text):
    with open(name, "wb") as file:
        for piece in [text] if isinstance(text, (bytes, str)) else text:
            file.write(piece if isinstance(piece, bytes) else piece.encode())


def members(name, block, count):
    """A gzip file of many members that are all the same: gigabytes in a moment."""
    member = gzip.compress(block, 9, mtime=0)
    write(name, (member for _ in range(count)))


ANONYMIZE = ["anonymize", "t.csv", "-o", "out.csv", "-k", "2", "-q", "--others", "keep"]

# --- tables -----------------------------------------------------------------------------------------


@case(mb=300, says="t.csv:2: the row that starts here is longer than 67108864 bytes, the maximum")
def line_of_100_MB():
    write("t.csv", ["a,b\n1,", b"x" * (100 * MIB), "\n"])
    return ANONYMIZE + ["--qi", "a"]


@case(mb=300, says="t.csv:1: the row that starts here is longer than")
def header_of_100_MB():
    write("t.csv", ["a", b"x" * (100 * MIB), ",b\n1,2\n"])
    return ANONYMIZE + ["--qi", "a"]


@case(mb=300, says="t.csv:2: .*is a quote not closed|t.csv:2: a quote opens here and is never closed")
def quote_open_for_100_MB():
    write("t.csv", ["a,b\n1,\"", b"x,y\n" * (25 * MIB)])
    return ANONYMIZE + ["--qi", "a"]


@case(mb=200, code=0)
def cell_of_30_MB_that_is_copied():
    write("t.csv", ["a,b\n", "1,", b"x" * (30 * MIB), "\n1,y\n"])
    return ANONYMIZE + ["--qi", "a"]


@case(mb=600, s=20, code=0)
def quasi_identifiers_of_1_MB():
    write("t.csv", ["a,b\n"] + ["%d%s,x\n" % (i, "y" * MIB) for i in range(10)])
    return ANONYMIZE + ["--qi", "a"]


@case(says="t.csv:1: more than 65535 columns")
def million_columns():
    write("t.csv", ",".join("c%d" % i for i in range(1000000)) + "\n")
    return ANONYMIZE + ["--qi", "c1"]


@case(mb=400, s=8, code=0)
def as_many_columns_as_there_may_be():
    names = ["c%d" % i for i in range(65535)]
    write("t.csv", [",".join(names) + "\n"] + [",".join(["7"] * 65535) + "\n"] * 3)
    return ANONYMIZE + ["--qi", "c1,c60000"]


def with_roles(count, role):
    names = ["c%d" % i for i in range(count)]
    write("t.csv", [",".join(names) + "\n"] + [",".join(["7"] * count) + "\n"] * 3)
    write("c.yaml", "k: 2\nqi: [c0]\n%s: [%s]\n" % (role, ", ".join(names[1:])))
    return ANONYMIZE + ["-c", "c.yaml"]


@case(mb=200, s=5, code=0)
def a_role_for_16000_columns():
    return with_roles(16000, "id")


@case(mb=400, s=5, code=0)
def sensitive_columns_4000():
    return with_roles(4000, "sensitive")


@case(mb=150, s=20, code=0)
def as_many_quasi_identifiers_as_there_may_be():
    names = ["c%d" % i for i in range(255)]
    rows = (",".join(str((i * 7 + j * j) % 3) for j in range(255)) + "\n" for i in range(60))
    write("t.csv", [",".join(names) + "\n", *rows])
    return ANONYMIZE + ["--qi", ",".join(names), "--time-limit", "5"]


@case(mb=100, says="t.csv: is a binary file, not text")
def zeros_100_MB():
    write("t.csv", b"\0" * (60 * MIB) + b"\n")
    return ANONYMIZE + ["--qi", "a"]


@case(mb=100, code=0)
def million_empty_last_lines():
    write("t.csv", "a,b\n1,2\n1,2\n" + "\n" * 1000000)
    return ANONYMIZE + ["--qi", "a"]


@case(mb=400, s=15, code=0)
def million_distinct_values():
    write("t.csv", ["a,b\n"] + ["v%d,x\n" % (i * 7919 % 1000003) for i in range(1000000)])
    return ANONYMIZE + ["--qi", "a", "--hierarchy", "a=mask:right"]


@case(full=True, mb=4000, s=180, code=0)
def ten_million_distinct_values():
    write("t.csv", ("v%d,x\n" % (i * 7919 % 10000019) if i else "a,b\n" for i in range(10000000)))
    return ANONYMIZE + ["--qi", "a", "--hierarchy", "a=mask:right"]


@case(mb=200, s=20, code=0)
def missing_words_1000_for_a_million_cells():
    write("t.csv", ["a,b\n"] + ["%d,x\n" % (i % 50) for i in range(1000000)])
    return ANONYMIZE + ["--qi", "a", "--missing", ",".join("m%d" % i for i in range(1000))]


WORD = (1 << 64) - 1


def xxh3_of_8(text):
    """XXH3 of eight bytes, with seed 0."""
    low, high = int.from_bytes(text[:4], "little"), int.from_bytes(text[4:], "little")
    h = (high + (low << 32)) ^ 0xc73ab174c5ecd5a2
    h ^= (h << 49 | h >> 15) & WORD ^ (h << 24 | h >> 40) & WORD
    h = h * 0x9FB21C651E98DF25 & WORD
    h ^= (h >> 35) + 8
    h = h * 0x9FB21C651E98DF25 & WORD
    return h ^ h >> 28


def colliding(count, place, most):
    """Texts of 8 digits that a table would keep in its first places, were its seed 0."""
    found, i = [], 10000000
    while len(found) < count:
        i += 1
        if place(xxh3_of_8(b"%d" % i)) < most:
            found.append(str(i))
    return found


def others(count):
    """As many texts that nobody chose."""
    return map(str, random.Random(1).sample(range(10000000, 99999999), count))


def table_of_values(values):
    write("t.csv", ["a,b\n"] + ["%s,x\n" % text for text in values])
    return ANONYMIZE + ["--qi", "a", "--hierarchy", "a=mask:right"]


COLLIDING = 24000


@case(mb=200, s=20, code=0, beside=lambda: table_of_values(others(COLLIDING)))
def values_chosen_to_collide():
    return table_of_values(colliding(COLLIDING, lambda h: h & 0xffff, 0x1000))


# --- releases larger than the table that they come from ---------------------------------------------------


def long_rows(count):
    write("t.csv.gz", [gzip.compress(b"a,note\n"), *[gzip.compress(b"1,%s\n" % (b"x" * 20000) * 100)] * (count // 100)])
    return ["anonymize", "t.csv.gz", *ANONYMIZE[2:], "--qi", "a"]


@case(mb=200, s=20, code=0)
def release_of_160_MB_from_a_small_gzip():
    return long_rows(8000)


@case(full=True, mb=200, s=60, code=0)
def release_of_600_MB_from_a_small_gzip():
    return long_rows(30000)


def long_labels(count):
    """100 values, two to a label of 20 KB, and a k that no value has alone."""
    write("h.csv", ["v%d;g%d%s;*\n" % (i, i // 2, "x" * 20000) for i in range(100)])
    write("t.csv", ["a,b\n"] + ["v%d,x\n" % (i % 100) for i in range(count)])
    return [*ANONYMIZE[:4], "-k", str(count // 100 + 1), "-q", "--qi", "a", "--hierarchy", "a=h.csv", "--others", "keep"]


@case(mb=202, s=20, code=0)
def release_of_160_MB_of_long_labels():
    return long_labels(8000)


@case(full=True, mb=202, s=60, code=0)
def release_of_300_MB_of_long_labels():
    return long_labels(15000)


# --- gzip ----------------------------------------------------------------------------------------------


@case(mb=300, says="t.csv.gz: is a binary file, not text")
def bomb_of_10_GB_of_zeros():
    members("t.csv.gz", b"\0" * (64 * MIB), 160)
    return ["anonymize", "t.csv.gz", "-o", "out.csv", "--qi", "a", "-q", "--others", "keep"]


@case(mb=100, s=10, code=0)
def rows_64_MB_in_a_small_gzip():
    write("t.csv.gz", [gzip.compress(b"a,b\n"), *[gzip.compress(b"1,2\n" * (2 * MIB))] * 8])
    return ["check", "t.csv.gz", "--qi", "a", "-q"]


@case(full=True, mb=100, s=200, code=0)
def rows_2_GB_in_a_small_gzip():
    write("t.csv.gz", [gzip.compress(b"a,b\n"), *[gzip.compress(b"1,2\n" * (4 * MIB))] * 128])
    return ["check", "t.csv.gz", "--qi", "a", "-q"]


@case(mb=100, s=10, says="is empty; expected a header line")
def half_a_million_empty_members():
    members("t.csv.gz", b"", 500000)
    return ["check", "t.csv.gz", "--qi", "a", "-q"]


@case(mb=100, says="is compressed twice")
def gzip_in_gzip_in_gzip():
    block = b"\0" * (16 * MIB)
    for _ in range(5):
        block = gzip.compress(block)
    write("t.csv.gz", block)
    return ["check", "t.csv.gz", "--qi", "a", "-q"]


@case(mb=100, says="bytes that are not gzip follow the gzip data")
def gzip_with_100_MB_behind():
    write("t.csv.gz", [gzip.compress(b"a,b\n1,2\n"), b"x" * (100 * MIB)])
    return ["check", "t.csv.gz", "--qi", "a", "-q"]


@case(mb=100, says="the gzip data is truncated|is damaged")
def gzip_header_whose_name_never_ends():
    write("t.csv.gz", [b"\x1f\x8b\x08\x08\0\0\0\0\0\x03", b"n" * (100 * MIB)])
    return ["check", "t.csv.gz", "--qi", "a", "-q"]


# --- what is no file ---------------------------------------------------------------------------------


@case(mb=300, code=1, says="/dev/zero: is a binary file, not text")
def device_that_gives_zeros():
    return ["check", "/dev/zero", "--qi", "a", "-q"]


@case(mb=300, code=1, says="/dev/urandom:")
def device_that_gives_noise():
    return ["check", "/dev/urandom", "--qi", "a", "-q", "--header", "yes"]


@case(mb=100, code=3, file_mb=100, stdin="yes 1,2", says="File too large|No space left")
def endless_rows_from_a_pipe():
    return ["check", "-", "--qi", "column1", "--no-header", "-q"]


@case(mb=100, code=130, signal_after=2, s=5)
def named_pipe_that_nobody_writes():
    os.mkfifo("t.csv")
    return ANONYMIZE + ["--qi", "a"]


# --- hierarchies ---------------------------------------------------------------------------------------


@case(mb=900, s=20, code=0)
def hierarchy_of_a_million_leaves():
    write("h.csv", ("v%d;g%d;h%d;*\n" % (i, i // 10, i // 1000) for i in range(1000000)))
    write("t.csv", "a,b\nv1,x\nv2,x\nv999999,x\nv999998,x\n")
    return ANONYMIZE + ["--qi", "a", "--hierarchy", "a=h.csv", "--others", "keep"]


@case(says="h.csv: 1000 levels; the maximum is 256")
def hierarchy_of_1000_levels():
    write("h.csv", ";".join("g%d" % i for i in range(1000)) + "\n")
    write("t.csv", "a,b\ng0,x\n")
    return ANONYMIZE + ["--qi", "a", "--hierarchy", "a=h.csv", "--others", "keep"]


@case(mb=300, s=10, says="h.csv:1000001: .* are both 'g' at level 1")
def hierarchy_that_contradicts_itself_in_its_last_line():
    write("h.csv", [*("v%d;g;h;*\n" % i for i in range(1000000)), "v1000000;g;other;*\n"])
    return ["hierarchy", "validate", "h.csv", "-q"]


@case(mb=300, s=10, says="h.csv: column 'a': value 'w0' has no line .1000 such values.")
def hierarchy_that_lacks_a_thousand_values():
    write("h.csv", ("v%d;g;*\n" % i for i in range(100000)))
    write("t.csv", ["a,b\n"] + ["w%d,x\n" % i for i in range(1000)])
    return ANONYMIZE + ["--qi", "a", "--hierarchy", "a=h.csv", "--others", "keep"]


@case(mb=300, s=10, says="more than 65535 columns|levels; the maximum is 256")
def hierarchy_of_a_million_levels():
    write("h.csv", ";".join("g%d" % i for i in range(1000000)) + "\n")
    write("t.csv", "a,b\ng0,x\n")
    return ANONYMIZE + ["--qi", "a", "--hierarchy", "a=h.csv", "--others", "keep"]


@case(mb=300, s=10, code=0)
def places_that_all_lie_elsewhere():
    write("p.csv", ["city,land\n"] + ["Graz,land%d\n" % i for i in range(300000)])
    write("t.csv", "a,b\nGraz,x\nGraz,x\n")
    return ANONYMIZE + ["--qi", "a", "--hierarchy", "a=place:p.csv"]


# --- configs -------------------------------------------------------------------------------------------


def config(text):
    write("t.csv", "age,b\n1,x\n1,x\n")
    write("c.yaml", text)
    return ANONYMIZE + ["-c", "c.yaml"]


@case(mb=150, says="c.yaml: larger than 16 MiB")
def config_of_100_MB():
    return config(b"# comment\n" * (10 * MIB))


@case(mb=250, s=10, code=0)
def config_of_15_MB_of_comments():
    return config(["k: 2\nqi: [age]\n", b"# comment\n" * (3 * MIB // 2)])


@case(mb=100, says="c.yaml:1: 'a' is an anchor or alias")
def alias_bomb():
    levels = ["qi: &a [x, x, x, x, x, x, x, x, x]"]
    levels += ["l%d: &l%d [%s]" % (i, i, ", ".join(["*l%d" % (i - 1)] * 9)) for i in range(1, 20)]
    return config("\n".join(levels) + "\n")


@case(mb=300, s=10, says="c.yaml:1: ")
def a_million_brackets():
    return config("qi: " + "[" * 1000000)


@case(mb=300, s=10, says="c.yaml:")
def a_million_braces():
    return config("{a: " * 1000000)


@case(mb=300, s=10, says="c.yaml:")
def a_million_dashes():
    return config("qi: \n" + "- " * 1000000)


@case(mb=300, s=10, says="c.yaml:")
def a_million_question_marks():
    return config("? " * 1000000)


@case(mb=300, s=10, says="c.yaml:")
def a_million_quotes_not_closed():
    return config('k: "' + "x\n" * 1000000)


@case(mb=300, s=10, says="c.yaml:1: k: 'x.* is not valid; expected a whole number")
def value_of_15_MB():
    return config("k: " + "x" * (15 * MIB))


@case(mb=400, s=15, code=0)
def hierarchies_named_half_a_million_times():
    return config("k: 2\nqi: [age]\nhierarchy: {" + ", ".join(["age: range:5"] * 500000) + "}\n")


@case(mb=400, s=15, says="c.yaml:1: hierarchy: too many columns; the maximum is 16384")
def hierarchies_for_half_a_million_columns():
    return config("hierarchy: {" + ", ".join("c%d: range:5" % i for i in range(500000)) + "}\n")


@case(mb=300, s=10, says="c.yaml:1: qi: too many columns; the maximum is 16384")
def a_million_columns_named():
    return config("qi: [" + ",".join("c%d" % i for i in range(1000000)) + "]\n")


@case(mb=200, s=10, says="c.yaml:10002: column 'c9' is given twice, first at line 11")
def a_column_given_twice_among_10000():
    lines = "".join("  c%d: {role: quasi}\n" % i for i in range(10000))
    return config("attributes:\n" + lines + "  c9: {role: quasi}\n")


# --- options ---------------------------------------------------------------------------------------------


def plain():
    write("t.csv", "age,b\n1,x\n1,x\n")
    return list(ANONYMIZE)


LONG = "x" * 130000  # the system takes no longer word


@case(says="k: 'x.* is not valid; expected a whole number")
def option_of_130_KB():
    return plain() + ["-k", LONG]


@case(says="t.csv: no column 'x{100}'; expected one of age, b")
def column_name_of_130_KB():
    return plain() + ["--qi", LONG]


@case(code=3, says="x: opening: File name too long|File name too long")
def file_name_of_130_KB():
    return ["check", LONG, "--qi", "a"]


@case(says="unknown option '--x{100}'; `kanon anonymize --help` lists them")
def unknown_option_of_130_KB():
    return plain() + ["--" + LONG]


@case(says="unknown command 'x{100}'; `kanon --help` lists them")
def unknown_command_of_130_KB():
    return [LONG]


@case(says="range width '9{100}' is not a positive number of at most 18 digits")
def range_of_130_KB():
    return plain() + ["--qi", "age", "--hierarchy", "age=range:" + "9" * 130000]


@case(s=10, code=0)
def hierarchy_given_20000_times():
    return plain() + ["--qi", "age"] + ["--hierarchy", "age=range:5"] * 20000


@case(s=10, says="t.csv: no column 'c0'")
def twenty_thousand_letters():
    return plain() + ["-" + "q" * 20000, "--qi", "c0,c1"]


# --- fronts ----------------------------------------------------------------------------------------------


def front(text):
    write("t.csv", "age,b\n1,x\n1,x\n")
    write("f.json", text)
    return ANONYMIZE[:4] + ["--from", "f.json", "--pick", "1", "-q"]


@case(full=True, mb=900, s=20, says="f.json: larger than 256 MiB")
def front_of_300_MB():
    return front(b" " * (300 * MIB))


@case(mb=300, s=10, says="f.json: not a front")
def front_of_30_MB_of_blanks():
    return front([b"{", b" " * (30 * MIB), b"}"])


@case(mb=300, s=10, says="f.json:1: nested too deeply")
def front_of_a_million_brackets():
    return front(b'{"x": ' + b"[" * 1000000)


@case(mb=300, s=10, says="f.json:1: more than 255 hierarchies")
def front_of_a_million_hierarchies():
    return front('{"hierarchies": [' + ",".join(['{"name": "a", "print": "p", "height": 1}'] * 1000000))


@case(mb=300, s=10, says="f.json:1: a number that is too large")
def front_with_a_number_of_a_million_digits():
    return front('{"schema": ' + "9" * 1000000 + "}")


@case(mb=300, s=10, says="f.json: not a front")
def front_with_a_text_of_30_MB():
    return front(['{"x": "', b"\\u00e9" * (5 * MIB), '"}'])


# --- comparisons -------------------------------------------------------------------------------------------


@case(mb=600, s=20, code=0)
def released_sets_of_many_values():
    write("t.csv", ["a,b\n"] + ["v%d,x\n" % i for i in range(2000)])
    cell = '"{' + ",".join("v%d" % i for i in range(2000)) + '}"'
    write("r.csv", ["a,b\n"] + [cell + ",x\n"] * 2000)
    return ["compare", "t.csv", "r.csv", "--qi", "a", "--queries", "100", "--json"]


@case(mb=300, s=20, code=0)
def released_intervals_that_are_nonsense():
    write("t.csv", ["a,b\n"] + ["%d,x\n" % i for i in range(5000)])
    write("r.csv", ["a,b\n"] + ['"[%s,%s]",x\n' % ("9" * (i % 400 + 1), "1" * 300) for i in range(5000)])
    return ["compare", "t.csv", "r.csv", "--qi", "a", "--queries", "100", "--json"]


@case(mb=300, s=10, says="65535 columns to compare; the maximum is 1000")
def comparison_of_65535_columns():
    names = ["c%d" % i for i in range(65535)]
    write("t.csv", [",".join(names) + "\n"] + [",".join(["7"] * 65535) + "\n"] * 3)
    return ["compare", "t.csv", "t.csv", "--qi", "c1"]


# --- running ---------------------------------------------------------------------------------------------


def limit(one):
    def apply():
        bytes_ = (one.memory_mb + ADDRESS_MB) * MIB
        resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))
        resource.setrlimit(resource.RLIMIT_CPU, (one.seconds * 2 + 5, one.seconds * 2 + 5))
        if one.file_mb:
            resource.setrlimit(resource.RLIMIT_FSIZE, (one.file_mb * MIB, one.file_mb * MIB))

    return apply


def run(one, arguments, folder, preload=None):
    """(exit code or None, stderr, peak MB, seconds)"""
    feeder = None
    stdin = subprocess.DEVNULL
    if one.stdin:
        feeder = subprocess.Popen(["bash", "-c", one.stdin], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        stdin = feeder.stdout
    env = dict(os.environ, LC_ALL="C", TZ="UTC", TMPDIR=folder, **({"LD_PRELOAD": preload} if preload else {}))
    start = time.monotonic()
    with open("stderr", "wb") as err:
        process = subprocess.Popen([TOOL, *arguments], stdin=stdin, stdout=subprocess.DEVNULL, stderr=err, env=env,
                                   preexec_fn=limit(one))
        late, ended, lock = [], threading.Event(), threading.Lock()

        def send(number):  # not by Popen, which would wait for the process as well, and take its end away
            with lock:
                if not ended.is_set():
                    late.extend([number] if number == signal.SIGKILL else [])
                    os.kill(process.pid, number)

        timers = [threading.Timer(one.seconds * 3 + 10, send, (signal.SIGKILL,))]
        if one.signal_after:
            timers.append(threading.Timer(one.signal_after, send, (signal.SIGINT,)))
        for timer in timers:
            timer.start()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with lock:
            ended.set()
            _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = 0
        for timer in timers:
            timer.cancel()
    if feeder:
        stdin.close()
        feeder.kill()
        feeder.wait()
    with open("stderr", "rb") as file:
        said = file.read(4000).decode("utf-8", "replace")
    os.remove("stderr")
    cpu = usage.ru_utime + usage.ru_stime
    return None if late else os.waitstatus_to_exitcode(status), said, usage.ru_maxrss / 1024, min(seconds, cpu)


KNOWN_SEED = """#include <string.h>
#include <unistd.h>
int getentropy(void *bytes, size_t count) { memset(bytes, 0, count); return 0; }
"""


def known_seed():
    """A library to be preloaded with which the seed of every table is 0; None: it cannot be made."""
    if "library" not in KNOWN:
        KNOWN["folder"] = tempfile.TemporaryDirectory(prefix="kanon-extreme-")
        path = os.path.join(KNOWN["folder"].name, "known.so")
        made = shutil.which("cc") and subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", path],
                                                     input=KNOWN_SEED.encode(), capture_output=True).returncode == 0
        KNOWN["library"] = path if made else None
    return KNOWN["library"]


KNOWN = {}


def beside(one, arguments, seconds, folder):
    """(what is wrong with how long it took, beside a job that is to take as long; the figures of that)"""
    def much_longer(than):
        return seconds > 5 * than + 0.1

    fixed = run(one, arguments, folder, known_seed()) if known_seed() else None
    again = run(one, arguments, folder)[3] if seconds > 0.1 else seconds
    code, _, _, than = run(one, one.beside(), folder)
    if code != one.code:
        return [f"others ended with {code}, expected {one.code}"], ""
    seconds, why = min(seconds, again), []
    if much_longer(than):
        why.append(f"took {seconds:.2f} s, where others take {than:.2f}")
    if fixed:
        seconds = fixed[3]
        if not much_longer(than):
            why.append(f"shows nothing: with a known seed it took {seconds:.2f} s, where others take {than:.2f}")
    else:
        print(f"skip extremes/{one.name} with a known seed: no library to preload can be made", flush=True)
    return why, f"; others {than:.2f} s" + (f", with a known seed {fixed[3]:.2f} s" if fixed else "")


def check(one):
    folder = os.path.realpath(tempfile.mkdtemp(prefix="kanon-extreme-"))
    back = os.getcwd()
    os.chdir(folder)
    try:
        arguments = one.make()
        before = set(os.listdir("."))
        code, said, peak, seconds = run(one, arguments, folder)
        left = set(os.listdir(".")) - before - ({"out.csv"} if one.code == 0 else set())
        slow, figures_beside = beside(one, arguments, seconds, folder) if one.beside else ([], "")
    finally:
        os.chdir(back)
        shutil.rmtree(folder, ignore_errors=True)
    why = list(slow)
    if code != one.code:
        why.append(f"ended with {code}, expected {one.code}")
    if not re.search(one.says, said):
        why.append(f"says {said.strip()[:300]!r}, expected {one.says!r}")
    if one.code not in (0, 130) and len(said.strip().split("\n")) != 1:
        why.append(f"{len(said.strip().split(chr(10)))} lines on stderr, expected one")
    if peak > one.memory_mb:
        why.append(f"took {peak:.0f} MB, expected at most {one.memory_mb}")
    if seconds > one.seconds:
        why.append(f"took {seconds:.1f} s, expected at most {one.seconds}")
    if left:
        why.append(f"left behind: {', '.join(sorted(left))}")
    figures = f"{peak:.0f} MB, {seconds:.2f} s{figures_beside}"
    words = said.strip().split("\n")[-1]
    if why:
        print(f"FAIL extremes/{one.name}: {'; '.join(why)} ({figures})", flush=True)
    else:
        print(f"ok extremes/{one.name}", flush=True)
        print(f"    # {figures}: {words[:160] if one.code else 'done'}", flush=True)
    return not why


def main():
    arguments = sys.argv[1:]
    wanted = [a for a in arguments if not a.startswith("--")]
    chosen = [one for one in CASES if (not one.full or "--full" in arguments or wanted)
              and (not wanted or any(w in one.name for w in wanted))]
    if "--help" in arguments:
        print(__doc__)
        return 0
    if "--list" in arguments:
        print("\n".join(one.name for one in chosen))
        return 0
    if not os.access(TOOL, os.X_OK):
        print(f"FAIL extremes: {TOOL} is not there")
        return 1
    return 0 if all([check(one) for one in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
