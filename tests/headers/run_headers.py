#!/usr/bin/env python3
"""run_headers.py -- every public header compiles alone, as C99 and as C++17, without a warning."""
import glob
import os
import shutil
import subprocess
import sys

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LANGUAGES = (
    ("C99", "gcc", ["-x", "c", "-std=c99"]),
    ("C++17", "g++", ["-x", "c++", "-std=c++17"]),
)


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
    return bad


if __name__ == "__main__":
    sys.exit(main())
