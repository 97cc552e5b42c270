/* SPDX-License-Identifier: Apache-2.0 */
/* Window table functions in FROM: TUMBLE, HOP, CUMULATE, SESSION over a table, a view or a query.
 * Each becomes a WINDOW_TVF node above its input; what a size may be is checked here, whether the
 * time column still is an attribute only in the physical plan (rules may end it). */
#include "plan/bind_int.h"
#include "plan/window.h"

typedef enum operand { OP_DATA, OP_TIME, OP_SLIDE, OP_SIZE, OP_OFFSET, OP_COUNT } operand;

typedef struct window_fn {
    const char *name;
    wr_window_kind kind;
    uint8_t order[OP_COUNT]; /* operands by position */
    uint8_t least, most;
    const char *names[OP_COUNT]; /* of the operands, by position */
    const char *form;
} window_fn;

static const window_fn functions[] = {
    {"TUMBLE",
     WR_WINDOW_TUMBLE,
     {OP_DATA, OP_TIME, OP_SIZE, OP_OFFSET},
     3,
     4,
     {"DATA", "TIMECOL", "SIZE", "OFFSET"},
     "TUMBLE(TABLE table_name, DESCRIPTOR(timecol), datetime interval[, datetime interval])"},
    {"HOP",
     WR_WINDOW_HOP,
     {OP_DATA, OP_TIME, OP_SLIDE, OP_SIZE, OP_OFFSET},
     4,
     5,
     {"DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"},
     "HOP(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, datetime "
     "interval])"},
    {"CUMULATE",
     WR_WINDOW_CUMULATE,
     {OP_DATA, OP_TIME, OP_SLIDE, OP_SIZE, OP_OFFSET},
     4,
     5,
     {"DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"},
     "CUMULATE(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, "
     "datetime interval])"},
    {"SESSION",
     WR_WINDOW_SESSION,
     {OP_DATA, OP_TIME, OP_SIZE},
     3,
     3,
     {"DATA", "TIMECOL", "GAP"},
     "SESSION(TABLE table_name [PARTITION BY (keycols, ...)], DESCRIPTOR(timecol), datetime "
     "interval)"},
};

void
wri_bind_window_names(wri_binder *b, wr_str wanted)
{
    for (uint32_t i = 0; i < WR_COUNT(functions); i++)
        wr_candidate(b->ctx, wanted, wr_str_c(functions[i].name));
}

static const wr_ast_call *
call_of(const wr_ast *t)
{
    if (t->kind != WR_AST_TABLE_FUNC) return NULL;
    const wr_ast *c = WR_AST_AS(wr_ast_table_func, WR_AST_TABLE_FUNC, t)->call;
    return c->kind == WR_AST_CALL ? WR_AST_AS(wr_ast_call, WR_AST_CALL, c) : NULL;
}

static const window_fn *
function_of(const wr_ast *t)
{
    const wr_ast_call *c = call_of(t);
    if (!c || c->name->part_count != 1) return NULL;
    for (uint32_t i = 0; i < WR_COUNT(functions); i++)
        if (wr_str_eq_nocase(c->name->parts[0].name, wr_str_c(functions[i].name)))
            return &functions[i];
    return NULL;
}

bool
wri_bind_is_window(const wr_ast *t)
{
    return function_of(t) != NULL;
}

typedef struct window_call { /* a call being bound */
    const window_fn *fn;
    const wr_ast_call *call;
    const wr_ast *args[OP_COUNT];
    wri_from from;
    wr_window_spec *spec;
    uint32_t time_col;
} window_call;

/* ---- arguments ------------------------------------------------------------------------------- */
static const wr_ast *
plain_argument(const wr_ast *a)
{
    return a && a->kind == WR_AST_NAMED_ARG
               ? WR_AST_AS(wr_ast_named_arg, WR_AST_NAMED_ARG, a)->value
               : a;
}

