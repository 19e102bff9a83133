# What is there stays as it is, and nothing half-made is left behind.
t() { echo "\$ kanon $*"; "$KANON" "$@" 2>&1; echo "[$?]"; }
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n' > d.csv
echo kept > out.csv
ln d.csv same.csv
mkdir folder
t anonymize none.csv -o out.csv --qi age
t anonymize folder -o out.csv --qi age
t anonymize d.csv -o d.csv --qi age
t anonymize d.csv -o same.csv --qi age
t anonymize d.csv -o folder --qi age
t anonymize d.csv -o none/out.csv --qi age
t anonymize d.csv -o '' --qi age
t anonymize d.csv -o new.csv --qi age --report none/r.json
t anonymize d.csv -o r.json --qi age --report r.json
t anonymize d.csv -o r.json --qi age --report ./r.json
t anonymize d.csv -o folder/../r.json --qi age --report r.json
t anonymize d.csv -o out.csv --qi age,sex -k 9
printf 'age,sex\n1,F\n2\n' > ragged.csv
t anonymize ragged.csv -o out.csv --qi age,sex -k 1
t check none.csv --qi age
t init none.csv
t init d.csv -o d.csv
echo 'k: 3' > kanon.yaml
t init d.csv -o kanon.yaml
printf '1;*\n2;*\n' > age.csv
printf 'place;all\nF;x\nM;x\n' > places.csv
printf 'k: 2\nattributes:\n  sex: {role: quasi, hierarchy: {place: places.csv}}\n' > c.yaml
mkdir sub
ln age.csv sub/link.json
t anonymize d.csv -o age.csv --qi age --hierarchy age=age.csv
t anonymize d.csv -o ./places.csv -c c.yaml
t anonymize d.csv -o c.yaml -c c.yaml
t anonymize d.csv -o new.csv --qi age --hierarchy age=age.csv --report sub/link.json
t hierarchy build d.csv --column age -o age.csv
t hierarchy build d.csv --column age --hierarchy file:age.csv -o age.csv --force
t hierarchy build d.csv --column sex -c c.yaml -o places.csv --force
cat age.csv places.csv
t hierarchy build d.csv --column sex -o age.csv --force
cat age.csv
t hierarchy show d.csv
t hierarchy validate d.csv
t hierarchy show none.csv
cat out.csv kanon.yaml
ls
