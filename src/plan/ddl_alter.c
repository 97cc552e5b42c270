/* SPDX-License-Identifier: Apache-2.0 */
/* ALTER TABLE: a draft is made of the old description, changed, and checked like a new one.
 * Renaming the table itself and ALTER VIEW are elsewhere (engine/, ddl_view.c). */
#include "plan/ddl_int.h"

static wr_status
no_memory(const wri_draft *d)
{
    return wr_raise(d->ctx, WR_NOMEM, "out of memory");
}

static wr_status
draft_of(wri_draft *d, const wr_table_desc *old)
{
    d->t = *old;
    d->alter = true;
    for (uint32_t i = 0; i < old->column_count; i++) {
        wri_draft_column c = {.c = old->columns[i]};
        if (!wr_list_push(d->a, &d->columns, c)) return no_memory(d);
    }
    return WR_OK;
}

/* The name of a top-level column; fields of rows cannot be altered. */
static wr_status
simple_name(wri_draft *d, const wr_ast_ident *path, wr_str *out)
{
    *out = path->parts[0].name;
    if (path->part_count == 1) return WR_OK;
    wr_text t;
    wr_text_init(&t, d->a);
    for (uint32_t i = 0; i < path->part_count; i++) {
        if (i) wr_text_putc(&t, '.');
        wr_sql_ident_print(path->parts[i].name, &t);
    }
    return wr_raise_at(d->ctx, WR_UNSUPPORTED, path->base.span,
                       "Altering the nested row type %.*s is not supported yet.",
                       WR_STR_ARG(wr_text_str(&t)));
}

static wr_status
no_column(wri_draft *d, const char *fmt_before, wr_str name, const char *after, wr_span span)
{
    for (uint32_t i = 0; i < d->columns.count; i++)
        wr_candidate(d->ctx, name, d->columns.items[i].c.name);
    wr_text t;
    wr_text_init(&t, d->a);
    wr_sql_ident_print(name, &t);
    return wr_raise_at(d->ctx, WR_NAME, span, "%s %.*s %s", fmt_before, WR_STR_ARG(wr_text_str(&t)),
                       after);
}

static wr_status
column_error(wri_draft *d, wr_str name, const char *before, const char *after, wr_span span)
{
    wr_text t;
    wr_text_init(&t, d->a);
    wr_sql_ident_print(name, &t);
    return wr_raise_at(d->ctx, WR_SEMANTIC, span, "%s %.*s%s", before, WR_STR_ARG(wr_text_str(&t)),
                       after);
}

/* ---- references ------------------------------------------------------------------------------ */

typedef struct finder {
    wr_str name;
    bool found;
} finder;

static bool
find_name(void *arg, const wr_ast_ident *id)
{
    finder *f = arg;
    f->found = wr_str_eq(id->parts[0].name, f->name);
    return !f->found;
}

static wr_status
refers_to(wri_draft *d, wr_str text, wr_str name, bool *out)
{
    wr_ast *ast = NULL;
    wr_str sql = d->ctx->sql;
    d->ctx->sql = text;
    wr_status status = wr_sql_parse_expr(d->ctx, text, d->a, &ast);
    d->ctx->sql = sql;
    if (status != WR_OK) {
        d->ctx->err.span = d->stmt;
        return status;
    }
    finder f = {.name = name};
    wri_ddl_each_name(ast, find_name, &f);
    *out = f.found;
    return WR_OK;
}

static bool
contains(const wr_str *names, uint32_t count, wr_str name)
{
    for (uint32_t i = 0; i < count; i++)
        if (wr_str_eq(names[i], name)) return true;
    return false;
}

/* Computed columns that use `name` and are not among `going`. */
static wr_status
check_computed(wri_draft *d, wr_str name, const wr_str *going, uint32_t going_count, wr_span span)
{
    wr_text users;
    wr_text_init(&users, d->a);
    for (uint32_t i = 0; i < d->columns.count; i++) {
        const wr_column *c = &d->columns.items[i].c;
        bool uses = false;
        if (c->kind != WR_COL_COMPUTED || contains(going, going_count, c->name)) continue;
        WR_TRY(refers_to(d, c->expr, name, &uses));
        if (!uses) continue;
        if (users.len) wr_text_puts(&users, ", ");
        wr_sql_ident_print(c->name, &users);
    }
    if (users.len == 0) return WR_OK;
    wr_text_putc(&users, '.');
    wr_text_putc(&users, '\0');
    if (users.failed) return no_memory(d);
    wr_str after = wr_arena_printf(d->a, " is referenced by computed column %s", users.ptr);
    return after.ptr ? column_error(d, name, "The column", after.ptr, span) : no_memory(d);
}

