"""pbg.py -- the experiment of "On the identification of property based generalizations in microdata
anonymization" (Dewri, Ray, Ray and Whitley 2010, Section 7): PBG-EA on Adult with 8 quasi-identifiers, held
against the exact front. Figures 1 to 3, Tables 1 (b), 2 (a) and 2 (b); page PBG-EA.md, data pbg_fronts.csv
(every point of the exact fronts and of the runs that are drawn) and pbg_runs.csv (one row a run).

    papers/run pbg                      all of it
    python3 papers/pbg.py FOLDER        only writes the hierarchies, and prints the options that use them

The paper does not print its hierarchies, only their lengths: age 6, work class 3, education 3, marital status 3,
race 1, gender 1, native country 4, salary class 1, so 17,920 nodes; those below have these lengths. Occupation
is sensitive, 1 % of the rows (301) may be suppressed. Where CM is an objective, salary class is its label and
the lattice has 8,960 nodes. The paper's GLM is a sum over cells (glm_sum); all sides of boxes are 1 unless
a set says otherwise; one row is the side of CM."""
import functools
import json
import math
import os
import sys
import tempfile

from plot import Series, scatter_chart
from record import KANON, Task, deviation, grouped, group, markdown, mean, spend

PAGE = "PBG-EA.md"
# One line a value: what it becomes at levels 1, 2 ...; the last level is * for all.
HIERARCHIES = {
    "workclass": """
        Private;Private;Non-government  Self-emp-not-inc;Self-employed;Non-government
        Self-emp-inc;Self-employed;Non-government  Without-pay;Unpaid;Non-government
        Federal-gov;Federal;Government  Local-gov;Regional;Government  State-gov;Regional;Government""",
    "education": """
        Preschool;Primary;Up-to-secondary  1st-4th;Primary;Up-to-secondary  5th-6th;Primary;Up-to-secondary
        7th-8th;Lower-secondary;Up-to-secondary  9th;Lower-secondary;Up-to-secondary
        10th;Lower-secondary;Up-to-secondary  11th;Upper-secondary;Up-to-secondary
        12th;Upper-secondary;Up-to-secondary  HS-grad;Upper-secondary;Up-to-secondary
        Some-college;College;Higher  Assoc-voc;College;Higher  Assoc-acdm;College;Higher
        Bachelors;Degree;Higher  Masters;Advanced;Higher  Prof-school;Advanced;Higher
        Doctorate;Advanced;Higher""",
    "marital-status": """
        Married-civ-spouse;Married;With-spouse  Married-AF-spouse;Married;With-spouse
        Married-spouse-absent;Apart;Without-spouse  Separated;Apart;Without-spouse
        Divorced;Formerly-married;Without-spouse  Widowed;Formerly-married;Without-spouse
        Never-married;Never-married;Without-spouse""",
    "race": "White Black Asian-Pac-Islander Amer-Indian-Eskimo Other",
    "sex": "Male Female",
    "salary-class": "<=50K >50K",
    "native-country": """
        United-States;Northern-America;America;West  Canada;Northern-America;America;West
        Outlying-US(Guam-USVI-etc);Northern-America;America;West
        Puerto-Rico;Caribbean;America;West  Cuba;Caribbean;America;West  Jamaica;Caribbean;America;West
        Dominican-Republic;Caribbean;America;West  Haiti;Caribbean;America;West
        Trinadad&Tobago;Caribbean;America;West
        Mexico;Central-America;America;West  El-Salvador;Central-America;America;West
        Guatemala;Central-America;America;West  Nicaragua;Central-America;America;West
        Honduras;Central-America;America;West
        Columbia;South-America;America;West  Peru;South-America;America;West
        Ecuador;South-America;America;West
        England;Western-Europe;Europe;West  Germany;Western-Europe;Europe;West
        France;Western-Europe;Europe;West  Ireland;Western-Europe;Europe;West
        Scotland;Western-Europe;Europe;West  Holand-Netherlands;Western-Europe;Europe;West
        Italy;Southern-Europe;Europe;West  Portugal;Southern-Europe;Europe;West
        Greece;Southern-Europe;Europe;West
        Poland;Eastern-Europe;Europe;West  Hungary;Eastern-Europe;Europe;West
        Yugoslavia;Eastern-Europe;Europe;West
        India;Southern-Asia;Asia;East  Iran;Southern-Asia;Asia;East
        China;Eastern-Asia;Asia;East  Taiwan;Eastern-Asia;Asia;East  Hong;Eastern-Asia;Asia;East
        Japan;Eastern-Asia;Asia;East
        Philippines;South-East-Asia;Asia;East  Vietnam;South-East-Asia;Asia;East
        Thailand;South-East-Asia;Asia;East  Laos;South-East-Asia;Asia;East
        Cambodia;South-East-Asia;Asia;East  South;South-Elsewhere;Asia;East""",
}
AGE = "range:5,10,20,40,80"
QUASI = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country", "salary-class")

