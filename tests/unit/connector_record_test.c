/* SPDX-License-Identifier: Apache-2.0 */
/* record in its file mode: what a checkpoint covers appears once, whatever is repeated.
 * links: format fs */
#include "unit/table_rig.h"

typedef struct files_rig {
    rig r;
    const char *dir;
    rig_sink s;
} files_rig;

static void
setup(files_rig *f)
{
    rig_init(&f->r);
    f->dir = rig_temp_dir(&f->r);
    CHECK(rig_columns(&f->r, "a STRING"));
    RIG_OPTIONS(&f->r, "connector", "record", "path", f->dir);
}

static void
teardown(files_rig *f)
{
    rig_remove(f->dir);
    rig_deinit(&f->r);
}

/* A writer of a job with checkpoints. */
static void
start(files_rig *f)
{
    CHECK_OK(&f->r.ctx, rig_sink_open(&f->r, &f->s, false));
    f->s.ops->close(f->s.writer); /* the rig's has no checkpoints */
    f->s.env.checkpointing = true;
    f->s.env.job_id = WR_STR("0123456789abcdef0123456789abcdef");
    f->s.env.operator_id = WR_STR("sink");
    CHECK_OK(&f->r.ctx, f->s.ops->open(&f->r.ctx, &f->s.spec, &f->s.env, &f->s.writer));
}

static void
put(files_rig *f, const char *row)
{
    wr_batch *b = rig_batch(&f->r, &row, 1);
    CHECK_OK(&f->r.ctx, f->s.ops->write(&f->r.ctx, f->s.writer, b));
    wr_batch_release(b);
}

static wr_str
checkpoint(files_rig *f, uint64_t id)
{
    wr_str committable;
    CHECK_OK(&f->r.ctx, f->s.ops->prepare(&f->r.ctx, f->s.writer, id, f->r.arena, &committable));
    return committable;
}

static wr_status
commit(files_rig *f, uint64_t id, wr_str committable)
{
    const wr_commit c = {
        .checkpoint_id = id, .committables = &committable, .count = 1, .env = &f->s.env};
    return f->s.ops->commit(&f->r.ctx, &f->s.spec, &c);
}

static void
commit_end(files_rig *f, uint64_t id, wr_str committable)
{
    const wr_commit c = {.checkpoint_id = id,
                         .committables = &committable,
                         .count = 1,
                         .end = true,
                         .env = &f->s.env};
    CHECK_OK(&f->r.ctx, f->s.ops->commit(&f->r.ctx, &f->s.spec, &c));
}

/* The files of the folder, without what is the same in all names. */
static const char *
tree(files_rig *f)
{
    const char *t = rig_tree(&f->r, f->dir);
    wr_text out;
    wr_text_init(&out, f->r.arena);
    for (; *t; t++) {
        const bool named = strstr(t, "-0123456789abcdef") == t + 16;
        if (named) t += 16 + 34;
        wr_text_putc(&out, *t);
    }
    wr_text_putc(&out, '\0');
    return out.ptr;
}

TEST(lines_are_visible_with_the_commit_and_once)
{
    files_rig f;
    setup(&f);
    start(&f);
    CHECK(f.s.info.guarantee && strncmp(f.s.info.guarantee, "exactly-once", 12) == 0);
    put(&f, "[\"one\"]");
    put(&f, "[\"two\\nlines \\\\\"]");
    wr_str first = checkpoint(&f, 1);
    CHECK_EQ_STR(tree(&f), "");
    CHECK_OK(&f.r.ctx, commit(&f, 1, first));
    CHECK_OK(&f.r.ctx, commit(&f, 1, first)); /* after a failure it comes again */
    CHECK_EQ_STR(tree(&f), "00000000000000000001-00000:\n+I[one]\n+I[two\\nlines \\\\]\n");
    put(&f, "[\"lost\"]");
    wr_str second = checkpoint(&f, 2);
    f.s.ops->close(f.s.writer); /* checkpoint 2 was never published */
    start(&f);
    put(&f, "[\"three\"]");
    wr_str third = checkpoint(&f, 2);
    CHECK_OK(&f.r.ctx, commit(&f, 2, third));
    CHECK_EQ_STR(tree(&f), "00000000000000000001-00000:\n+I[one]\n+I[two\\nlines \\\\]\n"
                           "00000000000000000002-00000:\n+I[three]\n");
    CHECK(commit(&f, 2, second) == WR_CORRUPT);
    CHECK(strstr(f.r.ctx.err.message, "committed before with other lines") != NULL);
    wr_ctx_reset(&f.r.ctx);
    CHECK_EQ_INT(checkpoint(&f, 3).len, 0); /* nothing new */
    f.s.ops->close(f.s.writer);
    teardown(&f);
}

