/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions as text: one line a fact, a word and its quoted values; the first line tells version
 * and kind, the last one the checksum of what stands before it. The format is specified in
 * README.md. Pure functions over arenas: any thread. */
#include "catalog/file_int.h"

#include <stdio.h>

#define VALUES_MAX 4096u /* of one line */

const char *
wri_file_kind_name(wri_file_kind k)
{
    static const char *const kinds[] = {"database", "table", "function"};
    return kinds[k];
}

/* ---- writing --------------------------------------------------------------------------------- */

static void
put1(wr_text *t, const char *word, wr_str a)
{
    wr_text_puts(t, word);
    wr_text_putc(t, ' ');
    wr_quoted_put(a, t);
    wr_text_putc(t, '\n');
}

static void
put2(wr_text *t, const char *word, wr_str a, wr_str b)
{
    wr_text_puts(t, word);
    wr_text_putc(t, ' ');
    wr_quoted_put(a, t);
    wr_text_putc(t, ' ');
    wr_quoted_put(b, t);
    wr_text_putc(t, '\n');
}

static void
put_list(wr_text *t, const char *word, const wr_str *first, const wr_str *list, uint32_t count)
{
    if (count == 0 && !first) return;
    wr_text_puts(t, word);
    if (first) {
        wr_text_putc(t, ' ');
        wr_quoted_put(*first, t);
    }
    for (uint32_t i = 0; i < count; i++) {
        wr_text_putc(t, ' ');
        wr_quoted_put(list[i], t);
    }
    wr_text_putc(t, '\n');
}

static void
put_options(wr_text *t, const wr_options *o)
{
    for (uint32_t i = 0; i < o->count; i++) put2(t, "option", o->items[i].key, o->items[i].value);
}

static void
put_column(wr_text *t, const wr_column *c)
{
    static const char *const kinds[] = {"physical", "metadata", "computed"};
    wr_text type;
    wr_text_init(&type, t->arena);
    wr_type_encode(c->type, &type);
    if (type.failed) t->failed = true;
    bool is_virtual = c->kind == WR_COL_METADATA && c->is_virtual;
    wr_str values[] = {c->name, wr_text_str(&type), c->metadata_key, c->expr, c->comment};
    wr_text_printf(t, "column %s", is_virtual ? "virtual" : kinds[c->kind]);
    for (uint32_t i = 0; i < (c->comment.ptr ? 5u : 4u); i++) {
        wr_text_putc(t, ' ');
        wr_quoted_put(values[i], t);
    }
    wr_text_putc(t, '\n');
}

static const char *const table_kinds[] = {
    [WR_TABLE_BASE] = "table", [WR_TABLE_VIEW] = "view", [WR_TABLE_MATERIALIZED] = "materialized"};
static const char *const refresh_states[] = {[WR_REFRESH_INITIALIZING] = "initializing",
                                             [WR_REFRESH_ACTIVATED] = "activated",
                                             [WR_REFRESH_SUSPENDED] = "suspended"};

static void
put_refresh(wr_text *t, const wr_refresh *r)
{
    wr_text_printf(t, "%s %s %lld ", r->full ? "refresh-full" : "refresh",
                   refresh_states[r->status], (long long)r->freshness_ms);
    wr_quoted_put(r->freshness, t);
    wr_text_putc(t, ' ');
    wr_quoted_put(r->savepoint, t);
    wr_text_putc(t, '\n');
}

