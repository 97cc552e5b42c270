/* SPDX-License-Identifier: Apache-2.0 */
/* `weir savepoint diff OLD NEW`: operators and tables that came or went, columns and records that
 * changed, and per table how many entries were added, removed and changed. Entries are compared by
 * hashes of their keys and of what they hold: 24 bytes of memory an entry. */
#include "cli/savepoint_int.h"

typedef struct mark { /* one entry */
    uint64_t key[2];  /* of table and keys: two hashes, 128 bits */
    uint64_t value;
    uint32_t table; /* index in the operator's list of tables */
    uint32_t pad;
} mark;

typedef struct side {
    const wr_ckpt_meta *m;
    wr_state_reader *reader;
    wri_kept_op op;
    mark *marks;
    uint64_t count, cap;
} side;

typedef struct table_diff {
    uint64_t added, removed, changed;
} table_diff;

/* ---- entries --------------------------------------------------------------------------------- */

static uint64_t
hash_value(const wr_ckpt_entry *e, const wr_state_table_info *info)
{
    uint64_t h = wr_hash_bytes(e->record, info->record_bytes, 0);
    for (uint32_t i = 0; i + 16 <= info->record_bytes; i += 8) {
        wr_str blob;
        if (e->blob_count && wr_ckpt_entry_blob(e, i, &blob))
            h = wr_hash_bytes(blob.ptr, blob.len, h + i);
    }
    return h;
}

static wr_status
push(wr_ctx *ctx, side *s, const mark *m)
{
    if (s->count == s->cap) {
        const uint64_t cap = s->cap ? s->cap * 2 : 1024;
        mark *p = wr_mem_realloc(NULL, s->marks, s->cap * sizeof *p, cap * sizeof *p);
        WR_TRY_ALLOC(ctx, p);
        s->marks = p;
        s->cap = cap;
    }
    s->marks[s->count++] = *m;
    return WR_OK;
}

static uint32_t
table_number(const wri_kept_op *op, wr_str id)
{
    for (uint32_t i = 0; i < op->table_count; i++)
        if (wr_str_eq(op->tables[i].info->logical_id, id)) return i;
    return UINT32_MAX;
}

static wr_status
scan_handle(wr_ctx *ctx, side *s, const wr_state_handle *h)
{
    wr_ckpt_scan *scan;
    wr_ckpt_entry e;
    bool end = false;
    WR_TRY(wr_ckpt_scan_open(ctx, h, s->reader, NULL, NULL, &scan));
    wr_status status = wr_ckpt_scan_next(ctx, scan, &e, &end);
    while (status == WR_OK && !end) {
        const wr_state_table_info *info = &h->tables[e.table];
        mark m = {.table = table_number(&s->op, info->logical_id), .value = hash_value(&e, info)};
        for (uint32_t i = 0; i < 2; i++) {
            m.key[i] = wr_hash_bytes(info->logical_id.ptr, info->logical_id.len, i);
            m.key[i] = wr_hash_bytes(e.parent_key.ptr, e.parent_key.len, m.key[i]);
            m.key[i] = wr_hash_bytes(e.key.ptr, e.key.len, m.key[i] + e.parent_key.len);
        }
        status = push(ctx, s, &m);
        if (status == WR_OK) status = wr_ckpt_scan_next(ctx, scan, &e, &end);
    }
    wr_ckpt_scan_close(scan);
    return status;
}

static int
by_key(const void *a, const void *b)
{
    const mark *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
    return 0;
}

static wr_status
scan_operator(wr_ctx *ctx, side *s)
{
    s->count = 0;
    for (uint32_t i = 0; i < s->op.op->subtask_count; i++)
        if (s->op.op->subtasks[i].keyed) WR_TRY(scan_handle(ctx, s, s->op.op->subtasks[i].keyed));
    if (s->count) qsort(s->marks, s->count, sizeof *s->marks, by_key);
    return WR_OK;
}

/* Both sides sorted: who is alone was added or removed. Counted at the new side's tables, or, for a
 * table that is gone, at the old side's. */
