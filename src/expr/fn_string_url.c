/* SPDX-License-Identifier: Apache-2.0 */
/* URL_ENCODE, URL_DECODE (java.net.URLEncoder, URLDecoder with UTF-8) and PARSE_URL, which takes a
 * URL apart as java.net.URL does: known protocols only, lenient with everything else. */
#include "expr/fn_int.h"
#include "expr/str_int.h"

/* ---- form encoding --------------------------------------------------------------------------- */

static bool
is_plain(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '*' || c == '_';
}

wr_status
wri_k_url_encode(wr_fn_call *call)
{
    static const char hex[] = "0123456789ABCDEF";
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        if (v.len > UINT32_MAX / 4) {
            wr_row_err(call->errs, row, WR_LIMIT, "the argument of URL_ENCODE is too long");
            continue;
        }
        char *p = wri_room(call, 3 * v.len);
        if (!p) return call->ctx->err.status;
        size_t n = 0;
        for (size_t i = 0; i < v.len; i++) {
            unsigned char c = (unsigned char)v.ptr[i];
            if (is_plain(c) || c == ' ') {
                p[n++] = c == ' ' ? '+' : (char)c;
                continue;
            }
            p[n++] = '%';
            p[n++] = hex[c >> 4];
            p[n++] = hex[c & 15];
        }
        wri_put_ref(call, row, p, n);
    }
    return WR_OK;
}

static int
hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* false: malformed */
static bool
url_decode(wr_str v, char *out, size_t *len)
{
    size_t n = 0;
    for (size_t i = 0; i < v.len; i++) {
        char c = v.ptr[i];
        if (c == '+') {
            c = ' ';
        } else if (c == '%') {
            int hi = i + 1 < v.len ? hex_value(v.ptr[i + 1]) : -1;
            int lo = i + 2 < v.len ? hex_value(v.ptr[i + 2]) : -1;
            if (hi < 0 || lo < 0) return false;
            c = (char)(hi << 4 | lo);
            i += 2;
        }
        out[n++] = c;
    }
    *len = n;
    return true;
}

wr_status
wri_k_url_decode(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        size_t n = 0;
        char *p = wri_room(call, v.len);
        if (!p) return call->ctx->err.status;
        if (!url_decode(v, p, &n)) {
            wri_null(call, row);
            continue;
        }
        if (!wr_utf8_valid(p, n)) {
            char *text = wri_room(call, 3 * n);
            if (!text) return call->ctx->err.status;
            n = wri_utf8_repair(text, p, n);
            p = text;
        }
        wri_put_ref(call, row, p, n);
    }
    return WR_OK;
}

/* ---- PARSE_URL ------------------------------------------------------------------------------- */

typedef struct url { /* ptr NULL = absent */
    wr_str protocol, authority, user_info, host, path, query, ref;
} url;

static wr_str
cut(const char *from, const char *to)
{
    return (wr_str){from, (size_t)(to - from)};
}

static const char *
scan(const char *p, const char *end, char c)
{
    const char *hit = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
    return hit ? hit : end;
}

static bool
known_protocol(wr_str s)
{
    static const char *const known[] = {"http", "https", "ftp", "file", "jar", "mailto", "jrt"};
    for (uint32_t i = 0; i < WR_COUNT(known); i++)
        if (wr_str_eq_nocase(s, wr_str_c(known[i]))) return true;
    return false;
}

static bool
port_ok(wr_str s) /* Integer.parseInt, and not below -1 */
{
    size_t i = 0;
    if (s.len == 0) return true;
    if (s.ptr[0] == '-') return s.len == 2 && (s.ptr[1] == '1' || s.ptr[1] == '0');
    if (s.ptr[0] == '+') i = 1;
    uint64_t v = 0;
    if (i == s.len) return false;
    for (; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9') return false;
        v = v * 10 + (uint64_t)(s.ptr[i] - '0');
        if (v > INT32_MAX) return false;
    }
    return true;
}

/* user@host:port */
static bool
parse_authority(url *u, wr_str a)
{
    const char *end = a.ptr + a.len, *at = scan(a.ptr, end, '@');
    u->authority = a;
    u->host = a;
    if (at < end) {
        if (scan(at + 1, end, '@') < end) {
            u->host = WR_STR("");
            return true;
        }
        u->user_info = cut(a.ptr, at);
        u->host = cut(at + 1, end);
    }
    wr_str h = u->host;
    if (h.len > 0 && h.ptr[0] == '[') {
        const char *close = scan(h.ptr, end, ']');
        if (close == end || close - h.ptr < 3) return false;
        u->host = cut(h.ptr, close + 1);
        if (close + 1 == end) return true;
        return close[1] == ':' && port_ok(cut(close + 2, end));
    }
    const char *colon = scan(h.ptr, end, ':');
    u->host = cut(h.ptr, colon);
    return colon == end || port_ok(cut(colon + 1, end));
}

