# What a terminal would obey instead of showing it: escape sequences, their one-character forms beyond ASCII
# (U+009B) and bytes that are no UTF-8, in names of files and columns and in values. Other letters stay.
t() { "$KANON" "$@" 2>&1; echo "[$?]"; }
esc=$'\033[31m' beyond=$'\302\233''31m' byte=$'\2331mx'
printf 'age,s\303\251x\n1,F\n2,M\n1,F\n2,M\n' > d.csv
mkdir "folder$esc$beyond"
t check "none$esc" --qi age
t check "none$beyond" --qi age
t check "none$byte" --qi age
t check d.csv --qi "aeg$esc"
t check d.csv --qi "aeg$beyond"
t check d.csv --qi "aeg$byte"
t check d.csv --qi $'s\303\251xe'
t anonymize d.csv --qi age -o "folder$esc$beyond"
t anonymize d.csv --qi age -o "none$esc$byte/x.csv"
t anonymize d.csv --qi age -o $'\303\244\342\202\254\360\237\230\200/x.csv'
t "frobnicate$esc$beyond"
t check d.csv "--frobnicate$beyond$byte"
t check d.csv --qi age --progress "$esc$beyond$byte"
printf 'a\302\2331m;*\nb\033[1m;*\n\303\251\302\240;*\n' > "h$esc$beyond.csv"
t hierarchy show "h$esc$beyond.csv"
t hierarchy validate "h$esc$beyond.csv"
printf 'age,sex\n1,F\n2,M\n1,F\n2,M\n' > d.csv
"$KANON" anonymize d.csv --qi age,sex -k 2 -o $'re\xc2\x9blease\e.csv' --report $'r\ne\xff.json' 2>&1 | grep '^The .* is in '
"$KANON" init d.csv -o $'c\e.yaml' 2>&1 | tail -2
"$KANON" pareto d.csv --qi age -o $'f\xc2\x80.json' 2>&1 | grep -A1 ' is in '
