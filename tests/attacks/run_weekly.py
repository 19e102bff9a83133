#!/usr/bin/env python3
"""run_weekly.py -- a table is released, and a week later again with one person more; seven times. The attacker knows who
joined, by quasi-identifiers, and has both releases: what the class of that person gained is the person's value. The
tool says what to do about several releases; every way that it names is gone, and must not disclose a single joiner."""
import collections
import random

import attack

QUASI = ["age", "sex", "region"]
ROLES = dict.fromkeys(QUASI, "quasi") | {"diagnosis": "sensitive"}
NAMES = [*QUASI, "diagnosis"]
HIERARCHIES = {"age": {"range": [10, 20, 40]}}
OPTIONS = ["-k", "5", "--suppression", "0", "--metric", "glm"]
WEEKS, K = 7, 5
SICK = ["flu", "asthma", "diabetes", "cancer", "hiv", "none"]


def person(rng):
    return [rng.randrange(20, 80), rng.choice("mf"), "r%d" % rng.randrange(3), rng.choice(SICK)]


def covers(cell, value):
    low, to, high = cell.partition(" to ")
    if to and low.isdigit() and high.isdigit():
        return int(low) <= int(value) <= int(high)
    return cell == "*" or cell == str(value)


def gained(before, after, joiner):
    """Values that the classes which may hold the joiner have more often than before. One: that is the joiner's."""
    def values(rows):
        return collections.Counter(row["diagnosis"] for row in rows
                                   if all(covers(row[name], joiner[i]) for i, name in enumerate(QUASI)))
    return values(after) - values(before)


def disclosed(releases):
    """Joiners whose value follows from two releases after each other."""
    count = 0
    for (before, _), (after, joiners) in zip(releases, releases[1:]):
        for joiner in joiners:
            more = gained(before, after, joiner)
            count += len(more) == 1 and list(more) == [joiner[-1]]
    return count


def again(rows, joiners):
    """Everybody again, with the levels of the first release."""
    first, report = attack.release(NAMES, rows, ROLES, OPTIONS, HIERARCHIES)
    releases, levels = [(first, [])], report["solution"]["levels"]
    for week, joiner in enumerate(joiners):
        rows = [*rows, joiner]
        released, report = attack.release(NAMES, rows, ROLES, OPTIONS, HIERARCHIES)
        attack.require("week %d: the levels are those of the first release" % (week + 2), report["solution"]["levels"] == levels)
        releases.append((released, [joiner]))
    return releases


def new_people(rows, joiners):
    """Only people of whom nothing was released before, once there are enough for a class of k."""
    first, _ = attack.release(NAMES, rows, ROLES, OPTIONS, HIERARCHIES)
    releases, waiting = [(first, [])], []
    for joiner in joiners:
        waiting.append(joiner)
        if len(waiting) >= K:
            released, _ = attack.release(NAMES, waiting, ROLES, OPTIONS, HIERARCHIES)
            releases.append((released, waiting))
            waiting = []
    return releases


def alone(releases):
    """Joiners who are in a class of fewer than k rows of the release that they came with."""
    count = 0
    for released, joiners in releases[1:]:
        for joiner in joiners:
            count += sum(all(covers(row[name], joiner[i]) for i, name in enumerate(QUASI)) for row in released) < K
    return count


def main():
    rng = random.Random(6)
    rows, joiners = [person(rng) for _ in range(600)], [person(rng) for _ in range(WEEKS)]
    _, report = attack.release(NAMES, rows, ROLES, OPTIONS, HIERARCHIES)
    advice = attack.remedy(attack.findings(report, "other-releases")[0])
    print("advice: %s" % advice)
    ways = {"keep the levels": again, "only": new_people}
    named = [words for words in ways if words in advice]
    attack.require("the advice names a way that this script knows", named)
    for words in named:
        releases = ways[words](rows, joiners)
        count, few = disclosed(releases), alone(releases)
        attack.require("\"%s\": %d of %d joiners disclosed, %d in a class of fewer than %d"
                       % (words, count, WEEKS, few, K), not count and not few)
    attack.finish()


if __name__ == "__main__":
    main()
