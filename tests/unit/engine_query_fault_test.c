/* SPDX-License-Identifier: Apache-2.0 */
/* Queries while the n-th allocation fails: each run gives the whole answer or is out of memory, and
 * the session is as good as before. */
#include "check.h"

#include "engine/engine.h"
#include "vec/vec.h"

static const char *const tables[] = {
    "CREATE TABLE t (id INT, k STRING, v INT, a ARRAY<INT>) WITH ('connector' = 'script', 'rows' = "
    "'"
    "[\"+I\", 1, \"a\", 3, [1, 2]]\n[\"+I\", 2, \"b\", null, []]\n[\"+I\", 3, null, 7, [3]]\n"
    "[\"+I\", 4, \"a\", 9, null]\n[\"+I\", 5, \"a text that is no longer short\", 1, [4, 5, 6]]')",
    "CREATE TABLE u (id INT, w BIGINT, s STRING) WITH ('connector' = 'script', 'rows' = '"
    "[\"+I\", 1, 10, \"x\"]\n[\"+I\", 3, 30, \"y\"]\n[\"+I\", 3, 31, null]\n[\"+I\", null, 5, "
    "\"z\"]')",
};

static const char *const queries[] = {
    "SELECT id + 1, UPPER(k) || 'x', CAST(v AS DECIMAL(9, 2)) / 3 FROM t WHERE k LIKE 'b%'",
    "SELECT k, COUNT(*), SUM(v), MAX(k), COUNT(DISTINCT v), LISTAGG(k) FROM t GROUP BY k",
    "SELECT t.id, u.w FROM t LEFT JOIN u ON t.id = u.id AND u.w > 5",
    "SELECT t.id, u.s FROM t FULL JOIN u ON t.id = u.id",
    "SELECT id FROM t WHERE id IN (SELECT id FROM u) AND v > (SELECT MIN(w) - 8 FROM u)",
    "SELECT id FROM t WHERE id NOT IN (SELECT id FROM u WHERE id IS NOT NULL)",
    "SELECT k FROM t EXCEPT ALL SELECT s FROM u",
    "SELECT DISTINCT k FROM t UNION SELECT s FROM u",
    "SELECT id, e, o FROM t CROSS JOIN UNNEST(a) WITH ORDINALITY AS x (e, o)",
    "SELECT * FROM t ORDER BY v DESC, id LIMIT 3",
    "SELECT k, id, COUNT(*) FROM t GROUP BY CUBE (k, id)",
    "SELECT JSON_OBJECT('a' VALUE k, 'b' VALUE v), REGEXP_REPLACE(k, 'a+', '-'), a FROM t",
};

typedef struct answer { /* the changelog as a number: the order of rows does not matter */
    uint64_t sum;
    wr_arena *arena;
} answer;

static wr_status
begin(wr_ctx *ctx, void *arg, const wr_result_head *head)
{
    (void)ctx, (void)arg, (void)head;
    return WR_OK;
}

static wr_status
rows(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    answer *a = arg;
    uint32_t cols[16], n = 0;
    wr_bytes bytes;
    CHECK(batch->col_count <= WR_COUNT(cols));
    for (uint32_t c = 0; c < batch->col_count; c++) cols[c] = c;
    wr_arena_reset(a->arena);
    if (!wr_row_encode(batch, cols, batch->col_count, a->arena, &bytes))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_FOR_ROWS (batch, row) {
        const wr_kind kind = wr_batch_kind(batch, row);
        const uint64_t h =
            wr_hash_bytes(bytes.data + bytes.off[n], bytes.off[n + 1] - bytes.off[n], 7);
        a->sum += kind == WR_INSERT || kind == WR_UPDATE_AFTER ? h : 0u - h;
        n++;
    }
    return WR_OK;
}

static wr_status
end(wr_ctx *ctx, void *arg)
{
    (void)ctx, (void)arg;
    return WR_OK;
}

static wr_status
execute(wr_ctx *ctx, wr_session *s, const char *sql, answer *a)
{
    const wr_result_sink sink = {.begin = begin, .rows = rows, .end = end, .arg = a};
    a->sum = 0;
    wr_ctx_reset(ctx);
    ctx->sql = wr_str_c(sql);
    return wr_session_execute(ctx, s, ctx->sql, &sink);
}

static void
fail_everywhere(wr_session *s, const char *mode, const char *query, answer *a)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, execute(&ctx, s, query, a));
    const uint64_t want = a->sum;
    uint32_t failed = 0;
    bool hit = true;
    for (int64_t n = 1; hit && n < 1000000; n++) {
        wr_mem_fail_after(n);
        const wr_status status = execute(&ctx, s, query, a);
        hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        failed += status != WR_OK;
        if (status == WR_OK)
            CHECK_MSG(a->sum == want, "%s, %s: allocation %d: another answer", query, mode, (int)n);
        else
            CHECK_MSG(hit && status == WR_NOMEM, "%s, %s: allocation %d: %s", query, mode, (int)n,
                      ctx.err.message);
    }
    CHECK_MSG(!hit && failed > 0, "%s, %s: the end was not reached", query, mode);
    CHECK_OK(&ctx, execute(&ctx, s, query, a));
    CHECK_EQ_UINT(a->sum, want);
}

static void
check_mode(const char *mode)
{
    wr_ctx ctx;
    wr_engine *e = NULL;
    wr_session *s = NULL;
    char set[80];
    const wr_engine_config config = {.data_dir = WR_STR("")};
    answer a = {.arena = wr_arena_create(NULL, 0)};
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_engine_create(&ctx, &config, &e));
    CHECK_OK(&ctx, wr_session_create(&ctx, e, &s));
    CHECK_FATAL(s != NULL && a.arena != NULL);
    (void)snprintf(set, sizeof set, "SET 'execution.runtime-mode' = '%s'", mode);
    CHECK_OK(&ctx, execute(&ctx, s, set, &a));
    for (uint32_t i = 0; i < WR_COUNT(tables); i++) CHECK_OK(&ctx, execute(&ctx, s, tables[i], &a));
    for (uint32_t i = 0; i < WR_COUNT(queries); i++) fail_everywhere(s, mode, queries[i], &a);
    wr_session_destroy(s);
    wr_engine_destroy(e);
    wr_arena_destroy(a.arena);
}

TEST(streaming_queries_survive_failing_memory)
{
    check_mode("streaming");
}

TEST(batch_queries_survive_failing_memory)
{
    check_mode("batch");
}

CHECK_MAIN()
