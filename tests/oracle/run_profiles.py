#!/usr/bin/env python3
"""run_profiles.py -- the requirements of the profiles, counted a second time on released files.

A made-up table is released under every profile; of the release alone k, the risk, shared sensitive values and the cells
that safe harbor allows are counted again here, and the status of each requirement in the report and in `kanon check
--profile` must be the same. Files that violate a requirement are made by hand and must be told, with exit code 1. The
sources and numbers of the profiles are written down here a second time.
"""
import csv
import random
import re

from common import Folder, Suite, anonymize_ok, expect, expect_equal, json, kanon, need_tool

# name -> (least k that it sets, numbers and documents that must be named)
PROFILES = {
    "hipaa-safe-harbor": (1, ["45 CFR 164.514(b)(2)"]),
    "hipaa-expert": (11, ["45 CFR 164.514(b)(1)"]),
    "ema-0070": (12, ["EMA/90915/2016", "0.09"]),
    "wp216": (2, ["05/2014", "WP 216"]),
    "puf": (11, ["223/2009"]),
    "suf": (5, ["557/2013"]),
}
QUASI = ["sex", "age", "zip", "admitted"]
SETTINGS = ["--qi", ",".join(QUASI), "--sensitive", "diagnosis", "--id", "name,ssn", "--others", "drop",
            "--hierarchy", "age=range:10,20,top=90", "--hierarchy", "zip=pack:postcode-us-hipaa", "--suppression", "0.05"]
SMALL = {"036", "556", "893"}


def table(rng, rows):
    lines = [["name", "ssn", "sex", "age", "zip", "admitted", "diagnosis", "remark"]]
    for number in range(rows):
        lines.append(["Mary Smith %d" % number, "%03d-%02d-%04d" % (rng.randrange(900), rng.randrange(100), number % 10000),
                      rng.choice("mf"), rng.randrange(18, 99), rng.choice(["02139", "02140", "03601", "90210", "55601"]),
                      "%d-%02d-%02d" % (rng.randrange(2018, 2024), rng.randrange(1, 13), rng.randrange(1, 29)),
                      rng.choice(["I10", "E11", "J45", "K80"]), "x"])
    return lines


def text_of(lines):
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def classes(rows):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in QUASI), []).append(row)
    return found


def years(cell):
    return cell == "*" or re.fullmatch(r"(18|19|20|21)\d\d(\D+(18|19|20|21)\d\d)?", cell) is not None


def age(cell):
    return cell in ("*", "90 or more") or all(int(number) <= 89 for number in re.findall(r"\d+", cell))


def zip3(cell):
    return all(len(number) <= 3 and number not in SMALL for number in re.findall(r"\d+", cell))


def expected(profile, rows):
    """Requirement -> status, of those that can be counted in the rows of a release alone."""
    found = classes(rows)
    least = min((len(members) for members in found.values()), default=0)
    shared = any(len({row["diagnosis"] for row in members}) < 2 for members in found.values())
    met = {True: "met", False: "not met"}
    out = {}
    for required in requirements(profile):
        what = required["requirement"]
        limit = re.search(r"at least (\d+) rows or persons", what)
        if limit:
            out[what] = met[least >= int(limit.group(1))]
        elif "maximum risk" in what:
            out[what] = met[1 / least <= float(re.search(r"at most ([\d.]+)$", what).group(1))]
        elif what == "no row is alone in its class":
            out[what] = met[least >= 2]
        elif what == "no class shares one sensitive value":
            out[what] = met[not shared]
        elif what.startswith("(C)"):
            out[what] = met[all(years(row["admitted"]) and age(row["age"]) for row in rows)]
        elif what.startswith("(B)"):
            out[what] = met[all(zip3(row["zip"]) for row in rows)]
    return out


LISTED = {}


def requirements(profile):
    if not LISTED:
        done = kanon("profiles", "--json")
        expect_equal(done.code, 0, "exit code of kanon profiles")
        for entry in json.loads(done.out)["profiles"]:
            LISTED[entry["name"]] = entry
    return LISTED[profile]["requirements"]


def statuses(report):
    return {required["requirement"]: required["status"] for required in report["profile"]["requirements"]}


def compare(profile, found, rows, where):
    for what, status in expected(profile, rows).items():
        expect_equal(found.get(what), status, "%s: %s (%s)" % (profile, what, where))
    for required in requirements(profile):
        expect(required["requirement"] in found, "%s: %s is missing in %s" % (profile, required["requirement"], where))


