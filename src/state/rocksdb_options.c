/* SPDX-License-Identifier: Apache-2.0 */
/* What the session says about RocksDB, under Flink's names, and how memory is divided.
 *
 * Managed memory is one amount for the process: taskmanager.memory.managed.size, or a fraction of
 * the process's memory. Half of it holds entries (the write-back caches), the other half is
 * RocksDB's: write buffers by the write-buffer-ratio, blocks the rest. What belongs to one backend
 * is an equal share among those that are open; blocks are one cache for all. */
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#define MIB         ((size_t)1 << 20)
#define ENTRIES_MIN (256u << 10)
#define BUFFER_MIN  (64u << 10)
#define UNMANAGED   (64 * MIB) /* entries in memory where memory is not managed */
#define DIRTY_MAX   (4 * MIB)

static const wri_rocks_options defaults = {
    .cache_bytes = SIZE_MAX,
    .dirty_bytes = DIRTY_MAX,
    .managed = true,
    .total_bytes = 256 * MIB,
    .write_buffer_ratio = 0.5,
    .bloom_bits = 10,
    .block_bytes = 4096,
    .metadata_block_bytes = 4096,
    .block_cache_bytes = 8 * MIB,
    .write_buffer_bytes = 64 * MIB,
    .write_batch_bytes = 2 * MIB,
    .target_file_bytes = 64 * MIB,
    .level_base_bytes = 256 * MIB,
    .write_buffers = 2,
    .merge_buffers = 1,
    .open_files = -1,
    .threads = 2,
    .style = rocksdb_level_compaction,
    .log_level = 1,
    .log_file_bytes = 25 * MIB,
    .log_files = 4,
    .bloom = true,
    .compression = {rocksdb_no_compression, rocksdb_no_compression, rocksdb_lz4_compression},
    .compression_count = 3};

/* Sets of options for kinds of disks; what is said by itself wins. */
static void
predefine(wri_rocks_options *o, wr_str name)
{
    if (wr_str_eq_c(name, "FLASH_SSD_OPTIMIZED")) o->threads = 4;
    if (wr_str_eq_c(name, "SPINNING_DISK_OPTIMIZED") ||
        wr_str_eq_c(name, "SPINNING_DISK_OPTIMIZED_HIGH_MEM")) {
        o->threads = 4;
        o->dynamic_levels = true;
    }
    if (!wr_str_eq_c(name, "SPINNING_DISK_OPTIMIZED_HIGH_MEM")) return;
    o->target_file_bytes = 256 * MIB;
    o->level_base_bytes = 1024 * MIB;
    o->write_buffers = 4;
    o->merge_buffers = 3;
    o->block_cache_bytes = 256 * MIB;
    o->block_bytes = 128 << 10;
}

static wr_status
read_predefined(wr_ctx *ctx, const wr_config *c, wri_rocks_options *o)
{
    const wr_str name = wr_config_str(c, "state.backend.rocksdb.predefined-options");
    static const char *const known[] = {"DEFAULT", "SPINNING_DISK_OPTIMIZED",
                                        "SPINNING_DISK_OPTIMIZED_HIGH_MEM", "FLASH_SSD_OPTIMIZED"};
    bool found = !name.len;
    for (uint32_t i = 0; i < WR_COUNT(known); i++) found |= wr_str_eq_c(name, known[i]);
    if (!found) {
        (void)wr_raise(ctx, WR_OPTION,
                       "Could not parse value '%.*s' for key "
                       "'state.backend.rocksdb.predefined-options'",
                       WR_STR_ARG(name));
        wr_hint(ctx, "Expected one of: DEFAULT, SPINNING_DISK_OPTIMIZED, "
                     "SPINNING_DISK_OPTIMIZED_HIGH_MEM, FLASH_SSD_OPTIMIZED.");
        return WR_OPTION;
    }
    predefine(o, name);
    return WR_OK;
}

static bool
is_set(const wr_config *c, const char *key)
{
    return wr_options_find(c->set, key) != NULL;
}

/* Lists of names are in the order of the numbers in rocksdb/c.h; -1: none of them. */
static int
number_of(const char *const *names, wr_str name)
{
    for (int i = 0; names[i]; i++)
        if (wr_str_eq_nocase(name, wr_str_c(names[i]))) return i;
    return -1;
}