static wr_status
check_unused(wri_draft *d, wr_str name, const wr_str *going, uint32_t going_count, bool drop,
             wr_span span)
{
    bool uses = false;
    WR_TRY(check_computed(d, name, going, going_count, span));
    if (contains(d->t.partition_keys, d->t.partition_key_count, name))
        return column_error(d, name, "The column", " is used as the partition keys.", span);
    if (drop && contains(d->t.primary_key, d->t.primary_key_count, name))
        return column_error(d, name, "The column", " is used as the primary key.", span);
    if (d->t.watermark_column.len) {
        uses = wr_str_eq(d->t.watermark_column, name);
        if (!uses) WR_TRY(refers_to(d, d->t.watermark_expr, name, &uses));
        if (uses)
            return column_error(d, name, "The column", " is referenced by watermark expression.",
                                span);
    }
    if (contains(d->t.distribution_columns, d->t.distribution_column_count, name))
        return column_error(d, name, "The column", " is used as a distribution key.", span);
    return WR_OK;
}

/* ---- ADD and MODIFY -------------------------------------------------------------------------- */

/* Puts `c` where FIRST or AFTER says, else at `at`. */
static wr_status
place_column(wri_draft *d, const wr_ast_column *ast, const wri_draft_column *c, uint32_t at)
{
    uint32_t to = at;
    if (ast->position == WR_SQL_POSITION_FIRST) to = 0;
    if (ast->position == WR_SQL_POSITION_AFTER) {
        wr_str after = ast->after->parts[0].name;
        int32_t k = wri_draft_find(d, after);
        if (wr_str_eq(after, c->c.name)) {
            k = -1; /* AFTER itself: it was taken away, so it comes first */
        } else if (k < 0) {
            return no_column(d, "Referenced column", after,
                             "by 'AFTER' does not exist in the table.", ast->after->base.span);
        }
        to = (uint32_t)(k + 1);
    }
    if (!wr_list_push(d->a, &d->columns, *c)) return no_memory(d);
    wri_draft_column *items = d->columns.items;
    memmove(items + to + 1, items + to, (d->columns.count - 1 - to) * sizeof *items);
    items[to] = *c;
    return WR_OK;
}

static wr_status
check_duplicates(wri_draft *d, const wr_ast_alter *alter)
{
    for (uint32_t i = 0; i < alter->columns.count; i++) {
        const wr_ast_column *c = WR_AST_AS(wr_ast_column, WR_AST_COLUMN, alter->columns.items[i]);
        wr_str name;
        WR_TRY(simple_name(d, c->path, &name));
        if (c->after) {
            wr_str after;
            WR_TRY(simple_name(d, c->after, &after));
        }
        for (uint32_t k = 0; k < i; k++) {
            const wr_ast_column *o =
                WR_AST_AS(wr_ast_column, WR_AST_COLUMN, alter->columns.items[k]);
            if (wr_str_eq(o->path->parts[0].name, name))
                return column_error(d, name, "Encounter duplicate column", ".", c->base.span);
        }
    }
    return WR_OK;
}

static wr_status
add_column(wri_draft *d, const wr_ast_column *ast)
{
    wri_draft_column c;
    wr_str name = ast->path->parts[0].name;
    if (wri_draft_find(d, name) >= 0)
        return column_error(d, name, "Column", " already exists in the table.", ast->base.span);
    WR_TRY(wri_draft_make_column(d, ast, &c));
    return place_column(d, ast, &c, d->columns.count);
}

static wr_status
modify_column(wri_draft *d, const wr_ast_column *ast)
{
    wri_draft_column c;
    wr_str name = ast->path->parts[0].name;
    int32_t at = wri_draft_find(d, name);
    if (at < 0) return no_column(d, "Column", name, "does not exist in the table.", ast->base.span);
    WR_TRY(wri_draft_make_column(d, ast, &c));
    if (!ast->comment) c.c.comment = d->columns.items[at].c.comment;
    wri_draft_column *items = d->columns.items;
    memmove(items + at, items + at + 1, (d->columns.count - 1 - (uint32_t)at) * sizeof *items);
    d->columns.count--;
    return place_column(d, ast, &c, (uint32_t)at);
}

