/* SPDX-License-Identifier: Apache-2.0 */
/* A checkpoint or savepoint is removed for good. One that lies in a job's folder is removed the way
 * the job itself would do it: under the folder's lock, its own files first, shared ones that no
 * neighbour names last. A savepoint is its own folder: the metadata goes first, then the files that
 * it names, then the folder, unless somebody put other things there. */
#include "state/ckpt_int.h"

typedef struct disposal {
    const wr_ckpt_meta *m;
    wr_fs *fs;
    wr_arena *arena;
    wr_ckpt_store *store; /* NULL: a savepoint */
    wr_ckpt_disposed *out;
} disposal;

/* "root" and "job" of ".../root/job/chk-7"; false: it lies in no job's folder. */
static wr_status
find_job(wr_ctx *ctx, disposal *d, wr_str *root, wr_str *job, bool *found)
{
    wr_file_info info;
    wr_arena *a = d->arena;
    *found = false;
    if (!d->m->shared_dir.len || !wr_str_starts(wri_ckpt_path_last(d->m->path), WR_STR("chk-")))
        return WR_OK;
    const wr_str dir = wri_ckpt_path_parent(a, d->m->path);
    WR_TRY_ALLOC(ctx, dir.ptr);
    *root = wri_ckpt_path_parent(a, dir);
    *job = wri_ckpt_path_last(dir);
    WR_TRY_ALLOC(ctx, root->ptr);
    return d->fs->ops->stat(ctx, d->fs, d->m->shared_dir, a, &info, found);
}

/* ---- who else needs it ----------------------------------------------------------------------- */

/* Jobs beside it that have claimed it. */
static wr_status
check_claims(wr_ctx *ctx, disposal *d, wr_str root)
{
    wr_file_info *jobs, mine, theirs;
    uint32_t n;
    bool exists;
    WR_TRY(d->fs->ops->stat(ctx, d->fs, d->m->path, d->arena, &mine, &exists));
    WR_TRY(d->fs->ops->list(ctx, d->fs, root, false, d->arena, &jobs, &n));
    for (uint32_t i = 0; i < n; i++) {
        wr_str folder = WR_STR("");
        if (!jobs[i].is_dir) continue;
        WR_TRY(wri_ckpt_claim_of(ctx, d->fs, jobs[i].path, d->arena, &folder));
        if (!folder.len) continue;
        WR_TRY(d->fs->ops->stat(ctx, d->fs, folder, d->arena, &theirs, &exists));
        if (!exists || theirs.id != mine.id || !mine.id) continue;
        wr_hint(ctx, "it goes by itself when that job does not need it any more");
        return wr_raise(ctx, WR_EXISTS, "job '%.*s' has claimed '%.*s'",
                        WR_STR_ARG(wri_ckpt_path_last(jobs[i].path)), WR_STR_ARG(folder));
    }
    return WR_OK;
}

/* In a job's folder; in a savepoint everything is its own. */
static bool
is_shared(const disposal *d, const wr_state_file *f)
{
    return f->shared && d->m->shared_dir.len;
}

/* ---- counting -------------------------------------------------------------------------------- */
static wr_status
count_file(wr_ctx *ctx, void *arg, const wr_state_file *f)
{
    disposal *d = arg;
    (void)ctx;
    if (is_shared(d, f) && (!d->store || wri_ckpt_is_named(d->store, f->name))) {
        d->out->shared++;
        return WR_OK;
    }
    d->out->files++;
    d->out->bytes += f->bytes;
    return WR_OK;
}

/* ---- in a job's folder ----------------------------------------------------------------------- */
static wri_kept *
unlink_kept(wr_ckpt_store *s, wr_str folder)
{
    const wr_str name = wri_ckpt_path_last(folder);
    for (wri_kept **at = &s->published; *at; at = &(*at)->next) {
        wri_kept *k = *at;
        if (k->claimed || !wr_str_eq(wri_ckpt_path_last(k->folder), name)) continue;
        *at = k->next;
        return k;
    }
    return NULL;
}

/* What a neighbour needs must be known. */
static wr_status
check_neighbours(wr_ctx *ctx, const wr_ckpt_store *s)
{
    for (const wri_kept *k = s->published; k; k = k->next) {
        if (k->readable) continue;
        wr_hint(ctx, "remove the folder of that checkpoint first: it cannot be restored any more");
        return wr_raise(ctx, WR_CORRUPT,
                        "checkpoint '%.*s' cannot be read, so it is not known which shared files "
                        "it needs",
                        WR_STR_ARG(k->folder));
    }
    return WR_OK;
}

static wr_status
dispose_in_job(wr_ctx *ctx, disposal *d, wr_str root, wr_str job)
{
    WR_TRY(check_claims(ctx, d, root));
    WR_TRY(wr_ckpt_store_open(ctx, root, job, UINT32_MAX, NULL, &d->store));
    wr_status status = check_neighbours(ctx, d->store);
    wri_kept *k = status == WR_OK ? unlink_kept(d->store, d->m->path) : NULL;
    if (k) {
        status = wri_ckpt_each_file(ctx, d->m, count_file, d);
        wri_ckpt_drop(d->store, k);
        wri_ckpt_collect(d->store);
    }
    if (status == WR_OK && d->store->garbage)
        status = wr_raise(ctx, WR_IO, "not all of checkpoint '%.*s' could be removed",
                          WR_STR_ARG(d->m->path));
    wr_ckpt_store_close(d->store);
    d->store = NULL;
    return status;
}

/* ---- a savepoint ----------------------------------------------------------------------------- */
static wr_status
remove_file(wr_ctx *ctx, void *arg, const wr_state_file *f)
{
    disposal *d = arg;
    wr_str path;
    if (is_shared(d, f)) return WR_OK;
    WR_TRY(wri_ckpt_file_path(ctx, d->m, f, d->arena, &path));
    return d->fs->ops->remove(ctx, d->fs, path, false);
}

static wr_status
dispose_alone(wr_ctx *ctx, disposal *d)
{
    wr_file_info *left;
    const wr_str folder = d->m->path;
    const wr_str metadata = wri_ckpt_path_join(d->arena, folder, WR_STR(WRI_METADATA));
    WR_TRY_ALLOC(ctx, metadata.ptr);
    WR_TRY(wri_ckpt_each_file(ctx, d->m, count_file, d));
    WR_TRY(d->fs->ops->remove(ctx, d->fs, metadata, false));
    WR_TRY(d->fs->ops->sync_dir(ctx, d->fs, folder));
    WR_TRY(wri_ckpt_each_file(ctx, d->m, remove_file, d));
    WR_TRY(d->fs->ops->list(ctx, d->fs, folder, false, d->arena, &left, &d->out->others));
    if (d->out->others) return WR_OK;
    return d->fs->ops->remove(ctx, d->fs, folder, true);
}

wr_status
wr_ckpt_dispose(wr_ctx *ctx, wr_str path, wr_arena *a, wr_ckpt_disposed *out)
{
    wr_ckpt_meta *m = NULL;
    disposal d = {.arena = a, .out = out};
    wr_str root, job;
    bool in_job;
    *out = (wr_ckpt_disposed){0};
    WR_TRY(wr_ckpt_load(ctx, path, a, &m));
    d.m = out->meta = m;
    WR_TRY(wri_ckpt_fs(ctx, m->path, &d.fs));
    WR_TRY(find_job(ctx, &d, &root, &job, &in_job));
    return in_job ? dispose_in_job(ctx, &d, root, job) : dispose_alone(ctx, &d);
}
