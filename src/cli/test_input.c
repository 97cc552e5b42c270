/* SPDX-License-Identifier: Apache-2.0 */
/* What comes in a case, as scripts for the 'script' connector. Every block of the test is a step:
 * it begins when what came before it, in whatever table, has been worked off. Tables of the SQL
 * under test keep their columns; only their options are replaced. */
#include "catalog/catalog.h"
#include "cli/test_int.h"
#include "types/datetime.h"

#define CLOCK_START_MS 946684800000 /* 2000-01-01 00:00:00 */

static wr_status
wrong(wr_ctx *ctx, const wri_test_file *f, uint32_t line, const char *what, wr_str text)
{
    return wr_raise(ctx, WR_SYNTAX, "%s:%u: %s: '%.*s'", f->path, line, what,
                    (int)WR_MIN(text.len, (size_t)200), text.ptr);
}

/* ---- the timeline ---------------------------------------------------------------------------- */

static wri_test_table *
table_of(wr_arena *a, wri_test_timeline *t, wr_str name, uint32_t line)
{
    for (uint32_t i = 0; i < t->tables.count; i++)
        if (wr_str_eq(t->tables.items[i].name, name)) return &t->tables.items[i];
    const wri_test_table fresh = {.name = name, .line = line};
    if (!wr_list_push(a, &t->tables, fresh)) return NULL;
    return &t->tables.items[t->tables.count - 1];
}

/* The time of a clock step; `now` is where the clock stands. */
static bool
clock_time(wr_ctx *ctx, wr_str text, int64_t now, int64_t *out)
{
    wr_ts ts;
    int precision;
    if (text.len && text.ptr[0] == '+') {
        const wr_option_def def = {.key = "clock", .type = WR_OPT_DURATION};
        wr_option_value v;
        text = (wr_str){text.ptr + 1, text.len - 1};
        while (text.len && *text.ptr == ' ') text = (wr_str){text.ptr + 1, text.len - 1};
        if (wr_option_parse(ctx, &def, text, WR_NO_SPAN, &v) != WR_OK) return false;
        *out = now + v.i;
        return true;
    }
    if (!wr_ts_literal(text, &ts, &precision)) return false;
    *out = ts.ms;
    return true;
}

