#!/usr/bin/env bash
# run_source.sh -- the rules that a script can check, and whether the checkers see a breach.
cd "$(dirname "$0")/../.." || exit 1

failed=0
# expect NAME COMMAND... : succeeds
expect() {
    local name=$1 said
    shift
    if said=$("$@" 2>&1); then
        echo "ok $name"
    else
        echo "FAIL $name: $(echo "$said" | head -n 1) ($(echo "$said" | wc -l) lines: $*)"
        failed=1
    fi
}
# refuse NAME PATTERN COMMAND... : fails, and says so
refuse() {
    local name=$1 pattern=$2 said
    shift 2
    if said=$("$@" 2>&1); then
        echo "FAIL $name: the breach was not seen"
        failed=1
    elif ! grep -q -e "$pattern" <<<"$said"; then
        echo "FAIL $name: the message lacks \"$pattern\": $(echo "$said" | head -n 1)"
        failed=1
    else
        echo "ok $name"
    fi
}

expect "source: layers" tools/layers
expect "source: rules" tools/checksrc

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/base" "$tree/src/report" "$tree/cli" "$tree/include/kanon"
printf '#include "report/report.h"\n' >"$tree/src/base/a.c"
refuse "layers: a lower folder includes a higher one" "a.c:1: .*report" tools/layers "$tree"
printf '#include "kanon/kanon.h"\n#include "base/base.h"\n' >"$tree/cli/main.c"
printf 'int a;\n' >"$tree/src/base/a.c"
refuse "layers: the tool includes an inner header" "main.c:2: .*base" tools/layers "$tree"
printf '/* SPDX-License-Identifier: Apache-2.0 */\nint a;\n' >"$tree/cli/main.c"
mkdir "$tree/src/privacy"
printf '#include "privacy/models.h"\n' >"$tree/src/privacy/audit_a.c"
refuse "layers: the audit includes a model" "audit_a.c:1: .*models" tools/layers "$tree"
rm -r "$tree/src/privacy"

printf 'void\nf(void)\n{\n    printf("x"); /* said */\n}\n' >"$tree/src/base/a.c"
refuse "checksrc: a banned call" "a.c:4: .*printf" tools/checksrc "$tree"
printf '/* SPDX-License-Identifier: Apache-2.0 */\n/* exit(1) */\nconst char *a = "abort()";\nint snprintf_like(int);\n' >"$tree/src/base/a.c"
expect "checksrc: words in comments and texts are no calls" tools/checksrc "$tree"
printf '\tint a;\n' >"$tree/src/base/a.c"
refuse "checksrc: a tab" "a.c:1: .*tab" tools/checksrc "$tree"
printf 'int a; \n' >"$tree/src/base/a.c"
refuse "checksrc: a trailing blank" "a.c:1: .*trailing" tools/checksrc "$tree"
printf '/* %s */\n' "FIX""ME later" >"$tree/src/base/a.c"
refuse "checksrc: unfinished work" "a.c:1: " tools/checksrc "$tree"
{ printf 'void\nf(void)\n{\n'; yes '    g();' | head -n 90; printf '}\n'; } >"$tree/src/base/a.c"
refuse "checksrc: a long function" "a.c:2: f has 9" tools/checksrc "$tree"
yes 'int a;' | head -n 1100 >"$tree/src/base/a.c"
refuse "checksrc: a long file" "a.c:1: 1100 lines" tools/checksrc "$tree"
printf 'void *\nf(void)\n{\n    return malloc(1);\n}\n' >"$tree/src/base/a.c"
refuse "checksrc: memory past the context" "a.c:4: .*malloc" tools/checksrc "$tree"
printf 'void\nf(int a, int b, int c, int d, int e,\n  int g, int h)\n{\n}\n' >"$tree/src/base/a.c"
printf '/* SPDX-License-Identifier: Apache-2.0 */\nvoid f(int a,\n       bool b);\ntypedef void (*g)(int a, bool c);\n' >"$tree/src/base/a.h"
refuse "checksrc: a bool parameter" "a.h:3: b is a bool" tools/checksrc "$tree"
refuse "checksrc: a bool parameter of a function type" "a.h:4: c is a bool" tools/checksrc "$tree"
rm "$tree/src/base/a.h"
refuse "checksrc: seven parameters" "a.c:2: f takes 7 parameters" tools/checksrc "$tree"
printf 'int a;\n' >"$tree/src/base/a.c"
refuse "checksrc: no licence" "a.c:1: no licence" tools/checksrc "$tree"
printf '/* SPDX-License-Identifier: Apache-2.0 */\ntypedef struct kn_a {\n    int a;\n} kn_a;\n' >"$tree/src/base/a.c"
expect "checksrc: a type" tools/checksrc "$tree"
printf '/* SPDX-License-Identifier: Apache-2.0 */\nstruct kn_a {\n    int a;\n};\n' >"$tree/src/report/b.c"
refuse "checksrc: a type name that means two things" "b.c:2: kn_a is another type" tools/checksrc "$tree"
rm "$tree/src/report/b.c"
printf 'static size_t hits;\n' >"$tree/src/base/a.c"
refuse "checksrc: a writable global" "a.c:1: .*hits" tools/checksrc "$tree"
exit $failed
