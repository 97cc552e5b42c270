/* SPDX-License-Identifier: Apache-2.0 */
/* _metadata read back. Any bytes may come: every length is compared with what is left, every number
 * with its range, and what the reader of a checkpoint relies on (parents before children, parts
 * inside their record, subtasks below the parallelism, names that stay in the folder) is checked
 * here, once. Strings point into the bytes; lists lie in the arena. */
#include "state/ckpt_int.h"

typedef struct source {
    wr_ctx *ctx;
    wr_arena *a;
    const uint8_t *p, *end;
    uint64_t minor;
    const char *where; /* what is being read, for the message */
    wr_status status;  /* the first failure; afterwards everything reads as zero */
} source;

static void
damaged(source *s, const char *why)
{
    if (s->status != WR_OK) return;
    s->status = wr_raise(s->ctx, WR_CORRUPT, "the metadata of a checkpoint is damaged: %s in %s",
                         why, s->where);
    s->p = s->end;
}

static void
no_memory(source *s)
{
    if (s->status == WR_OK) s->status = wr_raise(s->ctx, WR_NOMEM, "out of memory");
    s->p = s->end;
}

static const uint8_t *
get_bytes(source *s, uint64_t n)
{
    if (n > (uint64_t)(s->end - s->p)) {
        damaged(s, "the bytes end early");
        return NULL;
    }
    const uint8_t *p = s->p;
    s->p += n;
    return p;
}

static uint8_t
get_u8(source *s)
{
    const uint8_t *p = get_bytes(s, 1);
    return p ? *p : 0;
}

static uint32_t
get_u32(source *s)
{
    const uint8_t *p = get_bytes(s, 4);
    return p ? wr_load32(p) : 0;
}

static uint64_t
get_u64(source *s)
{
    const uint8_t *p = get_bytes(s, 8);
    return p ? wr_load64(p) : 0;
}

static wr_str
get_str(source *s)
{
    const uint32_t n = get_u32(s);
    const uint8_t *p = get_bytes(s, n);
    return p ? (wr_str){(const char *)p, n} : WR_STR("");
}

/* A text that people see. */
static wr_str
get_text(source *s)
{
    const wr_str t = get_str(s);
    if (!wr_utf8_valid(t.ptr, t.len)) damaged(s, "a text that is not UTF-8");
    return t;
}

/* A number of things of at least `least` bytes each, and zeroed room for them. */
static void *
get_list(source *s, uint64_t least, size_t item_bytes, uint32_t *count)
{
    *count = get_u32(s);
    if (*count > (uint64_t)(s->end - s->p) / least) {
        damaged(s, "an impossible count");
        *count = 0;
    }
    size_t bytes;
    if (!wr_mul_size(*count, item_bytes, &bytes)) bytes = SIZE_MAX;
    void *items = *count ? wr_arena_zalloc(s->a, bytes) : NULL;
    if (*count && !items) {
        no_memory(s);
        *count = 0;
    }
    return items;
}

static wr_schema
get_schema(source *s)
{
    uint32_t count;
    wr_field *fields = get_list(s, 12, sizeof *fields, &count);
    for (uint32_t i = 0; i < count && s->status == WR_OK; i++) {
        bool oom = false;
        fields[i].name = get_text(s);
        fields[i].type = wr_type_decode(s->a, get_str(s), &oom);
        fields[i].comment = get_text(s);
        if (oom)
            no_memory(s);
        else if (!fields[i].type)
            damaged(s, "a type that cannot be read");
    }
    return (wr_schema){fields, count};
}

bool
wri_ckpt_name_ok(wr_str name, bool shared)
{
    size_t start = 0;
    if (name.len == 0 || name.len > WR_NAME_BYTES_MAX || memchr(name.ptr, '\0', name.len))
        return false;
    for (size_t i = 0; i <= name.len; i++) {
        if (i < name.len && name.ptr[i] != '/') continue;
        const wr_str step = {name.ptr + start, i - start};
        if (step.len == 0 || wr_str_eq_c(step, ".") || wr_str_eq_c(step, "..")) return false;
        if (shared && i < name.len) return false;
        start = i + 1;
    }
    return true;
}

