/* SPDX-License-Identifier: Apache-2.0 */
/* Column pruning, top down: every node is rebuilt with the columns that are needed above it, down
 * to the scans that can leave columns out.
 *
 * prune() may give more columns than asked for (a filter's own, a scan that can't project);
 * `to[old]` tells where each asked-for column is. exact() puts a projection above when there is
 * more: inputs of joins, aggregates and unions are exact. No node is left without columns, except a
 * scan below COUNT(*). */
#include "plan/over.h"
#include "plan/phys_int.h"
#include "plan/rule_int.h"
#include "plan/window.h"

typedef struct pruned {
    wr_rel *rel;
    uint32_t *to; /* old column -> new; only for columns that were asked for */
} pruned;

static wr_status prune(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out);

static wr_status
alloc(wri_rules *r, const wr_rel *rel, uint64_t **set, uint32_t **to)
{
    uint32_t n = rel->schema.count;
    if (set) {
        *set = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(n) + 1);
        WR_TRY_ALLOC(r->ctx, *set);
    }
    if (to) {
        *to = WR_NEW_N(r->a, uint32_t, n + 1);
        WR_TRY_ALLOC(r->ctx, *to);
        for (uint32_t i = 0; i < n; i++) (*to)[i] = i;
    }
    return WR_OK;
}

static uint32_t
count_needed(const wr_rel *rel, const uint64_t *need)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < rel->schema.count; i++) n += wr_bit_get(need, i);
    return n;
}

/* A schema of the needed columns, in order. */
static wr_status
narrow(wri_rules *r, const wr_rel *rel, const uint64_t *need, wr_schema *out, uint32_t *to)
{
    wr_field *fields = WR_NEW_N(r->a, wr_field, rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, fields);
    out->count = 0;
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        if (!wr_bit_get(need, i)) continue;
        to[i] = out->count;
        fields[out->count++] = rel->schema.fields[i];
    }
    out->fields = fields;
    return WR_OK;
}

/* ---- where no column is needed --------------------------------------------------------------- */
#define LITTLE 4.0 /* bytes: no more than the constant that would stand for a row */

static bool
picks_little(const wr_rel *rel)
{
    return rel->kind == WR_REL_PROJECT && rel->schema.count == 1 &&
           rel->u.project.exprs[0]->kind == WR_EX_COLUMN &&
           (rel->inputs[0]->kind == WR_REL_SORT || rel->inputs[0]->kind == WR_REL_FILTER);
}

/* The columns of a filter's condition stay when they are narrow, the only one of another node in
 * any case. */
static wr_status
keep_little(wri_rules *r, pruned *out, bool *kept)
{
    wr_rel *rel = out->rel;
    uint32_t n = rel->schema.count, k = 0;
    uint64_t *some = NULL;
    WR_TRY(alloc(r, rel, &some, NULL));
    if (rel->kind == WR_REL_SCAN || rel->kind == WR_REL_PROJECT || rel->kind == WR_REL_SORT ||
        rel->kind == WR_REL_WATERMARK)
        return WR_OK;
    if (rel->kind != WR_REL_FILTER) {
        *kept = n == 1;
        return WR_OK;
    }
    wri_rex_cols(rel->u.filter.cond, some);
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        if (!wr_bit_get(some, i)) continue;
        names[k] = rel->schema.fields[i].name;
        exprs[k] = wri_rex_col(r->a, rel, i);
        WR_TRY_ALLOC(r->ctx, exprs[k++]);
    }
    wr_rel *project = k ? wri_rel_project(r->a, rel, exprs, names, k) : NULL;
    if (!k) return WR_OK;
    WR_TRY_ALLOC(r->ctx, project);
    project->u.project.plain = true;
    *kept = wri_row_width(&project->schema) <= LITTLE;
    if (*kept) out->rel = project;
    return WR_OK;
}

/* Exactly the needed columns, in their old order; where none is needed, few narrow ones that are
 * there, the first one of a scan that can leave out the others, or a constant. */
static wr_status
exact(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    uint64_t *some = NULL;
    if (count_needed(rel, need) == 0 && rel->schema.count) {
        WR_TRY(alloc(r, rel, &some, NULL));
        if (picks_little(rel)) /* of a limit, for example: it stays */
            for (uint32_t i = 0; i < rel->schema.count; i++) wr_bit_set(some, i);
        if (rel->kind == WR_REL_SCAN && rel->u.scan.info.can_project) wr_bit_set(some, 0);
        need = some;
    }
    WR_TRY(prune(r, rel, need, out));
    uint32_t n = count_needed(rel, need), k = 0;
    bool same = n == out->rel->schema.count;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 2);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 2);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        if (!wr_bit_get(need, i)) continue;
        same = same && out->to[i] == k;
        names[k] = rel->schema.fields[i].name;
        exprs[k] = wri_rex_col(r->a, out->rel, out->to[i]);
        WR_TRY_ALLOC(r->ctx, exprs[k]);
        out->to[i] = k++;
    }
    if (k == 0) {
        bool kept = false;
        WR_TRY(keep_little(r, out, &kept));
        if (kept) return WR_OK;
        names[0] = WR_STR("$f0");
        exprs[k++] = wri_rex_int(r->a, WR_T_INT, 0);
        WR_TRY_ALLOC(r->ctx, exprs[0]);
        same = false;
    }
    if (same) return WR_OK;
    wr_str alias = out->rel->alias;
    out->rel = wri_rel_project(r->a, out->rel, exprs, names, k);
    WR_TRY_ALLOC(r->ctx, out->rel);
    out->rel->alias = alias;
    out->rel->u.project.plain = true;
    return WR_OK;
}

