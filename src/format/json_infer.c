/* SPDX-License-Identifier: Apache-2.0 */
/* Small readings of JSON text outside the data path: a member of an object, a string's content, and
 * the columns of a sample (files as tables). */
#include "format/json_int.h"
#include "types/number.h"

/* A padded copy of `text` to read in; the decoder's loop wants room behind the end. */
static wr_status
open_text(wr_ctx *ctx, wr_str text, wr_arena *a, wri_json *j, const char **p)
{
    char *copy = wr_arena_alloc(a, text.len + WRI_JSON_PAD);
    WR_TRY_ALLOC(ctx, copy);
    if (text.len) memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, WRI_JSON_PAD);
    memset(j, 0, sizeof *j);
    j->end = copy + text.len;
    j->scratch = a;
    *p = copy;
    return WR_OK;
}

static const char *
skip_blanks(const wri_json *j, const char *p)
{
    while (p < j->end && (unsigned char)*p <= ' ') p++;
    return p;
}

wr_status
wr_json_valid(wr_ctx *ctx, wr_str text, bool *valid)
{
    wri_json j;
    wr_ctx why;
    const char *p;
    wr_ctx_init(&why);
    *valid = false;
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    const wr_status status = open_text(&why, text, a, &j, &p);
    if (status == WR_OK) {
        p = wri_json_fns_v1.skip(&j, p);
        *valid = p && p <= j.end && skip_blanks(&j, p) == j.end;
    }
    wr_arena_destroy(a);
    return status == WR_NOMEM ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}

typedef struct member { /* one "key": value of an object, as written */
    wr_str key, value;
} member;

/* The next member from `p` (behind '{' or ','); NULL at the end of the object or when broken. */
static const char *
next_member(wri_json *j, const char *p, member *m)
{
    const wri_json_fns *f = &wri_json_fns_v1;
    p = skip_blanks(j, p);
    if (p >= j->end || *p != '"') return NULL;
    const char *q = f->skip(j, p);
    if (!q) return NULL;
    m->key = (wr_str){p + 1, (size_t)(q - p) - 2};
    p = skip_blanks(j, q);
    if (p >= j->end || *p != ':') return NULL;
    p = skip_blanks(j, p + 1);
    q = f->skip(j, p);
    if (!q || q > j->end) return NULL;
    m->value = (wr_str){p, (size_t)(q - p)};
    return q;
}

wr_status
wr_json_member(wr_ctx *ctx, wr_str text, const char *key, wr_str *raw, bool *found)
{
    wri_json j;
    const char *p;
    *found = false;
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_status status = open_text(ctx, text, a, &j, &p);
    if (status != WR_OK) {
        wr_arena_destroy(a);
        return status;
    }
    const char *base = p;
    p = skip_blanks(&j, p);
    bool object = p < j.end && *p == '{';
    member m;
    for (p = object ? next_member(&j, p + 1, &m) : NULL; p;) {
        if (wr_str_eq_c(m.key, key)) {
            *raw = (wr_str){text.ptr + (m.value.ptr - base), m.value.len};
            *found = true;
        }
        p = skip_blanks(&j, p);
        p = *p == ',' ? next_member(&j, p + 1, &m) : NULL;
    }
    wr_arena_destroy(a);
    return WR_OK;
}

wr_status
wr_json_unquote(wr_ctx *ctx, wr_str raw, wr_arena *a, wr_str *out)
{
    *out = raw;
    if (raw.len < 2 || raw.ptr[0] != '"' || raw.ptr[raw.len - 1] != '"') return WR_OK;
    char *copy = wr_arena_alloc(a, raw.len + 16);
    WR_TRY_ALLOC(ctx, copy);
    if (!wri_format_unescape(raw.ptr + 1, raw.ptr + raw.len - 1, copy, &out->len))
        return wr_raise(ctx, WR_DATA, "Unrecognized character escape in JSON string %.*s",
                        WR_STR_ARG(raw));
    out->ptr = copy;
    return WR_OK;
}

/* ---- columns of a sample --------------------------------------------------------------------- */

typedef enum guess_kind {
    G_NULL,
    G_BOOL,
    G_LONG,
    G_DOUBLE,
    G_TIMESTAMP,
    G_DATE,
    G_STRING,
    G_ARRAY,
    G_OBJECT
} guess_kind;

