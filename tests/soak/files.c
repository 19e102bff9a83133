/* SPDX-License-Identifier: Apache-2.0 */
/* files.c -- writes a job as files, and as the command line that a person would type. */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char  *bytes;
    size_t used, room;
} text;

static void
add(text *t, const char *bytes, size_t count)
{
    if (t->used + count + 1 > t->room) {
        size_t room = 2 * (t->used + count) + 4096;
        char  *more = take(room);

        if (t->used)
            memcpy(more, t->bytes, t->used);
        t->bytes = more;
        t->room = room;
    }
    memcpy(t->bytes + t->used, bytes, count);
    t->used += count;
    t->bytes[t->used] = 0;
}

static void
say(text *t, const char *words)
{
    add(t, words, strlen(words));
}

static void
save(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) {
        fprintf(stderr, "soak: cannot write %s\n", path);
        exit(3);
    }
}

/* --- CSV ---------------------------------------------------------------------------------------- */

static void
cell(text *t, const char *value, char delimiter, char quote, bool always)
{
    char marks[] = { delimiter, quote, '\n', '\r', 0 };

    if (!always && !strpbrk(value, marks)) {
        say(t, value);
        return;
    }
    add(t, &quote, 1);
    for (; *value; value++) {
        if (*value == quote)
            add(t, &quote, 1);
        add(t, value, 1);
    }
    add(t, &quote, 1);
}

static void
line_end(text *t, const dialect *d)
{
    say(t, d->crlf ? "\r\n" : "\n");
}

static void
table_row(text *t, const job *j, int row)
{
    const dialect *d = &j->dialect;

    for (int i = 0; i < j->ncolumns; i++) {
        const char *value = row < 0 ? j->columns[i].header : j->columns[i].cells[row];

        if (row < 0 && i == 1 && j->fault == TWO_NAMES)
            value = j->columns[0].header;
        if (i)
            add(t, &d->delimiter, 1);
        cell(t, value, d->delimiter, d->quote, d->quote_all || (j->ncolumns == 1 && !*value));
    }
    if (row == j->n / 2 && j->fault == RAGGED)
        add(t, &d->delimiter, 1);
    if (row == j->n / 2 && j->fault == OPEN_QUOTE) {
        add(t, &d->delimiter, 1);
        add(t, &d->quote, 1);
    }
    line_end(t, d);
}

static uint32_t
crc32(const unsigned char *bytes, size_t count)
{
    uint32_t crc = 0xffffffffu;

    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void
little(text *t, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        char byte = (char) (value >> 8 * i & 255);

        add(t, &byte, 1);
    }
}