# (title, objectives, boxes, the paper's CE mean and variance, RR mean and variance, nodes measured)
FIRST = (
    ("k, GLM", "k,glm_sum", "", (3.7e-4, 6.5e-9, 0.94, 8e-4, 916)),
    ("k, l, GLM", "k,l,glm_sum", "", (3.3e-4, 1.1e-7, 0.93, 1.1e-3, 946)),
    ("S_k, GLM", "s_k,glm_sum", "", (5.7e-4, 2.5e-7, 0.84, 1.7e-3, 1136)),
    ("S_k, S_l, GLM", "s_k,s_l,glm_sum", "", (6.6e-4, 2.0e-7, 0.83, 1.4e-3, 1197)),
    ("k, GLM, CM", "k,glm_sum,cm", "cm=%.12g" % (1 / 30162), (None, None, None, None, 1073)),
)
SECOND = (
    ("5, –, 100", "k,glm_sum", "k=5,glm_sum=100", (4.3e-4, 2.6e-7, 0.95, 1.6e-3, None)),
    ("10, –, 1000", "k,glm_sum", "k=10,glm_sum=1000", (1.6e-4, 8.0e-8, 0.98, 8.2e-4, None)),
    ("50, –, 10000", "k,glm_sum", "k=50,glm_sum=10000", (1.7e-4, 1.1e-8, 1.0, 0, None)),
    ("5, 2, 100", "k,l,glm_sum", "k=5,l=2,glm_sum=100", (4.9e-3, 2.5e-7, 0.92, 1.2e-3, None)),
    ("10, 4, 1000", "k,l,glm_sum", "k=10,l=4,glm_sum=1000", (7.4e-3, 9.3e-7, 0.92, 7.0e-4, None)),
    ("50, 6, 10000", "k,l,glm_sum", "k=50,l=6,glm_sum=10000", (1.8e-2, 8.2e-6, 0.88, 1.7e-3, None)),
)
# The paper's operators and nothing else, and what kanon does unless told otherwise.
GUIDES = ("off", "on")
WHO = {"off": "the paper's operators (`guide=off`)", "on": "kanon (`guide=on`)"}
DRAWN = 1  # the seed of the runs that are drawn
FRONT_MEASURES = ("nodes", "points", "cpu_s", "front")
RUN_MEASURES = ("points", "evaluations", "share", "ce", "ce_mean", "rr", "cpu_s")


# --- the job ------------------------------------------------------------------------------------------


def write_hierarchies(folder):
    """Options that name all quasi-identifiers with their hierarchies."""
    options = []
    for name in QUASI:
        if name == "age":
            options += ["--hierarchy", "age=" + AGE]
            continue
        path = os.path.join(folder, name + ".csv")
        with open(path, "w", encoding="utf-8") as file:
            for line in HIERARCHIES[name].split():
                file.write(line + ";*\n")
        options += ["--hierarchy", "%s=file:%s" % (name, path)]
    return options


