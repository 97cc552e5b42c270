/* SPDX-License-Identifier: Apache-2.0 */
/* ENCODE, DECODE, base64. Character sets are those of Flink's documentation and their aliases in
 * Java, besides UTF-32 and windows-1252; what a set lacks becomes '?', malformed bytes U+FFFD. */
#include "expr/fn_int.h"
#include "expr/str_int.h"

typedef enum charset {
    CS_UTF8,
    CS_ASCII,
    CS_LATIN1,
    CS_UTF16, /* written with a byte order mark, big-endian */
    CS_UTF16BE,
    CS_UTF16LE,
    CS_UTF32,
    CS_UTF32BE,
    CS_UTF32LE,
    CS_CP1252,
    CS_NONE
} charset;

typedef struct charset_name {
    const char *name;
    charset cs;
} charset_name;

static const charset_name names[] = {
    {"UTF-8", CS_UTF8},
    {"UTF8", CS_UTF8},
    {"unicode-1-1-utf-8", CS_UTF8},
    {"US-ASCII", CS_ASCII},
    {"ASCII", CS_ASCII},
    {"ISO646-US", CS_ASCII},
    {"cp367", CS_ASCII},
    {"ascii7", CS_ASCII},
    {"646", CS_ASCII},
    {"us", CS_ASCII},
    {"ISO-8859-1", CS_LATIN1},
    {"ISO8859-1", CS_LATIN1},
    {"ISO8859_1", CS_LATIN1},
    {"ISO_8859-1", CS_LATIN1},
    {"8859_1", CS_LATIN1},
    {"latin1", CS_LATIN1},
    {"l1", CS_LATIN1},
    {"cp819", CS_LATIN1},
    {"IBM819", CS_LATIN1},
    {"UTF-16", CS_UTF16},
    {"UTF_16", CS_UTF16},
    {"UTF16", CS_UTF16},
    {"unicode", CS_UTF16},
    {"UnicodeBig", CS_UTF16},
    {"UTF-16BE", CS_UTF16BE},
    {"UTF_16BE", CS_UTF16BE},
    {"X-UTF-16BE", CS_UTF16BE},
    {"UnicodeBigUnmarked", CS_UTF16BE},
    {"UTF-16LE", CS_UTF16LE},
    {"UTF_16LE", CS_UTF16LE},
    {"X-UTF-16LE", CS_UTF16LE},
    {"UnicodeLittleUnmarked", CS_UTF16LE},
    {"UTF-32", CS_UTF32},
    {"UTF_32", CS_UTF32},
    {"UTF32", CS_UTF32},
    {"ISO-10646-UCS-4", CS_UTF32},
    {"UTF-32BE", CS_UTF32BE},
    {"UTF_32BE", CS_UTF32BE},
    {"X-UTF-32BE", CS_UTF32BE},
    {"UTF-32LE", CS_UTF32LE},
    {"UTF_32LE", CS_UTF32LE},
    {"X-UTF-32LE", CS_UTF32LE},
    {"windows-1252", CS_CP1252},
    {"cp1252", CS_CP1252},
};

/* windows-1252, bytes 0x80 to 0x9f; 0 = undefined */
static const uint16_t cp1252_high[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

static charset
charset_find(wr_str name)
{
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (wr_str_eq_nocase(name, wr_str_c(names[i].name))) return names[i].cs;
    return CS_NONE;
}

/* ---- encoding -------------------------------------------------------------------------------- */

static size_t
put16(char *o, uint32_t unit, bool little)
{
    o[little ? 1 : 0] = (char)(unit >> 8);
    o[little ? 0 : 1] = (char)unit;
    return 2;
}

static size_t
put_utf16(char *o, uint32_t cp, bool little)
{
    if (cp < 0x10000) return put16(o, cp, little);
    cp -= 0x10000;
    (void)put16(o, 0xd800 + (cp >> 10), little);
    (void)put16(o + 2, 0xdc00 + (cp & 0x3ff), little);
    return 4;
}

static size_t
put_utf32(char *o, uint32_t cp, bool little)
{
    for (int i = 0; i < 4; i++) o[i] = (char)(cp >> (little ? 8 * i : 24 - 8 * i));
    return 4;
}

static char
to_cp1252(uint32_t cp)
{
    if (cp < 0x80 || (cp >= 0xa0 && cp <= 0xff)) return (char)cp;
    for (int i = 0; i < 32; i++)
        if (cp1252_high[i] == cp) return (char)(0x80 + i);
    return '?';
}

/* out has room for 4 * len + 4 */
static size_t
encode(charset cs, wr_str s, char *out)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    char *o = out;
    if (cs == CS_UTF8) {
        if (s.len) memcpy(out, s.ptr, s.len);
        return s.len;
    }
    if (cs == CS_UTF16 && s.len > 0) o += put16(o, 0xfeff, false);
    while (p < end) {
        uint32_t cp = wr_utf8_next(&p, end);
        switch (cs) {
        case CS_ASCII:
            *o++ = cp < 0x80 ? (char)cp : '?';
            break;
        case CS_LATIN1:
            *o++ = cp < 0x100 ? (char)cp : '?';
            break;
        case CS_CP1252:
            *o++ = to_cp1252(cp);
            break;
        case CS_UTF16:
        case CS_UTF16BE:
        case CS_UTF16LE:
            o += put_utf16(o, cp, cs == CS_UTF16LE);
            break;
        case CS_UTF32:
        case CS_UTF32BE:
        case CS_UTF32LE:
            o += put_utf32(o, cp, cs == CS_UTF32LE);
            break;
        case CS_UTF8:
        case CS_NONE:
            WR_UNREACHABLE();
        }
    }
    return (size_t)(o - out);
}

