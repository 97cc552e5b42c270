/* SPDX-License-Identifier: Apache-2.0 */
/* One database: opened with the session's options, closed; and the folder it lies in. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#include <stdio.h>

#define FOLDER    "weir-rocksdb-"
#define OWNER     "owner"
#define ATTEMPTS  100
#define MAKING_MS 60000 /* nobody takes longer from making a folder to locking it */

/* ---- options --------------------------------------------------------------------------------- */

/* The table factory takes what it needs out of the block options. */
static void
set_blocks(const wri_rocks_fns *f, rocksdb_options_t *options, const wri_rocks_options *o,
           wri_rocks_db *d)
{
    rocksdb_block_based_table_options_t *b = f->block_based_options_create();
    f->block_based_options_set_block_size(b, o->block_bytes);
    f->block_based_options_set_metadata_block_size(b, o->metadata_block_bytes);
    if (o->bloom) /* the options own it */
        f->block_based_options_set_filter_policy(b,
                                                 f->filterpolicy_create_bloom_full(o->bloom_bits));
    f->block_based_options_set_data_block_index_type(
        b, rocksdb_block_based_table_data_block_index_type_binary_search_and_hash);
    rocksdb_cache_t *own = NULL;
    if (o->managed) {
        rocksdb_cache_t *shared = wri_rocks_cache_acquire(wri_rocks_block_bytes(o));
        d->shares_cache = shared != NULL;
        if (shared) f->block_based_options_set_block_cache(b, shared);
        f->block_based_options_set_cache_index_and_filter_blocks(b, 1);
        f->block_based_options_set_cache_index_and_filter_blocks_with_high_priority(b, 1);
        f->block_based_options_set_pin_l0_filter_and_index_blocks_in_cache(b, 1);
        if (o->partitioned) {
            f->block_based_options_set_index_type(
                b, rocksdb_block_based_table_index_type_two_level_index_search);
            f->block_based_options_set_partition_filters(b, 1);
        }
    } else {
        own = f->cache_create_lru(o->block_cache_bytes);
        if (own) f->block_based_options_set_block_cache(b, own);
    }
    f->options_set_block_based_table_factory(options, b);
    if (own) f->cache_destroy(own);
    f->block_based_options_destroy(b);
}

static void
set_log(const wri_rocks_fns *f, rocksdb_options_t *options, const wri_rocks_options *o)
{
    f->options_set_info_log_level(options, o->log_level);
    f->options_set_max_log_file_size(options, o->log_file_bytes);
    f->options_set_keep_log_file_num(options, WR_MAX(o->log_files, 1u));
    f->options_set_stats_dump_period_sec(options, 0);
    char dir[WR_OS_PATH_MAX];
    if (!o->log_dir.len || o->log_dir.len >= sizeof dir) return;
    memcpy(dir, o->log_dir.ptr, o->log_dir.len);
    dir[o->log_dir.len] = 0;
    f->options_set_db_log_dir(options, dir);
}

static rocksdb_options_t *
make_options(const wri_rocks_fns *f, const wri_rocks_options *o, wri_rocks_db *d)
{
    rocksdb_options_t *options = f->options_create();
    f->options_set_create_if_missing(options, 1);
    f->options_set_paranoid_checks(options, 1);
    f->options_set_avoid_unnecessary_blocking_io(options, 1); /* see wri_rocks_nudge */
    f->options_set_max_background_jobs(options, WR_MAX(o->threads, 1));
    f->options_set_write_buffer_size(options, d->write_buffer_bytes);
    f->options_set_max_write_buffer_number(options, WR_MAX(o->write_buffers, 2));
    f->options_set_min_write_buffer_number_to_merge(options, WR_MAX(o->merge_buffers, 1));
    f->options_set_target_file_size_base(options, o->target_file_bytes);
    f->options_set_max_bytes_for_level_base(options, o->level_base_bytes);
    f->options_set_level_compaction_dynamic_level_bytes(options, o->dynamic_levels);
    f->options_set_compaction_style(options, o->style);
    f->options_set_max_open_files(options, o->open_files);
    if (o->compression_count == 1)
        f->options_set_compression(options, o->compression[0]);
    else
        f->options_set_compression_per_level(options, o->compression, o->compression_count);
    set_log(f, options, o);
    set_blocks(f, options, o, d);
    return options;
}

/* ---- opening --------------------------------------------------------------------------------- */

static void
make_calls(wri_rocks_db *d, const wri_rocks_fns *f)
{
    d->f = f;
    d->read = f->readoptions_create();
    d->write = f->writeoptions_create();
    f->writeoptions_disable_WAL(d->write, 1); /* checkpoints are what survives */
}

wr_status
wri_rocks_db_open(wr_ctx *ctx, const wri_rocks_fns *f, const wri_rocks_options *o, uint32_t share,
                  const char *path, wri_rocks_db *d)
{
    *d = (wri_rocks_db){.write_buffer_bytes = wri_rocks_buffer_bytes(o, share)};
    make_calls(d, f);
    rocksdb_options_t *options = make_options(f, o, d);
    const char *const name = "default";
    const rocksdb_options_t *const family_options = options;
    char *why = NULL;
    d->db = f->open_column_families(options, path, 1, &name, &family_options, &d->family, &why);
    f->options_destroy(options);
    if (d->db) return WR_OK;
    wri_rocks_db_close(d);
    return wri_rocks_raise(ctx, f, "open its database", why);
}