static wr_status
remap(wri_rules *r, wr_expr **e, const uint32_t *to)
{
    if (!*e) return WR_OK;
    *e = wri_rex_map_cols(r->a, *e, to);
    WR_TRY_ALLOC(r->ctx, *e);
    return WR_OK;
}

/* ---- leaves ---------------------------------------------------------------------------------- */
/* Changes that are upserts are told apart by the primary key, so it is read whoever needs it. */
static wr_status
with_key(wri_rules *r, const wr_rel *rel, const uint64_t **need)
{
    const wr_table_desc *t = rel->u.scan.table;
    uint64_t *more = NULL;
    if (rel->u.scan.info.changelog == WR_CL_I || !t) return WR_OK;
    WR_TRY(alloc(r, rel, &more, NULL));
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        bool key = wr_bit_get(*need, i);
        for (uint32_t k = 0; k < t->primary_key_count; k++)
            key = key || wr_str_eq(rel->schema.fields[i].name, t->primary_key[k]);
        if (key) wr_bit_set(more, i);
    }
    *need = more;
    return WR_OK;
}

static wr_status
prune_scan(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    if (!rel->u.scan.info.can_project || rel->u.scan.filter_count) return WR_OK;
    WR_TRY(with_key(r, rel, &need));
    wr_rel *copy = wri_rel_copy(r->a, rel);
    int32_t *physical = WR_NEW_N(r->a, int32_t, rel->schema.count + 1);
    const char **metadata = WR_NEW_N(r->a, const char *, rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY_ALLOC(r->ctx, physical);
    WR_TRY_ALLOC(r->ctx, metadata);
    WR_TRY(narrow(r, rel, need, &copy->schema, out->to));
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        if (!wr_bit_get(need, i)) continue;
        physical[out->to[i]] = rel->u.scan.physical[i];
        metadata[out->to[i]] = rel->u.scan.metadata[i];
    }
    copy->u.scan.physical = physical;
    copy->u.scan.metadata = metadata;
    out->rel = copy;
    return WR_OK;
}

static wr_status
prune_rows(wri_rules *r, const wr_rel *rel, const uint64_t *need, wr_expr ***rows, uint32_t count,
           wr_expr ****out)
{
    *out = WR_NEW_N(r->a, wr_expr **, count + 1);
    WR_TRY_ALLOC(r->ctx, *out);
    for (uint32_t k = 0; k < count; k++) {
        (*out)[k] = WR_NEW_N(r->a, wr_expr *, rel->schema.count + 1);
        WR_TRY_ALLOC(r->ctx, (*out)[k]);
        uint32_t at = 0;
        for (uint32_t i = 0; i < rel->schema.count; i++)
            if (wr_bit_get(need, i)) (*out)[k][at++] = rows[k][i];
    }
    return WR_OK;
}

static wr_status
prune_values(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    if (count_needed(rel, need) == 0) return WR_OK;
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY(narrow(r, rel, need, &copy->schema, out->to));
    out->rel = copy;
    return prune_rows(r, rel, need, rel->u.values.rows, rel->u.values.row_count,
                      &copy->u.values.rows);
}

/* ---- nodes with one input -------------------------------------------------------------------- */
static wr_status
prune_project(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    wr_rel *in = rel->inputs[0], *copy = wri_rel_copy(r->a, rel);
    uint64_t *below = NULL;
    pruned p;
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY(alloc(r, in, &below, NULL));
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(need, i)) wri_rex_cols(rel->u.project.exprs[i], below);
    WR_TRY(prune(r, in, below, &p));
    WR_TRY(narrow(r, rel, need, &copy->schema, out->to));
    copy->u.project.exprs = WR_NEW_N(r->a, wr_expr *, copy->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, copy->u.project.exprs);
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        if (!wr_bit_get(need, i)) continue;
        wr_expr **slot = &copy->u.project.exprs[out->to[i]];
        *slot = rel->u.project.exprs[i];
        WR_TRY(remap(r, slot, p.to));
    }
    copy->inputs[0] = p.rel;
    out->rel = copy;
    if (copy->schema.count == 0) out->rel = p.rel; /* the one above says what it wants instead */
    return WR_OK;
}

