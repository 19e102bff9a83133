"""The labelled columns of columns.txt, with cells: the same on every machine, since every column has its own generator of
numbers, seeded by language, concept and name."""
import collections
import datetime
import os
import random
import uuid

from pools import CITY, FIRST, LANGUAGES, LAST, PROSE, REGION, STREET, WORDS

ROWS = 1200
HELD_OUT = 4  # every so manieth column

Column = collections.namedtuple("Column", "language name concept role type missing part cells")

ICD = "K80.20 K80.1 M16.1 M17.1 I10.0 I25.11 I50.1 E11.9 E11.65 J18.9 J44.0 C34.1 C50.9 F32.1 F10.2 S72.0 N18.3 G40.2 A41.9 Z51.1 R07.4 B18.2 I21.4 K35.8"
ATC = "C10AA05 C09AA05 A10BA02 B01AC06 N02BE01 C07AB02 A02BC01 N06AB10 R03AC02 H03AA01 J01CA04 M01AE01"
ISCO = "2221 2310 5120 7512 8322 4110 9112 2411 3221 5223 7115 1420 2512 6111 5311"
NACE = "01.11 10.71 41.20 47.11 49.41 56.10 62.01 69.10 85.20 86.10 88.10 96.02 25.62 43.21"
ISO = "DE FR ES IT NL PL TR IN BR MA RO SY PT IE US CN UA GB"
NUTS = {"NUTS3": "DE111 DE212 DE300 DE600 DE929 DEA23 DED51 DE712", "NUTS-3": "NL112 NL212 NL225 NL310 NL326 NL411",
        "": "DE11 DE21 FR10 FRK2 ES30 ITC4 NL31 UKI3 PL21 AT13 BE10 SE11"}
COMMA = ("de", "fr", "es", "it", "nl")  # languages with a decimal comma
DATES = {"en": "%Y-%m-%d", "de": "%d.%m.%Y", "fr": "%d/%m/%Y", "es": "%d/%m/%Y", "it": "%d/%m/%Y", "nl": "%d-%m-%Y"}


def decimal(value, digits, language):
    text = "%.*f" % (digits, value)
    return text.replace(".", ",") if language in COMMA and digits else text


def thousands(value, language):
    whole, cents = ("%.2f" % value).split(".")
    groups = []
    while whole:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    return ",".join(groups) + "." + cents if language == "en" else ".".join(groups) + "," + cents


def pattern(form, rng):
    """# a digit, A a capital letter, a the same; anything else itself."""
    return "".join(str(rng.randrange(10)) if c == "#" else rng.choice("BCDFGHJKLMNPRSTVWXYZ") if c in "Aa" else c for c in form)


def iban(rng, country="DE"):
    body = "%018d" % rng.randrange(10 ** 18)
    check = 98 - int(body + "%d%d00" % (ord(country[0]) - 55, ord(country[1]) - 55)) % 97
    return "%s%02d%s" % (country, check, body)