static bool
parse_url(wr_str s, url *u)
{
    memset(u, 0, sizeof *u);
    const char *p = s.ptr, *end = s.ptr + s.len;
    while (p < end && (unsigned char)end[-1] <= ' ') end--;
    while (p < end && (unsigned char)*p <= ' ') p++;
    if (end - p >= 4 && wr_str_eq_nocase((wr_str){p, 4}, WR_STR("url:"))) p += 4;
    const char *colon = scan(p, end, ':');
    if (colon == end || scan(p, colon, '/') < colon) return false;
    u->protocol = cut(p, colon);
    if (!known_protocol(u->protocol)) return false;
    p = colon + 1;
    const char *hash = scan(p, end, '#');
    if (hash < end) u->ref = cut(hash + 1, end);
    end = hash;
    const char *question = scan(p, end, '?');
    if (question < end) u->query = cut(question + 1, end);
    end = question;
    u->host = WR_STR("");
    if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
        p += 2;
        const char *slash = scan(p, end, '/');
        if (!parse_authority(u, cut(p, slash))) return false;
        p = slash;
    }
    u->path = cut(p, end);
    if (wr_str_eq_nocase(u->protocol, WR_STR("jar")) &&
        wri_find(u->path, WR_STR("!/"), 0) == SIZE_MAX)
        return false;
    return true;
}

static void
drop(char *s, size_t *n, size_t at, size_t count)
{
    memmove(s + at, s + at + count, *n - at - count);
    *n -= count;
}

/* "/./" and "/../" leave the path. */
static size_t
normalise(char *s, size_t n)
{
    for (;;) {
        size_t at = wri_find((wr_str){s, n}, WR_STR("/./"), 0);
        if (at == SIZE_MAX) break;
        drop(s, &n, at, 2);
    }
    for (size_t from = 0;;) {
        size_t at = wri_find((wr_str){s, n}, WR_STR("/../"), from);
        if (at == SIZE_MAX) break;
        size_t up = at > 0 ? wri_rfind((wr_str){s, n}, WR_STR("/"), at) : SIZE_MAX;
        if (up == SIZE_MAX || (n - up >= 4 && memcmp(s + up, "/../", 4) == 0)) {
            from = at + 3;
            continue;
        }
        drop(s, &n, up, at + 3 - up);
        from = 0;
    }
    while (n >= 3 && memcmp(s + n - 3, "/..", 3) == 0) {
        size_t up = n > 3 ? wri_rfind((wr_str){s, n}, WR_STR("/"), n - 3) : SIZE_MAX;
        if (up == SIZE_MAX) break;
        n = up + 1;
    }
    if (n > 2 && memcmp(s, "./", 2) == 0) drop(s, &n, 0, 2);
    if (n >= 2 && memcmp(s + n - 2, "/.", 2) == 0) n--;
    return n;
}

/* The value of `key` in k1=v1&k2=v2 */
static bool
query_value(wr_str query, wr_str key, wr_str *out)
{
    const char *p = query.ptr, *end = query.ptr + query.len;
    while (p <= end) {
        const char *amp = scan(p, end, '&');
        size_t n = (size_t)(amp - p);
        if (n > key.len && p[key.len] == '=' &&
            (key.len == 0 || memcmp(p, key.ptr, key.len) == 0)) {
            *out = cut(p + key.len + 1, amp);
            return true;
        }
        p = amp + 1;
    }
    return false;
}

/* One part as text; false: NULL. */
static bool
url_part(wr_fn_call *call, const url *u, wr_str part, wr_str *out, bool *nomem)
{
    if (wr_str_eq_c(part, "HOST"))
        *out = u->host;
    else if (wr_str_eq_c(part, "QUERY"))
        *out = u->query;
    else if (wr_str_eq_c(part, "REF"))
        *out = u->ref;
    else if (wr_str_eq_c(part, "AUTHORITY"))
        *out = u->authority;
    else if (wr_str_eq_c(part, "USERINFO"))
        *out = u->user_info;
    else if (wr_str_eq_c(part, "PROTOCOL") || wr_str_eq_c(part, "PATH") ||
             wr_str_eq_c(part, "FILE")) {
        bool protocol = part.ptr[1] == 'R', file = part.ptr[0] == 'F' && u->query.ptr;
        wr_str from = protocol ? u->protocol : u->path;
        char *p = wri_room(call, from.len + u->query.len + 1);
        *nomem = p == NULL;
        if (!p) return false;
        if (from.len) memcpy(p, from.ptr, from.len);
        size_t n = from.len;
        if (protocol)
            n = wri_str_lower(p, from.ptr, from.len);
        else
            n = normalise(p, n);
        if (file) {
            p[n++] = '?';
            if (u->query.len) memcpy(p + n, u->query.ptr, u->query.len);
            n += u->query.len;
        }
        *out = (wr_str){p, n};
    } else {
        return false;
    }
    return out->ptr != NULL;
}

wr_status
wri_k_parse_url(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), p = wri_view(call, 1), k = {0};
    bool has_key = call->arg_count > 2;
    if (has_key) k = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        url u;
        wr_str part = wr_view_str(&p, row), out = {NULL, 0};
        bool nomem = false;
        bool ok = parse_url(wr_view_str(&s, row), &u) && url_part(call, &u, part, &out, &nomem);
        if (nomem) return WR_NOMEM;
        if (ok && has_key)
            ok = wr_str_eq_c(part, "QUERY") && query_value(out, wr_view_str(&k, row), &out);
        if (ok)
            wri_put_ref(call, row, out.ptr, out.len);
        else
            wri_null(call, row);
    }
    return WR_OK;
}