/* What a call with wrong arguments is told: their types as written, and the right form. */
static wr_status
refuse_call(wri_binder *b, const window_call *w)
{
    wr_text t;
    wr_text_init(&t, b->a);
    for (uint32_t i = 0; i < w->call->args.count; i++) {
        const wr_ast *a = plain_argument(w->call->args.items[i]);
        wr_text_puts(&t, i ? ", " : "");
        if (a->kind == WR_AST_TABLE_ARG || wr_ast_is_query(a)) {
            wr_text_puts(&t, "<");
            if (w->from.rel) {
                wr_text_puts(&t, "RecordType(");
                for (uint32_t c = 0; c < w->from.rel->schema.count; c++) {
                    const wr_field *f = &w->from.rel->schema.fields[c];
                    wr_text_puts(&t, c ? ", " : "");
                    wr_type_print(f->type, WR_TYPE_CALCITE, &t);
                    wr_text_printf(&t, " %.*s", WR_STR_ARG(f->name));
                }
                wr_text_puts(&t, ")");
            }
            wr_text_puts(&t, ">");
        } else if (a->kind == WR_AST_DESCRIPTOR) {
            wr_text_puts(&t, "<COLUMN_LIST>");
        } else {
            wr_expr *e = NULL;
            wri_scope nothing = {0};
            const wri_where where = {.scope = &nothing, .clause = "FROM"};
            WR_TRY(wri_bind_expr(b, &where, a, &e));
            wr_text_puts(&t, "<");
            wr_type_print(e->type, WR_TYPE_CALCITE, &t);
            wr_text_puts(&t, ">");
        }
    }
    return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &w->call->base),
                       "Cannot apply '%s' to arguments of type '%s(%.*s)'. Supported form(s): %s",
                       w->fn->name, w->fn->name, WR_STR_ARG(wr_text_str(&t)), w->fn->form);
}

static wr_status
refuse_count(wri_binder *b, const window_call *w)
{
    const wr_status status =
        wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &w->call->base),
                    "Invalid number of arguments to function '%s'. Was expecting %u arguments",
                    w->fn->name, w->fn->least);
    wr_hint(b->ctx, "%s", w->fn->form);
    return status;
}

static wr_status
refuse_name(wri_binder *b, const window_call *w, const wr_ast_part *name)
{
    for (uint32_t i = 0; i < w->fn->most; i++)
        if (wr_str_eq_nocase(name->name, wr_str_c(w->fn->names[i])))
            return wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, name->span),
                               "Param '%.*s' not found in function '%s'; did you mean '%s'?",
                               WR_STR_ARG(name->name), w->fn->name, w->fn->names[i]);
    for (uint32_t i = 0; i < w->fn->most; i++)
        wr_candidate(b->ctx, name->name, wr_str_c(w->fn->names[i]));
    return refuse_count(b, w);
}

