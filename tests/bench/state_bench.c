/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of the memory backend alone: how long a barrier stops the task, what a change costs
 * with and without a snapshot being written, how fast snapshots are written and restored, and how
 * big incremental ones are. Files lie in build/bench and are removed.
 *
 *     state_bench [GB of state, default 1] [value|map|ordered] [barrier|restore|savepoint:
 *     nothing else]
 *
 * Speeds are by bytes of state in memory, times those of the thread's processor ("cpu") where
 * waiting for the disk or for other programs would blur them. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "os/os.h"
#include "state/state.h"

#define P      128u
#define BATCH  2048u
#define FILES  512u
#define ROUNDS 100u

typedef struct scratch_file {
    wr_file base;
    wr_os_file os;
} scratch_file;

typedef struct disk {
    wr_state_writer writer;
    wr_state_reader reader;
    FILE *file;
    uint32_t count, removed; /* files made so far, and of them those that are gone again */
    uint64_t bytes;
    scratch_file scratch_out, scratch_in;
} disk;

static void
path_of(uint32_t number, char *out, size_t cap)
{
    (void)snprintf(out, cap, "build/bench/state-%u", number);
}

static wr_status
create(wr_ctx *ctx, wr_state_writer *w, bool shared)
{
    disk *d = (disk *)(void *)w;
    char path[64];
    (void)shared;
    path_of(++d->count, path, sizeof path);
    d->file = fopen(path, "wb");
    d->bytes = 0;
    return d->file ? WR_OK : wr_raise(ctx, WR_IO, "cannot write '%s'", path);
}

static wr_status
append(wr_ctx *ctx, wr_state_writer *w, const void *p, size_t len)
{
    disk *d = (disk *)(void *)w;
    d->bytes += len;
    return fwrite(p, 1, len, d->file) == len ? WR_OK : wr_raise(ctx, WR_IO, "cannot write");
}

static wr_status
close_file(wr_ctx *ctx, wr_state_writer *w, wr_state_file *out)
{
    disk *d = (disk *)(void *)w;
    char path[64];
    path_of(d->count, path, sizeof path);
    *out = (wr_state_file){.name = wr_arena_str(w->arena, wr_str_c(path)), .bytes = d->bytes};
    return fclose(d->file) == 0 ? WR_OK : wr_raise(ctx, WR_IO, "cannot close");
}

static wr_status
scratch_append(wr_ctx *ctx, wr_file *f, const void *p, size_t len)
{
    return wr_os_file_write(ctx, &((scratch_file *)(void *)f)->os, p, len);
}

static wr_status
scratch_read(wr_ctx *ctx, wr_file *f, uint64_t off, void *buf, size_t len, size_t *got)
{
    return wr_os_file_read_at(ctx, &((scratch_file *)(void *)f)->os, off, buf, len, got);
}

static wr_status
scratch_close(wr_ctx *ctx, wr_file *f)
{
    (void)ctx;
    wr_os_file_close(&((scratch_file *)(void *)f)->os);
    return WR_OK;
}

static const wr_fs_ops scratch_ops = {
    .append = scratch_append, .read_at = scratch_read, .close = scratch_close};

static wr_status
scratch(wr_ctx *ctx, wr_state_writer *w, wr_file **out, wr_file **in)
{
    disk *d = (disk *)(void *)w;
    const char *path = "build/bench/state-scratch";
    d->scratch_out.base.ops = d->scratch_in.base.ops = &scratch_ops;
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_WRITE, &d->scratch_out.os));
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_READ, &d->scratch_in.os));
    *out = &d->scratch_out.base;
    *in = &d->scratch_in.base;
    return wr_os_remove(ctx, path);
}

typedef struct mapped {
    wr_file base;
    const char *data;
    size_t len;
} mapped;

static wr_status
map_file(wr_ctx *ctx, wr_file *f, const char **data, size_t *len)
{
    const mapped *m = (mapped *)(void *)f;
    (void)ctx;
    *data = m->data;
    *len = m->len;
    return WR_OK;
}

