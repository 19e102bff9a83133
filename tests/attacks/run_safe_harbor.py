#!/usr/bin/env python3
"""run_safe_harbor.py -- a table with all 18 identifiers of 45 CFR 164.514(b)(2)(i), released with profile
hipaa-safe-harbor under roles drawn at random, careless ones among them. Whatever the roles are, either nothing is
released, or no cell of the release holds an identifier: not whole, and not a part that the rule does not allow."""
import csv
import json
import os
import random
import re
import subprocess
import tempfile

import attack

FIRST = "James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth".split()
LAST = "Smith Johnson Williams Jones Garcia Miller Davis Rodriguez Martinez Wilson".split()
SMALL = ["036", "059", "102", "203", "556", "692", "821", "823", "878", "879", "884", "893"]
# column -> the letter of the rule
LETTERS = {
    "patient_name": "A", "street": "B", "city": "B", "zip": "B", "lat": "B", "dob": "C", "age": "C", "admitted": "C",
    "discharge_date": "C", "phone": "D", "fax": "E", "email": "F", "ssn": "G", "mrn": "H", "member_id": "I", "account": "J",
    "license": "K", "vin": "L", "device_serial": "M", "url": "N", "ip_address": "O", "fingerprint": "P", "photo": "Q",
    "study_token": "R", "note": "R",
}
HARMLESS = ["sex", "state", "diagnosis"]
ROLES = ["identifier", "quasi", "sensitive", "insensitive"]
RUNS = 40


def person(rng, number):
    year = rng.randrange(1920, 2012)
    day = lambda: "%d-%02d-%02d" % (rng.randrange(2019, 2025), rng.randrange(1, 13), rng.randrange(1, 29))
    zips = ["02139", "10012", "90210", "60614"] + ["%s%02d" % (prefix, rng.randrange(1, 9)) for prefix in SMALL]
    return {
        "patient_name": rng.choice(FIRST) + " " + rng.choice(LAST), "street": "%d Main Street" % rng.randrange(1, 99),
        "city": rng.choice(["Boston", "Chicago", "Miami", "Salem"]), "zip": rng.choice(zips), "lat": "%.5f" % rng.uniform(30, 45),
        "dob": "%d-%02d-%02d" % (year, rng.randrange(1, 13), rng.randrange(1, 29)), "age": 2024 - year, "admitted": day(),
        "discharge_date": day(), "phone": "(617) 555-%04d" % rng.randrange(10000), "fax": "(617) 556-%04d" % rng.randrange(10000),
        "email": "p%d@mail.example" % number, "ssn": "%03d-%02d-%04d" % (rng.randrange(1, 899), rng.randrange(1, 99), number),
        "mrn": "MR%06d" % number, "member_id": "HP%07d" % rng.randrange(10**7), "account": rng.randrange(10**9, 10**10),
        "license": "D%07d" % rng.randrange(10**7), "vin": "1HG%014d" % rng.randrange(10**14), "device_serial": "SN-%07d" % rng.randrange(10**7),
        "url": "https://p.example/%d" % number, "ip_address": "10.0.%d.%d" % (rng.randrange(256), rng.randrange(256)),
        "fingerprint": "%016x" % rng.getrandbits(64), "photo": "img%d.jpg" % number, "study_token": "%010x" % rng.getrandbits(40),
        "note": "Seen by Dr. %s and sent home with advice number %d" % (rng.choice(LAST), number),
        "sex": rng.choice("MF"), "state": rng.choice(["MA", "IL", "FL"]), "diagnosis": rng.choice(["I10", "E11", "J45"]),
    }


