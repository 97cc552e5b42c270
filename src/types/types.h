/* SPDX-License-Identifier: Apache-2.0 */
/* Logical types as Flink has them, boxed values, type algebra.
 *
 * A wr_type is immutable once made and lives in the arena it was made in (statement lifetime, or
 * for ever for the wr_type_* singletons). Nullability is part of the type, as in Flink. Compare
 * with wr_type_eq, never by pointer. Decimal, date-time and interval arithmetic on single values
 * are in decimal.h and datetime.h of this room; casts and vectors of values in vec/.
 */
#ifndef WR_TYPES_TYPES_H
#define WR_TYPES_TYPES_H

#include "base/base.h"
#include "mem/mem.h"

typedef enum wr_type_id {
#define X(id, name, phys, family) WR_T_##id,
#include "types/types.def"
#undef X
    WR_T_COUNT
} wr_type_id;

/* Physical layouts of a vector's data array (one entry a row):
 *   BOOL u8 0/1; I8..I64; F32; F64; I128 wr_i128 (DECIMAL p > 18, unscaled); STR wr_strv (16 bytes,
 * below); TS wr_ts (TIMESTAMP and TIMESTAMP_LTZ with p > 3); LIST wr_list into child[0] (ARRAY);
 *   MAP wr_list into child[0] keys and child[1] values (MULTISET: child[1] = INT multiplicity);
 * ROW: no data array, one child per field, aligned with the rows; NONE: no data (NULL type, all
 * rows null). DATE = days since 1970-01-01; TIME = ms of day; TIMESTAMP(p<=3) = ms since epoch
 * (local), TIMESTAMP_LTZ likewise UTC; INTERVAL_YM = months (i32); INTERVAL_DT = ms (i64);
 * DECIMAL(p<=18) = unscaled i64. VARIANT: bytes in the encoding of types/variant; BITMAP: Roaring's
 * portable serialisation; RAW: bytes. */
typedef enum wr_phys {
    WR_PHYS_NONE,
    WR_PHYS_BOOL,
    WR_PHYS_I8,
    WR_PHYS_I16,
    WR_PHYS_I32,
    WR_PHYS_I64,
    WR_PHYS_F32,
    WR_PHYS_F64,
    WR_PHYS_I128,
    WR_PHYS_STR,
    WR_PHYS_TS,
    WR_PHYS_LIST,
    WR_PHYS_MAP,
    WR_PHYS_ROW,
    WR_PHYS_COUNT
} wr_phys;

typedef enum wr_family {
    WR_FAM_NULL,
    WR_FAM_BOOLEAN,
    WR_FAM_EXACT,
    WR_FAM_APPROX,
    WR_FAM_STRING,
    WR_FAM_BINARY,
    WR_FAM_DATETIME,
    WR_FAM_INTERVAL,
    WR_FAM_COLLECTION,
    WR_FAM_STRUCT,
    WR_FAM_OTHER
} wr_family;

/* Time attribute of a TIMESTAMP(_LTZ) column. */
typedef enum wr_timeattr { WR_ATTR_NONE, WR_ATTR_ROWTIME, WR_ATTR_PROCTIME } wr_timeattr;

/* Interval qualifier, for printing only (values are months or ms whatever the unit). */
typedef enum wr_unit {
    WR_UNIT_NONE,
    WR_UNIT_YEAR,
    WR_UNIT_QUARTER,
    WR_UNIT_MONTH,
    WR_UNIT_WEEK,
    WR_UNIT_DAY,
    WR_UNIT_HOUR,
    WR_UNIT_MINUTE,
    WR_UNIT_SECOND,
    WR_UNIT_MILLISECOND,
    WR_UNIT_MICROSECOND,
    WR_UNIT_NANOSECOND,
    WR_UNIT_EPOCH,
    WR_UNIT_DOY,
    WR_UNIT_DOW,
    WR_UNIT_ISODOW,
    WR_UNIT_ISOYEAR,
    WR_UNIT_DECADE,
    WR_UNIT_CENTURY,
    WR_UNIT_MILLENNIUM
} wr_unit;

typedef struct wr_type wr_type;
typedef struct wr_field {
    wr_str name;
    const wr_type *type;
    wr_str comment; /* empty if none */
} wr_field;

struct wr_type {
    uint8_t id;   /* wr_type_id */
    uint8_t phys; /* wr_phys */
    bool nullable;
    uint8_t attr;      /* wr_timeattr */
    int32_t length;    /* CHAR/VARCHAR/BINARY/VARBINARY: n (code points or bytes); STRING/BYTES:
                          2147483647 */
    int16_t precision; /* DECIMAL p; TIME/TIMESTAMP(_LTZ) fractional digits; intervals: leading
                          precision */
    int16_t scale;     /* DECIMAL s; INTERVAL_DT fractional seconds digits */
    uint8_t unit_from, unit_to; /* intervals: wr_unit qualifier as written */
    uint32_t field_count; /* ARRAY, MULTISET 1 (element); MAP 2 (key, value); ROW, STRUCTURED n */
    const wr_field *fields;
    wr_str class_name; /* STRUCTURED, RAW */
};