static void
get_file(source *s, wr_state_file *f)
{
    f->name = get_text(s);
    const uint8_t flags = get_u8(s);
    f->shared = (flags & WRI_CKPT_SHARED) != 0;
    f->bytes = get_u64(s);
    f->checksum = get_u64(s);
    if (s->status == WR_OK && !wri_ckpt_name_ok(f->name, f->shared))
        damaged(s, "a file name that leaves the folder");
    if (flags & ~WRI_CKPT_SHARED) damaged(s, "an unknown flag of a file");
}

static void
get_part(source *s, const wr_state_table_info *t, wr_state_part_info *p)
{
    p->name = get_text(s);
    p->kind = get_u8(s);
    p->offset = get_u32(s);
    p->bytes = get_u32(s);
    p->schema = get_schema(s);
    if (p->kind >= WR_PART_KINDS) damaged(s, "an unknown kind of part");
    if ((uint64_t)p->offset + p->bytes > t->record_bytes) damaged(s, "a part outside its record");
}

static void
get_table(source *s, const wr_state_table_info *tables, uint32_t index, wr_state_table_info *t)
{
    t->logical_id = get_text(s);
    t->shape = get_u8(s);
    t->key = get_schema(s);
    t->record_bytes = get_u32(s);
    t->record_version = get_u32(s);
    t->ttl_ms = (int64_t)get_u64(s);
    t->parent = (int32_t)get_u32(s);
    t->entries = get_u64(s);
    t->parts = get_list(s, 17, sizeof *t->parts, &t->part_count);
    for (uint32_t i = 0; i < t->part_count && s->status == WR_OK; i++) get_part(s, t, &t->parts[i]);
    if (t->shape > WR_STATE_ORDERED) damaged(s, "an unknown shape of a table");
    const bool has_parent = t->parent >= 0;
    if (t->parent < -1 || (has_parent && (uint32_t)t->parent >= index))
        damaged(s, "a table whose parent does not come before it");
    else if (has_parent != (t->shape != WR_STATE_VALUE) ||
             (has_parent && tables[t->parent].shape != WR_STATE_VALUE))
        damaged(s, "a table with a parent that cannot be");
}

static wr_state_handle *
get_handle(source *s)
{
    wr_state_handle *h = WR_NEW(s->a, wr_state_handle);
    if (!h) {
        no_memory(s);
        return NULL;
    }
    h->format = get_text(s);
    h->kg_first = get_u32(s);
    h->kg_last = get_u32(s);
    h->max_parallelism = get_u32(s);
    h->bytes_written = get_u64(s);
    h->meta = get_str(s);
    if (h->max_parallelism > WR_KEY_GROUPS_MAX || h->kg_first > h->kg_last ||
        h->kg_last >= h->max_parallelism)
        damaged(s, "impossible key groups");
    h->files = get_list(s, 21, sizeof *h->files, &h->file_count);
    for (uint32_t i = 0; i < h->file_count && s->status == WR_OK; i++) get_file(s, &h->files[i]);
    h->tables = get_list(s, 41, sizeof *h->tables, &h->table_count);
    for (uint32_t i = 0; i < h->table_count && s->status == WR_OK; i++)
        get_table(s, h->tables, i, &h->tables[i]);
    return h;
}

static void
get_opstate(source *s, wr_opstate *ops)
{
    uint32_t n;
    ops->arena = s->a;
    wr_opstate_list *lists = get_list(s, 9, sizeof *lists, &n);
    ops->lists.items = lists;
    ops->lists.count = ops->lists.cap = n;
    for (uint32_t i = 0; i < n && s->status == WR_OK; i++) {
        lists[i].name = get_text(s);
        lists[i].mode = get_u8(s);
        if (lists[i].mode >= WR_OPSTATE_MODES) damaged(s, "an unknown mode of operator state");
        uint32_t items;
        lists[i].items.items = get_list(s, 4, sizeof(wr_str), &items);
        lists[i].items.count = lists[i].items.cap = items;
        for (uint32_t k = 0; k < items; k++) lists[i].items.items[k] = get_str(s);
    }
}

