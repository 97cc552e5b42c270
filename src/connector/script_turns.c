/* SPDX-License-Identifier: Apache-2.0 */
/* Turns between the script readers of a job: step n begins when every reader of the job waits for
 * step n or a later one and the job is quiet. Readers live on different threads; the turns are one
 * object of the process behind a lock. A reader joins when it is opened, so all are known before
 * the first is polled. */
#include "connector/connector_int.h"
#include "os/os.h"

struct wri_turn {
    wri_turn *next;
    void *job;
    int64_t waiting; /* for this step; -1: is at work */
    int64_t now;     /* last step that began; the same for all of a job */
    const wr_source_env *env;
};

typedef struct turn_store {
    wr_os_mutex mutex;
    wri_turn *first;
} turn_store;

static void
init_store(void *block)
{
    wr_os_mutex_init(&((turn_store *)block)->mutex);
}

static turn_store *
store(void)
{
    return wr_shared_get("script", sizeof(turn_store), init_store);
}

wr_status
wri_turn_join(wr_ctx *ctx, const wr_source_env *env, wri_turn **out)
{
    turn_store *s = store();
    wri_turn *t = s ? wr_mem_zalloc(NULL, sizeof *t) : NULL;
    WR_TRY_ALLOC(ctx, t);
    t->job = env->job;
    t->env = env;
    t->waiting = -1;
    wr_os_mutex_lock(&s->mutex);
    for (wri_turn *o = s->first; o; o = o->next)
        if (o->job == t->job) t->now = o->now;
    t->next = s->first;
    s->first = t;
    wr_os_mutex_unlock(&s->mutex);
    *out = t;
    return WR_OK;
}

/* Everybody of the job waits: let the earliest step begin. */
static void
advance(turn_store *s, wri_turn *t)
{
    int64_t least = INT64_MAX;
    for (wri_turn *o = s->first; o; o = o->next) {
        if (o->job != t->job) continue;
        if (o->waiting < 0) return;
        least = WR_MIN(least, o->waiting);
    }
    if (least <= t->now || (t->env->quiet && !t->env->quiet(t->env->arg))) return;
    for (wri_turn *o = s->first; o; o = o->next) {
        if (o->job != t->job) continue;
        o->now = least;
        if (o->waiting > least) continue;
        o->waiting = -1;
        if (o != t && o->env->wake) o->env->wake(o->env->arg);
    }
}

bool
wri_turn_await(wri_turn *t, int64_t step)
{
    turn_store *s = store();
    if (!s) return true; /* it was there when we joined */
    wr_os_mutex_lock(&s->mutex);
    bool go = t->now >= step;
    if (!go) {
        t->waiting = step;
        advance(s, t);
        go = t->now >= step;
    }
    if (go) t->waiting = -1;
    wr_os_mutex_unlock(&s->mutex);
    return go;
}

void
wri_turn_leave(wri_turn *t)
{
    turn_store *s = store();
    if (!t || !s) return;
    wr_os_mutex_lock(&s->mutex);
    for (wri_turn **p = &s->first; *p; p = &(*p)->next)
        if (*p == t) {
            *p = t->next;
            break;
        }
    wr_os_mutex_unlock(&s->mutex);
    wr_mem_free(NULL, t, sizeof *t);
}
