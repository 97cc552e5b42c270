/* SPDX-License-Identifier: Apache-2.0 */
/* Joins by time: what they refuse, and what temporal joins need to know. */
#include "plan/temporal_int.h"
#include "plan/timed_int.h"

/* The node that makes the changes. */
static const wr_pnode *
origin(const wr_pnode *n)
{
    while (n->input_count == 1 && (n->kind == WR_P_CALC || n->kind == WR_P_EXCHANGE ||
                                   n->kind == WR_P_WATERMARK || n->kind == WR_P_WINDOW_TVF))
        n = n->inputs[0];
    return n;
}

wr_status
wri_phys_insert_only(wr_ctx *ctx, wri_phys *p, wr_span span, const char *what, const wr_pnode *in)
{
    wr_text label;
    if (wri_insert_only(in)) return WR_OK;
    wr_text_init(&label, p->arena);
    WR_TRY(wri_label(ctx, p->env, origin(in), WR_EXPR_INFIX, WR_STR(""), WR_STR(""), &label));
    bool deletes = in->changelog & WR_CL_D, updates = wri_has_updates(in);
    return wr_raise_at(ctx, WR_SEMANTIC, span,
                       "%s doesn't support consuming %s changes which is produced by node %.*s",
                       what,
                       deletes && updates ? "update and delete"
                       : deletes          ? "delete"
                                          : "update",
                       (int)label.len, label.ptr);
}

static const wr_type *
time_type(wr_pnode *const *sides, const wr_interval_spec *spec, uint32_t side)
{
    const uint32_t col = side ? spec->right_time : spec->left_time;
    return sides[side]->schema.fields[col].type;
}

wr_status
wri_phys_check_interval(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *const *sides,
                        const wr_interval_spec *spec)
{
    const wr_type *l = time_type(sides, spec, 0), *r = time_type(sides, spec, 1);
    if (spec->rowtime && l->id != r->id) {
        wr_text a, b;
        wr_text_init(&a, p->arena);
        wr_text_init(&b, p->arena);
        wr_type_print(l, WR_TYPE_SUMMARY, &a);
        wr_type_print(r, WR_TYPE_SUMMARY, &b);
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Interval join with rowtime attribute requires same rowtime types, but "
                           "the types are %.*s and %.*s.",
                           (int)a.len, a.ptr, (int)b.len, b.ptr);
    }
    for (uint32_t i = 0; i < 2; i++)
        WR_TRY(wri_phys_insert_only(ctx, p, rel->span, "StreamPhysicalIntervalJoin", sides[i]));
    return WR_OK;
}

/* ---- temporal joins -------------------------------------------------------------------------- */
static void
put_names(const wr_schema *s, const uint32_t *cols, uint32_t n, wr_text *t)
{
    for (uint32_t i = 0; i < n; i++)
        wr_text_printf(t, "%s%.*s", i ? "," : "", WR_STR_ARG(s->fields[cols[i]].name));
}

/* The primary key of the versions: an upsert key of the right side within the join's keys. */
static wr_status
find_key(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_pnode *right, const wr_pnode *n,
         wr_temporal_spec *spec)
{
    wr_text key, cond;
    if (right->upsert_key_count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Temporal Table Join requires primary key in versioned table, but no "
                           "primary key can be found.");
    for (uint32_t i = 0; i < right->upsert_key_count; i++) {
        const wr_key_set *k = &right->upsert_keys[i];
        if (!wri_cols_contain(n->u.join.right_keys, n->u.join.key_count, k->cols, k->count))
            continue;
        spec->right_key = k->cols;
        spec->right_key_count = k->count;
        return WR_OK;
    }
    wr_text_init(&key, p->arena);
    wr_text_init(&cond, p->arena);
    put_names(&right->schema, right->upsert_keys[0].cols, right->upsert_keys[0].count, &key);
    for (uint32_t i = 0; i < n->u.join.key_count; i++)
        wr_text_printf(&cond, "%s%.*s=%.*s", i ? "," : "",
                       WR_STR_ARG(rel->inputs[0]->schema.fields[n->u.join.left_keys[i]].name),
                       WR_STR_ARG(right->schema.fields[n->u.join.right_keys[i]].name));
    return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                       "Temporal table's primary key [%.*s] must be included in the equivalence "
                       "condition of temporal join, but current temporal join condition is "
                       "[%.*s].",
                       (int)key.len, key.ptr, (int)cond.len, cond.ptr);
}

