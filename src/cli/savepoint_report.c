/* SPDX-License-Identifier: Apache-2.0 */
/* What `weir savepoint inspect` says: the job, and per operator its tables with key and parts, its
 * lists, its files. Subtasks are added up; the JSON report names them as well. */
#include "cli/savepoint_int.h"
#include "types/datetime.h"

/* ---- adding up ------------------------------------------------------------------------------- */

static void
add_tables(wri_kept_op *k, const wr_state_handle *h)
{
    for (uint32_t i = 0; i < h->table_count; i++) {
        uint32_t at = 0;
        while (at < k->table_count &&
               !wr_str_eq(k->tables[at].info->logical_id, h->tables[i].logical_id))
            at++;
        if (at == k->table_count)
            k->tables[k->table_count++] = (wri_kept_table){&h->tables[i], h, 0};
        k->tables[at].entries += h->tables[i].entries;
    }
}

static void
add_lists(wri_kept_op *k, const wr_opstate *ops)
{
    for (uint32_t i = 0; i < ops->lists.count; i++) {
        const wr_opstate_list *l = &ops->lists.items[i];
        uint32_t at = 0;
        while (at < k->list_count && !wr_str_eq(k->lists[at].list->name, l->name)) at++;
        if (at == k->list_count) k->lists[k->list_count++] = (wri_kept_list){l, 0, 0};
        k->lists[at].items += l->items.count;
        for (uint32_t n = 0; n < l->items.count; n++) k->lists[at].bytes += l->items.items[n].len;
    }
}

bool
wri_kept_op_sum(wr_arena *a, const wr_ckpt_operator *op, wri_kept_op *out)
{
    uint64_t tables = 1, lists = 1;
    *out = (wri_kept_op){.op = op, .format = WR_STR("")};
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        tables += op->subtasks[i].keyed ? op->subtasks[i].keyed->table_count : 0;
        lists += op->subtasks[i].ops.lists.count;
    }
    out->tables = WR_NEW_N(a, wri_kept_table, tables);
    out->lists = WR_NEW_N(a, wri_kept_list, lists);
    if (!out->tables || !out->lists) return false;
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        const wr_ckpt_subtask *t = &op->subtasks[i];
        out->finished += t->finished;
        add_lists(out, &t->ops);
        if (t->inflight) out->inflight_bytes += t->inflight->bytes;
        if (!t->keyed) continue;
        out->keyed++;
        out->files += t->keyed->file_count;
        out->new_bytes += t->keyed->bytes_written;
        if (!out->format.len) out->format = t->keyed->format;
        for (uint32_t n = 0; n < t->keyed->file_count; n++) out->bytes += t->keyed->files[n].bytes;
        add_tables(out, t->keyed);
    }
    return true;
}

/* ---- for people ------------------------------------------------------------------------------ */

/* "k BIGINT NOT NULL, name STRING" */
static void
put_schema(wr_text *t, const wr_schema *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const wr_field *f = &s->fields[i];
        if (i) wr_text_puts(t, ", ");
        wr_text_put(t, f->name.ptr, f->name.len);
        wr_text_putc(t, ' ');
        wr_type_print(f->type, WR_TYPE_SUMMARY, t);
    }
}

/* "1 file", "2 files" */
static void
put_count(wr_text *t, uint64_t n, const char *noun)
{
    wr_text_printf(t, "%llu %s%s", (unsigned long long)n, noun, n == 1 ? "" : "s");
}

/* "3.4 MiB" */
static void
put_bytes(wr_text *t, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    double v = (double)bytes;
    int u = -1;
    while (v >= 1024 && u + 1 < (int)WR_COUNT(units)) {
        v /= 1024;
        u++;
    }
    if (u < 0)
        put_count(t, bytes, "byte");
    else
        wr_text_printf(t, "%.1f %s", v, units[u]);
}

static const char *
kind_words(uint8_t kind)
{
    static const char *const words[WR_CHECKPOINT_KINDS] = {
        [WR_CHECKPOINT] = "checkpoint",
        [WR_CHECKPOINT_FULL] = "full checkpoint",
        [WR_SAVEPOINT_CANONICAL] = "canonical savepoint",
        [WR_SAVEPOINT_NATIVE] = "native savepoint",
    };
    return words[kind];
}

