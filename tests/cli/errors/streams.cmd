# Standard input and output are files, too: what is read is never written.
t() { echo "\$ kanon $*"; "$KANON" "$@" 2>&1; echo "[$?]"; }
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n' > d.csv
cp d.csv in.csv
t anonymize - -o in.csv --qi age --insensitive sex -k 2 < in.csv
t anonymize - -o ./in.csv --qi age --insensitive sex -k 2 -q < in.csv
t anonymize - -o out.csv --qi age --insensitive sex -k 2 --report in.csv < in.csv
echo '$ kanon anonymize in.csv -o - >> in.csv'
"$KANON" anonymize in.csv -o - --qi age --insensitive sex -k 2 -q 2>&1 >> in.csv; echo "[$?]"
echo '$ kanon anonymize - -o - < in.csv >> in.csv'
"$KANON" anonymize - -o - --qi age --insensitive sex -k 2 -q < in.csv 2>&1 >> in.csv; echo "[$?]"
t init - -o in.csv --force < in.csv
t hierarchy build - --column age -o in.csv --force < in.csv
t pareto - --qi age -o in.csv < in.csv
cp in.csv in.html
t explain - --qi age --html in.html < in.html
t compare - d.csv --qi age --html in.html < in.html
cmp d.csv in.csv && cmp d.csv in.html && echo kept
key=00112233445566778899aabbccddeeff
t anonymize - -o out.csv --qi age --insensitive sex -k 2 -q --order-key $key < in.csv
"$KANON" anonymize - -o - --qi age --insensitive sex -k 2 -q --order-key $key < in.csv > other.csv; echo "[$?]"
cmp out.csv other.csv && ls
