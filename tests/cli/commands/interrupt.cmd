# Ctrl-C: during the search it ends the search, and the job goes on with what was found; the second time, or in
# another stage, exit code 130, nothing left behind, what was there is untouched.
# bash has its background jobs ignore SIGINT and SIGQUIT, and kanon keeps to that: undone here.
kanon=(env --default-signal=INT,QUIT "$KANON")
python3 - > d.csv <<'PY'
import random
random.seed(1)
print(",".join(f"c{i}" for i in range(12)))
for _ in range(2000):
    print(",".join(str(random.randrange(1000)) for _ in range(12)))
PY
qi=$(seq -s, -f 'c%g' 0 11)
# starts a search that would take years, and waits until it is on its way
start() { # TABLE OPTION...
    : > said # before it is looked at
    "${kanon[@]}" anonymize "$1" -o out.csv --qi "$qi" --algorithm random --param max-evaluations=1000000000000 \
        --progress always -v "${@:2}" > told 2>> said &
    job=$!
    until_said ': search'
}
until_said() {
    for ((i = 0; i < 3000; i++)); do
        grep -q -e "$1" said && return
        sleep 0.01
    done
    echo "never said: $1"
}
echo "once"
start d.csv --report report.json
sleep 0.5
kill -INT $job
wait $job
echo "[$?]"
grep -o 'search stopped.*' said
grep -o 'warning: you stopped the search: this release is the best found so far, with log' said
grep -o 'best found before you stopped the search, not proven' told
grep -o 'stopped: interrupted by the user' told
grep -c 'You stopped the search' told
grep -o '"stopped": .*' report.json
"$KANON" check out.csv --qi "$qi" -k 5 -q
echo "checked [$?]"
echo "twice"
rm report.json
echo kept > out.csv
{ head -n 1 d.csv; for ((i = 0; i < 150; i++)); do tail -n +2 d.csv; done; } > large.csv # takes a while to write
start large.csv --report report.json
kill -INT $job
until_said 'Ctrl-C again'
kill -INT $job
wait $job
echo "[$?]"
tail -n 1 said
cat out.csv
ls -A
echo "in other stages"
# also while it waits for standard input
mkfifo pipe
sleep 100 > pipe &
writer=$!
"${kanon[@]}" anonymize - -o out.csv --qi a < pipe 2> said &
sleep 1
kill -TERM $!
wait $!
echo "[$?]"
kill $writer 2> /dev/null
wait $writer 2> /dev/null
cat said out.csv
# and for a named pipe; the other signals that end a job
for signal in INT HUP QUIT XCPU; do
    sleep 100 > pipe &
    writer=$!
    "${kanon[@]}" anonymize pipe -o out.csv --qi a 2> said &
    sleep 0.5
    kill -$signal $!
    wait $!
    echo "$signal [$?]"
    kill $writer 2> /dev/null
    wait $writer 2> /dev/null
    cat said out.csv
done
# the others give up a search, too
start d.csv
kill -TERM $job
wait $job
echo "TERM [$?]"
tail -n 1 said
cat out.csv
# what was ignored at the start stays so
(trap '' HUP; exec "$KANON" anonymize d.csv -o out.csv --qi "$qi" -k 2 --algorithm random --param max-evaluations=1000000000000 --time-limit 2 -q) &
sleep 0.5
kill -HUP $!
wait $!
echo "ignored [$?]"
head -n 1 out.csv
