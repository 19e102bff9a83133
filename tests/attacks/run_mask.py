#!/usr/bin/env python3
"""run_mask.py -- masked codes (80015 -> 80***) are padded to one width. The attacker knows that a person with a code of
unusual length may be in the table, though no such row is released, and counts the characters of the others."""
import random

import attack

K = 5
ROLES = {"row": "insensitive", "code": "quasi", "sex": "quasi"}


def table(rng, length, rows=800):
    for i in range(rows):
        yield [i, "%05d" % (rng.randrange(60) * 100 + rng.randrange(12)), rng.choice("mf")]
    yield [rows, "9" + "7" * (length - 1), "m"]


def main():
    for side in ("right", "left"):
        widths = {}
        for length in (5, 9, 14):
            rows = list(table(random.Random(2), length))
            released, _ = attack.release(list(ROLES), rows, ROLES, ["-k", str(K), "--algorithm", "exhaustive", "--metric",
                                                                    "glm"], {"code": {"mask": side}})
            assert all(int(row["row"]) < 800 for row in released)
            widths[length] = max(len(row["code"]) for row in released)
        told = sum(length == width for length, width in widths.items() if length > 5)
        attack.require("mask:%s: the length of a suppressed code is the width of the masks in %d of 2 tables (widths %s)"
                       % (side, told, sorted(widths.values())), told == 0 and len(set(widths.values())) == 1)
    attack.finish()


if __name__ == "__main__":
    main()