/* Same columns in and out, and some more that the node itself looks at. */
static wr_status
prune_through(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    uint64_t *below = NULL;
    pruned p;
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY(alloc(r, rel, &below, NULL));
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(need, i)) wr_bit_set(below, i);
    if (rel->kind == WR_REL_FILTER) wri_rex_cols(rel->u.filter.cond, below);
    if (rel->kind == WR_REL_WATERMARK) {
        wri_rex_cols(rel->u.watermark.expr, below);
        wr_bit_set(below, rel->u.watermark.col);
    }
    for (uint32_t i = 0; rel->kind == WR_REL_SORT && i < rel->u.sort.key_count; i++)
        wr_bit_set(below, rel->u.sort.keys[i].col);
    if (count_needed(rel, below) == 0 && rel->schema.count) wr_bit_set(below, 0);
    if (rel->kind == WR_REL_SORT && rel->inputs[0]->kind == WR_REL_FILTER) {
        wri_rex_cols(rel->inputs[0]->u.filter.cond, below); /* a calc is there anyway */
        WR_TRY(exact(r, rel->inputs[0], below, &p));
    } else {
        WR_TRY(prune(r, rel->inputs[0], below, &p));
    }
    wr_field *fields = WR_NEW_N(r->a, wr_field, p.rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, fields);
    for (uint32_t i = 0; i < p.rel->schema.count; i++) fields[i] = p.rel->schema.fields[i];
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(below, i)) fields[p.to[i]].type = rel->schema.fields[i].type;
    copy->schema = (wr_schema){fields, p.rel->schema.count};
    copy->inputs[0] = p.rel;
    if (rel->kind == WR_REL_FILTER) WR_TRY(remap(r, &copy->u.filter.cond, p.to));
    if (rel->kind == WR_REL_WATERMARK) {
        WR_TRY(remap(r, &copy->u.watermark.expr, p.to));
        copy->u.watermark.col = p.to[rel->u.watermark.col];
    }
    if (rel->kind == WR_REL_SORT && rel->u.sort.key_count) {
        copy->u.sort.keys = WR_NEW_N(r->a, wr_order_key, rel->u.sort.key_count);
        WR_TRY_ALLOC(r->ctx, copy->u.sort.keys);
        for (uint32_t i = 0; i < rel->u.sort.key_count; i++) {
            copy->u.sort.keys[i] = rel->u.sort.keys[i];
            copy->u.sort.keys[i].col = p.to[rel->u.sort.keys[i].col];
        }
    }
    out->rel = copy;
    out->to = p.to;
    return WR_OK;
}

static wr_status
copy_agg(wri_rules *r, const wr_agg_bound *from, const uint32_t *to, wr_agg_bound *out)
{
    uint32_t *args = WR_NEW_N(r->a, uint32_t, from->arg_count + 1);
    WR_TRY_ALLOC(r->ctx, args);
    for (uint32_t k = 0; k < from->arg_count; k++) args[k] = to[from->args[k]];
    *out = *from;
    out->args = args;
    if (from->filter >= 0) out->filter = (int32_t)to[from->filter];
    return WR_OK;
}

/* Is the input a projection that only changes the order of all columns, and do the keys stay in
 * order without it? */
static bool
is_permutation(wri_rules *r, const pruned *p, const wr_rel *agg)
{
    const wr_rel *rel = p->rel;
    uint32_t n = rel->schema.count;
    uint64_t *seen = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(n) + 1);
    if (!seen || rel->kind != WR_REL_PROJECT || rel->inputs[0]->schema.count != n) return false;
    for (uint32_t i = 0; i < n; i++) {
        const wr_expr *e = rel->u.project.exprs[i];
        if (e->kind != WR_EX_COLUMN || wr_bit_get(seen, e->index)) return false;
        wr_bit_set(seen, e->index);
    }
    for (uint32_t i = 1; i < agg->u.agg.key_count; i++) {
        uint32_t a = p->to[agg->u.agg.keys[i - 1]], b = p->to[agg->u.agg.keys[i]];
        if (rel->u.project.exprs[a]->index > rel->u.project.exprs[b]->index) return false;
    }
    return true;
}

