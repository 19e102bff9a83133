# A file that would be left aside is refused; numbers given twice are not.
t() { echo "\$ kanon $*"; "$KANON" "$@" 2>&1; echo "[$?]"; }
printf 'name,age\nA,1\nB,2\nC,1\nD,2\n' > d.csv
printf 'k: 2\nattributes:\n  name: {role: identifier}\n  age: {role: quasi}\n' > roles.yaml
printf 'k: 2\nqi: [age]\n' > other.yaml
t anonymize d.csv -o out.csv -c roles.yaml -c other.yaml
t anonymize d.csv -o out.csv -c roles.yaml -o two.csv
t check d.csv -c roles.yaml --config=other.yaml
t compare d.csv d.csv --html a.html --html b.html
t anonymize d.csv -o out.csv -c roles.yaml -k 4 -k 2 -q
ls
