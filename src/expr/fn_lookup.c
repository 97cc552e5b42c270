/* SPDX-License-Identifier: Apache-2.0 */
/* The function table made from functions.def, lookup by name, and accessors that kernels share.
 * Everything here is constant data: any thread. */
#include "expr/fn_int.h"

#define F(name, flags, min, max, resolve, kernel, spec, category, signature, doc)                  \
    {name, WR_FN_SCALAR, flags, min,      max,       resolve, kernel,                              \
     NULL, NULL,         NULL,  category, signature, doc,     NULL},
#define P(name, flags, min, max, resolve, kernel, prepare, spec, category, signature, doc)         \
    {name,    WR_FN_SCALAR, flags, min,      max,       resolve, kernel,                           \
     prepare, NULL,         NULL,  category, signature, doc,     NULL},
#define A(name, flags, min, max, resolve, aggregate, spec, category, signature, doc)               \
    {name, WR_FN_AGGREGATE, flags, min,      max,       resolve, NULL,                             \
     NULL, aggregate,       NULL,  category, signature, doc,     NULL},
#define T(name, flags, min, max, resolve, ops, spec, category, signature, doc)                     \
    {name, WR_FN_TABLE, flags, min,      max,       resolve, NULL,                                 \
     NULL, NULL,        &ops,  category, signature, doc,     NULL},
#define W(name, flags, min, max, resolve, spec, category, signature, doc)                          \
    {name, WR_FN_WINDOW, flags, min,      max,       resolve, NULL,                                \
     NULL, NULL,         NULL,  category, signature, doc,     NULL},
static const wr_fn functions[] = {
#include "expr/functions.def"
};
#undef F
#undef P
#undef A
#undef T
#undef W

typedef struct row_extra {
    const char *spec;
    uint32_t name_len;
} row_extra;
#define F(name, flags, min, max, resolve, kernel, spec, category, signature, doc)                  \
    {spec, sizeof(name) - 1},
#define P(name, flags, min, max, resolve, kernel, prepare, spec, category, signature, doc)         \
    {spec, sizeof(name) - 1},
#define A(name, flags, min, max, resolve, aggregate, spec, category, signature, doc)               \
    {spec, sizeof(name) - 1},
#define T(name, flags, min, max, resolve, ops, spec, category, signature, doc)                     \
    {spec, sizeof(name) - 1},
#define W(name, flags, min, max, resolve, spec, category, signature, doc) {spec, sizeof(name) - 1},
static const row_extra extras[] = {
#include "expr/functions.def"
};
#undef F
#undef P
#undef A
#undef T
#undef W

uint32_t
wr_fn_count(void)
{
    return WR_COUNT(functions);
}

const wr_fn *
wr_fn_at(uint32_t i)
{
    WR_ASSERT(i < wr_fn_count());
    return &functions[i];
}

const char *
wri_fn_spec(const wr_fn *fn)
{
    return fn >= functions && fn < functions + WR_COUNT(functions) ? extras[fn - functions].spec
                                                                   : "";
}

/* A scan of lengths and first letters: a few hundred bytes of constants, no table to build. */
const wr_fn *
wr_fn_find(wr_str name)
{
    if (name.len == 0) return NULL;
    const char c = name.ptr[0];
    const char upper = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    for (uint32_t i = 0; i < WR_COUNT(functions); i++) {
        if (extras[i].name_len != name.len || functions[i].name[0] != upper) continue;
        if (wr_str_eq_nocase(name, (wr_str){functions[i].name, name.len})) return &functions[i];
    }
    return NULL;
}

void
wr_fn_candidates(wr_ctx *ctx, wr_str name)
{
    for (uint32_t i = 0; i < WR_COUNT(functions); i++)
        if (!(functions[i].flags & WR_FNF_HIDDEN))
            wr_candidate(ctx, name, wr_str_c(functions[i].name));
}

/* ---- accessors ------------------------------------------------------------------------------- */
static double
pow10_double(int n)
{
    double p = 1;
    for (; n > 0; n--) p *= 10;
    return p;
}

double
wri_double(const wr_view *w, const wr_type *t, uint32_t row)
{
    switch (t->phys) {
    case WR_PHYS_F32:
        return (double)WR_VIEW(w, float, row);
    case WR_PHYS_F64:
        return WR_VIEW(w, double, row);
    case WR_PHYS_I128:
        return (double)WR_VIEW(w, wr_i128, row) / pow10_double(t->scale);
    default: {
        const double v = (double)wri_int(w, t->phys, row);
        return t->id == WR_T_DECIMAL && t->scale > 0 ? v / pow10_double(t->scale) : v;
    }
    }
}

/* The literal below casts that only widen or hide. */
static const wr_expr *
literal_below(const wr_expr *e)
{
    while (e && e->kind == WR_EX_CAST && e->arg_count == 1) e = e->args[0];
    return e && e->kind == WR_EX_LITERAL ? e : NULL;
}

