# The release gets its name last: whatever fails before, no file is left and none is changed.
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n' > d.csv
ln -s /dev/full full.json
job() { "$KANON" anonymize d.csv --qi age,sex -k 2 "$@"; }
state() { echo "[$?] $(cat out.csv r.json 2> /dev/null | tr '\n' ' ')"; }
echo "--- files that are there"
echo kept > out.csv
echo old > r.json
job -o out.csv --report r.json 2>&1 > /dev/full; state
job -o out.csv --report r.json --report full.json -q 2>&1; state
job -o - --report r.json -q 2>&1 > /dev/full; state
job -o - --report r.json 2>&1 > /dev/full; state
job -o - --report r.json 2> /dev/full > got; state
wc -c < got
echo "--- files that are not"
rm out.csv r.json got
job -o out.csv --report r.json 2>&1 > /dev/full; state
job -o out.csv --report r.json --report full.json -q 2>&1; state
job -o - --report r.json -q 2>&1 > /dev/full; state
"$KANON" init d.csv -o kanon.yaml 2>&1 > /dev/full; state
ls -A
echo "--- a limit on the size of files"
awk 'BEGIN { print "age,sex"; for (i = 0; i < 4000; i++) print i % 40 ",F" }' > large.csv
(ulimit -f 4; "$KANON" anonymize large.csv -o out.csv --qi age,sex -k 2 -q 2>&1); state
(ulimit -f 4; "$KANON" anonymize d.csv -o out.csv --qi age,sex -k 2 -q 2>&1)
rm out.csv
ls -A
