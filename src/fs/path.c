/* SPDX-License-Identifier: Apache-2.0 */
/* Paths with and without scheme, and the room's registration. */
#include "fs/fs_int.h"

wr_status
wri_fs_path(wr_ctx *ctx, wr_str path, const char *scheme, char *out, size_t cap)
{
    size_t n = strlen(scheme);
    if (path.len > n + 1 && wr_str_eq_nocase((wr_str){path.ptr, n}, wr_str_c(scheme)) &&
        path.ptr[n] == ':' && path.ptr[n + 1] == '/') {
        path = (wr_str){path.ptr + n + 1, path.len - n - 1};
        if (path.len >= 2 && path.ptr[1] == '/') { /* "//host/a" or "///a": no host */
            path = (wr_str){path.ptr + 2, path.len - 2};
            if (path.len == 0) path = WR_STR("/");
        }
    }
    while (path.len > 1 && path.ptr[path.len - 1] == '/') path.len--;
    bool slash = strcmp(scheme, "file") != 0 && (path.len == 0 || path.ptr[0] != '/');
    if (path.len + slash + 1 > cap)
        return wr_raise(ctx, WR_LIMIT, "path of %zu bytes is too long", path.len);
    if (memchr(path.ptr, '\0', path.len))
        return wr_raise(ctx, WR_OPTION, "path contains a zero byte");
    if (slash) *out++ = '/';
    memcpy(out, path.ptr, path.len);
    out[path.len] = '\0';
    return WR_OK;
}

bool
wr_fs_register(void)
{
    wr_fs *fs = wri_fault_from_env(wr_fs_local());
    return fs && wr_register_fs(fs);
}
