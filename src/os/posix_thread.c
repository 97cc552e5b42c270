/* SPDX-License-Identifier: Apache-2.0 */
/* Threads, mutexes, condition variables, events. A failing lock call is a bug, so it asserts. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "os/os_int.h"

#define NS_PER_S    1000000000ll
#define STACK_BYTES ((size_t)8 << 20)

#define MUST(call)                                                                                 \
    do {                                                                                           \
        int rc_ = (call);                                                                          \
        WR_ASSERT(rc_ == 0);                                                                       \
    } while (0)

static void *
thread_main(void *arg)
{
    wr_os_thread *t = arg;
    (void)pthread_setname_np(pthread_self(), t->name);
    t->fn(t->arg);
    return NULL;
}

wr_status
wr_os_thread_start(wr_ctx *ctx, wr_os_thread *t, const char *name, void (*fn)(void *), void *arg)
{
    WR_TRY(wri_os_inject(ctx, "start thread", name));
    t->fn = fn;
    t->arg = arg;
    size_t len = WR_MIN(strlen(name), sizeof t->name - 1);
    memcpy(t->name, name, len);
    t->name[len] = '\0';
    pthread_attr_t attr;
    sigset_t all, before;
    MUST(pthread_attr_init(&attr));
    MUST(pthread_attr_setstacksize(&attr, STACK_BYTES));
    (void)sigfillset(&all);
    MUST(
        pthread_sigmask(SIG_SETMASK, &all, &before)); /* inherited: signals stay with the starter */
    int rc = pthread_create(&t->id, &attr, thread_main, t);
    MUST(pthread_sigmask(SIG_SETMASK, &before, NULL));
    MUST(pthread_attr_destroy(&attr));
    return rc == 0 ? WR_OK : wri_os_raise(ctx, rc, "start thread", name);
}

void
wr_os_thread_join(wr_os_thread *t)
{
    MUST(pthread_join(t->id, NULL));
}

void
wr_os_thread_yield(void)
{
    (void)sched_yield();
}

uint64_t
wr_os_thread_id(void)
{
    return (uint64_t)gettid();
}

bool
wr_os_thread_pin(uint32_t cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu >= CPU_SETSIZE) return false;
    CPU_SET(cpu, &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

/* ---- mutex and condition variable ------------------------------------------------------------ */

void
wr_os_mutex_init(wr_os_mutex *m)
{
    MUST(pthread_mutex_init(&m->m, NULL));
}

void
wr_os_mutex_deinit(wr_os_mutex *m)
{
    MUST(pthread_mutex_destroy(&m->m));
}

void
wr_os_mutex_lock(wr_os_mutex *m)
{
    MUST(pthread_mutex_lock(&m->m));
}

void
wr_os_mutex_unlock(wr_os_mutex *m)
{
    MUST(pthread_mutex_unlock(&m->m));
}

void
wr_os_cond_init(wr_os_cond *c)
{
    pthread_condattr_t attr;
    MUST(pthread_condattr_init(&attr));
    MUST(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC));
    MUST(pthread_cond_init(&c->c, &attr));
    MUST(pthread_condattr_destroy(&attr));
}

void
wr_os_cond_deinit(wr_os_cond *c)
{
    MUST(pthread_cond_destroy(&c->c));
}

void
wr_os_cond_wait(wr_os_cond *c, wr_os_mutex *m)
{
    MUST(pthread_cond_wait(&c->c, &m->m));
}

bool
wr_os_cond_wait_for(wr_os_cond *c, wr_os_mutex *m, int64_t timeout_ns)
{
    struct timespec ts = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC,
                        &ts); /* the real one: waits do not follow a simulated clock */
    int64_t ns = WR_MAX(timeout_ns, 0);
    ts.tv_sec += (time_t)(ns / NS_PER_S);
    ts.tv_nsec += (long)(ns % NS_PER_S);
    if (ts.tv_nsec >= NS_PER_S) ts.tv_sec++, ts.tv_nsec -= NS_PER_S;
    int rc = pthread_cond_timedwait(&c->c, &m->m, &ts);
    WR_ASSERT(rc == 0 || rc == ETIMEDOUT);
    return rc == 0;
}

void
wr_os_cond_signal(wr_os_cond *c)
{
    MUST(pthread_cond_signal(&c->c));
}

void
wr_os_cond_broadcast(wr_os_cond *c)
{
    MUST(pthread_cond_broadcast(&c->c));
}

/* ---- events ---------------------------------------------------------------------------------- */

void
wr_os_event_init(wr_os_event *e)
{
    e->state = 0;
    wr_os_mutex_init(&e->mutex);
    wr_os_cond_init(&e->cond);
}

void
wr_os_event_deinit(wr_os_event *e)
{
    wr_os_cond_deinit(&e->cond);
    wr_os_mutex_deinit(&e->mutex);
}

void
wr_os_event_set(wr_os_event *e)
{
    /* Both sides swap: whoever comes second sees what the first wrote before its swap. */
    if (wr_os_swap(&e->state, 1u) != 0) return;
    wr_os_mutex_lock(&e->mutex); /* the waiter is either before its look at the state or asleep */
    wr_os_cond_signal(&e->cond);
    wr_os_mutex_unlock(&e->mutex);
}

bool
wr_os_event_wait(wr_os_event *e, int64_t timeout_ns)
{
    if (wr_os_swap(&e->state, 0u) != 0) return true;
    if (timeout_ns == 0) return false;
    wr_os_mutex_lock(&e->mutex);
    bool in_time = true;
    int64_t end_ns = timeout_ns < 0 ? INT64_MAX : wr_os_now_ns() + timeout_ns;
    while (wr_os_load(&e->state) == 0 && in_time) {
        if (timeout_ns < 0) {
            wr_os_cond_wait(&e->cond, &e->mutex);
        } else {
            int64_t left = end_ns - wr_os_now_ns();
            in_time = left > 0 && wr_os_cond_wait_for(&e->cond, &e->mutex, left);
        }
    }
    wr_os_mutex_unlock(&e->mutex);
    return wr_os_swap(&e->state, 0u) != 0;
}
