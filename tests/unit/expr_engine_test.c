/* SPDX-License-Identifier: Apache-2.0 */
/* The expression engine: selections, errors in branches, NULLs, constants, dictionaries, shared
 * sub-expressions, folding, filters, memory. Expected values come from SQL's rules and arithmetic.
 */
#include "expr/expr.h"
#include "unit/check.h"
#include "vec/cast.h"

#define ROWS 8

typedef struct rig {
    wr_ctx ctx;
    wr_arena *plan, *task, *batch_arena;
    wr_batch batch;
    wr_vec cols[4];
} rig;

/* a INT: 0..7, b INT: NULL where row % 3 == 2 else row * 10, s STRING, c BOOLEAN (row odd) */
static void
rig_open(rig *r)
{
    memset(r, 0, sizeof *r);
    wr_ctx_init(&r->ctx);
    r->plan = wr_arena_create(NULL, 0);
    r->task = wr_arena_create(NULL, 0);
    r->batch_arena = wr_arena_create(NULL, 0);
    const wr_type *types[4] = {wr_type_of(WR_T_INT, false), wr_type_of(WR_T_INT, true),
                               wr_type_string(true), wr_type_of(WR_T_BOOLEAN, true)};
    for (int i = 0; i < 4; i++) {
        CHECK(wr_vec_init_flat(&r->cols[i], types[i], ROWS, r->plan));
        r->cols[i].len = ROWS;
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        char text[32];
        const int n = snprintf(text, sizeof text, "string number %u", row);
        ((int32_t *)r->cols[0].data)[row] = (int32_t)row;
        ((int32_t *)r->cols[1].data)[row] = (int32_t)row * 10;
        if (row % 3 == 2) CHECK(wr_vec_set_null(&r->cols[1], row, r->plan));
        CHECK(wr_vec_set_str(&r->cols[2], row, text, (uint32_t)n, r->plan));
        ((uint8_t *)r->cols[3].data)[row] = row & 1;
    }
    r->batch = (wr_batch){.cols = r->cols, .col_count = 4, .row_count = ROWS};
}

static void
rig_close(rig *r)
{
    wr_arena_destroy(r->batch_arena);
    wr_arena_destroy(r->task);
    wr_arena_destroy(r->plan);
}

static wr_expr *
col(rig *r, uint32_t i)
{
    return wr_expr_column(r->plan, i, r->cols[i].type, WR_NO_SPAN);
}

static wr_expr *
num(rig *r, int64_t v)
{
    const wr_value value = wr_value_int(wr_type_of(WR_T_INT, false), v);
    return wr_expr_literal(r->plan, &value, WR_NO_SPAN);
}

static wr_expr *
call(rig *r, const char *name, wr_expr *a, wr_expr *b)
{
    wr_expr *args[2] = {a, b}, *out = NULL;
    const wr_fn *fn = wr_fn_find(wr_str_c(name));
    CHECK_MSG(fn != NULL, "no function %s", name);
    CHECK_OK(&r->ctx, wr_expr_call(&r->ctx, r->plan, NULL, fn, wr_str_c(name), args, b ? 2 : 1,
                                   NULL, WR_NO_SPAN, &out));
    return out;
}

static wr_program *
compile(rig *r, wr_expr *e)
{
    wr_program *p = NULL;
    CHECK_OK(&r->ctx, wr_program_compile(&r->ctx, r->task, NULL, &e, 1, &p));
    return p;
}

/* Values of the rows of sel (all when NULL) as text: "0 10 null 30". */
static const char *
show(rig *r, wr_expr *e, const uint32_t *sel, uint32_t n)
{
    wr_vec v;
    wr_program *p = compile(r, e);
    wr_text t;
    wr_text_init(&t, r->plan);
    if (wr_program_run(&r->ctx, p, &r->batch, sel, n, r->batch_arena, &v) != WR_OK) {
        wr_text_printf(&t, "ERROR: %s", r->ctx.err.message);
        wr_ctx_reset(&r->ctx);
    } else {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = sel ? sel[i] : i;
            if (i) wr_text_putc(&t, ' ');
            if (wr_vec_is_null(&v, row))
                wr_text_puts(&t, "null");
            else
                wr_value_display(&v, row, NULL, &t);
        }
    }
    wr_text_putc(&t, 0);
    return t.ptr;
}

