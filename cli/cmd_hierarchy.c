/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_hierarchy.c -- make, print and check hierarchies. Shows original values of the user's own table on
 * the user's own terminal: that is its purpose. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4, LABEL_MOST = 60 };

/* --- how a hierarchy comes about --------------------------------------------------------------- */

/* COLUMN=VALUE with the column in quotes, so that it may hold an '='. */
static kanon_status
set_pair(cli_session *session, const char *setting, const char *value)
{
    const char  *column = cli_value(session->args, "column");
    size_t       room = 2 * strlen(column) + strlen(value) + 16;
    char        *pair = malloc(room), *at = pair;
    kanon_status rc;

    if (!pair)
        return KANON_E_NOMEM;
    *at++ = '"';
    for (const char *c = column; *c; c++) {
        *at++ = *c;
        if (*c == '"')
            *at++ = '"';
    }
    snprintf(at, room - (size_t) (at - pair), "\"=%s", value);
    rc = kanon_config_set(session->config, setting, pair);
    free(pair);
    return rc;
}

/* What the options say about the column; spec NULL: what the config says. */
static kanon_status
describe(cli_session *session, const char *spec)
{
    const char  *type = cli_value(session->args, "type");
    kanon_status rc = spec ? set_pair(session, "hierarchy", spec) : KANON_OK;

    return rc == KANON_OK && type ? set_pair(session, "type", type) : rc;
}

/* From a table's column. */
static kanon_status
build(cli_session *session, const char *input, kanon_hierarchy **out)
{
    const char   *column = cli_value(session->args, "column");
    kanon_source *source = NULL;
    kanon_status  rc = cli_source(session, input, &source);

    if (rc == KANON_OK)
        rc = kanon_hierarchy_build(session->ctx, session->config, source, column, out);
    kanon_source_free(source);
    return rc;
}

static kanon_status
read_file(cli_session *session, const char *path, kanon_hierarchy **out)
{
    kanon_source *source = NULL;
    kanon_status  rc = cli_source(session, path, &source);

    if (rc == KANON_OK)
        rc = kanon_hierarchy_read(session->ctx, source, out);
    kanon_source_free(source);
    return rc;
}

static int
missing_column(void)
{
    return cli_say(CLI_BAD, "the column is missing; use --column COL");
}

/* --- build ------------------------------------------------------------------------------------- */

/* Nothing that is there already may be lost, least of all a hierarchy that somebody has edited. */
static int
check_build(cli_session *session, const char *input, const char *output)
{
    kanon_status rc;
    int          code;

    if (!cli_value(session->args, "column"))
        return missing_column();
    if (cli_is_input(output, input))
        return cli_say(CLI_BAD, "%s: OUTPUT is the same file as INPUT; choose another name",
                       output);
    rc = describe(session, cli_value(session->args, "hierarchy"));
    if (rc < 0)
        return cli_fail(session, rc);
    code = cli_check_settings(session, output, "OUTPUT");
    if (code == CLI_DONE)
        code = cli_check_fresh(session->args, output);
    return code == CLI_DONE ? cli_check_target(output) : code;
}

static int
run_build(const cli_args *args)
{
    const char      *output = cli_value(args, "output");
    cli_session      session;
    kanon_hierarchy *hierarchy = NULL;
    kanon_sink      *sink = NULL;
    kanon_status     rc;
    int              code = cli_begin(&session, args);

    if (!output)
        output = "-";
    if (code == CLI_DONE)
        code = check_build(&session, args->operands[0], output);
    if (code == CLI_DONE) {
        rc = build(&session, args->operands[0], &hierarchy);
        cli_await_end();
        if (rc == KANON_OK)
            rc = cli_sink(&session, output, &sink);
        if (rc == KANON_OK)
            rc = kanon_hierarchy_write(session.ctx, hierarchy, sink);
        if (rc < 0)
            code = cli_fail(&session, rc);
        else
            cli_warnings(&session);
    }
    kanon_sink_free(sink);
    kanon_hierarchy_free(hierarchy);
    cli_end(&session);
    return cli_flush(code);
}

/* --- show -------------------------------------------------------------------------------------- */

typedef struct label {
    const char *text;
    size_t      length;
} label;

static label
label_of(const kanon_hierarchy *hierarchy, size_t value, size_t level)
{
    label found = { NULL, 0 };

    found.text = kanon_hierarchy_label(hierarchy, value, level, &found.length);
    return found;
}