bool
wri_lit_str(const wr_expr *arg, wr_str *out)
{
    const wr_expr *l = literal_below(arg);
    if (!l || l->value.is_null) return false;
    if (l->value.type->id != WR_T_SYMBOL && l->value.type->phys != WR_PHYS_STR) return false;
    *out = l->value.u.str;
    return true;
}

bool
wri_lit_int(const wr_expr *arg, int64_t *out)
{
    const wr_expr *l = literal_below(arg);
    if (!l || l->value.is_null) return false;
    if (l->value.type->id == WR_T_BOOLEAN) {
        *out = l->value.u.b;
        return true;
    }
    if (!wr_type_is_integer(l->value.type) && wr_type_family(l->value.type) != WR_FAM_INTERVAL)
        return false;
    *out = l->value.u.i;
    return true;
}

bool
wri_lit_null(const wr_expr *arg)
{
    const wr_expr *l = literal_below(arg);
    return l && l->value.is_null;
}

bool
wri_const_str(const wr_expr *call, uint32_t i, wr_str *out)
{
    return i < call->arg_count && wri_lit_str(call->args[i], out);
}

bool
wri_const_int(const wr_expr *call, uint32_t i, int64_t *out)
{
    return i < call->arg_count && wri_lit_int(call->args[i], out);
}

static const struct {
    const char *name;
    wr_unit unit;
} units[] = {
    {"YEAR", WR_UNIT_YEAR},
    {"QUARTER", WR_UNIT_QUARTER},
    {"MONTH", WR_UNIT_MONTH},
    {"WEEK", WR_UNIT_WEEK},
    {"DAY", WR_UNIT_DAY},
    {"HOUR", WR_UNIT_HOUR},
    {"MINUTE", WR_UNIT_MINUTE},
    {"SECOND", WR_UNIT_SECOND},
    {"MILLISECOND", WR_UNIT_MILLISECOND},
    {"MICROSECOND", WR_UNIT_MICROSECOND},
    {"NANOSECOND", WR_UNIT_NANOSECOND},
    {"FRAC_SECOND", WR_UNIT_MICROSECOND},
    {"EPOCH", WR_UNIT_EPOCH},
    {"DOY", WR_UNIT_DOY},
    {"DOW", WR_UNIT_DOW},
    {"ISODOW", WR_UNIT_ISODOW},
    {"ISOYEAR", WR_UNIT_ISOYEAR},
    {"DECADE", WR_UNIT_DECADE},
    {"CENTURY", WR_UNIT_CENTURY},
    {"MILLENNIUM", WR_UNIT_MILLENNIUM},
};

wr_unit
wri_unit_of(const wr_expr *arg)
{
    wr_str s;
    if (!wri_lit_str(arg, &s)) return WR_UNIT_NONE;
    if (s.len > 8 && wr_str_eq_nocase((wr_str){s.ptr, 8}, WR_STR("SQL_TSI_")))
        s = (wr_str){s.ptr + 8, s.len - 8};
    for (uint32_t i = 0; i < WR_COUNT(units); i++) {
        wr_str n = wr_str_c(units[i].name);
        if (wr_str_eq_nocase(s, n)) return units[i].unit;
        if (s.len == n.len + 1 && (s.ptr[s.len - 1] | 32) == 's' &&
            wr_str_eq_nocase((wr_str){s.ptr, n.len}, n))
            return units[i].unit;
    }
    return WR_UNIT_NONE;
}

wr_status
wri_refuse_unit(wr_ctx *ctx, const wr_fn_bind *b, uint32_t i)
{
    wr_str s = WR_STR("");
    (void)wri_lit_str(b->args[i], &s);
    for (uint32_t k = 0; k < WR_COUNT(units); k++) wr_candidate(ctx, s, wr_str_c(units[k].name));
    return wr_raise_at(ctx, WR_TYPE, wri_arg_span(b, i), "'%.*s' is not a valid time frame",
                       WR_STR_ARG(s));
}

wr_status
wri_put_str(wr_fn_call *call, uint32_t row, const char *p, size_t len)
{
    wr_strv *out = (wr_strv *)call->out->data;
    if (len <= 12) {
        out[row] = wr_strv_make(p, (uint32_t)len);
        return WR_OK;
    }
    char *copy = wri_room(call, len);
    if (!copy) return call->ctx->err.status;
    memcpy(copy, p, len);
    out[row] = wr_strv_make(copy, (uint32_t)len);
    return WR_OK;
}

char *
wri_room(wr_fn_call *call, size_t len)
{
    if (len > WR_STRING_BYTES_MAX) {
        (void)wr_raise(call->ctx, WR_LIMIT, "a text is longer than 1 GiB");
        return NULL;
    }
    char *p = wr_arena_alloc(call->arena, len ? len : 1);
    if (!p) (void)WRI_NOMEM(call);
    return p;
}

wr_status
wri_put_list(wr_fn_call *call, uint32_t row, uint32_t n, uint32_t *off)
{
    *off = 0;
    if (n > 0 && !wr_vec_child_reserve(call->out, n, call->arena, off)) return WRI_NOMEM(call);
    ((wr_list *)call->out->data)[row] = (wr_list){*off, n};
    return WR_OK;
}
