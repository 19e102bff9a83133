# Local recoding that cannot be: settings, metrics, columns, too few rows. One line each, and nothing is left.
t() { echo "\$ kanon $*"; "$KANON" "$@" 2>&1; echo "[$?]"; }
printf 'age,sex,ill\n1,F,x\n2,M,y\n1,F,x\n2,M,y\n' > d.csv
local="anonymize d.csv -o out.csv --qi age,sex --insensitive ill -k 2 --algorithm mondrian"
t $local --metric log
t $local --metric dm
t $local --local average
t $local --snap round
t $local --grid age
t $local --grid age=0
t $local --grid age=wide
t $local --grid aeg=5
t $local --grid sex=5
t $local --local mean --snap hierarchy
t $local --local median --grid age=5
t $local --param colour=red
t $local -k 5
t anonymize d.csv -o out.csv --qi age,sex --insensitive ill -k 2 --algorithm mondrain
ls
echo "-- with levels they change nothing, and on other columns neither"
w() { echo "\$ kanon $*"; "$KANON" "$@" 2>&1 > /dev/null; }
w anonymize d.csv -o out.csv --qi age,sex --insensitive ill -k 2 --algorithm exhaustive --snap hierarchy
w anonymize d.csv -o out.csv --qi age,sex --insensitive ill -k 2 --algorithm exhaustive --local mean
w anonymize d.csv -o out.csv --qi age,sex --insensitive ill -k 2 --algorithm exhaustive --grid age=5
w $local --grid ill=5
printf 'k: 2\nqi: [age, sex]\ninsensitive: [ill]\nalgorithm: mondrian\nmetric: height\nattributes:\n  age: {grid: none}\n' > c.yaml
t anonymize d.csv -c c.yaml -o out2.csv
sed -i 's/grid: none/grid: 5/' c.yaml
t anonymize d.csv -c c.yaml -o out2.csv
ls
