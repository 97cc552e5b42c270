/* SPDX-License-Identifier: Apache-2.0 */
/* The cast lattice: which casts exist, which happen by themselves, which may fail on a row. */
#include "types/types.h"

/* Element-wise: every field of `from` casts to its partner in `to`. */
static bool
fields_cast(const wr_type *from, const wr_type *to, bool (*cast)(const wr_type *, const wr_type *))
{
    if (from->field_count != to->field_count) return false;
    for (uint32_t i = 0; i < from->field_count; i++)
        if (!cast(from->fields[i].type, to->fields[i].type)) return false;
    return true;
}

static bool
is_timestamp(const wr_type *t)
{
    return t->id == WR_T_TIMESTAMP || t->id == WR_T_TIMESTAMP_LTZ;
}

bool
wr_type_can_cast_implicit(const wr_type *from, const wr_type *to)
{
    if (from->id == WR_T_NULL) return true;
    switch ((wr_type_id)to->id) {
    case WR_T_VARCHAR:
        return wr_type_is_string(from);
    case WR_T_VARBINARY:
        return wr_type_is_binary(from);
    case WR_T_CHAR:
    case WR_T_BINARY:
        return from->id == to->id;
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
        return wr_type_is_integer(from) && from->id <= to->id;
    case WR_T_FLOAT:
        return wr_type_is_numeric(from) && from->id != WR_T_DOUBLE;
    case WR_T_DOUBLE:
    case WR_T_DECIMAL:
        return wr_type_is_numeric(from);
    case WR_T_DATE:
    case WR_T_TIME:
        return from->id == to->id || from->id == WR_T_TIMESTAMP;
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return is_timestamp(from);
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
    case WR_T_ROW:
        return from->id == to->id && fields_cast(from, to, wr_type_can_cast_implicit);
    case WR_T_STRUCTURED:
    case WR_T_RAW:
        return from->id == to->id && wr_str_eq(from->class_name, to->class_name) &&
               fields_cast(from, to, wr_type_can_cast_implicit);
    case WR_T_NULL:
    case WR_T_BOOLEAN:
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
    case WR_T_VARIANT:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT:
        return from->id == to->id;
    }
    return false;
}

/* An element of a constructed type: what needs no cast is fine too. */
static bool
element_cast(const wr_type *from, const wr_type *to)
{
    return wr_type_eq_ignoring_null(from, to) || wr_type_can_cast_explicit(from, to);
}

static bool
explicit_to_struct(const wr_type *from, const wr_type *to)
{
    if (to->id == WR_T_STRUCTURED && from->id == WR_T_STRUCTURED &&
        !wr_str_eq(from->class_name, to->class_name))
        return false;
    return (from->id == WR_T_ROW || from->id == WR_T_STRUCTURED) &&
           fields_cast(from, to, element_cast);
}

bool
wr_type_can_cast_explicit(const wr_type *from, const wr_type *to)
{
    if (from->id == WR_T_NULL) return true;
    const bool text = wr_type_is_string(from);
    const wr_family ff = wr_type_family(from);
    switch ((wr_type_id)to->id) {
    case WR_T_CHAR:
    case WR_T_VARCHAR:
        return ff != WR_FAM_OTHER || from->id == WR_T_BITMAP || from->id == WR_T_RAW;
    case WR_T_BINARY:
        return text || ff == WR_FAM_BINARY;
    case WR_T_VARBINARY:
        return text || ff == WR_FAM_BINARY ||
               (from->id == WR_T_BITMAP && to->length == WR_CHAR_LENGTH_MAX);
    case WR_T_BOOLEAN:
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
    case WR_T_FLOAT:
    case WR_T_DOUBLE:
    case WR_T_DECIMAL:
        return text || from->id == WR_T_BOOLEAN || wr_type_is_numeric(from);
    case WR_T_DATE:
        return text || from->id == WR_T_DATE || is_timestamp(from);
    case WR_T_TIME:
        return text || from->id == WR_T_TIME || is_timestamp(from);
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return text || ff == WR_FAM_DATETIME;
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT: /* an integer counts the units of a single-unit interval */
        return from->id == to->id || (wr_type_is_integer(from) && to->unit_from == to->unit_to);
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
        return from->id == to->id && fields_cast(from, to, element_cast);
    case WR_T_ROW:
    case WR_T_STRUCTURED:
        return explicit_to_struct(from, to);
    case WR_T_NULL:
    case WR_T_RAW:
    case WR_T_VARIANT:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT:
        return false;
    }
    return false;
}

bool
wr_type_cast_may_fail(const wr_type *from, const wr_type *to)
{
    if (from->nullable && !to->nullable) return true;
    if (from->id == WR_T_NULL) return false;
    if (wr_type_is_string(from)) return !wr_type_is_string(to) && !wr_type_is_binary(to);
    if (wr_type_family(from) == WR_FAM_APPROX && to->id == WR_T_DECIMAL) return true; /* NaN */
    if (from->field_count != to->field_count) return false;
    for (uint32_t i = 0; i < from->field_count; i++)
        if (wr_type_cast_may_fail(from->fields[i].type, to->fields[i].type)) return true;
    return false;
}
