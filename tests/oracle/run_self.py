#!/usr/bin/env python3
"""run_self.py -- the second implementation against numbers worked out by hand."""
import math
from fractions import Fraction

import hierarchies as hi
from common import Failed, Folder, Suite, close, expect, expect_equal
from oracle import Problem, accuracy, mean_accuracy, suppression_rows
from verify_release import verify


def four_rows():
    ages, codes = ["24", "28", "42", "49"], ["80015", "80019", "85073", "85071"]
    genders = ["F", "M", "F", "M"]
    made = [hi.from_range(ages, None, [5, 10, 50]), hi.from_mask(codes, None, "right"),
            hi.from_rows([["F", "P"], ["M", "P"]], ["F", "M"], None, ())]
    label = ["Assault", "Kidnapping", "Homicide", "Rape"]
    return Problem([ages, codes, genders], made, 2, 0, label)


def metrics_without_suppression():
    problem = four_rows()
    node = problem.node((2, 1, 1))
    expect(node.feasible and node.outlying == 0, "node 2,1,1 is feasible")
    expected = {"log": 1.7 / 3, "precision": 1.7 / 3, "los": 0, "height": 4, "dm": 8,
                "glm": (0.28 + 1 / 3 + 1) / 3, "glm_sum": (0.28 + 1 / 3 + 1) * 4,
                "gcp": (0.28 + 0.5 + 1) / 3, "total_il": (0.28 + 0.2 + 1) / 3,
                "total_il_literal": (28 / 25 + 2.4) / 12, "cm": 0.5, "c_avg": 1, "entropy": 2 / 3}
    for name, value in node.metrics().items():
        expect(close(value, expected[name]), "%s is %r, by hand %r" % (name, value, expected[name]))
    expect_equal(problem.bounds(), [2, 1, 0], "bounds")
    expect_equal(problem.heights(), [4, 5, 1], "heights")
    expect_equal(problem.released_labels(node)[0], ["20 to 29", "8001*", "P"], "labels")
    expect_equal(problem.optimum("height").levels, (2, 1, 1), "optimum by height")


def metrics_with_suppression():
    rows = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]]  # c is known to the file alone
    column = ["a", "a", "b"]
    made = hi.from_rows(rows, ["a", "b"], None, ())
    problem = Problem([column], [made], 2, 0.35)
    node = problem.node((0,))
    expect_equal((problem.limit, node.outlying, node.feasible), (1, 1, True), "limit, outlying, feasible")
    worst = 2 * math.log2(1.5) + math.log2(3)
    expected = {"log": 0, "precision": 1 / 3, "los": 1 / 3, "height": 0, "dm": 7, "glm": 1 / 3,
                "glm_sum": 1, "gcp": 1 / 3, "total_il": 1 / 3, "total_il_literal": 1 / 3,
                "cm": 1 / 3, "c_avg": 1.5, "entropy": math.log2(3) / worst}
    for name, value in node.metrics().items():
        expect(close(value, expected[name]), "%s is %r, by hand %r" % (name, value, expected[name]))
    above = problem.node((1,))
    for name, value in {"glm": 0.5, "gcp": 2 / 3, "total_il": 0.5, "precision": 0.5, "dm": 9}.items():
        expect(close(float(above.exact(name)), value), "%s at level 1" % name)
    expect_equal(problem.optimum("log").levels, (0,), "optimum by log")
    expect_equal(problem.optimum("dm").levels, (0,), "optimum by dm")


def weighted_means():
    """Ages count twice, codes not at all; what is no mean over the columns stays as it is."""
    problem = four_rows()
    problem.weights = [Fraction(2), Fraction(0), Fraction(1)]
    found = problem.node((2, 1, 1)).metrics()
    expected = {"log": (2 * 0.5 + 1) / 3, "precision": (2 * 0.5 + 1) / 3, "glm": (2 * 0.28 + 1) / 3,
                "gcp": (2 * 0.28 + 1) / 3, "total_il": (2 * 0.28 + 1) / 3, "entropy": (2 * 0.5 + 1) / 3,
                "glm_sum": (0.28 + 1 / 3 + 1) * 4, "dm": 8, "height": 4, "cm": 0.5}
    for name, value in expected.items():
        expect(close(found[name], value), "%s is %r, by hand %r" % (name, found[name], value))


