# Profiles: what they require, what a release meets, and what is refused.
"$KANON" profiles
"$KANON" profiles --json | python3 -c 'import json, sys; print([p["name"] for p in json.load(sys.stdin)["profiles"]])'
python3 - <<'PY'
import random
rng = random.Random(5)
with open("stays.csv", "w") as out:
    print("name,zip,age,admitted,sex,diagnosis,note", file=out)
    for i in range(400):
        print("Mary Smith,%s,%d,%d-%02d-%02d,%s,%s,%s" % (rng.choice(["02139", "02140", "03601", "90210"]), rng.randrange(20, 97), rng.randrange(2020, 2024),
              rng.randrange(1, 13), rng.randrange(1, 29), rng.choice("mf"), rng.choice(["I10", "E11", "J45"]), rng.choice("ab")), file=out)
PY
roles="--id name --qi zip,age,admitted,sex --sensitive diagnosis --insensitive note"
"$KANON" anonymize stays.csv -o safe.csv $roles --hierarchy zip=pack:postcode-us-hipaa --hierarchy age=range:20,40,top=90 \
    --profile hipaa-safe-harbor -v 2>/dev/null | sed -n '/^Profile/,/^$/p'
"$KANON" check safe.csv --qi zip,age,admitted,sex --profile hipaa-safe-harbor -q && echo "safe.csv: nothing that can be counted is violated"
"$KANON" check stays.csv --qi zip,age,admitted,sex --profile hipaa-safe-harbor -q || echo "stays.csv: $?"
"$KANON" anonymize stays.csv -o public.csv $roles --profile ema-0070 --alpha 0.8 -v 2>/dev/null | sed -n '/^Profile/,/^$/p'
# refused: a weaker setting, a column that is copied, classes that share a value
"$KANON" anonymize stays.csv -o no.csv $roles --profile ema-0070 -k 5 || echo "exit $?"
"$KANON" anonymize stays.csv -o no.csv --qi sex --sensitive diagnosis --insensitive admitted,age --others drop --profile hipaa-safe-harbor -q || echo "exit $?"
printf 'sex,illness\n%s' "$(yes 'm,flu' | head -20)" > same.csv
"$KANON" anonymize same.csv -o no.csv --qi sex --sensitive illness --profile wp216 -q || echo "exit $?"
ls
