# privacy models: what is refused, what is infeasible, and what a check says
t() {
    echo "\$ kanon $*"
    "$KANON" "$@" 2>&1
    echo "exit $?"
}
cat > d.csv <<'END'
zip,age,disease,pay,who
13053,28,heart,3,1
13068,29,heart,4,2
13068,21,virus,5,3
13053,23,virus,6,4
14853,50,cancer,11,5
14853,55,heart,8,6
14850,47,virus,7,7
14850,49,virus,9,8
13053,31,cancer,10,9
13053,37,cancer,3,10
13068,36,cancer,4,11
13068,35,cancer,5,11
END
c=(anonymize d.csv -o out.csv -k 3 --qi zip,age --type zip=string --suppression 0 -q --others keep)
t "${c[@]}" --l-diversity 2
t "${c[@]}" --sensitive disease --l-diversity 9
t "${c[@]}" --sensitive disease --l-diversity 2.5
t "${c[@]}" --sensitive disease --l-diversity 9 --l-kind entropy
t "${c[@]}" --sensitive disease --l-diversity 3 --l-kind recursive --l-c 1
t "${c[@]}" --sensitive disease --alpha 0.1 --p-sensitive 4
t "${c[@]}" --sensitive disease --t-closeness 0.1 --t-distance ordered
t "${c[@]}" --sensitive disease --t-closeness 0.1 --t-distance hierarchical
t "${c[@]}" --k-map 5
t "${c[@]}" --k-map 50 --population d.csv
t "${c[@]}" --k-map 5 --population nobody.csv
t "${c[@]}" --delta-presence 0.5 --population d.csv
t "${c[@]}" --population d.csv
t "${c[@]}" --entity age
t "${c[@]}" --entity whom
t "${c[@]}" --entity who -k 12
t "${c[@]}" --k-column disease
t "${c[@]}" --sensitive disease --alpha 0.5 --algorithm optimal
t "${c[@]}" --sensitive disease --alpha 0.5 --algorithm ola --suppression 0.1
t "${c[@]}" --sensitive disease --alpha 0.5 --algorithm incognito
t "${c[@]}" --k-map 5 --population d.csv --algorithm mondrian
ls out.csv
t check out.csv --qi zip,age --sensitive disease -k 3 --alpha 0.5 -q
t check d.csv --qi zip --sensitive disease,pay --type pay=number --l-diversity 2 --t-closeness 0.2 -q
t check d.csv --qi zip --entity who -k 3 -q
# l = 1 limits the most frequent value where the kind is recursive, in whatever order the settings come
t "${c[@]}" --sensitive disease --l-diversity 1 --l-kind recursive --l-c 0.3
t "${c[@]}" --sensitive disease --l-kind recursive --l-diversity 9 --l-c 0.3
t "${c[@]}" --sensitive disease --l-c 0.5 --l-kind recursive --l-diversity 1 && cut -d, -f1-3 out.csv | sort | uniq -c
t anonymize d.csv -o out.csv -k 3 --qi zip,age --sensitive disease --suppression 0 --others keep --l-kind recursive --l-c 2 \
    --beta-kind enhanced --t-distance ordered | grep -E 'warning:|exit'
t anonymize d.csv -o out.csv -k 3 --qi zip,age --sensitive disease --suppression 0 --others keep --l-diversity 2 --l-c 2 |
    grep -E 'warning:|exit'
t check d.csv --qi zip --sensitive pay --t-distance ordered --l-kind entropy | grep -E 'warning:|exit'
# a point of a front under models that it was not made for
"$KANON" pareto d.csv -o front.json --qi zip,age --type zip=string --sensitive disease -q
t anonymize d.csv -o out.csv --from front.json --pick 1 --others keep --l-diversity 3 --suppression 0 -q
# which bound of delta-presence fails, and a population that is not generalized like the release
printf 'q,s\na,1\na,2\nb,3\nb,4\n' > r.csv
printf 'q\na\na\na\na\nb\nb\n' > p.csv
printf 'q\na\na\nb\nb\nz\n' > z.csv
for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "x$i"; done | cat <(echo q) - <(echo a) > far.csv
t check r.csv --qi q --delta-presence 0.5,0.9 --population p.csv -q
t check r.csv --qi q --delta-presence 0.8,1 --population p.csv -q
t check r.csv --qi q --delta-presence 0.5,1 --population z.csv -q
printf 'q\na\nb\nb\n' > few.csv
t check r.csv --qi q --delta-presence 0.9 --population few.csv -q
t check r.csv --qi q --k-map 2 --delta-presence 0.9 --population far.csv | grep -E 'population|exit'
t explain r.csv --qi q --delta-presence 0.5,0.9 --population p.csv -k 2 | head -12
t explain r.csv --qi q --delta-presence 0.1,0.2 --population p.csv -k 2 | grep -e 'presence'
