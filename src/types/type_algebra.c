/* SPDX-License-Identifier: Apache-2.0 */
/* Type algebra: the type that several types have in common, and the result types of arithmetic.
 *
 * Flink has two notions of "common": its own merging (COALESCE, GREATEST, function arguments) and
 * the validator's least restrictive type (CASE, IF, UNION, VALUES, ARRAY[...]). They agree but for
 * FLOAT with DOUBLE (own: DOUBLE; validator: whichever comes first), TIMESTAMP with TIMESTAMP_LTZ
 * (own: TIMESTAMP_LTZ) and DATE with TIMESTAMP (own: DATE, by implicit castability; validator:
 * none). */
#include "types/types.h"

typedef struct common {
    wr_arena *arena;
    bool validator; /* the least restrictive type instead of Flink's merging */
} common;

static const wr_type *merge(const common *c, const wr_type *l, const wr_type *r);

/* TINYINT.. BIGINT as DECIMAL(p, 0), DECIMAL as itself. */
static void
decimal_of(const wr_type *t, int *p, int *s)
{
    *s = 0;
    switch (t->id) {
    case WR_T_TINYINT:
        *p = 3;
        return;
    case WR_T_SMALLINT:
        *p = 5;
        return;
    case WR_T_INT:
        *p = 10;
        return;
    case WR_T_BIGINT:
        *p = 19;
        return;
    default:
        *p = t->precision;
        *s = t->scale;
        return;
    }
}

/* More than 38 digits: give up digits of the scale, but never below min(s, 6). */
static const wr_type *
adjusted_decimal(wr_arena *a, int p, int s, bool nullable)
{
    if (p > WR_DECIMAL_MAX) {
        const int whole = p - s, keep = WR_MIN(s, 6);
        s = WR_MAX(WR_DECIMAL_MAX - whole, keep);
        p = WR_DECIMAL_MAX;
    }
    return wr_type_decimal(a, p, s, nullable);
}

static const wr_type *
merge_numeric(const common *c, const wr_type *l, const wr_type *r, bool nullable)
{
    const bool lf = wr_type_family(l) == WR_FAM_APPROX, rf = wr_type_family(r) == WR_FAM_APPROX;
    if (lf || rf) {
        if (wr_type_is(l, WR_T_DECIMAL) || wr_type_is(r, WR_T_DECIMAL))
            return wr_type_of(WR_T_DOUBLE, nullable);
        if (lf && rf && c->validator) return wr_type_of((wr_type_id)l->id, nullable);
        if (lf && rf) {
            const bool dbl = wr_type_is(l, WR_T_DOUBLE) || wr_type_is(r, WR_T_DOUBLE);
            return wr_type_of(dbl ? WR_T_DOUBLE : WR_T_FLOAT, nullable);
        }
        return wr_type_of((wr_type_id)(lf ? l->id : r->id), nullable);
    }
    if (!wr_type_is(l, WR_T_DECIMAL) && !wr_type_is(r, WR_T_DECIMAL))
        return wr_type_of((wr_type_id)WR_MAX(l->id, r->id), nullable);
    int p1, s1, p2, s2;
    decimal_of(l, &p1, &s1);
    decimal_of(r, &p2, &s2);
    const int whole = WR_MAX(p1 - s1, p2 - s2);
    const int s = WR_MIN(WR_MAX(s1, s2), WR_DECIMAL_MAX - whole);
    return wr_type_decimal(c->arena, whole + s, s, nullable);
}

static const wr_type *
merge_datetime(const common *c, const wr_type *l, const wr_type *r, bool nullable)
{
    const bool lts = l->id == WR_T_TIMESTAMP || l->id == WR_T_TIMESTAMP_LTZ;
    const bool rts = r->id == WR_T_TIMESTAMP || r->id == WR_T_TIMESTAMP_LTZ;
    const int precision = WR_MAX(l->precision, r->precision);
    if (lts && rts) {
        /* the validator's: of the same precision the first one decides, else the later one */
        const wr_type *lead = l->precision == r->precision ? l : r;
        const bool ltz = c->validator ? lead->id == WR_T_TIMESTAMP_LTZ
                                      : l->id == WR_T_TIMESTAMP_LTZ || r->id == WR_T_TIMESTAMP_LTZ;
        return wr_type_time(c->arena, ltz ? WR_T_TIMESTAMP_LTZ : WR_T_TIMESTAMP, precision,
                            nullable);
    }
    if (l->id == WR_T_TIME && r->id == WR_T_TIME)
        return wr_type_time(c->arena, WR_T_TIME, precision, nullable);
    if (l->id == r->id) return wr_type_nullable(c->arena, l, nullable);
    if (c->validator) return NULL;
    /* one implicitly becomes the other: TIMESTAMP to DATE or TIME */
    if (wr_type_can_cast_implicit(l, r)) return wr_type_nullable(c->arena, r, nullable);
    if (wr_type_can_cast_implicit(r, l)) return wr_type_nullable(c->arena, l, nullable);
    return NULL;
}