TEST(values_and_nulls)
{
    rig r;
    rig_open(&r);
    CHECK_EQ_STR(show(&r, col(&r, 1), NULL, ROWS), "0 10 null 30 40 null 60 70");
    CHECK_EQ_STR(show(&r, call(&r, "+", col(&r, 0), col(&r, 1)), NULL, ROWS),
                 "0 11 null 33 44 null 66 77");
    CHECK_EQ_STR(show(&r, call(&r, "IS NULL", col(&r, 1), NULL), NULL, 3), "FALSE FALSE TRUE");
    CHECK_EQ_STR(show(&r, call(&r, ">", col(&r, 1), num(&r, 35)), NULL, ROWS),
                 "FALSE FALSE null FALSE TRUE null TRUE TRUE");
    rig_close(&r);
}

TEST(selection_limits_what_is_computed)
{
    rig r;
    rig_open(&r);
    const uint32_t sel[] = {1, 4, 7};
    /* 12 / a fails for row 0 only */
    wr_expr *e = call(&r, "/", num(&r, 12), col(&r, 0));
    CHECK_EQ_STR(show(&r, e, sel, 3), "12 3 1");
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "ERROR: / by zero");
    rig_close(&r);
}

TEST(branches_evaluate_only_their_rows)
{
    rig r;
    rig_open(&r);
    /* CASE WHEN a = 0 THEN -1 ELSE 12 / a END */
    wr_expr *args[3] = {call(&r, "=", col(&r, 0), num(&r, 0)), num(&r, -1),
                        call(&r, "/", num(&r, 12), col(&r, 0))};
    wr_expr *e = NULL;
    CHECK_OK(&r.ctx, wr_expr_case(&r.ctx, r.plan, args, 3, WR_NO_SPAN, &e));
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "-1 12 6 4 3 2 2 1");
    /* a <> 0 AND 12 / a > 2;  a = 0 OR 12 / a > 2 */
    wr_expr *div = call(&r, ">", call(&r, "/", num(&r, 12), col(&r, 0)), num(&r, 2));
    wr_expr *both[2] = {call(&r, "<>", col(&r, 0), num(&r, 0)), div};
    CHECK_OK(&r.ctx, wr_expr_and(&r.ctx, r.plan, both, 2, &e));
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "FALSE TRUE TRUE TRUE TRUE FALSE FALSE FALSE");
    wr_expr *either[2] = {call(&r, "=", col(&r, 0), num(&r, 0)), div};
    CHECK_OK(&r.ctx, wr_expr_or(&r.ctx, r.plan, either, 2, &e));
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "TRUE TRUE TRUE TRUE TRUE FALSE FALSE FALSE");
    /* the other order does fail */
    wr_expr *wrong[2] = {div, both[0]};
    CHECK_OK(&r.ctx, wr_expr_and(&r.ctx, r.plan, wrong, 2, &e));
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "ERROR: / by zero");
    rig_close(&r);
}

TEST(coalesce_is_lazy)
{
    rig r;
    rig_open(&r);
    /* COALESCE(b, 100 / (a - 7)): a - 7 is 0 only where b is not NULL */
    wr_expr *args[2] = {col(&r, 1),
                        call(&r, "/", num(&r, 100), call(&r, "-", col(&r, 0), num(&r, 7)))};
    wr_expr *e = NULL;
    const wr_fn *fn = wr_fn_find(WR_STR("coalesce"));
    CHECK_OK(&r.ctx, wr_expr_call(&r.ctx, r.plan, NULL, fn, WR_STR("coalesce"), args, 2, NULL,
                                  WR_NO_SPAN, &e));
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "0 10 -20 30 40 -50 60 70");
    rig_close(&r);
}

