/* SPDX-License-Identifier: Apache-2.0 */
/* links: state fs
 * The store of one job's checkpoints on local files: publishing, retention, shared files, the lock,
 * leftovers, savepoints that move, claims. */
#include "unit/state_ckpt_rig.h"

static wr_ctx ctx;
static const char job[] = "00112233445566778899aabbccddeeff";

typedef struct place {
    wr_arena *a;
    wr_fs *fs;
    wr_str root, dir, shared;
} place;

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
    return p;
}

static void
place_close(place *p)
{
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, p->fs->ops->remove(&ctx, p->fs, p->root, true));
    wr_arena_destroy(p->a);
}

static wr_ckpt_store *
store_open(place *p, uint32_t retain)
{
    wr_ckpt_store *s = NULL;
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, p->root, wr_str_c(job), retain, NULL, &s));
    return s;
}

static void
check_ids(wr_ckpt_store *s, wr_arena *a, const char *want)
{
    uint64_t *ids;
    uint32_t n;
    wr_text t;
    wr_text_init(&t, a);
    CHECK_OK(&ctx, wr_ckpt_store_list(&ctx, s, a, &ids, &n));
    for (uint32_t i = 0; i < n; i++) wr_text_printf(&t, "%llu ", (unsigned long long)ids[i]);
    CHECK_EQ_WRSTR(wr_text_str(&t), want);
}

static void
check_good(wr_str path, wr_arena *a)
{
    wr_ckpt_meta *m = NULL;
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, path, a, &m));
    if (m) CHECK_OK(&ctx, wr_ckpt_verify(&ctx, m));
    wr_ctx_init(&ctx);
}

TEST(published_loads_and_older_ones_go)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 2);
    wr_state_file first, second;
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), NULL, p.a, &first, NULL));
    CHECK_OK(&ctx,
             rig_checkpoint(&ctx, s, 2, WR_CHECKPOINT, WR_STR(""), &first, p.a, &second, NULL));
    check_ids(s, p.a, "2 1 ");
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 2);
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 3, WR_CHECKPOINT, WR_STR(""), &first, p.a, NULL, NULL));
    check_ids(s, p.a, "3 2 ");
    /* The first one's shared file lives on in the second and the third. */
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 3);
    check_good(wr_ckpt_store_path(s, 2, p.a), p.a);
    check_good(wr_ckpt_store_path(s, 3, p.a), p.a);
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 4, WR_CHECKPOINT, WR_STR(""), NULL, p.a, NULL, NULL));
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 5, WR_CHECKPOINT, WR_STR(""), NULL, p.a, NULL, NULL));
    /* Two checkpoints of _metadata and one file each, two shared files, the lock. */
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.dir, p.a), 2 * 2 + 2 + 1);
    CHECK(rig_checkpoint(&ctx, s, 5, WR_CHECKPOINT, WR_STR(""), NULL, p.a, NULL, NULL) ==
          WR_EXISTS);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_ckpt_store_remove_all(&ctx, s));
    wr_ckpt_store_close(s);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.root, p.a), 0);
    place_close(&p);
}

TEST(what_was_written_is_read)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 1);
    wr_ckpt_meta *m = NULL;
    wr_state_reader *r = NULL;
    wr_file *file = NULL;
    char buf[8];
    size_t got = 0;
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), NULL, p.a, NULL, NULL));
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, wr_ckpt_store_path(s, 1, p.a), p.a, &m));
    CHECK_OK(&ctx, wr_ckpt_reader(&ctx, m, p.a, &r));
    const wr_state_handle *h = m->operators[0].subtasks[1].keyed;
    CHECK_EQ_INT(wr_ckpt_bytes(m), 71000 + 3); /* files, items of lists */
    for (int i = 0; i < 2; i++) {
        CHECK_EQ_INT(h->files[i].shared, i);
        CHECK_OK(&ctx, r->open(&ctx, r, &h->files[i], &file));
        CHECK_OK(&ctx, file->ops->read_at(&ctx, file, h->files[i].bytes - 3, buf, 8, &got));
        CHECK_EQ_BYTES(buf, got, i == 0 ? "bbb" : "BBB");
        CHECK_OK(&ctx, file->ops->close(&ctx, file));
    }
    wr_ckpt_store_close(s);
    place_close(&p);
}

