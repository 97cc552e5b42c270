/* SPDX-License-Identifier: Apache-2.0 */
/* 'lookup': a table that is asked by key, for tests of lookup joins. Its rows are written in the
 * DDL, one JSON text a line, as those of 'script':
 *
 *   ["+I", 1, "a"]    a row
 *   {"after": 2}      what follows is found from the second question for its key on
 *
 * 'delay': how long an answer takes; 'lookup.async': whether several questions may be open. */
#include "connector/connector_int.h"
#include "format/format.h"
#include "os/os.h"

static const wr_option_def lookup_options[] = {
    {"rows", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED, "The lines."},
    {"delay", WR_OPT_DURATION, "0 ms", NULL, 0, "How long an answer takes."},
    {"lookup.async", WR_OPT_BOOL, "false", NULL, 0, "May several questions be open at once?"},
    {"lookup.cache", WR_OPT_ENUM, "NONE", "NONE|PARTIAL|FULL", 0,
     "PARTIAL: what was found is kept and found there."},
    {"lookup.partial-cache.max-rows", WR_OPT_LONG, NULL, NULL, 0,
     "How many keys are kept; those that were asked for longest ago go."},
    {"lookup.partial-cache.expire-after-write", WR_OPT_DURATION, NULL, NULL, 0,
     "What was found that long ago is asked for again."},
    {"lookup.partial-cache.expire-after-access", WR_OPT_DURATION, NULL, NULL, 0,
     "What was not wanted for that long is asked for again."},
    {"lookup.partial-cache.cache-missing-key", WR_OPT_BOOL, "true", NULL, 0,
     "Is it kept that a key has no row?"},
    {"lookup.max-retries", WR_OPT_INT, "3", NULL, 0, "Without effect: questions do not fail."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static wr_status
lookup_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)table;
    (void)config;
    (void)arena;
    wr_option_value cache;
    WR_TRY(wr_options_get(ctx, options, lookup_options, "lookup.cache", &cache));
    if (wr_str_eq_nocase(cache.text, WR_STR("FULL")))
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "'lookup.cache' = 'FULL' needs a table that can be read whole; this one is "
                        "asked by key");
    WR_TRY(wri_option_bool(ctx, options, lookup_options, "lookup.async", &out->lookup_async));
    out->lookup_keys = true;
    out->changelog = WR_CL_INSERT_ONLY;
    out->bounded = out->replayable = true;
    out->can_project = true;
    out->row_count = -1;
    return WR_OK;
}

/* ---- the rows -------------------------------------------------------------------------------- */

typedef struct question {
    uint64_t ticket;
    wr_batch *keys;
    int64_t due_ms;    /* monotonic */
    uint32_t key, row; /* where the answer is */
    uint32_t times;    /* that this key was asked for */
} question;

typedef struct asked { /* how often a key was asked for */
    uint64_t hash;
    uint32_t times;
} asked;

struct wr_lookup {
    const wr_source_spec *spec;
    const wr_source_env *env;
    const uint32_t *key_cols; /* of spec->columns */
    uint32_t key_count;
    wr_batch_pool *pool;
    wr_batch *rows;
    uint32_t *after; /* per row */
    int64_t delay_ms;
    WR_LIST(question) open; /* in the order of asking */
    uint32_t first;         /* of them that is not answered */
    WR_LIST(asked) asked;
};

static bool
next_line(wr_str *text, wr_str *line)
{
    for (;;) {
        if (text->len == 0) return false;
        const char *nl = memchr(text->ptr, '\n', text->len);
        const size_t n = nl ? (size_t)(nl - text->ptr) : text->len;
        *line = (wr_str){text->ptr, n};
        *text = (wr_str){text->ptr + n + (nl ? 1 : 0), text->len - n - (nl ? 1 : 0)};
        while (line->len && (unsigned char)*line->ptr <= ' ') line->ptr++, line->len--;
        if (line->len) return true;
    }
}

static wr_status
read_after(wr_ctx *ctx, wr_str line, uint32_t *after)
{
    wr_str raw;
    bool found;
    uint64_t n = 0;
    WR_TRY(wr_json_member(ctx, line, "after", &raw, &found));
    for (size_t i = 0; found && i < raw.len && n < 1000000; i++) {
        found = raw.ptr[i] >= '0' && raw.ptr[i] <= '9';
        n = n * 10 + (uint64_t)(raw.ptr[i] - '0');
    }
    if (!found || n == 0)
        return wr_raise(ctx, WR_DATA, "lookup line: %.*s", (int)WR_MIN(line.len, (size_t)200),
                        line.ptr);
    *after = (uint32_t)n;
    return WR_OK;
}