def missing_values():
    made = hi.from_range(["3", "8", "13"], "?", [5, 10])
    expect_equal([made.label(l, hi.MISSING) for l in range(4)], ["?", "?", "?", "*"], "missing labels")
    loss = [made.losses(l) for l in range(4)]
    expect_equal([step[hi.MISSING][0] for step in loss], [0, 0, 0, 1], "loss of the missing value")
    expect_equal(loss[1]["3"][0], Fraction(1, 10), "0-4 clipped to 3..13")
    expect_equal(loss[2]["13"][0], Fraction(3, 10), "10-19 clipped to 3..13")
    alone = hi.from_rows([["x", "*"]], ["x"], "", ("",))
    expect_equal(alone.losses(1)["x"], (0, 0, 1), "a domain of one value and the missing one")


def kinds():
    decimals = hi.from_range(["-0.5", "0.25", "1.75"], None, ["0.5", "1"])
    expect_equal([decimals.levels[2][v] for v in ("-0.5", "0.25", "1.75")], [(-1, 0), (0, 1), (1, 2)], "decimals")
    expect_equal(decimals.losses(1)["-0.5"][0], Fraction(1, 2) / Fraction(9, 4), "[-0.5, 0]")
    expect_equal(hi.from_x10(["5182", "7"], None).height, 4, "powers of ten")
    expect_equal(hi.from_x10(["100", "150"], None).height, 3, "a level per digit of the largest")
    expect_equal(hi.from_x10(["5182", "7"], None).label(2, "5182"), "5100 to 5199", "width 100")
    masked = hi.from_mask(["12", "123", "1"], None, "right")
    expect_equal(masked.levels[1]["12"] == masked.levels[1]["123"], True, "12 and 123 share 12*")
    expect_equal(masked.levels[1]["12"] == masked.levels[1]["1"], False, "12 and 1 do not")
    days = hi.from_date(["31/01/1970", "01/02/1970"], None, ["month", "quarter", "year"], "dmy/")
    expect_equal([len(set(level.values())) for level in days.levels], [2, 2, 1, 1, 1], "dates")
    padded = hi.from_rows([["a", "a", "A", "*"], ["b", "B", "A", "*"], ["c", "B", "A", "*"]],
                          ["a", "b", "c"], None, ())
    expect_equal([padded.losses(l)["a"][2] for l in range(4)],
                 [0, 0, Fraction(2, 3), Fraction(2, 3)], "a padded tree counts once")


def small_rules():
    expect_equal(suppression_rows(0.01, 100), 1, "floor(0.01 * 100)")
    expect_equal(suppression_rows(0.29, 100), 29, "floor(0.29 * 100)")
    expect_equal(accuracy(4, 4, 8), 1, "the optimum has accuracy 1")
    expect_equal(accuracy(8, 4, 8), 0, "the top has accuracy 0")
    expect_equal(accuracy(5, 4, 8), 0.75, "one step of four")
    expect_equal(mean_accuracy([1, 0.5], [3, 1]), 0.875, "weighted mean")


RELEASE = "name,age,job\n*,20 to 29,x\n*,20 to 29,y\n"


def outside_verifier():
    """It accepts a true release and refuses a false one."""
    report = {"input": {"rows": 3, "quasi": ["age"]}, "parameters": {"k": 2, "suppression": 0.34},
              "solution": {"levels": {"age": 1}, "heights": {"age": 2}, "k": 2, "classes": 1,
                           "released_rows": 2, "suppressed_rows": 1, "masked_rows": 0},
              "columns": [{"name": "name", "role": "identifier"}]}
    with Folder() as folder:
        original = folder.write("t.csv", "name,age,job\nAnn,21,x\nBob,29,y\nEve,30,z\n")

        def refused(text):
            try:
                verify(original, folder.write("r.csv", text), report, {"age": "range:10"})
            except Failed:
                return True
            return False

        expect(not refused(RELEASE), "a true release is accepted")
        for what, text in (("an identifier", RELEASE.replace("*", "Ann", 1)),
                           ("a changed cell", RELEASE.replace("x", "z")),
                           ("a finer value", RELEASE.replace("20 to 29", "21", 1)),
                           ("a lost row", RELEASE[:-len("*,20 to 29,y\n")]),
                           ("an outlying row", RELEASE + "*,30 to 39,z\n")):
            expect(refused(text), what + " is refused")


def main():
    suite = Suite()
    for check in (metrics_without_suppression, metrics_with_suppression, weighted_means, missing_values, kinds,
                  small_rules, outside_verifier):
        suite.check("oracle-self-" + check.__name__.replace("_", "-"), check)
    suite.end()


if __name__ == "__main__":
    main()
