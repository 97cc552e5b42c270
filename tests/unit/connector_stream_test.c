/* SPDX-License-Identifier: Apache-2.0 */
/* socket, stdin and stdout: records in pieces, PENDING with a descriptor, ends, delimiters, errors.
 * links: format fs */
#include "os/os.h"
#include "unit/table_rig.h"

typedef struct stream {
    rig r;
    const wr_source_ops *ops;
    wr_source_spec spec;
    wr_source_env env;
    wr_reader *reader;
} stream;

static wr_status
stream_open(stream *s, const char *columns)
{
    CHECK(rig_columns(&s->r, columns));
    wr_ctx *ctx = &s->r.ctx;
    WR_TRY(wr_source_find_checked(ctx, &s->r.table, &s->r.table.options, &s->ops));
    WR_TRY(s->ops->describe(ctx, &s->r.table, &s->r.table.options, &s->r.config, s->r.arena,
                            &s->r.source));
    s->spec = rig_spec(&s->r, NULL);
    s->env = (wr_source_env){.arena = s->r.arena, .eval = &s->r.eval, .parallelism = 1};
    WR_TRY(s->ops->open(ctx, &s->spec, &s->env, &s->reader));
    return s->ops->add_split(ctx, s->reader, WR_STR(""), WR_STR(""));
}

/* One poll; rows are appended to the rig's lines. */
static wr_poll
stream_poll(stream *s, uint32_t max_rows)
{
    wr_batch *b = wr_batch_acquire(s->r.pool, s->spec.columns.count);
    wr_poll p = {.kind = WR_POLL_PENDING, .fd = -1};
    CHECK_OK(&s->r.ctx, s->ops->poll(&s->r.ctx, s->reader, b, max_rows, &p));
    CHECK(b->row_count <= max_rows);
    rig_take(&s->r, b);
    wr_batch_release(b);
    return p;
}

static void
send_all(wr_os_file *f, const char *text)
{
    wr_ctx ctx;
    size_t sent;
    wr_os_ready what;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_stream_write(&ctx, f, text, strlen(text), &sent, &what));
    CHECK(sent == strlen(text));
    usleep(2000);
}

/* A server with one connection, and a socket source that is connected to it. */
static void
connect_to(stream *s, wr_os_file *peer, const char *columns, const char *format,
           const char *delimiter)
{
    wr_os_file listener;
    uint16_t port;
    wr_os_ready what = WR_OS_PENDING;
    memset(s, 0, sizeof *s);
    rig_init(&s->r);
    CHECK_OK(&s->r.ctx, wr_os_tcp_listen(&s->r.ctx, "127.0.0.1", 0, &listener, &port));
    wr_str text = wr_arena_printf(s->r.arena, "%u", port);
    RIG_OPTIONS(&s->r, "connector", "socket", "hostname", "127.0.0.1", "port", text.ptr, "format",
                format, "byte-delimiter", delimiter);
    CHECK_OK(&s->r.ctx, stream_open(s, columns));
    for (int i = 0; i < 1000 && what != WR_OS_READY; i++) {
        CHECK_OK(&s->r.ctx, wr_os_tcp_accept(&s->r.ctx, &listener, peer, &what));
        if (what != WR_OS_READY) usleep(1000);
    }
    CHECK(what == WR_OS_READY);
    wr_os_file_close(&listener);
}

TEST(socket_lines)
{
    stream s;
    wr_os_file peer;
    connect_to(&s, &peer, "a INT, b STRING", "csv", "10");
    CHECK(!s.r.source.bounded && s.r.source.parallelism_max == 1);
    wr_poll p = stream_poll(&s, 10);
    CHECK(p.kind == WR_POLL_PENDING && p.fd >= 0);
    send_all(&peer, "1,x\n2,");
    p = stream_poll(&s, 10);
    CHECK(p.kind == WR_POLL_READY);
    CHECK_EQ_STR(rig_rows(&s.r), "+I[1, x]");
    (void)stream_poll(&s, 10);
    CHECK_EQ_UINT(s.r.line_count, 1); /* half a record waits */
    send_all(&peer, "y\n3,z\n4,last");
    for (int i = 0; i < 5; i++) (void)stream_poll(&s, 1);
    CHECK_EQ_STR(rig_rows(&s.r), "+I[1, x]\n+I[2, y]\n+I[3, z]");
    wr_os_file_close(&peer);
    usleep(2000);
    for (int i = 0; i < 10 && p.kind != WR_POLL_END; i++) p = stream_poll(&s, 10);
    CHECK(p.kind == WR_POLL_END);
    CHECK_EQ_STR(rig_rows(&s.r), "+I[1, x]\n+I[2, y]\n+I[3, z]\n+I[4, last]");
    s.ops->close(s.reader);
    rig_deinit(&s.r);
}

