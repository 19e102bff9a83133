# The five lines of the verdict say what is so: of tables that a careless user would release.
said() { # said LINE... : these lines of the verdict, each as one line, without what follows
    awk -v want="$*" '
        /^[A-Z][a-z]+( at| promised)?  / { print_it(); title = $0; sub(/  .*/, "", title); line = "" }
        /^$/ { print_it(); exit }
        { text = $0; sub(/^ +/, " ", text); line = line text }
        function print_it() { if (line != "" && index("," want ",", "," title ",")) { gsub(/  +/, ": ", line); print line } line = "" }'
}
echo "--- a column that became one other value than *"
python3 - > visits.csv <<'END'
import random
rng = random.Random(3)
print("age,visit,ill")
for i in range(600):
    print("%d,2025-%02d-%02d,%s" % (rng.randint(20, 70), rng.randint(1, 12), rng.randint(1, 28), rng.choice(("flu", "cold", "none"))))
END
"$KANON" anonymize visits.csv -k 5 --qi age,visit --sensitive ill --hierarchy visit=date:year --alpha 0.8 -o r.csv --report r.json | said Left
cut -d, -f2 r.csv | sort -u
python3 -c 'import json; print(json.load(open("r.json"))["verdict"]["gone"])'
"$KANON" anonymize visits.csv -k 25 --qi age,visit --sensitive ill --hierarchy visit=date:month,year --alpha 0.8 -o r.csv | said Left
echo "--- what each model leaves open, and columns without a role"
python3 - > ill.csv <<'END'
import random
rng = random.Random(4)
print("age,ill,pay,ward,bed,a,b,c,d")
for i in range(400):
    print("%d,%s,%d,%s,%d,1,2,3,4" % (rng.randint(2, 6) * 10, rng.choice(("flu", "cold", "none")), rng.randint(1, 4), rng.choice("ABC"), i % 2))
END
release() { "$KANON" anonymize ill.csv -k 5 --qi age -o r.csv "$@" 2>/dev/null; }
left_open() { echo "[$*]"; release "$@" | said 'Not promised'; }
left_open --sensitive ill,pay --alpha 0.8 --others drop
left_open --sensitive ill,pay --t-closeness 0.3 --others drop
left_open --sensitive ill --beta-likeness 2 --others drop
left_open --sensitive ill --l-diversity 2 --l-kind entropy --others drop
left_open --sensitive ill --l-diversity 2 --insensitive ward --others keep
left_open --sensitive ill --insensitive ward,bed,a,b,c,d --others keep
echo "--- what to look at first, and what to do about it"
python3 - > staff.csv <<'END'
import random
rng = random.Random(5)
print("age,sex,pay,hiv,allergy,contact,ref")
for i in range(300):
    print("%d,%s,%d,%s,%s,p%d@example.org,R%04d" % (rng.randint(2, 6) * 10, rng.choice("FM"), 30000 + 13 * i,
          "y" if i % 40 == 0 else "n", "y" if i % 50 == 0 else "n", i, i))
END
look() { echo "[$*]"; "$KANON" anonymize staff.csv --qi age,sex -o r.csv "$@" 2>/dev/null | said 'Look at,Better'; }
look -k 5 --sensitive pay,hiv,allergy --insensitive contact,ref
look -k 5 --sensitive pay,hiv,allergy --others drop
look -k 5 --sensitive hiv,allergy --others drop
look -k 1 --sensitive pay,hiv,allergy --insensitive ref --others drop
look -k 5 --others drop --keep-order
"$KANON" anonymize visits.csv --qi age,visit -k 5 --others drop --algorithm mondrian --snap off -o r.csv 2>/dev/null | said 'Look at,Better'
echo "--- one --alpha for all sensitive columns, which can be reached"
python3 - > skewed.csv <<'END'
print("age,x,y")
for i in range(1000): # x: 87 % of the table, y: half of it; in one class both are nearly certain
    print("%d,%d,%d" % (20 + i // 100, i % 100 < (5 if i < 100 else 14), i % 100 < (5 if i < 100 else 55)))
END
"$KANON" anonymize skewed.csv --qi age --sensitive x,y -k 5 -o r.csv --report r.json -q
advised=$(python3 -c '
import json, re
said = [f for f in json.load(open("r.json"))["findings"] if f["code"] == "guessable-values"]
assert [f["place"]["name"] for f in said] == ["x", "y"], said
print(*sorted({re.search(r"--alpha ([0-9.]*[0-9])", f["remedy"]).group(1) for f in said}))')
echo "$advised"
"$KANON" anonymize skewed.csv --qi age --sensitive x,y -k 5 --alpha "$advised" -o r.csv -q; echo "[$?]"
echo "--- a worthless release: what could be kept instead"
python3 - > wide.csv <<'END'
import random
rng = random.Random(6)
print("age,sex,job,town,team")
for i in range(120):
    print("%d,%s,%s,%s,%s" % (rng.randint(18, 90), rng.choice("FM"), rng.choice("abcdefgh"), rng.choice("klmnop"), rng.choice("xyz")))
END
"$KANON" anonymize wide.csv -k 50 --qi age,sex,job,town,team -o r.csv --algorithm datafly --report r.json --report r.html | sed -n '1,/^Left/p'
python3 -c 'import json
for s in json.load(open("r.json"))["verdict"]["could_keep"]: print(*(c["name"] for c in s["columns"]), round(s["kept"], 3), s["suppressed_rows"])'
echo "--- the page has the sets below its title"
grep -o '<h1>.*</h1>\|<p class="lead">You could keep.*</p>' r.html
echo "--- k = 1"
"$KANON" anonymize wide.csv -k 1 --qi age,sex,job,town,team -o r.csv | sed -n '1,/^Left/p'
