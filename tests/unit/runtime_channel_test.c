/* SPDX-License-Identifier: Apache-2.0 */
/* Channels: order through ring and overflow, the full mark, wake-ups of either side by the other;
 * merging of event time. */
#include "runtime/runtime_int.h"
#include "unit/check.h"

typedef struct pair { /* two tasks on two workers and a channel between them */
    wr_job job;
    wri_worker workers[2];
    wri_task tasks[2];
    wri_channel channel;
    wr_ctx ctx;
} pair;

static void
pair_open(pair *p, bool local)
{
    memset(p, 0, sizeof *p);
    wr_ctx_init(&p->ctx);
    for (int i = 0; i < 2; i++) {
        p->workers[i].job = &p->job;
        wr_os_event_init(&p->workers[i].event);
        p->tasks[i].job = &p->job;
        p->tasks[i].worker = &p->workers[local ? 0 : i];
    }
    p->channel.from = &p->tasks[0];
    p->channel.to = &p->tasks[1];
    p->channel.local = local;
}

static void
pair_close(pair *p)
{
    wri_channel_deinit(&p->channel, NULL);
    for (int i = 0; i < 2; i++) wr_os_event_deinit(&p->workers[i].event);
}

static wri_msg
mark(int64_t n)
{
    return (wri_msg){.kind = WRI_MSG_WATERMARK, .watermark = n};
}

static void
check_order(bool local)
{
    static pair p;
    wri_msg m;
    pair_open(&p, local);
    for (int64_t i = 0; i < 100; i++)
        CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, mark(i)));
    CHECK_EQ_INT(p.job.inflight, 100);
    CHECK(wri_channel_full(&p.channel));
    CHECK_EQ_UINT(p.channel.over.count, 100 - WRI_RING);
    for (int64_t i = 0; i < 100; i++) {
        if (i && i % WRI_RING == 0) CHECK(wri_channel_flush(&p.channel));
        CHECK(wri_channel_pop(&p.channel, &m));
        CHECK_EQ_INT(m.watermark, i);
    }
    CHECK(!wri_channel_pop(&p.channel, &m));
    CHECK(!wri_channel_full(&p.channel));
    CHECK(!wri_channel_flush(&p.channel));
    pair_close(&p);
}

TEST(order_is_kept_through_the_overflow)
{
    check_order(false);
    check_order(true);
}

TEST(full_begins_at_the_capacity)
{
    static pair p;
    wri_msg m;
    pair_open(&p, false);
    for (uint32_t i = 0; i < WR_CHANNEL_CAPACITY; i++) {
        CHECK(!wri_channel_full(&p.channel));
        CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, mark(i)));
    }
    CHECK(wri_channel_full(&p.channel));
    CHECK(wri_channel_pop(&p.channel, &m));
    CHECK(!wri_channel_full(&p.channel));
    pair_close(&p);
}

TEST(a_writer_that_waits_is_woken_when_half_is_free)
{
    static pair p;
    wri_msg m;
    pair_open(&p, false);
    for (uint32_t i = 0; i < WR_CHANNEL_CAPACITY; i++)
        CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, mark(i)));
    CHECK(wr_os_event_wait(&p.workers[1].event, 0)); /* the reader was */
    CHECK(!wr_os_event_wait(&p.workers[0].event, 0));
    CHECK(wri_channel_full(&p.channel));
    uint32_t popped = 0;
    while (!wr_os_event_wait(&p.workers[0].event, 0)) {
        CHECK_FATAL(wri_channel_pop(&p.channel, &m));
        popped++;
    }
    CHECK_EQ_UINT(popped, WR_CHANNEL_CAPACITY - WR_CHANNEL_CAPACITY / 2);
    while (wri_channel_pop(&p.channel, &m)) {
    }
    CHECK(!wr_os_event_wait(&p.workers[0].event, 0)); /* once */
    pair_close(&p);
}

static wri_msg
barrier(int64_t n)
{
    return (wri_msg){.kind = WRI_MSG_BARRIER, .watermark = n};
}

static void
check_next(pair *p, wri_msg_kind kind, int64_t n)
{
    wri_msg m = {0};
    if (!wri_channel_pop(&p->channel, &m)) {
        (void)wri_channel_flush(&p->channel);
        CHECK(wri_channel_pop(&p->channel, &m));
    }
    CHECK_EQ_INT(m.kind, kind);
    CHECK_EQ_INT(m.watermark, n);
}