static wr_status
prune_aggregate(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    uint32_t keys = rel->u.agg.key_count, kept = 0;
    uint64_t *below = NULL, *mine = NULL;
    pruned p;
    WR_TRY(alloc(r, rel->inputs[0], &below, NULL));
    WR_TRY(alloc(r, rel, &mine, NULL));
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (i < keys || wr_bit_get(need, i)) wr_bit_set(mine, i);
    if (keys == 0 && count_needed(rel, mine) == 0 && rel->u.agg.agg_count) wr_bit_set(mine, 0);
    for (uint32_t i = 0; i < keys; i++) wr_bit_set(below, rel->u.agg.keys[i]);
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++) {
        const wr_agg_bound *agg = &rel->u.agg.aggs[i];
        if (!wr_bit_get(mine, keys + i)) continue;
        for (uint32_t k = 0; k < agg->arg_count; k++) wr_bit_set(below, agg->args[k]);
        if (agg->filter >= 0) wr_bit_set(below, (uint32_t)agg->filter);
    }
    WR_TRY(exact(r, rel->inputs[0], below, &p));
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY(narrow(r, rel, mine, &copy->schema, out->to));
    copy->inputs[0] = p.rel;
    copy->u.agg.keys = WR_NEW_N(r->a, uint32_t, keys + 1);
    copy->u.agg.aggs = WR_NEW_N(r->a, wr_agg_bound, rel->u.agg.agg_count + 1);
    WR_TRY_ALLOC(r->ctx, copy->u.agg.keys);
    WR_TRY_ALLOC(r->ctx, copy->u.agg.aggs);
    for (uint32_t i = 0; i < keys; i++) copy->u.agg.keys[i] = p.to[rel->u.agg.keys[i]];
    if (is_permutation(r, &p, rel)) {
        const wr_rel *project = p.rel;
        for (uint32_t i = 0; i < rel->inputs[0]->schema.count; i++)
            if (wr_bit_get(below, i)) p.to[i] = project->u.project.exprs[p.to[i]]->index;
        copy->inputs[0] = project->inputs[0];
        for (uint32_t i = 0; i < keys; i++) copy->u.agg.keys[i] = p.to[rel->u.agg.keys[i]];
    }
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++)
        if (wr_bit_get(mine, keys + i))
            WR_TRY(copy_agg(r, &rel->u.agg.aggs[i], p.to, &copy->u.agg.aggs[kept++]));
    copy->u.agg.agg_count = kept;
    out->rel = copy;
    return WR_OK;
}

static wr_status
prune_expand(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    uint64_t *below = NULL;
    pruned p;
    if (count_needed(rel, need) == 0) return WR_OK;
    WR_TRY(alloc(r, rel->inputs[0], &below, NULL));
    for (uint32_t s = 0; s < rel->u.expand.set_count; s++)
        for (uint32_t i = 0; i < rel->schema.count; i++)
            if (wr_bit_get(need, i)) wri_rex_cols(rel->u.expand.rows[s][i], below);
    WR_TRY(exact(r, rel->inputs[0], below, &p));
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY(narrow(r, rel, need, &copy->schema, out->to));
    WR_TRY(prune_rows(r, rel, need, rel->u.expand.rows, rel->u.expand.set_count,
                      &copy->u.expand.rows));
    for (uint32_t s = 0; s < rel->u.expand.set_count; s++)
        for (uint32_t i = 0; i < copy->schema.count; i++)
            WR_TRY(remap(r, &copy->u.expand.rows[s][i], p.to));
    copy->inputs[0] = p.rel;
    out->rel = copy;
    return WR_OK;
}

/* ---- OVER ------------------------------------------------------------------------------------ */
/* What the calls that are needed look at; *calls: how many there are. */
static void
over_needs(const wr_rel *rel, const uint64_t *need, uint64_t *below, uint32_t *calls)
{
    const wr_over_spec *spec = rel->u.over;
    uint32_t width = rel->inputs[0]->schema.count, col = width;
    for (uint32_t i = 0; i < width; i++)
        if (wr_bit_get(need, i)) wr_bit_set(below, i);
    *calls = 0;
    for (uint32_t k = 0; k < spec->window_count; k++) {
        const wr_over_window *w = &spec->windows[k];
        uint32_t before = *calls;
        for (uint32_t i = 0; i < w->call_count; i++, col++) {
            const wr_over_call *c = &w->calls[i];
            if (!wr_bit_get(need, col)) continue;
            ++*calls;
            for (uint32_t j = 0; j < c->arg_count; j++)
                if (c->args[j] < width) wr_bit_set(below, c->args[j]);
        }
        if (*calls == before) continue;
        for (uint32_t i = 0; i < w->partition_count; i++) wr_bit_set(below, w->partition[i]);
        for (uint32_t i = 0; i < w->order_count; i++) wr_bit_set(below, w->order[i].col);
    }
}

static wr_status
copy_over_call(wri_rules *r, const wr_over_call *from, const uint32_t *to, uint32_t width,
               uint32_t new_width, wr_over_call *out)
{
    uint32_t *args = WR_NEW_N(r->a, uint32_t, from->arg_count + 1);
    WR_TRY_ALLOC(r->ctx, args);
    for (uint32_t j = 0; j < from->arg_count; j++)
        args[j] = from->args[j] < width ? to[from->args[j]] : from->args[j] - width + new_width;
    *out = *from;
    out->args = out->agg.args = args;
    return WR_OK;
}

