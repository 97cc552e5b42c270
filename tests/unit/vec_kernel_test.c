/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels against the scalar loop: random data, NULLs, all forms, selections. */
#include "check.h"
#include "types/decimal.h"
#include "unit/type_parse.h"
#include "unit/vec_random.h"
#include "vec/kernel.h"
#include "vec/kernels/kernels_int.h"

static wr_arena *a;
static wr_ctx ctx;

__attribute__((constructor)) static void
setup(void)
{
    a = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
}

static wr_value
get(const wr_vec *v, uint32_t row)
{
    wr_value x;
    CHECK(wr_vec_get(v, row, a, &x));
    return x;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
static int64_t
wrap(const wr_type *t, int64_t v)
{
    switch (t->phys) {
    case WR_PHYS_I8:
        return (int8_t)v;
    case WR_PHYS_I16:
        return (int16_t)v;
    case WR_PHYS_I32:
        return (int32_t)v;
    default:
        return v;
    }
}

/* The scalar truth for integers; false: division by zero. */
static bool
scalar_int(wr_binop op, const wr_type *t, int64_t x, int64_t y, int64_t *out)
{
    switch (op) {
    case WR_OP_ADD:
        *out = wrap(t, (int64_t)((uint64_t)x + (uint64_t)y));
        return true;
    case WR_OP_SUB:
        *out = wrap(t, (int64_t)((uint64_t)x - (uint64_t)y));
        return true;
    case WR_OP_MUL:
        *out = wrap(t, (int64_t)((uint64_t)x * (uint64_t)y));
        return true;
    case WR_OP_DIV:
        if (y == 0) return false;
        *out = y == -1 ? wrap(t, (int64_t)(0 - (uint64_t)x)) : x / y;
        return true;
    case WR_OP_MOD:
        if (y == 0) return false;
        *out = y == -1 ? 0 : x % y;
        return true;
    }
    return false;
}

static double
scalar_float(wr_binop op, bool single, double x, double y)
{
    double r = op == WR_OP_ADD ? x + y : op == WR_OP_SUB ? x - y : op == WR_OP_MUL ? x * y : x / y;
    return single ? (double)(float)r : r;
}

static bool
same_float(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

static void
check_arith(rnd *r, wr_binop op, const wr_type *t, uint32_t rows)
{
    const bool approx = wr_type_family(t) == WR_FAM_APPROX;
    const wr_vec x = rnd_vec(r, t, rows, a), y = rnd_vec(r, t, rows, a);
    uint32_t n;
    const uint32_t *sel = rnd_sel(r, rows, &n, a);
    uint64_t *bits = WR_NEW_N(a, uint64_t, WR_BIT_WORDS(rows) + 1);
    wr_row_errs errs = {.bits = bits};
    const bool with_errs = rnd_below(r, 2);
    wr_vec out = {.type = t};
    CHECK_OK(&ctx, wr_kernel_arith(&ctx, op, &x, &y, sel, n, &out, a, with_errs ? &errs : NULL));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i;
        const wr_value p = get(&x, row), q = get(&y, row), z = get(&out, row);
        int64_t want = 0;
        bool null = p.is_null || q.is_null, err = false;
        if (!null && !approx && !scalar_int(op, t, p.u.i, q.u.i, &want)) err = null = true;
        CHECK_EQ_INT(z.is_null, null);
        CHECK_EQ_INT(wr_bit_get(bits, row), err && with_errs);
        if (null) continue;
        if (t->id == WR_T_DOUBLE)
            CHECK(same_float(z.u.f64, scalar_float(op, false, p.u.f64, q.u.f64)));
        else if (t->id == WR_T_FLOAT)
            CHECK(same_float((double)z.u.f32,
                             scalar_float(op, true, (double)p.u.f32, (double)q.u.f32)));
        else
            CHECK_EQ_INT(z.u.i, want);
    }
    if (errs.any) CHECK_EQ_STR(errs.first_message, "/ by zero");
}

TEST(arithmetic_is_the_scalar_loop)
{
    static const wr_type_id ids[] = {WR_T_TINYINT, WR_T_SMALLINT, WR_T_INT,
                                     WR_T_BIGINT,  WR_T_FLOAT,    WR_T_DOUBLE};
    rnd r = {1};
    for (int round = 0; round < 300; round++) {
        const wr_type *t = wr_type_of(ids[rnd_below(&r, 6)], rnd_below(&r, 3) > 0);
        const bool approx = wr_type_family(t) == WR_FAM_APPROX;
        check_arith(&r, (wr_binop)rnd_below(&r, approx ? 4 : 5), t, 1 + rnd_below(&r, 200));
        if (round % 20 == 0) wr_arena_reset(a);
    }
}

static wr_i128
exact(const wr_value *v)
{
    return v->type->phys == WR_PHYS_I128 ? v->u.i128 : (wr_i128)v->u.i;
}

static int
scale(const wr_type *t)
{
    return t->id == WR_T_DECIMAL ? t->scale : 0;
}

TEST(decimal_arithmetic_is_the_scalar_loop)
{
    static const char *const types[] = {"DECIMAL(4, 1)",   "DECIMAL(9, 2)",   "DECIMAL(18, 6)",
                                        "DECIMAL(20, 10)", "DECIMAL(38, 18)", "INT",
                                        "BIGINT",          "TINYINT"};
    static const char sign[] = "+-*/%";
    rnd r = {2};
    for (int round = 0; round < 400; round++) {
        const wr_type *tx = type_parse(a, types[rnd_below(&r, 8)]);
        const wr_type *ty = type_parse(a, types[rnd_below(&r, 5)]); /* one is a DECIMAL */
        const wr_binop op = (wr_binop)rnd_below(&r, 5);
        const wr_vec x = rnd_vec(&r, tx, 40, a), y = rnd_vec(&r, ty, 40, a);
        wr_vec out = {0};
        CHECK_OK(&ctx, wr_type_arith(&ctx, a, sign[op], tx, ty, &out.type));
        const wr_type *t = out.type;
        wr_row_errs errs = {0};
        CHECK_OK(&ctx, wr_kernel_arith(&ctx, op, &x, &y, NULL, 40, &out, a, &errs));
        for (uint32_t i = 0; i < 40; i++) {
            const wr_value p = get(&x, i), q = get(&y, i), z = get(&out, i);
            const int sx = scale(tx), sy = scale(ty);
            wr_i128 want = 0;
            bool ok = !p.is_null && !q.is_null;
            if (ok && exact(&q) == 0 && op >= WR_OP_DIV) ok = false;
            if (ok) {
                const wr_i128 u = exact(&p), v = exact(&q);
                ok = op == WR_OP_ADD   ? wr_dec_add(u, sx, v, sy, t->precision, t->scale, &want)
                     : op == WR_OP_SUB ? wr_dec_sub(u, sx, v, sy, t->precision, t->scale, &want)
                     : op == WR_OP_MUL ? wr_dec_mul(u, sx, v, sy, t->precision, t->scale, &want)
                     : op == WR_OP_DIV ? wr_dec_div(u, sx, v, sy, t->precision, t->scale, &want)
                                       : wr_dec_mod(u, sx, v, sy, t->precision, t->scale, &want);
            }
            CHECK_EQ_INT(z.is_null, !ok);
            if (ok) CHECK(exact(&z) == want);
        }
        if (errs.any) CHECK_EQ_STR(errs.first_message, "Division by zero");
        if (round % 20 == 0) wr_arena_reset(a);
    }
}

TEST(negation)
{
    static const char *const types[] = {"TINYINT", "SMALLINT", "INT",           "BIGINT",
                                        "FLOAT",   "DOUBLE",   "DECIMAL(38, 2)"};
    rnd r = {3};
    for (int round = 0; round < 100; round++) {
        const wr_type *t = type_parse(a, types[rnd_below(&r, 7)]);
        const wr_vec x = rnd_vec(&r, t, 70, a);
        wr_vec out;
        CHECK_OK(&ctx, wr_kernel_negate(&ctx, &x, NULL, 70, &out, a));
        for (uint32_t i = 0; i < 70; i++) {
            const wr_value p = get(&x, i), z = get(&out, i);
            CHECK_EQ_INT(z.is_null, p.is_null);
            if (p.is_null) continue;
            if (t->id == WR_T_DOUBLE)
                CHECK(same_float(z.u.f64, -p.u.f64));
            else if (t->id == WR_T_FLOAT)
                CHECK(same_float((double)z.u.f32, -(double)p.u.f32));
            else if (t->phys == WR_PHYS_I128)
                CHECK(z.u.i128 == -p.u.i128);
            else
                CHECK_EQ_INT(z.u.i, wrap(t, (int64_t)(0 - (uint64_t)p.u.i)));
        }
    }
    wr_arena_reset(a);
}

/* ---- comparison ------------------------------------------------------------------------------ */
static bool
holds(wr_cmpop op, bool lt, bool eq)
{
    switch (op) {
    case WR_CMP_EQ:
        return eq;
    case WR_CMP_NE:
        return !eq;
    case WR_CMP_LT:
        return lt;
    case WR_CMP_LE:
        return lt || eq;
    case WR_CMP_GT:
        return !lt && !eq;
    case WR_CMP_GE:
        return !lt;
    }
    return false;
}

static bool
scalar_compare(wr_cmpop op, const wr_vec *x, const wr_vec *y, uint32_t row)
{
    const wr_value p = get(x, row), q = get(y, row);
    if (p.type->id == WR_T_DOUBLE || p.type->id == WR_T_FLOAT) { /* IEEE: no order with NaN */
        const double u = p.type->id == WR_T_FLOAT ? (double)p.u.f32 : p.u.f64;
        const double v = p.type->id == WR_T_FLOAT ? (double)q.u.f32 : q.u.f64;
        if (isnan(u) || isnan(v)) return op == WR_CMP_NE;
        return holds(op, u < v, !(u < v) && !(u > v));
    }
    if (p.type->id == WR_T_DECIMAL) {
        const int c = wr_dec_cmp(exact(&p), p.type->scale, exact(&q), q.type->scale);
        return holds(op, c < 0, c == 0);
    }
    if (op <= WR_CMP_NE) return wr_vec_entry_eq(x, row, y, row) == (op == WR_CMP_EQ);
    const int c = wr_vec_entry_cmp(x, row, y, row);
    return holds(op, c < 0, c == 0);
}

TEST(comparison_is_the_scalar_loop)
{
    static const char *const types[][2] = {{"BOOLEAN", "BOOLEAN"},
                                           {"TINYINT", "TINYINT"},
                                           {"SMALLINT", "SMALLINT"},
                                           {"INT", "INT"},
                                           {"BIGINT", "BIGINT"},
                                           {"FLOAT", "FLOAT"},
                                           {"DOUBLE", "DOUBLE"},
                                           {"STRING", "STRING"},
                                           {"TIMESTAMP(9)", "TIMESTAMP(9)"},
                                           {"DECIMAL(4, 1)", "DECIMAL(4, 1)"},
                                           {"DECIMAL(4, 1)", "DECIMAL(9, 2)"},
                                           {"DECIMAL(38, 18)", "DECIMAL(9, 2)"},
                                           {"DECIMAL(38, 18)", "DECIMAL(38, 18)"},
                                           {"ARRAY<INT>", "ARRAY<INT>"},
                                           {"ROW<a INT, b STRING>", "ROW<a INT, b STRING>"}};
    rnd r = {4};
    for (int round = 0; round < 400; round++) {
        const uint32_t k = rnd_below(&r, 15), rows = 1 + rnd_below(&r, 150);
        const wr_vec x = rnd_vec(&r, type_parse(a, types[k][0]), rows, a);
        const wr_vec y = rnd_vec(&r, type_parse(a, types[k][1]), rows, a);
        const wr_cmpop op = (wr_cmpop)rnd_below(&r, 6);
        uint32_t n;
        const uint32_t *sel = rnd_sel(&r, rows, &n, a);
        wr_vec out;
        CHECK_OK(&ctx, wr_kernel_compare(&ctx, op, &x, &y, sel, n, &out, a));
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = sel ? sel[i] : i;
            const bool null = wr_vec_is_null(&x, row) || wr_vec_is_null(&y, row);
            CHECK_EQ_INT(wr_vec_is_null(&out, row), null);
            if (!null)
                CHECK_MSG(get(&out, row).u.b == scalar_compare(op, &x, &y, row), "%s op %d",
                          types[k][0], op);
        }
        if (round % 20 == 0) wr_arena_reset(a);
    }
}

