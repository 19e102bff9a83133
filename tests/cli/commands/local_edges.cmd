# A hierarchy file may put the missing value into a group with numbers. With --snap hierarchy such a class shows that
# group, which loses less than the top that the clusterer had counted.
printf 'q0,q1\nfir,-8\nbirch,88\nbirch,99\nfir,88\nfir,NA\nfir,88\nbirch,-8\nbirch,-8\n' > t.csv
printf 'fir;fir;*\nbirch;other;*\n' > trees.csv
printf -- '-8;-8;some;*\n88;most;some;*\n99;99;99;*\nNA;most;some;*\n' > numbers.csv
for name in mondrian k-members oka ika kab; do
    $KANON anonymize t.csv -o o.csv --report r.json -q -k 4 --suppression 0 --qi q0,q1 --hierarchy q0=trees.csv \
        --hierarchy q1=numbers.csv --snap hierarchy --algorithm $name
    echo "$name: $?"
done
$KANON anonymize t.csv -o o.csv --report r.json -q -k 4 --suppression 0 --qi q0,q1 --hierarchy q0=trees.csv \
    --hierarchy q1=numbers.csv --snap hierarchy --algorithm mondrian --keep-order
cat o.csv
grep -E '"(gcp|optimal|lower_bound)":' r.json | head -1
grep -E '"(loss|lower_bound|optimal)":' r.json | tail -3
echo "== masked rows are one class with rows that read * anyway, also to who counts persons"
{ echo 'who;q0'; printf 'w%s\n' '22;4' '22;12' '24;35' '28;0' '21;4' '14;4' '25;42' '26;35' '3;37' '27;37'; } > p.csv
$KANON anonymize p.csv -o o.csv -q -k 6 --suppression 0.1 --suppressed mask --qi q0 --id who --hierarchy q0=order \
    --entity who --snap hierarchy --algorithm ika
echo "$? $(sort o.csv | uniq -c | sed 's/^ *//' | tr '\n' ' ')"
