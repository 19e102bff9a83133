#!/usr/bin/env python3
"""run_salary.py -- an exact salary is released as a sensitive column. The attacker knows what one person earns (an
employer, a tax adviser, a colleague) and looks for it: no class protects a value that nobody else has."""
import random

import attack

ROLES = {"age": "quasi", "sex": "quasi", "salary": "sensitive"}


def table(rng, rows=2000):
    for _ in range(rows):
        yield [rng.randrange(20, 65), rng.choice("mf"), round(rng.lognormvariate(10.6, 0.4), 2)]


def main():
    rows = list(table(random.Random(6)))
    names = list(ROLES)
    released, report = attack.release(names, rows, ROLES, ["-k", "10"])
    figure = attack.alone(released, ["salary"])
    told = attack.finding_of(report, "unique-values", "salary")
    attack.require("found by the salary alone: %d of %d rows; the tool says %s" % (figure, len(released), told),
                   figure > 0 and told == figure)
    rounded = [[age, sex, int(salary // 1000) * 1000] for age, sex, salary in rows]
    released, report = attack.release(names, rounded, ROLES, ["-k", "10"])
    figure = attack.alone(released, ["salary"])
    attack.require("rounded to thousands, as the tool advises: %d of %d rows, and it is silent" % (figure, len(released)),
                   figure < len(released) / 50 and not attack.findings(report, "unique-values"))
    attack.finish()


if __name__ == "__main__":
    main()