static bool
same(label a, label b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

/* Control characters of a value must not reach the terminal, neither those of ASCII nor those beyond it
 * (U+0080 to U+009F); an empty value must be seen. */
static void
print_label(label text)
{
    if (text.length == 0)
        printf("(empty)");
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char) text.text[i];
        bool beyond = c == 0xc2 && i + 1 < text.length && (unsigned char) text.text[i + 1] < 0xa0;

        putchar(c < 0x20 || c == 0x7f || beyond ? '?' : c);
        i += beyond;
    }
}

/* Of a long value the beginning is shown, as much as LABEL_MOST characters. */
static void
print_brief(label text)
{
    size_t end = 0;

    for (size_t characters = 0; end < text.length; end++) {
        characters += ((unsigned char) text.text[end] & 0xc0) != 0x80;
        if (characters > LABEL_MOST)
            break;
    }
    print_label((label){ text.text, end });
    printf("%s", end < text.length ? "..." : "");
}

static void
print_level(const kanon_hierarchy *hierarchy, size_t level)
{
    size_t values = kanon_hierarchy_values(hierarchy),
           groups = kanon_hierarchy_groups(hierarchy, level);
    label  shown[SAMPLES];
    size_t count = 0;

    printf("%5zu  %9zu  ", level, groups);
    for (size_t v = 0; v < values && count < SAMPLES; v++) {
        label  one = label_of(hierarchy, v, level);
        size_t i = 0;

        while (i < count && !same(shown[i], one))
            i++;
        if (i < count)
            continue;
        printf("%s", count ? ", " : "");
        print_brief(one);
        shown[count++] = one;
    }
    printf("%s\n", groups > count ? ", ..." : "");
}

static void
print_paths(const kanon_hierarchy *hierarchy)
{
    size_t values = kanon_hierarchy_values(hierarchy), levels = kanon_hierarchy_levels(hierarchy);
    size_t count = values < SAMPLES ? values : SAMPLES;

    for (size_t i = 0; i < count; i++) {
        printf("  ");
        for (size_t level = 0; level < levels; level++) {
            printf("%s", level ? " -> " : "");
            print_brief(label_of(hierarchy, i * values / count, level));
        }
        printf("\n");
    }
}

static void
print_counts(const kanon_hierarchy *hierarchy)
{
    size_t values = kanon_hierarchy_values(hierarchy), levels = kanon_hierarchy_levels(hierarchy);

    printf("%zu value%s, %zu level%s", values, values == 1 ? "" : "s", levels,
           levels == 1 ? "" : "s");
}

static void
print_hierarchy(const kanon_hierarchy *hierarchy)
{
    size_t levels = kanon_hierarchy_levels(hierarchy);

    print_counts(hierarchy);
    printf("\n\n");
    cli_heading("level     groups  for example");
    for (size_t level = 0; level < levels; level++)
        print_level(hierarchy, level);
    printf("\n");
    cli_heading("from level to level");
    print_paths(hierarchy);
}

/* For programs: the groups of each level, and what every value becomes. */
static void
print_hierarchy_json(const kanon_hierarchy *hierarchy)
{
    size_t values = kanon_hierarchy_values(hierarchy), levels = kanon_hierarchy_levels(hierarchy);

    printf("{\n  \"levels\": %zu,\n  \"groups\": [", levels);
    for (size_t level = 0; level < levels; level++)
        printf("%s%zu", level ? ", " : "", kanon_hierarchy_groups(hierarchy, level));
    printf("],\n  \"values\": [\n");
    for (size_t v = 0; v < values; v++) {
        printf("    [");
        for (size_t level = 0; level < levels; level++) {
            label one = label_of(hierarchy, v, level);

            printf("%s", level ? ", " : "");
            cli_json_text(one.text, one.length);
        }
        printf("]%s\n", v + 1 < values ? "," : "");
    }
    printf("  ]\n}\n");
}

