# kanon explain: why so lossy, and why not at all.
"$KANON" explain "$SRC/examples/register.csv" -c "$SRC/examples/register.yaml" --time-limit none; echo "[$?]"
echo "--- no release"
"$KANON" explain "$SRC/examples/register.csv" -c "$SRC/examples/register.yaml" --suppression 0 --l-diversity 100 --sensitive diagnosis; echo "[$?]"
"$KANON" explain "$SRC/examples/register.csv" -c "$SRC/examples/register.yaml" --json -k 3 |
    python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["feasible"], d["settings"]["k"], len(d["changes"]) > 10)'
echo "--- local recoding"
head -600 "$SRC/examples/register.csv" > some.csv
"$KANON" explain some.csv --qi age,sex,city --sensitive diagnosis --l-diversity 2 --algorithm mondrian; echo "[$?]"
"$KANON" explain some.csv --qi age,city --algorithm mondrian -k 601; echo "[$?]"
echo "--- refused"
"$KANON" explain; echo "[$?]"
"$KANON" explain "$SRC/examples/register.csv" --qi nobody; echo "[$?]"
