/* SPDX-License-Identifier: Apache-2.0 */
/* soak.h -- what the parts of the soak test share: a random job (a table, its hierarchies, settings, a
 * dialect), what the tool made of it, and an oracle that judges that. The oracle is written from the
 * definitions in docs/; it shares no code with src/. */
#ifndef SOAK_H
#define SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ROWS_MOST = 200,  /* of a table */
    COLS_MOST = 16,   /* of a table */
    QI_MOST = 6,      /* quasi-identifiers */
    LEVELS_MOST = 12, /* of a hierarchy */
    LEAVES_MOST = 256,
    MODELS_MOST = 16,
    TOKENS_MOST = 4,
    NODES_MOST = 300 /* of a lattice that is looked at node by node */
};

/* --- util.c: memory of a job, chance, texts, failure -------------------------------------------- */

/** Memory that is gone when the job is. Zeroed; never fails (it ends the process). */
void *take(size_t bytes);
char *copy(const char *text);
char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Gives all memory of the job back. */
void give_back(void);

typedef struct chance {
    uint64_t state;
} chance;

chance   chance_of(uint64_t seed, uint64_t index, uint64_t stream);
uint64_t draw64(chance *c);
/** From least to most, both included. */
int    draw(chance *c, int least, int most);
double draw_part(chance *c); /* [0, 1) */
bool   maybe(chance *c, double share);
#define ONE_OF(c, ...)                                                                             \
    (((const char *const[]){ __VA_ARGS__ })                                                        \
         [draw(c, 0, (int) (sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)) - 1)])

/** Ends the judgement of a job: what is wrong, in a line. */
_Noreturn void object(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            object(__VA_ARGS__);                                                                   \
    } while (0)
/** Runs a function until it ends or objects. @return NULL, or what was wrong (a static text) */
const char *objection(void (*judge)(void *), void *argument);

bool   same(const char *a, const char *b);
bool   near(long double a, long double b); /* equal up to 1e-9, relative above 1 */
size_t put_utf8(char *to, unsigned code);
int    letters(const char *text); /* code points of a text in UTF-8 */

/* --- a job -------------------------------------------------------------------------------------- */

typedef enum { INSENSITIVE, SENSITIVE, IDENTIFIER, QUASI } role_t;
/* How a hierarchy is made. From ORDER on the tool chooses it from the data. */
typedef enum { NO_KIND, FILE_KIND, PLACE, RANGE, X10, MASK, DATE, ORDER, AUTO, RANGE_AUTO } kind_t;

typedef struct column {
    char   *name;
    char   *header; /* the name as it stands in the file */
    char  **cells;
    role_t  role;
    kind_t  kind;
    char   *spec;   /* on the command line, behind COLUMN= */
    char   *type;   /* declared, or NULL */
    char   *weight; /* as it is written, or NULL */
    char   *grid;
    char   *own_p, *own_t; /* p-sensitive and t-closeness of this column alone; NULL: as all */
    int     low, high;     /* levels that the release may have; high -1: up to the height */
    char   *file;          /* of the hierarchy, or NULL */
    char ***lines;         /* of that file */
    int     nlines, width;
    char    between;             /* delimiter of that file */
    int64_t widths[LEVELS_MOST]; /* RANGE, in millionths */
    int     nwidths;
    bool    left; /* MASK */
    int     form; /* DATE: how it is written */
    int     units[LEVELS_MOST], nunits;
    bool    roleless;   /* INSENSITIVE, but the settings do not say so */
    bool    text_given; /* its tree is a file of texts, for t-closeness of a sensitive column */
} column;

enum { DISTINCT_L, ENTROPY_L, RECURSIVE_L };
enum { T_AUTO, T_EQUAL };

/* What is asked for beside k; a NULL or 0 asks for nothing. */
typedef struct asked {
    char *l, *l_c, *t, *p, *alpha, *beta, *delta, *k_map, *presence;
    int   l_kind, t_distance;
    bool  enhanced;
    bool  population;       /* given, whether it is asked for or not */
    int   entity, k_column; /* column + 1 */
} asked;

typedef struct dialect {
    char        delimiter, quote;
    bool        crlf, bom, gzip, latin1, quote_all, sep_line, no_header, sniffed, empty_end;
    const char *tokens[TOKENS_MOST];
    int         ntokens;
    bool        own_tokens; /* not the tool's default */
} dialect;

typedef enum { SOUND, RAGGED, OPEN_QUOTE, NO_SUCH_COLUMN, BAD_TOP, TWO_NAMES, NO_ROLE } fault_t;
/* Columns without a role; where a job is sound, it refuses none. */
typedef enum { OTHERS_KEEP, OTHERS_DROP } others_t;

