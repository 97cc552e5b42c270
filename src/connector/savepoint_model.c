/* SPDX-License-Identifier: Apache-2.0 */
/* What the keyed state of an operator consists of, and how each part of it is shown. Types come
 * from the checkpoint; where the bytes are an accumulator, the part is named by what it computes
 * ("SUM(amount)"), and the aggregate of that name turns them into its result. */
#include "connector/savepoint_int.h"

/* ---- operators ------------------------------------------------------------------------------- */
wr_str
wri_state_uid_hash(wr_arena *a, wr_str logical_id)
{
    return wr_arena_printf(a, "%016llx%016llx",
                           (unsigned long long)wr_hash_bytes(logical_id.ptr, logical_id.len, 0),
                           (unsigned long long)wr_hash_bytes(logical_id.ptr, logical_id.len, 1));
}

/* "GroupAggregate" of "GroupAggregate(groupBy=[k], ...)" */
static wr_str
kind_of(wr_str name)
{
    const char *open = memchr(name.ptr, '(', name.len);
    return open ? (wr_str){name.ptr, (size_t)(open - name.ptr)} : name;
}

static bool
has_keyed(const wr_ckpt_operator *o)
{
    for (uint32_t i = 0; i < o->subtask_count; i++)
        if (o->subtasks[i].keyed && o->subtasks[i].keyed->table_count) return true;
    return false;
}

/* "'id' (name), 'id' (name)": those with keyed state, or all where there is none: then false. */
static bool
list_operators(const wr_ckpt_meta *m, wr_text *t)
{
    uint32_t keyed = 0, n = 0;
    for (uint32_t i = 0; i < m->operator_count; i++) keyed += has_keyed(&m->operators[i]);
    for (uint32_t i = 0; i < m->operator_count; i++) {
        const wr_ckpt_operator *o = &m->operators[i];
        if (keyed && !has_keyed(o)) continue;
        wr_text_printf(t, "%s'%.*s' (%.*s%s)", n++ ? ", " : "", WR_STR_ARG(o->logical_id),
                       (int)WR_MIN(o->name.len, (size_t)60), o->name.ptr,
                       o->name.len > 60 ? "..." : "");
    }
    return keyed > 0;
}

static wr_status
no_operator(wr_ctx *ctx, const wr_ckpt_meta *m, wr_str name, uint32_t found, wr_arena *a)
{
    wr_text t;
    wr_text_init(&t, a);
    const bool keyed = list_operators(m, &t);
    const wr_status status =
        found ? wr_raise(ctx, WR_NAME, "%u operators of the checkpoint are called '%.*s'", found,
                         WR_STR_ARG(name))
              : wr_raise(ctx, WR_NAME, "there is no operator '%.*s' in the checkpoint",
                         WR_STR_ARG(name));
    for (uint32_t i = 0; i < m->operator_count; i++) {
        wr_candidate(ctx, name, m->operators[i].logical_id);
        if (has_keyed(&m->operators[i])) wr_candidate(ctx, name, kind_of(m->operators[i].name));
    }
    if (t.len)
        wr_hint(ctx, "%s %.*s",
                keyed ? "with keyed state there are" : "none has keyed state; there are",
                WR_STR_ARG(wr_text_str(&t)));
    return status;
}

wr_status
wri_state_find_operator(wr_ctx *ctx, const wr_ckpt_meta *m, wr_str name, wr_arena *a,
                        const wr_ckpt_operator **out)
{
    uint32_t found = 0;
    *out = wr_ckpt_find(m, name);
    if (*out) return WR_OK;
    for (uint32_t pass = 0; pass < 2 && !found; pass++)
        for (uint32_t i = 0; i < m->operator_count; i++) {
            const wr_ckpt_operator *o = &m->operators[i];
            const bool same =
                pass ? wr_str_eq_nocase(kind_of(o->name), name) : wr_str_eq(o->name, name);
            if (!same) continue;
            *out = o;
            found++;
        }
    return found == 1 ? WR_OK : no_operator(ctx, m, name, found, a);
}

