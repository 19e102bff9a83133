#!/usr/bin/env python3
"""run_packs.py -- the code systems of data/hierarchies, understood a second time from their files.

Here a form is a regular expression and a range of keys is compared key by key; the tool's hierarchies of drawn values
must read the same, unknown values included. Beside that, examples written by hand from the publications of each
system, so that a slip in a file is not confirmed by reading the same file twice.
"""
import glob
import os
import random
import re

from common import ROOT, Folder, Suite, either, expect, expect_equal, kanon, need_tool

FILES = sorted(glob.glob(os.path.join(ROOT, "data", "hierarchies", "*.csv")))
OTHER = "(other)"

# value -> every level of the pack, fine to coarse
EXAMPLES = {
    "atc": {
        "C10AA05": "C10AA05 C10AA C10A C10 C",
        "a10ba02": "A10BA02 A10BA A10B A10 A",
        "N02BE": "N02BE N02BE N02B N02 N",
        "V20": "V20 V20 V20 V20 V",
    },
    "icd-10": {
        "I25.11": "I25.11 I25.1 I25 I20-I25 I00-I99",
        "k8020": "K80.20 K80.2 K80 K80-K87 K00-K93",
        "G01*": "G01 G01 G01 G00-G09 G00-G99",
        "E11.-": "E11 E11 E11 E10-E14 E00-E90",
        "C50.9": "C50.9 C50.9 C50 C50 C00-D48",
        "D90": "D90 D90 D90 D80-D90 D50-D90",
        "Y05": "Y05 Y05 Y05 X85-Y09 V01-Y98",
        "U07.1!": "U07.1 U07.1 U07 U00-U49 U00-U99",
        "Z99.2": "Z99.2 Z99.2 Z99 Z80-Z99 Z00-Z99",
    },
    "icd-10-cm": {
        "E08.9": "E08.9 E08.9 E08 E08-E13 E00-E89",
        "M1A.00x1": "M1A.00X1 M1A.0 M1A M05-M14 M00-M99",
        "C7A.010": "C7A.010 C7A.0 C7A C7A C00-D49",
        "C80.1": "C80.1 C80.1 C80 C76-C80 C00-D49",
        "S72001A": "S72.001A S72.0 S72 S70-S79 S00-T88",
        "O9A.11": "O9A.11 O9A.1 O9A O94-O9A O00-O9A",
    },
    "isco-08": {"2221": "2221 222 22 2", "0110": "0110 011 01 0", "310": "0310 031 03 0", "96": "96 96 96 9", "9629": "9629 962 96 9"},
    "iso-3166": {
        "DE": "DE;DE;Western Europe;Europe",
        "usa": "USA;US;Northern America;Americas",
        "4": "004;AF;Southern Asia;Asia",
        "UK": "UK;GB;Northern Europe;Europe",
        "NZL": "NZL;NZ;Australia and New Zealand;Oceania",
        "COD": "COD;CD;Middle Africa;Africa",
        "BRB": "BRB;BB;Caribbean;Americas",
        "CYP": "CYP;CY;Western Asia;Asia",
    },
    "nace-2": {
        "01.11": "01.11 01.11 01.1 01 A",
        "C10.13": "10.13 10.13 10.1 10 C",
        "6201": "62.01 62.01 62.0 62 J",
        "1.5": "01.5 01.5 01.5 01 A",
        "47.19.2": "47.19.2 47.19 47.1 47 G",
        "62.01Z": "62.01Z 62.01 62.0 62 J",
        "86": "86 86 86 86 Q",
        "U": "U U U U U",
    },
    "nuts": {"DE111": "DE111 DE11 DE1 DE", "fr10": "FR10 FR10 FR1 FR", "UKI": "UKI UKI UKI UK", "ITC4C": "ITC4C ITC4 ITC IT", "DEZZZ": "DEZZZ DEZZ DEZ DE"},
    "postcode-de": {"01067": "01067 010** 01*** 0****", "1067": "01067 010** 01*** 0****", "D-80331": "80331 803** 80*** 8****"},
    "postcode-fr": {
        "75011": "75011;75***;Île-de-France",
        "1000": "01000;01***;Auvergne-Rhône-Alpes",
        "20090": "20090;20***;Corse",
        "97110": "97110;971**;Outre-mer",
        "F-13001": "13001;13***;Provence-Alpes-Côte d'Azur",
    },
    "postcode-uk": {"SW1A 1AA": "SW1A 1AA;SW1A 1;SW1A;SW", "b338th": "B33 8TH;B33 8;B33;B", "M1": "M1;M1;M1;M", "EH1  1YZ": "EH1 1YZ;EH1 1;EH1;EH"},
    "postcode-us": {
        "02139": "02139;02139;021**;MA;New England;Northeast",
        "2139-4307": "02139-4307;02139;021**;MA;New England;Northeast",
        "90210": "90210;90210;902**;CA;Pacific;West",
        "601": "00601;00601;006**;PR;territories;territories",
        "73301": "73301;73301;733**;TX;West South Central;South",
    },
    "postcode-us-hipaa": {
        "02139": "02139;02139;021;021;MA;New England;Northeast",
        "2139-4307": "02139-4307;02139;021;021;MA;New England;Northeast",
        "03601": "03601;03601;036;000;000;000;000",
        "89301": "89301;89301;893;000;000;000;000",
        "09012": "09012;09012;090;000;000;000;000",
        "36901": "36901;36901;369;000;000;000;000",
        "36801": "36801;36801;368;368;AL;East South Central;South",
    },
}

