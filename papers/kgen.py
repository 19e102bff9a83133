"""kgen.py -- the experiment of "Real-world K-Anonymity Applications: the KGEN approach and its evaluation in
Fraudulent Transactions" (De Pascale, Cascavilla, Tamburri and Van Den Heuvel, Section 5): execution time, accuracy
(equations 4 and 5), level of generalization and level of suppression against the number of quasi-identifiers, for
an exhaustive search, OLA, KGEN and random search, and here also for `optimal`; k = 2, suppression up to 0.5 %.

    c2k      Cargo 2000, the first N columns after `nr`, powers of ten: the paper's columns and its tool's ranges
    nested   Cargo 2000 without the legs' ids, seven widths: a harder lattice
    f2       made by f2.py in the shape of the paper's F2, which is not public

A run that has used its seconds of processor time is interrupted and gives the best answer it has; an exact search
that did not end is not tried with more quasi-identifiers."""
import concurrent.futures
import csv
import functools
import itertools
import random
import tempfile

import f2
from plot import Reference, Series, line_chart
from record import Failed, Task, deviation, group, hierarchies, kanon, markdown, mean

PAGE = "KGEN.md"
K, SUPPRESSION = 2, 0.005
LIMIT_S = 10
NESTED = "range:5,20,100,500,2000,10000,50000"
NAMES = {"c2k": "Cargo 2000", "nested": "Cargo 2000, seven widths", "f2": "F2 stand-in"}
# name -> (--algorithm, parameters, how it is drawn)
EXACT = {"exhaustive": ("exhaustive", ("prune=off",), 0), "exhaustive, pruned": ("exhaustive", (), 5),
         "OLA": ("ola", (), 1), "optimal": ("optimal", (), 4)}
RANDOM = {"KGEN": ("kgen", (), 2), "random": ("random", (), 3)}
WHEELS = {"corrected": (), "literal": ("selection=literal",),
          "as printed": ("selection=literal", "tags=off", "elite=off")}
PAPER_REACH = {"c2k": (6, 25), "f2": (10, 15)}  # last N of the exact approaches, and of KGEN
MEASURES = ("log", "los", "height", "top", "suppressed", "evaluations", "predicted", "cpu_s", "wall_s",
            "stopped", "optimal", "lattice_nodes", "searched_nodes")
SAME = 1e-9


# --- runs ---------------------------------------------------------------------------------------------


def measure(table, specs, algorithm, params, seed, limit_s):
    options = hierarchies(specs) + ["-k", str(K), "--suppression", str(SUPPRESSION), "--algorithm", algorithm,
                                    "--seed", str(seed), "--metric", "log"]
    for param in params:
        options += ["--param", param]
    try:
        done = kanon(table, options, limit_s=limit_s, patience_s=3600)
    except Failed as error:
        if "more than max-nodes" not in str(error):
            raise
        return {"stopped": "refused", "optimal": False}
    told = done["report"]
    search, metrics = told["search"], told["metrics"]
    return {"log": metrics["log"], "los": metrics["los"], "height": metrics["height"],
            "top": sum(told["solution"]["heights"].values()), "suppressed": told["solution"]["suppressed_rows"],
            "evaluations": search["evaluations"], "predicted": search["predicted"], "cpu_s": done["cpu_s"],
            "wall_s": done["wall_s"], "stopped": search["stopped"], "optimal": search["optimal"],
            "lattice_nodes": search["lattice_nodes"], "searched_nodes": search["searched_nodes"]}


def task(place, n, algorithm, params, seed):
    """One run on the first n quasi-identifiers. place: (name, table, {column: hierarchy})"""
    name, table, specs = place
    settings = {"n": n, "k": K, "suppression": SUPPRESSION, "limit_s": LIMIT_S}
    settings.update(param.split("=") for param in params)
    specs = dict(itertools.islice(specs.items(), n))
    return Task(name, algorithm, settings, seed, functools.partial(measure, table, specs, algorithm, params, seed,
                                                                   LIMIT_S))


def chain(book, place, sizes, algorithm, params):
    """The tasks of an exact search, N by N until it does not end; `optimal` has a best answer anyway."""
    done = []
    for n in sizes:
        done.append(task(place, n, algorithm, params, 1))
        row = book.get(done[-1])
        if algorithm != "optimal" and (row is None or row.optimal != "yes"):
            break
    return done