/* ---- logic ----------------------------------------------------------------------------------- */
static int /* 0 false, 1 true, 2 NULL */
three(const wr_vec *v, uint32_t row)
{
    const wr_value x = get(v, row);
    return x.is_null ? 2 : x.u.b;
}

TEST(three_valued_logic)
{
    rnd r = {5};
    for (int round = 0; round < 200; round++) {
        const uint32_t rows = 1 + rnd_below(&r, 200);
        const wr_type *t = wr_type_of(WR_T_BOOLEAN, rnd_below(&r, 3) > 0);
        const wr_vec x = rnd_vec(&r, t, rows, a), y = rnd_vec(&r, t, rows, a);
        wr_vec both, either, not, null, is_true, distinct;
        CHECK_OK(&ctx, wr_kernel_and(&ctx, &x, &y, NULL, rows, &both, a));
        CHECK_OK(&ctx, wr_kernel_or(&ctx, &x, &y, NULL, rows, &either, a));
        CHECK_OK(&ctx, wr_kernel_not(&ctx, &x, NULL, rows, &not, a));
        CHECK_OK(&ctx, wr_kernel_is_null(&ctx, &x, false, NULL, rows, &null, a));
        CHECK_OK(&ctx, wr_kernel_is_bool(&ctx, &x, true, true, NULL, rows, &is_true, a));
        CHECK_OK(&ctx, wr_kernel_distinct(&ctx, &x, &y, false, NULL, rows, &distinct, a));
        for (uint32_t i = 0; i < rows; i++) {
            const int p = three(&x, i), q = three(&y, i);
            CHECK_EQ_INT(three(&both, i), p == 0 || q == 0 ? 0 : p == 1 && q == 1 ? 1 : 2);
            CHECK_EQ_INT(three(&either, i), p == 1 || q == 1 ? 1 : p == 0 && q == 0 ? 0 : 2);
            CHECK_EQ_INT(three(&not, i), p == 2 ? 2 : !p);
            CHECK_EQ_INT(three(&null, i), p == 2);
            CHECK_EQ_INT(three(&is_true, i), p != 1);
            CHECK_EQ_INT(three(&distinct, i), p != q);
        }
        if (round % 20 == 0) wr_arena_reset(a);
    }
}