static wr_status
read_lines(wr_ctx *ctx, wr_lookup *l, wr_decoder *decoder, wr_str text)
{
    wr_str line;
    uint32_t after = 1, number = 0, cap = 1;
    for (size_t i = 0; i < text.len; i++) cap += text.ptr[i] == '\n';
    l->rows = wr_batch_acquire(l->pool, l->spec->columns.count);
    l->after = WR_NEW_N(l->env->arena, uint32_t, cap);
    WR_TRY_ALLOC(ctx, l->rows);
    WR_TRY_ALLOC(ctx, l->after);
    if (!wr_batch_init_flat(l->rows, &l->spec->columns, cap))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    while (next_line(&text, &line)) {
        wr_decode_pos pos = {.file = WR_STR("lookup"), .line = ++number};
        if (*line.ptr != '[') {
            WR_TRY(read_after(ctx, line, &after));
            continue;
        }
        WR_TRY(wr_json_decode_array(ctx, decoder, line, 1, l->rows, l->rows->row_count, &pos));
        l->after[l->rows->row_count++] = after;
    }
    return WR_OK;
}

static wr_status
read_rows(wr_ctx *ctx, wr_lookup *l)
{
    wr_option json[] = {{WR_STR("format"), WR_STR("json"), WR_NO_SPAN}};
    wr_source_spec as_json = *l->spec;
    wr_str text;
    wr_decoder *decoder = NULL;
    const wr_format_ops *format = NULL;
    as_json.options = (wr_options){json, 1};
    WR_TRY(wri_option_str(ctx, &l->spec->options, lookup_options, "rows", &text));
    WR_TRY(wri_decoder_open(ctx, &as_json, l->env, WR_STR("lookup"), &format, &decoder));
    wr_status status = read_lines(ctx, l, decoder, text);
    format->decoder_close(decoder);
    return status;
}

static void
lookup_close(wr_lookup *l)
{
    if (!l) return;
    for (uint32_t i = l->first; i < l->open.count; i++) wr_batch_release(l->open.items[i].keys);
    wr_batch_release(l->rows);
    wr_batch_pool_destroy(l->pool);
}

static wr_status
lookup_open(wr_ctx *ctx, const wr_source_spec *spec, const uint32_t *keys, uint32_t key_count,
            const wr_source_env *env, wr_lookup **out)
{
    wr_lookup *l = WR_NEW(env->arena, wr_lookup);
    WR_TRY_ALLOC(ctx, l);
    *l = (wr_lookup){.spec = spec, .env = env, .key_cols = keys, .key_count = key_count};
    l->pool = wr_batch_pool_create(env->budget);
    WR_TRY_ALLOC(ctx, l->pool);
    wr_status status = wri_option_int(ctx, &spec->options, lookup_options, "delay", &l->delay_ms);
    if (status == WR_OK) status = read_rows(ctx, l);
    if (status != WR_OK) {
        lookup_close(l);
        return status;
    }
    *out = l;
    return WR_OK;
}

/* ---- questions ------------------------------------------------------------------------------- */

