/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: LOAD, UNLOAD and USE MODULES, SHOW MODULES. There are two: `core`, whose functions stay
 * callable whatever becomes of it, and `state`, which brings savepoint_metadata. The session keeps
 * those that are loaded: the used ones in their order, then the others. */
#include "engine/engine_int.h"
#include "engine/show_int.h"

static const char *const known[WRI_MODULES] = {"core", "state"};

static uint32_t
find_loaded(const wr_session *s, wr_str name)
{
    uint32_t i = 0;
    while (i < s->module_count && !wr_str_eq_c(name, s->modules[i].name)) i++;
    return i;
}

bool
wri_module_used(const wr_session *s, const char *name)
{
    const uint32_t i = find_loaded(s, wr_str_c(name));
    return i < s->module_count && s->modules[i].used;
}

void
wri_modules_init(wr_session *s)
{
    s->modules[0] = (wri_module){known[0], true};
    s->module_count = 1;
}

/* ---- USE MODULES ----------------------------------------------------------------------------- */
static wr_status
check_use(wr_ctx *ctx, const wr_session *s, const wr_ast_use *use, uint32_t i)
{
    const wr_ast_part *m = &use->modules.items[i];
    for (uint32_t k = 0; k < i; k++)
        if (wr_str_eq(use->modules.items[k].name, m->name))
            return wr_raise_at(ctx, WR_SEMANTIC, m->span, "Module '%.*s' appears more than once",
                               WR_STR_ARG(m->name));
    if (find_loaded(s, m->name) < s->module_count) return WR_OK;
    for (uint32_t k = 0; k < s->module_count; k++)
        wr_candidate(ctx, m->name, wr_str_c(s->modules[k].name));
    return wr_raise_at(ctx, WR_NAME, m->span, "No module with name '%.*s' exists",
                       WR_STR_ARG(m->name));
}

wr_status
wri_use_modules(wr_ctx *ctx, wri_stmt *st, const wr_ast_use *use)
{
    wr_session *s = st->session;
    wri_module now[WRI_MODULES];
    uint32_t n = 0;
    wr_text list;
    wr_text_init(&list, st->arena);
    for (uint32_t i = 0; i < use->modules.count; i++)
        wr_text_printf(&list, "%s%.*s", i ? ", " : "", WR_STR_ARG(use->modules.items[i].name));
    for (uint32_t i = 0; i < use->modules.count; i++) {
        const wr_status status = check_use(ctx, s, use, i);
        if (status == WR_OK) {
            now[n++] =
                (wri_module){s->modules[find_loaded(s, use->modules.items[i].name)].name, true};
            continue;
        }
        wr_frame(ctx, "Could not execute USE MODULES: [%.*s].", WR_STR_ARG(wr_text_str(&list)));
        return status;
    }
    for (uint32_t i = 0; i < s->module_count; i++) {
        bool used = false;
        for (uint32_t k = 0; k < use->modules.count; k++)
            used |= wr_str_eq_c(use->modules.items[k].name, s->modules[i].name);
        if (!used) now[n++] = (wri_module){s->modules[i].name, false};
    }
    WR_ASSERT(n == s->module_count);
    memcpy(s->modules, now, n * sizeof *now);
    return WR_OK;
}

/* ---- LOAD, UNLOAD ---------------------------------------------------------------------------- */
static wr_status
unload(wr_ctx *ctx, wr_session *s, const wr_ast_module *m, uint32_t at)
{
    const wr_str name = m->name->parts[0].name;
    if (at == s->module_count) {
        const wr_status status = wr_raise_at(ctx, WR_NAME, m->name->base.span,
                                             "No module with name '%.*s' exists", WR_STR_ARG(name));
        wr_frame(ctx, "Could not execute UNLOAD MODULE %.*s.", WR_STR_ARG(name));
        return status;
    }
    s->module_count--;
    memmove(&s->modules[at], &s->modules[at + 1], (s->module_count - at) * sizeof s->modules[0]);
    if (wr_str_eq_c(name, "core")) wr_notice(ctx, "the built-in functions stay callable");
    return WR_OK;
}

static void
load(wr_session *s, const char *name)
{
    uint32_t at = 0; /* behind the last that is used */
    while (at < s->module_count && s->modules[at].used) at++;
    memmove(&s->modules[at + 1], &s->modules[at], (s->module_count - at) * sizeof s->modules[0]);
    s->modules[at] = (wri_module){name, true};
    s->module_count++;
}

wr_status
wri_exec_module(wr_ctx *ctx, wri_stmt *st, const wr_ast_module *m)
{
    wr_session *s = st->session;
    const wr_str name = m->name->parts[0].name;
    const uint32_t at = find_loaded(s, name);
    if (m->unload) return unload(ctx, s, m, at);
    if (at < s->module_count)
        return wr_raise_at(ctx, WR_EXISTS, m->name->base.span,
                           "A module with name '%.*s' already exists", WR_STR_ARG(name));
    for (uint32_t i = 0; i < WRI_MODULES; i++) {
        if (!wr_str_eq_c(name, known[i])) continue;
        load(s, known[i]);
        return WR_OK;
    }
    for (uint32_t i = 0; i < WRI_MODULES; i++) wr_candidate(ctx, name, wr_str_c(known[i]));
    const wr_status status = wr_raise_at(
        ctx, WR_NAME, m->name->base.span,
        "Could not find any factory for identifier '%.*s' that implements "
        "'org.apache.flink.table.factories.ModuleFactory' in the classpath.\n\nAvailable factory "
        "identifiers are:\n\ncore\nstate",
        WR_STR_ARG(name));
    wr_frame(ctx, "Unable to create module '%.*s'.", WR_STR_ARG(name));
    return status;
}

/* ---- SHOW ------------------------------------------------------------------------------------ */
wr_status
wri_show_modules(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show)
{
    static const char *const columns[] = {"module name", "used"};
    const wr_type *types[] = {NULL, wr_type_of(WR_T_BOOLEAN, true)};
    const bool full = show->what == WR_SQL_SHOW_FULL_MODULES;
    const wr_session *s = st->session;
    wri_table t;
    WR_TRY(wri_table_init(ctx, &t, st->arena, columns, types, full ? 2 : 1));
    for (uint32_t i = 0; i < s->module_count; i++) {
        const wr_str name = wr_str_c(s->modules[i].name);
        if (!wri_show_matches(show, name) || (!full && !s->modules[i].used)) continue;
        wr_value *row = wri_table_row(&t);
        WR_TRY_ALLOC(ctx, row);
        wri_table_set(&t, row, 0, name);
        if (full) row[1] = wr_value_bool(s->modules[i].used);
    }
    return wri_result_table(ctx, st, &t);
}
