#!/usr/bin/env bash
# run_arm.sh -- the engine on a 64-bit ARM: its NEON kernels are compiled by a cross compiler and the engine's
# own tests run in an emulator. Skipped where either is missing (gcc-aarch64-linux-gnu, qemu-user).
set -eu
cd "$(dirname "$0")/../.."

CROSS=${CROSS:-aarch64-linux-gnu-gcc}
EMULATOR=${EMULATOR:-qemu-aarch64}
for tool in "$CROSS" "$EMULATOR"; do
    if ! command -v "$tool" >/dev/null; then
        echo "skip cross-arm: there is no $tool"
        exit 0
    fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# xxhash is header-only; the other system headers of this machine would be those of another processor.
header=$(echo '#include <xxhash.h>' | cc -E -x c - | sed -n 's/^# 1 "\(.*xxhash\.h\)".*/\1/p' | head -1)
cp "$(dirname "$header")"/xxh*.h "$work/"

# All of encode/, of which the linker keeps what the engine reaches: a new file there is no missing one here.
if ! "$CROSS" -std=c11 -O2 -static -Wall -Wextra -Werror -Isrc -Iinclude -Itests/unit -I"$work" \
    -DKANON_VERSION='"0"' -DKANON_SOURCE_DIR='"."' -D_GNU_SOURCE -pthread \
    -ffunction-sections -fdata-sections -Wl,--gc-sections \
    tests/unit/test_engine.c src/group/*.c src/base/*.c src/encode/*.c -lm -o "$work/test_engine" 2>"$work/said"; then
    echo "FAIL cross-arm: $(head -3 "$work/said" | tr '\n' ' ')"
    exit 1
fi
"$EMULATOR" "$work/test_engine" | sed 's/^\(ok\|FAIL\) /\1 cross-arm-/'
