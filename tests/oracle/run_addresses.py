#!/usr/bin/env python3
"""run_addresses.py -- Internet addresses, e-mail addresses and coordinates become coarser, a second time.

Networks come from Python's ipaddress, domains from splitting texts, cells from exact fractions; every label of drawn
columns must be the one that is expected here.
"""
import ipaddress
import math
import random
from fractions import Fraction

from common import Folder, Suite, either, expect, expect_equal, kanon, need_tool

OTHER = "(other)"


def build(folder, values, spec, unknown=False):
    """spec: as in a config file."""
    table = folder.write("t.csv", "id;c\n" + "".join('1;"%s"\n' % value for value in values))
    config = folder.write("c.yaml", "delimiter: ';'\nattributes:\n  c: {role: quasi, hierarchy: {%s%s}}\n"
                          % (spec, ", unknown: other" if unknown else ""))
    return kanon("hierarchy", "build", table, "-c", config, "--column", "c")


def paths_of(done):
    expect_equal(done.code, 0, done.line())
    lines = [line.replace('"', "").split("|") for line in done.out.decode("utf-8").replace(";", "|").splitlines()]
    return {line[0]: line[1:] for line in lines}


def without_idle(paths):
    """Levels at which no value reads other than one level below are left out."""
    depth = len(next(iter(paths.values())))
    kept = [0]
    for level in range(1, depth):
        if any(path[level] != path[kept[-1]] for path in paths.values()):
            kept.append(level)
    return {value: [path[level] for level in kept[1:]] + ["*"] for value, path in paths.items()}


# --- networks -------------------------------------------------------------------------------------------------


