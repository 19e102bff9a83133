#!/usr/bin/env python3
"""run_numbers.py -- numbers as people write them: thousands separators, currencies, percent signs, brackets.

A column is drawn as decimals and then written in one style; here the numbers are known before they are text, so nothing is
parsed. The tool's ranges of the texts must put two values together exactly if their numbers are in the same range, and the
order of its buckets must be that of the numbers. Columns whose cells disagree must be text.
"""
import csv
import io
import random
from decimal import Decimal

from common import Folder, Suite, expect, expect_equal, kanon, need_tool

WIDTH = 1000
# decimal mark, thousands separator, before, behind
STYLES = {
    "dollars": (".", ",", "$", ""),
    "euros": (",", ".", "", " €"),
    "euros-before": (",", ".", "€ ", ""),
    "code": (".", ",", "", " USD"),
    "francs": (".", "'", "CHF ", ""),
    "french": (",", "\u202f", "", "\u00a0€"),
    "blanks": (",", " ", "", ""),
    "english": (".", ",", "", ""),
    "german": (",", ".", "", ""),
    "percent": (".", ",", "", " %"),
}


def write(number, style, decimals, brackets):
    mark, group, before, behind = style
    whole, _, rest = f"{abs(number):.{decimals}f}".partition(".")
    digits = ""
    while len(whole) > 3:
        digits = group + whole[-3:] + digits
        whole = whole[:-3]
    text = before + whole + digits + (mark + rest if rest else "") + behind
    if number < 0:
        return f"({text})" if brackets else "-" + text
    return text


def build(folder, cells, spec):
    table = folder.write("t.csv", "c\n" + "".join(f'"{cell}"\n' for cell in cells))
    return kanon("hierarchy", "build", table, "--column", "c", "--hierarchy", spec, "--header", "yes")


def rows_of(done):
    expect_equal(done.code, 0, done.line())
    return list(csv.reader(io.StringIO(done.out.decode("utf-8")), delimiter=";"))


def draw(rng, decimals):
    numbers = {Decimal(rng.randint(-10 ** rng.randint(3, 9), 10 ** rng.randint(3, 9))).scaleb(-decimals)
               for _ in range(rng.randint(5, 60))}
    return sorted(numbers)


def check_ranges(name, seed):
    rng = random.Random(seed)
    decimals = 2 if name in ("english", "german", "percent") else rng.choice((0, 2))
    numbers = draw(rng, decimals)
    cells = {number: write(number, STYLES[name], decimals, decimals == 2 and seed % 2) for number in numbers}
    with Folder() as folder:
        lines = rows_of(build(folder, rng.sample(list(cells.values()), len(cells)), f"range:{WIDTH}"))
    label = {line[0]: line[1] for line in lines}
    expect_equal(sorted(label), sorted(cells.values()), "values")
    for low, high in zip(numbers, numbers[1:]):
        same = low // WIDTH == high // WIDTH if low >= 0 else (low / WIDTH).__floor__() == (high / WIDTH).__floor__()
        expect((label[cells[low]] == label[cells[high]]) == same,
               f"{cells[low]} is in '{label[cells[low]]}', {cells[high]} in '{label[cells[high]]}'")


def check_text(cells):
    """One unit, one meaning of a mark: otherwise no range can be made."""
    with Folder() as folder:
        done = build(folder, cells, f"range:{WIDTH}")
    expect(done.code == 1, f"exit code {done.code}, expected a refusal of {cells}")


def main():
    need_tool()
    suite = Suite()
    for name in STYLES:
        for seed in range(12):
            suite.check(f"{name}-{seed}", check_ranges, name, seed)
    for name, cells in {"two-currencies": ["$5", "5 €", "$7"], "some-with-a-unit": ["$5", "6", "7"],
                        "point-for-both": ["€1.234", "€12.50"], "comma-for-both": ["1,234,567", "12,5"],
                        "percent-and-none": ["5 %", "6"]}.items():
        suite.check(name, check_text, cells)
    suite.end()


if __name__ == "__main__":
    main()