wr_status
wri_rocks_db_open_old(wr_ctx *ctx, const wri_rocks_fns *f, const char *path, wri_rocks_db *d)
{
    *d = (wri_rocks_db){0};
    make_calls(d, f);
    rocksdb_options_t *options = f->options_create();
    f->options_set_paranoid_checks(options, 1);
    f->options_set_info_log_level(options, 5);
    char *why = NULL;
    d->db = f->open_for_read_only(options, path, 0, &why);
    f->options_destroy(options);
    f->readoptions_set_fill_cache(d->read, 0);
    if (d->db) return WR_OK;
    wri_rocks_db_close(d);
    return wri_rocks_raise(ctx, f, "open the database of a snapshot", why);
}

void
wri_rocks_db_close(wri_rocks_db *d)
{
    const wri_rocks_fns *f = d->f;
    if (!f) return;
    if (d->family) f->column_family_handle_destroy(d->family);
    if (d->db) f->close(d->db);
    f->readoptions_destroy(d->read);
    f->writeoptions_destroy(d->write);
    if (d->shares_cache) wri_rocks_cache_release();
    *d = (wri_rocks_db){0};
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* A folder whose lock nobody holds was left by a process that has died, or its owner is just about
 * to lock it and will see that it is gone. One without a lock goes when it is empty and old. */
static void
remove_if_dead(const char *base, const char *name)
{
    char path[WR_OS_PATH_MAX], lock[WR_OS_PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/%s", base, name);
    const int m = snprintf(lock, sizeof lock, "%s/%s/" OWNER, base, name);
    if (n < 0 || m < 0 || (size_t)m >= sizeof lock) return;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_os_stat st;
    wr_os_file file;
    if (wr_os_stat_path(&ctx, lock, &st) != WR_OK) return;
    if (st.kind == WR_OS_NONE && wr_os_stat_path(&ctx, path, &st) == WR_OK &&
        st.kind == WR_OS_DIR && st.mtime_ms < wr_os_wall_ms() - MAKING_MS)
        (void)!wr_os_remove(&ctx, path);
    if (st.kind != WR_OS_FILE) return;
    if (wr_os_file_open(&ctx, lock, WR_OS_READ_WRITE, &file) != WR_OK) return;
    bool locked = false;
    if (wr_os_file_lock(&ctx, &file, &locked) == WR_OK && locked)
        (void)!wr_os_remove_tree(&ctx, path);
    wr_os_file_close(&file);
}

static void
remove_dead(const char *base)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_os_dir dir;
    if (wr_os_dir_open(&ctx, base, &dir) != WR_OK) return;
    const char *name;
    while (wr_os_dir_next(&ctx, &dir, &name) == WR_OK && name)
        if (strncmp(name, FOLDER, sizeof FOLDER - 1) == 0) remove_if_dead(base, name);
    wr_os_dir_close(&dir);
}

/* A folder of a new name with its lock, which is held. *gone: another process took it for one that
 * was left behind, before the lock was. */
static wr_status
make_dir(wr_ctx *ctx, const char *base, wri_rocks_dir *d, bool *gone)
{
    char path[WR_OS_PATH_MAX], lock[WR_OS_PATH_MAX];
    bool locked = false;
    WR_TRY(wr_os_temp_name(ctx, base, FOLDER, path, sizeof path - sizeof OWNER - 1));
    (void)snprintf(lock, sizeof lock, "%.*s/" OWNER, (int)(sizeof lock - sizeof OWNER - 1), path);
    wr_status status = wr_os_make_dirs(ctx, path);
    if (status == WR_OK) status = wr_os_file_open(ctx, lock, WR_OS_WRITE_NEW, &d->lock);
    const bool opened = status == WR_OK;
    if (opened) status = wr_os_file_lock(ctx, &d->lock, &locked);
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    wr_os_stat st = {0};
    *gone = wr_os_stat_path(&quiet, opened ? lock : path, &st) == WR_OK && st.kind == WR_OS_NONE;
    *gone |= opened && status == WR_OK && !locked; /* it is going just now */
    if (status == WR_OK && !*gone)
        memcpy(d->path, path, sizeof path);
    else if (opened)
        wr_os_file_close(&d->lock);
    return status;
}

wr_status
wri_rocks_dir_open(wr_ctx *ctx, const char *base, wri_rocks_dir *d)
{
    if (!base || !*base) base = wr_os_env("TMPDIR");
    if (!base || !*base) base = "/tmp";
    d->path[0] = 0;
    WR_TRY(wr_os_make_dirs(ctx, base));
    remove_dead(base);
    bool gone = true;
    wr_status status = WR_OK;
    wr_ctx probe; /* an attempt that failed is forgotten */
    for (int i = 0; i < ATTEMPTS && gone; i++) {
        wr_ctx_init(&probe);
        status = make_dir(&probe, base, d, &gone);
    }
    if (status != WR_OK) ctx->err = probe.err;
    if (status != WR_OK || !gone) return status;
    return wr_raise(ctx, WR_IO, "no folder for RocksDB's files can be kept in '%s'", base);
}

void
wri_rocks_dir_close(wri_rocks_dir *d)
{
    if (!d->path[0]) return;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    (void)!wr_os_remove_tree(&ctx, d->path);
    wr_os_file_close(&d->lock);
    d->path[0] = 0;
}

#endif
