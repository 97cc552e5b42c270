/* SPDX-License-Identifier: Apache-2.0 */
/* JSON for SQL functions: a bounded parser into a tree over the source text, a printer, and
 * JSONPath.
 *
 * The tree lives in the arena given (usually the batch's) and points into the text. The parser is
 * as strict as Jackson with its defaults (no comments, single quotes, NaN, leading zeros), stops
 * after the first value as Jackson does, and bounds the depth. Printing normalises as Flink does:
 * object keys sorted, the last of equal keys wins, numbers as BigDecimal prints them. */
#ifndef WR_EXPR_JSON_INT_H
#define WR_EXPR_JSON_INT_H

#include "base/base.h"
#include "mem/mem.h"

#define WRI_JSON_DEPTH_MAX 1000u

typedef enum wri_json_kind {
    WRI_JSON_NULL,
    WRI_JSON_FALSE,
    WRI_JSON_TRUE,
    WRI_JSON_NUMBER,
    WRI_JSON_STRING,
    WRI_JSON_ARRAY,
    WRI_JSON_OBJECT
} wri_json_kind;

typedef struct wri_json wri_json;
struct wri_json {
    uint8_t kind;     /* wri_json_kind */
    bool escaped;     /* STRING: has escapes; NUMBER: has a fraction or exponent */
    bool key_escaped; /* of an object's member */
    uint32_t count;   /* elements or members, duplicates counted */
    wr_str raw;       /* NUMBER: its text; STRING: between the quotes */
    wr_str key;       /* member of an object: between the quotes */
    wri_json *child, *next;
};

typedef enum wri_json_status { WRI_JSON_OK, WRI_JSON_BAD, WRI_JSON_NOMEM } wri_json_status;
typedef struct wri_json_error {
    char text[200]; /* Jackson's sentence */
    size_t at;      /* byte */
} wri_json_error;

/* Parse the first value of `text`. `err` may be NULL. */
wri_json_status wri_json_parse(wr_arena *a, wr_str text, wri_json **out, wri_json_error *err);
/* Is the text a JSON value? Needs no tree. *kind = its kind. */
bool wri_json_check(wr_str text, wri_json_kind *kind);

bool wri_json_is_scalar(const wri_json *v); /* not array, not object */
/* The string that `raw` stands for; `raw` itself when nothing is escaped. NULL ptr: out of memory.
 */
wr_str wri_json_unescape(wr_arena *a, wr_str raw, bool escaped);
/* Write the decoded bytes; out has room for raw.len. Returns their number. */
size_t wri_json_decode(char *out, wr_str raw);
/* The last member with this (decoded) key, or NULL. */
const wri_json *wri_json_member(const wri_json *object, wr_str key, wr_arena *a);

/* ---- printing -------------------------------------------------------------------------------- */
void wri_json_print(wr_text *out, const wri_json *v);
void wri_json_put_string(wr_text *out, wr_str s); /* with quotes and escapes */
/* A JSON or Java number as BigDecimal.toString prints it: 1e10 -> 1E+10. */
void wri_json_put_number(wr_text *out, wr_str text);
/* Java's String.compareTo on UTF-8: by UTF-16 units. */
int wri_json_key_cmp(wr_str a, wr_str b);

struct wr_vec;
struct wr_tz;
/* Entry `row` of a vector whose type has a form in JSON (fn_json_build.c). *null_key is set when a
 * map has a NULL key (the text is then garbage); may be NULL. */
void wri_json_put_value(wr_text *out, const struct wr_vec *v, uint32_t row, const struct wr_tz *tz,
                        bool *null_key);

/* ---- JSONPath (json_path.c, json_path_eval.c) ------------------------------------------------ */
typedef struct wri_jpath wri_jpath;
typedef enum wri_jpath_status {
    WRI_JPATH_OK,
    WRI_JPATH_ERROR, /* `why` says what; strict mode only */
    WRI_JPATH_NOMEM
} wri_jpath_status;
/* Compile "[lax|strict] path"; a malformed one gives a path whose every evaluation is an error.
 * NULL: out of memory. */
wri_jpath *wri_jpath_compile(wr_arena *a, wr_str spec);
bool wri_jpath_is_lax(const wri_jpath *p);
/* *out = the value found: for an indefinite path the array of all; NULL in lax mode when there is
 * none. */
wri_jpath_status wri_jpath_eval(const wri_jpath *p, const wri_json *doc, wr_arena *a,
                                const wri_json **out, wri_json_error *why);

#endif
