#!/bin/sh
# run_soak.sh -- a few thousand jobs of the soak test: first that the judge notices what is wrong (every kind of change
# to a release, its report or its exit status), then random jobs through the release build and some through the
# sanitizers. A slow machine takes longer, but does no fewer than the least that is worth an "ok". `make soak` runs
# as many as you like.
release=${KANON_BUILD:-build/release}/tests/soak/soak
debug=${KANON_BUILD_DEBUG:-build/debug}/tests/soak/soak
failed=0

if [ ! -x "$release" ]; then
    echo "skip soak: $release was not built"
    exit 0
fi
"$release" --self-test 1600 --seed 1 2>/dev/null || failed=1
"$release" --jobs 4000 --seed 1 --seconds 12 --least 2000 2>/dev/null || failed=1
if [ -x "$debug" ]; then
    "$debug" --jobs 500 --seed 2 --seconds 6 --least 250 2>/dev/null || failed=1
else
    echo "skip soak with sanitizers: $debug was not built"
fi
exit $failed
