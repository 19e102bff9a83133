# Ctrl-C: exit code 130, nothing left behind, what was there is untouched.
# bash has its background jobs ignore SIGINT and SIGQUIT, and kanon keeps to that: undone here.
kanon=(env --default-signal=INT,QUIT "$KANON")
python3 - > d.csv <<'PY'
import random
random.seed(1)
print(",".join(f"c{i}" for i in range(12)))
for _ in range(2000):
    print(",".join(str(random.randrange(1000)) for _ in range(12)))
PY
echo kept > out.csv
qi=$(seq -s, -f 'c%g' 0 11)
"${kanon[@]}" anonymize d.csv -o out.csv --qi "$qi" --algorithm random --param max-evaluations=1000000000000 2> said &
sleep 2
kill -INT $!
wait $!
echo "[$?]"
cat said out.csv
ls
# also while it waits for standard input
mkfifo pipe
sleep 20 > pipe &
writer=$!
"${kanon[@]}" anonymize - -o out.csv --qi a < pipe 2> said &
sleep 1
kill -TERM $!
wait $!
echo "[$?]"
kill $writer
cat said out.csv
# and for a named pipe; the other signals that end a job
for signal in HUP QUIT XCPU; do
    sleep 20 > pipe &
    writer=$!
    "${kanon[@]}" anonymize pipe -o out.csv --qi a 2> said &
    sleep 0.5
    kill -$signal $!
    wait $!
    echo "$signal [$?]"
    kill $writer
    cat said out.csv
done
# what was ignored at the start stays so
(trap '' HUP; exec "$KANON" anonymize d.csv -o out.csv --qi "$qi" -k 2 --algorithm random --param max-evaluations=1000000000000 --time-limit 2 -q) &
sleep 0.5
kill -HUP $!
wait $!
echo "ignored [$?]"
head -n 1 out.csv
