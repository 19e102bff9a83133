# kanon.fish -- completion of kanon(1) for fish: put it into ~/.config/fish/completions.

function __kanon_names --argument-names part
    switch $part
        case algorithms
            kanon algorithms 2>/dev/null | sed -n '/^Metrics/q; s/^  \([a-z][a-z-]*\) .*/\1/p'
        case metrics
            kanon algorithms 2>/dev/null | sed -n '/^Metrics/,$ s/^  \([a-z][a-z_]*\) .*/\1/p'
    end
end

complete -c kanon -n __fish_use_subcommand -f -a init -d 'write a commented starter config'
complete -c kanon -n __fish_use_subcommand -f -a anonymize -d 'make a k-anonymous release'
complete -c kanon -n __fish_use_subcommand -f -a check -d 'measure any table'
complete -c kanon -n __fish_use_subcommand -f -a hierarchy -d 'make, print and check hierarchies'
complete -c kanon -n __fish_use_subcommand -f -a algorithms -d 'list algorithms and metrics'
complete -c kanon -n __fish_use_subcommand -l version -d 'the version'
complete -c kanon -n '__fish_seen_subcommand_from hierarchy; and not __fish_seen_subcommand_from build show validate' -f -a 'build show validate'

# all commands
complete -c kanon -s h -l help -d 'help'
complete -c kanon -s q -l quiet -d 'only errors'
complete -c kanon -s v -l verbose -d 'tell every stage and its time'
complete -c kanon -l progress -x -a 'auto always never' -d 'a progress line'

# commands that read a table
set -l reads '__fish_seen_subcommand_from init anonymize check hierarchy'
complete -c kanon -n $reads -l delimiter -x -a 'tab comma semicolon pipe' -d 'one character or tab'
complete -c kanon -n $reads -l quote -x -d 'the character around fields'
complete -c kanon -n $reads -l header -x -a 'auto yes no' -d 'does the first line hold the names?'
complete -c kanon -n $reads -l no-header -d 'the first line is a row'
complete -c kanon -n $reads -l encoding -x -a 'utf-8 latin-1' -d 'of the table'
complete -c kanon -n $reads -l missing -x -d 'cells that mean no value; replaces the default'
complete -c kanon -n '__fish_seen_subcommand_from init anonymize hierarchy' -s o -l output -r -d 'where it goes'
complete -c kanon -n '__fish_seen_subcommand_from anonymize check hierarchy' -s c -l config -r -d 'YAML or JSON'
complete -c kanon -n '__fish_seen_subcommand_from check algorithms' -l json -d 'print JSON'
complete -c kanon -n '__fish_seen_subcommand_from init hierarchy' -l force -d 'replace a file that is there'

# columns
complete -c kanon -n '__fish_seen_subcommand_from anonymize check' -l qi -x -d 'quasi-identifiers'
complete -c kanon -n '__fish_seen_subcommand_from anonymize check' -l sensitive -x -d 'sensitive columns'
complete -c kanon -n '__fish_seen_subcommand_from anonymize check' -s k -x -d 'k'
complete -c kanon -n '__fish_seen_subcommand_from check' -l wildcard -d 'a missing value matches anything'
complete -c kanon -n '__fish_seen_subcommand_from anonymize hierarchy' -l hierarchy -x -d 'how a column gets coarser'
complete -c kanon -n '__fish_seen_subcommand_from anonymize hierarchy' -l type -x -d 'number, date, string, place'
complete -c kanon -n '__fish_seen_subcommand_from hierarchy' -l column -x -d 'the column of the table'

# anonymize
set -l main '__fish_seen_subcommand_from anonymize'
complete -c kanon -n $main -l id -x -d 'identifiers'
complete -c kanon -n $main -l weight -x -d 'how much a quasi-identifier counts'
complete -c kanon -n $main -l label -x -d 'class column of the metric cm'
complete -c kanon -n $main -l report -r -d 'write a report'
complete -c kanon -n $main -l keep-order -d 'released rows in input order'
complete -c kanon -n $main -l suppression -x -d 'most rows that may be suppressed'
complete -c kanon -n $main -l suppressed -x -a 'drop mask' -d 'what happens to them'
complete -c kanon -n $main -l identifiers -x -a 'mask drop' -d 'what happens to identifiers'
complete -c kanon -n $main -l l-diversity -x -d 'not in this version'
complete -c kanon -n $main -l l-kind -x -a 'distinct entropy recursive' -d 'which l-diversity'
complete -c kanon -n $main -l t-closeness -x -d 'not in this version'
complete -c kanon -n $main -l algorithm -x -a '(__kanon_names algorithms)' -d 'the search'
complete -c kanon -n $main -l metric -x -a '(__kanon_names metrics)' -d 'what is minimised'
complete -c kanon -n $main -l param -x -d 'a setting of the algorithm'
complete -c kanon -n $main -l seed -x -d 'same seed, same release'
complete -c kanon -n $main -l threads -x -d '0 is all cores'
complete -c kanon -n $main -l time-limit -x -d 'stop the search then'
