#!/usr/bin/env python3
"""run_readme.py -- every command that the documents show is tried.

In blocks marked `sh` of README.md: lines that begin with `kanon` are run, one after the other, in a folder
that holds my.csv, a small table; `make` lines must name targets that exist. In examples/README.md: the
indented commands are run from a copy of that tree. Those of docs/TUTORIAL.md likewise. The examples of the manual and of
every --help, and the indented commands of the other pages, are run in a folder that has the tables and the config that they
name. Local links must lead somewhere.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("KANON_BUILD", os.path.join(SRC, "build", "release")))
TOOL = os.path.abspath(os.environ.get("KANON", os.path.join(BUILD, "kanon")))
ROWS = 800
failures = 0


def verdict(name, why=None):
    global failures
    print(f"FAIL readme: {name}: {why}" if why else f"ok readme: {name}")
    failures += bool(why)


def text_of(name):
    with open(os.path.join(SRC, name), encoding="utf-8") as file:
        return file.read()


def shell(command, folder):
    """Runs a line; None, or why it failed."""
    env = dict(os.environ, PATH=os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"])
    done = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, timeout=300)
    said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().split("\n")[-1]
    return f"exit {done.returncode}: {said}" if done.returncode else None


def put_tool(folder):
    os.mkdir(os.path.join(folder, "bin"))
    os.symlink(TOOL, os.path.join(folder, "bin", "kanon"))


def try_readme(folder):
    put_tool(folder)
    with open(os.path.join(SRC, "examples", "register.csv"), encoding="utf-8") as table, \
            open(os.path.join(folder, "my.csv"), "w", encoding="utf-8") as mine:
        mine.writelines(line for line, _ in zip(table, range(ROWS + 1)))
    ran = 0
    for block in re.findall(r"```sh\n(.*?)```", text_of("README.md"), re.S):
        for command in block.strip().split("\n"):
            if command.startswith("kanon "):
                verdict(command, shell(command, folder))
                ran += 1
    verdict("it shows commands", None if ran >= 4 else f"{ran} found")


def try_tutorial(folder):
    """docs/TUTORIAL.md from its first command to its last, in a folder that has a copy of examples/."""
    put_tool(folder)
    shutil.copytree(os.path.join(SRC, "examples"), os.path.join(folder, "examples"))
    ran = 0
    for block in re.findall(r"```sh\n(.*?)```", text_of("docs/TUTORIAL.md"), re.S):
        for command in block.strip().split("\n"):
            verdict("tutorial: " + command, shell(command, folder))
            ran += 1
    verdict("the tutorial shows commands", None if ran >= 10 else f"{ran} found")


def joined(text):
    """Commands, one a line: a backslash at the end continues one."""
    lines = text.replace("\\\n", " ").split("\n")
    return [line.strip() for line in lines if re.match(r" *kanon [a-z]+ ", line) and not re.search(r"\b[A-Z]{5}|\[", line)]


def manual_examples():
    page = text_of("docs/man/kanon.1").split(".SH EXAMPLES")[1].split(".SH")[0]
    return joined(re.sub(r"^\.[A-Z]+$", "", page, flags=re.M).replace("\\-", "-").replace("\\e\n", "\\\n"))


def help_examples(command):
    said = subprocess.run([TOOL, command, "--help"], capture_output=True, check=True, timeout=60).stdout.decode("utf-8")
    return joined(said.split("\nExamples\n")[1] if "\nExamples\n" in said else "")


def try_pages(folder):
    """The examples that have no story of their own: each page's in turn, all in one folder."""
    put_tool(folder)
    table = "".join(text_of("examples/register.csv").splitlines(True)[:ROWS + 1])
    for name, text in (("data.csv", table), ("my.csv", table), ("other-tool.csv", table), ("bin/publish", "#!/bin/sh\n")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    os.chmod(os.path.join(folder, "bin", "publish"), 0o755)
    shell("kanon init my.csv -o my.yaml && kanon init data.csv -o kanon.yaml", folder)
    pages = [("manual", manual_examples(), 7)]
    pages += [(command + " --help", help_examples(command), 1)
              for command in ("init", "anonymize", "check", "explain", "pareto", "compare")]
    pages += [(name, joined("\n".join(re.findall(r"^    kanon .*$", text_of("docs/" + name), re.M))), least)
              for name, least in (("FORMATS.md", 7), ("PARETO.md", 4))]
    for page, commands, least in pages:
        shell("kanon anonymize data.csv -c kanon.yaml -o release.csv --report release.json", folder)  # what pages begin with
        for command in commands:
            # kanon init refuses to replace a config, which the pages before have made
            ready = command.replace("-o kanon.yaml", "-o kanon.yaml --force")
            if "latin-1" in command:
                ready = "iconv -t latin1 data.csv | tr , ';' > l1.csv && " + ready.replace("data.csv", "l1.csv").replace(
                    "kanon.yaml", "l1.yaml")
            why = shell(ready, folder)
            if command.startswith("kanon check ") and why and "rows are in classes that fail" in why:
                why = None  # the answer of a check that ran
            verdict("%s: %s" % (page, command), why)
        verdict("%s shows commands" % page, None if len(commands) >= least else f"{len(commands)} found")


def try_targets():
    targets = set(re.findall(r"`(?:sudo )?make ([a-z-]+)", text_of("README.md")))
    targets |= set(re.findall(r"^(?:sudo )?make ([a-z-]+)", text_of("README.md"), re.M))
    known = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.M))
    for target in sorted(targets):
        verdict(f"make {target}", None if target in known else "the Makefile has no such target")


def try_examples(folder):
    shutil.copytree(os.path.join(SRC, "examples"), os.path.join(folder, "examples"))
    os.makedirs(os.path.join(folder, "build"))
    os.symlink(BUILD, os.path.join(folder, "build", "release"))
    for command in re.findall(r"^    (build/release/.*)$", text_of("examples/README.md"), re.M):
        command = re.sub(r"^build/release/kanon", TOOL, command).replace("1000000", "1000")
        verdict("examples: " + os.path.basename(command.split(" ")[0]) + " " + command.split(" ", 1)[1],
                shell(command, folder))


def try_links():
    pages = ["README.md", "examples/README.md"]
    for folder, _, files in os.walk(os.path.join(SRC, "docs")):
        pages += [os.path.relpath(os.path.join(folder, name), SRC) for name in files if name.endswith(".md")]
    for page in sorted(pages):
        broken = []
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text_of(page)):
            if not os.path.exists(os.path.join(SRC, os.path.dirname(page), target)):
                broken.append(target)
        verdict(f"links of {page}", ", ".join(broken) + " is not there" if broken else None)


def main():
    for trial in (try_readme, try_tutorial, try_examples, try_pages):
        folder = tempfile.mkdtemp(prefix="kanon-readme-")
        try:
            trial(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    try_targets()
    try_links()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
