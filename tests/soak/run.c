/* SPDX-License-Identifier: Apache-2.0 */
/* run.c -- sends a job through the whole tool, in this process: real files, a real command line, the
 * tool's own main() under another name. Then reads what it left. */
#include "soak.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* main() of cli/main.c. */
int kanon_main(int argc, char **argv);

static const char before[] = "this was here before\n";

/* All of a file that is open. */
static char *
read_back(int file)
{
    off_t bytes = lseek(file, 0, SEEK_END);
    char *text = take((size_t) bytes + 1);

    EXPECT(bytes == 0 || pread(file, text, (size_t) bytes, 0) == bytes,
           "cannot read what was said");
    return text;
}

/* Standard output and standard error are files by now. */
static int
tool(char **words, char **printed, char **said)
{
    int count = 0, code;

    while (words[count])
        count++;
    fflush(stdout);
    if (ftruncate(STDOUT_FILENO, 0) != 0 || ftruncate(STDERR_FILENO, 0) != 0)
        return -1;
    lseek(STDOUT_FILENO, 0, SEEK_SET);
    lseek(STDERR_FILENO, 0, SEEK_SET);
    code = kanon_main(count, words);
    fflush(stdout);
    fflush(stderr);
    *printed = read_back(STDOUT_FILENO);
    *said = read_back(STDERR_FILENO);
    return code;
}

/* The hierarchy that the tool makes of a column. */
static records
built_tree(const job *j, int at)
{
    records none = { 0 };
    char   *said, *printed, *text;
    size_t  bytes;
    int     code;

    unlink("built.csv");
    code = tool(build_command_of(j, at, "built.csv"), &printed, &said);
    EXPECT(code == 0, "hierarchy build of %s: exit status %d: %.200s", j->columns[at].name, code,
           said);
    text = slurp("built.csv", &bytes);
    unlink("built.csv");
    return text ? read_csv(text, bytes, ';', '"') : none;
}

/* Labels that the definitions leave open, taken from the tool; the groups must be those of the
 * definitions. */
static void
fill_labels(const job *j, int at, tree *t)
{
    records built;
    bool    open = false;

    for (int l = 0; l <= t->height; l++)
        for (int g = 0; g < t->ngroups[l]; g++)
            open |= !t->label[l][g];
    if (!open)
        return;
    built = built_tree(j, at);
    for (int l = 0; l <= t->height; l++)
        for (int r = 0; r < built.count; r++) {
            int leaf = is_missing(j, built.rows[r][0]) ? t->missing : 0;

            while (leaf >= 0 && leaf < t->nleaves && leaf != t->missing
                   && !same(t->leaf[leaf], built.rows[r][0]))
                leaf++;
            EXPECT(leaf >= 0 && leaf < t->nleaves && built.widths[r] == t->height + 1,
                   "hierarchy build of %s: line %d does not fit", j->columns[at].name, r + 1);
            if (!t->label[l][t->group[l][leaf]])
                t->label[l][t->group[l][leaf]] = built.rows[r][l];
            else if (leaf != t->missing)
                EXPECT(same(t->label[l][t->group[l][leaf]], built.rows[r][l]),
                       "hierarchy build of %s: line %d, level %d is '%s', expected '%s'",
                       j->columns[at].name, r + 1, l, built.rows[r][l],
                       t->label[l][t->group[l][leaf]]);
        }
}

/* Labels that follow from who is released: the judge asks only that each group has one of its own. */
static void
forget_labels(tree *t)
{
    for (int l = 1; l < t->height; l++)
        for (int g = 0; g < t->ngroups[l]; g++)
            t->label[l][g] = NULL;
}

/* Is the form of a label decided by numbers that may not be released: a sign, decimals? */
static bool
has_other_forms(const tree *t)
{
    for (int i = 0; i < t->nleaves; i++)
        if (i != t->missing && (t->number[i] < 0 || t->number[i] % 1000000))
            return true;
    return false;
}

static bool
follows_release(const tree *t, kind_t kind)
{
    return kind == MASK || kind == ORDER || kind == AUTO
        || (kind == RANGE_AUTO && has_other_forms(t));
}

problem *
problem_of(const job *j)
{
    problem *p = take(sizeof *p);

    p->job = j;
    p->n = j->n;
    p->m = j->m;
    p->k = j->k;
    p->limit = suppression_rows(j->eta, j->n);
    for (int i = 0; i < j->m; i++) {
        const column *c = &j->columns[j->quasi[i]];
        records       built = { 0 };

        if (c->kind >= ORDER && j->n)
            built = built_tree(j, j->quasi[i]);
        p->tree[i] = tree_of(j, j->quasi[i], &built);
        if (j->local && j->n)
            fill_labels(j, j->quasi[i], p->tree[i]);
        if (!same(j->snap, "off") && follows_release(p->tree[i], c->kind))
            forget_labels(p->tree[i]);
        p->weight[i] = c->weight ? strtold(c->weight, NULL) : 1;
        p->weights += p->weight[i];
        p->low[i] = c->low;
        p->high[i] = c->high < 0 ? p->tree[i]->height : c->high;
    }
    if (j->label >= 0) {
        char *order[LEAVES_MOST];

        p->label = take((size_t) (j->n + 1) * sizeof *p->label);
        values_of(j, j->label, p->label, order);
    }
    p->models = take(2 * MODELS_MOST * sizeof *p->models);
    p->nmodels = models_of(j, p, p->models);
    p->steady = true;
    for (int i = 0; i < p->nmodels; i++)
        p->steady &= p->limit == 0 || p->models[i].monotone;
    return p;
}

