/* SPDX-License-Identifier: Apache-2.0 */
/* The operating system: clock, randomness, files, terminals, sockets, threads, signals. The only
 * room with system calls.
 *
 * Everything fallible gives a wr_status and a message that ends in the system's own words ("cannot
 * open 'x': No such file or directory"); errno does not leave this room. Paths are zero-terminated
 * bytes. Nothing here allocates; handles live in the caller's storage (init/deinit, open/close).
 * Thread: any for different handles, one at a time for the same handle, unless said otherwise.
 *
 * For tests, the clock can be simulated and the n-th I/O call can be made to fail (end of this
 * file).
 */
#ifndef WR_OS_OS_H
#define WR_OS_OS_H

#include <pthread.h>

#include "base/base.h"

/* ---- clock ----------------------------------------------------------------------------------- */
int64_t wr_os_now_ns(void);  /* monotonic: for durations */
int64_t wr_os_wall_ns(void); /* since 1970-01-01 UTC */
int64_t wr_os_wall_us(void);
int64_t wr_os_wall_ms(void);
void wr_os_sleep_ns(int64_t ns);   /* returns early when a signal comes */
int64_t wr_os_thread_cpu_ns(void); /* CPU time of the calling thread */
uint64_t wr_os_cycles(void);       /* a cheap counter for profiling; unit unspecified */

/* ---- randomness, the process, the machine ---------------------------------------------------- */
void wr_os_random(void *out, size_t bytes); /* from the kernel; cannot fail */
uint64_t wr_os_seed(void);                  /* WEIR_SEED of the environment, else random */
const char *wr_os_env(const char *name);    /* NULL if unset; borrowed until the process ends */
uint32_t wr_os_cpu_count(void);             /* that this process may use; >= 1 */
uint64_t wr_os_memory_bytes(void);          /* of the machine or of the control group */
uint64_t wr_os_rss_bytes(void);             /* of this process, now */
int wr_os_pid(void);
wr_status wr_os_hostname(wr_ctx *ctx, char *out, size_t cap) WR_MUST_USE;
wr_status wr_os_cwd(wr_ctx *ctx, char *out, size_t cap) WR_MUST_USE;
WR_NORETURN void wr_os_exit(int code); /* flushes standard streams */

/* The instruction set level that kernels may use. WEIR_ISA=v1|v3|v4 lowers it (never raises it). */
typedef enum wr_os_isa { WR_OS_ISA_V1, WR_OS_ISA_V3, WR_OS_ISA_V4 } wr_os_isa;
wr_os_isa wr_os_isa_level(void);

/* ---- files ----------------------------------------------------------------------------------- */
#define WR_OS_PATH_MAX 4096

typedef struct wr_os_file {
    int fd;         /* -1: closed */
    char name[124]; /* the end of the path, for messages */
} wr_os_file;

typedef enum wr_os_open_mode {
    WR_OS_READ,
    WR_OS_WRITE,      /* create or truncate */
    WR_OS_WRITE_NEW,  /* create; WR_EXISTS when it is there */
    WR_OS_APPEND,     /* create when missing */
    WR_OS_READ_WRITE, /* create when missing, keep content */
} wr_os_open_mode;

typedef enum wr_os_kind { WR_OS_NONE, WR_OS_FILE, WR_OS_DIR, WR_OS_OTHER } wr_os_kind;

typedef struct wr_os_stat {
    wr_os_kind kind; /* WR_OS_NONE: there is no such path (which is not an error) */
    uint64_t size_bytes, inode, device;
    int64_t mtime_ms;
} wr_os_stat;

wr_status wr_os_file_open(wr_ctx *ctx, const char *path, wr_os_open_mode mode,
                          wr_os_file *out) WR_MUST_USE;
/* Up to `bytes` from the present position; *got 0 = end of file. May block on pipes and terminals.
 */
wr_status wr_os_file_read(wr_ctx *ctx, wr_os_file *f, void *out, size_t bytes,
                          size_t *got) WR_MUST_USE;
/* All of [offset, offset + bytes) that exists: *got < bytes only at the end of the file. */
wr_status wr_os_file_read_at(wr_ctx *ctx, wr_os_file *f, uint64_t offset, void *out, size_t bytes,
                             size_t *got) WR_MUST_USE;
wr_status wr_os_file_write(wr_ctx *ctx, wr_os_file *f, const void *p,
                           size_t bytes) WR_MUST_USE; /* all of it */
wr_status wr_os_file_write_at(wr_ctx *ctx, wr_os_file *f, uint64_t offset, const void *p,
                              size_t bytes) WR_MUST_USE;
