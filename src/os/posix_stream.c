/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that may have nothing yet: standard streams, terminals, TCP, polling, wakers. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "os/os_int.h"

/* ---- standard streams and terminals ---------------------------------------------------------- */

wr_os_file
wr_os_stdin(void)
{
    return (wr_os_file){STDIN_FILENO, "standard input"};
}

wr_os_file
wr_os_stdout(void)
{
    return (wr_os_file){STDOUT_FILENO, "standard output"};
}

wr_os_file
wr_os_stderr(void)
{
    return (wr_os_file){STDERR_FILENO, "standard error"};
}

bool
wr_os_is_terminal(const wr_os_file *f)
{
    return isatty(f->fd) == 1;
}

void
wr_os_terminal_size(uint32_t *columns, uint32_t *rows)
{
    struct winsize ws;
    bool ok = ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0 && ws.ws_row > 0;
    *columns = ok ? ws.ws_col : 80;
    *rows = ok ? ws.ws_row : 24;
}

_Static_assert(sizeof(struct termios) <= sizeof(((wr_os_terminal *)0)->saved), "room for termios");

wr_status
wr_os_terminal_raw(wr_ctx *ctx, wr_os_terminal *t)
{
    t->raw = false;
    WR_TRY(wri_os_inject(ctx, "set up", "terminal"));
    struct termios now;
    if (tcgetattr(STDIN_FILENO, &now) != 0) return wri_os_raise(ctx, errno, "set up", "terminal");
    memcpy(t->saved, &now, sizeof now);
    now.c_iflag &= (tcflag_t) ~(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    now.c_lflag &= (tcflag_t) ~(ECHO | ICANON | IEXTEN | ISIG);
    now.c_cflag |= CS8;
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSADRAIN, &now) != 0)
        return wri_os_raise(ctx, errno, "set up", "terminal");
    t->raw = true;
    return WR_OK;
}

void
wr_os_terminal_restore(wr_os_terminal *t)
{
    if (!t->raw) return;
    struct termios saved;
    memcpy(&saved, t->saved, sizeof saved);
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
    t->raw = false;
}

/* ---- reading and writing without blocking ---------------------------------------------------- */

/* Is there something to read, or room to write? Handles of others (standard input) stay blocking;
 * asking first keeps the call from blocking. */
static bool
is_ready(int fd, short events)
{
    struct pollfd p = {fd, events, 0};
    return poll(&p, 1, 0) > 0;
}

wr_status
wr_os_stream_read(wr_ctx *ctx, wr_os_file *f, void *out, size_t bytes, size_t *got,
                  wr_os_ready *what)
{
    *got = 0;
    *what = WR_OS_PENDING;
    WR_TRY(wri_os_inject(ctx, "read", f->name));
    if (!is_ready(f->fd, POLLIN)) return WR_OK;
    ssize_t n = read(f->fd, out, bytes);
    if (n > 0) {
        *got = (size_t)n;
        *what = WR_OS_READY;
    } else if (n == 0) {
        *what = WR_OS_END;
    } else if (errno != EAGAIN && errno != EINTR) {
        return wri_os_raise(ctx, errno, "read", f->name);
    }
    return WR_OK;
}

wr_status
wr_os_stream_write(wr_ctx *ctx, wr_os_file *f, const void *p, size_t bytes, size_t *sent,
                   wr_os_ready *what)
{
    *sent = 0;
    *what = WR_OS_PENDING;
    WR_TRY(wri_os_inject(ctx, "write", f->name));
    if (!is_ready(f->fd, POLLOUT)) return WR_OK;
    ssize_t n = send(f->fd, p, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == ENOTSOCK) n = write(f->fd, p, bytes);
    if (n >= 0) {
        *sent = (size_t)n;
        *what = WR_OS_READY;
    } else if (errno == EPIPE || errno == ECONNRESET) {
        *what = WR_OS_END;
    } else if (errno != EAGAIN && errno != EINTR) {
        return wri_os_raise(ctx, errno, "write", f->name);
    }
    return WR_OK;
}

