/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions written as text, for the tests of expr/: parsed, resolved, run, printed.
 *
 *     F(a, b)  "SIMILAR TO"(a, b)  CAST(a AS T)  ARRAY[a, b]  MAP[k, v]  a[i] (postfix)
 *     'text' (CHAR)  12  12L  1.50 (DECIMAL)  1e0 (DOUBLE)  X'0102'  TRUE  DATE '..'  TIMESTAMP
 * '..' #SYMBOL   R T = JSON's RETURNING T as a last argument
 *
 * Each is run three times: with constants; with every constant as a column (three rows, the middle
 * one NULL); and with columns under a selection. All must give the same. */
#ifndef WR_TESTS_EXPR_TEXT_H
#define WR_TESTS_EXPR_TEXT_H

#include "expr/fn_int.h"
#include "types/datetime.h"
#include "types/decimal.h"
#include "types/number.h"
#include "unit/check.h"
#include "vec/cast.h"

typedef struct text_call {
    const char *p;
    wr_ctx ctx;
    wr_arena *a;
    wr_eval_env env;
    bool columns; /* literals become columns */
    wr_value lits[64];
    uint32_t lit_count;
    const wr_type *returning;
    bool failed;
} text_call;

static wr_expr *text_expr(text_call *t);

static inline void
text_skip(text_call *t)
{
    while (*t->p == ' ' || *t->p == '\n') t->p++;
}
static inline bool
text_eat(text_call *t, const char *word)
{
    text_skip(t);
    size_t n = strlen(word);
    if (strncmp(t->p, word, n) != 0) return false;
    t->p += n;
    return true;
}
static inline wr_expr *
text_fail(text_call *t, const char *what)
{
    t->failed = true;
    if (t->ctx.err.status == WR_OK)
        (void)wr_raise(&t->ctx, WR_SYNTAX, "test text: %s at '%.20s'", what, t->p);
    return NULL;
}

static inline wr_str
text_quoted(text_call *t)
{
    wr_text out;
    wr_text_init(&out, t->a);
    for (t->p++; *t->p; t->p++) {
        if (*t->p == '\'') {
            if (t->p[1] != '\'') break;
            t->p++;
        }
        wr_text_putc(&out, *t->p);
    }
    t->p++;
    return wr_text_str(&out);
}

static inline const wr_type *
text_type(text_call *t)
{
    static const struct {
        const char *name;
        wr_type_id id;
    } plain[] = {{"BOOLEAN", WR_T_BOOLEAN}, {"TINYINT", WR_T_TINYINT}, {"SMALLINT", WR_T_SMALLINT},
                 {"INTEGER", WR_T_INT},     {"INT", WR_T_INT},         {"BIGINT", WR_T_BIGINT},
                 {"FLOAT", WR_T_FLOAT},     {"DOUBLE", WR_T_DOUBLE},   {"DATE", WR_T_DATE},
                 {"BITMAP", WR_T_BITMAP}};
    if (text_eat(t, "STRING")) return wr_type_string(true);
    if (text_eat(t, "BYTES")) return wr_type_bytes(true);
    if (text_eat(t, "ARRAY<")) {
        const wr_type *e = text_type(t);
        (void)text_eat(t, ">");
        return wr_type_array(t->a, e, true);
    }
    if (text_eat(t, "MAP<")) {
        const wr_type *k = text_type(t);
        (void)text_eat(t, ",");
        const wr_type *v = text_type(t);
        (void)text_eat(t, ">");
        return wr_type_map(t->a, k, v, true);
    }
    int n = 0, s = 0, used = 0;
    text_skip(t);
    if (sscanf(t->p, "DECIMAL(%d,%d)%n", &n, &s, &used) == 2 && used) {
        t->p += used;
        return wr_type_decimal(t->a, n, s, true);
    }
    bool var = strncmp(t->p, "VARCHAR(", 8) == 0;
    if (var || strncmp(t->p, "CHAR(", 5) == 0) {
        (void)sscanf(t->p + (var ? 8 : 5), "%d)%n", &n, &used);
        t->p += (var ? 8 : 5) + used;
        return wr_type_char(t->a, var ? WR_T_VARCHAR : WR_T_CHAR, n, true);
    }
    for (uint32_t i = 0; i < WR_COUNT(plain); i++)
        if (text_eat(t, plain[i].name)) return wr_type_of(plain[i].id, true);
    (void)text_fail(t, "unknown type");
    return wr_type_string(true);
}

static inline wr_expr *
text_literal(text_call *t, wr_value v)
{
    if (!t->columns || t->lit_count == WR_COUNT(t->lits))
        return wr_expr_literal(t->a, &v, WR_NO_SPAN);
    t->lits[t->lit_count] = v;
    return wr_expr_column(t->a, t->lit_count++, v.type, WR_NO_SPAN);
}