TEST(discarded_leaves_nothing)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 1);
    wr_ckpt *c;
    wr_state_file f;
    wr_state_writer *w;
    CHECK_OK(&ctx, wr_ckpt_begin(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), &c));
    CHECK_OK(&ctx, rig_file(&ctx, c, true, 'x', 10, &f));
    CHECK_OK(&ctx, rig_file(&ctx, c, false, 'x', 10, &f));
    CHECK_OK(&ctx, wr_ckpt_writer_open(&ctx, c, &w)); /* one is still at it */
    CHECK_OK(&ctx, w->create(&ctx, w, true));
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.dir, p.a), 4);
    wr_ckpt_discard(c);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.dir, p.a), 1);
    check_ids(s, p.a, "");
    CHECK_OK(&ctx, wr_ckpt_begin(&ctx, s, 2, WR_CHECKPOINT, WR_STR(""), &c));
    CHECK_OK(&ctx, rig_file(&ctx, c, true, 'x', 10, &f));
    wr_ckpt_store_close(s);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.dir, p.a), 1);
    place_close(&p);
}

TEST(a_file_of_a_failed_one_that_another_names_stays)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 1);
    wr_ckpt *c, *d;
    wr_state_file f;
    CHECK_OK(&ctx, wr_ckpt_begin(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), &c));
    CHECK_OK(&ctx, rig_file(&ctx, c, true, 'x', 10, &f));
    f.name = wr_arena_str(p.a, f.name);
    CHECK_OK(&ctx, wr_ckpt_begin(&ctx, s, 2, WR_CHECKPOINT, WR_STR(""), &d));
    wr_ckpt_discard(c);
    CHECK_OK(&ctx, wr_ckpt_publish(&ctx, d, rig_meta(&ctx, p.a, 2, WR_CHECKPOINT, &f, 1)));
    check_good(wr_ckpt_store_path(s, 2, p.a), p.a);
    /* With nothing in work, a name that is nowhere is refused. */
    f.name = WR_STR("nowhere");
    CHECK_OK(&ctx, wr_ckpt_begin(&ctx, s, 3, WR_CHECKPOINT, WR_STR(""), &c));
    CHECK(wr_ckpt_publish(&ctx, c, rig_meta(&ctx, p.a, 3, WR_CHECKPOINT, &f, 1)) == WR_INTERNAL);
    wr_ctx_init(&ctx);
    check_ids(s, p.a, "2 ");
    check_good(wr_ckpt_store_path(s, 2, p.a), p.a);
    wr_ckpt_store_close(s);
    place_close(&p);
}

static void
put_file(place *p, const char *name)
{
    wr_file *f;
    wr_str path = wr_arena_printf(p->a, "%.*s/%s", WR_STR_ARG(p->dir), name);
    CHECK_OK(&ctx, p->fs->ops->create(&ctx, p->fs, path, &f));
    CHECK_OK(&ctx, f->ops->append(&ctx, f, "junk", 4));
    CHECK_OK(&ctx, f->ops->close(&ctx, f));
}

TEST(opening_again_removes_leftovers)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 3);
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), NULL, p.a, NULL, NULL));
    wr_ckpt_store_close(s);
    CHECK_OK(&ctx, p.fs->ops->mkdirs(&ctx, p.fs, wr_arena_printf(p.a, "%s/chk-2", p.dir.ptr)));
    put_file(&p, "chk-2/_metadata.inprogress");
    put_file(&p, "shared/orphan");
    s = store_open(&p, 3);
    check_ids(s, p.a, "1 ");
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.dir, p.a), 4);
    check_good(wr_ckpt_store_path(s, 1, p.a), p.a);
    wr_ckpt_store_close(s);
    /* A damaged checkpoint stays in the list, and what it may need stays on disk. */
    CHECK_OK(&ctx, p.fs->ops->mkdirs(&ctx, p.fs, wr_arena_printf(p.a, "%s/chk-7", p.dir.ptr)));
    put_file(&p, "chk-7/_metadata");
    put_file(&p, "shared/unknown");
    s = store_open(&p, 3);
    check_ids(s, p.a, "7 1 ");
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 2);
    wr_ckpt_meta *m;
    CHECK(wr_ckpt_load(&ctx, wr_ckpt_store_path(s, 7, p.a), p.a, &m) == WR_CORRUPT);
    wr_ctx_init(&ctx);
    wr_ckpt_store_close(s);
    place_close(&p);
}

