/* SPDX-License-Identifier: Apache-2.0 */
/* recognise.h -- what a column is, recognised from its name, a sample of its cells, its type and how many
 * different values it has. Whoever has cells feeds them to kn_looks_add() and asks kn_propose(): `kanon init`
 * to write a config, a job to refuse columns without a role and to contradict roles that look wrong. The
 * kinds of columns are rows of one table (kinds.c). A proposal is no verdict: the user decides. */
#ifndef KN_INIT_RECOGNISE_H
#define KN_INIT_RECOGNISE_H

#include "config/config.h"
#include "encode/learn.h"

enum { KN_KINDS_MOST = 64 };
/** Of fewer cells nothing is concluded. */
enum { KN_CELLS_LEAST = 5 };

/** What a column holds, finer than the type that a job works with. */
typedef enum {
    KN_FORM_NONE, /* the cells tell */
    KN_FORM_NUMBER,
    KN_FORM_DATE,
    KN_FORM_TIME,
    KN_FORM_TIMESTAMP,
    KN_FORM_CATEGORY,
    KN_FORM_ORDERED,
    KN_FORM_CODE,
    KN_FORM_IDENTIFIER, /* known outside of the table: a name, a passport */
    KN_FORM_KEY,        /* means something within the table alone: the number of a patient */
    KN_FORM_TEXT,
    KN_FORM_COORDINATE,
    KN_FORM_EMAIL,
    KN_FORM_PHONE,
    KN_FORM_URL,
    KN_FORM_IP,
    KN_FORM_POSTCODE,
    KN_FORMS
} kn_form;
/** "ordered category" */
const char *kn_form_name(kn_form form);

/** What a sample of cells looks like. Zeroed is empty. */
typedef struct kn_looks {
    uint32_t cells;                 /* that were looked at */
    uint32_t passed[KN_KINDS_MOST]; /* those that look like a kind, by its place in kn_kinds */
    uint32_t forms[KN_FORMS];       /* those that have a form */
    uint32_t years, months, ssns;   /* that are a year or two, a month, a social security number */
    int      first_year, last_year; /* of those that are dates; 0: none is */
    uint32_t numbers, amounts; /* that are numbers; with a currency, percent or thousands sign */
    uint32_t measured;         /* numbers whose value is known */
    unsigned decimals;         /* most that one of them has */
    double   sum, min, max;    /* of them */
} kn_looks;

/** Looks at one cell that is not missing. */
void kn_looks_add(kn_looks *looks, kn_str cell);

/** What is known of a column. */
typedef struct kn_evidence {
    kn_str   name;
    uint64_t filled;   /* rows with a value */
    uint64_t distinct; /* values; may be an estimate that errs by a few percent */
    kn_type  type;
    double   length; /* mean of the different values, in characters */
    kn_looks looks;
} kn_evidence;

/** How a quasi-identifier could be generalized. */
typedef enum {
    KN_PROPOSE_NONE,
    KN_PROPOSE_AUTO,
    KN_PROPOSE_MASK,
    KN_PROPOSE_PLACE, /* auto, with a hint at place tables */
    KN_PROPOSE_LAT,   /* cells of a grid */
    KN_PROPOSE_LON,
} kn_proposal_kind;

/** A kind of column: how it is recognised, and what follows. */
typedef struct kn_kind {
    /** Patterns of the column's name, separated by blanks: =word is a word of the name, ^word begins one,
     *  $word ends one, ~word is anywhere. NULL: no name tells. */
    const char *names;
    double      names_unique; /* different values per row that a name asks for */
    /** Does a cell look like it? NULL: no cell tells. */
    bool (*cell)(kn_str cell);
    /** Must the column fit as well, whatever it is called? NULL: any does. */
    bool (*fits)(const kn_evidence *evidence);
    double           share;        /* of the cells that must */
    double           cells_unique; /* different values per row that the cells ask for */
    int              years;        /* dates: how many they must span */
    kn_role          role;
    kn_form          form;
    kn_proposal_kind hierarchy;
    const char      *packs;  /* code systems that it may follow, separated by blanks, or NULL */
    unsigned         wrong;  /* roles that contradict it: KN_ROLE_BIT */
    unsigned         traits; /* KN_KIND_... */
    const char      *reason; /* by the name: "the name suggests a person's name" */
    const char      *looks;  /* by the cells: "names of persons" */
} kn_kind;