/* gzip without compression. */
static text
zipped(const text *plain)
{
    static const char head[10] = { 0x1f, (char) 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
    text              t = { 0 };
    size_t            at = 0;

    add(&t, head, sizeof head);
    do {
        size_t part = plain->used - at < 60000 ? plain->used - at : 60000;

        little(&t, at + part == plain->used, 1);
        little(&t, (uint32_t) part, 2);
        little(&t, (uint32_t) part ^ 0xffff, 2);
        add(&t, plain->bytes + at, part);
        at += part;
    } while (at < plain->used);
    little(&t, crc32((const unsigned char *) plain->bytes, plain->used), 4);
    little(&t, (uint32_t) plain->used, 4);
    return t;
}

static text
to_latin1(const text *from)
{
    text t = { 0 };

    for (size_t i = 0; i < from->used; i++) {
        unsigned char c = (unsigned char) from->bytes[i];
        char          one = (char) c;

        if (c >= 0xc2 && i + 1 < from->used)
            one = (char) ((c & 3) << 6 | ((unsigned char) from->bytes[++i] & 63));
        add(&t, &one, 1);
    }
    return t;
}

static void
write_table(const job *j)
{
    const dialect *d = &j->dialect;
    text           t = { 0 };

    if (d->bom)
        say(&t, "\xef\xbb\xbf");
    if (d->sep_line) {
        say(&t, "sep=");
        add(&t, &d->delimiter, 1);
        line_end(&t, d);
    }
    if (!d->no_header)
        table_row(&t, j, -1);
    for (int r = 0; r < j->n; r++)
        table_row(&t, j, r);
    if (d->empty_end) {
        line_end(&t, d);
        line_end(&t, d);
    }
    if (!t.bytes)
        say(&t, "");
    if (d->latin1)
        t = to_latin1(&t);
    if (d->gzip)
        t = zipped(&t);
    save("table.csv", t.bytes, t.used);
}

static char *
tree_file(int column_number)
{
    return print("h%d.csv", column_number);
}

static void
write_tree(const job *j, int at)
{
    const column *c = &j->columns[at];
    int           width = c->kind == PLACE ? c->width - 1 : c->width;
    text          t = { 0 };

    if (c->kind == PLACE)
        for (int w = 0; w < width; w++)
            say(&t, print("%s%s%s", w ? ";" : "", w ? print("area%d", w) : "place",
                          w == width - 1 ? "\n" : ""));
    for (int l = 0; l < c->nlines; l++)
        for (int w = 0; w < width; w++) {
            if (w)
                add(&t, &c->between, 1);
            cell(&t, c->lines[l][w], c->between, '"', c->between != ';' || !*c->lines[l][w]);
            if (w == width - 1)
                say(&t, "\n");
        }
    save(tree_file(at), t.bytes, t.used);
}

static void
write_people(const job *j)
{
    const dialect *d = &j->dialect;
    text           t = { 0 };

    for (int r = -1; r < j->npeople; r++) {
        if (r < 0 && d->no_header)
            continue;
        for (int i = 0; i < j->m; i++) {
            const char *value = r < 0 ? j->columns[j->quasi[i]].name : j->people[r][i];

            if (i)
                add(&t, &d->delimiter, 1);
            cell(&t, value, d->delimiter, d->quote, d->quote_all || (j->m == 1 && !*value));
        }
        say(&t, "\n");
    }
    if (!t.bytes)
        say(&t, "");
    if (d->latin1)
        t = to_latin1(&t);
    save("people.csv", t.bytes, t.used);
}

/* --- the config --------------------------------------------------------------------------------- */

static const char *const role_names[] = { "insensitive", "sensitive", "identifier", "quasi" };
static const char *const l_kinds[] = { "distinct", "entropy", "recursive" };

static void
json_string(text *t, const char *value)
{
    say(t, "\"");
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            say(t, print("\\%c", *value));
        else if ((unsigned char) *value < 32)
            say(t, *value == '\n' ? "\\n" : *value == '\t' ? "\\t" : print("\\u%04x", *value));
        else
            add(t, value, 1);
    }
    say(t, "\"");
}

static void
pair(text *t, const char *key, const char *value)
{
    if (!value)
        return;
    say(t, print(",\n \"%s\": ", key));
    json_string(t, value);
}

static char *
spec_of(const job *j, int at)
{
    const column *c = &j->columns[at];

    if (c->kind == FILE_KIND)
        return print("file:%s", tree_file(at));
    if (c->kind == PLACE)
        return print("place:%s", tree_file(at));
    return c->spec;
}

const char *
others_of(const job *j)
{
    for (int i = 0; i < j->ncolumns; i++)
        if (j->columns[i].roleless)
            return j->fault == NO_ROLE ? NULL : j->others == OTHERS_DROP ? "drop" : "keep";
    return NULL;
}