static wr_status
place_arguments(wri_binder *b, window_call *w)
{
    const window_fn *f = w->fn;
    const uint32_t n = w->call->args.count;
    if (n > f->most) return refuse_count(b, w);
    for (uint32_t i = 0; i < n; i++) {
        const wr_ast *a = w->call->args.items[i];
        uint32_t at = i;
        if (a->kind == WR_AST_NAMED_ARG) {
            const wr_ast_part *name = &WR_AST_AS(wr_ast_named_arg, WR_AST_NAMED_ARG, a)->name;
            for (at = 0; at < f->most; at++)
                if (wr_str_eq(name->name, wr_str_c(f->names[at]))) break;
            if (at == f->most) return refuse_name(b, w, name);
        }
        if (w->args[f->order[at]]) return refuse_count(b, w);
        w->args[f->order[at]] = plain_argument(a);
    }
    for (uint32_t i = 0; i < f->least; i++)
        if (!w->args[f->order[i]]) return refuse_count(b, w);
    return WR_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */
static wr_status
bind_named_table(wri_binder *b, const wr_ast_explicit_table *t, const wri_scope *outer,
                 wri_from *out)
{
    wr_ast_table_ref *ref = WR_NEW(b->a, wr_ast_table_ref);
    WR_TRY_ALLOC(b->ctx, ref);
    ref->base = t->base;
    ref->base.kind = WR_AST_TABLE_REF;
    ref->name = t->name;
    return wri_bind_from(b, &ref->base, outer, out);
}

wr_status
wri_bind_table_operand(wri_binder *b, const wr_ast *data, const wri_scope *outer, wri_from *out,
                       bool *is_table)
{
    const wr_ast_table_arg *arg =
        data->kind == WR_AST_TABLE_ARG ? WR_AST_AS(wr_ast_table_arg, WR_AST_TABLE_ARG, data) : NULL;
    const wr_ast *table = arg ? arg->table : data;
    out->rel = NULL;
    *is_table = table->kind == WR_AST_EXPLICIT_TABLE;
    if (*is_table)
        return bind_named_table(b, WR_AST_AS(wr_ast_explicit_table, WR_AST_EXPLICIT_TABLE, table),
                                outer, out);
    if (!wr_ast_is_query(table)) return WR_OK;
    wr_ast_derived *d = WR_NEW(b->a, wr_ast_derived);
    WR_TRY_ALLOC(b->ctx, d);
    d->base = (wr_ast){.kind = WR_AST_DERIVED, .span = table->span, .height = table->height + 1};
    d->query = (wr_ast *)(uintptr_t)table;
    return wri_bind_from(b, &d->base, outer, out);
}

static wr_status
bind_data(wri_binder *b, window_call *w, const wri_scope *outer)
{
    const wr_ast *data = w->args[OP_DATA];
    WR_TRY(wri_bind_table_operand(b, data, outer, &w->from, &w->spec->table));
    if (w->from.rel) return WR_OK;
    if (data->kind == WR_AST_TABLE_ARG)
        data = WR_AST_AS(wr_ast_table_arg, WR_AST_TABLE_ARG, data)->table;
    wri_scope nothing = {.outer = outer};
    const wri_where where = {.scope = &nothing, .clause = "FROM"};
    wr_expr *e = NULL;
    WR_TRY(wri_bind_expr(b, &where, data, &e));
    return refuse_call(b, w);
}

/* The column of the table that a name of DESCRIPTOR or PARTITION BY means. */
static wr_status
find_column(wri_binder *b, const window_call *w, const wr_ast *e, uint32_t *out)
{
    const wr_schema *s = &w->from.rel->schema;
    const wr_ast_ident *id =
        e->kind == WR_AST_IDENT ? WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e) : NULL;
    const wr_span span = wri_bind_span(b, e);
    if (!id || id->star || id->part_count != 1)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "a column of the table is expected here");
    const wr_str name = id->parts[0].name;
    for (*out = 0; *out < s->count; ++*out)
        if (wr_str_eq(s->fields[*out].name, name)) return WR_OK;
    const wr_status status =
        wr_raise_at(b->ctx, WR_NAME, span, "Unknown identifier '%.*s'", WR_STR_ARG(name));
    for (uint32_t i = 0; i < s->count; i++) wr_candidate(b->ctx, name, s->fields[i].name);
    return status;
}

static wr_status
bind_keys(wri_binder *b, window_call *w)
{
    const wr_ast *data = w->args[OP_DATA];
    if (data->kind != WR_AST_TABLE_ARG) return WR_OK;
    const wr_ast_table_arg *arg = WR_AST_AS(wr_ast_table_arg, WR_AST_TABLE_ARG, data);
    const uint32_t n = arg->partition_by.count;
    if (n && w->fn->kind != WR_WINDOW_SESSION)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &w->call->base),
                           "Only tables with set semantics may be partitioned. Invalid PARTITION "
                           "BY clause in the 0-th operand of table function '%s'",
                           w->fn->name);
    if (arg->order_by.count)
        return w->fn->kind == WR_WINDOW_SESSION
                   ? wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &w->call->base),
                                 "Session window TVF doesn't support order by clause.")
                   : wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &w->call->base),
                                 "Only tables with set semantics may be ordered. Invalid ORDER BY "
                                 "clause in the 0-th operand of table function '%s'",
                                 w->fn->name);
    uint32_t *keys = WR_NEW_N(b->a, uint32_t, n + 1);
    WR_TRY_ALLOC(b->ctx, keys);
    for (uint32_t i = 0; i < n; i++)
        WR_TRY(find_column(b, w, arg->partition_by.items[i], &keys[i]));
    w->spec->keys = keys;
    w->spec->key_count = n;
    return WR_OK;
}

