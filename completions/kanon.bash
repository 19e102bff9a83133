# kanon.bash -- completion of kanon(1) for bash: source it, or install it as
# /usr/share/bash-completion/completions/kanon
_kanon()
{
    local cur prev words cword command models table common
    if declare -F _init_completion >/dev/null; then
        _init_completion -n = || return
    else
        cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
    fi
    command=${words[1]}
    models="--l-diversity --l-kind --l-c --t-closeness --t-distance --p-sensitive --alpha --beta-likeness \
        --beta-kind --delta-disclosure --k-map --delta-presence --population --k-column --entity"
    table="--delimiter --quote --header --no-header --encoding --missing"
    common="--progress --quiet --verbose --help -q -v -h"

    if ((cword == 1)); then
        COMPREPLY=($(compgen -W "init anonymize check compare explain pareto hierarchy algorithms --help --version" -- "$cur"))
        return
    fi
    case $prev in
        --algorithm)
            if [[ $command == pareto ]]; then
                COMPREPLY=($(compgen -W "auto exact pbg-ea" -- "$cur"))
                return
            fi
            COMPREPLY=($(compgen -W "$("${words[0]}" algorithms 2>/dev/null |
                sed -n '/^Metrics/q; s/^  \([a-z][a-z-]*\) .*/\1/p')" -- "$cur"))
            return ;;
        --metric)
            COMPREPLY=($(compgen -W "$("${words[0]}" algorithms 2>/dev/null |
                sed -n '/^Metrics/,/^$/ s/^  \([a-z][a-z_]*\) .*/\1/p')" -- "$cur"))
            return ;;
        --suppressed | --identifiers) COMPREPLY=($(compgen -W "drop mask" -- "$cur")); return ;;
        --t-distance) COMPREPLY=($(compgen -W "auto equal ordered hierarchical" -- "$cur")); return ;;
        --beta-kind) COMPREPLY=($(compgen -W "basic enhanced" -- "$cur")); return ;;
        --l-kind) COMPREPLY=($(compgen -W "distinct entropy recursive" -- "$cur")); return ;;
        --local) COMPREPLY=($(compgen -W "interval mean median mode" -- "$cur")); return ;;
        --snap) COMPREPLY=($(compgen -W "off hierarchy grid" -- "$cur")); return ;;
        --objectives) COMPREPLY=($(compgen -W "k,glm k,log k,l,glm s_k,glm s_k,s_l,glm k,glm,cm" -- "$cur")); return ;;
        --report-audience) COMPREPLY=($(compgen -W "internal external" -- "$cur")); return ;;
        --progress) COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
        --header) COMPREPLY=($(compgen -W "auto yes no" -- "$cur")); return ;;
        --encoding) COMPREPLY=($(compgen -W "utf-8 latin-1" -- "$cur")); return ;;
        --delimiter) COMPREPLY=($(compgen -W "tab comma semicolon pipe" -- "$cur")); return ;;
        -o | --output | -c | --config | --report | --html | --population | --from) COMPREPLY=($(compgen -f -- "$cur")); return ;;
        -k | --qi | --id | --sensitive | --hierarchy | --type | --weight | --label | --column | --grid | \
        --suppression | \
        --l-diversity | --l-c | --t-closeness | --p-sensitive | --alpha | --beta-likeness | --delta-disclosure | \
        --k-map | --delta-presence | --k-column | --entity | --param | --seed | --threads | --time-limit | --quote | --missing | --queries | \
        --pick | --boxes)
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
            COMPREPLY=($(compgen -W "-o --output -c --config --from --pick --report --report-audience --json --keep-order --qi --id --sensitive \
                --hierarchy --type --weight --label -k --suppression --suppressed --identifiers \
                $models --algorithm --metric --param --seed --threads --time-limit \
                --local --snap --grid $table $common" -- "$cur")) ;;
        check)
            COMPREPLY=($(compgen -W "--qi --sensitive --type --hierarchy -k --wildcard --json -c --config $models $table $common" -- "$cur")) ;;
        compare)
            COMPREPLY=($(compgen -W "-c --config --qi --id --sensitive --label --hierarchy --type --weight --json \
                --html --queries -k --seed $table $common" -- "$cur")) ;;
        explain)
            COMPREPLY=($(compgen -W "-c --config --json --qi --id --sensitive --hierarchy --type --weight --label \
                -k --suppression $models --algorithm --metric --param --seed --threads --time-limit \
                $table $common" -- "$cur")) ;;
        pareto)
            COMPREPLY=($(compgen -W "-o --output -c --config --json --qi --id --sensitive --hierarchy --type --weight \
                --label --objectives --boxes --suppression --algorithm --param --seed --threads --time-limit \
                $table $common" -- "$cur")) ;;
        init) COMPREPLY=($(compgen -W "-o --output --force $table $common" -- "$cur")) ;;
        hierarchy)
            COMPREPLY=($(compgen -W "--column --hierarchy --type -c --config -o --output --force $table $common" -- "$cur")) ;;
        algorithms) COMPREPLY=($(compgen -W "--json $common" -- "$cur")) ;;
    esac
}
complete -o filenames -F _kanon kanon
