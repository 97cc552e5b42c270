/* SPDX-License-Identifier: Apache-2.0 */
/* Group windows: GROUP BY TUMBLE(ts, size), HOP(ts, slide, size) or SESSION(ts, gap), with
 * TUMBLE_START(ts, size) and so on in the select list. A window table function over the columns
 * below the aggregate gives start, end and time, by which is grouped; sessions are of the other
 * keys. */
#include "plan/bind_int.h"

static const char *const heads[] = {"TUMBLE", "HOP", "SESSION"};
static const uint8_t kinds[] = {WR_WINDOW_TUMBLE, WR_WINDOW_HOP, WR_WINDOW_SESSION};
static const char *const tails[] = {"", "_START", "_END", "_ROWTIME", "_PROCTIME"};

/* Which function: its head, its tail (0: the window itself). */
static bool
split_name(wr_str name, uint32_t *head, uint32_t *tail)
{
    for (*head = 0; *head < WR_COUNT(heads); ++*head)
        for (*tail = 0; *tail < WR_COUNT(tails); ++*tail) {
            const size_t n = strlen(heads[*head]);
            if (name.len == n + strlen(tails[*tail]) &&
                wr_str_eq_nocase((wr_str){name.ptr, n}, wr_str_c(heads[*head])) &&
                wr_str_eq_nocase((wr_str){name.ptr + n, name.len - n}, wr_str_c(tails[*tail])))
                return true;
        }
    return false;
}

static const wr_ast_call *
window_call(const wr_ast *e, uint32_t *head, uint32_t *tail)
{
    if (e->kind != WR_AST_CALL) return NULL;
    const wr_ast_call *c = WR_AST_AS(wr_ast_call, WR_AST_CALL, e);
    return c->name->part_count == 1 && split_name(c->name->parts[0].name, head, tail) ? c : NULL;
}

bool
wri_bind_is_group_window(const wr_ast *e)
{
    uint32_t head, tail;
    return window_call(e, &head, &tail) && tail == 0;
}

bool
wri_bind_is_group_window_name(wr_str name)
{
    uint32_t head, tail;
    return split_name(name, &head, &tail);
}

/* ---- arguments ------------------------------------------------------------------------------- */
static wr_status
refuse_arguments(wri_binder *b, const wr_ast_call *c, const char *head, wr_expr *const *args,
                 uint32_t n)
{
    wr_text t, forms;
    const bool hop = strcmp(head, "HOP") == 0;
    const char *more = hop ? ", <DATETIME_INTERVAL>" : "";
    wr_text_init(&t, b->a);
    wr_text_init(&forms, b->a);
    for (uint32_t i = 0; i < n; i++) {
        wr_text_puts(&t, i ? ", <" : "<");
        wr_type_print(args[i]->type, WR_TYPE_CALCITE, &t);
        wr_text_putc(&t, '>');
    }
    wr_text_printf(&forms,
                   "'$%s(<DATETIME>, <DATETIME_INTERVAL>%s)'\n'$%s(<DATETIME>, "
                   "<DATETIME_INTERVAL>%s, <TIME>)'",
                   head, more, head, more);
    return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &c->base),
                       "Cannot apply '$%s' to arguments of type '$%s(%.*s)'. Supported form(s): "
                       "%.*s",
                       head, head, WR_STR_ARG(wr_text_str(&t)), WR_STR_ARG(wr_text_str(&forms)));
}

/* The time and the lengths, as they are written. */
static wr_status
bind_arguments(wri_binder *b, const wri_scope *scope, const wr_ast_call *c, uint32_t head,
               wri_group_window *w)
{
    const wri_where where = {.scope = scope, .clause = "GROUP BY"};
    const uint32_t want = kinds[head] == WR_WINDOW_HOP ? 3 : 2, n = c->args.count;
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, n + 1);
    WR_TRY_ALLOC(b->ctx, args);
    for (uint32_t i = 0; i < n; i++) {
        WR_TRY(wri_bind_expr(b, &where, c->args.items[i], &args[i]));
        if (i && wr_expr_is_constant(args[i]))
            WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, args[i], &args[i]));
    }
    if (n < want)
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &c->base),
                           "Invalid number of arguments to function '$%s'. Was expecting %u "
                           "arguments",
                           heads[head], want);
    if (n == want + 1 && wr_type_is(args[want]->type, WR_T_TIME))
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &c->base),
                           "%s window with alignment is not supported yet.", heads[head]);
    bool ok = n == want;
    if (ok)
        ok = wr_type_is(args[0]->type, WR_T_TIMESTAMP) ||
             wr_type_is(args[0]->type, WR_T_TIMESTAMP_LTZ);
    for (uint32_t i = 1; ok && i < n; i++)
        ok = wr_type_is(args[i]->type, WR_T_INTERVAL_DT) ||
             wr_type_is(args[i]->type, WR_T_INTERVAL_YM);
    if (!ok) return refuse_arguments(b, c, heads[head], args, n);
    for (uint32_t i = 1; i < n; i++)
        if (!wr_type_is(args[i]->type, WR_T_INTERVAL_DT) || args[i]->kind != WR_EX_LITERAL ||
            args[i]->value.is_null)
            return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, c->args.items[i]),
                               "Window aggregate only support SECOND, MINUTE, HOUR, DAY as the "
                               "time unit. MONTH and YEAR time unit are not supported yet.");
    w->time = args[0];
    w->lengths = args + 1;
    w->length_count = n - 1;
    w->size_ms = args[want - 1]->value.u.i;
    w->slide_ms = args[1]->value.u.i;
    return WR_OK;
}

