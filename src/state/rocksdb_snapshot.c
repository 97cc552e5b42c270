/* SPDX-License-Identifier: Apache-2.0 */
/* Native snapshots, format rocksdb-1.
 *
 * At the barrier the changed entries are written and the memtable is sealed. From then on the task
 * may write less than a write buffer, so nothing newer can come into a file; meanwhile the
 * snapshot's thread waits until the sealed memtable is a file and links the files into a folder of
 * their own. Then the task is free, and files that the last kept snapshot does not have are handed
 * to the writer. A handle names every file; its meta (integers little-endian):
 *
 *   version (4) = 1, number of tables (4), number of files (4)
 *   per table its number in stored keys (4)
 *   per file the length of the name that RocksDB knows it by (4), the name */
#include "state/canonical_int.h"
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#include <stdio.h>

#define META_VERSION 1u
#define POLL_NS      1000000
#define NUDGE_NS     1000000000

struct wr_state_snapshot {
    wri_rocks *b;
    wr_snapshot_kind kind;
    wr_arena *arena; /* all of it */
    wr_state_table_info *tables;
    char *ids; /* of the tables in stored keys, 4 bytes each */
    uint32_t table_count;
    const rocksdb_snapshot_t *view; /* canonical: what is written */
    char path[WR_OS_PATH_MAX];      /* where the links are */
    wri_rocks_upload *uploads;      /* the shared files that it has */
    uint32_t upload_count;
};

/* ---- at the barrier -------------------------------------------------------------------------- */

/* Tables by ascending number in stored keys: parents have lower ones. */
static wr_status
copy_tables(wr_ctx *ctx, const wri_rocks *b, wr_state_snapshot *s)
{
    const uint32_t count = b->mem.table_count;
    s->tables = WR_NEW_N(s->arena, wr_state_table_info, count + (size_t)1);
    s->ids = wr_arena_alloc(s->arena, ((size_t)count + 1) * 4);
    uint32_t *places = WR_NEW_N(s->arena, uint32_t, count + (size_t)1);
    WR_TRY_ALLOC(ctx, s->tables);
    WR_TRY_ALLOC(ctx, s->ids);
    WR_TRY_ALLOC(ctx, places);
    for (const wri_table *t = b->mem.tables; t; t = t->next) {
        for (const wri_table *o = b->mem.tables; o; o = o->next)
            places[t->index] += o->kept->id < t->kept->id;
        wr_state_table_info *info = &s->tables[places[t->index]];
        *info = t->info;
        info->entries = t->live + t->kept->absent;
        if (t->parent) info->parent = (int32_t)places[t->parent->index];
        wr_store32(s->ids + (size_t)places[t->index] * 4, t->kept->id);
    }
    s->table_count = count;
    return WR_OK;
}

/* What is in the memtable now will be one file; what comes goes to the next. */
static wr_status
seal(wr_ctx *ctx, wri_rocks *b)
{
    rocksdb_flushoptions_t *options = b->f->flushoptions_create();
    b->f->flushoptions_set_wait(options, 0);
    char *why = NULL;
    b->f->flush(b->db.db, options, &why);
    b->f->flushoptions_destroy(options);
    return why ? wri_rocks_raise(ctx, b->f, "flush", why) : WR_OK;
}

/* From here on the state is frozen: in a view of the database, or because nothing newer comes into
 * its files. */
static wr_status
freeze(wr_ctx *ctx, wri_rocks *b, wr_state_snapshot *s, uint64_t checkpoint_id)
{
    WR_TRY(copy_tables(ctx, b, s));
    (void)snprintf(s->path, sizeof s->path, "%.*s/chk-%llu", WR_OS_PATH_MAX - 32, b->dir.path,
                   (unsigned long long)checkpoint_id);
    WR_TRY(wri_rocks_write_back(ctx, b, 0));
    if (s->kind == WR_SNAPSHOT_CANONICAL) {
        s->view = b->f->create_snapshot(b->db.db);
        return WR_OK;
    }
    WR_TRY(seal(ctx, b));
    b->linking_left = b->db.write_buffer_bytes / 2;
    b->nudge_ns = wr_os_now_ns() + NUDGE_NS;
    wr_os_store(&b->linking, 1u);
    return WR_OK;
}

wr_status
wri_rocks_snapshot(wr_ctx *ctx, wr_state_backend *backend, uint64_t checkpoint_id,
                   wr_snapshot_kind kind, wr_state_snapshot **out)
{
    wri_rocks *b = (wri_rocks *)(void *)backend;
    *out = NULL;
    WR_TRY(wri_rocks_check(ctx, b));
    WR_TRY(wri_rocks_need_db(ctx, b));
    wr_arena *arena = wr_arena_create(b->mem.budget, 0);
    WR_TRY_ALLOC(ctx, arena);
    wr_state_snapshot *s = WR_NEW(arena, wr_state_snapshot);
    wr_status status = s ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    if (s) {
        *s = (wr_state_snapshot){.b = b, .kind = kind, .arena = arena};
        status = freeze(ctx, b, s, checkpoint_id);
    }
    if (status == WR_OK)
        *out = s;
    else
        wr_arena_destroy(arena);
    return status;
}