def exact_chains(book, tables):
    """{(table, method): tasks} of the exact searches, the chains side by side."""
    with concurrent.futures.ThreadPoolExecutor(book.job.jobs) as pool:
        chains = {(place[0], method): pool.submit(chain, book, place, sizes, algorithm, params)
                  for place, sizes in tables for method, (algorithm, params, _) in EXACT.items()}
    return {key: tasks.result() for key, tasks in chains.items()}


def measure_all(book, place, sizes, seeds, chains):
    """{method: {n: rows}}"""
    found = {}
    for method in EXACT:
        found[method] = group(book.fill(chains[place[0], method]), "n")
    for method, (algorithm, params, _) in RANDOM.items():
        rows = []
        for n in sizes:
            able = book.affordable(seeds, lambda seed: [task(place, n, algorithm, params, seed)])
            rows += [task(place, n, algorithm, params, seed) for seed in able]
        found[method] = group(book.fill(rows), "n")
    return found


def places(job, folder):
    """(name, table, hierarchies, sizes) of each table that is there."""
    table, specs = f2.write(folder)
    yield "f2", table, specs, job.pick((*range(3, 16), 20, 30, 46), (3, 5, 8, 10, 15), (3, 5))
    table = job.table("c2k", "c2k_data_comma.csv")
    if not table:
        return
    with open(table, newline="", encoding="utf-8") as file:
        columns = next(csv.reader(file))[1:]
    yield ("c2k", table, {column: "range:x10" for column in columns},
           job.pick((*range(3, 26), 30, 40, 50, 97), (3, 5, 8, 12, 20, 25), (3, 6)))
    legs = [column for column in columns if not column.endswith("_legid")]
    yield ("nested", table, {column: NESTED for column in legs},
           job.pick((5, 10, 15, 20, 25), (5, 15), ()))


# --- what came out ------------------------------------------------------------------------------------


def reference(found, n):
    """The row of a proven optimum with n quasi-identifiers, or None."""
    for method in EXACT:
        for row in found[method].get(n, ()):
            if row.optimal == "yes":
                return row
    return None


def accuracy(row, best):
    """Equation 4."""
    if row.top == best.height:
        return 1.0
    return 1 - abs(row.height - best.height) / (row.top - best.height)


def share(good, rows):
    return "%d/%d" % (sum(map(bool, good)), len(rows))


def hits(rows, best):
    """How many runs end with the optimal LOG."""
    return share((row.log - best.log <= SAME for row in rows), rows) if best else "?"


def table_runs(found, sizes):
    """One line for each number of quasi-identifiers."""
    lines = []
    for n in sizes:
        best = reference(found, n)
        line = [n, "%.3g" % found["KGEN"][n][0].lattice_nodes]
        for method in EXACT:
            row = found[method].get(n, (None,))[0]
            line.append("-" if row is None else "%.2f" % row.cpu_s if row.optimal == "yes" else
                        "refused" if row.stopped == "refused" else "> %d" % LIMIT_S)
        row = best or found["optimal"].get(n, (None,))[0]
        line.append("?" if row is None else ("%.4f" if best else "≤ %.4f") % row.log)
        for method in RANDOM:
            rows = found[method][n]
            line += ["%.2f" % mean(one.cpu_s for one in rows), "%.4f" % mean(one.log for one in rows),
                     hits(rows, best),
                     "%.3f" % mean(accuracy(one, best) for one in rows) if best else "?"]
        lines.append(line)
    head = ["N", "nodes", *("%s: s" % name for name in EXACT), "optimal LOG"]
    for method in RANDOM:
        head += ["%s: s" % method, "LOG", "hits", "accuracy"]
    return markdown(head, lines, "r" * len(head))


def table_suppression(found, sizes):
    """Mean level of suppression in percent, and how many runs suppress as many rows as the optimum."""
    lines = []
    for n in sizes:
        best = reference(found, n)
        line = [n, "%.3f" % (100 * best.los) if best else "?"]
        for method in RANDOM:
            rows = found[method][n]
            line += ["%.3f" % (100 * mean(row.los for row in rows)),
                     share((row.suppressed == best.suppressed for row in rows), rows) if best else "?"]
        lines.append(line)
    return markdown(("N", "optimum: LOS %", "KGEN: LOS %", "as the optimum", "random: LOS %", "as the optimum"),
                    lines, "rrrrrr")


