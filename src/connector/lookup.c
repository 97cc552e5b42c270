/* SPDX-License-Identifier: Apache-2.0 */
/* 'lookup': a table that is asked by key, for tests of lookup joins. Its rows are written in the
 * DDL, one JSON text a line, as those of 'script':
 *
 *   ["+I", 1, "a"]    a row
 *   {"after": 2}      what follows is found from the second question for its key on
 *   {"from": "2024-01-01 00:10:00"}   what follows is there from that processing time on (UTC)
 *
 * 'delay': how long an answer takes; 'lookup.async': whether several questions may be open. With
 * 'lookup.cache' = 'FULL' it is read whole, by lookup joins alone; 'after' means nothing then. */
#include "connector/connector_int.h"
#include "format/format.h"
#include "os/os.h"
#include "types/datetime.h"

static const wr_option_def lookup_options[] = {
    {"rows", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED, "The lines."},
    {"delay", WR_OPT_DURATION, "0 ms", NULL, 0, "How long an answer takes."},
    {"lookup.async", WR_OPT_BOOL, "false", NULL, 0, "May several questions be open at once?"},
    {"lookup.cache", WR_OPT_ENUM, "NONE", "NONE|PARTIAL|FULL", 0,
     "PARTIAL: what was found is kept and found there; FULL: the whole table is kept."},
#include "connector/full_cache.def"
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
    WR_TRY(wri_full_cache(ctx, options, lookup_options, out));
    out->lookup_only = out->can_lookup;
    out->lookup_keys = !out->can_lookup;
    if (out->lookup_keys)
        WR_TRY(wri_option_bool(ctx, options, lookup_options, "lookup.async", &out->lookup_async));
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

/* {"after": n} and {"from": "time"} hold for the rows that follow. */
typedef struct bounds {
    uint32_t after;
    int64_t from_ms;
} bounds;

struct wr_lookup {
    const wr_source_spec *spec;
    const wr_source_env *env;
    const uint32_t *key_cols; /* of spec->columns */
    uint32_t key_count;
    wr_batch_pool *pool;
    wr_batch *rows;
    bounds *bounds; /* per row */
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
read_bound(wr_ctx *ctx, wr_str line, bounds *out)
{
    wr_str raw;
    bool found;
    uint64_t n = 0;
    wr_ts from;
    char why[WR_WHY_MAX];
    WR_TRY(wr_json_member(ctx, line, "from", &raw, &found));
    if (found && raw.len > 2 && wr_ts_parse((wr_str){raw.ptr + 1, raw.len - 2}, &from, why)) {
        out->from_ms = from.ms;
        return WR_OK;
    }
    WR_TRY(wr_json_member(ctx, line, "after", &raw, &found));
    for (size_t i = 0; found && i < raw.len && n < 1000000; i++) {
        found = raw.ptr[i] >= '0' && raw.ptr[i] <= '9';
        n = n * 10 + (uint64_t)(raw.ptr[i] - '0');
    }
    if (!found || n == 0)
        return wr_raise(ctx, WR_DATA, "lookup line: %.*s", (int)WR_MIN(line.len, (size_t)200),
                        line.ptr);
    out->after = (uint32_t)n;
    return WR_OK;
}

static wr_status
read_lines(wr_ctx *ctx, wr_lookup *l, wr_decoder *decoder, wr_str text)
{
    wr_str line;
    bounds now = {.after = 1, .from_ms = INT64_MIN};
    uint32_t number = 0, cap = 1;
    for (size_t i = 0; i < text.len; i++) cap += text.ptr[i] == '\n';
    l->rows = wr_batch_acquire(l->pool, l->spec->columns.count);
    l->bounds = WR_NEW_N(l->env->arena, bounds, cap);
    WR_TRY_ALLOC(ctx, l->rows);
    WR_TRY_ALLOC(ctx, l->bounds);
    if (!wr_batch_init_flat(l->rows, &l->spec->columns, cap))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    while (next_line(&text, &line)) {
        wr_decode_pos pos = {.file = WR_STR("lookup"), .line = ++number};
        if (*line.ptr != '[') {
            WR_TRY(read_bound(ctx, line, &now));
            continue;
        }
        WR_TRY(wr_json_decode_array(ctx, decoder, line, 1, l->rows, l->rows->row_count, &pos));
        l->bounds[l->rows->row_count++] = now;
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

static int64_t
now_ms(void)
{
    return wr_os_processing_moves() ? wr_os_processing_ms() : wr_os_wall_ms();
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
    const int64_t now = now_ms();
    for (; q->key < q->keys->row_count; q->key++, q->row = 0) {
        if (q->row == 0) WR_TRY(count_question(ctx, l, q));
        for (; q->row < l->rows->row_count; q->row++) {
            const bounds *b = &l->bounds[q->row];
            if (b->after > q->times || b->from_ms > now || !is_row_of(l, q, q->row)) continue;
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

/* ---- it is read whole, for lookup joins that keep it ----------------------------------------- */

typedef struct lookup_reader { /* wr_reader */
    wr_lookup l;
    int64_t now_ms; /* what the table is then */
    uint32_t next;
} lookup_reader;

static void
reader_close(wr_reader *reader)
{
    lookup_close(&((lookup_reader *)reader)->l);
}

static wr_status
reader_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    lookup_reader *r = WR_NEW(env->arena, lookup_reader);
    WR_TRY_ALLOC(ctx, r);
    r->l = (wr_lookup){.spec = spec, .env = env};
    r->now_ms = now_ms();
    r->l.pool = wr_batch_pool_create(env->budget);
    WR_TRY_ALLOC(ctx, r->l.pool);
    const wr_status status = read_rows(ctx, &r->l);
    if (status != WR_OK)
        reader_close((wr_reader *)r);
    else
        *out = (wr_reader *)r;
    return status;
}

static wr_status
reader_add_split(wr_ctx *ctx, wr_reader *r, wr_str split, wr_str position)
{
    (void)ctx;
    (void)r;
    (void)split;
    (void)position;
    return WR_OK;
}

static wr_status
reader_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    lookup_reader *r = (lookup_reader *)reader;
    const wr_lookup *l = &r->l;
    uint32_t *rows = wr_arena_alloc(fill->arena, sizeof *rows * max_rows), n = 0;
    WR_TRY_ALLOC(ctx, rows);
    for (; r->next < l->rows->row_count && n < max_rows; r->next++)
        if (l->bounds[r->next].from_ms <= r->now_ms) rows[n++] = r->next;
    for (uint32_t c = 0; c < l->spec->columns.count; c++)
        if (!wr_vec_gather(&fill->cols[c], &l->rows->cols[c], rows, n, fill->arena))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (!wr_batch_keep(fill, l->rows)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    fill->row_count = n;
    *out = (wr_poll){.kind = r->next < l->rows->row_count ? WR_POLL_READY : WR_POLL_END, .fd = -1};
    return WR_OK;
}

/* It is no source of a job: nothing is ever snapshot. */
static wr_status
reader_snapshot(wr_ctx *ctx, wr_reader *r, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)ctx;
    (void)r;
    (void)checkpoint_id;
    (void)out;
    return WR_OK;
}

const wr_source_ops wri_lookup_source = {
    .abi = WR_ABI,
    .name = "lookup",
    .options = lookup_options,
    .describe = lookup_describe,
    .discover = wri_discover_single,
    .open = reader_open,
    .add_split = reader_add_split,
    .no_more_splits = wri_no_more_nothing,
    .poll = reader_poll,
    .snapshot = reader_snapshot,
    .committed = wri_committed_nothing,
    .close = reader_close,
    .lookup_open = lookup_open,
    .lookup_ask = lookup_ask,
    .lookup_answer = lookup_answer,
    .lookup_close = lookup_close,
};
