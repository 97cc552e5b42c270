/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled form of a JSONPath, shared by json_path.c (parsing), json_filter.c (filters) and
 * json_path_eval.c. */
#ifndef WR_EXPR_JSON_PATH_INT_H
#define WR_EXPR_JSON_PATH_INT_H

#include "expr/json_int.h"
#include "expr/regex_int.h"

typedef enum wri_jstep_kind {
    WRI_JS_PROP,     /* ['a'] or ['a','b'] */
    WRI_JS_WILDCARD, /* * */
    WRI_JS_INDEX,    /* [1] or [0,2] */
    WRI_JS_SLICE,    /* [1:3] */
    WRI_JS_SCAN,     /* .. : the next step at every depth */
    WRI_JS_FILTER,   /* [?(...)] */
    WRI_JS_FUNCTION  /* .length() */
} wri_jstep_kind;

typedef enum wri_jfn {
    WRI_JFN_LENGTH,
    WRI_JFN_MIN,
    WRI_JFN_MAX,
    WRI_JFN_AVG,
    WRI_JFN_SUM,
    WRI_JFN_STDDEV,
    WRI_JFN_KEYS,
    WRI_JFN_FIRST,
    WRI_JFN_LAST,
    WRI_JFN_COUNT
} wri_jfn;

typedef struct wri_jfilter wri_jfilter;

typedef struct wri_jstep wri_jstep;
struct wri_jstep {
    wri_jstep_kind kind;
    wr_str *keys; /* PROP, decoded */
    int64_t *indexes;
    uint32_t count; /* of keys or indexes */
    bool has_from, has_to;
    int64_t from, to; /* SLICE */
    wri_jfn fn;
    wri_jfilter *filter;
    wri_jstep *next;
};

typedef enum wri_joperand_kind { WRI_JO_PATH, WRI_JO_VALUE, WRI_JO_REGEX } wri_joperand_kind;
typedef struct wri_joperand {
    wri_joperand_kind kind;
    bool from_root; /* $ instead of @ */
    wri_jstep *steps;
    wri_json value;
    wri_regex *regex;
} wri_joperand;

typedef enum wri_jop {
    WRI_JOP_EXISTS,
    WRI_JOP_EQ,
    WRI_JOP_NE,
    WRI_JOP_LT,
    WRI_JOP_LE,
    WRI_JOP_GT,
    WRI_JOP_GE,
    WRI_JOP_MATCH, /* =~ */
    WRI_JOP_AND,
    WRI_JOP_OR,
    WRI_JOP_NOT
} wri_jop;
struct wri_jfilter {
    wri_jop op;
    wri_joperand l, r;
    wri_jfilter *a, *b; /* AND OR NOT */
};

struct wri_jpath {
    bool lax, bad;
    wr_str bad_text;
    wri_jstep *steps;
    bool definite; /* at most one result */
};

typedef struct wri_jparse { /* a path or filter being parsed */
    const char *p, *end;
    wr_arena *a;
    bool nomem;
    uint32_t depth;
    uint32_t regex_count;     /* at most 16: the cache must keep them all */
    wri_regex_cache *regexes; /* made when the first =~ is met */
    wr_ctx ctx;               /* for regexes */
} wri_jparse;

/* Steps after $ or @, up to the end of the text or, in a filter, to what can't go on. NULL with
 * *ok = true: none. */
wri_jstep *wri_jparse_steps(wri_jparse *j, bool in_filter, bool *ok);
/* After "?(": up to and with the closing parenthesis. NULL: malformed. */
wri_jfilter *wri_jparse_filter(wri_jparse *j);
void wri_jparse_blanks(wri_jparse *j);
/* A quoted text at p (quote ' or "), decoded. */
bool wri_jparse_quoted(wri_jparse *j, wr_str *out);

bool wri_jfilter_accepts(const wri_jfilter *f, const wri_json *root, const wri_json *node,
                         wr_arena *a);
/* First value that the steps lead to from node; NULL: none. */
const wri_json *wri_jsteps_first(const wri_jstep *steps, const wri_json *root, const wri_json *node,
                                 wr_arena *a);

#endif
