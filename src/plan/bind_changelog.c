/* SPDX-License-Identifier: Apache-2.0 */
/* FROM_CHANGELOG and TO_CHANGELOG in FROM: each becomes a CHANGELOG node above its input. Both take
 * (input, op, op_mapping, on_time, uid), by position or name; as in Flink, other names are ignored.
 */
#include "plan/bind_int.h"
#include "plan/changelog_fn.h"
#include "plan/explain_int.h"

typedef enum operand { OP_INPUT, OP_OP, OP_MAPPING, OP_TIME, OP_UID, OP_COUNT } operand;

static const char *const operand_names[] = {"input", "op", "op_mapping", "on_time", "uid"};
static const char *const kind_names[] = {
    [WR_INSERT] = "INSERT",
    [WR_UPDATE_BEFORE] = "UPDATE_BEFORE",
    [WR_UPDATE_AFTER] = "UPDATE_AFTER",
    [WR_DELETE] = "DELETE",
};

typedef struct changelog_call { /* a call being bound */
    const char *name;
    const wr_ast_call *call;
    const wr_ast *args[OP_COUNT];
    wr_expr *mapping, *uid; /* NULL: default */
    wr_str op;              /* name of the op column */
    wri_from from;
    wr_changelog_spec *spec;
} changelog_call;

static const char *
function_of(const wr_ast *t, const wr_ast_call **call)
{
    static const char *const names[] = {"FROM_CHANGELOG", "TO_CHANGELOG"};
    if (t->kind != WR_AST_TABLE_FUNC) return NULL;
    const wr_ast *c = WR_AST_AS(wr_ast_table_func, WR_AST_TABLE_FUNC, t)->call;
    if (c->kind != WR_AST_CALL) return NULL;
    *call = WR_AST_AS(wr_ast_call, WR_AST_CALL, c);
    if ((*call)->name->part_count != 1) return NULL;
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (wr_str_eq_nocase((*call)->name->parts[0].name, wr_str_c(names[i]))) return names[i];
    return NULL;
}

bool
wri_bind_is_changelog(const wr_ast *t)
{
    const wr_ast_call *call;
    return function_of(t, &call) != NULL;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static wr_status
put_operand(wri_binder *b, const changelog_call *c, operand which, wr_text *t)
{
    static const char *const defaults[] = {"", "COLUMN_LIST",
                                           "(VARCHAR(2147483647), VARCHAR(2147483647)) MAP",
                                           "COLUMN_LIST", "CHARACTER"};
    const wr_ast *e = c->args[which];
    wri_scope nothing = {0};
    const wri_where where = {.scope = &nothing, .clause = "FROM"};
    wr_expr *x = NULL;
    if (which == OP_INPUT || !e || e->kind == WR_AST_DESCRIPTOR || e->kind == WR_AST_TABLE_ARG) {
        wr_text_puts(t, defaults[which]);
        if (which == OP_INPUT && c->from.rel) wri_put_record_type(t, &c->from.rel->schema);
        return WR_OK;
    }
    WR_TRY(wri_bind_expr(b, &where, e, &x));
    if (wr_type_is_string(x->type))
        wr_text_puts(t, "CHARACTER");
    else
        wr_type_print(x->type, WR_TYPE_CALCITE, t);
    return WR_OK;
}

static wr_status
refuse_signature(wri_binder *b, const changelog_call *c)
{
    wr_text t;
    wr_text_init(&t, b->a);
    for (uint32_t i = 0; i < OP_COUNT && c->from.rel; i++) {
        wr_text_puts(&t, i ? ", <" : "<");
        WR_TRY(put_operand(b, c, (operand)i, &t));
        wr_text_putc(&t, '>');
    }
    return wr_raise_at(
        b->ctx, WR_NAME, wri_bind_span(b, &c->call->base),
        "No match found for function signature %s(%.*s).\nSupported signatures "
        "are:\n%s(input => {TABLE, ROW SEMANTIC TABLE%s}, op => DESCRIPTOR, "
        "op_mapping => MAP<STRING, STRING>, on_time => DESCRIPTOR, uid => STRING)",
        c->name, (int)t.len, t.ptr, c->name,
        c->spec->from ? "" : ", SUPPORT UPDATES, REQUIRE UPDATE BEFORE, REQUIRE FULL DELETE");
}

static wr_status
place_arguments(wri_binder *b, changelog_call *c)
{
    for (uint32_t i = 0; i < c->call->args.count; i++) {
        const wr_ast *a = c->call->args.items[i];
        uint32_t at = i;
        if (a->kind == WR_AST_NAMED_ARG) {
            const wr_ast_named_arg *named = WR_AST_AS(wr_ast_named_arg, WR_AST_NAMED_ARG, a);
            for (at = 0; at < OP_COUNT; at++)
                if (wr_str_eq_nocase(named->name.name, wr_str_c(operand_names[at]))) break;
            if (at == OP_COUNT) continue;
            a = named->value;
        }
        if (at >= OP_COUNT) return refuse_signature(b, c);
        c->args[at] = a;
    }
    if (c->args[OP_INPUT]) return WR_OK;
    if (c->call->args.count == 0) return refuse_signature(b, c);
    return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &c->call->base),
                       "DEFAULT is only allowed for optional parameters");
}

