#!/usr/bin/env python3
"""run_ends.py -- local recoding hides the numbers of a class in an interval. The attacker takes the ends of the
interval for the values of two of its people: where intervals are drawn around the values, that is always right."""
import collections
import random
import re

import attack

K = 5
ROLES = {"row": "insensitive", "age": "quasi", "income": "quasi", "weight": "quasi"}
UNIT = {"age": 1, "income": 1, "weight": 0.1}
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"


def table(rng, rows=1500):
    for i in range(rows):
        yield [i, min(99, int(rng.lognormvariate(3.7, 0.35))), int(rng.lognormvariate(10.2, 0.6)),
               round(rng.gauss(72, 14), 1)]


def ends(text):
    """(low, high, whether high belongs to it), or None where no interval hides the number."""
    found = re.fullmatch(r"(%s) to (under )?(%s)" % (NUMBER, NUMBER), text)
    return found and (float(found[1]), float(found[3]), not found[2])


def mount(rows, released, column):
    """@return (hidden cells, those whose value is an end, how many that would be by chance, ends of rare values)"""
    place = list(ROLES).index(column)
    held = collections.Counter(row[place] for row in rows)
    hidden = printed = 0
    chance = 0.0
    rare = set()
    for row in released:
        value, interval = float(rows[int(row["row"])][place]), ends(row[column])
        if not interval:
            continue
        low, high, closed = interval
        assert low <= value <= high
        hidden += 1
        printed += value in (low, high)
        values = round((high - low) / UNIT[column]) + closed
        chance += (1 + closed) / values
        rare |= {end for end in (low, high) if 0 < held[end] < K}
    return hidden, printed, chance, len(rare)


def main():
    rows = list(table(random.Random(12)))
    for algorithm in ("mondrian", "k-members", "kab"):
        released, _ = attack.release(list(ROLES), rows, ROLES, ["-k", str(K), "--algorithm", algorithm, "--suppression", "0"])
        for column in UNIT:
            hidden, printed, chance, rare = mount(rows, released, column)
            attack.require("%s, %s: %d of %d hidden cells are printed as an end (%.1f %%; by chance %.1f %%)"
                           % (algorithm, column, printed, hidden, 100 * printed / hidden, 100 * chance / hidden),
                           printed <= chance)
            attack.require("%s, %s: %d ends are a value of fewer than %d rows" % (algorithm, column, rare, K), rare == 0)
    attack.finish()


if __name__ == "__main__":
    main()