static void
attributes(text *t, const job *j)
{
    bool first = true;

    say(t, ",\n \"attributes\": {");
    for (int i = 0; i < j->ncolumns; i++) {
        const column *c = &j->columns[i];

        if (c->roleless)
            continue;
        say(t, first ? "\n  " : ",\n  ");
        first = false;
        json_string(t, c->name);
        say(t, print(": {\"role\": \"%s\"", role_names[c->role]));
        if (spec_of(j, i)) {
            say(t, ", \"hierarchy\": ");
            json_string(t, spec_of(j, i));
        }
        if (c->type)
            say(t, print(", \"type\": \"%s\"", c->type));
        if (c->weight)
            say(t, print(", \"weight\": %s", c->weight));
        if (c->grid)
            say(t, print(", \"grid\": %s", c->grid));
        if (c->own_p)
            say(t, print(", \"p_sensitive\": \"%s\"", c->own_p));
        if (c->own_t)
            say(t, print(", \"t-closeness\": \"%s\"", c->own_t));
        if (c->low == c->high)
            say(t, print(", \"level\": %d", c->low));
        else if (c->low)
            say(t, print(", \"min_level\": %d", c->low));
        else if (c->high >= 0)
            say(t, print(", \"max_level\": %d", c->high));
        say(t, "}");
    }
    if (j->fault == NO_SUCH_COLUMN)
        say(t, print("%s\n  \"no such column\": {\"role\": \"quasi\"}", first ? "" : ","));
    say(t, "}");
}

static char *
delimiter_name(const job *j)
{
    return j->dialect.sniffed           ? NULL
         : j->dialect.delimiter == '\t' ? copy("tab")
                                        : print("%c", j->dialect.delimiter);
}

/* The default is not said. */
static const char *
snap_of(const job *j)
{
    return same(j->snap, "grid") ? NULL : j->snap;
}

/* A header of which half is blank reads like a title, unless somebody says that it is the header. */
static bool
looks_like_title(const job *j)
{
    int named = 0;

    for (int i = 0; i < j->ncolumns; i++)
        named += j->columns[i].header[strspn(j->columns[i].header, " ")] != 0;
    return !j->dialect.no_header && 2 * named <= j->ncolumns;
}

static void
write_config(const job *j)
{
    const asked   *a = &j->asked;
    const dialect *d = &j->dialect;
    text           t = { 0 };

    say(&t, print("{\"k\": %d", j->fault == BAD_TOP ? 0 : j->k));
    pair(&t, "suppression", j->eta);
    pair(&t, "suppressed", j->mask ? "mask" : "drop");
    pair(&t, "identifiers", j->drop_identifiers ? "drop" : "mask");
    pair(&t, "others", others_of(j));
    pair(&t, "formulas", j->quote_formulas ? "quote" : "keep");
    pair(&t, "intervals", j->dash ? "dash" : "to");
    pair(&t, "l-diversity", a->l);
    pair(&t, "l-kind", a->l ? l_kinds[a->l_kind] : NULL);
    pair(&t, "l-c", a->l ? a->l_c : NULL);
    pair(&t, "t-closeness", a->t);
    pair(&t, "t-distance", a->t && a->t_distance == T_EQUAL ? "equal" : NULL);
    pair(&t, "p-sensitive", a->p);
    pair(&t, "alpha", a->alpha);
    pair(&t, "beta-likeness", a->beta);
    pair(&t, "beta-kind", a->beta && a->enhanced ? "enhanced" : NULL);
    pair(&t, "delta-disclosure", a->delta);
    pair(&t, "k-map", a->k_map);
    pair(&t, "delta-presence", a->presence);
    pair(&t, "population", a->population ? "people.csv" : NULL);
    pair(&t, "entity", a->entity ? j->columns[a->entity - 1].name : NULL);
    pair(&t, "k-column", a->k_column ? j->columns[a->k_column - 1].name : NULL);
    pair(&t, "label", j->label >= 0 ? j->columns[j->label].name : NULL);
    pair(&t, "local", j->local ? j->show : NULL);
    pair(&t, "snap", snap_of(j));
    pair(&t, "delimiter", delimiter_name(j));
    pair(&t, "quote", d->quote == '"' ? NULL : "'");
    pair(&t, "encoding", d->latin1 ? "latin-1" : NULL);
    if (d->no_header || j->says_header)
        pair(&t, "header", d->no_header ? "no" : "yes");
    if (looks_like_title(j))
        say(&t, ",\n \"skip\": 0");
    if (d->own_tokens)
        say(&t, print(",\n \"missing\": [\"\", \"%s\", \"%s\"]", d->tokens[1], d->tokens[2]));
    attributes(&t, j);
    say(&t, "}\n");
    save("config.json", t.bytes, t.used);
}