def table_summary(measured):
    """How far each method is from the proven optimum, over all runs."""
    lines = []
    for name, (found, sizes) in measured.items():
        for method in RANDOM:
            for words, chosen in (("N ≤ 8", [n for n in sizes if n <= 8]), ("all N", sizes)):
                pairs = [(row, reference(found, n)) for n in chosen for row in found[method][n]
                         if reference(found, n)]
                if not pairs:
                    continue
                above = [100 * (row.log / best.log - 1) for row, best in pairs]
                lines.append((NAMES[name], method, words, str(len(pairs)),
                              "%.1f %%" % (100 * sum(one <= 100 * SAME for one in above) / len(pairs)),
                              "%.2f %%" % mean(above), "%.2f %%" % max(above),
                              "%.4f" % mean(accuracy(row, best) for row, best in pairs),
                              "%.4f" % min(accuracy(row, best) for row, best in pairs)))
    return markdown(("table", "method", "", "runs", "hits", "LOG above the optimum, mean", "worst",
                     "accuracy, mean", "worst"), lines, "lllrrrrrr")


def table_accuracy(measured):
    """What equation 4 says about runs whose LOG is or is not the optimum's."""
    counts = {}
    for found, sizes in measured.values():
        for method in RANDOM:
            for n in sizes:
                best = reference(found, n)
                for row in found[method][n] if best else ():
                    full = abs(accuracy(row, best) - 1) <= SAME
                    key = (row.log - best.log <= SAME, full)
                    counts.setdefault(method, {}).setdefault(key, 0)
                    counts[method][key] += 1
    lines = [(method, *(str(found.get(key, 0)) for key in ((True, True), (True, False), (False, True),
                                                           (False, False))))
             for method, found in counts.items()]
    return markdown(("runs of", "optimal, accuracy 1", "optimal, accuracy < 1", "not optimal, accuracy 1",
                     "not optimal, accuracy < 1"), lines)


def draw(job, name, found, sizes):
    sizes = [n for n in sizes if n <= 25]
    reach = PAPER_REACH.get(name)

    def references(limit=False):
        lines = [Reference("y", LIMIT_S, "limit: %d s" % LIMIT_S)] if limit else []
        if reach:
            lines.append(Reference("x", reach[0], "paper: exact searches end"))
        return lines

    def chart(kind, title, y_name, value, methods, limits=None, y_log=False, limit=False):
        series = []
        for method in methods:
            _, _, number = (EXACT | RANDOM)[method]
            points, hollow = [], []
            for n in sizes:
                rows = [row for row in found[method].get(n, ()) if row.stopped != "refused"]
                values = [value(row, n) for row in rows]
                if not values or None in values:
                    continue
                middle, spread = mean(values), deviation(values)
                points.append((n, middle) if len(values) == 1 else (n, middle, max(middle - spread, min(values)),
                                                                    min(middle + spread, max(values))))
                if method in EXACT and rows[0].optimal != "yes":
                    hollow.append(n)
            series.append(Series(method, points, colour=number, mark=number, open_at=tuple(hollow)))
        if not any(one.points for one in series):
            return
        line_chart(job.plot("kgen_%s_%s.svg" % (name, kind)), "%s: %s" % (NAMES[name], title),
                   "quasi-identifiers", y_name, series, x_log=False, y_log=y_log, limits=limits,
                   references=references(limit))

    def near(row, n):
        best = reference(found, n)
        return accuracy(row, best) if best else None

    complete = lambda field: lambda row, n: getattr(row, field) if row.optimal == "yes" or \
        row.algorithm in ("kgen", "random") else None
    shown = ("optimal", "KGEN", "random")
    chart("time", "execution time", "seconds of processor time", lambda row, n: row.cpu_s, (*EXACT, *RANDOM),
          y_log=True, limit=True)
    chart("accuracy", "accuracy (equations 4, 5)", "accuracy", near, shown, limits=(0, 1.05))
    chart("log", "level of generalization", "LOG", complete("log"), shown)
    chart("los", "level of suppression", "LOS", complete("los"), shown, limits=(0, 0.0055))