static const wr_type *
merge_interval(const common *c, const wr_type *l, const wr_type *r, bool nullable)
{
    if (l->id != r->id) return NULL;
    return wr_type_interval(c->arena, (wr_unit)WR_MIN(l->unit_from, r->unit_from),
                            (wr_unit)WR_MAX(l->unit_to, r->unit_to),
                            WR_MAX(l->precision, r->precision), WR_MAX(l->scale, r->scale),
                            nullable);
}

static const wr_type *
merge_fields(const common *c, const wr_type *l, const wr_type *r, bool nullable)
{
    if (l->id != r->id || l->field_count != r->field_count) return NULL;
    if (l->id == WR_T_STRUCTURED && !wr_str_eq(l->class_name, r->class_name)) return NULL;
    wr_field *f = WR_NEW_N(c->arena, wr_field, l->field_count ? l->field_count : 1);
    wr_type *t = WR_NEW(c->arena, wr_type);
    if (!f || !t) return NULL;
    for (uint32_t i = 0; i < l->field_count; i++) {
        f[i] = l->fields[i]; /* names come from the first */
        f[i].type = merge(c, l->fields[i].type, r->fields[i].type);
        if (!f[i].type) return NULL;
    }
    *t = *l;
    t->nullable = nullable;
    t->fields = f;
    return t;
}

static const wr_type *
merge_bytes(const common *c, const wr_type *l, const wr_type *r, bool nullable)
{
    const bool text = wr_type_is_string(l);
    const wr_type_id fixed = text ? WR_T_CHAR : WR_T_BINARY;
    if (l->id == (uint8_t)fixed && r->id == (uint8_t)fixed && l->length == r->length)
        return wr_type_nullable(c->arena, l, nullable);
    return wr_type_char(c->arena, text ? WR_T_VARCHAR : WR_T_VARBINARY,
                        WR_MAX(l->length, r->length), nullable);
}

static const wr_type *
merge(const common *c, const wr_type *l, const wr_type *r)
{
    const bool nullable = l->nullable || r->nullable;
    if (l->id == WR_T_NULL) return wr_type_nullable(c->arena, r, true);
    if (r->id == WR_T_NULL) return wr_type_nullable(c->arena, l, true);
    const wr_family fl = wr_type_family(l), fr = wr_type_family(r);
    if (wr_type_is_numeric(l) && wr_type_is_numeric(r)) return merge_numeric(c, l, r, nullable);
    if (fl != fr) return NULL;
    switch (fl) {
    case WR_FAM_STRING:
    case WR_FAM_BINARY:
        return merge_bytes(c, l, r, nullable);
    case WR_FAM_DATETIME:
        return merge_datetime(c, l, r, nullable);
    case WR_FAM_INTERVAL:
        return merge_interval(c, l, r, nullable);
    case WR_FAM_COLLECTION:
    case WR_FAM_STRUCT:
        return merge_fields(c, l, r, nullable);
    case WR_FAM_BOOLEAN:
    case WR_FAM_OTHER:
        return l->id == r->id && wr_str_eq(l->class_name, r->class_name)
                   ? wr_type_nullable(c->arena, l, nullable)
                   : NULL;
    case WR_FAM_NULL:
    case WR_FAM_EXACT:
    case WR_FAM_APPROX:
        break;
    }
    return NULL;
}

static const wr_type *
common_of(const common *c, const wr_type *const *types, uint32_t count)
{
    if (count == 0) return NULL;
    const wr_type *t = types[0];
    for (uint32_t i = 1; i < count && t; i++) t = merge(c, t, types[i]);
    return t && t->attr && count > 1 ? wr_type_attr(c->arena, t, WR_ATTR_NONE) : t;
}

const wr_type *
wr_type_common(wr_arena *a, const wr_type *const *types, uint32_t count)
{
    return common_of(&(common){a, false}, types, count);
}

