/* SPDX-License-Identifier: Apache-2.0 */
/* Clock, process, threads, events, sockets, signals. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os.h"
#include "unit/check.h"

#define MS 1000000ll

TEST(clocks_run_and_can_be_simulated)
{
    int64_t a = wr_os_now_ns();
    wr_os_sleep_ns(2 * MS);
    CHECK(wr_os_now_ns() - a >= 2 * MS);
    CHECK(wr_os_wall_ms() > 1700000000000ll); /* after November 2023 */
    wr_os_clock_simulate(-1500000);           /* before 1970: divisions round down */
    CHECK_EQ_INT(wr_os_wall_ms(), -2);
    CHECK_EQ_INT(wr_os_wall_us(), -1500);
    int64_t mono = wr_os_now_ns();
    wr_os_sleep_ns(3600 * 1000 * MS);
    wr_os_clock_advance(5);
    CHECK_EQ_INT(wr_os_now_ns() - mono, 3600 * 1000 * MS + 5);
    wr_os_clock_real();
    CHECK(wr_os_wall_ms() > 1700000000000ll);
    CHECK(wr_os_thread_cpu_ns() > 0);
}

TEST(process_facts)
{
    wr_ctx ctx;
    char buf[WR_OS_PATH_MAX];
    wr_ctx_init(&ctx);
    CHECK(wr_os_cpu_count() >= 1);
    CHECK(wr_os_memory_bytes() > 64u << 20);
    CHECK(wr_os_rss_bytes() > 100000 && wr_os_rss_bytes() < wr_os_memory_bytes());
    CHECK(wr_os_pid() > 0);
    CHECK_OK(&ctx, wr_os_cwd(&ctx, buf, sizeof buf));
    CHECK(buf[0] == '/');
    CHECK_OK(&ctx, wr_os_hostname(&ctx, buf, sizeof buf));
    CHECK_EQ_INT(wr_os_cwd(&ctx, buf, 1), WR_IO);
    uint64_t a, b;
    wr_os_random(&a, sizeof a);
    wr_os_random(&b, sizeof b);
    CHECK(a != b);
    (void)setenv("WEIR_SEED", "42", 1);
    CHECK_EQ_UINT(wr_os_seed(), 42);
    (void)unsetenv("WEIR_SEED");
    CHECK(wr_os_env("WEIR_SEED") == NULL);
}

/* The level is found out once per process, so each wish is tried in a process of its own. */
static int
isa_level_with(const char *wish)
{
    pid_t child = fork();
    if (child == 0) {
        if (wish)
            (void)setenv("WEIR_ISA", wish, 1);
        else
            (void)unsetenv("WEIR_ISA");
        _exit((int)wr_os_isa_level());
    }
    int how = -1;
    CHECK(child > 0 && waitpid(child, &how, 0) == child && WIFEXITED(how));
    return WEXITSTATUS(how);
}

TEST(the_isa_level_can_be_lowered)
{
    const int best = isa_level_with(NULL);
    CHECK_EQ_INT(isa_level_with("v1"), WR_OS_ISA_V1);
    CHECK_EQ_INT(isa_level_with("v3"), WR_MIN(best, (int)WR_OS_ISA_V3));
    CHECK_EQ_INT(isa_level_with("v4"), best); /* a wish raises nothing */
}

typedef struct ring { /* one producer, one consumer */
    uint64_t head, tail, items[8];
    wr_os_event not_empty, not_full;
} ring;

static void
produce(void *arg)
{
    ring *r = arg;
    for (uint64_t i = 1; i <= 20000; i++) {
        while (r->head - wr_os_load(&r->tail) == 8) (void)wr_os_event_wait(&r->not_full, -1);
        r->items[r->head & 7] = i;
        wr_os_store(&r->head, r->head + 1);
        wr_os_event_set(&r->not_empty);
    }
}

TEST(events_lose_no_wakeup)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    ring r = {0};
    wr_os_event_init(&r.not_empty);
    wr_os_event_init(&r.not_full);
    wr_os_thread t;
    CHECK_OK(&ctx, wr_os_thread_start(&ctx, &t, "a long thread name", produce, &r));
    uint64_t sum = 0;
    for (uint64_t n = 0; n < 20000;) {
        if (wr_os_load(&r.head) == r.tail) {
            CHECK_FATAL(wr_os_event_wait(&r.not_empty, 20000 * MS));
            continue;
        }
        sum += r.items[r.tail & 7];
        wr_os_store(&r.tail, r.tail + 1);
        wr_os_event_set(&r.not_full);
        n++;
    }
    wr_os_thread_join(&t);
    CHECK_EQ_UINT(sum, 20000ull * 20001 / 2);
    (void)wr_os_event_wait(&r.not_empty, 0);
    CHECK(!wr_os_event_wait(&r.not_empty, 0));
    CHECK(!wr_os_event_wait(&r.not_empty, MS));
    wr_os_event_set(&r.not_empty);
    wr_os_event_set(&r.not_empty);
    CHECK(wr_os_event_wait(&r.not_empty, -1));
    CHECK(!wr_os_event_wait(&r.not_empty, 0));
    wr_os_event_deinit(&r.not_empty);
    wr_os_event_deinit(&r.not_full);
}

