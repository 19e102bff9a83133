#!/usr/bin/env python3
"""run_suppressed.py -- a row that is suppressed must not show in the labels of the others. The attacker knows all rows but
that one, and runs the tool with every candidate for it: candidates that give other labels than the release are ruled
out."""
import random

import attack

K = 100  # so many that labels are needed
OPTIONS = ["-k", str(K), "--algorithm", "exhaustive", "--metric", "precision", "--suppression", "0.01"]


def table(column, values, candidate):
    """Everybody is m or f but the one row, which is therefore suppressed."""
    rows = [[i, value, "mf"[i % 2]] for i, value in enumerate(values)]
    return ["row", column, "sex"], rows + [[len(rows), candidate, "x"]]


def cases(rng):
    """name -> (values of the others, candidates for the suppressed row, hierarchy)"""
    ages = [str(rng.randrange(18, 90)) for _ in range(1200)]
    scores = [str(rng.randrange(1, 16)) for _ in range(1200)]
    admitted = ["2023-%02d-%02d" % (rng.randrange(1, 13), rng.randrange(1, 29)) for _ in range(1200)]
    towns = [rng.choice("Bern Basel Chur Genf Lausanne Luzern Sitten Thun Winterthur Zug".split()) + rng.choice(["", " Ost"])
             for _ in range(1200)]
    pay = [str(rng.randrange(100, 140) + 100 * (i // 2 % 2)) for i in range(1200)]  # nobody between 139 and 200
    return {
        "decimals of ranges": (ages, [str(age) for age in range(18, 90, 6)] + ["30.5", "41.25", "62.125", "20,5"], None),
        "brackets of ranges": (ages, [str(age) for age in range(18, 90, 6)] + ["-1", "-40"], None),
        "widths of ranges": (scores, [str(score) for score in range(1, 16)] + ["7.25", "95", "4000", "1000000"], None),
        "units of dates": (admitted, ["2023-0%d-09" % month for month in range(1, 9)]
                           + ["2021-02-03", "2019-06-30", "2010-01-31", "1987-08-08", "1931-04-05"], None),
        "outermost texts": (towns, ["Aarau", "Altdorf", "Bern", "Zermatt", "Zug", "\u00c4sch", "Zweisimmen"], {"order": 4}),
        "borders of numbers": (pay, [str(number) for number in range(139, 201, 2)], {"order": 2}),
    }


def labels(column, values, candidate, hierarchy):
    names, rows = table(column, values, candidate)
    roles = {"row": "insensitive", column: "quasi", "sex": "quasi"}
    released, _ = attack.release(names, rows, roles, OPTIONS, {column: hierarchy} if hierarchy else None)
    if any(row["sex"] == "x" or row["row"] == str(len(values)) for row in released):
        return None
    return sorted((row["row"], row[column]) for row in released)


def main():
    for name, (values, candidates, hierarchy) in cases(random.Random(17)).items():
        made = [labels("value", values, candidate, hierarchy) for candidate in candidates]
        usual = labels("value", values, values[0], hierarchy)
        told = sum(1 for one in made if one != usual)
        attack.require("%s: %d of %d candidates for the suppressed row are told apart by labels of others"
                       % (name, told, len(candidates)), told == 0 and None not in made)
    attack.finish()


if __name__ == "__main__":
    main()