static void
get_subtask(source *s, const wr_ckpt_operator *op, wr_ckpt_subtask *t)
{
    t->subtask = get_u32(s);
    const uint32_t flags = get_u32(s);
    t->finished = (flags & WRI_CKPT_FINISHED) != 0;
    if (t->subtask >= op->parallelism) damaged(s, "a subtask beyond the parallelism");
    if (t > op->subtasks && t->subtask <= t[-1].subtask) damaged(s, "subtasks out of order");
    if (flags & ~(uint32_t)(WRI_CKPT_FINISHED | WRI_CKPT_KEYED | WRI_CKPT_INFLIGHT))
        damaged(s, "an unknown flag of a subtask");
    get_opstate(s, &t->ops);
    if (s->status == WR_OK && flags & WRI_CKPT_KEYED) t->keyed = get_handle(s);
    if (s->status == WR_OK && flags & WRI_CKPT_INFLIGHT) {
        t->inflight = WR_NEW(s->a, wr_state_file);
        if (!t->inflight)
            no_memory(s);
        else
            get_file(s, t->inflight);
    }
}

static void
get_operator(source *s, wr_ckpt_operator *op)
{
    op->logical_id = get_text(s);
    op->name = get_text(s);
    op->parallelism = get_u32(s);
    op->max_parallelism = get_u32(s);
    if (op->parallelism == 0 || op->parallelism > WR_KEY_GROUPS_MAX ||
        op->max_parallelism > WR_KEY_GROUPS_MAX)
        damaged(s, "an impossible parallelism");
    op->subtasks = get_list(s, 12, sizeof *op->subtasks, &op->subtask_count);
    for (uint32_t i = 0; i < op->subtask_count && s->status == WR_OK; i++)
        get_subtask(s, op, &op->subtasks[i]);
}

static void
get_job(source *s, wr_ckpt_meta *m)
{
    m->kind = get_u8(s);
    m->id = get_u64(s);
    m->time_ms = (int64_t)get_u64(s);
    m->job_id = get_text(s);
    m->job_name = get_text(s);
    m->weir_version = get_text(s);
    m->sql = get_text(s);
    if (m->kind >= WR_CHECKPOINT_KINDS) damaged(s, "an unknown kind of checkpoint");
}

/* One section, its checksum included; *kind 0: one to skip. */
static void
get_section(source *s, source *payload, uint32_t *kind)
{
    const uint8_t *start = s->p;
    *kind = get_u32(s);
    const uint32_t flags = get_u32(s);
    const uint64_t bytes = get_u64(s);
    const uint8_t *p = get_bytes(s, bytes);
    const uint64_t sum = get_u64(s);
    if (s->status != WR_OK) return;
    if (wr_hash_bytes(start, WRI_CKPT_SECTION_BYTES + (size_t)bytes, WRI_CKPT_SEED) != sum) {
        damaged(s, "the checksum does not match");
        return;
    }
    *payload = *s;
    payload->p = p;
    payload->end = p + bytes;
    if (*kind == WRI_CKPT_JOB || *kind == WRI_CKPT_OPERATOR) return;
    if (s->minor <= WRI_CKPT_MINOR)
        damaged(s, "an unknown section");
    else if (flags & WRI_CKPT_CRITICAL)
        s->status =
            wr_raise(s->ctx, WR_UNSUPPORTED,
                     "the checkpoint has a part (kind %u) that only a newer weir knows", *kind);
    *kind = 0;
}