static wr_status
copy_over_window(wri_rules *r, const wr_over_window *from, const uint32_t *to, wr_over_window *out)
{
    uint32_t *partition = WR_NEW_N(r->a, uint32_t, from->partition_count + 1);
    wr_order_key *order = WR_NEW_N(r->a, wr_order_key, from->order_count + 1);
    WR_TRY_ALLOC(r->ctx, partition);
    WR_TRY_ALLOC(r->ctx, order);
    *out = *from;
    for (uint32_t i = 0; i < from->partition_count; i++) partition[i] = to[from->partition[i]];
    for (uint32_t i = 0; i < from->order_count; i++) {
        order[i] = from->order[i];
        order[i].col = to[from->order[i].col];
    }
    out->partition = partition;
    out->order = order;
    out->call_count = 0;
    out->calls = WR_NEW_N(r->a, wr_over_call, from->call_count + 1);
    WR_TRY_ALLOC(r->ctx, out->calls);
    return WR_OK;
}

/* Computed operands are called by their place: $3. */
static wr_status
rename_operands(wri_rules *r, wr_rel **in)
{
    uint32_t n = (*in)->schema.count;
    wr_field *fields = WR_NEW_N(r->a, wr_field, n + 1);
    wr_rel *copy = wri_rel_copy(r->a, *in);
    WR_TRY_ALLOC(r->ctx, fields);
    WR_TRY_ALLOC(r->ctx, copy);
    if ((*in)->kind != WR_REL_PROJECT) return WR_OK;
    for (uint32_t i = 0; i < n; i++) {
        wr_str name = (*in)->schema.fields[i].name;
        fields[i] = (*in)->schema.fields[i];
        if (name.len < 2 || name.ptr[0] != '$' || name.ptr[1] < '0' || name.ptr[1] > '9') continue;
        fields[i].name = wr_arena_printf(r->a, "$%u", i);
        WR_TRY_ALLOC(r->ctx, fields[i].name.ptr);
    }
    copy->schema.fields = fields;
    *in = copy;
    return WR_OK;
}

/* A literal behind the columns: the number, where only one is asked for. */
static wr_status
add_number(wri_rules *r, const wr_field *as, int64_t number, wr_rel **rel)
{
    uint32_t n = (*rel)->schema.count;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 2);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 2);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = wri_rex_col(r->a, *rel, i);
        names[i] = (*rel)->schema.fields[i].name;
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    exprs[n] = wri_rex_int(r->a, WR_T_BIGINT, number);
    names[n] = as->name;
    WR_TRY_ALLOC(r->ctx, exprs[n]);
    *rel = wri_rel_project(r->a, *rel, exprs, names, n + 1);
    WR_TRY_ALLOC(r->ctx, *rel);
    return WR_OK;
}

/* A Top-N: rows go by it whether or not the number is looked at. */
static wr_status
prune_rank(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    const wr_over_spec *old = rel->u.over;
    const wr_over_window *w = &old->windows[0];
    const wr_over_rank *was = old->rank;
    uint32_t width = rel->inputs[0]->schema.count;
    const bool shown = was->number && wr_bit_get(need, width);
    uint64_t *below = NULL;
    pruned p;
    WR_TRY(alloc(r, rel->inputs[0], &below, NULL));
    for (uint32_t i = 0; i < width; i++)
        if (wr_bit_get(need, i)) wr_bit_set(below, i);
    for (uint32_t i = 0; i < w->partition_count; i++) wr_bit_set(below, w->partition[i]);
    for (uint32_t i = 0; i < w->order_count; i++) wr_bit_set(below, w->order[i].col);
    if (was->last_col >= 0) wr_bit_set(below, (uint32_t)was->last_col);
    WR_TRY(exact(r, rel->inputs[0], below, &p));
    WR_TRY(rename_operands(r, &p.rel));
    wr_over_spec *spec = WR_NEW(r->a, wr_over_spec);
    wr_over_rank *rank = WR_NEW(r->a, wr_over_rank);
    WR_TRY_ALLOC(r->ctx, spec);
    WR_TRY_ALLOC(r->ctx, rank);
    *spec = *old;
    *rank = *was;
    const bool constant = was->first == was->last && was->last_col < 0;
    rank->number = shown && !constant;
    if (was->last_col >= 0) rank->last_col = (int32_t)p.to[was->last_col];
    spec->rank = rank;
    spec->windows = WR_NEW_N(r->a, wr_over_window, 1);
    WR_TRY_ALLOC(r->ctx, spec->windows);
    WR_TRY(copy_over_window(r, w, p.to, &spec->windows[0]));
    WR_TRY(copy_over_call(r, &w->calls[0], p.to, width, p.rel->schema.count,
                          &spec->windows[0].calls[0]));
    spec->windows[0].call_count = 1;
    for (uint32_t i = 0; i < width; i++)
        if (wr_bit_get(below, i)) out->to[i] = p.to[i];
    out->rel = wri_rel_over(r->a, p.rel, spec);
    WR_TRY_ALLOC(r->ctx, out->rel);
    if (!shown) return WR_OK;
    out->to[width] = p.rel->schema.count;
    return constant ? add_number(r, &rel->schema.fields[width], was->first, &out->rel) : WR_OK;
}

