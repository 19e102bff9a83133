/* SPDX-License-Identifier: Apache-2.0 */
/* gen_register.c -- makes a population register of an invented country, as CSV: name, birth_date, age,
 * sex, postcode, city, job, income, diagnosis. The columns depend on each other as they do in life: the
 * age on the birth date (on 2024-12-31), the first name on sex and year of birth, the postcode on the
 * city, the job on age and sex, the income on job and age, the diagnosis on age and sex. City sizes
 * follow a power law; some cells are missing.
 *
 * Nobody in it is real. The same seed gives the same bytes everywhere (integers only), and a gigabyte
 * takes seconds: every distribution is drawn from a table, rows go through one buffer.
 *
 * It can also write the tables that belong to the register: places, and hierarchies of jobs and
 * diagnoses, so that they always match. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_register_data.h"

enum {
    REFERENCE_YEAR = 2024, /* ages are those of its last day */
    MAX_AGE = 99,
    PICK_BITS = 12, /* a distribution is a table of this many draws: steps of 1/4096 */
    PICKS = 1 << PICK_BITS,
    BUFFER = 1 << 20,
    ROW_MAX = 512,    /* no row is longer */
    CHOICES_MAX = 256 /* of one distribution: a byte */
};

typedef struct random_state {
    uint64_t x, bits;
    int      left; /* 16-bit pieces left in bits */
} random_state;

typedef struct picker {
    uint8_t of[PICKS];
} picker;

_Static_assert((int) CITIES <= CHOICES_MAX && (int) JOBS <= CHOICES_MAX
                   && (int) DIAGNOSES <= CHOICES_MAX,
               "a choice is a byte");

typedef struct options {
    uint64_t    rows, seed;
    unsigned    missing; /* of 65536 cells */
    const char *output, *places, *jobs, *diagnoses;
    bool        register_wanted;
} options;

typedef struct generator {
    random_state random;
    unsigned     missing;
    picker       age, city;
    picker       job[2][BANDS], diagnosis[2][BANDS];
    unsigned     postcodes[CITIES]; /* how many each city has, at most 100 */
    uint8_t      band[MAX_AGE + 1];
    FILE        *out;
    size_t       used;
    char         buffer[BUFFER];
} generator;

