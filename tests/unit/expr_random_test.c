/* SPDX-License-Identifier: Apache-2.0 */
/* Every scalar function with random arguments of every type, extreme values among them. Whatever
 * the call means: it is refused with a message, or it gives the same value (or the same error) with
 * constants, over columns, under a selection and over a dictionary. */
#include "expr/expr.h"
#include "types/datetime.h"
#include "unit/check.h"
#include "vec/cast.h"

typedef struct dice {
    uint64_t state;
} dice;

static uint64_t
roll(dice *d, uint64_t n)
{
    d->state = d->state * 6364136223846793005ull + 1442695040888963407ull;
    return (d->state >> 33) % n;
}

static const wr_type *
random_type(dice *d, wr_arena *a)
{
    switch (roll(d, 20)) {
    case 0:
        return wr_type_of(WR_T_BOOLEAN, false);
    case 1:
        return wr_type_of(WR_T_TINYINT, false);
    case 2:
    case 3:
    case 4:
        return wr_type_of(WR_T_INT, false);
    case 5:
        return wr_type_of(WR_T_BIGINT, false);
    case 6:
        return wr_type_of(WR_T_FLOAT, false);
    case 7:
        return wr_type_of(WR_T_DOUBLE, false);
    case 8:
        return wr_type_decimal(a, 10, 3, false);
    case 9:
        return wr_type_decimal(a, 38, 10, false);
    case 10:
        return wr_type_of(WR_T_DATE, false);
    case 11:
        return wr_type_time(a, WR_T_TIME, 3, false);
    case 12:
        return wr_type_time(a, WR_T_TIMESTAMP, 3, false);
    case 13:
        return wr_type_time(a, WR_T_TIMESTAMP, 9, false);
    case 14:
        return wr_type_time(a, WR_T_TIMESTAMP_LTZ, 3, false);
    case 15:
        return wr_type_interval(a, WR_UNIT_DAY, WR_UNIT_SECOND, 2, 3, false);
    case 16:
        return wr_type_interval(a, WR_UNIT_YEAR, WR_UNIT_MONTH, 2, 0, false);
    case 17:
        return wr_type_bytes(false);
    default:
        return wr_type_string(false);
    }
}

static int64_t
random_int(dice *d, int64_t min, int64_t max)
{
    static const int64_t corners[] = {0, 1, -1, 2, -2, 7, 10, 100, -100};
    if (roll(d, 4) == 0) return roll(d, 2) ? min : max;
    const int64_t v = corners[roll(d, WR_COUNT(corners))];
    return v < min ? min : v > max ? max : v;
}

static double
random_double(dice *d)
{
    static const double corners[] = {0.0,         1.5,    -2.5, 1e300,   -1e300,
                                     1e-300,      3.25e9, 0.1,  123.456, (double)INFINITY,
                                     (double)NAN, 9.2e18};
    return corners[roll(d, WR_COUNT(corners))];
}

static wr_str
random_text(dice *d)
{
    static const char *const texts[] = {
        "",       "a",    "abc",           "2024-02-29", "10:11:12",   "2024-05-17 10:11:12.5",
        "12.5",   "-7",   "é€😀",           "yyyy-MM-dd", "%",          "a_c",
        "[",      "$.a",  "{\"a\":[1,2]}", "UTC",        "Asia/Tokyo", "\xff\xfe",
        "(a)(b)", "TRUE", "HH:mm:ss.SSS",  "k=v,a=b",    "0xff"};
    return wr_str_c(texts[roll(d, WR_COUNT(texts))]);
}