static wr_status
prune_over(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    const wr_over_spec *old = rel->u.over;
    uint32_t width = rel->inputs[0]->schema.count, calls = 0, col = width, at;
    uint64_t *below = NULL;
    pruned p;
    WR_TRY(alloc(r, rel->inputs[0], &below, NULL));
    over_needs(rel, need, below, &calls);
    if (calls == 0) {
        WR_TRY(prune(r, rel->inputs[0], below, &p));
        memcpy(out->to, p.to, width * sizeof *out->to);
        out->rel = p.rel;
        return WR_OK;
    }
    WR_TRY(exact(r, rel->inputs[0], below, &p));
    WR_TRY(rename_operands(r, &p.rel));
    wr_over_spec *spec = WR_NEW(r->a, wr_over_spec);
    WR_TRY_ALLOC(r->ctx, spec);
    *spec = *old;
    spec->windows = WR_NEW_N(r->a, wr_over_window, old->window_count + 1);
    spec->window_count = 0;
    WR_TRY_ALLOC(r->ctx, spec->windows);
    for (uint32_t i = 0; i < width; i++)
        if (wr_bit_get(below, i)) out->to[i] = p.to[i];
    at = p.rel->schema.count;
    for (uint32_t k = 0; k < old->window_count; k++) {
        wr_over_window *w = &spec->windows[spec->window_count];
        bool any = false;
        for (uint32_t i = 0; i < old->windows[k].call_count; i++) any |= wr_bit_get(need, col + i);
        if (!any) {
            col += old->windows[k].call_count;
            continue;
        }
        WR_TRY(copy_over_window(r, &old->windows[k], p.to, w));
        for (uint32_t i = 0; i < old->windows[k].call_count; i++, col++) {
            if (!wr_bit_get(need, col)) continue;
            WR_TRY(copy_over_call(r, &old->windows[k].calls[i], p.to, width, p.rel->schema.count,
                                  &w->calls[w->call_count++]));
            out->to[col] = at++;
        }
        spec->window_count++;
    }
    out->rel = wri_rel_over(r->a, p.rel, spec);
    WR_TRY_ALLOC(r->ctx, out->rel);
    return WR_OK;
}

/* ---- nodes with several inputs --------------------------------------------------------------- */
/* Names of a join are those of what is left of its inputs; a multi-way join's stay what they were
 * (`keep`). */
static wr_status
join_names(wri_rules *r, bool keep, const wr_rel *left, const wr_rel *right, wr_field *fields,
           uint32_t n)
{
    uint32_t lw = left->schema.count;
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        const wr_field *f = keep     ? &fields[i]
                            : i < lw ? &left->schema.fields[i]
                                     : &right->schema.fields[i - lw];
        fields[i].name = names[i] = wri_rel_name_unique(r->a, names, i, f->name);
        WR_TRY_ALLOC(r->ctx, names[i].ptr);
    }
    return WR_OK;
}

/* An outer join whose other side adds at most one row, which nobody looks at. `side`: what stays.
 */
static wr_status
is_idle_join(wri_rules *r, const wr_rel *rel, const uint64_t *need, uint32_t *side, bool *out)
{
    uint32_t lw = rel->inputs[0]->schema.count;
    uint64_t *keys[2];
    *side = rel->u.join.type == WR_JOIN_RIGHT;
    *out = false;
    if (rel->u.join.type != WR_JOIN_LEFT && rel->u.join.type != WR_JOIN_RIGHT) return WR_OK;
    if (rel->u.join.temporal || wri_multi_wanted(r->env, rel)) return WR_OK;
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(need, i) && (i >= lw) != (*side == 1)) return WR_OK;
    for (uint32_t i = 0; i < 2; i++) WR_TRY(alloc(r, rel->inputs[i], &keys[i], NULL));
    if (!wri_rel_join_keys(r, rel, keys[0], keys[1]))
        return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    *out = wri_rel_is_unique(r, rel->inputs[1 - *side], keys[1 - *side]);
    return WR_OK;
}

static wr_status
prune_idle_join(wri_rules *r, wr_rel *rel, const uint64_t *need, uint32_t side, pruned *out)
{
    uint32_t lw = rel->inputs[0]->schema.count;
    uint64_t *mine = NULL;
    pruned p;
    WR_TRY(alloc(r, rel->inputs[side], &mine, NULL));
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(need, i)) wr_bit_set(mine, side ? i - lw : i);
    WR_TRY(prune(r, rel->inputs[side], mine, &p));
    out->rel = p.rel;
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(need, i)) out->to[i] = p.to[side ? i - lw : i];
    return WR_OK;
}

