/* SPDX-License-Identifier: Apache-2.0 */
/* Date patterns of Java in both dialects: java.time's DateTimeFormatter (MODERN: DATE_FORMAT of a
 * timestamp, TO_TIMESTAMP) and SimpleDateFormat (SIMPLE: FROM_UNIXTIME, UNIX_TIMESTAMP, TO_DATE,
 * CONVERT_TZ, DATE_FORMAT of a text). Here: from text to items. English names, US weeks. */
#include "expr/pattern_int.h"

#include <stdio.h>

const char *const wri_month_names[12] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
const char *const wri_day_names[7] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                      "Friday", "Saturday", "Sunday"};

wr_civil
wri_hybrid_civil(int64_t days)
{
    if (days >= WRI_GREGORIAN_START) return wr_civil_of(days);
    /* years of four that begin on March 1st; day 0 is -4800-03-01 */
    const int64_t n = days + 2440588 + 32082;
    const int64_t y = wr_floor_div(4 * n + 3, 1461);
    const int64_t doy = n - wr_floor_div(1461 * y, 4);
    const int64_t m = (5 * doy + 2) / 153;
    return (wr_civil){y - 4800 + m / 10, (int)(m + 3 - 12 * (m / 10)),
                      (int)(doy - (153 * m + 2) / 5 + 1)};
}

int64_t
wri_hybrid_days(int64_t year, int month, int64_t day)
{
    const int64_t days = wr_days_of(year, month, 1) + day - 1;
    if (days >= WRI_GREGORIAN_START) return days;
    const int64_t y = year + 4800 - (month <= 2), m = month + (month <= 2 ? 9 : -3);
    return day - 1 + (153 * m + 2) / 5 + 365 * y + wr_floor_div(y, 4) - 32082 - 2440588;
}

typedef struct builder {
    wr_arena *arena;
    wri_pattern *p;
    uint32_t cap;
    char *why;
    bool nomem;
} builder;

static bool
push(builder *b, wri_item item)
{
    if (b->p->count == b->cap &&
        !wr_list_grow_(b->arena, (void **)&b->p->items, &b->cap, sizeof(wri_item))) {
        b->nomem = true;
        return false;
    }
    b->p->items[b->p->count++] = item;
    return true;
}

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* How often a letter of the MODERN dialect may stand: its maximum; 0 = any number, -1 = unknown. */
static int
modern_max(char c)
{
    switch (c) {
    case 'G':
    case 'M':
    case 'L':
    case 'Q':
    case 'q':
    case 'E':
    case 'e':
    case 'c':
    case 'X':
    case 'x':
    case 'Z':
    case 'B':
        return 5;
    case 'O':
    case 'z':
    case 'v':
        return 4;
    case 'D':
        return 3;
    case 'd':
    case 'h':
    case 'H':
    case 'k':
    case 'K':
    case 'm':
    case 's':
    case 'w':
    case 'V':
        return 2;
    case 'a':
    case 'F':
    case 'W':
        return 1;
    case 'y':
    case 'u':
    case 'Y':
    case 'n':
    case 'N':
    case 'A':
    case 'g':
        return 19;
    case 'S':
        return 9;
    default:
        return -1;
    }
}

static bool
check_letter(builder *b, char c, uint32_t n)
{
    if (b->p->dialect == WRI_PATTERN_SIMPLE) {
        if (strchr("GyYMLwWDdFEuaHkKhmsSzZX", c) && !(c == 'X' && n > 3)) return true;
        (void)snprintf(b->why, WR_WHY_MAX, "Illegal pattern character '%c'", c);
        return false;
    }
    const int max = modern_max(c);
    if (max < 0)
        (void)snprintf(b->why, WR_WHY_MAX, "Unknown pattern letter: %c", c);
    else if (n > (uint32_t)max)
        (void)snprintf(b->why, WR_WHY_MAX, "Too many pattern letters: %c", c);
    else if ((c == 'c' && n == 2) || (c == 'V' && n == 1) || (c == 'O' && n != 1 && n != 4) ||
             (c == 'B' && n != 1 && n < 4))
        (void)snprintf(b->why, WR_WHY_MAX, "Pattern letter count must be %s: %c",
                       c == 'V'   ? "2"
                       : c == 'O' ? "1 or 4"
                                  : "1, 4 or 5",
                       c);
    else
        return true;
    return false;
}

/* A quoted literal; '' is a quote. Returns the index behind it, 0 when it does not end. */
static size_t
quoted(builder *b, wr_str s, size_t i)
{
    wr_text t;
    wr_text_init(&t, b->arena);
    size_t k = i + 1;
    if (k < s.len && s.ptr[k] == '\'') {
        wr_text_putc(&t, '\'');
        k++;
    } else {
        for (;; k++) {
            if (k >= s.len) {
                if (b->p->dialect == WRI_PATTERN_SIMPLE)
                    (void)snprintf(b->why, WR_WHY_MAX, "Unterminated quote");
                else
                    (void)snprintf(b->why, WR_WHY_MAX,
                                   "Pattern ends with an incomplete string literal: %.*s",
                                   (int)WR_MIN(s.len, 400u), s.ptr);
                return 0;
            }
            if (s.ptr[k] != '\'') {
                wr_text_putc(&t, s.ptr[k]);
            } else if (k + 1 < s.len && s.ptr[k + 1] == '\'') {
                wr_text_putc(&t, '\'');
                k++;
            } else {
                break;
            }
        }
        k++;
    }
    b->nomem |= t.failed;
    return push(b, (wri_item){.kind = WRI_ITEM_TEXT, .text = wr_text_str(&t)}) ? k : 0;
}

