# kanon.bash -- completion of kanon(1) for bash: source it, or install it as
# /usr/share/bash-completion/completions/kanon
_kanon()
{
    local cur prev words cword command table common
    if declare -F _init_completion >/dev/null; then
        _init_completion -n = || return
    else
        cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
    fi
    command=${words[1]}
    table="--delimiter --quote --header --no-header --encoding --missing"
    common="--progress --quiet --verbose --help -q -v -h"

    if ((cword == 1)); then
        COMPREPLY=($(compgen -W "init anonymize check hierarchy algorithms --help --version" -- "$cur"))
        return
    fi
    case $prev in
        --algorithm)
            COMPREPLY=($(compgen -W "$("${words[0]}" algorithms 2>/dev/null |
                sed -n '/^Metrics/q; s/^  \([a-z][a-z-]*\) .*/\1/p')" -- "$cur"))
            return ;;
        --metric)
            COMPREPLY=($(compgen -W "$("${words[0]}" algorithms 2>/dev/null |
                sed -n '/^Metrics/,$ s/^  \([a-z][a-z_]*\) .*/\1/p')" -- "$cur"))
            return ;;
        --suppressed | --identifiers) COMPREPLY=($(compgen -W "drop mask" -- "$cur")); return ;;
        --l-kind) COMPREPLY=($(compgen -W "distinct entropy recursive" -- "$cur")); return ;;
        --progress) COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
        --header) COMPREPLY=($(compgen -W "auto yes no" -- "$cur")); return ;;
        --encoding) COMPREPLY=($(compgen -W "utf-8 latin-1" -- "$cur")); return ;;
        --delimiter) COMPREPLY=($(compgen -W "tab comma semicolon pipe" -- "$cur")); return ;;
        -o | --output | -c | --config | --report) COMPREPLY=($(compgen -f -- "$cur")); return ;;
        -k | --qi | --id | --sensitive | --hierarchy | --type | --weight | --label | --column | \
        --suppression | \
        --l-diversity | --t-closeness | --param | --seed | --threads | --time-limit | --quote | --missing)
            return ;;
    esac
    if [[ $command == hierarchy ]] && ((cword == 2)); then
        COMPREPLY=($(compgen -W "build show validate" -- "$cur"))
        return
    fi
    if [[ $cur != -* ]]; then
        COMPREPLY=($(compgen -f -- "$cur"))
        return
    fi
    case $command in
        anonymize)
            COMPREPLY=($(compgen -W "-o --output -c --config --report --keep-order --qi --id --sensitive \
                --hierarchy --type --weight --label -k --suppression --suppressed --identifiers --l-diversity --l-kind \
                --t-closeness --algorithm --metric --param --seed --threads --time-limit $table $common" -- "$cur")) ;;
        check)
            COMPREPLY=($(compgen -W "--qi --sensitive -k --wildcard --json -c --config $table $common" -- "$cur")) ;;
        init) COMPREPLY=($(compgen -W "-o --output --force $table $common" -- "$cur")) ;;
        hierarchy)
            COMPREPLY=($(compgen -W "--column --hierarchy --type -c --config -o --output --force $table $common" -- "$cur")) ;;
        algorithms) COMPREPLY=($(compgen -W "--json $common" -- "$cur")) ;;
    esac
}
complete -o filenames -F _kanon kanon
