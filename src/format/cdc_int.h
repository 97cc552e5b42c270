/* SPDX-License-Identifier: Apache-2.0 */
/* Private to format/: changelogs as JSON messages. A message is an envelope: an operation, and rows
 * as they were before and after it, or the rows and what of them was different before.
 *
 * cdc_formats.c formats and options; cdc.c lines and error texts; cdc_decode.isa.c the loop over
 * envelopes, built once per ISA level; cdc_meta.c what else a message tells; cdc_encode.c the way
 * back. */
#ifndef WR_FORMAT_CDC_INT_H
#define WR_FORMAT_CDC_INT_H

#include "format/json_int.h"

#define WRI_CDC_MEMBERS_MAX 20u
#define WRI_CDC_GUESSES     8u /* rows of a message that are decoded before its operation is known */

typedef enum wri_cdc_shape {
    WRI_CDC_PAIR,  /* `first` the row before, `second` the row after */
    WRI_CDC_ROW,   /* `first` the row, `second` what of it was different before */
    WRI_CDC_ARRAYS /* the same, but arrays of rows */
} wri_cdc_shape;

typedef struct wri_cdc_meta_def { /* a metadata column: a member of the envelope, or of one of its
                                   */
    const char *key, *member, *sub;
    enum {
        WRI_CDC_STRING,
        WRI_CDC_TIME3, /* milliseconds since the epoch */
        WRI_CDC_TIME6, /* a timestamp with local time zone, as text */
        WRI_CDC_STRINGS,
        WRI_CDC_INT_MAP,
        WRI_CDC_STRING_MAP
    } type;
} wri_cdc_meta_def;

typedef struct wri_cdc_format {
    const char *title; /* in messages */
    wri_cdc_shape shape;
    const char *first, *second, *op;
    const char *inserts[2], *update, *remove, *ignored; /* values of `op`; NULL: none */
    const char *others[12]; /* further members, so that their keys are known at a glance */
    const wri_cdc_meta_def *metadata;
} wri_cdc_format;

typedef enum wri_cdc_err {
    WRI_CDC_FINE,
    WRI_CDC_JSON, /* json.err */
    WRI_CDC_NULL, /* something that the operation needs is missing */
    WRI_CDC_NO_BEFORE,
    WRI_CDC_UNKNOWN /* operation */
} wri_cdc_err;

/* Indices of members; others behind. */
enum { WRI_CDC_FIRST, WRI_CDC_SECOND, WRI_CDC_OP, WRI_CDC_PAYLOAD, WRI_CDC_NAMED };

typedef struct wri_cdc_meta { /* a metadata column that is wanted */
    uint32_t member;
    wri_json_node node;   /* of its value; its name is the key in the member's object when `sub` */
    wri_json_node holder; /* an object with that one field, to look for it */
    bool sub;
    const char *at; /* in the present message, NULL: not there */
} wri_cdc_meta;

typedef struct wri_cdc_filter { /* a member must match a pattern */
    uint32_t member;
    wr_str pattern; /* ptr NULL: none */
    wr_str last;    /* the last value asked about, in its own memory, and the answer */
    size_t last_cap;
    bool matches;
} wri_cdc_filter;

typedef struct wri_cdc { /* wr_decoder */
    wri_json json;       /* of the rows; first, so that it is one itself */
    const wri_cdc_format *format;
    wri_json_node envelope; /* an object of the members */
    bool wrapped;           /* the envelope is the member `payload` */
    wri_cdc_meta *metas;
    uint32_t meta_count;
    wri_cdc_filter filters[2];
    uint32_t filter_count;
    wr_ctx *ctx;   /* of the call, for patterns */
    uint8_t *kind; /* of the batch */
    uint32_t row, max_rows;
    uint32_t skip; /* rows of the next message that were given before */
    /* the present message */
    const char *at[WRI_CDC_MEMBERS_MAX]; /* where the members' values are; NULL: not there */
    uint32_t first_row, index;           /* index: of the next row among the message's */
    uint32_t touched;                    /* rows from first_row on that are not all NULL */
    const char *guess[WRI_CDC_GUESSES];  /* the objects that were decoded into them */
    uint32_t guess_count;
    bool full; /* it has more rows than the batch has room for */
    wri_cdc_err err;
    const char *err_op; /* what the message was about, for WRI_CDC_NO_BEFORE */
} wri_cdc;

/* `message`: one, at its opening brace, into rows from c->row on; behind it, or NULL with c->err.
 * `lines`: as many lines as are plain messages, up to `safe`, see wri_json_fns. */
typedef struct wri_cdc_fns {
    const char *(*message)(wri_cdc *c, const char *p);
    const char *(*lines)(wri_cdc *c, const char *p, const char *safe);
} wri_cdc_fns;
extern const wri_cdc_fns wri_cdc_fns_v1;
extern const wri_cdc_fns wri_cdc_fns_v3;
extern const wri_cdc_fns wri_cdc_fns_v4;

/* Do the filters want the message whose members c->at tells? False: no, or c->err. */
bool wri_cdc_wanted(wri_cdc *c);
/* Rows of the present message that were begun become all NULL again, from number `from` on. */
bool wri_cdc_forget(wri_cdc *c, uint32_t from) WR_MUST_USE;
bool wri_cdc_begin_columns(wri_cdc *c, uint32_t from, uint32_t to) WR_MUST_USE;

wr_status wri_cdc_metadata(wr_ctx *ctx, const wri_cdc_format *f, wr_arena *a,
                           const wr_metadata_col **out) WR_MUST_USE;
wr_status wri_cdc_metas_open(wr_ctx *ctx, const wr_decode_spec *spec, wri_cdc *c) WR_MUST_USE;

/* ---- the decoder (cdc.c), as the vtables of the formats have it ------------------------------ */
extern const wr_option_def wri_cdc_canal_options[];
wr_status wri_cdc_open(wr_ctx *ctx, const wr_decode_spec *spec, const wri_cdc_format *f,
                       bool wrapped, wr_decoder **out) WR_MUST_USE;
wr_status wri_cdc_decode(wr_ctx *ctx, wr_decoder *d, const char *data, size_t len, bool last,
                         bool stable, wr_batch *fill, uint32_t *rows, uint32_t max_rows,
                         size_t *used, wr_decode_pos *pos);
wr_status wri_cdc_decode_one(wr_ctx *ctx, wr_decoder *d, wr_str text, wr_batch *fill,
                             uint32_t *rows, uint32_t max_rows, wr_decode_pos *pos);
uint32_t wri_cdc_partial(const wr_decoder *d);
void wri_cdc_resume(wr_decoder *d, uint32_t rows);
void wri_cdc_close(wr_decoder *d);

extern const wri_cdc_format wri_cdc_debezium, wri_cdc_canal, wri_cdc_maxwell, wri_cdc_ogg;
wr_status wri_cdc_encode(wr_ctx *ctx, const wri_cdc_format *f, const wr_encoder *json,
                         const wr_batch *batch, wr_text *out) WR_MUST_USE;

#endif
