/* SPDX-License-Identifier: Apache-2.0 */
/* Files of snapshots in memory, for tests of state backends: a writer and a reader over a list of
 * named byte strings, with planned failures; and small handles on keyed state. */
#ifndef WR_TESTS_STATE_RIG_H
#define WR_TESTS_STATE_RIG_H

#include <stdio.h>

#include "os/os.h"
#include "state/state.h"

#define RIG_FILES 4096u

typedef struct rig_file {
    char name[16];
    uint8_t *data;
    size_t len, cap;
    bool shared, closed;
} rig_file;

typedef struct rig_disk {
    wr_state_writer writer; /* first: the writer is the disk */
    wr_state_reader reader;
    wr_memtrack *budget;
    wr_arena *arena;
    rig_file files[RIG_FILES];
    uint32_t count;
    bool map;                     /* files can be mapped */
    int64_t fail_left;            /* > 0: so many calls of the writer from now, one fails */
    void (*on_append)(void *arg); /* called before every append */
    void *arg;
    uint32_t scratch_made, scratch_open;
    bool damage_scratch;
} rig_disk;

typedef struct rig_opened {
    wr_file base;
    rig_file *file;
    rig_disk *disk;
} rig_opened;

static inline bool
rig_fails(rig_disk *d)
{
    return d->fail_left > 0 && --d->fail_left == 0;
}

static inline wr_status
rig_create(wr_ctx *ctx, wr_state_writer *w, bool shared)
{
    rig_disk *d = (rig_disk *)(void *)w;
    WR_ASSERT(d->count < RIG_FILES);
    if (rig_fails(d)) return wr_raise(ctx, WR_IO, "planned");
    rig_file *f = &d->files[d->count++];
    (void)snprintf(f->name, sizeof f->name, "f%u", d->count);
    f->shared = shared;
    return WR_OK;
}

static inline wr_status
rig_append(wr_ctx *ctx, wr_state_writer *w, const void *p, size_t len)
{
    rig_disk *d = (rig_disk *)(void *)w;
    rig_file *f = &d->files[d->count - 1];
    WR_ASSERT(!f->closed);
    if (d->on_append) d->on_append(d->arg);
    if (rig_fails(d)) return wr_raise(ctx, WR_IO, "planned");
    if (f->cap - f->len < len) {
        const size_t cap = WR_MAX(f->cap * 2, f->len + len);
        uint8_t *more = wr_mem_realloc(d->budget, f->data, f->cap, cap);
        WR_TRY_ALLOC(ctx, more);
        f->data = more;
        f->cap = cap;
    }
    if (len) memcpy(f->data + f->len, p, len);
    f->len += len;
    return WR_OK;
}

static inline wr_status
rig_close_file(wr_ctx *ctx, wr_state_writer *w, wr_state_file *out)
{
    rig_disk *d = (rig_disk *)(void *)w;
    rig_file *f = &d->files[d->count - 1];
    if (rig_fails(d)) return wr_raise(ctx, WR_IO, "planned");
    f->closed = true;
    *out = (wr_state_file){.name = wr_arena_str(w->arena, wr_str_c(f->name)),
                           .shared = f->shared,
                           .bytes = f->len,
                           .checksum = wr_hash_bytes(f->data, f->len, 0)};
    WR_TRY_ALLOC(ctx, out->name.ptr);
    return WR_OK;
}

/* A file of the local disk: its bytes are copied. */
static inline wr_status
rig_adopt(wr_ctx *ctx, wr_state_writer *w, wr_str local_path, bool shared, wr_state_file *out)
{
    WR_TRY(rig_create(ctx, w, shared));
    wr_os_file in;
    WR_TRY(wr_os_file_open(ctx, local_path.ptr, WR_OS_READ, &in));
    char buf[4096];
    size_t got = 0;
    wr_status status;
    do {
        status = wr_os_file_read(ctx, &in, buf, sizeof buf, &got);
        if (status == WR_OK) status = rig_append(ctx, w, buf, got);
    } while (status == WR_OK && got > 0);
    wr_os_file_close(&in);
    return status == WR_OK ? rig_close_file(ctx, w, out) : status;
}

static inline wr_status
rig_read_at(wr_ctx *ctx, wr_file *file, uint64_t off, void *buf, size_t len, size_t *got)
{
    const rig_file *f = ((rig_opened *)(void *)file)->file;
    (void)ctx;
    *got = off >= f->len ? 0 : WR_MIN(len, f->len - off);
    if (*got) memcpy(buf, f->data + off, *got);
    return WR_OK;
}

static inline wr_status
rig_map(wr_ctx *ctx, wr_file *file, const char **data, size_t *len)
{
    const rig_opened *o = (rig_opened *)(void *)file;
    (void)ctx;
    *data = o->disk->map ? (const char *)o->file->data : NULL;
    *len = o->file->len;
    return WR_OK;
}

static inline wr_status
rig_close_open(wr_ctx *ctx, wr_file *file)
{
    (void)ctx, (void)file;
    return WR_OK;
}

