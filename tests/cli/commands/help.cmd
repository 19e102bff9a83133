# Help texts, made from the tables of settings and options.
"$KANON"; echo "[$?]"
"$KANON" --help
for command in init anonymize check pareto "hierarchy build" "hierarchy show" "hierarchy validate" "hierarchy packs" algorithms; do
    echo "=== $command"
    "$KANON" $command --help || exit
done
"$KANON" hierarchy --help
"$KANON" anonymize --frobnicate -h > /dev/null; echo "[$?]"
"$KANON" help check | sed -n 1p
"$KANON" --version | sed 's/[0-9][0-9.]*/N/'