TEST(selection)
{
    rnd r = {6};
    for (int round = 0; round < 300; round++) {
        const uint32_t rows = 1 + rnd_below(&r, 300);
        wr_vec cond = rnd_vec(&r, wr_type_of(WR_T_BOOLEAN, rnd_below(&r, 2)), rows, a);
        if (round % 5 == 0 && cond.form == WR_FORM_FLAT) /* runs of none and all */
            memset(cond.data, (int)rnd_below(&r, 2), rows / 2);
        uint32_t n;
        const uint32_t *sel = rnd_sel(&r, rows, &n, a);
        uint32_t *out = WR_NEW_N(a, uint32_t, n + 1), k = 0;
        const uint32_t got = wr_kernel_select(&cond, sel, n, out);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = sel ? sel[i] : i;
            if (three(&cond, row) != 1) continue;
            CHECK_EQ_INT(out[k], row);
            k++;
        }
        CHECK_EQ_INT(got, k);
        if (round % 20 == 0) wr_arena_reset(a);
    }
}

TEST(null_type_operands)
{
    const wr_vec null = {.type = wr_type_of(WR_T_NULL, true), .phys = WR_PHYS_NONE};
    rnd r = {7};
    const wr_vec x = rnd_vec(&r, wr_type_of(WR_T_BOOLEAN, false), 10, a);
    wr_vec out;
    CHECK_OK(&ctx, wr_kernel_and(&ctx, &x, &null, NULL, 10, &out, a));
    for (uint32_t i = 0; i < 10; i++) CHECK_EQ_INT(three(&out, i), get(&x, i).u.b ? 2 : 0);
    CHECK_OK(&ctx, wr_kernel_is_null(&ctx, &null, false, NULL, 10, &out, a));
    CHECK_EQ_INT(three(&out, 9), 1);
    uint32_t rows[10];
    CHECK_EQ_INT(wr_kernel_select(&null, NULL, 10, rows), 0);
}