static const char *
shape_word(uint8_t shape)
{
    return shape == WR_STATE_MAP ? "map" : shape == WR_STATE_ORDERED ? "ordered" : "value";
}

static const char *
mode_words(uint8_t mode)
{
    return mode == WR_OPSTATE_UNION       ? "all to everybody"
           : mode == WR_OPSTATE_BROADCAST ? "the same for everybody"
                                          : "dealt out";
}

static void
put_time(wr_text *t, int64_t ms)
{
    char text[WR_DT_TEXT_MAX];
    const wr_ts ts = {.ms = ms};
    wr_text_put(t, text, wr_ts_print(ts, 3, text));
}

static void
put_table(wr_text *t, const wri_kept_table *k)
{
    const wr_state_table_info *i = k->info;
    wr_text_printf(t, "    table %.*s: %s", WR_STR_ARG(i->logical_id), shape_word(i->shape));
    if (i->parent >= 0)
        wr_text_printf(t, " in %.*s", WR_STR_ARG(k->of->tables[i->parent].logical_id));
    wr_text_printf(t, ", %llu entries", (unsigned long long)k->entries);
    if (i->ttl_ms) wr_text_printf(t, ", kept for %lld ms", (long long)i->ttl_ms);
    wr_text_puts(t, "\n      key: ");
    if (i->key.count)
        put_schema(t, &i->key);
    else
        wr_text_puts(t, "none");
    wr_text_putc(t, '\n');
    for (uint32_t p = 0; p < i->part_count; p++) {
        const wr_state_part_info *part = &i->parts[p];
        if (part->kind == WR_PART_TRANSIENT) continue;
        wr_text_printf(t, "      %.*s: ", WR_STR_ARG(part->name));
        if (part->kind == WR_PART_ROW) {
            wr_text_puts(t, "row (");
            put_schema(t, &part->schema);
            wr_text_puts(t, ")\n");
        } else {
            put_count(t, part->bytes, "byte");
            wr_text_putc(t, '\n');
        }
    }
}

static void
put_operator(wr_text *t, const wri_kept_op *k)
{
    const wr_ckpt_operator *op = k->op;
    wr_text_printf(t, "\noperator %.*s\n", WR_STR_ARG(op->logical_id));
    wr_text_printf(t, "  %.*s, parallelism %u, %u key groups", WR_STR_ARG(op->name),
                   op->parallelism, op->max_parallelism);
    if (k->finished) wr_text_printf(t, ", %u finished", k->finished);
    wr_text_putc(t, '\n');
    if (k->keyed) {
        wr_text_printf(t, "  keyed state (%.*s): ", WR_STR_ARG(k->format));
        put_bytes(t, k->bytes);
        wr_text_puts(t, " in ");
        put_count(t, k->files, "file");
        wr_text_puts(t, ", ");
        put_bytes(t, k->new_bytes);
        wr_text_puts(t, " new\n");
    }
    for (uint32_t i = 0; i < k->table_count; i++) put_table(t, &k->tables[i]);
    for (uint32_t i = 0; i < k->list_count; i++) {
        const wri_kept_list *l = &k->lists[i];
        wr_text_printf(t, "  list %.*s: ", WR_STR_ARG(l->list->name));
        put_count(t, l->items, "item");
        wr_text_puts(t, ", ");
        put_bytes(t, l->bytes);
        wr_text_printf(t, ", %s\n", mode_words(l->list->mode));
    }
    if (k->inflight_bytes) {
        wr_text_puts(t, "  in flight: ");
        put_bytes(t, k->inflight_bytes);
        wr_text_putc(t, '\n');
    }
}

