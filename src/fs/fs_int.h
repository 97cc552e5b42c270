/* SPDX-License-Identifier: Apache-2.0 */
/* Private to fs/: the path of a wr_str as the file systems of this room see it. */
#ifndef WR_FS_FS_INT_H
#define WR_FS_FS_INT_H

#include "fs/fs.h"

/* What follows the scheme: "file:///a/b", "file:/a/b" and "/a/b" are "/a/b"; "memory://a" is "/a".
 * Trailing slashes go, the root stays. Raises WR_LIMIT when it does not fit. */
wr_status wri_fs_path(wr_ctx *ctx, wr_str path, const char *scheme, char *out,
                      size_t cap) WR_MUST_USE;

/* `fs`, or a wrapper around it that fails as the environment's WEIR_FAULT says. NULL: WEIR_FAULT
 * is malformed. It lives for ever. */
wr_fs *wri_fault_from_env(wr_fs *fs) WR_MUST_USE;

#endif
