/* SPDX-License-Identifier: Apache-2.0 */
/* Private to connector/: the parts of the filesystem connector.
 *
 * fs_options.c options; fs_list.c which files there are; fs_input.c bytes of one file or range,
 * mapped, read or decompressed; fs_source.c the reader; fs_partition.c k=v folders; fs_sink.c the
 * writer. */
#ifndef WR_CONNECTOR_FS_INT_H
#define WR_CONNECTOR_FS_INT_H

#include "connector/connector_int.h"

extern const wr_option_def wri_fs_options[];
wr_status wri_fs_path_option(wr_ctx *ctx, const wr_options *o, wr_str *out) WR_MUST_USE;

/* ---- listing --------------------------------------------------------------------------------- */
/* The files that `path` (a file, a folder with all below it, or a glob) stands for, by name; hidden
 * ones (first letter '.' or '_') below it are left out; `regex` (ptr NULL = none) must match the
 * whole path. WR_IO when nothing is there at all. */
wr_status wri_fs_list(wr_ctx *ctx, wr_str path, wr_str regex, wr_arena *a, wr_file_info **out,
                      uint32_t *count) WR_MUST_USE;
/* Where in the folder of `path` the file with that id is now, unless `table_path` and `regex` stand
 * for it under its new name too; out->path (in `a`) is empty when it is nowhere. */
wr_status wri_fs_find_renamed(wr_ctx *ctx, wr_str path, uint64_t id, wr_str table_path,
                              wr_str regex, wr_arena *a, wr_file_info *out) WR_MUST_USE;
/* The folder below which k=v folders are looked for: a glob's fixed part. */
wr_str wri_fs_root(wr_str path);
wr_str wri_fs_name(wr_str path); /* behind the last slash */

/* ---- partitions ------------------------------------------------------------------------------ */
/* The value text of partition key `key` in a file's path below `root`: unescaped, in `a`; ptr NULL
 * when the path has no such folder. */
wr_status wri_partition_of(wr_ctx *ctx, wr_str path, wr_str root, wr_str key, wr_arena *a,
                           wr_str *out) WR_MUST_USE;
/* A folder "k=v": both unescaped, in `a`. */
wr_status wri_partition_split(wr_ctx *ctx, wr_str folder, wr_arena *a, wr_str *key,
                              wr_str *value) WR_MUST_USE;
/* A partition's text as a value of its column's type; the default name is NULL. */
wr_status wri_partition_value(wr_ctx *ctx, wr_str text, wr_str default_name, const wr_type *t,
                              wr_arena *a, wr_vec *out /* CONST */) WR_MUST_USE;
/* "k=v" escaped as Hive does, of one entry, appended. */
wr_status wri_partition_name(wr_ctx *ctx, wr_str key, const wr_vec *v, uint32_t row,
                             wr_str default_name, wr_text *out) WR_MUST_USE;

/* ---- input ----------------------------------------------------------------------------------- */
typedef struct wri_input wri_input; /* bytes of one split */
/* Opens [offset, offset + length) of a file (length UINT64_MAX: up to its end). A range begins and
 * ends at a newline: it starts behind the first one at or before offset and runs through the line
 * that contains its last byte. `growing`: the end may move; nothing is mapped. */
typedef struct wri_input_spec {
    wr_str path;
    uint64_t offset, length;
    bool growing;
    bool resume; /* go on at `resume_at` exactly, uncompressed, which lies in the range */
    uint64_t resume_at;
} wri_input_spec;
wr_status wri_input_open(wr_ctx *ctx, const wri_input_spec *spec, wri_input **out) WR_MUST_USE;
/* Compressed input that goes on in the middle: works on the way there, some megabytes at a time.
 * False: there, or at the end. */
wr_status wri_input_skip(wr_ctx *ctx, wri_input *in, bool *again) WR_MUST_USE;
void wri_input_close(wri_input *in);
/* Fails when the file has become shorter below a mapping: what was read since may be zeros. */
wr_status wri_input_check(wr_ctx *ctx, wri_input *in) WR_MUST_USE;
/* Bytes not yet consumed: at least one unless *last. `need_more`: the last ones were not enough for
 * a record. *stable: they stay while a batch holds the input (wri_input_hold). */
wr_status wri_input_peek(wr_ctx *ctx, wri_input *in, bool need_more, const char **data, size_t *len,
                         bool *last, bool *stable) WR_MUST_USE;
void wri_input_consume(wri_input *in, size_t n);
/* Keep mapped bytes alive until the arena is reset. */
wr_status wri_input_hold(wr_ctx *ctx, wri_input *in, wr_arena *a) WR_MUST_USE;
uint64_t wri_input_offset(const wri_input *in); /* of the next byte, uncompressed */
uint64_t wri_input_start(const wri_input *in);
/* Hash of the file's first `len` bytes. */
wr_status wri_input_print(wr_ctx *ctx, wri_input *in, uint32_t len, uint64_t *out) WR_MUST_USE;
bool wri_input_is_packed(const wri_input *in); /* compressed: read once, from its beginning */

/* Streams of compressed bytes. */
typedef enum wri_codec { WRI_CODEC_NONE, WRI_CODEC_GZIP, WRI_CODEC_ZSTD } wri_codec;
/* By its first bytes, else by the name's ending; WR_UNSUPPORTED for .bz2, .xz, .snappy, .lz4. */
wr_status wri_codec_of(wr_ctx *ctx, wr_str path, const void *head, size_t len,
                       wri_codec *out) WR_MUST_USE;
typedef struct wri_inflater wri_inflater;
wr_status wri_inflater_create(wr_ctx *ctx, wri_codec codec, wri_inflater **out) WR_MUST_USE;
void wri_inflater_destroy(wri_inflater *z);
/* Uses some of in[0..*in_len) and fills some of out[0..*out_len); both become what was used. */
wr_status wri_inflate(wr_ctx *ctx, wri_inflater *z, const void *in, size_t *in_len, void *out,
                      size_t *out_len) WR_MUST_USE;
/* Is the stream at a place where it may end? */
bool wri_inflater_at_end(const wri_inflater *z);

#endif
