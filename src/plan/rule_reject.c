/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions and the NULLs of an outer join's padded side: does a condition reject them (then the
 * join is inner), and what does it become when there are none. */
#include "plan/rule_int.h"

typedef struct null_side {
    uint32_t lo, hi;     /* columns that are all NULL: lo <= c < hi */
    const wr_rel *input; /* their relation, when they are none */
} null_side;

/* Is e NULL when the side's columns are? */
static bool
is_null_then(const wr_expr *e, const null_side *s)
{
    bool any = false, all = e->arg_count > 0;
    switch ((int)e->kind) {
    case WR_EX_COLUMN:
        return e->index >= s->lo && e->index < s->hi;
    case WR_EX_LITERAL:
        return e->value.is_null;
    case WR_EX_CALL:
        if (e->fn->flags & WR_FNF_CALLED_ON_NULL) return false;
        break;
    case WR_EX_CAST:
    case WR_EX_FIELD:
    case WR_EX_COALESCE:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < e->arg_count; i++) {
        bool null = is_null_then(e->args[i], s);
        any = any || null;
        all = all && null;
    }
    return e->kind == WR_EX_COALESCE ? all : any;
}

/* Is e FALSE or NULL then, by its form? */
static bool
rejects(const wr_expr *e, const null_side *s)
{
    bool any = false, all = e->arg_count > 0;
    for (uint32_t i = 0; i < e->arg_count && (e->kind == WR_EX_AND || e->kind == WR_EX_OR); i++) {
        bool x = rejects(e->args[i], s);
        any = any || x;
        all = all && x;
    }
    if (e->kind == WR_EX_AND) return any;
    if (e->kind == WR_EX_OR) return all;
    if (wri_rex_is_call(e, "IS NOT NULL") || wri_rex_is_call(e, "IS TRUE") ||
        wri_rex_is_call(e, "IS FALSE"))
        return is_null_then(e->args[0], s);
    return wri_rex_is_false_or_null(e) || is_null_then(e, s);
}

/* ---- by calculation: the columns are NULL, and what is constant then is folded --------------- */
static wr_expr *
null_column(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const null_side *s = m->arg;
    (void)depth;
    if (e->kind != WR_EX_COLUMN || e->index < s->lo || e->index >= s->hi) return NULL;
    wr_expr *null = wri_rex_null(m->a, e->type);
    if (!null) m->failed = true;
    return null;
}

/* A deep copy of e with fn applied, folded; what fails when it is folded stays. */
static wr_status
mapped(wri_rules *r, const wr_expr *e, null_side *s,
       wr_expr *(*fn)(wri_map *m, const wr_expr *e, uint32_t depth), wr_expr **out)
{
    wri_map m = {r->a, fn, s, false};
    wr_expr *copy = wri_rex_map(&m, e, 0), *folded = NULL;
    WR_TRY_ALLOC(r->ctx, copy);
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    const wr_status status = wr_expr_fold(&quiet, r->a, r->env->eval, copy, &folded);
    if (status == WR_NOMEM) return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    *out = status == WR_OK ? folded : NULL;
    return WR_OK;
}

wr_status
wri_rex_rejects(wri_rules *r, const wr_expr *e, uint32_t lo, uint32_t hi, bool *out)
{
    null_side s = {lo, hi, NULL};
    wr_expr *then = NULL;
    uint32_t first, last;
    *out = rejects(e, &s);
    if (*out || !wri_rex_col_range(e, &first, &last) || last < lo || first >= hi ||
        !wr_expr_is_deterministic(e))
        return WR_OK;
    WR_TRY(mapped(r, e, &s, null_column, &then));
    *out = then && wri_rex_is_false_or_null(then);
    return WR_OK;
}

/* ---- without padding ------------------------------------------------------------------------- */
static wr_expr *
known_null(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const null_side *s = m->arg;
    const bool null = wri_rex_is_call(e, "IS NULL");
    (void)depth;
    if ((!null && !wri_rex_is_call(e, "IS NOT NULL")) || e->args[0]->kind != WR_EX_COLUMN)
        return NULL;
    const uint32_t c = e->args[0]->index;
    if (c < s->lo || c >= s->hi || s->input->schema.fields[c - s->lo].type->nullable) return NULL;
    wr_expr *known = wri_rex_bool(m->a, !null);
    if (!known) m->failed = true;
    return known;
}

wr_status
wri_rex_unpadded(wri_rules *r, wr_expr *e, uint32_t lo, const wr_rel *input, wr_expr **out)
{
    null_side s = {lo, lo + input->schema.count, input};
    uint32_t first, last;
    *out = e;
    if (!wri_rex_col_range(e, &first, &last) || last < s.lo || first >= s.hi) return WR_OK;
    WR_TRY(mapped(r, e, &s, known_null, out));
    if (!*out) *out = e;
    return WR_OK;
}
