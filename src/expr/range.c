/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of literals: from comparisons, their intersection, union and complement. */
#include "expr/range_int.h"

#include "expr/print_int.h"
#include "types/decimal.h"

void *
wri_simplified_alloc(wri_simplifier *s, size_t bytes)
{
    void *p = wr_arena_zalloc(s->arena, bytes);
    s->nomem |= !p;
    return p;
}

/* ---- order of literals ----------------------------------------------------------------------- */
static wr_i128
exact(const wr_expr *e, int *scale)
{
    *scale = e->type->id == WR_T_DECIMAL ? e->type->scale : 0;
    return e->type->phys == WR_PHYS_I128 ? e->value.u.i128 : (wr_i128)e->value.u.i;
}

static int
sign_of(double a, double b)
{
    return (a > b) - (a < b);
}

int
wri_literal_order(const wr_expr *a, const wr_expr *b, bool *ok)
{
    const wr_family f = wr_type_family(a->type), g = wr_type_family(b->type);
    if (f == WR_FAM_EXACT && g == WR_FAM_EXACT) {
        int sa, sb;
        const wr_i128 x = exact(a, &sa), y = exact(b, &sb);
        return wr_dec_cmp(x, sa, y, sb);
    }
    if (f != g || a->type->phys != b->type->phys) {
        *ok = false;
        return 0;
    }
    switch (a->type->phys) {
    case WR_PHYS_STR:
        return wr_str_cmp(a->value.u.str, b->value.u.str);
    case WR_PHYS_F32:
        return sign_of((double)a->value.u.f32, (double)b->value.u.f32);
    case WR_PHYS_F64:
        return sign_of(a->value.u.f64, b->value.u.f64);
    case WR_PHYS_TS:
        if (a->value.u.ts.ms != b->value.u.ts.ms)
            return a->value.u.ts.ms < b->value.u.ts.ms ? -1 : 1;
        return (a->value.u.ts.nano > b->value.u.ts.nano) -
               (a->value.u.ts.nano < b->value.u.ts.nano);
    case WR_PHYS_I32:
    case WR_PHYS_I64:
        return (a->value.u.i > b->value.u.i) - (a->value.u.i < b->value.u.i);
    default:
        *ok = false;
        return 0;
    }
}

bool
wri_range_is_point(const wri_range *r)
{
    bool ok = true;
    return r->lo && r->hi && r->lo_in && r->hi_in && wri_literal_order(r->lo, r->hi, &ok) == 0;
}

bool
wri_ranges_empty(const wri_ranges *r)
{
    return r->count == 0 && !r->nulls;
}

bool
wri_ranges_all(const wri_ranges *r)
{
    return r->count == 1 && !r->nulls && !r->items[0].lo && !r->items[0].hi;
}

/* ---- bounds ---------------------------------------------------------------------------------- */
/* Which of two lower bounds is the greater (upper: the lesser)? Open is stricter than closed. */
static bool
lo_after(const wri_range *x, const wri_range *y, bool *ok)
{
    if (!x->lo || !y->lo) return x->lo != NULL;
    const int c = wri_literal_order(x->lo, y->lo, ok);
    return c > 0 || (c == 0 && !x->lo_in && y->lo_in);
}

static bool
hi_before(const wri_range *x, const wri_range *y, bool *ok)
{
    if (!x->hi || !y->hi) return x->hi != NULL;
    const int c = wri_literal_order(x->hi, y->hi, ok);
    return c < 0 || (c == 0 && !x->hi_in && y->hi_in);
}

static bool
is_void(const wri_range *r, bool *ok)
{
    if (!r->lo || !r->hi) return false;
    const int c = wri_literal_order(r->lo, r->hi, ok);
    return c > 0 || (c == 0 && !(r->lo_in && r->hi_in));
}

/* Do x and the later y meet or overlap, so that they are one? */
static bool
touches(const wri_range *x, const wri_range *y, bool *ok)
{
    if (!x->hi || !y->lo) return true;
    const int c = wri_literal_order(x->hi, y->lo, ok);
    return c > 0 || (c == 0 && (x->hi_in || y->lo_in));
}

