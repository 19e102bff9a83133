"""f2.py -- a register of invented companies with the shape of the KGEN paper's second table.

The paper's F2 (1,599 records of a task force against fraud, 47 attributes: dates, numbers, strings, places) is not
public. This table has the same number of rows and columns, the same four kinds of attributes, and columns of the
kind that such a register has: address, place, telephone numbers, numbers of the chamber of commerce and of the
tax office, account, web. Addresses repeat (many companies share a building), numbers do not, and many fields are
empty. Nobody in it is real: what follows from this table about F2 itself is nothing but how the algorithms behave
on a table of its shape.

    papers/f2.py FOLDER     writes f2.csv and f2_places.csv

The same bytes everywhere: the generator is a fixed one, of integers alone."""
import csv
import os
import sys

ROWS = 1599
# place, province (all are in one country), weight: how many companies have their seat there
PLACES = (("Den Bosch", "Noord-Brabant", 60), ("Tilburg", "Noord-Brabant", 90), ("Breda", "Noord-Brabant", 110),
          ("Eindhoven", "Noord-Brabant", 50), ("Roosendaal", "Noord-Brabant", 80),
          ("Bergen op Zoom", "Noord-Brabant", 70), ("Oosterhout", "Noord-Brabant", 40),
          ("Waalwijk", "Noord-Brabant", 25), ("Etten-Leur", "Noord-Brabant", 30), ("Middelburg", "Zeeland", 50),
          ("Vlissingen", "Zeeland", 45), ("Goes", "Zeeland", 40), ("Terneuzen", "Zeeland", 45),
          ("Hulst", "Zeeland", 15), ("Zierikzee", "Zeeland", 10), ("Rotterdam", "Zuid-Holland", 40),
          ("Den Haag", "Zuid-Holland", 15), ("Dordrecht", "Zuid-Holland", 15), ("Amsterdam", "Noord-Holland", 25),
          ("Haarlem", "Noord-Holland", 5), ("Utrecht", "Utrecht", 12), ("Amersfoort", "Utrecht", 4),
          ("Arnhem", "Gelderland", 6), ("Nijmegen", "Gelderland", 7), ("Venlo", "Limburg", 6),
          ("Maastricht", "Limburg", 4), ("Zwolle", "Overijssel", 3), ("Enschede", "Overijssel", 3),
          ("Groningen", "Groningen", 3), ("Leeuwarden", "Friesland", 2), ("Assen", "Drenthe", 1),
          ("Almere", "Flevoland", 3))
WORDS = ("acker berg dijk graaf haven hof kamp kerk laan linde markt meer molen oever park polder post rand "
         "stad steen veld weide wind zand").split()
ENDS = ("bouw handel transport techniek horeca zorg advies beheer schoon vast").split()
LEGAL = (("eenmanszaak", 50), ("vof", 18), ("bv", 28), ("stichting", 3), ("nv", 1))
SECTORS = (("bouw", 22), ("horeca", 16), ("transport", 14), ("detailhandel", 18), ("schoonmaak", 8),
           ("zorg", 6), ("advies", 12), ("vastgoed", 4))
# The quasi-identifiers in the paper's order (its configurations have 3, 5, 10 and 15 of them), then the others.
HIERARCHY = {
    "datumupdate": "date:month,year,decade", "huisnr": "range:5,10,50,100", "huislet": "mask:right",
    "huisnrtoe": "range:5,10,50,100", "postcode": "mask:right", "plaats": "place:%s",
    "telnr": "mask:right", "mobnr": "mask:right", "kvknr": "mask:right", "vestigingsnr": "mask:right",
    "rsin": "mask:right", "btwnr": "mask:right", "ibannr": "mask:right", "facebook": "mask:right",
    "pnnr": "mask:right",
    "straat": "mask:right", "straat2": "mask:right", "provincie": "place:%s:provincie,land", "pht": "mask:right",
    "latitude": "range:0.05,0.1,0.5,1", "longitude": "range:0.05,0.1,0.5,1",
    "xcoordinaat": "range:1000,5000,10000,50000", "ycoordinaat": "range:1000,5000,10000,50000",
    "branche": "mask:right", "urladres": "mask:right", "domeinnaam": "mask:right", "emailadres": "mask:right",
    "ipadres": "mask:right", "linkedin": "mask:right", "twitter": "mask:right", "instagram": "mask:right",
    "opgericht": "date:month,year,decade", "rechtsvorm": "mask:right", "werknemers": "range:5,10,50,100",
    "webwinkel": "mask:right", "betalen": "mask:right", "bezorgen": "mask:right",
    "faillissement": "date:month,year,decade", "title": "mask:right", "keywords": "mask:right",
    "bron": "mask:right", "bsnnr": "mask:right", "match": "range:5,10,50", "selectie": "mask:right",
    "uitgesloten": "mask:right", "naam": "mask:right"}
COLUMNS = ("id datumupdate naam straat straat2 huisnr huislet huisnrtoe postcode plaats provincie pht latitude "
           "longitude xcoordinaat ycoordinaat telnr mobnr kvknr vestigingsnr rsin btwnr ibannr branche urladres "
           "domeinnaam emailadres ipadres facebook linkedin twitter instagram opgericht rechtsvorm werknemers "
           "webwinkel betalen bezorgen faillissement title keywords bron pnnr bsnnr match selectie "
           "uitgesloten").split()


