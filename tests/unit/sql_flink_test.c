/* SPDX-License-Identifier: Apache-2.0 */
/* The parser and the printer against the real Flink's: tests/data/sql/parse.tsv, thousands of texts
 * with what Flink 2.3 makes of them. For each that weir accepts also: parse(print(tree)) = tree,
 * equal trees hash alike, copies are equal. */
#include <stdlib.h>

#include "sql/sql.h"
#include "unit/check.h"

#define FILE_MAX (8u << 20)

static char *
read_file(const char *name, size_t *len)
{
    FILE *f = fopen(name, "rb");
    if (!f) return NULL;
    char *data = malloc(FILE_MAX);
    *len = data ? fread(data, 1, FILE_MAX - 1, f) : 0;
    if (data) data[*len] = '\0';
    (void)fclose(f);
    return data;
}

/* In place: \n \t \r \\ */
static wr_str
unescape(char *s)
{
    size_t len = 0;
    for (size_t i = 0; s[i]; i++) {
        char c = s[i];
        if (c == '\\' && s[i + 1]) {
            char d = s[++i];
            c = d == 'n' ? '\n' : d == 't' ? '\t' : d == 'r' ? '\r' : d;
        }
        s[len++] = c;
    }
    return (wr_str){s, len};
}

static wr_status
parse(wr_ctx *ctx, bool expression, wr_str sql, wr_arena *arena, wr_ast **out)
{
    wr_ctx_init(ctx);
    ctx->sql = sql;
    return expression ? wr_sql_parse_expr(ctx, sql, arena, out)
                      : wr_sql_parse(ctx, sql, arena, out);
}

static void
check_round_trip(const wr_ast *tree, bool expression, wr_str sql, wr_str printed, wr_arena *arena)
{
    wr_ctx ctx;
    wr_ast *again = NULL;
    wr_status status = parse(&ctx, expression, printed, arena, &again);
    CHECK_MSG(status == WR_OK, "%.*s\n  printed: %.*s\n  %s", WR_STR_ARG(sql), WR_STR_ARG(printed),
              ctx.err.message);
    if (status != WR_OK) return;
    CHECK_MSG(wr_ast_equal(tree, again), "%.*s\n  printed: %.*s", WR_STR_ARG(sql),
              WR_STR_ARG(printed));
    CHECK_MSG(wr_ast_hash(tree) == wr_ast_hash(again), "hash of %.*s", WR_STR_ARG(sql));
    wr_ast *copy = wr_ast_copy(tree, arena);
    CHECK_MSG(copy && wr_ast_equal(tree, copy), "copy of %.*s", WR_STR_ARG(sql));
}

/* One row: kind, text, OK or ERR, Flink's text, note */
static void
check_row(char *field[5], wr_arena *arena)
{
    bool expression = field[0][0] == 'E', ok = field[2][0] == 'O', same = field[4][0] == '\0';
    bool accepts = strncmp(field[4], "weir accepts", 12) == 0,
         refuses = strncmp(field[4], "weir refuses", 12) == 0;
    wr_str sql = unescape(field[1]), want = unescape(field[3]);
    wr_ctx ctx;
    wr_ast *tree = NULL;
    wr_status status = parse(&ctx, expression, sql, arena, &tree);
    CHECK_MSG((status == WR_OK) == (accepts || (ok && !refuses)), "%.*s: %s", WR_STR_ARG(sql),
              status == WR_OK ? "accepted" : ctx.err.message);
    if (status != WR_OK) {
        wr_str message = wr_str_c(ctx.err.message), prefix = WR_STR("SQL parse failed. ");
        CHECK_EQ_INT(status, WR_SYNTAX);
        CHECK_MSG(ctx.err.span.start <= sql.len && ctx.err.span.end <= sql.len, "span of %.*s",
                  WR_STR_ARG(sql));
        if (wr_str_starts(message, prefix)) message.ptr += prefix.len, message.len -= prefix.len;
        if (!ok)
            CHECK_MSG(wr_str_eq(message, want) == same, "%.*s\n  got:  %.*s\n  want: %.*s",
                      WR_STR_ARG(sql), WR_STR_ARG(message), WR_STR_ARG(want));
        return;
    }
    wr_text text;
    wr_text_init(&text, arena);
    wr_sql_print(tree, &text);
    wr_str printed = wr_text_str(&text);
    if (ok)
        CHECK_MSG(wr_str_eq(printed, want) == same, "%.*s\n  got:  %.*s\n  want: %.*s\n  note: %s",
                  WR_STR_ARG(sql), WR_STR_ARG(printed), WR_STR_ARG(want), field[4]);
    if (expression) { /* in one line, a query in parentheses */
        wr_text_init(&text, arena);
        wr_sql_expr_print(tree, &text);
        printed = wr_text_str(&text);
    }
    check_round_trip(tree, expression, sql, printed, arena);
}

TEST(parses_and_prints_as_flink)
{
    size_t len = 0;
    uint32_t rows = 0;
    char *data = read_file("tests/data/sql/parse.tsv", &len);
    CHECK_FATAL(data);
    for (char *line = data, *next; *line; line = next) {
        char *end = strchr(line, '\n');
        next = end ? end + 1 : line + strlen(line);
        if (end) *end = '\0';
        if (line[0] == '#' || line[0] == '\0') continue;
        char *field[5];
        uint32_t count = 0;
        for (char *p = line; p && count < 5; count++) {
            field[count] = p;
            p = strchr(p, '\t');
            if (p) *p++ = '\0';
        }
        CHECK_FATAL(count == 5);
        wr_arena *arena = wr_arena_create(NULL, 0);
        CHECK_FATAL(arena);
        check_row(field, arena);
        wr_arena_destroy(arena);
        rows++;
    }
    CHECK(rows > 4000);
    free(data);
}

CHECK_MAIN()