static wr_status
prune_join(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    uint32_t kept_side = 0;
    bool idle = false;
    WR_TRY(is_idle_join(r, rel, need, &kept_side, &idle));
    if (idle) return prune_idle_join(r, rel, need, kept_side, out);
    uint32_t lw = rel->inputs[0]->schema.count, rw = rel->inputs[1]->schema.count;
    bool half = rel->u.join.type == WR_JOIN_SEMI || rel->u.join.type == WR_JOIN_ANTI;
    uint64_t *all = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(lw + rw) + 1), *side[2];
    pruned p[2];
    WR_TRY_ALLOC(r->ctx, all);
    WR_TRY(alloc(r, rel->inputs[0], &side[0], NULL));
    WR_TRY(alloc(r, rel->inputs[1], &side[1], NULL));
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(need, i)) wr_bit_set(all, i);
    if (rel->u.join.cond) wri_rex_cols(rel->u.join.cond, all);
    for (uint32_t i = 0; i < lw + rw; i++)
        if (wr_bit_get(all, i)) wr_bit_set(side[i >= lw], i < lw ? i : i - lw);
    for (uint32_t s = 0; s < 2; s++) {
        if (count_needed(rel->inputs[s], side[s]) == 0 && rel->inputs[s]->schema.count)
            wr_bit_set(side[s], 0);
        WR_TRY(exact(r, rel->inputs[s], side[s], &p[s]));
    }
    wr_rel *copy = wri_rel_copy(r->a, rel);
    uint32_t l_now = p[0].rel->schema.count, n = l_now + (half ? 0 : p[1].rel->schema.count);
    uint32_t *to = WR_NEW_N(r->a, uint32_t, lw + rw + 1);
    wr_field *fields = WR_NEW_N(r->a, wr_field, n + 1);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY_ALLOC(r->ctx, to);
    WR_TRY_ALLOC(r->ctx, fields);
    for (uint32_t i = 0; i < n; i++) /* the constants of inputs that had no column, too */
        fields[i] = i < l_now ? p[0].rel->schema.fields[i] : p[1].rel->schema.fields[i - l_now];
    for (uint32_t i = 0; i < lw + rw; i++) {
        bool right = i >= lw;
        if (!wr_bit_get(side[right], right ? i - lw : i)) continue;
        to[i] = right ? p[1].to[i - lw] + l_now : p[0].to[i];
        if (to[i] < n && i < rel->schema.count) fields[to[i]] = rel->schema.fields[i];
    }
    const bool keep = rel->u.join.regular && wri_multi_wanted(r->env, rel);
    WR_TRY(join_names(r, keep, p[0].rel, p[1].rel, fields, n));
    copy->schema = (wr_schema){fields, n};
    copy->inputs[0] = p[0].rel;
    copy->inputs[1] = p[1].rel;
    WR_TRY(remap(r, &copy->u.join.cond, to));
    out->rel = copy;
    for (uint32_t i = 0; i < rel->schema.count; i++) out->to[i] = to[i];
    return WR_OK;
}

/* A constant for every row: nothing but their number is wanted. */
static wr_status
blank_rows(wri_rules *r, wr_rel *rel, pruned *out)
{
    uint64_t *none = NULL;
    wr_str name = WR_STR("$f0");
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY(alloc(r, rel, &none, NULL));
    WR_TRY(prune(r, rel, none, out));
    exprs[0] = wri_rex_int(r->a, WR_T_INT, 0);
    WR_TRY_ALLOC(r->ctx, exprs[0]);
    out->rel = wri_rel_project(r->a, out->rel, exprs, &name, 1);
    WR_TRY_ALLOC(r->ctx, out->rel);
    out->rel->u.project.plain = true;
    return WR_OK;
}

static wr_status
prune_union(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    uint64_t *mine = NULL;
    pruned p;
    WR_TRY(alloc(r, rel, &mine, NULL));
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(need, i)) wr_bit_set(mine, i);
    bool blank = count_needed(rel, mine) == 0 && rel->schema.count > 1;
    if (count_needed(rel, mine) == 0) wr_bit_set(mine, 0);
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY(narrow(r, rel, mine, &copy->schema, out->to));
    for (uint32_t i = 0; i < rel->input_count; i++) {
        if (blank)
            WR_TRY(blank_rows(r, rel->inputs[i], &p));
        else
            WR_TRY(exact(r, rel->inputs[i], mine, &p));
        copy->inputs[i] = p.rel;
    }
    if (blank) copy->schema = p.rel->schema;
    out->rel = copy;
    return WR_OK;
}

static wr_status
prune_correlate(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    uint32_t lw = rel->inputs[0]->schema.count, n = rel->schema.count, i;
    uint64_t *below = NULL;
    pruned p;
    (void)need; /* as Flink: rows go through whole */
    WR_TRY(alloc(r, rel->inputs[0], &below, NULL));
    for (i = 0; i < lw; i++) wr_bit_set(below, i);
    WR_TRY(exact(r, rel->inputs[0], below, &p));
    uint32_t now = p.rel->schema.count;
    wr_rel *copy = wri_rel_copy(r->a, rel);
    wr_field *fields = WR_NEW_N(r->a, wr_field, now + n - lw + 1);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY_ALLOC(r->ctx, fields);
    for (i = 0; i < now; i++) fields[i] = p.rel->schema.fields[i];
    for (i = 0; i < n; i++) {
        if (i < lw && !wr_bit_get(below, i)) continue;
        out->to[i] = i < lw ? p.to[i] : i - lw + now;
        fields[out->to[i]] = rel->schema.fields[i];
    }
    copy->schema = (wr_schema){fields, now + n - lw};
    copy->inputs[0] = p.rel;
    WR_TRY(remap(r, &copy->u.correlate.call, p.to));
    WR_TRY(remap(r, &copy->u.correlate.cond, out->to));
    out->rel = copy;
    return WR_OK;
}