class Dice:
    """splitmix64: small, and the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2 ** 64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2 ** 64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2 ** 64 - 1)
        return (z ^ (z >> 31)) % count

    def chance(self, percent):
        return self.below(100) < percent

    def one(self, choices):
        return choices[self.below(len(choices))]

    def weighted(self, choices):
        """One of (..., weight)."""
        left = self.below(sum(choice[-1] for choice in choices))
        for choice in choices:
            left -= choice[-1]
            if left < 0:
                return choice
        raise AssertionError("weights do not add up")

    def digits(self, count):
        return "%0*d" % (count, self.below(10 ** count))

    def maybe(self, percent, word):
        """The word in so many percent of the rows, otherwise an empty cell."""
        return word if self.chance(percent) else ""


def buildings(dice):
    """Addresses; companies share them. Each: place, province, street, number, letter, addition, postcode."""
    found = []
    for _ in range(620):
        index = PLACES.index(dice.weighted(PLACES))
        place, province, _ = PLACES[index]
        number = 1 + dice.below(dice.one((20, 60, 200)))
        found.append((place, province, dice.one(WORDS).capitalize() + dice.one(("straat", "weg", "plein")),
                      number, dice.maybe(18, dice.one("ABCD")), dice.maybe(9, str(1 + dice.below(40))),
                      "%d%02d%s%s" % (40 + index, dice.below(30), dice.one("ABCDEHKLN"), dice.one("ABCDEGHLM")),
                      index))
    return found


def company(dice, number, building):
    place, province, street, house, letter, addition, postcode, index = building
    word = dice.one(WORDS) + dice.one(ENDS)
    site = "%s%d.nl" % (word, dice.below(60))
    legal, founded = dice.weighted(LEGAL)[0], 1975 + max(dice.below(49), dice.below(49))
    rsin, web = dice.digits(9), dice.chance(45)
    return {
        "id": number, "naam": "%s %d" % (word.capitalize(), dice.below(500)), "straat": street,
        "datumupdate": "%04d-%02d-%02d" % (2014 + dice.below(5), 1 + dice.below(12), 1 + dice.below(28)),
        "straat2": dice.maybe(4, street), "huisnr": house, "huislet": letter, "huisnrtoe": addition,
        "postcode": postcode, "plaats": place, "provincie": province, "pht": postcode[:4],
        "latitude": "%d.%04d" % (51 + index // 20, dice.below(10000)),
        "longitude": "%d.%04d" % (4 + index % 3, dice.below(10000)),
        "xcoordinaat": 20000 + 5000 * index + dice.below(4000),
        "ycoordinaat": 370000 + 5000 * index + dice.below(4000),
        "telnr": dice.maybe(72, "0%d%s" % (11 + index, dice.digits(7))), "mobnr": dice.maybe(48,
                                                                              "06" + dice.digits(8)),
        "kvknr": dice.digits(8), "vestigingsnr": dice.maybe(90, "0000" + dice.digits(8)),
        "rsin": dice.maybe(45, rsin), "btwnr": dice.maybe(60, "NL%sB0%d" % (rsin, 1 + dice.below(3))),
        "ibannr": dice.maybe(30, "NL%s%s0%s" % (dice.digits(2), dice.one(("INGB", "RABO", "ABNA")),
                                                dice.digits(9))),
        "branche": dice.weighted(SECTORS)[0], "urladres": "www." + site if web else "",
        "domeinnaam": site if web else "", "emailadres": "info@" + site if web and dice.chance(70) else "",
        "ipadres": "%d.%d.%d.%d" % tuple(dice.below(223) for _ in range(4)) if web else "",
        "facebook": dice.maybe(16, "fb/%s%d" % (word, dice.below(60))),
        "linkedin": dice.maybe(9, "in/" + word), "twitter": dice.maybe(7, "@" + word),
        "instagram": dice.maybe(8, "@" + word),
        "opgericht": "%04d-%02d-%02d" % (founded, 1 + dice.below(12), 1 + dice.below(28)), "rechtsvorm": legal,
        "werknemers": dice.maybe(80, str(dice.below(dice.one((3, 10, 120))))),
        "webwinkel": "ja" if web and dice.chance(30) else "nee", "betalen": dice.maybe(12, "ideal"),
        "bezorgen": dice.maybe(10, "ja"),
        "faillissement": dice.maybe(3, "%04d-%02d-%02d" % (2015 + dice.below(4), 1 + dice.below(12),
                                                          1 + dice.below(28))),
        "title": word, "keywords": dice.maybe(40, dice.one(ENDS)), "bron": dice.one(("kvk", "web", "melding")),
        "pnnr": dice.maybe(8, dice.digits(10)), "bsnnr": dice.maybe(5, dice.digits(9)),
        "match": dice.below(101), "selectie": dice.maybe(25, "ja"), "uitgesloten": dice.maybe(5, "ja")}


def write(folder):
    """@return (path of the table, {quasi-identifier: hierarchy}), in the order of the paper"""
    dice, table = Dice(1599 * 47), os.path.join(folder, "f2.csv")
    places = os.path.join(folder, "f2_places.csv")
    with open(places, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("plaats", "provincie", "land"))
        writer.writerows((place, province, "Nederland") for place, province, _ in PLACES)
    houses = buildings(dice)
    with open(table, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for number in range(1, ROWS + 1):
            # the first houses are fuller: one in three rows goes to the first twentieth
            house = dice.below(31) if dice.chance(33) else dice.below(len(houses))
            writer.writerow(company(dice, number, houses[house]))
    return table, {name: spec % places if "%s" in spec else spec for name, spec in HIERARCHY.items()}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: papers/f2.py FOLDER")
    os.makedirs(sys.argv[1], exist_ok=True)
    write(sys.argv[1])
