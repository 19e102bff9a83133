# kanon pareto: the front on the terminal, as files, a point released, and what is refused.
{ echo age,sex,town,ill; for i in $(seq 1 120); do echo "$((20 + i * 7 % 40)),$([ $((i % 3)) = 0 ] && echo M || echo F),T$((i * 5 % 8)),I$((i % 5))"; done; } > d.csv
seconds() { sed 's/[0-9.]* s\( ([a-z-]*)\)\{0,1\}\.$/N s\1./'; }
front() { "$KANON" pareto d.csv --qi age,sex,town --sensitive ill --hierarchy age=range:5,10,20 --threads 2 "$@"; }
front --objectives k,glm --suppression 0.05 -o front.json | seconds; echo "[$?]"
front --objectives k,log -q -o front.csv; head -n 4 front.csv
COLUMNS=44 front --objectives k,l,glm,risk --boxes k=10,glm=0.1 | seconds
front --json --objectives log,k --algorithm pbg-ea --seed 3 | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["objectives"], len(d["front"]), d["exact"], d["evaluations"] <= 64, sorted(d["front"][0]))'
front -q -o front.html && grep -c '<svg\|createElementNS' front.html
echo "--- release"
"$KANON" anonymize d.csv --from front.json --pick 3 -o r.csv --report r.json -q; echo "[$?]"
python3 -c '
import json
front, report = json.load(open("front.json")), json.load(open("r.json"))
point = front["front"][2]
print(report["solution"]["levels"] == point["levels"], report["solution"]["suppressed_rows"] == point["suppressed_rows"],
      report["parameters"]["k"] == point["k"])'
echo "--- refused"
refuse() { "$KANON" "$@" 2>&1; echo "[$?]"; }
refuse anonymize d.csv --from front.json -o r2.csv
refuse anonymize d.csv --pick 3 -o r2.csv
refuse anonymize d.csv --from front.json --pick 0 -o r2.csv
refuse anonymize d.csv --from front.json --pick 99 -o r2.csv
refuse anonymize d.csv --from front.json --pick 3 -k 200 -o r2.csv
refuse anonymize d.csv --from d.csv --pick 1 -o r2.csv
refuse anonymize d.csv --from front.json --pick 1 -o front.json
sed 's/^/ /' d.csv > other.csv
refuse anonymize other.csv --from front.json --pick 1 -o r2.csv
refuse pareto d.csv --qi age -o front.txt
refuse pareto d.csv --qi age -o d.csv
refuse pareto d.csv --qi age --objectives k,glmm
refuse pareto d.csv --qi age --algorithm kgen
refuse pareto d.csv --qi age --boxes dm=1
refuse pareto d.csv --qi age --param populaton=3 --algorithm pbg-ea
ls
echo "--- what differs from the front is told"
printf 'suppression: 0.2\nl-diversity: 2\nmissing: ["", nobody]\nmetric: log\n' > differs.yaml
"$KANON" anonymize d.csv --from front.json --pick 3 -c differs.yaml -o r4.csv --report r4.json -q; echo "[$?]"
python3 -c '
import json
for finding in json.load(open("r4.json"))["findings"]:
    if finding["code"].startswith("picked"):
        print(finding["code"], finding["place"]["name"])'
printf 'suppression: 5%%\nmissing: ["", "?", NA]\n' > same.yaml
"$KANON" anonymize d.csv --from front.json --pick 3 -c same.yaml -o r4.csv -q; echo "[$?]"
rm r4.csv r4.json differs.yaml same.yaml
echo "--- models go with the front"
printf 'k: 2\nl-diversity: 3\nattributes:\n  age: {role: quasi, hierarchy: {range: [5, 10, 20]}}\n  sex: {role: quasi}\n  town: {role: quasi}\n  ill: {role: sensitive}\n' > l.yaml
"$KANON" pareto d.csv -c l.yaml --objectives k,glm -q -o l.json 2>/dev/null
"$KANON" anonymize d.csv --from l.json --pick 1 -o r3.csv -q >/dev/null 2>&1; echo "[$?]"
"$KANON" anonymize d.csv --from l.json --pick 5 -o r3.csv -q --report r3.json; echo "[$?]"
python3 -c 'import json; print([(m["model"], m["column"]) for m in json.load(open("r3.json"))["parameters"]["models"]])'
echo "--- the page holds its front"
front --objectives k,glm --suppression 0.05 -q -o "a page.html"
"$KANON" anonymize d.csv --from "a page.html" --pick 3 -o r5.csv -q --report r5.json; echo "[$?]"
python3 -c 'import json; a, b = json.load(open("r.json")), json.load(open("r5.json")); print(a["solution"]["levels"] == b["solution"]["levels"])'
front -o "a page.html" --knee-k 30-200 | tail -3
front --knee-k 9-2
front --knee-k 7
echo "--- a population, with the front or with the release"
{ cat d.csv; sed 1d d.csv | sed 's/,T1,/,T2,/'; } > everybody.csv
front --objectives k,glm -q -o p.json --population everybody.csv --k-map 2 2>/dev/null; "$KANON" anonymize d.csv --from p.json --pick 2 -o r6.csv -q --report r6.json; echo "[$?]"
python3 -c 'import json; print([(m["model"], m["asked"]) for m in json.load(open("r6.json"))["parameters"]["models"]])'
front --objectives k,glm -q -o p.json
"$KANON" anonymize d.csv --from p.json --pick 2 -o r6.csv -q --population everybody.csv --k-map 2; echo "[$?]"