/* A window table function: its input's columns that are needed, its time and keys, and always the
 * three columns of its own. */
static wr_status
prune_window(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    const uint32_t width = rel->inputs[0]->schema.count, n = rel->schema.count;
    const wr_window_spec *old = rel->u.tvf.spec;
    uint64_t *below = NULL;
    pruned p;
    WR_TRY(alloc(r, rel->inputs[0], &below, NULL));
    for (uint32_t i = 0; i < width; i++)
        if (wr_bit_get(need, i)) wr_bit_set(below, i);
    wr_bit_set(below, rel->u.tvf.time_col);
    for (uint32_t i = 0; i < old->key_count; i++) wr_bit_set(below, old->keys[i]);
    WR_TRY(exact(r, rel->inputs[0], below, &p));
    wr_rel *copy = wri_rel_copy(r->a, rel);
    wr_window_spec *spec = WR_NEW(r->a, wr_window_spec);
    wr_field *fields = WR_NEW_N(r->a, wr_field, n + 1);
    uint32_t *keys = WR_NEW_N(r->a, uint32_t, old->key_count + 1), now = p.rel->schema.count;
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY_ALLOC(r->ctx, spec);
    WR_TRY_ALLOC(r->ctx, fields);
    WR_TRY_ALLOC(r->ctx, keys);
    for (uint32_t i = 0; i < n; i++) {
        if (i < width && !wr_bit_get(below, i)) continue;
        out->to[i] = i < width ? p.to[i] : now + i - width;
        fields[out->to[i]] = rel->schema.fields[i];
    }
    for (uint32_t i = 0; i < old->key_count; i++) keys[i] = p.to[old->keys[i]];
    *spec = *old;
    spec->keys = keys;
    copy->schema = (wr_schema){fields, now + n - width};
    copy->inputs[0] = p.rel;
    copy->u.tvf.spec = spec;
    copy->u.tvf.time_col = p.to[rel->u.tvf.time_col];
    out->rel = copy;
    return WR_OK;
}

/* Nodes that want all of their columns. */
static wr_status
keep_all(wri_rules *r, wr_rel *rel, pruned *out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < rel->input_count; i++) {
        uint64_t *below = NULL;
        pruned p;
        WR_TRY(alloc(r, rel->inputs[i], &below, NULL));
        for (uint32_t c = 0; c < rel->inputs[i]->schema.count; c++) wr_bit_set(below, c);
        WR_TRY(exact(r, rel->inputs[i], below, &p));
        copy->inputs[i] = p.rel;
    }
    out->rel = copy;
    return WR_OK;
}

static wr_status
prune(wri_rules *r, wr_rel *rel, const uint64_t *need, pruned *out)
{
    out->rel = rel;
    WR_TRY(alloc(r, rel, NULL, &out->to));
    switch ((int)rel->kind) {
    case WR_REL_SCAN:
        return prune_scan(r, rel, need, out);
    case WR_REL_VALUES:
        return prune_values(r, rel, need, out);
    case WR_REL_PROJECT:
        return prune_project(r, rel, need, out);
    case WR_REL_FILTER:
    case WR_REL_SORT:
    case WR_REL_WATERMARK:
        return prune_through(r, rel, need, out);
    case WR_REL_AGGREGATE:
        return prune_aggregate(r, rel, need, out);
    case WR_REL_EXPAND:
        return prune_expand(r, rel, need, out);
    case WR_REL_OVER:
        return rel->u.over->rank ? prune_rank(r, rel, need, out) : prune_over(r, rel, need, out);
    case WR_REL_JOIN:
        return prune_join(r, rel, need, out);
    case WR_REL_SETOP:
        return prune_union(r, rel, need, out);
    case WR_REL_CORRELATE:
        return prune_correlate(r, rel, need, out);
    case WR_REL_WINDOW_TVF:
        return prune_window(r, rel, need, out);
    default:
        return keep_all(r, rel, out);
    }
}

wr_status
wri_rule_prune(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    pruned p = {rel, NULL};
    uint64_t *need = NULL;
    r->pruned = true;
    WR_TRY(alloc(r, rel, &need, NULL));
    for (uint32_t i = 0; i < rel->schema.count; i++) wr_bit_set(need, i);
    if (rel->kind == WR_REL_SINK)
        WR_TRY(keep_all(r, rel, &p));
    else
        WR_TRY(exact(r, rel, need, &p));
    *out = p.rel;
    return WR_OK;
}