static wr_status
bind_input(wri_binder *b, changelog_call *c, const wri_scope *outer)
{
    const wr_ast *data = c->args[OP_INPUT];
    if (data->kind == WR_AST_TABLE_ARG &&
        WR_AST_AS(wr_ast_table_arg, WR_AST_TABLE_ARG, data)->partition_by.count)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &c->call->base),
                           "Only tables with set semantics may be partitioned. Invalid PARTITION "
                           "BY clause in the 0-th operand of table function '%s'",
                           c->name);
    WR_TRY(wri_bind_table_operand(b, data, outer, &c->from, &c->spec->table));
    if (c->from.rel) return WR_OK;
    return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, data),
                       "Invalid argument value. Argument 'input' expects a table to be passed.");
}

/* The one column name of a DESCRIPTOR; ptr NULL: the argument is not given. */
static wr_status
bind_descriptor(wri_binder *b, const changelog_call *c, operand which, wr_str *out)
{
    const wr_ast *e = c->args[which];
    *out = (wr_str){NULL, 0};
    if (!e) return WR_OK;
    if (e->kind != WR_AST_DESCRIPTOR) return refuse_signature(b, c);
    const wr_ast_descriptor *d = WR_AST_AS(wr_ast_descriptor, WR_AST_DESCRIPTOR, e);
    const wr_ast *item = d->columns.count ? d->columns.items[0] : NULL;
    const wr_ast_ident *id =
        item && item->kind == WR_AST_IDENT ? WR_AST_AS(wr_ast_ident, WR_AST_IDENT, item) : NULL;
    if (d->columns.count != 1 || !id || id->star || id->part_count != 1)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, e),
                           "The descriptor for argument '%s' must contain exactly one column name.",
                           operand_names[which]);
    *out = id->parts[0].name;
    return WR_OK;
}

static int32_t
find_column(const changelog_call *c, wr_str name)
{
    const wr_schema *s = &c->from.rel->schema;
    for (uint32_t i = 0; i < s->count; i++)
        if (wr_str_eq(s->fields[i].name, name)) return (int32_t)i;
    return -1;
}

static wr_status
bind_constant(wri_binder *b, const wr_ast *e, wr_expr **out)
{
    wri_scope nothing = {0};
    const wri_where where = {.scope = &nothing, .clause = "FROM"};
    return wri_bind_expr(b, &where, e, out);
}

/* ---- the mapping ----------------------------------------------------------------------------- */

static wr_str
trimmed(wr_str s)
{
    while (s.len && (unsigned char)*s.ptr <= ' ') s = (wr_str){s.ptr + 1, s.len - 1};
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    return s;
}