def address_of(text):
    try:
        found = ipaddress.ip_address(text.strip(" "))
    except ValueError:
        return None
    if "%" in text:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def draw_address(rng):
    kind = rng.random()
    if kind < 0.4:
        return str(ipaddress.IPv4Address(rng.choice((0xC0000200, 0xC0000300, 0x0A000000, 0)) + rng.randrange(1 << rng.choice((4, 8, 16, 24)))))
    if kind < 0.75:
        groups = [rng.choice((0, 0, 1, 0x2001, 0xDB8, rng.randrange(1 << 16))) for _ in range(8)]
        found = ipaddress.IPv6Address(sum(group << 16 * (7 - i) for i, group in enumerate(groups)))
        return rng.choice((found.compressed, found.exploded, found.compressed.upper()))
    if kind < 0.85:
        return "::ffff:192.0.2.%d" % rng.randrange(256)
    if kind < 0.9:
        return "2001:db8::192.0.2.%d" % rng.randrange(256)
    return rng.choice(("", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1::2::3", ":1", "1:", "12345::", ":::", "g::", "1:2:3:4:5:6:7:8:9",
                       "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::", "1.2.3.4/24", "host", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", " 10.0.0.1"))


def networks(suite, cases):
    need_tool()
    rng = random.Random("networks")
    known = total = 0
    for case in range(cases):
        bits = sorted(rng.sample(range(1, 32), rng.randint(1, 5)), reverse=True) if rng.random() < 0.6 else [24, 16, 8]
        values = sorted({draw_address(rng) for _ in range(60)} - {""} | {"192.0.2.17"})
        paths = {}
        for value in values:
            address = address_of(value)
            paths[value] = [value] + [OTHER] * len(bits)
            if address:
                paths[value][1:] = [str(ipaddress.ip_network((int(address), n if address.version == 4 else 2 * n + 16), strict=False))
                                    if address.version == 4 else
                                    str(ipaddress.IPv6Network((int(address), 2 * n + 16), strict=False)) for n in bits]
            known += address is not None
        total += len(values)
        spec = "ip: [%s]" % ", ".join(map(str, bits)) if bits != [24, 16, 8] else "ip: true"
        with Folder() as folder:
            found = paths_of(build(folder, values, spec, True))
        expected = without_idle(paths)
        for value in values:
            expect_equal(found[value], expected[value], "case %d, %s of %s" % (case, value, spec))
    expect(total / 2 < known < total, "%d of %d are addresses" % (known, total))
    suite.say("# %d columns, %d of %d values are addresses" % (cases, known, total))


# --- domains --------------------------------------------------------------------------------------------------


def domain_path(value):
    person, at, domain = value.strip(" ").partition("@")
    labels = domain.split(".")
    if not person or not at or len(labels) < 2 or not all(labels):
        return None
    if not all(c.isalnum() or c == "-" or ord(c) > 127 for label in labels for c in label):
        return None
    labels = ["".join(c.lower() if c.isascii() else c for c in label) for label in labels]
    keep = 3 if len(labels[-1]) == 2 and len(labels[-2]) <= 3 else 2
    return ["@" + ".".join(labels), "@" + ".".join(labels[-keep:]), "." + labels[-1]]


def domains(suite, cases):
    need_tool()
    rng = random.Random("domains")
    fixed = {
        "ann@cs.example.ac.uk": ["@cs.example.ac.uk", "@example.ac.uk", ".uk"],
        "Bob.B+x@Mail.Example.COM": ["@mail.example.com", "@example.com", ".com"],
        "c@example.de": ["@example.de", "@example.de", ".de"],
        "d@gov.uk": ["@gov.uk", "@gov.uk", ".uk"],
    }
    for value, path in fixed.items():
        expect_equal(domain_path(value), path, value)
    for case in range(cases):
        values = set(fixed) | {"nobody", "x@", "@example.com", "a@b", "a@.com", "a@b..com", "a@b c.com", "a@b.com.", "a@@b.com"}
        for _ in range(60):
            labels = [rng.choice(("example", "mail", "co", "ac", "uni-x", "EXAMPLE", "7")) for _ in range(rng.randint(1, 3))]
            values.add("%s@%s" % (rng.choice("abcdefgh"), ".".join(labels + [rng.choice(("com", "uk", "de", "org", "DE"))])))
        paths = {value: [value] + (domain_path(value) or [OTHER] * 3) for value in values}
        with Folder() as folder:
            found = paths_of(build(folder, sorted(values), "email: true", True))
        expected = without_idle(paths)
        for value in values:
            expect_equal(found[value], expected[value], "case %d, %s" % (case, value))
    suite.say("# %d columns" % cases)


# --- cells ----------------------------------------------------------------------------------------------------


def sides_of(metres, degree_m):
    """Round parts of a degree, in millionths."""
    found = []
    for length in metres:
        least = float(length) / degree_m * 1e6
        found.append(next(step * 10 ** power for power in range(10) for step in (1, 2, 5) if step * 10 ** power >= least
                          and (not found or step * 10 ** power > found[-1] and step * 10 ** power % found[-1] == 0)))
    return found


def cell_label(value, side):
    low = Fraction(value) * 10 ** 6 // side * side
    decimals = 6
    while decimals and side % 10 ** (7 - decimals) == 0:
        decimals -= 1
    return "[%.*f, %.*f)" % (decimals, low / 10 ** 6, decimals, (low + side) / 10 ** 6)


def cells(suite, cases):
    need_tool()
    rng = random.Random("cells")
    for case in range(cases):
        metres = sorted(rng.sample((5, 20, 100, 250, 500, 1000, 2500, 10000, 50000), rng.randint(1, 4)))
        latitude = rng.choice((0, 10, 52.5, -33.9, 70))
        east = rng.random() < 0.5
        degree = 111320.0 * math.cos(latitude * math.pi / 180) if east else 110574.0
        center = rng.uniform(-179, 179) if east else rng.uniform(-89, 89)
        values = {"%.*f" % (rng.randint(1, 8), center + rng.uniform(-1, 1) * rng.choice((0.001, 0.1, 0.9))) for _ in range(60)}
        spec = "grid: [%s, %s]" % ("lon@%g" % latitude if east else "lat", ", ".join(map(str, metres)))
        with Folder() as folder:
            found = paths_of(build(folder, sorted(values), spec))
        sides = sides_of(metres, degree)
        for value in values:
            expect_equal(found[value], [cell_label(value, side) for side in sides] + ["*"], "case %d, %s of %s" % (case, value, spec))
        for length, side in zip(metres, sides):
            expect(side / 1e6 * degree >= length, "a cell of %d m is too small" % length)
    suite.say("# %d columns" % cases)


def refused():
    need_tool()
    for spec, values, words in (
            ("ip: [16, 24]", ["10.0.0.1"], "'24' is not a prefix length here"),
            ("ip: 32", ["10.0.0.1"], "'32' is not a prefix length here"),
            ("ip: true", ["10.0.0.1", "10.0.0", "x"], "2 of 3 values (2 rows) are not IP addresses, the first is '10.0.0'"),
            ("email: true", ["a@b.de", "a"], "1 of 2 values (1 row) is not an e-mail address, the first is 'a'"),
            ("email: 3", ["a@b.de"], "takes no '3'"),
            ("grid: true", ["52.1"], "begin with lat, or with lon@"),
            ("grid: [lon, 100]", ["52.1"], "begin with lat, or with lon@"),
            ("grid: [lat, 1000, 100]", ["52.1"], "'100' is not a side of a cell here"),
            ("grid: [lat, -5]", ["52.1"], "'-5' is not a side of a cell here"),
            ("grid: [lat, 100]", ["52.1", "95"], "'95' is not a latitude in degrees"),
            ("grid: [lon@52, 100]", ["52.1", "181"], "'181' is not a longitude in degrees")):
        with Folder() as folder:
            done = build(folder, values, spec)
        expect_equal(done.code, 1, spec)
        expect(words in done.err.decode("utf-8"), done.line() + " -- expected: " + words)


def main():
    suite = Suite()
    suite.check("addresses-networks", networks, suite, either(20, 300))
    suite.check("addresses-domains", domains, suite, either(5, 50))
    suite.check("addresses-cells", cells, suite, either(40, 400))
    suite.check("addresses-refused", refused)
    suite.end()


if __name__ == "__main__":
    main()