static void
merge(const side *o, const side *n, table_diff *old_diffs, table_diff *new_diffs)
{
    uint64_t i = 0, k = 0;
    while (i < o->count || k < n->count) {
        const int c = i == o->count ? 1 : k == n->count ? -1 : by_key(&o->marks[i], &n->marks[k]);
        if (c < 0) old_diffs[o->marks[i].table].removed++;
        if (c > 0) new_diffs[n->marks[k].table].added++;
        if (c == 0 && o->marks[i].value != n->marks[k].value)
            new_diffs[n->marks[k].table].changed++;
        i += c <= 0;
        k += c >= 0;
    }
}

/* ---- what a table is ------------------------------------------------------------------------- */

static bool
same_schema(const wr_schema *a, const wr_schema *b)
{
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!wr_str_eq(a->fields[i].name, b->fields[i].name) ||
            !wr_type_eq(a->fields[i].type, b->fields[i].type))
            return false;
    return true;
}

static bool
same_parts(const wr_state_table_info *a, const wr_state_table_info *b)
{
    if (a->part_count != b->part_count || a->record_bytes != b->record_bytes) return false;
    for (uint32_t i = 0; i < a->part_count; i++) {
        const wr_state_part_info *x = &a->parts[i], *y = &b->parts[i];
        if (!wr_str_eq(x->name, y->name) || x->kind != y->kind || x->offset != y->offset ||
            x->bytes != y->bytes || !same_schema(&x->schema, &y->schema))
            return false;
    }
    return true;
}

/* "key", "record", "key and record", or "" */
static const char *
layout_change(const wr_state_table_info *a, const wr_state_table_info *b)
{
    const bool key = a->shape != b->shape || !same_schema(&a->key, &b->key);
    const bool record = !same_parts(a, b);
    return key && record ? "key and record" : key ? "key" : record ? "record" : "";
}

/* ---- the report ------------------------------------------------------------------------------ */

typedef struct report {
    wr_text *t;
    bool json;
    uint32_t lines;
} report;

static void
put_line(report *r, const char *what, wr_str op, wr_str table, const table_diff *d,
         const char *detail)
{
    wr_text *t = r->t;
    r->lines++;
    if (!r->json) {
        wr_text_printf(t, "%s operator %.*s", what, WR_STR_ARG(op));
        if (table.len) wr_text_printf(t, ", table %.*s", WR_STR_ARG(table));
        if (detail[0]) wr_text_printf(t, ": %s", detail);
        if (d)
            wr_text_printf(t, "%s%llu added, %llu removed, %llu changed", detail[0] ? "; " : ": ",
                           (unsigned long long)d->added, (unsigned long long)d->removed,
                           (unsigned long long)d->changed);
        wr_text_putc(t, '\n');
        return;
    }
    wr_text_puts(t, r->lines > 1 ? ",\n" : "\n");
    wr_text_printf(t, "{\"change\":\"%s\",\"operator\":",
                   what[0] == '+'   ? "added"
                   : what[0] == '-' ? "removed"
                                    : "changed");
    wri_json_string(t, op);
    if (table.len) {
        wr_text_puts(t, ",\"table\":");
        wri_json_string(t, table);
    }
    if (detail[0]) {
        wr_text_puts(t, ",\"detail\":");
        wri_json_string(t, wr_str_c(detail));
    }
    if (d)
        wr_text_printf(t, ",\"entriesAdded\":%llu,\"entriesRemoved\":%llu,\"entriesChanged\":%llu",
                       (unsigned long long)d->added, (unsigned long long)d->removed,
                       (unsigned long long)d->changed);
    wr_text_putc(t, '}');
}

static void
put_tables(report *r, const side *o, const side *n, const table_diff *od, const table_diff *nd)
{
    const wr_str id = n->op.op->logical_id;
    for (uint32_t i = 0; i < o->op.table_count; i++) {
        const wr_str name = o->op.tables[i].info->logical_id;
        if (table_number(&n->op, name) == UINT32_MAX) put_line(r, "-", id, name, &od[i], "");
    }
    for (uint32_t i = 0; i < n->op.table_count; i++) {
        const wr_state_table_info *info = n->op.tables[i].info;
        const uint32_t k = table_number(&o->op, info->logical_id);
        char detail[64] = "";
        table_diff d = nd[i];
        if (k != UINT32_MAX) {
            const char *layout = layout_change(o->op.tables[k].info, info);
            if (layout[0]) (void)snprintf(detail, sizeof detail, "another %s", layout);
            d.removed = od[k].removed;
        }
        if (k == UINT32_MAX)
            put_line(r, "+", id, info->logical_id, &d, "");
        else if (detail[0] || d.added || d.removed || d.changed)
            put_line(r, "~", id, info->logical_id, &d, detail);
    }
}

