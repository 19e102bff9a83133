"""peers.py -- kanon beside other tools on the same tables: ARX 3.9.2 (Adult, MACH-IV, Cargo 2000), the original KGEN
(Cargo 2000) and Python programs for local recoding (Adult). Page PEERS.md, data peers.csv.

What the others did was measured once, on a machine of the same kind (two shared cores), and is quoted below; no other
tool is needed or run here. kanon's side is measured by this command: processor seconds of one thread, so that other
work on the machine does not count. Losses and proofs do not depend on the machine, times do."""
import csv
import functools
import os
import statistics
import tempfile

import kab
from clock import make_shim
from record import PAGES, ROOT, Task, grouped, hierarchies, markdown, number

PAGE = "PEERS.md"
ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
         "salary-class")
MEASURES = ("end", "loss", "lower_bound", "gcp", "levels", "suppressed", "evaluations", "search_s", "cpu_s", "wall_s",
            "peak_mb")

# ARX's own Adult table and hierarchies, exact search (FLASH), warm JVM, median:
# quasi-identifiers, k, suppression, its ms, its precision, its levels, its suppressed rows
ARX = """\
8,2,0,131,.6250,04013221,0
8,2,0.01,1212,.4018,04002102,299
8,2,0.05,403,.3027,04002100,1320
8,5,0,40,.6875,04023221,0
8,5,0.01,1580,.5034,04013201,207
8,5,0.05,1490,.3805,04001102,1231
8,10,0,61,.6875,04013222,0
8,10,0.01,1127,.5456,04011212,256
8,10,0.05,1388,.4259,04002102,1502
8,50,0,40,.7500,04113221,0
8,50,0.01,504,.6278,04013212,225
8,50,0.05,1177,.5216,04013102,1306
9,2,0,129,.6111,041132020,0
9,2,0.01,1714,.3937,040031020,235
9,2,0.05,739,.2896,040011010,1236
9,5,0,68,.6667,041232020,0
9,5,0.01,1316,.4851,040112120,208
9,5,0.05,1156,.3656,040031010,1461
9,10,0,48,.6667,041132210,0
9,10,0.01,1397,.5043,040131120,262
9,10,0.05,1602,.4140,040031020,1237
9,50,0,24,.6667,041132210,0
9,50,0.01,852,.6145,041132110,265
9,50,0.05,1246,.5169,040131120,1022
"""
# The whole process, from start to the written file: (QIs, k, suppression) -> seconds and MB of ARX
ARX_WHOLE = {("8", "5", "0"): "4.4 s, 300–360 MB", ("8", "5", "0.01"): "5.5 s, 300–360 MB",
             ("8", "5", "0.05"): "6.0 s, 300–360 MB", ("9", "5", "0.01"): "8.6 s, 460 MB"}
# ARX's heuristics on lattices that its exact search refuses: (table, QIs) -> limit in s, precision
ARX_LARGE = {("mach2019", 16): ("10", "bottom-up .7002, top-down .7003, genetic .7212–.7417"),
             ("c2k_arx", 7): ("60", ".8107"), ("c2k_arx", 10): ("60", ".8853"), ("c2k_arx", 15): ("60", ".8828"),
             ("c2k_arx", 25): ("60", ".9267")}
# The original KGEN (Java) on the first N columns of Cargo 2000: its genetic search, OLA, exhaustive, as told
KGEN = {3: ("9.8 s, .7333", "24 s, .7333", "62 s, .7333"), 4: ("14.6 s, .7250", "135 s, .7250", "about 8 min"),
        5: ("96 s, .7800", "", "about 1 h"), 6: ("no answer in 200 s", "", ""), 7: ("", "", ""), 8: ("", "", ""),
        10: ("no answer in 4 min", "", ""), 15: ("", "", ""), 20: ("", "", ""),
        25: ("its paper: 5 h 05 min", "refuses", "refuses")}


# --- runs ---------------------------------------------------------------------------------------------


def measure(table, options, shim, names, repeat=1):
    """Median times of some runs with the same answer."""
    runs = [kab.anonymize(table, options, shim)[:2] for _ in range(repeat)]
    told, middle = runs[0][0], lambda values: round(statistics.median(values), 4)
    search, levels = told["search"], told["solution"].get("levels")
    return {"end": "proven" if search["optimal"] else search["stopped"],
            "loss": None if search.get("loss") is None else search["loss"], "lower_bound": search["lower_bound"],
            "gcp": told["metrics"]["gcp"], "levels": "".join(str(levels[n]) for n in names) if levels else "",
            "suppressed": told["solution"]["suppressed_rows"], "evaluations": search["evaluations"],
            "search_s": middle(one["seconds"]["search"] for one, _ in runs),
            "cpu_s": middle(spent[1] for _, spent in runs), "wall_s": middle(spent[0] for _, spent in runs),
            "peak_mb": round(max(spent[2] for _, spent in runs), 1)}


