/* SPDX-License-Identifier: Apache-2.0 */
/* A write-ahead log for sinks over systems that cannot prepare (walog_int.h).
 *
 * Its committable is twophase.c's with one item: byte 0, text name and one frame; or byte 1, text
 * name, text path, varint bytes, and frames up to them in the file. The name is for ever:
 *
 *   <operator, 16 hex digits>-<job id>-<checkpoint id, 20 digits>-<subtask, 5 digits>
 *
 * so that what one job has applied is known to another one that starts from its checkpoint.
 *
 *   frame   u32 bytes behind this head, u64 checksum (XXH3-64 seeded with the frame's number, from
 *           0), entries: varint length, bytes; integers little endian
 *   file    <log dir>/wal-<key>-<subtask>-<epoch>-<16 random hex digits>
 *
 * key (16 hex digits) stands for job and sink, epoch for the checkpoint behind which the log was
 * begun. As with parts in progress (fs_part.c) an attempt that starts from checkpoint N removes the
 * logs of its key with an epoch of N or more: no checkpoint up to N names them. */
#include "connector/walog_int.h"

#include <stdio.h>

#include "connector/fs_int.h"
#include "os/os.h"

enum {
    IN_CHECKPOINT = 0,
    IN_FILE = 1,
    FRAME_HEAD = 12,
    FRAME_BYTES = 1 << 20, /* a frame is closed behind so many, or holds one longer entry */
    NAME_MAX_BYTES = 96
};
#define FRAME_MAX (1u << 30)

typedef struct log_key {
    char text[17];
} log_key;

struct wri_walog {
    const wr_sink_env *env;
    wri_twophase phases;
    uint64_t memory_bytes;
    log_key key;
    wr_arena *arena; /* of the frame that is being filled, and of the path */
    wr_text frame;   /* entries of it */
    wr_fs *fs;
    wr_file *file; /* NULL: none yet in this epoch */
    wr_str path;
    uint64_t file_bytes;
    uint32_t frames; /* in the file */
};

static void
put_u32(char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) p[i] = (char)(v >> (8 * i));
}

static void
put_u64(char *p, uint64_t v)
{
    for (int i = 0; i < 8; i++) p[i] = (char)(v >> (8 * i));
}

static uint64_t
get(const char *p, int bytes)
{
    uint64_t v = 0;
    for (int i = 0; i < bytes; i++) v |= (uint64_t)(uint8_t)p[i] << (8 * i);
    return v;
}

static void
frame_head(char head[FRAME_HEAD], wr_str entries, uint32_t number)
{
    put_u32(head, (uint32_t)entries.len);
    put_u64(head + 4, wr_hash_bytes(entries.ptr, entries.len, number));
}

static void
begin_frame(wri_walog *w)
{
    wr_arena_reset(w->arena);
    wr_text_init(&w->frame, w->arena);
}

static log_key
key_of(wr_str owner)
{
    log_key k;
    (void)snprintf(k.text, sizeof k.text, "%016llx",
                   (unsigned long long)wr_hash_bytes(owner.ptr, owner.len, 1));
    return k;
}

static wr_status
owner_of(wr_ctx *ctx, const wr_sink_env *env, wr_arena *a, wr_str *out)
{
    *out = wr_arena_printf(a, "%.*s/%.*s", WR_STR_ARG(env->job_id), WR_STR_ARG(env->operator_id));
    return out->ptr ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- leftovers ------------------------------------------------------------------------------- */

/* "wal-<key>-<subtask>-<epoch>-..."; false: not one of ours. */
static bool
read_name(const log_key *key, wr_str name, uint64_t *subtask, uint64_t *epoch)
{
    char buffer[NAME_MAX_BYTES];
    unsigned long long s, e;
    if (name.len >= sizeof buffer || name.len < 21 || memcmp(name.ptr, "wal-", 4) != 0)
        return false;
    if (memcmp(name.ptr + 4, key->text, 16) != 0 || name.ptr[20] != '-') return false;
    memcpy(buffer, name.ptr, name.len);
    buffer[name.len] = '\0';
    if (sscanf(buffer + 21, "%19llu-%19llu-", &s, &e) != 2) return false;
    *subtask = s;
    *epoch = e;
    return true;
}

static wr_status
clean_in(wr_ctx *ctx, const wri_walog *w, wr_arena *a)
{
    wr_file_info info, *files = NULL;
    uint32_t count = 0;
    bool exists;
    WR_TRY(w->fs->ops->stat(ctx, w->fs, w->env->log_dir, a, &info, &exists));
    if (!exists) return WR_OK;
    WR_TRY(w->fs->ops->list(ctx, w->fs, w->env->log_dir, false, a, &files, &count));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t subtask, epoch;
        if (!read_name(&w->key, wri_fs_name(files[i].path), &subtask, &epoch)) continue;
        if (epoch < w->phases.epoch || subtask % w->env->parallelism != w->env->subtask) continue;
        WR_TRY(w->fs->ops->remove(ctx, w->fs, files[i].path, false));
    }
    return WR_OK;
}

