#!/usr/bin/env python3
"""run_papers_quick.py -- the experiments of papers/, reduced to seconds: does each of them still run, fill its
tables and draw its plots, is nothing run twice, and do the tracked results still hold?

The parts on generated tables run everywhere; those on public data sets are skipped where the data are absent."""
import csv
import filecmp
import os
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TESTS)
sys.path[:0] = [os.path.join(TESTS, "oracle"), os.path.join(ROOT, "papers")]
from common import SHARED, Failed, Skip, Suite, expect, expect_equal, need_tool, run  # noqa: E402
import plot  # noqa: E402
import record  # noqa: E402

DATA = os.path.join(SHARED, "data")
SVG = "{http://www.w3.org/2000/svg}"


def papers(which, out, data=DATA, *more):
    done = run([os.path.join(ROOT, "papers", "run"), which, "--smoke", "--data", data, "--out", out, *more])
    expect(done.code == 0, "papers/run %s: %s" % (which, done.line()))
    return done.out.decode("utf-8")


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def between(page, name):
    """The lines of a table of a page."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    return text.partition("<!-- table:%s -->\n" % name)[2].partition("<!-- end -->")[0].splitlines()


def pictures(out):
    """Every picture is XML with a white ground, and no text lies outside."""
    names = [name for name in sorted(os.listdir(os.path.join(out, "plots"))) if name.endswith(".svg")]
    expect(names, "no picture was drawn")
    for name in names:
        picture = xml.etree.ElementTree.parse(os.path.join(out, "plots", name)).getroot()
        expect_equal(picture.find(SVG + "rect").get("fill"), "white", name)
        width, height = float(picture.get("width")), float(picture.get("height"))
        for text in picture.iter(SVG + "text"):
            x, y = float(text.get("x")), float(text.get("y"))
            expect(0 <= x <= width and 0 <= y <= height, "%s: %r at %g, %g" % (name, text.text, x, y))


# --- the tools of the experiments ---------------------------------------------------------------------


def test_book(folder):
    """A row that is there is not run again; another version, or --fresh, runs it."""
    ran = []

    def task(n):
        return record.Task("toy", "none", {"n": n}, 1, lambda: ran.append(n) or {"loss": n / 2})

    def fill(sizes, fresh=False):
        job = record.Job("/nowhere", folder, "smoke", 2, fresh)
        return job.book("toy.csv", ("loss",)).fill(task(n) for n in sizes)

    expect_equal([row.loss for row in fill((3, 1, 2))], [1.5, 0.5, 1.0], "measurements")
    expect_equal(sorted(ran), [1, 2, 3], "runs")
    fill((1, 2, 3, 4))
    expect_equal(ran[3:], [4], "runs of the second time")
    path = os.path.join(folder, "data", "toy.csv")
    expect_equal([row["settings"] for row in rows_of(path)], ["n=1", "n=2", "n=3", "n=4"], "order")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(",%s," % record.version(), ",0.0.0,", 1))
    del ran[:]
    fill((2, 3))
    expect_equal((ran, sorted((row["settings"], row["version"]) for row in rows_of(path))[0]), ([], ("n=1", "0.0.0")),
                 "a row of another version, whose task was not asked for")
    fill((1, 2, 3, 4))
    expect_equal(ran, [1], "runs after a change of version")
    expect_equal([row["version"] for row in rows_of(path)], [record.version()] * 4, "versions after that")
    fill((1,), True)
    expect_equal(ran, [1, 1], "runs with --fresh")
    job = record.Job("/nowhere", folder, "smoke", as_is=True)
    found = job.book("toy.csv", ("loss",)).fill(task(n) for n in (9, 1))
    expect_equal(([row.set["n"] for row in found], ran), ([1], [1, 1]), "rows and runs with --as-is")


def test_page(folder):
    """Text between marks is replaced, prose stays; a page without the place is an error."""
    job = record.Job("/nowhere", folder, "smoke")
    with open(os.path.join(folder, "P.md"), "w", encoding="utf-8") as file:
        file.write("before\n<!-- table:one -->\nold\n<!-- end -->\nbetween\n<!-- table:two -->\n<!-- end -->\n")
    job.put("P.md", "one", "new \\1\n")
    with open(os.path.join(folder, "P.md"), encoding="utf-8") as file:
        expect_equal(file.read(), "before\n<!-- table:one -->\nnew \\1\n<!-- end -->\nbetween\n"
                     "<!-- table:two -->\n<!-- end -->\n", "page")
    try:
        job.put("P.md", "three", "x")
    except ValueError:
        return
    raise Failed("a page without the place was accepted")


def test_charts(folder):
    """All kinds of charts, gaps, one point, names that need escaping; the same call gives the same bytes."""
    for name in ("one", "two"):
        os.makedirs(os.path.join(folder, name, "plots"), exist_ok=True)
        path = lambda kind: os.path.join(folder, name, "plots", kind + ".svg")
        plot.line_chart(path("line"), "a & <b>", "x", "y", [
            plot.Series("first & <last>", [(1, 10, 9, 11), (2, None), (3, 1000, 900, 1100)], open_at=(3,)),
            plot.Series("bars", [(1, 3, 1, 5), (3, 4, 2, 6)], spread="bars", dashed=True), ("one point", [(2, 7)])],
            x_log=False, references=[plot.Reference("y", 500, "limit"), plot.Reference("x", 2, "here")])
        plot.line_chart(path("flat"), "flat", "x", "y", [("flat", [(1, 0), (2, 0)])], False, False)
        plot.scatter_chart(path("scatter"), "front", "k", "loss", [
            plot.Series("exact", [(1, 5), (2, 3), (4, 1)], step=True), ("found", [(1.5, 4), (3, 2)])])
        plot.bar_chart(path("bars"), "bars", "ns", [("one", 1), ("two", 2, 1), ("three", 3, 2, 2.5, 3.5)])
        pictures(os.path.join(folder, name))
    same = filecmp.cmpfiles(os.path.join(folder, "one", "plots"), os.path.join(folder, "two", "plots"),
                            ["line.svg", "flat.svg", "scatter.svg", "bars.svg"], shallow=False)
    expect_equal((same[1], same[2]), ([], []), "charts that differ")


def test_guard(folder):
    """A reduced run must not write over the results."""
    need_tool()
    done = run([os.path.join(ROOT, "papers", "run"), "kgen", "--smoke", "--out", record.PAGES, "--data", folder])
    expect(done.code != 0, "a reduced run was allowed to write into docs/results")


# --- experiments --------------------------------------------------------------------------------------


def test_kgen_generated(folder):
    """Without any data: the stand-in of F2 is made and searched, Section 7 is counted."""
    need_tool()
    said = papers("kgen", folder, os.path.join(folder, "nothing"))
    expect("skip:" in said, "nothing was said about the data that are absent")
    found = rows_of(os.path.join(folder, "data", "kgen.csv"))
    expect_equal({row["data"] for row in found}, {"f2"}, "tables")
    for n in {row["settings"].split()[0] for row in found}:
        exact = {row["log"] for row in found if row["optimal"] == "yes" and row["settings"].startswith(n + " ")}
        expect_equal(len(exact), 1, "optimal LOG by exhaustive, OLA and optimal, %s" % n)
    for line in between(os.path.join(folder, "KGEN.md"), "section7")[2:]:
        expect_equal(line.split("|")[4].strip(), "0", "feasible nodes below the bounds: %s" % line)
    pictures(folder)
    before = os.stat(os.path.join(folder, "data", "kgen.csv")).st_size
    papers("kgen", folder, os.path.join(folder, "nothing"))
    expect_equal(os.stat(os.path.join(folder, "data", "kgen.csv")).st_size, before, "size after a second run")


def test_tabu_generated(folder):
    """Without any data: which way DM goes."""
    need_tool()
    papers("tabu", folder, os.path.join(folder, "nothing"))
    values = [int(line.split("|")[2].replace(",", "")) for line in
              between(os.path.join(folder, "TABU.md"), "direction")[2:7]]
    expect_equal(values, sorted(values), "DM from the untouched table to *")
    expect_equal((values[0], values[-1]), (24, 24 * 24), "DM of all different and of all equal rows")


def test_smoke(which, pages, folder):
    """With data: everything, a little of each."""
    need_tool()
    if not os.path.isdir(DATA):
        raise Skip("no data at %s" % DATA)
    papers(which, folder)
    for page in pages:
        expect(os.path.exists(os.path.join(folder, page)), "%s was not made" % page)
    pictures(folder)


def test_tracked(folder):
    """Rows of the reduced runs that are rows of the tracked results have the same outcome, whichever version those are of."""
    same = 0
    for name, fields in (("kgen.csv", ("log", "los", "height", "evaluations")),
                         ("tabu.csv", ("dm", "los", "evaluations")),
                         ("pbg_runs.csv", ("points", "evaluations", "rr")),
                         ("peers.csv", ("end", "loss", "suppressed"))):
        tracked, now = (os.path.join(place, "data", name) for place in (record.PAGES, folder))
        if not os.path.exists(tracked) or not os.path.exists(now):
            continue
        key = lambda row: tuple(row[part] for part in ("data", "algorithm", "settings", "seed"))
        known = {key(row): row for row in rows_of(tracked)}
        for row in rows_of(now):
            if key(row) in known and "time-limit" not in (row.get("stopped"), row.get("end")):
                expect_equal([row[field] for field in fields], [known[key(row)][field] for field in fields],
                             "%s of %s" % (" ".join(fields), " ".join(key(row))))
                same += 1
    if not same:
        raise Skip("no tracked results of these runs")


def main():
    suite = Suite()
    with tempfile.TemporaryDirectory(prefix="kanon-test-") as folder:
        place = lambda name: os.path.join(folder, name)
        for name, function in (("book", test_book), ("page", test_page), ("charts", test_charts),
                               ("guard", test_guard), ("kgen generated", test_kgen_generated),
                               ("tabu generated", test_tabu_generated)):
            os.makedirs(place(name))
            suite.check("papers: " + name, function, place(name))
        for which, pages in (("kgen", ("KGEN.md",)), ("tabu", ("TABU.md",)), ("kab", ("KAB.md",)),
                             ("pbg", ("PBG-EA.md",)), ("peers", ("PEERS.md",))):
            suite.check("papers: smoke " + which, test_smoke, which, pages, place("smoke"))
        suite.check("papers: tracked results", test_tracked, place("smoke"))
    suite.end()


if __name__ == "__main__":
    main()
