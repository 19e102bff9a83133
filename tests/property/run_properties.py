#!/usr/bin/env python3
"""run_properties.py -- what must hold for every table, tried on seeded random ones.

    run_properties.py [--rounds N] [--seed S]
"""
import argparse
import csv
import gzip
import io
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

from common import (Folder, Suite, anonymize, anonymize_ok, close, either, expect, expect_equal,
                    kanon, need_tool)

QUASI = ("age", "zip", "sex", "born")
METRICS = ("log", "precision", "dm", "glm", "gcp", "cm", "entropy", "height", "total_il")
KEY = "0123456789abcdef" * 4
UNIT = ("log", "precision", "los", "glm", "gcp", "total_il", "cm", "entropy")
HEADER = ["id", "age", "zip", "sex", "born", "illness", "note"]
HIERARCHIES = ("age=range:5,10,50", "zip=mask:right", "born=date:month,year,decade")


def people(rng, count):
    """Rows of a small register."""
    rows = []
    for number in range(count):
        rows.append(["p%03d" % number, str(rng.randint(18, 70)), "80%03d" % rng.randint(10, 40),
                     rng.choice(["F", "M", "M", "?"]),
                     "19%02d-%02d-%02d" % (rng.randint(50, 60), rng.randint(1, 12), rng.randint(1, 28)),
                     rng.choice(["flu", "cold", "asthma"]), rng.choice(["", "x", "long note", "née"])])
    return rows


def text_of(rows, header=None, delimiter=",", end="\n", quoting=csv.QUOTE_MINIMAL):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(
        [header or HEADER] + rows)
    return out.getvalue()


def options(k=3, suppression=0.1, algorithm="exhaustive", extra=(), specs=HIERARCHIES):
    found = ["--qi", ",".join(QUASI), "--id", "id", "--sensitive", "illness", "--others", "keep", "-k", k,
             "--suppression", suppression, "--algorithm", algorithm]
    for spec in specs:
        found += ["--hierarchy", spec]
    return found + list(extra)


def released(folder, name="out.csv", delimiter=",", encoding="utf-8"):
    return list(csv.reader(io.StringIO(folder.read(name).decode(encoding), newline=""),
                           delimiter=delimiter))