# --- Section 7: are the lower bounds sound when rows may be suppressed? -------------------------------


def outlying(columns, node, k):
    """How many rows are in classes smaller than k. columns[i][level][row]"""
    classes = {}
    for key in zip(*(levels[x] for levels, x in zip(columns, node))):
        classes[key] = classes.get(key, 0) + 1
    return sum(f for f in classes.values() if f < k)


def bounds_of(columns, k, allowed):
    """The least level of each column that alone has no more outlying rows than allowed."""
    return tuple(next(x for x in range(len(levels)) if outlying([levels], [x], k) <= allowed)
                 for levels in columns)


def weigh(columns, k, allowed):
    """Every node of the lattice. @return (nodes, feasible ones, feasible ones below the bounds, feasible ones
    below bounds that ignore suppression)"""
    with_rows, without = bounds_of(columns, k, allowed), bounds_of(columns, k, 0)
    below = lambda node, bounds: any(x < low for x, low in zip(node, bounds))
    feasible = [node for node in itertools.product(*(range(len(levels)) for levels in columns))
                if outlying(columns, node, k) <= allowed]
    count = 1
    for levels in columns:
        count *= len(levels)
    return (count, len(feasible), sum(below(node, with_rows) for node in feasible),
            sum(below(node, without) for node in feasible))


