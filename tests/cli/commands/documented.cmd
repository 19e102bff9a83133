# Every option of every command stands in the man page and in the three completions.
man=$(tr -d '\\' < "$SRC/docs/man/kanon.1")
for command in init anonymize check pareto compare explain "hierarchy build" "hierarchy show" "hierarchy validate" algorithms; do
    for option in $("$KANON" $command --help | sed -n '/^Examples/,$d; s/^ \{2,6\}\(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
        grep -q -e "--$option" <<< "${man//fB/}" || echo "man page: --$option ($command)"
        grep -q -e "--$option" "$SRC/completions/kanon.bash" || echo "bash: --$option ($command)"
        grep -q -e "--$option" "$SRC/completions/_kanon" || echo "zsh: --$option ($command)"
        grep -q -e "-l $option\b" "$SRC/completions/kanon.fish" || echo "fish: --$option ($command)"
        seen="$seen $option"
    done
done
echo "$seen" | tr ' ' '\n' | sort -u | grep -c .
source "$SRC/completions/kanon.bash"
PATH=$(dirname "$KANON"):$PATH
complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _kanon; echo "${COMPREPLY[@]}"; }
complete_line kanon an
complete_line kanon hierarchy ''
complete_line kanon anonymize --supp
complete_line kanon anonymize --algorithm kg
complete_line kanon anonymize --metric total