def allowed(column, cell):
    """May a release show this? Written from the rule, without a look at the tool."""
    if cell in ("*", ""):
        return True
    if column == "zip":
        return all(len(run) <= 3 and run not in SMALL for run in re.findall(r"\d+", cell)) and not re.search("[a-z]{3}", cell.replace("New England", ""))
    if column in ("admitted", "discharge_date"):
        return re.fullmatch(r"\D*\d{4}(\D+\d{4})?\D*", cell) is not None and not re.search(r"[A-Za-z]{3}", cell)
    if column == "dob":
        return re.fullmatch(r"\D*\d{4}(\D+\d{4})?\D*", cell) is not None and all(int(y) >= 1937 for y in re.findall(r"\d{4}", cell))
    if column == "age":
        return all(int(n) <= 89 or (int(n) == 90 and "or more" in cell) for n in re.findall(r"\d+", cell))
    if column in LETTERS:
        return False
    return True


def draw_config(rng, names):
    attributes = {}
    for name in names:
        # mostly sensible, so that many runs release something
        sensible = "identifier" if name in LETTERS else "sensitive" if name == "diagnosis" else "quasi"
        role = rng.choice(ROLES) if rng.random() < 0.04 else sensible
        if name in ("zip", "age", "admitted", "discharge_date", "dob", "city") and rng.random() < 0.6:
            role = "quasi"
        attributes[name] = {"role": role}
        if name == "zip" and role == "quasi":
            attributes[name]["hierarchy"] = rng.choice([{"pack": "postcode-us-hipaa"}, {"pack": "postcode-us"}, {"mask": "right"}, "auto"])
        if name == "age" and role == "quasi":
            attributes[name]["hierarchy"] = rng.choice([{"range": ["top=90"]}, {"range": [5, 10, "top=90"]}, {"range": [5, 20]}, "auto"])
    return {"profile": "hipaa-safe-harbor", "k": rng.choice([1, 2, 5]), "suppression": 0.02, "attributes": attributes,
            "identifiers": rng.choice(["mask", "drop"]), "suppressed": rng.choice(["mask", "drop"])}


def main():
    rng, released, refused = random.Random(18), 0, 0
    kept = {column: 0 for column in ("zip", "age", "admitted")}
    for run in range(RUNS):
        people = [person(rng, number) for number in range(rng.choice([60, 300]))]
        names = list(people[0])
        rng.shuffle(names)
        with tempfile.TemporaryDirectory(prefix="kanon-attack-") as folder:
            table, config, out = (os.path.join(folder, name) for name in ("table.csv", "kanon.json", "release.csv"))
            with open(table, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, names, lineterminator="\n")
                writer.writeheader()
                writer.writerows(people)
            with open(config, "w", encoding="utf-8") as file:
                json.dump(draw_config(rng, names), file)
            done = subprocess.run([attack.KANON, "anonymize", table, "-c", config, "-o", out, "-q"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            if done.returncode:
                said = done.stderr.decode("utf-8")
                refused += 1
                attack.require("run %d is refused: %s" % (run, said.splitlines()[-1][:60]), not os.path.exists(out)
                               and ("hipaa-safe-harbor" in said or "role:" in said or done.returncode == 2))
                continue
            released += 1
            with open(out, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            shown = [(column, cell) for row in rows for column, cell in row.items() if not allowed(column, cell)]
            attack.require("run %d: %d rows, no identifier in them%s" % (run, len(rows), "".join(" %s=%s" % pair for pair in shown[:3])),
                           not shown)
            for column in kept:
                kept[column] += any(row.get(column, "*") not in ("*", "") for row in rows)
            done = subprocess.run([attack.KANON, "check", out, "-c", config, "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            attack.require("run %d: check says so, too (%s)" % (run, done.stderr.decode("utf-8")[-200:].strip()), done.returncode == 0)
    attack.require("%d releases, %d refused" % (released, refused), released >= 5 and refused >= 5)
    attack.require("what the rule allows is kept: %s" % kept, all(kept.values()))
    done = subprocess.run([attack.KANON, "profiles"], stdout=subprocess.PIPE, check=True)
    attack.require("no profile calls a release compliant", b"complian" not in done.stdout)
    attack.finish()


if __name__ == "__main__":
    main()
