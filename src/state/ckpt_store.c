/* SPDX-License-Identifier: Apache-2.0 */
/* The checkpoints of one job: its folder under lock, checkpoints in work, publishing, keeping the
 * last ones. A checkpoint exists from the moment its _metadata has its name; everything it needs is
 * on disk before. thread: the coordinator's */
#include "spi/registry.h"
#include "state/ckpt_int.h"

#define BUFFER_BYTES 65536u

static wr_status
nomem(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- opening --------------------------------------------------------------------------------- */

static wr_status
set_paths(wr_ctx *ctx, wr_ckpt_store *s, wr_str root, wr_str job_id)
{
    wr_arena *a = s->arena;
    if (!wri_ckpt_name_ok(job_id, true))
        return wr_raise(ctx, WR_OPTION, "'%.*s' cannot be the id of a job", WR_STR_ARG(job_id));
    WR_TRY(wri_ckpt_fs(ctx, root, &s->fs));
    s->job_id = wr_arena_str(a, job_id);
    s->dir = wri_ckpt_path_join(a, root, job_id);
    if (!s->job_id.ptr || !s->dir.ptr) return nomem(ctx);
    s->shared_dir = wri_ckpt_path_join(a, s->dir, WR_STR("shared"));
    s->taskowned_dir = wri_ckpt_path_join(a, s->dir, WR_STR("taskowned"));
    return s->shared_dir.ptr && s->taskowned_dir.ptr ? WR_OK : nomem(ctx);
}

static wr_status
lock_folder(wr_ctx *ctx, wr_ckpt_store *s)
{
    char host[128] = "?";
    wr_ctx probe;
    wr_ctx_init(&probe);
    (void)!wr_os_hostname(&probe, host, sizeof host);
    const wr_str path = wri_ckpt_path_join(s->arena, s->dir, WR_STR("lock"));
    const wr_str owner = wr_arena_printf(s->arena, "%d on %s\n", wr_os_pid(), host);
    if (!path.ptr || !owner.ptr) return nomem(ctx);
    wr_str holder = WR_STR("");
    WR_TRY(s->fs->ops->lock(ctx, s->fs, path, owner, s->arena, &s->lock, &holder));
    if (s->lock) return WR_OK;
    while (holder.len && holder.ptr[holder.len - 1] == '\n') holder.len--;
    const wr_status status =
        wr_raise(ctx, WR_EXISTS, "the checkpoints in '%.*s' are in use by process %.*s",
                 WR_STR_ARG(s->dir), WR_STR_ARG(holder));
    wr_hint(ctx, "Stop that process first, or give this job another checkpoint folder.");
    return status;
}

bool
wr_ckpt_number(wr_str name, uint64_t *id)
{
    if (name.len < 5 || name.len > 23 || !wr_str_starts(name, WR_STR("chk-"))) return false;
    *id = 0;
    for (size_t i = 4; i < name.len; i++) {
        const char c = name.ptr[i];
        if (c < '0' || c > '9') return false;
        *id = *id * 10 + (uint64_t)(c - '0');
    }
    return true;
}

/* One folder chk-<id>: published, or left unfinished by a process that died. */
static wr_status
take_folder(wr_ctx *ctx, wr_ckpt_store *s, wr_str folder, uint64_t id)
{
    wr_file_info info;
    bool exists;
    wri_kept *k = wri_ckpt_kept_create(s, folder, id);
    if (!k) return nomem(ctx);
    const wr_str metadata = wri_ckpt_path_join(k->arena, folder, WR_STR(WRI_METADATA));
    wr_status status = metadata.ptr ? WR_OK : nomem(ctx);
    if (status == WR_OK) status = s->fs->ops->stat(ctx, s->fs, metadata, k->arena, &info, &exists);
    if (status == WR_OK && exists) status = wri_ckpt_kept_read(ctx, k);
    if (status != WR_OK)
        wr_arena_destroy(k->arena);
    else if (exists)
        wri_ckpt_keep(s, k);
    else
        wri_ckpt_drop(s, k);
    return status;
}

static wr_status
take_stock(wr_ctx *ctx, wr_ckpt_store *s)
{
    wr_file_info *files;
    uint32_t n;
    WR_TRY(s->fs->ops->list(ctx, s->fs, s->dir, false, s->arena, &files, &n));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t id;
        const wr_str name = wri_ckpt_path_last(files[i].path);
        if (!files[i].is_dir || !wr_ckpt_number(name, &id)) continue;
        const wr_str folder = wri_ckpt_path_join(s->arena, s->dir, name);
        if (!folder.ptr) return nomem(ctx);
        WR_TRY(take_folder(ctx, s, folder, id));
    }
    WR_TRY(wri_ckpt_claim_reopen(ctx, s));
    wri_ckpt_collect(s);
    return wri_ckpt_sweep(ctx, s);
}

