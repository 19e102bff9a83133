#!/usr/bin/env python3
"""run_ldiv.py -- classes in which everybody has the same sensitive value, in a column where one value is frequent. The
tool says what to do about them; that is done, and the attacker guesses the most frequent value of each person's class.
Advice that asks for two distinct values only trades rows known for certain for rows known with 95 %."""
import collections
import random
import re

import attack

QUASI = ["age", "sex", "region", "job"]
ROLES = dict.fromkeys(QUASI, "quasi") | {"rich": "sensitive"}
HIERARCHIES = {"age": {"range": [5, 10, 20]}}
SURE = 0.9


def table(rng, rows=6000):
    """As in Adult: a quarter of all is rich, in some jobs and at some ages hardly anybody."""
    for _ in range(rows):
        age, job = rng.randrange(18, 78), rng.randrange(12)
        share = 0.02 if age < 28 or job < 4 else 0.25 if job < 9 else 0.6
        yield [age, rng.choice("mf"), "r%d" % rng.randrange(4), "j%02d" % job, "yes" if rng.random() < share else "no"]


def guessed(rows):
    """Rows whose value is guessed with a certainty of at least 90 %, and those of classes with one value."""
    classes = collections.defaultdict(collections.Counter)
    for row in rows:
        classes[tuple(row[name] for name in QUASI)][row["rich"]] += 1
    sure = [values for values in classes.values() if max(values.values()) >= SURE * sum(values.values())]
    return (sum(sum(values.values()) for values in sure),
            sum(sum(values.values()) for values in sure if len(values) == 1))


def main():
    rows = list(table(random.Random(6)))
    names = [*QUASI, "rich"]
    options = ["-k", "5", "--suppression", "0.02", "--metric", "glm"]
    released, report = attack.release(names, rows, ROLES, options, HIERARCHIES)
    before, same = guessed(released)
    told = [finding for code in ("homogeneous-classes", "guessable-values") for finding in attack.findings(report, code)]
    attack.require("k = 5 alone: %d of %d rows guessed with %d %% certainty, %d of them for certain; the tool warns"
                   % (before, len(released), 100 * SURE, same), before > 0 and told)
    for finding in told:
        advice = re.findall(r"--(?:alpha|l-diversity|l-kind|t-closeness) [a-z0-9.]*[a-z0-9]", attack.remedy(finding))
        attack.require("%s advises a model: %s" % (finding.get("code"), attack.remedy(finding)), advice)
        released, report = attack.release(names, rows, ROLES,
                                          options + [word for option in advice[:1] for word in option.split()], HIERARCHIES)
        after, same = guessed(released)
        attack.require("with %s: %d rows guessed with %d %% certainty, %d for certain"
                       % (advice[0] if advice else "nothing", after, 100 * SURE, same), after < before / 10 and not same)
    attack.finish()


if __name__ == "__main__":
    main()
