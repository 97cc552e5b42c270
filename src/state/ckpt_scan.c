/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of keyed state, one after the other, for tools and tables. Canonical files are read
 * as they are. Others go once through a backend, which writes them canonically into a temporary
 * folder of the machine's: memory is needed for the state of one subtask, but not twice. */
#include "state/canonical_int.h"
#include "state/ckpt_int.h"

struct wr_ckpt_scan {
    wr_arena *arena; /* it lies in it */
    wr_memtrack *budget;
    const wr_state_handle *handle; /* canonical; tables as in the original */
    wr_state_reader *reader;
    wr_ckpt *temp; /* NULL: nothing was converted */
    wr_ckpt_meta temp_meta;
    wri_seg_file file;
    uint32_t file_at, block_at; /* the next ones */
    const uint8_t *p, *end;     /* in the open block */
    uint32_t table, group;
    wri_canon_entry entry;
};

static wr_status
convert(wr_ctx *ctx, wr_ckpt_scan *s, const wr_state_handle *h, wr_state_reader *r,
        const struct wr_config *config)
{
    char dir[WR_OS_PATH_MAX];
    wr_state_writer *w;
    wr_state_handle *out = WR_NEW(s->arena, wr_state_handle);
    WR_TRY_ALLOC(ctx, out);
    WR_TRY(wr_os_temp_name(ctx, NULL, "weir-state-", dir, sizeof dir));
    WR_TRY(wr_ckpt_begin_alone(ctx, wr_str_c(dir), 1, WR_SAVEPOINT_CANONICAL, s->budget, &s->temp));
    WR_TRY(wr_ckpt_writer_open(ctx, s->temp, &w));
    const wr_status status =
        wri_ckpt_convert(ctx, h, r, config, s->budget, 1, WR_SNAPSHOT_CANONICAL, w, out);
    wr_ckpt_writer_close(w);
    WR_TRY(status);
    s->temp_meta = (wr_ckpt_meta){.path = wr_ckpt_path(s->temp), .shared_dir = WR_STR("")};
    s->handle = out;
    return wr_ckpt_reader(ctx, &s->temp_meta, s->arena, &s->reader);
}

wr_status
wr_ckpt_scan_open(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r,
                  const struct wr_config *config, wr_memtrack *budget, wr_ckpt_scan **out)
{
    wr_arena *a = wr_arena_create(budget, 0);
    wr_ckpt_scan *s = a ? WR_NEW(a, wr_ckpt_scan) : NULL;
    if (!s) {
        wr_arena_destroy(a);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    s->arena = a;
    s->budget = budget;
    s->handle = h;
    s->reader = r;
    wr_status status = WR_OK;
    if (!wr_str_eq_c(h->format, WRI_CANON_FORMAT)) status = convert(ctx, s, h, r, config);
    if (status == WR_OK)
        *out = s;
    else
        wr_ckpt_scan_close(s);
    return status;
}

void
wr_ckpt_scan_close(wr_ckpt_scan *s)
{
    if (!s) return;
    wri_seg_close(&s->file);
    wr_ckpt_discard(s->temp);
    wr_arena_destroy(s->arena);
}

/* The next block that has entries; *end: there is none. */
static wr_status
next_block(wr_ctx *ctx, wr_ckpt_scan *s, bool *end)
{
    *end = false;
    while (s->block_at == s->file.block_count) {
        wri_seg_close(&s->file);
        s->block_at = 0;
        *end = s->file_at == s->handle->file_count;
        if (*end) return WR_OK;
        WR_TRY(wri_seg_open(ctx, &s->file, WRI_CANON_MAGIC, s->reader,
                            &s->handle->files[s->file_at++], s->arena, s->budget));
    }
    s->table = s->file.blocks[s->block_at].table;
    s->group = s->file.blocks[s->block_at].group;
    if (s->table >= s->handle->table_count)
        return wri_seg_corrupt(ctx, &s->file, s->file.blocks[s->block_at].offset,
                               "a table that the handle does not know");
    s->entry = (wri_canon_entry){0};
    return wri_seg_load(ctx, &s->file, s->block_at++, &s->p, &s->end);
}

wr_status
wr_ckpt_scan_next(wr_ctx *ctx, wr_ckpt_scan *s, wr_ckpt_entry *out, bool *end)
{
    *end = false;
    while (s->p == s->end) {
        WR_TRY(next_block(ctx, s, end));
        if (*end) return WR_OK;
    }
    if (!wri_canon_next(&s->handle->tables[s->table], &s->p, s->end, &s->entry))
        return wri_seg_corrupt(ctx, &s->file, s->file.blocks[s->block_at - 1].offset,
                               "an entry that cannot be read");
    const wri_canon_entry *e = &s->entry;
    *out = (wr_ckpt_entry){.table = s->table,
                           .key_group = s->group,
                           .parent_key = {(const char *)e->parent_key, e->parent_len},
                           .key = {(const char *)e->e.key, e->e.key_len},
                           .time_ms = e->e.time,
                           .record = e->e.rec,
                           .blobs = e->e.blobs,
                           .blob_count = e->e.blob_count};
    return WR_OK;
}

bool
wr_ckpt_entry_blob(const wr_ckpt_entry *e, uint32_t offset, wr_str *out)
{
    const uint8_t *p = e->blobs; /* checked when the entry was read */
    for (uint32_t i = 0; i < e->blob_count; i++) {
        uint32_t at, len;
        const uint8_t *bytes = wri_seg_blob(&p, &at, &len);
        *out = (wr_str){(const char *)bytes, len};
        if (at == offset) return true;
    }
    *out = WR_STR("");
    return false;
}