typedef struct job {
    uint64_t    seed, index;
    int         n, ncolumns, m;
    column      columns[COLS_MOST];
    int         quasi[QI_MOST]; /* in the order of the columns */
    int         rid;            /* the column with a different value in every row, or -1 */
    int         label;          /* named in the settings, or -1 */
    int         k;
    const char *eta;
    bool        mask, drop_identifiers, quote_formulas, dash, keep_order, local, in_config;
    bool        prints, outward;                  /* --json; a second run for outsiders */
    bool        says_header, has_limit;           /* what changes nothing: --header, --time-limit */
    const char *algorithm, *metric, *show, *snap; /* show: of local recoding */
    const char *order_key;                        /* NULL: a fresh one */
    bool        says_metric;                      /* else it is the algorithm's own */
    int         threads;
    char       *params[8]; /* KEY=VALUE */
    int         nparams;
    asked       asked;
    char     ***people; /* rows of m cells */
    int         npeople;
    dialect     dialect;
    others_t    others;
    fault_t     fault;
} job;

/** What is said of columns without a role, or NULL: nothing. */
const char *others_of(const job *j);
/** The job of a seed and an index. */
void make_job(job *j, uint64_t seed, uint64_t index);
/** Leaves some of the settings of a job to the tool. */
void some_defaults(job *j);
/** Which columns nobody gives a role, and what becomes of them. */
void choose_roleless(job *j, chance *c);
/** How it tells what it did; the last part of making a job. */
void show_outside(job *j);
void choose_telling(job *j);
/** Leaves out what a cut says ("r3", "r4-9", "c2", "o5"); @return false if it says nothing here */
bool cut_job(job *j, const char *cut);
/** What follows from other choices, such as a last line without a cell that is no row. */
void settle_job(job *j);
/** Gives Latin-1 up where it has no room for a letter. */
void fit_latin1(job *j);
enum { OPTIONS = 33 }; /* of the cuts "o0" ... */

/** Writes the files of a job into the present folder. */
void write_job(const job *j);
/** Does it ask for a report for people as well? */
bool with_page(const job *j);
/** The command line; ends with NULL. */
char **command_of(const job *j);
/** The same job for outsiders. */
char **outward_command_of(const job *j);
/** The command line of `hierarchy build` for one column. */
char **build_command_of(const job *j, int column, const char *output);
char  *shell_line(char **words);
bool   refuses_gzip(void);

/* --- read.c: files as other programs read them -------------------------------------------------- */

typedef struct records {
    char ***rows;
    int    *widths;
    int     count;
} records;

/** All of a file; NULL if there is none. */
char   *slurp(const char *path, size_t *bytes);
records read_csv(const char *text, size_t bytes, char delimiter, char quote);
char   *from_latin1(const char *text, size_t *bytes);

typedef struct json {
    enum { J_NULL, J_FALSE, J_TRUE, J_NUMBER, J_TEXT, J_LIST, J_MAP } type;
    long double  number;
    char        *text;
    char        *key; /* in a map */
    struct json *first, *next;
} json;

json *read_json(const char *text, size_t bytes);
json *get(const json *map, const char *key); /* objects if it is not there */
/** Objects if the value of a key is not this number. what: how the map is called in the message */
void  expect_number(const json *of, const char *key, long double value, const char *what);
json *find(const json *map, const char *key); /* NULL if it is not there */

/* --- tree.c: hierarchies by their definitions --------------------------------------------------- */

typedef struct tree {
    int         height, nleaves, missing; /* missing: its leaf, or -1 */
    char       *leaf[LEAVES_MOST];        /* text; of the missing one the token that is released */
    int         held; /* leaves [0, held) occur in the table or the population */
    int         group[LEVELS_MOST][LEAVES_MOST];
    int         ngroups[LEVELS_MOST];
    char       *label[LEVELS_MOST][LEAVES_MOST]; /* NULL: any */
    bool        numeric, dash;                   /* dash: 20-29 instead of 20 to 29 */
    int64_t     number[LEAVES_MOST];             /* in millionths */
    bool        has_interval[LEVELS_MOST][LEAVES_MOST];
    int64_t     low[LEVELS_MOST][LEAVES_MOST], high[LEVELS_MOST][LEAVES_MOST];
    int64_t     least, most; /* of the numbers of the table */
    bool        extremes;
    int         row[ROWS_MOST];                    /* leaf of each row */
    int        *person;                            /* leaf of each person */
    int         count[LEAVES_MOST];                /* rows per leaf */
    long double loss[LEVELS_MOST][LEAVES_MOST][3]; /* glm, gcp, total_il */
} tree;

int64_t millionths(const char *text);
bool    is_number_text(const char *text);
int     decimals_of(const char *text);
/** Is it one of the job's tokens for a missing value? */
bool is_missing(const job *j, const char *cell);
/** The tree of quasi-identifier i; built: what the tool chose, for kinds that need it. */
tree *tree_of(const job *j, int column, const records *built);
/** Row by row a number for each different value of a column, all missing ones alike. @return how many;
 *  order: their texts, NULL for the missing one */
int values_of(const job *j, int column, int *value, char **order);

/* --- node.c: classes, feasibility, metrics ------------------------------------------------------ */