static uint64_t
next64(random_state *random)
{
    uint64_t z = (random->x += UINT64_C(0x9e3779b97f4a7c15)); /* splitmix64 */

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static unsigned
next16(random_state *random)
{
    if (random->left == 0) {
        random->bits = next64(random);
        random->left = 4;
    }
    unsigned piece = (unsigned) (random->bits & 0xffff);

    random->bits >>= 16;
    random->left--;
    return piece;
}

/* A number below bound; the bias of 1/65536 does not matter here. */
static unsigned
below(random_state *random, unsigned bound)
{
    return next16(random) * bound >> 16;
}

/* Fills the table so that each choice has its share of the places, and every possible one at least
 * one. */
static void
picker_fill(picker *pick, const unsigned *weights, size_t count)
{
    uint64_t sum = 0, seen = 0;
    size_t   at = 0;

    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    for (size_t i = 0; i < count; i++) {
        size_t end;

        seen += weights[i];
        end = (size_t) (seen * PICKS / sum);
        if (weights[i] > 0 && end <= at && at < PICKS)
            end = at + 1;
        while (at < end)
            pick->of[at++] = (uint8_t) i;
    }
}

static unsigned
picker_draw(const picker *pick, random_state *random)
{
    return pick->of[next16(random) >> (16 - PICK_BITS)];
}

/* A country with fewer children than grown-ups, and few people above ninety. */
static unsigned
people_of_age(int age)
{
    if (age < 20)
        return (unsigned) (520 + 4 * age);
    if (age < 60)
        return (unsigned) (600 + (age < 45 ? 5 * (age - 20) : 5 * (70 - age)));
    if (age < 75)
        return (unsigned) (650 - 15 * (age - 60));
    return (unsigned) (425 - 17 * (age - 75));
}

static void
fill_ages_and_cities(generator *g)
{
    unsigned weights[CHOICES_MAX];
    int      band = 0;

    for (int age = 0; age <= MAX_AGE; age++) {
        weights[age] = people_of_age(age);
        while (band + 1 < BANDS && age >= band_from[band + 1])
            band++;
        g->band[age] = (uint8_t) band;
    }
    picker_fill(&g->age, weights, MAX_AGE + 1);
    for (unsigned i = 0; i < CITIES; i++) {
        /* the largest cities of all provinces come first, in an order that mixes the regions */
        unsigned rank = (i % CITIES_EACH) * PROVINCES + (i / CITIES_EACH * 7 + 3) % PROVINCES;

        weights[i] = 1000000 / (rank + 3);
        g->postcodes[i] = 2 + 300 / (rank + 3);
        if (g->postcodes[i] > 100)
            g->postcodes[i] = 100;
    }
    picker_fill(&g->city, weights, CITIES);
}

static void
fill_jobs_and_diagnoses(generator *g)
{
    unsigned weights[CHOICES_MAX];

    for (int sex = 0; sex < 2; sex++)
        for (int band = 0; band < BANDS; band++) {
            for (size_t i = 0; i < JOBS; i++)
                weights[i] = (unsigned) (jobs[i].weight[sex] * profiles[jobs[i].when][band]);
            picker_fill(&g->job[sex][band], weights, JOBS);
            for (size_t i = 0; i < DIAGNOSES; i++)
                weights[i] = (unsigned) (diagnoses[i].weight[sex] * diagnoses[i].bands[band]);
            picker_fill(&g->diagnosis[sex][band], weights, DIAGNOSES);
        }
}

static bool
flush(generator *g)
{
    bool done = fwrite(g->buffer, 1, g->used, g->out) == g->used;

    g->used = 0;
    return done;
}

static void
put(generator *g, const char *text)
{
    size_t length = strlen(text);

    memcpy(g->buffer + g->used, text, length);
    g->used += length;
}

static void
put_char(generator *g, char c)
{
    g->buffer[g->used++] = c;
}

static void
put_number(generator *g, unsigned number, int digits)
{
    char   text[16];
    size_t at = sizeof text;

    do {
        text[--at] = (char) ('0' + number % 10);
        number /= 10;
        digits--;
    } while (number > 0 || digits > 0);
    memcpy(g->buffer + g->used, text + at, sizeof text - at);
    g->used += sizeof text - at;
}

/* Is this cell missing? The column's share is given in thousandths of the overall one. */
static bool
is_missing(generator *g, unsigned thousandths)
{
    return next16(&g->random) < g->missing * thousandths / 1000;
}

static void
put_name(generator *g, int sex, int age)
{
    random_state *random = &g->random;
    /* two draws: the middle of the window is more common than its ends */
    unsigned at = (unsigned) (MAX_AGE - age) * (FIRST_NAMES - NAME_WINDOW) / MAX_AGE
                + below(random, NAME_WINDOW / 2 + 1) + below(random, NAME_WINDOW / 2);

    put(g, sex ? men[at] : women[at]);
    put_char(g, ' ');
    put(g, surname_heads[below(random, SURNAME_HEADS)]);
    put(g, surname_tails[below(random, SURNAME_TAILS)]);
    put_char(g, ',');
}

static void
put_birth(generator *g, int age)
{
    static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    unsigned             year = (unsigned) (REFERENCE_YEAR - age), month = 0;
    unsigned             leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    unsigned             day = below(&g->random, 365 + leap);

    while (day >= days[month] + (month == 1 ? leap : 0)) {
        day -= days[month] + (month == 1 ? leap : 0);
        month++;
    }
    put_number(g, year, 4);
    put_char(g, '-');
    put_number(g, month + 1, 2);
    put_char(g, '-');
    put_number(g, day + 1, 2);
    put_char(g, ',');
}

static void
put_place(generator *g)
{
    unsigned        city = picker_draw(&g->city, &g->random);
    const province *where = &provinces[city / CITIES_EACH];
    /* two draws: quarters with a low number lie in the centre and hold more people */
    unsigned first = below(&g->random, g->postcodes[city]),
             second = below(&g->random, g->postcodes[city]);

    if (!is_missing(g, 250)) {
        put(g, where->digits);
        put_number(g, city % CITIES_EACH, 1);
        put_number(g, first < second ? first : second, 2);
    }
    put_char(g, ',');
    put(g, where->cities[city % CITIES_EACH]);
    put_char(g, ',');
}

/* A year's income: the job's pay, rising with age until the fifties, times a log-normal spread. */
static unsigned
income(generator *g, const job *what, int age)
{
    unsigned years = age < 19 ? 0 : age > 54 ? 35 : (unsigned) (age - 19);
    unsigned quantile = next16(&g->random), at = quantile * (SPREADS - 1) >> 16;
    unsigned part = quantile * (SPREADS - 1) & 0xffff;
    unsigned factor = (unsigned) spread[at]
                    + ((unsigned) (spread[at + 1] - spread[at]) * part >> 16);
    unsigned percent = what->when == RETIRED ? 100 : 70 + 45 * years / 35;

    return (unsigned) what->pay * percent * factor / 100000 * 100;
}

static void
put_row(generator *g)
{
    random_state *random = &g->random;
    int           age = (int) picker_draw(&g->age, random);
    /* women live longer: their share grows beyond sixty */
    int        sex = below(random, 1000) < (unsigned) (age < 60 ? 510 : 510 - 6 * (age - 60));
    unsigned   band = g->band[age];
    const job *what = &jobs[picker_draw(&g->job[sex][band], random)];

    put_name(g, sex, age);
    put_birth(g, age);
    put_number(g, (unsigned) age, 1);
    put(g, sex ? ",M," : ",F,");
    put_place(g);
    if (!is_missing(g, 500))
        put(g, what->name);
    put_char(g, ',');
    unsigned money = income(g, what, age);

    if (!is_missing(g, 2000))
        put_number(g, money, 1);
    put_char(g, ',');
    unsigned ill = picker_draw(&g->diagnosis[sex][band], random);

    if (!is_missing(g, 1000))
        put(g, diagnoses[ill].name);
    put_char(g, '\n');
}

static bool
write_register(const options *wanted)
{
    generator *g = calloc(1, sizeof *g);
    bool       done = g != NULL;

    if (!g)
        return false;
    g->random.x = wanted->seed * UINT64_C(0xd1342543de82ef95) + 1;
    g->missing = wanted->missing;
    g->out = wanted->output ? fopen(wanted->output, "wb") : stdout;
    if (!g->out) {
        free(g);
        return false;
    }
    setvbuf(g->out, NULL, _IONBF, 0); /* the buffer is ours */
    fill_ages_and_cities(g);
    fill_jobs_and_diagnoses(g);
    put(g, "name,birth_date,age,sex,postcode,city,job,income,diagnosis\n");
    for (uint64_t i = 0; done && i < wanted->rows; i++) {
        put_row(g);
        if (g->used > BUFFER - ROW_MAX)
            done = flush(g);
    }
    done = done && flush(g);
    if (fclose(g->out) != 0)
        done = false;
    free(g);
    return done;
}

static void
write_places(FILE *file)
{
    static const char *const parts[] = { "Upper", "Central", "Lower" };

    fputs("city;district;province;region\n", file);
    for (size_t i = 0; i < PROVINCES; i++)
        for (size_t j = 0; j < CITIES_EACH; j++)
            fprintf(file, "%s;%s %s;%s;%s\n", provinces[i].cities[j], parts[j % 3],
                    provinces[i].name, provinces[i].name, provinces[i].region);
}

static void
write_jobs(FILE *file)
{
    for (size_t i = 0; i < JOBS; i++)
        fprintf(file, "%s;%s;%s;%s;*\n", jobs[i].name, jobs[i].field, jobs[i].sector,
                strcmp(jobs[i].sector, NOT_IN_WORK) == 0 ? NOT_IN_WORK : "in work");
}

static void
write_diagnoses(FILE *file)
{
    for (size_t i = 0; i < DIAGNOSES; i++)
        fprintf(file, "%s;%s;%s;*\n", diagnoses[i].name, diagnoses[i].chapter, diagnoses[i].kind);
}

static bool
write_table(const char *path, void (*write)(FILE *file))
{
    FILE *file = path ? fopen(path, "wb") : NULL;

    if (!path)
        return true;
    if (!file)
        return false;
    write(file);
    bool failed = ferror(file) != 0;

    return fclose(file) == 0 && !failed;
}

static const char usage[] =
    "usage: gen_register [--rows N] [--seed S] [--missing F] [-o FILE]\n"
    "                    [--places FILE] [--jobs FILE] [--diagnoses FILE]\n"
    "  --rows N          rows of the register (5000)\n"
    "  --seed S          another register for another number (1)\n"
    "  --missing F       overall share of missing cells, 0 to 0.25 (0.02)\n"
    "  -o FILE           where the register goes (standard output)\n"
    "  --places FILE     writes the table of places: city;district;province;region\n"
    "  --jobs FILE       writes the hierarchy of jobs: job;field;sector;status;*\n"
    "  --diagnoses FILE  writes the hierarchy of diagnoses: diagnosis;chapter;kind;*\n"
    "With one of the last three and neither --rows nor -o, no register is written.\n";

static bool
parse_number(const char *text, double most, double *out)
{
    char *end;

    errno = 0;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && errno == 0 && *out >= 0 && *out <= most;
}

static bool
parse_count(const char *text, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool
parse_option(options *wanted, const char *name, const char *value)
{
    double share;

    if (strcmp(name, "--rows") == 0) {
        wanted->register_wanted = true;
        return parse_count(value, &wanted->rows);
    }
    if (strcmp(name, "--seed") == 0)
        return parse_count(value, &wanted->seed);
    if (strcmp(name, "--missing") == 0) {
        if (!parse_number(value, 0.25, &share))
            return false;
        wanted->missing = (unsigned) (share * 65536);
        return true;
    }
    if (strcmp(name, "-o") == 0) {
        wanted->register_wanted = true;
        wanted->output = value;
    } else if (strcmp(name, "--places") == 0)
        wanted->places = value;
    else if (strcmp(name, "--jobs") == 0)
        wanted->jobs = value;
    else if (strcmp(name, "--diagnoses") == 0)
        wanted->diagnoses = value;
    else
        return false;
    return true;
}

int
main(int argc, char **argv)
{
    options wanted = { .rows = 5000, .seed = 1, .missing = 65536 / 50 };

    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return fputs(usage, stdout) < 0;
    for (int i = 1; i < argc; i += 2)
        if (i + 1 >= argc || !parse_option(&wanted, argv[i], argv[i + 1])) {
            fprintf(stderr, "gen_register: %s: not an option with a good value\n%s", argv[i],
                    usage);
            return 1;
        }
    if (!wanted.places && !wanted.jobs && !wanted.diagnoses)
        wanted.register_wanted = true;
    if (!write_table(wanted.places, write_places) || !write_table(wanted.jobs, write_jobs)
        || !write_table(wanted.diagnoses, write_diagnoses)
        || (wanted.register_wanted && !write_register(&wanted))) {
        fprintf(stderr, "gen_register: cannot write: %s\n", strerror(errno));
        return 3;
    }
    return 0;
}
