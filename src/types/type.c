/* SPDX-License-Identifier: Apache-2.0 */
/* Making logical types and asking about them. A type is written once and never changed; the
 * parameterless roots are constants of the program (wr_type_of), all others lie in the caller's
 * arena. The physical layout is fixed when the type is made. */
#include "types/types.h"

#define FIELD1(t)                                                                                  \
    {                                                                                              \
        .name = {"", 0}, .type = (t)                                                               \
    }

/* ---- singletons: [id][nullable] -------------------------------------------------------------- */
#define ROOT(i, p, null, len, prec, sc, uf, ut)                                                    \
    {                                                                                              \
        .id = (i), .phys = (p), .nullable = (null), .length = (len), .precision = (prec),          \
        .scale = (sc), .unit_from = (uf), .unit_to = (ut)                                          \
    }
#define BOTH(i, p, len, prec, sc, uf, ut)                                                          \
    [i] = {ROOT(i, p, false, len, prec, sc, uf, ut), ROOT(i, p, true, len, prec, sc, uf, ut)}
#define PLAIN(i, p)             BOTH(i, p, 0, 0, 0, 0, 0)
#define SIZED(i, len, prec, sc) BOTH(i, WR_PHYS_STR, len, prec, sc, 0, 0)

static const wr_type roots[WR_T_COUNT][2] = {
    PLAIN(WR_T_NULL, WR_PHYS_NONE),
    PLAIN(WR_T_BOOLEAN, WR_PHYS_BOOL),
    PLAIN(WR_T_TINYINT, WR_PHYS_I8),
    PLAIN(WR_T_SMALLINT, WR_PHYS_I16),
    PLAIN(WR_T_INT, WR_PHYS_I32),
    PLAIN(WR_T_BIGINT, WR_PHYS_I64),
    PLAIN(WR_T_FLOAT, WR_PHYS_F32),
    PLAIN(WR_T_DOUBLE, WR_PHYS_F64),
    BOTH(WR_T_DECIMAL, WR_PHYS_I64, 0, 10, 0, 0, 0),
    SIZED(WR_T_CHAR, 1, 0, 0),
    SIZED(WR_T_VARCHAR, WR_CHAR_LENGTH_MAX, 0, 0),
    SIZED(WR_T_BINARY, 1, 0, 0),
    SIZED(WR_T_VARBINARY, WR_CHAR_LENGTH_MAX, 0, 0),
    PLAIN(WR_T_DATE, WR_PHYS_I32),
    PLAIN(WR_T_TIME, WR_PHYS_I32),
    BOTH(WR_T_TIMESTAMP, WR_PHYS_TS, 0, 6, 0, 0, 0),
    BOTH(WR_T_TIMESTAMP_LTZ, WR_PHYS_TS, 0, 6, 0, 0, 0),
    BOTH(WR_T_INTERVAL_YM, WR_PHYS_I32, 0, 2, 0, WR_UNIT_YEAR, WR_UNIT_MONTH),
    BOTH(WR_T_INTERVAL_DT, WR_PHYS_I64, 0, 2, 3, WR_UNIT_DAY, WR_UNIT_SECOND),
    PLAIN(WR_T_ARRAY, WR_PHYS_LIST),
    PLAIN(WR_T_MAP, WR_PHYS_MAP),
    PLAIN(WR_T_MULTISET, WR_PHYS_MAP),
    PLAIN(WR_T_ROW, WR_PHYS_ROW),
    PLAIN(WR_T_STRUCTURED, WR_PHYS_ROW),
    PLAIN(WR_T_RAW, WR_PHYS_STR),
    PLAIN(WR_T_VARIANT, WR_PHYS_STR),
    PLAIN(WR_T_BITMAP, WR_PHYS_STR),
    PLAIN(WR_T_DESCRIPTOR, WR_PHYS_NONE),
    PLAIN(WR_T_SYMBOL, WR_PHYS_NONE),
};

const wr_type *
wr_type_of(wr_type_id id, bool nullable)
{
    WR_ASSERT((unsigned)id < WR_T_COUNT);
    return &roots[id][id == WR_T_NULL ? true : nullable];
}