def options_of(objectives, hierarchies):
    """Columns and hierarchies; salary class is no quasi-identifier where it is the label of CM."""
    label = "cm" in objectives.split(",")
    quasi = [name for name in QUASI if not (label and name == "salary-class")]
    kept = []
    for flag, value in zip(hierarchies[::2], hierarchies[1::2]):
        if value.split("=", 1)[0] in quasi:
            kept += [flag, value]
    options = ["--qi", ",".join(quasi), "--sensitive", "occupation", "--suppression", "0.01"] + kept
    return options + (["--label", "salary-class"] if label else [])


def pareto(table, options):
    """@return (the front as JSON, processor seconds)"""
    with tempfile.TemporaryDirectory(prefix="kanon-papers-") as folder:
        front = os.path.join(folder, "front.json")
        _, cpu, _ = spend([KANON, "pareto", table, "-o", front, "--quiet", "--threads", "1"] + options, folder,
                          3600)
        with open(front, encoding="utf-8") as file:
            return json.load(file), cpu


def points_of(found):
    return [tuple(point["values"][name] for name in found["objectives"]) for point in found["front"]]


def spelled(points):
    """Points as one cell of a CSV file, exactly."""
    return ";".join(":".join(repr(value) for value in point) for point in points)


def read(cell):
    return [tuple(float(value) for value in point.split(":")) for point in cell.split(";")]


class Front:
    """The exact front of a set of objectives, and what another one is worth beside it."""

    def __init__(self, objectives, minimal, boxes):
        self.names, self.minimal = objectives.split(","), minimal
        sides = {name: float(side) for name, side in (pair.split("=") for pair in boxes.split(",") if pair)}
        self.sides = [sides.get(name, 1) for name in self.names]
        self.rises = [name in ("k", "l", "s_k", "s_l") for name in self.names]
        self.most = [max(abs(v[i]) for v in minimal) or 1 for i in range(len(self.names))]
        self.marked = self.non_dominated({self.box(v) for v in minimal})

    def box(self, values):
        return tuple((-1 if rises else 1) * math.floor(v / side + 1e-9)
                     for v, side, rises in zip(values, self.sides, self.rises))

    @staticmethod
    def non_dominated(boxes):
        kept = []
        for box in sorted(boxes):
            if not any(all(a <= b for a, b in zip(other, box)) for other in kept):
                kept.append(box)
        return set(kept)

    def scaled(self, points):
        return [tuple(v / m for v, m in zip(values, self.most)) for values in points]

    def error(self, points):
        """CE: how far the points are from minimal ones, in all."""
        minimal = self.scaled(self.minimal)
        return math.fsum(min(math.dist(mine, other) for other in minimal) for mine in self.scaled(points))

    def ratio(self, points):
        """RR: the share of the marked boxes that hold a point."""
        return len({self.box(values) for values in points} & self.marked) / len(self.marked)


def exact_options(objectives, hierarchies):
    none = ",".join("%s=0" % name for name in objectives.split(","))
    return options_of(objectives, hierarchies) + ["--objectives", objectives, "--algorithm", "exact", "--boxes",
                                                  none]


def run_options(objectives, boxes, guide, seed, hierarchies):
    return options_of(objectives, hierarchies) + [
        "--objectives", objectives, "--algorithm", "pbg-ea", "--seed", str(seed), "--param",
        "guide=" + guide] + (["--boxes", boxes] if boxes else [])


def measure_front(table, options):
    found, cpu = pareto(table, options)
    points = points_of(found)
    return {"nodes": found["evaluations"], "points": len(points), "cpu_s": round(cpu, 3), "front": spelled(points)}


