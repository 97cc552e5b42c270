/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of the memory backend, as only it has them: chains of segments and what they cost, the
 * order of maps after 2^32 insertions, and the check for changes that nobody was told of.
 * links: state */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "state/snapshot_int.h"
#include "unit/check.h"
#include "unit/state_rig.h"

typedef struct rig {
    wr_ctx ctx;
    wr_memtrack *budget;
    const wr_state_ops *ops;
    rig_disk *disk;
    wr_state_backend *b;
    wr_state_table *keys, *map;
    uint64_t checkpoint;
} rig;

static void
open_backend(rig *r)
{
    CHECK_OK(&r->ctx, r->ops->open(&r->ctx, NULL, r->budget, 0, 7, 8, &r->b));
    wr_state_desc d = {.logical_id = WR_STR("keys"), .record_bytes = 32};
    CHECK_OK(&r->ctx, r->ops->table_open(&r->ctx, r->b, &d, &r->keys));
    d = (wr_state_desc){
        .logical_id = WR_STR("map"), .shape = WR_STATE_MAP, .record_bytes = 8, .parent = r->keys};
    CHECK_OK(&r->ctx, r->ops->table_open(&r->ctx, r->b, &d, &r->map));
}

static void
open_all(rig *r)
{
    memset(r, 0, sizeof *r);
    wr_ctx_init(&r->ctx);
    r->budget = wr_memtrack_create(NULL, "test", 0);
    r->ops = &wr_state_hashmap_ops;
    r->disk = rig_disk_create(r->budget);
    open_backend(r);
}

static void
close_all(rig *r)
{
    r->ops->close(r->b);
    rig_disk_destroy(r->disk);
    wr_memtrack_destroy(r->budget);
}

static uint32_t
upsert(rig *r, uint64_t n)
{
    const uint64_t hash = wr_hash_u64(n);
    const wr_keys k = {.n = 1, .hash = &hash, .fixed = &n};
    uint32_t slot = WR_SLOT_NONE;
    CHECK_OK(&r->ctx, r->ops->resolve(&r->ctx, r->keys, &k, WR_STATE_UPSERT, &slot, NULL));
    wr_store64(wr_state_rec(r->keys, slot), n);
    return slot;
}

static void
upsert_sub(rig *r, uint32_t slot, uint64_t n)
{
    const uint64_t hash = wr_hash_u64(n);
    const wr_keys k = {.n = 1, .hash = &hash, .fixed = &n};
    uint8_t *rec;
    CHECK_OK(&r->ctx, r->ops->map_resolve(&r->ctx, r->map, &slot, &k, WR_STATE_UPSERT, &rec, NULL));
}

static void
take(rig *r, wr_snapshot_kind kind, bool kept, wr_state_handle *h)
{
    wr_state_snapshot *s = NULL;
    CHECK_OK(&r->ctx, r->ops->snapshot(&r->ctx, r->b, ++r->checkpoint, kind, &s));
    CHECK_OK(&r->ctx, r->ops->snapshot_write(&r->ctx, s, &r->disk->writer, h));
    r->ops->snapshot_release(s, kept);
}

TEST(incremental_bytes_follow_the_changes)
{
    rig r;
    open_all(&r);
    wr_state_handle h;
    for (uint64_t n = 0; n < 20000; n++) (void)upsert(&r, n);
    take(&r, WR_SNAPSHOT_INCREMENTAL, true, &h);
    const uint64_t full = h.bytes_written;
    take(&r, WR_SNAPSHOT_INCREMENTAL, true, &h);
    CHECK_EQ_UINT(h.bytes_written, 0); /* nothing has changed: nothing is written */
    CHECK_EQ_UINT(h.file_count, 1);
    for (uint64_t n = 0; n < 20000; n += 100) (void)upsert(&r, n);
    take(&r, WR_SNAPSHOT_INCREMENTAL, false, &h);
    const uint64_t some = h.bytes_written;
    CHECK_MSG(some < full / 50 && some > full / 200, "%" PRIu64 " of %" PRIu64, some, full);
    CHECK_EQ_UINT(h.file_count, 2);
    take(&r, WR_SNAPSHOT_INCREMENTAL, true, &h); /* the one before was not kept */
    CHECK_EQ_UINT(h.bytes_written, some);
    take(&r, WR_SNAPSHOT_FULL, true, &h);
    CHECK_EQ_UINT(h.file_count, 1);
    CHECK(!h.files[0].shared);
    for (uint64_t n = 0; n < 20000; n += 100) (void)upsert(&r, n);
    take(&r, WR_SNAPSHOT_INCREMENTAL, true, &h); /* a full one in between changes nothing */
    CHECK_EQ_UINT(h.bytes_written, some);
    CHECK_EQ_UINT(h.file_count, 3);
    close_all(&r);
}

