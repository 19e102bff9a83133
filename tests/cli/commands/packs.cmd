# Code systems: the list, a hierarchy, a job with codes that are none, and the same job told what to do with them.
"$KANON" hierarchy packs
"$KANON" hierarchy packs --json | python3 -c 'import json, sys; print(*[pack["name"] + " " + pack["version"] for pack in json.load(sys.stdin)], sep="\n")'
{
    echo "diagnosis;plz"
    for i in 1 2 3 4 5 6; do echo "K80.$i;0106$i"; echo "K81;8033$i"; echo "I25.1$i;106$i"; echo "I21.$i;8080$i"; done
    echo "gallstones;01067"
} > data.csv
"$KANON" hierarchy show data.csv --column plz --hierarchy pack:postcode-de
"$KANON" anonymize data.csv -o out.csv -k 5 --qi diagnosis,plz --hierarchy diagnosis=pack:icd-10 --hierarchy plz=pack:postcode-de
echo "exit code $?"
cat > config.yaml <<'YAML'
k: 5
suppression: 0.05
attributes:
  diagnosis: {role: quasi, hierarchy: {pack: [icd-10, block, chapter], unknown: other}}
  plz: {role: quasi, hierarchy: {pack: postcode-de}}
YAML
"$KANON" anonymize data.csv -o out.csv -c config.yaml --quiet
sort out.csv | uniq -c