TEST(conditions_time_out)
{
    wr_os_mutex m;
    wr_os_cond c;
    wr_os_mutex_init(&m);
    wr_os_cond_init(&c);
    wr_os_mutex_lock(&m);
    int64_t start = wr_os_now_ns();
    CHECK(!wr_os_cond_wait_for(&c, &m, 5 * MS));
    CHECK(wr_os_now_ns() - start >= 5 * MS);
    wr_os_mutex_unlock(&m);
    wr_os_cond_deinit(&c);
    wr_os_mutex_deinit(&m);
}

/* Waits until `f` is readable and reads; 0 at the end. */
static size_t
read_some(wr_ctx *ctx, wr_os_file *f, char *out, size_t cap)
{
    for (int tries = 0; tries < 100; tries++) {
        size_t got = 0;
        wr_os_ready what;
        CHECK_OK(ctx, wr_os_stream_read(ctx, f, out, cap, &got, &what));
        if (what != WR_OS_PENDING) return got;
        wr_os_poll_item item = {f, WR_OS_POLL_IN, 0};
        uint32_t ready;
        CHECK_OK(ctx, wr_os_poll(ctx, &item, 1, 1000, &ready));
    }
    CHECK_MSG(false, "nothing came");
    return 0;
}

TEST(tcp_over_loopback)
{
    wr_ctx ctx;
    wr_os_file listener, client, server;
    wr_os_ready what;
    uint16_t port = 0;
    size_t n = 0;
    char buf[64];
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_tcp_listen(&ctx, "127.0.0.1", 0, &listener, &port));
    CHECK_FATAL(port != 0);
    CHECK_OK(&ctx, wr_os_tcp_accept(&ctx, &listener, &server, &what));
    CHECK_EQ_INT(what, WR_OS_PENDING);
    CHECK_OK(&ctx, wr_os_tcp_connect(&ctx, "127.0.0.1", port, 1000, &client));
    wr_os_poll_item item = {&listener, WR_OS_POLL_IN, 0};
    uint32_t ready;
    CHECK_OK(&ctx, wr_os_poll(&ctx, &item, 1, 5000, &ready));
    CHECK_OK(&ctx, wr_os_tcp_accept(&ctx, &listener, &server, &what));
    CHECK_FATAL(what == WR_OS_READY);
    CHECK_OK(&ctx, wr_os_stream_read(&ctx, &server, buf, sizeof buf, &n, &what));
    CHECK_EQ_INT(what, WR_OS_PENDING);
    CHECK_OK(&ctx, wr_os_stream_write(&ctx, &client, "ping", 4, &n, &what));
    CHECK_EQ_INT(n, 4);
    n = read_some(&ctx, &server, buf, sizeof buf);
    CHECK_EQ_BYTES(buf, n, "ping");
    wr_os_file_close(&client);
    CHECK_EQ_INT(read_some(&ctx, &server, buf, sizeof buf), 0);
    wr_os_file_close(&server);
    wr_os_file_close(&listener);
    CHECK_EQ_INT(wr_os_tcp_connect(&ctx, "127.0.0.1", port, 1000, &client), WR_IO);
    CHECK(strstr(ctx.err.message, "Connection refused") != NULL);
}

TEST(wakers_are_readable_until_cleared)
{
    wr_ctx ctx;
    wr_os_waker w;
    uint32_t ready;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_waker_init(&ctx, &w));
    wr_os_poll_item items[2] = {{NULL, WR_OS_POLL_IN, 0}, {&w.file, WR_OS_POLL_IN, 0}};
    CHECK_OK(&ctx, wr_os_poll(&ctx, items, 2, 0, &ready));
    CHECK_EQ_INT(ready, 0);
    wr_os_waker_set(&w);
    wr_os_waker_set(&w);
    CHECK_OK(&ctx, wr_os_poll(&ctx, items, 2, 5000, &ready));
    CHECK_EQ_INT(ready, 1);
    CHECK_EQ_INT(items[1].got, WR_OS_POLL_IN);
    wr_os_waker_clear(&w);
    wr_os_waker_clear(&w);
    CHECK_OK(&ctx, wr_os_poll(&ctx, items, 2, 0, &ready));
    CHECK_EQ_INT(ready, 0);
    wr_os_waker_deinit(&w);
}

TEST(signals_set_the_cancel_flag)
{
    wr_os_signals_install();
    const volatile int *flag = wr_os_cancel_flag();
    CHECK_EQ_INT(*flag, 0);
    (void)raise(SIGTERM);
    CHECK(*flag != 0);
    CHECK_EQ_INT(wr_os_signal_last(), SIGTERM);
    wr_os_cancel_clear();
    CHECK_EQ_INT(*flag, 0);
    CHECK(!wr_os_resized());
    (void)raise(SIGWINCH);
    CHECK(wr_os_resized());
    CHECK(!wr_os_resized());
    (void)raise(SIGPIPE); /* ignored */
}

TEST(standard_streams)
{
    wr_os_file err = wr_os_stderr();
    CHECK_EQ_STR(err.name, "standard error");
    CHECK_EQ_INT(wr_os_stdin().fd, 0);
    CHECK_EQ_INT(wr_os_stdout().fd, 1);
    uint32_t columns, rows;
    wr_os_terminal_size(&columns, &rows);
    CHECK(columns > 0 && rows > 0);
    wr_os_file null = {.fd = -1};
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_file_open(&ctx, "/dev/null", WR_OS_READ, &null));
    CHECK(!wr_os_is_terminal(&null));
    wr_os_file_close(&null);
}

CHECK_MAIN()
