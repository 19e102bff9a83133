#!/usr/bin/env python3
"""run_recognition.py -- what `kanon init` says of the labelled columns is no worse than quality/recognition.csv says, for each
role, type and confidence, on the columns that the recogniser was tuned on and on those that it was not."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LABELLED_LEAST = 400


def labelled():
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import columns
    return columns.read()


def main():
    count = len(labelled())
    print("ok labelled-columns" if count >= LABELLED_LEAST else "FAIL labelled-columns: only %d" % count)
    done = subprocess.run([os.path.join(ROOT, "quality", "recognition"), "--check"], capture_output=True, encoding="utf-8",
                          env=dict(os.environ, KANON=os.environ["KANON"]))
    if done.returncode == 0:
        print("ok recognition")
    else:
        print("FAIL recognition: " + " / ".join((done.stdout + done.stderr).strip().split("\n")))


main()
