/* SPDX-License-Identifier: Apache-2.0 */
/* links: state fs
 * Checkpoints and savepoints removed for good, and checkpoints that somebody holds while the job
 * goes on. */
#include "unit/state_ckpt_rig.h"

static wr_ctx ctx;
static const char job[] = "00112233445566778899aabbccddeeff";

typedef struct place {
    wr_arena *a;
    wr_fs *fs;
    wr_str root, dir, shared;
    wr_ckpt_store *s;
} place;

static void
reopen(place *p)
{
    wr_ckpt_store_close(p->s);
    p->s = NULL;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, p->root, wr_str_c(job), 3, NULL, &p->s));
}

static place
place_open(void)
{
    char name[WR_OS_PATH_MAX];
    static bool once;
    place p = {.a = wr_arena_create(NULL, 0), .fs = wr_fs_local()};
    wr_ctx_init(&ctx);
    if (!once) CHECK(wr_fs_register());
    once = true;
    CHECK_OK(&ctx, wr_os_temp_name(&ctx, NULL, "weir-ckpt-", name, sizeof name));
    p.root = wr_arena_str(p.a, wr_str_c(name));
    p.dir = wr_arena_printf(p.a, "%s/%s", name, job);
    p.shared = wr_arena_printf(p.a, "%s/%s/shared", name, job);
    reopen(&p);
    return p;
}

static void
place_close(place *p)
{
    wr_ckpt_store_close(p->s);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, p->fs->ops->remove(&ctx, p->fs, p->root, true));
    wr_arena_destroy(p->a);
}

/* Checkpoint `id` with a file of its own, a shared one and `old`; its shared one. */
static wr_state_file
add(place *p, uint64_t id, const wr_state_file *old)
{
    wr_state_file shared = {0};
    CHECK_OK(&ctx,
             rig_checkpoint(&ctx, p->s, id, WR_CHECKPOINT, WR_STR(""), old, p->a, &shared, NULL));
    return shared;
}

static bool
is_good(place *p, uint64_t id)
{
    wr_ckpt_meta *m;
    wr_ctx_init(&ctx);
    const bool good = wr_ckpt_load(&ctx, wr_ckpt_store_path(p->s, id, p->a), p->a, &m) == WR_OK &&
                      wr_ckpt_verify(&ctx, m) == WR_OK;
    wr_ctx_init(&ctx);
    return good;
}

TEST(a_checkpoint_goes_and_what_its_neighbours_share_stays)
{
    place p = place_open();
    wr_ckpt_disposed d;
    const wr_state_file first = add(&p, 1, NULL);
    (void)add(&p, 2, &first);
    (void)add(&p, 3, NULL);
    const wr_str path = wr_ckpt_store_path(p.s, 1, p.a);
    CHECK(wr_ckpt_dispose(&ctx, path, p.a, &d) == WR_EXISTS); /* the store is open */
    CHECK(strstr(ctx.err.message, "in use by process") != NULL);
    wr_ckpt_store_close(p.s);
    p.s = NULL;
    wr_ctx_init(&ctx);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 3);
    CHECK_OK(&ctx, wr_ckpt_dispose(&ctx, path, p.a, &d));
    CHECK_EQ_INT(d.files, 1);
    CHECK_EQ_INT(d.bytes, 1000);
    CHECK_EQ_INT(d.shared, 1);
    CHECK_EQ_INT(d.meta->id, 1);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 3);
    reopen(&p);
    CHECK(!is_good(&p, 1) && is_good(&p, 2) && is_good(&p, 3));
    wr_ckpt_store_close(p.s);
    p.s = NULL;
    const wr_str meta = wr_arena_printf(p.a, "%s/chk-2/_metadata", p.dir.ptr);
    CHECK_OK(&ctx, wr_ckpt_dispose(&ctx, meta, p.a, &d)); /* the last one that names both */
    CHECK_EQ_INT(d.files, 3);
    CHECK_EQ_INT(d.bytes, 1000 + 2 * 70000);
    CHECK_EQ_INT(d.shared, 0);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 1);
    reopen(&p);
    CHECK(is_good(&p, 3));
    place_close(&p);
}

