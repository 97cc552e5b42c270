/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed timers against a naive list, restored at any parallelism.
 * links: op state */
#include "op/timers_int.h"
#include "unit/op_rig_restart.h"

typedef struct timer_op { /* an operator that has nothing but timers */
    wr_op op;
    wri_timers timers;
} timer_op;
static bool processing;

static wr_status
timer_open(wr_ctx *ctx, wr_op *op)
{
    return wri_timers_open(ctx, op, "timers", processing, &((timer_op *)op)->timers);
}
static wr_status
timer_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    (void)in;
    return wri_timers_restore(ctx, &((timer_op *)op)->timers);
}
static void
timer_close(wr_op *op)
{
    wri_timers_close(&((timer_op *)op)->timers);
}
static const wr_op_ops timer_ops = {.abi = WR_ABI,
                                    .name = "Timers",
                                    .size_bytes = sizeof(timer_op),
                                    .open = timer_open,
                                    .on_barrier = wr_op_pass_barrier,
                                    .snapshot = wr_op_no_snapshot,
                                    .restore = timer_restore,
                                    .close = timer_close};

static void
open_timers(rig *r)
{
    rig_open(r);
    r->checked = false;
    r->plain_ops = &timer_ops;
    rig_start(r);
}
static wri_timers *
timers_of(rig *r)
{
    return &((timer_op *)r->op)->timers;
}

static wri_timer
timer_of(uint32_t key, int64_t time, const char *space)
{
    static char names[64][16];
    char *name = names[key % 64];
    (void)snprintf(name, sizeof names[0], "key%u", key);
    return (wri_timer){.time = time,
                       .hash = wr_hash_bytes(name, strlen(name), 1),
                       .key = (const uint8_t *)name,
                       .key_len = (uint32_t)strlen(name),
                       .space = (const uint8_t *)space,
                       .space_len = (uint32_t)strlen(space)};
}

/* The timers due at `now` as text, in pieces of `max`. */
static void
print_due(rig *r, int64_t now, uint32_t max, wr_text *out)
{
    for (uint32_t count = max; count == max;) {
        wri_timer *due = NULL;
        CHECK_OK(&r->ctx, wri_timers_due(&r->ctx, timers_of(r), now, max, r->arena, &due, &count));
        for (uint32_t i = 0; i < count; i++)
            wr_text_printf(out, "%s%lld:%.*s:%.*s", out->len ? " " : "", (long long)due[i].time,
                           (int)due[i].key_len, due[i].key, (int)due[i].space_len, due[i].space);
    }
}
static const char *
due_text(rig *r, int64_t now, uint32_t max)
{
    wr_text t;
    wr_text_init(&t, r->arena);
    print_due(r, now, max, &t);
    wr_text_putc(&t, 0);
    return t.ptr;
}

TEST(due_in_order_of_time)
{
    rig r;
    open_timers(&r);
    const wri_timer set[] = {timer_of(1, 50, "a"), timer_of(1, -7, ""),  timer_of(1, 50, "b"),
                             timer_of(1, 50, "a"), timer_of(1, 300, ""), timer_of(1, 51, "")};
    CHECK_EQ_INT(wri_timers_next(timers_of(&r)), INT64_MAX);
    CHECK_EQ_STR(due_text(&r, INT64_MAX, 4), "");
    for (uint32_t i = 0; i < WR_COUNT(set); i++)
        CHECK_OK(&r.ctx, wri_timers_set(&r.ctx, timers_of(&r), &set[i]));
    CHECK_EQ_INT(wri_timers_next(timers_of(&r)), -7);
    CHECK_OK(&r.ctx, wri_timers_delete(&r.ctx, timers_of(&r), &set[1]));
    CHECK_OK(&r.ctx, wri_timers_delete(&r.ctx, timers_of(&r), &set[1]));
    CHECK_EQ_INT(wri_timers_next(timers_of(&r)), 50);
    CHECK_EQ_STR(due_text(&r, 49, 4), "");
    CHECK_EQ_STR(due_text(&r, 51, 1), "50:key1:a 50:key1:b 51:key1:");
    CHECK_EQ_INT(wri_timers_next(timers_of(&r)), 300);
    CHECK_EQ_STR(due_text(&r, 300, 100), "300:key1:");
    CHECK_EQ_INT(wri_timers_next(timers_of(&r)), INT64_MAX);
    rig_close(&r);
}

/* ---- at random, against a list --------------------------------------------------------------- */
typedef struct naive {
    wri_timer list[4096];
    uint32_t n;
} naive;
static uint64_t seed;

static uint32_t
rnd(uint32_t n)
{
    seed = wr_hash_u64(seed + 1);
    return (uint32_t)(seed % n);
}

static int
compare(const wri_timer *a, const wri_timer *b)
{
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    const uint32_t x = wr_key_group(a->hash, 128), y = wr_key_group(b->hash, 128);
    if (x != y) return x < y ? -1 : 1;
    if (a->key_len != b->key_len) return a->key_len < b->key_len ? -1 : 1;
    const int key = memcmp(a->key, b->key, a->key_len);
    if (key) return key;
    return strcmp((const char *)a->space, (const char *)b->space);
}

