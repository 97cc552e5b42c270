/* SPDX-License-Identifier: Apache-2.0 */
/* Clock, randomness, environment, CPU and memory of the machine, signals. Thread: any, but for the
 * signal set-up. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "os/os_int.h"

#define NS_PER_S 1000000000ll

wr_status
wri_os_raise(wr_ctx *ctx, int error, const char *verb, const char *name)
{
    char buf[128];
    const char *words = strerror_r(error, buf, sizeof buf);
    wr_status status = error == ENOMEM ? WR_NOMEM : error == EEXIST ? WR_EXISTS : WR_IO;
    return wr_raise(ctx, status, "cannot %s '%s': %s", verb, name, words);
}

void
wri_os_name_set(char *name, size_t cap, const char *path)
{
    size_t len = strlen(path);
    size_t skip = len >= cap ? len - (cap - 1) : 0;
    memcpy(name, path + skip, len - skip + 1);
    if (skip) memcpy(name, "...", 3);
}

/* ---- clock ----------------------------------------------------------------------------------- */

static int64_t
clock_ns(clockid_t id)
{
    struct timespec ts = {0, 0};
    (void)clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

int64_t
wr_os_now_ns(void)
{
    int64_t wall, mono;
    return wri_os_clock_simulated(&wall, &mono) ? mono : clock_ns(CLOCK_MONOTONIC);
}

int64_t
wr_os_wall_ns(void)
{
    int64_t wall, mono;
    return wri_os_clock_simulated(&wall, &mono) ? wall : clock_ns(CLOCK_REALTIME);
}

static int64_t
floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t
wr_os_wall_us(void)
{
    return floor_div(wr_os_wall_ns(), 1000);
}

int64_t
wr_os_wall_ms(void)
{
    return floor_div(wr_os_wall_ns(), 1000000);
}

void
wr_os_sleep_ns(int64_t ns)
{
    int64_t wall, mono;
    if (ns <= 0) return;
    if (wri_os_clock_simulated(&wall, &mono)) {
        wr_os_clock_advance(ns);
        return;
    }
    struct timespec ts = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
    (void)nanosleep(&ts, NULL);
}

int64_t
wr_os_thread_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t
wr_os_cycles(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return (uint64_t)clock_ns(CLOCK_MONOTONIC);
#endif
}

/* ---- randomness, process, machine ------------------------------------------------------------ */

void
wr_os_random(void *out, size_t bytes)
{
    char *p = out;
    while (bytes > 0) {
        ssize_t n = getrandom(p, WR_MIN(bytes, (size_t)256), 0);
        WR_ASSERT(n > 0 || errno == EINTR); /* small requests fail only when interrupted */
        if (n <= 0) continue;
        p += n;
        bytes -= (size_t)n;
    }
}

uint64_t
wr_os_seed(void)
{
    const char *fixed = wr_os_env("WEIR_SEED");
    if (fixed && *fixed) return strtoull(fixed, NULL, 10);
    uint64_t seed;
    wr_os_random(&seed, sizeof seed);
    return seed;
}

const char *
wr_os_env(const char *name)
{
    return getenv(name);
}

uint32_t
wr_os_cpu_count(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t)n : 1;
}

/* The first number in a small file of the kernel; `fallback` when there is none. */
static uint64_t
kernel_number(const char *path, int field, uint64_t fallback)
{
    FILE *f = fopen(path, "re");
    if (!f) return fallback;
    unsigned long long v = 0;
    bool ok = false;
    for (int i = 0; i <= field; i++) ok = fscanf(f, "%llu", &v) == 1;
    (void)fclose(f);
    return ok ? (uint64_t)v : fallback;
}

uint64_t
wr_os_memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t machine = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 1ull << 30;
    uint64_t group = kernel_number("/sys/fs/cgroup/memory.max", 0, machine);
    return WR_MIN(machine, group);
}

uint64_t
wr_os_rss_bytes(void)
{
    long page = sysconf(_SC_PAGESIZE);
    return kernel_number("/proc/self/statm", 1, 0) * (uint64_t)(page > 0 ? page : 4096);
}