typedef struct guess guess;
struct guess {
    guess_kind kind;
    bool mixed;  /* kinds that do not go together: STRING */
    guess *kids; /* OBJECT: fields in order of first sight; ARRAY: one element */
    uint32_t count, cap;
    wr_str name;
};

/* One more than a table may have columns: the object is taken for mixed. */
static guess *
add_kid(guess *g, wr_str name, wr_arena *a)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (wr_str_eq(g->kids[i].name, name)) return &g->kids[i];
    if (g->count == g->cap && !wr_list_grow_(a, (void **)&g->kids, &g->cap, sizeof *g->kids))
        return NULL;
    guess *k = &g->kids[g->count++];
    memset(k, 0, sizeof *k);
    k->name = wr_arena_str(a, name);
    g->mixed |= g->count > WR_COLUMNS_MAX;
    return k->name.ptr || name.len == 0 ? k : NULL;
}

static guess_kind
string_kind(wr_str s)
{
    wri_local_time t;
    int64_t days;
    const char *p = s.ptr;
    if (wri_parse_timestamp(s, ' ', true, false, &t)) return G_TIMESTAMP;
    if (wri_scan_iso_date(&p, s.ptr + s.len, &days) && p == s.ptr + s.len) return G_DATE;
    return G_STRING;
}

static void
merge_kind(guess *g, guess_kind k)
{
    if (k == G_NULL || g->kind == k) return;
    bool numbers = (g->kind == G_LONG && k == G_DOUBLE) || (g->kind == G_DOUBLE && k == G_LONG);
    if (g->kind == G_NULL)
        g->kind = k;
    else if (numbers)
        g->kind = G_DOUBLE;
    else
        g->mixed = true;
}

static bool look_at(wri_json *j, wr_str raw, guess *g, wr_arena *a, uint32_t depth);

static bool
look_at_object(wri_json *j, wr_str raw, guess *g, wr_arena *a, uint32_t depth)
{
    member m;
    const char *p = next_member(j, raw.ptr + 1, &m);
    while (p && !g->mixed) {
        wr_str name = m.key;
        char *copy = wr_arena_alloc(a, name.len + 16);
        if (!copy) return false;
        if (wri_format_unescape(m.key.ptr, m.key.ptr + m.key.len, copy, &name.len)) name.ptr = copy;
        guess *kid = add_kid(g, name, a);
        if (!kid || !look_at(j, m.value, kid, a, depth + 1)) return false;
        p = skip_blanks(j, p);
        p = p < j->end && *p == ',' ? next_member(j, p + 1, &m) : NULL;
    }
    return true;
}

static bool
look_at_array(wri_json *j, wr_str raw, guess *g, wr_arena *a, uint32_t depth)
{
    guess *kid = add_kid(g, WR_STR("element"), a);
    const char *p = skip_blanks(j, raw.ptr + 1);
    if (!kid) return false;
    while (p < raw.ptr + raw.len && *p != ']') {
        p = skip_blanks(j, p);
        const char *q = wri_json_fns_v1.skip(j, p);
        if (!q) return true;
        if (!look_at(j, (wr_str){p, (size_t)(q - p)}, kid, a, depth + 1)) return false;
        p = skip_blanks(j, q);
        if (*p == ',') p++;
    }
    return true;
}

static bool
look_at(wri_json *j, wr_str raw, guess *g, wr_arena *a, uint32_t depth)
{
    guess_kind k = G_STRING;
    switch (raw.len ? raw.ptr[0] : '\0') {
    case 'n':
        k = G_NULL;
        break;
    case 't':
    case 'f':
        k = G_BOOL;
        break;
    case '"':
        k = string_kind((wr_str){raw.ptr + 1, raw.len - 2});
        break;
    case '{':
        k = depth < 32 ? G_OBJECT : G_STRING;
        break;
    case '[':
        k = depth < 32 ? G_ARRAY : G_STRING;
        break;
    default: {
        int64_t i;
        k = wr_i64_parse(raw.ptr, raw.len, &i) ? G_LONG : G_DOUBLE;
        break;
    }
    }
    merge_kind(g, k);
    if (g->mixed || k != g->kind) return true;
    if (k == G_OBJECT) return look_at_object(j, raw, g, a, depth);
    if (k == G_ARRAY) return look_at_array(j, raw, g, a, depth);
    return true;
}

