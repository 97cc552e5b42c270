/* SPDX-License-Identifier: Apache-2.0 */
/* Parts: files while they are written. Their names are Flink's: part-<uuid>-<subtask>-<n> in
 * streaming, part-<uuid>-task-<subtask>-file-<n> in batch; the uuid is drawn for each writer, so
 * names of different attempts never meet. Until it is complete and committed, a part is hidden:
 *
 *   .<name>.inprogress.<key>-<subtask>-<epoch>
 *
 * key (32 hex digits) stands for the job and the sink, epoch for the checkpoint behind which the
 * file was begun. An attempt that starts from checkpoint N removes the files of its key with an
 * epoch of N or more: no checkpoint up to N knows them. Files of others, and files that checkpoint
 * N names or has given to be committed (all begun before N), stay. Each leftover has one subtask
 * that removes it, the one whose number is its subtask's modulo the parallelism; since a subtask
 * cleans before it writes, nobody removes what another one has just begun. */
#include "connector/fs_sink_int.h"
#include "os/os.h"

#define OPEN_PARTS_MAX 1024u

static void
make_uuid(char out[40])
{
    static const char hex[] = "0123456789abcdef";
    uint8_t b[16];
    wr_os_random(b, sizeof b);
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
    char *o = out;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *o++ = '-';
        *o++ = hex[b[i] >> 4];
        *o++ = hex[b[i] & 15];
    }
    *o = '\0';
}

wr_status
wri_parts_init(wr_ctx *ctx, wri_parts *p)
{
    const wr_sink_env *env = p->env;
    make_uuid(p->uuid);
    wr_str who = wr_arena_printf(env->arena, "%.*s/%.*s", WR_STR_ARG(env->job_id),
                                 WR_STR_ARG(env->operator_id));
    WR_TRY_ALLOC(ctx, who.ptr);
    if (env->job_id.len == 0) who = wr_str_c(p->uuid); /* nobody will ask for it again */
    p->key = wr_arena_printf(env->arena, "%016llx%016llx",
                             (unsigned long long)wr_hash_bytes(who.ptr, who.len, 1),
                             (unsigned long long)wr_hash_bytes(who.ptr, who.len, 2));
    WR_TRY_ALLOC(ctx, p->key.ptr);
    return WR_OK;
}

/* "...<key>-<subtask>-<epoch>"; false: not one of ours. */
static bool
read_suffix(const wri_parts *p, wr_str name, uint64_t *subtask, uint64_t *epoch)
{
    static const char word[] = ".inprogress.";
    const size_t n = sizeof word - 1, k = p->key.len;
    uint64_t v[2] = {0, 0};
    if (name.len == 0 || name.ptr[0] != '.') return false;
    for (size_t i = 0; i + n + k < name.len; i++) {
        if (memcmp(name.ptr + i, word, n) != 0) continue;
        if (memcmp(name.ptr + i + n, p->key.ptr, k) != 0) continue;
        size_t at = i + n + k;
        for (int part = 0; part < 2; part++) {
            const size_t digits = at + 1;
            if (at >= name.len || name.ptr[at] != '-') return false;
            for (at++; at < name.len && name.ptr[at] >= '0' && name.ptr[at] <= '9'; at++)
                v[part] = v[part] * 10 + (uint64_t)(name.ptr[at] - '0');
            if (at == digits) return false;
        }
        *subtask = v[0];
        *epoch = v[1];
        return at == name.len;
    }
    return false;
}

/* ---- from the first byte to the last --------------------------------------------------------- */

/* Nobody is left to tell. */
static void
drop_file(wri_parts *p, wr_str dir, wr_str hidden)
{
    wr_ctx quiet;
    wr_str path;
    wr_fs *fs = p->target->fs;
    wr_ctx_init(&quiet);
    if (wri_target_path(&quiet, p->target, dir, hidden, p->scratch, &path) != WR_OK) return;
    (void)(fs->ops->remove(&quiet, fs, path, false) == WR_OK);
}