TEST(three_valued_logic)
{
    rig r;
    rig_open(&r);
    /* b > 35: F F N F T N T T;  a > 3: F F F F T T T T */
    wr_expr *p = call(&r, ">", col(&r, 1), num(&r, 35)), *q = call(&r, ">", col(&r, 0), num(&r, 3));
    wr_expr *args[2] = {p, q}, *e = NULL;
    CHECK_OK(&r.ctx, wr_expr_and(&r.ctx, r.plan, args, 2, &e));
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "FALSE FALSE FALSE FALSE TRUE null TRUE TRUE");
    CHECK_OK(&r.ctx, wr_expr_or(&r.ctx, r.plan, args, 2, &e));
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "FALSE FALSE null FALSE TRUE TRUE TRUE TRUE");
    wr_expr *not_e = NULL;
    CHECK_OK(&r.ctx, wr_expr_not(&r.ctx, r.plan, p, &not_e));
    CHECK_EQ_STR(show(&r, not_e, NULL, ROWS), "TRUE TRUE null TRUE FALSE null FALSE FALSE");
    const uint32_t sel[] = {2, 5};
    CHECK_EQ_STR(show(&r, e, sel, 2), "null TRUE");
    rig_close(&r);
}

static void
filter(rig *r, wr_expr *e, const uint32_t *sel, uint32_t n, const char *want)
{
    wr_program *p = compile(r, e);
    uint32_t out[ROWS], count = 0;
    char text[64] = "";
    CHECK_OK(&r->ctx,
             wr_program_filter(&r->ctx, p, &r->batch, sel, n, r->batch_arena, out, &count));
    for (uint32_t i = 0; i < count; i++) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, i ? " %u" : "%u", out[i]);
    }
    CHECK_EQ_STR(text, want);
}

TEST(filters)
{
    rig r;
    rig_open(&r);
    const uint32_t sel[] = {0, 3, 4, 5, 6};
    wr_expr *p = call(&r, ">", col(&r, 1), num(&r, 5)), *q = call(&r, "<", col(&r, 0), num(&r, 7));
    filter(&r, p, NULL, ROWS, "1 3 4 6 7");
    filter(&r, p, sel, 5, "3 4 6");
    wr_expr *div = call(&r, ">", call(&r, "/", num(&r, 12), col(&r, 0)), num(&r, 2));
    wr_expr *args[3] = {p, q, div}, *e = NULL;
    CHECK_OK(&r.ctx, wr_expr_and(&r.ctx, r.plan, args, 3, &e));
    filter(&r, e, NULL, ROWS, "1 3 4");
    filter(&r, e, sel, 5, "3 4");
    filter(&r, e, sel, 0, "");
    rig_close(&r);
}

TEST(constant_vectors_stay_constant)
{
    rig r;
    rig_open(&r);
    const wr_value seven = wr_value_int(wr_type_of(WR_T_INT, false), 7);
    CHECK(wr_vec_init_const(&r.cols[0], &seven, r.plan));
    wr_expr *e = call(&r, "*", col(&r, 0), num(&r, 6));
    wr_program *p = compile(&r, e);
    wr_vec v;
    CHECK_OK(&r.ctx, wr_program_run(&r.ctx, p, &r.batch, NULL, ROWS, r.batch_arena, &v));
    CHECK_EQ_INT(v.form, WR_FORM_CONST);
    CHECK_EQ_STR(show(&r, e, NULL, 3), "42 42 42");
    rig_close(&r);
}

TEST(dictionaries_are_peeled)
{
    rig r;
    rig_open(&r);
    /* four entries, the last is used by no row */
    wr_vec entries;
    CHECK(wr_vec_init_flat(&entries, wr_type_string(true), 4, r.plan));
    static const char *const words[] = {"10", "20", "x", "not a number"};
    for (uint32_t i = 0; i < 4; i++)
        CHECK(wr_vec_set_str(&entries, i, words[i], (uint32_t)strlen(words[i]), r.plan));
    static const uint32_t dict[ROWS] = {0, 1, 1, 0, 0, 1, 0, 1};
    r.cols[2] = entries;
    r.cols[2].form = WR_FORM_DICT;
    r.cols[2].dict = dict;
    r.cols[2].len = 4;
    wr_expr *e = call(&r, "UPPER", col(&r, 2), NULL);
    wr_program *p = compile(&r, e);
    wr_vec v;
    CHECK_OK(&r.ctx, wr_program_run(&r.ctx, p, &r.batch, NULL, ROWS, r.batch_arena, &v));
    CHECK_EQ_INT(v.form, WR_FORM_DICT);
    CHECK_EQ_STR(show(&r, e, NULL, 4), "10 20 20 10");
    /* entries that fail and that no row has do not fail the batch */
    e = wr_expr_cast(r.plan, col(&r, 2), wr_type_of(WR_T_INT, true), false, WR_NO_SPAN);
    CHECK_EQ_STR(show(&r, e, NULL, ROWS), "10 20 20 10 10 20 10 20");
    rig_close(&r);
}

