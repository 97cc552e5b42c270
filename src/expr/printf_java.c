/* SPDX-License-Identifier: Apache-2.0 */
/* java.util.Formatter for the conversions that SQL values can meet: b h s c d o x e f g a % n, with
 * its flags, widths, precisions and argument indexes, root locale. Whatever Formatter would throw
 * at gives false. Floating-point digits are those of Double.toString, rounded HALF_UP. Stateless.
 */
#include "expr/str_int.h"
#include "types/number.h"

enum {
    F_LEFT = 1,
    F_ALT = 2,
    F_PLUS = 4,
    F_SPACE = 8,
    F_ZERO = 16,
    F_GROUP = 32,
    F_PAREN = 64,
    F_PREVIOUS = 128
};

typedef struct spec {
    uint32_t flags;
    int32_t index, width, precision; /* -1 = not given */
    char conv;                       /* lower case */
    bool upper;
} spec;

typedef struct piece { /* text being built for one conversion */
    char *p;
    size_t n, cap;
} piece;

static void
put(piece *t, const char *s, size_t n)
{
    if (n > t->cap - t->n) n = t->cap - t->n;
    if (n) memcpy(t->p + t->n, s, n);
    t->n += n;
}
static void
putch(piece *t, char c)
{
    put(t, &c, 1);
}
static void
zeros(piece *t, int64_t n)
{
    for (int64_t i = 0; i < n; i++) putch(t, '0');
}

/* ---- parsing --------------------------------------------------------------------------------- */

static bool
digits_at(const char **p, const char *end, int32_t *out)
{
    int64_t v = 0;
    const char *start = *p;
    while (*p < end && **p >= '0' && **p <= '9') {
        v = v * 10 + (**p - '0');
        if (v > 1000000) return false;
        (*p)++;
    }
    *out = (int32_t)v;
    return *p > start;
}

static bool
parse_flags(const char **p, const char *end, spec *s)
{
    static const char letters[] = "-#+ 0,(<";
    while (*p < end) {
        const char *at = strchr(letters, **p);
        if (!**p || !at) return true;
        uint32_t bit = 1u << (at - letters);
        if (s->flags & bit) return false; /* twice */
        s->flags |= bit;
        (*p)++;
    }
    return true;
}

/* After '%'. */
static bool
parse_spec(const char **p, const char *end, spec *s)
{
    *s = (spec){.index = -1, .width = -1, .precision = -1};
    const char *q = *p;
    int32_t n = 0;
    if (q < end && *q >= '1' && *q <= '9' && digits_at(&q, end, &n)) {
        if (q < end && *q == '$') {
            s->index = n;
            *p = q + 1;
        }
    }
    if (!parse_flags(p, end, s)) return false;
    if (*p < end && **p >= '1' && **p <= '9' && !digits_at(p, end, &s->width)) return false;
    if (*p < end && **p == '.') {
        (*p)++;
        if (!digits_at(p, end, &s->precision)) return false;
    }
    if (*p == end) return false;
    char c = *(*p)++;
    if (!strchr("bBhHsScCdoxXeEfgGaA%n", c) || !c) return false;
    s->upper = c >= 'A' && c <= 'Z';
    s->conv = s->upper ? (char)(c + 32) : c;
    return true;
}

static bool
check_spec(const spec *s)
{
    uint32_t allowed = F_LEFT | F_PREVIOUS;
    bool precision = false;
    switch (s->conv) {
    case 'b':
    case 'h':
    case 's':
        precision = true;
        break;
    case 'd':
        allowed |= F_PLUS | F_SPACE | F_ZERO | F_GROUP | F_PAREN;
        break;
    case 'o':
    case 'x':
        allowed |= F_ALT | F_ZERO;
        break;
    case 'e':
        allowed |= F_ALT | F_PLUS | F_SPACE | F_ZERO | F_PAREN;
        precision = true;
        break;
    case 'f':
        allowed |= F_ALT | F_PLUS | F_SPACE | F_ZERO | F_GROUP | F_PAREN;
        precision = true;
        break;
    case 'g':
        allowed |= F_PLUS | F_SPACE | F_ZERO | F_GROUP | F_PAREN;
        precision = true;
        break;
    case 'a':
        allowed |= F_ALT | F_PLUS | F_SPACE | F_ZERO;
        break;
    case 'n':
        if (s->width >= 0) return false;
        allowed = 0;
        break;
    default:
        break;
    }
    if ((s->flags & ~allowed) || (s->precision >= 0 && !precision)) return false;
    if ((s->flags & (F_LEFT | F_ZERO)) && s->width < 0) return false;
    if ((s->flags & F_LEFT) && (s->flags & F_ZERO)) return false;
    return !((s->flags & F_PLUS) && (s->flags & F_SPACE));
}

