/* SPDX-License-Identifier: Apache-2.0 */
/* links: format fs
 * The savepoint connector over kept files: many an allocation fails in turn: reading and writing
 * fail whole and nothing is left behind. (What is read and written is the business of
 * tests/prop/state_sql_test.py.) */
#include "os/os.h"
#include "unit/table_rig.h"

static const wr_str key = {"k", 1};

static void
keyed_table(rig *r, const char *columns)
{
    CHECK(rig_columns(r, columns));
    r->table.primary_key = &key;
    r->table.primary_key_count = 1;
}

TEST(reading_without_memory_fails)
{
    static const char *const paths[] = {"tests/data/state/version-1/canonical",
                                        "tests/data/state/version-1/job/chk-1"};
    for (uint32_t i = 0; i < WR_COUNT(paths); i++) {
        bool worked = false;
        uint32_t failures = 0;
        for (int64_t n = 1; n < 100000 && !worked; n += 1 + n / 8) {
            rig r;
            rig_init(&r);
            keyed_table(&r, "k BIGINT, number BIGINT, map MAP<BIGINT, ROW<a BIGINT, b BYTES>>");
            RIG_OPTIONS(&r, "connector", "savepoint", "state.path", paths[i], "operator.uid",
                        "agg:k");
            r.fail_after = n;
            const wr_status status = rig_read(&r, NULL);
            worked = !wr_mem_fail_hit();
            wr_mem_fail_after(0);
            failures += status != WR_OK;
            CHECK(status == WR_OK || (!worked && status == WR_NOMEM));
            if (worked) CHECK_EQ_UINT(r.line_count, 200);
            rig_deinit(&r);
        }
        CHECK(worked);
        CHECK(failures > 20);
    }
}

TEST(writing_without_memory_leaves_nothing)
{
    static const char *const rows[] = {"[5,50]", "[1000,7]"};
    bool worked = false;
    uint32_t failures = 0;
    char dir[WR_OS_PATH_MAX];
    for (int64_t n = 1; n < 100000 && !worked; n += 1 + n / 8) {
        rig r;
        wr_file_info info;
        bool exists = false;
        rig_init(&r);
        CHECK_OK(&r.ctx, wr_os_temp_name(&r.ctx, NULL, "weir-sink-", dir, sizeof dir));
        keyed_table(&r, "k BIGINT, number BIGINT");
        RIG_OPTIONS(&r, "connector", "savepoint", "state.path",
                    "tests/data/state/version-1/canonical", "operator.uid", "agg:k", "sink.path",
                    dir);
        wr_batch *b = rig_batch(&r, rows, WR_COUNT(rows));
        rig_sink s;
        CHECK_OK(&r.ctx, rig_sink_open(&r, &s, false));
        s.ops->close(s.writer);
        wr_mem_fail_after(n);
        wr_status status = s.ops->open(&r.ctx, &s.spec, &s.env, &s.writer);
        if (status == WR_OK) {
            status = s.ops->write(&r.ctx, s.writer, b);
            if (status == WR_OK) status = s.ops->finish(&r.ctx, s.writer);
            s.ops->close(s.writer);
        }
        worked = !wr_mem_fail_hit();
        wr_mem_fail_after(0);
        wr_batch_release(b);
        failures += status != WR_OK;
        CHECK(status == WR_OK || (!worked && status == WR_NOMEM));
        wr_ctx_init(&r.ctx);
        wr_fs *fs = wr_find_fs(wr_str_c(dir));
        CHECK_OK(&r.ctx, fs->ops->stat(&r.ctx, fs, wr_str_c(dir), r.arena, &info, &exists));
        CHECK_EQ_INT(exists, status == WR_OK);
        if (exists) CHECK_OK(&r.ctx, wr_os_remove_tree(&r.ctx, dir));
        rig_deinit(&r);
    }
    CHECK(worked);
    CHECK(failures > 20);
}

CHECK_MAIN()