static wr_status
read_compression(wr_ctx *ctx, const wr_config *c, wri_rocks_options *o)
{
    static const char *const names[] = {
        "NO_COMPRESSION",     "SNAPPY_COMPRESSION", "ZLIB_COMPRESSION",
        "BZLIB2_COMPRESSION", "LZ4_COMPRESSION",    "LZ4HC_COMPRESSION",
        "XPRESS_COMPRESSION", "ZSTD_COMPRESSION",   NULL};
    static const char key[] = "state.backend.rocksdb.compression.per.level";
    /* Flink's default is Snappy everywhere; nothing changes but speed and size. */
    wr_str rest = is_set(c, key) ? wr_config_str(c, key) : (wr_str){0};
    if (!rest.len) return WR_OK;
    o->compression_count = 0;
    while (rest.len) {
        size_t n = 0;
        while (n < rest.len && rest.ptr[n] != ';' && rest.ptr[n] != ',') n++;
        const wr_str one = {rest.ptr, n};
        const int number = number_of(names, one);
        if (number < 0 || o->compression_count == WR_COUNT(o->compression))
            return wr_raise(ctx, WR_OPTION,
                            "Could not parse value '%.*s' for key "
                            "'state.backend.rocksdb.compression.per.level'",
                            WR_STR_ARG(one));
        o->compression[o->compression_count++] = number;
        n += n < rest.len;
        rest = (wr_str){rest.ptr + n, rest.len - n};
    }
    return WR_OK;
}

/* Words that RocksDB knows and that no database can be run with. */
static wr_status
refuse(wr_ctx *ctx, const char *key, wr_str value)
{
    return wr_raise(ctx, WR_UNSUPPORTED, "'%s' = '%.*s' is not supported", key, WR_STR_ARG(value));
}

static wr_status
read_enums(wr_ctx *ctx, const wr_config *c, wri_rocks_options *o)
{
    static const char style_key[] = "state.backend.rocksdb.compaction.style";
    static const char level_key[] = "state.backend.rocksdb.log.level";
    static const char *const styles[] = {"LEVEL", "UNIVERSAL", "FIFO", NULL};
    static const char *const levels[] = {"DEBUG_LEVEL", "INFO_LEVEL",   "WARN_LEVEL", "ERROR_LEVEL",
                                         "FATAL_LEVEL", "HEADER_LEVEL", NULL};
    const wr_str style = wr_config_str(c, style_key), level = wr_config_str(c, level_key);
    const int s = number_of(styles, style), l = number_of(levels, level);
    if (style.len && s < 0) return refuse(ctx, style_key, style);
    if (level.len && l < 0) return refuse(ctx, level_key, level);
    if (s >= 0) o->style = s;
    if (l >= 0) o->log_level = l;
    return WR_OK;
}

static size_t
size_of(const wr_config *c, const char *key)
{
    const int64_t n = wr_config_int(c, key);
    return n > 0 ? (size_t)n : 0;
}

static void
set_size(const wr_config *c, const char *key, size_t *out)
{
    if (is_set(c, key)) *out = size_of(c, key);
}

static void
set_int(const wr_config *c, const char *key, int *out)
{
    if (is_set(c, key)) *out = (int)wr_config_int(c, key);
}

/* Of this machine, whether its name is a path or a URI. */
static wr_str
folder_of(const wr_config *c, const char *key)
{
    const wr_str scheme = WR_STR("file://");
    const wr_str dir = wr_config_str(c, key);
    if (!wr_str_starts(dir, scheme)) return dir;
    return (wr_str){dir.ptr + scheme.len, dir.len - scheme.len};
}

/* Those whose default is taken from a set of options when nothing is said. */
static void
read_sizes(const wr_config *c, wri_rocks_options *o)
{
    set_size(c, "state.backend.rocksdb.block.blocksize", &o->block_bytes);
    set_size(c, "state.backend.rocksdb.block.metadata-blocksize", &o->metadata_block_bytes);
    set_size(c, "state.backend.rocksdb.block.cache-size", &o->block_cache_bytes);
    set_size(c, "state.backend.rocksdb.writebuffer.size", &o->write_buffer_bytes);
    set_size(c, "state.backend.rocksdb.compaction.level.target-file-size-base",
             &o->target_file_bytes);
    set_size(c, "state.backend.rocksdb.compaction.level.max-size-level-base", &o->level_base_bytes);
    set_int(c, "state.backend.rocksdb.writebuffer.count", &o->write_buffers);
    set_int(c, "state.backend.rocksdb.writebuffer.number-to-merge", &o->merge_buffers);
    set_int(c, "state.backend.rocksdb.thread.num", &o->threads);
    if (is_set(c, "state.backend.rocksdb.compaction.level.use-dynamic-size"))
        o->dynamic_levels =
            wr_config_bool(c, "state.backend.rocksdb.compaction.level.use-dynamic-size");
    /* Flink's default has none; a filter changes nothing but speed. */
    if (is_set(c, "state.backend.rocksdb.use-bloom-filter"))
        o->bloom = wr_config_bool(c, "state.backend.rocksdb.use-bloom-filter");
    o->open_files = (int)wr_config_int(c, "state.backend.rocksdb.files.open");
    o->write_batch_bytes = size_of(c, "state.backend.rocksdb.write-batch-size");
    o->log_file_bytes = size_of(c, "state.backend.rocksdb.log.max-file-size");
    o->log_files = size_of(c, "state.backend.rocksdb.log.file-num");
    o->local_dir = folder_of(c, "state.backend.rocksdb.localdir");
    o->log_dir = folder_of(c, "state.backend.rocksdb.log.dir");
}

