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

# The version of the package, of the library and of the tool are one.
version=$(pkg-config --modversion kanon)
attempt "versions agree" sh -c "'$prefix/bin/kanon' --version | grep -qF '$version'"

# example NAME LINK-FLAGS...
example() {
    local name=$1
    shift
    # shellcheck disable=SC2046
    attempt "example compiles ($name)" cc -std=c99 -Wall -Wextra -Wpedantic -Werror examples/anonymize.c \
        $(pkg-config --cflags kanon) "$@" -o "$work/$name" || return
    attempt "example runs ($name)" env LD_LIBRARY_PATH="$libdir" "$work/$name" examples/register.csv \
        "$work/$name.csv" || return
    # shellcheck disable=SC2046
    attempt "example with Arrow arrays compiles ($name)" cc -std=c99 -Wall -Wextra -Wpedantic -Werror \
        examples/arrow.c $(pkg-config --cflags kanon) "$@" -o "$work/arrow-$name" || return
    attempt "example with Arrow arrays runs ($name)" env LD_LIBRARY_PATH="$libdir" "$work/arrow-$name"
    attempt "example's release is 5-anonymous ($name)" "$prefix/bin/kanon" check "$work/$name.csv" \
        --qi birth_date,sex,postcode -k 5
}

# shellcheck disable=SC2046
example shared $(pkg-config --libs kanon)
# shellcheck disable=SC2046
example static "$libdir/libkanon.a" $(pkg-config --libs --static kanon | sed 's/-lkanon//')
if [ -e "$work/shared.csv" ]; then
    attempt "both give the same release" cmp "$work/shared.csv" "$work/static.csv"
fi
exit $failed