# What each system does not have.
STRANGERS = {
    "atc": ["E01AA01", "A17", "C06", "C10A1", "A10BA0"],
    "icd-10": ["A00-A09", "A10", "E91", "foo", "K", "K8", "K80,2", "K8.02", "K80.20000", "", " "],
    "icd-10-cm": ["D90", "E14.9", "F00.0", "C97"],
    "isco-08": ["2290", "10", "22211", "2x21", "9999", "04"],
    "iso-3166": ["XX", "ZZZ", "000", "999", "D", "DEUT", "1276"],
    "nace-2": ["04", "34.1", "01.8", "V", "W01.11."],
    "nuts": ["DE0", "XX1", "D", "DE1111", "DE 11"],
    "postcode-de": ["43999", "00123", "123", "803311", "CH-8001"],
    "postcode-fr": ["96000", "97900", "981000", "123"],
    "postcode-uk": ["ZZ1 1AA", "SW1A 1A", "1AA SW1A", "S1W 1AA1"],
    "postcode-us": ["00099", "2139x", "021394", "213"],
    "postcode-us-hipaa": ["00099", "2139x", "021394", "213"],
}


class Pack:
    """A file of data/hierarchies."""

    CLASSES = {"a": "[A-Z]", "#": "[0-9]", "?": "[A-Z0-9]"}

    def __init__(self, path):
        self.head, self.rows = {}, []
        with open(path, encoding="utf-8") as file:
            for line in file.read().splitlines():
                if line.startswith("#"):
                    key, colon, value = line[1:].partition(":")
                    if colon:
                        self.head.setdefault(key.strip(), value.strip())
                else:
                    keys, *labels = line.split(";")
                    self.rows.append(([tuple(key.partition("-")[::2]) for key in keys.split(" ")], labels))
        self.name = self.head["name"]
        self.levels = self.head["levels"].split(", ")
        self.forms = [form.strip() for form in self.head["forms"].split(",")]
        self.patterns = [self.pattern(form) for form in self.forms]
        self.pieces = max(len(marks) for _, marks in self.patterns)

    def pattern(self, form):
        """(expression with a group per piece, the separators before the pieces)."""
        text, marks, at = "(", [""], 0
        while at < len(form):
            c = form[at]
            if c == "~":
                at += 1
                text += ")" + self.CLASSES.get(form[at], re.escape(form[at])) + "("
            elif c in "|.- ":
                text += ")" + ("" if c == "|" else "(?:%s)*" % re.escape(c)) + "("
                marks.append("" if c == "|" else c)
            else:
                text += self.CLASSES.get(c, re.escape(c))
            at += 1
        # what is dropped stands before the first piece only
        return re.compile("^" + text.replace("()", "") + ")$"), marks

    def line_of(self, key):
        for keys, labels in self.rows:
            for first, last in keys:
                if len(first) == len(key) and first <= key <= (last or first):
                    return labels
        return None

    def read(self, value):
        """All levels of a value, or None."""
        text = value.strip(" \t").upper() if value.isascii() else value
        text = text.rstrip(self.head.get("endings", ""))
        for zeros in range(int(self.head.get("zeros", 0)) + 1 if text[:1].isdigit() else 1):
            for expression, marks in self.patterns:
                found = expression.match("0" * zeros + text)
                if not found or text == "":
                    continue
                pieces = found.groups()
                key = "".join(pieces[:int(self.head.get("key", 1))])
                labels = self.line_of(key)
                if labels is not None:
                    return self.shorten(pieces, marks) + [key if label == "=" else label for label in labels]
        return None

    def shorten(self, pieces, marks):
        found = []
        for keep in range(self.pieces, 0, -1):
            text = "".join(mark + piece for mark, piece in zip(marks[:keep], pieces))
            fill = int(self.head.get("fill", 0)) - len(text) if keep < len(pieces) else 0
            found.append(text + "*" * fill)
        return found

    def draw(self, rng):
        """A value that is often a code."""
        letters, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
        form = rng.choice(self.forms)
        begin = rng.choice(rng.choice(rng.choice(self.rows)[0]) or ("",)) if rng.random() < 0.85 else ""
        text, at = "", 0
        while at < len(form):
            c = form[at]
            if c == "~":
                at += 1
                text += rng.choice(letters) if form[at] == "a" else form[at]
            elif c in "|.- ":
                text += c if c != "|" and rng.random() < 0.7 else ""
            else:
                drawn = rng.choice({"a": letters, "#": digits, "?": letters + digits}.get(c, c))
                text += begin[:1] or drawn
                begin = begin[1:]
            at += 1
        if rng.random() < 0.2:
            text = text.lower()
        if rng.random() < 0.1:
            text = text.lstrip("0")
        if rng.random() < 0.1:
            text += rng.choice(["-", ".", "*", " ", "x", "1"])
        return text


