/* SPDX-License-Identifier: Apache-2.0 */
/* Which joins are interval joins, by their conditions: among the conjuncts there are exactly two
 * comparisons of a time attribute of one side with one of the other, one bounding from below and
 * one from above, or exactly one equality. Either side of a comparison may add constants to its
 * attribute; what it adds is found by computing it for the attribute's zero, as Flink does. */
#include "plan/timed_int.h"

typedef struct bounds {
    wr_ctx *ctx;
    const wr_plan_env *env;
    const wr_rel *join;
    uint32_t left, width; /* columns of the left side, of both */
    wr_interval_spec *spec;
    uint32_t found, equal;
    bool lower, upper, failed;
    WR_LIST(wr_expr *) rest;
} bounds;

static wr_timeattr
attr_of(const bounds *b, uint32_t col)
{
    const wr_rel *const *in = (const wr_rel *const *)b->join->inputs;
    return (wr_timeattr)(col < b->left ? in[0]->schema.fields[col].type->attr
                                       : in[1]->schema.fields[col - b->left].type->attr);
}

/* The columns of a term: how many, the last one. */
static uint32_t
columns_of(const wr_expr *e, uint32_t *col)
{
    if (e->kind == WR_EX_COLUMN) {
        *col = e->index;
        return 1;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->arg_count; i++) n += columns_of(e->args[i], col);
    return n;
}

typedef enum compare { AT_LEAST, ABOVE, AT_MOST, BELOW, EQUAL, NO_COMPARE } compare;

static compare
compare_of(const wr_expr *e)
{
    static const char *const names[] = {">=", ">", "<=", "<", "="};
    if (e->kind != WR_EX_CALL || e->arg_count != 2) return NO_COMPARE;
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (strcmp(e->fn->name, names[i]) == 0) return (compare)i;
    return NO_COMPARE;
}

/* The term where its attribute is zero; *known: it came to a point in time. */
static wr_status
at_zero(bounds *b, const wr_expr *term, bool *known, int64_t *out)
{
    wr_arena *a = b->env->arena;
    wr_expr **zero = WR_NEW_N(a, wr_expr *, b->width + 1), *folded = NULL;
    uint32_t col = 0;
    WR_TRY_ALLOC(b->ctx, zero);
    *known = false;
    (void)columns_of(term, &col);
    const wr_rel *in = b->join->inputs[col >= b->left];
    const wr_type *t = in->schema.fields[col >= b->left ? col - b->left : col].type;
    wr_value v = {.type = t};
    zero[col] = wr_expr_literal(a, &v, term->span);
    WR_TRY_ALLOC(b->ctx, zero[col]);
    wr_expr *e = wr_expr_substitute(a, term, zero);
    WR_TRY_ALLOC(b->ctx, e);
    WR_TRY(wr_expr_fold(b->ctx, a, b->env->eval, e, &folded));
    if (folded->kind != WR_EX_LITERAL || folded->value.is_null) return WR_OK;
    *known = true;
    *out = folded->type->phys == WR_PHYS_TS ? folded->value.u.ts.ms : folded->value.u.i;
    return WR_OK;
}

static void
take_bound(bounds *b, compare c, int64_t ms)
{
    if (c == ABOVE) ms++;
    if (c == BELOW) ms--;
    b->found++;
    b->equal += c == EQUAL;
    if (c == EQUAL || c == AT_LEAST || c == ABOVE) {
        b->lower = true;
        b->spec->lower_ms = ms;
    }
    if (c == EQUAL || c == AT_MOST || c == BELOW) {
        b->upper = true;
        b->spec->upper_ms = ms;
    }
}

/* A column that constants move: its value at zero says all. Of FLOOR(ts TO MINUTE) and what chooses
 * between values it does not. */
static bool
is_moved_column(const wr_expr *e)
{
    static const char *const others[] = {"FLOOR",  "CEIL",     "IF",    "COALESCE",
                                         "IFNULL", "GREATEST", "LEAST", "NULLIF"};
    for (uint32_t i = 0; e->kind == WR_EX_CALL && i < WR_COUNT(others); i++)
        if (strcmp(e->fn->name, others[i]) == 0) return false;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_moved_column(e->args[i])) return false;
    return true;
}