TEST(chains_stay_short)
{
    rig r;
    open_all(&r);
    wr_state_handle h;
    for (uint64_t n = 0; n < 5000; n++) (void)upsert(&r, n);
    take(&r, WR_SNAPSHOT_INCREMENTAL, true, &h);
    const uint64_t full = h.bytes_written;
    uint64_t written = 0;
    for (uint64_t i = 0; i < 1500; i++) {
        (void)upsert(&r, i * 7 % 5000);
        take(&r, WR_SNAPSHOT_INCREMENTAL, true, &h);
        written += h.bytes_written;
        CHECK(h.file_count <= 1 + WRI_LEVELS * WRI_FAN_OUT);
        uint64_t bytes = 0;
        for (uint32_t k = 0; k < h.file_count; k++) bytes += h.files[k].bytes;
        CHECK(bytes < 4 * full);
        if (r.disk->count + 2 < RIG_FILES) continue;
        break;
    }
    CHECK_MSG(written < 12 * full, "%" PRIu64 " for changes of %" PRIu64, written, full);
    close_all(&r);
}

TEST(maps_keep_their_order_when_sequences_run_out)
{
    rig r;
    open_all(&r);
    const uint32_t slot = upsert(&r, 1);
    upsert_sub(&r, slot, 100);
    upsert_sub(&r, slot, 50);
    wr_state_handle h;
    take(&r, WR_SNAPSHOT_INCREMENTAL, true, &h);
    wri_anchor_find(wri_table_of(r.map), slot)->top = UINT32_MAX - 2; /* as after many insertions */
    for (uint64_t n = 10; n > 4; n--) upsert_sub(&r, slot, n);
    take(&r, WR_SNAPSHOT_INCREMENTAL, true, &h);
    r.ops->close(r.b);
    open_backend(&r);
    const wr_state_handle *list = &h;
    CHECK_OK(&r.ctx, r.ops->restore(&r.ctx, r.b, &list, 1, &r.disk->reader, false));
    static const uint64_t want[] = {100, 50, 10, 9, 8, 7, 6, 5};
    wr_state_iter it;
    uint32_t i = 0;
    for (bool on = r.ops->map_first(r.map, upsert(&r, 1), &it); on && i < 8;
         on = r.ops->map_next(&it), i++)
        CHECK_EQ_UINT(wr_load64(it.key), want[i]);
    CHECK_EQ_UINT(i, 8);
    close_all(&r);
}

/* What a child process says before it dies. */
static void
die_of(rig *r, uint32_t slot, char *text, size_t cap)
{
    int pipes[2];
    memset(text, 0, cap);
    CHECK_FATAL(pipe(pipes) == 0);
    const pid_t pid = fork();
    CHECK_FATAL(pid >= 0);
    if (pid == 0) {
        (void)dup2(pipes[1], STDERR_FILENO);
        wr_state_snapshot *s;
        wr_state_rec(r->keys, slot)[9]++;
        (void)r->ops->snapshot(&r->ctx, r->b, 9, WR_SNAPSHOT_FULL, &s);
        _exit(0);
    }
    int status = 0;
    (void)close(pipes[1]);
    for (size_t len = 0; len + 1 < cap;) {
        const ssize_t got = read(pipes[0], text + len, cap - 1 - len);
        if (got <= 0) break;
        len += (size_t)got;
    }
    (void)close(pipes[0]);
    (void)waitpid(pid, &status, 0);
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

TEST(a_change_without_touch_is_found)
{
#ifndef NDEBUG
    rig r;
    open_all(&r);
    const uint32_t slot = upsert(&r, 1);
    wr_state_handle h;
    take(&r, WR_SNAPSHOT_FULL, true, &h);
    r.ops->touch(r.keys, slot);
    wr_state_rec(r.keys, slot)[9]++; /* as it should be */
    take(&r, WR_SNAPSHOT_FULL, true, &h);
    char text[4096];
    die_of(&r, slot, text, sizeof text);
    CHECK_MSG(strstr(text, "state 'keys'") != NULL, "%s", text);
    close_all(&r);
#endif
}

CHECK_MAIN()
