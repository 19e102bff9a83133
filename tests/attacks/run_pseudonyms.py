#!/usr/bin/env python3
"""run_pseudonyms.py -- the release shows pseudonyms instead of names, and the attacker has a list of all names. Without the
key no guess of a name can be confirmed: not by any usual hash of it, not by the order or the length of the pseudonyms,
not by another release. With the key, which the holder keeps, releases are linked; a key that others can read is refused.
What the links give away is counted once more and compared with what the tool says."""
import base64
import collections
import csv
import hashlib
import hmac
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

import attack

NAMES, K = 300, 5
SHAPE = re.compile(r"p[a-z2-7]{25}")


def table(rng):
    """Several rows a person; a row number tells which released row is which."""
    people = ["%s %s" % (rng.choice(["Ann", "Bo", "Christopher", "Dee"]), "x" * rng.randrange(1, 9) + str(i))
              for i in range(NAMES)]
    rows = []
    for name in people:
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            rows.append([name, rng.randrange(20, 80), rng.choice("mf"), str(len(rows))])
    return rows


def run(folder, out, *options, code=0):
    done = subprocess.run([attack.KANON, "anonymize", "t.csv", "-o", out, "--qi", "age,sex", "--insensitive", "row", "-k",
                           str(K), "--suppression", "0.1", "--pseudonym", "name", "--json", *options], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != code:
        sys.exit("ended with %d: %s" % (done.returncode, done.stderr.decode("utf-8", "replace")))
    if code:
        return done.stderr.decode("utf-8"), None
    with open(os.path.join(folder, out), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file)), attack.json.loads(done.stdout.decode("utf-8"))


def guesses(name):
    """What a name may have become under every hash that needs no key, or a key that is easy to guess."""
    texts = [name, name.lower(), "name" + name, "name:" + name, name + "\n", name.replace(" ", "")]
    for text, kind in itertools.product(texts, sorted(hashlib.algorithms_guaranteed)):
        data = text.encode("utf-8")
        digests = []
        if kind.startswith("shake"):
            digests.append(hashlib.new(kind, data).digest(32))
        else:
            digests.append(hashlib.new(kind, data).digest())
            digests += [hmac.new(key, data, kind).digest() for key in (b"kanon", b"secret", b"name", b"\0" * 32)]
        if kind == "blake2b":
            digests += [hashlib.blake2b(data, digest_size=16, key=key).digest() for key in (b"", b"\0" * 32, b"kanon")]
        for digest in digests:
            yield digest.hex()
            yield base64.b32encode(digest).decode("ascii").lower()


def rank_correlation(pairs):
    def ranks(values):
        place = {value: i for i, value in enumerate(sorted(values))}
        return [place[value] for value in values]
    a, b = ranks([x for x, _ in pairs]), ranks([y for _, y in pairs])
    n = len(pairs)
    return 1 - 6 * sum((x - y) ** 2 for x, y in zip(a, b)) / (n * (n * n - 1))


def rare(released):
    """Persons with several rows whose classes fewer than K persons have together."""
    trails = collections.defaultdict(list)
    for row in released:
        trails[row["name"]].append((row["age"], row["sex"]))
    held = collections.Counter(tuple(sorted(trail)) for trail in trails.values())
    return sum(len(trail) > 1 and held[tuple(sorted(trail))] < K for trail in trails.values())


def main():
    rng = random.Random(8)
    rows = table(rng)
    with tempfile.TemporaryDirectory(prefix="kanon-attack-") as folder:
        with open(os.path.join(folder, "t.csv"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["name", "age", "sex", "row"]] + rows)
        for key, mode in (("key", 0o600), ("open", 0o644), ("short", 0o600)):
            with open(os.path.join(folder, key), "w", encoding="ascii") as file:
                file.write(("ab12" if key == "short" else "%064x" % rng.getrandbits(256)) + "\n")
            os.chmod(os.path.join(folder, key), mode)
        released, report = run(folder, "a.csv")
        other, _ = run(folder, "b.csv")
        keyed, _ = run(folder, "c.csv", "--pseudonym-key", "key")
        again, _ = run(folder, "d.csv", "--pseudonym-key", "key", "-k", "7")
        refused = [run(folder, "e.csv", "--pseudonym-key", key, code=1)[0] for key in ("open", "short")]
    of = {row["row"]: row["name"] for row in released}
    pairs = {(row[0], of[row[3]]) for row in rows if row[3] in of}
    attack.require("every cell has one shape", all(SHAPE.fullmatch(row["name"]) for row in released))
    attack.require("%d names, %d pseudonyms, one each" % (len({a for a, _ in pairs}), len({b for _, b in pairs})),
                   len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}))
    text = "\n".join(sorted(b for _, b in pairs))
    hits = sum(guess[:12] in text or "\n" + "p" + guess[:8] in text for name, _ in pairs for guess in guesses(name))
    attack.require("guesses of all names by %d hashes each that hit: %d" % (len(list(guesses("x"))), hits), hits == 0)
    by_name = rank_correlation(sorted(pairs))
    by_length = [sum(ord(c) for c in b[1:5]) for a, b in sorted(pairs, key=lambda pair: len(pair[0]))]
    by_length = rank_correlation(list(enumerate(x + i / 1e6 for i, x in enumerate(by_length))))
    attack.require("rank correlation with the order of names %.3f, with their length %.3f" % (by_name, by_length),
                   abs(by_name) < 0.2 and abs(by_length) < 0.2)
    common = {row["name"] for row in released} & {row["name"] for row in other}
    attack.require("pseudonyms that two releases share: %d" % len(common), not common)
    linked = {row["row"]: row["name"] for row in keyed}
    attack.require("releases with one key are linked",
                   all(linked.get(row["row"], row["name"]) == row["name"] for row in again)
                   and len({row["name"] for row in keyed} & {row["name"] for row in again}) > 100)
    attack.require("a key that others can read is refused", "make it private: chmod 600" in refused[0])
    attack.require("a short key is refused", "32 to 64 hexadecimal digits" in refused[1] and "ab12" not in refused[1])
    told = attack.finding_of(report, "linked-rows", "name")
    attack.require("persons whose rows together are rare: %d; the tool says %s" % (rare(released), told),
                   rare(released) == told)
    attack.finish()


if __name__ == "__main__":
    main()
