#!/usr/bin/env python3
"""run_labels.py -- the labels of ordered buckets (hierarchy `order`, and what `auto` makes of texts) stand in the rows
of everybody in a bucket. The attacker reads their ends as somebody's number or name, also of rows that were
suppressed."""
import collections
import random
import re

import attack

K = 5
FIRST = "Anna Bernd Clara Dora Emil Franz Gerda Hans Ida Jonas Karl Lena Max Nina Otto Paula".split()
LAST = ("Hofmann Huber Meier Lindner Li Schmidt Weber Wagner Becker Bauer Koch Richter Klein Wolf Neumann Zimmermann "
        "Krause Lange Werner Krueger Hartmann Schulze").split()
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"


def table(rng, column, rows=3000):
    for i in range(rows):
        name = "%s, %s %s" % (rng.choice(LAST), rng.choice(FIRST), rng.choice("ABCDEFGHIJKLMNOPQRSTUVW"))
        born = "%04d-%02d-%02d" % (rng.randrange(1930, 2010), rng.randrange(1, 13), rng.randrange(1, 29))
        yield [i, {"name": name, "born": born, "income": str(int(rng.lognormvariate(10.2, 0.9)))}[column], rng.choice("mf")]


def ends_of(label, column):
    """The numbers, dates or beginnings of names that a label shows."""
    label = re.sub(r" \([0-9]+\)$", "", label)
    if column == "income":
        return re.findall(NUMBER, re.sub(r"(?<=[0-9])-(?=[0-9])", " ", label))
    if column == "born":
        return re.findall(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", label)
    if label.startswith("{"):
        return re.findall(r"[^ {,][^,]*, [^,}]*", label)
    return [end for end in label.split("..") if end.strip("\u2026 ")]


def mount(rows, released, column):
    """@return (ends of labels, those that fewer than K released rows share though somebody in the table has them, those
    that suppressed rows alone have)"""
    shows = (lambda value, end: value.startswith(end)) if column == "name" else (
        (lambda value, end: float(value) == float(end)) if column == "income" else (lambda value, end: value == end))
    out = {row["row"] for row in released}
    kept = collections.Counter(row[1] for row in rows if str(row[0]) in out)
    every = collections.Counter(row[1] for row in rows)
    ends = {end for row in released for end in ends_of(row[column], column)}
    few = suppressed = 0
    for end in ends:
        shared = sum(count for value, count in kept.items() if shows(value, end))
        known = any(shows(value, end) for value in every)
        few += known and shared < K
        suppressed += known and not shared
    return len(ends), few, suppressed


def main():
    for column in ("income", "born", "name"):
        rows = list(table(random.Random(5), column))
        roles = {"row": "insensitive", column: "quasi", "sex": "quasi"}
        for algorithm, metric in (("exhaustive", "glm"), ("mondrian", "gcp")):
            if algorithm == "mondrian" and column == "income":
                continue  # intervals: run_ends.py
            released, _ = attack.release(list(roles), rows, roles, ["-k", str(K), "--algorithm", algorithm, "--metric",
                                                                    metric, "--suppression", "0.1"],
                                         {column: {"order": 3}})
            ends, few, suppressed = mount(rows, released, column)
            attack.require("%s, %s: of %d ends of labels %d show what fewer than %d released rows share, %d a suppressed "
                           "row's value" % (column, algorithm, ends, few, K, suppressed), ends > 0 and few == 0)
    attack.finish()


if __name__ == "__main__":
    main()