def in_files(folder, prefix, names):
    return hierarchies({name: os.path.join(folder, "%s_hierarchy_%s.csv" % (prefix, name)) for name in names})


def header(table, separator):
    with open(table, encoding="utf-8") as file:
        return file.readline().strip().split(separator)


def cell(data, algorithm, settings, table, options, shim, names=(), repeat=1):
    """A task. settings: what the options do not say of themselves goes into both."""
    more = []
    for key, flag in (("k", "-k"), ("suppression", "--suppression"), ("metric", "--metric"), ("limit", "--time-limit")):
        more += [flag, str(settings[key])] if key in settings else []
    return Task(data, algorithm, settings, 1, functools.partial(
        measure, table, ["--algorithm", algorithm, "--seed", "1"] + more + options, shim, names, repeat))


def arx_tasks(job, shim):
    table = job.table("adult", "adult.csv")
    found = []
    for line in ARX.split() if table else ():
        n, k, suppression = line.split(",")[:3]
        names = ADULT[:int(n)]
        found.append((line, cell("adult", "auto", {"n": n, "k": k, "suppression": suppression, "metric": "precision"},
                                 table, in_files(os.path.dirname(table), "adult", names), shim, names,
                                 job.pick(5, 1, 1))))
    return found if job.size == "full" else found[:3]


def large_tasks(job, shim):
    """(table, QIs, limit), task"""
    found = []
    mach, cargo = job.table("mach2019", "mach2019.csv"), job.table("c2k_arx", "c2k_arx.csv")
    if mach and job.size == "full":
        for limit in (10, 600):
            settings = {"n": 16, "k": 5, "suppression": 0.01, "metric": "precision", "limit": limit}
            found.append((("mach2019", 16, limit), cell("mach2019", "optimal", settings, mach, in_files(
                os.path.dirname(mach), "mach2019", header(mach, ";")), shim)))
    for n in job.pick((7, 10, 15, 25), (7, 10), (7,)) if cargo else ():
        settings = {"n": n, "k": 2, "suppression": 0.005, "metric": "precision", "limit": 60}
        found.append((("c2k_arx", n, 60), cell("c2k_arx", "optimal", settings, cargo, in_files(
            os.path.dirname(cargo), "c2k_arx", header(cargo, ";")[:n]), shim)))
    return found


def with_zeros(table, folder):
    """The table with 0 in the place of missing values, as a program that imputes one value sees it."""
    path = os.path.join(folder, "zeros.csv")
    with open(table, encoding="utf-8") as whole, open(path, "w", encoding="utf-8") as filled:
        filled.write(next(whole))
        for line in whole:
            if line.strip(",\n"):
                cells = line.rstrip("\n").split(",")
                filled.write(",".join("0" if one in ("", "?") else one for one in cells) + "\n")
    return path


def kgen_tasks(job, shim, folder):
    """((QIs, what), task); the first columns have no missing values, so zeros matter from the tenth on."""
    table = job.table("c2k", "c2k_data_comma.csv")
    found = []
    for n in job.pick(tuple(KGEN), (3, 5), (3,)) if table else ():
        names = header(table, ",")[1:n + 1]
        for algorithm in ("optimal", "kgen"):
            settings = {"n": n, "k": 2, "suppression": 0.005, "metric": "log"}
            if algorithm == "optimal":
                settings["limit"] = 300
            specs = hierarchies({name: "range:x10" for name in names})
            found.append(((n, algorithm), cell("c2k", algorithm, settings, table, specs, shim)))
            if algorithm == "optimal" and n >= 10:
                found.append(((n, "zeros"), cell("c2k-zeros", algorithm, settings, with_zeros(table, folder), specs,
                                                 shim)))
    return found


