/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed state that is larger than its memory: the RocksDB backend beside the memory backend, in the
 * steps of an aggregation (a batch of keys is resolved, its records change) and of a join (entries
 * are added below keys, others are looked up). Built by name only:
 *
 *     ninja -C build/release state_rocksdb_bench
 *     state_rocksdb_bench [MB of state, default 400] [MB of memory, default a tenth] [rounds]
 *                         [bytes of a record, default 80] [MB of state in the memory backend]
 *
 * Speeds are wall time of one thread; files lie in the folder for temporary files and are
 * removed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "os/os.h"
#include "state/state.h"

#define P         128u
#define BATCH     2048u
#define PARTS     10u
#define KEY_BYTES 80u /* of an entry, beside its record: key, head, trace, index */

/* What the session says when nothing is set. */
static const wr_option_def defs[] = {
    {"state.backend.rocksdb.memory.write-buffer-ratio", WR_OPT_DOUBLE, "0.5", NULL, 0, NULL},
    {"state.backend.rocksdb.bloom-filter.bits-per-key", WR_OPT_DOUBLE, "10.0", NULL, 0, NULL},
    {"state.backend.rocksdb.memory.partitioned-index-filters", WR_OPT_BOOL, "false", NULL, 0, NULL},
    {"taskmanager.memory.managed.fraction", WR_OPT_DOUBLE, "0.4", NULL, 0, NULL},
    {"weir.state.rocksdb.cache-size", WR_OPT_MEMORY, NULL, NULL, 0, NULL},
    {"state.backend.rocksdb.memory.managed", WR_OPT_BOOL, "true", NULL, 0, NULL},
    {"taskmanager.memory.managed.size", WR_OPT_MEMORY, NULL, NULL, 0, NULL},
    {"state.backend.rocksdb.write-batch-size", WR_OPT_MEMORY, "2 mb", NULL, 0, NULL},
    {"state.backend.rocksdb.files.open", WR_OPT_INT, "-1", NULL, 0, NULL},
    {"state.backend.rocksdb.log.max-file-size", WR_OPT_MEMORY, "25 mb", NULL, 0, NULL},
    {"state.backend.rocksdb.log.file-num", WR_OPT_INT, "4", NULL, 0, NULL},
    {"parallelism.default", WR_OPT_INT, "1", NULL, 0, NULL},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

typedef struct record { /* and words that no compression makes smaller, up to record_bytes */
    uint64_t rows, sum, rest[];
} record;

typedef struct bench {
    wr_ctx ctx;
    wr_memtrack *budget;
    wr_state_backend *b;
    wr_state_table *keys, *rows;
    uint64_t count, seed;
    uint32_t record_bytes;
    uint64_t fixed[BATCH], hash[BATCH], sub[BATCH], sub_hash[BATCH];
    uint32_t slots[BATCH];
    uint8_t *recs[BATCH];
} bench;

static void
must(const bench *b, wr_status status)
{
    if (status == WR_OK) return;
    (void)fprintf(stderr, "state_rocksdb_bench: %s\n", b->ctx.err.message);
    exit(1);
}

static void
open_state(bench *b, const wr_state_ops *ops, const wr_config *config)
{
    wr_ctx_init(&b->ctx);
    b->budget = wr_memtrack_create(NULL, "bench", 0);
    must(b, ops->open(&b->ctx, config, b->budget, 0, P - 1, P, &b->b));
    wr_state_desc d = {.logical_id = WR_STR("keys"), .record_bytes = b->record_bytes};
    must(b, ops->table_open(&b->ctx, b->b, &d, &b->keys));
    d = (wr_state_desc){
        .logical_id = WR_STR("rows"), .shape = WR_STATE_MAP, .record_bytes = 32, .parent = b->keys};
    must(b, ops->table_open(&b->ctx, b->b, &d, &b->rows));
}

static void
draw(bench *b, uint64_t first, bool random)
{
    for (uint32_t i = 0; i < BATCH; i++) {
        b->fixed[i] = random ? wr_hash_u64(++b->seed) % b->count : first + i;
        b->hash[i] = wr_hash_u64(b->fixed[i] + 1);
        b->sub[i] = b->fixed[i] * 31 + b->seed % 4;
        b->sub_hash[i] = wr_hash_u64(b->sub[i]);
    }
}

static void
aggregate(bench *b)
{
    const wr_keys k = {.n = BATCH, .hash = b->hash, .fixed = b->fixed};
    must(b, b->b->ops->resolve(&b->ctx, b->keys, &k, WR_STATE_UPSERT, b->slots, NULL));
    for (uint32_t i = 0; i < BATCH; i++) {
        record *r = (record *)(void *)wr_state_rec(b->keys, b->slots[i]);
        const uint32_t words = r->rows ? 0 : (b->record_bytes - (uint32_t)sizeof *r) / 8;
        for (uint32_t w = 0; w < words; w++) r->rest[w] = wr_hash_u64(b->fixed[i] + w);
        r->rows++;
        r->sum += b->fixed[i];
    }
}

static void
join(bench *b)
{
    const wr_keys k = {.n = BATCH, .hash = b->hash, .fixed = b->fixed};
    const wr_keys s = {.n = BATCH, .hash = b->sub_hash, .fixed = b->sub};
    must(b, b->b->ops->resolve(&b->ctx, b->keys, &k, WR_STATE_UPSERT, b->slots, NULL));
    must(b, b->b->ops->map_resolve(&b->ctx, b->rows, b->slots, &s, WR_STATE_UPSERT, b->recs, NULL));
    for (uint32_t i = 0; i < BATCH; i++) b->recs[i][0]++;
}

static int64_t
process_cpu_ns(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)) return 0;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Also told: what a row costs the task's thread and all threads of the process in the best of
 * some parts of the rounds, which is what other programs on the machine disturb least. */
