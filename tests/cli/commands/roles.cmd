# Every column needs a role: what is refused and how it is listed, what happens to columns without one, and roles that
# a column does not look like.
python3 - <<'END'
import random
rng = random.Random(7)
given, family = "Anna Peter Julia Thomas Maria".split(), "Kaltova Umberg Quist Zelder Ostwyn".split()
with open("people.csv", "w") as file:
    file.write("contact,mail,born,town,ward,since,ref,flag,note,age,sex\n")
    for i in range(60):
        name = rng.choice(given) + " " + rng.choice(family)
        file.write("%s,%s,%d-03-0%d,%s,%s,2020-0%d-01,R%04d,x,%s,%d,%s\n" % (
            name, "p%d@example.org" % i, rng.randint(1930, 2005), i % 9 + 1, rng.choice(("Ulm", "Bern")), rng.choice("ABC"),
            i % 9 + 1, i, "asked " + name + " to come back in a week", 20 + i % 4, "FM"[i % 2]))
END
echo "--- refused"
"$KANON" anonymize people.csv --qi age,sex -o r.csv 2>&1; echo "[$?]"; ls r.csv 2>&1
printf 'k: 3\nattributes:\n  age: {role: quasi}\n  sex: {role: quasi}\n  "born": {type: date}\nothers: refuse\n' > short.yaml
"$KANON" anonymize people.csv -c short.yaml --id contact,mail,ref,note,flag --qi town,since,ward -o r.csv -q 2>&1; echo "[$?]"
echo "--- the lines are a config"
{ echo "attributes:"; echo "  age: {role: quasi}"; echo "  sex: {role: quasi}"
  "$KANON" anonymize people.csv --qi age,sex -o r.csv 2>&1 | sed 1d; } > pasted.yaml
"$KANON" anonymize people.csv -c pasted.yaml -k 2 -o r.csv -q; echo "[$?]"
echo "--- dropped, kept, named"
"$KANON" anonymize people.csv --qi age,sex -k 3 --others drop -o r.csv --report r.json -q; head -n 1 r.csv
python3 -c 'import json; r = json.load(open("r.json")); print(r["parameters"]["others"], [f["code"] for f in r["findings"]])'
"$KANON" anonymize people.csv --qi age,sex -k 3 --others keep -o r.csv --report r.json; head -n 1 r.csv
python3 -c '
import json
r = json.load(open("r.json"))
print([c["name"] for c in r["columns"] if c["role"] == "none"])
for f in r["findings"]:
    if f["code"] in ("no-role", "doubtful-role"):
        print(f["severity"], f["code"], (f["place"] or {}).get("name"), "--", f["what"])'
"$KANON" anonymize people.csv --qi age,sex,contact,ref --sensitive note,born --insensitive mail,town,ward,since,flag -k 2 -o r.csv > said
echo "--- nothing is released"
"$KANON" explain people.csv --qi age,sex -k 3 -q > said; echo "[$?]"
"$KANON" pareto people.csv --qi age,sex -o front.json -q; echo "[$?]"
"$KANON" anonymize people.csv --from front.json --pick 1 -o r2.csv 2>&1 | head -n 2
"$KANON" pareto people.csv --qi age,sex --others drop -o front.json -q
"$KANON" anonymize people.csv --from front.json --pick 1 -o r2.csv -q; head -n 1 r2.csv
echo "--- many columns"
{ echo "a,b,$(seq -s, -f 'x%g' 1 5000)"; for i in 1 2 3 4 5 6 7 8 9 10; do echo "$((i % 2)),1,$(seq -s, 1 5000)"; done; } > wide.csv
"$KANON" anonymize wide.csv --qi a,b -k 2 -o w.csv > said 2>&1; echo "[$?]"; wc -l < said; head -n 2 said; tail -n 1 said