static wr_status
unmap_file(wr_ctx *ctx, wr_file *f)
{
    const mapped *m = (mapped *)(void *)f;
    (void)ctx;
    (void)munmap((void *)(uintptr_t)m->data, m->len);
    return WR_OK;
}

static const wr_fs_ops file_ops = {.map = map_file, .close = unmap_file};

static wr_status
open_file(wr_ctx *ctx, wr_state_reader *r, const wr_state_file *file, wr_file **out)
{
    mapped *m = WR_NEW(r->arena, mapped);
    char path[64];
    (void)snprintf(path, sizeof path, "%.*s", WR_STR_ARG(file->name));
    FILE *f = fopen(path, "rb");
    if (!m || !f) return wr_raise(ctx, WR_IO, "cannot read '%s'", path);
    m->len = file->bytes;
    m->data = mmap(NULL, m->len, PROT_READ, MAP_PRIVATE, fileno(f), 0);
    (void)fclose(f);
    if (m->data == MAP_FAILED) return wr_raise(ctx, WR_IO, "cannot map '%s'", path);
    m->base.ops = &file_ops;
    *out = &m->base;
    return WR_OK;
}

/* ---- the state ------------------------------------------------------------------------------- */

typedef struct bench {
    wr_ctx ctx;
    wr_memtrack *budget;
    wr_arena *arena;
    disk *disk;
    wr_state_shape shape;
    wr_state_backend *b;
    wr_state_table *keys, *child;
    uint64_t seed, count; /* entries made */
} bench;

typedef struct record {
    uint64_t rows, sum, lo, hi;
    wr_blob text; /* children only */
} record;

static void
must(const bench *b, wr_status status)
{
    if (status == WR_OK) return;
    (void)fprintf(stderr, "state_bench: %s\n", b->ctx.err.message);
    exit(1);
}

static void
open_state(bench *b)
{
    must(b, wr_state_hashmap_ops.open(&b->ctx, NULL, b->budget, 0, P - 1, P, &b->b));
    wr_state_desc d = {.logical_id = WR_STR("keys"), .record_bytes = 32};
    must(b, b->b->ops->table_open(&b->ctx, b->b, &d, &b->keys));
    d = (wr_state_desc){.logical_id = WR_STR("child"),
                        .shape = b->shape,
                        .record_bytes = sizeof(record),
                        .parent = b->keys};
    if (b->shape != WR_STATE_VALUE) must(b, b->b->ops->table_open(&b->ctx, b->b, &d, &b->child));
}

/* A batch of keys; children: 32 per key. */
static void
make_keys(const bench *b, const uint64_t *number, wr_keys *k, uint64_t *hash, uint64_t *fixed)
{
    for (uint32_t i = 0; i < BATCH; i++) {
        fixed[i] = b->shape == WR_STATE_VALUE ? number[i] : number[i] / 32;
        hash[i] = wr_hash_u64(fixed[i] + 1);
    }
    *k = (wr_keys){.n = BATCH, .hash = hash, .fixed = fixed};
}

static void
put_child(bench *b, uint32_t slot, uint64_t number, uint8_t *rec)
{
    char text[40];
    if (b->shape == WR_STATE_ORDERED) {
        const uint64_t key = __builtin_bswap64(number);
        must(b, b->b->ops->ord_put(&b->ctx, b->child, slot, (const uint8_t *)&key, 8, &rec, NULL));
    }
    record *r = (record *)(void *)rec;
    r->rows++;
    r->sum += number;
    memset(text, (int)('a' + number % 26), sizeof text);
    must(b, b->b->ops->blob_set(&b->ctx, b->child, &r->text, text, sizeof text));
}

