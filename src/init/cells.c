/* SPDX-License-Identifier: Apache-2.0 */
/* cells.c -- what a single cell looks like. The tests are cheap and coarse: a column is recognised by the
 * share of its cells that pass, so one that passes by chance does no harm. */
#include <string.h>

#include "init/recognise.h"

enum { PROSE_WORDS = 5, PROSE_BYTES = 30, PERSON_WORDS = 5, PERSON_BYTES = 60 };

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char) c >= 0x80;
}

static bool
is_hex(char c)
{
    return kn_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static size_t
count_digits(kn_str cell)
{
    size_t count = 0;

    for (size_t i = 0; i < cell.len; i++)
        count += kn_is_digit(cell.ptr[i]);
    return count;
}

static size_t
count_words(kn_str cell)
{
    size_t words = 0;

    for (size_t i = 0; i < cell.len; i++)
        words += cell.ptr[i] != ' ' && (i == 0 || cell.ptr[i - 1] == ' ');
    return words;
}

/* --- contact data ----------------------------------------------------------------------------------- */

static bool
is_email(kn_str word)
{
    const char *at = word.len ? memchr(word.ptr, '@', word.len) : NULL;
    size_t      local = at ? (size_t) (at - word.ptr) : 0, dot = 0;

    if (!local || memchr(at + 1, '@', word.len - local - 1))
        return false;
    for (size_t i = local + 1; i < word.len; i++)
        if (word.ptr[i] == '.')
            dot = i;
    return dot > local + 1 && word.len - dot > 2;
}

/* Alone, or one among other words: "Anna Schmidt <anna@post.example>". */
bool
kn_cell_is_email(kn_str cell)
{
    for (size_t from = 0, to = 0; to <= cell.len; to++)
        if (to == cell.len || strchr(" ,;<>()\"\t", cell.ptr[to])) {
            if (is_email((kn_str){ cell.ptr + from, to - from }))
                return true;
            from = to + 1;
        }
    return false;
}

/* With a country code, a leading zero or a bracket: plain numbers and dates are none. */
bool
kn_cell_is_phone(kn_str cell)
{
    size_t digits = count_digits(cell), marks = 0, dots = 0;
    kn_str text = kn_str_trim(cell);

    if (digits < 7 || digits > 15 || !strchr("+0(", text.ptr[0]))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (kn_is_digit(c) || (c == '+' && i == 0))
            continue;
        if (!memchr(" -/().", c, 6))
            return false;
        marks++;
        dots += c == '.';
    }
    if (text.ptr[0] == '+')
        return true;
    if (marks == 0)
        return digits >= 9;
    return dots != 1 && kn_cell_year(text) == 0;
}

static bool
is_ipv4(kn_str cell)
{
    size_t   parts = 0, digits = 0;
    unsigned value = 0;

    for (size_t i = 0; i <= cell.len; i++) {
        if (i < cell.len && kn_is_digit(cell.ptr[i]) && digits < 3) {
            value = value * 10 + (unsigned) (cell.ptr[i] - '0');
            digits++;
        } else if (digits && value < 256 && (i == cell.len || cell.ptr[i] == '.')) {
            parts++;
            value = 0;
            digits = 0;
        } else {
            return false;
        }
    }
    return parts == 4;
}

static bool
begins_with(kn_str cell, const char *word)
{
    size_t len = strlen(word);

    return cell.len > len && memcmp(cell.ptr, word, len) == 0;
}

bool
kn_cell_is_url(kn_str cell)
{
    return begins_with(cell, "http://") || begins_with(cell, "https://")
        || begins_with(cell, "www.");
}

/* Eight groups of hexadecimal digits, of which :: leaves out some that are zero. */
static bool
is_ipv6(kn_str cell)
{
    size_t colons = 0, digits = 0;
    bool   shortened = false;

    for (size_t i = 0; i < cell.len; i++) {
        if (is_hex(cell.ptr[i]) && digits < 4) {
            digits++;
            continue;
        }
        if (cell.ptr[i] != ':')
            return false;
        shortened |= i > 0 && cell.ptr[i - 1] == ':';
        digits = 0;
        colons++;
    }
    return shortened ? colons >= 2 && colons <= 8 : colons == 7;
}

