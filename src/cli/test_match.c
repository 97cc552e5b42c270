/* SPDX-License-Identifier: Apache-2.0 */
/* Rows as text: cells, moments in one way of writing, what a changelog leaves, and differences. */
#include "cli/test_int.h"
#include "format/format.h"

static wr_str
trimmed(wr_str s)
{
    while (s.len && (unsigned char)*s.ptr <= ' ') s = (wr_str){s.ptr + 1, s.len - 1};
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    return s;
}

/* The end of the cell at i: a comma or the end, outside brackets and quotes. */
static size_t
cell_end(wr_str s, size_t i)
{
    int depth = 0;
    while (i < s.len && (unsigned char)s.ptr[i] <= ' ') i++;
    bool quoted = i < s.len && s.ptr[i] == '"';
    for (size_t from = i; i < s.len; i++) {
        const char c = s.ptr[i];
        if (quoted && i > from) {
            if (c == '\\') i++;
            if (c == '"') quoted = false;
            continue;
        }
        if (quoted) continue;
        if (c == '[' || c == '{' || c == '(') depth++;
        if (c == ']' || c == '}' || c == ')') depth--;
        if (c == ',' && depth <= 0) break;
    }
    return WR_MIN(i, s.len);
}

bool
wri_test_split(wr_str row, wr_arena *a, wr_kind *kind, wri_test_cells *cells)
{
    *kind = WR_INSERT;
    *cells = (wri_test_cells){0};
    row = trimmed(row);
    if (row.len > 2 && row.ptr[0] != '[') {
        int found = -1;
        for (int k = WR_INSERT; k <= WR_DELETE; k++)
            if (memcmp(row.ptr, wr_kind_name((wr_kind)k), 2) == 0) found = k;
        if (found < 0) return false;
        *kind = (wr_kind)found;
        row = (wr_str){row.ptr + 2, row.len - 2};
    }
    if (row.len < 2 || row.ptr[0] != '[' || row.ptr[row.len - 1] != ']') return false;
    const wr_str inner = {row.ptr + 1, row.len - 2};
    if (trimmed(inner).len == 0) return true;
    for (size_t i = 0;;) {
        const size_t end = cell_end(inner, i);
        if (!wr_list_push(a, cells, trimmed((wr_str){inner.ptr + i, end - i}))) return false;
        if (end >= inner.len) return true;
        i = end + 1;
    }
}

/* ---- moments --------------------------------------------------------------------------------- */

static bool
is_shaped(wr_str s, const char *shape)
{
    const size_t n = strlen(shape);
    for (size_t i = 0; i < n; i++) {
        if (i >= s.len) return false;
        if (shape[i] == '0'   ? s.ptr[i] < '0' || s.ptr[i] > '9'
            : shape[i] == '_' ? s.ptr[i] != ' ' && s.ptr[i] != 'T'
                              : s.ptr[i] != shape[i])
            return false;
    }
    return true;
}

wr_str
wri_test_moment(wr_str cell, wr_arena *a)
{
    if (!is_shaped(cell, "0000-00-00_00:00")) return cell;
    wr_str rest = {cell.ptr + 16, cell.len - 16};
    const bool zoned = rest.len && rest.ptr[rest.len - 1] == 'Z';
    if (zoned) rest.len--;
    wr_str seconds = WR_STR("00"), fraction = WR_STR("");
    if (is_shaped(rest, ":00")) {
        seconds = (wr_str){rest.ptr + 1, 2};
        rest = (wr_str){rest.ptr + 3, rest.len - 3};
    }
    if (rest.len > 1 && rest.ptr[0] == '.') {
        fraction = (wr_str){rest.ptr + 1, rest.len - 1};
        for (size_t i = 0; i < fraction.len; i++)
            if (fraction.ptr[i] < '0' || fraction.ptr[i] > '9') return cell;
        while (fraction.len && fraction.ptr[fraction.len - 1] == '0') fraction.len--;
        rest.len = 0;
    }
    if (rest.len) return cell;
    const wr_str out =
        wr_arena_printf(a, "%.10s %.5s:%.*s%s%.*s%s", cell.ptr, cell.ptr + 11, WR_STR_ARG(seconds),
                        fraction.len ? "." : "", WR_STR_ARG(fraction), zoned ? "Z" : "");
    return out.ptr ? out : cell;
}

/* A cell as it is compared: quotes are for the test's text alone. */
static wr_str
plain(wr_str cell, wr_arena *a)
{
    wr_ctx quiet;
    wr_str out;
    wr_ctx_init(&quiet);
    if (cell.len > 1 && cell.ptr[0] == '"' && wr_json_unquote(&quiet, cell, a, &out) == WR_OK)
        return out;
    return wri_test_moment(cell, a);
}

