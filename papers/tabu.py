"""tabu.py -- the experiment of "A new approach for k-anonymity based on tabu search and genetic algorithm" (Run,
Kim and Lee 2011, Section IV): `ga`, `tabu` and `ga-tabu` with the paper's settings on Pima and Poker, k = 1 to 15,
50 seeds each, by the discernibility metric; `exhaustive` proves the optimum.

Equal cycles are not equal work, so each k is run again with as many checks as `ga-tabu` took on average: `ga` and
`tabu` go on until they have spent them, `tabu` starts anew as often as they allow, `kgen` has the same budget."""
import collections
import csv
import functools
import math
import os
import random
import tempfile

from plot import Series, line_chart
from record import Row, Task, deviation, group, grouped, hierarchies, kanon, markdown, mean, written

PAGE = "TABU.md"
# The paper does not say how its hierarchies look, only that they are made of intervals.
PIMA = {"Pregnancies": "range:2,4,8", "Glucose": "range:20,40,80", "BloodPressure": "range:10,20,40",
        "SkinThickness": "range:10,20,40", "Insulin": "range:50,100,400", "BMI": "range:5,10,20",
        "DiabetesPedigreeFunction": "range:0.2,0.4,0.8", "Age": "range:5,10,20"}
POKER = {"%s%d" % (kind, card): spec for card in range(1, 6)
         for kind, spec in (("s", "order:2"), ("r", "range:2,4,8"))}
TABLES = {"pima": (PIMA, "Outcome"), "poker": (POKER, "class")}
NAMES = {"pima": "Pima", "poker": "Poker"}
SUPPRESSION = 0.01
OPTIMUM_LIMIT_S = 300
TRIVIAL_SEEDS = 10
PAPER = ("ga", "tabu", "ga-tabu")
# More cycles than they need to spend the checks, few enough to end where a lattice does not hold so many.
EQUAL = {"ga": ["cycles=20000"], "tabu": ["cycles=20000"], "kgen": []}
MEASURES = ("dm", "los", "evaluations", "predicted", "search_s", "cpu_s", "stopped", "optimal", "searched_nodes")


# --- runs ---------------------------------------------------------------------------------------------


