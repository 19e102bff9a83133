# Two reports, one file: whichever way it is written.
t() { echo "\$ kanon $*"; "$KANON" "$@" 2>&1; echo "[$?]"; }
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n' > d.csv
mkdir folder
job="anonymize d.csv -o out.csv --qi age --insensitive sex -k 2"
t $job --report r.json --report r.json
t $job --report r.json --report ./r.json
t $job --report r.json --report r.html --report folder/../r.html
echo old > a.json
ln a.json b.json
ln -s a.json c.json
t $job --report a.json --report b.json
t $job --report a.json --report c.json
ls
t $job --report r.json --report r.html -q
ls