class Properties:
    """Each method is a property; all draw from one seed."""

    def __init__(self, seed, rounds):
        self.seed, self.rounds = seed, rounds

    def tables(self, name, count=None):
        for turn in range(count or self.rounds):
            rng = random.Random("%s-%s-%d" % (self.seed, name, turn))
            yield rng, people(rng, rng.randint(20, 80))

    def row_order(self):
        """The order of the rows does not change the node or a number; nor with hierarchies from data."""
        for rng, rows in self.tables("row-order"):
            specs = HIERARCHIES if rng.random() < 0.5 else ()
            metric = rng.choice(METRICS)
            with Folder() as folder:
                seen = []
                for name in ("a.csv", "b.csv"):
                    table = folder.write(name, text_of(rows))
                    report = anonymize_ok(folder, table, options(extra=("--metric", metric), specs=specs))
                    seen.append(report)
                    rng.shuffle(rows)
                self.same_answer(seen, metric)
                expect_equal(seen[0]["solution"], seen[1]["solution"], "solution")

    def column_order(self):
        """The order of the columns may decide between equally good nodes, never about the loss."""
        for rng, rows in self.tables("column-order"):
            metric = rng.choice(METRICS)
            with Folder() as folder:
                order, seen = list(range(len(HEADER))), []
                for name in ("a.csv", "b.csv"):
                    table = folder.write(name, text_of([[row[i] for i in order] for row in rows],
                                                       [HEADER[i] for i in order]))
                    seen.append(anonymize_ok(folder, table, options(extra=("--metric", metric))))
                    rng.shuffle(order)
                self.same_answer(seen, metric)

    @staticmethod
    def same_answer(reports, metric):
        first, second = reports
        expect(close(first["metrics"][metric], second["metrics"][metric], 1e-12), "%s: %r and %r" % (
            metric, first["metrics"][metric], second["metrics"][metric]))
        for key in ("suppressed_rows", "released_rows", "heights"):
            expect_equal(first["solution"][key], second["solution"][key], key)

    def unit_interval(self):
        for rng, rows in self.tables("unit"):
            with Folder() as folder:
                table = folder.write("t.csv", text_of(rows))
                algorithm = rng.choice(["exhaustive", "kgen", "random", "auto", "ola", "incognito",
                                        "samarati", "datafly"])
                report = anonymize_ok(folder, table, options(k=rng.randint(1, 6), algorithm=algorithm))
                for name in UNIT:
                    expect(0 <= report["metrics"][name] <= 1, "%s is %r" % (name, report["metrics"][name]))
                for entry in report["attributes"]:
                    for name in ("glm", "gcp", "entropy"):
                        expect(0 <= entry[name] <= 1, "%s of %s is %r" % (name, entry["name"], entry[name]))
                expect(report["metrics"]["c_avg"] >= 1, "c_avg is %r" % report["metrics"]["c_avg"])

    def seeds(self):
        """Same seed and key: same bytes, whatever the threads. Another key, or none: another order of the same rows."""
        for rng, rows in self.tables("seeds"):
            with Folder() as folder:
                table = folder.write("t.csv", text_of(rows))
                algorithm = rng.choice(["exhaustive", "kgen", "ola", "incognito", "samarati", "datafly"])
                for name, key, threads in (("a", KEY, 1), ("b", KEY, 2), ("c", KEY, 1), ("d", KEY[::-1], 1), ("e", None, 1),
                                           ("f", None, 2)):
                    report = anonymize_ok(folder, table, options(algorithm=algorithm, extra=(
                        "--threads", threads, *(("--order-key", key) if key else ()))), out=name)
                expect(folder.read("a") == folder.read("b") == folder.read("c"), "same seed and key, other bytes")
                orders = [released(folder, name) for name in "adef"]
                for other in orders[1:]:
                    expect_equal(sorted(other), sorted(orders[0]), "rows under another key")
                expect_equal(len(set(map(str, orders))), 4, "orders of four keys")
                anonymize_ok(folder, table, options(algorithm=algorithm, extra=(
                    "--order-key", report["parameters"]["order_key"])), out="again")
                expect(folder.read("f") == folder.read("again"), "the recorded key gives other bytes")
                anonymize_ok(folder, table, options(algorithm=algorithm, extra=("--seed", 2, "--order-key", KEY)), out="g")
                if algorithm != "kgen":
                    expect(folder.read("g") == folder.read("a"), "the seed has a part in the order")

    def input_decides_order(self):
        """Under one key the order depends on the rows, but not on how they are stored."""
        for rng, rows in self.tables("input-order"):
            with Folder() as folder:
                numbered = [row[:6] + [str(i)] for i, row in enumerate(rows)]
                orders = []
                for name in ("a", "b"):
                    table = folder.write("t.csv", text_of(numbered))
                    anonymize_ok(folder, table, options(extra=("--order-key", KEY)), out=name)
                    orders.append([row[-1] for row in released(folder, name)[1:]])
                    numbered[0][0] = "another id"
                expect_equal(orders[0], orders[1], "order when an identifier has changed that is not released")
                folder.write("t.csv", text_of(numbered + numbered[:1]))
                anonymize_ok(folder, table, options(extra=("--order-key", KEY)), out="c")
                more = [row[-1] for row in released(folder, "c")[1:]]
                expect(sum(a == b for a, b in zip(orders[0], more)) <= 6 + len(more) // 20, "a row more, same order")
                expect(orders[0] != sorted(orders[0], key=int), "rows are in input order")

    def keep_order(self):
        for rng, rows in self.tables("keep-order"):
            with Folder() as folder:
                numbered = [row[:6] + [str(i)] for i, row in enumerate(rows)]
                table = folder.write("t.csv", text_of(numbered))
                suppressed = rng.choice(["drop", "mask"])
                anonymize_ok(folder, table, options(extra=("--keep-order", "--suppressed", suppressed)))
                found = [int(row[-1]) for row in released(folder)[1:]]
                expect_equal(found, sorted(found), "order")

    def dialects(self):
        """A release is written the way its input was."""
        for _, rows in self.tables("dialect", 1):
            plain = None
            for delimiter, end, quoting, encoding, bom in (
                    (",", "\n", csv.QUOTE_MINIMAL, "utf-8", False),
                    (";", "\n", csv.QUOTE_MINIMAL, "utf-8", False),
                    ("\t", "\r\n", csv.QUOTE_MINIMAL, "utf-8", False),
                    ("|", "\n", csv.QUOTE_ALL, "utf-8", False),
                    (",", "\r\n", csv.QUOTE_ALL, "utf-8", True),
                    (";", "\n", csv.QUOTE_MINIMAL, "latin-1", False)):
                found = self.one_dialect(rows, delimiter, end, quoting, encoding, bom)
                plain = plain or found
                expect_equal(found, plain, "rows in %r %r %s" % (delimiter, end, encoding))

    @staticmethod
    def one_dialect(rows, delimiter, end, quoting, encoding, bom):
        with Folder() as folder:
            text = text_of(rows, None, delimiter, end, quoting)
            table = folder.write("t.csv", ("\ufeff" if bom else "").encode() + text.encode(encoding))
            anonymize_ok(folder, table, options(extra=("--keep-order", "--encoding", encoding)))
            bytes_out = folder.read("out.csv")
            expect_equal(bytes_out.startswith(b"\xef\xbb\xbf"), bom, "byte order mark")
            found = list(csv.reader(io.StringIO(bytes_out.decode(encoding).lstrip("\ufeff"), newline=""),
                                    delimiter=delimiter))
            again = text_of(found[1:], found[0], delimiter, end, quoting)
            expect_equal(bytes_out.decode(encoding).lstrip("\ufeff"), again, "bytes in the input's dialect")
            return found

    def streams(self):
        """`-` gives the same bytes as files."""
        for _, rows in self.tables("streams", 5):
            with Folder() as folder:
                text = text_of(rows)
                keyed = options(extra=("--order-key", KEY))
                anonymize_ok(folder, folder.write("t.csv", text), keyed)
                done = kanon("anonymize", "-", "-o", "-", "-q", *keyed, stdin=text.encode())
                expect(done.code == 0, done.line())
                expect_equal(done.out, folder.read("out.csv"), "bytes from standard input to output")

    def compressed(self):
        """gzip: the same rows in the same order."""
        for _, rows in self.tables("gzip", 5):
            with Folder() as folder:
                text = text_of(rows)
                keyed = options(extra=("--order-key", KEY))
                anonymize_ok(folder, folder.write("t.csv", text), keyed)
                packed = folder.write("t.csv.gz", gzip.compress(text.encode()))
                anonymize_ok(folder, packed, keyed, out="gz.csv")
                expect_equal(released(folder, "gz.csv"), released(folder), "rows")

    def check_agrees(self):
        """`kanon check` on a release finds the k that the report promised."""
        for rng, rows in self.tables("check"):
            with Folder() as folder:
                table = folder.write("t.csv", text_of(rows))
                suppressed = rng.choice(["drop", "mask"])
                report = anonymize_ok(folder, table, options(extra=("--suppressed", suppressed)))
                arguments = ("check", folder.file("out.csv"), "--qi", ",".join(QUASI), "--sensitive",
                             "illness", "--json")
                done = kanon(*arguments)
                expect(done.code == 0, done.line())
                found = json_of(done.out)
                k = report["solution"]["k"]
                expect_equal(found["k"], k, "k of the release")
                expect_equal(found["rows"], len(released(folder)) - 1, "rows of the release")
                expect_equal(kanon(*arguments, "-k", k).code, 0, "exit code at its own k")
                expect_equal(kanon(*arguments, "-k", k + 1).code, 1, "exit code above its k")
                self.by_hand(found, released(folder))

    @staticmethod
    def by_hand(found, records):
        """k, classes, l and uniques of a table, counted here."""
        index = [records[0].index(name) for name in QUASI]
        label = records[0].index("illness")
        classes = {}
        for row in records[1:]:
            classes.setdefault(tuple(row[i] for i in index), []).append(row[label])
        sizes = [len(rows) for rows in classes.values()]
        expect_equal(found["classes"], len(sizes), "classes")
        expect_equal(found["l"], min(len(set(rows)) for rows in classes.values()), "l")
        expect_equal(found["risk"]["uniques"], sizes.count(1), "uniques")
        expect(close(found["risk"]["prosecutor_max"], 1 / min(sizes)), "prosecutor_max")

    def bad_input(self):
        """A failure leaves no output and does not touch an existing one; one line says why."""
        for _, rows in self.tables("bad", 1):
            good = text_of(rows)
            for name, text, change, code in bad_inputs(good):
                for existing in (None, b"precious"):
                    self.one_failure(name, text, change, code, existing)

    @staticmethod
    def one_failure(name, text, change, code, existing):
        with Folder() as folder:
            table = folder.write("t.csv", text) if text is not None else folder.file("absent.csv")
            if existing is not None:
                folder.write("out.csv", existing)
            folder.write("loose.csv", "F;x;*\nM;x;*\n?;y;z\n")
            folder.write("short.csv", "F;*\n")
            folder.write("odd.yaml", "k: 3\nsupression: 0.1\n")
            before = sorted(os.listdir(folder.path))
            extra = [part.replace("FOLDER", folder.path) for part in change]
            done, _ = anonymize(folder, table, options(extra=extra))
            expect(done.code in code, "%s: %s" % (name, done.line()))
            expect(done.err.startswith(b"kanon: ") and done.err.count(b"\n") == 1,
                   "%s: not one line on standard error: %r" % (name, done.err))
            after = sorted(os.listdir(folder.path))
            expect_equal([f for f in after if f != "report.json"], before, "%s: files" % name)
            if existing is not None:
                expect_equal(folder.read("out.csv"), existing, "%s: the existing file" % name)


def bad_inputs(good):
    """name, table, options, exit codes."""
    lines = good.splitlines()
    return (
        ("ragged row", good + "a,b\n", (), (1,)),
        ("open quote", good + '"a,1,2,3,4,5,6\n', (), (1,)),
        ("not UTF-8", good.encode() + b"p,30,80010,\xff,1950-01-01,flu,x\n", (), (1,)),
        ("no rows at all", "", (), (1,)),
        ("twice the same column", "\n".join([lines[0].replace("note", "age")] + lines[1:]) + "\n", (), (1,)),
        ("no such file", None, (), (1, 3)),
        ("no such column", good, ("--qi", "height"), (1,)),
        ("bad k", good, ("-k", "zero"), (1,)),
        ("bad suppression", good, ("--suppression", "2"), (1,)),
        ("unknown option", good, ("--sead", "3"), (1,)),
        ("unknown algorithm", good, ("--algorithm", "kgem"), (1,)),
        ("unknown metric", good, ("--metric", "lag"), (1,)),
        ("unknown config key", good, ("-c", "FOLDER/odd.yaml"), (1,)),
        ("no such config", good, ("-c", "FOLDER/none.yaml"), (1, 3)),
        ("two roots", good, ("--hierarchy", "sex=FOLDER/loose.csv"), (1,)),
        ("value without a line", good, ("--hierarchy", "sex=FOLDER/short.csv"), (1,)),
        ("no such hierarchy", good, ("--hierarchy", "sex=FOLDER/none.csv"), (1, 3)),
        ("widths that do not nest", good, ("--hierarchy", "age=range:4,10"), (1,)),
        ("words as numbers", good, ("--hierarchy", "illness=range:5", "--qi", "illness"), (1,)),
        ("words as dates", good, ("--hierarchy", "sex=date:year"), (1,)),
        ("k above the rows", good, ("-k", "1000"), (2,)),
    )


def json_of(data):
    return json.loads(data.decode("utf-8"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=either(6, 25))
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    properties, suite = Properties(given.seed, given.rounds), Suite()
    for name in ("row_order", "column_order", "unit_interval", "seeds", "input_decides_order",
                 "keep_order", "dialects", "streams", "compressed", "check_agrees", "bad_input"):
        def guarded(check=getattr(properties, name)):
            need_tool()
            check()
        suite.check("property-" + name.replace("_", "-"), guarded)
    suite.end()


if __name__ == "__main__":
    main()
