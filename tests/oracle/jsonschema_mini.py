"""jsonschema_mini.py -- checks a JSON value against a JSON Schema (draft 2020-12), as far as the schemas in
docs/ use it. A keyword that is not known here is an error, never ignored: a schema cannot promise more
than is checked.

    errors = jsonschema_mini.validate(value, schema)      # [] when all is well
    python3 jsonschema_mini.py SCHEMA.json FILE.json...   # prints ok / FAIL lines
"""
import json
import re
import sys

ANNOTATIONS = {"$schema", "$id", "$comment", "$defs", "title", "description", "then", "else"}


class SchemaError(Exception):
    """The schema itself is wrong, or uses a keyword that is not known here."""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "number": is_number,
    "integer": lambda v: is_number(v) and float(v).is_integer(),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


def same(a, b):
    """Equality of JSON: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


class Validator:
    def __init__(self, root):
        self.root = root

    def resolve(self, reference):
        if not reference.startswith("#"):
            raise SchemaError(f"only references within the schema are known, not {reference!r}")
        at = self.root
        for step in [s for s in reference[1:].split("/") if s]:
            step = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(at, dict) or step not in at:
                raise SchemaError(f"{reference!r} leads nowhere")
            at = at[step]
        return at

    def check(self, value, schema, place="$"):
        """All errors, as "PLACE: why"."""
        if schema is True:
            return []
        if schema is False:
            return [f"{place}: not allowed"]
        if not isinstance(schema, dict):
            raise SchemaError(f"{schema!r} is no schema")
        errors = []
        for keyword, wanted in schema.items():
            if keyword in ANNOTATIONS:
                continue
            handler = getattr(self, "key_" + keyword.replace("$", ""), None)
            if handler is None:
                raise SchemaError(f"unknown keyword {keyword!r}")
            errors += handler(value, wanted, schema, place)
        return errors

    # --- any value ---

    def key_ref(self, value, wanted, _schema, place):
        return self.check(value, self.resolve(wanted), place)

    def key_type(self, value, wanted, _schema, place):
        names = wanted if isinstance(wanted, list) else [wanted]
        if not set(names) <= TYPES.keys():
            raise SchemaError(f"unknown type in {wanted!r}")
        return [] if any(TYPES[n](value) for n in names) else [f"{place}: {short(value)} is not {' or '.join(names)}"]

    def key_const(self, value, wanted, _schema, place):
        return [] if same(value, wanted) else [f"{place}: {short(value)} is not {short(wanted)}"]

    def key_enum(self, value, wanted, _schema, place):
        return [] if any(same(value, w) for w in wanted) else [f"{place}: {short(value)} is none of {wanted}"]

    def key_anyOf(self, value, wanted, _schema, place):
        tries = [self.check(value, one, place) for one in wanted]
        return [] if any(not errors for errors in tries) else max(tries, key=lambda e: len(e[0]) if e else 0)

    def key_allOf(self, value, wanted, _schema, place):
        return [error for one in wanted for error in self.check(value, one, place)]

    def key_if(self, value, wanted, schema, place):
        branch = "else" if self.check(value, wanted, place) else "then"
        return self.check(value, schema.get(branch, True), place)

    # --- numbers and strings ---

    def key_minimum(self, value, wanted, _schema, place):
        return [f"{place}: {value} is below {wanted}"] if is_number(value) and value < wanted else []

    def key_maximum(self, value, wanted, _schema, place):
        return [f"{place}: {value} is above {wanted}"] if is_number(value) and value > wanted else []

    def key_minLength(self, value, wanted, _schema, place):
        return [f"{place}: shorter than {wanted}"] if isinstance(value, str) and len(value) < wanted else []

    def key_pattern(self, value, wanted, _schema, place):
        if isinstance(value, str) and not re.search(wanted, value):
            return [f"{place}: {short(value)} does not match {wanted}"]
        return []

    # --- arrays ---

    def key_items(self, value, wanted, _schema, place):
        if not isinstance(value, list):
            return []
        return [e for i, item in enumerate(value) for e in self.check(item, wanted, f"{place}[{i}]")]

    def key_minItems(self, value, wanted, _schema, place):
        return [f"{place}: fewer than {wanted} items"] if isinstance(value, list) and len(value) < wanted else []

    def key_uniqueItems(self, value, wanted, _schema, place):
        if not wanted or not isinstance(value, list):
            return []
        twice = any(same(a, b) for i, a in enumerate(value) for b in value[:i])
        return [f"{place}: an item stands there twice"] if twice else []

    # --- objects ---

    def key_properties(self, value, wanted, _schema, place):
        if not isinstance(value, dict):
            return []
        return [e for key, one in wanted.items() if key in value
                for e in self.check(value[key], one, f"{place}.{key}")]

    def key_required(self, value, wanted, _schema, place):
        if not isinstance(value, dict):
            return []
        return [f"{place}: {key!r} is missing" for key in wanted if key not in value]

    def key_additionalProperties(self, value, wanted, schema, place):
        if not isinstance(value, dict):
            return []
        known = schema.get("properties", {})
        return [e for key in value if key not in known for e in self.check(value[key], wanted, f"{place}.{key}")]


def short(value):
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def walk(schema):
    """Every schema within a schema, so that an unknown keyword is found even where no value leads."""
    yield schema
    if not isinstance(schema, dict):
        return
    for key in ("$defs", "properties"):
        for one in schema.get(key, {}).values():
            yield from walk(one)
    for key in ("items", "additionalProperties", "if", "then", "else"):
        if key in schema:
            yield from walk(schema[key])
    for key in ("anyOf", "allOf"):
        for one in schema.get(key, []):
            yield from walk(one)


def check_schema(schema):
    """Raises SchemaError when the schema uses what is not known here or refers to nothing."""
    validator = Validator(schema)
    for one in walk(schema):
        if isinstance(one, bool):
            continue
        if not isinstance(one, dict):
            raise SchemaError(f"{one!r} is no schema")
        for keyword in one:
            if keyword not in ANNOTATIONS and not hasattr(validator, "key_" + keyword.replace("$", "")):
                raise SchemaError(f"unknown keyword {keyword!r}")
        if "$ref" in one:
            validator.resolve(one["$ref"])
        if isinstance(one.get("properties"), dict):
            lost = set(one.get("required", [])) - one["properties"].keys()
            if lost and one.get("additionalProperties") is False:
                raise SchemaError(f"required but not described: {sorted(lost)}")


def validate(value, schema):
    check_schema(schema)
    return Validator(schema).check(value, schema)


def no_constants(name):
    raise ValueError(f"{name} is no JSON")


def no_twins(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key stands there twice: {sorted(k for k in keys if keys.count(k) > 1)[0]!r}")
    return dict(pairs)


def load(path):
    """Strict: no NaN, no infinities, no key twice."""
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=no_constants, object_pairs_hook=no_twins)


def main(arguments):
    if len(arguments) < 2:
        print(__doc__)
        return 1
    schema, failed = load(arguments[0]), False
    for path in arguments[1:]:
        errors = validate(load(path), schema)
        failed = failed or bool(errors)
        print(f"FAIL {path}: {errors[0]} ({len(errors)} in all)" if errors else f"ok {path}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