TEST(socket_messages_with_another_delimiter)
{
    stream s;
    wr_os_file peer;
    wr_poll p = {.kind = WR_POLL_READY};
    connect_to(&s, &peer, "a INT", "json", "59");
    send_all(&peer, "{\"a\":\n1};{\"a\":2};[{\"a\":3},{\"a\":4}];{\"a\"");
    for (int i = 0; i < 5; i++) (void)stream_poll(&s, 10);
    CHECK_EQ_STR(rig_rows(&s.r), "+I[1]\n+I[2]\n+I[3]\n+I[4]");
    send_all(&peer, ":5}");
    wr_os_file_close(&peer);
    for (int i = 0; i < 20 && p.kind != WR_POLL_END; i++) {
        p = stream_poll(&s, 10);
        usleep(1000);
    }
    CHECK(p.kind == WR_POLL_END);
    CHECK_EQ_STR(rig_rows(&s.r), "+I[1]\n+I[2]\n+I[3]\n+I[4]\n+I[5]");
    s.ops->close(s.reader);
    rig_deinit(&s.r);
}

TEST(socket_errors)
{
    static const struct {
        const char *port, *delimiter, *want;
    } cases[] = {{"0", "10", "option 'port' must be between 1 and 65535, but was 0"},
                 {"1", "256", "option 'byte-delimiter' must be a byte, but was 256"},
                 {"x", "10", "Could not parse value 'x' for key 'port'."}};
    for (uint32_t i = 0; i < WR_COUNT(cases); i++) {
        stream s;
        memset(&s, 0, sizeof s);
        rig_init(&s.r);
        RIG_OPTIONS(&s.r, "connector", "socket", "hostname", "127.0.0.1", "port", cases[i].port,
                    "format", "csv", "byte-delimiter", cases[i].delimiter);
        CHECK(stream_open(&s, "a INT") != WR_OK);
        CHECK_EQ_STR(s.r.ctx.err.message, cases[i].want);
        rig_deinit(&s.r);
    }
    stream s;
    memset(&s, 0, sizeof s);
    rig_init(&s.r);
    RIG_OPTIONS(&s.r, "connector", "socket", "hostname", "127.0.0.1", "port", "1", "format", "csv");
    CHECK(stream_open(&s, "a INT") == WR_IO); /* nobody listens there */
    rig_deinit(&s.r);
}

TEST(stdin_is_a_stream)
{
    int fds[2], keep = dup(0);
    stream s;
    CHECK_FATAL(keep >= 0 && pipe(fds) == 0 && dup2(fds[0], 0) == 0);
    memset(&s, 0, sizeof s);
    rig_init(&s.r);
    RIG_OPTIONS(&s.r, "connector", "stdin", "format", "json");
    CHECK_OK(&s.r.ctx, stream_open(&s, "a INT"));
    CHECK(s.r.source.bounded); /* a pipe has an end */
    CHECK(stream_poll(&s, 10).kind == WR_POLL_PENDING);
    CHECK(write(fds[1], "{\"a\":1}\n{\"a\"", 12) == 12);
    CHECK(stream_poll(&s, 10).kind == WR_POLL_READY);
    CHECK(write(fds[1], ":2}", 3) == 3);
    (void)close(fds[1]);
    wr_poll p = {.kind = WR_POLL_READY};
    for (int i = 0; i < 10 && p.kind != WR_POLL_END; i++) p = stream_poll(&s, 10);
    CHECK(p.kind == WR_POLL_END);
    CHECK_EQ_STR(rig_rows(&s.r), "+I[1]\n+I[2]");
    s.ops->close(s.reader);
    rig_deinit(&s.r);
    (void)close(fds[0]);
    CHECK(dup2(keep, 0) == 0);
    (void)close(keep);
}

TEST(stdout_gets_encoded_rows)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, "a INT, b STRING"));
    RIG_OPTIONS(&r, "connector", "stdout", "format", "json");
    CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){"[1,\"x\"]", "[2,null]"}, 2, false));
    CHECK_EQ_WRSTR(wr_text_str(&r.output), "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":null}\n");
    rig_deinit(&r);
}

CHECK_MAIN()