def local_tasks(job, shim, folder):
    """What kab_grid.csv has not: 1,500 rows, as one of the peers can do, and full-domain recoding."""
    if not job.table("adult_kab", "adult.csv"):
        return []
    data, found = kab.Adult(job, folder), []
    for k in job.pick(kab.KS, (10,), (10,)):
        found.append((("members", k), cell("adult_kab", "k-members", {"rows": 1500, "k": k, "suppression": 0},
                                           data.first(1500), kab_columns(data), shim)))
    for suppression in (0, 0.05):
        found.append((("full-domain", suppression), cell("adult_kab", "optimal", {
            "rows": kab.ALL, "k": 10, "suppression": suppression, "metric": "gcp"}, data.table, kab_columns(data), shim,
            kab.QUASI)))
    return found


def kab_columns(data):
    options = ["--qi", ",".join(kab.QUASI), "--sensitive", "salary-class"]
    for name, path in data.files.items():
        options += ["--hierarchy", "%s=%s" % (name, path)]
    return options


# --- tables -------------------------------------------------------------------------------------------


def arx_table(pairs):
    lines = []
    for line, row in pairs:
        n, k, suppression, ms, precision, levels, lost = line.split(",")
        same = abs(row.loss - float(precision)) < .00005 + 1e-9
        lines.append((n, k, "%g %%" % (100 * float(suppression)), precision, "%.4f" % row.loss, "yes" if same else "no",
                      row["end"], "%s / %s" % (levels, lost), "%s / %s" % (row["levels"], row["suppressed"]), ms,
                      "%.1f" % (1000 * row.search_s), "%.0f" % (float(ms) / (1000 * row.search_s))))
    return markdown(("QIs", "k", "suppression", "ARX", "kanon", "equal", "", "ARX: levels / rows suppressed",
                     "kanon: levels / rows suppressed", "ARX, ms", "kanon, ms", "times"), lines, "rrrrrllllrrr")


def whole_table(pairs):
    lines = []
    for line, row in pairs:
        n, k, suppression = line.split(",")[:3]
        if (n, k, suppression) in ARX_WHOLE:
            lines.append((n, k, "%g %%" % (100 * float(suppression)), ARX_WHOLE[n, k, suppression],
                          "%.2f s, %.0f MB" % (row.cpu_s, row.peak_mb)))
    return markdown(("QIs", "k", "suppression", "ARX: start to written file", "kanon"), lines, "rrrll")


def large_table(pairs):
    lines = []
    for (data, n, limit), row in pairs:
        known = ARX_LARGE[data, n]
        theirs = known if str(limit) == known[0] else ("", "")
        lines.append((data, str(n), theirs[1] and "%s in %s s" % (theirs[1], theirs[0]), "%.4f" % row.loss,
                      "proven" if row["end"] == "proven" else "bound %.4f" % row.lower_bound,
                      "%.1f s (limit %d s)" % (row.search_s, limit)))
    return markdown(("table", "QIs", "ARX's heuristics: precision", "kanon, `optimal`", "", "search"), lines, "lrlrlr")


def kgen_table(pairs):
    rows = dict(pairs)
    lines = []
    for n in dict.fromkeys(n for n, _ in rows):
        evolved = rows[n, "kgen"]
        lines.append((str(n), *KGEN[n], "%.2f s, %.4f" % (evolved.search_s, evolved.loss), proof(rows[n, "optimal"]),
                      proof(rows.get((n, "zeros")))))
    return markdown(("QIs", "KGEN (Java)", "its OLA", "its exhaustive search", "kanon, `kgen`", "kanon, `optimal`",
                     "the same, 0 for missing values"), lines, "rllllll")


def proof(row):
    return "" if row is None else "%.2f s, %.4f, %s" % (row.search_s, row.loss, "proven" if row["end"] == "proven" else
                                                        "bound %.4f" % row.lower_bound)


