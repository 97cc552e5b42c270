/* SPDX-License-Identifier: Apache-2.0 */
/* What could stand at the cursor: the text before it is cut into tokens, and the last few tell what
 * kind of name is wanted. Inside strings: option keys and values (WITH, OPTIONS, SET, RESET), paths
 * (FROM, DESCRIBE). Else: tables behind FROM, JOIN, INTO and the like; databases and catalogs
 * behind USE; columns of the tables that the statement mentions, functions and keywords everywhere
 * else. */
#include "cli/shell_int.h"
#include "expr/expr.h"
#include "spi/registry.h"
#include "sql/sql.h"

#define TOKENS_MAX 2048u

typedef struct completer {
    wr_session *session;
    wr_arena *arena;
    wr_str text; /* of the present statement, to the cursor and beyond */
    size_t cursor;
    wr_sql_token_class *tokens; /* before the cursor, comments left out */
    uint32_t count;
    wr_str prefix; /* what stands before the cursor of the word */
    bool quoted;   /* in a string: a file's name closes it */
    wri_candidates *out;
} completer;

static wr_str
token_text(const completer *c, uint32_t i)
{
    wr_span s = c->tokens[i].span;
    return (wr_str){c->text.ptr + s.start, s.end - s.start};
}

static bool
token_is(const completer *c, uint32_t i, const char *word)
{
    return i < c->count && wr_str_eq_nocase(token_text(c, i), wr_str_c(word));
}

static bool
starts_nocase(wr_str s, wr_str prefix)
{
    return s.len >= prefix.len && wr_str_eq_nocase((wr_str){s.ptr, prefix.len}, prefix);
}

static void
add(completer *c, wr_str s)
{
    if (!starts_nocase(s, c->prefix)) return;
    wr_str kept = wr_arena_str(c->arena, s);
    if (kept.ptr) (void)!wr_list_push(c->arena, &c->out->items, kept);
}

static int
compare_items(const void *a, const void *b)
{
    return wr_str_cmp(*(const wr_str *)a, *(const wr_str *)b);
}

static void
sort_items(wri_candidates *out)
{
    uint32_t n = 0;
    if (!out->items.count) return;
    qsort(out->items.items, out->items.count, sizeof *out->items.items, compare_items);
    for (uint32_t i = 0; i < out->items.count; i++)
        if (n == 0 || !wr_str_eq(out->items.items[n - 1], out->items.items[i]))
            out->items.items[n++] = out->items.items[i];
    out->items.count = n;
}

/* ---- names ----------------------------------------------------------------------------------- */

static wr_str
unquoted(const completer *c, uint32_t i)
{
    wr_str s = token_text(c, i);
    if (c->tokens[i].what != WR_SQL_TOKEN_QUOTED) return s;
    s.ptr++;
    s.len -= s.len > 1 && s.ptr[s.len - 2] == '`' ? 2 : 1;
    return s;
}

static void
add_name(completer *c, wr_str name)
{
    wr_text t;
    if (!wr_sql_needs_quotes(name)) {
        add(c, name);
        return;
    }
    wr_text_init(&t, c->arena);
    wr_sql_ident_print(name, &t);
    if (t.failed) return;
    wr_str quoted = wr_text_str(&t);
    bool open = c->prefix.len && c->prefix.ptr[0] == '`';
    if (open || !starts_nocase(name, c->prefix)) {
        add(c, quoted);
    } else { /* the quote is missing in front: the candidate brings it */
        (void)!wr_list_push(c->arena, &c->out->items, quoted);
    }
}

static void
add_tables(completer *c, wr_str catalog, wr_str database)
{
    wr_ctx quiet;
    wr_str *names;
    uint32_t count;
    wr_ctx_init(&quiet);
    if (wr_catalogs_list_tables(&quiet, wr_session_catalogs(c->session), catalog, database,
                                WR_LIST_TABLES, c->arena, &names, &count) != WR_OK)
        return;
    for (uint32_t i = 0; i < count; i++) add_name(c, names[i]);
}

static void
add_databases(completer *c, wr_str catalog)
{
    wr_ctx quiet;
    wr_str *names;
    uint32_t count;
    wr_ctx_init(&quiet);
    if (wr_catalogs_list_databases(&quiet, wr_session_catalogs(c->session), catalog, c->arena,
                                   &names, &count) != WR_OK)
        return;
    for (uint32_t i = 0; i < count; i++) add_name(c, names[i]);
}

