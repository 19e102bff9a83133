#!/bin/sh
# register_20m.sh [ROWS] -- the whole job on a register of 20 million rows (over 1 GB of CSV) with six
# quasi-identifiers: time per stage, megabytes per second, and peak memory against a limit of 1 GB.
# Everything is made in a temporary folder and removed. The last line is JSON, for whoever keeps records.
# KANON_BUILD names another build folder, ALGORITHM another search; exit 1 when memory is over the limit.
set -eu
rows=${1:-20000000}
root=$(cd "$(dirname "$0")/.." && pwd)
build=${KANON_BUILD:-$root/build/release}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/kanon-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

[ -x "$build/kanon" ] && [ -x "$build/tools/gen_register" ] || {
    echo "register_20m.sh: $build holds no kanon and gen_register; run make build" >&2
    exit 1
}
TMPDIR=$work python3 - "$build" "$root/examples" "$work" "$rows" "${ALGORITHM:-kgen}" <<'PYTHON'
import json, os, subprocess, sys, time

LIMIT_MB = 1000
build, examples, work, rows, algorithm = sys.argv[1:]
job = ["--qi", "birth_date,age,sex,postcode,city,job", "--id", "name", "--sensitive", "diagnosis",
       "--hierarchy", "birth_date=date:month,year,decade", "--hierarchy", "age=range:5,10,20",
       "--hierarchy", "postcode=mask:right", "--hierarchy", f"city=place:{examples}/places.csv",
       "--hierarchy", f"job=file:{examples}/job.csv", "-k", "5", "--suppression", "0.01",
       "--algorithm", algorithm]


def measured(command):
    """Wall time and peak resident memory (MB) of one command."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
    if child.returncode:
        sys.exit(f"register_20m.sh: {command[0]} {command[1]} ended with {child.returncode}")
    return time.monotonic() - start, usage.ru_maxrss * 1024 / 1e6


table, release, report = (os.path.join(work, name) for name in ("register.csv", "release.csv", "report.json"))
made_s, _ = measured([build + "/tools/gen_register", "--rows", rows, "--seed", "20", "-o", table])
size_mb = os.path.getsize(table) / 1e6
print(f"register       {int(rows):,} rows, {size_mb:,.0f} MB, made in {made_s:.1f} s")

wall_s, peak_mb = measured([build + "/kanon", "anonymize", "--others", "keep", table, "-o", release, *job,
                            "--report", report, "-q"])
with open(report, encoding="utf-8") as file:
    told = json.load(file)
solution, seconds = told["solution"], told["seconds"]
for stage, spent in seconds.items():
    print(f"{stage:<14} {spent:8.2f} s")
print(f"wall           {wall_s:8.2f} s, {size_mb / wall_s:,.0f} MB/s")
print(f"tuples         {told['input']['distinct_tuples']:,} distinct, {told['search']['evaluations']:,} nodes checked")
print("release        " + ", ".join(f"{name} {level}/{solution['heights'][name]}"
                                    for name, level in solution["levels"].items())
      + f"; {solution['suppressed_rows']:,} rows suppressed")
passed = peak_mb < LIMIT_MB
print(f"peak memory    {peak_mb:,.0f} MB of {LIMIT_MB:,} MB: {'PASS' if passed else 'over'}")
print(json.dumps({"bench": "register", "rows": int(rows), "mb": round(size_mb, 1), "algorithm": algorithm,
                  "wall_s": round(wall_s, 2), "mb_per_s": round(size_mb / wall_s, 1),
                  "peak_mb": round(peak_mb, 1), "seconds": seconds, "pass": passed}))
sys.exit(0 if passed else 1)
PYTHON