TEST(one_process_at_a_time)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 1), *t = NULL;
    char pid[32];
    (void)snprintf(pid, sizeof pid, "process %d on", wr_os_pid());
    CHECK(wr_ckpt_store_open(&ctx, p.root, wr_str_c(job), 1, NULL, &t) == WR_EXISTS);
    CHECK(strstr(ctx.err.message, pid) != NULL);
    wr_ctx_init(&ctx);
    wr_ckpt_store_close(s);
    s = store_open(&p, 1);
    wr_ckpt_store_close(s);
    CHECK(wr_ckpt_store_open(&ctx, p.root, WR_STR("../x"), 1, NULL, &t) == WR_OPTION);
    place_close(&p);
}

TEST(savepoints_stand_alone_and_move)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 1);
    const wr_str dir = wr_arena_printf(p.a, "%s/saved/", p.root.ptr);
    wr_str path, moved = wr_arena_printf(p.a, "%s/elsewhere", p.root.ptr);
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 1, WR_SAVEPOINT_NATIVE, dir, NULL, p.a, NULL, &path));
    check_ids(s, p.a, "");
    CHECK(strstr(path.ptr, "/saved/savepoint-001122-") != NULL);
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 2, WR_CHECKPOINT, WR_STR(""), NULL, p.a, NULL, NULL));
    CHECK_OK(&ctx, wr_ckpt_store_remove_all(&ctx, s));
    wr_ckpt_store_close(s);
    CHECK_OK(&ctx, p.fs->ops->rename_over(&ctx, p.fs, path, moved));
    check_good(moved, p.a);
    check_good(wr_arena_printf(p.a, "%s/_metadata", moved.ptr), p.a);
    place_close(&p);
}

TEST(damaged_files_are_named)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 1);
    wr_state_file shared;
    wr_ckpt_meta *m = NULL;
    wr_os_file f;
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), NULL, p.a, &shared, NULL));
    const wr_str path = wr_arena_printf(p.a, "%s/%s", p.shared.ptr, shared.name.ptr);
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, wr_ckpt_store_path(s, 1, p.a), p.a, &m));
    CHECK_OK(&ctx, wr_os_file_open(&ctx, path.ptr, WR_OS_READ_WRITE, &f));
    CHECK_OK(&ctx, wr_os_file_write_at(&ctx, &f, 69999, "?", 1));
    CHECK(wr_ckpt_verify(&ctx, m) == WR_CORRUPT);
    CHECK(strstr(ctx.err.message, path.ptr) && strstr(ctx.err.message, "checksum"));
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_file_truncate(&ctx, &f, 69999));
    CHECK(wr_ckpt_verify(&ctx, m) == WR_CORRUPT);
    CHECK(strstr(ctx.err.message, path.ptr) && strstr(ctx.err.message, "69999"));
    wr_ctx_init(&ctx);
    wr_os_file_close(&f);
    CHECK_OK(&ctx, wr_os_remove(&ctx, path.ptr));
    CHECK(wr_ckpt_verify(&ctx, m) == WR_CORRUPT);
    CHECK(strstr(ctx.err.message, path.ptr) && strstr(ctx.err.message, "missing"));
    wr_ckpt_store_close(s);
    place_close(&p);
}

TEST(what_is_not_there_is_told_in_flinks_words)
{
    place p = place_open();
    wr_ckpt_meta *m;
    CHECK_OK(&ctx, p.fs->ops->mkdirs(&ctx, p.fs, p.root));
    CHECK(wr_ckpt_load(&ctx, wr_arena_printf(p.a, "%s/none", p.root.ptr), p.a, &m) != WR_OK);
    CHECK(strstr(ctx.err.message, "Cannot find checkpoint or savepoint file/directory"));
    wr_ctx_init(&ctx);
    CHECK(wr_ckpt_load(&ctx, p.root, p.a, &m) != WR_OK);
    CHECK(strstr(ctx.err.message, "Cannot find meta data file '_metadata' in directory"));
    place_close(&p);
}