def expected_paths(pack, values):
    """value -> labels from level 0 to the last, with the levels left out at which no value changes."""
    paths = {}
    for value in values:
        levels = pack.read(value)
        paths[value] = [value] + (levels if levels is not None else [OTHER] * len(pack.levels))
    kept = [0]
    for level in range(1, len(pack.levels) + 1):
        if any(path[level] != path[kept[-1]] for path in paths.values()):
            kept.append(level)
    return {value: [path[level] for level in kept] + ["*"] for value, path in paths.items()}


def build(folder, pack, values, unknown):
    table = folder.write("t.csv", "id;c\n" + "".join('1;"%s"\n' % value for value in values))
    config = folder.write("c.yaml", "delimiter: ';'\nattributes:\n  c: {role: quasi, hierarchy: {pack: %s%s}}\n"
                          % (pack.name, ", unknown: other" if unknown else ""))
    return kanon("hierarchy", "build", table, "-c", config, "--column", "c")


def paths_of(done):
    expect_equal(done.code, 0, done.line())
    lines = [line.split(";") for line in done.out.decode("utf-8").splitlines()]
    return {line[0].strip('"'): line[1:] for line in lines}


def examples(pack):
    need_tool()
    for value, levels in EXAMPLES[pack.name].items():
        wanted = levels.split(";" if ";" in levels else " ")
        expect_equal(len(wanted), len(pack.levels), "levels of the example " + value)
        with Folder() as folder:
            found = paths_of(build(folder, pack, [value], False))[value]
        changed = [label for before, label in zip([value] + wanted, wanted) if label != before]
        expect_equal(found, changed + ["*"], value)


