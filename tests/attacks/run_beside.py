#!/usr/bin/env python3
"""run_beside.py -- interval ends that avoid what few people have could name it: an end beside the grid says which
number was avoided, and whether a number is avoided could depend on a suppressed row. The attacker knows all other rows."""
import random
from functools import reduce
from math import gcd
import re

import attack

K = 5
ROLES = {"row": "insensitive", "income": "quasi", "sex": "quasi"}


def table(last):
    rng = random.Random(31)
    for i in range(200):
        yield [i, rng.randint(1000, 2999), rng.choice("mf")]
    yield [200, last, "x"]


def released_by(algorithm, last, *more):
    return attack.release(list(ROLES), list(table(last)), ROLES, ["-k", str(K), "--algorithm", algorithm, *more])[0]


def lower_ends(rows):
    """In tenths, of true intervals."""
    found = (re.match(r"\[?(\d+)(?:\.(\d))?(?: to (?:under )?|, |; )\d", row["income"]) for row in rows)
    return sorted({int(end[1]) * 10 + int(end[2] or 0) for end in found if end})


def singled_out(*more):
    """Candidates for the suppressed income, all on the grid, that give a release of their own."""
    outcomes = {}
    for last in range(1000, 3000, 40):
        released = released_by("kab", last, *more)
        assert all(int(row["row"]) < 200 for row in released)
        outcomes.setdefault(tuple(sorted((row["income"], row["sex"]) for row in released)), []).append(last)
    return sum(len(candidates) == 1 for candidates in outcomes.values())


def main():
    for algorithm in ("mondrian", "k-members", "kab"):
        ends = lower_ends(released_by(algorithm, 1500))
        step = reduce(gcd, (end - ends[0] for end in ends))
        attack.require("%s: %d lower ends stand on steps of %g" % (algorithm, len(ends), step / 10),
                       len(ends) >= 10 and step >= 100)
    alone, classes = singled_out(), singled_out("--snap", "off")
    attack.require("kab: of 50 candidates for the suppressed income, %d give a release of their own; %d by the classes alone"
                   % (alone, classes), alone <= classes)
    attack.finish()


if __name__ == "__main__":
    main()
