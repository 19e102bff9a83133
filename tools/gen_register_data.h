/* SPDX-License-Identifier: Apache-2.0 */
/* gen_register_data.h -- the invented country behind gen_register.c: its places, people, jobs and
 * diagnoses. All names of places are made up; first names are common ones, surnames are put together
 * from two halves. Included by gen_register.c alone. */
#ifndef GEN_REGISTER_DATA_H
#define GEN_REGISTER_DATA_H

enum {
    REGIONS = 4,
    PROVINCES = 12,
    CITIES_EACH = 10, /* per province */
    CITIES = PROVINCES * CITIES_EACH
};

/* The first digit of a postcode tells the region, the second the province within it. */
typedef struct province {
    const char *name, *region;
    char        digits[3];
    const char *cities[CITIES_EACH]; /* largest first; three or four of them make a district */
} province;

static const province provinces[PROVINCES] = {
    { "Aldervik",
      "Northmark",
      "11",
      { "Norhaven", "Eskvik", "Tornby", "Halsund", "Grimsund", "Lyngvik", "Skarby", "Ravnholm",
        "Isvik", "Brunnes" } },
    { "Fjellen",
      "Northmark",
      "14",
      { "Fjellby", "Storvang", "Kaldnes", "Hvitsand", "Ulvdal", "Myrkoy", "Granvik", "Solberga",
        "Tindal", "Elvholt" } },
    { "Stormay",
      "Northmark",
      "17",
      { "Stormhavn", "Vestray", "Sandoy", "Klippen", "Merholm", "Tangvik", "Orkenes", "Havrund",
        "Selvik", "Kornes" } },
    { "Brackwater",
      "Westmark",
      "31",
      { "Brackford", "Oldmere", "Saltby", "Wexmoor", "Fenmere", "Harrowmere", "Kelder", "Marlmouth",
        "Ashwater", "Dunmere" } },
    { "Lindmoor",
      "Westmark",
      "35",
      { "Lindcaster", "Thornmere", "Elmcaster", "Hollin", "Ravensby", "Stokemoor", "Whitlow",
        "Birchden", "Cragwell", "Ottermoor" } },
    { "Veldhoek",
      "Westmark",
      "38",
      { "Veldstad", "Molendam", "Zandbroek", "Hoogdijk", "Lindedijk", "Kerkhorst", "Rietmond",
        "Blauwkerk", "Steenhaven", "Duinhaak" } },
    { "Karstein",
      "Midmark",
      "52",
      { "Kaltenbruck", "Eisenau", "Falkenmoor", "Grunfeld", "Hirschtal", "Adlerbach", "Rotkamm",
        "Silberau", "Wolkental", "Tannbruck" } },
    { "Ostrel",
      "Midmark",
      "55",
      { "Ostrelin", "Brezovar", "Kamengrad", "Lipoval", "Javorin", "Zelenac", "Dubrovin",
        "Vranograd", "Sokolar", "Boroval" } },
    { "Tilburn",
      "Midmark",
      "59",
      { "Tilbridge", "Ambervale", "Cornmere", "Eastmill", "Goldacre", "Haymark", "Millharrow",
        "Ryewater", "Southmill", "Wheatmoor" } },
    { "Amarosa",
      "Southmark",
      "70",
      { "Amarena", "Portoverde", "Sanvellino", "Rocabruna", "Montelira", "Casalforte",
        "Fontebianca", "Vallescura", "Torrelune", "Campolume" } },
    { "Belvento",
      "Southmark",
      "74",
      { "Belrocca", "Ventimarre", "Pietrasole", "Lagomora", "Olivara", "Serrapiana", "Capodalba",
        "Marinesca", "Villamora", "Cedrano" } },
    { "Cortalba",
      "Southmark",
      "78",
      { "Cortanova", "Albamar", "Sierraluz", "Puertalba", "Valdorado", "Riosereno", "Castelmar",
        "Montalvar", "Olmedal", "Arenosa" } },
};

