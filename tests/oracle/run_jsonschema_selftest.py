#!/usr/bin/env python3
"""run_jsonschema_selftest.py -- does the schema checker see what it shall see, and do the published
schemas hold for the golden reports and for nothing that differs from them?"""
import copy
import glob
import os
import sys

import jsonschema_mini as mini

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(ROOT, "tests", "golden", "report")

# schema, values that pass, values that do not
CASES = [
    ({"type": "integer"}, [0, -3, 2.0], [1.5, "1", True, None]),
    ({"type": ["number", "null"]}, [1, 1.5, None], [False, "x", [], {}]),
    ({"type": "boolean"}, [True, False], [0, 1, "true"]),
    ({"const": 1}, [1, 1.0], [True, "1", 2]),
    ({"enum": ["a", None, 3]}, ["a", None, 3], ["b", 4, False]),
    ({"minimum": 0, "maximum": 1}, [0, 0.5, 1, "text"], [-0.1, 1.1]),
    ({"pattern": "^[0-9a-f]{4}$"}, ["00ff", 7], ["00fg", "00ff0"]),
    ({"minLength": 1}, ["x", 5], [""]),
    ({"items": {"type": "string"}, "minItems": 1}, [["a"], "no array"], [[], [1], ["a", 1]]),
    ({"uniqueItems": True}, [[1, 2], [1, True], []], [[1, 1.0], [{"a": 1}, {"a": 1}]]),
    ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, [{"a": "x", "b": 1}, 3], [{}, {"a": 1}]),
    ({"properties": {"a": {}}, "additionalProperties": False}, [{}, {"a": 1}], [{"b": 1}]),
    ({"additionalProperties": {"type": "integer"}}, [{}, {"x": 1}], [{"x": "1"}]),
    ({"properties": {"a": False}}, [{}, {"b": 1}], [{"a": None}]),
    ({"anyOf": [{"type": "null"}, {"minimum": 3}]}, [None, 4], [2]),
    ({"allOf": [{"minimum": 3}, {"maximum": 5}]}, [3, 5], [2, 6]),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}, [1], ["1"]),
    ({"if": {"properties": {"kind": {"const": "x"}}}, "then": {"required": ["a"]}, "else": {"required": ["b"]}},
     [{"kind": "x", "a": 1}, {"kind": "y", "b": 1}], [{"kind": "x", "b": 1}, {"kind": "y", "a": 1}]),
]
BROKEN = [{"types": "integer"}, {"type": "float"}, {"$ref": "#/$defs/none"}, {"$ref": "http://x/"},
          {"properties": {"a": {"maxLength": 3}}}, {"items": 3},
          {"properties": {}, "required": ["a"], "additionalProperties": False}]


class Tally:
    failed = 0

    def expect(self, condition, name, why=""):
        print(f"ok {name}" if condition else f"FAIL {name}: {why}")
        self.failed += not condition


def check_keywords(tally):
    for schema, good, bad in CASES:
        name = "schema checker: " + ", ".join(k for k in schema if k != "$defs")
        wrong = [v for v in good if mini.validate(v, schema)] + [v for v in bad if not mini.validate(v, schema)]
        tally.expect(not wrong, name, f"judged wrongly: {wrong}")
    for schema in BROKEN:
        try:
            mini.validate({"a": 1}, schema)
            tally.expect(False, f"schema checker refuses {schema}", "it did not")
        except mini.SchemaError:
            tally.expect(True, f"schema checker refuses {schema}")


def mutants(value, place=""):
    """Copies of a value, each with one thing wrong: a key lost, a key too many, a value of another type."""
    if isinstance(value, dict):
        for key in value:
            less = {k: v for k, v in value.items() if k != key}
            yield f"{place}.{key} lost", less, ("lost", place, key)
            for what, inner, kind in mutants(value[key], f"{place}.{key}"):
                yield what, {**value, key: inner}, kind
        yield f"{place}.surplus", {**value, "surplus": [None]}, ("surplus", place, None)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            for what, inner, kind in mutants(item, f"{place}[{i}]"):
                yield what, value[:i] + [inner] + value[i + 1:], kind
    else:
        yield f"{place} a list", [value], ("type", place, None)


def free(kind):
    """Mutations that a schema rightly lets pass: maps by column name, keys of full-domain or of local
    recoding alone, the key of an order that is not the table's."""
    what, place, key = kind
    maps = (".solution.levels", ".solution.heights", ".search.bounds", ".parameters.params")
    if what == "lost":
        return place in maps or (key in ("log", "precision", "height") and place == ".metrics") or (
            key in ("level", "log") and place.startswith(".attributes")) or (
            key in ("local", "snap", "order_key") and place == ".parameters")
    return False


def check_reports(tally, schema_name, pattern):
    schema = mini.load(os.path.join(ROOT, "docs", schema_name))
    mini.check_schema(schema)
    paths = sorted(glob.glob(os.path.join(GOLDEN, pattern)))
    tally.expect(paths, f"{schema_name}: golden reports", f"none matches {pattern}")
    for path in paths:
        name, report = os.path.basename(path), mini.load(path)
        errors = mini.validate(report, schema)
        tally.expect(not errors, f"{schema_name}: {name}", "; ".join(errors[:3]))
        passed = [what for what, mutant, kind in mutants(copy.deepcopy(report))
                  if not free(kind) and not mini.Validator(schema).check(mutant, schema)]
        tally.expect(not passed, f"{schema_name}: strict about {name}", f"lets pass: {passed[:5]}")


def check_meaning(tally):
    report = mini.load(os.path.join(GOLDEN, "feasible.json"))
    solution, inside = report["solution"], report["input"]
    tally.expect(solution["released_rows"] + solution["suppressed_rows"] == inside["rows"], "report: rows add up")
    tally.expect(list(solution["levels"]) == list(solution["heights"]) == inside["quasi"]
                 == [a["name"] for a in report["attributes"]], "report: quasi-identifiers in one order")
    local = mini.load(os.path.join(GOLDEN, "local.json"))
    tally.expect("levels" not in local["solution"] and not {"log", "height"} & local["metrics"].keys(),
                 "report: local recoding has no levels")
    nothing = mini.load(os.path.join(GOLDEN, "infeasible.json"))
    tally.expect(nothing["solution"] is None and nothing["findings"][0]["code"] == "infeasible", "report: infeasible has advice and no solution")


def main():
    tally = Tally()
    check_keywords(tally)
    check_reports(tally, "report.schema.json", "[!c]*.json")
    check_reports(tally, "check.schema.json", "check*.json")
    check_meaning(tally)
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