static wr_value
random_value(dice *d, const wr_type *t)
{
    wr_value v = wr_value_null(t);
    if (roll(d, 12) == 0) return v;
    v.is_null = false;
    switch (t->id) {
    case WR_T_BOOLEAN:
        v.u.b = roll(d, 2);
        break;
    case WR_T_FLOAT:
        v.u.f32 = (float)random_double(d);
        break;
    case WR_T_DOUBLE:
        v.u.f64 = random_double(d);
        break;
    case WR_T_VARCHAR:
    case WR_T_VARBINARY:
        v.u.str = random_text(d);
        break;
    case WR_T_TINYINT:
        v.u.i = random_int(d, INT8_MIN, INT8_MAX);
        break;
    case WR_T_INT:
        v.u.i = random_int(d, INT32_MIN, INT32_MAX);
        break;
    case WR_T_BIGINT:
        v.u.i = random_int(d, INT64_MIN, INT64_MAX);
        break;
    case WR_T_DECIMAL:
        if (t->phys == WR_PHYS_I128) {
            v.u.i128 = (wr_i128)random_int(d, INT64_MIN, INT64_MAX);
            if (roll(d, 3) == 0) v.u.i128 *= 10000000000000000000ull;
        } else {
            v.u.i = random_int(d, -9999999999, 9999999999);
        }
        break;
    case WR_T_TIME:
        v.u.i = random_int(d, 0, 86399999);
        break;
    case WR_T_DATE:
        v.u.i = random_int(d, -719528, 2932896);
        break;
    case WR_T_INTERVAL_YM:
        v.u.i = random_int(d, -119999, 119999);
        break;
    default:
        if (t->phys == WR_PHYS_TS)
            v.u.ts = wr_ts_of(random_int(d, -62167219200000, 253402300799999), 123456);
        else
            v.u.i = random_int(d, -62167219200000, 253402300799999);
        break;
    }
    return v;
}

static wr_expr *
random_symbol(dice *d, wr_arena *a)
{
    static const char *const symbols[] = {"DAY",   "YEAR",        "HOUR",    "MILLISECOND", "WEEK",
                                          "NULL",  "BOTH",        "LEADING", "ERROR",       "EPOCH",
                                          "MONTH", "MICROSECOND", "DEFAULT", "VALUE"};
    return wr_expr_symbol(a, symbols[roll(d, WR_COUNT(symbols))], WR_NO_SPAN);
}

#define MAX_ARGS 6
typedef struct trial {
    wr_ctx ctx;
    wr_arena *arena;
    wr_eval_env env;
    wr_value values[MAX_ARGS];
    bool symbol[MAX_ARGS];
    wr_expr *args[MAX_ARGS];
    uint32_t n;
} trial;

typedef enum how { CONSTANT, FLAT, SELECTED, DICTIONARY, HOWS } how;

/* The vectors of the columns: three rows, the value first and last, NULL between. */
static void
make_columns(trial *t, how h, wr_vec *cols)
{
    static const uint32_t dict[3] = {1, 0, 1};
    for (uint32_t i = 0; i < t->n; i++) {
        const wr_value null = wr_value_null(t->values[i].type);
        const bool d = h == DICTIONARY;
        if (t->symbol[i]) continue;
        CHECK(wr_vec_init_flat(&cols[i], t->values[i].type, 3, t->arena));
        cols[i].len = d ? 2 : 3;
        for (uint32_t row = 0; row < 3; row++) {
            const bool value = d ? row == 1 : row != 1;
            CHECK(wr_vec_put(&cols[i], row, value ? &t->values[i] : &null, t->arena));
        }
        if (!d) continue;
        cols[i].form = WR_FORM_DICT;
        cols[i].dict = dict;
    }
}

/* "value" or "ERROR: message" of the last row. */
static wr_str
outcome(trial *t, const wr_expr *call, how h)
{
    static const uint32_t last[1] = {2};
    wr_expr *e = (wr_expr *)call;
    wr_vec cols[MAX_ARGS], v;
    memset(cols, 0, sizeof cols);
    if (h != CONSTANT) make_columns(t, h, cols);
    wr_batch b = {.cols = cols, .col_count = t->n, .row_count = h == CONSTANT ? 1 : 3};
    wr_program *p = NULL;
    wr_text out;
    wr_text_init(&out, t->arena);
    wr_ctx_reset(&t->ctx);
    const bool narrow = h == SELECTED || h == DICTIONARY;
    wr_status st = wr_program_compile(&t->ctx, t->arena, &t->env, &e, 1, &p);
    wr_row_errs errs;
    uint64_t bits = 0;
    memset(&errs, 0, sizeof errs);
    errs.bits = &bits;
    if (st == WR_OK)
        st = wr_program_run_errs(&t->ctx, p, &b, narrow ? last : NULL, narrow ? 1 : b.row_count,
                                 t->arena, &v, &errs);
    const uint32_t row = h == CONSTANT ? 0 : 2;
    if (st != WR_OK)
        wr_text_printf(&out, "ERROR: %s", t->ctx.err.message);
    else if (bits >> row & 1)
        wr_text_puts(&out, "row error");
    else if (wr_vec_is_null(&v, row))
        wr_text_puts(&out, "NULL");
    else
        wr_value_display(&v, row, NULL, &out);
    return wr_text_str(&out);
}