wr_status wr_os_file_sync(wr_ctx *ctx, wr_os_file *f) WR_MUST_USE; /* data and size are on disk */
wr_status wr_os_file_truncate(wr_ctx *ctx, wr_os_file *f, uint64_t size_bytes) WR_MUST_USE;
/* Nobody but its owner may read or write the file from now on. Systems that cannot are no error. */
void wr_os_file_make_private(wr_os_file *f);
wr_status wr_os_file_stat(wr_ctx *ctx, wr_os_file *f, wr_os_stat *out) WR_MUST_USE;
/* Exclusive advisory lock until close; *locked false when another process has it. */
wr_status wr_os_file_lock(wr_ctx *ctx, wr_os_file *f, bool *locked) WR_MUST_USE;
void wr_os_file_close(wr_os_file *f); /* closed already is fine; forgets errors */
wr_status wr_os_file_finish(wr_ctx *ctx,
                            wr_os_file *f) WR_MUST_USE; /* close, and tell late write errors */

wr_status wr_os_stat_path(wr_ctx *ctx, const char *path, wr_os_stat *out) WR_MUST_USE;
wr_status wr_os_rename(wr_ctx *ctx, const char *from,
                       const char *to) WR_MUST_USE; /* replaces `to` */
wr_status wr_os_rename_new(wr_ctx *ctx, const char *from,
                           const char *to) WR_MUST_USE; /* WR_EXISTS if `to` is there */
/* A second name of a file; *done false: the file system cannot. WR_EXISTS if `to` is there. */
wr_status wr_os_link(wr_ctx *ctx, const char *from, const char *to, bool *done) WR_MUST_USE;
wr_status wr_os_remove(wr_ctx *ctx, const char *path)
    WR_MUST_USE; /* a file or an empty folder; missing is fine */
wr_status wr_os_remove_tree(wr_ctx *ctx, const char *path) WR_MUST_USE; /* missing is fine */
wr_status wr_os_make_dirs(wr_ctx *ctx, const char *path)
    WR_MUST_USE; /* with all parents, on disk; present is fine */
wr_status wr_os_sync_dir(wr_ctx *ctx, const char *path)
    WR_MUST_USE; /* renames and creations in it are on disk */
/* A path in `dir` (NULL: the system's folder for temporary files) that did not exist a moment ago.
 */
wr_status wr_os_temp_name(wr_ctx *ctx, const char *dir, const char *prefix, char *out,
                          size_t cap) WR_MUST_USE;

typedef struct wr_os_map {
    const char *ptr; /* valid until unmapped; "" for an empty file */
    size_t len;
    uint32_t guard; /* private */
} wr_os_map;
/* A whole file, read-only. Should others shrink it meanwhile, what is gone reads as zeros and the
 * mapping is lost: whoever reads it must ask afterwards. */
wr_status wr_os_map_file(wr_ctx *ctx, const char *path, wr_os_map *out) WR_MUST_USE;
bool wr_os_map_lost(const wr_os_map *m);
void wr_os_unmap(wr_os_map *m);

typedef struct wr_os_dir {
    void *handle;
    char name[124];
} wr_os_dir;
wr_status wr_os_dir_open(wr_ctx *ctx, const char *path, wr_os_dir *out) WR_MUST_USE;
/* *name: NULL at the end; borrowed until the next call. "." and ".." are left out. Order: the
 * system's. */
wr_status wr_os_dir_next(wr_ctx *ctx, wr_os_dir *d, const char **name) WR_MUST_USE;
void wr_os_dir_close(wr_os_dir *d);

/* Shell patterns of one name: * ? [a-z] [!a-z] \x. "*" and "?" do not match a leading dot. */
bool wr_os_glob_match(wr_str pattern, wr_str name);
bool wr_os_glob_has_magic(wr_str path); /* does it contain * ? or [ ? */
/* Visits what matches `pattern` (of whole paths; a component "**" stands for any number of folders,
 * none included). The order is the system's; `path` is borrowed for the call. Folders are visited
 * like files. */
typedef wr_status (*wr_os_visit_fn)(wr_ctx *ctx, void *arg, const char *path, const wr_os_stat *st);
wr_status wr_os_glob(wr_ctx *ctx, const char *pattern, wr_os_visit_fn visit, void *arg) WR_MUST_USE;
/* Visits every file (not folder) below `root`, at any depth; a `root` that is a file is visited
 * itself. */
wr_status wr_os_walk(wr_ctx *ctx, const char *root, wr_os_visit_fn visit, void *arg) WR_MUST_USE;

/* ---- standard streams and terminals ---------------------------------------------------------- */
wr_os_file wr_os_stdin(void); /* not to be closed */
wr_os_file wr_os_stdout(void);
wr_os_file wr_os_stderr(void);
bool wr_os_is_terminal(const wr_os_file *f);
void wr_os_terminal_size(uint32_t *columns, uint32_t *rows); /* 80 x 24 when unknown */