TEST(a_commit_that_was_cut_short_is_repeated)
{
    bool hit = true;
    for (int64_t n = 1; hit; n++) {
        files_rig f;
        CHECK_FATAL(n < 50);
        setup(&f);
        start(&f);
        put(&f, "[\"x\"]");
        wr_str committable = checkpoint(&f, 1);
        f.s.ops->close(f.s.writer);
        wr_fs *fault = wr_fs_fault_create(wr_fs_local());
        CHECK(fault && wr_register_fs(fault));
        wr_fs_fault_after(fault, n, WR_FS_FAULT_TORN);
        wr_status status = commit(&f, 1, committable);
        hit = wr_fs_fault_hit(fault);
        CHECK(hit == (status != WR_OK));
        CHECK(wr_register_fs(wr_fs_local()));
        wr_ctx_reset(&f.r.ctx);
        CHECK_OK(&f.r.ctx, commit(&f, 1, committable));
        CHECK_EQ_STR(tree(&f), "00000000000000000001-00000:\n+I[x]\n");
        wr_fs_fault_destroy(fault);
        teardown(&f);
    }
}

TEST(without_checkpoints_at_the_end)
{
    files_rig f;
    setup(&f);
    const char *row = "[\"x\"]";
    CHECK_OK(&f.r.ctx, rig_write(&f.r, &row, 1, false));
    CHECK(strstr(rig_tree(&f.r, f.dir), "00000000000000000000-00000:\n+I[x]\n") != NULL);
    teardown(&f);
}

TEST(a_malformed_committable_is_refused)
{
    files_rig f;
    setup(&f);
    start(&f);
    CHECK(commit(&f, 1, WR_STR("no name")) == WR_CORRUPT);
    f.s.ops->close(f.s.writer);
    teardown(&f);
}

/* ---- logs that go to files ------------------------------------------------------------------- */

typedef struct log_rig {
    files_rig f;
    const char *logs;
} log_rig;

static void
log_setup(log_rig *l)
{
    files_rig *f = &l->f;
    rig_init(&f->r);
    f->dir = rig_temp_dir(&f->r);
    l->logs = rig_temp_dir(&f->r);
    CHECK(rig_columns(&f->r, "a STRING"));
    RIG_OPTIONS(&f->r, "connector", "record", "path", f->dir, "log.memory-size", "1 b");
}

static void
log_teardown(log_rig *l)
{
    rig_remove(l->logs);
    teardown(&l->f);
}

/* A new attempt; restored: from checkpoint `epoch` of `was`, or none. */
static void
attempt(log_rig *l, wr_opstate *was)
{
    files_rig *f = &l->f;
    wr_opstate none = {.arena = f->r.arena};
    CHECK_OK(&f->r.ctx, rig_sink_open(&f->r, &f->s, false));
    f->s.ops->close(f->s.writer);
    f->s.env.checkpointing = true;
    f->s.env.restoring = was != NULL;
    f->s.env.log_dir = wr_str_c(l->logs);
    f->s.env.job_id = WR_STR("0123456789abcdef0123456789abcdef");
    f->s.env.operator_id = WR_STR("sink");
    CHECK_OK(&f->r.ctx, f->s.ops->open(&f->r.ctx, &f->s.spec, &f->s.env, &f->s.writer));
    if (was)
        CHECK_OK(&f->r.ctx, f->s.ops->restore(&f->r.ctx, f->s.writer, was->arena ? was : &none));
}

static wr_opstate
snapshot(log_rig *l, uint64_t id)
{
    wr_opstate out = {.arena = l->f.r.arena};
    CHECK_OK(&l->f.r.ctx, l->f.s.ops->snapshot(&l->f.r.ctx, l->f.s.writer, id, &out));
    return out;
}