def check_release(folder, profile, config=SETTINGS):
    done = kanon("check", folder.file("out.csv"), "--qi", ",".join(QUASI), "--sensitive", "diagnosis", "--profile", profile, "--json")
    return done, json.loads(done.out)


def releases_meet_their_profile(profile):
    rng = random.Random(profile)
    least, named = PROFILES[profile]
    with Folder() as folder:
        folder.write("in.csv", text_of(table(rng, 800)))
        report = anonymize_ok(folder, folder.file("in.csv"), SETTINGS + ["--profile", profile, "--alpha", "0.8"])
        rows = read(folder.file("out.csv"))
        expect(report["parameters"]["k"] >= least, "k is %s" % report["parameters"]["k"])
        expect("not met" not in statuses(report).values(), "a release does not meet %s" % profile)
        compare(profile, statuses(report), rows, "report")
        done, check = check_release(folder, profile)
        expect_equal(done.code, 0, "exit code of check: %s" % done.line())
        compare(profile, statuses(check), rows, "check")
        for word in named:
            expect(word in json.dumps(LISTED[profile]), "%s does not name %s" % (profile, word))
        external = anonymize_ok(folder, folder.file("in.csv"), SETTINGS + ["--profile", profile, "--alpha", "0.8", "--report-audience", "external"])
        expect("found" not in external["profile"]["requirements"][0], "the external report tells what was found")
        expect("ssn" not in json.dumps(external["profile"]), "the external report names a column that is hidden")


def violations_are_told(profile):
    """The raw table as a release: what Python counts is what the tool counts, and it exits with 1."""
    rng = random.Random(profile + "raw")
    with Folder() as folder:
        lines = table(rng, 300)
        folder.write("out.csv", text_of(lines))
        rows = read(folder.file("out.csv"))
        done, check = check_release(folder, profile)
        compare(profile, statuses(check), rows, "check of the raw table")
        expect_equal(done.code, 1, "exit code of check")
        expect("not met" in statuses(check).values(), "nothing is told")


def weaker_settings_are_refused(profile):
    least, _ = PROFILES[profile]
    with Folder() as folder:
        folder.write("in.csv", text_of(table(random.Random(1), 100)))
        for options in (["-k", str(least - 1)], ["--keep-order"], ["--others", "keep"], ["--snap", "off"]):
            if options == ["-k", str(least - 1)] and least <= 2:
                continue
            done = kanon("anonymize", folder.file("in.csv"), "-o", folder.file("out.csv"), *SETTINGS, "--profile", profile, *options)
            expect_equal(done.code, 1, "exit code with %s" % options)
            expect(profile.encode() in done.err and b"weaker" in done.err, "%s: %s" % (options, done.line()))


def one_month_is_enough_to_fail():
    """A single cell of a large file that shows a month, an age of 90 or a small area."""
    base = [{"sex": "m", "age": "80-89", "zip": "021", "admitted": "2020", "diagnosis": d} for d in ("I10", "E11") * 200]
    for column, cell in (("admitted", "2020-05"), ("age", "90"), ("age", "85-94"), ("zip", "036"), ("zip", "02139"), ("admitted", "May 2020")):
        with Folder() as folder:
            rows = [dict(row) for row in base]
            rows[317][column] = cell
            folder.write("out.csv", text_of([list(base[0])] + [list(row.values()) for row in rows]))
            done, check = check_release(folder, "hipaa-safe-harbor")
            letter = "(B)" if column == "zip" else "(C)"
            status = [status for what, status in statuses(check).items() if what.startswith(letter)]
            expect_equal((done.code, status), (1, ["not met"]), "%s = %s" % (column, cell))
    with Folder() as folder:
        folder.write("out.csv", text_of([list(base[0])] + [list(row.values()) for row in base]))
        done, check = check_release(folder, "hipaa-safe-harbor")
        expect_equal(done.code, 0, "exit code without it: %s" % done.line())


def main():
    suite = Suite()
    suite.check("the tool is there", need_tool)
    for profile in PROFILES:
        suite.check("%s: releases meet it" % profile, releases_meet_their_profile, profile)
        suite.check("%s: violations are told" % profile, violations_are_told, profile)
        suite.check("%s: weaker settings are refused" % profile, weaker_settings_are_refused, profile)
    suite.check("one cell is enough to fail", one_month_is_enough_to_fail)
    suite.end()


if __name__ == "__main__":
    main()