static uint32_t
find(const naive *m, const wri_timer *t)
{
    uint32_t i = 0;
    while (i < m->n && compare(&m->list[i], t) != 0) i++;
    return i;
}

/* Those of subtask `side` of `parallelism`. */
static const char *
naive_due(naive *m, rig *r, int64_t now, uint32_t side, uint32_t parallelism)
{
    wr_text t;
    wr_text_init(&t, r->arena);
    for (;;) {
        uint32_t best = m->n;
        for (uint32_t i = 0; i < m->n; i++) {
            const uint32_t of = wr_key_group(m->list[i].hash, 128) * parallelism / 128;
            if (m->list[i].time > now || of != side) continue;
            if (best == m->n || compare(&m->list[i], &m->list[best]) < 0) best = i;
        }
        if (best == m->n) break;
        wr_text_printf(&t, "%s%lld:%.*s:%s", t.len ? " " : "", (long long)m->list[best].time,
                       (int)m->list[best].key_len, m->list[best].key, m->list[best].space);
        m->list[best] = m->list[--m->n];
    }
    wr_text_putc(&t, 0);
    return t.ptr;
}

static void
change(rig *r, naive *m)
{
    static const char *const spaces[] = {"", "w", "window 2"};
    const wri_timer t = timer_of(rnd(40), (int64_t)rnd(60) - 20, spaces[rnd(3)]);
    const uint32_t at = find(m, &t);
    if (rnd(3) == 0) {
        CHECK_OK(&r->ctx, wri_timers_delete(&r->ctx, timers_of(r), &t));
        if (at < m->n) m->list[at] = m->list[--m->n];
        return;
    }
    CHECK_OK(&r->ctx, wri_timers_set(&r->ctx, timers_of(r), &t));
    if (at == m->n) m->list[m->n++] = t;
}

TEST(as_a_list_would_say)
{
    static naive m;
    for (seed = 1; seed < 9; seed++) {
        rig r;
        m.n = 0;
        open_timers(&r);
        for (int step = 0; step < 40; step++) {
            for (uint32_t i = rnd(30); i > 0; i--) change(&r, &m);
            if (rnd(4) == 0) rig_restart(&r);
            const int64_t now = (int64_t)rnd(50) - 20;
            const char *want = naive_due(&m, &r, now, 0, 1);
            CHECK_EQ_STR(due_text(&r, now, 1 + rnd(9)), want);
        }
        rig_close(&r);
    }
}

TEST(shared_out_by_key_group)
{
    static naive m;
    rig r;
    rig_pair pair;
    m.n = 0;
    seed = 5;
    open_timers(&r);
    for (int i = 0; i < 300; i++) change(&r, &m);
    rig_split(&r, &pair);
    for (uint32_t side = 0; side < 2; side++) {
        rig_select(&r, &pair, side);
        const char *want = naive_due(&m, &r, 20, side, 2);
        CHECK(strlen(want) > 100);
        CHECK_EQ_STR(due_text(&r, 20, 7), want);
    }
    rig_unsplit(&r, &pair);
    rig_close(&r);
}

TEST(processing_time_is_asked_for_again)
{
    rig r;
    processing = true;
    open_timers(&r);
    const wri_timer late = timer_of(3, 900, ""), soon = timer_of(4, 100, "");
    CHECK_OK(&r.ctx, wri_timers_set(&r.ctx, timers_of(&r), &late));
    CHECK_EQ_INT(r.timer_ms, 900);
    CHECK_OK(&r.ctx, wri_timers_set(&r.ctx, timers_of(&r), &soon));
    CHECK_EQ_INT(r.timer_ms, 100);
    r.timer_ms = 0;
    rig_restart(&r);
    CHECK_EQ_INT(r.timer_ms, 100);
    r.timer_ms = 0;
    CHECK_EQ_STR(due_text(&r, 100, 8), "100:key4:");
    CHECK_EQ_INT(r.timer_ms, 900);
    rig_close(&r);
    processing = false;
}

TEST(every_allocation_fails_once)
{
    for (uint32_t nth = 1, hit = 1; hit; nth++) {
        rig r;
        open_timers(&r);
        seed = 3;
        wr_mem_fail_after(nth);
        wr_status status = WR_OK;
        for (uint32_t i = 0; i < 60 && status == WR_OK; i++) {
            const wri_timer t = timer_of(rnd(40), (int64_t)rnd(60), "a name that is not short");
            status = wri_timers_set(&r.ctx, timers_of(&r), &t);
        }
        wri_timer *due;
        uint32_t count;
        if (status == WR_OK)
            status = wri_timers_due(&r.ctx, timers_of(&r), 99, 100, r.arena, &due, &count);
        hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        CHECK_EQ_INT(status, hit ? WR_NOMEM : WR_OK);
        rig_close(&r);
    }
}

CHECK_MAIN()