bool
kn_cell_is_ip(kn_str cell)
{
    return is_ipv4(cell) || is_ipv6(cell);
}

/* --- numbers of accounts, cards and records --------------------------------------------------------- */

/* Letters count 10 to 35; what remains modulo 97 is 1 (ISO 13616). */
static bool
is_iban(kn_str cell)
{
    char     text[36];
    size_t   len = 0;
    unsigned rest = 0;

    for (size_t i = 0; i < cell.len; i++)
        if (cell.ptr[i] != ' ') {
            if (len == sizeof text)
                return false;
            text[len++] = cell.ptr[i];
        }
    if (len < 15 || len > 34 || kn_is_digit(text[0]) || kn_is_digit(text[1])
        || !kn_is_digit(text[2]) || !kn_is_digit(text[3]))
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = text[(i + 4) % len];

        if (kn_is_digit(c))
            rest = (rest * 10 + (unsigned) (c - '0')) % 97;
        else if (c >= 'A' && c <= 'Z')
            rest = (rest * 100 + (unsigned) (c - 'A' + 10)) % 97;
        else
            return false;
    }
    return rest == 1;
}

/* The check digit of Luhn: every second digit from the right counts twice. */
static bool
is_card(kn_str cell)
{
    size_t   digits = count_digits(cell), seen = 0;
    unsigned sum = 0;

    if (digits < 13 || digits > 19)
        return false;
    for (size_t i = cell.len; i-- > 0;) {
        unsigned value = (unsigned) (cell.ptr[i] - '0');

        if (cell.ptr[i] == ' ' || cell.ptr[i] == '-')
            continue;
        if (!kn_is_digit(cell.ptr[i]))
            return false;
        if (seen++ % 2)
            value = value * 2 > 9 ? value * 2 - 9 : value * 2;
        sum += value;
    }
    return sum % 10 == 0;
}

bool
kn_cell_is_uuid(kn_str cell)
{
    if (cell.len != 36)
        return false;
    for (size_t i = 0; i < cell.len; i++)
        if (i == 8 || i == 13 || i == 18 || i == 23 ? cell.ptr[i] != '-' : !is_hex(cell.ptr[i]))
            return false;
    return true;
}

bool
kn_cell_is_ssn(kn_str cell)
{
    static const char form[] = "###-##-####";

    if (cell.len != sizeof form - 1)
        return false;
    for (size_t i = 0; i < cell.len; i++)
        if (form[i] == '#' ? !kn_is_digit(cell.ptr[i]) : cell.ptr[i] != '-')
            return false;
    return true;
}

bool
kn_cell_is_account(kn_str cell)
{
    return is_iban(cell) || is_card(cell);
}

/* Is a cell written like that? A is a capital letter, # a digit, ? either; the form may be longer. */
static bool
is_written(kn_str cell, const char *form)
{
    size_t i = 0;

    for (; i < cell.len && form[i]; i++) {
        char c = cell.ptr[i];
        bool capital = c >= 'A' && c <= 'Z';

        if (form[i] == 'A'   ? !capital
            : form[i] == '#' ? !kn_is_digit(c)
            : form[i] == '?' ? !capital && !kn_is_digit(c)
                             : c != form[i])
            return false;
    }
    return i == cell.len;
}

bool
kn_cell_is_health_code(kn_str cell)
{
    return (cell.len >= 5 && is_written(cell, "A#?.????"))
        || (cell.len == 7 && is_written(cell, "A##AA##"));
}

/* --- addresses and texts ---------------------------------------------------------------------------- */