/* ---- fields of records ----------------------------------------------------------------------- */

static bool
has_text(wr_str s, const char *what)
{
    const size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.len; i++)
        if (memcmp(s.ptr + i, what, n) == 0) return true;
    return false;
}

/* The aggregate that a part "SUM(DISTINCT amount) FILTER (paid) RETRACTABLE #2" belongs to, when
 * its result can be told from its accumulator alone. */
static wr_status
find_aggregate(wr_ctx *ctx, wr_arena *a, const wr_state_part_info *p, wri_state_field *f)
{
    const wr_str name = kind_of(p->name);
    const wr_fn *fn = name.len < p->name.len ? wr_fn_find(name) : NULL;
    const wr_str rest = {p->name.ptr + name.len, p->name.len - name.len};
    if (!fn || fn->kind != WR_FN_AGGREGATE) return WR_OK;
    wr_expr **args = WR_NEW_N(a, wr_expr *, p->schema.count + 1);
    wr_agg_bound *b = WR_NEW(a, wr_agg_bound);
    WR_TRY_ALLOC(ctx, args);
    WR_TRY_ALLOC(ctx, b);
    for (uint32_t i = 0; i < p->schema.count; i++) {
        args[i] = wr_expr_column(a, i, p->schema.fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, args[i]);
    }
    const wr_eval_env env = {.batch = true}; /* where every aggregate is allowed */
    wr_ctx alone;                            /* what it refuses is shown as bytes */
    wr_ctx_init(&alone);
    const bool distinct = wr_str_starts(rest, WR_STR("(DISTINCT "));
    const wr_status status = wr_agg_resolve(&alone, a, &env, fn, name, args, p->schema.count,
                                            distinct, false, false, NULL, WR_NO_SPAN, b);
    if (status == WR_NOMEM) return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (status != WR_OK) return WR_OK;
    const bool retract = has_text(rest, ") RETRACTABLE");
    const wr_agg_ops *ops = retract ? b->retract_ops : b->ops;
    if (ops->aux != WR_AGG_AUX_NONE || ops->state_bytes != p->bytes) return WR_OK;
    f->form = WRI_PART_RESULT;
    f->agg = ops;
    f->bound = b;
    f->type = wr_type_nullable(a, b->type, true);
    WR_TRY_ALLOC(ctx, f->type);
    return WR_OK;
}

static wr_status
make_field(wr_ctx *ctx, wr_arena *a, bool root, const wr_state_part_info *p, wri_state_field *f)
{
    *f = (wri_state_field){.name = p->name, .offset = p->offset, .bytes = p->bytes};
    if (p->kind == WR_PART_ROW) {
        f->form = WRI_PART_COLUMNS;
        f->columns = &p->schema;
        f->type = wr_type_row(a, p->schema.fields, p->schema.count, true);
        WR_TRY_ALLOC(ctx, f->type);
        return WR_OK;
    }
    f->form = WRI_PART_OPAQUE;
    f->type = wr_type_bytes(true);
    if (root) WR_TRY(find_aggregate(ctx, a, p, f));
    if (f->form == WRI_PART_RESULT || p->schema.count) return WR_OK;
    if (p->bytes != 1 && p->bytes != 2 && p->bytes != 4 && p->bytes != 8) return WR_OK;
    f->form = WRI_PART_NUMBER;
    f->type = wr_type_of(WR_T_BIGINT, true);
    return WR_OK;
}

/* What a join counts for each of its sides: a number for the left one, one for the right one. */
static bool
is_per_side(const wr_state_part_info *p)
{
    return p->kind == WR_PART_PLAIN && !p->schema.count &&
           ((p->bytes == 2 && wr_str_eq_c(p->name, "table")) ||
            (p->bytes == 8 && wr_str_eq_c(p->name, "size")));
}