def measure_run(table, options, front, nodes):
    found, cpu = pareto(table, options)
    points = points_of(found)
    error = front.error(points)
    return {"points": len(points), "evaluations": found["evaluations"], "share": found["evaluations"] / nodes,
            "ce": error, "ce_mean": error / len(points), "rr": front.ratio(points), "cpu_s": round(cpu, 3)}


def settings(objectives, boxes, guide=None):
    found = {"objectives": objectives, "boxes": boxes or "1", "suppression": 0.01}
    return dict(found, guide=guide) if guide else found


def exact_fronts(job, table, hierarchies, sets):
    """{objectives: row} of the exact fronts; and {(objectives, guide): points} of the runs that are drawn."""
    book = job.book("pbg_fronts.csv", FRONT_MEASURES)
    names = list(dict.fromkeys(objectives for _, objectives, _, _ in sets))
    rows = book.fill(Task("adult", "exact", settings(name, "0"), 1, functools.partial(
        measure_front, table, exact_options(name, hierarchies))) for name in names)
    exact = dict(zip(names, rows))
    drawn = [(objectives, boxes, guide) for _, objectives, boxes, _ in FIRST if objectives in exact
             for guide in GUIDES]
    rows = book.fill(Task("adult", "pbg-ea", settings(*one), DRAWN, functools.partial(
        measure_front, table, run_options(*one, DRAWN, hierarchies))) for one in drawn)
    return exact, {(one[0], one[2]): read(row["front"]) for one, row in zip(drawn, rows)}


def all_runs(job, table, hierarchies, sets, exact):
    """(fronts, rows): {(objectives, boxes): Front}, and the rows of pbg_runs.csv."""
    fronts = {(objectives, boxes): Front(objectives, read(exact[objectives]["front"]), boxes)
              for _, objectives, boxes, _ in sets}
    tasks = []
    for (objectives, boxes), front in fronts.items():
        nodes = exact[objectives].nodes
        for guide in GUIDES:
            for seed in range(1, job.pick(20, 3, 1) + 1):
                tasks.append(Task("adult", "pbg-ea", settings(objectives, boxes, guide), seed, functools.partial(
                    measure_run, table, run_options(objectives, boxes, guide, seed, hierarchies), front, nodes)))
    return fronts, job.book("pbg_runs.csv", RUN_MEASURES).fill(tasks)


# --- tables -------------------------------------------------------------------------------------------


def number(value, form="%.2g"):
    return "–" if value is None else form % value


def with_variance(mean_value, variance, form):
    return "–" if mean_value is None else "%s (%s)" % (form % mean_value, number(variance))


def variance(values):
    return deviation(values) ** 2


def table_of(sets, fronts, rows, head):
    """Three lines a set: the paper's operators, kanon, and what the paper prints."""
    lines, runs = [], group(rows, "objectives", "boxes", "guide")
    for title, objectives, boxes, paper in sets:
        front = fronts[objectives, boxes]
        first = (title, str(len(front.minimal)), str(len(front.marked)))
        for guide in GUIDES:
            found = runs[objectives, boxes or 1, guide]
            of = lambda name: [getattr(row, name) for row in found]
            lines.append(first + (
                WHO[guide], number(mean(of("ce"))), with_variance(mean(of("ce_mean")), variance(of("ce_mean")), "%.2g"),
                with_variance(mean(of("rr")), variance(of("rr")), "%.3f"),
                "%.0f (%.1f %%)" % (mean(of("evaluations")), 100 * mean(of("share"))), "%.2f" % mean(of("cpu_s"))))
            first = ("", "", "")
        lines.append(first + ("the paper", "", with_variance(paper[0], paper[1], "%.2g"),
                              with_variance(paper[2], paper[3], "%.2f"), number(paper[4], "%d"), ""))
    return markdown((head, "minimal points", "boxes", "", "CE, sum", "CE, mean (variance)", "RR (variance)",
                     "nodes measured", "cpu s"), lines, "lrrlrrrrr")


