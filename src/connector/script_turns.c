/* SPDX-License-Identifier: Apache-2.0 */
/* Turns between the script readers of a job: step n begins when every reader of the job waits for
 * step n or a later one and the job is quiet. Readers live on different threads; the turns are one
 * object of the process (wr_shared_enter). A reader joins when it is opened, so all are known
 * before the first is polled. */
#include "connector/connector_int.h"

struct wri_turn {
    wri_turn *next;
    void *job;
    int64_t waiting; /* for this step; -1: is at work */
    int64_t now;     /* last step that began; the same for all of a job */
    const wr_source_env *env;
};

typedef struct turn_store {
    wri_turn *first;
} turn_store;

/* Takes the lock; NULL = out of memory. */
static turn_store *
enter(void)
{
    return wr_shared_enter("script", sizeof(turn_store));
}

wr_status
wri_turn_join(wr_ctx *ctx, const wr_source_env *env, wri_turn **out)
{
    wri_turn *t = wr_mem_zalloc(NULL, sizeof *t);
    WR_TRY_ALLOC(ctx, t);
    t->job = env->job;
    t->env = env;
    t->waiting = -1;
    turn_store *s = enter();
    if (!s) {
        wr_mem_free(NULL, t, sizeof *t);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    for (wri_turn *o = s->first; o; o = o->next)
        if (o->job == t->job) t->now = o->now;
    t->next = s->first;
    s->first = t;
    wr_shared_leave();
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
    turn_store *s = enter();
    if (!s) return true; /* cannot be: it was there when we joined */
    bool go = t->now >= step;
    if (!go) {
        t->waiting = step;
        advance(s, t);
        go = t->now >= step;
    }
    if (go) t->waiting = -1;
    wr_shared_leave();
    return go;
}

int64_t
wri_turn_now(wri_turn *t)
{
    turn_store *s = enter();
    if (!s) return t->now; /* cannot be: it was there when we joined */
    const int64_t now = t->now;
    wr_shared_leave();
    return now;
}

void
wri_turn_resume(wri_turn *t, int64_t step)
{
    turn_store *s = enter();
    if (!s) return;
    for (wri_turn *o = s->first; o; o = o->next)
        if (o->job == t->job) o->now = WR_MAX(o->now, step);
    wr_shared_leave();
}

void
wri_turn_leave(wri_turn *t)
{
    turn_store *s = t ? enter() : NULL;
    if (!s) return;
    for (wri_turn **p = &s->first; *p; p = &(*p)->next)
        if (*p == t) {
            *p = t->next;
            break;
        }
    wr_shared_leave();
    wr_mem_free(NULL, t, sizeof *t);
}