/* Names in the order of their fashion: old ones first. A person's year of birth moves a window. */
static const char *const women[] = {
    "Agnes",     "Edith",   "Gertrud", "Hilda",   "Ingrid", "Margaret", "Helena", "Ruth",
    "Elsa",      "Dora",    "Rosa",    "Clara",   "Marta",  "Irene",    "Astrid", "Greta",
    "Ursula",    "Barbara", "Monika",  "Renate",  "Teresa", "Carla",    "Anna",   "Maria",
    "Susanne",   "Petra",   "Sabine",  "Claudia", "Karin",  "Birgit",   "Silvia", "Paola",
    "Elena",     "Nicole",  "Sandra",  "Daniela", "Sonja",  "Katja",    "Julia",  "Laura",
    "Sarah",     "Lisa",    "Vera",    "Nina",    "Alice",  "Johanna",  "Sofia",  "Emma",
    "Charlotte", "Lena",    "Hannah",  "Mia",     "Lina",   "Ella",     "Ida",    "Freya",
    "Nora",      "Luna",    "Zoe",     "Ava",
};
static const char *const men[] = {
    "Otto",   "Walter", "Heinrich", "Gustav", "Alfred", "Hermann", "Arthur", "Ernst",   "Emil",
    "Karl",   "Hugo",   "Rudolf",   "Bruno",  "Franz",  "Josef",   "Werner", "Gerhard", "Harald",
    "Klaus",  "Dieter", "Georg",    "Peter",  "Hans",   "Jan",     "Paolo",  "Marco",   "Stefan",
    "Thomas", "Martin", "Andreas",  "Frank",  "Erik",   "Lars",    "Pieter", "Henrik",  "Sven",
    "Daniel", "Tobias", "Michael",  "David",  "Simon",  "Adrian",  "Lukas",  "Jonas",   "Felix",
    "Max",    "Paul",   "Matteo",   "Elias",  "Noah",   "Leon",    "Finn",   "Liam",    "Oskar",
    "Theo",   "Milo",   "Anton",    "Luca",   "Kai",    "Levi",
};
enum { FIRST_NAMES = 60, NAME_WINDOW = 24 };
_Static_assert(sizeof women / sizeof *women == FIRST_NAMES, "women");
_Static_assert(sizeof men / sizeof *men == FIRST_NAMES, "men");

static const char *const surname_heads[] = {
    "Acker",  "Alder",  "Berg",   "Birk",   "Blom",   "Brand",  "Bruck", "Dahl",   "Dorn",
    "Eber",   "Eichen", "Eller",  "Falk",   "Feld",   "Fors",   "Fuchs", "Gold",   "Gruen",
    "Haber",  "Halm",   "Hassel", "Hell",   "Hirsch", "Holm",   "Horn",  "Jager",  "Kalt",
    "Kerk",   "Klein",  "Korn",   "Lager",  "Lang",   "Linden", "Lund",  "Mark",   "Mohn",
    "Nord",   "Ober",   "Oster",  "Pfeil",  "Raben",  "Ritter", "Rosen", "Sand",   "Schon",
    "Silber", "Stein",  "Stern",  "Sund",   "Tal",    "Tann",   "Unter", "Velder", "Vogel",
    "Wald",   "Weiss",  "Wester", "Winter", "Wolken", "Zander",
};
static const char *const surname_tails[] = {
    "berg", "feld", "mann", "gaard", "hof", "son",  "ström", "stad",  "dijk", "huis",
    "rova", "tal",  "bach", "ini",   "ova", "land", "au",    "quist", "wijk", "sen",
};
enum {
    SURNAME_HEADS = sizeof surname_heads / sizeof *surname_heads,
    SURNAME_TAILS = sizeof surname_tails / sizeof *surname_tails
};

/* The bands of life that jobs and diagnoses depend on, by the age at which each begins. */
enum { BANDS = 7 };
static const int band_from[BANDS] = { 0, 6, 19, 25, 40, 55, 67 };

/* How common something is in each band; multiplied by a weight for women and one for men. */
typedef enum { CHILD, PUPIL, STUDENT, HOME, IDLE, RETIRED, EARLY, STEADY, LATE, PROFILES } profile;
static const int profiles[PROFILES][BANDS] = {
    [CHILD] = { 1000, 0, 0, 0, 0, 0, 0 },   [PUPIL] = { 0, 1000, 5, 0, 0, 0, 0 },
    [STUDENT] = { 0, 0, 900, 90, 6, 1, 1 }, [HOME] = { 0, 0, 20, 90, 70, 60, 10 },
    [IDLE] = { 0, 0, 60, 60, 50, 70, 2 },   [RETIRED] = { 0, 0, 0, 1, 6, 190, 1000 },
    [EARLY] = { 0, 0, 8, 9, 6, 3, 0 },      [STEADY] = { 0, 0, 4, 8, 8, 6, 0 },
    [LATE] = { 0, 0, 0, 6, 9, 8, 1 },
};