static int
run_show(const cli_args *args)
{
    const char      *column = cli_value(args, "column");
    cli_session      session;
    kanon_hierarchy *hierarchy = NULL;
    kanon_status     rc = KANON_OK;
    int              code = cli_begin(&session, args);

    if (code == CLI_DONE) {
        if (column)
            rc = describe(&session, cli_value(args, "hierarchy"));
        if (rc == KANON_OK)
            rc = column ? build(&session, args->operands[0], &hierarchy)
                        : read_file(&session, args->operands[0], &hierarchy);
        if (rc < 0)
            code = cli_fail_hint(&session, rc,
                                 column ? ""
                                        : "; if this is a table, name the column: --column NAME");
        else
            cli_warnings(&session);
    }
    if (code == CLI_DONE && cli_value(args, "json"))
        print_hierarchy_json(hierarchy);
    else if (code == CLI_DONE)
        print_hierarchy(hierarchy);
    kanon_hierarchy_free(hierarchy);
    cli_end(&session);
    return cli_flush(code);
}

/* --- validate ---------------------------------------------------------------------------------- */

static void
print_ok(const kanon_hierarchy *hierarchy, const char *path, const char *json)
{
    size_t levels = kanon_hierarchy_levels(hierarchy);

    if (json) {
        printf("{\"file\": ");
        cli_json_text(path, strlen(path));
        printf(", \"ok\": true, \"values\": %zu, \"groups\": [", kanon_hierarchy_values(hierarchy));
        for (size_t level = 0; level < levels; level++)
            printf("%s%zu", level ? ", " : "", kanon_hierarchy_groups(hierarchy, level));
        printf("]}\n");
        return;
    }
    print_label((label){ path, strlen(path) });
    printf(": ok, ");
    print_counts(hierarchy);
    printf(", groups per level");
    for (size_t level = 0; level < levels; level++)
        printf("%s%zu", level ? ", " : " ", kanon_hierarchy_groups(hierarchy, level));
    printf("\n");
}

static kanon_status
validate_with_table(cli_session *session, const char *path, const char *input,
                    kanon_hierarchy **out)
{
    size_t       room = strlen(path) + sizeof "file:";
    char        *spec = malloc(room);
    kanon_status rc;

    if (!spec)
        return KANON_E_NOMEM;
    snprintf(spec, room, "file:%s", path);
    rc = describe(session, spec);
    if (rc == KANON_OK)
        rc = build(session, input, out);
    free(spec);
    return rc;
}

static int
run_validate(const cli_args *args)
{
    const char *path = args->operands[0], *input = args->noperands > 1 ? args->operands[1] : NULL;
    cli_session session;
    kanon_hierarchy *hierarchy = NULL;
    kanon_status     rc;
    int              code = cli_begin(&session, args);

    if (code == CLI_DONE && input && !cli_value(args, "column"))
        code = missing_column();
    if (code == CLI_DONE && !input && cli_value(args, "column"))
        code = cli_say(
            CLI_BAD,
            "--column needs a table; use: kanon hierarchy validate FILE INPUT --column COL");
    if (code == CLI_DONE) {
        rc = input ? validate_with_table(&session, path, input, &hierarchy)
                   : read_file(&session, path, &hierarchy);
        if (rc < 0)
            code = cli_fail_hint(&session, rc,
                                 input ? ""
                                       : "; if this is a table, name the hierarchy before it and "
                                         "the column: FILE INPUT --column NAME");
        else
            cli_warnings(&session);
    }
    if (code == CLI_DONE)
        print_ok(hierarchy, path, cli_value(args, "json"));
    kanon_hierarchy_free(hierarchy);
    cli_end(&session);
    return cli_flush(code);
}

/* --- packs ------------------------------------------------------------------------------------- */

static void
print_json_member(const char *key, const char *text, const char *end)
{
    printf("\"%s\": ", key);
    cli_json_text(text, strlen(text));
    printf("%s", end);
}

static int
run_packs(const cli_args *args)
{
    bool              json = cli_value(args, "json");
    const kanon_pack *pack;

    if (json)
        printf("[");
    else
        cli_heading("Code systems (--hierarchy COLUMN=pack:NAME, or pack:NAME,LEVEL,LEVEL...)");
    for (size_t i = 0; (pack = kanon_pack_at(i)); i++) {
        if (!json) {
            printf("  %-12s %s\n  %-12s   version %s, levels: %s\n  %-12s   from %s\n", pack->name,
                   pack->summary, "", pack->version, pack->levels, "", pack->origin);
            continue;
        }
        printf("%s\n  {", i ? "," : "");
        print_json_member("name", pack->name, ", ");
        print_json_member("version", pack->version, ", ");
        print_json_member("summary", pack->summary, ", ");
        print_json_member("levels", pack->levels, ", ");
        print_json_member("origin", pack->origin, ", ");
        print_json_member("licence", pack->licence, "}");
    }
    printf("%s", json ? "\n]\n" : "");
    return cli_flush(CLI_DONE);
}