/* ---- every instruction set gives the same bits ----------------------------------------------- */
static void
same_tables(const wri_kernel_table *x, const wri_kernel_table *y)
{
    rnd r = {8};
    static uint64_t in[2][512], out[2][512];
    for (int i = 0; i < 512; i++)
        for (int k = 0; k < 2; k++)
            in[k][i] = rnd_below(&r, 3) ? rnd_u64(&r) : (uint64_t)rnd_int(&r, 64);
    for (int phys = 0; phys < WR_PHYS_COUNT; phys++) {
        const bool safe = phys >= WR_PHYS_I8 && phys <= WR_PHYS_F64;
        for (uint32_t n = 0; safe && n < 67; n += 11)
            for (uint32_t form = 0; form < 4; form++) {
                for (int op = 0; op <= WR_OP_MOD; op++) {
                    if (!x->arith[op][phys]) continue;
                    x->arith[op][phys](in[0], form & 1, in[1], form >> 1, out[0], n);
                    y->arith[op][phys](in[0], form & 1, in[1], form >> 1, out[1], n);
                    const size_t bytes = n * wr_phys_bytes((wr_phys)phys);
                    if (phys <= WR_PHYS_I64) CHECK(memcmp(out[0], out[1], bytes) == 0);
                }
                for (int op = 0; op <= WR_CMP_GE; op++) {
                    x->compare[op][phys](in[0], form & 1, in[1], form >> 1, out[0], n);
                    y->compare[op][phys](in[0], form & 1, in[1], form >> 1, out[1], n);
                    CHECK(memcmp(out[0], out[1], n) == 0);
                }
            }
        for (int to = 0; to < WR_PHYS_COUNT; to++) {
            if (!x->convert[phys][to]) continue;
            x->convert[phys][to](in[0], out[0], 300);
            y->convert[phys][to](in[0], out[1], 300);
            const size_t bytes = 300 * wr_phys_bytes((wr_phys)to);
            if (to <= WR_PHYS_I64) CHECK(memcmp(out[0], out[1], bytes) == 0);
        }
        if (safe) {
            memset(out, 0x55, sizeof out);
            x->hash[phys](in[0], 300, out[0]);
            y->hash[phys](in[0], 300, out[1]);
            CHECK(memcmp(out[0], out[1], 2400) == 0);
        }
    }
}

TEST(instruction_sets_agree)
{
#if defined(__x86_64__)
    const wri_kernel_table *best = wri_kernels();
    if (best != &wri_kernels_v1) same_tables(&wri_kernels_v1, &wri_kernels_v3);
    if (best == &wri_kernels_v4) same_tables(&wri_kernels_v1, &wri_kernels_v4);
#else
    same_tables(&wri_kernels_v1, wri_kernels());
#endif
}

CHECK_MAIN()
