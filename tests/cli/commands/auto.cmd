# auto takes optimal for many nodes, with a budget of its own that it tells of; a limit or a budget of the user's
# own takes its place, and with a budget the release can be made again.
python3 - > d.csv <<'PY'
import random
random.seed(5)
print(",".join(f"c{i}" for i in range(60)))
for _ in range(3000):
    base = random.randrange(1000)
    print(",".join(str((base * (i % 5) + int(random.gauss(300, 120))) % 1000) for i in range(60)))
PY
qi=$(seq -s, -f 'c%g' 0 59)
key=00112233445566778899aabbccddeeff
try() {
    "$KANON" anonymize d.csv -o out.csv --qi "$qi" --report report.json -q --order-key "$key" "$@"
    echo "[$?]"
    python3 - <<'PY'
import json
report = json.load(open("report.json"))
stopped = report["search"]["stopped"]
print(report["parameters"]["algorithm"], stopped, stopped != "time-limit" or report["seconds"]["search"] < 20)
print(report["parameters"]["choice"])
PY
}
try
try --time-limit 0.5
try --metric dm --param max-evaluations=50
try --param max-evaluations=2000 --threads 1
mv out.csv first.csv
try --param max-evaluations=2000 --threads 2
cmp out.csv first.csv && echo "the same again"
