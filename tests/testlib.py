"""testlib.py -- what scripts of several folders under tests/ share.

A script finds it with

    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""
import os
import re
import stat
import tempfile

# --- short and long -----------------------------------------------------------------------------------------

LONG = os.environ.get("KANON_LONG", "") not in ("", "0")  # `make test LONG=1`, `tests/run --long`


def either(short, long):
    """How many cases a script takes unless told: `make test` must end in minutes."""
    return long if LONG else short


# --- folders ------------------------------------------------------------------------------------------------


def open_to_others(path):
    """Whether every user may enter the folder: it and all folders above it."""
    path = os.path.realpath(path)
    while os.stat(path).st_mode & stat.S_IXOTH:
        if path == os.path.dirname(path):
            return True
        path = os.path.dirname(path)
    return False


def runs_programs(path):
    return not os.statvfs(path).f_flag & os.ST_NOEXEC


def make_folder(prefix, *first, programs=False):
    """A new temporary folder below one that every user may enter, for tests that become another user: the repository
    and TMPDIR may both lie below a private folder. Places in FIRST are preferred. With PROGRAMS, programs can be run
    in it, which containers often forbid in /dev/shm."""
    places = [place for place in (*first, tempfile.gettempdir(), "/tmp", "/var/tmp") if os.access(place, os.W_OK | os.X_OK)]
    open_places = [place for place in places if open_to_others(place) and (runs_programs(place) or not programs)]
    return tempfile.mkdtemp(prefix=prefix, dir=(open_places or [None])[0])


# --- planted values -----------------------------------------------------------------------------------------


def stands_in(value, text):
    """Whether a planted value stands in a text (both bytes). Digits must be a number of their own: as a part of a longer
    number, of a fraction (a time, a share) or of a hash they are there by chance."""
    if re.fullmatch(rb"[0-9,]+", value):
        value = rb"(?<![0-9a-fA-F])(?<![0-9]\.)" + value + rb"(?![0-9a-fA-F])(?!\.[0-9]*[1-9])"
        return re.search(value, text) is not None
    return value in text
