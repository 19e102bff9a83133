#!/usr/bin/env bash
# run_plugin.sh -- plug-ins build outside of the tree, against nothing but an installed libkanon, and run; what
# they release is counted here again. Plug-ins that lie release nothing that is not safe.
cd "$(dirname "$0")/../.." || exit 1

build=${KANON_BUILD:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# attempt NAME COMMAND... : succeeds
attempt() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok plugin: $name"
    else
        echo "FAIL plugin: $name: $(tail -n 1 "$work/log")"
        failed=1
        return 1
    fi
}

attempt "library is installed" cmake --install "$build" --prefix "$work/prefix" || exit 1
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name kanon.pc)")
export PKG_CONFIG_PATH
LD_LIBRARY_PATH=$(pkg-config --variable=libdir kanon)
export LD_LIBRARY_PATH

cp -r examples/plugin "$work/plugin" && cp tests/install/liars.c "$work/plugin" || exit 1
attempt "examples compile out of tree" make -C "$work/plugin" CFLAGS="-O2 -Wall -Wextra -Wpedantic -Werror" \
    all liars || exit 1

# recount RELEASE LEAST-ROWS LEAST-CLASSES [D] : the classes of a release, and their Simpson diversity, by code that
# knows nothing of the library
cat >"$work/recount" <<'PYTHON'
import collections, csv, sys

rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8", newline="")))
classes = collections.defaultdict(collections.Counter)
for row in rows:
    classes[row["birth_date"], row["sex"], row["postcode"]][row["diagnosis"]] += 1
k = min(sum(values.values()) for values in classes.values())
d = min(1 / sum((n / sum(values.values())) ** 2 for n in values.values()) for values in classes.values())
print(f"{len(rows)} rows, {len(classes)} classes, k {k}, D {d}")
sys.exit(not (len(rows) >= int(sys.argv[2]) and len(classes) >= int(sys.argv[3]) and k >= 5
              and d >= float(sys.argv[4] if len(sys.argv) > 4 else 1) - 1e-9))
PYTHON

attempt "own search runs" "$work/plugin/own_search" examples/register.csv "$work/search.csv"
attempt "own search's release is 5-anonymous" python3 "$work/recount" "$work/search.csv" 4950 10
attempt "own search gives the same rows again" bash -c \
    "'$work/plugin/own_search' examples/register.csv '$work/again.csv' && cmp <(sort '$work/search.csv') <(sort '$work/again.csv')"

attempt "own model runs" "$work/plugin/own_model" examples/register.csv "$work/model.csv"
attempt "own model holds in its release" python3 "$work/recount" "$work/model.csv" 4950 2 4
attempt "without it, it would not hold" sh -c "! python3 '$work/recount' '$work/search.csv' 4950 10 4"

# Only the library releases: a search that recommends the original gets what the library itself found feasible.
attempt "a search that recommends the original runs" "$work/plugin/liars" original examples/register.csv "$work/original.csv"
attempt "its release is 5-anonymous all the same" python3 "$work/recount" "$work/original.csv" 4950 1

# refused WHICH WORDS : fails with that line and leaves no file
refused() {
    "$work/plugin/liars" "$1" examples/register.csv "$work/$1.csv" >"$work/log" 2>&1
    [ $? -eq 1 ] && grep -q "$2" "$work/log" && [ "$(wc -l <"$work/log")" -eq 1 ] && [ ! -e "$work/$1.csv" ]
}
attempt "a search beyond the top is refused" refused beyond "level 200 of quasi-identifier 1, expected at most"
attempt "a model that boasts is found out by its audit" refused boast "boaster of 'diagnosis'"
exit $failed
