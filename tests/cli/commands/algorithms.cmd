# A search that minimises something else unless told so says it in the list, and the report says what it was.
"$KANON" algorithms | grep -E '^  (kgen|ga|tabu|ga-tabu) ' | grep -o '^  [a-z-]*\|(default metric.*'
"$KANON" algorithms --json | python3 -c '
import json, sys
for one in json.load(sys.stdin)["algorithms"]:
    if one["name"] in ("auto", "kgen", "ga", "tabu", "ga-tabu"):
        print(one["name"], one["metric"])'
printf 'age,sex\n21,F\n22,M\n21,F\n22,M\n23,F\n' > d.csv
for choice in "ga" "tabu" "ga-tabu" "ga --metric glm" "auto" "kgen"; do
    "$KANON" anonymize d.csv -o out.csv --qi age,sex -k 2 --report r.json -q --algorithm $choice
    python3 -c 'import json, sys; print(sys.argv[1] + ":", json.load(open("r.json"))["parameters"]["metric"])' "$choice"
done