enum {
    M_LOG,
    M_PRECISION,
    M_LOS,
    M_HEIGHT,
    M_DM,
    M_GLM,
    M_GLM_SUM,
    M_GCP,
    M_TOTAL_IL,
    M_LITERAL,
    M_CM,
    M_C_AVG,
    M_ENTROPY,
    METRICS
};
extern const char *const metric_names[METRICS];

struct model;

typedef struct problem {
    const job    *job;
    int           n, m, k, limit;
    tree         *tree[QI_MOST];
    int           low[QI_MOST], high[QI_MOST]; /* levels that the release may have */
    long double   weight[QI_MOST], weights;
    int          *label;  /* per row, or NULL */
    struct model *models; /* MODELS_MOST at most */
    int           nmodels;
    bool          steady; /* feasible stays feasible above */
    bool          nobody_absent;
    long          nodes, feasible; /* of the lattice, once it was looked at */
    long double   least;           /* loss of a feasible node */
    bool          missed;          /* a search that need not find the answer did not */
} problem;

typedef struct node {
    int  level[QI_MOST];
    int  nclasses;          /* all of them */
    int  of[ROWS_MOST];     /* class of each row */
    int  size[ROWS_MOST];   /* per class */
    int  start[ROWS_MOST];  /* per class, in rows */
    int  rows[ROWS_MOST];   /* by class */
    bool good[ROWS_MOST];   /* per class: may be released */
    int  people[ROWS_MOST]; /* per class */
    bool somebody_absent;
    int  released_classes, outlying, smallest;
    bool feasible;
} node;

problem    *problem_of(const job *j);
void        look(const problem *p, const int *level, node *to);
long double metric_of(const problem *p, const node *x, int metric);
long double attribute_of(const problem *p, const node *x, int qi,
                         int which); /* 0-2 losses, 3 entropy, 4 log */
int         metric_number(const char *name);
int         suppression_rows(const char *eta, int n);
/** The next node in lexicographic order. @return false after the last */
bool next_node(const problem *p, int *level);

/* --- model.c: privacy models beyond k ----------------------------------------------------------- */

typedef struct model {
    const char *key;
    const char *parameter[2]; /* as the report calls what was asked */
    long double asked[2];
    int         column; /* or -1 */
    bool        monotone, smaller_is_worse;
    int         which;
    long double limit, low;
    int         l;
    int         n, nvalues;
    int        *value; /* per row */
    int         whole[LEAVES_MOST];
    int         place[LEAVES_MOST]; /* in the order */
    tree       *tree;
} model;

int         models_of(const job *j, problem *p, model *to);
long double reached(const model *m, const int *rows, int count, int people);
bool        enough(const model *m, long double reached);
/** k and all models. */
bool may_be_class(const problem *p, const int *rows, int count, int people);

/* --- judging ------------------------------------------------------------------------------------ */

typedef struct outcome {
    int      code;               /* exit status */
    char    *said;               /* on standard error */
    char    *printed;            /* on standard output */
    json    *shown;              /* printed, or NULL */
    bool     there;              /* the release */
    bool     bom, crlf, bare_lf; /* line ends outside quotes */
    records  file;               /* with its header, if it has one */
    json    *report;             /* or NULL */
    problem *problem;
    int      left_over;                 /* files that should not be there */
    int      outside_code;              /* of the second run */
    json    *outside;                   /* what that one printed, or NULL */
    bool outside_same, outside_written; /* its release is the same; its report is what it printed */
} outcome;

typedef enum { RELEASED, INFEASIBLE, REFUSED, MISSED, EMPTY, ANSWERS } answer_t;

/** Runs a job in the present folder. */
void run_job(const job *j, outcome *to);
/** Objects if something is wrong; says what kind of answer it was. */
answer_t judge(const job *j, outcome *o);
void     judge_global(const job *j, outcome *o);
void     judge_local(const job *j, outcome *o);
/** The released rows as the file has them, without header; checks header and widths. */
int  released_columns(const job *j, int *columns);
void judge_models_of_report(const job *j, const outcome *o, int classes, int *const *rows,
                            const int *sizes, const int *people, const int *masked, int nmasked);
void judge_sensitive(const job *j, const outcome *o, int classes, int *const *rows,
                     const int *sizes, const int *masked, int nmasked);
void judge_risk(const json *found, int classes, const int *sizes, int crowd);
/** What was printed, and what outsiders get. */
void judge_printed(const job *j, const outcome *o);
void judge_outside(const job *j, const outcome *o);
void judge_defaults(const job *j, const outcome *o);
/** Which row each released row is, by the column rid; objects unless one to one. */
void match_rows(const job *j, const outcome *o, const int *columns, int ncolumns, int *row);
void some_weights(job *j, chance *c);
void some_limits(job *j, chance *c);
void some_own(job *j, chance *c);
bool is_local(const char *algorithm);

/** Changes something in what the tool made; @return what, or NULL if there is nothing to change */
const char *spoil(const job *j, outcome *o, int how, chance *c);
enum { SPOILS = 20 };

#endif