static wr_status
check_times(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_type *l, const wr_type *r)
{
    if (l->attr != WR_ATTR_ROWTIME)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->u.join.temporal->span,
                           "Temporal table join currently only supports 'FOR SYSTEM_TIME AS OF' "
                           "left table's time attribute field'");
    if (!r || r->attr != WR_ATTR_ROWTIME) {
        const wr_status status = wr_raise_at(
            ctx, WR_SEMANTIC, rel->span,
            "Event-Time Temporal Table Join requires both primary key and row time attribute in "
            "versioned table, but no row time attribute can be found.");
        wr_hint(ctx, "its CREATE TABLE needs PRIMARY KEY (...) NOT ENFORCED and, for the time from "
                     "which a row holds, WATERMARK FOR ts AS ts");
        return status;
    }
    if (l->id == r->id) return WR_OK;
    wr_text a, b;
    wr_text_init(&a, p->arena);
    wr_text_init(&b, p->arena);
    wr_type_print(l, WR_TYPE_SUMMARY, &a);
    wr_type_print(r, WR_TYPE_SUMMARY, &b);
    return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                       "Event-Time Temporal Table Join requires same rowtime type in left table "
                       "and versioned table, but the rowtime types are %.*s and %.*s.",
                       (int)a.len, a.ptr, (int)b.len, b.ptr);
}

static wr_status
columns_of(wr_ctx *ctx, wri_phys *p, const wr_pnode *n, const uint32_t *cols, uint32_t count,
           uint32_t shift, wri_temporal_list list, wr_expr **out)
{
    wr_expr **args = WR_NEW_N(p->arena, wr_expr *, count + 1);
    WR_TRY_ALLOC(ctx, args);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t c = cols[i] + shift;
        args[i] = wr_expr_column(p->arena, c, n->schema.fields[c].type, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, args[i]);
    }
    *out = wri_temporal_part(p->arena, list, args, count);
    WR_TRY_ALLOC(ctx, *out);
    return WR_OK;
}

/* What EXPLAIN shows: the condition, then how the versions are found. */
static wr_status
show_condition(wr_ctx *ctx, wri_phys *p, const wr_expr *marker, wr_expr *rest, uint32_t lw,
               const wr_temporal_spec *spec, wr_pnode *n)
{
    wr_expr *args[5] = {marker->args[0], marker->args[1], NULL, NULL, NULL}, *both[2];
    WR_TRY(columns_of(ctx, p, n, spec->right_key, spec->right_key_count, lw,
                      WRI_TEMPORAL_PRIMARY_KEY, &args[2]));
    WR_TRY(columns_of(ctx, p, n, n->u.join.left_keys, n->u.join.key_count, 0, WRI_TEMPORAL_LEFT_KEY,
                      &args[3]));
    WR_TRY(columns_of(ctx, p, n, n->u.join.right_keys, n->u.join.key_count, lw,
                      WRI_TEMPORAL_RIGHT_KEY, &args[4]));
    both[0] = rest;
    both[1] = wri_temporal_marker(p->arena, args, 5);
    WR_TRY_ALLOC(ctx, both[1]);
    return wr_expr_and(ctx, p->arena, both, 2, &n->u.join.whole);
}

/* Is there a filter between the versioned table and the join? Rows that it leaves out would let the
 * versions before them go on. Above a deduplication they are taken back. */
static bool
is_filtered_table(const wr_rel *rel)
{
    bool filtered = false;
    while (rel->kind == WR_REL_FILTER || rel->kind == WR_REL_PROJECT ||
           rel->kind == WR_REL_WATERMARK) {
        filtered |= rel->kind == WR_REL_FILTER;
        rel = rel->inputs[0];
    }
    return filtered && rel->kind == WR_REL_SCAN;
}

wr_status
wri_phys_temporal(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_expr *marker, wr_expr *rest,
                  wr_pnode *const *sides, wr_pnode *n)
{
    const uint32_t lw = rel->inputs[0]->schema.count;
    const uint32_t left_time = marker->args[0]->index;
    const uint32_t right_time = marker->arg_count > 1 ? marker->args[1]->index - lw : 0;
    wr_temporal_spec *spec = WR_NEW(p->arena, wr_temporal_spec);
    WR_TRY_ALLOC(ctx, spec);
    *spec = (wr_temporal_spec){.rowtime = true, .left_time = left_time, .right_time = right_time};
    n->u.join.temporal = spec;
    if (n->u.join.key_count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Currently the join key in Temporal Table Join can not be empty.");
    if (is_filtered_table(rel->inputs[1]))
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Filter is not allowed for right changelog input of event time temporal "
                           "join, it will corrupt the versioning of data. Please consider removing "
                           "the filter before joining.");
    const wr_pnode *right = sides[1];
    while (right->kind == WR_P_EXCHANGE) right = right->inputs[0];
    const wr_type *rt = marker->arg_count > 1 ? right->schema.fields[right_time].type : NULL;
    if (rt && rt->attr == WR_ATTR_ROWTIME) WR_TRY(find_key(ctx, p, rel, right, n, spec));
    WR_TRY(check_times(ctx, p, rel, rel->inputs[0]->schema.fields[left_time].type, rt));
    return show_condition(ctx, p, marker, rest, lw, spec, n);
}