/* The text that came has no quotes: a cell is as much of it as the expected one has. */
bool
wri_test_same(wr_str want, wr_str got, bool kinds, wr_arena *a)
{
    wr_kind k, l;
    wri_test_cells x, y;
    if (!wri_test_split(want, a, &k, &x) || !wri_test_split(got, a, &l, &y)) return false;
    if (kinds && k != l) return false;
    const char *open = memchr(got.ptr, '[', got.len);
    wr_str rest = {open + 1, (size_t)(got.ptr + got.len - open) - 2};
    for (uint32_t i = 0; i < x.count; i++) {
        const wr_str w = plain(x.items[i], a);
        if (i > 0) {
            if (rest.len < 2 || memcmp(rest.ptr, ", ", 2) != 0) return false;
            rest = (wr_str){rest.ptr + 2, rest.len - 2};
        }
        const bool here = wr_str_starts(rest, w) &&
                          (rest.len == w.len || (rest.len > w.len + 1 && rest.ptr[w.len] == ',' &&
                                                 rest.ptr[w.len + 1] == ' '));
        const size_t n = here ? w.len : cell_end(rest, 0);
        if (!here && !wr_str_eq(w, wri_test_moment(trimmed((wr_str){rest.ptr, n}), a)))
            return false;
        rest = (wr_str){rest.ptr + n, rest.len - n};
    }
    return rest.len == 0;
}

/* ---- what a changelog leaves ----------------------------------------------------------------- */

static bool
same_key(wr_str x, wr_str y, const uint32_t *key, uint32_t key_count, wr_arena *a)
{
    wr_kind k;
    wri_test_cells p, q;
    if (!wri_test_split(x, a, &k, &p) || !wri_test_split(y, a, &k, &q)) return false;
    for (uint32_t i = 0; i < key_count; i++)
        if (key[i] >= p.count || key[i] >= q.count || !wr_str_eq(p.items[key[i]], q.items[key[i]]))
            return false;
    return true;
}

wr_status
wri_test_settle(wr_ctx *ctx, const wr_str *lines, uint32_t count, const uint32_t *key,
                uint32_t key_count, wr_arena *a, wri_test_cells *out)
{
    *out = (wri_test_cells){0};
    for (uint32_t i = 0; i < count; i++) {
        const bool kind = lines[i].len > 2 && lines[i].ptr[0] != '[';
        const bool comes = !kind || lines[i].ptr[0] == '+';
        const wr_str row = kind ? (wr_str){lines[i].ptr + 2, lines[i].len - 2} : lines[i];
        uint32_t at = out->count;
        for (uint32_t k = out->count; k-- > 0;)
            if (key ? same_key(out->items[k], row, key, key_count, a)
                    : !comes && wr_str_eq(out->items[k], row)) {
                at = k;
                break;
            }
        if (comes && at < out->count) {
            out->items[at] = row;
        } else if (comes) {
            if (!wr_list_push(a, out, row)) return wr_raise(ctx, WR_NOMEM, "out of memory");
        } else if (at < out->count) {
            memmove(&out->items[at], &out->items[at + 1],
                    sizeof *out->items * (out->count - at - 1));
            out->count--;
        }
    }
    return WR_OK;
}

/* ---- differences ----------------------------------------------------------------------------- */

static void
put_line(wr_text *out, const char *sign, wr_str row)
{
    wr_text_printf(out, "%s %.*s\n", sign, WR_STR_ARG(row));
}

/* Rows in any order: what is missing, then what is there too much. */
static void
diff_content(const wri_test_step *want, const wri_test_cells *got, wr_arena *a, wr_text *out)
{
    bool *taken = WR_NEW_N(a, bool, got->count + 1);
    for (uint32_t i = 0; taken && i < want->rows.count; i++) {
        uint32_t k = 0;
        while (k < got->count &&
               (taken[k] || !wri_test_same(want->rows.items[i].text, got->items[k], false, a)))
            k++;
        if (k < got->count)
            taken[k] = true;
        else
            put_line(out, "-", want->rows.items[i].text);
    }
    for (uint32_t k = 0; taken && k < got->count; k++)
        if (!taken[k]) put_line(out, "+", got->items[k]);
}

/* Rows in their order: the longest common subsequence stays, three lines around differences show.
 */
static void
diff_order(const wri_test_step *want, const wri_test_cells *got, wr_arena *a, wr_text *out)
{
    const uint32_t n = want->rows.count, m = got->count;
    uint32_t *len = (uint64_t)(n + 1) * (m + 1) > 4000000
                        ? NULL
                        : WR_NEW_N(a, uint32_t, (size_t)(n + 1) * (m + 1));
    if (!len) {
        diff_content(want, got, a, out);
        return;
    }
    bool differ = n != m;
    for (uint32_t i = n; i-- > 0;)
        for (uint32_t k = m; k-- > 0;) {
            const bool same = wri_test_same(want->rows.items[i].text, got->items[k], true, a);
            uint32_t *l = &len[(size_t)i * (m + 1) + k];
            *l = same ? l[m + 2] + 1 : WR_MAX(l[m + 1], l[1]);
            differ |= i == k && !same;
        }
    uint32_t i = 0, k = 0;
    while (differ && (i < n || k < m)) {
        const uint32_t *l = &len[(size_t)i * (m + 1) + k];
        if (i < n && k < m && wri_test_same(want->rows.items[i].text, got->items[k], true, a)) {
            put_line(out, " ", got->items[k]);
            i++, k++;
        } else if (i < n && (k == m || l[m + 1] >= l[1])) {
            put_line(out, "-", want->rows.items[i++].text);
        } else {
            put_line(out, "+", got->items[k++]);
        }
    }
}

void
wri_test_diff(const wri_test_step *want, const wri_test_cells *got, wr_arena *a, wr_text *out)
{
    if (want->want == WRI_TEST_CHANGELOG)
        diff_order(want, got, a, out);
    else
        diff_content(want, got, a, out);
}