typedef struct wr_os_terminal { /* what to go back to */
    unsigned char saved[120];
    bool raw;
} wr_os_terminal;
wr_status wr_os_terminal_raw(wr_ctx *ctx, wr_os_terminal *t)
    WR_MUST_USE; /* no echo, byte by byte; output stays cooked */
void wr_os_terminal_restore(wr_os_terminal *t);

/* ---- streams that may have nothing yet: pipes, terminals, sockets ---------------------------- */
typedef enum wr_os_ready { WR_OS_READY, WR_OS_PENDING, WR_OS_END } wr_os_ready;

/* Never blocks: READY with *got > 0, PENDING, or END. On regular files it reads. */
wr_status wr_os_stream_read(wr_ctx *ctx, wr_os_file *f, void *out, size_t bytes, size_t *got,
                            wr_os_ready *what) WR_MUST_USE;
/* Never blocks on a socket; *sent may be less than asked. END: the other side has gone. */
wr_status wr_os_stream_write(wr_ctx *ctx, wr_os_file *f, const void *p, size_t bytes, size_t *sent,
                             wr_os_ready *what) WR_MUST_USE;

/* Nobody reads any more what is written into this pipe or socket. */
bool wr_os_stream_reader_gone(const wr_os_file *f);

/* TCP. Handles are non-blocking. */
wr_status wr_os_tcp_connect(wr_ctx *ctx, const char *host, uint16_t port, int64_t timeout_ms,
                            wr_os_file *out) WR_MUST_USE;
/* `port` 0 = any free one; *port_out may be NULL. */
wr_status wr_os_tcp_listen(wr_ctx *ctx, const char *host, uint16_t port, wr_os_file *out,
                           uint16_t *port_out) WR_MUST_USE;
wr_status wr_os_tcp_accept(wr_ctx *ctx, wr_os_file *listener, wr_os_file *out,
                           wr_os_ready *what) WR_MUST_USE;

#define WR_OS_POLL_IN  1u
#define WR_OS_POLL_OUT 2u
typedef struct wr_os_poll_item {
    const wr_os_file *file; /* NULL: skipped */
    uint32_t want, got;     /* WR_OS_POLL_*; a closed other side counts as readable */
} wr_os_poll_item;
#define WR_OS_POLL_MAX 256u
/* Waits until an item is ready, a signal comes or the time is over (timeout_ms < 0: for ever, 0:
 * only looks). */
wr_status wr_os_poll(wr_ctx *ctx, wr_os_poll_item *items, uint32_t count, int64_t timeout_ms,
                     uint32_t *ready) WR_MUST_USE;

/* A waker is readable (for wr_os_poll) from the first set until clear. thread: any */
typedef struct wr_os_waker {
    wr_os_file file;
} wr_os_waker;
wr_status wr_os_waker_init(wr_ctx *ctx, wr_os_waker *w) WR_MUST_USE;
void wr_os_waker_set(wr_os_waker *w);
void wr_os_waker_clear(wr_os_waker *w);
void wr_os_waker_deinit(wr_os_waker *w);

/* ---- threads --------------------------------------------------------------------------------- */
typedef struct wr_os_thread {
    pthread_t id;
    void (*fn)(void *);
    void *arg;
    char name[16];
} wr_os_thread; /* must stay where it is until joined */
/* The new thread leaves signals to the main thread. */
wr_status wr_os_thread_start(wr_ctx *ctx, wr_os_thread *t, const char *name, void (*fn)(void *),
                             void *arg) WR_MUST_USE;
void wr_os_thread_join(wr_os_thread *t);
void wr_os_thread_yield(void);
uint64_t wr_os_thread_id(void);      /* of the caller; unlike any other living thread's */
bool wr_os_thread_pin(uint32_t cpu); /* the caller; false when the system refuses */

typedef struct wr_os_mutex {
    pthread_mutex_t m;
} wr_os_mutex;
typedef struct wr_os_cond {
    pthread_cond_t c;
} wr_os_cond;
void wr_os_mutex_init(wr_os_mutex *m);
void wr_os_mutex_deinit(wr_os_mutex *m);
void wr_os_mutex_lock(wr_os_mutex *m);
void wr_os_mutex_unlock(wr_os_mutex *m);
void wr_os_cond_init(wr_os_cond *c);
void wr_os_cond_deinit(wr_os_cond *c);
void wr_os_cond_wait(wr_os_cond *c, wr_os_mutex *m);
bool wr_os_cond_wait_for(wr_os_cond *c, wr_os_mutex *m,
                         int64_t timeout_ns); /* false: time is over */
void wr_os_cond_signal(wr_os_cond *c);
void wr_os_cond_broadcast(wr_os_cond *c);

