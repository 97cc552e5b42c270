/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes: which names an expression sees, and what they mean.
 *
 * A path a.b.c is read as table.column.field... first (the longest table prefix that exists wins),
 * then as column.field...; if the innermost scope has nothing of that name, the scope around it is
 * asked. Names are case-sensitive, as Flink's. */
#include "plan/bind_int.h"

wr_span
wri_bind_part_span(const wri_binder *b, wr_span s)
{
    return b->fixed ? b->fixed_span : s;
}

wr_span
wri_bind_span(const wri_binder *b, const wr_ast *node)
{
    return wri_bind_part_span(b, node->span);
}

wr_status
wri_bind_enter(wri_binder *b, wr_span span)
{
    if (++b->depth > WR_SQL_DEPTH_MAX)
        return wr_raise_at(b->ctx, WR_LIMIT, span, "the query is nested more than %u levels deep",
                           WR_SQL_DEPTH_MAX);
    return WR_OK;
}

void
wri_bind_leave(wri_binder *b)
{
    b->depth--;
}

wr_status
wri_bind_unsupported(wri_binder *b, wr_span span, const char *feature)
{
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "not supported yet: %s", feature);
}

/* ---- making scopes --------------------------------------------------------------------------- */
wr_status
wri_bind_scope_single(wri_binder *b, const wr_rel *rel, wr_str alias, const wr_table_id *id,
                      wr_span span, wri_scope *out)
{
    memset(out, 0, sizeof *out);
    out->items = WR_NEW(b->a, wri_item);
    out->columns = WR_NEW_N(b->a, wri_column, rel->schema.count + 1);
    WR_TRY_ALLOC(b->ctx, out->items);
    WR_TRY_ALLOC(b->ctx, out->columns);
    out->item_count = 1;
    out->items[0].alias = alias;
    out->items[0].span = span;
    out->items[0].count = rel->schema.count;
    if (id) out->items[0].id = *id;
    out->column_count = rel->schema.count;
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        out->columns[i].name = rel->schema.fields[i].name;
        out->columns[i].type = rel->schema.fields[i].type;
    }
    return WR_OK;
}

static wr_status
check_duplicate(wri_binder *b, const wri_scope *l, const wri_scope *r)
{
    for (uint32_t i = 0; i < r->item_count; i++) {
        wr_str alias = r->items[i].alias;
        if (alias.len == 0) continue;
        for (uint32_t j = 0; j < l->item_count; j++)
            if (wr_str_eq(alias, l->items[j].alias))
                return wr_raise_at(b->ctx, WR_NAME, r->items[i].span,
                                   "Duplicate relation name '%.*s' in FROM clause",
                                   WR_STR_ARG(alias));
    }
    return WR_OK;
}

/* The scope of a join: its columns keep the names their tables give them (the relation's own schema
 * has unique ones), with the nullability of the join. */
wr_status
wri_bind_scope_join(wri_binder *b, const wri_scope *l, const wri_scope *r, const wr_rel *rel,
                    wri_scope *out)
{
    WR_TRY(check_duplicate(b, l, r));
    uint32_t items = l->item_count + r->item_count, cols = l->column_count + r->column_count;
    uint32_t merged = l->merged_count + r->merged_count;
    memset(out, 0, sizeof *out);
    out->outer = l->outer;
    out->items = WR_NEW_N(b->a, wri_item, items + 1);
    out->columns = WR_NEW_N(b->a, wri_column, cols + 1);
    out->merged = WR_NEW_N(b->a, wri_merged, merged + 1);
    WR_TRY_ALLOC(b->ctx, out->items);
    WR_TRY_ALLOC(b->ctx, out->columns);
    WR_TRY_ALLOC(b->ctx, out->merged);
    out->item_count = items;
    out->column_count = cols;
    out->merged_count = merged;
    for (uint32_t i = 0; i < items; i++) {
        bool right = i >= l->item_count;
        out->items[i] = right ? r->items[i - l->item_count] : l->items[i];
        if (right) out->items[i].first += l->column_count;
    }
    for (uint32_t i = 0; i < cols; i++) {
        bool right = i >= l->column_count;
        out->columns[i] = right ? r->columns[i - l->column_count] : l->columns[i];
        if (right) out->columns[i].item += l->item_count;
        out->columns[i].type = rel->schema.fields[i].type;
    }
    for (uint32_t i = 0; i < merged; i++) {
        bool right = i >= l->merged_count;
        out->merged[i] = right ? r->merged[i - l->merged_count] : l->merged[i];
        if (!right) continue;
        out->merged[i].expr =
            wri_rex_shift_cols(b->a, out->merged[i].expr, (int32_t)l->column_count);
        out->merged[i].key = wri_rex_shift_cols(b->a, out->merged[i].key, (int32_t)l->column_count);
        WR_TRY_ALLOC(b->ctx, out->merged[i].expr);
        WR_TRY_ALLOC(b->ctx, out->merged[i].key);
    }
    return WR_OK;
}