#define NOT_IN_WORK "not in work"

typedef struct job {
    const char *name, *field, *sector;
    int         pay; /* a year, in hundreds, in the middle of a working life */
    profile     when;
    int         weight[2]; /* women, men */
} job;

static const job jobs[] = {
    { "physician", "medicine", "care and education", 820, LATE, { 8, 8 } },
    { "dentist", "medicine", "care and education", 760, LATE, { 3, 4 } },
    { "pharmacist", "medicine", "care and education", 560, STEADY, { 4, 2 } },
    { "veterinarian", "medicine", "care and education", 520, STEADY, { 2, 1 } },
    { "nurse", "nursing", "care and education", 370, STEADY, { 24, 4 } },
    { "midwife", "nursing", "care and education", 360, STEADY, { 4, 0 } },
    { "paramedic", "nursing", "care and education", 350, EARLY, { 3, 6 } },
    { "care assistant", "nursing", "care and education", 270, EARLY, { 18, 5 } },
    { "social worker", "social work", "care and education", 350, STEADY, { 10, 4 } },
    { "childminder", "social work", "care and education", 260, EARLY, { 12, 1 } },
    { "primary teacher", "teaching", "care and education", 420, STEADY, { 18, 4 } },
    { "secondary teacher", "teaching", "care and education", 470, STEADY, { 12, 9 } },
    { "lecturer", "teaching", "care and education", 560, LATE, { 4, 6 } },
    { "biologist", "research", "care and education", 480, STEADY, { 3, 3 } },
    { "chemist", "research", "care and education", 500, STEADY, { 3, 5 } },
    { "accountant", "finance", "business and public service", 480, STEADY, { 10, 8 } },
    { "auditor", "finance", "business and public service", 590, LATE, { 3, 4 } },
    { "bank clerk", "finance", "business and public service", 400, STEADY, { 9, 6 } },
    { "insurance agent", "finance", "business and public service", 410, STEADY, { 4, 7 } },
    { "office clerk", "administration", "business and public service", 320, EARLY, { 26, 10 } },
    { "secretary", "administration", "business and public service", 310, STEADY, { 16, 1 } },
    { "manager", "administration", "business and public service", 720, LATE, { 9, 18 } },
    { "personnel officer", "administration", "business and public service", 450, STEADY, { 6, 2 } },
    { "civil servant", "administration", "business and public service", 410, LATE, { 12, 12 } },
    { "lawyer", "law", "business and public service", 680, LATE, { 4, 5 } },
    { "judge", "law", "business and public service", 780, LATE, { 1, 1 } },
    { "notary", "law", "business and public service", 740, LATE, { 1, 2 } },
    { "police officer", "safety", "business and public service", 400, STEADY, { 4, 10 } },
    { "firefighter", "safety", "business and public service", 380, EARLY, { 1, 5 } },
    { "soldier", "safety", "business and public service", 340, EARLY, { 1, 7 } },
    { "security guard", "safety", "business and public service", 260, STEADY, { 2, 8 } },
    { "journalist", "media and arts", "business and public service", 420, STEADY, { 3, 3 } },
    { "graphic designer", "media and arts", "business and public service", 360, EARLY, { 4, 3 } },
    { "musician", "media and arts", "business and public service", 290, STEADY, { 2, 3 } },
    { "shop assistant", "retail", "trade and services", 250, EARLY, { 28, 10 } },
    { "cashier", "retail", "trade and services", 230, EARLY, { 12, 2 } },
    { "sales agent", "retail", "trade and services", 390, STEADY, { 8, 16 } },
    { "cook", "hospitality", "trade and services", 270, EARLY, { 8, 11 } },
    { "waiter", "hospitality", "trade and services", 220, EARLY, { 10, 6 } },
    { "receptionist", "hospitality", "trade and services", 250, EARLY, { 7, 2 } },
    { "baker", "hospitality", "trade and services", 280, STEADY, { 3, 5 } },
    { "hairdresser", "personal services", "trade and services", 230, EARLY, { 11, 2 } },
    { "cleaner", "personal services", "trade and services", 220, STEADY, { 20, 5 } },
    { "bus driver", "transport", "trade and services", 300, LATE, { 1, 8 } },
    { "lorry driver", "transport", "trade and services", 310, STEADY, { 1, 18 } },
    { "train driver", "transport", "trade and services", 370, LATE, { 1, 4 } },
    { "mail carrier", "transport", "trade and services", 260, STEADY, { 5, 6 } },
    { "warehouse worker", "transport", "trade and services", 260, EARLY, { 6, 17 } },
    { "programmer", "computing", "technology and industry", 580, EARLY, { 4, 18 } },
    { "system administrator", "computing", "technology and industry", 500, STEADY, { 1, 9 } },
    { "data analyst", "computing", "technology and industry", 540, EARLY, { 3, 5 } },
    { "civil engineer", "engineering", "technology and industry", 590, STEADY, { 2, 8 } },
    { "electrical engineer", "engineering", "technology and industry", 610, STEADY, { 1, 9 } },
    { "mechanical engineer", "engineering", "technology and industry", 600, STEADY, { 1, 11 } },
    { "architect", "engineering", "technology and industry", 520, LATE, { 3, 4 } },
    { "bricklayer", "construction", "technology and industry", 310, STEADY, { 0, 10 } },
    { "carpenter", "construction", "technology and industry", 320, STEADY, { 1, 11 } },
    { "electrician", "construction", "technology and industry", 340, STEADY, { 1, 14 } },
    { "painter", "construction", "technology and industry", 290, STEADY, { 1, 7 } },
    { "plumber", "construction", "technology and industry", 340, STEADY, { 0, 8 } },
    { "car mechanic", "manufacturing", "technology and industry", 310, EARLY, { 0, 13 } },
    { "machine operator", "manufacturing", "technology and industry", 320, STEADY, { 6, 18 } },
    { "welder", "manufacturing", "technology and industry", 310, STEADY, { 0, 8 } },
    { "tailor", "manufacturing", "technology and industry", 240, LATE, { 4, 1 } },
    { "farmer", "farming", "technology and industry", 280, LATE, { 4, 9 } },
    { "gardener", "farming", "technology and industry", 250, STEADY, { 3, 7 } },
    { "infant", "in education", NOT_IN_WORK, 0, CHILD, { 4, 4 } },
    { "pupil", "in education", NOT_IN_WORK, 0, PUPIL, { 4, 4 } },
    { "student", "in education", NOT_IN_WORK, 70, STUDENT, { 4, 4 } },
    { "homemaker", "at home", NOT_IN_WORK, 40, HOME, { 12, 1 } },
    { "unemployed", "at home", NOT_IN_WORK, 120, IDLE, { 4, 5 } },
    { "retired", "at home", NOT_IN_WORK, 210, RETIRED, { 8, 8 } },
};
enum { JOBS = sizeof jobs / sizeof *jobs };