static const wr_type *
type_of_guess(const guess *g, wr_arena *a)
{
    if (g->mixed) return wr_type_string(true);
    switch (g->kind) {
    case G_BOOL:
        return wr_type_of(WR_T_BOOLEAN, true);
    case G_LONG:
        return wr_type_of(WR_T_BIGINT, true);
    case G_DOUBLE:
        return wr_type_of(WR_T_DOUBLE, true);
    case G_TIMESTAMP:
        return wr_type_time(a, WR_T_TIMESTAMP, 3, true);
    case G_DATE:
        return wr_type_of(WR_T_DATE, true);
    case G_ARRAY: {
        const wr_type *elem = g->count ? type_of_guess(&g->kids[0], a) : wr_type_string(true);
        return elem ? wr_type_array(a, elem, true) : NULL;
    }
    case G_OBJECT: {
        if (g->count == 0) return wr_type_string(true);
        wr_field *fields = WR_NEW_N(a, wr_field, g->count);
        for (uint32_t i = 0; fields && i < g->count; i++) {
            fields[i] = (wr_field){g->kids[i].name, type_of_guess(&g->kids[i], a), WR_STR("")};
            if (!fields[i].type) return NULL;
        }
        return fields ? wr_type_row(a, fields, g->count, true) : NULL;
    }
    case G_NULL:
    case G_STRING:
        break;
    }
    return wr_type_string(true);
}

static bool
look_at_line(wr_str line, guess *root, wr_ctx *ctx, wr_arena *a)
{
    wri_json j;
    const char *p;
    if (open_text(ctx, line, a, &j, &p) != WR_OK) return false;
    p = skip_blanks(&j, p);
    if (p < j.end && *p == '[') p = skip_blanks(&j, p + 1); /* an array of rows */
    while (p < j.end && *p == '{') {
        const char *q = wri_json_fns_v1.skip(&j, p);
        if (!q || q > j.end) return true; /* reading will tell */
        if (!look_at_object(&j, (wr_str){p, (size_t)(q - p)}, root, a, 0)) return false;
        p = skip_blanks(&j, q);
        if (p < j.end && *p == ',')
            p = skip_blanks(&j, p + 1);
        else
            break;
    }
    return true;
}

static wr_status
nothing_to_learn(wr_ctx *ctx, wr_str sample)
{
    if (sample.len > 0 && !memchr(sample.ptr, '\n', sample.len))
        wr_hint(ctx, "the first line does not end within %zu bytes; CREATE TABLE names the columns",
                sample.len);
    else
        wr_hint(ctx, "a line holds one JSON object, or an array of them");
    return wr_raise(ctx, WR_DATA, "no JSON object in the file to learn from");
}

wr_status
wri_json_infer(wr_ctx *ctx, wr_str sample, const wr_options *options, wr_arena *a, wr_schema *out,
               bool *has_header)
{
    (void)options;
    guess root = {.kind = G_OBJECT};
    const wr_str begin = sample;
    *has_header = false;
    while (sample.len && !root.mixed) {
        const char *nl = memchr(sample.ptr, '\n', sample.len);
        wr_str line = {sample.ptr, nl ? (size_t)(nl - sample.ptr) : sample.len};
        if (!look_at_line(line, &root, ctx, a)) return wr_raise(ctx, WR_NOMEM, "out of memory");
        size_t step = line.len + (nl ? 1 : 0);
        sample = (wr_str){sample.ptr + step, sample.len - step};
    }
    if (root.count == 0) return nothing_to_learn(ctx, begin);
    if (root.mixed)
        return wr_raise(ctx, WR_LIMIT, "the objects of the file have more than %u members",
                        WR_COLUMNS_MAX);
    wr_field *fields = WR_NEW_N(a, wr_field, root.count);
    WR_TRY_ALLOC(ctx, fields);
    for (uint32_t i = 0; i < root.count; i++) {
        fields[i] = (wr_field){root.kids[i].name, type_of_guess(&root.kids[i], a), WR_STR("")};
        WR_TRY_ALLOC(ctx, fields[i].type);
    }
    *out = (wr_schema){fields, root.count};
    return WR_OK;
}
