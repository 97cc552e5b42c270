/* SPDX-License-Identifier: Apache-2.0 */
/* Help, the manual page and shell completion, all from commands.def. */
#include "cli/cli_int.h"

typedef struct command_row {
    const char *name, *args, *summary, *description, *examples;
} command_row;
typedef struct option_row {
    const char *long_name;
    char letter;
    const char *arg, *values, *doc;
    char scope;
} option_row;

static const command_row commands[] = {
#define C(id, name, args, summary, description, examples)                                          \
    {name, args, summary, description, examples},
#define O(field, long_name, letter, arg, values, doc, scope)
#include "cli/commands.def"
#undef C
#undef O
};
static const option_row options[] = {
#define C(id, name, args, summary, description, examples)
#define O(field, long_name, letter, arg, values, doc, scope)                                       \
    {long_name, letter, arg, values, doc, scope},
#include "cli/commands.def"
#undef C
#undef O
};

/* Does the help of a command (NULL: the overview) show the option? */
static bool
applies(const option_row *o, const char *command)
{
    if (!command || o->scope == 'a') return true;
    if (strcmp(command, "test") == 0) return o->scope == 't' || o->scope == 'c';
    if (strcmp(command, "savepoint") == 0) return o->scope == 's' || o->scope == 'j';
    const bool runs = strcmp(command, "run") == 0 || strcmp(command, "shell") == 0;
    return runs && (o->scope == 'r' || o->scope == 'c' || o->scope == 'j');
}

static void
print_options(const char *command)
{
    (void)puts("\nOptions:");
    for (uint32_t i = 0; i < WR_COUNT(options); i++) {
        char left[64];
        const option_row *o = &options[i];
        if (!applies(o, command)) continue;
        (void)snprintf(left, sizeof left, "%c%c%s%s%s%s", o->letter ? '-' : ' ',
                       o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->long_name,
                       o->arg ? " " : "", o->arg ? o->arg : "");
        (void)printf("  %-26s %s\n", left, o->doc);
    }
}

static void
print_indented(const char *text)
{
    for (const char *p = text; *p;) {
        const char *end = strchr(p, '\n');
        size_t len = end ? (size_t)(end - p) : strlen(p);
        (void)printf("  %.*s\n", (int)len, p);
        p += len + (end != NULL);
    }
}

static void
print_overview(void)
{
    (void)puts("weir: streams and tables, one SQL text, one binary\n");
    (void)puts("Usage: weir [COMMAND] [OPTIONS] [FILE...]\n       weir -c \"SELECT ...\"\n       "
               "weir run FILE...\n\nCommands:");
    for (uint32_t i = 0; i < WR_COUNT(commands); i++)
        (void)printf("  %-12s %s\n", commands[i].name, commands[i].summary);
    print_options(NULL);
    (void)puts("\nExamples:");
    print_indented(
        "weir -c \"SELECT 1\"\n"
        "weir -c \"SELECT status, COUNT(*) FROM 'access.csv' GROUP BY status\" --mode batch\n"
        "weir run job.sql --format changelog\n");
    (void)puts("\nExit codes: 0 ok, 1 SQL error, 2 usage, 3 I/O, 130 interrupted, 143 terminated "
               "at once.");
}

bool
wri_help_print(const char *topic)
{
    if (!topic) {
        print_overview();
        return true;
    }
    for (uint32_t i = 0; i < WR_COUNT(commands); i++) {
        const command_row *c = &commands[i];
        if (strcmp(c->name, topic) != 0) continue;
        (void)printf("Usage: weir %s%s%s [OPTIONS]\n\n%s\n", c->name, c->args[0] ? " " : "",
                     c->args, c->summary);
        if (c->description[0]) (void)printf("\n%s\n", c->description);
        (void)puts("\nExamples:");
        print_indented(c->examples);
        print_options(c->name);
        return true;
    }
    return false;
}

/* ---- the manual page ------------------------------------------------------------------------- */

static void
roff(const char *s)
{
    for (; *s; s++) {
        if (*s == '-' || *s == '\\') (void)putchar('\\');
        (void)putchar(*s);
    }
}

