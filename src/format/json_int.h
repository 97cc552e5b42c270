/* SPDX-License-Identifier: Apache-2.0 */
/* Private to format/: the decoder of JSON as its files share it.
 *
 * json.c owns options, the vtable, lines and error texts; json_decode.isa.c is the loop from bytes
 * to vectors, built once per ISA level; json_text.c writes a value as normalised JSON text;
 * json_encode.c is the way back. */
#ifndef WR_FORMAT_JSON_INT_H
#define WR_FORMAT_JSON_INT_H

#include "format/format.h"
#include "format/kind.h"
#include "format/parse.h"

#define WRI_JSON_PAD       64u /* bytes that may be read behind a record */
#define WRI_JSON_DEPTH_MAX 1000u

typedef struct wri_json_node wri_json_node;
struct wri_json_node { /* one position of the schema */
    uint8_t kind;      /* wri_kind */
    bool dense;        /* below an ARRAY or MAP: entries are valid until set null */
    bool zoned;        /* TIMESTAMP_LTZ: a 'Z' follows */
    int32_t out;       /* columns of the record: column of the batch, -1 = not wanted */
    const wr_type *type;
    wr_str name;
    const char *literal; /* "name": with both quotes and the colon, padded with zeros to words */
    uint32_t literal_len;
    uint64_t literal_mask; /* of its last word */
    wri_json_node *kids;
    uint32_t kid_count;
    uint32_t *after; /* ROW: the field that followed field i last time; [kid_count]: the first */
};

typedef enum wri_json_err {
    WRI_JE_NONE,
    WRI_JE_SYNTAX,  /* `what` says more */
    WRI_JE_FIELD,   /* a value does not convert; `field` */
    WRI_JE_MISSING, /* fail-on-missing-field; `field` */
    WRI_JE_OBJECT,  /* an element of a top-level array is no object */
    WRI_JE_NOMEM
} wri_json_err;

typedef struct wri_json { /* a decoder (wr_decoder) */
    wri_json_node root;   /* ROW of the schema */
    bool fail_on_missing, ignore_errors, iso, tree;
    wr_arena *arena;   /* task */
    wr_arena *scratch; /* reset per record that needs it */
    wr_str source_name;
    uint64_t skipped;
    uint32_t elements_done; /* of a top-level array that did not fit into the last batch */
    char *line;             /* padded copy of a record near the end of the data */
    size_t line_cap;
    uint64_t date_key; /* cache of the last date: its ten bytes and its day */
    uint16_t date_key2;
    int64_t date_days;
    /* while a record is decoded */
    wr_batch *fill;
    const char *end; /* of the record */
    bool stable;
    bool in_line; /* a newline ends the record, so it is neither blank nor part of a string */
    bool overlay; /* a row's fields are replaced by those of a second object; the rest stays */
    uint32_t depth;
    wri_json_err err;
    const char *err_at;
    const char *what;
    wr_str field;
} wri_json;

/* One object at `p` (behind its brace) into row `row`; the byte behind it, or NULL with j->err. */
typedef struct wri_json_fns {
    /* As many lines as are plain objects, from p on, into rows from *row on: behind the last one.
     * Stops at anything else, and at `safe`, which is behind a newline and has WRI_JSON_PAD bytes
     * behind it. */
    const char *(*lines)(wri_json *j, const char *p, const char *safe, uint32_t *row,
                         uint32_t max_rows);
    const char *(*object)(wri_json *j, const char *p, uint32_t row);
    const char *(*skip)(wri_json *j, const char *p); /* any value, validated */
    /* Elements of an array, behind its bracket, `first` of them skipped, to the columns in order.
     */
    const char *(*positional)(wri_json *j, const char *p, uint32_t first, uint32_t row);
} wri_json_fns;

/* Any value at `p` into entry `row`; what the loops over envelopes call, each its own level. */
#define WRI_JSON_LEVEL(v)                                                                          \
    const char *wri_json_value_##v(wri_json *j, const char *p, const wri_json_node *n,             \
                                   wr_vec *vec, uint32_t row);                                     \
    const char *wri_json_object_##v(wri_json *j, const char *p, uint32_t row);
WRI_JSON_LEVEL(v1)
WRI_JSON_LEVEL(v3)
WRI_JSON_LEVEL(v4)

extern const wri_json_fns wri_json_fns_v1;
extern const wri_json_fns wri_json_fns_v3;
extern const wri_json_fns wri_json_fns_v4;

/* JSON text of the value at `p`, as Jackson's tree prints it, into an arena; behind it, or NULL. */
const char *wri_json_text(wri_json *j, const char *p, wr_arena *a, wr_str *out);
/* A string token's content without escapes: from behind its opening quote up to `close`. Room for
 * the raw length in `out`. False: a bad escape. */
bool wri_format_unescape(const char *p, const char *close, char *out, size_t *len);
/* A string in quotes with Jackson's escapes; `pairs`: characters beyond U+FFFF as two of them, as
 * in files. */
void wri_json_quote(wr_text *out, wr_str s, bool pairs);

/* ---- parts of the decoder for formats whose records hold such objects (json.c) --------------- */
wr_status wri_json_open(wr_ctx *ctx, const wr_decode_spec *spec, wri_json *j) WR_MUST_USE;
void wri_json_close(wr_decoder *d);
uint64_t wri_json_skipped(const wr_decoder *d);
bool wri_json_node_init(wri_json_node *n, wr_str name, const wr_type *t, wr_arena *a) WR_MUST_USE;
/* Rows [from, to) of the columns that are wanted become NULL; the end of that, see kind.h. */
bool wri_json_begin_columns(wri_json *j, wr_batch *fill, uint32_t from, uint32_t to) WR_MUST_USE;
void wri_json_end_columns(wri_json *j, wr_batch *fill, uint32_t rows);
/* A record of `len` bytes is going to be read at *begin: at `p`, or a copy with room behind it. */
wr_status wri_json_begin(wr_ctx *ctx, wri_json *j, const char *p, size_t len, bool padded,
                         bool stable, const char **begin) WR_MUST_USE;
/* What went wrong, before raising; where it was in the record at `begin`, behind it. */
void wri_json_hint(wr_ctx *ctx, const wri_json *j);
void wri_json_frame(wr_ctx *ctx, const wri_json *j, const char *begin, const wr_decode_pos *pos);
wr_status wri_json_validate(wr_ctx *ctx, const wr_schema *schema, const wr_options *options,
                            bool encode) WR_MUST_USE;

extern const wr_option_def wri_json_options[];
wr_status wri_json_encoder_open(wr_ctx *ctx, const wr_options *options, const wr_schema *schema,
                                const wr_eval_env *eval, wr_arena *arena, wr_encoder **out);
wr_status wri_json_encode(wr_ctx *ctx, wr_encoder *e, const wr_batch *batch, wr_text *out);
/* One row as an object, without a newline. */
wr_status wri_json_encode_object(wr_ctx *ctx, const wr_encoder *e, const wr_batch *batch,
                                 uint32_t row, wr_text *out) WR_MUST_USE;
bool wri_json_skips_nulls(const wr_encoder *e); /* encode.ignore-null-fields */
void wri_json_encoder_close(wr_encoder *e);
wr_status wri_json_check_type(wr_ctx *ctx, const wr_type *t);
wr_status wri_json_infer(wr_ctx *ctx, wr_str sample, const wr_options *options, wr_arena *a,
                         wr_schema *out, bool *has_header);

#endif