static void
upsert(bench *b, const uint64_t *number)
{
    static uint64_t hash[BATCH], fixed[BATCH], sub_hash[BATCH];
    static uint32_t slots[BATCH];
    static uint8_t *recs[BATCH];
    wr_keys k;
    make_keys(b, number, &k, hash, fixed);
    must(b, b->b->ops->resolve(&b->ctx, b->keys, &k, WR_STATE_UPSERT, slots, NULL));
    for (uint32_t i = 0; i < BATCH; i++) {
        record *r = (record *)(void *)wr_state_rec(b->keys, slots[i]);
        r->rows++;
        r->sum += number[i];
    }
    if (b->shape == WR_STATE_MAP) {
        for (uint32_t i = 0; i < BATCH; i++) sub_hash[i] = wr_hash_u64(number[i]);
        const wr_keys sub = {.n = BATCH, .hash = sub_hash, .fixed = number};
        must(b,
             b->b->ops->map_resolve(&b->ctx, b->child, slots, &sub, WR_STATE_UPSERT, recs, NULL));
    }
    for (uint32_t i = 0; i < BATCH && b->child; i++) put_child(b, slots[i], number[i], recs[i]);
}

/* More state until it has so many bytes. */
static void
grow(bench *b, uint64_t bytes)
{
    uint64_t number[BATCH];
    while (b->b->ops->bytes(b->b) < bytes) {
        for (uint32_t i = 0; i < BATCH; i++) number[i] = b->count++;
        upsert(b, number);
    }
}

/* Change `n` entries, at random. */
static void
change(bench *b, uint64_t n)
{
    uint64_t number[BATCH];
    for (uint64_t done = 0; done < n; done += BATCH) {
        for (uint32_t i = 0; i < BATCH; i++) {
            b->seed += 0x9e3779b97f4a7c15ull;
            number[i] = wr_hash_u64(b->seed) % b->count;
        }
        upsert(b, number);
    }
}

/* ---- measuring ------------------------------------------------------------------------------- */

typedef struct job { /* of the writer's thread */
    bench *b;
    wr_state_snapshot *s;
    wr_state_handle h;
    double seconds, cpu;
    uint32_t over;
    int64_t first_wall, first_cpu; /* ns of the task's first batch behind the barrier */
} job;

static double
seconds_since(int64_t start_ns)
{
    return (double)(wr_os_now_ns() - start_ns) / 1e9;
}

static double
cpu_since(int64_t start_ns)
{
    return (double)(wr_os_thread_cpu_ns() - start_ns) / 1e9;
}

static void
write_snapshot(void *arg)
{
    job *j = arg;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    const int64_t start = wr_os_now_ns(), cpu = wr_os_thread_cpu_ns();
    const wr_status status = j->b->b->ops->snapshot_write(&ctx, j->s, &j->b->disk->writer, &j->h);
    if (status != WR_OK) (void)fprintf(stderr, "state_bench: %s\n", ctx.err.message);
    j->seconds = seconds_since(start);
    j->cpu = cpu_since(cpu);
    wr_os_store(&j->over, 1u);
}

/* Freeze, write on another thread while the task changes entries (if it does), release. Returns how
 * long the barrier took. *changed: entries that the task changed meanwhile. */
static int64_t
snapshot(bench *b, wr_snapshot_kind kind, bool busy, job *j, uint64_t *changed)
{
    static uint64_t id;
    *j = (job){.b = b};
    *changed = 0;
    const int64_t start = wr_os_now_ns();
    must(b, b->b->ops->snapshot(&b->ctx, b->b, ++id, kind, &j->s));
    const int64_t stall = wr_os_now_ns() - start;
    wr_os_thread thread;
    must(b, wr_os_thread_start(&b->ctx, &thread, "writer", write_snapshot, j));
    for (; busy && (!wr_os_load(&j->over) || !*changed); *changed += BATCH) {
        const int64_t wall = wr_os_now_ns(), cpu = wr_os_thread_cpu_ns();
        change(b, BATCH);
        if (*changed) continue;
        j->first_wall = wr_os_now_ns() - wall;
        j->first_cpu = wr_os_thread_cpu_ns() - cpu;
    }
    wr_os_thread_join(&thread);
    b->b->ops->snapshot_release(j->s, true);
    return stall;
}