void
wri_man_print(void)
{
    (void)printf(".TH WEIR 1 \"\" \"weir %s\"\n.SH NAME\nweir \\- streams and tables, one SQL "
                 "text, one binary\n",
                 wr_version());
    (void)puts(".SH SYNOPSIS\n.B weir\n[COMMAND] [OPTIONS] [FILE...]");
    (void)puts(".SH COMMANDS");
    for (uint32_t i = 0; i < WR_COUNT(commands); i++) {
        (void)printf(".TP\n.B %s ", commands[i].name);
        roff(commands[i].args);
        (void)putchar('\n');
        roff(commands[i].summary);
        (void)puts(".");
        roff(commands[i].description);
        (void)puts("\n.RS\n.nf");
        roff(commands[i].examples);
        (void)puts(".fi\n.RE");
    }
    (void)puts(".SH OPTIONS");
    for (uint32_t i = 0; i < WR_COUNT(options); i++) {
        (void)puts(".TP");
        (void)fputs(".B ", stdout);
        if (options[i].letter) (void)printf("\\-%c, ", options[i].letter);
        roff(options[i].long_name);
        if (options[i].arg) (void)printf(" \\fI%s\\fR", options[i].arg);
        (void)putchar('\n');
        roff(options[i].doc);
        (void)putchar('\n');
    }
    (void)puts(
        ".SH FILES\n.TP\n.I ~/.weir_history\nthe statements of the shell, the latest 1000; "
        "$WEIR_HISTORY names another file. A statement that begins with a blank is not kept.");
    (void)puts(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours, even on a terminal\n.TP\n.B "
               "WEIR_SEED\nfixes the random seed\n.TP\n.B WEIR_ISA\nv1, v3 or v4: the highest "
               "level of x86\\-64 instructions to use");
    (void)puts(".SH EXIT STATUS\n0 ok, 1 SQL error, 2 usage, 3 I/O, 130 interrupted.");
}

/* ---- completion ------------------------------------------------------------------------------ */

static void
print_bash(void)
{
    (void)puts("_weir() {\n  local cur=${COMP_WORDS[COMP_CWORD]} "
               "prev=${COMP_WORDS[COMP_CWORD-1]}\n  case $prev in");
    for (uint32_t i = 0; i < WR_COUNT(options); i++) {
        if (!options[i].values) continue;
        (void)printf("    %s", options[i].long_name);
        if (options[i].letter) (void)printf("|-%c", options[i].letter);
        (void)printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return;;\n", options[i].values);
    }
    (void)puts("    --data|-d) COMPREPLY=($(compgen -d -- \"$cur\")); return;;\n  esac");
    (void)fputs("  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '", stdout);
    for (uint32_t i = 0; i < WR_COUNT(options); i++)
        (void)printf("%s%s", i ? " " : "", options[i].long_name);
    (void)fputs(
        "' -- \"$cur\")); return; fi\n  if [[ $COMP_CWORD == 1 ]]; then COMPREPLY=($(compgen -W '",
        stdout);
    for (uint32_t i = 0; i < WR_COUNT(commands); i++)
        (void)printf("%s%s", i ? " " : "", commands[i].name);
    (void)puts("' -- \"$cur\")); return; fi\n  COMPREPLY=($(compgen -f -- \"$cur\"))\n}\ncomplete "
               "-F _weir weir");
}

static void
print_zsh(void)
{
    (void)puts("#compdef weir\n_weir() {\n  _arguments \\");
    for (uint32_t i = 0; i < WR_COUNT(options); i++) {
        (void)printf("    '%s[%s]", options[i].long_name, options[i].doc);
        if (options[i].values)
            (void)printf(":value:(%s)", options[i].values);
        else if (options[i].arg)
            (void)fputs(":value:_files", stdout);
        (void)puts("' \\");
    }
    (void)fputs("    '1:command:(", stdout);
    for (uint32_t i = 0; i < WR_COUNT(commands); i++)
        (void)printf("%s%s", i ? " " : "", commands[i].name);
    (void)puts(")' '*:file:_files'\n}\n_weir \"$@\"");
}

bool
wri_completion_print(const char *shell)
{
    if (shell && strcmp(shell, "bash") == 0)
        print_bash();
    else if (shell && strcmp(shell, "zsh") == 0)
        print_zsh();
    else
        return false;
    return true;
}