/* What is behind the last known member of a section belongs to a newer minor version. */
static void
end_payload(source *s, const source *payload)
{
    s->status = payload->status;
    if (s->status == WR_OK && payload->p != payload->end && s->minor <= WRI_CKPT_MINOR)
        damaged(s, "bytes too many");
}

static void
get_sections(source *s, uint32_t count, wr_ckpt_meta *m)
{
    m->operators = count > 1 ? WR_NEW_N(s->a, wr_ckpt_operator, count - 1) : NULL;
    if (count > 1 && !m->operators) no_memory(s);
    for (uint32_t i = 0; i < count && s->status == WR_OK; i++) {
        source payload = {0};
        uint32_t kind = 0;
        s->where = i == 0 ? "the section of the job" : "a section of an operator";
        get_section(s, &payload, &kind);
        if (s->status != WR_OK || kind == 0) continue;
        if ((kind == WRI_CKPT_JOB) != (i == 0)) {
            damaged(s, "a section out of its place");
            return;
        }
        if (i == 0)
            get_job(&payload, m);
        else
            get_operator(&payload, &m->operators[m->operator_count++]);
        end_payload(s, &payload);
    }
    if (s->status == WR_OK && s->p != s->end) damaged(s, "bytes too many");
}

static wr_status
check_header(wr_ctx *ctx, wr_str b, uint64_t *minor, uint32_t *sections)
{
    const uint8_t *p = (const uint8_t *)b.ptr;
    if (b.len < 8 || memcmp(p, WRI_CKPT_MAGIC, 8) != 0)
        return wr_raise(ctx, WR_CORRUPT, "this is not the metadata of a checkpoint of weir");
    if (b.len < WRI_CKPT_HEADER_BYTES + WRI_CKPT_SUM_BYTES)
        return wr_raise(ctx, WR_CORRUPT, "the metadata of a checkpoint is cut off after %zu bytes",
                        b.len);
    if (wr_hash_bytes(p, 24, WRI_CKPT_SEED) != wr_load64(p + 24))
        return wr_raise(ctx, WR_CORRUPT,
                        "the metadata of a checkpoint is damaged: the checksum of its head does "
                        "not match");
    const uint32_t version = wr_load32(p + 8), major = version & 0xffff;
    if (major != WRI_CKPT_MAJOR)
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "the checkpoint is of format version %u; this weir reads 1 to %u", major,
                        WRI_CKPT_MAJOR);
    if (wr_load64(p + 16) != b.len)
        return wr_raise(ctx, WR_CORRUPT,
                        "the metadata of a checkpoint has %zu bytes where %llu were written", b.len,
                        (unsigned long long)wr_load64(p + 16));
    *minor = version >> 16;
    *sections = wr_load32(p + 12);
    return WR_OK;
}

wr_status
wr_ckpt_decode(wr_ctx *ctx, wr_str bytes, wr_arena *a, wr_ckpt_meta *out)
{
    uint32_t sections = 0;
    source s = {.ctx = ctx, .a = a, .where = "its end"};
    memset(out, 0, sizeof *out);
    WR_TRY(check_header(ctx, bytes, &s.minor, &sections));
    const uint8_t *p = (const uint8_t *)bytes.ptr;
    s.p = p + WRI_CKPT_HEADER_BYTES;
    s.end = p + bytes.len - WRI_CKPT_SUM_BYTES;
    if (sections == 0 || sections > (uint64_t)(s.end - s.p) / (WRI_CKPT_SECTION_BYTES + 8))
        damaged(&s, "an impossible number of sections");
    else
        get_sections(&s, sections, out);
    /* Last, so that the section that is damaged has been named. */
    s.where = "the whole file";
    if (s.status == WR_OK &&
        wr_hash_bytes(p, bytes.len - WRI_CKPT_SUM_BYTES, WRI_CKPT_SEED) != wr_load64(s.end))
        damaged(&s, "the checksum does not match");
    out->version = WRI_CKPT_MAJOR;
    return s.status;
}