/* "Hauptstr. 12", "12 Main Street", "5 rue de la Paix" */
bool
kn_cell_is_street(kn_str cell)
{
    static const char *const words[] = { "str",    "straat",  "gasse",  "platz",  "allee", "laan",
                                         "gracht", "plein",   "street", "avenue", "road",  "lane",
                                         "drive",  "court",   "rue",    "via",    "viale", "piazza",
                                         "calle",  "avenida", "weg" };
    char                     folded[KN_FOLDED_ROOM];
    size_t                   digits = count_digits(cell);

    if (digits == 0 || digits > 6 || count_words(cell) < 2 || cell.len < 6)
        return false;
    kn_fold_words(cell, folded);
    for (size_t i = 0; i < KN_COUNT(words); i++)
        for (const char *at = strstr(folded, words[i]); at; at = strstr(at + 1, words[i])) {
            const char *end = at + strlen(words[i]);
            bool        begins = at[-1] == ' ', ends = *end == ' ';

            /* German and Dutch streets end with the word, the others have it on its own */
            if (ends && (begins || i < 9 || i + 1 == KN_COUNT(words)))
                return true;
            if (i == 0 && (strncmp(at, "strasse ", 8) == 0 || strncmp(at, "strase ", 7) == 0))
                return true;
        }
    return false;
}

bool
kn_cell_is_prose(kn_str cell)
{
    return cell.len >= PROSE_BYTES && count_words(cell) >= PROSE_WORDS;
}

/* A number of eight digits is a date only in years in which people who live were born. */
static const int PLAIN_YEAR_LEAST = 1900, PLAIN_YEAR_MOST = 2099;

bool
kn_cell_moment(kn_str cell, kn_moment *moment)
{
    static const kn_date_format formats[] = {
        KN_DATE_YMD_DASH,  KN_DATE_YMD_SLASH, KN_DATE_DMY_DOT,
        KN_DATE_DMY_SLASH, KN_DATE_MDY_SLASH, KN_DATE_DMY_DASH
    };

    if (cell.len < 8 || !kn_is_digit(cell.ptr[0]))
        return false;
    for (size_t i = 0; i < KN_COUNT(formats); i++)
        if (kn_moment_parse(cell, formats[i], moment))
            return true;
    return kn_moment_parse(cell, KN_DATE_YMD_PLAIN, moment) && moment->date.year >= PLAIN_YEAR_LEAST
        && moment->date.year <= PLAIN_YEAR_MOST;
}

int
kn_cell_year(kn_str cell)
{
    kn_moment moment;

    return kn_cell_moment(cell, &moment) ? moment.date.year : 0;
}

/* Midnight is what a program writes behind a day that has no time. */
bool
kn_cell_is_moment(kn_str cell)
{
    kn_moment moment;

    return kn_cell_moment(cell, &moment) && moment.second > 0;
}

bool
kn_cell_is_date(kn_str cell)
{
    return kn_cell_year(cell) != 0;
}

bool
kn_cell_is_year(kn_str cell)
{
    size_t digits = 0, years = 0;

    for (size_t i = 0; i <= cell.len; i++) {
        if (i < cell.len && kn_is_digit(cell.ptr[i])) {
            digits++;
            continue;
        }
        if (digits) {
            const char *run = cell.ptr + i - digits;
            bool        lived = run[0] == '1' ? run[1] >= '8' : run[0] == '2' && run[1] < '2';

            if (digits != 4 || !lived)
                return false;
            years++;
        }
        digits = 0;
    }
    return years == 1 || years == 2;
}

bool
kn_cell_is_month(kn_str cell)
{
    static const char *const forms[] = { "YYYY-MM", "YYYY/MM", "MM/YYYY", "MM.YYYY", "MM-YYYY" };

    for (size_t f = 0; f < KN_COUNT(forms) && cell.len == 7; f++) {
        int    year = 0, month = 0;
        size_t i = 0;

        for (;
             i < 7
             && (strchr("YM", forms[f][i]) ? kn_is_digit(cell.ptr[i]) : cell.ptr[i] == forms[f][i]);
             i++) {
            int *to = forms[f][i] == 'Y' ? &year : &month;

            if (kn_is_digit(cell.ptr[i]))
                *to = *to * 10 + (cell.ptr[i] - '0');
        }
        if (i == 7 && month >= 1 && month <= 12 && year >= PLAIN_YEAR_LEAST
            && year <= PLAIN_YEAR_MOST)
            return true;
    }
    return false;
}