typedef struct wr_schema { /* columns of a relation, in order */
    const wr_field *fields;
    uint32_t count;
} wr_schema;

/* ---- making types. NULL = out of memory. Arguments out of range are clamped as Flink's DDL does.
 */
const wr_type *
wr_type_of(wr_type_id id,
           bool nullable); /* parameterless roots and defaults; singletons; never NULL */
const wr_type *wr_type_string(bool nullable); /* VARCHAR(2147483647) */
const wr_type *wr_type_bytes(bool nullable);  /* VARBINARY(2147483647) */
const wr_type *wr_type_char(wr_arena *a, wr_type_id id, int32_t length,
                            bool nullable); /* CHAR VARCHAR BINARY VARBINARY */
const wr_type *wr_type_decimal(wr_arena *a, int p, int s, bool nullable);
const wr_type *wr_type_time(wr_arena *a, wr_type_id id, int precision,
                            bool nullable); /* TIME TIMESTAMP TIMESTAMP_LTZ */
const wr_type *wr_type_interval(wr_arena *a, wr_unit from, wr_unit to, int lead, int frac,
                                bool nullable);
const wr_type *wr_type_array(wr_arena *a, const wr_type *elem, bool nullable);
const wr_type *wr_type_multiset(wr_arena *a, const wr_type *elem, bool nullable);
const wr_type *wr_type_map(wr_arena *a, const wr_type *key, const wr_type *value, bool nullable);
const wr_type *wr_type_row(wr_arena *a, const wr_field *fields, uint32_t count,
                           bool nullable); /* fields copied */
const wr_type *wr_type_structured(wr_arena *a, wr_str class_name, const wr_field *fields,
                                  uint32_t count, bool nullable); /* fields copied, name borrowed */
const wr_type *wr_type_nullable(wr_arena *a, const wr_type *t,
                                bool nullable); /* same pointer if already so */
const wr_type *wr_type_attr(wr_arena *a, const wr_type *t, wr_timeattr attr);
const wr_type *wr_type_copy(wr_arena *a, const wr_type *t); /* deep */

/* ---- asking ---------------------------------------------------------------------------------- */
bool wr_type_eq(const wr_type *a,
                const wr_type *b); /* with nullability, field names; not comments, not attr */
bool wr_type_eq_ignoring_null(const wr_type *a,
                              const wr_type *b); /* top-level and nested nullability ignored */
wr_family wr_type_family(const wr_type *t);
bool wr_type_is_numeric(const wr_type *t);
bool wr_type_is_integer(const wr_type *t);
bool wr_type_is_string(const wr_type *t); /* CHAR, VARCHAR */
bool wr_type_is_binary(const wr_type *t);
bool wr_type_is_comparable(const wr_type *t); /* = and <> allowed */
bool wr_type_is_orderable(const wr_type *t);  /* < > ORDER BY allowed */
wr_phys wr_type_phys(const wr_type *t);
uint32_t wr_phys_bytes(wr_phys p); /* bytes per row of the data array; 0 for NONE and ROW */
WR_ALWAYS_INLINE bool
wr_type_is(const wr_type *t, wr_type_id id)
{
    return t->id == (uint8_t)id;
}

/* ---- printing and parsing -------------------------------------------------------------------- */
/* Flink's asSummaryString with nullability: "INT NOT NULL", "ROW<`a` INT, `b` STRING>",
 * "VARCHAR(2147483647)" prints as STRING when `summary`, as VARCHAR(2147483647) otherwise (SHOW
 * CREATE). */
typedef enum wr_type_style {
    WR_TYPE_SUMMARY,      /* INT NOT NULL, STRING, TIMESTAMP(3) *ROWTIME* */
    WR_TYPE_NO_NULL,      /* the same without NOT NULL at top level (DESCRIBE) */
    WR_TYPE_SERIALIZABLE, /* INT NOT NULL, VARCHAR(2147483647): SHOW CREATE */
    WR_TYPE_CALCITE       /* INTEGER, VARCHAR(2147483647): in validator errors, no NOT NULL */
} wr_type_style;
void wr_type_print(const wr_type *t, wr_type_style style, wr_text *out);
wr_str wr_type_str(const wr_type *t, wr_type_style style, wr_arena *a);
/* For files of our own, losslessly: "INT!", "DECIMAL(10,2)", "ROW<"a" INT,"b" ARRAY<DATE>>". */
void wr_type_encode(const wr_type *t, wr_text *text);
/* Takes any text. NULL: not a type, or out of memory (then *no_memory is set). */
const wr_type *wr_type_decode(wr_arena *a, wr_str text, bool *no_memory) WR_MUST_USE;
/* "text" in quotes with escapes, as types and catalog files have it. */
void wr_quoted_put(wr_str s, wr_text *text);
/* The string at *p (which starts with a quote), decoded; *p moves behind it. False: malformed, or
 * out of memory (then *no_memory is set). */
bool wr_quoted_take(wr_arena *a, const char **p, const char *end, wr_str *out,
                    bool *no_memory) WR_MUST_USE;