/* Linking waits until no removal of files is under way. An iterator of the task that is closed at
 * that moment, and finds nothing to remove, does not wake it: a fault of RocksDB (its pull request
 * 14069, in all versions of Debian). With avoid_unnecessary_blocking_io closing one ends with a
 * job in the background, which does wake; this wakes whatever else comes. */
void
wri_rocks_nudge(wri_rocks *b)
{
    if (!wr_os_load(&b->linking) || wr_os_now_ns() < b->nudge_ns) return;
    b->nudge_ns = wr_os_now_ns() + NUDGE_NS;
    b->f->disable_manual_compaction(b->db.db); /* of which there are none */
    b->f->enable_manual_compaction(b->db.db);
}

/* ---- on the snapshot's thread ---------------------------------------------------------------- */

static wr_status
wait_for_file(wr_ctx *ctx, const wri_rocks *b)
{
    uint64_t waiting = 1, errors = 0;
    while (waiting) {
        if (b->f->property_int(b->db.db, "rocksdb.num-immutable-mem-table", &waiting) ||
            b->f->property_int(b->db.db, "rocksdb.background-errors", &errors))
            return wr_raise(ctx, WR_INTERNAL, "RocksDB does not tell its state");
        if (errors)
            return wr_raise(ctx, WR_IO, "RocksDB cannot write its files; its log in '%s' says why",
                            b->dir.path);
        if (ctx->cancel && *ctx->cancel) return wr_raise(ctx, WR_CANCELLED, "cancelled");
        if (waiting) wr_os_sleep_ns(POLL_NS);
    }
    return WR_OK;
}

static wr_status
link_files(wr_ctx *ctx, wr_state_snapshot *s)
{
    const wri_rocks *b = s->b;
    WR_TRY(wait_for_file(ctx, b));
    WR_TRY(wr_os_remove_tree(ctx, s->path));
    char *why = NULL;
    rocksdb_checkpoint_t *c = b->f->checkpoint_object_create(b->db.db, &why);
    if (c) {
        b->f->checkpoint_create(c, s->path, UINT64_MAX, &why); /* without flushing */
        b->f->checkpoint_object_destroy(c);
    }
    return why ? wri_rocks_raise(ctx, b->f, "link its files", why) : WR_OK;
}

typedef struct file_list {
    WR_LIST(wr_str) names;
} file_list;

/* Names in the folder, sorted. */
static wr_status
list_files(wr_ctx *ctx, const wr_state_snapshot *s, wr_arena *a, file_list *out)
{
    wr_os_dir dir;
    WR_TRY(wr_os_dir_open(ctx, s->path, &dir));
    const char *name;
    wr_status status;
    while ((status = wr_os_dir_next(ctx, &dir, &name)) == WR_OK && name) {
        const wr_str copy = wr_arena_str(a, wr_str_c(name));
        if (!copy.ptr || !wr_list_push(a, &out->names, copy)) {
            status = wr_raise(ctx, WR_NOMEM, "out of memory");
            break;
        }
        for (uint32_t i = out->names.count - 1;
             i > 0 && strcmp(out->names.items[i - 1].ptr, out->names.items[i].ptr) > 0; i--) {
            const wr_str swap = out->names.items[i];
            out->names.items[i] = out->names.items[i - 1];
            out->names.items[i - 1] = swap;
        }
    }
    wr_os_dir_close(&dir);
    return status;
}

uint64_t
wri_rocks_file_number(wr_str name)
{
    uint64_t n = 0;
    size_t i = 0;
    for (; i < name.len && name.ptr[i] >= '0' && name.ptr[i] <= '9' && n < UINT64_MAX / 16; i++)
        n = n * 10 + (uint64_t)(name.ptr[i] - '0');
    return wr_str_eq_c((wr_str){name.ptr + i, name.len - i}, ".sst") ? n : 0;
}

static const wr_state_file *
uploaded(const wri_rocks *b, uint64_t number)
{
    for (uint32_t i = 0; i < b->upload_count; i++)
        if (b->uploads[i].number == number) return &b->uploads[i].file;
    return NULL;
}

