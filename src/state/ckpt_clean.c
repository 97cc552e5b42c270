/* SPDX-License-Identifier: Apache-2.0 */
/* What is on disk and may go. A checkpoint is removed by taking away its _metadata first, so that
 * at no moment a published one lacks files; then its folder; then the shared files that no
 * published checkpoint names, as soon as no checkpoint is in work that began before and might. What
 * cannot be removed stays in the list and is tried again, the last time when the store is closed; a
 * process that dies leaves it to the next one's opening. thread: the coordinator's */
#include "spi/registry.h"
#include "state/ckpt_int.h"

static uint32_t
find_name(const wri_names *names, wr_str name, bool *found)
{
    uint32_t lo = 0, hi = names->count;
    *found = false;
    while (lo < hi && !*found) {
        const uint32_t mid = lo + (hi - lo) / 2;
        const int c = wr_str_cmp(names->items[mid], name);
        *found = c == 0;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return hi;
}

bool
wri_ckpt_names_has(const wri_names *names, wr_str name)
{
    bool found;
    (void)find_name(names, name, &found);
    return found;
}

bool
wri_ckpt_names_add(wr_arena *a, wri_names *names, wr_str name)
{
    bool found;
    const uint32_t at = find_name(names, name, &found);
    if (found) return true;
    const wr_str copy = wr_arena_str(a, name);
    if (!copy.ptr || !wr_list_push(a, names, copy)) return false;
    memmove(&names->items[at + 1], &names->items[at],
            (names->count - 1 - at) * sizeof *names->items);
    names->items[at] = copy;
    return true;
}

wri_kept *
wri_ckpt_kept_create(wr_ckpt_store *s, wr_str folder, uint64_t id)
{
    wr_arena *a = wr_arena_create(s->budget, 0);
    wri_kept *k = a ? WR_NEW(a, wri_kept) : NULL;
    if (k) {
        k->arena = a;
        k->id = id;
        k->folder = wr_arena_str(a, folder);
    }
    if (k && k->folder.ptr) return k;
    wr_arena_destroy(a);
    return NULL;
}

static wr_status
take_name(wr_ctx *ctx, void *arg, const wr_state_file *f)
{
    wri_kept *k = arg;
    if (f->shared && !wri_ckpt_names_add(k->arena, &k->names, f->name))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wri_ckpt_kept_take_names(wr_ctx *ctx, wri_kept *k, const wr_ckpt_meta *m)
{
    WR_TRY(wri_ckpt_each_file(ctx, m, take_name, k));
    k->readable = true;
    return WR_OK;
}

wr_status
wri_ckpt_kept_read(wr_ctx *ctx, wri_kept *k)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_ctx probe;
    wr_ckpt_meta *m;
    wr_ctx_init(&probe);
    wr_status status = wr_ckpt_load(&probe, k->folder, a, &m);
    if (status == WR_OK) {
        k->shared_dir = m->shared_dir.len ? wr_arena_str(k->arena, m->shared_dir) : WR_STR("");
        status = k->shared_dir.ptr ? wri_ckpt_kept_take_names(&probe, k, m) : WR_NOMEM;
    }
    wr_arena_destroy(a);
    return status == WR_NOMEM ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}

void
wri_ckpt_keep(wr_ckpt_store *s, wri_kept *k)
{
    wr_os_mutex_lock(&s->mutex);
    wri_kept **at = &s->published;
    while (*at && (k->claimed || (!(*at)->claimed && (*at)->id > k->id))) at = &(*at)->next;
    k->next = *at;
    *at = k;
    wr_os_mutex_unlock(&s->mutex);
}

static wri_kept *
find_published(const wr_ckpt_store *s, uint64_t id)
{
    wri_kept *k = s->published;
    while (k && (k->claimed || k->id != id)) k = k->next;
    return k;
}

bool
wr_ckpt_store_hold(wr_ckpt_store *s, uint64_t id)
{
    wr_os_mutex_lock(&s->mutex);
    wri_kept *k = find_published(s, id);
    if (k) k->holds++;
    wr_os_mutex_unlock(&s->mutex);
    return k != NULL;
}

void
wr_ckpt_store_release(wr_ckpt_store *s, uint64_t id)
{
    wr_os_mutex_lock(&s->mutex);
    wri_kept *k = find_published(s, id);
    if (k && k->holds) k->holds--;
    wr_os_mutex_unlock(&s->mutex);
}

bool
wri_ckpt_is_named(const wr_ckpt_store *s, wr_str name)
{
    for (const wri_kept *k = s->published; k; k = k->next)
        if (wri_ckpt_names_has(&k->names, name)) return true;
    return false;
}

/* ---- removing -------------------------------------------------------------------------------- */

/* Its metadata, then all of the folder. */
static bool
remove_folder(wr_fs *fs, wri_kept *k)
{
    wr_ctx probe;
    wr_file_info info;
    bool exists = false;
    wr_ctx_init(&probe);
    const wr_str metadata = wri_ckpt_path_join(k->arena, k->folder, WR_STR(WRI_METADATA));
    if (!metadata.ptr) return false;
    if (fs->ops->stat(&probe, fs, metadata, k->arena, &info, &exists) != WR_OK) return false;
    if (exists && (fs->ops->remove(&probe, fs, metadata, false) != WR_OK ||
                   fs->ops->sync_dir(&probe, fs, k->folder) != WR_OK))
        return false;
    return fs->ops->remove(&probe, fs, k->folder, true) == WR_OK;
}

static bool
may_be_needed(const wr_ckpt_store *s, const wri_kept *k)
{
    for (const wr_ckpt *c = s->making; c; c = c->next)
        if (c->seq <= k->seq) return true;
    return false;
}

static bool
remove_names(wr_ckpt_store *s, wri_kept *k)
{
    wr_ctx probe;
    bool all = true;
    wr_ctx_init(&probe);
    for (uint32_t i = 0; i < k->names.count; i++) {
        if (wri_ckpt_is_named(s, k->names.items[i])) continue;
        const wr_str path = wri_ckpt_path_join(k->arena, s->shared_dir, k->names.items[i]);
        all = path.ptr && s->fs->ops->remove(&probe, s->fs, path, false) == WR_OK && all;
    }
    return all;
}

/* True: nothing of it is left. */
static bool
collect(wr_ckpt_store *s, wri_kept *k)
{
    wr_fs *fs = wr_find_fs(k->folder);
    if (!k->folder_gone) k->folder_gone = !fs || remove_folder(fs, k);
    if (!k->folder_gone || may_be_needed(s, k) || !remove_names(s, k)) return false;
    return !k->claimed || wri_ckpt_claim_forget(s, k);
}

void
wri_ckpt_collect(wr_ckpt_store *s)
{
    for (wri_kept **at = &s->garbage; *at;) {
        wri_kept *k = *at;
        if (!collect(s, k)) {
            at = &k->next;
            continue;
        }
        *at = k->next;
        wr_arena_destroy(k->arena);
    }
}

void
wri_ckpt_drop(wr_ckpt_store *s, wri_kept *k)
{
    k->seq = s->seq;
    k->next = s->garbage;
    s->garbage = k;
}

void
wri_ckpt_retain(wr_ckpt_store *s)
{
    uint32_t n = 0;
    wr_os_mutex_lock(&s->mutex);
    for (wri_kept **at = &s->published; *at;) {
        wri_kept *k = *at;
        if (n++ < s->retain || k->holds) {
            at = &k->next;
            continue;
        }
        *at = k->next;
        wri_ckpt_drop(s, k);
    }
    wr_os_mutex_unlock(&s->mutex);
}

wr_status
wri_ckpt_sweep(wr_ctx *ctx, wr_ckpt_store *s)
{
    /* What a checkpoint that cannot be read needs is not known: then nothing goes. */
    s->unswept = s->unread = false;
    for (wri_kept *k = s->published; k && !s->unread; k = k->next) {
        if (!k->readable) WR_TRY(wri_ckpt_kept_read(ctx, k));
        s->unread = !k->readable;
    }
    if (s->unread) return WR_OK;
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_file_info *files = NULL;
    uint32_t n = 0;
    wr_ctx probe;
    wr_ctx_init(&probe);
    const wr_status status = s->fs->ops->list(ctx, s->fs, s->shared_dir, false, a, &files, &n);
    for (uint32_t i = 0; status == WR_OK && i < n; i++)
        if (!files[i].is_dir && !wri_ckpt_is_named(s, wri_ckpt_path_last(files[i].path)) &&
            s->fs->ops->remove(&probe, s->fs, files[i].path, false) != WR_OK)
            s->unswept = true; /* no reason not to start */
    wr_arena_destroy(a);
    return status;
}

void
wri_ckpt_clean_last(wr_ckpt_store *s)
{
    wr_ctx probe;
    wr_ctx_init(&probe);
    if (s->unswept || s->unread) (void)!wri_ckpt_sweep(&probe, s);
    wri_ckpt_collect(s);
}