static wr_status
new_store(wr_ctx *ctx, uint32_t retain, wr_memtrack *budget, wr_ckpt_store **out)
{
    wr_arena *a = wr_arena_create(budget, 0);
    wr_ckpt_store *s = a ? WR_NEW(a, wr_ckpt_store) : NULL;
    if (!s) {
        wr_arena_destroy(a);
        return nomem(ctx);
    }
    s->budget = budget;
    s->arena = a;
    s->retain = WR_MAX(retain, 1);
    s->buffer_bytes = BUFFER_BYTES;
    wr_os_mutex_init(&s->mutex);
    wr_os_random(&s->run, sizeof s->run);
    *out = s;
    return WR_OK;
}

wr_status
wr_ckpt_store_open(wr_ctx *ctx, wr_str root, wr_str job_id, uint32_t retain, wr_memtrack *budget,
                   wr_ckpt_store **out)
{
    wr_ckpt_store *s;
    WR_TRY(new_store(ctx, retain, budget, &s));
    wr_status status = set_paths(ctx, s, root, job_id);
    if (status == WR_OK) status = s->fs->ops->mkdirs(ctx, s->fs, s->shared_dir);
    if (status == WR_OK) status = s->fs->ops->mkdirs(ctx, s->fs, s->taskowned_dir);
    if (status == WR_OK) status = lock_folder(ctx, s);
    if (status == WR_OK) status = take_stock(ctx, s);
    if (status == WR_OK) {
        s->open = true;
        *out = s;
    } else {
        wr_ckpt_store_close(s);
    }
    return status;
}

static void
forget(wri_kept *list)
{
    while (list) {
        wri_kept *k = list;
        list = k->next;
        wr_arena_destroy(k->arena);
    }
}

void
wr_ckpt_store_close(wr_ckpt_store *s)
{
    wr_ctx probe;
    if (!s) return;
    wr_ctx_init(&probe);
    while (s->making) wr_ckpt_discard(s->making);
    if (s->open) wri_ckpt_clean_last(s);
    forget(s->published);
    forget(s->garbage);
    if (s->lock) (void)!s->lock->ops->close(&probe, s->lock);
    wr_os_mutex_deinit(&s->mutex);
    wr_arena_destroy(s->arena);
}

void
wr_ckpt_store_set_buffer(wr_ckpt_store *s, uint64_t bytes)
{
    s->buffer_bytes = (uint32_t)WR_MAX(512, WR_MIN(bytes, 16u << 20));
}

wr_status
wr_ckpt_store_list(wr_ctx *ctx, wr_ckpt_store *s, wr_arena *a, uint64_t **ids, uint32_t *count)
{
    uint32_t n = 0;
    for (const wri_kept *k = s->published; k; k = k->next) n += !k->claimed;
    *ids = WR_NEW_N(a, uint64_t, n ? n : 1);
    if (!*ids) return nomem(ctx);
    *count = 0;
    for (const wri_kept *k = s->published; k; k = k->next)
        if (!k->claimed) (*ids)[(*count)++] = k->id;
    return WR_OK;
}

wr_status
wr_ckpt_make_folder(wr_ctx *ctx, wr_str dir)
{
    wr_fs *fs = NULL;
    WR_TRY(wri_ckpt_fs(ctx, dir, &fs));
    return fs->ops->mkdirs(ctx, fs, dir);
}

bool
wr_ckpt_store_is_empty(const wr_ckpt_store *s)
{
    return !s->published && !s->making;
}

wr_str
wr_ckpt_store_path(wr_ckpt_store *s, uint64_t id, wr_arena *a)
{
    return wr_arena_printf(a, "%.*s/chk-%llu", WR_STR_ARG(s->dir), (unsigned long long)id);
}

/* ---- a checkpoint in work -------------------------------------------------------------------- */