static wr_status
create_part(wr_ctx *ctx, wri_parts *p, wr_str dir, wri_part *part)
{
    wr_arena *a = part->arena;
    wr_fs *fs = p->target->fs;
    const uint32_t subtask = p->env->subtask, n = p->next_part++;
    wr_str folder, path;
    part->dir = wr_arena_str(a, dir);
    part->name = p->batch ? wr_arena_printf(a, "part-%s-task-%u-file-%u", p->uuid, subtask, n)
                          : wr_arena_printf(a, "part-%s-%u-%u", p->uuid, subtask, n);
    part->hidden =
        wr_arena_printf(a, ".%.*s.inprogress.%.*s-%u-%llu", WR_STR_ARG(part->name),
                        WR_STR_ARG(p->key), subtask, (unsigned long long)p->items->epoch);
    if ((dir.len && !part->dir.ptr) || !part->name.ptr || !part->hidden.ptr)
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wri_target_path(ctx, p->target, dir, WR_STR(""), p->scratch, &folder));
    WR_TRY(wri_target_path(ctx, p->target, dir, part->hidden, p->scratch, &path));
    WR_TRY(fs->ops->mkdirs(ctx, fs, folder));
    return fs->ops->create(ctx, fs, path, &part->file);
}

/* Lets go of an open part; its file goes too unless a checkpoint may name it. */
static void
abandon(wri_parts *p, const wri_part *part)
{
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    (void)(part->file->ops->close(&quiet, part->file) == WR_OK);
    if (!part->named) drop_file(p, part->dir, part->hidden);
}

