/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, parsed by the table in commands.def. */
#include "cli/cli_int.h"

typedef enum option_id {
#define C(id, name, args, summary, description, examples)
#define O(field, long_name, letter, arg, values, doc, scope) OPT_##field,
#include "cli/commands.def"
#undef C
#undef O
    OPT_COUNT
} option_id;

typedef struct option_row {
    const char *long_name;
    char letter;
    const char *arg;
} option_row;

static const option_row options[] = {
#define C(id, name, args, summary, description, examples)
#define O(field, long_name, letter, arg, values, doc, scope) {long_name, letter, arg},
#include "cli/commands.def"
#undef C
#undef O
};

static const char *const commands[] = {
#define C(id, name, args, summary, description, examples) name,
#define O(field, long_name, letter, arg, values, doc, scope)
#include "cli/commands.def"
#undef C
#undef O
};

static const char *
nearest(const char *word, bool want_option)
{
    const char *best = NULL;
    uint32_t best_distance = 3;
    uint32_t n = want_option ? WR_COUNT(options) : WR_COUNT(commands);
    for (uint32_t i = 0; i < n; i++) {
        const char *name = want_option ? options[i].long_name : commands[i];
        uint32_t d = wr_str_distance(wr_str_c(word), wr_str_c(name), best_distance);
        if (d >= best_distance) continue;
        best = name;
        best_distance = d;
    }
    return best;
}

static int
usage(const char *what, const char *arg, const char *near)
{
    (void)fprintf(stderr, "weir: %s '%s'\n", what, arg);
    if (near) (void)fprintf(stderr, "did you mean: %s\n", near);
    (void)fprintf(stderr, "try: weir --help\n");
    return 2;
}

static int
unknown_format(const char *v)
{
    const char *best = NULL;
    uint32_t least = 4;
    for (uint32_t i = 0; i < WRI_FORMAT_COUNT; i++) {
        const char *name = wri_format_name((wri_format)i);
        const uint32_t d = wr_str_distance(wr_str_c(v), wr_str_c(name), least);
        if (d >= least || d >= strlen(v)) continue;
        best = name;
        least = d;
    }
    (void)usage("unknown format", v, best);
    (void)fprintf(stderr, "formats:");
    for (uint32_t i = 0; i < WRI_FORMAT_COUNT; i++)
        (void)fprintf(stderr, " %s", wri_format_name((wri_format)i));
    (void)fprintf(stderr, "\n");
    return 2;
}

static int
find_long(const char *word, size_t len)
{
    for (uint32_t i = 0; i < WR_COUNT(options); i++)
        if (strlen(options[i].long_name) == len && memcmp(options[i].long_name, word, len) == 0)
            return (int)i;
    return -1;
}

static int
find_letter(char c)
{
    for (uint32_t i = 0; i < WR_COUNT(options); i++)
        if (options[i].letter == c) return (int)i;
    return -1;
}

static int
set_pair(wri_args *out, const char *v)
{
    const char *eq = strchr(v, '=');
    if (!eq || eq == v) return usage("--set wants KEY=VALUE, not", v, NULL);
    if (out->set_count == WR_COUNT(out->sets)) return usage("too many --set before", v, NULL);
    out->sets[out->set_count++] = (wri_set){{v, (size_t)(eq - v)}, wr_str_c(eq + 1)};
    return 0;
}

static int
apply_savepoint(wri_args *out, option_id id, const char *v)
{
    if (id == OPT_verify) {
        out->verify = true;
    } else if (id == OPT_to) {
        out->to_format = v;
    } else if (id == OPT_rename) {
        if (out->rename_count == WR_COUNT(out->renames))
            return usage("too many --rename before", v, NULL);
        out->renames[out->rename_count++] = v;
    } else {
        if (out->drop_count == WR_COUNT(out->drops))
            return usage("too many --drop before", v, NULL);
        out->drops[out->drop_count++] = v;
    }
    return 0;
}

