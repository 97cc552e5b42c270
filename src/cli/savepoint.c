/* SPDX-License-Identifier: Apache-2.0 */
/* `weir savepoint`: what is in a checkpoint or savepoint, what differs between two, and one written
 * again or removed. Reports go to standard output, for people or as one JSON object. */
#include "cli/savepoint_int.h"

/* ---- inspect --------------------------------------------------------------------------------- */

static wr_status
inspect(wr_ctx *ctx, const wri_args *args, wr_arena *a)
{
    wr_ckpt_meta *m;
    wr_text t;
    WR_TRY(wr_ckpt_load(ctx, wr_str_c(args->files[1]), a, &m));
    if (args->verify) WR_TRY(wr_ckpt_verify(ctx, m));
    wr_text_init(&t, a);
    if (args->json)
        wri_savepoint_json(m, args->verify, &t);
    else
        wri_savepoint_text(m, args->verify, &t);
    if (t.failed) return wr_text_raise(ctx, &t);
    return wri_savepoint_print(ctx, wr_text_str(&t));
}

/* ---- rewrite --------------------------------------------------------------------------------- */

/* OLD=NEW; ids may hold a '=' themselves: the cut is the one whose left side is an operator. */
static wr_status
cut_rename(wr_ctx *ctx, const wr_ckpt_meta *m, const char *text, wr_str *from, wr_str *to)
{
    const char *first = strchr(text, '=');
    if (!first) return wr_raise(ctx, WR_USAGE, "--rename wants OLD=NEW, not '%s'", text);
    for (const char *eq = first; eq; eq = strchr(eq + 1, '=')) {
        *from = (wr_str){text, (size_t)(eq - text)};
        *to = wr_str_c(eq + 1);
        if (wr_ckpt_find(m, *from)) return WR_OK;
    }
    *from = (wr_str){text, (size_t)(first - text)};
    *to = wr_str_c(first + 1);
    return WR_OK; /* wr_ckpt_rewrite tells which there are */
}

static wr_status
take_kind(wr_ctx *ctx, const wri_args *args, const wr_ckpt_meta *m, wr_checkpoint_kind *out)
{
    *out = m->kind == WR_SAVEPOINT_CANONICAL ? WR_SAVEPOINT_CANONICAL : WR_SAVEPOINT_NATIVE;
    if (!args->to_format) return WR_OK;
    if (strcmp(args->to_format, "canonical") == 0)
        *out = WR_SAVEPOINT_CANONICAL;
    else if (strcmp(args->to_format, "native") == 0)
        *out = WR_SAVEPOINT_NATIVE;
    else
        return wr_raise(ctx, WR_USAGE, "--to wants canonical or native, not '%s'", args->to_format);
    return WR_OK;
}

static wr_status
rewrite(wr_ctx *ctx, const wri_args *args, wr_arena *a)
{
    wr_ckpt_meta *m;
    wr_str from[WR_COUNT(args->renames)], to[WR_COUNT(args->renames)];
    wr_str drop[WR_COUNT(args->drops)];
    wr_ckpt_changes c = {.rename_from = from,
                         .rename_to = to,
                         .rename_count = args->rename_count,
                         .drop = drop,
                         .drop_count = args->drop_count};
    WR_TRY(wr_ckpt_load(ctx, wr_str_c(args->files[1]), a, &m));
    WR_TRY(take_kind(ctx, args, m, &c.kind));
    for (uint32_t i = 0; i < args->rename_count; i++)
        WR_TRY(cut_rename(ctx, m, args->renames[i], &from[i], &to[i]));
    for (uint32_t i = 0; i < args->drop_count; i++) drop[i] = wr_str_c(args->drops[i]);
    return wr_ckpt_rewrite(ctx, m, wr_str_c(args->files[2]), &c);
}

/* ---- dispose --------------------------------------------------------------------------------- */

static wr_status
dispose(wr_ctx *ctx, const wri_args *args, wr_arena *a)
{
    wr_ckpt_disposed d;
    wr_text t;
    WR_TRY(wr_ckpt_dispose(ctx, wr_str_c(args->files[1]), a, &d));
    wr_text_init(&t, a);
    if (args->json)
        wri_savepoint_disposed_json(&d, &t);
    else
        wri_savepoint_disposed_text(&d, &t);
    if (t.failed) return wr_text_raise(ctx, &t);
    return wri_savepoint_print(ctx, wr_text_str(&t));
}

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct action {
    const char *name;
    uint32_t words; /* with the name */
    wr_status (*run)(wr_ctx *ctx, const wri_args *args, wr_arena *a);
    const char *usage;
} action;

static const action actions[] = {
    {"inspect", 2, inspect, "weir savepoint inspect PATH [--verify] [--json]"},
    {"diff", 3, wri_savepoint_diff, "weir savepoint diff OLD NEW [--json]"},
    {"dispose", 2, dispose, "weir savepoint dispose PATH [--json]"},
    {"rewrite", 3, rewrite,
     "weir savepoint rewrite IN OUT [--rename OLD=NEW] [--drop ID] [--to canonical|native]"},
};

wr_status
wri_savepoint_print(wr_ctx *ctx, wr_str text)
{
    wr_os_file out = wr_os_stdout();
    return wr_os_file_write(ctx, &out, text.ptr, text.len);
}

static int
usage(const char *word)
{
    if (word) (void)fprintf(stderr, "weir: savepoint has no '%s'\n", word);
    for (uint32_t i = 0; i < WR_COUNT(actions); i++)
        (void)fprintf(stderr, "%s %s\n", i ? "      " : "usage:", actions[i].usage);
    return 2;
}

static const action *
find_action(const char *name)
{
    for (uint32_t i = 0; i < WR_COUNT(actions); i++)
        if (strcmp(actions[i].name, name) == 0) return &actions[i];
    return NULL;
}

int
wri_cli_savepoint(const wri_args *args)
{
    wr_ctx ctx;
    wr_engine *engine = NULL;
    const wr_engine_config config = {0};
    const action *act = args->file_count ? find_action(args->files[0]) : NULL;
    if (!act || args->file_count != act->words)
        return usage(act || !args->file_count ? NULL : args->files[0]);
    wr_ctx_init(&ctx);
    wr_os_signals_install();
    ctx.cancel = wr_os_cancel_flag();
    /* The engine fills the registry: file systems and state backends. */
    wr_status status = wr_engine_create(&ctx, &config, &engine);
    wr_arena *a = status == WR_OK ? wr_arena_create(NULL, 0) : NULL;
    if (status == WR_OK)
        status = a ? act->run(&ctx, args, a) : wr_raise(&ctx, WR_NOMEM, "out of memory");
    wr_os_file err = wr_os_stderr();
    if (status != WR_OK)
        wri_error_print(&ctx, err, args->json, wr_os_is_terminal(&err) && !wr_os_env("NO_COLOR"));
    wr_arena_destroy(a);
    wr_engine_destroy(engine);
    return status == WR_OK ? 0 : wri_exit_code(status);
}
