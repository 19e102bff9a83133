#!/bin/sh
# run_soak.sh -- some jobs of the soak test, ten times as many in the long form (KANON_LONG): first that the judge notices
# what is wrong (every kind of change to a release, its report or its exit status), then random jobs through the
# release build and some through the sanitizers. `make soak` runs as many as you like.
release=${KANON_BUILD:-build/release}/tests/soak/soak
debug=${KANON_BUILD_DEBUG:-build/debug}/tests/soak/soak
failed=0

if [ ! -x "$release" ]; then
    echo "skip soak: $release was not built"
    exit 0
fi
case ${KANON_LONG:-0} in
0) jobs=2000 sanitized=200 ;;
*) jobs=20000 sanitized=2000 ;;
esac
"$release" --self-test 1600 --seed 1 2>/dev/null || failed=1
"$release" --jobs $jobs --seed 1 2>/dev/null || failed=1
if [ -x "$debug" ]; then
    "$debug" --jobs $sanitized --seed 2 2>/dev/null || failed=1
else
    echo "skip soak with sanitizers: $debug was not built"
fi
exit $failed