static wr_status
find_kind(wri_binder *b, const changelog_call *c, wr_str name, uint8_t *out)
{
    for (uint32_t k = 0; k < WR_COUNT(kind_names); k++)
        if (wr_str_eq_c(name, kind_names[k])) {
            *out = (uint8_t)k;
            return WR_OK;
        }
    const wr_status status = wr_raise_at(
        b->ctx, WR_SEMANTIC, wri_bind_span(b, c->args[OP_MAPPING]),
        "Invalid target mapping for argument 'op_mapping'. Unknown change operation: '%.*s'. Valid "
        "values are: [INSERT, DELETE, UPDATE_BEFORE, UPDATE_AFTER].",
        WR_STR_ARG(name));
    for (uint32_t k = 0; k < WR_COUNT(kind_names); k++)
        wr_candidate(b->ctx, name, wr_str_c(kind_names[k]));
    return status;
}

static wr_status
refuse_twice(wri_binder *b, const changelog_call *c, uint8_t kind)
{
    return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, c->args[OP_MAPPING]),
                       "Invalid target mapping for argument 'op_mapping'. Duplicate change "
                       "operation: '%s'.%s",
                       kind_names[kind],
                       c->spec->from ? " Use comma-separated keys to map multiple codes to the "
                                       "same operation (e.g., MAP['c, r', 'INSERT'])."
                                     : "");
}

/* One entry of the mapping, whose key lists several texts between commas. A code that stands there
 * already keeps its first meaning. */
static wr_status
add_entry(wri_binder *b, changelog_call *c, wr_str key, wr_str value, uint32_t *seen)
{
    wr_changelog_spec *s = c->spec;
    uint8_t kind = WR_INSERT;
    if (s->from) {
        WR_TRY(find_kind(b, c, trimmed(value), &kind));
        if (*seen >> kind & 1) return refuse_twice(b, c, kind);
        *seen |= 1u << kind;
    }
    for (bool more = true; more;) {
        const char *comma = key.len ? memchr(key.ptr, ',', key.len) : NULL;
        const size_t n = comma ? (size_t)(comma - key.ptr) : key.len;
        const wr_str text = trimmed((wr_str){key.ptr, n});
        more = comma != NULL;
        if (more) key = (wr_str){key.ptr + n + 1, key.len - n - 1};
        if (!s->from) {
            WR_TRY(find_kind(b, c, text, &kind));
            if (*seen >> kind & 1) return refuse_twice(b, c, kind);
            *seen |= 1u << kind;
        }
        bool known = false;
        for (uint32_t i = 0; s->from && i < s->code_count; i++)
            known |= wr_str_eq(s->codes[i].text, text);
        if (!known) s->codes[s->code_count++] = (wr_changelog_code){s->from ? text : value, kind};
    }
    return WR_OK;
}

static bool
is_text(const wr_expr *e)
{
    return e->kind == WR_EX_LITERAL && !e->value.is_null && wr_type_is_string(e->type);
}

/* Below the casts that give the entries of a MAP one type. */
static const wr_expr *
text_of(const wr_expr *e)
{
    while (e->kind == WR_EX_CAST && wr_type_is_string(e->type)) e = e->args[0];
    return e;
}

static wr_status
constant_map(wri_binder *b, const changelog_call *c, const wr_expr *e)
{
    const wr_span span = wri_bind_span(b, c->args[OP_MAPPING]);
    bool ok = e->kind == WR_EX_CALL && wr_type_is(e->type, WR_T_MAP);
    for (uint32_t i = 0; ok && i < e->arg_count; i++) {
        ok = is_text(text_of(e->args[i]));
    }
    return ok ? WR_OK
              : wr_raise_at(b->ctx, WR_SEMANTIC, span,
                            "The 'op_mapping' argument must be a constant MAP literal.");
}

static wr_status
default_mapping(wri_binder *b, changelog_call *c)
{
    wr_changelog_spec *s = c->spec;
    s->codes = WR_NEW_N(b->a, wr_changelog_code, WR_COUNT(kind_names));
    WR_TRY_ALLOC(b->ctx, s->codes);
    for (uint32_t k = 0; k < WR_COUNT(kind_names); k++)
        s->codes[s->code_count++] = (wr_changelog_code){wr_str_c(kind_names[k]), (uint8_t)k};
    return WR_OK;
}

