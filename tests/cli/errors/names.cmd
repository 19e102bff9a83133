# Names that only the job can check: columns, algorithms, metrics, parameters.
t() { echo "\$ kanon $*"; "$KANON" "$@" 2>&1; echo "[$?]"; }
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n' > d.csv
t anonymize d.csv -o out.csv --qi aeg -k 2
t anonymize d.csv -o out.csv -k 2
t anonymize d.csv -o out.csv --qi age --algorithm kgne
t anonymize d.csv -o out.csv --qi age --metric lgo
t anonymize d.csv -o out.csv --qi age --metric foo
t anonymize d.csv -o out.csv --qi age --others keep --algorithm kgen --param populaton=3
t anonymize d.csv -o out.csv --qi age --others keep --algorithm kgen --param population=none
t check d.csv
t check d.csv --qi aeg
t hierarchy show d.csv --column aeg
printf 'k: 2\nalgorithm: kgne\nqi: [age]\n' > c.yaml
t anonymize d.csv -c c.yaml -o out.csv
printf 'k: 2\nattributes:\n  aeg: {role: quasi}\n' > c.yaml
t anonymize d.csv -c c.yaml -o out.csv
ls