/* --- persons ---------------------------------------------------------------------------------------- */

/* Given names and family names that are common in Europe and the Americas and hardly mean anything else:
 * no months, towns, faiths, flowers or trades. In the order of the alphabet. */
static const char *const persons[] = {
    "aaron",      "abdullah",    "adam",       "agnes",      "ahmed",     "albrecht",
    "aleksander", "alessandra",  "alessandro", "alexander",  "alexandra", "alfred",
    "alice",      "alina",       "alvarez",    "amanda",     "amelie",    "amir",
    "anastasia",  "anders",      "andersen",   "anderson",   "andersson", "andre",
    "andrea",     "andreas",     "andrew",     "andrzej",    "angela",    "angelika",
    "anita",      "anja",        "anke",       "anna",       "anne",      "annette",
    "anouk",      "antje",       "antoine",    "anton",      "antonio",   "arne",
    "astrid",     "aurelie",     "ayse",       "aysha",      "barbara",   "beate",
    "beatrice",   "beatriz",     "becker",     "benjamin",   "bergmann",  "bernd",
    "bernhard",   "betty",       "bianca",     "bianchi",    "birgit",    "bjorn",
    "bram",       "brandon",     "brandt",     "brian",      "brigitte",  "camille",
    "carina",     "carla",       "carlos",     "carmen",     "castro",    "catherine",
    "cecile",     "celine",      "cemal",      "chantal",    "charles",   "chloe",
    "christa",    "christel",    "christiane", "christina",  "christine", "christoph",
    "christophe", "christopher", "claire",     "clark",      "claudia",   "claudio",
    "claus",      "colombo",     "cornelia",   "cristina",   "cynthia",   "daan",
    "dagmar",     "damien",      "daniel",     "daniela",    "daniele",   "danielle",
    "david",      "davies",      "davis",      "deborah",    "denise",    "dennis",
    "diana",      "diaz",        "diego",      "dieter",     "dietrich",  "dijkstra",
    "dirk",       "dmitri",      "dominik",    "donald",     "doris",     "dorothea",
    "dorothy",    "dubois",      "dupont",     "durand",     "edith",     "eduard",
    "edward",     "ekaterina",   "elena",      "eleonora",   "elias",     "elisa",
    "elisabeth",  "elizabeth",   "elke",       "ellen",      "elsa",      "emil",
    "emilia",     "emilie",      "emily",      "emma",       "emre",      "eric",
    "erik",       "erika",       "erwin",      "esposito",   "esther",    "eva",
    "evans",      "evelyn",      "fabian",     "fatima",     "fatma",     "federica",
    "federico",   "felix",       "ferdinand",  "fernandez",  "fernando",  "ferrari",
    "fiona",      "florian",     "fournier",   "francesca",  "francesco", "francisco",
    "francois",   "francoise",   "frank",      "franz",      "fred",      "frederic",
    "frederik",   "friedrich",   "fritz",      "gabriel",    "gabriela",  "gabriele",
    "garcia",     "gary",        "gauthier",   "georg",      "george",    "gerald",
    "gerard",     "gerda",       "gerhard",    "gerrit",     "gertrud",   "gianni",
    "gilles",     "giorgio",     "giovanna",   "giovanni",   "girard",    "giulia",
    "giuseppe",   "gomez",       "gonzalez",   "greco",      "greta",     "gruber",
    "guillaume",  "gunter",      "gunther",    "gustav",     "gutierrez", "hanna",
    "hannah",     "hannelore",   "hans",       "hansen",     "harald",    "harold",
    "harris",     "hartmann",    "hassan",     "heather",    "heidi",     "heike",
    "heiko",      "heinrich",    "heinz",      "helen",      "helena",    "helene",
    "helga",      "helmut",      "hendrik",    "hendriks",   "henri",     "henrik",
    "henry",      "herbert",     "hermann",    "hernandez",  "herrmann",  "hilde",
    "hoffmann",   "hofmann",     "holger",     "horst",      "huber",     "hubert",
    "hughes",     "hugo",        "ibrahim",    "igor",       "ildiko",    "ilse",
    "ingeborg",   "ingo",        "ingrid",     "irene",      "irina",     "irma",
    "isabel",     "isabella",    "isabelle",   "ismail",     "ivan",      "ivana",
    "jacek",      "jackson",     "jacob",      "jacqueline", "jacques",   "jakob",
    "james",      "jan",         "jana",       "janet",      "janina",    "jansen",
    "janssen",    "jason",       "javier",     "jean",       "jeff",      "jeffrey",
    "jelena",     "jennifer",    "jens",       "jensen",     "jeremy",    "jesper",
    "jessica",    "jimenez",     "joachim",    "joan",       "joanna",    "joao",
    "joaquin",    "jochen",      "joel",       "johan",      "johann",    "johanna",
    "johannes",   "johansson",   "john",       "johnson",    "jonas",     "jonathan",
    "jones",      "jorg",        "jorge",      "jose",       "josef",     "joseph",
    "joshua",     "juan",        "judith",     "julia",      "julian",    "julie",
    "julien",     "jurgen",      "justin",     "karin",      "karl",      "karsten",
    "katarina",   "katarzyna",   "kateryna",   "katharina",  "katherine", "kathleen",
    "kathrin",    "katja",       "katrin",     "kaya",       "kenneth",   "kerstin",
    "kevin",      "khan",        "klaus",      "konrad",     "kowalski",  "krause",
    "kristina",   "kruger",      "kruse",      "krzysztof",  "kurt",      "lambert",
    "larissa",    "larry",       "lars",       "larsen",     "laura",     "lauren",
    "laurent",    "leah",        "lefebvre",   "lehmann",    "lena",      "leonie",
    "leroy",      "lewis",       "lieke",      "linda",      "lisa",      "loes",
    "lombardi",   "lopez",       "lorenz",     "lorenzo",    "lotte",     "louis",
    "louise",     "luc",         "luca",       "lucas",      "lucia",     "lucie",
    "ludwig",     "luigi",       "luis",       "luisa",      "lukas",     "lutz",
    "lydia",      "maarten",     "magdalena",  "maier",      "maja",      "malgorzata",
    "manfred",    "manon",       "manuel",     "manuela",    "marc",      "marcel",
    "marcin",     "marco",       "marcus",     "margaret",   "margarete", "margit",
    "maria",      "marianne",    "marie",      "marija",     "marino",    "mario",
    "marion",     "marisa",      "marius",     "markus",     "marlene",   "marques",
    "marta",      "martha",      "martina",    "martinez",   "mathias",   "mathieu",
    "mathilde",   "matteo",      "matthew",    "matthias",   "maurice",   "mauro",
    "mayer",      "mehmet",      "meier",      "melanie",    "melissa",   "mendes",
    "mercier",    "meyer",       "michael",    "michaela",   "michel",    "michele",
    "michelle",   "miguel",      "mikael",     "mike",       "miriam",    "mirjam",
    "mohamed",    "mohammed",    "moller",     "monica",     "monika",    "monique",
    "moore",      "morales",     "moreau",     "moretti",    "morgan",    "moritz",
    "muhammad",   "muller",      "mustafa",    "nadia",      "nadine",    "nancy",
    "natalia",    "natalie",     "nathalie",   "nathan",     "navarro",   "nele",
    "neumann",    "nguyen",      "nick",       "nico",       "nicolas",   "nicole",
    "niels",      "nielsen",     "niklas",     "nikolai",    "nils",      "nilsson",
    "nina",       "noah",        "norbert",    "novak",      "nowak",     "olaf",
    "olga",       "oliver",      "olivia",     "olivier",    "olsen",     "ortiz",
    "oscar",      "oskar",       "pablo",      "pamela",     "paola",     "paolo",
    "pascal",     "patel",       "patricia",   "patrick",    "patrik",    "paul",
    "paula",      "paulina",     "pedersen",   "pedro",      "pereira",   "perez",
    "peter",      "petersen",    "petra",      "philipp",    "philippe",  "pierre",
    "pieter",     "piotr",       "pohl",       "popov",      "rachel",    "rafael",
    "rainer",     "ralf",        "ralph",      "ramirez",    "ramona",    "raphael",
    "raquel",     "raymond",     "rebecca",    "reinhard",   "renate",    "reyes",
    "riccardo",   "ricci",       "richard",    "rivera",     "robert",    "roberta",
    "roberto",    "robinson",    "rodriguez",  "roger",      "rojas",     "roland",
    "rolf",       "romano",      "romero",     "ronald",     "rosemarie", "rossi",
    "rudolf",     "ruiz",        "russo",      "ruth",       "ryan",      "sabine",
    "sabrina",    "salvatore",   "samantha",   "samuel",     "sanchez",   "sandra",
    "sanne",      "santos",      "sara",       "sarah",      "sascha",    "schafer",
    "schmid",     "schmidt",     "schmitt",    "schmitz",    "scholz",    "schroder",
    "schubert",   "schulz",      "schulze",    "schumacher", "sean",      "sebastian",
    "sergei",     "sergio",      "sharon",     "sibylle",    "siegfried", "silke",
    "silvia",     "simone",      "singh",      "smit",       "smith",     "sofia",
    "sofie",      "sonia",       "sonja",      "sophia",     "sophie",    "sorensen",
    "sousa",      "stefan",      "stefanie",   "stefano",    "stephan",   "stephane",
    "stephanie",  "stephen",     "steven",     "suarez",     "susan",     "susana",
    "susanne",    "sven",        "svenja",     "svensson",   "svetlana",  "sylvia",
    "sylvie",     "tamara",      "tanja",      "tatjana",    "teresa",    "theodor",
    "theresa",    "therese",     "thierry",    "thijs",      "thomas",    "thompson",
    "thorsten",   "timo",        "timothy",    "tobias",     "tom",       "tomas",
    "tomasz",     "torres",      "torsten",    "turner",     "ulrich",    "ulrike",
    "ursula",     "ute",         "uwe",        "valentina",  "valerie",   "vanessa",
    "vasquez",    "vera",        "verena",     "vermeulen",  "veronica",  "veronika",
    "viktor",     "viktoria",    "vincent",    "vladimir",   "volker",    "wagner",
    "walker",     "walter",      "waltraud",   "wang",       "watson",    "weber",
    "werner",     "wilhelm",     "willem",     "william",    "williams",  "wilson",
    "wim",        "wojciech",    "wolfgang",   "wright",     "xavier",    "yannick",
    "yasmin",     "yilmaz",      "youssef",    "yusuf",      "yves",      "yvonne",
    "zeynep",     "zimmermann",  "zoe",        "zofia",
};