static wr_status
bind_mapping(wri_binder *b, changelog_call *c)
{
    wr_expr *e = NULL;
    uint32_t room = 0, seen = 0;
    if (!c->args[OP_MAPPING]) return default_mapping(b, c);
    WR_TRY(bind_constant(b, c->args[OP_MAPPING], &e));
    if (!wr_type_is(e->type, WR_T_MAP)) return refuse_signature(b, c);
    c->mapping = e;
    wr_expr *plain = e;
    while (plain->kind == WR_EX_CAST) plain = plain->args[0];
    if (plain->kind == WR_EX_LITERAL && plain->value.is_null) return default_mapping(b, c);
    WR_TRY(constant_map(b, c, e));
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const wr_str text = text_of(e->args[i])->value.u.str;
        for (size_t k = 0; k < text.len; k++) room += text.ptr[k] == ',';
        room++;
    }
    c->spec->codes = WR_NEW_N(b->a, wr_changelog_code, room + 1);
    WR_TRY_ALLOC(b->ctx, c->spec->codes);
    for (uint32_t i = 0; i + 1 < e->arg_count; i += 2)
        WR_TRY(add_entry(b, c, text_of(e->args[i])->value.u.str,
                         text_of(e->args[i + 1])->value.u.str, &seen));
    if (c->spec->from && (seen >> WR_UPDATE_AFTER & 1) && !(seen >> WR_UPDATE_BEFORE & 1))
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, c->args[OP_MAPPING]),
                           "The 'op_mapping' must include UPDATE_BEFORE for retract mode. Upsert "
                           "mode (without UPDATE_BEFORE) is not supported in this version.");
    return WR_OK;
}

/* ---- columns --------------------------------------------------------------------------------- */

static wr_status
bind_op(wri_binder *b, changelog_call *c)
{
    WR_TRY(bind_descriptor(b, c, OP_OP, &c->op));
    if (!c->op.ptr) c->op = WR_STR("op");
    const int32_t at = find_column(c, c->op);
    const wr_span span = wri_bind_span(b, c->args[OP_OP] ? c->args[OP_OP] : &c->call->base);
    if (!c->spec->from) {
        if (at < 0) return WR_OK;
        return wr_raise_at(b->ctx, WR_NAME, span,
                           "Field names must be unique. Found duplicates: [%.*s]",
                           WR_STR_ARG(c->op));
    }
    if (at < 0) {
        const wr_status status = wr_raise_at(
            b->ctx, WR_NAME, span, "The op column '%.*s' does not exist in the input schema.",
            WR_STR_ARG(c->op));
        for (uint32_t i = 0; i < c->from.rel->schema.count; i++)
            wr_candidate(b->ctx, c->op, c->from.rel->schema.fields[i].name);
        return status;
    }
    c->spec->op_col = (uint32_t)at;
    const wr_type *t = c->from.rel->schema.fields[at].type;
    if (wr_type_is_string(t)) return WR_OK;
    return wr_raise_at(b->ctx, WR_TYPE, span,
                       "The op column '%.*s' must be of STRING type, but was '%.*s'.",
                       WR_STR_ARG(c->op), WR_STR_ARG(wr_type_str(t, WR_TYPE_SUMMARY, b->a)));
}

static wr_status
bind_time(wri_binder *b, changelog_call *c)
{
    wr_str name;
    c->spec->time_col = -1;
    WR_TRY(bind_descriptor(b, c, OP_TIME, &name));
    if (!name.ptr) return WR_OK;
    const wr_span span = wri_bind_span(b, c->args[OP_TIME]);
    if (c->spec->from)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Time operations using the `on_time` argument are currently not "
                           "supported for PTFs that consume or produce updates.");
    c->spec->time_col = find_column(c, name);
    const int32_t at = c->spec->time_col;
    if (at >= 0 && c->from.rel->schema.fields[at].type->attr == WR_ATTR_ROWTIME) return WR_OK;
    return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                       "Invalid column reference in the `on_time` argument: '%.*s' is not an "
                       "event-time attribute of the input.",
                       WR_STR_ARG(name));
}