/* A barrier that overtakes finds room behind what the ring holds, ahead of what waits. */
TEST(a_barrier_overtakes_what_waits_behind_the_ring)
{
    static pair p;
    uint32_t passed = 99;
    pair_open(&p, false);
    CHECK_OK(&p.ctx, wri_channel_overtake(&p.ctx, &p.channel, barrier(1), &passed));
    CHECK_EQ_UINT(passed, 0);
    for (int64_t i = 0; i < WRI_RING + 4; i++)
        CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, mark(i)));
    CHECK_EQ_UINT(p.channel.over.count, 5);
    CHECK_OK(&p.ctx, wri_channel_overtake(&p.ctx, &p.channel, barrier(2), &passed));
    CHECK_EQ_UINT(passed, 5);
    CHECK_EQ_UINT(p.channel.over.count, 5); /* it is in the ring */
    CHECK_EQ_INT(p.job.inflight, WRI_RING + 6);
    check_next(&p, WRI_MSG_BARRIER, 1);
    for (int64_t i = 0; i < WRI_RING - 1; i++) check_next(&p, WRI_MSG_WATERMARK, i);
    check_next(&p, WRI_MSG_BARRIER, 2);
    for (int64_t i = WRI_RING - 1; i < WRI_RING + 4; i++) check_next(&p, WRI_MSG_WATERMARK, i);
    pair_close(&p);
}

/* An aligned barrier that waits goes ahead later, of the same messages. */
TEST(a_barrier_that_waits_is_pulled_ahead)
{
    static pair p;
    uint32_t before = 0;
    pair_open(&p, false);
    for (int64_t i = 0; i < WRI_RING + 3; i++)
        CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, mark(i)));
    CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, barrier(7)));
    CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, mark(100)));
    CHECK(!wri_channel_holds(&p.channel, 6, &before));
    CHECK(wri_channel_holds(&p.channel, 7, &before));
    CHECK_EQ_UINT(before, 3);
    CHECK(wri_channel_pull(&p.channel, before));
    CHECK(!wri_channel_holds(&p.channel, 7, &before));
    for (int64_t i = 0; i < WRI_RING; i++) check_next(&p, WRI_MSG_WATERMARK, i);
    check_next(&p, WRI_MSG_BARRIER, 7);
    for (int64_t i = 0; i < 3; i++) check_next(&p, WRI_MSG_WATERMARK, WRI_RING + i);
    check_next(&p, WRI_MSG_WATERMARK, 100);
    pair_close(&p);
}

/* Barriers keep their order: one that waits is not overtaken, only what lies behind it. */
TEST(a_barrier_does_not_overtake_a_barrier)
{
    static pair p;
    uint32_t passed = 0;
    pair_open(&p, true);
    for (int64_t i = 0; i < WRI_RING + 2; i++)
        CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, mark(i)));
    CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, barrier(1)));
    for (int64_t i = 100; i < 120; i++)
        CHECK_OK(&p.ctx, wri_channel_push(&p.ctx, &p.channel, mark(i)));
    CHECK_OK(&p.ctx, wri_channel_overtake(&p.ctx, &p.channel, barrier(2), &passed));
    CHECK_EQ_UINT(passed, 20);
    for (int64_t i = 0; i < WRI_RING + 2; i++) check_next(&p, WRI_MSG_WATERMARK, i);
    check_next(&p, WRI_MSG_BARRIER, 1);
    check_next(&p, WRI_MSG_BARRIER, 2);
    for (int64_t i = 100; i < 120; i++) check_next(&p, WRI_MSG_WATERMARK, i);
    pair_close(&p);
}

/* One thread writes as long as it may and waits; the other reads and waits. Waits have no timeout
 * here, so a lost wake-up would hang (the alarm is the test runner's). */
