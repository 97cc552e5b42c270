/* SPDX-License-Identifier: Apache-2.0 */
/* Mapped files, and what happens when someone else cuts one short while it is mapped.
 *
 * Touching a mapped page behind the end of its file raises SIGBUS. Mappings are listed in a table
 * of fixed size; the handler looks the address up, puts zeroed memory under the rest of that
 * mapping and marks it lost, so that the reader goes on and its owner can find out (wr_os_map_lost)
 * and fail with an ordinary error. Any other SIGBUS goes to the handler that was there before.
 *
 * Thread: any. An entry is claimed and freed by its owner; the handler only reads addresses and
 * sets `lost`. A mapping that finds the table full works unguarded. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/os_int.h"

#define GUARDS_MAX 1024

typedef struct guard {
    atomic_int taken;
    atomic_uintptr_t start; /* 0: not in use */
    atomic_size_t len;
    atomic_int lost;
} guard;

static guard guards[GUARDS_MAX];
static struct sigaction before;
static uintptr_t page_bytes;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool
patch(uintptr_t at)
{
    for (uint32_t i = 0; i < GUARDS_MAX; i++) {
        const uintptr_t start = atomic_load(&guards[i].start);
        const size_t len = atomic_load(&guards[i].len);
        if (start == 0 || at < start || at - start >= len) continue;
        const uintptr_t page = at & ~(page_bytes - 1);
        void *base;
        memcpy(&base, &page, sizeof base);
        atomic_store(&guards[i].lost, 1);
        return mmap(base, len - (page - start), PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0) != MAP_FAILED;
    }
    return false;
}

static void
on_bus_error(int sig, siginfo_t *info, void *context)
{
    const int error = errno;
    if (!patch((uintptr_t)info->si_addr)) {
        if (before.sa_flags & SA_SIGINFO)
            before.sa_sigaction(sig, info, context);
        else
            (void)sigaction(SIGBUS, &before, NULL); /* it happens again, and ends us */
    }
    errno = error;
}

static void
install(void)
{
    struct sigaction act;
    memset(&act, 0, sizeof act);
    act.sa_sigaction = on_bus_error;
    act.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    (void)sigemptyset(&act.sa_mask);
    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)sigaction(SIGBUS, &act, &before);
}

/* The number of the entry, counted from 1; 0 when there is none left. */
static uint32_t
watch(const void *p, size_t len)
{
    (void)pthread_once(&once, install);
    for (uint32_t i = 0; i < GUARDS_MAX; i++) {
        int free = 0;
        if (!atomic_compare_exchange_strong(&guards[i].taken, &free, 1)) continue;
        atomic_store(&guards[i].lost, 0);
        atomic_store(&guards[i].len, len);
        atomic_store(&guards[i].start, (uintptr_t)p);
        return i + 1;
    }
    return 0;
}

static void
unwatch(uint32_t entry)
{
    if (!entry) return;
    atomic_store(&guards[entry - 1].start, 0);
    atomic_store(&guards[entry - 1].taken, 0);
}

wr_status
wr_os_map_file(wr_ctx *ctx, const char *path, wr_os_map *out)
{
    *out = (wr_os_map){.ptr = ""};
    wr_os_file f;
    wr_os_stat st = {.kind = WR_OS_NONE};
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_READ, &f));
    wr_status status = wr_os_file_stat(ctx, &f, &st);
    if (status == WR_OK && st.kind != WR_OS_FILE) status = wri_os_raise(ctx, EINVAL, "map", path);
    if (status == WR_OK && st.size_bytes > 0) {
        size_t len = (size_t)st.size_bytes;
        void *p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, f.fd, 0);
        if (p == MAP_FAILED) {
            status = wri_os_raise(ctx, errno, "map", path);
        } else {
            (void)madvise(p, len, MADV_SEQUENTIAL);
            *out = (wr_os_map){p, len, watch(p, len)};
        }
    }
    wr_os_file_close(&f);
    return status;
}

bool
wr_os_map_lost(const wr_os_map *m)
{
    return m->guard != 0 && atomic_load(&guards[m->guard - 1].lost) != 0;
}

void
wr_os_unmap(wr_os_map *m)
{
    if (m->len > 0) {
        void *base;
        memcpy(&base, &m->ptr, sizeof base); /* const was for the readers */
        unwatch(m->guard);
        int rc = munmap(base, m->len);
        WR_ASSERT(rc == 0);
    }
    *m = (wr_os_map){.ptr = ""};
}