def strangers(pack):
    """What is no code is counted and the first is named; it becomes (other) when that was asked for."""
    need_tool()
    values = [value for value in STRANGERS[pack.name] if value.strip()]
    code = next(iter(EXAMPLES[pack.name]))
    for value in values:
        expect(pack.read(value) is None, "the oracle takes %r for a code" % value)
    with Folder() as folder:
        done = build(folder, pack, [code] + values, False)
        expect_equal(done.code, 1, done.line())
        words = "%d of %d values (%d rows) are not codes of pack %s, the first is '%s'" % (
            len(values), len(values) + 1, len(values), pack.name, values[0])
        expect(words in done.err.decode("utf-8"), done.line() + " -- expected: " + words)
        done = build(folder, pack, [code] + values, True)
        found = paths_of(done)
        expect("%d of %d values" % (len(values), len(values) + 1) in done.err.decode("utf-8"), done.line())
        for value in values:
            expect_equal(set(found[value][:-1]), {OTHER}, value)


def drawn(pack, cases, suite):
    need_tool()
    rng = random.Random("packs " + pack.name)
    known = total = 0
    for _ in range(cases):
        values = sorted({pack.draw(rng) for _ in range(200)})
        values = [value for value in values if value not in ("", "NA") and value == value.strip()]  # NA is missing
        with Folder() as folder:
            found = paths_of(build(folder, pack, values, True))
        expected = expected_paths(pack, values)
        for value in values:
            expect_equal([value] + found[value], expected[value], value)
        total += len(values)
        known += sum(pack.read(value) is not None for value in values)
    expect(known > total / 4, "only %d of %d drawn values are codes" % (known, total))
    suite.say("# %s: %d values, %d of them codes" % (pack.name, total, known))


def fits(form, key):
    """Can a code of this form begin with the key?"""
    classes = [Pack.CLASSES.get(c, c) for c in re.sub("~.|[|. -]", "", form)]
    return len(classes) >= len(key) and re.match("".join(classes[:len(key)]) + "$", key) is not None


def whole(pack):
    """Keys neither overlap nor stand in two lines, and each is written in a form of the pack."""
    singles = sorted((len(first), first, last or first) for keys, _ in pack.rows for first, last in keys)
    for (length, _, last), (next_length, first, _) in zip(singles, singles[1:]):
        expect(length != next_length or last < first, "%s overlaps %s" % (last, first))
    for keys, labels in pack.rows:
        expect_equal(len(labels), len(pack.levels) - pack.pieces, "labels of %r" % (keys,))
        for first, last in keys:
            expect(len(last) in (0, len(first)) and (not last or first < last), "%s-%s" % (first, last))
            expect(pack.line_of(first) == labels and pack.line_of(last or first) == labels, first)
            expect(any(fits(form, first) for form in pack.forms), "%s is in no form" % first)


def listed():
    """`kanon hierarchy packs` says what the heads of the files say."""
    need_tool()
    done = kanon("hierarchy", "packs")
    text = done.out.decode("utf-8")
    for path in FILES:
        pack = Pack(path)
        expect_equal(pack.name + ".csv", os.path.basename(path), "name")
        for key in ("name", "version", "summary", "levels", "origin"):
            expect(pack.head[key] in text, "%s: no %s in the list" % (pack.name, key))


def main():
    suite = Suite()
    suite.check("packs-listed", listed)
    for path in FILES:
        pack = Pack(path)
        suite.check("pack-%s-file" % pack.name, whole, pack)
        suite.check("pack-%s-examples" % pack.name, examples, pack)
        suite.check("pack-%s-strangers" % pack.name, strangers, pack)
        suite.check("pack-%s-drawn" % pack.name, drawn, pack, either(3, 30), suite)
    suite.end()


if __name__ == "__main__":
    main()
