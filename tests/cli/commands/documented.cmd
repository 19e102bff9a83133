# Every option of every command stands in the man page and in the three completions, whose scripts are well formed.
man=$(tr -d '\\' < "$SRC/docs/man/kanon.1")
for shell in bash zsh fish; do "$KANON" completion $shell > completion.$shell; done
bash -n completion.bash
for command in init anonymize check pareto compare explain "hierarchy build" "hierarchy show" "hierarchy validate" "hierarchy packs" algorithms profiles; do
    for option in $("$KANON" $command --help | sed -n '/^Examples/,$d; s/^ \{2,6\}\(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
        grep -q -e "--$option" <<< "${man//fB/}" || echo "man page: --$option ($command)"
        grep -q -e "--$option" completion.bash || echo "bash: --$option ($command)"
        grep -q -e "--$option" completion.zsh || echo "zsh: --$option ($command)"
        grep -q -e "-l $option\b" completion.fish || echo "fish: --$option ($command)"
        seen="$seen $option"
    done
done
echo "$seen" | tr ' ' '\n' | sort -u | grep -c .
source ./completion.bash
PATH=$(dirname "$KANON"):$PATH
complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _kanon; echo "${COMPREPLY[@]}"; }
complete_line kanon an
complete_line kanon hierarchy ''
complete_line kanon anonymize --supp
complete_line kanon anonymize --algorithm kg
complete_line kanon anonymize --metric total