static void
read_memory(const wr_config *c, wri_rocks_options *o)
{
    size_t process = size_of(c, "taskmanager.memory.process.size");
    if (!process) process = size_of(c, "taskmanager.memory.flink.size");
    if (!process) process = (size_t)wr_os_memory_bytes();
    const double fraction = wr_config_double(c, "taskmanager.memory.managed.fraction");
    o->total_bytes = (size_t)((double)process * WR_MIN(WR_MAX(fraction, 0.0), 1.0));
    if (size_of(c, "taskmanager.memory.managed.size"))
        o->total_bytes = size_of(c, "taskmanager.memory.managed.size");
    const size_t per_slot = size_of(c, "state.backend.rocksdb.memory.fixed-per-slot");
    const int64_t slots = WR_MAX(wr_config_int(c, "parallelism.default"), 1);
    if (size_of(c, "state.backend.rocksdb.memory.fixed-per-tm"))
        o->total_bytes = size_of(c, "state.backend.rocksdb.memory.fixed-per-tm");
    if (per_slot)
        o->total_bytes = per_slot > SIZE_MAX / (size_t)slots ? SIZE_MAX : per_slot * (size_t)slots;
    o->managed = wr_config_bool(c, "state.backend.rocksdb.memory.managed") || per_slot ||
                 size_of(c, "state.backend.rocksdb.memory.fixed-per-tm");
    o->write_buffer_ratio = wr_config_double(c, "state.backend.rocksdb.memory.write-buffer-ratio");
    o->bloom_bits = wr_config_double(c, "state.backend.rocksdb.bloom-filter.bits-per-key");
    o->write_buffer_ratio = WR_MIN(WR_MAX(o->write_buffer_ratio, 0.0), 1.0);
    o->partitioned = wr_config_bool(c, "state.backend.rocksdb.memory.partitioned-index-filters");
    set_size(c, "weir.state.rocksdb.cache-size", &o->cache_bytes);
}

/* Each is between 0 and 1 (SET says so); blocks and write buffers share one memory. */
static wr_status
check_ratios(wr_ctx *ctx, const wr_config *c)
{
    const double write = wr_config_double(c, "state.backend.rocksdb.memory.write-buffer-ratio");
    const double high = wr_config_double(c, "state.backend.rocksdb.memory.high-prio-pool-ratio");
    if (write + high <= 1) return WR_OK;
    (void)wr_raise(ctx, WR_OPTION,
                   "Invalid configuration: writeBufferRatio %.15g with highPriPoolRatio %.15g",
                   write, high);
    wr_hint(ctx, "'state.backend.rocksdb.memory.write-buffer-ratio' and "
                 "'...memory.high-prio-pool-ratio' are shares of one memory: together at most 1");
    return WR_OPTION;
}

wr_status
wri_rocks_options_read(wr_ctx *ctx, const wr_config *c, wri_rocks_options *o)
{
    *o = defaults;
    if (!c) return WR_OK;
    WR_TRY(read_predefined(ctx, c, o));
    WR_TRY(read_compression(ctx, c, o));
    WR_TRY(check_ratios(ctx, c));
    WR_TRY(read_enums(ctx, c, o));
    read_sizes(c, o);
    read_memory(c, o);
    return WR_OK;
}

size_t
wri_rocks_entry_bytes(const wri_rocks_options *o, uint32_t backends)
{
    if (o->cache_bytes != SIZE_MAX) return o->cache_bytes;
    if (!o->managed) return UNMANAGED;
    return WR_MAX(o->total_bytes / 2 / backends, (size_t)ENTRIES_MIN);
}

size_t
wri_rocks_buffer_bytes(const wri_rocks_options *o, uint32_t backends)
{
    if (!o->managed) return o->write_buffer_bytes;
    const double all = (double)(o->total_bytes / 2) * o->write_buffer_ratio;
    const size_t mine = (size_t)all / backends / (size_t)WR_MAX(o->write_buffers, 1);
    return WR_MIN(WR_MAX(mine, (size_t)BUFFER_MIN), o->write_buffer_bytes);
}

size_t
wri_rocks_block_bytes(const wri_rocks_options *o)
{
    return (size_t)((double)(o->total_bytes / 2) * (1 - o->write_buffer_ratio));
}

#endif