static bool
is_listed(const char *word, size_t len)
{
    size_t low = 0, high = KN_COUNT(persons);

    while (low < high) {
        size_t middle = (low + high) / 2;
        int    order = strncmp(word, persons[middle], len);

        if (order == 0 && persons[middle][len] == 0)
            return true;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* As it is, or with "ue" for the "ü" that the list has without its dots. */
static bool
is_person_word(const char *word, size_t len)
{
    char   plain[KN_FOLDED_ROOM];
    size_t count = 0;

    if (is_listed(word, len))
        return true;
    for (size_t i = 0; i < len; i++)
        if (i == 0 || word[i] != 'e' || !strchr("aou", word[i - 1]))
            plain[count++] = word[i];
    return count < len && is_listed(plain, count);
}

/* A few words without digits, one of which is a name that is common: a third of the people of a country have
 * one, and hardly any other column holds them. */
bool
kn_cell_is_person(kn_str cell)
{
    char folded[KN_FOLDED_ROOM];

    if (cell.len < 2 || cell.len > PERSON_BYTES || !is_letter(cell.ptr[0]) || count_digits(cell)
        || count_words(cell) > PERSON_WORDS)
        return false;
    kn_fold_words(cell, folded);
    for (const char *at = folded + 1; *at;) {
        size_t len = strcspn(at, " ");

        if (is_person_word(at, len))
            return true;
        at += len;
        at += *at == ' ';
    }
    return false;
}