/* ---- writing --------------------------------------------------------------------------------- */

static void
justify(wr_text *out, const spec *s, wr_str text)
{
    int64_t have = (int64_t)wri_cp_count(text), fill = s->width > have ? s->width - have : 0;
    if (!(s->flags & F_LEFT))
        for (int64_t i = 0; i < fill; i++) wr_text_putc(out, ' ');
    wr_text_put(out, text.ptr, text.len);
    if (s->flags & F_LEFT)
        for (int64_t i = 0; i < fill; i++) wr_text_putc(out, ' ');
}

static bool
put_string(wr_text *out, const spec *s, wr_str text)
{
    if (s->precision >= 0) text.len = wri_cp_skip(text, 0, (uint64_t)s->precision);
    if (s->upper) {
        char *p = wr_arena_alloc(out->arena, 3 * text.len + 1);
        if (!p) return false;
        text = (wr_str){p, wri_str_upper(p, text.ptr, text.len)};
    }
    justify(out, s, text);
    return true;
}

/* sign, then magnitude `mag` (digits[.digits][suffix]) with zeros and groups, then ')' */
static void
put_number(wr_text *out, const spec *s, bool neg, wr_str mag)
{
    char buf[1400];
    piece t = {buf, 0, sizeof buf};
    if (neg)
        putch(&t, s->flags & F_PAREN ? '(' : '-');
    else if (s->flags & F_PLUS)
        putch(&t, '+');
    else if (s->flags & F_SPACE)
        putch(&t, ' ');
    size_t whole = 0;
    while (whole < mag.len && mag.ptr[whole] >= '0' && mag.ptr[whole] <= '9') whole++;
    size_t groups = (s->flags & F_GROUP) && whole > 0 ? (whole - 1) / 3 : 0;
    if (s->flags & F_ZERO) {
        int64_t len = (int64_t)(t.n + mag.len + groups) + (neg && (s->flags & F_PAREN));
        if (len < s->width && s->width - len < 1000) zeros(&t, s->width - len);
    }
    for (size_t i = 0; i < whole; i++) {
        if (groups && i > 0 && (whole - i) % 3 == 0) putch(&t, ',');
        putch(&t, mag.ptr[i]);
    }
    put(&t, mag.ptr + whole, mag.len - whole);
    if (neg && (s->flags & F_PAREN)) putch(&t, ')');
    if (s->upper)
        for (size_t i = 0; i < t.n; i++)
            if (buf[i] >= 'a' && buf[i] <= 'z') buf[i] = (char)(buf[i] - 32);
    justify(out, s, (wr_str){buf, t.n});
}

static void
put_integer(wr_text *out, const spec *s, const wri_arg *a)
{
    char buf[32];
    size_t n = 0;
    if (s->conv == 'd') {
        uint64_t u = a->i < 0 ? 0 - (uint64_t)a->i : (uint64_t)a->i;
        do buf[sizeof buf - ++n] = (char)('0' + u % 10);
        while ((u /= 10) > 0);
        put_number(out, s, a->i < 0, (wr_str){buf + sizeof buf - n, n});
        return;
    }
    uint64_t u = (uint64_t)a->i;
    if (a->bits < 64) u &= (1ull << a->bits) - 1;
    uint32_t shift = s->conv == 'x' ? 4 : 3;
    do buf[sizeof buf - ++n] = "0123456789abcdef"[u & ((1u << shift) - 1)];
    while ((u >>= shift) > 0);
    char whole[1100];
    piece t = {whole, 0, sizeof whole};
    if (s->flags & F_ALT) put(&t, s->conv == 'x' ? "0x" : "0", s->conv == 'x' ? 2 : 1);
    if (s->flags & F_ZERO) zeros(&t, s->width < 1000 ? s->width - (int64_t)(t.n + n) : 0);
    put(&t, buf + sizeof buf - n, n);
    if (s->upper)
        for (size_t i = 0; i < t.n; i++)
            if (whole[i] >= 'a' && whole[i] <= 'z') whole[i] = (char)(whole[i] - 32);
    justify(out, s, (wr_str){whole, t.n});
}

/* ---- floating point: 0.d1 d2 d3 ... * 10^exp ------------------------------------------------- */
typedef struct decimal {
    char d[40];
    int32_t n, exp;
} decimal;

