"""clock.py -- kanon timed by the processor instead of the wall clock, for machines that do other things beside:
a shim, compiled on the spot with $CC or cc, answers the tool's clock with its processor time. With one thread
that is what the wall clock would say on an idle machine. Limits of time then count processor seconds, too."""
import os
import subprocess

SHIM = """\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        *(void **) &real = dlsym(RTLD_NEXT, "clock_gettime");
    return real(clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock, now);
}
"""


def make_shim(folder):
    """@return the path of the shim, for LD_PRELOAD, or None where there is no compiler"""
    source, shim = os.path.join(folder, "clock.c"), os.path.join(folder, "clock.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SHIM)
    try:
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", source, "-o", shim, "-ldl"],
                       check=True, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    return shim


def by_processor(shim):
    """What goes before a command."""
    return ["env", "LD_PRELOAD=" + shim] if shim else []