def postcode(rng, language):
    if language == "en":
        return "%s%d %d%s" % (rng.choice(("LS", "YO", "EX", "BA", "SW", "NE")), rng.randrange(1, 20), rng.randrange(1, 9), pattern("AA", rng))
    if language == "nl":
        return "%d %s" % (rng.randrange(1011, 9999), pattern("AA", rng))
    first = {"de": (1067, 99998), "fr": (1000, 95880), "es": (1001, 52080), "it": (10, 98168)}[language]
    return "%05d" % (rng.randrange(first[0], first[1]) // 10 * 10 if language == "fr" else rng.randrange(*first))


def words(language, argument):
    return WORDS[argument][language].split("|")


def skewed(rng, values):
    """The first ones more often."""
    return values[min(int(rng.expovariate(2.2) * len(values) / 2), len(values) - 1)]


def moment(rng, days):
    return datetime.datetime(2023, 3, 6) + datetime.timedelta(minutes=rng.randrange(days * 1440), seconds=rng.randrange(60))


def day(rng, first, last):
    start = datetime.date(first, 1, 1).toordinal()
    return datetime.date.fromordinal(rng.randrange(start, datetime.date(last, 12, 31).toordinal()))


def mail(rng, language):
    first, last = rng.choice(FIRST[language].split()), rng.choice(LAST[language].split())
    plain = (first + "." + last).lower().encode("ascii", "ignore").decode()
    return "%s%d@%s.example" % (plain, rng.randrange(9999), rng.choice(("post", "web", "mail", "firma")))


def money(rng, language):
    text = thousands(rng.lognormvariate(10.4, 0.5), language)
    return "$" + text if language == "en" else text + " €"


def agegroup(rng, argument):
    low = rng.randrange(2, 9) * 10
    return "%d-%d" % (low, low + 9)


def phone(rng, language):
    form = {"en": "+44 20 #### ####", "de": "0###/#######", "fr": "0# ## ## ## ##", "es": "+34 6## ### ###", "it": "+39 0## #######",
            "nl": "06-########"}[language]
    return pattern(form, rng)


def numbers(text):
    return [float(item) if "." in item else int(item) for item in text.split(":")]


def street(rng, language):
    form, names = STREET[language]
    return form % {"n": rng.randrange(1, 190), "w": rng.choice(names.split())}


def prose(rng, language):
    said = PROSE[language].split()
    return " ".join(rng.choice(said) for _ in range(rng.randrange(7, 16)))


# (rng, language, argument, row) -> cell
GENERATORS = {
    "surname": lambda r, l, a, i: r.choice(LAST[l].split()) + ("-" + r.choice(LAST[l].split()) if r.random() < .3 else ""),
    "firstname": lambda r, l, a, i: r.choice(FIRST[l].split()),
    "fullname": lambda r, l, a, i: r.choice(FIRST[l].split()) + " " + r.choice(LAST[l].split()),
    "email": lambda r, l, a, i: mail(r, l),
    "phone": lambda r, l, a, i: phone(r, l),
    "url": lambda r, l, a, i: "https://www.%s.example/%s" % (r.choice(("photos", "blog", "cv")), pattern("aaa####", r).lower()),
    "ip": lambda r, l, a, i: "%d.%d.%d.%d" % (r.choice((81, 84, 192, 203)), r.randrange(256), r.randrange(256), r.randrange(1, 255)),
    "iban": lambda r, l, a, i: iban(r, {"en": "GB"}.get(l, l.upper())),
    "digits": lambda r, l, a, i: str(r.randrange(10 ** (int(a) - 1), 10 ** int(a))),
    "pattern": lambda r, l, a, i: pattern(a, r),
    "street": lambda r, l, a, i: street(r, l),
    "plate": lambda r, l, a, i: pattern({"de": "K-AA ####", "en": "AA## AAA"}.get(l, "AA-###-AA"), r),
    "seq": lambda r, l, a, i: str(int(a) + i),
    "repeated": lambda r, l, a, i: pattern(a.split(":")[1], random.Random(r.randrange(int(a.split(":")[0])))),
    "household": lambda r, l, a, i: str(4200000 + i * 5 // 12),
    "uuid": lambda r, l, a, i: str(uuid.UUID(int=r.getrandbits(128))),
    "prose": lambda r, l, a, i: prose(r, l),
    "date": lambda r, l, a, i: day(r, *numbers(a)).strftime(DATES[l]),
    "stamp": lambda r, l, a, i: moment(r, int(a)).strftime(DATES[l] + " %H:%M:%S"),
    "zoned": lambda r, l, a, i: moment(r, int(a)).strftime("%Y-%m-%dT%H:%M:%S") + r.choice(("+01:00", "+02:00", "Z")),
    "clock": lambda r, l, a, i: moment(r, 1).strftime("%H:%M"),
    "int": lambda r, l, a, i: str(r.randint(*numbers(a))),
    "age": lambda r, l, a, i: str(max(0, min(97, int(r.gauss(46, 20))))),
    "agegroup": lambda r, l, a, i: agegroup(r, a),
    "words": lambda r, l, a, i: skewed(r, words(l, a)),
    "codes": lambda r, l, a, i: skewed(r, a.split(",")),
    "postcode": lambda r, l, a, i: postcode(r, l),
    "city": lambda r, l, a, i: skewed(r, CITY[l].split()),
    "region": lambda r, l, a, i: skewed(r, REGION[l].split("|")),
    "nuts": lambda r, l, a, i: r.choice(NUTS.get(a, NUTS[""]).split()),
    "iso": lambda r, l, a, i: skewed(r, ISO.split()),
    "lat": lambda r, l, a, i: decimal(r.gauss(48.9, 0.2), 6, "en"),
    "lon": lambda r, l, a, i: decimal(r.gauss(9.2, 0.3), 6, "en"),
    "isco": lambda r, l, a, i: r.choice(ISCO.split()),
    "nace": lambda r, l, a, i: r.choice(NACE.split()),
    "icd": lambda r, l, a, i: r.choice(ICD.split()),
    "atc": lambda r, l, a, i: r.choice(ATC.split()),
    "norm": lambda r, l, a, i: decimal(r.gauss(*numbers(a)[:2]), numbers(a)[2], l),
    "skewed": lambda r, l, a, i: str(1 + int(r.expovariate(1 / numbers(a)[0]))),
    "steps": lambda r, l, a, i: str(r.randrange(*[n + (k == 1) for k, n in enumerate(numbers(a))])),
    "round": lambda r, l, a, i: str(r.randrange(*numbers(a))),
    "money": lambda r, l, a, i: money(r, l),
    "cents": lambda r, l, a, i: decimal(r.lognormvariate(7.5, 0.9), 2, l),
    "percent": lambda r, l, a, i: decimal(r.gauss(8, 3), 1, l) + (" %" if l in ("de", "fr") else "%"),
    "sampling": lambda r, l, a, i: decimal(r.lognormvariate(6.2, 0.6), 4, l),
}


def fill(language, name, concept, generator, missing):
    """The cells of one column; one in 25 is missing where the concept has such cells."""
    rng = random.Random("%s %s %s" % (language, concept, name))
    kind, _, argument = generator.partition(":")
    if kind == "nuts":
        argument = name
    cells = []
    for row in range(ROWS):
        cell = GENERATORS[kind](rng, language, argument, row)
        cells.append(rng.choice(missing) if missing and rng.random() < 0.04 else cell)
    return cells


def spelled(token, language):
    return words(language, "missing") if token == "*word" else [token]


def read_file(name):
    """(language, name, concept) of each column; a concept is its words."""
    concept = None
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        for line in (line.strip() for line in file):
            if line.startswith("="):
                concept = line[1:].split()
            elif line and not line.startswith("#"):
                language, _, names = line.partition(" ")
                assert language in LANGUAGES, line
                for name in (name.strip() for name in names.split(",")):
                    yield language, name, concept


def read():
    """All columns; `part` says whether one was tuned on, held out, or is one of the registers."""
    found = []
    for file in ("columns.txt", "registers.txt"):
        for count, (language, name, concept) in enumerate(read_file(file)):
            tokens = concept[4].partition("=")[2].split(",") if len(concept) > 4 else []
            missing = [word for token in tokens for word in spelled(token, language)]
            part = "registers" if file == "registers.txt" else "held out" if count % HELD_OUT == HELD_OUT - 1 else "tuned"
            cells = fill(language, name, concept[0], concept[3], missing)
            found.append(Column(language, name, concept[0], concept[1], concept[2], missing, part, cells))
    return found


def tables(columns, width=40):
    """Tables of one language, none with the same name twice: lists of columns."""
    for language in LANGUAGES:
        waiting = [column for column in columns if column.language == language]
        while waiting:
            taken, names = [], set()
            for column in waiting:
                if len(taken) < width and column.name.lower() not in names:
                    taken.append(column)
                    names.add(column.name.lower())
            waiting = [column for column in waiting if column not in taken]
            yield taken
