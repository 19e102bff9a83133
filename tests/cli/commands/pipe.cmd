# Standard input and output; the summary goes to stderr, so that the release stays clean.
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n' > d.csv
"$KANON" anonymize - -o - --qi age,sex -k 2 --keep-order < d.csv 2> said
echo "[$?]"
[ -s said ] && echo "a summary on stderr"
"$KANON" anonymize d.csv -o - --qi age,sex -k 2 --keep-order -q 2>&1 | tail -n 1
"$KANON" anonymize d.csv -o - --qi age,sex -k 2 -q > /dev/full
echo "[$?]"
"$KANON" anonymize d.csv -o /dev/null --qi age,sex -k 2 -q
echo "[$?] $(stat -c %F /dev/null)"
"$KANON" anonymize d.csv -o out.csv --qi age,sex -k 2 | tail -n 1
"$KANON" algorithms > /dev/full
echo "[$?]"
"$KANON" algorithms --json | python3 -c 'import json,sys; d = json.load(sys.stdin); print(sorted(d))'
ls
echo "--- other names of streams"
"$KANON" anonymize d.csv -o /dev/stdout --qi age,sex -k 2 --keep-order 2> said | cat
grep -c 'The release is in' said
mkfifo pipe
cat pipe > got &
"$KANON" anonymize <(cat d.csv) -o pipe --report r.json --qi age,sex -k 2 --keep-order 2> said
wait
cat got
tail -n 2 said
echo "$("$KANON" init d.csv -o /dev/stdout | grep -c 'The proposal') lines too many"