static void
add_catalogs(completer *c)
{
    wr_ctx quiet;
    wr_str *names;
    uint32_t count;
    wr_ctx_init(&quiet);
    if (wr_catalogs_list_catalogs(&quiet, wr_session_catalogs(c->session), c->arena, &names,
                                  &count) != WR_OK)
        return;
    for (uint32_t i = 0; i < count; i++) add_name(c, names[i]);
}

/* The parts before the last dot: tokens [first, first + 2 * parts). */
static uint32_t
qualifiers(const completer *c, uint32_t end, wr_str *parts)
{
    uint32_t n = 0, at = end;
    while (at >= 2 && token_is(c, at - 1, ".") && n < 2) {
        at -= 2;
        n++;
    }
    for (uint32_t i = 0; i < n; i++) parts[i] = unquoted(c, at + 2 * i);
    return n;
}

static void
add_relations(completer *c, uint32_t end)
{
    wr_str parts[2];
    wr_catalogs *cats = wr_session_catalogs(c->session);
    wr_str catalog = wr_catalogs_current_catalog(cats),
           database = wr_catalogs_current_database(cats);
    uint32_t n = qualifiers(c, end, parts);
    if (n == 2) {
        add_tables(c, parts[0], parts[1]);
    } else if (n == 1) {
        add_tables(c, catalog, parts[0]);
        add_databases(c, parts[0]);
    } else {
        add_tables(c, catalog, database);
        add_databases(c, catalog);
        add_catalogs(c);
    }
}

/* ---- columns of the tables that are mentioned ------------------------------------------------ */

static bool
is_name(const completer *c, uint32_t i)
{
    return i < c->count &&
           (c->tokens[i].what == WR_SQL_TOKEN_NAME || c->tokens[i].what == WR_SQL_TOKEN_QUOTED);
}

static bool
names_relation(const completer *c, uint32_t i)
{
    static const char *const words[] = {"FROM", "JOIN",     "INTO", "TABLE",
                                        "VIEW", "DESCRIBE", "DESC", "UPDATE"};
    for (uint32_t w = 0; w < WR_COUNT(words); w++)
        if (token_is(c, i, words[w])) return true;
    return false;
}

static void
add_columns(completer *c, const wr_str *parts, uint32_t count, wr_span span)
{
    wr_ctx quiet;
    wr_table_id id;
    const wr_table_desc *t = NULL;
    wr_catalogs *cats = wr_session_catalogs(c->session);
    wr_ctx_init(&quiet);
    if (wr_catalogs_qualify(&quiet, cats, parts, count, span, &id) != WR_OK) return;
    if (wr_catalogs_find_table(&quiet, cats, &id, &t) != WR_OK || !t) return;
    for (uint32_t i = 0; i < t->column_count; i++) add_name(c, t->columns[i].name);
}

/* Columns of every table mentioned, or only of the one called `alias`. */
static void
add_mentioned(completer *c, wr_str alias)
{
    for (uint32_t i = 0; i + 1 < c->count; i++) {
        wr_str parts[3];
        uint32_t n = 0, at = i + 1;
        if (!names_relation(c, i) || !is_name(c, at)) continue;
        parts[n++] = unquoted(c, at++);
        while (n < 3 && token_is(c, at, ".") && is_name(c, at + 1)) {
            parts[n++] = unquoted(c, at + 1);
            at += 2;
        }
        wr_str known = parts[n - 1];
        if (token_is(c, at, "AS")) at++;
        if (is_name(c, at)) known = unquoted(c, at);
        if (!alias.ptr || wr_str_eq(alias, known) || wr_str_eq(alias, parts[n - 1]))
            add_columns(c, parts, n, c->tokens[i + 1].span);
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool
is_lower(wr_str s)
{
    bool lower = false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] >= 'A' && s.ptr[i] <= 'Z') return false;
        lower = lower || (s.ptr[i] >= 'a' && s.ptr[i] <= 'z');
    }
    return lower;
}

/* A word in the case that the user has begun it in. */
static void
add_word(completer *c, const char *word, const char *end)
{
    char buf[96];
    bool lower = is_lower(c->prefix);
    size_t n = 0;
    for (; word[n] && n < 90; n++) {
        char ch = word[n];
        if (lower && ch >= 'A' && ch <= 'Z') ch = (char)(ch + 32);
        if (!lower && ch >= 'a' && ch <= 'z') ch = (char)(ch - 32);
        buf[n] = ch;
    }
    for (; *end; end++) buf[n++] = *end;
    add(c, (wr_str){buf, n});
}