static wr_status
bind_time(wri_binder *b, window_call *w)
{
    const wr_ast *e = w->args[OP_TIME];
    if (e->kind != WR_AST_DESCRIPTOR) {
        wri_scope nothing = {0};
        const wri_where where = {.scope = &nothing, .clause = "FROM"};
        wr_expr *x = NULL;
        WR_TRY(wri_bind_expr(b, &where, e, &x));
        return refuse_call(b, w);
    }
    const wr_ast_descriptor *d = WR_AST_AS(wr_ast_descriptor, WR_AST_DESCRIPTOR, e);
    if (d->columns.count == 0) return refuse_call(b, w);
    uint32_t ignored;
    WR_TRY(find_column(b, w, d->columns.items[0], &w->time_col));
    for (uint32_t i = 1; i < d->columns.count; i++) /* Flink looks at the first one only */
        WR_TRY(find_column(b, w, d->columns.items[i], &ignored));
    const wr_type *t = w->from.rel->schema.fields[w->time_col].type;
    if (!wr_type_is(t, WR_T_TIMESTAMP) && !wr_type_is(t, WR_T_TIMESTAMP_LTZ))
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, d->columns.items[0]),
                           "The window function %s requires the timecol to be TIMESTAMP or "
                           "TIMESTAMP_LTZ, but is %.*s.\nBesides, the timecol must be a time "
                           "attribute type in streaming mode.",
                           w->fn->form, WR_STR_ARG(wr_type_str(t, WR_TYPE_CALCITE, b->a)));
    w->spec->time = t;
    w->spec->rowtime = t->attr != WR_ATTR_PROCTIME;
    return WR_OK;
}

static wr_status
bind_length(wri_binder *b, const window_call *w, operand which, int64_t *out)
{
    const wr_ast *e = w->args[which];
    wri_scope nothing = {0};
    const wri_where where = {.scope = &nothing, .clause = "FROM"};
    wr_expr *x = NULL;
    if (!e) return WR_OK;
    if (e->kind == WR_AST_TABLE_ARG || e->kind == WR_AST_DESCRIPTOR) return refuse_call(b, w);
    WR_TRY(wri_bind_expr(b, &where, e, &x));
    if (wr_expr_is_constant(x)) WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, x, &x));
    if (wr_type_is(x->type, WR_T_INTERVAL_YM))
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, e),
                           "Window aggregate only support SECOND, MINUTE, HOUR, DAY as the time "
                           "unit. MONTH and YEAR time unit are not supported yet.");
    if (wr_type_is(x->type, WR_T_NULL))
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, e), "Illegal use of 'NULL'");
    if (!wr_type_is(x->type, WR_T_INTERVAL_DT)) return refuse_call(b, w);
    if (x->kind != WR_EX_LITERAL || x->value.is_null)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, e),
                           "Window aggregate only support SECOND, MINUTE, HOUR, DAY as the time "
                           "unit. The lengths of windows must be constants.");
    *out = x->value.u.i;
    ((const wr_expr **)(uintptr_t)w->spec->lengths)[w->spec->length_count++] = x;
    return WR_OK;
}

/* ---- lengths --------------------------------------------------------------------------------- */
static wr_status
check_positive(wri_binder *b, const window_call *w)
{
    const wr_window_spec *s = w->spec;
    const wr_span span = wri_bind_span(b, &w->call->base);
    const bool session = s->kind == WR_WINDOW_SESSION, hop = s->kind == WR_WINDOW_HOP;
    const long long size = (long long)s->size_ms, slide = (long long)s->slide_ms;
    if (w->args[OP_SLIDE] && (s->size_ms <= 0 || s->slide_ms <= 0))
        return hop ? wr_raise_at(b->ctx, WR_SEMANTIC, span,
                                 "HOP table function based aggregate requires slide and size to be "
                                 "positive, but got slide %lld ms and size %lld ms.",
                                 slide, size)
                   : wr_raise_at(b->ctx, WR_SEMANTIC, span,
                                 "CUMULATE table function based aggregate requires maxSize and "
                                 "step to be positive, but got maxSize %lld ms and step %lld ms.",
                                 size, slide);
    if (s->size_ms <= 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "%s table function based aggregate requires %s to be positive, but got "
                           "%s%lld ms.",
                           w->fn->name, session ? "gap" : "size", session ? "gap " : "", size);
    return WR_OK;
}

static wr_status
check_lengths(wri_binder *b, const window_call *w)
{
    const wr_window_spec *s = w->spec;
    const wr_span span = wri_bind_span(b, &w->call->base);
    const bool tumble = s->kind == WR_WINDOW_TUMBLE;
    WR_TRY(check_positive(b, w));
    if (s->kind == WR_WINDOW_CUMULATE && s->size_ms % s->slide_ms)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "CUMULATE table function based aggregate requires maxSize must be an "
                           "integral multiple of step, but got maxSize %lld ms and step %lld ms.",
                           (long long)s->size_ms, (long long)s->slide_ms);
    if (!tumble || (s->offset_ms > -s->size_ms && s->offset_ms < s->size_ms)) return WR_OK;
    return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                       "TUMBLE table function parameters must satisfy abs(offset) < size, but got "
                       "size %lld ms and offset %lld ms.",
                       (long long)s->size_ms, (long long)s->offset_ms);
}

