/* SPDX-License-Identifier: Apache-2.0 */
/* Engines and sessions: made, registered, destroyed. */
#include "engine/engine_int.h"

#include "connector/connector.h"
#include "format/format.h"
#include "fs/fs.h"
#include "os/os.h"
#include "state/state.h"

/* Fill the registry. It is process-wide and filled once; further engines find it filled. */
static wr_status
register_rooms(wr_ctx *ctx)
{
    if (wr_find_state(WR_STR("hashmap"))) return WR_OK;
    bool ok = wr_fs_register() && wr_formats_register() && wr_connectors_register() &&
              wr_catalog_register() && wr_register_state(&wr_state_hashmap_ops) &&
              wr_register_state(&wr_state_rocksdb_ops);
    return ok ? WR_OK
              : wr_raise(ctx, WR_INTERNAL,
                         "the registry of connectors is full, or WEIR_FAULT is malformed");
}

wr_status
wr_engine_create(wr_ctx *ctx, const wr_engine_config *config, wr_engine **out)
{
    *out = NULL;
    WR_TRY(register_rooms(ctx));
    wr_memtrack *budget = wr_memtrack_create(NULL, "engine", config->memory_bytes);
    WR_TRY_ALLOC(ctx, budget);
    wr_arena *arena = wr_arena_create(budget, 0);
    wr_engine *e = arena ? WR_NEW(arena, wr_engine) : NULL;
    if (!e) {
        wr_arena_destroy(arena);
        wr_memtrack_destroy(budget);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    e->arena = arena;
    e->budget = budget;
    e->config = *config;
    e->config.data_dir = wr_arena_str(arena, config->data_dir);
    *out = e;
    return WR_OK;
}

void
wr_engine_destroy(wr_engine *e)
{
    if (!e) return;
    wr_memtrack *budget = e->budget;
    wr_arena_destroy(e->arena);
    wr_memtrack_destroy(budget);
}

static wr_status
write_stream(wr_os_file file, wr_str text)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    return wr_os_file_write(&ctx, &file, text.ptr, text.len);
}

static wr_status
default_out(void *arg, wr_str text)
{
    (void)arg;
    return write_stream(wr_os_stdout(), text);
}

static wr_status
default_err(void *arg, wr_str text)
{
    (void)arg;
    return write_stream(wr_os_stderr(), text);
}

wr_status
wr_session_create(wr_ctx *ctx, wr_engine *e, wr_session **out)
{
    *out = NULL;
    wr_arena *arena = wr_arena_create(e->budget, 0);
    wr_session *s = arena ? WR_NEW(arena, wr_session) : NULL;
    if (!s) {
        wr_arena_destroy(arena);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    s->engine = e;
    s->arena = arena;
    s->next_job_id = 1;
    s->out = default_out;
    s->err = default_err;
    wri_modules_init(s);
    wr_status status = wr_catalogs_create(ctx, e->config.data_dir, &s->catalogs);
    if (status != WR_OK) {
        wr_arena_destroy(arena);
        return status;
    }
    *out = s;
    return WR_OK;
}

wr_status
wr_session_set_state(wr_ctx *ctx, wr_session *s, wr_str dir)
{
    return wri_state_dir_open(ctx, s->arena, dir, &s->state);
}

void
wr_session_set_stop(wr_session *s, const volatile int *flag, int64_t timeout_ms)
{
    s->stop_flag = flag;
    s->stop_timeout_ms = timeout_ms;
}

wr_session_stop
wr_session_stop_state(const wr_session *s)
{
    return (wr_session_stop)s->stop_state;
}

void
wr_session_destroy(wr_session *s)
{
    if (!s) return;
    wri_session_note_finished(s);
    for (uint32_t i = 0; i < s->job_count; i++) {
        wr_job_destroy(s->jobs[i].job);
        s->jobs[i].job = NULL; /* arenas of others may ask for it */
        wr_arena_destroy(s->jobs[i].arena);
    }
    wri_forget_materialized(s);
    wri_state_dir_close(s->state);
    wr_arena_destroy(s->set_arena);
    wr_catalogs_destroy(s->catalogs);
    wr_arena_destroy(s->arena);
}

wr_catalogs *
wr_session_catalogs(wr_session *s)
{
    return s->catalogs;
}

void
wr_session_set_output(wr_session *s, wr_status (*out)(void *arg, wr_str text),
                      wr_status (*err)(void *arg, wr_str text), void *arg)
{
    s->out = out ? out : default_out;
    s->err = err ? err : default_err;
    s->out_arg = arg;
}
