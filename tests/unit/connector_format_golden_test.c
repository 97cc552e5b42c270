/* SPDX-License-Identifier: Apache-2.0 */
/* Reading csv and json files through the filesystem connector against what Flink 2.3.0 reads from
 * the same bytes (tests/data/formats/read.tsv): the same rows, or an error whose sentence is one of
 * Flink's. links: format fs */
#include "unit/table_rig.h"

static char *
read_all(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    (void)fseek(f, 0, SEEK_END);
    *len = (size_t)ftell(f);
    (void)fseek(f, 0, SEEK_SET);
    char *p = malloc(*len + 1);
    if (p && fread(p, 1, *len, f) != *len) *len = 0;
    (void)fclose(f);
    if (p) p[*len] = '\0';
    return p;
}

/* In place; returns the length. */
static size_t
unescape(char *s)
{
    char *o = s;
    for (char *p = s; *p; p++) {
        if (*p == '\\' && p[1]) {
            p++;
            *o++ = (char)(*p == 'n' ? '\n' : *p == 't' ? '\t' : *p == 'r' ? '\r' : *p);
        } else {
            *o++ = *p;
        }
    }
    *o = '\0';
    return (size_t)(o - s);
}

typedef struct golden {
    char *format, *options, *schema, *content, *kind, *rest;
    size_t content_len;
} golden;

static bool
split_line(char *line, golden *g)
{
    char **fields[] = {&g->format, &g->options, &g->schema, &g->content, &g->kind, &g->rest};
    char *p = line;
    for (int i = 0; i < 6; i++) {
        *fields[i] = p;
        if (i == 5) break;
        p = strchr(p, '\t');
        if (!p && i == 4) {
            g->rest = line + strlen(line);
            break;
        }
        if (!p) return false;
        *p++ = '\0';
    }
    return true;
}

static void
set_options(rig *r, golden *g, const char *path)
{
    const char *kv[64];
    int n = 0;
    char *project = strchr(g->format, '/');
    if (project) *project = '\0';
    kv[n++] = "connector";
    kv[n++] = "filesystem";
    kv[n++] = "path";
    kv[n++] = path;
    kv[n++] = "format";
    kv[n++] = g->format;
    for (char *p = g->options; *p;) {
        char *next = strstr(p, " & ");
        if (next) *next = '\0';
        char *eq = strchr(p, '=');
        *eq = '\0';
        wr_str key = wr_arena_printf(r->arena, "%s.%s", g->format, p);
        (void)unescape(eq + 1);
        kv[n++] = key.ptr;
        kv[n++] = eq + 1;
        p = next ? next + 3 : eq + 1 + strlen(eq + 1);
    }
    kv[n] = NULL;
    rig_options(r, kv);
}

/* One of the sentences is the message. */
static bool
sentence_in(const char *message, char *sentences)
{
    size_t n = strlen(message);
    for (char *p = sentences; *p;) {
        char *bar = strchr(p, '|');
        size_t len = bar ? (size_t)(bar - p) : strlen(p);
        if (len == n && memcmp(p, message, n) == 0) return true;
        /* Flink's sentence with a position behind it, or cut by the golden */
        if (len > 20 && n > len && memcmp(p, message, len) == 0) return true;
        p = bar ? bar + 1 : p + len;
    }
    return false;
}

static void
check_golden(const char *dir, char *line, int number, uint32_t max_rows)
{
    rig r;
    golden g;
    rig_init(&r);
    r.max_rows = max_rows;
    CHECK_MSG(split_line(line, &g), "line %d", number);
    g.content_len = unescape(g.content);
    const char *path = rig_file(&r, dir, "golden", g.content, g.content_len);
    bool a_only = strchr(g.format, '/') != NULL;
    CHECK_MSG(rig_columns(&r, g.schema), "line %d: %s", number, g.schema);
    set_options(&r, &g, path);
    wr_status status = rig_read(&r, a_only ? "a" : NULL);
    if (strcmp(g.kind, "E") == 0) {
        (void)unescape(g.rest);
        CHECK_MSG(status != WR_OK, "line %d: '%s' gave rows, Flink says %s", number, g.content,
                  g.rest);
        if (status != WR_OK)
            CHECK_MSG(sentence_in(r.ctx.err.message, g.rest), "line %d: '%s' says %s, Flink %s",
                      number, g.content, r.ctx.err.message, g.rest);
    } else {
        CHECK_MSG(status == WR_OK, "line %d: '%s': %s (%s)", number, g.content, r.ctx.err.message,
                  r.ctx.err.hint);
        for (char *p = g.rest; *p; p++)
            if (*p == '\t') *p = '\n';
        (void)unescape(g.rest);
        if (status == WR_OK)
            CHECK_MSG(strcmp(rig_rows(&r), g.rest) == 0, "line %d: '%s' gives\n%s\nFlink\n%s",
                      number, g.content, rig_rows(&r), g.rest);
    }
    rig_deinit(&r);
}

static void
run_all(uint32_t max_rows)
{
    size_t len;
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    char *text = read_all("tests/data/formats/read.tsv", &len);
    CHECK_FATAL(text != NULL);
    int number = 0, count = 0;
    for (char *p = text; *p;) {
        char *nl = strchr(p, '\n');
        if (nl) *nl = '\0';
        number++;
        if (*p && *p != '#') {
            check_golden(dir, p, number, max_rows);
            count++;
        }
        p = nl ? nl + 1 : p + strlen(p);
    }
    CHECK(count > 200);
    free(text);
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(files_read_as_flink_reads_them)
{
    run_all(0);
}

TEST(one_row_at_a_time_gives_the_same)
{
    run_all(1);
}

CHECK_MAIN()