static wr_status
check_window(wri_binder *b, const wr_ast_call *c, uint32_t head, const wri_group_window *w)
{
    static const char *const names[] = {"TumblingWindowAssigner", "SlidingWindowAssigner",
                                        "SessionWindowAssigner"};
    const wr_span span = wri_bind_span(b, &c->base);
    if (!b->env->batch && w->time->type->attr == WR_ATTR_NONE)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Window aggregate can only be defined over a time attribute column, "
                           "but %.*s encountered.",
                           WR_STR_ARG(wr_type_str(w->time->type, WR_TYPE_CALCITE, b->a)));
    if (w->size_ms > 0 && w->slide_ms > 0) return WR_OK;
    return wr_raise_at(b->ctx, WR_SEMANTIC, span, "%s parameters must satisfy %s", names[head],
                       head == 0   ? "size > 0"
                       : head == 1 ? "slide > 0 and size > 0"
                                   : "0 < size");
}

/* Not with GROUPING SETS, ROLLUP and CUBE. */
static wr_status
refuse_sets(wri_binder *b, const wr_ast_call *c, const char *head, const wr_type *time)
{
    wr_text t;
    wr_text_init(&t, b->a);
    wr_type_print(time, WR_TYPE_SUMMARY, &t);
    for (uint32_t i = 1; i < c->args.count; i++) wr_text_puts(&t, ", INTERVAL SECOND(3) NOT NULL");
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &c->base),
                       "Unsupported call: $%s(%.*s) \nIf you think this function should be "
                       "supported, you can create an issue and start a discussion for it.",
                       head, WR_STR_ARG(wr_text_str(&t)));
}

/* ---- the window of a GROUP BY ---------------------------------------------------------------- */
wr_status
wri_bind_group_window(wri_binder *b, const wri_scope *scope, wri_group *g, const wr_ast *e)
{
    uint32_t head, tail;
    const wr_ast_call *c = window_call(e, &head, &tail);
    wri_group_window *w = WR_NEW(b->a, wri_group_window);
    WR_TRY_ALLOC(b->ctx, w);
    if (g->window)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, e),
                           "Only a single window group function may be used in GROUP BY");
    WR_TRY(bind_arguments(b, scope, c, head, w));
    WR_TRY(check_window(b, c, head, w));
    if (g->has_sets) return refuse_sets(b, c, heads[head], w->time->type);
    w->kind = kinds[head];
    w->span = wri_bind_span(b, e);
    g->window = w;
    return WR_OK;
}

/* Is the call over the same time and lengths as the window? */
static bool
is_same(const wri_group_window *w, const wri_group_window *own, uint32_t head)
{
    return w->kind == kinds[head] && w->size_ms == own->size_ms && w->slide_ms == own->slide_ms &&
           wr_expr_equal(w->time, own->time);
}

static const wr_type *
prop_type(wri_binder *b, const wri_group_window *w, uint32_t tail)
{
    if (tail < 3) return wr_type_time(b->a, WR_T_TIMESTAMP, 3, false);
    if (tail == 3) return w->time->type;
    const wr_type *t = wr_type_time(b->a, WR_T_TIMESTAMP_LTZ, 3, false);
    return t ? wr_type_attr(b->a, t, WR_ATTR_PROCTIME) : NULL;
}

wr_status
wri_bind_group_window_call(wri_binder *b, const wri_where *w, const wr_ast_call *c,
                           wri_agg_call *call, const wr_type **type)
{
    uint32_t head = 0, tail = 0;
    wri_group_window own = {0};
    const wr_span span = wri_bind_span(b, &c->base);
    const wr_str name = c->name->parts[0].name;
    (void)window_call(&c->base, &head, &tail);
    if (tail == 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Group function '$%s' can only appear in GROUP BY clause", heads[head]);
    const wri_group_window *window = w->group ? w->group->window : NULL;
    if (window) WR_TRY(bind_arguments(b, w->scope, c, head, &own));
    if (!window || !is_same(window, &own, head))
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Call to auxiliary group function '%.*s' must have matching call to "
                           "group function '$%s' in GROUP BY clause",
                           WR_STR_ARG(name), heads[head]);
    if (tail == 3 && window->time->type->attr == WR_ATTR_PROCTIME)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "A proctime window cannot provide a rowtime attribute.");
    *call = (wri_agg_call){.kind = WRI_WINDOW, .ast = &c->base, .prop = (uint8_t)(tail - 1)};
    w->group->window->asked = true;
    *type = prop_type(b, window, tail);
    WR_TRY_ALLOC(b->ctx, *type);
    return WR_OK;
}

/* The function over the columns below the aggregate, of which `time_col` is the time and the first
 * `key_count` are the other keys. */
wr_status
wri_bind_group_window_build(wri_binder *b, const wri_group *g, wr_rel *input, uint32_t time_col,
                            wr_rel **out)
{
    const wri_group_window *w = g->window;
    wr_window_spec *spec = WR_NEW(b->a, wr_window_spec);
    uint32_t *keys = WR_NEW_N(b->a, uint32_t, g->key_count + 1);
    WR_TRY_ALLOC(b->ctx, spec);
    WR_TRY_ALLOC(b->ctx, keys);
    for (uint32_t i = 0; i < g->key_count; i++) keys[i] = i + (i >= w->at);
    *spec = (wr_window_spec){.kind = w->kind,
                             .size_ms = w->size_ms,
                             .slide_ms = w->slide_ms,
                             .time = w->time->type,
                             .rowtime = w->time->type->attr != WR_ATTR_PROCTIME,
                             .grouped = true,
                             .at = w->at,
                             .lengths = (const wr_expr *const *)w->lengths,
                             .length_count = w->length_count,
                             .asked = w->asked,
                             .keys = keys,
                             .key_count = w->kind == WR_WINDOW_SESSION ? g->key_count : 0};
    return wri_bind_window_node(b, input, spec, time_col, w->span, out);
}