def whole_rows(job, name, folder):
    """A copy of a table without rows that lack fields: kanon refuses such a table, and we do not guess."""
    source = job.table(name, name + ".csv")
    if not source:
        return None
    with open(source, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    kept = [row for row in rows if len(row) == len(rows[0])]
    if len(kept) < len(rows):
        job.say("%s: %d of %d rows have another number of fields than the header and are left out"
                % (name, len(rows) - len(kept), len(rows) - 1))
    target = os.path.join(folder, name + ".csv")
    with open(target, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(kept)
    return target


def measure(table, name, k, algorithm, params, seed):
    specs, sensitive = TABLES[name]
    # Nothing is outlying at k = 1, and without suppression that is known beforehand.
    options = hierarchies(specs) + ["--sensitive", sensitive, "-k", str(k), "--metric", "dm", "--suppression",
                                    str(0 if k == 1 else SUPPRESSION), "--algorithm", algorithm,
                                    "--seed", str(seed)]
    for param in params:
        options += ["--param", param]
    done = kanon(table, options, limit_s=OPTIMUM_LIMIT_S if algorithm == "exhaustive" else None)
    search, metrics = done["report"]["search"], done["report"]["metrics"]
    return {"dm": metrics["dm"], "los": metrics["los"], "evaluations": search["evaluations"],
            "predicted": search["predicted"], "search_s": round(done["report"]["seconds"]["search"], 4),
            "cpu_s": done["cpu_s"], "stopped": search["stopped"], "optimal": search["optimal"],
            "searched_nodes": search["searched_nodes"]}


def untouched(table, name):
    """DM of a table as it is. At k = 1, where nothing is outlying, that is the optimum: a level that is raised merges
    classes, and (a + b)² is more than a² + b²."""
    with open(table, newline="", encoding="utf-8") as file:
        classes = collections.Counter(tuple(row[column] for column in TABLES[name][0])
                                      for row in csv.DictReader(file))
    return {"dm": sum(f * f for f in classes.values()), "los": 0, "optimal": True, "stopped": "complete"}


def tasks(table, name, k, algorithm, work, params, seeds):
    settings = {"k": k, "suppression": 0 if k == 1 else SUPPRESSION, "work": work}
    settings.update(param.split("=") for param in params)
    return [Task(name, algorithm, settings, seed,
                 functools.partial(measure, table, name, k, algorithm, params, seed)) for seed in seeds]


def first_round(book, table, name, k, seeds):
    """The optimum and the paper's methods at one k. At k = 1 the table as it is is the optimum and every node is
    feasible, for which the hybrid pays with up to 100,000 checks a run: few seeds there."""
    if k == 1:
        seeds = seeds[:TRIVIAL_SEEDS]
        best = [Task(name, "untouched", {"k": 1, "suppression": 0, "work": "all"}, 1,
                     functools.partial(untouched, table, name))]
    else:
        best = tasks(table, name, k, "exhaustive", "all", (), (1,))
    of_seed = lambda seed: [task for algorithm in PAPER
                            for task in tasks(table, name, k, algorithm, "paper", (), (seed,))]
    return [task for seed in book.affordable(seeds, of_seed) for task in of_seed(seed)], best


def second_round(book, table, name, k, rows):
    """The methods with equal work; rows: those of the first round at this k."""
    hybrid = [row for row in rows if row.algorithm == "ga-tabu"]
    budget = max(1, round(mean(row.evaluations for row in hybrid)))
    of_seed = lambda seed: [task for algorithm, params in EQUAL.items() for task in tasks(
        table, name, k, algorithm, "equal", params + ["max-evaluations=%d" % budget], (seed,))]
    return [task for seed in book.affordable([row.seed for row in hybrid], of_seed) for task in of_seed(seed)]


def measure_all(book, table, name, ks, seeds):
    """{k: {(algorithm, work): rows}}; no second round at k = 1. The proofs of the optimum take longest and come
    last. A k without the three methods of the paper (--as-is) is left out."""
    rounds = {k: first_round(book, table, name, k, seeds) for k in ks}
    rows = book.fill(task for first, _ in rounds.values() for task in first)
    first = {k: found for k, found in group(rows, "k").items() if {row.algorithm for row in found} == set(PAPER)}
    rows += book.fill(task for k in first if k > 1 for task in second_round(book, table, name, k, first[k]))
    rows += book.fill(task for _, best in rounds.values() for task in best)
    return carry_down({k: group(found, "algorithm", "work") for k, found in group(rows, "k").items() if k in first})


# --- what came out ------------------------------------------------------------------------------------


def best_of(rows, count):
    """The expected best DM of `count` of these runs, drawn without replacement."""
    values = sorted(row.dm for row in rows)
    count = max(1, min(count, len(values)))
    ways = math.comb(len(values), count)
    return sum(value * math.comb(len(values) - i - 1, count - 1) / ways for i, value in enumerate(values))


def walks(found):
    """How many tabu walks as many checks allow as ga-tabu takes; whole walks only, at least one."""
    return max(1, int(mean(row.evaluations for row in found["ga-tabu", "paper"])
                      / max(1, mean(row.evaluations for row in found["tabu", "paper"]))))


def dm(algorithm, work="paper"):
    """A function: cell of one k -> mean DM."""
    return lambda found: mean(row.dm for row in found[algorithm, work])


SIDES = (("`ga-tabu`, the paper's cycles", dm("ga-tabu"), ("ga-tabu", "paper")),
         ("`ga`, the paper's cycles", dm("ga"), ("ga", "paper")),
         ("`tabu`, the paper's cycles", dm("tabu"), ("tabu", "paper")),
         ("`ga`, equal checks", dm("ga", "equal"), ("ga", "equal")),
         ("`tabu`, equal checks in one walk", dm("tabu", "equal"), ("tabu", "equal")),
         ("`tabu`, equal checks in several walks", lambda found: best_of(found["tabu", "paper"], walks(found)),
          None),
         ("`kgen`, equal checks", dm("kgen", "equal"), ("kgen", "equal")))


def whole(found):
    """Both rounds are there: not so at k = 1."""
    return all((algorithm, "equal") in found for algorithm in EQUAL)


def optimum(found):
    """(the least DM known at one k, whether it is proven to be the least)"""
    best = found.get(("untouched", "all")) or found.get(("exhaustive", "all")) or ()
    for row in best:
        if row.optimal == "yes":
            return row.dm, True
    return min(row.dm for rows in found.values() for row in rows), False


def carry_down(cells):
    """Where the optimum is not proven, the least DM known at a higher k is a bound, too: a node that is good there
    is good here, suppresses no more rows and has no greater DM."""
    bound = None
    for k in sorted(cells, reverse=True):
        if bound is not None:
            cells[k]["bound", "all"] = [Row(dm=written(bound))]
        bound = least(cells[k])
    return cells


def known(*several):
    """What the least DM may be called: "optimum" only where it is proven at every k from 2 on."""
    proven = all(optimum(found)[1] for cells in several for k, found in cells.items() if k > 1)
    return "optimum" if proven else "best known"


def least(found):
    return optimum(found)[0]


def excess(cells, side):
    """Mean of DM / least DM known - 1 in percent over all k with both rounds."""
    return 100 * mean(side(found) / least(found) - 1 for found in filter(whole, cells.values()))


def compare(cells, side, where):
    """For how many k ga-tabu has the lower, the same, the higher mean; and beyond chance, where the runs
    of the other side are there: by more than 1.96 standard errors of the difference."""
    counts, sure = [0, 0, 0], [0, 0]
    for found in filter(whole, cells.values()):
        ours, theirs = dm("ga-tabu")(found), side(found)
        near = abs(ours - theirs) <= 1e-9 * theirs
        counts[1 if near else 0 if ours < theirs else 2] += 1
        if where and not near:
            error = math.sqrt(sum(deviation(row.dm for row in found[key]) ** 2 / len(found[key])
                                  for key in (("ga-tabu", "paper"), where)))
            if abs(ours - theirs) > 1.96 * error:
                sure[0 if ours < theirs else 1] += 1
    words = "%d / %d / %d" % tuple(counts)
    return words + (" (%d / %d)" % tuple(sure) if where else "")


def table_paper(cells):
    rows = []
    for k, found in cells.items():
        best, proven = optimum(found)
        cell = [k, ("%s" if proven else "≤ %s") % grouped(best)]
        for algorithm in PAPER:
            runs = found[algorithm, "paper"]
            hits = "%d/%d" % (sum(row.dm == best for row in runs), len(runs))
            cell.append("%s ± %s (%s)" % (grouped(mean(row.dm for row in runs)),
                                          grouped(deviation(row.dm for row in runs)), hits))
        rows.append(cell)
    return markdown(("k", known(cells), *("`%s`" % name for name in PAPER)), rows, "rrrrr")


def table_equal(cells):
    rows = []
    for k, found in cells.items():
        if not whole(found):
            continue
        several = walks(found)
        rows.append([k, grouped(mean(row.evaluations for row in found["ga-tabu", "paper"])),
                     grouped(dm("ga-tabu")(found)), grouped(dm("ga", "equal")(found)),
                     grouped(dm("tabu", "equal")(found)),
                     "%s (%d)" % (grouped(best_of(found["tabu", "paper"], several)), several),
                     grouped(dm("kgen", "equal")(found))])
    return markdown(("k", "checks", "`ga-tabu`", "`ga`", "`tabu`, one walk", "`tabu`, several walks (how many)",
                     "`kgen`"), rows, "rrrrrrr")


def table_sides(measured):
    """Excess over the least DM known, and at how many k the hybrid wins."""
    rows = []
    for words, side, where in SIDES:
        row = [words]
        for cells in measured.values():
            row.append("%.2f %%" % excess(cells, side) if any(map(whole, cells.values())) else "-")
        for cells in measured.values():
            row.append("" if where == ("ga-tabu", "paper") else compare(cells, side, where))
        rows.append(row)
    names = [NAMES[name] for name in measured]
    return markdown(["", *("%s: above the %s" % (NAMES[name], known(cells)) for name, cells in measured.items()),
                     *("%s: `ga-tabu` lower / same / higher" % name for name in names)], rows)


def table_stable(measured):
    """The standard deviation over seeds, in percent of the least DM known, mean over k; and the worst seed."""
    rows = []
    for algorithm in PAPER:
        row = ["`%s`" % algorithm]
        for cells in measured.values():
            known = [found for k, found in cells.items() if k > 1]
            row.append("%.2f %%" % mean(100 * deviation(one.dm for one in found[algorithm, "paper"])
                                        / least(found) for found in known))
            row.append("%.1f %%" % max(100 * (max(one.dm for one in found[algorithm, "paper"])
                                              / least(found) - 1) for found in known))
        rows.append(row)
    head = [""]
    for name in measured:
        head += ["%s: deviation" % NAMES[name], "%s: worst run" % NAMES[name]]
    return markdown(head, rows)


def draw(job, name, cells):
    best = Series(known(cells), [(k, least(found)) for k, found in cells.items()], colour=4, mark=5)

    def curve(words, algorithm, work, number):
        points = []
        for k, found in cells.items():
            values = [row.dm for row in found[algorithm, work]]
            points.append((k, mean(values), max(mean(values) - deviation(values), min(values)),
                           mean(values) + deviation(values)))
        return Series(words, points, colour=number, mark=number)

    counts = [len(found["ga", "paper"]) for k, found in cells.items() if k > 1]
    line_chart(job.plot("tabu_%s.svg" % name), "%s: discernibility, the paper's cycles (mean of %s%d runs)" % (
        NAMES[name], "" if min(counts) == max(counts) else "at least ", min(counts)), "k", "DM",
        [best, curve("GA", "ga", "paper", 0), curve("tabu", "tabu", "paper", 1),
         curve("GA + tabu", "ga-tabu", "paper", 2)], x_log=False, y_log=False)

    def above(words, side, number):
        points = [(k, 100 * (side(found) / least(found) - 1)) for k, found in cells.items() if whole(found)]
        return Series(words, points, colour=number, mark=number)

    if not any(map(whole, cells.values())):
        return
    line_chart(job.plot("tabu_%s_equal.svg" % name), "%s: above the %s, with equal checks" % (
        NAMES[name], known(cells)), "k", "mean DM above the %s, %%" % known(cells),
               [above("GA", SIDES[3][1], 0), above("tabu, one walk", SIDES[4][1], 1),
                above("tabu, walks anew", SIDES[5][1], 6), above("GA + tabu", SIDES[0][1], 2),
                above("KGEN", SIDES[6][1], 3)], x_log=False, y_log=False)


# --- which way DM goes --------------------------------------------------------------------------------

TOY = [(age, sex) for age in range(20, 32) for sex in "fm"]  # 24 rows, no two alike


def toy_dm(k, years, sexes):
    """Equation 1 on the toy table with ages in groups of `years` and the sexes kept apart or not."""
    classes = {}
    for age, sex in TOY:
        key = (age // years, sex if sexes else "*")
        classes[key] = classes.get(key, 0) + 1
    return sum(f * f if f >= k else f * len(TOY) for f in classes.values())


def direction_toy():
    """A table without two equal rows, from untouched to gone."""
    nodes = (("as it is", 1, True), ("ages in pairs", 2, True), ("ages in fours", 4, True),
             ("ages in twelves", 60, True), ("everything `*`", 60, False))
    return [(words, grouped(toy_dm(1, years, sexes))) for words, years, sexes in nodes]


def pima_codes(table):
    """Rows of Pima as group numbers: codes[column][level][row]; the last level is one group."""
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    codes = []
    for column, spec in PIMA.items():
        values = [float(row[column]) for row in rows]
        levels = [values]
        levels += [[math.floor(value / float(width) + 1e-9) for value in values]
                   for width in spec.partition(":")[2].split(",")]
        codes.append(levels + [[0] * len(values)])
    return codes


def sampled(codes, k, draws):
    """DM (equation 1) and LOG of random nodes that are k-anonymous but for 1 % of the rows."""
    generator = random.Random(20111217)
    count, found = len(codes[0][0]), []
    for _ in range(draws):
        # the highest of five: low nodes are hardly ever feasible
        node = [max(generator.randrange(len(levels)) for _ in range(5)) for levels in codes]
        classes = {}
        for key in zip(*(levels[x] for levels, x in zip(codes, node))):
            classes[key] = classes.get(key, 0) + 1
        if sum(f for f in classes.values() if f < k) <= SUPPRESSION * count:
            loss = mean(x / (len(levels) - 1) for levels, x in zip(codes, node))
            found.append((sum(f * f if f >= k else f * count for f in classes.values()), loss))
    return found


def ranks(values):
    """Ranks from 1, the mean one for equals."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    found, start = [0.0] * len(values), 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for i in order[start:end]:
            found[i] = (start + end + 1) / 2
        start = end
    return found


def correlation(pairs):
    """Spearman's rank correlation."""
    xs, ys = ranks([a for a, _ in pairs]), ranks([b for _, b in pairs])
    mx, my = mean(xs), mean(ys)
    top = math.fsum((x - mx) * (y - my) for x, y in zip(xs, ys))
    return top / math.sqrt(math.fsum((x - mx) ** 2 for x in xs) * math.fsum((y - my) ** 2 for y in ys))


def direction_pima(table, draws):
    """(words, figure) about DM and the level of generalization of feasible nodes of Pima."""
    codes = pima_codes(table)
    found = sampled(codes, 5, draws)
    return [("Pima, k = 5: random nodes within the suppression limit", grouped(len(found))),
            ("rank correlation of their DM with their LOG", "%.2f" % correlation(found)),
            ("DM of everything `*` (768²), the largest possible", grouped(len(codes[0][0]) ** 2)),
            ("smallest DM among the random nodes", grouped(min(value for value, _ in found)))]


# --- the experiment -----------------------------------------------------------------------------------


def run(job):
    rows = direction_toy()
    pima = job.table("pima", "pima.csv")
    if pima:
        rows += direction_pima(pima, job.pick(4000, 1000, 200))
    job.put(PAGE, "direction", markdown(("", "DM or other figure"), rows))
    book = job.book("tabu.csv", MEASURES)
    measured = {}
    with tempfile.TemporaryDirectory(prefix="kanon-papers-") as folder:
        for name in job.pick(("pima", "poker"), ("pima", "poker"), ("pima",)):
            table = whole_rows(job, name, folder)
            if not table:
                continue
            measured[name] = measure_all(book, table, name, job.pick(range(1, 16), (1, 2, 5, 10, 15), (2, 10)),
                                         job.seeds(50, 5, 2))
    for name, cells in measured.items():
        job.put(PAGE, name, table_paper(cells))
        job.put(PAGE, name + "-equal", table_equal(cells))
        draw(job, name, cells)
    if measured:
        job.put(PAGE, "sides", table_sides(measured))
        job.put(PAGE, "stable", table_stable(measured))