static wr_status
put_file(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w, wr_str name, wr_state_handle *out)
{
    const uint64_t number = wri_rocks_file_number(name);
    wr_state_file *file = &out->files[out->file_count++];
    const wr_state_file *have = NULL;
    const bool shared = s->kind == WR_SNAPSHOT_INCREMENTAL && number;
    if (shared) have = uploaded(s->b, number);
    if (have) {
        *file = *have;
        file->name = wr_arena_str(w->arena, have->name);
        WR_TRY_ALLOC(ctx, file->name.ptr);
    } else {
        char path[WR_OS_PATH_MAX];
        const int n = snprintf(path, sizeof path, "%s/%.*s", s->path, WR_STR_ARG(name));
        if (n < 0 || (size_t)n >= sizeof path) return wr_raise(ctx, WR_IO, "a path is too long");
        WR_TRY(w->adopt(ctx, w, wr_str_c(path), shared, file));
        out->bytes_written += file->bytes;
    }
    if (!shared) return WR_OK;
    wri_rocks_upload *u = &s->uploads[s->upload_count++];
    *u = (wri_rocks_upload){number, *file};
    u->file.name = wr_arena_str(s->arena, file->name);
    WR_TRY_ALLOC(ctx, u->file.name.ptr);
    return WR_OK;
}

static wr_status
put_meta(wr_ctx *ctx, const wr_state_snapshot *s, const file_list *l, wr_arena *a,
         wr_state_handle *out)
{
    size_t bytes = 12 + (size_t)s->table_count * 4;
    for (uint32_t i = 0; i < l->names.count; i++) bytes += 4 + l->names.items[i].len;
    char *meta = wr_arena_alloc(a, bytes);
    WR_TRY_ALLOC(ctx, meta);
    out->meta = (wr_str){meta, bytes};
    wr_store32(meta, META_VERSION);
    wr_store32(meta + 4, s->table_count);
    wr_store32(meta + 8, l->names.count);
    char *p = meta + 12;
    memcpy(p, s->ids, (size_t)s->table_count * 4);
    p += (size_t)s->table_count * 4;
    for (uint32_t i = 0; i < l->names.count; i++) {
        const wr_str name = l->names.items[i];
        wr_store32(p, (uint32_t)name.len);
        memcpy(p + 4, name.ptr, name.len);
        p += 4 + name.len;
    }
    return WR_OK;
}

static wr_status
put_tables(wr_ctx *ctx, const wr_state_snapshot *s, wr_arena *a, wr_state_handle *out)
{
    out->tables = WR_NEW_N(a, wr_state_table_info, s->table_count + (size_t)1);
    WR_TRY_ALLOC(ctx, out->tables);
    for (uint32_t i = 0; i < s->table_count; i++)
        WR_TRY(wri_info_copy(ctx, a, &s->tables[i], &out->tables[i]));
    out->table_count = s->table_count;
    return WR_OK;
}

static wr_status
write_files(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w, wr_state_handle *out)
{
    file_list l = {0};
    WR_TRY(list_files(ctx, s, s->arena, &l));
    WR_TRY(put_meta(ctx, s, &l, w->arena, out));
    out->files = WR_NEW_N(w->arena, wr_state_file, l.names.count + (size_t)1);
    s->uploads = WR_NEW_N(s->arena, wri_rocks_upload, l.names.count + (size_t)1);
    WR_TRY_ALLOC(ctx, out->files);
    WR_TRY_ALLOC(ctx, s->uploads);
    for (uint32_t i = 0; i < l.names.count; i++) WR_TRY(put_file(ctx, s, w, l.names.items[i], out));
    return WR_OK;
}

static wr_status
write_native(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w, wr_state_handle *out)
{
    out->format = WR_STR(WRI_NATIVE_FORMAT);
    wr_status status = link_files(ctx, s);
    wr_os_store(&s->b->linking, 0u);
    if (status == WR_OK) status = write_files(ctx, s, w, out);
    wr_ctx quiet;
    wr_ctx_init(&quiet); /* what cannot be removed now goes with the backend's folder */
    (void)!wr_os_remove_tree(&quiet, s->path);
    return status;
}

wr_status
wri_rocks_snapshot_write(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w,
                         wr_state_handle *out)
{
    wri_rocks *b = s->b;
    *out = (wr_state_handle){.format = WR_STR(WRI_CANON_FORMAT),
                             .kg_first = b->mem.kg_first,
                             .kg_last = b->mem.kg_last,
                             .max_parallelism = b->mem.max_parallelism};
    WR_TRY(put_tables(ctx, s, w->arena, out));
    if (s->kind == WR_SNAPSHOT_CANONICAL)
        return wri_rocks_canonical_write(ctx, b, s->view, s->ids, w, out);
    return write_native(ctx, s, w, out);
}

/* ---- afterwards ------------------------------------------------------------------------------ */

void
wri_rocks_snapshot_release(wr_state_snapshot *s, bool kept)
{
    wri_rocks *b = s->b;
    wr_arena *gone = s->arena;
    if (s->view) b->f->release_snapshot(b->db.db, s->view);
    wr_os_store(&b->linking, 0u);
    if (kept && s->kind == WR_SNAPSHOT_INCREMENTAL && s->uploads) {
        gone = b->upload_arena;
        b->upload_arena = s->arena;
        b->uploads = s->uploads;
        b->upload_count = s->upload_count;
    }
    wr_arena_destroy(gone);
}

#endif
