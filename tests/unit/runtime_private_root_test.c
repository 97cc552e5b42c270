/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of checkpoints that killed processes left among the temporary files: they go, those of
 * living processes stay. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/runtime_int.h"
#include "unit/check.h"

typedef struct place {
    wr_ctx ctx;
    char base[64];
} place;

static void
path_of(const place *p, const char *name, char out[256])
{
    CHECK(snprintf(out, 256, "%s/%s", p->base, name) < 256);
}

/* A folder with a job, an hour old or new; its lock file, if any, is opened into *lock. */
static void
add(place *p, const char *root, bool old, wr_os_file *lock)
{
    char path[256], file[256];
    char name[128];
    CHECK(snprintf(name, sizeof name, "%s/job/chk-1", root) < (int)sizeof name);
    path_of(p, name, path);
    CHECK_OK(&p->ctx, wr_os_make_dirs(&p->ctx, path));
    CHECK(snprintf(name, sizeof name, "%s/job/lock", root) < (int)sizeof name);
    path_of(p, name, file);
    if (lock) CHECK_OK(&p->ctx, wr_os_file_open(&p->ctx, file, WR_OS_WRITE_NEW, lock));
    const struct timeval at = {.tv_sec = (wr_os_wall_ms() / 1000) - (old ? 3600 : 0)};
    path_of(p, root, path);
    CHECK(utimes(path, (const struct timeval[]){at, at}) == 0);
}

static bool
is_there(place *p, const char *root)
{
    char path[256];
    path_of(p, root, path);
    return access(path, F_OK) == 0;
}

TEST(what_dead_processes_left_goes)
{
    place p = {.base = "/tmp/weir-private-XXXXXX"};
    wr_os_file dead, alive, young;
    char out[WR_OS_PATH_MAX];
    bool locked = false;
    wr_ctx_init(&p.ctx);
    CHECK_FATAL(mkdtemp(p.base) != NULL);
    CHECK(setenv("TMPDIR", p.base, 1) == 0);
    add(&p, "weir-checkpoints0dead", true, &dead);
    add(&p, "weir-checkpoints1alive", true, &alive);
    add(&p, "weir-checkpoints2young", false, &young);
    add(&p, "weir-checkpoints3unlocked", true, NULL);
    wr_os_file_close(&dead);
    wr_os_file_close(&young);
    CHECK_OK(&p.ctx, wr_os_file_lock(&p.ctx, &alive, &locked));
    CHECK(locked);
    CHECK_OK(&p.ctx, wri_private_root(&p.ctx, out, sizeof out));
    CHECK(strncmp(out, p.base, strlen(p.base)) == 0);
    CHECK(!is_there(&p, "weir-checkpoints0dead"));
    CHECK(is_there(&p, "weir-checkpoints1alive"));
    CHECK(is_there(&p, "weir-checkpoints2young"));
    CHECK(is_there(&p, "weir-checkpoints3unlocked"));
    wr_os_file_close(&alive);
    CHECK_OK(&p.ctx, wri_private_root(&p.ctx, out, sizeof out));
    CHECK(!is_there(&p, "weir-checkpoints1alive"));
    CHECK(unsetenv("TMPDIR") == 0);
    CHECK_OK(&p.ctx, wr_os_remove_tree(&p.ctx, p.base));
}

CHECK_MAIN()