TEST(a_savepoint_goes_with_its_folder)
{
    place p = place_open();
    wr_ckpt_disposed d;
    wr_file_info info;
    bool exists = true;
    wr_file *f = NULL;
    const wr_str dir = wr_arena_printf(p.a, "%s/saved", p.root.ptr);
    wr_str path, other;
    CHECK_OK(&ctx, rig_checkpoint(&ctx, p.s, 1, WR_SAVEPOINT_NATIVE, dir, NULL, p.a, NULL, &path));
    CHECK_OK(&ctx, wr_ckpt_dispose(&ctx, path, p.a, &d)); /* no job holds a savepoint */
    CHECK_EQ_INT(d.files, 2);
    CHECK_EQ_INT(d.bytes, 71000);
    CHECK_EQ_INT(d.others, 0);
    CHECK_OK(&ctx, p.fs->ops->stat(&ctx, p.fs, path, p.a, &info, &exists));
    CHECK(!exists);
    CHECK_OK(&ctx, rig_checkpoint(&ctx, p.s, 2, WR_SAVEPOINT_NATIVE, dir, NULL, p.a, NULL, &path));
    other = wr_arena_printf(p.a, "%.*s/notes", WR_STR_ARG(path));
    CHECK_OK(&ctx, p.fs->ops->create(&ctx, p.fs, other, &f));
    CHECK_OK(&ctx, f->ops->close(&ctx, f));
    CHECK_OK(&ctx, wr_ckpt_dispose(&ctx, path, p.a, &d));
    CHECK_EQ_INT(d.others, 1);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, path, p.a), 1);
    CHECK(wr_ckpt_dispose(&ctx, path, p.a, &d) == WR_IO); /* it is none any more */
    wr_ctx_init(&ctx);
    place_close(&p);
}

TEST(a_claimed_one_is_refused)
{
    place p = place_open();
    wr_ckpt_disposed d;
    wr_ckpt_meta *m = NULL;
    wr_ckpt_store *other = NULL;
    (void)add(&p, 1, NULL);
    const wr_str path = wr_ckpt_store_path(p.s, 1, p.a);
    wr_ckpt_store_close(p.s);
    p.s = NULL;
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, path, p.a, &m));
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, p.root, WR_STR("other"), 2, NULL, &other));
    CHECK_OK(&ctx, wr_ckpt_store_claim(&ctx, other, m));
    wr_ckpt_store_close(other);
    CHECK(wr_ckpt_dispose(&ctx, path, p.a, &d) == WR_EXISTS);
    CHECK(strstr(ctx.err.message, "job 'other' has claimed") != NULL);
    reopen(&p);
    CHECK(is_good(&p, 1));
    place_close(&p);
}

TEST(an_unreadable_neighbour_is_named)
{
    place p = place_open();
    wr_ckpt_disposed d;
    wr_file *f = NULL;
    (void)add(&p, 1, NULL);
    (void)add(&p, 2, NULL);
    const wr_str path = wr_ckpt_store_path(p.s, 1, p.a);
    const wr_str meta = wr_arena_printf(p.a, "%s/chk-2/_metadata", p.dir.ptr);
    wr_ckpt_store_close(p.s);
    p.s = NULL;
    CHECK_OK(&ctx, p.fs->ops->remove(&ctx, p.fs, meta, false));
    CHECK_OK(&ctx, p.fs->ops->create(&ctx, p.fs, meta, &f));
    CHECK_OK(&ctx, f->ops->append(&ctx, f, "garbage", 7));
    CHECK_OK(&ctx, f->ops->close(&ctx, f));
    CHECK(wr_ckpt_dispose(&ctx, path, p.a, &d) == WR_CORRUPT);
    CHECK(strstr(ctx.err.message, "chk-2") != NULL);
    reopen(&p);
    CHECK(is_good(&p, 1));
    place_close(&p);
}

TEST(what_is_held_stays_until_it_is_let_go)
{
    place p = place_open(); /* keeps three */
    (void)add(&p, 1, NULL);
    CHECK(wr_ckpt_store_hold(p.s, 1));
    CHECK(wr_ckpt_store_hold(p.s, 1));
    CHECK(!wr_ckpt_store_hold(p.s, 9));
    for (uint64_t id = 2; id <= 5; id++) (void)add(&p, id, NULL);
    CHECK(is_good(&p, 1) && !is_good(&p, 2) && is_good(&p, 3));
    wr_ckpt_store_release(p.s, 1);
    (void)add(&p, 6, NULL);
    CHECK(is_good(&p, 1) && !is_good(&p, 3));
    wr_ckpt_store_release(p.s, 1);
    (void)add(&p, 7, NULL);
    CHECK(!is_good(&p, 1) && is_good(&p, 5) && !wr_ckpt_store_hold(p.s, 1));
    place_close(&p);
}

CHECK_MAIN()