static uint32_t
log_count(log_rig *l, wr_str *first)
{
    wr_file_info *files = NULL;
    uint32_t count = 0;
    wr_fs *fs = wr_fs_local();
    CHECK_OK(&l->f.r.ctx, fs->ops->list(&l->f.r.ctx, fs, wr_str_c(l->logs), false, l->f.r.arena,
                                        &files, &count));
    if (count && first) *first = files[0].path;
    return count;
}

TEST(a_long_log_is_a_file_until_it_is_applied)
{
    log_rig l;
    log_setup(&l);
    attempt(&l, NULL);
    put(&l.f, "[\"one\"]");
    wr_str first = checkpoint(&l.f, 1);
    CHECK(first.len < 300); /* it says where the lines are */
    CHECK_EQ_INT(log_count(&l, NULL), 1);
    CHECK_EQ_STR(tree(&l.f), "");
    CHECK_OK(&l.f.r.ctx, commit(&l.f, 1, first));
    CHECK_EQ_INT(log_count(&l, NULL), 1); /* checkpoint 1 is still the newest */
    CHECK_OK(&l.f.r.ctx, commit(&l.f, 1, first));
    CHECK_EQ_STR(tree(&l.f), "00000000000000000001-00000:\n+I[one]\n");
    put(&l.f, "[\"two\"]");
    wr_str second = checkpoint(&l.f, 2);
    put(&l.f, "[\"three\"]");
    wr_str third = checkpoint(&l.f, 3);
    CHECK_EQ_INT(log_count(&l, NULL), 3);
    CHECK_OK(&l.f.r.ctx, commit(&l.f, 2, second));
    CHECK_EQ_INT(log_count(&l, NULL), 2);
    CHECK_OK(&l.f.r.ctx, commit(&l.f, 1, first)); /* its log is gone, its lines are there */
    commit_end(&l.f, 3, third);
    CHECK_EQ_INT(log_count(&l, NULL), 0);
    CHECK_EQ_STR(tree(&l.f), "00000000000000000001-00000:\n+I[one]\n"
                             "00000000000000000002-00000:\n+I[two]\n"
                             "00000000000000000003-00000:\n+I[three]\n");
    l.f.s.ops->close(l.f.s.writer);
    log_teardown(&l);
}

TEST(a_missing_log_is_told_and_nothing_appears)
{
    log_rig l;
    wr_str path;
    log_setup(&l);
    attempt(&l, NULL);
    put(&l.f, "[\"one\"]");
    wr_str first = checkpoint(&l.f, 1);
    CHECK_FATAL(log_count(&l, &path) == 1);
    CHECK(remove(wr_arena_dup(l.f.r.arena, path.ptr, path.len)) == 0);
    CHECK(commit(&l.f, 1, first) == WR_CORRUPT);
    CHECK(strstr(l.f.r.ctx.err.message, "of checkpoint 1, which is to be applied, is missing"));
    wr_ctx_reset(&l.f.r.ctx);
    l.f.s.ops->close(l.f.s.writer);
    log_teardown(&l);
}

TEST(every_damaged_byte_of_a_log_is_noticed)
{
    for (long at = 0, size = 1; at < size; at++) {
        log_rig l;
        wr_str path;
        log_setup(&l);
        attempt(&l, NULL);
        put(&l.f, "[\"some words\"]");
        wr_str first = checkpoint(&l.f, 1);
        CHECK_FATAL(log_count(&l, &path) == 1);
        FILE *file = fopen(wr_arena_dup(l.f.r.arena, path.ptr, path.len), "r+");
        CHECK_FATAL(file && fseek(file, 0, SEEK_END) == 0);
        size = ftell(file);
        CHECK(fseek(file, at, SEEK_SET) == 0);
        const int byte = fgetc(file);
        CHECK(fseek(file, at, SEEK_SET) == 0 && fputc(byte ^ 0x10, file) != EOF);
        CHECK(fclose(file) == 0);
        CHECK(commit(&l.f, 1, first) == WR_CORRUPT);
        wr_ctx_reset(&l.f.r.ctx);
        CHECK(strstr(rig_tree(&l.f.r, l.f.dir), "some words") == NULL || /* hidden, not visible */
              strstr(tree(&l.f), "00000000000000000001-00000:") != tree(&l.f));
        l.f.s.ops->close(l.f.s.writer);
        log_teardown(&l);
    }
}