static void
encode_table(const wr_table_desc *d, wr_text *t)
{
    char buckets[16];
    put1(t, "name", d->id.name);
    wr_text_printf(t, "kind %s\n", table_kinds[d->kind]);
    if (d->has_comment) put1(t, "comment", d->comment);
    for (uint32_t i = 0; i < d->column_count; i++) put_column(t, &d->columns[i]);
    if (d->watermark_column.len) put2(t, "watermark", d->watermark_column, d->watermark_expr);
    if (d->primary_key_count)
        put_list(t, "primary-key", &d->primary_key_name, d->primary_key, d->primary_key_count);
    put_list(t, "partitioned-by", NULL, d->partition_keys, d->partition_key_count);
    for (uint32_t i = 0; i < d->partition_count; i++) put1(t, "partition", d->partitions[i]);
    if (d->distribution_kind.len) {
        (void)snprintf(buckets, sizeof buckets, "%d", d->bucket_count);
        put2(t, "distribution", d->distribution_kind, wr_str_c(buckets));
        put_list(t, "distributed-by", NULL, d->distribution_columns, d->distribution_column_count);
    }
    put_options(t, &d->options);
    if (d->kind != WR_TABLE_BASE) put2(t, "query", d->view_expanded, d->view_original);
    if (d->kind == WR_TABLE_MATERIALIZED) put_refresh(t, &d->refresh);
}

static void
encode_database(const wr_database_desc *d, wr_text *t)
{
    put1(t, "name", d->name);
    put1(t, "comment", d->comment);
    put_options(t, &d->options);
}

static void
encode_function(const wr_function_desc *f, wr_text *t)
{
    put1(t, "name", f->name);
    put2(t, "class", f->class_name, f->language);
    put_options(t, &f->options);
}