static int
by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void
tell_times(const char *what, int64_t *ns)
{
    qsort(ns, ROUNDS, sizeof *ns, by_size);
    (void)printf("  %-24s p50 %6.1f us   p90 %6.1f us   p99 %6.1f us\n", what,
                 (double)ns[ROUNDS / 2] / 1e3, (double)ns[ROUNDS * 9 / 10] / 1e3,
                 (double)ns[ROUNDS * 99 / 100] / 1e3);
}

/* The first batch behind a barrier finds every page unturned and saves what the snapshot awaits,
 * while the writer is at work; another one, when all that is over, is what it would be without. */
static void
measure_stall(bench *b)
{
    static int64_t stalls[ROUNDS], wall[ROUNDS], cpu[ROUNDS], other_wall[ROUNDS], other_cpu[ROUNDS];
    job j;
    uint64_t changed;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        change(b, 20000);
        stalls[i] = snapshot(b, WR_SNAPSHOT_INCREMENTAL, true, &j, &changed);
        wall[i] = j.first_wall;
        cpu[i] = j.first_cpu;
        const int64_t start = wr_os_now_ns(), start_cpu = wr_os_thread_cpu_ns();
        change(b, BATCH);
        other_wall[i] = wr_os_now_ns() - start;
        other_cpu[i] = wr_os_thread_cpu_ns() - start_cpu;
    }
    tell_times("barrier", stalls);
    tell_times("first batch behind it", wall);
    tell_times("  its processor time", cpu);
    tell_times("another batch", other_wall);
    tell_times("  its processor time", other_cpu);
}

static void
measure_writing(bench *b)
{
    const double mb = (double)b->b->ops->bytes(b->b) / 1e6;
    job j;
    uint64_t changed;
    int64_t cpu = wr_os_thread_cpu_ns();
    change(b, 1000000);
    (void)printf("  changes          %.2f M/s (cpu) without a snapshot\n", 1.0 / cpu_since(cpu));
    (void)snapshot(b, WR_SNAPSHOT_FULL, false, &j, &changed);
    (void)printf("  full             %.0f MB in %.2f s, cpu %.2f s: %.0f MB/s of state (cpu)\n",
                 (double)j.h.bytes_written / 1e6, j.seconds, j.cpu, mb / j.cpu);
    cpu = wr_os_thread_cpu_ns();
    (void)snapshot(b, WR_SNAPSHOT_FULL, true, &j, &changed);
    (void)printf("  full, task busy  in %.2f s, cpu %.2f s; changes %.2f M/s (cpu) meanwhile\n",
                 j.seconds, j.cpu, (double)changed / 1e6 / cpu_since(cpu));
    (void)snapshot(b, WR_SNAPSHOT_INCREMENTAL, false, &j, &changed);
    for (uint64_t part = 1000; part >= 10; part /= 10) {
        change(b, b->count / part);
        (void)snapshot(b, WR_SNAPSHOT_INCREMENTAL, false, &j, &changed);
        (void)printf("  incremental      %.1f %% changed: %.1f MB in %.2f s\n",
                     100.0 / (double)part, (double)j.h.bytes_written / 1e6, j.seconds);
    }
}

/* Memory: what the budget's high-water mark shows above the state, which has only grown so far. */
static void
measure_savepoint(bench *b)
{
    const double mb = (double)b->b->ops->bytes(b->b) / 1e6;
    const size_t peak = wr_memtrack_peak(b->budget), used = wr_memtrack_used(b->budget);
    job j;
    uint64_t changed;
    (void)snapshot(b, WR_SNAPSHOT_CANONICAL, false, &j, &changed);
    (void)printf("  canonical        %.0f MB in %.2f s, cpu %.2f s: %.0f MB/s of state (cpu), "
                 "with %.0f MB of memory at most\n",
                 (double)j.h.bytes_written / 1e6, j.seconds, j.cpu, mb / j.cpu,
                 (double)(WR_MAX(peak, wr_memtrack_peak(b->budget)) - used) / 1e6);
}