def table_8():
    """The paper's Table 8: age by 5, 10, 100 years, postcode with stars from the right, gender."""
    rows = ((24, "80015", "F"), (28, "80019", "M"), (42, "85073", "F"))
    age = [[row[0] // width for row in rows] for width in (1, 5, 10, 100)]
    postcode = [[row[1][:5 - level] for row in rows] for level in range(6)]
    gender = [[row[2] for row in rows], ["*"] * 3]
    return [age, postcode, gender]


def random_table(generator):
    """Three columns with nested random hierarchies; everything equal at the top."""
    count = generator.randrange(5, 15)
    columns = []
    for _ in range(3):
        levels = [[generator.randrange(6) for _ in range(count)]]
        for _ in range(generator.randrange(0, 3)):
            merge = [generator.randrange(3) for _ in range(6)]
            levels.append([merge[value] for value in levels[-1]])
        columns.append(levels + [[0] * count])
    return columns, generator.choice((2, 3)), generator.randrange(0, count // 2)


def cargo(table, n):
    """The first n columns of Cargo 2000 in powers of ten; a missing value stays apart below the top."""
    with open(table, newline="", encoding="utf-8") as file:
        rows = [row[1:n + 1] for row in itertools.islice(csv.reader(file), 1, None) if any(row)]
    columns = []
    for values in zip(*rows):
        digits = max(len(value) for value in values if value != "?")
        levels = [[value if value == "?" else int(value) // 10 ** level for value in values]
                  for level in range(digits)]
        columns.append(levels + [[0] * len(values)])
    return columns


def section_7(job):
    lines = []

    def add(words, found):
        lines.append((words, *("%d" % one for one in found)))

    columns = table_8()
    add("the paper's Table 8 (3 rows, k = 2, one row may go), bounds <%s>" % ",".join(
        str(low) for low in bounds_of(columns, 2, 1)), weigh(columns, 2, 1))
    generator, total, count = random.Random(8), [0, 0, 0, 0], job.pick(3000, 500, 100)
    for _ in range(count):
        total = [a + b for a, b in zip(total, weigh(*random_table(generator)))]
    add("%d random tables, k = 2 or 3, up to half of the rows may go" % count, total)
    table = job.table("c2k", "c2k_data_comma.csv")
    if table:
        columns = cargo(table, job.pick(4, 3, 3))
        rows = len(columns[0][0])
        add("Cargo 2000, N = %d, k = 2, %d of %d rows may go" % (len(columns), int(SUPPRESSION * rows), rows),
            weigh(columns, 2, int(SUPPRESSION * rows)))
    return markdown(("every node counted by brute force", "nodes", "feasible", "feasible below the bounds",
                     "feasible below bounds that ignore suppression"), lines)


def table_ties(table, n):
    """All nodes of Cargo 2000 with n quasi-identifiers that have the least LOG: is the best node one?"""
    columns = cargo(table, n)
    allowed, found = int(SUPPRESSION * len(columns[0][0])), {}
    for node in itertools.product(*(range(len(levels)) for levels in columns)):
        if outlying(columns, node, K) <= allowed:
            loss = mean(x / (len(levels) - 1) for levels, x in zip(columns, node))
            found.setdefault(round(loss, 12), []).append(node)
    return markdown(("N", "least LOG", "nodes that have it"), [(n, "%.4f" % min(found), " ".join(
        "<%s>" % ",".join(map(str, node)) for node in found[min(found)]))], "rrl")


# --- equation 3: whom the wheel favours ---------------------------------------------------------------


def wheel(losses):
    """Shares of nodes of equal age by equation 3 as printed, and with 1 - LOG."""
    return ([loss / sum(losses) for loss in losses], [(1 - loss) / sum(1 - one for one in losses)
                                                      for loss in losses])


def table_wheel():
    losses = (0.2, 0.4, 0.6, 0.8)
    printed, corrected = wheel(losses)
    return markdown(("LOG of a node", *("%.1f" % loss for loss in losses)),
                    (("share by equation 3 as printed", *("%.0f %%" % (100 * share) for share in printed)),
                     ("share with 1 - LOG in place of LOG", *("%.0f %%" % (100 * share) for share in corrected))))


def table_variants(book, place, sizes, seeds):
    """The three wheels from the same seeds."""
    seeds = book.affordable(seeds, lambda seed: [task(place, n, "kgen", params, seed)
                                                 for n in sizes for params in WHEELS.values()])
    rows = {words: group(book.fill(task(place, n, "kgen", params, seed) for n in sizes for seed in seeds), "n")
            for words, params in WHEELS.items()}
    sizes = [n for n in sizes if all(n in found for found in rows.values())]
    best = {n: min(row.log for found in rows.values() for row in found[n]) for n in sizes}
    lines = []
    for words, found in rows.items():
        line = ["`%s`" % words if words == "corrected" else words]
        for n in sizes:
            line.append("%.4f" % mean(row.log for row in found[n]))
        pairs = [(ours.log, first.log) for n in sizes for ours, first in zip(found[n], rows["corrected"][n])]
        line += ["%d / %d / %d" % (sum(a < b - SAME for a, b in pairs), sum(abs(a - b) <= SAME for a, b in pairs),
                                   sum(a > b + SAME for a, b in pairs)) if words != "corrected" else "",
                 "%d" % sum(row.log - best[n] <= SAME for n in sizes for row in found[n])]
        lines.append(line)
    return markdown(("wheel", *("N = %d: mean LOG" % n for n in sizes), "better / same / worse than corrected",
                     "runs that reach the best LOG seen"), lines)


# --- the experiment -----------------------------------------------------------------------------------


def run(job):
    job.put(PAGE, "section7", section_7(job))
    job.put(PAGE, "wheel", table_wheel())
    table = job.table("c2k", "c2k_data_comma.csv")
    if table:
        job.put(PAGE, "ties", table_ties(table, 3))
    book, measured = job.book("kgen.csv", MEASURES), {}
    seeds = job.seeds(20, 3, 2)
    with tempfile.TemporaryDirectory(prefix="kanon-papers-") as folder:
        tables = [((name, table, specs), sizes) for name, table, specs, sizes in places(job, folder) if sizes]
        chains = exact_chains(book, tables)
        for place, sizes in tables:
            name, found = place[0], measure_all(book, place, sizes, seeds, chains)
            sizes = [n for n in sizes if all(n in found[method] for method in RANDOM)]  # with --as-is
            if not sizes:
                continue
            measured[name] = found, sizes
            job.put(PAGE, name, table_runs(found, sizes))
            job.put(PAGE, name + "-los", table_suppression(found, sizes))
            draw(job, name, found, sizes)
            if name == "nested":
                job.put(PAGE, "variants", table_variants(book, place, job.pick((15, 20, 25), (15,), ()), seeds))
    job.put(PAGE, "summary", table_summary(measured))
    job.put(PAGE, "accuracy", table_accuracy(measured))