#define KN_ROLE_BIT(role) (1u << (role))
enum {
    KN_KIND_PERSONS = 1,      /* numbers that tell persons apart */
    KN_KIND_WORDS = 2,        /* the name counts only where the values are no numbers */
    KN_KIND_TELLING = 4,      /* the name hardly means anything else, however few the values are */
    KN_KIND_ALWAYS = 8,       /* the cells contradict a role whatever the name says */
    KN_KIND_QUANTITY = 16,    /* numbers to reckon with, however few there are */
    KN_KIND_RANKED = 32,      /* categories have an order */
    KN_KIND_UNDATED = 64,     /* the name counts only where the values are no dates or years */
    KN_KIND_HOUSEHOLDS = 128, /* numbers that tell households apart */
    KN_KIND_ASK = 256,        /* a person has to decide */
    KN_KIND_CASES = 512,      /* whole numbers are codes: of places, of religions */
    KN_KIND_SAMPLING = 1024,  /* weights of a sample */
};

/* Does a column fit a kind, whatever it is called? (fits.c) */
bool kn_fits_text(const kn_evidence *evidence);
bool kn_fits_number(const kn_evidence *evidence);
/** Dates or times of day. */
bool kn_fits_moment(const kn_evidence *evidence);
/** More than the cases of a code, and no decimals: numbers that may tell somebody apart. */
bool kn_fits_many(const kn_evidence *evidence);
/** Numbers that are no weights of bodies, so they may be those of a sample. */
bool kn_fits_sampling(const kn_evidence *evidence);

/** In the order in which they are tried: the special before the general. */
extern const kn_kind kn_kinds[];
extern const size_t  kn_kind_count;

/** How a proposal is reasoned. */
typedef enum {
    KN_REASON_TEXT,  /* by its text */
    KN_REASON_CELLS, /* by what the cells look like */
    KN_REASON_UNIQUE /* by how many values there are */
} kn_reason;

/** How sure a proposal is. LOW: a person has to decide. */
typedef enum { KN_HIGH, KN_MEDIUM, KN_LOW } kn_confidence;

/** What a column is taken for. */
typedef struct kn_proposal {
    kn_role          role;
    kn_proposal_kind hierarchy;
    kn_form          form;
    kn_reason        why;
    kn_confidence    confidence;
    const char      *reason; /* TEXT: the whole of it; CELLS: what they look like */
    const char      *packs;  /* of its kind */
    unsigned         wrong;  /* roles that contradict it */
    unsigned         traits; /* of its kind */
} kn_proposal;

kn_proposal kn_propose(const kn_evidence *evidence);
/** Adds the reason of a proposal, without a full stop. */
void kn_proposal_reason(const kn_evidence *evidence, const kn_proposal *proposal, kn_text *out);

/** Does a role look wrong for a column? The proposal says why. */
bool kn_contradicts(const kn_evidence *evidence, kn_role role, kn_proposal *proposal);

/** Warns of roles that look wrong: one warning for each column, until there are many. Zeroed but for ctx is
 *  none yet; kn_doubts_end() tells how many more there are. */
typedef struct kn_doubts {
    kanon_ctx *ctx;
    size_t     count;
} kn_doubts;
kanon_status kn_doubt_role(kn_doubts *doubts, const kn_evidence *evidence, kn_role role);
void         kn_doubts_end(const kn_doubts *doubts);

/** Fills in what a column's cells look like, at most a few hundred that are not missing, and their type. Puts
 *  the values in another order. */
kanon_status kn_evidence_look(kanon_ctx *ctx, kn_str *values, size_t count, kn_evidence *out);

