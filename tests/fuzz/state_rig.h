/* SPDX-License-Identifier: Apache-2.0 */
/* For fuzzers of state files: bytes become a file, the file is restored, what came of it is walked
 * through and removed.
 *
 * First byte of the input: bit 0: the rest is the file as it is; else it is a list of blocks, which
 * are sealed with right checksums: u8 table, u8 key group, u8 entries, u8 length, bytes. Bit 1:
 * tables have a time to live. Bit 2: the file can be mapped. Bit 3: half of the key groups are
 * ours.
 */
#ifndef WR_TESTS_FUZZ_STATE_RIG_H
#define WR_TESTS_FUZZ_STATE_RIG_H

#include "state/log_int.h"
#include "unit/state_rig.h"

#define FUZZ_P 8u

static inline wr_status
fuzz_seal(wr_ctx *ctx, rig_disk *d, const uint8_t *p, size_t size, const char *magic,
          wr_state_file *out)
{
    wri_seg_writer l;
    WR_TRY(wri_seg_begin(ctx, &l, magic, &d->writer, d->budget,
                         &(wri_seg_range){0, FUZZ_P - 1, FUZZ_P}, false));
    wr_status status = WR_OK;
    while (size >= 4 && status == WR_OK) {
        const size_t len = WR_MIN((size_t)p[3], size - 4);
        wri_pack *k = wri_pack_create(d->budget, p[0] % 4, len);
        WR_ASSERT(k != NULL);
        k->group = p[1];
        k->entries = p[2];
        if (len) memcpy(wri_pack_bytes(k) + k->len, p + 4, len);
        k->len += len;
        status = wri_seg_put(ctx, &l, k);
        wri_pack_destroy(d->budget, k);
        p += 4 + len;
        size -= 4 + len;
    }
    if (status == WR_OK) status = wri_seg_end(ctx, &l, out);
    wri_seg_deinit(&l);
    return status;
}

static inline wr_status
fuzz_raw(wr_ctx *ctx, rig_disk *d, const uint8_t *p, size_t size, wr_state_file *out)
{
    WR_TRY(d->writer.create(ctx, &d->writer, false));
    WR_TRY(d->writer.append(ctx, &d->writer, p, size));
    return d->writer.close(ctx, &d->writer, out);
}

/* The three tables, and what the handle says of them. */
static inline void
fuzz_tables(wr_ctx *ctx, wr_state_backend *b, int64_t ttl_ms, wr_state_table **t,
            wr_state_table_info *info)
{
    static const char *const names[3] = {"v", "m", "o"};
    for (uint32_t i = 0; i < 3; i++) {
        const wr_state_desc d = {.logical_id = wr_str_c(names[i]),
                                 .shape = (wr_state_shape)i,
                                 .record_bytes = 24,
                                 .ttl_ms = ttl_ms,
                                 .parent = i ? t[0] : NULL};
        WR_ASSERT(b->ops->table_open(ctx, b, &d, &t[i]) == WR_OK);
        info[i] = (wr_state_table_info){.logical_id = d.logical_id,
                                        .shape = (uint8_t)i,
                                        .record_bytes = 24,
                                        .ttl_ms = ttl_ms,
                                        .parent = i ? 0 : -1};
    }
}

static inline uint64_t
fuzz_blob(wr_state_table *t, const uint8_t *rec)
{
    uint64_t sum = 0;
    for (uint32_t at = 0; at <= 8; at += 8) {
        wr_blob b;
        memcpy(&b, rec + at, sizeof b);
        if (b.cap && b.len && b.len <= b.cap) sum += t->ops->blob_get(t, &b)[b.len - 1];
    }
    return sum;
}

static inline uint64_t
fuzz_walk(wr_state_table *const *t)
{
    const wr_state_ops *ops = t[0]->ops;
    uint64_t pos = 0, sum = 0;
    uint32_t slot;
    while (ops->next_slot(t[0], &pos, &slot)) {
        uint32_t len, seen = 0;
        (void)ops->key_of(t[0], slot, &len);
        wr_state_iter it;
        for (bool on = ops->map_first(t[1], slot, &it); on; on = ops->map_next(&it), seen++)
            sum += it.key_len ? it.key[it.key_len - 1] : 0;
        WR_ASSERT(seen == ops->map_count(t[1], slot));
        seen = 0;
        for (bool on = ops->ord_seek(t[2], slot, NULL, 0, &it); on; on = ops->ord_next(&it), seen++)
            sum += it.key_len ? it.key[0] : 0;
        WR_ASSERT(seen == ops->ord_count(t[2], slot));
        if (slot % 2) ops->remove(t[0], slot);
    }
    return sum;
}

static inline int
rig_fuzz(const uint8_t *data, size_t size, wr_str format, const char *magic)
{
    if (size < 1) return 0;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_memtrack *m = wr_memtrack_create(NULL, "fuzz", 256u << 20);
    rig_disk *d = rig_disk_create(m);
    wr_state_file file = {0};
    d->map = data[0] & 4;
    WR_ASSERT((data[0] & 1 ? fuzz_raw(&ctx, d, data + 1, size - 1, &file)
                           : fuzz_seal(&ctx, d, data + 1, size - 1, magic, &file)) == WR_OK);
    wr_state_backend *b;
    WR_ASSERT(wr_state_hashmap_ops.open(&ctx, NULL, m, 0, data[0] & 8 ? FUZZ_P / 2 : FUZZ_P - 1,
                                        FUZZ_P, &b) == WR_OK);
    wr_state_table *t[3];
    wr_state_table_info info[3];
    fuzz_tables(&ctx, b, data[0] & 2 ? 1000 : 0, t, info);
    static const uint32_t used[3] = {64, 64, 64};
    const wr_state_handle h = {.format = format,
                               .kg_last = FUZZ_P - 1,
                               .max_parallelism = FUZZ_P,
                               .tables = info,
                               .table_count = 3,
                               .files = &file,
                               .file_count = 1,
                               .meta = {(const char *)used, magic[4] == 'l' ? sizeof used : 0}};
    const wr_state_handle *list = &h;
    const wr_status status = b->ops->restore(&ctx, b, &list, 1, &d->reader, false);
    WR_ASSERT(status == WR_OK || status == WR_CORRUPT || status == WR_NOMEM ||
              status == WR_UNSUPPORTED);
    if (status == WR_OK) (void)fuzz_walk(t);
    b->ops->close(b);
    rig_disk_destroy(d);
    wr_memtrack_destroy(m);
    return 0;
}

#endif