static wr_status
take_steps(wr_ctx *ctx, wr_arena *a, const wri_test_file *f, const wri_test_steps *steps,
           int64_t *now, wri_test_timeline *out)
{
    for (uint32_t i = 0; i < steps->count; i++) {
        wri_test_step s = steps->items[i];
        const bool expects = s.kind == WRI_TEST_IGNORE ||
                             (s.kind == WRI_TEST_EXPECT && s.want != WRI_TEST_ERROR && s.text.len);
        const bool fills = s.kind == WRI_TEST_INPUT || s.kind == WRI_TEST_WATERMARK;
        if (expects || fills) {
            wri_test_table *t = table_of(a, out, s.text, s.line);
            WR_TRY_ALLOC(ctx, t);
            t->filled |= fills;
            t->looked_at |= expects;
            t->watermarked |= s.kind == WRI_TEST_WATERMARK;
            if (t->filled && t->looked_at)
                return wrong(ctx, f, s.line,
                             "a table gets the test's rows or is looked at, not both", s.text);
        }
        if (s.kind == WRI_TEST_CLOCK) {
            const bool first = out->steps.count == 0;
            if (!clock_time(ctx, s.text, *now, now)) {
                ctx->err.status = WR_OK;
                return wrong(
                    ctx, f, s.line,
                    "a clock stands at a time, or goes on by a duration such as + 5 s, not",
                    s.text);
            }
            if (first) out->start_ms = *now;
            s.more = wr_arena_printf(a, "%lld", (long long)*now);
            WR_TRY_ALLOC(ctx, s.more.ptr);
        }
        if ((fills || s.kind == WRI_TEST_CLOCK) && !wr_list_push(a, &out->steps, s))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

/* What another case fills is empty in this one, what it looks at is not looked at. */
static bool
add_others(wr_arena *a, const wri_test_file *f, wri_test_timeline *out)
{
    for (uint32_t i = 0; i < f->cases.count; i++)
        for (uint32_t k = 0; k < f->cases.items[i].steps.count; k++) {
            const wri_test_step *s = &f->cases.items[i].steps.items[k];
            const bool expects = s->kind == WRI_TEST_IGNORE ||
                                 (s->kind == WRI_TEST_EXPECT && s->want != WRI_TEST_ERROR);
            if (!expects && s->kind != WRI_TEST_INPUT && s->kind != WRI_TEST_WATERMARK) continue;
            wri_test_table *t = s->text.len ? table_of(a, out, s->text, s->line) : NULL;
            if (!t && s->text.len) return false;
            if (!t || t->filled || t->looked_at) continue;
            t->filled = !expects;
            t->looked_at = expects;
            t->of_others = true;
        }
    return true;
}

wr_status
wri_test_timeline_make(wr_ctx *ctx, wr_arena *a, const wri_test_file *f, const wri_test_case *c,
                       wri_test_timeline *out)
{
    int64_t now = CLOCK_START_MS;
    *out = (wri_test_timeline){.start_ms = now};
    WR_TRY(take_steps(ctx, a, f, &f->setup, &now, out));
    WR_TRY(take_steps(ctx, a, f, &c->steps, &now, out));
    return add_others(a, f, out) ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct columns { /* those of a table that have values in an input block */
    const wr_column *items[1024];
    uint32_t count;
    uint32_t place[1024]; /* per value: which of them it is */
    uint32_t given;
} columns;

static wr_status
find_columns(wr_ctx *ctx, wr_arena *a, const wri_test_file *f, const wr_table_desc *t,
             const wri_test_step *s, columns *out)
{
    wr_kind kind;
    wri_test_cells names;
    out->count = out->given = 0;
    for (uint32_t i = 0; i < t->column_count && out->count < WR_COUNT(out->items); i++)
        if (t->columns[i].kind == WR_COL_PHYSICAL) out->items[out->count++] = &t->columns[i];
    if (s->more.len == 0) {
        out->given = out->count;
        for (uint32_t i = 0; i < out->count; i++) out->place[i] = i;
        return WR_OK;
    }
    wr_str list = wr_arena_str(a, s->more);
    WR_TRY_ALLOC(ctx, list.ptr);
    if (list.ptr[list.len - 1] != ')')
        return wrong(ctx, f, s->line, "column names stand in brackets", s->more);
    ((char *)(uintptr_t)list.ptr)[0] = '[';
    ((char *)(uintptr_t)list.ptr)[list.len - 1] = ']';
    if (!wri_test_split(list, a, &kind, &names))
        return wrong(ctx, f, s->line, "column names stand in brackets", s->more);
    for (uint32_t i = 0; i < names.count; i++) {
        uint32_t k = 0;
        while (k < out->count && !wr_str_eq(out->items[k]->name, names.items[i])) k++;
        if (k == out->count) {
            const wr_status status =
                wrong(ctx, f, s->line, "the table has no such column to fill", names.items[i]);
            for (k = 0; k < out->count; k++) wr_candidate(ctx, names.items[i], out->items[k]->name);
            return status;
        }
        out->place[out->given++] = k;
    }
    return WR_OK;
}

static void
put_quoted(wr_text *t, wr_str s)
{
    wr_text_putc(t, '"');
    for (size_t i = 0; i < s.len; i++) {
        const unsigned char c = (unsigned char)s.ptr[i];
        if (c == '"' || c == '\\')
            wr_text_printf(t, "\\%c", c);
        else if (c < 0x20)
            wr_text_printf(t, "\\u%04x", c);
        else
            wr_text_putc(t, (char)c);
    }
    wr_text_putc(t, '"');
}

static void
put_value(wr_text *t, const wr_column *c, wr_str cell, wr_arena *a)
{
    if (wr_str_eq_nocase(cell, WR_STR("null"))) {
        wr_text_puts(t, "null");
        return;
    }
    const bool json = cell.len && (*cell.ptr == '"' || *cell.ptr == '[' || *cell.ptr == '{');
    if (json) {
        wr_text_put(t, cell.ptr, cell.len);
        return;
    }
    const bool zoned = wr_type_is(c->type, WR_T_TIMESTAMP_LTZ);
    if (zoned || wr_type_is(c->type, WR_T_TIMESTAMP)) {
        cell = wri_test_moment(cell, a);
        if (zoned && cell.len && cell.ptr[cell.len - 1] != 'Z') {
            const wr_str z = wr_arena_printf(a, "%.*sZ", WR_STR_ARG(cell));
            if (z.ptr) cell = z;
        }
    }
    put_quoted(t, cell);
}

/* Values are converted as they are read, but a column that no query reads keeps its secret: numbers
 * and times without any digit are told here. */
static bool
plausible(const wr_column *c, wr_str cell)
{
    static const char *const words[] = {"null", "nan", "infinity", "-infinity", "+infinity"};
    const wr_family family = wr_type_family(c->type);
    if (family != WR_FAM_EXACT && family != WR_FAM_APPROX && family != WR_FAM_DATETIME) return true;
    for (uint32_t i = 0; i < WR_COUNT(words); i++)
        if (wr_str_eq_nocase(cell, wr_str_c(words[i]))) return true;
    for (size_t i = 0; i < cell.len; i++)
        if (cell.ptr[i] >= '0' && cell.ptr[i] <= '9') return true;
    return false;
}

static wr_status
put_rows(wr_ctx *ctx, wr_arena *a, const wri_test_file *f, const wr_table_desc *table,
         const wri_test_step *s, wr_text *t)
{
    columns *cols = WR_NEW(a, columns);
    WR_TRY_ALLOC(ctx, cols);
    WR_TRY(find_columns(ctx, a, f, table, s, cols));
    for (uint32_t i = 0; i < s->rows.count; i++) {
        const wri_test_row *row = &s->rows.items[i];
        wr_kind kind;
        wri_test_cells cells;
        if (!wri_test_split(row->text, a, &kind, &cells))
            return wrong(ctx, f, row->line, "this is no row such as +I[1, a]", row->text);
        if (cells.count != cols->given) {
            return wr_raise(ctx, WR_SYNTAX,
                            "%s:%u: the row has %u values, but %u columns are filled: %.*s",
                            f->path, row->line, cells.count, cols->given, WR_STR_ARG(row->text));
        }
        wr_text_printf(t, "[\"%s\"", wr_kind_name(kind));
        for (uint32_t c = 0; c < cols->count; c++) {
            wr_str cell = WR_STR("null");
            for (uint32_t k = 0; k < cols->given; k++)
                if (cols->place[k] == c) cell = cells.items[k];
            if (!plausible(cols->items[c], cell))
                return wr_raise(ctx, WR_SYNTAX,
                                "%s:%u: column '%.*s' is %.*s, which this is not: "
                                "'%.*s'",
                                f->path, row->line, WR_STR_ARG(cols->items[c]->name),
                                WR_STR_ARG(wr_type_str(cols->items[c]->type, WR_TYPE_SUMMARY, a)),
                                WR_STR_ARG(cell));
            wr_text_puts(t, ", ");
            put_value(t, cols->items[c], cell, a);
        }
        wr_text_puts(t, "]\n");
    }
    return WR_OK;
}

static wr_status
put_script(wr_ctx *ctx, wr_arena *a, const wri_test_file *f, const wr_table_desc *table,
           const wri_test_table *mine, const wri_test_timeline *t, wr_text *out)
{
    for (uint32_t i = 0; i < t->steps.count; i++) {
        const wri_test_step *s = &t->steps.items[i];
        const bool is_mine = s->kind != WRI_TEST_CLOCK && wr_str_eq(s->text, mine->name);
        if (!is_mine && s->kind != WRI_TEST_CLOCK) continue;
        wr_text_printf(out, "{\"step\":%u}\n", i + 1);
        if (s->kind == WRI_TEST_CLOCK) {
            wr_text_printf(out, "{\"clock\":%.*s}\n", WR_STR_ARG(s->more));
        } else if (s->kind == WRI_TEST_INPUT) {
            WR_TRY(put_rows(ctx, a, f, table, s, out));
        } else {
            wr_text_puts(out, "{\"watermark\":");
            put_quoted(out, wri_test_moment(s->more, a));
            wr_text_puts(out, "}\n");
        }
    }
    return out->failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static wr_status
identify(wr_ctx *ctx, wr_session *s, wr_str name, wr_table_id *id)
{
    wr_str parts[3];
    uint32_t n = 0;
    for (size_t from = 0, i = 0; i <= name.len && n < 3; i++)
        if (i == name.len || name.ptr[i] == '.') {
            parts[n++] = (wr_str){name.ptr + from, i - from};
            from = i + 1;
        }
    return wr_catalogs_qualify(ctx, wr_session_catalogs(s), parts, n, WR_NO_SPAN, id);
}

/* What a connector would tell beside a row, such as a message's timestamp, is a column like others
 * here; what it would only tell is not written. Buckets and partitions are the connector's. */
static wr_status
plain_table(wr_ctx *ctx, wr_arena *a, bool filled, wr_table_desc *d)
{
    wr_column *c = WR_NEW_N(a, wr_column, d->column_count + 1);
    uint32_t n = 0;
    WR_TRY_ALLOC(ctx, c);
    for (uint32_t i = 0; i < d->column_count; i++) {
        if (!filled && d->columns[i].kind == WR_COL_METADATA && d->columns[i].is_virtual) continue;
        c[n] = d->columns[i];
        if (c[n].kind == WR_COL_METADATA) c[n].kind = WR_COL_PHYSICAL;
        n++;
    }
    d->columns = c;
    d->column_count = n;
    d->distribution_kind = WR_STR("");
    d->distribution_column_count = 0;
    d->bucket_count = -1;
    d->partition_key_count = 0;
    return WR_OK;
}

static wr_status
fill(wr_ctx *ctx, wr_arena *a, const wri_test_file *f, const wri_test_timeline *t,
     const wri_test_table *mine, wr_table_desc *d)
{
    wr_option *o = WR_NEW_N(a, wr_option, 2);
    wr_text rows;
    WR_TRY_ALLOC(ctx, o);
    wr_text_init(&rows, a);
    WR_TRY(put_script(ctx, a, f, d, mine, t, &rows));
    o[0] = (wr_option){WR_STR("connector"), WR_STR("script"), WR_NO_SPAN};
    o[1] = (wr_option){WR_STR("rows"), wr_text_str(&rows), WR_NO_SPAN};
    if (!o[1].value.ptr) o[1].value = WR_STR("");
    d->options = (wr_options){o, 2};
    if (mine->watermarked) {
        if (!d->watermark_column.len)
            return wrong(ctx, f, mine->line, "the table has no WATERMARK", mine->name);
        d->watermark_expr = WR_STR("SOURCE_WATERMARK()");
    }
    return WR_OK;
}

wr_status
wri_test_take_tables(wr_ctx *ctx, wr_arena *a, wr_session *s, const wri_test_file *f,
                     wri_test_timeline *t)
{
    for (uint32_t i = 0; i < t->tables.count; i++) {
        wri_test_table *mine = &t->tables.items[i];
        const wr_table_desc *found = NULL;
        wr_table_id id;
        wr_ctx quiet;
        if (mine->done) continue;
        wr_ctx_init(&quiet); /* not there yet is no error */
        if (identify(&quiet, s, mine->name, &id) != WR_OK ||
            wr_catalogs_find_table(&quiet, wr_session_catalogs(s), &id, &found) != WR_OK || !found)
            continue;
        if (found->kind != WR_TABLE_BASE)
            return wrong(ctx, f, mine->line, "a view is neither filled nor written to", mine->name);
        wr_table_desc d = *found;
        WR_TRY(plain_table(ctx, a, mine->filled, &d));
        if (mine->filled) {
            WR_TRY(fill(ctx, a, f, t, mine, &d));
        } else {
            wr_option *o = WR_NEW_N(a, wr_option, 2);
            WR_TRY_ALLOC(ctx, o);
            o[0] = (wr_option){WR_STR("connector"), WR_STR("record"), WR_NO_SPAN};
            o[1] = (wr_option){WR_STR("changelog-mode"), WR_STR("upsert"), WR_NO_SPAN};
            if (!d.primary_key_count) /* without a key changes cannot be brought to one task */
                o[1] = (wr_option){WR_STR("single"), WR_STR("false"), WR_NO_SPAN};
            d.options = (wr_options){o, 2};
        }
        WR_TRY(wr_catalogs_replace_table(ctx, wr_session_catalogs(s), &d));
        mine->done = true;
    }
    return WR_OK;
}