static wr_str
distribution_text(const wri_draft *d)
{
    wr_text t;
    wr_text_init(&t, d->a);
    wr_text_puts(&t, "DISTRIBUTED ");
    if (d->t.distribution_column_count) {
        wr_text_puts(&t, "BY ");
        if (!wr_str_eq_c(d->t.distribution_kind, "UNKNOWN"))
            wr_text_printf(&t, "%.*s", WR_STR_ARG(d->t.distribution_kind));
        for (uint32_t i = 0; i < d->t.distribution_column_count; i++) {
            wr_text_puts(&t, i ? ", " : "(");
            wr_sql_ident_print(d->t.distribution_columns[i], &t);
        }
        wr_text_putc(&t, ')');
    }
    if (d->t.bucket_count >= 0)
        wr_text_printf(&t, "%sINTO %d BUCKETS", d->t.distribution_column_count ? " " : "",
                       d->t.bucket_count);
    return wr_text_str(&t);
}

static wr_status
check_key(wri_draft *d, const wr_ast_alter *alter, bool add)
{
    WR_TRY(wri_draft_find_key(d, &alter->columns, &alter->constraints));
    if (!d->key) return WR_OK;
    wr_text t;
    wr_text_init(&t, d->a);
    for (uint32_t i = 0; i < d->t.primary_key_count; i++) {
        if (i) wr_text_puts(&t, ", ");
        wr_sql_ident_print(d->t.primary_key[i], &t);
    }
    if (add && d->t.primary_key_count)
        return wr_raise_at(d->ctx, WR_SEMANTIC, d->key->base.span,
                           "The current table has already defined the primary key constraint "
                           "[%.*s]. You might want to drop it before adding a new one.",
                           WR_STR_ARG(wr_text_str(&t)));
    if (!add && d->t.primary_key_count == 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, d->key->base.span,
                           "The current table does not define any primary key constraint. You "
                           "might want to add a new one.");
    return WR_OK;
}

static wr_status
check_watermark(wri_draft *d, const wr_ast_alter *alter, bool add)
{
    if (!alter->watermark) return WR_OK;
    if (add && d->t.watermark_column.len) {
        wr_text t;
        wr_text_init(&t, d->a);
        wr_sql_ident_print(d->t.watermark_column, &t);
        return wr_raise_at(d->ctx, WR_SEMANTIC, alter->watermark->base.span,
                           "The current table has already defined the watermark strategy %.*s AS "
                           "%.*s. You might want to drop it before adding a new one.",
                           WR_STR_ARG(wr_text_str(&t)), WR_STR_ARG(d->t.watermark_expr));
    }
    if (!add && d->t.watermark_column.len == 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, alter->watermark->base.span,
                           "The current table does not define any watermark. You might want to add "
                           "a new one.");
    d->watermark = alter->watermark;
    return WR_OK;
}

static wr_status
change_distribution(wri_draft *d, const wr_ast_alter *alter, bool add)
{
    if (!alter->distribution) return WR_OK;
    wr_span span = alter->distribution->base.span;
    if (add && d->t.distribution_kind.len)
        return wr_raise_at(d->ctx, WR_SEMANTIC, span,
                           "The current table has already defined the distribution '%.*s'. You can "
                           "modify it or drop it before adding a new one.",
                           WR_STR_ARG(distribution_text(d)));
    if (!add && d->t.distribution_kind.len == 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, span,
                           "The base table does not define any distribution. You might want to add "
                           "a new one.");
    return wri_draft_set_distribution(d, alter->distribution);
}

static wr_status
add_or_modify(wri_draft *d, const wr_ast_alter *alter)
{
    bool add = alter->action == WR_SQL_ALTER_ADD;
    WR_TRY(check_key(d, alter, add));
    WR_TRY(check_duplicates(d, alter));
    for (uint32_t i = 0; i < alter->columns.count; i++) {
        const wr_ast_column *c = WR_AST_AS(wr_ast_column, WR_AST_COLUMN, alter->columns.items[i]);
        WR_TRY(add ? add_column(d, c) : modify_column(d, c));
    }
    WR_TRY(check_watermark(d, alter, add));
    return change_distribution(d, alter, add);
}

/* ---- DROP and RENAME ------------------------------------------------------------------------- */