/* Keywords that are functions as well: offered as functions, unless clauses begin with them, too.
 */
static bool
is_function(const char *word)
{
    static const char *const both[] = {"LEFT",      "RIGHT",      "IF",      "REPLACE", "TRUNCATE",
                                       "INSERT",    "ROW",        "ARRAY",   "MAP",     "DATE",
                                       "TIMESTAMP", "CASE",       "FIRST",   "LIKE",    "CAST",
                                       "TIME",      "DESCRIPTOR", "INTERVAL"};
    const wr_fn *fn = wr_fn_find(wr_str_c(word));
    for (uint32_t i = 0; i < WR_COUNT(both); i++)
        if (strcmp(both[i], word) == 0) return false;
    return fn && !(fn->flags & (WR_FNF_HIDDEN | WR_FNF_NO_PARENS));
}

static void
add_keywords(completer *c)
{
    uint32_t first, n;
    if (c->prefix.len == 0) return;
    n = wr_sql_keyword_range(c->prefix, &first);
    for (uint32_t i = 0; i < n; i++) {
        const char *word = wr_sql_keyword(first + i, NULL);
        if (!is_function(word)) add_word(c, word, "");
    }
    static const char *const words[] = {"QUIT", "EXIT", "HELP", "CLEAR"};
    for (uint32_t i = 0; i < WR_COUNT(words) && c->count == 0; i++) add_word(c, words[i], "");
}

static void
add_functions(completer *c)
{
    if (c->prefix.len == 0) return;
    for (uint32_t i = 0; i < wr_fn_count(); i++) {
        const char *name = wr_fn_at(i)->name;
        bool word = name[0] >= 'A' && name[0] <= 'Z' && !(wr_fn_at(i)->flags & WR_FNF_HIDDEN);
        if (word && (is_function(name) || !wr_sql_is_keyword(wr_str_c(name))))
            add_word(c, name, "(");
    }
}

static void
complete_word(completer *c)
{
    wr_str parts[2];
    uint32_t n = c->count, at = n - 2 * qualifiers(c, n, parts);
    if (at > 0 && token_is(c, at - 1, "CATALOG")) {
        add_catalogs(c);
    } else if (at > 0 && (token_is(c, at - 1, "USE") || token_is(c, at - 1, "DATABASE"))) {
        add_databases(c, wr_catalogs_current_catalog(wr_session_catalogs(c->session)));
        if (token_is(c, at - 1, "USE")) add_keywords(c);
    } else if (at > 0 && names_relation(c, at - 1)) {
        add_relations(c, n);
        if (n == at && (token_is(c, at - 1, "FROM") || token_is(c, at - 1, "DESCRIBE")))
            add_keywords(c);
    } else if (n > at) { /* alias. or table. */
        completer whole = *c;
        whole.count = c->count;
        add_mentioned(&whole, parts[n - at == 2 ? 0 : 1]);
    } else {
        add_mentioned(c, (wr_str){NULL, 0});
        add_functions(c);
        add_keywords(c);
    }
}

/* ---- strings --------------------------------------------------------------------------------- */

static void
add_defs(completer *c, const wr_option_def *defs, const char *before)
{
    char buf[200];
    for (; defs && defs->key; defs++) {
        int n = snprintf(buf, sizeof buf, "%s%s'", before, defs->key);
        if (n > 0 && (size_t)n < sizeof buf) add(c, (wr_str){buf, (size_t)n});
    }
}

static void
add_quoted(completer *c, const char *value, size_t len)
{
    char buf[120];
    int n = snprintf(buf, sizeof buf, "%.*s'", (int)WR_MIN(len, 100), value);
    if (n > 0) add(c, (wr_str){buf, (size_t)n});
}

/* Values of an enumeration "A|B|C", or true and false. */
static bool
add_values(completer *c, const wr_option_def *defs, wr_str key)
{
    for (; defs && defs->key; defs++) {
        if (!wr_str_eq_c(key, defs->key)) continue;
        if (defs->type == WR_OPT_BOOL) {
            add_quoted(c, "true", 4);
            add_quoted(c, "false", 5);
        }
        for (const char *v = defs->values; v && *v;) {
            size_t n = strcspn(v, "|");
            add_quoted(c, v, n);
            v += n + (v[n] == '|');
        }
        return true;
    }
    return false;
}