/* The call with literals, or with columns in their place. */
static const wr_expr *
with_columns(trial *t, const wr_expr *e, bool columns)
{
    if (!columns) return e;
    wr_expr *n = WR_NEW(t->arena, wr_expr);
    *n = *e;
    for (uint32_t i = 0; i < t->n; i++)
        if (e == t->args[i] && !t->symbol[i])
            return wr_expr_column(t->arena, i, e->type, WR_NO_SPAN);
    if (e->arg_count) n->args = WR_NEW_N(t->arena, wr_expr *, e->arg_count);
    for (uint32_t i = 0; i < e->arg_count; i++)
        n->args[i] = (wr_expr *)with_columns(t, e->args[i], columns);
    return n;
}

static bool
is_error(wr_str s)
{
    return wr_str_starts(s, wr_str_c("ERROR")) || wr_str_eq(s, wr_str_c("row error"));
}

/* Errors by their being errors; constants have no negative zero. */
static bool
same(wr_str got, wr_str want)
{
    if (is_error(got) && is_error(want)) return true;
    if (wr_str_eq(got, wr_str_c("-0.0"))) got = wr_str_c("0.0");
    if (wr_str_eq(want, wr_str_c("-0.0"))) want = wr_str_c("0.0");
    return wr_str_eq(got, want);
}

static void
try_call(dice *d, const wr_fn *fn, int *bound)
{
    trial t;
    memset(&t, 0, sizeof t);
    wr_ctx_init(&t.ctx);
    t.arena = wr_arena_create(NULL, 0);
    const uint32_t max = fn->max_args < 0 ? (uint32_t)fn->min_args + 2 : (uint32_t)fn->max_args;
    t.n = (uint32_t)fn->min_args + (uint32_t)roll(d, max - (uint32_t)fn->min_args + 1);
    if (t.n > MAX_ARGS) t.n = MAX_ARGS;
    for (uint32_t i = 0; i < t.n; i++) {
        const wr_type *type = random_type(d, t.arena);
        t.values[i] = random_value(d, type);
        t.symbol[i] = roll(d, 8) == 0;
        t.args[i] = t.symbol[i] ? random_symbol(d, t.arena)
                                : wr_expr_literal(t.arena, &t.values[i], WR_NO_SPAN);
        if (!t.symbol[i]) t.values[i].type = t.args[i]->type;
    }
    wr_expr *e = NULL;
    wr_expr *args[MAX_ARGS];
    memcpy(args, t.args, sizeof args);
    const wr_status st = wr_expr_call(&t.ctx, t.arena, &t.env, fn, wr_str_c(fn->name), args, t.n,
                                      NULL, WR_NO_SPAN, &e);
    if (st != WR_OK) {
        CHECK_MSG(t.ctx.err.message[0], "%s: refused without a word", fn->name);
    } else if (wr_expr_is_deterministic(e)) {
        ++*bound;
        const wr_str want = outcome(&t, e, CONSTANT);
        for (how h = FLAT; h < HOWS; h++) {
            const wr_str got = outcome(&t, with_columns(&t, e, true), h);
            wr_text text;
            wr_text_init(&text, t.arena);
            wr_expr_print(e, WR_EXPR_PREFIX, NULL, &text);
            CHECK_MSG(same(got, want), "%.*s (%d)\n  got  %.*s\n  want %.*s",
                      WR_STR_ARG(wr_text_str(&text)), (int)h, WR_STR_ARG(got), WR_STR_ARG(want));
        }
    }
    wr_arena_destroy(t.arena);
}

/* REPEAT would make gigabytes; the words in calls of the others are the grammar's to give. */
static bool
not_for_dice(const char *name)
{
    static const char *const names[] = {"REPEAT", "JSON_EXISTS", "JSON_OBJECT", "JSON_ARRAY"};
    for (size_t i = 0; i < WR_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

TEST(constants_columns_and_dictionaries_agree)
{
    dice d = {20240517};
    int bound = 0;
    for (uint32_t i = 0; i < wr_fn_count(); i++) {
        const wr_fn *fn = wr_fn_at(i);
        if (fn->kind != WR_FN_SCALAR || not_for_dice(fn->name)) continue;
        for (int k = 0; k < 60; k++) try_call(&d, fn, &bound);
    }
    CHECK_MSG(bound > 1500, "only %d calls were typed", bound);
}

CHECK_MAIN()
