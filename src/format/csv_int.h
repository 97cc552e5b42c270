/* SPDX-License-Identifier: Apache-2.0 */
/* Private to format/: the decoder of CSV as its files share it.
 *
 * csv.c owns options, the vtable and error texts; csv_decode.isa.c is the loop from bytes to
 * vectors, built once per ISA level; csv_nested.c reads ARRAY and ROW cells; csv_encode.c is the
 * way back. */
#ifndef WR_FORMAT_CSV_INT_H
#define WR_FORMAT_CSV_INT_H

#include "format/format.h"
#include "format/kind.h"
#include "format/parse.h"

typedef struct wri_csv_column {
    uint8_t kind; /* wri_kind */
    bool zoned;
    int32_t out; /* column of the batch; -1 = not wanted */
    const wr_type *type;
    wr_str name;
} wri_csv_column;

typedef enum wri_csv_err {
    WRI_CE_NONE,
    WRI_CE_FIELD, /* column `err_column` does not convert; `err_text` */
    WRI_CE_MANY,  /* too many entries; `err_column` is the number of the surplus one */
    WRI_CE_FEW,   /* `err_column` fields were there */
    WRI_CE_QUOTE, /* something after a closing quote */
    WRI_CE_OPEN,  /* no closing quote */
    WRI_CE_UTF8,
    WRI_CE_NOMEM
} wri_csv_err;

typedef struct wri_csv {                    /* a decoder (wr_decoder) */
    char delim, quote, escape, array_delim; /* quote and escape: '\0' = none */
    bool comments, ignore_errors, trim, unmappable, trailing_comma, fail_on_missing, empty_null,
        header;
    bool has_null;
    wr_str null_literal;
    wri_csv_column *columns;
    uint32_t column_count, wanted_count;
    wr_str source_name;
    uint64_t skipped;
    wr_arena *scratch;
    /* while data is decoded */
    wr_batch *fill;
    bool stable;
    uint64_t date_key;
    uint16_t date_key2;
    int64_t date_days;
    wri_csv_err err;
    const char *err_at;    /* for messages */
    const char *resume_at; /* where to look for the end of the broken record */
    uint32_t err_column;
    wr_str err_text;
} wri_csv;

typedef struct wri_csv_run { /* what a call of the loop is given and gives */
    const char *p, *end;     /* in: data; out p: behind the last whole record */
    bool last;
    uint32_t rows, max_rows;
    uint64_t lines; /* newlines passed */
    bool partial;   /* the data ends within a record */
} wri_csv_run;

/* False: j->err tells about the record at run->p. */
typedef bool (*wri_csv_fn)(wri_csv *c, wri_csv_run *run);
bool wri_csv_rows_v1(wri_csv *c, wri_csv_run *run);
bool wri_csv_rows_v3(wri_csv *c, wri_csv_run *run);
bool wri_csv_rows_v4(wri_csv *c, wri_csv_run *run);

/* One value of `column`'s type from its text into v[row]; text is stable when `stable`. False: it
 * does not convert (nothing stored), or c->err is WRI_CE_NOMEM. Nested values too. */
bool wri_csv_store(wri_csv *c, const wri_csv_column *column, wr_str text, bool stable, wr_vec *v,
                   uint32_t row);
/* Content of a cell with doubled quotes and escapes resolved, in `a`; NULL: out of memory. */
const char *wri_csv_unescape(const wri_csv *c, wr_str raw, bool quoted, wr_arena *a, size_t *len);

extern const wr_option_def wri_csv_options[];
/* The character that an option holds: '\t' and the like are unescaped. */
wr_status wri_csv_char(wr_ctx *ctx, const wr_options *o, const char *key, char *out) WR_MUST_USE;
wr_status wri_csv_check_type(wr_ctx *ctx, const wr_field *f);
wr_status wri_csv_encoder_open(wr_ctx *ctx, const wr_options *options, const wr_schema *schema,
                               const wr_eval_env *eval, wr_arena *arena, wr_encoder **out);
wr_status wri_csv_encode(wr_ctx *ctx, wr_encoder *e, const wr_batch *batch, wr_text *out);
void wri_csv_encoder_close(wr_encoder *e);
wr_status wri_csv_infer(wr_ctx *ctx, wr_str sample, const wr_options *options, wr_arena *a,
                        wr_schema *out, bool *has_header);

#endif
