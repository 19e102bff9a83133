#!/usr/bin/env python3
"""run_yesno.py -- fourteen yes/no columns are released beside quasi-identifiers with k = 20. None of them tells anybody
apart; the attacker, who knows a person's answers, uses all of them, or the best two or three."""
import itertools
import random

import attack

QUASI = ["age", "sex"]
ANSWERS = ["answer%d" % number for number in range(1, 15)]
ROLES = dict([("age", "quasi"), ("sex", "quasi")] + [(name, "insensitive") for name in ANSWERS])


def worst(rows, count):
    """The rows alone by the best so many answers."""
    return max(attack.alone(rows, QUASI + list(names)) for names in itertools.combinations(ANSWERS, count))


def main():
    rng = random.Random(6)
    shares = [rng.uniform(0.2, 0.5) for _ in ANSWERS]
    rows = [[rng.randrange(18, 90), rng.choice("mf")] + ["yes" if rng.random() < share else "no" for share in shares]
            for _ in range(5000)]
    released, report = attack.release(list(ROLES), rows, ROLES, ["-k", "20", "--metric", "glm"])
    promised = min(attack.groups(released, QUASI).values())
    figure = attack.alone(released, QUASI + ANSWERS)
    told = [finding["figure"] for finding in attack.findings(report, "combined-columns")]
    attack.require("found with all answers, where k = %d was promised: %d of %d rows; the tool says %s"
                   % (promised, figure, len(released), told), promised >= 20 and told == [figure])
    linkage = report.get("linkage", {"insensitive": {"worst": []}})["insensitive"]["worst"]
    for count in (1, 2):
        figure = worst(released, count)
        told = linkage[count - 1] if count <= len(linkage) else None
        attack.require("with the best %d: %d rows; the tool says %s" % (count, figure, told),
                       told is not None and told["alone"] == figure
                       and attack.alone(released, QUASI + told["columns"]) == figure)
    told = linkage[2] if len(linkage) == 3 else None
    figure = told and attack.alone(released, QUASI + told["columns"])
    best = worst(released, 3)
    attack.require("with the best 3: %d rows; the tool says %s" % (best, told),
                   told is not None and told["alone"] == figure and figure >= 0.9 * best)
    advised = dict(ROLES, **{name: "identifier" for name in ANSWERS})
    released, report = attack.release(list(ROLES), rows, advised, ["-k", "20", "--metric", "glm", "--identifiers", "drop"])
    figure = attack.alone(released, list(released[0]))
    attack.require("left out, as the tool advises: %d of %d rows, and it is silent" % (figure, len(released)),
                   figure == 0 and not attack.findings(report, "combined-columns"))
    attack.finish()


if __name__ == "__main__":
    main()