const wr_type *
wr_type_string(bool nullable)
{
    return &roots[WR_T_VARCHAR][nullable];
}

const wr_type *
wr_type_bytes(bool nullable)
{
    return &roots[WR_T_VARBINARY][nullable];
}

/* A copy of `t` in `a` (top level only: fields are shared). */
static wr_type *
clone(wr_arena *a, const wr_type *t)
{
    wr_type *c = WR_NEW(a, wr_type);
    if (c) *c = *t;
    return c;
}

const wr_type *
wr_type_char(wr_arena *a, wr_type_id id, int32_t length, bool nullable)
{
    WR_ASSERT(id == WR_T_CHAR || id == WR_T_VARCHAR || id == WR_T_BINARY || id == WR_T_VARBINARY);
    const wr_type *root = wr_type_of(id, nullable);
    if (length < 0) length = 0; /* '' has type CHAR(0) */
    if (length == root->length) return root;
    wr_type *t = clone(a, root);
    if (t) t->length = length;
    return t;
}

const wr_type *
wr_type_decimal(wr_arena *a, int p, int s, bool nullable)
{
    p = WR_MAX(1, WR_MIN(p, WR_DECIMAL_MAX));
    s = WR_MAX(0, WR_MIN(s, p));
    const wr_type *root = wr_type_of(WR_T_DECIMAL, nullable);
    if (p == root->precision && s == root->scale) return root;
    wr_type *t = clone(a, root);
    if (!t) return NULL;
    t->precision = (int16_t)p;
    t->scale = (int16_t)s;
    t->phys = p <= 18 ? WR_PHYS_I64 : WR_PHYS_I128;
    return t;
}

const wr_type *
wr_type_time(wr_arena *a, wr_type_id id, int precision, bool nullable)
{
    WR_ASSERT(id == WR_T_TIME || id == WR_T_TIMESTAMP || id == WR_T_TIMESTAMP_LTZ);
    const int max = id == WR_T_TIME ? 3 : 9;
    precision = WR_MAX(0, WR_MIN(precision, max));
    const wr_type *root = wr_type_of(id, nullable);
    if (precision == root->precision) return root;
    wr_type *t = clone(a, root);
    if (!t) return NULL;
    t->precision = (int16_t)precision;
    if (id != WR_T_TIME) t->phys = precision <= 3 ? WR_PHYS_I64 : WR_PHYS_TS;
    return t;
}

const wr_type *
wr_type_interval(wr_arena *a, wr_unit from, wr_unit to, int lead, int frac, bool nullable)
{
    const bool ym = from == WR_UNIT_YEAR || from == WR_UNIT_QUARTER || from == WR_UNIT_MONTH;
    const wr_type *root = wr_type_of(ym ? WR_T_INTERVAL_YM : WR_T_INTERVAL_DT, nullable);
    if (to == WR_UNIT_NONE) to = from;
    lead = WR_MAX(0, WR_MIN(lead, 10));
    frac = WR_MAX(0, WR_MIN(frac, 9));
    wr_type *t = clone(a, root);
    if (!t) return NULL;
    t->unit_from = (uint8_t)from;
    t->unit_to = (uint8_t)to;
    t->precision = (int16_t)lead;
    t->scale = (int16_t)(ym ? 0 : frac);
    return t;
}

static wr_type *
with_fields(wr_arena *a, wr_type_id id, const wr_field *fields, uint32_t count, bool nullable)
{
    wr_type *t = clone(a, wr_type_of(id, nullable));
    if (!t) return NULL;
    wr_field *copy = WR_NEW_N(a, wr_field, count ? count : 1);
    if (!copy) return NULL;
    if (count) memcpy(copy, fields, sizeof(wr_field) * count);
    t->fields = copy;
    t->field_count = count;
    return t;
}

const wr_type *
wr_type_array(wr_arena *a, const wr_type *elem, bool nullable)
{
    if (!elem) return NULL;
    const wr_field f = FIELD1(elem);
    return with_fields(a, WR_T_ARRAY, &f, 1, nullable);
}