static inline wr_value
text_number(text_call *t)
{
    const char *start = t->p;
    bool point = false, exp = false;
    if (*t->p == '-') t->p++;
    for (; (*t->p >= '0' && *t->p <= '9') || *t->p == '.' || *t->p == 'e'; t->p++) {
        point = point || *t->p == '.';
        if (*t->p == 'e') {
            exp = true;
            if (t->p[1] == '-') t->p++;
        }
    }
    size_t n = (size_t)(t->p - start);
    if (exp) {
        wr_value v = {.type = wr_type_of(WR_T_DOUBLE, false)};
        (void)wr_f64_parse(start, n, &v.u.f64);
        return v;
    }
    if (point) {
        bool neg = *start == '-';
        wr_i128 u = 0;
        int p = 0, s = 0;
        (void)wr_dec_literal(start + neg, n - neg, &u, &p, &s);
        wr_value v = {.type = wr_type_decimal(t->a, p, s, false)};
        if (neg) u = -u;
        if (p > 18)
            v.u.i128 = u;
        else
            v.u.i = (int64_t)u;
        return v;
    }
    int64_t i = 0;
    (void)wr_i64_parse(start, n, &i);
    bool big = *t->p == 'L' || i > INT32_MAX || i < INT32_MIN;
    if (*t->p == 'L') t->p++;
    return wr_value_int(wr_type_of(big ? WR_T_BIGINT : WR_T_INT, false), i);
}

static inline wr_value
text_string(text_call *t)
{
    wr_str s = text_quoted(t);
    int32_t n = (int32_t)wr_utf8_count(s.ptr, s.len);
    return wr_value_str(wr_type_char(t->a, WR_T_CHAR, n, false), s);
}

static inline wr_value
text_bytes(text_call *t)
{
    t->p++;
    wr_str hex = text_quoted(t);
    char *out = wr_arena_alloc(t->a, hex.len + 1);
    for (size_t i = 0; i + 1 < hex.len; i += 2) {
        unsigned int v = 0;
        (void)sscanf(hex.ptr + i, "%2x", &v);
        out[i / 2] = (char)v;
    }
    return wr_value_str(wr_type_char(t->a, WR_T_BINARY, (int32_t)hex.len / 2, false),
                        (wr_str){out, hex.len / 2});
}

static inline wr_expr *
text_call_of(text_call *t, wr_str name, char close)
{
    wr_expr *args[64];
    uint32_t n = 0;
    char end[2] = {close, 0};
    while (!text_eat(t, end)) {
        if (n > 0 && !text_eat(t, ",")) return text_fail(t, "comma expected");
        if (text_eat(t, "R ")) {
            t->returning = text_type(t);
            continue;
        }
        if (n == 64 || !(args[n] = text_expr(t))) return text_fail(t, "argument expected");
        n++;
    }
    const wr_fn *fn = wr_fn_find(name);
    if (!fn) return text_fail(t, "no such function");
    wr_call_extra extra = {.returning = t->returning};
    wr_expr *out = NULL;
    t->returning = NULL;
    if (wr_expr_call(&t->ctx, t->a, &t->env, fn, name, args, n, &extra, WR_NO_SPAN, &out) != WR_OK)
        t->failed = true;
    return out;
}

static inline wr_expr *
text_null(text_call *t)
{
    wr_value v = wr_value_null(text_type(t));
    (void)text_eat(t, ")");
    return text_literal(t, v);
}

static inline wr_expr *
text_primary(text_call *t)
{
    text_skip(t);
    char c = *t->p;
    if (c == '\'') return text_literal(t, text_string(t));
    if (c == 'X' && t->p[1] == '\'') return text_literal(t, text_bytes(t));
    if ((c >= '0' && c <= '9') || c == '-') return text_literal(t, text_number(t));
    if (text_eat(t, "TRUE")) return text_literal(t, wr_value_bool(true));
    if (text_eat(t, "FALSE")) return text_literal(t, wr_value_bool(false));
    if (text_eat(t, "CAST(NULL AS ")) return text_null(t);
    if (text_eat(t, "CAST(")) {
        wr_expr *e = text_expr(t);
        if (!e || !text_eat(t, "AS")) return text_fail(t, "AS expected");
        const wr_type *to = text_type(t);
        (void)text_eat(t, ")");
        to = wr_type_nullable(t->a, to, e->type->nullable);
        return wr_expr_cast(t->a, e, to, false, WR_NO_SPAN);
    }
    if (text_eat(t, "DATE '")) {
        t->p--;
        int32_t days = 0;
        (void)wr_date_literal(text_quoted(t), &days);
        return text_literal(t, wr_value_int(wr_type_of(WR_T_DATE, false), days));
    }
    if (text_eat(t, "TIMESTAMP '")) {
        t->p--;
        wr_value v = {0};
        int p = 0;
        wr_ts ts = {0};
        (void)wr_ts_literal(text_quoted(t), &ts, &p);
        v.type = wr_type_time(t->a, WR_T_TIMESTAMP, p, false);
        if (p <= 3)
            v.u.i = ts.ms;
        else
            v.u.ts = ts;
        return text_literal(t, v);
    }
    if (c == '#') {
        const char *start = ++t->p;
        while ((*t->p >= 'A' && *t->p <= 'Z') || *t->p == '_') t->p++;
        char *name = wr_arena_dup(t->a, start, (size_t)(t->p - start));
        return wr_expr_symbol(t->a, name, WR_NO_SPAN);
    }
    const char *start = t->p;
    bool quoted = c == '"';
    if (quoted) {
        start++;
        while (*++t->p && *t->p != '"') {
        }
    } else {
        while ((*t->p >= 'A' && *t->p <= 'Z') || (*t->p >= '0' && *t->p <= '9') || *t->p == '_')
            t->p++;
    }
    wr_str name = {start, (size_t)(t->p - start)};
    if (quoted) t->p++;
    if (name.len == 0) return text_fail(t, "expression expected");
    if (text_eat(t, "(")) return text_call_of(t, name, ')');
    if (text_eat(t, "[")) return text_call_of(t, name, ']');
    return text_fail(t, "( expected");
}

