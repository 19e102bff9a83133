#!/usr/bin/env python3
"""run_confirm.py -- confirming a guess: the attacker knows all rows of a table but one, and knows the settings. They run the
tool with each of 400 candidates for that row and compare what comes out with the published release. No candidate may give the
same bytes, since one alone would be the row. Where the row was suppressed, nothing of it should be there to find: then all
candidates must give the same rows. KANON names the tool."""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KANON = os.environ.get("KANON") or os.path.join(ROOT, "build", "release", "kanon")
ROWS, PLACE = 600, 217
CONFIG = {
    "k": 5, "suppression": 0.02,
    "attributes": {
        "age": {"role": "quasi", "type": "number", "hierarchy": {"range": [5, 10, 20]}},
        "sex": {"role": "quasi"},
        "zip": {"role": "quasi", "type": "string", "hierarchy": {"mask": "right"}},
        "illness": {"role": "sensitive"},
    },
}
ILLNESSES = ("asthma", "cancer", "diabetes", "flu")
METHODS = ("auto", "kgen", "mondrian")  # the last one suppresses nothing: the row is in the release, made coarser


def known_rows(rng):
    return [[str(rng.randrange(20, 80)), rng.choice("fm"), "1%02d0%d" % (rng.randrange(10), rng.randrange(3)),
             rng.choice(ILLNESSES)] for _ in range(ROWS - 1)]


def candidates():
    """People from far away, of whom there is one in the table: 400, and the attacker does not know which."""
    return [list(row) for row in itertools.product(map(str, range(30, 55)), "fm", ("90210", "94305"), ILLNESSES)]


class Attacker:
    def __init__(self, folder, known, method):
        self.folder, self.known, self.method = folder, known, method
        with open(os.path.join(folder, "kanon.json"), "w", encoding="utf-8") as file:
            json.dump(CONFIG, file)

    def release(self, numbered):
        """The bytes of the release of the known rows and one more, and how many rows are suppressed."""
        number, row = numbered
        table = os.path.join(self.folder, "table%s.csv" % number)
        with open(table, "w", encoding="utf-8") as file:
            for line in [list(CONFIG["attributes"])] + self.known[:PLACE] + [row] + self.known[PLACE:]:
                file.write(",".join(line) + "\n")
        done = subprocess.run([KANON, "anonymize", table, "-c", os.path.join(self.folder, "kanon.json"), "-o", "-", "-q",
                               "--algorithm", self.method, "--threads", "1"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        os.remove(table)
        if done.returncode:
            sys.exit("%s ended with %d: %s" % (KANON, done.returncode, done.stderr.decode("utf-8", "replace")))
        return done.stdout

    def attack(self, truth):
        """(how many candidates give the same bytes, how many the same rows) as the release of the truth."""
        published = self.release(("", truth))
        suppressed = ROWS - (len(published.splitlines()) - 1)
        with ThreadPoolExecutor(2) as pool:
            tried = list(pool.map(self.release, enumerate(candidates())))
        return (suppressed, sum(made == published for made in tried),
                sum(sorted(made.splitlines()) == sorted(published.splitlines()) for made in tried))


def main():
    rng = random.Random(11)
    known, truth = known_rows(rng), rng.choice(candidates())
    count, failed = len(candidates()), False
    for method in METHODS:
        with tempfile.TemporaryDirectory(prefix="kanon-attack-") as folder:
            suppressed, same_bytes, same_rows = Attacker(folder, known, method).attack(truth)
        coarser = method == "mondrian"
        wrong = same_bytes != 0 or (same_rows != count and not coarser) or (suppressed == 0) != coarser
        failed = failed or wrong
        print("%s confirm, %s: of %d candidates for a %s row %d give the bytes of the release, %d its rows"
              % ("FAIL" if wrong else "ok", method, count, "suppressed" if suppressed else "released", same_bytes, same_rows))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