const wr_type *
wr_type_least_restrictive(wr_arena *a, const wr_type *const *types, uint32_t count)
{
    return common_of(&(common){a, true}, types, count);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
static const wr_type *
arith_decimal(wr_arena *a, char op, const wr_type *l, const wr_type *r, bool nullable)
{
    int p1, s1, p2, s2;
    decimal_of(l, &p1, &s1);
    decimal_of(r, &p2, &s2);
    const int smax = WR_MAX(s1, s2);
    switch (op) {
    case '+':
    case '-':
        return adjusted_decimal(a, WR_MAX(p1 - s1, p2 - s2) + smax + 1, smax, nullable);
    case '*':
        return adjusted_decimal(a, p1 + p2 + 1, s1 + s2, nullable);
    case '/': {
        const int s = WR_MAX(6, s1 + p2 + 1);
        return adjusted_decimal(a, p1 - s1 + s2 + s, s, nullable);
    }
    case '%':
        return adjusted_decimal(a, WR_MIN(p1 - s1, p2 - s2) + smax, smax, nullable);
    default:
        return NULL;
    }
}

/* + - * / % of numbers (no `%` of approximate ones). NULL: out of memory. */
static const wr_type *
arith_numeric(wr_arena *a, char op, const wr_type *l, const wr_type *r, bool nullable)
{
    const bool lf = wr_type_family(l) == WR_FAM_APPROX, rf = wr_type_family(r) == WR_FAM_APPROX;
    const bool ld = wr_type_is(l, WR_T_DECIMAL), rd = wr_type_is(r, WR_T_DECIMAL);
    if (lf || rf) {
        if (ld || rd) return wr_type_of(WR_T_DOUBLE, nullable);
        return wr_type_of((wr_type_id)(lf ? l->id : r->id), nullable); /* FLOAT op DOUBLE: left's */
    }
    const bool whole = (!ld || l->scale == 0) && (!rd || r->scale == 0);
    if (op == '%' && whole) return wr_type_nullable(a, r, nullable); /* the divisor's type */
    if (ld || rd) return arith_decimal(a, op, l, r, nullable);
    return wr_type_of((wr_type_id)WR_MAX(l->id, r->id), nullable);
}

/* Is there `l op r`, and between what? */
typedef enum arith_kind {
    ARITH_NONE,
    ARITH_NULL, /* one is the NULL type: the type of the other */
    ARITH_NUMBERS,
    ARITH_INTERVALS,
    ARITH_LEFT, /* the left one's type: datetime +- interval, interval * n */
    ARITH_RIGHT
} arith_kind;

static arith_kind
arith_kind_of(char op, const wr_type *l, const wr_type *r)
{
    if (l->id == WR_T_NULL || r->id == WR_T_NULL) {
        const wr_type *t = l->id == WR_T_NULL ? r : l;
        return wr_type_is_numeric(t) || t->id == WR_T_NULL ? ARITH_NULL : ARITH_NONE;
    }
    const wr_family fl = wr_type_family(l), fr = wr_type_family(r);
    if (wr_type_is_numeric(l) && wr_type_is_numeric(r)) {
        const bool approx = fl == WR_FAM_APPROX || fr == WR_FAM_APPROX;
        return op == '%' && approx ? ARITH_NONE : ARITH_NUMBERS;
    }
    if (op == '+' || op == '-') {
        if (fl == WR_FAM_INTERVAL && fr == WR_FAM_INTERVAL && l->id == r->id)
            return ARITH_INTERVALS;
        if (fl == WR_FAM_DATETIME && fr == WR_FAM_INTERVAL) return ARITH_LEFT;
        if (op == '+' && fl == WR_FAM_INTERVAL && fr == WR_FAM_DATETIME) return ARITH_RIGHT;
    }
    if (op == '*' && fl == WR_FAM_INTERVAL && wr_type_is_integer(r)) return ARITH_LEFT;
    if (op == '*' && fr == WR_FAM_INTERVAL && wr_type_is_integer(l)) return ARITH_RIGHT;
    return ARITH_NONE;
}

wr_status
wr_type_arith(wr_ctx *ctx, wr_arena *a, char op, const wr_type *l, const wr_type *r,
              const wr_type **out)
{
    const bool nullable = l->nullable || r->nullable;
    const wr_type *t = NULL;
    *out = NULL;
    switch (arith_kind_of(op, l, r)) {
    case ARITH_NONE:
        return WR_OK;
    case ARITH_NULL:
        t = wr_type_nullable(a, l->id == WR_T_NULL ? r : l, true);
        break;
    case ARITH_NUMBERS:
        t = arith_numeric(a, op, l, r, nullable);
        break;
    case ARITH_INTERVALS:
        t = merge_interval(&(common){a, true}, l, r, nullable);
        break;
    case ARITH_LEFT:
        t = wr_type_nullable(a, l, nullable);
        break;
    case ARITH_RIGHT:
        t = wr_type_nullable(a, r, nullable);
        break;
    }
    if (t && t->attr) t = wr_type_attr(a, t, WR_ATTR_NONE); /* a computed time is no attribute */
    WR_TRY_ALLOC(ctx, t);
    *out = t;
    return WR_OK;
}