static wr_status
drop_columns(wri_draft *d, const wr_ast_alter *alter)
{
    uint32_t n = alter->names.count;
    wr_str *going = WR_NEW_N(d->a, wr_str, n + 1);
    WR_TRY_ALLOC(d->ctx, going);
    for (uint32_t i = 0; i < n; i++) {
        const wr_ast *node = alter->names.items[i];
        WR_TRY(simple_name(d, WR_AST_AS(wr_ast_ident, WR_AST_IDENT, node), &going[i]));
        if (contains(going, i, going[i]))
            return column_error(d, going[i], "Duplicate column", ".", node->span);
        if (wri_draft_find(d, going[i]) < 0)
            return no_column(d, "The column", going[i], "does not exist in the base table.",
                             node->span);
    }
    for (uint32_t i = 0; i < n; i++)
        WR_TRY(check_unused(d, going[i], going, n, true, alter->names.items[i]->span));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->columns.count; i++)
        if (!contains(going, n, d->columns.items[i].c.name))
            d->columns.items[kept++] = d->columns.items[i];
    d->columns.count = kept;
    return WR_OK;
}

static wr_status
rename_column(wri_draft *d, const wr_ast_alter *alter)
{
    const wr_ast_ident *from = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, alter->names.items[0]);
    wr_str old, name = alter->new_name->parts[0].name;
    WR_TRY(simple_name(d, from, &old));
    int32_t at = wri_draft_find(d, old);
    if (at < 0)
        return no_column(d, "The column", old, "does not exist in the base table.",
                         from->base.span);
    if (wri_draft_find(d, name) >= 0)
        return column_error(d, name, "The column", " already existed in table schema.",
                            alter->new_name->base.span);
    WR_TRY(check_unused(d, old, NULL, 0, false, from->base.span));
    wr_column *c = &d->columns.items[at].c;
    if (c->kind == WR_COL_METADATA && wr_str_eq(c->metadata_key, c->name)) c->metadata_key = old;
    c->name = name;
    wr_str *key = WR_NEW_N(d->a, wr_str, d->t.primary_key_count + 1);
    WR_TRY_ALLOC(d->ctx, key);
    for (uint32_t i = 0; i < d->t.primary_key_count; i++)
        key[i] = wr_str_eq(d->t.primary_key[i], old) ? name : d->t.primary_key[i];
    d->t.primary_key = key;
    return WR_OK;
}

static wr_status
drop_key(wri_draft *d, const wr_ast_alter *alter)
{
    if (d->t.primary_key_count == 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, alter->base.span,
                           "The current table does not define any primary key.");
    if (alter->action == WR_SQL_ALTER_DROP_CONSTRAINT) {
        const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, alter->names.items[0]);
        if (!wr_str_eq(id->parts[0].name, d->t.primary_key_name))
            return wr_raise_at(d->ctx, WR_NAME, id->base.span,
                               "The current table does not define a primary key constraint named "
                               "'%.*s'. Available constraint name: ['%.*s'].",
                               WR_STR_ARG(id->parts[0].name), WR_STR_ARG(d->t.primary_key_name));
    }
    d->t.primary_key_count = 0;
    d->t.primary_key_name = WR_STR("");
    return WR_OK;
}

static wr_status
drop_watermark(wri_draft *d, const wr_ast_alter *alter)
{
    if (d->t.watermark_column.len == 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, alter->base.span,
                           "The current table does not define any watermark strategy.");
    d->t.watermark_column = d->t.watermark_expr = WR_STR("");
    return WR_OK;
}

