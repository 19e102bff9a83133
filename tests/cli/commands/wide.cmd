# Many columns that have no part in anything do not push the details off the screen.
{ echo "a,$(seq -s, -f 'x%g' 1 20),b,$(seq -s, -f 'y%g' 1 21),s"; for r in 1 2 3 1 2 3; do echo "$r$(printf ',%s' $(seq 43))"; done; } > d.csv
"$KANON" anonymize d.csv --qi a,b --sensitive s -k 2 -o out.csv -v --insensitive "$(seq -s, -f 'x%g' 1 20),$(seq -s, -f 'y%g' 1 21)" 2> said | sed -n '/^Column/,/^0 %/p'
for others in keep drop; do
    "$KANON" anonymize d.csv --qi a,b --sensitive s -k 2 -o "$others.csv" -v --others $others 2> said | sed -n '/^Column/,/^0 %/p'
    head -n 1 "$others.csv"
done
sed '2,$s/,21,/,20,/' out.csv > other.csv
"$KANON" compare d.csv other.csv --qi a,b | sed -n '/^Column/,/^+/p'