static wr_status
choose_folder(wr_ctx *ctx, wr_ckpt *c, wr_str savepoint_dir, wr_str *out)
{
    wr_ckpt_store *s = c->store;
    c->savepoint = savepoint_dir.len > 0;
    if (!c->savepoint) {
        c->fs = s->fs;
        *out = wr_ckpt_store_path(s, c->id, c->arena);
        for (const wri_kept *k = s->published; k; k = k->next)
            if (!k->claimed && k->id == c->id)
                return wr_raise(ctx, WR_EXISTS, "checkpoint %llu of this job is there already",
                                (unsigned long long)c->id);
        return out->ptr ? WR_OK : nomem(ctx);
    }
    uint64_t r;
    wr_os_random(&r, sizeof r);
    while (savepoint_dir.len > 1 && savepoint_dir.ptr[savepoint_dir.len - 1] == '/')
        savepoint_dir.len--;
    WR_TRY(wri_ckpt_fs(ctx, savepoint_dir, &c->fs));
    *out = wr_arena_printf(c->arena, "%.*s/savepoint-%.*s-%012llx", WR_STR_ARG(savepoint_dir),
                           (int)WR_MIN(s->job_id.len, 6), s->job_id.ptr,
                           (unsigned long long)(r >> 16));
    return out->ptr ? WR_OK : nomem(ctx);
}

static wr_status
new_ckpt(wr_ctx *ctx, wr_ckpt_store *s, uint64_t id, wr_checkpoint_kind kind, wr_ckpt **out)
{
    wr_arena *a = wr_arena_create(s->budget, 0);
    wr_ckpt *c = a ? WR_NEW(a, wr_ckpt) : NULL;
    if (!c) {
        wr_arena_destroy(a);
        return nomem(ctx);
    }
    c->store = s;
    c->arena = a;
    c->id = id;
    c->kind = (uint8_t)kind;
    *out = c;
    return WR_OK;
}

/* From here on it is known to the store. Frees `c` when it fails. */
static wr_status
begin_in(wr_ctx *ctx, wr_ckpt *c, wr_str folder, wr_ckpt **out)
{
    wr_ckpt_store *s = c->store;
    c->kept = wri_ckpt_kept_create(s, folder, c->id);
    if (!c->kept) {
        wr_arena_destroy(c->arena);
        return nomem(ctx);
    }
    c->seq = ++s->seq;
    c->next = s->making;
    s->making = c;
    const wr_status status = c->fs->ops->mkdirs(ctx, c->fs, folder);
    if (status == WR_OK)
        *out = c;
    else
        wr_ckpt_discard(c);
    return status;
}

wr_status
wr_ckpt_begin(wr_ctx *ctx, wr_ckpt_store *s, uint64_t id, wr_checkpoint_kind kind,
              wr_str savepoint_dir, wr_ckpt **out)
{
    wr_str folder;
    wr_ckpt *c;
    WR_TRY(new_ckpt(ctx, s, id, kind, &c));
    const wr_status status = choose_folder(ctx, c, savepoint_dir, &folder);
    if (status == WR_OK) return begin_in(ctx, c, folder, out);
    wr_arena_destroy(c->arena);
    return status;
}

/* A folder that is there is not ours to write into, nor to remove when something fails. */
static wr_status
want_nothing(wr_ctx *ctx, wr_ckpt *c, wr_str dir)
{
    wr_file_info info;
    bool exists;
    WR_TRY(wri_ckpt_fs(ctx, dir, &c->fs));
    WR_TRY(c->fs->ops->stat(ctx, c->fs, dir, c->arena, &info, &exists));
    if (!exists) return WR_OK;
    return wr_raise(ctx, WR_EXISTS, "'%.*s' is there already", WR_STR_ARG(dir));
}

wr_status
wr_ckpt_begin_alone(wr_ctx *ctx, wr_str dir, uint64_t id, wr_checkpoint_kind kind,
                    wr_memtrack *budget, wr_ckpt **out)
{
    wr_ckpt_store *s;
    wr_ckpt *c = NULL;
    WR_TRY(new_store(ctx, 1, budget, &s));
    wr_status status = new_ckpt(ctx, s, id, kind, &c);
    if (status == WR_OK) {
        c->savepoint = true;
        status = want_nothing(ctx, c, dir);
        if (status != WR_OK) wr_arena_destroy(c->arena);
    }
    if (status == WR_OK) status = begin_in(ctx, c, dir, out);
    if (status == WR_OK)
        s->alone = true;
    else
        wr_ckpt_store_close(s);
    return status;
}

wr_arena *
wr_ckpt_arena(wr_ckpt *c)
{
    return c->arena;
}

wr_str
wr_ckpt_path(const wr_ckpt *c)
{
    return c->kept->folder;
}

