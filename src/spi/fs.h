/* SPDX-License-Identifier: Apache-2.0 */
/* File systems. The commit primitive is rename_new, which fails when the target exists. Paths are
 * UTF-8, with or without scheme ("file:///a", "/a", "a"). Methods may block: call them from the
 * coordinator or an I/O thread, except reads of local files. */
#ifndef WR_SPI_FS_H
#define WR_SPI_FS_H

#include "spi/spi.h"

typedef struct wr_file wr_file;
typedef struct wr_fs wr_fs;

typedef struct wr_file_info {
    wr_str path; /* as it can be opened */
    uint64_t size_bytes;
    int64_t mtime_ms;
    uint64_t id; /* the same for two names of one file or folder; 0: unknown */
    bool is_dir;
} wr_file_info;

typedef struct wr_fs_ops {
    uint32_t abi;
    const char *scheme; /* "file", "memory", "s3" */
    wr_status (*open)(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_file **out); /* for reading */
    wr_status (*create)(wr_ctx *ctx, wr_fs *fs, wr_str path,
                        wr_file **out); /* for appending; fails if it exists */
    wr_status (*read_at)(wr_ctx *ctx, wr_file *f, uint64_t off, void *buf, size_t len, size_t *got);
    /* The whole file mapped read-only if the file system can (local); *data NULL if not. Valid
     * until close. Asked again, it fails when the file has become shorter since: what was read may
     * be zeros instead. */
    wr_status (*map)(wr_ctx *ctx, wr_file *f, const char **data, size_t *len);
    wr_status (*append)(wr_ctx *ctx, wr_file *f, const void *buf, size_t len);
    wr_status (*sync)(wr_ctx *ctx, wr_file *f);
    wr_status (*close)(wr_ctx *ctx,
                       wr_file *f); /* reports write errors; the file is gone either way */
    wr_status (*stat)(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_arena *a, wr_file_info *out,
                      bool *exists);
    wr_status (*list)(wr_ctx *ctx, wr_fs *fs, wr_str dir, bool recursive, wr_arena *a,
                      wr_file_info **out, uint32_t *count);
    wr_status (*mkdirs)(wr_ctx *ctx, wr_fs *fs, wr_str dir);
    wr_status (*rename_new)(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to,
                            bool *done); /* done false: target exists */
    wr_status (*rename_over)(wr_ctx *ctx, wr_fs *fs, wr_str from,
                             wr_str to); /* replaces atomically */
    wr_status (*remove)(wr_ctx *ctx, wr_fs *fs, wr_str path, bool recursive); /* absent is fine */
    /* `to` becomes a second name of the file `from` (which nobody changes any more); *done false:
     * not possible here (another device, no such thing), copy it. WR_EXISTS when `to` is there. */
    wr_status (*link)(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to, bool *done);
    /* What was created and removed in folder `dir` is on disk (renames are anyway). */
    wr_status (*sync_dir)(wr_ctx *ctx, wr_fs *fs, wr_str dir);
    /* Exclusive lock by the file `path` (made when missing), held until *out is closed or the
     * process dies. `owner` is written into it. *out NULL: somebody else has it, and *holder (in a)
     * is what they wrote. The file stays. */
    wr_status (*lock)(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_str owner, wr_arena *a, wr_file **out,
                      wr_str *holder);
    /* A file that is there, for appending behind its first `size_bytes` bytes; the others go.
     * WR_IO when it is shorter. */
    wr_status (*reopen)(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t size_bytes, wr_file **out);
} wr_fs_ops;

struct wr_fs {
    const wr_fs_ops *ops;
};
struct wr_file {
    const wr_fs_ops *ops;
};

#endif