/* --- what it left ------------------------------------------------------------------------------- */

/* Would a spreadsheet run it? By the words of docs/FORMATS.md: a sign of a formula, something after it, and
 * no number. */
static bool
is_run(const char *cell)
{
    const char *signs = "=+-@\t\r", *at;
    char       *end;

    if (!cell[0] || !cell[1] || !strchr(signs, cell[0]))
        return false;
    if (cell[0] == '\t' || cell[0] == '\r')
        return true;
    if (cell[0] == '+' || cell[0] == '-') {
        bool digits = false;

        for (at = cell + 1; *at; at = end) {
            end = (char *) (uintptr_t) at + 1;
            if (*at >= '0' && *at <= '9')
                digits = true;
            else if (digits && (*at == 'e' || *at == 'E') && at[1])
                end += at[1] == '-' || at[1] == '+';
            else if (!strchr("., %", *at))
                break;
        }
        if (!*at && digits)
            return false;
    }
    for (at = cell + 1; *at; at++)
        if ((*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')
            || (*at & 0x80))
            return true;
    return false;
}

/* No cell is a formula, and those that were have an apostrophe more than they had. */
static void
take_apostrophes(records *file)
{
    for (int r = 0; r < file->count; r++)
        for (int c = 0; c < file->widths[r]; c++) {
            char *cell = file->rows[r][c];

            EXPECT(!is_run(cell), "a cell of the release is a formula: '%s'", cell);
            if (cell[0] == '\'' && is_run(cell + strspn(cell, "'")))
                file->rows[r][c] = cell + 1;
        }
}

static void
see_release(const job *j, outcome *o)
{
    size_t bytes;
    char  *text = slurp("out.csv", &bytes);
    bool   quoted = false;

    if (!text || (bytes == sizeof before - 1 && memcmp(text, before, bytes) == 0))
        return;
    o->there = true;
    o->bom = bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    if (o->bom) {
        text += 3;
        bytes -= 3;
    }
    for (size_t i = 0; i < bytes; i++) {
        quoted ^= text[i] == j->dialect.quote;
        if (text[i] == '\n' && !quoted)
            *(i && text[i - 1] == '\r' ? &o->crlf : &o->bare_lf) = true;
    }
    if (j->dialect.latin1)
        text = from_latin1(text, &bytes);
    o->file = read_csv(text, bytes, j->dialect.delimiter, j->dialect.quote);
    if (j->quote_formulas)
        take_apostrophes(&o->file);
}

/* Files beside the release that nobody asked for. */
static int
left_over(void)
{
    DIR           *folder = opendir(".");
    struct dirent *entry;
    int            count = 0;

    while (folder && (entry = readdir(folder)))
        count += strstr(entry->d_name, ".kanon-") != NULL;
    if (folder)
        closedir(folder);
    return count;
}

static bool
same_bytes(const char *one, const char *two)
{
    size_t one_bytes, two_bytes;
    char  *a = slurp(one, &one_bytes), *b = slurp(two, &two_bytes);

    return a && b && one_bytes == two_bytes && memcmp(a, b, one_bytes) == 0;
}

/* The same job again, with reports for outsiders. */
static void
run_outward(const job *j, outcome *o)
{
    char  *printed, *said, *text;
    size_t bytes;

    unlink("outside.csv");
    unlink("outside.json");
    o->outside_code = tool(outward_command_of(j), &printed, &said);
    o->left_over += left_over();
    if (*printed)
        o->outside = read_json(printed, strlen(printed));
    text = slurp("outside.json", &bytes);
    o->outside_written = text && same(text, printed);
    o->outside_same = same_bytes("out.csv", "outside.csv");
}

void
run_job(const job *j, outcome *o)
{
    bool   was_there = j->index % 8 == 0;
    size_t bytes;
    char  *text;

    memset(o, 0, sizeof *o);
    unlink("out.csv");
    unlink("report.json");
    unlink("page.html");
    write_job(j);
    if (was_there) {
        FILE *file = fopen("out.csv", "wb");

        if (file) {
            fputs(before, file);
            fclose(file);
        }
    }
    if (j->fault == SOUND)
        o->problem = problem_of(j);
    o->code = tool(command_of(j), &o->printed, &o->said);
    if (*o->printed && j->prints)
        o->shown = read_json(o->printed, strlen(o->printed));
    o->left_over = left_over();
    see_release(j, o);
    if (was_there && o->code != 0)
        EXPECT(access("out.csv", F_OK) == 0, "a file that was there is gone");
    EXPECT((access("page.html", F_OK) == 0) == (with_page(j) && o->code == 0),
           "exit status %d, and page.html", o->code);
    text = slurp("report.json", &bytes);
    if (text)
        o->report = read_json(text, bytes);
    if (j->outward)
        run_outward(j, o);
}