TEST(logs_of_dead_attempts_go_and_others_stay)
{
    log_rig l;
    log_setup(&l);
    attempt(&l, NULL);
    put(&l.f, "[\"dead before any checkpoint\"]");
    (void)checkpoint(&l.f, 1);
    l.f.s.ops->close(l.f.s.writer);
    CHECK_EQ_INT(log_count(&l, NULL), 1);
    attempt(&l, NULL);
    CHECK_EQ_INT(log_count(&l, NULL), 0);
    put(&l.f, "[\"kept\"]");
    wr_str first = checkpoint(&l.f, 1);
    wr_opstate state = snapshot(&l, 1); /* checkpoint 1 was published, and not committed */
    put(&l.f, "[\"dead behind it\"]");
    (void)checkpoint(&l.f, 2);
    CHECK_EQ_INT(log_count(&l, NULL), 2);
    l.f.s.ops->close(l.f.s.writer);
    attempt(&l, &state);
    CHECK_EQ_INT(log_count(&l, NULL), 1);
    CHECK_OK(&l.f.r.ctx, commit(&l.f, 1, first));
    CHECK_EQ_STR(tree(&l.f), "00000000000000000001-00000:\n+I[kept]\n");
    l.f.s.ops->close(l.f.s.writer);
    log_teardown(&l);
}

TEST(a_log_of_many_frames)
{
    enum { ROWS = 12, WIDTH = 300000 };
    log_rig l;
    log_setup(&l);
    attempt(&l, NULL);
    char *row = wr_arena_alloc(l.f.r.arena, WIDTH + 8);
    wr_text want;
    wr_text_init(&want, l.f.r.arena);
    wr_text_puts(&want, "00000000000000000001-00000:\n");
    for (int i = 0; i < ROWS; i++) {
        memset(row, 'a' + i, WIDTH + 8);
        memcpy(row, "[\"", 2);
        memcpy(row + WIDTH + 2, "\"]", 3);
        put(&l.f, row);
        wr_text_puts(&want, "+I[");
        wr_text_put(&want, row + 2, WIDTH);
        wr_text_puts(&want, "]\n");
    }
    wr_text_putc(&want, '\0');
    wr_str first = checkpoint(&l.f, 1);
    CHECK_OK(&l.f.r.ctx, commit(&l.f, 1, first));
    CHECK(strcmp(rig_tree(&l.f.r, l.f.dir) + 16 + 34, want.ptr) == 0); /* behind sink and job */
    l.f.s.ops->close(l.f.s.writer);
    log_teardown(&l);
}

/* Each call of the file system fails once, in the log or in the output; the attempt that follows
 * gives every line once. */
TEST(a_failing_call_loses_and_doubles_nothing)
{
    bool hit = true;
    for (int64_t n = 1; hit; n++) {
        log_rig l;
        wr_str committable = WR_STR("");
        CHECK_FATAL(n < 100);
        log_setup(&l);
        attempt(&l, NULL);
        put(&l.f, "[\"x\"]");
        wr_fs *fault = wr_fs_fault_create(wr_fs_local());
        CHECK(fault && wr_register_fs(fault));
        wr_fs_fault_after(fault, n, WR_FS_FAULT_TORN);
        wr_ctx *ctx = &l.f.r.ctx;
        wr_status prepared = l.f.s.ops->prepare(ctx, l.f.s.writer, 1, l.f.r.arena, &committable);
        wr_status status = prepared == WR_OK ? commit(&l.f, 1, committable) : prepared;
        hit = wr_fs_fault_hit(fault);
        CHECK(hit == (status != WR_OK));
        CHECK(wr_register_fs(wr_fs_local()));
        wr_ctx_reset(ctx);
        l.f.s.ops->close(l.f.s.writer);
        if (prepared != WR_OK) {
            attempt(&l, NULL);
            put(&l.f, "[\"x\"]");
            committable = checkpoint(&l.f, 1);
            l.f.s.ops->close(l.f.s.writer);
        }
        CHECK_OK(ctx, commit(&l.f, 1, committable));
        CHECK_EQ_STR(tree(&l.f), "00000000000000000001-00000:\n+I[x]\n");
        CHECK_EQ_INT(log_count(&l, NULL), 1);
        commit_end(&l.f, 1, committable);
        CHECK_EQ_INT(log_count(&l, NULL), 0);
        wr_fs_fault_destroy(fault);
        log_teardown(&l);
    }
}

CHECK_MAIN()