/* --- tables ------------------------------------------------------------------------------------ */

#define COLUMN_OPTIONS                                                                             \
    { "column", 0, "COL", "the column of the table" },                                             \
        { "hierarchy", 0, "SPEC",                                                                  \
          "FILE, range:5,10,50, mask:right, date:month,year, place:FILE, pack:NAME, order, auto "  \
          "[auto]" },                                                                              \
        { "type", 0, "TYPE", "number, date, string or place; detected by default" },               \
    {                                                                                              \
        "config", 'c', "FILE", "take the type and hierarchy of the column from a config"           \
    }

static const cli_option build_options[] = {
    COLUMN_OPTIONS,
    { "output", 'o', "FILE", "output file [standard output]" },
    { "force", 0, NULL, "replace an existing file" },
    { NULL, 0, NULL, NULL },
};
static const cli_option show_options[] = {
    COLUMN_OPTIONS,
    { "json", 0, NULL, "print JSON" },
    { NULL, 0, NULL, NULL },
};
static const cli_option validate_options[] = {
    { "column", 0, "COL", "the column of the table; all its values must be in FILE" },
    { "json", 0, NULL, "print JSON" },
    { NULL, 0, NULL, NULL },
};

static const cli_option packs_options[] = {
    { "json", 0, NULL, "print JSON" },
    { NULL, 0, NULL, NULL },
};

static const cli_group build_groups[] = {
    { "Column", build_options },
    { "The table (detected by default)", cli_table_options },
    { NULL, NULL },
};
static const cli_group show_groups[] = {
    { "Column", show_options },
    { "The table (detected by default)", cli_table_options },
    { NULL, NULL },
};
static const cli_group validate_groups[] = {
    { "Column", validate_options },
    { "The table (detected by default)", cli_table_options },
    { NULL, NULL },
};

static const cli_group packs_groups[] = { { "Output", packs_options }, { NULL, NULL } };

static const char *const build_examples[] = {
    "kanon hierarchy build data.csv --column age --hierarchy range:5,10,50 -o age.csv",
    "kanon hierarchy build data.csv --column job -o job.csv",
    NULL,
};
static const char *const show_examples[] = {
    "kanon hierarchy show job.csv",
    "kanon hierarchy show data.csv --column postcode --hierarchy mask:right",
    NULL,
};
static const char *const validate_examples[] = {
    "kanon hierarchy validate job.csv",
    "kanon hierarchy validate job.csv data.csv --column job",
    NULL,
};
static const char *const packs_examples[] = {
    "kanon hierarchy packs",
    "kanon hierarchy show data.csv --column diagnosis --hierarchy pack:icd-10",
    NULL,
};

const cli_command cli_hierarchy_build = {
    "hierarchy build",
    "INPUT --column COL [--hierarchy SPEC] [-o FILE] [--force]",
    "write the hierarchy of a column to a file",
    "Writes the hierarchy that a job would use for a column to a file: one line per value, levels "
    "separated by ';'. kanon and ARX read this format. Edit the file as you like.",
    build_groups,
    1,
    1,
    "INPUT",
    build_examples,
    run_build,
};

const cli_command cli_hierarchy_show = {
    "hierarchy show",
    "FILE | INPUT --column COL [--hierarchy SPEC]",
    "print the levels of a hierarchy",
    "Prints the levels of a hierarchy file, or of the hierarchy that a job would use for a column, "
    "with the number of groups and some examples.",
    show_groups,
    1,
    1,
    "FILE",
    show_examples,
    run_show,
};

const cli_command cli_hierarchy_validate = {
    "hierarchy validate",
    "FILE [INPUT --column COL]",
    "check a hierarchy file",
    "Checks a hierarchy file: values that are equal at one level must be equal at every higher "
    "level, and the last level must have one value. With a table it also checks that the file "
    "covers every value of the column.",
    validate_groups,
    1,
    2,
    "FILE",
    validate_examples,
    run_validate,
};

const cli_command cli_hierarchy_packs = {
    "hierarchy packs",
    "[--json]",
    "list the code systems that come with kanon",
    "Lists the code systems whose hierarchies come with kanon: name, version, levels from fine to "
    "coarse, and origin. They contain codes and ranges, no titles.",
    packs_groups,
    0,
    0,
    "",
    packs_examples,
    run_packs,
};
