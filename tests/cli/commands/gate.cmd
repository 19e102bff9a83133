# kanon check -k: the exit code gates a pipeline.
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n2,M\n' > d.csv
"$KANON" check d.csv --qi age,sex -k 2 -q; echo "[$?]"
"$KANON" check d.csv --qi age,sex -k 3 -q 2>&1; echo "[$?]"
"$KANON" check - --qi age -k2 -q < d.csv; echo "[$?]"
"$KANON" check d.csv --qi age,sex --json | python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["rows"], d["k"], d["classes"])'
printf 'age,sex\n' > none.csv
"$KANON" check none.csv --qi age --header yes -k 5 -q; echo "[$?]"
echo "--- a config that says k, and options that win"
printf 'k: 3\nattributes:\n  age: {role: quasi}\n  sex: {role: quasi}\n' > k.yaml
"$KANON" check d.csv -c k.yaml -q 2>&1; echo "[$?]"
"$KANON" check d.csv -c k.yaml -k 2 -q; echo "[$?]"
grep -v ^k k.yaml > roles.yaml
"$KANON" check d.csv -c roles.yaml -q; echo "[$?]"
"$KANON" check d.csv -c roles.yaml -k 3 -q 2>&1; echo "[$?]"
echo "--- identifiers in clear: a failure where something is asked for, otherwise a warning"
printf 'name,age,sex\n*,1,F\nMaud,2,M\n,1,F\nMaud,2,M\nNed,2,M\n' > leak.csv
printf '  name: {role: identifier}\n' | cat roles.yaml - > named.yaml
"$KANON" check leak.csv -c named.yaml -k 2 -q 2>&1; echo "[$?]"
"$KANON" check leak.csv -c named.yaml 2>&1 | sed -n 1,4p
"$KANON" check leak.csv -c named.yaml -q; echo "[$?]"
"$KANON" check leak.csv -c named.yaml -k 2 --json 2> said | python3 -c 'import json,sys; print(json.load(sys.stdin)["identifiers"])'; cat said
sed 's/Maud/*/; s/Ned/?/' leak.csv | "$KANON" check - -c named.yaml -k 2 -q; echo "[$?]"
"$KANON" check d.csv -c named.yaml -k 2 -q; echo "[$?]"
echo "--- spellings of a missing value"
printf 'age,sex\n20,?\n20,?\n20,?\n20,\n20,NA\n' > spelled.csv
"$KANON" check spelled.csv --qi age,sex -k 3 2>&1 | grep -E '^(k =|kanon:)'
echo "--- people whom several classes may stand for"
(echo age,sex; for i in 1 2 3 4; do echo 20,M; echo 60,F; done) > folk.csv
(echo age,sex; for i in 1 2; do echo 20,M; echo 20-24,M; done) > twice.csv
"$KANON" check twice.csv --qi age,sex --hierarchy age=range:5,10 --delta-presence 0,0.5 --population folk.csv 2>&1 | tail -4