class Figures:
    """Means by set and guide, for the verdicts."""

    def __init__(self, fronts, rows):
        self.fronts, self.runs = fronts, group(rows, "objectives", "boxes", "guide")

    def of(self, name, objectives, boxes="", guide="off"):
        return mean(getattr(row, name) for row in self.runs[objectives, boxes or 1, guide])

    def first(self, name, guide="off"):
        """One value for each set of Table 1 (b)."""
        return [self.of(name, objectives, boxes, guide) for _, objectives, boxes, _ in FIRST]

    def listed(self, name, guide="off", form="%.3f", sets=5):
        return ", ".join(form % value for value in self.first(name, guide)[:sets])


def verdict(holds, partly=False):
    return "holds" if holds else "holds partly" if partly else "does not hold"


def claims(f):
    """(what the paper says, what came out, verdict)"""
    rr, share, nodes = f.first("rr"), f.first("share"), f.first("evaluations")
    paper = [p[2] for _, _, _, p in FIRST[:4]]
    near = [abs(a - b) for a, b in zip(rr, paper)]
    worst, spread = rr[:2], rr[2:4]
    rise = [f.of("rr", objectives, boxes) for _, objectives, boxes, _ in SECOND[:3]]
    minimal = [len(f.fronts[objectives, boxes].minimal) for _, objectives, boxes, _ in FIRST]
    steady = max(variance([row.rr for row in f.runs[o, b or 1, "off"]]) for _, o, b, _ in FIRST + SECOND)
    error = max(math.sqrt(variance([row.rr for row in f.runs[o, b or 1, "off"]]) / len(f.runs[o, b or 1, "off"]))
                for _, o, b, _ in FIRST[:4])
    ends = all(min(v[0] for v in f.fronts[o, b].minimal) == 1 and max(v[0] for v in f.fronts[o, b].minimal) == 30162
               for _, o, b, _ in FIRST if o.startswith("k,"))
    return [
        ("RR is .94, .93, .84, .83 for the four sets of Table 1 (b)",
         "%s, with hierarchies of the same lengths" % f.listed("rr", sets=4),
         verdict(max(near) <= .03, max(near) <= .1)),
        ("CE is 3.3 to 6.6·10⁻⁴, defined as a sum over the points of a run",
         "as a sum %s; as a mean over the points %s" % (
             f.listed("ce", form="%.2g", sets=4), f.listed("ce_mean", form="%.2g", sets=4)),
         "does not hold as defined; holds as a mean"),
        ("the results are persistent: low variance over 20 runs",
         "greatest variance of RR %.2g in the %d sets of Tables 1 (b) and 2 (a)" % (steady, len(FIRST + SECOND)),
         verdict(steady < 5e-3)),
        ("about 5 to 7 % of the nodes are measured (k, GLM, CM: 11.9 %)",
         ", ".join("%.1f %%" % (100 * value) for value in share),
         verdict(max(share[:4]) <= .067 and share[4] <= .13)),
        ("RR is lower for the spread based properties S_k and S_l than for k and l",
         "%.3f and %.3f against %.3f and %.3f, with standard errors of up to %.3f" % (*spread, *worst, error),
         # beyond chance: a difference of two means has about 1.4 of these errors
         verdict(min(worst) - max(spread) > 2 * math.sqrt(2) * error,
                 mean(worst) - mean(spread) > 2 * math.sqrt(2) * error)),
        ("a third property has little influence on RR",
         "%.3f to %.3f, and %.3f to %.3f" % (rr[0], rr[1], rr[2], rr[3]),
         verdict(abs(rr[0] - rr[1]) < .03 and abs(rr[2] - rr[3]) < .03)),
        ("spread based properties have more minimal points",
         "%d and %d against %d and %d" % (minimal[2], minimal[3], minimal[0], minimal[1]),
         verdict(min(minimal[2:4]) > max(minimal[:2]))),
        ("three properties need slightly more nodes than two", "%.0f to %.0f, and %.0f to %.0f" % tuple(nodes[:4]),
         verdict(nodes[1] > nodes[0] and nodes[3] > nodes[2])),
        ("larger boxes for k and GLM make RR rise (.95, .98, 1.0)",
         ", ".join("%.3f" % value for value in rise), verdict(rise == sorted(rise), rise[-1] > rr[0])),
        ("the bottom and the top of the lattice are minimal", "%s on every exact front with k" % (
            "both are" if ends else "not both are"), verdict(ends)),
        ("the trade in k, l, GLM is in loss rather than between k and l",
         "k and l rise together: rank correlation %.2f over the exact front" % rank_correlation(
             f.fronts["k,l,glm_sum", ""].minimal, 0, 1),
         verdict(rank_correlation(f.fronts["k,l,glm_sum", ""].minimal, 0, 1) > .5)),
        ("k, GLM, CM: choosing a higher GLM for the same k can lower CM (points scattered in GLM and CM)",
         "%d of the %d values of k on the front have points with different GLM and CM; rank correlation of GLM and "
         "CM %.2f" % (*several(f.fronts[FIRST[4][1], FIRST[4][2]].minimal),
                      rank_correlation(f.fronts[FIRST[4][1], FIRST[4][2]].minimal, 1, 2)), verdict(True)),
        ("(ours) the guide finds more with fewer nodes than the paper's operators",
         "RR %s; nodes %s against %s" % (f.listed("rr", "on"), f.listed("evaluations", "on", "%.0f"),
                                         f.listed("evaluations", "off", "%.0f")),
         verdict(all(a > b for a, b in zip(f.first("rr", "on"), rr)) and all(
             a < b for a, b in zip(f.first("evaluations", "on"), nodes)),
             all(a > b for a, b in zip(f.first("rr", "on"), rr)))),
    ]