void
write_job(const job *j)
{
    write_table(j);
    write_config(j);
    for (int i = 0; i < j->ncolumns; i++)
        if (j->columns[i].kind == FILE_KIND || j->columns[i].kind == PLACE)
            write_tree(j, i);
    if (j->asked.population)
        write_people(j);
}

/* --- the command line --------------------------------------------------------------------------- */

typedef struct line {
    char **words;
    int    count;
} line;

static void
word(line *l, const char *value)
{
    l->words[l->count++] = copy(value);
}

static void
option(line *l, const char *name, const char *value)
{
    if (!value)
        return;
    word(l, name);
    word(l, value);
}

static void
names(line *l, const job *j, role_t role, const char *name)
{
    char *list = NULL;

    for (int i = 0; i < j->ncolumns; i++)
        if (j->columns[i].role == role && !j->columns[i].roleless)
            list = list ? print("%s,%s", list, j->columns[i].name) : j->columns[i].name;
    if (role == QUASI && j->fault == NO_SUCH_COLUMN)
        list = print("%s,nosuchcolumn", list);
    option(l, name, list);
}

static void
dialect_words(line *l, const job *j)
{
    const dialect *d = &j->dialect;

    option(l, "--delimiter", delimiter_name(j));
    option(l, "--quote", d->quote == '"' ? NULL : "'");
    option(l, "--encoding", d->latin1 ? "latin-1" : NULL);
    if (j->says_header)
        option(l, "--header", d->no_header ? "no" : "yes");
    else if (d->no_header)
        word(l, "--no-header");
    option(l, "--skip", looks_like_title(j) ? "0" : NULL);
    option(l, "--missing", d->own_tokens ? print(",%s,%s", d->tokens[1], d->tokens[2]) : NULL);
}

static void
column_words(line *l, const job *j)
{
    for (int i = 0; i < j->ncolumns; i++) {
        const column *c = &j->columns[i];

        if (spec_of(j, i))
            option(l, "--hierarchy", print("%s=%s", c->name, spec_of(j, i)));
        if (c->type)
            option(l, "--type", print("%s=%s", c->name, c->type));
        if (c->weight)
            option(l, "--weight", print("%s=%s", c->name, c->weight));
        if (c->grid)
            option(l, "--grid", print("%s=%s", c->name, c->grid));
        if (c->own_p)
            option(l, "--p-sensitive", print("%s=%s", c->name, c->own_p));
        if (c->own_t)
            option(l, "--t-closeness", print("%s=%s", c->name, c->own_t));
        if (c->low == c->high)
            option(l, "--level", print("%s=%d", c->name, c->low));
        else if (c->low)
            option(l, "--min-level", print("%s=%d", c->name, c->low));
        else if (c->high >= 0)
            option(l, "--max-level", print("%s=%d", c->name, c->high));
    }
}

static void
model_words(line *l, const job *j)
{
    const asked *a = &j->asked;

    option(l, "--l-diversity", a->l);
    option(l, "--l-kind", a->l ? l_kinds[a->l_kind] : NULL);
    option(l, "--l-c", a->l ? a->l_c : NULL);
    option(l, "--t-closeness", a->t);
    option(l, "--t-distance", a->t && a->t_distance == T_EQUAL ? "equal" : NULL);
    option(l, "--p-sensitive", a->p);
    option(l, "--alpha", a->alpha);
    option(l, "--beta-likeness", a->beta);
    option(l, "--beta-kind", a->beta && a->enhanced ? "enhanced" : NULL);
    option(l, "--delta-disclosure", a->delta);
    option(l, "--k-map", a->k_map);
    option(l, "--delta-presence", a->presence);
    option(l, "--population", a->population ? "people.csv" : NULL);
    option(l, "--entity", a->entity ? j->columns[a->entity - 1].name : NULL);
    option(l, "--k-column", a->k_column ? j->columns[a->k_column - 1].name : NULL);
}

