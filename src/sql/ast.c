/* SPDX-License-Identifier: Apache-2.0 */
/* Trees as such: names of their words, and equality, hash, walk, copy and height over the field
 * tables of ast_fields.c. Recursion is bounded by the parser's depth limit. */
#include "sql/tree_int.h"

/* ---- names ----------------------------------------------------------------------------------- */
const wr_ast *
wr_ast_checked_(const wr_ast *node, wr_ast_kind kind)
{
    WR_ASSERT(node && node->kind == kind);
    return node;
}

const char *
wr_ast_kind_name(wr_ast_kind kind)
{
    return wri_shape_of(kind)->title;
}

const char *
wr_sql_binop_text(wr_sql_binop op)
{
    static const char *const names[] = {
#define X(name, sql, power) sql,
        WR_SQL_BINOP_MAP(X)
#undef X
    };
    WR_ASSERT((uint32_t)op < WR_COUNT(names));
    return names[op];
}

const char *
wr_sql_is_text(wr_sql_is what)
{
    static const char *const names[] = {
#define X(name, sql) sql,
        WR_SQL_IS_MAP(X)
#undef X
    };
    WR_ASSERT((uint32_t)what < WR_COUNT(names));
    return names[what];
}

const char *
wr_sql_type_text(wr_sql_type_name name)
{
    static const char *const names[] = {
#define X(id, sql) sql,
        WR_SQL_TYPE_MAP(X)
#undef X
    };
    WR_ASSERT((uint32_t)name < WR_COUNT(names));
    return names[name];
}

const char *
wr_sql_object_name(wr_sql_object object)
{
    static const char *const names[] = {
#define X(name, sql) sql,
        WR_SQL_OBJECT_MAP(X)
#undef X
    };
    WR_ASSERT((uint32_t)object < WR_COUNT(names));
    return names[object];
}

const char *
wr_sql_show_name(wr_sql_show show)
{
    static const char *const names[] = {
#define X(name, sql) sql,
        WR_SQL_SHOW_MAP(X)
#undef X
    };
    WR_ASSERT((uint32_t)show < WR_COUNT(names));
    return names[show];
}

/* ---- fields ---------------------------------------------------------------------------------- */
static const void *
field_at(const wr_ast *node, const wri_field *f)
{
    return (const char *)node + f->offset;
}

static const wr_ast *
node_at(const wr_ast *node, const wri_field *f)
{
    const wr_ast *child;
    memcpy(&child, field_at(node, f), sizeof child);
    return child;
}

static uint32_t
u32_at(const void *field)
{
    uint32_t v;
    memcpy(&v, field, sizeof v);
    return v;
}

/* ---- equality -------------------------------------------------------------------------------- */
static bool
same_part(const wr_ast_part *a, const wr_ast_part *b, bool nocase)
{
    if ((a->name.ptr == NULL) != (b->name.ptr == NULL)) return false;
    return nocase ? wr_str_eq_nocase(a->name, b->name) : wr_str_eq(a->name, b->name);
}

static bool
same_parts(const wr_ast_part *a, uint32_t a_count, const wr_ast_part *b, uint32_t b_count,
           bool nocase)
{
    if (a_count != b_count) return false;
    for (uint32_t i = 0; i < a_count; i++)
        if (!same_part(&a[i], &b[i], nocase)) return false;
    return true;
}

static bool
same_list(const wr_ast_list *a, const wr_ast_list *b)
{
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!wr_ast_equal(a->items[i], b->items[i])) return false;
    return true;
}

static bool
same_like_options(const wr_ast_table_like *a, const wr_ast_table_like *b)
{
    if (a->option_count != b->option_count) return false;
    for (uint32_t i = 0; i < a->option_count; i++)
        if (a->options[i].mode != b->options[i].mode ||
            a->options[i].feature != b->options[i].feature)
            return false;
    return true;
}

static bool
same_function(const wr_ast *a, const wr_ast *b)
{
    const wr_ast_ident *x = (const wr_ast_ident *)a, *y = (const wr_ast_ident *)b;
    if (!x || !y) return x == y;
    return same_parts(x->parts, x->part_count, y->parts, y->part_count, true);
}

static bool
same_as(const wr_ast_as *a, const wr_ast_as *b)
{
    return same_part(&a->name, &b->name, false) &&
           same_parts(a->columns.items, a->columns.count, b->columns.items, b->columns.count,
                      false);
}

static bool
same_sample(const wr_ast_tablesample *a, const wr_ast_tablesample *b)
{
    return a->method == b->method && wr_ast_equal(a->amount, b->amount) &&
           wr_ast_equal(a->seed, b->seed);
}