static void
unknown_charset(wr_fn_call *call, uint32_t row, wr_str name)
{
    wr_row_err(call->errs, row, WR_DATA,
               "%.*s: unsupported character set (US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE, "
               "UTF-16LE, UTF-32, windows-1252 are known)",
               WR_STR_ARG(name));
    wri_null(call, row);
}

wr_status
wri_k_encode(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), c = wri_view(call, 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row), name = wr_view_str(&c, row);
        charset cs = charset_find(name);
        if (cs == CS_NONE) {
            unknown_charset(call, row, name);
            continue;
        }
        if (v.len > UINT32_MAX / 8) {
            wr_row_err(call->errs, row, WR_LIMIT, "the argument of ENCODE is too long");
            continue;
        }
        char *p = wri_room(call, 4 * v.len + 4);
        if (!p) return call->ctx->err.status;
        wri_put_ref(call, row, p, encode(cs, v, p));
    }
    return WR_OK;
}

/* ---- decoding -------------------------------------------------------------------------------- */

static uint32_t
unit16(const unsigned char *p, bool little)
{
    return little ? (uint32_t)p[1] << 8 | p[0] : (uint32_t)p[0] << 8 | p[1];
}

static size_t
decode_utf16(charset cs, const unsigned char *p, size_t len, char *out)
{
    bool little = cs == CS_UTF16LE;
    size_t i = 0;
    char *o = out;
    if (cs == CS_UTF16 && len >= 2 && (unit16(p, false) == 0xfeff || unit16(p, false) == 0xfffe)) {
        little = unit16(p, false) == 0xfffe;
        i = 2;
    }
    while (i < len) {
        if (len - i < 2) {
            o += wr_utf8_put(o, 0xfffd);
            break;
        }
        uint32_t u = unit16(p + i, little);
        i += 2;
        if (u >= 0xd800 && u < 0xdc00) {
            uint32_t low = len - i >= 2 ? unit16(p + i, little) : 0;
            i = len - i >= 2 ? i + 2 : len;
            u = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00)
                                              : 0xfffd;
        } else if (u >= 0xdc00 && u < 0xe000) {
            u = 0xfffd;
        }
        o += wr_utf8_put(o, u);
    }
    return (size_t)(o - out);
}

static uint32_t
unit32(const unsigned char *p, bool little)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) v = v << 8 | p[little ? 3 - i : i];
    return v;
}

static size_t
decode_utf32(charset cs, const unsigned char *p, size_t len, char *out)
{
    bool little = cs == CS_UTF32LE;
    size_t i = 0;
    char *o = out;
    if (cs == CS_UTF32 && len >= 4 && (unit32(p, false) == 0xfeff || unit32(p, true) == 0xfeff)) {
        little = unit32(p, true) == 0xfeff;
        i = 4;
    }
    for (; i < len; i += 4) {
        uint32_t cp = len - i >= 4 ? unit32(p + i, little) : 0xfffd;
        if (cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000)) cp = 0xfffd;
        o += wr_utf8_put(o, cp);
    }
    return (size_t)(o - out);
}

/* out has room for 3 * len + 4 */
static size_t
decode(charset cs, wr_str s, char *out)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    char *o = out;
    switch (cs) {
    case CS_UTF8:
        return wri_utf8_repair(out, s.ptr, s.len);
    case CS_UTF16:
    case CS_UTF16BE:
    case CS_UTF16LE:
        return decode_utf16(cs, p, s.len, out);
    case CS_UTF32:
    case CS_UTF32BE:
    case CS_UTF32LE:
        return decode_utf32(cs, p, s.len, out);
    case CS_ASCII:
    case CS_LATIN1:
    case CS_CP1252:
    case CS_NONE:
        break;
    }
    for (size_t i = 0; i < s.len; i++) {
        uint32_t cp = p[i];
        if (cs == CS_ASCII && cp >= 0x80) cp = 0xfffd;
        if (cs == CS_CP1252 && cp >= 0x80 && cp < 0xa0) {
            cp = cp1252_high[cp - 0x80];
            if (cp == 0) cp = 0xfffd;
        }
        o += wr_utf8_put(o, cp);
    }
    return (size_t)(o - out);
}