static void
leave_making(wr_ckpt *c)
{
    wr_ckpt **at = &c->store->making;
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    wri_writers_destroy(c);
    wr_arena_destroy(c->arena);
}

void
wr_ckpt_discard(wr_ckpt *c)
{
    if (!c) return;
    wr_ckpt_store *s = c->store;
    wri_kept *k = c->kept;
    k->names = c->created;
    leave_making(c);
    wri_ckpt_drop(s, k);
    wri_ckpt_collect(s);
    if (s->alone) wr_ckpt_store_close(s);
}

/* ---- publishing ------------------------------------------------------------------------------ */

static bool
is_on_disk(const wr_ckpt *c, wr_str name)
{
    if (wri_ckpt_names_has(&c->created, name) || wri_ckpt_is_named(c->store, name)) return true;
    for (const wr_ckpt *o = c->store->making; o; o = o->next)
        if (wri_ckpt_names_has(&o->created, name)) return true;
    for (const wri_kept *k = c->store->garbage; k; k = k->next)
        if (wri_ckpt_names_has(&k->names, name)) return true;
    return false;
}

/* A shared file that is nowhere would make a checkpoint that cannot be restored. */
static wr_status
check_names(wr_ctx *ctx, const wr_ckpt *c)
{
    const wri_names *names = &c->kept->names;
    for (uint32_t i = 0; i < names->count; i++) {
        if (c->savepoint || !is_on_disk(c, names->items[i]))
            return wr_raise(ctx, WR_INTERNAL,
                            "checkpoint %llu refers to shared file '%.*s', which is not there",
                            (unsigned long long)c->id, WR_STR_ARG(names->items[i]));
    }
    return WR_OK;
}

static wr_status
publish(wr_ctx *ctx, wr_ckpt *c, const wr_ckpt_meta *m)
{
    const wr_str folder = c->kept->folder;
    const wr_str part = wri_ckpt_path_join(c->arena, folder, WR_STR(WRI_METADATA_PART));
    const wr_str name = wri_ckpt_path_join(c->arena, folder, WR_STR(WRI_METADATA));
    wr_str content;
    bool done = false;
    if (!part.ptr || !name.ptr) return nomem(ctx);
    WR_TRY(wri_ckpt_kept_take_names(ctx, c->kept, m));
    WR_TRY(check_names(ctx, c));
    WR_TRY(wr_ckpt_encode(ctx, m, c->arena, &content));
    WR_TRY(wri_ckpt_file_write(ctx, c->fs, part, content));
    if (c->created.count) WR_TRY(c->fs->ops->sync_dir(ctx, c->fs, c->store->shared_dir));
    WR_TRY(c->fs->ops->sync_dir(ctx, c->fs, folder));
    WR_TRY(c->fs->ops->rename_new(ctx, c->fs, part, name, &done));
    if (done) return WR_OK;
    return wr_raise(ctx, WR_EXISTS, "there is a checkpoint in '%.*s' already", WR_STR_ARG(folder));
}

wr_status
wr_ckpt_publish(wr_ctx *ctx, wr_ckpt *c, const wr_ckpt_meta *m)
{
    wr_ckpt_store *s = c->store;
    wri_kept *k = c->kept;
    WR_ASSERT(m->id == c->id && m->kind == c->kind);
    const wr_status status = publish(ctx, c, m);
    if (status != WR_OK) {
        wr_ckpt_discard(c);
        return status;
    }
    const bool savepoint = c->savepoint;
    leave_making(c);
    if (savepoint) {
        wr_arena_destroy(k->arena);
    } else {
        wri_ckpt_keep(s, k);
        wri_ckpt_retain(s);
    }
    wri_ckpt_collect(s);
    if (s->alone) wr_ckpt_store_close(s);
    return WR_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

wr_status
wr_ckpt_store_remove_all(wr_ctx *ctx, wr_ckpt_store *s)
{
    while (s->making) wr_ckpt_discard(s->making);
    /* The oldest first: whatever happens meanwhile, the newest that is left is the newest. */
    while (s->published) {
        wri_kept **at = &s->published;
        while ((*at)->next) at = &(*at)->next;
        wri_kept *k = *at;
        *at = NULL;
        wri_ckpt_drop(s, k);
        wri_ckpt_collect(s);
        if (s->garbage)
            return wr_raise(ctx, WR_IO, "cannot remove checkpoint '%.*s'",
                            WR_STR_ARG(s->garbage->folder));
    }
    return s->fs->ops->remove(ctx, s->fs, s->dir, true);
}
