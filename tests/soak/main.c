/* SPDX-License-Identifier: Apache-2.0 */
/* main.c -- the driver: random jobs through the whole tool, in processes that may crash; each answer is
 * judged by the oracle; a job that fails is made smaller as long as it fails, and kept as files with the
 * command that repeats it.
 *
 *     soak [--jobs N] [--seed S] [--from I] [--processes P] [--seconds S [--least N]] [--only I [--cut CUTS]]
 *          [--self-test N] [--keep FOLDER]
 *
 * After the seconds it ends, but not before the least number of jobs is done.
 */
#include "soak.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    BATCH = 250,
    PROCESSES_MOST = 64,
    FAILURES_MOST = 10,
    NAMES = 18,
    KEYS = 15,
    WAYS = 4,
    LIMIT_S = 60,
    CUTS_MOST = 400
};

static const char *const algorithms[NAMES] = { "exhaustive", "optimal",   "ola",  "incognito",
                                               "samarati",   "datafly",   "auto", "kgen",
                                               "random",     "ga",        "tabu", "ga-tabu",
                                               "mondrian",   "k-members", "oka",  "ika",
                                               "bha",        "kab" };
static const char *const model_keys[KEYS] = { "distinct-l-diversity",
                                              "entropy-l-diversity",
                                              "recursive-cl-diversity",
                                              "p-sensitive",
                                              "alpha-k",
                                              "t-closeness-equal",
                                              "t-closeness-ordered",
                                              "t-closeness-hierarchical",
                                              "beta-likeness",
                                              "enhanced-beta-likeness",
                                              "delta-disclosure",
                                              "persons",
                                              "k-column",
                                              "k-map",
                                              "delta-presence" };
static const char *const answer_names[ANSWERS] = { "released", "infeasible", "refused",
                                                   "not found by a heuristic", "empty" };

typedef struct failure {
    uint64_t index;
    char     why[600];
} failure;

/* What a process tells its parent; survives its crash. */
typedef struct slot {
    uint64_t current, done;
    bool     at_end;
    uint64_t by_answer[ANSWERS], by_algorithm[NAMES], by_model[KEYS], by_kind[RANGE_AUTO + 1],
        plain_k, suppressing, told[WAYS], spoiled[SPOILS], noticed[SPOILS];
    int     nfailures;
    failure failures[FAILURES_MOST];
} slot;

typedef struct settings {
    uint64_t    seed, from, jobs, least, only, self_test;
    bool        one;
    int         processes;
    const char *cuts, *keep, *program;
    char        folder[200];
    double      seconds; /* most; 0: no limit */
} settings;

static settings S;

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

typedef struct shared_text {
    bool        finished;
    char        why[600];
    int         n, ncolumns, npeople;
    long        nodes, feasible; /* of the lattice, by the oracle */
    long double least;           /* loss of a feasible one */
} shared_text;

static shared_text *trial_text;

/* --- one job ------------------------------------------------------------------------------------ */

typedef struct trial {
    job      j;
    outcome  o;
    answer_t answer;
} trial;

static void
try_it(void *argument)
{
    trial *t = argument;

    run_job(&t->j, &t->o);
    t->answer = judge(&t->j, &t->o);
}

static void
judge_again(void *argument)
{
    trial *t = argument;

    judge(&t->j, &t->o);
}

static void
count_job(slot *s, const trial *t)
{
    s->by_answer[t->answer]++;
    for (int i = 0; i < NAMES; i++)
        s->by_algorithm[i] += same(algorithms[i], t->j.algorithm);
    s->told[0] += t->j.prints;
    s->told[1] += t->j.outward;
    s->told[2] += t->j.says_header;
    s->told[3] += t->j.has_limit;
    for (int i = 0; i < t->j.m; i++)
        s->by_kind[t->j.columns[t->j.quasi[i]].kind]++;
    if (!t->o.problem)
        return;
    s->plain_k += t->o.problem->nmodels == 0;
    s->suppressing += t->o.problem->limit > 0;
    for (int i = 0; i < t->o.problem->nmodels; i++)
        for (int m = 0; m < KEYS; m++)
            s->by_model[m] += same(model_keys[m], t->o.problem->models[i].key);
}

static bool
apply_cuts(job *j, const char *cuts)
{
    char *list = copy(cuts ? cuts : ""), *rest = NULL;

    for (char *cut = strtok_r(list, ",", &rest); cut; cut = strtok_r(NULL, ",", &rest))
        if (!cut_job(j, cut))
            return false;
    return true;
}