wr_status
wri_k_decode(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), c = wri_view(call, 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row), name = wr_view_str(&c, row);
        charset cs = charset_find(name);
        if (cs == CS_NONE) {
            unknown_charset(call, row, name);
            continue;
        }
        if (v.len > UINT32_MAX / 8) {
            wr_row_err(call->errs, row, WR_LIMIT, "the argument of DECODE is too long");
            continue;
        }
        char *p = wri_room(call, 3 * v.len + 4);
        if (!p) return call->ctx->err.status;
        wri_put_ref(call, row, p, decode(cs, v, p));
    }
    return WR_OK;
}

/* ---- base64 (java.util.Base64's basic alphabet) ---------------------------------------------- */

size_t
wri_base64_encode(char *out, const char *data, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)data;
    char *o = out;
    for (size_t i = 0; i < len; i += 3) {
        size_t left = len - i;
        uint32_t v = (uint32_t)p[i] << 16;
        if (left > 1) v |= (uint32_t)p[i + 1] << 8;
        if (left > 2) v |= p[i + 2];
        *o++ = digits[v >> 18];
        *o++ = digits[v >> 12 & 63];
        *o++ = left > 1 ? digits[v >> 6 & 63] : '=';
        *o++ = left > 2 ? digits[v & 63] : '=';
    }
    return (size_t)(o - out);
}

static int
base64_digit(unsigned char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}

/* Bytes written, or SIZE_MAX with a row error. */
static size_t
base64_decode(wr_fn_call *call, uint32_t row, wr_str s, char *out)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    size_t i = 0, n = 0;
    uint32_t bits = 0, count = 0;
    if (s.len == 1) {
        wr_row_err(call->errs, row, WR_DATA,
                   "Input byte[] should at least have 2 bytes for base64 bytes");
        return SIZE_MAX;
    }
    for (; i < s.len && p[i] != '='; i++) {
        int d = base64_digit(p[i]);
        if (d < 0) {
            wr_row_err(call->errs, row, WR_DATA, "Illegal base64 character %x", p[i]);
            return SIZE_MAX;
        }
        bits = bits << 6 | (uint32_t)d;
        if (++count == 4) {
            out[n++] = (char)(bits >> 16);
            out[n++] = (char)(bits >> 8);
            out[n++] = (char)bits;
            bits = count = 0;
        }
    }
    if (i < s.len) { /* "=" after 3 digits, "==" after 2 */
        bool ok = (count == 3) || (count == 2 && i + 1 < s.len && p[i + 1] == '=');
        if (!ok) {
            wr_row_err(call->errs, row, WR_DATA, "Input byte array has wrong 4-byte ending unit");
            return SIZE_MAX;
        }
        i += count == 3 ? 1 : 2;
        if (i < s.len) {
            wr_row_err(call->errs, row, WR_DATA,
                       "Input byte array has incorrect ending byte at %zu", i);
            return SIZE_MAX;
        }
    }
    if (count == 1) {
        wr_row_err(call->errs, row, WR_DATA, "Last unit does not have enough valid bits");
        return SIZE_MAX;
    }
    if (count == 2) out[n++] = (char)(bits >> 4);
    if (count == 3) {
        out[n++] = (char)(bits >> 10);
        out[n++] = (char)(bits >> 2);
    }
    return n;
}

wr_status
wri_k_from_base64(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        char *raw = wri_room(call, v.len + 4);
        if (!raw) return call->ctx->err.status;
        size_t n = base64_decode(call, row, v, raw);
        if (n == SIZE_MAX) {
            wri_null(call, row);
            continue;
        }
        if (!wr_utf8_valid(raw, n)) {
            char *text = wri_room(call, 3 * n);
            if (!text) return call->ctx->err.status;
            n = wri_utf8_repair(text, raw, n);
            raw = text;
        }
        wri_put_ref(call, row, raw, n);
    }
    return WR_OK;
}

wr_status
wri_k_to_base64(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        char *p = wri_room(call, (v.len + 2) / 3 * 4);
        if (!p) return call->ctx->err.status;
        wri_put_ref(call, row, p, wri_base64_encode(p, v.ptr, v.len));
    }
    return WR_OK;
}
