/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of _metadata. The same code runs twice: once without memory, which only counts, and
 * once into a block of just that size. Layout: ckpt_int.h and docs/reference/checkpoint-format.md.
 */
#include "state/ckpt_int.h"

typedef struct sink {
    char *p; /* NULL: only count */
    uint64_t len;
    wr_arena *scratch; /* texts of types */
    bool too_long, no_memory;
} sink;

static void
put_bytes(sink *s, const void *p, size_t n)
{
    if (s->p && n) memcpy(s->p + s->len, p, n);
    s->len += n;
}

static void
put_u8(sink *s, uint8_t v)
{
    put_bytes(s, &v, 1);
}

static void
put_u32(sink *s, uint32_t v)
{
    put_bytes(s, &v, 4);
}

static void
put_u64(sink *s, uint64_t v)
{
    put_bytes(s, &v, 8);
}

static void
put_str(sink *s, wr_str v)
{
    if (v.len > UINT32_MAX) s->too_long = true;
    put_u32(s, (uint32_t)v.len);
    put_bytes(s, v.ptr, v.len);
}

static void
put_schema(sink *s, const wr_schema *schema)
{
    put_u32(s, schema->count);
    for (uint32_t i = 0; i < schema->count; i++) {
        const wr_field *f = &schema->fields[i];
        wr_text text;
        wr_text_init(&text, s->scratch);
        wr_type_encode(f->type, &text);
        if (text.failed) s->no_memory = true;
        put_str(s, f->name);
        put_str(s, wr_text_str(&text));
        put_str(s, f->comment);
    }
}

static void
put_file(sink *s, const wr_state_file *f)
{
    put_str(s, f->name);
    put_u8(s, f->shared ? WRI_CKPT_SHARED : 0);
    put_u64(s, f->bytes);
    put_u64(s, f->checksum);
}

static void
put_table(sink *s, const wr_state_table_info *t)
{
    put_str(s, t->logical_id);
    put_u8(s, t->shape);
    put_schema(s, &t->key);
    put_u32(s, t->record_bytes);
    put_u32(s, t->record_version);
    put_u64(s, (uint64_t)t->ttl_ms);
    put_u32(s, (uint32_t)t->parent);
    put_u64(s, t->entries);
    put_u32(s, t->part_count);
    for (uint32_t i = 0; i < t->part_count; i++) {
        const wr_state_part_info *p = &t->parts[i];
        put_str(s, p->name);
        put_u8(s, p->kind);
        put_u32(s, p->offset);
        put_u32(s, p->bytes);
        put_schema(s, &p->schema);
    }
}

static void
put_handle(sink *s, const wr_state_handle *h)
{
    put_str(s, h->format);
    put_u32(s, h->kg_first);
    put_u32(s, h->kg_last);
    put_u32(s, h->max_parallelism);
    put_u64(s, h->bytes_written);
    put_str(s, h->meta);
    put_u32(s, h->file_count);
    for (uint32_t i = 0; i < h->file_count; i++) put_file(s, &h->files[i]);
    put_u32(s, h->table_count);
    for (uint32_t i = 0; i < h->table_count; i++) put_table(s, &h->tables[i]);
}

static void
put_subtask(sink *s, const wr_ckpt_subtask *t)
{
    put_u32(s, t->subtask);
    put_u32(s, (t->finished ? WRI_CKPT_FINISHED : 0u) | (t->keyed ? WRI_CKPT_KEYED : 0u) |
                   (t->inflight ? WRI_CKPT_INFLIGHT : 0u));
    put_u32(s, t->ops.lists.count);
    for (uint32_t i = 0; i < t->ops.lists.count; i++) {
        const wr_opstate_list *l = &t->ops.lists.items[i];
        put_str(s, l->name);
        put_u8(s, l->mode);
        put_u32(s, l->items.count);
        for (uint32_t k = 0; k < l->items.count; k++) put_str(s, l->items.items[k]);
    }
    if (t->keyed) put_handle(s, t->keyed);
    if (t->inflight) put_file(s, t->inflight);
}

static void
put_sum(sink *s, uint64_t from)
{
    put_u64(s, s->p ? wr_hash_bytes(s->p + from, (size_t)(s->len - from), WRI_CKPT_SEED) : 0);
}

/* The head of a section with its length still open; returns where it starts. */
static uint64_t
begin_section(sink *s, wri_ckpt_section kind)
{
    const uint64_t start = s->len;
    put_u32(s, (uint32_t)kind);
    put_u32(s, WRI_CKPT_CRITICAL);
    put_u64(s, 0);
    return start;
}

static void
end_section(sink *s, uint64_t start)
{
    const uint64_t end = s->len;
    s->len = start + 8;
    put_u64(s, end - start - WRI_CKPT_SECTION_BYTES);
    s->len = end;
    put_sum(s, start);
}

static void
put_job(sink *s, const wr_ckpt_meta *m)
{
    const uint64_t start = begin_section(s, WRI_CKPT_JOB);
    put_u8(s, m->kind);
    put_u64(s, m->id);
    put_u64(s, (uint64_t)m->time_ms);
    put_str(s, m->job_id);
    put_str(s, m->job_name);
    put_str(s, m->weir_version);
    put_str(s, m->sql);
    end_section(s, start);
}

static void
put_operator(sink *s, const wr_ckpt_operator *op)
{
    const uint64_t start = begin_section(s, WRI_CKPT_OPERATOR);
    put_str(s, op->logical_id);
    put_str(s, op->name);
    put_u32(s, op->parallelism);
    put_u32(s, op->max_parallelism);
    put_u32(s, op->subtask_count);
    for (uint32_t i = 0; i < op->subtask_count; i++) put_subtask(s, &op->subtasks[i]);
    end_section(s, start);
}

static void
put_all(sink *s, const wr_ckpt_meta *m, uint64_t total)
{
    put_bytes(s, WRI_CKPT_MAGIC, 8);
    put_u32(s, WRI_CKPT_MAJOR | WRI_CKPT_MINOR << 16);
    put_u32(s, 1 + m->operator_count);
    put_u64(s, total);
    put_sum(s, 0);
    put_job(s, m);
    for (uint32_t i = 0; i < m->operator_count; i++) put_operator(s, &m->operators[i]);
    put_sum(s, 0);
}

wr_status
wr_ckpt_encode(wr_ctx *ctx, const wr_ckpt_meta *m, wr_arena *a, wr_str *out)
{
    sink s = {.scratch = a};
    put_all(&s, m, 0);
    if (s.too_long) return wr_raise(ctx, WR_LIMIT, "a value in a checkpoint is above 4 GiB");
    if (s.no_memory || s.len > SIZE_MAX) return wr_raise(ctx, WR_NOMEM, "out of memory");
    const uint64_t total = s.len;
    s = (sink){.p = wr_arena_alloc(a, (size_t)total), .scratch = a};
    WR_TRY_ALLOC(ctx, s.p);
    put_all(&s, m, total);
    if (s.no_memory) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_ASSERT(s.len == total);
    *out = (wr_str){s.p, (size_t)total};
    return WR_OK;
}