int
wr_os_pid(void)
{
    return (int)getpid();
}

wr_status
wr_os_hostname(wr_ctx *ctx, char *out, size_t cap)
{
    WR_ASSERT(cap > 1);
    if (gethostname(out, cap - 1) != 0) return wri_os_raise(ctx, errno, "tell", "host name");
    out[cap - 1] = '\0';
    return WR_OK;
}

wr_status
wr_os_cwd(wr_ctx *ctx, char *out, size_t cap)
{
    if (!getcwd(out, cap)) return wri_os_raise(ctx, errno, "tell", "current folder");
    return WR_OK;
}

void
wr_os_exit(int code)
{
    exit(code);
}

static wr_os_isa
detect_isa(void)
{
    wr_os_isa level = WR_OS_ISA_V1;
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
              __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
    level = v4 ? WR_OS_ISA_V4 : v3 ? WR_OS_ISA_V3 : WR_OS_ISA_V1;
    const char *wish = wr_os_env("WEIR_ISA");
    if (wish && strcmp(wish, "v1") == 0) level = WR_OS_ISA_V1;
    if (wish && strcmp(wish, "v3") == 0) level = WR_MIN(level, WR_OS_ISA_V3);
#endif
    return level;
}

wr_os_isa
wr_os_isa_level(void)
{
    static int known; /* level + 1; kernels ask once per batch */
    int level = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (level == 0) {
        level = (int)detect_isa() + 1;
        __atomic_store_n(&known, level, __ATOMIC_RELAXED);
    }
    return (wr_os_isa)(level - 1);
}

/* ---- signals --------------------------------------------------------------------------------- */

static volatile sig_atomic_t signal_last, signal_resized;
static volatile int cancel_flag;
static volatile sig_atomic_t first_s, second_s; /* wr_os_signals_deadline */

static void
on_deadline(int number)
{
    static const char text[] = "weir: it did not end when it was asked to: killed\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(128 + signal_last);
}

static void
on_signal(int number)
{
    if (number == SIGWINCH) {
        signal_resized = 1;
        return;
    }
    signal_last = number;
    cancel_flag = cancel_flag + 1;
    if (cancel_flag >= 3) _exit(128 + number);
    const int seconds = cancel_flag == 1 ? first_s : second_s;
    if (seconds) (void)alarm((unsigned)seconds);
}

void
wr_os_signals_deadline(int64_t first_ms, int64_t second_ms)
{
    struct sigaction act;
    memset(&act, 0, sizeof act);
    (void)sigemptyset(&act.sa_mask);
    act.sa_handler = on_deadline;
    (void)sigaction(SIGALRM, &act, NULL);
    first_s = (sig_atomic_t)WR_MIN(first_ms / 1000 + 1, INT32_MAX);
    second_s = (sig_atomic_t)WR_MIN(second_ms / 1000 + 1, INT32_MAX);
}

void
wr_os_signals_install(void)
{
    struct sigaction act;
    memset(&act, 0, sizeof act);
    (void)sigemptyset(&act.sa_mask);
    act.sa_handler = on_signal; /* no SA_RESTART: blocking calls return, so that the flag is seen */
    (void)sigaction(SIGINT, &act, NULL);
    (void)sigaction(SIGTERM, &act, NULL);
    act.sa_flags = SA_RESTART;
    (void)sigaction(SIGWINCH, &act, NULL);
    act.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &act, NULL);
    (void)sigaction(SIGXFSZ, &act, NULL); /* a file past its limit: the write fails */
}

const volatile int *
wr_os_cancel_flag(void)
{
    return &cancel_flag;
}

void
wr_os_cancel_clear(void)
{
    cancel_flag = 0;
    signal_last = 0;
    (void)alarm(0);
}

int
wr_os_signal_last(void)
{
    return signal_last;
}

bool
wr_os_resized(void)
{
    bool was = signal_resized != 0;
    signal_resized = 0;
    return was;
}
