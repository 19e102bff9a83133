# kanon check -k: the exit code gates a pipeline.
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n2,M\n' > d.csv
"$KANON" check d.csv --qi age,sex -k 2 -q; echo "[$?]"
"$KANON" check d.csv --qi age,sex -k 3 -q 2>&1; echo "[$?]"
"$KANON" check - --qi age -k2 -q < d.csv; echo "[$?]"
"$KANON" check d.csv --qi age,sex --json | python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["rows"], d["k"], d["classes"])'
printf 'age,sex\n' > none.csv
"$KANON" check none.csv --qi age --header yes -k 5 -q; echo "[$?]"