static const char *const own_names[] = {"window_start", "window_end", "window_time"};

/* ---- the node -------------------------------------------------------------------------------- */
wr_status
wri_bind_window_node(wri_binder *b, wr_rel *input, const wr_window_spec *spec, uint32_t time_col,
                     wr_span span, wr_rel **out)
{
    const wr_schema *in = &input->schema;
    wr_field *f = WR_NEW_N(b->a, wr_field, in->count + 4);
    wr_str *names = WR_NEW_N(b->a, wr_str, in->count + 4);
    wr_rel *rel = wri_rel_new(b->a, WR_REL_WINDOW_TVF, &input, 1);
    const wr_type *bound = wr_type_time(b->a, WR_T_TIMESTAMP, 3, false);
    const wr_type *time = spec->grouped ? spec->time : wr_type_nullable(b->a, spec->time, false);
    WR_TRY_ALLOC(b->ctx, f);
    WR_TRY_ALLOC(b->ctx, names);
    WR_TRY_ALLOC(b->ctx, rel);
    WR_TRY_ALLOC(b->ctx, bound);
    WR_TRY_ALLOC(b->ctx, time);
    for (uint32_t i = 0; i < in->count; i++) {
        f[i] = in->fields[i];
        names[i] = f[i].name;
    }
    for (uint32_t i = 0; i < 3; i++) {
        names[in->count + i] = wr_str_c(own_names[i]);
        f[in->count + i] = (wr_field){wr_str_c(own_names[i]), i < 2 ? bound : time, WR_STR("")};
    }
    if (!wri_rel_names_unique(b->a, names, in->count + 3))
        return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < 3; i++) f[in->count + i].name = names[in->count + i];
    rel->schema = (wr_schema){f, in->count + 3};
    rel->span = span;
    rel->u.tvf.spec = spec;
    rel->u.tvf.time_col = time_col;
    *out = rel;
    return WR_OK;
}

/* A table may have columns of the function's names: then these are ambiguous. */
static wr_status
raw_names(wri_binder *b, const wr_schema *in)
{
    wr_str *names = WR_NEW_N(b->a, wr_str, in->count + 4);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < in->count; i++) names[i] = in->fields[i].name;
    for (uint32_t i = 0; i < 3; i++) names[in->count + i] = wr_str_c(own_names[i]);
    b->raw_names = names;
    return WR_OK;
}

wr_status
wri_bind_window(wri_binder *b, const wr_ast *t, const wri_scope *outer, wri_from *out)
{
    const wr_ast_table_func *f = WR_AST_AS(wr_ast_table_func, WR_AST_TABLE_FUNC, t);
    window_call w = {.fn = function_of(t), .call = call_of(t)};
    wr_rel *rel = NULL;
    w.spec = WR_NEW(b->a, wr_window_spec);
    WR_TRY_ALLOC(b->ctx, w.spec);
    w.spec->kind = (uint8_t)w.fn->kind;
    WR_TRY(place_arguments(b, &w));
    WR_TRY(bind_data(b, &w, outer));
    WR_TRY(bind_time(b, &w));
    WR_TRY(bind_keys(b, &w));
    w.spec->lengths = WR_NEW_N(b->a, const wr_expr *, 3);
    WR_TRY_ALLOC(b->ctx, w.spec->lengths);
    WR_TRY(bind_length(b, &w, OP_SLIDE, &w.spec->slide_ms));
    WR_TRY(bind_length(b, &w, OP_SIZE, &w.spec->size_ms));
    WR_TRY(bind_length(b, &w, OP_OFFSET, &w.spec->offset_ms));
    if (!w.args[OP_SLIDE]) w.spec->slide_ms = w.spec->size_ms;
    WR_TRY(check_lengths(b, &w));
    WR_TRY(wri_bind_window_node(b, w.from.rel, w.spec, w.time_col, wri_bind_span(b, &w.call->base),
                                &rel));
    WR_TRY(raw_names(b, &w.from.rel->schema));
    return wri_bind_as(b, &f->as, WR_STR(""), NULL, wri_bind_span(b, t), rel, outer, out);
}