/* @return what is wrong, or NULL */
static const char *
one_job(slot *s, uint64_t index, const char *cuts)
{
    static trial t;
    const char  *why;

    give_back();
    memset(&t, 0, sizeof t);
    make_job(&t.j, S.seed, index);
    if (!apply_cuts(&t.j, cuts))
        return NULL;
    why = objection(try_it, &t);
    if (!why && s)
        count_job(s, &t);
    if (!why && t.o.problem) {
        trial_text->nodes = t.o.problem->nodes;
        trial_text->feasible = t.o.problem->feasible;
        trial_text->least = t.o.problem->least;
    }
    return why;
}

/* Does the judge notice what is changed? */
static const char *
self_test(slot *s, uint64_t index)
{
    static trial t;
    static char  why[200];
    chance       c = chance_of(S.seed, index, 2);
    int          how = (int) (index % SPOILS);
    const char  *what, *before;

    give_back();
    memset(&t, 0, sizeof t);
    make_job(&t.j, S.seed, index);
    t.j.prints |= how == 16;
    if (how > 16)
        show_outside(&t.j);
    before = objection(try_it, &t);
    if (before)
        return before;
    what = spoil(&t.j, &t.o, how, &c);
    if (!what)
        return NULL;
    s->spoiled[how]++;
    if (objection(judge_again, &t)) {
        s->noticed[how]++;
        return NULL;
    }
    snprintf(why, sizeof why, "self-test: nobody noticed that %s was changed", what);
    return why;
}

/* --- processes ---------------------------------------------------------------------------------- */

static void
note(slot *s, uint64_t index, const char *why)
{
    if (s->nfailures < FAILURES_MOST) {
        s->failures[s->nfailures].index = index;
        snprintf(s->failures[s->nfailures].why, sizeof s->failures[0].why, "%s", why);
    }
    s->nfailures++;
}

