/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of checkpoints on disk: metadata with a bit of everything, a folder of its own, a file
 * written through a writer. */
#ifndef WR_TESTS_STATE_CKPT_RIG_H
#define WR_TESTS_STATE_CKPT_RIG_H

#include "fs/fs.h"
#include "os/os.h"
#include "state/state.h"
#include "unit/check.h"

/* One operator with two subtasks: operator state, keyed state of `files`, in-flight data, both
 * shapes of schema. */
static inline wr_ckpt_meta *
rig_meta(wr_ctx *ctx, wr_arena *a, uint64_t id, wr_checkpoint_kind kind, wr_state_file *files,
         uint32_t file_count)
{
    static const wr_state_part_info no_part;
    wr_field *key = WR_NEW_N(a, wr_field, 2);
    key[0] = (wr_field){WR_STR("k"), wr_type_of(WR_T_BIGINT, false), WR_STR("a comment")};
    key[1] = (wr_field){WR_STR("`q`"), wr_type_decimal(a, 12, 3, true), WR_STR("")};
    wr_state_part_info *parts = WR_NEW_N(a, wr_state_part_info, 2);
    parts[0] = no_part;
    parts[0].name = WR_STR("SUM(amount)");
    parts[0].bytes = 16;
    parts[1] = (wr_state_part_info){WR_STR("row"), WR_PART_ROW, 16, 16, {key, 2}};
    wr_state_table_info *tables = WR_NEW_N(a, wr_state_table_info, 2);
    tables[0] = (wr_state_table_info){.logical_id = WR_STR("groups"),
                                      .shape = WR_STATE_VALUE,
                                      .key = {key, 2},
                                      .record_bytes = 32,
                                      .record_version = 3,
                                      .ttl_ms = 60000,
                                      .parent = -1,
                                      .parts = parts,
                                      .part_count = 2,
                                      .entries = 12345678901ull};
    tables[1] = (wr_state_table_info){.logical_id = WR_STR("distinct"),
                                      .shape = WR_STATE_MAP,
                                      .key = {key, 1},
                                      .record_bytes = 8};
    wr_state_handle *h = WR_NEW(a, wr_state_handle);
    *h = (wr_state_handle){WR_STR("log-1"), 64,         127,         128, tables, 2,
                           files,           file_count, {"m\0x", 3}, 99};
    wr_ckpt_subtask *sub = WR_NEW_N(a, wr_ckpt_subtask, 2);
    sub[0].ops.arena = sub[1].ops.arena = a;
    CHECK_OK(ctx, wr_opstate_add(ctx, &sub[0].ops, WR_STR("splits"), WR_OPSTATE_LIST,
                                 (wr_str){"\0\1", 2}));
    CHECK_OK(ctx, wr_opstate_add(ctx, &sub[0].ops, WR_STR("splits"), WR_OPSTATE_LIST, WR_STR("")));
    CHECK_OK(ctx,
             wr_opstate_add(ctx, &sub[0].ops, WR_STR("finished"), WR_OPSTATE_UNION, WR_STR("f")));
    sub[1].subtask = 1;
    sub[1].finished = true;
    sub[1].keyed = h;
    wr_ckpt_operator *op = WR_NEW(a, wr_ckpt_operator);
    *op = (wr_ckpt_operator){WR_STR("agg:k"), WR_STR("GroupAggregate"), 2, 128, sub, 2};
    wr_ckpt_meta *m = WR_NEW(a, wr_ckpt_meta);
    m->kind = (uint8_t)kind;
    m->id = id;
    m->time_ms = 1700000000123;
    m->job_id = WR_STR("00112233445566778899aabbccddeeff");
    m->job_name = WR_STR("insert-into sink");
    m->weir_version = WR_STR("0.1");
    m->sql = WR_STR("INSERT INTO s SELECT 'ä'");
    m->operators = op;
    m->operator_count = 1;
    return m;
}

/* One file of `len` times `byte` through a writer of `c`. */
static inline wr_status
rig_file(wr_ctx *ctx, wr_ckpt *c, bool shared, char byte, uint32_t len, wr_state_file *out)
{
    wr_state_writer *w;
    char piece[100];
    memset(piece, byte, sizeof piece);
    WR_TRY(wr_ckpt_writer_open(ctx, c, &w));
    wr_status status = w->create(ctx, w, shared);
    for (uint32_t n = 0; status == WR_OK && n < len; n += WR_MIN(len - n, 100u))
        status = w->append(ctx, w, piece, WR_MIN(len - n, 100u));
    if (status == WR_OK) status = w->close(ctx, w, out);
    wr_ckpt_writer_close(w);
    return status;
}

/* A checkpoint with one file of its own, a new shared one, and `old` when not NULL. *shared: the
 * new one, with its name in `keep`. */
static inline wr_status
rig_checkpoint(wr_ctx *ctx, wr_ckpt_store *s, uint64_t id, wr_checkpoint_kind kind, wr_str dir,
               const wr_state_file *old, wr_arena *keep, wr_state_file *shared, wr_str *path)
{
    wr_ckpt *c;
    WR_TRY(wr_ckpt_begin(ctx, s, id, kind, dir, &c));
    wr_state_file *files = WR_NEW_N(wr_ckpt_arena(c), wr_state_file, 3);
    uint32_t n = 0;
    wr_status status = rig_file(ctx, c, false, (char)('a' + id), 1000, &files[n++]);
    if (status == WR_OK) status = rig_file(ctx, c, true, (char)('A' + id), 70000, &files[n++]);
    if (status != WR_OK) {
        wr_ckpt_discard(c);
        return status;
    }
    if (shared) {
        *shared = files[1];
        shared->name = wr_arena_str(keep, files[1].name);
    }
    if (old) files[n++] = *old;
    if (path) *path = wr_arena_str(keep, wr_ckpt_path(c));
    return wr_ckpt_publish(ctx, c, rig_meta(ctx, wr_ckpt_arena(c), id, kind, files, n));
}

static inline uint32_t
rig_count_files(wr_ctx *ctx, wr_fs *fs, wr_str dir, wr_arena *a)
{
    wr_file_info *files;
    uint32_t n = 0, count = 0;
    CHECK_OK(ctx, fs->ops->list(ctx, fs, dir, true, a, &files, &n));
    for (uint32_t i = 0; i < n; i++) count += !files[i].is_dir;
    return count;
}

#endif