/* The list keeps the part, or it is abandoned. */
static wr_status
keep_part(wr_ctx *ctx, wri_parts *p, const wri_part *part)
{
    if (wr_list_push(p->env->arena, &p->open, *part)) return WR_OK;
    abandon(p, part);
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
open_part(wr_ctx *ctx, wri_parts *p, wr_str dir)
{
    wri_part part = {.arena = wr_arena_create(p->env->budget, 512)};
    WR_TRY_ALLOC(ctx, part.arena);
    part.opened_ms = part.written_ms = wr_os_wall_ms();
    wr_status status = create_part(ctx, p, dir, &part);
    if (status == WR_OK) status = keep_part(ctx, p, &part);
    if (status != WR_OK) wr_arena_destroy(part.arena);
    return status;
}

wr_status
wri_part_of(wr_ctx *ctx, wri_parts *p, wr_str dir, wri_part **out)
{
    for (uint32_t i = 0; i < p->open.count; i++)
        if (wr_str_eq(p->open.items[i].dir, dir)) {
            *out = &p->open.items[i];
            return WR_OK;
        }
    if (p->open.count == OPEN_PARTS_MAX) { /* let the one go that has rested longest */
        uint32_t oldest = 0;
        for (uint32_t i = 1; i < p->open.count; i++)
            if (p->open.items[i].written_ms < p->open.items[oldest].written_ms) oldest = i;
        WR_TRY(wri_part_end(ctx, p, oldest));
    }
    WR_TRY(open_part(ctx, p, dir));
    *out = &p->open.items[p->open.count - 1];
    return WR_OK;
}

wr_status
wri_part_sync(wr_ctx *ctx, wri_part *part)
{
    if (!part->unsynced) return WR_OK;
    WR_TRY(part->file->ops->sync(ctx, part->file));
    part->unsynced = false;
    return WR_OK;
}

/* What is on disk of a complete part: an item, or a visible file. */
static wr_status
hand_over(wr_ctx *ctx, wri_parts *p, const wri_part *part)
{
    const wri_fs_item item = {.kind = WRI_FS_FILE,
                              .dir = part->dir,
                              .hidden = part->hidden,
                              .name = part->name,
                              .bytes = part->bytes};
    if (p->at_once) return wri_fs_publish(ctx, p->target, &item, p->scratch);
    return wri_fs_item_put(ctx, p->items, &item);
}

wr_status
wri_part_end(wr_ctx *ctx, wri_parts *p, uint32_t index)
{
    wri_part part = p->open.items[index];
    p->open.items[index] = p->open.items[--p->open.count];
    wr_status status = wri_part_sync(ctx, &part);
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    wr_status closed = part.file->ops->close(status == WR_OK ? ctx : &quiet, part.file);
    if (status == WR_OK) status = closed;
    if (status == WR_OK) status = hand_over(ctx, p, &part);
    if (status != WR_OK && !part.named) drop_file(p, part.dir, part.hidden);
    wr_arena_destroy(part.arena);
    return status;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

wr_status
wri_parts_snapshot(wr_ctx *ctx, wri_parts *p, wr_opstate *out)
{
    for (uint32_t i = 0; i < p->open.count; i++) {
        wri_part *part = &p->open.items[i];
        wr_text t;
        wr_text_init(&t, out->arena);
        wri_item_put_str(&t, part->dir);
        wri_item_put_str(&t, part->hidden);
        wri_item_put_str(&t, part->name);
        wri_item_put_u64(&t, part->bytes);
        wri_item_put_i64(&t, part->opened_ms);
        wri_item_put_i64(&t, part->written_ms);
        if (t.failed) return wr_text_raise(ctx, &t);
        WR_TRY(wr_opstate_add(ctx, out, WR_STR("parts"), WR_OPSTATE_LIST, wr_text_str(&t)));
        part->named = true;
    }
    return WR_OK;
}

static wr_status
take_part(wr_ctx *ctx, wr_str item, wri_part *part)
{
    wri_item_reader r = {.rest = item};
    part->dir = wr_arena_str(part->arena, wri_item_take_str(&r));
    part->hidden = wr_arena_str(part->arena, wri_item_take_str(&r));
    part->name = wr_arena_str(part->arena, wri_item_take_str(&r));
    part->bytes = wri_item_take_u64(&r);
    part->opened_ms = wri_item_take_i64(&r);
    part->written_ms = wri_item_take_i64(&r);
    part->named = true;
    if (r.bad || !part->hidden.len || !part->name.len ||
        memchr(part->name.ptr, '/', part->name.len))
        return wr_raise(ctx, WR_CORRUPT, "the state of a filesystem sink is malformed");
    return WR_OK;
}

/* A part of another job, which may still be writing it: we go on in a copy. */
static wr_status
copy_part(wr_ctx *ctx, wri_parts *p, wr_str path, wri_part *part)
{
    wr_file *from;
    wr_fs *fs = p->target->fs;
    WR_TRY(fs->ops->open(ctx, fs, path, &from));
    wr_status status = create_part(ctx, p, part->dir, part);
    part->named = false;
    part->unsynced = true;
    if (status == WR_OK) {
        status = wri_fs_copy(ctx, from, part->file, part->bytes, p->scratch);
        if (status != WR_OK) abandon(p, part);
    }
    wr_status closed = from->ops->close(ctx, from);
    return status != WR_OK ? status : closed;
}

/* Opens what a checkpoint names; *there false: a later checkpoint has committed it. */
static wr_status
resume_part(wr_ctx *ctx, wri_parts *p, wri_part *part, bool *there)
{
    wr_fs *fs = p->target->fs;
    wr_file_info info;
    wr_str hidden, visible;
    uint64_t subtask, epoch;
    WR_TRY(wri_target_path(ctx, p->target, part->dir, part->hidden, p->scratch, &hidden));
    WR_TRY(wri_target_path(ctx, p->target, part->dir, part->name, p->scratch, &visible));
    WR_TRY(fs->ops->stat(ctx, fs, hidden, p->scratch, &info, there));
    if (*there && !read_suffix(p, part->hidden, &subtask, &epoch))
        return copy_part(ctx, p, hidden, part);
    part->unsynced = true; /* that it was cut */
    if (*there) return fs->ops->reopen(ctx, fs, hidden, part->bytes, &part->file);
    bool committed;
    WR_TRY(fs->ops->stat(ctx, fs, visible, p->scratch, &info, &committed));
    if (committed) return WR_OK;
    wr_status status = wr_raise(ctx, WR_IO, "file '%.*s', which the checkpoint names, is missing",
                                WR_STR_ARG(hidden));
    wr_hint(ctx, "it was being written when the checkpoint was taken; without it, start without "
                 "the checkpoint or put the file back");
    return status;
}

static wr_status
restore_part(wr_ctx *ctx, wri_parts *p, wr_str item, bool go_on)
{
    wri_part part = {.arena = wr_arena_create(p->env->budget, 512)};
    WR_TRY_ALLOC(ctx, part.arena);
    bool there = false, doubled = false;
    wr_status status = take_part(ctx, item, &part);
    if (status == WR_OK) status = resume_part(ctx, p, &part, &there);
    if (status == WR_OK && there) status = keep_part(ctx, p, &part);
    if (status != WR_OK || !there) {
        wr_arena_destroy(part.arena);
        return status;
    }
    for (uint32_t i = 0; i + 1 < p->open.count; i++)
        doubled |= wr_str_eq(p->open.items[i].dir, part.dir);
    return go_on && !doubled ? WR_OK : wri_part_end(ctx, p, p->open.count - 1);
}

wr_status
wri_parts_restore(wr_ctx *ctx, wri_parts *p, const wr_opstate *in, bool go_on)
{
    const wr_opstate_list *list = wr_opstate_find(in, "parts");
    for (uint32_t i = 0; list && i < list->items.count; i++)
        WR_TRY(restore_part(ctx, p, list->items.items[i], go_on));
    return WR_OK;
}

/* ---- leftovers ------------------------------------------------------------------------------- */

wr_status
wri_parts_clean(wr_ctx *ctx, wri_parts *p, uint64_t epoch)
{
    wr_fs *fs = p->target->fs;
    wr_file_info info, *files = NULL;
    uint32_t count = 0;
    bool exists;
    WR_TRY(fs->ops->stat(ctx, fs, p->target->path, p->scratch, &info, &exists));
    if (!exists || !info.is_dir) return WR_OK;
    WR_TRY(fs->ops->list(ctx, fs, p->target->path, true, p->scratch, &files, &count));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t subtask, begun;
        if (files[i].is_dir || !read_suffix(p, wri_fs_name(files[i].path), &subtask, &begun))
            continue;
        if (begun < epoch || subtask % p->env->parallelism != p->env->subtask) continue;
        WR_TRY(fs->ops->remove(ctx, fs, files[i].path, false));
    }
    wr_arena_reset(p->scratch);
    return WR_OK;
}

/* Complete files that wait for a checkpoint and were begun behind the last one. */
static void
drop_items(wri_parts *p)
{
    for (uint32_t i = 0; i < p->items->items.count; i++) {
        wr_ctx quiet;
        wri_fs_item item;
        uint64_t subtask, begun;
        wr_ctx_init(&quiet);
        if (wri_fs_item_get(&quiet, p->items->items.items[i], &item) != WR_OK) continue;
        if (item.kind != WRI_FS_FILE || !read_suffix(p, item.hidden, &subtask, &begun)) continue;
        if (begun >= p->items->epoch) drop_file(p, item.dir, item.hidden);
    }
}

void
wri_parts_close(wri_parts *p)
{
    for (uint32_t i = 0; i < p->open.count; i++) {
        abandon(p, &p->open.items[i]);
        wr_arena_destroy(p->open.items[i].arena);
    }
    p->open.count = 0;
    drop_items(p);
}