def ranks(values):
    """Mean ranks, ties shared."""
    order, found, i = sorted(range(len(values)), key=values.__getitem__), [0.0] * len(values), 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for place in order[i:j + 1]:
            found[place] = (i + j) / 2
        i = j + 1
    return found


def rank_correlation(points, a, b):
    """Spearman's, of two of the properties."""
    x, y = ranks([p[a] for p in points]), ranks([p[b] for p in points])
    mx, my = mean(x), mean(y)
    above = math.fsum((u - mx) * (v - my) for u, v in zip(x, y))
    return above / math.sqrt(math.fsum((u - mx) ** 2 for u in x) * math.fsum((v - my) ** 2 for v in y))


def several(points):
    """(values of k with points that differ, values of k)"""
    by_k = {}
    for k, *others in points:
        by_k.setdefault(k, set()).add(tuple(others))
    return sum(len(found) > 1 for found in by_k.values()), len(by_k)


# --- figures ------------------------------------------------------------------------------------------


def bands(points, index, limits):
    """Points by the band that a value lies in. limits: (name, low, high)"""
    return [(name, [p for p in points if low <= p[index] <= high]) for name, low, high in limits]


def two_properties(job, name, title, exact, run, x_name):
    """The exact front as hollow rings; what the run found is full."""
    scatter_chart(job.plot(name), title, x_name, "GLM, sum over all cells (lower is better)", [
        Series("exact front (%d)" % len(exact), sorted(exact), dashed=True, line=False, colour=4, mark=0),
        Series("found (%d)" % len(run), sorted(run), line=False, colour=1, mark=0)], x_log=True)


def three_properties(job, name, title, exact, run, axes, limits, names):
    """Colour and shape tell the third property; hollow: exact, full: found by the run."""
    x, y, third = axes
    at = lambda points: sorted((p[x], p[y]) for p in points)
    found = []
    for number_of, ((label, minimal), (_, reached)) in enumerate(zip(bands(exact, third, limits),
                                                                     bands(run, third, limits))):
        if minimal:
            found.append(Series("%s: exact (%d)" % (label, len(minimal)), at(minimal), dashed=True, line=False,
                                colour=number_of, mark=number_of))
        if reached:
            found.append(Series("%s: found (%d)" % (label, len(reached)), at(reached), line=False,
                                colour=number_of, mark=number_of))
    scatter_chart(job.plot(name), title, *names[:2], found, x_log=names[2])