/* Apply one option; the exit code of a mistake, else 0. */
static int
apply(wri_args *out, option_id id, const char *v)
{
    switch (id) {
    case OPT_sql:
        if (out->sql_count == WR_COUNT(out->sql)) return usage("too many -c before", v, NULL);
        out->sql[out->sql_count++] = v;
        return 0;
    case OPT_format:
        out->has_format = true;
        return wri_format_find(wr_str_c(v), &out->format) ? 0 : unknown_format(v);
    case OPT_mode:
        out->mode = v;
        return 0;
    case OPT_parallelism:
        out->parallelism = v;
        return 0;
    case OPT_set:
        return set_pair(out, v);
    case OPT_state:
        out->state_dir = v;
        return 0;
    case OPT_from_savepoint:
        out->from_savepoint = v;
        return 0;
    case OPT_allow_non_restored:
        out->allow_non_restored = true;
        return 0;
    case OPT_claim_mode:
        out->claim_mode = v;
        return 0;
    case OPT_stop_timeout:
        out->stop_timeout = v;
        return 0;
    case OPT_data:
        out->data_dir = v;
        return 0;
    case OPT_memory:
        out->memory = v;
        return 0;
    case OPT_init:
        out->init = v;
        return 0;
    case OPT_keep_going:
        out->keep_going = true;
        return 0;
    case OPT_json:
        out->json = true;
        return 0;
    case OPT_quiet:
        out->quiet = true;
        return 0;
    case OPT_verify:
    case OPT_rename:
    case OPT_drop:
    case OPT_to:
        return apply_savepoint(out, id, v);
    case OPT_serve:
        out->serve = true;
        return 0;
    case OPT_limit:
        out->limit = v;
        return 0;
    case OPT_junit:
        out->junit = v;
        return 0;
    case OPT_version:
        out->command = "version";
        return 0;
    case OPT_help:
        out->topic = out->command[0] ? out->command : NULL;
        out->command = "help";
        return 0;
    case OPT_COUNT:
        break;
    }
    return 0;
}

static bool
is_command(const char *word)
{
    for (uint32_t i = 0; i < WR_COUNT(commands); i++)
        if (strcmp(commands[i], word) == 0) return true;
    return false;
}

/* One word that starts with '-'. Advances *i when the argument is the next word. */
static int
parse_option(wri_args *out, int argc, char **argv, int *i)
{
    const char *a = argv[*i], *value = NULL;
    int id = -1;
    if (a[1] == '-') {
        const char *eq = strchr(a, '=');
        id = find_long(a, eq ? (size_t)(eq - a) : strlen(a));
        if (eq && id >= 0) value = eq + 1;
    } else {
        id = find_letter(a[1]);
        if (a[2] && id >= 0) value = a + 2;
    }
    if (id < 0) return usage("unknown option", a, nearest(a, true));
    if (!options[id].arg)
        return value ? usage("no argument is wanted by", a, NULL) : apply(out, (option_id)id, NULL);
    if (!value) {
        if (*i + 1 >= argc) return usage("an argument is missing after", a, NULL);
        value = argv[++*i];
    }
    return apply(out, (option_id)id, value);
}

/* `weir job.sql` is what one types; a word that is no command and no file is told as such. */
static bool
is_script(const char *word)
{
    wr_ctx quiet;
    wr_os_stat st;
    wr_ctx_init(&quiet);
    if (strcmp(word, "-") == 0) return true;
    return wr_os_stat_path(&quiet, word, &st) == WR_OK && st.kind == WR_OS_FILE;
}

bool
wri_args_parse(int argc, char **argv, wri_args *out, int *code)
{
    memset(out, 0, sizeof *out);
    out->command = "";
    bool plain = false; /* after "--": everything is a file */
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (!plain && strcmp(a, "--") == 0) {
            plain = true;
        } else if (!plain && a[0] == '-' && a[1]) {
            *code = parse_option(out, argc, argv, &i);
            if (*code) return false;
        } else if (!out->command[0] && out->file_count == 0 && is_command(a)) {
            out->command = a;
        } else if (strcmp(out->command, "help") == 0 || strcmp(out->command, "completion") == 0) {
            out->topic = a;
        } else if (!out->command[0] && is_script(a)) {
            out->command = "run";
            out->files[out->file_count++] = a;
        } else if (!out->command[0]) {
            const char *end = strrchr(a, '.');
            bool script = end && strcmp(end, ".sql") == 0;
            *code = script ? usage("there is no file", a, NULL)
                           : usage("unknown command", a, nearest(a, false));
            return false;
        } else if (out->file_count < WR_COUNT(out->files)) {
            out->files[out->file_count++] = a;
        } else {
            *code = usage("too many files before", a, NULL);
            return false;
        }
    }
    return true;
}