/* ---- looking up ------------------------------------------------------------------------------ */
wr_str
wri_bind_ident_text(wri_binder *b, const wr_ast_ident *id)
{
    wr_text t;
    wr_text_init(&t, b->a);
    for (uint32_t i = 0; i < id->part_count; i++) {
        if (i) wr_text_putc(&t, '.');
        wr_text_put(&t, id->parts[i].name.ptr, id->parts[i].name.len);
    }
    if (id->star) wr_text_puts(&t, id->part_count ? ".*" : "*");
    return wr_text_str(&t);
}

static bool
item_matches(const wri_item *item, const wr_ast_part *parts, uint32_t n)
{
    if (!wr_str_eq(item->alias, parts[n - 1].name) || item->alias.len == 0) return false;
    if (n == 1) return true;
    if (item->id.name.len == 0 || !wr_str_eq(item->id.name, item->alias)) return false;
    if (!wr_str_eq(item->id.database, parts[n - 2].name)) return false;
    return n == 2 || (n == 3 && wr_str_eq(item->id.catalog, parts[0].name));
}

/* The item that the first `n` parts name; -1 = none. */
static int32_t
find_item(const wri_scope *s, const wr_ast_part *parts, uint32_t n)
{
    for (uint32_t i = 0; n <= 3 && i < s->item_count; i++)
        if (item_matches(&s->items[i], parts, n)) return (int32_t)i;
    return -1;
}

/* Columns called `name` of one item (or of all that are visible without a table): how many, and the
 * first one. */
static uint32_t
find_column(const wri_scope *s, int32_t item, wr_str name, uint32_t *col)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->column_count; i++) {
        const wri_column *c = &s->columns[i];
        if (item >= 0 ? c->item != (uint32_t)item : c->merged) continue;
        if (!wr_str_eq(c->name, name)) continue;
        if (found++ == 0) *col = i;
    }
    return found;
}

typedef struct lift_arg {
    uint32_t level;
} lift_arg;

static wr_expr *
lift(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const lift_arg *arg = m->arg;
    bool mine = depth == 0 ? e->kind == WR_EX_COLUMN : e->kind == WR_EX_OUTER && e->level == depth;
    if (!mine && !(e->kind == WR_EX_OUTER && e->level > depth)) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    c->kind = WR_EX_OUTER;
    c->level = (e->kind == WR_EX_COLUMN ? 0 : e->level) + arg->level;
    return c;
}

/* An expression over the row of a scope `level` steps out, as seen from here. */
static wr_status
lift_expr(wri_binder *b, wr_expr *e, uint32_t level, wr_expr **out)
{
    lift_arg arg = {level};
    wri_map m = {b->a, lift, &arg, false};
    *out = level ? wri_rex_map(&m, e, 0) : e;
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

static wr_status
column_ref(wri_binder *b, const wri_scope *s, uint32_t col, uint32_t level, wr_span span,
           wr_expr **out)
{
    wr_expr *e = wr_expr_column(b->a, col, s->columns[col].type, span);
    WR_TRY_ALLOC(b->ctx, e);
    return lift_expr(b, e, level, out);
}

static wr_status
raise_ambiguous(wri_binder *b, wr_span span, wr_str name)
{
    return wr_raise_at(b->ctx, WR_NAME, span, "Column '%.*s' is ambiguous", WR_STR_ARG(name));
}

/* "; did you mean 'id'?" when only the case differs, as Flink says it; near names are candidates.
 */
static wr_status
raise_no_column(wri_binder *b, const wri_scope *s, int32_t item, wr_str name, wr_span span)
{
    wr_str twin = WR_STR("");
    for (uint32_t i = 0; i < s->column_count; i++)
        if ((item < 0 || s->columns[i].item == (uint32_t)item) &&
            wr_str_eq_nocase(s->columns[i].name, name))
            twin = s->columns[i].name;
    wr_str mean = WR_STR("");
    if (twin.len) mean = wr_arena_printf(b->a, "; did you mean '%.*s'?", WR_STR_ARG(twin));
    wr_status status;
    if (item < 0)
        status = wr_raise_at(b->ctx, WR_NAME, span, "Column '%.*s' not found in any table%.*s",
                             WR_STR_ARG(name), WR_STR_ARG(mean));
    else
        status = wr_raise_at(b->ctx, WR_NAME, span, "Column '%.*s' not found in table '%.*s'%.*s",
                             WR_STR_ARG(name), WR_STR_ARG(s->items[item].alias), WR_STR_ARG(mean));
    for (const wri_scope *o = s; o; o = item < 0 ? o->outer : NULL)
        for (uint32_t i = 0; i < o->column_count; i++)
            if (item < 0 || o->columns[i].item == (uint32_t)item)
                wr_candidate(b->ctx, name, o->columns[i].name);
    return status;
}

/* ---- fields ---------------------------------------------------------------------------------- */
wr_expr *
wri_bind_field_at(wri_binder *b, wr_expr *row, uint32_t index, wr_span span)
{
    const wr_type *t = row->type->fields[index].type;
    if (row->type->nullable) t = wr_type_nullable(b->a, t, true);
    wr_expr *e = t ? wri_rex_new(b->a, WR_EX_FIELD, t, span) : NULL;
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 1);
    if (!e || !args) return NULL;
    args[0] = row;
    e->args = args;
    e->arg_count = 1;
    e->index = index;
    return e;
}