const wr_type *
wr_type_multiset(wr_arena *a, const wr_type *elem, bool nullable)
{
    if (!elem) return NULL;
    const wr_field f = FIELD1(elem);
    return with_fields(a, WR_T_MULTISET, &f, 1, nullable);
}

const wr_type *
wr_type_map(wr_arena *a, const wr_type *key, const wr_type *value, bool nullable)
{
    if (!key || !value) return NULL;
    const wr_field f[2] = {FIELD1(key), FIELD1(value)};
    return with_fields(a, WR_T_MAP, f, 2, nullable);
}

const wr_type *
wr_type_row(wr_arena *a, const wr_field *fields, uint32_t count, bool nullable)
{
    for (uint32_t i = 0; i < count; i++)
        if (!fields[i].type) return NULL;
    return with_fields(a, WR_T_ROW, fields, count, nullable);
}

const wr_type *
wr_type_structured(wr_arena *a, wr_str class_name, const wr_field *fields, uint32_t count,
                   bool nullable)
{
    wr_type *t = with_fields(a, WR_T_STRUCTURED, fields, count, nullable);
    if (t) t->class_name = class_name;
    return t;
}

const wr_type *
wr_type_nullable(wr_arena *a, const wr_type *t, bool nullable)
{
    if (!t || t->nullable == nullable || t->id == WR_T_NULL) return t;
    if (t == &roots[t->id][t->nullable]) return &roots[t->id][nullable];
    wr_type *c = clone(a, t);
    if (c) c->nullable = nullable;
    return c;
}

const wr_type *
wr_type_attr(wr_arena *a, const wr_type *t, wr_timeattr attr)
{
    if (!t || t->attr == (uint8_t)attr) return t;
    wr_type *c = clone(a, t);
    if (c) c->attr = (uint8_t)attr;
    return c;
}

const wr_type *
wr_type_copy(wr_arena *a, const wr_type *t)
{
    if (!t) return NULL;
    if (t->field_count == 0 && t->class_name.len == 0 && t == &roots[t->id][t->nullable]) return t;
    wr_type *c = clone(a, t);
    if (!c) return NULL;
    if (t->class_name.len) {
        c->class_name = wr_arena_str(a, t->class_name);
        if (!c->class_name.ptr) return NULL;
    }
    if (t->field_count == 0) return c;
    wr_field *f = WR_NEW_N(a, wr_field, t->field_count);
    if (!f) return NULL;
    for (uint32_t i = 0; i < t->field_count; i++) {
        f[i].name = wr_arena_str(a, t->fields[i].name);
        f[i].comment = wr_arena_str(a, t->fields[i].comment);
        f[i].type = wr_type_copy(a, t->fields[i].type);
        if (!f[i].name.ptr || !f[i].comment.ptr || !f[i].type) return NULL;
    }
    c->fields = f;
    return c;
}

/* ---- asking ---------------------------------------------------------------------------------- */
/* Do the parameters of the two roots agree (fields aside)? */
static bool
params_eq(const wr_type *a, const wr_type *b)
{
    switch ((wr_type_id)a->id) {
    case WR_T_CHAR:
    case WR_T_VARCHAR:
    case WR_T_BINARY:
    case WR_T_VARBINARY:
        return a->length == b->length;
    case WR_T_DECIMAL:
        return a->precision == b->precision && a->scale == b->scale;
    case WR_T_TIME:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return a->precision == b->precision;
    case WR_T_STRUCTURED:
    case WR_T_RAW:
        return wr_str_eq(a->class_name, b->class_name);
    case WR_T_NULL:
    case WR_T_BOOLEAN:
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
    case WR_T_FLOAT:
    case WR_T_DOUBLE:
    case WR_T_DATE:
    case WR_T_INTERVAL_YM: /* the qualifier is only spelling: values are months or ms */
    case WR_T_INTERVAL_DT:
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
    case WR_T_ROW:
    case WR_T_VARIANT:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT:
        return true;
    }
    return true;
}