#define STORM 200000
static void
write_storm(void *arg)
{
    pair *p = arg;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    for (int64_t i = 0; i < STORM;) {
        if (wri_channel_full(&p->channel)) {
            (void)wr_os_event_wait(&p->workers[0].event, -1);
            continue;
        }
        (void)!wri_channel_push(&ctx, &p->channel, mark(i++));
        if (i % 1000 == 0) /* past the full mark */
            for (int k = 0; k < 20 && i < STORM; k++)
                (void)!wri_channel_push(&ctx, &p->channel, mark(i++));
    }
    while (p->channel.over.count)
        if (!wri_channel_flush(&p->channel) && wri_channel_full(&p->channel))
            (void)wr_os_event_wait(&p->workers[0].event, -1);
}

TEST(no_wake_up_is_lost)
{
    static pair p;
    wr_os_thread thread;
    wri_msg m;
    int64_t next = 0;
    pair_open(&p, false);
    CHECK_OK(&p.ctx, wr_os_thread_start(&p.ctx, &thread, "writer", write_storm, &p));
    while (next < STORM) {
        if (!wri_channel_pop(&p.channel, &m)) {
            (void)wr_os_event_wait(&p.workers[1].event, -1);
            continue;
        }
        if (m.watermark != next) CHECK_EQ_INT(m.watermark, next);
        next++;
    }
    wr_os_thread_join(&thread);
    pair_close(&p);
}

/* ---- event time ------------------------------------------------------------------------------ */

#define NONE INT64_MIN
#define LAST INT64_MAX

TEST(an_operator_has_the_lowest_watermark_of_the_active)
{
    bool idle;
    wri_wm_input in[3] = {{.watermark = 5}, {.watermark = 9}, {.watermark = NONE}};
    CHECK_EQ_INT(wri_watermark_merge(in, 3, NONE, &idle), NONE);
    in[2].watermark = 7;
    CHECK_EQ_INT(wri_watermark_merge(in, 3, NONE, &idle), 5);
    in[0].idle = true;
    CHECK_EQ_INT(wri_watermark_merge(in, 3, 5, &idle), 7);
    CHECK(!idle);
    in[0].idle = false; /* came back behind: nothing goes back, and it holds the others */
    in[1].watermark = in[2].watermark = 20;
    CHECK_EQ_INT(wri_watermark_merge(in, 3, 7, &idle), 7);
    in[0].ended = true;
    CHECK_EQ_INT(wri_watermark_merge(in, 3, 7, &idle), 20);
    in[1].ended = in[2].ended = true;
    CHECK_EQ_INT(wri_watermark_merge(in, 3, 20, &idle), LAST);
}

/* T077 of the traps: the end of one input must not overtake an idle one. */
TEST(an_ended_input_does_not_end_idle_ones)
{
    bool idle;
    wri_wm_input in[2] = {{.watermark = LAST, .ended = true}, {.watermark = 10, .idle = true}};
    CHECK_EQ_INT(wri_watermark_merge(in, 2, 10, &idle), 10);
    CHECK(idle);
    CHECK_EQ_INT(wri_channels_merge(in, 2, 10, &idle), 10);
    CHECK(idle);
    in[1].idle = false;
    in[1].watermark = 12;
    CHECK_EQ_INT(wri_watermark_merge(in, 2, 10, &idle), 12);
    CHECK(!idle);
}

TEST(channels_that_come_back_behind_do_not_hold_others)
{
    bool idle;
    wri_wm_input in[2] = {{.watermark = 3, .idle = true}, {.watermark = 10}};
    CHECK_EQ_INT(wri_channels_merge(in, 2, 3, &idle), 10);
    in[0].idle = false;
    in[1].watermark = 15;
    CHECK_EQ_INT(wri_channels_merge(in, 2, 10, &idle), 15);
    in[0].watermark = 16; /* has caught up: counts again */
    in[1].watermark = 30;
    CHECK_EQ_INT(wri_channels_merge(in, 2, 15, &idle), 16);
}

TEST(when_all_channels_are_idle_the_highest_goes_out)
{
    bool idle;
    wri_wm_input in[3] = {
        {.watermark = 5, .idle = true}, {.watermark = 9, .idle = true}, {.watermark = 7}};
    CHECK_EQ_INT(wri_channels_merge(in, 3, 5, &idle), 7);
    in[2].idle = true;
    CHECK_EQ_INT(wri_channels_merge(in, 3, 7, &idle), 9);
    CHECK(idle);
}

CHECK_MAIN()