/** A sample of a table's rows. */
typedef struct kn_sampled {
    kanon_ctx       *ctx;
    const kn_sample *sample;
    const kn_str    *missing; /* tokens of missing values; a cell `*` says as little */
    size_t           nmissing;
} kn_sampled;
/** What is known of a column of a sample, all numbers estimates. The name is set.
 *  @param distinct  values of the whole column, by a sketch; a missing one is a value */
kanon_status kn_evidence_sampled(const kn_sampled *from, size_t column, uint64_t distinct,
                                 kn_evidence *out);

/** What is known of a column that a job has learned or sampled; numbers are estimates where it was sampled.
 *  The name is borrowed. */
kanon_status kn_evidence_learned(const kn_learned *learned, size_t position, kn_evidence *out);

/** Looks at what form one cell has; kn_looks_add() calls it. */
void kn_forms_add(kn_looks *looks, kn_str cell);
/** What a column holds if it is one of a kind; NULL: of none. */
kn_form kn_form_of(const kn_evidence *evidence, const kn_kind *kind);
/** Whole numbers that only tell cases apart: 1 single, 2 married. */
bool kn_is_coded(const kn_evidence *evidence);
/** Whole numbers that are years. */
bool kn_is_years(const kn_evidence *evidence);
/** Different values per row. */
double kn_uniqueness(const kn_evidence *evidence);

/** May an identifier of that name tell persons apart? Not where it reads like a name, address or text. */
bool kn_may_tell_persons(kn_str column);
/** Do the values of an identifier repeat as the numbers of persons do that stand in several rows? */
bool kn_repeats_like_persons(uint64_t values, uint64_t rows);
/** Does nearly every row have a value of its own? */
bool kn_nearly_unique(const kn_evidence *evidence);

/** The share of the cells that passed a test, which a kind must have, or that of years, months or ssns. */
double kn_looks_share(const kn_looks *looks, bool (*cell)(kn_str));

/* --- names and cells (names.c, cells.c, forms.c) -------------------------------------------------------- */

enum { KN_FOLDED_MOST = 240, KN_FOLDED_ROOM = KN_FOLDED_MOST + 4 };
/** "dateOfBirth", "Date of birth", "DATE_OF_BIRTH" -> " date of birth ". */
void kn_fold_words(kn_str name, char out[KN_FOLDED_ROOM]);

/** A name as words, and as one word: "zip code" is also "zipcode". */
typedef struct kn_folded {
    char name[KN_FOLDED_ROOM], joined[KN_FOLDED_ROOM];
} kn_folded;
kn_folded kn_fold(kn_str name);
/** Letters of the longest pattern that a name matches; 0: none. */
size_t kn_name_matches(const kn_folded *name, const char *patterns);

bool kn_cell_is_person(kn_str cell);
bool kn_cell_is_email(kn_str cell);
bool kn_cell_is_phone(kn_str cell);
bool kn_cell_is_url(kn_str cell);
bool kn_cell_is_ip(kn_str cell);
bool kn_cell_is_account(kn_str cell);
bool kn_cell_is_uuid(kn_str cell);
/** A social security number of the United States: 123-45-6789. */
bool kn_cell_is_ssn(kn_str cell);
bool kn_cell_is_street(kn_str cell);
bool kn_cell_is_prose(kn_str cell);
bool kn_cell_is_date(kn_str cell);
/** A year, or two: 2019, 2010-2019, [2010; 2020). */
bool kn_cell_is_year(kn_str cell);
/** A month of a year: 2019-05, 05/2019. */
bool kn_cell_is_month(kn_str cell);
/** Reads a date in any of the forms, with or without a time of day. */
bool kn_cell_moment(kn_str cell, kn_moment *out);
/** A code of ICD-10 with a dot, or of ATC. */
bool kn_cell_is_health_code(kn_str cell);
/** A date with a time of day. */
bool kn_cell_is_moment(kn_str cell);
/** The year of a date; 0: it is none. */
int kn_cell_year(kn_str cell);

#endif
