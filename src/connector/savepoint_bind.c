/* SPDX-License-Identifier: Apache-2.0 */
/* A table WITH ('connector' = 'savepoint'): which state each of its columns shows. Flink's options
 * name states and the classes that read them; here the checkpoint says what it holds, so they may
 * be left out, and what is given is checked against it. */
#include "connector/savepoint_int.h"

const wr_option_def wri_savepoint_options[] = {
    {"state.path", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED,
     "Folder of the savepoint or checkpoint, or its _metadata."},
    {"state.backend.type", WR_OPT_ENUM, NULL, "hashmap|rocksdb|forst", 0,
     "Backend that wrote the state; the checkpoint tells it, what is given is checked."},
    {"operator.uid", WR_OPT_STRING, NULL, NULL, 0,
     "Logical id of the operator; also its name in EXPLAIN or that name's beginning."},
    {"operator.uid.hash", WR_OPT_STRING, NULL, NULL, 0,
     "Instead: the hash of the logical id, as savepoint_metadata shows it."},
    {"state.table", WR_OPT_STRING, NULL, NULL, 0,
     "Which of the operator's keyed tables; default the first with a key."},
    {"sink.path", WR_OPT_STRING, NULL, NULL, 0,
     "For INSERT: folder of the savepoint that is written."},
    {"fields.#.state-name", WR_OPT_STRING, NULL, NULL, 0,
     "Name of the column's state; default the column's name."},
    {"fields.#.state-type", WR_OPT_ENUM, NULL, "list|map|value", 0,
     "Kind of the column's state; ARRAY is a list, MAP a map, all else a value."},
    {"fields.#.key-class", WR_OPT_STRING, NULL, NULL, 0, "Java class of a map's keys: checked."},
    {"fields.#.key-type-factory", WR_OPT_STRING, NULL, NULL, 0, "Refused: a Java class."},
    {"fields.#.value-class", WR_OPT_STRING, NULL, NULL, 0, "Java class of the values: checked."},
    {"fields.#.value-type-factory", WR_OPT_STRING, NULL, NULL, 0, "Refused: a Java class."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

typedef struct binding {
    wr_ctx *ctx;
    const wr_table_desc *table;
    const wr_options *options;
    wr_arena *arena;
    wri_state_scan *scan;
    wri_state_ref *refs; /* all of the root */
    uint32_t ref_count;
} binding;

/* ---- keys ------------------------------------------------------------------------------------ */

typedef WR_LIST(wr_str) key_list;

/* Every key that this table may have: of its own columns, that is. */
static bool
add_known(binding *b, key_list *good)
{
    bool ok = true;
    for (const wr_option_def *d = wri_savepoint_options; ok && d->key; d++) {
        const char *hash = strchr(d->key, '#');
        if (!hash) {
            ok = wr_list_push(b->arena, good, wr_str_c(d->key));
            continue;
        }
        for (uint32_t i = 0; ok && i < b->table->column_count; i++) {
            const wr_column *c = &b->table->columns[i];
            if (c->kind != WR_COL_PHYSICAL) continue;
            const wr_str key = wr_arena_printf(b->arena, "%.*s%.*s%s", (int)(hash - d->key), d->key,
                                               WR_STR_ARG(c->name), hash + 1);
            ok = key.ptr && wr_list_push(b->arena, good, key);
        }
    }
    return ok && wr_list_push(b->arena, good, WR_STR("connector"));
}

static wr_status
check_keys(binding *b)
{
    key_list good = {0}, bad = {0};
    wr_span span = WR_NO_SPAN;
    bool ok = add_known(b, &good);
    for (uint32_t i = 0; ok && i < b->options->count; i++) {
        const wr_option *o = &b->options->items[i];
        bool known = wr_option_def_find(wr_table_options, o->key) != NULL;
        for (uint32_t k = 0; k < good.count && !known; k++)
            known = wr_str_eq(good.items[k], o->key);
        if (known) continue;
        if (bad.count == 0) span = o->span;
        ok = wr_list_push(b->arena, &bad, o->key);
    }
    if (!ok) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    if (bad.count == 0) return WR_OK;
    return wr_options_unsupported(b->ctx, "savepoint", bad.items, bad.count, good.items, good.count,
                                  span);
}

/* ---- the operator ---------------------------------------------------------------------------- */
static wr_status
find_by_hash(wr_ctx *ctx, const wr_ckpt_meta *m, const wr_option *o, wr_arena *a,
             const wr_ckpt_operator **out)
{
    for (uint32_t i = 0; i < m->operator_count; i++) {
        const wr_str hash = wri_state_uid_hash(a, m->operators[i].logical_id);
        WR_TRY_ALLOC(ctx, hash.ptr);
        wr_candidate(ctx, o->value, hash);
        if (!wr_str_eq_nocase(hash, o->value)) continue;
        *out = &m->operators[i];
        return WR_OK;
    }
    wr_hint(ctx, "SELECT * FROM savepoint_metadata('%.*s') shows the operators and their hashes",
            WR_STR_ARG(m->path));
    return wr_raise_at(ctx, WR_NAME, o->span, "there is no operator with the hash '%.*s' in '%.*s'",
                       WR_STR_ARG(o->value), WR_STR_ARG(m->path));
}

static wr_status
find_operator(binding *b, const wr_ckpt_operator **out)
{
    const wr_option *uid = wr_options_find(b->options, "operator.uid");
    const wr_option *hash = wr_options_find(b->options, "operator.uid.hash");
    if (uid && hash)
        return wr_raise_at(b->ctx, WR_OPTION, hash->span,
                           "Either operator uid or operator uid hash must be specified, not both");
    if (!uid && !hash)
        return wr_raise(b->ctx, WR_OPTION,
                        "Either operator uid or operator uid hash must be specified: option "
                        "'operator.uid' or 'operator.uid.hash'");
    if (hash) return find_by_hash(b->ctx, b->scan->meta, hash, b->arena, out);
    const wr_status status =
        wri_state_find_operator(b->ctx, b->scan->meta, uid->value, b->arena, out);
    if (status != WR_OK && b->ctx->err.span.start == UINT32_MAX) b->ctx->err.span = uid->span;
    return status;
}

/* "log-1" is hashmap's own format, "rocksdb-1" RocksDB's; canonical is everybody's. */
static wr_status
check_backend(binding *b, const wr_ckpt_operator *op)
{
    const wr_option *o = wr_options_find(b->options, "state.backend.type");
    for (uint32_t i = 0; o && i < op->subtask_count; i++) {
        if (!op->subtasks[i].keyed) continue;
        const wr_str format = op->subtasks[i].keyed->format;
        const char *wrote = wr_str_starts(format, WR_STR("log"))       ? "hashmap"
                            : wr_str_starts(format, WR_STR("rocksdb")) ? "rocksdb"
                                                                       : NULL;
        if (!wrote || wr_str_eq_nocase(o->value, wr_str_c(wrote))) continue;
        wr_hint(b->ctx, "leave the option out, or set it to '%s'", wrote);
        return wr_raise_at(b->ctx, WR_OPTION, o->span,
                           "'state.backend.type' is '%.*s', but the state was written by %s",
                           WR_STR_ARG(o->value), wrote);
    }
    return WR_OK;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Are values of both types the same in memory and in meaning? Names of fields and nullability may
 * differ. */
static bool
same_shape(const wr_type *a, const wr_type *b)
{
    if (wr_type_is_string(a) || wr_type_is_string(b))
        return wr_type_is_string(a) && wr_type_is_string(b);
    if (wr_type_is_binary(a) || wr_type_is_binary(b))
        return wr_type_is_binary(a) && wr_type_is_binary(b);
    if (a->phys == WR_PHYS_ROW && b->phys == WR_PHYS_ROW) {
        if (a->field_count != b->field_count) return false;
    } else if (a->id != b->id) {
        return false;
    }
    if (a->field_count != b->field_count) return false;
    if (a->field_count == 0) return wr_type_eq_ignoring_null(a, b);
    for (uint32_t i = 0; i < a->field_count; i++)
        if (!same_shape(a->fields[i].type, b->fields[i].type)) return false;
    return true;
}

static wr_status
check_type(binding *b, const wr_column *c, const wri_state_ref *ref)
{
    if (same_shape(c->type, ref->type)) return WR_OK;
    const wr_str is = wr_type_str(c->type, WR_TYPE_NO_NULL, b->arena);
    const wr_str holds = wr_type_str(ref->type, WR_TYPE_NO_NULL, b->arena);
    return wr_raise(b->ctx, WR_TYPE,
                    "column '%.*s' is %.*s, but %s '%.*s' of the operator holds %.*s",
                    WR_STR_ARG(c->name), WR_STR_ARG(is), ref->key >= 0 ? "key column" : "state",
                    WR_STR_ARG(ref->name), WR_STR_ARG(holds));
}

/* ---- options of a column --------------------------------------------------------------------- */
static const wr_option *
field_option(binding *b, wr_str column, const char *what)
{
    const wr_str key = wr_arena_printf(b->arena, "fields.%.*s.%s", WR_STR_ARG(column), what);
    return key.ptr ? wr_options_find(b->options, key.ptr) : NULL;
}

/* What Flink's connector takes for a type without being told. */
static const char *
class_of(const wr_type *t)
{
    if (wr_type_is_string(t)) return "java.lang.String";
    if (wr_type_is_binary(t)) return "[B";
    switch ((int)t->id) {
    case WR_T_BOOLEAN:
        return "java.lang.Boolean";
    case WR_T_TINYINT:
        return "java.lang.Byte";
    case WR_T_SMALLINT:
        return "java.lang.Short";
    case WR_T_INT:
    case WR_T_DATE:
        return "java.lang.Integer";
    case WR_T_BIGINT:
        return "java.lang.Long";
    case WR_T_FLOAT:
        return "java.lang.Float";
    case WR_T_DOUBLE:
        return "java.lang.Double";
    case WR_T_DECIMAL:
        return "org.apache.flink.table.data.DecimalData";
    default:
        return NULL;
    }
}

static wr_status
check_class(binding *b, const wr_column *c, const char *what, const wr_type *t)
{
    const wr_option *o = field_option(b, c->name, what);
    if (!o || !t) return WR_OK;
    const char *is = class_of(t);
    if (is && wr_str_eq_c(o->value, is)) return WR_OK;
    wr_hint(b->ctx, "leave the option out: the types of states are in the checkpoint");
    return wr_raise_at(b->ctx, WR_OPTION, o->span,
                       "'%.*s' is '%.*s', but what column '%.*s' shows there is %.*s",
                       WR_STR_ARG(o->key), WR_STR_ARG(o->value), WR_STR_ARG(c->name),
                       WR_STR_ARG(wr_type_str(t, WR_TYPE_NO_NULL, b->arena)));
}

static wr_status
check_options(binding *b, const wr_column *c, const wri_state_ref *ref)
{
    static const char *const factories[] = {"key-type-factory", "value-type-factory"};
    const wr_option *kind = field_option(b, c->name, "state-type");
    const wri_state_store *s = &b->scan->model.stores[ref->store];
    const bool part = ref->field >= 0;
    const char *is = part ? "value" : s->info->shape == WR_STATE_MAP ? "map" : "list";
    for (uint32_t i = 0; i < WR_COUNT(factories); i++) {
        const wr_option *o = field_option(b, c->name, factories[i]);
        if (!o) continue;
        wr_hint(b->ctx, "leave the option out: the types of states are in the checkpoint");
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, o->span,
                           "'%.*s' names a Java class, which cannot be loaded here",
                           WR_STR_ARG(o->key));
    }
    if (kind && !wr_str_eq_nocase(kind->value, wr_str_c(is)))
        return wr_raise_at(b->ctx, WR_OPTION, kind->span, "state '%.*s' is a %s, not a %.*s",
                           WR_STR_ARG(ref->name), is, WR_STR_ARG(kind->value));
    const wr_type *t = ref->type;
    WR_TRY(check_class(b, c, "key-class", part || t->id != WR_T_MAP ? NULL : t->fields[0].type));
    return check_class(b, c, "value-class", part ? t : t->fields[t->field_count - 1].type);
}

/* ---- columns --------------------------------------------------------------------------------- */
static wr_status
no_state(binding *b, const wr_column *c, wr_str name)
{
    wr_text t;
    wr_text_init(&t, b->arena);
    const wr_status status =
        wr_raise(b->ctx, WR_NAME, "column '%.*s': operator '%.*s' has no state '%.*s'",
                 WR_STR_ARG(c->name), WR_STR_ARG(b->scan->model.op->logical_id), WR_STR_ARG(name));
    for (uint32_t i = 0; i < b->ref_count; i++) {
        if (b->refs[i].key >= 0) continue;
        wr_candidate(b->ctx, name, b->refs[i].name);
        wr_text_printf(&t, "%s'%.*s' (%.*s)", t.len ? ", " : "", WR_STR_ARG(b->refs[i].name),
                       WR_STR_ARG(wr_type_str(b->refs[i].type, WR_TYPE_NO_NULL, b->arena)));
    }
    const wr_str id = b->scan->model.stores[b->scan->root].info->logical_id;
    wr_hint(b->ctx, "table '%.*s' has %.*s; 'fields.%.*s.state-name' says which one is meant",
            WR_STR_ARG(id), WR_STR_ARG(t.len ? wr_text_str(&t) : WR_STR("none")),
            WR_STR_ARG(c->name));
    return status;
}

static wr_status
bind_state(binding *b, const wr_column *c, wri_state_ref *out)
{
    const wr_option *named = field_option(b, c->name, "state-name");
    const wr_str name = named ? named->value : c->name;
    for (uint32_t i = 0; i < b->ref_count; i++) {
        if (b->refs[i].key >= 0 || !wr_str_eq(b->refs[i].name, name)) continue;
        *out = b->refs[i];
        WR_TRY(check_type(b, c, out));
        return check_options(b, c, out);
    }
    return no_state(b, c, name);
}

static int32_t
key_place(const wr_table_desc *t, wr_str column)
{
    for (uint32_t i = 0; i < t->primary_key_count; i++)
        if (wr_str_eq(t->primary_key[i], column)) return (int32_t)i;
    return -1;
}

static wr_status
check_key(binding *b)
{
    const wri_state_store *s = &b->scan->model.stores[b->scan->root];
    const wr_schema *key = &s->info->key;
    if (b->table->primary_key_count == key->count) return WR_OK;
    wr_text t;
    wr_text_init(&t, b->arena);
    for (uint32_t i = 0; i < key->count; i++)
        wr_text_printf(&t, "%s%.*s %.*s", i ? ", " : "", WR_STR_ARG(key->fields[i].name),
                       WR_STR_ARG(wr_type_str(key->fields[i].type, WR_TYPE_NO_NULL, b->arena)));
    wr_hint(b->ctx, "declare PRIMARY KEY (...) NOT ENFORCED over the columns of the key, in its "
                    "order; without a key there is none");
    return wr_raise(b->ctx, WR_SEMANTIC,
                    "the table has %u key columns, but the state of table '%.*s' has %u (%.*s)",
                    b->table->primary_key_count, WR_STR_ARG(s->info->logical_id), key->count,
                    WR_STR_ARG(key->count ? wr_text_str(&t) : WR_STR("none")));
}

static wr_status
bind_columns(binding *b)
{
    const wr_table_desc *t = b->table;
    uint32_t n = 0;
    b->scan->refs = WR_NEW_N(b->arena, wri_state_ref, t->column_count + 1);
    WR_TRY_ALLOC(b->ctx, b->scan->refs);
    WR_TRY(check_key(b));
    for (uint32_t i = 0; i < t->column_count; i++) {
        const wr_column *c = &t->columns[i];
        if (c->kind != WR_COL_PHYSICAL) continue;
        wri_state_ref *ref = &b->scan->refs[n++];
        const int32_t key = key_place(t, c->name);
        if (key >= 0) {
            *ref = b->refs[key];
            WR_TRY(check_type(b, c, ref));
        } else {
            WR_TRY(bind_state(b, c, ref));
        }
    }
    return WR_OK;
}

wr_status
wri_state_scan_bind(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options, wr_arena *a,
                    wri_state_scan *out)
{
    binding b = {.ctx = ctx, .table = table, .options = options, .arena = a, .scan = out};
    const wr_ckpt_operator *op = NULL;
    const wr_option *path = wr_options_find(options, "state.path");
    const wr_option *root = wr_options_find(options, "state.table");
    *out = (wri_state_scan){0};
    WR_TRY(check_keys(&b));
    const wr_status status = wr_ckpt_load(ctx, path->value, a, &out->meta);
    if (status != WR_OK && ctx->err.span.start == UINT32_MAX) ctx->err.span = path->span;
    WR_TRY(status);
    WR_TRY(find_operator(&b, &op));
    WR_TRY(check_backend(&b, op));
    WR_TRY(wri_state_model_make(ctx, a, op, &out->model));
    WR_TRY(wri_state_root(ctx, &out->model, root ? root->value : WR_STR(""), a, &out->root));
    WR_TRY(wri_state_refs(ctx, &out->model, out->root, a, &b.refs, &b.ref_count));
    return bind_columns(&b);
}