static wr_status
clean(wr_ctx *ctx, const wri_walog *w)
{
    if (!w->fs) return WR_OK;
    wr_arena *a = wr_arena_create(w->env->budget, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_status status = clean_in(ctx, w, a);
    wr_arena_destroy(a);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

wr_status
wri_walog_open(wr_ctx *ctx, const wr_sink_env *env, uint64_t memory_bytes, wri_walog **out)
{
    wri_walog *w = WR_NEW(env->arena, wri_walog);
    WR_TRY_ALLOC(ctx, w);
    *w = (wri_walog){.env = env, .memory_bytes = memory_bytes};
    wr_str owner;
    WR_TRY(owner_of(ctx, env, env->arena, &owner));
    w->key = key_of(owner);
    if (env->log_dir.len) {
        w->fs = wr_find_fs(env->log_dir);
        if (!w->fs)
            return wr_raise(ctx, WR_OPTION, "no file system for the logs of sinks in '%.*s'",
                            WR_STR_ARG(env->log_dir));
    }
    WR_TRY(wri_twophase_init(ctx, &w->phases, owner, env->budget));
    w->arena = wr_arena_create(env->budget, 0);
    wr_status status = w->arena ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    /* A restored writer does so when it knows from where. */
    if (status == WR_OK && !env->restoring) status = clean(ctx, w);
    if (status != WR_OK) {
        wri_walog_close(w);
        return status;
    }
    begin_frame(w);
    *out = w;
    return WR_OK;
}

static wr_status
create_file(wr_ctx *ctx, wri_walog *w)
{
    const wr_sink_env *env = w->env;
    uint64_t salt;
    wr_os_random(&salt, sizeof salt);
    wr_arena *a = w->phases.arena; /* until the epoch ends */
    w->path = wr_arena_printf(a, "%.*s/wal-%s-%u-%llu-%016llx", WR_STR_ARG(env->log_dir),
                              w->key.text, env->subtask, (unsigned long long)w->phases.epoch,
                              (unsigned long long)salt);
    WR_TRY_ALLOC(ctx, w->path.ptr);
    WR_TRY(w->fs->ops->mkdirs(ctx, w->fs, env->log_dir));
    WR_TRY(w->fs->ops->create(ctx, w->fs, w->path, &w->file));
    w->file_bytes = 0;
    w->frames = 0;
    return WR_OK;
}

static wr_status
write_frame(wr_ctx *ctx, wri_walog *w)
{
    char head[FRAME_HEAD];
    const wr_str entries = wr_text_str(&w->frame);
    if (entries.len == 0) return WR_OK;
    if (!w->file) WR_TRY(create_file(ctx, w));
    frame_head(head, entries, w->frames++);
    WR_TRY(w->file->ops->append(ctx, w->file, head, sizeof head));
    WR_TRY(w->file->ops->append(ctx, w->file, entries.ptr, entries.len));
    w->file_bytes += sizeof head + entries.len;
    begin_frame(w);
    return WR_OK;
}

wr_status
wri_walog_append(wr_ctx *ctx, wri_walog *w, wr_str entry)
{
    if (entry.len > FRAME_MAX - 16)
        return wr_raise(ctx, WR_LIMIT, "an entry of a sink's log has more than 1 GiB");
    const bool full = w->frame.len + entry.len > FRAME_BYTES;
    if (full && w->fs && (w->file || w->frame.len + entry.len > w->memory_bytes))
        WR_TRY(write_frame(ctx, w));
    if (w->frame.len + entry.len > FRAME_MAX - 16)
        return wr_raise(ctx, WR_LIMIT,
                        "what a sink keeps in memory for a checkpoint has more than "
                        "1 GiB: take checkpoints more often");
    wri_item_put_str(&w->frame, entry);
    return w->frame.failed ? wr_text_raise(ctx, &w->frame) : WR_OK;
}

static wr_status
put_name(wr_ctx *ctx, const wri_walog *w, uint64_t checkpoint_id, wr_text *item)
{
    const wr_str op = w->env->operator_id;
    wr_str name = wr_arena_printf(w->phases.arena, "%016llx-%.*s-%020llu-%05u",
                                  (unsigned long long)wr_hash_bytes(op.ptr, op.len, 0),
                                  WR_STR_ARG(w->env->job_id), (unsigned long long)checkpoint_id,
                                  w->env->subtask);
    WR_TRY_ALLOC(ctx, name.ptr);
    wri_item_put_str(item, name);
    return WR_OK;
}

static wr_status
add_memory(wr_ctx *ctx, wri_walog *w, uint64_t checkpoint_id)
{
    char head[FRAME_HEAD];
    wr_text item;
    const wr_str entries = wr_text_str(&w->frame);
    frame_head(head, entries, 0);
    wr_text_init(&item, w->arena);
    wr_text_putc(&item, IN_CHECKPOINT);
    WR_TRY(put_name(ctx, w, checkpoint_id, &item));
    wr_text_put(&item, head, sizeof head);
    wr_text_put(&item, entries.ptr, entries.len);
    if (item.failed) return wr_text_raise(ctx, &item);
    return wri_twophase_add(ctx, &w->phases, wr_text_str(&item));
}

static wr_status
add_file(wr_ctx *ctx, wri_walog *w, uint64_t checkpoint_id)
{
    wr_text item;
    WR_TRY(write_frame(ctx, w));
    WR_TRY(w->file->ops->sync(ctx, w->file));
    wr_file *file = w->file;
    w->file = NULL;
    WR_TRY(file->ops->close(ctx, file));
    WR_TRY(w->fs->ops->sync_dir(ctx, w->fs, w->env->log_dir));
    wr_text_init(&item, w->arena);
    wr_text_putc(&item, IN_FILE);
    WR_TRY(put_name(ctx, w, checkpoint_id, &item));
    wri_item_put_str(&item, w->path);
    wri_item_put_u64(&item, w->file_bytes);
    if (item.failed) return wr_text_raise(ctx, &item);
    return wri_twophase_add(ctx, &w->phases, wr_text_str(&item));
}

wr_status
wri_walog_prepare(wr_ctx *ctx, wri_walog *w, uint64_t checkpoint_id, wr_arena *a,
                  wr_str *committable)
{
    const wri_committable head = {checkpoint_id, w->env->subtask, INT64_MIN};
    *committable = WR_STR("");
    if (w->file || (w->fs && w->frame.len > w->memory_bytes))
        WR_TRY(add_file(ctx, w, checkpoint_id));
    else if (w->frame.len)
        WR_TRY(add_memory(ctx, w, checkpoint_id));
    begin_frame(w);
    if (w->phases.items.count) return wri_twophase_prepare(ctx, &w->phases, &head, a, committable);
    w->phases.epoch = checkpoint_id;
    return WR_OK;
}

wr_status
wri_walog_snapshot(wr_ctx *ctx, wri_walog *w, uint64_t checkpoint_id, wr_opstate *out)
{
    return wri_twophase_snapshot(ctx, &w->phases, checkpoint_id, out);
}

/* ---- restoring ------------------------------------------------------------------------------- */

wr_status
wri_walog_restore(wr_ctx *ctx, wri_walog *w, const wr_opstate *in)
{
    WR_TRY(wri_twophase_restore(ctx, &w->phases, in));
    return clean(ctx, w);
}

void
wri_walog_close(wri_walog *w)
{
    if (!w) return;
    if (w->file) {
        wr_ctx quiet; /* nobody is left to tell */
        wr_ctx_init(&quiet);
        (void)(w->file->ops->close(&quiet, w->file) == WR_OK);
        (void)(w->fs->ops->remove(&quiet, w->fs, w->path, false) == WR_OK);
    }
    wr_arena_destroy(w->arena);
    wri_twophase_deinit(&w->phases);
}

/* ---- applying -------------------------------------------------------------------------------- */

typedef struct log_reader {
    wr_str name;
    wr_fs *fs;
    wr_file *file; /* or: */
    wr_str memory;
    wr_str path;
    uint64_t at, bytes; /* of the file or the memory */
    wr_arena *arena;    /* of the frame at hand */
} log_reader;

static wr_status
damaged(wr_ctx *ctx, const log_reader *r, const char *what)
{
    if (!r->path.len)
        return wr_raise(ctx, WR_CORRUPT, "the log that a sink left to be applied is damaged: %s",
                        what);
    return wr_raise(ctx, WR_CORRUPT,
                    "the log '%.*s', which a sink left to be applied, is damaged: %s",
                    WR_STR_ARG(r->path), what);
}

static wr_status
read_bytes(wr_ctx *ctx, log_reader *r, size_t n, const char **out)
{
    if (n > r->bytes - r->at) return damaged(ctx, r, "it ends in the middle of a frame");
    if (!r->file) {
        *out = r->memory.ptr + r->at;
    } else {
        char *buffer = wr_arena_alloc(r->arena, n + 1);
        size_t got = 0;
        WR_TRY_ALLOC(ctx, buffer);
        WR_TRY(r->file->ops->read_at(ctx, r->file, r->at, buffer, n, &got));
        if (got != n) return damaged(ctx, r, "the file is shorter than it was");
        *out = buffer;
    }
    r->at += n;
    return WR_OK;
}

static wr_status
apply_frame(wr_ctx *ctx, log_reader *r, uint32_t number, const wri_walog_target *t, void *arg)
{
    const char *head, *bytes;
    WR_TRY(read_bytes(ctx, r, FRAME_HEAD, &head));
    const size_t len = (size_t)get(head, 4);
    const uint64_t checksum = get(head + 4, 8);
    WR_TRY(read_bytes(ctx, r, len, &bytes));
    if (wr_hash_bytes(bytes, len, number) != checksum)
        return damaged(ctx, r, "the checksum of a frame does not match");
    wri_item_reader items = {.rest = {bytes, len}};
    while (items.rest.len) {
        const wr_str entry = wri_item_take_str(&items);
        if (items.bad) return damaged(ctx, r, "an entry is malformed");
        WR_TRY(t->entry(ctx, arg, entry));
    }
    return WR_OK;
}

static wr_status
apply_frames(wr_ctx *ctx, log_reader *r, const wri_walog_target *t, void *arg)
{
    for (uint32_t n = 0; r->at < r->bytes; n++) {
        wr_arena_reset(r->arena);
        WR_TRY(apply_frame(ctx, r, n, t, arg));
    }
    return WR_OK;
}

/* The one item of a committable; opens the file. *there false: the file is gone. */
static wr_status
open_log(wr_ctx *ctx, wr_str item, wr_str dir, wr_arena *a, log_reader *r, bool *there)
{
    wri_item_reader in = {.rest = {item.ptr + 1, item.len ? item.len - 1 : 0}};
    *there = true;
    r->name = wri_item_take_str(&in);
    if (item.len && item.ptr[0] == IN_CHECKPOINT && !in.bad) {
        r->memory = in.rest;
        r->bytes = in.rest.len;
        return WR_OK;
    }
    r->path = wri_item_take_str(&in);
    r->bytes = wri_item_take_u64(&in);
    if (item.len == 0 || item.ptr[0] != IN_FILE || in.bad || in.rest.len)
        return damaged(ctx, r, "what tells where it lies is malformed");
    r->fs = wr_find_fs(r->path);
    if (!r->fs) return wr_raise(ctx, WR_OPTION, "no file system for '%.*s'", WR_STR_ARG(r->path));
    wr_file_info info;
    WR_TRY(r->fs->ops->stat(ctx, r->fs, r->path, a, &info, there));
    if (!*there && dir.len) { /* the job's folder was moved */
        const wr_str old = r->path;
        r->path = wr_arena_printf(a, "%.*s/%.*s", WR_STR_ARG(dir), WR_STR_ARG(wri_fs_name(old)));
        WR_TRY_ALLOC(ctx, r->path.ptr);
        WR_TRY(r->fs->ops->stat(ctx, r->fs, r->path, a, &info, there));
        if (!*there) r->path = old;
    }
    if (!*there) return WR_OK;
    if (info.size_bytes < r->bytes) return damaged(ctx, r, "the file is shorter than it was");
    return r->fs->ops->open(ctx, r->fs, r->path, &r->file);
}

static wr_status
missing(wr_ctx *ctx, const log_reader *r, const wri_committable *epoch)
{
    wr_status status = wr_raise(
        ctx, WR_CORRUPT, "the log '%.*s' of checkpoint %llu, which is to be applied, is missing",
        WR_STR_ARG(r->path), (unsigned long long)epoch->checkpoint_id);
    wr_hint(ctx, "a sink wrote it there before the checkpoint completed; it belongs to the "
                 "checkpoint and moves with the job's folder");
    return status;
}

static wr_status
apply_epoch(wr_ctx *ctx, log_reader *r, bool there, const wri_committable *epoch,
            const wri_walog_target *t, void *arg)
{
    bool applied = false;
    WR_TRY(t->begin(ctx, arg, r->name, &applied));
    if (applied && (!there || !t->again)) {
        t->abandon(arg);
        return WR_OK;
    }
    wr_status status = there ? apply_frames(ctx, r, t, arg) : missing(ctx, r, epoch);
    if (status == WR_OK) return t->end(ctx, arg);
    t->abandon(arg);
    return status;
}

static wr_status
apply(wr_ctx *ctx, const wr_commit *c, wr_str committable, const wri_walog_target *t, void *arg,
      wr_arena *a)
{
    wri_committable epoch;
    wri_item_reader items;
    wr_str item = {"", 0};
    bool there;
    log_reader r = {.arena = a};
    WR_TRY(wri_committable_open(ctx, committable, &epoch, &items));
    const bool one = wri_committable_next(&items, &item) && items.rest.len == 0;
    WR_TRY(wri_committable_check(ctx, &items));
    if (!one) return damaged(ctx, &r, "its committable is malformed");
    WR_TRY(open_log(ctx, item, c->env->log_dir, c->env->arena, &r, &there));
    wr_status status = apply_epoch(ctx, &r, there, &epoch, t, arg);
    if (r.file) {
        wr_status closed = r.file->ops->close(ctx, r.file);
        if (status == WR_OK) status = closed;
    }
    return status;
}

/* Is that the file of one of the logs just applied? */
static bool
is_named(const wr_commit *c, wr_str path)
{
    for (uint32_t i = 0; i < c->count; i++) {
        wr_ctx quiet; /* they were read before */
        wri_committable epoch;
        wri_item_reader items;
        wr_str item;
        wr_ctx_init(&quiet);
        if (wri_committable_open(&quiet, c->committables[i], &epoch, &items) != WR_OK) continue;
        if (!wri_committable_next(&items, &item) || !item.len || *item.ptr != IN_FILE) continue;
        wri_item_reader in = {.rest = {item.ptr + 1, item.len - 1}};
        (void)wri_item_take_str(&in); /* the name */
        if (wr_str_eq(wri_fs_name(wri_item_take_str(&in)), wri_fs_name(path))) return true;
    }
    return false;
}

/* The logs that this checkpoint has applied go with the next one: as long as it is the newest, it
 * can be copied, or restored for another system. Logs of its own number or more are being written.
 */
static wr_status
drop_applied(wr_ctx *ctx, const wr_commit *c, wr_arena *a)
{
    wr_file_info info, *files = NULL;
    uint32_t count = 0;
    bool exists;
    const wr_str dir = c->env->log_dir;
    wr_str owner;
    wr_fs *fs = dir.len ? wr_find_fs(dir) : NULL;
    if (!fs) return WR_OK;
    WR_TRY(fs->ops->stat(ctx, fs, dir, a, &info, &exists));
    if (!exists) return WR_OK;
    WR_TRY(owner_of(ctx, c->env, a, &owner));
    const log_key key = key_of(owner);
    WR_TRY(fs->ops->list(ctx, fs, dir, false, a, &files, &count));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t subtask, epoch;
        if (!read_name(&key, wri_fs_name(files[i].path), &subtask, &epoch)) continue;
        if (!c->end && (epoch >= c->checkpoint_id || is_named(c, files[i].path))) continue;
        WR_TRY(fs->ops->remove(ctx, fs, files[i].path, false));
    }
    return WR_OK;
}

wr_status
wri_walog_commit(wr_ctx *ctx, const wr_commit *c, const wri_walog_target *t, void *arg)
{
    wr_arena *a = wr_arena_create(c->env->budget, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_status status = WR_OK;
    for (uint32_t i = 0; i < c->count && status == WR_OK; i++)
        status = apply(ctx, c, c->committables[i], t, arg, a);
    wr_arena_reset(a);
    if (status == WR_OK) status = drop_applied(ctx, c, a);
    wr_arena_destroy(a);
    return status;
}