TEST(a_local_file_is_adopted_by_name)
{
    place p = place_open();
    wr_ckpt_store *s = store_open(&p, 1);
    wr_ckpt *c;
    wr_state_writer *w;
    wr_state_file f[2];
    wr_os_stat before, after;
    put_file(&p, "table.sst");
    const wr_str path = wr_arena_printf(p.a, "%s/table.sst", p.dir.ptr);
    CHECK_OK(&ctx, wr_ckpt_begin(&ctx, s, 1, WR_CHECKPOINT, WR_STR(""), &c));
    CHECK_OK(&ctx, wr_ckpt_writer_open(&ctx, c, &w));
    CHECK_OK(&ctx, w->adopt(&ctx, w, path, true, &f[0]));
    CHECK_OK(&ctx, w->adopt(&ctx, w, path, false, &f[1]));
    CHECK(f[0].shared && !f[1].shared && f[0].bytes == 4);
    CHECK_EQ_UINT(f[0].checksum, wr_hash_bytes("junk", 4, 0));
    const wr_str there = wr_arena_printf(p.a, "%s/%s", p.shared.ptr, f[0].name.ptr);
    CHECK_OK(&ctx, wr_os_stat_path(&ctx, path.ptr, &before));
    CHECK_OK(&ctx, wr_os_stat_path(&ctx, there.ptr, &after));
    CHECK(before.inode == after.inode);
    wr_ckpt_writer_close(w);
    CHECK_OK(&ctx, wr_ckpt_publish(&ctx, c, rig_meta(&ctx, p.a, 1, WR_CHECKPOINT, f, 2)));
    CHECK_OK(&ctx, wr_os_remove(&ctx, path.ptr));
    check_good(wr_ckpt_store_path(s, 1, p.a), p.a);
    wr_ckpt_store_close(s);
    place_close(&p);
}

/* Another job's checkpoint, claimed: its shared file can be named by ours; it goes when ours have
 * taken its place, a neighbour's files do not. `crash`: the process ends in between. */
static void
claim(bool crash)
{
    place p = place_open();
    wr_ckpt_store *s = NULL;
    wr_state_file kept, taken;
    wr_ckpt_meta *m = NULL;
    const wr_str other = WR_STR("other"), none = WR_STR("");
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, p.root, other, 2, NULL, &s));
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 1, WR_CHECKPOINT, none, NULL, p.a, &kept, NULL));
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 2, WR_CHECKPOINT, none, &kept, p.a, &taken, NULL));
    const wr_str first = wr_ckpt_store_path(s, 1, p.a), second = wr_ckpt_store_path(s, 2, p.a);
    wr_ckpt_store_close(s);
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, second, p.a, &m));
    s = store_open(&p, 2);
    CHECK_OK(&ctx, wr_ckpt_store_claim(&ctx, s, m));
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 2);
    check_ids(s, p.a, "");
    if (crash) {
        wr_ckpt_store_close(s);
        s = store_open(&p, 2);
        CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 2);
    }
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 3, WR_CHECKPOINT, none, &taken, p.a, NULL, NULL));
    check_good(wr_ckpt_store_path(s, 3, p.a), p.a);
    check_good(second, p.a);
    CHECK_OK(&ctx, rig_checkpoint(&ctx, s, 4, WR_CHECKPOINT, none, NULL, p.a, NULL, NULL));
    CHECK(wr_ckpt_load(&ctx, second, p.a, &m) != WR_OK);
    wr_ctx_init(&ctx);
    check_good(first, p.a);
    check_good(wr_ckpt_store_path(s, 3, p.a), p.a);
    const wr_str left = wr_arena_printf(p.a, "%s/other/shared", p.root.ptr);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, left, p.a), 1);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, p.shared, p.a), 3);
    const wr_str note = wr_arena_printf(p.a, "%s/taskowned", p.dir.ptr);
    CHECK_EQ_INT(rig_count_files(&ctx, p.fs, note, p.a), 0);
    wr_ckpt_store_close(s);
    place_close(&p);
}

TEST(claimed_checkpoints_are_used_then_removed)
{
    claim(false);
    claim(true);
}

CHECK_MAIN()
