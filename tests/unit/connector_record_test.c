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

CHECK_MAIN()
