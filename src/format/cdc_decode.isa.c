/* SPDX-License-Identifier: Apache-2.0 */
/* From the bytes of change messages into vectors. Built once per ISA level.
 *
 * A message's operation may come behind its rows, so the rows are decoded on a guess while the
 * envelope is walked: the first object goes to the next row of the batch, the second to the one
 * behind it. Mostly that is where they belong, and the operation only adds the kinds. Else the rows
 * are emptied and the objects, whose places are known, decoded again in their order. Of an UPDATE
 * that tells only what was different the row before is the row after with that laid over it. */
#include "format/cdc_int.h"
#include "format/json_token.h"
#include "vec/vec.h"

#define VALUE  WRI_JSON_CAT(wri_json_value, WR_ISA)
#define OBJECT WRI_JSON_CAT(wri_json_object, WR_ISA)

static bool
fail(wri_cdc *c, wri_cdc_err err)
{
    if (c->err == WRI_CDC_FINE) c->err = err;
    return false;
}

static const char *
broken(wri_cdc *c)
{
    (void)fail(c, WRI_CDC_JSON);
    return NULL;
}

static inline bool
is_null(const char *at)
{
    return !at || wr_load32(at) == WRI_JSON_NULL;
}

/* ---- walking the envelope -------------------------------------------------------------------- */

/* A value at `p`, which may be a row: decoded into the next row on a guess. */
static const char *
guess_row(wri_cdc *c, const char *p)
{
    wri_json *j = &c->json;
    const uint32_t k = c->guess_count;
    if (*p != '{' || c->skip > 0 || k == WRI_CDC_GUESSES || c->row + k >= c->max_rows ||
        j->err != WRI_JE_NONE)
        return wri_json_skip(j, p);
    c->touched = k + 1;
    const char *q = OBJECT(j, p + 1, c->row + k);
    if (WR_LIKELY(q != NULL)) {
        c->guess[c->guess_count++] = p;
        return q;
    }
    if (j->err != WRI_JE_FIELD && j->err != WRI_JE_MISSING) return NULL;
    const wri_json_err err = j->err; /* told when the message is wanted at all */
    j->err = WRI_JE_NONE;
    q = wri_json_skip(j, p);
    if (q) j->err = err;
    return q;
}

static const char *
guess_rows(wri_cdc *c, const char *p)
{
    wri_json *j = &c->json;
    if (*p != '[') return wri_json_skip(j, p);
    p = wri_json_blanks(j, p + 1);
    if (*p == ']') return p + 1;
    for (;;) {
        p = guess_row(c, wri_json_blanks(j, p));
        if (!p) return NULL;
        p = wri_json_blanks(j, p);
        if (*p == ']') return p + 1;
        if (*p != ',') return wri_json_syntax(j, p, "array");
        p++;
    }
}

static const char *members(wri_cdc *c, const char *p, bool outer);

/* The value of member i (or of an unknown one), which begins at `p`. */
static const char *
member(wri_cdc *c, uint32_t i, const char *p, bool outer)
{
    if (i == WRI_CDC_PAYLOAD) {
        if (!outer) return wri_json_skip(&c->json, p);
        c->at[i] = p;
        return *p == '{' ? members(c, p + 1, false) : wri_json_skip(&c->json, p);
    }
    if (i >= c->envelope.kid_count || (outer && i < WRI_CDC_NAMED))
        return wri_json_skip(&c->json, p);
    c->at[i] = p;
    if (i > WRI_CDC_SECOND) return wri_json_skip(&c->json, p);
    switch (c->format->shape) {
    case WRI_CDC_PAIR:
        return guess_row(c, p);
    case WRI_CDC_ROW:
        return i == WRI_CDC_FIRST ? guess_row(c, p) : wri_json_skip(&c->json, p);
    case WRI_CDC_ARRAYS:
        return i == WRI_CDC_FIRST ? guess_rows(c, p) : wri_json_skip(&c->json, p);
    }
    return NULL;
}