static wri_ranges *
make(wri_simplifier *s, uint32_t room)
{
    wri_ranges *r = wri_simplified_alloc(s, sizeof(wri_ranges));
    if (!r) return NULL;
    r->items = wri_simplified_alloc(s, sizeof(wri_range) * (room + 1));
    return r->items ? r : NULL;
}

/* ---- set operations -------------------------------------------------------------------------- */
wri_ranges *
wri_ranges_intersect(wri_simplifier *s, const wri_ranges *x, const wri_ranges *y)
{
    wri_ranges *r = x->nulls || y->nulls ? NULL : make(s, x->count + y->count);
    bool ok = true;
    for (uint32_t i = 0, k = 0; r && i < x->count && k < y->count;) {
        const wri_range *p = &x->items[i], *q = &y->items[k];
        wri_range both = *p;
        if (lo_after(q, p, &ok)) {
            both.lo = q->lo;
            both.lo_in = q->lo_in;
        }
        const bool q_first = hi_before(q, p, &ok);
        if (q_first) {
            both.hi = q->hi;
            both.hi_in = q->hi_in;
        }
        if (!is_void(&both, &ok)) r->items[r->count++] = both;
        if (q_first) /* what ends first meets nothing that comes later */
            k++;
        else
            i++;
    }
    return ok ? r : NULL;
}

wri_ranges *
wri_ranges_union(wri_simplifier *s, const wri_ranges *x, const wri_ranges *y)
{
    wri_ranges *r = make(s, x->count + y->count);
    bool ok = true;
    uint32_t i = 0, k = 0;
    if (r) r->nulls = x->nulls || y->nulls;
    while (r && (i < x->count || k < y->count)) {
        const bool left =
            k == y->count || (i < x->count && !lo_after(&x->items[i], &y->items[k], &ok));
        const wri_range next = left ? x->items[i++] : y->items[k++];
        wri_range *last = r->count ? &r->items[r->count - 1] : NULL;
        if (!last || !touches(last, &next, &ok)) {
            r->items[r->count++] = next;
        } else if (hi_before(last, &next, &ok)) {
            last->hi = next.hi;
            last->hi_in = next.hi_in;
        }
    }
    return ok ? r : NULL;
}

wri_ranges *
wri_ranges_complement(wri_simplifier *s, const wri_ranges *x)
{
    wri_ranges *r = x->nulls ? NULL : make(s, x->count + 1);
    if (!r) return NULL;
    wri_range gap = {NULL, NULL, false, false};
    for (uint32_t i = 0; i < x->count; i++) {
        const wri_range *p = &x->items[i];
        gap.hi = p->lo;
        gap.hi_in = p->lo && !p->lo_in;
        if (p->lo) r->items[r->count++] = gap;
        if (!p->hi) return r;
        gap = (wri_range){p->hi, NULL, !p->hi_in, false};
    }
    r->items[r->count++] = gap;
    return r;
}

/* ---- from and to comparisons ----------------------------------------------------------------- */
static const char *
mirrored(const char *op)
{
    switch (op[0]) {
    case '<':
        return op[1] == '>' ? "<>" : op[1] == '=' ? ">=" : ">";
    case '>':
        return op[1] == '=' ? "<=" : "<";
    default:
        return op;
    }
}

/* NaN is less than nothing and greater than nothing. */
static bool
is_nan(const wr_expr *e)
{
    if (e->type->phys == WR_PHYS_F64) return e->value.u.f64 != e->value.u.f64;
    return e->type->phys == WR_PHYS_F32 && e->value.u.f32 != e->value.u.f32;
}

static bool
is_bound(const wr_expr *e)
{
    return e->kind == WR_EX_LITERAL && !e->value.is_null && e->type->phys < WR_PHYS_LIST &&
           e->type->id != WR_T_SYMBOL && e->type->id != WR_T_BOOLEAN && !is_nan(e);
}

/* op, column and literal of a comparison, the column first; false: another term. */
static bool
comparison(const wr_expr *e, const char **op, const wr_expr **column, const wr_expr **bound)
{
    static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
    if (e->kind != WR_EX_CALL || e->arg_count != 2) return false;
    bool found = false;
    for (uint32_t i = 0; i < WR_COUNT(ops); i++) found |= strcmp(ops[i], e->fn->name) == 0;
    if (!found) return false;
    const wr_expr *l = wri_shown(e->args[0]), *r = wri_shown(e->args[1]);
    const bool swapped = l->kind == WR_EX_LITERAL;
    *op = swapped ? mirrored(e->fn->name) : e->fn->name;
    *column = swapped ? r : l;
    *bound = swapped ? l : r;
    return (*column)->kind == WR_EX_COLUMN && is_bound(*bound);
}