def thirds(points, index, name, form):
    """Three bands with about as many points each."""
    values = sorted({p[index] for p in points})
    cuts = [values[len(values) * i // 3] for i in (1, 2)] if len(values) > 3 else values[1:]
    ends = [values[0]] + cuts
    found = []
    for i, low in enumerate(ends):
        below = [v for v in values if i + 1 == len(ends) or v < ends[i + 1]]
        found.append(("%s %s–%s" % (name, form(low), form(max(below))), low, max(below)))
    return found


def draw(job, exact, drawn):
    minimal = {name: read(row["front"]) for name, row in exact.items()}
    if "k,glm_sum" in minimal:
        two_properties(job, "pbg_fig1a.svg", "Figure 1: k against GLM (paper's operators, one run)",
                       minimal["k,glm_sum"], drawn["k,glm_sum", "off"], "k (higher is better)")
    if "s_k,glm_sum" in minimal:
        two_properties(job, "pbg_fig2a.svg", "Figure 2: S_k against GLM (paper's operators, one run)",
                       minimal["s_k,glm_sum"], drawn["s_k,glm_sum", "off"],
                       "S_k: class sizes, summed over rows (higher is better)")
    for name, title, objectives, axes, third, form, names in (
            ("pbg_fig1b.svg", "Figure 1: k, l and GLM (paper's operators, one run)", "k,l,glm_sum", (0, 2, 1), "l",
             lambda v: "%d" % v, ("k (higher is better)", "GLM, sum over all cells (lower is better)", True)),
            ("pbg_fig2b.svg", "Figure 2: S_k, S_l and GLM (paper's operators, one run)", "s_k,s_l,glm_sum",
             (0, 2, 1), "S_l", lambda v: "%.3gM" % (v / 1e6),
             ("S_k: class sizes, summed over rows (higher is better)", "GLM, sum over all cells (lower is better)",
              True)),
            ("pbg_fig3.svg", "Figure 3: k, GLM and CM (paper's operators, one run)", "k,glm_sum,cm", (1, 2, 0), "k",
             lambda v: "%d" % v, ("GLM, sum over all cells (lower is better)",
                                  "CM, share of rows off their class's label", False))):
        if objectives in minimal:
            three_properties(job, name, title, minimal[objectives], drawn[objectives, "off"], axes,
                             thirds(minimal[objectives], axes[2], third, form), names)


def run(job):
    table = job.table("adult", "adult.csv")
    if not table:
        return
    first, second = job.pick((FIRST, SECOND), (FIRST, ()), (FIRST[:1], ()))
    with tempfile.TemporaryDirectory(prefix="kanon-papers-") as folder:
        hierarchies = write_hierarchies(folder)
        exact, drawn = exact_fronts(job, table, hierarchies, first + second)
        fronts, rows = all_runs(job, table, hierarchies, first + second, exact)
    job.put(PAGE, "properties", table_of(first, fronts, rows, "objectives"))
    draw(job, exact, drawn)
    if second:
        job.put(PAGE, "boxes", table_of(second, fronts, rows, "sides of k, l, GLM"))
        job.put(PAGE, "claims", markdown(("the paper says", "what came out", "verdict"),
                                         claims(Figures(fronts, rows)), "lll"))
        job.put(PAGE, "exact", markdown(
            ("objectives", "nodes", "minimal points", "processor seconds"),
            [(title, grouped(exact[o].nodes), str(exact[o].points), "%.2f" % exact[o].cpu_s)
             for title, o, _, _ in first]))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    print(" ".join(options_of("", write_hierarchies(sys.argv[1]))))
