/* SPDX-License-Identifier: Apache-2.0 */
/* links: state fs
 * A life of a job's checkpoints (publish, incremental, retention, savepoint, claim) in which the
 * n-th call of the file system fails, for every n: alone, torn, with unsynced writes lost, or with
 * everything after it, as when the machine dies. Whatever happens, what was published last is the
 * newest that is found, everything found loads and verifies, and opening again leaves no other
 * file. */
#include "unit/state_ckpt_rig.h"

static wr_ctx ctx;
static const wr_str job = {"00112233445566778899aabbccddeeff", 32};

typedef struct world {
    wr_fs *memory, *fault;
    wr_arena *a;
    wr_str root, saves, dir, shared;
} world;

static world
world_open(uint32_t n)
{
    static wr_fs *memory, *fault;
    world w = {.a = wr_arena_create(NULL, 0)};
    if (!fault) {
        memory = wr_fs_memory_create(NULL);
        fault = wr_fs_fault_create(memory);
        CHECK(wr_register_fs(fault));
    }
    w.memory = memory;
    w.fault = fault;
    w.root = wr_arena_printf(w.a, "memory:/%u", n);
    w.saves = wr_arena_printf(w.a, "memory:/%u-saves", n);
    w.dir = wr_arena_printf(w.a, "%s/%s", w.root.ptr, job.ptr);
    w.shared = wr_arena_printf(w.a, "%s/shared", w.dir.ptr);
    wr_ctx_init(&ctx);
    return w;
}

static void
world_close(world *w)
{
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, w->memory->ops->remove(&ctx, w->memory, w->root, true));
    CHECK_OK(&ctx, w->memory->ops->remove(&ctx, w->memory, w->saves, true));
    wr_arena_destroy(w->a);
}

/* A checkpoint; true: it was published. */
static bool
take(world *w, wr_ckpt_store *s, uint64_t id, const wr_state_file *old, wr_state_file *shared)
{
    wr_ctx_init(&ctx);
    return rig_checkpoint(&ctx, s, id, WR_CHECKPOINT, WR_STR(""), old, w->a, shared, NULL) == WR_OK;
}

typedef struct outcome {
    uint64_t newest; /* published */
    wr_str savepoint;
} outcome;

/* What is faulted. Checkpoint 1 is there already and holds `base`. */
static void
live(world *w, const wr_state_file *base, outcome *o)
{
    wr_ckpt_store *s;
    wr_state_file second, none = {0};
    wr_ctx_init(&ctx);
    if (wr_ckpt_store_open(&ctx, w->root, job, 2, NULL, &s) != WR_OK) return;
    const bool ok = take(w, s, 2, base, &second);
    if (ok) o->newest = 2;
    if (take(w, s, 3, ok ? &second : base, &none)) o->newest = 3;
    wr_ctx_init(&ctx);
    wr_str path;
    if (rig_checkpoint(&ctx, s, 4, WR_SAVEPOINT_NATIVE, w->saves, NULL, w->a, NULL, &path) == WR_OK)
        o->savepoint = path;
    if (take(w, s, 5, NULL, NULL)) o->newest = 5;
    if (take(w, s, 6, NULL, NULL)) o->newest = 6;
    wr_ckpt_store_close(s);
}

static void
check_good(world *w, wr_str path, const char *what)
{
    wr_ckpt_meta *m = NULL;
    CHECK_MSG(wr_ckpt_load(&ctx, path, w->a, &m) == WR_OK, "%s: %s", what, ctx.err.message);
    CHECK_MSG(!m || wr_ckpt_verify(&ctx, m) == WR_OK, "%s: %s", what, ctx.err.message);
    wr_ctx_init(&ctx);
}

/* Files that the checkpoints in the list name, each once. */
static uint32_t
count_named(world *w, wr_ckpt_store *s, const uint64_t *ids, uint32_t n)
{
    wr_str seen[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        wr_ckpt_meta *m = NULL;
        CHECK_OK(&ctx, wr_ckpt_load(&ctx, wr_ckpt_store_path(s, ids[i], w->a), w->a, &m));
        const wr_state_handle *h = m->operators[0].subtasks[1].keyed;
        for (uint32_t k = 0; k < h->file_count; k++) {
            bool known = false;
            for (uint32_t j = 0; j < count; j++) known |= wr_str_eq(seen[j], h->files[k].name);
            if (!known && count < 16) seen[count++] = h->files[k].name;
        }
    }
    return count;
}

static void
check_after(world *w, const outcome *o, const char *what)
{
    wr_ckpt_store *s = NULL;
    uint64_t *ids = NULL;
    uint32_t n = 0;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, w->root, job, 2, NULL, &s));
    if (!s) return;
    CHECK_OK(&ctx, wr_ckpt_store_list(&ctx, s, w->a, &ids, &n));
    CHECK_MSG(n > 0 && ids[0] == o->newest, "%s: newest %llu of %u, want %llu", what,
              (unsigned long long)(n ? ids[0] : 0), n, (unsigned long long)o->newest);
    for (uint32_t i = 0; i < n; i++) check_good(w, wr_ckpt_store_path(s, ids[i], w->a), what);
    const uint32_t want = n + count_named(w, s, ids, n) + 1; /* the lock */
    const uint32_t got = rig_count_files(&ctx, w->memory, w->dir, w->a);
    CHECK_MSG(got == want, "%s: %u files, want %u", what, got, want);
    if (o->savepoint.len) check_good(w, o->savepoint, what);
    /* And life goes on. */
    CHECK_MSG(take(w, s, 100, NULL, NULL), "%s: %s", what, ctx.err.message);
    wr_ckpt_store_close(s);
}