static bool
is_row(const wr_type *t)
{
    return wr_type_is(t, WR_T_ROW) || wr_type_is(t, WR_T_STRUCTURED);
}

static int32_t
field_index(const wr_type *t, wr_str name)
{
    if (!is_row(t)) return -1;
    for (uint32_t i = 0; i < t->field_count; i++)
        if (wr_str_eq(t->fields[i].name, name)) return (int32_t)i;
    return -1;
}

wr_status
wri_bind_field(wri_binder *b, wr_expr *row, wr_str name, wr_span span, wr_expr **out)
{
    int32_t i = field_index(row->type, name);
    if (i < 0) {
        wr_str type = wr_type_str(row->type, WR_TYPE_CALCITE, b->a);
        wr_status status =
            is_row(row->type)
                ? wr_raise_at(b->ctx, WR_NAME, span, "Unknown field '%.*s'", WR_STR_ARG(name))
                : wr_raise_at(b->ctx, WR_TYPE, span,
                              "Incompatible types: a value of type %.*s has no field '%.*s'",
                              WR_STR_ARG(type), WR_STR_ARG(name));
        for (uint32_t f = 0; is_row(row->type) && f < row->type->field_count; f++)
            wr_candidate(b->ctx, name, row->type->fields[f].name);
        return status;
    }
    *out = wri_bind_field_at(b, row, (uint32_t)i, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* The parts from `from` on as fields of *e. `s`, `item`: for the message. */
static wr_status
fields_of(wri_binder *b, const wri_scope *s, uint32_t item, const wr_ast_ident *id, uint32_t from,
          wr_expr **e)
{
    for (uint32_t i = from; i < id->part_count; i++) {
        int32_t f = field_index((*e)->type, id->parts[i].name);
        if (f < 0) {
            wr_text path, mean;
            wr_text_init(&path, b->a);
            wr_text_init(&mean, b->a);
            for (uint32_t k = from - 1; k < id->part_count; k++)
                wr_text_printf(&path, "%s%.*s", k >= from ? "." : "",
                               WR_STR_ARG(id->parts[k].name));
            const wr_type *t = (*e)->type;
            for (uint32_t k = 0; is_row(t) && k < t->field_count; k++)
                if (wr_str_eq_nocase(t->fields[k].name, id->parts[i].name))
                    wr_text_printf(&mean, "; did you mean '%.*s'?", WR_STR_ARG(t->fields[k].name));
            wr_status status = wr_raise_at(
                b->ctx, WR_NAME, wri_bind_span(b, &id->base),
                "Column '%.*s' not found in table '%.*s'%.*s", WR_STR_ARG(wr_text_str(&path)),
                WR_STR_ARG(s->items[item].alias), WR_STR_ARG(wr_text_str(&mean)));
            for (uint32_t k = 0; is_row(t) && k < t->field_count; k++)
                wr_candidate(b->ctx, id->parts[i].name, t->fields[k].name);
            return status;
        }
        *e = wri_bind_field_at(b, *e, (uint32_t)f, wri_bind_span(b, &id->base));
        WR_TRY_ALLOC(b->ctx, *e);
    }
    return WR_OK;
}

/* ---- resolving a path ------------------------------------------------------------------------ */
/* In one scope; *out stays NULL when it has nothing of that name. */
static wr_status
resolve_in(wri_binder *b, const wri_scope *s, uint32_t level, const wr_ast_ident *id, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &id->base);
    uint32_t col = 0;
    for (uint32_t n = id->part_count - 1; n >= 1; n--) { /* table.column.fields */
        int32_t item = find_item(s, id->parts, n);
        if (item < 0) continue;
        wr_str name = id->parts[n].name;
        uint32_t found = find_column(s, item, name, &col);
        if (found == 0)
            return raise_no_column(b, s, item, name, wri_bind_part_span(b, id->parts[n].span));
        if (found > 1) return raise_ambiguous(b, span, name);
        WR_TRY(column_ref(b, s, col, level, span, out));
        return fields_of(b, s, (uint32_t)item, id, n + 1, out);
    }
    wr_str name = id->parts[0].name;
    uint32_t found = find_column(s, -1, name, &col);
    const wri_merged *merged = NULL;
    for (uint32_t i = 0; i < s->merged_count; i++) {
        if (!wr_str_eq(s->merged[i].name, name)) continue;
        merged = &s->merged[i];
        found++;
    }
    if (found == 0) return WR_OK;
    if (found > 1) return raise_ambiguous(b, span, name);
    const wr_type *type = merged ? merged->expr->type : s->columns[col].type;
    if (id->part_count > 1 && !is_row(type)) return WR_OK; /* no table of that name */
    uint32_t item = 0;
    if (merged) {
        WR_TRY(lift_expr(b, merged->expr, level, out));
    } else {
        item = s->columns[col].item;
        WR_TRY(column_ref(b, s, col, level, span, out));
    }
    return fields_of(b, s, item, id, 1, out);
}

static wr_status
raise_unresolved(wri_binder *b, const wri_scope *s, const wr_ast_ident *id)
{
    static const wri_scope nothing;
    if (id->part_count == 1)
        return raise_no_column(b, s ? s : &nothing, -1, id->parts[0].name,
                               wri_bind_span(b, &id->base));
    wr_ast_ident table = *id;
    table.part_count--;
    wr_span span = {id->parts[0].span.start, id->parts[id->part_count - 2].span.end};
    wr_str name = wri_bind_ident_text(b, &table);
    wr_status status = wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, span),
                                   "Table '%.*s' not found", WR_STR_ARG(name));
    for (; s; s = s->outer)
        for (uint32_t i = 0; i < s->item_count; i++) wr_candidate(b->ctx, name, s->items[i].alias);
    return status;
}

