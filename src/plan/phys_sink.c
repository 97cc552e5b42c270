/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of plans: what a sink takes decides what is demanded of its query; sinks with a primary
 * key that is not the query's upsert key get a materializer; a SELECT's rows are collected. */
#include "plan/phys_int.h"

typedef struct ending { /* one INSERT being planned */
    wr_ctx *ctx;
    wri_phys *p;
    const wr_rel *rel;
    const wr_sink_spec *spec;
    wr_str name; /* catalog.database.table */
    wr_sink_info info;
    wr_pnode *query;  /* the template */
    bool insert_only; /* all that the sink takes of these changes */
    bool upsert;      /* the sink takes +U alone */
    bool keys_match;  /* an upsert key of the query lies within the primary key */
    bool keys_equal;  /* one is the primary key */
    bool materialize;
    wr_pnode *out;
} ending;

static bool
str_is(wr_str s, const char *c)
{
    return wr_str_eq_nocase(s, wr_str_c(c));
}

static bool
mode_is(const ending *e, const char *value)
{
    return str_is(wr_config_str(e->p->env->config, "table.exec.sink.upsert-materialize"), value);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void
put_names(wr_text *out, const wr_schema *s, const uint32_t *cols, uint32_t count)
{
    wr_text_putc(out, '[');
    for (uint32_t i = 0; i < count; i++)
        wr_text_printf(out, "%s%.*s", i ? ", " : "", WR_STR_ARG(s->fields[cols[i]].name));
    wr_text_putc(out, ']');
}

/* The node that makes changes which its consumers only hand on. */
static const wr_pnode *
origin(const wr_pnode *n)
{
    for (;;) {
        bool hands_on = n->kind == WR_P_CALC || n->kind == WR_P_EXCHANGE ||
                        n->kind == WR_P_WATERMARK || n->kind == WR_P_UNION ||
                        n->kind == WR_P_CORRELATE || n->kind == WR_P_EXPAND;
        if (!hands_on) return n;
        uint32_t i = 0;
        while (i + 1 < n->input_count && wri_insert_only(n->inputs[i])) i++;
        n = n->inputs[i];
    }
}

/* Flink 2.3: an upsert key that is not the sink's primary key needs an ON CONFLICT clause. */
static wr_status
refuse_upsert_key(const ending *e)
{
    wr_text primary, upsert;
    const wr_pnode *in = e->query;
    wr_text_init(&primary, e->p->arena);
    wr_text_init(&upsert, e->p->arena);
    put_names(&primary, &e->spec->columns, e->spec->primary_key, e->spec->primary_key_count);
    if (in->kind == WR_P_SCAN || in->kind == WR_P_RANK)
        wr_text_puts(&upsert, in->upsert_key_count ? "" : "none");
    for (uint32_t i = 0; i < in->upsert_key_count; i++) {
        if (i) wr_text_puts(&upsert, ", ");
        put_names(&upsert, &e->spec->columns, in->upsert_keys[i].cols, in->upsert_keys[i].count);
    }
    return wr_raise_at(
        e->ctx, WR_SEMANTIC, e->rel->span,
        "The query has an upsert key that differs from the primary key of the sink table '%.*s'. "
        "Primary key: %.*s, upsert key: %.*s. This can lead to non-deterministic results when "
        "multiple records with different upsert keys map to the same primary key. Please specify "
        "an ON CONFLICT clause to define how conflicts should be handled: ON CONFLICT DO "
        "DEDUPLICATE (update to the latest record, state intensive, since we need to keep the "
        "entire history), or ON CONFLICT DO ERROR (fail on conflict), or ON CONFLICT DO NOTHING "
        "(keep first record).",
        WR_STR_ARG(e->name), (int)primary.len, primary.ptr, (int)upsert.len,
        upsert.len ? upsert.ptr : "");
}

static wr_status
refuse_changes(const ending *e, wr_clmode extra)
{
    wr_text label;
    wr_text_init(&label, e->p->arena);
    bool updates = extra & (WR_CL_UB | WR_CL_UA), deletes = extra & WR_CL_D;
    WR_TRY(wri_label(e->ctx, e->p->env, origin(e->query), WR_EXPR_INFIX, WR_STR(""), WR_STR(""),
                     &label));
    const wr_status status = wr_raise_at(
        e->ctx, WR_SEMANTIC, e->rel->span,
        "Table sink '%.*s' doesn't support consuming %s changes which is produced by node %.*s",
        WR_STR_ARG(e->name),
        updates && deletes ? "update and delete"
        : updates          ? "update"
                           : "delete",
        (int)label.len, label.ptr);
    wr_hint(e->ctx, "write to a table that takes changes (a format such as debezium-json), or turn "
                    "them into rows: TO_CHANGELOG, a window instead of GROUP BY");
    return status;
}

/* ON CONFLICT DO NOTHING and ERROR act on watermarks, so every source needs one. */
static void
find_unwatermarked(const wr_pnode *n, bool below_watermark, wr_text *names)
{
    if (n->kind == WR_P_WATERMARK) below_watermark = true;
    if (n->kind == WR_P_SCAN && !below_watermark) {
        const wr_table_id *id = &n->u.scan.spec.table->id;
        wr_text_printf(names, "%s%.*s.%.*s.%.*s", names->len ? ", " : "", WR_STR_ARG(id->catalog),
                       WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    }
    for (uint32_t i = 0; i < n->input_count; i++)
        find_unwatermarked(n->inputs[i], below_watermark, names);
}

static wr_status
check_conflict_clause(const ending *e)
{
    uint8_t c = e->rel->u.sink.on_conflict;
    if (c == WR_CONFLICT_NONE) return WR_OK;
    if (e->insert_only)
        return wr_raise_at(e->ctx, WR_SEMANTIC, e->rel->span,
                           "ON CONFLICT clause is only allowed for upsert sinks. The sink '%.*s' "
                           "is not an upsert sink because it only accepts INSERT (append-only) "
                           "changes.",
                           WR_STR_ARG(e->name));
    if (e->p->batch || c == WR_CONFLICT_DEDUPLICATE) return WR_OK;
    wr_text names;
    wr_text_init(&names, e->p->arena);
    find_unwatermarked(e->query, false, &names);
    if (names.len == 0) return WR_OK;
    return wr_raise_at(e->ctx, WR_SEMANTIC, e->rel->span,
                       "ON CONFLICT DO %s requires all source tables to define watermarks, but the "
                       "following source(s) do not: %.*s. Please add a WATERMARK declaration to "
                       "these tables.",
                       c == WR_CONFLICT_NOTHING ? "NOTHING" : "ERROR", (int)names.len, names.ptr);
}

/* ---- what is demanded ------------------------------------------------------------------------ */

static wr_status
look(ending *e)
{
    const wr_table_id *id = &e->rel->u.sink.table->id;
    e->name = wr_arena_printf(e->p->arena, "%.*s.%.*s.%.*s", WR_STR_ARG(id->catalog),
                              WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    WR_TRY_ALLOC(e->ctx, e->name.ptr);
    WR_TRY(wri_phys_rel(e->ctx, e->p, e->rel->inputs[0], &e->query));
    memset(&e->info, 0, sizeof e->info);
    WR_TRY(e->rel->u.sink.sink->describe(e->ctx, e->rel->u.sink.table, &e->rel->u.sink.options,
                                         e->p->env->config, e->query->changelog, e->p->arena,
                                         &e->info));
    wr_clmode taken = e->info.changelog;
    e->insert_only = taken == WR_CL_I;
    e->upsert = (taken & WR_CL_UA) && !(taken & WR_CL_UB);
    e->keys_match = wri_keys_within(e->query, e->spec->primary_key, e->spec->primary_key_count);
    for (uint32_t i = 0; i < e->query->upsert_key_count; i++)
        e->keys_equal |=
            e->keys_match &&
            wri_cols_contain(e->query->upsert_keys[i].cols, e->query->upsert_keys[i].count,
                             e->spec->primary_key, e->spec->primary_key_count);
    wr_clmode extra = (wr_clmode)(e->query->changelog & ~taken);
    if (taken & (WR_CL_UA | WR_CL_UB)) extra = (wr_clmode)(extra & ~(WR_CL_UA | WR_CL_UB));
    return extra ? refuse_changes(e, extra) : WR_OK;
}

/* Is a SinkUpsertMaterializer needed? */
static wr_status
decide_materialize(ending *e)
{
    uint8_t c = e->rel->u.sink.on_conflict;
    if (e->p->batch || e->spec->primary_key_count == 0 || mode_is(e, "NONE")) return WR_OK;
    e->materialize = mode_is(e, "FORCE");
    if (e->materialize || e->insert_only || e->keys_match) return WR_OK;
    if (c == WR_CONFLICT_NONE &&
        wr_config_bool(e->p->env->config, "table.exec.sink.require-on-conflict"))
        return refuse_upsert_key(e);
    e->materialize = !wri_insert_only(e->query) || c != WR_CONFLICT_DEDUPLICATE;
    return WR_OK;
}

/* The cheapest form that the sink takes and the query can give. When an upsert key is only a part
 * of the primary key, an update may change the primary key: the old one must be told. */
static wr_status
satisfy(ending *e)
{
    bool keyed = e->spec->primary_key_count == 0 || e->keys_equal;
    bool after = e->upsert && keyed, by_key = e->info.key_deletes && keyed && !e->materialize;
    for (uint32_t u = after ? WRI_UPDATES_AFTER : WRI_UPDATES_BOTH; u <= WRI_UPDATES_BOTH; u++)
        for (uint32_t d = by_key ? WRI_DELETES_KEY : WRI_DELETES_FULL; d <= WRI_DELETES_FULL; d++) {
            WR_TRY(wri_changelog_satisfy(e->ctx, e->p, e->query, (wri_demand){u, d}, &e->out));
            if (e->out) return WR_OK;
        }
    return wr_raise(e->ctx, WR_INTERNAL, "the plan cannot provide the changes that its sink needs");
}

/* ---- what stands between --------------------------------------------------------------------- */

static wr_status
put_materialize(ending *e)
{
    wr_pnode *in = e->out;
    WR_TRY(wri_phys_exchange(e->ctx, e->p, &e->out, WR_DIST_HASH, e->spec->primary_key,
                             e->spec->primary_key_count));
    e->out->changelog = in->changelog;
    wr_pnode *n = wri_phys_node(e->p, WR_P_SINK_MATERIALIZE, in->schema, &e->out, 1);
    WR_TRY_ALLOC(e->ctx, n);
    n->u.materialize.keys = e->spec->primary_key;
    n->u.materialize.key_count = e->spec->primary_key_count;
    n->u.materialize.on_conflict = e->rel->u.sink.on_conflict;
    if (in->upsert_key_count) {
        n->u.materialize.input_upsert_key = in->upsert_keys[0].cols;
        n->u.materialize.input_upsert_key_count = in->upsert_keys[0].count;
    }
    n->u.materialize.ttl_ms = wr_config_int(e->p->env->config, "table.exec.state.ttl");
    WR_TRY(wri_phys_derive(e->ctx, e->p, n, &e->out));
    e->out->changelog = WR_CL_UPSERT;
    return WR_OK;
}

/* Subtasks as far as planning knows: -1 = the job's default. */
static int64_t
subtasks_of(const wr_pnode *n)
{
    switch ((int)n->kind) {
    case WR_P_SCAN:
        return n->u.scan.info.parallelism ? (int64_t)n->u.scan.info.parallelism : -1;
    case WR_P_VALUES:
        return 1;
    case WR_P_EXCHANGE:
        return n->u.exchange.dist == WR_DIST_SINGLE ? 1 : -1;
    case WR_P_UNION:
        return subtasks_of(n->inputs[0]); /* Flink asks the first one alone */
    default:
        return n->input_count == 1 ? subtasks_of(n->inputs[0]) : -1;
    }
}

/* With another number of subtasks than the query has, rows are shuffled: changes of one row stay in
 * order only if there is a key to shuffle by. */
static wr_status
check_parallelism(const ending *e)
{
    int64_t mine = e->info.parallelism, before = subtasks_of(e->out);
    if (e->p->batch || mine == 0 || mine == before || wri_insert_only(e->out) ||
        e->spec->primary_key_count)
        return WR_OK;
    return wr_raise_at(e->ctx, WR_SEMANTIC, e->rel->span,
                       "The sink for table '%.*s' has a configured parallelism of %lld, while the "
                       "input parallelism is %lld. Since the configured parallelism is different "
                       "from the input's parallelism and the changelog mode is not insert-only, a "
                       "primary key is required but could not be found.",
                       WR_STR_ARG(e->name), (long long)mine, (long long)before);
}

static wr_status
put_shuffle(ending *e)
{
    wr_str mode = wr_config_str(e->p->env->config, "table.exec.sink.keyed-shuffle");
    if (e->materialize || e->spec->primary_key_count == 0 || !str_is(mode, "FORCE")) return WR_OK;
    wr_clmode kinds = e->out->changelog;
    WR_TRY(wri_phys_exchange(e->ctx, e->p, &e->out, WR_DIST_HASH, e->spec->primary_key,
                             e->spec->primary_key_count));
    e->out->changelog = kinds;
    return WR_OK;
}

static void
set_enforcers(const wri_phys *p, wr_pnode *n)
{
    const wr_config *c = p->env->config;
    wr_str length = wr_config_str(c, "table.exec.sink.type-length-enforcer");
    n->u.sink.not_null = str_is(wr_config_str(c, "table.exec.sink.not-null-enforcer"), "DROP");
    n->u.sink.length = str_is(length, "TRIM_PAD") ? 1 : str_is(length, "ERROR") ? 2 : 0;
}

wr_status
wri_phys_sink(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    ending e = {.ctx = ctx, .p = p, .rel = rel, .spec = &rel->u.sink.spec};
    WR_TRY(look(&e));
    WR_TRY(check_conflict_clause(&e));
    WR_TRY(decide_materialize(&e));
    WR_TRY(satisfy(&e));
    WR_TRY(check_parallelism(&e));
    WR_TRY(wri_ndu_check(ctx, p, rel, e.out, e.materialize));
    if (e.materialize) WR_TRY(put_materialize(&e));
    WR_TRY(put_shuffle(&e));
    wr_clmode kinds = e.out->changelog;
    wr_pnode *n = wri_phys_node(p, WR_P_SINK, e.out->schema, &e.out, 1);
    WR_TRY_ALLOC(ctx, n);
    wri_node_of(n)->rel = rel;
    n->u.sink.sink = rel->u.sink.sink;
    n->u.sink.spec = rel->u.sink.spec;
    n->u.sink.spec.changelog = kinds;
    n->u.sink.info = e.info;
    n->u.sink.on_conflict = rel->u.sink.on_conflict;
    n->u.sink.target = rel->u.sink.target;
    n->u.sink.target_count = rel->u.sink.target_count;
    n->u.sink.drop_update_before = false;
    set_enforcers(p, n);
    WR_TRY(wri_phys_derive(ctx, p, n, out));
    (*out)->changelog = kinds;
    return WR_OK;
}

/* ---- SELECT ---------------------------------------------------------------------------------- */

wr_status
wri_phys_collect(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *query = NULL, *in = NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel, &query));
    if (p->env->explain)
        WR_TRY(wri_changelog_satisfy(ctx, p, query,
                                     (wri_demand){WRI_UPDATES_AFTER, WRI_DELETES_FULL}, &in));
    if (!in)
        WR_TRY(wri_changelog_satisfy(ctx, p, query,
                                     (wri_demand){WRI_UPDATES_BOTH, WRI_DELETES_FULL}, &in));
    if (!in)
        return wr_raise(ctx, WR_INTERNAL,
                        "the plan cannot provide the changes that a SELECT shows");
    wr_pnode *n = wri_phys_node(p, WR_P_COLLECT, in->schema, &in, 1);
    WR_TRY(wri_phys_derive(ctx, p, n, out));
    (*out)->changelog = in->changelog;
    set_enforcers(p, *out);
    return WR_OK;
}