static void
decimal_of(double v, decimal *out)
{
    char text[WR_F64_TEXT_MAX];
    uint32_t len = wr_f64_print(v, text);
    int32_t exp = 0, point = -1;
    out->n = 0;
    uint32_t i = 0;
    for (; i < len && text[i] != 'E'; i++) {
        if (text[i] == '.')
            point = out->n;
        else if (text[i] >= '0' && text[i] <= '9')
            out->d[out->n++] = text[i];
    }
    if (i < len) {
        bool neg = text[i + 1] == '-';
        for (i += neg ? 2 : 1; i < len; i++) exp = exp * 10 + (text[i] - '0');
        if (neg) exp = -exp;
    }
    out->exp = exp + (point < 0 ? out->n : point);
    int32_t lead = 0;
    while (lead < out->n && out->d[lead] == '0') lead++;
    memmove(out->d, out->d + lead, (size_t)(out->n - lead));
    out->n -= lead;
    out->exp -= lead;
    while (out->n > 0 && out->d[out->n - 1] == '0') out->n--;
    if (out->n == 0) { /* zero: 0.0 * 10^1 */
        out->d[0] = '0';
        out->n = 1;
        out->exp = 1;
    }
}

/* Keep `keep` digits, rounding half up. */
static void
round_to(decimal *v, int64_t keep)
{
    if (keep >= v->n) return;
    if (keep < 0 || (keep == 0 && v->d[0] < '5')) {
        *v = (decimal){.d = "0", .n = 1, .exp = 1};
        return;
    }
    bool up = v->d[keep] >= '5';
    v->n = (int32_t)keep;
    for (int32_t i = (int32_t)keep - 1; up && i >= 0; i--) {
        up = v->d[i] == '9';
        v->d[i] = up ? '0' : (char)(v->d[i] + 1);
    }
    if (up) { /* a carry out of the first digit (or of none) */
        memmove(v->d + 1, v->d, (size_t)v->n);
        v->d[0] = '1';
        v->n++;
        v->exp++;
    }
}

static char
digit(const decimal *v, int32_t i)
{
    return i >= 0 && i < v->n ? v->d[i] : '0';
}

static void
fixed_text(piece *t, const decimal *v, int32_t precision, bool point)
{
    if (v->exp <= 0) putch(t, '0');
    for (int32_t i = 0; i < v->exp; i++) putch(t, digit(v, i));
    if (precision > 0 || point) putch(t, '.');
    for (int32_t i = 0; i < precision; i++) putch(t, digit(v, v->exp + i));
}

static void
exponent_text(piece *t, const decimal *v, int32_t precision, bool point)
{
    bool zero = v->d[0] == '0';
    int32_t e = zero ? 0 : v->exp - 1, m = e < 0 ? -e : e;
    putch(t, v->d[0]);
    if (precision > 0 || point) putch(t, '.');
    for (int32_t i = 1; i <= precision; i++) putch(t, digit(v, i));
    putch(t, 'e');
    putch(t, e < 0 ? '-' : '+');
    if (m >= 100) putch(t, (char)('0' + m / 100));
    putch(t, (char)('0' + m / 10 % 10));
    putch(t, (char)('0' + m % 10));
}

static void
hex_text(piece *t, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, 8);
    uint64_t frac = bits & 0xfffffffffffffull;
    int32_t e = (int32_t)(bits >> 52 & 0x7ff);
    bool sub = e == 0;
    put(t, sub ? "0x0." : "0x1.", 4);
    if (frac == 0) putch(t, '0');
    while (frac) {
        putch(t, "0123456789abcdef"[frac >> 48 & 15]);
        frac = frac << 4 & 0xfffffffffffffull;
    }
    putch(t, 'p');
    int32_t p = sub ? (bits << 1 == 0 ? 0 : -1022) : e - 1023;
    char num[WR_I64_TEXT_MAX];
    uint32_t n = wr_i64_print(p, num);
    put(t, num, n);
}