/* The value of 'connector' or 'format' between the bracket and the cursor. */
static wr_str
value_of(const completer *c, uint32_t open, const char *key)
{
    for (uint32_t i = open + 1; i + 2 < c->count; i++) {
        wr_str k = token_text(c, i), v = token_text(c, i + 2);
        if (c->tokens[i].what != WR_SQL_TOKEN_STRING || !token_is(c, i + 1, "=")) continue;
        if (k.len > 2 && v.len > 2 && wr_str_eq_c((wr_str){k.ptr + 1, k.len - 2}, key))
            return (wr_str){v.ptr + 1, v.len - 2};
    }
    return (wr_str){NULL, 0};
}

static void
add_connectors(completer *c)
{
    const wr_source_ops *const *sources;
    const wr_sink_ops *const *sinks;
    uint32_t n = wr_list_sources(&sources);
    for (uint32_t i = 0; i < n; i++) add_quoted(c, sources[i]->name, strlen(sources[i]->name));
    n = wr_list_sinks(&sinks);
    for (uint32_t i = 0; i < n; i++) add_quoted(c, sinks[i]->name, strlen(sinks[i]->name));
}

static void
complete_table_option(completer *c, uint32_t open, wr_str key)
{
    wr_str connector = value_of(c, open, "connector"), format = value_of(c, open, "format");
    const wr_source_ops *source = wr_find_source(connector);
    const wr_sink_ops *sink = wr_find_sink(connector);
    const wr_format_ops *f = wr_find_format(format);
    if (key.ptr) {
        const wr_format_ops *const *formats;
        uint32_t n = wr_list_formats(&formats);
        if (wr_str_eq_c(key, "connector")) add_connectors(c);
        for (uint32_t i = 0; i < n && wr_str_eq_c(key, "format"); i++)
            add_quoted(c, formats[i]->name, strlen(formats[i]->name));
        if (source && add_values(c, source->options, key)) return;
        if (sink && add_values(c, sink->options, key)) return;
        size_t skip = format.len + 1;
        if (f && key.len > skip && starts_nocase(key, format))
            (void)add_values(c, f->options, (wr_str){key.ptr + skip, key.len - skip});
        return;
    }
    add_quoted(c, "connector", 9);
    if (source) add_defs(c, source->options, "");
    if (sink) add_defs(c, sink->options, "");
    if (f) {
        char before[64];
        (void)snprintf(before, sizeof before, "%.*s.", (int)WR_MIN(format.len, 60), format.ptr);
        add_defs(c, f->options, before);
    }
}

static wr_status
add_path(wr_ctx *ctx, void *arg, const char *path, const wr_os_stat *st)
{
    completer *c = arg;
    char buf[WR_OS_PATH_MAX];
    (void)ctx;
    int n = snprintf(buf, sizeof buf, "%s%s", path,
                     st->kind == WR_OS_DIR ? "/"
                     : c->quoted           ? "'"
                                           : "");
    if (n > 0 && (size_t)n < sizeof buf) add(c, (wr_str){buf, (size_t)n});
    return WR_OK;
}

static void
complete_path(completer *c)
{
    wr_ctx quiet;
    char pattern[WR_OS_PATH_MAX];
    wr_ctx_init(&quiet);
    int n = snprintf(pattern, sizeof pattern, "%.*s*", WR_STR_ARG(c->prefix));
    if (n <= 0 || (size_t)n >= sizeof pattern) return;
    (void)!wr_os_glob(&quiet, pattern, add_path, c);
}

/* The bracket of WITH ( or OPTIONS ( that the cursor is in; count = none. */
static uint32_t
option_bracket(const completer *c)
{
    int depth = 0;
    for (uint32_t i = c->count; i-- > 0;) {
        if (token_is(c, i, ")")) depth++;
        if (!token_is(c, i, "(")) continue;
        if (depth-- > 0) continue;
        bool with = i > 0 && (token_is(c, i - 1, "WITH") || token_is(c, i - 1, "OPTIONS") ||
                              token_is(c, i - 1, "SET"));
        return with ? i : c->count;
    }
    return c->count;
}

static void
complete_string(completer *c)
{
    uint32_t open = option_bracket(c), n = c->count;
    wr_str key = {NULL, 0};
    if (n >= 2 && token_is(c, n - 1, "=")) {
        key = token_text(c, n - 2);
        if (key.len >= 2) key = (wr_str){key.ptr + 1, key.len - 2};
    }
    if (open < n) {
        complete_table_option(c, open, key);
    } else if (n && (token_is(c, 0, "SET") || token_is(c, 0, "RESET"))) {
        if (key.ptr)
            (void)add_values(c, wr_session_option_defs(), key);
        else
            add_defs(c, wr_session_option_defs(), "");
    } else if (n && (names_relation(c, n - 1) || token_is(c, n - 1, "="))) {
        complete_path(c);
    }
}

