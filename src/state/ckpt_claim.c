/* SPDX-License-Identifier: Apache-2.0 */
/* CLAIM: a checkpoint from elsewhere becomes this job's. Its shared files get a second name in this
 * job's shared folder, so that incremental checkpoints go on from them; it counts as the oldest
 * retained checkpoint; and when its turn has come it is removed: its folder, and its shared files
 * as far as no other checkpoint beside it names them. taskowned/claimed remembers it across
 * restarts: "weir-claim 1", the folder as a quoted string, "checksum" and the XXH3-64 of what is
 * before. */
#include "spi/registry.h"
#include "state/ckpt_int.h"

#define NOTE_BYTES_MAX 65536u

static wr_str
note_path(wr_ckpt_store *s, wr_arena *a)
{
    return wri_ckpt_path_join(a, s->taskowned_dir, WR_STR("claimed"));
}

static wr_status
write_note(wr_ctx *ctx, wr_ckpt_store *s, wr_str folder, wr_arena *a)
{
    wr_text t;
    wr_text_init(&t, a);
    wr_text_puts(&t, "weir-claim 1\n");
    wr_quoted_put(folder, &t);
    wr_text_puts(&t, "\n");
    if (!t.failed)
        wr_text_printf(&t, "checksum %016llx\n",
                       (unsigned long long)wr_hash_bytes(t.ptr, t.len, WRI_CKPT_SEED));
    const wr_str path = note_path(s, a);
    const wr_str part = wri_ckpt_path_join(a, s->taskowned_dir, WR_STR("claimed.inprogress"));
    if (t.failed || !path.ptr || !part.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(s->fs->ops->remove(ctx, s->fs, part, false));
    WR_TRY(wri_ckpt_file_write(ctx, s->fs, part, wr_text_str(&t)));
    return s->fs->ops->rename_over(ctx, s->fs, part, path);
}

/* The folder that the note names. */
static wr_status
parse_note(wr_ctx *ctx, wr_str text, wr_str path, wr_arena *a, wr_str *folder)
{
    const wr_str head = WR_STR("weir-claim 1\n");
    const size_t tail = 26; /* "checksum ", 16 digits, newline */
    bool no_memory = false;
    if (wr_str_starts(text, head) && text.len > head.len + tail) {
        const size_t len = text.len - tail;
        const wr_str sum =
            wr_arena_printf(a, "checksum %016llx\n",
                            (unsigned long long)wr_hash_bytes(text.ptr, len, WRI_CKPT_SEED));
        const char *p = text.ptr + head.len, *end = text.ptr + len;
        if (!sum.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
        if (wr_str_eq(sum, (wr_str){text.ptr + len, tail}) &&
            wr_quoted_take(a, &p, end, folder, &no_memory) && p + 1 == end)
            return WR_OK;
    }
    if (no_memory) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return wr_raise(ctx, WR_CORRUPT, "the note of a claimed checkpoint '%.*s' is damaged",
                    WR_STR_ARG(path));
}

static wr_status
copy_to(wr_ctx *ctx, wr_ckpt_store *s, wr_str from, wr_str to)
{
    wri_out o;
    wr_fs *fs;
    uint64_t bytes, sum;
    char buffer[256];
    WR_TRY(wri_ckpt_fs(ctx, from, &fs));
    WR_TRY(wri_ckpt_out_create(ctx, &o, s->fs, to, buffer, sizeof buffer));
    const wr_status status = wri_ckpt_out_copy(ctx, &o, fs, from);
    if (status == WR_OK) return wri_ckpt_out_finish(ctx, &o, &bytes, &sum);
    wri_ckpt_out_abandon(&o);
    return status;
}

/* A second name, or a copy, of one shared file. */
static wr_status
link_shared(wr_ctx *ctx, wr_ckpt_store *s, const wr_ckpt_meta *m, wr_str name, wr_arena *a)
{
    wr_file_info info;
    bool done = false, exists;
    const wr_str from = wri_ckpt_path_join(a, m->shared_dir, name);
    const wr_str to = wri_ckpt_path_join(a, s->shared_dir, name);
    if (!from.ptr || !to.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(s->fs->ops->stat(ctx, s->fs, to, a, &info, &exists));
    if (exists) return WR_OK; /* from an attempt before */
    if (wr_find_fs(from) == s->fs) WR_TRY(s->fs->ops->link(ctx, s->fs, from, to, &done));
    if (done) return WR_OK;
    const wr_str part = wr_arena_printf(a, "%.*s.inprogress", WR_STR_ARG(to));
    WR_TRY_ALLOC(ctx, part.ptr);
    WR_TRY(s->fs->ops->remove(ctx, s->fs, part, false));
    WR_TRY(copy_to(ctx, s, from, part));
    return s->fs->ops->rename_over(ctx, s->fs, part, to);
}

static wr_status
claim_files(wr_ctx *ctx, wr_ckpt_store *s, const wr_ckpt_meta *m, wri_kept *k)
{
    k->claimed = true;
    k->shared_dir = wr_arena_str(k->arena, m->shared_dir);
    if (!k->shared_dir.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wri_ckpt_kept_take_names(ctx, k, m));
    for (uint32_t i = 0; i < k->names.count; i++)
        WR_TRY(link_shared(ctx, s, m, k->names.items[i], k->arena));
    if (k->names.count) WR_TRY(s->fs->ops->sync_dir(ctx, s->fs, s->shared_dir));
    return write_note(ctx, s, k->folder, k->arena);
}

wr_status
wr_ckpt_store_claim(wr_ctx *ctx, wr_ckpt_store *s, const wr_ckpt_meta *m)
{
    for (const wri_kept *k = s->published; k; k = k->next)
        if (k->claimed || wr_str_eq(k->folder, m->path)) return WR_OK; /* ours already */
    wri_kept *k = wri_ckpt_kept_create(s, m->path, m->id);
    if (!k) return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wr_status status = claim_files(ctx, s, m, k);
    if (status != WR_OK) {
        wr_arena_destroy(k->arena);
        return status;
    }
    wri_ckpt_keep(s, k);
    return WR_OK;
}

wr_status
wri_ckpt_claim_of(wr_ctx *ctx, wr_fs *fs, wr_str dir, wr_arena *a, wr_str *out)
{
    wr_file_info info;
    wr_str text;
    bool exists;
    const wr_str owned = wri_ckpt_path_join(a, dir, WR_STR("taskowned"));
    WR_TRY_ALLOC(ctx, owned.ptr);
    const wr_str note = wri_ckpt_path_join(a, owned, WR_STR("claimed"));
    WR_TRY_ALLOC(ctx, note.ptr);
    *out = WR_STR("");
    WR_TRY(fs->ops->stat(ctx, fs, note, a, &info, &exists));
    if (!exists) return WR_OK;
    WR_TRY(wri_ckpt_file_read(ctx, fs, note, NOTE_BYTES_MAX, a, &text));
    return parse_note(ctx, text, note, a, out);
}

static wr_status
reopen(wr_ctx *ctx, wr_ckpt_store *s, wr_str note, wr_arena *a)
{
    wr_str text, folder;
    WR_TRY(wri_ckpt_file_read(ctx, s->fs, note, NOTE_BYTES_MAX, a, &text));
    WR_TRY(parse_note(ctx, text, note, a, &folder));
    wri_kept *k = wri_ckpt_kept_create(s, folder, 0);
    if (!k) return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wr_status status = wri_ckpt_kept_read(ctx, k);
    if (status != WR_OK) {
        wr_arena_destroy(k->arena);
        return status;
    }
    k->claimed = true;
    if (!k->shared_dir.len) { /* its removal had begun */
        const wr_str job = wri_ckpt_path_parent(k->arena, folder);
        if (job.ptr) k->shared_dir = wri_ckpt_path_join(k->arena, job, WR_STR("shared"));
    }
    wri_ckpt_keep(s, k);
    return WR_OK;
}

wr_status
wri_ckpt_claim_reopen(wr_ctx *ctx, wr_ckpt_store *s)
{
    wr_file_info info;
    bool exists;
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    const wr_str note = note_path(s, a);
    wr_status status = note.ptr ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    if (status == WR_OK) status = s->fs->ops->stat(ctx, s->fs, note, a, &info, &exists);
    if (status == WR_OK && exists) status = reopen(ctx, s, note, a);
    wr_arena_destroy(a);
    return status;
}

/* ---- letting it go --------------------------------------------------------------------------- */

/* What no checkpoint names any more in the folder it came from: opening that job's store cleans it
 * up. When its process is alive, it cleans up itself. */
static wr_status
clean_origin(wr_ctx *ctx, wr_ckpt_store *s, const wri_kept *k, wr_arena *a)
{
    wr_file_info info;
    wr_ckpt_store *origin;
    wr_fs *fs = wr_find_fs(k->shared_dir);
    bool exists = false;
    if (!fs || k->shared_dir.len == 0) return WR_OK;
    WR_TRY(fs->ops->stat(ctx, fs, k->shared_dir, a, &info, &exists));
    if (!exists || !info.is_dir) return WR_OK;
    const wr_str job = wri_ckpt_path_parent(a, k->shared_dir);
    const wr_str root = wri_ckpt_path_parent(a, job);
    if (!job.ptr || !root.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wr_status status =
        wr_ckpt_store_open(ctx, root, wri_ckpt_path_last(job), 1, s->budget, &origin);
    if (status == WR_OK) {
        const bool clean = !origin->unswept && !origin->garbage;
        wr_ckpt_store_close(origin);
        return clean ? WR_OK : wr_raise(ctx, WR_IO, "files of a claimed checkpoint stay");
    }
    return status == WR_EXISTS || status == WR_OPTION ? WR_OK : status;
}

bool
wri_ckpt_claim_forget(wr_ckpt_store *s, wri_kept *k)
{
    wr_ctx probe;
    wr_ctx_init(&probe);
    wr_arena *a = wr_arena_create(NULL, 0);
    if (!a) return false;
    wr_status status = clean_origin(&probe, s, k, a);
    const wr_str note = note_path(s, a);
    if (status == WR_OK) status = note.ptr ? WR_OK : WR_NOMEM;
    if (status == WR_OK) status = s->fs->ops->remove(&probe, s->fs, note, false);
    wr_arena_destroy(a);
    return status == WR_OK;
}
