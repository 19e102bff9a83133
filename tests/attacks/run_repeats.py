#!/usr/bin/env python3
"""run_repeats.py -- a table of visits without a column that says whose they are: a class of k visits may be one person, of
whom the attacker then learns everything. The tool must see that rows agree more often than people do, and count them;
and must be silent about different people, also where many of them agree in a few coarse columns."""
import collections
import datetime
import random

import attack

QUASI = ["birth_date", "sex", "zip"]
ROLES = {"birth_date": "quasi", "sex": "quasi", "zip": "quasi", "illness": "sensitive"}
ILLNESSES = ["flu", "asthma", "diabetes", "cancer", "none"]


def person(rng):
    born = datetime.date(1940, 1, 1) + datetime.timedelta(days=rng.randrange(25000))
    return [born.isoformat(), rng.choice("mf"), "%05d" % (10000 + rng.randrange(300))]


def main():
    rng = random.Random(6)
    rows = []
    for _ in range(600):
        who, ill = person(rng), rng.choice(ILLNESSES)
        rows += [who + [ill if rng.random() < 0.8 else "none"] for _ in range(rng.randrange(3, 9))]
    options = ["-k", "5", "--suppression", "0.1"]
    released, report = attack.release(list(ROLES), rows, ROLES, options)
    originals = collections.Counter(tuple(row[:3]) for row in rows)
    repeated = sum(count for count in originals.values() if count > 1)
    told = [finding["figure"] for finding in attack.findings(report, "repeated-tuples")]
    smallest = min(attack.groups(released, QUASI).values())
    attack.require("%d of %d rows are of people with several; k = %d; the tool says %s"
                   % (repeated, len(rows), smallest, told), told == [repeated])
    roles = dict(ROLES, patient="identifier")
    whose = {who: "p%d" % number for number, who in enumerate(originals)}
    named = [row + [whose[tuple(row[:3])]] for row in rows]
    advised, report = attack.release(list(roles), named, roles, options + ["--entity", "patient", "--suppression", "0", "--keep-order"])
    persons = collections.defaultdict(set)
    for row, shown in zip(named, advised):
        persons[tuple(shown[name] for name in QUASI)].add(row[4])
    least = min(len(who) for who in persons.values())
    attack.require("with --entity, as the tool advises: a class has at least %d persons, and it is silent" % least,
                   least >= 5 and not attack.findings(report, "repeated-tuples"))
    single = [person(rng) + [rng.choice(ILLNESSES)] for _ in range(3000)]
    _, report = attack.release(list(ROLES), single, ROLES, options)
    attack.require("silent about different people", not attack.findings(report, "repeated-tuples"))
    coarse = [[row[0][:3] + "0", row[1], row[2][:3], row[3]] for row in single]
    _, report = attack.release(list(ROLES), coarse, ROLES, options)
    shared = sum(count for count in collections.Counter(tuple(row[:3]) for row in coarse).values() if count > 1)
    attack.require("silent about people who agree in coarse columns (%d of %d rows)" % (shared, len(coarse)),
                   not attack.findings(report, "repeated-tuples"))
    for names in (["sex"], ["zip"], ["zip", "county"], ["zip", "county", "state"]):  # one column says all that the others do
        table = [[{"sex": row[1], "zip": row[2], "county": row[2][:4], "state": row[2][:3]}[name] for name in names] + [row[3]]
                 for row in single]
        roles = dict.fromkeys(names, "quasi")
        _, report = attack.release(names + ["illness"], table, dict(roles, illness="sensitive"), options)
        attack.require("silent about people who agree in %s alone" % " and ".join(names),
                       not attack.findings(report, "repeated-tuples"))
    few = [row for who in [person(rng) for _ in range(60)] for row in [who + [rng.choice(ILLNESSES)]] * 4]
    _, report = attack.release(list(ROLES), few, ROLES, options)
    attack.require("60 people with 4 rows each are seen, though hardly two of them share a birth date",
                   [finding["figure"] for finding in attack.findings(report, "repeated-tuples")] == [240])
    attack.finish()


if __name__ == "__main__":
    main()
