# What the tool says beside its answer: limits that ask for nothing, settings that change nothing, files that are
# replaced, commands to copy, names of pages, persons behind stars, releases without rows.
{ echo "name,age,ill"; for i in $(seq 24); do echo "p$i,$((20 + i % 8)),$( ((i % 3)) && echo flu || echo cold)"; done; } > people.csv
echo "--- limits that ask for nothing"
"$KANON" anonymize people.csv --qi age --id name --sensitive ill -o r.csv --l-diversity 1 --t-closeness 1 --p-sensitive 1 --alpha 1 \
    --k-map 1 --delta-presence 1 --report idle.json > said; echo "[$?]"
grep -c '"model"' idle.json
"$KANON" anonymize people.csv --qi age --id name --insensitive ill -o r.csv --delta-presence 0,1 --population people.csv > said; echo "[$?]"
"$KANON" anonymize people.csv --qi age --id name --sensitive ill -o r.csv --t-closeness 1 --t-closeness off | grep "release is in"
echo "--- settings that change nothing"
"$KANON" anonymize people.csv --qi age --id name --insensitive ill -o r2.csv --param population=50 | grep "release is in"
"$KANON" pareto people.csv --qi age --objectives k,glm -o 'my front.json' | grep "To release"
"$KANON" anonymize people.csv --from 'my front.json' --pick 1 --others keep --algorithm kgen --metric glm --time-limit 5 -o r3.csv | grep "release is in"
printf 'k: 20\n' > k.yaml
"$KANON" anonymize people.csv --from 'my front.json' --pick 1 --others keep -c k.yaml -o r4.csv; echo "[$?]"
echo "--- commands to copy"
cp people.csv "it's \$mine.csv"
"$KANON" init "it's \$mine.csv" -o 'a b.yaml'; grep '^# .*kanon anonymize' 'a b.yaml'
echo "--- pages"
"$KANON" explain people.csv --qi age --html page.txt; echo "[$?]"
"$KANON" explain people.csv --qi age --html people.csv; echo "[$?]"
"$KANON" explain people.csv --qi age --html - --json; echo "[$?]"
"$KANON" explain people.csv --qi age -k 3 --html - | grep -c "</html>"
"$KANON" explain people.csv --qi age -k 3 --algorithm mondrian --html why.html -q; echo "[$?]"; grep -c "</html>" why.html
"$KANON" compare people.csv r.csv --qi age --html page.txt; echo "[$?]"
"$KANON" compare people.csv r.csv --qi age --html - | grep -c "</html>"
echo "--- persons"
"$KANON" anonymize people.csv --qi age --id name --insensitive ill --entity name -k 3 -o r5.csv -q
"$KANON" check r5.csv --qi age --entity name | tail -3
awk 'BEGIN { print "who,age"; for (i = 0; i < 24; i++) print "p" int(i / 2) "," int(i / 12) }' > visits.csv
"$KANON" anonymize visits.csv --qi age --id who --entity who -k 3 -o r7.csv -v 2> said | grep -A3 ^Risk
"$KANON" check visits.csv --qi age --entity who | grep -A2 ^Risk
"$KANON" check r5.csv --qi age --entity name -k 3 -q; echo "[$?]"
echo "--- a release without rows"
"$KANON" anonymize people.csv --qi age --id name --insensitive ill -k 30 --suppression 1 -o r6.csv --report r6.html | head -n 8; grep -c "1 in 0" r6.html
echo "--- another release of the same table"
"$KANON" anonymize people.csv --qi age --id name --insensitive ill -k 3 -o one.csv --report one.json > said; echo "[$?]"
"$KANON" anonymize people.csv --qi age --id name --insensitive ill -k 3 -o one.csv --report one.json | tail -2
"$KANON" anonymize people.csv --qi age --id name --insensitive ill -k 24 -o one.csv --report one.json | tail -2
"$KANON" anonymize r.csv --qi age --id name --insensitive ill -k 3 -o one.csv --report one.json | tail -2
sed '1s/.*/name,output,hex/' people.csv > odd.csv
"$KANON" anonymize odd.csv --qi output,hex --id name -k 3 -o odd-release.csv --report odd.json > said; echo "[$?]"
"$KANON" anonymize odd.csv --qi output,hex --id name -k 24 -o odd-release.csv --report odd.json > said; echo "[$?]"