def grid_rows(job):
    """{(algorithm, settings): [row]} of kab_grid.csv, where it has been made."""
    found = {}
    for folder in (job.out, PAGES):
        path = os.path.join(folder, "data", "kab_grid.csv")
        if os.path.exists(path):
            with open(path, newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    found.setdefault((row["algorithm"], row["settings"]), []).append(row)
            return found
    return found


def tracked(algorithm, params):
    """GCP by quality/results.csv, which has fewer k, and for the refinement less work."""
    wanted, found = " ".join("%s=%s" % pair for pair in params.items()), []
    with open(os.path.join(ROOT, "quality", "results.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            short = algorithm == "kab" and row["settings"] == "refine-iterations=1000"
            if (row["data"], row["algorithm"]) == ("adult-kab", algorithm) and (row["settings"] == wanted or short):
                found.append("%.1f %% at k = %s" % (100 * number(row["loss"]), row["k"]))
    how = ", with a short refinement (`refine-iterations=1000`)" if algorithm == "kab" else ""
    return ", ".join(found) + how if found else "–"


def gcp_range(grid, key):
    """'least–greatest' GCP in % over k, and the processor seconds of the process, of a method of kab_grid.csv"""
    _, algorithm, params, _ = kab.METHODS[key]
    runs = []
    for k in kab.KS:
        settings = " ".join("%s=%s" % pair for pair in {"rows": kab.ALL, "k": k, **params}.items())
        runs += grid.get((algorithm, settings), [])
    if not runs:
        return tracked(algorithm, params)
    gcp, spent = [100 * number(row["gcp"]) for row in runs], [number(row["cpu_s"]) for row in runs]
    return "%.1f–%.1f %% in %.2g–%.2g s" % (min(gcp), max(gcp), min(spent), max(spent))


def local_table(job, pairs):
    rows, grid = dict(pairs), grid_rows(job)
    members = [row for (name, _), row in pairs if name == "members"]
    small = "%.1f–%.1f %% in %.2f–%.2f s" % (
        100 * min(r.gcp for r in members), 100 * max(r.gcp for r in members), min(r.cpu_s for r in members),
        max(r.cpu_s for r in members))
    full = ["%.1f %%%s in %.2f s" % (100 * row.gcp, " (proven)" if row["end"] == "proven" else "", row.cpu_s)
            for row in (rows["full-domain", 0], rows["full-domain", 0.05])]
    lines = [
        ("Mondrian, strict", "qiyuangong's: 17.4–44.0 % in 0.4–0.9 s; kaylode's basic: 7.2–52.0 %",
         "`mondrian`: " + gcp_range(grid, "mondrian-ours")),
        ("k-members, 1,500 rows", "qiyuangong's: 14–21 s", "`k-members`: " + small),
        ("k-members, all rows", "–", "`k-members`: " + gcp_range(grid, "members-ours")),
        ("OKA", "qiyuangong's: 408 clusters below k at k = 5: not k-anonymous", "`oka`: " + gcp_range(grid, "oka") +
         ", every class verified"),
        ("local search", "none has one", "`kab`: " + gcp_range(grid, "kab-ours")),
        ("one level per column, k = 10", "anjana: 57 % at best, in 10.8 s", "`optimal`: no row suppressed %s, "
         "up to 5 %% of them %s" % tuple(full)),
    ]
    return markdown(("Adult, 30,162 rows, 8 QIs, k = 2 to 40", "Python programs as shipped", "kanon"), lines, "lll")


def summary(arx):
    equal = sum(abs(row.loss - float(line.split(",")[4])) < .00005 + 1e-9 for line, row in arx)
    proven = sum(row["end"] == "proven" for _, row in arx)
    ratio = [float(line.split(",")[3]) / (1000 * row.search_s) for line, row in arx]
    some = [r for r, (line, _) in zip(ratio, arx) if line.split(",")[2] != "0"]
    none = [r for r, (line, _) in zip(ratio, arx) if line.split(",")[2] == "0"]
    return ("%d of %d cells have ARX's loss, %d of them proven by kanon. With suppression kanon's search took %s to %s "
            "times less time (median %s), without %s to %s times (median %s).\n" % (
                equal, len(arx), proven, *(grouped(f(some)) for f in (min, max, statistics.median)),
                *("%.1f" % f(none) for f in (min, max, statistics.median)))) if some and none else "–\n"


def run(job):
    with tempfile.TemporaryDirectory(prefix="kanon-papers-") as folder:
        shim = make_shim(folder)
        parts = [arx_tasks(job, shim), large_tasks(job, shim), kgen_tasks(job, shim, folder),
                 local_tasks(job, shim, folder)]
        book = job.book("peers.csv", MEASURES)
        rows = iter(book.fill(task for part in parts for _, task in part))
    arx, large, kgen, local = [[(key, next(rows)) for key, _ in part] for part in parts]
    for name, pairs, table in (("arx", arx, arx_table), ("whole", arx, whole_table), ("large", large, large_table),
                               ("kgen", kgen, kgen_table)):
        if pairs:
            job.put(PAGE, name, table(pairs))
    if arx:
        job.put(PAGE, "summary", summary(arx))
    if local:
        job.put(PAGE, "local", local_table(job, local))