static void
restore(const bench *b, const job *j, const char *name)
{
    const double gb = (double)b->b->ops->bytes(b->b) / 1e9;
    bench back = *b;
    back.budget = wr_memtrack_create(NULL, "back", 0);
    open_state(&back);
    const wr_state_handle *list = &j->h;
    const int64_t start = wr_os_now_ns(), cpu = wr_os_thread_cpu_ns();
    must(&back, back.b->ops->restore(&back.ctx, back.b, &list, 1, &b->disk->reader, false));
    const double s = seconds_since(start), c = cpu_since(cpu);
    if (name)
        (void)printf("  restore %-9s%.2f GB in %.2f s, cpu %.2f s: %.2f s/GB (cpu)\n", name, gb, s,
                     c, c / gb);
    if (back.b->ops->count(back.keys) != b->b->ops->count(b->keys)) exit(1);
    back.b->ops->close(back.b);
    wr_memtrack_destroy(back.budget);
}

/* Twice: the first time pays for memory that the machine has not touched yet, and is not told. */
static void
measure_restore(bench *b, wr_snapshot_kind kind, const char *name)
{
    job j;
    uint64_t changed;
    (void)snapshot(b, kind, false, &j, &changed);
    restore(b, &j, NULL);
    restore(b, &j, name);
}

/* Nobody reads the files of a measurement behind it, and all of them together are tens of GB. */
static void
remove_files(disk *d)
{
    while (d->removed < d->count) {
        char path[64];
        path_of(++d->removed, path, sizeof path);
        (void)remove(path);
    }
}

static void
run(wr_state_shape shape, const char *name, double gb, const char *only)
{
    const bool writing = !only, barriers = !only || strcmp(only, "barrier") == 0;
    const bool restoring = !only || strcmp(only, "restore") == 0;
    const bool savepoint = !only || strcmp(only, "savepoint") == 0;
    static disk d;
    bench b = {.shape = shape, .disk = &d};
    wr_ctx_init(&b.ctx);
    b.budget = wr_memtrack_create(NULL, "bench", 0);
    b.arena = wr_arena_create(b.budget, 0);
    d.count = 0;
    d.writer = (wr_state_writer){.arena = b.arena,
                                 .create = create,
                                 .append = append,
                                 .close = close_file,
                                 .scratch = scratch};
    d.reader = (wr_state_reader){.arena = b.arena, .open = open_file};
    open_state(&b);
    const int64_t start = wr_os_now_ns();
    grow(&b, (uint64_t)(gb * 1e9));
    (void)printf("%s: %.1f M entries, %.2f GB, made in %.1f s\n", name, (double)b.count / 1e6,
                 (double)b.b->ops->bytes(b.b) / 1e9, seconds_since(start));
    if (savepoint) measure_savepoint(&b);
    remove_files(&d);
    if (writing) measure_writing(&b);
    remove_files(&d);
    if (barriers) measure_stall(&b);
    remove_files(&d);
    if (restoring) measure_restore(&b, WR_SNAPSHOT_FULL, "log");
    remove_files(&d);
    if (restoring) measure_restore(&b, WR_SNAPSHOT_CANONICAL, "canonical");
    (void)fflush(stdout);
    b.b->ops->close(b.b);
    wr_arena_destroy(b.arena);
    wr_memtrack_destroy(b.budget);
    remove_files(&d);
}

int
main(int argc, char **argv)
{
    static const char *const names[] = {"value", "map", "ordered"};
    const double gb = argc > 1 ? strtod(argv[1], NULL) : 1;
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (argc < 3 || strcmp(argv[2], names[i]) == 0)
            run((wr_state_shape)i, names[i], gb, argc < 4 ? NULL : argv[3]);
    return 0;
}
