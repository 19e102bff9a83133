#!/usr/bin/env bash
# run_install.sh -- what `make install` leaves is enough to build and run the example program with
# nothing but pkg-config, against the shared and the static library, and to run the tool.
cd "$(dirname "$0")/../.." || exit 1

build=${KANON_BUILD:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
failed=0

# attempt NAME COMMAND... : succeeds
attempt() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok install: $name"
    else
        echo "FAIL install: $name: $(tail -n 1 "$work/log")"
        failed=1
        return 1
    fi
}

# Into a libdir that does not depend on the distribution's taste.
attempt "files are copied" cmake --install "$build" --prefix "$prefix" || exit 1
[ -d "$prefix/lib/pkgconfig" ] || PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name kanon.pc)")
libdir=$(pkg-config --variable=libdir kanon)

for file in bin/kanon include/kanon/kanon.h share/doc/kanon/LICENSE share/man/man1/kanon.1 \
    share/kanon/report.schema.json share/kanon/check.schema.json; do
    attempt "$file is there" test -s "$prefix/$file"
done
attempt "tool runs" "$prefix/bin/kanon" --version
attempt "tool knows the packs" sh -c "cd '$work' && '$prefix/bin/kanon' hierarchy packs | grep -q '^ *icd-10 '"

# The documents: links between them work, and the tutorial's table is there.
doc=$prefix/share/doc/kanon
for file in README.md CHANGELOG.md docs/TUTORIAL.md docs/algorithms/kgen.md examples/register.csv examples/places.csv; do
    attempt "$file is there" test -s "$doc/$file"
done
attempt "installed documents link to each other" python3 - "$doc" <<'PYTHON'
import os, re, sys
broken = []
for folder, _, files in os.walk(sys.argv[1]):
    for name in files:
        if not name.endswith(".md"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for target in re.findall(r"\]\(([^)#\s]+)", file.read()):
                inside = not re.match(r"[a-z]+:|(\.\./)*(data/hierarchies|quality|src|tests|bench|papers)(/|$)", target)
                if inside and not os.path.exists(os.path.join(folder, target)):
                    broken.append(name + ": " + target)
sys.exit("; ".join(broken[:5]) or 0)
PYTHON
attempt "the tutorial begins" sh -c "cd '$work' && cp '$doc/examples/register.csv' my.csv && '$prefix/bin/kanon' init my.csv -o my.yaml"

# The version of the package, of the library and of the tool are one.
version=$(pkg-config --modversion kanon)
attempt "versions agree" sh -c "'$prefix/bin/kanon' --version | grep -qF '$version'"

# compile SOURCE NAME LINK-FLAGS...: an example, to $work/SOURCE-NAME
compile() {
    local source=$1 name=$2
    shift 2
    # shellcheck disable=SC2046
    attempt "example $source compiles ($name)" cc -std=c99 -Wall -Wextra -Wpedantic -Werror "examples/$source.c" \
        $(pkg-config --cflags kanon) "$@" -o "$work/$source-$name"
}

# examples NAME LINK-FLAGS...
examples() {
    local name=$1 source
    for source in anonymize arrow several_jobs; do
        compile $source "$@" || return
    done
    export LD_LIBRARY_PATH="$libdir"
    attempt "example anonymize runs ($name)" "$work/anonymize-$name" examples/register.csv "$work/$name.csv" || return
    attempt "example arrow runs ($name)" "$work/arrow-$name"
    attempt "example several_jobs runs ($name)" sh -c \
        "cd examples && '$work/several_jobs-$name' register.csv register.yaml >'$work/jobs-$name.txt'"
    attempt "example several_jobs makes two releases ($name)" test "$(grep -c '^release with k .* loss' "$work/jobs-$name.txt")" = 2
    unset LD_LIBRARY_PATH
    attempt "example's release is 5-anonymous ($name)" "$prefix/bin/kanon" check "$work/$name.csv" \
        --qi birth_date,sex,postcode -k 5
}

# shellcheck disable=SC2046
examples shared $(pkg-config --libs kanon)
# shellcheck disable=SC2046
examples static "$libdir/libkanon.a" $(pkg-config --libs --static kanon | sed 's/-lkanon//')
if [ -e "$work/shared.csv" ]; then
    attempt "both give the same rows" cmp <(sort "$work/shared.csv") <(sort "$work/static.csv")
fi
exit $failed