typedef struct diagnosis {
    const char *name, *chapter, *kind;
    int         weight[2];    /* women, men */
    int         bands[BANDS]; /* how common in each band */
} diagnosis;

static const diagnosis diagnoses[] = {
    { "none", "none", "none", { 100, 110 }, { 30, 38, 36, 30, 22, 13, 6 } },
    { "common cold",
      "respiratory",
      "infection or allergy",
      { 30, 28 },
      { 40, 24, 14, 12, 8, 7, 7 } },
    { "influenza", "respiratory", "infection or allergy", { 18, 18 }, { 16, 14, 10, 9, 8, 8, 9 } },
    { "pneumonia", "respiratory", "infection or allergy", { 8, 10 }, { 8, 3, 2, 2, 3, 6, 14 } },
    { "hay fever", "allergic", "infection or allergy", { 20, 19 }, { 4, 16, 18, 15, 10, 6, 3 } },
    { "eczema", "allergic", "infection or allergy", { 14, 11 }, { 18, 12, 8, 6, 5, 5, 5 } },
    { "asthma", "lung", "chronic disease", { 14, 12 }, { 10, 14, 10, 8, 8, 8, 8 } },
    { "chronic bronchitis", "lung", "chronic disease", { 8, 12 }, { 0, 0, 1, 2, 6, 14, 22 } },
    { "high blood pressure",
      "circulation",
      "chronic disease",
      { 26, 30 },
      { 0, 0, 1, 5, 16, 34, 46 } },
    { "coronary disease", "circulation", "chronic disease", { 8, 16 }, { 0, 0, 0, 1, 5, 16, 30 } },
    { "heart failure", "circulation", "chronic disease", { 8, 9 }, { 0, 0, 0, 0, 1, 6, 24 } },
    { "stroke", "circulation", "chronic disease", { 6, 7 }, { 0, 0, 0, 1, 2, 7, 18 } },
    { "varicose veins", "circulation", "chronic disease", { 14, 4 }, { 0, 0, 1, 4, 8, 10, 10 } },
    { "type 1 diabetes", "metabolism", "chronic disease", { 4, 4 }, { 1, 4, 4, 4, 4, 4, 3 } },
    { "type 2 diabetes", "metabolism", "chronic disease", { 14, 18 }, { 0, 0, 1, 3, 10, 22, 30 } },
    { "thyroid disorder", "metabolism", "chronic disease", { 18, 4 }, { 1, 2, 4, 8, 11, 13, 12 } },
    { "gout", "metabolism", "chronic disease", { 2, 8 }, { 0, 0, 0, 2, 5, 8, 9 } },
    { "back pain",
      "bones and joints",
      "chronic disease",
      { 24, 24 },
      { 0, 2, 10, 20, 28, 26, 18 } },
    { "arthrosis", "bones and joints", "chronic disease", { 18, 12 }, { 0, 0, 0, 2, 8, 24, 34 } },
    { "osteoporosis", "bones and joints", "chronic disease", { 12, 2 }, { 0, 0, 0, 0, 2, 10, 22 } },
    { "fracture", "injury", "injury or pregnancy", { 12, 14 }, { 10, 16, 12, 8, 7, 8, 14 } },
    { "concussion", "injury", "injury or pregnancy", { 5, 7 }, { 8, 9, 7, 4, 3, 3, 4 } },
    { "pregnancy", "pregnancy", "injury or pregnancy", { 20, 0 }, { 0, 0, 12, 34, 3, 0, 0 } },
    { "depression", "mental", "mental or nervous", { 22, 12 }, { 0, 4, 16, 18, 18, 15, 10 } },
    { "anxiety disorder", "mental", "mental or nervous", { 18, 9 }, { 1, 8, 16, 14, 11, 8, 5 } },
    { "alcohol dependence", "mental", "mental or nervous", { 4, 11 }, { 0, 0, 5, 7, 10, 9, 3 } },
    { "migraine", "nervous system", "mental or nervous", { 20, 7 }, { 0, 6, 12, 15, 13, 7, 3 } },
    { "dementia", "nervous system", "mental or nervous", { 12, 9 }, { 0, 0, 0, 0, 0, 2, 20 } },
    { "breast cancer", "tumour", "tumour", { 12, 0 }, { 0, 0, 0, 2, 7, 10, 11 } },
    { "prostate cancer", "tumour", "tumour", { 0, 12 }, { 0, 0, 0, 0, 2, 9, 14 } },
    { "skin cancer", "tumour", "tumour", { 5, 6 }, { 0, 0, 1, 2, 5, 8, 11 } },
};
enum { DIAGNOSES = sizeof diagnoses / sizeof *diagnoses };

/* Quantiles (i + 0.5) / 32 of a log-normal distribution with sigma 0.33, in thousandths. As a table,
 * because the last bit of exp() differs between C libraries and the register must not. */
static const int spread[] = {
    491,  575,  626,  666,  701,  732,  760,  787,  813,  839,  863,  888,  912,  937,  962,  987,
    1013, 1040, 1067, 1096, 1126, 1158, 1192, 1230, 1270, 1315, 1367, 1427, 1501, 1597, 1739, 2036,
};
enum { SPREADS = sizeof spread / sizeof *spread };

#endif