TEST(non_deterministic_calls_are_not_shared)
{
    rig r;
    rig_open(&r);
    wr_expr *one = NULL, *two = NULL;
    const wr_fn *fn = wr_fn_find(WR_STR("RAND"));
    CHECK_OK(&r.ctx, wr_expr_call(&r.ctx, r.plan, NULL, fn, WR_STR("RAND"), NULL, 0, NULL,
                                  WR_NO_SPAN, &one));
    CHECK_OK(&r.ctx, wr_expr_call(&r.ctx, r.plan, NULL, fn, WR_STR("RAND"), NULL, 0, NULL,
                                  WR_NO_SPAN, &two));
    CHECK(!wr_expr_equal(one, two) && !wr_expr_is_constant(one) && !wr_expr_is_deterministic(one));
    wr_expr *both[2] = {one, two};
    wr_program *p = NULL;
    wr_vec v[2];
    CHECK_OK(&r.ctx, wr_program_compile(&r.ctx, r.task, NULL, both, 2, &p));
    CHECK_OK(&r.ctx, wr_program_run(&r.ctx, p, &r.batch, NULL, ROWS, r.batch_arena, v));
    CHECK(memcmp(v[0].data, v[1].data, sizeof(double) * ROWS) != 0);
    rig_close(&r);
}

TEST(a_set_knows_what_is_equal)
{
    rig r;
    rig_open(&r);
    wr_expr_set set = {0};
    bool fresh;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 300; i++) {
            wr_expr *e =
                call(&r, i % 2 ? "+" : "-", col(&r, (uint32_t)(i / 2 % 2)), num(&r, i / 4));
            CHECK_OK(&r.ctx, wr_expr_set_add(&r.ctx, r.plan, &set, e, &fresh));
            CHECK(fresh == (round == 0));
        }
    }
    CHECK_EQ_UINT(set.count, 300);
    const wr_fn *fn = wr_fn_find(WR_STR("RAND")); /* equal to none, itself included */
    wr_expr *rand = NULL;
    CHECK_OK(&r.ctx, wr_expr_call(&r.ctx, r.plan, NULL, fn, WR_STR("RAND"), NULL, 0, NULL,
                                  WR_NO_SPAN, &rand));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(&r.ctx, wr_expr_set_add(&r.ctx, r.plan, &set, rand, &fresh));
        CHECK(fresh);
    }
    rig_close(&r);
}

TEST(equality_ignores_where_things_stand)
{
    rig r;
    rig_open(&r);
    wr_expr *a = call(&r, "+", col(&r, 0), num(&r, 1)), *b = call(&r, "+", col(&r, 0), num(&r, 1));
    CHECK(wr_expr_equal(a, b));
    CHECK(!wr_expr_equal(a, call(&r, "+", col(&r, 0), num(&r, 2))));
    CHECK(!wr_expr_equal(a, call(&r, "-", col(&r, 0), num(&r, 1))));
    CHECK(!wr_expr_equal(a, call(&r, "+", col(&r, 1), num(&r, 1))));
    rig_close(&r);
}