/* A number whose width is the letter count, so that neighbours can be told apart. */
static bool
is_fixed_number(wri_dialect d, char c, uint32_t n)
{
    if (d == WRI_PATTERN_SIMPLE) return false;
    if (c == 'S') return true;
    if (c == 'M' || c == 'L' || c == 'Q' || c == 'q' || c == 'e') return n == 2;
    if (c == 'y' || c == 'u' || c == 'Y') return n == 2;
    if (c == 'D') return n == 3;
    return n == 2 && strchr("dhHkKmsw", c) != NULL;
}

static bool
is_number(wri_dialect d, char c, uint32_t n)
{
    if (c == 'M' || c == 'L' || c == 'Q' || c == 'q' || c == 'e') return n <= 2;
    if (d == WRI_PATTERN_SIMPLE) return strchr("yYwWDdFuHkKhmsS", c) != NULL;
    return strchr("yuYdDhHkKmsSAnNwWFg", c) != NULL;
}

/* What follows a number directly takes its digits from it. */
static void
reserve_digits(wri_pattern *p)
{
    const bool simple = p->dialect == WRI_PATTERN_SIMPLE;
    for (uint32_t i = p->count; i-- > 0;) {
        wri_item *it = &p->items[i];
        if (it->kind != WRI_ITEM_FIELD || !is_number(p->dialect, it->letter, it->count)) continue;
        it->fixed = is_fixed_number(p->dialect, it->letter, it->count);
        if (i + 1 >= p->count) continue;
        wri_item *next = &p->items[i + 1];
        if (next->kind != WRI_ITEM_FIELD || !is_number(p->dialect, next->letter, next->count))
            continue;
        if (simple) next->fixed = true; /* abutting: as many digits as letters */
        if (next->fixed) it->reserve = next->count + next->reserve;
    }
}

static size_t
bracket(builder *b, wr_str s, size_t i, uint32_t *open, uint32_t *depth)
{
    if (s.ptr[i] == '[') {
        if (*depth == 8) return 0;
        open[(*depth)++] = b->p->count;
        return push(b, (wri_item){.kind = WRI_ITEM_OPTIONAL}) ? i + 1 : 0;
    }
    if (*depth == 0) {
        (void)snprintf(b->why, WR_WHY_MAX, "Pattern invalid as it contains ] without previous [");
        return 0;
    }
    b->p->items[open[--*depth]].end = b->p->count;
    return push(b, (wri_item){.kind = WRI_ITEM_END}) ? i + 1 : 0;
}

static size_t
letters(builder *b, wr_str s, size_t i, uint8_t *pad)
{
    const char c = s.ptr[i];
    size_t k = i;
    while (k < s.len && s.ptr[k] == c) k++;
    const uint32_t n = (uint32_t)(k - i);
    if (c == 'p' && b->p->dialect == WRI_PATTERN_MODERN) {
        *pad = (uint8_t)WR_MIN(n, 64u);
        if (k < s.len && is_letter(s.ptr[k])) return k;
        (void)snprintf(b->why, WR_WHY_MAX,
                       "Pad letter 'p' must be followed by valid pad pattern: %.*s",
                       (int)WR_MIN(s.len, 400u), s.ptr);
        return 0;
    }
    if (!check_letter(b, c, n)) return 0;
    const wri_item it = {.kind = WRI_ITEM_FIELD, .letter = c, .count = n, .pad = *pad};
    *pad = 0;
    return push(b, it) ? k : 0;
}

wr_status
wri_pattern_compile(wr_ctx *ctx, wr_arena *a, wr_str s, wri_dialect dialect,
                    const wri_pattern **out, char why[WR_WHY_MAX])
{
    builder b = {.arena = a, .p = WR_NEW(a, wri_pattern), .why = why};
    WR_TRY_ALLOC(ctx, b.p);
    *out = NULL;
    why[0] = 0;
    b.p->dialect = dialect;
    b.p->source = wr_arena_str(a, s);
    uint32_t open[8], depth = 0;
    uint8_t pad = 0;
    for (size_t i = 0; i < s.len;) {
        const char c = s.ptr[i];
        if (c == '\'') {
            i = quoted(&b, s, i);
        } else if (dialect == WRI_PATTERN_MODERN && (c == '[' || c == ']')) {
            i = bracket(&b, s, i, open, &depth);
        } else if (dialect == WRI_PATTERN_MODERN && (c == '{' || c == '}' || c == '#')) {
            (void)snprintf(why, WR_WHY_MAX, "Pattern includes reserved character: '%c'", c);
            return WR_OK;
        } else if (is_letter(c)) {
            i = letters(&b, s, i, &pad);
        } else {
            const wr_str text = {b.p->source.ptr + i, 1};
            i = push(&b, (wri_item){.kind = WRI_ITEM_TEXT, .text = text}) ? i + 1 : 0;
        }
        if (b.nomem) return wr_raise(ctx, WR_NOMEM, "out of memory");
        if (i == 0) return WR_OK;
    }
    while (depth > 0) {
        b.p->items[open[--depth]].end = b.p->count;
        if (!push(&b, (wri_item){.kind = WRI_ITEM_END}))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    reserve_digits(b.p);
    *out = b.p;
    return WR_OK;
}
