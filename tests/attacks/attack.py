"""attack.py -- what the attacks of this folder share: a made-up table is released by the tool, and then looked at with
nothing but the release and what the attacker is assumed to know. KANON names the tool."""
import collections
import csv
import json
import os
import subprocess
import sys
import tempfile

KANON = os.environ.get("KANON") or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "release", "kanon")
failures = []


def require(what, holds):
    """One thing that must hold; the script goes on, so that a red run shows all figures."""
    print("%s  %s" % ("ok  " if holds else "FAIL", what))
    if not holds:
        failures.append(what)


def finish():
    sys.exit(1 if failures else 0)


def release(names, rows, roles, options=(), hierarchies=None):
    """Releases a table. roles: column -> role, in a config file, which every version of the tool reads.
    @return (released rows as dicts, the report)"""
    with tempfile.TemporaryDirectory(prefix="kanon-attack-") as folder:
        table, config, out = (os.path.join(folder, name) for name in ("table.csv", "kanon.json", "release.csv"))
        with open(table, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            writer.writerows(rows)
        attributes = {name: {"role": roles[name]} for name in names}
        for name, hierarchy in (hierarchies or {}).items():
            attributes[name]["hierarchy"] = hierarchy
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"attributes": attributes}, file)
        done = subprocess.run([KANON, "anonymize", table, "-c", config, "-o", out, "--json", *options],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            sys.exit("%s ended with %d: %s" % (KANON, done.returncode, done.stderr.decode("utf-8", "replace")))
        with open(out, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file)), json.loads(done.stdout.decode("utf-8"))


def findings(report, code):
    return [finding for finding in report["findings"] if finding.get("code", finding.get("id")) == code]


def remedy(finding):
    """What the tool advises; version 0.1 has other names for the same."""
    return finding.get("remedy", finding.get("todo"))


def finding_of(report, code, column):
    """The figure of a finding about a column; None: the tool is silent."""
    for finding in findings(report, code):
        if (finding["place"] or {}).get("name") == column:
            return finding["figure"]
    return None


def groups(rows, columns):
    """Sizes of the groups of rows that agree in columns."""
    return collections.Counter(tuple(row[name] for name in columns) for row in rows)


def alone(rows, columns):
    """Rows that differ from all others in columns."""
    return sum(1 for size in groups(rows, columns).values() if size == 1)


def below(rows, columns, k):
    """Rows in groups of fewer than k."""
    return sum(size for size in groups(rows, columns).values() if size < k)
