/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup joins by key, over a connector of the test: key k has k % 3 rows, "k.1", "k.2". What comes
 * out follows from that, in every size of batches, whatever the order and the delay of answers,
 * with restarts and failing allocations. links: op state expr */
#include "plan/timed_join.h"
#include "unit/op_rig_restart.h"

#define OPEN_MAX 64u

/* ---- the connector --------------------------------------------------------------------------- */
typedef struct spec {
    bool async, outer, cached;
    uint32_t capacity, delay, retries; /* delay: so many polls find no answer */
    uint32_t misses;                   /* so many questions for a key find nothing */
    uint32_t rows_at_once, chunk, restart_every, full_every;
    int64_t cache_rows, expire_ms, timeout_ms;
} spec;

struct wr_lookup {
    const wr_source_env *env;
    struct {
        wr_batch *keys;
        uint64_t ticket;
        uint32_t key, part; /* where the answer is */
    } open[OPEN_MAX];
    uint32_t count, waited;
};
static spec now; /* of the present case */
static uint32_t asked[100], questions, most_open;

static wr_status
open_lookup(wr_ctx *ctx, const wr_source_spec *s, const uint32_t *keys, uint32_t key_count,
            const wr_source_env *env, wr_lookup **out)
{
    (void)s;
    CHECK_EQ_UINT(key_count, 1);
    CHECK_EQ_UINT(keys[0], 0);
    *out = WR_NEW(env->arena, wr_lookup);
    WR_TRY_ALLOC(ctx, *out);
    (*out)->env = env;
    return WR_OK;
}

static wr_status
ask(wr_ctx *ctx, wr_lookup *l, wr_batch *take_keys, uint64_t ticket)
{
    if (l->count == OPEN_MAX) {
        wr_batch_release(take_keys);
        return wr_raise(ctx, WR_LIMIT, "too many questions");
    }
    l->open[l->count].keys = take_keys;
    l->open[l->count].ticket = ticket;
    l->open[l->count].key = l->open[l->count].part = 0;
    l->count++;
    questions++;
    most_open = WR_MAX(most_open, l->count);
    for (uint32_t i = 0; i < take_keys->row_count; i++)
        asked[((const int64_t *)take_keys->cols[0].data)[i] % 100]++;
    return WR_OK;
}

static wr_status
put(wr_ctx *ctx, wr_batch *b, uint32_t *owner, int64_t key, uint32_t part, uint32_t from)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "%lld.%u", (long long)key, part);
    ((int64_t *)b->cols[0].data)[b->row_count] = key;
    owner[b->row_count] = from;
    return wr_vec_set_str(&b->cols[1], b->row_count++, text, (uint32_t)n, b->arena)
               ? WR_OK
               : wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* The newest question is answered first. */