bool
with_page(const job *j)
{
    return j->index % 40 == 7;
}

static line
job_words(const job *j, const char *release, const char *report)
{
    line l = { take(200 * sizeof(char *)), 0 };

    word(&l, "kanon");
    word(&l, "anonymize");
    word(&l, "table.csv");
    option(&l, "-o", release);
    option(&l, "--report", report);
    word(&l, "-q");
    if (j->in_config)
        option(&l, "-c", "config.json");
    else {
        option(&l, "-k", print("%d", j->fault == BAD_TOP ? 0 : j->k));
        option(&l, "--suppression", j->eta);
        option(&l, "--suppressed", j->mask ? "mask" : NULL);
        option(&l, "--identifiers", j->drop_identifiers ? "drop" : NULL);
        option(&l, "--formulas", j->quote_formulas ? "quote" : NULL);
        option(&l, "--intervals", j->dash ? "dash" : NULL);
        names(&l, j, QUASI, "--qi");
        names(&l, j, SENSITIVE, "--sensitive");
        names(&l, j, IDENTIFIER, "--id");
        names(&l, j, INSENSITIVE, "--insensitive");
        option(&l, "--others", others_of(j));
        option(&l, "--label", j->label >= 0 ? j->columns[j->label].name : NULL);
        column_words(&l, j);
        model_words(&l, j);
        dialect_words(&l, j);
        option(&l, "--local", j->local ? j->show : NULL);
        option(&l, "--snap", snap_of(j));
    }
    option(&l, "--algorithm", j->algorithm);
    option(&l, "--metric", j->says_metric ? j->metric : NULL);
    option(&l, "--order-key", j->order_key);
    option(&l, "--threads", print("%d", j->threads));
    option(&l, "--seed", print("%d", (int) (j->index % 1000)));
    for (int i = 0; i < j->nparams; i++)
        option(&l, "--param", j->params[i]);
    if (j->keep_order)
        word(&l, "--keep-order");
    option(&l, "--time-limit", j->has_limit ? "20" : NULL); /* no job here takes a second */
    return l;
}

char **
command_of(const job *j)
{
    line l = job_words(j, "out.csv", "report.json");

    option(&l, "--report", with_page(j) ? "page.html" : NULL);
    if (j->prints)
        word(&l, "--json");
    return l.words;
}

char **
outward_command_of(const job *j)
{
    line l = job_words(j, "outside.csv", "outside.json");

    option(&l, "--report-audience", "external");
    word(&l, "--json");
    return l.words;
}

char **
build_command_of(const job *j, int at, const char *output)
{
    line l = { take(64 * sizeof(char *)), 0 };

    word(&l, "kanon");
    word(&l, "hierarchy");
    word(&l, "build");
    word(&l, "table.csv");
    option(&l, "--column", j->columns[at].name);
    option(&l, "-c", "config.json");
    option(&l, "-o", output);
    word(&l, "--force");
    word(&l, "-q");
    return l.words;
}

char *
shell_line(char **words)
{
    text t = { 0 };

    for (int i = 0; words[i]; i++) {
        if (i)
            say(&t, " ");
        if (*words[i] && !strpbrk(words[i], " \n\t\"'\\$`;&|<>*?(){}[]#~!=%")) {
            say(&t, words[i]);
            continue;
        }
        say(&t, "'");
        for (const char *at = words[i]; *at; at++)
            say(&t, *at == '\'' ? "'\\''" : print("%c", *at));
        say(&t, "'");
    }
    return t.bytes;
}

bool
refuses_gzip(void)
{
#ifdef KANON_WITH_ZLIB
    return false;
#else
    return true;
#endif
}