static wr_status
make_sides(wr_ctx *ctx, wr_arena *a, const wr_state_part_info *p, wri_state_store *s)
{
    for (uint32_t k = 0; k < 2; k++) {
        wri_state_field *f = &s->fields[s->field_count++];
        *f = (wri_state_field){
            .name = wr_arena_printf(a, "%s %.*s", k ? "right" : "left", WR_STR_ARG(p->name)),
            .form = WRI_PART_NUMBER,
            .offset = p->offset + k * (p->bytes / 2),
            .bytes = p->bytes / 2,
            .type = wr_type_of(WR_T_BIGINT, true)};
        WR_TRY_ALLOC(ctx, f->name.ptr);
    }
    return WR_OK;
}

/* A record of which nothing is told is one field of bytes. */
static wr_status
make_fields(wr_ctx *ctx, wr_arena *a, wri_state_store *s)
{
    const wr_state_table_info *info = s->info;
    const bool root = info->shape == WR_STATE_VALUE;
    s->fields = WR_NEW_N(a, wri_state_field, 2 * (uint64_t)info->part_count + 1);
    WR_TRY_ALLOC(ctx, s->fields);
    for (uint32_t i = 0; i < info->part_count; i++) {
        if (info->parts[i].kind == WR_PART_TRANSIENT) continue;
        if (root && is_per_side(&info->parts[i])) {
            WR_TRY(make_sides(ctx, a, &info->parts[i], s));
            continue;
        }
        WR_TRY(make_field(ctx, a, root, &info->parts[i], &s->fields[s->field_count++]));
    }
    if (info->part_count == 0 && info->record_bytes)
        s->fields[s->field_count++] = (wri_state_field){.name = WR_STR("record"),
                                                        .form = WRI_PART_OPAQUE,
                                                        .bytes = info->record_bytes,
                                                        .type = wr_type_bytes(true)};
    return WR_OK;
}

/* ---- stores ---------------------------------------------------------------------------------- */

/* One field is itself, several are a ROW; none: TRUE for what is there. */
static const wr_type *
record_type(wr_arena *a, const wri_state_store *s)
{
    if (s->field_count == 0) return wr_type_of(WR_T_BOOLEAN, true);
    if (s->field_count == 1) return s->fields[0].type;
    wr_field *f = WR_NEW_N(a, wr_field, s->field_count);
    if (!f) return NULL;
    for (uint32_t i = 0; i < s->field_count; i++)
        f[i] = (wr_field){s->fields[i].name, s->fields[i].type, WR_STR("")};
    return wr_type_row(a, f, s->field_count, true);
}

static const wr_type *
store_type(wr_arena *a, const wri_state_store *s)
{
    const wr_schema *key = &s->info->key;
    const wr_type *value = record_type(a, s);
    if (!value || s->info->shape == WR_STATE_VALUE) return value;
    if (s->info->shape == WR_STATE_ORDERED) return wr_type_array(a, value, true);
    const wr_type *k = key->count == 1   ? key->fields[0].type
                       : key->count == 0 ? wr_type_bytes(true)
                                         : wr_type_row(a, key->fields, key->count, true);
    return k ? wr_type_map(a, k, value, true) : NULL;
}

static wr_status
add_stores(wr_ctx *ctx, wr_arena *a, const wr_state_handle *h, wri_state_model *m)
{
    for (uint32_t i = 0; i < h->table_count; i++) {
        const wr_state_table_info *t = &h->tables[i];
        uint32_t at = 0;
        while (at < m->store_count && !wr_str_eq(m->stores[at].info->logical_id, t->logical_id))
            at++;
        if (at < m->store_count) continue;
        wri_state_store *s = &m->stores[m->store_count];
        *s = (wri_state_store){.info = t, .parent = -1};
        for (uint32_t k = 0; t->parent >= 0 && k < m->store_count; k++)
            if (wr_str_eq(m->stores[k].info->logical_id, h->tables[t->parent].logical_id))
                s->parent = (int32_t)k;
        WR_TRY(make_fields(ctx, a, s));
        s->type = store_type(a, s);
        WR_TRY_ALLOC(ctx, s->type);
        m->store_count++;
    }
    return WR_OK;
}