static const wr_fs_ops rig_file_ops = {
    .read_at = rig_read_at, .map = rig_map, .close = rig_close_open};

static inline wr_status
rig_open_file(wr_ctx *ctx, wr_state_reader *r, const wr_state_file *file, wr_file **out)
{
    rig_disk *d = (rig_disk *)(void *)((char *)r - offsetof(rig_disk, reader));
    *out = NULL;
    for (uint32_t i = 0; i < d->count; i++) {
        if (!wr_str_eq_c(file->name, d->files[i].name)) continue;
        if (d->files[i].len != file->bytes)
            return wr_raise(ctx, WR_CORRUPT, "'%s' has another size", d->files[i].name);
        rig_opened *o = WR_NEW(r->arena, rig_opened);
        WR_TRY_ALLOC(ctx, o);
        *o = (rig_opened){{&rig_file_ops}, &d->files[i], d};
        *out = &o->base;
        return WR_OK;
    }
    return wr_raise(ctx, WR_IO, "no file '%.*s'", WR_STR_ARG(file->name));
}

/* A scratch file: both handles are one; outside the disk's budget, as a real one's bytes are. */
typedef struct rig_scratch {
    wr_file base;
    rig_disk *disk;
    uint8_t *data;
    size_t len, cap;
    uint32_t open;
} rig_scratch;

static inline wr_status
rig_scratch_append(wr_ctx *ctx, wr_file *file, const void *p, size_t len)
{
    rig_scratch *f = (rig_scratch *)(void *)file;
    if (f->disk->on_append) f->disk->on_append(f->disk->arg);
    if (rig_fails(f->disk)) return wr_raise(ctx, WR_IO, "planned");
    if (f->cap - f->len < len) {
        const size_t cap = WR_MAX(f->cap * 2, f->len + len);
        uint8_t *more = wr_mem_realloc(NULL, f->data, f->cap, cap);
        WR_TRY_ALLOC(ctx, more);
        f->data = more;
        f->cap = cap;
    }
    memcpy(f->data + f->len, p, len);
    f->len += len;
    return WR_OK;
}

/* At most 100 bytes more than half of what is asked for: readers must go on asking. */
static inline wr_status
rig_scratch_read(wr_ctx *ctx, wr_file *file, uint64_t off, void *buf, size_t len, size_t *got)
{
    const rig_scratch *f = (rig_scratch *)(void *)file;
    if (rig_fails(f->disk)) return wr_raise(ctx, WR_IO, "planned");
    *got = off >= f->len ? 0 : WR_MIN(WR_MIN(len, len / 2 + 100), f->len - off);
    if (*got) memcpy(buf, f->data + off, *got);
    if (*got && f->disk->damage_scratch) ((uint8_t *)buf)[*got - 1] ^= 0x10;
    return WR_OK;
}

static inline wr_status
rig_scratch_close(wr_ctx *ctx, wr_file *file)
{
    rig_scratch *f = (rig_scratch *)(void *)file;
    (void)ctx;
    if (--f->open) return WR_OK;
    wr_mem_free(NULL, f->data, f->cap);
    f->disk->scratch_open--;
    wr_mem_free(NULL, f, sizeof *f);
    return WR_OK;
}

static const wr_fs_ops rig_scratch_ops = {
    .append = rig_scratch_append, .read_at = rig_scratch_read, .close = rig_scratch_close};

static inline wr_status
rig_scratch_make(wr_ctx *ctx, wr_state_writer *w, wr_file **out, wr_file **in)
{
    rig_disk *d = (rig_disk *)(void *)w;
    if (rig_fails(d)) return wr_raise(ctx, WR_IO, "planned");
    rig_scratch *f = wr_mem_zalloc(NULL, sizeof *f);
    WR_TRY_ALLOC(ctx, f);
    *f = (rig_scratch){.base.ops = &rig_scratch_ops, .disk = d, .open = 2};
    d->scratch_made++;
    d->scratch_open++;
    *out = *in = &f->base;
    return WR_OK;
}

static inline rig_disk *
rig_disk_create(wr_memtrack *budget)
{
    rig_disk *d = wr_mem_zalloc(budget, sizeof *d);
    WR_ASSERT(d != NULL);
    d->budget = budget;
    d->arena = wr_arena_create(budget, 0);
    d->writer = (wr_state_writer){.arena = d->arena,
                                  .create = rig_create,
                                  .append = rig_append,
                                  .close = rig_close_file,
                                  .adopt = rig_adopt,
                                  .scratch = rig_scratch_make};
    d->reader = (wr_state_reader){.arena = d->arena, .open = rig_open_file};
    d->map = true;
    return d;
}

static inline void
rig_disk_destroy(rig_disk *d)
{
    wr_memtrack *budget = d->budget;
    WR_ASSERT(d->scratch_open == 0);
    for (uint32_t i = 0; i < d->count; i++) wr_mem_free(budget, d->files[i].data, d->files[i].cap);
    wr_arena_destroy(d->arena);
    wr_mem_free(budget, d, sizeof *d);
}

#endif