static void
measure(bench *b, const char *what, uint32_t rounds, bool random, void (*work)(bench *))
{
    const int64_t start = wr_os_now_ns(), all = process_cpu_ns();
    const uint32_t part = WR_MAX(rounds / PARTS, 1u);
    double best = 0;
    for (uint32_t i = 0; i < rounds;) {
        const int64_t cpu = wr_os_thread_cpu_ns();
        const uint32_t n = WR_MIN(part, rounds - i);
        for (uint32_t k = 0; k < n; k++, i++) {
            draw(b, (uint64_t)i * BATCH, random);
            work(b);
            must(b, b->b->ops->trim(&b->ctx, b->b));
        }
        const double us = (double)(wr_os_thread_cpu_ns() - cpu) / 1e3 / n / BATCH;
        if (n == part && (best == 0 || us < best)) best = us;
    }
    const double s = (double)(wr_os_now_ns() - start) / 1e9, n = (double)rounds * BATCH;
    (void)printf(
        "  %-24s %8.0f thousand rows/s; a row: %.2f us of the thread at best, %.2f us of all\n",
        what, n / s / 1e3, best, (double)(process_cpu_ns() - all) / 1e3 / n);
}

/* The most memory that the process has had, as the system tells. */
static double
peak_mb(void)
{
    char line[128];
    double kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "VmHWM:", 6) == 0) kb = strtod(line + 6, NULL);
    if (f) (void)fclose(f);
    return kb / 1024;
}

static void
run(const wr_state_ops *ops, const wr_config *config, uint64_t count, uint32_t record_bytes,
    uint32_t rounds)
{
    bench *b = calloc(1, sizeof *b);
    if (!b) exit(1);
    b->record_bytes = record_bytes;
    open_state(b, ops, config);
    b->count = WR_MAX(count / BATCH, 1u) * BATCH;
    (void)printf("%s, %.2f M keys, records of %u bytes, %.2f GB\n", ops->name,
                 (double)b->count / 1e6, record_bytes,
                 (double)b->count * (record_bytes + KEY_BYTES) / 1e9);
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    measure(b, "fill", (uint32_t)(b->count / BATCH), false, aggregate);
    measure(b, "aggregate, any key", rounds, true, aggregate);
    measure(b, "join, any key", rounds, true, join);
    const uint64_t all = b->count;
    b->count = WR_MAX(all / 50, 1u);
    measure(b, "aggregate, 2 % of keys", rounds, true, aggregate);
    measure(b, "the same again", rounds, true, aggregate);
    (void)printf("  memory of entries        %8.0f MB, of the process %.0f MB, at most %.0f MB\n",
                 (double)wr_memtrack_used(b->budget) / 1e6, (double)wr_os_rss_bytes() / 1e6,
                 peak_mb());
    (void)fflush(stdout);
    ops->close(b->b);
    wr_memtrack_destroy(b->budget);
    free(b);
}

static uint64_t
number(int argc, char **argv, int i, uint64_t otherwise)
{
    return argc > i ? strtoull(argv[i], NULL, 10) : otherwise;
}

int
main(int argc, char **argv)
{
    const uint64_t state_mb = number(argc, argv, 1, 400);
    const uint64_t memory_mb = number(argc, argv, 2, state_mb / 10);
    const uint32_t rounds = (uint32_t)number(argc, argv, 3, 100);
    const uint32_t record_bytes = (uint32_t)number(argc, argv, 4, 80) / 8 * 8;
    const uint64_t fits_mb = number(argc, argv, 5, state_mb);
    const uint64_t entry = WR_MAX(record_bytes, (uint32_t)sizeof(record)) + KEY_BYTES;
    char managed[32];
    (void)snprintf(managed, sizeof managed, "%llu mb", (unsigned long long)memory_mb);
    wr_option items[] = {
        {WR_STR("taskmanager.memory.managed.size"), wr_str_c(managed), WR_NO_SPAN}};
    const wr_options set = {items, 1};
    const wr_config config = {&set, defs};
    run(&wr_state_rocksdb_ops, &config, (state_mb << 20) / entry, record_bytes, rounds);
    run(&wr_state_hashmap_ops, &config, (fits_mb << 20) / entry, record_bytes, rounds);
    return 0;
}