void
wri_savepoint_text(const wr_ckpt_meta *m, bool verified, wr_text *t)
{
    wr_text_printf(t, "%.*s\n", WR_STR_ARG(m->path));
    wr_text_printf(t, "  %s %llu, format version %u, taken ", kind_words(m->kind),
                   (unsigned long long)m->id, m->version);
    put_time(t, m->time_ms);
    wr_text_printf(t, " UTC by weir %.*s\n", WR_STR_ARG(m->weir_version));
    wr_text_printf(t, "  job %.*s", WR_STR_ARG(m->job_id));
    if (m->job_name.len) wr_text_printf(t, " (%.*s)", WR_STR_ARG(m->job_name));
    wr_text_puts(t, "\n  state: ");
    put_bytes(t, wr_ckpt_bytes(m));
    wr_text_puts(t, verified ? "; every file is there and its checksum is right\n" : "\n");
    for (uint32_t i = 0; i < m->operator_count; i++) {
        wri_kept_op k;
        if (!wri_kept_op_sum(t->arena, &m->operators[i], &k)) t->failed = true;
        if (t->failed) return;
        put_operator(t, &k);
    }
}

void
wri_savepoint_disposed_text(const wr_ckpt_disposed *d, wr_text *t)
{
    const wr_ckpt_meta *m = d->meta;
    wr_text_printf(t, "removed %s %llu in %.*s: ", kind_words(m->kind), (unsigned long long)m->id,
                   WR_STR_ARG(m->path));
    put_count(t, d->files, "file");
    wr_text_puts(t, ", ");
    put_bytes(t, d->bytes);
    wr_text_putc(t, '\n');
    if (d->shared) {
        put_count(t, d->shared, "shared file");
        wr_text_printf(t, " stay%s: other checkpoints of the job use %s\n",
                       d->shared == 1 ? "s" : "", d->shared == 1 ? "it" : "them");
    }
    if (d->others) {
        wr_text_printf(t, "the folder stays: there %s ", d->others == 1 ? "is" : "are");
        put_count(t, d->others, "other file");
        wr_text_puts(t, " in it\n");
    }
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void
json_key(wr_text *t, const char *key)
{
    if (t->len && t->ptr[t->len - 1] != '{' && t->ptr[t->len - 1] != '[') wr_text_putc(t, ',');
    if (key) wr_text_printf(t, "\"%s\":", key);
}

static void
json_str(wr_text *t, const char *key, wr_str v)
{
    json_key(t, key);
    wri_json_string(t, v);
}

static void
json_u64(wr_text *t, const char *key, uint64_t v)
{
    json_key(t, key);
    wr_text_printf(t, "%llu", (unsigned long long)v);
}

static void
json_i64(wr_text *t, const char *key, int64_t v)
{
    json_key(t, key);
    wr_text_printf(t, "%lld", (long long)v);
}

static void
json_bool(wr_text *t, const char *key, bool v)
{
    json_key(t, key);
    wr_text_puts(t, v ? "true" : "false");
}

static void
json_open(wr_text *t, const char *key, char bracket)
{
    json_key(t, key);
    wr_text_putc(t, bracket);
}

static void
json_schema(wr_text *t, const char *key, const wr_schema *s)
{
    json_open(t, key, '[');
    for (uint32_t i = 0; i < s->count; i++) {
        json_open(t, NULL, '{');
        json_str(t, "name", s->fields[i].name);
        json_str(t, "type", wr_type_str(s->fields[i].type, WR_TYPE_SUMMARY, t->arena));
        wr_text_putc(t, '}');
    }
    wr_text_putc(t, ']');
}

static void
json_table(wr_text *t, const wri_kept_table *k)
{
    static const char *const kinds[WR_PART_KINDS] = {"plain", "transient", "row"};
    const wr_state_table_info *i = k->info;
    json_open(t, NULL, '{');
    json_str(t, "id", i->logical_id);
    json_str(t, "shape", wr_str_c(shape_word(i->shape)));
    if (i->parent >= 0) json_str(t, "parent", k->of->tables[i->parent].logical_id);
    json_u64(t, "entries", k->entries);
    json_i64(t, "ttlMs", i->ttl_ms);
    json_u64(t, "recordBytes", i->record_bytes);
    json_schema(t, "key", &i->key);
    json_open(t, "parts", '[');
    for (uint32_t p = 0; p < i->part_count; p++) {
        const wr_state_part_info *part = &i->parts[p];
        json_open(t, NULL, '{');
        json_str(t, "name", part->name);
        json_str(t, "kind", wr_str_c(kinds[part->kind]));
        json_u64(t, "offset", part->offset);
        json_u64(t, "bytes", part->bytes);
        if (part->schema.count) json_schema(t, "schema", &part->schema);
        wr_text_putc(t, '}');
    }
    wr_text_puts(t, "]}");
}

static void
json_file(wr_text *t, const char *key, const wr_state_file *f)
{
    json_open(t, key, '{');
    json_str(t, "name", f->name);
    json_bool(t, "shared", f->shared);
    json_u64(t, "bytes", f->bytes);
    wr_text_printf(t, ",\"checksum\":\"%016llx\"}", (unsigned long long)f->checksum);
}

static void
json_subtask(wr_text *t, const wr_ckpt_subtask *s)
{
    json_open(t, NULL, '{');
    json_u64(t, "subtask", s->subtask);
    json_bool(t, "finished", s->finished);
    if (s->keyed) {
        json_str(t, "format", s->keyed->format);
        json_u64(t, "firstKeyGroup", s->keyed->kg_first);
        json_u64(t, "lastKeyGroup", s->keyed->kg_last);
        json_u64(t, "newBytes", s->keyed->bytes_written);
        json_open(t, "files", '[');
        for (uint32_t i = 0; i < s->keyed->file_count; i++) json_file(t, NULL, &s->keyed->files[i]);
        wr_text_putc(t, ']');
    }
    if (s->inflight) json_file(t, "inflight", s->inflight);
    wr_text_putc(t, '}');
}

static void
json_operator(wr_text *t, const wri_kept_op *k)
{
    const wr_ckpt_operator *op = k->op;
    json_open(t, NULL, '{');
    json_str(t, "id", op->logical_id);
    json_str(t, "name", op->name);
    json_u64(t, "parallelism", op->parallelism);
    json_u64(t, "maxParallelism", op->max_parallelism);
    json_u64(t, "bytes", k->bytes);
    json_open(t, "tables", '[');
    for (uint32_t i = 0; i < k->table_count; i++) json_table(t, &k->tables[i]);
    wr_text_putc(t, ']');
    json_open(t, "lists", '[');
    for (uint32_t i = 0; i < k->list_count; i++) {
        json_open(t, NULL, '{');
        json_str(t, "name", k->lists[i].list->name);
        json_u64(t, "items", k->lists[i].items);
        json_u64(t, "bytes", k->lists[i].bytes);
        wr_text_putc(t, '}');
    }
    wr_text_putc(t, ']');
    json_open(t, "subtasks", '[');
    for (uint32_t i = 0; i < op->subtask_count; i++) json_subtask(t, &op->subtasks[i]);
    wr_text_puts(t, "]}");
}

void
wri_savepoint_json(const wr_ckpt_meta *m, bool verified, wr_text *t)
{
    wr_text_putc(t, '{');
    json_str(t, "path", m->path);
    json_str(t, "kind", wr_str_c(kind_words(m->kind)));
    json_u64(t, "id", m->id);
    json_u64(t, "formatVersion", m->version);
    json_i64(t, "timeMs", m->time_ms);
    json_str(t, "weirVersion", m->weir_version);
    json_str(t, "jobId", m->job_id);
    json_str(t, "jobName", m->job_name);
    json_str(t, "sql", m->sql);
    json_u64(t, "bytes", wr_ckpt_bytes(m));
    json_bool(t, "verified", verified);
    json_open(t, "operators", '[');
    for (uint32_t i = 0; i < m->operator_count; i++) {
        wri_kept_op k;
        if (!wri_kept_op_sum(t->arena, &m->operators[i], &k)) t->failed = true;
        if (t->failed) return;
        json_operator(t, &k);
    }
    wr_text_puts(t, "]}\n");
}

void
wri_savepoint_disposed_json(const wr_ckpt_disposed *d, wr_text *t)
{
    wr_text_putc(t, '{');
    json_str(t, "path", d->meta->path);
    json_str(t, "kind", wr_str_c(kind_words(d->meta->kind)));
    json_u64(t, "id", d->meta->id);
    json_u64(t, "removedFiles", d->files);
    json_u64(t, "removedBytes", d->bytes);
    json_u64(t, "sharedFilesKept", d->shared);
    json_u64(t, "otherFilesKept", d->others);
    wr_text_puts(t, "}\n");
}