static wri_range
range_of(const char *op, const wr_expr *bound)
{
    const bool in = op[1] == '=' || op[0] == '=';
    if (op[0] == '=') return (wri_range){bound, bound, true, true};
    if (op[0] == '<') return (wri_range){NULL, bound, false, in};
    return (wri_range){bound, NULL, in, false};
}

/* The union of n sets, which are overwritten: by pairs, so that a list of thousands is no square.
 */
static wri_ranges *
union_of_all(wri_simplifier *s, wri_ranges *sets, uint32_t n)
{
    for (; n > 1; n = (n + 1) / 2) {
        for (uint32_t i = 0; i + 1 < n; i += 2) {
            const wri_ranges *both = wri_ranges_union(s, &sets[i], &sets[i + 1]);
            if (!both) return NULL;
            sets[i / 2] = *both;
        }
        if (n % 2) sets[n / 2] = sets[n - 1];
    }
    return n ? sets : make(s, 0);
}

static wri_ranges *
of_in(wri_simplifier *s, const wr_expr *e, const wr_expr **column)
{
    *column = wri_shown(e->args[0]);
    if ((*column)->kind != WR_EX_COLUMN) return NULL;
    const uint32_t n = e->arg_count - 1;
    wri_ranges *each = wri_simplified_alloc(s, sizeof(wri_ranges) * (n + 1));
    wri_range *points = wri_simplified_alloc(s, sizeof(wri_range) * (n + 1));
    if (!each || !points) return NULL;
    for (uint32_t i = 0; i < n; i++) {
        const wr_expr *v = wri_shown(e->args[i + 1]);
        if (!is_bound(v)) return NULL;
        points[i] = (wri_range){v, v, true, true};
        each[i] = (wri_ranges){&points[i], 1, false};
    }
    return union_of_all(s, each, n);
}

wri_ranges *
wri_ranges_of(wri_simplifier *s, const wr_expr *e, const wr_expr **column)
{
    const char *op;
    const wr_expr *bound;
    if (s->plain) return NULL;
    if (wri_is_fn(e, "SEARCH")) {
        *column = e->args[0];
        return e->fn_data;
    }
    if (wri_is_fn(e, "IN")) return of_in(s, e, column);
    if (!comparison(e, &op, column, &bound)) return NULL;
    wri_ranges *r = make(s, 2);
    if (!r) return NULL;
    if (strcmp(op, "<>") == 0) {
        r->items[r->count++] = range_of("<", bound);
        r->items[r->count++] = range_of(">", bound);
    } else {
        r->items[r->count++] = range_of(op, bound);
    }
    return r;
}

bool
wri_ranges_single(const wri_ranges *r, const char **op, const wr_expr **bound)
{
    const wri_range *x = &r->items[0];
    if (r->nulls) return false;
    if (r->count == 2) { /* all but one value */
        const wri_range *y = &r->items[1];
        bool ok = true;
        *op = "<>";
        *bound = x->hi;
        return !x->lo && !y->hi && x->hi && y->lo && !x->hi_in && !y->lo_in &&
               wri_literal_order(x->hi, y->lo, &ok) == 0;
    }
    if (r->count != 1) return false;
    *bound = x->lo ? x->lo : x->hi;
    if (wri_range_is_point(x))
        *op = "=";
    else if (x->lo && !x->hi)
        *op = x->lo_in ? ">=" : ">";
    else if (x->hi && !x->lo)
        *op = x->hi_in ? "<=" : "<";
    else
        return false;
    return *bound != NULL;
}

bool
wri_term_is(const wr_expr *term, const char *op, const wr_expr *bound)
{
    const char *o;
    const wr_expr *column, *b;
    bool ok = true;
    return comparison(term, &o, &column, &b) && strcmp(o, op) == 0 &&
           wri_literal_order(b, bound, &ok) == 0;
}
