#!/bin/sh
# linkage_20m.sh [ROWS [REPEATS]] -- what findings over all released columns cost on a register of 20 million rows: the job
# of register_20m.sh with three columns more that are released as they are, with and without those findings, in turns;
# medians of processor time, wall time and peak memory. Exit 1 when more than a tenth is added. Temporary files are removed.
set -eu
rows=${1:-20000000}
repeats=${2:-3}
root=$(cd "$(dirname "$0")/.." && pwd)
build=${KANON_BUILD:-$root/build/release}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/kanon-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

[ -x "$build/bench/bench_linkage" ] && [ -x "$build/tools/gen_register" ] || {
    echo "linkage_20m.sh: $build holds no bench_linkage and gen_register; run make build" >&2
    exit 1
}
"$build/tools/gen_register" --rows "$rows" --seed 20 -o "$work/register.csv"
cd "$work"
TMPDIR=$work "$build/bench/bench_linkage" "$repeats" register.csv qi=birth_date,sex,postcode,job id=name sensitive=diagnosis \
    insensitive=age,city,income hierarchy=birth_date=date:month,year,decade hierarchy=postcode=mask:right \
    "hierarchy=job=file:$root/examples/job.csv" k=5 suppression=0.01 algorithm=kgen
