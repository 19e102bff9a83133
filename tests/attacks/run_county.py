#!/usr/bin/env python3
"""run_county.py -- the postcode is generalized, and the county stands beside it unchanged. The attacker knows the
postcode of a person, looks up its county, and picks the rows of the class by it. A few postcodes cross a border."""
import random

import attack

QUASI = ["zip", "age", "sex"]
ROLES = {"zip": "quasi", "age": "quasi", "sex": "quasi", "county": "insensitive", "opinion": "insensitive",
         "illness": "sensitive"}
ILLNESSES = ["flu", "asthma", "diabetes", "cancer", "none"]


def main():
    rng = random.Random(6)
    county_of = {zip_code: "county %d" % rng.randrange(40) for zip_code in range(10000, 10400)}
    rows = []
    for _ in range(4000):
        zip_code = rng.randrange(10000, 10400)
        county = county_of[zip_code] if rng.random() < 0.99 else "county %d" % rng.randrange(40)
        rows.append([zip_code, rng.randrange(18, 90), rng.choice("mf"), county, rng.choice(["yes", "no"]),
                     rng.choice(ILLNESSES)])
    options = ["-k", "25", "--metric", "glm"]
    hierarchies = {"zip": {"mask": "right"}, "age": {"range": [20]}}
    released, report = attack.release(list(ROLES), rows, ROLES, options, hierarchies)
    promised = min(attack.groups(released, QUASI).values())
    left = min(attack.groups(released, QUASI + ["county"]).values())
    figure = attack.alone(released, QUASI + ["county"])
    told = attack.finding_of(report, "dependent-column", "county")
    attack.require("the smallest class falls from %d to %d rows" % (promised, left), left < promised)
    attack.require("found with the county: %d of %d rows; the tool says %s" % (figure, len(released), told),
                   figure > 0 and told == figure)
    attack.require("it names no other column", len(attack.findings(report, "dependent-column")) == 1)
    advised = dict(ROLES, county="quasi")
    released, report = attack.release(list(ROLES), rows, advised, options, hierarchies)
    left = min(attack.groups(released, QUASI + ["county"]).values())
    attack.require("as a quasi-identifier, as the tool advises: the smallest class has %d rows, and it is silent" % left,
                   left >= 25 and not attack.findings(report, "dependent-column"))
    attack.finish()


if __name__ == "__main__":
    main()
