/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: types and constant expressions from text, as the reference files write them. Not a SQL
 * parser: it knows CAST, literals, ARRAY[], MAP[], ROW(), OBJECT_OF() and a few calls. */
#ifndef WR_TESTS_TYPE_PARSE_H
#define WR_TESTS_TYPE_PARSE_H

#include "mem/mem.h"
#include "types/types.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct tp {
    const char *p, *end;
    wr_arena *a;
    bool bad;
} tp;

static inline void
tp_blanks(tp *t)
{
    while (t->p < t->end && isspace((unsigned char)*t->p)) t->p++;
}

static inline bool
tp_take(tp *t, const char *word)
{
    tp_blanks(t);
    const size_t n = strlen(word);
    if ((size_t)(t->end - t->p) < n || memcmp(t->p, word, n) != 0) return false;
    const bool letter = isalnum((unsigned char)word[n - 1]);
    if (letter && t->p + n < t->end && (isalnum((unsigned char)t->p[n]) || t->p[n] == '_'))
        return false;
    t->p += n;
    return true;
}

static inline void
tp_need(tp *t, const char *word)
{
    if (!tp_take(t, word)) t->bad = true;
}

static inline int
tp_int(tp *t, int otherwise)
{
    if (!tp_take(t, "(")) return otherwise;
    int v = 0;
    tp_blanks(t);
    while (t->p < t->end && isdigit((unsigned char)*t->p)) v = v * 10 + (*t->p++ - '0');
    if (!tp_take(t, ",")) tp_need(t, ")");
    return v;
}

static inline wr_unit
tp_unit(tp *t)
{
    static const struct {
        const char *name;
        wr_unit unit;
    } units[] = {{"YEAR", WR_UNIT_YEAR}, {"MONTH", WR_UNIT_MONTH},   {"DAY", WR_UNIT_DAY},
                 {"HOUR", WR_UNIT_HOUR}, {"MINUTE", WR_UNIT_MINUTE}, {"SECOND", WR_UNIT_SECOND}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (tp_take(t, units[i].name)) return units[i].unit;
    t->bad = true;
    return WR_UNIT_NONE;
}

static inline wr_str
tp_name(tp *t)
{
    tp_blanks(t);
    const char *from = t->p;
    while (t->p < t->end && (isalnum((unsigned char)*t->p) || *t->p == '_')) t->p++;
    return (wr_str){from, (size_t)(t->p - from)};
}

static inline const wr_type *
tp_interval(tp *t)
{
    const wr_unit from = tp_unit(t);
    (void)tp_int(t, 2);
    wr_unit to = from;
    if (tp_take(t, "TO")) to = tp_unit(t);
    (void)tp_int(t, 3);
    return wr_type_interval(t->a, from, to, 2, 3, true);
}

static inline const wr_type *
tp_type_root(tp *t)
{
    if (tp_take(t, "STRING")) return wr_type_string(true);
    if (tp_take(t, "BYTES")) return wr_type_bytes(true);
    if (tp_take(t, "CHAR")) return wr_type_char(t->a, WR_T_CHAR, tp_int(t, 1), true);
    if (tp_take(t, "VARCHAR")) return wr_type_char(t->a, WR_T_VARCHAR, tp_int(t, 2147483647), true);
    if (tp_take(t, "BINARY")) return wr_type_char(t->a, WR_T_BINARY, tp_int(t, 1), true);
    if (tp_take(t, "VARBINARY"))
        return wr_type_char(t->a, WR_T_VARBINARY, tp_int(t, 2147483647), true);
    if (tp_take(t, "BOOLEAN")) return wr_type_of(WR_T_BOOLEAN, true);
    if (tp_take(t, "TINYINT")) return wr_type_of(WR_T_TINYINT, true);
    if (tp_take(t, "SMALLINT")) return wr_type_of(WR_T_SMALLINT, true);
    if (tp_take(t, "INT")) return wr_type_of(WR_T_INT, true);
    if (tp_take(t, "BIGINT")) return wr_type_of(WR_T_BIGINT, true);
    if (tp_take(t, "FLOAT")) return wr_type_of(WR_T_FLOAT, true);
    if (tp_take(t, "DOUBLE")) return wr_type_of(WR_T_DOUBLE, true);
    if (tp_take(t, "DATE")) return wr_type_of(WR_T_DATE, true);
    if (tp_take(t, "VARIANT")) return wr_type_of(WR_T_VARIANT, true);
    if (tp_take(t, "BITMAP")) return wr_type_of(WR_T_BITMAP, true);
    if (tp_take(t, "TIME")) return wr_type_time(t->a, WR_T_TIME, tp_int(t, 0), true);
    if (tp_take(t, "TIMESTAMP")) return wr_type_time(t->a, WR_T_TIMESTAMP, tp_int(t, 6), true);
    if (tp_take(t, "TIMESTAMP_LTZ"))
        return wr_type_time(t->a, WR_T_TIMESTAMP_LTZ, tp_int(t, 6), true);
    if (tp_take(t, "INTERVAL")) return tp_interval(t);
    if (tp_take(t, "DECIMAL")) {
        const char *before = t->p;
        const int p = tp_int(t, 10);
        int s = 0;
        tp_blanks(t);
        if (t->p > before && t->p[-1] != ')') {
            while (t->p < t->end && isdigit((unsigned char)*t->p)) s = s * 10 + (*t->p++ - '0');
            tp_need(t, ")");
        }
        return wr_type_decimal(t->a, p, s, true);
    }
    t->bad = true;
    return NULL;
}

static inline const wr_type *
tp_type(tp *t)
{
    wr_field f[16];
    memset(f, 0, sizeof f);
    if (tp_take(t, "ARRAY") || tp_take(t, "MULTISET")) {
        const bool array = t->p[-1] == 'Y';
        tp_need(t, "<");
        const wr_type *e = tp_type(t);
        tp_need(t, ">");
        return array ? wr_type_array(t->a, e, true) : wr_type_multiset(t->a, e, true);
    }
    if (tp_take(t, "MAP")) {
        tp_need(t, "<");
        const wr_type *k = tp_type(t);
        tp_need(t, ",");
        const wr_type *v = tp_type(t);
        tp_need(t, ">");
        return wr_type_map(t->a, k, v, true);
    }
    if (tp_take(t, "ROW")) {
        uint32_t n = 0;
        tp_need(t, "<");
        do {
            f[n].name = tp_name(t);
            f[n].type = tp_type(t);
            n++;
        } while (n < 16 && tp_take(t, ","));
        tp_need(t, ">");
        return wr_type_row(t->a, f, n, true);
    }
    const wr_type *type = tp_type_root(t);
    if (type && tp_take(t, "NOT NULL")) type = wr_type_nullable(t->a, type, false);
    return type;
}

static inline const wr_type *
type_parse(wr_arena *a, const char *text)
{
    tp t = {text, text + strlen(text), a, false};
    const wr_type *type = tp_type(&t);
    tp_blanks(&t);
    return t.bad || t.p != t.end ? NULL : type;
}

#endif
