/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions as folders "key=value", as Hive names them: special characters are %XX. Texts of
 * values are those of Flink, but a DATE is written as 2024-01-02 (Flink writes a number of days
 * that it cannot read again). */
#include "connector/fs_int.h"
#include "vec/cast.h"

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static wr_str
unescape(wr_str s, wr_arena *a)
{
    char *out = wr_arena_alloc(a, s.len + 1);
    size_t n = 0;
    for (size_t i = 0; out && i < s.len; i++) {
        int hi = i + 2 < s.len && s.ptr[i] == '%' ? hex_digit(s.ptr[i + 1]) : -1;
        int lo = hi >= 0 ? hex_digit(s.ptr[i + 2]) : -1;
        if (lo >= 0) i += 2;
        out[n++] = lo >= 0 ? (char)(hi << 4 | lo) : s.ptr[i];
    }
    return (wr_str){out, n};
}

wr_status
wri_partition_split(wr_ctx *ctx, wr_str folder, wr_arena *a, wr_str *key, wr_str *value)
{
    const char *eq = folder.len ? memchr(folder.ptr, '=', folder.len) : NULL;
    const size_t n = eq ? (size_t)(eq - folder.ptr) : folder.len;
    *key = unescape((wr_str){folder.ptr, n}, a);
    *value = eq ? unescape((wr_str){eq + 1, folder.len - n - 1}, a) : WR_STR("");
    return key->ptr && value->ptr ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wri_partition_of(wr_ctx *ctx, wr_str path, wr_str root, wr_str key, wr_arena *a, wr_str *out)
{
    size_t from = path.len >= root.len && memcmp(path.ptr, root.ptr, root.len) == 0 ? root.len : 0;
    wr_str name = wri_fs_name(path);
    size_t end = path.len - name.len;
    *out = (wr_str){NULL, 0};
    while (from < end) {
        const char *slash = memchr(path.ptr + from, '/', end - from);
        size_t n = slash ? (size_t)(slash - path.ptr) - from : end - from;
        wr_str part = {path.ptr + from, n};
        const char *eq = n ? memchr(part.ptr, '=', n) : NULL;
        if (eq) {
            wr_str k = unescape((wr_str){part.ptr, (size_t)(eq - part.ptr)}, a);
            WR_TRY_ALLOC(ctx, k.ptr);
            if (wr_str_eq(k, key)) {
                *out = unescape((wr_str){eq + 1, (size_t)(part.ptr + n - eq - 1)}, a);
                WR_TRY_ALLOC(ctx, out->ptr);
                return WR_OK;
            }
        }
        from += n + 1;
    }
    return WR_OK;
}

/* "2024-01-02T10:00" as CAST reads timestamps: a blank, and seconds. */
static wr_str
cast_text(wr_str text, const wr_type *t, wr_arena *a)
{
    bool ts = t->id == WR_T_TIMESTAMP || t->id == WR_T_TIMESTAMP_LTZ;
    if (!ts || text.len < 16 || text.ptr[10] != 'T') return text;
    bool z = text.ptr[text.len - 1] == 'Z';
    return wr_arena_printf(a, "%.*s %.*s%s", 10, text.ptr, (int)(text.len - 11 - z), text.ptr + 11,
                           text.len - z == 16 ? ":00" : "");
}

wr_status
wri_partition_value(wr_ctx *ctx, wr_str text, wr_str default_name, const wr_type *t, wr_arena *a,
                    wr_vec *out)
{
    wr_value null = wr_value_null(t);
    if (!text.ptr || wr_str_eq(text, default_name)) {
        if (!wr_vec_init_const(out, &null, a)) return wr_raise(ctx, WR_NOMEM, "out of memory");
        return WR_OK;
    }
    wr_str in = cast_text(text, t, a);
    WR_TRY_ALLOC(ctx, in.ptr);
    wr_value v = wr_value_str(wr_type_string(false), in);
    wr_vec from;
    wr_cast_env env = {0};
    wr_row_errs errs = {0};
    if (!wr_vec_init_const(&from, &v, a) || !wr_vec_init_flat(out, t, 1, a))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    from.form = WR_FORM_FLAT;
    WR_TRY(wr_cast_vec(ctx, &env, &from, t, NULL, 1, false, out, a, &errs));
    if (errs.any)
        return wr_raise(ctx, WR_DATA, "partition value '%.*s': %s", WR_STR_ARG(text),
                        errs.first_message);
    out->form = WR_FORM_CONST;
    return WR_OK;
}

/* Hive's FileUtils: control characters and these are escaped. */
static bool
must_escape(unsigned char c)
{
    return c < 0x20 || c == 0x7f || strchr("\"#%'*/:=?\\{[]^", c) != NULL;
}

static void
put_escaped(wr_text *out, wr_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (must_escape(c))
            wr_text_printf(out, "%%%02X", c);
        else
            wr_text_putc(out, (char)c);
    }
}

wr_status
wri_partition_name(wr_ctx *ctx, wr_str key, const wr_vec *v, uint32_t row, wr_str default_name,
                   wr_text *out)
{
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_text text;
    wr_text_init(&text, a);
    if (!wr_vec_is_null(v, row)) wr_value_print_java(v, row, NULL, &text);
    wr_str s = wr_text_str(&text);
    put_escaped(out, key);
    wr_text_putc(out, '=');
    put_escaped(out, s.len ? s : default_name);
    out->failed |= text.failed;
    wr_arena_destroy(a);
    return out->failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}
