/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the local file system in a whole process, for crash tests: the environment variable
 *
 *     WEIR_FAULT=<what>:<n>[:<part>]
 *
 * lets the n-th call of a kind fail, counting those on files whose path contains <part>.
 *
 *     any read create write sync rename remove close   the call fails and does nothing
 *     torn      a write puts down half of its bytes and fails
 *     full      from the n-th write or creation on, all of them fail: no space left
 *     lost      nothing fails, n is 0; bytes that were not synced when their file is closed or the
 *               process is killed are gone, as if the machine had died */
#include "fs/fs_int.h"
#include "os/os.h"
#include "types/number.h"

static const struct {
    const char *word;
    wr_fs_fault how;
    uint8_t calls;
} whats[] = {{"any", WR_FS_FAULT_ERROR, WR_FS_ANY_CALL},
             {"read", WR_FS_FAULT_ERROR, WR_FS_READS},
             {"create", WR_FS_FAULT_ERROR, WR_FS_CREATES},
             {"write", WR_FS_FAULT_ERROR, WR_FS_APPENDS},
             {"sync", WR_FS_FAULT_ERROR, WR_FS_SYNCS},
             {"rename", WR_FS_FAULT_ERROR, WR_FS_RENAMES},
             {"remove", WR_FS_FAULT_ERROR, WR_FS_REMOVES},
             {"close", WR_FS_FAULT_ERROR, WR_FS_CLOSES},
             {"torn", WR_FS_FAULT_TORN, WR_FS_APPENDS},
             {"full", WR_FS_FAULT_FULL, WR_FS_APPENDS | WR_FS_CREATES},
             {"lost", WR_FS_FAULT_LOST, WR_FS_APPENDS}};

/* Up to the next colon; *rest goes behind it. */
static wr_str
field(wr_str *rest)
{
    const char *colon = rest->len ? memchr(rest->ptr, ':', rest->len) : NULL;
    const wr_str out = {rest->ptr, colon ? (size_t)(colon - rest->ptr) : rest->len};
    const size_t step = out.len + (colon ? 1 : 0);
    *rest = (wr_str){rest->ptr + step, rest->len - step};
    return out;
}

wr_fs *
wri_fault_from_env(wr_fs *fs)
{
    const char *text = wr_os_env("WEIR_FAULT");
    if (!text || !*text) return fs;
    wr_str rest = wr_str_c(text);
    const wr_str what = field(&rest);
    const wr_str count = field(&rest);
    int64_t n;
    if (!wr_i64_parse(count.ptr, count.len, &n) || n < 0) return NULL;
    for (uint32_t i = 0; i < WR_COUNT(whats); i++) {
        if (!wr_str_eq_c(what, whats[i].word)) continue;
        wr_fs *out = wr_fs_fault_create(fs);
        if (!out) return NULL;
        wr_fs_fault_only(out, whats[i].calls, rest);
        wr_fs_fault_after(out, n, whats[i].how);
        return out;
    }
    return NULL;
}