/* Behind the opening brace of the envelope, or of the object that holds it (`outer`). */
static const char *
members(wri_cdc *c, const char *p, bool outer)
{
    wri_json *j = &c->json;
    const wri_json_node *n = &c->envelope;
    uint32_t prev = n->kid_count;
    p = wri_json_blanks(j, p);
    if (*p == '}') return p + 1;
    for (;;) {
        uint32_t i = n->after[prev];
        if (WR_LIKELY(i < n->kid_count && wri_json_key_is(p, &n->kids[i]))) {
            p += n->kids[i].literal_len;
        } else {
            p = wri_json_find_key(j, p, n, &i);
            if (!p) return NULL;
            if (i < n->kid_count) n->after[prev] = i;
        }
        p = member(c, i, wri_json_blanks(j, p), outer);
        if (WR_UNLIKELY(!p)) return NULL;
        if (i < n->kid_count) prev = i;
        p = wri_json_blanks(j, p);
        if (*p == ',') {
            p = wri_json_blanks(j, p + 1);
            continue;
        }
        return *p == '}' ? p + 1 : wri_json_syntax(j, p, "object");
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool
put_metas(wri_cdc *c)
{
    wri_json *j = &c->json;
    for (uint32_t i = 0; i < c->meta_count; i++) {
        const wri_cdc_meta *m = &c->metas[i];
        if (m->at && !VALUE(j, m->at, &m->node, &j->fill->cols[m->node.out], c->row)) {
            if (j->err == WRI_JE_FIELD) j->field = m->node.name;
            return broken(c) != NULL;
        }
    }
    return true;
}

/* The next row of the message: the object `base`, with what `over` has laid over it. False: the
 * batch is full (c->full), or an error. */
static bool
put_row(wri_cdc *c, wr_kind kind, const char *base, const char *over)
{
    wri_json *j = &c->json;
    if (c->index < c->skip) {
        c->index++;
        return true;
    }
    if (c->row == c->max_rows) {
        c->full = true;
        return false;
    }
    const uint32_t k = c->row - c->first_row;
    if (WR_UNLIKELY(k >= c->guess_count || c->guess[k] != base)) {
        if (k < c->touched && !wri_json_begin_columns(j, j->fill, c->row, c->row + 1)) {
            (void)wri_json_no_memory(j);
            return broken(c) != NULL;
        }
        c->touched = WR_MAX(c->touched, k + 1);
        if (!OBJECT(j, base + 1, c->row)) return broken(c) != NULL;
    }
    c->touched = WR_MAX(c->touched, k + 1);
    if (over) {
        j->overlay = true;
        const char *q = OBJECT(j, over + 1, c->row);
        j->overlay = false;
        if (!q) return broken(c) != NULL;
    }
    if (c->meta_count && !put_metas(c)) return false;
    c->kind[c->row++] = (uint8_t)kind;
    c->index++;
    return true;
}

/* Is there a row at `at`? Another value than an object or null is an error, or none. */
static bool
has_row(wri_cdc *c, const char *at, uint32_t member_index, char open)
{
    if (is_null(at)) return false;
    if (*at == open) return true;
    if (c->json.ignore_errors) return false;
    c->json.err = WRI_JE_FIELD;
    c->json.err_at = at;
    c->json.field = c->envelope.kids[member_index].name;
    return fail(c, WRI_CDC_JSON);
}

static bool
put_pair(wri_cdc *c, wr_kind kind)
{
    const char *before = c->at[WRI_CDC_FIRST], *after = c->at[WRI_CDC_SECOND];
    const bool has_before = has_row(c, before, WRI_CDC_FIRST, '{');
    const bool has_after = has_row(c, after, WRI_CDC_SECOND, '{');
    if (c->err != WRI_CDC_FINE) return false;
    if (kind != WR_INSERT && !has_before) {
        c->err_op = kind == WR_DELETE ? "DELETE" : "UPDATE";
        return fail(c, WRI_CDC_NO_BEFORE);
    }
    if (kind != WR_DELETE && !has_after) return fail(c, WRI_CDC_NULL);
    if (kind == WR_INSERT) return put_row(c, WR_INSERT, after, NULL);
    if (kind == WR_DELETE) return put_row(c, WR_DELETE, before, NULL);
    return put_row(c, WR_UPDATE_BEFORE, before, NULL) && put_row(c, WR_UPDATE_AFTER, after, NULL);
}

static bool
put_one(wri_cdc *c, wr_kind kind, const char *row, const char *old)
{
    if (!has_row(c, row, WRI_CDC_FIRST, '{')) return fail(c, WRI_CDC_NULL);
    if (kind != WR_UPDATE_AFTER) return put_row(c, kind, row, NULL);
    if (!has_row(c, old, WRI_CDC_SECOND, '{')) return fail(c, WRI_CDC_NULL);
    return put_row(c, WR_UPDATE_BEFORE, row, old) && put_row(c, WR_UPDATE_AFTER, row, NULL);
}

/* The next element of an array that was walked before; NULL: none. *p is behind the bracket or the
 * last element. */
static const char *
next_element(wri_json *j, const char **p)
{
    const char *at = wri_json_blanks(j, *p);
    if (*at == ',') at = wri_json_blanks(j, at + 1);
    if (*at == ']') return NULL;
    *p = wri_json_skip(j, at);
    return *p ? at : NULL;
}

static bool
put_arrays(wri_cdc *c, wr_kind kind)
{
    wri_json *j = &c->json;
    const char *rows = c->at[WRI_CDC_FIRST], *olds = c->at[WRI_CDC_SECOND], *row, *old = NULL;
    if (!has_row(c, rows, WRI_CDC_FIRST, '[')) return fail(c, WRI_CDC_NULL);
    if (kind == WR_UPDATE_AFTER && !has_row(c, olds, WRI_CDC_SECOND, '['))
        return fail(c, WRI_CDC_NULL);
    rows++;
    if (olds) olds++;
    while ((row = next_element(j, &rows)) != NULL) {
        if (kind == WR_UPDATE_AFTER) {
            old = next_element(j, &olds);
            if (!old) return fail(c, WRI_CDC_NULL);
        }
        if (!put_one(c, kind, row, old)) return false;
    }
    return true;
}

static bool
put_rows(wri_cdc *c, wr_kind kind)
{
    switch (c->format->shape) {
    case WRI_CDC_PAIR:
        return put_pair(c, kind);
    case WRI_CDC_ROW:
        return put_one(c, kind, c->at[WRI_CDC_FIRST], c->at[WRI_CDC_SECOND]);
    case WRI_CDC_ARRAYS:
        return put_arrays(c, kind);
    }
    return false;
}

/* ---- messages -------------------------------------------------------------------------------- */

static inline bool
reads(const char *at, const char *text)
{
    const size_t n = text ? strlen(text) : 0;
    return text && *at == '"' && memcmp(at + 1, text, n) == 0 && at[n + 1] == '"';
}

static void
find_metas(wri_cdc *c)
{
    wri_json *j = &c->json;
    for (uint32_t i = 0; i < c->meta_count; i++) {
        wri_cdc_meta *m = &c->metas[i];
        const char *p = c->at[m->member];
        m->at = m->sub ? NULL : p;
        if (!m->sub || !p || *p != '{') continue;
        p = wri_json_blanks(j, p + 1);
        while (p && *p == '"') {
            uint32_t field;
            p = wri_json_find_key(j, p, &m->holder, &field);
            if (!p) break;
            p = wri_json_blanks(j, p);
            if (field == 0) m->at = p;
            p = wri_json_skip(j, p);
            if (p) p = wri_json_blanks(j, p);
            if (p && *p == ',') p = wri_json_blanks(j, p + 1);
        }
    }
}

static bool
apply(wri_cdc *c)
{
    const wri_cdc_format *f = c->format;
    const char *op = c->at[WRI_CDC_OP];
    if (c->wrapped && is_null(c->at[WRI_CDC_PAYLOAD])) return fail(c, WRI_CDC_NULL);
    if (c->filter_count && !wri_cdc_wanted(c)) {
        if (c->err == WRI_CDC_FINE) c->json.err = WRI_JE_NONE;
        return c->err == WRI_CDC_FINE;
    }
    if (c->json.err != WRI_JE_NONE) return fail(c, WRI_CDC_JSON);
    if (is_null(op)) return fail(c, WRI_CDC_NULL);
    if (c->meta_count) find_metas(c);
    if (reads(op, f->inserts[0]) || reads(op, f->inserts[1])) return put_rows(c, WR_INSERT);
    if (reads(op, f->update)) return put_rows(c, WR_UPDATE_AFTER);
    if (reads(op, f->remove)) return put_rows(c, WR_DELETE);
    return reads(op, f->ignored) ? true : fail(c, WRI_CDC_UNKNOWN);
}

/* Flink's decoders of pairs take an array of one message for it. NULL: it is something else. */
static const char *
unpacked(wri_cdc *c, const char *p)
{
    wri_json *j = &c->json;
    const char *at = wri_json_blanks(j, p + 1), *end = NULL;
    if (c->format->shape == WRI_CDC_PAIR && *at == '{') end = wri_json_skip(j, at);
    if (end) end = wri_json_blanks(j, end);
    if (end && *end == ']') return at;
    j->err = WRI_JE_OBJECT;
    return broken(c);
}

static const char *
message(wri_cdc *c, const char *p)
{
    memset(c->at, 0, sizeof(char *) * c->envelope.kid_count);
    c->first_row = c->row;
    c->index = c->touched = c->guess_count = 0;
    c->full = false;
    c->err = WRI_CDC_FINE;
    if (*p == '[') p = unpacked(c, p);
    if (p) p = members(c, p + 1, c->wrapped);
    if (WR_UNLIKELY(p > c->json.end)) p = wri_json_syntax(&c->json, c->json.end, NULL);
    const bool done = p ? apply(c) : fail(c, WRI_CDC_JSON);
    const uint32_t used = c->row - c->first_row; /* what was guessed beyond that was wrong */
    if (WR_UNLIKELY(c->touched > used) && !wri_cdc_forget(c, used)) {
        (void)wri_json_no_memory(&c->json);
        return broken(c);
    }
    if (done) {
        c->skip = 0;
        return p;
    }
    if (c->full) c->skip = c->index;
    return NULL;
}

static const char *
decode_lines(wri_cdc *c, const char *p, const char *safe)
{
    wri_json *j = &c->json;
    j->end = safe;
    j->in_line = true;
    while (c->row < c->max_rows && p < safe && *p == '{') {
        j->depth = 0;
        j->err = WRI_JE_NONE;
        const uint32_t skip = c->skip;
        const char *q = message(c, p);
        if (WR_UNLIKELY(!q && c->full)) break;
        if (q && *q == '\r') q++;
        if (WR_UNLIKELY(!q || *q != '\n')) { /* again, with care */
            c->row = c->first_row;
            c->skip = skip;
            if (!wri_cdc_forget(c, 0)) c->json.err = WRI_JE_NOMEM;
            break;
        }
        p = q + 1;
    }
    j->in_line = false;
    return p;
}

const wri_cdc_fns WRI_JSON_CAT(wri_cdc_fns, WR_ISA) = {message, decode_lines};
