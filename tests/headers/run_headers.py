#!/usr/bin/env python3
"""run_headers.py -- every public header compiles alone, as C99 and as C++17, without a warning; each has an
example in its comments, and all examples compile."""
import glob
import os
import re
import shutil
import subprocess
import sys

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LANGUAGES = (
    ("C99", "gcc", ["-x", "c", "-std=c99"]),
    ("C++17", "g++", ["-x", "c++", "-std=c++17"]),
)


# What examples may use without declaring it.
EXAMPLE = """#include <stdio.h>
#include "kanon/kanon.h"
#include "kanon/plugin.h"
void fill_in(struct ArrowArrayStream *stream);
int example(kanon_ctx *ctx, kanon_config *config, kanon_source *source, kanon_source *released, kanon_sink *sink,
            kanon_table *table, kanon_result *result, kanon_check *check, kanon_comparison *comparison,
            kanon_explanation *explanation, kanon_front *front, kanon_hierarchy *hierarchy,
            struct ArrowArrayStream *stream);
int example(kanon_ctx *ctx, kanon_config *config, kanon_source *source, kanon_source *released, kanon_sink *sink,
            kanon_table *table, kanon_result *result, kanon_check *check, kanon_comparison *comparison,
            kanon_explanation *explanation, kanon_front *front, kanon_hierarchy *hierarchy,
            struct ArrowArrayStream *stream)
{
    {
%s
    }
    return 0;
}
"""


def examples(header):
    """Lines of a comment that are indented by four blanks or more beyond its text, block by block."""
    with open(header, encoding="utf-8") as file:
        text = file.read()
    for comment in re.findall(r"/\*.*?\*/", text, re.S):
        block = []
        for line in comment.split("\n")[1:] + [" * "]:
            if re.match(r" \* {5,6}\S", line) or (block and re.match(r" \* {5}", line)):
                block.append(line[2:])
            elif block:
                yield "\n".join(block)
                block = []


def check_examples(header):
    name, found, bad = "kanon/" + os.path.basename(header), 0, 0
    for code in examples(header):
        found += 1
        if name == "kanon/plugin.h":
            continue  # pieces of one program at file scope; tests/install/run_plugin.sh builds such a program
        done = subprocess.run(["gcc", "-x", "c", "-std=c99", "-Wall", "-Werror", "-Wno-unused-parameter",
                               "-I" + os.path.join(SRC, "include"), "-fsyntax-only", "-"],
                              input=EXAMPLE % code, capture_output=True, text=True)
        if done.returncode:
            bad = 1
            errors = [line for line in done.stderr.split("\n") if "error" in line]
            print(f"FAIL example {found} of {name}: {errors[0] if errors else 'compiler failed'}")
    if not found:
        print(f"FAIL examples of {name}: there is none")
    elif not bad:
        print(f"ok examples of {name}")
    return bad or not found


def main():
    bad = 0
    headers = sorted(glob.glob(os.path.join(SRC, "include", "kanon", "*.h")))
    for language, compiler, options in LANGUAGES:
        if not shutil.which(compiler):
            print(f"skip headers {language}: no {compiler}")
            continue
        for header in headers:
            name = "kanon/" + os.path.basename(header)
            command = [compiler, *options, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                       "-I" + os.path.join(SRC, "include"), "-fsyntax-only", "-"]
            # Twice: the guard must hold.
            program = f'#include "{name}"\n#include "{name}"\nint kanon_nothing;\n'
            done = subprocess.run(command, input=program, capture_output=True, text=True)
            if done.returncode:
                bad = 1
                errors = [line for line in done.stderr.split("\n") if "error" in line]
                print(f"FAIL header {name} {language}: {errors[0] if errors else 'compiler failed'}")
            else:
                print(f"ok header {name} {language}")
    for header in headers if shutil.which("gcc") else []:
        bad |= check_examples(header)
    return bad


if __name__ == "__main__":
    sys.exit(main())