/* ---- algebra (Flink's LogicalTypeMerging and implicit casts; flink-sql.md 3.2, 3.3) ---------- */
/* The common type by Flink's merging: COALESCE, GREATEST, function arguments. NULL: none. */
const wr_type *wr_type_common(wr_arena *a, const wr_type *const *types, uint32_t count);
/* The common type by the validator: CASE, IF, UNION, VALUES, ARRAY[...], MAP[...]. Differs from the
 * above for FLOAT with DOUBLE (the first one wins), TIMESTAMP with TIMESTAMP_LTZ (of the same
 * precision the first one, else the later one) and DATE with TIMESTAMP (none). */
const wr_type *wr_type_least_restrictive(wr_arena *a, const wr_type *const *types, uint32_t count);
/* The result type of `l op r`, op one of + - * / %. *out = NULL, and no error: there is no such
 * operation. Fails for want of memory alone. */
wr_status wr_type_arith(wr_ctx *ctx, wr_arena *a, char op, const wr_type *l, const wr_type *r,
                        const wr_type **out) WR_MUST_USE;
bool wr_type_can_cast_implicit(const wr_type *from, const wr_type *to);
bool wr_type_can_cast_explicit(const wr_type *from, const wr_type *to);
bool wr_type_cast_may_fail(const wr_type *from, const wr_type *to); /* a row error is possible */

/* ---- values ---------------------------------------------------------------------------------- */
/* 16-byte string: up to 12 bytes inline, else a 4-byte prefix and a pointer. Bytes of the longer
 * form belong to the arena or batch that the holder of the vector keeps alive. */
typedef struct wr_strv {
    uint32_t len;
    union {
        char inl[12];
        struct {
            char prefix[4];
            uint32_t ptr_lo,
                ptr_hi; /* pointer split in two so that the struct is 16 bytes and 4-aligned */
        } ref;
    } u;
} wr_strv;

WR_ALWAYS_INLINE const char *
wr_strv_ptr(const wr_strv *s)
{
    return s->len <= 12 ? s->u.inl
                        : (const char *)(uintptr_t)((uint64_t)s->u.ref.ptr_lo |
                                                    (uint64_t)s->u.ref.ptr_hi << 32);
}
/* Points at `p` when longer than 12 bytes (not copied). */
WR_ALWAYS_INLINE wr_strv
wr_strv_make(const char *p, uint32_t len)
{
    wr_strv s;
    memset(&s, 0, sizeof s);
    s.len = len;
    if (len <= 12) {
        if (len) memcpy(s.u.inl, p, len);
    } else {
        uint64_t v = (uint64_t)(uintptr_t)p;
        memcpy(s.u.ref.prefix, p, 4);
        s.u.ref.ptr_lo = (uint32_t)v;
        s.u.ref.ptr_hi = (uint32_t)(v >> 32);
    }
    return s;
}
WR_ALWAYS_INLINE wr_str
wr_strv_str(const wr_strv *s)
{
    return (wr_str){wr_strv_ptr(s), s->len};
}
WR_ALWAYS_INLINE bool
wr_strv_eq(const wr_strv *a, const wr_strv *b)
{
    if (wr_load64(a) != wr_load64(b)) return false; /* length and prefix */
    if (a->len <= 12) return wr_load64((const char *)a + 8) == wr_load64((const char *)b + 8);
    return memcmp(wr_strv_ptr(a), wr_strv_ptr(b), a->len) == 0;
}

typedef struct wr_ts {
    int64_t ms;   /* floor to the millisecond */
    int32_t nano; /* 0..999999 nanoseconds within the millisecond */
    int32_t pad;
} wr_ts;

typedef struct wr_list {
    uint32_t off, len; /* rows of the child vector(s) */
} wr_list;

/* One boxed value: literals, folded constants, options, slow paths. Strings and children are
 * borrowed from whoever made the value (usually the statement arena). */
typedef struct wr_value wr_value;
struct wr_value {
    const wr_type *type;
    bool is_null;
    union {
        bool b;
        int64_t i; /* BOOL excepted, every integer layout: TINYINT..BIGINT, DATE, TIME,
                      TIMESTAMP(<=3), intervals, DECIMAL(p<=18) unscaled */
        float f32;
        double f64;
        wr_i128 i128; /* DECIMAL(p>18) unscaled */
        wr_str str;   /* all STR layouts */
        wr_ts ts;
        struct {
            const wr_value
                *items;     /* LIST: elements; ROW: fields; MAP: key0, value0, key1, value1, ... */
            uint32_t count; /* entries in `items` */
        } list;
    } u;
};
wr_value wr_value_null(const wr_type *t);
wr_value wr_value_int(const wr_type *t, int64_t i);
wr_value wr_value_bool(bool b); /* BOOLEAN NOT NULL */
wr_value wr_value_str(const wr_type *t, wr_str s);
bool wr_value_eq(const wr_value *a, const wr_value *b); /* NULL equals NULL; same type assumed */
wr_value wr_value_copy(wr_arena *a, const wr_value *v); /* deep; type pointer kept */

#endif