TEST(folding)
{
    rig r;
    rig_open(&r);
    wr_expr *e = NULL, *sum = call(&r, "+", num(&r, 1), num(&r, 2));
    CHECK(wr_expr_is_constant(sum));
    CHECK_OK(&r.ctx, wr_expr_fold(&r.ctx, r.plan, NULL, call(&r, "*", col(&r, 0), sum), &e));
    CHECK_EQ_INT(e->kind, WR_EX_CALL);
    CHECK_EQ_INT(e->args[1]->kind, WR_EX_LITERAL);
    CHECK_EQ_INT(e->args[1]->value.u.i, 3);
    /* a constant that fails is the statement's error ... */
    wr_expr *bad = call(&r, "/", num(&r, 1), num(&r, 0));
    CHECK(wr_expr_fold(&r.ctx, r.plan, NULL, bad, &e) == WR_DATA);
    CHECK_EQ_STR(r.ctx.err.message, "Division by zero");
    wr_ctx_reset(&r.ctx);
    /* ... but not where no row may get */
    wr_expr *args[3] = {call(&r, ">", col(&r, 0), num(&r, 100)), bad, num(&r, 5)};
    CHECK_OK(&r.ctx, wr_expr_case(&r.ctx, r.plan, args, 3, WR_NO_SPAN, &e));
    CHECK_OK(&r.ctx, wr_expr_fold(&r.ctx, r.plan, NULL, e, &e));
    CHECK_EQ_STR(show(&r, e, NULL, 3), "5 5 5");
    rig_close(&r);
}

TEST(row_errors_of_the_caller)
{
    rig r;
    rig_open(&r);
    wr_expr *e = call(&r, "/", num(&r, 12), col(&r, 0));
    wr_program *p = compile(&r, e);
    wr_vec v;
    uint64_t bits = 0;
    wr_row_errs errs = {.bits = &bits};
    CHECK_OK(&r.ctx,
             wr_program_run_errs(&r.ctx, p, &r.batch, NULL, ROWS, r.batch_arena, &v, &errs));
    CHECK(errs.any);
    CHECK_EQ_UINT(bits, 1);
    CHECK_EQ_INT(errs.first_row, 0);
    CHECK_EQ_STR(errs.first_message, "/ by zero");
    CHECK_EQ_INT(((const int32_t *)v.data)[4], 3);
    rig_close(&r);
}

TEST(steady_state_allocates_nothing)
{
    rig r;
    rig_open(&r);
    wr_expr *cases[3] = {call(&r, ">", col(&r, 1), num(&r, 35)),
                         call(&r, "UPPER", col(&r, 2), NULL), col(&r, 2)};
    wr_expr *exprs[3] = {call(&r, "*", col(&r, 0), num(&r, 3)), NULL,
                         call(&r, "%", col(&r, 1), num(&r, 7))};
    CHECK_OK(&r.ctx, wr_expr_case(&r.ctx, r.plan, cases, 3, WR_NO_SPAN, &exprs[1]));
    wr_program *p = NULL;
    CHECK_OK(&r.ctx, wr_program_compile(&r.ctx, r.task, NULL, exprs, 3, &p));
    uint64_t before = 0;
    for (int i = 0; i < 10; i++) {
        wr_vec v[3];
        wr_arena_reset(r.batch_arena);
        CHECK_OK(&r.ctx, wr_program_run(&r.ctx, p, &r.batch, NULL, ROWS, r.batch_arena, v));
        if (i == 2) before = wr_mem_malloc_count();
    }
    CHECK_EQ_UINT(wr_mem_malloc_count(), before);
    rig_close(&r);
}

TEST(every_allocation_may_fail)
{
    for (int64_t n = 1; n < 400; n++) {
        rig r;
        rig_open(&r);
        wr_expr *e = call(&r, "UPPER", col(&r, 2), NULL);
        wr_mem_fail_after(n);
        wr_arena *task = wr_arena_create(NULL, 64), *out = wr_arena_create(NULL, 64);
        wr_program *p = NULL;
        wr_vec v;
        wr_status st = WR_NOMEM;
        if (task && out) st = wr_program_compile(&r.ctx, task, NULL, &e, 1, &p);
        if (st == WR_OK) st = wr_program_run(&r.ctx, p, &r.batch, NULL, ROWS, out, &v);
        const bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        CHECK(hit ? st == WR_NOMEM || st == WR_OK : st == WR_OK);
        wr_arena_destroy(task);
        wr_arena_destroy(out);
        rig_close(&r);
        if (!hit) break;
    }
}

CHECK_MAIN()
