#!/usr/bin/env python3
"""run_copy.py -- a copy of a quasi-identifier under another name is called sensitive, so it is released unchanged. The
attacker knows the quasi-identifiers of a person, and uses the copy to pick the row from its class."""
import random

import attack

QUASI = ["age", "sex", "zip"]
ROLES = {"age": "quasi", "sex": "quasi", "zip": "quasi", "years_at_visit": "sensitive", "illness": "sensitive"}
OPTIONS = ["-k", "10", "--metric", "glm", "--suppression", "0.05", "--weight", "age=0"]
HIERARCHIES = {"age": {"range": [40]}, "zip": {"mask": "right"}}
ILLNESSES = ["flu", "asthma", "diabetes", "cancer", "none"]


def main():
    rng = random.Random(6)
    rows = []
    for _ in range(2000):
        age = rng.randrange(18, 90)
        rows.append([age, rng.choice("mf"), 10000 + rng.randrange(50), age, rng.choice(ILLNESSES)])
    released, report = attack.release(list(ROLES), rows, ROLES, OPTIONS, HIERARCHIES)
    promised = min(attack.groups(released, QUASI).values())
    figure = attack.alone(released, QUASI + ["years_at_visit"])
    told = attack.finding_of(report, "dependent-column", "years_at_visit")
    attack.require("found with the copy, where k = %d was promised: %d of %d rows; the tool says %s"
                   % (promised, figure, len(released), told), promised >= 10 and figure > 0 and told == figure)
    attack.require("it names no other column", len(attack.findings(report, "dependent-column")) == 1)
    advised = dict(ROLES, years_at_visit="quasi")
    released, report = attack.release(list(ROLES), rows, advised, OPTIONS, HIERARCHIES)
    figure = attack.alone(released, QUASI + ["years_at_visit"])
    attack.require("as a quasi-identifier, as the tool advises: %d of %d rows, and it is silent" % (figure, len(released)),
                   figure == 0 and not attack.findings(report, "dependent-column"))
    attack.finish()


if __name__ == "__main__":
    main()