wr_status
wri_state_model_make(wr_ctx *ctx, wr_arena *a, const wr_ckpt_operator *op, wri_state_model *out)
{
    uint64_t most = 1;
    *out = (wri_state_model){.op = op};
    for (uint32_t i = 0; i < op->subtask_count; i++)
        if (op->subtasks[i].keyed) most += op->subtasks[i].keyed->table_count;
    out->stores = WR_NEW_N(a, wri_state_store, most);
    WR_TRY_ALLOC(ctx, out->stores);
    for (uint32_t i = 0; i < op->subtask_count; i++)
        if (op->subtasks[i].keyed) WR_TRY(add_stores(ctx, a, op->subtasks[i].keyed, out));
    return WR_OK;
}

/* ---- roots and what they show ---------------------------------------------------------------- */
static bool
is_root(const wri_state_store *s)
{
    return s->info->shape == WR_STATE_VALUE;
}

wr_status
wri_state_root(wr_ctx *ctx, const wri_state_model *m, wr_str name, wr_arena *a, uint32_t *out)
{
    uint32_t keyed = UINT32_MAX, filled = UINT32_MAX, any = UINT32_MAX;
    wr_text t;
    wr_text_init(&t, a);
    for (uint32_t i = m->store_count; i-- > 0;) {
        const wri_state_store *s = &m->stores[i];
        if (!is_root(s)) continue;
        if (name.len && wr_str_eq(s->info->logical_id, name)) {
            *out = i;
            return WR_OK;
        }
        any = i;
        if (s->field_count) filled = i;
        if (s->info->key.count) keyed = i;
    }
    *out = keyed != UINT32_MAX ? keyed : filled != UINT32_MAX ? filled : any;
    if (name.len == 0 && *out != UINT32_MAX) return WR_OK;
    if (any == UINT32_MAX)
        return wr_raise(ctx, WR_NAME, "operator '%.*s' has no keyed state in the checkpoint",
                        WR_STR_ARG(m->op->logical_id));
    const wr_status status = wr_raise(ctx, WR_NAME, "operator '%.*s' has no table '%.*s'",
                                      WR_STR_ARG(m->op->logical_id), WR_STR_ARG(name));
    for (uint32_t i = 0; i < m->store_count; i++) {
        if (!is_root(&m->stores[i])) continue;
        const wr_str id = m->stores[i].info->logical_id;
        wr_text_printf(&t, "%s'%.*s'", t.len ? ", " : "", WR_STR_ARG(id));
        wr_candidate(ctx, name, id);
    }
    wr_hint(ctx, "it has %.*s", WR_STR_ARG(wr_text_str(&t)));
    return status;
}

wr_status
wri_state_refs(wr_ctx *ctx, const wri_state_model *m, uint32_t root, wr_arena *a,
               wri_state_ref **out, uint32_t *count)
{
    const wri_state_store *r = &m->stores[root];
    const wr_schema *key = &r->info->key;
    wri_state_ref *refs =
        WR_NEW_N(a, wri_state_ref, (uint64_t)key->count + r->field_count + m->store_count + 1);
    WR_TRY_ALLOC(ctx, refs);
    uint32_t n = 0;
    for (uint32_t i = 0; i < key->count; i++)
        refs[n++] = (wri_state_ref){(int32_t)i, root, -1, key->fields[i].name, key->fields[i].type};
    for (uint32_t i = 0; i < r->field_count; i++)
        refs[n++] = (wri_state_ref){-1, root, (int32_t)i, r->fields[i].name, r->fields[i].type};
    for (uint32_t i = 0; i < m->store_count; i++) {
        const wri_state_store *s = &m->stores[i];
        if (s->parent != (int32_t)root || is_root(s)) continue;
        refs[n++] = (wri_state_ref){-1, i, -1, s->info->logical_id, s->type};
    }
    *out = refs;
    *count = n;
    return WR_OK;
}
