/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of checkpoints of a job that was given none. It goes with the job; one of a process
 * that was killed is left behind, and goes when the next such job looks for a place. */
#include <stdio.h>

#include "runtime/runtime_int.h"

#define FOLDER    "weir-checkpoints"
#define MAKING_MS 60000 /* nobody takes longer from making a folder to locking it */

/* Nobody holds the lock of the job whose folder that is: "lock" in it, see state/. */
static bool
is_dead(wr_ctx *ctx, const char *job_dir)
{
    char lock[WR_OS_PATH_MAX];
    wr_os_stat st;
    wr_os_file file;
    bool locked = false;
    const int n = snprintf(lock, sizeof lock, "%s/lock", job_dir);
    if (n < 0 || (size_t)n >= sizeof lock) return false;
    if (wr_os_stat_path(ctx, lock, &st) != WR_OK || st.kind != WR_OS_FILE) return false;
    if (wr_os_file_open(ctx, lock, WR_OS_READ_WRITE, &file) != WR_OK) return false;
    const bool free = wr_os_file_lock(ctx, &file, &locked) == WR_OK && locked;
    wr_os_file_close(&file);
    return free;
}

/* Every job in it is dead, and there is one. */
static bool
all_dead(wr_ctx *ctx, const char *root)
{
    char job_dir[WR_OS_PATH_MAX];
    const char *name;
    wr_os_dir dir;
    uint32_t dead = 0, alive = 0;
    if (wr_os_dir_open(ctx, root, &dir) != WR_OK) return false;
    while (wr_os_dir_next(ctx, &dir, &name) == WR_OK && name) {
        const int n = snprintf(job_dir, sizeof job_dir, "%s/%s", root, name);
        if (n > 0 && (size_t)n < sizeof job_dir && is_dead(ctx, job_dir))
            dead++;
        else
            alive++;
    }
    wr_os_dir_close(&dir);
    return dead && !alive;
}

static void
remove_dead(const char *base)
{
    char root[WR_OS_PATH_MAX];
    const char *name;
    wr_os_dir dir;
    wr_os_stat st;
    wr_ctx ctx; /* what cannot be removed stays, and is nobody's trouble */
    wr_ctx_init(&ctx);
    if (wr_os_dir_open(&ctx, base, &dir) != WR_OK) return;
    while (wr_os_dir_next(&ctx, &dir, &name) == WR_OK && name) {
        if (strncmp(name, FOLDER, sizeof FOLDER - 1) != 0) continue;
        const int n = snprintf(root, sizeof root, "%s/%s", base, name);
        if (n < 0 || (size_t)n >= sizeof root) continue;
        if (wr_os_stat_path(&ctx, root, &st) != WR_OK || st.kind != WR_OS_DIR) continue;
        if (st.mtime_ms >= wr_os_wall_ms() - MAKING_MS || !all_dead(&ctx, root)) continue;
        (void)!wr_os_remove_tree(&ctx, root);
    }
    wr_os_dir_close(&dir);
}

wr_status
wri_private_root(wr_ctx *ctx, char *out, size_t cap)
{
    const char *base = wr_os_env("TMPDIR");
    if (!base || !*base) base = "/tmp";
    remove_dead(base);
    return wr_os_temp_name(ctx, base, FOLDER, out, cap);
}
