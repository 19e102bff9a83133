# Wrong command lines: one line on stderr, exit code 1, nothing written.
t() { echo "\$ kanon $*"; "$KANON" "$@" 2>&1; echo "[$?]"; }
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n' > d.csv
t anonymise d.csv
t frobnicate
t --kk
t hierarchy
t hierarchy bild d.csv
t hierarchy paint d.csv
t anonymize
t anonymize d.csv
t anonymize d.csv extra.csv -o out.csv
t anonymize d.csv -o
t anonymize d.csv -o out.csv --suppresion 0.1
t anonymize d.csv -o out.csv --frobnicate
t anonymize d.csv -o out.csv -z
t anonymize d.csv -o out.csv -qz
t anonymize d.csv -o out.csv --quiet=yes
t anonymize d.csv -o out.csv -k
t anonymize d.csv -o out.csv -k 0
t anonymize d.csv -o out.csv -kfive
t anonymize d.csv -o out.csv --k=1.5
t anonymize d.csv -o out.csv --suppression 5
t anonymize d.csv -o out.csv --suppression=-1%
t anonymize d.csv -o out.csv --suppressed hide
t anonymize d.csv -o out.csv --identifiers keep
t anonymize d.csv -o out.csv --keep-order=maybe
t anonymize d.csv -o out.csv --seed -3
t anonymize d.csv -o out.csv --order-key 12345678
t anonymize d.csv -o out.csv --threads many
t anonymize d.csv -o out.csv --time-limit soon
t anonymize d.csv -o out.csv --progress sometimes
t anonymize d.csv -o out.csv --report-audience everyone
t anonymize d.csv -o out.csv --report out.txt
t anonymize d.csv -o out.csv --delimiter ab
t anonymize d.csv -o out.csv --quote x
t anonymize d.csv -o out.csv --header perhaps
t anonymize d.csv -o out.csv --encoding ebcdic
t anonymize d.csv -o out.csv --l-diversity 2
t anonymize d.csv -o out.csv --t-closeness 0.2
t anonymize d.csv -o out.csv --l-kind fuzzy
t anonymize d.csv -o out.csv --qi age --id age
t anonymize d.csv -o out.csv --qi age,,sex
t anonymize d.csv -o out.csv --hierarchy age
t anonymize d.csv -o out.csv --hierarchy age=rainge:5
t anonymize d.csv -o out.csv --hierarchy age=range:5,12
t anonymize d.csv -o out.csv --hierarchy age=mask:up
t anonymize d.csv -o out.csv --type age=colour
t anonymize d.csv -o out.csv --param population
t anonymize - -c - -o out.csv
t check
t check d.csv --qi age -k none
t check d.csv --qi age --jsn
t hierarchy build d.csv
t hierarchy build d.csv --column age --hierarchy range:0
t hierarchy validate d.csv --column age
t hierarchy validate d.csv d.csv
t init
t init d.csv e.csv
t algorithms --yaml
t algorithms kgen
ls