static bool
same_field(const wr_ast *a, const wr_ast *b, const wri_field *f)
{
    const void *x = field_at(a, f), *y = field_at(b, f);
    switch ((wri_field_type)f->type) {
    case WRI_F_NODE:
        return wr_ast_equal(node_at(a, f), node_at(b, f));
    case WRI_F_FUNCTION:
        return same_function(node_at(a, f), node_at(b, f));
    case WRI_F_LIST:
        return same_list(x, y);
    case WRI_F_STR:
        return wr_str_eq(*(const wr_str *)x, *(const wr_str *)y);
    case WRI_F_BOOL:
        return *(const bool *)x == *(const bool *)y;
    case WRI_F_ENUM:
        return u32_at(x) == u32_at(y);
    case WRI_F_I64:
        return memcmp(x, y, 8) == 0;
    case WRI_F_PART:
        return same_part(x, y, false);
    case WRI_F_PARTS: {
        const wr_ast_parts *p = x, *q = y;
        return same_parts(p->items, p->count, q->items, q->count, false);
    }
    case WRI_F_IDENT_PARTS: {
        const wr_ast_ident *p = (const wr_ast_ident *)a, *q = (const wr_ast_ident *)b;
        return same_parts(p->parts, p->part_count, q->parts, q->part_count, false);
    }
    case WRI_F_INTERVAL:
        return memcmp(x, y, sizeof(wr_ast_interval)) == 0;
    case WRI_F_AS:
        return same_as(x, y);
    case WRI_F_SAMPLE:
        return same_sample(x, y);
    case WRI_F_LIKE_OPTIONS:
        return same_like_options((const wr_ast_table_like *)a, (const wr_ast_table_like *)b);
    case WRI_F_STR_IGNORED:
    case WRI_F_BOOL_IGNORED:
    case WRI_F_SPAN:
        return true;
    }
    WR_UNREACHABLE();
}

bool
wr_ast_equal(const wr_ast *a, const wr_ast *b)
{
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind || a->height != b->height) return false;
    const wri_shape *shape = wri_shape_of(a->kind);
    for (uint32_t i = 0; i < shape->field_count; i++)
        if (!same_field(a, b, &shape->fields[i])) return false;
    return true;
}

/* ---- hash: of fewer fields than equality compares, which is allowed -------------------------- */
typedef struct hasher {
    uint64_t h;
} hasher;

static void
mix(hasher *x, uint64_t v)
{
    x->h = wr_hash_u64(x->h ^ v) + 0x9e3779b97f4a7c15ull;
}

static bool
hash_node(void *arg, const wr_ast *node)
{
    hasher *x = arg;
    mix(x, (uint64_t)node->kind << 32 | node->height);
    if (node->kind == WR_AST_LITERAL) {
        wr_str text = ((const wr_ast_literal *)node)->text;
        mix(x, wr_hash_bytes(text.ptr, text.len, 1));
    } else if (node->kind == WR_AST_IDENT) {
        const wr_ast_ident *ident = (const wr_ast_ident *)node;
        for (uint32_t i = 0; i < ident->part_count; i++)
            mix(x, wr_hash_bytes(ident->parts[i].name.ptr, ident->parts[i].name.len, 2));
    } else if (node->kind == WR_AST_BINARY) {
        mix(x, (uint64_t)((const wr_ast_binary *)node)->op);
    } else if (node->kind == WR_AST_CALL) {
        mix(x, ((const wr_ast_call *)node)->args.count);
    }
    return true;
}

uint64_t
wr_ast_hash(const wr_ast *node)
{
    hasher x = {0};
    wr_ast_walk(node, hash_node, &x);
    return x.h;
}

/* ---- walk, height ---------------------------------------------------------------------------- */
static void
walk_list(const wr_ast_list *list, wr_ast_visit_fn visit, void *arg)
{
    for (uint32_t i = 0; i < list->count; i++) wr_ast_walk(list->items[i], visit, arg);
}

static void
walk_children(const wr_ast *node, wr_ast_visit_fn visit, void *arg)
{
    const wri_shape *shape = wri_shape_of(node->kind);
    for (uint32_t i = 0; i < shape->field_count; i++) {
        const wri_field *f = &shape->fields[i];
        if (f->type == WRI_F_NODE) {
            wr_ast_walk(node_at(node, f), visit, arg);
        } else if (f->type == WRI_F_LIST) {
            walk_list(field_at(node, f), visit, arg);
        } else if (f->type == WRI_F_SAMPLE) {
            const wr_ast_tablesample *sample = field_at(node, f);
            wr_ast_walk(sample->amount, visit, arg);
            wr_ast_walk(sample->seed, visit, arg);
        }
    }
}

wr_str
wr_ast_bare_call(const wr_ast *node)
{
    if (node->kind != WR_AST_CALL) return WR_STR("");
    const wr_ast_call *c = WR_AST_AS(wr_ast_call, WR_AST_CALL, node);
    return c->syntax == WR_SQL_CALL_BARE ? c->name->parts[0].name : WR_STR("");
}

void
wr_ast_walk(const wr_ast *node, wr_ast_visit_fn visit, void *arg)
{
    if (node && visit(arg, node)) walk_children(node, visit, arg);
}

static uint32_t
height_of(const wr_ast *node)
{
    return node ? node->height : 0;
}

