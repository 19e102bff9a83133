#!/usr/bin/env python3
"""run_deleted.py -- no attack, but a loss that nobody asked for: a table is released by default settings and a generous
limit of suppressed rows. To the metric `log` a suppressed row costs nothing, so a search that minimises it drops every row that
it may for one level less. Most rows must be there, and a user who asks for `log` must still get it."""
import random

import attack

ROLES = {"age": "quasi", "sex": "quasi", "zip": "quasi", "job": "quasi", "illness": "sensitive"}
HIERARCHIES = {"age": {"range": [5, 10, 20, 40]}, "zip": {"mask": "right"}}


def table(rng, rows=2000):
    """Places and jobs of different sizes, as they are."""
    for _ in range(rows):
        yield [rng.randrange(18, 90), rng.choice("mf"), "%05d" % (10000 + int(min(rng.expovariate(0.002), 8999))),
               "job%d" % int(min(rng.expovariate(0.25), 30)), rng.choice(["none", "asthma", "flu"])]


def deleted(rows, *options):
    released, _ = attack.release(list(ROLES), rows, ROLES, ["-k", "5", "--suppression", "0.5", *options], HIERARCHIES)
    return 1 - len(released) / len(rows)


def main():
    rows = list(table(random.Random(17)))
    share, by_log = deleted(rows), deleted(rows, "--metric", "log")
    attack.require("by default %.1f %% of the rows are deleted, at most 10 %% are expected" % (100 * share), share <= 0.1)
    attack.require("with --metric log it is %.1f %%" % (100 * by_log), by_log >= 0.3)
    attack.finish()


if __name__ == "__main__":
    main()
