/* SPDX-License-Identifier: Apache-2.0 */
/* Where a bare NULL may stand among the arguments of a function.
 *
 * Flink's validator must find a type for a NULL without a CAST. It asks the function's operand type
 * inference, and most functions have none ("Illegal use of 'NULL'"). Those of Flink's newer type
 * system have one, except for arguments whose type depends on others: arrays, maps, and numbers or
 * strings by turns. */
#include "expr/expr_int.h"
#include "expr/fn_int.h"

#include <string.h>

/* Functions of the newer system with arguments of no known type: a bit per argument. */
static const struct {
    const char *name;
    uint32_t args;
} unknown[] = {
    {"ARRAY_APPEND", 1},
    {"ARRAY_PREPEND", 1},
    {"ARRAY_CONCAT", ~0u},
    {"ARRAY_CONTAINS", 1},
    {"ARRAY_DISTINCT", 1},
    {"ARRAY_EXCEPT", 3},
    {"ARRAY_INTERSECT", 3},
    {"ARRAY_JOIN", 1},
    {"ARRAY_MAX", 1},
    {"ARRAY_MIN", 1},
    {"ARRAY_POSITION", 1},
    {"ARRAY_REMOVE", 1},
    {"ARRAY_REVERSE", 1},
    {"ARRAY_SLICE", 1},
    {"ARRAY_SORT", 1},
    {"ARRAY_UNION", 3},
    {"ELT", 1},
    {"MAP_ENTRIES", 1},
    {"MAP_FROM_ARRAYS", 3},
    {"MAP_KEYS", 1},
    {"MAP_UNION", ~0u},
    {"MAP_VALUES", 1},
    {"TO_TIMESTAMP_LTZ", 1},
    {"TRANSLATE", 7},
    {"TRANSLATE3", 7},
    {"TRY_PARSE_JSON", 1},
};

bool
wr_fn_takes_null(const wr_fn *fn, uint32_t arg)
{
    if (strncmp(fn->name, "JSON_", 5) == 0) /* values, and the clauses behind the path */
        return strcmp(fn->name, "JSON_OBJECT") == 0 || strcmp(fn->name, "JSON_ARRAY") == 0 ||
               fn->flags & WRI_NEW || arg >= 2;
    if (!(fn->flags & WRI_NEW)) return strcmp(fn->name, "NULLIF") == 0;
    for (uint32_t i = 0; i < WR_COUNT(unknown); i++)
        if (strcmp(unknown[i].name, fn->name) == 0)
            return arg >= 32 || !(unknown[i].args >> arg & 1);
    return true;
}