static wr_status
lookup_ask(wr_ctx *ctx, wr_lookup *l, wr_batch *take_keys, uint64_t ticket)
{
    const question q = {
        .ticket = ticket, .keys = take_keys, .due_ms = wr_os_now_ns() / 1000000 + l->delay_ms};
    if (l->first == l->open.count) l->first = l->open.count = 0;
    if (wr_list_push(l->env->arena, &l->open, q)) return WR_OK;
    wr_batch_release(take_keys);
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

static bool
is_row_of(const wr_lookup *l, const question *q, uint32_t row)
{
    for (uint32_t k = 0; k < l->key_count; k++)
        if (!wr_vec_entry_eq(&q->keys->cols[k], q->key, &l->rows->cols[l->key_cols[k]], row) ||
            wr_vec_is_null(&q->keys->cols[k], q->key))
            return false;
    return true;
}

/* Which question for its key this one is, from 1. Keys are told apart by their hashes. */
static wr_status
count_question(wr_ctx *ctx, wr_lookup *l, question *q)
{
    uint64_t hash = 0;
    for (uint32_t k = 0; k < l->key_count; k++)
        hash = wr_vec_entry_hash(&q->keys->cols[k], q->key, hash);
    for (uint32_t i = 0; i < l->asked.count; i++) {
        if (l->asked.items[i].hash != hash) continue;
        q->times = ++l->asked.items[i].times;
        return WR_OK;
    }
    q->times = 1;
    return wr_list_push(l->env->arena, &l->asked, ((asked){hash, 1}))
               ? WR_OK
               : wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* The rows of the keys from q->key on, as many as fit. */
static wr_status
find_rows(wr_ctx *ctx, wr_lookup *l, question *q, uint32_t *rows, uint32_t *owner, uint32_t max,
          uint32_t *count)
{
    for (; q->key < q->keys->row_count; q->key++, q->row = 0) {
        if (q->row == 0) WR_TRY(count_question(ctx, l, q));
        for (; q->row < l->rows->row_count; q->row++) {
            if (l->after[q->row] > q->times || !is_row_of(l, q, q->row)) continue;
            if (*count == max) return WR_OK;
            owner[*count] = q->key;
            rows[(*count)++] = q->row;
        }
    }
    return WR_OK;
}

static wr_status
lookup_answer(wr_ctx *ctx, wr_lookup *l, wr_batch *fill, uint32_t *owner, uint32_t max_rows,
              wr_answer *out)
{
    question *q = l->first < l->open.count ? &l->open.items[l->first] : NULL;
    *out = (wr_answer){0};
    if (!q) return WR_OK;
    out->wake_at_ms = q->due_ms;
    if (wr_os_now_ns() / 1000000 < q->due_ms) return WR_OK;
    uint32_t *rows = wr_arena_alloc(fill->arena, sizeof *rows * max_rows), n = 0;
    WR_TRY_ALLOC(ctx, rows);
    WR_TRY(find_rows(ctx, l, q, rows, owner, max_rows, &n));
    for (uint32_t c = 0; c < l->spec->columns.count; c++)
        if (!wr_vec_gather(&fill->cols[c], &l->rows->cols[c], rows, n, fill->arena))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (!wr_batch_keep(fill, l->rows)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    fill->row_count = n;
    *out = (wr_answer){.have = true, .ticket = q->ticket, .complete = true};
    out->complete = q->key == q->keys->row_count;
    if (!out->complete) return WR_OK;
    wr_batch_release(q->keys);
    l->first++;
    return WR_OK;
}

/* ---- it cannot be read ----------------------------------------------------------------------- */

static wr_status
no_reader(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    (void)env;
    (void)out;
    return wr_raise(ctx, WR_UNSUPPORTED, "table '%.*s' can only be asked by key",
                    WR_STR_ARG(spec->table->id.name));
}

/* Never called: there is no reader. */
static wr_status
add_split(wr_ctx *ctx, wr_reader *r, wr_str split, wr_str position)
{
    (void)r;
    (void)split;
    (void)position;
    return wr_raise(ctx, WR_INTERNAL, "a table that is asked by key has no splits");
}

static wr_status
poll(wr_ctx *ctx, wr_reader *r, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    (void)ctx;
    (void)r;
    (void)fill;
    (void)max_rows;
    *out = (wr_poll){.kind = WR_POLL_END, .fd = -1};
    return WR_OK;
}

static wr_status
snapshot(wr_ctx *ctx, wr_reader *r, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)ctx;
    (void)r;
    (void)checkpoint_id;
    (void)out;
    return WR_OK;
}

static void
close_reader(wr_reader *r)
{
    (void)r;
}

const wr_source_ops wri_lookup_source = {
    .abi = WR_ABI,
    .name = "lookup",
    .options = lookup_options,
    .describe = lookup_describe,
    .discover = wri_discover_single,
    .open = no_reader,
    .add_split = add_split,
    .no_more_splits = wri_no_more_nothing,
    .poll = poll,
    .snapshot = snapshot,
    .committed = wri_committed_nothing,
    .close = close_reader,
    .lookup_open = lookup_open,
    .lookup_ask = lookup_ask,
    .lookup_answer = lookup_answer,
    .lookup_close = lookup_close,
};