/* Standard output and error go into files of the folder. */
static void
enter(const char *folder)
{
    int said, printed;

    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        exit(3);
    if (chdir(folder) != 0)
        exit(3);
    printed = open("printed.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    said = open("said.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (printed < 0 || said < 0 || dup2(printed, STDOUT_FILENO) < 0
        || dup2(said, STDERR_FILENO) < 0)
        exit(3);
    close(printed);
    close(said);
}

static void
batch(slot *s, int number, uint64_t from, uint64_t to)
{
    char folder[260];

    snprintf(folder, sizeof folder, "%s/%d", S.folder, number);
    enter(folder);
    for (uint64_t i = from; i < to; i++) {
        const char *why;

        s->current = i;
        alarm(LIMIT_S);
        why = S.self_test ? self_test(s, i) : one_job(s, i, NULL);
        if (why)
            note(s, i, why);
        s->done++;
    }
    alarm(0);
    s->at_end = true;
    exit(0);
}

static const char *
ended_how(int status)
{
    static char text[100];

    if (WIFSIGNALED(status))
        snprintf(text, sizeof text,
                 WTERMSIG(status) == SIGALRM ? "no end after %d s" : "crash: signal %d",
                 WTERMSIG(status) == SIGALRM ? (int) LIMIT_S : WTERMSIG(status));
    else
        snprintf(text, sizeof text, "crash: exit status %d", WEXITSTATUS(status));
    return text;
}

/* --- making a failing job smaller --------------------------------------------------------------- */

/* Runs a job with cuts in a process of its own. @return whether it fails; why in trial_text */
static bool
fails(uint64_t index, const char *cuts, const char *folder)
{
    int   status;
    pid_t child;

    memset(trial_text, 0, sizeof *trial_text);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        const char *why;
        static job  j;

        enter(folder);
        alarm(LIMIT_S);
        make_job(&j, S.seed, index);
        if (!apply_cuts(&j, cuts)) {
            trial_text->finished = true;
            _exit(0);
        }
        trial_text->n = j.n;
        trial_text->ncolumns = j.ncolumns;
        trial_text->npeople = j.npeople;
        why = one_job(NULL, index, cuts);
        if (why)
            snprintf(trial_text->why, sizeof trial_text->why, "%s", why);
        trial_text->finished = true;
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (!trial_text->finished)
        snprintf(trial_text->why, sizeof trial_text->why, "%s", ended_how(status));
    return trial_text->why[0] != 0;
}

/* The same fault, as far as its message tells. */
static bool
same_fault(const char *a, const char *b)
{
    return strncmp(a, b, 12) == 0;
}

typedef struct shrinker {
    uint64_t    index;
    const char *folder;
    char        cuts[8000], why[600];
    int         n, ncolumns, npeople, tries;
    double      end;
} shrinker;

static bool
without(shrinker *k, const char *cut)
{
    char  *longer = print("%s%s%s", k->cuts, k->cuts[0] ? "," : "", cut);
    size_t bytes = strlen(longer) + 1;

    if (now() > k->end || k->tries++ > CUTS_MOST || bytes > sizeof k->cuts)
        return false;
    if (!fails(k->index, longer, k->folder) || !same_fault(trial_text->why, k->why))
        return false;
    memcpy(k->cuts, longer, bytes);
    snprintf(k->why, sizeof k->why, "%s", trial_text->why);
    k->n = trial_text->n;
    k->ncolumns = trial_text->ncolumns;
    k->npeople = trial_text->npeople;
    return true;
}

static bool
shorter(shrinker *k, char what, const int *count)
{
    bool any = false;
    char cut[40];

    for (int part = *count > 1 ? *count / 2 : 1; part > 0; part /= 2)
        for (int at = *count - part; at >= 0; at -= part) {
            snprintf(cut, sizeof cut, "%c%d-%d", what, at, at + part - 1);
            any |= at + part <= *count && without(k, cut);
        }
    return any;
}

static void
shrink(shrinker *k)
{
    bool more = true;
    char cut[40];

    while (more && now() < k->end) {
        more = shorter(k, 'r', &k->n);
        for (int i = k->ncolumns - 1; i >= 0; i--) {
            snprintf(cut, sizeof cut, "c%d", i);
            more |= i < k->ncolumns && without(k, cut);
        }
        for (int i = 0; i < OPTIONS; i++) {
            snprintf(cut, sizeof cut, "o%d", i);
            more |= without(k, cut);
        }
        if (k->npeople)
            more |= shorter(k, 'p', &k->npeople);
    }
}

/* Makes a failing job small, keeps its files and tells how to repeat it. */
static void
tell_failure(const failure *f)
{
    char       folder[400];
    shrinker   k = { .index = f->index, .folder = folder, .end = now() + 20 };
    static job j;

    snprintf(folder, sizeof folder, "%s/kanon-soak-%llu-%llu", S.keep, (unsigned long long) S.seed,
             (unsigned long long) f->index);
    snprintf(k.why, sizeof k.why, "%s", f->why);
    if (!S.self_test && fails(f->index, S.cuts, folder)) {
        snprintf(k.cuts, sizeof k.cuts, "%s", S.cuts ? S.cuts : "");
        snprintf(k.why, sizeof k.why, "%s", trial_text->why);
        k.n = trial_text->n;
        k.ncolumns = trial_text->ncolumns;
        k.npeople = trial_text->npeople;
        shrink(&k);
        fails(f->index, k.cuts, folder); /* its files are those that stay */
    }
    give_back();
    make_job(&j, S.seed, f->index);
    apply_cuts(&j, k.cuts);
    printf("FAIL soak-job-%llu (seed %llu): %s; files in %s; judged again: %s --seed %llu --only "
           "%llu%s%s; the tool: cd "
           "%s && %s\n",
           (unsigned long long) f->index, (unsigned long long) S.seed, k.why, folder, S.program,
           (unsigned long long) S.seed, (unsigned long long) f->index, k.cuts[0] ? " --cut " : "",
           k.cuts, folder, shell_line(command_of(&j)));
    fflush(stdout);
}

/* --- all jobs ----------------------------------------------------------------------------------- */

typedef struct lane {
    pid_t    child;
    uint64_t from, to;
} lane;

static void
start(slot *slots, lane *lanes, int number)
{
    slots[number].at_end = false;
    fflush(NULL);
    lanes[number].child = fork();
    if (lanes[number].child == 0)
        batch(&slots[number], number, lanes[number].from, lanes[number].to);
}

static uint64_t
all_done(const slot *slots)
{
    uint64_t done = 0;

    for (int i = 0; i < S.processes; i++)
        done += slots[i].done;
    return done;
}

static int
all_failures(const slot *slots)
{
    int count = 0;

    for (int i = 0; i < S.processes; i++)
        count += slots[i].nfailures;
    return count;
}

/* A line now and then, and one at once for each job that fails. */
static void
tell_progress(const slot *slots, double begun)
{
    static double last;
    static int    told[PROCESSES_MOST];
    uint64_t      done = all_done(slots);

    for (int i = 0; i < S.processes; i++)
        for (; told[i] < slots[i].nfailures && told[i] < FAILURES_MOST; told[i]++)
            fprintf(stderr, "# job %llu: %s\n",
                    (unsigned long long) slots[i].failures[told[i]].index,
                    slots[i].failures[told[i]].why);
    if (now() - last < 20)
        return;
    last = now();
    fprintf(stderr, "# %llu jobs, %.0f a second, %d wrong\n", (unsigned long long) done,
            (double) done / (now() - begun + 1e-9), all_failures(slots));
}

static void
all_jobs(slot *slots)
{
    lane     lanes[PROCESSES_MOST];
    uint64_t next = S.from, end = S.from + S.jobs;
    double   begun = now();
    int      running = 0;

    for (int i = 0; i < S.processes && next < end; i++, running++) {
        lanes[i] = (lane){ 0, next, next + BATCH < end ? next + BATCH : end };
        next = lanes[i].to;
        start(slots, lanes, i);
    }
    while (running > 0) {
        int   status, i = 0;
        pid_t gone = wait(&status);

        while (i < S.processes && lanes[i].child != gone)
            i++;
        if (i == S.processes)
            continue;
        if (status != 0) {
            note(&slots[i], slots[i].current,
                 slots[i].at_end ? "crash: at the end of a batch (a leak?)" : ended_how(status));
            if (!slots[i].at_end)
                slots[i].done++;
        }
        if (status != 0 && !slots[i].at_end && slots[i].current + 1 < lanes[i].to)
            lanes[i].from = slots[i].current + 1;
        else {
            lanes[i].from = next;
            lanes[i].to = next = next + BATCH < end ? next + BATCH : end;
        }
        if (lanes[i].from < lanes[i].to && all_failures(slots) < FAILURES_MOST
            && (S.seconds <= 0 || now() - begun < S.seconds || all_done(slots) < S.least))
            start(slots, lanes, i);
        else
            running--;
        tell_progress(slots, begun);
    }
}

static void
add_slots(slot *to, const slot *slots)
{
    memset(to, 0, sizeof *to);
    for (int i = 0; i < S.processes; i++) {
        const slot *s = &slots[i];

        to->done += s->done;
        to->plain_k += s->plain_k;
        to->suppressing += s->suppressing;
        for (int a = 0; a < ANSWERS; a++)
            to->by_answer[a] += s->by_answer[a];
        for (int a = 0; a < NAMES; a++)
            to->by_algorithm[a] += s->by_algorithm[a];
        for (int a = 0; a < WAYS; a++)
            to->told[a] += s->told[a];
        for (int a = 0; a < KEYS; a++)
            to->by_model[a] += s->by_model[a];
        for (int a = 0; a <= RANGE_AUTO; a++)
            to->by_kind[a] += s->by_kind[a];
        for (int a = 0; a < SPOILS; a++) {
            to->spoiled[a] += s->spoiled[a];
            to->noticed[a] += s->noticed[a];
        }
    }
}

static void
tell_counts(const char *what, const char *const *names, const uint64_t *counts, int n)
{
    printf("# %s:", what);
    for (int i = 0; i < n; i++)
        printf(" %s %llu%s", names[i], (unsigned long long) counts[i], i + 1 < n ? "," : "\n");
}

static void
tell_self_test(const slot *sum)
{
    for (int i = 0; i < SPOILS; i++)
        if (sum->spoiled[i] && sum->spoiled[i] == sum->noticed[i])
            printf("ok soak-self-test-%d (%llu changes, all noticed)\n", i,
                   (unsigned long long) sum->spoiled[i]);
        else
            printf("FAIL soak-self-test-%d: %llu of %llu changes noticed\n", i,
                   (unsigned long long) sum->noticed[i], (unsigned long long) sum->spoiled[i]);
}

static int
finish(const slot *slots, double seconds)
{
    static const char *const kinds[] = { "none", "file", "place", "range", "range:x10",
                                         "mask", "date", "order", "auto",  "range, widths chosen" };
    static const char *const ways[WAYS] = { "--json", "external reports", "--header",
                                            "--time-limit" };
    slot                     sum;
    int                      wrong = all_failures(slots);
    bool                     few;

    add_slots(&sum, slots);
    for (int i = 0; i < S.processes; i++)
        for (int f = 0; f < slots[i].nfailures && f < FAILURES_MOST; f++)
            tell_failure(&slots[i].failures[f]);
    if (S.self_test) {
        tell_self_test(&sum);
        return wrong > 0;
    }
    tell_counts("answers", answer_names, sum.by_answer, ANSWERS);
    tell_counts("algorithms", algorithms, sum.by_algorithm, NAMES);
    tell_counts("models", model_keys, sum.by_model, KEYS);
    tell_counts("ways to tell", ways, sum.told, WAYS);
    tell_counts("hierarchies", kinds + 1, sum.by_kind + 1, RANGE_AUTO);
    printf("# k alone: %llu jobs; rows may be suppressed: %llu jobs\n",
           (unsigned long long) sum.plain_k, (unsigned long long) sum.suppressing);
    few = sum.done < (S.least < S.jobs ? S.least : S.jobs);
    printf("%s soak (%llu jobs, seed %llu, %d wrong, %.1f s, %.0f jobs a second)%s\n",
           wrong || few ? "FAIL" : "ok", (unsigned long long) sum.done, (unsigned long long) S.seed,
           wrong, seconds, (double) sum.done / seconds, few ? ": too few jobs" : "");
    return wrong > 0 || few;
}

/* --- options ------------------------------------------------------------------------------------ */

static int
usage(void)
{
    fputs("soak [--jobs N] [--seed S] [--from I] [--processes P] [--seconds S [--least N]]\n"
          "     [--only I [--cut CUTS]] [--self-test N] [--keep FOLDER]\n",
          stderr);
    return 1;
}

static bool
read_options(int argc, char **argv)
{
    S = (settings){ .seed = 1, .jobs = 3000, .processes = 2, .keep = "/tmp", .program = argv[0] };
    if (getenv("TMPDIR"))
        S.keep = getenv("TMPDIR");
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        uint64_t    number = strtoull(value, NULL, 10);

        if (same(argv[i], "--jobs"))
            S.jobs = number;
        else if (same(argv[i], "--seed"))
            S.seed = number;
        else if (same(argv[i], "--least"))
            S.least = number;
        else if (same(argv[i], "--from"))
            S.from = number;
        else if (same(argv[i], "--processes"))
            S.processes = number > PROCESSES_MOST ? PROCESSES_MOST : number < 1 ? 1 : (int) number;
        else if (same(argv[i], "--seconds"))
            S.seconds = strtod(value, NULL);
        else if (same(argv[i], "--only")) {
            S.only = number;
            S.one = true;
        } else if (same(argv[i], "--cut"))
            S.cuts = value;
        else if (same(argv[i], "--self-test"))
            S.jobs = S.self_test = number;
        else if (same(argv[i], "--keep"))
            S.keep = value;
        else
            return false;
    }
    return argc % 2 == 1;
}