static wr_expr *
text_expr(text_call *t)
{
    wr_expr *e = text_primary(t);
    while (e && text_eat(t, "[")) {
        wr_expr *args[2] = {e, text_expr(t)};
        if (!args[1] || !text_eat(t, "]")) return text_fail(t, "] expected");
        const wr_fn *fn = wr_fn_find(WR_STR("ITEM"));
        if (wr_expr_call(&t->ctx, t->a, &t->env, fn, WR_STR("ITEM"), args, 2, NULL, WR_NO_SPAN,
                         &e) != WR_OK) {
            t->failed = true;
            return NULL;
        }
    }
    return e;
}

/* A batch of `rows` rows whose columns are the literals; row 1 is NULL. */
static inline bool
text_batch(text_call *t, wr_batch *b, uint32_t rows)
{
    memset(b, 0, sizeof *b);
    b->arena = t->a;
    b->row_count = rows;
    b->col_count = t->lit_count;
    b->cols = WR_NEW_N(t->a, wr_vec, t->lit_count + 1);
    for (uint32_t i = 0; i < t->lit_count; i++) {
        if (!wr_vec_init_flat(&b->cols[i], t->lits[i].type, rows, t->a)) return false;
        b->cols[i].len = rows;
        for (uint32_t r = 0; r < rows; r++) {
            wr_value null = wr_value_null(t->lits[i].type);
            if (!wr_vec_put(&b->cols[i], r, r == 1 ? &null : &t->lits[i], t->a)) return false;
        }
    }
    return true;
}

typedef enum text_mode { TEXT_CONST, TEXT_COLUMNS, TEXT_SELECTED } text_mode;

/* "type | value", or "ERROR: message". */
static inline void
text_eval(const char *text, text_mode mode, wr_text *out)
{
    text_call t = {.p = text, .a = wr_arena_create(NULL, 0), .columns = mode != TEXT_CONST};
    wr_ctx_init(&t.ctx);
    wr_arena *task = wr_arena_create(NULL, 0), *batch = wr_arena_create(NULL, 0);
    wr_expr *e = text_expr(&t);
    text_skip(&t);
    if (e && *t.p) e = text_fail(&t, "end expected");
    wr_program *p = NULL;
    wr_batch b;
    wr_vec v;
    memset(&v, 0, sizeof v);
    uint32_t rows = mode == TEXT_CONST ? 1 : 3;
    static const uint32_t sel[] = {2};
    bool ok = e && wr_program_compile(&t.ctx, task, &t.env, &e, 1, &p) == WR_OK &&
              text_batch(&t, &b, rows) &&
              wr_program_run(&t.ctx, p, &b, mode == TEXT_CONST ? NULL : sel, 1, batch, &v) == WR_OK;
    if (!ok) {
        wr_text_printf(out, "ERROR: %s", t.ctx.err.message);
        if (t.ctx.err.hint[0]) wr_text_printf(out, " <- %s", t.ctx.err.hint);
    } else {
        wr_type_print(e->type, WR_TYPE_SUMMARY, out);
        wr_text_puts(out, " | ");
        uint32_t row = mode == TEXT_CONST ? 0 : 2;
        if (wr_vec_is_null(&v, row))
            wr_text_puts(out, "null");
        else
            wr_value_print_java(&v, row, NULL, out);
    }
    wr_program_close(p);
    wr_arena_destroy(batch);
    wr_arena_destroy(task);
    wr_arena_destroy(t.a);
}

typedef struct text_case {
    const char *expr, *want; /* "type | value", or "ERROR: part of the message" */
} text_case;

static inline void
text_check(const text_case *cases, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (int mode = TEXT_CONST; mode <= TEXT_COLUMNS; mode++) {
            wr_arena *a = wr_arena_create(NULL, 0);
            wr_text out;
            wr_text_init(&out, a);
            text_eval(cases[i].expr, (text_mode)mode, &out);
            wr_text_putc(&out, 0);
            const char *want = cases[i].want;
            bool ok = strncmp(want, "ERROR: ", 7) == 0
                          ? strncmp(out.ptr, want, 7) == 0 && strstr(out.ptr, want + 7) != NULL
                          : strcmp(out.ptr, want) == 0;
            CHECK_MSG(ok, "%s (%s):\n  got  %s\n  want %s", cases[i].expr,
                      mode == TEXT_CONST ? "constants" : "columns", out.ptr, want);
            wr_arena_destroy(a);
        }
    }
}

#endif