/* An event wakes the one thread that waits on it. A set before the wait is not lost; several sets
 * count as one; setting one that is set already costs one atomic operation. set: thread any; wait:
 * one thread. */
typedef struct wr_os_event {
    uint32_t state;
    wr_os_mutex mutex;
    wr_os_cond cond;
} wr_os_event;
void wr_os_event_init(wr_os_event *e);
void wr_os_event_deinit(wr_os_event *e);
void wr_os_event_set(wr_os_event *e);
/* Waits for a set and consumes it. timeout_ns < 0: for ever. False: time is over. */
bool wr_os_event_wait(wr_os_event *e, int64_t timeout_ns);

/* Atomics on plain fields, by the order they give. For counters, flags and single-producer rings.
 */
#define wr_os_load(p)             __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define wr_os_load_relaxed(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define wr_os_store(p, v)         __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define wr_os_store_relaxed(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define wr_os_add(p, v)           __atomic_add_fetch((p), (v), __ATOMIC_ACQ_REL) /* the new value */
#define wr_os_and(p, v)           __atomic_fetch_and((p), (v), __ATOMIC_ACQ_REL) /* the old value */
#define wr_os_swap(p, v)          __atomic_exchange_n((p), (v), __ATOMIC_ACQ_REL)
/* In one order that all threads agree on: for "I wait" flags beside data that the other side
 * changes. */
#define wr_os_load_seq(p)     __atomic_load_n((p), __ATOMIC_SEQ_CST)
#define wr_os_store_seq(p, v) __atomic_store_n((p), (v), __ATOMIC_SEQ_CST)
/* *expected is updated when it differs */
#define wr_os_cas(p, expected, v)                                                                  \
    __atomic_compare_exchange_n((p), (expected), (v), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
WR_ALWAYS_INLINE void
wr_os_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* ---- shared libraries ------------------------------------------------------------------------ */
typedef struct wr_os_library {
    void *handle;
} wr_os_library;
/* By its file name ("librocksdb.so.7.8"); it stays loaded. WR_UNSUPPORTED when it is not there. */
wr_status wr_os_library_open(wr_ctx *ctx, const char *name, wr_os_library *out) WR_MUST_USE;
/* Writes a pointer to function `name` into *fn_out, which is a pointer to a function. */
wr_status wr_os_library_symbol(wr_ctx *ctx, const wr_os_library *lib, const char *name,
                               void *fn_out) WR_MUST_USE;

/* ---- signals --------------------------------------------------------------------------------- */
/* Catches SIGINT, SIGTERM and SIGWINCH and ignores SIGPIPE. The third of the first two that nobody
 * took care of ends the process with code 128 + signal. thread: main, once */
void wr_os_signals_install(void);
/* From now on the process ends in the same way so long after the first signal, and after the
 * second, whatever its threads are at: one may be writing to a pipe that nobody reads. */
void wr_os_signals_deadline(int64_t first_ms, int64_t second_ms);
const volatile int *
wr_os_cancel_flag(void); /* non-zero after SIGINT or SIGTERM; for wr_ctx.cancel */
void wr_os_cancel_clear(void);
int wr_os_signal_last(void); /* the number of the last of the two; 0 = none since the clear */
bool wr_os_resized(void);    /* did the terminal change its size since the last call? */

/* ---- for tests: a simulated clock and failing I/O -------------------------------------------- */
/* From now on both clocks stand still at `wall_ns` and move only by wr_os_clock_advance() and
 * sleeping. */
void wr_os_clock_simulate(int64_t wall_ns);
void wr_os_clock_advance(int64_t ns);
void wr_os_clock_real(void);
/* Processing time: what queries and their timers take for the present. It is the wall clock, or
 * stands still at `ms` until it is held at another time or released. Waiting and pausing do not
 * follow it. thread: any */
void wr_os_processing_hold(int64_t ms);
void wr_os_processing_release(void);
int64_t wr_os_processing_ms(void);
/* Rises when the held clock is moved; 0 = it is not held. */
uint64_t wr_os_processing_moves(void);

typedef enum wr_os_fault {
    WR_OS_FAULT_ERROR, /* the call fails and does nothing */
    WR_OS_FAULT_TORN,  /* a write stores the first half of its bytes, then fails; other calls as
                          ERROR */
} wr_os_fault;
/* Make the n-th I/O call from now fail (1 = the next, n <= 0 = none). Calls that take a ctx count.
 * thread: any */
void wr_os_fail_after(int64_t n, wr_os_fault how);
bool wr_os_fail_hit(void); /* did it happen? */

/* WEIR_CRASH_AT="name:n" in the environment: the process dies of SIGKILL when it passes the point
 * `name` for the n-th time (docs/HACKING.md lists them). Nothing otherwise. thread: any */
void wr_os_crash_point(const char *name);

#endif
