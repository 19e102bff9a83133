#!/usr/bin/env python3
"""run_faults.py [--full] -- what can go wrong around the tool goes wrong, one thing at a time, in every command: the n-th
request for memory is refused, the n-th system call fails or does half its work, limits are reached, streams are
closed, inputs change while they are read, targets are odd. Whatever happens, the tool neither crashes nor hangs,
exits with the documented status, says one line, and leaves old files as they were and no temporary ones.

Where there are many n, a sample is taken; in the long form or with --full, every n of every command."""
import os
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys

import harness
from harness import COMMANDS, FULL, JOB, KEPT, NOBODY, OLD, ORDER, REPORTS, Place, become_nobody, judge, same, steady

MEMORY_RUNS = 24  # of one command, unless FULL
IO, BAD, NOMEM = 3, 1, 4


def sample(count, most, every=FULL):
    """1 to count: all, or the first and last ones and a spread of the rest."""
    if every or count <= most:
        return list(range(1, count + 1))
    edge = most // 4
    inner = {edge + 1 + i * (count - 2 * edge) // (most - 2 * edge) for i in range(most - 2 * edge)}
    return sorted(set(range(1, edge + 1)) | inner | set(range(count - edge + 1, count + 1)))


def try_all(yard, words, faults, calm, statuses):
    """Runs under each fault; what was wrong. Every other run finds no old files."""
    def one(numbered):
        number, fault = numbered
        place = yard.place()
        if number % 2 == 0:
            wrong = judge(place.run(words, fault), calm, statuses)
        else:
            wrong = judge(place.run(words, fault, old=False), calm, statuses)
        return f"{fault}: {wrong}" if wrong else ""

    return [wrong for wrong in yard.map(one, enumerate(faults)) if wrong]


# --- memory ------------------------------------------------------------------------------------------------


def memory(yard, tally):
    failed = 0
    for name, words in COMMANDS:
        calm, counts = yard.place().count(words)
        once = [f"alloc:{n}:ENOMEM" for n in sample(counts["alloc"], MEMORY_RUNS)]
        ever = [f"alloc:{n}+:ENOMEM" for n in sample(counts["alloc"], MEMORY_RUNS // 6, False)]
        wrong = try_all(yard, words, once + ever, calm, {NOMEM})
        failed += len(once) + len(ever)
        tally.line(f"memory fails: {name}", wrong, len(once) + len(ever))
    return failed


# --- system calls ------------------------------------------------------------------------------------------

HARMLESS = "harmless"  # the job must be done all the same
CALLS = (  # call, what it does, how it may end
    ("nameless", ("ENOTSUP", "EISDIR", "EINVAL"), HARMLESS),
    ("nameless", ("ENOSPC", "EACCES", "EMFILE"), {IO}),
    ("open", ("EIO", "EMFILE", "EACCES", "ENOENT", "EINTR"), {IO}),
    ("close", ("EIO", "EINTR"), {IO}),
    ("read", ("EIO",), {IO}),
    ("read", ("EINTR", "EAGAIN", "short"), HARMLESS),
    ("pread", ("EIO", "ESTALE", "zero"), {IO, BAD}),
    ("pread", ("EINTR", "EAGAIN", "short"), HARMLESS),
    ("write", ("ENOSPC", "EIO", "EDQUOT", "EFBIG", "zero"), {IO}),
    ("write", ("EINTR", "EAGAIN", "short"), HARMLESS),
    ("pwrite", ("ENOSPC", "EIO", "zero"), {IO}),
    ("pwrite", ("EINTR", "EAGAIN", "short"), HARMLESS),
    ("fsync", ("EIO", "ENOSPC"), {IO}),
    ("fsync", ("EINTR", "EINVAL"), HARMLESS),
    ("stat", ("EIO", "EACCES", "ENOENT"), {IO, BAD}),
    ("fstat", ("EIO", "ENOMEM"), {IO}),
    ("access", ("EACCES", "EROFS", "EIO"), {IO}),
    ("readlink", ("EIO", "EACCES"), {IO}),
    ("fchmod", ("EIO", "EROFS"), {IO}),
    ("fchmod", ("EPERM", "ENOTSUP"), HARMLESS),
    ("fchown", ("EPERM", "EIO"), HARMLESS),
    ("getxattr", ("ENOTSUP", "EIO"), HARMLESS),
    ("setxattr", ("ENOTSUP", "EPERM"), HARMLESS),
    ("rename", ("EIO", "ENOSPC", "EXDEV", "EACCES"), {IO}),
    ("link", ("EIO", "EPERM", "ENOSPC", "EXDEV", "ENOENT"), {IO}),
    ("link", ("EEXIST", "EINTR"), HARMLESS),
    ("unlink", ("EIO", "EINTR"), {IO}),
    ("poll", ("EINTR",), HARMLESS),
    ("eventfd", ("EMFILE", "ENOMEM"), HARMLESS),
    ("getrandom", ("EINTR",), HARMLESS),
    ("getrandom", ("EIO", "ENOSYS"), {IO}),
    ("thread", ("EAGAIN",), {IO, NOMEM}),
)
KEYS_OWN = 2  # that of the order of rows, after the seed of the hash tables
SODIUMS_OWN = 4  # libsodium, which ends the process where it gets no random bytes after those with which it started
DISTURBED = ("init", "hierarchy build", "check", "compare --json --html", "explain --html", "anonymize", "anonymize with a config",
             "anonymize gzip to standard output", "anonymize standard input", "anonymize --from", "anonymize with models",
             "two threads", "anonymize, mondrian", "pareto")


def tolerant(call, run, calm):
    """What the files may look like after all, where a call fails that stands behind the point of no return."""
    if call == "unlink":  # what cannot be removed stays: a private file
        run.left = []
    if call in ("rename", "link", "fchmod", "getrandom") and run.status == IO and "release.csv" not in run.files:
        # of several files, those before are in place, complete; the release comes last
        run.files = {name: data for name, data in run.files.items() if steady(data) != steady(calm.files.get(name, b""))}
    return run


def syscalls(yard, tally, prefix="", names=DISTURBED, title="system calls fail"):
    failed = 0
    for name, words in COMMANDS:
        if name not in names:
            continue
        place = yard.place()
        calm, counts = place.count(words)
        work = []
        for call, actions, ending in CALLS:
            for action in actions:
                for n in sample(counts[call], 6 if ending is not HARMLESS else 3):
                    if (call, n) == ("getrandom", SODIUMS_OWN) and ending is not HARMLESS:
                        continue
                    work.append((call, f"{prefix}{call}:{n}:{action}", ending))
                if counts[call] and action not in ("EINTR", "EAGAIN", "EEXIST"):
                    work.append((call, f"{prefix}{call}:1+:{action}", ending))

        def one(item):
            call, fault, ending = item
            place = yard.place()
            run = tolerant(call, place.run(words, fault), calm)
            wrong = judge(run, calm, set() if ending is HARMLESS else ending)
            return f"{fault}: {wrong}" if wrong else ""

        wrong = [said for said in yard.map(one, work) if said]
        failed += len(work)
        tally.line(f"{title}: {name}", wrong, len(work))
    return failed


def no_random_bytes(yard, tally):
    """Neither getrandom nor a device: libsodium, once started, would end the process."""
    wrong = []
    for name in ("check", "anonymize", "init"):
        run = yard.place().run(dict(COMMANDS)[name], "getrandom:1+:ENOSYS,open:2+:ENOENT")
        if run.status != IO or run.files or run.left or len(run.messages()) != 1:
            wrong.append(f"{name}: exit status {run.status}: {run.err[-200:]}")
    tally.line("no random bytes at all", wrong, 3)


def no_order_key(yard, tally):
    """A job that would draw a fresh key for the order of its rows and gets none releases nothing."""
    words = [word for word in JOB + REPORTS if word not in ORDER]
    wrong = []
    for error in ("EIO", "ENOSYS"):
        run = yard.place().run(words, f"getrandom:{KEYS_OWN}:{error}")
        if run.status != IO or run.files or run.left or "order of the released rows" not in " ".join(run.messages()):
            wrong.append(f"{error}: exit status {run.status}: {run.err[-200:]}")
    run = yard.place().run(words, f"getrandom:{KEYS_OWN}:EINTR")
    if run.status or len(run.files) != 3:
        wrong.append(f"EINTR: exit status {run.status}: {run.err[-200:]}")
    tally.line("no random bytes for the order of rows", wrong, 3)


# --- limits -------------------------------------------------------------------------------------------------


def limited(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


def limits(yard, tally):
    """Real shortage, of everything at once: the stacks of threads and the C library's own memory, too."""
    names = dict(COMMANDS)
    runs, wrong = 0, []
    for name in ("two threads", "anonymize, k-members", "compare", "pareto", "explain"):
        words = names[name] + ["-q"]
        calm = yard.place().run(words)
        for kind, what, values, statuses in (
                (resource.RLIMIT_AS, "address space", [2 ** 20 * m for m in range(8, 90, 3 if FULL else 9)], {NOMEM, IO}),
                (resource.RLIMIT_NOFILE, "open files", range(3, 10), {IO, NOMEM}),
                (resource.RLIMIT_FSIZE, "file size", (150, 300, 450), {IO})):
            def one(value):
                run = yard.place().run(words, before=limited(kind, value))
                if b"shared librar" in run.err or (kind == resource.RLIMIT_AS and value < 2 ** 24 and not run.err):
                    return ""  # the loader has not come as far as the tool
                said = judge(run, calm, statuses)
                return f"{name}, {what} {value}: {said}" if said else ""

            done = yard.map(one, values)
            runs += len(done)
            wrong += [said for said in done if said]
    tally.line("limits: address space, open files, size of files", wrong, runs)


# --- streams ------------------------------------------------------------------------------------------------


def closed(*fds):
    def close_them():
        for fd in fds:
            os.close(fd)
    return close_them


def streams(yard, tally):
    place = yard.place()
    names = dict(COMMANDS)
    loud = [name for name in names if name not in ("no command", "a broken table", "an unknown option")]
    for title, stdout in (("/dev/full", lambda: open("/dev/full", "wb")), ("a closed pipe", None)):
        wrong = []
        for name in loud:
            words = names[name]
            calm = place.run(words)
            if not calm.out:
                continue
            place.reset(True)
            if stdout:
                to = stdout()
                run = place.finish(*place.start(words, stdout=to))
                to.close()
            else:
                reader, writer = os.pipe()
                os.close(reader)
                run = place.finish(*place.start(words, stdout=writer))
                os.close(writer)
            lines = [line for line in run.messages() if "standard output" in line]
            if run.status != IO or run.files or run.left or len(lines) != 1 or len(run.messages()) != 1:
                wrong.append(f"{name}: exit status {run.status}, wrote {sorted(run.files)}, left {run.left}: {run.err[-160:]}")
        tally.line(f"standard output is {title}: exit 3 and nothing written", wrong, len(loud))
    late_reader(place, tally, names["anonymize"])
    wrong, runs = [], 0
    for name, words in COMMANDS:
        calm = place.run(words)
        for fds in ((0,), (1,), (2,), (1, 2), (0, 1, 2)):
            run = place.run(words, before=closed(*fds))
            runs += 1
            if 1 in fds and calm.out:
                good = run.status == IO and not run.files
            elif words[-1:] == ["<table.csv"] and 0 in fds:
                good = run.status == IO and not run.files
            else:
                good = run.status == calm.status and same(run.files, calm.files)
            if not good or run.left or run.status < 0:
                wrong.append(f"{name}, {fds} closed: exit status {run.status}, wrote {sorted(run.files)}, left {run.left}: "
                             f"{run.err[-160:]}")
    tally.line("standard streams closed from the start: no file takes their place", wrong, runs)


def late_reader(place, tally, words):
    """Whoever has read the summary may go (`kanon ... | head -1`): the last line comes when the files are in place."""
    calm, counts = place.count(words)
    place.reset(True)
    reader, writer = os.pipe()
    process, out, err = place.start(words, f"rename:{counts['rename']}:SIGSTOP", stdout=writer)
    waiting = stopped(process)
    os.close(reader)
    os.close(writer)
    process.send_signal(signal.SIGCONT)
    run = place.finish(process, out, err)
    good = waiting and run.status == 0 and same(run.files, calm.files) and not run.messages()
    tally.line("a reader that goes when it has seen the summary", [] if good else [f"exit status {run.status}, wrote "
               f"{sorted(run.files)}: {run.err[-200:]}"], 1)


# --- inputs that change -------------------------------------------------------------------------------------


def stopped(process):
    """Waits until it has stopped itself; False: it has ended."""
    try:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
    except ChildProcessError:
        return False
    if os.WIFSTOPPED(status):
        return True
    process.returncode = os.waitstatus_to_exitcode(status)
    return False


def rewrite(path):
    """Another table of the same size, by the same inode, with the old times."""
    facts = os.stat(path)
    with open(path, "r+b") as file:
        data = file.read()
        file.seek(0)
        file.write(data.replace(b"flu", b"flo").replace(b",33,", b",34,"))
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


def append(path):
    with open(path, "ab") as file:
        file.write(b"P99999,33,80111,flu,1\n")


def truncate(path):
    os.truncate(path, os.path.getsize(path) // 2)


def empty(path):
    os.truncate(path, 0)


def touch(path):
    os.utime(path, (1, 1))


def replace(path):
    with open(f"{path}.new", "wb") as file:
        file.write(b"quite,another\n1,2\n")
    os.rename(f"{path}.new", path)


def vanish(path):
    os.remove(path)


CHANGES = (rewrite, append, truncate, empty, touch, replace, vanish)


def changing(yard, tally):
    """The tool is stopped at every call that has to do with files, and the table is changed meanwhile."""
    names = dict(COMMANDS)
    for name, table in (("anonymize", "table.csv"), ("anonymize, mondrian", "table.csv"), ("check", "table.csv"),
                        ("compare --json --html", "released.csv"), ("anonymize gzip to standard output", "table.csv.gz"),
                        ("compare --json --html", "table.csv"), ("explain", "table.csv"), ("init", "table.csv"),
                        ("pareto", "table.csv"), ("anonymize with models", "people.csv")):
        words = names[name]
        calm, counts = yard.place().count(words)
        # a table that is read once: rewritten before, it is just another one
        once = name.startswith("compare")
        work = [(change, n) for change in CHANGES[once:] for n in sample(counts["any"], 8)]

        def one(item):
            change, n = item
            place = yard.place()
            place.reset(True)
            path = f"{place.folder}/{table}"
            process, out, err = place.start(words, f"any:{n}:SIGSTOP")
            if stopped(process):
                change(path)
                process.send_signal(signal.SIGCONT)
            run = place.finish(process, out, err)
            shutil.copy2(f"{yard.pattern}/{table}", f"{path}.new")
            os.rename(f"{path}.new", path)
            early = run.status in (0, 2) and n <= counts.get(table, 0)
            said = "" if early else judge(run, calm, {IO, BAD})  # early: another table from the start
            return f"{change.__name__} at call {n}: {said}" if said else ""

        wrong = [said for said in yard.map(one, work) if said]
        tally.line(f"{table} changes while it is read: {name}", wrong, len(work))
    filling(yard.place(), tally)


def filling(place, tally):
    """A table that was empty when it was opened, and that somebody writes then."""
    words = ["check", "empty.csv", *harness.QI]
    path = f"{place.folder}/empty.csv"
    harness.write(path, "")
    calm, counts = place.count(words)
    wrong, runs, seen = [], 0, 0
    for n in range(place.opened["empty.csv"][0] + 2, counts["any"] + 1):  # opened, and its facts taken
        harness.write(path, "")
        process, out, err = place.start(words, f"any:{n}:SIGSTOP")
        if stopped(process):
            shutil.copyfile(f"{place.folder}/table.csv", path)
            process.send_signal(signal.SIGCONT)
        run = place.finish(process, out, err)
        runs += 1
        seen += b"changed" in run.err
        if run.status not in (IO, BAD) or len(run.messages()) != 1:
            wrong.append(f"at call {n}: exit status {run.status}: {run.err[-200:]}")
    if calm.status != BAD or not seen:
        wrong.append(f"exit status {calm.status}, {seen} times refused because it changed")
    os.remove(path)
    tally.line("an empty table is filled while it is read", wrong, runs)


# --- targets ------------------------------------------------------------------------------------------------


def targets(yard, tally):
    place = yard.place()
    words = JOB + ["-q"]
    calm = place.run(words)
    release = calm.files["release.csv"]
    out = f"{place.out}/release.csv"

    def case(name, make, check, fault=None, to="out/release.csv", **more):
        for path in os.listdir(place.out):
            full = f"{place.out}/{path}"
            shutil.rmtree(full) if os.path.isdir(full) and not os.path.islink(full) else os.remove(full)
        place.old = None
        make()
        words[3] = to
        run = place.finish(*place.start(words, fault, **more))
        said = check(run)
        left = [name for name in os.listdir(place.out) if "kanon-" in name] + os.listdir(place.tmp)
        if left:
            said = f"left {left}"
        if run.status < 0 or run.hung:
            said = f"ended by {run.status}"
        if run.status and len(run.messages()) != 1:
            said = f"{len(run.messages())} lines of message"
        tally.line(f"target: {name}", [f"{said}; exit status {run.status}: {run.err[-200:]}"] if said else [], 1)
        for path in (out, f"{place.out}/other.csv"):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)

    def content(path):
        with open(path, "rb") as file:
            return file.read()

    def old():
        with open(out, "wb") as file:
            file.write(OLD)

    def linked():
        with open(f"{place.out}/other.csv", "wb") as file:
            file.write(OLD)
        os.symlink("other.csv", out)

    case("a folder", lambda: os.mkdir(out), lambda run: "" if run.status == BAD and os.path.isdir(out) else "not refused")
    case("a link stays one", linked, lambda run: "" if os.path.islink(out) and content(f"{place.out}/other.csv") == release
         and run.status == 0 else "not written through the link")
    case("a link that leads nowhere yet", lambda: os.symlink("other.csv", out), lambda run: "" if os.path.islink(out)
         and content(out) == release and run.status == 0 else "not written through the link")
    case("a link that leads to itself", lambda: os.symlink("release.csv", out),
         lambda run: "" if run.status == IO and os.path.islink(out) else "not refused")
    case("a link that cannot be read", linked, lambda run: "" if run.status == IO and os.path.islink(out)
         and content(out) == OLD else "link or file changed", fault="readlink:1:EIO")
    case("the umask counts", lambda: None, lambda run: "" if stat.S_IMODE(os.stat(out).st_mode) == 0o600 else "it does not",
         before=lambda: os.umask(0o077))
    place.count(words, old=False)
    asked = place.opened.get("/proc/self/status", [0])[-1]  # when the file is made; before, only whether it could be
    case("the umask cannot be known", lambda: None, lambda run: "" if asked and run.status == 0
         and stat.S_IMODE(os.stat(out).st_mode) == 0o600 else "others may read it", fault=f"any:{max(asked, 1)}:ENOENT",
         before=lambda: os.umask(0))
    permissions(case, old, out)
    links(place, tally, case)
    case("/dev/null", lambda: None, lambda run: "" if run.status == 0 and not os.path.isfile("/dev/null") else "no",
         to="/dev/null")
    case("/dev/full", lambda: None, lambda run: "" if run.status == IO else "not refused", to="/dev/full")
    case("a folder that is not there", lambda: None, lambda run: "" if run.status == IO else "not refused", to="none/out.csv")
    case("a name that is too long", lambda: None, lambda run: "" if run.status == IO else "not refused", to="out/" + "x" * 300)
    case("the longest name", lambda: None, lambda run: "" if run.status == 0 else "refused", to="out/" + "x" * 255)
    case("no temporary folder, not needed", old, lambda run: "" if run.status == 0 and content(out) == release else "no",
         env={"TMPDIR": "/nonexistent"})
    pipes(place, tally, release)
    folders(yard, tally)


def permissions(case, old, out):
    """Those of a file that is replaced stay, group and access control list included. Where they cannot, no group gets what
    another one had."""
    def kept(mode, group=None, acl=None):
        def check(run):
            facts = os.stat(out)
            found = (stat.S_IMODE(facts.st_mode), facts.st_gid, acl_of(out))
            expected = (mode, facts.st_gid if group is None else group, acl)
            good = found == expected and run.status == 0 and facts.st_size != len(OLD)
            return "" if good else f"mode {found[0]:o}, group {found[1]}, list {found[2]}"
        return check

    entries = ((1, 6, -1), (2, 4, NOBODY), (4, 0, -1), (16, 4, -1), (32, 0, -1))  # of the list: kind, permissions, who
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)

    def listed():
        old()
        os.setxattr(out, ACL, acl)

    case("permissions stay", lambda: (old(), os.chmod(out, 0o640)), kept(0o640))
    case("permissions stay where a list cannot be asked for", lambda: (old(), os.chmod(out, 0o640)), kept(0o640),
         fault="getxattr:1+:ENOTSUP,setxattr:1+:ENOTSUP")
    if os.getuid() == 0:
        other = lambda: (old(), os.chown(out, -1, NOBODY), os.chmod(out, 0o640))
        case("its group stays", other, kept(0o640, NOBODY))
        case("a group that cannot stay", other, kept(0o600, os.getgid()), fault="fchown:1:EPERM")
    else:
        print("skip target: its group stays: needs root")
    old()
    try:
        os.setxattr(out, ACL, acl)
    except OSError as error:
        print(f"skip target: its access control list stays: {error.strerror}")
        return
    case("its access control list stays", listed, kept(0o640, None, acl))
    case("an access control list that cannot stay", listed, kept(0o600), fault="setxattr:1:EPERM")
    case("an access control list that cannot be read", listed, kept(0o600), fault="getxattr:1+:EIO")
    case("the list of a folder cannot be read", lambda: None, kept(0o600), fault="getxattr:1+:EIO", before=lambda: os.umask(0))
    folder = os.path.dirname(out)
    os.setxattr(folder, ACL.replace("access", "default"), acl)
    case("without a list, whatever the folder gives new files", lambda: (unlisted(old, out), os.chmod(out, 0o660)), kept(0o660))
    case("a new file gets no more than the folder gives", lambda: None, kept(0o640, None, acl), before=lambda: os.umask(0))
    os.removexattr(folder, ACL.replace("access", "default"))


ACL = "system.posix_acl_access"


def acl_of(path):
    try:
        return os.getxattr(path, ACL)
    except OSError:
        return None


def unlisted(old, path):
    old()
    if acl_of(path):
        os.removexattr(path, ACL)


def links(place, tally, case):
    """Links that somebody else put there, and a target that is the table itself, whatever cannot be looked up meanwhile."""
    out, shared = f"{place.out}/release.csv", f"{place.out}/shared"

    def planted(owner, mode, to):
        def make():
            os.mkdir(shared)
            os.chmod(shared, mode)
            if to == "there.csv":
                harness.write(f"{shared}/{to}", OLD.decode())
            os.symlink(to, f"{shared}/release.csv")
            os.lchown(f"{shared}/release.csv", owner, -1)
        return make

    def refused(to):
        def check(run):
            there = os.path.exists(f"{shared}/{to}") and os.path.getsize(f"{shared}/{to}") != len(OLD)
            return "" if run.status == IO and not there and os.path.islink(f"{shared}/release.csv") else "not refused"
        return check

    def followed(run):
        return "" if run.status == 0 and os.path.islink(f"{shared}/release.csv") else "not written through the link"

    if os.getuid() == 0:
        where = "out/shared/release.csv"
        for to in ("there.csv", "nowhere.csv"):
            case(f"somebody's link to {to} in a shared folder", planted(NOBODY, 0o1777, to), refused(to), to=where)
            case(f"the folder's owner's link to {to}", planted(0, 0o1777, to), followed, to=where)
            case(f"a link to {to} in a folder that is not shared", planted(NOBODY, 0o755, to), followed, to=where)
        shutil.rmtree(shared)
    else:
        print("skip target: somebody's link in a shared folder: needs root")
    words, wrong, runs = JOB + ["-q"], [], 0
    with open(f"{place.folder}/table.csv", "rb") as file:
        table = file.read()
    counts = place.count(words)[1]
    for error in ("EACCES", "EIO", "ENOMEM"):
        for n in range(1, counts["stat"] + 1):
            place.reset(True)
            os.remove(out)
            os.symlink("../table.csv", out)
            place.old = None
            run = place.finish(*place.start(words, f"stat:{n}:{error}"))
            with open(f"{place.folder}/table.csv", "rb") as file:
                kept = file.read() == table
            harness.write(f"{place.folder}/table.csv", table.decode())
            if run.status not in (BAD, IO) or not kept or len(run.messages()) != 1:
                wrong.append(f"stat:{n}:{error}: exit status {run.status}, {'kept' if kept else 'destroyed'}: {run.err[-200:]}")
            os.remove(out)
            place.old = None
            place.reset(True)
            os.chmod(out, 0o600)
            place.old = None
            run = place.finish(*place.start(words, f"stat:{n}:{error}"))
            if stat.S_IMODE(os.stat(out).st_mode) != 0o600:
                wrong.append(f"stat:{n}:{error}: permissions {os.stat(out).st_mode:o}")
            runs += 2
    place.old = None
    tally.line("target: the table itself, or a private file, when something cannot be looked up", wrong, runs)


def pipes(place, tally, release):
    """Pipes as targets, with a reader that stays and one that goes; and a temporary folder that is needed but missing."""
    fifo = f"{place.out}/pipe"
    words = JOB + ["-q"]
    words[3] = "out/pipe"
    os.mkfifo(fifo)
    reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
    run = place.finish(*place.start(words))
    got = reader.communicate(timeout=harness.LIMIT_S)[0]
    tally.line("target: a pipe", [] if got == release and run.status == 0 else [f"{run.status}: {run.err[-200:]}"], 1)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    process, out, err = place.start(words, "pwrite:1:SIGSTOP")
    waiting = stopped(process)
    os.close(reader)
    process.send_signal(signal.SIGCONT)
    run = place.finish(process, out, err)
    tally.line("target: a pipe whose reader goes away",
               [] if waiting and run.status == IO and len(run.messages()) == 1 else [f"{run.status}: {run.err[-200:]}"], 1)
    os.remove(fifo)
    words[3] = "-"
    wrong = []
    for folder in ("/nonexistent", f"{place.folder}/table.csv"):
        env = {**place.environment(None), "TMPDIR": folder}
        done = subprocess.run([harness.KANON, *words], cwd=place.folder, env=env, capture_output=True, timeout=harness.LIMIT_S)
        if done.returncode != IO or done.stdout or folder.encode() not in done.stderr or done.stderr.count(b"\n") != 1:
            wrong.append(f"{folder}: {done.returncode}: {done.stderr[-200:]}")
    tally.line("a temporary folder that is needed and missing", wrong, 2)


SPILL_ROWS, SPILL_TEXT = 4000, 18000  # 72 MB: more than a shuffle keeps in memory
SPILLING = (("nameless", ("ENOTSUP",), HARMLESS), ("nameless", ("ENOSPC", "EACCES"), {IO}), ("open", ("EACCES", "EMFILE"), {IO}),
            ("pwrite", ("ENOSPC", "EIO", "zero"), {IO}), ("pwrite", ("EINTR", "short"), HARMLESS),
            ("pread", ("EIO", "zero"), {IO, BAD}), ("pread", ("EINTR", "short"), HARMLESS))


def spilling(yard, tally):
    """A release that is shuffled in a temporary file, and every way in which that can fail."""
    place = Place(yard)
    with open(f"{place.folder}/wide.csv", "w") as file:
        file.write("name,age,zip,ill,wish,note\n")
        for i, row in enumerate(harness.rows(SPILL_ROWS)):
            file.write(f"{row},{chr(97 + i % 26) * SPILL_TEXT}\n")
    words = ["anonymize", "wide.csv", *JOB[2:], "-q"]
    calm, counts = place.count(words)
    wrong = []
    if calm.status or not calm.files or counts["nameless"] < 2:
        wrong.append(f"exit status {calm.status}, {counts['nameless']} files without a name, expected the release and the "
                     f"shuffle's: {calm.err[-200:]}")
    work = []
    for call, actions, ending in SPILLING:
        middle = (counts[call] + 1) // 2
        for action in actions:
            work += [(f"{call}:{n}:{action}", ending) for n in (sample(counts[call], 40, False) if FULL else [middle] * bool(middle))]
            if FULL and action not in ("EINTR", "short"):
                work.append((f"{call}:1+:{action}", ending))
    for number, (fault, ending) in enumerate(work):
        said = judge(place.run(words, fault, old=number % 2 == 0), calm, set() if ending is HARMLESS else ending)
        if said:
            wrong.append(f"{fault}: {said}")
    tally.line("a shuffle that needs a temporary file", wrong, len(work))
    wrong = []
    for folder in ("/nonexistent", f"{place.folder}/table.csv"):
        said = judge(place.run(words, env={"TMPDIR": folder}), calm, {IO})
        if said or place.run(words, env={"TMPDIR": folder}).status != IO:
            wrong.append(f"{folder}: {said or 'did not fail'}")
    small = f"{place.folder}/small"
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", small], capture_output=True).returncode:
        print("skip a shuffle whose temporary folder is full: no file system can be mounted here")
    else:
        try:
            run = place.run(words, env={"TMPDIR": small})
            if run.status != IO or run.files or os.listdir(small) or len(run.messages()) != 1:
                wrong.append(f"a full one: exit status {run.status}, {os.listdir(small)}: {run.err[-200:]}")
        finally:
            subprocess.run(["umount", small], check=True)
    tally.line("a shuffle whose temporary folder is missing, none or full", wrong, 5)
    shutil.rmtree(place.folder)
    return len(work)


def folders(yard, tally):
    """Folders that may not be written, and full ones: real ones, by another user and by a small file system."""
    place = yard.place()
    if os.getuid() != 0:
        print("skip folders without permission or space: needs root")
        return
    harness.open_to_all(yard, place)
    for name in ("stdout", "stderr", "counts"):
        if os.path.exists(f"{place.folder}/{name}"):
            os.remove(f"{place.folder}/{name}")

    place.reset(True)
    run = place.finish(*place.start(JOB + REPORTS + ["-q"], before=become_nobody))
    tally.line("target: a folder that may not be written", [] if run.status == IO and not run.files and not run.left
               and len(run.messages()) == 1 else [f"{run.status}: {run.err[-200:]}"], 1)
    os.chmod(place.out, 0o777)
    run = place.run(JOB + REPORTS + ["-q"], old=False, before=become_nobody)
    tally.line("another user, with memory that cannot be dumped, names its files",
               [] if run.status == 0 and len(run.files) == 3 and not run.left else [f"{run.status}: {run.err[-200:]}"], 1)
    os.chmod(f"{place.folder}/table.csv", 0)
    run = place.run(JOB + ["-q"], old=False, before=become_nobody)
    os.chmod(f"{place.folder}/table.csv", 0o644)
    tally.line("an input that may not be read", [] if run.status == IO and not run.files and len(run.messages()) == 1
               else [f"{run.status}: {run.err[-200:]}"], 1)
    protected(place, tally)
    full_folders(place, tally)


def protected(place, tally):
    """Files that may not be written, in a folder where they could be replaced: by somebody who owns them, and who does not."""
    wrong, runs = [], 0
    for name in ("anonymize", "pareto", "explain --html", "init"):
        words = dict(COMMANDS)[name] + ["-q"]
        for owner, mode in ((NOBODY, 0o444), (0, 0o644)):
            place.old = None
            place.reset(True)
            for target in os.listdir(place.out):
                os.chown(f"{place.out}/{target}", owner, owner)
                os.chmod(f"{place.out}/{target}", mode)
            run = place.run(words, before=become_nobody)
            place.old = None
            runs += 1
            if run.status != IO or run.files or run.left or len(run.messages()) != 1 or b"not writable" not in run.err:
                wrong.append(f"{name}: exit status {run.status}, wrote {sorted(run.files)}: {run.err[-200:]}")
    tally.line("target: a file that may not be written", wrong, runs)


def full_folders(place, tally):
    small = f"{place.folder}/small"
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", small], capture_output=True).returncode:
        print("skip full folders: no file system can be mounted here")
        return
    try:
        with open(f"{place.folder}/large.csv", "w") as file:
            file.write("name,age,zip,ill,wish\n" + "\n".join(harness.rows(3000)) + "\n")
        words = ["anonymize", "large.csv", "-o", "small/release.csv", *KEPT, "-k", "2", "--suppression", "0.2", "-q"]
        with open(f"{small}/release.csv", "wb") as file:
            file.write(OLD)
        run = place.finish(*place.start(words))
        with open(f"{small}/release.csv", "rb") as file:
            kept = file.read() == OLD
        tally.line("target: a full folder", [] if run.status == IO and kept and os.listdir(small) == ["release.csv"]
                   and len(run.messages()) == 1 else [f"{run.status}: {run.err[-200:]}, {os.listdir(small)}"], 1)
        words[3] = "-"
        env = {**place.environment(None), "TMPDIR": small}
        done = subprocess.run([harness.KANON, *words], cwd=place.folder, env=env, capture_output=True, timeout=harness.LIMIT_S)
        tally.line("a full temporary folder", [] if done.returncode == IO and not done.stdout
                   and os.listdir(small) == ["release.csv"] else [f"{done.returncode}: {done.stderr[-200:]}"], 1)
    finally:
        subprocess.run(["umount", small], check=True)


def main():
    why = harness.cannot_run()
    if why:
        print(f"skip faults: {why}")
        return 0
    tally = harness.Tally()
    with harness.Yard() as yard:
        allocations = memory(yard, tally)
        calls = syscalls(yard, tally)
        named = ("anonymize", "pareto")
        calls += syscalls(yard, tally, "nameless:1+:ENOTSUP,", named, "system calls fail where every file has a name")
        calls += spilling(yard, tally)
        no_random_bytes(yard, tally)
        no_order_key(yard, tally)
        limits(yard, tally)
        streams(yard, tally)
        changing(yard, tally)
        targets(yard, tally)
    print(f"{allocations} requests for memory and {calls} system calls failed, {tally.runs} runs in all, "
          f"{len(COMMANDS)} commands")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