/* *taken: the conjunct compares time attributes of both sides. */
static wr_status
try_conjunct(bounds *b, const wr_expr *e, bool *taken)
{
    compare c = compare_of(e);
    uint32_t x = 0, y = 0;
    int64_t at_x, at_y;
    bool known_x, known_y;
    *taken = false;
    if (c == NO_COMPARE || columns_of(e->args[0], &x) != 1 || columns_of(e->args[1], &y) != 1 ||
        !is_moved_column(e->args[0]) || !is_moved_column(e->args[1]))
        return WR_OK;
    /* computed operands of an equality are computed below the join, where they are plain columns */
    if (c == EQUAL && (e->args[0]->kind != WR_EX_COLUMN || e->args[1]->kind != WR_EX_COLUMN))
        return WR_OK;
    const wr_timeattr attr = attr_of(b, x);
    if (attr == WR_ATTR_NONE || attr_of(b, y) != attr || (x < b->left) == (y < b->left))
        return WR_OK;
    const bool turned = x >= b->left;
    WR_TRY(at_zero(b, e->args[0], &known_x, &at_x));
    WR_TRY(at_zero(b, e->args[1], &known_y, &at_y));
    if (!known_x || !known_y) return WR_OK;
    static const compare other_way[] = {AT_MOST, BELOW, AT_LEAST, ABOVE, EQUAL};
    *taken = true;
    /* of several attributes one pair is meant */
    const uint32_t l = turned ? y : x, r = (turned ? x : y) - b->left;
    const bool rowtime = attr == WR_ATTR_ROWTIME;
    if (b->found && (l != b->spec->left_time || r != b->spec->right_time)) b->failed = true;
    b->spec->left_time = l;
    b->spec->right_time = r;
    b->spec->rowtime = rowtime;
    take_bound(b, turned ? other_way[c] : c, turned ? at_x - at_y : at_y - at_x);
    return WR_OK;
}

static wr_status
walk(bounds *b, wr_expr *e)
{
    if (e->kind == WR_EX_AND) {
        for (uint32_t i = 0; i < e->arg_count; i++) WR_TRY(walk(b, e->args[i]));
        return WR_OK;
    }
    bool taken;
    WR_TRY(try_conjunct(b, e, &taken));
    if (taken) return WR_OK;
    return wr_list_push(b->env->arena, &b->rest, e) ? WR_OK
                                                    : wr_raise(b->ctx, WR_NOMEM, "out of memory");
}

static bool
has_time(const wr_schema *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->fields[i].type->attr != WR_ATTR_NONE) return true;
    return false;
}

wr_status
wri_interval_of(wr_ctx *ctx, const wr_plan_env *env, const wr_rel *join, bool *found,
                wr_interval_spec *spec, wr_expr **rest)
{
    const wr_schema *l = &join->inputs[0]->schema, *r = &join->inputs[1]->schema;
    bounds b = {.ctx = ctx, .env = env, .join = join, .left = l->count, .spec = spec};
    wr_expr *cond = NULL;
    b.width = l->count + r->count;
    *found = false;
    *rest = NULL;
    memset(spec, 0, sizeof *spec);
    if (env->batch || join->u.join.regular || join->u.join.temporal || !join->u.join.cond ||
        join->u.join.type > WR_JOIN_FULL || !has_time(l) || !has_time(r))
        return WR_OK;
    WR_TRY(wr_expr_simplified(ctx, env->arena, join->u.join.cond, true, &cond));
    WR_TRY(walk(&b, cond));
    *found = b.lower && b.upper && !b.failed && b.found == (b.equal ? 1u : 2u);
    if (!*found || b.rest.count == 0) return WR_OK;
    return wr_expr_and(ctx, env->arena, b.rest.items, b.rest.count, rest);
}
