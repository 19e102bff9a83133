"""kab_moves.py -- the small computations about KAB's equations, in plain Python and beside kanon's code: what the
arithmetic of equation 10 on numbers of classes does to stars that kanon made, and what equations 4, 5 and 11
say then. Every star is costed here from the table and the taxonomies alone, and must cost what kanon says."""
import csv
import math
import random

NUMBERS = ("age", "education-num")


class Space:
    """The table as ranks: numbers as they are, categories depth first along their taxonomy, so that the lowest
    common ancestor of a set is that of its least and greatest rank. Costs are NCP (equations 1 and 2)."""

    def __init__(self, table, files):
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.names = [name for name in rows[0] if name in files or name in NUMBERS]
        self.costs, columns = [], []
        for name in self.names:
            ranks, cost = self.category(files[name]) if name in files else self.number(rows, name)
            columns.append([ranks[row[name]] for row in rows])
            self.costs.append(cost)
        self.rows = list(zip(*columns))
        self.width = len(self.names)
        self.known = [{} for _ in self.names]

    @staticmethod
    def number(rows, name):
        values = {row[name]: float(row[name]) for row in rows}
        span = max(values.values()) - min(values.values())
        return values, lambda low, high: (high - low) / span

    @staticmethod
    def category(path):
        with open(path, encoding="utf-8") as file:
            paths = sorted((line.rstrip("\n").split(";") for line in file if line.strip()), key=lambda p: p[::-1])
        ranks = {path[0]: rank for rank, path in enumerate(paths)}

        def cost(low, high):
            if low == high:
                return 0.0
            level = next(i for i, (a, b) in enumerate(zip(paths[low], paths[high])) if a == b)
            return sum(path[level] == paths[low][level] for path in paths) / len(paths)
        return ranks, cost

    def classes(self, numbers):
        """{number of a class: [rows in it, its cost by row]}"""
        boxes = {}
        for row, number in zip(self.rows, numbers):
            box = boxes.get(number)
            if box is None:
                boxes[number] = [1, list(row), list(row)]
                continue
            box[0] += 1
            low, high = box[1], box[2]
            for i, value in enumerate(row):
                if value < low[i]:
                    low[i] = value
                elif value > high[i]:
                    high[i] = value
        return {number: (size, self.box_cost(low, high)) for number, (size, low, high) in boxes.items()}

    def box_cost(self, low, high):
        total = 0.0
        for i in range(self.width):
            pair = low[i], high[i]
            if pair not in self.known[i]:
                self.known[i][pair] = self.costs[i](*pair)
            total += self.known[i][pair]
        return total

    def ncp(self, numbers):
        """(equation 6 of a star, its number of classes, sizes of them)"""
        classes = self.classes(numbers)
        return (math.fsum(size * cost for size, cost in classes.values()), len(classes),
                [size for size, _ in classes.values()])

    def gcp(self, ncp):
        return ncp / (len(self.rows) * self.width)


def numbered(release, names):
    """Numbers of the classes of a release in the order of the table: rows that are written alike are one."""
    with open(release, newline="", encoding="utf-8") as file:
        reader, known = csv.DictReader(file), {}
        return [known.setdefault(tuple(row[name] for name in names), len(known) + 1) for row in reader]


def moved(star, hole, pull):
    """Equation 10 on numbers of classes, rounded to the next whole number."""
    return [math.floor(x + pull * (b - x) + 0.5) for x, b in zip(star, hole)]


def fitness(space, star, k):
    """(equation 4, NCP, share of the classes with fewer than k rows)"""
    ncp, count, sizes = space.ncp(star)
    small = sum(size < k for size in sizes)
    return 0.5 * ((1 if small else 0) + ncp), ncp, small / count


def journey(space, stars, k, seed, fresh, iterations=10):
    """Algorithm 2 as printed, from these stars: no repair, for the paper has none. fresh() makes another star, for
    one that is swallowed; as in the paper it moves before it is held against the hole. What the moves came to."""
    draw = random.Random(seed)
    told = [fitness(space, star, k) for star in stars]
    hole = min(range(len(stars)), key=lambda i: told[i][0])
    first = told[hole]
    found = {"moves": 0, "better": 0, "swallowed": 0, "below_k": 0.0, "gcp_after": 0.0,
             "distance_least": math.inf}
    for _ in range(iterations):
        for i in range(len(stars)):
            if i == hole:
                continue
            stars[i] = moved(stars[i], stars[hole], draw.random())
            told[i] = fitness(space, stars[i], k)
            gcp = space.gcp(told[i][1])
            found["moves"] += 1
            found["below_k"] += told[i][2]
            found["gcp_after"] += gcp
            if told[i][0] < told[hole][0]:
                found["better"] += 1
                hole = i
            radius = told[hole][0] / math.fsum(one[0] for one in told)
            distance = math.dist(stars[i], stars[hole]) if i != hole else math.inf
            if distance > 0:
                found["distance_least"] = min(found["distance_least"], distance)
            if distance < radius:
                found["swallowed"] += 1
                stars[i] = fresh()
                told[i] = fitness(space, stars[i], k)
    for name in ("below_k", "gcp_after"):
        found[name] /= found["moves"]
    found.update(radius=radius, gcp_hole=space.gcp(first[1]), utility=first[1])
    return found


# --- the paper's example of an encoding ---------------------------------------------------------------

EXAMPLE = ((1, 2), (3, 5), (4, 6, 7), (8, 9), (10, 12, 13), (11, 14, 15))


def encoded(order):
    """The numbers of the 15 records, the clusters being numbered in this order."""
    numbers = [0] * 15
    for number, cluster in enumerate(order, 1):
        for record in EXAMPLE[cluster]:
            numbers[record - 1] = number
    return numbers


def clusters(numbers):
    """A partition, whatever its numbers are."""
    found = {}
    for record, number in enumerate(numbers, 1):
        found.setdefault(number, []).append(record)
    return sorted(map(tuple, found.values()))


def example(pull):
    """The paper's 6 clusters, moved towards the very same clusters numbered from the other end."""
    star, same = encoded(range(6)), encoded(range(5, -1, -1))
    found = clusters(moved(star, same, pull))
    return {"distance": math.dist(star, same), "clusters": len(found),
            "kept": len(set(found) & set(clusters(star))), "below_k": sum(len(one) < 2 for one in found),
            "partition": " ".join("-".join(map(str, one)) for one in found)}