static bool
put_double(wr_text *out, const spec *s, double v)
{
    bool neg = v < 0 || (v <= 0 && 1 / v < 0);
    if (v != v || v > 1.7976931348623157e308 || v < -1.7976931348623157e308) {
        spec plain = *s;
        plain.flags &= ~(uint32_t)(F_ZERO | F_GROUP);
        if (v != v) plain.flags &= ~(uint32_t)(F_PLUS | F_SPACE);
        put_number(out, &plain, v < 0, v != v ? WR_STR("NaN") : WR_STR("Infinity"));
        return true;
    }
    int32_t precision = s->precision < 0 ? 6 : s->precision;
    if (precision > 350) return false; /* more than any column shows; keeps the text bounded */
    char buf[800];
    piece t = {buf, 0, sizeof buf};
    decimal d;
    double abs = neg ? -v : v;
    decimal_of(abs, &d);
    bool point = (s->flags & F_ALT) != 0;
    if (s->conv == 'f') {
        round_to(&d, (int64_t)d.exp + precision);
        fixed_text(&t, &d, precision, point);
    } else if (s->conv == 'e') {
        round_to(&d, (int64_t)precision + 1);
        exponent_text(&t, &d, precision, point);
    } else if (s->conv == 'a') {
        hex_text(&t, abs);
    } else {
        if (precision == 0) precision = 1;
        round_to(&d, precision);
        int32_t e = d.exp - 1;
        if (d.d[0] != '0' && (e < -4 || e >= precision))
            exponent_text(&t, &d, precision - 1, false);
        else
            fixed_text(&t, &d, precision - e - 1, false);
    }
    put_number(out, s, neg, (wr_str){buf, t.n});
    return true;
}

/* ---- conversions ----------------------------------------------------------------------------- */

static bool
convert(wr_text *out, const spec *s, const wri_arg *a)
{
    char buf[4];
    switch (s->conv) {
    case 'b':
        return put_string(out, s,
                          a->kind == WRI_ARG_NULL || (a->kind == WRI_ARG_BOOL && !a->i)
                              ? WR_STR("false")
                              : WR_STR("true"));
    case 's':
        if (a->kind == WRI_ARG_NULL) return put_string(out, s, WR_STR("null"));
        if (a->kind == WRI_ARG_BOOL)
            return put_string(out, s, a->i ? WR_STR("true") : WR_STR("false"));
        if (a->kind == WRI_ARG_INT) {
            char num[WR_I64_TEXT_MAX];
            uint32_t n = wr_i64_print(a->i, num);
            return put_string(out, s, (wr_str){num, n});
        }
        return put_string(out, s, a->text);
    default:
        break;
    }
    if (a->kind == WRI_ARG_NULL) {
        spec plain = *s;
        if (s->conv == 'c' || s->conv == 'd' || s->conv == 'o' || s->conv == 'x')
            plain.precision = -1;
        return put_string(out, &plain, WR_STR("null"));
    }
    switch (s->conv) {
    case 'd':
    case 'o':
    case 'x':
        if (a->kind != WRI_ARG_INT) return false;
        put_integer(out, s, a);
        return true;
    case 'c':
        if (a->kind != WRI_ARG_INT || a->bits > 32 || a->i < 0 || a->i > 0x10ffff) return false;
        return put_string(out, s, (wr_str){buf, wr_utf8_put(buf, (uint32_t)a->i)});
    case 'h': {
        uint32_t h = a->kind == WRI_ARG_BOOL ? (a->i ? 1231u : 1237u)
                     : a->kind == WRI_ARG_INT
                         ? (uint32_t)((uint64_t)a->i ^ (a->bits == 64 ? (uint64_t)a->i >> 32 : 0))
                         : (uint32_t)wri_java_hash(a->text);
        char hex[9];
        size_t n = 0;
        do hex[8 - n++] = "0123456789abcdef"[h & 15];
        while ((h >>= 4) > 0);
        return put_string(out, s, (wr_str){hex + 9 - n, n});
    }
    default:
        return a->kind == WRI_ARG_DOUBLE && put_double(out, s, a->d);
    }
}

bool
wri_java_printf(wr_text *out, wr_str format, const wri_arg *args, uint32_t count)
{
    const char *p = format.ptr, *end = format.ptr + format.len;
    int64_t next = 0, last = -1;
    while (p < end) {
        const char *percent = memchr(p, '%', (size_t)(end - p));
        if (!percent) percent = end;
        wr_text_put(out, p, (size_t)(percent - p));
        if (percent == end) break;
        p = percent + 1;
        spec s;
        if (!parse_spec(&p, end, &s) || !check_spec(&s)) return false;
        if (s.conv == 'n') {
            wr_text_putc(out, '\n');
            continue;
        }
        if (s.conv == '%') {
            justify(out, &s, WR_STR("%"));
            continue;
        }
        int64_t i = s.flags & F_PREVIOUS ? last : s.index > 0 ? s.index - 1 : next++;
        if (i < 0 || i >= count) return false;
        last = i;
        if (!convert(out, &s, &args[i])) return false;
    }
    return true;
}