uint32_t
wri_children_height(const wr_ast *node)
{
    const wri_shape *shape = wri_shape_of(node->kind);
    uint32_t height = 0;
    for (uint32_t i = 0; i < shape->field_count; i++) {
        const wri_field *f = &shape->fields[i];
        if (f->type == WRI_F_NODE || f->type == WRI_F_FUNCTION) {
            height = WR_MAX(height, height_of(node_at(node, f)));
        } else if (f->type == WRI_F_LIST) {
            const wr_ast_list *list = field_at(node, f);
            for (uint32_t j = 0; j < list->count; j++)
                height = WR_MAX(height, height_of(list->items[j]));
        } else if (f->type == WRI_F_SAMPLE) {
            const wr_ast_tablesample *sample = field_at(node, f);
            height = WR_MAX(height, WR_MAX(height_of(sample->amount), height_of(sample->seed)));
        }
    }
    return height;
}

/* ---- copy ------------------------------------------------------------------------------------ */
static bool
copy_str(wr_str *s, wr_arena *arena)
{
    if (s->ptr == NULL) return true;
    *s = wr_arena_str(arena, *s);
    return s->ptr != NULL;
}

static bool
copy_parts(wr_ast_part **items, uint32_t count, wr_arena *arena)
{
    if (count == 0) return true;
    wr_ast_part *copy = wr_arena_alloc(arena, sizeof(wr_ast_part) * count);
    if (!copy) return false;
    memcpy(copy, *items, sizeof(wr_ast_part) * count);
    *items = copy;
    for (uint32_t i = 0; i < count; i++)
        if (!copy_str(&copy[i].name, arena)) return false;
    return true;
}

static bool
copy_child(wr_ast **child, wr_arena *arena)
{
    if (!*child) return true;
    *child = wr_ast_copy(*child, arena);
    return *child != NULL;
}

static bool
copy_list(wr_ast_list *list, wr_arena *arena)
{
    if (list->count == 0) return true;
    wr_ast **items = wr_arena_alloc(arena, sizeof(wr_ast *) * list->count);
    if (!items) return false;
    memcpy(items, list->items, sizeof(wr_ast *) * list->count);
    list->items = items;
    for (uint32_t i = 0; i < list->count; i++)
        if (!copy_child(&items[i], arena)) return false;
    return true;
}

static bool
copy_as(wr_ast_as *as, wr_arena *arena)
{
    return copy_str(&as->name.name, arena) &&
           copy_parts(&as->columns.items, as->columns.count, arena);
}

static bool
copy_like_options(wr_ast_table_like *like, wr_arena *arena)
{
    if (like->option_count == 0) return true;
    size_t bytes = sizeof(wr_ast_like_option) * like->option_count;
    wr_ast_like_option *options = wr_arena_alloc(arena, bytes);
    if (!options) return false;
    memcpy(options, like->options, bytes);
    like->options = options;
    return true;
}

static bool
copy_field(wr_ast *node, const wri_field *f, wr_arena *arena)
{
    void *x = (char *)node + f->offset;
    switch ((wri_field_type)f->type) {
    case WRI_F_NODE:
    case WRI_F_FUNCTION: {
        wr_ast *child;
        memcpy(&child, x, sizeof child);
        bool ok = copy_child(&child, arena);
        memcpy(x, &child, sizeof child);
        return ok;
    }
    case WRI_F_LIST:
        return copy_list(x, arena);
    case WRI_F_STR:
    case WRI_F_STR_IGNORED:
        return copy_str(x, arena);
    case WRI_F_PART:
        return copy_str(&((wr_ast_part *)x)->name, arena);
    case WRI_F_PARTS:
        return copy_parts(&((wr_ast_parts *)x)->items, ((wr_ast_parts *)x)->count, arena);
    case WRI_F_IDENT_PARTS:
        return copy_parts(&((wr_ast_ident *)node)->parts, ((wr_ast_ident *)node)->part_count,
                          arena);
    case WRI_F_AS:
        return copy_as(x, arena);
    case WRI_F_SAMPLE:
        return copy_child(&((wr_ast_tablesample *)x)->amount, arena) &&
               copy_child(&((wr_ast_tablesample *)x)->seed, arena);
    case WRI_F_LIKE_OPTIONS:
        return copy_like_options((wr_ast_table_like *)node, arena);
    case WRI_F_BOOL:
    case WRI_F_BOOL_IGNORED:
    case WRI_F_ENUM:
    case WRI_F_I64:
    case WRI_F_SPAN:
    case WRI_F_INTERVAL:
        return true;
    }
    WR_UNREACHABLE();
}

wr_ast *
wr_ast_copy(const wr_ast *node, wr_arena *arena)
{
    const wri_shape *shape = wri_shape_of(node->kind);
    wr_ast *copy = wr_arena_alloc(arena, shape->size_bytes);
    if (!copy) return NULL;
    memcpy(copy, node, shape->size_bytes);
    for (uint32_t i = 0; i < shape->field_count; i++)
        if (!copy_field(copy, &shape->fields[i], arena)) return NULL;
    return copy;
}
