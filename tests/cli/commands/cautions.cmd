# What is said before anybody relies on a release: values that differ in spelling alone, persons in plain sight, columns
# that are there twice, masked rows under delta-presence; and names of files and values that are hard to show.
people() { # people SPELLING... : 60 rows, five ages, each with every spelling
    python3 -c '
import sys
ill = sys.argv[1:]
print("age,ill")
for i in range(60):
    print("%d,\"%s\"" % (20 + i % 5, ill[i // 5 % len(ill)]))' "$@" > t.csv
}
spelled() {
    echo "--- $*" >&2
    people "$@"
    "$KANON" anonymize t.csv -o r.csv --qi age --sensitive ill -k 3 --l-diversity 2 > said
}
nbsp=$(printf '\302\240')
spelled 1000 1000.0 01000
spelled 1000 1e3 +1000
spelled 0 -0 0.0
spelled flu 'flu ' ' flu' cold
spelled flu Flu
spelled flu "flu$nbsp"
spelled 1970-01-31 1970/01/31
spelled flu NA na
echo "--- different values" >&2
spelled 1000 1001
spelled 1 1,000
spelled 'bird flu' birdflu
spelled '1970-01-31 10:00' '1970-01-31 11:00'
echo "--- other models, and none" >&2
people flu Flu cold
"$KANON" anonymize t.csv -o r.csv --qi age --sensitive ill -k 3 --alpha 0.9 > said
"$KANON" anonymize t.csv -o r.csv --qi age --sensitive ill -k 3 --t-closeness 0.9 > said
"$KANON" explain t.csv --qi age --sensitive ill -k 3 --l-diversity 2 > said
"$KANON" anonymize t.csv -o r.csv --qi age --sensitive ill -k 3 > said
"$KANON" anonymize t.csv -o r.csv --qi age --sensitive ill -k 3 --l-diversity 2 2> said | grep '^Look at'
echo "--- persons" >&2
people p0 'p0 ' 7 7.0 07 P1
"$KANON" anonymize t.csv -o r.csv --qi age --id ill -k 3 --entity ill > said
awk 'BEGIN { print "the pid,age,ill"; for (i = 0; i < 400; i++) print "p" i % 40 "," i % 40 % 4 "," i % 3 }' > visits.csv
"$KANON" anonymize visits.csv -o r.csv --qi age --insensitive ill --others keep -k 3 --entity 'the pid' 2> said | grep -A1 '^Look at'; cat said >&2
"$KANON" anonymize visits.csv -o r.csv --qi age --insensitive ill -k 3 --entity 'the pid' --id 'the pid' > said
echo "--- columns that are there twice" >&2
printf 'age,Age,"age%s",ill,Ill,zip,ZIP\n' "$nbsp" > twins.csv
for i in $(seq 40); do echo "$((i % 4)),$((i % 4)),1,$((i % 2)),1,1,1"; done >> twins.csv
"$KANON" anonymize twins.csv -o r.csv --qi age --sensitive ill -k 3 --others keep > said
"$KANON" anonymize twins.csv -o r.csv --qi age,Age --sensitive Ill --id "age$nbsp" -k 3 --others keep > said
printf 'attributes:\n  age: {role: quasi}\n  Age: {role: insensitive}\n  "age%s": {role: insensitive}\n' "$nbsp" > chosen.yaml
"$KANON" anonymize twins.csv -c chosen.yaml -o r.csv -k 3 --others keep > said
echo "--- masked rows tell who is there" >&2
{ echo age,sex; for i in 1 2 3 4 5; do echo 20,M; done; for i in 1 2; do echo 30,F; echo 40,D; done; } > few.csv
{ cat few.csv; for i in 1 2 3 4 5; do echo 20,M; done; for i in 1 2; do echo 30,F; done; } > all.csv
for how in drop mask; do
    "$KANON" anonymize few.csv -o r.csv --qi age,sex --hierarchy age=range:1000 -k 3 --suppression 0.5 --suppressed $how \
        --population all.csv --delta-presence 0,0.7 > said
    cut -d, -f1,2 r.csv | sort | uniq -c
done
"$KANON" anonymize few.csv -o r.csv --qi age,sex --hierarchy age=range:1000 -k 3 --suppression 0.5 --suppressed mask > said
cut -d, -f1,2 r.csv | sort | uniq -c
echo "--- a name that is no UTF-8" >&2
odd=$(printf 'b\377\303.csv')
cp visits.csv "$odd"
"$KANON" init "$odd" -o "$(printf 'c\377.yaml')" > said && cp "$(printf 'c\377.yaml')" c.yaml
grep -a 'made from\|kanon anonymize' c.yaml
"$KANON" anonymize "$odd" -c c.yaml -o r.csv --qi age > said; echo "[$?]"
echo "--- values that are too long to show" >&2
python3 -c '
print("v")
for letter in ("a", "\u00e9", "c"):
    print(letter * 60)
    print(letter * 3000)' > long.csv
"$KANON" hierarchy show long.csv --column v --hierarchy order