bool
wr_os_stream_reader_gone(const wr_os_file *f)
{
    struct pollfd p = {f->fd, POLLOUT, 0};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLERR) != 0;
}

/* ---- TCP ------------------------------------------------------------------------------------- */

static bool
set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

static wr_status
resolve(wr_ctx *ctx, const char *host, uint16_t port, int flags, const char *name,
        struct addrinfo **out)
{
    char service[8];
    (void)snprintf(service, sizeof service, "%u", port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    hints.ai_flags = flags | AI_NUMERICSERV;
    int rc = getaddrinfo(host, service, &hints, out);
    if (rc == 0) return WR_OK;
    return wr_raise(ctx, rc == EAI_MEMORY ? WR_NOMEM : WR_IO, "cannot find '%s': %s", name,
                    gai_strerror(rc));
}

/* 0 when connected, else the system's error. */
static int
connect_one(int fd, const struct addrinfo *ai, int64_t timeout_ms)
{
    if (!set_nonblocking(fd)) return errno;
    if (connect(fd, ai->ai_addr, ai->ai_addrlen) == 0) return 0;
    if (errno != EINPROGRESS) return errno;
    struct pollfd p = {fd, POLLOUT, 0};
    int rc = poll(&p, 1, timeout_ms < 0 ? -1 : (int)WR_MIN(timeout_ms, (int64_t)INT32_MAX));
    if (rc == 0) return ETIMEDOUT;
    if (rc < 0) return errno;
    int error = 0;
    socklen_t len = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 ? error : errno;
}

wr_status
wr_os_tcp_connect(wr_ctx *ctx, const char *host, uint16_t port, int64_t timeout_ms, wr_os_file *out)
{
    out->fd = -1;
    (void)snprintf(out->name, sizeof out->name, "%s:%u", host, port);
    WR_TRY(wri_os_inject(ctx, "connect to", out->name));
    struct addrinfo *list = NULL;
    WR_TRY(resolve(ctx, host, port, 0, out->name, &list));
    int error = EADDRNOTAVAIL, on = 1;
    for (struct addrinfo *ai = list; ai; ai = ai->ai_next) {
        int fd = socket(ai->ai_family, ai->ai_socktype | SOCK_CLOEXEC, ai->ai_protocol);
        if (fd < 0) {
            error = errno;
            continue;
        }
        error = connect_one(fd, ai, timeout_ms);
        if (error == 0) {
            (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            out->fd = fd;
            break;
        }
        (void)close(fd);
    }
    freeaddrinfo(list);
    return out->fd >= 0 ? WR_OK : wri_os_raise(ctx, error, "connect to", out->name);
}

/* 0 when listening, else the system's error. */
static int
listen_one(int fd, const struct addrinfo *ai)
{
    int on = 1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, ai->ai_addr, ai->ai_addrlen) != 0) return errno;
    if (listen(fd, 128) != 0) return errno;
    return set_nonblocking(fd) ? 0 : errno;
}

static uint16_t
local_port(int fd)
{
    struct sockaddr_storage addr;
    socklen_t len = sizeof addr;
    memset(&addr, 0, sizeof addr);
    if (getsockname(fd, (struct sockaddr *)&addr, &len) != 0) return 0;
    if (addr.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&addr)->sin6_port);
    return ntohs(((struct sockaddr_in *)&addr)->sin_port);
}