/* ---- the way in ------------------------------------------------------------------------------ */

/* Tokens before the cursor. An unfinished string or the word at the cursor is the prefix instead.
 */
static bool
scan(completer *c, bool *in_string)
{
    wr_sql_token_class t;
    size_t pos = 0;
    wr_str before = {c->text.ptr, c->cursor};
    *in_string = false;
    c->prefix = (wr_str){c->text.ptr + c->cursor, 0};
    c->tokens = WR_NEW_N(c->arena, wr_sql_token_class, TOKENS_MAX);
    while (c->tokens && c->count < TOKENS_MAX && wr_sql_token_classes(before, &pos, &t)) {
        if (t.what == WR_SQL_TOKEN_COMMENT) continue;
        bool last = t.span.end == c->cursor;
        char first = c->text.ptr[t.span.start];
        if (last && t.what == WR_SQL_TOKEN_BAD && first == '\'') {
            *in_string = true;
            c->quoted = true;
            c->prefix = (wr_str){c->text.ptr + t.span.start + 1, c->cursor - t.span.start - 1};
            return true;
        }
        if (last && (t.what == WR_SQL_TOKEN_NAME || t.what == WR_SQL_TOKEN_KEYWORD ||
                     (t.what == WR_SQL_TOKEN_BAD && first == '`'))) {
            c->prefix = (wr_str){c->text.ptr + t.span.start, c->cursor - t.span.start};
            return true;
        }
        c->tokens[c->count++] = t;
    }
    return c->tokens != NULL;
}

/* Columns are wanted of tables that stand behind the cursor, too. */
static void
scan_behind(completer *c, completer *whole)
{
    wr_sql_token_class t;
    size_t pos = c->cursor;
    *whole = *c;
    while (whole->count < TOKENS_MAX && wr_sql_token_classes(c->text, &pos, &t))
        if (t.what != WR_SQL_TOKEN_COMMENT) whole->tokens[whole->count++] = t;
}

static void
add_any(void *arg, wr_str name)
{
    add(arg, name);
}

static void
complete_command(completer *c)
{
    size_t n = 0;
    while (n < c->cursor && c->text.ptr[n] != ' ') n++;
    if (n == c->cursor) {
        c->prefix = (wr_str){c->text.ptr, n};
        wri_shell_command_names(c, add_any);
        return;
    }
    wr_str command = {c->text.ptr, n};
    while (n < c->cursor && c->text.ptr[n] == ' ') n++;
    c->prefix = (wr_str){c->text.ptr + n, c->cursor - n};
    if (wr_str_eq_c(command, "\\d")) add_relations(c, 0);
    if (wr_str_eq_c(command, "\\i") || wr_str_eq_c(command, "\\o")) complete_path(c);
    for (uint32_t i = 0; i < WRI_FORMAT_COUNT && wr_str_eq_c(command, "\\mode"); i++)
        add(c, wr_str_c(wri_format_name((wri_format)i)));
}

bool
wri_complete(void *arg, wr_arena *a, wr_str text, size_t cursor, wri_candidates *out)
{
    wri_run *r = arg;
    bool in_string;
    wr_span stmt;
    size_t pos = 0, from = 0;
    while (wr_sql_split(text, &pos, &stmt, NULL) == WR_SQL_SPLIT_STATEMENT && pos <= cursor)
        from = pos; /* the statement that the cursor is in */
    completer c = {.session = r->session, .arena = a, .out = out};
    c.text = (wr_str){text.ptr + from, text.len - from};
    c.cursor = cursor - from;
    if (text.len && text.ptr[0] == '\\') {
        complete_command(&c);
    } else if (scan(&c, &in_string)) {
        if (in_string) {
            complete_string(&c);
        } else {
            completer whole;
            uint32_t before = c.count;
            complete_word(&c);
            scan_behind(&c, &whole);
            if (whole.count > before && !(before && names_relation(&c, before - 1))) {
                wr_str parts[2];
                uint32_t n = qualifiers(&c, before, parts);
                add_mentioned(&whole, n ? parts[n - 1] : (wr_str){NULL, 0});
            }
        }
    }
    out->start = (size_t)(c.prefix.ptr - text.ptr);
    sort_items(out);
    return out->items.count > 0;
}
