/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as SQL: lexer, splitter, highlighter, parser, printer. What parses must print, parse
 * again to an equal tree, and print the same. What does not must say where, within the text. */
#include <stdlib.h>

#include "sql/sql.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(cond)                                                                                 \
    do {                                                                                           \
        if (!(cond)) abort();                                                                      \
    } while (0)

static void
split_all(wr_str text)
{
    size_t pos = 0, last = 0;
    wr_span stmt;
    for (;;) {
        wr_sql_split_open open;
        wr_sql_split_result r = wr_sql_split(text, &pos, &stmt, &open);
        MUST(stmt.start <= stmt.end && stmt.end <= text.len && pos <= text.len);
        if (r != WR_SQL_SPLIT_STATEMENT) break;
        MUST(pos > last && stmt.end <= pos);
        last = pos;
    }
}

static void
classify_all(wr_str text)
{
    size_t pos = 0, last = 0;
    wr_sql_token_class t;
    while (wr_sql_token_classes(text, &pos, &t)) {
        MUST(t.span.start >= last && t.span.end > t.span.start && t.span.end <= text.len);
        last = t.span.end;
    }
}

static wr_status
parse(wr_str text, wr_arena *arena, bool expression, wr_ast **out)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    ctx.sql = text;
    wr_status status = expression ? wr_sql_parse_expr(&ctx, text, arena, out)
                                  : wr_sql_parse(&ctx, text, arena, out);
    MUST((status == WR_OK) == (*out != NULL));
    if (status == WR_SYNTAX)
        MUST(ctx.err.span.start <= ctx.err.span.end && ctx.err.span.end <= text.len);
    MUST(status == WR_OK || ctx.err.message[0] != '\0');
    return status;
}

static void
round_trip(wr_str text, bool expression)
{
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_ast *tree = NULL, *again = NULL;
    if (!arena) return;
    if (parse(text, arena, expression, &tree) == WR_OK) {
        wr_text first;
        wr_text_init(&first, arena);
        if (expression)
            wr_sql_expr_print(tree, &first);
        else
            wr_sql_print(tree, &first);
        MUST(!first.failed);
        MUST(parse(wr_text_str(&first), arena, expression, &again) == WR_OK);
        MUST(wr_ast_equal(tree, again) && wr_ast_hash(tree) == wr_ast_hash(again));
        wr_ast *copy = wr_ast_copy(tree, arena);
        MUST(copy && wr_ast_equal(tree, copy));
    }
    wr_arena_destroy(arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 65536) return 0;
    wr_str text = {(const char *)data, size};
    split_all(text);
    classify_all(text);
    round_trip(text, false);
    round_trip(text, true);
    return 0;
}
