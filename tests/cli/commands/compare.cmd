# kanon compare: a release made by hand, columns in another order, a column and rows less, cells in many forms.
cat > people.csv <<'END'
name,age,town,income,diagnosis
Ann,23,Bonn,2100,flu
Ben,27,Bonn,2300,cold
Cleo,31,Jena,1900,flu
Dirk,38,Jena,2500,asthma
Eva,44,Kiel,3100,cold
Finn,47,Kiel,2900,flu
Gina,52,Bonn,3300,asthma
Hugo,59,Kiel,4000,cold
END
cat > release.csv <<'END'
diagnosis;income;town;age
flu;[1900, 2600);"{Bonn, Jena}";20-29
cold;[1900, 2600);"{Bonn, Jena}";20-29
asthma;[1900, 2600);J*;30 - 39
flu;>=2900;Kiel;40-49
cold;>=2900;Kiel;40-49
asthma;>=2900;*;50+
END
"$KANON" compare people.csv release.csv --id name --qi age,town,income --label diagnosis; echo "[$?]"
"$KANON" compare people.csv release.csv --id name --queries 20 --json |
    python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["rows"], d["total"]["columns"], d["learning"], d["queries"]["count"])'
"$KANON" compare people.csv - --qi age,name -q < release.csv; echo "[$?]"
"$KANON" compare people.csv people.csv --qi age --html page.html -q; echo "[$?]"; grep -c "</html>" page.html
echo "--- nothing left of a column"
printf 'age,town\n*,Bonn\n*,Jena\n*,Jena\n' > stars.csv
printf 'age,town\n31,Bonn\n42,Jena\n,Jena\n' > three.csv
"$KANON" compare three.csv stars.csv --qi age,town --html stars.html | grep -E "^(Column|age|town) "; grep -c "Nothing is left of this column" stars.html
echo "--- refused"
"$KANON" compare people.csv; echo "[$?]"
"$KANON" compare - - < people.csv; echo "[$?]"
"$KANON" compare people.csv release.csv --qi agge; echo "[$?]"
"$KANON" compare people.csv release.csv --queries many; echo "[$?]"
"$KANON" compare people.csv release.csv --html people.csv; echo "[$?]"
"$KANON" compare people.csv nothing.csv; echo "[$?]"
printf 'x,y\n1,2\n' > other.csv
"$KANON" compare people.csv other.csv; echo "[$?]"
echo "--- one pipe for both"
mkfifo pipe
timeout 10 "$KANON" compare pipe ./pipe; echo "[$?]"
timeout 10 "$KANON" compare people.csv pipe -c pipe; echo "[$?]"
cat people.csv | timeout 10 "$KANON" compare - /dev/stdin; echo "[$?]"
echo "--- a release that still has the names"
"$KANON" compare people.csv people.csv --id name --qi age --html leak.html | sed -n 3,6p
grep -c "is in clear in 8 rows" leak.html; grep -c Cleo leak.html
sed 's/^[A-Z][a-z]*,/*,/' people.csv > starred.csv
"$KANON" compare people.csv starred.csv --id name --qi age --json | python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["left_out"], d["identifiers"])'
echo "--- roles and hierarchies come from the report of the release"
{ echo age,town,ill; for i in $(seq 1 60); do echo "$((20 + i * 7 % 40)),T$((i % 4)),I$((i % 3))"; done; } > t.csv
printf 'T0;north;*\nT1;north;*\nT2;south;*\nT3;south;*\n' > towns.csv
"$KANON" anonymize t.csv --qi age,town --sensitive ill --hierarchy town=towns.csv --level town=1 -o r.csv --report r.json -q
"$KANON" compare t.csv r.csv | sed -n '/^Settings/p; /^town  /p; /^!/p'
mv r.json made.json
"$KANON" compare t.csv r.csv 2>/dev/null | sed -n '/^Settings/p; /^town  /p'
"$KANON" compare t.csv r.csv --report made.json --json | python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["settings_from"], [(c["name"], c["role"], c["hierarchy"]) for c in d["columns"]])'
"$KANON" compare t.csv r.csv --report towns.csv; echo "[$?]"
cp r.csv another.csv; "$KANON" compare t.csv another.csv --report made.json; echo "[$?]"