void
wri_file_encode(wri_file_kind kind, const void *desc, wr_text *t)
{
    wr_text_printf(t, "weir-catalog %u %s\n", WRI_FILE_VERSION, wri_file_kind_name(kind));
    switch (kind) {
    case WRI_FILE_DATABASE:
        encode_database(desc, t);
        break;
    case WRI_FILE_TABLE:
        encode_table(desc, t);
        break;
    case WRI_FILE_FUNCTION:
        encode_function(desc, t);
        break;
    }
    if (t->failed) return;
    uint64_t sum = wr_hash_bytes(t->ptr, t->len, WRI_FILE_VERSION);
    wr_text_printf(t, "checksum %016llx\n", (unsigned long long)sum);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct line {
    wr_str word;
    wr_str values[8]; /* the first ones */
    WR_LIST(wr_str) all;
} line;

typedef struct decoder {
    wr_ctx *ctx;
    wr_arena *a;
    const char *path;
    wr_str rest;
    uint32_t number; /* of the line */
    bool no_memory;  /* what looks damaged could only not be read */
} decoder;

static wr_status
damaged(decoder *d, const char *why)
{
    if (d->no_memory) return wr_raise(d->ctx, WR_NOMEM, "out of memory");
    wr_hint(d->ctx, "restore the file, or drop the object and create it again; nothing else is "
                    "affected");
    return d->number
               ? wr_raise(d->ctx, WR_CORRUPT, "the catalog file '%s' is damaged: line %u: %s",
                          d->path, d->number, why)
               : wr_raise(d->ctx, WR_CORRUPT, "the catalog file '%s' is damaged: %s", d->path, why);
}

static wr_str
next_line(decoder *d)
{
    const char *nl = memchr(d->rest.ptr, '\n', d->rest.len);
    size_t n = nl ? (size_t)(nl - d->rest.ptr) : d->rest.len;
    wr_str l = {d->rest.ptr, n};
    size_t skip = nl ? n + 1 : n;
    d->rest = (wr_str){d->rest.ptr + skip, d->rest.len - skip};
    d->number++;
    return l;
}

/* A word, then quoted strings (or one bare word after `column` and `kind`). */
static wr_status
read_line(decoder *d, line *l)
{
    wr_str text = next_line(d);
    const char *p = text.ptr, *end = text.ptr + text.len;
    memset(l, 0, sizeof *l);
    while (p < end && *p != ' ') p++;
    l->word = (wr_str){text.ptr, (size_t)(p - text.ptr)};
    while (p < end) {
        wr_str value;
        if (*p++ != ' ' || p == end) return damaged(d, "a blank at the wrong place");
        if (*p == '"') {
            if (!wr_quoted_take(d->a, &p, end, &value, &d->no_memory))
                return damaged(d, "a string without end");
        } else {
            const char *start = p;
            while (p < end && *p != ' ') p++;
            value = (wr_str){start, (size_t)(p - start)};
        }
        if (l->all.count == VALUES_MAX) return damaged(d, "too many values");
        if (!wr_list_push(d->a, &l->all, value)) return wr_raise(d->ctx, WR_NOMEM, "out of memory");
        if (l->all.count <= WR_COUNT(l->values)) l->values[l->all.count - 1] = value;
    }
    return WR_OK;
}

static wr_status
need(decoder *d, const line *l, uint32_t least)
{
    return l->all.count >= least ? WR_OK : damaged(d, "a value is missing");
}

typedef WR_LIST(wr_option) option_list;
typedef WR_LIST(wr_str) name_list;

static wr_status
read_option(decoder *d, const line *l, option_list *list)
{
    WR_TRY(need(d, l, 2));
    wr_option o = {.key = l->values[0], .value = l->values[1], .span = WR_NO_SPAN};
    return wr_list_push(d->a, list, o) ? WR_OK : wr_raise(d->ctx, WR_NOMEM, "out of memory");
}

static wr_status
read_column(decoder *d, const line *l, wr_column *c)
{
    WR_TRY(need(d, l, 5));
    memset(c, 0, sizeof *c);
    c->span = WR_NO_SPAN;
    if (wr_str_eq_c(l->values[0], "computed"))
        c->kind = WR_COL_COMPUTED;
    else if (wr_str_eq_c(l->values[0], "metadata") || wr_str_eq_c(l->values[0], "virtual"))
        c->kind = WR_COL_METADATA;
    else if (!wr_str_eq_c(l->values[0], "physical"))
        return damaged(d, "an unknown kind of column");
    c->is_virtual = wr_str_eq_c(l->values[0], "virtual");
    c->name = l->values[1];
    c->type = wr_type_decode(d->a, l->values[2], &d->no_memory);
    c->metadata_key = l->values[3];
    c->expr = l->values[4];
    if (l->all.count > 5) c->comment = l->values[5];
    return c->type ? WR_OK : damaged(d, "not a data type");
}

static wr_status
read_distribution(decoder *d, const line *l, wr_table_desc *t)
{
    static const wr_option_def def = {"buckets", WR_OPT_INT, NULL, NULL, 0, NULL};
    wr_option_value v;
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    WR_TRY(need(d, l, 2));
    t->distribution_kind = l->values[0];
    if (wr_option_parse(&quiet, &def, l->values[1], WR_NO_SPAN, &v) != WR_OK)
        return damaged(d, "not a number");
    t->bucket_count = (int32_t)v.i;
    return WR_OK;
}

static int32_t
word_of(wr_str text, const char *const *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (wr_str_eq_c(text, words[i])) return (int32_t)i;
    return -1;
}

static wr_status
read_refresh(decoder *d, const line *l, wr_refresh *r)
{
    WR_TRY(need(d, l, 4));
    const int32_t state = word_of(l->values[0], refresh_states, WR_COUNT(refresh_states));
    uint64_t ms = 0;
    if (state < 0) return damaged(d, "an unknown state of a materialized table");
    for (size_t i = 0; i < l->values[1].len; i++) {
        const char c = l->values[1].ptr[i];
        if (c < '0' || c > '9' || ms > INT64_MAX / 16) return damaged(d, "not a time");
        ms = ms * 10 + (uint64_t)(c - '0');
    }
    *r = (wr_refresh){.freshness = l->values[2],
                      .freshness_ms = (int64_t)ms,
                      .status = (uint8_t)state,
                      .savepoint = l->values[3]};
    return WR_OK;
}

typedef struct table_lists {
    WR_LIST(wr_column) columns;
    option_list options;
    name_list partitions;
} table_lists;

static wr_status
read_table_key(decoder *d, const line *l, wr_table_desc *t)
{
    WR_TRY(need(d, l, 2));
    t->primary_key_name = l->values[0];
    t->primary_key = l->all.items + 1;
    t->primary_key_count = l->all.count - 1;
    return WR_OK;
}

static wr_status
read_table_line(decoder *d, const line *l, wr_table_desc *t, table_lists *x)
{
    wr_column c;
    if (wr_str_eq_c(l->word, "column")) {
        WR_TRY(read_column(d, l, &c));
        return wr_list_push(d->a, &x->columns, c) ? WR_OK
                                                  : wr_raise(d->ctx, WR_NOMEM, "out of memory");
    }
    if (wr_str_eq_c(l->word, "option")) return read_option(d, l, &x->options);
    if (wr_str_eq_c(l->word, "primary-key")) return read_table_key(d, l, t);
    if (wr_str_eq_c(l->word, "distribution")) return read_distribution(d, l, t);
    WR_TRY(need(d, l, 1));
    if (wr_str_eq_c(l->word, "name")) {
        t->id.name = l->values[0];
    } else if (wr_str_eq_c(l->word, "kind")) {
        const int32_t kind = word_of(l->values[0], table_kinds, WR_COUNT(table_kinds));
        if (kind < 0) return damaged(d, "an unknown kind of table");
        t->kind = (uint8_t)kind;
    } else if (wr_str_eq_c(l->word, "refresh") || wr_str_eq_c(l->word, "refresh-full")) {
        WR_TRY(read_refresh(d, l, &t->refresh));
        t->refresh.full = wr_str_eq_c(l->word, "refresh-full");
    } else if (wr_str_eq_c(l->word, "comment")) {
        t->has_comment = true;
        t->comment = l->values[0];
    } else if (wr_str_eq_c(l->word, "watermark")) {
        WR_TRY(need(d, l, 2));
        t->watermark_column = l->values[0];
        t->watermark_expr = l->values[1];
    } else if (wr_str_eq_c(l->word, "partitioned-by")) {
        t->partition_keys = l->all.items;
        t->partition_key_count = l->all.count;
    } else if (wr_str_eq_c(l->word, "partition")) {
        if (!wr_list_push(d->a, &x->partitions, l->values[0]))
            return wr_raise(d->ctx, WR_NOMEM, "out of memory");
    } else if (wr_str_eq_c(l->word, "distributed-by")) {
        t->distribution_columns = l->all.items;
        t->distribution_column_count = l->all.count;
    } else if (wr_str_eq_c(l->word, "query")) {
        WR_TRY(need(d, l, 2));
        t->view_expanded = l->values[0];
        t->view_original = l->values[1];
    } else {
        return damaged(d, "an unknown word");
    }
    return WR_OK;
}

static wr_status
decode_table(decoder *d, void **out)
{
    wr_table_desc *t = WR_NEW(d->a, wr_table_desc);
    table_lists x = {0};
    WR_TRY_ALLOC(d->ctx, t);
    t->watermark_column = t->watermark_expr = t->primary_key_name = t->comment = WR_STR("");
    t->distribution_kind = t->view_expanded = t->view_original = WR_STR("");
    t->refresh.freshness = t->refresh.savepoint = WR_STR("");
    t->bucket_count = -1;
    while (d->rest.len) {
        line l;
        WR_TRY(read_line(d, &l));
        WR_TRY(read_table_line(d, &l, t, &x));
    }
    t->columns = x.columns.items;
    t->column_count = x.columns.count;
    t->options = (wr_options){.items = x.options.items, .count = x.options.count};
    t->partitions = x.partitions.items;
    t->partition_count = x.partitions.count;
    *out = t;
    return t->id.name.len ? WR_OK : damaged(d, "it has no name");
}

static wr_status
decode_database(decoder *d, void **out)
{
    wr_database_desc *db = WR_NEW(d->a, wr_database_desc);
    option_list options = {0};
    WR_TRY_ALLOC(d->ctx, db);
    while (d->rest.len) {
        line l;
        WR_TRY(read_line(d, &l));
        WR_TRY(need(d, &l, 1));
        if (wr_str_eq_c(l.word, "name"))
            db->name = l.values[0];
        else if (wr_str_eq_c(l.word, "comment"))
            db->comment = l.values[0];
        else if (wr_str_eq_c(l.word, "option"))
            WR_TRY(read_option(d, &l, &options));
        else
            return damaged(d, "an unknown word");
    }
    db->options = (wr_options){.items = options.items, .count = options.count};
    *out = db;
    return db->name.len ? WR_OK : damaged(d, "it has no name");
}

static wr_status
decode_function(decoder *d, void **out)
{
    wr_function_desc *f = WR_NEW(d->a, wr_function_desc);
    option_list options = {0};
    WR_TRY_ALLOC(d->ctx, f);
    while (d->rest.len) {
        line l;
        WR_TRY(read_line(d, &l));
        WR_TRY(need(d, &l, 1));
        if (wr_str_eq_c(l.word, "name")) {
            f->name = l.values[0];
        } else if (wr_str_eq_c(l.word, "class")) {
            WR_TRY(need(d, &l, 2));
            f->class_name = l.values[0];
            f->language = l.values[1];
        } else if (wr_str_eq_c(l.word, "option")) {
            WR_TRY(read_option(d, &l, &options));
        } else {
            return damaged(d, "an unknown word");
        }
    }
    f->options = (wr_options){.items = options.items, .count = options.count};
    *out = f;
    return f->name.len ? WR_OK : damaged(d, "it has no name");
}

/* Takes the checksum line off the end and compares. */
static wr_status
check_sum(decoder *d)
{
    static const char word[] = "checksum ";
    size_t tail = sizeof word - 1 + 16 + 1;
    char want[17];
    if (d->rest.len < tail || d->rest.ptr[d->rest.len - 1] != '\n')
        return damaged(d, "it has no checksum");
    wr_str body = {d->rest.ptr, d->rest.len - tail};
    const char *at = body.ptr + body.len;
    if (memcmp(at, word, sizeof word - 1) != 0) return damaged(d, "it has no checksum");
    (void)snprintf(want, sizeof want, "%016llx",
                   (unsigned long long)wr_hash_bytes(body.ptr, body.len, WRI_FILE_VERSION));
    if (memcmp(at + sizeof word - 1, want, 16) != 0)
        return damaged(d, "its checksum is not that of its content");
    d->rest = body;
    return WR_OK;
}

static wr_status
check_head(decoder *d, wri_file_kind kind)
{
    static const char word[] = "weir-catalog ";
    char want[64];
    if (!wr_str_starts(d->rest, wr_str_c(word))) return damaged(d, "it is not a catalog file");
    (void)snprintf(want, sizeof want, "%s%u ", word, WRI_FILE_VERSION);
    if (!wr_str_starts(d->rest, wr_str_c(want)))
        return wr_raise(d->ctx, WR_CORRUPT,
                        "the catalog file '%s' was written by another version of weir", d->path);
    (void)snprintf(want, sizeof want, "%s%u %s", word, WRI_FILE_VERSION, wri_file_kind_name(kind));
    WR_TRY(check_sum(d));
    wr_str head = next_line(d);
    return wr_str_eq_c(head, want) ? WR_OK : damaged(d, "it describes another kind of object");
}

wr_status
wri_file_decode(wr_ctx *ctx, wri_file_kind kind, wr_str content, const char *path, wr_arena *a,
                void **desc)
{
    decoder d = {.ctx = ctx, .a = a, .path = path, .rest = content};
    WR_TRY(check_head(&d, kind));
    switch (kind) {
    case WRI_FILE_DATABASE:
        return decode_database(&d, desc);
    case WRI_FILE_TABLE:
        return decode_table(&d, desc);
    case WRI_FILE_FUNCTION:
        return decode_function(&d, desc);
    }
    return wr_raise(ctx, WR_INTERNAL, "unknown kind of catalog file");
}
