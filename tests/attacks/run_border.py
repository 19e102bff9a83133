#!/usr/bin/env python3
"""run_border.py -- labels say where buckets end (hierarchy `order`). A border that is as fine as the numbers are names
its neighbours: 36.5 says that somebody has 36 and somebody 37; 37 says that somebody has 36; in a column of hundreds 1150
says that somebody has 1100."""
import collections
import random
import re

import attack

K = 5
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def columns(rng):
    """name -> (step of its numbers, numbers): few rows hold each."""
    return {
        "dense": (1, [rng.randrange(1000, 2500) for _ in range(3000)]),
        "skewed": (1, [int(rng.lognormvariate(7, 0.7)) for _ in range(3000)]),
        "hundreds": (100, [100 * rng.randrange(100, 1600) for _ in range(3000)]),
    }


def named(border, step, both):
    """The numbers that a border names: those less than a step below it and, if it is none of the column's, above it."""
    below = (border - 1) // step * step if border == int(border) else int(border // step) * step
    return {below} | ({below + step} if both else set()) if border - below <= step else set()


def mount(released, column, step):
    """@return numbers that the attacker names for certain. A border that is a multiple of two steps says less: the value
    before it is one of two."""
    found = set()
    for label in {row[column] for row in released}:
        for text in NUMBER.findall(label) if re.match(r"[\[<>]|under |.* (to under |or more$)", label) else ():
            border = float(text)
            if border % step:
                found |= named(border, step, True)
            elif border % (2 * step) and border % (5 * step):
                found |= named(border, step, False)
    return found


def main():
    for column, (step, numbers) in columns(random.Random(11)).items():
        rows = [[i, number, "mf"[i % 2]] for i, number in enumerate(numbers)]
        roles = {"row": "insensitive", column: "quasi", "sex": "quasi"}
        released, _ = attack.release(list(roles), rows, roles, ["-k", str(K), "--algorithm", "exhaustive", "--metric",
                                                                "glm", "--suppression", "0.02"], {column: {"order": 6}})
        out = {row["row"] for row in released}
        held = collections.Counter(row[1] for row in rows if str(row[0]) in out)
        claims = mount(released, column, step)
        rare = sum(1 for number in claims if 0 < held[number] < K)
        labels = {row[column] for row in released}
        attack.require("%s: borders of %d labels name %d numbers that fewer than %d rows hold"
                       % (column, len(labels), rare, K), len(labels) > 5 and rare == 0)
    attack.finish()


if __name__ == "__main__":
    main()