/* One call that failed leaves nothing: who closes the store tries again what could not be removed.
 */
static void
check_closed(world *w, const char *what)
{
    wr_file_info *files = NULL;
    uint32_t n = 0, folders = 0;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, w->memory->ops->list(&ctx, w->memory, w->dir, false, w->a, &files, &n));
    for (uint32_t i = 0; i < n; i++)
        folders += files[i].is_dir && strstr(files[i].path.ptr, "/chk-") != NULL;
    CHECK_MSG(folders == 2, "%s: %u folders of checkpoints", what, folders);
    const uint32_t before = rig_count_files(&ctx, w->memory, w->dir, w->a);
    wr_ckpt_store *s = NULL;
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, w->root, job, 2, NULL, &s));
    wr_ckpt_store_close(s);
    const uint32_t after = rig_count_files(&ctx, w->memory, w->dir, w->a);
    CHECK_MSG(before == after, "%s: %u files left behind", what, before - after);
}

static bool
one_life(uint32_t n, wr_fs_fault how, const char *how_name)
{
    world w = world_open(n);
    wr_ckpt_store *s = NULL;
    wr_state_file base = {0};
    outcome o = {.newest = 1};
    char what[64];
    (void)snprintf(what, sizeof what, "call %u, %s", n, how_name);
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, w.root, job, 2, NULL, &s));
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), NULL, w.a, &base, NULL));
    wr_ckpt_store_close(s);
    wr_fs_fault_after(w.fault, n, how);
    live(&w, &base, &o);
    const bool hit = wr_fs_fault_hit(w.fault);
    wr_fs_fault_after(w.fault, 0, WR_FS_FAULT_ERROR);
    if (!hit) CHECK_EQ_INT(o.newest, 6);
    if (how == WR_FS_FAULT_ERROR && o.newest == 6) check_closed(&w, what);
    check_after(&w, &o, what);
    world_close(&w);
    return hit;
}

static void
all_lives(wr_fs_fault how, const char *name)
{
    uint32_t n = 1;
    while (check_failures < 20 && one_life(n, how, name)) n++;
    CHECK_MSG(n > 100, "only %u calls", n); /* it does what it says */
}

TEST(a_call_fails)
{
    all_lives(WR_FS_FAULT_ERROR, "error");
}
TEST(a_write_is_torn)
{
    all_lives(WR_FS_FAULT_TORN, "torn");
}
TEST(unsynced_writes_are_lost)
{
    all_lives(WR_FS_FAULT_UNSYNCED, "unsynced");
}
TEST(the_machine_dies)
{
    all_lives(WR_FS_FAULT_DEAD, "dead");
}

/* Claiming, with faults: afterwards either the claim is known or it is not, and the checkpoint that
 * was to be claimed is whole until one of ours has been published in its stead. */
static bool
one_claim(uint32_t n, wr_fs_fault how)
{
    world w = world_open(n);
    wr_ckpt_store *s = NULL;
    wr_state_file taken = {0};
    wr_ckpt_meta *m = NULL;
    bool published = false;
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, w.root, WR_STR("other"), 1, NULL, &s));
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), NULL, w.a, &taken, NULL));
    const wr_str origin = wr_ckpt_store_path(s, 1, w.a);
    wr_ckpt_store_close(s);
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, origin, w.a, &m));
    wr_fs_fault_after(w.fault, n, how);
    if (wr_ckpt_store_open(&ctx, w.root, job, 1, NULL, &s) == WR_OK) {
        if (wr_ckpt_store_claim(&ctx, s, m) == WR_OK) published = take(&w, s, 2, &taken, NULL);
        wr_ckpt_store_close(s);
    }
    const bool hit = wr_fs_fault_hit(w.fault);
    wr_fs_fault_after(w.fault, 0, WR_FS_FAULT_ERROR);
    wr_ctx_init(&ctx);
    if (!published) check_good(&w, origin, "claim");
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, w.root, job, 1, NULL, &s));
    if (published) check_good(&w, wr_ckpt_store_path(s, 2, w.a), "ours");
    if (!published) CHECK_OK(&ctx, wr_ckpt_store_claim(&ctx, s, m));
    CHECK_MSG(take(&w, s, 3, published ? NULL : &taken, NULL), "after call %u", n);
    check_good(&w, wr_ckpt_store_path(s, 3, w.a), "ours");
    wr_ckpt_store_close(s);
    const wr_str other = wr_arena_printf(w.a, "%s/other", w.root.ptr);
    CHECK_MSG(rig_count_files(&ctx, w.memory, other, w.a) <= 1, "after call %u", n); /* its lock */
    world_close(&w);
    return hit;
}

TEST(claims_survive_faults)
{
    for (wr_fs_fault how = WR_FS_FAULT_ERROR; how <= WR_FS_FAULT_DEAD; how++) {
        uint32_t n = 1;
        while (check_failures < 20 && one_claim(n, how)) n++;
        CHECK_MSG(n > 40, "only %u calls", n);
    }
}

CHECK_MAIN()