static int
only_one(void)
{
    char folder[300];

    snprintf(folder, sizeof folder, "%s/kanon-soak-%llu-%llu", S.keep, (unsigned long long) S.seed,
             (unsigned long long) S.only);
    if (fails(S.only, S.cuts, folder)) {
        printf("FAIL soak-job-%llu: %s; files in %s\n", (unsigned long long) S.only,
               trial_text->why, folder);
        return 1;
    }
    printf(
        "ok soak-job-%llu; files in %s; %ld of %ld nodes are feasible, the least loss is %.15Lg\n",
        (unsigned long long) S.only, folder, trial_text->feasible, trial_text->nodes,
        trial_text->least);
    return 0;
}

static void
remove_folder(void)
{
    char command[300];

    snprintf(command, sizeof command, "rm -rf '%s'", S.folder);
    if (system(command) != 0)
        fprintf(stderr, "soak: %s stays\n", S.folder);
}

int
main(int argc, char **argv)
{
    slot  *slots;
    double begun = now();
    int    code;

    if (!read_options(argc, argv))
        return usage();
    trial_text = mmap(NULL, sizeof *trial_text, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                      -1, 0);
    if (trial_text == MAP_FAILED)
        return 4;
    if (mkdir(S.keep, 0700) != 0 && errno != EEXIST)
        return 3;
    if (S.one)
        return only_one();
    slots = mmap(NULL, (size_t) S.processes * sizeof *slots, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (slots == MAP_FAILED)
        return 4;
    snprintf(S.folder, sizeof S.folder, "%s/kanon-soak-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : S.keep);
    if (!mkdtemp(S.folder))
        return 3;
    all_jobs(slots);
    code = finish(slots, now() - begun);
    remove_folder();
    return code;
}
