#!/usr/bin/env bash
# run_examples.sh -- the bundled examples: the files are what the generator makes, the releases are what
# their configs promise, and the C example runs.
cd "$(dirname "$0")/../.." || exit 1
build=${KANON_BUILD:-build/release}
kanon=${KANON:-$build/kanon}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# verdict NAME STATUS [WHY]
verdict() {
    if [ "$2" -eq 0 ]; then
        echo "ok examples: $1"
    else
        echo "FAIL examples: $1: ${3:-status $2}"
        failed=1
    fi
}
# run NAME COMMAND... : must succeed; the reason of a failure is its last line of stderr
run() {
    local name=$1
    shift
    "$@" >"$work/stdout" 2>"$work/stderr"
    verdict "$name" $? "$(tail -n 1 "$work/stderr")"
}

run "the generator makes the bundled tables" "$build/tools/gen_register" --rows 5000 --seed 1 \
    -o "$work/register.csv" --places "$work/places.csv" --jobs "$work/job.csv" \
    --diagnoses "$work/diagnosis.csv"
for file in register.csv places.csv job.csv diagnosis.csv; do
    run "$file is what the generator makes" cmp "examples/$file" "$work/$file"
done
"$build/tools/gen_register" --rows 100 --seed 2 >"$work/a.csv"
"$build/tools/gen_register" --rows 100 --seed 2 >"$work/b.csv"
"$build/tools/gen_register" --rows 100 --seed 3 >"$work/c.csv"
cmp -s "$work/a.csv" "$work/b.csv" && ! cmp -s "$work/a.csv" "$work/c.csv"
verdict "the seed decides" $?
"$build/tools/gen_register" --rows many >/dev/null 2>&1
[ $? -eq 1 ]
verdict "the generator refuses a bad number" $?

quasi=birth_date,age,sex,postcode,city,job
run "the register is released" "$kanon" anonymize examples/register.csv -o "$work/release.csv" \
    -c examples/register.yaml --report "$work/report.json"
run "the release is 5-anonymous" "$kanon" check "$work/release.csv" --qi $quasi -k 5
"$kanon" check examples/register.csv --qi $quasi -k 2 >/dev/null 2>&1
[ $? -eq 1 ]
verdict "the register is not" $?
python3 - "$work" <<'PYTHON' >"$work/stdout" 2>&1
import collections, csv, json, sys

work = sys.argv[1]
quasi = ("birth_date", "age", "sex", "postcode", "city", "job")
rows = list(csv.DictReader(open(f"{work}/release.csv", encoding="utf-8")))
told = json.load(open(f"{work}/report.json", encoding="utf-8"))
classes = collections.Counter(tuple(row[name] for name in quasi) for row in rows)
assert min(classes.values()) >= 5, "a class below 5"
assert len(rows) + told["solution"]["suppressed_rows"] == 5000, "rows do not add up"
assert told["solution"]["suppressed_rows"] <= 150, "too many rows suppressed"
assert len(classes) == told["solution"]["classes"], "classes"
assert {row["name"] for row in rows} == {"*"}, "a name is left"
hidden = [name for name in quasi if len({row[name] for row in rows}) == 1]
assert not hidden, f"{hidden} say nothing any more"
PYTHON
verdict "an outside script finds the release as reported, and useful" $? "$(tail -n 1 "$work/stdout")"

run "the paper's table is released" "$kanon" anonymize examples/paper/crimes.csv -o "$work/crimes.csv" \
    -c examples/paper/crimes.yaml
printf '%s\n' '*,20-29,P,8001*,Assault' '*,20-29,P,8001*,Kidnapping' '*,40-49,P,8507*,Homicide' \
    '*,40-49,P,8507*,Rape' Name,Age,Gender,Postcode,Crime >"$work/table2.csv"
sort "$work/crimes.csv" | diff "$work/table2.csv" - >"$work/stdout" 2>&1
verdict "as in its Table 2" $? "$(head -n 2 "$work/stdout" | tail -n 1)"

run "the C example runs" "$build/examples/anonymize" examples/register.csv "$work/from-c.csv"
run "and releases a 5-anonymous table" "$kanon" check "$work/from-c.csv" --qi birth_date,sex,postcode -k 5
"$build/examples/anonymize" "$work/nothing.csv" "$work/none.csv" >/dev/null 2>&1
[ $? -eq 1 ] && [ ! -e "$work/none.csv" ]
verdict "and fails cleanly" $?

"$build/examples/arrow" >"$work/arrow" 2>&1
verdict "the C example with Arrow arrays runs" $? "$(tail -n 1 "$work/arrow")"
printf '%s\n' '*, 30 to 39, Ashford, 28500.5' '*, 30 to 39, Ashford, 31000' '*, 30 to 39, Barton, 41000' \
    '*, 30 to 39, Barton, null' '*, 40 to 49, Ashford, 33000' '*, 40 to 49, Ashford, 39000' \
    '*, 40 to 49, Barton, 27250' '*, 40 to 49, Barton, 52000' '*, 50 to 59, Ashford, 29000' \
    '*, 50 to 59, Ashford, 36000' '*, 50 to 59, Barton, 47000' '*, 50 to 59, Barton, 61000' \
    'name (u), age (i -> u), town (c -> u), income (g)' >"$work/arrow-expected"
LC_ALL=C sort "$work/arrow" | diff "$work/arrow-expected" - >"$work/stdout" 2>&1
verdict "and its columns are typed" $? "$(head -n 2 "$work/stdout" | tail -n 1)"
exit $failed
