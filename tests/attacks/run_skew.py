#!/usr/bin/env python3
"""run_skew.py -- a release with two distinct sensitive values in every class, of a column where one value is frequent:
the attacker guesses the most frequent value of a person's class. The tool must count the same rows, and what it
advises must stop the attack."""
import collections
import random
import re

import attack

QUASI = ["age", "sex", "zip"]
ROLES = {"age": "quasi", "sex": "quasi", "zip": "quasi", "illness": "sensitive"}


def table(rng, rows=4000):
    """Illness depends on the place: from half of the people to nearly none."""
    for _ in range(rows):
        zip_code = rng.randrange(40)
        ill = rng.random() < 0.5 * (zip_code % 8 == 0) + 0.08
        yield [rng.randrange(20, 80), rng.choice("mf"), "1%02d00" % zip_code,
               rng.choice(["asthma", "diabetes", "cancer"]) if ill else "none"]


def guessed(rows):
    """Rows whose value is right with a certainty of at least 90 %, where that was not so before."""
    whole = collections.Counter(row["illness"] for row in rows)
    classes = collections.defaultdict(collections.Counter)
    for row in rows:
        classes[tuple(row[name] for name in QUASI)][row["illness"]] += 1
    count = 0
    for values in classes.values():
        value, most = values.most_common(1)[0]
        size = sum(values.values())
        if most >= 0.9 * size and whole[value] < 0.9 * len(rows):
            count += size
    return count


def main():
    rows = list(table(random.Random(6)))
    names = QUASI + ["illness"]
    options = ["-k", "5", "--suppression", "0", "--metric", "glm"]
    released, report = attack.release(names, rows, ROLES, options + ["--l-diversity", "2"])
    figure = guessed(released)
    told = attack.finding_of(report, "guessable-values", "illness")
    attack.require("guessed with 90 %% certainty under --l-diversity 2: %d of %d rows; the tool says %s"
                   % (figure, len(released), told), figure > 0 and told == figure)
    advice = [finding["remedy"] for finding in attack.findings(report, "guessable-values")]
    option = re.search(r"--alpha ([0-9.]+[0-9])", advice[0]) if advice else None
    attack.require("the tool advises a bound on the share of a value", option is not None)
    if option:
        released, report = attack.release(names, rows, ROLES, options + ["--alpha", option.group(1)])
        figure = guessed(released)
        attack.require("with %s: %d of %d rows" % (option.group(0), figure, len(released)),
                       figure == 0 and not attack.findings(report, "guessable-values"))
    attack.finish()


if __name__ == "__main__":
    main()