static bool
same_lists(const wr_ckpt_operator *a, const wr_ckpt_operator *b)
{
    if (a->subtask_count != b->subtask_count) return false;
    for (uint32_t i = 0; i < a->subtask_count; i++) {
        const wr_opstate *x = &a->subtasks[i].ops, *y = &b->subtasks[i].ops;
        if (x->lists.count != y->lists.count) return false;
        for (uint32_t k = 0; k < x->lists.count; k++) {
            const wr_opstate_list *l = &x->lists.items[k], *m = &y->lists.items[k];
            if (!wr_str_eq(l->name, m->name) || l->items.count != m->items.count) return false;
            for (uint32_t j = 0; j < l->items.count; j++)
                if (!wr_str_eq(l->items.items[j], m->items.items[j])) return false;
        }
    }
    return true;
}

static wr_status
diff_operator(wr_ctx *ctx, report *r, side *o, side *n, wr_arena *a)
{
    const wr_ckpt_operator *before = o->op.op, *after = n->op.op;
    char detail[96];
    table_diff *od = WR_NEW_N(a, table_diff, o->op.table_count + 1);
    table_diff *nd = WR_NEW_N(a, table_diff, n->op.table_count + 1);
    if (!od || !nd) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(scan_operator(ctx, o));
    WR_TRY(scan_operator(ctx, n));
    merge(o, n, od, nd);
    if (before->parallelism != after->parallelism) {
        (void)snprintf(detail, sizeof detail, "parallelism %u, was %u", after->parallelism,
                       before->parallelism);
        put_line(r, "~", after->logical_id, WR_STR(""), NULL, detail);
    } else if (!same_lists(before, after)) {
        put_line(r, "~", after->logical_id, WR_STR(""), NULL, "other operator state");
    }
    put_tables(r, o, n, od, nd);
    return WR_OK;
}

static wr_status
diff_all(wr_ctx *ctx, report *r, side *o, side *n, wr_arena *a)
{
    for (uint32_t i = 0; i < o->m->operator_count; i++) {
        const wr_str id = o->m->operators[i].logical_id;
        if (!wr_ckpt_find(n->m, id)) put_line(r, "-", id, WR_STR(""), NULL, "");
    }
    for (uint32_t i = 0; i < n->m->operator_count; i++) {
        const wr_ckpt_operator *after = &n->m->operators[i];
        const wr_ckpt_operator *before = wr_ckpt_find(o->m, after->logical_id);
        if (!before) {
            put_line(r, "+", after->logical_id, WR_STR(""), NULL, "");
            continue;
        }
        if (!wri_kept_op_sum(a, before, &o->op) || !wri_kept_op_sum(a, after, &n->op))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        WR_TRY(diff_operator(ctx, r, o, n, a));
    }
    return WR_OK;
}

static wr_status
open_side(wr_ctx *ctx, const char *path, wr_arena *a, side *s)
{
    wr_ckpt_meta *m;
    WR_TRY(wr_ckpt_load(ctx, wr_str_c(path), a, &m));
    s->m = m;
    return wr_ckpt_reader(ctx, m, a, &s->reader);
}

wr_status
wri_savepoint_diff(wr_ctx *ctx, const wri_args *args, wr_arena *a)
{
    side o = {0}, n = {0};
    wr_text t;
    wr_text_init(&t, a);
    report r = {.t = &t, .json = args->json};
    WR_TRY(open_side(ctx, args->files[1], a, &o));
    WR_TRY(open_side(ctx, args->files[2], a, &n));
    if (r.json) wr_text_puts(&t, "[");
    const wr_status status = diff_all(ctx, &r, &o, &n, a);
    wr_mem_free(NULL, o.marks, o.cap * sizeof *o.marks);
    wr_mem_free(NULL, n.marks, n.cap * sizeof *n.marks);
    WR_TRY(status);
    if (r.json)
        wr_text_puts(&t, r.lines ? "\n]\n" : "]\n");
    else if (!r.lines)
        wr_text_puts(&t, "no difference\n");
    if (t.failed) return wr_text_raise(ctx, &t);
    return wri_savepoint_print(ctx, wr_text_str(&t));
}