static wr_status
answer(wr_ctx *ctx, wr_lookup *l, wr_batch *fill, uint32_t *owner, uint32_t max_rows,
       wr_answer *out)
{
    static wr_field fields[2];
    fields[0] = (wr_field){WR_STR("k"), wr_type_of(WR_T_BIGINT, true), WR_STR("")};
    fields[1] = (wr_field){WR_STR("name"), wr_type_string(true), WR_STR("")};
    const wr_schema schema = {fields, 2};
    *out = (wr_answer){0};
    if (l->count == 0 || l->waited++ < now.delay) return WR_OK;
    const uint32_t last = l->count - 1, max = now.rows_at_once ? now.rows_at_once : max_rows;
    if (!wr_batch_init_flat(fill, &schema, max)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wr_batch *keys = l->open[last].keys;
    uint32_t *key = &l->open[last].key, *part = &l->open[last].part;
    for (; *key < keys->row_count; (*key)++, *part = 0) {
        const int64_t k = ((const int64_t *)keys->cols[0].data)[*key];
        while (asked[k % 100] > now.misses && *part < k % 3 && fill->row_count < max)
            WR_TRY(put(ctx, fill, owner, k, ++*part, *key));
        if (fill->row_count == max) break;
    }
    *out = (wr_answer){.have = true, .ticket = l->open[last].ticket};
    if (*key < keys->row_count) return WR_OK;
    out->complete = true;
    wr_batch_release(l->open[last].keys);
    l->count--;
    l->waited = 0;
    return WR_OK;
}

static void
close_lookup(wr_lookup *l)
{
    for (uint32_t i = 0; i < l->count; i++) wr_batch_release(l->open[i].keys);
}

static const wr_source_ops source = {.abi = WR_ABI,
                                     .name = "test",
                                     .lookup_open = open_lookup,
                                     .lookup_ask = ask,
                                     .lookup_answer = answer,
                                     .lookup_close = close_lookup};

/* ---- cases ----------------------------------------------------------------------------------- */
static void
prepare(rig *r, const spec *s)
{
    static const uint32_t zero[] = {0};
    static const bool no[] = {false};
    static wr_value none;
    static wr_table_desc table;
    now = *s;
    memset(asked, 0, sizeof asked);
    questions = most_open = 0;
    table.id.name = WR_STR("dim");
    wr_pnode *scan = WR_NEW(r->arena, wr_pnode);
    wr_lookup_spec *l = WR_NEW(r->arena, wr_lookup_spec);
    scan->kind = WR_P_SCAN;
    scan->schema = rig_schema(r, "k L, name S");
    scan->u.scan.source = &source;
    scan->u.scan.spec.columns = scan->schema;
    scan->u.scan.spec.table = &table;
    *l = (wr_lookup_spec){.right = scan,
                          .by_key = true,
                          .ask_cols = zero,
                          .ask_pair = zero,
                          .ask_value = &none,
                          .ask_count = 1,
                          .async = s->async,
                          .timeout_ms = s->timeout_ms ? s->timeout_ms : 100000,
                          .capacity = s->capacity,
                          .retries = s->retries,
                          .cached = s->cached,
                          .cache_missing = true,
                          .cache_rows = s->cache_rows,
                          .expire_write_ms = s->expire_ms};
    r->inputs[0].schema = rig_schema(r, "a L, v S");
    r->inputs[0].changelog = r->node.changelog = WR_CL_ALL;
    r->node.input_count = 1;
    r->node.schema = rig_schema(r, "a L, v S, k L, name S");
    r->node.kind = WR_P_LOOKUP_JOIN;
    r->node.u.join.type = s->outer ? WR_JOIN_LEFT : WR_JOIN_INNER;
    r->node.u.join.left_keys = r->node.u.join.right_keys = zero;
    r->node.u.join.null_equal = no;
    r->node.u.join.key_count = 1;
    r->node.u.join.lookup = l;
    r->chunk = s->chunk;
    r->full_every = s->full_every;
    if (s->restart_every) {
        r->after_batch = rig_restart_often;
        r->restart_every = s->restart_every;
    }
    rig_start(r);
}

static void
run(rig *r, const void *arg)
{
    prepare(r, arg);
    rig_rows(r, 0, "+I[1, a] +I[2, b] +I[3, c] +I[null, d] +I[2, e]");
    rig_rows(r, 0, "-U[1, a] +U[2, a] -D[3, c] +I[4, f] +I[5, g] +I[7, h]");
    rig_finish(r);
}

static const char inner[] =
    "+I[1, a, 1, 1.1] +I[2, b, 2, 2.1] +I[2, b, 2, 2.2] +I[2, e, 2, 2.1] +I[2, e, 2, 2.2] "
    "-U[1, a, 1, 1.1] +U[2, a, 2, 2.1] +U[2, a, 2, 2.2] +I[4, f, 4, 4.1] +I[5, g, 5, 5.1] "
    "+I[5, g, 5, 5.2] +I[7, h, 7, 7.1]";
static const char outer[] =
    "+I[1, a, 1, 1.1] +I[2, b, 2, 2.1] +I[2, b, 2, 2.2] +I[3, c, null, null] +I[null, d, null, "
    "null] +I[2, e, 2, 2.1] +I[2, e, 2, 2.2] -U[1, a, 1, 1.1] +U[2, a, 2, 2.1] +U[2, a, 2, 2.2] "
    "-D[3, c, null, null] +I[4, f, 4, 4.1] +I[5, g, 5, 5.1] +I[5, g, 5, 5.2] +I[7, h, 7, 7.1]";

static void
check(spec s, const char *want)
{
    for (uint32_t k = 0; k < 16; k++) {
        s.chunk = k % 4;
        s.restart_every = k / 4 % 2;
        s.full_every = k / 8;
        rig r;
        rig_open(&r);
        run(&r, &s);
        CHECK_EQ_STR(rig_output(&r), want);
        CHECK(most_open <= (s.async ? s.capacity : 1));
        rig_close(&r);
    }
}

TEST(rows_come_in_order_whatever_the_answers_do)
{
    check((spec){0}, inner);
    check((spec){.outer = true}, outer);
    check((spec){.outer = true, .delay = 3, .rows_at_once = 1}, outer);
    check((spec){.outer = true, .async = true, .capacity = 2, .delay = 2}, outer);
    check((spec){.async = true, .capacity = 50, .rows_at_once = 2}, inner);
    check((spec){.outer = true, .cached = true, .cache_rows = 2}, outer);
    check((spec){.outer = true, .cached = true, .cache_rows = 100, .async = true, .capacity = 3},
          outer);
}

TEST(a_key_without_rows_is_asked_again)
{
    check((spec){.misses = 2, .retries = 2}, inner);
    check((spec){.misses = 2, .retries = 5, .async = true, .capacity = 2, .outer = true}, outer);
    rig r;
    rig_open(&r);
    const spec s = {.misses = 2, .retries = 1, .outer = true};
    prepare(&r, &s);
    rig_rows(&r, 0, "+I[1, a] +I[3, b]");
    CHECK_EQ_STR(rig_output(&r), "+I[1, a, null, null] +I[3, b, null, null]");
    CHECK_EQ_UINT(asked[1], 2);
    rig_close(&r);
}

TEST(what_is_kept_is_not_asked_for)
{
    rig r;
    rig_open(&r);
    const spec s = {.cached = true, .cache_rows = 2, .expire_ms = 100, .outer = true};
    prepare(&r, &s);
    rig_rows(&r, 0, "+I[1, a] +I[2, b] +I[1, c]");
    rig_rows(&r, 0, "+I[2, d] +I[1, e]");
    CHECK_EQ_UINT(asked[1], 1);
    CHECK_EQ_UINT(asked[2], 1);
    rig_rows(&r, 0, "+I[3, f]"); /* the third: 2 was used before 1, and goes */
    rig_rows(&r, 0, "+I[1, g]");
    rig_rows(&r, 0, "+I[2, h]");
    CHECK_EQ_UINT(asked[1], 1);
    CHECK_EQ_UINT(asked[2], 2);
    CHECK_EQ_UINT(asked[3], 1);
    r.now_ms += 100; /* all have expired */
    rig_rows(&r, 0, "+I[2, i]");
    CHECK_EQ_UINT(asked[2], 3);
    CHECK_EQ_STR(rig_output(&r),
                 "+I[1, a, 1, 1.1] +I[2, b, 2, 2.1] +I[2, b, 2, 2.2] +I[1, c, 1, 1.1] "
                 "+I[2, d, 2, 2.1] +I[2, d, 2, 2.2] +I[1, e, 1, 1.1] +I[3, f, null, null] "
                 "+I[1, g, 1, 1.1] +I[2, h, 2, 2.1] +I[2, h, 2, 2.2] +I[2, i, 2, 2.1] "
                 "+I[2, i, 2, 2.2]");
    rig_close(&r);
}

/* Thousands of keys through a small cache: what has gone makes room. */
TEST(a_cache_stays_small)
{
    rig r;
    rig_open(&r);
    const spec s = {.cached = true, .cache_rows = 10};
    prepare(&r, &s);
    char text[64];
    for (uint32_t i = 0; i < 9000; i++) {
        (void)snprintf(text, sizeof text, "+I[%u, x]", i * 3 + 2);
        rig_rows(&r, 0, text);
    }
    CHECK(!r.failed);
    CHECK_EQ_UINT(questions, 9000);
    /* 4,096 rows that nobody finds any more may stay; where chunks have few rows they take more. */
    CHECK(wr_memtrack_used(r.budget) < (WR_BATCH_ROWS < 64 ? 24u : 8u) << 20);
    rig_close(&r);
}

TEST(every_failed_allocation_is_told)
{
    const spec s = {.outer = true, .cached = true, .cache_rows = 2, .async = true, .capacity = 2};
    rig_check_faults(run, &s);
}

TEST(an_answer_that_does_not_come)
{
    rig r;
    rig_open(&r);
    const spec s = {.async = true, .capacity = 1, .delay = UINT32_MAX, .timeout_ms = 20};
    prepare(&r, &s);
    wr_status status = WR_OK;
    wr_batch *b = wr_batch_acquire(r.pool, 2);
    CHECK_FATAL(b && wr_batch_init_flat(b, &r.inputs[0].schema, 1));
    ((int64_t *)b->cols[0].data)[0] = 1;
    CHECK(wr_vec_set_null(&b->cols[1], 0, b->arena));
    b->row_count = 1;
    status = r.op->ops->on_batch(&r.ctx, r.op, 0, b, &r.emit);
    CHECK(status == WR_OK && r.op->pending && r.op->again_ms > 0);
    wr_os_sleep_ns(30000000);
    r.op->pending = false;
    status = r.op->ops->on_resume(&r.ctx, r.op, &r.emit);
    CHECK_EQ_INT(status, WR_IO);
    CHECK(strstr(r.ctx.err.message, "Async function call has timed out") != NULL);
    rig_close(&r);
}

CHECK_MAIN()
