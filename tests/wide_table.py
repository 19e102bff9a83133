#!/usr/bin/env python3
"""wide_table.py [--rows N] [--seed N] -o FILE -- a table as hospitals hand it over: 40,000 stays, 35 columns, of which 15
are quasi-identifiers with domains from 2 to some 25,000 values, so that nearly every row is the only one of its kind and
the lattice has more nodes than anybody can check. The columns depend on each other as in life: a discharge follows its
admission, ages cluster by ward, weights by height.

quasi_options() are the options that give each quasi-identifier its hierarchy; the others are OTHERS."""
import argparse
import datetime
import random
import sys

QUASI = ("birth_date", "sex", "postcode", "nationality", "marital", "occupation", "insurance", "admission", "discharge",
         "ward", "diagnosis", "procedure", "height", "weight", "referrer")
HIERARCHIES = {
    "birth_date": "date:month,year,decade", "postcode": "mask:right", "nationality": "mask:right", "occupation": "mask:right",
    "admission": "date:month,quarter,year", "discharge": "date:month,quarter,year", "diagnosis": "mask:right",
    "procedure": "mask:right", "height": "range:5,10,20,40", "weight": "range:5,10,20,40,80", "referrer": "mask:right",
}
TYPES = {name: "string" for name in ("postcode", "diagnosis", "procedure", "referrer", "occupation", "nationality")}
SENSITIVE = ("outcome",)
IDENTIFIERS = ("patient", "case")
INSENSITIVE = tuple("lab_%02d" % i for i in range(1, 18))
COLUMNS = IDENTIFIERS + QUASI + SENSITIVE + INSENSITIVE
OTHERS = ("--id", ",".join(IDENTIFIERS), "--sensitive", ",".join(SENSITIVE), "--insensitive", ",".join(INSENSITIVE))
EPOCH = datetime.date(1920, 1, 1)
YEAR = datetime.date(2023, 1, 1)
WARDS = (("PED", 8, 5), ("GYN", 34, 9), ("SUR", 55, 18), ("CAR", 68, 12), ("GER", 82, 6), ("INT", 60, 20), ("ORT", 58, 18))


def skewed(draw, count):
    """A number below COUNT; small ones are frequent, as codes are."""
    return min(int(count * draw.random() ** 3), count - 1)


def stay(draw, number):
    ward, mean, spread = WARDS[min(draw.randrange(len(WARDS)), draw.randrange(len(WARDS)))]
    age = min(max(draw.gauss(mean, spread), 0), 100)
    admission = YEAR + datetime.timedelta(draw.randrange(365))
    birth = max(admission - datetime.timedelta(int(age * 365.25) + draw.randrange(365)), EPOCH)
    sex = "w" if ward == "GYN" or draw.random() < 0.5 else "m"
    height = int(draw.gauss(178 if sex == "m" else 165, 7)) if age > 17 else int(60 + 6.5 * age + draw.gauss(0, 4))
    diagnosis = "%s%02d.%d" % (draw.choice("ABCDEFGHIJKLMN") if draw.random() < 0.3 else ward[0], skewed(draw, 90),
                               skewed(draw, 10))
    row = [10000 + skewed(draw, 80000), 500000 + number, birth, sex, "%05d" % (10000 + 7 * skewed(draw, 9000)),
           "%03d" % (skewed(draw, 60) * 11), draw.choice(("single", "married", "widowed", "divorced")) if age > 17 else "single",
           "%04d" % (1000 + 17 * skewed(draw, 400)), draw.choice(("public", "public", "public", "private", "self")), admission,
           admission + datetime.timedelta(min(int(draw.expovariate(0.15)), 120)), ward, diagnosis,
           "%d-%03d" % (draw.randrange(1, 10), skewed(draw, 300)), height,
           int((height / 100) ** 2 * max(draw.gauss(26, 4), 14)), "%04d" % skewed(draw, 3000),
           draw.choice(("home", "home", "home", "transferred", "care", "died"))]
    return row + ["%.1f" % draw.gauss(100, 15) for _ in INSENSITIVE]


def write(path, rows=40000, seed=1):
    draw = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(COLUMNS) + "\n")
        for number in range(rows):
            file.write(",".join(map(str, stay(draw, number))) + "\n")


def quasi_options():
    options = ["--qi", ",".join(QUASI)]
    for name, spec in HIERARCHIES.items():
        options += ["--hierarchy", "%s=%s" % (name, spec)]
    for name, kind in TYPES.items():
        options += ["--type", "%s=%s" % (name, kind)]
    return options


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", required=True)
    asked = parser.parse_args()
    write(asked.output, asked.rows, asked.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