wr_status
wr_os_tcp_listen(wr_ctx *ctx, const char *host, uint16_t port, wr_os_file *out, uint16_t *port_out)
{
    out->fd = -1;
    (void)snprintf(out->name, sizeof out->name, "%s:%u", host, port);
    WR_TRY(wri_os_inject(ctx, "listen on", out->name));
    struct addrinfo *list = NULL;
    WR_TRY(resolve(ctx, host, port, AI_PASSIVE, out->name, &list));
    int error = EADDRNOTAVAIL;
    for (struct addrinfo *ai = list; ai && out->fd < 0; ai = ai->ai_next) {
        int fd = socket(ai->ai_family, ai->ai_socktype | SOCK_CLOEXEC, ai->ai_protocol);
        if (fd < 0) {
            error = errno;
            continue;
        }
        error = listen_one(fd, ai);
        if (error == 0)
            out->fd = fd;
        else
            (void)close(fd);
    }
    freeaddrinfo(list);
    if (out->fd < 0) return wri_os_raise(ctx, error, "listen on", out->name);
    if (port_out) *port_out = local_port(out->fd);
    return WR_OK;
}

wr_status
wr_os_tcp_accept(wr_ctx *ctx, wr_os_file *listener, wr_os_file *out, wr_os_ready *what)
{
    out->fd = -1;
    *what = WR_OS_PENDING;
    memcpy(out->name, listener->name, sizeof out->name);
    WR_TRY(wri_os_inject(ctx, "accept on", listener->name));
    int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
        bool later = errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
        return later ? WR_OK : wri_os_raise(ctx, errno, "accept on", listener->name);
    }
    int on = 1;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    out->fd = fd;
    *what = WR_OS_READY;
    return WR_OK;
}

/* ---- polling --------------------------------------------------------------------------------- */

wr_status
wr_os_poll(wr_ctx *ctx, wr_os_poll_item *items, uint32_t count, int64_t timeout_ms, uint32_t *ready)
{
    struct pollfd fds[WR_OS_POLL_MAX];
    WR_ASSERT(count <= WR_OS_POLL_MAX);
    *ready = 0;
    for (uint32_t i = 0; i < count; i++) {
        items[i].got = 0;
        fds[i].fd = items[i].file ? items[i].file->fd : -1;
        fds[i].events = (short)((items[i].want & WR_OS_POLL_IN ? POLLIN : 0) |
                                (items[i].want & WR_OS_POLL_OUT ? POLLOUT : 0));
        fds[i].revents = 0;
    }
    int wait = timeout_ms < 0 ? -1 : (int)WR_MIN(timeout_ms, (int64_t)INT32_MAX);
    int n = poll(fds, count, wait);
    if (n < 0 && errno == EINTR) return WR_OK;
    if (n < 0) return wri_os_raise(ctx, errno, "wait for", "input");
    for (uint32_t i = 0; i < count; i++) {
        short got = fds[i].revents;
        bool gone = (got & (POLLHUP | POLLERR | POLLNVAL)) != 0;
        if ((got & POLLIN) || gone) items[i].got |= items[i].want & WR_OS_POLL_IN;
        if ((got & POLLOUT) || gone) items[i].got |= items[i].want & WR_OS_POLL_OUT;
        if (items[i].got) (*ready)++;
    }
    return WR_OK;
}

wr_status
wr_os_waker_init(wr_ctx *ctx, wr_os_waker *w)
{
    w->file = (wr_os_file){-1, "waker"};
    WR_TRY(wri_os_inject(ctx, "make", "waker"));
    w->file.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return w->file.fd >= 0 ? WR_OK : wri_os_raise(ctx, errno, "make", "waker");
}

void
wr_os_waker_set(wr_os_waker *w)
{
    uint64_t one = 1;
    ssize_t n = write(w->file.fd, &one, sizeof one);
    WR_ASSERT(n == sizeof one || errno == EAGAIN); /* full counts as set */
}

void
wr_os_waker_clear(wr_os_waker *w)
{
    uint64_t count;
    ssize_t n = read(w->file.fd, &count, sizeof count);
    WR_ASSERT(n == sizeof count || errno == EAGAIN); /* empty counts as clear */
}

void
wr_os_waker_deinit(wr_os_waker *w)
{
    wr_os_file_close(&w->file);
}