wr_status
wri_bind_resolve(wri_binder *b, const wri_where *w, const wr_ast_ident *id, wr_expr **out)
{
    *out = NULL;
    if (w->match) return wri_match_resolve(b, w->match, id, out);
    if (w->aliases && id->part_count == 1)
        for (uint32_t i = 0; i < w->aliases->count; i++)
            if (wr_str_eq(w->aliases->items[i].name, id->parts[0].name)) {
                *out = w->aliases->items[i].expr;
                return WR_OK;
            }
    uint32_t level = 0;
    for (const wri_scope *s = w->scope; s; s = s->outer, level++) {
        WR_TRY(resolve_in(b, s, level, id, out));
        if (*out) return WR_OK;
    }
    return raise_unresolved(b, w->scope, id);
}

wr_status
wri_bind_resolve_star(wri_binder *b, const wri_scope *s, const wr_ast_ident *id, int32_t *item,
                      wr_expr **row)
{
    *row = NULL;
    *item = find_item(s, id->parts, id->part_count);
    if (*item >= 0) return WR_OK;
    wr_ast_ident path = *id;
    path.star = false;
    WR_TRY(resolve_in(b, s, 0, &path, row));
    if (*row && is_row((*row)->type)) return WR_OK;
    wr_str name = wri_bind_ident_text(b, &path);
    wr_span span = {id->parts[0].span.start, id->parts[id->part_count - 1].span.end};
    wr_status status = wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, span),
                                   "Unknown identifier '%.*s'", WR_STR_ARG(name));
    for (uint32_t i = 0; i < s->item_count; i++) wr_candidate(b->ctx, name, s->items[i].alias);
    return status;
}