static bool
type_eq(const wr_type *a, const wr_type *b, bool with_null)
{
    if (a == b) return true;
    if (a->id != b->id || a->field_count != b->field_count) return false;
    if (with_null && a->nullable != b->nullable) return false;
    if (!params_eq(a, b)) return false;
    const bool named = a->id == WR_T_ROW || a->id == WR_T_STRUCTURED;
    for (uint32_t i = 0; i < a->field_count; i++) {
        if (named && !wr_str_eq(a->fields[i].name, b->fields[i].name)) return false;
        if (!type_eq(a->fields[i].type, b->fields[i].type, with_null)) return false;
    }
    return true;
}

bool
wr_type_eq(const wr_type *a, const wr_type *b)
{
    return type_eq(a, b, true);
}

bool
wr_type_eq_ignoring_null(const wr_type *a, const wr_type *b)
{
    return type_eq(a, b, false);
}

wr_family
wr_type_family(const wr_type *t)
{
    static const uint8_t family[WR_T_COUNT] = {
#define X(id, name, phys, fam) [WR_T_##id] = WR_FAM_##fam,
#include "types/types.def"
#undef X
    };
    return (wr_family)family[t->id];
}

bool
wr_type_is_numeric(const wr_type *t)
{
    const wr_family f = wr_type_family(t);
    return f == WR_FAM_EXACT || f == WR_FAM_APPROX;
}

bool
wr_type_is_integer(const wr_type *t)
{
    return t->id >= WR_T_TINYINT && t->id <= WR_T_BIGINT;
}

bool
wr_type_is_string(const wr_type *t)
{
    return t->id == WR_T_CHAR || t->id == WR_T_VARCHAR;
}

bool
wr_type_is_binary(const wr_type *t)
{
    return t->id == WR_T_BINARY || t->id == WR_T_VARBINARY;
}

static bool
all_fields(const wr_type *t, bool (*ask)(const wr_type *))
{
    for (uint32_t i = 0; i < t->field_count; i++)
        if (!ask(t->fields[i].type)) return false;
    return true;
}

bool
wr_type_is_comparable(const wr_type *t)
{
    switch (wr_type_family(t)) {
    case WR_FAM_COLLECTION:
    case WR_FAM_STRUCT:
        return all_fields(t, wr_type_is_comparable);
    case WR_FAM_OTHER:
        return false;
    case WR_FAM_NULL:
    case WR_FAM_BOOLEAN:
    case WR_FAM_EXACT:
    case WR_FAM_APPROX:
    case WR_FAM_STRING:
    case WR_FAM_BINARY:
    case WR_FAM_DATETIME:
    case WR_FAM_INTERVAL:
        return true;
    }
    return false;
}

bool
wr_type_is_orderable(const wr_type *t)
{
    switch (wr_type_family(t)) {
    case WR_FAM_STRUCT:
        return all_fields(t, wr_type_is_orderable);
    case WR_FAM_COLLECTION:
        return t->id == WR_T_ARRAY && all_fields(t, wr_type_is_orderable);
    case WR_FAM_OTHER:
        return false;
    case WR_FAM_NULL:
    case WR_FAM_BOOLEAN:
    case WR_FAM_EXACT:
    case WR_FAM_APPROX:
    case WR_FAM_STRING:
    case WR_FAM_BINARY:
    case WR_FAM_DATETIME:
    case WR_FAM_INTERVAL:
        return true;
    }
    return false;
}

wr_phys
wr_type_phys(const wr_type *t)
{
    return (wr_phys)t->phys;
}

uint32_t
wr_phys_bytes(wr_phys p)
{
    static const uint8_t bytes[WR_PHYS_COUNT] = {
        [WR_PHYS_NONE] = 0,
        [WR_PHYS_BOOL] = 1,
        [WR_PHYS_I8] = 1,
        [WR_PHYS_I16] = 2,
        [WR_PHYS_I32] = 4,
        [WR_PHYS_I64] = 8,
        [WR_PHYS_F32] = 4,
        [WR_PHYS_F64] = 8,
        [WR_PHYS_I128] = 16,
        [WR_PHYS_STR] = sizeof(wr_strv),
        [WR_PHYS_TS] = sizeof(wr_ts),
        [WR_PHYS_LIST] = sizeof(wr_list),
        [WR_PHYS_MAP] = sizeof(wr_list),
        [WR_PHYS_ROW] = 0,
    };
    return bytes[p];
}