static wr_status
bind_uid(wri_binder *b, changelog_call *c)
{
    if (!c->args[OP_UID]) return WR_OK;
    WR_TRY(bind_constant(b, c->args[OP_UID], &c->uid));
    WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, c->uid, &c->uid));
    if (!is_text(c->uid)) return refuse_signature(b, c);
    c->spec->uid = c->uid->value.u.str;
    return WR_OK;
}

/* ---- the node -------------------------------------------------------------------------------- */

static void
put_descriptor(wr_text *t, bool given, wr_str name)
{
    if (given)
        wr_text_printf(t, ", DESCRIPTOR(_UTF-16LE'%.*s')", WR_STR_ARG(name));
    else
        wr_text_puts(t, ", DEFAULT()");
}

static void
put_constant(wr_text *t, const wr_expr *e)
{
    wr_text_puts(t, ", ");
    if (e)
        wr_expr_print(e, WR_EXPR_AST, NULL, t);
    else
        wr_text_puts(t, "DEFAULT()");
}

static wr_status
put_call(wri_binder *b, changelog_call *c)
{
    wr_text t;
    wr_text_init(&t, b->a);
    wr_text_printf(&t, "%s(TABLE(#0)", c->name);
    put_descriptor(&t, c->args[OP_OP] != NULL, c->op);
    put_constant(&t, c->mapping);
    const bool timed = c->spec->time_col >= 0;
    put_descriptor(&t, timed,
                   timed ? c->from.rel->schema.fields[c->spec->time_col].name : WR_STR(""));
    put_constant(&t, c->uid);
    wr_text_putc(&t, ')');
    c->spec->call = wr_text_str(&t);
    return t.failed ? wr_raise(b->ctx, WR_NOMEM, "out of memory") : WR_OK;
}

static wr_status
make_node(wri_binder *b, const changelog_call *c, wr_rel **out)
{
    wr_rel *input = c->from.rel;
    const wr_changelog_spec *s = c->spec;
    const wr_schema *in = &input->schema;
    wr_field *f = WR_NEW_N(b->a, wr_field, in->count + 2);
    wr_rel *rel = wri_rel_new(b->a, WR_REL_CHANGELOG, &input, 1);
    uint32_t n = 0;
    WR_TRY_ALLOC(b->ctx, f);
    WR_TRY_ALLOC(b->ctx, rel);
    if (!s->from) f[n++] = (wr_field){c->op, wr_type_string(true), WR_STR("")};
    for (uint32_t i = 0; i < in->count; i++)
        if (!s->from || i != s->op_col) f[n++] = in->fields[i];
    if (s->time_col >= 0) {
        const wr_type *t = wr_type_nullable(b->a, in->fields[s->time_col].type, false);
        WR_TRY_ALLOC(b->ctx, t);
        f[n++] = (wr_field){WR_STR("rowtime"), t, WR_STR("")};
    }
    rel->schema = (wr_schema){f, n};
    rel->span = wri_bind_span(b, &c->call->base);
    rel->u.changelog = s;
    *out = rel;
    return WR_OK;
}

wr_status
wri_bind_changelog(wri_binder *b, const wr_ast *t, const wri_scope *outer, wri_from *out)
{
    const wr_ast_table_func *f = WR_AST_AS(wr_ast_table_func, WR_AST_TABLE_FUNC, t);
    changelog_call c = {0};
    wr_rel *rel = NULL;
    c.name = function_of(t, &c.call);
    c.spec = WR_NEW(b->a, wr_changelog_spec);
    WR_TRY_ALLOC(b->ctx, c.spec);
    c.spec->from = c.name[0] == 'F';
    WR_TRY(place_arguments(b, &c));
    WR_TRY(bind_input(b, &c, outer));
    WR_TRY(bind_op(b, &c));
    WR_TRY(bind_mapping(b, &c));
    WR_TRY(bind_time(b, &c));
    WR_TRY(bind_uid(b, &c));
    WR_TRY(put_call(b, &c));
    WR_TRY(make_node(b, &c, &rel));
    b->raw_names = NULL;
    return wri_bind_as(b, &f->as, WR_STR(""), NULL, wri_bind_span(b, t), rel, outer, out);
}