static wr_status
drop_distribution(wri_draft *d, const wr_ast_alter *alter)
{
    const wr_table_id *id = &d->t.id;
    if (d->t.distribution_kind.len == 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, alter->base.span,
                           "Table `%.*s`.`%.*s`.`%.*s` does not have a distribution to drop.",
                           WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    d->t.distribution_kind = WR_STR("");
    d->t.distribution_column_count = 0;
    d->t.bucket_count = -1;
    return WR_OK;
}

/* ---- options --------------------------------------------------------------------------------- */

static wr_status
reset_options(wri_draft *d, const wr_ast_alter *alter)
{
    if (alter->keys.count == 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, alter->base.span,
                           "ALTER TABLE RESET does not support empty key");
    wr_option *items = WR_NEW_N(d->a, wr_option, d->t.options.count + 1);
    WR_TRY_ALLOC(d->ctx, items);
    for (uint32_t i = 0; i < alter->keys.count; i++)
        if (wr_str_eq_c(wri_ddl_string(alter->keys.items[i]), "connector"))
            return wr_raise_at(d->ctx, WR_SEMANTIC, alter->keys.items[i]->span,
                               "ALTER TABLE RESET does not support changing 'connector'");
    uint32_t n = 0;
    for (uint32_t k = 0; k < d->t.options.count; k++) {
        bool gone = false;
        for (uint32_t i = 0; i < alter->keys.count && !gone; i++)
            gone = wr_str_eq(wri_ddl_string(alter->keys.items[i]), d->t.options.items[k].key);
        if (!gone) items[n++] = d->t.options.items[k];
    }
    d->t.options = (wr_options){.items = items, .count = n};
    return WR_OK;
}

/* ---- partitions ------------------------------------------------------------------------------ */

/* "p=1/q=x" as written. */
static wr_str
partition_text(wri_draft *d, const wr_ast_partition *p, const char *between)
{
    wr_text t;
    wr_text_init(&t, d->a);
    for (uint32_t i = 0; i < p->columns.count; i++) {
        const wr_ast *v = p->values.items[i];
        wr_text_printf(&t, "%s%.*s", i ? between : "", WR_STR_ARG(p->columns.items[i].name));
        if (!v) continue;
        wr_text_putc(&t, '=');
        if (v->kind == WR_AST_LITERAL) {
            wr_str s = wri_ddl_string(v);
            wr_text_put(&t, s.ptr, s.len);
        } else {
            wr_sql_expr_print(v, &t);
        }
    }
    return t.failed ? (wr_str){NULL, 0} : wr_text_str(&t);
}

static bool
next_part(wr_str *rest, wr_str *part)
{
    if (rest->len == 0) return false;
    const char *slash = memchr(rest->ptr, '/', rest->len);
    size_t n = slash ? (size_t)(slash - rest->ptr) : rest->len;
    *part = (wr_str){rest->ptr, n};
    size_t skip = slash ? n + 1 : n;
    *rest = (wr_str){rest->ptr + skip, rest->len - skip};
    return true;
}

/* The same pairs in any order. */
static bool
same_partition(wr_str a, wr_str b)
{
    wr_str x, rest = a;
    if (a.len != b.len) return false;
    while (next_part(&rest, &x)) {
        wr_str y, others = b;
        bool found = false;
        while (!found && next_part(&others, &y)) found = wr_str_eq(x, y);
        if (!found) return false;
    }
    return true;
}

static wr_status
check_spec(wri_draft *d, const wr_ast_partition *p)
{
    const wr_table_desc *t = &d->t;
    if (t->partition_key_count == 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, p->base.span,
                           "Table %.*s.%.*s in catalog %.*s is not partitioned.",
                           WR_STR_ARG(t->id.database), WR_STR_ARG(t->id.name),
                           WR_STR_ARG(t->id.catalog));
    bool ok = p->columns.count == t->partition_key_count;
    for (uint32_t i = 0; ok && i < p->columns.count; i++)
        ok = contains(t->partition_keys, t->partition_key_count, p->columns.items[i].name);
    if (ok) return WR_OK;
    wr_text keys;
    wr_text_init(&keys, d->a);
    for (uint32_t i = 0; i < t->partition_key_count; i++)
        wr_text_printf(&keys, "%s%.*s", i ? ", " : "", WR_STR_ARG(t->partition_keys[i]));
    return wr_raise_at(d->ctx, WR_SEMANTIC, p->base.span,
                       "PartitionSpec CatalogPartitionSpec{{%.*s}} does not match partition keys "
                       "[%.*s] of table %.*s.%.*s in catalog %.*s.",
                       WR_STR_ARG(partition_text(d, p, ", ")), WR_STR_ARG(wr_text_str(&keys)),
                       WR_STR_ARG(t->id.database), WR_STR_ARG(t->id.name),
                       WR_STR_ARG(t->id.catalog));
}

static wr_status
partition_error(wri_draft *d, const wr_ast_partition *p, wr_status kind, const char *what)
{
    const wr_table_id *id = &d->t.id;
    return wr_raise_at(
        d->ctx, kind, p->base.span,
        "Partition CatalogPartitionSpec{{%.*s}} of table %.*s.%.*s in catalog %.*s %s.",
        WR_STR_ARG(partition_text(d, p, ", ")), WR_STR_ARG(id->database), WR_STR_ARG(id->name),
        WR_STR_ARG(id->catalog), what);
}

static wr_status
add_partitions(wri_draft *d, const wr_ast_alter *alter)
{
    wr_str *list = WR_NEW_N(d->a, wr_str, d->t.partition_count + alter->partitions.count + 1);
    WR_TRY_ALLOC(d->ctx, list);
    uint32_t n = d->t.partition_count;
    if (n) memcpy(list, d->t.partitions, n * sizeof *list);
    for (uint32_t i = 0; i < alter->partitions.count; i++) {
        const wr_ast_partition *p =
            WR_AST_AS(wr_ast_partition, WR_AST_PARTITION, alter->partitions.items[i]);
        WR_TRY(check_spec(d, p));
        wr_str text = partition_text(d, p, "/");
        if (!text.ptr) return no_memory(d);
        uint32_t k = 0;
        while (k < n && !same_partition(list[k], text)) k++;
        if (k == n)
            list[n++] = text;
        else if (!alter->if_not_exists)
            return partition_error(d, p, WR_EXISTS, "already exists");
    }
    d->t.partitions = list;
    d->t.partition_count = n;
    return WR_OK;
}

static wr_status
drop_partitions(wri_draft *d, const wr_ast_alter *alter)
{
    wr_str *list = WR_NEW_N(d->a, wr_str, d->t.partition_count + 1);
    WR_TRY_ALLOC(d->ctx, list);
    uint32_t n = d->t.partition_count;
    if (n) memcpy(list, d->t.partitions, n * sizeof *list);
    for (uint32_t i = 0; i < alter->partitions.count; i++) {
        const wr_ast_partition *p =
            WR_AST_AS(wr_ast_partition, WR_AST_PARTITION, alter->partitions.items[i]);
        wr_str text = partition_text(d, p, "/");
        if (!text.ptr) return no_memory(d);
        uint32_t k = 0;
        while (k < n && !same_partition(list[k], text)) k++;
        if (k < n) {
            memmove(list + k, list + k + 1, (n - k - 1) * sizeof *list);
            n--;
        } else if (!alter->part_if_exists) {
            return partition_error(d, p, WR_NAME, "does not exist");
        }
    }
    d->t.partitions = list;
    d->t.partition_count = n;
    return WR_OK;
}

/* ---- the statement --------------------------------------------------------------------------- */

static wr_status
change(wri_draft *d, const wr_ast_alter *alter)
{
    switch (alter->action) {
    case WR_SQL_ALTER_ADD:
    case WR_SQL_ALTER_MODIFY:
        return add_or_modify(d, alter);
    case WR_SQL_ALTER_DROP_COLUMNS:
        return drop_columns(d, alter);
    case WR_SQL_ALTER_DROP_PRIMARY_KEY:
    case WR_SQL_ALTER_DROP_CONSTRAINT:
        return drop_key(d, alter);
    case WR_SQL_ALTER_DROP_WATERMARK:
        return drop_watermark(d, alter);
    case WR_SQL_ALTER_DROP_DISTRIBUTION:
        return drop_distribution(d, alter);
    case WR_SQL_ALTER_RENAME_COLUMN:
        return rename_column(d, alter);
    case WR_SQL_ALTER_SET:
        return wri_draft_set_options(d, &alter->options);
    case WR_SQL_ALTER_RESET:
        return reset_options(d, alter);
    case WR_SQL_ALTER_ADD_PARTITION:
        return add_partitions(d, alter);
    case WR_SQL_ALTER_DROP_PARTITION:
        return drop_partitions(d, alter);
    case WR_SQL_ALTER_RENAME:
    case WR_SQL_ALTER_COMMENT:
    case WR_SQL_ALTER_AS:
    case WR_SQL_ALTER_CLASS:
    case WR_SQL_ALTER_SUSPEND:
    case WR_SQL_ALTER_RESUME:
    case WR_SQL_ALTER_REFRESH:
    case WR_SQL_ALTER_SET_FRESHNESS:
    case WR_SQL_ALTER_SET_REFRESH_MODE:
    case WR_SQL_ALTER_COUNT:
        break;
    }
    return wr_raise_at(d->ctx, WR_UNSUPPORTED, d->stmt,
                       "not supported yet: this form of ALTER TABLE");
}

wr_status
wr_ddl_alter(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt, const wr_table_desc *old,
             wr_table_desc **out)
{
    const wr_ast_alter *alter = WR_AST_AS(wr_ast_alter, WR_AST_ALTER, stmt);
    wri_draft d;
    wri_draft_init(&d, ctx, env, stmt);
    wr_status status = draft_of(&d, old);
    if (status == WR_OK) status = change(&d, alter);
    if (status == WR_OK) status = wri_draft_finish(&d, out);
    if (status != WR_OK) wr_frame(ctx, "Failed to execute ALTER TABLE statement.");
    return status;
}
